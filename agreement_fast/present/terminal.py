"""Labels, numbers, paragraphs and tables as a terminal has them."""

from __future__ import annotations

import itertools
import math
import re
import textwrap
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Integral
from string import ascii_uppercase
from typing import Any, TypeVar

R = TypeVar("R", bound=Hashable)

#: Letters and marks that are printed as blanks or not at all.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


#: Joins two pictures into one, such as a family or a profession.
_JOINER = "\u200d"

#: Characters that may follow a picture: a skin colour, or the mark that it is a picture.
_OF_PICTURES = frozenset("\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


def show_label(label: Any, limit: int = 32) -> str:
    """Return a label for a terminal: one line, no control characters, at most `limit` columns.

    Examples
    --------
    >>> show_label("a\\tb"), show_label(""), show_label(" x")
    ('a\\\\tb', "''", "' x'")
    >>> show_label(frozenset({"b", "a"})), show_label(frozenset())
    ('{a, b}', '{}')
    """
    if isinstance(label, frozenset):
        label = "{" + ", ".join(sorted(str(element) for element in label)) + "}"
    text = label if isinstance(label, str) else str(label)
    quoted = isinstance(label, str) and (not text or text != text.strip())
    text = _clip(text, limit)
    return f"'{text}'" if quoted else text


def counted(n: int, what: str) -> str:
    """Write a count and its noun, whose plural ends in s, es or ies.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item"), counted(2, "class"), counted(0, "category")
    ('1 item', '1,200 items', '2 classes', '0 categories')
    """
    if n != 1 and what.endswith("y"):
        return f"{n:,} {what[:-1]}ies"
    plural = "" if n == 1 else "es" if what.endswith("s") else "s"
    return f"{n:,} {what}{plural}"


def number_of(n: int, what: str) -> str:
    """Write a count and its noun without separators, for a repr.

    Examples
    --------
    >>> number_of(1, "item"), number_of(1200, "item")
    ('1 item', '1200 items')
    """
    return counted(n, what).replace(",", "")


def repr_label(label: Any) -> str:
    """Return the repr of a label, with the elements of a set in an order of their own.

    Examples
    --------
    >>> repr_label(frozenset({"b", "a"})), repr_label("a")
    ("frozenset({'a', 'b'})", "'a'")
    """
    if isinstance(label, frozenset) and label:
        return f"frozenset({{{', '.join(sorted(map(repr, label)))}}})"
    return repr(label)


def letters(n: int) -> tuple[str, ...]:
    """Return names that say nothing of whom they stand for.

    Examples
    --------
    >>> letters(3), letters(28)[25:]
    (('A', 'B', 'C'), ('Z', 'AA', 'AB'))
    """
    words = (itertools.product(ascii_uppercase, repeat=size) for size in itertools.count(1))
    return tuple(map("".join, itertools.islice(itertools.chain.from_iterable(words), n)))


def spell_label(label: Any) -> str:
    """Write a label in full, as a user types it: sets as {a, b}.

    Examples
    --------
    >>> spell_label(frozenset({"b", "a"})), spell_label(1)
    ('{a, b}', '1')
    """
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(str, label))) + "}"
    return str(label)


def escape(text: str) -> str:
    """Escape the characters of a text that are invisible or move other text.

    These are control characters and line ends, marks of direction, blanks other than the usual
    one, characters without width, and surrogates.

    Examples
    --------
    >>> print(escape("\x1b[31mred\u202e"))
    \\x1b[31mred\\u202e
    """
    if text.isprintable() and _FILLERS.isdisjoint(text):
        return text
    return "".join(_escaped_at(text, place) for place in range(len(text)))


def _escaped_at(text: str, place: int) -> str:
    """Escape a character of a text; the joiner of two pictures is kept."""
    if text[place] != _JOINER or place == 0:
        return _escaped(text[place])
    before, after = text[place - 1], text[place + 1 : place + 2]
    if before in _OF_PICTURES and place > 1:
        before = text[place - 2]
    return _JOINER if _is_picture(before) and _is_picture(after) else _escaped(_JOINER)


def _is_picture(character: str) -> bool:
    return character != "" and unicodedata.category(character) == "So"


def _escaped(character: str) -> str:
    if character.isprintable() and character not in _FILLERS:
        return character
    return ascii(character)[1:-1]


def _clip(text: str, limit: int) -> str:
    """Escape a text and cut it to `limit` columns. O(limit) for a text of any length."""
    if len(text) <= limit and text.isascii() and text.isprintable():
        return text
    shown = ""
    room = limit
    # Marks above and below letters have no width, so their number is limited, too.
    start = text[: 4 * limit]
    for place in range(len(start)):
        part = _escaped_at(start, place)
        room -= _width(part)
        if room < 0:
            break
        shown += part
    else:
        if len(text) <= 4 * limit:
            return shown
    while shown and _width(shown) > limit - 1:
        shown = shown[:-1]
    return shown + "\u2026"


def some_of(labels: Sequence[Any], most: int, limit: int = 32) -> str:
    """Show the first labels of several, and how many more there are.

    Examples
    --------
    >>> some_of(["a", "b", "c"], 2), some_of(["a"], 2)
    ('a, b and 1 more', 'a')
    """
    return and_more([show_label(label, limit) for label in labels[:most]], len(labels))


def and_more(shown: Sequence[str], n: int) -> str:
    """List texts, and say how many of n are not among them.

    Examples
    --------
    >>> and_more(["a", "b"], 2), and_more(["a", "b"], 1002)
    ('a, b', 'a, b and 1,000 more')
    """
    return ", ".join(shown) + (f" and {n - len(shown):,} more" if n > len(shown) else "")


def shorten(labels: Sequence[Any], most: int = 8) -> str:
    """Return the reprs of a few labels, and the number of the others."""
    return and_more(list(map(repr_label, labels[:most])), len(labels))


def show_span(values: Iterable[float], form: str = ".6g") -> str:
    """Show the least and the largest number of several; NaN is none.

    Examples
    --------
    >>> show_span([0.5, float("nan"), 0.25]), show_span([float("nan")])
    ('0.25 to 0.5', 'undefined')
    """
    known = [value for value in values if not math.isnan(value)]
    ends = dict.fromkeys(f"{end:{form}}" for end in (min(known), max(known))) if known else ()
    return " to ".join(ends) or "undefined"


def show_category(label: Any) -> str:
    """Return a category for a sentence; a set stands for itself, not for its elements.

    Examples
    --------
    >>> show_category("a"), show_category(frozenset({"a"}))
    ('a', 'exactly {a}')
    """
    return f"exactly {show_label(label)}" if isinstance(label, frozenset) else show_label(label)


def _width(text: str) -> int:
    """Count the terminal columns of a text."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def show_value(value: float, sign: str = "", digits: int = 4) -> str:
    """Format a coefficient; zero has no sign, unless `sign` is +."""
    return f"{round(float(value), digits) + 0.0:{sign}.{digits}f}"


def show_cell(value: Any, sign: str = "") -> str:
    """Format a cell of a table: a coefficient, where NaN is a dash, a count, or a text as it is.

    Examples
    --------
    >>> show_cell(0.5), show_cell(float("nan")), show_cell(1200), show_cell("a"), show_cell(None)
    ('0.5000', '-', '1,200', 'a', '')
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, Integral):
        return f"{value:,}"
    return "-" if math.isnan(value) else show_value(value, sign)


def show_p(value: float) -> str:
    """Format a probability of chance; NaN is a dash."""
    return "-" if math.isnan(value) else f"{value:.4f}"


def show_level(confidence_level: float) -> str:
    """Format a confidence level in percent.

    Examples
    --------
    >>> show_level(0.95)
    '95%'
    """
    return f"{100 * confidence_level:.12g}%"


def show_interval(result: Any) -> str:
    """Write the interval of a result, with its level.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> show_interval(SimpleNamespace(low=0.25, high=0.5, confidence_level=0.95))
    '95% interval 0.2500 to 0.5000'
    """
    level = show_level(result.confidence_level)
    return f"{level} interval {show_value(result.low)} to {show_value(result.high)}"


def show_mean(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def show_number(value: float) -> str:
    """Format a disagreement, which may be very large or very small: distances have any unit."""
    if math.isnan(value):
        return "-"
    usual = value == 0 or 0.001 <= abs(value) < 10_000
    return f"{value:.4f}" if usual else show_digits(value, 4)


def show_digits(value: float, digits: int) -> str:
    """Format a number to some digits, without powers of ten from 0.000001 to 10¹⁵.

    Examples
    --------
    >>> show_digits(429_313_042.0, 4), show_digits(0.00005758, 4), show_digits(8.25e17, 4)
    ('429,300,000', '0.00005758', '825e+15')
    """
    text = f"{value:.{digits}g}"
    mantissa, _, power = text.partition("e")
    if not power:
        return text
    exponent = int(power)
    if 0 <= exponent < 15:
        return f"{float(text):,.0f}"
    if -6 <= exponent < 0:
        return f"{float(text):.{digits - 1 - exponent}f}".rstrip("0")
    shift = exponent % 3
    return f"{float(mantissa) * 10**shift:.{digits}g}e{exponent - shift:+d}"


def wrap(text: str, width: int) -> str:
    """Fill lines; options such as --only-coder stay whole, so that they can be pasted."""
    whole = re.sub(r"--[a-z]+(-[a-z]+)+", lambda result: result[0].replace("-", _NO_BREAK), text)
    filled = textwrap.fill(whole, width, initial_indent="  ", subsequent_indent="  ")
    return filled.replace(_NO_BREAK, "-")


#: Stands for a hyphen at which no line ends; no text has it, since control characters are escaped.
_NO_BREAK = "\x1a"


def align(
    head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, indent: str = "  "
) -> list[str]:
    """Align columns, left (<) or right (>)."""
    table = (head, *rows)
    measure = len if "".join(map("".join, table)).isascii() else _width
    lengths = [list(map(measure, row)) for row in table]
    widths = list(map(max, zip(*lengths, strict=True)))
    lines = []
    for texts, used in zip(table, lengths, strict=True):
        cells = []
        for text, side, wide, length in zip(texts, sides, widths, used, strict=True):
            pad = " " * (wide - length)
            cells.append(text + pad if side == "<" else pad + text)
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def by_reason(named: Iterable[tuple[str, R | None]]) -> dict[R, list[str]]:
    """Group names by their reasons; those without a reason are left out.

    Examples
    --------
    >>> by_reason([("pi", "no pairs"), ("alpha", None), ("kappa", "no pairs")])
    {'no pairs': ['pi', 'kappa']}
    """
    result: dict[R, list[str]] = {}
    for name, reason in named:
        if reason:
            result.setdefault(reason, []).append(name)
    return result


def more(n: int, what: str, hint: str = "") -> str:
    """Say how many there are beside those that are shown.

    Examples
    --------
    >>> more(3, "coder", "--csv FILE")
    'and 3 more coders (--csv FILE)'
    """
    return f"and {counted(n, f'more {what}')}{f' ({hint})' * bool(hint)}"


#: Parts of a sentence that may be left out, and what stands in for a value.
_PART = re.compile(r"\[([^\[\]]*)\]")
_VALUE = re.compile(r"\{([\w.]+)([?!]?)(?::([^{}]*))?\}")


def filled(sentence: str, value_of: Callable[[str], Any]) -> str:
    """Fill values into a sentence.

    Parameters
    ----------
    sentence : str
        "{name}" is a value: numbers have six digits. After a colon stands a noun ("{n:item}" is
        "2 items"), "l" for a label, "c" for a category, "r" for a repr, "span" of numbers,
        "list", "#" for a disagreement, "%", or a format of Python. A part in
        brackets is left out if a value in it is missing, 0, empty or False; "{name?}" and
        "{name!}" are nothing but conditions, the second that there is no such value.
    value_of : callable
        Gives the value of a name.

    Examples
    --------
    >>> values = {"value": 0.25, "n": 1, "dropped": 0, "names": ["a", "b"], "high": math.nan}
    >>> filled("{value:%} of {n:item}[, {dropped} dropped][, up to {high}]: {names:list}",
    ...        values.get)
    '25.0% of 1 item: a, b'
    """

    def part(match: re.Match[str]) -> str:
        named = (
            (_is_there(value_of(name), form), condition)
            for name, condition, form in _VALUE.findall(match[1])
        )
        return match[1] if all(holds != (condition == "!") for holds, condition in named) else ""

    return _VALUE.sub(
        lambda match: "" if match[2] else show_as(value_of(match[1]), match[3] or ""),
        _PART.sub(part, sentence),
    )


def _is_there(value: Any, form: str) -> bool:
    if value is None or form in ("l", "c", "r"):
        return value is not None
    if isinstance(value, float):
        return not math.isnan(value)
    return len(value) > 0 if hasattr(value, "__len__") else bool(value)


_SHOWN_AS: Mapping[str, Callable[[Any], str]] = {
    "l": partial(show_label, limit=24),
    "c": show_category,
    "r": repr_label,
    "reprs": shorten,
    "list": lambda values: some_of(list(values), 6),
    "span": show_span,
    "#": show_number,
    "%": "{:.1%}".format,
    "g%": show_level,
}


def show_as(value: Any, form: str) -> str:
    """Format a value as `filled` says."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {show_cell(entry)}" for name, entry in value.items())
    if form in _SHOWN_AS:
        return _SHOWN_AS[form](value)
    if form == "+" or (form == "," and isinstance(value, float)):
        return show_cell(value, form.strip(","))
    if len(form) > 1 and form.replace(" ", "").isalpha():
        return number_of(len(value) if hasattr(value, "__len__") else int(value), form)
    if not form and isinstance(value, float):
        return f"{round(value, 12):z.6g}"
    return format(value, form) if form else str(value)

"""Names, texts and numbers as a page shows them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.present.terminal import (
    and_more,
    escape,
    show_level,
    show_number,
    show_value,
    spell_label,
)
from agreement_fast.reports.paper import method_of

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report
    from agreement_fast.reports.intervals import Interval


#: The difference up to which values are treated as the same number.
ROUNDING = 1e-12


def shown_interval(report: Report, names: Collection[str], number: float) -> Interval | None:
    """Return the interval of a number in the table of coefficients, or None.

    Parameters
    ----------
    report : Report
        The report with the table.
    names : collection of str
        The names of the coefficients that can have this value.
    number : float
        The value.
    """
    intervals: list[Interval | None] = [None] * len(report.table)
    intervals[report.quoted] = report.quoted_interval
    for result, interval in zip(report.table, report.intervals or intervals, strict=True):
        near = abs(result.value - number) <= ROUNDING
        if interval is not None and near and result.coefficient in names:
            return interval
    return None


#: The numbers at which the next class begins.
VALUES = (0.0, 0.2, 0.4, 0.6, 0.8)
RATIOS = (0.25, 0.5, 1.0, 1.5, 3.0)

_OF_VALUES = ("below 0", "0 to .2", ".2 to .4", ".4 to .6", ".6 to .8", ".8 to 1")
_OF_RATIOS = ("below ¼ of chance", "¼ to ½", "½ to 1", "▲ 1 to 1½", "▲ 1½ to 3", "▲ above 3")
LEGEND_OF_VALUES, LEGEND_OF_RATIOS = (
    [(f"{heat}{level}", text) for level, text in enumerate(texts)]
    for heat, texts in (("h", _OF_VALUES), ("r", _OF_RATIOS))
)


def of_value(number: float) -> str:
    """Return the class of a coefficient.

    Examples
    --------
    >>> of_value(-0.1), of_value(0.6), of_value(float("nan"))
    ('h0', 'h4', 'hx')
    """
    return "hx" if math.isnan(number) else f"h{sum(number >= end for end in VALUES)}"


def of_ratio(number: float) -> str:
    """Return the class of a ratio to chance.

    Examples
    --------
    >>> of_ratio(0.1), of_ratio(1.0), of_ratio(7.0)
    ('r0', 'r3', 'r5')
    """
    return "rx" if math.isnan(number) else f"r{sum(number >= end for end in RATIOS)}"


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to 1 over `width` pixels, with `margin` pixels on both sides."""

    low: float
    width: float
    margin: float = 6.0

    @classmethod
    def over(cls, values: Iterable[float | None], width: float, margin: float = 6.0) -> Axis:
        """Make an axis for these values: from 0, or from the next tenth below the lowest."""
        known = [value for value in values if value is not None and math.isfinite(value)]
        lowest = min([0.0, *known])
        return cls(max(math.floor(lowest * 10) / 10, -1.0), width, margin)

    def x(self, value: float) -> float:
        """Return the position of a value; a value outside the axis is at its end.

        Examples
        --------
        >>> Axis(0.0, 112.0).x(0.5), Axis(-1.0, 112.0).x(-7.0)
        (56.0, 6.0)
        """
        inside = min(max(value, self.low), 1.0)
        room = self.width - 2 * self.margin
        return round(self.margin + room * (inside - self.low) / (1.0 - self.low), 1)

    def place(self, value: float) -> float | None:
        """Return the position of a value; NaN has none."""
        return None if math.isnan(value) else self.x(value)

    def whisker(self, value: float, low: float, high: float) -> dict[str, Any]:
        """Return the positions of a value and its interval, and the interval as text."""
        ends = {"x_low": self.place(low), "x_high": self.place(high)}
        return {"x": self.place(value), **ends, "between": between(low, high)}

    def ticks(self) -> list[tuple[float, str]]:
        """Return the positions and numbers of a few marks."""
        step = 0.5 if self.low < -0.25 else 0.2 if self.low == 0 else 0.25
        first = math.ceil(self.low / step - 1e-9)
        last = round(1 / step)
        return [
            (self.x(i * step), f"{i * step:g}".replace("-", "\N{MINUS SIGN}"))
            for i in range(first, last + 1)
        ]


#: Joiners inside words of other scripts and between emoji; elsewhere they would be invisible.
_JOINER = re.compile(r"(?<=[^\x00-\x7f])([\u200c\u200d])(?=[^\x00-\x7f])")

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def clean(text: Any) -> str:
    """Escape the invisible characters of a text, and those that change the direction of text.

    Examples
    --------
    >>> clean("a\\u202eb"), clean("a\\nb"), clean("می‌خواهم") == "می‌خواهم"
    ('a\\\\u202eb', 'a b', True)
    """
    parts = _JOINER.split(re.sub(r"\s+", " ", str(text)))
    return "".join(part if i % 2 else escape(part) for i, part in enumerate(parts))


def label(value: Any, limit: int = 60) -> str:
    """Return a label or a name on one line, with an ellipsis if it is longer than `limit`.

    Examples
    --------
    >>> label(frozenset({"b", "a"})), label(""), label("abcdef", 4)
    ('{a, b}', '(empty)', 'abc…')
    """
    spelled = spell_label(value)
    if not spelled.strip():
        return "(empty)" if not spelled else "(blank)"
    # Only the part that could be shown is examined.
    text = clean(spelled[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def value(number: float | None, digits: int = 3) -> str:
    """Format a coefficient; a value that rounds to zero has no sign.

    Examples
    --------
    >>> value(0.71249), value(-0.0001), value(float("nan"))
    ('0.712', '0.000', '–')
    """
    if number is None or not math.isfinite(number):
        return DASH
    return show_value(number, digits=digits).replace("-", MINUS)


def between(low: float, high: float, form: Callable[[float], str] = value) -> str:
    """Format an interval, each end by `form`.

    Examples
    --------
    >>> between(0.25, 0.5), between(float("nan"), float("nan"))
    ('0.250 to 0.500', '–')
    """
    return DASH if math.isnan(low) or math.isnan(high) else f"{form(low)} to {form(high)}"


def level_of(result: Any) -> str:
    """Return the name of an interval with its level, such as "95% interval".

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> level_of(SimpleNamespace(confidence_level=0.9)), level_of(None)
    ('90% interval', 'interval')
    """
    level = getattr(result, "confidence_level", None)
    return "interval" if level is None else f"{show_level(level)} interval"


def signed(number: float | None, digits: int = 3) -> str:
    """Format a change.

    Examples
    --------
    >>> signed(0.02), signed(-0.02), signed(0.0001)
    ('+0.020', '−0.020', '0.000')
    """
    text = value(number, digits)
    positive = text != DASH and float(text.replace(MINUS, "-")) > 0
    return f"+{text}" if positive else text


def distance(number: float) -> str:
    """Format a disagreement or a length in any unit.

    Examples
    --------
    >>> distance(0.27556), distance(float("nan"))
    ('0.2756', '–')
    """
    return DASH if math.isnan(number) else show_number(number)


def percent(share: float | None, digits: int = 1) -> str:
    """Format a share as a percentage.

    Examples
    --------
    >>> percent(0.12345), percent(float("nan"))
    ('12.3%', '–')
    """
    if share is None or not math.isfinite(share):
        return DASH
    return f"{share:.{digits}%}"


def bar_width(share: float, top: float = 1.0) -> float:
    """Return the length of a bar in percent of the longest, `top`.

    Examples
    --------
    >>> bar_width(0.25), bar_width(0.25, 0.5), bar_width(float("nan"))
    (25.0, 50.0, 0.0)
    """
    return round(100 * min(max(share / top, 0.0), 1.0), 1) if share == share and top > 0 else 0.0


def count(number: float) -> str:
    """Format a count.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return f"{number:,.0f}"


#: The text for each choice of `incomplete`.
INCOMPLETE = {
    "published": "as defined by the authors of each coefficient",
    "pairable": "only items with two judgments or more",
    "complete": "only items that every coder judged",
}

#: The most files that are named.
FILES = 12


def method(
    source: Mapping[str, Any],
    command: str | None,
    inside: tuple[Mapping[str, Any], str],
    more: Iterable[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return the values of the template `method.html`.

    Parameters
    ----------
    source : mapping
        What was read, as in a JSON document, with what computed it under "computed"; may be empty.
    command : str or None
        What was typed.
    inside : pair
        What `embedded` gives.
    more : iterable of (term, text)
        Further facts.
    """
    facts = source_facts(source) if source else {}
    computed = source.get("computed")
    if computed:
        seed, versions = computed["seed"], computed["versions"].items()
        facts |= {
            "call with all columns": clean(computed["call"] or ""),
            "seed": "" if seed is None else str(seed),
            "computed by": ", ".join(f"{name} {entry}" for name, entry in versions),
        }
    return {
        "command": None if command is None else clean(command),
        "facts": [(term, text) for term, text in (*facts.items(), *more) if text],
        "notes": [clean(note) for note in source.get("notes", ())],
        "inside": bool(inside[0]),
        "size": inside[1],
    }


def report_facts(report: Report) -> list[tuple[str, str]]:
    """Return what a report says about items and intervals, as terms and texts."""
    dropped, tied = report.n_duplicates_dropped, report.n_duplicates_tied
    made = "became sets with others" if report.n_duplicates_united else "left out"
    once = report.n_items_judged_once
    ways = dict.fromkeys(method_of(way, report.clustered) for way in report.intervals or ())
    clusters = "" if report.n_clusters is None else f"{count(report.n_clusters)} clusters"
    facts = {
        "repeated judgments": f"{count(dropped)} {made}" if dropped else "",
        "ties": f"{count(tied)} judgments became missing" if tied else "",
        "judged once": f"{count(once)} items left out" if once else "",
        "incomplete items": INCOMPLETE[report.incomplete],
        "categories": "declared" if report.declared else "those that occur",
        "intervals": "; ".join(ways).replace("clusters", clusters),
    }
    return [(term, text) for term, text in facts.items() if text]


def source_facts(source: Mapping[str, Any]) -> dict[str, str]:
    """Return which files were read and how, as texts by terms; some may be empty."""
    files = source["files"]
    columns = {
        role: clean(", ".join(name) if isinstance(name, list) else name)
        for role, name in (source.get("columns") or {}).items()
        if name
    }
    return {
        "files": and_more([clean(file["name"]) for file in files[:FILES]], len(files)),
        "layout": source["layout"],
        "columns": "; ".join(f"{role}: {name}" for role, name in columns.items()),
        "question": clean(source.get("question") or ""),
        "guessed from names": ", ".join(source.get("guessed") or ()),
        "only rows where": clean(source.get("where") or ""),
        "rows": count(source["rows"]),
        **{f"SHA-256 of {clean(file['name'])}": file.get("sha256") or "" for file in files[:FILES]},
    }

"""What may be wrong with labels: the one place that looks at those that were read.

Labels are equal as in Python: 'yes', 'Yes' and 'yes ' are three categories, 'a|b' is one, and 'NA'
and 99 are labels. Nothing is merged, split or dropped here; what may be meant otherwise is only
reported, with the values and the remedy. Blank texts alone mean a missing judgment.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, permutations
from reprlib import Repr
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels import _encode, _looks, parallel
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, LabelHint, Phrase, Sentence, Words, hint, say
from agreement_fast.reading.recognition.names import runs_of_models
from agreement_fast.reading.recognition.order import with_decimal_commas

#: Texts that often mean a missing judgment, without case.
LOOK_MISSING = frozenset(
    """na n/a n.a n.a. #n/a #na <na> nan #nan nat null <null> none <none> nil missing <missing>
    n/d n.d. k.a k.a. k/a - -- --- . .. ? ?? # dk unsure skip skipped refused blank empty
    #ref! #value! #div/0! #name? #num! #null! #spill! #calc! #nv #wert! #bezug! (blank) tbd idk \\n
    s/d … inf +inf -inf infinity +infinity -infinity \u221e +\u221e -\u221e""".split()  # noqa: SIM905
).union(
    "don't know|don\u2019t know|no answer|keine angabe|weiss nicht".split("|"),  # noqa: SIM905
    ("ne sait pas", "sans r\u00e9ponse", "nicht beurteilbar", "entf\u00e4llt", "(leer)", "nsp"),
    ("no aplica", "sin respuesta", "undefined", "[]", "{}", "/", "_", "can't tell"),
    ("todo", "abstained", "omitted", "n/e", "s/o"),
    ("k. a.", "n. a.", "n. d.", "not applicable", "not coded"),
    "\u2013\u2014\u200b\u200c\u200d\u2060\u00ad\ufeff",
)
#: Those that name no item, as people and programs write them.
_MISSING = frozenset(
    form for word in LOOK_MISSING if word[:1] in "n<#" for form in (word, word.upper())
).union(("NaN", "None", "Null", "NaT", "<NaN>"))
#: Those that name no coder; others may be the initials of one.
_NOBODY = frozenset({"nan", "NaN", "None", "NaT", "<NA>", "null", "<null>", "<none>"})

#: Codes of missing judgments by their number of digits; a scale of the others ends below them.
_HIGH = {1: (8, 9), 2: (77, 88, 97, 98, 99), 3: (777, 888, 997, 998, 999), 4: (7777, 8888, 9999)}
_DIGITS = {code: digits for digits, codes in _HIGH.items() for code in codes}
#: A digit of a scale typed twice, and how often at most.
_TWICE, _SLIPS = range(11, 67, 11), 2
#: Those of both kinds that are looked at if they are the largest label, and their bits below 64.
_DOUBTFUL = frozenset({*_DIGITS, *_TWICE})
DOUBTFUL_BITS = sum(1 << code for code in _DOUBTFUL if code < 64)
#: Negative codes of missing judgments beside -1; the least integers of three widths are some, too.
_LOW = frozenset({-7, *(-code for code in _DIGITS), -(2**15), -(2**31), -(2**63)})
#: Among more names of items, no dates are looked for.
MOST_DATES = 1000
#: Texts among this number of times more numbers are slips, or say that there is no judgment.
FEW = 10
#: With -1 and 0 to this number, labels are not a scale around 0; nor with 0 and 1 if both are three
#: times as frequent.
_LOPSIDED, _TIMES = 2, 3


class Separator(NamedTuple):
    """A mark that may separate the elements of a set."""

    mark: str
    #: The least share of elements that other labels must have, too.
    recurring: float
    #: Whether the mark may stand within a number.
    in_numbers: bool


#: Prose contains commas, and names slashes and plus signs, but rarely the other marks.
SEPARATORS = (
    Separator("|", 0, False),
    Separator(";", 0, False),
    Separator(",", 0.5, True),
    Separator("+", 1, True),
    Separator("/", 1, True),
    Separator("&", 1, True),
    Separator(" and ", 1, True),
    Separator(" und ", 1, True),
    Separator("\n", 1, True),
)

#: Longer parts are taken for sentences.
LONGEST_PART = 40

#: Floats that differ by at most this number of units in the last place may be the same number.
LAST_BITS = 4

#: Largest number of groups or values that a note lists, and of categories to paste.
SHOWN, PASTED = 5, 12

#: Integers below this bound are near some float.
_FLOATS = 1 << 1023

#: Numbers whose relative difference is larger are not the same number, not even in 32 bits.
_FAR = 1e-7

#: Spellings of more labels are not compared.
MOST_SPELLED = 50

#: The first character of a text that may be a number.
_BEGIN_NUMBERS = frozenset("0123456789+-.")

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)")
#: A number that may be beyond all floats.
_LARGE = re.compile(r"^\s*[+-]?[0-9.]+e\+?[0-9]{3}", re.M | re.I)
#: A number that has another spelling, as a line; whole numbers without zeros in front have none.
_OTHER_SPELLING = re.compile(
    rf"^(?!(?:0|[1-9][0-9]{{0,17}})$)(?:{_NUMBER.pattern}|\d{{1,3}}(?:[., ']\d{{3}})+"
    r"|[+-]?\d+(?:[.,]\d+)?\s?%|[+-]?\d+,\d+)$",
    re.M,
)
#: A whole number with marks between thousands.
_THOUSANDS = re.compile(r"([+-]?[1-9][0-9]{0,2})(?:[., '’][0-9]{3})+")
#: A number with a comma before its fraction, or a percentage.
_COMMA = re.compile(r"[+-]?[0-9]+(?:,[0-9]+(\s*%)?|(?:\.[0-9]+)?\s*(%))")
#: The same as a program would read it as a fraction, and the end of one that is whole.
_POINT_OF_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")
_ZEROS = re.compile(r"\.0*$")

#: Characters that are not seen: soft hyphens, marks of direction, joiners, selectors, tags.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
#: Greek and Cyrillic letters that look like Latin ones in lower or upper case, without case; and
#: dashes and quotes.
_ALIKE = str.maketrans(
    "αβεζηικμνορτυχϲϳавеіјкмнорсѕтухһԁԛԝӏү\u2010\u2013\u2014\u2212\u2018\u2019\u201c\u201d",
    "abezhikmnoptyxcjabeijkmhopcstyxhdqwly----''\"\"",
)
#: Quotes around a text, marks behind it, and those that stand for blanks between letters.
_MARKS = (
    ("\"'`«»„", re.compile(r"^[ \t]*[\"'`«»„](.*\w.*)[\"'`«»][ \t]*$", re.M), r"\1"),
    (".,;:", re.compile(r"[.,;:](?<=[^\W\d_].)[.,;:]*[ \t]*$", re.M), ""),
    ("*†", re.compile(r"(?<=\w)[*†]+[ \t]*$", re.M), ""),
    ("_-", re.compile(r"[_-](?<=[^\W\d_].)(?=[^\W\d_])"), " "),
)
#: Blanks that `str.split` takes out of a line of text, or puts another one in their place.
_BLANKS = ("  ", " \n", "\n ", *"\t\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f\u2010-\u201d\u2212]")

#: What programs answer that refuse; and beside numbers, for they may be labels, if they fail.
_FAILED = re.compile(
    r"(i'?m|i am) (sorry|unable)\b.*|i (cannot|can'?t|can not)\b.*|sorry, .*"
    r"|as an? (ai|large language)\b.*|(?P<word>(\w+[ _-])?(error|failure|failed|exception|invalid"
    r"|refusal|time[ _-]?out)|unpars(e?able|ed)|rate[ _-]limit\w*)",
    re.IGNORECASE | re.DOTALL,
)
#: A number with its scale or its meaning, and an answer behind its name.
_IN_FULL = re.compile(
    r"(?P<number>\d+) *(/ *\d+|\([^()]*\))"
    r"|(final )?(answer|label|rating|score|output): *(?P<answer>.+)",
    re.IGNORECASE,
)
#: Among more labels, no answers are looked for.
MOST_ANSWERS = 1000

#: Names of items by which a study tests its coders or lets them practise, and of such coders.
_CHECK = re.compile(
    r"(attention|catch|practice|trap|honey[\W_]?pot|warm[\W_]?up)[\W_]*"
    r"((check|trial|item|question|test|task)s?[\W_]*\d*|\d+)"
    r"|(test|training|sanity|gold|control)[\W_]*(check|trial|question|item)s?[\W_]*\d*",
    re.IGNORECASE,
)
_TRYING = re.compile(r"(test|dummy)([\W_]?(user|account|coder|annotator|worker))?", re.IGNORECASE)

_NO_WORDS = frozenset[str]()

#: More names of items are not compared in writing.
MOST_ITEMS = 100_000


# ---------------------------------------------------------------------- missing


def is_blank(label: Any) -> bool:
    """Return whether a label is an empty or blank text, which means a missing judgment."""
    return isinstance(label, str | bytes) and not label.strip()


def _as_number(label: Any) -> float | None:
    """Return the number that a label is or writes; None for others, durations and "007"."""
    if isinstance(label, bool | np.bool_ | np.timedelta64):
        return None
    if isinstance(label, int | float | np.number):
        return label  # type: ignore[return-value]
    if isinstance(label, Decimal) and label.is_finite():
        return int(label) if label == label.to_integral_value() else float(label)
    if not (isinstance(label, str) and label[:1] in _BEGIN_NUMBERS and _NUMBER.fullmatch(label)):
        return None
    digits = label.lstrip("+-")
    if digits.isdigit():
        return None if digits[0] == "0" < digits[1:] or len(digits) > 19 else int(label)
    return float(label)


def _is_nothing(label: Any) -> bool:
    """Return whether a label is None, NaN or a library's NA, which nobody expects to be met."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or label != label


class Missing:
    """The labels that mean a missing judgment: blank texts, and those that were named.

    A label is named by an equal one; a number also by a text that writes it, and the reverse; a set
    also by its only element. `marks`: the argument `missing`. `kept`: blank texts that are labels:
    declared ones, or those that mean the empty set.
    """

    def __init__(self, marks: Iterable[Any] = (), kept: Collection[Any] | None = ()) -> None:
        self.marks = dict.fromkeys(marks)
        self.kept = kept
        # Nobody expects None to be a label.
        #: The marks that no label has matched so far.
        self.unmet = [mark for mark in self.marks if not _is_nothing(mark)]
        self._named: dict[Any, Any] = {mark: mark for mark in self.marks}
        for mark in self.unmet:
            if (number := _as_number(mark)) is not None:
                self._named.setdefault(number, mark)

    def __bool__(self) -> bool:
        return bool(self.marks)

    def __contains__(self, label: Any) -> bool:
        """Return whether a label is missing; a mark that it matches is no longer unmet."""
        if is_blank(label):
            # What is empty is empty under any name.
            self._meet(label)
            return label in self.marks or not (self.kept is None or label in self.kept)
        if not self._named:
            return False
        if label not in self._named:
            label = _single(label) if isinstance(label, frozenset) else _as_number(label)
            if label is None or label not in self._named:
                return False
        self._meet(self._named[label])
        return True

    def _meet(self, mark: Any) -> None:
        if mark in self.unmet:
            self.unmet.remove(mark)

    def among(self, labels: Sequence[Any]) -> list[bool] | None:
        """Return which labels are missing; None if none of them is."""
        kinds = {*map(type, labels)}
        if not self.marks and (
            kinds.isdisjoint((str, bytes)) or (kinds == {str} and "" not in map(str.strip, labels))
        ):
            return None
        flags = [label in self for label in labels]
        return flags if any(flags) else None

    def numbers(self) -> list[Any]:
        """Return the numbers that are named."""
        return [
            number for number in self._named if number is not None and _as_number(number) is number
        ]

    def spellings(self) -> list[Any]:
        """Return labels that are named, for engines, which compare values of one type."""
        spellings = dict.fromkeys(self._named)
        for number in list(spellings):
            if isinstance(number, int | float) and not isinstance(number, bool):
                spellings.setdefault(repr(number))
                if abs(number) < _FLOATS and float(number).is_integer():
                    spellings.setdefault(str(int(number)))
                    spellings.setdefault(repr(float(number)))
        return list(spellings)

    def hint(self, labels: Iterable[Any]) -> None:
        """Warn of marks that no label has matched; `labels` are those that were read."""
        for note in self.notes(labels):
            hint(say(note), LabelHint)

    def notes(self, labels: Iterable[Any]) -> list[Sentence]:
        """Return the same as sentences."""
        return [
            (Argument("missing", mark), ": no label has this value", _like(mark, labels))
            for mark in self.unmet
        ]


def _single(label: frozenset[Any]) -> Any:
    """Return the only element of a set, None for other sets."""
    return next(iter(label)) if len(label) == 1 else None


def _like(mark: Any, labels: Iterable[Any]) -> str:
    """Return what to say of a label that is written almost like a mark."""
    groups = near_misses(dict.fromkeys([mark, *labels]))
    alike = [label for group in groups if mark in group for label in group if label != mark]
    return f", but {_shown(alike[0])} is written almost alike" if alike else ""


# ---------------------------------------------------------------------- what is noted


def hint_at_labels(
    categories: Sequence[Any] | Array,
    count: Callable[[], Sequence[int]] | None = None,
    words: Words | None = None,
) -> None:
    """Warn of categories that may be meant otherwise; see `label_notes`. O(K log K).

    `categories` (sequence, or ascending array of numbers): distinct labels; numbers are in
    ascending order. `count`: returns the number of judgments of each. `words`: for remedies of a
    table that has no single labels.
    """
    kinds = {*map(type, categories)} if not isinstance(categories, np.ndarray) else {np.ndarray}
    if kinds <= {int} and not (
        categories
        and (categories[0] < 0 or (categories[-1] in _DOUBTFUL and not _reaches(categories)))
    ):
        return
    if kinds == {str} and _looks.are_words(list(categories), LOOK_MISSING):
        return
    for note in label_notes(categories, count):
        hint(say(note, words), LabelHint)


def _reaches(categories: Any) -> bool:
    """Return whether a scale of one digit really reaches its last number."""
    last = categories[-1]
    return last < 10 and last - 1 in categories and last - 2 in categories


def hint_at_numbers(numbers: Array) -> None:
    """Warn of codes of missing judgments among many different numbers; O(n), one or two passes."""
    flat = np.ravel(numbers, order="K")
    if not flat.size:
        return

    def find(first: int, last: int) -> tuple[float, float]:
        return float(np.fmin.reduce(flat[first:last])), float(np.fmax.reduce(flat[first:last]))

    low, high = zip(*parallel.over_rows(find, flat.size, 0.01), strict=True)
    if min(low) in _LOW or min(low) == -1 or max(high) in _DOUBTFUL:
        distinct = np.unique(flat[~np.isnan(flat)])
        for note in _outside_notes(distinct, lambda code: int(np.count_nonzero(flat == code))):
            hint(say(note), LabelHint)


def label_notes(
    labels: Sequence[Any] | Array, count: Callable[[], Sequence[int]] | None = None
) -> list[Sentence]:
    """Report labels that may be meant otherwise than they count.

    `labels` (sequence, or ascending array of numbers): distinct labels. `count`: returns the number
    of judgments of each. The notes name the values, how often they occur, and the arguments to
    pass.

    Examples
    --------
    >>> print(say(label_notes(["yes", "no", "NA"], lambda: [5, 4, 1])[0]))
    label 'NA' (1 judgment) may mean a missing judgment: if so, pass missing=['NA']; if it is a \
    label, categories=['yes', 'no', 'NA']
    >>> say(label_notes([1, 2, 3, 9])[0])[:61]
    'label 9 lies outside the scale of the others, 1 to 3, and may'
    """
    if isinstance(labels, np.ndarray):
        listed: list[Any] = []
        notes = _outside_notes(labels, None) if len(labels) else []
        groups = [tuple(labels[list(places)].tolist()) for places in _near(labels)]
    else:
        listed = list(labels)
        kinds = {*map(type, listed)}
        finite = kinds <= {int, float} and {math.inf, -math.inf}.isdisjoint(listed)
        often = _counter(listed, count)
        notes = [] if finite else _missing_notes(listed, often)
        written = _numbers_of(listed)
        ascending = np.array(sorted(written))
        if ascending.size and ascending.dtype.kind in "if":
            notes += _outside_notes(ascending, often, written, listed)
        numbers = {} if finite else {x: n for x in listed if (n := _as_number(x)) is not None}
        notes += [] if finite else _beside_notes(listed, numbers, often)
        groups = near_misses(listed)
        notes += _comma_notes(listed)
        if not finite and len(listed) <= MOST_ANSWERS:
            answers = _answer_notes(listed, often, len(written))
            notes += answers or _stray_notes(listed, numbers, often)
    if groups:
        remedy = Phrase("merge", "; merge_categories() makes one of several")
        notes.append((_alike_note(groups, "labels", "categories"), remedy))
    of_sets = _set_notes(listed)
    mark = separator_of_sets(listed)
    if mark is not None and not of_sets:  # a mark between elements leaves brackets in them
        example = next(label for label in listed if isinstance(label, str) and mark in label)
        shown = _shown(example.strip())
        notes.append(
            (f"labels such as {shown} look like sets: if they are, ",
             Phrase("separator", ("pass ", Argument("set_separator", mark),
                                  Phrase("merge", " to af.Annotations.from_wide or from_frame"))))
        )  # fmt: skip
    return notes + of_sets + _element_notes(listed, bool(groups))


def _comma_notes(labels: list[Any]) -> list[Sentence]:
    """Report texts that may be numbers with a decimal comma."""
    texts = [label.strip() for label in labels if isinstance(label, str)]
    others = [label for label in labels if not isinstance(label, str | int | float)]
    if others or with_decimal_commas(texts) is None:
        return []
    example = next(text for text in texts if "," in text)
    return [
        (f"labels such as {_shown(example)} may be numbers with a decimal comma: if they are, write"
         " them with a point; if they are sets, pass ", Argument("set_separator", ","),
         Phrase("merge", " to af.Annotations.from_wide or from_frame"))
    ]  # fmt: skip


def _answer_notes(
    labels: list[Any], often: Callable[[Any], int] | None, n_numbers: int
) -> list[Sentence]:
    """Report answers of a program that failed, or that say more than the label."""
    texts = {label: label.strip().replace("\u2019", "'") for label in labels if type(label) is str}
    if not texts:
        return []
    matches = {label: match for label in texts if (match := _FAILED.fullmatch(texts[label]))}
    if not 1 < n_numbers == len(labels) - len(matches):
        matches = {label: match for label, match in matches.items() if not match["word"]}
    notes: list[Sentence] = []
    if matches:
        what = " may be an answer that failed" if len(matches) == 1 else " may be failed answers"
        notes.append(_ask([*matches], labels, often, what))
    spelled = {str(label): label for label in labels}
    for label, text in texts.items():
        full = _IN_FULL.fullmatch(text)
        if full and (short := full["number"] or full["answer"]) in spelled:
            short = _shown(spelled[short])
            notes.append(
                f"label {_shown(label)} may be {short} written in full: if so, write them alike"
            )
            break
    return notes


def label_counts(codes: Array, n_labels: int) -> list[int]:
    """Return how often each label occurs among codes (-1 missing)."""
    counted: list[int] = np.bincount(codes.reshape(-1).astype(np.intp) + 1, minlength=n_labels + 1)[
        1:
    ].tolist()
    return counted


def _counter(
    labels: Sequence[Any], count: Callable[[], Sequence[int]] | None
) -> Callable[[Any], int] | None:
    """Return a function that counts the judgments of a label, which is called if it is needed."""
    if count is None:
        return None
    known: dict[Any, int] = {}

    def often(label: Any) -> int:
        if not known:
            known.update(zip(labels, count(), strict=True))
        return int(known.get(label, 0))

    return often


def _missing_notes(labels: list[Any], often: Callable[[Any], int] | None) -> list[Sentence]:
    """Report texts that may mean a missing judgment."""
    if (
        {*map(type, labels)} == {str}
        and LOOK_MISSING.isdisjoint(map(str.casefold, map(str.strip, labels)))
        and not _LARGE.search("\n".join(labels))
    ):
        return []
    doubtful = [label for label in labels if looks_missing(label) and not _is_none(label, labels)]
    return [] if not doubtful else [_ask(doubtful, labels, often, " may mean a missing judgment")]


def looks_missing(label: Any) -> bool:
    """Return whether a label often means a missing judgment: a text, a set of one, infinity."""
    if isinstance(label, frozenset):
        label = _single(label)
    if isinstance(label, bytes):
        label = label.decode("utf-8", "replace")
    if isinstance(label, float):
        return math.isinf(label)
    if not isinstance(label, str):
        return False
    text = label.strip().casefold()
    return text in LOOK_MISSING or bool(_LARGE.match(text) and math.isinf(_as_number(text) or 0))


def _is_none(label: Any, labels: list[Any]) -> bool:
    """Return whether a label says "none" among words in the same case, as a category does."""
    if label not in ("none", "NONE"):
        return False
    has_case = str.islower if label == "none" else str.isupper
    others = [label for label in labels if isinstance(label, str) and not looks_missing(label)]
    return len(others) > 1 and all(len(other) > 2 and has_case(other) for other in others)


def _numbers_of(labels: list[Any]) -> dict[float, Any]:
    """Return the labels that are or write numbers, by these."""
    kinds = {*map(type, labels)}
    if kinds <= {int, float}:
        return {label: label for label in labels}
    if not kinds <= {int, float, str, Decimal}:
        return {}
    return {
        number: label for label in labels for number in [_as_number(label)] if number is not None
    }


def _outside_notes(
    ascending: Array,
    often: Callable[[Any], int] | None,
    written: dict[float, Any] | None = None,
    labels: Sequence[Any] = (),
) -> list[Sentence]:
    """Report numbers outside the scale of the others, as codes of missing judgments are."""
    known = written or {}

    def count(code: Any) -> int:
        return 0 if often is None else often(known.get(code, code))

    codes, scale = _outside(ascending, count)
    means = "and may mean a missing judgment"
    if not codes and _is_slip(ascending, count):
        codes, scale = [int(ascending[-1])], (int(ascending[0]), int(ascending[-2]))
        means = f"and may be {codes[0] // 11} typed twice, to be corrected or left out"
    if not codes:
        return []
    outside = [known.get(code, code) for code in codes]
    low, high = (_shown(known.get(end, end)) if end in known or type(end) is int
                 else f"{end:.4g}" for end in scale)  # fmt: skip
    lie = "lies" if len(outside) == 1 else "lie"
    what = f" {lie} outside the scale of the others, {low} to {high}, {means}"
    return [_ask(outside, labels, often, what)]


def _beside_notes(
    labels: list[Any], codes: dict[Any, float], often: Callable[[Any], int] | None
) -> list[Sentence]:
    """Report codes of missing judgments beside texts or booleans, and dates beside numbers.

    `codes`: the labels that are or write numbers, with these.
    """
    dates = [*filter(_is_date, labels)]
    if dates and len(dates) < len(labels):
        kind = "numbers" if codes else "texts"
        if codes or 2 * len(dates) < len(labels):
            return [
                f"label {_shown(dates[0])} is a date beside {kind}: if it is one of them, as"
                f" spreadsheets make dates of texts such as 1-2, give its cells the format of"
                f" {kind}, and write it again"
            ]
    if not codes or not all(number in (-1, 0, *_LOW, *_DIGITS) for number in codes.values()):
        return []
    others = [label for label in labels if label not in codes and not looks_missing(label)]
    if len(others) < 2 or not {*map(type, others)} <= {str, bool}:
        return []
    verb, noun = ("is a", "number") if len(codes) == 1 else ("are", "numbers")
    what = f" {verb} {noun} beside labels that are none, and may mean a missing judgment"
    return [_ask(list(codes), labels, often, what)]


def _stray_notes(
    labels: list[Any], numbers: dict[Any, float], often: Callable[[Any], int] | None
) -> list[Sentence]:
    """Report few texts among many more numbers, such as a range or a number with a remark."""
    if not numbers:
        return []
    others = [label for label in labels if label not in numbers]
    texts = [label for label in others if not looks_missing(label) and not is_blank(label)]
    if often is None or not texts or {*map(type, others)} != {str}:
        return []
    if len(texts) >= len(numbers) or FEW * sum(map(often, texts)) > sum(map(often, numbers)):
        return []
    verb = "is no number" if len(texts) == 1 else "are no numbers"
    return [_ask(texts, labels, often, f" {verb}, unlike the others, and may be a slip")]


def _is_date(value: Any) -> bool:
    """Return whether a value is a date, or a text that begins as one."""
    return isinstance(value, date) or (isinstance(value, str) and bool(_DATE.match(value)))


def _is_slip(ascending: Array, count: Callable[[Any], int]) -> bool:
    """Return whether the last number is a digit of a scale from 0 or 1 typed twice, and rare."""
    *scale, last = ascending.tolist()[: max(_TWICE)]
    if not (last in _TWICE and last // 11 in scale and 0 < count(last) <= _SLIPS):
        return False
    return scale[0] in (0, 1) and scale[-1] - scale[0] == len(scale) - 1 and last > 2 * scale[-1]


def _outside(ascending: Array, count: Callable[[Any], int]) -> tuple[list[Any], tuple[Any, Any]]:
    """Return the codes of missing judgments among ascending numbers, and the ends of the others.

    `count`: returns the number of judgments of a label, 0 if it is not known.
    """
    low = int(np.searchsorted(ascending, 0))
    negative = ascending[:low].tolist() if low <= len(_LOW) else []
    if not all(number == -1 or number in _LOW for number in negative):
        negative = []
    rest = ascending[len(negative) :]
    high = len(rest)
    if high and (digits := _DIGITS.get(rest[-1].item())) is not None:
        family = _HIGH[digits]
        while high and rest[high - 1] in family:
            high -= 1
        if not _is_gap(rest[:high], rest[high].item(), digits):
            high = len(rest)
    positive, rest = rest[high:].tolist(), rest[:high]
    if len(rest) == 0:
        return [], (0, 0)
    ends = rest[0].item(), rest[-1].item()
    run = ends[1] - ends[0] == len(rest) - 1
    if negative == [-1] and not (
        (ends[0] == 1 and run and len(rest) > 1)
        or (ends[0] == 0 and run and ends[1] >= _LOPSIDED)
        or (ends == (0, 1) and 0 < _TIMES * count(-1) <= min(count(0), count(1)))
        or positive
    ):
        negative = []
    return [*map(_whole, [*negative, *positive])], (_whole(ends[0]), _whole(ends[1]))


def _whole(number: Any) -> Any:
    """Return a float that is whole as an int."""
    return int(number) if float(number).is_integer() else number


def _is_gap(rest: Array, code: float, digits: int) -> bool:
    """Return whether a code of some digits lies well above the other numbers."""
    if len(rest) < 2:
        return False
    first, last = rest[0].item(), rest[-1].item()
    if code - last <= max(last - first, last) / 2:
        # On scales of six and seven points, 9 is a usual code, too.
        return digits == 1 and first == 1 and last == len(rest) and 5 < last < code - 1
    if digits > 1 or any(number != math.floor(number) for number in (first, last)):
        return True
    return last - first == len(rest) - 1 and (first in (0, 1) or len(rest) > 2)


def _ask(
    doubtful: list[Any], labels: Sequence[Any], often: Callable[[Any], int] | None, what: str
) -> Sentence:
    """Write a note on some labels, with the arguments that decide."""
    shown = []
    for label in doubtful[:SHOWN]:
        n = 0 if often is None else often(label)
        judgments = "1 judgment" if n == 1 else f"{n:,} judgments"
        shown.append(f"{_shown(label)} ({judgments})" if n else _shown(label))
    if len(doubtful) > SHOWN:
        shown.append(f"{len(doubtful) - SHOWN:,} more")
    several = len(doubtful) > 1
    names = f"labels {', '.join(shown[:-1])} and {shown[-1]}" if several else f"label {shown[0]}"
    plain = [*map(_plain, labels)]
    pasted = 0 < len(labels) <= PASTED and all(
        (isinstance(label, int | float) or (isinstance(label, str) and "," not in label))
        and label == labels[at]  # a fraction of decimals is no float
        for at, label in enumerate(plain)
    )
    categories = Argument("categories", plain) if pasted else Argument("categories")
    missing = Argument("missing", [_plain(label) for label in doubtful])
    name = "" if pasted else "name all labels in "
    it = "they are labels, " if several else "it is a label, "
    left_out = Phrase("left_out", ("pass ", missing), missing.values[0])
    declared = Phrase("declared", (f"; if {it}{name}", categories))
    return (names, what, ": if so, ", left_out, declared)


class _Infinity(float):
    """Infinity, whose repr Python reads."""

    def __repr__(self) -> str:
        return f"float('{float(self)}')"


def _plain(label: Any) -> Any:
    """Return a label as a remedy has it."""
    if isinstance(label, float) and math.isinf(label):
        return _Infinity(label)
    if isinstance(label, Decimal):
        return _as_number(label)
    return _single(label) if isinstance(label, frozenset) else label


# ---------------------------------------------------------------------- sets


def separator_of_sets(labels: Iterable[Hashable]) -> str | None:
    """Return the mark between the elements of labels that look like sets.

    `labels`: distinct labels; only texts are considered. Returns one of ``|``, ``;``, ``,``, ``+``,
    ``/``, ``&`` and the word for it. Labels look like sets if a mark joins short texts that others
    consist of, too.

    Examples
    --------
    >>> separator_of_sets(["cause", "cause|effect", "none"])
    '|'
    >>> separator_of_sets(["Boston, USA", "Lima, Peru"]) is None
    True
    """
    texts = [label for label in labels if isinstance(label, str)]
    if not texts:
        return None
    joined_texts = "".join(texts)
    for separator in SEPARATORS:
        if separator.mark not in joined_texts:
            continue
        parts = [[part.strip() for part in text.split(separator.mark)] for text in texts]
        joined = [label for label in parts if len(label) > 1]
        if not joined or not all(_are_elements(label, separator) for label in joined):
            continue
        uses = Counter(part for label in parts for part in set(label))
        elements = {part for label in joined for part in label}
        recurring = sum(uses[part] > 1 for part in elements)
        if recurring and recurring >= separator.recurring * len(elements):
            return separator.mark
    return None


def _are_elements(parts: Sequence[str], separator: Separator) -> bool:
    """Return whether the parts of a label can be elements: short, and not those of a number."""
    short = all(0 < len(part) <= LONGEST_PART for part in parts)
    return short and not (separator.in_numbers and all(part.isdigit() for part in parts))


def _set_notes(labels: list[Any]) -> list[Sentence]:
    """Report sets that are written as Python writes lists, and single labels beside sets."""
    for pattern, remedy in _LISTS:
        texts = [label for label in labels if isinstance(label, str) and pattern.fullmatch(label)]
        if texts and len(texts) >= (len(labels) + 1) // 2:
            return [
                (
                    f"labels such as {_shown(texts[0])} are lists written as text, and each counts"
                    " as one category: if they are sets, ",
                    Phrase("lists", f"turn each into a list with {remedy}"),
                )
            ]
    sets = sum(isinstance(label, frozenset) for label in labels)
    if 0 < sets < len(labels):
        single = next(label for label in labels if not isinstance(label, frozenset))
        return [
            f"some labels are sets, but {_shown(single)} is not: if it stands for a set, write"
            f" [{_shown(single)}]"
        ]
    return []


#: Names that programs and people give to copies of a file.
_COPY = re.compile(
    r"(.+?)\s*(?:\(\d+\)|[\s_-]+(?:copy|kopie|copie|copia)(?:\W*\d+\W*)?)"
    r"|(?:copy of|kopie von|copie de|copia de) (.+)",
    re.I,
)


#: With more elements these are no codes, but names of mentions and the like.
MOST_ELEMENTS = 1000


def _element_notes(labels: list[Any], alike: bool) -> list[Sentence]:
    """Report elements of sets that may be none, several, or meant as one.

    `alike`: whether whole labels that may be meant as one are reported.
    """
    sets = [label for label in labels if isinstance(label, frozenset)]
    if not sets or _encode.element_types(sets).isdisjoint((str, int, float)):
        return []
    every = frozenset().union(*sets)
    if len(every) > MOST_ELEMENTS:
        return []
    elements = sorted(every, key=lambda element: (str(element), repr(element)))

    def is_joined(element: Any) -> bool:
        return any(element in label for label in sets if len(label) > 1)

    means = "may mean a missing judgment: if so, "
    notes: list[Sentence] = [
        f"element {_shown(element)} of sets is empty text, and counts as the others do: leave it"
        " out, and write [] for the empty set"
        for element in list(filter(is_blank, elements))[:1]
    ]
    opened = [x for x in elements if isinstance(x, str) and re.fullmatch(r"[\[{].*[^\]}]", x)]
    notes += [
        (
            f"element {_shown(x)} of sets begins as a list written as text: if labels are, ",
            Phrase("lists", f"turn each into a list with {_LISTS[x[0] == '{'][1]}"),
        )
        for x in opened[:1]
    ]
    # Those that stand alone are labels that may be missing.
    doubtful = [x for x in elements if looks_missing(x) and not is_blank(x) and is_joined(x)]
    notes += [f"element {_shown(x)} of sets {means}leave it out of them" for x in doubtful[:SHOWN]]
    numbers = _numbers_of(elements)
    codes, scale = _outside(np.array(sorted(numbers)), lambda code: 0) if numbers else ([], ())
    for element in (numbers.get(code, code) for code in codes):
        remedy = (
            "leave it out of them"
            if is_joined(element)
            else ("pass ", Argument("missing", [element]))
        )
        low, high = map(_shown, scale)
        where = f"lies outside the scale of the others, {low} to {high}, and"
        notes.append((f"element {_shown(element)} of sets {where} {means}", remedy))
    if groups := [] if alike else near_misses(elements):
        note = _alike_note(groups, "elements of sets", "elements")
        notes.append(f"{note}; if they are one, write it in one way")
    if (mark := separator_of_sets(elements)) is not None:
        example = next(x for x in elements if isinstance(x, str) and mark in x)
        notes.append(
            (
                f"elements such as {_shown(example)} look like several: if they are, write one mark"
                " between all elements, for ",
                Argument("set_separator"),
            )
        )
    return notes


#: Lists as Python and as databases write them, and what reads them.
_LISTS = (
    (re.compile(r"""\s*[\[{(]\s*(['"].*['"]\s*,?\s*)?[\])}]\s*""", re.S), "ast.literal_eval"),
    (re.compile(r"""\{[^{}'"]*\}"""), "label.strip('{}').replace(', ', ',').split(',')"),
)


# ---------------------------------------------------------------------- names


def hint_at_coders(coders: Iterable[Hashable]) -> None:
    """Warn once of names of coders that are none, or may be meant as one; O(C log C)."""
    coders = list(coders)
    for note in coder_notes(coders):
        hint(note, LabelHint)
    hint_at_names_of_coders(coders)


def hint_at_names_of_coders(coders: Iterable[Hashable]) -> None:
    """Warn once of names of coders that may be meant as one; O(C log C)."""
    _hint_at_names(name_notes(coders))


def hint_at_groups(names: Sequence[Hashable]) -> None:
    """Warn once of names of groups that may be meant as one; O(G log G), none for very many."""
    if len(names) <= MOST_ITEMS:
        _hint_at_names(name_notes(names, "names of groups", "groups"))


def _hint_at_names(notes: Iterable[str]) -> None:
    for note in notes:
        hint(f"{note}; if they are one, use one name for them in the data", LabelHint)


def name_notes(
    names: Iterable[Hashable], what: str = "names of coders", are: str = "coders"
) -> list[str]:
    """Return a note on names that may be meant as one, or an empty list.

    `names`: distinct names. `what`, `are`: how to call the names, and what different ones count as.

    Examples
    --------
    >>> name_notes(["Ann", "ann", "Bea"])[0][-13:]
    "'Ann' = 'ann'"
    """
    groups = near_misses(names.tolist() if isinstance(names, np.ndarray) else names)
    return [_alike_note(groups, what, are)] if groups else []


def coder_notes(coders: Iterable[Hashable]) -> list[str]:
    """Return notes on coders with the names of empty cells, of copies, or of runs of one model.

    Examples
    --------
    >>> coder_notes(["Ann", "nan", "NA"])[0][:39]
    "coder 'nan' has a name that often means"
    >>> coder_notes(["ann", "ann (1)"])[0][:50]
    "coder 'ann (1)' has the name of a copy of 'ann': i"
    """
    coders = list(coders)
    known = set(coders)
    copies = {
        name: next(filter(None, match.groups()))
        for name in known
        if isinstance(name, str) and (match := _COPY.fullmatch(name))
    }
    return [
        *_nobody_notes("coder", _NOBODY.intersection(known)),
        *(
            f"coder {name!r} has the name of a copy of {of!r}: if it is one, leave it out"
            for name, of in sorted(copies.items()) if of in known
        ),
        *(
            f"coder {name!r} has a name for trying a tool out, and counts as the others do: if it "
            "is no coder, leave it out"
            for name in _trying(coders)
        ),
        *(
            f"coders {', '.join(map(repr, of[:SHOWN]))} have the names of runs of one model, and "
            "each counts as a coder: if they are, keep one of them, or their majority"
            for of in runs_of_models(coders)
        ),
    ]  # fmt: skip


def _trying(coders: Sequence[Hashable]) -> list[str]:
    """Return names of coders who try a tool out, among three or more and beside no retest."""
    tests = [name for name in coders if re.search("test|dummy|train", str(name), re.IGNORECASE)]
    if len(coders) < 3 or len(tests) > 1:
        return []
    return [name for name in tests if isinstance(name, str) and _TRYING.fullmatch(name)]


def _nobody_notes(what: str, names: Iterable[Hashable]) -> list[str]:
    return [
        f"{what} {name!r} has a name that often means that there is none, and all its rows count as"
        f" one {what}: if they have no {what}, leave them out"
        for name in sorted(map(str, names))
    ]


def item_notes(names: Any, coders_of: Callable[[list[int]], list[Any]]) -> list[str]:
    """Return notes on items with names that look missing or test coders, and that may be one.

    Names may be those of one item if they differ only in writing and have no coder in common:
    spreadsheets turn an identifier such as "01" into "1". `names`: distinct names; only lists and
    arrays are looked at. `coders_of`: returns the coders who judged each of these items.
    """
    if not isinstance(names, list | np.ndarray) or len(names) > MOST_ITEMS:
        return []
    if isinstance(names, np.ndarray):
        if names.dtype.kind not in "OSU":
            return []
        names = names.tolist()
    notes = _nobody_notes("item", _MISSING.intersection(names))
    checks = [*filter(_CHECK.fullmatch, [name for name in names if type(name) is str])]
    if 0 < 2 * len(checks) < len(names):
        notes.append(
            f"items such as {_shown(checks[0])} have the names of attention checks or of practice,"
            f" and count as the others do (such items: {len(checks):,}): if they are, leave"
            " them out"
        )
    dates = [*filter(_is_date, names[:MOST_DATES])]
    if 0 < 3 * len(dates) < len(names):
        notes.append(
            f"item {_shown(dates[0])} is a date beside other names: if a spreadsheet made it of a"
            " name such as 1-2, give its cells the format of texts, and write it again"
        )
    groups = near_misses(names)
    place = {name: at for at, name in enumerate(names)} if groups else {}
    apart = []
    for group in groups:
        judged = [set(coders) for coders in coders_of([place[name] for name in group])]
        if all(judged) and len(set().union(*judged)) == sum(map(len, judged)):
            apart.append(group)
    if apart:
        first, second, *_ = _in_writing(apart[0])
        notes.append(
            f"items {first} and {second} differ only in how they are written, and different coders"
            f" judged them: they stay two items (such cases: {len(apart):,}); if they are one, use"
            " one name for them in the data"
        )
    return notes


def hint_at_items(names: Any, coders_of: Callable[[list[int]], list[Any]]) -> None:
    """Warn once of items that are none, or that may be one; see `item_notes`."""
    for note in item_notes(names, coders_of):
        hint(note, LabelHint)


# ---------------------------------------------------------------------- labels that are alike


@lru_cache
def some_may_spell(labels: tuple[Any, ...]) -> bool:
    """Return whether a label may spell another one; see `may_spell`."""
    if not (2 < len(labels) <= MOST_SPELLED and isinstance(labels[0], str)):
        return False
    by_letter: dict[str, list[str]] = {}  # spellings of one word begin with the same letter
    for label in labels:
        if isinstance(label, str):
            letter = next(filter(str.isalpha, label.casefold()), "")
            by_letter.setdefault(letter, []).append(label)
    return any(may_spell(*pair) for some in by_letter.values() for pair in permutations(some, 2))


def may_spell(text: str, other: Any) -> bool:
    """Return whether a text may be a slip or a short form of another one, or has a number more.

    Examples
    --------
    >>> pairs = [("negatvie", "negative"), ("pos", "positive"), ("y", "yes"), ("1 good", "good")]
    >>> [may_spell(*pair) for pair in pairs]
    [True, True, True, True]
    >>> pairs = [("atypical", "typical"), ("T1a", "T1"), ("type 1", "type 2"), ("very low", "low")]
    >>> [may_spell(*pair) for pair in pairs]
    [False, False, False, False]
    """
    if not isinstance(other, str):
        return False
    short, long = sorted((text.casefold().strip(), other.casefold().strip()), key=len)
    if not (short.isalpha() and long.isalpha()):
        bare = re.sub(r"[\W\d_]+", "", long)
        return short.isalpha() and len(short) > 2 and bare == short and bare != long
    if long.startswith(short):
        return short == text.casefold() if len(short) < 3 else True
    if len(short) < 5 or short[0] != long[0]:
        return False
    same = next(i for i, (a, b) in enumerate(zip(f"{short} ", long, strict=False)) if a != b)
    rest, longer = short[same:], long[same:]
    swapped = rest[1::-1] + rest[2:] == longer
    return swapped or longer[1:] in (rest, rest[1:])


def _alike_note(groups: Sequence[tuple[Any, ...]], what: str, are: str) -> str:
    listed = [" = ".join(_in_writing(group[:SHOWN])) for group in groups[:SHOWN]]
    if len(groups) > SHOWN:
        listed.append(f"{len(groups) - SHOWN:,} more")
    return (
        f"{what} differ only in case, blanks, marks, type or last bits, and count as different"
        f" {are}: {'; '.join(listed)}"
    )


def _in_writing(group: Sequence[Any]) -> list[str]:
    """Return labels so that those that look alike are seen to differ."""
    shown = [_shown(label) for label in group]
    texts = [label for label in group if isinstance(label, str)]
    seen = {" ".join(text.split()).casefold() for text in texts}
    return shown if len(seen) < 2 else [text.encode("unicode-escape").decode() if not text.isascii()
                                        else text for text in shown]  # fmt: skip


def near_misses(labels: Iterable[Hashable]) -> list[tuple[Any, ...]]:
    """Find labels that differ only in writing, in type or in the last bits of a number.

    Differences in writing are case, blanks, width, normal form, invisible characters, letters of
    other scripts that look alike, quotes around a text, marks behind it or in place of blanks, and
    those of thousands, fractions and percentages. `labels`: distinct labels of any kind; elements
    of sets are treated like labels. Returns groups of two labels or more, in the order of the
    labels.

    O(labels log labels), at the speed of C for texts and numbers that differ.

    Examples
    --------
    >>> near_misses(["yes", "no", "Yes", "no ", "perhaps"])
    [('yes', 'Yes'), ('no', 'no ')]
    >>> near_misses([1, "1", 0.3, 0.1 + 0.2])
    [(1, '1'), (0.3, 0.30000000000000004)]
    """
    listed: list[Any] = list(labels)
    kinds = set(map(type, listed))
    if kinds <= {int}:
        return []
    if kinds <= {int, float} and min(listed) > -_FLOATS and max(listed) < _FLOATS:
        if not _near(np.array(sorted(listed), np.float64)):
            return []
        close = _close(list(zip(listed, range(len(listed)), strict=True)))
        return [tuple(listed[place] for place in sorted(group)) for group in sorted(close, key=min)]
    if kinds in ({str}, {tuple}):
        texts = list(map(str, listed))
        if _looks.are_words(texts, _NO_WORDS):
            return []
        keys: list[Any] = _folded(texts)
        if len(set(keys)) == len(keys) and not _write_numbers_otherwise("\n".join(keys)):
            return []
    else:
        if _are_far_apart([label for label in listed if isinstance(label, frozenset)]):
            listed = [label for label in listed if not isinstance(label, frozenset)]
        keys = [_key(label) for label in listed]
    groups: dict[Any, list[int]] = {}
    numbers: list[tuple[int | float, int]] = []
    for place, key in enumerate(keys):
        number = _written_number(key) if isinstance(key, str) else key
        if isinstance(number, int | float):
            numbers.append((number, place))
        else:
            groups.setdefault(key, []).append(place)
    near = [group for group in groups.values() if len(group) > 1]
    near += _close(_otherwise_written(numbers, groups, keys))
    return [tuple(listed[place] for place in sorted(group)) for group in sorted(near, key=min)]


def _otherwise_written(
    numbers: list[tuple[int | float, int]], groups: dict[Any, list[int]], keys: list[Any]
) -> list[tuple[int | float, int]]:
    """Return numbers with places, and others that texts write if those are labels, too.

    "1.000" and "1,000" are 1000, "2,0" is 2, and "10%" is 0.1 or 10.
    """
    values = {value for value, _ in numbers}
    out = [(_meant(keys[place], values, value), place) for value, place in numbers]
    texts = [key for key in groups if isinstance(key, str) and len(groups[key]) == 1]
    often = Counter(number for key in texts for number in _readings(key)[:1])
    values.update(number for number, n in often.items() if n > 1)
    meant = [(_meant(key, values, None), groups[key][0]) for key in texts]
    return out + [(value, place) for value, place in meant if value is not None]


def _meant(key: Any, values: Collection[float], otherwise: Any) -> Any:
    """Return a number that a text writes in another way, if it is among some values."""
    readings = _readings(key) if isinstance(key, str) else []
    return next((number for number in readings if number in values), otherwise)


def _readings(key: str) -> list[float]:
    """Return the numbers that a text writes with marks of thousands, a comma or a percent sign."""
    readings: list[float] = []
    if _THOUSANDS.fullmatch(key):
        readings.append(int(re.sub(r"[^0-9+-]", "", key)))
    elif match := _COMMA.fullmatch(key):
        number = key.replace(",", ".").rstrip(" %")
        readings += [float(f"{number}e-2")] * any(match.groups()) + [float(number)]
    return readings


def thousands_notes(texts: Collection[str]) -> list[str]:
    """Report texts read as fractions that look like thousands ("1.200") beside whole numbers.

    Examples
    --------
    >>> thousands_notes(["1.200", "800"])[0][:40]
    "labels such as '1.200' are read with a d"
    >>> thousands_notes(["1.200", "1.5", "2"]), thousands_notes(["1.200", "1.400"])
    ([], [])
    """
    fractions = [text for text in texts if "." in text]
    whole = len({*texts, "0"} - {*fractions}) > 1
    if not (whole and fractions and all(map(_POINT_OF_THOUSANDS.fullmatch, fractions))):
        return []
    return [
        f"labels such as {fractions[0]!r} are read with a decimal point beside numbers"
        " without one: if it stands between thousands, write them without it"
    ]


def spelled_twice(texts: Iterable[str]) -> list[str]:
    """Return two texts that write one number, as codes such as 1.1 and 1.10 do; or an empty list.

    Programs write whole numbers with and without zeros behind the point.

    Examples
    --------
    >>> spelled_twice(["1.1", "1.2", "1.10"]), spelled_twice(["1", "1.0", "2.00"])
    (['1.1', '1.10'], [])
    """
    known: dict[float, str] = {}
    for text in texts:
        plain = _ZEROS.sub("", text)
        other = known.setdefault(float(text), text)
        if plain != _ZEROS.sub("", other):
            return [other, text]
    return []


def _are_far_apart(sets: list[frozenset[Any]]) -> bool:
    """Return whether no two elements may be meant as one; then no two of the sets may, either."""
    kinds = _encode.element_types(sets)
    if kinds <= {int}:
        return True
    elements = frozenset().union(*sets)
    return kinds == {str} and len({str(_spelled(element)) for element in elements}) == len(elements)


def _folded(texts: list[str]) -> list[str]:
    """Return texts without case, blanks and what is not seen, all at once."""
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1:
        return [_folded_text(text) for text in texts]
    folded = _fold(joined)
    if any(map(f"\n{folded}\n".__contains__, _BLANKS)):
        return [" ".join(text.split()) for text in folded.split("\n")]
    return folded.split("\n")


def _folded_text(text: str) -> str:
    return " ".join(_fold(text).split())


def _fold(text: str) -> str:
    if text.isascii():
        text = text.casefold()
    else:
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
        text = text.translate(_ALIKE) if _FOREIGN.search(text) else text
    for marks, pattern, plain in _MARKS:
        if any(mark in text for mark in marks):
            text = pattern.sub(plain, text)
    return text


def _write_numbers_otherwise(lines: str) -> bool:
    """Return whether a line writes a number in another way than a plain whole one."""
    lines = f"\n{lines}"
    begin = any(f"\n{mark}" in lines for mark in _BEGIN_NUMBERS)  # much faster than the pattern
    return begin and _OTHER_SPELLING.search(lines) is not None


def _key(label: Any) -> Any:
    """Return the common key of labels that may be meant as one: a number, a text, or a set."""
    if isinstance(label, bool | np.bool_):
        return str(label).casefold()
    if isinstance(label, int) and label.bit_length() > 1023:  # beyond all floats
        return hex(label)
    if isinstance(label, int | float):
        return label
    if isinstance(label, frozenset):
        return frozenset(str(_spelled(element)) for element in label)
    return _folded_text(label.decode("utf-8", "replace") if isinstance(label, bytes)
                        else str(label))  # fmt: skip


def _spelled(label: Any) -> Any:
    """Return the key of an element of a set."""
    key = _key(label)
    return _written_number(key) if isinstance(key, str) else key


def _written_number(text: str) -> Any:
    """Return the number that a folded text writes, else the text."""
    if text[:1] not in _BEGIN_NUMBERS or not _NUMBER.fullmatch(text):
        return text
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else float(text)


def _near(ascending: Array) -> list[tuple[int, int]]:
    """Return the places of ascending numbers that may be the same as the next one."""
    if ascending.dtype.kind != "f":
        return []
    if len(ascending) <= SHOWN * PASTED:  # numpy would take longer
        listed = ascending.tolist()
        if all(b - a > _FAR * max(abs(a), abs(b)) for a, b in pairwise(listed)):
            return []
    first, second = ascending[:-1], ascending[1:]
    with np.errstate(invalid="ignore", over="ignore"):  # very large differences are not near
        gap = second - first
        near = gap <= _FAR * np.maximum(np.abs(first), np.abs(second))
        places = np.flatnonzero(near & np.isfinite(gap))
        first, second, gap = first[places], second[places], gap[places]
        same = gap <= LAST_BITS * np.spacing(np.abs(second))
        same |= _is_rounded(first, second)
    return [(at, at + 1) for at in places[same].tolist()]


def _is_rounded(first: Array, second: Array) -> Array:
    """Return whether one of two near numbers is the other in 32 bits."""
    narrow, other = first.astype(np.float32), second.astype(np.float32)
    exact = (narrow == first) != (other == second)
    fractions = (first != np.rint(first)) & (second != np.rint(second))
    rounded: Array = (narrow == other) & exact & fractions
    return rounded


def _close(numbers: Sequence[tuple[Any, int]]) -> list[list[int]]:
    """Group the places of numbers that are equal except for their last bits."""
    if not numbers:
        return []
    values = np.array([value for value, _ in numbers], dtype=np.float64)
    order = np.argsort(values, kind="stable")
    groups: list[list[int]] = []
    end = -1
    for i, _ in _near(values[order]):
        (number, first), (other, second) = numbers[order[i]], numbers[order[i + 1]]
        # Integers beyond 2^53 are exact, but floats are not.
        if isinstance(number, int) and isinstance(other, int) and number != other:
            continue
        if end == i:
            groups[-1].append(second)
        else:
            groups.append([first, second])
        end = i + 1
    return groups


def _shown(label: Any) -> str:
    shown = Repr()
    shown.maxstring = shown.maxother = LONGEST_PART
    return shown.repr(_as_number(label) if isinstance(label, Decimal) else label)

"""The order of values: by value, or declared; other values are refused, never guessed.

Numbers, dates and times are ordered by value, also in text, and so are counters ("batch 2" before
"batch 10"). Months, weekdays and words of a scale have no order until it is declared: their usual
order is only proposed.
"""

from __future__ import annotations

import datetime
import functools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels._encode import arrange


class Order(NamedTuple):
    """The order of some values."""

    #: What the values are sorted by; values with equal keys share a place.
    keys: list[Any]
    #: Numbers, or days since the first date or time; None for values that are one step apart.
    positions: list[float] | None


class Doubt(NamedTuple):
    """Why values have no order, and what to write in their place; None if they are words."""

    problem: str
    remedy: str | None = None


#: What texts are read as; None if they are something else.
Read = Order | Doubt | None
#: Microseconds, and whether there is a time zone.
Moment = tuple[int, bool]

_DAY_LONG = 86_400_000_000

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"[+-]?[0-9]+(,[0-9]+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}([.,][0-9]{3})+")
_DIGITS = re.compile("([0-9]+)")
_COUNTER = re.compile(r"([0-9]+)(?:(?:st|nd|rd|th)\b)?")
#: What joins two numbers to one.
_MARKS = (".", ",", ":", "/", "-")
_NO_YEAR = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.|(0[1-9]|[12][0-9]|3[01])\.(0[1-9]|1[0-2])")
_DAY = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})(?:[ ,T]+(.+))?")
_YEAR_FIRST = re.compile(r"([0-9]{4})([./-])([0-9]{1,2})\2([0-9]{1,2})(?:[ ,T]+(.+))?")
_PART_OF_YEAR = re.compile(r"([0-9]{4})-?([QqWw]?)([0-9]{1,2})")
_TIME = re.compile(
    r"([0-9]{1,2})(?::([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]+)?))?)?\s*([ap]\.?m\.?)?", re.IGNORECASE
)

#: Values of an order that an error proposes.
MOST = 40

DATES = "write dates as 2024-01-31"
NUMBERS = "write numbers with a decimal point and without other marks"


def order_of(values: Sequence[Any]) -> Order | Doubt:
    """Return the order that distinct values have, or why they have none. O(values).

    `values`: hashable values, none of them missing.

    Examples
    --------
    >>> order_of(["10", "9"]).positions
    [10.0, 9.0]
    >>> order_of(["31.01.2024", "01.02.2024"]).positions
    [0.0, 1.0]
    >>> order_of(["01.02.2024", "02.01.2024"]).problem
    "'01.02.2024' may be 2024-02-01 or 2024-01-02"
    >>> order_of(["Jan", "Feb"]).problem
    "nothing says whether 'Jan' or 'Feb' comes first"
    """
    listed = list(values)
    if len(listed) < 2:
        return Order([0.0] * len(listed), [0.0] * len(listed))
    if all(isinstance(value, str) for value in listed):
        texts = [value.strip() for value in listed]
        for read in (_without_year, _parts_of_years, _dates, _numbers, _times, _counters):
            order = read(texts)
            if order is not None:
                return order
        return _words(listed)
    if any(isinstance(value, (str, bytes, frozenset, tuple)) for value in listed):
        return _words(listed)
    moments = _every(_moment, listed)
    if moments is not None:
        return _on_days(moments, listed)
    try:
        sorted(listed)
    except TypeError:
        return _words(listed)
    try:
        return Order(listed, [float(value) for value in listed])
    except (TypeError, ValueError, OverflowError):
        return Order(listed, None)


def order_of_names(names: Sequence[Any]) -> tuple[list[Any], bool]:
    """Return names of categories in the order that they have, and whether they have one.

    The place of a column says nothing: `pandas.crosstab` sorts words by the alphabet.

    Examples
    --------
    >>> order_of_names(["1", "10", "2"])
    (['1', '2', '10'], True)
    >>> order_of_names(["high", "low"])
    (['high', 'low'], False)
    """
    order = order_of(names)
    if isinstance(order, Doubt):
        return list(names), False
    return _sorted(names, order.keys), True


def _words(values: Sequence[Any]) -> Doubt:
    return Doubt(f"nothing says whether {values[0]!r} or {values[1]!r} comes first")


# ---------------------------------------------------------------------- numbers and counters


def _numbers(texts: list[str]) -> Read:
    """Read numbers with a decimal point or comma; digits with two meanings are refused."""
    if all(map(_NUMBER.fullmatch, texts)):
        grouped = [text for text in texts if _THOUSANDS.fullmatch(text)]
        plain = [text for text in texts if "." not in text]
        if grouped and plain and len(grouped) + len(plain) == len(texts):
            return Doubt(f"{grouped[0]!r} may have a decimal point or thousands", NUMBERS)
        numbers = [float(text) for text in texts]
        keys = [_exact(text, number) for text, number in zip(texts, numbers, strict=True)]
        return Order(keys, numbers) if all(map(math.isfinite, numbers)) else None
    if not all(map(_COMMA.fullmatch, texts)):
        return None
    fractions = with_decimal_commas(texts)
    if fractions is None:
        doubtful = next(text for text in texts if "," in text)
        return Doubt(f"{doubtful!r} may have a decimal comma or thousands", NUMBERS)
    return Order(fractions, fractions)


def with_decimal_commas(texts: Sequence[str]) -> list[float] | None:
    """Return the numbers that texts write, some with a decimal comma; None if not all do.

    Examples
    --------
    >>> with_decimal_commas(["2,5", "3"]), with_decimal_commas(["2", "3"])
    ([2.5, 3.0], None)
    """
    grouped = [text for text in texts if "," in text]
    if not grouped or not all(map(_COMMA.fullmatch, texts)):
        return None
    if all(map(_THOUSANDS.fullmatch, grouped)):
        return None
    return [float(text.replace(",", ".")) for text in texts]


def _exact(text: str, number: float) -> float:
    """Return a whole number with all its digits."""
    return int(text) if number.is_integer() and text.lstrip("+-").isdecimal() else number


def _counters(texts: list[str]) -> Read:
    """Read texts that differ in one whole number only: "batch 2" and "batch 10"."""
    parts = [_COUNTER.split(text.casefold()) for text in texts]
    if len(set(map(len, parts))) > 1:
        return None
    columns = list(zip(*parts, strict=True))
    differ = [place for place, cells in enumerate(columns) if len({*cells}) > 1]
    if len(differ) != 1 or differ[0] % 2 == 0:
        return None
    before, numbers, after = columns[differ[0] - 1 : differ[0] + 2]
    inside = (
        differ[0] > 1 and before[0] in _MARKS,
        differ[0] + 2 < len(columns) and after[0] in _MARKS,
    )
    if any(inside) or re.search(r"(^|\s)[+-]$", before[0]):
        return None  # a part of a fraction, a version or a date; a number with a sign
    return Order(list(map(_whole, numbers)), None)


def _whole(digits: str) -> tuple[int, str]:
    """Return a key of a whole number of any length."""
    digits = digits.lstrip("0")
    return len(digits), digits


# ---------------------------------------------------------------------- dates and times


def _on_days(moments: Sequence[Moment], values: Sequence[Any]) -> Order | Doubt:
    """Return the order of moments, if all or none of them have a time zone."""
    if len({zone for _, zone in moments}) > 1:
        return Doubt(f"{values[0]!r} and others are times with and without a zone", DATES)
    keys = [moment for moment, _ in moments]
    return Order(keys, [(key - min(keys)) / _DAY_LONG for key in keys])


def _without_year(texts: list[str]) -> Read:
    if not all(map(_NO_YEAR.fullmatch, texts)):
        return None
    marked = any(text.endswith(".") or text.startswith("0") for text in texts)
    return Doubt(f"{texts[0]!r} may be a date without a year", DATES) if marked else None


def _parts_of_years(texts: list[str]) -> Read:
    """Read months (2024-01), weeks (2024-W05) and quarters (2024-Q1)."""
    moments, kinds = [], set()
    for text in texts:
        match = _PART_OF_YEAR.fullmatch(text)
        if match is None or not (match[2] or "-" in text):
            return None
        year, number = int(match[1]), int(match[3])
        kinds.add(kind := match[2].upper())
        try:
            if kind == "W":
                date = datetime.date.fromisocalendar(year, number, 1)
            else:
                date = datetime.date(year, 3 * number - 2 if kind else number, 1)
        except ValueError:
            return None
        moments.append((date.toordinal() * _DAY_LONG, False))
    return _on_days(moments, texts) if len(kinds) == 1 else None


def _dates(texts: list[str]) -> Read:
    """Read dates: the year first, or last if only the day or the month can come first."""
    if any(map(_NUMBER.fullmatch, texts)):
        return None
    if not all(map(_DAY.fullmatch, texts)):
        read = functools.partial(_date, _YEAR_FIRST, (1, 3, 4))
        moments = _every(lambda text: read(text) or _iso(text), texts)
        return None if moments is None else _on_days(moments, texts)
    readings = [
        moments
        for places in ((4, 3, 1), (4, 1, 3))
        if (moments := _every(functools.partial(_date, _DAY, places), texts)) is not None
    ]
    if len(readings) == 2 and readings[0] != readings[1]:
        place = next(i for i, both in enumerate(zip(*readings, strict=True)) if len({*both}) > 1)
        both = [datetime.date.fromordinal(reading[place][0] // _DAY_LONG) for reading in readings]
        return Doubt(f"{texts[place]!r} may be {both[0]} or {both[1]}", DATES)
    return _on_days(readings[0], texts) if readings else None


def _every(read: Callable[[Any], Any], values: Sequence[Any]) -> list[Any] | None:
    """Return what each value is read as; None as soon as one is not."""
    out = []
    for value in values:
        out.append(read(value))
        if out[-1] is None:
            return None
    return out


def _date(pattern: re.Pattern[str], places: tuple[int, int, int], text: str) -> Moment | None:
    """Read a date whose year, month and day stand at some places."""
    match = pattern.fullmatch(text)
    if match is None:
        return None
    time = 0 if match[5] is None else _time(match[5])
    try:
        date = datetime.date(*(int(match[place]) for place in places))
    except ValueError:
        return None
    return None if time is None else (date.toordinal() * _DAY_LONG + time, False)


def _iso(text: str) -> Moment | None:
    """Read a date of ISO 8601."""
    try:
        return _moment(datetime.datetime.fromisoformat(text))
    except ValueError:
        return None


def _moment(value: Any) -> Moment | None:
    """Return a date or a time of day in microseconds, and whether it has a time zone."""
    if type(value).__name__ == "datetime64":
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime.datetime):
        offset = value.utcoffset()
        moment = value.toordinal() * _DAY_LONG + _since_midnight(value)
        return moment - (offset or _NOTHING) // _SMALLEST, offset is not None
    if isinstance(value, datetime.date):
        return value.toordinal() * _DAY_LONG, False
    if isinstance(value, datetime.time) and value.tzinfo is None:
        return _since_midnight(value), False
    return None


_NOTHING, _SMALLEST = datetime.timedelta(), datetime.timedelta(microseconds=1)


def _since_midnight(time: datetime.time | datetime.datetime) -> int:
    return (time.hour * 3600 + time.minute * 60 + time.second) * 1_000_000 + time.microsecond


def _times(texts: list[str]) -> Read:
    """Read times of a day, such as 9:30 and 10:15."""
    times = _every(_time, texts)
    if times is None or len({text.rstrip(".")[-1] in "mM" for text in texts}) > 1:
        return None
    return _on_days([(time, False) for time in times], texts)


def _time(text: str) -> int | None:
    """Return the microseconds since midnight of a time such as 9:30, 09:30:15 or 9 pm."""
    match = _TIME.fullmatch(text.strip())
    if match is None or (match[2] is None and match[4] is None):
        return None
    hour, half = int(match[1]), match[4]
    if hour > (12 if half else 23) or (half and not hour):
        return None
    if half:
        hour = hour % 12 + 12 * (half[0] in "pP")
    return (hour * 3600 + 60 * int(match[2] or 0)) * 1_000_000 + round(float(match[3] or 0) * 1e6)


def periods_of(values: Sequence[Any], every: str) -> list[str] | Doubt:
    """Return the day, week (of ISO 8601), month, quarter or year of each date.

    `values`: distinct dates or times, perhaps as texts; those with a zone count as its clocks say.

    Examples
    --------
    >>> periods_of(["2024-12-31", "2025-01-31 9:30"], "week")
    ['2025-W01', '2025-W05']
    >>> periods_of(["2024-01-31T23:30:00-05:00"], "month")
    ['2024-01']
    """
    order = _dates_in_order(list(values))
    if isinstance(order, Doubt):
        return order
    local = _dates_in_order([*map(_without_zone, values)])
    assert isinstance(local, Order)
    return [_PERIODS[every](datetime.date.fromordinal(key // _DAY_LONG)) for key in local.keys]


#: The zone behind a time of day in a text.
_ZONE = re.compile(r"(:[0-9]{2}(?:[.,][0-9]+)?)\s*(?:[zZ]|[+-][0-9]{2}(?::?[0-9]{2})?)\s*$")


def _without_zone(value: Any) -> Any:
    """Return what the clocks of its zone say at a time."""
    if isinstance(value, str):
        return _ZONE.sub(r"\1", value)
    return value.replace(tzinfo=None) if isinstance(value, datetime.datetime) else value


def _dates_in_order(listed: list[Any]) -> Order | Doubt:
    """Return the order of dates or times, perhaps as texts."""
    if all(isinstance(value, str) for value in listed):
        texts = [value.strip() for value in listed]
        order = _without_year(texts) or _dates(texts)
    else:
        moments = _every(_moment, listed)
        order = None if moments is None else _on_days(moments, listed)
    if isinstance(order, Doubt):
        return order
    if order is None or min(order.keys, default=_DAY_LONG) < _DAY_LONG:
        return Doubt(f"{listed[0]!r} and others are not all dates", DATES)
    return order


_PERIODS: dict[str, Callable[[datetime.date], str]] = {
    "day": datetime.date.isoformat,
    "week": lambda date: "{}-W{:02}".format(*date.isocalendar()),
    "month": lambda date: f"{date.year}-{date.month:02}",
    "quarter": lambda date: f"{date.year}-Q{(date.month + 2) // 3}",
    "year": lambda date: str(date.year),
}


# ---------------------------------------------------------------------- what is only proposed

#: Words in their usual order: steps are separated by commas, synonyms by bars.
_SCALES = (
    "january|jan|januar, february|feb|februar, march|mar|märz|mär|mrz, april|apr, may|mai, "
    "june|jun|juni, july|jul|juli, august|aug, september|sep|sept, october|oct|oktober|okt, "
    "november|nov, december|dec|dezember|dez",
    "monday|mon|montag|mo, tuesday|tue|tues|dienstag|di, wednesday|wed|mittwoch|mi, "
    "thursday|thu|thur|thurs|donnerstag|do, friday|fri|freitag|fr, saturday|sat|samstag|sa, "
    "sunday|sun|sonntag|so",
    "first|1st|erste|erster, second|2nd|zweite|zweiter, third|3rd|dritte|dritter, fourth|4th, "
    "fifth|5th, sixth|6th, seventh|7th, eighth|8th, ninth|9th, tenth|10th, last|final",
    "zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve",
    "i, ii, iii, iv, v, vi, vii, viii, ix, x, xi, xii",
    "spring, summer, autumn|fall, winter",
    "morning, noon|midday, afternoon, evening, night",
    "before|pre|pretest|baseline, during|mid, after|post|posttest, follow up|followup",
    "start|beginning|early, middle|mid, end|late",
    "pilot, training, main, final",
    "none|no, very low, low|lo, medium|med|mid|middle|moderate|average|normal, high|hi, "
    "very high, extreme",
    "sehr niedrig, niedrig|gering, mittel, hoch, sehr hoch",
    "never, almost never|very rarely, rarely|seldom, sometimes|occasionally, "
    "often|frequently, usually|mostly|very often, almost always, always",
    "nie, selten, manchmal, oft|häufig, immer",
    "strongly disagree|completely disagree, disagree, "
    "somewhat disagree|slightly disagree|rather disagree, "
    "neutral|neither|undecided|neither agree nor disagree, "
    "somewhat agree|slightly agree|rather agree, agree, strongly agree|completely agree",
    "very dissatisfied, dissatisfied, neutral|neither, satisfied, very satisfied",
    "very unlikely, unlikely, neutral|possible, likely, very likely",
    "very negative, negative|neg, neutral|mixed, positive|pos, very positive",
    "terrible|awful, very poor|very bad, poor|bad, fair|ok|okay|average|neutral|acceptable, good, "
    "very good|great, excellent",
    "absent|none|no, trace|minimal, mild|slight|minor, moderate|medium, severe|serious|major, "
    "critical|extreme|fatal",
    "xxs, xs, s, m, l, xl, xxl",
    "tiny|very small, small, medium|mid, large|big, very large|huge",
    "not at all, a little|slightly, somewhat|moderately, very|very much|quite, extremely",
    "no, maybe|unsure|unclear|partly, yes",
    "false, true",
    "irrelevant|not relevant, somewhat relevant|partially relevant|partly relevant|marginal, "
    "relevant, highly relevant|very relevant",
    "incorrect|wrong, partially correct|partly correct, correct|right",
    "not important|unimportant, slightly important, important, very important",
    "much worse, worse, same|equal|unchanged, better, much better",
    "less|fewer|decreased|slower, same|equal|unchanged, more|increased|faster",
    "easy|beginner|novice|basic, medium|intermediate, hard|difficult|advanced, expert",
    "young, middle aged, old", "cold|cool, warm, hot", "slow, medium, fast", "junior, senior",
    "a+, a, a-, b+, b, b-, c+, c, c-, d+, d, d-, e+, e, e-, f",
)  # fmt: skip


@functools.cache
def _places(scale: str) -> dict[str, int]:
    return {
        word: place
        for place, step in enumerate(scale.split(", "))
        for word in step.strip().split("|")
    }


def _usual_places(texts: Sequence[str]) -> list[int] | None:
    """Return the places of words on a scale that has all of them, two of them at least."""
    words = [re.sub(r"[\s_]+", " ", text).strip(" .").casefold() for text in texts]
    for scale in _SCALES:
        place = _places(scale)
        if len({*words}) > 1 and place.keys() >= {*words}:
            return [place[word] for word in words]
    return None


def usual_order(values: Sequence[Any]) -> list[Any] | None:
    """Return values in the order that they have, or that people use for their words; else None.

    It is for a proposal that people read, never for a result.

    Examples
    --------
    >>> usual_order(["high", "low", "medium"])
    ['low', 'medium', 'high']
    >>> usual_order(["pro", "con"])
    """
    keys = _usual_keys(values)
    return None if keys is None else _sorted(values, keys)


def _sorted(values: Sequence[Any], keys: Sequence[Any]) -> list[Any]:
    return [values[place] for place in sorted(range(len(values)), key=keys.__getitem__)]


def _usual_keys(values: Sequence[Any]) -> Sequence[Any] | None:
    """Return keys of the order that values have, or that people use for their words; else None."""
    order = order_of(values)
    if isinstance(order, Order):
        return order.keys
    if order.remedy is not None or not all(isinstance(value, str) for value in values):
        return None
    return _usual_places(values) or _words_and_numbers(values)


def _words_and_numbers(texts: Sequence[str]) -> list[Any] | None:
    """Return keys of texts such as "2024 Jan": the year, then known words, then other numbers."""
    split = [re.findall(r"[0-9]+|[^\W\d_]+", text) for text in texts]
    if len(set(map(len, split))) != 1:
        return None
    columns: list[tuple[int, Sequence[Any]]] = []
    for cells in zip(*split, strict=True):
        if all(cell.isdecimal() for cell in cells):
            columns.append((0 if all(len(cell) == 4 for cell in cells) else 2, [*map(int, cells)]))
        elif len({*cells}) > 1:
            distinct = list(dict.fromkeys(cells))
            places = _usual_places(distinct)
            if places is None:
                return None
            place = dict(zip(distinct, places, strict=True))
            columns.append((1, [place[cell] for cell in cells]))
    columns.sort(key=lambda column: column[0])
    return list(zip(*(cells for _, cells in columns), strict=True)) or None


def example(values: Sequence[Any]) -> list[Any]:
    """Return the usual order of values for an error to propose, or that of other words.

    Texts that begin with numbers ("1 - never", "2 - often") are in the order of these.

    Examples
    --------
    >>> example(["10 - often", "2 - never"]), example(["cat", "dog"])
    (['2 - never', '10 - often'], ['low', 'medium', 'high'])
    """
    listed = usual_order(values) if len(values) <= MOST else None
    keys = [_key(value) for value in values if isinstance(value, str)]
    numbers = {key[1] for key in keys if len(key) > 1 and not key[0]}
    if len(numbers) == len(values) <= MOST:
        listed = proposed(values)
    return listed or ["low", "medium", "high"]


def proposed(values: Sequence[Any]) -> list[Any]:
    """Return values in an order to paste: the usual one, or else as people list names."""
    listed = list(values)
    return [listed[place] for place in natural_order(listed)]


def natural_order(values: Sequence[Any]) -> list[int]:
    """Return the places of values as people list names, for lists and never for a result.

    `values`: tuples are compared column by column. Texts are in the order that they have or that
    people use for their words, or else compare numbers in them as numbers. Other values are
    ascending if they can be sorted.

    Examples
    --------
    >>> names = ["week 10", "week 9", "pilot", "week 9b"]
    >>> [names[place] for place in natural_order(names)]
    ['pilot', 'week 9', 'week 9b', 'week 10']
    >>> natural_order(["Mar", "Jan", "Feb"])
    [1, 2, 0]
    """
    listed = list(values)
    if listed and all(isinstance(value, tuple) for value in listed):
        ranks = list(zip(*map(_ranks, zip(*listed, strict=True)), strict=True))
        return sorted(range(len(listed)), key=ranks.__getitem__)
    if not all(isinstance(value, str) for value in listed):
        return list(arrange(listed))
    keys = _usual_keys(listed) or list(map(_key, listed))
    return sorted(range(len(listed)), key=lambda place: (keys[place], listed[place]))


def numbered_otherwise(names: Sequence[Any]) -> bool:
    """Return whether names are numbered without gaps, and stand in another order.

    Examples
    --------
    >>> [numbered_otherwise(names) for names in ([3, 1, 2], ["t10", "t9"], [1, 2, 3], [70, 9])]
    [True, True, False, False]
    """
    if isinstance(names, range) or not len(names):
        return False
    listed = names.tolist() if isinstance(names, np.ndarray) else list(names)
    if all(isinstance(name, str) for name in listed):
        parts = [_DIGITS.split(name) for name in listed]
        if len({tuple(part[::2]) for part in parts}) > 1 or len(parts[0]) != 3:
            return False
        listed = [int(digits) if len(digits) < 19 else None for _, digits, _ in parts]
    whole = all(type(name) is int for name in listed)
    return whole and max(listed) - min(listed) == len(listed) - 1 and listed != sorted(listed)


def _ranks(values: Sequence[Any]) -> list[int]:
    """Return the rank of each value among the distinct ones; None is last."""
    distinct = [value for value in dict.fromkeys(values) if value is not None]
    rank = {distinct[place]: i for i, place in enumerate(natural_order(distinct))}
    return [rank.get(value, len(rank)) for value in values]


def _key(text: str) -> list[Any]:
    """Return alternating text and whole numbers."""
    parts: list[Any] = _DIGITS.split(text)
    parts[1::2] = map(_whole, parts[1::2])
    return parts

"""Values of records of JSON: each is what a reader expects, or an error says what is wrong.

Functions are named after what they return: ``typed.number(record, "start")``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from agreement_fast.files.errors import show
from agreement_fast.files.exports.streams import Wrong

Record = Mapping[str, Any]
T = TypeVar("T")
N = TypeVar("N", int, float)

#: An unknown time.
UNKNOWN = math.nan

#: The longest label in characters, and the number of texts that decide if they are labels.
_LONGEST_LABEL, _FEW_TEXTS = 100, 20

#: The largest integer that a float holds exactly: no position is larger.
_FURTHEST = 1 << 53

_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class Within:
    """A part of a record; what is wrong within its block names it."""

    def __init__(self, part: str) -> None:
        self._part = part

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Wrong):
            raise Wrong(f"{self._part}: {error}", argument=error.argument) from None


def is_position(value: Any) -> bool:
    """Whether a value is an integer that a float holds exactly."""
    return value.__class__ is int and -_FURTHEST <= value <= _FURTHEST


def whole_number(record: Record, key: str) -> int:
    """Return the integer under a key, which may be a position."""
    value = record.get(key)
    if value.__class__ is int and -_FURTHEST <= value <= _FURTHEST:
        return value
    raise _wrong(record, key, "a whole number")


def number(record: Record, key: str) -> int | float:
    """Return the finite number under a key."""
    value: Any = record.get(key)
    if is_position(value) or (value.__class__ is float and math.isfinite(value)):
        number: int | float = value
        return number
    raise _wrong(record, key, "a number")


def span(record: Record, first: str, last: str, read: Callable[[Record, str], N]) -> tuple[N, N]:
    """Return the begin and end of a span under two keys, which `read` reads."""
    begin, end = read(record, first), read(record, last)
    if end < begin:
        raise Wrong(f"a span must not end before it begins, got {begin} to {end}")
    return begin, end


def are_free_texts(texts: Sequence[str]) -> bool:
    """Whether coders wrote texts of their own: one is long, or nearly all are different."""
    many = len(texts) >= _FEW_TEXTS and len(set(texts)) > 0.8 * len(texts)
    return many or max(map(len, texts), default=0) > _LONGEST_LABEL


def flag(record: Record, key: str) -> bool:
    """Return whether a value is true; false, null and a missing key are not."""
    value = record.get(key)
    if value is None or value.__class__ is bool:
        return bool(value)
    raise _wrong(record, key, "true or false")


def name(record: Record, key: str) -> str | int:
    """Return the text, which is not empty, or the integer under a key."""
    value = record.get(key)
    if value.__class__ is int or (value.__class__ is str and value):
        return value
    raise _wrong(record, key, "a text or a whole number")


def value(record: Record, key: str, *kinds: type[T]) -> T:
    """Return the value of a key, of one of the JSON types; booleans are not numbers."""
    value = record.get(key)
    if value.__class__ in kinds:
        return value
    raise _wrong(record, key, _one_of(kinds))


def expect(value: Any, what: str, *kinds: type) -> Any:
    """Return a value, which must have one of the types; `what` begins the error message."""
    if value.__class__ in kinds:
        return value
    raise Wrong(f"{what} must be {_one_of(kinds)}, got {written(value)}")


def written(value: Any) -> str:
    """Return a JSON value as error messages show it."""
    # A value that is large or deeply nested is shortened.
    if isinstance(value, list | dict) and len(value) > 20:
        return f"{_KINDS[type(value)]} of {len(value):,}"
    try:
        return show(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return f"{_KINDS[type(value)]} that is nested deeply"


def moment(value: Any) -> float:
    """Return a time in seconds, from seconds or from ISO 8601; all else is an unknown time."""
    if value.__class__ is str:
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            return UNKNOWN
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    if value.__class__ in (int, float) and abs(value) < _FURTHEST:
        return float(value)
    return UNKNOWN


def _one_of(kinds: tuple[type, ...]) -> str:
    return " or ".join(_KINDS[kind] for kind in kinds)


def _wrong(record: Record, key: str, requested: str) -> Wrong:
    if key not in record:
        return Wrong(f"there is no key {show(key)}")
    return Wrong(f"{show(key)} must be {requested}, got {written(record[key])}")


class _NoLabel:
    """The type of `NO_LABEL`: a value that is not a label, such as an object."""


NO_LABEL: Final = _NoLabel()


def label(value: Any) -> Any:
    """Return the label that a value is.

    A list is a set of choices; null, NaN and an empty text are missing.

    Examples
    --------
    >>> label(["b", "b"])
    frozenset({'b'})
    >>> label({"x": 1}) is NO_LABEL
    True
    """
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str | int | float):
        # Numbers that do not fit into a numeric column are names.
        return str(value) if isinstance(value, int) and abs(value) >= 1 << 63 else value
    if isinstance(value, list):
        known = all(
            isinstance(element, str | int | float) and element == element for element in value
        )
        return frozenset(value) if known else NO_LABEL
    return NO_LABEL

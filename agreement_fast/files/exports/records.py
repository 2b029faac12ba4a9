"""Read keys of JSON records with checked types, and report the place of errors.

A reader raises `Wrong`, or one of the functions below does. The `Place` around its loop adds the
number of the record, so that records without errors cost nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, TypeVar

from agreement_fast.files.errors import ReadError, show

Record = Mapping[str, Any]
T = TypeVar("T")

#: An unknown time.
UNKNOWN = math.nan

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


class Wrong(Exception):  # noqa: N818
    """An error in a record; the `Place` that catches it adds the number of the record.

    Attributes
    ----------
    argument : str or None
        The option that is the remedy.
    """

    def __init__(self, problem: str, argument: str | None = None) -> None:
        super().__init__(problem)
        self.argument = argument


class Place:
    """Where in a file a reader is; within its block, what is wrong becomes a ReadError.

    `shown`: the file as an error names it.

    Examples
    --------
    >>> with Place("'a'") as place:
    ...     for place.number, record in enumerate([{"label": "x"}, {"label": 3}], 1):
    ...         label = value_of(record, "label", str)
    Traceback (most recent call last):
    agreement_fast.files.errors.ReadError: 'a', record 2: 'label' must be a text, got '3'
    """

    def __init__(self, shown: str) -> None:
        self._shown = shown
        #: Of the record, from 1; the loop over the records counts it. 0 stands for the whole file.
        self.number = 0

    def __str__(self) -> str:
        return f"{self._shown}, record {self.number:,}" if self.number else self._shown

    def __enter__(self) -> Place:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Wrong):
            raise ReadError(f"{self}: {error}", argument=error.argument) from None


def is_position(value: Any) -> bool:
    """Whether a value is an integer that a float holds exactly."""
    return value.__class__ is int and -_FURTHEST <= value <= _FURTHEST


def a_whole_number(record: Record, key: str) -> int:
    """Return the integer under a key, which may be a position."""
    value = record.get(key)
    if value.__class__ is int and -_FURTHEST <= value <= _FURTHEST:
        return value
    raise _wrong(record, key, "a whole number")


def a_number(record: Record, key: str) -> int | float:
    """Return the finite number under a key."""
    value = record.get(key)
    if value.__class__ is int and -_FURTHEST <= value <= _FURTHEST:
        return value
    if value.__class__ is float and math.isfinite(value):
        return value
    raise _wrong(record, key, "a number")


def a_flag(record: Record, key: str) -> bool:
    """Return whether a value is true; false, null and a missing key are not."""
    value = record.get(key)
    if value is None or value.__class__ is bool:
        return bool(value)
    raise _wrong(record, key, "true or false")


def a_name(record: Record, key: str) -> str | int:
    """Return the text, which is not empty, or the integer under a key."""
    value = record.get(key)
    if value.__class__ is int or (value.__class__ is str and value):
        return value
    raise _wrong(record, key, "a text or a whole number")


def value_of(record: Record, key: str, *kinds: type[T]) -> T:
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


def label_of(value: Any) -> Any:
    """Return the label that a value is.

    A list is a set of choices; null, NaN and an empty text are missing.

    Examples
    --------
    >>> label_of(["b", "b"])
    frozenset({'b'})
    >>> label_of({"x": 1}) is NO_LABEL
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

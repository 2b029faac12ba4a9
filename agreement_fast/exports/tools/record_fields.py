"""Keys of JSON records, whose types are checked when they are read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from agreement_fast.files.errors import ReadError, show

__all__ = [
    "UNKNOWN",
    "Wrong",
    "a_flag",
    "a_list",
    "a_name",
    "a_number",
    "a_text",
    "an_object",
    "located",
    "moment",
]

#: A time that is not known.
UNKNOWN = math.nan

#: The largest integer that a float holds exactly: no position is larger.
_FURTHEST = 1 << 53


class Wrong(Exception):  # noqa: N818
    """What is wrong with a record; whoever knows which record it is adds the place."""


@contextmanager
def located(where: str) -> Iterator[None]:
    """Turn what is wrong with a record into a ReadError that names its place."""
    try:
        yield
    except Wrong as wrong:
        raise ReadError(f"{where}: {wrong}") from None


def _wrong(record: dict[str, Any], key: str, wanted: str) -> Wrong:
    if key not in record:
        return Wrong(f"there is no key {show(key)}")
    value = record[key]
    # A value may be large, and is not written out to be cut.
    got = type(value).__name__ if isinstance(value, dict | list) else show(json.dumps(value))
    return Wrong(f"{show(key)} must be {wanted}, got {_KINDS.get(got, got)}")


_KINDS = {"dict": "an object", "list": "a list"}


def an_object(record: dict[str, Any], key: str) -> dict[str, Any]:
    """Give the object under a key."""
    value = record.get(key)
    if value.__class__ is dict:
        return value
    raise _wrong(record, key, "an object")


def a_list(record: dict[str, Any], key: str) -> list[Any]:
    """Give the list under a key."""
    value = record.get(key)
    if value.__class__ is list:
        return value
    raise _wrong(record, key, "a list")


def a_text(record: dict[str, Any], key: str) -> str:
    """Give the text under a key."""
    value = record.get(key)
    if value.__class__ is str:
        return value
    raise _wrong(record, key, "a text")


def a_number(record: dict[str, Any], key: str) -> int | float:
    """Give the finite number under a key."""
    value = record.get(key)
    if value.__class__ is int and -_FURTHEST <= value <= _FURTHEST:
        return value
    if value.__class__ is float and math.isfinite(value):
        return value
    raise _wrong(record, key, "a number")


def moment(value: Any) -> float:
    """Give a time as seconds, from seconds or from ISO 8601; what is neither is unknown."""
    if value.__class__ is str:
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            return UNKNOWN
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    if value.__class__ in (int, float) and abs(value) < _FURTHEST:
        return float(value)
    return UNKNOWN


def a_flag(record: dict[str, Any], key: str) -> bool:
    """Give what is true, false, null or not there."""
    value = record.get(key)
    if value is None or value.__class__ is bool:
        return bool(value)
    raise _wrong(record, key, "true or false")


def a_name(record: dict[str, Any], key: str) -> str:
    """Give the text or the integer under a key, as text."""
    value = record.get(key)
    if value.__class__ is str and value:
        return value
    if value.__class__ is int:
        return str(value)
    raise _wrong(record, key, "a text or an integer")

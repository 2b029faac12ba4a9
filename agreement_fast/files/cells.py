"""How values of spreadsheets and statistics files are written as text in their CSV copies."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["WRITE", "in_order", "write_number"]

#: Floats represent all whole numbers up to this one.
_WHOLE = 2.0**53


def write_number(number: float) -> str:
    """Write a number; 1.0 is 1.

    Examples
    --------
    >>> write_number(1.0), write_number(0.1), write_number(1e300)
    ('1', '0.1', '1e+300')
    """
    return str(int(number)) if number.is_integer() and abs(number) <= _WHOLE else repr(number)


def in_order(code: Any) -> tuple[bool, Any]:
    """Return a key that sorts codes, numbers first."""
    return isinstance(code, str), code


def _write_duration(time: dt.timedelta) -> str:
    seconds = time // dt.timedelta(seconds=1)
    return f"PT{seconds // 3600:02}H{seconds // 60 % 60:02}M{seconds % 60:02}S"


#: How to write a value of each type; dates and times as in ISO 8601.
WRITE: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        str: str,
        int: str,
        float: write_number,
        bool: lambda truth: "TRUE" if truth else "FALSE",
        dt.date: dt.date.isoformat,
        dt.datetime: dt.datetime.isoformat,
        dt.time: dt.time.isoformat,
        dt.timedelta: _write_duration,
        type(None): lambda nothing: "",
    }
)

"""How values of spreadsheets and statistics files are written in the copies that are read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["WRITE", "in_order", "write_number"]

#: The last whole number up to which floats hold all.
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
    """Give a key by which codes are sorted: numbers first."""
    return isinstance(code, str), code


def _write_duration(time: dt.timedelta) -> str:
    seconds = time // dt.timedelta(seconds=1)
    return f"PT{seconds // 3600:02}H{seconds // 60 % 60:02}M{seconds % 60:02}S"


#: How a value is written, by its type; dates and times as ISO 8601 has them.
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

"""Names of coders and categories as JSON and back, with their types in Python."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import Any

import numpy as np

from agreement_fast.errors import InputError
from agreement_fast.terminal import escape

__all__ = ["as_json", "from_json"]

#: Types that JSON has.
_OWN = frozenset({str, int, bool})

#: A datetime64 of numpy whose digits imply its unit.
_MOMENT = re.compile(r"-?[0-9]{4,}(-[0-9T:.-]*)?")

#: Zones that the text of a time describes completely; others have a name.
_ZONES = (type(None), datetime.timezone)


def as_json(name: Any, what: str) -> Any:
    """Return a name as JSON; `what` names it in the error if it cannot be stored.

    Examples
    --------
    >>> as_json(("a", 1.5), "category")
    {'tuple': ['a', 1.5]}
    """
    kind = type(name)
    if kind in _OWN or (kind is float and math.isfinite(name)):
        return name
    if kind is float:
        return {"float": repr(name)}
    if kind is tuple:
        return {"tuple": [as_json(element, what) for element in name]}
    if kind is frozenset:
        return {"frozenset": sorted((as_json(one, what) for one in name), key=json.dumps)}
    if kind is Decimal:
        return {"Decimal": str(name)}
    if kind is np.datetime64 and _MOMENT.fullmatch(str(name)):
        return {"datetime64": str(name)}
    if isinstance(name, datetime.datetime) and not getattr(name, "nanosecond", 0):
        # A Timestamp of pandas equals a datetime if it has no nanoseconds.
        kind = datetime.datetime
    if kind is datetime.date or (kind is datetime.datetime and type(name.tzinfo) in _ZONES):
        return {kind.__name__: name.isoformat()}
    raise InputError(
        f"{what} {escape(repr(name))} is of type {kind.__name__}, which cannot be stored",
        "make it text, a number, a date, or a tuple or frozenset of these",
    )


def from_json(value: Any) -> Hashable:
    """Return the name that `as_json` wrote.

    Raises
    ------
    ValueError
        If the value is not what `as_json` writes.
    """
    if type(value) in _OWN or (type(value) is float and math.isfinite(value)):
        return value  # type: ignore[no-any-return]
    if isinstance(value, dict) and len(value) == 1:
        ((kind, content),) = value.items()
        try:
            name = _READ[kind](content)
            if name == name and as_json(name, "name") == value:
                return name
        except (KeyError, TypeError, ValueError, ArithmeticError):
            pass
    raise InputError(f"{value!r} is not a name")


def _elements(content: Any) -> list[Hashable]:
    if not isinstance(content, list):
        raise TypeError
    return [from_json(element) for element in content]


def _moment(content: Any) -> Hashable:
    # numpy also reads "now" as a time.
    return np.datetime64(content if _MOMENT.fullmatch(content) else "NaT")


_READ: dict[str, Callable[[Any], Hashable]] = {
    "float": float,
    "tuple": lambda content: tuple(_elements(content)),
    "frozenset": lambda content: frozenset(_elements(content)),
    "Decimal": Decimal,
    "date": datetime.date.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "datetime64": _moment,
}

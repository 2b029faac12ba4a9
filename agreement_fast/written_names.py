"""Names of coders and categories as JSON, and back: with the types that they have in Python."""

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

#: What JSON has itself.
_OWN = frozenset({str, int, bool})

#: A moment of numpy, whose unit its digits tell.
_MOMENT = re.compile(r"-?[0-9]{4,}(-[0-9T:.-]*)?")

#: Zones of which the text of a time tells all; others have a name.
_ZONES = (type(None), datetime.timezone)


def as_json(name: Any, what: str) -> Any:
    """A name as JSON; `what` it names is said where it cannot be.

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
        # A Timestamp of pandas is equal to the moment of Python, as long as that can tell it.
        kind = datetime.datetime
    if kind is datetime.date or (kind is datetime.datetime and type(name.tzinfo) in _ZONES):
        return {kind.__name__: name.isoformat()}
    raise InputError(
        f"{what} {escape(repr(name))} is of type {kind.__name__}, which cannot be stored",
        "make it text, a number, a date, or a tuple or frozenset of these",
    )


def from_json(value: Any) -> Hashable:
    """The name that `as_json` wrote.

    Raises
    ------
    ValueError
        It wrote no such thing.
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
    raise InputError(f"{value!r} is no name")


def _elements(content: Any) -> list[Hashable]:
    if not isinstance(content, list):
        raise TypeError
    return [from_json(element) for element in content]


def _moment(content: Any) -> Hashable:
    # numpy takes "now" for a moment, too.
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

"""Values of a record by their keys: what is missing or of another type is an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agreement_fast.files.errors import ReadError, show

__all__ = ["expect", "value_of", "written"]

_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def value_of(record: Mapping[str, Any], key: str, where: str, *kinds: type) -> Any:
    """Give the value of a key, which must be there and be of one of the types.

    Parameters
    ----------
    record : mapping
    key : str
    where : str
        The record as an error names it.
    *kinds : type
        Of JSON; true and false are no numbers.
    """
    if key not in record:
        raise ReadError(f"{where} has no {show(key)}")
    return expect(record[key], f"{where}: {show(key)}", *kinds)


def expect(value: Any, what: str, *kinds: type) -> Any:
    """Give a value, which must be of one of the types."""
    if type(value) in kinds:
        return value
    wanted = " or ".join(_KINDS[kind] for kind in kinds)
    raise ReadError(f"{what} must be {wanted}, got {written(value)}")


def written(value: Any) -> str:
    """Write a value of JSON as an error shows it."""
    # A value that is nested deeply is not written whole.
    if isinstance(value, list | dict) and len(value) > 20:
        return f"{_KINDS[type(value)]} of {len(value):,}"
    try:
        return show(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return f"{_KINDS[type(value)]} that is nested deeply"

"""Values as JSON has them."""

from __future__ import annotations

import math
from typing import Any


def json_label(label: Any) -> Any:
    """Return a label as JSON has it: a set as its sorted elements."""
    if isinstance(label, frozenset):
        return sorted(str(element) for element in label)
    if isinstance(label, float) and not math.isfinite(label):
        return str(label)
    return label if isinstance(label, str | bool | int | float) else str(label)


def json_number(number: float | None) -> float | None:
    """Return a number as JSON has it: None for NaN and infinity."""
    return None if number is None or not math.isfinite(number) else float(number)


def json_fields(of: Any, names: str) -> dict[str, Any]:
    """Return attributes as JSON has them, None for NaN and infinity.

    A name is that of an attribute, or "name=attribute" for another name in JSON.

    Examples
    --------
    >>> json_fields(1 + 2j, "real i=imag")
    {'real': 1.0, 'i': 2.0}
    """
    pairs = (name.partition("=") for name in names.split())
    values = {name: getattr(of, attribute or name) for name, _, attribute in pairs}
    return {
        name: json_number(value) if isinstance(value, float) else value
        for name, value in values.items()
    }

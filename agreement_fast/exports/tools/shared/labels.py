"""JSON values as labels."""

from __future__ import annotations

import math
from typing import Any, Final

__all__ = ["NO_LABEL", "label_of"]


class _NoLabel:
    """The type of `NO_LABEL`: a value that is not a label, such as an object."""


NO_LABEL: Final = _NoLabel()


def label_of(value: Any) -> Any:
    """Return the label that a value is.

    Returns
    -------
    str, int, float, bool, frozenset, None or NO_LABEL
        A list is a set of choices; null and NaN are missing; an empty text is missing, too.

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
        known = all(isinstance(one, str | int | float) and one == one for one in value)
        return frozenset(value) if known else NO_LABEL
    return NO_LABEL

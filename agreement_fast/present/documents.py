"""Results as JSON has them: an attribute by its name, a table as a list of its rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agreement_fast.present.tables import Tabular


def json_label(label: Any) -> Any:
    """Return a label as JSON has it: a set as its sorted elements."""
    if isinstance(label, frozenset):
        return sorted(str(element) for element in label)
    if isinstance(label, float) and not math.isfinite(label):
        return str(label)
    return label if isinstance(label, str | bool | int | float) else str(label)


def json_value(value: Any) -> Any:
    """Return a value as JSON has it: None for NaN and infinity, a list of several values.

    A table is a list of its rows, and a result that is one row is an object. A label that is a
    tuple is written as text.

    Examples
    --------
    >>> json_value((0.5, math.nan, {"n": [1, 2]}, frozenset({"b", "a"}), (1, 2)))
    [0.5, None, {'n': [1, 2]}, ['a', 'b'], '(1, 2)']
    """
    if type(value) in (bool, int, str):
        return value
    from agreement_fast.present.tables import Row, Tabular

    if isinstance(value, Tabular):
        rows = json_rows(value)
        return rows[0] if isinstance(value, Row | float) else rows
    if hasattr(value, "_fields"):  # of a named tuple
        value = dict(zip(value._fields, value, strict=True))
    if isinstance(value, Mapping):
        return {str(key): json_value(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [str(entry) if type(entry) is tuple else json_value(entry) for entry in value]
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return json_label(value)


def json_rows(table: Tabular) -> list[dict[str, Any]]:
    """Return a table as JSON has it: an object for each row, null for undefined values."""
    columns = table.to_dict()
    rows = zip(*map(json_value, columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def json_fields(of: Any, names: str) -> dict[str, Any]:
    """Return attributes as JSON has them, by their names.

    Examples
    --------
    >>> json_fields(1 + 2j, "real imag")
    {'real': 1.0, 'imag': 2.0}
    """
    return {name: json_value(getattr(of, name)) for name in names.split()}

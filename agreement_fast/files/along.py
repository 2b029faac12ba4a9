"""The text that a column holds about each item, read along with the judgments."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.tables import LongTable, WideTable

__all__ = ["said_of_items", "texts_of_items"]


def said_of_items(table: LongTable | WideTable, column: str) -> dict[Any, str | None]:
    """Return the cell of each item in a column; None if the cell is empty.

    Parameters
    ----------
    table : LongTable or WideTable
    column : str
        One of the columns requested by `along`.

    Raises
    ------
    ReadError
        If rows of one item have different cells.
    """
    coded = table.along[column]
    said: list[str | None] = coded.decode().tolist()
    if isinstance(table, WideTable):
        items = range(len(said)) if table.items is None else table.items.decode().tolist()
        return dict(zip(items, said, strict=True))
    rows = table.items.codes
    names = table.items.values
    first = np.full(len(names), len(rows), np.int64)
    np.minimum.at(first, rows, np.arange(len(rows)))
    unlike = np.flatnonzero(coded.codes != coded.codes[first[rows]])
    if len(unlike):
        row = int(unlike[0])
        two = (said[first[rows[row]]], said[row])
        shown = ["nothing" if one is None else show(one) for one in two]
        raise ReadError(
            f"column {show(column)} has both {shown[0]} and {shown[1]} for item"
            f" {show(str(names[rows[row]]))}: all rows of an item must have the same value"
        )
    there = np.flatnonzero(first < len(rows))
    return {names[i]: said[first[i]] for i in there.tolist()}


def texts_of_items(table: LongTable | WideTable, column: str) -> tuple[dict[Any, str], int]:
    """Return the first text of each item that has one, and the number of items with several.

    Parameters
    ----------
    table : LongTable or WideTable
    column : str
        One of the columns requested by `along`.
    """
    coded = table.along[column]
    there = np.flatnonzero(coded.codes >= 0)
    texts = coded.values.tolist()
    if isinstance(table, WideTable):
        names: Any = range(len(coded.codes)) if table.items is None else table.items.decode()
        found = {names[row]: texts[coded.codes[row]] for row in there.tolist()}
        return found, 0
    items, places = np.unique(table.items.codes[there], return_index=True)
    first = coded.codes[there[places]]
    unlike = coded.codes[there] != first[np.searchsorted(items, table.items.codes[there])]
    n_several = len(np.unique(table.items.codes[there[unlike]]))
    values = table.items.values
    return {values[i]: texts[k] for i, k in zip(items, first, strict=True)}, n_several

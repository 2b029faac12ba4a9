"""What a column that was read along says of each item."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.tables import LongTable, WideTable

__all__ = ["said_of_items", "texts_of_items"]


def said_of_items(table: LongTable | WideTable, column: str) -> dict[Any, str | None]:
    """Give the cell of each item in a column; None where it is empty.

    Parameters
    ----------
    table : LongTable or WideTable
    column : str
        One of those asked for as `along`.

    Raises
    ------
    ReadError
        Rows of one item have different cells.
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
            f"column {show(column)} says {shown[0]} and {shown[1]} of item"
            f" {show(str(names[rows[row]]))}: it must say the same in all rows of an item"
        )
    there = np.flatnonzero(first < len(rows))
    return {names[i]: said[first[i]] for i in there.tolist()}


def texts_of_items(table: LongTable | WideTable, column: str) -> tuple[dict[Any, str], int]:
    """Give the first text of each item that has one, and how many items have several.

    Parameters
    ----------
    table : LongTable or WideTable
    column : str
        One of those asked for as `along`.
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

"""Keys of items, and other columns, in a table of one judgment per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.errors import InputError, Phrase
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python, encode
from agreement_fast.reading.tables import judgment_column

__all__ = ["joined_key", "said_of_items"]


def joined_key(columns: Sequence[Any]) -> Any:
    """Return several columns as one of tuples; a single column is returned unchanged."""
    if len(columns) == 1:
        return columns[0]
    numbered = [encode_ids(judgment_column(column, "items"), "item") for column in columns]
    keys = np.zeros(len(numbered[0][0]), np.int64)
    for codes, names in numbered:
        keys, _ = encode_ids(keys * max(len(names), 1) + codes, "item")
        keys = keys.astype(np.int64)
    first = np.unique(keys, return_index=True)[1]
    parts = [
        [as_python(names[code]) for code in codes[first].tolist()] for codes, names in numbered
    ]
    return Dictionary(keys.astype(np.int32), list(zip(*parts, strict=True)), False, True)


def said_of_items(items: Any, column: Any, name: str) -> list[Any]:
    """Return the value of a column for each item; None if it is empty in all rows of the item.

    Items are in order of first appearance, as `encode_ids` numbers them.
    """
    item_codes, names = encode_ids(judgment_column(items, "items"), "item")
    raw, values = encode(judgment_column(column, "along"), None, None, lambda place: f"row {place}")
    codes = raw.codes(len(values)).reshape(-1).astype(np.int64)
    given = np.flatnonzero(codes >= 0)
    out = np.full(len(names), -1, np.int64)
    # Assigning in reverse order keeps the first row of each item.
    out[item_codes[given[::-1]]] = codes[given[::-1]]
    unlike = given[out[item_codes[given]] != codes[given]]
    if len(unlike):
        item = as_python(names[item_codes[unlike[0]]])
        two = (values[out[item_codes[unlike[0]]]], values[codes[unlike[0]]])
        raise InputError(
            (
                Phrase("item", f"item {item!r}", item),
                f" has {two[0]!r} and {two[1]!r} in column {name!r}",
            ),
            "it must say the same in all rows of an item",
            argument="along",
        )
    listed = [*values, None]
    return [listed[code] for code in out.tolist()]

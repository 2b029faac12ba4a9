"""Which of a coder's judgments of an item came first, and the columns that are keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python, encode, missing_values
from agreement_fast.reading.parts import Options
from agreement_fast.reading.repeats import ORDERED
from agreement_fast.reading.tables import judgment_column


def check_order(items: Any, coders: Any, texts: Any, times: Array | None, options: Options) -> None:
    """Refuse repeated judgments if the order does not say which came first and it matters.

    `times` (int (n,), or None): ascending; equal for rows that the order does not distinguish. None
    if there is no order.
    """
    duplicates, repeats_of = options.duplicates, options.repeats_of
    if times is None or (duplicates not in ORDERED and repeats_of is None):
        return
    if not len(times) or times[-1] == len(times) - 1:  # all rows differ
        return
    item_codes, item_names = encode_ids(judgment_column(items, "items"), "item")
    coder_codes, coder_names = encode_ids(judgment_column(coders, "coders"), "coder")
    raw, values = encode(
        judgment_column(texts, "labels"),
        missing_values(options.missing, None, options.set_separator),
        None,
        lambda place: f"judgment {place}",
        separator=options.set_separator,
    )
    labels = raw.codes(len(values)).reshape(-1)
    taken = labels >= 0
    if repeats_of is not None:
        own = [i for i, name in enumerate(coder_names) if name == repeats_of]
        taken &= np.isin(coder_codes, own)
    rows = np.flatnonzero(taken)
    if not len(rows):
        return
    pairs = item_codes[rows].astype(np.int64) * len(coder_names) + coder_codes[rows]
    by_pair = np.argsort(pairs, kind="stable")
    rows, pairs = rows[by_pair], pairs[by_pair]
    new_pair = np.append(True, pairs[1:] != pairs[:-1])
    new_time = np.append(True, times[rows][1:] != times[rows][:-1]) | new_pair
    start = np.flatnonzero(new_time)
    several = np.maximum.reduceat(labels[rows], start) != np.minimum.reduceat(labels[rows], start)
    opens = new_pair[start]
    if duplicates == "first":
        several &= opens
    elif duplicates == "last":
        several &= np.append(opens[1:], True)
    if not several.any():
        return
    row = rows[start[np.argmax(several)]]
    name, coder = as_python(item_names[item_codes[row]]), as_python(coder_names[coder_codes[row]])
    raise InputError(
        (
            f"coder {coder!r} has several labels for ",
            Phrase("item", f"item {name!r}", name),
            f" with the same {options.order!r}, which does not say which came first",
        ),
        ("name a column by ", Argument("order"), " whose values differ"),
        argument="order",
    )


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


def labels_of_items(items: Any, column: Any, name: str) -> list[Any]:
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

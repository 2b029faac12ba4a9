"""Judgments without a row: a coder gave an item no code, which means the empty set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agreement_fast.files.errors import ReadError
from agreement_fast.files.tables import Coded, LongTable, WideTable

__all__ = ["with_empty_sets"]

#: Largest number of items x coders to fill; each takes a byte.
MOST_CELLS = 1 << 28


def with_empty_sets(
    table: LongTable | WideTable, coders: Sequence[Any], empty: Any
) -> tuple[LongTable | WideTable, int]:
    """Add an empty set for each coder and item of the table without a label.

    Parameters
    ----------
    table : LongTable or WideTable
    coders : sequence
        The coders who judged every item, for a long table.
    empty : object
        The label that stands for the empty set.

    Returns
    -------
    LongTable or WideTable
        Without the rows that have no label; in a long table, empty sets are the last rows.
    int
        The number of sets that were added.
    """
    values = np.empty(len(table.labels.values) + 1, object)
    values[:-1] = table.labels.values.tolist()
    values[-1] = empty
    code = len(values) - 1
    if isinstance(table, WideTable):
        absent = table.labels.codes < 0
        codes = np.where(absent, code, table.labels.codes).astype(np.int32)
        return replace(table, labels=Coded(codes, values)), int(absent.sum())
    names = np.empty(len(coders), object)
    names[:] = list(coders)
    place = {name: i for i, name in enumerate(names.tolist())}
    of_coder = np.array([place[name] for name in table.coders.values.tolist()], np.int32)
    n_items = len(table.items.values)
    if n_items * len(names) > MOST_CELLS:
        raise ReadError(
            f"{n_items:,} items x {len(names):,} coders are too many to fill with empty sets: write"
            " a row for each judgment, with a label for no code and --empty-set"
        )
    judged = np.flatnonzero(table.labels.codes >= 0)
    rows_of_coders = of_coder[table.coders.codes]
    lacking = np.zeros((n_items, len(names)), bool)
    lacking[table.items.codes] = True  # values may hold items of other groups
    lacking[table.items.codes[judged], rows_of_coders[judged]] = False
    items, added = (found.astype(np.int32) for found in np.nonzero(lacking))
    weights = table.weights
    if weights is not None:
        of_items = np.ones(n_items, np.int64)
        of_items[table.items.codes] = weights
        weights = np.concatenate([weights[judged], of_items[items]])

    def longer(codes: Any, more: Any, of: Any) -> Coded:
        return Coded(np.concatenate([codes[judged], more]).astype(np.int32), of)

    filled = replace(
        table,
        items=longer(table.items.codes, items, table.items.values),
        coders=longer(rows_of_coders, added, names),
        labels=longer(table.labels.codes, np.full(len(items), code), values),
        weights=weights,
        groups=None,
        along={},
    )
    return filled, len(items)

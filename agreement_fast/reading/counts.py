"""Tables of counts: of items × categories, and of two coders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.errors import InputError
from agreement_fast.patterns import as_table, count_rows, key_histogram, narrow
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.tables import (
    checked_names,
    column_categories,
    count_table,
    item_weights,
    row_names,
)
from agreement_fast.tables import Matrix

__all__ = ["read_contingency", "read_counts"]


def read_counts(counts: Any, categories: Any, items: Sequence[Any] | None, weights: Any) -> Parts:
    """Read an agreement table; see `Annotations.from_counts`."""
    table, names = count_table(counts, "the agreement table")
    n_rows, K = table.shape
    names_of_items = row_names(counts, n_rows, items)
    frequencies = item_weights(weights, names_of_items)
    patterns = None
    if table.dtype == np.int8:
        grouped = key_histogram(table, frequencies, 0, int(table.max(initial=0)) + 1)
        patterns = None if grouped is None else count_rows(*grouped)
    return Parts(
        categories=column_categories(categories, names, K, "the agreement table"),
        declared=True,
        items=names_of_items,
        coders=None,
        counts=table,
        patterns=patterns,
        weights=frequencies,
        missing=0,
    )


def read_contingency(table: Any, categories: Any, coders: Sequence[Any] | None) -> Parts:
    """Read two coders' contingency table; see `Annotations.from_contingency`."""
    counts, names = count_table(table, "the contingency table")
    if counts.shape[0] != counts.shape[1]:
        raise InputError(
            f"a contingency table is square, this one has {counts.shape[0]} rows and "
            f"{counts.shape[1]} columns"
        )
    if isinstance(table, Matrix) and coders is None and table.row_title != table.column_title:
        coders = (table.row_title, table.column_title)
    first, second = np.nonzero(counts)
    cells = counts[first, second].astype(np.int64)
    cells.flags.writeable = False
    codes = np.column_stack([first, second]).astype(narrow(len(counts)))
    return Parts(
        categories=column_categories(categories, names, len(counts), "the contingency table"),
        declared=True,
        items=range(len(cells)),
        coders=range(2) if coders is None else checked_names(coders, 2, "coders", "side"),
        rows=as_table(codes, cells),
        weights=cells,
        missing=0,
    )

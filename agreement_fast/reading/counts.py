"""Tables of counts: items × categories, and the contingency table of two coders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.errors import Argument, InputError
from agreement_fast.patterns import as_table, count_rows, key_histogram, narrow
from agreement_fast.reading import frames
from agreement_fast.reading.marginals import Counted, read_marginals
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.proportions import counts_of_proportions, refuse_proportions
from agreement_fast.reading.tables import (
    checked_names,
    column_categories,
    count_table,
    item_weights,
    row_names,
)
from agreement_fast.tables import Matrix

__all__ = ["read_contingency", "read_counts"]


def read_counts(
    counts: Any,
    categories: Any,
    items: Sequence[Any] | None,
    weights: Any,
    coder_counts: Any = None,
    single_counts: Any = None,
    coders: Sequence[Any] | None = None,
) -> Parts:
    """Read an agreement table; see `Annotations.from_counts`."""
    counts = frames.at_hand(counts)
    table, names = count_table(counts, "the agreement table")
    n_rows, K = table.shape
    names_of_items = row_names(counts, n_rows, items)
    frequencies = item_weights(weights, names_of_items)
    patterns = None
    if table.dtype == np.int8:
        grouped = key_histogram(table, frequencies, 0, int(table.max(initial=0)) + 1)
        patterns = None if grouped is None else count_rows(*grouped)
    found = column_categories(categories, names, K, "the agreement table")
    marginals = None
    if coder_counts is not None:
        counted = Counted(table, frequencies, names_of_items, found, names)
        coders, marginals = read_marginals(counted, coder_counts, single_counts, coders)
    else:
        _refuse_no_marginals(coders=coders, single_counts=single_counts)
    return Parts(
        categories=found,
        declared=True,
        items=names_of_items,
        coders=coders,
        counts=table,
        patterns=patterns,
        marginals=marginals,
        weights=frequencies,
        missing=0,
    )


def _refuse_no_marginals(**given: Any) -> None:
    """Refuse arguments about coders if nothing is known of the coders."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                (Argument(name), " describes coders, but counts do not say who they are"),
                ("pass ", Argument("coder_counts"), ", too: how often each used each category"),
                argument=name,
            )


def read_contingency(
    table: Any, categories: Any, coders: Sequence[Any] | None, n_items: int | None = None
) -> Parts:
    """Read two coders' contingency table; see `Annotations.from_contingency`."""
    table = frames.at_hand(table)
    if n_items is None:
        refuse_proportions(table)
        counts, names = count_table(table, "the contingency table")
    else:
        counts, names = counts_of_proportions(table, n_items)
    if counts.shape[0] != counts.shape[1]:
        raise InputError(
            f"a contingency table must be square, but this one has {counts.shape[0]} rows and "
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
        unnamed=True,
        coders=range(2) if coders is None else checked_names(coders, 2, "coders", "side"),
        rows=as_table(codes, cells),
        weights=cells,
        missing=0,
    )

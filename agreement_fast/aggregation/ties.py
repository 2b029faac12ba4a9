"""Sets of labels that tie."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.patterns import group_equal


def tie_sets(
    item: Array, label: Array, n_items: int, categories: tuple[Any, ...]
) -> tuple[Array, tuple[tuple[Any, ...], ...]]:
    """Return for each item the index of its set of tied labels in the distinct sets.

    Parameters
    ----------
    item, label : int64 arrays of shape (M,)
        The best labels of each item, ascending by item and label: two or more if they tie.
    n_items : int
    categories : tuple of labels

    Returns
    -------
    codes : int64 array of shape (n_items,)
        -1 if nothing ties.
    sets : tuple of tuples of labels
    """
    n_best = np.bincount(item, minlength=n_items)
    begins = np.cumsum(n_best) - n_best
    codes = np.full(n_items, -1, np.int64)
    sets: list[tuple[Any, ...]] = []
    for size in np.unique(n_best[n_best > 1]).tolist():
        items = np.flatnonzero(n_best == size)
        table = label[begins[items][:, None] + np.arange(size)]
        group, first = group_equal(table)
        codes[items] = len(sets) + group
        sets += [tuple(categories[k] for k in row) for row in table[first].tolist()]
    return codes, tuple(sets)

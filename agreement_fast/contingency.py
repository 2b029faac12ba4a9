"""Contingency tables of pairs of coders."""

from __future__ import annotations

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _pairs
from agreement_fast.arrays import Array
from agreement_fast.patterns import Rows, codes_of_coder, sum_of

#: Words of 64 rows for each coder and category that are counted at a time; they fit the cache.
WORDS = 32


def pair_table(rows: Rows, first: int, second: int, K: int) -> Array:
    """Count items by the labels of two coders: int64 of shape (K, K), weights counted. O(U)."""
    one, two = codes_of_coder(rows, first), codes_of_coder(rows, second)
    both = (one >= 0) & (two >= 0)
    cells = one[both].astype(np.int64) * K + two[both]
    table = np.zeros(K * K, np.int64)
    if rows.weights is None:
        table += np.bincount(cells, minlength=K * K)
    else:
        np.add.at(table, cells, rows.weights[both])
    return table.reshape(K, K)


def pair_tables(rows: Rows, n_coders: int, K: int) -> Array:
    """Return the tables of all pairs: int64 of shape (C (C − 1) / 2, K, K)."""
    shape = (n_coders * (n_coders - 1) // 2, K, K)
    if not (rows.width and rows.weights is None and rows.codes.dtype == np.int8 and K):
        pairs = ((a, b) for a in range(n_coders) for b in range(a + 1, n_coders))
        tables = [pair_table(rows, a, b, K) for a, b in pairs]
        return np.array(tables, np.int64).reshape(shape)

    def work(first: int, last: int) -> Array:
        out = np.zeros(shape, np.int64)
        planes = np.empty(rows.width * K * WORDS, np.uint64)
        _pairs.count_pairs(rows.part(first, last), planes, out)
        return out

    parts = _threads.over_rows(work, rows.n_rows)
    return sum_of(parts)

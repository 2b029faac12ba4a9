"""Matching one to one, with the largest sum of weights."""

from __future__ import annotations

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray


def best_matching(first: Array, second: Array, weights: FloatArray) -> Array:
    """Choose disjoint pairs with the largest sum of weights.

    `first`, `second` (int (n,)): the pairs to choose from, each once. `weights` (float64 (n,)):
    their weights, above 0. Returns bool (n,): which pairs are chosen.

    Kuhn 1955, by scipy's `linear_sum_assignment`, for each connected component separately, so the
    cost depends on the largest component. If several choices have the same sum, the order of the
    pairs decides.

    Examples
    --------
    >>> import numpy as np
    >>> best_matching(np.array([0, 0, 1]), np.array([5, 6, 5]), np.array([0.9, 0.8, 0.7]))
    array([False,  True,  True])
    """
    chosen = np.zeros(len(weights), bool)
    if not len(weights):
        return chosen
    component, row, column = _numbered(first, second)
    order = np.argsort(component, kind="stable")
    begin = np.flatnonzero(np.diff(component[order], prepend=-1))
    size = np.diff(begin, append=len(order))
    chosen[order[begin[size == 1]]] = True
    for start, count in zip(begin[size > 1].tolist(), size[size > 1].tolist(), strict=True):
        place = order[start : start + count]
        chosen[place[_assigned(row[place], column[place], weights[place])]] = True
    return chosen


def _numbered(first: Array, second: Array) -> tuple[Array, Array, Array]:
    """Return the connected component of each pair, and its positions within the component."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, rows = np.unique(first, return_inverse=True)
    right, columns = np.unique(second, return_inverse=True)
    n = len(left) + len(right)
    ends = (rows.astype(np.int32), (len(left) + columns).astype(np.int32))
    graph = coo_array((np.ones(len(rows), np.int8), ends), shape=(n, n)).tocsr()
    component = np.asarray(connected_components(graph, directed=False)[1])
    places = [_within(part) for part in (component[: len(left)], component[len(left) :])]
    return component[rows], places[0][rows], places[1][columns]


def _within(group: Array) -> Array:
    """Return the position of each element within its group."""
    order = np.argsort(group, kind="stable")
    begin = np.flatnonzero(np.diff(group[order], prepend=-1))
    place = np.empty(len(group), np.int64)
    place[order] = np.arange(len(group)) - np.repeat(begin, np.diff(begin, append=len(group)))
    return place


def _assigned(row: Array, column: Array, weights: FloatArray) -> Array:
    """Return the positions of the chosen pairs of one component."""
    from scipy.optimize import linear_sum_assignment

    shape = int(row.max()) + 1, int(column.max()) + 1
    if 1 in shape:
        return np.array([np.argmax(weights)])
    table = np.zeros(shape)
    place = np.full(shape, -1, np.int64)
    table[row, column] = weights
    place[row, column] = np.arange(len(weights))
    result: Array = place[linear_sum_assignment(table, maximize=True)]
    return result[result >= 0]

"""The best one-to-one matching of two kinds of things, where few pairs are possible."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array, FloatArray


def best_matching(first: Array, second: Array, weights: FloatArray) -> Array:
    """Choose pairs so that nobody is in two of them and their weights add up to the most.

    Parameters
    ----------
    first, second : int array of shape (n,)
        The pairs that may be chosen, each once.
    weights : float64 array of shape (n,)
        Above 0.

    Returns
    -------
    bool array of shape (n,)
        Which pairs are chosen.

    Notes
    -----
    Kuhn 1955, by scipy's `linear_sum_assignment`, for each connected component by itself. So the
    cost follows the largest component, and not all that there is. Where several choices have the
    same sum, the order of the pairs decides.

    Examples
    --------
    >>> import numpy as np
    >>> best_matching(np.array([0, 0, 1]), np.array([5, 6, 5]), np.array([0.9, 0.8, 0.7]))
    array([False,  True,  True])
    """
    chosen = np.zeros(len(weights), bool)
    if not len(weights):
        return chosen
    left, rows = np.unique(first, return_inverse=True)
    right, columns = np.unique(second, return_inverse=True)
    component = _components(rows, columns, len(left), len(right))
    order = np.argsort(component, kind="stable")
    begin = np.flatnonzero(np.diff(component[order], prepend=-1))
    size = np.diff(begin, append=len(order))
    chosen[order[begin[size == 1]]] = True
    for start, count in zip(begin[size > 1].tolist(), size[size > 1].tolist(), strict=True):
        place = order[start : start + count]
        chosen[place[_assigned(rows[place], columns[place], weights[place])]] = True
    return chosen


def _components(rows: Array, columns: Array, n_rows: int, n_columns: int) -> Array:
    """The connected component of each pair."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (rows.astype(np.int32), (n_rows + columns).astype(np.int32))
    n = n_rows + n_columns
    graph = coo_array((np.ones(len(rows), np.int8), ends), shape=(n, n)).tocsr()
    return np.asarray(connected_components(graph, directed=False)[1])[rows]


def _assigned(rows: Array, columns: Array, weights: FloatArray) -> Array:
    """The places of the chosen pairs of one component."""
    from scipy.optimize import linear_sum_assignment

    left, row = np.unique(rows, return_inverse=True)
    right, column = np.unique(columns, return_inverse=True)
    if len(left) == 1 or len(right) == 1:
        return np.array([np.argmax(weights)])
    table = np.zeros((len(left), len(right)))
    place = np.full(table.shape, -1, np.int64)
    table[row, column] = weights
    place[row, column] = np.arange(len(weights))
    found: Array = place[linear_sum_assignment(table, maximize=True)]
    return found[found >= 0]

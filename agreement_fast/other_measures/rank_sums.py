"""Sums over pairs of points by their order, without visiting the pairs."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array, FloatArray


def sign_sums(x: FloatArray, weights: Array, values: FloatArray) -> FloatArray:
    """Compute Σ_j w_j v_j sign(x_j − x_k) for each point k. O(P log P).

    Examples
    --------
    >>> sign_sums(np.array([1.0, 2.0, 2.0]), np.array([1, 1, 3]), np.ones(3)).tolist()
    [4.0, -1.0, -1.0]
    """
    found, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights * values, len(found))
    upto = np.cumsum(sums)
    total = upto[-1] if len(upto) else 0.0
    return np.asarray((total - upto - (upto - sums))[place])


def centred_ranks(x: FloatArray, weights: Array) -> FloatArray:
    """Count the points below each point minus those above: twice its mid-rank, centred at 0."""
    return -sign_sums(x, weights, np.ones(len(x)))


def concordance(x: FloatArray, y: FloatArray, weights: Array) -> FloatArray:
    """Compute Σ_j w_j sign(x_k − x_j) sign(y_k − y_j) for each point k. O(P log P).

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> concordance(x, y, np.ones(3, np.int64)).tolist()
    [2.0, 0.0, 0.0]
    """
    w = weights.astype(np.float64)
    x_below, x_alike = _below_and_alike(np.zeros(len(x)), x, w)
    y_below, y_alike = _below_and_alike(np.zeros(len(y)), y, w)
    # Lower in one and equal in the other; equal in both.
    lower_alike, both_alike = _below_and_alike(y, x, w)
    alike_lower, _ = _below_and_alike(x, y, w)
    both_lower = lower_in_both(x, y, weights)
    lower_higher = x_below - both_lower - lower_alike
    higher_lower = y_below - both_lower - alike_lower
    not_higher = both_lower + lower_alike + alike_lower + both_alike
    both_higher = w.sum() - (x_below + x_alike) - (y_below + y_alike) + not_higher
    return np.asarray(both_lower + both_higher - lower_higher - higher_lower)


def _below_and_alike(
    group: FloatArray, x: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sum the weights of the lower and of the equal points in each point's group."""
    n = len(x)
    order = np.lexsort((x, group))
    upto = np.concatenate([[0.0], np.cumsum(weights[order])])
    new_group = np.ones(n, bool)
    new_group[1:] = group[order[1:]] != group[order[:-1]]
    new = new_group.copy()
    new[1:] |= x[order[1:]] != x[order[:-1]]
    run = np.cumsum(new) - 1
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], n)
    group_begin = np.flatnonzero(new_group)[np.cumsum(new_group) - 1]
    below, alike = np.empty(n), np.empty(n)
    below[order] = upto[begin[run]] - upto[group_begin]
    alike[order] = upto[end[run]] - upto[begin[run]]
    return below, alike


def lower_in_both(x: FloatArray, y: FloatArray, weights: Array) -> FloatArray:
    """Sum the weights of the points that are lower than each point in x and in y.

    The points are sorted by y and split by one bit of their place in x at a time, as in a wavelet
    tree. A point of the lower half that stands before a point of the upper half is lower in both.
    Ties are sorted in descending order, so that no tied point counts as lower.
    """
    n = len(x)
    column = np.empty(n, np.int64)
    column[np.lexsort((-y, x))] = np.arange(n)
    order = np.lexsort((-column, y))
    place, weight = column[order], weights[order].astype(np.float64)
    found = np.zeros(n)
    for bit in reversed(range(max(n - 1, 0).bit_length())):
        upper = (place >> bit) & 1 == 1
        # All blocks of places but the last are full, so a block starts at its first place.
        start = place >> (bit + 1) << (bit + 1)
        lower_weight = np.concatenate([[0.0], np.cumsum(np.where(upper, 0.0, weight))])
        here = np.arange(n)
        found += np.where(upper, lower_weight[here] - lower_weight[start], 0.0)
        lower_count = np.concatenate([[0], np.cumsum(~upper)])
        before = lower_count[here] - lower_count[start]
        within = np.where(upper, here - start - before, before)
        moved = np.empty(n, np.int64)
        moved[(place >> bit << bit) + within] = here
        place, weight, found = place[moved], weight[moved], found[moved]
    return np.asarray(found[column])

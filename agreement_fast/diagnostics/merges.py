"""The choice of the next merge of categories, for many tables of coincidences at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray

#: The share of all pairs below which the remainder is a rounding error.
NOTHING = 1e-12


class Merges(NamedTuple):
    """Merges of K categories in R tables, K − 2 each; a group has the index of its first category.

    Attributes
    ----------
    first, second : int array of shape (R, K - 2)
        The merged groups; equal if a table has nothing left to merge.
    height : float64 array of shape (R, K - 2)
        Their distance; NaN if there is none.
    n_categories : int
        The number of categories, K.
    """

    first: Array
    second: Array
    height: FloatArray
    n_categories: int


def by_gain(coincidences: FloatArray) -> Merges:
    """Merge the two groups that give the highest α (nominal), step by step."""
    o = coincidences.copy()
    R, K, _ = o.shape
    every, counts = np.arange(R), o.sum(2)
    total = counts.sum(1)
    apart = total - np.trace(o, axis1=1, axis2=2)
    chance = total**2 - (counts**2).sum(1)
    j, l = np.triu_indices(K, 1)  # noqa: E741
    alive = np.ones((R, K), bool)
    first, second = np.zeros((2, R, K - 2), np.int64)
    for step in range(K - 2):
        met, product = 2 * o[:, j, l], 2 * counts[:, j] * counts[:, l]
        left = chance[:, None] - product
        value = np.full(left.shape, -np.inf)
        possible = alive[:, j] & alive[:, l] & (left > NOTHING * total[:, None] ** 2)
        np.divide((1 - total)[:, None] * (apart[:, None] - met), left, out=value, where=possible)
        best = value.argmax(1)
        done = possible[every, best]
        into, gone = j[best], np.where(done, l[best], j[best])
        first[:, step], second[:, step] = into, gone
        at, into, gone, best = every[done], into[done], gone[done], best[done]
        apart[at] -= met[at, best]
        chance[at] -= product[at, best]
        counts[at, into] += counts[at, gone]
        o[at, into] += o[at, gone]
        o[at, :, into] += o[at, :, gone]
        alive[at, gone] = False
    return Merges(first, second, np.full(first.shape, np.nan), K)


def by_confusion(coincidences: FloatArray, linkage: Any) -> Merges:
    """Cluster by the distance 1 − 2 o_jl / (n_j + n_l) with scipy's hierarchical clustering."""
    from scipy.cluster import hierarchy

    R, K, _ = coincidences.shape
    counts = coincidences.sum(2)
    j, l = np.triu_indices(K, 1)  # noqa: E741
    either = counts[:, j] + counts[:, l]
    met = np.zeros(either.shape)
    np.divide(2 * coincidences[:, j, l], either, out=met, where=either > 0)
    apart = np.clip(1 - met, 0, None)
    first, second = np.zeros((2, R, K - 2), np.int64)
    height = np.zeros((R, K - 2))
    for r in range(R):
        lead = list(range(K))  # the first category of each of scipy's clusters
        for step, (a, b, distance, _) in enumerate(hierarchy.linkage(apart[r], linkage).tolist()):
            ends = sorted((lead[int(a)], lead[int(b)]))
            lead.append(ends[0])
            if step < K - 2:
                first[r, step], second[r, step] = ends
                height[r, step] = distance
    return Merges(first, second, height, K)


def members_of(merges: Merges, place: int) -> list[tuple[list[int], list[int]]]:
    """Return the categories of both groups of each merge of one table."""
    groups = {k: [k] for k in range(merges.n_categories)}
    found = []
    for a, b in zip(merges.first[place].tolist(), merges.second[place].tolist(), strict=True):
        if a == b:
            break
        found.append((groups[a], groups[b]))
        groups[a] = groups[a] + groups[b]
    return found


def group_codes(merges: Merges, codes: Array) -> Array:
    """Return a number for each new group, equal for equal categories; 0 if there is no merge."""
    R, n_steps = merges.first.shape
    every, own = np.arange(R), np.repeat(codes[None], R, axis=0)
    found = np.zeros((R, n_steps), codes.dtype)
    for step in range(n_steps):
        a, b = merges.first[:, step], merges.second[:, step]
        done = a != b
        own[every[done], a[done]] += own[every[done], b[done]]
        found[done, step] = own[every[done], a[done]]
    return found

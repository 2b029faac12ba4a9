"""One-to-one matching of the units of two coders, and the places that both marked."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum


class Marked(NamedTuple):
    """What a coder marked: pieces in the order of their units, and the units' groups.

    Attributes
    ----------
    unit, start, end : int64 arrays of shape (n,)
        Of each piece, in the order of the units and of their places.
    group : int64 array
        Of each unit; only units of one group can match.
    """

    unit: Array
    start: Array
    end: Array
    group: Array

    @property
    def first(self) -> Array:
        """Where the pieces of each unit begin."""
        return np.searchsorted(self.unit, np.arange(len(self.group)))

    @property
    def sizes(self) -> Array:
        """How many pieces each unit has."""
        return np.bincount(self.unit, minlength=len(self.group))


def marked_by_coder(data: Continuum, groups: Array) -> list[Marked]:
    """Give what each coder marked, with the group of each row."""
    names = np.arange(data.n_pieces) if data.unit is None else data.unit
    order = np.lexsort((data.start, names, data.coder))
    bounds = np.searchsorted(data.coder[order], np.arange(data.n_coders + 1)).tolist()
    found = []
    for first, last in pairwise(bounds):
        rows = order[first:last]
        _, at, unit = np.unique(names[rows], return_index=True, return_inverse=True)
        found.append(Marked(unit.reshape(-1), data.start[rows], data.end[rows], groups[rows[at]]))
    return found


def matched(one: Marked, other: Marked, tolerance: int | None) -> Array:
    """Match the largest number of units one to one, and return the group of each pair.

    Units match if their ends, and those of their pieces, are within the tolerance. If the tolerance
    is None, they match if they have a place in common.
    """
    pairs = _intersecting(one, other) if tolerance is None else _alike(one, other, tolerance)
    if not len(pairs):
        return np.zeros(0, np.int64)
    counts = [np.bincount(side).max() for side in pairs.T]
    chosen = pairs[:, 0]
    if max(counts) > 1:
        # Imported here: it takes a tenth of a second.
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        graph = csr_array(
            (np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])),
            shape=(len(one.group), len(other.group)),
        )
        chosen = np.flatnonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    return np.asarray(one.group[chosen])


def shared(one: Marked, other: Marked) -> tuple[Array, Array]:
    """Give lengths that both marked, and their groups, of places that each marked once."""
    a, b = _candidates(one, other)
    lengths = np.minimum(one.end[a], other.end[b]) - np.maximum(one.start[a], other.start[b])
    return lengths, one.group[one.unit[a]]


def covered(some: Marked) -> Marked:
    """Join units of a group that overlap or touch, so that each place is marked once."""
    order = np.lexsort((some.start, some.group[some.unit]))
    group = some.group[some.unit][order]
    start, end = some.start[order], some.end[order]
    if not len(group):
        return some
    edges = np.unique(np.concatenate([start, end]))
    base = group * (len(edges) + 1)
    begins, reach = base + np.searchsorted(edges, start), base + np.searchsorted(edges, end)
    reach = np.maximum.accumulate(reach)
    fresh = np.concatenate([[True], begins[1:] > reach[:-1]])
    fresh[1:] |= np.diff(group) > 0
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(group)) - 1
    ends = edges[reach[last] - base[last]]
    return Marked(np.arange(len(first)), start[first], ends, group[first])


def _spread(low: Array, high: Array) -> tuple[Array, Array]:
    """Write out ranges: which one each number is of, and the numbers."""
    counts = np.maximum(high - low, 0)
    which = np.repeat(np.arange(len(low)), counts)
    begins = np.cumsum(counts) - counts
    return which, np.arange(len(which)) - begins[which] + low[which]


def _candidates(one: Marked, other: Marked) -> tuple[Array, Array]:
    """Pairs of pieces of one group that have a place in common."""
    edges = np.unique(np.concatenate([other.start, other.end]))
    width = len(edges) + 2
    group = other.group[other.unit]
    order = np.lexsort((other.start, group))
    begins = group[order] * width + np.searchsorted(edges, other.start[order]) + 1
    # Of the pieces up to each one, how far the farthest of its group reaches.
    reach = group[order] * width + np.searchsorted(edges, other.end[order]) + 1
    reach = np.maximum.accumulate(reach)
    own = one.group[one.unit] * width
    low = np.searchsorted(reach, own + np.searchsorted(edges, one.start, "right"), "right")
    high = np.searchsorted(begins, own + np.searchsorted(edges, one.end, "left"), "right")
    a, at = _spread(low, high)
    b = order[at]
    meet = other.end[b] > one.start[a]
    return a[meet], b[meet]


def _intersecting(one: Marked, other: Marked) -> Array:
    a, b = _candidates(one, other)
    pairs = np.column_stack([one.unit[a], other.unit[b]])
    return np.asarray(np.unique(pairs, axis=0) if len(pairs) else pairs)


def _alike(one: Marked, other: Marked, tolerance: int) -> Array:
    """Pairs of units of one group whose pieces start and end within a tolerance."""
    (a_first, a_size), (b_first, b_size) = ((some.first, some.sizes) for some in (one, other))
    starts = other.start[b_first]
    order = np.lexsort((starts, other.group))
    places = np.unique(starts)
    width = len(places) + 1
    keys = other.group[order] * width + np.searchsorted(places, starts[order])
    own, base = one.start[a_first], one.group * width
    low = np.searchsorted(keys, base + np.searchsorted(places, own - tolerance, "left"), "left")
    high = np.searchsorted(keys, base + np.searchsorted(places, own + tolerance, "right"), "left")
    a, at = _spread(low, high)
    b = order[at]
    keep = a_size[a] == b_size[b]
    a, b = a[keep], b[keep]
    for piece in range(int(a_size[a].max(initial=0))):
        has = a_size[a] > piece
        rows = a_first[a[has]] + piece, b_first[b[has]] + piece
        near = np.ones(len(a), bool)
        near[has] = (
            np.maximum(
                np.abs(one.start[rows[0]] - other.start[rows[1]]),
                np.abs(one.end[rows[0]] - other.end[rows[1]]),
            )
            <= tolerance
        )
        a, b = a[near], b[near]
    return np.column_stack([a, b])

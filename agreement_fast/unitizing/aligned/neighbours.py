"""Units of two coders that are near enough to be aligned, without looking at all pairs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity
from agreement_fast.unitizing.aligned.lanes import Lanes

#: By how much windows are wider than the exact bound, which is asked for afterwards.
SLACK = 1e-9


class Neighbours(NamedTuple):
    """For each unit of one coder the near units of another.

    Attributes
    ----------
    first : int64 array of shape (n + 1,)
        The neighbours of the unit at place i of all units stand from first[i] to first[i + 1].
    other : int64 array
    unlike : float64 array
        How unlike the two units are.
    """

    first: Array
    other: Array
    unlike: FloatArray


class Axis:
    """All units by their centres on one axis, document after document."""

    def __init__(self, units: Lanes) -> None:
        self.units = units
        self.length = np.asarray(units.end - units.start, np.float64)
        # Twice the centre: with it |s − s'| + |e − e'| is max(|c − c'|, |l − l'|).
        self.centre = np.asarray(units.start + units.end, np.float64)
        self.order = np.lexsort((self.centre, units.document))
        # Lengths that differ by less than a factor of 2 are looked at together, so that one long
        # unit does not widen the windows of all.
        self.size = np.frexp(self.length)[1]

    def near(self, p: int, q: int, most: float, dissimilarity: Dissimilarity) -> Neighbours:
        """The units of coder q that differ by at most `most` from each of coder p."""
        units = self.units
        left = np.flatnonzero(units.coder == p)
        ours = self.order[units.coder[self.order] == q]
        reach = dissimilarity.reach(most) * (1 + SLACK)
        found = []
        for size in np.unique(self.size[ours]).tolist():
            right = ours[self.size[ours] == size]
            i, j = self._within(left, right, reach * (self.length[left] + 2.0**size))
            unlike = dissimilarity.between(units, i, j)
            keep = unlike <= most
            found.append((i[keep], j[keep], unlike[keep]))
        if not found:
            nothing = np.zeros(0, np.int64)
            found = [(nothing, nothing, np.zeros(0))]
        i, j, unlike = (np.concatenate(parts) for parts in zip(*found, strict=True))
        by_left = np.argsort(i, kind="stable")
        first = np.zeros(len(units.start) + 1, np.int64)
        np.cumsum(np.bincount(i, minlength=len(units.start)), out=first[1:])
        return Neighbours(first, j[by_left], unlike[by_left])

    def _within(self, left: Array, right: Array, window: FloatArray) -> tuple[Array, Array]:
        """All pairs of the same document whose centres are not farther apart than a window."""
        document, centre = self.units.document, self.centre
        begin = np.searchsorted(document[right], document[left], "left")
        stop = np.searchsorted(document[right], document[left], "right")
        if math.isfinite(window.max(initial=0.0)):
            ranks = np.unique(np.concatenate([document[left], document[right]]))
            base = np.zeros(len(ranks) + 1)
            low = np.full(len(ranks), np.inf)
            high = np.full(len(ranks), -np.inf)
            for side in (left, right):
                place = np.searchsorted(ranks, document[side])
                np.minimum.at(low, place, centre[side])
                np.maximum.at(high, place, centre[side])
            np.cumsum(high - low + 1.0, out=base[1:])
            slack = SLACK * max(1.0, float(base[-1]))

            def on_axis(side: Array) -> FloatArray:
                place = np.searchsorted(ranks, document[side])
                return np.asarray(centre[side] - low[place] + base[place], np.float64)

            where, line = on_axis(left), on_axis(right)
            begin = np.maximum(begin, np.searchsorted(line, where - window - slack, "left"))
            stop = np.minimum(stop, np.searchsorted(line, where + window + slack, "right"))
        counts = np.maximum(stop - begin, 0)
        i = np.repeat(np.arange(len(left)), counts)
        j = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts) + begin[i]
        return left[i].astype(np.int64), right[j].astype(np.int64)

"""Unitary alignments that can be part of a best alignment.

A unitary alignment has one unit or none of each coder. Write d for the dissimilarity of two units,
Δ for Δ∅ and c for the number of pairs of coders. Its disorder, times c, is

    cΔ + Σ (d − Δ) over the pairs of its units,

because every other pair of coders costs Δ. Put some of its units into a unitary alignment of their
own: that costs cΔ more, and saves d − Δ for each pair of units that it separates. So if these sum
to more than cΔ, the unitary alignment is in no best alignment. (Mathet, Widlöcher & Métivier
separate all units at once, and find that no disorder is above nΔ; this bound is stricter.)
Alignments are built coder by coder, and dropped as soon as the remaining pairs, at −Δ each, cannot
bring a unit's sum below the bound.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity, Lanes

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


#: What rounding may add to a sum of dissimilarities, as a share of cΔ.
ROUNDING = 1e-9
#: Candidates that can be chosen from in a minute or so.
MOST = 5_000_000


class Candidates(NamedTuple):
    """Unitary alignments to choose from.

    Attributes
    ----------
    members : int64 array of shape (r, n_coders)
        Places of units, −1 for none.
    disorder : float64 array of shape (r,)
    """

    members: Array
    disorder: FloatArray


def candidates(units: Lanes, dissimilarity: Dissimilarity) -> Candidates:
    """All unitary alignments that can be in a best alignment, of all documents."""
    n, empty = units.n_coders, dissimilarity.empty
    top = units.pairs * empty
    # Parting two units that are this unlike pays even if both are like all others.
    most = float((units.pairs + units.n_seeing - 1).max(initial=0)) * empty * (1 + ROUNDING)
    axis = Axis(units)
    members, disorder, count = [], [], 0
    for p in range(n):
        rows = np.full((int((units.coder == p).sum()), n), -1, np.int64)
        rows[:, p] = np.flatnonzero(units.coder == p)
        sums = np.zeros((len(rows), n))
        for q in range(p + 1, n):
            near = axis.near(p, q, most, dissimilarity)
            ceiling = (top[units.document] + (n - 1 - q) * empty) * (1 + ROUNDING)
            more, more_sums = _extend(
                rows, sums, near, p, q, units, dissimilarity, ceiling, MOST - count
            )
            rows, sums = np.concatenate([rows, more]), np.concatenate([sums, more_sums])
        members.append(rows)
        home = units.document[rows[:, p]]
        disorder.append((top[home] + sums.sum(1) / 2) / units.pairs[home])
        count += len(rows)
    return Candidates(np.concatenate(members), np.concatenate(disorder))


def _extend(
    rows: Array,
    sums: FloatArray,
    near: Neighbours,
    p: int,
    q: int,
    units: Lanes,
    dissimilarity: Dissimilarity,
    ceiling: FloatArray,
    room: int,
) -> tuple[Array, FloatArray]:
    """Put a near unit of coder q into each row, in all ways.

    `sums` are each unit's d − Δ, and `ceiling` says for each unit how large they may be.
    """
    counts = np.diff(near.first)[rows[:, p]]
    if int(counts.sum()) + len(rows) > room:
        raise InputError(
            f"more than {MOST:,} unitary alignments can be in the best alignment, because many "
            "units are near each other",
            "select fewer coders or categories, or put texts into documents of their own",
            argument="data",
        )
    row = np.repeat(np.arange(len(rows)), counts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    at += near.first[rows[row, p]]
    unit = near.other[at]
    extra = np.zeros((len(row), units.n_coders))
    extra[:, p] = near.unlike[at] - dissimilarity.empty
    keep = sums[row, p] + extra[:, p] <= ceiling[unit]
    row, unit, extra = row[keep], unit[keep], extra[keep]
    for r in range(p + 1, q):
        with_one = np.flatnonzero(rows[row, r] >= 0)
        if not len(with_one):
            continue
        one = rows[row[with_one], r]
        extra[with_one, r] = dissimilarity.between(units, one, unit[with_one]) - dissimilarity.empty
        keep = np.ones(len(row), bool)
        keep[with_one] = sums[row[with_one], r] + extra[with_one, r] <= ceiling[one]
        row, unit, extra = row[keep], unit[keep], extra[keep]
    extra[:, q] = extra.sum(1)
    keep = extra[:, q] <= ceiling[unit]
    made = rows[row[keep]]
    made[:, q] = unit[keep]
    return made, sums[row[keep]] + extra[keep]

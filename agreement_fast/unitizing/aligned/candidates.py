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

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity
from agreement_fast.unitizing.aligned.lanes import Lanes
from agreement_fast.unitizing.aligned.neighbours import Axis, Neighbours

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

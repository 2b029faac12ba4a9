"""The best alignment, and what it sums to in each document."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing.aligned.candidates import candidates
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity
from agreement_fast.unitizing.aligned.lanes import Lanes
from agreement_fast.unitizing.aligned.partition import choose


class Best(NamedTuple):
    """The unitary alignments of a best alignment.

    Attributes
    ----------
    members : int64 array of shape (r, n_coders)
        Places of units, −1 for none.
    disorder : float64 array of shape (r,)
    """

    members: Array
    disorder: FloatArray


def best(units: Lanes, dissimilarity: Dissimilarity, *, soft: bool = False) -> Best:
    """The alignment of the least disorder, of all documents."""
    given = candidates(units, dissimilarity)
    chosen = choose(given, units, soft=soft)
    return Best(given.members[chosen], given.disorder[chosen])


class Sums(NamedTuple):
    """What disorders of documents, and of any number of them together, are ratios of.

    Attributes
    ----------
    above, below : float64 arrays of shape (1 + 1 + K, D)
        For γ the disorders of the unitary alignments and the mean number of units per coder; for
        γ_cat the weighted distances of categories of aligned pairs and the weights; for γ_k of
        each category the same of pairs that have it.
    """

    above: FloatArray
    below: FloatArray


def sums(units: Lanes, dissimilarity: Dissimilarity, found: Best) -> Sums:
    """Sum the parts of a best alignment by documents."""
    d, k = units.n_documents, len(dissimilarity.table)
    above, below = np.zeros((2 + k, d)), np.zeros((2 + k, d))
    home = units.document[found.members.max(1)] if len(found.members) else np.zeros(0, np.int64)
    above[0] = np.bincount(home, found.disorder, minlength=d)
    below[0] = np.bincount(units.document, minlength=d) / units.n_seeing
    held = (found.members >= 0).sum(1)
    for p, q in itertools.combinations(range(units.n_coders), 2):
        rows = np.flatnonzero((found.members[:, p] >= 0) & (found.members[:, q] >= 0))
        a, b = found.members[rows, p], found.members[rows, q]
        # Of n units aligned each is in n − 1 pairs: so a unit counts once.
        near = np.maximum(0.0, 1.0 - dissimilarity.positional(units, a, b) / dissimilarity.empty)
        weight = near / (held[rows] - 1)
        far = weight * dissimilarity.table[units.category[a], units.category[b]]
        place = home[rows]
        above[1] += np.bincount(place, far, minlength=d)
        below[1] += np.bincount(place, weight, minlength=d)
        first, second = units.category[a], units.category[b]
        for category, of in ((first, slice(None)), (second, first != second)):
            np.add.at(above, (2 + category[of], place[of]), far[of])
            np.add.at(below, (2 + category[of], place[of]), weight[of])
    return Sums(above, below)

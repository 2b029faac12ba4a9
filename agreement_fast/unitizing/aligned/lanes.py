"""Units of coders as columns, for continua that were read and for those that chance makes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum


def saw_what(data: Continuum) -> Array:
    """Whether coders saw documents: bool of shape (D, n_coders)."""
    if data.seen is None:
        return np.ones((len(data.documents), data.n_coders), bool)
    found = np.zeros((len(data.documents), data.n_coders), bool)
    found[data.seen[:, 0], data.seen[:, 1]] = True
    return found


class Lanes(NamedTuple):
    """Units in any order. Positions are of any kind of number.

    Attributes
    ----------
    document, coder, start, end, category : arrays of shape (n,)
    n_coders : int
    n_seeing : int64 array of shape (D,)
        How many coders saw each document, two at least. Those who marked nothing count, too.
    """

    document: Array
    coder: Array
    start: Array
    end: Array
    category: Array
    n_coders: int
    n_seeing: Array

    @staticmethod
    def of(data: Continuum) -> Lanes:
        """The units of a continuum, in its order."""
        return Lanes(
            data.document,
            data.coder,
            data.start,
            data.end,
            data.category,
            data.n_coders,
            data.n_seeing,
        )

    @property
    def n_documents(self) -> int:
        """Documents, with and without units."""
        return len(self.n_seeing)

    @property
    def pairs(self) -> Array:
        """C(n, 2) of each document: a unitary alignment's disorder is a mean over these pairs."""
        pairs: Array = self.n_seeing * (self.n_seeing - 1) // 2
        return pairs

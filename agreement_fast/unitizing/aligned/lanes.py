"""Units of coders as columns, for continua that were read and for those that chance makes."""

from __future__ import annotations

from typing import NamedTuple

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum


class Lanes(NamedTuple):
    """Units in any order. Positions are of any kind of number.

    Attributes
    ----------
    document, coder, start, end, category : arrays of shape (n,)
    n_coders, n_documents : int
        Those who marked nothing count, too.
    """

    document: Array
    coder: Array
    start: Array
    end: Array
    category: Array
    n_coders: int
    n_documents: int

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
            len(data.documents),
        )

    @property
    def pairs(self) -> int:
        """C(n, 2): the pairs of coders, which a unitary alignment's disorder is a mean over."""
        return self.n_coders * (self.n_coders - 1) // 2

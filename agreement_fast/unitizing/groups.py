"""Documents by how many coders saw them: pairs of coders of a document of m count by m − 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum
from agreement_fast.unitizing.exact import total


class Groups:
    """Documents that equally many coders saw.

    Parameters
    ----------
    data : Continuum
        What can be compared, as `paired` gives it.
    """

    def __init__(self, data: Continuum) -> None:
        seeing = data.n_seeing
        lengths = np.diff(data.extents, axis=1)[:, 0]
        self._seeing = seeing
        self._sizes = np.unique(seeing).tolist()
        #: The most coders that a document has.
        self.most = max(self._sizes, default=0)
        #: m L: what all coders saw.
        self.everywhere = sum(size * total(lengths[seeing == size]) for size in self._sizes)

    def of(self, document: Array) -> Iterator[tuple[Any, int]]:
        """Give, for places of documents, those of each group, and one less than its coders."""
        if len(self._sizes) == 1:
            yield slice(None), self._sizes[0] - 1
            return
        seeing = self._seeing[document]
        for size in self._sizes:
            yield seeing == size, size - 1

    def total(self, values: Array, document: Array) -> Fraction:
        """Σ v / (m − 1), for values of documents that m coders saw."""
        return sum(
            (Fraction(total(values[rows]), others) for rows, others in self.of(document)),
            Fraction(0),
        )

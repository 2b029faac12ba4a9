"""Coefficients of unitizing as functions of how often each document is there.

What coincides, coincides within a document: nearly all sums over a continuum are sums over its
documents, so resamples of documents need one product of matrices. Only the D_e of α_U looks at
units and gaps of different documents together; it takes one pass over both, sorted by length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing.continuum import Continuum
from agreement_fast.unitizing.line import Line, first_pieces, whole_units

#: Numbers that are held at a time: 8 MB of floats.
ROOM = 1 << 20

#: A coefficient, and a category or None for all together.
Part = tuple[str, Any]

#: D_o and D_e in each resample.
Halves = tuple[FloatArray, FloatArray]


class DocumentSums:
    """The coefficients of a continuum whose documents count as often as weights say.

    Parameters
    ----------
    data : Continuum
        Of two coders or more in each document, as `paired` gives it.
    parts : sequence of (coefficient, category)
    """

    def __init__(self, data: Continuum, parts: Sequence[Part]) -> None:
        self._parts = list(parts)
        seeing = data.n_seeing
        self._m = int(seeing.max())
        self._length = np.diff(data.extents, axis=1)[:, 0].astype(np.float64)
        # Lengths count by the coders of their documents; one factor is 1 in most studies.
        self._seen = self._length * (seeing / self._m)
        self.n = len(data.documents)
        names = {name for name, _ in parts}
        self._places = {label: code for code, label in enumerate(data.categories)}
        self._along = None if names <= {"alpha_u"} else _Along(data)
        self._apart = []
        if "alpha_u" in names:
            self._apart = [_Apart(data, code) for code in range(len(data.categories))]
        #: Numbers that are held for each resample.
        self.width = max(self.n, *(apart.width for apart in self._apart), 1)

    def values(self, weights: FloatArray) -> FloatArray:
        """Each part's coefficient under weights of shape (D, R): float64 (parts, R)."""
        out = np.full((len(self._parts), weights.shape[1]), np.nan)
        step = max(1, ROOM // self.width)
        for first in range(0, weights.shape[1], step):
            some = weights[:, first : first + step]
            for place, (observed, expected) in enumerate(self._halves(some)):
                into = out[place, first : first + step]
                np.divide(observed, expected, out=into, where=expected > 0)
        return 1.0 - out

    def _halves(self, weights: FloatArray) -> list[Halves]:
        m, everywhere = self._m, self._m * (self._seen @ weights)
        L = self._length @ weights
        found: dict[Part, Halves] = {}
        if self._along is not None:
            found.update(self._along.halves(weights, m, everywhere))
        each = [apart.halves(weights, m, everywhere, L) for apart in self._apart]
        if each:
            found["alpha_u", None] = sum(o for o, _ in each), sum(e for _, e in each)  # type: ignore[assignment]
        found.update({("alpha_u", code): halves for code, halves in enumerate(each)})
        return [
            found[name, None if category is None else self._places[category]]
            for name, category in self._parts
        ]


class _Along:
    """The sums that the u-α family is made of, by document."""

    def __init__(self, data: Continuum) -> None:
        everything = Line(data, slice(None))
        length = everything.end - everything.start
        met = everything.lengths_shared() - length
        D, K = len(data.documents), len(data.categories)

        def by_document(values: Array) -> FloatArray:
            return np.bincount(everything.document, values, D).astype(np.float64)

        def by_category(values: Array) -> FloatArray:
            places = data.category.astype(np.int64) * D + everything.document
            return np.bincount(places, values, K * D).astype(np.float64).reshape(K, D)

        def squares(values: Array) -> FloatArray:
            places = category.astype(np.int64) * D + unit_document
            sums = np.bincount(places, values.astype(np.float64) ** 2, K * D)
            return sums.astype(np.float64).reshape(K, D)

        # Pairs of coders count by one less than the coders of their document.
        m = data.n_seeing.max()
        pairs = ((m - 1) / (data.n_seeing - 1))[everything.document]
        category, whole_length, whole_met = whole_units(data, length, met)
        first = first_pieces(data)
        unit_document = everything.document[first]
        own = np.zeros(len(length), np.int64)
        for code in range(K):
            units = data.units_of(code)
            line = Line(data, units)
            own[units] = line.lengths_shared() - (line.end - line.start)
        lengths, shared = length.astype(np.float64), met.astype(np.float64)
        self._n_categories = K
        #: One row a sum, so that resamples take one product of matrices.
        self._sums = np.concatenate(
            [
                *map(by_category, (lengths, own * pairs, shared)),
                squares(whole_met),
                by_document(shared * pairs)[None],
                np.bincount(unit_document, whole_length.astype(np.float64) ** 2, D)[None],
            ]
        )

    def halves(self, weights: FloatArray, m: int, everywhere: FloatArray) -> Mapping[Part, Halves]:
        """D_o and D_e by coefficient and place of the category; see `coincidences`."""
        K, sums = self._n_categories, self._sums @ weights
        lengths, coinciding, covered, squares = sums[: 4 * K].reshape(4, K, -1)
        met, own_squares = sums[4 * K :]
        marked, agreed = lengths.sum(0), coinciding.sum(0)
        gaps = everywhere - marked
        gaps_agreed = (m - 1) * (everywhere - 2 * marked) + met
        pairs = everywhere**2 - own_squares - gaps
        both = covered.sum(0)
        found: dict[Part, Halves] = {}
        with np.errstate(divide="ignore", invalid="ignore"):
            found["u_alpha", None] = (
                1 - (gaps_agreed + agreed) / ((m - 1) * everywhere),
                (everywhere**2 - (lengths**2).sum(0) - gaps**2) / pairs,
            )
            found["binary_u_alpha", None] = (
                2 * ((m - 1) * gaps - gaps_agreed) / ((m - 1) * everywhere),
                2 * gaps * marked / pairs,
            )
            found["cu_alpha", None] = (
                1 - agreed / both,
                (both**2 - (covered**2).sum(0)) / (both**2 - squares.sum(0)),
            )
            for code in range(len(lengths)):
                own = covered[code]
                found["ku_alpha", code] = (
                    1 - coinciding[code] / own,
                    own * (both - own) / (own * both - squares[code]),
                )
        return found


class _Apart:
    """The sums that α_U of one category is made of, by document; see `alpha`."""

    def __init__(self, data: Continuum, code: int) -> None:
        line, seeing = Line(data, data.units_of(code)), data.n_seeing
        D = len(data.documents)

        def by_document(values: Array) -> FloatArray:
            return np.bincount(line.document, values, D).astype(np.float64)

        length = (line.end - line.start).astype(np.float64)
        alone = seeing[line.document] - line.coders_intersecting()
        squares = length**2 * alone
        begin = line.documents[line.document, 0]
        for ends in (line.start, line.end):
            gaps = line.intersecting * ends - line.sum_intersecting(ends)
            squares += gaps.astype(np.float64) * (ends - begin)
        self._squares = 2 * by_document(squares) * ((seeing.max() - 1) / (seeing - 1))
        self._n = by_document(np.ones(line.n))
        self._cubes = by_document(length * (length - 1) * (2 * length - 1))
        self._places = by_document(length * (length - 1))
        self._document, self._lengths = line.document, length
        gap, times, self._gap_document = line.gaps(seeing)
        self._gap, self._times = gap.astype(np.float64)[:, None], times[:, None].astype(np.float64)
        self._fitting = np.searchsorted(gap, line.end - line.start, "left")
        self.width = 3 * (len(gap) + line.n)

    def halves(self, weights: FloatArray, m: int, everywhere: FloatArray, L: FloatArray) -> Halves:
        """D_o and D_e in each resample."""
        # How many gaps are as long as each one or longer, and their lengths together.
        times = (self._times * weights[self._gap_document])[::-1]
        none = np.zeros((1, weights.shape[1]))
        n_gaps, in_gaps = (
            np.concatenate([np.cumsum(values, 0)[::-1], none])[self._fitting]
            for values in (times, times * self._gap[::-1])
        )
        length = self._lengths[:, None]
        shifts = (in_gaps - n_gaps * (length - 1)) * weights[self._document]
        ways = (self._n @ weights - 1) * (self._cubes @ weights) + 3 * (length**2 * shifts).sum(0)
        places = everywhere * (everywhere - 1) - self._places @ weights
        with np.errstate(divide="ignore", invalid="ignore"):
            there = self._n @ weights > 0
            observed = self._squares @ weights / ((m - 1) * everywhere * L)
            return np.where(there, observed, 0.0), np.where(there, 2 * ways / (3 * L * places), 0.0)

"""Krippendorff's α for unitizing, of 1995, category by category.

Each category is looked at alone: for it a coder's continuum is units of this category and the gaps
between them. Two coders' units that intersect disagree by the squares of how far their ends are
apart, a unit that lies in another's gap by the square of its length.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast import _units
from agreement_fast.unitizing.continuum import LARGEST, Continuum
from agreement_fast.unitizing.exact import dot, dot3, total
from agreement_fast.unitizing.results import (
    NO_PAIRS,
    NO_UNITS,
    NO_VARIATION,
    CategoryUnitizing,
    Unitizing,
    ratio,
)

Array = npt.NDArray[Any]


def alpha_u(data: Continuum) -> Unitizing:
    """α_U: agreement on where units are, category by category (Krippendorff 1995, 2004).

    Parameters
    ----------
    data : Continuum
        A coder's units of different categories may overlap.

    Returns
    -------
    Unitizing
        With one value for each category, and 1 − Σ D_o / Σ D_e over the categories as its value.

    Notes
    -----
    For m coders, a continuum of length L and the N units of a category, of lengths l,

    D_o = Σ δ² / (m (m − 1) L²), the sum over ordered pairs of coders;

    D_e = (2/L) Σ over units [(N − 1)/3 (2l³ − 3l² + l) + l² Σ over gaps h with l_h ≥ l of
    (l_h − l + 1)] / (m L (m L − 1) − Σ over units of l (l − 1)).

    δ² of two units that intersect is (difference of their starts)² + (of their ends)², of a unit in
    another coder's gap its squared length. The gaps are those of all coders, the unit's own
    included (Krippendorff 2004, section 11.6; the printed values of 1995 for two of the examples
    leave out a term of D_e).

    Several documents are one continuum: their lengths add up, and a gap ends where its document
    does. Exact in integers until the last division. O(n log n) for n units, however many coders and
    intersections there are.

    Examples
    --------
    Krippendorff 2004, page 254:

    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["i", "i", "j", "j", "j", "i", "i", "j", "j"],
    ...     starts=[225, 370, 220, 355, 400, 180, 300, 180, 300],
    ...     ends=[295, 400, 300, 375, 420, 240, 350, 240, 350],
    ...     categories=["c"] * 5 + ["k"] * 4,
    ...     extents=(150, 450),
    ... )
    >>> result = unitizing.alpha_u(data)
    >>> round(result["c"].value, 4), result["k"].value
    (0.7286, 1.0)
    """
    m, length = data.n_coders, data.length
    parts: list[CategoryUnitizing] = []
    sums = [Fraction(0), Fraction(0)]
    for code, category in enumerate(data.categories):
        units = slice(*np.searchsorted(data.category, [code, code + 1]).tolist())
        line = Line(data, units)
        observed = expected = Fraction(0)
        if m > 1 and line.n:
            observed = Fraction(_squares(line, m), m * (m - 1) * length**2)
            ways, of_length = _expected(line, m)
            places = m * length * (m * length - 1) - of_length
            expected = Fraction(2 * ways, 3 * length * places)
        why = NO_PAIRS if m < 2 else NO_UNITS if not line.n else None if expected else NO_VARIATION
        parts.append(
            CategoryUnitizing(
                category,
                float("nan") if why else ratio(observed, expected),
                float("nan") if m < 2 else float(observed),
                float("nan") if m < 2 else float(expected),
                line.n,
                total(line.end - line.start),
                1.0,
                why,
            )
        )
        sums[0] += observed
        sums[1] += expected
    why = NO_PAIRS if m < 2 else NO_UNITS if not data.n_units else None if sums[1] else NO_VARIATION
    return Unitizing(
        "alpha_u",
        float("nan") if why else ratio(*sums),
        float("nan") if m < 2 else float(sums[0]),
        float("nan") if m < 2 else float(sums[1]),
        tuple(parts),
        data.n_units,
        m,
        len(data.documents),
        length,
        data.inferred,
        1.0,
        why,
    )


class Line:
    """Some units with all documents on one line, one after the other, from 0 on."""

    def __init__(self, data: Continuum, units: slice | Array) -> None:
        lengths = np.diff(data.extents, axis=1)[:, 0]
        ends = np.cumsum(lengths)
        self.document, self.coder = data.document[units], data.coder[units]
        shift = (ends - lengths - data.extents[:, 0])[self.document]
        self.start, self.end = data.start[units] + shift, data.end[units] + shift
        self.n = len(self.start)
        #: Where each document begins and ends on the line.
        self.documents = np.column_stack([ends - lengths, ends])
        if self.n * (int(ends[-1]) if len(ends) else 0) > LARGEST:
            raise ValueError(
                f"{self.n} units on a length of {ends[-1]} are too much for 64-bit sums: use a "
                "coarser resolution, or positions that do not start so far from the extent's begin"
            )
        self._by_start = np.argsort(self.start, kind="stable")
        self._by_end = np.argsort(self.end, kind="stable")
        #: How many units start before each one's end, and how many end before its start.
        self._begun = np.searchsorted(self.start[self._by_start], self.end, "left")
        self._gone = np.searchsorted(self.end[self._by_end], self.start, "right")
        #: For each unit how many units intersect it, itself included.
        self.intersecting = self._begun - self._gone

    def sum_intersecting(self, values: Array) -> Array:
        """For each unit the sum of a value over the units that intersect it, itself included."""
        # What has ended before a unit starts has also begun before it ends.
        _, begun = _ranks(self._by_start, values)
        _, gone = _ranks(self._by_end, values)
        return np.asarray(begun[self._begun] - gone[self._gone])

    def lengths_shared(self) -> Array:
        """For each unit the sum of the lengths in which others intersect it, and of its own."""
        # What units cover up to a place is Σ (place − start) over the starts before it less
        # Σ (place − end) over the ends before it; those at the place itself add nothing.
        start_rank, starts = _ranks(self._by_start, self.start)
        end_rank, ends = _ranks(self._by_end, self.end)
        up_to_end = self._begun * self.end - starts[self._begun]
        up_to_end -= end_rank * self.end - ends[end_rank]
        up_to_start = start_rank * self.start - starts[start_rank]
        up_to_start -= self._gone * self.start - ends[self._gone]
        return np.asarray(up_to_end - up_to_start)

    def coders_intersecting(self) -> Array:
        """For each unit how many coders have units that intersect it, its own coder included.

        For units of which those of one coder do not intersect.
        """
        # Of a coder's intersecting units all but one follow another such unit: they start before
        # the unit ends, and their predecessor ends after it starts.
        follows = np.flatnonzero((np.diff(self.document) == 0) & (np.diff(self.coder) == 0))
        start, before = self.start[follows + 1], self.end[follows]
        order, by_before = np.argsort(start, kind="stable"), np.argsort(before, kind="stable")
        rank, _ = _ranks(by_before, before)
        queries = self.end.argsort(kind="stable")
        upto = np.searchsorted(start[order], self.end[queries], "left")
        limit = np.searchsorted(before[by_before], self.start[queries], "right")
        below = np.empty(self.n, np.int64)
        tree = np.zeros(len(order) + 1, np.int64)
        _units.count_dominated(rank[order], upto, limit, tree, below)
        followers = np.empty(self.n, np.int64)
        followers[queries] = upto - below
        return np.asarray(self.intersecting - followers)

    def gaps(self, n_coders: int) -> tuple[Array, Array]:
        """Lengths of the gaps that coders leave, ascending, and how many have each length.

        One who marked nothing in a document left all of it.
        """
        begins, ends = self.documents[self.document].T
        same = (np.diff(self.document) == 0) & (np.diff(self.coder) == 0)
        first, last = np.concatenate([[True], ~same]), np.concatenate([~same, [True]])
        before = self.start - np.where(first, begins, np.concatenate([[0], self.end[:-1]]))
        after = (ends - self.end)[last]
        present = np.bincount(self.document[first], minlength=len(self.documents))
        lengths = np.concatenate([before, after, np.diff(self.documents, axis=1)[:, 0]])
        times = np.ones(len(lengths), np.int64)
        times[len(before) + len(after) :] = n_coders - present
        order = np.argsort(lengths, kind="stable")
        return lengths[order], times[order]


def _ranks(order: Array, values: Array) -> tuple[Array, Array]:
    """How many values stand before each in an order, and the sums of the first 0, 1, 2, ..."""
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.concatenate([[0], np.cumsum(values[order])])


def _squares(line: Line, m: int) -> int:
    """Σ δ² over ordered pairs of coders."""
    squares = 0
    for ends in (line.start, line.end):
        # Σ (x − y)² over ordered pairs of units that intersect
        squares += dot(line.intersecting * ends, ends) - dot(line.sum_intersecting(ends), ends)
    length = line.end - line.start
    alone = m - line.coders_intersecting()
    return 2 * (squares + dot3(length, length, alone))


def _expected(line: Line, m: int) -> tuple[int, int]:
    """3 Σ [(N − 1)/3 (2l³ − 3l² + l) + l² Σ (l_h − l + 1)] over units, and Σ l (l − 1)."""
    length = line.end - line.start
    cubes = dot3(length, length - 1, 2 * length - 1)
    gap, times = line.gaps(m)
    fitting = np.searchsorted(gap, length, "left")
    n_gaps = np.concatenate([np.cumsum(times[::-1])[::-1], [0]])[fitting]
    in_gaps = np.concatenate([np.cumsum((times * gap)[::-1])[::-1], [0]])[fitting]
    shifts = in_gaps - n_gaps * (length - 1)
    ways = (line.n - 1) * cubes + 3 * dot3(length, length, shifts)
    return ways, dot(length, length - 1)

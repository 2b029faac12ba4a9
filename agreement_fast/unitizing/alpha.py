"""Krippendorff's α for unitizing, of 1995, category by category.

Each category is computed separately: a coder's continuum then consists of units of this category
and the gaps between them. Two intersecting units of different coders disagree by the squared
distances between their starts and between their ends. A unit in another coder's gap disagrees by
its squared length.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum, checked, paired
from agreement_fast.unitizing.exact import dot, dot3
from agreement_fast.unitizing.line import Groups, Line, in_pieces, overlap
from agreement_fast.unitizing.results import CategoryUnitizing, Unitizing, part, whole, why_not


def alpha_u(data: Continuum) -> Unitizing:
    """α_U: agreement on the places of units, category by category (Krippendorff 1995, 2004).

    Parameters
    ----------
    data : Continuum
        The units of the coders. A coder's units of different categories may overlap.

    Returns
    -------
    Unitizing
        A float, 1 − Σ D_o / Σ D_e over the categories, with a value for each category. Undefined if
        a coder's units of one category overlap, or if a unit is in several pieces: the definition
        compares the starts and ends of two units.

    Notes
    -----
    For m coders, a continuum of length L and the N units of a category, of lengths l,

    D_o = Σ δ² / (m (m − 1) L²), the sum over ordered pairs of coders;

    D_e = (2/L) Σ over units [(N − 1)/3 (2l³ − 3l² + l) + l² Σ over gaps h with l_h ≥ l of
    (l_h − l + 1)] / (m L (m L − 1) − Σ over units of l (l − 1)).

    δ² of two intersecting units is (difference of starts)² + (difference of ends)². δ² of a unit in
    another coder's gap is its squared length. The gaps are those of all coders, including the
    unit's own (Krippendorff 2004, section 11.6; the values printed in 1995 for two of the examples
    omit a term of D_e).

    Several documents form one continuum: their lengths add up, and a gap ends with its document. If
    documents have different coders, m L is the sum over documents of coders times length, and the
    δ² of a document of m_d coders are divided by m_d − 1, as for judgments of an item in
    Krippendorff's α: D_o = Σ_d [Σ δ² / (m_d − 1)] / (mL · L).

    Exact in integers until the last division. O(n log n) for n units, with any number of coders and
    intersections.

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
    used = paired(checked(data))
    groups, length = Groups(used), used.length
    parts: list[CategoryUnitizing] = []
    both = Fraction(0), Fraction(0)
    stopped: str | None = None
    known = groups.most > 1
    for code in range(len(used.categories)):
        units = used.units_of(code)
        line = Line(used, units)
        within = overlap(used, units) or in_pieces(used, "alpha_u", units)
        halves = Fraction(0), Fraction(0)
        if known and line.n and not within:
            ways, of_length = _expected(line, used.n_seeing)
            places = groups.everywhere * (groups.everywhere - 1) - of_length
            halves = (
                _squares(line, used.n_seeing, groups) / (groups.everywhere * length),
                Fraction(2 * ways, 3 * length * places),
            )
        stopped = stopped or within
        why = why_not(used, line.n) or within
        parts.append(part(used, code, halves if known and not within else None, why))
        both = both[0] + halves[0], both[1] + halves[1]
    why = why_not(used, used.n_units) or stopped
    return whole(data, "alpha_u", both if known and not stopped else None, why, parts=parts)


def _squares(line: Line, n_seeing: Array, groups: Groups) -> Fraction:
    """Σ δ² over ordered pairs of coders, by one less than the coders of the document."""
    length = line.end - line.start
    alone = n_seeing[line.document] - line.coders_intersecting()
    sums = [(ends, line.sum_intersecting(ends)) for ends in (line.start, line.end)]
    found = Fraction(0)
    for rows, others in groups.of(line.document):
        # Σ (x − y)² over ordered pairs of units that intersect
        squares = sum(
            dot((line.intersecting * ends)[rows], ends[rows]) - dot(near[rows], ends[rows])
            for ends, near in sums
        )
        found += Fraction(2 * (squares + dot3(length[rows], length[rows], alone[rows])), others)
    return found


def _expected(line: Line, n_seeing: Array) -> tuple[int, int]:
    """3 Σ [(N − 1)/3 (2l³ − 3l² + l) + l² Σ (l_h − l + 1)] over units, and Σ l (l − 1)."""
    length = line.end - line.start
    cubes = dot3(length, length - 1, 2 * length - 1)
    gap, times, _ = line.gaps(n_seeing)
    fitting = np.searchsorted(gap, length, "left")
    n_gaps = np.concatenate([np.cumsum(times[::-1])[::-1], [0]])[fitting]
    in_gaps = np.concatenate([np.cumsum((times * gap)[::-1])[::-1], [0]])[fitting]
    shifts = in_gaps - n_gaps * (length - 1)
    ways = (line.n - 1) * cubes + 3 * dot3(length, length, shifts)
    return ways, dot(length, length - 1)

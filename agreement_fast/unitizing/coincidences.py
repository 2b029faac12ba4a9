"""Unitizing coefficients of segments by their lengths, and their results.

Krippendorff, Mathet, Bouvry & Widlöcher (2016), *On the reliability of unitizing textual continua:
further developments*; Krippendorff (2019), section 12.6. A coder's continuum is a row of segments,
and each segment is a unit of one category or a gap (written φ). Two coders coincide in (c, k) along
the length in which one has a segment of c and the other one of k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from agreement_fast import distances
from agreement_fast.arrays import Array
from agreement_fast.distances.forms import table_of
from agreement_fast.errors import UnknownKeyError
from agreement_fast.results import Result
from agreement_fast.tables import DETAILS, ResultTable, of_each
from agreement_fast.terminal import align, number_of
from agreement_fast.unitizing.continuum import Continuum, checked, paired
from agreement_fast.unitizing.exact import dot, dot3, total
from agreement_fast.unitizing.line import Groups, Line, in_pieces, overlap, whole_units

#: By name: how the coefficient is written, and its question.
QUESTIONS: Mapping[str, tuple[str, str]] = {
    "alpha_u": ("alpha_U (1995)", "do coders have units of a category in the same places?"),
    "u_alpha": ("u-alpha", "do units coincide in place and category, gaps included?"),
    "binary_u_alpha": ("|u-alpha", "do coders mark the same places, in any category?"),
    "cu_alpha": ("cu-alpha", "do places that both coders marked have the same category?"),
    "ku_alpha": ("(k)u-alpha", "the same, for each category"),
}


NAN = float("nan")

NO_PAIRS = "no pairs: one coder alone cannot agree or disagree"
NO_COMMON = "no pairs: no document was seen by two coders"
NO_UNITS = "no units: nobody marked anything"
NO_VARIATION = "no variation: the expected disagreement is 0"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CategoryUnitizing(Result):
    """One category's part in a coefficient of unitizing: a float, with its parts.

    Attributes
    ----------
    category : label
        The category.
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
        D_o and D_e.
    n_units : int
        Number of units of this category, of all coders.
    unit_length : int
        The total length of these units, in steps of the resolution.
    coverage : float
        The part of these units that counts: 1, or for (k)u-α the part that other coders' units
        intersect.
    undefined : str or None
        The reason if there is no value.
    """

    category: Any
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_units: int
    unit_length: int
    coverage: float
    undefined: str | None

    def __repr__(self) -> str:
        return f"<{self.category!r}: {_numbers(self)}, {self.n_units} units>"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Unitizing(Result):
    """A coefficient of agreement on units of continua: a float, with its parts.

    ``result["name"]`` is the part of a category; ``print(result.table())`` shows all of them.

    Attributes
    ----------
    coefficient : str
        "alpha_u", "u_alpha", "binary_u_alpha", "cu_alpha" or "ku_alpha".
    value : float
        1 − D_o / D_e; NaN if undefined, and for "ku_alpha", which only has values of categories.
    observed_disagreement, expected_disagreement : float
        D_o and D_e.
    by_category : tuple of CategoryUnitizing
        The values of categories; empty for coefficients that have none.
    n_units, n_coders, n_documents : int
        Numbers of units, coders and documents.
    n_unpaired_documents : int
        Number of documents that fewer than two coders saw. They do not count in `n_units`, in
        `length` or in the value.
    length : int
        L, the total length of the other documents, in steps of the resolution.
    extents_inferred : bool
        Whether the documents' lengths were inferred from the units.
    coverage : float
        The part of the continua that counts: 1, or for "cu_alpha" and "ku_alpha" the part in which
        units of different coders intersect.
    undefined : str or None
        The reason if there is no value.
    """

    aside: ClassVar[frozenset[str]] = DETAILS | {"n_unpaired_documents"}

    coefficient: str
    value: float
    observed_disagreement: float
    expected_disagreement: float
    by_category: tuple[CategoryUnitizing, ...]
    n_units: int
    n_coders: int
    n_documents: int
    n_unpaired_documents: int
    length: int
    extents_inferred: bool
    coverage: float
    undefined: str | None

    def __getitem__(self, category: Any) -> CategoryUnitizing:
        for part in self.by_category:
            if part.category == category:
                return part
        shown = ", ".join(repr(part.category) for part in self.by_category) or "none"
        raise UnknownKeyError(
            f"{self.coefficient} has no category {category!r}; the categories are {shown}",
        )

    def __repr__(self) -> str:
        alone = self.n_unpaired_documents
        return (
            f"<{self.coefficient}: {_numbers(self)}, {self.n_units} units, "
            f"{self.n_coders} coders, length {self.length}"
            + (f", {number_of(alone, 'document')} without two coders>" if alone else ">")
        )

    def table(self) -> str:
        """Return the value of each category, and of all together, as text in columns.

        Returns
        -------
        str
            A table.
        """
        return str(UnitizingTable([self]))


def _numbers(result: Unitizing | CategoryUnitizing) -> str:
    if result.undefined is not None:
        return f"undefined ({result.undefined})"
    return (
        f"{result.value:.6g}, D_o = {result.observed_disagreement:.6g}, "
        f"D_e = {result.expected_disagreement:.6g}"
    )


class OfCoefficient(Protocol):
    """A result that names its coefficient."""

    @property
    def coefficient(self) -> str:
        """Its name."""


C = TypeVar("C", bound=OfCoefficient)


class ByCategory(ResultTable[C]):
    """Results found by a coefficient, or by a coefficient and a category."""

    def _named(self, key: Any) -> C:
        name, category = key if isinstance(key, tuple) else (key, None)
        shown = []
        for result in self._rows:
            own = getattr(result, "category", None)
            if (result.coefficient, own) == (name, category):
                return result
            shown.append(result.coefficient if own is None else repr((result.coefficient, own)))
        raise UnknownKeyError(f"{key!r} is not in the table, which has {', '.join(shown)}")


class UnitizingTable(ByCategory[Unitizing]):
    """Several coefficients of the same continuum: a sequence that also takes names."""

    def parts(self) -> Iterator[tuple[str, Any, Unitizing | CategoryUnitizing]]:
        """Iterate over all values.

        Yields
        ------
        tuple of (str, label or None, Unitizing or CategoryUnitizing)
            The coefficient, the category (None for all together) and the value.
        """
        for result in self._rows:
            # (k)u-alpha only has values of categories.
            if not (result.coefficient == "ku_alpha" and result.by_category):
                yield result.coefficient, None, result
            for part in result.by_category:
                yield result.coefficient, part.category, part

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each coefficient and category; the category of all together is None."""
        parts = list(self.parts())
        numbers = "value observed_disagreement expected_disagreement n_units coverage undefined"
        return {
            "coefficient": [name for name, _, _ in parts],
            "category": [category for _, category, _ in parts],
            **of_each((part for _, _, part in parts), numbers),
        }

    def __repr__(self) -> str:
        head = ("coefficient", "category", "units", "coverage", "D_o", "D_e", "value")
        rows = [
            _row(part, name, "all" if category is None else str(category))
            for name, category, part in self.parts()
        ]
        return "\n".join(align(head, rows, "<" * len(head), indent=""))


def _row(result: Unitizing | CategoryUnitizing, name: str, category: str) -> tuple[str, ...]:
    value = f"{result.value:.4f}"
    return (
        name,
        category,
        str(result.n_units),
        f"{result.coverage:.3f}",
        f"{result.observed_disagreement:.6g}",
        f"{result.expected_disagreement:.6g}",
        value if result.undefined is None else f"undefined ({result.undefined})",
    )


# ---------------------------------------------------------------------- making them


def why_not(data: Continuum, n_units: int) -> str | None:
    """Return the reason if units have no value under any coefficient."""
    if data.n_coders < 2:
        return NO_PAIRS
    if not (data.n_seeing > 1).any():
        return NO_COMMON
    return None if n_units else NO_UNITS


def _value(
    halves: tuple[Fraction, Fraction] | None, why: str | None
) -> tuple[float, float, float, str | None]:
    """Return 1 − D_o / D_e, rounded once, D_o, D_e, and the reason if there is no value."""
    if halves is None:
        return NAN, NAN, NAN, why
    observed, expected = halves
    why = why or (None if expected else NO_VARIATION)
    value = NAN if why else float(1 - observed / expected)
    return value, float(observed), float(expected), why


def part(
    data: Continuum,
    code: int,
    halves: tuple[Fraction, Fraction] | None,
    why: str | None,
    *,
    coverage: float = 1.0,
) -> CategoryUnitizing:
    """Make the part of a category from D_o and D_e, or from the reason why there are none.

    `data` are the documents with two coders or more, as returned by `paired`.
    """
    units = data.units_of(code)
    length = int((data.end[units] - data.start[units]).sum())
    value, observed, expected, why = _value(halves, why)
    return CategoryUnitizing(
        data.categories[code],
        value,
        observed,
        expected,
        data.count(units),
        length,
        coverage,
        why,
    )


def whole(
    data: Continuum,
    coefficient: str,
    halves: tuple[Fraction, Fraction] | None,
    why: str | None,
    *,
    parts: Iterable[CategoryUnitizing] = (),
    coverage: float = 1.0,
) -> Unitizing:
    """Make a coefficient from D_o and D_e, or from the reason why there are none."""
    value, observed, expected, why = _value(halves, why)
    used = paired(data)
    return Unitizing(
        coefficient,
        value,
        observed,
        expected,
        tuple(parts),
        used.n_units,
        data.n_coders,
        len(data.documents),
        int((data.n_seeing < 2).sum()),
        used.length,
        data.inferred,
        coverage,
        why,
    )


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


NO_INTERSECTIONS = "no intersections: no units of different coders intersect"
BY_CATEGORY = "there is a value for each category only: see by_category"
TWO_CODERS = (
    "published definitions differ for more than two coders of a document: take two at a time, in"
    " Python with data.select(coders=[A, B]), in the command with --only-coders A,B"
)


def u_alpha(data: Continuum) -> Unitizing:
    """uα: agreement on segments and their categories, gaps included.

    Parameters
    ----------
    data : Continuum
        The units of the coders.

    Returns
    -------
    Unitizing
        A float with its parts. Undefined if a coder's units of different categories overlap: each
        place of a continuum must belong to one segment.

    Notes
    -----
    ℓ_ck is the sum over ordered pairs of coders of the length in which one has c and the other k,
    divided by m − 1 (equation 1 of 2016). ℓ_c is its marginal, the length that all coders gave to
    c; ℓ = m L is the sum of these. If documents have different coders, a document's part is divided
    by m_d − 1, where m_d is the number of its coders, as in Krippendorff's α for missing judgments.
    Documents that a single coder saw do not count.

    The expected coincidences (equation 4) exclude pairs of a segment with itself:
    ε_ck = ℓ (ℓ_c ℓ_k − [c = k] s_c) / (ℓ² − Σ s), where s_c is the sum of the squared lengths of
    the units of c (the pieces of a unit count together). For gaps, which have no structure, s is
    the sum of lengths. Then (equation 5a)
    uα = 1 − (ℓ − Σ ℓ_cc) / (ℓ − Σ ε_cc). D_o and D_e are these two divided by ℓ.

    Exact in integers until the last division. O(n log n).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> unitizing.u_alpha(data)
    <u_alpha: 0.867176, D_o = 0.1, D_e = 0.752874, 4 units, 2 coders, length 10>
    """
    found, why = _coincide(data)
    if why:
        return whole(data, "u_alpha", None, why, coverage=NAN)
    observed = 1 - (found.gaps_coinciding + sum(found.coinciding)) / found.all
    squares = sum(length**2 for length in found.lengths) + found.gap_length**2
    expected = Fraction(found.all**2 - squares, found.pairs)
    return whole(data, "u_alpha", (observed, expected), None)


def binary_u_alpha(data: Continuum) -> Unitizing:
    """|uα: agreement on what is a unit of any category and what is a gap.

    Parameters
    ----------
    data : Continuum
        The units of the coders.

    Returns
    -------
    Unitizing
        A float with its parts. Undefined if a coder's units of different categories overlap, or if
        there are no gaps.

    Notes
    -----
    |uα = 1 − (ℓ_φ − ℓ_φφ) / (ε_φ − ε_φφ), with the lengths ℓ and ε that `u_alpha` defines
    (equation 6 of 2016). D_o and D_e are twice these two divided by ℓ. Exact in integers until the
    last division. O(n log n).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(unitizing.binary_u_alpha(data).value, 4)
    0.8088
    """
    found, why = _coincide(data)
    if why:
        return whole(data, "binary_u_alpha", None, why, coverage=NAN)
    observed = 2 * (found.gap_length - found.gaps_coinciding) / found.all
    expected = Fraction(2 * found.gap_length * (found.all - found.gap_length), found.pairs)
    return whole(data, "binary_u_alpha", (observed, expected), None)


def cu_alpha(data: Continuum, distance: Any = "nominal") -> Unitizing:
    """cuα: agreement on categories in the places that both coders marked.

    Parameters
    ----------
    data : Continuum
        The units of two coders, or of documents that two coders each saw.
    distance : str, Distance, array, mapping or function, default "nominal"
        The distance between categories: a name, a K × K matrix, a mapping of pairs, or a function
        of two labels. See `agreement_fast.distances`.

    Returns
    -------
    Unitizing
        A float with its parts; ``coverage`` is the part of the continua that both coders marked.
        Undefined if they marked no place in common, if a coder's units of different categories
        overlap, or if a document has more than two coders: published definitions agree for two
        coders only.

    Notes
    -----
    Like `u_alpha`, but only for intersections of units: ℓ*_c is the length of the parts of units of
    c that intersect units of the other coder, ℓ* is the sum of these, and s*_c is the sum of the
    squares of these parts, one for each unit with all its pieces (equation 10 of 2016). Then
    (equation 11)
    cuα = 1 − Σ d_ck ℓ_ck / Σ d_ck ε*_ck. D_o and D_e are these two divided by ℓ*.

    O(n log n), for each category under other distances than nominal.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(unitizing.cu_alpha(data).value, 4), unitizing.cu_alpha(data).coverage
    (-0.0833, 0.6)
    """
    found, why = _intersections(data)
    if why:
        return whole(data, "cu_alpha", None, why, coverage=NAN)
    both = sum(found.covered)
    pairs = both**2 - sum(found.squares)
    bound = distances.resolve(distance)
    distances.check_symmetric(bound)
    if bound.name == "nominal":
        observed = 1 - sum(found.coinciding, Fraction(0)) / both
        expected = Fraction(both**2 - sum(length**2 for length in found.covered), pairs)
    else:
        observed, expected = _weighted(paired(data), found, bound, pairs)
    return whole(data, "cu_alpha", (observed, expected), None, coverage=both / found.all)


def ku_alpha(data: Continuum) -> Unitizing:
    """(k)uα: agreement on each category in the places that both coders marked.

    Parameters
    ----------
    data : Continuum
        The units of two coders, or of documents that two coders each saw.

    Returns
    -------
    Unitizing
        A value for each category, and NaN for all together. A category's ``coverage`` is the part
        of its units that the other coder's units intersect. Undefined if a coder's units of
        different categories overlap, or if a document has more than two coders.

    Notes
    -----
    (k)uα = 1 − (ε*_k / ℓ*_k) (ℓ*_k − ℓ_kk) / (ε*_k − ε*_kk), with the lengths ℓ* and ε* that
    `cu_alpha` defines (equation 13b of 2016), so D_o = 1 − ℓ_kk / ℓ*_k and
    D_e = 1 − ε*_kk / ε*_k. O(n log n).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(unitizing.ku_alpha(data)["y"].value, 4)
    -0.125
    """
    found, why = _intersections(data)
    if why:
        return whole(data, "ku_alpha", None, why, coverage=NAN)
    both, parts = sum(found.covered), []
    used = paired(data)
    for code in range(len(used.categories)):
        covered, length = found.covered[code], found.lengths[code]
        # ε*_k and ε*_k − ε*_kk, times a common factor
        margin = covered * both - found.squares[code]
        halves = None
        if covered:
            halves = (
                1 - found.coinciding[code] / covered,
                Fraction(covered * (both - covered), margin),
            )
        why = None if halves else NO_INTERSECTIONS
        coverage = covered / length if length else NAN
        parts.append(part(used, code, halves, why, coverage=coverage))
    return whole(data, "ku_alpha", None, BY_CATEGORY, parts=parts, coverage=both / found.all)


def agreement_table(data: Continuum) -> UnitizingTable:
    """Compute all coefficients of unitizing: α_U, uα, |uα, cuα and (k)uα.

    Parameters
    ----------
    data : Continuum
        The units of the coders.

    Returns
    -------
    UnitizingTable
        A sequence of `Unitizing` that also takes names; ``print`` shows all of them.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> round(unitizing.agreement_table(data)["alpha_u"].value, 4)
    0.9508
    """
    return UnitizingTable(
        [alpha_u(data), u_alpha(data), binary_u_alpha(data), cu_alpha(data), ku_alpha(data)]
    )


# ---------------------------------------------------------------------- sums


class Coincidences(NamedTuple):
    """Lengths along the continuum; the lists have an entry for each category."""

    #: m L, the length that all coders saw, and its square without pairs of a segment with itself.
    all: int
    pairs: int
    #: Lengths of units, of all coders.
    lengths: list[int]
    #: Lengths in which two coders have the same category, over ordered pairs of coders, divided by
    #: one less than the number of the document's coders.
    coinciding: list[Fraction]
    gap_length: int
    gaps_coinciding: Fraction
    #: Lengths of parts of units that intersect other coders' units, and their squares.
    covered: list[int]
    squares: list[int]


def _coincide(data: Continuum) -> tuple[Coincidences, str | None]:
    """Return the sums, and why they are undefined; computed once for a continuum."""
    if "coincidences" not in checked(data).memo:
        used = paired(data)
        data.memo["coincidences"] = _sums(used), why_not(used, used.n_units) or overlap(used)
    found: tuple[Coincidences, str | None] = data.memo["coincidences"]
    return found


def _sums(data: Continuum) -> Coincidences:
    everything, groups = Line(data, slice(None)), Groups(data)
    length = everything.end - everything.start
    met = everything.lengths_shared() - length
    category, whole_length, whole_met = whole_units(data, length, met)
    coinciding, lengths, covered, squares = [], [], [], []
    for code in range(len(data.categories)):
        units = data.units_of(code)
        line = Line(data, units)
        own = line.lengths_shared() - length[units]
        of_code = slice(*np.searchsorted(category, [code, code + 1]).tolist())
        lengths.append(total(length[units]))
        coinciding.append(groups.total(own, line.document) if groups.most > 1 else Fraction(0))
        covered.append(total(met[units]))
        squares.append(dot(whole_met[of_code], whole_met[of_code]))
    marked = sum(lengths)
    gap_length = groups.everywhere - marked
    shared = groups.total(met, everything.document) if groups.most > 1 else Fraction(0)
    return Coincidences(
        groups.everywhere,
        groups.everywhere**2 - dot(whole_length, whole_length) - gap_length,
        lengths,
        coinciding,
        gap_length,
        groups.everywhere - 2 * marked + shared,
        covered,
        squares,
    )


def _shared(line: Line, others: Line) -> int:
    """Return the length in which units intersect other units, summed over all pairs."""
    return total(_covered(others, line.end) - _covered(others, line.start))


def _covered(line: Line, places: Array) -> Array:
    """Return the total length of units before each place on the line."""
    out = np.zeros(len(places), np.int64)
    for ends, sign in ((line.start, 1), (line.end, -1)):
        ascending = np.sort(ends)
        before = np.searchsorted(ascending, places, "left")
        out += sign * (before * places - np.concatenate([[0], np.cumsum(ascending)])[before])
    return out


def _intersections(data: Continuum) -> tuple[Coincidences, str | None]:
    """Return the sums, and why those of intersections are undefined."""
    found, why = _coincide(data)
    why = why or (TWO_CODERS if data.n_seeing.max(initial=0) > 2 else None)
    return found, why or (None if sum(found.covered) else NO_INTERSECTIONS)


def _weighted(
    data: Continuum, found: Coincidences, distance: distances.Distance, pairs: int
) -> tuple[Fraction, Fraction]:
    """Return D_o and D_e of cuα under a distance between categories."""
    K = len(data.categories)
    marginals = np.array(found.covered, np.float64)
    d = table_of(distance.bind(data.categories, False, marginals).between, K)
    lines = [Line(data, data.units_of(code)) for code in range(K)]
    observed = expected = Fraction(0)
    both = sum(found.covered)
    for c, k in np.argwhere(d > 0).tolist():
        weight = Fraction(float(d[c, k]))
        observed += weight * Fraction(_shared(lines[c], lines[k]), both)
        expected += weight * Fraction(found.covered[c] * found.covered[k], pairs)
    return observed, expected

"""Unitizing coefficients of segments by their lengths, their results and intervals.

Krippendorff, Mathet, Bouvry & Widlöcher (2016), *On the reliability of unitizing textual continua:
further developments*; Krippendorff (2019), section 12.6. A coder's continuum is a row of segments,
and each segment is a unit of one category or a gap (written φ). Two coders coincide in (c, k) along
the length in which one has a segment of c and the other one of k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeVar

import numpy as np

from agreement_fast import distances
from agreement_fast._kernels.arrays import Array, FloatArray, dot, dot3, total
from agreement_fast.distances.forms import DistanceLike, table_of
from agreement_fast.errors import UnknownKeyError
from agreement_fast.inference.draws import NO_SPREAD, spreads, why_no_interval
from agreement_fast.inference.resample import Options
from agreement_fast.options import check_choice
from agreement_fast.present.tables import DETAILS, ResultTable, of_each
from agreement_fast.results import Resampled, Result
from agreement_fast.units.continuum import Continuum, checked, paired
from agreement_fast.units.line import (
    Groups,
    Line,
    first_pieces,
    in_pieces,
    overlap,
    whole_units,
)

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

    _caption = (
        "{category:r}: {value}, D_o = {observed_disagreement}, D_e = {expected_disagreement}, "
        "{n_units:unit}"
    )

    category: Any
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_units: int
    unit_length: int
    coverage: float
    undefined: str | None


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

    _caption = (
        "{coefficient}: {value}, D_o = {observed_disagreement}, D_e = {expected_disagreement}, "
        "{n_units:unit}, {n_coders:coder}, length {length}[, {n_unpaired_documents:document} "
        "without two coders]"
    )

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

    def table(self) -> str:
        """Return the value of each category, and of all together, as text in columns.

        Returns
        -------
        str
            A table.
        """
        return str(UnitizingTable([self]))


class OfCoefficient(Protocol):
    """A result that names its coefficient."""

    @property
    def coefficient(self) -> str:
        """Its name."""


C = TypeVar("C", bound=OfCoefficient)


class ByCategory(ResultTable[C]):
    """Results found by a coefficient, or by a coefficient and a category."""

    _most = None

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

    _table = (
        "coefficient | category = [{category:l}][all{category!:l}] | n_units | "
        "coverage:.3f | D_o = observed_disagreement:# | D_e = expected_disagreement:# | value"
    )

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


# ---------------------------------------------------------------------- making them


def why_not(data: Continuum, n_units: int) -> str | None:
    """Return the reason if units have no value under any coefficient."""
    if data.n_coders < 2:
        return NO_PAIRS
    if not (data.n_seeing > 1).any():
        return NO_COMMON
    return None if n_units else NO_UNITS


#: D_o and D_e of a coefficient, if it has any.
Exact = tuple[Fraction, Fraction] | None


def _value(halves: Exact, why: str | None) -> tuple[tuple[float, float, float], str | None]:
    """Return 1 − D_o / D_e, rounded once, D_o and D_e, and the reason if there is no value."""
    if halves is None:
        return (NAN, NAN, NAN), why
    observed, expected = halves
    why = why or (None if expected else NO_VARIATION)
    value = NAN if why else float(1 - observed / expected)
    return (value, float(observed), float(expected)), why


def part(
    data: Continuum, code: int, halves: Exact, why: str | None, *, coverage: float = 1.0
) -> CategoryUnitizing:
    """Make the part of a category from D_o and D_e, or from the reason why there are none.

    `data` are the documents with two coders or more, as returned by `paired`.
    """
    units, (numbers, why) = data.units_of(code), _value(halves, why)
    length = int((data.end[units] - data.start[units]).sum())
    n_units = data.count(units)
    return CategoryUnitizing(data.categories[code], *numbers, n_units, length, coverage, why)


def whole(
    data: Continuum,
    coefficient: str,
    halves: Exact,
    why: str | None,
    *,
    parts: Iterable[CategoryUnitizing] = (),
    coverage: float = 1.0,
) -> Unitizing:
    """Make a coefficient from D_o and D_e, or from the reason why there are none."""
    numbers, why = _value(halves, why)
    used, alone = paired(data), int((data.n_seeing < 2).sum())
    sizes = used.n_units, data.n_coders, len(data.documents), alone, used.length
    return Unitizing(coefficient, *numbers, tuple(parts), *sizes, data.inferred, coverage, why)


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

    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     coders=["i", "i", "j", "j", "j", "i", "i", "j", "j"],
    ...     starts=[225, 370, 220, 355, 400, 180, 300, 180, 300],
    ...     ends=[295, 400, 300, 375, 420, 240, 350, 240, 350],
    ...     categories=["c"] * 5 + ["k"] * 4,
    ...     extents=(150, 450),
    ... )
    >>> result = units.alpha_u(data)
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
    result = Fraction(0)
    for rows, others in groups.of(line.document):
        # Σ (x − y)² over ordered pairs of units that intersect
        squares = sum(
            dot((line.intersecting * ends)[rows], ends[rows]) - dot(near[rows], ends[rows])
            for ends, near in sums
        )
        result += Fraction(2 * (squares + dot3(length[rows], length[rows], alone[rows])), others)
    return result


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
FEW_UNITS = "too few units: the account leaves no pairs of different units for chance"
BY_CATEGORY = "there is a value for each category only: see by_category"
#: Accounts of what cuα leaves out of chance if a document has more than two coders.
ACCOUNTS = ("krippendorff_2016", "krippendorff_2019")


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
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> units.u_alpha(data)
    <u_alpha: 0.867176, D_o = 0.1, D_e = 0.752874, 4 units, 2 coders, length 10>
    """
    return _with_gaps(data, "u_alpha")


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
    >>> import agreement_fast as af
    >>> data = af.units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(af.agreement(data, "binary_u_alpha").value, 4)
    0.8088
    """
    return _with_gaps(data, "binary_u_alpha")


def _with_gaps(data: Continuum, name: str) -> Unitizing:
    result = _coincide(data)
    if isinstance(result, str):
        return whole(data, name, None, result, coverage=NAN)
    return whole(data, name, result.halves(name), None)


def cu_alpha(
    data: Continuum,
    distance: DistanceLike = "nominal",
    *,
    account: Literal["krippendorff_2016", "krippendorff_2019"] = "krippendorff_2016",
) -> Unitizing:
    """cuα: agreement on categories in the places that several coders marked.

    Parameters
    ----------
    data : Continuum
        The units of the coders.
    distance : str, Distance, array, mapping or function, default "nominal"
        The distance between categories: a name, a K × K matrix, a mapping of pairs, or a function
        of two labels. See `agreement_fast.distances`.
    account : {"krippendorff_2016", "krippendorff_2019"}, default "krippendorff_2016"
        Which published account of chance to follow if a document has more than two coders; for two
        coders they are equal.

    Returns
    -------
    Unitizing
        A float with its parts; ``coverage`` is the part of the continua that the pairs of coders
        marked, ℓ* / ℓ. Undefined if coders marked no place in common, or if a coder's units of
        different categories overlap.

    Notes
    -----
    Like `u_alpha`, but only for intersections of units: ℓ*_c is Σ ℓ_ck over the categories k
    without gaps, and ℓ* is the sum of these. s*_c is a sum of squared lengths, one for each unit of
    c with all its pieces. "krippendorff_2016" (equation 10 of 2016) takes for each other coder the
    square of the length in which the unit intersects that coder's units, and divides the sum by
    m − 1. "krippendorff_2019" (equations 36 and 37 of 2019) takes the square of the length in which
    the unit intersects units of any other coder. Then (equation 11)
    cuα = 1 − Σ d_ck ℓ_ck / Σ d_ck ε*_ck. D_o and D_e are these two divided by ℓ*.

    O(n log n), for each category under other distances than nominal.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(af.agreement(data, "cu_alpha").value, 4), af.agreement(data, "cu_alpha").coverage
    (-0.0833, 0.6)
    """
    result = _intersections(data, account)
    if isinstance(result, str):
        return whole(data, "cu_alpha", None, result, coverage=NAN)
    both = result.covered.sum()
    pairs, coverage = both**2 - result.met.sum(), float(both / result.all)
    if pairs <= 0:
        return whole(data, "cu_alpha", None, FEW_UNITS, coverage=coverage)
    bound = distances.resolve(distance)
    distances.check_symmetric(bound)
    if bound.name == "nominal":
        observed, expected = result.halves("cu_alpha")
    else:
        used = paired(data)
        codes, groups = range(len(used.categories)), Groups(used)
        marginals = result.covered.astype(np.float64)
        d = table_of(bound.bind(used.categories, False, marginals).between, len(codes))
        lines = [Line(used, used.units_of(code)) for code in codes]
        observed = expected = Fraction(0)
        for c, k in np.argwhere(d > 0).tolist():
            weight = Fraction(float(d[c, k]))
            observed += weight * groups.total(lines[c].shared(lines[k]), lines[c].document) / both
            expected += weight * result.covered[c] * result.covered[k] / pairs
    return whole(data, "cu_alpha", (observed, expected), None, coverage=coverage)


def ku_alpha(
    data: Continuum,
    *,
    account: Literal["krippendorff_2016", "krippendorff_2019"] = "krippendorff_2016",
) -> Unitizing:
    """(k)uα: agreement on each category in the places that several coders marked.

    Parameters
    ----------
    data : Continuum
        The units of the coders.
    account : {"krippendorff_2016", "krippendorff_2019"}, default "krippendorff_2016"
        Which published account of chance to follow; see `cu_alpha`.

    Returns
    -------
    Unitizing
        A value for each category, and NaN for all together. A category's ``coverage`` is the part
        of its units that other coders' units intersect. Undefined if a coder's units of different
        categories overlap.

    Notes
    -----
    (k)uα = 1 − (ε*_k / ℓ*_k) (ℓ*_k − ℓ_kk) / (ε*_k − ε*_kk), with the lengths ℓ* and ε* that
    `cu_alpha` defines (equation 13b of 2016), so D_o = 1 − ℓ_kk / ℓ*_k and
    D_e = 1 − ε*_kk / ε*_k. O(n log n).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "y", "y"], extents=10
    ... )
    >>> round(af.agreement(data, "ku_alpha")["y"].value, 4)
    -0.125
    """
    result = _intersections(data, account)
    if isinstance(result, str):
        return whole(data, "ku_alpha", None, result, coverage=NAN)
    used, both, parts = paired(data), result.covered.sum(), []
    for code, (covered, length) in enumerate(zip(result.covered, result.lengths, strict=True)):
        enough = covered and covered * both > result.met[code]
        halves = result.halves("ku_alpha", code) if enough else None
        why = None if halves else FEW_UNITS if covered else NO_INTERSECTIONS
        coverage = float(covered / length) if length else NAN
        parts.append(part(used, code, halves, why, coverage=coverage))
    coverage = float(both / result.all)
    return whole(data, "ku_alpha", None, BY_CATEGORY, parts=parts, coverage=coverage)


# ---------------------------------------------------------------------- sums


class Lengths(NamedTuple):
    """Lengths along the continuum: exact fractions, or floats of shape (R,) for R resamples.

    Lengths that two coders have in common are sums over ordered pairs of coders, divided by one
    less than the number of the document's coders.
    """

    #: m L, the length that all coders saw.
    all: Any
    #: Σ l² of whole units.
    squares: Any
    #: Of the units of each category: arrays with a row for each, as are the next three.
    lengths: Array
    #: In which two coders have the same category, and in which the other has any.
    coinciding: Array
    covered: Array
    #: s*_c of each category, see `cu_alpha`.
    met: Array

    def halves(self, name: str, code: int | None = None) -> tuple[Any, Any]:
        """D_o and D_e of a coefficient, of ku_alpha for the category at a place."""
        marked, both = self.lengths.sum(0), self.covered.sum(0)
        gaps = self.all - marked
        gaps_agreed = gaps - marked + both
        pairs = self.all**2 - self.squares - gaps  # without those of a segment with itself
        if name == "u_alpha":
            alike = (self.lengths**2).sum(0) + gaps**2
            agreed = gaps_agreed + self.coinciding.sum(0)
            return 1 - agreed / self.all, (self.all**2 - alike) / pairs
        if name == "binary_u_alpha":
            return 2 * (gaps - gaps_agreed) / self.all, 2 * gaps * marked / pairs
        if name == "cu_alpha":
            apart = both**2 - (self.covered**2).sum(0)
            return 1 - self.coinciding.sum(0) / both, apart / (both**2 - self.met.sum(0))
        own = self.covered[code]
        # ε*_k and ε*_k − ε*_kk, times a common factor
        expected = own * (both - own) / (own * both - self.met[code])
        return 1 - self.coinciding[code] / own, expected


def _coincide(data: Continuum) -> Lengths | str:
    """Return the sums, or why there are none; computed once for a continuum."""
    if "coincidences" not in checked(data).memo:
        used = paired(data)
        why = why_not(used, used.n_units) or overlap(used)
        data.memo["coincidences"] = why or _exact(used)
    result: Lengths | str = data.memo["coincidences"]
    return result


def _exact(data: Continuum) -> Lengths:
    """Return exact lengths, without s*."""
    groups, (length, *shared) = Groups(data), _of_units(data)
    rows = [
        (
            Fraction(total(length[units])),
            *(groups.total(some[units], data.document[units]) for some in shared),
        )
        for units in map(data.units_of, range(len(data.categories)))
    ]
    whole_length = whole_units(data, length)[1]
    lengths, same, of_any = np.array(rows, object).reshape(-1, 3).T
    everywhere, squares = Fraction(groups.everywhere), dot(whole_length, whole_length)
    return Lengths(everywhere, squares, lengths, same, of_any, np.zeros(0, object))


def _of_units(data: Continuum) -> tuple[Array, Array, Array]:
    """The length of each unit, and in which others have a unit of its category, and of any."""
    line = Line(data, slice(None))
    length = line.end - line.start
    same = np.empty_like(length)
    for units in map(data.units_of, range(len(data.categories))):
        own = Line(data, units)
        same[units] = own.shared(own) - length[units]
    return length, same, line.shared(line) - length


def lengths_met(data: Continuum, account: str) -> Iterator[Array]:
    """Give the lengths in which units intersect those of each other coder, or of any (2019)."""
    line = Line(data, slice(None))
    if account == "krippendorff_2019" or data.n_seeing.max(initial=0) < 3:
        yield whole_units(data, line.shared_by_any())[1]
        return
    for coder in range(data.n_coders):
        own = data.coder == coder
        met = np.where(own, 0, line.shared(Line(data, np.flatnonzero(own))))
        yield whole_units(data, met)[1]


def _squares_met(data: Continuum, account: str) -> Array:
    """Return s*_c of each category, exact; see `cu_alpha`."""
    first, groups = first_pieces(data), Groups(data)
    codes = np.arange(len(data.categories))
    ends = np.searchsorted(data.category[first], [codes, codes + 1]).T
    result = np.full(len(codes), Fraction(0))
    for lengths in lengths_met(data, account):
        for code, (begin, end) in enumerate(ends.tolist()):
            own = lengths[begin:end]
            for rows, others in groups.of(data.document[first[begin:end]]):
                pairs = 1 if account == "krippendorff_2019" else others
                result[code] += Fraction(dot(own[rows], own[rows]), pairs)
    return result


def _intersections(data: Continuum, account: str) -> Lengths | str:
    """Return the lengths with s*, or why those of intersections are undefined."""
    check_choice("account", account, ACCOUNTS)
    result = _coincide(data)
    if isinstance(result, str) or not any(result.covered):
        return result if isinstance(result, str) else NO_INTERSECTIONS
    if ("met", account) not in data.memo:
        data.memo["met", account] = _squares_met(paired(data), account)
    return result._replace(met=data.memo["met", account])


#: Numbers that are held at a time: 8 MB of floats.
ROOM = 1 << 20

#: A coefficient, and a category or None for all together.
Part = tuple[str, Any]

#: D_o and D_e in each resample.
Halves = tuple[FloatArray, FloatArray]


class DocumentSums:
    """The coefficients of a continuum whose documents count as often as weights say.

    `data`: of two coders or more in each document, as `paired` gives it.
    """

    def __init__(self, data: Continuum, parts: Sequence[Part]) -> None:
        self._length = np.diff(data.extents, axis=1)[:, 0].astype(np.float64)
        self._seen = self._length * data.n_seeing
        self.n = len(data.documents)
        names = {name for name, _ in parts}
        places = {label: code for code, label in enumerate(data.categories)}
        self._parts = [(name, None if label is None else places[label]) for name, label in parts]
        self._along = None if names <= {"alpha_u"} else _by_document(data)
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
        everywhere, L = self._seen @ weights, self._length @ weights
        each = [apart.halves(weights, everywhere, L) for apart in self._apart]
        result: dict[Part, Halves] = {("alpha_u", code): part for code, part in enumerate(each)}
        if each:
            observed, expected = (np.sum(half, axis=0) for half in zip(*each, strict=True))
            result["alpha_u", None] = observed, expected
        if self._along is not None:
            *by_category, squares = self._along @ weights
            four = np.reshape(by_category, (4, -1, weights.shape[1]))
            lengths = Lengths(everywhere, squares, *four)
            with np.errstate(divide="ignore", invalid="ignore"):
                result |= {of: lengths.halves(*of) for of in self._parts if of[0] != "alpha_u"}
        return [result[of] for of in self._parts]


def _by_document(data: Continuum) -> FloatArray:
    """Return `Lengths` by document, a row for each sum: resamples take one product of matrices."""
    length, *shared = _of_units(data)
    D, K, first = len(data.documents), len(data.categories), first_pieces(data)

    def by_category(values: Array, rows: Array) -> FloatArray:
        places = data.category[rows].astype(np.int64) * D + data.document[rows]
        return np.bincount(places, values, K * D).astype(np.float64).reshape(K, D)

    # Pairs of coders count by one less than the coders of their document.
    pairs, every = 1 / (data.n_seeing - 1)[data.document], np.arange(len(length))
    met = np.zeros((K, D))
    for own in lengths_met(data, ACCOUNTS[0]):
        met += by_category(own.astype(np.float64) ** 2 * pairs[first], first)
    whole_length = whole_units(data, length)[1].astype(np.float64)
    some = [by_category(values, every) for values in (length, *(of * pairs for of in shared))]
    return np.concatenate([*some, met, np.bincount(data.document[first], whole_length**2, D)[None]])


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
        self._squares = 2 * by_document(squares) / (seeing - 1)
        self._n = by_document(np.ones(line.n))
        self._cubes = by_document(length * (length - 1) * (2 * length - 1))
        self._places = by_document(length * (length - 1))
        self._document, self._lengths = line.document, length
        gap, times, self._gap_document = line.gaps(seeing)
        self._gap, self._times = gap.astype(np.float64)[:, None], times[:, None].astype(np.float64)
        self._fitting = np.searchsorted(gap, line.end - line.start, "left")
        self.width = 3 * (len(gap) + line.n)

    def halves(self, weights: FloatArray, everywhere: FloatArray, L: FloatArray) -> Halves:
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
            valid = self._n @ weights > 0
            observed = self._squares @ weights / (everywhere * L)
            return np.where(valid, observed, 0.0), np.where(valid, 2 * ways / (3 * L * places), 0.0)


COEFFICIENTS = {
    function.__name__: function
    for function in (alpha_u, u_alpha, binary_u_alpha, cu_alpha, ku_alpha)
}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class UnitizingInterval(Resampled):
    """A coefficient of unitizing: a float, with its bootstrap distribution.

    Attributes
    ----------
    coefficient : str
        The name of the coefficient.
    category : label or None
        The category; None for all together.
    value : float
        The coefficient of the data; NaN if undefined.
    standard_error : float
        The standard deviation of the replicates.
    low, high : float
        The ends of the interval; NaN if there is none.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_documents, n_resamples, n_undefined : int
        Number of documents, of resamples, and of resamples that leave the coefficient undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample; NaN if undefined.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    _caption = (
        "{coefficient}[ of {category:r}] = {value}[, {interval}] ({method}, {n_resamples} "
        "resamples of {n_documents:document})[, {n_undefined} of them undefined]"
    )

    coefficient: str
    category: Any
    n_documents: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)


class UnitizingIntervals(ByCategory[UnitizingInterval]):
    """Coefficients from the same resamples of documents: a sequence that also takes names.

    ``result["u_alpha"]`` is the coefficient of all categories together, ``result["ku_alpha",
    "place"]`` that of one category. ``print(result)`` shows all of them.
    """

    _table = (
        "coefficient | category = [{category:l}][all{category!:l}] | value | low..high | "
        "n_undefined"
    )


def alpha_table(data: Continuum, names: Iterable[str] = tuple(COEFFICIENTS)) -> UnitizingTable:
    """Compute several coefficients, by default all."""
    return UnitizingTable(COEFFICIENTS[name](data) for name in names)


def intervals(data: Continuum, names: Sequence[str], options: Options) -> UnitizingIntervals:
    """Compute coefficients with intervals, by resampling documents.

    Documents that fewer than two coders saw are not drawn. O(units · log units) once; for each
    resample O(documents · categories), and O(units) for α_U.
    """
    whole = list(alpha_table(data, names).parts())
    drawn = [(name, category) for name, category, part in whole if part.undefined is None]
    n_documents = len(paired(data).documents)
    result = {}
    if drawn:
        sums = DocumentSums(paired(data), drawn)
        result = dict(zip(drawn, spreads(sums.values, sums.n, options), strict=True))
    results = []
    for name, category, part in whole:
        entry = result.get((name, category), NO_SPREAD)
        results.append(
            UnitizingInterval(
                coefficient=name,
                category=category,
                value=part.value,
                **entry.parts(options),
                n_documents=n_documents,
                n_undefined=entry.n_undefined,
                replicates=entry.replicates,
                undefined=part.undefined,
                note=None if part.undefined else why_no_interval(entry, n_documents),
            )
        )
    return UnitizingIntervals(results)

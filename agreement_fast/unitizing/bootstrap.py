"""Intervals of the coefficients of unitizing, by resampling documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.documents import NO_SPREAD, Options, spreads, why_no_interval
from agreement_fast.options import check_names
from agreement_fast.results import Result
from agreement_fast.tables import of_fields
from agreement_fast.terminal import align, show_value
from agreement_fast.unitizing.coincidences import (
    ByCategory,
    UnitizingTable,
    alpha_u,
    binary_u_alpha,
    cu_alpha,
    ku_alpha,
    u_alpha,
)
from agreement_fast.unitizing.continuum import Continuum, checked, paired
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


COEFFICIENTS = {
    "alpha_u": alpha_u,
    "u_alpha": u_alpha,
    "binary_u_alpha": binary_u_alpha,
    "cu_alpha": cu_alpha,
    "ku_alpha": ku_alpha,
}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class UnitizingInterval(Result):
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

    coefficient: str
    category: Any
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_documents: int
    n_resamples: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        of = "" if self.category is None else f" of {self.category!r}"
        text = (
            f"{self.coefficient}{of} = {self.value:.6g}, "
            f"{100 * self.confidence_level:.12g}% interval {self.low:z.4f} to {self.high:z.4f} "
            f"({self.method}, {self.n_resamples} resamples of "
            f"{self.n_documents} documents)"
        )
        if self.n_undefined:
            text += f", {self.n_undefined} of them undefined"
        return "<" + "; ".join([text, *filter(None, (self.note, self.undefined))]) + ">"


class UnitizingIntervals(ByCategory[UnitizingInterval]):
    """Coefficients from the same resamples of documents: a sequence that also takes names.

    ``found["u_alpha"]`` is the coefficient of all categories together, ``found["ku_alpha",
    "place"]`` that of one category. ``print(found)`` shows all of them.
    """

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each coefficient and category; the category of all together is None."""
        columns = of_fields(self._rows)
        columns.pop("replicates", None)
        return columns

    def __repr__(self) -> str:
        head = ("coefficient", "category", "value", "low", "high", "undefined")
        rows = [
            (
                result.coefficient,
                "all" if result.category is None else str(result.category),
                show_value(result.value),
                show_value(result.low),
                show_value(result.high),
                str(result.n_undefined) if result.undefined is None else result.undefined,
            )
            for result in self._rows
        ]
        lines = align(head, rows, "<<>>><", indent="")
        return "\n".join([*lines, *dict.fromkeys(r.note for r in self._rows if r.note)])


def bootstrap(
    data: Continuum,
    coefficients: str | Sequence[str] | None = None,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> UnitizingIntervals:
    """Compute coefficients of unitizing with intervals, by resampling documents.

    Parameters
    ----------
    data : Continuum
        The units in several documents, the more the better. The interval shows how far the value
        would move with other documents of the same kind. A single document has no interval.
    coefficients : str or sequence of str, optional
        "alpha_u", "u_alpha", "binary_u_alpha", "cu_alpha" or "ku_alpha". By default all.
    n_resamples : int, default 1000
        How many times the documents are drawn with replacement.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval. The jackknife of "bca" leaves out one document at a time.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same replicates with any number of threads.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    UnitizingIntervals
        A `UnitizingInterval` for each coefficient and, if it has any, each category.

    Raises
    ------
    ValueError
        If a name or an option is unknown.

    Notes
    -----
    A document that is drawn twice counts as two documents. Documents that fewer than two coders saw
    are not drawn. With few documents, intervals are too narrow: with ten documents, 95% intervals
    hold the true value in 90% of the cases (docs/unitizing.md). O(units · log units) once; for each
    resample O(documents · categories), and O(units) for α_U.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "B"] * 4,
    ...     starts=[0, 0, 2, 3, 1, 1, 5, 0],
    ...     ends=[4, 4, 8, 8, 6, 7, 9, 4],
    ...     documents=[1, 1, 2, 2, 3, 3, 4, 4],
    ...     extents=10,
    ... )
    >>> found = unitizing.bootstrap(data, "u_alpha", rng=1)["u_alpha"]
    >>> round(found.value, 3), found.n_undefined, found.low < found.value < found.high
    (0.517, 0, True)
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    requested = "a name or a sequence of names"
    names = check_names("coefficients", coefficients, tuple(COEFFICIENTS), requested)
    whole = list(UnitizingTable(COEFFICIENTS[name](checked(data)) for name in names).parts())
    drawn = [(name, category) for name, category, part in whole if part.undefined is None]
    n_documents = len(paired(data).documents)
    found = {}
    if drawn:
        sums = DocumentSums(paired(data), drawn)
        found = dict(zip(drawn, spreads(sums.values, sums.n, options), strict=True))
    results = []
    for name, category, part in whole:
        one = found.get((name, category), NO_SPREAD)
        results.append(
            UnitizingInterval(
                coefficient=name,
                category=category,
                value=part.value,
                **one.parts(options),
                n_documents=n_documents,
                n_undefined=int(np.isnan(one.replicates).sum()),
                replicates=one.replicates,
                undefined=part.undefined,
                note=None if part.undefined else why_no_interval(one, n_documents),
            )
        )
    return UnitizingIntervals(results)

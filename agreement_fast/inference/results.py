"""Results of draws and comparisons, and notes on intervals: without width, or of few judgments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import Chance
from agreement_fast.coefficients import observed_agreement
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.inference.hypotheses import (
    ALTERNATIVES,
    CoefficientTest,
    check_null_value,
    tested,
)
from agreement_fast.inference.intervals import (
    TOO_FEW,
    Jackknife,
    acceleration,
    interval,
    is_point,
    p_value,
    spread,
    too_few,
)
from agreement_fast.options import Alternative, Incomplete, check_choice
from agreement_fast.patterns import Rows, as_lists
from agreement_fast.points import Point
from agreement_fast.present.tables import ResultTable
from agreement_fast.present.terminal import number_of, show_category, show_label
from agreement_fast.reading.recognition.read import Read
from agreement_fast.results import Resampled, place_of

NO_REPLICATES = "no variance: no resample has a value, so nothing can be tested against it"
NO_SPREAD = "no variance: all resamples have one value, so nothing can be tested against it"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BootstrapResult(Resampled):
    """A coefficient, a float, with its bootstrap distribution.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    value : float
        The coefficient of the data; NaN if undefined.
    standard_error : float
        Standard deviation of the replicates.
    low, high : float
        Ends of the interval.
    confidence_level : float
        Of the interval.
    method, resample : str
        The method of the interval, and what was drawn: "items", "coders", "both", or "pairs" of
        judgments by the method "krippendorff".
    n_resamples, n_undefined : int
        Number of resamples, and of those that leave the coefficient undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample in the order of the draws; NaN if undefined.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width or is too narrow.
    acceleration : float
        The acceleration of BCa; NaN for other methods.
    n_clusters : int or None
        Number of clusters of items, if clusters were drawn instead of items.
    """

    _caption = (
        "{coefficient}({distance}) = {value}[, {interval}] ({method}, {n_resamples} resamples of "
        "{_drawn})[, {n_undefined} of them undefined]"
    )

    @property
    def _drawn(self) -> str:
        if self.n_clusters is not None:
            return f"{self.n_clusters} clusters of items"
        names = {"both": "items and coders", "pairs": "pairs of judgments"}
        return names.get(self.resample, self.resample)

    coefficient: str
    distance: str
    resample: str
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    acceleration: float = math.nan
    n_clusters: int | None = None

    def test(
        self, null_value: float = 0.0, alternative: Alternative = "two-sided"
    ) -> CoefficientTest:
        """Test the coefficient against a value by inverting the interval.

        p is the lowest level at which the interval of this method leaves the value out, so a
        two-sided p is below 1 − confidence_level exactly if the interval leaves the value out. With
        R defined replicates, p is never below 2/(R + 1), or 1/(R + 1) on one side.

        Parameters
        ----------
        null_value : float, default 0
            The value to test against, below 1.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            The alternative hypothesis.

        Returns
        -------
        CoefficientTest
            The test, without a statistic. p is NaN, with a reason, if the coefficient is undefined
            or all replicates are equal.

        References
        ----------
        Davison & Hinkley 1997, *Bootstrap Methods and their Application*, 4.4 and 5.5.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
        >>> result = af.bootstrap(data, "alpha", rng=1).test(0.667, "greater")
        >>> 0.005 < result.p_value < 0.05
        True
        """
        check_null_value(null_value)
        check_choice("alternative", alternative, ALTERNATIVES)
        defined = self.replicates[~np.isnan(self.replicates)]
        p, undefined = math.nan, self.undefined
        if undefined is None and not len(defined):
            undefined = NO_REPLICATES
        elif undefined is None and is_point(float(defined.min()), float(defined.max())):
            undefined = NO_SPREAD
        elif undefined is None and too_few(defined):
            undefined = TOO_FEW
        elif undefined is None:
            p = p_value(
                self.method, self.value, null_value, defined, self.acceleration, alternative
            )
        kind = {"test": f"{self.method} bootstrap", "distribution": "bootstrap"}
        own: dict[str, Any] = {"p_value": p, "alternative": alternative, "undefined": undefined}
        return tested(self, null_value, **kind, **own)

    def failing(self, minimum: Iterable[float] = (0.67, 0.70, 0.80, 0.90)) -> dict[float, float]:
        """Return the probability q of failing to reach each of some values.

        It is the share of the defined replicates below the value (Hayes & Krippendorff 2007).

        Parameters
        ----------
        minimum : iterable of float, default (0.67, 0.70, 0.80, 0.90)
            The values to reach.

        Returns
        -------
        dict of float to float
            The probability q for each value; NaN if no replicate is defined.
        """
        defined = self.replicates[~np.isnan(self.replicates)]
        if not len(defined):
            return dict.fromkeys(minimum, math.nan)
        return {least: float(np.mean(defined < least)) for least in minimum}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Difference(Resampled):
    """A difference of two coefficients, a float, with its interval.

    Attributes
    ----------
    first, second : str
        Names of the two coefficients.
    value : float
        The first less the second.
    standard_error : float
        That of the delta method, or the standard deviation of the replicates.
    low, high, confidence_level : float
        The interval of the difference.
    method : str
        The method of the interval.
    n_resamples, n_undefined : int
        Number of resamples, and of those that leave the difference undefined; 0 without draws.
    replicates : float64 array of shape (n_resamples,)
        The difference in each resample; NaN if undefined.
    p_value : float
        That of no difference: 1 less the highest level whose interval leaves 0 out. With draws
        twice the smaller share of replicates on one side of 0, with one added to the count of each
        side (Davison & Hinkley 1997, 4.4). It is not an exact test.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width.
    paired : bool or None
        Of two data sets: whether they are codings of the same items, or independent.
    read : Read or None
        Of two data sets: what was read of the first.
    """

    _caption = (
        "{first} - {second} = {value}[, {interval}], p = {p_value:.4f} ({method}[, {n_resamples} "
        "resamples]{_paired})"
    )
    _remarks = "note undefined _read_notes"

    @property
    def _paired(self) -> str:
        return {None: "", True: ", paired", False: ", independent"}[self.paired]

    @property
    def _read_notes(self) -> Sequence[str]:
        return () if self.read is None else self.read.notes

    first: str
    second: str
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    p_value: float
    paired: bool | None = None
    read: Read | None = field(default=None, metadata={"column": False})


def difference(
    names: tuple[str, str],
    values: tuple[float, float],
    replicates: FloatArray,
    confidence_level: float,
    method: str,
    jackknives: Sequence[Jackknife],
    undefined: str | None,
) -> Difference:
    """Return the result of a difference whose replicates are known."""
    value = values[0] - values[1]
    low, high = interval(method, value, replicates, confidence_level, acceleration(jackknives))
    defined = replicates[~np.isnan(replicates)]
    sides = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    few = too_few(replicates)
    p_value = math.nan if few else min(1.0, 2 * (sides + 1) / (len(defined) + 1))
    return Difference(
        *names,
        value=value,
        standard_error=spread(replicates),
        low=low,
        high=high,
        confidence_level=confidence_level,
        method=method,
        n_resamples=len(replicates),
        n_undefined=len(replicates) - len(defined),
        replicates=replicates,
        p_value=math.nan if math.isnan(value) else p_value,
        undefined=undefined,
        note=TOO_FEW if few and undefined is None else ALIKE if is_point(low, high) else None,
    )


class BootstrapTable(ResultTable[BootstrapResult]):
    """Several coefficients of the same resamples, by place or by name.

    ``table["alpha", "interval"]`` is a coefficient under a distance. ``table["pi"]`` is the one
    under the nominal distance, or the only one of that name. ``print(table)`` shows them all.
    """

    _table = (
        "coefficient | distance | value | SE = standard_error | low..high | without value = "
        "n_undefined"
    )
    _most = None

    def __init__(
        self, results: Iterable[BootstrapResult], jackknives: Sequence[Jackknife] | None
    ) -> None:
        super().__init__(results)
        self._jackknives = jackknives

    def _named(self, key: Any) -> BootstrapResult:
        return self._rows[place_of(key, self._rows)]

    def _at(self, key: int | str | tuple[str, Any]) -> tuple[BootstrapResult, Jackknife | None]:
        """Return a coefficient, and its values without each unit if they were computed."""
        place = key if isinstance(key, int) else place_of(key, self._rows)
        left_out = None if self._jackknives is None else self._jackknives[place]
        return self._rows[place], left_out

    def difference(self, first: Any, second: Any) -> Difference:
        """Return the first coefficient less the second, from the draws that they share.

        Parameters
        ----------
        first, second : str, (name, distance) or int
            The two coefficients, by name, by name and distance, or by place.

        Returns
        -------
        Difference
            The difference with its interval.
        """
        return shared_difference((self, first), (self, second))


def shared_difference(
    first: tuple[BootstrapTable, Any],
    second: tuple[BootstrapTable, Any],
    of: tuple[str, str] = ("", ""),
) -> Difference:
    """Return a coefficient of one table less one of another that has the same draws.

    Parameters
    ----------
    first, second : (BootstrapTable, name, (name, distance) or place)
        A table, and which of its coefficients.
    of : pair of str
        Texts that follow the names of both coefficients.
    """
    (a, left_a), (b, left_b) = (table._at(key) for table, key in (first, second))
    jackknives = []
    if left_a is not None and left_b is not None:
        jackknives = [(left_a[0] - left_b[0], np.maximum(left_a[1], left_b[1]))]
    return difference(
        (f"{a.coefficient}({a.distance}){of[0]}", f"{b.coefficient}({b.distance}){of[1]}"),
        (a.value, b.value),
        a.replicates - b.replicates,
        a.confidence_level,
        a.method,
        jackknives,
        a.undefined or b.undefined,
    )


#: The rows of each document, and the number of their document.
Documents: TypeAlias = tuple[Rows, Array]

#: The most judgments that are too few. Those of an item whose coders agree count as one.
FEW = 10.0

#: The largest share of all judgments that they may be: others are not rare.
SHARE = 0.1


def are_few(others: Any, n_judgments: Any, items: Any, value: Any) -> Array:
    """Whether a number of judgments, among all judgments of some items, is too small.

    Judgments of items with m judgments are worth 1/(1 + (m − 1) α) of independent ones, so that
    agreement makes them fewer.
    """
    others, total = np.asarray(others, np.float64), np.asarray(n_judgments, np.float64)
    agreed = np.clip(np.nan_to_num(value), 0.0, 1.0)
    alike = 1 + (total / np.maximum(items, 1) - 1) * agreed
    return np.asarray((others > 0) & (others <= SHARE * total) & (others <= FEW * alike))


def rests_on_few(
    annotations: Annotations, chance: Chance, value: float, documents: Documents | None = None
) -> str | None:
    """Say that the interval of a coefficient rests on few judgments or documents, or return None.

    If expected agreement does not depend on how often each category is used, rare categories are
    like any others.

    Parameters
    ----------
    documents : (Rows, int array), optional
        The rows of each document, and the number of their document, if documents are the sample.
    """
    if chance.counts_categories:
        return None
    if documents is None and annotations.uncounted and annotations.numbers is not None:
        # Whether the first rows show that more judgments are outside of any number than are few. If
        # few are outside of the most frequent number, it is the median of any sample twice that
        # size.
        most, first = FEW * annotations.numbers.shape[1], annotations.numbers[: int(4 * FEW)]
        first = first[(~np.isnan(first)).sum(1) > 1]
        first = np.sort(first[~np.isnan(first)])
        if len(first) > 2 * most and np.count_nonzero(first != first[len(first) // 2]) > most:
            return None
    sums = sums_of(annotations)
    counts = sums.counts()
    if not len(counts) or not counts.any():
        return None
    items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    top, total = int(counts.argmax()), int(counts.sum())
    others = total - int(counts[top])
    if not 0 < others <= SHARE * total:
        return None
    number = judgments(others)
    if not are_few(others, total, items, value):
        if documents is None:
            return None
        rows, of_rows = as_lists(documents[0]), documents[1]
        row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
        n_documents = len(np.unique(of_rows[row[rows.codes != top]]))
        if n_documents > FEW:
            return None
        number = f"{number} (in {number_of(n_documents, 'document')})"
    rare = [k for k in np.flatnonzero(counts).tolist() if k != top]
    of = f"categories other than {show_category(annotations.categories[top])}"
    if len(rare) == 1:
        of = f"the category {show_category(annotations.categories[rare[0]])}"
    return f"the interval rests on {number} of {of}"


def judgments(number: int) -> str:
    """Give a number of judgments in words."""
    return "1 judgment" if number == 1 else f"{number:,} judgments"


#: The note if nothing more is known.
ALIKE = "all resamples have this value, which says nothing of other items"

#: The notes if there is no interval: of one item, and of a D_e whose derivative is not known.
ONE_ITEM = "one item has no spread"
NO_SLOPE = "there is no standard error in closed form, use bootstrap()"

#: The note if D_o is 0.
NO_DISAGREEMENT = "no item disagrees, so no resample can, which says nothing of other items"

#: The most coders × categories for which each coder's use of each category is counted.
CELLS = 1 << 24


def why_narrow(
    annotations: Annotations,
    point: Point,
    observed: float,
    ends: tuple[float, float],
    level: float,
    incomplete: Incomplete,
    *,
    value: float | None = None,
    documents: Documents | None = None,
) -> str | None:
    """Explain in one sentence an interval that is a point or rests on few judgments; else None.

    Parameters
    ----------
    annotations : Annotations
        The data.
    point : Point
        The coefficient.
    observed : float
        D_o.
    ends : (low, high)
        The interval; NaN gives None.
    level : float
        Of the interval of the observed agreement.
    incomplete : str
        Which items count.
    value, documents : optional
        See `rests_on_few`, which is not asked without a value.
    """
    if math.isnan(ends[0]) or math.isnan(ends[1]):
        return None
    kept = annotations.kept_moments is not None
    if not is_point(*ends):
        if value is None or kept:
            return None
        return rests_on_few(annotations, point.chance, value, documents)
    if observed != 0:
        return (None if kept else settled_by_coders(annotations, point, ends[0])) or ALIKE
    if kept:
        return NO_DISAGREEMENT
    result = observed_agreement(annotations, confidence_level=level, incomplete=incomplete)
    least = f"; the interval of the observed agreement is {result.low:.4f} to 1"
    return NO_DISAGREEMENT + least * (result.value == 1)


def settled_by_coders(annotations: Annotations, point: Point, value: float) -> str | None:
    """Explain in one sentence a coefficient that coders of one category determine; else None."""
    if not point.chance.knows_coders or not (why := constant_coders(annotations)):
        return None
    return f"{point.name} is {round(value, 12) + 0.0:.4g} for any items: {why}"


def constant_coders(annotations: Annotations) -> str | None:
    """Say who used one category only, if at most one coder used more; else None."""
    if annotations.coders is None or len(annotations.coders) * len(annotations.labels) > CELLS:
        return None
    counts = annotations.coder_marginals().values
    used = np.count_nonzero(counts, axis=1)
    single, several = np.flatnonzero(used == 1), np.flatnonzero(used > 1)
    if not len(single) or len(several) > 1:
        return None
    if len(single) > 1:
        but = f" but {show_label(annotations.coders[several[0]])}" if len(several) else ""
        return f"no coder{but} used more than one category"
    (place,) = single.tolist()
    label = annotations.categories[int(counts[place].argmax())]
    return f"coder {show_label(annotations.coders[place])} used {show_label(label)} only"

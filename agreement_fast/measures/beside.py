"""One table of agreement coefficients and of the measures that are mistaken for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import normal_quantile, student_quantile
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.errors import InputError
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.measures.correlations import (
    OF_RANKS,
    cronbach_alpha,
    icc,
    kendall_w,
    mean_of_pairs,
    overall_concordance,
)
from agreement_fast.measures.measure import (
    EXACT,
    FEW_ITEMS,
    NAN,
    Measure,
    Points,
    Ratings,
    are_numbers,
)
from agreement_fast.options import check_share
from agreement_fast.present.tables import DETAILS, Listing, Row, Tabular, of_each
from agreement_fast.present.terminal import number_of

if TYPE_CHECKING:
    from agreement_fast.measures.components import VarianceComponents


class Differences(NamedTuple):
    """The points of the plot; equal points are counted, not repeated.

    Attributes
    ----------
    mean, difference : float64 arrays of shape (P,)
        The mean of both judgments, and the first minus the second.
    weights : int64 array of shape (P,)
        The number of items of each point.
    """

    mean: FloatArray
    difference: FloatArray
    weights: Array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LimitsOfAgreement(Row):
    """How far the judgments of two coders lie apart, in units of the labels.

    Attributes
    ----------
    first, second : object
        The coders; differences are the first minus the second.
    bias, bias_low, bias_high : float
        The mean difference, and its interval.
    standard_deviation : float
        The standard deviation of the differences.
    lower_limit, lower_limit_low, lower_limit_high : float
        The value below which 2.5% of the differences are expected to lie, and its interval.
    upper_limit, upper_limit_low, upper_limit_high : float
        The value above which 2.5% of the differences are expected to lie, and its interval.
    share : float
        The share of the differences that is expected between the limits, 95% by default.
    confidence_level : float
        The confidence level of the intervals.
    n_items, n_items_left_out : int
        The number of items that both coders judged, and of the other items.
    points : Differences
        The points that `plots.bland_altman` draws.
    note : str or None
        Why there are no limits or no intervals.
    """

    _caption = (
        "{first:l} less {second:l}: {bias:#} on average, {share:g%} of the differences "
        "from {lower_limit:#} to {upper_limit:#}, {n_items:item}"
    )

    aside = DETAILS | {"n_items_left_out", "share", "standard_deviation"}

    first: Any
    second: Any
    bias: float
    bias_low: float
    bias_high: float
    standard_deviation: float
    lower_limit: float
    lower_limit_low: float
    lower_limit_high: float
    upper_limit: float
    upper_limit_low: float
    upper_limit_high: float
    share: float
    confidence_level: float
    n_items: int
    n_items_left_out: int
    points: Differences
    note: str | None = None


def limits_of_agreement(
    data: JudgmentsLike,
    *,
    share: float = 0.95,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Listing[LimitsOfAgreement]:
    """Compute Bland & Altman's limits of agreement for each pair of coders.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers.
    share : float, default 0.95
        The share of the differences that is expected to lie between the limits.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Listing of LimitsOfAgreement
        One for each pair, in the order of ``itertools.combinations(coders, 2)``. Draw one with
        `plots.bland_altman`.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or `data` are counts
        without coders.

    Notes
    -----
    The limits are the mean difference ± z standard deviations, with z = 1.96 for 95%. With n items
    and standard deviation s, the standard error of the mean is s / √n, and that of a limit is
    s √(1/n + z² / (2 (n − 1))) (Bland & Altman 1999). Intervals use t with n − 1 degrees of
    freedom. They assume that the differences are nearly normal and do not grow with the quantity
    that is judged; check this in the plot.
    O(C² · U) for U distinct rows.

    References
    ----------
    Bland, J. M., & Altman, D. G. (1986). Statistical methods for assessing agreement between two
    methods of clinical measurement. Lancet 327, 307-310.

    Bland, J. M., & Altman, D. G. (1999). Measuring agreement in method comparison studies.
    Statistical Methods in Medical Research 8, 135-160.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2], [2, 2], [3, 5], [4, 5], [6, 6], [5, 7]]
    >>> af.measures.limits_of_agreement(table)
    <0 less 1: -1.0000 on average, 95% of the differences from -2.7530 to 0.7530, 6 items>
    """
    check_share("share", share)
    check_share("confidence_level", confidence_level)
    ratings = Ratings(as_annotations(data, **reading), "limits of agreement")
    return Listing(
        _of_pair(ratings, first, second, points, share, confidence_level)
        for first, second, points in ratings.pairs()
    )


def _rounding(points: Points, difference: FloatArray, origin: float) -> float:
    """Return how far rounding may move equal differences apart; 0 for whole numbers."""
    if (difference == np.round(difference)).all():
        return 0.0
    largest = max(float(np.abs(points.x).max()), float(np.abs(points.y).max())) + abs(origin)
    return 2 * float(np.finfo(np.float64).eps) * largest


def _of_pair(
    ratings: Ratings, first: int, second: int, points: Points, share: float, level: float
) -> LimitsOfAgreement:
    n, weights = points.n_items, points.weights
    difference = points.x - points.y
    bias = float(weights @ difference) / n if n else NAN
    spread, of_bias, of_limit, reach = NAN, NAN, NAN, NAN
    note: str | None = FEW_ITEMS
    if n > 1:
        spread = math.sqrt(float(weights @ (difference - bias) ** 2) / (n - 1))
        spread = 0.0 if spread <= _rounding(points, difference, ratings.origin) else spread
        z, t = normal_quantile((1 + share) / 2), student_quantile(n - 1, (1 + level) / 2)
        reach, note = z * spread, None if spread else EXACT
        if spread:
            of_bias = t * spread / math.sqrt(n)
            of_limit = t * spread * math.sqrt(1 / n + z * z / (2 * (n - 1)))
    ends = (
        (middle, middle - half, middle + half)
        for middle, half in ((bias, of_bias), (bias - reach, of_limit), (bias + reach, of_limit))
    )
    of_mean, lower, upper = ends
    return LimitsOfAgreement(
        ratings.coders[first],
        ratings.coders[second],
        *of_mean,
        spread,
        *lower,
        *upper,
        share,
        level,
        n,
        ratings.n_items - n,
        Differences((points.x + points.y) / 2 + ratings.origin, difference, weights),
        note,
    )


#: What each number says, and why it is not agreement.
TELLS: Mapping[str, str] = {
    "kappa(nominal)": "agreement: equal labels beyond chance, each coder's own distribution",
    "alpha(nominal)": "agreement: equal labels beyond chance, one distribution for all coders",
    "alpha(interval)": "agreement: small squared differences beyond chance; bias lowers it",
    "beta(interval)": "agreement: quadratically weighted kappa; bias and unequal spread lower it",
    "beta(linear)": "agreement: linearly weighted kappa; large differences count less than squared",
    "pearson": "a line: 1 also if a coder always says twice as much, or always 3 more",
    "spearman": "an order: 1 if coders order the items alike, even with other numbers",
    "kendall": "an order (τ-b): pairs of items ordered alike less those ordered otherwise",
    "W": "an order, for many coders: 1 if all order the items alike, near 1/C by chance",
    "overall CCC": "agreement: Lin's concordance; the same number as beta(interval)",
    "ICC(1,1)": "agreement of one rating, if each item has coders of its own; near alpha(interval)",
    "ICC(2,1)": "agreement of one rating by a coder like these; near weighted kappa of many items",
    "ICC(3,1)": "consistency of one rating by these coders: a coder's bias is ignored",
    "ICC(1,k)": "agreement of means, if each item has coders of its own: grows with their number",
    "ICC(2,k)": "agreement of means of coders like these: grows with their number",
    "ICC(3,k)": "consistency of means of these coders: grows with their number, ignores bias",
    "Cronbach's alpha": "ICC(3,k) by its other name: grows with coders, ignores bias",
    "mean difference": "the first coder's bias against the second, in units of the labels",
    "lower limit": "units of the labels: 2.5% of the differences are expected below",
    "upper limit": "units of the labels: 2.5% of the differences are expected above",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MeasureTable(Tabular):
    """Agreement coefficients and other measures of the same judgments.

    Attributes
    ----------
    measures : tuple of Measure
    tells : tuple of str
        What each of them says, and why it differs from agreement.
    left_out : str or None
        Which measures or items were left out, and why.
    components : VarianceComponents or None
        What items and coders add to the spread of numbers, also of items that a coder left out.
    """

    _table = "measure | value | low..high | n_items | tells:s"
    _most = None

    measures: tuple[Measure, ...]
    tells: tuple[str, ...]
    left_out: str | None
    components: VarianceComponents | None

    aside = DETAILS | {"n_coders"}

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, name: str) -> Measure:
        """Return the measure with this name."""
        result = next((measure for measure in self.measures if measure.measure == name), None)
        if result is None:
            known = ", ".join(measure.measure for measure in self.measures)
            raise InputError(f"there is no measure {name!r}; the measures are {known}")
        return result

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row per measure."""
        numbers = "measure value low high confidence_level n_items n_items_left_out n_coders"
        return {
            **of_each(self.measures, numbers),
            "tells": self.tells,
            **of_each(self.measures, "undefined note"),
        }

    def notes(self) -> list[str]:
        """Return why values or intervals are missing, and which measures were left out."""
        notes = [
            f"{measure.measure}: {measure.undefined or measure.note}"
            for measure in self.measures
            if measure.undefined or (measure.note and not measure.measure.startswith("ICC"))
        ]
        return [*notes, *filter(None, (self.left_out,))]


def measure_table(data: JudgmentsLike, *, confidence_level: float = 0.95) -> MeasureTable:
    """Compare κ and α with correlations, intraclass correlations and limits of agreement.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. For words with a declared order, only measures of order are
        computed.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    MeasureTable
        For three or more coders, a correlation is the mean over their pairs. Limits of agreement
        are computed for two coders only.

    Raises
    ------
    ValueError
        If the labels have no order, there are fewer than two coders, or `data` are counts without
        coders.

    Examples
    --------
    Coder B always says twice as much (Artstein & Poesio 2005, table 3, experiment 2):

    >>> import agreement_fast as af
    >>> result = measure_table([[1, 2], [2, 4], [3, 6], [4, 8], [5, 10]])
    >>> for name in ("kappa(nominal)", "alpha(interval)", "pearson", "ICC(3,1)"):
    ...     print(name, round(result[name], 3))
    kappa(nominal) -0.087
    alpha(interval) 0.317
    pearson 1.0
    ICC(3,1) 0.8
    """
    check_share("confidence_level", confidence_level)
    whole = as_annotations(data)
    annotations = whole
    of_ranks = Ratings(whole, "the table", ranks=True)
    n_all, n_coders = of_ranks.n_items, len(of_ranks.coders)
    components = of_numbers = None
    reasons = []
    complete = of_ranks.of_complete()
    if complete.n_items > 1:
        annotations, of_ranks = complete, Ratings(complete, "the table", ranks=True)
        if n_left_out := n_all - complete.n_items:
            reasons.append(
                f"All of them on the {number_of(complete.n_items, 'item')} that every coder judged;"
                f" {number_of(n_left_out, 'item')} left out."
            )
    if are_numbers(whole):
        of_numbers = Ratings(annotations, "the table")
        from agreement_fast.measures.components import variance_components

        components = variance_components(whole, confidence_level=confidence_level)
    else:
        reasons.append("The labels are words with an order, so measures of numbers are left out.")
    result = [_agreement(annotations, "kappa", "nominal", confidence_level, n_coders)]
    result.append(_agreement(annotations, "alpha", "nominal", confidence_level, n_coders))
    if of_numbers is not None:
        result += [
            _agreement(annotations, name, distance, confidence_level, n_coders)
            for name, distance in (("alpha", "interval"), ("beta", "interval"), ("beta", "linear"))
        ]
        if complete.n_items > 1:
            result.append(overall_concordance(annotations, confidence_level=confidence_level))
        result.append(mean_of_pairs(of_numbers, "pearson", confidence_level))
    result += [mean_of_pairs(of_ranks, name, confidence_level) for name in OF_RANKS]
    if complete.n_items > 1:
        result.append(kendall_w(annotations, confidence_level=confidence_level))
        if of_numbers is not None:
            result += icc(annotations, confidence_level=confidence_level)
            result.append(cronbach_alpha(annotations, confidence_level=confidence_level))
    else:
        few = "No item was" if not complete.n_items else "Only one item was"
        reasons.append(
            f"{few} judged by all coders, so measures of such items are left out: intraclass "
            "correlations, W, concordance."
        )
    if of_numbers is not None and n_coders == 2:
        result += _limits(annotations, confidence_level)
    result = [replace(row, n_items_left_out=n_all - row.n_items) for row in result]
    tells = tuple(TELLS[row.measure] for row in result)
    return MeasureTable(tuple(result), tells, " ".join(reasons) or None, components)


def _agreement(
    annotations: Annotations, name: str, distance: str, level: float, n_coders: int
) -> Measure:
    result = standard_error(annotations, name, distance=distance, confidence_level=level)
    ends = result.value, result.low, result.high
    n_items = result.n_items, result.n_items_dropped
    name = f"{name}({distance})"
    return Measure(
        name, None, None, *ends, level, *n_items, n_coders, result.undefined, result.note
    )


def _limits(annotations: Annotations, level: float) -> list[Measure]:
    (pair,) = limits_of_agreement(annotations, confidence_level=level)
    ends = {
        "mean difference": (pair.bias, pair.bias_low, pair.bias_high),
        "lower limit": (pair.lower_limit, pair.lower_limit_low, pair.lower_limit_high),
        "upper limit": (pair.upper_limit, pair.upper_limit_low, pair.upper_limit_high),
    }
    return [
        Measure(
            name, pair.first, pair.second, *three, level, pair.n_items, pair.n_items_left_out, 2,
            None, pair.note,
        )
        for name, three in ends.items()
    ]  # fmt: skip

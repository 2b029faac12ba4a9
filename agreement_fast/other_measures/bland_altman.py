"""Bland & Altman's limits of agreement: how far two coders' numbers lie apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.options import check_share
from agreement_fast.other_measures.measure import EXACT, FEW_ITEMS, NAN
from agreement_fast.other_measures.ratings import Points, Ratings
from agreement_fast.tables import DETAILS, Listing, Row
from agreement_fast.terminal import number_of, show_label, show_number


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

    def __repr__(self) -> str:
        text = (
            f"{show_label(self.first, 24)} less {show_label(self.second, 24)}: "
            f"{show_number(self.bias)} on average, {100 * self.share:.12g}% of the differences "
            f"from {show_number(self.lower_limit)} to {show_number(self.upper_limit)}, "
            f"{number_of(self.n_items, 'item')}"
        )
        return f"<{text}>" if self.note is None else f"<{text}; {self.note}>"


def limits_of_agreement(
    data: Any, *, share: float = 0.95, confidence_level: float = 0.95
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
    >>> af.other_measures.limits_of_agreement(table)
    <0 less 1: -1.0000 on average, 95% of the differences from -2.7530 to 0.7530, 6 items>
    """
    check_share("share", share)
    check_share("confidence_level", confidence_level)
    ratings = Ratings(data, "limits of agreement")
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
    from scipy.special import ndtri, stdtrit

    n, weights = points.n_items, points.weights
    difference = points.x - points.y
    bias = float(weights @ difference) / n if n else NAN
    spread, of_bias, of_limit, reach = NAN, NAN, NAN, NAN
    note: str | None = FEW_ITEMS
    if n > 1:
        spread = math.sqrt(float(weights @ (difference - bias) ** 2) / (n - 1))
        spread = 0.0 if spread <= _rounding(points, difference, ratings.origin) else spread
        z, t = float(ndtri((1 + share) / 2)), float(stdtrit(n - 1, (1 + level) / 2))
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

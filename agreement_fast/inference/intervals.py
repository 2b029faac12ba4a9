"""Intervals from the replicates of a bootstrap, and the tests that invert them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import normal_quantile, normal_share

#: Values without one unit, and the number of units with each value.
Jackknife = tuple[FloatArray, Array]

#: Values that differ by less than this, relative to 1 or to a larger value, are equal.
ROUNDING = 1e-12

#: A 95% interval leaves out 1 of 20 replicates; with fewer it would leave out a part of one.
LEAST_DEFINED = 20

#: The note if there are fewer.
TOO_FEW = f"fewer than {LEAST_DEFINED} resamples have a value, too few for an interval"

#: Methods for draws of units with replacement.
RESAMPLED = ("percentile", "basic", "bca")

METHODS = (*RESAMPLED, "bayesian", "krippendorff")


def interval(
    method: str,
    value: float,
    replicates: FloatArray,
    confidence_level: float,
    faster: float = 0.0,
) -> tuple[float, float]:
    """Return the ends (Efron & Tibshirani 1993, chapters 13 and 14; Davison & Hinkley 1997, 5.2).

    Undefined replicates are left out. If fewer than 20 are left, the ends are NaN. `faster` is the
    acceleration, which "bca" uses.
    """
    defined = replicates[~np.isnan(replicates)]
    if len(defined) < LEAST_DEFINED or math.isnan(value):
        return math.nan, math.nan
    ends = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    # BCa corrects for bias and acceleration (Efron 1987), unless all replicates lie on one side.
    if method == "bca" and math.isfinite(bias := _bias(value, defined)):
        shifted = [bias + normal_quantile(end) for end in ends]
        ends = [normal_share(bias + entry / (1 - faster * entry)) for entry in shifted]
    low, high = np.quantile(defined, ends)
    if method == "bayesian":
        # With perfect agreement all draws lie below the value. The interval is extended to it, as
        # that of a share of 1 is extended to 1 (Brown, Cai & DasGupta 2001).
        return min(float(low), value), max(float(high), value)
    if method == "basic":
        return float(2 * value - high), float(2 * value - low)
    return float(low), float(high)


def _bias(value: float, replicates: FloatArray) -> float:
    """Return z₀, the normal quantile of the share of replicates below the value."""
    # Replicates that differ from the value by rounding only count one half.
    gaps = replicates - value
    tie = ROUNDING * np.maximum(1.0, abs(value))
    below = np.count_nonzero(gaps < -tie) + np.count_nonzero(gaps <= tie)
    return normal_quantile(below / (2 * len(replicates)))


def acceleration(jackknives: Sequence[Jackknife]) -> float:
    """Return a of BCa: the skewness of the values without each unit, divided by 6.

    There is a jackknife for each sample that was drawn independently. The value is a sum over
    samples, so the values of a sample that is subtracted have a negative sign.
    """
    cubes = squares = 0.0
    for values, weights in jackknives:
        kept = ~np.isnan(values)
        without, weights = values[kept], weights[kept]
        n = float(weights.sum())
        if not n:
            continue
        gaps = (weights @ without) / n - without
        cubes += float(weights @ gaps**3) * ((n - 1) / n) ** 3
        squares += float(weights @ gaps**2) * ((n - 1) / n) ** 2
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def is_point(low: float, high: float) -> bool:
    """Whether an interval has no width, apart from rounding; False for NaN."""
    return bool(high - low <= ROUNDING * max(1.0, abs(low)))


def too_few(replicates: FloatArray) -> bool:
    """Whether too few replicates are defined for an interval or a test."""
    return int(np.count_nonzero(~np.isnan(replicates))) < LEAST_DEFINED


def p_value(
    method: str,
    value: float,
    null_value: float,
    replicates: FloatArray,
    faster: float,
    alternative: str,
) -> float:
    """Return the lowest level at which the interval of a method leaves a value out.

    p is never below 1/(R + 1) on one side, the smallest level that R replicates can show.

    Parameters
    ----------
    method : str
        The method of the interval.
    value, null_value : float
        The coefficient, and the value that it is tested against.
    replicates : float64 array of shape (R,)
        The defined replicates, R > 0.
    faster : float
        The acceleration; used by "bca".
    alternative : str
        The alternative hypothesis.
    """
    place = 2 * value - null_value if method == "basic" else null_value
    # Replicates that differ from it by rounding only are equal to it.
    tied = np.abs(replicates - place) <= ROUNDING * max(1.0, abs(place))
    ordered = np.sort(np.where(tied, place, replicates))
    below, above = _share_up_to(ordered, place), _share_up_to(-ordered[::-1], -place)
    if method == "bca" and math.isfinite(bias := _bias(value, replicates)):
        below, above = (
            _uncorrected(below, bias, faster),
            1 - _uncorrected(1 - above, bias, faster),
        )
    if method == "bayesian":  # the interval always holds the value
        below = max(below, 0.5) if value <= place else below
        above = max(above, 0.5) if value >= place else above
    greater, less = (above, below) if method == "basic" else (below, above)
    one_side = {"greater": greater, "less": less}.get(alternative, min(greater, less))
    one_side = max(one_side, 1 / (len(replicates) + 1))
    return min(1.0, 2 * one_side) if alternative == "two-sided" else one_side


def _share_up_to(ordered: FloatArray, place: float) -> float:
    """Return the largest share whose quantile is not above a place; 0 if there is none."""
    n_up_to = int(np.searchsorted(ordered, place, side="right"))
    if n_up_to in (0, len(ordered)):
        return float(n_up_to > 0)
    low, high = ordered[n_up_to - 1 : n_up_to + 1]
    return float((n_up_to - 1 + (place - low) / (high - low)) / (len(ordered) - 1))


def _uncorrected(share: float, bias: float, faster: float) -> float:
    """Return the end of an interval that BCa moves to a share of the replicates."""
    if share in (0.0, 1.0):
        return share
    moved = normal_quantile(share) - bias
    scale = 1 + faster * moved
    if scale <= 0:  # BCa moves no end there
        return float(moved > 0)
    return normal_share(moved / scale - bias)


def spread(replicates: FloatArray) -> float:
    """Return the standard deviation of the defined replicates."""
    defined = replicates[~np.isnan(replicates)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

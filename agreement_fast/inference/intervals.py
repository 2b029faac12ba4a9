"""Intervals from the replicates of a bootstrap, and the tests that they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.normal import normal_quantile, normal_share

#: Values without one unit, and how many units have each value.
Jackknife = tuple[FloatArray, Array]

#: Values that are as near as this, relative to 1 or to a larger value, are equal.
ROUNDING = 1e-12

#: A 95% interval leaves out 1 of 20 replicates: of fewer, it would have to leave out a part of one.
LEAST_DEFINED = 20

#: What is said then.
TOO_FEW = f"fewer than {LEAST_DEFINED} resamples have a value, too few for an interval"

#: Of draws of units with replacement.
RESAMPLED = ("percentile", "basic", "bca")

METHODS = ("bayesian", *RESAMPLED, "krippendorff")


def interval(
    method: str,
    value: float,
    replicates: FloatArray,
    confidence_level: float,
    jackknives: Sequence[Jackknife] = (),
) -> tuple[float, float]:
    """Low and high end (Efron & Tibshirani 1993, chapters 13 and 14; Davison & Hinkley 1997, 5.2).

    Undefined replicates are left out; where fewer than 20 are left, the ends are NaN. `jackknives`
    has one entry for each sample that was drawn independently; the value is a sum over samples, so
    a subtracted one enters with its sign.
    """
    defined = replicates[~np.isnan(replicates)]
    if len(defined) < LEAST_DEFINED or math.isnan(value):
        return math.nan, math.nan
    ends = np.array([(1 - confidence_level) / 2, (1 + confidence_level) / 2])
    if method == "bca":
        ends = _bca_ends(value, defined, ends, jackknives)
    low, high = np.quantile(defined, ends)
    if method == "bayesian":
        # Of perfect agreement all draws lie below it, as those of a share of 1 do, whose interval
        # is taken up to 1, too (Brown, Cai & DasGupta 2001).
        return min(float(low), value), max(float(high), value)
    if method == "basic":
        return float(2 * value - high), float(2 * value - low)
    return float(low), float(high)


def _bca_ends(
    value: float, replicates: FloatArray, ends: FloatArray, jackknives: Sequence[Jackknife]
) -> FloatArray:
    """Shares of the replicates that correct for bias and acceleration (Efron 1987)."""
    bias, faster = _bias(value, replicates), acceleration(jackknives)
    if not math.isfinite(bias):
        # All replicates lie on one side: there is nothing to correct by.
        return ends
    shifted = [bias + normal_quantile(end) for end in ends.tolist()]
    return np.array([normal_share(bias + one / (1 - faster * one)) for one in shifted])


def _bias(value: float, replicates: FloatArray) -> float:
    """z₀: the normal quantile of the share of replicates below the value."""
    # A replicate may differ from the value by rounding only: it is neither below nor above.
    gaps = replicates - value
    tie = ROUNDING * np.maximum(1.0, abs(value))
    below = np.count_nonzero(gaps < -tie) + np.count_nonzero(gaps <= tie)
    return normal_quantile(below / (2 * len(replicates)))


def acceleration(jackknives: Sequence[Jackknife]) -> float:
    """a of BCa: the skewness of the values without each unit, over 6."""
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
    """The lowest level at which the interval of a method leaves a value out.

    So many replicates tell levels apart down to 1/(R + 1) on one side, and p is never below that.

    Parameters
    ----------
    replicates : float64 array of shape (R,)
        Defined ones, R > 0.
    faster : float
        The acceleration; used by "bca".
    """
    place = 2 * value - null_value if method == "basic" else null_value
    # What differs from it by rounding only is equal to it.
    tied = np.abs(replicates - place) <= ROUNDING * max(1.0, abs(place))
    ordered = np.sort(np.where(tied, place, replicates))
    below, above = _share_up_to(ordered, place), _share_up_to(-ordered[::-1], -place)
    if method == "bca" and math.isfinite(bias := _bias(value, replicates)):
        below, above = (
            _uncorrected(below, bias, faster),
            1 - _uncorrected(1 - above, bias, faster),
        )
    if method == "bayesian":  # the interval is never left by the value
        below = max(below, 0.5) if value <= place else below
        above = max(above, 0.5) if value >= place else above
    greater, less = (above, below) if method == "basic" else (below, above)
    one_side = {"greater": greater, "less": less}.get(alternative, min(greater, less))
    one_side = max(one_side, 1 / (len(replicates) + 1))
    return min(1.0, 2 * one_side) if alternative == "two-sided" else one_side


def _share_up_to(ordered: FloatArray, place: float) -> float:
    """The largest share whose quantile is not above a place; 0 if none is."""
    n_up_to = int(np.searchsorted(ordered, place, side="right"))
    if n_up_to in (0, len(ordered)):
        return float(n_up_to > 0)
    low, high = ordered[n_up_to - 1 : n_up_to + 1]
    return float((n_up_to - 1 + (place - low) / (high - low)) / (len(ordered) - 1))


def _uncorrected(share: float, bias: float, faster: float) -> float:
    """The end of an interval that BCa moves to a share of the replicates."""
    if share in (0.0, 1.0):
        return share
    moved = normal_quantile(share) - bias
    scale = 1 + faster * moved
    if scale <= 0:  # no end is ever moved there
        return float(moved > 0)
    return normal_share(moved / scale - bias)


def spread(replicates: FloatArray) -> float:
    """The standard deviation of the defined replicates."""
    defined = replicates[~np.isnan(replicates)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

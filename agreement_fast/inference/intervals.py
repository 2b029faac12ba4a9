"""Intervals from the replicates of a bootstrap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from agreement_fast.arrays import Array, FloatArray

#: Values without one unit, and how many units have each value.
Jackknife = tuple[FloatArray, Array]

#: Values that are as near as this, relative to 1 or to a larger value, are equal.
ROUNDING = 1e-12

METHODS = ("percentile", "basic", "bca", "krippendorff")


def interval(
    method: str,
    value: float,
    replicates: FloatArray,
    confidence_level: float,
    jackknives: Sequence[Jackknife] = (),
) -> tuple[float, float]:
    """Low and high end (Efron & Tibshirani 1993, chapters 13 and 14; Davison & Hinkley 1997, 5.2).

    Undefined replicates are left out. `jackknives` has one entry for each sample that was drawn
    independently; the value is a sum over samples, so a subtracted one enters with its sign.
    """
    defined = replicates[~np.isnan(replicates)]
    if not len(defined) or math.isnan(value):
        return math.nan, math.nan
    ends = np.array([(1 - confidence_level) / 2, (1 + confidence_level) / 2])
    if method == "bca":
        ends = _bca_ends(value, defined, ends, jackknives)
    low, high = np.quantile(defined, ends)
    if method == "basic":
        return float(2 * value - high), float(2 * value - low)
    return float(low), float(high)


def _bca_ends(
    value: float, replicates: FloatArray, ends: FloatArray, jackknives: Sequence[Jackknife]
) -> FloatArray:
    """Shares of the replicates that correct for bias and acceleration (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    # A replicate may differ from the value by rounding only: it is neither below nor above.
    gaps = replicates - value
    tie = ROUNDING * np.maximum(1.0, abs(value))
    below = np.count_nonzero(gaps < -tie) + np.count_nonzero(gaps <= tie)
    bias = ndtri(below / (2 * len(replicates)))
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
    acceleration = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    if not math.isfinite(bias):
        # All replicates lie on one side: there is nothing to correct by.
        return ends
    shifted = bias + ndtri(ends)
    return np.asarray(ndtr(bias + shifted / (1 - acceleration * shifted)))


def spread(replicates: FloatArray) -> float:
    """The standard deviation of the defined replicates."""
    defined = replicates[~np.isnan(replicates)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else math.nan

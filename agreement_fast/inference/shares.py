"""Intervals of shares: of counts, and of means that vary otherwise than one share of n."""

from __future__ import annotations

import math

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.sums.shares import share_interval


def wilson(counts: object, n: object, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval (1927) of each share counts / n: both ends, NaN where n is 0."""
    tops, sizes = np.broadcast_arrays(np.asarray(counts, float), np.asarray(n, float))
    low, high = np.full(sizes.shape, np.nan), np.full(sizes.shape, np.nan)
    for place in zip(*np.nonzero(sizes > 0), strict=True):
        size = float(sizes[place])
        low[place], high[place] = share_interval(
            float(tops[place]) / size, 0.0, size, confidence_level, "wilson"
        )
    return low, high


def wilson_of_error(
    share: float, error: float, n: float, confidence_level: float
) -> tuple[float, float]:
    """Wilson's interval of a share in [0, 1] that has a standard error.

    The size is that of a sample whose share has this error, p (1 − p) / error²; where the error is
    0, n.
    """
    if math.isnan(share) or not n > 0:
        return math.nan, math.nan
    size = share * (1.0 - share) / error**2 if error > 0 else float(n)
    return share_interval(share, 0.0, size, confidence_level, "wilson")

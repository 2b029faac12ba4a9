"""Intervals of a mean of shares, and the share of agreeing pairs of each item.

A share that is 0 or 1 for each of n items has Wilson's interval. The agreement of an item with more
than two judgments is in between and varies less; the ratio is estimated from the items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.distances.forms import Nominal
from agreement_fast.normal import normal_quantile
from agreement_fast.patterns import row_sizes
from agreement_fast.sums.each_row import row_disagreement
from agreement_fast.sums.routes import choose

METHODS = ("score", "wilson", "wald")

#: The largest variance of a share, which one more item may add.
LARGEST_VARIANCE = 0.25


def item_shares(annotations: Annotations, least: int) -> tuple[FloatArray, FloatArray]:
    """Compute the share of agreeing pairs of rows with `least` judgments, and their weights.

    O(judgments).
    """
    rows, K = choose(annotations), len(annotations.labels)
    sizes = row_sizes(rows)
    kept = sizes >= max(2, least)
    apart = row_disagreement(rows, Nominal(K), K)[kept] / (sizes[kept] * (sizes[kept] - 1.0))
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    return 1.0 - apart, weights[kept]


def share_interval(
    share: Any, squares: Any, n: Any, confidence_level: float, method: str
) -> tuple[FloatArray, FloatArray]:
    """Compute intervals of means of n shares: numbers, or arrays of the same shape.

    Parameters
    ----------
    share : float or float64 array
        The mean p of the shares.
    squares : float or float64 array
        The sum of the squared deviations from the mean, at most n p (1 − p).
    n : int or array of numbers
    confidence_level : float
    method : {"score", "wilson", "wald"}
        "wilson" (Wilson 1927) is all m with (p − m)² ≤ z² m (1 − m) / n. "score" replaces the
        variance m (1 − m) of an item by φ m (1 − m) with φ = (squares + 1/4) / (n p (1 − p) + 1/4),
        as if there were one more item of the largest variance. If all shares are 0 or 1, φ is 1.
        "wald" is p ± z · √squares / n, which is not cut at 0 and 1.
    """
    z = two_sided_quantile(confidence_level)
    if method == "wald":
        reach = z * np.sqrt(squares) / n
        return share - reach, share + reach
    size = np.asarray(n, np.float64)
    if method == "score":
        most = n * share * (1 - share)
        size = size * (most + LARGEST_VARIANCE) / (np.minimum(squares, most) + LARGEST_VARIANCE)
    return wilson_ends(share, size, z)


def two_sided_quantile(confidence_level: float) -> float:
    """Return the number of standard errors to each side of an interval."""
    return normal_quantile((1 + confidence_level) / 2)


def wilson_ends(share: Any, n: Any, z: Any) -> tuple[FloatArray, FloatArray]:
    """Solve (p − m)² ≤ z² m (1 − m) / n for m; n need not be an integer."""
    return _lower(share, n, z), 1.0 - _lower(1.0 - share, n, z)


def _lower(share: Any, n: Any, z: Any) -> FloatArray:
    """Return the lower root of (n + z²) x² − (2 n p + z²) x + n p² = 0, from their product."""
    middle = share + z * z / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.asarray(share * share / (middle + reach))

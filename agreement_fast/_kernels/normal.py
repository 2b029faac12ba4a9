"""The standard normal distribution, Student's t and χ².

Importing `scipy.special`, which has them, takes longer than most reports, and its quantiles of
Student's t differ from version to version.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from agreement_fast._kernels import _values
from agreement_fast._kernels.arrays import FloatArray

_STANDARD = NormalDist()


def normal_quantile(share: float) -> float:
    """Return the number below which a share of the distribution lies; infinite at 0 and 1."""
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return _STANDARD.inv_cdf(share)


def normal_share(z: float) -> float:
    """Return the share of the distribution below a number, precise in both tails."""
    return math.erfc(-z / math.sqrt(2)) / 2


def student_quantile(freedom: float, share: float) -> float:
    """Return the number below which a share of Student's t lies, from one half on; NaN for NaN."""
    return _values.student_quantile(freedom, 1 - share, normal_quantile(share))


def student_quantiles(freedom: FloatArray, share: float) -> FloatArray:
    """Return `student_quantile` for each number; NaN for degrees of freedom not above 0."""
    numbers, place = np.unique(freedom, return_inverse=True)
    quantiles = np.empty(len(numbers))
    _values.student_quantiles(numbers, 1 - share, normal_quantile(share), quantiles)
    return quantiles[place].reshape(np.shape(freedom))


def student_share(freedom: float, t: float) -> float:
    """Return the share of Student's t below a number, precise in both tails; NaN for NaN."""
    beyond = _values.student_beyond(freedom, abs(t))
    return beyond if t <= 0 else 1 - beyond


def chi_square_beyond(freedom: int, x: float) -> float:
    """Return the share of χ² with whole degrees of freedom beyond a number. O(degrees of freedom).

    It is a sum of the terms of Poisson's distribution; for odd degrees, of those between them.
    """
    if math.isnan(x):
        return math.nan
    if x <= 0:
        return 1.0
    half, odd = x / 2, freedom % 2
    powers = (k + odd / 2 for k in range(freedom // 2))
    terms = [math.exp(a * math.log(half) - half - math.lgamma(a + 1)) for a in powers]
    return min(1.0, math.fsum([math.erfc(math.sqrt(half)) if odd else 0.0, *terms]))


METHODS = ("score", "wilson", "wald")

#: The largest variance of a share, which one more item may add.
LARGEST_VARIANCE = 0.25


def two_sided_quantile(confidence_level: float) -> float:
    """Return the number of standard errors to each side of an interval."""
    return normal_quantile((1 + confidence_level) / 2)


def wilson_ends(share: Any, n: Any, z: Any) -> tuple[FloatArray, FloatArray]:
    """Solve (p − m)² ≤ z² m (1 − m) / n for m; n need not be an integer."""
    arrays = np.broadcast_arrays(share, n, z)
    shares, sizes, quantiles = (np.array(array, np.float64).reshape(-1) for array in arrays)
    ends = np.empty((2, *arrays[0].shape))
    _values.wilson(shares, sizes, quantiles, ends.reshape(2, -1))
    return ends[0], ends[1]


def wilson(counts: Any, n: Any, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Return both ends of Wilson's interval (1927) of each share counts / n; NaN if n is 0.

    Examples
    --------
    >>> low, high = wilson([9, 0], [10, 0], 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.5958, nan], [0.9821, nan])
    """
    sizes = np.asarray(n, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.asarray(counts, np.float64) / sizes
        sizes = np.where(sizes > 0, sizes, np.nan)
        return wilson_ends(shares, sizes, two_sided_quantile(confidence_level))


def wilson_of_error(
    shares: Any, errors: Any, n: Any, confidence_level: float
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of Wilson's interval of shares in [0, 1] that have standard errors.

    The sample size is the one that gives a share this error, p (1 − p) / error², or n if the error
    is 0. The ends are NaN if the share or its error is.

    Examples
    --------
    >>> low, high = wilson_of_error(0.9, (0.9 * 0.1 / 10) ** 0.5, 10, 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.5958, 0.9821)
    """
    p, error = np.asarray(shares, np.float64), np.asarray(errors, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.where(error == 0, n, p * (1 - p) / error**2)
        return wilson_ends(p, sizes, two_sided_quantile(confidence_level))


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

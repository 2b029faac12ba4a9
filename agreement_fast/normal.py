"""The standard normal distribution, Student's t and χ².

Importing `scipy.special`, which has them, takes longer than most reports, and its quantiles of
Student's t differ from version to version.
"""

from __future__ import annotations

import math
from statistics import NormalDist

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

"""The standard normal distribution, Student's t and χ², at single numbers.

Importing `scipy.special`, which has it for arrays, takes longer than most reports.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

import numpy as np

from agreement_fast.arrays import FloatArray

#: Degrees of freedom above which more make no difference.
ENDLESS = 1e12

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
    """Return the number below which a share of Student's t lies, above one half; NaN for NaN.

    With t = √ν sinh s, the density is cosh^(−ν) s, which Gauss's rule integrates to the last
    digits. Newton's steps go up to the quantile from that of the normal, for the density falls.
    """
    if math.isnan(freedom):
        return math.nan
    df = min(freedom, ENDLESS)
    goal = (2 * share - 1) * _half(df)
    s, step = math.asinh(normal_quantile(share) / math.sqrt(df)), math.inf
    while abs(step) > 1e-15 * s:
        before, step = step, (goal - _between(0, s, df)) * math.exp(df * _log_cosh(s))
        if abs(step) >= abs(before):
            break  # rounding
        s += step
    return math.sqrt(df) * math.sinh(s)


def student_share(freedom: float, t: float) -> float:
    """Return the share of Student's t below a number, precise in both tails; NaN for NaN."""
    if math.isnan(freedom) or math.isnan(t):
        return math.nan
    if t > 0:
        return 1 - student_share(freedom, -t)
    df = min(freedom, ENDLESS)
    start = math.asinh(-t / math.sqrt(df))
    if -t < 1:
        return 0.5 - _between(0, start, df) / _half(df) / 2
    # Beyond the end, the density is 1e-18 of that at the start.
    level = _log_cosh(start) + 42 / df
    end = level + math.log1p(math.sqrt(-math.expm1(-2 * level))) if level < 700 else math.inf
    return _between(start, end, df) / _half(df) / 2 if end < math.inf else 0.0


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


def _log_cosh(s: float) -> float:
    return math.log1p(2 * math.sinh(s / 2) ** 2)


def _between(start: float, end: float, df: float) -> float:
    """Integrate cosh^(−ν)."""
    nodes, weights = _gauss()
    logs = np.log1p(2 * np.sinh((start + (end - start) * nodes) / 2) ** 2)  # of cosh
    return (end - start) * float(weights @ np.exp(-df * logs))


def _half(df: float) -> float:
    """Return the integral of cosh^(−ν) from 0 on."""
    if df < 64:
        return math.sqrt(math.pi) / 2 * math.exp(math.lgamma(df / 2) - math.lgamma((df + 1) / 2))
    return _between(0, 12 / math.sqrt(df), df)


@functools.cache
def _gauss() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss's rule between 0 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(48)
    return (nodes + 1) / 2, weights / 2

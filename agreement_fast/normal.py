"""The standard normal distribution, Student's t and χ² at single numbers.

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

    def below(s: float) -> float:
        return _between(0.0, s, df)

    goal = (2 * share - 1) * _half(df)
    s, step = math.asinh(normal_quantile(share) / math.sqrt(df)), math.inf
    while abs(step) > 1e-15 * s:
        before, step = (
            step,
            (goal - below(s)) * math.exp(df * math.log1p(2 * math.sinh(s / 2) ** 2)),
        )
        if abs(step) >= abs(before):
            break  # rounding
        s += step
    return math.sqrt(df) * math.sinh(s)


def student_tail(freedom: float, t: float) -> float:
    """Return the share of Student's t above a number, precise in the upper tail.

    The density is integrated as in `student_quantile`, until it is e^−40 of that at `t`.
    """
    if t < 0:
        return 1 - student_tail(freedom, -t)
    df = min(freedom, ENDLESS)
    s = math.asinh(t / math.sqrt(df))
    if math.isinf(s):
        return 0.0
    rise = math.expm1(40 / df + math.log1p(2 * math.sinh(s / 2) ** 2))  # of cosh, above 1
    return _between(s, 2 * math.asinh(math.sqrt(rise / 2)), df) / (2 * _half(df))


def chi_square_tail(freedom: int, value: float) -> float:
    """Return the share of χ² above a number: a finite sum, as the degrees of freedom are whole."""
    half, odd = value / 2, freedom % 2
    if half <= 0:
        return 1.0
    powers = (j + odd / 2 for j in range(freedom // 2))
    terms = (math.exp(p * math.log(half) - half - math.lgamma(p + 1)) for p in powers)
    return math.fsum([math.erfc(math.sqrt(half)) * odd, *terms])


def _half(df: float) -> float:
    """Return the integral of cosh^(−ν) over the positive numbers."""
    if df < 64:
        return math.sqrt(math.pi) / 2 * math.exp(math.lgamma(df / 2) - math.lgamma((df + 1) / 2))
    return _between(0.0, 12 / math.sqrt(df), df)


def _between(begin: float, end: float, df: float) -> float:
    """Integrate cosh^(−ν)."""
    nodes, weights = _gauss()
    logs = np.log1p(2 * np.sinh((begin + (end - begin) * nodes) / 2) ** 2)  # of cosh
    return (end - begin) * float(weights @ np.exp(-df * logs))


@functools.cache
def _gauss() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss's rule between 0 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(48)
    return (nodes + 1) / 2, weights / 2

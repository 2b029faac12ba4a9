"""The standard normal distribution, and Student's t, at single numbers.

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
    nodes, weights = _gauss()

    def below(s: float) -> float:
        logs = np.log1p(2 * np.sinh(s * nodes / 2) ** 2)  # of cosh
        return s * float(weights @ np.exp(-df * logs))

    if df < 64:
        every = math.sqrt(math.pi) / 2 * math.exp(math.lgamma(df / 2) - math.lgamma((df + 1) / 2))
    else:
        every = below(12 / math.sqrt(df))
    goal = (2 * share - 1) * every
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


@functools.cache
def _gauss() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss's rule between 0 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(48)
    return (nodes + 1) / 2, weights / 2

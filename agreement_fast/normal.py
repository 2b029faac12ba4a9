"""The standard normal distribution at single numbers, from the standard library.

Importing `scipy.special`, which has it for arrays, takes longer than most reports.
"""

from __future__ import annotations

import math
from statistics import NormalDist

_STANDARD = NormalDist()


def normal_quantile(share: float) -> float:
    """Return the number below which a share of the distribution lies; infinite at 0 and 1."""
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return _STANDARD.inv_cdf(share)


def normal_share(z: float) -> float:
    """Return the share of the distribution below a number, precise in both tails."""
    return math.erfc(-z / math.sqrt(2)) / 2

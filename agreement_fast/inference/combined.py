"""Intervals of differences and means of coefficients.

The distance from a difference to its lower end is, squared, the sum of the squared distances of
both values to theirs, less twice their product times their correlation (Zou & Donner 2008). The
correlation is that of the items' influences; the prior of each coefficient is its own.

A mean is a share of the mean range, as each coefficient is of its own. Its influences are the means
of theirs, and the priors are the same items.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.sums.columns import Groups
from agreement_fast.inference.score import Influence, Score

#: The quantile of the normal at which an interval that is inverted is not widened further.
FARTHEST = 7.6
#: The last step towards it.
NEAR = 1e-12


class Gap(NamedTuple):
    """The difference of two coefficients.

    Attributes
    ----------
    first, second : Score
        Both coefficients, each of one group.
    correlation : float
        That of their errors; 0 for independent data.
    """

    first: Score
    second: Score
    correlation: float

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Return both ends of the interval; NaN if a coefficient has none."""
        both = self.first, self.second
        a, b = (float(score.value[0]) for score in both)
        (a_low, a_high), (b_low, b_high) = (score.ends_of_one(confidence_level) for score in both)
        below = self._reach(a - a_low, b_high - b)
        return a - b - below, a - b + self._reach(a_high - a, b - b_low)

    def _reach(self, first: float, other: float) -> float:
        return math.sqrt(max(first**2 + other**2 - 2 * self.correlation * first * other, 0.0))

    def p_value(self) -> float:
        """Return 1 less the highest level whose interval leaves 0 out."""
        if math.isnan(self.ends(0.5)[0]):
            return math.nan
        side = 0 if self.first.value[0] > self.second.value[0] else 1

        def beyond(z: float) -> float:
            """Return how far 0 is outside, at the level of a quantile of the normal."""
            end = self.ends(math.erf(z / math.sqrt(2)))[side]
            return end if side == 0 else -end

        # In z, the end is nearly a line: secants of the bracket; an end that stays counts for less.
        least, most = 0.0, FARTHEST
        far, near = beyond(least), beyond(most)
        if far <= 0 or near > 0:
            return 1.0 if far <= 0 else math.erfc(most / math.sqrt(2))
        z, last = most, least
        while abs(z - last) > NEAR and near < 0:
            z, last = least + (most - least) * far / (far - near), z
            if (at := beyond(z)) > 0:
                near *= 1 - at / far if at < far else 0.5
                least, far = z, at
            else:
                far *= 1 - at / near if at > near else 0.5
                most, near = z, at
        return math.erfc(z / math.sqrt(2))


def correlation(first: Influence, second: Influence) -> float:
    """Return the correlation of the errors of two coefficients of the same items."""
    weights = np.maximum(first.sampled, second.sampled)
    (a, of_a), (b, of_b) = first.gaps(), second.gaps()
    every = (weights @ a**2 + of_a[0]) * (weights @ b**2 + of_b[0])
    return float(weights @ (a * b) / math.sqrt(every))


class Mean:
    """The mean of coefficients, or another sum of them with shares that add up to 1.

    Attributes
    ----------
    centre, least : float
        The mean value and the mean least value, with the prior.
    weight : float
        The number of items of the prior.
    error : float
        The root of the sum of squares of the prior's influences.
    """

    def __init__(self) -> None:
        self.centre = self.least = self.weight = self.error = 0.0

    def add(self, influence: Influence, shares: FloatArray) -> FloatArray:
        """Add coefficients, one a group, and return the part of each row in the influences."""
        gaps, of_prior = influence.gaps()
        there = shares > 0
        self.centre += float(shares[there] @ influence.centre[there])
        self.least += float(shares[there] @ influence.least[there])
        self.weight = max(self.weight, float(influence.prior[0][there].max(initial=0.0)))
        self.error += float(shares[there] @ np.sqrt(np.maximum(of_prior[there], 0.0)))
        return np.where(there[influence.groups.codes], shares[influence.groups.codes] * gaps, 0.0)

    def score(self, value: float, of_rows: FloatArray, sampled: Array) -> Score:
        """Return what the interval is made from, given the influences of the items."""
        mean = -float(sampled @ of_rows) / self.weight  # all influences add up to 0
        return Influence(
            value=np.array([value]),
            centre=np.array([self.centre]),
            least=np.array([self.least]),
            of_rows=of_rows,
            sampled=sampled,
            groups=Groups(np.zeros(len(sampled), np.int64), 1),
            prior=np.array([[self.weight], [mean], [self.error**2 / self.weight]]),
            expected=np.ones(1),
        ).score()

"""The gain of a coefficient from a change of the data, with its standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.diagnostics.findings import CHANCE, WORTH
from agreement_fast.inference.delta_method import influences
from agreement_fast.inference.resample import counted_weights, whole_sums
from agreement_fast.points import Point
from agreement_fast.sums.linear import linear


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of a coefficient from a change.

    Attributes
    ----------
    value : float
        The coefficient after the change.
    gain : float
        The coefficient after the change minus that before.
    standard_error : float
        Of the gain, by the delta method over both codings of the same items.
    p_value : float
        Of the one-sided test that there is no gain (Student's t), times the number of candidate
        changes (Bonferroni), at most 1.
    """

    value: float
    gain: float
    standard_error: float
    p_value: float

    @property
    def worth_reporting(self) -> bool:
        """Whether the gain is large enough and larger than sampling of the items explains."""
        return self.gain >= WORTH and self.p_value < CHANCE


def gain(
    before: Annotations,
    after: Annotations,
    point: Point,
    incomplete: str,
    n_choices: int = 1,
    other: Point | None = None,
) -> Gain:
    """Compare a coefficient of two codings of the same items, in the same order.

    `other` is the coefficient of the second coding; by default the same as that of the first.
    Items' names are not compared. O(judgments).
    """
    old, new = coded(before, point, incomplete), coded(after, other or point, incomplete)
    value, start = new.value, old.value
    if math.isnan(value) or math.isnan(start):
        return Gain(value, math.nan, math.nan, math.nan)
    error, items = error_of_change(old, new)
    p_value = math.nan
    if items > 1:
        from scipy.special import stdtr

        t = (value - start) / error if error > 0 else math.copysign(math.inf, value - start)
        p_value = min(1.0, n_choices * float(stdtr(items - 1, -t)))
    return Gain(value, value - start, error, p_value)


class Coded(NamedTuple):
    """A coefficient, the influence of each stored item on it, and the items' weights."""

    value: float
    influence: FloatArray
    weights: Array


def error_of_change(old: Coded, new: Coded) -> tuple[float, float]:
    """Return the standard error of the change between two codings, and the number of items.

    The error is NaN if there is only one item.
    """
    weights = np.maximum(old.weights, new.weights)
    items = float(weights.sum())
    if items <= 1:
        return math.nan, items
    moved = new.influence * new.weights - old.influence * old.weights
    moved = moved / np.maximum(weights, 1)
    moved = moved - float(weights @ moved) / items
    return math.sqrt(float(weights @ moved**2) * items / (items - 1)), items


def coded(data: Annotations, point: Point, incomplete: str) -> Coded:
    """Compute a coefficient and the influence of each stored item on it."""
    made = linear(data, [point], incomplete, rows=data.rows)
    sums = whole_sums(made)
    value = float(made.values(sums)[0].value[0])
    weights = counted_weights(made)
    if math.isnan(value):
        return Coded(value, np.zeros(len(weights)), weights)
    return Coded(value, influences(made, point, sums), weights)

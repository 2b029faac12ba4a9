"""What a change of the data would add to a coefficient, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.diagnostics.finding import CHANCE, WORTH
from agreement_fast.inference.delta_method import influences
from agreement_fast.inference.resample import counted_weights, whole_sums
from agreement_fast.points import Point
from agreement_fast.sums.linear import linear


@dataclass(frozen=True, slots=True)
class Gain:
    """What a change adds to a coefficient.

    Attributes
    ----------
    value : float
        The coefficient after the change.
    gain : float
        Less the coefficient before it.
    standard_error : float
        Of the gain, items being the sample: the delta method over both codings of the same items.
    p_value : float
        How often chance alone would give a gain as large if there were none, one-sided (Student's
        t), times how many changes were there to choose from (Bonferroni), at most 1.
    """

    value: float
    gain: float
    standard_error: float
    p_value: float

    @property
    def told(self) -> bool:
        """Whether it is worth a sentence, and more than the items at hand explain."""
        return self.gain >= WORTH and self.p_value < CHANCE


def gain(
    before: Annotations,
    after: Annotations,
    point: Point,
    incomplete: str,
    n_choices: int = 1,
    other: Point | None = None,
) -> Gain:
    """What other judgments of the same items, in the same order, add to a coefficient.

    O(judgments), without a look at the items' names. `other` is the coefficient of what is
    different, the same one by default.
    """
    old, n = _influences(before, point, incomplete)
    new, m = _influences(after, other or point, incomplete)
    value, start = new[0], old[0]
    if math.isnan(value) or math.isnan(start):
        return Gain(value, math.nan, math.nan, math.nan)
    weights = np.maximum(n, m)
    items = float(weights.sum())
    moved = (new[1] * m - old[1] * n) / np.maximum(weights, 1)
    moved = moved - float(weights @ moved) / items
    error = math.nan
    p_value = math.nan
    if items > 1:
        from scipy.special import stdtr

        error = math.sqrt(float(weights @ moved**2) * items / (items - 1))
        t = (value - start) / error if error > 0 else math.copysign(math.inf, value - start)
        p_value = min(1.0, n_choices * float(stdtr(items - 1, -t)))
    return Gain(value, value - start, error, p_value)


def _influences(
    data: Annotations, point: Point, incomplete: str
) -> tuple[tuple[float, FloatArray], Any]:
    """The coefficient and each stored item's influence on it, and the items' weights."""
    made = linear(data, [point], incomplete, rows=data.rows)
    sums = whole_sums(made)
    value = float(made.values(sums)[0].value[0])
    weights = counted_weights(made)
    if math.isnan(value):
        return (value, np.zeros(len(weights))), weights
    return (value, influences(made, point, sums)), weights

"""Bootstrap intervals of other coefficients that are functions of sums over items."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.intervals import (
    RESAMPLED,
    TOO_FEW,
    Jackknife,
    interval,
    spread,
    too_few,
)
from agreement_fast.inference.resample import AT_ONCE, Draw
from agreement_fast.options import bar, check_choice, check_resamples, check_share, generator
from agreement_fast.sums.columns import ROOM

#: The most steps of all resamples, at about a nanosecond each.
STEPS = 1e12


@dataclass(frozen=True)
class OwnSums:
    """A coefficient as a function of the numbers of items with each pattern of judgments.

    Attributes
    ----------
    weights : int64 array of shape (U,)
        The number of items with each pattern; 0 for patterns that do not count.
    values : function of weights, float64 (U, R), to float64 (R,)
        The coefficient; NaN if undefined.
    steps : float
        The cost of one value, in nanoseconds (roughly).
    documents : int array of shape (U,), or None
        The document of each pattern, if documents are drawn.
    """

    weights: Array
    values: Callable[[FloatArray], FloatArray]
    steps: float
    documents: Array | None = None


@dataclass(frozen=True)
class Drawing:
    """Options of a bootstrap."""

    n_resamples: int
    confidence_level: float
    method: str
    rng: np.random.Generator
    progress: bool

    @classmethod
    def checked(
        cls, n_resamples: int, confidence_level: float, method: str, rng: object, bar: bool
    ) -> Drawing:
        """Check the options."""
        check_share("confidence_level", confidence_level)
        check_choice("method", method, RESAMPLED)
        return cls(check_resamples(n_resamples), confidence_level, method, generator(rng), bar)


@dataclass(frozen=True)
class Drawn:
    """Replicates with their interval."""

    low: float
    high: float
    method: str
    replicates: FloatArray
    note: str | None

    @property
    def standard_error(self) -> float:
        """The standard deviation of the replicates."""
        return spread(self.replicates)

    @property
    def n_undefined(self) -> int:
        """Number of undefined replicates."""
        return int(np.isnan(self.replicates).sum())


def draw_interval(value: float, sums: OwnSums, asked: Drawing) -> Drawn:
    """Draw items or documents with replacement; for BCa, also leave out each one."""
    draw = Draw(sums.weights, sums.documents)
    n_units = int(np.count_nonzero(draw.units))
    method = asked.method
    n_values = asked.n_resamples + (n_units if method == "bca" else 0)
    if sums.steps * n_values > STEPS:
        raise InputError(
            f"computing the coefficient {n_values:,} times, in resamples and without single units, "
            "takes too long",
            ("lower ", Argument("n_resamples"), " or pass ", Argument("method", "percentile")),
            argument="n_resamples",
        )
    replicates = _replicates(sums, draw, asked)
    left: list[Jackknife] = []
    if method == "bca" and not math.isnan(value):
        left = [_jackknife(sums, draw)]
    low, high = interval(method, value, replicates, asked.confidence_level, left)
    replicates.flags.writeable = False
    note = TOO_FEW if not math.isnan(value) and too_few(replicates) else None
    return Drawn(low, high, method, replicates, note)


def _at_once(sums: OwnSums) -> int:
    return max(1, min(AT_ONCE, ROOM // max(1, len(sums.weights))))


def _replicates(sums: OwnSums, draw: Draw, asked: Drawing) -> FloatArray:
    n = asked.n_resamples
    if draw.n < 2:  # every resample of a single unit is the same
        return np.full(n, np.nan)
    step = _at_once(sums)
    counts = [min(step, n - i) for i in range(0, n, step)]
    parts = []
    with bar(asked.progress, n) as advance:
        for count, own in zip(counts, asked.rng.spawn(len(counts)), strict=True):
            parts.append(sums.values(draw(own, count)))
            advance(count)
    return np.concatenate(parts)


def _jackknife(sums: OwnSums, draw: Draw) -> Jackknife:
    """Return the coefficient without each unit, and the number of units with each value."""
    values = np.empty(len(draw.units))
    step = _at_once(sums)
    for first in range(0, len(values), step):
        last = min(first + step, len(values))
        # Patterns that do not count have weight 0, and must not fall below it.
        values[first:last] = sums.values(np.maximum(draw.without(first, last), 0.0))
    return values, draw.units

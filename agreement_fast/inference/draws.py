"""Draw documents with replacement, and compute intervals from the draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.distances.sums.columns import ROOM, Items, pattern_items
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.intervals import (
    TOO_FEW,
    acceleration,
    interval,
    spread,
    too_few,
)
from agreement_fast.inference.resample import AT_ONCE, Draw, Options, in_lots
from agreement_fast.options import PerItem
from agreement_fast.reading.groups import rows_of_documents

#: The most units that the jackknife leaves out at a time.
LEFT_OUT = 256

ONE_DOCUMENT = (
    "one document has no other to be drawn in its place, and parts of a text are not independent: "
    "there is no interval"
)

ALIKE = "all resamples have this value, which says nothing of other documents"


class Spread(NamedTuple):
    """The replicates of one value, and its standard error and interval."""

    replicates: FloatArray
    standard_error: float
    low: float
    high: float

    @staticmethod
    def of(value: float, replicates: FloatArray, options: Options, faster: float = 0.0) -> Spread:
        """Return the spread of a value with these replicates, which cannot be changed any more."""
        replicates.flags.writeable = False
        ends = interval(options.method, value, replicates, options.confidence_level, faster)
        return Spread(replicates, spread(replicates), *ends)

    @property
    def n_undefined(self) -> int:
        """Number of replicates without a value."""
        return int(np.isnan(self.replicates).sum())

    def parts(self, options: Options) -> dict[str, Any]:
        """Return the interval and how it was computed, as fields of a result."""
        return {
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "confidence_level": options.confidence_level,
            "method": options.method,
            "n_resamples": len(self.replicates),
        }


NO_SPREAD = Spread(np.zeros(0), np.nan, np.nan, np.nan)


def why_no_interval(spread: Spread, n_documents: int, alone: str = ONE_DOCUMENT) -> str | None:
    """Say why a value has no interval, or one without width; `alone` is said of one document."""
    if n_documents < 2:
        return alone
    if too_few(spread.replicates):
        return TOO_FEW
    # Rounding may leave a tiny width.
    return ALIKE if spread.high - spread.low <= 1e-12 else None


#: Values, float64 of shape (P, R), for the number of copies (D, R) of each document or row.
ValuesOf = Callable[[FloatArray], FloatArray]


def spreads(values_of: ValuesOf, n_documents: int, options: Options) -> list[Spread]:
    """Compute the intervals of values of documents; a single document has none."""
    every = np.ones(n_documents, np.int64)
    whole = values_of(np.ones((n_documents, 1)))[:, 0]
    if n_documents < 2:
        return [NO_SPREAD for _ in whole]
    return drawn_spreads(values_of, Draw(every), whole, options, AT_ONCE)


def drawn_spreads(
    values_of: ValuesOf, draw: Draw, whole: FloatArray, options: Options, step: int
) -> list[Spread]:
    """Compute the intervals of values from draws of units, `step` of them at a time.

    Resamples are made in pieces with a seed for each, so the result does not depend on the number
    of threads. Those of a single unit are all the same, and undefined.
    """
    replicates = np.full((len(whole), options.n_resamples), np.nan)
    if draw.n > 1:
        pieces = in_lots(lambda lot: values_of(draw(*lot)), step, options)
        replicates = np.concatenate(pieces, axis=1)
    left_out = None
    if options.method == "bca" and not np.isnan(whole).all():
        n_units, some = len(draw.units), min(step, LEFT_OUT)
        # Rows that do not count have weight 0, and must not fall below it.
        left_out = np.concatenate(
            [
                values_of(np.maximum(draw.without(i, min(i + some, n_units)), 0.0))
                for i in range(0, n_units, some)
            ],
            axis=1,
        )
    return [
        Spread.of(
            value,
            replicates[i],
            options,
            0.0 if left_out is None else acceleration([(left_out[i], draw.units)]),
        )
        for i, value in enumerate(whole.tolist())
    ]


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


def draw_interval(value: float, sums: OwnSums, options: Options) -> tuple[Spread, str | None]:
    """Draw items or documents with replacement; for BCa, also leave out each one."""
    draw = Draw(sums.weights, sums.documents)
    n_units = int(np.count_nonzero(draw.units))
    method = options.method
    n_values = options.n_resamples + (n_units if method == "bca" else 0)
    if sums.steps * n_values > STEPS:
        raise InputError(
            f"computing the coefficient {n_values:,} times, in resamples and without single units, "
            "takes too long",
            ("lower ", Argument("n_resamples"), " or pass ", Argument("method", "percentile")),
            argument="n_resamples",
        )
    step = max(1, min(AT_ONCE, ROOM // max(1, len(sums.weights))))
    (result,) = drawn_spreads(
        lambda weights: sums.values(weights)[None], draw, np.array([value]), options, step
    )
    return result, TOO_FEW if not math.isnan(value) and too_few(result.replicates) else None


def items_and_documents(
    annotations: Annotations, cluster: PerItem | None
) -> tuple[Items, Array | None]:
    """Return the patterns of the items; those of each document and their documents, if given."""
    if cluster is None:
        return pattern_items(annotations, by_coder=False), None
    rows, documents = rows_of_documents(annotations, cluster)
    return Items(rows, len(annotations.labels), annotations.n_coders), documents

"""Bootstrap intervals of other coefficients that are functions of sums over items."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.documents import Options, Spread, drawn_spreads
from agreement_fast.inference.intervals import TOO_FEW, too_few
from agreement_fast.inference.resample import AT_ONCE, Draw, rows_of_documents
from agreement_fast.sums.columns import ROOM, Items, pattern_items

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
    (found,) = drawn_spreads(
        lambda weights: sums.values(weights)[None], draw, np.array([value]), options, step
    )
    return found, TOO_FEW if not math.isnan(value) and too_few(found.replicates) else None


def items_and_documents(annotations: Annotations, cluster: Any) -> tuple[Items, Array | None]:
    """Return the patterns of the items; those of each document and their documents, if given."""
    if cluster is None:
        return pattern_items(annotations, by_coder=False), None
    rows, documents = rows_of_documents(annotations, cluster)
    return Items(rows, len(annotations.labels), annotations.n_coders), documents

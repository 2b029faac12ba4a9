"""Chance models: who produces the categories at random, and the weight of an item."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast.forms import FloatArray, Form
from agreement_fast.moments import NumberTally
from agreement_fast.statistics import Tally

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False, slots=True)
class Marginals:
    """What a chance model may look at: the items with at least `least` judgments."""

    tally: Tally | NumberTally
    least: int

    def shares(self) -> FloatArray:
        """P(k): the mean over items of n_ik / n_i (Artstein & Poesio 2005, 5.1)."""
        return self.tally.shares(max(1, self.least))

    def pairable(self) -> Array:
        """n_k: judgments of each category in items with two judgments or more."""
        return self.tally.counts(max(2, self.least))

    def coders(self) -> Any:
        """n_ck."""
        return self.tally.coder_marginals(max(1, self.least))


def _uniform(marginals: Marginals, form: Form) -> float:
    k = marginals.tally.n_categories
    return form.total() / (float(k) * k) if k else 0.0


def _pooled(marginals: Marginals, form: Form) -> float:
    shares = marginals.shares()
    return float(form.bilinear(shares, shares))


def _pooled_unbiased(marginals: Marginals, form: Form) -> float:
    counts = marginals.pairable()
    total = float(form.mass(counts))
    return float(form.bilinear(counts, counts)) / (total * (total - 1)) if total > 1 else 0.0


#: Cells of coders × categories that are widened to floats at a time.
_CELLS = 1 << 20


def _individual(marginals: Marginals, form: Form) -> float:
    # Σ over coder pairs m ≠ n of n_m D n_n is Σ_m n_m D (Σ_n n_n − n_m): no loop over pairs, and
    # no difference of floats. The pairs' weights n_m n_n cancel the shares' denominators.
    each = marginals.coders()
    pooled = np.asarray(each.sum(0))
    totals = form.mass(each)
    weight = float((totals.astype(np.float64) * (form.mass(pooled) - totals)).sum())
    if not weight:
        return 0.0
    step = max(1, _CELLS // max(each.shape[1], 1))
    sums = []
    for first in range(0, each.shape[0], step):
        some = each[first : first + step]
        dense = some if isinstance(some, np.ndarray) else some.toarray()
        sums.extend(form.bilinear(dense, pooled - dense).tolist())
    return math.fsum(sums) / weight


def _gwet(marginals: Marginals, form: Form) -> float:
    # A_e = Σ_jl w_jl / (k (k − 1)) · Σ P (1 − P), w = 1 − d / d_max (Gwet 2014, chapter 4), as
    # d_max (1 − A_e), written so that nothing is subtracted: with t = Σ d / d_max,
    # k (k − 1) (1 − A_e) = k² Σ (P − 1/k)² + t Σ P (1 − P).
    shares = marginals.shares()
    k, largest = len(shares), form.largest()
    if k < 2 or not largest:
        return 0.0
    spread = float(((shares - 1 / k) ** 2).sum())
    heterogeneity = float((shares * (1 - shares)).sum())
    return largest * (k * k * spread + form.total() / largest * heterogeneity) / (k * (k - 1))


CHANCE: Mapping[str, Callable[[Marginals, Form], float]] = MappingProxyType(
    {
        "uniform": _uniform,
        "pooled": _pooled,
        "pooled_unbiased": _pooled_unbiased,
        "individual": _individual,
        "gwet": _gwet,
    }
)

#: Those that ask nothing of a marginal but its bilinear sums: no number of categories, no shares.
OF_MOMENTS = ("pooled", "pooled_unbiased", "individual")

#: The weight of an item in D_o, from its number of judgments, or an array of such.
ITEM_WEIGHTS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"items": lambda sizes: sizes**0, "judgments": lambda sizes: sizes}
)

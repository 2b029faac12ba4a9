"""The second axis of the cube: chance models, which say how labels arise at random.

A model is an object, like a distance. It declares what it needs from the judgments, and computes
the expected disagreement D_e from `Marginals`: those of the data, or many at once, such as those of
resamples, pairs of coders, or subsets of coders. D_e and its derivative are defined here only. So
is the third axis, the weight of an item in D_o.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.forms import Form


class Marginals:
    """What chance models are computed from: arrays of counts, whose last axis is the categories.

    There are no leading axes for the data themselves. Otherwise they are resamples, pairs of
    coders, subsets of coders, or coders left out.
    """

    def scale(self, form: Form) -> tuple[Any, Any, Any]:
        """Σ_jl d_jl, the number of categories k, and the largest distance."""
        raise NotImplementedError

    def shares(self) -> FloatArray:
        """P(k): float64 of shape (..., K)."""
        raise NotImplementedError

    def counts(self) -> Array:
        """n_k of the items with two judgments or more: (..., K)."""
        raise NotImplementedError

    def pairs(self) -> Any:
        """The number of ordered pairs of these judgments: (...)."""
        total = np.asarray(self.counts().sum(-1), np.float64)
        return total * (total - 1)

    def each(self) -> Array:
        """n_ck: (..., C, K)."""
        raise NotImplementedError

    def used(self) -> Any:
        """Which categories count, as 1 and 0: (..., K), or 1 if all do."""
        return 1.0

    def pooled(self, form: Form) -> Any:
        """Σ_jl P(j) P(l) d_jl, P(k) being the mean over items of n_ik / n_i."""
        shares = self.shares()
        return form.bilinear(shares, shares)

    def variety(self) -> Any:
        """Σ_k P(k) (1 − P(k))."""
        shares = self.shares()
        return _sum(shares * (1 - shares))

    def unevenness(self, k: Any) -> Any:
        """Σ_k (P(k) − 1/k)²."""
        gaps = self.shares() - np.expand_dims(1 / np.maximum(k, 1), -1)
        return _sum(gaps**2 * self.used())

    def pairable(self, form: Form) -> tuple[Any, Any]:
        """Σ_jl n_j n_l d_jl over the judgments of items with two or more, and N (N − 1)."""
        counts = self.counts()
        return form.bilinear(counts, counts), self.pairs()

    def between_coders(self, form: Form) -> tuple[Any, Any]:
        """Σ_jl n_jm n_ln d_jl and Σ n_m n_n, both over the ordered pairs of coders m ≠ n."""
        # Σ over m ≠ n of n_m D n_n is Σ_m n_m D (Σ_n n_n − n_m): no loop over pairs, and no
        # difference of floats.
        each = self.each()
        others = each.sum(-2, keepdims=True) - each
        return (
            form.bilinear(each, others).sum(-1),
            (form.mass(each) * form.mass(others)).sum(-1),
        )


#: The derivative of D_e with respect to what a model needs, over the leading axes of the marginals:
#: "shares" (..., K), "pairable" (..., K) and "pairs" (...), or "coders" (..., C, K).
Slope = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Chance:
    """A chance model."""

    name: str
    #: What D_e is computed from: "categories" (how many there are, all of their distances),
    #: "shares" (P), "pairable" (n_k of items with two judgments), "coders" (n_ck).
    needs: frozenset[str]
    #: D_e; 0 if there are no judgments.
    expected: Callable[[Marginals, Form], Any]
    #: The derivative of D_e with respect to what the model needs, for constant distances. None if
    #: it is not known: standard errors then come from the bootstrap only.
    slope: Callable[[Marginals, Form, Any], Slope] | None = None
    #: The derivative of D_e with respect to the rank of each category, for distances (f_j − f_l)²
    #: between ranks: float64 (..., K).
    rank_slope: Callable[[Marginals, FloatArray], FloatArray] | None = None
    #: Whether D_e of complete data is p + q Y, where Y is one of the sums in `Marginals` other than
    #: `unevenness` (which is then 1 − 1/k − variety). Subsets of complete data are then sums over
    #: pairs of coders.
    affine: bool = False

    #: Whether D_e depends on who said what.
    knows_coders: bool = field(init=False)
    #: Whether D_e depends on how many categories there are, used or not.
    counts_categories: bool = field(init=False)
    #: Whether an item with a single judgment can change D_e.
    counts_singles: bool = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__  # computed once: every coefficient reads them
        put(self, "knows_coders", "coders" in self.needs)
        put(self, "counts_categories", "categories" in self.needs)
        put(self, "counts_singles", not self.needs.isdisjoint(("shares", "coders")))

    def __repr__(self) -> str:
        return f"<chance {self.name}>"


def _sum(values: FloatArray) -> Any:
    """Sum over the categories; of the data themselves exactly, so that no order of them shows."""
    return math.fsum(values.tolist()) if values.ndim == 1 else values.sum(-1)


def _ratio(numerator: Any, denominator: Any) -> Any:
    """Return the ratio, or 0 if the denominator is 0."""
    if isinstance(denominator, (int, float)):
        return numerator / denominator if denominator > 0 else 0.0
    positive = np.asarray(denominator) > 0
    if positive.all():
        return np.asarray(numerator / denominator)
    out = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    return np.divide(numerator, denominator, out=out, where=positive)


def beyond_chance(observed: Any, expected: Any) -> FloatArray:
    """Return 1 − D_o / D_e, NaN for D_e = 0; arrays are broadcast."""
    positive = np.asarray(expected) > 0
    if positive.all():
        return np.asarray(1.0 - observed / expected)
    out = np.full(np.broadcast_shapes(np.shape(observed), np.shape(expected)), np.nan)
    np.divide(observed, expected, out=out, where=positive)
    return 1.0 - out


# ---------------------------------------------------------------------- D_e


def _uniform(m: Marginals, form: Form) -> Any:
    total, k, _ = m.scale(form)
    return _ratio(total, k * k)


def _pooled(m: Marginals, form: Form) -> Any:
    return m.pooled(form)


def _pooled_unbiased(m: Marginals, form: Form) -> Any:
    return _ratio(*m.pairable(form))


def _individual(m: Marginals, form: Form) -> Any:
    # The pairs' weights n_m n_n cancel the shares' denominators.
    return _ratio(*m.between_coders(form))


def _gwet(m: Marginals, form: Form) -> Any:
    # A_e = Σ_jl w_jl / (k (k − 1)) · Σ P (1 − P), w = 1 − d / d_max (Gwet 2014, chapter 4), as
    # d_max (1 − A_e), written so that nothing is subtracted:
    # k (k − 1) (1 − A_e) = k² Σ (P − 1/k)² + Σ d / d_max · Σ P (1 − P).
    total, k, largest = m.scale(form)
    return _ratio(largest * (k * k) * m.unevenness(k) + total * m.variety(), k * (k - 1))


# ---------------------------------------------------------------------- its derivative


def _uniform_slope(m: Marginals, form: Form, expected: Any) -> Slope:
    return {}


def _pooled_slope(m: Marginals, form: Form, expected: Any) -> Slope:
    return {"shares": 2 * form.times(m.shares())}


def _pooled_unbiased_slope(m: Marginals, form: Form, expected: Any) -> Slope:
    counts, pairs = m.counts(), m.pairs()
    slope = 2 * form.times(counts) / np.expand_dims(pairs, -1)
    return {"pairable": slope, "pairs": -expected / pairs}


def _individual_slope(m: Marginals, form: Form, expected: Any) -> Slope:
    each = m.each()
    others = each.sum(-2, keepdims=True) - each
    masses = form.mass(others)
    weight = (form.mass(each) * masses).sum(-1)
    by_mass = np.expand_dims(expected, (-2, -1)) * masses[..., None] * form.mass_slope(each)
    return {"coders": 2 * (form.times(others) - by_mass) / np.expand_dims(weight, (-2, -1))}


def _gwet_slope(m: Marginals, form: Form, expected: Any) -> Slope:
    total, k, largest = m.scale(form)
    shares = m.shares()
    total, largest = np.expand_dims(total, -1), np.expand_dims(largest, -1)
    slope = 2 * largest * k * k * (shares - 1 / k) + total * (1 - 2 * shares)
    return {"shares": slope / (k * (k - 1))}


# ---------------------------------------------------------------------- its derivative in ranks


def _by_rank(masses: Array, ranks: FloatArray) -> FloatArray:
    """Return the derivative of Σ_jl u_j u_l (f_j − f_l)² with respect to each f_j."""
    total = masses.sum(-1, keepdims=True)
    first = (masses * ranks).sum(-1, keepdims=True)
    return np.asarray(4 * masses * (ranks * total - first))


def _uniform_by_rank(m: Marginals, ranks: FloatArray) -> FloatArray:
    k = ranks.shape[-1]
    return np.asarray(_by_rank(np.ones(k), ranks) / (k * k))


def _pooled_by_rank(m: Marginals, ranks: FloatArray) -> FloatArray:
    return _by_rank(m.shares(), ranks)


def _pooled_unbiased_by_rank(m: Marginals, ranks: FloatArray) -> FloatArray:
    return np.asarray(_by_rank(m.counts(), ranks) / np.expand_dims(m.pairs(), -1))


def _individual_by_rank(m: Marginals, ranks: FloatArray) -> FloatArray:
    each = m.each()
    masses = each.sum(-1)
    weight = (masses * (masses.sum(-1, keepdims=True) - masses)).sum(-1, keepdims=True)
    of_coders = _by_rank(each, np.expand_dims(ranks, -2)).sum(-2)
    return np.asarray((_by_rank(each.sum(-2), ranks) - of_coders) / weight)


def _gwet_by_rank(m: Marginals, ranks: FloatArray) -> FloatArray:
    k = ranks.shape[-1]
    slope: FloatArray = _by_rank(np.ones(k), ranks) * np.expand_dims(m.variety(), -1)
    ends = 2 * (ranks[..., -1] - ranks[..., 0]) * k * k * m.unevenness(k)
    slope[..., -1] += ends
    slope[..., 0] -= ends
    slope /= k * (k - 1)
    return slope


_MODELS = {
    model.name: model
    for model in (
        Chance(
            "uniform", frozenset({"categories"}), _uniform, _uniform_slope, _uniform_by_rank,
            affine=True,
        ),
        Chance(
            "pooled", frozenset({"shares"}), _pooled, _pooled_slope, _pooled_by_rank,
            affine=True,
        ),
        Chance(
            "pooled_unbiased", frozenset({"pairable"}), _pooled_unbiased,
            _pooled_unbiased_slope, _pooled_unbiased_by_rank, affine=True,
        ),
        Chance(
            "individual", frozenset({"coders"}), _individual, _individual_slope,
            _individual_by_rank, affine=True,
        ),
        Chance(
            "gwet", frozenset({"categories", "shares"}), _gwet, _gwet_slope, _gwet_by_rank,
            affine=True,
        ),
    )
}  # fmt: skip

#: The chance models by name.
CHANCE: Mapping[str, Chance] = MappingProxyType(_MODELS)

#: The weight of an item in D_o: its number of judgments to this power.
ITEM_WEIGHTS: Mapping[str, int] = MappingProxyType({"items": 0, "judgments": 1})

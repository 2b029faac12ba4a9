"""Which items deserve more judgments: the gain in right labels that the fitted model expects.

An item has the probabilities p_t of its labels. A further judgment, by a coder drawn from those who
judged, says l with probability θ_tl if the right label is t. With n of them, whose labels occur c
times, the most probable label is right with probability max_t p_t P(c | t) for these labels, and
altogether with

    R(n) = Σ_c max_t p_t P(c | t),    P(c | t) = n! / Π c_l! · Π θ_tl^c_l,

which is R(0) = max_t p_t now. R(n) − R(0) is the gain of n judgments. A single judgment often
cannot change the label, and gains nothing where three do. So judgments are bought in blocks, which
end at the corners of the least concave line above R. Blocks in the order of their gains per
judgment are the best purchase for each budget at which a block ends.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.models.crowds import Crowdlab, Mace
from agreement_fast.models.latent_classes import DawidSkene
from agreement_fast.models.votes import OneAccuracy
from agreement_fast.options import check_count
from agreement_fast.present.tables import Aligned
from agreement_fast.present.terminal import counted

#: Most outcomes of n judgments that are looked at.
OUTCOMES = 2_000
#: Numbers in a table of items × outcomes × labels, or items × coders.
CELLS = 1 << 22
#: Gains that are less come from rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NextJudgments(Aligned):
    """How many more judgments each item should get: arrays of shape (N,).

    Attributes
    ----------
    items : sequence of labels
    n_more : int64
        Further judgments of the item.
    p_right : float64
        The probability that the most probable label is right, now.
    gain : float64
        How much `n_more` judgments raise it, on average.
    gain_next : float64
        How much the best next judgments raise it, for each of them: large where a judgment is worth
        its price.
    weights : int64 array or None
        How many items each one stands for: each of them gets `n_more`.
    budget : int
        The judgments that there may be.
    n_judgments : int
        Those that are used: the rest would begin a block of several that only gain together, or
        gains nothing.
    n_right, n_right_after : float
        Right labels that the model expects, now and with `n_more`.
    undefined : str or None
        Why nothing can be expected.
    """

    _caption = "{n_judgments} of {budget} judgments for {items:item}"
    _table = "item | more = n_more | P(right) = p_right | gain"
    _what = "item"
    _remarks = ""
    _below = "to_sentence"

    def _rows_shown(self, columns: Mapping[str, Any]) -> list[int]:
        order = np.argsort(-self.gain, kind="stable")
        return list(order[self.n_more[order] > 0].tolist())

    items: Sequence[Any]
    n_more: Array
    p_right: FloatArray
    gain: FloatArray
    gain_next: FloatArray
    weights: Array | None
    budget: int
    n_judgments: int
    n_right: float
    n_right_after: float
    undefined: str | None

    _column_names = "item=items n_more p_right gain gain_next"

    def to_sentence(self) -> str:
        """Say what the judgments bring."""
        if self.undefined is not None:
            return f"Nothing says which items deserve more judgments: {self.undefined}."
        each = np.ones(len(self), np.int64) if self.weights is None else self.weights
        n_items = int(each[self.n_more > 0].sum())
        return (
            f"With {counted(self.n_judgments, 'more judgment')} of {counted(n_items, 'item')},"
            f" {self.n_right_after:,.1f} labels would be right, on average, instead of"
            f" {self.n_right:,.1f}."
        )


def typical_coder(model: Any, n_judgments: Array) -> FloatArray:
    """Return P(l | t) of a coder drawn by their numbers of judgments: (1, K, K).

    For GLAD it is P(t | t) of each item, (N,): wrong labels are alike.
    """
    if isinstance(model, Crowdlab):
        raise InputError(
            "CROWDLAB does not say what a further judgment would be",
            ("pass ", Argument("method", "majority", "mace", "glad", "dawid_skene")),
            argument="method",
        )
    if isinstance(model, DawidSkene):
        known = ~np.isnan(model.probabilities)
        weight = n_judgments[:, None, None] * known
        total = weight.sum(0)
        mean = (weight * np.nan_to_num(model.probabilities)).sum(0) / np.maximum(total, 1)
        return np.where(total > 0, mean, 1 / len(mean))[None]
    from scipy.special import expit

    share = n_judgments / max(int(n_judgments.sum()), 1)
    if isinstance(model, Mace):
        knows = np.nan_to_num(model.competence)
        spam = (share * (1 - knows)) @ np.nan_to_num(model.spam)
        return (np.eye(len(spam)) * (share @ knows) + spam)[None]
    if isinstance(model, OneAccuracy):
        return errors_alike(np.array([model.accuracy]), model.n_categories)
    ability = np.nan_to_num(model.ability)
    right = np.empty(len(model.difficulty))
    step = max(1, CELLS // max(len(ability), 1))
    for first in range(0, len(right), step):
        some = slice(first, first + step)
        right[some] = expit(ability / model.difficulty[some, None]) @ share
    return right


def errors_alike(right: FloatArray, K: int) -> FloatArray:
    """Return P(l | t) from P(t | t) of each item, all wrong labels alike: (N, K, K)."""
    wrong = (1 - right) / max(K - 1, 1)
    return np.asarray(wrong[:, None, None] + np.eye(K) * (right - wrong)[:, None, None])


def plan(
    items: Sequence[Any],
    posterior: FloatArray,
    says: FloatArray,
    each: Array,
    weights: Array | None,
    budget: int,
    max_judgments: int,
    undefined: str | None,
) -> NextJudgments:
    """Spend the budget where the expected gain of a judgment is largest.

    Parameters
    ----------
    items : sequence of labels
    posterior : float64 array of shape (N, K)
        NaN, or 1 for a single label, if an item needs no judgment.
    says : float64 array of shape (1, K, K), (N, K, K) or (N,)
        P(a coder says l | t) for all items, or for each; or P(a coder is right) for each.
    each, weights : int64 arrays of shape (N,), or None
        How many items each one stands for.
    budget, max_judgments : int
        The judgments of all items, and of one.
    undefined : str or None
        Why there is no plan.
    """
    check_count("budget", budget, 0)
    check_count("max_judgments", max_judgments)
    N, K = posterior.shape
    if K > OUTCOMES:
        raise InputError(f"{K:,} labels are too many to plan judgments of", "merge categories")
    known = np.nan_to_num(posterior)
    if len(says) == 1 and says.ndim > 1:  # items with the same probabilities gain the same
        distinct, place = np.unique(known.round(12), axis=0, return_inverse=True)
        right = expected_right(distinct, says, max_judgments)[place.reshape(-1)]
    else:
        right = expected_right(known, says, max_judgments)
    sizes, gains = blocks(right)
    item, block = np.nonzero(gains > 0)
    size, rate = sizes[item, block], gains[item, block] / sizes[item, block]
    order = np.lexsort((block, item, -rate.round(12)))  # rounding decides nothing
    cost = np.cumsum((size * each[item])[order])
    used = order[: np.searchsorted(cost, budget, side="right")]
    n_more = np.bincount(item[used], size[used], N).astype(np.int64)
    gain = right[np.arange(N), n_more] - right[:, 0]
    return NextJudgments(
        items=items,
        n_more=n_more,
        p_right=np.where(np.isnan(posterior).any(1), np.nan, right[:, 0]),
        gain=gain,
        gain_next=np.divide(gains[:, 0], sizes[:, 0], out=np.zeros(N), where=sizes[:, 0] > 0),
        weights=weights,
        budget=budget,
        n_judgments=int(n_more @ each),
        n_right=math.nan if undefined else float(each @ right[:, 0]),
        n_right_after=math.nan if undefined else float(each @ (right[:, 0] + gain)),
        undefined=undefined,
    )


def expected_right(posterior: FloatArray, says: FloatArray, max_judgments: int) -> FloatArray:
    """Return R(n) of each item for n = 0, 1, ...: float64 of shape (N, n + 1).

    n ends before there are too many outcomes. O(N · outcomes · K).
    """
    N, K = posterior.shape
    right = [posterior.max(1, initial=0.0)]
    for n in range(1, max_judgments + 1):
        n_outcomes = math.comb(n + K - 1, n)
        if n_outcomes > OUTCOMES and n > 1:
            break
        outcomes = np.array([*itertools.combinations_with_replacement(range(K), n)])
        counts = (outcomes[:, :, None] == np.arange(K)).sum(1)
        factorials = np.array([math.lgamma(c + 1) for c in range(n + 1)])
        ways = np.exp(factorials[n] - factorials[counts].sum(1)).round()
        result = np.empty(N)
        step = max(1, CELLS // (n_outcomes * K))
        for first in range(0, N, step):
            some = slice(first, first + step)
            own = says if len(says) == 1 else says[some]
            own = (errors_alike(own, K) if own.ndim == 1 else own).swapaxes(1, 2)
            chance = functools.reduce(np.multiply, (own[:, label] for label in outcomes.T))
            chance = chance * ways[:, None]
            result[some] = (chance * posterior[some, None]).max(2).sum(1)
        right.append(result)
    return np.stack(right, 1)


def blocks(right: FloatArray) -> tuple[Array, FloatArray]:
    """Return the sizes and gains of blocks of judgments, of falling gains per judgment.

    They end at the corners of the least concave line above R(n); 0 for no more. Both
    have the shape (N, largest n).
    """
    N, most = right.shape[0], right.shape[1] - 1
    at = np.zeros(N, np.int64)
    sizes, gains = np.zeros((N, most), np.int64), np.zeros((N, most))
    rows = np.arange(N)
    for i in range(most):
        ahead = np.arange(most + 1) - at[:, None]
        rise = right - right[rows, at][:, None]
        rate = np.where((ahead > 0) & (rise > ROUNDING), rise / np.maximum(ahead, 1), 0.0)
        end = rate.argmax(1)
        more = rate[rows, end] > 0
        sizes[more, i] = ahead[rows, end][more]
        gains[more, i] = rise[rows, end][more]
        at[more] = end[more]
    return sizes, gains

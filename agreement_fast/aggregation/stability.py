"""How the majority of an item changes with the number of its judgments."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from agreement_fast.aggregation.votes import Splits, count_votes, splits_of
from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import Judgments
from agreement_fast.options import check_share, check_sizes
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align

#: Largest default number of judgments.
USUAL = 15


#: Shares of ties that are less come from rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MajorityStability(Tabular):
    """How often some of an item's judgments have the majority of all: arrays of shape (S,).

    Attributes
    ----------
    sizes : int64
        Numbers of judgments, k.
    same : float64
        The mean, over items, of the probability that k of an item's judgments, drawn at random,
        have one most frequent label, and that it is that of all; NaN without items.
    low, high : float64
        Interval of `same` for other items of the same kind.
    tied, other : float64
        That labels tie among the k; that another label is the most frequent. The three add to 1.
    n_items : int64
        Items with k judgments or more, whose labels do not tie.
    n_exactly : int64
        Those of them with exactly k judgments, for which `same` is always 1.
    n_fewer : int64
        Items with fewer judgments, which are left out.
    n_tied : int
        Items whose labels tie among all judgments, which are left out.
    n_unjudged : int
    confidence_level : float
    """

    sizes: Array
    same: FloatArray
    low: FloatArray
    high: FloatArray
    tied: FloatArray
    other: FloatArray
    n_items: Array
    n_exactly: Array
    n_fewer: Array
    n_tied: int
    n_unjudged: int
    confidence_level: float

    def columns(self) -> dict[str, Any]:
        """Give a row for each number of judgments."""
        names = ("same", "low", "high", "tied", "other", "n_items", "n_exactly", "n_fewer")
        return {"n_judgments": self.sizes, **{name: getattr(self, name) for name in names}}

    def __repr__(self) -> str:
        some = list(zip(self.sizes.tolist(), self.same.tolist(), strict=True))[:4]
        shown = ", ".join(f"{size}: {share:.3g}" for size, share in some)
        more = ", ..." if len(self.sizes) > 4 else ""
        return f"<majority of k judgments is that of all: {{{shown}{more}}}>"

    def __str__(self) -> str:
        rows = [
            (
                str(size),
                *(
                    f"{share[i]:.4f}"
                    for share in (self.same, self.low, self.high, self.tied, self.other)
                ),
                *(str(n[i]) for n in (self.n_items, self.n_exactly, self.n_fewer)),
            )
            for i, size in enumerate(self.sizes.tolist())
        ]
        head = (
            "judgments", "same", "low", "high", "tied", "other", "items", "no more", "fewer",
        )  # fmt: skip
        return "\n".join(align(head, rows, ">" * len(head), indent=""))


def majority_stability(
    data: Any, *, sizes: Iterable[int] | None = None, confidence_level: float = 0.95
) -> MajorityStability:
    """Compute how often the majority of k judgments of an item is the majority of all of them.

    Parameters
    ----------
    data : Annotations, latent.Judgments, or a table as `Annotations.from_wide` takes it
        The judgments. Coders need not be known.
    sizes : iterable of int, optional
        Numbers of judgments k. By default from 1 to the largest number of an item, at most 15.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    MajorityStability
        One row for each k: how often the majority stays the same, ties or changes.

    Raises
    ------
    ValueError
        If a size is below 1, or larger than the number of judgments of every item.

    Notes
    -----
    Judgments are drawn from those of each item without replacement, as if fewer had been bought.
    `subsets.reference_stability` draws coders instead. In a crowd few coders judged a given item,
    so that most changes there are items without any judgment left.

    The values are exact. With v_k judgments of label k among n, the number of sets of s judgments
    in which label k has t votes and all others fewer is the coefficient of z^s in
    C(v_k, t) z^t Π_{j≠k} Σ_{x<t} C(v_j, x) z^x, out of C(n, s). The cost is O(Σ s³ m) for each
    distinct split of the judgments among m labels, after one pass over them.

    If k is near the number of judgments of an item, `same` is near 1 for that reason alone
    (`n_exactly`): the smallest sizes are the most informative. The data do not show what more
    judgments would change; `inference.spearman_brown` and `OneAccuracy.of_majority` extrapolate.

    Examples
    --------
    >>> from agreement_fast.aggregation import majority_stability
    >>> table = [["x", "x", "x"], ["x", "x", "y"], ["y", "y", None]]
    >>> found = majority_stability(table)
    >>> found.same.round(4).tolist(), found.n_items.tolist(), found.n_fewer.tolist()
    ([0.8889, 0.7778, 1.0], [3, 3, 2], [0, 0, 1])
    """
    check_share("confidence_level", confidence_level)
    if isinstance(data, Judgments):
        rows, n_categories = data.rows, len(data.categories)
    else:
        annotations = as_annotations(data)
        rows, n_categories = annotations.rows, len(annotations.categories)
    votes = count_votes(rows, n_categories)
    largest = int(votes.n_judgments.max(initial=0))
    requested = range(1, min(largest, USUAL) + 1) if sizes is None else sizes
    taken = np.array(check_sizes(requested, 1, largest) if largest else (), np.int64)
    sums = _Sums(taken)
    for part in splits_of(votes):
        sums.add(part)
    n = sums.n_items.astype(np.float64)
    shares = [
        np.divide(total, n, out=np.full(len(n), math.nan), where=n > 0)
        for total in (sums.same, sums.other, sums.squares)
    ]
    same, other, squares = shares
    rest = 1.0 - same - other
    spread = np.sqrt(np.maximum(squares - same**2, 0.0))
    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    reach = z * np.divide(spread, np.sqrt(n), out=np.full(len(n), math.nan), where=n > 1)
    judged = int(votes.each[votes.n_judgments > 0].sum())
    return MajorityStability(
        sizes=taken,
        same=same,
        low=np.maximum(same - reach, 0.0),
        high=np.minimum(same + reach, 1.0),
        tied=np.where(rest < ROUNDING, 0.0, rest),
        other=other,
        n_items=sums.n_items,
        n_exactly=sums.n_exactly,
        n_fewer=judged - sums.n_tied - sums.n_items,
        n_tied=sums.n_tied,
        n_unjudged=int(votes.each.sum()) - judged,
        confidence_level=confidence_level,
    )


class _Sums:
    """Sums over the items, by number of judgments."""

    def __init__(self, sizes: Array) -> None:
        self._sizes = sizes
        self.same, self.other, self.squares = (np.zeros(len(sizes)) for _ in range(3))
        self.n_items, self.n_exactly = (np.zeros(len(sizes), np.int64) for _ in range(2))
        self.n_tied = 0

    def add(self, part: Splits) -> None:
        """Add the items that have one number of labels."""
        table, weights = part.votes, part.weights
        if table.shape[1] > 1:
            decided = table[:, 0] > table[:, 1]
            self.n_tied += int(weights[~decided].sum())
            table, weights = table[decided], weights[decided]
        n = table.sum(1)
        if not len(n) or not len(self._sizes):
            return
        most = min(int(self._sizes.max()), int(n.max()))
        same, other = _majorities(table, most)
        for i, size in enumerate(self._sizes.tolist()):
            there = n >= size
            if size > most or not there.any():
                continue
            weight = weights[there].astype(np.float64)
            self.same[i] += float(weight @ same[there, size])
            self.other[i] += float(weight @ other[there, size])
            self.squares[i] += float(weight @ same[there, size] ** 2)
            self.n_items[i] += int(weights[there].sum())
            self.n_exactly[i] += int(weights[n == size].sum())


def _majorities(table: Array, most: int) -> tuple[FloatArray, FloatArray]:
    """P(the first label is the only most frequent one of s judgments), and P(another one is).

    Parameters
    ----------
    table : int64 array of shape (S, m)
        Votes.
    most : int
        The largest s.

    Returns
    -------
    same, other : float64 arrays of shape (S, most + 1)
        0 if there are fewer than s judgments.
    """
    S, m = table.shape
    choose = [_binomials(table[:, j], most) for j in range(m)]
    same, other = np.zeros((S, most + 1)), np.zeros((S, most + 1))
    for t in range(1, most + 1):
        # Products over the labels behind the first: all of them have fewer than t votes, or one
        # has t and the others fewer.
        none, one = np.zeros((S, most + 1)), np.zeros((S, most + 1))
        none[:, 0] = 1.0
        for j in range(1, m):
            fewer = choose[j][:, :t]
            one = _times(one, fewer) + _shifted(none, choose[j][:, t], t)
            none = _times(none, fewer)
        same += _shifted(none, choose[0][:, t], t)
        other += _times(one, choose[0][:, :t])
    sets = _binomials(table.sum(1), most)
    for part in (same, other):
        np.divide(part, sets, out=part, where=sets > 0)
    return same, other


def _binomials(n: Array, most: int) -> FloatArray:
    """C(n, x) for x up to `most`: shape (S, most + 1)."""
    out = np.ones((len(n), most + 1))
    for x in range(1, most + 1):
        out[:, x] = out[:, x - 1] * (n - x + 1) / x
    return out


def _times(polynomial: FloatArray, factor: FloatArray) -> FloatArray:
    """Products, row by row, as far as the first goes."""
    out = np.zeros_like(polynomial)
    for x in range(factor.shape[1]):
        out[:, x:] += polynomial[:, : polynomial.shape[1] - x] * factor[:, x : x + 1]
    return out


def _shifted(polynomial: FloatArray, factor: FloatArray, t: int) -> FloatArray:
    """Products with factor · z^t."""
    out = np.zeros_like(polynomial)
    out[:, t:] = polynomial[:, : polynomial.shape[1] - t] * factor[:, None]
    return out

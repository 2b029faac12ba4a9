"""The votes for the labels of each item, and how a majority changes with their number.

With one accuracy for all coders, the votes alone decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.models.em import Judgments
from agreement_fast.options import check_count, check_share, check_sizes
from agreement_fast.patterns import Rows as JudgedRows
from agreement_fast.patterns import group_equal, tallied
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block, Full, Rows, Section
from agreement_fast.present.tables import Aligned, Row
from agreement_fast.present.terminal import counted, number_of


@dataclass(frozen=True, eq=False)
class Votes:
    """The labels that items were given: one entry for each item and label that met.

    Attributes
    ----------
    item, label : int64 arrays of shape (M,)
        Ascending; codes.
    votes : int64 array of shape (M,)
    n_items, n_categories : int
    weights : int64 array of shape (N,) or None
        How many items each one stands for.
    """

    item: Array
    label: Array
    votes: Array
    n_items: int
    n_categories: int
    weights: Array | None

    @cached_property
    def n_judgments(self) -> Array:
        """Of each item: int64 of shape (N,)."""
        return np.bincount(self.item, self.votes, self.n_items).astype(np.int64)

    @cached_property
    def most(self) -> Array:
        """The votes of the most frequent label of each item; 0 if there is none."""
        out = np.zeros(self.n_items, np.int64)
        if len(self.item):
            begins = np.flatnonzero(np.diff(self.item, prepend=-1))
            out[self.item[begins]] = np.maximum.reduceat(self.votes, begins)
        return out

    @cached_property
    def is_top(self) -> Array:
        """Whether the label of an entry is a most frequent one of its item: bool (M,)."""
        return np.asarray(self.votes == self.most[self.item])

    @cached_property
    def each(self) -> Array:
        """The weight of each item: int64 of shape (N,)."""
        return np.ones(self.n_items, np.int64) if self.weights is None else self.weights


def count_votes(rows: JudgedRows, n_categories: int) -> Votes:
    """Count the judgments of each item and label. O(n), or O(n log n) with many categories."""
    return Votes(*tallied(rows, n_categories), rows.n_rows, n_categories, rows.weights)


@dataclass(frozen=True, eq=False)
class Splits:
    """Ways in which judgments of an item split, with no word on which label got how many.

    Attributes
    ----------
    votes : int64 array of shape (S, m)
        In descending order; every item of these has m labels.
    weights : int64 array of shape (S,)
        How many items split so.
    """

    votes: Array
    weights: Array


def splits_of(votes: Votes) -> list[Splits]:
    """Give the distinct splits of the judged items, by their number of labels. O(M log M)."""
    order = np.lexsort((-votes.votes, votes.item))
    sorted_votes = votes.votes[order]
    n_labels = np.bincount(votes.item, minlength=votes.n_items)
    begins = np.cumsum(n_labels) - n_labels
    out = []
    for m in np.unique(n_labels[n_labels > 0]).tolist():
        items = np.flatnonzero(n_labels == m)
        table = sorted_votes[begins[items][:, None] + np.arange(m)]
        group, first = group_equal(table)
        weights = np.zeros(len(first), np.int64)
        np.add.at(weights, group, votes.each[items])
        out.append(Splits(table[first], weights))
    return out


#: EM stops when p changes by less than SETTLED, or after MOST_STEPS steps.
SETTLED = 1e-9
MOST_STEPS = 2_000

#: p is kept this far from 1, where a label that got one vote less would be impossible.
LEAST_ERROR = 1e-12


@dataclass(frozen=True)
class OneAccuracy(Row):
    """The most likely accuracy.

    Attributes
    ----------
    accuracy : float
        p; NaN if no item has two judgments, or if there is only one category.
    n_categories : int
        K.
    log_likelihood : float
    undefined : str or None
    """

    accuracy: float
    n_categories: int
    log_likelihood: float
    undefined: str | None

    def of_majority(self, n_judgments: int) -> float:
        """Give the probability that the majority of `n_judgments` is right.

        Of m labels that tie each is taken with probability 1 / m.

        Parameters
        ----------
        n_judgments : int
            1 or more.

        Returns
        -------
        float
            NaN where `accuracy` is. Too high where items differ in how hard they are.

        Examples
        --------
        >>> from agreement_fast.models.votes import OneAccuracy
        >>> round(OneAccuracy(0.7, 2, -1.0, None).of_majority(3), 4)
        0.784
        """
        n = check_count("n_judgments", n_judgments)
        if self.undefined is not None:
            return math.nan
        # The number of votes for a label of probability q has exp(q z) for its generating function.
        # The right label wins with t votes if every other label has fewer, and ties with those that
        # have t. Both probabilities are products of that series, cut off before or at t.
        K = self.n_categories
        q = (1 - self.accuracy) / (K - 1)
        x = np.arange(n + 1)
        log_factorial = np.array([math.lgamma(i + 1) for i in x.tolist()])
        series = np.exp(x * math.log(q) - log_factorial) if q > 0 else (x == 0).astype(np.float64)
        total = 0.0
        for t in range(1, n + 1):
            fewer = np.where(x < t, series, 0.0)
            # m others have t votes, too, and the right one is taken with 1 / (m + 1)
            others = n - t
            result = 0.0
            for m in range(min(K - 1, others // t) + 1):
                rest = _power(fewer, K - 1 - m)[others - m * t]
                result += math.comb(K - 1, m) * float(series[t]) ** m * rest / (m + 1)
            total += math.exp(t * math.log(self.accuracy) - log_factorial[t]) * result
        return min(1.0, float(total * math.exp(log_factorial[n])))

    def posterior(self, votes: Votes) -> FloatArray:
        """P(label | votes) of each entry of `votes`: float64 of shape (M,)."""
        if self.undefined is not None:
            return np.full(len(votes.votes), math.nan)
        log_odds = _log_odds(self.accuracy, votes.n_categories)
        top = votes.most * log_odds
        weight = np.exp(votes.votes * log_odds - top[votes.item])
        others = self._n_others(votes) * np.exp(-top)
        total = np.bincount(votes.item, weight, votes.n_items) + others
        return np.asarray(weight / total[votes.item])

    def _n_others(self, votes: Votes) -> Array:
        """The number of labels that nobody gave to each item."""
        return votes.n_categories - np.bincount(votes.item, minlength=votes.n_items)

    def _of_others(self, votes: Votes, posterior: FloatArray) -> FloatArray:
        """P(label | votes) of each label that nobody gave to the item: float64 of shape (N,)."""
        rest = 1 - np.bincount(votes.item, posterior, votes.n_items)
        return ratio(np.maximum(rest, 0.0), self._n_others(votes))

    def of_items(self, votes: Votes) -> FloatArray:
        """P(label | votes) of all labels: float64 of shape (N, K)."""
        given = self.posterior(votes)
        others = self._of_others(votes, given)
        out = np.repeat(others[:, None], votes.n_categories, 1)
        out[votes.item, votes.label] = given
        return out

    def entropy(self, votes: Votes) -> FloatArray:
        """Return −Σ p log₂ p of P(label | votes) of each item: float64 of shape (N,)."""
        given = self.posterior(votes)
        others = np.nan_to_num(self._of_others(votes, given))
        parts = np.bincount(votes.item, given * np.log2(given), votes.n_items)
        rest = others * np.log2(np.where(others > 0, others, 1.0)) * self._n_others(votes)
        return np.asarray(np.where(self.undefined is None, -(parts + rest), np.nan)) + 0.0


def fit_one_accuracy(votes: Votes) -> OneAccuracy:
    """Estimate p by EM on the distinct splits of the judgments."""
    K = votes.n_categories
    if K < 2:
        return OneAccuracy(math.nan, K, math.nan, "one category: every judgment is right")
    if not ((votes.n_judgments > 1) & (votes.each > 0)).any():
        return OneAccuracy(
            math.nan, K, math.nan, "no item has two judgments, so nothing tells how many are right"
        )
    parts = splits_of(votes)
    # Start from the share of the judgments that are with the majority.
    most = sum(float(part.weights @ part.votes[:, 0]) for part in parts)
    judged = sum(float(part.weights @ part.votes.sum(1)) for part in parts)
    accuracy = min(max(most / judged, 1 / K), 1 - LEAST_ERROR)
    for _ in range(MOST_STEPS):
        # Judgments that are expected to be right, all of them, and the log-likelihood
        log_odds = _log_odds(accuracy, K)
        right = log_likelihood = 0.0
        for part in parts:
            n = part.votes.sum(1)
            top = part.votes[:, :1] * log_odds
            weight = np.exp(part.votes * log_odds - top)
            total = weight.sum(1) + (K - part.votes.shape[1]) * np.exp(-top[:, 0])
            right += float(part.weights @ ((weight * part.votes).sum(1) / total))
            each = n * math.log((1 - accuracy) / (K - 1)) + top[:, 0] + np.log(total) - math.log(K)
            log_likelihood += float(part.weights @ each)
        following = min(max(right / judged, 1 / K), 1 - LEAST_ERROR)
        if abs(following - accuracy) <= SETTLED:
            break
        accuracy = following
    return OneAccuracy(accuracy, K, log_likelihood, None)


def _log_odds(accuracy: float, K: int) -> float:
    return math.log(accuracy * (K - 1) / (1 - accuracy))


def _power(series: FloatArray, exponent: int) -> FloatArray:
    """A power of a polynomial, as far as the polynomial goes."""
    size = len(series)
    out = np.zeros(size)
    out[0] = 1.0
    while exponent:
        if exponent & 1:
            out = np.convolve(out, series)[:size]
        series = np.convolve(series, series)[:size]
        exponent >>= 1
    return out


#: Largest default number of judgments.
USUAL = 15


#: Shares of ties that are less come from rounding.
ROUNDING = 1e-12


#: Numbers of judgments that are printed.
SIZES = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MajorityStability(Aligned, Sectioned):
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

    Notes
    -----
    If k is near the number of judgments of an item, `same` is near 1 for that reason alone
    (`n_exactly`): the smallest sizes are the most informative. The data do not show what more
    judgments would change; `inference.spearman_brown` and `OneAccuracy.of_majority` extrapolate.
    """

    _caption = "majority of k judgments is that of all: {_by_size}"

    def sections(self) -> list[Section]:
        """Return what each number of judgments gives."""
        meaning = (
            "How often the majority of k judgments, drawn from those of an item, is the majority of"
            " all its judgments (same), ties, or is another label. The share same is 1 for items"
            " with exactly k judgments; items with fewer are left out and counted."
        )
        if self.n_tied:  # items whose own judgments tie
            items = counted(self.n_tied, "item")
            meaning += f" Left out: {items} whose own judgments tie."
        layout = (
            "k = sizes:d | same | low..high | tied | other | items = n_items |"
            " no more = n_exactly | fewer = n_fewer"
        )
        table = Rows.laid(self, layout, range(len(self.sizes))[:SIZES], sides=">" * 9)
        shown: list[Block] = [Full(meaning), table] if len(self.sizes) else []
        return [Section("Majority of some of the judgments", shown)]

    @property
    def _by_size(self) -> dict[str, float]:
        pairs = zip(self.sizes.tolist(), self.same.tolist(), strict=True)
        return {number_of(size, "judgment"): value for size, value in pairs}

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

    _column_names = "n_judgments=sizes same low high tied other n_items n_exactly n_fewer"


def majority_stability(
    data: JudgmentsLike,
    size: int | Iterable[int] | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> MajorityStability:
    """Compute how often the majority of k judgments of an item is the majority of all of them.

    The values are exact. With v_k judgments of label k among n, the number of sets of s judgments
    in which label k has t votes and all others fewer is the coefficient of z^s in
    C(v_k, t) z^t Π_{j≠k} Σ_{x<t} C(v_j, x) z^x, out of C(n, s). The cost is O(Σ s³ m) for each
    distinct split of the judgments among m labels, after one pass over them.
    """
    check_share("confidence_level", confidence_level)
    if isinstance(data, Judgments):
        rows, n_categories = data.rows, len(data.categories)
    else:
        annotations = as_annotations(data, **reading)
        rows, n_categories = annotations.rows, len(annotations.categories)
    votes = count_votes(rows, n_categories)
    largest = int(votes.n_judgments.max(initial=0))
    requested = range(1, min(largest, USUAL) + 1) if size is None else size
    taken = np.array(check_sizes(requested, 1, largest) if largest else (), np.int64)
    # Sums of `same`, `other` and squares of `same`, and the items of k judgments at least, or k.
    sums, n_tied = np.zeros((5, len(taken))), 0
    for part in splits_of(votes) if len(taken) else ():
        table, weights = part.votes, part.weights
        if table.shape[1] > 1:
            decided = table[:, 0] > table[:, 1]
            n_tied += int(weights[~decided].sum())
            table, weights = table[decided], weights[decided]
        if len(table):
            n = table.sum(1)
            most = min(int(taken.max()), int(n.max()))
            shares = (p[:, np.minimum(taken, most)] for p in _majorities(table, most))
            reached = weights[:, None] * (n[:, None] >= taken)
            exactly = weights[:, None] * (n[:, None] == taken)
            same, other = shares
            parts = reached * same, reached * other, reached * same**2, reached, exactly
            sums += np.array([entry.sum(0) for entry in parts])
    n, n_exactly = sums[3], sums[4].astype(np.int64)
    same, other, squares = (ratio(total, n) for total in sums[:3])
    rest = 1.0 - same - other
    spread = np.sqrt(np.maximum(squares - same**2, 0.0))
    error = np.where(n > 1, ratio(spread, np.sqrt(n)), math.nan)
    reach = two_sided_quantile(confidence_level) * error
    judged = int(votes.each[votes.n_judgments > 0].sum())
    return MajorityStability(
        sizes=taken,
        same=same,
        low=np.maximum(same - reach, 0.0),
        high=np.minimum(same + reach, 1.0),
        tied=np.where(rest < ROUNDING, 0.0, rest),
        other=other,
        n_items=n.astype(np.int64),
        n_exactly=n_exactly,
        n_fewer=judged - n_tied - n.astype(np.int64),
        n_tied=n_tied,
        n_unjudged=int(votes.each.sum()) - judged,
        confidence_level=confidence_level,
    )


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
        none, first = np.zeros((S, most + 1)), np.zeros((S, most + 1))
        none[:, 0] = 1.0
        for j in range(1, m):
            fewer = choose[j][:, :t]
            first = _times(first, fewer) + _shifted(none, choose[j][:, t], t)
            none = _times(none, fewer)
        same += _shifted(none, choose[0][:, t], t)
        other += _times(first, choose[0][:, :t])
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

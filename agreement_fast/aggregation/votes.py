"""Who got how many votes: for each item the labels that it was given, and how often.

With one accuracy for all coders, the votes alone decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.options import check_count
from agreement_fast.patterns import Rows, group_equal
from agreement_fast.tables import Row

#: Cells of items × categories, for each judgment, up to which all are counted at once.
DENSE = 16


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
        top: Array = self.votes == self.most[self.item]
        return top

    @cached_property
    def each(self) -> Array:
        """The weight of each item: int64 of shape (N,)."""
        return np.ones(self.n_items, np.int64) if self.weights is None else self.weights


def count_votes(rows: Rows, n_categories: int) -> Votes:
    """Count the judgments of each item and label. O(n), or O(n log n) with many categories."""
    where = np.flatnonzero(rows.codes >= 0)
    if rows.width:
        item = where // rows.width
    else:
        item = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))[where]
    keys = item * n_categories + rows.codes[where]
    repeats = None if rows.repeats is None else rows.repeats[where]
    cells = rows.n_rows * n_categories
    if cells <= DENSE * len(keys):
        counted = np.bincount(keys, repeats, cells)
        found = np.flatnonzero(counted)
        votes = counted[found].astype(np.int64)
    elif repeats is None:
        found, votes = np.unique(keys, return_counts=True)
    else:
        found, place = np.unique(keys, return_inverse=True)
        votes = np.bincount(place, repeats).astype(np.int64)
    K = max(n_categories, 1)
    return Votes(found // K, found % K, votes, rows.n_rows, n_categories, rows.weights)


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
        >>> from agreement_fast.aggregation import OneAccuracy
        >>> round(OneAccuracy(0.7, 2, -1.0, None).of_majority(3), 4)
        0.784
        """
        n = check_count("n_judgments", n_judgments)
        if self.undefined is not None:
            return math.nan
        return _right(self.accuracy, self.n_categories, n)

    def posterior(self, votes: Votes) -> FloatArray:
        """P(label | votes) of each entry of `votes`: float64 of shape (M,)."""
        if self.undefined is not None:
            return np.full(len(votes.votes), math.nan)
        log_odds = _log_odds(self.accuracy, votes.n_categories)
        top = votes.most * log_odds
        weight = np.exp(votes.votes * log_odds - top[votes.item])
        given = np.bincount(votes.item, minlength=votes.n_items)
        others = (votes.n_categories - given) * np.exp(-top)
        total = np.bincount(votes.item, weight, votes.n_items) + others
        out: FloatArray = weight / total[votes.item]
        return out


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
    accuracy = _agreeing(parts, K)
    for _ in range(MOST_STEPS):
        right, judged, log_likelihood = _expect(parts, accuracy, K)
        following = min(max(right / judged, 1 / K), 1 - LEAST_ERROR)
        if abs(following - accuracy) <= SETTLED:
            break
        accuracy = following
    return OneAccuracy(accuracy, K, log_likelihood, None)


def _agreeing(parts: list[Splits], K: int) -> float:
    """Start from the share of the judgments that are with the majority."""
    most = sum(float(part.weights @ part.votes[:, 0]) for part in parts)
    judged = sum(float(part.weights @ part.votes.sum(1)) for part in parts)
    return min(max(most / judged, 1 / K), 1 - LEAST_ERROR)


def _expect(parts: list[Splits], accuracy: float, K: int) -> tuple[float, float, float]:
    """Judgments that are expected to be right, all of them, and the log-likelihood."""
    log_odds = _log_odds(accuracy, K)
    right = judged = log_likelihood = 0.0
    for part in parts:
        n = part.votes.sum(1)
        top = part.votes[:, :1] * log_odds
        weight = np.exp(part.votes * log_odds - top)
        total = weight.sum(1) + (K - part.votes.shape[1]) * np.exp(-top[:, 0])
        right += float(part.weights @ ((weight * part.votes).sum(1) / total))
        judged += float(part.weights @ n)
        each = n * math.log((1 - accuracy) / (K - 1)) + top[:, 0] + np.log(total) - math.log(K)
        log_likelihood += float(part.weights @ each)
    return right, judged, log_likelihood


def _log_odds(accuracy: float, K: int) -> float:
    return math.log(accuracy * (K - 1) / (1 - accuracy))


def _right(p: float, K: int, n: int) -> float:
    """P(the right label is the one with most votes), of n.

    The number of votes for a label of probability q has exp(q z) for its generating function.
    The right label wins with t votes if every other label has fewer, and ties with those that
    have t. Both probabilities are products of that series, cut off before or at t.
    """
    q = (1 - p) / (K - 1)
    x = np.arange(n + 1)
    log_factorial = np.array([math.lgamma(i + 1) for i in x.tolist()])
    series = np.exp(x * math.log(q) - log_factorial) if q > 0 else (x == 0).astype(np.float64)
    total = 0.0
    for t in range(1, n + 1):
        fewer = np.where(x < t, series, 0.0)
        # m others have t votes, too, and the right one is taken with 1 / (m + 1)
        others = n - t
        found = 0.0
        for m in range(min(K - 1, others // t) + 1):
            rest = _power(fewer, K - 1 - m)[others - m * t]
            found += math.comb(K - 1, m) * float(series[t]) ** m * rest / (m + 1)
        total += math.exp(t * math.log(p) - log_factorial[t]) * found
    return min(1.0, float(total * math.exp(log_factorial[n])))


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

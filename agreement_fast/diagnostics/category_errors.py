"""Intervals of the agreement on each category, by the delta method over items.

The specific agreement of a category is a ratio of two sums over items; α of the category against
all others is a function of three. Items without the category contribute to these only by their
size, so one pass over the distinct labels of each item is enough for all categories.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import CHANCE, ArrayMarginals
from agreement_fast.distances.forms import Nominal
from agreement_fast.options import check_share
from agreement_fast.patterns import Rows, as_lists, row_sizes
from agreement_fast.sums.each_row import LARGEST_VARIANCE, two_sided_quantile, wilson_ends
from agreement_fast.sums.routes import choose
from agreement_fast.tables import Listing, Row

#: The most cells of a table of rows × categories that are counted at a time.
ROOM = 1 << 18

#: The most categories for which the labels of a row are counted in a table rather than sorted.
FEW = 64


class Intervals(NamedTuple):
    """Standard errors and intervals of a number for each category: float64 (K,)."""

    error: FloatArray
    low: FloatArray
    high: FloatArray


class _Entries(NamedTuple):
    """The distinct labels of some rows that have a pair of judgments.

    Attributes
    ----------
    label : which category
    weight : how many items the row stands for
    own, size : how many of the row's judgments are of the category, and how many there are
    """

    label: Array
    weight: FloatArray
    own: FloatArray
    size: FloatArray

    @property
    def apart(self) -> FloatArray:
        """The item's contribution to the coincidences of the category with others."""
        return self.own * (self.size - self.own) / (self.size - 1)


def category_intervals(
    annotations: Annotations,
    coincidences: FloatArray,
    specific: FloatArray,
    alpha: FloatArray,
    confidence_level: float,
) -> tuple[Intervals, Intervals]:
    """Compute intervals of the specific agreement and of α of each category.

    Parameters
    ----------
    annotations : Annotations
        The judgments.
    coincidences : float64 array of shape (K, K)
        Their coincidences.
    specific, alpha : float64 arrays of shape (K,)
        The values; NaN if undefined.
    confidence_level : float
        The level of the intervals.

    Notes
    -----
    The specific agreement p has a score interval: all m with (p − m)² ≤ z² φ v m (1 − m). Here v is
    the largest variance that p can have for the given numbers of judgments per item (exact for
    two). φ is the observed share of it, computed with one additional item of the largest variance.
    Except for the share of the category, α is a linear function of p. Its interval is that of p,
    mapped, with the variance of α. A category with more than half of the judgments has the interval
    of all others combined, because both have the same α.
    """
    (rows, sizes, weights), K = _items(annotations), len(coincidences)
    counts = coincidences.sum(0)
    total, n, z = counts.sum(), weights.sum(), two_sided_quantile(confidence_level)
    slope = _AlphaSlope(coincidences)
    seen = np.zeros((4, K))
    #: Of the same items: influences, their squares, judgments, their squares.
    part = np.zeros((4, K))
    with np.errstate(divide="ignore", invalid="ignore"):
        for entries in _entries(rows, sizes, weights, K):
            label = entries.label
            _add(seen, label, entries.weight, _seen(entries, specific[label]))
            u, size = slope(entries), entries.size
            _add(part, label, entries.weight, (u, u**2, size, size**2))
        shares = _Shares(specific, counts, *seen)
        # Items without the category differ only in their numbers of judgments.
        rest = slope.by_size
        first = part[0] + rest * (weights @ sizes - part[2])
        second = part[1] + rest**2 * np.maximum(weights @ sizes**2 - part[3], 0.0)
        squares = np.maximum(second - first**2 / n, 0.0)
        correct = _correction(weights)
        specific_error = np.sqrt(correct * shares.squares) / counts
        of_specific = Intervals(specific_error, *shares.ends(shares.squares, z))
        for k in np.flatnonzero(2 * counts > total).tolist():
            shares = shares.with_rest(k, _others(rows, sizes, weights, k), total)
        # α = 1 − (1 − p) / unlike
        unlike = 1 - (shares.counts - 1) / (total - 1)
        low, high = shares.ends(squares * (unlike * shares.counts) ** 2, z)
        error = np.sqrt(correct * squares)
        of_alpha = Intervals(error, 1 - (1 - low) / unlike, 1 - (1 - high) / unlike)
    return _where_defined(specific, of_specific), _where_defined(alpha, of_alpha)


def opposite_intervals(
    annotations: Annotations, coincidences: FloatArray, confidence_level: float
) -> tuple[FloatArray, Intervals]:
    """Compute the specific agreement of all other categories combined, and its intervals.

    Parameters
    ----------
    annotations : Annotations
        The judgments.
    coincidences : float64 array of shape (K, K)
        Their coincidences.
    confidence_level : float
        The level of the intervals.
    """
    rows, sizes, weights = _items(annotations)
    others = _Opposite(coincidences, sizes, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        for entries in _entries(rows, sizes, weights, len(coincidences)):
            others.add(entries)
        shares = others.shares()
        error = np.sqrt(_correction(weights) * shares.squares) / shares.counts
        ends = shares.ends(shares.squares, two_sided_quantile(confidence_level))
    return shares.agreement, _where_defined(shares.agreement, Intervals(error, *ends))


def _items(annotations: Annotations) -> tuple[Rows, FloatArray, FloatArray]:
    """Return the rows, their numbers of judgments, and their weights (0 if there is no pair)."""
    rows = as_lists(choose(annotations))
    sizes = row_sizes(rows).astype(np.float64)
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    return rows, sizes, np.where(sizes > 1, weights, 0.0)


def _correction(weights: FloatArray) -> float:
    """Return n / (n − 1) for n items, the correction of a variance; NaN for one item."""
    n = float(weights.sum())
    return n / (n - 1) if n > 1 else np.nan


class _Shares(NamedTuple):
    """The sums for the interval of each category's specific agreement: float64 (K,).

    Attributes
    ----------
    agreement : p
    counts : judgments of the category
    squares : sum over items of the squares of their contributions to the deviation from p
    most : the largest possible sum of squares, divided by p (1 − p)
    judgments, items : the number of judgments of items with the category, and of these items
    """

    agreement: FloatArray
    counts: FloatArray
    squares: FloatArray
    most: FloatArray
    judgments: FloatArray
    items: FloatArray

    def ends(self, squares: FloatArray, z: float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of the interval of p for some sums of squares."""
        p = self.agreement
        more = LARGEST_VARIANCE * self.judgments / self.items
        varies = (squares + more) / (self.most * p * (1 - p) + more)
        return wilson_ends(p, self.counts**2 / (self.most * varies), z)

    def with_rest(self, k: int, others: _Entries, total: float) -> _Shares:
        """Replace one category by all other categories combined."""
        count = total - self.counts[k]
        p = 1 - (others.weight @ others.apart) / count
        sums = (others.weight @ terms for terms in _seen(others, np.full(len(others.own), p)))
        columns = [column.copy() for column in self]
        for column, value in zip(columns, (p, count, *sums), strict=True):
            column[k] = value
        return _Shares(*columns)


class _Opposite:
    """The sums of `_Shares` with each category replaced by all others combined.

    Items without a category have only others, so they differ only in their sizes. Their sums are
    those of all items minus the contributions of the items with the category.
    """

    def __init__(self, coincidences: FloatArray, sizes: FloatArray, weights: FloatArray) -> None:
        counts = coincidences.sum(0)
        self.counts = counts.sum() - counts
        apart = counts - coincidences.diagonal()
        with np.errstate(divide="ignore", invalid="ignore"):
            self.agreement = 1 - apart / self.counts
        self._sizes, place = np.unique(sizes[weights > 0], return_inverse=True)
        self._of_size = np.bincount(place, weights[weights > 0], len(self._sizes))
        #: Squares of items with the category; their squared sizes; and for the items that have
        #: no other category: their largest contribution, their judgments, their number.
        self._own = np.zeros((5, len(counts)))

    def add(self, entries: _Entries) -> None:
        """Add some items with a category."""
        p = self.agreement[entries.label]
        own = entries.size - entries.own
        alone = own == 0
        gaps = np.where(alone, 0.0, own - entries.apart - p * own)
        most = _largest_variance(p, entries.size)
        columns = (gaps**2, entries.size**2, most * alone, entries.size * alone, alone)
        _add(self._own, entries.label, entries.weight, columns)

    def shares(self) -> _Shares:
        """Return the sums over all items."""
        squares, with_it, most_alone, judgments_alone, alone = self._own
        p = self.agreement
        most = -most_alone
        for size, weight in zip(self._sizes.tolist(), self._of_size.tolist(), strict=True):
            most = most + weight * _largest_variance(p, np.full(len(p), size))
        without = np.maximum(self._of_size @ self._sizes**2 - with_it, 0.0)
        return _Shares(
            agreement=p,
            counts=self.counts,
            squares=squares + (1 - p) ** 2 * without,
            most=most,
            judgments=self._of_size @ self._sizes - judgments_alone,
            items=self._of_size.sum() - alone,
        )


def _seen(entries: _Entries, p: FloatArray) -> tuple[FloatArray, ...]:
    """Return an item's contribution to the sums of `_Shares`; p is the agreement."""
    gaps = entries.own - entries.apart - p * entries.own
    return gaps**2, _largest_variance(p, entries.size), entries.size, np.ones(len(p))


def _add(totals: FloatArray, label: Array, weight: FloatArray, columns: Any) -> None:
    """Add some numbers of the items to totals by category."""
    for total, terms in zip(totals, columns, strict=True):
        total += np.bincount(label, weight * terms, len(total))


def _others(rows: Rows, sizes: FloatArray, weights: FloatArray, k: int) -> _Entries:
    """Combine all categories but one, in the rows that have them."""
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    times = np.where(rows.codes == k, 1 if rows.repeats is None else rows.repeats, 0)
    own = sizes - np.bincount(row, times, rows.n_rows)
    kept = (own > 0) & (weights > 0)
    return _Entries(np.full(int(kept.sum()), k), weights[kept], own[kept], sizes[kept])


def _where_defined(values: FloatArray, found: Intervals) -> Intervals:
    return Intervals(*(np.where(np.isnan(values), np.nan, column) for column in found))


def _largest_variance(p: FloatArray, size: FloatArray) -> FloatArray:
    """Compute the largest variance of own · (agreement − p) of an item, divided by p (1 − p).

    The contribution of an item is at most r (1 − p), if all of its r judgments are of the category.
    It is at least −g, with g the maximum of y (p − (y − 1) / (r − 1)) over the number y of its
    judgments of the category. The mean is 0.
    """
    y = np.clip(np.rint((1 + p * (size - 1)) / 2), 1, size)
    least = y * (p - (y - 1) / (size - 1))
    return np.asarray(size * np.where(p > 0, least / np.where(p > 0, p, 1.0), 1.0))


class _AgainstTheRest(ArrayMarginals):
    """Each category and all others combined, as two categories."""

    def __init__(self, counts: FloatArray) -> None:
        self.total = counts.sum()
        self._counts = np.stack([counts, self.total - counts], axis=1)

    def counts(self) -> FloatArray:
        return self._counts

    def pairs(self) -> FloatArray:
        return np.full(len(self._counts), self.total * (self.total - 1))


class _AlphaSlope:
    """The derivative of α of each category with respect to an item's weight.

    It is linear in the item's judgments of the category, all of its judgments, and `apart`.
    """

    def __init__(self, coincidences: FloatArray) -> None:
        m, form, chance = (
            _AgainstTheRest(coincidences.sum(0)),
            Nominal(2),
            CHANCE["pooled_unbiased"],
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.asarray(chance.expected(m, form))
            apart = coincidences.sum(1) - coincidences.diagonal()
            observed = 2 * apart / m.total
            assert chance.slope is not None
            slope = chance.slope(m, form, expected)
            of_own, of_rest = slope["pairable"].T
            ratio = observed / expected
            self._by_own = ratio * (of_own - of_rest) / expected
            of_all = of_rest + slope["pairs"] * (2 * m.total - 1)
            self.by_size = (ratio * of_all + observed / m.total) / expected
            self._by_apart = -2 / (m.total * expected)

    def __call__(self, entries: _Entries) -> FloatArray:
        label = entries.label
        influence: FloatArray = (
            self._by_own[label] * entries.own
            + self.by_size[label] * entries.size
            + self._by_apart[label] * entries.apart
        )
        return influence


def _entries(rows: Rows, sizes: FloatArray, weights: FloatArray, K: int) -> Iterator[_Entries]:
    """Return the distinct labels of the rows, some rows at a time."""
    step = max(1, ROOM // max(K, 1)) if K <= FEW else ROOM
    for first in range(0, rows.n_rows, step):
        last = min(first + step, rows.n_rows)
        judgments = slice(int(rows.start[first]), int(rows.start[last]))
        row = np.repeat(np.arange(last - first), np.diff(rows.start[first : last + 1]))
        keys = row * K + rows.codes[judgments]
        times = None if rows.repeats is None else rows.repeats[judgments].astype(np.float64)
        if K <= FEW:
            counts = np.bincount(keys, times, (last - first) * K)
            keys = np.flatnonzero(counts)
            own = counts[keys]
        else:
            keys, place = np.unique(keys, return_inverse=True)
            own = np.bincount(place, times, len(keys))
        of = first + keys // max(K, 1)
        kept = (weights[of] > 0) & (own > 0)
        of = of[kept]
        yield _Entries(keys[kept] % max(K, 1), weights[of], own[kept].astype(np.float64), sizes[of])


@dataclass(frozen=True, slots=True, repr=False)
class NegativeAgreement(Row):
    """The agreement that items do not have a category.

    Attributes
    ----------
    label : object
        The category.
    n_judgments : int
        Judgments of other categories in items with two judgments or more, including weights.
    negative_agreement : float
        The probability that a second judgment of an item does not have the category, given that a
        first one does not. NaN if all judgments have the category.
    standard_error, low, high : float
        The standard error (delta method, items as the sample), and a score interval.
    confidence_level : float
        The level of the interval.
    """

    label: Any
    n_judgments: int
    negative_agreement: float
    standard_error: float
    low: float
    high: float
    confidence_level: float


def negative_agreement(data: Any, *, confidence_level: float = 0.95) -> Listing[NegativeAgreement]:
    """Compute the agreement that items do not have a category, for each category.

    Cicchetti & Feinstein 1990 recommend positive and negative agreement beside κ. The specific
    agreement of `category_agreement` is the positive one.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    Returns
    -------
    Listing of NegativeAgreement
        A row for each category, in their order.

    Raises
    ------
    ValueError
        If `confidence_level` is not between 0 and 1.

    Notes
    -----
    This is the specific agreement of all other categories combined, with its standard error and
    interval. O(patterns · K²).

    Examples
    --------
    >>> from agreement_fast.diagnostics import negative_agreement
    >>> table = [("yes", "yes")] * 4 + [("yes", "no")] * 2 + [("no", "no")] * 14
    >>> for row in negative_agreement(table):
    ...     print(row.label, round(row.negative_agreement, 3))
    no 0.8
    yes 0.933
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    observed = annotations.coincidence_matrix().values
    counts = observed.sum(0)
    agreement, interval = opposite_intervals(annotations, observed, confidence_level)
    return Listing(
        NegativeAgreement(
            label=label,
            n_judgments=round(float(counts.sum() - counts[k])),
            negative_agreement=float(agreement[k]),
            standard_error=float(interval.error[k]),
            low=float(interval.low[k]),
            high=float(interval.high[k]),
            confidence_level=confidence_level,
        )
        for k, label in enumerate(annotations.categories)
    )

"""How sure the agreement on each category is: both of its numbers by the delta method over items.

The specific agreement of a category is a ratio of two sums over items, α of the category against
the rest a function of three. Only items that have the category differ from each other in what they
add, so one pass over the distinct labels of each item serves all categories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import CHANCE, ArrayMarginals
from agreement_fast.distances.forms import Nominal
from agreement_fast.inference.delta_method import settled_interval
from agreement_fast.patterns import Rows, as_lists, row_sizes
from agreement_fast.sums.routes import choose
from agreement_fast.sums.shares import LARGEST_VARIANCE, wilson_ends

#: Cells of a table of rows × categories that are counted at a time.
ROOM = 1 << 18

#: Categories up to which the labels of a row are counted in a table rather than sorted.
FEW = 64


class Intervals(NamedTuple):
    """Standard errors and intervals of a number of each category: float64 (K,)."""

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
        """What the item adds to the coincidences of the category with others."""
        return self.own * (self.size - self.own) / (self.size - 1)


def category_intervals(
    annotations: Annotations,
    coincidences: FloatArray,
    specific: FloatArray,
    alpha: FloatArray,
    confidence_level: float,
) -> tuple[Intervals, Intervals]:
    """Intervals of the specific agreement of each category, and of its α.

    Parameters
    ----------
    coincidences : float64 array of shape (K, K)
    specific, alpha : float64 arrays of shape (K,)
        NaN where undefined.

    Notes
    -----
    The specific agreement p has a score interval: all m for which (p − m)² ≤ z² φ v m (1 − m), v
    being the largest variance that p can have with items of so many judgments (exact for two), and
    φ the share of it that is seen, as if one more item of the largest variance had been.
    """
    rows, K = as_lists(choose(annotations)), len(coincidences)
    sizes = row_sizes(rows).astype(np.float64)
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    weights = np.where(sizes > 1, weights, 0.0)
    n = weights.sum()
    of_alpha = _AlphaSlope(coincidences)
    seen = np.zeros((4, K))  # squares, most, judgments and number of the items with the category
    part = np.zeros(
        (4, K)
    )  # of the same items: influences, their squares, judgments, their squares
    with np.errstate(divide="ignore", invalid="ignore"):
        for entries in _entries(rows, sizes, weights, K):
            label, w, size = entries.label, entries.weight, entries.size
            p = specific[label]
            gaps = entries.own - entries.apart - p * entries.own
            for total, terms in zip(
                seen, (gaps**2, _largest_variance(p, size), size, np.ones(len(p))), strict=True
            ):
                total += np.bincount(label, w * terms, K)
            u = of_alpha(entries)
            for total, terms in zip(part, (u, u**2, size, size**2), strict=True):
                total += np.bincount(label, w * terms, K)
        squares, most, judgments, items = seen
        counts = coincidences.sum(0)
        more = LARGEST_VARIANCE * judgments / items
        varies = (squares + more) / (most * specific * (1 - specific) + more)
        ends = wilson_ends(specific, counts**2 / (most * varies), _quantile(confidence_level))
        correct = n / (n - 1) if n > 1 else np.nan
        specific_error = np.sqrt(correct * squares) / counts
        # Items without the category differ in their numbers of judgments only.
        rest = of_alpha.by_size
        first = part[0] + rest * (weights @ sizes - part[2])
        second = part[1] + rest**2 * np.maximum(weights @ sizes**2 - part[3], 0.0)
        alpha_error = np.sqrt(correct * np.maximum(second - first**2 / n, 0.0))
    return (
        Intervals(np.where(np.isnan(specific), np.nan, specific_error), *ends),
        Intervals(*settled_interval(alpha, alpha_error, n, confidence_level, "atanh")),
    )


def _quantile(confidence_level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + confidence_level) / 2))


def _largest_variance(p: FloatArray, size: FloatArray) -> FloatArray:
    """The largest variance of own · (agreement − p) of an item, over p (1 − p).

    An item adds between r (1 − p), all of its r judgments being of the category, and −g, g the
    largest of y (p − (y − 1) / (r − 1)) over its judgments y of the category; the mean is 0.
    """
    y = np.clip(np.rint((1 + p * (size - 1)) / 2), 1, size)
    least = y * (p - (y - 1) / (size - 1))
    return np.asarray(size * np.where(p > 0, least / np.where(p > 0, p, 1.0), 1.0))


class _AgainstTheRest(ArrayMarginals):
    """Each category and all others, as two categories."""

    def __init__(self, counts: FloatArray) -> None:
        self.total = counts.sum()
        self._counts = np.stack([counts, self.total - counts], axis=1)

    def counts(self) -> FloatArray:
        return self._counts

    def pairs(self) -> FloatArray:
        return np.full(len(self._counts), self.total * (self.total - 1))


class _AlphaSlope:
    """The derivative of α of each category in an item's weight, which is linear in three numbers.

    They are the item's judgments of the category, all of its judgments, and `apart`.
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
    """The distinct labels of the rows, some rows at a time."""
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

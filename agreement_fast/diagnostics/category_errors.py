"""Intervals of the agreement on each category, items being the sample.

For one category, an item is the number of its judgments of the category beside the number of all of
them. So a pass over the distinct labels of each item tallies these pairs of numbers, and all
intervals are computed from the tallies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import LARGEST_VARIANCE, two_sided_quantile, wilson_ends
from agreement_fast.annotations import Annotations
from agreement_fast.distances.forms import Nominal
from agreement_fast.distances.sums.columns import Groups, Items
from agreement_fast.distances.sums.linear import Linear
from agreement_fast.distances.sums.routes import choose
from agreement_fast.inference.closed_form import standard_errors
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.score import influence_of
from agreement_fast.patterns import Rows, as_lists, row_sizes
from agreement_fast.points import named_point

#: The most cells of a table of rows × categories that are counted at a time.
ROOM = 1 << 18

#: The most categories for which the labels of a row are counted in a table rather than sorted.
FEW = 64


class Intervals(NamedTuple):
    """Standard errors and intervals of a number for each category: float64 (K,)."""

    error: FloatArray
    low: FloatArray
    high: FloatArray


class Tallies(NamedTuple):
    """Items with two judgments or more, by category and their numbers of judgments."""

    #: The category, ascending: int array of shape (T,).
    label: Array
    #: The number of items: float64 array of shape (T,).
    weight: FloatArray
    #: How many of an item's judgments are of the category, and how many there are: float64 arrays
    #: of shape (T,).
    own: FloatArray
    size: FloatArray

    def opposite(self) -> Tallies:
        """Return those of all other categories combined."""
        return self._replace(own=self.size - self.own)


def tallies_of(annotations: Annotations) -> Tallies:
    """Tally the items of each category."""
    rows, K = as_lists(choose(annotations)), len(annotations.labels)
    sizes = row_sizes(rows)
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    weights = np.where(sizes > 1, weights, 0.0)
    places = int(sizes.max(initial=0)) + 1
    items = np.bincount(sizes, weights, places).astype(np.float64)
    used = np.flatnonzero(items)
    # Items without the category are all but those with it.
    without: FloatArray = np.tile(items[used], (K, 1))
    keys: list[Array] = []
    totals: list[FloatArray] = []
    for label, weight, own, size in _entries(rows, sizes, weights, K):
        key, place = np.unique((label * places + own) * places + size, return_inverse=True)
        keys.append(key)
        totals.append(np.bincount(place, weight, len(key)).astype(np.float64))
        at = label * len(used) + np.searchsorted(used, size)
        without = without - np.bincount(at, weight, without.size).reshape(without.shape)
    keys.append(np.repeat(np.arange(K) * places**2, len(used)) + np.tile(used, K))
    totals.append(without.reshape(-1))
    key, place = np.unique(np.concatenate(keys), return_inverse=True)
    weight = np.bincount(place, np.concatenate(totals), len(key)).astype(np.float64)
    kept = weight > 0
    key, weight = key[kept], weight[kept]
    own = key // places % places
    return Tallies(
        key // places**2, weight, own.astype(np.float64), (key % places).astype(np.float64)
    )


def alpha_intervals(tallies: Tallies, K: int, confidence_level: float) -> Intervals:
    """Compute the interval of α of each category against all others combined.

    It is that of `inference.standard_error` for the two categories.
    """
    point = named_point("alpha", "nominal")
    counts = np.stack([tallies.size - tallies.own, tallies.own], axis=1).astype(np.int64)
    n = len(counts)
    codes, start = np.tile(np.arange(2, dtype=np.int32), n), 2 * np.arange(n + 1)
    rows = Rows(codes, 0, start, None, counts.reshape(-1), tallies.weight.astype(np.int64))
    groups = Groups(tallies.label, K)
    made = Linear(Items(rows, 2, None), [point], 2, {point.distance: Nominal(2)})
    sums = made.sums_of(groups)
    (values,) = made.values(sums)
    with np.errstate(divide="ignore", invalid="ignore"):  # categories without a value
        plain = influences(made, point, sums, groups)
    result = influence_of(made, point, sums, values.value, groups)
    error = standard_errors(plain, result.sampled, groups)
    return _where_defined(values.value, Intervals(error, *result.score().ends(confidence_level)))


def share_intervals(
    tallies: Tallies, K: int, confidence_level: float
) -> tuple[FloatArray, Intervals]:
    """Compute the specific agreement of each category, and its interval.

    Notes
    -----
    The specific agreement p has a score interval: all m with (p − m)² ≤ z² φ v m (1 − m). Here v is
    the largest variance that p can have for the given numbers of judgments per item (exact for
    two). φ is the observed share of it, computed with one additional item of the largest variance.
    """
    n = float(tallies.weight[tallies.label == tallies.label[:1]].sum())
    there = tallies.own > 0
    label, weight, own, size = (column[there] for column in tallies)

    def total(terms: FloatArray) -> FloatArray:
        return np.bincount(label, weight * terms, K).astype(np.float64)

    apart, counts = own * (size - own) / (size - 1), total(own)
    with np.errstate(divide="ignore", invalid="ignore"):  # categories that are not used
        p = 1 - total(apart) / counts
        squares = total((own - apart - p[label] * own) ** 2)
        most = total(_largest_variance(p[label], size))
        more = LARGEST_VARIANCE * total(size) / total(np.ones(len(size)))
        varies = (squares + more) / (most * p * (1 - p) + more)
        ends = wilson_ends(p, counts**2 / (most * varies), two_sided_quantile(confidence_level))
        correct = n / (n - 1) if n > 1 else np.nan
        error = np.sqrt(correct * squares) / counts
    return p, _where_defined(p, Intervals(error, *ends))


def _where_defined(values: FloatArray, intervals: Intervals) -> Intervals:
    return Intervals(*(np.where(np.isnan(values), np.nan, column) for column in intervals))


def _largest_variance(p: FloatArray, size: FloatArray) -> FloatArray:
    """Compute the largest variance of own · (agreement − p) of an item, divided by p (1 − p).

    The contribution of an item is at most r (1 − p), if all of its r judgments are of the category.
    It is at least −g, with g the maximum of y (p − (y − 1) / (r − 1)) over the number y of its
    judgments of the category. The mean is 0.
    """
    y = np.clip(np.rint((1 + p * (size - 1)) / 2), 1, size)
    least = y * (p - (y - 1) / (size - 1))
    return np.asarray(size * np.where(p > 0, least / np.where(p > 0, p, 1.0), 1.0))


def _entries(
    rows: Rows, sizes: Array, weights: FloatArray, K: int
) -> Iterator[tuple[Array, FloatArray, Array, Array]]:
    """Yield the distinct labels of the rows, some rows at a time.

    They are the category, the weight of the row, how often it has the category, and its judgments.
    """
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
        yield keys[kept] % max(K, 1), weights[of], own[kept].astype(np.int64), sizes[of]

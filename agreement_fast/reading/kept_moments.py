"""Sums over items of numbers, which suffice for squared differences.

An item of n numbers has a sum S = Σ (x − o), a sum of squares Q = Σ (x − o)², and the disagreement
D = Σ_jl (x_j − x_l)² = 2 (n Q − S²). Coefficients are functions of the sums of n, S, Q and D over
the items of each size n. Standard errors also need the sums of their products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast._kernels import _patterns, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.patterns import Rows, as_table, count_labels, group_rows

#: The range of distances whose sums of squares neither overflow nor underflow.
SPREADS = (1e-140, 1e140)


def check_spread(name: str, low: float, high: float, argument: str = "distance") -> None:
    """Raise an error if squared differences of these numbers do not fit a float."""
    least, most = SPREADS
    if low != high and not least <= high - low <= most:
        raise InputError(
            f"{name}: the range of the numbers from {low:.4g} to {high:.4g} is {high - low:.3g}, "
            f"expected {least:g} to {most:g}",
            "multiply the labels by a common factor",
            argument=argument,
        )


class KeptMoments(NamedTuple):
    """The sums over items of each number of judgments; weights are applied."""

    #: Ascending; with 0 if there are items without judgments.
    sizes: list[int]
    #: How many items have each size.
    items: list[int]
    #: Σ S, Σ Q and Σ D: float64 array of shape (sizes, 3).
    sums: FloatArray
    #: Sums of products of S / r, Q / r² and D / r², where r is `scale`: float64 array of shape
    #: (sizes, 3, 3).
    products: FloatArray
    #: The least and the largest number, minus the origin; NaN if there is none: float64 arrays of
    #: shape (sizes,).
    low: FloatArray
    high: FloatArray
    #: r, which keeps fourth powers within the range of floats.
    scale: float
    #: By the least number of judgments of an item: each coder's numbers, their Σ (x − o), and Σ (x
    #: − o)²: dict of int to float64 array of shape (C, 3).
    coders: dict[int, FloatArray]

    @property
    def n_judgments(self) -> int:
        """The number of judgments, weights counted."""
        return sum(size * n for size, n in zip(self.sizes, self.items, strict=True))

    def ends(self, least: int) -> tuple[float, float]:
        """The least and the largest number of items of `least` judgments or more; 0 if none."""
        counted = (np.array(self.sizes) >= least) & ~np.isnan(self.low)
        if not counted.any():
            return 0.0, 0.0
        return float(self.low[counted].min()), float(self.high[counted].max())

    def like_items(self) -> tuple[FloatArray, Array, FloatArray]:
        """Return a few items of each size, with the means and covariances of all items of the size.

        Every linear function of S, Q and D has the same sum and sum of squares over them as over
        all items. Returns float64 (U,); int64 (U,); float64 (U, 3): S, Q and D of each.
        """
        units = np.array([self.scale, self.scale**2, self.scale**2])
        weights, places, points = [], [], []
        for i, n in enumerate(self.items):
            if not n:
                continue
            mean = self.sums[i] / units / n
            spread, axes = np.linalg.eigh(self.products[i] / n - np.outer(mean, mean))
            # Smaller values are rounding errors.
            real = spread > 1e-14 * max(float(np.trace(self.products[i])) / n, 0.0)
            steps = (axes[:, real] * np.sqrt(spread[real] * real.sum())).T
            some = np.vstack([mean + steps, mean - steps]) if len(steps) else mean[None]
            points.append(some * units)
            weights += [n / len(some)] * len(some)
            places += [self.sizes[i]] * len(some)
        sums = np.vstack(points) if points else np.zeros((0, 3))
        return np.array(weights), np.array(places, np.int64), sums


#: Rows whose counts are packed at a time: 512 kB.
CHUNK = 1 << 16

#: Sizes of the hash table of packed counts. The first fits the processor's cache; rows that do not
#: fit the last are mostly distinct.
SLOTS = (1 << 13, 1 << 19)

#: Slots of the table for each row: clearing more takes longer than grouping saves.
SLOTS_A_ROW = 4

FREE = np.uint64(2**64 - 1)


def group_counts(rows: Rows, n_categories: int) -> Rows | None:
    """Return distinct rows of counts with their weights, or None if they do not fit the table.

    O(judgments), and memory for the distinct rows only.
    """
    if rows.repeats is not None or rows.codes.dtype != np.int8 or not n_categories:
        return None
    longest = rows.longest()
    bits = max(1, longest.bit_length())
    if bits * n_categories > 64:
        return None
    for n_slots in SLOTS:
        if n_slots > max(SLOTS[0], SLOTS_A_ROW * rows.n_rows):
            break
        result = _hash_counts(rows, bits, n_slots)
        if result is not None:
            words, weights = result
            mask = np.uint64((1 << bits) - 1)
            shifts = np.arange(n_categories, dtype=np.uint64) * np.uint64(bits)
            counts = ((words[:, None] >> shifts) & mask).astype(np.int64)
            codes = np.tile(np.arange(n_categories, dtype=np.int8), len(words))
            start = np.arange(len(words) + 1, dtype=np.int64) * n_categories
            return Rows(codes, 0, start, None, counts.reshape(-1), weights)
    return None


def _hash_counts(rows: Rows, bits: int, n_slots: int) -> tuple[Array, Array] | None:
    """Return packed counts and their weights, or None if they fill half of the hash table."""

    def work(first: int, last: int) -> tuple[Array, Array] | None:
        keys, counts = np.full(n_slots, FREE), np.zeros(n_slots, np.int64)
        words = np.empty(min(CHUNK, last - first), np.uint64)
        n_keys = 0
        for begin in range(first, last, CHUNK):
            end = min(begin + CHUNK, last)
            some = words[: end - begin]
            _patterns.pack_counts(rows.part(begin, end), bits, some)
            weights = None if rows.weights is None else rows.weights[begin:end]
            n_keys = _patterns.count_words(some, weights, keys, counts, n_keys)
            if n_keys < 0:
                return None
        used = keys != FREE
        return keys[used], counts[used]

    parts = parallel.over_rows(work, rows.n_rows)
    if any(part is None for part in parts):
        return None
    words = np.concatenate([part[0] for part in parts if part is not None])
    weights = np.concatenate([part[1] for part in parts if part is not None])
    if len(parts) > 1:
        # No larger than one thread's, so that the route does not depend on their number.
        keys, counts = np.full(n_slots, FREE), np.zeros(n_slots, np.int64)
        if _patterns.count_words(words, weights, keys, counts, 0) < 0:
            return None
        used = keys != FREE
        words, weights = keys[used], counts[used]
    # The order of a hash table would depend on the number of threads.
    order = np.argsort(words)
    return words[order], weights[order]


def count_patterns(rows: Rows, n_categories: int) -> Rows:
    """Return the distinct rows of counts: the categories that occur, and how often."""
    if rows.repeats is not None:
        return group_rows(_without_zeros(rows))
    grouped = group_counts(rows, n_categories)
    if grouped is not None:
        return _without_zeros(grouped)
    if not rows.width:
        return group_rows(count_labels(rows, n_categories))
    # Tables are cheaper to group than lists, and rows whose labels are sorted are counts.
    labels = np.sort(rows.table(), axis=1)
    return count_labels(group_rows(as_table(labels, rows.weights)), n_categories)


def _without_zeros(rows: Rows) -> Rows:
    """Return lists of counts without counts of 0."""
    if rows.repeats is None or rows.repeats.all():
        return rows
    kept = np.flatnonzero(rows.repeats)
    start = np.concatenate([[0], np.cumsum(rows.repeats > 0)])[rows.start]
    return Rows(rows.codes[kept], 0, start, None, rows.repeats[kept], rows.weights)

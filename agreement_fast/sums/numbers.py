"""Sums over a table of numbers, for the interval distance.

Squared differences need no categories: three sums of a marginal, its mass, Σ x and Σ x², determine
every bilinear sum that chance models need. So a million distinct numbers need one pass and no sort,
and `chance` uses these marginals like counts.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _values
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import NO_VALUES, Form, check_spread
from agreement_fast.errors import InputError
from agreement_fast.kept_moments import KeptMoments
from agreement_fast.patterns import check_total
from agreement_fast.sums.base import Sums

T = TypeVar("T")

#: Rows that are summed at a time; the sums of these blocks are added exactly.
CHUNK = 1 << 13


class Moments:
    """Squared differences of numbers, with marginals (mass, Σ (x − o), Σ (x − o)²)."""

    kind = "moments"
    values = NO_VALUES

    def __init__(self, low: float, high: float) -> None:
        self._largest = (high - low) ** 2

    def mass(self, u: Array) -> Array:
        mass: Array = u[..., 0]
        return mass

    def mass_slope(self, u: Array) -> FloatArray:
        return np.array([1.0, 0.0, 0.0])

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        return np.asarray((u * self.times(v)).sum(-1))

    def times(self, v: Array) -> FloatArray:
        return np.stack([v[..., 2], -2 * v[..., 1], v[..., 0]], axis=-1)

    @property
    def largest(self) -> float:
        return self._largest

    def total(self) -> float:
        raise NotImplementedError("numbers that were not counted have no categories")

    def between(self, a: Array, b: Array) -> FloatArray:
        raise NotImplementedError("numbers that were not counted have no categories")


class NumberSums(Sums):
    """The sums over a table of numbers; see `Sums`.

    Items with fewer than `least` judgments are left out, because their numbers could move the
    origin away from the others.

    Attributes
    ----------
    form : Moments
    """

    n_categories = None

    def __init__(self, values: FloatArray, weights: Array | None, least: int) -> None:
        self._numbers = values
        self._weights = weights
        self._coder_marginals: FloatArray | None = None
        width = values.shape[1]
        parts = self._each(lambda some, weights: _values.spread(some, weights, least))
        seen = [part for part in parts if part[0]]
        low = min((part[2] for part in seen), default=0.0)
        high = max((part[3] for part in seen), default=0.0)
        if not (math.isfinite(low) and math.isfinite(high)):
            row, coder = (int(i) for i in np.argwhere(np.isinf(values))[0])
            raise InputError(
                f"distance interval needs finite numbers: row {row}, column {coder} has "
                f"{values[row, coder]}",
                argument="distance",
            )
        check_spread("distance interval", low, high)
        count = math.fsum(part[0] for part in seen)
        # Constant data must give exactly 0; otherwise any origin near the mean keeps the digits.
        mean = math.fsum(part[1] for part in seen) / count if count else 0.0
        self._origin = min(max(mean, low), high)
        self.form = Moments(low, high)

        def work(some: FloatArray, weights: Array | None) -> tuple[Array, FloatArray]:
            items, sums = np.zeros(width + 1, np.int64), np.zeros((width + 1, 4))
            _values.row_moments(some, weights, self._origin, least, items, sums)
            return items, sums

        chunks = self._each(work)
        items = sum((chunk for chunk, _ in chunks), np.zeros(width + 1, np.int64))
        sizes = np.flatnonzero(items)
        self._sizes: list[int] = sizes.tolist()
        self.items_by_size = dict(zip(self._sizes, items[sizes].tolist(), strict=True))
        self._sums = _exact_sum([sums for _, sums in chunks], (width + 1, 4))[sizes]
        self._keep(least)
        check_total(float(self._sums[:, 0].sum()), "judgments")

    def _each(self, work: Callable[[FloatArray, Array | None], T]) -> list[T]:
        """Apply `work` to a few thousand rows and their weights at a time."""
        n_rows = len(self._numbers)

        def some(first: int, last: int) -> T:
            weights = None if self._weights is None else self._weights[first:last]
            return work(self._numbers[first:last], weights)

        pieces = [(i, min(i + CHUNK, n_rows)) for i in range(0, n_rows, CHUNK)]
        return _threads.run(some, pieces, n_rows)

    def disagreement(self, form: Form) -> list[float]:
        """Sum the squared differences over the ordered pairs of the items of each size."""
        pairs: list[float] = self._sums[:, 3].tolist()
        return pairs

    def shares(self) -> FloatArray:
        """Compute the mean over items of their mean marginal."""
        first = bisect_left(self._sizes, max(1, self.least))
        items = sum(list(self.items_by_size.values())[first:])
        if not items:
            return np.zeros(3)
        sizes = np.array(self._sizes[first:])
        shares: FloatArray = (self._sums[first:, :3] / sizes[:, None]).sum(0) / items
        return shares

    def counts(self) -> FloatArray:
        """Compute the marginal of all judgments of items with two or more judgments."""
        first = bisect_left(self._sizes, max(2, self.least))
        counts: FloatArray = self._sums[first:, :3].sum(0)
        return counts

    def each(self) -> FloatArray:
        """Return each coder's marginal: (C, 3)."""
        if self._coder_marginals is None:
            shape = (self._numbers.shape[1], 3)
            least = max(1, self.least)

            def work(some: FloatArray, weights: Array | None) -> FloatArray:
                out = np.zeros(shape)
                _values.coder_moments(some, weights, self._origin, least, out)
                return out

            self._coder_marginals = _exact_sum(self._each(work), shape)
        return self._coder_marginals


class KeptSums(NumberSums):
    """The sums over numbers that were not kept, from their stored moments."""

    def __init__(self, kept: KeptMoments, least: int) -> None:
        self._kept = kept
        low, high = kept.ends(least)
        check_spread("distance interval", low, high)
        self._constant = low == high
        self.form = Moments(low, high)
        self._sizes = kept.sizes
        self.items_by_size = dict(zip(kept.sizes, kept.items, strict=True))
        masses = np.array(kept.sizes, np.float64) * np.array(kept.items, np.float64)
        self._sums = self._about(np.column_stack([masses, kept.sums]))
        self._keep(least)

    def each(self) -> FloatArray:
        """Return each coder's marginal: (C, 3)."""
        return self._about(self._kept.coders[max(1, self.least)])

    def _about(self, sums: FloatArray) -> FloatArray:
        """Return sums about the origin, or about the number if all numbers that count are equal."""
        if not self._constant:
            return sums
        about: FloatArray = np.where(np.arange(sums.shape[1]) == 0, sums, 0.0)
        return about


def _exact_sum(parts: list[FloatArray], shape: tuple[int, int]) -> FloatArray:
    flat = [part.reshape(-1).tolist() for part in parts]
    if not flat:
        return np.zeros(shape)
    return np.array([math.fsum(column) for column in zip(*flat, strict=True)]).reshape(shape)

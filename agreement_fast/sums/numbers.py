"""Sums over a table of numbers, for the interval distance.

Squared differences need no categories: a marginal is told by three sums, its mass, Σ x and Σ x²,
for every bilinear sum that chance models ask for is made of these. So a million distinct numbers
cost one pass and no sort, and `chance` reads these marginals as it reads counts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast import _threads
from agreement_fast._kernels import _values
from agreement_fast.forms import NO_VALUES, FloatArray, check_spread
from agreement_fast.patterns import check_total

Array = npt.NDArray[Any]

#: Rows that are summed at a time; the sums of chunks are added exactly.
CHUNK = 1 << 13


class Moments:
    """Squared differences of numbers, marginals being (mass, Σ (x − o), Σ (x − o)²)."""

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

    def largest(self) -> float:
        return self._largest

    def total(self) -> float:
        raise NotImplementedError("numbers that were not counted have no categories")

    def between(self, a: Array, b: Array) -> FloatArray:
        raise NotImplementedError("numbers that were not counted have no categories")


class NumberTally:
    """The sums of a table of numbers by items' numbers of judgments; see `tally.Tally`.

    Items of fewer than `least` judgments are left out: far numbers that do not count would move the
    origin away from those that do.

    Attributes
    ----------
    sizes, n_items : int64 arrays of shape (S,)
    n_categories : None
        Nobody counted the distinct numbers.
    form : Moments
    """

    n_categories = None

    def __init__(self, values: FloatArray, weights: Array | None, least: int) -> None:
        self._numbers = values
        self._weights = weights
        self._coder_marginals: dict[int, FloatArray] = {}
        width = values.shape[1]
        parts = self._each(lambda first, last: _values.spread(values, weights, least, first, last))
        seen = [part for part in parts if part[0]]
        low = min((part[2] for part in seen), default=0.0)
        high = max((part[3] for part in seen), default=0.0)
        if not (math.isfinite(low) and math.isfinite(high)):
            row, coder = (int(i) for i in np.argwhere(np.isinf(values))[0])
            raise ValueError(
                f"distance interval needs finite numbers: row {row}, column {coder} has "
                f"{values[row, coder]}"
            )
        check_spread("interval", low, high)
        count = math.fsum(part[0] for part in seen)
        # Constant data must give 0 exactly; else any origin near the mean keeps the digits.
        mean = math.fsum(part[1] for part in seen) / count if count else 0.0
        self._origin = min(max(mean, low), high)
        self.form = Moments(low, high)

        def work(first: int, last: int) -> tuple[Array, FloatArray]:
            items, sums = np.zeros(width + 1, np.int64), np.zeros((width + 1, 4))
            _values.row_moments(values, weights, self._origin, least, first, last, items, sums)
            return items, sums

        chunks = self._each(work)
        items = np.zeros(width + 1, np.int64)
        for chunk, _ in chunks:
            items += chunk
        self.sizes = np.flatnonzero(items).astype(np.int64)
        self.n_items = items[self.sizes]
        self._sums = _exact_sum([sums for _, sums in chunks], (width + 1, 4))[self.sizes]
        check_total(float(self._sums[:, 0].sum()), "judgments")

    def _each(self, work: Any) -> list[Any]:
        n_rows = len(self._numbers)
        pieces = [(i, min(i + CHUNK, n_rows)) for i in range(0, n_rows, CHUNK)]
        return _threads.run(work, pieces, n_rows)

    def disagreement(self, form: Moments) -> FloatArray:
        """Σ of squared differences over the ordered pairs of items of each size."""
        pairs: FloatArray = self._sums[:, 3]
        return pairs

    def shares(self, least: int) -> FloatArray:
        """The mean over items of `least` judgments or more of their mean marginal."""
        kept = self.sizes >= least
        items = self.n_items[kept].sum()
        if not items:
            return np.zeros(3)
        shares: FloatArray = (self._sums[kept, :3] / self.sizes[kept, None]).sum(0) / items
        return shares

    def counts(self, least: int) -> FloatArray:
        """The marginal of all judgments of items of `least` judgments or more."""
        counts: FloatArray = self._sums[self.sizes >= least, :3].sum(0)
        return counts

    def n_judgments(self, least: int) -> int:
        """How many these are."""
        kept = self.sizes >= least
        return int(self.sizes[kept] @ self.n_items[kept])

    def coder_marginals(self, least: int) -> FloatArray:
        """Each coder's marginal over the items of at least `least` judgments, shape (C, 3)."""
        if least not in self._coder_marginals:
            shape = (self._numbers.shape[1], 3)

            def work(first: int, last: int) -> FloatArray:
                out = np.zeros(shape)
                _values.coder_moments(
                    self._numbers, self._weights, self._origin, least, first, last, out
                )
                return out

            self._coder_marginals[least] = _exact_sum(self._each(work), shape)
        return self._coder_marginals[least]


def _exact_sum(parts: list[FloatArray], shape: tuple[int, int]) -> FloatArray:
    flat = [part.reshape(-1).tolist() for part in parts]
    if not flat:
        return np.zeros(shape)
    return np.array([math.fsum(column) for column in zip(*flat, strict=True)]).reshape(shape)

"""Sums over items of numbers, which suffice for squared differences.

An item of n numbers has a sum S = Σ (x − o), a sum of squares Q = Σ (x − o)², and the disagreement
D = Σ_jl (x_j − x_l)² = 2 (n Q − S²). Coefficients are functions of the sums of n, S, Q and D over
the items of each size n. Standard errors also need the sums of their products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray

__all__ = ["KeptMoments"]


class KeptMoments(NamedTuple):
    """The sums over items of each number of judgments; weights are applied.

    Attributes
    ----------
    sizes : list of int
        Ascending; with 0 if there are items without judgments.
    items : list of int
        How many items have each size.
    sums : float64 array of shape (sizes, 3)
        Σ S, Σ Q and Σ D.
    products : float64 array of shape (sizes, 3, 3)
        Sums of products of S / r, Q / r² and D / r², where r is `scale`.
    low, high : float64 arrays of shape (sizes,)
        The least and the largest number, minus the origin; NaN if there is none.
    scale : float
        r, which keeps fourth powers within the range of floats.
    coders : dict of int to float64 array of shape (C, 3)
        By the least number of judgments of an item: each coder's numbers, their Σ (x − o), and
        Σ (x − o)².
    """

    sizes: list[int]
    items: list[int]
    sums: FloatArray
    products: FloatArray
    low: FloatArray
    high: FloatArray
    scale: float
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
        all items.

        Returns
        -------
        weights : float64 array of shape (U,)
        sizes : int64 array of shape (U,)
        sums : float64 array of shape (U, 3)
            S, Q and D of each.
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

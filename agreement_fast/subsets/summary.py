"""Summaries of many values by group: moments, extremes, exact quartiles and histograms.

Two passes are made over the values, which are not held in memory. The first gives sums, extremes
and the number of values in each bin of a fine grid. The second gives the squares about the mean, a
histogram between the extremes, and the values of those few bins in which the quartiles lie.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels import _subsets
from agreement_fast._kernels._subsets import Runs as Runs
from agreement_fast.arrays import Array, FloatArray

#: Number of bins of the fine grid.
FINE = 2048

#: The most values of the quartiles' bins that are held before equal ones are merged.
HELD = 1 << 21

QUARTILES = (0.25, 0.5, 0.75)

#: Measure × G + group of each value, the values, and the number of times that each occurs.
Held = tuple[Array, FloatArray, Array]


def grid(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return a fine grid about the middle of the values: low end and bins per unit, (..., 2).

    The first and last bin also hold the values outside. The place of the grid determines the number
    of values that the second pass holds, but not the result.
    """
    low, high = np.nan_to_num(low), np.nan_to_num(high)
    width = np.maximum(high - low, 1e-9 * np.maximum(np.abs(high), 1e-3))
    return np.ascontiguousarray(np.stack([low, FINE / width], -1))


@dataclass(eq=False, slots=True)
class First:
    """The first pass over M measures of values in G groups, or the share of one piece of work."""

    grid: FloatArray
    #: Sum, smallest and largest; shape (M, G, 3).
    moments: FloatArray
    #: Values in each bin of the grid, undefined ones last; shape (M, G, FINE + 1).
    counts: Array

    @classmethod
    def empty(cls, grid: FloatArray, kind: type[np.signedinteger[Any]] = np.int32) -> First:
        M, G, _ = grid.shape
        moments = np.tile([0.0, np.inf, -np.inf], (M, G, 1))
        return cls(grid, moments, np.zeros((M, G, FINE + 1), kind))

    def add(self, runs: Runs) -> None:
        """Add runs of values of some groups."""
        _subsets.describe(runs, self.grid, self.moments, self.counts)

    def merge(self, part: First) -> None:
        self.moments[..., 0] += part.moments[..., 0]
        np.minimum(self.moments[..., 1], part.moments[..., 1], out=self.moments[..., 1])
        np.maximum(self.moments[..., 2], part.moments[..., 2], out=self.moments[..., 2])
        self.counts += part.counts

    @property
    def n_values(self) -> int:
        """Number of values of a measure that were added, undefined ones included."""
        return int(self.counts[0].sum())

    @property
    def n(self) -> Array:
        """Number of defined values, int64 of shape (M, G)."""
        return np.asarray(self.counts[..., :-1].sum(-1))

    def means(self) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return np.asarray(self.moments[..., 0] / self.n)

    def edges(self, bins: int) -> FloatArray:
        """Return the edges of numpy.histogram(values, bins), shape (M, G, bins + 1)."""
        low, high = self.moments[..., 1], self.moments[..., 2]
        nothing, single = self.n == 0, low == high
        low = np.where(nothing, 0.0, np.where(single, low - 0.5, low))
        high = np.where(nothing, 1.0, np.where(single, high + 0.5, high))
        return np.ascontiguousarray(np.linspace(low, high, bins + 1, axis=-1))

    def ranks(self) -> Array:
        """Return the ranks, from 0, of the values on either side of each quartile: (M, G, 3, 2)."""
        places = np.multiply.outer(np.maximum(self.n - 1, 0), QUARTILES)
        below = np.floor(places).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(self.n - 1, 0)[..., None])
        return np.stack([below, above], -1)

    def requested(self) -> Array:
        """Mark the bins that hold these ranks, uint8 of shape (M, G, FINE + 1)."""
        out = np.zeros(self.counts.shape, np.uint8)
        for m, g in np.ndindex(self.n.shape):
            if self.n[m, g]:
                below = np.cumsum(self.counts[m, g, :-1])
                out[m, g, np.searchsorted(below, self.ranks()[m, g], side="right")] = 1
        return out


@dataclass(eq=False, slots=True)
class Second:
    """The second pass, or the share of one piece of work."""

    first: First
    bounds: _subsets.Bounds
    squares: FloatArray
    #: Values between the edges, undefined ones last; shape (M, G, bins + 1).
    histogram: Array
    held: list[Held]
    n_values: int = 0

    @classmethod
    def after(cls, first: First, bins: int) -> Second:
        M, G, _ = first.grid.shape
        bounds = _subsets.Bounds(first.grid, first.requested(), first.means(), first.edges(bins))
        return cls(first, bounds, np.zeros((M, G)), np.zeros((M, G, bins + 1), np.int64), [])

    def part(self) -> Second:
        """Return an empty part for a piece of work."""
        squares, histogram = np.zeros_like(self.squares), np.zeros(self.histogram.shape, np.int32)
        return Second(self.first, self.bounds, squares, histogram, [])

    def add(self, runs: Runs) -> None:
        """Add the runs of values of the first pass again."""
        (M, n), groups = runs.values.shape, runs.groups
        found, n_found = np.empty(M * n + 1), np.zeros((M, len(groups)), np.int64)
        _subsets.refine(runs, self.bounds, self.squares, self.histogram, found, n_found)
        G = self.squares.shape[1]
        # numpy uses a radix sort for integers of 16 bits.
        kind = np.int16 if M * G < 1 << 15 else np.int32
        names = ((np.arange(M) * G)[:, None] + groups).astype(kind)
        names = np.repeat(names.reshape(-1), n_found.reshape(-1))
        self.n_values += int(np.diff(runs.starts)[groups >= 0].sum())
        self.held.append((names, found[: len(names)].copy(), np.ones(len(names), np.int64)))

    def merge(self, part: Second) -> None:
        self.squares += part.squares
        self.histogram += part.histogram
        self.held += part.held
        lengths = [len(values) for _, values, _ in self.held]
        # Merging equal values costs a sort, so it waits until their number has doubled.
        if lengths and sum(lengths) > max(HELD, 2 * lengths[0]):
            self.held = [_count_equal(self.held)]

    def quartiles(self) -> FloatArray:
        """Return exact quartiles, interpolated like numpy.quantile's default: shape (M, G, 3)."""
        M, G = self.squares.shape
        names, values, times = _count_equal(self.held)
        out = np.full((M, G, 3), np.nan)
        counts, n, ranks = self.first.counts, self.first.n, self.first.ranks()
        for m, g in np.ndindex(M, G):
            if not n[m, g]:
                continue
            some = slice(*np.searchsorted(names, [m * G + g, m * G + g + 1]))
            here, reached = values[some], np.cumsum(times[some])
            each = counts[m, g, :-1]
            bin_of = np.searchsorted(np.cumsum(each), ranks[m, g], side="right")
            # The number of values below, in bins that were not held.
            let_go = np.cumsum(np.where(self.bounds.keep[m, g, :-1], 0, each))[bin_of]
            low, high = here[np.searchsorted(reached, ranks[m, g] - let_go, side="right")].T
            share = (n[m, g] - 1) * np.array(QUARTILES) - ranks[m, g, :, 0]
            gap = high - low
            out[m, g] = np.where(share < 0.5, low + gap * share, high - gap * (1 - share))
        return out


def _count_equal(held: list[Held]) -> Held:
    """Sort the values of each group, and merge equal ones."""
    names, values, times = (np.concatenate(column) for column in zip(*held, strict=True))
    if not len(names):
        return names, values, times
    if times.max() == 1:  # sorting values alone is many times faster than finding their order
        order = np.argsort(names, kind="stable")
        names, values = names[order], values[order]
        ends = np.flatnonzero(np.append(names[1:] != names[:-1], True)) + 1
        for first, last in itertools.pairwise([0, *ends.tolist()]):
            values[first:last].sort()
    else:
        order = np.lexsort((values, names))
        names, values, times = names[order], values[order], times[order]
    new = np.append(True, (names[1:] != names[:-1]) | (values[1:] != values[:-1]))
    starts = np.flatnonzero(new)
    return names[starts], values[starts], np.add.reduceat(times, starts)

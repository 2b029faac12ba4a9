"""Summaries of many values by group: moments, extremes, exact quartiles and histograms.

Two passes are made over the values, which are not held in memory. The first gives sums, extremes
and the number of values in each bin of a fine grid. The second gives the squares about the mean, a
histogram between the extremes, and the values of those few bins in which the quartiles lie.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement_fast._kernels import _subsets
from agreement_fast._kernels._subsets import Runs as Runs
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.results import place_of
from agreement_fast.tables import DETAILS, Row, Tabular, of_fields
from agreement_fast.terminal import align


@dataclass(frozen=True, slots=True, repr=False)
class SizeSummary(Row):
    """A coefficient over the subsets of one size.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    size : int
        Number of coders in each subset.
    n_subsets, n_possible : int
        Number of subsets that were taken, and of all subsets.
    sampled : bool
        Whether the subsets are a uniform sample without replacement.
    n_undefined : int
        Subsets for which the coefficient is undefined; the numbers below leave them out.
    mean : float
        Mean of the values.
    standard_deviation : float
        Standard deviation of the values; the divisor is the number of (defined) subsets.
    relative_standard_deviation : float
        The standard deviation divided by the absolute value of the mean.
    minimum, lower_quartile, median, upper_quartile, maximum : float
        Extremes and quartiles, interpolated like those of numpy.quantile ("linear").
    counts : int64 array of shape (bins,)
        A histogram between minimum and maximum, like that of numpy.histogram.
    edges : float64 array of shape (bins + 1,)
        Edges of its bins.
    """

    aside = DETAILS | {
        "lower_quartile",
        "n_possible",
        "relative_standard_deviation",
        "sampled",
        "upper_quartile",
    }

    coefficient: str
    distance: str
    size: int
    n_subsets: int
    n_possible: int
    sampled: bool
    n_undefined: int
    mean: float
    standard_deviation: float
    relative_standard_deviation: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    counts: Array = field(compare=False)
    edges: Array = field(compare=False)

    def __repr__(self) -> str:
        of = f" of {self.n_possible:,}" if self.sampled else ""
        undefined = f", {self.n_undefined:,} undefined" if self.n_undefined else ""
        return (
            f"<{self.coefficient}({self.distance}) of {self.size} coders: mean {self.mean:.6g}, "
            f"sd {self.standard_deviation:.6g}, {self.n_subsets:,}{of} subsets{undefined}>"
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SubsetStudy(Tabular):
    """Coefficients over subsets of the coders, by size.

    ``study["alpha", "interval"]`` is a tuple of `SizeSummary`, one for each size.
    ``study["alpha"]`` is that under the nominal distance, or the only one of that name.
    ``print(study)`` shows them all.

    Attributes
    ----------
    coders : tuple
        Names of the coders; coder c is bit c of a mask.
    sizes : tuple of int
        Numbers of coders.
    incomplete : str
        Which items count.
    n_subsets : int
        Number of subsets that were taken, of all sizes.
    summaries : tuple of tuples of SizeSummary
        One tuple for each coefficient and distance, in the requested order.
    masks : uint64 array of shape (n_subsets,) or None
        The mask of each subset, with ``keep=True``.
    values : float64 array of shape (len(summaries), n_subsets) or None
        Every value, with ``keep=True``; NaN if undefined.
    path : str or None
        The file that every value was written to.
    """

    aside = SizeSummary.aside

    coders: tuple[Any, ...]
    sizes: tuple[int, ...]
    incomplete: str
    n_subsets: int
    summaries: tuple[tuple[SizeSummary, ...], ...]
    masks: Array | None = None
    values: Array | None = None
    path: str | None = None

    def __getitem__(self, key: str | tuple[str, Any]) -> tuple[SizeSummary, ...]:
        return self.summaries[place_of(key, [rows[0] for rows in self])]

    def __iter__(self) -> Iterator[tuple[SizeSummary, ...]]:
        return iter(self.summaries)

    def __len__(self) -> int:
        return len(self.summaries)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each coefficient and size, a column for each number of `SizeSummary`."""
        return of_fields(row for rows in self for row in rows)

    def members(self, mask: int) -> tuple[Any, ...]:
        """Return the coders of a subset that is given as a mask."""
        return tuple(coder for c, coder in enumerate(self.coders) if int(mask) >> c & 1)

    def __repr__(self) -> str:
        measures = ", ".join(f"{rows[0].coefficient}({rows[0].distance})" for rows in self)
        return f"<{self.n_subsets:,} subsets of {len(self.coders)} coders: {measures}>"

    def __str__(self) -> str:
        head = (
            "coefficient", "distance", "coders", "subsets", "mean", "sd", "relative", "minimum",
            "lower", "median", "upper", "maximum", "undefined",
        )  # fmt: skip
        lines = [
            (
                row.coefficient,
                row.distance,
                str(row.size),
                f"{row.n_subsets:,}" + (f" of {row.n_possible:,}" if row.sampled else ""),
                f"{row.mean:.4f}",
                f"{row.standard_deviation:.4f}",
                f"{row.relative_standard_deviation:.2%}",
                *(
                    f"{value:.4f}"
                    for value in (
                        row.minimum, row.lower_quartile, row.median, row.upper_quartile, row.maximum
                    )
                ),
                f"{row.n_undefined:,}",
            )
            for rows in self
            for row in rows
        ]  # fmt: skip
        return "\n".join(align(head, lines, "<<" + ">" * 11, indent=""))


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

"""A coefficient on every subset of the coders (Antoine et al. 2014, sections 5.3 and 5.4).

Two passes are made over the values, which are not held in memory. The first gives sums, extremes
and the number of values in each bin of a fine grid. The second gives the squares about the mean, a
histogram between the extremes, and the values of those few bins in which the quartiles lie.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

import numpy as np

from agreement_fast._kernels import _subsets, parallel
from agreement_fast._kernels._subsets import Runs as Runs
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.distances import ranked_among
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.measures.measure import Ratings
from agreement_fast.options import Incomplete, Seed, bar, check_count, check_sizes, generator
from agreement_fast.patterns import dense, group_rows
from agreement_fast.points import Point, chosen
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Full, Plain, Rows, Section
from agreement_fast.present.tables import DETAILS, Row, of_each, of_fields
from agreement_fast.present.terminal import counted
from agreement_fast.reading.row_order import in_order
from agreement_fast.results import place_of
from agreement_fast.subsets.each_subset import (
    MOST_CATEGORIES,
    MOST_CODERS,
    Complete,
    Halves,
    WithGaps,
    mask_bits,
    masks_between,
    masks_of,
    sampled,
)

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


#: What is studied alone, since it is no coefficient of agreement.
CRONBACH = "cronbach_alpha"


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

    _caption = (
        "{coefficient}({distance}) of {size:coder}: mean {mean}, sd {standard_deviation}, "
        "{n_subsets}[ of {n_possible}{sampled?}] subsets[, {n_undefined} undefined]"
    )

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


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SubsetStudy(Sectioned):
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

    _caption = "{n_subsets} subsets of {coders:coder}: {_measures:list}"

    def sections(self) -> list[Section]:
        """Return what was studied, and a table of sizes for each coefficient."""
        text = f"{counted(len(self.coders), 'coder')}; {counted(self.n_subsets, 'subset')}."
        if any(row.sampled for rows in self for row in rows):
            text += " A star marks sizes for which a random sample of the subsets was used."
        meaning = (
            "Each coefficient was computed as if only the coders of a subset had taken part. The"
            " relative standard deviation (relative) is the standard deviation over the subsets of"
            " a size, divided by their mean. With all coders it is 0, because there is only one"
            " such set; the much smaller sizes show how far other coders like these would differ."
        )
        # The answer is that of the coefficient that reports quote.
        names = [rows[0].coefficient for rows in self]
        quoted = max(range(len(names)), key=lambda i: (names[i] == "alpha", i), default=None)
        tables = [
            section if i == quoted else section.hidden()
            for i, section in enumerate(map(_by_size, self))
        ]
        return [Section("Subsets of the coders", [text, Full(meaning)]), *tables]

    @property
    def _measures(self) -> list[str]:
        return [f"{rows[0].coefficient}({rows[0].distance})" for rows in self]

    aside = SizeSummary.aside

    coders: tuple[Any, ...]
    sizes: tuple[int, ...]
    incomplete: Incomplete
    n_subsets: int
    summaries: tuple[tuple[SizeSummary, ...], ...]
    masks: Array | None = None
    values: Array | None = None
    path: str | None = None

    def __getitem__(self, key: str | tuple[str, Any]) -> tuple[SizeSummary, ...]:
        first = [rows[0] for rows in self]
        if key == CRONBACH == first[0].coefficient:
            return self.summaries[0]
        return self.summaries[place_of(key, first)]

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


#: What a table shows of a size, beside the number of subsets.
NAMES = (
    "size mean standard_deviation relative_standard_deviation minimum lower_quartile median"
    " upper_quartile maximum"
)


def _by_size(rows: Sequence[SizeSummary]) -> Section:
    """Give the sizes of a coefficient in a table, and say what varies little."""
    stars = [f"{row.n_subsets:,}{'*' if row.sampled else ''}" for row in rows]
    layout = (
        "coders = size:d | subsets | mean | sd = standard_deviation |"
        " relative = relative_standard_deviation:.2% | minimum | lower = lower_quartile | median |"
        " upper = upper_quartile | maximum"
    )
    columns = {"subsets": stars, **of_each(rows, NAMES)}
    blocks: list[Plain] = [Rows.laid(columns, layout, sides=">" * 10, what="size", brief=8)]
    undefined = [(row.size, row.n_undefined) for row in rows if row.n_undefined]
    if undefined:
        sizes = ", ".join(f"{n:,} of {size} coders" for size, n in undefined[:6])
        others = f" and of {len(undefined) - 6} more sizes" if len(undefined) > 6 else ""
        blocks.append(f"Undefined, and left out: {sizes}{others}.")
    return Section(f"{rows[0].coefficient} ({rows[0].distance})", [*blocks, *_steady(rows)])


def _steady(rows: Sequence[SizeSummary]) -> list[str]:
    """Say from which number of coders on the value varies little."""
    # There is only one subset of all coders, which has no spread.
    known = [(row.size, row.relative_standard_deviation) for row in rows if row.n_possible > 1]
    says = []
    for limit in (0.10, 0.05):
        wide = [size for size, spread in known if not spread < limit]
        fine = [size for size, _ in known if size > max(wide, default=0)]
        says += [f"below {limit:.0%} from {min(fine)} coders on"] if fine else []
    return [f"The relative standard deviation is {', '.join(says)}."] if says else []


#: Number of bins of the fine grid.
FINE = 2048

#: The most values of the quartiles' bins that are held before equal ones are merged.
MOST_IN_BINS = 1 << 21

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
        result, n_distinct = np.empty(M * n + 1), np.zeros((M, len(groups)), np.int64)
        _subsets.refine(runs, self.bounds, self.squares, self.histogram, result, n_distinct)
        G = self.squares.shape[1]
        # numpy uses a radix sort for integers of 16 bits.
        kind = np.int16 if M * G < 1 << 15 else np.int32
        names = ((np.arange(M) * G)[:, None] + groups).astype(kind)
        names = np.repeat(names.reshape(-1), n_distinct.reshape(-1))
        self.n_values += int(np.diff(runs.starts)[groups >= 0].sum())
        self.held.append((names, result[: len(names)].copy(), np.ones(len(names), np.int64)))

    def merge(self, part: Second) -> None:
        self.squares += part.squares
        self.histogram += part.histogram
        self.held += part.held
        lengths = [len(values) for _, values, _ in self.held]
        # Merging equal values costs a sort, so it waits until their number has doubled.
        if lengths and sum(lengths) > max(MOST_IN_BINS, 2 * lengths[0]):
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
            picked, reached = values[some], np.cumsum(times[some])
            each = counts[m, g, :-1]
            bin_of = np.searchsorted(np.cumsum(each), ranks[m, g], side="right")
            # The number of values below, in bins that were not held.
            let_go = np.cumsum(np.where(self.bounds.keep[m, g, :-1], 0, each))[bin_of]
            low, high = picked[np.searchsorted(reached, ranks[m, g] - let_go, side="right")].T
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


class Writer:
    """A Parquet file with a row for each subset, which appears only when it is complete.

    Its columns are ``subset`` (uint64; bit c is coder c), ``size`` (uint8), and a float64 column
    for each measure. The coders' names are in the file's metadata, as JSON under ``coders``.
    """

    def __init__(self, path: str | os.PathLike[str], names: Sequence[str], coders: Any) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                'to= writes Parquet with pyarrow: pip install "agreement-fast[parquet]"'
            ) from None
        self._path = Path(path)
        if not self._path.parent.is_dir():
            raise FileNotFoundError(f"to={str(path)!r}: there is no folder {self._path.parent}")
        if self._path.is_dir():
            raise IsADirectoryError(f"to={str(path)!r} is a folder: name a file in it")
        self._unfinished = self._path.with_name(f".{self._path.name}.{os.getpid()}.unfinished")
        self._pa = pa
        columns = [("subset", pa.uint64()), ("size", pa.uint8())]
        columns += [(name, pa.float64()) for name in names]
        named = {"coders": json.dumps([str(coder) for coder in coders], ensure_ascii=False)}
        self._schema = pa.schema(columns, metadata=named)
        try:
            self._file = pq.ParquetWriter(self._unfinished, self._schema)
        except BaseException:
            self._unfinished.unlink(missing_ok=True)
            raise

    def add(self, masks: Array, sizes: Array, values: Array) -> None:
        """Write rows; the values have the shape (M, n)."""
        arrays = [self._pa.array(column) for column in (masks, sizes, *values)]
        self._file.write_batch(self._pa.record_batch(arrays, schema=self._schema))

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._file.close()
            if kind is None:
                self._unfinished.replace(self._path)
        finally:
            self._unfinished.unlink(missing_ok=True)


class Singly:
    """Values of coefficients, with each subset selected and computed by itself."""

    block = 128

    def __init__(
        self, annotations: Annotations, points: list[Point], incomplete: Incomplete
    ) -> None:
        self._annotations = annotations
        self._points = [
            replace(point, distance=ranked_among(point.distance, annotations.labels))
            for point in points
        ]
        self._incomplete = incomplete

    def values(self, masks: Array, size: int) -> FloatArray:
        """Compute the coefficients of subsets of one size, float64 of shape (M, B)."""
        coders = self._annotations.known_coders("a study of subsets of coders")
        out = np.empty((len(self._points), len(masks)))
        for b, mask in enumerate(masks.tolist()):
            chosen = [coder for c, coder in enumerate(coders) if mask >> c & 1]
            data = self._annotations.select(coders=chosen)
            for m, point in enumerate(self._points):
                out[m, b] = result_of(data, point, self._incomplete).value
        return out


#: The most subsets of a study without `max_subsets`: hours.
MOST_SUBSETS = 1 << 34

#: The most values that are kept from the first pass for the second: 64 MB.
HELD = 1 << 23

#: Subsets of each size that determine the grid for quartiles.
PILOT = 256

#: The most subsets of other sizes that are computed for one of a requested size. Listing the
#: requested sizes alone takes about this many times longer for each subset.
WASTE = 50

#: Subsets in a piece of work, if each costs a few nanoseconds.
PIECE = 1 << 19


class Cronbach:
    """Values of Cronbach's α, from the covariances of the coders over the items that all judged."""

    block = 1 << 14

    def __init__(self, annotations: Annotations) -> None:
        values, weights = Ratings(annotations, "Cronbach's alpha").complete()
        n = int(weights.sum())
        if n < 2:
            raise InputError(
                f"Cronbach's alpha needs two or more items that every coder judged, got {n}",
                "pass data.select(coders=[...]) with coders who share items",
                argument="data",
            )
        moved = values - weights @ values / n
        self._covariance = (moved * weights[:, None]).T @ moved / n

    def values(self, masks: Array, size: int) -> FloatArray:
        """Compute α of subsets of one size, NaN if their sums do not vary: float64 of (1, B)."""
        inside = mask_bits(masks, len(self._covariance))
        total = np.einsum("bi,bi->b", inside @ self._covariance, inside)
        own = inside @ np.diag(self._covariance)
        varies = total > 1e-12 * own
        ratio = np.divide(own, total, out=np.full(len(own), np.nan), where=varies)
        return np.asarray(size / (size - 1) * (1 - ratio))[None]


#: Computes the coefficients of subsets: `values` those of masks of one size, float64 of shape
#: (measures, masks), and `block` of them in well under a second.
Engine: TypeAlias = Complete | WithGaps | Singly | Cronbach


@dataclass(frozen=True, eq=False, slots=True)
class Some:
    """Values of runs of subsets, each run of one size."""

    #: Float64 array of shape (M, n).
    values: FloatArray
    #: Int64 array of shape (R + 1,).
    starts: Array
    #: The place of each run's size among the requested sizes; -1 for other sizes: int32 array of
    #: shape (R,).
    groups: Array
    #: Uint64 array of shape (n,) or None.
    masks: Array | None

    def taken(self) -> Some:
        """Copy the runs of requested sizes."""
        lengths, inside = np.diff(self.starts), self.groups >= 0
        picked = np.flatnonzero(np.repeat(inside, lengths))
        return Some(
            np.ascontiguousarray(self.values[:, picked]),
            np.append(0, np.cumsum(lengths[inside])),
            self.groups[inside],
            None if self.masks is None else self.masks[picked],
        )

    def sizes(self, sizes: Sequence[int]) -> Array:
        """Return the size of each subset, uint8."""
        return np.repeat(np.array(sizes, np.uint8)[self.groups], np.diff(self.starts))


#: A piece of work: a call returns the values of its subsets, and with True also their masks.
Piece = Callable[[bool], Iterator[Some]]

#: Called with the number of values of each measure that were computed since the last call.
Advance = Callable[[int], Any]


def coder_subsets(
    data: JudgmentsLike,
    coefficient: str | Iterable[str] | None = None,
    *,
    distance: DistanceLike | Sequence[DistanceLike] = "nominal",
    size: int | Iterable[int] | None = None,
    max_subsets: int | None = None,
    n_bins: int = 50,
    incomplete: Incomplete = "published",
    keep: bool = False,
    to: str | os.PathLike[str] | None = None,
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> SubsetStudy:
    """Compute coefficients on every subset of the coders, and summarize them by size.

    The study shows how different a value would have been with other coders, or with fewer.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders, of 2 to 63 coders.
    coefficient : str or str or sequence of str, optional
        Names of coefficients; by default the usual ones of `agreement_table`. "cronbach_alpha",
        alone, is Cronbach's α over the items that all coders judged; their labels are numbers.
    distance : str, Distance, array, mapping or function, or several, default "nominal"
        Each coefficient is computed under each distance that it takes.
    size : int or iterable of int, optional
        Numbers of coders; by default 2 to all.
    max_subsets : int, optional
        The most subsets of a size. If a size has more, a uniform sample without repetition is
        taken. By default every subset is taken.
    n_bins : int, default 50
        Number of bins of each histogram.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items of a subset count if judgments are missing, as if no other coders existed: those
        that the coefficient's authors count, those with two judgments or more, or those that every
        coder of the subset judged.
    keep : bool, default False
        Whether the result also holds every mask and value (8 bytes each).
    to : path, optional
        A Parquet file for every mask and value, with a row for each subset (needs pyarrow). It
        appears only when it is complete.
    rng : int or numpy Generator, optional
        Seed or generator for samples. A seed gives the same result with any number of threads.
    threads : int, optional
        Largest number of threads; by default the number that the process may use.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    SubsetStudy
        A summary for each coefficient and size.

    Raises
    ------
    ValueError
        If there are fewer than 2 coders or more than 63, a size is out of range, or there are more
        subsets than a day is enough for and `max_subsets` is not given.

    Notes
    -----
    Each value is that of ``data.select(coders=subset)``. Categories that are not declared and do
    not occur in a subset do not count there, and items with fewer than two judgments left drop out.
    A matrix of distances covers the categories of all coders, and the ranks of rank_linear and
    rank_quadratic are ranks among all of them.

    Without missing judgments a subset costs O(1), a few nanoseconds. With missing judgments, or the
    ordinal distance, it costs O(items · k²), about two microseconds for 230 items and 5 categories.
    With more than 127 categories it costs a call of `agreement`. Memory does not grow with the
    number of subsets; more than 8 million values are computed twice rather than held.

    References
    ----------
    Antoine, Villaneau & Lefeuvre 2014, sections 5.3 and 5.4.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.subsets import coder_subsets
    >>> table = [[1, 1, 1, 2], [2, 2, 2, 2], [3, 3, 1, 3], [1, 2, 1, 1], [2, 2, 3, 2]]
    >>> study = coder_subsets(table, ["alpha"], size=[2, 3])
    >>> study["alpha"][1]
    <alpha(nominal) of 3 coders: mean 0.408209, sd 0.133546, 4 subsets>
    >>> [round(row.relative_standard_deviation, 3) for row in study["alpha"]]
    [0.544, 0.327]
    """
    annotations = as_annotations(data, **reading)
    coders = tuple(annotations.known_coders("a study of subsets of coders"))
    least_judgments(annotations, incomplete)
    names = (coefficient,) if isinstance(coefficient, str) else coefficient
    names = None if names is None else tuple(names)
    of_cronbach = names is not None and CRONBACH in names
    if of_cronbach and (names != (CRONBACH,) or incomplete == "pairable"):
        raise InputError(
            "cronbach_alpha is of the items that all coders judged, unlike coefficients",
            "compute it alone, without other options of incomplete",
            argument="coefficient",
        )
    points = [] if of_cronbach else chosen(names, distance, coders_known=True)
    labels = [(point.name, point.distance.name) for point in points]
    if of_cronbach:
        labels = [(CRONBACH, "interval")]
    if not 2 <= len(coders) <= MOST_CODERS:
        raise InputError(
            f"a study of subsets needs 2 to {MOST_CODERS} coders, got {len(coders)}",
            None if len(coders) < 2 else Phrase("coders", "pass data.select(coders=...)"),
        )
    sizes_taken = check_sizes(size, 2, len(coders))
    check_count("n_bins", n_bins)
    # The numbers of the sampled subsets of each size, None if all are taken
    n_coders = len(coders)
    most = MOST_SUBSETS if max_subsets is None else check_count("max_subsets", max_subsets)
    n_possible = [comb(n_coders, size) for size in sizes_taken]
    n_taken = sum(min(n, most) for n in n_possible)
    if max_subsets is not None and n_taken > MOST_SUBSETS:
        raise InputError(
            (
                Argument("max_subsets", max_subsets),
                f" gives {n_taken:,} subsets of all sizes, at most {MOST_SUBSETS:,} are possible",
            ),
            ("lower it, or pass fewer ", Argument("size")),
        )
    if max_subsets is None and sum(n_possible) > most:
        raise InputError(
            f"{n_coders} coders have {sum(n_possible):,} subsets of these sizes",
            (
                "pass ",
                Argument("max_subsets", 10_000),
                " for a sample of each size, or fewer ",
                Argument("size"),
            ),
            argument="max_subsets",
        )
    random = generator(rng)
    samples = [
        None if n <= most else sampled(size, n_coders, most, random)
        for size, n in zip(sizes_taken, n_possible, strict=True)
    ]
    n_threads = parallel.available() if threads is None else check_count("threads", threads)

    engine = Cronbach(annotations) if of_cronbach else _engine(annotations, points, incomplete)
    plan = _Plan(engine, len(coders), sizes_taken, samples)
    with ExitStack() as stack:
        advance = stack.enter_context(bar(progress, 2 * plan.n_subsets))
        writer = None
        if to is not None:
            # Name a column for each label; functions with the same name are numbered
            written: list[str] = []
            for label in labels:
                name = "_".join(label)
                written.append(name if name not in written else f"{name}_{len(written) + 1}")
            writer = stack.enter_context(Writer(to, written, coders))
        first, second, kept = plan.two_passes(n_bins, n_threads, keep, writer, advance)
    return SubsetStudy(
        coders=coders,
        sizes=sizes_taken,
        incomplete=incomplete,
        n_subsets=plan.n_subsets,
        summaries=_summaries(labels, plan, first, second),
        masks=np.concatenate([some.masks for some in kept]) if keep else None,
        values=np.concatenate([some.values for some in kept], axis=1) if keep else None,
        path=None if to is None else os.fspath(to),
    )


# ---------------------------------------------------------------------- the work


def _engine(annotations: Annotations, points: list[Point], incomplete: Incomplete) -> Engine:
    """Choose what computes the values."""
    n_coders = len(annotations.known_coders("a study of subsets of coders"))
    grouped = in_order(group_rows(annotations.grouped()), n_coders, len(annotations.labels))
    table = dense(grouped, n_coders)
    if Complete.suits(annotations, table, grouped.weights, points):
        return Complete(annotations, table, grouped.weights, points)
    if 0 < len(annotations.labels) <= MOST_CATEGORIES:
        return WithGaps(annotations, table, grouped.weights, points, incomplete)
    return Singly(annotations, points, incomplete)


@dataclass(eq=False)
class _Plan:
    """The subsets that are taken, in pieces of work."""

    engine: Engine
    n_coders: int
    sizes: Sequence[int]
    #: The numbers of the subsets of each size; None if all are taken.
    samples: Sequence[Array | None]

    def __post_init__(self) -> None:
        engine, n_coders, sizes, samples = self.engine, self.n_coders, self.sizes, self.samples
        self.n_taken = [
            comb(n_coders, size) if sample is None else len(sample)
            for size, sample in zip(sizes, samples, strict=True)
        ]
        self.n_subsets = sum(self.n_taken)
        self.pieces: list[Piece] = []
        all_of = [size for size, sample in zip(sizes, samples, strict=True) if sample is None]
        n_all = sum(comb(n_coders, size) for size in all_of)
        if isinstance(engine, Complete) and 2**n_coders <= WASTE * n_all:
            self.pieces += self._halves(engine, all_of)
            all_of = []
        for group, (size, sample) in enumerate(zip(sizes, samples, strict=True)):
            if sample is not None or size in all_of:
                n, step = self.n_taken[group], engine.block
                self.pieces += [
                    partial(self._block, group, first, min(first + step, n))
                    for first in range(0, n, step)
                ]

    def _halves(self, engine: Complete, sizes: Sequence[int]) -> list[Piece]:
        halves = Halves.of(self.n_coders)
        split = engine.split(halves)
        group_of = np.full(self.n_coders + 1, -1, np.int32)
        group_of[list(sizes)] = [self.sizes.index(size) for size in sizes]

        def work(first: int, last: int, with_masks: bool) -> Iterator[Some]:
            for begin, end, values in engine.walk(split, first, last):
                starts, each = halves.layout(begin, end)
                masks = halves.masks(begin, end) if with_masks else None
                yield Some(values, starts, group_of[each], masks)

        step = max(1, PIECE >> halves.low)
        firsts = range(0, halves.n_high, step)
        return [partial(work, i, min(i + step, halves.n_high)) for i in firsts]

    def _block(self, group: int, first: int, last: int, with_masks: bool) -> Iterator[Some]:
        size, sample = self.sizes[group], self.samples[group]
        if sample is None:
            masks = masks_between(first, last, size, self.n_coders)
        else:
            masks = masks_of(sample[first:last], size, self.n_coders)
        values = self.engine.values(masks, size)
        starts, groups = np.array([0, len(masks)]), np.array([group], np.int32)
        yield Some(values, starts, groups, masks if with_masks else None)

    def pilot(self) -> FloatArray:
        """Estimate the middle range of the values of each size: shape (2, measures, sizes).

        Its ends are the first and last decile of a few subsets. The quartiles of all subsets almost
        certainly lie between them.
        """
        ends = []
        rng = np.random.default_rng(0)
        for size, numbers in zip(self.sizes, self.samples, strict=True):
            if numbers is None:
                n = comb(self.n_coders, size)
                numbers = np.arange(n) if n <= PILOT else sampled(size, self.n_coders, PILOT, rng)
            masks = masks_of(numbers[:: -(-len(numbers) // PILOT)], size, self.n_coders)
            values = np.sort(self.engine.values(masks, size), axis=1)
            defined = np.count_nonzero(values == values, axis=1)  # NaN stand last
            places = np.array([defined // 10, np.maximum(defined - 1 - defined // 10, 0)])
            ends.append(np.take_along_axis(values, places.T, axis=1).T)
        return np.stack(ends, -1)

    def two_passes(
        self, bins: int, threads: int, keep: bool, writer: Writer | None, advance: Advance
    ) -> tuple[First, Second, list[Some]]:
        """Make both passes over all values, and keep the values if requested."""
        laid = grid(*self.pilot())
        hold = keep or self.n_subsets * len(laid) <= HELD
        first, kept = First.empty(laid, np.int64), []

        def describe(piece: Piece) -> tuple[First, list[Some]]:
            part, seen = First.empty(laid), []
            for some in piece(keep or writer is not None):
                part.add(Runs(some.values, some.starts, some.groups))
                if hold or writer is not None:
                    seen.append(some.taken())
            return part, seen

        with closing(parallel.in_order(describe, self.pieces, threads)) as parts:
            for part, seen in parts:
                first.merge(part)
                advance(part.n_values)
                if writer is not None:
                    for some in seen:
                        assert some.masks is not None
                        writer.add(some.masks, some.sizes(self.sizes), some.values)
                if hold:
                    kept += seen
        second = Second.after(first, bins)

        def refine(piece: Iterable[Some]) -> Second:
            part = second.part()
            for some in piece:
                part.add(Runs(some.values, some.starts, some.groups))
            return part

        again = ([some] for some in kept) if hold else (piece(False) for piece in self.pieces)
        with closing(parallel.in_order(refine, again, threads)) as more:
            for share in more:
                second.merge(share)
                advance(share.n_values)
        return first, second, kept


def _summaries(
    labels: list[tuple[str, str]], plan: _Plan, first: First, second: Second
) -> tuple[tuple[SizeSummary, ...], ...]:
    n, means, quartiles = first.n, first.means(), second.quartiles()
    with np.errstate(invalid="ignore", divide="ignore"):
        deviations = np.sqrt(second.squares / n)
        relative = deviations / np.abs(means)
    low, high = (np.where(n > 0, first.moments[..., i], np.nan) for i in (1, 2))
    return tuple(
        tuple(
            SizeSummary(
                coefficient=coefficient,
                distance=distance,
                size=size,
                n_subsets=plan.n_taken[g],
                n_possible=comb(plan.n_coders, size),
                sampled=plan.samples[g] is not None,
                n_undefined=int(first.counts[m, g, -1]),
                mean=float(means[m, g]),
                standard_deviation=float(deviations[m, g]),
                relative_standard_deviation=float(relative[m, g]),
                minimum=float(low[m, g]),
                lower_quartile=float(quartiles[m, g, 0]),
                median=float(quartiles[m, g, 1]),
                upper_quartile=float(quartiles[m, g, 2]),
                maximum=float(high[m, g]),
                counts=second.histogram[m, g, :-1],
                edges=second.bounds.edges[m, g],
            )
            for g, size in enumerate(plan.sizes)
        )
        for m, (coefficient, distance) in enumerate(labels)
    )

"""A coefficient on every subset of the coders (Antoine et al. 2014, sections 5.3 and 5.4)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from math import comb
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from agreement_fast import _threads
from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.coefficients import agreement
from agreement_fast.distances import ranked_among
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.options import bar, check_count, check_sizes, generator
from agreement_fast.patterns import dense, group_rows
from agreement_fast.points import Point, chosen
from agreement_fast.row_order import in_order
from agreement_fast.subsets.complete import (
    MOST_CODERS,
    Block,
    Complete,
    Halves,
    blocks_of,
    masks_of,
    sampled,
)
from agreement_fast.subsets.incomplete import MOST_CATEGORIES, Incomplete
from agreement_fast.subsets.summary import First, Runs, Second, SizeSummary, SubsetStudy, grid
from agreement_fast.sums.categories import judgments_needed

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._file.close()
            if kind is None:
                self._unfinished.replace(self._path)
        finally:
            self._unfinished.unlink(missing_ok=True)


class Singly:
    """Values of coefficients, with each subset selected and computed by itself."""

    block = 128

    def __init__(self, annotations: Annotations, points: list[Point], incomplete: str) -> None:
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
                out[m, b] = agreement(
                    data,
                    chance=point.chance.name,
                    item_weight=point.item_weight,
                    distance=point.distance,
                    incomplete=self._incomplete,
                ).value
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


class Engine(Protocol):
    """Computes the coefficients of subsets."""

    #: Subsets that it computes in well under a second.
    block: int

    def values(self, masks: Array, size: int) -> FloatArray:
        """Compute the values for masks of one size, float64 of shape (measures, masks)."""


@dataclass(frozen=True, eq=False, slots=True)
class Some:
    """Values of runs of subsets, each run of one size.

    Attributes
    ----------
    values : float64 array of shape (M, n)
    starts : int64 array of shape (R + 1,)
    groups : int32 array of shape (R,)
        The place of each run's size among the requested sizes; -1 for other sizes.
    masks : uint64 array of shape (n,) or None
    """

    values: FloatArray
    starts: Array
    groups: Array
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


def coder_subsets(
    data: Any,
    coefficients: Iterable[str] | None = None,
    *,
    distances: Iterable[Any] = ("nominal",),
    sizes: Iterable[int] | None = None,
    max_subsets: int | None = None,
    bins: int = 50,
    incomplete: str = "published",
    keep: bool = False,
    to: str | os.PathLike[str] | None = None,
    rng: int | np.random.Generator | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> SubsetStudy:
    """Compute coefficients on every subset of the coders, and summarize them by size.

    The study shows how different a value would have been with other coders, or with fewer.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders, of 2 to 63 coders.
    coefficients : iterable of str, optional
        Names of coefficients; by default the usual ones of `agreement_table`.
    distances : iterable of str, Distance, array, mapping or function, default ("nominal",)
        Each coefficient is computed under each distance that it takes.
    sizes : iterable of int, optional
        Numbers of coders; by default 2 to all.
    max_subsets : int, optional
        The most subsets of a size. If a size has more, a uniform sample without repetition is
        taken. By default every subset is taken.
    bins : int, default 50
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
    >>> study = coder_subsets(table, ["alpha"], sizes=[2, 3])
    >>> study["alpha"][1]
    <alpha(nominal) of 3 coders: mean 0.408209, sd 0.133546, 4 subsets>
    >>> [round(row.relative_standard_deviation, 3) for row in study["alpha"]]
    [0.544, 0.327]
    """
    annotations = as_annotations(data)
    coders = tuple(annotations.known_coders("a study of subsets of coders"))
    judgments_needed(annotations, incomplete)
    points = chosen(coefficients, distances, coders_known=True)
    if not 2 <= len(coders) <= MOST_CODERS:
        raise InputError(
            f"a study of subsets needs 2 to {MOST_CODERS} coders, got {len(coders)}",
            None if len(coders) < 2 else Phrase("coders", "pass data.select(coders=...)"),
        )
    sizes_taken = check_sizes(sizes, 2, len(coders))
    check_count("bins", bins)
    samples = _samples(sizes_taken, len(coders), max_subsets, rng)
    n_threads = _threads.available() if threads is None else check_count("threads", threads)

    plan = _Plan(_engine(annotations, points, incomplete), len(coders), sizes_taken, samples)
    with ExitStack() as stack:
        advance = stack.enter_context(bar(progress, 2 * plan.n_subsets))
        writer = None
        if to is not None:
            # Name a column for each point; functions with the same name are numbered
            names: list[str] = []
            for point in points:
                name = f"{point.name}_{point.distance.name}"
                names.append(name if name not in names else f"{name}_{len(names) + 1}")
            writer = stack.enter_context(Writer(to, names, coders))
        first, second, kept = _two_passes(plan, len(points), bins, n_threads, keep, writer, advance)
    return SubsetStudy(
        coders=coders,
        sizes=sizes_taken,
        incomplete=incomplete,
        n_subsets=plan.n_subsets,
        summaries=_summaries(points, plan, first, second),
        masks=np.concatenate([some.masks for some in kept]) if keep else None,
        values=np.concatenate([some.values for some in kept], axis=1) if keep else None,
        path=None if to is None else os.fspath(to),
    )


# ---------------------------------------------------------------------- arguments


def _samples(
    sizes: Sequence[int],
    n_coders: int,
    max_subsets: int | None,
    rng: int | np.random.Generator | None,
) -> list[Array | None]:
    """Return the numbers of the sampled subsets of each size, None if all are taken."""
    most = MOST_SUBSETS if max_subsets is None else check_count("max_subsets", max_subsets)
    n_possible = [comb(n_coders, size) for size in sizes]
    n_taken = sum(min(n, most) for n in n_possible)
    if max_subsets is not None and n_taken > MOST_SUBSETS:
        raise InputError(
            (
                Argument("max_subsets", max_subsets),
                f" gives {n_taken:,} subsets of all sizes, at most {MOST_SUBSETS:,} are possible",
            ),
            ("lower it, or pass fewer ", Argument("sizes")),
        )
    if max_subsets is None and sum(n_possible) > most:
        raise InputError(
            f"{n_coders} coders have {sum(n_possible):,} subsets of these sizes",
            (
                "pass ",
                Argument("max_subsets", 10_000),
                " for a sample of each size, or fewer ",
                Argument("sizes"),
            ),
            argument="max_subsets",
        )
    random = generator(rng)
    return [
        None if n <= most else sampled(size, n_coders, most, random)
        for size, n in zip(sizes, n_possible, strict=True)
    ]


# ---------------------------------------------------------------------- the work


def _engine(annotations: Annotations, points: list[Point], incomplete: str) -> Engine:
    """Choose what computes the values."""
    n_coders = len(annotations.known_coders("a study of subsets of coders"))
    rows = group_rows(annotations.grouped())
    grouped = in_order(rows, n_coders, len(annotations.labels))
    table = dense(grouped, n_coders)
    if Complete.suits(annotations, table, grouped.weights, points):
        return Complete(annotations, table, grouped.weights, points)
    if 0 < len(annotations.labels) <= MOST_CATEGORIES:
        return Incomplete(annotations, table, grouped.weights, points, incomplete)
    return Singly(annotations, points, incomplete)


class _Plan:
    """The subsets that are taken, in pieces of work."""

    def __init__(
        self,
        engine: Engine,
        n_coders: int,
        sizes: Sequence[int],
        samples: Sequence[Array | None],
    ) -> None:
        self._engine = engine
        self.n_coders = n_coders
        self.sizes = sizes
        self.samples = samples
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
                self.pieces += [
                    partial(self._block, block, group)
                    for block in blocks_of(size, n_coders, sample, engine.block)
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

    def _block(self, block: Block, group: int, with_masks: bool) -> Iterator[Some]:
        masks = block.masks()
        values = self._engine.values(masks, block.size)
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
            values = np.sort(self._engine.values(masks, size), axis=1)
            defined = np.count_nonzero(values == values, axis=1)  # NaN stand last
            places = np.array([defined // 10, np.maximum(defined - 1 - defined // 10, 0)])
            ends.append(np.take_along_axis(values, places.T, axis=1).T)
        return np.stack(ends, -1)


def _two_passes(
    plan: _Plan,
    n_measures: int,
    bins: int,
    threads: int,
    keep: bool,
    writer: Writer | None,
    advance: Callable[[int], Any],
) -> tuple[First, Second, list[Some]]:
    """Make both passes over all values, and keep the values if requested."""
    laid = grid(*plan.pilot())
    hold = keep or plan.n_subsets * n_measures <= HELD
    first, kept = First.empty(laid, np.int64), []

    def describe(piece: Piece) -> tuple[First, list[Some]]:
        part, seen = First.empty(laid), []
        for some in piece(keep or writer is not None):
            part.add(Runs(some.values, some.starts, some.groups))
            if hold or writer is not None:
                seen.append(some.taken())
        return part, seen

    with closing(_threads.in_order(describe, plan.pieces, threads)) as parts:
        for part, seen in parts:
            first.merge(part)
            advance(part.n_values)
            if writer is not None:
                for some in seen:
                    assert some.masks is not None
                    writer.add(some.masks, some.sizes(plan.sizes), some.values)
            if hold:
                kept += seen
    second = Second.after(first, bins)

    def refine(piece: Iterable[Some]) -> Second:
        part = second.part()
        for some in piece:
            part.add(Runs(some.values, some.starts, some.groups))
        return part

    again = ([some] for some in kept) if hold else (piece(False) for piece in plan.pieces)
    with closing(_threads.in_order(refine, again, threads)) as more:
        for share in more:
            second.merge(share)
            advance(share.n_values)
    return first, second, kept


def _summaries(
    points: list[Point], plan: _Plan, first: First, second: Second
) -> tuple[tuple[SizeSummary, ...], ...]:
    n, means, quartiles = first.n, first.means(), second.quartiles()
    with np.errstate(invalid="ignore", divide="ignore"):
        deviations = np.sqrt(second.squares / n)
        relative = deviations / np.abs(means)
    low, high = (np.where(n > 0, first.moments[..., i], np.nan) for i in (1, 2))
    return tuple(
        tuple(
            SizeSummary(
                coefficient=point.name,
                distance=point.distance.name,
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
        for m, point in enumerate(points)
    )

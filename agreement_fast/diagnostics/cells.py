"""Contingency tables of two coders, 1 − D_o / D_e of each, and its interval.

A table of two coders, or of a coder and a reference, is a list of cells (group, category of the
first, category of the second, count). Only cells that occur are stored, so the memory for 10,000
coders who share few items is proportional to their shared items.

The coefficient is a function of the numbers of items in the cells, and the items are the sample. So
a cell is a row with a weight, a table is a group of such rows, and the interval is that of any
coefficient. The cost does not depend on the number of items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from agreement_fast._kernels import _patterns, _values
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import Form, Matrix, Nominal, Squared
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.distances.sums.columns import Groups, Items
from agreement_fast.distances.sums.linear import Linear
from agreement_fast.errors import InputError
from agreement_fast.inference.closed_form import of_tables, standard_errors
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.results import ALIKE, NO_SLOPE, ONE_ITEM, are_few, judgments
from agreement_fast.inference.score import Mean, influence_of
from agreement_fast.patterns import (
    Rows,
    as_lists,
    by_size,
    pair_tables,
    row_sizes,
    runs_of_pairs,
)
from agreement_fast.points import Point

#: The most numbers that are held at a time.
ROOM = 1 << 21

#: The most cells of all tables of pairs that are counted in arrays even if a list of the pairs of
#: judgments is shorter.
TABLES = 1 << 22

#: Pairs of coders are counted column by column if cells of all items and pairs are at most this
#: many times the pairs of judgments.
DENSE = 8


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Contingency tables of two, one after the other."""

    #: The indices at which the cells of each table begin: int64 array of shape (G + 1,).
    start: Array
    #: The categories of a cell: int arrays of shape (n,).
    first: Array
    second: Array
    #: The number of items, including weights: int64 array of shape (n,).
    counts: Array

    def __len__(self) -> int:
        """Return the number of tables."""
        return len(self.start) - 1

    @property
    def table(self) -> Array:
        """The table of each cell: int64 (n,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @property
    def n_items(self) -> Array:
        """The number of items of each table: int64 (G,)."""
        return self.sums(self.counts)

    def sums(self, values: Array) -> Array:
        """Sum one number per cell over each table: (G,)."""
        return _sums(values, self.start)

    def n_others(self, K: int) -> Array:
        """Count the judgments outside the most frequent category of each table: int64 (G,)."""
        out = np.empty(len(self), np.int64)
        _patterns.count_others(self.start, self.first, self.second, self.counts, K, out)
        return out


def _sums(values: Array, start: Array) -> Array:
    """Sum runs that are not empty."""
    if not len(values):
        return np.zeros(len(start) - 1, values.dtype)
    return np.asarray(np.add.reduceat(values, start[:-1]))


def cells_of(group: Array, first: Array, second: Array, counts: Array | None, K: int) -> Keys:
    """Encode cells as ((group · K) + first) · K + second, with their counts."""
    return _counted((group.astype(np.int64) * K + first) * K + second, counts)


#: Codes of cells, ascending, and their counts.
Keys = tuple[Array, Array]


def _counted(keys: Array, counts: Array | None) -> Keys:
    if counts is None:
        result, times = np.unique(keys, return_counts=True)
        return result, times.astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    begin = np.flatnonzero(new)
    return keys[begin], _sums(counts, np.append(begin, len(keys)))


def joined(parts: list[Keys]) -> Keys:
    """Join several lists of cells."""
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if len(parts) == 1:
        return parts[0]
    return _counted(*(np.concatenate(side) for side in zip(*parts, strict=True)))


def tables_of(cells: Keys, K: int) -> tuple[Array, Cells]:
    """Return the groups that occur, ascending, and their tables."""
    keys, counts = cells
    group = keys // (K * K)
    begin = np.flatnonzero(np.append(True, group[1:] != group[:-1])[: len(group)])
    first, second = (side.astype(np.int32) for side in np.divmod(keys - group * (K * K), K))
    return group[begin], Cells(np.append(begin, len(keys)), first, second, counts)


def check_keys(groups: float, K: int, what: str) -> None:
    """Raise an error if the codes of cells do not fit 64 bits."""
    if groups * float(K) ** 2 >= 2.0**62:
        raise InputError(
            f"{what} with {K} categories are too many tables",
            "round the labels, or select some coders",
        )


def pair_cells(annotations: Annotations, room: int = ROOM) -> Iterator[tuple[Array, Array, Cells]]:
    """Yield the tables of all pairs of coders that share items: indices of both, and cells.

    There is one run of pairs, or several of about `room` cells in a table with few gaps; a run may
    use the arrays of the one before. O(Σ n_i²) for n_i judgments of an item.
    """
    n = len(annotations.known_coders("the agreement of pairs of coders"))
    rows, K = annotations.grouped(), len(annotations.labels)
    check_keys(float(n) ** 2, K, f"pairs of {n} coders")
    n_cells = n * (n - 1) // 2 * K * K
    sizes = row_sizes(rows)
    n_listed = int((sizes * (sizes - 1) // 2).sum())
    if rows.width and rows.weights is None and n_cells <= max(TABLES, n_listed):
        # A cell takes four numbers: in its table, its count, its labels and a copy of them.
        for coders in runs_of_pairs(range(n), n, room // max(4 * K * K, 1)):
            tables = pair_tables(rows, n, K, coders)
            start, counts = np.empty(len(tables) + 1, np.int64), np.empty(tables.size, np.int64)
            own, other = np.empty((2, tables.size), np.int32)
            _patterns.list_tables(tables, start, own, other, counts)
            every = np.arange(n, dtype=np.int32)
            first = np.repeat(every[coders.start : coders.stop], n - 1 - np.array(coders))
            second = np.concatenate([every[a + 1 :] for a in coders])
            yield _that_share(first, second, Cells(start, own, other, counts))
        return
    if rows.width and n * n * rows.n_rows <= DENSE * n_listed:
        columns, weights = columns_of(rows)
        order = np.argsort(columns, 1, "stable").astype(np.int32)
        step = max(1, room // rows.n_rows)
        own, other = np.empty((2, step * rows.n_rows), np.int32)
        counts = np.empty(step * rows.n_rows, np.int64)
        firsts, seconds = (side.astype(np.int32) for side in np.triu_indices(n, 1))
        for begin in range(0, len(firsts), step):
            first, second = firsts[begin : begin + step], seconds[begin : begin + step]
            start = np.empty(len(first) + 1, np.int64)
            _patterns.list_pairs(columns, order, weights, first, second, start, own, other, counts)
            yield _that_share(first, second, Cells(start, own, other, counts))
        return
    group, cells = tables_of(joined(_listed(rows, n, K)), K)
    yield (group // max(n, 1)).astype(np.int32), (group % max(n, 1)).astype(np.int32), cells


def columns_of(rows: Rows) -> tuple[Array, Array | None]:
    """Return the labels of each coder of a table: int32 (C, U); and the weights of its rows.

    Rows of weight 0 are left out.
    """
    table, weights = rows.table(), rows.weights
    if weights is not None:
        table, weights = table[weights > 0], weights[weights > 0]
    return np.ascontiguousarray(table.T, np.int32), weights


def _that_share(first: Array, second: Array, cells: Cells) -> tuple[Array, Array, Cells]:
    """Return the pairs whose tables have cells, and these, without what follows the cells."""
    some, shared = slice(cells.start[-1]), np.diff(cells.start) > 0
    start = cells.start[np.append(True, shared)]
    cells = Cells(start, cells.first[some], cells.second[some], cells.counts[some])
    return first[shared], second[shared], cells


def _listed(rows: Rows, n_coders: int, K: int) -> list[Keys]:
    """Return the cells of pairs from lists of judgments."""
    parts: list[Keys] = []
    for some, keys in listed_pairs(rows, n_coders, K):
        times = None if rows.weights is None else rows.weights[some]
        result, counts = _counted(keys, times)
        parts.append((result[counts > 0], counts[counts > 0]))
        if len(parts) > 64:
            parts = [joined(parts)]
    return parts


def listed_pairs(rows: Rows, n_coders: int, K: int) -> Iterator[tuple[Array, Array]]:
    """Yield the pairs of judgments of an item: their row, and the code of their cell.

    The table of coders a < b is a · n_coders + b. Items of the same size are together.
    """
    lists = as_lists(rows)
    coders = cast(Array, lists.coders)
    for size, same in by_size(np.diff(lists.start)):
        a, b = np.triu_indices(size, 1)
        width = max(1, ROOM // size)
        for left in range(0, len(a), width):
            first, two = a[left : left + width], b[left : left + width]
            step = max(1, ROOM // len(first))
            for begin in range(0, len(same), step):
                some = same[begin : begin + step]
                places = lists.start[some, None]
                x, y = (places + first).reshape(-1), (places + two).reshape(-1)
                group = coders[x].astype(np.int64) * n_coders + coders[y]
                yield np.repeat(some, len(first)), (group * K + lists.codes[x]) * K + lists.codes[y]


# ---------------------------------------------------------------------- coefficients of tables


def bound(annotations: Annotations, distance: Distance) -> Form:
    """Bind a distance to the categories; ranks are those of all pairable judgments."""
    counts: FloatArray | None = None
    if distance.ranks:
        counts = sums_of(annotations).counts().astype(np.float64)
    return distance.bind(annotations.labels, annotations.declared, counts)


#: The most numbers of tables that are processed together.
TABLES_AT_ONCE = 1 << 18

#: The most categories whose distances are put into a matrix, for some tables and for all of them.
MATRIX, MATRIX_OF_ALL = 512, 2048


def mean_of_pairs(
    annotations: Annotations,
    point: Point,
    form: Form,
    value: FloatArray,
    min_items: int,
    confidence_level: float,
) -> tuple[float, float]:
    """Compute the interval of the mean of the coefficients of pairs, over the items.

    `value` (float64 (G,)): the coefficients of the pairs that share `min_items`. O(Σ n_i²) for n_i
    judgments of an item. The other parameters are those of `scores_of`.
    """
    if not point.has_slope or np.isnan(value).all():
        return math.nan, math.nan
    fixed = replace(point, distance=replace(point.distance, ranks=False))
    rows, K = annotations.grouped(), len(annotations.labels)
    n, mean = len(annotations.coders or ()), Mean()
    columns, weights = columns_of(rows) if rows.width else (None, rows.weights)
    out = np.zeros((2, rows.n_rows if columns is None else columns.shape[1]))
    share, left = 1 / max(int(np.count_nonzero(~np.isnan(value))), 1), value
    for first, second, cells in pair_cells(annotations):
        values, kept = np.full(len(cells), np.nan), cells.n_items >= min_items
        values[kept], left = np.split(left, [int(kept.sum())])
        shares = ~np.isnan(values) * share
        of_cells = np.zeros(len(cells.counts))
        for begin, end, made, groups in _blocks(cells, fixed, form, K):
            sums = made.sums_of(groups)
            entry = influence_of(made, fixed, sums, values[begin:end], groups)
            of_cells[cells.start[begin] : cells.start[end]] = mean.add(entry, shares[begin:end])
        of_cells[np.isnan(values)[cells.table]] = np.nan
        if columns is not None:
            some = (cells.start, cells.first, cells.second, of_cells, out)
            _patterns.add_of_pairs(columns, first, second, *some)
            continue
        pair = (first.astype(np.int64) * n + second)[cells.table]
        keys = (pair * K + cells.first) * K + cells.second
        for places, own in listed_pairs(rows, n, K):
            place = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
            present = (keys[place] == own) & ~np.isnan(of_cells[place])
            out[0] += np.bincount(places, np.where(present, of_cells[place], 0.0), rows.n_rows)
            out[1] += np.bincount(places, present, rows.n_rows)
    if not mean.weight:
        return math.nan, math.nan
    sampled = np.where(out[1] > 0, 1 if weights is None else weights, 0)
    return mean.score(float(np.nanmean(value)), out[0], sampled).ends_of_one(confidence_level)


def _blocks(
    cells: Cells, point: Point, form: Form, K: int
) -> Iterator[tuple[int, int, Linear, Groups]]:
    """Yield the cells of some tables as rows, over the categories in use, and their tables."""
    # The cells of a table are counted with its marginals.
    numbers = max(K, len(cells.counts) // max(len(cells), 1), 1)
    step = max(1, TABLES_AT_ONCE // numbers)
    for begin in range(0, len(cells), step):
        end = min(begin + step, len(cells))
        some = slice(int(cells.start[begin]), int(cells.start[end]))
        codes: Array = np.stack([cells.first[some], cells.second[some]], axis=1)
        n_categories, own = K, form
        if not point.chance.counts_categories:
            used = np.flatnonzero(np.bincount(codes.reshape(-1), minlength=K))
            if len(used) <= MATRIX:
                n_categories, own = len(used), _over(form, used)
                codes = np.searchsorted(used, codes)
        rows = Rows(codes.reshape(-1).astype(np.int32), 2, weights=cells.counts[some])
        groups = Groups(
            np.repeat(np.arange(end - begin), np.diff(cells.start[begin : end + 1])), end - begin
        )
        items = Items(rows, n_categories, 2)
        yield begin, end, Linear(items, [point], 1, {point.distance: own}), groups


def _over(form: Form, used: Array) -> Form:
    """Return a distance over some of its categories."""
    if form.kind == "nominal":
        return Nominal(len(used))
    if form.kind == "squared":
        return Squared(form.values[used])
    return Matrix(form.between(used[:, None], used[None, :]))


#: What `scores_of` returns of a table, beside the judgments on which the interval rests.
NUMBERS = (
    "value",
    "standard_error",
    "low",
    "high",
    "observed_disagreement",
    "expected_disagreement",
)


def scores_of(
    cells: Cells, point: Point, form: Form, K: int, confidence_level: float, *, alone: bool
) -> dict[str, Array]:
    """Compute the coefficient of each table with its interval: arrays of shape (G,), NaN if none.

    `point`: the coefficient and its distance. `form`: the distance bound to the categories; ranks
    are treated as fixed, unless the table is `alone`, so that they are its own. `K`: the number of
    categories. "rests_on" is the number of judgments on which an interval rests, or 0 if these are
    not few; there is "n_items", too.
    """
    if not alone:
        point = replace(point, distance=replace(point.distance, ranks=False))
    small = form.kind == "squared" and form.values.shape[1] == 1
    small = small or form.kind == "nominal" or K <= MATRIX_OF_ALL
    if small and point.chance.name in _values.MODELS:
        codes = np.stack([cells.first, cells.second], axis=1).reshape(-1)
        rows = Rows(codes, 2, weights=cells.counts)
        shape = (2 if point.chance.knows_coders else 1, K)
        scored, observed, expected, error, n = of_tables(rows, cells.start, point, form, shape, 1)
        value, (low, high) = scored.value, scored.ends(confidence_level)
    else:
        n = cells.n_items
        value, observed, expected, error, low, high = np.full((6, len(cells)), np.nan)
        for begin, end, made, groups in _blocks(cells, point, form, K):
            sums = made.sums_of(groups)
            ((value[begin:end], observed[begin:end], expected[begin:end]),) = values = made.values(
                sums
            )
            if not point.has_slope:
                continue
            plain = influences(made, point, sums, groups, values[0])
            entry = influence_of(made, point, sums, values[0].value, groups)
            error[begin:end] = standard_errors(plain, entry.sampled, groups)
            low[begin:end], high[begin:end] = entry.score().ends(confidence_level)
        error[np.isnan(value)] = np.nan
    others = cells.n_others(K)
    few = are_few(others, 2 * n, n, value) & (not point.chance.counts_categories)
    numbers = (value, error, low, high, observed, expected, np.where(few, others, 0), n)
    return dict(zip((*NUMBERS, "rests_on", "n_items"), numbers, strict=True))


def notes_of(
    value: FloatArray, low: FloatArray, n_items: Array, rests_on: Array, has_slope: bool
) -> Iterator[str | None]:
    """Yield why each table has no interval, or that it rests on few judgments."""
    columns = (column.tolist() for column in (value, low, n_items, rests_on))
    for number, end, n, few in zip(*columns, strict=True):
        if math.isnan(number):
            yield None
        elif math.isnan(end):
            yield (ALIKE if n > 1 else ONE_ITEM) if has_slope else NO_SLOPE
        else:
            rarer = "the interval rests on {} of rarer categories"
            yield rarer.format(judgments(few)) if few else None

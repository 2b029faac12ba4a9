"""Intervals of the coefficient of two coders, from the cells of their table.

The coefficient is a function of the numbers of items in the cells, and the items are the sample. So
a cell is a row with a weight, a table is a group of such rows, and the interval is that of any
coefficient. The cost does not depend on the number of items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement_fast._kernels import _values, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import Chance
from agreement_fast.diagnostics.cells import Cells, listed_pairs
from agreement_fast.distances.forms import Form, Matrix, Nominal, Squared
from agreement_fast.distances.sums.columns import Groups, Items
from agreement_fast.distances.sums.linear import Linear
from agreement_fast.inference.closed_form import of_tables, standard_errors
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.groups import NO_SLOPE, ONE_ITEM
from agreement_fast.inference.notes import ALIKE, are_few, judgments
from agreement_fast.inference.score import Influence, Mean, Score, influence_of
from agreement_fast.patterns import Rows
from agreement_fast.points import Point

#: The most numbers of tables that are processed together.
ROOM = 1 << 18

#: The most categories whose distances are put into a matrix.
MANY = 512


def intervals_of(
    cells: Cells,
    point: Point,
    form: Form,
    K: int,
    values: tuple[FloatArray, FloatArray, FloatArray],
    confidence_level: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute the standard error and interval of each table's coefficient: float64 (G,).

    NaN if there is none; `why_none` says why. `point`: the coefficient and its distance. `form`:
    the distance bound to the categories; ranks are treated as fixed. `K`: the number of categories.
    `values` (tuple of three arrays): D_o, D_e and 1 − D_o / D_e of each table.
    """
    value = values[2]
    if form.kind != "squared" and K <= MANY and point.chance.name in _values.MODELS:
        rows = Rows(
            np.stack([cells.first, cells.second], axis=1).reshape(-1), 2, weights=cells.counts
        )
        shape, out = (2 if point.chance.knows_coders else 1, K), np.empty((8, len(cells)))

        def work(begin: int, end: int) -> None:
            of_tables(rows, cells.start[begin : end + 1], point, form, shape, 1, out[:, begin:end])

        parallel.over_rows(work, len(cells), len(cells.counts) / max(len(cells), 1))
        return out[6], *Score(value, *out[1:5]).ends(confidence_level)
    error, low, high = np.full((3, len(cells)), np.nan)
    for begin, end, plain, entry in _influences(cells, point, form, K, value):
        error[begin:end] = standard_errors(plain, entry.sampled, entry.groups)
        low[begin:end], high[begin:end] = entry.score().ends(confidence_level)
    return np.where(np.isnan(value), np.nan, error), low, high


def mean_of_pairs(
    annotations: Annotations,
    tables: tuple[Array, Array, Cells],
    point: Point,
    form: Form,
    value: FloatArray,
    confidence_level: float,
) -> tuple[float, float]:
    """Compute the interval of the mean of the coefficients of pairs, over the items.

    `tables`: both coders of each pair and the tables, as `pair_cells` returns them. `value`
    (float64 (G,)): the coefficients; NaN for pairs that do not count.

    O(Σ n_i²) for n_i judgments of an item. The other parameters are those of `intervals_of`.
    """
    first, second, cells = tables
    rows, K = annotations.grouped(), len(annotations.labels)
    defined = ~np.isnan(value)
    shares = defined / max(int(defined.sum()), 1)
    mean, of_cells = Mean(), np.zeros(len(cells.counts))
    for begin, end, _, entry in _influences(cells, point, form, K, value):
        of_cells[cells.start[begin] : cells.start[end]] = mean.add(entry, shares[begin:end])
    if not mean.weight:
        return math.nan, math.nan
    n = len(annotations.coders or ())
    pair = (first.astype(np.int64) * n + second)[cells.table]
    keys = (pair * K + cells.first) * K + cells.second
    of_rows, judged = np.zeros((2, rows.n_rows))
    for some, own in listed_pairs(rows, n, K):
        place = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
        there = (keys[place] == own) & defined[cells.table[place]]
        of_rows += np.bincount(some, np.where(there, of_cells[place], 0.0), rows.n_rows)
        judged += np.bincount(some, there, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    sampled = np.where(judged > 0, weights, 0)
    scored = mean.score(float(value[defined].mean()), of_rows, sampled)
    return scored.ends_of_one(confidence_level)


def _influences(
    cells: Cells, point: Point, form: Form, K: int, value: FloatArray
) -> Iterator[tuple[int, int, FloatArray, Influence]]:
    """Yield the influences of the cells of some tables, without the prior and with it."""
    if not point.has_slope or np.isnan(value).all():
        return
    point = replace(point, distance=replace(point.distance, ranks=False))
    for begin, end in _blocks(cells, K):
        some = slice(int(cells.start[begin]), int(cells.start[end]))
        codes: Array = np.stack([cells.first[some], cells.second[some]], axis=1)
        n_categories, own = K, form
        if not point.chance.counts_categories:
            used = np.flatnonzero(np.bincount(codes.reshape(-1), minlength=K))
            if len(used) <= MANY:
                n_categories, own = len(used), _over(form, used)
                codes = np.searchsorted(used, codes)
        rows = Rows(codes.reshape(-1).astype(np.int32), 2, weights=cells.counts[some])
        groups = Groups(
            np.repeat(np.arange(end - begin), np.diff(cells.start[begin : end + 1])), end - begin
        )
        made = Linear(Items(rows, n_categories, 2), [point], 1, {point.distance: own})
        sums = made.sums_of(groups)
        with np.errstate(divide="ignore", invalid="ignore"):  # tables without a value
            plain = influences(made, point, sums, groups)
        yield begin, end, plain, influence_of(made, point, sums, value[begin:end], groups)


def _blocks(cells: Cells, K: int) -> list[tuple[int, int]]:
    """Return ranges of tables that are processed together."""
    step = max(1, ROOM // max(K, len(cells.counts) // max(len(cells), 1), 1))
    return [(i, min(i + step, len(cells))) for i in range(0, len(cells), step)]


def _over(form: Form, used: Array) -> Form:
    """Return a distance over some of its categories."""
    if form.kind == "nominal":
        return Nominal(len(used))
    if form.kind == "squared":
        return Squared(form.values[used])
    return Matrix(form.between(used[:, None], used[None, :]))


def few_others(cells: Cells, chance: Chance, K: int, value: FloatArray) -> Array:
    """Return the number of judgments on which each interval rests, or 0 if not few: (G,)."""
    others, n = cells.n_others(K), cells.n_items
    few = are_few(others, 2 * n, n, value) & (not chance.counts_categories)
    return np.where(few, others, 0)


def why_doubtful(others: int) -> str | None:
    """Return a note that an interval rests on few judgments, or None if `others` is 0."""
    return f"the interval rests on {judgments(others)} of rarer categories" if others else None


def why_none(value: float, low: float, n_items: int, has_slope: bool) -> str | None:
    """Return why a coefficient has no interval; None if it has one, or has no value."""
    if math.isnan(value) or not math.isnan(low):
        return None
    if not has_slope:
        return NO_SLOPE
    return ALIKE if n_items > 1 else ONE_ITEM

"""Intervals of the coefficient of two coders, by the delta method over the cells of their table.

The coefficient is a function of the numbers of items in the cells, and the items are the sample. So
the influence of an item is the derivative with respect to the count of its cell, and the variance
is a sum over cells. The cost does not depend on the number of items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import Chance, Slope
from agreement_fast.diagnostics.cells import ROOM, Cells, OfTwo, looks_at_cells
from agreement_fast.distances.forms import NO_VALUES, Blocks, Form, OverCategories
from agreement_fast.inference.few_others import are_few, judgments
from agreement_fast.inference.groups import NO_SLOPE, ONE_ITEM
from agreement_fast.inference.intervals import ROUNDING
from agreement_fast.inference.no_width import ALIKE
from agreement_fast.points import Point
from agreement_fast.sums.each_row import LARGEST_VARIANCE, wilson_ends

#: The most numbers of tables that are processed together: 128 kB, which fit the processor's cache.
IN_CACHE = 1 << 14

#: The most categories for which the distances of all pairs are computed.
MANY = 4096


def intervals_of(
    cells: Cells,
    point: Point,
    form: Form,
    K: int,
    values: tuple[FloatArray, FloatArray, FloatArray],
    confidence_level: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute the standard error and interval of each table's coefficient: float64 (G,).

    NaN if there is none; `why_none` says why.

    Parameters
    ----------
    cells : Cells
        The tables.
    point : Point
        The coefficient and its distance.
    form : Form
        The distance bound to the categories; ranks are treated as fixed.
    K : int
        The number of categories.
    values : tuple of three arrays
        D_o, D_e and 1 − D_o / D_e of each table.
    confidence_level : float
        The level of the intervals.

    Notes
    -----
    The interval is a score interval of the observed agreement A = 1 − D_o / d_max, mapped by
    1 − (1 − A) d_max / D_e. It is Wilson's with the variance φ A (1 − A) for an item. φ is the
    variance of the coefficient by the delta method, on the scale of A, divided by A (1 − A), and
    computed with one additional item of the largest variance. So the interval is not empty if
    nobody disagrees.
    """
    observed, expected, value = values
    n = cells.n_items
    if not point.has_slope or not len(n):
        nothing = np.full(len(n), np.nan)
        return nothing, nothing, nothing
    largest = _largest(cells, form, K)
    with np.errstate(divide="ignore", invalid="ignore"):  # tables without a value
        error = _errors(cells, point.chance, form, K, observed, expected)
        beyond = largest / expected
        share = np.clip(1 - observed / largest, 0.0, 1.0)
        alike = (share > 0) & (share < 1) & (error <= ROUNDING)
        error = np.where(np.isnan(value) | alike, np.nan, error)
        squares = n * (n - 1) * (error / beyond) ** 2
        varies = (squares + LARGEST_VARIANCE) / (n * share * (1 - share) + LARGEST_VARIANCE)
        low, high = wilson_ends(share, n / varies, _quantiles(n, confidence_level))
        return error, 1 - (1 - low) * beyond, 1 - (1 - high) * beyond


def _quantiles(n: Array, confidence_level: float) -> FloatArray:
    """Return the quantiles of Student's t with n − 1 degrees of freedom."""
    from scipy.special import stdtrit

    sizes, place = np.unique(np.maximum(n - 1.0, 1.0), return_inverse=True)
    return np.asarray(stdtrit(sizes, (1 + confidence_level) / 2)[place], np.float64)


def few_others(cells: Cells, chance: Chance, K: int) -> Array:
    """Return the number of judgments on which each interval rests, or 0 if not few: (G,)."""
    others, n = cells.n_others(K), cells.n_items
    few = are_few(others, 2 * n, n) & (not chance.counts_categories)
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


def _largest(cells: Cells, form: Form, K: int) -> float:
    """Return the largest distance, or, if that takes long to find, the largest that occurs."""
    if isinstance(form, Blocks) and K > MANY:
        return float(form.between(cells.first, cells.second).max(initial=0.0))
    return form.largest


def _errors(
    cells: Cells, chance: Chance, form: Form, K: int, observed: FloatArray, expected: FloatArray
) -> FloatArray:
    """Compute the standard error of each table's coefficient: (G,).

    Each item of a table has two judgments. The derivatives with respect to the numbers of judgments
    are therefore equal for all cells and do not change the variance, so they are left out.
    """
    errors = np.empty(len(cells))
    some = _own_categories if looks_at_cells(cells, chance, K) else _all_categories
    for tables, places, part, own_form, width in some(cells, form, K):
        n, o, e = part.n_items.astype(np.float64), observed[tables], expected[tables]
        m = OfTwo(*part.marginals(0, len(part), width), n)
        assert chance.slope is not None
        table = part.table
        d_expected = _by_cell(chance.slope(m, own_form, e), part, table, n)
        apart = form.between(cells.first[places], cells.second[places])
        influence = (o / e**2)[table] * d_expected - apart / (n * e)[table]
        mean = part.sums(part.counts * influence) / n
        squares = part.sums(part.counts * (influence - mean[table]) ** 2)
        errors[tables] = np.sqrt(squares * np.where(n > 1, n / (n - 1), np.nan))
    return errors


def _by_cell(slope: Slope, cells: Cells, table: Array, n: FloatArray) -> FloatArray:
    """Convert the derivative of D_e by the marginals to that by the count of each cell: (n,).

    Terms that are equal for all cells of a table are left out.
    """
    total: FloatArray = np.zeros(len(table))
    if "shares" in slope:
        total = total + _both(slope["shares"], cells, table) / (2 * n)[table]
    if "pairable" in slope:
        total = total + _both(slope["pairable"], cells, table)
    if "coders" in slope:
        by_coder = slope["coders"]
        K = by_coder.shape[-1]
        flat, row = by_coder.reshape(-1), 2 * K * table
        total = total + flat[row + cells.first] + flat[row + (K + cells.second)]
    return total


def _both(of_category: FloatArray, cells: Cells, table: Array) -> FloatArray:
    """Sum numbers (G, K) over both categories of each cell."""
    K = of_category.shape[-1]
    flat, row = of_category.reshape(-1), K * table
    both: FloatArray = flat[row + cells.first] + flat[row + cells.second]
    return both


#: Indices of some tables and of their cells; the cells with renumbered categories; a distance
#: over these categories, and their number.
Part = tuple[Array | slice, Array | slice, Cells, Form, int]


def _all_categories(cells: Cells, form: Form, K: int) -> Iterator[Part]:
    """Return runs of tables over all categories."""
    numbers = max(K, len(cells.counts) // max(len(cells), 1), 1)
    step = max(1, IN_CACHE // numbers)
    for begin in range(0, len(cells), step):
        end = min(begin + step, len(cells))
        places = slice(int(cells.start[begin]), int(cells.start[end]))
        start = cells.start[begin : end + 1] - cells.start[begin]
        part = Cells(start, cells.first[places], cells.second[places], cells.counts[places])
        yield slice(begin, end), places, part, form, K


def _own_categories(cells: Cells, form: Form, K: int) -> Iterator[Part]:
    """Return tables with similar numbers of categories; each numbers its categories from 0."""
    table, n = cells.table, len(cells)
    keys = np.concatenate([table * K + cells.first, table * K + cells.second])
    found, place = np.unique(keys, return_inverse=True)
    begin = np.searchsorted(found, np.arange(n + 1) * K)
    place -= begin[np.concatenate([table, table])]
    first, second = place[: len(table)], place[len(table) :]
    widths = np.diff(begin)
    order = np.argsort(widths, kind="stable")
    done = 0
    while done < n:
        # The widest table of a run is the last. A run of one table may exceed ROOM.
        costs = widths[order[done:]] ** 2 * np.arange(1, n - done + 1)
        tables = order[done : done + max(1, int(np.searchsorted(costs, ROOM, "right")))]
        done += len(tables)
        width = int(widths[tables[-1]])
        there = np.arange(width) < widths[tables, None]
        categories = np.zeros((len(tables), width), np.int64)
        categories[there] = found[_ranges(begin[tables], widths[tables])] % K
        sizes = np.diff(cells.start)[tables]
        places = _ranges(cells.start[tables], sizes)
        start = np.append(0, np.cumsum(sizes))
        part = Cells(start, first[places], second[places], cells.counts[places])
        yield tables, places, part, _OfEachTable(categories, form), width


class _OfEachTable(OverCategories):
    """A distance over categories that differ between tables: (G, L)."""

    kind = "matrix"
    values = NO_VALUES

    def __init__(self, categories: Array, form: Form) -> None:
        shape = (*categories.shape, categories.shape[1])
        a, b = np.broadcast_arrays(categories[:, :, None], categories[:, None, :])
        self._distances = form.between(a.reshape(-1), b.reshape(-1)).reshape(shape)
        self._form = form

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        if v.ndim == 3:
            return np.asarray(v @ self._distances)
        return np.asarray((v[:, None, :] @ self._distances)[:, 0])

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        return np.asarray((self.times(u) * v).sum(-1))

    def total(self) -> float:
        return self._form.total()

    @property
    def largest(self) -> float:
        return self._form.largest

    def between(self, a: Array, b: Array) -> FloatArray:
        return np.asarray(self._distances[..., a, b])


def _ranges(begin: Array, lengths: Array) -> Array:
    """Concatenate the ranges begin, begin + 1, ... of each length."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(begin - before, lengths) + np.arange(int(lengths.sum()))

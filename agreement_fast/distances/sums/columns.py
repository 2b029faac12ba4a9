"""Items as patterns with weights, and sums that are linear in the weights.

A `Column` is an array with one row per pattern. A coefficient of a resample needs the columns' sums
under the resample's weights, for many resamples at once. The jackknife needs the rows, and the
infinitesimal jackknife their product with a gradient.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from agreement_fast._kernels import _patterns, _resample, _values
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.distances.forms import Form, Squared
from agreement_fast.distances.sums.categories import Moments, not_finite
from agreement_fast.distances.sums.rows import choose, listed_pairs, row_disagreement
from agreement_fast.errors import InputError
from agreement_fast.patterns import (
    Rows,
    as_lists,
    as_lists_without_coders,
    group_equal,
    group_rows,
    row_sizes,
)
from agreement_fast.reading.kept_moments import KeptMoments, count_patterns
from agreement_fast.reading.row_order import in_order

#: The most numbers in memory at a time per thread: 8 MB of floats.
ROOM = 1 << 20

#: About this number of rows is inspected for a number near most.
SOME = 1 << 10

#: The most judgments whose rows are sorted to find the distinct ones.
SORTED = 1 << 14

#: Rows above which finding the distinct ones takes longer than summing them all, if most are.
UNSORTED = 1 << 17

#: Rows whose distinct ones are counted first.
SAMPLE = 1 << 14

#: Numbers of a column that are processed together and fit in the cache: 256 kB.
IN_CACHE = 1 << 15


class Groups(NamedTuple):
    """The group of each row: `codes`, from 0 to `n` - 1, of shape (U,)."""

    codes: Array
    n: int

    def sums(self, values: Array) -> FloatArray:
        """Sum one number per row over each group: (n,)."""
        sums = np.zeros(self.n)
        _resample.sum_groups(self.codes, np.ascontiguousarray(values, np.float64), sums)
        return sums


class Dense:
    """U rows of numbers as an array; `shape` is the shape of one row."""

    def __init__(self, values: FloatArray) -> None:
        self._values = values
        self.shape = values.shape[1:]
        self._flat = values.reshape(len(values), math.prod(self.shape))

    def totals(self, weights: FloatArray) -> FloatArray:
        """Sum the rows under weights of shape (U, R): (R, *shape)."""
        return np.asarray(weights.T @ self._flat).reshape(weights.shape[1], *self.shape)

    def totals_of(self, groups: Groups, weights: FloatArray) -> FloatArray:
        """Sum the rows over each group under weights of shape (U,): (n, *shape)."""
        columns = [groups.sums(column * weights) for column in self._flat.T]
        return np.stack(columns, axis=1).reshape(groups.n, *self.shape)

    def rows(self, first: int, last: int) -> FloatArray:
        """Return the rows of some patterns: (last - first, *shape)."""
        return self._values[first:last]

    def dot(self, gradient: FloatArray, groups: Groups | None = None) -> FloatArray:
        """Multiply each row by an array of the rows' shape, or by that of its group: (U,)."""
        product: FloatArray
        if groups is None:
            product = self._flat @ gradient.reshape(-1)
        else:
            own = np.ascontiguousarray(gradient).reshape(groups.n, self._flat.shape[1])
            product = np.empty(len(self._flat))
            _resample.dot_rows(self._flat, own, groups.codes, product)
        return product


class Counts(NamedTuple):
    """Counts of each bin in each row, times the row's factor, without a full array; see `Dense`."""

    start: Array
    bins: Array
    repeats: Array | None
    factors: FloatArray
    shape: tuple[int, ...]

    def totals(self, weights: FloatArray) -> FloatArray:
        out = np.zeros((math.prod(self.shape), weights.shape[1]))
        _resample.add_weights(*self[:4], weights, out)
        return np.ascontiguousarray(out.T).reshape(weights.shape[1], *self.shape)

    def totals_of(self, groups: Groups, weights: FloatArray) -> FloatArray:
        size = math.prod(self.shape)
        totals = np.zeros((groups.n, size))
        _resample.add_groups(*self[:4], weights, groups.codes, totals)
        return totals.reshape(groups.n, *self.shape)

    def rows(self, first: int, last: int) -> FloatArray:
        judgments = slice(self.start[first], self.start[last])
        lengths = np.diff(self.start[first : last + 1])
        row = np.repeat(np.arange(last - first), lengths)
        amounts = np.repeat(self.factors[first:last], lengths)
        if self.repeats is not None:
            amounts = amounts * self.repeats[judgments]
        out = np.zeros((last - first, math.prod(self.shape)))
        np.add.at(out, (row, self.bins[judgments]), amounts)
        return out.reshape(last - first, *self.shape)

    def dot(self, gradient: FloatArray, groups: Groups | None = None) -> FloatArray:
        sums = np.zeros(len(self.factors))
        if gradient.size:
            slopes = np.ascontiguousarray(gradient.reshape(-1, math.prod(self.shape)))
            _resample.dot_groups(*self[:4], slopes, None if groups is None else groups.codes, sums)
        return sums


#: U rows of numbers.
Column: TypeAlias = Dense | Counts


class Items:
    """Patterns of judgments of categories.

    Attributes
    ----------
    weights : int64 array of shape (U,)
        The number of items of each pattern.
    sizes, selfs : float64 arrays of shape (U,)
        n_i, and the number of the n_i² pairs that are a judgment with itself, also n_i.
    """

    def __init__(self, rows: Rows, n_categories: int, n_coders: int | None) -> None:
        lists = as_lists(rows)
        self.rows = lists
        if lists.codes.dtype != np.int32:
            self.rows = lists.replace(codes=lists.codes.astype(np.int32))
        self.start = lists.start
        self.codes = self.rows.codes
        self.repeats = lists.repeats
        self.n_categories = n_categories
        self.n_coders = n_coders
        self.n_rows = lists.n_rows
        self.weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
        self.sizes: FloatArray = row_sizes(lists).astype(np.float64)
        self.selfs = self.sizes

    def mass(self, marginal: FloatArray) -> Any:
        """Return the number of judgments of a marginal."""
        return marginal.sum(-1)

    def mass_slope(self, marginal: FloatArray) -> FloatArray:
        """Return the derivative of the mass in each number of the marginal."""
        return np.ones(marginal.shape[-1])

    def disagreement(self, form: Form) -> FloatArray:
        """Compute Σ_jl n_ij n_il d_jl of each row."""
        return row_disagreement(self.rows, form, self.n_categories)

    def squared_gaps(self, features: FloatArray, groups: Groups) -> FloatArray:
        """Compute Σ_jl n_ij n_il (f_j − f_l)² of each row, with features (n, K) of its group."""
        sums = np.zeros(self.n_rows)
        features = np.ascontiguousarray(features)
        _resample.squared_gaps(self.start, self.codes, self.repeats, features, groups.codes, sums)
        return sums

    def marginal(self, factors: FloatArray, by_coder: bool = False) -> Column:
        """Return counts of categories in each row, or per coder, times a factor of the row."""
        if not by_coder:
            shape: tuple[int, ...] = (self.n_categories,)
            return Counts(self.start, self.codes, self.repeats, factors, shape)
        assert self.n_coders is not None
        assert self.rows.coders is not None
        shape = (self.n_coders, self.n_categories)
        if self.n_coders * self.n_categories >= 2**31:
            raise InputError(
                f"{self.n_coders} coders of {self.n_categories} categories are too many for "
                "marginals of every coder in every resample",
                "use pi or alpha, not kappa",
            )
        bins = self.rows.coders.astype(np.int32) * np.int32(self.n_categories) + self.codes
        return Counts(self.start, bins, self.repeats, factors, shape)

    def blocks(self, step: int) -> Iterator[tuple[int, int, Rows]]:
        """Yield runs of `step` rows as separate lists without weights."""
        rows = self.rows
        assert rows.coders is not None
        for first in range(0, self.n_rows, step):
            last = min(first + step, self.n_rows)
            begin, end = self.start[first], self.start[last]
            start = self.start[first : last + 1] - begin
            yield first, last, Rows(rows.codes[begin:end], 0, start, rows.coders[begin:end])


class Copied:
    """Lists of judgments in which coders are repeated, in several resamples at once.

    Parameters
    ----------
    rows : Rows
        Rows like those of `Items`, without repeats and weights.
    copies : Copies
        R resamples of the coders.
    n_categories : int

    Attributes
    ----------
    sizes, selfs : float64 arrays of shape (U, R)
        Like those of `Items`. A judgment drawn m times counts as m judgments, and its m² pairs with
        itself do not count.
    """

    def __init__(self, rows: Rows, copies: _resample.Copies, n_categories: int) -> None:
        self._rows, self._copies, self._n_categories = rows, copies, n_categories
        self._shape = rows.n_rows, copies.copies.shape[1]
        self.sizes, self.selfs = np.empty(self._shape), np.empty(self._shape)
        copies.sizes(rows, self.sizes, self.selfs)

    def disagreement(self, form: Form) -> FloatArray:
        """Compute Σ_jl n_ij n_il d_jl of each row in each resample: (U, R)."""
        values = form.values
        if form.kind == "blocks":
            listed = [pairs.apart for pairs in listed_pairs(self._rows, form, self._n_categories)]
            values = np.concatenate([np.zeros(0), *listed])[:, None]
        return self._disagreement(form.kind, values)

    def squares(self, ranks: FloatArray) -> FloatArray:
        """Compute the disagreement for squared differences of ranks (R, K)."""
        return self._disagreement("ranked", np.ascontiguousarray(ranks.T))

    def _disagreement(self, kind: str, values: FloatArray) -> FloatArray:
        out = np.empty(self._shape)
        self._copies.disagreement(self._rows, _resample.KINDS[kind], values, out)
        return out

    def marginal(self, amounts: FloatArray, by_coder: bool) -> FloatArray:
        """Sum amount (U, R) · n_ik over the rows, or per coder: (R, K) or (R, C, K)."""
        copies = self._copies.copies
        if not by_coder:
            out = np.zeros((self._n_categories, self._shape[1]))
            self._copies.add(self._rows, amounts, out)
            return out.T
        rows = self._rows
        assert rows.coders is not None
        # Items.marginal was called before and checks that these fit 32 bits.
        bins = rows.coders * np.int32(self._n_categories) + rows.codes
        out = np.zeros((len(copies) * self._n_categories, self._shape[1]))
        _resample.add_weights(rows.start, bins, None, np.ones(rows.n_rows), amounts, out)
        each = out.reshape(len(copies), self._n_categories, -1) * copies[:, None, :]
        return np.asarray(each.transpose(2, 0, 1))


class OfNumbers:
    """Items whose marginals are moments of numbers; they have no categories."""

    n_categories = 0
    form: Moments

    def mass(self, marginal: FloatArray) -> Any:
        return self.form.mass(marginal)

    def mass_slope(self, marginal: FloatArray) -> FloatArray:
        return self.form.mass_slope(marginal)


class Numbers(OfNumbers):
    """Rows of numbers that were not counted into categories, for the interval distance."""

    def __init__(
        self, values: FloatArray, weights: Array | None, origin: float | None = None
    ) -> None:
        self.n_rows, self.n_coders = values.shape
        if origin is None:
            # Most numbers are near the median of some, so few digits are lost.
            some = values[:: max(1, self.n_rows // SOME)]
            some = some[np.isfinite(some)]
            origin = float(np.median(some)) if len(some) else 0.0
        self._values, self._origin = values, origin
        self._moments = np.empty((6, self.n_rows))
        _values.moments_of_rows(values, origin, self._moments)
        self.sizes = self.selfs = self._moments[0]
        low = float(self._moments[4].min(initial=0.0))
        high = float(self._moments[5].max(initial=0.0))
        if not math.isfinite(high - low):
            raise not_finite(values)
        self.weights = np.ones(self.n_rows, np.int64) if weights is None else weights
        self.form = Moments(low, high)

    def disagreement(self, form: Form) -> FloatArray:
        return np.asarray(self._moments[3])

    def marginal(self, factors: FloatArray, by_coder: bool = False) -> Column:
        """Return each row's mass, Σ x and Σ x², or those of each coder, times its factor."""
        if by_coder:
            given = ~np.isnan(self._values)
            moved = np.where(given, self._values - self._origin, 0.0)
            powers = np.stack([given, moved, moved**2], axis=2)
            powers *= factors[:, None, None]
            return Dense(powers)
        rows = self._moments[:3].T
        return Dense(rows if (factors == 1).all() else rows * factors[:, None])

    def ends(self, some: Array, groups: Groups) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest number in some rows of each group."""
        judged = some & (self.sizes > 0)
        chosen = slice(None) if judged.all() else judged
        group = groups.codes[chosen] if groups.n > 1 else np.zeros(0, np.int64)
        low, _ = _ends(self._moments[4, chosen], group, groups.n)
        _, high = _ends(self._moments[5, chosen], group, groups.n)
        return low, high


class LikeItems(OfNumbers):
    """A few rows with the means and covariances of items of numbers; see `KeptMoments`.

    They suffice for the influence of items, but not for resamples of items.
    """

    def __init__(self, kept: KeptMoments, n_coders: int | None, least: int) -> None:
        self.weights, sizes, self._sums = kept.like_items()
        self.n_rows, self.n_coders = len(sizes), n_coders
        self.sizes = self.selfs = sizes.astype(np.float64)
        low, high = kept.ends(least)
        self.form = Moments(low, high)
        self._ends = np.array([low]), np.array([high])
        if low == high:
            self._sums = np.zeros_like(self._sums)

    def disagreement(self, form: Form) -> FloatArray:
        return self._sums[:, 2]

    def marginal(self, factors: FloatArray, by_coder: bool = False) -> Column:
        """Return each row's mass, Σ x and Σ x², times its factor."""
        assert not by_coder
        return Dense(np.column_stack([self.sizes, self._sums[:, :2]]) * factors[:, None])

    def ends(self, some: Array, groups: Groups) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest number."""
        return self._ends


class Placed(OfNumbers):
    """Patterns of judgments as sums of the numbers that the categories stand for.

    Parameters
    ----------
    items : Items
    positions : float64 array of shape (K,)
        The number of each category.
    groups : Groups
        The group of each pattern. Each group's numbers are taken from one of its own, which changes
        no difference and keeps digits if groups are far apart.
    """

    def __init__(self, items: Items, positions: FloatArray, groups: Groups) -> None:
        self._items = items
        self.weights, self.n_rows, self.n_coders = items.weights, items.n_rows, items.n_coders
        self.sizes = self.selfs = items.sizes
        row = np.repeat(np.arange(items.n_rows), np.diff(items.start))
        group = groups.codes[row]
        values = positions[items.codes]
        origin = np.zeros(groups.n)
        origin[group[::-1]] = values[::-1]
        self._values: FloatArray = values - origin[group]
        self._row = row
        repeats = 1.0 if items.repeats is None else items.repeats
        self._sums: FloatArray = np.stack(
            [items.sizes]
            + [np.bincount(row, self._values**power * repeats, items.n_rows) for power in (1, 2)],
            axis=1,
        )
        self._disagreement = items.disagreement(Squared(positions[:, None]))
        self.form = Moments(
            float(self._values.min(initial=0.0)), float(self._values.max(initial=0.0))
        )

    def disagreement(self, form: Form) -> FloatArray:
        """Compute Σ_jl n_ij n_il d_jl of each row."""
        return self._disagreement

    def marginal(self, factors: FloatArray, by_coder: bool = False) -> Column:
        """Return each row's mass, Σ x and Σ x², or those of each coder, times its factor."""
        if not by_coder:
            return Dense(self._sums * factors[:, None])
        assert self.n_coders is not None
        assert self._items.rows.coders is not None
        powers = np.zeros((self.n_rows, self.n_coders, 3))
        for power in range(3):
            cells = powers[..., power], (self._row, self._items.rows.coders)
            np.add.at(*cells, self._values**power * factors[self._row])
        return Dense(powers)

    def ends(self, some: Array, groups: Groups) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest number in some rows of each group."""
        chosen = some[self._row]
        return _ends(self._values[chosen], groups.codes[self._row[chosen]], groups.n)


def _ends(values: FloatArray, group: Array, n: int) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest value of each group; 0 if it has none."""
    if n == 1:
        ends = (values.min(), values.max()) if len(values) else (0.0, 0.0)
        return np.array(ends[:1]), np.array(ends[1:])
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    empty = low > high
    return np.where(empty, 0.0, low), np.where(empty, 0.0, high)


def pattern_items(annotations: Annotations, by_coder: bool, *, drawn: bool = True) -> Items:
    """Return the items of `pattern_rows`."""
    rows = pattern_rows(annotations, by_coder, drawn=drawn)
    n_coders = annotations.n_coders if by_coder or not rows.width else None
    return Items(
        rows if by_coder else as_lists_without_coders(rows), len(annotations.labels), n_coders
    )


def pattern_rows(annotations: Annotations, by_coder: bool, *, drawn: bool = True) -> Rows:
    """Return the distinct rows of some annotations, without coders if these are not needed.

    The rows are sorted, so that resamples and the rounding of sums do not depend on the order of
    the items. If nothing is drawn, very many rows that are mostly distinct stay as they are.
    """
    K = len(annotations.labels)
    rows = annotations.grouped()
    simple = rows.repeats is None and (rows.width or not by_coder)
    if simple and len(rows.codes) <= SORTED and K < _patterns.LABELS:
        return Rows(*_patterns.sort_patterns(rows, by_coder))
    if not by_coder and not drawn and rows.repeats is None and rows.n_rows > UNSORTED:
        rows = choose(annotations)
        if rows.repeats is None and rows.width:
            some = np.sort(rows.table()[:: max(1, rows.n_rows // SAMPLE)], axis=1)
            if 2 * len(group_equal(some)[1]) > len(some):
                return rows
    if by_coder:
        return in_order(group_rows(annotations.grouped()), annotations.n_coders, K)
    return in_order(count_patterns(choose(annotations), K), None, K)

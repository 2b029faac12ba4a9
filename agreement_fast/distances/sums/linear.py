"""Coefficients as functions of sums that are linear in the weights of the items.

D_o is a ratio of two such sums, and D_e is a function of a few marginals that are such sums. So the
columns' sums under other weights are enough for a coefficient of a resample, a coefficient without
an item, or its derivative in an item's weight. Only the ordinal distance depends on the marginals;
its D_o takes one more pass over the judgments.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels import _resample
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import ITEM_WEIGHTS, Marginals, beyond_chance
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import Blocks, Form, OverCategories, Rational, Squared
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.distances.sums.columns import (
    IN_CACHE,
    Column,
    Copied,
    Dense,
    Groups,
    Items,
    LikeItems,
    Numbers,
    Placed,
    pattern_items,
)
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows
from agreement_fast.points import Point
from agreement_fast.results import NO_PAIRS, NO_VARIATION


class Values(NamedTuple):
    """A coefficient in R resamples: float64 arrays of shape (R,), NaN where undefined."""

    value: FloatArray
    observed: FloatArray
    expected: FloatArray


class Ranked(OverCategories):
    """(f_j − f_l)² for features that differ from row to row: (R, K)."""

    kind = "ranked"
    values = np.zeros((0, 0))

    def __init__(self, features: FloatArray) -> None:
        self.features = features

    @staticmethod
    def of(counts: FloatArray) -> Ranked:
        """Return Krippendorff's ordinal metric, with mid-ranks of each row's judgments."""
        return Ranked(np.cumsum(counts, -1) - counts / 2)

    def _about(self, masses: FloatArray) -> FloatArray:
        """Subtract the feature of each row's most frequent category; with the masses' shape."""
        coders = masses.ndim > 2  # the coders of a row share its features
        if not self.features.shape[-1]:
            return masses
        most = (masses.sum(1) if coders else masses).argmax(-1)
        f: FloatArray = self.features - np.take_along_axis(self.features, most[:, None], -1)
        return f[:, None, :] if coders else f

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        f = self._about(u + v)
        squares = f**2
        return np.asarray(
            u.sum(-1) * (v * squares).sum(-1)
            + v.sum(-1) * (u * squares).sum(-1)
            - 2.0 * (u * f).sum(-1) * (v * f).sum(-1)
        )

    def times(self, v: Array) -> FloatArray:
        f = self._about(v)
        first, second = (v * f).sum(-1, keepdims=True), (v * f**2).sum(-1, keepdims=True)
        return np.asarray(f**2 * v.sum(-1, keepdims=True) + second - 2.0 * f * first)

    def total(self) -> Any:
        ones = np.ones_like(self.features)
        return self.bilinear(ones, ones)

    @property
    def largest(self) -> Any:
        if not self.features.shape[-1]:
            return np.zeros(self.features.shape[:-1])
        return np.ptp(self.features, axis=-1) ** 2

    def between(self, a: Array, b: Array) -> FloatArray:
        """Return distances in each row."""
        return np.asarray((self.features[..., a] - self.features[..., b]) ** 2)


class Sums(NamedTuple):
    """The columns' sums in R resamples."""

    #: Columns of one number per item, (R, m).
    plain: FloatArray
    #: Marginals by name: "shares" and "pairable" (R, L), "coders" (R, C, L).
    marginals: dict[str, FloatArray]
    #: Numerators of D_o under the ordinal distance, by item weight: (R,).
    ranked: dict[str, FloatArray]


class Terms:
    """The terms of each row in the sums of some points, per item of the row.

    Arrays have the shape of the rows' sizes: (U,), or (U, R) in R resamples of the coders.

    Attributes
    ----------
    kept, counted : bool arrays
        The rows with a pair of judgments, which D_o averages, and the rows of the marginals.
    plain : dict
        One number per row, by the name of the sum.
    marginals : dict
        The factor of a row's counts in each marginal, by name.
    ranked : dict
        The factor of a row's pairs in D_o under the ordinal distance, by item weight.
    """

    def __init__(
        self,
        items: Items | Numbers | LikeItems | Placed | Copied,
        points: Sequence[Point],
        least: int | Array,
        forms: dict[Distance, Form],
    ) -> None:
        self._items = items
        pairs = items.sizes**2 - items.selfs
        self.kept = (pairs > 0) & (items.sizes >= np.maximum(2, least))
        of_pairs = isinstance(least, int) and least == 2
        self.counted = self.kept if of_pairs else items.sizes >= np.maximum(1, least)
        pairs[~self.kept] = np.inf
        #: 1 / (n_i (n_i − 1)), for rows with a pair.
        per_pair = np.divide(1.0, pairs, out=pairs)
        sizes, selfs = items.sizes, items.selfs
        if not self.kept.all():
            sizes, selfs = (np.where(self.kept, terms, 0.0) for terms in (sizes, selfs))
        self.plain: dict[Any, FloatArray] = {}
        self.marginals: dict[str, FloatArray] = {}
        self.ranked: dict[str, FloatArray] = {}
        disagreements: dict[Distance, FloatArray] = {}
        for point in points:
            weight, distance = point.item_weight, point.distance
            if weight not in self.plain:
                by_size = ITEM_WEIGHTS[weight]
                self.plain[weight] = sizes if by_size else self.kept.astype(np.float64)
            factor = self.plain[weight]
            if distance.ranks:
                self.ranked[weight] = factor * per_pair
                self._need("pairable")
            elif (distance, weight) not in self.plain:
                if distance not in disagreements:
                    disagreements[distance] = items.disagreement(forms[distance])
                terms = factor * per_pair
                terms *= disagreements[distance]
                self.plain[distance, weight] = terms
            for need in point.chance.needs - {"categories"}:
                if need == "shares":
                    self.plain["counted"] = self.counted.astype(np.float64)
                elif need == "pairable":
                    self.plain["selfs"] = selfs
                self._need(need)

    def _need(self, name: str) -> None:
        if name in self.marginals:
            return
        if name == "shares":
            sizes = np.maximum(self._items.sizes, 1.0)
            self.marginals[name] = np.where(self.counted, 1.0 / sizes, 0.0)
        else:
            rows = self.kept if name == "pairable" else self.counted
            self.marginals[name] = rows.astype(np.float64)


class Linear:
    """Some points of the cube over some items, as functions of the items' weights.

    Parameters
    ----------
    items : Items, Numbers, LikeItems or Placed
    points : sequence of Point
    least : int, or int array of shape (U,)
        The number of judgments that an item needs in order to count (`incomplete`).
    forms : dict
        The points' distances bound to the categories; ordinal is bound again in each resample.

    Attributes
    ----------
    items, points
    of_pairs : bool array of shape (P,)
        The points on which items with a single judgment have no effect.
    kept, counted : bool arrays of shape (U,)
        The rows with a pair of judgments, which D_o averages, and the rows of the marginals.
    weights : int64 array of shape (U,)
        The weights of the rows that count for any point, 0 for the others.
    ranked : bool
        Whether a distance depends on the marginals (ordinal).
    """

    def __init__(
        self,
        items: Items | Numbers | LikeItems | Placed,
        points: Sequence[Point],
        least: int | Array,
        forms: dict[Distance, Form],
    ) -> None:
        self.items = items
        self.points = tuple(points)
        self.of_pairs = np.array([point.of_pairs for point in self.points])
        self.forms = forms
        self._least = least
        terms = Terms(items, points, least, forms)
        self.kept, self.counted = terms.kept, terms.counted
        self.weights = items.weights
        if not self.counted.all():
            self.weights = np.where(self.counted, items.weights, 0)
        self._plain = np.array(list(terms.plain.values()))
        self._place = {key: place for place, key in enumerate(terms.plain)}
        self.marginals: dict[str, Column] = {
            name: items.marginal(factors, by_coder=name == "coders")
            for name, factors in terms.marginals.items()
        }
        self._ranked = terms.ranked
        self._totals: dict[Form, tuple[float, float]] = {}
        self.ranked = bool(self._ranked)
        self._columns = Dense(self._plain.T)
        #: The number of sums of one resample.
        self.width = len(self._plain) + sum(
            math.prod(column.shape) for column in self.marginals.values()
        )

    def by_sample(self) -> list[tuple[Linear, Array]]:
        """Split the points by their sample, with their places: this object, or two of its kind."""
        singles = (~self.kept & (self.weights > 0)).any()
        if not singles or self.of_pairs.all() or not self.of_pairs.any():
            return [(self, np.arange(len(self.points)))]
        return [
            (Linear(self.items, [self.points[i] for i in places], self._least, self.forms), places)
            for places in (np.flatnonzero(self.of_pairs), np.flatnonzero(~self.of_pairs))
        ]

    def scale(self, form: Form) -> tuple[Any, int, Any]:
        """Return the total, the categories and the largest distance, cached for fixed forms."""
        k = self.items.n_categories
        if isinstance(form, Ranked):
            return form.total(), k, form.largest
        if form not in self._totals:
            self._totals[form] = (form.total(), form.largest)
        total, largest = self._totals[form]
        return total, k, largest

    def pair_steps(self) -> tuple[float, str]:
        """Return the number of pairs that a resample's D_e visits one by one, and the distance.

        It is positive only for distances whose matrix is too large for memory.
        """
        k = float(self.items.n_categories) ** 2
        worst = (0.0, "")
        for point in self.points:
            by_pair = isinstance(self.forms[point.distance], (Blocks, Rational))
            if by_pair and "categories" not in point.chance.needs:
                coders = (self.items.n_coders or 1) if point.chance.knows_coders else 1
                worst = max(worst, (k * coders, point.distance.name))
        return worst

    # ------------------------------------------------------------------ sums

    @functools.cached_property
    def whole(self) -> Sums:
        """The sums over the data themselves."""
        return self.sums(self.weights.astype(np.float64)[:, None])

    def sums(self, weights: FloatArray) -> Sums:
        """Compute the sums under weights of shape (U, R). O(judgments · R)."""
        marginals = {name: column.totals(weights) for name, column in self.marginals.items()}
        ranked = {}
        if self.ranked:
            assert isinstance(self.items, Items)
            features = np.ascontiguousarray(Ranked.of(marginals["pairable"]).features.T)
            room = np.empty((2, weights.shape[1]))
            for name, factors in self._ranked.items():
                ranked[name] = out = np.zeros(weights.shape[1])
                _resample.add_squares(self.items.rows, factors, weights, features, room, out)
        return Sums(self._columns.totals(weights), marginals, ranked)

    def sums_of(self, groups: Groups) -> Sums:
        """Compute the sums over groups of rows, as if resamples. O(judgments + n · L)."""
        weights = self.weights.astype(np.float64)
        marginals = {
            name: column.totals_of(groups, weights) for name, column in self.marginals.items()
        }
        ranked = {}
        if self._ranked:
            ranks = Ranked.of(marginals["pairable"]).features
            for name in self._ranked:
                ranked[name] = groups.sums(weights * self.ranked_rows(name, ranks, groups))
        return Sums(self._columns.totals_of(groups, weights), marginals, ranked)

    def with_rows(
        self,
        sums: Sums,
        plain: Mapping[Any, FloatArray],
        marginals: Mapping[str, FloatArray],
        ranked: Mapping[str, FloatArray],
    ) -> Sums:
        """Add the terms of further rows, by name, to the sums of some groups.

        The sums of ranks are replaced, because further rows change the ranks.
        """
        columns = sums.plain.copy()
        for key, terms in plain.items():
            if key in self._place:
                columns[:, self._place[key]] += terms
        added = {
            name: totals + marginals[name] if name in marginals else totals
            for name, totals in sums.marginals.items()
        }
        return Sums(columns, added, {**sums.ranked, **ranked})

    def as_numbers(self, point: Point, groups: Groups) -> Linear:
        """Return a point over sums of numbers if it needs no more of the categories."""
        are_numbers = not isinstance(self.items, Items) and len(self.points) == 1
        if are_numbers or not need_no_categories([point]):
            return self
        if isinstance(self.items, Items):
            return of_placed(self.items, point, self._least, self.forms[point.distance], groups)
        return Linear(
            self.items, [point], self._least, {point.distance: self.forms[point.distance]}
        )

    def sums_of_copies(self, copies: FloatArray, weights: FloatArray, least: int) -> Sums:
        """Compute the sums if coder c occurs ``copies[c, r]`` times in resample r.

        Parameters
        ----------
        copies : float64 array of shape (C, R)
            Integers, for at most `LANES` resamples.
        weights : float64 array of shape (U, R) or (U, 1)
            The weights of the items in each resample.
        least : int
            The number of judgments that an item needs in order to count, including copies.
        """
        items = self.items
        assert isinstance(items, Items)
        given = _resample.Copies(copies, items.rows.longest(), items.n_categories)
        plain: FloatArray | float = 0.0
        marginals: dict[str, Any] = dict.fromkeys(self.marginals, 0.0)
        ranked = []
        # The number of rows per block equals the number of sums, so that adding costs no more.
        step = max(1, IN_CACHE // copies.shape[1], self.width)
        for first, last, rows in items.blocks(step):
            copied, some = Copied(rows, given, items.n_categories), weights[first:last]
            terms = Terms(copied, self.points, least, self.forms)
            plain = plain + np.stack([sum_rows(term * some) for term in terms.plain.values()], 1)
            for name, factors in terms.marginals.items():
                part = copied.marginal(factors * some, by_coder=name == "coders")
                marginals[name] = marginals[name] + part
            if terms.ranked:
                ranked.append((copied, {name: f * some for name, f in terms.ranked.items()}))
        sums: dict[str, Any] = dict.fromkeys(self._ranked, 0.0)
        for copied, amounts in ranked:
            squares = copied.squares(Ranked.of(marginals["pairable"]).features)
            for name, amount in amounts.items():
                sums[name] = sums[name] + sum_rows(amount * squares)
        return Sums(np.asarray(plain), marginals, sums)

    def rows(self, first: int, last: int) -> Sums:
        """Return the columns, with rows as resamples and without the sums of ranks."""
        marginals = {name: column.rows(first, last) for name, column in self.marginals.items()}
        return Sums(self._columns.rows(first, last), marginals, {})

    # ------------------------------------------------------------------ values

    def values(self, sums: Sums) -> list[Values]:
        """Compute each point's coefficient in each resample."""
        ranked = None
        if self._ranked:
            ranked = Ranked.of(sums.marginals["pairable"])
        return [self._value(point, sums, ranked) for point in self.points]

    def _value(self, point: Point, sums: Sums, ranked: Ranked | None) -> Values:
        form: Form
        if point.distance.ranks:
            assert ranked is not None
            form, disagreement = ranked, sums.ranked[point.item_weight]
        else:
            form = self.forms[point.distance]
            disagreement = self.plain(sums, (point.distance, point.item_weight))
        pairs = self.plain(sums, point.item_weight)
        expected = point.chance.expected(Resampled(self, sums), form)
        if np.shape(expected) != pairs.shape:
            expected = np.broadcast_to(expected, pairs.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = disagreement / np.where(pairs > 0, pairs, np.nan)
        return Values(beyond_chance(observed, expected), observed, expected)

    def plain(self, sums: Sums, key: Any) -> FloatArray:
        """Return a plain sum by its name."""
        return np.asarray(sums.plain[:, self._place[key]])

    def column(self, key: Any) -> FloatArray:
        """Return each pattern's term in a plain sum: (U,)."""
        return np.asarray(self._plain[self._place[key]])

    def plain_rows(self, factors: Mapping[Any, FloatArray], groups: Groups) -> FloatArray:
        """Add each pattern's terms in plain sums, times factors of its group (n,): (U,)."""
        of_sums = np.zeros((groups.n, len(self._plain)))
        for key, factor in factors.items():
            if key in self._place:
                of_sums[:, self._place[key]] = factor
        return self._columns.dot(of_sums, groups)

    def one_group(self) -> Groups:
        """Return all patterns as one group."""
        return Groups(np.zeros(self.items.n_rows, np.int64), 1)

    def ranked_factors(self, item_weight: str) -> FloatArray:
        """Return the factor of each pattern's pairs in D_o with the ordinal distance: (U,)."""
        return self._ranked[item_weight]

    def ranked_rows(
        self, item_weight: str, ranks: FloatArray, groups: Groups | None = None
    ) -> FloatArray:
        """Return each pattern's term in the numerator of D_o for ranks, or its group's: (U,)."""
        if groups is None:
            disagreement = self.items.disagreement(Squared(ranks[:, None]))
        else:
            assert isinstance(self.items, Items)
            disagreement = self.items.squared_gaps(ranks, groups)
        return disagreement * self._ranked[item_weight]


class Resampled(Marginals):
    """The marginals of resamples, or of one resample without the leading axis."""

    def __init__(self, made: Linear, sums: Sums, resample: int | slice = slice(None)) -> None:
        self._made, self._sums, self._resample = made, sums, resample

    def _plain(self, key: str) -> Any:
        return self._made.plain(self._sums, key)[self._resample]

    def scale(self, form: Form) -> tuple[Any, int, Any]:
        return self._made.scale(form)

    def shares(self) -> FloatArray:
        items = self._plain("counted")
        sums = self._sums.marginals["shares"][self._resample]
        return np.asarray(sums / np.expand_dims(np.where(items > 0, items, np.inf), -1))

    def counts(self) -> FloatArray:
        return np.asarray(self._sums.marginals["pairable"][self._resample])

    def pairs(self) -> Any:
        return self._made.items.mass(self.counts()) ** 2 - self._plain("selfs")

    def each(self) -> FloatArray:
        return np.asarray(self._sums.marginals["coders"][self._resample])


def sum_rows(values: FloatArray) -> FloatArray:
    """Sum over the first axis by halves, so that rounding errors grow slowly with its length."""
    while len(values) > 1:
        half = len(values) // 2
        last = values[2 * half :]
        values = values[:half] + values[half : 2 * half]
        values[: len(last)] += last
    return np.asarray(values.sum(0))


def linear(
    annotations: Annotations,
    points: Sequence[Point],
    incomplete: Incomplete,
    *,
    rows: Rows | None = None,
    coders: bool = False,
    drawn: bool = True,
) -> Linear:
    """Prepare points of the cube over the patterns of some annotations.

    Parameters
    ----------
    rows : Rows, optional
        Rows to use instead of the patterns, such as the stored rows for labels that refer to them.
    coders : bool
        Whether to keep the coders even if no coefficient needs them.
    drawn : bool
        Whether single items are needed. False is for sums of squares over the items, which rows
        with the same moments have too.
    """
    by_coder = coders or any(point.chance.knows_coders for point in points)
    if by_coder:
        annotations.known_coders("what looks at single coders (κ, β, draws of coders)")
    least = least_judgments(annotations, incomplete)
    kept = annotations.kept_moments
    if kept is not None and rows is None and not drawn and need_no_categories(points):
        of_pairs = all(point.of_pairs for point in points)
        like = LikeItems(kept, annotations.n_coders, max(least, 2 if of_pairs else 1))
        return Linear(like, points, least, dict.fromkeys((p.distance for p in points), like.form))
    if rows is None and not coders and of_numbers(annotations, points):
        assert annotations.numbers is not None
        numbers = Numbers(annotations.numbers, annotations.weights)
        forms: dict[Distance, Form] = dict.fromkeys((p.distance for p in points), numbers.form)
        return Linear(numbers, points, least, forms)
    if rows is None:
        items = pattern_items(annotations, by_coder, drawn=drawn)
    else:
        items = Items(rows, len(annotations.labels), annotations.n_coders)
    forms = bound_forms(annotations, points)
    if not drawn and len(points) == 1 and need_no_categories(points):
        one_group = Groups(np.zeros(items.n_rows, np.int64), 1)
        return of_placed(items, points[0], least, forms[points[0].distance], one_group)
    return Linear(items, points, least, forms)


def of_placed(items: Items, point: Point, least: int | Array, form: Form, groups: Groups) -> Linear:
    """Return a point over the numbers that the categories stand for, group by group."""
    placed = Placed(items, form.values[:, 0], groups)
    return Linear(placed, [point], least, {point.distance: placed.form})


def of_numbers(annotations: Annotations, points: Sequence[Point]) -> bool:
    """Return whether the points can use numbers that are not counted into categories."""
    uncounted = annotations.uncounted and annotations.numbers is not None
    return uncounted and need_no_categories(points)


def need_no_categories(points: Sequence[Point]) -> bool:
    """Return whether all distances are differences and chance needs no categories."""
    return all(
        point.distance.differences and not point.chance.counts_categories for point in points
    )


def bound_forms(annotations: Annotations, points: Sequence[Point]) -> dict[Distance, Form]:
    """Bind the distances of some points to the categories; distances of ranks are only checked.

    Ranks are computed again for each resample.
    """
    ones = np.ones(len(annotations.labels))
    return {
        distance: distance.bind(
            annotations.labels, annotations.declared, ones if distance.ranks else None
        )
        for distance in dict.fromkeys(point.distance for point in points)
    }


def reason(values: Values) -> str | None:
    """Return the reason why a coefficient of the whole data has no value."""
    if not math.isnan(values.value[0]):
        return None
    return NO_PAIRS if math.isnan(values.observed[0]) else NO_VARIATION

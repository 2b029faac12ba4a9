"""Coefficients as functions of sums that are linear in the weights of the items.

D_o is a ratio of two such sums, D_e a function of a few marginals that are such sums. So a
coefficient of any resample, of the data without an item, or its derivative in an item's weight
needs no look at the items: the columns' sums under other weights are enough. Only the ordinal
distance changes with the marginals, and its D_o takes one more pass over the judgments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from agreement_fast._kernels import _resample
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import ITEM_WEIGHTS, ArrayMarginals, beyond_chance
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import Blocks, Form, OverCategories, Rational, Squared
from agreement_fast.patterns import Rows
from agreement_fast.points import Point
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.sums.columns import (
    IN_CACHE,
    Column,
    Copied,
    Dense,
    Groups,
    Items,
    LikeItems,
    Numbers,
    pattern_items,
)
from agreement_fast.sums.of_annotations import judgments_needed


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
        """Krippendorff's ordinal metric: mid-ranks of the pairable judgments of each row."""
        return Ranked(np.cumsum(counts, -1) - counts / 2)

    def _about(self, masses: FloatArray) -> FloatArray:
        """The features less that of each row's most frequent category; as masses' shape."""
        coders = masses.ndim > 2  # those of a row share its features
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
        """Distances in each row."""
        gaps: FloatArray = (self.features[..., a] - self.features[..., b]) ** 2
        return gaps


class Sums(NamedTuple):
    """The columns' sums in R resamples."""

    #: Columns of one number an item, (R, m).
    plain: FloatArray
    #: Marginals by name: "shares" and "pairable" (R, L), "coders" (R, C, L).
    marginals: dict[str, FloatArray]
    #: Numerators of D_o under the ordinal distance, by item weight: (R,).
    ranked: dict[str, FloatArray]


class Counted(Protocol):
    """Rows as a coefficient looks at them: sizes, selfs and what else is asked have one shape."""

    sizes: FloatArray
    selfs: FloatArray

    def disagreement(self, form: Form) -> FloatArray:
        """Σ_jl n_ij n_il d_jl of each row."""


class Terms:
    """What each row adds to the sums that some points are made of, for each item it stands for.

    Arrays have the shape of the rows' sizes: (U,), or (U, R) in R resamples of the coders.

    Attributes
    ----------
    kept, counted : bool arrays
        Rows with a pair of judgments, which D_o is a mean over; rows that count in the marginals.
    plain : dict
        One number a row, by what is summed.
    marginals : dict
        The factor of a row's counts in each marginal, by its name.
    ranked : dict
        The factor of a row's pairs in D_o under the ordinal distance, by item weight.
    """

    def __init__(
        self,
        items: Counted,
        points: Sequence[Point],
        least: int | Array,
        forms: dict[Distance, Form],
    ) -> None:
        self._items = items
        pairs = items.sizes**2 - items.selfs
        self.kept = (pairs > 0) & (items.sizes >= np.maximum(2, least))
        of_pairs = isinstance(least, int) and least == 2
        self.counted = self.kept if of_pairs else items.sizes >= np.maximum(1, least)
        #: 1 / (n_i (n_i − 1)) where there is a pair.
        per_pair = np.where(self.kept, 1.0 / np.where(self.kept, pairs, 1.0), 0.0)
        self.plain: dict[Any, FloatArray] = {}
        self.marginals: dict[str, FloatArray] = {}
        self.ranked: dict[str, FloatArray] = {}
        disagreements: dict[Distance, FloatArray] = {}
        for point in points:
            weight, distance = point.item_weight, point.distance
            if weight not in self.plain:
                sizes = items.sizes ** ITEM_WEIGHTS[weight]
                self.plain[weight] = np.where(self.kept, sizes, 0.0)
            factor = self.plain[weight]
            if distance.ranks:
                self.ranked[weight] = factor * per_pair
                self._need("pairable")
            elif (distance, weight) not in self.plain:
                if distance not in disagreements:
                    disagreements[distance] = items.disagreement(forms[distance])
                self.plain[distance, weight] = disagreements[distance] * (factor * per_pair)
            for need in point.chance.needs - {"categories"}:
                if need == "shares":
                    self.plain["counted"] = self.counted.astype(np.float64)
                elif need == "pairable":
                    self.plain["selfs"] = np.where(self.kept, items.selfs, 0.0)
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
    items : Items, Numbers or LikeItems
    points : sequence of Point
    least : int, or int array of shape (U,)
        Judgments that an item needs to count at all (`incomplete`).
    forms : dict
        The points' distances bound to the categories; the ordinal one is bound anew each time.

    Attributes
    ----------
    items, points
    kept, counted : bool arrays of shape (U,)
        Rows with a pair of judgments, which D_o is a mean over; rows that count in the marginals.
    ranked : bool
        Whether a distance changes with the marginals (ordinal).
    """

    def __init__(
        self,
        items: Items | Numbers | LikeItems,
        points: Sequence[Point],
        least: int | Array,
        forms: dict[Distance, Form],
    ) -> None:
        self.items = items
        self.points = tuple(points)
        self.forms = forms
        self._least = least
        terms = Terms(items, points, least, forms)
        self.kept, self.counted = terms.kept, terms.counted
        self._plain = list(terms.plain.values())
        self._place = {key: place for place, key in enumerate(terms.plain)}
        self.marginals: dict[str, Column] = {
            name: items.marginal(factors, by_coder=name == "coders")
            for name, factors in terms.marginals.items()
        }
        self._ranked = terms.ranked
        self._totals: dict[Form, tuple[float, float]] = {}
        self.ranked = bool(self._ranked)
        self._columns = Dense(np.stack(self._plain, axis=1))
        #: Numbers that one resample's sums are.
        self.width = len(self._plain) + sum(
            int(np.prod(column.shape)) for column in self.marginals.values()
        )

    @property
    def of_pairs(self) -> bool:
        """Whether all points are."""
        return all(point.of_pairs for point in self.points)

    def by_sample(self) -> list[tuple[Linear, Array]]:
        """The points by what they are samples of, with their places: itself, or two of its kind."""
        of_pairs = np.array([point.of_pairs for point in self.points])
        singles = (self.counted & ~self.kept & (self.items.weights > 0)).any()
        if not singles or of_pairs.all() or not of_pairs.any():
            return [(self, np.arange(len(of_pairs)))]
        return [
            (Linear(self.items, [self.points[i] for i in places], self._least, self.forms), places)
            for places in (np.flatnonzero(of_pairs), np.flatnonzero(~of_pairs))
        ]

    def scale(self, form: Form) -> tuple[Any, int, Any]:
        """The total, the categories and the largest distance; found once for a form that stays."""
        k = self.items.n_categories
        if isinstance(form, Ranked):
            return form.total(), k, form.largest
        if form not in self._totals:
            self._totals[form] = (form.total(), form.largest)
        total, largest = self._totals[form]
        return total, k, largest

    def pair_steps(self) -> tuple[float, str]:
        """Pairs of categories that a resample's D_e looks at one by one, and for which distance.

        Most distances collapse; only those that need a matrix too large to hold do not.
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

    def sums(self, weights: FloatArray) -> Sums:
        """The sums under weights of shape (U, R). O(judgments · R)."""
        marginals = {name: column.totals(weights) for name, column in self.marginals.items()}
        return Sums(self._columns.totals(weights), marginals, self._ranked_sums(weights, marginals))

    def _ranked_sums(
        self, weights: FloatArray, marginals: dict[str, FloatArray]
    ) -> dict[str, FloatArray]:
        if not self._ranked:
            return {}
        items = self.items
        assert isinstance(items, Items)
        features = np.ascontiguousarray(Ranked.of(marginals["pairable"]).features.T)
        room = np.empty((2, weights.shape[1]))
        sums = {}
        for name, factors in self._ranked.items():
            sums[name] = np.zeros(weights.shape[1])
            _resample.add_squares(items.rows, factors, weights, features, room, sums[name])
        return sums

    def sums_of(self, groups: Groups) -> Sums:
        """The sums over groups of the rows, which stand for resamples. O(judgments + n · L)."""
        weights = np.where(self.counted, self.items.weights, 0).astype(np.float64)
        marginals = {
            name: column.totals_of(groups, weights) for name, column in self.marginals.items()
        }
        ranked = {}
        if self._ranked:
            ranks = Ranked.of(marginals["pairable"]).features
            for name in self._ranked:
                ranked[name] = groups.sums(weights * self.ranked_rows(name, ranks, groups))
        return Sums(self._columns.totals_of(groups, weights), marginals, ranked)

    def sums_of_copies(self, copies: FloatArray, weights: FloatArray, least: int) -> Sums:
        """The sums where coder c stands there ``copies[c, r]`` times in resample r.

        Parameters
        ----------
        copies : float64 array of shape (C, R)
            Whole numbers, for at most `LANES` resamples.
        weights : float64 array of shape (U, R) or (U, 1)
            Of the items in each resample.
        least : int
            Judgments that an item needs to count, copies being judgments, too.
        """
        items = self.items
        assert isinstance(items, Items)
        given = _resample.Copies(copies, items.rows.longest(), items.n_categories)
        plain: FloatArray | float = 0.0
        marginals: dict[str, Any] = dict.fromkeys(self.marginals, 0.0)
        ranked = []
        # As many rows as numbers that their sums are, so that adding these up costs no more.
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
        """The columns themselves, rows standing for resamples; without what ranks ask for."""
        marginals = {name: column.rows(first, last) for name, column in self.marginals.items()}
        return Sums(self._columns.rows(first, last), marginals, {})

    # ------------------------------------------------------------------ values

    def values(self, sums: Sums) -> list[Values]:
        """Each point's coefficient in each resample."""
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
        expected = point.chance.expected(self.marginals_of(sums), form)
        expected = np.broadcast_to(expected, pairs.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = disagreement / np.where(pairs > 0, pairs, np.nan)
        return Values(beyond_chance(observed, expected), observed, expected)

    def plain(self, sums: Sums, key: Any) -> FloatArray:
        """A sum by what was summed."""
        column: FloatArray = sums.plain[:, self._place[key]]
        return column

    def column(self, key: Any) -> FloatArray:
        """What each pattern adds to a plain sum: (U,)."""
        return self._plain[self._place[key]]

    def ranked_factors(self, item_weight: str) -> FloatArray:
        """The factor of each pattern's pairs in D_o under the ordinal distance: (U,)."""
        return self._ranked[item_weight]

    def ranked_rows(
        self, item_weight: str, ranks: FloatArray, groups: Groups | None = None
    ) -> FloatArray:
        """What each pattern adds to the numerator of D_o for given ranks, or its group's: (U,)."""
        if groups is None:
            disagreement = self.items.disagreement(Squared(ranks[:, None]))
        else:
            assert isinstance(self.items, Items)
            disagreement = self.items.squared_gaps(ranks, groups)
        return disagreement * self._ranked[item_weight]

    def marginals_of(self, sums: Sums, resample: int | slice = slice(None)) -> Resampled:
        """What chance models ask for, of all resamples or of one."""
        return Resampled(self, sums, resample)


class Resampled(ArrayMarginals):
    """The marginals of resamples, or of one, which has no leading axis then."""

    def __init__(self, made: Linear, sums: Sums, resample: int | slice) -> None:
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
        counts: FloatArray = self._sums.marginals["pairable"][self._resample]
        return counts

    def pairs(self) -> Any:
        counts = self.counts()
        return self._made.items.mass(counts) ** 2 - self._plain("selfs")

    def each(self) -> FloatArray:
        each: FloatArray = self._sums.marginals["coders"][self._resample]
        return each


def sum_rows(values: FloatArray) -> FloatArray:
    """The sum over the first axis, by halves: rounding hardly grows with its length."""
    while len(values) > 1:
        half = len(values) // 2
        last = values[2 * half :]
        values = values[:half] + values[half : 2 * half]
        values[: len(last)] += last
    total: FloatArray = values.sum(0)
    return total


def linear(
    annotations: Annotations,
    points: Sequence[Point],
    incomplete: str,
    *,
    rows: Rows | None = None,
    coders: bool = False,
    drawn: bool = True,
) -> Linear:
    """Points of the cube over the patterns of some annotations.

    Parameters
    ----------
    rows : Rows, optional
        Other rows than the patterns: the stored ones, for labels that belong to them.
    coders : bool
        Keep who judged even where no coefficient asks for it.
    drawn : bool
        Whether single items count. False is for what is a sum of squares over the items, which
        rows that are like them have, too.
    """
    by_coder = coders or any(point.chance.knows_coders for point in points)
    if by_coder:
        annotations.known_coders("what looks at single coders (κ, β, draws of coders)")
    least = judgments_needed(annotations, incomplete)
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
        items = pattern_items(annotations, by_coder)
    else:
        items = Items(rows, len(annotations.labels), annotations.n_coders)
    return Linear(items, points, least, bound_forms(annotations, points))


def of_numbers(annotations: Annotations, points: Sequence[Point]) -> bool:
    """Whether some points need no categories of numbers that nobody has counted."""
    uncounted = annotations.uncounted and annotations.numbers is not None
    return uncounted and need_no_categories(points)


def need_no_categories(points: Sequence[Point]) -> bool:
    """Whether the distances of some points are differences, and chance counts no categories."""
    return all(
        point.distance.differences and not point.chance.counts_categories for point in points
    )


def bound_forms(annotations: Annotations, points: Sequence[Point]) -> dict[Distance, Form]:
    """The distances of some points bound to the categories; those of ranks are only checked.

    Ranks are found again for each resample.
    """
    ones = np.ones(len(annotations.labels))
    return {
        distance: distance.bind(
            annotations.labels, annotations.declared, ones if distance.ranks else None
        )
        for distance in dict.fromkeys(point.distance for point in points)
    }


def reason(values: Values) -> str | None:
    """Why a coefficient of the whole data has no value."""
    if not math.isnan(values.value[0]):
        return None
    return NO_PAIRS if math.isnan(values.observed[0]) else NO_VARIATION

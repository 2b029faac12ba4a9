"""Coefficients of subsets of coders, for complete judgments and for incomplete ones.

Let f be a symmetric matrix over the coders and f(S) the sum of f_ab over the pairs a < b in S and
of f_aa over S. With M_ab = Σ_i w_i d(x_ia, x_ib) and n_a the counts of coder a, the observed
disagreement of S is M(S) divided by a number that only depends on the size of S. Chance models use
such sums, too: n_a D n_b without the diagonal for individual coders, with it (halved) for pooled
ones. If the model is affine, the coefficient is 1 − X(S) / (p + q Y(S)), and one table of f(S)
serves millions of subsets: f(S) = f(high) + f(low) + the pairs between them.

The weight of an item in a subset depends on the number n_i of judgments by its coders, so each
subset needs a pass over the items. It gives the sums of n_ij n_il / (n_i (n_i − 1)), which do not
depend on the distance (the ordinal one depends on the subset), of n_ik / n_i and of n_ik. Counts
n_ik come from tables for every pattern of a few coders, one byte each, and the sums are taken over
many items at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast._kernels import _subsets
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.chance import Marginals, beyond_chance
from agreement_fast.distances import Distance, nominal
from agreement_fast.distances.forms import Form, table_of
from agreement_fast.distances.sums.categories import LEAST
from agreement_fast.distances.sums.linear import Ranked
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows, as_table, pair_tables
from agreement_fast.points import Point

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


#: The most coders in a mask.
MOST_CODERS = 63

#: Coders of the lower half of a mask, whose subsets are summed at once: they stay in cache.
LOW = 12


def masks_between(first: int, last: int, size: int, n_coders: int) -> Array:
    """Return the masks of the subsets `first` to `last` − 1 of a size: uint64."""
    out = np.empty(last - first, np.uint64)
    start = masks_of(np.array([first]), size, n_coders)
    _subsets.combinations(int(start[0]), out)
    return out


def masks_of(numbers: Array, size: int, n_coders: int) -> Array:
    """Return the masks of subsets given by number: uint64. O(numbers · coders)."""
    rest = numbers.astype(np.int64)
    left = np.full(len(rest), size)
    out = np.zeros(len(rest), np.uint64)
    for coder in range(n_coders - 1, -1, -1):
        # The number of subsets with all their remaining coders below this one.
        below = np.array([comb(coder, k) for k in range(size + 1)], np.int64)[left]
        taken = (left > 0) & (below <= rest)
        rest -= np.where(taken, below, 0)
        left -= taken
        out |= taken.astype(np.uint64) << np.uint64(coder)
    return out


def sampled(size: int, n_coders: int, n: int, rng: np.random.Generator) -> Array:
    """Draw the numbers of `n` different subsets of a size uniformly; they are ascending."""
    return np.sort(rng.choice(comb(n_coders, size), n, replace=False, shuffle=False))


def mask_bits(masks: Array, n_coders: int) -> FloatArray:
    """Mark the coders of each subset with 1.0: float64 of shape (B, C)."""
    bits = (masks[:, None] >> np.arange(n_coders, dtype=np.uint64)) & np.uint64(1)
    return bits.astype(np.float64)


@dataclass(frozen=True, eq=False, slots=True)
class Halves:
    """All subsets as pairs of a subset of the high coders and one of the `low` lowest."""

    n_coders: int
    low: int
    #: The subsets of the low coders, by size: uint64 array of shape (2 ** low,).
    order: Array
    #: The place of the first subset of each size: int32 array of shape (low + 2,).
    runs: Array

    @classmethod
    def of(cls, n_coders: int) -> Halves:
        low = min(n_coders, LOW)
        every = np.arange(1 << low, dtype=np.uint64)
        sizes = mask_bits(every, low).sum(1).astype(np.int64)
        runs = np.concatenate([[0], np.cumsum(np.bincount(sizes, minlength=low + 1))])
        return cls(n_coders, low, every[np.argsort(sizes, kind="stable")], runs.astype(np.int32))

    @property
    def n_high(self) -> int:
        """Number of subsets of the high coders."""
        return 1 << (self.n_coders - self.low)

    def masks(self, first: int, last: int) -> Array:
        """Return the masks whose high parts are `first` to `last` - 1."""
        high = np.arange(first, last, dtype=np.uint64) << np.uint64(self.low)
        return (high[:, None] | self.order).reshape(-1)

    def layout(self, first: int, last: int) -> tuple[Array, Array]:
        """Return the starts of runs of one size, int64, and these sizes, int32."""
        high = np.arange(first, last)
        sizes = mask_bits(high.astype(np.uint64), self.n_coders - self.low).sum(1).astype(np.int32)
        n_low = len(self.order)
        starts = (np.arange(len(high)) * n_low)[:, None] + self.runs[:-1]
        each = sizes[:, None] + np.arange(self.low + 1, dtype=np.int32)
        starts = np.append(starts.reshape(-1), len(high) * n_low)
        return starts.astype(np.int64), each.reshape(-1).astype(np.int32)


#: The most categories for which a table of every pair of coders is made.
FEW_CATEGORIES = 64

#: The most categories that some coders do not use; every set of them is treated separately.
MOST_RARE = 10

#: The most categories for which a distance is a matrix.
SOME_CATEGORIES = 1 << 10

#: High parts whose values are computed at a time, so that they stay in cache.
GROUP = 8


class Complete:
    """Values of some coefficients, from sums over pairs of coders."""

    block = 1 << 13

    def __init__(
        self, annotations: Annotations, table: Array, weights: Array | None, points: list[Point]
    ) -> None:
        self.n_coders = table.shape[1]
        self._rows = as_table(table, weights)
        self._counts = _marginals(table, weights, len(annotations.labels)).astype(np.float64)
        n_items = float(len(table) if weights is None else weights.sum())
        self._sums: list[FloatArray] = []
        #: The place of each sum, by its kind and distance.
        self._places: dict[tuple[str, Distance], int] = {}
        self._forms: dict[Distance, Form] = {}
        self._annotations = annotations
        # Find the categories that subsets may lack, if that makes a difference
        used = _marginals(table, None, self._counts.shape[1]) > 0
        rare = np.flatnonzero(~used.all(0) & _matters(self._annotations, points))
        #: The mask of those that each coder uses.
        bits = np.int64(1) << np.arange(len(rare))
        self._coder_sets = (used[:, rare] * bits).sum(1)
        #: Whether each category occurs, (2^rare, K), for each set of rare categories.
        self._sets = np.ones((1 << len(rare), used.shape[1]), bool)
        self._sets[:, rare] = np.arange(len(self._sets))[:, None] & bits > 0
        sizes = np.arange(self.n_coders + 1.0)
        sizes[:2] = np.nan
        shape = (len(self._sets), len(sizes))
        with np.errstate(invalid="ignore"):  # no category
            parts = [self._parts(point, n_items, sizes) for point in points]
        self._ratios = _subsets.Ratios(
            np.array([[x, y] for x, y, _, _ in parts], np.int64),
            np.array([np.broadcast_to(p, shape) for _, _, p, _ in parts]),
            np.array([np.broadcast_to(q, shape) for _, _, _, q in parts]),
        )
        self._triangles = [np.triu(f) for f in self._sums]

    @staticmethod
    def suits(
        annotations: Annotations,
        table: Array,
        weights: Array | None,
        points: Sequence[Point],
    ) -> bool:
        """Whether all coders judged all items, and distances are the same for all subsets."""
        if not len(table) or (table < 0).any() or (weights is not None and not weights.any()):
            return False
        if any(point.distance.ranks or not point.chance.affine for point in points):
            return False
        if not _matters(annotations, points):
            return True
        used = _marginals(table, None, len(annotations.labels)) > 0
        n_rare = int(np.count_nonzero(~used.all(0)))
        return used.shape[1] <= FEW_CATEGORIES and n_rare <= MOST_RARE

    def _sets_of(self, bits: FloatArray) -> Array:
        """Return the rare categories that subsets of the first coders use, given by their bits."""
        sets = np.zeros(len(bits), np.int64)
        for column, rare in zip(bits.T, self._coder_sets.tolist(), strict=False):
            if rare:
                sets |= np.where(column > 0, rare, 0)
        return sets

    # ------------------------------------------------------------------ the sums

    def _parts(self, point: Point, n_items: float, s: FloatArray) -> tuple[int, int, Any, Any]:
        """The sums X and Y of 1 − X / (p + q Y), and p and q by size s."""
        model, distance = point.chance, point.distance
        form = self._form(distance)
        scale = self._scale(distance) if model.counts_categories else (np.nan,) * 3
        # D_e at Y = 0 and at another Y tells p and q; one of the size that Y has keeps the digits
        most = (n_items * s) ** 2 / 2
        none, some = OfSums(n_items, s, 0 * s, scale), OfSums(n_items, s, most, scale)
        p = model.expected(none, form)
        q = (model.expected(some, form) - p) / most
        # X counts unordered pairs: D_o = 2 X / (n s (s − 1)), and p + q Y is D_e in that unit
        unit = n_items * s * (s - 1) / 2
        x = self._sum("observed", distance)
        y = x
        if none.needed is not None:
            y = self._sum(none.needed, distance if none.of_distance else nominal)
        return x, y, unit * p, unit * q

    def _scale(self, distance: Distance) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Σ_jl d_jl, k and max d_jl for each set of categories, in columns."""
        form, K = self._form(distance), self._counts.shape[1]
        if len(self._sets) == 1:
            result = np.array([[[form.total()]], [[K]], [[form.largest]]])
        else:
            d = table_of(form.between, K)
            inside = [d[np.ix_(chosen, chosen)] for chosen in self._sets]
            result = np.array([[[x.sum(), len(x), x.max(initial=0.0)] for x in inside]]).T
        return result[0], result[1], result[2]

    def _form(self, distance: Distance) -> Form:
        if distance not in self._forms:
            annotations = self._annotations
            self._forms[distance] = distance.bind(annotations.labels, annotations.declared)
        return self._forms[distance]

    def _sum(self, what: str, distance: Distance) -> int:
        """The place of a sum over pairs of coders, which is made on first use."""
        key = (what, distance)
        if key not in self._places:
            if what == "observed":
                f = _disagreements(self._rows, self._counts.shape[1], self._form(distance))
            else:
                # n_a D n_b
                counts, form = self._counts, self._form(distance)
                if counts.shape[1] <= SOME_CATEGORIES:
                    f = counts @ table_of(form.between, counts.shape[1]) @ counts.T
                else:
                    f = np.array([form.bilinear(a[None], counts) for a in counts])
                np.fill_diagonal(f, np.diagonal(f) / 2 if what == "pooled" else 0.0)
            self._places[key] = len(self._sums)
            self._sums.append(f)
        return self._places[key]

    # ------------------------------------------------------------------ the values

    def values(self, masks: Array, size: int) -> FloatArray:
        """The coefficients of some subsets of one size, float64 of shape (M, B). O(B · C²)."""
        bits = mask_bits(masks, self.n_coders)
        sums = np.empty((len(self._sums), len(masks)))
        inner = np.empty_like(bits)
        for f, out in zip(self._triangles, sums, strict=True):
            _subsets.coder_sums(masks, f, inner)
            inner *= bits
            inner.sum(1, out=out)
        sets, ratios = self._sets_of(bits), self._ratios
        x, y = sums[ratios.sums.T]
        expected = ratios.p[:, sets, size] + ratios.q[:, sets, size] * y
        with np.errstate(divide="ignore", invalid="ignore"):
            values: FloatArray = 1.0 - x / expected
        values[~(expected > 0)] = np.nan
        return values

    def split(self, halves: Halves) -> Split:
        """The sums over every subset of the low coders, and what high ones add to them."""
        low = halves.low
        bits = mask_bits(halves.order, low)
        base, columns, crossed = [], [], []
        inner, across = np.empty_like(bits), np.empty((len(bits), self.n_coders - low))
        for f, triangle in zip(self._sums, self._triangles, strict=True):
            _subsets.coder_sums(halves.order, np.ascontiguousarray(triangle[:low, :low]), inner)
            base.append((inner * bits).sum(1))
            _subsets.coder_sums(halves.order, np.ascontiguousarray(f[:low, low:]), across)
            columns.append(across.T + np.diagonal(f)[low:, None])
            crossed.append(f[low:, low:])
        parts = _subsets.Split(
            np.array(columns, order="C"),
            np.array(crossed, order="C"),
            halves.runs,
            self._sets_of(bits),
            self._coder_sets[low:],
        )
        return Split(halves, np.array(base), parts)

    def walk(self, split: Split, first: int, last: int) -> Iterator[tuple[int, int, FloatArray]]:
        """The coefficients of all subsets whose high parts are `first` to `last` − 1.

        Yields (from, to, values of shape (M, 2^low · (to − from))), which the next step overwrites.
        O(1) a subset.
        """
        n_sums, n_high, n_low = split.parts.columns.shape
        levels = np.empty((n_sums, n_high + 1, n_low))
        levels[:, n_high] = split.base
        # high parts are a power of two, so that all groups are of one length
        group = min(GROUP, last - first)
        values = np.empty((len(self._ratios.sums), group * n_low))
        for begin in range(first, last, group):
            end = begin + group
            _subsets.sum_halves(split.parts, self._ratios, begin, end, levels, values)
            yield begin, end, values


class OfSums(Marginals):
    """The marginals of subsets of each size s, from the one sum over pairs that a model uses."""

    def __init__(
        self, n_items: float, s: FloatArray, y: FloatArray, scale: tuple[Any, Any, Any]
    ) -> None:
        self._n, self._s, self._y, self._scale = n_items, s, y, scale
        #: The sum that the model used: {"individual", "pooled"} or None.
        self.needed: str | None = None
        #: Whether it is a sum over the distance, rather than over the nominal one.
        self.of_distance = True

    def scale(self, form: Form) -> tuple[Any, Any, Any]:
        return self._scale

    def _bilinear(self, what: str) -> FloatArray:
        # Both orders of a pair of coders, and the halves of the diagonal.
        self.needed = what
        return 2 * self._y

    def pooled(self, form: Form) -> FloatArray:
        return self._bilinear("pooled") / (self._n * self._s) ** 2

    def pairable(self, form: Form) -> tuple[FloatArray, FloatArray]:
        n = self._n * self._s
        return self._bilinear("pooled"), n * (n - 1)

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return self._bilinear("individual"), self._n**2 * self._s * (self._s - 1)

    def variety(self) -> FloatArray:
        self.of_distance = False
        return self._bilinear("pooled") / (self._n * self._s) ** 2

    def unevenness(self, k: Any) -> FloatArray:
        # The shares add up to 1.
        return np.asarray(1 - 1 / np.maximum(k, 1) - self.variety())


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Sums over pairs of coders, cut into low and high ones; see `_subsets.sum_halves`."""

    halves: Halves
    #: The sums over every subset of the low coders, float64 of shape (S, 2 ** low).
    base: FloatArray
    parts: _subsets.Split


def _matters(annotations: Annotations, points: Sequence[Point]) -> bool:
    """Whether a coefficient depends on which categories a subset uses: S and AC, undeclared."""
    requested = any(point.chance.counts_categories for point in points)
    return requested and not annotations.declared


def _marginals(table: Array, weights: Array | None, n_categories: int) -> Array:
    """n_ck of a table without missing judgments."""
    return np.array(
        [
            np.bincount(column, weights, minlength=n_categories).astype(np.int64)
            for column in table.T
        ]
    )


def _disagreements(rows: Rows, n_categories: int, form: Form) -> FloatArray:
    """M_ab: the sum over items of the distance between what two coders said, float64 (C, C)."""
    n_coders = rows.width
    out = np.zeros((n_coders, n_coders))
    above = np.triu_indices(n_coders, 1)
    if n_categories <= FEW_CATEGORIES:
        d = table_of(form.between, n_categories)
        out[above] = (pair_tables(rows, n_coders, n_categories) * d).sum((1, 2))
    else:
        columns = np.ascontiguousarray(rows.table().T)
        for a, b in zip(*above, strict=True):
            gaps = form.between(columns[a], columns[b])
            out[a, b] = gaps.sum() if rows.weights is None else (gaps * rows.weights).sum()
    return out + out.T


#: The most categories for which counts are kept.
MOST_CATEGORIES = 127

#: Bytes of a table of counts, which stays in cache.
TABLE = 1 << 18

#: The most sums of pairs of categories that are held at a time.
ROOM = 1 << 19


@dataclass(eq=False, slots=True)
class Sums:
    """Sums over the items for B subsets of `size` coders, K categories and P pairs of them."""

    #: Uint64 array of shape (B,).
    masks: Array
    #: Coders in each, and the fewest judgments of an item that count.
    size: int
    least: int
    #: Items with `least` judgments, with two, and the judgments of these: float64 arrays of shape
    #: (B,).
    items: FloatArray
    pairable: FloatArray
    judgments: FloatArray
    #: Σ w n_k / n over the former, Σ w n_k over the latter: float64 arrays of shape (B, K).
    shares: FloatArray
    counts: FloatArray
    #: Σ w n_j n_l / (n (n − 1)) and Σ w n_j n_l / (n − 1): float64 array of shape (B, 2, P).
    pairs: FloatArray


class WithGaps:
    """Values of some coefficients, from counts of judgments in each item."""

    def __init__(
        self,
        annotations: Annotations,
        table: Array,
        weights: Array | None,
        points: list[Point],
        incomplete: Incomplete,
    ) -> None:
        self.n_coders = table.shape[1]
        self.table = np.ascontiguousarray(table, np.int8)
        self.weights = np.ones(len(table)) if weights is None else weights.astype(np.float64)
        self._points = points
        self._least = LEAST.get(incomplete)
        self.declared = annotations.declared
        self._n_categories = K = len(annotations.labels)
        self.first, self.second = np.triu_indices(K, 1)
        cost = len(table) * K * (K + 10)
        self.block = min(4096, max(32, (1 << 28) // max(cost, 1)))
        self._forms = {
            point.distance: point.distance.bind(annotations.labels, annotations.declared)
            for point in points
            if not point.distance.ranks
        }
        #: Which categories each coder used, and how often, and products of these.
        used = np.array([[(column == k).any() for k in range(K)] for column in table.T])
        self.used = used.astype(np.float64)
        n = np.array([[self.weights[column == k].sum() for k in range(K)] for column in table.T])
        self.features = np.hstack([n, n[:, self.first] * n[:, self.second], n.sum(1)[:, None] ** 2])

    # ------------------------------------------------------------------ sums over items

    def values(self, masks: Array, size: int) -> FloatArray:
        """The coefficients of some subsets of one size, float64 of shape (M, B). O(B · N · K²)."""
        out = np.empty((len(self._points), len(masks)))
        step = max(32, ROOM // max(1, 2 * len(self.first)))
        for begin in range(0, len(masks), step):
            some = slice(begin, begin + step)
            sums = self._sums(masks[some], size)
            for m, point in enumerate(self._points):
                distance = point.distance
                form: Form = Ranked.of(sums.counts) if distance.ranks else self._forms[distance]
                d = form.between(self.first, self.second)
                pairs = sums.pairs[:, 0 if point.item_weight == "items" else 1]
                mass = sums.pairable if point.item_weight == "items" else sums.judgments
                expected = point.chance.expected(OfSubsets(self, sums), form)
                with np.errstate(divide="ignore", invalid="ignore"):
                    observed = 2 * (pairs * d).sum(1) / mass
                out[m, some] = np.where(
                    sums.pairable > 0, beyond_chance(observed, expected), np.nan
                )
        return out

    def _sums(self, masks: Array, size: int) -> Sums:
        B, K, tile = len(masks), self._n_categories, _subsets.TILE
        least = size if self._least is None else self._least
        bits = max(1, (TABLE // (K * tile)).bit_length() - 1)
        firsts = range(0, self.n_coders, bits)
        tables = np.zeros((len(firsts), 1 << bits, K * tile), np.uint8)
        weights, counts = np.zeros(tile), np.empty((3, K * tile), np.uint8)
        items_of_tile = _subsets.Tile(tables, weights, counts, np.ones((K + 9, tile)))
        totals, labels = np.zeros((B, 3)), np.zeros((B, 2 * K))
        pairs = np.zeros((B, 2, max(1, len(self.first))))
        out = _subsets.Sums(totals, labels, pairs)
        for begin in range(0, len(self.table), tile):
            some = self.table[begin : begin + tile]
            weights[: len(some)] = self.weights[begin : begin + tile]
            weights[len(some) :] = 0
            for first, table in zip(firsts, tables, strict=True):
                _subsets.count_table(some, first, min(bits, self.n_coders - first), K, table)
            _subsets.sum_counts(masks, items_of_tile, least, out)
        items, pairable, judgments = totals.T
        return Sums(
            masks, size, least, items, pairable, judgments, labels[:, :K], labels[:, K:],
            pairs[..., : len(self.first)],
        )  # fmt: skip


class OfSubsets(Marginals):
    """The marginals of subsets of the coders: leading axis B."""

    def __init__(self, engine: WithGaps, sums: Sums) -> None:
        self._engine, self._sums = engine, sums

    def shares(self) -> FloatArray:
        items: FloatArray = self._sums.items
        return np.asarray(self._sums.shares / np.maximum(items, 1)[:, None])

    def counts(self) -> FloatArray:
        return self._sums.counts

    def pairs(self) -> FloatArray:
        n = self._sums.judgments
        return np.asarray(n * (n - 1))

    def used(self) -> Array:
        """Which categories there are in each subset: bool (B, K), or (1, K) if all."""
        used = np.ones((1, self._sums.counts.shape[1]))
        if not self._engine.declared:
            used = np.empty(self._sums.counts.shape)
            _subsets.coder_sums(self._sums.masks, self._engine.used, used)
        return used > 0

    def scale(self, form: Form) -> tuple[FloatArray, FloatArray, FloatArray]:
        used, first, second = self.used(), self._engine.first, self._engine.second
        # d_jl for j < l: (1, P), or (B, P) if it differs from subset to subset
        d = np.atleast_2d(form.between(first, second))
        both = np.where(used[:, first] & used[:, second], d, 0.0)
        return 2 * both.sum(1), used.sum(1).astype(np.float64), both.max(1, initial=0.0)

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        sums, engine = self._sums, self._engine
        first, second, (B, K) = engine.first, engine.second, sums.counts.shape
        if sums.least == 1:
            # All judgments of a coder count in every subset.
            added = np.empty((B, engine.features.shape[1]))
            _subsets.coder_sums(sums.masks, engine.features, added)
            n, own, squares = added[:, :K], added[:, K:-1], added[:, -1]
        else:
            each = np.zeros((B, engine.n_coders, K))
            # Who judged each item, as a mask
            every = np.arange(engine.n_coders, dtype=np.uint64)
            bits = (engine.table >= 0).astype(np.uint64) << every
            judged = np.asarray(bits.sum(1, dtype=np.uint64))
            counted = (sums.masks, sums.least, each)
            _subsets.coder_counts(engine.table, judged, engine.weights, *counted)
            n = each.sum(1)
            own = (each[:, :, first] * each[:, :, second]).sum(1)
            squares = (each.sum(2) ** 2).sum(1)
        d = np.atleast_2d(form.between(first, second))
        between = (n[:, first] * n[:, second] - own) * d
        return 2 * between.sum(1), n.sum(1) ** 2 - squares

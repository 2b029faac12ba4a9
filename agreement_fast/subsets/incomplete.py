"""Coefficients of subsets of coders who did not all judge everything: sums over the items.

The weight of an item in a subset depends on the number n_i of judgments by its coders, so each
subset needs a pass over the items. It gives the sums of n_ij n_il / (n_i (n_i − 1)), which do not
depend on the distance (the ordinal one depends on the subset), of n_ik / n_i and of n_ik. Counts
n_ik come from tables for every pattern of a few coders, one byte each, and the sums are taken over
many items at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agreement_fast._kernels import _subsets
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import ArrayMarginals, beyond_chance
from agreement_fast.distances.forms import Form
from agreement_fast.points import Point
from agreement_fast.sums.linear import Ranked

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations

#: The most categories for which counts are kept.
MOST_CATEGORIES = 127

#: Bytes of a table of counts, which stays in cache.
TABLE = 1 << 18

#: The most sums of pairs of categories that are held at a time.
ROOM = 1 << 19

#: The fewest judgments of an item that counts; with "complete" it is the number of coders.
LEAST = {"published": 1, "pairable": 2}


@dataclass(eq=False, slots=True)
class Sums:
    """Sums over the items for B subsets of `size` coders, K categories and P pairs of them.

    Attributes
    ----------
    masks : uint64 array of shape (B,)
    size, least : int
        Coders in each, and the fewest judgments of an item that count.
    items, pairable, judgments : float64 arrays of shape (B,)
        Items with `least` judgments, with two, and the judgments of these.
    shares, counts : float64 arrays of shape (B, K)
        Σ w n_k / n over the former, Σ w n_k over the latter.
    pairs : float64 array of shape (B, 2, P)
        Σ w n_j n_l / (n (n − 1)) and Σ w n_j n_l / (n − 1).
    """

    masks: Array
    size: int
    least: int
    items: FloatArray
    pairable: FloatArray
    judgments: FloatArray
    shares: FloatArray
    counts: FloatArray
    pairs: FloatArray


class Incomplete:
    """Values of some coefficients, from counts of judgments in each item."""

    def __init__(
        self,
        annotations: Annotations,
        table: Array,
        weights: Array | None,
        points: list[Point],
        incomplete: str,
    ) -> None:
        self.n_coders = table.shape[1]
        self._table = np.ascontiguousarray(table, np.int8)
        self._weights = np.ones(len(table)) if weights is None else weights.astype(np.float64)
        self._points = points
        self._least = LEAST.get(incomplete)
        self._annotations = annotations
        self._n_categories = K = len(annotations.labels)
        self._first, self._second = np.triu_indices(K, 1)
        cost = len(table) * K * (K + 10)
        self.block = min(4096, max(32, (1 << 28) // max(cost, 1)))
        self._forms = {
            point.distance: point.distance.bind(annotations.labels, annotations.declared)
            for point in points
            if not point.distance.ranks
        }
        #: Which categories each coder used, and how often, and products of these.
        used = np.array([[(column == k).any() for k in range(K)] for column in table.T])
        self._used = used.astype(np.float64)
        n = np.array([[self._weights[column == k].sum() for k in range(K)] for column in table.T])
        self._features = np.hstack(
            [n, n[:, self._first] * n[:, self._second], n.sum(1)[:, None] ** 2]
        )

    # ------------------------------------------------------------------ sums over items

    def values(self, masks: Array, size: int) -> FloatArray:
        """The coefficients of some subsets of one size, float64 of shape (M, B). O(B · N · K²)."""
        out = np.empty((len(self._points), len(masks)))
        step = max(32, ROOM // max(1, 2 * len(self._first)))
        for begin in range(0, len(masks), step):
            some = slice(begin, begin + step)
            sums = self._sums(masks[some], size)
            for m, point in enumerate(self._points):
                out[m, some] = self._values(sums, point)
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
        pairs = np.zeros((B, 2, max(1, len(self._first))))
        out = _subsets.Sums(totals, labels, pairs)
        for begin in range(0, len(self._table), tile):
            some = self._table[begin : begin + tile]
            weights[: len(some)] = self._weights[begin : begin + tile]
            weights[len(some) :] = 0
            for first, table in zip(firsts, tables, strict=True):
                _subsets.count_table(some, first, min(bits, self.n_coders - first), K, table)
            _subsets.sum_counts(masks, items_of_tile, least, out)
        items, pairable, judgments = totals.T
        return Sums(
            masks, size, least, items, pairable, judgments, labels[:, :K], labels[:, K:],
            pairs[..., : len(self._first)],
        )  # fmt: skip

    # ------------------------------------------------------------------ coefficients

    def _values(self, sums: Sums, point: Point) -> FloatArray:
        distance = point.distance
        form: Form = Ranked.of(sums.counts) if distance.ranks else self._forms[distance]
        d = form.between(self._first, self._second)
        pairs = sums.pairs[:, 0 if point.item_weight == "items" else 1]
        mass = sums.pairable if point.item_weight == "items" else sums.judgments
        expected = point.chance.expected(OfSubsets(self, sums), form)
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = 2 * (pairs * d).sum(1) / mass
        return np.where(sums.pairable > 0, beyond_chance(observed, expected), np.nan)

    def judgments_of_coders(self, sums: Sums, d: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Σ_{m ≠ n} n_m D n_n and Σ_{m ≠ n} n_m n_n over the coders of each subset."""
        K = self._n_categories
        if sums.least == 1:
            # All judgments of a coder count in every subset.
            added = np.empty((len(sums.masks), self._features.shape[1]))
            _subsets.coder_sums(sums.masks, self._features, added)
            n, own, squares = added[:, :K], added[:, K:-1], added[:, -1]
        else:
            each = np.zeros((len(sums.masks), self.n_coders, K))
            judged = self._judged()
            _subsets.coder_counts(self._table, judged, self._weights, sums.masks, sums.least, each)
            n = each.sum(1)
            own = (each[:, :, self._first] * each[:, :, self._second]).sum(1)
            squares = (each.sum(2) ** 2).sum(1)
        between = (n[:, self._first] * n[:, self._second] - own) * d
        return 2 * between.sum(1), n.sum(1) ** 2 - squares

    def _judged(self) -> Array:
        """Who judged each item, as a mask."""
        bits = (self._table >= 0).astype(np.uint64) << np.arange(self.n_coders, dtype=np.uint64)
        return np.asarray(bits.sum(1, dtype=np.uint64))

    def used(self, sums: Sums) -> Array:
        """Which categories there are in each subset: bool (B, K), or (1, K) if all."""
        used = np.ones((1, self._n_categories))
        if not self._annotations.declared:
            used = np.empty((len(sums.masks), self._n_categories))
            _subsets.coder_sums(sums.masks, self._used, used)
        return used > 0

    def scale(self, sums: Sums, d: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Σ_jl d_jl, k and max d_jl over the categories of each subset."""
        there = self.used(sums)
        both = np.where(there[:, self._first] & there[:, self._second], d, 0.0)
        return 2 * both.sum(1), there.sum(1).astype(np.float64), both.max(1, initial=0.0)

    def between(self, form: Form) -> FloatArray:
        """Return d_jl for j < l: (P,), or (B, P) if it differs from subset to subset."""
        return np.atleast_2d(form.between(self._first, self._second))


class OfSubsets(ArrayMarginals):
    """The marginals of subsets of the coders: leading axis B."""

    def __init__(self, engine: Incomplete, sums: Sums) -> None:
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
        return self._engine.used(self._sums)

    def scale(self, form: Form) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self._engine.scale(self._sums, self._engine.between(form))

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return self._engine.judgments_of_coders(self._sums, self._engine.between(form))

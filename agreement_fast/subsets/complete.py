"""Coefficients of subsets of coders who all judged everything: sums over pairs of coders.

Let f be a symmetric matrix over the coders and f(S) the sum of f_ab over the pairs a < b in S and
of f_aa over S. With M_ab = Σ_i w_i d(x_ia, x_ib) and n_a the counts of coder a, the observed
disagreement of S is M(S) over a number that only depends on the size of S, and so are the expected
ones: n_a D n_b without the diagonal for individual coders, with it (halved) for pooled ones, that
of the nominal distance for Gwet's. So every coefficient is 1 − X(S) / (p + q Y(S)), and one table
of f(S) serves millions of subsets: f(S) = f(high) + f(low) + what is between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast import _subsets
from agreement_fast.distances import Distance, nominal
from agreement_fast.forms import FloatArray, Form
from agreement_fast.names import Coefficient
from agreement_fast.pairs import pair_tables
from agreement_fast.rows import Rows, as_table
from agreement_fast.subsets.masks import Halves, mask_bits

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations

Array = npt.NDArray[Any]
Measure = tuple[Coefficient, Distance]

#: Categories up to which a table of every pair of coders is made.
FEW_CATEGORIES = 64

#: Categories up to which a distance is a matrix.
SOME_CATEGORIES = 1 << 10

#: High parts whose values are computed at a time, so that they stay in cache.
GROUP = 8


class Complete:
    """Values of some coefficients, from sums over pairs of coders."""

    block = 1 << 13

    def __init__(
        self, annotations: Annotations, table: Array, weights: Array | None, measures: list[Measure]
    ) -> None:
        self.n_coders = table.shape[1]
        self._rows = as_table(table, weights)
        self._counts = _marginals(table, weights, len(annotations._labels)).astype(np.float64)
        n_items = float(len(table) if weights is None else weights.sum())
        self._sums: list[FloatArray] = []
        #: Where a sum stands, by what it is of.
        self._places: dict[tuple[str, Distance], int] = {}
        self._forms: dict[Distance, Form] = {}
        self._annotations = annotations
        sizes = np.arange(self.n_coders + 1.0)
        sizes[:2] = np.nan
        parts = [self._parts(row, distance, n_items, sizes) for row, distance in measures]
        self._used = np.array([[x, y] for x, y, _, _ in parts], np.int64)
        self._p = np.array([np.broadcast_to(p, sizes.shape) for _, _, p, _ in parts])
        self._q = np.array([np.broadcast_to(q, sizes.shape) for _, _, _, q in parts])
        self._triangles = [np.triu(f) for f in self._sums]

    @staticmethod
    def suits(
        annotations: Annotations,
        table: Array,
        weights: Array | None,
        measures: Sequence[Measure],
    ) -> bool:
        """Whether all coders judged all items, and distances and k are the same for all subsets."""
        if not len(table) or (table < 0).any() or (weights is not None and not weights.any()):
            return False
        if any(distance.ranks for _, distance in measures):
            return False
        if annotations.declared or all(
            row.chance not in ("uniform", "gwet") for row, _ in measures
        ):
            return True
        used = _marginals(table, None, len(annotations._labels))
        return bool((used > 0).all())

    # ------------------------------------------------------------------ the sums

    def _parts(
        self, row: Coefficient, distance: Distance, n_items: float, s: FloatArray
    ) -> tuple[int, int, Any, Any]:
        """The sums X and Y of 1 − X / (p + q Y), and p and q by size s."""
        x = self._sum("observed", distance)
        form = self._form(distance)
        # X counts unordered pairs: D_o = 2 X / (n s (s − 1)), and p + q Y is D_e in that unit
        unit = n_items * s * (s - 1) / 2
        pooled = (n_items * s) ** 2
        match row.chance:
            case "uniform":
                k = self._counts.shape[1]
                return x, x, unit * (form.total() / k**2), 0.0
            case "individual":
                return x, self._sum("individual", distance), 0.0, 1 / n_items
            case "pooled":
                return x, self._sum("pooled", distance), 0.0, unit * 2 / pooled
            case "pooled_unbiased":
                ordered = n_items * s * (n_items * s - 1)
                return x, self._sum("pooled", distance), 0.0, unit * 2 / ordered
            case _:  # gwet: d_max (k (k − 1) − (k² − t) Σ P (1 − P)) / (k (k − 1)), t = Σ d / d_max
                k, largest = self._counts.shape[1], form.largest()
                y = self._sum("pooled", nominal)
                if k < 2 or not largest:
                    return x, y, 0.0, 0.0
                slope = largest * (k**2 - form.total() / largest) / (k * (k - 1))
                return x, y, unit * largest, -unit * slope * 2 / pooled

    def _form(self, distance: Distance) -> Form:
        if distance not in self._forms:
            annotations = self._annotations
            self._forms[distance] = distance.bind(annotations._labels, annotations.declared)
        return self._forms[distance]

    def _sum(self, what: str, distance: Distance) -> int:
        """The place of a sum over pairs of coders, which is made when first wanted."""
        key = (what, distance)
        if key not in self._places:
            if what == "observed":
                f = _disagreements(self._rows, self._counts.shape[1], self._form(distance))
            else:
                f = _products(self._counts, self._form(distance))
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
        expected = self._p[:, size, None] + self._q[:, size, None] * sums[self._used[:, 1]]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = 1.0 - sums[self._used[:, 0]] / expected
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
        arrays = (np.array(part, order="C") for part in (base, columns, crossed))
        return Split(halves, *arrays)

    def walk(self, split: Split, first: int, last: int) -> Iterator[tuple[int, int, FloatArray]]:
        """The coefficients of all subsets whose high parts are `first` to `last` − 1.

        Yields (from, to, values of shape (M, 2^low · (to − from))), which the next step overwrites.
        O(1) a subset.
        """
        n_sums, n_high, n_low = split.columns.shape
        levels = np.empty((n_sums, n_high + 1, n_low))
        levels[:, n_high] = split.base
        # high parts are a power of two, so that all groups are of one length
        group = min(GROUP, last - first)
        values = np.empty((len(self._used), group * n_low))
        for begin in range(first, last, group):
            _subsets.sum_halves(
                split.columns, split.crossed, begin, begin + group, levels, split.halves.runs,
                self._used, self._p, self._q, values,
            )  # fmt: skip
            yield begin, begin + group, values


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Sums over pairs of coders, cut into low and high ones; see `_subsets.sum_halves`."""

    halves: Halves
    base: FloatArray
    columns: FloatArray
    crossed: FloatArray


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
        places = np.arange(n_categories)
        d = form.between(places[:, None], places[None, :])
        out[above] = (pair_tables(rows, n_coders, n_categories) * d).sum((1, 2))
    else:
        columns = np.ascontiguousarray(rows.table().T)
        for a, b in zip(*above, strict=True):
            gaps = form.between(columns[a], columns[b])
            out[a, b] = gaps.sum() if rows.weights is None else (gaps * rows.weights).sum()
    return out + out.T


def _products(counts: FloatArray, form: Form) -> FloatArray:
    """n_a D n_b: float64 of shape (C, C)."""
    if counts.shape[1] <= SOME_CATEGORIES:
        places = np.arange(counts.shape[1])
        d = form.between(places[:, None], places[None, :])
        return np.asarray(counts @ d @ counts.T)
    products = [[float(np.sum(form.bilinear(a[None], b[None]))) for b in counts] for a in counts]
    return np.array(products)

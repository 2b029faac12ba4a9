"""Sums over distances between sets, without a K × K matrix if it would be large.

A `Geometry` holds K sets and computes distances of pairs and sums over them. `Masks` visit every
pair, many at a time. `Lists` and `Spans` find the sets that intersect a set and count all others at
once, so their cost depends on the pairs that intersect.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _labelsets
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import BLOCK, NO_VALUES, Form, Matrix, OverCategories

#: Steps of a kernel between two checks for Ctrl-C: 1 to 50 ms.
PIECE = 1 << 24

#: The smallest of several shares is at most this multiple of their unit: enough for 6 coders.
PARTS = 60

#: The rounding error of a share after sums. Integers below 2**31 remain distinct.
LAST_BITS = 2.0**-40

#: The upper limit of weights of pairs that are counted.
LARGEST_TOTAL = 2.0**62

#: Pairs of sets whose distances are computed one by one at a time.
PAIRS = 1 << 20

KINDS = _labelsets.KINDS


class PairCounts(Protocol):
    """Sums over all pairs of sets at once, for distances that depend on numbers of elements."""

    @property
    def cost(self) -> float:
        """Return the number of steps of a sum."""

    def bilinear(self, kind: int, u: Array, v: Array) -> float:
        """Sum u_i v_j d_ij for integers u, v >= 0 whose sums have a product below 2^63."""


class Geometry(Protocol):
    """K sets and the sizes of their intersections."""

    n_sets: int
    #: The weight of each set, float64 of shape (K,).
    weights: FloatArray
    #: The number of steps of each set's sums, of shape (K,), in the order of computation.
    costs: Array
    #: Whether the sums can be restricted to j > i.
    halves: bool

    @property
    def shared(self) -> PairCounts | None:
        """Return the object that sums integers over all pairs at once, if there is one."""

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        """Compute out[k] = d(a[k], b[k]) for k in first .. last - 1."""

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[Array | slice, FloatArray]:
        """Return some sets i, and Σ_j v_rj d_ij for each r and i, at least if u_ri is not 0."""

    def largest(self, kind: int, enough: float) -> float:
        """Return the largest distance; the search may stop at one that is >= enough."""

    def matrix(self, kind: int) -> FloatArray:
        """Return all distances, (K, K)."""


def bind(geometry: Geometry, kind: str) -> Form:
    """Return the form of a distance between these sets, a matrix if it fits in memory."""
    if geometry.n_sets**2 <= BLOCK:
        return Matrix(geometry.matrix(KINDS[kind]))
    return SetForm(geometry, KINDS[kind])


class SetForm(OverCategories):
    """A distance between K sets whose K × K matrix would not fit in memory."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, geometry: Geometry, kind: int) -> None:
        self._geometry = geometry
        self._kind = kind
        self._work = int(min(geometry.costs.sum(dtype=np.float64), 2.0**62))
        self._largest: float | None = None

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        """Sum u_j v_l d_jl along the last axis; at most O(K²) or O(intersecting pairs) per row."""
        shape = np.broadcast_shapes(u.shape, v.shape)
        rows_u, rows_v = self._rows(u, shape), self._rows(v, shape)
        at_once = self._at_once(rows_u, rows_v)
        if at_once is not None:
            return at_once.reshape(shape[:-1])
        upper = self._geometry.halves and (u is v or np.array_equal(rows_u, rows_v))

        def work(first: int, last: int) -> FloatArray:
            sets, sums = self._geometry.sums(self._kind, rows_u, rows_v, upper, first, last)
            total: FloatArray = (rows_u[:, sets] * sums).sum(1)
            return total

        parts = _threads.run(work, self._pieces(rows_u), self._work)
        each = [math.fsum(part[r] for part in parts) for r in range(len(rows_u))]
        return np.asarray((2.0 if upper else 1.0) * np.array(each).reshape(shape[:-1]))

    def _at_once(self, u: FloatArray, v: FloatArray) -> FloatArray | None:
        """Sum over all pairs at once if this is possible and cheaper than set by set."""
        shared, needed = self._geometry.shared, u.any(0)
        if shared is None:
            return None
        if shared.cost * len(u) >= (self._costs(u) * needed).sum():
            return None
        sums = np.empty(len(u))
        for r in range(len(u)):
            left, right = whole_numbers(u[r]), whole_numbers(v[r])
            if left is None or right is None or left[0].sum() * right[0].sum() >= LARGEST_TOTAL:
                return None
            sums[r] = left[1] * right[1] * shared.bilinear(self._kind, left[0], right[0])
        return sums

    def times(self, v: Array) -> FloatArray:
        """Sum d_kl v_l over l along the last axis; O(intersecting pairs) or O(K²) per row."""
        rows = self._rows(v, v.shape)
        out = np.zeros(rows.shape)

        def work(first: int, last: int) -> None:
            sets, sums = self._geometry.sums(self._kind, None, rows, False, first, last)
            out[:, sets] = sums

        _threads.run(work, self._pieces(rows), self._work)
        return out.reshape(v.shape)

    def _pieces(self, rows: FloatArray) -> list[tuple[int, int]]:
        return pieces(self._costs(rows))

    def _costs(self, rows: FloatArray) -> Array:
        costs: Array = self._geometry.costs * (1 + len(rows) // 4)
        return costs

    def _rows(self, v: Array, shape: tuple[int, ...]) -> FloatArray:
        wide = np.broadcast_to(v, shape).reshape(-1, self._geometry.n_sets)
        return np.ascontiguousarray(wide, dtype=np.float64)

    def total(self) -> float:
        ones = np.ones(self._geometry.n_sets)
        return float(self.bilinear(ones, ones))

    @property
    def largest(self) -> float:
        if self._largest is None:
            # only symmetric differences can be above 1
            enough = math.inf if self._kind == KINDS["hamming"] else 1.0
            self._largest = self._geometry.largest(self._kind, enough)
        return self._largest

    def between(self, a: Array, b: Array) -> FloatArray:
        return distances(self._geometry, self._kind, a, b)


def whole_numbers(u: FloatArray) -> tuple[FloatArray, float] | None:
    """Write numbers >= 0 as integers times a unit, if this is exact up to rounding.

    Shares of judgments are such multiples: they are counts divided by the number of judgments of an
    item and by the number of items.
    """
    if (np.rint(u) == u).all():
        return u, 1.0
    unit = float(u.min(initial=math.inf, where=u > 0))
    for parts in range(1, PARTS + 1):
        many = u / unit * parts
        whole = np.rint(many)
        if (np.abs(many - whole) <= LAST_BITS * many).all():
            return whole, float(u.sum() / whole.sum())
    return None


def distances(geometry: Geometry, kind: int, a: Array, b: Array) -> FloatArray:
    """Return distances between the sets of two integer arrays, element by element."""
    a, b = np.broadcast_arrays(a, b)
    out = np.empty(a.size)
    left, right = (np.ascontiguousarray(x, dtype=np.int32).reshape(-1) for x in (a, b))
    cuts = _threads.ranges(a.size, -(-a.size // PAIRS))
    _threads.run(
        lambda first, last: geometry.pairs(kind, left, right, first, last, out), cuts, a.size
    )
    return out.reshape(a.shape)


def pairwise(geometry: Geometry, kind: int) -> FloatArray:
    """Compute all distances, pair by pair."""
    places = np.arange(geometry.n_sets)
    return distances(geometry, kind, places[:, None], places[None, :])


def farthest(geometry: Geometry, kind: int, enough: float) -> float:
    """Find the largest distance, set by set; the first rows mostly contain it."""
    weights, largest = geometry.weights, 0.0
    bounded = math.isfinite(enough)
    # The lightest sets intersect the fewest others; a symmetric difference is at most both weights.
    order = np.argsort(weights if bounded else -weights, kind="stable")
    for place, i in enumerate(order[:-1].tolist()):
        others = order[place + 1 :]
        if not bounded:
            others = others[weights[others] + weights[i] > largest]
        if largest >= enough or not len(others):
            break
        largest = max(largest, float(distances(geometry, kind, np.asarray(i), others).max()))
    return largest


def pieces(costs: Array) -> list[tuple[int, int]]:
    """Cut 0..K into runs of about PIECE steps."""
    done = np.cumsum(costs, dtype=np.float64)
    marks = np.arange(1, int(done[-1] // PIECE) + 1 if len(done) else 1) * float(PIECE)
    cuts = np.unique([0, *(np.searchsorted(done, marks) + 1).tolist(), len(costs)])
    cuts = cuts[cuts <= len(costs)]
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))

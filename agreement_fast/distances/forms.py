"""Distances, and the forms in which sums over them are cheap.

Every coefficient needs the same few sums: over the ordered pairs of judgments of an item (D_o), and
bilinear sums Σ_jl u_j v_l d_jl over marginals (D_e). Squared distances between features reduce to
sums and sums of squares, absolute distances to prefix sums. Other distances use a matrix, which is
computed in blocks if it does not fit in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from agreement_fast._kernels import _values, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.reading.labels import Labels, declared_categories

#: The number of terms that a running sum adds one after the other.
RUN = 256

#: Parts of the numbers of a rational form that are summed between two checks for Ctrl-C.
RATIONAL_ROWS = 256

#: The most cells of a matrix of a rational form; more categories take less time without it.
RATIONAL_MATRIX = 1 << 17

NO_VALUES = np.zeros((0, 0))

#: Below this share of its terms, a sum of squares about a mean has too few digits left.
CANCELLED = 1e-3

#: Cells of a matrix or block that are computed at a time (32 MB).
BLOCK = 1 << 22

#: Pairs of categories that are compared at a time, so that temporary arrays are small.
AT_ONCE = BLOCK // 16


class Form(Protocol):
    """A distance bound to K categories, with the sums that coefficients need."""

    #: How the kernel sums over an item's pairs: "nominal", "matrix", "squared" or "absolute". With
    #: "blocks" there is no array, and the sums use `between`.
    kind: str
    #: The array of the kernel: K × K distances, K × r features or K × 1 positions.
    values: FloatArray

    def mass(self, u: Array) -> Array:
        """Return the number of judgments of a marginal, Σ_k u_k."""

    def mass_slope(self, u: Array) -> FloatArray:
        """Return the derivative of the mass in each number of a marginal: (K,)."""

    def bilinear(self, u: Array, v: Array) -> Any:
        """Sum u_j v_l d_jl along the last axis; u and v non-negative, (..., K) to (...)."""

    def times(self, v: Array) -> FloatArray:
        """Sum d_kl v_l over l along the last axis; v non-negative, (..., K) to (..., K)."""

    def total(self) -> float:
        """Return Σ_jl d_jl."""

    @property
    def largest(self) -> float:
        """Return max_jl d_jl."""

    def between(self, a: Array, b: Array) -> FloatArray:
        """Return distances between the categories of two integer arrays, element by element."""


class OverCategories:
    """Forms with marginals of one number of judgments per category."""

    values: FloatArray

    def times(self, v: Array) -> FloatArray:
        raise NotImplementedError

    def bilinear(self, u: Array, v: Array) -> Any:
        return np.asarray((self.times(u) * v).sum(-1))

    def total(self) -> Any:
        ones = np.ones(len(self.values))
        return float(self.bilinear(ones, ones))

    def mass(self, u: Array) -> Array:
        return np.asarray(u.sum(-1))

    def mass_slope(self, u: Array) -> FloatArray:
        return np.ones(u.shape[-1])


class Nominal(OverCategories):
    """0 if equal, else 1."""

    kind = "nominal"
    values = NO_VALUES

    def __init__(self, n_categories: int) -> None:
        self._n = n_categories
        self.largest = 1.0 if n_categories > 1 else 0.0

    def bilinear(self, u: Array, v: Array) -> Any:
        if u.dtype != v.dtype:
            u, v = u.astype(np.float64), v.astype(np.float64)
        if u.ndim == v.ndim == 1:
            return np.float64(_values.unequal_pairs(u, v))
        if u.shape != v.shape:
            u, v = np.broadcast_arrays(u, v)
        sums = np.empty(v.shape[:-1])
        flat = math.prod(sums.shape), self._n
        _values.unequal(
            np.ascontiguousarray(u).reshape(flat),
            np.ascontiguousarray(v).reshape(flat),
            sums.reshape(-1),
        )
        return sums

    def times(self, v: Array) -> FloatArray:
        others = np.empty(v.shape)
        _values.others(v.ravel(), v.shape[-1], others.reshape(-1))
        return others

    def total(self) -> float:
        return float(self._n) * (self._n - 1)

    def between(self, a: Array, b: Array) -> FloatArray:
        return np.asarray((a != b).astype(np.float64))


class Matrix(OverCategories):
    """Any K × K array of distances."""

    kind = "matrix"

    def __init__(self, values: FloatArray) -> None:
        self.values = np.ascontiguousarray(values)

    def times(self, v: Array) -> FloatArray:
        return np.asarray(v.astype(np.float64) @ self.values)

    def total(self) -> float:
        return float(self.values.sum())

    @property
    def largest(self) -> float:
        return float(self.values.max(initial=0.0))

    def between(self, a: Array, b: Array) -> FloatArray:
        return self.values[a, b]


class Squared(OverCategories):
    """‖f(a) − f(b)‖² for features f of shape (K, r)."""

    kind = "squared"

    def __init__(self, features: FloatArray) -> None:
        self.values = np.ascontiguousarray(features, dtype=np.float64)

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        u, v = u.astype(np.float64), v.astype(np.float64)
        if u.ndim == v.ndim == 1 and self.values.shape[1] == 1:
            return np.asarray(_values.squared_pairs(self.values[:, 0], u, v))
        f = self._about_mean(u + v)
        squares = (f**2).sum(1)
        parts = u.sum(-1) * (v @ squares) + v.sum(-1) * (u @ squares)
        sums: FloatArray = np.asarray(parts - 2.0 * ((u @ f) * (v @ f)).sum(-1))
        if sums.ndim:
            # A row far from the mean of the others is summed about its own mean.
            u, v = np.broadcast_arrays(u, v)
            for row in np.argwhere(sums < CANCELLED * parts):
                place = tuple(row)
                sums[place] = self.bilinear(u[place], v[place])
        return sums

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        f = self._about_mean(v)
        squares = (f**2).sum(1)
        return np.asarray(
            squares * v.sum(-1, keepdims=True) + (v @ squares)[..., None] - 2.0 * (v @ f) @ f.T
        )

    def _about_mean(self, masses: FloatArray) -> FloatArray:
        """Subtract the features of the category nearest to the mean of some marginals.

        Sums about the features of a category lose no digits to a large offset and are exactly 0 for
        constant data. The category nearest to the mean at most doubles the sum of squares.
        """
        f = self.values
        mass = masses.sum(tuple(range(masses.ndim - 1)))
        if not mass.any():
            return f
        anchor = f[np.argmax(mass)]
        mean = mass @ (f - anchor) / mass.sum() + anchor
        return np.asarray(f - f[np.argmin(((f - mean) ** 2).sum(1))])

    @property
    def largest(self) -> float:
        assert self.values.shape[1] == 1
        return float(np.ptp(self.values) ** 2) if len(self.values) else 0.0

    def between(self, a: Array, b: Array) -> FloatArray:
        return np.asarray(((self.values[a] - self.values[b]) ** 2).sum(-1))


def running_sums(u: FloatArray) -> FloatArray:
    """Compute cumulative sums along the last axis, with errors that do not grow with its length.

    numpy's `cumsum` adds the numbers one after the other, so its rounding errors grow.
    """
    length = u.shape[-1]
    if length <= RUN:
        return np.cumsum(u, -1)
    n_runs = -(-length // RUN)
    padded = np.zeros((*u.shape[:-1], n_runs * RUN))
    padded[..., :length] = u
    within = np.cumsum(padded.reshape(*u.shape[:-1], n_runs, RUN), -1)
    before = running_sums(within[..., :-1, -1])
    within[..., 1:, :] += before[..., None]
    return np.asarray(within.reshape(padded.shape)[..., :length])


class Absolute(OverCategories):
    """|f(a) − f(b)| for positions f of shape (K,)."""

    kind = "absolute"

    def __init__(self, positions: FloatArray) -> None:
        self.values = np.ascontiguousarray(positions, dtype=np.float64)[:, None]
        ascending = self.values[:, 0]
        #: None if the categories are already in order.
        self._order = None
        if not (ascending[1:] >= ascending[:-1]).all():
            self._order = np.argsort(ascending, kind="stable")
            ascending = ascending[self._order]
        self._gaps = np.diff(ascending)

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        # |a - b| is the sum of the gaps in between, so each gap counts the masses on its two sides.
        # There are no subtractions, so no digits are lost.
        below_u, above_u = self._either_side(u)
        below_v, above_v = (below_u, above_u) if v is u else self._either_side(v)
        return np.asarray(((below_u * above_v + above_u * below_v) * self._gaps).sum(-1))

    def times(self, v: Array) -> FloatArray:
        below, above = self._either_side(v)
        sums = np.zeros(v.shape)
        sums[..., 1:] = running_sums(below * self._gaps)
        sums[..., :-1] += running_sums((above * self._gaps)[..., ::-1])[..., ::-1]
        if self._order is None:
            return sums
        unsorted = np.empty_like(sums)
        unsorted[..., self._order] = sums
        return unsorted

    def _either_side(self, u: Array) -> tuple[FloatArray, FloatArray]:
        """Compute the masses below and above each gap."""
        u = u.astype(np.float64) if self._order is None else u[..., self._order].astype(np.float64)
        return running_sums(u)[..., :-1], running_sums(u[..., ::-1])[..., ::-1][..., 1:]

    @property
    def largest(self) -> float:
        return float(np.ptp(self.values)) if len(self.values) else 0.0

    def between(self, a: Array, b: Array) -> FloatArray:
        return np.asarray(np.abs(self.values[a, 0] - self.values[b, 0]))


class Blocks(OverCategories):
    """Distances given by a function of two arrays of categories; there is no full matrix."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(
        self,
        n_categories: int,
        between: Callable[[Array, Array], FloatArray],
    ) -> None:
        self.n_categories = n_categories
        self.between = between

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of rows of the matrix."""
        K = self.n_categories
        everything = np.arange(K)
        step = max(1, BLOCK // max(K, 1))
        for first in range(0, K, step):
            rows = slice(first, min(first + step, K))
            yield rows, self.between(everything[rows, None], everything[None, :])

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        sums = np.empty_like(v)
        for rows, block in self.blocks():
            sums[..., rows] = v @ block.T
        return sums

    def total(self) -> float:
        return float(sum(block.sum() for _, block in self.blocks()))

    @property
    def largest(self) -> float:
        return max((float(block.max()) for _, block in self.blocks()), default=0.0)


class Rational(OverCategories):
    """(p_i − p_j)² / ((a_i + a_j)(b_i + b_j)) with 0/0 = 0: ratio and bipolar.

    Sums take O(K²) time without a matrix, in vectorized code over several threads.
    """

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, p: FloatArray, a: FloatArray, b: FloatArray) -> None:
        self._arrays = tuple(np.ascontiguousarray(x, dtype=np.float64) for x in (p, a, b))

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        u, v = np.broadcast_arrays(u, v)
        sums = np.empty(u.shape[:-1])
        for place in np.ndindex(sums.shape):
            # Few of many numbers may be used; unused ones are skipped.
            used = np.flatnonzero((u[place] > 0) | (v[place] > 0))
            terms = self._rows(used, v[place][used]) * u[place][used]
            sums[place] = math.fsum(terms)
        return sums

    def times(self, v: Array) -> FloatArray:
        sums = np.empty(v.shape)
        everything = np.arange(v.shape[-1])
        for place in np.ndindex(v.shape[:-1]):
            sums[place] = self._rows(everything, v[place])
        return sums

    def _rows(self, used: Array, v: Array) -> FloatArray:
        """Compute Σ_l v_l d_jl for the used categories."""
        out, ordered = np.empty((2, len(used)))
        if not len(used):
            return out
        order = np.argsort(self._arrays[0][used], kind="stable")
        places = np.stack([x[used[order]] for x in self._arrays])
        weights = v[order].astype(np.float64)
        nodes = _values.rational_nodes(places, weights)

        def work(first: int, last: int) -> None:
            _values.rational_rows(places, weights, nodes, first, last, ordered)

        n = len(nodes) // 2
        pieces = [(i, min(i + RATIONAL_ROWS, n)) for i in range(0, n, RATIONAL_ROWS)]
        parallel.run(work, pieces, len(used) * len(nodes).bit_length())
        out[order] = ordered
        return out

    def total(self) -> float:
        ones = np.ones(len(self._arrays[0]))
        return float(self.bilinear(ones, ones))

    @property
    def largest(self) -> float:
        # Both distances grow as the labels move apart, so the ends are farthest apart.
        p = self._arrays[0]
        return float(self.between(np.array(p.argmin()), np.array(p.argmax()))) if len(p) else 0.0

    def between(self, a: Array, b: Array) -> FloatArray:
        p, x, y = self._arrays
        scale = (x[a] + x[b]) * (y[a] + y[b])
        return np.asarray((p[a] - p[b]) ** 2 / np.where(scale == 0, 1.0, scale))


class Circle(OverCategories):
    """sin²(π (a − b)/U) for positions on a circle of circumference U."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, positions: FloatArray, period: float) -> None:
        self._positions = np.mod(positions, period)
        self._period = period
        # sin²((x − y)/2) is a quarter of the squared chord. Sums over marginals keep their digits
        # if directions are taken from the mean direction, with 1 − cos t as 2 sin²(t/2).
        turn = 2 * np.pi * (self._positions / period)
        mean = np.arctan2(np.sin(turn).sum(), np.cos(turn).sum()) / (2 * np.pi) * period
        near = self._gap(np.mod(mean, period), self._positions)
        away = self._positions - (self._positions[np.argmin(near)] if len(near) else 0.0)
        away = np.where(np.abs(away) > period / 2, away - np.copysign(period, away), away)
        half = np.pi * (away / period)
        self._chords = Squared(np.column_stack([-(np.sin(half) ** 2), np.sin(2 * half) / 2]))

    def _gap(self, a: Any, b: Array) -> FloatArray:
        gap: FloatArray = np.abs(a - b)
        return np.minimum(gap, self._period - gap)  # neighbours across the origin keep their digits

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        return self._chords.bilinear(u, v)

    def times(self, v: Array) -> FloatArray:
        return self._chords.times(v)

    def total(self) -> float:
        return float(self._chords.total())

    @property
    def largest(self) -> float:
        order = np.argsort(self._positions)
        if not len(order):
            return 0.0
        across = np.mod(self._positions + self._period / 2, self._period)
        opposite = np.searchsorted(self._positions[order], across)
        places = np.arange(len(order))
        return max(
            float(self.between(places, order[(opposite + side) % len(order)]).max())
            for side in (-1, 0)
        )

    def between(self, a: Array, b: Array) -> FloatArray:
        gap = self._gap(self._positions[a], self._positions[b])
        return np.asarray(np.sin(np.pi * (gap / self._period)) ** 2)


def table_of(between: Callable[[Array, Array], FloatArray], n_categories: int) -> FloatArray:
    """Return the distances of all pairs of categories, some rows at a time."""
    places, rows = np.arange(n_categories), max(1, AT_ONCE // max(n_categories, 1))
    values = np.empty((n_categories, n_categories))
    for first in range(0, n_categories, rows):
        values[first : first + rows] = between(places[first : first + rows, None], places[None, :])
    return values


def small_as_matrix(form: Form, n_categories: int, most: float = math.inf) -> Form:
    """Return a matrix of the distances if it has few cells, otherwise the form itself."""
    fits = n_categories**2 <= min(most, BLOCK)
    return Matrix(table_of(form.between, n_categories)) if fits else form


class Bind(Protocol):
    """Binds a distance to categories."""

    def __call__(
        self,
        categories: Labels,
        declared: bool,
        marginals: FloatArray | None = None,
        /,
    ) -> Form: ...


@dataclass(frozen=True, eq=False)
class Distance:
    """A distance between labels, not yet bound to categories.

    Attributes
    ----------
    name : str
    bind : function of categories, whether they were declared, and how often each was used
        Returns the distance over these categories as a `Form`; raises an error if they do not fit.
    ranks : bool
        Whether the distance depends on how often each category was used (ordinal).
    differences : bool
        Whether the distance is (a − b)², so that its sums need no categories.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> distances.linear, distances.linear.matrix([1, 2, 4]).tolist()
    (<distance linear>, [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]])
    """

    name: str
    bind: Bind
    ranks: bool = False
    differences: bool = False

    def __repr__(self) -> str:
        return f"<distance {self.name}>"

    def matrix(
        self, categories: Sequence[Hashable], marginals: Sequence[float] | None = None
    ) -> FloatArray:
        """Return the distances of all pairs of categories, float64 of shape (K, K).

        Parameters
        ----------
        categories : sequence of K labels
            The categories. Their order matters for the distances of ranks.
        marginals : sequence of K numbers, optional
            The number of pairable judgments of each category; only ordinal needs it.

        Returns
        -------
        float64 array of shape (K, K)
            The distances.

        Raises
        ------
        ValueError
            If the categories do not fit the distance, or ordinal lacks `marginals`.

        Examples
        --------
        >>> from agreement_fast import distances
        >>> distances.linear.matrix([1, 2, 10])
        array([[0., 1., 9.],
               [1., 0., 8.],
               [9., 8., 0.]])
        """
        labels = declared_categories(categories)
        assert labels is not None
        if self.ranks and marginals is None:
            raise InputError(
                f"{self.name} depends on how often categories occur",
                ("pass ", Argument("marginals")),
                argument="marginals",
            )
        counts = None if marginals is None else np.asarray(marginals, dtype=np.float64)
        if counts is not None and counts.shape != (len(labels),):
            raise InputError(
                (
                    Argument("marginals"),
                    f": expected {len(labels)}, one for each category, got shape {counts.shape}",
                )
            )
        return table_of(self.bind(labels, True, counts).between, len(labels))


#: What `resolve` takes for a distance: a name, a matrix, a mapping of pairs, or a function.
DistanceLike: TypeAlias = (
    Distance | str | Array | Mapping[Any, Any] | Sequence[Any] | Callable[[Any, Any], Any]
)


@dataclass(frozen=True, eq=False, repr=False)
class MatrixDistance(Distance):
    """A distance given as an array; `symmetric` says whether it is a distance.

    Weights that are asymmetric or not 0 on the diagonal are Cohen's (1968); only `weighted_kappa`
    and `coefficient_test` by "null" of two coders accept them.
    """

    symmetric: bool = True


def check_symmetric(distance: Distance) -> None:
    """Raise an error for such weights if the order of the coders does not matter."""
    if isinstance(distance, MatrixDistance) and not distance.symmetric:
        raise InputError(
            "the matrix is not a distance (it is asymmetric or its diagonal is not 0)",
            "only weighted_kappa, for exactly two coders, take such weights",
            argument="distance",
        )

"""The sums of a coefficient, over the items that count.

A pass over the judgments counts items and labels by the number of judgments of an item. All sums
follow from these counts, because item weights and `incomplete` depend only on that number.
"""

from __future__ import annotations

import copy
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self, TypeVar, cast

import numpy as np

from agreement_fast import distances
from agreement_fast._kernels import _sums, _values, parallel
from agreement_fast._kernels._sums import BySize
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import ITEM_WEIGHTS, Chance, Marginals
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import NO_VALUES, Form
from agreement_fast.distances.sums.rows import (
    CHUNK,
    are_dense,
    condensed,
    dense_disagreement,
    listed_pairs,
    summed,
    working_room,
)
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import Incomplete, check_choice
from agreement_fast.patterns import (
    LARGEST_TOTAL,
    CountTable,
    Rows,
    check_total,
    coincidences_of,
    count_coders,
    count_rows,
    row_sizes,
    sum_of,
)
from agreement_fast.points import Point
from agreement_fast.reading.kept_moments import KeptMoments, check_spread
from agreement_fast.results import NO_PAIRS, NO_VARIATION

T = TypeVar("T")

#: Rows that are summed at a time; the sums of these blocks are added exactly.
ROWS_AT_ONCE = 1 << 13


class Sums(Marginals):
    """Sums over the items with `least` judgments or more.

    Attributes
    ----------
    items_by_size : mapping of int to int
        The number of items for each number of judgments, ascending, weights applied. Items with
        fewer than `least` judgments are included.
    least : int
        The number of judgments that an item needs in order to count.
    pairable_sizes : list of (int, int, int)
        Place in `items_by_size`, size, and number of the items that count and have two judgments.
    n_items, n_judgments : int
        The number of these items, and of their judgments.
    n_categories : int or None
        None if the distinct numbers were not counted.
    """

    items_by_size: dict[int, int]
    least: int
    pairable_sizes: list[tuple[int, int, int]]
    n_items: int
    n_judgments: int
    n_categories: int | None

    def _keep(self, least: int) -> None:
        self.least = least
        enough = max(2, least)
        self.pairable_sizes = []
        n_items = n_judgments = 0
        for i, (size, n) in enumerate(self.items_by_size.items()):
            if size >= enough:
                self.pairable_sizes.append((i, size, n))
                n_items += n
                n_judgments += size * n
        self.n_items, self.n_judgments = n_items, n_judgments

    def at_least(self, least: int) -> Self:
        """Return the sums over the items with at least `least` judgments; nothing is recounted."""
        if least == self.least:
            return self
        other = copy.copy(self)
        other._keep(least)
        return other

    def disagreement(self, form: Form) -> list[float]:
        """Sum w_i Σ_jl n_ij n_il d_jl over the items of each size, in the order of the sizes."""
        raise NotImplementedError

    def observed(self, disagreement: Sequence[float], item_weight: str) -> float:
        """Compute D_o = Σ w_i disagr_i / Σ w_i over items with two or more judgments."""
        power = ITEM_WEIGHTS[item_weight]
        total = self.n_judgments if power else self.n_items
        parts = []
        for i, size, _ in self.pairable_sizes:
            parts.append(size**power * disagreement[i] / (size * (size - 1)))
        return math.fsum(parts) / total if total else math.nan

    def scale(self, form: Form) -> tuple[Any, Any, Any]:
        return form.total(), self.n_categories, form.largest

    def pairs(self) -> float:
        return float(self.n_judgments) * (self.n_judgments - 1)


class Moments:
    """Squared differences of numbers, with marginals (mass, Σ (x − o), Σ (x − o)²)."""

    kind = "moments"
    values = NO_VALUES

    def __init__(self, low: float, high: float) -> None:
        self._largest = (high - low) ** 2

    def mass(self, u: Array) -> Array:
        return np.asarray(u[..., 0])

    def mass_slope(self, u: Array) -> FloatArray:
        return np.array([1.0, 0.0, 0.0])

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        return np.asarray((u * self.times(v)).sum(-1))

    def times(self, v: Array) -> FloatArray:
        return np.stack([v[..., 2], -2 * v[..., 1], v[..., 0]], axis=-1)

    @property
    def largest(self) -> float:
        return self._largest

    def total(self) -> float:
        raise NotImplementedError("numbers that were not counted have no categories")

    def between(self, a: Array, b: Array) -> FloatArray:
        raise NotImplementedError("numbers that were not counted have no categories")


def not_finite(values: FloatArray) -> InputError:
    """Return the error for a table with infinite numbers."""
    row, coder = (int(i) for i in np.argwhere(np.isinf(values))[0])
    return InputError(
        f"distance interval needs finite numbers: row {row}, column {coder} has "
        f"{values[row, coder]}",
        argument="distance",
    )


class NumberSums(Sums):
    """The sums over a table of numbers; see `Sums`.

    Items with fewer than `least` judgments are left out, because their numbers could move the
    origin away from the others.

    Attributes
    ----------
    form : Moments
    """

    n_categories = None

    def __init__(self, values: FloatArray, weights: Array | None, least: int) -> None:
        self._numbers = values
        self._weights = weights
        self._coder_marginals: FloatArray | None = None
        width = values.shape[1]
        parts = self._each(lambda some, weights: _values.spread(some, weights, least))
        seen = [part for part in parts if part[0]]
        low = min((part[2] for part in seen), default=0.0)
        high = max((part[3] for part in seen), default=0.0)
        if not (math.isfinite(low) and math.isfinite(high)):
            raise not_finite(values)
        check_spread("distance interval", low, high)
        count = math.fsum(part[0] for part in seen)
        # Constant data must give exactly 0; otherwise any origin near the mean keeps the digits.
        mean = math.fsum(part[1] for part in seen) / count if count else 0.0
        self._origin = min(max(mean, low), high)
        self.form = Moments(low, high)

        def work(some: FloatArray, weights: Array | None) -> tuple[Array, FloatArray]:
            items, sums = np.zeros(width + 1, np.int64), np.zeros((width + 1, 4))
            _values.row_moments(some, weights, self._origin, least, items, sums)
            return items, sums

        chunks = self._each(work)
        items = sum((chunk for chunk, _ in chunks), np.zeros(width + 1, np.int64))
        sizes = np.flatnonzero(items)
        self._sizes: list[int] = sizes.tolist()
        self.items_by_size = dict(zip(self._sizes, items[sizes].tolist(), strict=True))
        self._sums = _exact_sum([sums for _, sums in chunks], (width + 1, 4))[sizes]
        self._keep(least)
        check_total(float(self._sums[:, 0].sum()), "judgments")

    def _each(self, work: Callable[[FloatArray, Array | None], T]) -> list[T]:
        """Apply `work` to a few thousand rows and their weights at a time."""
        n_rows = len(self._numbers)

        def some(first: int, last: int) -> T:
            weights = None if self._weights is None else self._weights[first:last]
            return work(self._numbers[first:last], weights)

        pieces = [(i, min(i + ROWS_AT_ONCE, n_rows)) for i in range(0, n_rows, ROWS_AT_ONCE)]
        return parallel.run(some, pieces, n_rows)

    def disagreement(self, form: Form) -> list[float]:
        """Sum the squared differences over the ordered pairs of the items of each size."""
        pairs: list[float] = self._sums[:, 3].tolist()
        return pairs

    def shares(self) -> FloatArray:
        """Compute the mean over items of their mean marginal."""
        first = bisect_left(self._sizes, max(1, self.least))
        items = sum(list(self.items_by_size.values())[first:])
        if not items:
            return np.zeros(3)
        sizes = np.array(self._sizes[first:])
        return np.asarray((self._sums[first:, :3] / sizes[:, None]).sum(0) / items)

    def counts(self) -> FloatArray:
        """Compute the marginal of all judgments of items with two or more judgments."""
        first = bisect_left(self._sizes, max(2, self.least))
        return np.asarray(self._sums[first:, :3].sum(0))

    def each(self) -> FloatArray:
        """Return each coder's marginal: (C, 3)."""
        if self._coder_marginals is None:
            shape = (self._numbers.shape[1], 3)
            least = max(1, self.least)

            def work(some: FloatArray, weights: Array | None) -> FloatArray:
                out = np.zeros(shape)
                _values.coder_moments(some, weights, self._origin, least, out)
                return out

            self._coder_marginals = _exact_sum(self._each(work), shape)
        return self._coder_marginals


class KeptSums(NumberSums):
    """The sums over numbers that were not kept, from their stored moments."""

    def __init__(self, kept: KeptMoments, least: int) -> None:
        self._kept = kept
        low, high = kept.ends(least)
        check_spread("distance interval", low, high)
        self._constant = low == high
        self.form = Moments(low, high)
        self._sizes = kept.sizes
        self.items_by_size = dict(zip(kept.sizes, kept.items, strict=True))
        masses = np.array(kept.sizes, np.float64) * np.array(kept.items, np.float64)
        self._sums = self._about(np.column_stack([masses, kept.sums]))
        self._keep(least)

    def each(self) -> FloatArray:
        """Return each coder's marginal: (C, 3)."""
        return self._about(self._kept.coders[max(1, self.least)])

    def _about(self, sums: FloatArray) -> FloatArray:
        """Return sums about the origin, or about the number if all numbers that count are equal."""
        if not self._constant:
            return sums
        return np.asarray(np.where(np.arange(sums.shape[1]) == 0, sums, 0.0))


def _exact_sum(parts: list[FloatArray], shape: tuple[int, int]) -> FloatArray:
    flat = [part.reshape(-1).tolist() for part in parts]
    if not flat:
        return np.zeros(shape)
    return np.array([math.fsum(column) for column in zip(*flat, strict=True)]).reshape(shape)


#: The most sizes × categories that are counted exactly.
MANY = 1 << 20

#: Judgments whose ordered pairs are numbers that floats hold exactly.
EXACT = 1 << 26

#: The most cells of sizes × coders × categories, or sizes × categories × categories, in which the
#: judgments of a table or their pairs are counted: they fit in the second-level cache.
COUNTED = 1 << 17

#: The most cells of pairs for each judgment.
CELLS_A_JUDGMENT = 1 / 8

#: The most columns of a table whose pairs of judgments are counted. With more columns, it is less
#: work to gather the categories of each row.
NARROW = 12

#: The part of the disagreement of all judgments that must be between coders, so that subtracting
#: what is within coders leaves all but two bits.
KEPT = 0.25

#: Cells of coders × categories that are converted to floats at a time.
CELLS = 1 << 20


class CategorySums(Sums):
    """The sums over rows that represent the items; see `Sums`.

    Parameters
    ----------
    annotations : Annotations
    rows : Rows
        Rows that represent the items; they may lack coders.
    """

    n_categories: int
    #: The labels of a small table that was not read.
    table: Rows

    def __init__(self, annotations: Annotations, rows: Rows | CountTable) -> None:
        self.n_categories = len(annotations.labels)
        #: The place of each row's size in the sums by size; None if it equals the size.
        self._place: Array | None = None
        #: Whether the labels of each coder were counted by size.
        self._knows_each = False
        #: Counts by size; None if they would be too large.
        self._by_size: BySize | None = None
        if isinstance(rows, CountTable):
            # Mostly, no item has more judgments than the first.
            self._place = np.zeros(rows.n_rows, np.int32)
            longest = int(rows.cells[:1].sum())
            self._by_size = self._count(rows, longest)
        elif rows.repeats is None:
            longest = rows.longest()
        if self._by_size is None:
            if isinstance(rows, CountTable) or rows.repeats is not None:
                longest = int(row_sizes(rows).max(initial=0))
            self._by_size = self._count(rows, longest)
        if isinstance(rows, CountTable) and self._by_size is None:
            rows = annotations.rows
        self._rows = rows
        #: The rows whose pairs of labels are summed, and the places of their sizes, computed on
        #: first use and shared with results of `at_least`. Counting needs no distinct rows.
        self._for_pairs: list[tuple[Rows, Array]] = []
        self._are_patterns = rows is annotations.known_patterns
        #: The rows with coders: the same rows, or the items; None for counts, whose marginals are
        #: kept if coders are known.
        self._judged: Rows | None = None
        if isinstance(rows, Rows) and (rows.width or rows.coders is not None):
            self._judged = rows
        elif annotations.count_table is None:
            self._judged = annotations.grouped()
        self.n_coders = annotations.n_coders
        #: n_ck by the smallest number of judgments of an item.
        self._coder_marginals: dict[int, Any] = dict(annotations.kept_marginals or ())
        #: Pairs of unequal categories of the items of each size; None if too large.
        self._unequal: tuple[Array, Array, Array] | None = None
        if self._by_size is not None:
            self._n_places = longest + 1
            self.items_by_size = self._by_size.items()
            #: The places of the sizes that occur.
            self._used = list(self.items_by_size)
        else:
            sizes, place = np.unique(row_sizes(rows), return_inverse=True)
            self._place = place.astype(np.int32)
            self._n_places = len(sizes)
            items = np.zeros(len(sizes), np.int64)
            np.add.at(items, place, 1 if rows.weights is None else rows.weights)
            self._used = items.nonzero()[0].tolist()
            self.items_by_size = dict(
                zip(sizes[self._used].tolist(), items[self._used].tolist(), strict=True)
            )
        self._keep(1)
        n_judgments = self.n_judgments + self.items_by_size.get(1, 0)
        if n_judgments >= LARGEST_TOTAL:
            check_total(float(n_judgments), "judgments")
        #: Whether the pairs of judgments were counted without overflow.
        self._pairs_fit = self._by_size is not None and n_judgments * longest < LARGEST_TOTAL

    def _count(self, rows: Rows | CountTable, longest: int) -> BySize | None:
        """Count by size, in several threads; None if there are too many sizes, or longer rows."""
        if (longest + 1) * (self.n_categories + 3) > MANY:
            return None
        n_lines = 1  # columns whose labels are counted separately
        if isinstance(rows, Rows) and 0 < rows.width <= _sums.WIDEST:
            cells = (longest + 1) * rows.width * (self.n_categories + 1)
            if rows.codes.itemsize < 4 and rows.repeats is None and cells <= COUNTED:
                n_lines = rows.width
            self._knows_each = rows.width == n_lines

        def work(first: int, last: int) -> BySize | None:
            part = BySize(self.n_categories, longest + 1, n_lines)
            return part if part.add(rows.part(first, last), self._place) else None

        # A nanosecond per judgment, or more for lists; less per count.
        worth = 0.1 * (rows.width or 10) if isinstance(rows, Rows) else 0.02 * self.n_categories
        first, *others = parallel.over_rows(work, rows.n_rows, worth)
        for other in others:
            if first is None or other is None:
                return None
            first.table[:] += other.table
            first.squares += other.squares
        return first

    @classmethod
    def of_table(cls, by_size: BySize, n_coders: int, n_categories: int, least: int) -> Self:
        """Return the sums over a table of items × coders, which were counted while it was read."""
        self = object.__new__(cls)
        self.n_coders, self.n_categories, self._by_size = n_coders, n_categories, by_size
        self._knows_each = self._pairs_fit = True
        self._coder_marginals = {}
        self.items_by_size = by_size.items()
        self._keep(least)
        return self

    def _rows_and_places(self) -> tuple[Rows, Array]:
        if not self._for_pairs:
            rows, place = self._rows, self._place
            if isinstance(rows, CountTable):
                rows = count_rows(rows)
            if place is None:
                rows = rows if self._are_patterns else condensed(rows, self.n_categories)
                place = row_sizes(rows).astype(np.int32)
            self._for_pairs.append((rows, place))
        return self._for_pairs[0]

    def shares(self) -> FloatArray:
        """Compute P(k), the mean over items of n_ik / n_i (Artstein & Poesio 2005, 5.1)."""
        least = max(1, self.least)
        if self._by_size is not None:
            return self._by_size.shares(least)
        n_items = sum(n for size, n in self.items_by_size.items() if size >= least)
        return self._label_sums(least, -1) / max(n_items, 1)

    def counts(self, least: int = 2) -> Array:
        """Return n_k of the items that count and have `least` judgments: int64 (K,)."""
        least = max(least, self.least)
        if self._by_size is not None:
            return self._by_size.counts(least)
        return np.rint(self._label_sums(least, 0)).astype(np.int64)

    def pairable(self, form: Form) -> tuple[Any, Any]:
        if form.kind == "nominal" and self._by_size is not None and self.n_judgments < EXACT:
            return self._by_size.unequal_counts(max(2, self.least)), self.pairs()
        return super().pairable(form)

    def _label_sums(self, least: int, power: int) -> FloatArray:
        """Sum the judgments of each category, weighted by a power of the size of their item.

        Many categories have few judgments each, so one sum of floats is exact and saves the memory
        of counts by size.
        """
        assert self._place is not None
        assert isinstance(self._rows, Rows)
        factors = np.zeros(self._n_places)
        sizes = np.array(list(self.items_by_size), np.float64)
        kept = sizes >= least
        factors[np.array(self._used)[kept]] = sizes[kept] ** power
        out = np.zeros(self.n_categories)
        _sums.labels(self._rows, factors[self._place], out)
        return out

    def each(self) -> Any:
        """Return n_ck as an array, sparse if there are many coders × categories."""
        assert self.n_coders is not None
        least = max(1, self.least)
        if least not in self._coder_marginals and self._knows_each:
            assert self._by_size is not None
            self._coder_marginals[least] = self._by_size.coders(least)
        elif least not in self._coder_marginals:
            assert self._judged is not None
            counted = None
            if least > 1:
                counted = (row_sizes(self._judged) >= least).astype(np.uint8)
            self._coder_marginals[least] = count_coders(
                self._judged, self.n_coders, self.n_categories, counted
            )
        return self._coder_marginals[least]

    def between_coders(self, form: Form) -> tuple[float, float]:
        each = self.each()
        pooled = np.asarray(each.sum(0))
        # Integers if possible: next to 10^17 judgments, floats lose the other coders' counts.
        masses = form.mass(each)
        others = form.mass(pooled) - masses
        weight = float((masses.astype(np.float64) * others.astype(np.float64)).sum())
        if form.kind == "matrix" and isinstance(each, np.ndarray):
            # Σ_jl n_j n_l d_jl over the coders, and of all judgments together
            rows, place = np.concatenate([each, [pooled]]), np.zeros(len(each) + 1, np.int32)
            place[-1] = 1
            chunks = dense_disagreement(CountTable(rows), place, form, self.n_categories, 2)
            within, whole = (math.fsum(numbers) for numbers in np.hstack(chunks).tolist())
            between = whole - within
            if between > KEPT * whole:
                return between, weight
        step = max(1, CELLS // max(each.shape[1], 1))
        sums = []
        for first in range(0, each.shape[0], step):
            some = each[first : first + step]
            dense = some if isinstance(some, np.ndarray) else some.toarray()
            sums.extend(form.bilinear(dense, pooled - dense).tolist())
        return math.fsum(sums), weight

    def disagreement(self, form: Form) -> list[float]:
        """Sum w_i Σ_jl n_ij n_il d_jl over the items of each size, in the order of the sizes.

        O(judgments + Σ_i r_i²), where r_i is the number of distinct labels of an item.
        """
        if form.kind == "nominal" and self._pairs_fit:
            assert self._by_size is not None
            return self._by_size.unequal()
        if self._unequal is None:
            self._unequal = self._count_pairs()
        if self._unequal is not None:
            first, other, often = self._unequal
            terms = 2.0 * often * form.between(first, other)
            return [math.fsum(of_size) for of_size in terms.tolist()]
        if self._by_size is not None and are_dense(
            form, self._rows.n_rows, self._by_size.squares, self.n_categories
        ):
            rows, place = self._rows, self._place
            if place is None:
                place = row_sizes(rows).astype(np.int32)
            sums = dense_disagreement(rows, place, form, self.n_categories, self._n_places)
            chunks = [chunk.sum(1)[self._used].tolist() for chunk in sums]
        else:
            chunks = self._by_pairs(form) if form.kind == "blocks" else self._by_rows(form)
        return [math.fsum(parts) for parts in zip(*chunks, strict=True)]

    def coincidences(self) -> FloatArray:
        """Compute Krippendorff's coincidences, (K, K), for `Annotations.coincidence_matrix`.

        They come from the pairs that `disagreement` counts, or cost O(patterns · K²).
        """
        if self._unequal is None:
            self._unequal = self._count_pairs()
        if self._unequal is None:
            return coincidences_of(self._rows_and_places()[0], self.n_categories)
        first, other, often = self._unequal
        out = np.zeros((self.n_categories, self.n_categories))
        sizes = np.array(self._used, np.float64)
        out[first, other] = (often / np.maximum(sizes - 1, 1)[:, None]).sum(0)
        out += out.T
        np.fill_diagonal(out, self.counts(2) - out.sum(0))
        return out

    def _count_pairs(self) -> tuple[Array, Array, Array] | None:
        """Count the pairs of unequal categories in items of each size: (S, P).

        Sums over these pairs equal sums over the rows, with fewer and larger terms. O(rows ·
        coders²), with memory for sizes · K². None if there are many pairs relative to the rows, or
        if they are not counted by size.
        """
        rows, states = self._rows, self.n_categories + 1
        cells = self._n_places * states**2
        if not self._pairs_fit or isinstance(rows, CountTable):
            return None
        if not 0 < rows.width <= NARROW or rows.repeats is not None:
            return None
        most = min(COUNTED, CELLS_A_JUDGMENT * rows.n_rows * rows.width)
        if rows.codes.itemsize > 2 or cells > most:
            return None

        def work(first: int, last: int) -> Array:
            out = np.zeros((self._n_places, states, states), np.int64)
            _sums.coincidences(rows.part(first, last), out)
            return out

        worth = 0.05 * rows.width * (rows.width - 1) / 2
        counted = sum_of(parallel.over_rows(work, rows.n_rows, worth))[self._used, 1:, 1:]
        often = counted + counted.swapaxes(1, 2)
        entry, other = np.triu(often.any(0), 1).nonzero()
        return entry, other, often[:, entry, other]

    def _by_rows(self, form: Form) -> list[list[float]]:
        (rows, place), kind = self._rows_and_places(), _sums.KINDS[form.kind]

        def work(first: int, last: int) -> list[list[float]]:
            room, sums = working_room(rows, self.n_categories), []
            for begin in range(first * CHUNK, min(last * CHUNK, rows.n_rows), CHUNK):
                out = np.zeros((self._n_places, 2))
                part = rows.part(begin, min(begin + CHUNK, rows.n_rows))
                _sums.disagreement(part, place, kind, form.values, room, out)
                sums.append(np.add.reduce(out, 1)[self._used].tolist())
            return sums

        n_chunks = -(-rows.n_rows // CHUNK)
        pieces = parallel.ranges(n_chunks, parallel.available())
        return [sums for part in parallel.run(work, pieces, rows.n_rows) for sums in part]

    def _by_pairs(self, form: Form) -> list[list[float]]:
        (rows, place), sums = self._rows_and_places(), []
        for pairs in listed_pairs(rows, form, self.n_categories):
            terms = pairs.disagreement
            if rows.weights is not None:
                terms = terms * rows.weights[pairs.row]
            places = place[pairs.row]
            sums.append([float(terms[places == used].sum()) for used in self._used])
        return sums


NAMED = frozenset(distances.NAMED.values())


#: The number of judgments that an item needs, if it does not depend on the coders.
LEAST = {"published": 1, "pairable": 2}


def least_judgments(annotations: Annotations, incomplete: Incomplete) -> int:
    """Return the number of judgments that an item needs under `incomplete`."""
    check_choice("incomplete", incomplete, (*LEAST, "complete"))
    if incomplete in LEAST:
        return LEAST[incomplete]
    return max(1, len(annotations.known_coders(Argument("incomplete", "complete"))))


def sums_of(annotations: Annotations, least: int = 1) -> CategorySums:
    """Return the sums over the items with `least` or more judgments."""
    memo, key = annotations.memo, ("sums", least)
    if key not in memo:
        if least == 1:
            memo[key] = CategorySums(annotations, summed(annotations))
        else:
            memo[key] = sums_of(annotations).at_least(least)
    return cast(CategorySums, memo[key])


def _number_sums(annotations: Annotations, least: int) -> NumberSums:
    memo, key = annotations.memo, ("numbers", least)
    if key not in memo:
        kept = annotations.kept_moments
        if kept is not None:
            memo[key] = KeptSums(kept, least)
        else:
            assert annotations.numbers is not None
            memo[key] = NumberSums(annotations.numbers, annotations.weights, least)
    return cast(NumberSums, memo[key])


class Bound(NamedTuple):
    """The sums that a distance needs, its form, and the disagreement by size of the items."""

    sums: Sums
    form: Form
    disagreement: list[float]


def bind(
    annotations: Annotations,
    distance: Distance,
    chance: Chance,
    least: int,
    memo: dict[Any, Any] | None = None,
) -> Bound:
    """Bind a distance to the items that count.

    Named distances are cached with the annotations. Others are cached in `memo`, because they would
    fill the memory of the annotations.
    """
    if annotations.uncounted and distance.differences and not chance.counts_categories:
        numbers = _number_sums(annotations, least if chance.counts_singles else max(2, least))
        return Bound(numbers, numbers.form, numbers.disagreement(numbers.form))
    known = annotations.memo if distance in NAMED or memo is None else memo
    sums, key = sums_of(annotations, least), (distance, least if distance.ranks else None)
    if key not in known:
        counts = sums.counts().astype(np.float64) if distance.ranks else None
        form = distance.bind(annotations.labels, annotations.declared, counts)
        known[key] = form, sums.disagreement(form)
    return Bound(sums, *known[key])


class Parts(NamedTuple):
    """D_o and D_e under a distance, and the sums that they were computed from."""

    sums: Sums
    observed: float
    expected: float
    largest: float

    @classmethod
    def of(cls, point: Point, sums: Sums, form: Form, disagreement: Sequence[float]) -> Parts:
        """Compute D_o and D_e of sums."""
        return cls(
            sums,
            sums.observed(disagreement, point.item_weight),
            float(point.chance.expected(sums, form)) if sums.n_items else math.nan,
            form.largest,
        )

    @property
    def undefined(self) -> str | None:
        """Why the coefficient has no value."""
        if not self.sums.n_items:
            return NO_PAIRS
        return None if self.expected > 0 else NO_VARIATION

    @property
    def value(self) -> float:
        """1 − D_o / D_e; NaN if undefined."""
        return 1.0 - self.observed / self.expected if self.expected > 0 else math.nan


def parts_of(annotations: Annotations, point: Point, least: int, memo: dict[Any, Any]) -> Parts:
    """Compute D_o and D_e of the items that have `least` judgments; see `bind` for `memo`."""
    # Annotations are immutable: values under a named distance are computed once and kept.
    known = annotations.memo if point.distance in NAMED else memo
    key = (point.distance, point.chance, point.item_weight, least)
    if key not in known:
        if point.chance.knows_coders:
            annotations.known_coders("a chance model of individual coders (κ, β)", marginals=True)
        known[key] = Parts.of(point, *bind(annotations, point.distance, point.chance, least, memo))
    return cast(Parts, known[key])

"""Each coder against the others, and the others without each coder.

Without coder c an item loses one judgment, and a sum over items changes in the items that c judged.
The sums without c are therefore the sums of all, less the terms of the items of c, plus the terms
of these items without c. One pass over the judgments gathers both for all coders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from agreement_fast._kernels import _patterns, parallel
from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import Annotations
from agreement_fast.chance import ITEM_WEIGHTS, Chance, Marginals, beyond_chance
from agreement_fast.coefficients import result_of
from agreement_fast.distances import Distance, check_symmetric, ranked_among
from agreement_fast.distances.forms import Form, table_of
from agreement_fast.distances.sums.linear import Ranked
from agreement_fast.errors import InputError
from agreement_fast.options import Incomplete
from agreement_fast.patterns import (
    Rows,
    as_lists,
    by_size,
    group_equal,
    room_of_table,
    row_sizes,
    sum_of,
)
from agreement_fast.points import Point
from agreement_fast.results import NO_PAIRS, NO_VARIATION

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: What errors call the functions of this module.
STUDY = "a study of each coder"

#: The most numbers that are held at a time.
ROOM = 1 << 21

#: The most categories for which an item's judgments are counted rather than compared in pairs.
FEW_CATEGORIES = 256


class Sums(Protocol):
    """Sums over rows, or over rows with the same number of judgments: a line for each.

    Attributes
    ----------
    names : tuple of C coders
    n_categories : int
        K.
    sizes : int64 array of shape (L,)
        The number of judgments of the rows of each line.
    """

    names: tuple[Any, ...]
    n_categories: int
    sizes: Array

    def by_coder(self, of: Array) -> Array:
        """Return Σ over the rows of each coder of the weight times a number of the line: (C,)."""

    def rest(self, before: Array, after: Array) -> Array:
        """Return Σ over rows of weight · factor without each coder, see `disagreement`: (C,)."""

    def labels(self, of: Array) -> Array:
        """Return the sum of these numbers times n_ik: (K,)."""

    def met(self, of: Array) -> Array:
        """Return the sum of these numbers times n_ik over the rows of each coder: (C, K)."""

    def own(self, of: Array) -> Array:
        """Return the sum of these numbers over each coder's judgments of each category: (C, K)."""

    def from_others(self, form: Form, of: Array) -> FloatArray:
        """Return the sum of these numbers times the distances of each coder's labels: (C,).

        The distances are to all labels of the row.
        """

    def disagreement(self, form: Form, before: FloatArray, after: FloatArray) -> FloatArray:
        """Return Σ over rows of weight · factor · Σ_jl n_ij n_il d_jl without each coder: (C,).

        `before` are the factors of rows with all their judgments, `after` without one.
        """

    def pair_tables(self, before: FloatArray, after: FloatArray) -> FloatArray:
        """Return Σ over rows of weight · factor · n_ij n_il without each coder: (C, K, K)."""

    def used_by_others(self) -> npt.NDArray[np.bool_]:
        """Return whether a category occurs without each coder, in items of any weight: (C, K)."""

    def without(self, before: Array, after: Array) -> Array:
        """Return Σ over rows of factor · n_ik without each coder: (C, K)."""
        return np.asarray(self.labels(before)[None, :] + self.met(after - before) - self.own(after))


def sums_of(annotations: Annotations) -> Sums:
    """Return counts of few labels by size, or all judgments."""
    rows = annotations.known_patterns or annotations.rows
    sizes = row_sizes(rows)
    n_sizes = np.count_nonzero(np.bincount(sizes))
    cells = len(annotations.known_coders(STUDY)) * len(annotations.labels) ** 2 * n_sizes
    positive = rows.weights is None or bool(rows.weights.all())
    if 0 < cells <= min(room_of_table(int(sizes.sum())), ROOM) and positive:
        return Counted(annotations, rows, sizes)
    return Judgments(annotations)


class Counted(Sums):
    """Counts of the labels of rows beside those of each coder, by the number of judgments."""

    def __init__(self, annotations: Annotations, rows: Rows, sizes: Array) -> None:
        self.names = tuple(annotations.known_coders(STUDY))
        self.n_categories = K = len(annotations.labels)
        self._items = np.bincount(sizes, rows.weights).astype(np.int64)
        self.sizes = np.flatnonzero(np.bincount(sizes))
        self._items = self._items[self.sizes]
        line = np.zeros(int(self.sizes[-1]) + 1, np.int64)
        line[self.sizes] = np.arange(len(self.sizes))
        shape = (len(self.names), len(self.sizes), K, K)

        def work(first: int, last: int) -> Array:
            out = np.zeros((2 * shape[0] + 1, *shape[1:]), np.int64)
            beside, apart, together = out[: shape[0]], out[shape[0] : -1], out[-1]
            _patterns.count_beside(rows.part(first, last), line, beside, apart, together)
            return out

        out = sum_of(parallel.over_rows(work, rows.n_rows))
        #: The labels of the row beside each coder's own, and Σ n_ij n_il over the coder's rows.
        self._beside, joint = out[: shape[0]], out[shape[0] : -1] + out[-1]
        self._joint = joint + joint.swapaxes(2, 3)
        k = np.arange(K)
        self._joint[:, :, k, k] = joint[:, :, k, k]
        #: How often each coder gave each label, and how many rows they judged.
        self._counts = self._beside.sum(3) // np.maximum(self.sizes, 1)[:, None]
        self._judged = self._counts.sum(2)

    def by_coder(self, of: Array) -> Array:
        return np.asarray(self._judged @ of)

    def rest(self, before: Array, after: Array) -> Array:
        return np.asarray((self._items - self._judged) @ before + self._judged @ after)

    def labels(self, of: Array) -> Array:
        return np.asarray(of @ self._counts.sum(0))

    def met(self, of: Array) -> Array:
        return np.asarray(np.einsum("clk,l->ck", self._beside.sum(2), of))

    def own(self, of: Array) -> Array:
        return np.asarray(np.einsum("clk,l->ck", self._counts, of))

    def from_others(self, form: Form, of: Array) -> FloatArray:
        table = table_of(form.between, self.n_categories)
        return np.asarray((np.einsum("cljk,jk->cl", self._beside, table) * of).sum(1))

    def disagreement(self, form: Form, before: FloatArray, after: FloatArray) -> FloatArray:
        table = table_of(form.between, self.n_categories)
        elsewhere, rest = (np.einsum("cljk,jk->cl", x, table) for x in self._others)
        return np.asarray((elsewhere * before + rest * after).sum(1))

    def pair_tables(self, before: FloatArray, after: FloatArray) -> FloatArray:
        elsewhere, rest = self._others
        tables = np.einsum("cljk,l->cjk", elsewhere, before)
        return np.asarray(tables + np.einsum("cljk,l->cjk", rest, after))

    @cached_property
    def _others(self) -> tuple[Array, Array]:
        """Σ n_ij n_il over the rows that each coder did not judge, and without the coder in others.

        (C, L, K, K) each.
        """
        rest = self._joint - self._beside - self._beside.swapaxes(2, 3)
        k = np.arange(self.n_categories)
        rest[:, :, k, k] += self._counts
        return self._beside.sum(0) - self._joint, rest

    def used_by_others(self) -> npt.NDArray[np.bool_]:
        own = self._counts.sum(1)
        return np.asarray(own.sum(0) - own > 0)


class Judgments(Sums):
    """The judgments one after the other, row by row; each row is a line.

    `rows`: the rows of all judgments, by default the distinct ones.

    Attributes
    ----------
    weights : int64 array of shape (U,)
        The number of items that each row stands for.
    codes, coders, row : arrays of shape (n,)
        Category, coder and row of each judgment.
    """

    def __init__(self, annotations: Annotations, rows: Rows | None = None) -> None:
        self.names = tuple(annotations.known_coders(STUDY))
        self.n_categories = len(annotations.labels)
        lists = as_lists(annotations.grouped() if rows is None else rows)
        self.start = lists.start
        self.codes = lists.codes
        self.coders = cast(Array, lists.coders)
        self.sizes: Array = np.diff(lists.start)
        self.row: Array = np.repeat(np.arange(len(self.sizes)), self.sizes)
        ones = np.ones(len(self.sizes), np.int64)
        self.weights: Array = ones if lists.weights is None else lists.weights
        #: The latest form, with the result of `to_others`.
        self._apart: tuple[Form, FloatArray] | None = None

    def by_coder(self, of: Array) -> Array:
        each = self.weights * of
        out = np.zeros(len(self.names), each.dtype)
        np.add.at(out, self.coders, each[self.row])
        return out

    def rest(self, before: Array, after: Array) -> Array:
        return self._all_less(before) + self.by_coder(after)

    def _all_less(self, of: Array) -> Array:
        """Return Σ over the rows that a coder did not judge of the weight times a number: (C,).

        The sum is exact for whole numbers. For others it is 0 if the coder judged all that count.
        """
        out = (self.weights * of).sum() - self.by_coder(of)
        if of.dtype.kind == "f":
            out[self._all_less((of != 0).astype(np.int64)) == 0] = 0.0
        return np.asarray(out)

    def labels(self, of: Array) -> Array:
        return np.asarray((self.weights * of) @ self._labels)

    def met(self, of: Array) -> Array:
        from scipy.sparse import csr_array

        shape = (len(self.sizes), len(self.names))
        judged = csr_array(((self.weights * of)[self.row], self.coders, self.start), shape=shape)
        return np.asarray((judged.T @ self._labels).toarray())

    def own(self, of: Array) -> Array:
        return self._own(self.weights * of)

    def _own(self, each: Array) -> Array:
        out = np.zeros((len(self.names), self.n_categories), each.dtype)
        np.add.at(out, (self.coders, self.codes), each[self.row])
        return out

    def from_others(self, form: Form, of: Array) -> FloatArray:
        out = np.zeros(len(self.names))
        np.add.at(out, self.coders, (self.weights * of)[self.row] * self.to_others(form))
        return out

    def disagreement(self, form: Form, before: FloatArray, after: FloatArray) -> FloatArray:
        if self._apart is None or self._apart[0] is not form:
            self._apart = form, self.to_others(form)
        to_others = self._apart[1]
        whole = np.add.reduceat(np.append(to_others, 0.0), self.start[:-1]) * (self.sizes > 0)
        rest = np.maximum(whole[self.row] - 2.0 * to_others, 0.0)
        kept = np.zeros(len(self.names))
        np.add.at(kept, self.coders, (self.weights * after)[self.row] * rest)
        return np.asarray(self._all_less(before * whole) + kept)

    def pair_tables(self, before: FloatArray, after: FloatArray) -> FloatArray:
        from scipy.sparse import csr_array

        K, C = self.n_categories, len(self.names)
        total, less = np.zeros((K, K)), np.zeros((C, K * K))
        for first, last in self._blocks(K * K * (1 + int(self.sizes.max(initial=0)))):
            counts = self.counts(first, last)
            begin, end = self.start[first], self.start[last]
            row, code = self.row[begin:end], self.codes[begin:end]
            weighted = counts * (self.weights * before)[first:last, None]
            total += counts.T @ weighted
            # what the row gave before, and what it gives without the judgment
            rest = counts[row - first]
            old = rest[:, :, None] * weighted[row - first][:, None, :]
            rest[np.arange(end - begin), code] -= 1
            scale = (self.weights * after)[row]
            new = rest[:, :, None] * (rest * scale[:, None])[:, None, :]
            who = csr_array(
                (np.ones(end - begin), (self.coders[begin:end], np.arange(end - begin))),
                shape=(C, end - begin),
            )
            less += who @ (old - new).reshape(end - begin, K * K)
        np.subtract(total.reshape(-1), less, out=less)
        return less.reshape(C, K, K)

    def used_by_others(self) -> npt.NDArray[np.bool_]:
        own = self._own(np.ones(len(self.sizes), np.int64))
        return np.asarray(own.sum(0) - own > 0)

    def to_others(self, form: Form) -> FloatArray:
        """Return the sum of the distances of each judgment to the others of its row: (n,)."""
        out = np.zeros(len(self.codes))
        if self.n_categories <= FEW_CATEGORIES:
            for first, last in self._blocks(self.n_categories):
                begin, end = self.start[first], self.start[last]
                sums = form.times(self.counts(first, last))
                out[begin:end] = sums[self.row[begin:end] - first, self.codes[begin:end]]
            return out
        for size, rows in by_size(self.sizes):
            step, width = max(1, ROOM // size**2), max(1, min(size, ROOM // size))
            for first in range(0, len(rows), step):
                places = self.start[rows[first : first + step], None] + np.arange(size)
                codes = self.codes[places]
                for left in range(0, size, width):
                    some = codes[:, left : left + width]
                    apart = form.between(some[:, :, None], codes[:, None, :])
                    out[places[:, left : left + width]] = apart.sum(-1)
        return out

    def _blocks(self, row_numbers: int) -> Iterator[tuple[int, int]]:
        """Yield runs of rows that fit `ROOM`, given the numbers for each row."""
        step = max(1, ROOM // max(row_numbers, 1))
        for first in range(0, len(self.sizes), step):
            yield first, min(first + step, len(self.sizes))

    def counts(self, first: int, last: int) -> FloatArray:
        """Return n_ik of some rows: float64 (last - first, K)."""
        begin, end = self.start[first], self.start[last]
        cells = (self.row[begin:end] - first) * self.n_categories + self.codes[begin:end]
        counts = np.bincount(cells, minlength=(last - first) * self.n_categories)
        return counts.astype(np.float64).reshape(last - first, self.n_categories)

    @cached_property
    def _labels(self) -> csr_array:
        """Rows × categories, n_ik."""
        from scipy.sparse import csr_array

        shape = (len(self.sizes), self.n_categories)
        ones = np.ones(len(self.codes), np.int64)
        table = csr_array((ones, self.codes.astype(np.int32), self.start.copy()), shape=shape)
        table.sum_duplicates()  # in place
        return table


def own_and_rest(sums: Sums) -> tuple[FloatArray, FloatArray, Array]:
    """Marginals of each coder and of the others, over the items that both judged.

    Σ over the coder's items with two judgments or more of the judgment's indicator, and of the
    others' shares, (C, K) each; and how many such items there are, (C,).
    """
    paired = (sums.sizes > 1).astype(np.int64)
    share = paired / np.maximum(sums.sizes - 1, 1)
    own = sums.own(paired).astype(np.float64)
    rest = sums.met(share) - sums.own(share)
    # Categories that nobody else used for these items are exactly 0, without rounding errors.
    rest[sums.met(paired) - sums.own(paired) == 0] = 0.0
    return own, rest, sums.by_coder(paired)


class AgainstRest(NamedTuple):
    """The agreement of each coder with the others: sequences of C, NaN if undefined."""

    value: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    #: Items that the coder and at least one other judged, including weights: int64.
    n_items: Array
    undefined: tuple[str | None, ...]


def against_rest(annotations: Annotations, sums: Sums, distance: Distance) -> AgainstRest:
    """Compute how far each coder agrees with the others, as `coder_report` says."""
    check_symmetric(distance)
    paired = (sums.sizes > 1).astype(np.float64)
    counts = sums.labels(paired) if distance.ranks else None
    form = distance.bind(annotations.labels, annotations.declared, counts)
    own, rest, n_items = own_and_rest(sums)
    apart = sums.from_others(form, paired / np.maximum(sums.sizes - 1, 1))
    items = n_items.astype(np.float64)
    observed, expected = ratio(apart, items), ratio(form.bilinear(own, rest), items**2)
    reasons = _why_undefined(n_items, expected)
    return AgainstRest(beyond_chance(observed, expected), observed, expected, n_items, reasons)


def _why_undefined(n_items: Array, expected: FloatArray) -> tuple[str | None, ...]:
    """Return why coders have no value: no items, or no variation in them."""
    return tuple(
        NO_PAIRS if not n else None if ok else NO_VARIATION
        for n, ok in zip(n_items.tolist(), (expected > 0).tolist(), strict=True)
    )


#: The most coders × categories² for which ordinal distances come from a table for each coder.
TABLES = 1 << 24

#: Categories² for each coder above which such tables cost more than one coder at a time.
TABLE = 64


class Without(NamedTuple):
    """A coefficient without each of the coders: sequences of C, NaN if undefined."""

    value: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    #: Items with two judgments or more without the coder, including weights, and their judgments.
    n_items: Array
    n_judgments: Array
    undefined: tuple[str | None, ...]


def without_each(
    annotations: Annotations, sums: Sums, point: Point, incomplete: Incomplete
) -> Without:
    """Compute ``agreement(data.select(coders=all others), ...)`` for every coder.

    The ordinal distance differs from coder to coder: it takes a K × K table for each, or one pass
    for each coder if K² exceeds 64 C or C K² exceeds 1.6·10⁷. κ and β with incomplete="pairable"
    also take one pass for each coder if items have just two judgments.
    """
    if not isinstance(incomplete, str) or incomplete not in ("published", "pairable"):
        raise InputError.must_be(
            "incomplete",
            "'published' or 'pairable' if a coder is left out",
            incomplete,
            "'complete' would count items that only the coder who is left out missed",
        )
    others = _Others(annotations, sums, 1 if incomplete == "published" else 2)
    distance = point.distance
    if others.must_loop(distance, point.chance):
        observed, expected = others.one_by_one(point, incomplete)
    else:
        observed = others.observed(distance, point.item_weight)
        marginals = _LeftOutMarginals(others, distance)
        expected = point.chance.expected(marginals, others.ranked_or_fixed(distance))
        expected = np.broadcast_to(expected, len(sums.names))
    observed = np.where(others.n_items > 0, observed, np.nan)
    expected = np.where(others.n_items > 0, expected, np.nan)
    value = beyond_chance(observed, expected)
    reasons = _why_undefined(others.n_items, expected)
    return Without(value, observed, expected, others.n_items, others.n_judgments, reasons)


class _Others:
    """Sums over the judgments of all coders but one, for each coder."""

    def __init__(self, annotations: Annotations, sums: Sums, least: int) -> None:
        self.annotations = annotations
        self.least = least
        self.sums = sums
        self.n_categories = len(annotations.labels)
        #: Sizes of the items that count in D_o, before and after a coder has left.
        pairable = max(2, least)
        self._before = (sums.sizes >= pairable).astype(np.int64)
        self._after = (sums.sizes - 1 >= pairable).astype(np.int64)
        self.n_items = sums.rest(self._before, self._after)
        self.n_judgments = sums.rest(self._before * sums.sizes, self._after * (sums.sizes - 1))
        self._forms: dict[Distance, Form] = {}
        self._counts: dict[int, Array] = {}

    def must_loop(self, distance: Distance, chance: Chance) -> bool:
        """Whether the coders have to be left out one after the other."""
        sums, cells = self.sums, self.n_categories**2
        coders = len(sums.names)
        if distance.ranks and (cells * coders > TABLES or cells > TABLE * coders):
            return True
        # The others lose judgments of items that drop out with the coder.
        return chance.knows_coders and self.least == 2 and bool((sums.sizes == 2).any())

    def one_by_one(self, point: Point, incomplete: Incomplete) -> tuple[FloatArray, FloatArray]:
        """D_o and D_e by selecting all the other coders."""
        names = self.sums.names
        ranked = replace(point, distance=ranked_among(point.distance, self.annotations.labels))
        outcome = []
        for c in range(len(names)):
            rest = self.annotations.select(coders=[*names[:c], *names[c + 1 :]])
            entry = result_of(rest, ranked, incomplete)
            outcome.append((entry.observed_disagreement, entry.expected_disagreement))
        observed, expected = np.array(outcome, float).reshape(-1, 2).T
        return observed, expected

    def observed(self, distance: Distance, item_weight: str) -> FloatArray:
        """D_o without each coder."""
        sums, sizes = self.sums, self.sums.sizes.astype(np.float64)
        power = ITEM_WEIGHTS[item_weight]
        before = self._before * sizes**power / np.maximum(sizes * (sizes - 1), 1)
        after = self._after * (sizes - 1) ** power / np.maximum((sizes - 1) * (sizes - 2), 1)
        if distance.ranks:
            tables = sums.pair_tables(before, after)
            apart = np.empty(len(tables))
            for first, last, between in self.rank_distances(distance):
                apart[first:last] = (tables[first:last] * between).sum((1, 2))
        else:
            apart = sums.disagreement(self.form(distance), before, after)
        return ratio(apart, self.n_judgments if power else self.n_items)

    def rank_distances(self, distance: Distance) -> Iterator[tuple[int, int, FloatArray]]:
        """Distances without the coders first .. last - 1, each with ranks of its own: (n, K, K)."""
        ranked = self.ranked_or_fixed(distance)
        assert isinstance(ranked, Ranked)
        features, places = ranked.features, np.arange(self.n_categories)
        step = max(1, ROOM // max(1, self.n_categories**2))
        for first in range(0, len(features), step):
            some = Ranked(features[first : first + step])
            yield first, first + len(some.features), some.between(places[:, None], places[None])

    def form(self, distance: Distance) -> Form:
        if distance not in self._forms:
            annotations = self.annotations
            self._forms[distance] = distance.bind(annotations.labels, annotations.declared, None)
        return self._forms[distance]

    def counts(self, least: int) -> Array:
        """n_k without each coder, over the items with `least` judgments left: int64 (C, K)."""
        if least not in self._counts:
            sizes = self.sums.sizes
            kept, left = (sizes >= least).astype(np.int64), (sizes > least).astype(np.int64)
            self._counts[least] = self.sums.without(kept, left)
        return self._counts[least]

    @cached_property
    def used(self) -> Array:
        """Which categories there are without each coder: bool (C, K)."""
        if self.annotations.declared:
            return np.ones((len(self.sums.names), self.n_categories), bool)
        return self.sums.used_by_others()

    @cached_property
    def shares(self) -> FloatArray:
        """P(k) without each coder: float64 (C, K)."""
        sums, least = self.sums, self.least
        sizes = sums.sizes.astype(np.float64)
        kept = (sizes >= least) / np.maximum(sizes, 1)
        left = (sizes - 1 >= least) / np.maximum(sizes - 1, 1)
        shares = sums.without(kept, left)
        items = sums.rest((sizes >= least).astype(np.int64), (sizes > least).astype(np.int64))
        # Categories that nobody else used are exactly 0, without rounding errors.
        shares[self.counts(least) == 0] = 0.0
        return np.asarray(shares / np.maximum(items, 1)[:, None])

    def ranked_or_fixed(self, distance: Distance) -> Form:
        """Return the distance as one form for all coders; ranks differ from coder to coder."""
        if distance.ranks:
            return Ranked.of(self.counts(max(2, self.least)).astype(np.float64))
        return self.form(distance)


class _LeftOutMarginals(Marginals):
    """The marginals without each of the coders: leading axis C."""

    def __init__(self, others: _Others, distance: Distance) -> None:
        self._others, self._distance = others, distance

    def shares(self) -> FloatArray:
        return self._others.shares

    def counts(self) -> Array:
        return self._others.counts(max(2, self._others.least))

    def used(self) -> Array:
        """Which categories are left, (C, K)."""
        return self._others.used

    def scale(self, form: Form) -> tuple[FloatArray, FloatArray, FloatArray]:
        used = self.used()
        total, largest = np.zeros((2, len(used)))
        if self._distance.ranks:
            for first, last, apart in self._others.rank_distances(self._distance):
                chosen = used[first:last]
                apart *= chosen[:, :, None] & chosen[:, None, :]
                total[first:last] = apart.sum((1, 2))
                largest[first:last] = apart.max((1, 2), initial=0.0)
        else:
            # Most coders leave the same categories, so there are few distinct sets.
            group, result = group_equal(used)
            sums = [_total_and_largest(form, np.flatnonzero(used[c])) for c in result.tolist()]
            total, largest = np.array(sums).reshape(-1, 2)[group].T
        return total, used.sum(1).astype(np.float64), largest

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        # Σ_{m ≠ n ≠ c} of n_m D n_n is the product of the others' sum with itself, less that of
        # each of them with itself.
        sums = self._others.sums
        each = sums.own((sums.sizes >= self._others.least).astype(np.int64))
        rest = each.sum(0) - each
        weight = rest.sum(1).astype(np.float64) ** 2 - _all_less(
            each.sum(1).astype(np.float64) ** 2
        )
        if self._distance.ranks:
            # Σ_m n_m D n_m is the sum of D times a matrix that does not depend on D.
            floats, own = each.astype(np.float64), np.empty(len(each))
            products = floats.T @ floats
            for first, last, apart in self._others.rank_distances(self._distance):
                some = floats[first:last]
                apart *= products - some[:, :, None] * some[:, None, :]
                own[first:last] = apart.sum((1, 2))
        else:
            own = _all_less(form.bilinear(each, each))
        return np.maximum(form.bilinear(rest, rest) - own, 0.0), weight


def _total_and_largest(form: Form, places: Array) -> tuple[float, float]:
    """Σ_jl d_jl and max_jl d_jl over some categories."""
    total, largest = 0.0, 0.0
    step = max(1, (1 << 22) // max(1, len(places)))
    for first in range(0, len(places), step):
        block = form.between(places[first : first + step, None], places[None, :])
        total += float(block.sum())
        largest = max(largest, float(block.max()))
    return total, largest


def _all_less(values: FloatArray) -> FloatArray:
    """Return the sum of all other values, for each value."""
    return np.asarray(values.sum() - values)

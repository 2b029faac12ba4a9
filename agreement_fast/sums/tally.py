"""From rows of judgments to the sums that every coefficient is made of.

One pass gives the sizes of the items and the categories' marginals for each size; each distance
adds one pass for the disagreement of each size. Everything that a point of the cube needs follows:
item weights are functions of the size, and so is which items `incomplete` keeps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from agreement_fast import _threads
from agreement_fast._kernels import _rows
from agreement_fast.chance import ArrayMarginals
from agreement_fast.forms import FloatArray, Form
from agreement_fast.patterns import Rows, check_total, row_of
from agreement_fast.sums import routes
from agreement_fast.sums.numbers import NumberTally

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from agreement_fast.annotations import Annotations

Array = npt.NDArray[Any]

#: Rows that are summed at a time: partial sums do not depend on the number of threads.
CHUNK = 1 << 16

#: Coders × categories that are counted in a table; more of them, mostly zeros, are listed.
DENSE = 1 << 24

#: Sizes × categories that are counted exactly.
MANY = 1 << 20

#: Pairs of labels that are listed at a time for a distance without a matrix.
PAIRS = 1 << 20


class Tally:
    """Sums over the items of some annotations, by how many judgments an item has.

    Attributes
    ----------
    sizes : int64 array of shape (S,)
        The numbers of judgments that items have, ascending; perhaps others too.
    n_items : int64 array of shape (S,)
        How many items have each, weights counted.
    n_categories : int
    """

    def __init__(self, rows: Rows, judged: Rows, n_categories: int, n_coders: int | None) -> None:
        #: Rows that stand for the items, coders perhaps left out.
        self._rows = rows
        #: Rows that tell who judged; the same, or the items themselves.
        self._judged = judged
        self.n_categories = n_categories
        self._n_coders = n_coders
        self._longest = rows.width or int(np.diff(rows.start).max(initial=0))
        self._coder_marginals: dict[int, Array | csr_array] = {}
        #: Judgments of each category in the items of each size, (S, K); None where too large.
        self._marginals: Array | None = None
        self._count()
        if rows.weights is not None:
            judgments = self.sizes[self._size_of_row].astype(np.float64)
            check_total(float(judgments @ rows.weights.astype(np.float64)), "judgments")
        elif rows.repeats is not None:
            check_total(float(rows.repeats.sum(dtype=np.float64)), "judgments")

    def _count(self) -> None:
        rows = self._rows
        self.sizes, self._size_of_row = _distinct(row_sizes(rows))
        S = len(self.sizes)
        if rows.weights is None:
            self.n_items = np.bincount(self._size_of_row, minlength=S).astype(np.int64)
        else:
            self.n_items = np.zeros(S, np.int64)
            np.add.at(self.n_items, self._size_of_row, rows.weights)
        if S * self.n_categories <= MANY:
            self._marginals = self._count_labels()

    def _count_labels(self) -> Array:
        rows, shape = self._rows, (len(self.sizes), self.n_categories)

        def work(first: int, last: int) -> Array:
            out = np.zeros(shape, np.int64)
            _rows.label_marginals(
                rows.codes, rows.start, rows.width, rows.repeats, rows.weights,
                self._size_of_row, first, last, out,
            )  # fmt: skip
            return out

        return _added(_threads.over_rows(work, rows.n_rows))

    def shares(self, least: int) -> FloatArray:
        """The mean over items of `least` > 0 judgments or more of n_ik / n_i: float64 (K,)."""
        items = self.n_items[_from(self.sizes, least)].sum()
        if not items:
            return np.zeros(self.n_categories)
        factors = np.zeros(len(self.sizes))
        kept = _from(self.sizes, least)
        factors[kept] = 1 / self.sizes[kept]
        shares: FloatArray = self._label_sums(factors)
        shares /= items
        return shares

    def counts(self, least: int) -> Array:
        """Judgments of each category in items of `least` judgments or more: int64 (K,)."""
        if self._marginals is not None:
            counts: Array = self._marginals[_from(self.sizes, least)].sum(0)
            return counts
        factors = (self.sizes >= least).astype(np.float64)
        return np.rint(self._label_sums(factors)).astype(np.int64)

    def n_judgments(self, least: int) -> int:
        """How many these are."""
        kept = _from(self.sizes, least)
        return int(self.sizes[kept] @ self.n_items[kept])

    def _label_sums(self, factors: FloatArray) -> FloatArray:
        """Judgments of each category, those in items of size s counting as factors[s]."""
        if self._marginals is not None:
            sums: FloatArray = factors @ self._marginals
            return sums
        # Many categories have few judgments each: one sum of floats loses nothing, and saves S
        # times the memory.
        rows, out = self._rows, np.zeros(self.n_categories)
        _rows.label_sums(
            rows.codes, rows.start, rows.width, rows.repeats, rows.weights,
            self._size_of_row, factors, 0, rows.n_rows, out,
        )  # fmt: skip
        return out

    def coder_marginals(self, least: int) -> Array | csr_array:
        """n_ck over the items of at least `least` judgments: int64 (C, K). O(judgments)."""
        assert self._n_coders is not None
        if self._n_coders * self.n_categories > DENSE and least not in self._coder_marginals:
            self._coder_marginals[least] = self._list_coder_marginals(least)
        if least not in self._coder_marginals:
            rows, shape = self._judged, (self._n_coders, self.n_categories)
            if rows.width and rows.weights is None and least == 1:

                def work(first: int, last: int) -> Array:
                    out = np.zeros((shape[0], shape[1] + 1), np.int64)
                    _rows.table_marginals(rows.codes, rows.width, first, last, out)
                    return out[:, 1:]
            else:
                sizes = self.sizes[self._size_of_row] if rows is self._rows else row_sizes(rows)

                def work(first: int, last: int) -> Array:
                    out = np.zeros(shape, np.int64)
                    _rows.coder_marginals(
                        rows.codes, rows.start, rows.width, rows.coders, rows.weights,
                        sizes, least, first, last, out,
                    )  # fmt: skip
                    return out

            # Many coders: one table is enough memory.
            if shape[0] * shape[1] < 1 << 20:
                parts = _threads.over_rows(work, rows.n_rows)
            else:
                parts = [work(0, rows.n_rows)]
            self._coder_marginals[least] = _added(parts)
        return self._coder_marginals[least]

    def _list_coder_marginals(self, least: int) -> csr_array:
        from scipy.sparse import coo_array

        assert self._n_coders is not None
        rows = self._judged
        judged = np.flatnonzero(rows.codes >= 0)
        row = row_of(rows, judged)
        kept = row_sizes(rows)[row] >= least
        judged, row = judged[kept], row[kept]
        coders = judged % rows.width if rows.width else cast(Array, rows.coders)[judged]
        weights = np.ones(len(judged), np.int64) if rows.weights is None else rows.weights[row]
        shape = (self._n_coders, self.n_categories)
        return coo_array((weights, (coders, rows.codes[judged])), shape).tocsr()

    def disagreement(self, form: Form) -> FloatArray:
        """Σ over the items of a size of w_i Σ_jl n_ij n_il d_jl: float64 of shape (S,).

        O(judgments + Σ_i r_i²), r_i being the distinct labels of an item.
        """
        if form.kind == "blocks":
            return self._disagreement_by_pairs(form)
        rows, S = self._rows, len(self.sizes)
        kind = _rows.FORMS[form.kind]

        def work(first: int, last: int) -> list[FloatArray]:
            seen = np.zeros(self.n_categories, np.int64)
            labels = np.empty(self._longest + 1, np.int32)
            counts = np.empty(self._longest + 1, np.int64)
            sums = []
            for begin in range(first * CHUNK, min(last * CHUNK, rows.n_rows), CHUNK):
                out = np.zeros((S, 2))
                _rows.sum_disagreement(
                    rows.codes, rows.start, rows.width, rows.repeats, rows.weights,
                    self._size_of_row, kind, form.values, seen, labels, counts,
                    begin, min(begin + CHUNK, rows.n_rows), out,
                )  # fmt: skip
                sums.append(out)
            return sums

        n_chunks = -(-rows.n_rows // CHUNK)
        if n_chunks == 1:
            parts = [work(0, 1)]
        else:
            pieces = _threads.ranges(n_chunks, _threads.available())
            parts = _threads.run(work, pieces, rows.n_rows)
        chunks = [chunk for part in parts for chunk in part]
        if len(chunks) == 1:
            return cast(FloatArray, chunks[0].sum(1))
        return np.array([math.fsum(v for c in chunks for v in c[s]) for s in range(S)])

    def _disagreement_by_pairs(self, form: Form) -> FloatArray:
        rows = self._rows
        seen = np.zeros(self.n_categories, np.int64)
        labels = np.empty(self._longest + 1, np.int32)
        room = PAIRS
        sums: list[FloatArray] = []
        row = 0
        while row < rows.n_rows:
            a, b = np.empty(room, np.int32), np.empty(room, np.int32)
            count, row_of = np.empty(room), np.empty(room, np.int64)
            n, following = _rows.list_pairs(
                rows.codes, rows.start, rows.width, rows.repeats, seen, labels,
                row, rows.n_rows, a, b, count, row_of,
            )  # fmt: skip
            if following == row:
                room = n
                continue
            row = following
            terms = count[:n] * form.between(a[:n], b[:n])
            if rows.weights is not None:
                terms *= rows.weights[row_of[:n]]
            index = self._size_of_row[row_of[:n]]
            sums.append(np.array([terms[index == s].sum() for s in range(len(self.sizes))]))
        return np.array([math.fsum(part[s] for part in sums) for s in range(len(self.sizes))])


#: Cells of coders × categories that are widened to floats at a time.
CELLS = 1 << 20


class Counted(ArrayMarginals):
    """The marginals of the items with at least `least` judgments."""

    def __init__(self, tally: Tally | NumberTally, least: int) -> None:
        self.tally = tally
        self.least = least

    def scale(self, form: Form) -> tuple[float, int, float]:
        k = self.tally.n_categories
        assert k is not None
        return form.total(), k, form.largest()

    def shares(self) -> FloatArray:
        """P(k): the mean over items of n_ik / n_i (Artstein & Poesio 2005, 5.1)."""
        return self.tally.shares(max(1, self.least))

    def counts(self) -> Array:
        return self.tally.counts(max(2, self.least))

    def pairs(self) -> float:
        n = float(self.tally.n_judgments(max(2, self.least)))
        return n * (n - 1)

    def each(self) -> Any:
        """n_ck: an array, or a sparse one where coders × categories are many."""
        return self.tally.coder_marginals(max(1, self.least))

    def between_coders(self, form: Form) -> tuple[float, float]:
        each = self.each()
        pooled = np.asarray(each.sum(0))
        # As integers where they are such: a coder of 10^17 judgments leaves few to the others.
        masses = form.mass(each)
        others = form.mass(pooled) - masses
        weight = float((masses.astype(np.float64) * others.astype(np.float64)).sum())
        step = max(1, CELLS // max(each.shape[1], 1))
        sums = []
        for first in range(0, each.shape[0], step):
            some = each[first : first + step]
            dense = some if isinstance(some, np.ndarray) else some.toarray()
            sums.extend(form.bilinear(dense, pooled - dense).tolist())
        return math.fsum(sums), weight


def row_disagreement(rows: Rows, form: Form, n_categories: int) -> FloatArray:
    """Σ_jl n_ij n_il d_jl of each row, its weight left out: float64 of shape (U,)."""
    n_rows = rows.n_rows
    out = np.zeros((n_rows, 2))
    longest = rows.width or int(np.diff(rows.start).max(initial=0))
    labels = np.empty(longest + 1, np.int32)
    if form.kind == "blocks":
        seen = np.zeros(n_categories, np.int64)
        room, row = PAIRS, 0
        while row < n_rows:
            a, b = np.empty(room, np.int32), np.empty(room, np.int32)
            count, row_of = np.empty(room), np.empty(room, np.int64)
            n, following = _rows.list_pairs(
                rows.codes, rows.start, rows.width, rows.repeats, seen, labels,
                row, n_rows, a, b, count, row_of,
            )  # fmt: skip
            if following == row:
                room = n
                continue
            terms = count[:n] * form.between(a[:n], b[:n])
            out[row:following, 0] = np.bincount(row_of[:n] - row, terms, following - row)
            row = following
        sums: FloatArray = out[:, 0]
        return sums
    seen = np.zeros(n_categories, np.int64)
    counts = np.empty(longest + 1, np.int64)
    own = np.arange(n_rows, dtype=np.int32)
    for first in range(0, n_rows, CHUNK):
        _rows.sum_disagreement(
            rows.codes, rows.start, rows.width, rows.repeats, None, own,
            _rows.FORMS[form.kind], form.values, seen, labels, counts,
            first, min(first + CHUNK, n_rows), out,
        )  # fmt: skip
    sums = out.sum(1)
    return sums


def tally(annotations: Annotations) -> Tally:
    """The sums of some annotations; computed once for each."""
    memo = annotations.memo
    if "tally" not in memo:
        memo["tally"] = build(annotations)
    return cast(Tally, memo["tally"])


def number_tally(annotations: Annotations, least: int) -> NumberTally:
    """The sums of numbers that were not counted into categories; computed once for each."""
    memo, key = annotations.memo, ("numbers", least)
    if key not in memo:
        assert annotations.numbers is not None
        memo[key] = NumberTally(annotations.numbers, annotations.weights, least)
    return cast(NumberTally, memo[key])


def build(annotations: Annotations, route: str | None = None) -> Tally:
    """The sums by a route of `routes`; None chooses."""
    rows = routes.choose(annotations, route)
    judged = rows if rows.width or rows.coders is not None else annotations.grouped()
    sums = Tally(rows, judged, len(annotations.labels), annotations.n_coders)
    if annotations.kept_marginals is not None:
        sums._coder_marginals.update(annotations.kept_marginals)
    return sums


def row_sizes(rows: Rows) -> Array:
    """How many judgments each row has."""
    sizes = np.empty(rows.n_rows, np.int64)

    def work(first: int, last: int) -> None:
        _rows.row_sizes(rows.codes, rows.start, rows.width, rows.repeats, first, last, sizes)

    _threads.over_rows(work, rows.n_rows)
    return sizes


def _added(parts: list[Array]) -> Array:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total


def _from(sizes: Array, least: int) -> slice:
    """Where ascending sizes are `least` or more."""
    return slice(int(sizes.searchsorted(least)), None)


def _distinct(sizes: Array) -> tuple[Array, Array]:
    """Distinct sizes, ascending, and the index of each row's."""
    largest = int(sizes.max(initial=0))
    if largest < 1 << 16:
        present = np.flatnonzero(np.bincount(sizes, minlength=1))
        index = np.zeros(largest + 1, np.int32)
        index[present] = np.arange(len(present))
        return present.astype(np.int64), index[sizes]
    distinct, inverse = np.unique(sizes, return_inverse=True)
    return distinct, inverse.astype(np.int32)


def judgments_needed(annotations: Annotations, incomplete: str) -> int:
    """`incomplete` as the number of judgments that an item needs."""
    if incomplete == "published":
        return 1
    if incomplete == "pairable":
        return 2
    if incomplete == "complete":
        return max(1, len(annotations.known_coders("incomplete='complete'")))
    raise ValueError(f"incomplete={incomplete!r}: it is 'published', 'pairable' or 'complete'")

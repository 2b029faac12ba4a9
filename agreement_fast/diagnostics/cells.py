"""Two coders at a time: what they said together, and 1 − D_o / D_e of each such table.

A table of two coders, or of a coder and a reference, is a list of cells (group, first's category,
second's category, count); only cells that occur are held, so 10,000 coders who meet on few items
take memory for their meetings and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import ArrayMarginals, Chance, beyond_chance
from agreement_fast.contingency import pair_tables
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import Form
from agreement_fast.errors import InputError
from agreement_fast.patterns import Rows, as_lists
from agreement_fast.sums.of_annotations import sums_of

#: Numbers that are held at a time.
ROOM = 1 << 21

#: Cells of all the tables of pairs up to which they are counted as one array (32 MB), and up to
#: which they are (1 GB) where a list of the pairs of judgments would be longer still.
TABLES = 1 << 22
MOST = 1 << 27

#: Pairs of cells, for each category of each table, up to which they are looked at one by one.
SPARSE = 1


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Tables of two, one after the other.

    Attributes
    ----------
    start : int64 array of shape (G + 1,)
        Where the cells of each table begin.
    first, second : int arrays of shape (n,)
        The categories of a cell.
    counts : int64 array of shape (n,)
        How many items; weights counted.
    """

    start: Array
    first: Array
    second: Array
    counts: Array

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self.start) - 1

    @property
    def table(self) -> Array:
        """Which table each cell belongs to: int64 (n,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @property
    def n_items(self) -> Array:
        """Items of each table: int64 (G,)."""
        return self.sums(self.counts)

    def sums(self, values: Array) -> Array:
        """Sums of one number a cell over each table: (G,)."""
        return _sums(values, self.start)

    def n_others(self, K: int) -> Array:
        """Judgments that are not of the most frequent category of their table: int64 (G,)."""
        table = np.tile(self.table * K, 2)
        keys = table + np.concatenate([self.first, self.second])
        found, place = np.unique(keys, return_inverse=True)
        counts = np.zeros(len(found), np.int64)
        np.add.at(counts, place, np.tile(self.counts, 2))
        most = np.zeros(len(self), np.int64)
        np.maximum.at(most, found // max(K, 1), counts)
        return np.asarray(2 * self.n_items - most)

    @property
    def n_pairs(self) -> int:
        """Pairs of cells of the same table."""
        return int((np.diff(self.start) ** 2).sum())

    def mixed(self) -> Cells:
        """Tables that have what either of the two said on both sides."""
        labels = np.stack([self.first, self.second], axis=1).reshape(-1)
        return Cells(2 * self.start, labels, labels, np.repeat(self.counts, 2))

    def marginals(self, begin: int, end: int, K: int) -> tuple[Array, Array]:
        """How often each side of some tables used each category: two of int64 (end − begin, K)."""
        cells = slice(self.start[begin], self.start[end])
        row = np.repeat(np.arange(0, (end - begin) * K, K), np.diff(self.start[begin : end + 1]))
        own, other = (np.zeros((end - begin) * K, np.int64) for _ in range(2))
        np.add.at(own, row + self.first[cells], self.counts[cells])
        np.add.at(other, row + self.second[cells], self.counts[cells])
        return own.reshape(end - begin, K), other.reshape(end - begin, K)


def _sums(values: Array, start: Array) -> Array:
    """Sums of runs, none of them empty."""
    if not len(values):
        return np.zeros(len(start) - 1, values.dtype)
    return np.asarray(np.add.reduceat(values, start[:-1]))


def cells_of(group: Array, first: Array, second: Array, counts: Array | None, K: int) -> Keys:
    """Cells by one number each: ((group · K) + first) · K + second, with their counts."""
    keys = (group.astype(np.int64) * K + first) * K + second
    return _counted(keys, counts)


#: Numbers of cells, ascending, and their counts.
Keys = tuple[Array, Array]


def _counted(keys: Array, counts: Array | None) -> Keys:
    if counts is None:
        found, times = np.unique(keys, return_counts=True)
        return found, times.astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    begin = np.flatnonzero(new)
    return keys[begin], _sums(counts, np.append(begin, len(keys)))


def joined(parts: list[Keys]) -> Keys:
    """The cells of several lists."""
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if len(parts) == 1:
        return parts[0]
    return _counted(*(np.concatenate(side) for side in zip(*parts, strict=True)))


def tables_of(cells: Keys, K: int) -> tuple[Array, Cells]:
    """The groups that occur, ascending, and their tables."""
    keys, counts = cells
    group = keys // (K * K)
    begin = np.flatnonzero(np.append(True, group[1:] != group[:-1])[: len(group)])
    start = np.append(begin, len(keys))
    within = keys - group * (K * K)
    return group[begin], Cells(start, within // K, within % K, counts)


def check_keys(groups: float, K: int, what: str) -> None:
    """A cell's number must fit 64 bits."""
    if groups * float(K) ** 2 >= 2.0**62:
        raise InputError(
            f"{what} of {K} categories are too many tables",
            "round the labels, or select some coders",
        )


def pair_cells(annotations: Annotations) -> tuple[Array, Array, Cells]:
    """The tables of all pairs of coders that met: places of the first and the second, cells.

    O(Σ n_i²) for n_i judgments of an item; a filled table without weights by counting bits.
    """
    n = len(annotations.known_coders("the agreement of pairs of coders"))
    rows, K = annotations.grouped(), len(annotations.labels)
    n_tables = n * (n - 1) // 2
    check_keys(float(n) ** 2, K, f"pairs of {n} coders")
    n_cells = n_tables * K * K
    if (
        rows.width
        and rows.weights is None
        and (n_cells <= TABLES or n_cells <= min(MOST, _n_listed(rows)))
    ):
        tables = pair_tables(rows, n, K).reshape(-1)
        there = np.flatnonzero(tables)
        group, cells = tables_of((there, tables[there]), K)
        first, second = (side[group] for side in np.triu_indices(n, 1))
        return first.astype(np.int32), second.astype(np.int32), cells
    group, cells = tables_of(joined(_listed(rows, n, K)), K)
    return (group // max(n, 1)).astype(np.int32), (group % max(n, 1)).astype(np.int32), cells


def _n_listed(rows: Rows) -> int:
    """Pairs of judgments of the same item in a table."""
    sizes = (rows.table() >= 0).sum(1)
    return int((sizes * (sizes - 1) // 2).sum())


def _listed(rows: Rows, n_coders: int, K: int) -> list[Keys]:
    """The cells of pairs, item by item; items of the same size together."""
    lists = as_lists(rows)
    coders = cast(Array, lists.coders)
    sizes = np.diff(lists.start)
    parts: list[Keys] = []
    for size in np.unique(sizes[sizes > 1]).tolist():
        same = np.flatnonzero(sizes == size)
        a, b = np.triu_indices(size, 1)
        width = max(1, ROOM // size)
        for left in range(0, len(a), width):
            one, two = a[left : left + width], b[left : left + width]
            step = max(1, ROOM // len(one))
            for begin in range(0, len(same), step):
                some = same[begin : begin + step]
                places = lists.start[some, None]
                x, y = (places + one).reshape(-1), (places + two).reshape(-1)
                weights = lists.weights
                times = None if weights is None else np.repeat(weights[some], len(one))
                group = coders[x].astype(np.int64) * n_coders + coders[y]
                keys, counts = cells_of(group, lists.codes[x], lists.codes[y], times, K)
                there = counts > 0
                parts.append((keys[there], counts[there]))
            if len(parts) > 64:
                parts = [joined(parts)]
    return parts


# ---------------------------------------------------------------------- coefficients of tables


class OfTwo(ArrayMarginals):
    """The marginals of two who judged the same n items.

    Parameters
    ----------
    form : Form
    own, other : arrays of shape (..., K)
        How often each used each category.
    n : array of shape (...)
    """

    def __init__(self, own: Array, other: Array, n: Array) -> None:
        self._own, self._other, self._n = own, other, np.asarray(n, np.float64)

    def scale(self, form: Form) -> tuple[float, int, float]:
        return form.total(), self._own.shape[-1], form.largest

    def shares(self) -> FloatArray:
        both: FloatArray = self.counts() / np.maximum(2.0 * self._n[..., None], 1)
        return both

    def counts(self) -> Array:
        return self._own + self._other

    def each(self) -> Array:
        return np.stack([self._own, self._other], axis=-2)

    def pairs(self) -> FloatArray:
        return np.asarray(2.0 * self._n * (2.0 * self._n - 1))

    def pooled(self, form: Form) -> FloatArray:
        # not of shares: whole numbers lose nothing
        both = self.counts()
        return np.asarray(form.bilinear(both, both) / np.maximum(4.0 * self._n**2, 1))

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return form.bilinear(self._own, self._other), self._n**2


class OfCells(OfTwo):
    """The same from the cells of tables that are nearly empty, for models without categories."""

    def __init__(self, cells: Cells) -> None:
        self._cells, self._n = cells, cells.n_items.astype(np.float64)

    def pooled(self, form: Form) -> FloatArray:
        return np.asarray(_over_pairs(self._cells.mixed(), form) / np.maximum(4 * self._n**2, 1))

    def pairable(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return _over_pairs(self._cells.mixed(), form), self.pairs()

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return _over_pairs(self._cells, form), self._n**2


def bound(annotations: Annotations, distance: Distance) -> Form:
    """A distance over the categories; ranks are those of all pairable judgments."""
    counts: FloatArray | None = None
    if distance.ranks:
        counts = sums_of(annotations).counts().astype(np.float64)
    return distance.bind(annotations.labels, annotations.declared, counts)


def looks_at_cells(cells: Cells, chance: Chance, K: int) -> bool:
    """Whether pairs of cells are fewer than marginals, and are all that a model needs."""
    few = cells.n_pairs <= SPARSE * len(cells) * K
    return few and "categories" not in chance.needs


def values_of(
    cells: Cells, chance: Chance, form: Form, K: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """D_o, D_e and 1 − D_o / D_e of each table: float64 (G,), the last NaN where D_e is 0."""
    n = cells.n_items
    apart = cells.counts * form.between(cells.first, cells.second)
    observed = cells.sums(apart) / np.maximum(n, 1)
    expected = np.empty(len(n))
    if looks_at_cells(cells, chance, K):
        expected[:] = chance.expected(OfCells(cells), form)
    else:
        step = max(1, ROOM // max(K, 1))
        for begin in range(0, len(n), step):
            end = min(begin + step, len(n))
            own, other = cells.marginals(begin, end, K)
            expected[begin:end] = chance.expected(OfTwo(own, other, n[begin:end]), form)
    return observed, expected, beyond_chance(observed, expected)


def _over_pairs(cells: Cells, form: Form) -> FloatArray:
    """Σ over the first categories and the second ones of each table of n_j n_l d_jl: (G,).

    Cell by cell: cheaper than marginals where tables are nearly empty, and nothing is subtracted.
    """
    sizes = np.diff(cells.start)
    out = np.zeros(len(sizes))
    ends = np.cumsum(sizes**2)
    begin = 0
    while begin < len(sizes):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + ROOM, side="right")))
        some = sizes[begin:end]
        left = np.repeat(np.arange(cells.start[begin], cells.start[end]), np.repeat(some, some))
        start = np.concatenate([[0], np.cumsum(some**2)])
        table = np.repeat(np.arange(end - begin), some**2)
        within = np.arange(start[-1]) - start[table]
        right = cells.start[begin:end][table] + within % some[table]
        terms = form.between(cells.first[left], cells.second[right])
        terms *= cells.counts[left].astype(np.float64) * cells.counts[right]
        out[begin:end] = _sums(terms, start)
        begin = end
    return out

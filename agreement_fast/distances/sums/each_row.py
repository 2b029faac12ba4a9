"""The disagreement of each row of judgments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels import _sums, parallel
from agreement_fast._kernels._sums import BESIDE
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.distances.forms import Form, Nominal
from agreement_fast.distances.sums.routes import choose
from agreement_fast.patterns import CountTable, Rows, row_sizes

#: Rows that are summed at a time, so that partial sums do not depend on the number of threads.
CHUNK = 1 << 16

#: Pairs of labels that are listed at a time for a distance without a matrix.
PAIRS = 1 << 20


def working_room(rows: Rows, n_categories: int) -> Array:
    """Allocate the memory in which kernels gather the labels of a row."""
    return np.zeros((3, max(rows.longest(), n_categories, 1)), np.int64)


def row_disagreement(rows: Rows, form: Form, n_categories: int) -> FloatArray:
    """Compute Σ_jl n_ij n_il d_jl of each row, without weights: float64 of shape (U,)."""
    n_rows = rows.n_rows
    out = np.zeros((n_rows, 2))
    if form.kind == "blocks":
        for pairs in listed_pairs(rows, form, n_categories):
            n_new = pairs.last - pairs.first
            out[pairs.first : pairs.last, 0] = np.bincount(
                pairs.row - pairs.first, pairs.disagreement, n_new
            )
        sums: FloatArray = out[:, 0]
        return sums
    bare = Rows(rows.codes, rows.width, rows.start, None, rows.repeats)
    own = np.arange(n_rows, dtype=np.int32)
    room = working_room(rows, n_categories)
    kind = _sums.KINDS[form.kind]
    for first in range(0, n_rows, CHUNK):
        part = bare.part(first, min(first + CHUNK, n_rows))
        _sums.disagreement(part, own, kind, form.values, room, out)
    sums = out[:, 0] + out[:, 1]
    return sums


#: Pairs of labels that are multiplied between two checks for Ctrl-C: some milliseconds.
MULTIPLIED = 1 << 25

#: Pairs that are multiplied in the time of a usual row; see `parallel.run`.
PAIRS_A_ROW = 128


def dense_disagreement(
    rows: Rows | CountTable, place: Array, form: Form, n_categories: int, n_places: int
) -> list[FloatArray]:
    """Sum the disagreement of rows over all pairs of labels, by way of counts of all labels.

    The sums of pieces of the rows, which do not depend on the number of threads: float64 arrays
    (n_places, 2), with the rounding errors in the second column. See `are_dense`.
    """
    labels = np.arange(n_categories)
    is_matrix = form.kind == "matrix"
    below = np.tril(form.values if is_matrix else form.between(labels[:, None], labels), -1)

    def work(first: int, last: int) -> FloatArray:
        out, room = np.zeros((n_places, 2)), np.zeros((n_categories, BESIDE))
        _sums.dense_disagreement(rows.part(first, last), place, below, room, out)
        return out

    step = min(MULTIPLIED // max(below.size, 1), CHUNK) // BESIDE * BESIDE or BESIDE
    pieces = [(i, min(i + step, rows.n_rows)) for i in range(0, rows.n_rows, step)]
    return parallel.run(work, pieces, rows.n_rows * below.size // PAIRS_A_ROW)


class Pairs(NamedTuple):
    """The pairs of distinct labels in the rows first .. last - 1.

    Attributes
    ----------
    row : int64 array of shape (n,)
    apart : float64 array of shape (n,)
        The distance of the two labels.
    disagreement : float64 array of shape (n,)
        The distance, times the number of ordered pairs of judgments with these labels.
    first, last : int
    """

    row: Array
    apart: FloatArray
    disagreement: FloatArray
    first: int
    last: int


def listed_pairs(rows: Rows, form: Form, n_categories: int) -> Iterator[Pairs]:
    """Yield the pairs of labels of all rows, about a million at a time."""
    room = working_room(rows, n_categories)
    most, first = PAIRS, 0
    while first < rows.n_rows:
        labels, count = np.empty((2, most), np.int32), np.empty(most)
        row = np.empty(most, np.int64)
        n, last = _sums.pairs(rows.part(first, rows.n_rows), room, labels, count, row)
        if last == first:
            most = n
            continue
        apart = form.between(labels[0, :n], labels[1, :n])
        yield Pairs(row[:n], apart, count[:n] * apart, first, last)
        first = last


def item_shares(annotations: Annotations, least: int) -> tuple[FloatArray, FloatArray]:
    """Compute the share of agreeing pairs of rows with `least` judgments, and their weights.

    O(judgments).
    """
    rows, K = choose(annotations), len(annotations.labels)
    sizes = row_sizes(rows)
    kept = sizes >= max(2, least)
    apart = row_disagreement(rows, Nominal(K), K)[kept] / (sizes[kept] * (sizes[kept] - 1.0))
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    return 1.0 - apart, weights[kept]

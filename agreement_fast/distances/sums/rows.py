"""The rows that are summed, chosen from the shape of the data, and the disagreement of each.

============  ====================================================  ==============================
route         rows that are summed                                  used if
============  ====================================================  ==============================
``keys``      distinct rows, from a histogram of row keys           reading a table found that its
                                                                    keys fit 17 bits, and that
                                                                    rows are many
``counts``    distinct rows of counts n_ik, without coders          pairs of labels are summed, rows
                                                                    are many and their counts fit
                                                                    64 bits
``rows``      the rows themselves                                   none of the others applies
``patterns``  distinct rows, by hashing                             it is passed
============  ====================================================  ==============================

Counts that were read as counts are summed as they are. For distances other than nominal, the
items' pairs of labels are listed, or the counts of all labels are multiplied with the matrix of
distances, whichever is less work: see `are_dense`.

Reading uses the route ``keys`` if it can, before this choice: see `patterns.key_histogram`. All
routes give the same sums. Each distance then chooses between features, positions, a matrix and
blocks of a matrix: see `forms`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels import _sums, parallel
from agreement_fast._kernels._sums import BESIDE, WIDEST
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.distances.forms import Form, Nominal, table_of
from agreement_fast.patterns import CountTable, Rows, row_sizes, tally
from agreement_fast.reading.kept_moments import group_counts

#: The number of rows below which grouping costs more than it saves.
FEW = 4096

#: Pairs of labels that are multiplied in the time in which one is listed.
AT_ONCE = 20

#: The most labels whose distances are computed as a matrix.
MATRIX_LABELS = 1 << 10


def are_dense(form: Form, n_rows: int, squares: int, n_labels: int) -> bool:
    """Say whether all pairs of labels are less work than those of each row.

    Parameters
    ----------
    squares : int
        The sum over the rows of the square of the number of distinct labels.
    """
    if form.kind in ("nominal", "squared") or (form.kind != "matrix" and n_labels > MATRIX_LABELS):
        return False
    return squares * AT_ONCE > n_rows * n_labels**2


def summed(annotations: Annotations) -> Rows | CountTable:
    """Return what is counted: patterns that reading found, counts as they were read, or rows."""
    if annotations.known_patterns is not None:
        return annotations.known_patterns
    K = len(annotations.labels)
    if annotations.count_table is not None and K:
        return annotations.count_table
    rows = annotations.rows
    columns = 0 < rows.width <= WIDEST and rows.codes.itemsize < 4
    if columns or rows.repeats is not None or not 0 < rows.n_rows * K <= len(rows.codes):
        return rows
    return tally(rows, K) if rows.longest() < np.iinfo(np.int16).max else rows


def choose(annotations: Annotations) -> Rows:
    """Choose the rows to sum: patterns that reading found, or rows, grouped if they repeat."""
    if annotations.known_patterns is not None:
        return annotations.known_patterns
    return condensed(annotations.rows, len(annotations.labels))


def condensed(rows: Rows, n_categories: int) -> Rows:
    """Group rows of equal counts if there are many rows and they repeat."""
    grouped = group_counts(rows, n_categories) if rows.n_rows >= FEW else None
    return rows if grouped is None else grouped


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
        return np.asarray(out[:, 0])
    bare = Rows(rows.codes, rows.width, rows.start, None, rows.repeats)
    own = np.arange(n_rows, dtype=np.int32)
    room = working_room(rows, n_categories)
    kind = _sums.KINDS[form.kind]
    for first in range(0, n_rows, CHUNK):
        part = bare.part(first, min(first + CHUNK, n_rows))
        _sums.disagreement(part, own, kind, form.values, room, out)
    return np.asarray(out[:, 0] + out[:, 1])


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
    is_matrix = form.kind == "matrix"
    matrix = form.values if is_matrix else table_of(form.between, n_categories)

    def work(first: int, last: int) -> FloatArray:
        out, room = np.zeros((n_places, 2)), np.zeros((n_categories, BESIDE))
        _sums.dense_disagreement(rows.part(first, last), place, matrix, room, out)
        return out

    step = min(MULTIPLIED // max(matrix.size, 1), CHUNK) // BESIDE * BESIDE or BESIDE
    pieces = [(i, min(i + step, rows.n_rows)) for i in range(0, rows.n_rows, step)]
    return parallel.run(work, pieces, rows.n_rows * matrix.size // PAIRS_A_ROW)


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
    room, longest = working_room(rows, n_categories), rows.longest()
    most, first = min(PAIRS, rows.n_rows * longest * (longest - 1) // 2), 0
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

"""The disagreement of each row of judgments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _sums
from agreement_fast._kernels._sums import BESIDE
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import Form, Nominal
from agreement_fast.normal import normal_quantile
from agreement_fast.patterns import CountTable, Rows, row_sizes
from agreement_fast.sums.routes import choose

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

#: Pairs that are multiplied in the time of a usual row; see `_threads.run`.
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
    return _threads.run(work, pieces, rows.n_rows * below.size // PAIRS_A_ROW)


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


METHODS = ("score", "wilson", "wald")

#: The largest variance of a share, which one more item may add.
LARGEST_VARIANCE = 0.25


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


def share_interval(
    share: Any, squares: Any, n: Any, confidence_level: float, method: str
) -> tuple[FloatArray, FloatArray]:
    """Compute intervals of means of n shares: numbers, or arrays of the same shape.

    Parameters
    ----------
    share : float or float64 array
        The mean p of the shares.
    squares : float or float64 array
        The sum of the squared deviations from the mean, at most n p (1 − p).
    n : int or array of numbers
    confidence_level : float
    method : {"score", "wilson", "wald"}
        "wilson" (Wilson 1927) is all m with (p − m)² ≤ z² m (1 − m) / n. "score" replaces the
        variance m (1 − m) of an item by φ m (1 − m) with φ = (squares + 1/4) / (n p (1 − p) + 1/4),
        as if there were one more item of the largest variance. If all shares are 0 or 1, φ is 1.
        "wald" is p ± z · √squares / n, which is not cut at 0 and 1.
    """
    z = two_sided_quantile(confidence_level)
    if method == "wald":
        reach = z * np.sqrt(squares) / n
        return share - reach, share + reach
    size = np.asarray(n, np.float64)
    if method == "score":
        most = n * share * (1 - share)
        size = size * (most + LARGEST_VARIANCE) / (np.minimum(squares, most) + LARGEST_VARIANCE)
    return wilson_ends(share, size, z)


def two_sided_quantile(confidence_level: float) -> float:
    """Return the number of standard errors to each side of an interval."""
    return normal_quantile((1 + confidence_level) / 2)


def wilson_ends(share: Any, n: Any, z: Any) -> tuple[FloatArray, FloatArray]:
    """Solve (p − m)² ≤ z² m (1 − m) / n for m; n need not be an integer."""
    return _lower(share, n, z), 1.0 - _lower(1.0 - share, n, z)


def _lower(share: Any, n: Any, z: Any) -> FloatArray:
    """Return the lower root of (n + z²) x² − (2 n p + z²) x + n p² = 0, from their product."""
    middle = share + z * z / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.asarray(share * share / (middle + reach))

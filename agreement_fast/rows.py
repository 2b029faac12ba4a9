"""Rows of judgments, and their grouping into patterns.

Every definition of agreement sees an item only through its row of judgments, so equal rows are one
row with a weight (a pattern). A table of 5 coders and 5 categories has at most 7,776 of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast import _patterns, _threads

IntArray = npt.NDArray[Any]

NO_STARTS = np.zeros(0, np.int64)

#: A histogram of the rows' keys is taken while it stays in the processor's cache.
HISTOGRAM_BITS = 17


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """U rows of judgments, as a table or as lists.

    Attributes
    ----------
    codes : int8, int16 or int32 array
        Category codes, -1 being missing. With `width`, row r is
        ``codes[r * width : (r + 1) * width]`` and position is coder; else it is
        ``codes[start[r] : start[r + 1]]`` and holds no missing judgments.
    width : int
        Number of coders of a table, 0 for lists.
    start : int64 array of shape (U + 1,)
        Offsets of the lists; empty for a table.
    coders : int32 array or None
        The coder of each judgment of a list; None for a table, and where coders are unknown.
    repeats : int64 array or None
        How many judgments each code stands for; None means one.
    weights : int64 array of shape (U,) or None
        How many items each row stands for; None means one.
    """

    codes: IntArray
    width: int
    start: IntArray
    coders: IntArray | None = None
    repeats: IntArray | None = None
    weights: IntArray | None = None

    @property
    def n_rows(self) -> int:
        """Number of stored rows."""
        if self.width:
            return int(len(self.codes) // self.width)
        return len(self.start) - 1

    def table(self) -> IntArray:
        """The codes of a table as an array of shape (U, C); only with `width`."""
        return self.codes.reshape(-1, self.width)


def as_table(codes: IntArray, weights: IntArray | None) -> Rows:
    """Rows of an items × coders array of codes."""
    n_rows, width = codes.shape
    if width == 0:  # lists of no judgments: a table of width 0 would not know its length
        return Rows(codes.reshape(-1), 0, np.zeros(n_rows + 1, np.int64), np.zeros(0, np.int32))
    return Rows(np.ascontiguousarray(codes).reshape(-1), width, NO_STARTS, weights=weights)


def narrow(n_categories: int) -> type[np.signedinteger[Any]]:
    """The narrowest code type for a number of categories."""
    if n_categories <= 127:
        return np.int8
    return np.int16 if n_categories <= 32767 else np.int32


def key_bits(n_states: int, width: int) -> int | None:
    """Bits a column needs in a row's key, or None where a histogram of keys would be too large."""
    bits = max(1, (n_states - 1).bit_length())
    return bits if width and width * bits <= HISTOGRAM_BITS else None


def key_histogram(
    table: IntArray, weights: IntArray | None, low: int, n_states: int
) -> tuple[IntArray, IntArray] | None:
    """Distinct rows of a table of small integers, as digits from 0, and their weights.

    O(N · C); None where the keys do not fit a histogram, see `key_bits`.
    """
    n_rows, width = table.shape
    bits = key_bits(n_states, width)
    if bits is None or n_rows == 0:
        return None

    def count(first: int, last: int) -> IntArray:
        histogram = np.zeros(1 << (width * bits), np.int64)
        _patterns.count_keys(table, weights, low, bits, first, last, histogram)
        return histogram

    parts = _threads.run(count, _threads.ranges(n_rows, _pieces(n_rows)), n_rows)
    histogram = parts[0] if len(parts) == 1 else np.sum(parts, axis=0)
    keys = np.flatnonzero(histogram)
    digits = (keys[:, None] >> (bits * np.arange(width))) & ((1 << bits) - 1)
    return digits, histogram[keys]


def _pieces(n_rows: int) -> int:
    return _threads.available() if n_rows >= _threads.SMALL else 1


def group_equal(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Number equal rows alike, in order of first appearance; O(N) expected.

    Parameters
    ----------
    rows : array of shape (N, B), any type without objects
        Rows are compared byte by byte.

    Returns
    -------
    group : int32 array of shape (N,)
    first : int64 array of shape (U,)
        A row of each group.
    """
    as_bytes = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
    n_rows = len(as_bytes)
    group = np.empty(n_rows, np.int32)
    n_slots = 1024
    while True:
        slots = np.full(n_slots, -1, np.int32)
        first = np.empty(min(n_slots // 2, n_rows) if n_rows else 1, np.int64)
        n_groups, stopped = _patterns.group_rows(as_bytes, slots, 0, n_rows, 0, first, group)
        if stopped == n_rows:
            return group, first[:n_groups]
        # Starting over costs at most a seventh of the last pass, rows repeating or not.
        n_slots *= 8


def group_rows(rows: Rows) -> Rows:
    """The distinct rows, with the sum of their weights."""
    if rows.width:
        group, first = group_equal(rows.table())
        if len(first) == rows.n_rows:
            return rows
        codes = rows.table()[first].reshape(-1)
        return Rows(codes, rows.width, NO_STARTS, weights=_sum_weights(group, len(first), rows))
    lengths = np.diff(rows.start)
    if not len(lengths):
        return rows
    # Lists become rows of equal length: label, coder, repeats of each judgment, padded with -1.
    parts = [part for part in (rows.codes, rows.coders, rows.repeats) if part is not None]
    longest = int(lengths.max(initial=0))
    padded = np.full((len(lengths), longest, len(parts)), -1, np.int64)
    inside = np.arange(longest) < lengths[:, None]
    for i, part in enumerate(parts):
        padded[..., i][inside] = part
    if longest == 0:
        group, first = np.zeros(len(lengths), np.int32), np.zeros(1, np.int64)
    else:
        group, first = group_equal(padded.reshape(len(lengths), -1))
    picked, start = list_positions(rows.start, first)
    return Rows(
        rows.codes[picked],
        0,
        start,
        None if rows.coders is None else rows.coders[picked],
        None if rows.repeats is None else rows.repeats[picked],
        _sum_weights(group, len(first), rows),
    )


def list_positions(start: IntArray, picked: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of the judgments of some lists, one list after the other, and their new offsets."""
    lengths = start[picked + 1] - start[picked]
    new_start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    positions = np.repeat(start[picked] - new_start[:-1], lengths) + np.arange(new_start[-1])
    return positions, new_start


def _sum_weights(group: IntArray, n_groups: int, rows: Rows) -> IntArray:
    if rows.weights is None:
        return np.bincount(group, minlength=n_groups).astype(np.int64)
    sums = np.zeros(n_groups, np.int64)
    np.add.at(sums, group, rows.weights)
    return sums

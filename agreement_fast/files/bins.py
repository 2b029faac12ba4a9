"""Rows in one temporary file, laid out so that all rows of an item can be read together.

A row is a few 64-bit words; the first one decides its bin. Rows are written in runs. Within a run
they are sorted by bin, and within a bin they keep the order in which they were added. A part is a
range of neighbouring bins, so it is one contiguous stretch of each run.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import FileIO
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from agreement_fast._kernels import _group
from agreement_fast.files.errors import ReadError, full_disk

__all__ = ["Bins"]

#: A power of two. Up to a hundred million rows, those of a bin stay in the processor's second
#: cache; a part, which has at least one bin, stays small up to a few thousand million rows.
BINS = 1024

#: Rows in a run.
RUN = 1 << 20

Words = NDArray[np.int64]


class Bins:
    """Rows that are first written, then read part by part.

    Parameters
    ----------
    n_words : int
        Words in a row.
    file : FileIO
        A temporary file; its content is overwritten.

    Attributes
    ----------
    n_rows : int
    """

    def __init__(self, n_words: int, file: FileIO) -> None:
        self.n_rows = 0
        self._file = file
        self._file.seek(0)
        self._file.truncate()
        self._run = np.empty((RUN, n_words), np.int64)
        self._sorted = np.empty_like(self._run)
        self._filled = 0
        #: For each run that was written: where its bins end, counted from the very first row.
        self._ends: list[Words] = []

    def add(self, rows: Words) -> None:
        """Add rows; each must have `n_words` words."""
        while len(rows):
            some = rows[: len(self._run) - self._filled]
            self._run[self._filled : self._filled + len(some)] = some
            self._filled += len(some)
            self.n_rows += len(some)
            rows = rows[len(some) :]
            if self._filled == len(self._run):
                self._write()

    def _write(self) -> None:
        """Append the rows of a run to the file, sorted by bin."""
        ends = np.empty(BINS, np.int64)
        rows = self._sorted[: self._filled]
        _group.sort_into_bins(self._run[: self._filled], ends, rows)
        with full_disk():
            _write_all(self._file, rows.data.cast("B"))
        self._ends.append(ends + self.n_rows - self._filled)
        self._filled = 0

    def parts(self, most: int) -> Iterator[tuple[Words, Words]]:
        """Yield rows, bin by bin and in their order within a bin, with the ends of the bins.

        A part has at most `most` rows, unless a single bin has more.
        """
        if self._filled:
            self._write()
        if not self._ends:
            return
        n_words = self._run.shape[1]
        # No rows are added from here on.
        self._run = self._sorted = np.empty((0, n_words), np.int64)
        # Where each run's bins begin; the last entry is where its last bin ends.
        bounds = np.zeros((len(self._ends), BINS + 1), np.int64)
        for i, ends in enumerate(self._ends):
            bounds[i, 1:] = ends
            bounds[i, 0] = self._ends[i - 1][-1] if i else 0
        sizes = np.diff(bounds).sum(axis=0)
        for low, high in pairwise(_cuts(sizes, most)):
            ends = np.cumsum(sizes[low:high])
            yield self._read(bounds[:, low : high + 1], ends), ends

    def _read(self, bounds: Words, ends: Words) -> Words:
        """Read some bins of all runs; in the result the bins end at `ends`."""
        rows = np.empty((int(ends[-1]), self._run.shape[1]), np.int64)
        places = rows.data.cast("B")
        size = rows.itemsize * rows.shape[1]
        # Where the next rows of each bin go.
        heads = [0, *ends[:-1].tolist()]
        for run in bounds.tolist():
            self._file.seek(run[0] * size)
            for i, (first, last) in enumerate(pairwise(run)):
                here = heads[i]
                heads[i] += last - first
                _read_all(self._file, places[here * size : heads[i] * size])
        return rows


def _write_all(file: FileIO, some: memoryview) -> None:
    """Write all bytes: a system may write fewer at a time."""
    while len(some):
        some = some[file.write(some) :]


def _read_all(file: FileIO, places: memoryview) -> None:
    """Fill an array with the next bytes of the file."""
    while len(places):
        n_read = file.readinto(places)
        if not n_read:
            raise ReadError("a temporary file was cut while it was read")
        places = places[n_read:]


def _cuts(sizes: Words, most: int) -> list[int]:
    """Split the bins into parts of at most `most` rows; a larger bin is a part of its own."""
    cuts, rows = [0], 0
    for i, size in enumerate(sizes.tolist()):
        if rows and size and rows + size > most:
            cuts.append(i)
            rows = 0
        rows += size
    return [*cuts, len(sizes)]

"""Many rows, a part at a time: each item is whole in one part, and only one part is in memory.

The rows are read once and become numbers. Coders, labels and groups are numbered as they appear; an
item is its own whole number or two hashes of its name. The numbers go to a temporary file (`Bins`),
from which the parts are loaded one after another, with the rows of each item in their first order.

Item names are compared by two 64-bit hashes. Among 10⁹ items, some two have one of them in common
with a probability of about 5%, and both with a probability of about 10⁻²¹.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from functools import partial
from io import FileIO
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agreement_fast._kernels import _arrow, _group
from agreement_fast.files import sql
from agreement_fast.files.errors import ReadError, full_disk, one_line
from agreement_fast.files.file import PLAIN, File
from agreement_fast.files.opening import Workplace
from agreement_fast.files.query import QueryReader, bad_weight
from agreement_fast.files.reader import Folders, no_value, refuse_weight
from agreement_fast.files.regular import Together, put_together
from agreement_fast.files.roles import ReadOptions, Roles
from agreement_fast.files.tables import Coded, LongTable, value_groups
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    REPEATED,
    NoItem,
    rows_that_are_none,
)

#: A power of two. Up to a hundred million rows, those of a bin stay in the processor's second
#: cache; a part, which has at least one bin, stays small up to a few thousand million rows.
BINS = 1024

#: Rows in a run.
RUN = 1 << 20

Words = NDArray[np.int64]


class Bins:
    """Rows that are first written, then read part by part.

    `n_words`: words in a row. `file`: a temporary file; its content is overwritten.
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
            some = rows.data.cast("B")
            while len(some):  # a system may write fewer bytes at a time
                some = some[self._file.write(some) :]
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
                head = heads[i]
                heads[i] += last - first
                some = places[head * size : heads[i] * size]
                while len(some):
                    if not (n_read := self._file.readinto(some)):
                        raise ReadError("a temporary file was cut while it was read")
                    some = some[n_read:]
        return rows


def _cuts(sizes: Words, most: int) -> list[int]:
    """Split the bins into parts of at most `most` rows; a larger bin is a part of its own."""
    cuts, rows = [0], 0
    for i, size in enumerate(sizes.tolist()):
        if rows and size and rows + size > most:
            cuts.append(i)
            rows = 0
        rows += size
    return [*cuts, len(sizes)]


#: Files of unknown length may have many rows above this size in bytes; compressed files earlier.
LARGE_FILE = 1 << 26
LARGE_ZIPPED_FILE = 1 << 24

#: With more rows than this, not all rows are held in memory at once.
LARGE = 5_000_000

#: Approximate number of rows in a part. Larger parts take more memory and are not faster.
PART = 500_000

#: With this number of groups, parts are `LARGER` times as large: a group takes 1 ms a part.
MANY_GROUPS = 50
LARGER = 4

#: Called with the number of steps done, out of a known total.
Advance: TypeAlias = Callable[[float], object]

Cells: TypeAlias = Sequence[Any]

#: Announces a number of steps.
Progress: TypeAlias = Callable[[int], AbstractContextManager[Advance]]


@contextmanager
def quietly(steps: int) -> Iterator[Advance]:
    """Report no progress."""
    yield lambda done: None


#: Number of steps for reading a file; DuckDB reports percent.
PERCENT = 100

#: Key of invalid weights in `Stream._empty`: a column of weights may have other roles, too.
_WEIGHTS = ""

_WHOLE = re.compile(r"(TINY|SMALL|BIG)INT|INTEGER|UTINYINT|USMALLINT|UINTEGER")


def may_be_large(files: Sequence[File]) -> bool:
    """Return whether files may have very many rows, without reading them."""
    sizes = {True: 0, False: 0}
    for file in files:
        sizes[file.packing is PLAIN] += os.path.getsize(file.path)
    large = sizes[True] > LARGE_FILE or sizes[False] > LARGE_ZIPPED_FILE
    return large or any(file.format.knows_rows for file in files)


class _Numbered:
    """A column whose distinct cells are numbered as they appear.

    Attributes
    ----------
    texts : object array
        The cells in ascending order, once all cells are known.
    rank : int32 array
        The place of each number in `texts`; the last entry, for the number -1, is -1.
    """

    def __init__(self, name: str, whole: bool) -> None:
        self.name = name
        self._whole = whole
        self._known = _arrow.Distinct()

    def take(self, batch: _arrow.Batch, place: int, out: NDArray[np.int32]) -> tuple[int, int]:
        """Number the cells of a batch; return the number of empty cells and the first of them."""
        return _arrow.number_cells(batch, place, self._known, out)

    def settle(self) -> None:
        """Sort the cells."""
        cells: list[Any] = self._known.cells()
        if self._whole:
            cells = np.frombuffer(b"".join(cells), np.int64).tolist()
        order = sorted(range(len(cells)), key=cells.__getitem__)  # UTF-8 sorts like its bytes
        texts = (str(cells[i]) if self._whole else cells[i].decode("utf-8") for i in order)
        self.texts = np.fromiter(texts, object, len(cells))
        self.rank = np.full(len(cells) + 1, -1, np.int32)
        self.rank[order] = np.arange(len(cells), dtype=np.int32)

    def listed(self) -> Coded:
        """Return each distinct text once, with codes equal to places."""
        return Coded(np.arange(len(self.texts), dtype=np.int32), self.texts)


class Stream:
    """Judgments in the long layout that are read part by part.

    Parameters
    ----------
    reader : QueryReader
        Runs the queries on the files.
    roles : Roles
        The columns to read.
    options : ReadOptions
        The arguments of the caller.
    workplace : Workplace
        Holds the temporary file.
    progress : Progress
        Called with the progress of reading.

    Attributes
    ----------
    source : Source
    labels : Coded
        All distinct labels; no codes.
    groups : Coded or None
        All distinct groups; no codes.
    coder_names : list of str
    steps : int
        Total of the arguments of `advance` in `parts`.
    """

    def __init__(
        self,
        reader: QueryReader,
        roles: Roles,
        options: ReadOptions,
        workplace: Workplace,
        progress: Progress,
    ) -> None:
        assert roles.item is not None
        assert roles.coder is not None
        assert roles.label is not None
        self._reader = reader
        self._roles = roles
        self._where = options.where
        self._files = files = reader.files
        self._item = roles.item
        self._names = [name for name in (roles.coder, roles.label, roles.by) if name is not None]
        # The words of a row: the item's key, coder and label as halves of a word, group, weight.
        self._key_words = 1 if self._whole(self._item) else 2
        self._words = self._key_words + len(self._names) - 1 + (roles.weights is not None)
        self._file = workplace.open_file()
        self._together = put_together(files)
        with progress(PERCENT * len(files)) as advance:
            while not self._read(advance):
                pass  # a file was irregular: read all files again, that file from its copy
        self._refuse()
        for column in self._numbered:
            column.settle()
        coders, labels, *by = self._numbered
        self._refuse_rows(coders.texts, labels.texts)
        self._coders = coders
        self.coder_names: list[str] = coders.texts.tolist()
        remarks = [*reader.notes, *reader.remarks(roles)]
        self.labels = reader.value_labels(labels.listed(), options, remarks)
        of_groups = reader.groups_of(roles)
        self.groups = value_groups(by[0].listed(), len(of_groups)) if by else None
        #: The codes of the numbers of each column.
        self._codes = [coders.rank, _through(labels.rank, self.labels)]
        if self.groups is not None:
            self._codes.append(_through(by[0].rank, self.groups))
        self.steps = self._bins.n_rows
        self.source = reader.source_of(roles, options.where, self.steps, remarks)
        # Finding out whether items restart would need a second pass; only errors mention this.
        if (folders := Folders.of(roles, files)) is not None and folders.keys:
            self.source = replace(self.source, full_item=folders.full_item(folders.keys))

    # -- columns

    def _whole(self, name: str) -> bool:
        """Return whether a column holds whole numbers in all files."""
        return all(
            name in file.columns
            and _WHOLE.fullmatch(file.types[file.columns.index(name)]) is not None
            for file in self._files
        )

    def _text(self, file: File, name: str) -> str:
        roles = self._roles
        return file.text(name, is_label=name in roles.labels(), with_gaps=name in roles.with_gaps())

    # -- reading

    def _read(self, advance: Advance) -> bool:
        """Read all files; False if one was irregular and has been replaced by a regular copy."""
        self._numbered = [_Numbered(name, self._whole(name)) for name in self._names]
        self._bins = Bins(self._words, self._file)
        self._place = np.zeros((0, self._words), np.int64)
        #: By column: the number of rows without a value, and the first of them.
        self._empty: dict[str, tuple[int, int]] = {}
        #: By the name of a file: its first and last rows, and their number.
        self._ends: dict[str, tuple[list[Cells], list[Cells], int]] = {}
        self._reader.rows_in_files = 0
        for file in self._together:
            before = self._bins.n_rows
            while (rows := self._try(file, advance)) is None:
                # If no row of the file was taken, the rows read before it are valid.
                if isinstance(file, Together) or self._bins.n_rows > before:
                    return False
            if self._where is None:
                rows = self._bins.n_rows - before
            self._reader.rows_in_files += rows
        return True

    def _try(self, file: File, advance: Advance) -> int | None:
        """Read a file, or several that are together; None if it must be read again.

        Else returns the number of rows of the file if there is a condition, which may drop some,
        and 0 otherwise.
        """
        import duckdb

        take = partial(self._take, file, advance)
        if not isinstance(file, Together):
            with one_line(file.shown, self._where):
                return self._reader.read_anyhow(file, self._where, take)
        try:
            return self._reader.read_anyhow(file, self._where, take)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            # So that the error names its file, all files are read one by one from here on.
            self._together = list(self._files)
            return None

    def _take(self, file: File, advance: Advance) -> None:
        """Read the kept rows of a file as numbers."""
        n_files = len(file.files) if isinstance(file, Together) else 1
        cells = [
            f"CAST({sql.identifier(name)} AS BIGINT)"
            if self._whole(name)
            else self._text(file, name)
            for name in (self._item, *self._names)
        ]
        if self._roles.weights is not None:
            cell = self._text(file, self._roles.weights)
            cells.append(f"CASE WHEN {bad_weight(cell)} THEN NULL ELSE CAST({cell} AS BIGINT) END")
        shown, before = 0.0, self._bins.n_rows
        first: list[Cells] = []
        last: list[Cells] = []
        with closing(self._reader.batches(file, cells, self._where)) as batches:
            for batch in batches:
                self._bins.add(self._rows(batch))
                first += self._cells(batch, range(min(len(batch), FIRST - len(first))))
                last = (last + self._cells(batch, range(len(batch))[-LAST:]))[-LAST:]
                done = max(shown, min(self._reader.percent(), PERCENT))
                advance(n_files * (done - shown))
                shown = done
        self._ends[file.name] = first, last, self._bins.n_rows - before
        advance(n_files * (PERCENT - shown))

    def _rows(self, batch: _arrow.Batch) -> NDArray[np.int64]:
        """Return the cells of a batch as words."""
        if len(batch) > len(self._place):
            self._place = np.zeros((len(batch), self._words), np.int64)
        rows = self._place[: len(batch)]
        # The half words of coder, label and group
        halves = rows.view(np.int32)[:, 2 * self._key_words :]
        self._note(self._item, _arrow.take_keys(batch, 0, rows[:, : self._key_words]))
        for i, column in enumerate(self._numbered):
            self._note(column.name, column.take(batch, 1 + i, halves[:, i]))
        if self._roles.weights is not None:
            place = 1 + len(self._numbered)
            self._note(_WEIGHTS, _arrow.take_keys(batch, place, rows[:, self._words - 1 :]))
        return rows

    def _cells(self, batch: _arrow.Batch, rows: Iterable[int]) -> list[Cells]:
        """Return the cells of item, coder, label and group in rows of a batch."""
        places = list(enumerate(map(self._whole, (self._item, *self._names))))
        some = [[(_arrow.cell_at(batch, at, row), whole) for at, whole in places] for row in rows]
        return [
            [int.from_bytes(cell, sys.byteorder, signed=True) if whole else cell.decode() or None
             for cell, whole in row]
            for row in some
        ]  # fmt: skip

    def _note(self, name: str, result: tuple[int, int]) -> None:
        """Remember that rows of a batch, not yet in `Bins`, have no value in a column."""
        count, first = result
        if count:
            before, place = self._empty.get(name, (0, self._bins.n_rows + first))
            self._empty[name] = before + count, place

    def _refuse(self) -> None:
        """Refuse invalid weights, zero rows, and rows without item or coder."""
        if _WEIGHTS in self._empty:
            name, bad = self._roles.weights or "", []
            for file in self._together:
                cells = self._reader.select(file, [self._text(file, name)], self._where)
                query = f"SELECT k0 FROM ({cells}) WHERE {bad_weight('k0')} LIMIT 1"
                with one_line(file.shown, self._where):
                    bad += self._reader.run(query, file)
            raise refuse_weight(bad[0][0], name)
        self._reader.check_rows(self._bins.n_rows, self._where)
        for name in (self._item, self._names[0]):
            if name in self._empty:
                count, first = self._empty[name]
                raise no_value(count, name, first, self._files)

    def _refuse_rows(self, coders: NDArray[Any], labels: NDArray[Any]) -> None:
        """Refuse totals and statistics at the ends of the files, and repeated headers."""
        roles, names = self._roles, [self._item, *self._names]
        columns = dict(enumerate(names))
        written, as_texts = self._reader.as_written, partial(self._reader.as_texts, names)
        repeated = roles.coder in set(coders) and roles.label in set(labels)
        is_header = " AND ".join(
            f"k{i} = {sql.literal(written(name))}" for i, name in columns.items()
        )
        for file in self._together:
            *ends, n_rows = self._ends[file.name]
            first, last = ([as_texts(row) for row in rows] for rows in ends)
            header = names if file.header_row else None
            result = rows_that_are_none(header, first, last, n_rows, 0)
            if repeated and file.header_row:
                cells = [self._text(file, name) for name in names]
                rows = self._reader.select(file, cells, self._where)
                query = (
                    f"FROM (SELECT row_number() OVER () - 1 AS n, * FROM ({rows}))"
                    f" WHERE {is_header} LIMIT {FIRST}"
                )
                with one_line(file.shown, self._where):
                    again = self._reader.run(query, file)
                result += [NoItem(row[0], as_texts(row[1:]), REPEATED) for row in again]
            self._reader.refuse_rows(result, columns, file, 0)

    # -- the rows

    def parts(self, advance: Advance) -> Iterator[LongTable]:
        """Yield the rows part by part; each item is whole in a part, its rows in order.

        Parameters
        ----------
        advance : callable
            Called with each amount of work done, in units of `steps`.

        Yields
        ------
        LongTable
            Its ``items.values`` are numbers, whose names `in_names` returns.
        """
        many = self.groups is not None and len(self.groups.values) >= MANY_GROUPS
        for rows, ends in self._bins.parts(LARGER * PART if many else PART):
            yield self._part(rows, ends)
            advance(len(rows))

    def _part(self, rows: NDArray[np.int64], ends: NDArray[np.int64]) -> LongTable:
        items = np.empty(len(rows), np.int32)
        first = np.empty(len(rows), np.int64)
        largest = int(np.diff(ends, prepend=0).max())
        slots = np.empty(1 << (2 * largest - 1).bit_length(), np.int32)
        n_items = _group.number_keys(rows, self._key_words, ends, slots, items, first)
        self._keys = rows[first[:n_items], : self._key_words]
        halves = rows.view(np.int32)[:, 2 * self._key_words :]
        coders, labels, *groups = (codes[halves[:, i]] for i, codes in enumerate(self._codes))
        has_weights = self._roles.weights is not None
        return LongTable(
            self.source,
            Coded(items, np.arange(n_items)),
            Coded(coders, self._coders.texts),
            Coded(labels, self.labels.values),
            weights=np.ascontiguousarray(rows[:, -1]) if has_weights else None,
            groups=None if self.groups is None else Coded(groups[0], self.groups.values),
        )

    # -- names

    def in_names(self, code: int) -> str:
        """Return the name of an item of the last part, given its number."""
        key = self._keys[code]
        if self._key_words == 1:
            return f"item {str(key[0])!r}"
        for file in self._together:
            with closing(
                self._reader.batches(file, [self._text(file, self._item)], self._where)
            ) as batches:
                for batch in batches:
                    keys = np.empty((len(batch), 2), np.int64)
                    _arrow.take_keys(batch, 0, keys)
                    same = np.flatnonzero((keys == key).all(axis=1))
                    if len(same):
                        return f"item {_arrow.cell_at(batch, 0, int(same[0])).decode('utf-8')!r}"
        raise AssertionError(code)


def _through(rank: NDArray[np.int32], coded: Coded) -> NDArray[np.int32]:
    """Return the code of each number of a column; the last number, -1, is an empty cell."""
    return np.append(coded.codes, np.int32(-1))[rank]

"""Many rows, a part at a time: every item is whole in one part, and no two parts are in memory.

The rows are read once, in runs, as numbers: coders, labels and groups as codes into dictionaries
that are made first, an item as the number that it is or as a hash of its name. Each row goes to
the temporary file of its part, which its item decides, in the order in which it was read. Then one
part after the other is loaded.

Names of items are told apart by 128 bits: two hashes, of the name and of the name behind a mark.
Among 10⁹ items two of one hash are likely somewhere, and two of both are not (odds of 10⁻²¹).
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.errors import ReadError, full_disk, one_line
from agreement_fast.files.file import File
from agreement_fast.files.opening import Workplace
from agreement_fast.files.packing import PLAIN
from agreement_fast.files.query import Reader, bad_weight, no_value, refuse_weight
from agreement_fast.files.roles import Asked, Roles
from agreement_fast.files.sql import identifier
from agreement_fast.files.tables import Coded, LongTable
from agreement_fast.files.values import value_groups
from agreement_fast.patterns import group_equal

#: Rows above which they are not held in memory as a whole.
LARGE = 5_000_000

#: Bytes above which a file that does not know its rows may have so many; compressed ones sooner.
LARGE_FILE = 1 << 26
LARGE_ZIPPED_FILE = 1 << 24

#: Rows that are read at a time, and that a part has about.
RUN = 4_000_000
PART = 4_000_000

#: More parts would be more open files than a process may have.
MOST_PARTS = 512

#: Whole numbers that lie within so many are looked up in a table.
NEAR = 1 << 22

_WHOLE = re.compile(r"(TINY|SMALL|BIG)INT|INTEGER|UTINYINT|USMALLINT|UINTEGER")

# 2^64 divided by the golden ratio: numbers that follow one another are spread evenly.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def knows_rows(files: Sequence[File]) -> bool:
    """Say whether files can be read in runs of rows: no column may be called as their number."""
    return all(
        file.format.row_number
        and file.format.row_number not in (name.lower() for name in file.columns)
        for file in files
    )


def may_be_large(files: Sequence[File]) -> bool:
    """Say whether files that do not know their rows may have very many."""
    return any(
        os.path.getsize(file.path)
        > (LARGE_FILE if file.packing is PLAIN and not file.format.is_compressed
           else LARGE_ZIPPED_FILE)
        for file in files
    )  # fmt: skip


@dataclass(frozen=True)
class _Table:
    """Rows that can be read in runs: those of a file, or the loaded ones (None)."""

    file: File | None
    rows: int

    @property
    def shown(self) -> str:
        return "reading" if self.file is None else self.file.shown


@dataclass(frozen=True, eq=False)
class _Dictionary:
    """The distinct values of a column, and how its cells become codes into them.

    Attributes
    ----------
    texts : object array
    numbers : int64 array or None
        The same as ascending numbers, where the cells are read as such.
    kind : str
        DuckDB's enumeration of the texts, where the cells are read as its codes.
    """

    texts: NDArray[Any]
    numbers: NDArray[np.int64] | None
    kind: str

    def write(self, cell: str) -> str:
        """Write the expression that is read for a cell."""
        if self.numbers is not None:
            return cell
        if not len(self.texts):
            return "-1"
        return f"coalesce(CAST(enum_code(TRY_CAST({cell} AS {self.kind})) AS INTEGER), -1)"

    def codes(self, read: NDArray[Any]) -> NDArray[Any]:
        """Give the codes of what was read; -1 is an empty cell."""
        if self.numbers is None:
            return np.asarray(read)
        codes: NDArray[Any] = np.full(len(read), -1, np.int32)
        if not len(self.numbers):
            return codes
        low, high = int(self.numbers[0]), int(self.numbers[-1])
        # What stands in an empty cell is anything.
        empty = np.ma.getmaskarray(read)
        cells = np.where(empty, low, np.ma.getdata(read))
        if high - low < NEAR:
            places = np.full(high - low + 1, -1, np.int32)
            places[self.numbers - low] = np.arange(len(self.numbers), dtype=np.int32)
            codes = places[cells - low]
        else:
            codes = np.searchsorted(self.numbers, cells)
        codes[empty] = -1
        return codes


class Stream:
    """Judgments in the long layout that are read part by part.

    Attributes
    ----------
    source : Source
    labels : Coded
        All distinct labels; no codes.
    groups : Coded or None
        All distinct groups; no codes.
    steps : int
        What the arguments of `advance` in `parts` add up to.
    """

    def __init__(
        self, reader: Reader, roles: Roles, asked: Asked, tables: Sequence[_Table],
        workplace: Workplace, notes: Sequence[str],
    ) -> None:  # fmt: skip
        assert roles.item is not None
        assert roles.coder is not None
        assert roles.label is not None
        self._reader = reader
        self._roles = roles
        self._where = asked.where
        self._tables = tables
        self._workplace = workplace
        self._item = roles.item
        rows = self._check(roles)
        self._coders = self._dictionary(roles.coder, "coders")
        self.coder_names: list[str] = self._coders.texts.tolist()
        self._labels = self._dictionary(roles.label, "labels")
        self._by = None if roles.by is None else self._dictionary(roles.by, "groups")
        remarks = [*notes, *reader.remarks()]
        self.labels = reader.value_labels(_listed(self._labels), asked, remarks)
        self.groups = None if self._by is None else value_groups(_listed(self._by))
        self.source = reader.source(roles, asked.where, rows, remarks)
        self.steps = sum(table.rows for table in tables) + rows

    # -- before the rows are read

    def _whole(self, name: str) -> bool:
        """Say whether a column holds whole numbers in all files."""
        files = [table.file for table in self._tables]
        return all(
            file is not None and _WHOLE.fullmatch(file.types[file.columns.index(name)]) is not None
            for file in files
        )

    def _cell(self, table: _Table, name: str) -> str:
        """Write a column as whole numbers, if it holds such, else as text."""
        if self._whole(name):
            return f"CAST({identifier(name)} AS BIGINT)"
        return self._text(table, name)

    def _text(self, table: _Table, name: str) -> str:
        if table.file is None:
            return f"k{self._roles.columns().index(name)}"
        return table.file.text(name, is_label=name in self._roles.labels())

    def _select(self, table: _Table, cells: Sequence[str], rows: range | None = None) -> str:
        """Write the query that gives expressions on the kept rows of a run, as k0, k1, ..."""
        if table.file is None:
            named = ", ".join(f"{cell} AS c{i}" for i, cell in enumerate(cells))
            run = "" if rows is None else f" WHERE rowid BETWEEN {rows[0]} AND {rows[-1]}"
            renamed = ", ".join(f"c{i} AS k{i}" for i in range(len(cells)))
            return f"SELECT {renamed} FROM (SELECT {named} FROM cells{run})"
        scan = None
        if rows is not None:
            form = table.file.format
            numbered, number = form.numbered_scan(table.file), form.row_number
            scan = f"(FROM {numbered} WHERE {number} BETWEEN {rows[0]} AND {rows[-1]})"
        return self._reader.select(table.file, cells, self._where, scan)

    def _fetch(self, table: _Table, query: str) -> dict[str, NDArray[Any]]:
        with one_line(table.shown, self._where):
            return dict(self._reader.fetch(query, table.file))

    def _check(self, roles: Roles) -> int:
        """Refuse rows without item or coder and false weights; give the number of kept rows."""
        kept = 0
        empty = {self._item: 0, roles.coder or "": 0}
        for table in self._tables:
            cells = [self._cell(table, name) for name in empty]
            found = self._fetch(
                table,
                "SELECT count(*) AS n, count(*) - count(k0) AS e0, count(*) - count(k1) AS e1"
                f" FROM ({self._select(table, cells)})",
            )
            kept += int(found["n"][0])
            for i, name in enumerate(empty):
                empty[name] += int(found[f"e{i}"][0])
            if roles.weights is not None:
                cell = self._text(table, roles.weights)
                bad = self._fetch(
                    table,
                    f"SELECT k0, k0 IS NULL AS gone FROM ({self._select(table, [cell])})"
                    f" WHERE {bad_weight('k0')} LIMIT 1",
                )
                if len(bad["gone"]):
                    raise refuse_weight(None if bad["gone"][0] else bad["k0"][0], roles.weights)
        self._reader.check_rows(kept, self._where)
        for name, count in empty.items():
            if count:
                raise no_value(count, name, self._first_empty(name))
        return kept

    def _first_empty(self, name: str) -> int:
        before = 0
        for table, rows in self._runs():
            cell = f"{self._cell(table, name)} IS NULL"
            found = self._fetch(table, self._select(table, [cell], rows))["k0"].astype(bool)
            if found.any():
                return before + int(np.argmax(found))
            before += len(found)
        return before

    def _dictionary(self, name: str, kind: str) -> _Dictionary:
        """Find the distinct values of a column: one pass over it."""
        whole = self._whole(name)
        verb = "CREATE OR REPLACE TEMP TABLE seen AS"
        for table in self._tables:
            query = self._select(table, [self._cell(table, name)])
            distinct = f"SELECT DISTINCT k0 AS v FROM ({query}) WHERE k0 IS NOT NULL"
            self._fetch(table, f"{verb} {distinct}")
            verb = "INSERT INTO seen"
        values = self._reader.fetch("SELECT DISTINCT v FROM seen ORDER BY v")["v"]
        texts = np.empty(len(values), dtype=object)
        if whole:
            texts[:] = [str(value) for value in values.tolist()]
            return _Dictionary(texts, np.asarray(values, dtype=np.int64), kind)
        texts[:] = values.tolist()
        if len(texts):
            self._reader.fetch(
                f"CREATE TYPE {kind} AS ENUM (SELECT DISTINCT v FROM seen ORDER BY v)"
            )
        return _Dictionary(texts, None, kind)

    # -- the rows

    def _runs(self) -> Iterator[tuple[_Table, range]]:
        for table in self._tables:
            for first in range(0, table.rows, RUN):
                yield table, range(first, min(first + RUN, table.rows))

    def _item_cells(self, table: _Table) -> list[str]:
        """Write the numbers that stand for an item."""
        cell = self._cell(table, self._item)
        if self._whole(self._item):
            return [cell]
        # The mark moves every letter, so that names of one hash do not stay names of one hash.
        return [f"hash({cell})", f"hash('#' || {cell})"]

    def parts(self, advance: Callable[[int], object]) -> Iterator[LongTable]:
        """Give the rows part by part, in each part in their order; an item is in one part.

        Parameters
        ----------
        advance : callable
            Is told about every bit of work, in units of `steps`.

        Yields
        ------
        LongTable
            Its ``items.values`` are keys, for which `in_names` has the names.
        """
        paths, record = self._scatter(advance)
        for path in paths:
            rows = np.fromfile(path, dtype=record)
            os.remove(path)
            if len(rows):
                yield self._part(rows)
                advance(len(rows))

    def _scatter(self, advance: Callable[[int], object]) -> tuple[list[str], np.dtype[Any]]:
        """Write every row to the file of its part. O(rows), one pass over the input."""
        n_parts = min(-(-self.source.rows // PART), MOST_PARTS)
        folder = tempfile.mkdtemp(dir=self._workplace.folder)
        paths = [os.path.join(folder, str(i)) for i in range(n_parts)]
        record: np.dtype[Any] | None = None
        label_of = np.append(self.labels.codes, -1)
        group_of = None if self.groups is None else np.append(self.groups.codes, -1)
        with ExitStack() as opened:
            files = [opened.enter_context(open(path, "wb")) for path in paths]
            seen = 0
            for table, run in self._runs():
                cells = self._item_cells(table)
                columns = [f"key{i}" for i in range(len(cells))]
                cells.append(self._coders.write(self._cell(table, self._roles.coder or "")))
                cells.append(self._labels.write(self._cell(table, self._roles.label or "")))
                columns += ["coder", "label"]
                if self._by is not None:
                    cells.append(self._by.write(self._cell(table, self._roles.by or "")))
                    columns.append("group")
                if self._roles.weights is not None:
                    weight = self._text(table, self._roles.weights)
                    cells.append(f"coalesce(TRY_CAST({weight} AS BIGINT), 0)")
                    columns.append("weight")
                fetched = self._fetch(table, self._select(table, cells, run))
                read = dict(zip(columns, fetched.values(), strict=True))
                if record is None:
                    record = self._record(columns)
                rows = np.empty(len(read["coder"]), dtype=record)
                for name in columns:
                    if name.startswith("key"):
                        rows[name] = np.ma.getdata(read[name]).view(np.int64)
                    elif name == "coder":
                        rows[name] = self._coders.codes(read[name])
                    elif name == "label":
                        rows[name] = label_of[self._labels.codes(read[name])]
                    elif name == "group" and self._by is not None and group_of is not None:
                        rows[name] = group_of[self._by.codes(read[name])]
                    else:
                        rows[name] = read[name]
                del fetched, read
                with full_disk():
                    _write_parts(rows, files)
                seen += len(rows)
                advance(len(run))
        # A condition such as random() < 0.5 would make the dictionaries those of other rows.
        if seen != self.source.rows:
            raise ReadError("--where must give the same rows each time it is asked")
        assert record is not None
        return paths, record

    def _record(self, columns: Sequence[str]) -> np.dtype[Any]:
        """Give a row as it is written: as few bytes as hold it."""
        sizes = {
            "coder": len(self._coders.texts),
            "label": len(self.labels.values),
            "group": 0 if self.groups is None else len(self.groups.values),
        }
        return np.dtype(
            [(name, np.min_scalar_type(-max(sizes[name], 1)) if name in sizes else np.int64)
             for name in columns]
        )  # fmt: skip

    def _part(self, rows: NDArray[Any]) -> LongTable:
        keys = np.ascontiguousarray(rows["key0"])
        codes, first = group_equal(keys)
        if "key1" in (rows.dtype.names or ()):
            marked = np.ascontiguousarray(rows["key1"])
            if (marked[first][codes] != marked).any():
                pairs = np.stack([keys, marked], axis=1)
                _, first, codes = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        # The keys are places among the rows: a name is found through one of its rows.
        self._last = rows[first]
        weights = None
        if self._roles.weights is not None:
            weights = np.ascontiguousarray(rows["weight"])
        groups = None
        if self.groups is not None:
            groups = Coded(rows["group"].astype(np.int32), self.groups.values)
        return LongTable(
            self.source,
            Coded(codes.astype(np.int32, copy=False), np.arange(len(first))),
            Coded(rows["coder"].astype(np.int32), self._coders.texts),
            Coded(rows["label"].astype(np.int32), self.labels.values),
            weights,
            groups,
        )

    # -- names

    def in_names(self, code: int) -> str:
        """Give the name of an item of the last part, which has a key."""
        names = self._last.dtype.names or ()
        keys = [int(self._last[name][code]) for name in names if name.startswith("key")]
        if len(keys) == 1:
            return f"item {str(keys[0])!r}"
        for table in self._tables:
            cells = [self._text(table, self._item), *self._item_cells(table)]
            query = self._select(table, cells)
            wanted = " AND ".join(f"k{i} = {key % 2**64}" for i, key in enumerate(keys, 1))
            found = self._fetch(table, f"SELECT k0 FROM ({query}) WHERE {wanted} LIMIT 1")["k0"]
            if len(found):
                return f"item {found[0]!r}"
        return f"item {code}"


def _listed(dictionary: _Dictionary) -> Coded:
    """Give each distinct text once, so that its code stands at its place."""
    return Coded(np.arange(len(dictionary.texts), dtype=np.int32), dictionary.texts)


def _write_parts(rows: NDArray[Any], files: Sequence[Any]) -> None:
    """Append each row to the file of its part; what is in a part stays in its order."""
    spread = rows["key0"].astype(np.uint64) * _SPREAD
    part = ((spread >> np.uint64(32)) * np.uint64(len(files))) >> np.uint64(32)
    narrow = part.astype(np.uint16)
    # A radix sort, as numpy has it for 16 bits.
    rows = rows[np.argsort(narrow, kind="stable")]
    ends = np.cumsum(np.bincount(narrow, minlength=len(files))).tolist()
    for file, first, last in zip(files, [0, *ends], ends, strict=False):
        rows[first:last].tofile(file)


def tables_of(reader: Reader, files: Sequence[File]) -> list[_Table]:
    """Give files that know their rows, with the numbers of these."""
    tables = []
    for file in files:
        with one_line(file.shown):
            tables.append(_Table(file, reader.count(file.format.scan(file), file)))
    return tables


def loaded(reader: Reader) -> list[_Table]:
    """Give the loaded rows."""
    return [_Table(None, reader.count("cells"))]

"""Small files of plain CSV, read by Python alone: such a report needs no database."""

from __future__ import annotations

import datetime as dt
import math
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.errors import ReadError, one_line
from agreement_fast.files.file import PLAIN, File, Run, join_cells
from agreement_fast.files.opening import Workplace, open_files, tables_of
from agreement_fast.files.query import QueryReader
from agreement_fast.files.reader import (
    Among,
    Numbered,
    Reader,
    Texts,
    fits_int64,
    no_position,
    unlike_path,
)
from agreement_fast.files.regular import has_blanks_at_quotes, regular_rows
from agreement_fast.files.roles import Columns, RowOptions
from agreement_fast.files.stream import may_be_large
from agreement_fast.files.tables import NUMBER, WHOLE, Coded
from agreement_fast.reading.recognition.rows import FIRST

#: The most bytes of the files of one call that are read so.
MOST_BYTES = 1_000_000

_NUMBER, _WHOLE = map(re.compile, (NUMBER, WHOLE))


def open_reader(paths: Sequence[str], workplace: Workplace, options: RowOptions) -> Reader:
    """Return what reads the files behind paths: Python, or DuckDB if they are large or no CSV.

    A condition in SQL is for DuckDB, too. Raises ReadError if it takes DuckDB, which is not
    installed.
    """
    names, notes = tables_of(paths)
    files = open_files(names, workplace, options)
    whys = ["--where"] if options.where is not None else []
    for file in files:
        if not file.format.lines or file.packing is not PLAIN:
            what = "compressed" if file.format.lines else file.format.title
            whys.append(f"{file.shown}, which is {what},")
    if may_be_large(files) or sum(os.path.getsize(file.path) for file in files) > MOST_BYTES:
        whys.append(f"CSV of more than {MOST_BYTES // 10**6} MB")
    return QueryReader(files, notes, workplace, whys[0]) if whys else PlainReader(files, notes)


class PlainReader(Reader):
    """The rows of one call of `read`, which are small, as lists of texts."""

    def find_columns(self, where: str | None) -> None:
        #: By the path of a file: its rows; None is an empty cell.
        self._rows: dict[str, list[list[str | None]]] = {}
        for file in self.files:
            # A plain CSV is read without queries.
            with one_line(file.shown):
                file.format.find_columns(file, cast(Run, None), typed=False)
        for file in self.files:
            with open(file.path, encoding="utf-8", errors="replace", newline="") as opened:
                spaced = has_blanks_at_quotes(opened.read(), file.delimiter or ",")
            # From the header on.
            rows: list[Any] = [
                [cell or None for cell in row] if "" in row else row
                for row in regular_rows(file, spaced=spaced)
            ]
            if len(rows[0]) != len(file.columns):
                raise ReadError(f"{file.shown}: a quotation mark in the header is not closed")
            self._rows[file.path] = rows[file.header :]
            self.look_at_first_rows(file, [tuple(row) for row in rows[file.header :][:FIRST]])

    def check_condition(self, where: str | None) -> None:
        assert where is None

    def lock(self, memory: str | None) -> None:
        pass  # no program runs that could read another file

    def first_cells(self, columns: Sequence[str], where: str | None, rows: int) -> list[Texts]:
        cells: list[Texts] = [[] for _ in columns]
        for file in self.files if columns else ():
            left = rows - len(cells[0])
            for column, name in zip(cells, columns, strict=True):
                column += self._cells_of(file, name, left)
        return cells

    def _cells_of(
        self, file: File, name: str, most: int | None = None, *, with_gaps: bool = False
    ) -> list[str | None]:
        """Return a column of a file, or what its path says; None is an empty cell."""
        rows = self._rows[file.path][:most]
        if name in file.joined:
            parts = [self._cells_of(file, part, most) for part in file.joined[name]]
            return [join_cells(cells, with_gaps=with_gaps) for cells in zip(*parts, strict=True)]
        if name not in file.columns:
            return [file.constants.get(name, file.partitions.get(name))] * len(rows)
        at = file.columns.index(name)
        return [row[at] for row in rows]

    def load(self, roles: Columns, where: str | None, numbers: Sequence[str] = ()) -> None:
        #: The columns that were asked for.
        self._columns = [
            [cell for file in self.files
             for cell in self._cells_of(file, name, with_gaps=name in roles.with_gaps())]
            for name in (*roles.columns(), *numbers)
        ]  # fmt: skip
        self.rows_in_files = sum(map(len, self._rows.values()))
        self.check_rows(self.rows_in_files, where)

    def n_rows(self) -> int:
        return self.rows_in_files

    def some_rows(self, places: Sequence[int], within: range, among: Among) -> list[Numbered]:
        rows: Sequence[int] = within
        for at, texts in among.items():
            column = self._columns[at]
            rows = [row for row in rows if column[row] in texts]
        cells = [map(self._columns[at].__getitem__, rows[:FIRST]) for at in places]
        return list(zip(rows, zip(*cells, strict=True), strict=False))

    def codes(self, places: Sequence[int]) -> Coded:
        columns = [self._columns[at] for at in places]
        texts = sorted({cell for column in columns for cell in column if cell is not None})
        code: dict[str | None, int] = {text: i for i, text in enumerate(texts)}
        code[None] = -1
        codes = np.array([[code[cell] for cell in column] for column in columns], np.int32)
        return Coded(np.ascontiguousarray(codes.T), np.array(texts, object))

    def positions(self, place: int, name: str) -> NDArray[Any]:
        cells = self._columns[place]
        for row, cell in enumerate(cells):
            if cell is None or not _NUMBER.fullmatch(cell) or not math.isfinite(float(cell)):
                raise no_position(cell, name, row)
        texts = [cell for cell in cells if cell is not None]
        if all(map(_WHOLE.fullmatch, texts)):
            whole = list(map(int, texts)) or [0]
            if fits_int64(min(whole)) and fits_int64(max(whole)):
                return np.array(whole[: len(texts)], np.int64)
        return np.array(list(map(float, texts)), np.float64)

    def numbers(self, roles: Columns) -> NDArray[np.int32]:
        return np.array(self._columns[len(roles.columns())], np.int32)

    def is_empty(self, file: File) -> bool:
        return not self._rows[file.path]

    def refuse_unlike_path(self, names: Sequence[str]) -> None:
        for file in self.files:
            for name in names:
                if name in file.columns and name in file.partitions:
                    outside = file.partitions[name]
                    for inside in self._cells_of(file, name):
                        if inside != outside and not _is_same(inside, outside):
                            raise unlike_path(name, file, inside, outside)


def _is_same(first: Any, other: Any) -> bool:
    """Return whether two texts write the same number or time."""
    for read in (float, dt.datetime.fromisoformat):
        with suppress(ValueError, TypeError):  # None is no number and no time
            return bool(read(first) == read(other))
    return False

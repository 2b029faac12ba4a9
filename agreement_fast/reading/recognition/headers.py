"""The header of a table: its place, its rows, and the columns that it leaves without a name."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple, TypeAlias

from agreement_fast.reading.recognition.labels import looks_missing
from agreement_fast.reading.recognition.rows import value_of

Cells: TypeAlias = Sequence[Any]

#: Fewest rows below a possible second header that allow to tell names from labels.
FEWEST_ROWS = 3

#: Cells of a row that a remark shows.
SHOWN = 5

#: Most rows of a header.
MOST_HEADERS = 5

#: The line by which Excel declares the delimiter.
_SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)

#: The names that pandas gives to columns without one.
_UNNAMED = re.compile(r"Unnamed: [0-9]+(_level_[0-9]+)?")


def table_begins(lines: Sequence[str], skip: int, delimiter: str) -> tuple[int, int] | None:
    """Find where a table in lines begins: below the rows to skip and below empty lines.

    `lines`: the first lines of a text; a row with quoted line breaks takes several. `skip`: the
    number of rows above the header, at least. `delimiter`: what stands between cells. Returns the
    number of rows above the header, and the index of its first line; None if no row is left. Raises
    csv.Error if the rows above the header are no CSV.
    """
    rows = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    above = 0
    while rows.line_num < len(lines):
        if above >= skip and lines[rows.line_num].strip():
            return above, rows.line_num
        next(rows)
        above += 1
    return None


def separator(line: str) -> str | None:
    """Return the delimiter that Excel's line ``sep=;`` above the header names."""
    match = _SEPARATOR.fullmatch(line)
    return None if match is None else match[1]


def header_names(cells: Sequence[str], *, header: bool) -> list[str]:
    """Return the names of the columns: from the header, else their numbers from 1."""
    if not header:
        return [str(i) for i in range(1, len(cells) + 1)]
    return [name.strip("\ufeff").strip() or f"column {i}" for i, name in enumerate(cells, 1)]


def without_name(header: Sequence[str]) -> list[int]:
    """Return the indices of the columns that a header does not name."""
    return [i for i, name in enumerate(header) if not name.strip() or _UNNAMED.fullmatch(name)]


def is_data(cells: Sequence[str]) -> bool:
    """Return whether a first row is no header: it has numbers only, some of them twice.

    What looks missing stands for a number, too. Numbers that all differ may be names of coders, but
    no coder is called "NA"; a first "#" names the column of items.

    Examples
    --------
    >>> is_data(["1", "2", "1"]), is_data(["1", "NA"]), is_data(["1", "2", "3"])
    (True, True, False)
    """
    values = [value_of(cell) for cell in cells if not looks_missing(cell)]
    numbers = [value for value in values if isinstance(value, (int, float))]
    marked = any(cell.strip() and looks_missing(cell) for cell in cells[1:])
    return len(values) == len(numbers) > (0 if marked else len(set(numbers)))


def may_be_data(header: Sequence[str], rows: Sequence[Cells]) -> bool:
    """Return whether a header may be a row of labels, because all its names stand below.

    Examples
    --------
    >>> may_be_data(["1", "2"], [("2", "2"), ("1", "3")]), may_be_data(["1", "2"], [("a", "b")])
    (True, False)
    """
    return {*map(value_of, {*chain(*rows)})}.issuperset(map(value_of, header))


def remark_on_data(cells: Sequence[str], shown: str) -> str:
    """Say why the first row of a file counts as data."""
    row = ", ".join(map(repr, cells[:SHOWN])) + ", ..." * (len(cells) > SHOWN)
    return (
        f"{shown}: the first row ({row}) is read as data, for it has no words, and repeats a number"
        " or has a mark of a missing judgment: --no-header says the same"
    )


class SecondHeader(NamedTuple):
    """A row below the header that names the columns."""

    #: The number of columns that the first header leaves without a name of their own.
    unnamed: int
    #: The cells of the last header.
    names: Sequence[str]
    #: Its place below the first header, from 1.
    row: int

    def problem(self, shown: str) -> str:
        """Say which rows are headers."""
        columns = "column" if self.unnamed == 1 else "columns"
        count = ("two", "three", "four", "five", "six")[self.row - 1]
        return (
            f"{shown} seems to have {count} header rows: the first leaves {self.unnamed} {columns}"
            f" without a name, the {'second' if self.row == 1 else 'last'} says"
            f" {', '.join(map(repr, self.names[:5]))}"
        )


def second_header(header: Sequence[str], rows: Sequence[Sequence[str]]) -> SecondHeader | None:
    """Find the row that names the columns, as merged cells of a spreadsheet leave it.

    `header`: the first row. `rows`: the rows below it. A row names the columns if one other than
    the first has no name, or that of another, and the row names it: no cell of that row, or of the
    rows above it, is a number or occurs again below.
    """
    seen: set[str] = set()
    unnamed = without_name(header)
    unnamed += [i for i, name in enumerate(header) if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    unnamed = sorted(set(unnamed))
    # A first column without a name is the index of a data frame.
    if not any(unnamed):
        return None
    for place, names in enumerate(rows[:MOST_HEADERS], 1):
        below = rows[place:]
        if len(below) < FEWEST_ROWS:
            return None
        columns = list(zip_longest(*below, fillvalue=""))
        for i, name in enumerate(names):
            known = i < len(columns) and name in columns[i]
            if name.strip() and (known or not isinstance(value_of(name), str)):
                return None
        if all(i < len(names) and names[i].strip() for i in unnamed if i):
            return SecondHeader(len(unnamed), names, place)
    return None

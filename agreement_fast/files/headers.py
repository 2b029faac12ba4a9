"""The header of a CSV: rows above it are skipped, and a second header is detected."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import zip_longest

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File
from agreement_fast.files.values import is_number

__all__ = ["find_header", "header_names", "refuse_second_header", "take_separator", "without_name"]

#: Fewest rows below a possible second header that allow to tell names from labels.
FEWEST_ROWS = 3

#: The line by which Excel declares the delimiter.
_SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)

#: The names that pandas gives to columns without one.
_UNNAMED = re.compile(r"Unnamed: [0-9]+(_level_[0-9]+)?")


def find_header(lines: Sequence[str], file: File) -> tuple[int, int]:
    """Find where the table of a CSV begins: below the rows to skip and below empty rows.

    Parameters
    ----------
    lines : sequence of str
        The first lines of the file; a row with quoted line breaks takes several.
    file : File
        Its `skip` and `delimiter` say how to read the lines.

    Returns
    -------
    tuple of int
        The number of rows above the header, and the index of its first line.

    Raises
    ------
    ReadError
        If no row is left.
    """
    rows = csv.reader((line + "\n" for line in lines), delimiter=file.delimiter or ",")
    above = 0
    while rows.line_num < len(lines):
        if above >= file.skip and lines[rows.line_num].removeprefix("\ufeff").strip():
            return above, rows.line_num
        try:
            next(rows)
        except csv.Error as error:
            raise ReadError(f"{file.shown}, row {above + 1:,}: {error}") from None
        above += 1
    if file.skip:
        raise ReadError(f"{file.shown}: --skip-rows {file.skip} leaves no row")
    raise ReadError(f"{file.shown} is empty")


def take_separator(lines: Sequence[str], file: File) -> None:
    """Use the delimiter that Excel's line ``sep=;`` above the header names, and skip the line."""
    found = _SEPARATOR.fullmatch(lines[0].removeprefix("\ufeff")) if lines else None
    if found is None:
        return
    if file.delimiter is None:
        file.delimiter = found[1]
    file.skip = max(file.skip, 1)
    file.remarks.append(
        (None, f"{file.shown}: the first line, {show(found[0])}, names the delimiter")
    )


def header_names(cells: Sequence[str], *, header: bool) -> list[str]:
    """Return the names of the columns: from the header, else their numbers from 1."""
    if not header:
        return [str(i) for i in range(1, len(cells) + 1)]
    return [name.strip() or f"column {i}" for i, name in enumerate(cells, 1)]


def without_name(header: Sequence[str]) -> list[int]:
    """Return the indices of the columns that a header does not name."""
    return [i for i, name in enumerate(header) if not name.strip() or _UNNAMED.fullmatch(name)]


def refuse_second_header(lines: Sequence[str], file: File) -> None:
    """Refuse a table whose second row holds names, as merged cells of a spreadsheet leave it.

    Parameters
    ----------
    lines : sequence of str
        The header and the lines below it.
    file : File
        The table.

    Raises
    ------
    ReadError
        If a column other than the first has no name and the row below the header names it: no
        cell of that row is a number or occurs again below.
    """
    try:
        header, *rows = csv.reader((line + "\n" for line in lines), delimiter=file.delimiter or ",")
    except csv.Error:
        return
    found = second_header(header, rows)
    if found is None:
        return
    unnamed, names = found
    again = file.skip + 1
    raise ReadError(two_headers(unnamed, names, again, file))


def two_headers(unnamed: int, names: Sequence[str], skip: int, file: File) -> str:
    """Return the message for two header rows."""
    return (
        f"{file.shown} seems to have two header rows: the first leaves"
        f" {unnamed} {'column' if unnamed == 1 else 'columns'} without a name, the second"
        f" says {', '.join(show(name) for name in names[:5])}: pass --skip-rows {skip}"
    )


def second_header(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[int, Sequence[str]] | None:
    """Find a second header among the rows below the first.

    Returns
    -------
    tuple of int and sequence of str, or None
        The number of columns that the first header leaves without a name, and the second header.
    """
    if len(rows) < 1 + FEWEST_ROWS:
        return None
    names, *below = rows
    unnamed = without_name(header)
    # A first column without a name is the index of a data frame.
    if not any(unnamed):
        return None
    columns = list(zip_longest(*below, fillvalue=""))
    for i, name in enumerate(names):
        if not name.strip():
            if i in unnamed and i:
                return None
            continue
        if is_number(name.strip()) or (i < len(columns) and name in columns[i]):
            return None
    return len(unnamed), names

"""Read the rows of a CSV file one after the other."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.look import delimiter_of, look_at
from agreement_fast.files.errors import ReadError, show

__all__ = ["csv_rows"]

#: The largest number of characters of a cell.
LONGEST = 1 << 27


def csv_rows(
    member: Member, needed: tuple[str, ...] = (), encoding: str | None = None
) -> Iterator[dict[str, str]]:
    """Yield each row as a mapping of column names to cells.

    The delimiter is that of the first line.

    Raises
    ------
    ReadError
        If a required column is missing, if a column name occurs twice, or if a row has the wrong
        number of cells.
    """
    delimiter = delimiter_of(look_at(member).text)
    with member.text(encoding) as stream:
        csv.field_size_limit(LONGEST)
        rows = csv.reader(stream, delimiter=delimiter)
        try:
            header = next(rows, [])
            for name in needed:
                if header.count(name) != 1:
                    how = "no column" if name not in header else "two columns"
                    raise ReadError(f"{member.shown} has {how} {show(name)}")
            for row in rows:
                if len(row) == len(header):
                    yield dict(zip(header, row, strict=True))
                elif row:
                    raise ReadError(
                        f"{member.shown}, line {rows.line_num:,}: expected {len(header)} cells, got"
                        f" {len(row)}"
                    )
        except csv.Error as error:
            raise ReadError(f"{member.shown}, line {rows.line_num:,}: {error}") from None

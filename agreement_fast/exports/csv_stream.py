"""Read the rows of tables: tools declare their columns, and which rows do not count."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import delimiter_of, look_at
from agreement_fast.exports.tool import Options
from agreement_fast.files.errors import ReadError, show

__all__ = ["Declared", "Varying", "csv_rows"]

Row: TypeAlias = dict[str, str]

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


class Declared(NamedTuple):
    """The columns of a tool's table.

    Attributes
    ----------
    ids : tuple of str
        Those that name items and coders: every row that counts must have a value there.
    others : tuple of str
        Others that the table must have.
    out : callable
        Says what a row is that does not count, given the row and its place; "" if it counts.
    """

    ids: tuple[str, ...]
    others: tuple[str, ...] = ()
    out: Callable[[Row, str], str] = lambda row, where: ""

    def rows(
        self, members: Iterable[Member], options: Options, found: Found | None = None
    ) -> Iterator[tuple[str, Row]]:
        """Yield the place of each row that counts, and its cells; count the others.

        Raises
        ------
        ReadError
            If a column is missing, or a row has no id.
        """
        for member in members:
            rows = csv_rows(member, (*self.ids, *self.others), options.encoding)
            for number, row in enumerate(rows, start=1):
                where = f"{member.shown}, record {number:,}"
                if what := self.out(row, where):
                    if found is not None:
                        found.leave_out(what)
                    continue
                for name in self.ids:
                    if not row[name].strip():
                        raise ReadError(f"{where}: {show(name)} is empty")
                yield where, row


class Varying:
    """The columns whose cells differ within an item: what coders wrote, and not data.

    Parameters
    ----------
    gaps : bool, default False
        Whether a judgment without a column differs from one with it.
    """

    def __init__(self, *, gaps: bool = False) -> None:
        self._gaps = gaps
        self.names: set[str] = set()
        self._first: dict[Any, dict[str, int]] = {}

    def look(self, item: Any, cells: Mapping[str, Any]) -> None:
        """Look at the cells of one judgment of an item."""
        # A hash is enough to see whether another value differs.
        seen = {name: hash(c if isinstance(c, str) else repr(c)) for name, c in cells.items()}
        first = self._first.setdefault(item, seen)
        if first is not seen:
            if self._gaps:
                self.names |= seen.keys() ^ first.keys()
            self.names.update(n for n, value in seen.items() if first.setdefault(n, value) != value)

"""Formats that DuckDB does not read: they are copied as CSV, so that all options apply."""

from __future__ import annotations

import csv
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from agreement_fast.files.errors import ReadError, full_disk
from agreement_fast.files.file import File, Format, Run
from agreement_fast.files.packing import PLAIN
from agreement_fast.files.regular import LINE

__all__ = ["Converted"]

#: Rows that are measured and written at once.
_AT_ONCE = 10_000


class Converted(Format):
    """A format whose files are converted when their columns are requested.

    Parameters
    ----------
    csv : Format
        The format of the copy.
    """

    binary = True
    has_types = False

    def __init__(self, csv: Format) -> None:
        self._csv = csv

    @abstractmethod
    def convert(self, file: File) -> tuple[list[str], Iterable[Sequence[str]]]:
        """Return the names of the columns and the rows; an empty text is an empty cell.

        Also fills in the remarks, faults and declared categories of `file`.
        """

    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        file.columns, rows = self.convert(file)
        file.types = ["VARCHAR"] * len(file.columns)
        with full_disk(), open(file.spare, "w", encoding="utf-8", newline="") as copy:
            writer = csv.writer(copy, lineterminator="\n", quoting=csv.QUOTE_ALL)
            remaining = iter(rows)
            while some := list(islice(remaining, _AT_ONCE)):
                _check_width(some, file)
                writer.writerows(some)
        file.path, file.packing = file.spare, PLAIN
        file.delimiter, file.header, file.skip = ",", False, 0

    def scan(self, file: File, *, exact: bool = False) -> str:
        return self._csv.scan(file, exact=exact)

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        return self._csv.text(file, at, is_label=is_label)

    def value(self, file: File, at: int) -> str:
        return self._csv.value(file, at)

    def settle(self, file: File, where: str, run: Run) -> int:
        return self._csv.settle(file, where, run)


def _check_width(rows: Iterator[Sequence[str]] | list[Sequence[str]], file: File) -> None:
    """Refuse a row that is longer than a line of a CSV may be."""
    # In UTF-8 and with quotation marks, a character takes four bytes at most.
    if any(4 * sum(map(len, row)) > LINE for row in rows):
        raise ReadError(f"{file.shown}: a row may have {LINE // 4:,} characters, and one has more")

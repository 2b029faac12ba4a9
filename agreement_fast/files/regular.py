"""A copy of an irregular CSV that DuckDB can read: one kind of line end, a header of one line.

Python's csv module reads what programs write: rows that end in LF, CR or CRLF, also mixed, and
line breaks inside quotation marks, also in the header.
"""

from __future__ import annotations

import csv
import io
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import groupby, islice
from typing import Protocol

from agreement_fast.files.errors import ReadError, full_disk, not_utf8, one_line
from agreement_fast.files.file import File, Format, Run
from agreement_fast.files.paths import PLAIN

#: Longest line of a CSV in bytes.
LINE = 2_000_000

#: DuckDB's buffer in bytes; it silently drops a last line that is longer.
BUFFER = 16 * LINE

_AT_ONCE = 1 << 20


@contextmanager
def long_cells() -> Iterator[None]:
    """Let Python's csv module read cells as long as a line may be."""
    before = csv.field_size_limit(LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def check_end(file: File) -> None:
    """Refuse a truncated compressed file, and a text whose last line is too long.

    DuckDB drops such a line silently, and also the rows that a truncated zstd file has lost. O(1),
    except for compressed files, which are unpacked.
    """
    tail, longest = b"", file.format.longest_line
    with file.packing.open(file.path, file.shown) as opened:
        if file.packing is not PLAIN:
            while some := opened.read(_AT_ONCE):
                tail = (tail + some)[-LINE - 2 :]
        elif longest is not None and (size := opened.seek(0, 2)) > BUFFER:
            opened.seek(size - longest - 2)
            tail = opened.read()
    tail = tail.rstrip(b"\r\n\0")
    if longest is not None and len(tail) >= longest and b"\n" not in tail and b"\r" not in tail:
        raise ReadError(
            f"{file.shown}: a line of a {file.format.title} may have {longest:,} bytes, and the"
            " last one has more"
        )


def has_several_line_ends(file: File) -> bool:
    """Return whether lines at the beginning of a file end in different ways."""
    with file.packing.open(file.path, file.shown) as opened:
        return len(set(re.findall(rb"\r\n|\r|\n", opened.read(_AT_ONCE)))) > 1


class CsvRows(Protocol):
    """Rows of a CSV, and the number of lines read so far."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...


def strict_rows(lines: Iterable[str], delimiter: str) -> CsvRows:
    """Read rows in which a quotation mark begins or ends a cell."""
    return csv.reader(lines, delimiter=delimiter, strict=True)


def regular_rows(
    file: File, reader: Callable[[Iterable[str], str], CsvRows] = strict_rows
) -> Iterator[list[str]]:
    """Yield the rows of a CSV from its header on.

    A blank line is an empty cell if there is one column, else no row. `file`: its `skip` rows above
    the header are left out. `reader`: reads the rows of lines, given the delimiter. Raises
    ReadError if it is not a CSV; the error names the line.
    """
    with (
        long_cells(),
        file.packing.open(file.path, file.shown) as unpacked,
        io.TextIOWrapper(unpacked, encoding="utf-8-sig", newline="") as text,
    ):
        above = csv.reader(text, delimiter=file.delimiter or ",")
        rows = reader(text, file.delimiter or ",")
        before, width = 0, None
        try:
            before = sum(1 for _ in islice(above, file.skip))
            for row in rows:
                if width is None:
                    width = len(row)
                elif len(row) != width and row:
                    raise ReadError(
                        f"{file.shown}, line {before + 1:,}: {len(row):,} columns, but the first"
                        f" line has {width:,}"
                    )
                elif sum(map(len, row)) > LINE:
                    raise ReadError(
                        f"{file.shown}, line {before + 1:,}: a line of a CSV may have"
                        f" {LINE:,} bytes, and this one has more"
                    )
                if row or width == 1:
                    yield row or [""]
                before = above.line_num + rows.line_num
        except csv.Error as error:
            reason = "a quotation mark is not closed, or text follows a closing one"
            if "field limit" in str(error):
                reason = f"a cell is longer than {LINE:,} characters"
            raise ReadError(f"{file.shown}, line {before + 1:,}: {reason}") from None
        except UnicodeDecodeError:
            raise not_utf8(file.shown) from None


class SpacedRows:
    """The rows of a CSV with blanks around quotation marks, which DuckDB leaves out."""

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        #: The number of lines read so far, as of a reader of the csv module.
        self._lines, self._mark, self.line_num = lines, delimiter, 0

    def __iter__(self) -> Iterator[list[str]]:
        text, mark = "".join(self._lines), re.escape(self._mark)
        cell = re.compile(f' *"((?:[^"]|"")*)" *(?=[{mark}\r\n]|\\Z)|([^{mark}\r\n]*)')
        end_of_line = re.compile("\r\n|\r|\n")
        row: list[str] = []
        place = start = 0
        while place < len(text) or row:
            match = cell.match(text, place)
            assert match is not None  # a cell may be empty
            if match[1] is None and match[2].startswith('"'):
                raise csv.Error("a quotation mark is not closed")
            row.append(match[2] if match[1] is None else match[1].replace('""', '"'))
            place = match.end()
            if text.startswith(self._mark, place):
                place += 1
                continue
            if end := end_of_line.match(text, place):
                place = end.end()
            self.line_num += len(end_of_line.findall(text, start, place))
            yield row if row != [""] else []
            row, start = [], place


def has_blanks_at_quotes(text: str, delimiter: str) -> bool:
    """Return whether a CSV has blanks around quoted cells."""
    mark = re.escape(delimiter)
    return re.search(f'(?:^|[{mark}\r\n]) +"|" +(?:[{mark}\r\n]|$)', text) is not None


def write_regular(file: File) -> list[str] | None:
    """Rewrite a CSV in regular form, from its header on, and point `file` to the copy.

    `file`: its `spare` is the path of the copy. Returns the cells of the first row; None if the
    file already is such a copy. Raises ReadError if it is not a CSV; the error names the line.
    """
    if file.path == file.spare:
        return None
    rows = regular_rows(file)
    first = next(rows)
    with full_disk(), open(file.spare, "w", encoding="utf-8", newline="") as copy:
        writer = csv.writer(
            copy, delimiter=file.delimiter or ",", lineterminator="\n", quoting=csv.QUOTE_ALL
        )
        # Names may hold line breaks; they are stored in `first`, so numbers replace them.
        writer.writerow([str(i) for i in range(len(first))] if file.header else first)
        writer.writerows(rows)
    file.path, file.packing, file.skip = file.spare, PLAIN, 0
    return first


#: Rows that are measured and written at once.
_ROWS_AT_ONCE = 10_000


class Converted(Format):
    """A format whose files are converted when their columns are requested.

    `csv`: the format of the copy.
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
            while some := list(islice(remaining, _ROWS_AT_ONCE)):
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


#: The mark at the start of a text in UTF-8, which belongs to no name.
MARK = "\ufeff"

#: Stands for a byte that is not UTF-8.
_NO_TEXT = re.compile("[\udc80-\udcff]")


def first_lines(file: File, most: int) -> list[str]:
    """Return the first lines of a file without their ends, which may be LF, CR or CRLF.

    A mark at the start of the file is left out. Raises ReadError if a line is too long or not
    UTF-8.
    """
    lines: list[str] = []
    with (
        file.packing.open(file.path, file.shown) as opened,
        io.TextIOWrapper(opened, encoding="utf-8", errors="surrogateescape") as text,
    ):
        while len(lines) < most and (line := text.readline(LINE + 1)):
            if len(line) > LINE:
                raise ReadError(
                    f"{file.shown}, line {len(lines) + 1:,}: a line of a CSV may have {LINE:,}"
                    " bytes, and this one has more"
                )
            if _NO_TEXT.search(line):
                raise not_utf8(file.shown)
            lines.append((line if lines else line.lstrip(MARK)).removesuffix("\n"))
    return lines


#: Largest number of files in a query, which contains their names.
MOST = 1_000

#: DuckDB's expression for the index of a row's file within the query.
PLACE = "CAST(file_index AS BIGINT)"
_PLACE = "file_index"


@dataclass
class Together(File):
    """Files with the same columns, which one query reads one after another."""

    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, files: Sequence[File]) -> Together:
        """Describe all files by the description of the first."""
        first = files[0]
        own = {field.name: getattr(first, field.name) for field in fields(File)}
        return cls(**own, files=tuple(files))

    @property
    def source(self) -> list[str]:
        return [file.path for file in self.files]

    def constant(self, name: str) -> str:
        texts = [file.constant(name) for file in self.files]
        if len(set(texts)) == 1:
            return texts[0]
        return f"([{', '.join(texts)}])[{PLACE} + 1]"


def put_together(files: Sequence[File]) -> list[File]:
    """Group alike files that follow one another, so that rows keep their order."""
    result: list[File] = []
    for _, alike in groupby(files, _kind):
        some = list(alike)
        for start in range(0, len(some), MOST):
            part = some[start : start + MOST]
            result.append(part[0] if len(part) == 1 else Together.of(part))
    return result


def read_apart(
    files: Sequence[File], read: Callable[[File], object], where: str | None = None
) -> None:
    """Read files with a function.

    If reading a group of files fails, each half is read again, so that the error names its file.
    `where` is a condition that errors may blame.
    """
    import duckdb

    waiting = list(reversed(files))
    while waiting:
        file = waiting.pop()
        if not isinstance(file, Together):
            with one_line(file.shown, where):
                read(file)
            continue
        try:
            read(file)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            half = len(file.files) // 2
            waiting += [*put_together(file.files[half:]), *put_together(file.files[:half])]


def _kind(file: File) -> Hashable:
    """Return the properties that alike files share."""
    if _PLACE in (name.lower() for name in file.columns):
        return id(file)
    return (
        file.format.name,
        file.packing.name,
        file.header,
        file.delimiter,
        file.skip,
        tuple(file.columns),
        tuple(file.types),
    )

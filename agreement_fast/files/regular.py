"""CSV: how it is recognised and read, and what is converted to it.

DuckDB reads regular CSV, with one kind of line end and a header of one line. Else Python's csv
module writes a regular copy: it reads what programs write, rows that end in LF, CR or CRLF, also
mixed, and line breaks inside quotation marks, also in the header.
"""

from __future__ import annotations

import csv
import io
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from itertools import groupby, islice
from typing import Any

from agreement_fast.files import sql
from agreement_fast.files.errors import (
    ReadError,
    full_disk,
    is_irregular,
    long_line,
    not_utf8,
    one_line,
    other_width,
    show,
)
from agreement_fast.files.file import PLAIN, File, Format, Run
from agreement_fast.reading.recognition import headers
from agreement_fast.reading.recognition.rows import are_qualtrics_ids

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


def regular_rows(file: File, *, spaced: bool = False) -> Iterator[list[str]]:
    """Yield the rows of a CSV from its header on.

    A blank line is an empty cell if there is one column, else no row. `file`: its `skip` rows above
    the header are left out. `spaced`: whether there may be blanks around quotation marks, which
    DuckDB leaves out. Raises ReadError if it is not a CSV; the error names the line.
    """
    with (
        long_cells(),
        file.packing.open(file.path, file.shown) as unpacked,
        io.TextIOWrapper(unpacked, encoding="utf-8-sig", newline="") as text,
    ):
        mark = file.delimiter or ","
        above = csv.reader(text, delimiter=mark)
        before = 0
        first: list[str] | None = None
        try:
            before = sum(1 for _ in islice(above, file.skip))
            lines: Iterable[str] = text
            if spaced:
                ends = re.escape(mark) + "\r\n"
                cell = re.compile(f' *("(?:[^"]|"")*") *(?=[{ends}]|\\Z)|[^{ends}]+')
                whole = cell.sub(lambda match: match[1] or match[0], text.read())
                lines = io.StringIO(whole, newline="")
            rows = csv.reader(lines, delimiter=mark, strict=True)
            for row in rows:
                if first is None:
                    first = row
                elif len(row) != len(first) and row:
                    raise ReadError(other_width(file.shown, before + 1, row, first))
                elif sum(map(len, row)) > LINE:
                    raise ReadError(long_line(f"{file.shown}, line {before + 1:,}"))
                if row or len(first) == 1:
                    yield row or [""]
                before = above.line_num + rows.line_num
        except csv.Error as error:
            reason = "a quotation mark is not closed, or text follows a closing one"
            if "field limit" in str(error):
                reason = f"a cell is longer than {LINE:,} characters"
            raise ReadError(f"{file.shown}, line {before + 1:,}: {reason}") from None
        except UnicodeDecodeError:
            raise not_utf8(file.shown) from None


def has_blanks_at_quotes(text: str, delimiter: str) -> bool:
    """Return whether a CSV has blanks around quoted cells."""
    mark = re.escape(delimiter)
    return re.search(f'(?:^|[{mark}\r\n]) +"|" +(?:[{mark}\r\n]|$)', text) is not None


def write_regular(file: File, below: int = 0) -> list[str] | None:
    """Rewrite a CSV in regular form, from its header on, and point `file` to the copy.

    `file`: its `spare` is the path of the copy. `below`: the rows below the header to leave out.
    Returns the cells of the first row; None if the
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
        writer.writerows(islice(rows, below, None))
    file.path, file.packing, file.skip = file.spare, PLAIN, 0
    return first


_DELIMITERS = (",", "\t", ";", "|")

#: Lines of a CSV that are inspected before it is read.
LOOK = 100

#: Rows of it that are inspected for the types that `where` sees.
LOOK_ROWS = 2_048


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
                raise ReadError(long_line(f"{file.shown}, line {len(lines) + 1:,}"))
            if _NO_TEXT.search(line):
                raise not_utf8(file.shown)
            lines.append((line if lines else line.lstrip(MARK)).removesuffix("\n"))
    return lines


class Csv(Format):
    """Text in lines of cells. Columns are called a0, a1, ... in SQL and hold text."""

    name = "csv"
    title = "CSV"
    extensions: tuple[str, ...] = ("csv", "tsv", "tab", "txt")
    lines = True
    has_types = False
    longest_line: int | None = LINE

    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        texts = first_lines(file, file.skip + LOOK)
        if texts and (mark := headers.separator(texts[0])) is not None:
            file.delimiter = file.delimiter or mark
            file.skip = max(file.skip, 1)
            file.note(f"{file.shown}: the first line, {show(texts[0])}, names the delimiter")
        above, at = _find_header(texts, file)
        if file.delimiter is None:
            # The delimiter that gives all lines the width of the header, else the widest header.
            widths = {mark: _widths(texts[at:], mark) for mark in _DELIMITERS}
            order = {mark: (len({*some}) == 1, some[0]) for mark, some in widths.items()}
            several = [mark for mark in _DELIMITERS if widths[mark][0] > 1]
            file.delimiter = max(several, key=order.__getitem__, default=",")
            above, at = _find_header(texts, file)
        file.skip = above
        cells, has_break = _cells(texts[at:], file.delimiter)
        with suppress(csv.Error), long_cells():
            below = _rows(texts[at:], file.delimiter)
            if file.header and are_qualtrics_ids(next(islice(below, 2, None), [])):
                cells, has_break = write_regular(file, below=2) or cells, True
                file.note(
                    f"{file.shown}: the two rows below the header, with Qualtrics' questions and"
                    " ids, are left out"
                )
        if has_break or (above and has_several_line_ends(file)):
            # DuckDB drops rows if the header has a line break or a line end unlike the other lines.
            cells = write_regular(file) or cells
        if file.header and headers.is_data(cells):
            file.header = False
            file.note(headers.remark_on_data(cells, file.shown))
        file.columns = headers.header_names(cells, header=file.header)
        file.types = ["VARCHAR"] * len(file.columns)
        file.header_row = above + 1 if file.header else 0
        if file.header:
            file.unnamed = tuple(file.columns[i] for i in headers.without_name(cells))
            # The columns may be named by a lower row.
            with suppress(csv.Error):
                header, *rows = _rows(texts[at:], file.delimiter)
                if (lower := headers.second_header(header, rows)) is not None:
                    skip = file.skip + lower.row
                    raise ReadError(lower.problem(file.shown), f"pass --skip-rows {skip}")
        file.least_rows = int(not has_break and any(texts[at + file.header :]))

    def scan(self, file: File, *, exact: bool = False) -> str:
        columns = ", ".join(f"'a{i}': 'VARCHAR'" for i in range(len(file.columns)))
        # DuckDB must not guess here: a guess can drop rows silently.
        dialect = (
            f"delim={sql.literal(file.delimiter or ',')}, quote='\"', escape='\"', comment='',"
            f" header={str(file.header).lower()}, skip={file.skip}, nullstr='', strict_mode=true,"
            " null_padding=false, ignore_errors=false, hive_partitioning=false,"
            f" compression={sql.literal(file.packing.name)}"
        )
        return f"read_csv($path, auto_detect=false, columns={{{columns}}}, {dialect})"

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        return f"a{at}"

    def value(self, file: File, at: int) -> str:
        kind = file.types[at]
        return f"a{at}" if kind == "VARCHAR" else f"CAST(a{at} AS {kind})"

    def settle(self, file: File, where: str, run: Run) -> int:
        """Count the rows, and find the types of the columns that ``where`` names.

        A column gets the narrowest type that holds all its cells exactly: a cast would round, cut
        or fail.
        """
        scan, rows = self.scan(file), 0
        file.types = ["VARCHAR"] * len(file.columns)
        kinds = {
            at: list(sql.KINDS) for at, name in enumerate(file.columns) if sql.may_name(where, name)
        }
        # A type that does not fit the first rows does not fit all rows.
        for some in (f"(FROM {scan} LIMIT {LOOK_ROWS})", scan) if kinds else (scan,):
            counts = [
                counted_kind
                for at, tried in kinds.items()
                for counted_kind in sql.counted_kinds(f"a{at}", tried)
            ]
            query = f"SELECT {', '.join(['count(*)', *counts])} FROM {some}"
            ((rows, *result),) = run(query, file)
            counted = iter(result)
            for at, tried in kinds.items():
                filled = next(counted)
                kinds[at] = [kind for kind in tried if next(counted) == filled]
                file.types[at] = sql.narrowest(kinds[at], filled)
        return int(rows)

    def rewrite(self, file: File, error: Exception) -> bool:
        return is_irregular(error) and write_regular(file) is not None


def _find_header(lines: Sequence[str], file: File) -> tuple[int, int]:
    """Return the number of rows above the header of a CSV, and the index of its first line."""
    try:
        start = headers.table_begins(lines, file.skip, file.delimiter or ",")
    except csv.Error as error:
        raise ReadError(f"{file.shown}: the rows above the header are no CSV: {error}") from None
    if start is None:
        nothing = f": --skip-rows {file.skip} leaves no row" if file.skip else " is empty"
        raise ReadError(f"{file.shown}{nothing}")
    return start


def _rows(lines: Iterable[str], delimiter: str, **how: Any) -> Any:
    """Return a reader of lines without their ends."""
    return csv.reader(map("{}\n".format, lines), delimiter=delimiter, **how)


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """Return the numbers of cells of the first rows; the header's is the first."""
    widths = [len(_cells(lines[:1], delimiter)[0])]
    try:
        rows = list(_rows(lines, delimiter))
    except csv.Error:
        return widths
    # The last lines may be the beginning of a row only.
    whole = rows if len(lines) < LOOK else rows[:-1]
    return widths + [len(row) for row in whole if row]


def _cells(lines: Sequence[str], delimiter: str) -> tuple[list[str], bool]:
    """Return the cells of the first row, and whether it takes more than one line."""
    rows = _rows(lines, delimiter, skipinitialspace=True)
    with long_cells():
        try:
            return next(rows, []), rows.line_num > 1
        except csv.Error:
            return [lines[0]], False


#: Rows that are measured and written at once.
_ROWS_AT_ONCE = 10_000


class Converted(Csv):
    """A format whose files are converted to CSV when their columns are requested."""

    binary = True
    lines = False
    longest_line = None

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
                # In UTF-8 and with quotation marks, a character takes four bytes at most.
                if any(4 * sum(map(len, row)) > LINE for row in some):
                    raise ReadError(
                        f"{file.shown}: a row may have {LINE // 4:,} characters, and one has more"
                    )
                writer.writerows(some)
        file.path, file.packing = file.spare, PLAIN
        file.delimiter, file.header, file.skip = ",", False, 0


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

"""The formats that can be read, one object each, in the table `FORMATS`."""

import csv
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agreement_fast.files.errors import ReadError, is_irregular, one_line, show
from agreement_fast.files.file import (
    KINDS,
    File,
    Format,
    Kind,
    Run,
    counted_kinds,
    identifier,
    literal,
    may_name,
    narrowest,
)
from agreement_fast.files.paths import PLAIN, Packing
from agreement_fast.files.regular import (
    LINE,
    first_lines,
    has_several_line_ends,
    long_cells,
    put_together,
    write_regular,
)
from agreement_fast.files.spreadsheets import Excel, OpenDocument, refuse_archive
from agreement_fast.files.statistics_files import Sas, Spss, Stata
from agreement_fast.reading.recognition.headers import (
    header_names,
    is_data,
    remark_on_data,
    second_header,
    separator,
    table_begins,
    without_name,
)

#: Characters that may precede the first one of a text.
BLANK = b" \t\r\n\xef\xbb\xbf"

#: How XML (the group) and HTML begin.
_MARKUP = re.compile(
    rb"(?i)(<\?xml|<(?:\w+:)?workbook\b|<office:)|<(?:!doctype|!--|html|head|body|table|meta|style|div)\b"
)

_DELIMITERS = (",", "\t", ";", "|")

#: Lines of a CSV that are inspected before it is read.
LOOK = 100

#: Rows of it that are inspected for the types that `where` sees.
LOOK_ROWS = 2_048

#: Largest JSON record in bytes. DuckDB allocates twice this size per thread.
OBJECT = 1 << 24


def _describe(file: File, scan: str, run: Run) -> None:
    described = run(f"DESCRIBE FROM {scan}", file).fetchall()
    file.columns = [name for name, *_ in described]
    file.types = [str(kind) for _, kind, *_ in described]


# -- lines of cells


class Csv(Format):
    """Text in lines of cells. Columns are called a0, a1, ... in SQL and hold text."""

    name = "csv"
    title = "CSV"
    extensions = ("csv", "tsv", "tab", "txt")
    lines = True
    has_types = False
    longest_line = LINE

    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        texts = first_lines(file, file.skip + LOOK)
        if texts and (mark := separator(texts[0])) is not None:
            file.delimiter = file.delimiter or mark
            file.skip = max(file.skip, 1)
            file.remarks.append(
                (None, f"{file.shown}: the first line, {show(texts[0])}, names the delimiter")
            )
        above, at = _find_header(texts, file)
        if file.delimiter is None:
            file.delimiter = _find_delimiter(texts[at:])
            above, at = _find_header(texts, file)
        file.skip = above
        cells, several = _cells(texts[at:], file.delimiter)
        if several or (above and has_several_line_ends(file)):
            # DuckDB drops rows if the header has a line break or a line end unlike the other lines.
            cells = write_regular(file) or cells
        if file.header and is_data(cells):
            file.header = False
            file.remarks.append((None, remark_on_data(cells, file.shown)))
        file.columns = header_names(cells, header=file.header)
        file.types = ["VARCHAR"] * len(file.columns)
        file.header_row = above + 1 if file.header else 0
        if file.header:
            file.unnamed = tuple(file.columns[i] for i in without_name(cells))
            _refuse_second_header(texts[at:], file)
        file.least_rows = int(not several and any(texts[at + file.header :]))

    def scan(self, file: File, *, exact: bool = False) -> str:
        columns = ", ".join(f"'a{i}': 'VARCHAR'" for i in range(len(file.columns)))
        # DuckDB must not guess here: a guess can drop rows silently.
        return f"read_csv($path, auto_detect=false, columns={{{columns}}}, {_dialect(file)})"

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
        kinds = {at: list(KINDS) for at, name in enumerate(file.columns) if may_name(where, name)}
        # A type that does not fit the first rows does not fit all rows.
        for some in (f"(FROM {scan} LIMIT {LOOK_ROWS})", scan) if kinds else (scan,):
            counts = [
                counted_kind
                for at, tried in kinds.items()
                for counted_kind in counted_kinds(f"a{at}", tried)
            ]
            query = f"SELECT {', '.join(['count(*)', *counts])} FROM {some}"
            ((rows, *result),) = run(query, file).fetchall()
            counted = iter(result)
            for at, tried in kinds.items():
                filled = next(counted)
                kinds[at] = [kind for kind in tried if next(counted) == filled]
                file.types[at] = narrowest(kinds[at], filled)
        return int(rows)

    def rewrite(self, file: File, error: Exception) -> bool:
        return is_irregular(error) and write_regular(file) is not None


def _find_header(lines: Sequence[str], file: File) -> tuple[int, int]:
    """Return the number of rows above the header of a CSV, and the index of its first line."""
    try:
        start = table_begins(lines, file.skip, file.delimiter or ",")
    except csv.Error as error:
        raise ReadError(f"{file.shown}: the rows above the header are no CSV: {error}") from None
    if start is None:
        nothing = f": --skip-rows {file.skip} leaves no row" if file.skip else " is empty"
        raise ReadError(f"{file.shown}{nothing}")
    return start


def _refuse_second_header(lines: Sequence[str], file: File) -> None:
    """Refuse a table whose columns are named by a lower row."""
    try:
        header, *rows = csv.reader((line + "\n" for line in lines), delimiter=file.delimiter or ",")
    except csv.Error:
        return
    if (result := second_header(header, rows)) is not None:
        raise ReadError(result.problem(file.shown), f"pass --skip-rows {file.skip + result.row}")


def _find_delimiter(lines: Sequence[str]) -> str:
    """Choose the delimiter that gives all lines the width of the header, else the widest header."""
    widths = {mark: _widths(lines, mark) for mark in _DELIMITERS}
    result = [mark for mark in _DELIMITERS if widths[mark][0] > 1]
    return max(result, key=lambda mark: (len(set(widths[mark])) == 1, widths[mark][0]), default=",")


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """Return the numbers of cells of the first rows; the header's is the first."""
    widths = [len(_cells(lines[:1], delimiter)[0])]
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return widths
    # The last lines may be the beginning of a row only.
    whole = rows if len(lines) < LOOK else rows[:-1]
    return widths + [len(row) for row in whole if row]


def _cells(lines: Sequence[str], delimiter: str) -> tuple[list[str], bool]:
    """Return the cells of the first row, and whether it takes more than one line."""
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    with long_cells():
        try:
            return next(rows, []), rows.line_num > 1
        except csv.Error:
            return [lines[0]], False


def _dialect(file: File) -> str:
    return (
        f"delim={literal(file.delimiter or ',')}, quote='\"', escape='\"', comment='',"
        f" header={str(file.header).lower()}, skip={file.skip}, nullstr='', strict_mode=true,"
        f" null_padding=false, ignore_errors=false, compression={literal(file.packing.name)},"
        " hive_partitioning=false"
    )


# -- objects


class Json(Format):
    """One object a row: lines, or one array. Values are read as written."""

    name = "json"
    title = "JSON"
    extensions = ("json", "jsonl", "ndjson")

    def looks_like(self, head: bytes) -> bool:
        return head.lstrip(BLANK)[:1] in (b"{", b"[")

    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        """Find the keys of all records and, if `typed`, the types of all their values."""
        # Guessing types takes several times as long as reading.
        _describe(file, _json_scan(file, "sample_size=-1") if typed else self.scan(file), run)
        if file.columns == ["json"] and file.types[0].startswith("MAP"):
            raise ReadError(
                f"{file.shown} has objects with an empty key, or with more keys than a table has"
                " columns: rename the empty key, or write each judgment as an object"
            )
        if file.columns == ["json"]:
            raise ReadError(f"{file.shown} holds no JSON objects")
        if not typed:
            records = _json_scan(file, "records=false, columns={'record': 'JSON'}")
            keys = run(
                f"SELECT DISTINCT unnest(keys) FROM (SELECT DISTINCT json_keys(record) AS keys"
                f" FROM {records}) ORDER BY 1",
                file,
            ).fetchall()
            known = set(file.columns)
            late = [key for (key,) in keys if key not in known]
            lower = {name.lower(): name for name in file.columns}
            for key in late:
                if lower.setdefault(key.lower(), key) != key:
                    raise ReadError(
                        f"{file.shown} has the keys {show(lower[key.lower()])} and {show(key)},"
                        " which differ only in case: rename one of them"
                    )
            file.columns += late
            file.types += ["JSON"] * len(late)

    def scan(self, file: File, *, exact: bool = False) -> str:
        if exact:
            # Values exactly as written: DuckDB would turn texts into dates.
            kinds = ", ".join(f"{literal(name)}: 'JSON'" for name in file.columns)
            return _json_scan(file, f"columns={{{kinds}}}")
        return _json_scan(file, "sample_size=20480")

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        name = identifier(file.columns[at])
        return f"CAST({name} AS VARCHAR)" if is_label else f"({name} ->> '$')"

    def value(self, file: File, at: int) -> str:
        name, kind = identifier(file.columns[at]), file.types[at]
        return f"({name} ->> '$')" if kind in ("JSON", "VARCHAR") else f"CAST({name} AS {kind})"

    def label_kind(self, type_name: str) -> Kind:
        return "json"


def _json_scan(file: File, options: str) -> str:
    """Return the table function that reads JSON."""
    return (
        f"read_json($path, {options}, maximum_object_size={OBJECT}, hive_partitioning=false,"
        f" compression={literal(file.packing.name)})"
    )


# -- columns with types


#: Distinguishes schemas of Parquet files, and counts their rows.
_SCHEMAS = """
SELECT file_name, schema, num_rows
FROM (SELECT file_name, md5(CAST(list(element ORDER BY n) AS VARCHAR)) AS schema
      FROM (SELECT file_name, row_number() OVER () AS n,
                   (name, type, type_length, repetition_type, num_children, converted_type, scale,
                    precision, logical_type, duckdb_type) AS element
            FROM parquet_schema($path))
      GROUP BY file_name)
JOIN parquet_file_metadata($path) USING (file_name)
"""


#: Whether the metadata say that a file holds stored patterns.
_PATTERNS = "SELECT 1 FROM parquet_kv_metadata($path) WHERE key = 'agreement_fast'::BLOB"

_READ_PATTERNS = "in Python, Annotations.read_patterns reads them"


#: What DuckDB adds to the name of a column to distinguish it from another one.
_NUMBERED = re.compile(r"(_[0-9]+)+$")


class Parquet(Format):
    """Columns with types."""

    name = "parquet"
    title = "Parquet"
    extensions = ("parquet", "pq")
    binary = True
    knows_rows = True

    def begins(self, head: bytes) -> bool:
        return head.startswith(b"PAR1")

    def find_all(self, files: Sequence[File], run: Run, *, typed: bool) -> None:
        """Describe one file of each schema, because comparing schemas is faster."""
        import duckdb

        described: dict[str, File] = {}
        try:
            result = {
                path: (schema, rows)
                for file in put_together(files)
                for path, schema, rows in run(_SCHEMAS, file).fetchall()
            }
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            # Describe the files one by one to find which one is at fault.
            result = {}
        for file in files:
            schema, rows = result.get(file.path, (file.path, None))
            like = described.setdefault(schema, file)
            if like is file:
                with one_line(file.shown):
                    self.find_columns(file, run, typed=typed)
            else:
                file.columns, file.types = [*like.columns], [*like.types]
                file.least_rows = rows

    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        _describe(file, self.scan(file), run)
        if file.columns[:2] == ["weight", "labels"] and run(_PATTERNS, file).fetchall():
            raise ReadError(f"{file.shown} holds stored patterns: {_READ_PATTERNS}")
        own = {name for (name,) in run("SELECT name FROM parquet_schema($path)", file).fetchall()}
        # DuckDB numbers columns of one name; with their own, they are refused when they are named.
        stems = {name: _NUMBERED.sub("", name) for name in file.columns if name not in own}
        file.columns = [
            stem if (stem := stems.get(name, name)) in file.columns else name
            for name in file.columns
        ]
        counted = run(f"SELECT count(*) FROM {self.scan(file)}", file).fetchall()
        file.least_rows = int(counted[0][0])

    def scan(self, file: File, *, exact: bool = False) -> str:
        return "read_parquet($path, binary_as_string=true, hive_partitioning=false)"

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        return f"CAST({identifier(file.columns[at])} AS VARCHAR)"

    def value(self, file: File, at: int) -> str:
        return identifier(file.columns[at])

    def label_kind(self, type_name: str) -> Kind:
        if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", type_name):
            return "int"
        if type_name == "BOOLEAN":
            return "bool"
        return "float" if re.match(r"FLOAT|DOUBLE|DECIMAL", type_name) else "text"


# -- the table

_CSV = Csv()

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            _CSV,
            Json(),
            Parquet(),
            Excel(_CSV),
            OpenDocument(_CSV),
            Spss(_CSV),
            Stata(_CSV),
            Sas(_CSV),
        )
    }
)

*_others, _last = (entry.title for entry in FORMATS.values())

#: All of them, for messages.
TITLES = f"{', '.join(_others)} or {_last}"


def format_by_name(extension: str) -> Format | None:
    """Return the format that the extension of a file's name implies."""
    return next((kind for kind in FORMATS.values() if extension in kind.extensions), None)


def format_of(
    head: bytes, text: bytes, extension: str, packing: Packing, shown: str, path: str
) -> Format:
    """Recognise a file's format: by its first bytes, else by its name, else by how it looks.

    `head`, `text`: the beginning of the file, unpacked, and the same in UTF-8 if it is text.
    `extension`: the extension of its name, without that of the compression. `packing`: how the file
    is compressed. `shown`, `path`: the name of the file in errors, and its path. Raises ReadError
    if it is none of `FORMATS`.
    """
    may_be = [kind for kind in FORMATS.values() if kind.begins(head)]
    if may_be and packing is not PLAIN:
        titles = " or ".join(kind.title for kind in may_be)
        raise ReadError(f"{shown} is {titles} within {packing.name}: unpack it first")
    for kind in may_be:
        if kind.holds(path):
            return kind
    refuse_archive(head, path, shown)
    if head.startswith(b"ARROW1"):
        raise ReadError(
            f"{shown} is an Arrow file, which is not read as a table: save the table as Parquet; if"
            f" it holds stored patterns, {_READ_PATTERNS.replace('them', 'it')}"
        )
    _refuse_markup(text, shown)
    named = format_by_name(extension)
    # Files that programs export as .xls are often text.
    if named is None or (named.sheets and b"\0" not in text):
        return next((kind for kind in FORMATS.values() if kind.looks_like(text)), _CSV)
    if named.binary:
        raise ReadError(
            f"{shown} is not {named.title}, as its name says: if it holds text, name it .csv"
        )
    return named


def _refuse_markup(text: bytes, shown: str) -> None:
    """Refuse HTML and XML, which programs also save under the names of spreadsheets."""
    match = _MARKUP.match(text.lstrip(BLANK))
    if match is not None:
        what = "XML" if match[1] else "an HTML page"
        raise ReadError(
            f"{shown} is {what}, not a table that can be read: open it in a spreadsheet program"
            " and save it as .xlsx or CSV"
        )

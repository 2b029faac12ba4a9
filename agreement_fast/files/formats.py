"""The formats that can be read, one object each, in the table `FORMATS`."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agreement_fast.files import sql
from agreement_fast.files.errors import ReadError, one_line, show
from agreement_fast.files.file import PLAIN, File, Format, Kind, Packing, Run
from agreement_fast.files.regular import Csv, put_together
from agreement_fast.files.spreadsheets import Excel, OpenDocument, refuse_archive
from agreement_fast.files.statistics_files import Sas, Spss, Stata

#: Characters that may precede the first one of a text.
BLANK = b" \t\r\n\xef\xbb\xbf"

#: How XML (the group) and HTML begin, which programs also save under names of spreadsheets.
_MARKUP = re.compile(
    rb"(?i)(<\?xml|<(?:\w+:)?workbook\b|<office:)|<(?:!doctype|!--|html|head|body|table|meta|style|div)\b"
)

#: Largest JSON record in bytes. DuckDB allocates twice this size per thread.
OBJECT = 1 << 24


def _describe(file: File, scan: str, run: Run) -> None:
    described = run(f"DESCRIBE FROM {scan}", file)
    file.columns = [name for name, *_ in described]
    file.types = [str(kind) for _, kind, *_ in described]


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
            raise ReadError(
                f"{file.shown} holds no JSON objects", "write one for each row (records in pandas)"
            )
        if not typed:
            records = _json_scan(file, "records=false, columns={'record': 'JSON'}")
            keys = run(
                f"SELECT DISTINCT unnest(keys) FROM (SELECT DISTINCT json_keys(record) AS keys"
                f" FROM {records}) ORDER BY 1",
                file,
            )
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
            kinds = ", ".join(f"{sql.literal(name)}: 'JSON'" for name in file.columns)
            return _json_scan(file, f"columns={{{kinds}}}")
        return _json_scan(file, "sample_size=20480")

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        name = sql.identifier(file.columns[at])
        return f"CAST({name} AS VARCHAR)" if is_label else f"({name} ->> '$')"

    def value(self, file: File, at: int) -> str:
        name, kind = sql.identifier(file.columns[at]), file.types[at]
        return f"({name} ->> '$')" if kind in ("JSON", "VARCHAR") else f"CAST({name} AS {kind})"

    def label_kind(self, type_name: str) -> Kind:
        return "json"


def _json_scan(file: File, options: str) -> str:
    """Return the table function that reads JSON."""
    return (
        f"read_json($path, {options}, maximum_object_size={OBJECT}, hive_partitioning=false,"
        f" compression={sql.literal(file.packing.name)})"
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
                for path, schema, rows in run(_SCHEMAS, file)
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
        if file.columns[:2] == ["weight", "labels"] and run(_PATTERNS, file):
            raise ReadError(f"{file.shown} holds stored patterns: {_READ_PATTERNS}")
        own = {name for (name,) in run("SELECT name FROM parquet_schema($path)", file)}
        # DuckDB numbers columns of one name; with their own, they are refused when they are named.
        stems = {name: _NUMBERED.sub("", name) for name in file.columns if name not in own}
        file.columns = [
            stem if (stem := stems.get(name, name)) in file.columns else name
            for name in file.columns
        ]
        ((file.least_rows,),) = run(f"SELECT count(*) FROM {self.scan(file)}", file)

    def scan(self, file: File, *, exact: bool = False) -> str:
        return "read_parquet($path, binary_as_string=true, hive_partitioning=false)"

    def text(self, file: File, at: int, *, is_label: bool) -> str:
        return f"CAST({sql.identifier(file.columns[at])} AS VARCHAR)"

    def value(self, file: File, at: int) -> str:
        return sql.identifier(file.columns[at])

    def label_kind(self, type_name: str) -> Kind:
        if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", type_name):
            return "int"
        if type_name == "BOOLEAN":
            return "bool"
        return "float" if re.match(r"FLOAT|DOUBLE|DECIMAL", type_name) else "text"


# -- the table

_FORMATS = (Csv(), Json(), Parquet(), Excel(), OpenDocument(), Spss(), Stata(), Sas())

FORMATS: Mapping[str, Format] = MappingProxyType({entry.name: entry for entry in _FORMATS})

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
    if (markup := _MARKUP.match(text.lstrip(BLANK))) is not None:
        what = "XML" if markup[1] else "an HTML page"
        raise ReadError(
            f"{shown} is {what}, not a table that can be read: open it in a spreadsheet program"
            " and save it as .xlsx or CSV"
        )
    named = format_by_name(extension)
    # Files that programs export as .xls are often text.
    if named is None or (named.sheets and b"\0" not in text):
        return next((kind for kind in FORMATS.values() if kind.looks_like(text)), _FORMATS[0])
    if named.binary:
        raise ReadError(
            f"{shown} is not {named.title}, as its name says: if it holds text, name it .csv"
        )
    return named

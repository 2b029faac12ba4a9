"""A file and its format: how the format is recognised, and the SQL that reads the file.

Beside its own columns, a file may have those of the folders in its path, and its coder.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import unquote

from agreement_fast.files.errors import ReadError, one_line, show
from agreement_fast.files.paths import Packing, base_of, common_start, part_of

if TYPE_CHECKING:
    import duckdb


def literal(text: str) -> str:
    """Return a text quoted for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a column name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_or_null(text: str | None) -> str:
    """Return a text quoted for SQL; None is a missing text."""
    return "CAST(NULL AS VARCHAR)" if text is None else literal(text)


def source(path: str | Sequence[str]) -> str:
    """Return a path quoted for SQL, or a list of paths."""
    if isinstance(path, str):
        return literal(path)
    return f"[{', '.join(map(literal, path))}]"


#: How the labels of a column are written; "written" is text from a CSV, to be interpreted.
Kind = Literal["written", "json", "int", "float", "bool", "text"]

#: Stands between the cells of a key of several columns.
MARK = "\u00b7"


@dataclass
class File:
    """One file: its path, its columns, and the options with which DuckDB reads it."""

    name: str  # as the user wrote it
    path: str  # as DuckDB opens it
    format: Format
    packing: Packing
    header: bool
    delimiter: str | None
    encoding: str
    columns: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    skip: int = 0
    spare: str = ""  # the path of a possible copy
    sheet: str | None = None  # of a spreadsheet, as asked for
    #: Whether the user named a column.
    is_named: Callable[[str], bool] = lambda name: False
    value_codes: bool = False  # whether to read codes instead of the labels that a file has
    header_row: int = 1  # from 1; 0 without a header
    #: Columns without a name in the header.
    unnamed: tuple[str, ...] = ()
    #: For columns of a sheet: why the first empty cell is empty.
    gaps: dict[str, str] = field(default_factory=dict)
    #: Keys of several columns, by name.
    joined: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Columns that are not in the file, with the text that all its rows have there.
    constants: dict[str, str] = field(default_factory=dict)
    #: The same for columns in the path (``day=2``), and the types that ``where`` sees.
    partitions: dict[str, str | None] = field(default_factory=dict)
    partition_types: dict[str, str] = field(default_factory=dict)
    #: The file has at least this number of rows.
    least_rows: int = 0
    #: Notes for readers of a column (None: of any column), and reasons why one cannot be read.
    remarks: list[tuple[str | None, str]] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    #: By column: the labels of its codes, if the file declares them.
    declared: dict[str, dict[float, str]] = field(default_factory=dict)

    @property
    def source(self) -> str | list[str]:
        """The value of ``$path`` in queries."""
        return self.path

    @property
    def known(self) -> list[str]:
        """The columns that can be named: those of the file and of its path."""
        return [*self.columns, *(name for name in self.partitions if name not in self.columns)]

    @property
    def shown(self) -> str:
        return "standard input" if self.name == "-" else show(self.name)

    def text(self, name: str, *, is_label: bool = False, with_gaps: bool = False) -> str:
        """Return the expression of a column as text; a column that is not there is empty.

        With `with_gaps`, a key of several columns is empty only if all of them are.
        """
        if name in self.joined:
            return join_key([self.text(part) for part in self.joined[name]], with_gaps=with_gaps)
        if name not in self.columns:
            return self.constant(name)
        return self.format.text(self, self.columns.index(name), is_label=is_label)

    def constant(self, name: str) -> str:
        """Return the text that all rows have in a column that is not in the file itself."""
        return text_or_null(self.constants.get(name, self.partitions.get(name)))

    def own(self, name: str) -> tuple[str, ...]:
        """Return the columns of the file that a name stands for."""
        return () if name in self.constants else self.joined.get(name, (name,))


def split_key(key: str) -> tuple[str | None, ...]:
    """Return the cells that `join_key` joined; None is an empty cell."""
    cells = key.split(f" {MARK} ")
    return tuple(None if cell == MARK else cell.replace(2 * MARK, MARK) for cell in cells)


def join_cells(cells: Sequence[str | None], *, with_gaps: bool = False) -> str | None:
    """Join texts into one as the expression of `join_key` does."""
    marked = [MARK if cell is None else cell.replace(MARK, 2 * MARK) for cell in cells]
    empty = cells.count(None)
    if empty and (not with_gaps or empty == len(cells)):
        return None
    return f" {MARK} ".join(marked)


def join_key(cells: Sequence[str], *, with_gaps: bool = False) -> str:
    """Return the expression that joins texts into one; it is empty if one of them is.

    The mark is doubled inside cells, so two different rows of cells never give the same text. With
    `with_gaps`, the mark also stands for an empty cell; the text is empty if all cells are.
    """
    marked = [f"replace({cell}, '{MARK}', '{2 * MARK}')" for cell in cells]
    if not with_gaps:
        return "(" + f" || ' {MARK} ' || ".join(marked) + ")"
    filled = f" || ' {MARK} ' || ".join(f"coalesce({cell}, '{MARK}')" for cell in marked)
    return f"CASE WHEN coalesce({', '.join(cells)}) IS NOT NULL THEN {filled} END"


class Run(Protocol):
    """Run a query on a file, which it calls ``$path``.

    All rows must be fetched: an open result would block a stream.
    """

    def __call__(self, query: str, file: File) -> duckdb.DuckDBPyConnection: ...


class Format(ABC):
    """A file format."""

    #: The name in documents, and as people write it.
    name: str
    title: str
    #: Extensions of file names.
    extensions: tuple[str, ...]
    #: Whether it is recognised by its first bytes; else it is text, which may be compressed.
    binary = False
    #: Whether a file consists of lines of cells: it has a delimiter, the first line may name the
    #: columns, and there may be other lines above.
    lines = False
    #: Whether a file may hold several tables, with other rows above their headers.
    sheets = False
    #: Whether a file may have labels for the numbers in it.
    has_value_labels = False
    #: Whether columns have types; else labels are texts to be interpreted.
    has_types = True
    #: Longest line in bytes that DuckDB reads; it silently drops a longer last line.
    longest_line: int | None = None
    #: Whether the format states the number of rows; else it is estimated from the size.
    knows_rows = False

    def begins(self, head: bytes) -> bool:
        """Return whether a binary file with these first bytes may be of this format."""
        return False

    def holds(self, path: str) -> bool:
        """Return whether a file is of this format, given that `begins` holds for it."""
        return True

    def looks_like(self, head: bytes) -> bool:
        """Return whether a text with these first bytes is probably of this format."""
        return False

    def find_all(self, files: Sequence[File], run: Run, *, typed: bool) -> None:
        """Fill in the columns and types of files of this format."""
        for file in files:
            with one_line(file.shown):
                self.find_columns(file, run, typed=typed)

    @abstractmethod
    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        """Fill in a file's columns and types; `typed`: a condition needs the types."""

    @abstractmethod
    def scan(self, file: File, *, exact: bool = False) -> str:
        """Return the table function that reads a file; `text` needs it to be `exact`."""

    @abstractmethod
    def text(self, file: File, at: int, *, is_label: bool) -> str:
        """Return the expression of a column as text; a label may be written with its type."""

    @abstractmethod
    def value(self, file: File, at: int) -> str:
        """Return the expression of a column as ``where`` sees it."""

    def label_kind(self, type_name: str) -> Kind:
        """Return how `text` writes labels of a type."""
        return "written"

    def settle(self, file: File, where: str, run: Run) -> int:
        """Count the rows, and find the types that ``where`` sees if they are still unknown."""
        counted = run(f"SELECT count(*) FROM {self.scan(file, exact=True)}", file).fetchall()
        return int(counted[0][0])

    def rewrite(self, file: File, error: Exception) -> bool:
        """Rewrite a file that DuckDB could not read as a copy; return whether that was possible."""
        return False


#: Types from narrow to wide, each with the pattern of cells that it holds exactly: a cast of other
#: cells would round, cut or fail.
KINDS = {
    "BIGINT": "(regexp_full_match({0}, '[+-]?[0-9]+') AND try_cast({0} AS BIGINT) IS NOT NULL)",
    "DOUBLE": "(regexp_full_match({0}, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?')"
    " AND try_cast({0} AS DOUBLE) IS NOT NULL)",
    "DATE": "(regexp_full_match({0}, '[0-9]+-[0-9]+-[0-9]+')"
    " AND try_cast({0} AS DATE) IS NOT NULL)",
    "TIMESTAMP": "try_cast({0} AS TIMESTAMP) IS NOT NULL",
}

#: Spellings of floats that are not numbers.
NO_NUMBER = "(?i)nan|[+-]?inf(inity)?"


def may_name(where: str, name: str) -> bool:
    """Return whether a condition may name a column; ``COLUMNS`` may name any."""
    condition = where.lower()
    return identifier(name)[1:-1].lower() in condition or "columns" in condition


def counted_kinds(cell: str, kinds: Sequence[str]) -> list[str]:
    """Write the expressions that count the cells that are not empty, and those of each type."""
    return [
        f"count({cell})",
        *(f"count(*) FILTER (WHERE {KINDS[kind].format(cell)})" for kind in kinds),
    ]


def narrowest(kinds: Sequence[str], filled: int) -> str:
    """Return the first of the types that holds all cells; text if no cell is filled."""
    return kinds[0] if kinds and filled else "VARCHAR"


#: The value that writers use if one is missing.
MISSING = "__HIVE_DEFAULT_PARTITION__"


def partitions_of(path: str) -> tuple[dict[str, str | None], dict[str, str]]:
    """Return the columns that the folders of a path name, and faults of some of them.

    Returns dict of str to str or None: values by column; None if a value is missing; dict of str to
    str: by column: the reason why it cannot be used.

    Examples
    --------
    >>> partitions_of("lake/project=a%2Fb/day=2/part=0.parquet")[0]
    {'project': 'a/b', 'day': '2'}
    >>> partitions_of("lake/project=__HIVE_DEFAULT_PARTITION__/1.csv")[0]
    {'project': None}
    """
    partitions: dict[str, str | None] = {}
    faults: dict[str, str] = {}
    for folder in path.replace(os.sep, "/").split("/")[:-1]:
        key, sign, text = folder.partition("=")
        if not (key and sign):
            continue
        name, value = _decoded(key), _decoded(text)
        if name is None or value is None:
            faults[name or key] = f"the folder {show(folder)} of {show(path)} is not UTF-8"
        # As in a CSV, an empty value is missing.
        kept = None if value in ("", MISSING) else value
        if partitions.setdefault(name or key, kept) != kept:
            faults[name or key] = (
                f"the path {show(path)} names two values of {show(name or key)}: rename a folder"
            )
    return partitions, faults


def _decoded(text: str) -> str | None:
    """Decode percent-encoded characters; return None if the result is not UTF-8."""
    try:
        text.encode()
        return unquote(text, errors="strict")
    except UnicodeEncodeError:
        return None
    except UnicodeDecodeError:
        return text


def refuse_unlike_paths(where: str | None, files: Sequence[File]) -> None:
    """Refuse a condition on a column that the path of one file has and another file lacks."""
    for name in all_partitions(files):
        if where is None or not may_name(where, name):
            continue
        for file in files:
            if name in file.faults:
                raise ReadError(file.faults[name])
            if name not in file.known:
                has = next(file for file in files if name in file.partitions)
                raise ReadError(
                    f"--where names {show(name)}, a folder of {has.shown}; {file.shown} has no such"
                    f" folder or column: name only the files below {show(name + '=...')}"
                )


def partitions_read(columns: Sequence[str], where: str | None, files: Sequence[File]) -> list[str]:
    """Return the columns of paths that have a role, or that a condition may name."""
    used = {part for name in columns for file in files for part in file.own(name)}
    return [
        name
        for name in all_partitions(files)
        if name in used or (where is not None and may_name(where, name))
    ]


def all_partitions(files: Sequence[File]) -> list[str]:
    """Return the columns in the paths of files, each once."""
    return list(dict.fromkeys(name for file in files for name in file.partitions))


#: The value of --coder-from that asks for the name of the file.
FROM_NAME = "file"

_OPTION = "--coder-from"

#: The name of the column that is added to the files.
COLUMN = "file name"
#: The column of the folders of files that name their coders.
FOLDER = "folder"

#: Separators at which names are cut.
_SEPARATORS = "_-. "


def take_coders(files: Sequence[File], requested: str) -> tuple[str, list[str]]:
    """Add a column with the coder to each file.

    `files`: their `constants` are filled in. `asked`: a rule as in `part_of`; from names of files,
    the common beginning and end are cut. Returns the name of the column, and remarks.
    """
    coders, notes = coders_of([file.name for file in files], requested)
    column = COLUMN
    while any(column in file.known for file in files):
        column += "_"
    folders = [os.path.dirname(file.name) for file in files]
    for file, coder, folder in zip(files, coders, folders, strict=True):
        file.constants[column] = coder
        # Items may start again in each folder.
        if requested == FROM_NAME and len(set(folders)) > 1 and FOLDER not in file.known:
            file.partitions[FOLDER] = os.path.basename(folder)
    return column, notes


def coders_of(names: Sequence[str], requested: str) -> tuple[list[str], list[str]]:
    """Return the coder of each file, and remarks.

    Examples
    --------
    >>> coders_of(["codes_ann.csv", "codes_ben.csv"], "file")[0]
    ['ann', 'ben']
    >>> coders_of(["ann/1.csv", "ben/1.csv"], "([^/]+)/[^/]+$")[0]
    ['ann', 'ben']
    """
    if "-" in names:
        raise ReadError("--coder-from: standard input has no file name to take the coder from")
    if requested != FROM_NAME:
        return [part_of(name, requested, _OPTION) for name in names], []
    stems = [base_of(name) for name in names]
    coders, cut = _without_common(stems)
    if len(names) > 1 and len(set(coders)) == 1:
        raise ReadError(
            f"--coder-from file: all files are called {show(stems[0])}: pass --coder-from folder,"
            " or --coder-from with a regular expression that matches their paths"
        )
    notes = [f"coders are the file names without {cut}, which they all share"] if cut else []
    if len(set(coders)) < len(coders):
        again = next(coder for coder in coders if coders.count(coder) > 1)
        notes.append(f"several files are called {show(again)} and are read as one coder")
    return coders, notes


def _without_common(stems: Sequence[str]) -> tuple[list[str], str]:
    """Cut the common beginning and end at separators; also return what was cut, in words."""
    if len(set(stems)) < 2:
        return list(stems), ""
    start = common_start(stems)
    start = start[: 1 + max(start.rfind(mark) for mark in _SEPARATORS)]
    rest = [stem[len(start) :] for stem in stems]
    end = common_start([stem[::-1] for stem in rest])[::-1]
    places = [at for mark in _SEPARATORS if (at := end.find(mark)) >= 0]
    end = end[min(places) :] if places else ""
    rest = [stem.removesuffix(end) for stem in rest]
    if not all(rest):
        return list(stems), ""
    return rest, " and ".join(show(part) for part in (start, end) if part)

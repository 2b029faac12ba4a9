"""A file and its format: how the format is recognised, and the SQL that reads the file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from agreement_fast.files.errors import one_line, show
from agreement_fast.files.packing import Packing
from agreement_fast.files.sql import text_or_null

if TYPE_CHECKING:
    import duckdb

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
    """A file format.

    Attributes
    ----------
    name, title : str
        The name in documents, and as people write it.
    extensions : tuple of str
        Extensions of file names.
    binary : bool
        Whether it is recognised by its first bytes; else it is text, which may be compressed.
    lines : bool
        Whether a file consists of lines of cells: it has a delimiter, the first line may name the
        columns, and there may be other lines above.
    sheets : bool
        Whether a file may hold several tables, with other rows above their headers.
    has_value_labels : bool
        Whether a file may have labels for the numbers in it.
    has_types : bool
        Whether columns have types; else labels are texts to be interpreted.
    longest_line : int or None
        Longest line in bytes that DuckDB reads; it silently drops a longer last line.
    knows_rows : bool
        Whether the format states the number of rows; else it is estimated from the size.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    binary = False
    lines = False
    sheets = False
    has_value_labels = False
    has_types = True
    longest_line: int | None = None
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

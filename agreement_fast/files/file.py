"""A file, and what its format has to answer: how it is recognised, and the SQL that reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from agreement_fast.files.errors import one_line, show
from agreement_fast.files.packing import Packing
from agreement_fast.files.sql import text_or_null

if TYPE_CHECKING:
    import duckdb

#: How the labels of a column are written: "written" is a CSV's text, to be understood.
Kind = Literal["written", "json", "int", "float", "bool", "text"]

#: What stands between the cells of a key of several columns.
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
    spare: str = ""  # where a copy may be put
    sheet: str | None = None  # of a spreadsheet, as asked for
    value_codes: bool = False  # whether codes are read, and not the labels that a file has for them
    header_row: int = 1  # from 1
    #: Columns without a name in the header.
    unnamed: tuple[str, ...] = ()
    #: By column of a sheet: why its first empty cell is empty.
    gaps: dict[str, str] = field(default_factory=dict)
    #: Keys of several columns, by their name.
    joined: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Columns that the file does not have, and the text that each of its rows has there.
    constants: dict[str, str] = field(default_factory=dict)
    #: The same as its folders say it (``day=2``), and the types that ``where`` sees.
    partitions: dict[str, str | None] = field(default_factory=dict)
    partition_types: dict[str, str] = field(default_factory=dict)
    #: Rows that it has at least.
    least_rows: int = 0
    #: What whoever reads a column should know (None: any column), and why one cannot be read.
    remarks: list[tuple[str | None, str]] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    #: By column: the labels of the codes that it may hold, where the file declares such.
    declared: dict[str, dict[float, str]] = field(default_factory=dict)

    @property
    def source(self) -> str | list[str]:
        """What a query calls ``$path``."""
        return self.path

    @property
    def known(self) -> list[str]:
        """The columns that can be named: its own, and those of its path."""
        return [*self.columns, *(name for name in self.partitions if name not in self.columns)]

    @property
    def shown(self) -> str:
        return "standard input" if self.name == "-" else show(self.name)

    def text(self, name: str, *, is_label: bool = False, with_gaps: bool = False) -> str:
        """Write the expression of a column as text; a column that is not there is empty.

        With `with_gaps`, a key of several columns is empty only where all of them are.
        """
        if name in self.joined:
            return join_key([self.text(part) for part in self.joined[name]], with_gaps=with_gaps)
        if name not in self.columns:
            return self.constant(name)
        return self.format.text(self, self.columns.index(name), is_label=is_label)

    def constant(self, name: str) -> str:
        """Write the text that all rows have in a column that the file itself does not have."""
        return text_or_null(self.constants.get(name, self.partitions.get(name)))

    def own(self, name: str) -> tuple[str, ...]:
        """Give the columns of the file that a name stands for."""
        return () if name in self.constants else self.joined.get(name, (name,))


def split_key(key: str) -> tuple[str | None, ...]:
    """Give the cells that `join_key` joined; None is an empty one."""
    cells = key.split(f" {MARK} ")
    return tuple(None if cell == MARK else cell.replace(2 * MARK, MARK) for cell in cells)


def join_key(cells: Sequence[str], *, with_gaps: bool = False) -> str:
    """Write the expression that joins texts to one; it is empty where one of them is.

    The mark stands alone only between cells, so that no two rows of cells give the same text. With
    `with_gaps`, it also stands for an empty cell, and the text is empty where all of them are.
    """
    marked = [f"replace({cell}, '{MARK}', '{2 * MARK}')" for cell in cells]
    if not with_gaps:
        return "(" + f" || ' {MARK} ' || ".join(marked) + ")"
    filled = f" || ' {MARK} ' || ".join(f"coalesce({cell}, '{MARK}')" for cell in marked)
    return f"CASE WHEN coalesce({', '.join(cells)}) IS NOT NULL THEN {filled} END"


class Run(Protocol):
    """Runs a query on a file, which it calls ``$path``.

    All rows must be fetched: what is left open stands in the way of a stream.
    """

    def __call__(self, query: str, file: File) -> duckdb.DuckDBPyConnection: ...


class Format(ABC):
    """A file format.

    Attributes
    ----------
    name, title : str
        As documents have it, and as people write it.
    extensions : tuple of str
        Those of file names.
    binary : bool
        Whether it is told by how it begins; else it is text, which may be compressed as a whole.
    lines : bool
        Whether a file is lines of cells: there is a delimiter, the first line may or may not name
        the columns, and other lines may stand above it.
    sheets : bool
        Whether a file may hold several tables, above whose headers other rows may stand.
    has_value_labels : bool
        Whether a file may have labels for the numbers in it.
    has_types : bool
        Whether columns have types; else labels are texts to be understood.
    longest_line : int or None
        Bytes of a line beyond which DuckDB loses it, if it is the last one, without a word.
    knows_rows : bool
        Whether it says how many rows it has; then its size does not.
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
        """Say whether a binary file that begins so may be of this format, whatever its name."""
        return False

    def holds(self, path: str) -> bool:
        """Say whether a file of which `begins` holds is of this format."""
        return True

    def looks_like(self, head: bytes) -> bool:
        """Say whether a text of unknown format is probably of this one, from its first bytes."""
        return False

    def find_all(self, files: Sequence[File], run: Run, *, typed: bool) -> None:
        """Fill the columns and types of files of this format."""
        for file in files:
            with one_line(file.shown):
                self.find_columns(file, run, typed=typed)

    @abstractmethod
    def find_columns(self, file: File, run: Run, *, typed: bool) -> None:
        """Fill a file's columns and their types; `typed`: a condition will ask for the types."""

    @abstractmethod
    def scan(self, file: File, *, exact: bool = False) -> str:
        """Write the table function that reads a file; `exact`: so that `text` finds its columns."""

    @abstractmethod
    def text(self, file: File, at: int, *, is_label: bool) -> str:
        """Write the expression of a column as text; a label may be written with its type."""

    @abstractmethod
    def value(self, file: File, at: int) -> str:
        """Write the expression of a column as ``where`` sees it."""

    def label_kind(self, type_name: str) -> Kind:
        """Say how labels of a type are written by `text`."""
        return "written"

    def settle(self, file: File, where: str, run: Run) -> int:
        """Count the rows, and settle the types that ``where`` sees where they are open."""
        counted = run(f"SELECT count(*) FROM {self.scan(file, exact=True)}", file).fetchall()
        return int(counted[0][0])

    def rewrite(self, file: File, error: Exception) -> bool:
        """Put what DuckDB stumbled over in order, in a copy; say whether that helps."""
        return False

"""Files as such, and their formats: what paths name, how files are packed, encoded and read.

Beside its own columns, a file may have those of the folders in its path, and its coder. A format
says how it is recognised, and in which SQL a file is read.
"""

from __future__ import annotations

import codecs
import gzip
import os
import re
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Literal, NamedTuple, TypeAlias

from agreement_fast.errors import either
from agreement_fast.files import sql
from agreement_fast.files.errors import ReadError, full_disk, one_line, show

_PACKED = (".gz", ".zst", ".zstd")


def base_of(path: str) -> str:
    """Return the name of a file without folder and last extension (compression aside).

    Examples
    --------
    >>> base_of("codes/ann.b@example.org.csv.gz")
    'ann.b@example.org'
    """
    name = _slashed(path).rpartition("/")[2]
    if name.lower().endswith(_PACKED):
        name = name.rpartition(".")[0]
    return name.rpartition(".")[0] or name


def common_start(names: Sequence[str]) -> str:
    """Return the characters with which all names begin."""
    return os.path.commonprefix(names)  # noqa: RUF071


def extension_of(path: str) -> str:
    """Return the last extension of a file's name in lower case (compression aside).

    Examples
    --------
    >>> extension_of("codes/ann.v2.CSV.gz")
    'csv'
    """
    words = _slashed(path).rpartition("/")[2].lower().split(".")[1:]
    return next((word for word in reversed(words) if f".{word}" not in _PACKED), "")


def part_of(path: str, how: str, option: str, shown: str | None = None) -> str:
    """Return the part of a path that an option asks for.

    `path`: the path as the user wrote it. "file" (as `base_of` gives it), "folder" (the folder of
    the file), or a regular expression. Its only group, or the group with the name of what is asked
    for ("coder"), is the part. `option`: as the user writes it: "--coder-from". `shown`: the name
    of the file in errors. Raises ReadError if there is no folder, or the expression is invalid or
    not found in the path.

    Examples
    --------
    >>> part_of("ann/1.csv", "folder", "--coder-from")
    'ann'
    >>> part_of("ann/1.csv", "(?P<coder>a)(n)", "--coder-from")
    'a'
    """
    begin, end = where_in(path, how, option, shown)
    return path[begin:end]


def where_in(path: str, how: str, option: str, shown: str | None = None) -> tuple[int, int]:
    """Return the place in a path of the part that `part_of` gives."""
    what = _named_by(option)
    slash = _slashed(path).rfind("/")
    if how == "file":
        return slash + 1, slash + 1 + len(base_of(path))
    if how == "folder":
        begin = _slashed(path).rfind("/", 0, max(slash, 0)) + 1
        if slash <= begin:
            raise ReadError(
                f"{shown or show(path)} is in no folder of a {what}: name the folder above, or say"
                f" where in the path the {what} is with {option}"
            )
        return begin, slash
    pattern, group = group_of(how, option)
    match = pattern.search(path)
    if match is None or not match[group]:
        raise ReadError(f"{option} {show(how)} finds no {what} in {show(path)}")
    return match.span(group)


def group_of(
    regex: str, option: str, written: str | None = None
) -> tuple[re.Pattern[str], str | int]:
    """Compile a regular expression; return it with the group that is the part.

    `written` is what the user wrote, if the expression is only a part of that.
    """
    what, shown = _named_by(option), show(written or regex)
    try:
        compiled = re.compile(regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise ReadError(f"{option} {shown} is no regular expression: {error}") from None
    if what in compiled.groupindex:
        return compiled, what
    if compiled.groups != 1:
        raise ReadError(
            f"{option} {shown} has {compiled.groups} groups: put only the {what}'s part in"
            f" parentheses, or name its group, (?P<{what}>...); or pass {option} file"
        )
    return compiled, 1


def _named_by(option: str) -> str:
    return option.removeprefix("--").removesuffix("-from")


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")


class Packing(NamedTuple):
    """A way of compressing files."""

    #: The name for DuckDB and users.
    name: str
    #: The first bytes of each such file.
    start: bytes
    #: Returns what opens a path, and the errors of damaged files.
    library: Callable[[], tuple[Callable[..., Any], tuple[type[Exception], ...]]]

    @contextmanager
    def open(self, path: str, shown: str) -> Iterator[IO[bytes]]:
        """Open the content of a file; a damaged one raises a ReadError when it is read."""
        unpack, damages = self.library()
        try:
            with unpack(path, "rb") as opened:
                yield opened
        except damages:
            raise ReadError(f"{shown} is a damaged {self.name} file") from None


def _zstd() -> tuple[Callable[..., Any], tuple[type[Exception], ...]]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ReadError(
            'reading zstd needs backports.zstd: pip install "agreement-fast[cli]"'
        ) from None
    return zstd.open, (EOFError, zstd.ZstdError)


_OF_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)

PLAIN = Packing("uncompressed", b"", lambda: (open, ()))
PACKINGS = (
    Packing("gzip", b"\x1f\x8b", lambda: (gzip.open, _OF_GZIP)),
    Packing("zstd", b"\x28\xb5\x2f\xfd", _zstd),
    PLAIN,
)


def packing_of(path: str) -> Packing:
    """Return the compression of a file, from its first bytes. Errors are those of `open`."""
    with open(path, "rb") as file:
        head = file.read(max(len(packing.start) for packing in PACKINGS))
    return next(packing for packing in PACKINGS if head.startswith(packing.start))


#: The values of ``--encoding``. On Windows, Excel saves CSV in cp1252.
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_AT_ONCE = 1 << 20


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a text declare, else UTF-8."""
    return next((name for mark, name in _MARKS.items() if head.startswith(mark)), "utf-8")


def _codec(encoding: str, head: bytes) -> str:
    """Return Python's codec; without a mark, Python would read UTF-16 in the machine's order."""
    return "utf-16-le" if encoding == "utf-16" and encoding_of(head) == "utf-8" else encoding


def has_odd_mark(head: bytes) -> bool:
    """Return whether a text in UTF-8 starts with a mark that DuckDB would not leave out.

    It reads over one mark, but not over two, and not over one before a JSON array.
    """
    rest = head.removeprefix(codecs.BOM_UTF8)
    return rest != head and (rest.startswith(codecs.BOM_UTF8) or rest.lstrip()[:1] == b"[")


def head_as_utf8(head: bytes, encoding: str) -> bytes:
    """Convert the beginning of a text, which may end within a character, to UTF-8."""
    if encoding == "utf-8":
        return head
    decoder = codecs.getincrementaldecoder(_codec(encoding, head))("replace")
    return decoder.decode(head).encode("utf-8", "replace")


def copy_as_utf8(path: str, copy: str, packing: Packing, encoding: str, shown: str) -> None:
    """Copy a text as UTF-8, unpacked.

    `packing`: the compression of the text. `encoding`: one of `ENCODINGS`. `shown`: the name of the
    text in errors. Raises ReadError if the text holds bytes that are no character in this encoding.
    """
    with full_disk(), packing.open(path, shown) as text, open(copy, "wb") as written:
        some = text.read(_AT_ONCE)
        decoder = codecs.getincrementaldecoder(_codec(encoding, some))()
        try:
            # The mark is no part of a name.
            while some.startswith(codecs.BOM_UTF8):
                some = some.removeprefix(codecs.BOM_UTF8)
            while some:
                written.write(decoder.decode(some).encode())
                some = text.read(_AT_ONCE)
            decoder.decode(b"", True)
        except UnicodeDecodeError:
            others = either([entry for entry in ENCODINGS if entry != encoding])
            raise ReadError(f"{shown} is not {encoding}: pass --encoding {others}") from None


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

    def note(self, text: str, column: str | None = None) -> None:
        """Add a note for readers of a column, which it begins with, or of any column."""
        self.remarks.append((column, f"column {show(column)}: {text}" if column else text))

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
        text = self.constants.get(name, self.partitions.get(name))
        return "CAST(NULL AS VARCHAR)" if text is None else sql.literal(text)

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


#: Runs a query on a file, which it calls ``$path``, and returns all rows: an open result would
#: block a stream.
Run: TypeAlias = "Callable[[str, File], list[Any]]"


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
        ((rows,),) = run(f"SELECT count(*) FROM {self.scan(file, exact=True)}", file)
        return int(rows)

    def rewrite(self, file: File, error: Exception) -> bool:
        """Rewrite a file that DuckDB could not read as a copy; return whether that was possible."""
        return False


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
    from urllib.parse import unquote

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
        if where is None or not sql.may_name(where, name):
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
        if name in used or (where is not None and sql.may_name(where, name))
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

    `files`: their `constants` are filled in. `requested`: a rule as in `part_of`; from names of
    files, the common beginning and end are cut. Returns the name of the column, and remarks.
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

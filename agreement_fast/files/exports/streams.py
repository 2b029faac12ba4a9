"""The contents of a file: its beginning, from which tools recognise their exports; JSON and CSV.

They are read one value or row after the other, also of very large files.
"""

import contextlib
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.file import encoding_of


class Wrong(Exception):  # noqa: N818
    """An error in a record; `read_export` adds the place in which the reader is.

    Attributes
    ----------
    argument : str or None
        The option that is the remedy.
    """

    def __init__(self, problem: str, argument: str | None = None) -> None:
        super().__init__(problem)
        self.argument = argument


#: Characters that are read at a time, and those that one value may have.
CHUNK = 1 << 20
LONGEST = 1 << 28

#: How far before the end of what was read an error may stem from the end being cut off.
_CUT = 16

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")


def json_values(member: Member, encoding: str | None = None) -> Iterator[Any]:
    """Yield the elements of an array, or the values of JSON lines, as they are read.

    A file that begins with "[" is one array. Any other file is a sequence of values, with or
    without line breaks between them. Raises ReadError if the file is not JSON, with the line, or if
    values are nested too deeply.
    """
    with member.text(encoding) as stream:
        yield from _values(stream, member.shown)


def _values(stream: Any, shown: str) -> Iterator[Any]:
    decode = json.JSONDecoder().raw_decode
    text, at, line, ended = "", 0, 1, False
    size = CHUNK

    def more() -> None:
        """Drop the part that was read, and read the next one."""
        nonlocal text, at, line, ended
        line += text.count("\n", 0, at)
        if len(text) - at > LONGEST:
            raise ReadError(f"{shown}, line {line:,}: a value has more than {LONGEST:,} characters")
        # One character more than allowed, so that a value that is too long is noticed.
        some = stream.read(min(size, LONGEST + 1 - (len(text) - at)))
        text, at, ended = text[at:] + some, 0, len(some) < 1

    def skip() -> None:
        """Go to the next character that is not a blank."""
        nonlocal at
        while True:
            match = _SPACE.match(text, at)
            at = at if match is None else match.end()
            if at < len(text) or ended:
                return
            more()

    def wrong(what: str, place: int) -> ReadError:
        at = line + text.count("\n", 0, place)
        return ReadError(f"{shown}, line {at:,}: {what}")

    skip()
    array = text[at : at + 1] == "["
    at += array
    first, on_lines = True, False
    while True:
        skip()
        if at >= len(text):
            if array:
                raise wrong("the file ends within a list: it is truncated", at)
            return
        if array:
            if text[at] == "]":
                break
            if not first:
                if text[at] != ",":
                    raise wrong(f"expected a comma or ], got {show(text[at : at + 20])}", at)
                at += 1
                skip()
        while True:
            try:
                value, end = decode(text, at)
            except json.JSONDecodeError as error:
                open_string = error.msg.startswith(("Unterminated", "Invalid \\"))
                if ended or not (open_string or error.pos >= len(text) - _CUT):
                    at_end = open_string or error.pos >= len(text) - 1
                    cut = ": the file is truncated" if ended and at_end else ""
                    place = error.pos
                    if on_lines and "\n" in text[at:place].rstrip("\n"):
                        raise wrong("the line ends within a value: it is truncated", at) from None
                    if on_lines and text[:place].endswith("\n"):
                        place, cut = place - 1, ": the line is truncated"
                    raise wrong(f"this is not JSON ({error.msg}){cut}", place) from None
            except RecursionError:
                raise wrong("the values are nested too deeply", at) from None
            except ValueError as error:  # an integer of more digits than Python reads
                raise wrong(f"this is not JSON that can be read ({error})", at) from None
            else:
                # A number may go on: "1" with "e+5".
                behind = 3 if isinstance(value, int | float) else 0
                if end + behind <= len(text) or ended:
                    break
            size = max(CHUNK, len(text) - at)
            more()
        size = CHUNK
        on_lines = (first or on_lines) and not array and "\n" not in text[at:end]
        at = end
        first = False
        yield value
    at += 1
    skip()
    if at < len(text):
        raise wrong(f"expected nothing after the list, got {show(text[at : at + 20])}", at)


#: The number of files of a folder to look at.
LOOKED_AT = 12

_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)([^>]*)")


def delimiter_of(text: str) -> str:
    """Return the delimiter of a table, from its first line."""
    return max(",\t;|", key=text.split("\n", 1)[0].count)


class Look:
    """The beginning of a file.

    Attributes are computed when they are first used. They raise no errors: if something is not
    there, they are empty.
    """

    def __init__(self, member: Member) -> None:
        self.member = member

    @cached_property
    def text(self) -> str:
        """The first 64 kB as text, without leading blanks."""
        head = b""
        with contextlib.suppress(ReadError):
            head = self.member.head()
        return head.decode(encoding_of(head), "replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def record(self) -> dict[str, Any]:
        """The first object of a JSON file or of a list in it."""
        first = None
        with contextlib.suppress(ReadError):
            first = next(json_values(self.member), None) if self.text[:1] in ("{", "[") else None
        return first if isinstance(first, dict) else {}

    @property
    def keys(self) -> set[str]:
        """The keys of `record`."""
        return set(self.record)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The first row of a CSV or TSV."""
        line = self.text.split("\n", 1)[0].rstrip("\r")
        if line and self.text[:1] not in ("{", "[", "<"):
            # A quoted name may hold a line break.
            rows = csv.reader(self.text.splitlines(keepends=True), delimiter=delimiter_of(line))
            with contextlib.suppress(csv.Error):
                return tuple(next(rows, []))
        return ()

    @cached_property
    def root(self) -> str:
        """The name of the root element of an XML file, without its prefix."""
        match = _ROOT.search(self.text) if self.text[:1] == "<" else None
        return match[1] if match else ""

    def has(self, *columns: str) -> bool:
        """Whether it is a table with these columns."""
        return set(columns) <= set(self.columns)


@lru_cache(maxsize=4 * LOOKED_AT)
def look_at(member: Member) -> Look:
    """Look at a file; the result is kept for all tools."""
    return Look(member)


def every(bundle: Bundle, test: Callable[[Look], bool]) -> bool:
    """Whether there are files, and all of them (or the first ones of many) pass a test."""
    looked = bundle.members[:LOOKED_AT]
    return bool(looked) and all(map(test, map(look_at, looked)))


#: The largest number of characters of a cell.
LONGEST_CELL = 1 << 27


def csv_rows(
    member: Member, needed: tuple[str, ...] = (), encoding: str | None = None
) -> Iterator[dict[str, str]]:
    """Yield each row as a mapping of column names to cells.

    The delimiter is that of the first line. Raises ReadError if a required column is missing, if a
    column name occurs twice, or if a row has the wrong number of cells.
    """
    delimiter = delimiter_of(look_at(member).text)
    with member.text(encoding) as stream:
        csv.field_size_limit(LONGEST_CELL)
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


class Varying:
    """The columns whose cells differ within an item: what coders wrote, and not data.

    `gaps`: whether a judgment without a column differs from one with it.
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

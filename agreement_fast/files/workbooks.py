"""Inspect the parts of a workbook before it is read: their sizes, odd cells, what is hidden.

The library that reads workbooks holds them in memory, and a file of a kilobyte can require hundreds
of gigabytes: by its compressed content, or by one cell at the far end of a sheet. The library also
returns the same for an empty cell, an error (#N/A) and a formula whose value was never computed.

References
----------
Zip: APPNOTE 6.3. Workbooks: ECMA-376 parts 1 and 2 (.xlsx), OASIS OpenDocument 1.3 part 3 (.ods),
Microsoft's Open Specifications [MS-CFB] (the file of an .xls) and [MS-XLS] (its records).
"""

from __future__ import annotations

import os
import posixpath
import re
import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from agreement_fast.files.errors import ReadError

if TYPE_CHECKING:  # these take long, and a table of text needs none of them
    import zipfile

#: A workbook may unpack to this number of bytes, or to `MOST_RATIO` times its size if that is more.
MOST_BYTES = 1 << 28
MOST_RATIO = 200

#: Largest number of cells from the first to the last, empty ones included; each takes 40 bytes.
MOST_CELLS = 20_000_000

#: Largest number of rows in a sheet.
_ROWS = 1 << 20

#: Longest cell in bytes; a cell has at most 32,767 characters.
_LONGEST = 1 << 22

_AT_ONCE = 1 << 20


@dataclass
class OddCells:
    """Cells of a sheet that hold no value but are not empty, and what is hidden of it."""

    #: Counted from 0. Formulas that were never computed are known for .xlsx only.
    errors: list[tuple[int, int]] = field(default_factory=list)
    uncomputed: list[tuple[int, int]] = field(default_factory=list)
    #: The number of errors whose place is unknown.
    unplaced: int = 0
    #: Those that are hidden, counted from 0.
    rows: list[range] = field(default_factory=list)
    columns: list[range] = field(default_factory=list)


def too_far(shown: str, rows: int, columns: int) -> ReadError:
    """Return the error for a sheet with too many cells, most of them probably empty."""
    return ReadError(
        f"{shown} has a sheet of {rows:,} rows and {columns:,} columns: delete cells far from the"
        " table, or save the table as CSV"
    )


def members(path: str) -> list[zipfile.ZipInfo] | None:
    """Return the members of a zip archive; None if it is damaged."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None


def names_in(path: str) -> list[str]:
    """Return the names of the files in a zip archive; none if it is damaged."""
    return [info.filename for info in members(path) or ()]


# -- unpacking


def _infos(path: str, shown: str) -> list[zipfile.ZipInfo]:
    """Return the members, after checking that names are unique and the total size is allowed."""
    if (infos := members(path)) is None:
        raise ReadError(f"{shown} is a damaged workbook: its zip archive is incomplete")
    if len({info.filename for info in infos}) < len(infos):
        raise ReadError(f"{shown} is a damaged workbook: it contains a part twice")
    expanded = sum(info.file_size for info in infos)
    if expanded > max(MOST_BYTES, MOST_RATIO * os.path.getsize(path)):
        raise ReadError(
            f"{shown} would take {expanded / 1e9:,.1f} GB once it is unpacked: save its table as"
            " CSV"
        )
    return infos


def _unpack(path: str, info: zipfile.ZipInfo, shown: str) -> Iterator[bytes]:
    """Yield all content of a member piece by piece, regardless of its declared size."""
    import zipfile

    damaged = ReadError(f"{shown} is a damaged workbook: {info.filename!a} cannot be unpacked")
    longer, size = copy(info), 0
    longer.file_size += 1  # what is longer than declared is not cut off
    try:
        with zipfile.ZipFile(path) as archive, archive.open(longer) as part:
            while some := part.read(_AT_ONCE):
                size += len(some)
                yield some
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
        raise damaged from None
    if size > info.file_size:
        raise damaged


def _whole(path: str, info: zipfile.ZipInfo, shown: str) -> bytes:
    """Return a small member as a whole."""
    if info.file_size > MOST_BYTES // 16:
        raise ReadError(f"{shown} is a damaged workbook: {info.filename!a} is too large")
    return b"".join(_unpack(path, info, shown))


def _scan(pieces: Iterator[bytes], end: bytes, look: Callable[[bytes], None], shown: str) -> None:
    """Pass on a content piece by piece; each piece ends at the end of an element."""
    kept = b""
    for piece in pieces:
        kept += piece
        cut = kept.rfind(end) + len(end)
        if cut < len(end):
            if len(kept) <= _LONGEST:
                continue
            # There may be much other content after the cells.
            cut = kept.rfind(b">") + 1
            if not cut:
                raise ReadError(f"{shown} is a damaged workbook: a cell has more than 4 MB")
        look(kept[:cut])
        kept = kept[cut:]
    look(kept)


# -- Excel

_COLUMN = re.compile(rb"""\sr=["']([A-Za-z]{1,3})\d""")
_ROW = re.compile(rb"""\sr=["'][A-Za-z]{0,3}(\d+)["']""")
_PLACE = re.compile(rb"""\sr=["']([A-Za-z]{1,3})(\d{1,7})["']""")
_ERROR = re.compile(rb"""<(?:\w+:)?c(\s[^<>]*\bt=["']e["'][^<>]*)>""")
_FORMULA = re.compile(
    rb"""<(?:\w+:)?c(\s[^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<]*</(?:\w+:)?f>)\s*"""
    rb"""(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"""
)
#: People also hide a row by its height, and a column by its width.
_HIDDEN = re.compile(
    rb"""<(?:\w+:)?(row|col)(\s[^<>]*\b(?:hidden=["'](?:1|true)|(?:ht|width)=["']0(?:\.0+)?)["']"""
    rb"""[^<>]*)>"""
)
_NUMBERS = re.compile(rb"""\b(r|min|max)=["'](\d{1,7})["']""")
_TEXT = re.compile(rb"""\bt=["']str["']""")
_SHEET = re.compile(rb"<(?:\w+:)?worksheet\b")


class _ExcelSheet:
    """What is known of a sheet while it is unpacked."""

    def __init__(self) -> None:
        self.odd = OddCells()
        self.columns: set[bytes] = set()
        self.last_row = 0

    def look(self, some: bytes) -> None:
        self.columns.update(_COLUMN.findall(some))
        # Reading the numbers of all rows is slow, and few columns have room for all of them.
        if self.width * _ROWS > MOST_CELLS:
            self.last_row = max([self.last_row, *map(int, _ROW.findall(some))])
        # Most sheets have neither, and the patterns below are slower to search for.
        if b'"e"' in some or b"'e'" in some:
            self.odd.errors += _places(_ERROR.findall(some))
        if b"hidden" in some or b'ht="0' in some or b'th="0' in some:
            for element, attributes in _HIDDEN.findall(some):
                known = {key: int(number) for key, number in _NUMBERS.findall(attributes)}
                if element == b"row" and b"r" in known:
                    self.odd.rows.append(range(known[b"r"] - 1, known[b"r"]))
                elif element == b"col" and len(known) > 1:
                    self.odd.columns.append(range(known[b"min"] - 1, known[b"max"]))
        if b"<f" in some or b":f" in some:
            self.odd.uncomputed += _places(
                attributes for attributes in _FORMULA.findall(some) if not _TEXT.search(attributes)
            )

    @property
    def width(self) -> int:
        return 1 + max((_column_number(name) for name in self.columns), default=-1)


def _column_number(name: bytes) -> int:
    """Return the number of a column from 0: A, B, ..., Z, AA."""
    number = 0
    for letter in name.upper():
        number = 26 * number + letter - 64
    return number - 1


def _places(attributes: Iterator[bytes] | list[bytes]) -> list[tuple[int, int]]:
    """Return the places of cells that state them."""
    matches = (_PLACE.search(b" " + attribute) for attribute in attributes)
    return [(int(match[2]) - 1, _column_number(match[1])) for match in matches if match is not None]


def look_into_excel(path: str, shown: str) -> dict[str, OddCells]:
    """Inspect all parts of an .xlsx file.

    `path`, `shown`: the file, and its name in errors. Returns the odd cells by the name of the
    sheet. Raises ReadError if it is damaged or needs too much memory.
    """
    sheets: dict[str, _ExcelSheet] = {}
    texts: dict[str, bytes] = {}
    for info in _infos(path, shown):
        if info.filename in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
            texts[info.filename] = _whole(path, info, shown)
            continue
        pieces = _unpack(path, info, shown)
        first = next(pieces, b"")
        if _SHEET.search(first) is None:
            deque(pieces, 0)
            continue
        sheet = sheets[info.filename] = _ExcelSheet()
        _scan(chain([first], pieces), b"c>", sheet.look, shown)
        if sheet.width * sheet.last_row > MOST_CELLS:
            raise too_far(shown, sheet.last_row, sheet.width)
    return {name: sheets[part].odd for name, part in _parts(texts, shown).items() if part in sheets}


def _parts(texts: dict[str, bytes], shown: str) -> dict[str, str]:
    """Return the part of the archive that holds each sheet."""
    from xml.etree import ElementTree

    damaged = ReadError(f"{shown} is a damaged workbook: it does not say where its sheets are")
    if any(b"<!DOCTYPE" in text for text in texts.values()):
        raise damaged
    try:
        book = ElementTree.fromstring(texts["xl/workbook.xml"])
        relations = ElementTree.fromstring(texts["xl/_rels/workbook.xml.rels"])
    except (KeyError, ElementTree.ParseError, ValueError):
        raise damaged from None
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    return {
        entry.get("name", ""): posixpath.normpath(
            posixpath.join("/xl", targets.get(relation, ""))
        ).lstrip("/")
        for entry in book.iter()
        if entry.tag.endswith("}sheet")
        # The id of its part, in either of two namespaces.
        for relation in [next((v for k, v in entry.attrib.items() if k.endswith("}id")), None)]
    }


# -- OpenDocument

_PART = re.compile(rb"""<table:table(|-row|-column)(?:\s([^<>]*))?>|:value-type="error\"""")
_REPEATED = re.compile(rb"""number-(?:row|column)s-repeated="(\d{1,7})\"""")
_COLLAPSED = re.compile(rb"""visibility="(?:collapse|filter)\"""")


def look_into_opendocument(path: str, shown: str) -> list[OddCells]:
    """Inspect all parts of an .ods file, and return the odd cells of each sheet.

    A damaged file, or one that needs too much memory, raises a ReadError.
    """
    odd: list[OddCells] = []
    place = {b"-row": 0, b"-column": 0}

    def look(some: bytes) -> None:
        for match in _PART.finditer(some):
            part, attributes = match[1], match[2] or b""
            if part == b"":
                odd.append(OddCells())
                place.update({b"-row": 0, b"-column": 0})
            elif not odd:
                continue
            elif part is None:
                odd[-1].unplaced += 1
            else:
                repeated = _REPEATED.search(attributes)
                start = place[part]
                place[part] += int(repeated[1]) if repeated else 1
                if _COLLAPSED.search(attributes):
                    hidden = odd[-1].rows if part == b"-row" else odd[-1].columns
                    hidden.append(range(start, place[part]))

    for info in _infos(path, shown):
        pieces = _unpack(path, info, shown)
        if info.filename == "content.xml":
            _scan(pieces, b">", look, shown)
        deque(pieces, 0)
    return odd


# -- Excel 97

_SECTOR = 512
_FREE = 0xFFFFFFFA

#: Types of records.
_END, _BOUND, _COMPUTED, _TRUTH = 0x000A, 0x0085, 0x0006, 0x0205
_LINE, _COLUMNS = 0x0208, 0x007D


def ole_streams(path: str) -> dict[str, bytes]:
    """Return the larger streams of an OLE2 file by name; small ones, stored elsewhere, are empty.

    Damaged streams are left out.
    """
    with suppress(struct.error):
        return _streams(Path(path).read_bytes())
    return {}


def _streams(data: bytes) -> dict[str, bytes]:
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    if size not in (_SECTOR, 8 * _SECTOR):
        return {}
    (directory,) = struct.unpack_from("<I", data, 48)
    (least,) = struct.unpack_from("<I", data, 56)
    per_sector = size // 4

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    # The sectors of the allocation table are themselves listed in a chain.
    listed = [n for n in struct.unpack_from("<109I", data, 76) if n < _FREE]
    (more,) = struct.unpack_from("<I", data, 68)
    for _ in range(len(data) // size):
        if more >= _FREE or len(sector(more)) < size:
            break
        *numbers, more = struct.unpack(f"<{per_sector}I", sector(more))
        listed += [n for n in numbers if n < _FREE]
    follows: list[int] = []
    for number in listed[: len(data) // size]:
        follows += struct.unpack(f"<{per_sector}I", sector(number).ljust(size, b"\xff"))

    def linked(first: int) -> bytes:
        parts: list[bytes] = []
        while first < len(follows) and len(parts) <= len(data) // size:
            parts.append(sector(first))
            first = follows[first]
        return b"".join(parts)

    entries = linked(directory)
    streams = {}
    for at in range(0, len(entries) - 127, 128):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        name = entries[at : at + max(min(length, 64) - 2, 0)].decode("utf-16-le", "replace")
        start, n_bytes = struct.unpack_from("<II", entries, at + 116)
        if kind == 2:
            streams[name] = linked(start)[:n_bytes] if n_bytes >= least else b""
    return streams


def _records(book: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records from an offset to the end of a sheet."""
    while at + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, at)
        yield kind, book[at + 4 : at + 4 + length]
        if kind == _END:
            return
        at += 4 + length


def look_into_ole(book: bytes) -> list[OddCells]:
    """Find the cells that hold errors, and the rows and columns that are hidden.

    `book`: the stream named Workbook or Book. Returns them for each sheet of any kind, in order.
    """
    starts = [
        struct.unpack_from("<I", body)[0]
        for kind, body in _records(book, 0)
        if kind == _BOUND and len(body) >= 4
    ]
    sheets = []
    for at in starts:
        sheets.append(odd := OddCells())
        for kind, body in _records(book, at):
            if place := _error(kind, body):
                odd.errors.append(place)
            elif kind == _LINE and len(body) >= 13 and body[12] & 0x20:
                (row,) = struct.unpack_from("<H", body)
                odd.rows.append(range(row, row + 1))
            elif kind == _COLUMNS and len(body) >= 9 and body[8] & 1:
                first, last = struct.unpack_from("<HH", body)
                odd.columns.append(range(first, last + 1))
    return sheets


def _error(kind: int, body: bytes) -> tuple[int, int] | None:
    """Return the place of the cell if the record holds an error."""
    if kind == _TRUTH and len(body) >= 8:
        is_error = body[7] == 1
    elif kind == _COMPUTED and len(body) >= 14:
        is_error = body[6] == 2 and body[12:14] == b"\xff\xff"
    else:
        return None
    row, column = struct.unpack_from("<HH", body)
    return (row, column) if is_error else None

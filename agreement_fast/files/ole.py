"""The contents of an OLE2 file, as Excel 97 writes it: error cells, and what is hidden.

References
----------
Microsoft's Open Specifications: [MS-CFB] for the file, [MS-XLS] for the records of a workbook.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from agreement_fast.files.workbooks import OddCells

#: The first bytes of every OLE2 file.
START = bytes.fromhex("D0CF11E0A1B11AE1")

_SECTOR = 512
_FREE = 0xFFFFFFFA

#: Types of records.
_BEGIN, _END, _SHEET, _FORMULA, _TRUTH = 0x0809, 0x000A, 0x0085, 0x0006, 0x0205
_ROW, _COLUMNS = 0x0208, 0x007D


def streams(path: str) -> dict[str, bytes]:
    """Return the larger streams of an OLE2 file by name; small ones, stored elsewhere, are empty.

    Damaged streams are left out.
    """
    data = Path(path).read_bytes()
    try:
        return _streams(data)
    except struct.error:
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

    def chain(first: int) -> bytes:
        parts: list[bytes] = []
        while first < len(follows) and len(parts) <= len(data) // size:
            parts.append(sector(first))
            first = follows[first]
        return b"".join(parts)

    entries = chain(directory)
    streams = {}
    for at in range(0, len(entries) - 127, 128):
        length, kind = struct.unpack_from("<HB", entries, at + 64)
        name = entries[at : at + max(min(length, 64) - 2, 0)].decode("utf-16-le", "replace")
        start, n_bytes = struct.unpack_from("<II", entries, at + 116)
        if kind == 2:
            streams[name] = chain(start)[:n_bytes] if n_bytes >= least else b""
    return streams


def _records(book: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records from an offset to the end of a sheet."""
    while at + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, at)
        yield kind, book[at + 4 : at + 4 + length]
        if kind == _END:
            return
        at += 4 + length


def look_into_sheets(book: bytes) -> list[OddCells]:
    """Find the cells that hold errors, and the rows and columns that are hidden.

    `book`: the stream named Workbook or Book. Returns them for each sheet of any kind, in order.
    """
    starts = [
        struct.unpack_from("<I", body)[0]
        for kind, body in _records(book, 0)
        if kind == _SHEET and len(body) >= 4
    ]
    sheets = []
    for at in starts:
        sheets.append(odd := OddCells())
        for kind, body in _records(book, at):
            if place := _error(kind, body):
                odd.errors.append(place)
            elif kind == _ROW and len(body) >= 13 and body[12] & 0x20:
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
    elif kind == _FORMULA and len(body) >= 14:
        is_error = body[6] == 2 and body[12:14] == b"\xff\xff"
    else:
        return None
    row, column = struct.unpack_from("<HH", body)
    return (row, column) if is_error else None

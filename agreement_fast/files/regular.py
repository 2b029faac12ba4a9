"""A copy of an irregular CSV that DuckDB can read: one kind of line end, a header of one line.

Python's csv module reads what programs write: rows that end in LF, CR or CRLF, also mixed, and
line breaks inside quotation marks, also in the header.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from agreement_fast.files.errors import ReadError, full_disk, not_utf8
from agreement_fast.files.file import File
from agreement_fast.files.packing import PLAIN

__all__ = ["LINE", "check_end", "has_several_line_ends", "long_cells", "write_regular"]

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


def write_regular(file: File) -> list[str] | None:
    """Rewrite a CSV in regular form, from its header on, and point `file` to the copy.

    Parameters
    ----------
    file : File
        Its `skip` rows above the header are left out; its `spare` is the path of the copy.

    Returns
    -------
    list of str or None
        The cells of the first row; None if the file already is such a copy.

    Raises
    ------
    ReadError
        If it is not a CSV; the error names the line.
    """
    if file.path == file.spare:
        return None
    with (
        long_cells(),
        full_disk(),
        file.packing.open(file.path, file.shown) as unpacked,
        io.TextIOWrapper(unpacked, encoding="utf-8-sig", newline="") as text,
        open(file.spare, "w", encoding="utf-8", newline="") as copy,
    ):
        rows = csv.reader(text, delimiter=file.delimiter or ",", strict=True)
        before = 0
        try:
            for _ in islice(rows, file.skip):
                pass
            first = next(rows)
            writer = csv.writer(
                copy, delimiter=file.delimiter or ",", lineterminator="\n", quoting=csv.QUOTE_ALL
            )
            # Names may hold line breaks; they are stored in `first`, so numbers replace them.
            writer.writerow([str(i) for i in range(len(first))] if file.header else first)
            before = rows.line_num
            for row in rows:
                if len(row) != len(first) and row:
                    raise ReadError(
                        f"{file.shown}, line {before + 1:,}: {len(row):,} columns, but the first"
                        f" line has {len(first):,}"
                    )
                if sum(map(len, row)) > LINE:
                    raise ReadError(
                        f"{file.shown}, line {before + 1:,}: a line of a CSV may have"
                        f" {LINE:,} bytes, and this one has more"
                    )
                if row:
                    writer.writerow(row)
                before = rows.line_num
        except csv.Error as error:
            reason = "a quotation mark is not closed, or text follows a closing one"
            if "field limit" in str(error):
                reason = f"a cell is longer than {LINE:,} characters"
            raise ReadError(f"{file.shown}, line {before + 1:,}: {reason}") from None
        except UnicodeDecodeError:
            raise not_utf8(file.shown) from None
    file.path, file.packing, file.skip = file.spare, PLAIN, 0
    return first

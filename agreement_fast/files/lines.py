"""The first lines of a text, which hold the header of a CSV."""

from __future__ import annotations

import io
import re

from agreement_fast.files.errors import ReadError, not_utf8
from agreement_fast.files.file import File
from agreement_fast.files.regular import LINE

__all__ = ["first_lines"]

#: The mark at the start of a text in UTF-8, which belongs to no name.
MARK = "\ufeff"

#: Stands for a byte that is not UTF-8.
_NO_TEXT = re.compile("[\udc80-\udcff]")


def first_lines(file: File, most: int) -> list[str]:
    """Return the first lines of a file without their ends, which may be LF, CR or CRLF.

    A mark at the start of the file is left out.

    Raises
    ------
    ReadError
        If a line is too long or not UTF-8.
    """
    lines: list[str] = []
    with (
        file.packing.open(file.path, file.shown) as opened,
        io.TextIOWrapper(opened, encoding="utf-8", errors="surrogateescape") as text,
    ):
        while len(lines) < most and (line := text.readline(LINE + 1)):
            if len(line) > LINE:
                raise ReadError(
                    f"{file.shown}, line {len(lines) + 1:,}: a line of a CSV may have {LINE:,}"
                    " bytes, and this one has more"
                )
            if _NO_TEXT.search(line):
                raise not_utf8(file.shown)
            lines.append((line if lines else line.lstrip(MARK)).removesuffix("\n"))
    return lines

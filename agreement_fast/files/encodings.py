"""Texts that are not UTF-8: they are copied as UTF-8, the only encoding that DuckDB reads here."""

from __future__ import annotations

import codecs

from agreement_fast.files.errors import ReadError, full_disk
from agreement_fast.files.packing import Packing

__all__ = ["ENCODINGS", "copy_as_utf8", "encoding_of", "has_odd_mark", "head_as_utf8"]

#: The values of ``--encoding``. On Windows, Excel saves CSV in cp1252.
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_AT_ONCE = 1 << 20


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a text declare, else UTF-8."""
    return "utf-16" if head.startswith(_MARKS) else "utf-8"


def _codec(encoding: str, head: bytes) -> str:
    """Return Python's codec; without a mark, Python would read UTF-16 in the machine's order."""
    return "utf-16-le" if encoding == "utf-16" and not head.startswith(_MARKS) else encoding


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

    Parameters
    ----------
    path, copy : str
    packing : Packing
        The compression of the text.
    encoding : str
        One of `ENCODINGS`.
    shown : str
        The name of the text in errors.

    Raises
    ------
    ReadError
        If the text holds bytes that are no character in this encoding.
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
            others = ", ".join(one for one in ENCODINGS if one != encoding)
            raise ReadError(
                f"{shown} is not {encoding}: pass another --encoding ({others})"
            ) from None

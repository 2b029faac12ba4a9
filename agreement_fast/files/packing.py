"""How files are compressed: recognised by their first bytes, and unpacked."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from agreement_fast.files.errors import ReadError

__all__ = ["PLAIN", "Packing", "packing_of"]


@dataclass(frozen=True)
class Packing:
    """One way in which files are compressed.

    Attributes
    ----------
    name : str
        As DuckDB and users call it.
    start : bytes
        With which each such file begins.
    opener : callable
        Takes a path, gives the content as a binary file.
    """

    name: str
    start: bytes
    opener: Callable[[str], Any]

    @contextmanager
    def open(self, path: str, shown: str) -> Iterator[IO[bytes]]:
        """Open the content of a file; a damaged one raises a ReadError when it is read."""
        try:
            with self.opener(path) as opened:
                yield opened
        except (EOFError, gzip.BadGzipFile, zlib.error, *_zstd_errors()):
            raise ReadError(f"{shown} is a damaged {self.name} file") from None


def _zstd() -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ReadError(
            'reading zstd needs backports.zstd: pip install "agreement-fast[cli]"'
        ) from None
    return zstd


def _zstd_errors() -> list[type[Exception]]:
    try:
        return [_zstd().ZstdError]
    except ReadError:
        return []


# What these open is closed by `Packing.open`.
PLAIN = Packing("none", b"", lambda path: open(path, "rb"))  # noqa: SIM115
PACKINGS = (
    Packing("gzip", b"\x1f\x8b", lambda path: gzip.open(path, "rb")),  # noqa: SIM115
    Packing("zstd", b"\x28\xb5\x2f\xfd", lambda path: _zstd().open(path, "rb")),
    PLAIN,
)


def packing_of(path: str) -> Packing:
    """Look at a file's first bytes. Errors are those of `open`."""
    with open(path, "rb") as file:
        head = file.read(max(len(packing.start) for packing in PACKINGS))
    return next(packing for packing in PACKINGS if head.startswith(packing.start))

"""Compression of files: recognised by the first bytes, and unpacked."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import IO, Any

from agreement_fast.files.errors import ReadError

__all__ = ["PLAIN", "Packing", "packing_of"]


class _DamageError(Exception):
    """Compressed data are damaged or incomplete."""


@dataclass(frozen=True)
class Packing:
    """A way of compressing files.

    Attributes
    ----------
    name : str
        The name for DuckDB and users.
    start : bytes
        The first bytes of each such file.
    unpacked : callable
        Opens the content of a path.
    """

    name: str
    start: bytes
    unpacked: Callable[[str], AbstractContextManager[Any]]

    @contextmanager
    def open(self, path: str, shown: str) -> Iterator[IO[bytes]]:
        """Open the content of a file; a damaged one raises a ReadError when it is read."""
        try:
            with self.unpacked(path) as opened:
                yield opened
        except _DamageError:
            raise ReadError(f"{shown} is a damaged {self.name} file") from None


@contextmanager
def _ungzipped(path: str) -> Iterator[Any]:
    try:
        with gzip.open(path, "rb") as opened:
            yield opened
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise _DamageError from None


@contextmanager
def _unzstd(path: str) -> Iterator[Any]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ReadError(
            'reading zstd needs backports.zstd: pip install "agreement-fast[cli]"'
        ) from None
    try:
        with zstd.open(path, "rb") as opened:
            yield opened
    except (EOFError, zstd.ZstdError):
        raise _DamageError from None


PLAIN = Packing("uncompressed", b"", lambda path: open(path, "rb"))  # noqa: SIM115
PACKINGS = (
    Packing("gzip", b"\x1f\x8b", _ungzipped),
    Packing("zstd", b"\x28\xb5\x2f\xfd", _unzstd),
    PLAIN,
)


def packing_of(path: str) -> Packing:
    """Return the compression of a file, from its first bytes. Errors are those of `open`."""
    with open(path, "rb") as file:
        head = file.read(max(len(packing.start) for packing in PACKINGS))
    return next(packing for packing in PACKINGS if head.startswith(packing.start))

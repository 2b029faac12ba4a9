"""Read the rows of a Parquet file one after the other."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.files.errors import ReadError, full_disk, one_line

__all__ = ["is_parquet", "parquet_footer", "parquet_rows"]

_MAGIC = b"PAR1"
#: The number of bytes of a footer to look at.
_FOOTER = 1 << 22
#: DuckDB must not download anything.
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
#: The largest file in an archive to look at, in bytes; larger ones need --format.
_LOOKED_AT = 1 << 26
#: The number of rows to fetch at a time.
_SOME = 1_000


def is_parquet(member: Member) -> bool:
    """Whether a file begins like Parquet."""
    try:
        return member.head(4) == _MAGIC
    except ReadError:
        return False


def parquet_footer(member: Member) -> bytes:
    """Return the end of a file, with the names of the columns; empty if it is not Parquet."""
    if not is_parquet(member):
        return b""
    try:
        with member.open() as file:
            if file.seekable():
                file.seek(0, 2)
                file.seek(max(0, file.tell() - _FOOTER))
                return file.read(_FOOTER)
            # A stream without seek is read whole, if it is not large.
            end = file.read(_LOOKED_AT + 1)
            return end[-_FOOTER:] if len(end) <= _LOOKED_AT else b""
    except (ReadError, OSError):
        return b""


def parquet_rows(member: Member) -> Iterator[dict[str, Any]]:
    """Yield each row as a mapping of column names to values.

    Raises
    ------
    ReadError
        If the file is damaged, or if DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise ReadError(
            f'{member.shown} is Parquet, which needs DuckDB: pip install "agreement-fast[cli]"'
        ) from None
    # DuckDB reads only files on the disk, so members of archives are copied.
    with full_disk():
        folder = tempfile.TemporaryDirectory(prefix="agreement-fast-", ignore_cleanup_errors=True)
    with folder:
        path = os.path.join(folder.name, "export.parquet")
        with member.open() as file, full_disk(), open(path, "wb") as copy:
            shutil.copyfileobj(file, copy, 1 << 20)
        with duckdb.connect(config=_OFFLINE) as connection:
            with one_line(member.shown):
                rows = connection.execute(
                    "select * from read_parquet($path, binary_as_string=true,"
                    " hive_partitioning=false)",
                    {"path": path},
                )
                names = [column[0] for column in rows.description]
            while True:
                with one_line(member.shown):
                    some = rows.fetchmany(_SOME)
                if not some:
                    return
                for row in some:
                    yield dict(zip(names, row, strict=True))

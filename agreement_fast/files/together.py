"""Alike files are read by one query, because a query each is slow for thousands of small files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from itertools import groupby

from agreement_fast.files.errors import one_line
from agreement_fast.files.file import File

__all__ = ["Together", "put_together", "read_apart"]

#: Largest number of files in a query, which contains their names.
MOST = 1_000

#: DuckDB's expression for the index of a row's file within the query.
PLACE = "CAST(file_index AS BIGINT)"
_PLACE = "file_index"


@dataclass
class Together(File):
    """Files with the same columns, which one query reads one after another."""

    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, files: Sequence[File]) -> Together:
        """Describe all files by the description of the first."""
        first = files[0]
        own = {one.name: getattr(first, one.name) for one in fields(File)}
        return cls(**own, files=tuple(files))

    @property
    def source(self) -> list[str]:
        return [file.path for file in self.files]

    def constant(self, name: str) -> str:
        texts = [file.constant(name) for file in self.files]
        if len(set(texts)) == 1:
            return texts[0]
        return f"([{', '.join(texts)}])[{PLACE} + 1]"


def put_together(files: Sequence[File]) -> list[File]:
    """Group alike files that follow one another, so that rows keep their order."""
    found: list[File] = []
    for _, alike in groupby(files, _kind):
        some = list(alike)
        for start in range(0, len(some), MOST):
            part = some[start : start + MOST]
            found.append(part[0] if len(part) == 1 else Together.of(part))
    return found


def read_apart(
    files: Sequence[File], read: Callable[[File], object], where: str | None = None
) -> None:
    """Read files with a function.

    If reading a group of files fails, each half is read again, so that the error names its file.
    `where` is a condition that errors may blame.
    """
    import duckdb

    waiting = list(reversed(files))
    while waiting:
        file = waiting.pop()
        if not isinstance(file, Together):
            with one_line(file.shown, where):
                read(file)
            continue
        try:
            read(file)
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            half = len(file.files) // 2
            waiting += [*put_together(file.files[half:]), *put_together(file.files[:half])]


def _kind(file: File) -> Hashable:
    """Return the properties that alike files share."""
    if _PLACE in (name.lower() for name in file.columns):
        return id(file)
    return (
        file.format.name,
        file.packing.name,
        file.header,
        file.delimiter,
        file.skip,
        tuple(file.columns),
        tuple(file.types),
    )

"""Files that are alike are read by one query: thousands of small files cost one each otherwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from itertools import groupby

from agreement_fast.files.errors import one_line
from agreement_fast.files.file import File

__all__ = ["Together", "put_together", "read_apart"]

#: Files of one query: their names stand in it.
MOST = 1_000

#: What DuckDB calls the place of a row's file among those of a query, from 0.
PLACE = "CAST(file_index AS BIGINT)"
_PLACE = "file_index"


@dataclass
class Together(File):
    """Files with the same columns, which one query reads one after the other."""

    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, files: Sequence[File]) -> Together:
        """Take what the first file says for what all say."""
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
    """Put files that follow one another and are alike together, so that rows keep their order."""
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

    What goes wrong in files that are together is tried again with each half of them, so that an
    error names the file that it is of. `where` may be what errors are about.
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
    """Give what files that are alike have in common."""
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

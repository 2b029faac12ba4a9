"""Columns that are both in the path of a file and in the file: their values must be the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File
from agreement_fast.files.partitions import partitions_read
from agreement_fast.files.query import Reader
from agreement_fast.files.roles import Columns, Roles
from agreement_fast.files.together import PLACE, Together, put_together, read_apart

#: The index of a file, the value in the file, and the value in its path.
_Found: TypeAlias = tuple[int, str | None, str | None]

__all__ = ["notes_on_paths"]


def notes_on_paths(
    reader: Reader,
    roles: Columns,
    where: str | None,
    files: Sequence[File],
    excluded: Sequence[str] = (),
) -> list[str]:
    """Return notes on columns that come from paths.

    If all other columns of a table are coders, columns of paths must clearly not be coders, unless
    they are `excluded`.

    Raises
    ------
    ReadError
        If a file also has such a column, with other values than its path.
    """
    names = partitions_read(roles.columns(), where, files)
    if isinstance(roles, Roles) and "coders" in roles.guessed:
        own = {name for file in files for name in file.columns} - {*excluded}
        names = partitions_read([*roles.columns(), *own], where, files)
    twice = [file for file in files if any(name in file.columns for name in names)]
    read_apart(put_together(twice), lambda file: _check(reader, names, file))
    from_paths = [name for name in names if any(name not in file.columns for file in files)]
    if not from_paths:
        return []
    some = f"column {show(from_paths[0])} is"
    if len(from_paths) > 1:
        some = f"columns {', '.join(map(show, from_paths))} are"
    folder = show(f"{from_paths[0]}=...")
    return [f"{some} read from the paths of the files, from folders such as {folder}"]


def _check(reader: Reader, names: Sequence[str], file: File) -> None:
    """Refuse a column that holds another number, time or text than the path."""
    place = PLACE if isinstance(file, Together) else "0"
    for name in names:
        if name not in file.columns or name not in file.partitions:
            continue
        cell, said = file.text(name), file.constant(name)
        same = " OR ".join(
            f"coalesce(try_cast({cell} AS {kind}) = try_cast({said} AS {kind}), false)"
            for kind in ("DOUBLE", "TIMESTAMP")
        )
        query = (
            f"SELECT {place}, {cell}, {said} FROM {file.format.scan(file, exact=True)}"
            f" WHERE {cell} IS DISTINCT FROM {said} AND NOT ({same}) LIMIT 1"
        )
        found: list[tuple[int, str | None, str | None]] = []

        def read(
            query: str = query, found: list[tuple[int, str | None, str | None]] = found
        ) -> None:
            found += reader.run(query, file).fetchall()

        while reader.read_anyhow(file, None, read) is None:
            pass
        for at, inside, outside in found:
            one = file.files[at] if isinstance(file, Together) else file
            holds, says = ("nothing" if text is None else show(text) for text in (inside, outside))
            raise ReadError(
                f"column {show(name)} of {one.shown} holds {holds}, and the folder"
                f" {show(name + '=...')} in its path says {says}: rename the column or the folder,"
                " or name the file from inside that folder"
            )

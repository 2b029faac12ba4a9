"""Reading units of continua: one unit per row, with a coder, a start and an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from numpy.typing import NDArray

from agreement_fast.files.columns import AskedColumns, AskedRows, Role, read_columns
from agreement_fast.files.opening import Workplace
from agreement_fast.files.tables import Coded, Source

__all__ = ["AskedUnits", "UnitTable", "read_units"]

ROLES = {
    "coder": Role("key"),
    "start": Role("number"),
    "end": Role("number"),
    "category": Role("label", needed=False),
    "document": Role("key", needed=False),
}


@dataclass(frozen=True)
class AskedUnits(AskedRows):
    """The arguments of the caller: columns by role, rows, and how the files are written."""

    coder: str | None = None
    start: str | None = None
    end: str | None = None
    category: str | None = None
    document: str | Sequence[str] | None = None


@dataclass(frozen=True, eq=False)
class UnitTable:
    """A table of one unit per row.

    Attributes
    ----------
    source : Source
    coders : Coded, codes of shape (rows,)
    starts, ends : int64 or float64 arrays of shape (rows,)
    categories, documents : Coded or None
        None if no column holds them.
    """

    source: Source
    coders: Coded
    starts: NDArray[Any]
    ends: NDArray[Any]
    categories: Coded | None
    documents: Coded | None


def read_units(workplace: Workplace, paths: Sequence[str], asked: AskedUnits) -> UnitTable:
    """Read files of units.

    Parameters
    ----------
    workplace : Workplace
        Where temporary files are put.
    paths : sequence of str
        Files, folders or globs; several files are read as one.
    asked : AskedUnits
        Columns that are not named are guessed from usual names; category and document are
        optional.

    Returns
    -------
    UnitTable
        The units of all files.

    Raises
    ------
    ReadError
        In one line: what is wrong, in which file, and what to do.
    """
    given = {one.name: getattr(asked, one.name) for one in fields(asked)}
    named = {role: given.pop(role) for role in ROLES}
    columns = AskedColumns(
        named={role: name for role, name in named.items() if name is not None}, **given
    )
    table = read_columns(workplace, paths, columns, ROLES, "units")
    return UnitTable(
        table.source,
        table.keys["coder"],
        table.numbers["start"],
        table.numbers["end"],
        table.keys.get("category"),
        table.keys.get("document"),
    )

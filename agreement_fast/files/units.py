"""Reading units of continua: one unit a row, with a coder, a start and an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.coder_from import take_coders
from agreement_fast.files.errors import ReadError, one_line, show
from agreement_fast.files.file import File
from agreement_fast.files.opening import Workplace, expand, open_files
from agreement_fast.files.query import Reader, connect, is_number
from agreement_fast.files.roles import (
    Asked,
    check_everywhere,
    columns_of,
    excluded_columns,
    key_column,
    named_column,
    refuse_faults,
)
from agreement_fast.files.tables import Coded, Source
from agreement_fast.files.values import WHOLE
from agreement_fast.reading.usual_names import usual_columns

__all__ = ["AskedUnits", "UnitTable", "read_units"]

#: Roles of columns, and whether there must be one.
ROLES = {"coder": True, "start": True, "end": True, "category": False, "document": False}


@dataclass(frozen=True)
class AskedUnits:
    """What the caller asked for: columns of roles, and how the files are written."""

    coder: str | None = None
    start: str | None = None
    end: str | None = None
    category: str | None = None
    document: str | Sequence[str] | None = None
    where: str | None = None
    header: bool = True
    delimiter: str | None = None
    encoding: str | None = None
    text: bool = False
    exclude: tuple[str, ...] = ()
    skip_rows: int = 0
    sheet: str | int | None = None
    coder_from: str | None = None
    value_codes: bool = False


@dataclass(frozen=True, eq=False)
class UnitTable:
    """One unit a row.

    Attributes
    ----------
    source : Source
    coders : Coded, codes of shape (rows,)
    starts, ends : int64 or float64 arrays of shape (rows,)
    categories, documents : Coded or None
        None where no column says.
    """

    source: Source
    coders: Coded
    starts: NDArray[Any]
    ends: NDArray[Any]
    categories: Coded | None
    documents: Coded | None


@dataclass(frozen=True)
class _Roles:
    """The columns that were chosen, by role."""

    chosen: dict[str, str]
    guessed: tuple[str, ...]
    notes: tuple[str, ...]

    def labels(self) -> tuple[str, ...]:
        return (self.chosen["category"],) if "category" in self.chosen else ()

    def columns(self) -> list[str]:
        return list(dict.fromkeys(self.chosen.values()))


def read_units(workplace: Workplace, paths: Sequence[str], asked: AskedUnits) -> UnitTable:
    """Read files of units.

    Parameters
    ----------
    workplace : Workplace
        Where temporary files are put.
    paths : sequence of str
        Files or globs, as in `agreement_fast.files.read`.
    asked : AskedUnits
        Columns that are not named are guessed from usual names; a category and a document are
        optional.

    Returns
    -------
    UnitTable

    Raises
    ------
    ReadError
        In one line: what is wrong, in which file, and what to do.
    """
    names, notes = expand(paths)
    files = open_files(names, workplace, asked)
    connection = connect(files, workplace)
    workplace.at_end(connection.close)
    with one_line("reading"):
        reader = Reader(connection, files)
        reader.find_columns(asked.where)
        roles = _choose(asked, files)
        reader.lock(None)
        reader.prepare(roles, asked.where)
        reader.load(roles, asked.where)
        return _table(reader, roles, asked, [*notes, *roles.notes, *reader.remarks(roles)], files)


def _choose(asked: AskedUnits, files: Sequence[File]) -> _Roles:
    """Settle which column is what: as asked, else by usual names."""
    columns = files[0].columns
    chosen = {
        role: named_column(name, columns, files[0], role)
        for role in ROLES
        if role != "document" and (name := getattr(asked, role)) is not None
    }
    if asked.document is not None:
        chosen["document"] = key_column(asked.document, files, "document")
    notes: list[str] = []
    if asked.coder_from is not None:
        if asked.coder is not None:
            raise ReadError("--coder and --coder-from exclude each other")
        chosen["coder"], notes = take_coders(files, asked.coder_from)
    guessed, unknown = [], []
    named = [part for name in chosen.values() for part in files[0].own(name)]
    excluded = excluded_columns(asked.exclude, named, files)
    for role, needed in ROLES.items():
        if role in chosen:
            continue
        taken = {*named, *chosen.values(), *excluded}
        matches = usual_columns(role, [name for name in columns if name not in taken])
        if len(matches) > 1:
            raise ReadError(
                f"column {' or '.join(map(show, matches))} could be the {role}: pass --{role}"
            )
        if matches:
            chosen[role] = matches[0]
            guessed.append(role)
        elif needed:
            unknown.append(role)
    if unknown:
        advice = " ".join(f"--{role}" for role in unknown)
        if unknown == ["coder"] and len(files) > 1:
            advice += ", or --coder-from file if each file is of one coder"
        raise ReadError(
            f"cannot tell which column is the {' and the '.join(unknown)}: pass {advice};"
            f" {columns_of(files[0])}"
        )
    used = [part for name in chosen.values() for part in files[0].own(name)]
    if len(set(used)) < len(used):
        raise ReadError("coder, start, end, category and document must be different columns")
    check_everywhere(list(chosen.values()), files)
    refuse_faults(list(chosen.values()), files)
    return _Roles(chosen, tuple(guessed), tuple(notes))


def _table(
    reader: Reader, roles: _Roles, asked: AskedUnits, notes: list[str], files: Sequence[File]
) -> UnitTable:
    column = {role: f"k{roles.columns().index(name)}" for role, name in roles.chosen.items()}

    def keys(role: str) -> Coded:
        return reader.keys(column[role], roles.chosen[role])

    categories = None
    if "category" in column:
        categories = reader.value_labels(keys("category"), Asked(text=asked.text), notes)
    documents = keys("document") if "document" in column else None
    coders = keys("coder")
    return UnitTable(
        source=Source(
            files=tuple(file.name for file in files),
            formats=tuple(file.format.name for file in files),
            layout="units",
            item=None,
            coder=None,
            label=None,
            coders=(),
            weights=None,
            by=None,
            guessed=roles.guessed,
            rows=len(coders.codes),
            rows_in_files=reader.rows_in_files,
            where=asked.where,
            notes=tuple(notes),
            units=tuple((role, roles.chosen[role]) for role in ROLES if role in roles.chosen),
        ),
        coders=coders,
        starts=_numbers(reader, column["start"], roles.chosen["start"]),
        ends=_numbers(reader, column["end"], roles.chosen["end"]),
        categories=categories,
        documents=documents,
    )


def _numbers(reader: Reader, column: str, name: str) -> NDArray[Any]:
    """Give a column of numbers: int64 where all are whole, else float64."""
    bad = f"NOT ({is_number(column)} AND coalesce(isfinite(try_cast({column} AS DOUBLE)), false))"
    whole = f"{is_number(column, WHOLE)} AND try_cast({column} AS BIGINT) IS NOT NULL"
    counts = reader.fetch(
        f"SELECT count(*) FILTER (WHERE {bad}) AS bad,"
        f" count(*) FILTER (WHERE NOT ({whole})) AS broken FROM cells"
    )
    if counts["bad"][0]:
        found = reader.fetch(
            f"SELECT {column} AS cell, n FROM (SELECT {column}, row_number() OVER () AS n"
            f" FROM cells) WHERE {bad} ORDER BY n LIMIT 1"
        )
        cell, row = found["cell"][0], int(found["n"][0])
        shown = show(cell) if isinstance(cell, str) else "an empty cell"
        raise ReadError(
            f"positions are numbers, such as 12 or 0.5; column {show(name)} has {shown}, row"
            f" {row:,} below the header"
        )
    kind = "DOUBLE" if counts["broken"][0] else "BIGINT"
    return np.asarray(reader.fetch(f"SELECT CAST({column} AS {kind}) AS x FROM cells")["x"])

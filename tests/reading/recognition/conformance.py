"""What came of every table at every door, and the cells that are known to be wrong."""

from __future__ import annotations

import functools
import json
import math
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import tables
from doors import BREADTH, DOORS, ENGINES, FAST, Door, Measured, RefusedError, Table, measure, needs

import agreement_fast as af
from agreement_fast.errors import AgreementError
from agreement_fast.files import ReadError

#: Written by `known.py`.
KNOWN = Path(__file__).with_name("known.json")

#: Warnings that doubt a table.
DOUBTS = ("LabelHint", "ShapeHint")


class Cell(NamedTuple):
    """What came of a table at a door.

    Attributes
    ----------
    outcome : str
        "read" or "refused".
    wrong : str
        Why it is wrong; empty if it is right.
    detail : str
        What the door answered.
    """

    outcome: str
    wrong: str
    detail: str


def tier_of(door: Door, table: Table) -> str:
    """Return the tier of a cell.

    In the first, one table of each kind goes through all doors; the others through those that
    differ most, and through each of their likes in turn. The command reads none of these.
    """
    if door.tier != FAST or table.name in tables.FIRST or door.name in UNLIKE:
        return door.tier
    turn = NUMBER[table.name] + DOORS.index(door)
    return BREADTH if door.name.startswith("report ") or turn % 3 else FAST


@functools.cache
def _required(name: str) -> set[str]:
    return needs(BY_NAME[name])


def doors_of(table: Table, *tiers: str) -> list[Door]:
    """Return the doors that carry a table, in some tiers."""
    required = _required(table.name)
    return [
        door for door in DOORS if tier_of(door, table) in tiers and door.carries(table, required)
    ]


@functools.cache
def _exact(name: str) -> tuple[Fraction | None, float]:
    """Return the value of a table by the reference, and the float that the package makes of it."""
    table = BY_NAME[name]
    labels = [
        (i, coder, label)
        for i, item in enumerate(table.outcome.meaning)
        for coder, label in item.items()
    ]
    categories = table.keywords.get("categories")
    data = af.Annotations.from_long(*zip(*labels, strict=True), categories=categories)
    value = float(af.agreement(data, table.coefficient, distance=table.distance))
    return tables.value_of(table), value


def float_of(table: Table) -> float:
    """Return the value of a table to the last bit."""
    return _exact(table.name)[1]


BY_NAME = {table.name: table for table in tables.TABLES}
NUMBER = {name: number for number, name in enumerate(BY_NAME)}
#: Doors that read in a way of their own; the others resemble one of them.
UNLIKE = {"list of lists", "array of objects", "records", "pandas", "read .csv"}
#: The doors that others follow, by whether they carry names.
MODELS = {
    names: next(door for door in DOORS if door.name == model)
    for names, model in ((True, "records"), (False, "list of lists"))
}


def judge(door: Door, table: Table, measured: Measured) -> Cell:
    """Hold what a door answered against what must come of the table."""
    if measured.error is not None:
        return _judge_error(door, table, measured.error)
    outcome, detail = table.outcome, repr(measured.value)
    if outcome.meaning is None:
        return Cell("read", "not refused", detail)
    exact, same = _exact(table.name)
    if not _equal(measured.value, exact, same):
        doubted = any(warning.startswith(DOUBTS) for warning in measured.warnings)
        wrong = "wrong value, warned" if doubted else "wrong value"
        return Cell("read", wrong, f"{detail} for {same!r}")
    warning = " ".join(measured.warnings)
    detail = f"{detail} {warning}"
    for text in outcome.warned:
        if not _names(warning, text):
            return Cell("read", "no warning", f"{detail}, without {text!r}")
    if outcome.quiet:
        for warning in measured.warnings:
            if warning.startswith(DOUBTS):
                return Cell("read", "doubted", warning)
    return Cell("read", "", detail)


def _judge_error(door: Door, table: Table, error: BaseException) -> Cell:
    detail = f"{type(error).__name__}: {error}"
    if not isinstance(error, AgreementError | ReadError | RefusedError):
        return Cell("refused", "raw error", detail)
    names = table.outcome.refused
    if names is None:
        return Cell("refused", "refused", detail)
    if "names" not in door.lacks:
        for name in names:
            if not _names(str(error), name):
                return Cell("refused", "does not name", f"{detail}, without {name!r}")
    return Cell("refused", "", detail)


def _equal(value: float | None, exact: Fraction | None, same: float) -> bool:
    """Whether a value is the exact one, and to the last bit the one of the plain judgments."""
    assert value is not None
    if exact is None:
        return math.isnan(value)
    return math.isclose(value, exact, rel_tol=1e-12, abs_tol=1e-12) and value == same


def _names(text: str, name: str) -> bool:
    """Whether a message holds a text, as it is, escaped or in other quotes."""
    forms = [name, repr(name)[1:-1], ascii(name)[1:-1], name.replace("'", '"')]
    return any(form in text for form in forms)


def cells(table: Table, folder: Path, *tiers: str) -> Iterator[tuple[Door, Cell]]:
    """Open a table at every door that carries it.

    If a table may be read or refused, doors that carry names must do as the records do, the others
    as the list of lists.
    """
    opened = functools.cache(lambda door: judge(door, table, measure(door, table, folder)))
    either = table.outcome.meaning is not None and table.outcome.refused is not None
    for door in doors_of(table, *tiers):
        cell, model = opened(door), MODELS["names" not in door.lacks]
        if either and not cell.wrong and model.carries(table, _required(table.name)):
            expected = opened(model)
            if not expected.wrong and expected.outcome != cell.outcome:
                cell = cell._replace(wrong="differs", detail=f"{model.name}: {expected.detail}")
        yield door, cell


def known() -> dict[str, dict[str, list[str]]]:
    """Return the cells that are known to be wrong: doors by reason, by table."""
    listed: dict[str, dict[str, list[str]]] = json.loads(KNOWN.read_text(encoding="utf-8"))
    return listed


def known_of(table: Table) -> dict[str, str]:
    """Return the known reasons of a table by door."""
    reasons = known().get(table.name, {})
    return {door: reason for reason, doors in reasons.items() for door in doors}


def write_known(starts: tuple[str, ...], tiers: tuple[str, ...], *, verbose: bool) -> None:
    """Open the cells of some tiers, and write those that are wrong.

    What is written of other tiers, and of tables whose names begin otherwise, is kept.
    """
    before = known() if KNOWN.exists() else {}
    listed = {name: before[name] for name in before if name in BY_NAME}
    n_cells = n_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for table in tables.TABLES:
            if not table.name.startswith(starts):
                continue
            listed.pop(table.name, None)
            opened = {door.name for door in doors_of(table, *tiers)}
            others = {door.name for door in doors_of(table, FAST, BREADTH, ENGINES)} - opened
            reasons = {
                reason: [door for door in doors if door in others]
                for reason, doors in before.get(table.name, {}).items()
            }
            for door, cell in cells(table, Path(folder), *tiers):
                n_cells += 1
                if cell.wrong:
                    n_wrong += 1
                    reasons.setdefault(cell.wrong, []).append(door.name)
                    if verbose:
                        print(f"{table.name} | {door.name} | {cell.wrong} | {cell.detail[:300]}")
            reasons = {reason: sorted(doors) for reason, doors in reasons.items() if doors}
            if reasons:
                listed[table.name] = dict(sorted(reasons.items()))
    lines = [f"{json.dumps(name)}: {json.dumps(listed[name])}" for name in sorted(listed)]
    KNOWN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{n_cells:,} cells, {n_wrong:,} of them wrong")

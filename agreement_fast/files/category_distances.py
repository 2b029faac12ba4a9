"""Distances between categories from a file: a square with names on both sides, or rows of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agreement_fast.distances.named import LARGEST
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.small_texts import Line, SmallText, read_small

__all__ = ["read_distances"]

FORMS = (
    "expected a square with the categories' names in the first row and the first column, or rows of"
    " two categories and their distance"
)


class Cell(NamedTuple):
    """A distance as written, and its place."""

    first: str
    second: str
    written: Any
    place: str


def read_distances(path: str) -> dict[str, dict[str, float]]:
    """Read the distance of every two categories.

    Parameters
    ----------
    path : str
        CSV, TSV, or JSON: an object of objects, or a list of [a, b, distance]. The diagonal and
        one half may be left out.

    Returns
    -------
    dict of str to dict of str to float
        Complete and symmetric, with 0 on the diagonal.

    Raises
    ------
    ReadError
        If a cell is missing, not a number, negative, or different from its mirror image.
    """
    file = read_small(path)
    cells = _of_json(file) if file.is_json else _of_lines(file)
    return _checked(file.shown, list(cells))


def _of_lines(file: SmallText) -> Iterator[Cell]:
    lines = file.lines()
    head, *rows = lines
    if rows and len(head.cells) == len(rows) + 1 and _is_square(head, rows):
        yield from _of_square(file, head, rows)
    elif head.cells[0] and all(len(line.cells) == 3 for line in lines):
        yield from _of_rows(file, lines)
    else:
        raise ReadError(f"{file.shown}: {_why_not_square(head, rows)}{FORMS}")


def _is_square(head: Line, rows: Sequence[Line]) -> bool:
    names = {row.cells[0] for row in rows}
    return names == set(head.cells[1:]) and len(names) == len(rows)


def _why_not_square(head: Line, rows: Sequence[Line]) -> str:
    """Explain what keeps something that looks like a square from being one."""
    columns, names = head.cells[1:], [row.cells[0] for row in rows]
    if len(set(columns) & set(names)) < 2:
        return ""
    for name in (*columns, *names):
        if columns.count(name) > 1 or names.count(name) > 1:
            return f"{show(name)} is among the names twice; "
        if name not in names:
            return f"column {show(name)} has no row of that name; "
        if name not in columns:
            return f"row {show(name)} has no column of that name; "
    return ""


def _of_square(file: SmallText, head: Line, rows: Sequence[Line]) -> Iterator[Cell]:
    names = head.cells[1:]
    for row in rows:
        if len(row.cells) > len(head.cells):
            raise ReadError(
                f"{file.shown}, line {row.number}: {len(row.cells)} cells, but the first line has"
                f" {len(head.cells)}"
            )
        for name, written in zip(names, row.cells[1:], strict=False):
            yield Cell(row.cells[0], name, written, f"line {row.number}")


def _of_rows(file: SmallText, lines: Sequence[Line]) -> Iterator[Cell]:
    # The first line holds column names if its third cell is not a number.
    first = 0 if _number(lines[0].cells[2]) is not None else 1
    for number, (a, b, written) in lines[first:]:
        if not a or not b:
            raise ReadError(f"{file.shown}, line {number}: a category has no name")
        yield Cell(a, b, written, f"line {number}")


def _of_json(file: SmallText) -> Iterator[Cell]:
    found = file.json()
    if isinstance(found, Mapping) and all(isinstance(one, Mapping) for one in found.values()):
        for a, others in found.items():
            for b, written in others.items():
                yield Cell(a, b, written, f"[{show(a)}][{show(b)}]")
    elif isinstance(found, list) and all(isinstance(row, list) and len(row) == 3 for row in found):
        for place, (a, b, written) in enumerate(found):
            yield Cell(str(a), str(b), written, f"entry {place + 1}")
    else:
        raise ReadError(
            f'{file.shown}: expected an object of objects, {{"a": {{"b": 0.5}}}}, or a list of'
            ' ["a", "b", 0.5]'
        )


def _number(written: Any) -> float | None:
    if isinstance(written, bool) or written is None:
        return None
    if isinstance(written, str) and written.count(",") == 1 and "." not in written:
        written = written.replace(",", ".")  # a decimal comma, if cells are split at semicolons
    try:
        return float(written)
    except (TypeError, ValueError):
        return None


def _checked(shown: str, cells: Sequence[Cell]) -> dict[str, dict[str, float]]:
    given: dict[tuple[str, str], tuple[float, str]] = {}
    for cell in cells:
        if cell.written in ("", None):
            continue
        value = _number(cell.written)
        where = f"{shown}, {cell.place}: the distance of {show(cell.first)} and {show(cell.second)}"
        if value is None:
            raise ReadError(f"{where} is {show(str(cell.written))}, not a number")
        if not math.isfinite(value) or value < 0:
            raise ReadError(f"{where} is {value:g}, expected 0 or more")
        if value > LARGEST:
            raise ReadError(f"{where} is {value:g}, expected {LARGEST:g} or less")
        if cell.first == cell.second and value:
            hint = " (agreement weights have 1 there: a distance is 1 - weight)" * (value == 1)
            raise ReadError(f"{where} is {value:g}, expected 0{hint}")
        before = given.get((cell.first, cell.second))
        if before is not None and before[0] != value:
            raise ReadError(f"{where} is {value:g}, and {before[0]:g} in {before[1]}")
        given[cell.first, cell.second] = value, cell.place
    names = list(dict.fromkeys(name for cell in cells for name in (cell.first, cell.second)))
    return {a: {b: _both(shown, given, a, b) for b in names} for a in names}


def _both(shown: str, given: Mapping[tuple[str, str], tuple[float, str]], a: str, b: str) -> float:
    """Return the distance of two categories, which the file may give in either order or both."""
    if a == b:
        return 0.0
    there, back = given.get((a, b)), given.get((b, a))
    if there is not None and back is not None and there[0] != back[0]:
        raise ReadError(
            f"{shown}: the distance of {show(a)} and {show(b)} is {there[0]:g} in {there[1]}, and"
            f" {back[0]:g} the other way round in {back[1]}"
        )
    known = there or back
    if known is None:
        raise ReadError(f"{shown}: no distance of {show(a)} and {show(b)}")
    return known[0]

"""Tables in memory as recognition sees them: the first rows of their columns."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agreement_fast._kernels import _looks
from agreement_fast.errors import InputError
from agreement_fast.reading import frames, labels
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.recognition.profile import Column, Table
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    NoItem,
    are_plain,
    problem,
    rows_that_are_none,
    summaries_beside,
    value_of,
)

#: Types of numbers that the kernels take.
NUMBERS = "bhilqBHILQfd"


def look(name: Any, column: Any, rows: int, missing: Container[Any] = ()) -> Column:
    """Return the first rows of a column: an array, a list or a Dictionary."""
    if isinstance(column, Dictionary):
        return Column.of(name, column.codes[:rows], column.labels, missing)
    first = column[:rows]
    raw, result = labels.encode(first, None, None, str)
    return Column.of(name, raw.codes(len(result)).reshape(-1), result, missing)


def table_of_columns(
    columns: Mapping[Any, Any],
    n_rows: int,
    missing: Container[Any] = (),
    row_names: Iterable[Any] = (),
    *,
    complete: bool | None = None,
) -> Table:
    """Return a table of named columns."""
    return Table(
        columns,
        lambda name, rows: look(name, columns[name], rows, missing),
        n_rows,
        row_names=row_names,
        complete=complete,
    )


def columns_of_values(values: Any, width: int) -> dict[int, Any]:
    """Return the columns of labels in row-major order, by their places."""
    if isinstance(values, list):
        return {place: values[place::width] for place in range(width)}
    if isinstance(values, Dictionary):
        return {i: values._replace(codes=codes) for i, codes in enumerate(values.codes.T)}
    return dict(enumerate(values.T))


def refuse_no_items(
    columns: Mapping[Any, Any],
    n_rows: int,
    coders: Sequence[Any],
    item: Any = None,
    missing: Container[Any] = (),
) -> None:
    """Refuse totals and the like in a table of a column a coder, and labels of nameless items."""
    refuse_summaries(columns, n_rows, item)
    names, rows = list(columns), _ends(columns, n_rows)
    _refuse(summaries_beside(names, coders, rows[:FIRST], rows[FIRST:], n_rows)[1])
    if item not in columns:
        return
    places = _without_name(columns[item])
    judged = np.zeros(len(places), bool)
    for coder in coders if len(places) else ():
        cells = cells_of(columns[coder], places)
        judged |= [value_of(cell) is not None and cell not in missing for cell in cells]
    places = [place for place, filled in zip(places, judged.tolist(), strict=True) if filled]
    if places:
        refuse_nameless(len(places), item, f" (the first is row {places[0]:,})")


def refuse_nameless(count: int, item: Any, place: str = "") -> None:
    """Refuse rows with labels whose item has no name."""
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    raise InputError(
        f"{rows} no value in column {item!r}{place}", "name the items, or leave such rows out"
    )


def _without_name(column: Any) -> list[int]:
    """Return the places of the cells of a column that are empty or blank."""
    if isinstance(column, Dictionary):
        blank = [*map(_is_blank, column.labels), True]
        return np.flatnonzero(np.array(blank)[column.codes]).tolist()
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "biu" and not labels.is_masked_array(column):
            return []
        column = labels.unmasked(column).tolist()
    return [place for place, name in enumerate(column) if _is_blank(name)]


def _is_blank(name: Any) -> bool:
    return not name.strip() if isinstance(name, (str, bytes)) else value_of(name) is None


def refuse_summaries(columns: Mapping[Any, Any], n_rows: int, item: Any = None) -> None:
    """Refuse rows at the head or the end of named columns that are no items, such as totals."""
    names, rows = list(columns), _ends(columns, n_rows)
    _refuse_rows(names, rows, n_rows, names.index(item) if item in columns else None)


def _ends(columns: Mapping[Any, Any], n_rows: int) -> list[tuple[Any, ...]]:
    """Return the first and the last rows of columns."""
    places = [*range(min(FIRST, n_rows)), *range(max(FIRST, n_rows - LAST), n_rows)]
    return list(zip(*(cells_of(column, places) for column in columns.values()), strict=True))


def refuse_summaries_of_values(values: Any, shape: tuple[int, int]) -> None:
    """Refuse the same rows of a table without names; only texts can show them."""
    if isinstance(values, Dictionary):
        plain = are_plain(values.labels) or not any(isinstance(x, str) for x in values.labels)
    else:
        plain = not isinstance(values, np.ndarray) or values.dtype.kind not in "OUT"
    if plain:
        return
    # Without names, a text that writes a number is a label like others.
    columns = [
        [repr(x) if isinstance(x, str) and x.strip()[:1].isdigit() else x for x in column]
        for column in zip(*_ends(columns_of_values(values, shape[1]), shape[0]), strict=True)
    ]
    _refuse_rows(None, list(zip(*columns, strict=True)), shape[0], None)


def cells_of(column: Any, places: Sequence[int]) -> list[Any]:
    """Return the cells of a column at some places."""
    if isinstance(column, Dictionary):
        return frames.listed(column._replace(codes=column.codes[places]))
    if isinstance(column, np.ndarray):
        return list(labels.unmasked(column[places]).tolist())
    return [column[place] for place in places]


def _refuse_rows(
    names: list[Any] | None, rows: Sequence[tuple[Any, ...]], n_rows: int, item: int | None
) -> None:
    _refuse(rows_that_are_none(names, rows[:FIRST], rows[FIRST:], n_rows, item))


def _refuse(none: Sequence[NoItem]) -> None:
    if none:
        raise InputError(
            problem(none, lambda row: f"row {row}"),
            "leave it out" if len(none) == 1 else "leave them out",
        )


def raises_doubts(values: Any, shape: tuple[int, int], *, counts: bool) -> bool:
    """Return whether the first rows may not be labels of items × coders; takes microseconds.

    `counts` says whether numbers may be counts.
    """
    if isinstance(values, Dictionary):
        doubts = _looks.at_labels(values.codes, values.labels, shape[0])
    elif isinstance(values, list):  # of sets
        return shape[1] == 3 or (shape[0] >= _looks.FEWEST and shape[1] > 1)
    elif values.dtype.char in NUMBERS:
        doubts = _looks.at_numbers(values, shape[0])
    else:
        try:
            raw, result = labels.encode(values[: _looks.ROWS], None, None, str)
        except TypeError:  # reading the table will refuse it, and name the place
            return False
        head = np.ascontiguousarray(raw.codes(len(result)), np.int32)
        doubts = _looks.at_labels(head, list(result), shape[0])
    return bool(doubts if counts else doubts & ~_looks.SUMS)

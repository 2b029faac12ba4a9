"""Tables of numbers with the names of their rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import check_total
from agreement_fast.reading import frames, labels
from agreement_fast.reading.tables import (
    LARGEST_WEIGHT,
    check_distinct,
    named_columns,
    names_in,
    refuse_masked,
    take_column,
)
from agreement_fast.recognition.margins import numbers_name_rows
from agreement_fast.tables import Matrix

__all__ = ["NamedCells", "as_counts", "named_cells"]


class NamedCells(NamedTuple):
    """A table of numbers, and the names of its rows and columns.

    Attributes
    ----------
    values : array of shape (N, K)
    rows, columns : sequence or None
        The names, if there are any.
    titles : tuple of str or None
        What rows and columns are, if they differ.
    named_by : object
        The column that holds the names of the rows; None if none does.
    """

    values: Array
    rows: Any = None
    columns: list[Any] | None = None
    titles: tuple[str, str] | None = None
    named_by: Any = None

    def without(self, rows: Sequence[int], columns: Sequence[int]) -> NamedCells:
        """Return the table without some rows and columns."""
        return self._replace(
            values=np.delete(np.delete(self.values, rows, 0), columns, 1),
            rows=None if self.rows is None else _others(self.rows, rows),
            columns=None if self.columns is None else _others(self.columns, columns),
        )


def _others(names: Sequence[Any], places: Sequence[int]) -> list[Any]:
    return [name for i, name in enumerate(names) if i not in places]


def named_cells(table: Any, what: str, by: Any = None, n_columns: int | None = None) -> NamedCells:
    """Read a table of numbers.

    Parameters
    ----------
    by : str, optional
        The column that names the rows, if it is known.
    n_columns : int, optional
        The number of columns of numbers, if it is known.
    """
    found = _named(frames.at_hand(table), what, by, n_columns)
    if found.values.ndim != 2:
        raise InputTypeError(f"{what} must have two dimensions, this has {found.values.ndim}")
    if found.values.size and found.values.dtype.kind not in "buif":
        raise InputTypeError(f"{what} must hold whole numbers, not {found.values.dtype}")
    for names, axis in ((found.rows, "row"), (found.columns, "column")):
        if names is not None and not isinstance(names, np.ndarray):
            check_distinct(names, f"the {axis}s of {what}")
    return found


def _named(table: Any, what: str, by: Any, n_columns: int | None) -> NamedCells:
    if isinstance(table, Matrix):
        titles = (table.row_title, table.column_title)
        return NamedCells(
            table.values,
            [labels.as_python(name) for name in table.row_names],
            list(table.column_names),
            titles if titles[0] != titles[1] else None,
        )
    if isinstance(table, Mapping) and all(isinstance(row, Mapping) for row in table.values()):
        names = list(dict.fromkeys(name for row in table.values() for name in row))
        cells = [[row.get(name, 0) for name in names] for row in table.values()]
        return NamedCells(np.array(cells).reshape(-1, len(names)), list(table), names)
    columns = named_columns(table)
    if columns is None:
        refuse_masked(table, what, "a count is a whole number, 0 if nobody used the category")
        return NamedCells(_array(table, what))
    if by is None and columns:
        by = _column_of_names(columns, what, n_columns)
    rows: Any = None
    if by is not None:
        rows = [labels.as_python(name) for name in names_in(take_column(columns, by))]
        if None in rows:
            raise InputError(
                f"column {by!r} has no name for row {rows.index(None)}",
                "it names the rows; fill it in, or leave out the row",
            )
    else:
        index = frames.index(table)
        if index is not None and not (frames.only_counts(index) and index.name is None):
            rows = frames.names_of(index)
    parts = []
    for name, column in columns.items():
        if not isinstance(column, frames.Dictionary):
            column = np.asarray(column)
            column = np.array(column.tolist()) if column.dtype.kind == "O" else column
        if isinstance(column, frames.Dictionary) or column.dtype.kind not in "buif":
            raise InputTypeError(
                f"{what} must hold whole numbers, not text: column {name!r} has "
                f"{next(iter(frames.listed(column)), None)!r}",
                "leave out columns that are no counts; the first column may name the rows",
            )
        parts.append(column)
    values = np.column_stack(parts) if parts else np.zeros((len(table), 0), np.int64)
    return NamedCells(values, rows, [labels.as_python(name) for name in columns], None, by)


def _array(table: Any, what: str) -> Array:
    """Return a table without names as an array."""
    try:
        return labels.native(np.asarray(table))
    except ValueError:
        raise InputError(f"{what} has rows of different lengths", "write 0 for no count") from None


def _column_of_names(columns: Mapping[Any, Any], what: str, n_columns: int | None) -> Any:
    """Return the first column if it names the rows; None if it counts."""
    name, *others = columns
    column = columns[name]
    if isinstance(column, frames.Dictionary):
        return name if all(isinstance(label, str) for label in column.labels) else None
    values = np.asarray(column)
    if values.dtype.kind in "OTU":
        texts = len(column) and all(isinstance(value, str) for value in column)
        return name if texts else None
    named = numbers_name_rows(name, values, others) if values.dtype.kind in "if" else False
    if n_columns in (len(others), len(columns)):
        named = named is not False and n_columns == len(others)
    if named is None:
        raise InputError(
            f"column {name!r} of {what} may name the rows or count, for its numbers differ",
            (
                "pass ",
                Argument("items", name),
                " or ",
                Argument("categories", list(columns)),
            ),
            argument="items",
        )
    return name if named else None


def as_counts(values: Array, what: str) -> Array:
    """Return a copy of counts in the narrowest integers; refuse numbers that are no counts."""

    def refuse(good: Array) -> NoReturn:
        row, column = (int(i) for i in np.argwhere(~good)[0])
        raise InputError(
            f"{what} has {values[row, column]} in row {row}, column {column}",
            "counts must be whole numbers from 0 to 10**15 (labels go to from_wide)",
        )

    counts = values
    if counts.dtype.kind == "f":
        good = (counts >= 0) & (counts <= LARGEST_WEIGHT) & (counts == np.floor(counts))
        if not good.all():
            refuse(good)
        counts = counts.astype(np.int64)
    small, low, high = labels.narrowed(counts)
    if np.may_share_memory(small, values):
        small, low, high = labels.narrowed(small.copy())
    if low < 0 or high > LARGEST_WEIGHT:
        refuse((counts >= 0) & (counts <= LARGEST_WEIGHT))
    if float(high) * small.size >= 2**53:
        check_total(float(small.sum(dtype=np.float64)), "judgments")
    return small

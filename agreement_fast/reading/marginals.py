"""Names and sums in tables of counts, and coders' marginals beside counts that name nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import check_total
from agreement_fast.present.tables import Matrix
from agreement_fast.present.terminal import number_of
from agreement_fast.reading import frames, labels
from agreement_fast.reading.labels import Categories, as_python
from agreement_fast.reading.recognition.margins import numbers_name_rows
from agreement_fast.reading.tables import (
    LARGEST_WEIGHT,
    check_distinct,
    checked_names,
    named_columns,
    names_in,
    refuse_masked,
    take_column,
)


class NamedCells(NamedTuple):
    """A table of numbers, and the names of its rows and columns."""

    #: Array of shape (N, K).
    values: Array
    #: The names, if there are any.
    rows: Any = None
    columns: list[Any] | None = None
    #: What rows and columns are, if they differ.
    titles: tuple[str, str] | None = None
    #: The column that holds the names of the rows; None if none does.
    named_by: Any = None

    def without(self, rows: Sequence[int], columns: Sequence[int]) -> NamedCells:
        """Return the table without some rows and columns."""
        if not (len(rows) or len(columns)):
            return self
        return self._replace(
            values=np.delete(np.delete(self.values, rows, 0), columns, 1),
            rows=None if self.rows is None else _others(self.rows, rows),
            columns=None if self.columns is None else _others(self.columns, columns),
        )


def _others(names: Sequence[Any], places: Sequence[int]) -> list[Any]:
    return [name for i, name in enumerate(names) if i not in places]


def named_cells(table: Any, what: str, by: Any = None, n_columns: int | None = None) -> NamedCells:
    """Read a table of numbers.

    `by`: the column that names the rows, if it is known. `n_columns`: the number of columns of
    numbers, if it is known.
    """
    cells = _named(frames.at_hand(table), what, by, n_columns)
    if cells.values.ndim != 2:
        raise InputTypeError(f"{what} must have two dimensions, this has {cells.values.ndim}")
    if cells.values.size and cells.values.dtype.kind not in "buif":
        raise InputTypeError(f"{what} must hold whole numbers, not {cells.values.dtype}")
    for names, axis in ((cells.rows, "row"), (cells.columns, "column")):
        if names is not None and not isinstance(names, np.ndarray):
            check_distinct(names, f"the {axis}s of {what}")
    return cells


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
            column = _plain(column)
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


def _plain(column: Any) -> Array:
    """Return a column as an array, of numbers if all its objects are."""
    values = np.asarray(column)
    return np.array(values.tolist()) if values.dtype.kind == "O" else values


def _column_of_names(columns: Mapping[Any, Any], what: str, n_columns: int | None) -> Any:
    """Return the first column if it names the rows; None if it counts."""
    name, *others = columns
    column = columns[name]
    if isinstance(column, frames.Dictionary):
        return name if all(isinstance(label, str) for label in column.labels) else None
    values = _plain(column)
    if values.dtype.kind in "UTO":
        texts = len(column) and all(isinstance(value, str) for value in column)
        return name if texts else None
    if values.dtype.kind not in "if":
        return None
    numbers = {
        other: None if isinstance(columns[other], frames.Dictionary) else _plain(columns[other])
        for other in others
    }
    for other, number in numbers.items():
        if number is not None and number.dtype.kind not in "buif":
            numbers[other] = None
    # A contingency table is square.
    n_columns = len(values) if n_columns == -1 else n_columns
    named = numbers_name_rows(name, values, numbers, n_columns)
    if named is None:
        remedy = (
            f"write Annotations.from_counts(table, items={name!r}), or "
            f"Annotations.from_counts(table, categories={list(columns)!r}) if it counts"
        )
        raise InputError(
            f"column {name!r} of {what} may name the rows or count, for its numbers differ",
            remedy,
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


class Counted(NamedTuple):
    """A table of counts and its names, for which coders' marginals are read."""

    #: Int array of shape (N, K).
    table: Array
    #: Int64 array of shape (N,), or None.
    weights: Array | None
    items: Any
    categories: Categories
    #: The names of the columns in the table itself, even if other categories were given.
    columns: list[Any] | None


def read_marginals(
    counted: Counted, coder_counts: Any, single_counts: Any, coders: Sequence[Any] | None
) -> tuple[list[Any], dict[int, Array]]:
    """Return the coders, and their marginals by the least number of judgments of an item.

    The parameters are those of `Annotations.from_counts`.
    """
    every, rows = _table(counted, coder_counts, "coder_counts")
    n_coders = len(every)
    if coders is None:
        coders = range(n_coders) if rows is None else rows
    names = checked_names(coders, n_coders, "coders", "coder")
    sizes = counted.table.sum(1, dtype=np.int64)
    _check_sizes(counted, sizes, n_coders)
    _check_sums(counted, every, np.ones(len(sizes), bool), "coder_counts")
    _check_coders(counted, every, sizes > 0, names, "")
    single = sizes == 1
    if counted.weights is not None:
        single &= counted.weights > 0
    if single_counts is None:
        if single.any():
            raise _singles_unknown(counted, single)
        return names, {1: every, 2: every.copy()}
    alone, _ = _table(counted, single_counts, "single_counts")
    if len(alone) != n_coders:
        raise InputError(
            (
                Argument("single_counts"),
                f" has {len(alone)} rows, ",
                Argument("coder_counts"),
                f" has {n_coders}",
            ),
            "both must have a row for each coder",
        )
    _check_sums(counted, alone, single, "single_counts")
    beyond = alone > every
    if beyond.any():
        coder, k = (int(i) for i in np.argwhere(beyond)[0])
        raise InputError(
            (
                Argument("single_counts"),
                f" has {alone[coder, k]} for coder {names[coder]!r}, category "
                f"{counted.categories[k]!r}, and ",
                Argument("coder_counts"),
                f" has {every[coder, k]}",
            ),
            "single_counts must count those judgments that are the only one of their item",
        )
    _check_coders(counted, every - alone, sizes > 1, names, " of several judgments")
    return names, {1: every, 2: every - alone}


def _table(counted: Counted, given: Any, argument: str) -> tuple[Array, Any]:
    """Return counts of coders × categories in the order of the categories, and coders' names."""
    cells = named_cells(given, argument, n_columns=len(counted.categories))
    table, names = as_counts(cells.values, argument), cells.columns
    n_categories = len(counted.categories)
    if table.shape[1] != n_categories:
        raise InputError(
            (
                Argument(argument),
                f" has {table.shape[1]} columns, but there are {n_categories} categories",
            ),
            "it must have a row for each coder and a column for each category",
        )
    every: Array = table.astype(np.int64)
    if names is None:
        return every, cells.rows
    named = [as_python(name) for name in names]
    for known in (list(counted.categories), counted.columns or []):
        if sorted(map(repr, named)) == sorted(map(repr, known)):
            places = [named.index(name) for name in known]
            return np.ascontiguousarray(every[:, places]), cells.rows
    strange = next((name for name in named if name not in counted.categories), named[0])
    raise InputError(
        (Argument(argument), f" has a column {strange!r}, which is not a category"),
        "pass an array, whose columns have no names, to take them in the order of the categories",
    )


def _check_sizes(counted: Counted, sizes: Array, n_coders: int) -> None:
    """Refuse items with more judgments than there are coders."""
    most = int(sizes.max(initial=0))
    if most > n_coders:
        name = as_python(counted.items[int(sizes.argmax())])
        coders = "1 coder" if n_coders == 1 else f"{n_coders} coders"
        raise InputError(
            (
                f"item {name!r} has {most} judgments, but ",
                Argument("coder_counts"),
                f" has rows for {coders}",
            ),
            "a coder judges an item once; coders must be the rows, categories the columns",
        )


def _sums(counted: Counted, rows: Array) -> Array:
    """Return how often each category was used in some rows, with weights: int64 (K,)."""
    table = counted.table[rows].astype(np.int64)
    if counted.weights is None:
        sums: Array = table.sum(0)
        return sums
    weights = counted.weights[rows]
    check_total(float((weights.astype(np.float64) @ table).sum()), "judgments")
    weighted: Array = weights @ table
    return weighted


def _check_sums(counted: Counted, marginals: Array, rows: Array, argument: str) -> None:
    """Refuse marginals whose sums differ from the counts."""
    sums, requested = marginals.sum(0), _sums(counted, rows)
    if (sums == requested).all():
        return
    k = int(np.argmax(sums != requested))
    which = "" if argument == "coder_counts" else " in items of one judgment"
    weighted = "" if counted.weights is None else ", weights applied"
    raise InputError(
        (
            Argument(argument),
            f" adds up to {sums[k]} for category {counted.categories[k]!r}, which was used "
            f"{'once' if requested[k] == 1 else f'{requested[k]} times'}{which}{weighted}",
        ),
        "count each judgment of these items once",
    )


def _check_coders(
    counted: Counted, marginals: Array, rows: Array, names: Sequence[Any], which: str
) -> None:
    """Refuse coders with more judgments, or uses of a label, than there are items for them."""
    weights = np.ones(len(rows), np.int64) if counted.weights is None else counted.weights
    n_items = int(weights[rows].sum())
    having = np.array([int(weights[rows & (column > 0)].sum()) for column in counted.table.T])
    weighted = "" if counted.weights is None else ", weights applied"
    once = "a coder judges an item once"
    if which:
        once = f"{once}; these are the counts without single_counts"
    for coder, marginal in enumerate(marginals):
        who = f" has {{}} of coder {as_python(names[coder])!r}{{}}, more than "
        if (n := int(marginal.sum())) > n_items:
            raise InputError(
                (
                    Argument("coder_counts"),
                    who.format(number_of(n, "judgment"), which and f" in items{which}"),
                    f"{number_of(n_items, 'such item' if which else 'item')}{weighted}",
                ),
                once,
            )
        beyond = marginal > having
        if beyond.any():
            k = int(np.argmax(beyond))
            raise InputError(
                (
                    Argument("coder_counts"),
                    f" has {marginal[k]} for coder {as_python(names[coder])!r}, category "
                    f"{counted.categories[k]!r}, which "
                    f"{number_of(int(having[k]), 'item')}{which} "
                    f"{'has' if having[k] == 1 else 'have'}{weighted}",
                ),
                once,
            )


def _singles_unknown(counted: Counted, single: Array) -> InputError:
    row = int(np.argmax(single))
    n = int(single.sum() if counted.weights is None else counted.weights[single].sum())
    have = "1 item has" if n == 1 else f"{n} items have"
    return InputError(
        f"{have} one judgment (the first is {as_python(counted.items[row])!r}), but the coder "
        "who gave it is not known",
        (
            "pass ",
            Argument("single_counts"),
            ", how often each coder used each category in such items, or leave these items out",
        ),
        argument="single_counts",
    )

"""Tables of counts: items × categories, coders × categories, and coder × coder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from agreement_fast._kernels import _sums
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import (
    Argument,
    InputError,
    InputTypeError,
    Phrase,
    ReadHint,
    ShapeHint,
    Words,
    hint,
)
from agreement_fast.options import check_count
from agreement_fast.patterns import (
    CountTable,
    as_table,
    check_total,
    count_rows,
    key_histogram,
    narrow,
)
from agreement_fast.present.tables import Matrix
from agreement_fast.present.terminal import number_of, shorten, spell_label
from agreement_fast.reading import frames, labels
from agreement_fast.reading.labels import (
    Categories,
    arrange,
    as_python,
    declared_categories,
)
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.recognition.arithmetic import (
    are_sums,
    is_name_of_sums,
    numbers_name_rows,
    rows_of_sums,
    says_sum,
)
from agreement_fast.reading.recognition.labels import hint_at_labels
from agreement_fast.reading.recognition.order import order_of_names
from agreement_fast.reading.recognition.profile import rows_to_look_at
from agreement_fast.reading.recognition.read import NAMES_OF_ROWS, Recognition
from agreement_fast.reading.tables import (
    LARGEST_WEIGHT,
    check_distinct,
    checked_names,
    column_categories,
    item_weights,
    named_columns,
    names_in,
    refuse_masked,
    take_column,
    take_weights,
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
            labels.in_python(table.row_names),
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
        try:
            values = labels.native(np.asarray(table))
        except ValueError:
            raise InputError(
                f"{what} has rows of different lengths", "write 0 for no count"
            ) from None
        if values.ndim != 2 or values.shape[1] < 2 or values.dtype.kind not in "iuf":
            return NamedCells(values)
        first, *others = values.T
        remedy = (
            "leave it out, as with af.Annotations.from_counts(np.asarray(table)[:, 1:]), or write "
            f"af.Annotations.from_counts(table, categories=range({values.shape[1]})) if it counts"
        )
        if _names_rows(0, first, dict(enumerate(others, 1)), n_columns, what, remedy):
            return NamedCells(values[:, 1:], as_python(first.tolist()), None, None, 0)
        return NamedCells(values)
    if by is None and columns:
        by = _column_of_names(columns, what, n_columns)
    rows: Any = None
    if by is not None:
        rows = labels.in_python(names_in(take_column(columns, by)))
        if None in rows:
            raise InputError(
                f"column {by!r} has no name for row {rows.index(None)}",
                "it names the rows; fill it in, or leave out the row",
            )
    else:
        index = frames.index(table)
        if index is not None:
            unnamed = frames.only_counts(index) and index.name is None
            if not unnamed or (len(index) == len(columns) and {*index} == {*columns}):
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
    return NamedCells(values, rows, labels.in_python(columns), None, by)


def _names_rows(
    name: Any, values: Array, others: Mapping[Any, Array | None], n_columns: int | None,
    what: str, remedy: str,
) -> bool:  # fmt: skip
    """Return whether the numbers of the first column name the rows; refuse those that may count."""
    # A contingency table is square.
    n_columns = len(values) if n_columns == -1 else n_columns
    named = numbers_name_rows(name, values, others, n_columns)
    if named is None:
        raise InputError(
            f"column {name!r} of {what} may name the rows or count, for its numbers differ",
            remedy,
            argument="items",
        )
    return named


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
    remedy = (
        f"write af.Annotations.from_counts(table, items={name!r}), or "
        f"af.Annotations.from_counts(table, categories={list(columns)!r}) if it counts"
    )
    return name if _names_rows(name, values, numbers, n_columns, what, remedy) else None


#: Rows of percentages add to this number.
PERCENT = 100


def as_counts(values: Array, what: str) -> Array:
    """Return a copy of counts in the narrowest integers; refuse numbers that are no counts."""

    def refuse(good: Array) -> NoReturn:
        row, column = (int(i) for i in np.argwhere(~good)[0])
        way = "counts" if what == COUNTS else "contingency"
        raise InputError(
            f"{what} has {values[row, column]} in row {row}, column {column}",
            f"if empty cells are zeros, write af.Annotations.from_{way}(table.fillna(0))"
            if np.isnan(values[row, column])
            else "counts must be whole numbers from 0 to 10**15 (labels go to from_wide, and "
            "shares are multiplied by how often the item was judged)",
        )

    counts = values
    few = counts[: rows_to_look_at(1)]
    if len(few) > 2 and all((rows.sum(axis=1) == PERCENT).all() for rows in (few, counts)):
        cells = np.unique(counts)
        for n in range(1, PERCENT // 2 + 1):
            if (abs(np.rint(cells * n / PERCENT) * PERCENT / n - cells) <= 0.5).all():
                hint(
                    f"each row of {what} adds to {PERCENT}, and its cells may be percentages of "
                    f"{n} judgments: if they are, pass counts, on which standard errors depend",
                    ShapeHint,
                )
                break
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


def _hint_at_column_beside(table: Array, names: Sequence[Any]) -> None:
    """Warn of a column without which the others add to one number in all rows."""
    if table.shape[1] < 3:
        return
    for rows in (table[: rows_to_look_at(table.shape[1])], table):
        rest = rows.sum(axis=1, dtype=np.int64)[:, None] - rows
        beside = np.flatnonzero((rest == rest[:1]).all(axis=0) & (rest[:1] > 1).all(axis=0))
        varies = len(beside) == 1 and len({*rows[:, beside[0]].tolist()}) > 1
        if len(rows) < FEWEST_EVEN or not varies:
            return
    hint(
        f"without column {names[beside[0]]!r} each row of {COUNTS} adds to {rest[0, beside[0]]}: "
        "if it counts no judgments, leave it out",
        ShapeHint,
    )


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
    named = labels.in_python(names)
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


def _sums_of(counted: Counted, rows: Array) -> Array:
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
    sums, requested = marginals.sum(0), _sums_of(counted, rows)
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


#: Largest rounding error of proportions times items, and of the sum of the proportions.
ROUNDING = 1e-6

WHAT = "the contingency table"


def refuse_proportions(shares: Array) -> None:
    """Refuse proportions that are given without the number of items."""
    if not shares.size or (shares == np.floor(shares)).all():
        return
    if shares.min() >= 0 and abs(shares.sum() - 1) < ROUNDING:
        raise InputError(
            f"{WHAT} holds proportions, but the number of items is not given",
            "write af.Annotations.from_contingency(table, n_items=...) with this number",
            argument="table",
        )


def counts_of_proportions(shares: Array, n_items: int) -> Array:
    """Return counts from the proportions of `n_items` items."""
    check_count("n_items", n_items, 1)
    total = float(shares.sum())
    if not abs(total - 1) < ROUNDING:
        raise InputError(
            f"the proportions of {WHAT} add up to {total:g}, expected 1",
            (
                "rounded proportions do not determine the counts: pass counts, without ",
                Argument("n_items"),
            ),
            argument="table",
        )
    counts = shares * n_items
    whole: Array = np.rint(counts)
    wrong = np.argwhere(~(np.abs(counts - whole) < ROUNDING * np.maximum(1, counts)))
    if len(wrong):
        row, column = (int(place) for place in wrong[0])
        raise InputError(
            f"{WHAT} has {shares[row, column]:g} in row {row}, column {column}, which is "
            f"{counts[row, column]:g} of {n_items} items",
            "pass the number of items from which the proportions were computed",
            argument="n_items",
        )
    return whole


#: Fewest rows of counts which show that those of one column are none.
FEWEST_EVEN = 5
COUNTS, CONTINGENCY = "the agreement table", "the contingency table"
SUM = "the sum of the others"

LeftOut: TypeAlias = tuple[tuple[Any, str], ...]


def read_counts(
    counts: Any,
    categories: Any,
    items: Any,
    weights: Any,
    coder_counts: Any = None,
    single_counts: Any = None,
    coders: Sequence[Any] | None = None,
) -> Parts:
    """Read an agreement table; see `Annotations.from_counts`."""
    declared = declared_categories(categories)
    by = items if isinstance(items, str) else None
    of_weights = isinstance(weights, str)
    n_columns = None if declared is None else len(declared) + of_weights
    cells = named_cells(counts, COUNTS, by, n_columns)
    if of_weights:
        places = {name: place for place, name in enumerate(cells.columns or ())}
        place = take_weights(weights, places)
        weights, cells = cells.values[:, place], cells.without([], [place])
    cells = cells._replace(values=as_counts(cells.values, COUNTS))
    guessed = () if by or cells.named_by is None else (_names_of_rows("items", cells),)
    given = None if items is None or by is not None else list(items)
    cells, left_out = _without_totals(cells, declared, given)
    result, in_order = column_categories(categories, cells.columns, cells.values.shape[1], COUNTS)
    if cells.columns is not None and {*cells.columns} == {*result}:
        cells = cells._replace(
            values=cells.values[:, [cells.columns.index(name) for name in result]],
            columns=list(result),
        )
    table = cells.values
    if declared is None and cells.columns is not None:
        hint_at_labels(result, lambda: _sums_of_columns(table).tolist(), _in_words("its column"))
        _hint_at_column_beside(table, result)
    n_rows = len(table)
    names_of_items: Any = range(n_rows) if cells.rows is None else cells.rows
    if given is not None:
        names_of_items = checked_names(given, n_rows, "items", "row")
    frequencies = item_weights(weights, names_of_items)
    patterns = None
    if table.dtype == np.int8:
        grouped = key_histogram(table, frequencies, 0, int(table.max(initial=0)) + 1)
        patterns = None if grouped is None else count_rows(CountTable(*grouped))
    marginals = None
    if coder_counts is not None:
        counted = Counted(table, frequencies, names_of_items, result, cells.columns)
        coders, marginals = read_marginals(counted, coder_counts, single_counts, coders)
    else:
        for name, value in {"coders": coders, "single_counts": single_counts}.items():
            if value is not None:
                raise InputError(
                    (Argument(name), " describes coders, but counts do not say who they are"),
                    ("pass ", Argument("coder_counts"), ", too: how often each used each category"),
                )
    return Parts(
        categories=result,
        declared=in_order,
        items=names_of_items,
        coders=coders,
        counts=CountTable(table, frequencies),
        patterns=patterns,
        marginals=marginals,
        weights=frequencies,
        missing=0,
        read=Recognition("counts", guessed, left_out, (("categories", list(result)),)),
    )


def _sums_of_columns(table: Array) -> Array:
    sums = np.zeros(table.shape[1], np.int64)
    _sums.add_columns(CountTable(table), sums)
    return sums


def _in_words(place: str) -> Words:
    """Return the words for what leaves out a category of a table of counts."""
    return lambda mark: (
        f"leave out {place}" if isinstance(mark, Phrase) and mark.kind == "left_out" else None
    )


def _names_of_rows(what: str, cells: NamedCells) -> tuple[str, Any, str]:
    return (what, cells.named_by, "its place and its values")


def _without_totals(
    cells: NamedCells, declared: Categories | None, items: Sequence[Any] | None
) -> tuple[NamedCells, LeftOut]:
    """Leave out a column and a last row of totals, unless the caller names every column or row."""
    n_rows, n_columns = cells.values.shape
    rows: list[int] = []
    columns: list[int] = []
    sums = _sums_of_columns(cells.values)
    row_names = range(n_rows) if cells.rows is None else cells.rows
    column_names = range(n_columns) if cells.columns is None else cells.columns
    if declared is not None and cells.columns is not None and {*declared}.issubset(cells.columns):
        columns = [i for i, name in enumerate(cells.columns) if name not in declared]
        if not all(is_name_of_sums(cells.columns[i]) for i in columns):
            columns = []
    elif declared is None or len(declared) != n_columns:
        remedy = Argument("categories", list(column_names))
        places = rows_of_sums(cells.values.T, sums)
        columns = _totals(cells.values.T, places, column_names, "column", remedy)
    if items is None or len(items) != n_rows:
        remedy = Argument("items", range(n_rows))
        last = cells.values[-1:].astype(np.int64)
        places = [n_rows - 1] if sums.any() and (2 * last == sums).all() else []
        rows = _totals(cells.values, places, row_names, "row", remedy, first=n_rows - 1)
    left_out = _left_out(row_names, rows, column_names, columns)
    if (columns and declared is None) or (rows and items is None):
        _hint_at_sums(COUNTS, left_out)
    return cells.without(rows, columns), left_out


def _totals(
    values: Array,
    sums: Sequence[int],
    names: Sequence[Any],
    axis: str,
    remedy: Argument,
    first: int = 0,
) -> list[int]:
    """Return the row to leave out: the sum of the others, as `sums` are, and named like one."""
    named = [i for i in sums if is_name_of_sums(names[i])][:1]
    if not named and len(sums) == 1 and are_sums(values[sums[0]], len(values)):
        raise _doubt(f"{axis} {names[sums[0]]!r} of {COUNTS}", True, remedy)
    for i in range(max(first, 0), len(values)):
        if i not in sums and len(values) > 1 and says_sum(names[i]):
            raise _doubt(f"{axis} {names[i]!r} of {COUNTS}", False, remedy)
    return named


def _doubt(where: str, is_sum: bool, remedy: Argument) -> InputError:
    """Return the error for sums that only their numbers, or only their names, show."""
    problem = "is the sum of the others, as a total is"
    if not is_sum:
        problem = "is named like a total, but is not the sum of the others"
    return InputError(
        f"{where} {problem}",
        ("leave it out, or pass ", remedy, " to say that it is none"),
        argument=remedy.name,
    )


def _left_out(
    rows: Sequence[Any], row_places: list[int], columns: Sequence[Any], column_places: list[int]
) -> LeftOut:
    return (
        *((f"row {rows[i]!r}", SUM) for i in row_places),
        *((f"column {columns[i]!r}", SUM) for i in column_places),
    )


def _hint_at_sums(what: str, left_out: LeftOut) -> None:
    where = " and ".join(name for name, _ in left_out)
    keywords = "categories= (and items=)" if what == COUNTS else "categories="
    hint(
        f"{what} has sums, which were left out: {where}; leave them out of the table, or name what "
        f"is no sum by {keywords}",
        ReadHint,
    )


def read_contingency(
    table: Any, categories: Any, coders: Sequence[Any] | None, n_items: int | None = None
) -> Parts:
    """Read two coders' contingency table; see `Annotations.from_contingency`."""
    declared = declared_categories(categories)
    cells = named_cells(table, CONTINGENCY, n_columns=-1)
    guessed = () if cells.named_by is None else (_names_of_rows(NAMES_OF_ROWS, cells),)
    index = frames.index(table) if cells.named_by is None else None
    if cells.rows is not None and index is not None and index.name is None:
        rows, columns = labels.in_python(cells.rows), list(cells.columns or ())
        if frames.only_counts(index) and rows != columns:
            hint(
                f"the rows of {CONTINGENCY} are matched to its columns by their numbers, "
                f"{shorten(rows)} and {shorten(columns)}; if both are in the order of the columns, "
                "pass table.to_numpy()",
                ReadHint,
            )
    cells, left_out = _without_margins(cells, declared)
    values, result, in_order = _aligned(cells, declared)
    if n_items is None:
        refuse_proportions(values)
    else:
        values = counts_of_proportions(values, n_items)
    counts = as_counts(values, CONTINGENCY)
    for axis, what in ((1, "row"), (0, "column")):
        if len(counts) > 1 and (abs(counts.sum(axis=axis) - PERCENT) <= 1).all():
            hint(
                f"each {what} of {CONTINGENCY} adds to {PERCENT}, as percentages of {what}s do, "
                "which do not say how often a coder used a label: if they are, pass counts",
                ShapeHint,
            )
    if coders is None:
        coders = cells.titles
    first, second = np.nonzero(counts)
    items = counts[first, second].astype(np.int64)
    items.flags.writeable = False
    codes = np.column_stack([first, second]).astype(narrow(len(counts)))
    return Parts(
        categories=result,
        declared=in_order,
        items=range(len(items)),
        unnamed=True,
        coders=range(2) if coders is None else checked_names(coders, 2, "coders", "side"),
        rows=as_table(codes, items),
        weights=items,
        missing=0,
        read=Recognition("contingency", guessed, left_out, (("categories", list(result)),)),
    )


def _without_margins(cells: NamedCells, declared: Categories | None) -> tuple[NamedCells, LeftOut]:
    """Leave out margins, unless the caller names every row and column."""
    n_rows, n_columns = cells.values.shape
    rows = list(range(n_rows)) if cells.rows is None else list(cells.rows)
    columns = list(range(n_columns)) if cells.columns is None else cells.columns
    if declared is not None and cells.rows is not None:
        more = {*rows, *columns} - {*declared}
        if all(map(is_name_of_sums, more)):
            down = [i for i, name in enumerate(rows) if name in more]
            across = [i for i, name in enumerate(columns) if name in more]
            return cells.without(down, across), _left_out(rows, down, columns, across)
    if declared is not None and n_rows == n_columns == len(declared):
        return cells, ()
    row_sums, column_sums = rows_of_sums(cells.values), rows_of_sums(cells.values.T)
    across = [i for i in column_sums if is_name_of_sums(columns[i])][:1]
    # Without names, a row is the margin that the column of its place is.
    down = [i for i in row_sums if is_name_of_sums(rows[i]) or (cells.rows is None and i in across)]
    left_out = _left_out(rows, down[:1], columns, across)
    rest = cells.without(down[:1], across)
    labels = columns if cells.rows is None else dict.fromkeys([*columns, *rows])
    _refuse_margins(rest, Argument("categories", list(labels)))
    if left_out and declared is None:
        _hint_at_sums(CONTINGENCY, left_out)
    return rest, left_out


def _refuse_margins(cells: NamedCells, remedy: Argument) -> None:
    """Refuse rows and columns if only their numbers, or only their names, show sums."""
    values, named = cells.values, cells.rows is not None and cells.columns is not None
    rows: Sequence[Any] = range(len(values)) if cells.rows is None else cells.rows
    columns = cells.columns or range(values.shape[1])
    row_sums, column_sums = rows_of_sums(values), rows_of_sums(values.T)
    for i in row_sums:
        for j in column_sums:
            alone = rows[i] not in columns and columns[j] not in rows
            same = rows[i] == columns[j] or alone if named else i == j
            ends = np.append(np.delete(values[i], j), np.delete(values[:, j], i))
            inner = np.delete(np.delete(values, i, 0), j, 1)
            # One cell and zeros may be a table whose cells are equal.
            margins = are_sums(ends, len(values)) and np.count_nonzero(inner) > 1
            if margins and same:
                where = f"row {rows[i]!r} and column {columns[j]!r}"
                raise _doubt(f"in {CONTINGENCY}, each of {where}", True, remedy)
    for axis, names, others, sums, table in (
        ("row", rows, columns, row_sums, values),
        ("column", columns, rows, column_sums, values.T),
    ):
        for i, name in enumerate(names):
            where = f"{axis} {name!r} of {CONTINGENCY}"
            alone = name not in others if named else len(names) > len(others)
            if alone and sums == [i] and are_sums(table[i], len(table)):
                raise _doubt(where, True, remedy)
            if i not in sums and says_sum(name):
                raise _doubt(where, False, remedy)


def _aligned(cells: NamedCells, declared: Categories | None) -> tuple[Array, Categories, bool]:
    """Return a square table, its categories, and whether these are in a declared order.

    Rows and columns with names are matched by these, and a label of one side alone has zeros.
    """
    values, rows, columns = cells.values, cells.rows, cells.columns
    square = values.shape[0] == values.shape[1]
    if rows is None or columns is None:
        if not square:
            raise InputError(
                f"a contingency table must be square, but this one has {values.shape[0]} rows and "
                f"{values.shape[1]} columns",
                "name rows and columns by their labels, which are then matched",
            )
        if columns is None:
            return values, *column_categories(declared, None, len(values), CONTINGENCY)
        rows = columns
    rows = list(rows)
    if {*rows}.isdisjoint(columns):  # most libraries name columns by texts: "1" for 1
        written = {spell_label(name): name for name in rows}
        columns = [written.get(spell_label(name), name) for name in columns]
    every = list(dict.fromkeys([*columns, *rows]))
    alone = [name for name in rows if name not in columns]
    if declared is None and len(rows) > len(alone) > len(rows) / 2:
        hint(
            f"{len(alone)} of {len(rows)} rows of {CONTINGENCY} have no column, such as "
            f"{as_python(alone[0])!r}: if the rows are items, write "
            "af.Annotations.from_counts(table)",
            ShapeHint,
        )
    apart = {*rows}.isdisjoint(columns) and bool(every)
    if declared is not None and not {*declared} >= {*every}:
        if square and len(declared) == len(rows) and (apart or rows == columns):
            return values, declared, True  # other names
        strange = next(name for name in every if name not in declared)
        raise InputError(
            f"{CONTINGENCY} has {strange!r}, which is not among the declared categories",
            argument="categories",
        )
    if apart and declared is None:
        both = (", or pass ", Argument("categories", columns), " if both are in this order")
        raise InputError(
            f"the rows of {CONTINGENCY} are {shorten(rows)}, and its columns {shorten(columns)}",
            ("name both by the same labels", both if square else ""),
            argument="categories",
        )
    if declared is not None:
        order, in_order = list(declared), True
    elif rows == columns:
        order, in_order = order_of_names(every)
    else:
        order, in_order = order_of_names([every[i] for i in arrange(every)])
    if declared is None:
        hint_at_labels(order, words=_in_words("its row and its column"))
    place = {label: i for i, label in enumerate(order)}
    table = np.zeros((len(order), len(order)), values.dtype)
    table[np.ix_([place[name] for name in rows], [place[name] for name in columns])] = values
    return table, tuple(order), in_order

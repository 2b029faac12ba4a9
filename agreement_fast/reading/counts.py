"""Tables of counts: items × categories, and the contingency table of two coders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from agreement_fast._kernels import _sums
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, ReadHint, Sentence, hint
from agreement_fast.options import check_count
from agreement_fast.patterns import CountTable, as_table, count_rows, key_histogram, narrow
from agreement_fast.present.terminal import spell_label
from agreement_fast.reading.labels import Categories, arrange, declared_categories, shorten
from agreement_fast.reading.marginals import (
    Counted,
    NamedCells,
    as_counts,
    named_cells,
    read_marginals,
)
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.recognition.labels import hint_at_labels
from agreement_fast.reading.recognition.margins import (
    are_sums,
    is_name_of_sums,
    rows_of_sums,
    says_sum,
)
from agreement_fast.reading.recognition.order import order_of_names
from agreement_fast.reading.recognition.read import Recognition
from agreement_fast.reading.tables import (
    checked_names,
    column_categories,
    item_weights,
    take_weights,
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
            ("pass the number, as in ", Argument("n_items", 100)),
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
    guessed = () if by or cells.named_by is None else (_names_of_rows(cells),)
    given = None if items is None or by is not None else list(items)
    cells, left_out = _without_totals(cells, declared, given)
    result, in_order = column_categories(categories, cells.columns, cells.values.shape[1], COUNTS)
    if cells.columns is not None and {*cells.columns} == {*result}:
        cells = cells._replace(
            values=cells.values[:, [cells.columns.index(name) for name in result]],
            columns=list(result),
        )
    table = cells.values
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
        _refuse_no_marginals(coders=coders, single_counts=single_counts)
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


def _names_of_rows(cells: NamedCells) -> tuple[str, Any, str]:
    return ("items", cells.named_by, "its place and its values")


def _without_totals(
    cells: NamedCells, declared: Categories | None, items: Sequence[Any] | None
) -> tuple[NamedCells, LeftOut]:
    """Leave out a column and a last row of totals, unless the caller names every column or row."""
    n_rows, n_columns = cells.values.shape
    rows: list[int] = []
    columns: list[int] = []
    sums = np.zeros(n_columns, np.int64)
    _sums.add_columns(CountTable(cells.values), sums)
    row_names = range(n_rows) if cells.rows is None else cells.rows
    column_names = range(n_columns) if cells.columns is None else cells.columns
    if declared is not None and cells.columns is not None and {*declared} <= {*cells.columns}:
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
        places = [n_rows - 1] if n_rows > 1 and sums.any() and (2 * last == sums).all() else []
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


def _refuse_no_marginals(**given: Any) -> None:
    """Refuse arguments about coders if nothing is known of the coders."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                (Argument(name), " describes coders, but counts do not say who they are"),
                ("pass ", Argument("coder_counts"), ", too: how often each used each category"),
            )


def read_contingency(
    table: Any, categories: Any, coders: Sequence[Any] | None, n_items: int | None = None
) -> Parts:
    """Read two coders' contingency table; see `Annotations.from_contingency`."""
    declared = declared_categories(categories)
    cells = named_cells(table, CONTINGENCY, n_columns=-1)
    guessed = () if cells.named_by is None else (_names_of_rows(cells),)
    cells, left_out = _without_margins(cells, declared)
    values, result, in_order = _aligned(cells, declared)
    if n_items is None:
        refuse_proportions(values)
    else:
        values = counts_of_proportions(values, n_items)
    counts = as_counts(values, CONTINGENCY)
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
        raise InputError(
            f"the rows of {CONTINGENCY} are {shorten(rows)}, and its columns {shorten(columns)}",
            ("name both by the same labels", _or_in_this_order(columns, square)),
            argument="categories",
        )
    if declared is not None:
        order, in_order = list(declared), True
    elif rows == columns:
        order, in_order = order_of_names(every)
    else:
        order, in_order = order_of_names([every[i] for i in arrange(every)])
        hint_at_labels(order)
    place = {label: i for i, label in enumerate(order)}
    table = np.zeros((len(order), len(order)), values.dtype)
    table[np.ix_([place[name] for name in rows], [place[name] for name in columns])] = values
    return table, tuple(order), in_order


def _or_in_this_order(columns: Sequence[Any], square: bool) -> Sentence:
    if not square:
        return ""
    return (", or pass ", Argument("categories", list(columns)), " if both are in this order")

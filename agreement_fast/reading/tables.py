"""Checks the arguments of callers once: tables, columns, names and weights."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import Any, NamedTuple, cast

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import (
    Argument,
    InputError,
    InputTypeError,
    LabelHint,
    Phrase,
    Sentence,
    hint,
)
from agreement_fast.options import SHARED
from agreement_fast.patterns import check_total, narrow
from agreement_fast.present.tables import Matrix
from agreement_fast.present.terminal import shorten
from agreement_fast.reading import frames, labels
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids
from agreement_fast.reading.labels import Categories, Raw, number
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.recognition.order import numbered_otherwise, order_of_names
from agreement_fast.reading.recognition.recognise import ROLES, Named

#: Types of the rows of a list without names.
ROWS = (list, tuple)

#: Largest frequency of an item; sums stay below 2^62 for up to 4,600 judgments of such items.
LARGEST_WEIGHT = 10**15


def named_columns(table: Any) -> dict[Any, Any] | None:
    """Return the columns of a data frame or a list of dicts; None for any other table."""
    frames.refuse_grouped(table)
    if frames.is_frame(table):
        return dict(frames.columns(table))
    levels = frames.index_columns(table)
    if len(levels) > 1 and frames.is_series(table):
        return {table.name: frames.column(table)}
    if isinstance(table, Mapping) or getattr(getattr(table, "dtype", None), "names", None):
        return _columns_of_mapping(table)
    if not (isinstance(table, (list, tuple)) and table and isinstance(table[0], Mapping)):
        return None
    if not all(issubclass(kind, Mapping) for kind in {*map(type, table)}):
        i, row = next((i, row) for i, row in enumerate(table) if not isinstance(row, Mapping))
        raise InputTypeError(f"row {i} of the table is {row!r}, but row 0 is a mapping")
    names = dict.fromkeys(chain.from_iterable(table))
    return {
        name: np.fromiter(map(methodcaller("get", name), table), object, len(table))
        for name in names
    }


def _columns_of_mapping(table: Any) -> dict[Any, Any]:
    """Return the columns of a mapping of names to columns, or of a structured array."""
    given = {
        name: table[name] for name in (table.dtype.names if hasattr(table, "dtype") else table)
    }
    first, index = None, None
    if {"index", "columns", "data"} <= given.keys():
        raise InputTypeError(
            "the mapping has the index, the columns and the data of a pandas frame",
            "write pandas.DataFrame(data['data'], data['index'], data['columns'])",
        )
    for name, values in given.items():
        if isinstance(values, Mapping):
            raise InputTypeError(
                f"column {name!r} is a mapping, so that the table is a mapping of mappings",
                "pass pandas.DataFrame(data) if the outer keys are columns, such as coders, "
                "pandas.DataFrame.from_dict(data, orient='index') if they are rows, such as items",
            )
        if index is None:
            first, index = name, frames.index(values)
        given[name] = _in_order_of(index, values, f"the columns {first!r} and {name!r}")
    columns = {name: judgment_column(values, f"column {name!r}") for name, values in given.items()}
    lengths = {name: column_length(column) for name, column in columns.items()}
    first = next(iter(lengths), None)
    for name, length in lengths.items():
        if length != lengths[first]:
            raise InputError(
                f"column {name!r} has {length} entries, but column {first!r} has {lengths[first]}",
                "write None where a judgment is missing",
            )
    return columns


def n_rows_of(table: Any, columns: Mapping[Any, Any]) -> int:
    """Return the number of rows of a table with named columns."""
    if isinstance(table, Mapping):
        return max(map(column_length, columns.values()), default=0)
    return len(table)


def take_column(columns: dict[Any, Any], name: Any, argument: str = "items") -> Any:
    """Remove a column from the others, and return it."""
    if name not in columns:
        raise no_column(argument, name, columns)
    return columns.pop(name)


def no_column(argument: str, name: Any, columns: Iterable[Any]) -> InputError:
    """Return the error for an argument that names no column."""
    known = f" is not a column; the columns are {shorten(list(columns))}"
    return InputError((Argument(argument, name), known))


def refuse_unknown(named: Named, columns: Mapping[Any, Any]) -> None:
    """Refuse names of columns that a table does not have."""
    for role in ROLES:
        given = getattr(named, role)
        for name in given if role == "coder" and isinstance(given, tuple) else (given,):
            if name is not None and not (isinstance(name, Hashable) and name in columns):
                raise no_column(role, name, columns)


def take_weights(weights: Any, *tables: dict[Any, Any]) -> Any:
    """Return the column of the first table that holds the weights, or the weights themselves.

    The column is removed from all tables.
    """
    if not isinstance(weights, str):
        return weights
    if not (tables and weights in tables[0]):
        known = (
            f"the columns are {shorten(list(tables[0]))}" if tables else "the table has no names"
        )
        raise InputError(
            (Argument("weights", weights), f" is not a column; {known}"), SHARED["weights"][1]
        )
    column = tables[0][weights]
    for columns in tables:
        columns.pop(weights, None)
    return column


def names_in(column: Any) -> Any:
    """Return the names in a column."""
    if isinstance(column, frames.Dictionary):
        return [column.labels[code] if code >= 0 else None for code in column.codes.tolist()]
    return column


def wide_values(table: Any) -> tuple[Any, tuple[int, int], None]:
    """Return the labels of a table in row-major order, its shape, and None for column names."""
    if isinstance(table, np.ndarray):
        if table.ndim != 2:
            remedies = {
                1: "pass the labels of each item as a row, as in [[label] for label in array] if "
                "they are of one coder, or array.tolist() if they are lists",
                3: "indicators of sets are read by af.Annotations.from_indicators",
            }
            raise InputTypeError(
                f"a table of items × coders must have two dimensions, this array has {table.ndim}",
                remedies.get(table.ndim),
            )
        if type(table) is not np.ndarray or not (table.dtype.isnative and table.flags.aligned):
            table = labels.native(labels.unmasked(table))
        return table, table.shape, None
    if isinstance(table, frames.Dictionary):
        if table.codes.ndim != 2:
            raise InputTypeError("this is one column of labels", "pass it to from_long")
        return table, cast("tuple[int, int]", table.codes.shape), None
    if not isinstance(table, (list, tuple)):
        is_array = not isinstance(table, Sequence) and hasattr(table, "__array__")
        if is_array or isinstance(table, memoryview):
            return wide_values(np.asarray(table))
        _refuse_no_rows(table)
    rows = table if type(table) is list else list(table)
    numbered = _encode.number_rows(rows)
    if numbered is None:
        rows = [row if isinstance(row, ROWS) else row_list(row, i) for i, row in enumerate(rows)]
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InputError(
                    f"row {i} has {len(row)} entries, but row 0 has {len(rows[0])}",
                    "write None where a judgment is missing",
                )
        numbered = _encode.number_rows(rows)
        assert numbered is not None
    codes, result, _, error = numbered
    if error is not None:  # labels are sets, or lists of elements
        return list(chain.from_iterable(rows)), codes.shape, None
    if not labels.PLAIN.issuperset(map(type, result)):
        result = labels.in_python(result)
    return frames.Dictionary(codes, result, False, by_appearance=True), codes.shape, None


def _refuse_no_rows(table: Any) -> None:
    """Refuse a value that holds no rows of labels."""
    if isinstance(table, (str, bytes, os.PathLike)):
        raise InputTypeError(
            f"expected a table of items × coders, got {type(table).__name__}",
            f"read a file first, with af.read({os.fspath(table)[:60]!r}), or use the command: "
            "agreement-fast report FILE",
        )
    if isinstance(table, Mapping) or not isinstance(table, Iterable):
        raise InputTypeError(
            f"expected a table of items × coders, got {type(table).__name__}",
            "these are units: use af.agreement(continuum, 'u_alpha'), or "
            "af.units.judgments(continuum)"
            if type(table).__name__ == "Continuum"
            else "pass lists of rows, an array or a data frame",
        )


def row_list(row: Any, position: int) -> list[Any]:
    if isinstance(row, (str, bytes, Set, Mapping)) or not isinstance(row, Iterable):
        raise InputTypeError(
            f"row {position} of the table is {row!r}, not a row of labels",
            "write list(rows) if each row maps names of columns to cells"
            if isinstance(row, Mapping) and position == 0
            else "a table of items × coders is a list of rows; kappa(first, second) takes two "
            "coders' labels",
        )
    return row.tolist() if isinstance(row, np.ndarray) else list(row)


def column_values(
    columns: Mapping[Any, Any], length: int
) -> tuple[Any, tuple[int, int], list[Any]]:
    """Return the labels of some columns in row-major order, their shape and names."""
    names = list(columns)
    shape = (length, len(names))
    columns = {name: labels.unmasked(column) for name, column in columns.items()}
    plain = [column for column in columns.values() if isinstance(column, np.ndarray)]
    dtype = np.dtype(np.int8)
    numbers = len(plain) == len(columns) and all(c.dtype.kind in "buif" for c in plain)
    if numbers and plain:
        dtype = np.result_type(*plain)
        # A float would merge larger integers.
        numbers = dtype.kind != "f" or not any(map(_beyond_floats, plain))
    if numbers:
        wide = np.empty(shape, dtype, order="F")
        for i, values in enumerate(plain):
            wide[:, i] = values
        return wide, shape, names
    # First find the labels of all columns, so that codes are written only once, mostly as bytes.
    known: dict[Any, int] = {}
    parts = []
    for name, entry in columns.items():
        numbered = number(entry, partial(_place, name))
        lookup = np.full(max([0, *numbered.states, *numbered.gone]) + 1, -1, np.int32)
        lookup[numbered.states] = [known.setdefault(x, len(known)) for x in numbered.labels]
        parts.append(Raw(numbered.values, numbered.low, lookup, None))
    if frozenset in map(type, known):
        cells = [cell for column in columns.values() for cell in frames.listed(column)]
        labels.refuse_sequences(cells, lambda at: _place(names[at // length], at % length))
    codes = np.empty(shape, narrow(len(known)), order="F")
    for i, part in enumerate(parts):
        codes[:, i] = part.codes(len(known))
    orders = [c.labels for c in columns.values() if isinstance(c, frames.Dictionary) and c.ordered]
    ordered = len(orders) == len(columns) and all(order == orders[0] for order in orders)
    if ordered and orders:
        lookup = np.array([orders[0].index(label) for label in known] + [-1], np.int32)
        return frames.Dictionary(lookup[codes], orders[0], True), shape, names
    return frames.Dictionary(codes, list(known), False, by_appearance=True), shape, names


def _beyond_floats(array: Array) -> bool:
    """Return whether an array has integers that are not floats, perhaps."""
    if array.dtype.kind not in "ui" or array.itemsize < 8 or not array.size:
        return False
    low, high = labels.extremes(array)
    return low < -(2**53) or high > 2**53


def _place(coder: str, row: int) -> str:
    return f"item {row}, coder {coder!r}"


def checked_names(names: Sequence[Any], n: int, what: str, of: str) -> list[Any]:
    if isinstance(names, (str, bytes)):
        raise InputTypeError.must_be(what, "a sequence of names", names)
    listed = labels.in_python(names)
    if len(listed) != n:
        raise InputError((Argument(what), f" has {len(listed)} names, the table has {n} {of}s"))
    check_distinct(listed, what)
    return listed


def row_names(table: Any, n: int, items: Any) -> Any:
    """Return names of the rows: given, of a matrix or a data frame's index, or 0, 1, 2, ..."""
    if items is not None:
        return checked_names(items, n, "items", "row")
    if isinstance(table, Matrix):
        return table.row_names
    index = frames.index(table)
    return range(n) if index is None or frames.only_counts(index) else frames.names_of(index)


def check_distinct(listed: Sequence[Any], what: str) -> None:
    if len(set(listed)) != len(listed):
        seen: set[Hashable] = set()
        twice = next(name for name in listed if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InputError(
            Phrase("twice", f"{what} names {twice!r} twice", (what, twice)),
            argument=what if what.isidentifier() else None,
        )


def by_item(
    values: Any, names: Any, what: str, *, all_named: bool = False, by_appearance: bool = False
) -> Any:
    """Return values in the order of the items, even if they are given by name.

    A mapping names the items, and so does the index of a Series; any other value is returned
    unchanged. An item that is not named gets None, or raises an error with `all_named`.
    `by_appearance`: whether the items have the order in which a table first has them, which is said
    if their numbers have another one.
    """
    index = frames.index(values)
    advice = None
    if isinstance(values, Mapping):
        keys = labels.in_python(values)
        places = {name: i for i, name in enumerate(keys)}
        result = np.array([places.get(name, -1) for name in labels.in_python(names)], np.int64)
        given = list(values.values())
    elif index is None or (
        frames.only_counts(index) and isinstance(names, range) and names == range(len(names))
    ):
        if by_appearance and numbered_otherwise(names):
            first = ", ".join(map(repr, labels.in_python(names[:3])))
            hint(
                f"{what} is taken in the order in which the table first has the items ({first}, "
                f"...), not in that of their numbers: if it has another order, pass a mapping from "
                "item to value",
                LabelHint,
            )
        return values
    else:
        keys, given = index, values.tolist()
        advice = (
            f"the index of a Series must name the items; pass {what}.to_numpy() if the values "
            "are in the order of the items"
        )
        if not index.is_unique:
            twice = index[int(np.argmax(np.asarray(index.duplicated())))]
            raise InputError((Argument(what), f" names item {twice!r} twice"), advice)
        result = np.asarray(index.get_indexer(list(names)), np.int64)
    used = np.zeros(len(keys) + 1, bool)
    used[result] = True
    if not used[:-1].all():
        name = labels.as_python(keys[int(np.argmin(used[:-1]))])
        raise InputError(
            (Argument(what), f" names item {name!r}, which is not in the data"), advice
        )
    if all_named and (result < 0).any():
        name = labels.as_python(names[int(np.argmax(result < 0))])
        raise InputError((Argument(what), f" does not name item {name!r}"), advice)
    given.append(None)  # selected by -1
    return [given[place] for place in result.tolist()]


def item_weights(weights: Any, names: Any) -> Array | None:
    """Return frequencies of the items; items that a mapping does not name have weight 1."""
    if isinstance(weights, Mapping):
        listed = by_item(weights, names, "weights")
        weights = [1 if weight is None else weight for weight in listed]
    elif weights is not None:
        weights = by_item(weights, names, "weights", all_named=True)
    return checked_weights(weights, len(names))


def refuse_masked(values: Any, what: str, remedy: str) -> None:
    """Refuse masked numbers: a number that counts something cannot be missing."""
    if np.ma.is_masked(values):
        place = np.argwhere(np.ma.getmaskarray(values))[0].tolist()
        axes = ("row", "column") if len(place) == 2 else ("position",)
        at = ", ".join(f"{axis} {i}" for axis, i in zip(axes, place, strict=False))
        raise InputError(
            f"{what} is masked{at and ' at ' + at}",
            remedy,
            argument=what if what.isidentifier() else None,
        )


def checked_weights(weights: Any, n: int) -> Array | None:
    if weights is None:
        return None
    refuse_masked(weights, "weights", "a weight is how often an item occurred, 0 leaves it out")
    given = np.asarray(weights)
    if given.dtype.kind == "O":  # a column of a list of dicts
        given = np.array(given.tolist())
    if given.ndim != 1 or len(given) != n:
        raise InputError(
            (Argument("weights"), f": expected one for each of {n} items, got shape {given.shape}")
        )
    if given.dtype.kind not in "buif" and n:
        raise InputTypeError((Argument("weights"), f" must be whole numbers, not {given.dtype}"))
    bad = ~((given >= 0) & (given <= LARGEST_WEIGHT))
    if given.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            bad |= given != np.floor(given)
    if bad.any():
        place = int(np.argmax(bad))
        raise no_weight(f"weight {given[place]} of item {place}")
    out = given.astype(np.int64)
    check_total(float(out.sum(dtype=np.float64)), "items")
    out.flags.writeable = False
    return out


def no_weight(problem: str) -> InputError:
    """Return the error for a weight that is no count."""
    remedy = "a weight is how often an item occurred, a whole number from 0 to 10**15"
    return InputError(problem, remedy, argument="weights")


def judgment_column(values: Any, what: str) -> Any:
    """Return one column of judgments as an array, a list or a Dictionary."""
    if isinstance(values, frames.Dictionary):
        if values.codes.ndim != 1:
            raise InputTypeError(
                (Argument(what), " is a table of items × coders"), "pass it to from_wide"
            )
        return values
    frames.refuse_grouped(values)
    if frames.is_frame(values):
        raise InputTypeError(
            (Argument(what), " is a data frame, which has several columns"),
            ("pass one of its columns, as in ", Argument(what), "=frame[name]"),
        )
    if frames.is_series(values):
        return frames.column(values)
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise InputTypeError(
                (Argument(what), f" has {values.ndim} dimensions, expected one value a judgment")
            )
        return labels.native(values)
    unordered = (str, bytes, Mapping, set, frozenset)
    if isinstance(values, unordered) or not isinstance(values, Iterable):
        raise InputTypeError.must_be(what, "a sequence", values)
    return values if isinstance(values, list) else list(values)


def two_columns(first: Any, second: Any) -> tuple[Any, Any, Any]:
    """Return the labels of two coders by item, and the names of items if there are any.

    Series are matched by their index, mappings by their keys.
    """
    if isinstance(first, Mapping) or isinstance(second, Mapping):
        return _two_mappings(first, second)
    first, second = (frames.only_column(x) if frames.is_frame(x) else x for x in (first, second))
    names = frames.index(first)
    second = _in_order_of(names, second, "the Series of the two coders")
    columns = [judgment_column(first, "first"), judgment_column(second, "second")]
    lengths = [column_length(column) for column in columns]
    if lengths[0] != lengths[1]:
        raise InputError(
            f"the first coder has {lengths[0]} labels, but the second has {lengths[1]}",
            "give both coders' labels for each item, None if one is missing",
        )
    items = None if names is None or frames.only_counts(names) else frames.names_of(names)
    return columns[0], columns[1], items


def _in_order_of(names: Any, values: Any, what: str) -> Any:
    """Return values in the order of an index, if they are a Series with another one."""
    index = frames.index(values)
    if names is None or index is None or index.equals(names):
        return values
    if not (names.is_unique and index.is_unique and set(names) == set(index)):
        raise InputError(
            f"{what} have different indexes, which name the items",
            "pass arrays (to_numpy()) to compare the labels in their order",
        )
    return values.iloc[index.get_indexer(names)]


def _two_mappings(first: Any, second: Any) -> tuple[list[Any], list[Any], list[Any]]:
    if not (isinstance(first, Mapping) and isinstance(second, Mapping)):
        raise InputTypeError(
            "one coder's labels are a mapping from items, the other's are "
            f"{type(second if isinstance(first, Mapping) else first).__name__}",
            "pass two mappings, which are matched by item, or the labels of both in one order",
        )
    if first.keys() != second.keys():
        item = next(iter([*(first.keys() - second.keys()), *(second.keys() - first.keys())]))
        raise InputError(
            f"the mappings of the two coders name different items: {item!r} is in one of them",
            "give both a label for each item, None if it is missing",
        )
    return list(first.values()), [second[item] for item in first], list(first)


def column_length(column: Any) -> int:
    return len(column.codes) if isinstance(column, frames.Dictionary) else len(column)


class Columns(NamedTuple):
    """Three columns of judgments as numbers and their names, in the given order."""

    #: Int32 arrays of shape (n,).
    items: Array
    coders: Array
    #: Positions in `categories`; -1 is missing: int array of shape (n,).
    codes: Array
    item_names: Any
    coder_names: list[Any]
    categories: Categories
    #: Whether the categories were given, by the caller or by the type of the column.
    declared: bool
    #: The labels that were missing.
    absent: Missing = Missing()

    def without_rows(self) -> Columns:
        """Return only the names, without the memory of the rows."""
        nothing = np.empty(0, np.int32)
        return self._replace(items=nothing, coders=nothing, codes=nothing)


def read_columns(
    items: Any,
    coders: Any,
    texts: Any,
    missing: Any,
    categories: Any,
    set_separator: str | None = None,
) -> Columns:
    """Number items, coders and labels; refuse columns of different lengths."""
    label_column = judgment_column(texts, "labels")
    n = column_length(label_column)
    ids = []
    for what, values in (("items", items), ("coders", coders)):
        column = judgment_column(values, what)
        if column_length(column) != n:
            raise InputError(
                (
                    Argument(what),
                    f" has {column_length(column)} entries, ",
                    Argument("labels"),
                    f" has {n}",
                )
            )
        ids.append(column)
    item_codes, item_names = encode_ids(ids[0], "item")
    coder_codes, coder_names = encode_sorted_ids(ids[1], "coder")
    declared = labels.declared_categories(categories)
    absent = labels.missing_values(missing, declared, set_separator)
    if declared is None:
        declared = labels.declared_order(label_column, absent)

    # The place is also needed while labels are numbered, when there are no codes yet.
    columns = Columns(item_codes, coder_codes, item_codes, item_names, coder_names, (), False)
    raw, result = labels.encode(
        label_column, absent, declared, partial(place_of, columns), None, set_separator
    )
    codes = raw.codes(len(result)).reshape(-1)
    return columns._replace(
        codes=codes, categories=result, declared=declared is not None, absent=absent
    )


def place_of(columns: Columns, position: int) -> Sentence:
    """Describe a judgment in an error."""
    name = columns.item_names[columns.items[position]]
    return (
        Phrase("judgment", f"judgment {position} ("),
        Phrase("item", f"item {name!r}", name),
        f", coder {columns.coder_names[columns.coders[position]]!r}",
        Phrase("judgment", ")"),
    )


def common_index(**columns: Any) -> Any:
    """Return the index that Series of judgments share; None if none of them has one."""
    first, common = "", None
    for what, values in columns.items():
        index = frames.index(values)
        if index is None:
            continue
        if common is None:
            first, common = what, index
        elif not index.equals(common):
            raise InputError(
                (Argument(first), " and ", Argument(what), " have different indexes"),
                "they must be columns of one table with one judgment per row; pass arrays "
                "(to_numpy()) if their rows belong together",
                argument=what,
            )
    return common


def weights_of_items(
    weights: Any,
    item_codes: Array,
    item_names: Any,
    rows: Any = None,
    compared: Array | None = None,
) -> Array | None:
    """Return frequencies of items from those of judgments, or by name.

    `rows` is the index of the judgments; `compared` are the judgments whose weights count, by
    default all of them.
    """
    if weights is None:
        return None
    index = frames.index(weights)
    if index is not None:
        of_rows = frames.only_counts(index) if rows is None else index.equals(rows)
    if isinstance(weights, Mapping) or (index is not None and not of_rows):
        return item_weights(weights, item_names)
    column = judgment_column(weights, "weights")
    if isinstance(column, frames.Dictionary):
        raise InputTypeError((Argument("weights"), " must be whole numbers, not text"))
    each = checked_weights(column, len(item_codes))
    assert each is not None
    if compared is not None:
        item_codes, each = item_codes[compared], each[compared]
    out = np.zeros(len(item_names), np.int64)
    out[item_codes] = each
    differs = out[item_codes] != each
    if differs.any():
        name = labels.as_python(item_names[item_codes[int(np.argmax(differs))]])
        raise InputError(
            (
                Phrase("item", f"item {name!r}", name),
                " has different weights in different judgments",
            ),
            argument="weights",
        )
    out.flags.writeable = False
    return out


def column_categories(
    categories: Any, names: list[Any] | None, n: int, what: str
) -> tuple[Categories, bool]:
    """Return the categories of columns of counts, and whether they are in a known order."""
    declared = labels.declared_categories(categories)
    if declared is None:
        order, known = (range(n), True) if names is None else order_of_names(names)
        return tuple(order), known
    if len(declared) != n:
        raise InputError(
            f"{len(declared)} categories are declared, {what} has {n} columns",
            argument="categories",
        )
    return declared, True


def name_place(names: Sequence[Any], name: Any, what: str) -> int:
    try:
        return names.index(labels.as_python(name))
    except ValueError:
        raise InputError(f"there is no {what} {name!r}; the {what}s are {shorten(names)}") from None


def name_places(names: Any, requested: Iterable[Any], what: str) -> Array:
    if isinstance(requested, (str, bytes)) or not isinstance(requested, Iterable):
        raise InputTypeError.must_be(f"{what}s", "a sequence of names", requested)
    listed = list(requested)
    if not labels.PLAIN.issuperset(map(type, listed)):
        listed = labels.in_python(listed)
    check_distinct(listed, f"select: {what}s")
    if isinstance(names, range):
        place: Any = {name: name for name in listed if name in names}
    else:
        place = {name: i for i, name in enumerate(labels.in_python(names))}
    for name in listed:
        if name not in place:
            raise InputError(
                f"there is no {what} {name!r}; the {what}s are {shorten(names)}",
                argument=f"{what}s",
            )
    return np.array([place[name] for name in listed], np.int64)

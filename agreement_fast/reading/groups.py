"""Tables whose rows belong to groups: projects, batches, questions.

The values of one or several columns make a group. Items belong to a group: the same name in two
groups means two items.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, ShapeHint, hint
from agreement_fast.options import PerItem, check_choice
from agreement_fast.patterns import LARGEST_TOTAL, Rows
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids
from agreement_fast.reading.labels import as_python, in_python
from agreement_fast.reading.long import read_long
from agreement_fast.reading.looks import table_of_columns
from agreement_fast.reading.parts import Options, Parts
from agreement_fast.reading.recognition.labels import hint_at_groups, hint_at_items
from agreement_fast.reading.recognition.order import Doubt, natural_order, periods_of
from agreement_fast.reading.recognition.recognise import (
    ROLES,
    Named,
    hint_at_doubts,
    names_a,
    recognise_long,
)
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.reading.row_order import group_within
from agreement_fast.reading.tables import (
    by_item,
    column_length,
    judgment_column,
    n_rows_of,
    named_columns,
    no_column,
    refuse_unknown,
    take_weights,
)
from agreement_fast.reading.wide import read_named_wide, read_wide

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


#: The share of judgments that groups of items rarely leave without another one of the item, and
#: the number that chance may leave.
TORN, FEW = 0.25, 5


class Grouped(NamedTuple):
    """The groups of some items, or of judgments."""

    #: Names of the columns that make the groups.
    by: tuple[Hashable, ...]
    #: The groups, in their natural order.
    names: list[tuple[Any, ...]]
    #: The group of each item or judgment: int64 array of shape (n,).
    codes: Array
    #: Whether a single column declares the order of the groups.
    ordered: bool = False


class GroupedTable(NamedTuple):
    """A table that was read, and the groups of its items or judgments."""

    parts: Parts
    groups: Grouped


class _ItemNames(Sequence[Any]):
    """Names of items in groups, (group, ..., item), created when accessed."""

    def __init__(self, keys: Array, groups: list[tuple[Any, ...]], items: Sequence[Any]) -> None:
        self._keys, self._groups, self._items = keys, groups, items

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[Any, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[Any, ...] | list[tuple[Any, ...]]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        group, item = divmod(int(self._keys[place]), len(self._items))
        return (*self._groups[group], as_python(self._items[item]))


def read_groups(
    table: Any,
    by: Any,
    named: Named,
    options: Options,
    weights: Any = None,
    every: str | None = None,
) -> GroupedTable:
    """Read a table of judgments, or of items × coders, and the groups of its items.

    `named`: columns, and the layout. `options`: its `order` is for a data frame of one judgment per
    row. `weights`: a column, or a number for each row. `every`: as in `in_periods`; an item is in
    the period of its first judgment.
    """
    order = options.order
    if order is not None:
        if not frames.is_frame(table):
            raise InputTypeError.must_be("order", "left out, or the table a data frame", order)
        table, times = frames.in_order(table, order)
        options = options._replace(times=times)
    columns = named_columns(table)
    if named.layout in ("counts", "contingency"):
        raise InputError((Argument("layout", named.layout), " has no groups of judgments"))
    if columns is None:
        weights = take_weights(weights)
        parts = read_wide(table, options, weights=weights, named=False, copy=False)
        return GroupedTable(parts, in_periods(group_items(by, parts["items"]), every))
    known = {**frames.index_columns(table), **columns}
    listed = _beside(by, table, known) or _listed(by, known)
    frequencies = take_weights(weights, known, columns)
    groups = in_periods(number_groups(listed, [known[name] for name in listed]), every)
    others = {name: column for name, column in known.items() if name not in listed}
    refuse_unknown(named, others)
    _refuse_coders(listed, others, named)
    result = None
    if named.layout != "wide":
        result = recognise_long(table_of_columns(others, n_rows_of(table, others)), named, PYTHON)
    hint_at_doubts(() if result is None else result.doubts)
    if result is None:
        if order is not None:
            raise InputError(
                (Argument("order", order), " is for one judgment per row"),
                "this table has one item per row and one coder per column",
            )
        rest = {name: column for name, column in columns.items() if name in others}
        parts, _ = read_named_wide(table, rest, named, options, frequencies)
        return GroupedTable(parts, groups)
    item, coder, label = (known[name] for name in (result.item, result.coder, result.label))
    codes, items = encode_ids(judgment_column(item, "items"), "item")
    if len(groups.names) * max(len(items), 1) >= LARGEST_TOTAL:
        raise InputError(
            f"{len(groups.names)} groups of {len(items)} items are too many", argument="by"
        )
    if every is not None:
        first = np.full(len(items), len(groups.names))
        np.minimum.at(first, codes, groups.codes)
        used, first = np.unique(first, return_inverse=True)
        names = [groups.names[place] for place in used.tolist()]
        groups = groups._replace(names=names, codes=first[codes])
    hint_at_items(items, partial(_coders_of, groups, codes, coder))
    keys = groups.codes * len(items) + codes
    codes, keys = encode_ids(keys, "item")
    _hint_at_torn(listed, codes, keys % max(len(items), 1))
    item_names: Any = _ItemNames(keys, groups.names, items)
    own = Dictionary(codes, item_names, False, by_appearance=True)
    parts = read_long(own, coder, label, options, weights=frequencies)
    of_items = groups._replace(codes=keys // max(len(items), 1))
    return GroupedTable(parts, of_items)


def _hint_at_torn(by: Sequence[Any], codes: Array, item_of: Array) -> None:
    """Warn of groups that leave many judgments without another one of their item.

    `codes`: of the items in groups, by judgment; `item_of`: the item of each of them.
    """
    of_each = np.bincount(codes)
    alone = (of_each == 1) & (np.bincount(item_of, of_each)[item_of] > 1)
    if (n := np.count_nonzero(alone)) > max(TORN * len(codes), FEW):
        hint(
            f"column {' + '.join(map(repr, by))} differs within items, and {n:,} of "
            f"{len(codes):,} judgments are the only one of their item in their group, and count "
            "nowhere: by= is for what describes items",
            ShapeHint,
        )


def _coders_of(groups: Grouped, items: Array, coder: Any, places: list[int]) -> list[Any]:
    """Return who judged each of some items, as far as a group has several of them."""
    coders, _ = encode_ids(judgment_column(coder, "coders"), "coder")
    some = np.isin(items, places)
    pairs = np.unique(np.stack([groups.codes[some], items[some], coders[some]]), axis=1)
    group = pairs[0]
    several = np.bincount(np.unique(pairs[:2], axis=1)[0]) > 1
    pairs = pairs[:, several[group]]
    return [list(zip(*pairs[::2, pairs[1] == place].tolist(), strict=True)) for place in places]


def _refuse_coders(listed: Sequence[Any], others: Mapping[Any, Any], named: Named) -> None:
    """Refuse the coder column as groups: the remaining columns would be read as coders."""
    left = {role for role in ROLES for name in others if names_a(role, name)}
    if (
        len(listed) == 1
        and names_a("coder", listed[0])
        and left == {"item", "label"}
        and named.coder is None
    ):
        raise InputError(
            (Argument("by", listed[0]), " is the column of the coders"),
            (
                "a group needs several coders; if another column holds the coders, name it by ",
                Argument("coder"),
            ),
        )


def group_items(by: Any, items: Sequence[Any]) -> Grouped:
    """Return the groups of given items: one for each, or by name (a mapping or a Series)."""
    if isinstance(by, str):
        raise InputTypeError(
            (Argument("by", by), " names a column, and this table has no names"),
            "pass the group of each item",
        )
    return number_groups(("group",), [_of_items(by, items, "by", "group")])


def _of_items(
    values: Any, items: Sequence[Any], what: str, kind: str, by_appearance: bool = False
) -> Any:
    """Return a column with a value for each item; a mapping or a Series is matched by name."""
    values = by_item(values, items, what, all_named=True, by_appearance=by_appearance)
    column = judgment_column(values, what)
    if column_length(column) != len(items):
        raise InputError(
            (
                Argument(what),
                f" must have a {kind} for each of {len(items)} items, got {column_length(column)}",
            ),
            f"pass the {kind} of each item",
            argument=what,
        )
    return column


def document_codes(annotations: Annotations, cluster: PerItem | None) -> Array:
    """Number the documents of the items in the order of their names.

    Draws then do not depend on the order of the items.
    """
    documents = annotations.beside(cluster, "cluster")
    by_appearance = documents is cluster and annotations.origin.by_appearance
    column = _of_items(documents, annotations.items, "cluster", "document", by_appearance)
    return np.asarray(encode_sorted_ids(column, "cluster")[0])


def rows_of_documents(annotations: Annotations, cluster: PerItem | None) -> tuple[Rows, Array]:
    """Return the distinct rows of each document, and the number of their document."""
    documents, n_categories = document_codes(annotations, cluster), len(annotations.labels)
    return group_within(annotations.rows, documents, annotations.n_coders, n_categories)


def _beside(by: Any, table: Any, columns: dict[Any, Any]) -> tuple[Any, ...]:
    """Add a column that is given itself, in the rows of the table; return its name, or nothing."""
    frames.refuse_grouped(by)
    given = frames.is_series(by) or isinstance(by, np.ndarray)
    if not given or column_length(by) != n_rows_of(table, columns):
        return ()
    if {*map(str, by)} <= {*map(str, columns)}:  # names of columns
        return ()
    rows, own = frames.index(by), frames.index(table)
    if rows is not None and own is not None and not rows.equals(own):
        raise InputError(
            (Argument("by"), " has another index than the table"),
            "pass by.to_numpy() if its values are in the order of the rows",
        )
    name = getattr(by, "name", None) or "group"
    columns[name] = by
    return (name,)


def in_periods(groups: Grouped, every: str | None) -> Grouped:
    """Return the days, weeks, months, quarters or years of a column of dates as groups.

    None leaves the groups as they are.
    """
    if every is None:
        return groups
    check_choice("every", every, ("day", "week", "month", "quarter", "year"))
    if len(groups.by) > 1:
        raise InputError(
            (Argument("every", every), " is for one column of dates"),
            ("pass one column as ", Argument("by")),
            argument="every",
        )
    periods = periods_of([name for (name,) in groups.names], every)
    if isinstance(periods, Doubt):
        raise InputError(
            (Argument("by", *groups.by), f" is no column of dates: {periods.problem}"),
            periods.remedy,
            argument="by",
        )
    place = {period: i for i, period in enumerate(sorted(set(periods)))}
    codes = np.array([place[period] for period in periods], np.int64)[groups.codes]
    return Grouped(groups.by, [(period,) for period in place], codes)


def _listed(by: Any, columns: Mapping[Any, Any]) -> tuple[Any, ...]:
    """Return the names of columns in `by`, checked."""
    if isinstance(by, str) or (isinstance(by, Hashable) and by in columns):
        listed: tuple[Any, ...] = (by,)
    elif isinstance(by, Iterable) and not isinstance(by, Mapping):
        listed = tuple(by)
    else:
        raise InputTypeError.must_be("by", "the name of a column, or several", by)
    for name in listed:
        if not (isinstance(name, Hashable) and name in columns):
            raise no_column("by", name, columns)
    if not listed:
        raise InputError((Argument("by"), " is empty"), "name a column")
    if len(set(listed)) < len(listed):
        raise InputError((Argument("by"), " names a column twice"))
    return listed


def number_groups(by: tuple[Hashable, ...], columns: Sequence[Any]) -> Grouped:
    """Number the combinations of values that occur, in the order of their columns."""
    codes, names = _number_column(columns[0], by[0])
    combined = [(name,) for name in names]
    for name, column in zip(by[1:], columns[1:], strict=True):
        own, labels = _number_column(column, name)
        codes, keys = encode_sorted_ids(codes * len(labels) + own, "group")
        places = (divmod(key, len(labels)) for key in keys)
        combined = [(*combined[left], labels[right]) for left, right in places]
    ordered = len(columns) == 1 and getattr(columns[0], "ordered", False)
    return Grouped(by, combined, codes.astype(np.int64), ordered)


def _number_column(column: Any, name: Any) -> tuple[Array, list[Any]]:
    """Return the values of a column as numbers from 0, and their names in order."""
    column = judgment_column(column, "by")
    codes, names = encode_ids(column, f"group ({name})")
    hint_at_groups(names)
    if isinstance(column, Dictionary) and column.ordered:
        places = {label: i for i, label in enumerate(column.labels)}
        order = sorted(range(len(names)), key=lambda i: places[names[i]])
    else:
        names = in_python(names)
        order = natural_order(names)
    return np.argsort(order)[codes], [names[i] for i in order]

"""The first group-by, one row per item, and the second, one row for all equal items.

Before them, several judgments of an item by one coder become one. An item that only one coder
judged counts for that coder's marginals.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, Protocol

import narwhals as nw
import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, Phrase, Sentence
from agreement_fast.patterns import LARGEST_TOTAL, Rows, check_total, group_equal, row_of
from agreement_fast.reading import frames
from agreement_fast.reading.engines.table import (
    CODER,
    GIVEN,
    LABEL,
    N_ROWS,
    ORDER,
    WEIGHT,
    LazyTable,
    Queries,
    changed,
    flag,
    integers,
)
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import Categories, Raw, declared_categories, encode
from agreement_fast.reading.parts import LeftOut, Options, Parts
from agreement_fast.reading.pieces import united_categories
from agreement_fast.reading.recognition.labels import (
    hint_at_coders,
    hint_at_labels,
    hint_at_numbers,
)
from agreement_fast.reading.recognition.order import Doubt, order_of
from agreement_fast.reading.repeats import ORDERED, excluded, refused

#: Errors of this argument.
wrong_order = partial(InputError, argument="order")

#: 1 if the rows of an item contradict each other; or the number of such items.
CONFLICTS = "af_conflicts"
#: The number of equal items, counted with their weights.
N_ITEMS = "af_n_items"

How = Literal["sum", "max"]


def by_item(table: LazyTable, columns: Mapping[str, tuple[Any, How]], rows: Any = None) -> Any:
    """Return one row per item.

    `columns` (mapping of str to (expression, {"sum", "max"})): the expression for each row, and how
    it is aggregated over the rows of an item. `rows`: the rows of `table` with other labels.
    Returns the columns, the groups, the columns along, WEIGHT and CONFLICTS.
    """
    sums = [
        nw.col(name).sum() if how == "sum" else nw.col(name).max()
        for name, (_, how) in columns.items()
    ]
    constant = [*table.along, *([WEIGHT] if table.weighted else [])]
    for name in constant:
        sums += [nw.col(name).min().alias(_low(name)), nw.col(name).max()]
    rows = table.frame if rows is None else rows
    if columns:
        rows = rows.with_columns(**{name: row for name, (row, _) in columns.items()})
    items = rows.group_by(*table.keys).agg(*(sums or [nw.len().alias(N_ITEMS)]))
    differs = [nw.col(name) != nw.col(_low(name)) for name in constant]
    conflict = flag(reduce(lambda a, b: a | b, differs)) if differs else nw.lit(0, nw.Int64)
    weight = nw.col(WEIGHT).cast(nw.Int64) if table.weighted else nw.lit(1, nw.Int64)
    return items.with_columns(conflict.alias(CONFLICTS), weight.alias(WEIGHT))


def alike(table: LazyTable, items: Any, columns: Sequence[str], sums: Sequence[str] = ()) -> Any:
    """Return one row for each combination of columns, groups and columns along.

    Returns these columns, those of `n_alike`, and the sums of CONFLICTS and of the columns in
    `sums`.
    """
    return items.group_by(*columns, *table.by, *table.along).agg(
        *n_alike(table), *(nw.col(name).sum() for name in (CONFLICTS, *sums))
    )


def n_alike(table: LazyTable) -> list[Any]:
    """Return N_ITEMS, and N_ROWS if weights make these differ, of a group of items."""
    n_items = nw.col(WEIGHT).sum().alias(N_ITEMS)
    return [n_items, nw.len().alias(N_ROWS)] if table.weighted else [n_items]


def check_items(table: LazyTable, queries: Queries) -> None:
    """Raise an error for more items than 64 bits can count, as some engines overflow silently."""
    if table.weighted and table.total >= LARGEST_TOTAL:
        items = by_item(table, {}).select(nw.col(WEIGHT).cast(nw.Float64).sum())
        check_total(float(queries.fetch(items).row(0)[0]), "items")


def check_given(table: LazyTable, rows: Any) -> None:
    """Check that the number of labels is the one that an earlier query counted."""
    often = integers(rows[N_ROWS if table.weighted else N_ITEMS])
    if integers(rows[GIVEN]) @ often != table.n_given:
        raise changed()


def refuse_conflicts(table: LazyTable, queries: Queries) -> InputError:
    """Return the error that names the first item whose rows contradict each other."""
    items = by_item(table, {}).filter(nw.col(CONFLICTS) > 0)
    some = queries.fetch(items.sort(*table.keys).head(1))
    if not len(some):
        return changed()
    row = some.row(0)
    conflict = dict(zip(items.collect_schema().names(), row, strict=True))
    name = table.name_of([conflict[key] for key in table.keys])
    item: Sentence = Phrase("item", f"item {name!r}", name)
    for column, own in zip(table.names["along"], table.along, strict=True):
        if conflict[own] != conflict[_low(own)]:
            return InputError(
                (item, f" has {conflict[_low(own)]!r} and {conflict[own]!r} in column {column!r}"),
                "it must say the same in all rows of an item",
                argument="along",
            )
    return InputError((item, " has different weights in different judgments"), argument="weights")


def _low(name: str) -> str:
    return f"{name}_low"


def judged_once(table: LazyTable, columns: Sequence[str]) -> Any:
    """Return judgments that are the only one of their item: CODER, some columns, and WEIGHT."""
    coder = nw.when(nw.col(GIVEN) == 1).then(nw.col(CODER))
    of_item: dict[str, Any] = {CODER: (coder, "max"), GIVEN: (nw.col(GIVEN), "sum")}
    of_item.update((name, (nw.col(name), "max")) for name in columns)
    return by_item(table, of_item).filter(nw.col(GIVEN) == 1)


def places(column: Any, known: Sequence[Any], what: str) -> Array:
    """Return the place of each value of a column among those that an earlier query returned."""
    codes, values = encode_sorted_ids(frames.column(column), what)
    place = {value: i for i, value in enumerate(known)}
    if not place.keys() >= set(values):
        raise changed()
    return np.asarray(np.array([place[value] for value in values], np.int64)[codes])


#: The number of repeated judgments that an error names.
SHOWN = 3

#: Columns of this module.
HOW_OFTEN, TOP, OTHER, TIED = "af_how_often", "af_top", "af_other", "af_tied"


def check_policy(duplicates: str, order: str | None, repeats_of: Any) -> None:
    """Raise an error for policies that need an order, because the rows of an engine have none."""
    if repeats_of is not None and duplicates != "error":
        raise excluded()
    if order is None and (duplicates in ORDERED or repeats_of is not None):
        asks = Argument("repeats_of")
        if duplicates in ORDERED:
            asks = Argument("duplicates", duplicates)
        says = ", the column that says which judgment came first"
        raise wrong_order((asks, " needs ", Argument("order"), says))


def check_texts(table: LazyTable, queries: Queries) -> None:
    """Raise an error if the column ORDER holds texts that an engine would not order by value."""
    if table.rows.collect_schema()[ORDER] != nw.String:
        return
    (name,) = table.names["order"]
    rows = table.rows.filter(~nw.col(ORDER).is_null())
    texts = queries.fetch(rows.group_by(ORDER).agg(nw.len().alias(N_ROWS)))
    values = [] if texts is None else sorted(texts[ORDER].to_list())
    order = order_of(values)
    if texts is None or isinstance(order, Doubt) or order.keys != sorted(order.keys):
        why = "which engines order by letters"
        if isinstance(order, Doubt):
            why = f"and {order.problem}"
        raise wrong_order(
            (Argument("order", name), f" is a column of texts, {why}"),
            "cast it to numbers, dates or times, or add a column that numbers the judgments",
        )


def _repeats(table: LazyTable) -> Any:
    """Return the items and coders with several labels, and how many; groups all judgments."""
    given = table.frame.filter(~nw.col(LABEL).is_null())
    pairs = given.group_by(*table.keys, CODER).agg(nw.len().alias(HOW_OFTEN))
    return pairs.filter(nw.col(HOW_OFTEN) > 1)


def check_repeats(table: LazyTable, queries: Queries) -> None:
    """Raise an error if a coder judged an item twice."""
    if len(queries.fetch(_repeats(table).head(1))):
        raise refuse_repeats(table, queries)


def refuse_repeats(table: LazyTable, queries: Queries) -> InputError:
    """Return the error that names the first repeated judgments and the remedies."""
    twice = _repeats(table)
    more = nw.col(HOW_OFTEN).cast(nw.Int64) - 1
    counted = queries.fetch(twice.select(more.alias(HOW_OFTEN)).select(nw.col(HOW_OFTEN).sum()))
    n_repeats = int(integers(counted[HOW_OFTEN].fill_null(0))[0])
    if not n_repeats:
        return changed()
    shown = queries.fetch(twice.select(*table.keys, CODER).sort(*table.keys, CODER).head(SHOWN))
    names = [(table.name_of(key), table.as_read(CODER, coder)) for *key, coder in shown.rows()]
    return refused(n_repeats, names)


def _check_enum(table: LazyTable) -> None:
    """Raise an error if the engine finds no largest value of the order: polars before 1.38."""
    if (
        table.frame.implementation.is_polars()
        and table.frame.collect_schema()[ORDER] == nw.Enum
        and tuple(map(int, version("polars").split(".")[:2])) < (1, 38)
    ):
        raise wrong_order(
            f"polars {version('polars')} finds no largest value of an Enum, which column "
            f"{table.names['order'][0]!r} is",
            ("upgrade polars to 1.38, cast the column to numbers, or pass ",
             Argument("way", "partitions")),
        )  # fmt: skip


def settle(table: LazyTable, duplicates: str, queries: Queries) -> LeftOut:
    """Make one judgment of several by one coder; return what was left out.

    All rows of `table` lose their labels, and a row is added for each item and coder with a label.
    """
    pair = [*table.keys, CODER]
    given = table.frame.filter(~nw.col(LABEL).is_null())
    weight = [WEIGHT] if table.weighted else []
    rest = [nw.col(name).max() for name in (*weight, *table.along)]
    if duplicates == "majority":
        votes = given.group_by(*pair, LABEL).agg(nw.len().alias(HOW_OFTEN), *rest)
        tops = votes.group_by(*pair).agg(nw.col(HOW_OFTEN).max().alias(TOP))
        best = votes.join(tops, on=pair, how="inner").filter(nw.col(HOW_OFTEN) == nw.col(TOP))
    else:
        _check_enum(table)
        # A join would lose judgments without an order.
        if n := queries.count(given.filter(nw.col(ORDER).is_null())):
            rows = "1 judgment has" if n == 1 else f"{n:,} judgments have"
            raise wrong_order(
                f"{rows} no value in column {table.names['order'][0]!r}, which must say what came "
                f"{duplicates}",
                ("fill it, or pass ", Argument("way", "partitions"), ", which puts such rows last"),
            )
        end = nw.col(ORDER).min() if duplicates == "first" else nw.col(ORDER).max()
        tops = given.group_by(*pair).agg(end.alias(TOP))
        best = given.join(tops, on=pair, how="inner").filter(nw.col(ORDER) == nw.col(TOP))
    settled = (
        best.group_by(*pair)
        .agg(nw.col(LABEL).max(), nw.col(LABEL).min().alias(OTHER), *rest)
        .with_columns(flag(nw.col(LABEL) != nw.col(OTHER)).alias(TIED))
    )
    both = settled.with_columns(nw.lit(1, nw.Int64).alias(GIVEN)).select(nw.col(GIVEN, TIED).sum())
    counted = queries.fetch(both)
    n_pairs, n_tied = (int(integers(counted[name])[0]) for name in (GIVEN, TIED))
    if n_tied and duplicates in ORDERED:
        raise wrong_order(
            f"{n_tied} {'judgment repeats' if n_tied == 1 else 'judgments repeat'} a coder's "
            f"judgment of an item with another label and the same {table.names['order'][0]!r}, "
            f"which does not say which came {duplicates}",
            ("name a column that orders them with ", Argument("order")),
        )
    label = nw.when(nw.col(TIED) == 0).then(nw.col(LABEL))
    added = settled.with_columns(label.alias(LABEL), (1 - nw.col(TIED)).alias(GIVEN))
    # No row has fewer than 0 labels, so this is a null of the type of the labels in all engines.
    no_label = nw.when(nw.col(GIVEN) < 0).then(nw.col(LABEL))
    emptied = table.frame.with_columns(no_label.alias(LABEL), nw.lit(0, nw.Int64).alias(GIVEN))
    columns = [*pair, LABEL, GIVEN, *weight, *table.along]
    table.frame = nw.concat([emptied.select(*columns), added.select(*columns)], how="vertical")
    left_out = LeftOut(table.n_given - n_pairs, n_tied if duplicates == "majority" else 0)
    table.n_given = n_pairs - n_tied
    return left_out


class Beside(Protocol):
    """The columns of groups and along, as distinct rows use them."""

    by: list[str]
    along: list[str]

    def as_read(self, own: str, value: Any) -> Any:
        """Return a value of a column as it is in the caller's table."""


class Fetched(NamedTuple):
    """Parts of annotations, and the values of groups and along of each row."""

    #: The parts of annotations.
    parts: Parts
    #: The columns of `by`, then those of `along`; None if a row has no value.
    beside: list[list[Any]]


class Kept(NamedTuple):
    """The returned rows that remain after equal rows are merged, in order."""

    #: The first of each set of equal rows: int array of shape (U,).
    rows: Array
    #: The number of items of each: int64 array of shape (U,).
    weights: Array
    #: The columns of `by`, then those of `along`.
    beside: list[list[Any]]


def distinct(table: Beside, result: Any, numbers: Array) -> Kept:
    """Merge equal rows, sorted by the values beside them and then by their numbers.

    An engine may distinguish labels that are equal here, such as sets whose elements are written in
    different orders, and it returns rows in any order. `result`: the result of `items.alike`.
    `numbers` (array of shape (n, columns)): codes or counts of each row, or floats.
    """
    columns, names = [], []
    for own in (*table.by, *table.along):
        # A column as numbers in the order of its values; missing values come last, as None
        present = ~result[own].is_null()
        given = present.to_numpy().astype(bool)
        codes, values = encode_sorted_ids(frames.column(result[own].filter(present)), "column")
        every = np.full(len(given), len(values), np.int64)
        every[given] = codes
        columns.append(every)
        names.append([*(table.as_read(own, value) for value in values), None])
    keys = np.column_stack([*columns, numbers]) if columns else np.ascontiguousarray(numbers)
    group, first = group_equal(keys)
    weights = np.zeros(len(first), np.int64)
    each = integers(result[N_ITEMS])
    np.add.at(weights, group, each)
    order = np.lexsort(keys[first].T[::-1]) if keys.shape[1] else np.arange(len(first))
    rows = first[order]
    beside = [
        [values[code] for code in codes[rows].tolist()]
        for codes, values in zip(columns, names, strict=True)
    ]
    return Kept(rows, weights[order], beside)


def in_own_order(categories: Sequence[Any], codes: Array) -> tuple[tuple[Any, ...], Array]:
    """Return categories in an order that does not depend on the rows, and their codes.

    Labels that do not sort, such as sets, are elsewhere in the order of their first occurrence. The
    code -1 stays.
    """
    ordered, _ = united_categories([(tuple(categories), False)])
    place = {label: i for i, label in enumerate(ordered)}
    new = np.array([*(place[label] for label in categories), -1], codes.dtype)
    return ordered, new[codes]


def encode_labels(place: str, values: Iterable[Any], options: Options) -> tuple[Raw, Categories]:
    """Number labels; raise an error for those that are not declared. `place` names the column."""
    listed, known = np.array([*values, None], object)[:-1], declared_categories(options.categories)
    return encode(listed, None, known, lambda _: place, separator=options.set_separator)


def hint_at(parts: Parts) -> None:
    """Warn of labels and coders that may be meant otherwise; rows stand for several judgments."""
    hint_at_coders(parts["coders"] or ())
    numbers = parts.get("numbers")
    if numbers is not None:
        hint_at_numbers(numbers)
    elif not parts.get("declared"):
        categories, rows = parts.get("categories") or (), parts.get("rows")
        hint_at_labels(
            categories, None if rows is None else partial(_label_counts, rows, len(categories))
        )


def _label_counts(rows: Rows, n_labels: int) -> list[int]:
    """Return how often each label occurs in rows that stand for several items."""
    where = np.flatnonzero(rows.codes >= 0)
    times = np.ones(len(where), np.int64) if rows.repeats is None else rows.repeats[where]
    if rows.weights is not None:
        times = times * rows.weights[row_of(rows, where)]
    counts: list[int] = np.bincount(rows.codes[where], times, n_labels).astype(np.int64).tolist()
    return counts


def truths(categories: Sequence[Any]) -> tuple[Any, ...]:
    """Return True and False for 1 and 0, which stand for booleans in the engine."""
    return tuple(map(bool, categories))

"""The first group-by, one row per item, and the second, one row for all equal items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Literal

from agreement_fast.engines.queries import Queries, changed, integers
from agreement_fast.engines.table import GIVEN, N_ROWS, WEIGHT, LazyTable
from agreement_fast.errors import InputError, Phrase, Sentence
from agreement_fast.patterns import LARGEST_TOTAL, check_total

__all__ = [
    "CONFLICTS",
    "N_ITEMS",
    "alike",
    "by_item",
    "check_given",
    "check_items",
    "n_alike",
    "refuse_conflicts",
]

#: 1 if the rows of an item contradict each other; or the number of such items.
CONFLICTS = "af_conflicts"
#: The number of equal items, counted with their weights.
N_ITEMS = "af_n_items"

How = Literal["sum", "max"]


def by_item(table: LazyTable, columns: Mapping[str, tuple[Any, How]], rows: Any = None) -> Any:
    """Return one row per item.

    Parameters
    ----------
    columns : mapping of str to (expression, {"sum", "max"})
        The expression for each row, and how it is aggregated over the rows of an item.
    rows : lazy frame, optional
        The rows of `table` with other labels.

    Returns
    -------
    lazy frame
        The columns, the groups, the columns along, WEIGHT and CONFLICTS.
    """
    import narwhals as nw

    one, zero = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
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
    conflict = zero
    if differs:
        conflict = nw.when(reduce(lambda a, b: a | b, differs)).then(one).otherwise(zero)
    weight = nw.col(WEIGHT).cast(nw.Int64) if table.weighted else one
    return items.with_columns(conflict.alias(CONFLICTS), weight.alias(WEIGHT))


def alike(table: LazyTable, items: Any, columns: Sequence[str], sums: Sequence[str] = ()) -> Any:
    """Return one row for each combination of columns, groups and columns along.

    Returns
    -------
    lazy frame
        These columns, those of `n_alike`, and the sums of CONFLICTS and of the columns in `sums`.
    """
    import narwhals as nw

    return items.group_by(*columns, *table.by, *table.along).agg(
        *n_alike(table), *(nw.col(name).sum() for name in (CONFLICTS, *sums))
    )


def n_alike(table: LazyTable) -> list[Any]:
    """Return N_ITEMS, and N_ROWS if weights make these differ, of a group of items."""
    import narwhals as nw

    n_items = nw.col(WEIGHT).sum().alias(N_ITEMS)
    return [n_items, nw.len().alias(N_ROWS)] if table.weighted else [n_items]


def check_items(table: LazyTable, queries: Queries) -> None:
    """Raise an error for more items than 64 bits can count, as some engines overflow silently."""
    import narwhals as nw

    if table.weighted and table.total >= LARGEST_TOTAL:
        items = by_item(table, {}).select(nw.col(WEIGHT).cast(nw.Float64).sum())
        check_total(float(queries.fetch(items).row(0)[0]), "items")


def check_given(table: LazyTable, found: Any) -> None:
    """Check that the number of labels is the one that an earlier query counted."""
    often = integers(found[N_ROWS if table.weighted else N_ITEMS])
    if integers(found[GIVEN]) @ often != table.n_given:
        raise changed()


def refuse_conflicts(table: LazyTable, queries: Queries) -> InputError:
    """Return the error that names the first item whose rows contradict each other."""
    import narwhals as nw

    items = by_item(table, {}).filter(nw.col(CONFLICTS) > 0)
    some = queries.fetch(items.sort(*table.keys).head(1))
    if not len(some):
        return changed()
    row = some.row(0)
    found = dict(zip(items.collect_schema().names(), row, strict=True))
    name = table.name_of([found[key] for key in table.keys])
    item: Sentence = Phrase("item", f"item {name!r}", name)
    for column, own in zip(table.names["along"], table.along, strict=True):
        if found[own] != found[_low(own)]:
            return InputError(
                (item, f" has {found[_low(own)]!r} and {found[own]!r} in column {column!r}"),
                "it must say the same in all rows of an item",
                argument="along",
            )
    return InputError((item, " has different weights in different judgments"), argument="weights")


def _low(name: str) -> str:
    return f"{name}_low"

"""Find several judgments of an item by one coder, and make one of them."""

from __future__ import annotations

from typing import Any

from agreement_fast.engines.queries import Queries, changed, integers
from agreement_fast.engines.table import CODER, GIVEN, LABEL, N_ROWS, ORDER, WEIGHT, LazyTable
from agreement_fast.errors import Argument, InputError
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.repeats import ORDERED, excluded, refused
from agreement_fast.recognition.order import Doubt, order_of

__all__ = ["check_policy", "check_repeats", "check_texts", "refuse_repeats", "settle"]

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
        raise InputError((asks, " needs ", Argument("order"), says), argument="order")


def check_texts(table: LazyTable, queries: Queries) -> None:
    """Raise an error if the column ORDER holds texts that an engine would not order by value."""
    import narwhals as nw

    if table.rows.collect_schema()[ORDER] != nw.String:
        return
    (name,) = table.names["order"]
    rows = table.rows.filter(~nw.col(ORDER).is_null())
    texts = queries.fetch(rows.group_by(ORDER).agg(nw.len().alias(N_ROWS)))
    values = [] if texts is None else sorted(texts[ORDER].to_list())
    found = order_of(values)
    if texts is None or isinstance(found, Doubt) or found.keys != sorted(found.keys):
        why = "which engines order by letters"
        if isinstance(found, Doubt):
            why = f"and {found.problem}"
        raise InputError(
            (Argument("order", name), f" is a column of texts, {why}"),
            "cast it to numbers, dates or times, or add a column that numbers the judgments",
            argument="order",
        )


def _repeats(table: LazyTable) -> Any:
    """Return the items and coders with several labels, and how many; groups all judgments."""
    import narwhals as nw

    given = table.frame.filter(~nw.col(LABEL).is_null())
    pairs = given.group_by(*table.keys, CODER).agg(nw.len().alias(HOW_OFTEN))
    return pairs.filter(nw.col(HOW_OFTEN) > 1)


def check_repeats(table: LazyTable, queries: Queries) -> None:
    """Raise an error if a coder judged an item twice."""
    if len(queries.fetch(_repeats(table).head(1))):
        raise refuse_repeats(table, queries)


def refuse_repeats(table: LazyTable, queries: Queries) -> InputError:
    """Return the error that names the first repeated judgments and the remedies."""
    import narwhals as nw

    twice = _repeats(table)
    more = nw.col(HOW_OFTEN).cast(nw.Int64) - 1
    counted = queries.fetch(twice.select(more.alias(HOW_OFTEN)).select(nw.col(HOW_OFTEN).sum()))
    n_repeats = int(integers(counted[HOW_OFTEN].fill_null(0))[0])
    if not n_repeats:
        return changed()
    shown = queries.fetch(twice.select(*table.keys, CODER).sort(*table.keys, CODER).head(SHOWN))
    names = [(table.name_of(key), table.as_read(CODER, coder)) for *key, coder in shown.rows()]
    return refused(n_repeats, names)


def _check_order(table: LazyTable, given: Any, duplicates: str, queries: Queries) -> None:
    """Raise an error for judgments without an order, which a join would lose."""
    import narwhals as nw

    found = queries.fetch(given.filter(nw.col(ORDER).is_null()).select(nw.len().alias(HOW_OFTEN)))
    n = int(integers(found[HOW_OFTEN])[0])
    if n:
        rows = "1 judgment has" if n == 1 else f"{n:,} judgments have"
        raise InputError(
            f"{rows} no value in column {table.names['order'][0]!r}, which must say what came "
            f"{duplicates}",
            ("fill it, or pass ", Argument("way", "partitions"), ", which puts such rows last"),
            argument="order",
        )


def settle(table: LazyTable, duplicates: str, queries: Queries) -> LeftOut:
    """Make one judgment of several by one coder; return what was left out.

    All rows of `table` lose their labels, and a row is added for each item and coder with a label.
    """
    import narwhals as nw

    pair = [*table.keys, CODER]
    given = table.frame.filter(~nw.col(LABEL).is_null())
    weight = [WEIGHT] if table.weighted else []
    rest = [nw.col(name).max() for name in (*weight, *table.along)]
    if duplicates == "majority":
        votes = given.group_by(*pair, LABEL).agg(nw.len().alias(HOW_OFTEN), *rest)
        tops = votes.group_by(*pair).agg(nw.col(HOW_OFTEN).max().alias(TOP))
        best = votes.join(tops, on=pair, how="inner").filter(nw.col(HOW_OFTEN) == nw.col(TOP))
    else:
        _check_order(table, given, duplicates, queries)
        end = nw.col(ORDER).min() if duplicates == "first" else nw.col(ORDER).max()
        tops = given.group_by(*pair).agg(end.alias(TOP))
        best = given.join(tops, on=pair, how="inner").filter(nw.col(ORDER) == nw.col(TOP))
    one, zero = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
    settled = (
        best.group_by(*pair)
        .agg(nw.col(LABEL).max(), nw.col(LABEL).min().alias(OTHER), *rest)
        .with_columns(nw.when(nw.col(LABEL) != nw.col(OTHER)).then(one).otherwise(zero).alias(TIED))
    )
    both = settled.with_columns(one.alias(GIVEN)).select(nw.col(GIVEN, TIED).sum())
    counted = queries.fetch(both)
    n_pairs, n_tied = (int(integers(counted[name])[0]) for name in (GIVEN, TIED))
    if n_tied and duplicates in ORDERED:
        raise InputError(
            f"{n_tied} {'judgment repeats' if n_tied == 1 else 'judgments repeat'} a coder's "
            f"judgment of an item with another label and the same {table.names['order'][0]!r}, "
            f"which does not say which came {duplicates}",
            ("name a column that orders them with ", Argument("order")),
            argument="order",
        )
    label = nw.when(nw.col(TIED) == 0).then(nw.col(LABEL))
    added = settled.with_columns(label.alias(LABEL), (1 - nw.col(TIED)).alias(GIVEN))
    # No row has fewer than 0 labels, so this is a null of the type of the labels in all engines.
    no_label = nw.when(nw.col(GIVEN) < 0).then(nw.col(LABEL))
    emptied = table.frame.with_columns(no_label.alias(LABEL), zero.alias(GIVEN))
    columns = [*pair, LABEL, GIVEN, *weight, *table.along]
    table.frame = nw.concat([emptied.select(*columns), added.select(*columns)], how="vertical")
    left_out = LeftOut(table.n_given - n_pairs, n_tied if duplicates == "majority" else 0)
    table.n_given = n_pairs - n_tied
    return left_out

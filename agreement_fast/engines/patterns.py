"""The first way: one column per coder, and one row for all items with the same judgments.

It takes two group-bys, by item and by the labels of all coders. The coder of each label is known,
so that all functions work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from agreement_fast.engines.found import (
    Asked,
    Beside,
    Found,
    check_declared,
    distinct,
    in_own_order,
    truths,
)
from agreement_fast.engines.items import CONFLICTS, alike, by_item, check_given, refuse_conflicts
from agreement_fast.engines.queries import Queries, integers
from agreement_fast.engines.repeats import refuse_repeats
from agreement_fast.engines.table import CODER, GIVEN, LABEL, LazyTable
from agreement_fast.patterns import as_table
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.wide import read_wide

__all__ = ["distinct_rows", "read_patterns"]


#: The largest number of text labels to replace by numbers; each takes a comparison per row.
MOST_TEXTS = 64


class Judged(Beside, Protocol):
    """A table whose labels are returned, and how these are read."""

    declared: tuple[Any, ...] | None
    truth: bool


def read_patterns(
    table: LazyTable,
    coders: Sequence[Any],
    seen: Any,
    asked: Asked,
    queries: Queries,
    most: int,
) -> Found | None:
    """Return the distinct rows of judgments; None if there are more than `most`.

    Parameters
    ----------
    seen : frame
        The result of `table.look`.
    """
    import narwhals as nw

    labels = seen[LABEL].drop_nulls().unique().sort().to_list()
    declared = table.declared if asked.categories is None else asked.categories
    if declared is not None:
        check_declared(table.place, labels, declared, asked)
    texts = None
    rows = table.frame
    if rows.collect_schema()[LABEL] == nw.String and 0 < len(labels) <= MOST_TEXTS:
        texts, rows = labels, rows.with_columns(_places(labels).alias(LABEL))
    names = [f"af_said_{i}" for i in range(len(coders))]
    said: dict[str, Any] = {
        name: (nw.when(nw.col(CODER) == coder).then(nw.col(LABEL)), "max")
        for name, coder in zip(names, coders, strict=True)
    }
    items = by_item(table, {**said, GIVEN: (nw.col(GIVEN), "sum")}, rows)
    found = queries.fetch(alike(table, items, [*names, GIVEN]), most)
    if found is None:
        return None
    if integers(found[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    # If a coder judged an item several times, one label is returned, but all are counted.
    filled = np.zeros(len(found), np.int64)
    for name in names:
        filled += (~found[name].is_null()).to_numpy()
    if (filled != integers(found[GIVEN])).any():
        raise refuse_repeats(table, queries)
    check_given(table, found)
    columns = {
        coder: frames.column(found[name]) if texts is None else _texts(found[name], texts)
        for coder, name in zip(coders, names, strict=True)
    }
    return distinct_rows(table, found, columns, asked)


def _places(texts: Sequence[str]) -> Any:
    """Return the place of a label among some, because engines group numbers faster than texts."""
    import narwhals as nw

    own = [nw.when(nw.col(LABEL) == text) for text in texts]
    place: Any = own[0].then(nw.lit(0, nw.Int64))  # otherwise null, for which Dask has no literal
    for i, when in enumerate(own[1:], 1):
        place = when.then(nw.lit(i, nw.Int64)).otherwise(place)
    return place


def _texts(places: Any, texts: Sequence[str]) -> Dictionary:
    """Return the labels of places."""
    codes = integers(places.fill_null(-1)).astype(np.int32)
    return Dictionary(codes, list(texts), False)


def distinct_rows(table: Judged, found: Any, columns: dict[Any, Any], asked: Asked) -> Found:
    """Return the distinct rows of a frame with one column per coder.

    Parameters
    ----------
    found : frame
        A frame with N_ITEMS, and the columns of groups and along.
    columns : dict of coder to column
        The labels of each coder, from `frames.column`.
    """
    coders = list(columns)
    declared = table.declared if asked.categories is None else asked.categories
    parts = read_wide(
        found,
        columns=columns,
        coders=coders,
        items=range(len(found)),
        categories=declared,
        set_separator=asked.set_separator,
        hints=False,
    )
    numbers, categories = parts.get("numbers"), parts.get("categories") or ()
    if numbers is None:
        rows, raw = parts.get("rows"), parts.get("raw")
        if rows is not None:
            codes = rows.table()
        else:
            assert raw is not None
            codes = raw.codes(len(categories)).reshape(len(found), len(coders))
        if declared is None:
            categories, codes = in_own_order(categories, codes)
    kept = distinct(table, found, codes if numbers is None else numbers)
    made = Parts(
        declared=parts.get("declared", False),
        items=range(len(kept.rows)),
        coders=coders,
        weights=kept.weights,
    )
    if numbers is not None:
        made["numbers"] = numbers[kept.rows]
    else:
        made["categories"] = truths(categories) if table.truth else categories
        made["rows"] = as_table(codes[kept.rows], kept.weights)
        if not kept.beside:
            made["patterns"] = made["rows"]
    return Found(made, kept.beside)

"""The first way: a column a coder, and one row for all items with the same judgments.

Two group-bys, by item and by what all coders said. What comes back has who said what, so that
everything can be asked of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from agreement_fast.engines.items import CONFLICTS, alike, by_item, refuse_conflicts
from agreement_fast.engines.queries import Queries, integers
from agreement_fast.engines.repeats import refuse_repeats
from agreement_fast.engines.table import CODER, GIVEN, LABEL, LazyTable
from agreement_fast.patterns import as_table
from agreement_fast.reading import frames
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.wide import read_wide

__all__ = ["distinct_rows", "read_patterns"]


class Judged(Beside, Protocol):
    """A table whose labels come back, as these are read."""

    declared: tuple[Any, ...] | None
    truth: bool
    place: str


def read_patterns(
    table: LazyTable, coders: Sequence[Any], asked: Asked, queries: Queries, most: int
) -> Found | None:
    """The distinct rows of judgments; None where there are more than `most`."""
    import narwhals as nw

    names = [f"af_said_{i}" for i in range(len(coders))]
    said: dict[str, Any] = {
        name: (nw.when(nw.col(CODER) == coder).then(nw.col(LABEL)), "max")
        for name, coder in zip(names, coders, strict=True)
    }
    items = by_item(table, {**said, GIVEN: (nw.col(GIVEN), "sum")})
    found = queries.fetch(alike(table, items, [*names, GIVEN]), most)
    if found is None:
        return None
    if integers(found[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    # Of several judgments of an item by a coder one came back, and all of them were counted.
    filled = np.zeros(len(found), np.int64)
    for name in names:
        filled += (~found[name].is_null()).to_numpy()
    if (filled != integers(found[GIVEN])).any():
        raise refuse_repeats(table, queries)
    return distinct_rows(table, found, dict(zip(coders, names, strict=True)), asked)


def distinct_rows(table: Judged, found: Any, said: Mapping[Any, str], asked: Asked) -> Found:
    """What came back, a column a coder, as distinct rows.

    Parameters
    ----------
    found : frame
        With N_ITEMS, and the columns of groups and along.
    said : mapping of coder to str
        The column of each coder.
    """
    coders = list(said)
    declared = table.declared if asked.categories is None else asked.categories
    if declared is not None:
        values = {value for name in said.values() for value in found[name].unique().to_list()}
        check_declared(table.place, values - {None}, declared, asked)
    parts = read_wide(
        found,
        columns={coder: frames.column(found[name]) for coder, name in said.items()},
        coders=coders,
        items=range(len(found)),
        categories=declared,
        set_separator=asked.set_separator,
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

"""Queries about coders: their places, and judgments that are the only one of their item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.items import by_item
from agreement_fast.engines.queries import changed
from agreement_fast.engines.table import CODER, GIVEN, LazyTable
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_sorted_ids

__all__ = ["judged_once", "places"]


def judged_once(table: LazyTable, columns: Sequence[str]) -> Any:
    """Return judgments that are the only one of their item: CODER, some columns, and WEIGHT."""
    import narwhals as nw

    coder = nw.when(nw.col(GIVEN) == 1).then(nw.col(CODER))
    asked: dict[str, Any] = {CODER: (coder, "max"), GIVEN: (nw.col(GIVEN), "sum")}
    asked.update((name, (nw.col(name), "max")) for name in columns)
    return by_item(table, asked).filter(nw.col(GIVEN) == 1)


def places(column: Any, known: Sequence[Any], what: str) -> Array:
    """Return the place of each value of a column among those that an earlier query returned."""
    codes, values = encode_sorted_ids(frames.column(column), what)
    place = {value: i for i, value in enumerate(known)}
    if not place.keys() >= set(values):
        raise changed()
    found: Array = np.array([place[value] for value in values], np.int64)[codes]
    return found

"""Cut rows that are sorted by item into parts of whole items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["whole_items"]


def whole_items(batches: Iterable[Any], keys: Sequence[str], n_rows: int) -> Iterator[Any]:
    """Yield parts of about `n_rows` rows, or of one item if it has more.

    Parameters
    ----------
    batches : iterable of data frames of narwhals
        Rows in which those of each item are adjacent.
    keys : sequence of str
        The columns that name an item.
    """
    import narwhals as nw

    held: list[Any] = []
    n_held, enough = 0, n_rows
    for batch in batches:
        for begin in range(0, len(batch), n_rows):
            held.append(batch[begin : begin + n_rows])
            n_held += len(held[-1])
            if n_held < enough:
                continue
            rows = nw.concat(held)
            last = _last_item(rows, keys)
            if last:
                yield rows[:last]
                rows = rows[last:]
            held, n_held = [rows], len(rows)
            del rows
            # An item without an end is checked again only when its rows have doubled.
            enough = max(n_rows, 2 * n_held)
    if n_held:
        yield nw.concat(held)


def _last_item(rows: Any, keys: Sequence[str]) -> int:
    """Return where the last item begins."""
    same = np.ones(len(rows), bool)
    for key in keys:
        column = rows[key]
        same &= (column == column[-1]).to_numpy().astype(bool)
    others = np.flatnonzero(~same)
    return int(others[-1]) + 1 if len(others) else 0

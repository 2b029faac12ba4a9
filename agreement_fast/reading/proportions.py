"""Contingency tables of proportions, as papers print them."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_count
from agreement_fast.reading import frames
from agreement_fast.reading.tables import count_table
from agreement_fast.tables import Matrix

#: How far proportions may be from whole numbers of items, and their sum from 1, by rounding alone.
ROUNDING = 1e-6

WHAT = "the contingency table"


def refuse_proportions(table: Any) -> None:
    """Refuse proportions that come without the number of items."""
    shares, _ = _numbers(table)
    if shares is None or not shares.size or (shares == np.floor(shares)).all():
        return
    if shares.min() >= 0 and abs(shares.sum() - 1) < ROUNDING:
        raise InputError(
            f"{WHAT} holds proportions, and not how many items there are",
            ("pass their number, as in ", Argument("n_items", 100)),
            argument="table",
        )


def counts_of_proportions(table: Any, n_items: int) -> tuple[Array, list[Any] | None]:
    """Counts of items from proportions of so many items, and the names of the columns."""
    check_count("n_items", n_items, 1)
    shares, names = _numbers(table)
    if shares is None:
        raise InputTypeError(f"{WHAT} must hold numbers and have two dimensions")
    total = float(shares.sum())
    if not abs(total - 1) < ROUNDING:
        raise InputError(
            f"the proportions of {WHAT} add up to {total:g} and not to 1",
            (
                "rounded ones do not say which items are meant: pass counts, without ",
                Argument("n_items"),
            ),
            argument="table",
        )
    counts = shares * n_items
    whole = np.rint(counts)
    wrong = np.argwhere(~(np.abs(counts - whole) < ROUNDING * np.maximum(1, counts)))
    if len(wrong):
        row, column = (int(place) for place in wrong[0])
        raise InputError(
            f"{WHAT} has {shares[row, column]:g} in row {row}, column {column}, which is "
            f"{counts[row, column]:g} of {n_items} items",
            "pass the number of items of which the proportions are",
            argument="n_items",
        )
    return count_table(whole, WHAT)[0], names


def _numbers(table: Any) -> tuple[Array | None, list[Any] | None]:
    """The numbers of a table, none where it holds others, and the names of its columns."""
    names = None
    if frames.is_frame(table):
        columns = frames.columns(table)
        names, parts = list(columns), [np.asarray(column) for column in columns.values()]
        shares = np.column_stack(parts) if parts else np.zeros((0, 0))
    else:
        if isinstance(table, Matrix):
            names = list(table.column_names)
        try:
            shares = np.asarray(table)
        except ValueError:
            return None, names
    if shares.ndim != 2 or shares.dtype.kind not in "buif":
        return None, names
    return shares.astype(np.float64), names

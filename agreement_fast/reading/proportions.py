"""Contingency tables of proportions, as printed in papers."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_count
from agreement_fast.reading import frames
from agreement_fast.reading.tables import count_table
from agreement_fast.tables import Matrix

#: Largest rounding error of proportions times items, and of the sum of the proportions.
ROUNDING = 1e-6

WHAT = "the contingency table"


def refuse_proportions(table: Any) -> None:
    """Refuse proportions that are given without the number of items."""
    shares, _ = _numbers(table)
    if shares is None or not shares.size or (shares == np.floor(shares)).all():
        return
    if shares.min() >= 0 and abs(shares.sum() - 1) < ROUNDING:
        raise InputError(
            f"{WHAT} holds proportions, but the number of items is not given",
            ("pass the number, as in ", Argument("n_items", 100)),
            argument="table",
        )


def counts_of_proportions(table: Any, n_items: int) -> tuple[Array, list[Any] | None]:
    """Return counts from the proportions of `n_items` items, and the names of the columns."""
    check_count("n_items", n_items, 1)
    shares, names = _numbers(table)
    if shares is None:
        raise InputTypeError(f"{WHAT} must hold numbers and have two dimensions")
    total = float(shares.sum())
    if not abs(total - 1) < ROUNDING:
        raise InputError(
            f"the proportions of {WHAT} add up to {total:g}, expected 1",
            (
                "rounded proportions do not determine the counts: pass counts, without ",
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
            "pass the number of items from which the proportions were computed",
            argument="n_items",
        )
    return count_table(whole, WHAT)[0], names


def _numbers(table: Any) -> tuple[Array | None, list[Any] | None]:
    """Return the numbers of a table (None if it holds other values) and its column names."""
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

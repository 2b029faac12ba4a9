"""Contingency tables of proportions, as printed in papers."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_count

#: Largest rounding error of proportions times items, and of the sum of the proportions.
ROUNDING = 1e-6

WHAT = "the contingency table"


def refuse_proportions(shares: Array) -> None:
    """Refuse proportions that are given without the number of items."""
    if not shares.size or (shares == np.floor(shares)).all():
        return
    if shares.min() >= 0 and abs(shares.sum() - 1) < ROUNDING:
        raise InputError(
            f"{WHAT} holds proportions, but the number of items is not given",
            ("pass the number, as in ", Argument("n_items", 100)),
            argument="table",
        )


def counts_of_proportions(shares: Array, n_items: int) -> Array:
    """Return counts from the proportions of `n_items` items."""
    check_count("n_items", n_items, 1)
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
    whole: Array = np.rint(counts)
    wrong = np.argwhere(~(np.abs(counts - whole) < ROUNDING * np.maximum(1, counts)))
    if len(wrong):
        row, column = (int(place) for place in wrong[0])
        raise InputError(
            f"{WHAT} has {shares[row, column]:g} in row {row}, column {column}, which is "
            f"{counts[row, column]:g} of {n_items} items",
            "pass the number of items from which the proportions were computed",
            argument="n_items",
        )
    return whole

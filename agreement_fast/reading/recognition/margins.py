"""Names and sums in tables of counts: columns that name the rows, margins and totals.

A row that is the sum of the others is a margin if it has the name of one. Without the name, chance
must explain the equal sums: the larger the numbers, the less likely it is that they add up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.reading.recognition.names import (
    numbers_rows,
    opposite_labels,
    usual_columns,
    words_in,
)

#: Chance explains sums with e^-DOUBT at most.
DOUBT = 5.0
#: Of two rows, each is the sum of the others if they are equal.
FEWEST = 3
#: The largest relative difference of a sum of proportions.
ROUNDING = 1e-6
#: Names of sums. The first group may also name a category.
_AMBIGUOUS = frozenset({"all", "n"})
_SUMS = words_in(
    "total, totals, sum, sums, subtotal, margin, margins, gesamt, insgesamt, summe, somme, suma, "
    "somma, totale, totaal, totalt, summa, soma"
)
_BESIDE = frozenset({"row", "rows", "column", "columns", "col", "grand", "overall", "of", "n"})


def is_name_of_sums(name: Hashable) -> bool:
    """Say whether a row or column with this name may hold sums.

    Examples
    --------
    >>> [is_name_of_sums(name) for name in ("All", "Grand total", "total war", "yes", 1)]
    [True, True, False, False, False]
    """
    return says_sum(name) or (isinstance(name, str) and name.strip().lower() in _AMBIGUOUS)


def says_sum(name: Hashable) -> bool:
    """Say whether a row or column with this name must hold sums.

    Examples
    --------
    >>> [says_sum(name) for name in ("All", "Grand total", "sum")]
    [False, True, True]
    """
    words = set(re.findall(r"\w+", name.lower())) if isinstance(name, str) else set()
    return bool(words & _SUMS) and words <= _SUMS | _BESIDE


def rows_of_sums(table: Array, sums: Array | None = None) -> list[int]:
    """Return the rows of a table of numbers that are the sum of all other rows. O(cells).

    `sums` are the sums of the rows, if they are known.
    """
    if min(table.shape) < 1 or len(table) < 2:
        return []
    kind = np.int64 if table.dtype.kind in "bi" else np.float64
    if sums is None:
        sums = table.sum(1, dtype=kind)
    # There are at most two such rows, or all of them are zeros.
    some = np.flatnonzero(_same(2 * sums, sums.sum()))[:2]
    if not (some.size and sums.any()):
        return []
    whole = table.sum(0, dtype=kind)
    return [int(i) for i in some if _same(2 * table[i].astype(kind), whole).all()]


def _same(values: Array, other: Array) -> Array:
    room = 0.0 if values.dtype.kind == "i" else ROUNDING
    same: Array = np.abs(values - other) <= room * np.abs(other)
    return same


def are_sums(values: Array, n_rows: int) -> bool:
    """Return whether sums of `n_rows` - 1 others are too large to be equal to these by chance.

    A number of n or so takes a certain value with probability 1 / (n + 1). That a row holds as much
    as all others together is the less likely, the more there are.
    """
    if n_rows < FEWEST:
        return False
    return float(np.log1p(values.astype(np.float64)).sum()) + math.log(n_rows) >= DOUBT


def numbers_name_rows(
    name: Any, values: Array, others: Mapping[Any, Array | None], n_columns: int | None = None
) -> bool | None:
    """Return whether the numbers of the first column name the rows; None if they may count.

    They must differ. They are names if only the other columns are named by numbers, or if they
    number the rows from 0 or 1 on and the column has a usual name or no part in equal sums of rows.
    `others`: the other columns; None for one that does not hold numbers. `n_columns`: the number of
    columns that count, if it is known; it decides unless numbers repeat.
    """
    if len(values) < 2 or len(np.unique(values)) < len(values):
        return False
    if not _is_number(name) and all(map(_is_number, others)):
        named: bool | None = True
    else:
        named = _may_name_rows(name, values, others)
    if n_columns in (len(others), len(others) + 1):
        return named is not False and n_columns == len(others)
    return named


def _may_name_rows(name: Any, values: Array, others: Mapping[Any, Array | None]) -> bool | None:
    numbers = [column for column in others.values() if column is not None]
    sums = np.sum(numbers, axis=0) if len(numbers) == len(others) > 1 else values
    counting = values[0] in (0, 1) and bool((np.diff(values) == 1).all())
    even = not np.ptp(sums)
    usual = numbers_rows(name) or (isinstance(name, str) and bool(usual_columns("item", [name])))
    if usual and not opposite_labels([name, *others]):
        return True if counting or even else None
    if len(values) < FEWEST or not np.ptp(sums + values) or not (counting or even):
        return False
    if counting and even:
        return True
    return None if even or len(values) > FEWEST else False


def _is_number(name: Any) -> bool:
    return isinstance(name, (int, float)) or (
        isinstance(name, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", name) is not None
    )

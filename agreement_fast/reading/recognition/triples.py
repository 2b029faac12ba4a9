"""The order of an item, a coder and a label, if the declared order does not fit the values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.reading.recognition.names import usual_columns

DECLARED = ("coder", "item", "label")
#: Fewer triples show no order.
FEWEST = 12
#: A value that repeats occurs in this many rows, on average.
REPEATS = 1.5
#: Repeated judgments are the labels of other coders if they are this share of all, or more. If the
#: caller says what to do with them, that is certain only for these many of this many rows.
MANY = 0.2
MOST, MANY_ROWS = 0.6, 50


class Numbered(NamedTuple):
    """The codes of a column, and the values that they stand for."""

    codes: Array
    values: Sequence[Any]


def other_order(
    columns: Sequence[Numbered], *, repeated: bool = False, expected: bool = False
) -> tuple[Sequence[str], bool] | None:
    """Return an order more plausible than (coder, item, label), and whether this is certain.

    `columns`: in the order of the triples. `repeated`: whether a pair of the first two values
    occurs twice: a coder and an item, if the order is as declared. `expected`: whether the caller
    expects repeated judgments. Returns None if the declared order is plausible.
    """
    sizes = [len(column.values) for column in columns]
    n = len(columns[0].codes)
    if n < FEWEST:
        return None
    if repeated:
        order = _without_repeats(columns)
        if order is None:
            return None
        certain = not expected or (n >= MANY_ROWS and _without_repeats(columns, MOST) == order)
        return order, certain
    swapped = ("item", "coder", "label")
    first, second = (_role(column.values) for column in columns[:2])
    certain = first == "item" or second == "coder"
    if first == "coder" or second == "item":
        return None
    if not certain:
        if not sizes[0] > sizes[1] > 1:
            return None
        numbers = [all(map(_is_number, column.values)) for column in columns[:2]]
        alike = [_occur_alike(column.codes) for column in columns[:2]]
        if numbers == [False, True] or alike == [False, True]:
            return None
        certain = sizes[0] > 2 * sizes[1] or numbers == [True, False] or alike == [True, False]
    return _without_repeats(columns) or swapped, certain


def _without_repeats(columns: Sequence[Numbered], share: float = MANY) -> Sequence[str] | None:
    """Return the only order in which no coder judges an item twice, if that of the labels is not.

    Values that rarely repeat are measurements, not names of items or coders.
    """
    sizes = [len(column.values) for column in columns]
    n = len(columns[0].codes)
    if n - _pairs(*columns[:2]) < share * n:
        return None
    pairs = [
        pair
        for pair in ((0, 2), (1, 2))
        if max(sizes[i] for i in pair) * REPEATS <= n and _pairs(*(columns[i] for i in pair)) == n
    ]
    if len(pairs) != 1:
        return None
    coder, item = sorted(pairs[0], key=lambda place: sizes[place])
    order = ["label"] * 3
    order[coder], order[item] = "coder", "item"
    return tuple(order)


def _pairs(first: Numbered, other: Numbered) -> int:
    """Return the number of different pairs of values of two columns."""
    return len(np.unique(first.codes.astype(np.int64) * (len(other.values) + 1) + other.codes))


def _occur_alike(codes: Array) -> bool:
    """Return whether all values occur equally often, as items do that equally many coders judge."""
    counts = np.bincount(codes[codes >= 0])
    return bool((counts == counts[0]).all())


def _role(values: Sequence[Any]) -> str | None:
    """Return "item" or "coder" if the values are a usual name and a number: "rater_2"."""
    stems = {_stem(value) for value in values}
    if len(stems) != 1 or None in stems:
        return None
    for role in ("item", "coder"):
        if usual_columns(role, [stem for stem in stems if stem is not None]):
            return role
    return None


def _stem(value: Any) -> str | None:
    match = re.fullmatch(r"([^\W\d_]+)[\W_]*\d+", value) if isinstance(value, str) else None
    return match[1] if match else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and value.isdecimal())

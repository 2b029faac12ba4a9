"""What an engine found, as the parts of annotations: distinct rows, always in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.items import N_ITEMS
from agreement_fast.engines.queries import integers
from agreement_fast.patterns import check_total, group_equal
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.parts import Parts

__all__ = ["Asked", "Found", "Kept", "distinct", "truths"]


class Beside(Protocol):
    """A table as its distinct rows look at it: the columns of groups and along."""

    by: list[str]
    along: list[str]


class Asked(NamedTuple):
    """What labels are to become; see `Annotations.from_frame`."""

    categories: Any = None
    set_separator: str | None = None


class Found(NamedTuple):
    """Parts of annotations, and what columns of groups and along say of each row.

    Attributes
    ----------
    parts : Parts
    beside : list of sequences
        The columns of `by`, then those of `along`; None where a row has nothing there.
    """

    parts: Parts
    beside: list[list[Any]]


class Kept(NamedTuple):
    """Which of the rows that came back stand for those that are alike, in which order.

    Attributes
    ----------
    rows : int array of shape (U,)
    weights : int64 array of shape (U,)
    beside : list of lists
        As in `Found`.
    """

    rows: Array
    weights: Array
    beside: list[list[Any]]


def distinct(table: Beside, found: Any, numbers: Array) -> Kept:
    """Rows that are alike as one, ascending by what stands beside them, then by their numbers.

    An engine may tell labels apart that are one here, such as sets whose elements are written in
    another order, and its rows come in any order.

    Parameters
    ----------
    found : frame
        What came back of `items.alike`.
    numbers : array of shape (n, columns)
        Codes or counts of each row, or floats.
    """
    columns, names = [], []
    for own in (*table.by, *table.along):
        codes, values = _numbered(found[own])
        columns.append(codes)
        names.append(values)
    keys = np.column_stack([*columns, numbers]) if columns else np.ascontiguousarray(numbers)
    group, first = group_equal(keys)
    weights = np.zeros(len(first), np.int64)
    each = integers(found[N_ITEMS])
    check_total(float(each.sum(dtype=np.float64)), "items")
    np.add.at(weights, group, each)
    order = np.lexsort(keys[first].T[::-1]) if keys.shape[1] else np.arange(len(first))
    rows = first[order]
    beside = [
        [values[code] for code in codes[rows].tolist()]
        for codes, values in zip(columns, names, strict=True)
    ]
    return Kept(rows, weights[order], beside)


def _numbered(series: Any) -> tuple[Array, list[Any]]:
    """A column as numbers in the order of its values; what is missing comes last, as None."""
    there = ~series.is_null()
    given = there.to_numpy().astype(bool)
    codes, values = encode_sorted_ids(frames.column(series.filter(there)), "column")
    out = np.full(len(given), len(values), np.int64)
    out[given] = codes
    return out, [*values, None]


def truths(categories: Sequence[Any]) -> tuple[Any, ...]:
    """1 and 0 as True and False, which an engine was asked for as numbers."""
    return tuple(map(bool, categories))

"""What an engine found, as the parts of annotations: distinct rows, always in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.items import N_ITEMS
from agreement_fast.engines.queries import integers
from agreement_fast.patterns import group_equal
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import declared_categories, encode
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.united import united_categories

__all__ = ["Asked", "Found", "Kept", "check_declared", "distinct", "in_own_order", "truths"]


class Beside(Protocol):
    """A table as its distinct rows look at it: the columns of groups and along."""

    by: list[str]
    along: list[str]

    def as_read(self, own: str, value: Any) -> Any:
        """A value of a column as the caller's table has it."""


class Asked(NamedTuple):
    """What judgments are to become; see `Annotations.from_frame`."""

    categories: Any = None
    set_separator: str | None = None
    missing: Any = None
    duplicates: str = "error"
    repeats_of: Any = None
    order: str | None = None


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
        values = [table.as_read(own, value) for value in values]
        columns.append(codes)
        names.append(values)
    keys = np.column_stack([*columns, numbers]) if columns else np.ascontiguousarray(numbers)
    group, first = group_equal(keys)
    weights = np.zeros(len(first), np.int64)
    each = integers(found[N_ITEMS])
    np.add.at(weights, group, each)
    order = np.lexsort(keys[first].T[::-1]) if keys.shape[1] else np.arange(len(first))
    rows = first[order]
    beside = [
        [values[code] for code in codes[rows].tolist()]
        for codes, values in zip(columns, names, strict=True)
    ]
    return Kept(rows, weights[order], beside)


def in_own_order(categories: Sequence[Any], codes: Array) -> tuple[tuple[Any, ...], Array]:
    """Categories in an order that no order of rows changes, and their codes; -1 stays.

    Labels that do not sort, such as sets, stand as they first appear elsewhere.
    """
    ordered, _ = united_categories([(tuple(categories), False)])
    place = {label: i for i, label in enumerate(ordered)}
    new = np.array([*(place[label] for label in categories), -1], codes.dtype)
    return ordered, new[codes]


def check_declared(
    place: str, values: Iterable[Any], declared: Sequence[Any], asked: Asked
) -> None:
    """Refuse labels that are not among the declared categories; `place` says where they stand."""
    encode(
        np.array([*values, None], object)[:-1],
        (),
        declared_categories(declared),
        lambda _: place,
        None,
        asked.set_separator,
    )


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

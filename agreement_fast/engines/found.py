"""The result of an engine as parts of annotations: distinct rows, always in the same order."""

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
from agreement_fast.recognition.labels import hint_at_coders, hint_at_labels, hint_at_numbers


class Beside(Protocol):
    """The columns of groups and along, as distinct rows use them."""

    by: list[str]
    along: list[str]

    def as_read(self, own: str, value: Any) -> Any:
        """Return a value of a column as it is in the caller's table."""


class Asked(NamedTuple):
    """The options of reading; see `Annotations.from_frame`."""

    categories: Any = None
    set_separator: str | None = None
    missing: Any = None
    duplicates: str = "error"
    repeats_of: Any = None
    order: str | None = None


class Found(NamedTuple):
    """Parts of annotations, and the values of groups and along of each row.

    Attributes
    ----------
    parts : Parts
        The parts of annotations.
    beside : list of sequences
        The columns of `by`, then those of `along`; None if a row has no value.
    """

    parts: Parts
    beside: list[list[Any]]


class Kept(NamedTuple):
    """The returned rows that remain after equal rows are merged, in order.

    Attributes
    ----------
    rows : int array of shape (U,)
        The first of each set of equal rows.
    weights : int64 array of shape (U,)
        The number of items of each.
    beside : list of lists
        The columns of `by`, then those of `along`.
    """

    rows: Array
    weights: Array
    beside: list[list[Any]]


def distinct(table: Beside, found: Any, numbers: Array) -> Kept:
    """Merge equal rows, sorted by the values beside them and then by their numbers.

    An engine may distinguish labels that are equal here, such as sets whose elements are written in
    different orders, and it returns rows in any order.

    Parameters
    ----------
    found : frame
        The result of `items.alike`.
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
    """Return categories in an order that does not depend on the rows, and their codes.

    Labels that do not sort, such as sets, are elsewhere in the order of their first occurrence. The
    code -1 stays.
    """
    ordered, _ = united_categories([(tuple(categories), False)])
    place = {label: i for i, label in enumerate(ordered)}
    new = np.array([*(place[label] for label in categories), -1], codes.dtype)
    return ordered, new[codes]


def check_declared(
    place: str, values: Iterable[Any], declared: Sequence[Any], asked: Asked
) -> None:
    """Raise an error for labels outside the declared categories; `place` names the column."""
    encode(
        np.array([*values, None], object)[:-1],
        None,
        declared_categories(declared),
        lambda _: place,
        None,
        asked.set_separator,
    )


def _numbered(series: Any) -> tuple[Array, list[Any]]:
    """Return a column as numbers in the order of its values; missing values come last, as None."""
    there = ~series.is_null()
    given = there.to_numpy().astype(bool)
    codes, values = encode_sorted_ids(frames.column(series.filter(there)), "column")
    out = np.full(len(given), len(values), np.int64)
    out[given] = codes
    return out, [*values, None]


def hint_at(parts: Parts) -> None:
    """Warn of labels and coders that may be meant otherwise; rows stand for several judgments."""
    hint_at_coders(parts["coders"] or ())
    numbers = parts.get("numbers")
    if numbers is not None:
        hint_at_numbers(numbers)
    elif not parts.get("declared"):
        hint_at_labels(parts.get("categories") or ())


def truths(categories: Sequence[Any]) -> tuple[Any, ...]:
    """Return True and False for 1 and 0, which stand for booleans in the engine."""
    return tuple(map(bool, categories))

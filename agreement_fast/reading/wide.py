"""Tables of items × coders."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from agreement_fast import patterns
from agreement_fast._kernels import _encode
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.hints import OrientationHint, hint
from agreement_fast.patterns import Rows, key_histogram, narrow
from agreement_fast.reading import frames, labels
from agreement_fast.reading.labels import Categories, Raw, encode
from agreement_fast.reading.near_misses import hint_at_labels
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.shapes import check_values, find_judgments, item_column
from agreement_fast.reading.tables import (
    checked_names,
    column_values,
    item_weights,
    named_columns,
    names_in,
    row_names,
    take_column,
    wide_values,
)
from agreement_fast.recognition.read import Recognition

__all__ = ["OrientationHint", "read_wide", "refuse_judgments"]

#: What a table of items × coders is.
WIDE = Recognition("wide")
#: Types of labels that are never near misses or sets.
INTEGERS = {int}


def read_wide(
    table: Any,
    *,
    missing: Any = None,
    categories: Any = None,
    items: Any = None,
    coders: Sequence[Any] | None = None,
    weights: Any = None,
    set_separator: str | None = None,
    columns: dict[Any, Any] | None = None,
    named: bool = True,
    copy: bool = True,
) -> Parts:
    """Read a table of items × coders; see `Annotations.from_wide`.

    `columns` are those of a table with names that does not hold one judgment per row; `named` means
    that the table may have names and has not been inspected. If `copy`, copy a table that the
    caller could change later.
    """
    if columns is None and named:
        table = frames.at_hand(table)
    known = named_columns(table) if columns is None and named else columns
    if known is None:
        values, shape, names = wide_values(table)
    else:
        if columns is None and coders is None:
            refuse_judgments(table, known)
        if isinstance(items, str) or (items is None and coders is None):
            name = items if isinstance(items, str) else item_column(table, known)
            items = None if name is None else names_in(take_column(known, name))
        values, shape, names = column_values(known, len(table))
    if coders is None:
        check_values(values, shape, names)
        coders = names
    n_rows, width = shape
    plain = known is None and items is None
    item_names = range(n_rows) if plain else row_names(table, n_rows, items)
    frequencies = None if weights is None else item_weights(weights, item_names)
    coder_names = (
        range(width) if coders is None else checked_names(coders, width, "coders", "column")
    )
    if width > n_rows > 0 and coders is None:
        hint(
            f"the table has {n_rows} rows (items) and {width} columns (coders); if the rows are "
            "coders, transpose it; pass coders= to say that the columns are coders",
            OrientationHint,
        )

    declared = None if categories is None else labels.declared_categories(categories)
    absent = () if missing is None else labels.missing_values(missing)
    parts = Parts(items=item_names, coders=coder_names, weights=frequencies, read=WIDE)
    if isinstance(values, frames.Dictionary) and values.ordered and declared is None:
        declared = labels.declared_order(values, absent)
    plain = declared is None and not absent and set_separator is None
    small = n_rows < patterns.FEW_ROWS
    if plain and width:
        settled = None
        if isinstance(values, frames.Dictionary):
            if values.by_appearance:
                settled = _encode.settle(np.ascontiguousarray(values.codes), values.labels)
        elif small and isinstance(values, np.ndarray):
            settled = labels.settle_numbers(values)
        if settled is not None:
            found, codes = settled
            if {*map(type, found)} != INTEGERS:
                hint_at_labels(found)
            parts["categories"] = found
            parts["rows"] = Rows(codes, width, None, None, None, frequencies)
            return parts
    parts["declared"] = declared is not None
    if isinstance(values, np.ndarray) and values.dtype.kind == "f" and values.size:
        counted = None
        if not (plain and small):  # small plain tables are settled below
            counted = labels.whole_numbers(values) or labels.few_numbers(values)
        if counted is not None:
            values = counted
        elif declared is None and set_separator is None:
            # Distinct numbers are only counted when needed, which an interval distance does not.
            numbers = values.astype(np.float64, copy=copy or bool(absent))
            for label in absent:
                if isinstance(label, (int, float, np.number)):
                    numbers[numbers == label] = np.nan
            parts["numbers"] = numbers
            return parts
    _number(parts, values, shape, absent, declared, set_separator, copy)
    return parts


def _number(
    parts: Parts,
    values: Any,
    shape: tuple[int, int],
    absent: tuple[Hashable, ...],
    declared: Categories | None,
    set_separator: str | None,
    copy: bool,
) -> None:
    """Number the labels of any table, and find its patterns if that is cheap."""
    (n_rows, width), frequencies = shape, parts["weights"]
    item_names, coder_names = parts["items"], parts["coders"]
    assert coder_names is not None

    def where(flat: int) -> str:
        row, column = divmod(flat, width)
        return f"item {item_names[row]!r}, coder {coder_names[column]!r}"

    histogram: list[tuple[Array, Array]] = []

    def occurring(array: Array, low: int, n_states: int) -> Array | None:
        """Return the integers that occur, from the patterns, which are needed anyway."""
        found = key_histogram(array, frequencies, low, n_states)
        # The histogram does not count rows of weight 0, but their labels are labels, too.
        if found is None or (frequencies is not None and not frequencies.all()):
            return None
        histogram.append(found)
        flags = np.zeros(1 << max(1, (n_states - 1).bit_length()), np.uint8)
        flags[found[0]] = 1
        return flags[:n_states]

    small = n_rows < patterns.FEW_ROWS
    raw, found = encode(
        values, absent, declared, where, None if small else occurring, set_separator
    )
    if declared is None and {*map(type, found)} != INTEGERS:
        hint_at_labels(found)
    parts["categories"] = found
    if raw.values.ndim == 1:
        raw = Raw(raw.values.reshape(shape), *raw[1:])
    shared = isinstance(values, np.ndarray) and np.may_share_memory(raw.values, values)
    if width and (small or (copy and shared)):
        # Copy the codes before the caller changes the table.
        codes = raw.codes(len(found)).reshape(-1)
        parts["rows"] = Rows(codes, width, None, None, None, frequencies)
    else:
        parts["raw"] = raw
    if histogram:
        digits, often = histogram[0]
        codes = raw.lookup[digits].astype(narrow(len(found)))
        parts["patterns"] = Rows(codes.reshape(-1), width, weights=often)


def refuse_judgments(table: Any, columns: Mapping[Any, Any]) -> None:
    """Refuse columns that hold one judgment per row."""
    found = find_judgments({**frames.index_columns(table), **columns}, {})
    if found is not None:
        roles = zip(("item", "coder", "label"), found, strict=True)
        said = ", ".join(f"{role}={name!r}" for role, name in roles)
        raise InputError(
            f"the columns {found.item!r}, {found.coder!r} and {found.label!r} hold one judgment "
            "per row",
            (
                f"write Annotations.from_frame(frame, {said}), or pass ",
                Argument("coders"),
                " to say that each column is a coder",
            ),
        )

"""Read sets from indicators or bit masks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import Rows, group_equal, narrow, number_rows
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import declared_categories

#: Errors of these arguments.
wrong_masks = partial(InputError, argument="masks")
wrong_table = partial(InputError, argument="table")


def from_masks(masks: Any, elements: Sequence[Hashable] | None = None) -> Dictionary:
    """Read bit masks as codes and the distinct sets; see `Annotations.from_masks`."""
    values = np.ma.getdata(masks) if isinstance(masks, np.ma.MaskedArray) else np.asarray(masks)
    if values.dtype.kind not in "iu":
        raise InputTypeError(
            f"bit masks must be an array of integers, not {values.dtype}",
            "64 bits need np.uint64, more bits need an axis of words",
            argument="masks",
        )
    names = declared_categories(elements) if elements is not None else tuple(range(64))
    assert names is not None
    n_words = max(1, -(-len(names) // 64))
    if n_words > 1 and (values.ndim < 2 or values.shape[-1] != n_words):
        raise wrong_masks(
            f"{len(names)} elements need {n_words} words of 64 bits on the last axis, got an array "
            f"of shape {values.shape}"
        )
    gone = np.ma.getmaskarray(masks) if isinstance(masks, np.ma.MaskedArray) else None
    shape = values.shape if n_words == 1 else values.shape[:-1]
    if n_words > 1:
        missing = None if gone is None else gone.any(-1)
        words = values.reshape(-1, n_words).astype(np.int64).view(np.uint64)
    else:
        missing = values == -1 if values.dtype.kind == "i" else None
        missing = gone if missing is None else missing if gone is None else missing | gone
        low = int(values.min(initial=0, where=True if missing is None else ~missing))
        if low < 0:
            raise wrong_masks(
                f"{low} is not a bit mask: a mask must be 0 or more, or -1 for missing"
            )
        words = values.reshape(-1, 1)
    codes, distinct = _number(words, None if missing is None else missing.reshape(-1))
    bits = np.unpackbits(distinct.view(np.uint8), axis=1, bitorder="little")
    if bits[:, len(names) :].any():
        bit = int(np.flatnonzero(bits[:, len(names) :].any(0))[0]) + len(names)
        raise wrong_masks(f"bit {bit} is set in a mask, but there are only {len(names)} elements")
    return Dictionary(codes.reshape(shape), _sets(bits, names), False)


def _number(words: Array, missing: Array | None) -> tuple[Array, Array]:
    """Return codes of rows of words (-1 missing), and the distinct rows as uint64, ascending."""
    where = slice(None) if missing is None else np.flatnonzero(~missing)
    codes = np.full(len(words), -1, np.int32)
    if words.shape[1] == 1:
        codes[where], used = encode_sorted_ids(words[where, 0], "mask")
        return codes, np.array(used, np.uint64)[:, None]
    group, first = group_equal(words[where])
    distinct = words[where][first]
    order = np.lexsort(distinct.T)
    codes[where] = np.argsort(order)[group]
    return codes, np.ascontiguousarray(distinct[order])


def _sets(bits: Array, names: Sequence[Hashable]) -> list[Any]:
    """Return a frozenset for each row of 0s and 1s."""
    owner, element = np.nonzero(bits)
    start = np.searchsorted(owner, np.arange(len(bits) + 1)).tolist()
    members = [names[e] for e in element.tolist()]
    return [frozenset(members[start[i] : start[i + 1]]) for i in range(len(bits))]


def from_indicators(
    table: Any,
    elements: Sequence[Hashable] | None = None,
    *,
    n_coders: int | None = None,
    missing: Any = None,
) -> Dictionary:
    """Read indicators as codes and the distinct sets; see `Annotations.from_indicators`."""
    names = None if elements is None else declared_categories(elements)
    table = frames.at_hand(table)
    if frames.is_frame(table):
        columns = frames.columns(table)
        if not columns:
            raise wrong_table("the frame has no columns: it needs one for each element")
        if any(isinstance(column, Dictionary) for column in columns.values()):
            raise InputTypeError(
                "indicators must be 0 or 1, but a column of the frame holds text",
                argument="table",
            )
        names = tuple(columns) if names is None else names
        table = np.column_stack([np.asarray(column) for column in columns.values()])
    if isinstance(table, np.ma.MaskedArray):
        table = np.where(np.ma.getmaskarray(table), np.nan, table.data)
    sparse = hasattr(table, "tocsr")
    values = table if sparse else np.asarray(table)
    if len(values.shape) not in (2, 3):
        raise InputTypeError(
            f"indicators must have two or three dimensions, not {len(values.shape)}",
            argument="table",
        )
    shape, n_elements = values.shape[:-1], values.shape[-1]
    names = tuple(range(n_elements)) if names is None else names
    if len(names) != n_elements:
        raise InputError(
            f"expected {n_elements} elements, one per column of the table, got {len(names)}",
            argument="elements",
        )
    if n_coders is not None:
        if len(shape) != 1 or n_coders < 1 or shape[0] % n_coders:
            raise InputError(
                (
                    Argument("n_coders", n_coders),
                    f" does not divide a table of shape {values.shape} into items",
                )
            )
        shape = (shape[0] // n_coders, n_coders)
    gone: Array = np.zeros(int(np.prod(shape)), bool)
    if missing is not None:
        given = np.asarray(missing)
        if given.dtype != bool or given.shape not in (shape, values.shape[:-1]):
            raise InputError(
                f"missing must be an array of bool of shape {shape}",
                argument="missing",
            )
        gone |= given.reshape(-1)
    if sparse:
        flat = values.reshape((-1, n_elements)) if len(values.shape) == 3 else values
        codes, sets = _sparse_sets(flat, names)
    else:
        codes, sets, absent = _dense_sets(values.reshape(len(gone), n_elements), names, gone)
        gone |= absent
    codes[gone] = -1
    return Dictionary(codes.reshape(shape), sets, False)


def _dense_sets(
    values: Array, names: Sequence[Hashable], gone: Array
) -> tuple[Array, list[Any], Array]:
    if values.dtype.kind == "O":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputTypeError(f"indicators must be 0 or 1: {error}", argument="table") from None
    if values.dtype.kind not in "buif":
        raise InputTypeError(f"indicators must be 0 or 1, not {values.dtype}", argument="table")
    absent: Array = np.zeros(len(values), bool)
    if values.dtype.kind == "f":
        unknown = np.isnan(values)
        absent = np.asarray(unknown.any(1))
        partly = absent & ~unknown.all(1) & ~gone
        if partly.any():
            row = int(np.argmax(partly))
            raise wrong_table(
                f"row {row} of the indicators is missing in part: a row must be all NaN or all 0 "
                "and 1"
            )
    ones = values == 1
    bad = ~(ones | (values == 0)) & ~(gone | absent)[:, None]
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise wrong_table(
            f"{values[row, column]} in row {row}, column {names[column]!r}: indicators must be 0 "
            "or 1"
        )
    packed = np.packbits(ones, axis=1)
    # Without elements, all sets are the empty one.
    group, first = group_equal(packed if packed.shape[1] else np.zeros(len(values), np.int8))
    return group, _sets(ones[first], names), absent


def _sparse_sets(table: Any, names: Sequence[Hashable]) -> tuple[Array, list[Any]]:
    rows = table.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    rows.sort_indices()
    if (rows.data != 1).any():
        at = int(np.argmax(rows.data != 1))
        row = int(np.searchsorted(rows.indptr, at, side="right")) - 1
        raise wrong_table(
            f"{rows.data[at]} in row {row}, column {names[rows.indices[at]]!r}: indicators must "
            "be 0 or 1"
        )
    start, elements = rows.indptr.astype(np.int64), rows.indices
    group, first = number_rows(
        Rows(elements.astype(narrow(len(names))), 0, start, None, None, None)
    )
    members = [
        frozenset(names[e] for e in elements[start[row] : start[row + 1]].tolist()) for row in first
    ]
    return group, members

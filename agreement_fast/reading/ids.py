"""Turn names of items and coders into integer codes, in the order that coders have everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.patterns import group_equal
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.labels import SPREAD, arrange, as_python, native, refuse_change

__all__ = [
    "NUMBERS",
    "arranged",
    "encode_ids",
    "encode_sorted_ids",
    "plain",
    "sort_ids",
    "text_of",
]

NUMBERS = frozenset({int, float, bool})


def encode_ids(values: Any, what: str) -> tuple[Array, Any]:
    """Number items or coders in order of first appearance; O(n).

    Returns
    -------
    codes : int32 array of shape (n,)
    labels : array or list
    """
    if isinstance(values, Dictionary):
        if len(values.codes) and values.codes.min() < 0:
            raise _no_id(what, int(np.argmin(values.codes)))
        if values.by_appearance:
            return values.codes, values.labels
        codes, first = _first_appearance(values.codes, 0, len(values.labels))
        return codes, list(map(values.labels.__getitem__, values.codes[first].tolist()))
    if isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray):
        values = native(values)
        kind = values.dtype.kind
        if kind in "fmM":
            gone = np.isnan(values) if kind == "f" else np.isnat(values)
            if gone.any():
                raise _no_id(what, int(np.argmax(gone)))
        if kind == "f":
            values = values + values.dtype.type(0)  # turns -0.0 into 0.0
        dense = _dense_integers(values)
        if dense is not None:
            codes, first = _first_appearance(*dense)
            return codes, values[first]
        # Long doubles contain padding bytes.
        if kind in "buifSUmM" and values.dtype.itemsize and values.dtype.char != "g":
            codes, first = group_equal(values)
            return codes, values[first]
    flat_values = list(values.tolist() if isinstance(values, np.ndarray) else values)
    codes = np.empty(len(flat_values), np.int32)
    known: dict[Any, int] = {}
    position, error = _encode.encode_objects(flat_values, known, codes)
    if error is not None:
        raise InputTypeError(
            f"{what} {flat_values[position]!r} of judgment {position} cannot be hashed"
        )
    if len(codes) and codes.min() < 0:
        raise _no_id(what, int(np.argmin(codes)))
    return codes, plain(list(known))


def plain(labels: list[Any]) -> list[Any]:
    """Return labels with Python objects in place of numpy scalars."""
    if any(issubclass(kind, np.generic) for kind in set(map(type, labels))):
        return [as_python(label) for label in labels]
    return labels


def _dense_integers(values: Array) -> tuple[Array, int, int] | None:
    """Return integers that can index a table: signed, with the smallest and the spread."""
    if values.dtype.kind not in "bui" or not values.size:
        return None
    flat = np.ascontiguousarray(values)
    flat = flat.view(np.int8) if values.dtype.kind == "b" else flat
    low, high = int(flat.min()), int(flat.max())
    if high - low >= 8 * flat.size + SPREAD or high > np.iinfo(np.int64).max:
        return None
    signed = flat.view(f"i{flat.itemsize}") if _fits(flat, high) else flat.astype("i8")
    return signed, low, high - low + 1


def _fits(flat: Array, high: int) -> bool:
    """Return whether unsigned values may be read as signed ones of the same size."""
    return flat.dtype.kind != "u" or high <= np.iinfo(f"i{flat.itemsize}").max


def _no_id(what: str, position: int) -> InputError:
    return InputError(f"judgment {position} has no {what}", "every judgment needs one")


def _first_appearance(values: Array, low: int, spread: int) -> tuple[Array, Array]:
    lookup = np.full(spread, -1, np.int32)
    codes = np.empty(len(values), np.int32)
    first = np.empty(min(spread, len(values)), np.int64)
    n_codes = _encode.number_in_order(np.ascontiguousarray(values), low, lookup, codes, first)
    if n_codes < 0:
        refuse_change()
    return codes, first[:n_codes]


def encode_sorted_ids(values: Any, what: str) -> tuple[Array, list[Any]]:
    """Number items or coders, sorted; see `arranged` and `encode_ids`."""
    plain_array = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)
    dense = _dense_integers(native(values)) if plain_array else None
    if dense is None:
        return sort_ids(*encode_ids(values, what))
    flat, low, spread = dense
    flags = np.zeros(spread, np.uint8)
    unchanged = _encode.mark_present(flat, low, flags)
    found = np.flatnonzero(flags)
    # No code may be negative, even if the caller changes an integer meanwhile.
    lookup = np.zeros(spread, np.int32)
    lookup[found] = np.arange(len(found))
    codes = np.empty(len(flat), np.int32)
    if not (_encode.recode(flat, low, lookup, codes) and unchanged):
        refuse_change()
    labels = (found + low).tolist()
    return codes, list(map(bool, labels)) if values.dtype.kind == "b" else labels


def sort_ids(codes: Array, labels: Any) -> tuple[Array, list[Any]]:
    """Return the same ids sorted; see `arranged`."""
    listed = plain(list(labels))
    order = arranged(listed)
    lookup = np.empty(max(len(order), 1), np.int32)
    lookup[order] = np.arange(len(order))
    out = np.empty(len(codes), np.int32)
    _encode.recode(codes, 0, lookup, out)
    return out, [listed[i] for i in order]


def arranged(names: list[Any]) -> list[int]:
    """Return the places of names sorted; if they do not sort, numbers, texts, others by their text.

    The order does not depend on that of the data, so that names of several pieces have it, too.
    """
    kinds = set(map(type, names))
    if kinds <= {str} or kinds <= NUMBERS:
        return arrange(names)
    places = sorted(range(len(names)), key=lambda place: _place(names[place]))
    return [places[i] for i in arrange([names[place] for place in places])]


def _place(name: Any) -> tuple[int, Any, str]:
    if isinstance(name, int | float):
        return 0, name, ""
    if isinstance(name, str):
        return 1, 0, name
    size = len(name) if isinstance(name, frozenset) else 0
    return 2, size, text_of(name)


def text_of(name: Any) -> str:
    """Return a text for each name, with the elements of a set in a stable order."""
    if isinstance(name, frozenset):
        return f"frozenset {sorted(map(text_of, name))}"
    if isinstance(name, tuple):
        return f"tuple {list(map(text_of, name))}"
    return f"{type(name).__name__} {name!r}"

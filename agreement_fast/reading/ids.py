"""Turn names of items and coders into integer codes, in the order that coders have everywhere.

What coders saw without marking anything is named by them, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase
from agreement_fast.patterns import group_equal
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.labels import (
    SPREAD,
    arrange,
    as_python,
    in_python,
    is_masked_array,
    native,
    refuse_change,
)
from agreement_fast.reading.recognition.labels import is_blank

NUMBERS = frozenset({int, float, bool})
INTEGER = np.dtype(int)


def encode_ids(values: Any, what: str) -> tuple[Array, Any]:
    """Number items or coders in order of first appearance; O(n).

    A blank text names no item and no coder. Returns int32 (n,); array or list.
    """
    codes, names = _numbered(values, what)
    texts = isinstance(names, list) or getattr(names, "dtype", INTEGER).kind in "OSU"
    if what in ("item", "coder") and texts:
        blank = _place_of_blank(names)
        if blank is not None:
            raise _no_id(what, int(np.argmax(codes == blank)))
    return codes, names


def _place_of_blank(names: Any) -> int | None:
    """Return the place of an empty or blank text among names."""
    listed = names.tolist() if isinstance(names, np.ndarray) else names
    kinds = {*map(type, listed)}
    if kinds.isdisjoint((str, bytes)) or (kinds == {str} and all(map(str.strip, listed))):
        return None  # faster than a look at each
    return next((place for place, name in enumerate(listed) if is_blank(name)), None)


def _numbered(values: Any, what: str) -> tuple[Array, Any]:
    if isinstance(values, Dictionary):
        if len(values.codes) and values.codes.min() < 0:
            raise _no_id(what, int(np.argmin(values.codes)))
        if values.by_appearance:
            return values.codes, values.labels
        codes, first = _first_appearance(values.codes, 0, len(values.labels))
        return codes, list(map(values.labels.__getitem__, values.codes[first].tolist()))
    if isinstance(values, np.ndarray) and not is_masked_array(values):
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
    return codes, in_python(known)


def _dense_integers(values: Array) -> tuple[Array, int, int] | None:
    """Return integers that can index a table: signed, with the smallest and the spread."""
    if values.dtype.kind not in "bui" or not values.size:
        return None
    flat = np.ascontiguousarray(values)
    flat = flat.view(np.int8) if values.dtype.kind == "b" else flat
    low, high = int(flat.min()), int(flat.max())
    if high - low >= 8 * flat.size + SPREAD or high > np.iinfo(np.int64).max:
        return None
    fits = flat.dtype.kind != "u" or high <= np.iinfo(f"i{flat.itemsize}").max
    signed = flat.view(f"i{flat.itemsize}") if fits else flat.astype("i8")
    return signed, low, high - low + 1


def _no_id(what: str, position: int) -> InputError:
    return InputError(
        f"judgment {position} has no {what}",
        "every judgment needs one: fill in a name, or leave out the rows without one",
    )


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
    plain_array = isinstance(values, np.ndarray) and not is_masked_array(values)
    dense = _dense_integers(native(values)) if plain_array else None
    if dense is None:
        return sort_ids(*encode_ids(values, what))
    flat, low, spread = dense
    flags = np.zeros(spread, np.uint8)
    unchanged = _encode.mark_present(flat, low, flags)
    places = np.flatnonzero(flags)
    # No code may be negative, even if the caller changes an integer meanwhile.
    lookup = np.zeros(spread, np.int32)
    lookup[places] = np.arange(len(places))
    codes = np.empty(len(flat), np.int32)
    if not (_encode.recode(flat, low, lookup, codes) and unchanged):
        refuse_change()
    labels = (places + low).tolist()
    return codes, list(map(bool, labels)) if values.dtype.kind == "b" else labels


def sort_ids(codes: Array, labels: Any) -> tuple[Array, list[Any]]:
    """Return the same ids sorted; see `arranged`."""
    listed = in_python(labels)
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


Pairs = list[tuple[Any, Any]]


def read_seen(
    given: Any, what: str = "document", *, or_all: bool = False
) -> tuple[list[Any], Pairs]:
    """Give what is named, and the pairs of a document, say, and a coder who saw it.

    `what`: what coders saw. `or_all`: whether the argument may also be 'all', which its error says.
    """
    if isinstance(given, Mapping):
        pairs = [
            (_name(name, what), _name(who, "coder"))
            for name, coders in given.items()
            for who in _several(coders, what, name)
        ]
        return [_name(name, what) for name in given], pairs
    if frames.is_frame(given) or frames.is_lazy(given):
        picked = frames.in_roles(given, (what, "coder"), "seen")
        given = zip(*map(frames.listed, picked), strict=True)
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError.must_be(
            "seen",
            ("'all', " if or_all else "")
            + f"a mapping from {what}s to coders, or rows ({what}, coder)",
            given,
        )
    pairs = []
    for place, row in enumerate(given):
        pair = () if isinstance(row, (str, bytes)) or not isinstance(row, Iterable) else tuple(row)
        if len(pair) != 2:
            raise InputError(
                (Argument("seen"), " has ", Phrase("row", f"row {place}", place), f" {row!r}"),
                f"a row is ({what}, coder)",
            )
        row_place = Phrase("row", f"row {place}", place)
        pairs.append((_name(pair[0], what, row_place), _name(pair[1], "coder", row_place)))
    return list(dict.fromkeys(name for name, _ in pairs)), pairs


def name_of(value: Any, what: str, argument: str, where: Phrase | str = "") -> Any:
    """A name as Python's object; refuse what is missing or cannot be a name."""
    try:
        hash(value)
        missing = value is None or bool(value != value)
    except TypeError:  # not hashable, or pandas' NA
        missing = type(value).__name__ == "NAType"
        if not missing:
            raise InputTypeError(
                (Argument(argument), f" has the {what} {value!r}, which is not hashable"),
                "pass a text or a number",
            ) from None
    if missing:
        raise InputError(
            (Argument(argument), ": ", where or "an entry", f" has no {what} ({value!r})"),
            "leave it out, or give it a name",
        )
    return as_python(value)


def _name(value: Any, what: str, where: Phrase | str = "") -> Any:
    return name_of(value, what, "seen", where)


def _several(coders: Any, what: str, value: Any) -> Iterable[Any]:
    if isinstance(coders, (str, bytes)) or not isinstance(coders, Iterable):
        raise InputTypeError(
            (Argument("seen"), f" has {coders!r} for {what} {value!r}: expected a list of coders")
        )
    return coders

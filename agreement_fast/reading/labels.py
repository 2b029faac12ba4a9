"""Labels of any kind -> integer codes and the list of categories.

One rule holds for categories, items and coders alike: what occurs, sorted where sortable, else in
order of first appearance. Equality is Python's: 1, 1.0 and True are one label, "1" is another.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase, Sentence
from agreement_fast.patterns import group_equal, narrow
from agreement_fast.reading.frames import Dictionary

Categories = tuple[Hashable, ...]
#: Categories, as an array where they are many numbers.
Labels = Categories | Array

#: Floats that are looked at first, before a pass over all of them.
LOOK = 4096

#: Types of numbers that the kernels take.
INTEGERS = "bhilqBHILQ"
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))

#: Floats of which at most so many are distinct are numbered at once; others when somebody asks.
FEW = 127

#: Integers spread over no more than this are coded by a table of what occurs, without a sort.
SPREAD = 1 << 16


class Raw(NamedTuple):
    """Values not yet turned into codes: small integers, and what each stands for.

    ``lookup[values[i] - low]`` is the code of value i; `identical` says that it equals values[i].
    The values may be the caller's array.
    """

    values: Array
    low: int
    lookup: Array
    identical: bool

    def codes(self, n_categories: int) -> Array:
        """Codes in the narrowest type, in memory of their own, row by row."""
        flat = np.ascontiguousarray(self.values).reshape(-1)
        out = np.empty(len(flat), np.int8 if n_categories <= 127 else narrow(n_categories))
        if self.identical and flat.dtype == out.dtype:
            unchanged = _encode.copy_codes(flat, n_categories, out)
        else:
            unchanged = _encode.recode(flat, self.low, self.lookup, out)
        if not unchanged:
            refuse_change()
        return out.reshape(self.values.shape)


def refuse_change() -> NoReturn:
    """Refuse values that are not those that were looked at a moment ago."""
    raise RuntimeError("the array was written to while it was read")


def native(array: Array) -> Array:
    """The array, or a copy if its numbers are not aligned and in the byte order of the machine.

    The kernels take nothing else.
    """
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    return array if array.flags.aligned else array.copy()


def unmasked(array: Array) -> Array:
    """The array, or if it is masked a plain copy: masked floats are NaN, other entries None."""
    if not isinstance(array, np.ma.MaskedArray):
        return array
    if array.dtype.kind == "f":
        filled: Array = array.filled(np.nan)
        return filled
    objects = array.data.astype(object)
    objects[np.ma.getmaskarray(array)] = None
    return objects


def missing_values(missing: Any) -> tuple[Hashable, ...]:
    """The argument `missing` as a tuple: None, one value, or several."""
    if missing is None:
        return ()
    if isinstance(missing, (str, bytes)) or not isinstance(missing, Iterable):
        missing = (missing,)
    values = tuple(missing)
    for value in values:
        if not isinstance(value, Hashable) or (isinstance(value, tuple) and not _has_hash(value)):
            raise InputTypeError.must_be("missing", "labels, which can be hashed", value)
    return values


def _has_hash(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def declared_categories(categories: Any) -> Categories | None:
    """The argument `categories` as a tuple of distinct labels, or None."""
    if categories is None:
        return None
    if isinstance(categories, (str, bytes)) or not isinstance(categories, Iterable):
        raise InputTypeError.must_be(
            "categories",
            "a sequence of labels",
            categories,
            ("write ", Argument("categories", ["low", "high"])),
        )
    labels = tuple(as_python(freeze(label)) for label in categories)
    seen: set[Hashable] = set()
    for label in labels:
        try:
            known = label in seen
        except TypeError:
            raise InputTypeError(
                f"category {label!r} cannot be hashed",
                "a category is a label or a set of elements",
                argument="categories",
            ) from None
        if known:
            raise InputError(f"category {label!r} is declared twice", argument="categories")
        if label is None or label != label:
            raise InputError(
                f"{label!r} is missing, it cannot be a category", argument="categories"
            )
        seen.add(label)
    if not labels:
        raise InputError(
            (Argument("categories"), " is empty"),
            "leave it out to take what occurs",
            argument="categories",
        )
    return labels


def declared_order(values: Any, missing: tuple[Hashable, ...]) -> Categories | None:
    """The categories that an ordered column of a data frame declares, or None."""
    if not (isinstance(values, Dictionary) and values.ordered):
        return None
    return tuple(label for label in values.labels if label not in missing)


def freeze(label: Any) -> Any:
    """A set, list or array of elements as a frozenset; other labels as they are."""
    if isinstance(label, np.ndarray) and label.ndim == 1:
        label = label.tolist()
    return frozenset(label) if isinstance(label, (set, list)) else label


def split_set(label: Any, separator: str) -> Any:
    """The set that a text stands for, without the blanks around elements; empty text is empty."""
    if not (isinstance(separator, str) and separator):
        raise InputTypeError.must_be("set_separator", "text such as '|'", separator)
    if isinstance(label, frozenset):
        return label
    if not isinstance(label, str):
        raise InputTypeError(
            f"label {label!r} is not text",
            (Argument("set_separator"), " splits text into sets"),
            argument="set_separator",
        )
    elements = [element.strip() for element in label.split(separator)] if label.strip() else []
    if not all(elements):
        raise InputError(
            f"label {label!r} has an empty element",
            f"{separator!r} stands between elements only, and the empty set is empty text",
        )
    return frozenset(elements)


def as_python(label: Any) -> Any:
    """A numpy scalar as the Python object that it equals; other labels as they are."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufSU" else label


#: The order of distinct labels, and whole floats as ints where all labels are such.
arrange, integral = _encode.arrange, _encode.integral

#: Types of labels that are Python's own.
PLAIN = frozenset((int, float, str, bool))


class Numbered(NamedTuple):
    """Values as small integers: `labels[j]` is what the integer `low + states[j]` stands for.

    Only integers that occur are listed; `gone` are those that stand for missing values.
    """

    values: Array
    low: int
    states: Sequence[int]
    labels: list[Any]
    gone: Sequence[int]


#: Tells which of the integers low .. low + n - 1 occur in an array (one flag each), or None.
Occurring = Callable[[Array, int, int], "Array | None"]


def encode(
    values: Any,
    missing: tuple[Hashable, ...],
    declared: Categories | None,
    where: Callable[[int], Sentence],
    occurring: Occurring | None = None,
    separator: str | None = None,
) -> tuple[Raw, Categories]:
    """Number the labels of an array or list.

    Parameters
    ----------
    values : array of any shape, or list
        None, NaN, NaT, NA and masked entries are missing.
    missing : tuple
        More values that are missing.
    declared : tuple or None
        The categories; None takes what occurs.
    where : function of a flat position
        Names the place of a value in an error message.
    occurring : Occurring, optional
        A cheaper way to find the integers that occur.
    separator : str, optional
        Stands between the elements of labels that are sets written as text.

    Returns
    -------
    raw : Raw
        Codes that are not written out before somebody needs them.
    categories : tuple
    """
    numbered = number(values, missing, where, occurring)
    found = integral(numbered.labels)
    if separator is not None:
        found = [split_set(label, separator) for label in found]
        if declared is not None:
            declared = tuple(dict.fromkeys(split_set(label, separator) for label in declared))
    if declared is None:
        distinct = found if separator is None else list(dict.fromkeys(found))
        declared = tuple(map(distinct.__getitem__, arrange(distinct)))
    codes = dict(zip(declared, range(len(declared)), strict=True))
    low, states, gone = numbered.low, numbered.states, numbered.gone
    lookup = [-1] * (1 + max(states[-1] if states else 0, gone[-1] if gone else 0))
    identical = True
    for state, label in zip(states, found, strict=True):
        if label not in codes:
            flat = np.asarray(numbered.values).reshape(-1)
            place = where(int(np.flatnonzero(flat == low + state)[0]))
            raise InputError(
                (
                    f"label {label!r}",
                    Phrase("place", (" of ", place)),
                    f" is not among the declared categories {shorten(declared)}",
                ),
                ("declare it, or pass ", Argument("missing", [label])),
                argument="categories",
            )
        lookup[state] = code = codes[label]
        if code != low + state:
            identical = False
    for state in gone:
        if state + low != -1:
            identical = False
    return Raw(numbered.values, low, np.array(lookup, np.int32), identical), declared


def shorten(labels: Sequence[Any], most: int = 8) -> str:
    """A few labels, and how many more there are."""
    text = ", ".join(map(_written, labels[:most]))
    return f"{text} and {len(labels) - most} more" if len(labels) > most else text


def _written(label: Any) -> str:
    """The repr of a label, with the elements of a set in an order that does not change."""
    if isinstance(label, frozenset) and label:
        return f"frozenset({{{', '.join(sorted(map(repr, label)))}}})"
    return repr(label)


def number(
    values: Any,
    missing: tuple[Hashable, ...],
    where: Callable[[int], Sentence],
    occurring: Occurring | None = None,
) -> Numbered:
    """The first half of `encode`: small integers, and the labels that they stand for."""
    if isinstance(values, WholeNumbers):
        return _number_integers(values.small, missing, values.nan_as, occurring)
    if isinstance(values, FewNumbers):
        return _number_few(values, missing, occurring)
    if isinstance(values, Dictionary):
        if values.by_appearance:
            return _of_codes(values.codes, values.labels, missing)
        flags = np.zeros(len(values.labels) + 1, np.uint8)
        if not _encode.mark_present(np.ravel(values.codes, order="K"), -1, flags):
            refuse_change()
        return _of_codes(values.codes, values.labels, missing, flags)
    if isinstance(values, np.ma.MaskedArray):
        values = unmasked(values)
    array = values if isinstance(values, np.ndarray) else None
    kind = "O" if array is None else array.dtype.kind
    if array is not None and kind in "bui":
        return _number_integers(array, missing, None, occurring)
    if array is not None and kind == "f":
        whole = whole_numbers(array)
        few = few_numbers(array) if whole is None else None
        if few is not None:
            return _number_few(few, missing, occurring)
        if whole is None:
            return _number_sorted(array, ~np.isnan(array), missing)
        return _number_integers(whole.small, missing, whole.nan_as, occurring)
    if array is not None and kind in "SU":
        return _number_strings(array, missing)
    if array is not None and kind in "mM":
        return _number_sorted(array, ~np.isnat(array), missing)
    if kind not in "OTV":
        raise InputTypeError(
            f"labels of type {values.dtype} are not supported", "convert them first"
        )
    return _number_objects(values, missing, where)


def _number_integers(
    array: Array,
    missing: tuple[Hashable, ...],
    nan_as: int | None,
    occurring: Occurring | None,
) -> Numbered:
    """Number integers; `nan_as` is one that stands for NaN."""
    small, low, high = narrowed(array)
    if small.size == 0:
        return Numbered(small.astype(np.int8), 0, (), [], ())
    if small.dtype.kind == "u" or high - low >= SPREAD:
        return _number_sorted(small, None, missing)
    n_states, smallest = high - low + 1, low
    if small.dtype != np.int8 and n_states <= 256:
        # Years, say: far from 0 but close together, they fit bytes.
        low, near = (
            -128,
            np.empty(small.shape, np.uint8, order="C" if small.flags.c_contiguous else "F"),
        )
        np.subtract(small, small.dtype.type(smallest), out=near, casting="unsafe")
        small = np.bitwise_xor(near, 128, out=near).view(np.int8)
    flags = occurring(small, low, n_states) if occurring else None
    if flags is None:
        states = _encode.present(small.ravel("K"), low, n_states)
        if states is None:
            refuse_change()
    else:
        states = flags.nonzero()[0].tolist()
    gone = []
    if nan_as is not None:
        gone.append(nan_as - smallest)
        states.remove(nan_as - smallest)
    numbers = list(map(smallest.__add__, states))
    if array.dtype.kind == "b":
        numbers = list(map(bool, numbers))
    if missing:
        absent = {value for value in missing if isinstance(value, (int, float, np.number))}
        gone += [s for s, value in zip(states, numbers, strict=True) if value in absent]
        states = [s for s, value in zip(states, numbers, strict=True) if value not in absent]
        numbers = [value for value in numbers if value not in absent]
    return Numbered(small, low, states, numbers, sorted(gone))


def narrowed(array: Array) -> tuple[Array, int, int]:
    """Integers in the narrowest of int8, int16, int32, int64, and the smallest and largest.

    The array itself is returned where its type will do; uint64 beyond int64 stays as it is.
    """
    if array.dtype.kind == "b":
        array = array.view(np.int8)
    if array.size == 0:
        return array, 0, -1
    array = packed(array)
    if array.dtype.kind == "i" and array.dtype != np.int8:
        flat = np.ravel(array, order="K")
        small = np.empty(array.size, np.int8)
        fit, low, high = _encode.narrow_integers(flat, small)
        if fit and array.flags.c_contiguous:
            return small.reshape(array.shape), low, high
        if fit and array.flags.f_contiguous:
            return small.reshape(array.shape, order="F"), low, high
    low, high = int(array.min()), int(array.max())
    if array.dtype == np.uint8 and high <= 127:
        return array.view(np.int8), low, high
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return array.astype(dtype, copy=False), low, high
    return array, low, high


def packed(array: Array) -> Array:
    """The array, or a copy of it if it has gaps in memory, which each pass would step over."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return array
    # Column by column numpy copies bytes in a third of the time.
    return np.asfortranarray(array) if array.itemsize == 1 else np.ascontiguousarray(array)


class WholeNumbers(NamedTuple):
    """Floats that are whole and small as int8, and what NaN has become; None if there is none."""

    small: Array
    nan_as: int | None


def whole_numbers(array: Array) -> WholeNumbers | None:
    """Floats that are whole and small as bytes; None where they are not. O(n), one pass."""
    if array.dtype not in FLOATS:
        array = array.astype(np.float64)
    array = packed(array)
    order: Any = "C" if array.flags.c_contiguous else "F"
    small = np.empty(array.size, np.int8)
    flat = np.ravel(array, order="K")
    if flat.size > LOOK and not _encode.narrow_floats(flat[:LOOK], -1, small[:LOOK])[0]:
        return None
    # NaN becomes -1, which is what a missing code is, unless -1 is a label here.
    for nan_as in (-1, -128):
        whole, has_nan, taken = _encode.narrow_floats(flat, nan_as, small)
        if not whole:
            return None
        if not (has_nan and taken):
            return WholeNumbers(
                small.reshape(array.shape, order=order), nan_as if has_nan else None
            )
    return None


class FewNumbers(NamedTuple):
    """A table of few distinct floats: codes as int8, -1 being NaN, and the floats, ascending."""

    codes: Array
    labels: list[float]


def few_numbers(array: Array) -> FewNumbers | None:
    """A table of floats, if at most `FEW` of them are distinct. O(n), one pass."""
    if array.dtype not in FLOATS:
        array = array.astype(np.float64)
    table = array if array.ndim == 2 else array.reshape(-1, 1)
    found = _encode.few_numbers(table, FEW)
    return None if found is None else FewNumbers(found[1].reshape(array.shape), found[0])


def settle_numbers(array: Array) -> tuple[Categories, Array] | None:
    """A table of at most 127 distinct numbers: labels, ascending, and codes row by row.

    None where they are more, or integers beyond a byte. O(n).
    """
    if array.dtype.char in INTEGERS:
        return _encode.settle_integers(array)
    few = few_numbers(array) if array.dtype.kind == "f" else None
    return None if few is None else (tuple(integral(few.labels)), few.codes.reshape(-1))


def _number_few(
    values: FewNumbers, missing: tuple[Hashable, ...], occurring: Occurring | None
) -> Numbered:
    codes = values.codes
    low = min(0, int(codes.min(initial=0)))
    states, gone = range(-low, len(values.labels) - low), [0] * -low
    if occurring is not None:  # all of them do; what is wanted are the patterns
        occurring(codes, low, len(values.labels) - low)
    if not missing:
        return Numbered(codes, low, states, values.labels, gone)
    absent = dict.fromkeys(missing)
    kept = [label not in absent for label in values.labels]
    gone = sorted([*gone, *itertools.compress(states, map(operator.not_, kept))])
    return Numbered(
        codes,
        low,
        list(itertools.compress(states, kept)),
        list(itertools.compress(values.labels, kept)),
        gone,
    )


def count_numbers(table: Array) -> tuple[Array, Labels]:
    """Codes of a table of floats (NaN missing), and its distinct numbers, ascending.

    O(n log n). Many distinct numbers stay an array: a million Python floats help nobody.
    """
    flat = table.reshape(-1)
    order = np.argsort(flat)  # NaN comes last
    order = order[: flat.size - int(np.count_nonzero(np.isnan(flat)))]
    ascending = flat[order]
    first = np.empty(len(order), bool)
    first[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    distinct = ascending[first]
    codes = np.full(flat.size, -1, narrow(len(distinct)))
    codes[order] = np.cumsum(first, dtype=np.int32) - 1
    codes = codes.reshape(table.shape)
    if len(distinct) > SPREAD:
        distinct.flags.writeable = False
        return codes, distinct
    return codes, tuple(integral(distinct.tolist()))


def _number_sorted(
    array: Array,
    present: Array | None,
    missing: tuple[Hashable, ...],
) -> Numbered:
    """Number values by sorting them."""
    uniques, inverse = np.unique(array if present is None else array[present], return_inverse=True)
    codes = np.full(array.shape, -1, np.int32)
    if present is None:
        codes = inverse.reshape(array.shape).astype(np.int32)
    else:
        codes[present] = inverse.reshape(-1)
    labels: list[Any] = list(uniques) if array.dtype.kind in "mM" else uniques.tolist()
    return _of_codes(codes, labels, missing)


def _of_codes(
    codes: Array, labels: list[Any], missing: Collection[Any], flags: Array | None = None
) -> Numbered:
    """Number codes, -1 being missing; `flags` are of what occurs, all labels by default."""
    if flags is None and not missing:
        return Numbered(codes, -1, range(1, len(labels) + 1), labels, (0,))
    states, gone = [], [0]
    absent = dict.fromkeys(missing)  # found by their hashes: NA is equal to nothing, not to itself
    for state, label in enumerate(labels, 1):
        if label in absent:
            gone.append(state)
        elif flags is None or flags[state]:
            states.append(state)
    return Numbered(codes, -1, states, [labels[state - 1] for state in states], gone)


def _number_strings(array: Array, missing: tuple[Hashable, ...]) -> Numbered:
    if array.size == 0 or array.dtype.itemsize == 0:
        labels: list[Any] = [""] if array.size else []
        codes = np.zeros(array.shape, np.int32)
        return _of_codes(codes, labels, missing)
    flat = np.ascontiguousarray(array).reshape(-1)
    group, first = group_equal(flat)
    return _of_codes(group.reshape(array.shape), flat[first].tolist(), missing)


def _number_objects(
    values: Any, missing: tuple[Hashable, ...], where: Callable[[int], Sentence]
) -> Numbered:
    shape = values.shape if isinstance(values, np.ndarray) else (len(values),)
    flat = values.reshape(-1).tolist() if isinstance(values, np.ndarray) else list(values)
    codes = np.empty(len(flat), np.int32)
    known: dict[Any, int] = dict.fromkeys(missing, -1)
    position, error = _encode.encode_objects(flat, known, codes)
    if error is not None:
        # Labels that are sets may come as such, or as lists.
        flat, known = _frozen(flat, where), dict.fromkeys(missing, -1)
        position, error = _encode.encode_objects(flat, known, codes)
    if error is not None:
        raise InputTypeError(
            (
                f"label {flat[position]!r}",
                Phrase("place", (" of ", where(position))),
                " cannot be hashed",
            ),
            "a label must be hashable, or a set or list of what is",
        )
    labels = [as_python(label) for label, code in known.items() if code >= 0]
    return _of_codes(codes.reshape(shape), labels, ())


def _frozen(labels: list[Any], where: Callable[[int], Sentence]) -> list[Any]:
    out = []
    for position, label in enumerate(labels):
        try:
            out.append(freeze(label))
        except TypeError:
            raise InputTypeError(
                (
                    f"label {label!r}",
                    Phrase("place", (" of ", where(position))),
                    " is no set: an element cannot be hashed",
                )
            ) from None
    return out

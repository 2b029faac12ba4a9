"""Turn labels of any kind into integer codes and the list of categories.

One rule holds for categories, items and coders: the values that occur, sorted if they are sortable,
else in order of first appearance. Equality is Python's: 1, 1.0 and True are one label, "1" another.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn, TypeGuard, cast

import numpy as np

from agreement_fast._kernels import _encode, parallel
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import (
    Argument,
    InputError,
    InputTypeError,
    Phrase,
    Sentence,
)
from agreement_fast.patterns import group_equal, narrow
from agreement_fast.present.terminal import repr_label, shorten
from agreement_fast.reading.frames import Dictionary, is_series
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.recognition.order import MOST, proposed

Categories = tuple[Hashable, ...]
#: Categories; an array if they are many numbers.
Labels = Categories | Array

#: Number of floats that are inspected before a pass over all of them.
LOOK = 4096

#: Rows of a column-major table that are transposed at once.
TURNED = 1 << 13
#: Types of numbers that the kernels take.
INTEGERS = "bhilqBHILQ"
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))

#: Fewer lists of labels are not compared in their order.
FEWEST_LISTS = 10

#: Tables of floats with at most this number of distinct values are numbered at once.
FEW = 127

#: Integers within a range of at most this size are coded by a lookup table, without sorting.
SPREAD = 1 << 16


class Raw(NamedTuple):
    """Values not yet turned into codes: small integers, and the codes they stand for.

    The code of value i is ``lookup[values[i] - low]``. `first` is the value of code 0 if codes
    follow each other as the values do and only the value before the first may be missing.
    The values may be the caller's array; if `owned`, nobody else writes to them.
    """

    values: Array
    low: int
    lookup: Array
    first: int | None
    owned: bool = False

    def codes(self, n_categories: int) -> Array:
        """Return new codes in the narrowest type, row by row."""
        values, first = self.values, self.first
        if first == 0 and self.owned and values.dtype == narrow(n_categories):
            return np.ascontiguousarray(values)
        out = np.empty(values.shape, narrow(n_categories))
        if values.ndim == 2 and values.flags.f_contiguous and not values.flags.c_contiguous:
            # Column by column, some rows at a time, so that these stay in the cache.
            def turn(begin: int, end: int) -> bool:
                return all(
                    _encode.recode(
                        values[i : min(i + TURNED, end), column],
                        self.low,
                        self.lookup,
                        out[i : min(i + TURNED, end), column],
                    )
                    for i in range(begin, end, TURNED)
                    for column in range(values.shape[1])
                )

            unchanged = parallel.over_rows(turn, len(values), 0.06 * values.shape[1])
        else:
            flat, target = np.ascontiguousarray(values).reshape(-1), out.reshape(-1)
            missing = first is not None and first > self.low

            def copy(begin: int, end: int) -> bool:
                some, codes = flat[begin:end], target[begin:end]
                if first is None or flat.dtype != out.dtype:
                    return _encode.recode(some, self.low, self.lookup, codes)
                return _encode.copy_codes(some, first, missing, n_categories, codes)

            unchanged = parallel.over_rows(copy, len(flat), 0.02)
        if not all(unchanged):
            refuse_change()
        return out


def refuse_change() -> NoReturn:
    """Raise an error: values have changed since they were inspected."""
    raise RuntimeError("the array was written to while it was read")


def native(array: Array) -> Array:
    """Return the array, or an aligned copy in the machine's byte order if it is not so already.

    The kernels accept nothing else.
    """
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    return array if array.flags.aligned else array.copy()


def is_masked_array(values: Any) -> TypeGuard[np.ma.MaskedArray[Any, Any]]:
    """Whether values have a mask; `np.ma` is not loaded to find out that they have none."""
    return values.__class__ is not np.ndarray and isinstance(values, np.ma.MaskedArray)


def unmasked(array: Array) -> Array:
    """Return the array; if masked, a plain copy with NaN for masked floats and None for others."""
    if not is_masked_array(array):
        return array
    if not np.ma.is_masked(array):
        return np.asarray(array)
    if array.dtype.kind == "f":
        filled: Array = array.filled(np.nan)
        return filled
    objects = array.data.astype(object)
    objects[np.ma.getmaskarray(array)] = None
    return objects


def missing_values(
    missing: Any, categories: Categories | None = None, separator: str | None = None
) -> Missing:
    """Return the argument `missing`: None, one value, or several.

    Declared categories may be blank, and blank texts that are split are empty sets.
    """
    kept = None if separator is not None else categories or ()
    if missing is None:
        return Missing(kept=kept)
    if isinstance(missing, (str, bytes)) or not isinstance(missing, Iterable):
        missing = (missing,)
    values = tuple(missing)
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise InputTypeError.must_be("missing", "labels, which can be hashed", value) from None
    return Missing(map(as_python, values), kept)


def declared_categories(categories: Any) -> Categories | None:
    """Return the argument `categories` as a tuple of distinct labels, or None."""
    if categories is None:
        return None
    if isinstance(categories, (set, frozenset)):
        listed = [proposed(list(categories))] if len(categories) <= MOST else []
        raise InputTypeError(
            (Argument("categories"), " is a set, which has no order"),
            ("list them in their order, as in ", Argument("categories", *listed)),
        )
    if isinstance(categories, (str, bytes)) or not isinstance(categories, Iterable):
        parts = categories.split(",") if isinstance(categories, str) else ["low", "high"]
        raise InputTypeError.must_be(
            "categories",
            "a sequence of labels",
            categories,
            ("write ", Argument("categories", [*map(str.strip, parts)])),
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
                f"{label!r} means missing, so it cannot be a category", argument="categories"
            )
        seen.add(label)
    if not labels:
        raise InputError(
            (Argument("categories"), " is empty"), "leave it out to take the labels that occur"
        )
    return labels


def declared_order(values: Any, missing: Missing) -> Categories | None:
    """Return the categories that an ordered column of a data frame declares, or None."""
    if not (isinstance(values, Dictionary) and values.ordered):
        return None
    return tuple(label for label in values.labels if label not in missing)


def freeze(label: Any) -> Any:
    """Return a set, list, array or Series of elements as a frozenset; other labels unchanged."""
    if isinstance(label, (set, list)):
        return frozenset(label)
    if (isinstance(label, np.ndarray) and label.ndim == 1) or is_series(label):
        names = ("to_list", "to_pylist", "tolist")
        return frozenset(next(getattr(label, name) for name in names if hasattr(label, name))())
    return label


def split_set(label: Any, separator: str) -> Any:
    """Return the set that a text stands for, elements stripped of blanks; empty text is empty."""
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
            f"write {separator!r} only between elements; empty text is the empty set",
        )
    return frozenset(elements)


def as_python(label: Any) -> Any:
    """Return a numpy scalar as the Python object that it equals; other labels unchanged."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufSU" else label


def in_python(labels: Iterable[Any]) -> list[Any]:
    """Return labels as Python objects in place of numpy scalars."""
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "biufSU":
        return cast("list[Any]", labels.tolist())
    listed = list(labels)
    if any(issubclass(kind, np.generic) for kind in {*map(type, listed)}):
        return [as_python(label) for label in listed]
    return listed


#: Sorts distinct labels; turns floats into ints if all labels are whole numbers.
arrange, integral = _encode.arrange, _encode.integral

#: Python's own types of labels.
PLAIN = frozenset((int, float, str, bool))


class Numbered(NamedTuple):
    """Values as small integers: `labels[j]` is the label of the integer `low + states[j]`.

    Only integers that occur are listed; `gone` are those that stand for missing values. If `owned`,
    nobody else holds the values.
    """

    values: Array
    low: int
    states: Sequence[int]
    labels: list[Any]
    gone: Sequence[int]
    owned: bool = False


#: Returns which of the integers low .. low + n - 1 occur in an array (one flag each), or None.
Occurring = Callable[[Array, int, int], "Array | None"]


def encode(
    values: Any,
    missing: Missing | None,
    declared: Categories | None,
    where: Callable[[int], Sentence],
    occurring: Occurring | None = None,
    separator: str | None = None,
) -> tuple[Raw, Categories]:
    """Number the labels of an array or list.

    `values` (array of any shape, or list): None, NaN, NaT, NA and masked entries are missing.
    `missing`: more values that are missing. `declared`: the categories; None takes those that
    occur. `where`: describes the place of a value in an error message; `str` does for
    a look at what may be no labels. `occurring`: a cheaper way
    to find the integers that occur. `separator`: separates the elements of labels that are sets
    written as text. Codes are written out only when needed.
    """
    numbered = number(values, where, occurring)
    objects = isinstance(values, list) or (isinstance(values, np.ndarray) and values.dtype == "O")
    if objects and where is not str and frozenset in map(type, numbered.labels):
        cells = values if isinstance(values, list) else values.reshape(-1).tolist()
        refuse_sequences(cells, where)
    if missing is not None:
        numbered = _without(numbered, missing)
    categories = integral(numbered.labels)
    if separator is not None:
        categories = [split_set(label, separator) for label in categories]
        if declared is not None:
            declared = tuple(dict.fromkeys(split_set(label, separator) for label in declared))
    states = np.asarray(numbered.states, np.int64)
    if declared is None and separator is None:
        order = arrange(categories)
        declared = tuple(map(categories.__getitem__, order))
        codes = np.empty(len(categories), np.int32)
        codes[order] = np.arange(len(categories), dtype=np.int32)
    else:
        if declared is None:
            distinct = list(dict.fromkeys(categories))
            declared = tuple(map(distinct.__getitem__, arrange(distinct)))
        code_of = dict(zip(declared, range(len(declared)), strict=True))
        for state, label in zip(numbered.states, categories, strict=True):
            if label not in code_of:
                raise undeclared(label, declared, where(_position(numbered, state)))
        codes = np.fromiter(map(code_of.__getitem__, categories), np.int32, len(categories))
    low, gone = numbered.low, numbered.gone
    lookup = np.full(1 + max(int(states.max(initial=0)), *gone, 0), -1, np.int32)
    lookup[states] = codes
    steps = low + states - codes
    first = int(steps[0]) if len(steps) else None
    if first is not None and not (
        (steps == first).all() and all(low + state + 1 == first for state in gone)
    ):
        first = None
    return Raw(numbered.values, low, lookup, first, numbered.owned), declared


def _without(numbered: Numbered, missing: Missing) -> Numbered:
    """Return the values with some labels missing."""
    flags = missing.among(numbered.labels)
    if flags is None:
        return numbered
    kept = [not flag for flag in flags]
    return numbered._replace(
        states=list(itertools.compress(numbered.states, kept)),
        labels=list(itertools.compress(numbered.labels, kept)),
        gone=sorted([*numbered.gone, *itertools.compress(numbered.states, flags)]),
    )


def _position(numbered: Numbered, state: int) -> int:
    """Return the flat position of the first value in a given state."""
    flat = np.asarray(numbered.values).reshape(-1)
    return int(np.flatnonzero(flat == numbered.low + state)[0])


def undeclared(label: Any, declared: Categories, place: Sentence) -> InputError:
    """Return the error for a label that is not among the declared ones; `place` is its place."""
    return InputError(
        (
            f"label {repr_label(label)}",
            Phrase("place", (" of ", place)),
            f" is not among the declared categories {shorten(declared)}",
        ),
        ("declare it, or pass ", Argument("missing", [label])),
        argument="categories",
    )


def number(
    values: Any,
    where: Callable[[int], Sentence],
    occurring: Occurring | None = None,
) -> Numbered:
    """Return small integers for the values, and their labels: the first half of `encode`."""
    if isinstance(values, WholeNumbers):
        return _number_integers(values.small, values.nan_as, occurring)
    if isinstance(values, FewNumbers):
        return _number_few(values, occurring)
    if isinstance(values, Dictionary):
        if values.by_appearance:
            return _of_codes(values.codes, values.labels)
        flags = np.zeros(len(values.labels) + 1, np.uint8)
        if not _encode.mark_present(np.ravel(values.codes, order="K"), -1, flags):
            refuse_change()
        return _of_codes(values.codes, values.labels, flags)
    if is_masked_array(values):
        values = unmasked(values)
    array = values if isinstance(values, np.ndarray) else None
    kind = "O" if array is None else array.dtype.kind
    if array is not None and kind in "bui":
        return _number_integers(array, None, occurring)
    if array is not None and kind == "f":
        whole = whole_numbers(array)
        few = few_numbers(array) if whole is None else None
        if few is not None:
            return _number_few(few, occurring)
        if whole is None:
            return _number_sorted(array)
        return _number_integers(whole.small, whole.nan_as, occurring)
    if array is not None and kind in "SU":
        return _number_strings(array)
    if array is not None and kind in "mM":
        return _number_sorted(array)
    if kind not in "OTV":
        raise InputTypeError(
            f"labels of type {values.dtype} are not supported", "convert them first"
        )
    return _number_objects(values, where)


def _number_integers(
    array: Array,
    nan_as: int | None,
    occurring: Occurring | None,
) -> Numbered:
    """Number integers; `nan_as` is the integer that stands for NaN."""
    small, low, high = narrowed(array)
    if small.size == 0:
        return Numbered(small.astype(np.int8), 0, (), [], ())
    if small.dtype.kind == "u" or high - low >= SPREAD:
        return _number_sorted(small)
    n_states, smallest = high - low + 1, low
    if small.dtype != np.int8 and n_states <= 256:
        # Years, for example, are far from 0 but close together, so they fit bytes.
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
    return Numbered(small, low, states, numbers, gone)


def narrowed(array: Array) -> tuple[Array, int, int]:
    """Return integers in the narrowest of int8 to int64, with the smallest and the largest.

    Returns the array itself if its type is narrow enough; uint64 beyond int64 stays as it is.
    """
    if array.dtype.kind == "b":
        array = array.view(np.int8)
    if array.size == 0:
        return array, 0, -1
    array = packed(array)
    if array.dtype.kind == "i" and array.dtype != np.int8:
        copy = _copied(array, np.int8, _encode.narrow_integers)
        if copy is None:
            copy = _copied(array, np.int16, _encode.shorten_integers)
        if copy is not None:
            return copy
    low, high = extremes(array)
    if array.dtype == np.uint8 and high <= 127:
        return array.view(np.int8), low, high
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return array.astype(dtype, copy=False), low, high
    return array, low, high


def extremes(array: Array) -> tuple[int, int]:
    """Return the smallest and the largest of at least one integer."""
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        return int(array.min()), int(array.max())
    flat = np.ravel(array, order="K")

    def find(first: int, last: int) -> tuple[int, int]:
        return int(flat[first:last].min()), int(flat[first:last].max())

    low, high = zip(*parallel.over_rows(find, flat.size, 0.01), strict=True)
    return min(low), max(high)


def _copied(
    array: Array, dtype: type[np.signedinteger[Any]], kernel: Callable[..., tuple[bool, int, int]]
) -> tuple[Array, int, int] | None:
    """Return integers in a narrower type with smallest and largest; None if they do not fit."""
    small = np.empty(array.shape, dtype, order="F" if array.flags.f_contiguous else "C")
    if small.itemsize >= array.itemsize:
        return None
    order: Any = "F" if array.flags.f_contiguous else "C"
    flat, out = np.ravel(array, order=order), np.ravel(small, order="K")
    if not kernel(flat[:LOOK], out[:LOOK])[0]:
        return None

    def copy(first: int, last: int) -> tuple[bool, int, int]:
        return kernel(flat[first:last], out[first:last])

    fit, low, high = zip(*parallel.over_rows(copy, flat.size, 0.05), strict=True)
    return (small, min(low), max(high)) if all(fit) else None


def packed(array: Array) -> Array:
    """Return the array, or a copy if it has gaps in memory, which would slow down each pass."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return array
    # For bytes, numpy copies column by column in a third of the time.
    return np.asfortranarray(array) if array.itemsize == 1 else np.ascontiguousarray(array)


class WholeNumbers(NamedTuple):
    """Floats that are small whole numbers as int8, and the code of NaN; None if there is no NaN."""

    small: Array
    nan_as: int | None


def whole_numbers(array: Array) -> WholeNumbers | None:
    """Return floats as bytes if all are small whole numbers, else None. O(n), one pass."""
    if array.dtype not in FLOATS:
        array = array.astype(np.float64)
    array = packed(array)
    order: Any = "C" if array.flags.c_contiguous else "F"
    small = np.empty(array.size, np.int8)
    flat = np.ravel(array, order="K")
    if flat.size > LOOK and not _encode.narrow_floats(flat[:LOOK], -1, small[:LOOK])[0]:
        return None
    # NaN becomes -1, the code of missing labels, unless -1 is a label here.
    for nan_as in (-1, -128):

        def copy(first: int, last: int, nan_as: int = nan_as) -> tuple[bool, bool, bool]:
            return _encode.narrow_floats(flat[first:last], nan_as, small[first:last])

        whole, has_nan, taken = zip(*parallel.over_rows(copy, flat.size, 0.05), strict=True)
        if not all(whole):
            return None
        if not (any(has_nan) and any(taken)):
            return WholeNumbers(
                small.reshape(array.shape, order=order), nan_as if any(has_nan) else None
            )
    return None


class FewNumbers(NamedTuple):
    """A table of few distinct floats: codes as int8 (-1 for NaN), and the floats, ascending."""

    codes: Array
    labels: list[float]


def few_numbers(array: Array) -> FewNumbers | None:
    """Return a table of floats if at most `FEW` of them are distinct, else None. O(n), one pass."""
    if array.dtype not in FLOATS:
        array = array.astype(np.float64)
    table = array if array.ndim == 2 else array.reshape(-1, 1)
    numbers = _encode.few_numbers(table, FEW)
    return None if numbers is None else FewNumbers(numbers[1].reshape(array.shape), numbers[0])


def settle_numbers(array: Array) -> tuple[Categories, Array] | None:
    """Return labels, ascending, and codes row by row of a table of at most 127 distinct numbers.

    None if there are more distinct numbers, or integers that do not fit a byte. O(n).
    """
    if array.dtype.char in INTEGERS:
        return _encode.settle_integers(array)
    few = few_numbers(array) if array.dtype.kind == "f" else None
    return None if few is None else (tuple(integral(few.labels)), few.codes.reshape(-1))


def _number_few(values: FewNumbers, occurring: Occurring | None) -> Numbered:
    codes = values.codes
    low = min(0, int(codes.min(initial=0)))
    states, gone = range(-low, len(values.labels) - low), [0] * -low
    if occurring is not None:  # all labels occur, but the patterns are needed
        occurring(codes, low, len(values.labels) - low)
    return Numbered(codes, low, states, values.labels, gone)


def are_numbers(labels: Labels) -> bool:
    """Return whether all labels are numbers; truth values are none."""
    if isinstance(labels, np.ndarray):
        return labels.dtype.kind in "iuf"
    return {int, float}.issuperset(map(type, labels))


def count_numbers(table: Array) -> tuple[Array, Labels]:
    """Return codes of a table of floats (NaN missing), and its distinct numbers, ascending.

    O(n), and O(K log K) for K distinct numbers. If these are many, they stay an array, because a
    million Python floats would take much memory.
    """
    codes, distinct = number_values(table)
    if len(distinct) > SPREAD:
        distinct.flags.writeable = False
        return codes, distinct
    return codes, tuple(integral(distinct.tolist()))


def number_values(array: Array) -> tuple[Array, Array]:
    """Return codes of numbers or times in the narrowest type (-1 missing), and their values.

    If values repeat, the distinct ones are found by their bytes, and only these are sorted.
    """
    order: Any = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    flat = array.ravel(order)
    group = None
    result = flat
    if _repeats(flat):
        group, first = group_equal(flat)
        result = flat[first]
    ascending = np.argsort(result)  # NaN and NaT come last
    ascending = ascending[: len(result) - int(np.count_nonzero(result != result))]
    ranks = np.full(len(result), -1, np.int32)
    result = result[ascending]
    new = np.ones(len(result), bool)
    np.not_equal(result[1:], result[:-1], out=new[1:])  # such as 0.0 and -0.0
    ranks[ascending] = np.cumsum(new, dtype=np.int32) - 1
    distinct = result[new]
    dtype = narrow(len(distinct))
    if group is None:
        codes = ranks.astype(dtype, copy=False)
    else:
        codes = group if dtype is np.int32 else np.empty(len(group), dtype)
        _encode.recode(group, 0, ranks, codes)
    return codes.reshape(array.shape, order=order), distinct


def _repeats(flat: Array) -> bool:
    """Return whether values repeat among the first ones; if they do not, sorting is fastest."""
    some = flat[: len(flat) // 16]
    return len(group_equal(some)[1]) < len(some)


def _number_sorted(array: Array) -> Numbered:
    """Number numbers or times, sorted."""
    codes, distinct = number_values(array)
    labels: list[Any] = list(distinct) if array.dtype.kind in "mM" else distinct.tolist()
    return Numbered(*_of_codes(codes, labels)[:-1], owned=True)


def _of_codes(codes: Array, labels: list[Any], flags: Array | None = None) -> Numbered:
    """Number codes (-1 missing); `flags` mark those that occur, by default all."""
    if flags is None:
        return Numbered(codes, -1, range(1, len(labels) + 1), labels, (0,))
    states = (np.flatnonzero(flags[1:]) + 1).tolist()
    return Numbered(codes, -1, states, [labels[state - 1] for state in states], (0,))


def _number_strings(array: Array) -> Numbered:
    if array.size == 0 or array.dtype.itemsize == 0:
        labels: list[Any] = [""] if array.size else []
        codes = np.zeros(array.shape, np.int32)
        return _of_codes(codes, labels)
    flat = np.ascontiguousarray(array).reshape(-1)
    group, first = group_equal(flat)
    return _of_codes(group.reshape(array.shape), flat[first].tolist())


def _number_objects(values: Any, where: Callable[[int], Sentence]) -> Numbered:
    shape = values.shape if isinstance(values, np.ndarray) else (len(values),)
    flat = values.reshape(-1).tolist() if isinstance(values, np.ndarray) else list(values)
    codes = np.empty(len(flat), np.int32)
    known: dict[Any, int] = {}
    position, error = _encode.encode_objects(flat, known, codes)
    if error is not None:
        # Labels that are sets may be given as sets or lists.
        flat, known = _frozen(flat, where), {}
        position, error = _encode.encode_objects(flat, known, codes)
    if error is not None:
        raise InputTypeError(
            (
                f"label {flat[position]!r}",
                Phrase("place", (" of ", where(position))),
                " cannot be hashed",
            ),
            "a label must be hashable, or a set or list of hashable elements",
        )
    return _of_codes(codes.reshape(shape), list(map(as_python, known)))


def _frozen(labels: list[Any], where: Callable[[int], Sentence]) -> list[Any]:
    if {*map(type, labels)} <= {list, set, frozenset}:
        with contextlib.suppress(TypeError):
            return list(map(frozenset, labels))  # faster than a look at each
    out = []
    for position, label in enumerate(labels):
        try:
            out.append(freeze(label))
        except TypeError:
            raise InputTypeError(
                (
                    f"label {label!r}",
                    Phrase("place", (" of ", where(position))),
                    " is not a set: an element cannot be hashed",
                )
            ) from None
    return out


def _is_sequence(label: Any) -> bool:
    """Return whether a label is a list, an array or a Series, which is read as a set."""
    return not isinstance(label, (set, frozenset)) and isinstance(freeze(label), frozenset)


def refuse_sequences(cells: Sequence[Any], where: Callable[[int], Sentence]) -> None:
    """Refuse lists that sets would not keep: with repeats, fractions, or orders that differ.

    Lists of several lengths, or a few, may be in different orders by accident.
    """
    kinds = [*map(type, cells)]
    are_lists = map(operator.is_, kinds, itertools.repeat(list))
    lists = [*itertools.compress(cells, are_lists)]
    of_kinds = dict(zip(kinds, cells, strict=True))
    if any(kind is not list and _is_sequence(cell) for kind, cell in of_kinds.items()):
        lists = [[*cell] for cell in cells if _is_sequence(cell)]
    distinct = dict.fromkeys(map(tuple, lists))
    ordered = len(lists) >= FEWEST_LISTS and len({*map(len, distinct)}) == 1
    first: dict[frozenset[Any], tuple[Any, ...]] = {}
    for elements in distinct:
        label, other = [*elements], first.setdefault(frozenset(elements), elements)
        if len({*elements}) < len(elements):
            why = "repeats an element"
        elif any(type(element) is float and element % 1 > 0 for element in elements):
            why = "has fractions"
        elif ordered and other != elements:
            why = f"differs from {[*other]} in its order"
        else:
            continue
        place = next(i for i, cell in enumerate(cells) if _is_sequence(cell) and [*cell] == label)
        raise InputError(
            (
                f"label {label}",
                Phrase("place", (" of ", where(place))),
                f" {why}, and lists are read as sets",
            ),
            "if it is a set, pass set(label), or its elements sorted and once each; if it is one "
            "label, such as a ranking, pass tuple(label); if its elements are labels, such as tags "
            "of tokens, give each a row, as frame.explode(columns, ignore_index=True) does in "
            "pandas",
        )

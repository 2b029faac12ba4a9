"""Segmentations: texts cut into segments without gaps.

A text of N elements (sentences, words, characters) has N − 1 places between neighbours at which a
boundary may be. A segmentation has 1 for a boundary and 0 for none at each place: a string or a
sequence of length N − 1. `from_lengths` makes it from the lengths of the segments.

Coders can be compared by boundaries, place by place (the item "boundary" of `judgments`). That is
strict: a boundary that is one place off counts as two disagreements. They can also be compared by
segments, element by element, under a distance between the segments that hold it ("segment").
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import Column, check_choice
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.frames import Dictionary

#: Errors of these arguments.
wrong_lengths = partial(InputError, argument="lengths")
wrong_segmentations = partial(InputError, argument="segmentations")


#: How many places before the first element and after the last one count.
OUTER = {"none": (0, 0), "start": (1, 0), "both": (1, 1)}


#: 0 and 1, or sets of types, for each place between two units, which may be a string, or the like
#: by text.
Segmentation: TypeAlias = Column | Mapping[Any, Column]


def from_lengths(lengths: Iterable[int]) -> Array:
    """Make a segmentation from the lengths of its segments.

    Parameters
    ----------
    lengths : sequence of int
        The lengths of the segments, each 1 or more.

    Returns
    -------
    int8 array of shape (N − 1,)
        Ones at boundaries, zeros elsewhere; N is the sum of the lengths.

    Raises
    ------
    ValueError
        If there are no lengths, or one is below 1.
    TypeError
        If lengths are not whole numbers.

    Examples
    --------
    >>> from agreement_fast import units
    >>> units.from_lengths([2, 3, 1]).tolist()
    [0, 1, 0, 0, 1]
    """
    sizes = np.asarray(lengths)
    if sizes.dtype.kind not in "iu" and sizes.size:
        raise InputTypeError(
            f"lengths of segments must be whole numbers, not {sizes.dtype}",
            argument="lengths",
        )
    if sizes.ndim != 1 or not sizes.size:
        raise wrong_lengths("a segmentation must have at least one segment", "pass its length")
    if (sizes < 1).any():
        raise wrong_lengths(
            f"segment {np.argmin(sizes)} must have a length of 1 or more, not {sizes.min()}"
        )
    out = np.zeros(int(sizes.sum()) - 1, np.int8)
    out[np.cumsum(sizes[:-1]) - 1] = 1
    return out


def segments(segmentation: Segmentation) -> Array:
    """Return the beginnings and ends of the segments of a segmentation.

    Parameters
    ----------
    segmentation : sequence of 0 and 1 of length N − 1
        A segmentation, which may be a string.

    Returns
    -------
    int64 array of shape (S, 2)
        Half-open intervals: the first begins at 0, the last ends at N.

    Raises
    ------
    ValueError
        If an entry is not 0 or 1.

    Examples
    --------
    >>> from agreement_fast import units
    >>> units.segments("01001").tolist()
    [[0, 2], [2, 5], [5, 6]]
    """
    marks = marks_of(segmentation, "the segmentation")
    cuts = np.concatenate([[0], np.flatnonzero(marks) + 1, [len(marks) + 1]]).astype(np.int64)
    return np.column_stack([cuts[:-1], cuts[1:]])


def judged_boundaries(segmentations: Any, outer: str) -> Annotations:
    """Return for each place whether there is a boundary (1) or none (0)."""
    check_choice("outer", outer, tuple(OUTER))
    before, behind = OUTER[outer]

    def codes(coder: int, places: Places) -> Array:
        return np.pad(places.any_type().astype(np.int32), (before, behind), constant_values=1)

    data = coded_texts(segmentations, least=1, fewest=0)
    return _judged(data, codes, (0, 1), (0, 1), first=-before)


def judged_segments(segmentations: Any) -> Annotations:
    """Return for each element the segment that holds it."""
    data = coded_texts(segmentations, least=1, fewest=0)
    known: dict[Any, int] = {}

    def codes(text: int, places: Places) -> Array:
        name = data.texts[text]
        spans = segments(places.any_type()).tolist()
        names = [tuple(span) if name is None else (name, *span) for span in spans]
        own = [known.setdefault(span, len(known)) for span in names]
        return np.repeat(np.array(own, np.int32), np.diff(spans, axis=1)[:, 0])

    return _judged(data, codes, known)


def _judged(
    data: CodedTexts,
    codes: Callable[[int, Places], Array],
    labels: Iterable[Any],
    categories: Sequence[Any] | None = None,
    first: int = 0,
) -> Annotations:
    """Return the labels that each coder's segmentation of each text gives its places."""
    tables: list[Array] = []
    items: list[Any] = []
    for text, name in enumerate(data.texts):
        column = [row[text] for row in data.places]
        own = {c: codes(text, entry) for c, entry in enumerate(column) if entry is not None}
        n = len(next(iter(own.values())))
        table = np.full((n, len(data.coders)), -1, np.int32)
        for coder, labelled in own.items():
            table[:, coder] = labelled
        tables.append(table)
        places = range(first, first + n)
        items += places if name is None else [(name, place) for place in places]
    codes_of_all = Dictionary(np.concatenate(tables), list(labels), ordered=False)
    return Annotations.from_wide(
        codes_of_all, items=items, coders=data.coders, categories=categories
    )


def marks_of(segmentation: Any, whose: str) -> Array:
    """Return a segmentation as an int8 array of 0 and 1."""
    if isinstance(segmentation, str):
        marks = np.frombuffer(segmentation.encode("utf-32-le"), np.uint32).astype(np.int64) - ord(
            "0"
        )
    else:
        marks = np.asarray(segmentation)
        if marks.ndim != 1:
            raise InputError(
                f"{whose}: a segmentation must be a row of 0 and 1, not {marks.ndim} deep"
            )
    if marks.dtype.kind not in "buif" and marks.size:
        raise InputTypeError(
            f"{whose}: a segmentation must be a row of 0 and 1, not of {marks.dtype}"
        )
    bad = (marks != 0) & (marks != 1)
    if bad.any():
        place = int(np.argmax(bad))
        result = segmentation[place] if isinstance(segmentation, str) else marks[place].item()
        raise InputError(
            f"{whose}: place {place} has {result!r}, expected 0 or 1",
            "lengths of segments, as segeval's, are read by af.units.from_lengths(lengths)",
        )
    return marks.astype(np.int8)


#: The type of the boundaries of a row of 0 and 1.
ONLY_TYPE = 1


class Places(NamedTuple):
    """A segmentation: where boundaries of each type stand, each an array of n booleans.

    `of_sets` says that it was a row of sets, and not of 0 and 1.
    """

    n: int
    of_sets: bool
    of_type: Mapping[Hashable, Array]

    def any_type(self) -> Array:
        """Where there is a boundary of some type."""
        return np.asarray(np.logical_or.reduce([np.zeros(self.n, bool), *self.of_type.values()]))


def places_of(segmentation: Any, whose: str) -> Places:
    """Read a row of 0 and 1, or of sets of types."""
    if hasattr(segmentation, "__array__"):  # a series of some library, say
        segmentation = np.asarray(segmentation)
    if isinstance(segmentation, str) or not isinstance(segmentation, (Sequence, np.ndarray)):
        return _of_marks(segmentation, whose)
    sets = [isinstance(place, (set, frozenset)) for place in segmentation[:1]]
    if not any(sets):
        return _of_marks(segmentation, whose)
    of_type: dict[Hashable, Array] = {}
    for place, types in enumerate(segmentation):
        if not isinstance(types, (set, frozenset)):
            raise InputTypeError(
                f"{whose}: place {place} has {types!r}, expected a set of types as in the others"
            )
        for entry in types:
            if entry not in of_type:
                of_type[entry] = np.zeros(len(segmentation), bool)
            of_type[entry][place] = True
    return Places(len(segmentation), True, of_type)


def _of_marks(segmentation: Any, whose: str) -> Places:
    marks = marks_of(segmentation, whose)
    return Places(len(marks), False, {ONLY_TYPE: marks.view(bool)})


def all_types(result: Iterable[Places], ordered: Any) -> list[Hashable]:
    """Return the types of some segmentations, in the given order or sorted."""
    types = list(dict.fromkeys(element for places in result for element in places.of_type))
    if ordered is None:
        return sorted(types, key=str) or [ONLY_TYPE]
    if isinstance(ordered, (str, bytes)) or not isinstance(ordered, Iterable):
        raise InputTypeError.must_be("ordered_types", "a sequence of types", ordered)
    known = list(ordered)
    if not known or len(set(known)) < len(known):
        raise InputError.must_be("ordered_types", "a sequence of different types", ordered)
    for entry in types:
        if entry not in known:
            raise InputError(
                f"boundaries of the type {show_label(entry)} are not among the ordered types",
                "name every type, from the least to the greatest",
                argument="ordered_types",
            )
    return known


def stacked(places: Places, types: Sequence[Hashable]) -> Array:
    """Booleans of shape (types, n)."""
    none = np.zeros(places.n, bool)
    return np.array([places.of_type.get(entry, none) for entry in types]).reshape(
        len(types), places.n
    )


PLACES_OF_ONE_TEXT = (
    "one text: its places are no independent sample of anything, so there is no interval"
)


class CodedTexts(NamedTuple):
    """Who cut which texts, and where.

    `places` has for each coder one entry a text, None where the coder did not cut the text.
    """

    coders: tuple[Hashable, ...]
    texts: tuple[Hashable, ...]
    places: tuple[tuple[Places | None, ...], ...]

    def shared(self) -> CodedTexts:
        """Leave out texts that one coder alone cut."""
        kept = [
            text
            for text in range(len(self.texts))
            if sum(row[text] is not None for row in self.places) > 1
        ]
        if not kept:
            raise wrong_segmentations(
                "no text was cut by two coders", "give two segmentations of a text at least"
            )
        return CodedTexts(
            self.coders,
            tuple(self.texts[text] for text in kept),
            tuple(tuple(row[text] for text in kept) for row in self.places),
        )

    @property
    def all(self) -> list[Places]:
        """All segmentations."""
        return [cell for row in self.places for cell in row if cell is not None]


def coded_texts(segmentations: Any, *, least: int = 2, fewest: int = 1) -> CodedTexts:
    """Read a mapping from coder to segmentation, or to a mapping from text to segmentation."""
    if not isinstance(segmentations, Mapping):
        raise InputTypeError(
            "segmentations are a mapping from coder to segmentation, or for several texts from "
            "coder to a mapping from text to segmentation",
            argument="segmentations",
        )
    if len(segmentations) < least:
        raise wrong_segmentations(
            f"there must be {least} coders or more, not {len(segmentations)}",
            "give a segmentation for each",
        )
    several = [isinstance(segmentation, Mapping) for segmentation in segmentations.values()]
    if any(several) and not all(several):
        coder = list(segmentations)[several.index(False)]
        raise InputTypeError(
            f"coder {show_label(coder)} has one segmentation and others have a mapping from text "
            "to segmentation",
            "name the text that it is of",
            argument="segmentations",
        )
    by_coder = {
        coder: some if all(several) else {None: some} for coder, some in segmentations.items()
    }
    texts = tuple(dict.fromkeys(text for some in by_coder.values() for text in some))
    if not texts:
        raise wrong_segmentations("there are no texts")
    places = tuple(
        tuple(
            places_of(some[text], _whose(coder, text)) if text in some else None for text in texts
        )
        for coder, some in by_coder.items()
    )
    coders = tuple(by_coder)
    # Rows of 0 and 1 beside rows of sets are refused: 1 is no type of the sets.
    cells = [(coder, cell) for coder, row in zip(coders, places, strict=True) for cell in row]
    whose = {cell.of_sets: coder for coder, cell in reversed(cells) if cell is not None}
    if len(whose) > 1:
        raise wrong_segmentations(
            f"coder {show_label(whose[False])} has a row of 0 and 1, and coder "
            f"{show_label(whose[True])} a row of sets of types",
            "write all as sets, {'topic'} for a boundary and set() for none, say",
        )
    for column, text in enumerate(texts):
        # Segmentations of a text must not differ in length, and have a place.
        cut = [(coder, cell.n) for coder, cell in cells[column :: len(texts)] if cell is not None]
        for coder, n in cut:
            if n < fewest:
                raise wrong_segmentations(
                    f"{_whose(coder, text)}: a text of one element has no place for a boundary",
                    "leave it out",
                )
            if n != cut[0][1]:
                raise wrong_segmentations(
                    f"{_whose(cut[0][0], text)}{'' if text is None else ','} has {cut[0][1]} "
                    f"places for boundaries and coder {show_label(coder)} {n}: all must cut the "
                    "same text"
                )
    return CodedTexts(coders, texts, places)


def _whose(coder: Hashable, text: Hashable) -> str:
    return f"coder {show_label(coder)}" + ("" if text is None else f", text {show_label(text)}")

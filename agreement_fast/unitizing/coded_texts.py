"""Segmentations of several coders, of one text or of several."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.terminal import show_label
from agreement_fast.unitizing.segmentation import marks_of

#: The type of the boundaries of a row of 0 and 1.
ONLY_TYPE = 1


class Places(NamedTuple):
    """A segmentation: where boundaries of each type stand, each an array of n booleans.

    `of_sets` says that it was a row of sets, and not of 0 and 1.
    """

    n: int
    of_sets: bool
    of_type: Mapping[Hashable, Array]


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
        for one in types:
            if one not in of_type:
                of_type[one] = np.zeros(len(segmentation), bool)
            of_type[one][place] = True
    return Places(len(segmentation), True, of_type)


def _of_marks(segmentation: Any, whose: str) -> Places:
    marks = marks_of(segmentation, whose)
    return Places(len(marks), False, {ONLY_TYPE: marks.view(bool)})


def all_types(found: Iterable[Places], ordered: Any) -> list[Hashable]:
    """Return the types of some segmentations, in the given order or sorted."""
    types = list(dict.fromkeys(one for places in found for one in places.of_type))
    if ordered is None:
        return sorted(types, key=str) or [ONLY_TYPE]
    if isinstance(ordered, (str, bytes)) or not isinstance(ordered, Iterable):
        raise InputTypeError.must_be("ordered_types", "a sequence of types", ordered)
    known = list(ordered)
    if not known or len(set(known)) < len(known):
        raise InputError.must_be("ordered_types", "a sequence of different types", ordered)
    for one in types:
        if one not in known:
            raise InputError(
                f"boundaries of the type {show_label(one)} are not among the ordered types",
                "name every type, from the least to the greatest",
                argument="ordered_types",
            )
    return known


def stacked(places: Places, types: Sequence[Hashable]) -> Array:
    """Booleans of shape (types, n)."""
    none = np.zeros(places.n, bool)
    return np.array([places.of_type.get(one, none) for one in types]).reshape(len(types), places.n)


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
            raise InputError(
                "no text was cut by two coders",
                "give two segmentations of a text at least",
                argument="segmentations",
            )
        return CodedTexts(
            self.coders,
            tuple(self.texts[text] for text in kept),
            tuple(tuple(row[text] for text in kept) for row in self.places),
        )

    @property
    def found(self) -> list[Places]:
        """All segmentations."""
        return [one for row in self.places for one in row if one is not None]


def coded_texts(segmentations: Any, *, least: int = 2) -> CodedTexts:
    """Read a mapping from coder to segmentation, or to a mapping from text to segmentation."""
    if not isinstance(segmentations, Mapping):
        raise InputTypeError(
            "segmentations are a mapping from coder to segmentation, or for several texts from "
            "coder to a mapping from text to segmentation",
            argument="segmentations",
        )
    if len(segmentations) < least:
        raise InputError(
            f"there must be {least} coders or more, not {len(segmentations)}",
            "give a segmentation for each",
            argument="segmentations",
        )
    several = [isinstance(one, Mapping) for one in segmentations.values()]
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
        raise InputError("there are no texts", argument="segmentations")
    places = tuple(
        tuple(
            places_of(some[text], _whose(coder, text)) if text in some else None for text in texts
        )
        for coder, some in by_coder.items()
    )
    coders = tuple(by_coder)
    _check_types(coders, places)
    for column, text in enumerate(texts):
        _check_lengths(coders, text, [row[column] for row in places])
    return CodedTexts(coders, texts, places)


def _check_types(coders: Sequence[Hashable], places: Sequence[Sequence[Places | None]]) -> None:
    """Refuse rows of 0 and 1 beside rows of sets: 1 is no type of the sets."""
    whose: dict[bool, Hashable] = {}
    for coder, row in zip(coders, places, strict=True):
        for one in row:
            if one is not None:
                whose.setdefault(one.of_sets, coder)
    if len(whose) > 1:
        raise InputError(
            f"coder {show_label(whose[False])} has a row of 0 and 1, and coder "
            f"{show_label(whose[True])} a row of sets of types",
            "write all as sets, {'topic'} for a boundary and set() for none, say",
            argument="segmentations",
        )


def _whose(coder: Hashable, text: Hashable) -> str:
    return f"coder {show_label(coder)}" + ("" if text is None else f", text {show_label(text)}")


def _check_lengths(
    coders: Sequence[Hashable], text: Hashable, cut: Sequence[Places | None]
) -> None:
    """Refuse segmentations of a text that differ in length, or have no place."""
    first: tuple[Hashable, int] | None = None
    for coder, places in zip(coders, cut, strict=True):
        if places is None:
            continue
        if not places.n:
            raise InputError(
                f"{_whose(coder, text)}: a text of one element has no place for a boundary",
                "leave it out",
                argument="segmentations",
            )
        first = first or (coder, places.n)
        if places.n != first[1]:
            raise InputError(
                f"{_whose(first[0], text)}{'' if text is None else ','} has {first[1]} places for "
                f"boundaries and coder {show_label(coder)} {places.n}: all must cut the same text",
                argument="segmentations",
            )

"""Boundaries of several types: what stands at each place of a segmentation.

A row of 0 and 1 has boundaries of one type, called 1. A row of sets has in each place the types of
the boundaries that stand there; an empty set is no boundary.
"""

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

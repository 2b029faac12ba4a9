"""From labels that are sets to the form of a distance between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from agreement_fast.forms import Form
from agreement_fast.labelsets.form import bind
from agreement_fast.labelsets.geometry import geometry
from agreement_fast.reading.labels import Categories

Array = npt.NDArray[Any]


def bind_sets(
    kind: str,
    categories: Categories | Array,
    weights: Mapping[Any, float] | None = None,
    as_set: Callable[[Hashable], Any] | None = None,
) -> Form:
    """The form of a distance over categories that are sets. O(elements), then see `form`."""
    sets = [as_set(label) for label in categories] if as_set else plain_sets(kind, categories)
    return bind(geometry(sets, weights, empty_is_disjoint=kind != "hamming"), kind)


def plain_sets(kind: str, categories: Categories | Array) -> Sequence[Any]:
    """Labels that are sets already, tuples becoming such; text and numbers are none."""
    sets: list[Any] = list(categories)
    for i, label in enumerate(sets):
        if isinstance(label, tuple):
            sets[i] = frozenset(label)
        elif not isinstance(label, frozenset):
            remedy = (
                'text is split by set_separator="|" of from_long, from_wide and from_frame; a '
                'single tag is frozenset({"tag"})'
                if isinstance(label, str)
                else "a single element is frozenset({element}); bit masks are read by "
                "labelsets.from_masks"
            )
            raise ValueError(f"distance {kind} needs sets, category {label!r} is not one: {remedy}")
    return sets

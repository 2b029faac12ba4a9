"""Named distances between sets, and their forms."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from agreement_fast.arrays import FloatArray
from agreement_fast.distances.base import Distance
from agreement_fast.distances.forms import Form
from agreement_fast.distances.set_forms import bind
from agreement_fast.distances.set_geometry import geometry
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.reading.labels import Labels

_TEXT = Phrase(
    "sets",
    (
        "text is split by ",
        Argument("set_separator", "|"),
        ' of from_long, from_wide and from_frame; a single tag is frozenset({"tag"})',
    ),
)
_TEXTS = "; bigram_dice, word_dice and edit compare texts"
_ELEMENT = Phrase(
    "element",
    "a single element is frozenset({element}); bit masks are read by labelsets.from_masks",
)


def bind_sets(
    kind: str,
    categories: Labels,
    weights: Mapping[Any, float] | None = None,
    as_set: Callable[[Hashable], Any] | None = None,
) -> Form:
    """Bind a distance to categories that are sets. O(elements); for sums see `set_forms`."""
    sets = [as_set(label) for label in categories] if as_set else plain_sets(kind, categories)
    return bind(geometry(sets, weights, empty_is_disjoint=kind != "hamming"), kind)


def plain_sets(kind: str, categories: Labels) -> Sequence[Any]:
    """Return labels as sets; tuples become sets, text and numbers raise an error."""
    sets: list[Any] = list(categories)
    for i, label in enumerate(sets):
        if isinstance(label, tuple):
            sets[i] = frozenset(label)
        elif not isinstance(label, frozenset):
            raise InputError(
                f"distance {kind} needs sets, but category {label!r} is not a set",
                (_TEXT, _TEXTS) if isinstance(label, str) else _ELEMENT,
                argument="set_separator" if isinstance(label, str) else None,
            )
    return sets


def _of_sets(name: str) -> Distance:
    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return bind_sets(name, categories)

    return Distance(name, bind)


passonneau = _of_sets("passonneau")
jaccard = _of_sets("jaccard")
dice = _of_sets("dice")
masi = _of_sets("masi")
masi_product = _of_sets("masi_product")
hamming = _of_sets("hamming")
overlap = _of_sets("overlap")

#: Distances between sets.
SETS = {d.name: d for d in (passonneau, jaccard, dice, masi, masi_product, hamming, overlap)}

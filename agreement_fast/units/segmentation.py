"""Segmentations: texts cut into segments without gaps.

A text of N elements (sentences, words, characters) has N − 1 places between neighbours at which a
boundary may be. A segmentation has 1 for a boundary and 0 for none at each place: a string or a
sequence of length N − 1. `from_lengths` makes it from the lengths of the segments.

Coders can be compared by boundaries, place by place (`boundary_annotations`). That is strict: a
boundary that is one place off counts as two disagreements. They can also be compared by segments,
element by element, under a distance between the segments that hold it (`segment_annotations`).
`segmentation_error` compares a segmentation with a reference.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.reading.frames import Dictionary
from agreement_fast.terminal import show_label

#: Errors of these arguments.
wrong_lengths = partial(InputError, argument="lengths")
wrong_segmentations = partial(InputError, argument="segmentations")


#: How many places before the first element and after the last one count.
OUTER = {"none": (0, 0), "start": (1, 0), "both": (1, 1)}


def from_lengths(lengths: Any) -> Array:
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


def segments(segmentation: Any) -> Array:
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


def boundary_annotations(
    segmentations: Mapping[Any, Any], *, document: Hashable | None = None, outer: str = "none"
) -> Annotations:
    """Turn segmentations into judgments: each place is a boundary (1) or none (0).

    Parameters
    ----------
    segmentations : mapping coder -> segmentation
        Segmentations of the same text, all of the same length.
    document : label, optional
        A name of the text. Items are then named (document, place), so that several texts can be
        joined with `agreement_fast.concat`.
    outer : {"none", "start", "both"}, default "none"
        Which ends of the text count as places. All coders have a boundary there by necessity.
        "start": each element is judged for whether a segment begins with it. "both": the end of the
        text also counts, as in Artstein & Poesio 2008, table 8. This agreement, which coders cannot
        avoid, raises the value.

    Returns
    -------
    Annotations
        Judgments with the categories 0 and 1. Items are N − 1 places from 0 on; the start of the
        text is place −1, and its end is N − 1.

    Raises
    ------
    ValueError
        If there are no coders, if segmentations differ in length, if an entry is not 0 or 1, or if
        `outer` is unknown.

    Notes
    -----
    A boundary that coders place one element apart counts as two disagreements, and boundaries are
    rare, so values are low (Artstein & Poesio 2008, 4.3.1). O(N · coders).

    Examples
    --------
    Two coders cut 50 utterances in two, one utterance apart. They agree on 47 of 49 places:

    >>> import agreement_fast as af
    >>> from agreement_fast import units
    >>> data = units.boundary_annotations(
    ...     {"A": units.from_lengths([25, 25]), "B": units.from_lengths([26, 24])}
    ... )
    >>> round(af.pi(data).value, 3)
    -0.021

    With the first and the last boundary of the text, on which both agree (table 8, case 1):

    >>> data = units.boundary_annotations(
    ...     {"A": units.from_lengths([25, 25]), "B": units.from_lengths([26, 24])},
    ...     outer="both",
    ... )
    >>> round(af.pi(data).value, 3)
    0.646
    """
    check_choice("outer", outer, tuple(OUTER))
    coders, marks = _all_marks(segmentations)
    before, behind = OUTER[outer]
    marks = np.pad(marks, ((0, 0), (before, behind)), constant_values=1)
    return Annotations.from_wide(
        np.ascontiguousarray(marks.T),
        categories=[0, 1],
        items=_names(document, marks.shape[1], first=-before),
        coders=coders,
    )


def segment_annotations(
    segmentations: Mapping[Any, Any], *, document: Hashable | None = None
) -> Annotations:
    """Turn segmentations into judgments: the label of each element is the segment that holds it.

    Parameters
    ----------
    segmentations : mapping coder -> segmentation
        Segmentations of the same text, all of the same length.
    document : label, optional
        A name of the text. Items are then named (document, element), so that several texts can be
        joined with `agreement_fast.concat`.

    Returns
    -------
    Annotations
        N items. Labels are segments, (start, end) or (document, start, end). Compare them as sets
        of elements with the distance ``labelsets.spans("dice")`` or ``labelsets.spans("jaccard")``.

    Raises
    ------
    ValueError
        If there are no coders, if segmentations differ in length, or if an entry is not 0 or 1.

    Notes
    -----
    If coders agree on most of a segment but not on its ends, they mostly agree. Artstein & Poesio
    2005, section 4.4, suggest set distances for this case. O(N · coders).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import units
    >>> data = units.segment_annotations({"A": "00100", "B": "00010"})
    >>> data.n_items, sorted(data.categories)
    (6, [(0, 3), (0, 4), (3, 6), (4, 6)])
    """
    coders, marks = _all_marks(segmentations)
    n_coders, n_items = len(marks), marks.shape[1] + 1
    codes = np.zeros((n_coders, n_items), np.int64)
    np.cumsum(marks, axis=1, out=codes[:, 1:])
    labels: list[Any] = []
    known: dict[Any, int] = {}
    for row in range(n_coders):
        spans = [
            (begin, end) if document is None else (document, begin, end)
            for begin, end in segments(marks[row]).tolist()
        ]
        for span in spans:
            if span not in known:
                known[span] = len(labels)
                labels.append(span)
        codes[row] = np.array([known[span] for span in spans], np.int64)[codes[row]]
    names = _names(document, n_items)
    return Annotations.from_long(
        Dictionary(np.tile(np.arange(n_items, dtype=np.int32), n_coders), names, ordered=False),
        Dictionary(np.repeat(np.arange(n_coders, dtype=np.int32), n_items), coders, ordered=False),
        Dictionary(codes.reshape(-1).astype(np.int32), labels, ordered=False),
    )


def _all_marks(segmentations: Mapping[Any, Any]) -> tuple[list[Any], Array]:
    if not isinstance(segmentations, Mapping):
        raise InputTypeError(
            "segmentations must be a mapping from coder to segmentation",
            argument="segmentations",
        )
    coders = list(segmentations)
    if not coders:
        raise wrong_segmentations("there are no coders", "pass a segmentation for each")
    marks = [marks_of(segmentations[coder], f"coder {coder!r}") for coder in coders]
    for coder, some in zip(coders, marks, strict=True):
        if len(some) != len(marks[0]):
            raise wrong_segmentations(
                f"coder {coders[0]!r} has {len(marks[0])} places for boundaries and coder "
                f"{coder!r} {len(some)}: all must cut the same text"
            )
    return coders, np.array(marks, np.int8)


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
        found = segmentation[place] if isinstance(segmentation, str) else marks[place].item()
        raise InputError(f"{whose}: place {place} has {found!r}, expected 0 or 1")
    return marks.astype(np.int8)


def _names(document: Hashable | None, n: int, first: int = 0) -> list[Any]:
    places = range(first, first + n)
    return list(places) if document is None else [(document, place) for place in places]


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
            raise wrong_segmentations(
                "no text was cut by two coders", "give two segmentations of a text at least"
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
        raise wrong_segmentations(
            f"there must be {least} coders or more, not {len(segmentations)}",
            "give a segmentation for each",
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
        raise wrong_segmentations("there are no texts")
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
        raise wrong_segmentations(
            f"coder {show_label(whose[False])} has a row of 0 and 1, and coder "
            f"{show_label(whose[True])} a row of sets of types",
            "write all as sets, {'topic'} for a boundary and set() for none, say",
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
            raise wrong_segmentations(
                f"{_whose(coder, text)}: a text of one element has no place for a boundary",
                "leave it out",
            )
        first = first or (coder, places.n)
        if places.n != first[1]:
            raise wrong_segmentations(
                f"{_whose(first[0], text)}{'' if text is None else ','} has {first[1]} places for "
                f"boundaries and coder {show_label(coder)} {places.n}: all must cut the same text"
            )

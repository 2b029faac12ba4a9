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

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.reading.frames import Dictionary

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
    >>> from agreement_fast import unitizing
    >>> unitizing.from_lengths([2, 3, 1]).tolist()
    [0, 1, 0, 0, 1]
    """
    sizes = np.asarray(lengths)
    if sizes.dtype.kind not in "iu" and sizes.size:
        raise InputTypeError(
            f"lengths of segments must be whole numbers, not {sizes.dtype}",
            argument="lengths",
        )
    if sizes.ndim != 1 or not sizes.size:
        raise InputError(
            "a segmentation must have at least one segment",
            "pass its length",
            argument="lengths",
        )
    if (sizes < 1).any():
        raise InputError(
            f"segment {np.argmin(sizes)} must have a length of 1 or more, not {sizes.min()}",
            argument="lengths",
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
    >>> from agreement_fast import unitizing
    >>> unitizing.segments("01001").tolist()
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
    >>> from agreement_fast import unitizing
    >>> data = unitizing.boundary_annotations(
    ...     {"A": unitizing.from_lengths([25, 25]), "B": unitizing.from_lengths([26, 24])}
    ... )
    >>> round(af.pi(data).value, 3)
    -0.021

    With the first and the last boundary of the text, on which both agree (table 8, case 1):

    >>> data = unitizing.boundary_annotations(
    ...     {"A": unitizing.from_lengths([25, 25]), "B": unitizing.from_lengths([26, 24])},
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
    >>> from agreement_fast import unitizing
    >>> data = unitizing.segment_annotations({"A": "00100", "B": "00010"})
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
        raise InputError(
            "there are no coders",
            "pass a segmentation for each",
            argument="segmentations",
        )
    marks = [marks_of(segmentations[coder], f"coder {coder!r}") for coder in coders]
    for coder, some in zip(coders, marks, strict=True):
        if len(some) != len(marks[0]):
            raise InputError(
                f"coder {coders[0]!r} has {len(marks[0])} places for boundaries and coder "
                f"{coder!r} {len(some)}: all must cut the same text",
                argument="segmentations",
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

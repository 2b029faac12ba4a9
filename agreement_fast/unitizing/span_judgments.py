"""The spans of a continuum as judgments of items, for κ, α and other coefficients."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError
from agreement_fast.options import check_choice
from agreement_fast.span_items import (
    NOT_MARKED,
    Judged,
    Parts,
    as_labels,
    exact_items,
    judge,
    overlapping_items,
    written,
)
from agreement_fast.unitizing.continuum import Continuum, checked


def span_annotations(data: Continuum, by: str = "exact") -> Annotations:
    """Turn units into judgments: the label of an item is its category, or "not marked".

    Parameters
    ----------
    data : Continuum
        The units of the coders.
    by : {"exact", "overlap", "positions"}, default "exact"
        What an item is:

        - "exact": each distinct span that some coder marked.
        - "overlap": spans that overlap, directly or through others, are one item.
        - "positions": each place of a document, marked or not. Equal places are one item with a
          weight.

    Returns
    -------
    Annotations
        The judgments. Coders who did not see a document have none there, and a document that nobody
        saw has no items. If a coder gave an item several categories, all labels are sets, and the
        empty set stands for "not marked": use a distance such as "masi".

    Raises
    ------
    ValueError
        If a category is named "not marked".

    Notes
    -----
    By "exact" and "overlap", a span that no coder marked is not an item, so coders cannot agree on
    "not marked", and chance-corrected values are low. By "positions", coders agree on most of a
    long text. The observed disagreement of α by positions equals that of uα. Their expected
    disagreements differ, because uα does not pair a unit with itself.

    O(n log n) for n units; by "positions" O(cuts · coders), where cuts are the places where a unit
    starts or ends.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> spans = unitizing.span_annotations(data)
    >>> spans.to_wide().tolist()
    [['x', 'x'], ['y', 'not marked'], ['not marked', 'y']]
    >>> round(af.kappa(spans).value, 3), round(
    ...     af.kappa(unitizing.span_annotations(data, "positions")).value, 3
    ... )
    (0.0, 0.848)
    """
    check_choice("by", by, ("exact", "overlap", "positions"))
    if NOT_MARKED in checked(data).categories:
        raise InputError(
            f"category {NOT_MARKED!r} is also the label of items that a coder did not mark",
            "rename the category",
            argument="data",
        )
    first = np.searchsorted(np.sort(data.document), np.arange(len(data.documents) + 1))
    rows = np.split(np.argsort(data.document, kind="stable"), first[1:-1])
    documents = list(map(str, data.documents))
    if len(set(documents)) < len(documents):  # 1 and "1"
        documents = list(map(repr, data.documents))
    judged: list[Judged] = []
    weights: dict[str, int] = {}
    for place, own in enumerate(rows):
        coders = [data.coders[code] for code in _seeing(data, place).tolist()]
        who = [data.coders[code] for code in data.coder[own].tolist()]
        what = [data.categories[code] for code in data.category[own].tolist()]
        items: list[Parts]
        if by == "positions":
            items, places = _stretches(data, place, own)
        else:
            pieces, first_rows = _parts(data, own)
            who, what = ([names[row] for row in first_rows] for names in (who, what))
            items, found = (exact_items if by == "exact" else overlapping_items)(pieces)
            places = [range(one, one + 1) for one in found]
        names = [_item(data, documents[place], parts) for parts in items]
        if by == "positions" and coders:
            weights |= {
                name: int(end - start) for name, ((start, end),) in zip(names, items, strict=True)
            }
        judged += judge(names, coders, zip(who, what, places, strict=True))
    return Annotations.from_long(
        [one.item for one in judged],
        [one.coder for one in judged],
        as_labels(judged),
        weights=weights or None,
    )


def _seeing(data: Continuum, document: int) -> Array:
    if data.seen is None:
        return np.arange(data.n_coders)
    first, last = np.searchsorted(data.seen[:, 0], [document, document + 1]).tolist()
    return np.asarray(data.seen[first:last, 1])


def _item(data: Continuum, document: str, parts: Parts) -> str:
    step = data.resolution
    where = written((start * step, end * step) for start, end in parts)
    return f"{document}:{where}" if len(data.documents) > 1 else where


def _parts(data: Continuum, rows: Array) -> tuple[list[Parts], list[int]]:
    """Give the pieces of each unit, in steps, and the place of its first one among the rows."""
    units: dict[Any, list[tuple[int, int]]] = {}
    first: list[int] = []
    names = rows if data.unit is None else data.unit[rows]
    ends = zip(names.tolist(), data.start[rows].tolist(), data.end[rows].tolist(), strict=True)
    for row, (name, start, end) in enumerate(ends):
        if name not in units:
            units[name] = []
            first.append(row)
        units[name].append((start, end))
    return [tuple(sorted(pieces)) for pieces in units.values()], first


def _stretches(data: Continuum, document: int, rows: Array) -> tuple[list[Parts], list[range]]:
    """Cut a document where units start and end, and say which stretches each row covers."""
    cuts = np.unique(np.concatenate([data.start[rows], data.end[rows], data.extents[document]]))
    edges = [np.searchsorted(cuts, edge[rows]).tolist() for edge in (data.start, data.end)]
    places = cuts.tolist()
    items: list[Parts] = [(ends,) for ends in pairwise(places)]
    return items, [range(*pair) for pair in zip(*edges, strict=True)]

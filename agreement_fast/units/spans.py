"""The spans of a continuum as judgments of items, and their precision, recall and F1."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ranges
from agreement_fast.annotations import Annotations
from agreement_fast.errors import InputError
from agreement_fast.reading.span_items import (
    NOT_MARKED,
    Judged,
    Parts,
    as_labels,
    exact_items,
    judge,
    overlapping_items,
    written,
)
from agreement_fast.units.continuum import Continuum, paired
from agreement_fast.units.pair_scores import Choices, Kind, PairSums, Study, f1

#: Errors of this argument.
wrong_data = partial(InputError, argument="data")


def judged_spans(data: Continuum, by: str) -> Annotations:
    """Return the categories of exact spans, of spans that overlap, or of positions."""
    if NOT_MARKED in data.categories:
        raise wrong_data(
            f"category {NOT_MARKED!r} is also the label of items that a coder did not mark",
            "rename the category",
        )
    first = np.searchsorted(np.sort(data.document), np.arange(len(data.documents) + 1))
    documents = list(map(str, data.documents))
    if len(set(documents)) < len(documents):  # 1 and "1"
        documents = list(map(repr, data.documents))
    judged: list[Judged] = []
    saw = data.saw
    weights: dict[str, int] = {}
    for place, own in enumerate(np.split(np.argsort(data.document, kind="stable"), first[1:-1])):
        coders = [data.coders[code] for code in np.flatnonzero(saw[place]).tolist()]
        who = [data.coders[code] for code in data.coder[own].tolist()]
        what = [data.categories[code] for code in data.category[own].tolist()]
        items: list[Parts]
        if by == "positions":
            # The document is cut where units start and end; each row covers some stretches.
            cuts = np.unique(np.concatenate([data.start[own], data.end[own], data.extents[place]]))
            edges = [np.searchsorted(cuts, edge[own]).tolist() for edge in (data.start, data.end)]
            items = [(ends,) for ends in pairwise(cuts.tolist())]
            places = [range(*pair) for pair in zip(*edges, strict=True)]
        else:
            pieces, first_rows = _parts(data, own)
            who, what = ([names[row] for row in first_rows] for names in (who, what))
            items, result = (exact_items if by == "exact" else overlapping_items)(pieces)
            places = [range(entry, entry + 1) for entry in result]
        prefix = f"{documents[place]}:" if len(documents) > 1 else ""
        names = [
            prefix
            + written((start * data.resolution, end * data.resolution) for start, end in parts)
            for parts in items
        ]
        if by == "positions" and coders:
            weights |= {
                name: int(end - start) for name, ((start, end),) in zip(names, items, strict=True)
            }
        judged += judge(names, coders, zip(who, what, places, strict=True))
    return Annotations.from_long(
        [entry.item for entry in judged],
        [entry.coder for entry in judged],
        as_labels(judged),
        weights=weights or None,
    )


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


class Marked(NamedTuple):
    """What a coder marked: pieces in the order of their units, and the units' groups."""

    #: Of each piece, in the order of the units and of their places: int64 arrays of shape (n,).
    unit: Array
    start: Array
    end: Array
    #: Of each unit; only units of one group can match: int64 array.
    group: Array

    @property
    def first(self) -> Array:
        """Where the pieces of each unit begin."""
        return np.searchsorted(self.unit, np.arange(len(self.group)))


def marked_by_coder(data: Continuum, groups: Array) -> list[Marked]:
    """Give what each coder marked, with the group of each row."""
    names = np.arange(data.n_pieces) if data.unit is None else data.unit
    order = np.lexsort((data.start, names, data.coder))
    bounds = np.searchsorted(data.coder[order], np.arange(data.n_coders + 1)).tolist()
    result = []
    for first, last in pairwise(bounds):
        rows = order[first:last]
        _, at, unit = np.unique(names[rows], return_index=True, return_inverse=True)
        result.append(Marked(unit.reshape(-1), data.start[rows], data.end[rows], groups[rows[at]]))
    return result


def matched(first: Marked, other: Marked, tolerance: int | None) -> Array:
    """Match the largest number of units one to one, and return the group of each pair.

    Units match if their ends, and those of their pieces, are within the tolerance. If the tolerance
    is None, they match if they have a place in common.
    """
    if tolerance is None:
        a, b = _candidates(first, other)
        pairs = np.unique(np.column_stack([first.unit[a], other.unit[b]]), axis=0)
    else:
        pairs = _alike(first, other, tolerance)
    if not len(pairs):
        return np.zeros(0, np.int64)
    counts = [np.bincount(side).max() for side in pairs.T]
    chosen = pairs[:, 0]
    if max(counts) > 1:
        # Imported here: it takes a tenth of a second.
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        # scipy before 1.15 matches by indices of 32 bits only.
        graph = csr_array(
            (np.ones(len(pairs), np.int8), tuple(pairs.T.astype(np.int32))),
            shape=(len(first.group), len(other.group)),
        )
        chosen = np.flatnonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    return np.asarray(first.group[chosen])


def shared(first: Marked, other: Marked) -> tuple[Array, Array]:
    """Give lengths that both marked, and their groups, of places that each marked once."""
    a, b = _candidates(first, other)
    lengths = np.minimum(first.end[a], other.end[b]) - np.maximum(first.start[a], other.start[b])
    return lengths, first.group[first.unit[a]]


def covered(some: Marked) -> Marked:
    """Join units of a group that overlap or touch, so that each place is marked once."""
    order = np.lexsort((some.start, some.group[some.unit]))
    group = some.group[some.unit][order]
    start, end = some.start[order], some.end[order]
    if not len(group):
        return some
    edges = np.unique(np.concatenate([start, end]))
    base = group * (len(edges) + 1)
    begins, reach = base + np.searchsorted(edges, start), base + np.searchsorted(edges, end)
    reach = np.maximum.accumulate(reach)
    fresh = np.concatenate([[True], begins[1:] > reach[:-1]])
    fresh[1:] |= np.diff(group) > 0
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(group)) - 1
    ends = edges[reach[last] - base[last]]
    return Marked(np.arange(len(first)), start[first], ends, group[first])


def _candidates(first: Marked, other: Marked) -> tuple[Array, Array]:
    """Pairs of pieces of one group that have a place in common."""
    edges = np.unique(np.concatenate([other.start, other.end]))
    width = len(edges) + 2
    group = other.group[other.unit]
    order = np.lexsort((other.start, group))
    begins = group[order] * width + np.searchsorted(edges, other.start[order]) + 1
    # Of the pieces up to each one, how far the farthest of its group reaches.
    reach = group[order] * width + np.searchsorted(edges, other.end[order]) + 1
    reach = np.maximum.accumulate(reach)
    own = first.group[first.unit] * width
    low = np.searchsorted(reach, own + np.searchsorted(edges, first.start, "right"), "right")
    high = np.searchsorted(begins, own + np.searchsorted(edges, first.end, "left"), "right")
    a, at = ranges(low, np.maximum(high - low, 0))
    b = order[at]
    meet = other.end[b] > first.start[a]
    return a[meet], b[meet]


def _alike(first: Marked, other: Marked, tolerance: int) -> Array:
    """Pairs of units of one group whose pieces start and end within a tolerance."""
    a_first, b_first = first.first, other.first
    # How many pieces each unit has
    a_size, b_size = (np.bincount(s.unit, minlength=len(s.group)) for s in (first, other))
    starts = other.start[b_first]
    order = np.lexsort((starts, other.group))
    places = np.unique(starts)
    width = len(places) + 1
    keys = other.group[order] * width + np.searchsorted(places, starts[order])
    own, base = first.start[a_first], first.group * width
    low = np.searchsorted(keys, base + np.searchsorted(places, own - tolerance, "left"), "left")
    high = np.searchsorted(keys, base + np.searchsorted(places, own + tolerance, "right"), "left")
    a, at = ranges(low, np.maximum(high - low, 0))
    b = order[at]
    keep = a_size[a] == b_size[b]
    a, b = a[keep], b[keep]
    for piece in range(int(a_size[a].max(initial=0))):
        has = a_size[a] > piece
        rows = a_first[a[has]] + piece, b_first[b[has]] + piece
        near = np.ones(len(a), bool)
        near[has] = (
            np.maximum(
                np.abs(first.start[rows[0]] - other.start[rows[1]]),
                np.abs(first.end[rows[0]] - other.end[rows[1]]),
            )
            <= tolerance
        )
        a, b = a[near], b[near]
    return np.column_stack([a, b])


NO_SPANS = "neither marked anything"

MATCHES = ("exact", "overlap", "positions")


def _study(data: Continuum, choices: Choices) -> Study:
    tolerance = _steps(choices, data.resolution)
    used = paired(data)
    D = len(used.documents)
    # Units of one document match, and if labels count of one category.
    K = len(used.categories) if choices.labelled else 1
    groups = used.document.astype(np.int64) + used.category * np.int64(D * choices.labelled)
    marked = marked_by_coder(used, groups)
    covering = [covered(some) for some in marked] if "positions" in choices.measure else []
    saw = used.saw

    def table(groups: Array, lengths: Array | None = None) -> FloatArray:
        return np.bincount(groups, lengths, K * D).astype(np.float64).reshape(K, D)

    def counts(measure: str, pair: tuple[int, int]) -> list[FloatArray]:
        if measure == "positions":
            first, second = (covering[coder] for coder in pair)
            lengths, where = shared(first, second)
            own = (table(some.group[some.unit], some.end - some.start) for some in (first, second))
            return [table(where, lengths), *own]
        first, second = (marked[coder] for coder in pair)
        alike = matched(first, second, None if measure == "overlap" else tolerance)
        return [table(group) for group in (alike, first.group, second.group)]

    pairs: list[PairSums] = []
    for pair in choices.pairs:
        both = np.flatnonzero(saw[:, pair].all(1))
        # float64 (measures, K, D)
        sums = np.array([part for name in choices.measure for part in counts(name, pair)])
        pairs.append(PairSums.of(pair, None, sums.sum(1), both))
        for code in range(K if choices.by_label else 0):
            pairs.append(PairSums.of(pair, used.categories[code], sums[:, code], both))
    measures = {
        name: f1(3 * i, 3 * i + 1, 3 * i + 2, NO_SPANS) for i, name in enumerate(choices.measure)
    }
    return Study(used.documents, measures, pairs)


def _steps(choices: Choices, resolution: float) -> int:
    """Return the tolerance in steps of the resolution."""
    tolerance = choices.tolerance
    if (
        not isinstance(tolerance, (int, float, np.number))
        or isinstance(tolerance, bool)
        or not 0 <= tolerance < 2**53
    ):
        raise InputError.must_be("tolerance", "a number from 0 on", tolerance)
    if tolerance and choices.measure != ["exact"]:
        raise InputError(
            "tolerance is for spans that match by their ends",
            'leave it out, or pass measure="exact"',
            argument="tolerance",
        )
    if choices.by_label and not choices.labelled:
        raise InputError(
            "spans that match without their labels have no scores of categories",
            "leave one of them out",
            argument="by",
        )
    # a tolerance between two steps reaches as far as the step below it
    return math.floor(float(tolerance) / resolution + 1e-6)


MADE_BY = "af.units.Continuum.from_rows(coders, starts, ends, categories)"
BY, OPTIONS = ("label", "document"), frozenset({"labelled", "tolerance"})
SPANS = Kind(Continuum, MADE_BY, _study, BY, MATCHES, ("exact",), OPTIONS)

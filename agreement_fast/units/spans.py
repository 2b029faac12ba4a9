"""The spans of a continuum as judgments of items, and their precision, recall and F1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray, mean_of_defined, ratio
from agreement_fast.errors import Argument, InputError, UnknownKeyError
from agreement_fast.inference.documents import Options, Spread, spreads, why_no_interval
from agreement_fast.options import check_choice, check_flag
from agreement_fast.results import Result
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
from agreement_fast.tables import DETAILS, ResultTable, in_columns, of_each
from agreement_fast.units.continuum import Continuum, checked, paired

#: Errors of this argument.
wrong_data = partial(InputError, argument="data")


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
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> spans = units.span_annotations(data)
    >>> spans.to_wide().tolist()
    [['x', 'x'], ['y', 'not marked'], ['not marked', 'y']]
    >>> round(af.kappa(spans).value, 3), round(
    ...     af.kappa(units.span_annotations(data, "positions")).value, 3
    ... )
    (0.0, 0.848)
    """
    check_choice("by", by, ("exact", "overlap", "positions"))
    if NOT_MARKED in checked(data).categories:
        raise wrong_data(
            f"category {NOT_MARKED!r} is also the label of items that a coder did not mark",
            "rename the category",
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
            # The document is cut where units start and end; each row covers some stretches.
            cuts = np.unique(np.concatenate([data.start[own], data.end[own], data.extents[place]]))
            edges = [np.searchsorted(cuts, edge[own]).tolist() for edge in (data.start, data.end)]
            items = [(ends,) for ends in pairwise(cuts.tolist())]
            places = [range(*pair) for pair in zip(*edges, strict=True)]
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

    @property
    def sizes(self) -> Array:
        """How many pieces each unit has."""
        return np.bincount(self.unit, minlength=len(self.group))


def marked_by_coder(data: Continuum, groups: Array) -> list[Marked]:
    """Give what each coder marked, with the group of each row."""
    names = np.arange(data.n_pieces) if data.unit is None else data.unit
    order = np.lexsort((data.start, names, data.coder))
    bounds = np.searchsorted(data.coder[order], np.arange(data.n_coders + 1)).tolist()
    found = []
    for first, last in pairwise(bounds):
        rows = order[first:last]
        _, at, unit = np.unique(names[rows], return_index=True, return_inverse=True)
        found.append(Marked(unit.reshape(-1), data.start[rows], data.end[rows], groups[rows[at]]))
    return found


def matched(one: Marked, other: Marked, tolerance: int | None) -> Array:
    """Match the largest number of units one to one, and return the group of each pair.

    Units match if their ends, and those of their pieces, are within the tolerance. If the tolerance
    is None, they match if they have a place in common.
    """
    pairs = _intersecting(one, other) if tolerance is None else _alike(one, other, tolerance)
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
            shape=(len(one.group), len(other.group)),
        )
        chosen = np.flatnonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    return np.asarray(one.group[chosen])


def shared(one: Marked, other: Marked) -> tuple[Array, Array]:
    """Give lengths that both marked, and their groups, of places that each marked once."""
    a, b = _candidates(one, other)
    lengths = np.minimum(one.end[a], other.end[b]) - np.maximum(one.start[a], other.start[b])
    return lengths, one.group[one.unit[a]]


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


def _spread(low: Array, high: Array) -> tuple[Array, Array]:
    """Write out ranges: which one each number is of, and the numbers."""
    counts = np.maximum(high - low, 0)
    which = np.repeat(np.arange(len(low)), counts)
    begins = np.cumsum(counts) - counts
    return which, np.arange(len(which)) - begins[which] + low[which]


def _candidates(one: Marked, other: Marked) -> tuple[Array, Array]:
    """Pairs of pieces of one group that have a place in common."""
    edges = np.unique(np.concatenate([other.start, other.end]))
    width = len(edges) + 2
    group = other.group[other.unit]
    order = np.lexsort((other.start, group))
    begins = group[order] * width + np.searchsorted(edges, other.start[order]) + 1
    # Of the pieces up to each one, how far the farthest of its group reaches.
    reach = group[order] * width + np.searchsorted(edges, other.end[order]) + 1
    reach = np.maximum.accumulate(reach)
    own = one.group[one.unit] * width
    low = np.searchsorted(reach, own + np.searchsorted(edges, one.start, "right"), "right")
    high = np.searchsorted(begins, own + np.searchsorted(edges, one.end, "left"), "right")
    a, at = _spread(low, high)
    b = order[at]
    meet = other.end[b] > one.start[a]
    return a[meet], b[meet]


def _intersecting(one: Marked, other: Marked) -> Array:
    a, b = _candidates(one, other)
    pairs = np.column_stack([one.unit[a], other.unit[b]])
    return np.asarray(np.unique(pairs, axis=0) if len(pairs) else pairs)


def _alike(one: Marked, other: Marked, tolerance: int) -> Array:
    """Pairs of units of one group whose pieces start and end within a tolerance."""
    (a_first, a_size), (b_first, b_size) = ((some.first, some.sizes) for some in (one, other))
    starts = other.start[b_first]
    order = np.lexsort((starts, other.group))
    places = np.unique(starts)
    width = len(places) + 1
    keys = other.group[order] * width + np.searchsorted(places, starts[order])
    own, base = one.start[a_first], one.group * width
    low = np.searchsorted(keys, base + np.searchsorted(places, own - tolerance, "left"), "left")
    high = np.searchsorted(keys, base + np.searchsorted(places, own + tolerance, "right"), "left")
    a, at = _spread(low, high)
    b = order[at]
    keep = a_size[a] == b_size[b]
    a, b = a[keep], b[keep]
    for piece in range(int(a_size[a].max(initial=0))):
        has = a_size[a] > piece
        rows = a_first[a[has]] + piece, b_first[b[has]] + piece
        near = np.ones(len(a), bool)
        near[has] = (
            np.maximum(
                np.abs(one.start[rows[0]] - other.start[rows[1]]),
                np.abs(one.end[rows[0]] - other.end[rows[1]]),
            )
            <= tolerance
        )
        a, b = a[near], b[near]
    return np.column_stack([a, b])


NO_COMMON = "no document was seen by both"
NO_SPANS = "neither marked anything"
NO_PAIR = "no pair of coders has a value"

MATCHES = ("exact", "overlap", "positions")

#: Columns that a notebook does not show.
ASIDE = DETAILS | {"n_documents", "n_first", "n_second", "note", "undefined"}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SpanScore(Result):
    """The F1 of two coders' spans, or the mean over pairs of coders: a float, with its parts.

    Attributes
    ----------
    first, second : label or None
        The coders; None for the mean over all pairs with a value.
    average : str
        "micro" for all spans together, "macro" for the mean over categories, "category" for one
        category.
    category : label or None
        The category; None for averages.
    value : float
        F1 = 2 · matches / (spans of both); NaN if undefined.
    low, high : float
        The ends of the interval; NaN if there is none.
    precision, recall : float
        Matches divided by the spans of the second coder, and by those of the first, who is the
        reference. NaN for the mean over pairs, because they depend on the order of the coders.
    n_matched, n_first, n_second : int
        Numbers of spans, or for "positions" of steps of the resolution; for the mean, sums over the
        pairs.
    n_documents : int
        Number of documents that both saw; for the mean, that two coders saw.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    aside: ClassVar[frozenset[str]] = ASIDE

    first: Any
    second: Any
    average: str
    category: Any
    value: float
    low: float
    high: float
    precision: float
    recall: float
    n_matched: int
    n_first: int
    n_second: int
    n_documents: int
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        who = "mean of pairs" if self.first is None else f"{self.first!r} and {self.second!r}"
        what = self.average if self.category is None else repr(self.category)
        if self.undefined is not None:
            return f"<F1 ({what}) of {who}: undefined ({self.undefined})>"
        return f"<F1 ({what}) of {who}: {self.value:.4f}, {self.low:.4f} to {self.high:.4f}>"


class SpanScores(ResultTable[SpanScore]):
    """Scores of all pairs of coders, and their means; ``print`` shows them.

    Attributes
    ----------
    match : str
        How spans are matched: "exact", "overlap" or "positions".
    tolerance : float
        How far apart ends may be.
    labels : bool
        Whether only spans of the same category match.
    n_unpaired_documents : int
        Number of documents that fewer than two coders saw. They do not count.
    """

    aside: ClassVar[frozenset[str]] = ASIDE

    def __init__(
        self,
        scores: Iterable[SpanScore],
        match: str,
        tolerance: float,
        labels: bool,
        n_unpaired_documents: int,
    ) -> None:
        super().__init__(scores)
        self.match, self.tolerance, self.labels = match, tolerance, labels
        self.n_unpaired_documents = n_unpaired_documents

    def of(
        self,
        first: Any = None,
        second: Any = None,
        *,
        category: Any = None,
        average: str = "micro",
    ) -> SpanScore:
        """Return the score of two coders, or the mean over all pairs.

        Parameters
        ----------
        first, second : label, optional
            Two coders in any order; the first is the reference of precision and recall. By default
            the mean over all pairs.
        category : label, optional
            The category. By default an average.
        average : {"micro", "macro"}, default "micro"
            Without a category, the average over all spans or over categories.

        Returns
        -------
        SpanScore
            The score.

        Raises
        ------
        KeyError
            If there are no such coders or no such category.
        """
        check_choice("average", average, ("micro", "macro"))
        kind = average if category is None else "category"
        for score in self._rows:
            names = score.first, score.second
            if (score.average, score.category) == (kind, category):
                if names == (first, second):
                    return score
                if names == (second, first):
                    # The same score with the second coder as the reference
                    return replace(
                        score,
                        first=score.second,
                        second=score.first,
                        precision=score.recall,
                        recall=score.precision,
                        n_first=score.n_second,
                        n_second=score.n_first,
                    )
        pairs = dict.fromkeys((score.first, score.second) for score in self._rows)
        raise UnknownKeyError(
            f"no F1 of {first!r} and {second!r} for category {category!r}; the pairs are "
            + ", ".join(f"{a!r} and {b!r}" for a, b in pairs if a is not None)
        )

    def __repr__(self) -> str:
        columns = {
            **of_each(self, "n_matched precision recall value low high"),
            "first": ["mean of" if one.first is None else one.first for one in self],
            "second": ["pairs" if one.first is None else one.second for one in self],
            "spans": [one.average if one.category is None else one.category for one in self],
        }
        layout = (
            "first | second | spans | matched = n_matched | precision | recall | F1 = value | "
            "low | high"
        )
        notes = dict.fromkeys(
            text for score in self._rows for text in (score.note, score.undefined) if text
        )
        lines = in_columns(columns, layout, sides="<<<>>>>>>", indent="")
        return "\n".join([*lines, *notes])


def span_f1(
    data: Continuum,
    match: str = "exact",
    *,
    tolerance: float = 0,
    labels: bool = True,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> SpanScores:
    """Compute precision, recall and F1 of the spans of each pair of coders.

    Parameters
    ----------
    data : Continuum
        The units of the coders. They may overlap, be nested, or be in several pieces.
    match : {"exact", "overlap", "positions"}, default "exact"
        Which spans match:

        - "exact": spans with the same start and end, and the same pieces if there are several.
        - "overlap": spans with a place in common.
        - "positions": places are counted instead of spans: those that both coders marked. It does
          not matter how often a coder marked a place with one category.
    tolerance : float, default 0
        For "exact": how far apart starts, and ends, may be, in units of the given positions.
    labels : bool, default True
        Whether only spans of the same category match. If False, there are no rows of categories.
    n_resamples : int, default 1000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    SpanScores
        For each pair of coders, the micro average over all spans, the macro average over
        categories, and each category; then the means over the pairs.

    Raises
    ------
    ValueError
        If a name is unknown, if the tolerance is negative or not for this `match`, or if there are
        fewer than two coders.

    Notes
    -----
    These values are not corrected for chance. Spans are matched one to one, with the largest number
    of matches, document by document and category by category. There may be several such matchings;
    only the number of matches counts, so ties do not matter.

    F1 is symmetric. Precision and recall take the first coder as the reference. A value of 0 / 0 is
    NaN and is left out of means: a category that neither coder used does not count in a macro
    average, and a pair without a value does not count in the mean over pairs. Coders are compared
    on the documents that both saw. If a category or a pair has no value in a resample, the means of
    this resample are over the others.

    O(n log n + candidates) for each pair of coders, where candidates are the pairs of spans that
    can match; the matching takes O(candidates · √n).

    Examples
    --------
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> units.span_f1(data).of("A", "B").value
    0.5
    >>> units.span_f1(data, "exact", tolerance=1).of("A", "B").value
    1.0
    >>> round(units.span_f1(data, "positions").of("A", "B").value, 4)
    0.9231
    """
    check_choice("match", match, MATCHES)
    labels = check_flag("labels", labels)
    resolution = checked(data).resolution
    if (
        not isinstance(tolerance, (int, float, np.number))
        or isinstance(tolerance, bool)
        or not 0 <= tolerance < 2**53
    ):
        raise InputError.must_be("tolerance", "a number from 0 on", tolerance)
    if tolerance and match != "exact":
        raise InputError(
            f"tolerance is for spans that match by their ends, and match is {match!r}",
            'leave it out, or pass match="exact"',
            argument="tolerance",
        )
    # a tolerance between two steps reaches as far as the step below it
    within = math.floor(float(tolerance) / resolution + 1e-6)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    if data.n_coders < 2:
        raise wrong_data(
            f"scores need at least two coders, got {data.n_coders}",
            (
                "name coders who marked nothing by ",
                Argument("all_coders"),
                " of Continuum.from_rows",
            ),
        )
    used = paired(data)
    counts = _counts(used, match, None if match == "overlap" else within, labels)
    found = spreads(counts.values, len(used.documents), options)
    scores = list(_scores(used, counts, found, labels))
    return SpanScores(scores, match, float(tolerance), labels, int((data.n_seeing < 2).sum()))


# ---------------------------------------------------------------------- counts


class _Counts(NamedTuple):
    """Counts by pair of coders, category and document: float64 of shape (P, K, D).

    `documents` says which ones both of a pair saw: bool of shape (P, D).
    """

    pairs: list[tuple[int, int]]
    matched: FloatArray
    first: FloatArray
    second: FloatArray
    documents: Array

    def values(self, weights: FloatArray) -> FloatArray:
        """F1 of documents that are there as often as weights say: float64 (parts, R).

        In the order of `_scores`: for each pair micro, macro and the categories, then the means.
        """
        matches, sums = (some @ weights for some in (self.matched, self.first + self.second))
        single = ratio(2 * matches, sums)
        micro = ratio(2 * matches.sum(1), sums.sum(1))
        each = np.concatenate([micro[:, None], mean_of_defined(single, 1)[:, None], single], axis=1)
        every = np.concatenate([each, mean_of_defined(each, 0)[None]])
        return every.reshape(-1, weights.shape[1])


def _counts(data: Continuum, match: str, tolerance: int | None, labels: bool) -> _Counts:
    D, K = len(data.documents), len(data.categories) if labels else 1
    groups = data.document.astype(np.int64) + (data.category.astype(np.int64) * D if labels else 0)
    marked = marked_by_coder(data, groups)
    if match == "positions":
        marked = [covered(some) for some in marked]

    def table(groups: Array, lengths: Array | None = None) -> FloatArray:
        counted = np.bincount(groups, lengths, K * D).astype(np.float64)
        return counted.reshape(K, D)

    saw = np.ones((data.n_coders, D), bool)
    if data.seen is not None:
        saw[:] = False
        saw[data.seen[:, 1], data.seen[:, 0]] = True
    own = [
        table(some.group[some.unit], some.end - some.start)
        if match == "positions"
        else table(some.group)
        for some in marked
    ]
    pairs = list(combinations(range(data.n_coders), 2))
    both = np.array([saw[a] & saw[b] for a, b in pairs], bool).reshape(len(pairs), D)
    matches = np.zeros((3, len(pairs), K, D))
    for place, (a, b) in enumerate(pairs):
        if match == "positions":
            lengths, where = shared(marked[a], marked[b])
            matches[0, place] = table(where, lengths)
        else:
            matches[0, place] = table(matched(marked[a], marked[b], tolerance))
        matches[1, place], matches[2, place] = own[a] * both[place], own[b] * both[place]
    return _Counts(pairs, matches[0], matches[1], matches[2], both)


# ---------------------------------------------------------------------- results


def _scores(
    data: Continuum, counts: _Counts, found: Sequence[Spread], labels: bool
) -> Iterator[SpanScore]:
    D = len(data.documents)
    values = counts.values(np.ones((D, 1)))[:, 0].reshape(len(counts.pairs) + 1, -1)
    sums = [some.sum(2) for some in (counts.matched, counts.first, counts.second)]
    compared = counts.documents.any(0)
    categories = list(data.categories) if labels else []
    heads: list[tuple[str, Any]] = [("micro", None)]
    if labels:
        heads += [("macro", None), *(("category", one) for one in categories)]
    for place in range(len(counts.pairs) + 1):
        is_mean = place == len(counts.pairs)
        some = [one.sum(0) if is_mean else one[place] for one in sums]
        n_documents = int((compared if is_mean else counts.documents[place]).sum())
        first, second = (
            (None, None) if is_mean else (data.coders[code] for code in counts.pairs[place])
        )
        ratios = [ratio(some[0], below) for below in (some[2], some[1])]
        for column, (average, category) in enumerate(heads):
            if average == "category":
                own, rates = [one[column - 2] for one in some], [one[column - 2] for one in ratios]
            else:
                own = [one.sum() for one in some]
                rates = [ratio(own[0], below) for below in (own[2], own[1])]
                if average == "macro":
                    rates = [mean_of_defined(one, 0) for one in ratios]
            value = float(values[place, column])
            why = None
            if math.isnan(value):
                why = NO_PAIR if is_mean else NO_SPANS if n_documents else NO_COMMON
            one = found[place * values.shape[1] + column]
            yield SpanScore(
                first,
                second,
                average,
                category,
                value,
                math.nan if why else one.low,
                math.nan if why else one.high,
                math.nan if is_mean else float(rates[0]),
                math.nan if is_mean else float(rates[1]),
                int(own[0]),
                int(own[1]),
                int(own[2]),
                n_documents,
                why,
                None if why else why_no_interval(one, D),
            )

"""Merging categories step by step: α after each merge, with intervals and support.

Everything is computed from Krippendorff's coincidences. They are linear in the weights of the
distinct rows, so resamples need no further pass over the judgments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.chance import beyond_chance
from agreement_fast.distances.sums.columns import pattern_items
from agreement_fast.errors import InputError
from agreement_fast.inference.intervals import interval
from agreement_fast.inference.resample import Draw
from agreement_fast.options import (
    PerItem,
    Seed,
    bar,
    check_choice,
    check_count,
    check_resamples,
    check_share,
)
from agreement_fast.options import generator as generator_of
from agreement_fast.patterns import tallied
from agreement_fast.present.tables import ResultTable, Tabular, ends_of, of_fields
from agreement_fast.present.terminal import number_of, show_label, spell_label
from agreement_fast.reading.groups import rows_of_documents

#: The share of all pairs below which the remainder is a rounding error.
NOTHING = 1e-12


class Merges(NamedTuple):
    """K − 2 merges of categories in each of R tables; a group has the index of its first one."""

    #: The merged groups; equal if a table has nothing left to merge: int array of shape (R, K - 2).
    first: Array
    second: Array
    #: Their distance; NaN if there is none: float64 array of shape (R, K - 2).
    height: FloatArray
    #: The number of categories, K.
    n_categories: int


def by_gain(coincidences: FloatArray) -> Merges:
    """Merge the two groups that give the highest α (nominal), step by step."""
    o = coincidences.copy()
    R, K, _ = o.shape
    every, counts = np.arange(R), o.sum(2)
    total = counts.sum(1)
    apart = total - np.trace(o, axis1=1, axis2=2)
    chance = total**2 - (counts**2).sum(1)
    j, l = np.triu_indices(K, 1)  # noqa: E741
    alive = np.ones((R, K), bool)
    first, second = np.zeros((2, R, K - 2), np.int64)
    for step in range(K - 2):
        met, product = 2 * o[:, j, l], 2 * counts[:, j] * counts[:, l]
        left = chance[:, None] - product
        value = np.full(left.shape, -np.inf)
        possible = alive[:, j] & alive[:, l] & (left > NOTHING * total[:, None] ** 2)
        np.divide((1 - total)[:, None] * (apart[:, None] - met), left, out=value, where=possible)
        best = value.argmax(1)
        done = possible[every, best]
        into, gone = j[best], np.where(done, l[best], j[best])
        first[:, step], second[:, step] = into, gone
        at, into, gone, best = every[done], into[done], gone[done], best[done]
        apart[at] -= met[at, best]
        chance[at] -= product[at, best]
        counts[at, into] += counts[at, gone]
        o[at, into] += o[at, gone]
        o[at, :, into] += o[at, :, gone]
        alive[at, gone] = False
    return Merges(first, second, np.full(first.shape, np.nan), K)


def by_confusion(coincidences: FloatArray, linkage: Any) -> Merges:
    """Cluster by the distance 1 − 2 o_jl / (n_j + n_l) with scipy's hierarchical clustering."""
    from scipy.cluster import hierarchy

    R, K, _ = coincidences.shape
    counts = coincidences.sum(2)
    j, l = np.triu_indices(K, 1)  # noqa: E741
    either = counts[:, j] + counts[:, l]
    met = np.zeros(either.shape)
    np.divide(2 * coincidences[:, j, l], either, out=met, where=either > 0)
    apart = np.clip(1 - met, 0, None)
    first, second = np.zeros((2, R, K - 2), np.int64)
    height = np.zeros((R, K - 2))
    for r in range(R):
        lead = list(range(K))  # the first category of each of scipy's clusters
        for step, (a, b, distance, _) in enumerate(hierarchy.linkage(apart[r], linkage).tolist()):
            ends = sorted((lead[int(a)], lead[int(b)]))
            lead.append(ends[0])
            if step < K - 2:
                first[r, step], second[r, step] = ends
                height[r, step] = distance
    return Merges(first, second, height, K)


def members_of(merges: Merges, place: int) -> list[tuple[list[int], list[int]]]:
    """Return the categories of both groups of each merge of one table."""
    groups = {k: [k] for k in range(merges.n_categories)}
    result = []
    for a, b in zip(merges.first[place].tolist(), merges.second[place].tolist(), strict=True):
        if a == b:
            break
        result.append((groups[a], groups[b]))
        groups[a] = groups[a] + groups[b]
    return result


def group_codes(merges: Merges, codes: Array) -> Array:
    """Return a number for each new group, equal for equal categories; 0 if there is no merge."""
    R, n_steps = merges.first.shape
    every, own = np.arange(R), np.repeat(codes[None], R, axis=0)
    result = np.zeros((R, n_steps), codes.dtype)
    for step in range(n_steps):
        a, b = merges.first[:, step], merges.second[:, step]
        done = a != b
        own[every[done], a[done]] += own[every[done], b[done]]
        result[done, step] = own[every[done], a[done]]
    return result


#: Numbers of the coincidences that are held at a time.
ROOM = 2**23

WAYS = ("gain", "confusion")


@dataclass(frozen=True, slots=True)
class MergingStep(Tabular):
    """A merge of two groups of categories.

    Attributes
    ----------
    first, second : tuple
        The categories of the two groups.
    n_categories : int
        The number of categories after the merge.
    before, value, gain : float
        α (nominal) before and after the merge, and the difference.
    low, high, gain_low, gain_high : float
        Ends of the percentile intervals of `value` and `gain`, for these merges.
    height : float
        The distance of the two groups in the tree of `by="confusion"`; NaN for "gain".
    support : float
        The share of the resamples whose own path makes the same group at any step.
    """

    first: tuple[Any, ...]
    second: tuple[Any, ...]
    n_categories: int
    before: float
    value: float
    gain: float
    low: float
    high: float
    gain_low: float
    gain_high: float
    height: float
    support: float

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row; categories of a group are joined."""
        named = {"first": [_joined(self.first)], "second": [_joined(self.second)]}
        return {**named, **of_fields([self])}

    @property
    def merged(self) -> tuple[Any, ...]:
        """The categories of the new group."""
        return self.first + self.second


class CategoryPath(ResultTable[MergingStep]):
    """The merges from all categories to two, made by `category_path`.

    Attributes
    ----------
    categories : tuple
        The categories that were used in items with two judgments or more, in the order of the
        dendrogram.
    value, low, high : float
        α (nominal) before any merge, and the ends of its interval.
    by : {"gain", "confusion"}
        How the merges were chosen.
    n_resamples : int
        The number of resamples.
    confidence_level : float
        The level of the intervals.
    unused : tuple
        The other categories, which are left out.
    """

    _caption = "{categories:category} merged by {by}, from alpha = {value:.4f}[, {interval}]"
    _table = (
        "merged = {first:l}, {second:l} | n_categories | alpha = value | low..high | "
        "gain:+ | support:.0%"
    )
    _remarks = ""
    _below = "_notes"
    _most = None

    def _notes(self) -> list[str]:
        drawn = number_of(self.n_resamples, "resample")
        unused = ", ".join(map(show_label, self.unused))
        return [
            "The merges were chosen from these data, so part of each gain is due to chance "
            f"({drawn}).",
            *([f"Unused categories: {unused}."] if unused else []),
        ]

    def __init__(
        self,
        steps: Sequence[MergingStep],
        categories: tuple[Any, ...],
        value: tuple[float, float, float],
        by: str,
        n_resamples: int,
        confidence_level: float,
        unused: tuple[Any, ...],
    ) -> None:
        super().__init__(steps)
        self.categories, self.unused, self.by = categories, unused, by
        self.value, self.low, self.high = value
        self.n_resamples, self.confidence_level = n_resamples, confidence_level

    def mapping(self, n_categories: int) -> dict[Any, str]:
        """Return the mapping for `Annotations.merge_categories` that leaves n categories.

        Parameters
        ----------
        n_categories : int
            The number of categories after merging, from 2 to the number of used categories.

        Returns
        -------
        dict
            From each merged category to the name of its group, such as "a + b".

        Raises
        ------
        ValueError
            If `n_categories` is below 2 or above the number of used categories.
        """
        n = check_count("n_categories", n_categories, 2)
        if n > len(self.categories):
            raise InputError.must_be("n_categories", f"{len(self.categories)} or less", n)
        result: dict[Any, str] = {}
        for step in self._rows[: len(self.categories) - n]:
            result |= dict.fromkeys(step.merged, _joined(step.merged))
        return result

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with a row for each step."""
        steps = self._rows
        rows = [step.columns() for step in steps]
        return {
            "step": list(range(1, len(steps) + 1)),
            **{name: [row[name][0] for row in rows] for name in rows[0]},
            "n_resamples": [self.n_resamples] * len(steps),
            "confidence_level": [self.confidence_level] * len(steps),
        }


def _joined(labels: Sequence[Any]) -> str:
    return " + ".join(map(spell_label, labels))


def category_path(
    data: JudgmentsLike,
    *,
    by: Literal["gain", "confusion"] = "gain",
    linkage: Literal["average", "complete", "single"] = "average",
    cluster: PerItem | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: Seed = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> CategoryPath:
    """Merge categories step by step until two are left, and compute α after each step.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments.
    by : {"gain", "confusion"}, default "gain"
        Which groups are merged next: those whose merging gives the highest α ("gain", greedy), or
        those that coders confuse most ("confusion", agglomerative clustering).
    linkage : {"average", "complete", "single"}, default "average"
        The distance between groups in that clustering, with scipy's names.
    cluster : mapping item -> document, or sequence of shape (n_rows,), optional
        The document of each item. If given, documents are resampled instead of items.
    n_resamples : int, default 2000
        The number of resamples; 0 for no intervals.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    rng : int or numpy Generator, optional
        The seed or generator of the resamples.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CategoryPath
        The merges in order; ``print(path)`` shows a table.

    Raises
    ------
    ValueError
        If fewer than three categories are used in items with two judgments or more.

    Warnings
    --------
    **Choosing a merge by its gain raises α by chance**: the best of many merges looks better than
    it is, and new data will gain less. The intervals treat the chosen merges as if they had been
    fixed in advance; `support` is the share of resamples that choose the same group. Merging
    afterwards does not replace a new study: coders with fewer categories might have decided
    differently (Artstein & Poesio 2008, 4.1).

    Notes
    -----
    Both methods use the coincidences o_jl. Merging j and l removes their coincidences from D_o and
    their product from D_e. The distance for clustering is 1 − 2 o_jl / (n_j + n_l): 1 minus the
    share of the judgments of either category that are paired with the other one. Support is that of
    groups of evolutionary trees (Felsenstein 1985). The intervals are percentile intervals.

    O(patterns + K³) for the data and for each resample.

    References
    ----------
    Bruce, R. F. & Wiebe, J. M. (1998). Word-sense distinguishability and inter-coder agreement.
    EMNLP.

    Felsenstein, J. (1985). Confidence limits on phylogenies: an approach using the bootstrap.
    Evolution 39, 783-791.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> table = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("d", "d")]
    >>> table += [("a", "d")]
    >>> path = diagnostics.category_path(table, rng=1)
    >>> for step in path:
    ...     print(step.first, step.second, round(step.before, 3), round(step.value, 3))
    ('b',) ('c',) 0.535 0.867
    ('a',) ('d',) 0.867 1.0
    >>> path.mapping(3)
    {'b': 'b + c', 'c': 'b + c'}
    """
    check_choice("by", by, WAYS)
    check_choice("linkage", linkage, ("average", "complete", "single"))
    check_share("confidence_level", confidence_level)
    n_resamples = check_resamples(n_resamples, 0)
    annotations = as_annotations(data, **reading)
    linear = _linear(annotations, cluster)
    whole = linear.coincidences(linear.weights[:, None].astype(np.float64))
    used = np.flatnonzero(whole[0].sum(0) > 0)
    if len(used) < 3:
        raise InputError(
            f"category_path() needs at least three categories in items with two judgments or more, "
            f"got {len(used)}",
            argument="data",
        )
    labels = annotations.categories
    path = _merges(whole[:, used][:, :, used], by, linkage)
    groups = members_of(path, 0)
    codes = generator_of(0).integers(1, 2**62, len(used), dtype=np.uint64)
    own_groups = group_codes(path, codes)[0]
    values = [_along(whole[:, used][:, :, used], groups)]
    hits = np.zeros(len(groups))
    for resampled in linear.resampled(n_resamples, generator_of(rng), progress):
        own = resampled[:, used][:, :, used]
        values.append(_along(own, groups))
        result = group_codes(_merges(own, by, linkage), codes)
        hits += (result[:, :, None] == own_groups[None, None, :]).any(1).sum(0)
    start, *replicates = values
    drawn = np.concatenate(replicates) if replicates else np.zeros((0, len(groups) + 1))
    value = start[0]
    ends, gains = (
        [
            interval("percentile", float(of), column, confidence_level)
            for of, column in zip(of_steps, of_draws.T, strict=True)
        ]
        for of_steps, of_draws in ((value, drawn), (np.diff(value), np.diff(drawn)))
    )
    steps = [
        MergingStep(
            first=tuple(labels[used[k]] for k in first),
            second=tuple(labels[used[k]] for k in second),
            n_categories=len(used) - i - 1,
            before=float(value[i]),
            value=float(value[i + 1]),
            gain=float(value[i + 1] - value[i]),
            **ends_of("", ends[i + 1]),
            **ends_of("gain", gains[i]),
            height=float(path.height[0, i]),
            support=float(hits[i]) / n_resamples if n_resamples else math.nan,
        )
        for i, (first, second) in enumerate(groups)
    ]
    return CategoryPath(
        steps,
        tuple(labels[used[k]] for k in _leaves(groups, len(used))),
        (float(value[0]), *ends[0]),
        by,
        n_resamples,
        confidence_level,
        tuple(label for k, label in enumerate(labels) if k not in set(used.tolist())),
    )


def _merges(coincidences: FloatArray, by: str, linkage: str) -> Merges:
    return by_gain(coincidences) if by == "gain" else by_confusion(coincidences, linkage)


def _leaves(groups: list[tuple[list[int], list[int]]], K: int) -> list[int]:
    """Order the categories so that those of a group are adjacent."""
    order: dict[int, list[int]] = {k: [k] for k in range(K)}
    for first, second in groups:
        order[first[0]] = first + second
        del order[second[0]]
    return [k for group in order.values() for k in group]


def _along(coincidences: FloatArray, groups: list[tuple[list[int], list[int]]]) -> FloatArray:
    """Compute α before and after each step: float64 of shape (R, steps + 1)."""
    counts = coincidences.sum(2)
    total = counts.sum(1)
    apart = [total - np.trace(coincidences, axis1=1, axis2=2)]
    chance = [total**2 - (counts**2).sum(1)]
    for first, second in groups:
        met = coincidences[:, first][:, :, second].sum((1, 2))
        apart.append(apart[-1] - 2 * met)
        chance.append(chance[-1] - 2 * counts[:, first].sum(1) * counts[:, second].sum(1))
    observed, expected = np.array(apart).T, np.array(chance).T
    expected[expected <= 1e-12 * total[:, None] ** 2] = 0
    return beyond_chance((total[:, None] - 1) * observed, expected)


# ---------------------------------------------------------------------------------------------
# Coincidences of resamples


class _Linear(NamedTuple):
    """Coincidences as sums over the distinct rows: a sparse matrix of K² rows."""

    matrix: Any
    weights: Array
    draw: Draw
    n_categories: int

    def coincidences(self, weights: FloatArray) -> FloatArray:
        """Compute the coincidences of some resamples: float64 of shape (R, K, K)."""
        K = self.n_categories
        return np.ascontiguousarray((self.matrix @ weights).T).reshape(-1, K, K)

    def resampled(self, n: int, rng: np.random.Generator, progress: bool) -> Any:
        step = max(1, min(256, ROOM // max(self.n_categories**2, len(self.weights), 1)))
        with bar(progress, n) as advance:
            for first in range(0, n, step):
                count = min(step, n - first)
                yield self.coincidences(self.draw(rng, count))
                advance(count)


def _linear(annotations: Annotations, cluster: Any) -> _Linear:
    from scipy.sparse import coo_array

    K = len(annotations.labels)
    unit = None
    if cluster is None:
        rows = pattern_items(annotations, False).rows
    else:
        rows, unit = rows_of_documents(annotations, cluster)
    row, category, count = tallied(rows, K)
    sizes = np.bincount(row, count, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else np.asarray(rows.weights)
    weights = np.where(sizes > 1, weights, 0)
    # Pair each count with each other one of the same row.
    n_kinds = np.bincount(row, minlength=rows.n_rows)
    begin = np.cumsum(n_kinds) - n_kinds
    own = np.repeat(np.arange(len(row)), n_kinds[row])
    inside = np.arange(len(own)) - np.repeat(np.cumsum(n_kinds[row]) - n_kinds[row], n_kinds[row])
    other = begin[row[own]] + inside
    pairs = count[own] * (count[other] - (own == other))
    share = pairs / np.maximum(sizes[row[own]] - 1, 1)
    where = category[own] * K + category[other]
    matrix = coo_array((share, (where, row[own])), shape=(K * K, rows.n_rows)).tocsr()
    return _Linear(matrix, weights, Draw(weights, unit), K)

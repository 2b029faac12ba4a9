"""The units of a continuum on one line, and one below the other.

Everything comes from the two orders of units, by start and by end, in which what intersects a unit
is what has begun before it ends less what has ended before it starts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from agreement_fast._kernels import _values
from agreement_fast._kernels.arrays import Array, total
from agreement_fast.errors import InputError
from agreement_fast.units.continuum import LARGEST, Continuum


def first_pieces(data: Continuum) -> Array:
    """Say in which row the first piece of each unit stands; units keep the rows' order."""
    if data.unit is None:
        return np.arange(len(data.start))
    return np.sort(np.unique(data.unit, return_index=True)[1])


def whole_units(data: Continuum, *values: Array) -> list[Array]:
    """Give the category of each unit, and the sums of some values over its pieces.

    Units stand in the order of their first pieces, and so of their categories.
    """
    if data.unit is None:
        return [data.category, *values]
    first = first_pieces(data)
    place = np.empty(len(first), np.int64)
    place[data.unit[first]] = np.arange(len(first))
    sums = []
    for some in values:
        together = np.zeros(len(first), np.int64)
        np.add.at(together, place[data.unit], some)
        sums.append(together)
    return [data.category[first], *sums]


def overlap(data: Continuum, units: slice = slice(None)) -> str | None:
    """Say which units of one coder overlap first, of all units or of one category's."""
    order = np.lexsort(
        (data.end[units], data.start[units], data.document[units], data.coder[units])
    )
    order += units.start or 0
    coder, document = data.coder[order], data.document[order]
    start, end = data.start[order], data.end[order]
    bad = (np.diff(coder) == 0) & (np.diff(document) == 0) & (start[1:] < end[:-1])
    if not bad.any():
        return None
    i = int(np.argmax(bad))
    names = [repr(data.categories[data.category[order[i + k]]]) for k in (0, 1)]
    apart = "; if units are in several documents, name the column of these"
    apart = apart if len(data.documents) == 1 else ""
    return (
        f"units overlap: coder {data.coders[coder[i]]!r} has {names[0]} and {names[1]} at "
        f"{start[i + 1] * data.resolution:g} of {data.documents[document[i]]!r}, and a place must "
        f"belong to one segment{apart}"
    )


def in_pieces(data: Continuum, coefficient: str, units: slice = slice(None)) -> str | None:
    """Say which unit is in several pieces, of all units or of one category's."""
    if data.unit is None:
        return None
    names, first, counts = np.unique(data.unit[units], return_index=True, return_counts=True)
    broken = np.flatnonzero(counts > 1)
    if not len(broken):
        return None
    i = int(broken[np.argmin(first[broken])])
    row = int(first[i]) + (units.start or 0)
    return (
        f"a unit in several pieces: {data.unit_names[names[i]]!r} of coder "
        f"{data.coders[data.coder[row]]!r} in {data.documents[data.document[row]]!r} has "
        f"{counts[i]}, and {coefficient} compares where a unit starts and ends"
    )


class Line:
    """Some units with all documents on one line, one after the other, from 0 on."""

    def __init__(self, data: Continuum, units: slice | Array) -> None:
        lengths = np.diff(data.extents, axis=1)[:, 0]
        ends = np.cumsum(lengths)
        self.document, self.coder = data.document[units], data.coder[units]
        shift = (ends - lengths - data.extents[:, 0])[self.document]
        self.start, self.end = data.start[units] + shift, data.end[units] + shift
        self.n = len(self.start)
        #: Where each document begins and ends on the line.
        self.documents = np.column_stack([ends - lengths, ends])
        self._length = data.length
        self._check_sums(self.n, "units")
        self._by_start = np.argsort(self.start, kind="stable")
        self._by_end = np.argsort(self.end, kind="stable")
        #: How many units start before each one's end, and how many end before its start.
        self._begun = np.searchsorted(self.start[self._by_start], self.end, "left")
        self._gone = np.searchsorted(self.end[self._by_end], self.start, "right")
        #: For each unit how many units intersect it, itself included.
        self.intersecting = self._begun - self._gone

    def _check_sums(self, n: int, what: str) -> None:
        """Check that sums of `n` positions, or over `n` coders, fit 64 bits."""
        if n * self._length > LARGEST:
            raise InputError(
                f"{n} {what} on a length of {self._length} are too much for 64-bit sums",
                "use a coarser resolution, or positions that do not start so far from the "
                "extent's begin",
            )

    def sum_intersecting(self, values: Array) -> Array:
        """For each unit the sum of a value over the units that intersect it, itself included."""
        # What has ended before a unit starts has also begun before it ends.
        _, begun = _ranks(self._by_start, values)
        _, gone = _ranks(self._by_end, values)
        return np.asarray(begun[self._begun] - gone[self._gone])

    def covered(self, places: Array) -> Array:
        """Return the total length of units before each place on the line."""
        # Σ (place − start) over the starts before it less Σ (place − end) over the ends before it.
        out = np.zeros(len(places), np.int64)
        for ends, order, sign in ((self.start, self._by_start, 1), (self.end, self._by_end, -1)):
            before = np.searchsorted(ends[order], places, "left")
            out += sign * (before * places - _ranks(order, ends)[1][before])
        return out

    def shared(self, others: Line) -> Array:
        """For each unit the sum of the lengths in which the units of another line intersect it."""
        return others.covered(self.end) - others.covered(self.start)

    def shared_by_any(self) -> Array:
        """For each unit the length that units of other coders intersect, each place once.

        Units of one coder must not intersect.
        """
        places = np.unique(np.concatenate([self.start, self.end]))
        begun = np.searchsorted(self.start[self._by_start], places, "right")
        gone = np.searchsorted(self.end[self._by_end], places, "right")
        lengths = np.diff(places, prepend=places[:1])
        lengths[1:] *= (begun - gone)[:-1] > 1
        upto = np.cumsum(lengths)
        return np.asarray(
            upto[np.searchsorted(places, self.end)] - upto[np.searchsorted(places, self.start)]
        )

    def coders_intersecting(self) -> Array:
        """Count the coders who have units that intersect each unit, including its own coder.

        Units of one coder must not intersect.
        """
        # Of a coder's intersecting units all but one follow another such unit: they start before
        # the unit ends, and their predecessor ends after it starts.
        follows = np.flatnonzero((np.diff(self.document) == 0) & (np.diff(self.coder) == 0))
        start, before = self.start[follows + 1], self.end[follows]
        order, by_before = np.argsort(start, kind="stable"), np.argsort(before, kind="stable")
        rank, _ = _ranks(by_before, before)
        queries = self.end.argsort(kind="stable")
        upto = np.searchsorted(start[order], self.end[queries], "left")
        limit = np.searchsorted(before[by_before], self.start[queries], "right")
        below = np.empty(self.n, np.int64)
        tree = np.zeros(len(order) + 1, np.int64)
        _values.count_dominated(rank[order], upto, limit, tree, below)
        followers = np.empty(self.n, np.int64)
        followers[queries] = upto - below
        return np.asarray(self.intersecting - followers)

    def gaps(self, n_seeing: Array) -> tuple[Array, Array, Array]:
        """Lengths of the gaps that coders leave, ascending, how often each is there, and where.

        `n_seeing` is how many coders saw each document: one of them who marked nothing in it left
        all of it. The last array is the documents.
        """
        self._check_sums(int(n_seeing.max(initial=0)), "coders")
        begins, ends = self.documents[self.document].T
        same = (np.diff(self.document) == 0) & (np.diff(self.coder) == 0)
        first, last = np.ones(self.n, bool), np.ones(self.n, bool)
        first[1:], last[:-1] = ~same, ~same
        before = self.start - np.where(first, begins, np.roll(self.end, 1))
        after = (ends - self.end)[last]
        present = np.bincount(self.document[first], minlength=len(self.documents))
        lengths = np.concatenate([before, after, np.diff(self.documents, axis=1)[:, 0]])
        times = np.ones(len(lengths), np.int64)
        times[len(before) + len(after) :] = n_seeing - present
        where = [self.document, self.document[last], np.arange(len(self.documents))]
        order = np.argsort(lengths, kind="stable")
        return lengths[order], times[order], np.concatenate(where)[order]


def _ranks(order: Array, values: Array) -> tuple[Array, Array]:
    """How many values stand before each in an order, and the sums of the first 0, 1, 2, ..."""
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank, np.concatenate([[0], np.cumsum(values[order])])


class Groups:
    """Documents that equally many coders saw.

    `data`: what can be compared, as `paired` gives it.
    """

    def __init__(self, data: Continuum) -> None:
        seeing = data.n_seeing
        lengths = np.diff(data.extents, axis=1)[:, 0]
        self._seeing = seeing
        self._sizes = np.unique(seeing).tolist()
        #: The most coders that a document has.
        self.most = max(self._sizes, default=0)
        #: m L: what all coders saw.
        self.everywhere = sum(size * total(lengths[seeing == size]) for size in self._sizes)

    def of(self, document: Array) -> Iterator[tuple[Any, int]]:
        """Give, for places of documents, those of each group, and one less than its coders."""
        if len(self._sizes) == 1:
            yield slice(None), self._sizes[0] - 1
            return
        seeing = self._seeing[document]
        for size in self._sizes:
            yield seeing == size, size - 1

    def total(self, values: Array, document: Array) -> Fraction:
        """Σ v / (m − 1), for values of documents that m coders saw."""
        return sum(
            (Fraction(total(values[rows]), others) for rows, others in self.of(document)),
            Fraction(0),
        )


def category_order(data: Continuum) -> Array:
    """Give the places of the categories, the most frequent first."""
    return np.argsort(-np.bincount(data.category, minlength=len(data.categories)), kind="stable")


def levels(ends: Sequence[tuple[int, int]]) -> list[int]:
    """Put units on levels, so that those of one level do not overlap, and few levels are used.

    A unit stands on the lowest level that is free; of units that start together the longest comes
    first, so that nested units stand above those that hold them.

    Examples
    --------
    >>> levels([(0, 9), (2, 5), (3, 4), (5, 7), (9, 12)])
    [0, 1, 2, 1, 0]
    """
    result = [0] * len(ends)
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    opened = 0
    for place in sorted(range(len(ends)), key=lambda entry: (ends[entry][0], -ends[entry][1])):
        start, end = ends[place]
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            result[place] = heapq.heappop(free)
        else:
            result[place], opened = opened, opened + 1
        heapq.heappush(busy, (end, result[place]))
    return result

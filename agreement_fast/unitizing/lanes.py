"""What pictures of units need: frequent categories first, and overlapping units above others."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum


def category_order(data: Continuum) -> Array:
    """Give the places of the categories, the most frequent first."""
    counts = np.bincount(data.category, minlength=len(data.categories))
    return np.argsort(-counts, kind="stable")


def levels(ends: Sequence[tuple[int, int]]) -> list[int]:
    """Put units on levels, so that those of one level do not overlap, and few levels are used.

    A unit stands on the lowest level that is free; of units that start together the longest comes
    first, so that nested units stand above those that hold them.

    Examples
    --------
    >>> levels([(0, 9), (2, 5), (3, 4), (5, 7), (9, 12)])
    [0, 1, 2, 1, 0]
    """
    found = [0] * len(ends)
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    opened = 0
    for place in sorted(range(len(ends)), key=lambda one: (ends[one][0], -ends[one][1])):
        start, end = ends[place]
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            found[place] = heapq.heappop(free)
        else:
            found[place], opened = opened, opened + 1
        heapq.heappush(busy, (end, found[place]))
    return found

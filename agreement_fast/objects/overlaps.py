"""Pairs of objects of one image that overlap enough, and their best matching."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.matching import best_matching
from agreement_fast.objects.marked import Objects
from agreement_fast.options import check_share

#: Pairs that are looked at together.
AT_ONCE = 2**20


class Overlaps(NamedTuple):
    """Pairs of objects by their places, and their IoU."""

    first: Array
    second: Array
    iou: FloatArray

    def at(self, chosen: Array) -> Overlaps:
        return Overlaps(self.first[chosen], self.second[chosen], self.iou[chosen])


def check_threshold(threshold: float) -> float:
    """Return a threshold above 0, up to 1."""
    return 1.0 if threshold == 1 else check_share("threshold", threshold)


def overlaps(
    data: Objects, first: Array, second: Array, threshold: float, same_label: bool
) -> Overlaps:
    """All pairs of two lists of objects that lie in one image and reach a threshold.

    O(pairs of objects of an image), in pieces.
    """
    key = data.image.astype(np.int64)
    if same_label:
        key = key * len(data.labels) + data.label
    order = second[np.argsort(key[second], kind="stable")]
    begin = np.searchsorted(key[order], key[first], side="left")
    count = np.searchsorted(key[order], key[first], side="right") - begin
    found = []
    stop = np.cumsum(count)
    place = 0
    while place < len(first):
        reached = stop[place - 1] if place else 0
        last = max(int(np.searchsorted(stop, reached + AT_ONCE, side="right")), place + 1)
        n = count[place:last]
        inside = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        a, b = np.repeat(first[place:last], n), order[np.repeat(begin[place:last], n) + inside]
        iou = data.shapes.iou(a, b)
        kept = iou >= threshold
        found.append(Overlaps(a[kept], b[kept], iou[kept]))
        place = last
    if not found:
        none = np.zeros(0, np.int64)
        return Overlaps(none, none, np.zeros(0))
    return Overlaps(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def matches(
    data: Objects, first: Array, second: Array, threshold: float, same_label: bool
) -> Overlaps:
    """Return the one-to-one matching of two lists of objects with the largest sum of IoU."""
    every = overlaps(data, first, second, threshold, same_label)
    return every.at(best_matching(every.first, every.second, every.iou))

"""Spans as items: what coders marked, and the categories that each coder gave it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import components

#: The label of a coder who saw a document and did not mark an item of it.
NOT_MARKED = "not marked"

#: The half-open pieces of a span, in order.
Parts = tuple[tuple[float, float], ...]


class Judged(NamedTuple):
    """The categories that a coder gave an item."""

    item: str
    coder: Any
    categories: list[Any]


def exact_items(spans: Sequence[Parts]) -> tuple[list[Parts], list[int]]:
    """Make an item of each distinct span, and return the item of each span."""
    items = sorted(set(spans))
    number = {parts: place for place, parts in enumerate(items)}
    return items, [number[parts] for parts in spans]


def overlapping_items(spans: Sequence[Parts]) -> tuple[list[Parts], list[int]]:
    """Make an item of spans that overlap, and return the item of each span."""
    if not spans:
        return [], []
    edges, reach, furthest = [], float("-inf"), 0
    for begin, end, i in sorted((a, b, i) for i, parts in enumerate(spans) for a, b in parts):
        edges.append((i, furthest if begin < reach else i))
        if end >= reach:
            reach, furthest = end, i
    cluster = components(len(spans), *np.array(edges).T)
    first = np.full(cluster.max() + 1, np.inf)
    np.minimum.at(first, cluster, [parts[0][0] for parts in spans])
    number = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    places = number[cluster].tolist()
    together: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for parts, place in zip(spans, places, strict=True):
        together[place] += parts
    # If spans have gaps, two items may have the same ends; what they cover differs.
    return [_covered(parts) for _, parts in sorted(together.items())], places


def _covered(parts: Sequence[tuple[float, float]]) -> Parts:
    """Join parts that overlap or touch."""
    covered: list[tuple[float, float]] = []
    for begin, end in sorted(parts):
        if covered and begin <= covered[-1][1]:
            covered[-1] = covered[-1][0], max(end, covered[-1][1])
        else:
            covered.append((begin, end))
    return tuple(covered)


def written(parts: Iterable[tuple[float, float]]) -> str:
    """Write the positions of an item."""
    return ", ".join(f"{begin:.15g}-{end:.15g}" for begin, end in parts)


def judge(
    items: Sequence[str],
    coders: Iterable[Any],
    marked: Iterable[tuple[Any, Any, Iterable[int]]],
) -> list[Judged]:
    """Return the categories that each coder of a document gave each of its items.

    `items`: the items of the document. `coders`: the coders who saw the document. `marked`: what
    each coder marked.
    """
    labels: dict[tuple[int, Any], list[Any]] = defaultdict(list)
    for coder, category, places in marked:
        for place in places:
            if category not in labels[place, coder]:
                labels[place, coder].append(category)
    everybody = list(coders)
    return [
        Judged(name, coder, labels.get((place, coder), []))
        for place, name in enumerate(items)
        for coder in everybody
    ]


def as_labels(judged: Sequence[Judged], *, sets: bool = False) -> list[Any]:
    """Return a label for each judgment.

    If a coder gave an item several categories, or if `sets` is True, all labels are sets, and the
    empty set stands for "not marked".
    """
    if sets or any(len(entry.categories) > 1 for entry in judged):
        return [frozenset(entry.categories) for entry in judged]
    return [entry.categories[0] if entry.categories else NOT_MARKED for entry in judged]

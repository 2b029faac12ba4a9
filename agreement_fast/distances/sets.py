"""Distances between sets with weights or groups, and between spans (start, end) as sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any, cast

import numpy as np

from agreement_fast._kernels import _labelsets
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.forms import Distance, Form
from agreement_fast.distances.set_geometry import SETS, Geometry, bind, bind_sets
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import ByName, Names
from agreement_fast.reading.labels import Labels

#: Errors of these arguments.
wrong_distance = partial(InputError, argument="distance")
wrong_weights = partial(InputError, argument="weights")


@dataclass(frozen=True, eq=False)
class SetDistance(Distance):
    """A distance between sets with its kind, weights and groups."""

    #: One of `distances.SETS`.
    kind: str = ""
    #: The weights of elements; None if all are 1.
    weights: Mapping[Any, float] | None = None
    #: The set that a label stands for.
    as_set: Callable[[Hashable], Any] | None = None


def set_distance(distance: str | Distance, purpose: str) -> SetDistance:
    """Return a distance between sets, given itself or its name."""
    if isinstance(distance, SetDistance):
        return distance
    name = distance.name if isinstance(distance, Distance) else distance
    if isinstance(name, str):
        name = name.strip().lower().replace("-", "_")
        name = "hamming" if name == "symmetric_difference" else name
    known = SETS.get(name) if isinstance(name, str) else None
    if known is None or (isinstance(distance, Distance) and distance is not known):
        raise wrong_distance(
            f"{purpose} needs a distance between sets, one of {', '.join(SETS)}; got {distance!r}"
        )
    return SetDistance(known.name, known.bind, kind=known.name)


def _made(
    name: str,
    kind: str,
    weights: Mapping[Any, float] | None,
    as_set: Callable[[Hashable], Any] | None,
) -> SetDistance:
    def bound(labels: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return bind_sets(kind, labels, weights, as_set)

    return SetDistance(name, bound, kind=kind, weights=weights, as_set=as_set)


def weighted(distance: str | Distance, weights: ByName[float]) -> Distance:
    """Weight the elements of sets in a distance.

    |A| becomes the sum of the weights of A's elements; the same holds for unions and intersections.
    Weights do not change whether sets are equal, nested or disjoint.

    Parameters
    ----------
    distance : str or Distance
        A distance between sets. passonneau does not depend on sizes and does not change.
    weights : mapping element -> float
        A positive weight for every element that occurs.

    Returns
    -------
    Distance
        The weighted distance.

    Raises
    ------
    ValueError
        If a weight is not positive and finite, or the distance already has weights; on use, if an
        element has no weight.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> rare = distances.weighted("jaccard", {"noun": 1, "vocative": 3})
    >>> rare.matrix([{"noun"}, {"vocative"}, {"noun", "vocative"}]).tolist()
    [[0.0, 1.0, 0.75], [1.0, 0.0, 0.25], [0.75, 0.25, 0.0]]
    """
    base = set_distance(distance, "weighted")
    if base.weights is not None:
        raise wrong_weights(f"{base.name} has weights already", "pass all weights at once")
    if not isinstance(weights, Mapping):
        raise InputTypeError.must_be("weights", "a mapping element -> number", weights)
    for element, weight in weights.items():
        if not isinstance(weight, (Real, Decimal)) or not (math.isfinite(weight) and weight > 0):
            raise wrong_weights(
                f"element {element!r} has weight {weight!r}: a weight must be a positive number; "
                "leave elements that do not count out of the labels"
            )
    if not math.isfinite(sum(map(float, weights.values()))):
        raise wrong_weights(
            "the sum of the weights is not finite", "divide all weights by the same number"
        )
    return _made(f"{base.name} (weighted)", base.kind, dict(weights), base.as_set)


def extended(distance: str | Distance, groups: ByName[Names]) -> Distance:
    """Extend each label by its groups, and take the distance between these sets.

    The extended sense es(s) contains s and the groups of s (Artstein & Poesio 2005, 4.4). For a
    label that is a set, it is the union over its elements. So coders who chose two senses of one
    group, or a sense and its group, disagree only in part.

    Parameters
    ----------
    distance : str or Distance
        A distance between sets; Artstein & Poesio use passonneau.
    groups : mapping label -> group, or label -> sequence or set of groups
        All groups of each label, including the groups of its groups. Labels without an entry have
        no groups.

    Returns
    -------
    Distance
        The distance between extended senses.

    Raises
    ------
    ValueError
        If the distance already extends labels, or a group is not a label.

    Examples
    --------
    WordNet senses of *call* (Artstein & Poesio 2005, table 7):

    >>> from agreement_fast import distances
    >>> groups = {"WN1": "LABEL", "WN3": "LABEL", "WN19": "SEE"}
    >>> distance = distances.extended("passonneau", groups)
    >>> distance.matrix(["WN1", "WN3", "LABEL", "WN19"])[0].round(3).tolist()
    [0.0, 0.667, 0.333, 1.0]
    """
    base = set_distance(distance, "extended")
    if base.as_set is not None:
        raise InputError(
            f"{base.name} extends labels already",
            "pass all groups at once",
            argument="groups",
        )
    if not isinstance(groups, Mapping):
        raise InputTypeError.must_be("groups", "a mapping label -> groups", groups)
    senses: dict[Any, frozenset[Any]] = {}
    for label, group in groups.items():
        listed = [group]
        if isinstance(group, Iterable) and not isinstance(group, str | bytes):
            listed = [*group]
        if not all(isinstance(entry, Hashable) for entry in listed):
            raise InputTypeError(
                f"the groups of {label!r} are {group!r}: a group must be a label",
                argument="groups",
            )
        senses[label] = frozenset([label, *listed])

    def as_set(label: Hashable) -> frozenset[Any]:
        if not isinstance(label, (tuple, frozenset)):
            return senses.get(label, frozenset([label]))
        return frozenset().union(*(senses.get(entry, (entry,)) for entry in label))

    return _made(f"{base.name} (extended)", base.kind, base.weights, as_set)


#: The largest integer up to which a float64 holds every integer.
LARGEST = 2.0**53


class Spans(Geometry):
    """K spans; the sums for a span visit only nearby spans, found by a sweep."""

    def __init__(self, document: Array, start: FloatArray, end: FloatArray) -> None:
        document = document.astype(np.int32)
        self.n_sets, self.weights = len(start), end - start
        self._spans = _labelsets.Spans(document, start, end, self.weights)
        order = np.lexsort((start, document))
        document, start, end = document[order], start[order], end[order]
        reach = end.copy()
        cuts = np.flatnonzero(np.diff(document)) + 1
        for part in np.split(reach, cuts):
            np.maximum.accumulate(part, out=part)
        self._order = order.astype(np.int32)
        self._sweep = _labelsets.Sweep(self._spans, self._order, document, start, end, reach)
        # Spans that start before a span's end, from the first one that reaches its start.
        new = np.concatenate([[0], cuts, [self.n_sets]]).astype(np.int64)
        ahead, behind = np.empty(self.n_sets, np.int64), np.empty(self.n_sets, np.int64)
        for first, last in zip(new[:-1].tolist(), new[1:].tolist(), strict=True):
            chunk = slice(first, last)
            ahead[chunk] = np.searchsorted(start[chunk], end[chunk])
            behind[chunk] = np.searchsorted(reach[chunk], start[chunk], side="right")
        self.costs = np.maximum(ahead - behind, 1) * 4

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        _labelsets.span_pairs(kind, self._spans, a[first:last], b[first:last], out[first:last])

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[Array, FloatArray]:
        total = np.empty((len(v), 4))
        _labelsets.totals(v, self.weights, total)
        out, common = np.zeros((len(v), last - first)), np.zeros(self.n_sets)
        met = _labelsets.Met(np.empty(self.n_sets, np.int32), common, common)
        _labelsets.span_sums(kind, self._sweep, _labelsets.Sums(u, v, first, out, total), met)
        return self._order[first:last], out


def spans(distance: str | Distance) -> Distance:
    """Apply a distance between sets to the words, or points in time, that spans cover.

    Labels are (start, end) or (document, start, end). The end is not included, as in Python's
    slices. Positions are integers (words, characters) or floats (seconds). Spans of different
    documents are disjoint, and (3, 3) is empty. The sets are not built; intersections are computed
    from the boundaries. For a discontinuous passage, use a frozenset of words and a plain distance.

    Parameters
    ----------
    distance : str or Distance
        A distance between sets, without weights.

    Returns
    -------
    Distance
        The distance between spans.

    Raises
    ------
    ValueError
        If the distance has weights or groups; on use, if a label is not a span or ends before it
        starts.

    Notes
    -----
    The cost is O(K log K + pairs of spans that intersect) for K distinct spans.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> distances.spans("dice").matrix([(0, 4), (2, 4), (2, 6), (6, 8)])[0].round(3).tolist()
    [0.0, 0.333, 0.5, 1.0]
    """
    base = set_distance(distance, "spans")
    if base.weights is not None or base.as_set is not None:
        raise wrong_distance(f"spans needs a plain distance between sets, got {base.name}")
    name, kind = f"{base.name} (spans)", base.kind

    def bound(labels: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        document, start, end = span_parts(labels, name)
        if kind != "hamming":  # empty spans are equal, and disjoint from all others
            empty = start == end
            document[empty], start[empty], end[empty] = -1, 0.0, 1.0
        return bind(Spans(document, start, end), kind)

    return Distance(name, bound)


def span_parts(labels: Labels, name: str) -> tuple[Array, FloatArray, FloatArray]:
    """Return the documents, starts and ends of labels that are spans."""
    lengths = {len(label) if isinstance(label, tuple) else 0 for label in labels}
    if not lengths <= {2, 3}:
        bad = next(x for x in labels if not isinstance(x, tuple) or len(x) not in (2, 3))
        raise _no_span(name, bad)
    if len(lengths) == 2:  # the document of a span without one is None
        labels = tuple(label if len(label) == 3 else (None, *label) for label in labels)  # type: ignore[arg-type,misc]
    *documents, first, last = zip(*labels, strict=True) if len(labels) else ((), ())
    given = np.array([*first, *last, 0])
    if given.dtype.kind not in "iuf":
        for label in labels:
            if not all(map(is_number, cast("tuple[Any]", label)[-2:])):
                raise _no_span(name, label)
    ends = given[:-1].astype(np.float64).reshape(2, -1)
    good = np.isfinite(ends).all(0)
    if not good.all():
        raise _no_span(name, labels[int(np.argmin(good))])
    exact = (np.abs(ends) <= LARGEST).all(0)
    if not exact.all():
        raise InputError(
            f"span {labels[int(np.argmin(exact))]!r} exceeds 2**53, beyond which positions are not "
            "exact",
            "count positions from another origin",
        )
    if (ends[0] > ends[1]).any():
        raise InputError(
            f"span {labels[int(np.argmax(ends[0] > ends[1]))]!r} ends before it starts"
        )
    document = np.zeros(len(labels), np.int32)
    if documents:
        known: dict[Hashable, int] = {}
        numbers = (known.setdefault(name, len(known)) for name in documents[0])
        document = np.fromiter(numbers, np.int32, len(labels))
    return document, ends[0], ends[1]


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _no_span(name: str, label: Any) -> InputError:
    return InputError(
        f"distance {name} needs spans, but category {label!r} is not a span",
        "pass a tuple (start, end) or (document, start, end) with finite numbers",
    )


def sorted_elements(elements: set[Any]) -> list[Any]:
    """Sort elements of sets, those of several types by their types and texts."""
    try:
        return sorted(elements)
    except TypeError:  # labels of several types
        return sorted(elements, key=lambda element: (type(element).__name__, str(element)))

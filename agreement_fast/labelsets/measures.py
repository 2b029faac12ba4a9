"""Distances between labels that are sets: by name, with weighted elements, with extended senses."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

from agreement_fast.arrays import FloatArray
from agreement_fast.distances import SETS, Distance
from agreement_fast.distances.forms import Form
from agreement_fast.distances.sets import bind_sets
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.reading.labels import Labels


@dataclass(frozen=True, eq=False)
class SetDistance(Distance):
    """A distance between sets with its kind, weights and groups."""

    #: One of `distances.SETS`.
    kind: str = ""
    #: The weights of elements; None if all are 1.
    weights: Mapping[Any, float] | None = None
    #: The set that a label stands for.
    as_set: Callable[[Hashable], Any] | None = None


def set_distance(distance: Any, purpose: str) -> SetDistance:
    """Return a distance between sets, given itself or its name."""
    if isinstance(distance, SetDistance):
        return distance
    name = distance.name if isinstance(distance, Distance) else distance
    if isinstance(name, str):
        name = name.strip().lower().replace("-", "_")
        name = "hamming" if name == "symmetric_difference" else name
    known = SETS.get(name) if isinstance(name, str) else None
    if known is None or (isinstance(distance, Distance) and distance is not known):
        raise InputError(
            f"{purpose} needs a distance between sets, one of {', '.join(SETS)}; got {distance!r}",
            argument="distance",
        )
    return SetDistance(known.name, known.bind, kind=known.name)


def _made(
    name: str,
    kind: str,
    weights: Mapping[Any, float] | None,
    as_set: Callable[[Hashable], Any] | None,
) -> SetDistance:
    def bound(found: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return bind_sets(kind, found, weights, as_set)

    return SetDistance(name, bound, kind=kind, weights=weights, as_set=as_set)


def weighted(distance: Any, weights: Mapping[Any, float]) -> Distance:
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
    >>> from agreement_fast import labelsets
    >>> rare = labelsets.weighted("jaccard", {"noun": 1, "vocative": 3})
    >>> rare.matrix([{"noun"}, {"vocative"}, {"noun", "vocative"}]).tolist()
    [[0.0, 1.0, 0.75], [1.0, 0.0, 0.25], [0.75, 0.25, 0.0]]
    """
    base = set_distance(distance, "weighted")
    if base.weights is not None:
        raise InputError(
            f"{base.name} has weights already",
            "pass all weights at once",
            argument="weights",
        )
    if not isinstance(weights, Mapping):
        raise InputTypeError.must_be("weights", "a mapping element -> number", weights)
    for element, weight in weights.items():
        if not isinstance(weight, (Real, Decimal)) or not (math.isfinite(weight) and weight > 0):
            raise InputError(
                f"element {element!r} has weight {weight!r}: a weight must be a positive number; "
                "leave elements that do not count out of the labels",
                argument="weights",
            )
    if not math.isfinite(sum(map(float, weights.values()))):
        raise InputError(
            "the sum of the weights is not finite",
            "divide all weights by the same number",
            argument="weights",
        )
    return _made(f"{base.name} (weighted)", base.kind, dict(weights), base.as_set)


def extended(distance: Any, groups: Mapping[Any, Any]) -> Distance:
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

    >>> from agreement_fast import labelsets
    >>> groups = {"WN1": "LABEL", "WN3": "LABEL", "WN19": "SEE"}
    >>> distance = labelsets.extended("passonneau", groups)
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
        several = isinstance(group, Iterable) and not isinstance(group, (str, bytes))
        listed = list(group) if several else [group]
        if not all(isinstance(one, Hashable) for one in listed):
            raise InputTypeError(
                f"the groups of {label!r} are {group!r}: a group must be a label",
                argument="groups",
            )
        senses[label] = frozenset([label, *listed])

    def as_set(label: Hashable) -> frozenset[Any]:
        if not isinstance(label, (tuple, frozenset)):
            return senses.get(label, frozenset([label]))
        return frozenset().union(*(senses.get(one, (one,)) for one in label))

    return _made(f"{base.name} (extended)", base.kind, base.weights, as_set)

"""The sums over the items of annotations that count, computed once for each."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from agreement_fast import distances
from agreement_fast.annotations import Annotations
from agreement_fast.chance import Chance
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import Form
from agreement_fast.errors import Argument
from agreement_fast.options import check_choice
from agreement_fast.sums.base import Sums
from agreement_fast.sums.categories import CategorySums
from agreement_fast.sums.numbers import KeptSums, NumberSums

NAMED = frozenset(distances.NAMED.values())


#: The number of judgments that an item needs, if it does not depend on the coders.
LEAST = {"published": 1, "pairable": 2}


def judgments_needed(annotations: Annotations, incomplete: str) -> int:
    """Return the number of judgments that an item needs under `incomplete`."""
    check_choice("incomplete", incomplete, (*LEAST, "complete"))
    if incomplete in LEAST:
        return LEAST[incomplete]
    return max(1, len(annotations.known_coders(Argument("incomplete", "complete"))))


def sums_of(annotations: Annotations, least: int = 1) -> CategorySums:
    """Return the sums over the items with `least` or more judgments."""
    memo, key = annotations.memo, ("sums", least)
    if key not in memo:
        if least == 1:
            known = annotations.known_patterns
            memo[key] = CategorySums(annotations, annotations.rows if known is None else known)
        else:
            memo[key] = sums_of(annotations).at_least(least)
    return cast(CategorySums, memo[key])


def _number_sums(annotations: Annotations, least: int) -> NumberSums:
    memo, key = annotations.memo, ("numbers", least)
    if key not in memo:
        kept = annotations.kept_moments
        if kept is not None:
            memo[key] = KeptSums(kept, least)
        else:
            assert annotations.numbers is not None
            memo[key] = NumberSums(annotations.numbers, annotations.weights, least)
    return cast(NumberSums, memo[key])


class Bound(NamedTuple):
    """The sums that a distance needs, its form, and the disagreement by size of the items."""

    sums: Sums
    form: Form
    disagreement: list[float]


def bind(
    annotations: Annotations,
    distance: Distance,
    chance: Chance,
    least: int,
    memo: dict[Any, Any] | None = None,
) -> Bound:
    """Bind a distance to the items that count.

    Named distances are cached with the annotations. Others are cached in `memo`, because they would
    fill the memory of the annotations.
    """
    if annotations.uncounted and distance.differences and not chance.counts_categories:
        numbers = _number_sums(annotations, least if chance.counts_singles else max(2, least))
        return Bound(numbers, numbers.form, numbers.disagreement(numbers.form))
    known = annotations.memo if distance in NAMED or memo is None else memo
    sums, key = sums_of(annotations, least), (distance, least if distance.ranks else None)
    if key not in known:
        counts = sums.counts().astype(np.float64) if distance.ranks else None
        form = distance.bind(annotations.labels, annotations.declared, counts)
        known[key] = form, sums.disagreement(form)
    return Bound(sums, *known[key])

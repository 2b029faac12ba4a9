"""Whether an interval depends on the few judgments outside of the most frequent category."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.chance import Chance
from agreement_fast.sums.categories import sums_of
from agreement_fast.terminal import show_category

#: The most items whose judgments are too few: a 95% interval that depends on them holds the value
#: in less than 9 of 10 data sets (docs/inference.md).
ITEMS = 5

#: The largest share of all judgments that they may be.
SHARE = 0.1


def are_few(others: Any, n_judgments: Any, items: Any) -> Array:
    """Whether a number of judgments, among all judgments of some items, is too small."""
    others, total = np.asarray(others, np.float64), np.asarray(n_judgments, np.float64)
    few = (others > 0) & (others <= SHARE * total) & (others * items <= ITEMS * total)
    return np.asarray(few)


def rests_on_few(annotations: Annotations, chance: Chance) -> str | None:
    """Say that the interval of a coefficient rests on few judgments, or return None.

    If expected agreement does not depend on how often each category is used, rare categories are
    like any others.
    """
    if chance.counts_categories:
        return None
    sums = sums_of(annotations)
    counts = sums.counts()
    if not len(counts) or not counts.any():
        return None
    items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    top, total = int(counts.argmax()), int(counts.sum())
    others = total - int(counts[top])
    if not are_few(others, total, items):
        return None
    rare = [k for k in np.flatnonzero(counts).tolist() if k != top]
    of = f"categories other than {show_category(annotations.categories[top])}"
    if len(rare) == 1:
        of = f"the category {show_category(annotations.categories[rare[0]])}"
    return f"the interval rests on {judgments(others)} of {of}"


def judgments(number: int) -> str:
    """Give a number of judgments in words."""
    return "1 judgment" if number == 1 else f"{number:,} judgments"

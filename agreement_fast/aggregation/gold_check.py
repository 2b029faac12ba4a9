"""How right the labels are of the items whose right label is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement_fast.aggregation.best import Best
from agreement_fast.aggregation.coders import wilson
from agreement_fast.aggregation.votes import Votes
from agreement_fast.arrays import Array
from agreement_fast.tables import Row


@dataclass(frozen=True, slots=True)
class GoldCheck(Row):
    """How often the labels are right that the items would have if no gold were known.

    Attributes
    ----------
    n_items : int
        Items that have a gold label and a judgment, weights counted.
    n_right, n_tied : int
        Those whose label is the gold label, and those where labels tie.
    accuracy, low, high : float
        n_right / n_items, and Wilson's interval; NaN without such items.
    confidence_level : float
    """

    n_items: int
    n_right: int
    n_tied: int
    accuracy: float
    low: float
    high: float
    confidence_level: float


def check_gold(votes: Votes, before: Best, reference: Array, confidence_level: float) -> GoldCheck:
    """Compare the labels that items have without gold, `before`, with their gold labels."""
    first = before.first(votes.n_items)
    tied = np.bincount(before.item, minlength=votes.n_items) > 1
    looked = (reference >= 0) & (first >= 0)
    right = looked & ~tied & (first == reference)
    n = float(votes.each[looked].sum())
    n_right = float(votes.each[right].sum())
    share, low, high = wilson(np.array(n_right), np.array(n), confidence_level)
    return GoldCheck(
        n_items=int(n),
        n_right=int(n_right),
        n_tied=int(votes.each[looked & tied].sum()),
        accuracy=float(share),
        low=float(low),
        high=float(high),
        confidence_level=confidence_level,
    )

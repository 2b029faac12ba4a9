"""The sums of a coefficient, over the items that count.

A pass over the judgments counts items and labels by the number of judgments of an item. All sums
follow from these counts, because item weights and `incomplete` depend only on that number.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any, Self

from agreement_fast.chance import ITEM_WEIGHTS, ArrayMarginals
from agreement_fast.distances.forms import Form

NAN = math.nan


class Sums(ArrayMarginals):
    """Sums over the items with `least` judgments or more.

    Attributes
    ----------
    items_by_size : mapping of int to int
        The number of items for each number of judgments, ascending, weights applied. Items with
        fewer than `least` judgments are included.
    least : int
        The number of judgments that an item needs in order to count.
    pairable_sizes : list of (int, int, int)
        Place in `items_by_size`, size, and number of the items that count and have two judgments.
    n_items, n_judgments : int
        The number of these items, and of their judgments.
    n_categories : int or None
        None if the distinct numbers were not counted.
    """

    items_by_size: dict[int, int]
    least: int
    pairable_sizes: list[tuple[int, int, int]]
    n_items: int
    n_judgments: int
    n_categories: int | None

    def _keep(self, least: int) -> None:
        self.least = least
        enough = max(2, least)
        self.pairable_sizes = []
        n_items = n_judgments = 0
        for i, (size, n) in enumerate(self.items_by_size.items()):
            if size >= enough:
                self.pairable_sizes.append((i, size, n))
                n_items += n
                n_judgments += size * n
        self.n_items, self.n_judgments = n_items, n_judgments

    def at_least(self, least: int) -> Self:
        """Return the sums over the items with at least `least` judgments; nothing is recounted."""
        if least == self.least:
            return self
        other = copy.copy(self)
        other._keep(least)
        return other

    def disagreement(self, form: Form) -> list[float]:
        """Sum w_i Σ_jl n_ij n_il d_jl over the items of each size, in the order of the sizes."""
        raise NotImplementedError

    def observed(self, disagreement: Sequence[float], item_weight: str) -> float:
        """Compute D_o = Σ w_i disagr_i / Σ w_i over items with two or more judgments."""
        power = ITEM_WEIGHTS[item_weight]
        total, parts = 0, []
        for i, size, n in self.pairable_sizes:
            weight = size**power
            total += weight * n
            parts.append(weight * disagreement[i] / (size * (size - 1)))
        return math.fsum(parts) / total if total else NAN

    def scale(self, form: Form) -> tuple[Any, Any, Any]:
        return form.total(), self.n_categories, form.largest

    def pairs(self) -> float:
        return float(self.n_judgments) * (self.n_judgments - 1)

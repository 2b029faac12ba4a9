"""What counts of some annotations: the sums over their items under one choice of `incomplete`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.chance import ITEM_WEIGHTS, Chance
from agreement_fast.distances import Distance
from agreement_fast.forms import FloatArray, Form
from agreement_fast.points import Point
from agreement_fast.reading.shapes import ColumnNames
from agreement_fast.sums.numbers import NumberTally
from agreement_fast.sums.tally import Counted, Tally, judgments_needed, number_tally, tally

NAN = math.nan

NAMED = frozenset(distances.NAMED.values())


class View:
    """The sums over some annotations, items with `least` judgments or more."""

    def __init__(self, sums: Tally | NumberTally, least: int) -> None:
        self.tally = sums
        self.marginals = Counted(sums, least)
        # Sizes are few: plain numbers are quicker than arrays, which cost a small table most.
        sizes, items = sums.sizes.tolist(), sums.n_items.tolist()
        #: Place, size and number of items of the sizes that count.
        self.kept = [
            (i, size, n)
            for i, (size, n) in enumerate(zip(sizes, items, strict=True))
            if size >= max(2, least) and n
        ]
        self.n_items = sum(n for _, _, n in self.kept)
        self.n_judgments = sum(size * n for _, size, n in self.kept)

    def observed(self, sums: FloatArray, item_weight: str) -> float:
        """D_o = Σ w_i disagr_i / Σ w_i over items with two judgments or more."""
        weight, each = ITEM_WEIGHTS[item_weight], sums.tolist()
        total = sum(weight(size) * n for _, size, n in self.kept)
        if not total:
            return NAN
        return float(
            math.fsum(weight(s) * each[i] / (s * (s - 1)) for i, s, _ in self.kept) / total
        )


class Prepared:
    """Annotations under one choice of `incomplete`, with what several coefficients share."""

    def __init__(self, annotations: Annotations, incomplete: str) -> None:
        self.annotations = annotations
        self.incomplete = incomplete
        self.least = judgments_needed(annotations, incomplete)
        self.memo: dict[Any, Any] = {}

    def view(self) -> View:
        """The sums over categories."""
        memo, key = self.annotations.memo, ("view", self.least)
        if key not in memo:
            memo[key] = View(tally(self.annotations), self.least)
        view: View = memo[key]
        return view

    def bind(self, distance: Distance, chance: Chance) -> tuple[View, Form, FloatArray]:
        """Return the sums that a distance needs, its form, and the disagreement by item size."""
        if self.annotations.uncounted and distance.differences and "categories" not in chance.needs:
            counted = self.least if chance.counts_singles else max(2, self.least)
            numbers = number_tally(self.annotations, counted)
            return View(numbers, self.least), numbers.form, numbers.disagreement(numbers.form)
        view = self.view()
        assert isinstance(view.tally, Tally)
        # Only named distances are cached with the annotations: others would fill their memory.
        memo = self.annotations.memo if distance in NAMED else self.memo
        key = (distance, self.least if distance.ranks else None)
        if key not in memo:
            counts = view.marginals.counts().astype(np.float64) if distance.ranks else None
            found = distance.bind(self.annotations.labels, self.annotations.declared, counts)
            memo[key] = (found, view.tally.disagreement(found))
        form, sums = memo[key]
        return view, form, sums


def prepare(
    data: Any, incomplete: str, points: Iterable[Point], **columns: Unpack[ColumnNames]
) -> Prepared:
    """Read the data, and check that they know the coders if a point needs them."""
    annotations = as_annotations(data, **columns)
    if any(point.chance.knows_coders for point in points):
        annotations.known_coders("a chance model of individual coders (κ, β)", marginals=True)
    return Prepared(annotations, incomplete)

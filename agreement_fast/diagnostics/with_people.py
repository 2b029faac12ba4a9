"""The agreement of models with people, and of the people, under weights of the items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import beyond_chance
from agreement_fast.diagnostics.cells import OfTwo
from agreement_fast.distances.forms import Form, Squared
from agreement_fast.distances.sums.columns import Counts, Items
from agreement_fast.distances.sums.linear import Linear, Ranked, Sums, linear
from agreement_fast.inference.resample import Draw, at_once, counted_weights, in_lots, whole_sums
from agreement_fast.options import Seed, generator
from agreement_fast.patterns import group_equal, row_of, take_rows
from agreement_fast.points import Point


class Values(NamedTuple):
    """Coefficients under R weightings of the items."""

    #: 1 − D_o / D_e, D_o and D_e of each model with the people: float64 arrays of shape (M, R).
    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    #: The value of the people among themselves: float64 array of shape (R,).
    people: FloatArray


def shared_items(annotations: Annotations, labels: Array) -> tuple[Annotations, Array, int]:
    """Select the items with a label of each model and of two people, and group equal ones.

    `annotations`: the judgments of the people. `labels` (int (n_rows, M)): those of each model, as
    indices of categories; -1 for missing. Returns Annotations: the distinct items, with weights;
    int (U, M): the labels of each model for these; int: the number of items, including weights.
    """
    rows = annotations.rows
    judgments = np.flatnonzero(rows.codes >= 0)
    repeats = None if rows.repeats is None else rows.repeats[judgments]
    sizes = np.bincount(row_of(rows, judgments), repeats, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    kept = np.flatnonzero((labels >= 0).all(1) & (sizes > 1) & (weights > 0))
    rows, labels, weights = take_rows(rows, kept), labels[kept], weights[kept]
    if rows.width and len(kept):
        joint = np.column_stack([rows.table().astype(np.int32), labels.astype(np.int32)])
        group, first = group_equal(joint)
        sums = np.zeros(len(first), np.int64)
        np.add.at(sums, group, weights)
        rows, labels, weights = take_rows(rows, first), labels[first], sums
    rows = rows.replace(weights=weights)
    people = annotations.with_rows(rows)
    return people, labels, int(weights.sum())


class WithPeople:
    """The coefficient of the people, and that of each model with them.

    `people`: the items that each model and two people judged. `labels` (int (U, M)): the labels of
    the models. `point`: the coefficient and its distance.
    """

    def __init__(self, people: Annotations, labels: Array, point: Point) -> None:
        self.made: Linear = linear(people, [point], "published", rows=people.rows)
        items = self.made.items
        assert isinstance(items, Items)  # rows were given
        self.point, self._labels = point, labels.T
        self.weights = counted_weights(self.made).astype(np.float64)
        lists = items.rows
        sizes = np.diff(lists.start)
        self._row = np.repeat(np.arange(len(sizes)), sizes)
        self._codes = lists.codes
        amounts: Array = np.ones(len(lists.codes)) if lists.repeats is None else lists.repeats
        self._share = amounts / items.sizes[self._row]
        one_each, ones = np.arange(len(labels) + 1), np.ones(len(labels))
        K = (items.n_categories,)
        self._own = [
            Counts(one_each, label.astype(np.int32), None, ones, K) for label in self._labels
        ]
        self._theirs = items.marginal(1.0 / items.sizes)
        self._apart: list[FloatArray] | None = None
        if not point.distance.ranks:
            form = self.made.forms[point.distance]
            self._apart = [self._to_people(label, form) for label in self._labels]

    def _to_people(self, labels: Array, form: Form) -> FloatArray:
        """Return the mean distance of a model's label to those of the people, for each row."""
        apart = form.between(labels[self._row], self._codes) * self._share
        return np.bincount(self._row, apart, len(labels)).astype(np.float64)

    def values(self, sums: Sums, weights: FloatArray) -> Values:
        """Compute the coefficients for some weights of the rows: float64 (U, R)."""
        n = weights.sum(0)
        theirs = self._theirs.totals(weights)
        own = [counts.totals(weights) for counts in self._own]
        chance = self.point.chance.expected
        observed, expected = (np.empty((len(own), len(n))) for _ in range(2))
        form: Form
        if self._apart is not None:
            form = self.made.forms[self.point.distance]
            for m, apart in enumerate(self._apart):
                observed[m] = (apart @ weights) / n
                expected[m] = chance(OfTwo(own[m], theirs, n), form)
        else:
            ranks = Ranked.of(sums.marginals["pairable"]).features
            for r in range(len(n)):
                form = Squared(ranks[r][:, None])
                for m, labels in enumerate(self._labels):
                    observed[m, r] = (self._to_people(labels, form) @ weights[:, r]) / n[r]
                    expected[m, r] = chance(OfTwo(own[m][r], theirs[r], n[r]), form)
        value = beyond_chance(observed, expected)
        return Values(value, observed, expected, self.made.values(sums)[0].value)

    def whole(self) -> Values:
        """Compute the coefficients of the data."""
        return self.values(whole_sums(self.made), self.weights[:, None])

    def replicates(
        self, n_resamples: int, rng: Seed, threads: int | None, progress: bool
    ) -> Values:
        """Compute the coefficients of resampled items, the same for people and models."""
        draw = Draw(counted_weights(self.made))

        def work(count: int, own: np.random.Generator) -> Values:
            weights = draw(own, count)
            return self.values(self.made.sums(weights), weights)

        step = at_once(self.made)
        parts = in_lots(work, n_resamples, step, generator(rng), threads, progress)
        return Values(*(np.concatenate(side, axis=-1) for side in zip(*parts, strict=True)))

"""A model as one more coder: does it agree with people as they agree with each other?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast import _threads
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import beyond_chance
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.cells import OfTwo
from agreement_fast.diagnostics.gold import with_labels
from agreement_fast.distances.forms import Form, Squared
from agreement_fast.errors import InputError
from agreement_fast.inference.resample import (
    Draw,
    at_once,
    counted_weights,
    whole_sums,
)
from agreement_fast.inference.results import Difference, difference
from agreement_fast.options import (
    bar,
    check_choice,
    check_count,
    check_resamples,
    check_share,
    generator,
)
from agreement_fast.patterns import group_equal, row_of, take_rows
from agreement_fast.points import Point
from agreement_fast.results import NO_VARIATION, Agreement, Result
from agreement_fast.sums.columns import Counts, Items
from agreement_fast.sums.linear import Linear, Ranked, Sums, linear
from agreement_fast.tables import DETAILS, of_fields


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ModelEvaluation(Result):
    """A model's agreement with people beside that of people with each other.

    Attributes
    ----------
    coefficient, distance : str
    value : float
        Of the model with the people: 1 − D_o / D_e, NaN where undefined.
    observed_disagreement, expected_disagreement : float
        Of the model with the people.
    people : Agreement
        Of the people with each other, over the same items.
    difference : Difference
        The model's value less the people's, with its bootstrap interval over items.
    n_items : int
        Items that the model and at least two people judged, weights counted.
    n_items_dropped : int
        The others.
    undefined : str or None
    """

    aside = DETAILS | {"n_judgments", "observed_disagreement", "expected_disagreement"}

    coefficient: str
    distance: str
    value: float
    observed_disagreement: float
    expected_disagreement: float
    people: Agreement
    difference: Difference
    n_items: int
    n_items_dropped: int
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give one row, with the people's value and the interval of the difference."""
        gap = self.difference
        return {
            **of_fields([self]),
            "difference_low": [gap.low],
            "difference_high": [gap.high],
            "difference_p_value": [gap.p_value],
            "confidence_level": [gap.confidence_level],
        }

    def __repr__(self) -> str:
        gap = self.difference
        return (
            f"<{self.coefficient}({self.distance}): model with people {self.value:.6g}, people "
            f"with each other {self.people.value:.6g}, difference {gap.value:+.4f} "
            f"({gap.low:+.4f} to {gap.high:+.4f}), {self.n_items} items>"
        )


def evaluate_model(
    data: Any,
    model: Any,
    coefficient: str = "kappa",
    *,
    distance: Any = "nominal",
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "percentile",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> ModelEvaluation:
    """The agreement of a model with people, against theirs with each other.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The people.
    model : mapping item -> label, or sequence of shape (n_rows,)
        What the model says; None where it says nothing. The index of a pandas Series names the
        items.
    coefficient : str
        Any name; "kappa" takes "beta" for other distances than nominal.
    distance : str, Distance, array, mapping or function
    n_resamples, confidence_level, rng, threads, progress :
        As in `inference.bootstrap`.
    method : {"percentile", "basic"}

    Returns
    -------
    ModelEvaluation

    Raises
    ------
    ValueError
        As in `against_gold`; no item that the model and two people judged.

    Notes
    -----
    Chance-corrected agreement with the people, told beside that among them, is what Artstein &
    Poesio 2005, 4.5, ask of an evaluation of systems. Over the items that the model and at least
    two people judged, with m_i the model's label and n_il the people's,

    - D_o = mean over items of Σ_l n_il d(m_i, l) / n_i,
    - D_e is the coefficient's for two coders, the model and the mean of the people: their
      categories are used as often as Σ_i [m_i = k] and Σ_i n_ik / n_i.

    For complete data and κ or β both values are a mean D_o of pairs over a mean D_e of pairs, so
    a model that is like the people has the same value as they. Each resample draws items for both.
    O(judgments) and O(patterns · K) a resample.

    Examples
    --------
    >>> from agreement_fast.diagnostics import evaluate_model
    >>> people = [("x", "x"), ("y", "y"), ("x", "y"), ("y", "y"), ("x", "x"), ("x", "y")] * 10
    >>> model = ["x", "y", "y", "y", "x", "x"] * 10
    >>> result = evaluate_model(people, model, rng=1)
    >>> round(result.value, 3), round(result.people.value, 3), result.difference.low > 0
    (0.667, 0.4, True)
    """
    check_choice("method", method, ("percentile", "basic"))
    check_share("confidence_level", confidence_level)
    n_resamples = check_resamples(n_resamples)
    workers = _threads.available() if threads is None else check_count("threads", threads)
    point = Point.of(coefficient, distance)
    annotations, said = with_labels(as_annotations(data), model, "model")
    people, said, total = _shared(annotations, said)
    if not total:
        raise InputError("no item has a label of the model and of two people")
    both = _Both(people, said, point)
    whole = both.values(whole_sums(both.made), both.weights[:, None])
    draw = Draw(counted_weights(both.made))

    def work(task: tuple[int, np.random.Generator]) -> FloatArray:
        count, own = task
        weights = draw(own, count)
        found = both.values(both.made.sums(weights), weights)
        return found[0] - found[3]

    step = at_once(both.made)
    counts = [min(step, n_resamples - i) for i in range(0, n_resamples, step)]
    tasks = zip(counts, generator(rng).spawn(len(counts)), strict=True)
    replicates = []
    with bar(progress, n_resamples) as advance:
        for part in _threads.in_order(work, tasks, min(workers, len(counts))):
            replicates.append(part)
            advance(len(part))
    value, observed, expected, among = (float(one[0]) for one in whole)
    undefined = NO_VARIATION if math.isnan(value) else None
    theirs = agreement(people, point.name, distance=point.distance)
    return ModelEvaluation(
        coefficient=point.name,
        distance=point.distance.name,
        value=value,
        observed_disagreement=observed,
        expected_disagreement=expected,
        people=theirs,
        difference=difference(
            ("model with people", "people with each other"),
            (value, among),
            np.concatenate(replicates),
            confidence_level,
            method,
            [],
            undefined or theirs.undefined,
        ),
        n_items=total,
        n_items_dropped=annotations.n_items - total,
        undefined=undefined,
    )


def _shared(annotations: Annotations, said: Array) -> tuple[Annotations, Array, int]:
    """The items with a label of the model and of two people; equal ones once, with a weight."""
    rows = annotations.rows
    judgments = np.flatnonzero(rows.codes >= 0)
    repeats = None if rows.repeats is None else rows.repeats[judgments]
    sizes = np.bincount(row_of(rows, judgments), repeats, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    kept = np.flatnonzero((said >= 0) & (sizes > 1) & (weights > 0))
    rows, said, weights = take_rows(rows, kept), said[kept], weights[kept]
    if rows.width and len(kept):
        joint = np.column_stack([rows.table().astype(np.int32), said.astype(np.int32)])
        group, first = group_equal(joint)
        sums = np.zeros(len(first), np.int64)
        np.add.at(sums, group, weights)
        rows, said, weights = take_rows(rows, first), said[first], sums
    rows = rows.replace(weights=weights)
    people = Annotations.assemble(
        categories=annotations.categories,
        declared=annotations.declared,
        items=range(len(said)),
        coders=annotations.coders,
        rows=rows,
        weights=weights,
    )
    return people, said, int(weights.sum())


class _Both:
    """The people's coefficient and the model's with them, as functions of the items' weights."""

    def __init__(self, people: Annotations, said: Array, point: Point) -> None:
        self.made: Linear = linear(people, [point], "published", rows=people.rows)
        items = self.made.items
        assert isinstance(items, Items)  # rows were given
        self.point, self.said = point, said
        self.weights = counted_weights(self.made).astype(np.float64)
        lists = items.rows
        sizes = np.diff(lists.start)
        self._row = np.repeat(np.arange(len(sizes)), sizes)
        self._codes = lists.codes
        amounts: Array = np.ones(len(lists.codes)) if lists.repeats is None else lists.repeats
        self._share = amounts / items.sizes[self._row]
        one_each = np.arange(len(said) + 1)
        K = (items.n_categories,)
        self._own = Counts(one_each, said.astype(np.int32), None, np.ones(len(said)), K)
        self._theirs = items.marginal(1.0 / items.sizes)
        self._apart: FloatArray | None = None
        if not point.distance.ranks:
            self._apart = self._to_people(self.made.forms[point.distance])

    def _to_people(self, form: Form) -> FloatArray:
        """The mean distance of the model's label to the people's, of each row."""
        apart = form.between(self.said[self._row], self._codes) * self._share
        return np.bincount(self._row, apart, len(self.said)).astype(np.float64)

    def values(self, sums: Sums, weights: FloatArray) -> tuple[FloatArray, ...]:
        """The model's value, its D_o and D_e, and the people's value: (R,) each."""
        n = weights.sum(0)
        own, theirs = self._own.totals(weights), self._theirs.totals(weights)
        chance = self.point.chance.expected
        form: Form
        if self._apart is not None:
            form = self.made.forms[self.point.distance]
            observed = (self._apart @ weights) / n
            expected = np.broadcast_to(chance(OfTwo(own, theirs, n), form), n.shape)
        else:
            observed, expected = np.empty(len(n)), np.empty(len(n))
            ranks = Ranked.of(sums.marginals["pairable"]).features
            for r in range(len(n)):
                form = Squared(ranks[r][:, None])
                observed[r] = (self._to_people(form) @ weights[:, r]) / n[r]
                expected[r] = chance(OfTwo(own[r], theirs[r], n[r]), form)
        value = beyond_chance(observed, expected)
        return value, observed, expected, self.made.values(sums)[0].value

"""A model as an additional coder: its agreement with people, compared with that of people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import beyond_chance
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.cells import OfTwo
from agreement_fast.diagnostics.gold import with_labels
from agreement_fast.distances.forms import Form, Squared
from agreement_fast.errors import InputError
from agreement_fast.inference.resample import Draw, at_once, counted_weights, in_lots, whole_sums
from agreement_fast.inference.results import Difference, difference
from agreement_fast.options import (
    check_choice,
    check_resamples,
    check_share,
    check_threads,
    generator,
)
from agreement_fast.patterns import group_equal, row_of, take_rows
from agreement_fast.points import Point
from agreement_fast.results import NO_VARIATION, Agreement, Result
from agreement_fast.sums.columns import Counts, Items
from agreement_fast.sums.linear import Linear, Ranked, Sums, linear
from agreement_fast.tables import DETAILS, of_fields
from agreement_fast.terminal import number_of


class Values(NamedTuple):
    """Coefficients under R weightings of the items."""

    #: 1 − D_o / D_e, D_o and D_e of each model with the people: float64 arrays of shape (M, R).
    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    #: The value of the people among themselves: float64 array of shape (R,).
    people: FloatArray


def shared_items(annotations: Annotations, said: Array) -> tuple[Annotations, Array, int]:
    """Select the items with a label of each model and of two people, and group equal ones.

    `annotations`: the judgments of the people. `said` (int (n_rows, M)): the labels of each model,
    as indices of categories; -1 for missing. Returns Annotations: the distinct items, with weights;
    int (U, M): the labels of each model for these; int: the number of items, including weights.
    """
    rows = annotations.rows
    judgments = np.flatnonzero(rows.codes >= 0)
    repeats = None if rows.repeats is None else rows.repeats[judgments]
    sizes = np.bincount(row_of(rows, judgments), repeats, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    kept = np.flatnonzero((said >= 0).all(1) & (sizes > 1) & (weights > 0))
    rows, said, weights = take_rows(rows, kept), said[kept], weights[kept]
    if rows.width and len(kept):
        joint = np.column_stack([rows.table().astype(np.int32), said.astype(np.int32)])
        group, first = group_equal(joint)
        sums = np.zeros(len(first), np.int64)
        np.add.at(sums, group, weights)
        rows, said, weights = take_rows(rows, first), said[first], sums
    rows = rows.replace(weights=weights)
    people = annotations.with_rows(rows)
    return people, said, int(weights.sum())


class WithPeople:
    """The coefficient of the people, and that of each model with them.

    `people`: the items that each model and two people judged. `said` (int (U, M)): the labels of
    the models. `point`: the coefficient and its distance.
    """

    def __init__(self, people: Annotations, said: Array, point: Point) -> None:
        self.made: Linear = linear(people, [point], "published", rows=people.rows)
        items = self.made.items
        assert isinstance(items, Items)  # rows were given
        self.point, self._said = point, said.T
        self.weights = counted_weights(self.made).astype(np.float64)
        lists = items.rows
        sizes = np.diff(lists.start)
        self._row = np.repeat(np.arange(len(sizes)), sizes)
        self._codes = lists.codes
        amounts: Array = np.ones(len(lists.codes)) if lists.repeats is None else lists.repeats
        self._share = amounts / items.sizes[self._row]
        one_each, ones = np.arange(len(said) + 1), np.ones(len(said))
        K = (items.n_categories,)
        self._own = [Counts(one_each, one.astype(np.int32), None, ones, K) for one in self._said]
        self._theirs = items.marginal(1.0 / items.sizes)
        self._apart: list[FloatArray] | None = None
        if not point.distance.ranks:
            form = self.made.forms[point.distance]
            self._apart = [self._to_people(one, form) for one in self._said]

    def _to_people(self, said: Array, form: Form) -> FloatArray:
        """Return the mean distance of a model's label to those of the people, for each row."""
        apart = form.between(said[self._row], self._codes) * self._share
        return np.bincount(self._row, apart, len(said)).astype(np.float64)

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
                for m, said in enumerate(self._said):
                    observed[m, r] = (self._to_people(said, form) @ weights[:, r]) / n[r]
                    expected[m, r] = chance(OfTwo(own[m][r], theirs[r], n[r]), form)
        value = beyond_chance(observed, expected)
        return Values(value, observed, expected, self.made.values(sums)[0].value)

    def whole(self) -> Values:
        """Compute the coefficients of the data."""
        return self.values(whole_sums(self.made), self.weights[:, None])

    def replicates(self, n_resamples: int, rng: Any, threads: int | None, progress: bool) -> Values:
        """Compute the coefficients of resampled items, the same for people and models."""
        draw = Draw(counted_weights(self.made))

        def work(count: int, own: np.random.Generator) -> Values:
            weights = draw(own, count)
            return self.values(self.made.sums(weights), weights)

        step = at_once(self.made)
        parts = in_lots(work, n_resamples, step, generator(rng), threads, progress)
        return Values(*(np.concatenate(side, axis=-1) for side in zip(*parts, strict=True)))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ModelEvaluation(Result):
    """A model's agreement with people, compared with that of people with each other.

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    value : float
        The model's agreement with the people, 1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
        D_o and D_e of the model with the people.
    people : Agreement
        The agreement of the people with each other, on the same items.
    difference : Difference
        The model's value minus the people's, with its bootstrap interval over items.
    n_items : int
        Items that the model and at least two people judged, including weights.
    n_items_dropped : int
        The number of other items.
    undefined : str or None
        Why there is no value.
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
        """Return the columns of a table with one row."""
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
            f"({gap.low:+.4f} to {gap.high:+.4f}), {number_of(self.n_items, 'item')}>"
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
    """Compare a model's agreement with people to the agreement of people with each other.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments of the people.
    model : mapping item -> label, or sequence of shape (n_rows,)
        The labels of the model; None if missing. The index of a pandas Series names the items.
    coefficient : str, default "kappa"
        The name of the coefficient. Use "beta" for other distances than "nominal".
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. See
        `agreement_fast.distances`.
    n_resamples : int, default 1000
        The number of resamples of the items.
    confidence_level : float, default 0.95
        The level of the interval of the difference, between 0 and 1.
    method : {"percentile", "basic"}, default "percentile"
        The bootstrap interval: percentiles of the resamples, or their mirror image.
    rng : int or numpy Generator, optional
        The seed or generator of the resamples. A seed gives the same resamples with any number of
        threads.
    threads : int, optional
        The maximum number of threads; by default the number of processors.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    ModelEvaluation
        Both values and their difference with its interval.

    Raises
    ------
    ValueError
        If `model` has unknown items, the wrong shape, or labels outside the declared categories; or
        if no item was judged by the model and two people.

    Notes
    -----
    Artstein & Poesio 2005, 4.5, recommend to evaluate a system by its chance-corrected agreement
    with people, compared with the agreement among people. On the items that the model and at least
    two people judged, with m_i the model's label and n_il the number of people who gave label l,

    - D_o = mean over items of Σ_l n_il d(m_i, l) / n_i,
    - D_e is the coefficient's for two coders, the model and the mean of the people, with the
      marginals Σ_i [m_i = k] and Σ_i n_ik / n_i.

    For complete data and κ or β, both values are a mean D_o of pairs over a mean D_e of pairs, so
    a model that behaves like the people has the same value as they do. Each resample draws the same
    items for both. O(judgments), and O(patterns · K) for each resample.

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
    threads = check_threads(threads)
    point = Point.of(coefficient, distance)
    annotations, said = with_labels(as_annotations(data), model, "model")
    people, shared, total = shared_items(annotations, said[:, None])
    if not total:
        raise InputError("no item has a label of the model and labels of at least two people")
    both = WithPeople(people, shared, point)
    whole = both.whole()
    replicates = both.replicates(n_resamples, rng, threads, progress)
    value, observed, expected = (
        float(one[0, 0]) for one in (whole.value, whole.observed, whole.expected)
    )
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
            (value, float(whole.people[0])),
            replicates.value[0] - replicates.people,
            confidence_level,
            method,
            [],
            undefined or theirs.undefined,
        ),
        n_items=total,
        n_items_dropped=annotations.n_items - total,
        undefined=undefined,
    )

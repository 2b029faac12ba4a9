"""Who is nearer to the others of an item: the model, or the person that is set aside?"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import Form
from agreement_fast.patterns import Rows

#: Pairs of judgments that are looked at together.
ROOM = 1 << 21

#: Sums of distances that are as near as this, relative to the larger, are level.
ROUNDING = 1e-12


class Duels(NamedTuple):
    """A model against each person, item by item.

    Attributes
    ----------
    person : int array of shape (n,)
        The coder's place.
    row : int64 array of shape (n,)
    weight : int64 array of shape (n,)
        How many items the row stands for.
    model_wins, person_wins : bool arrays of shape (n,)
        Who is at least as near to the others as the other one is; both where they are level.
    """

    person: Array
    row: Array
    weight: Array
    model_wins: Array
    person_wins: Array


def duels(lists: Rows, said: Array, form: Form) -> Duels:
    """Compare a model with each judgment of the items that it and two people judged.

    Parameters
    ----------
    lists : Rows
        Lists of people's judgments, with coders.
    said : int array of shape (n_rows,)
        The model's codes, -1 for nothing.
    form : Form
        How far categories are apart.

    Notes
    -----
    O(Σ n_i²) for n_i judgments of an item. The scores are sums of distances to the same people, so
    that their comparison is that of means, of −RMSE under the interval distance, and of accuracies
    under the nominal one.
    """
    sizes = np.diff(lists.start)
    weights = np.ones(len(sizes), np.int64) if lists.weights is None else lists.weights
    rows = np.flatnonzero((sizes > 1) & (said >= 0) & (weights > 0))
    kept = [np.zeros(0, np.int64)]
    people, models = [np.zeros(0)], [np.zeros(0)]
    ends = np.cumsum(sizes[rows] ** 2)
    begin = 0
    while begin < len(rows):
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + ROOM, side="right")))
        some = rows[begin:end]
        own, theirs = _apart(lists, some, said, form)
        kept.append(_judgments(lists.start, some))
        people.append(own)
        models.append(theirs)
        begin = end
    judgments = np.concatenate(kept)
    person, model = np.concatenate(people), np.concatenate(models)
    row = np.searchsorted(lists.start, judgments, side="right") - 1
    level = np.abs(person - model) <= ROUNDING * np.maximum(person, model)
    return Duels(
        cast(Array, lists.coders)[judgments],
        row,
        weights[row],
        (model < person) | level,
        (person < model) | level,
    )


def _judgments(start: Array, rows: Array) -> Array:
    """Places of the judgments of some lists."""
    sizes = start[rows + 1] - start[rows]
    ends = np.cumsum(sizes)
    return np.repeat(start[rows] - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)


def _apart(lists: Rows, rows: Array, said: Array, form: Form) -> tuple[FloatArray, FloatArray]:
    """For each judgment the distances of it, and of the model, to all others of its row, summed."""
    sizes = lists.start[rows + 1] - lists.start[rows]
    judgments = _judgments(lists.start, rows)
    n_others = np.repeat(sizes, sizes)  # and the judgment itself
    first = np.repeat(lists.start[rows], sizes)
    one = np.repeat(np.arange(len(judgments)), n_others)
    within = np.arange(len(one)) - np.repeat(np.cumsum(n_others) - n_others, n_others)
    other = first[one] + within
    itself = other == judgments[one]
    row_said = np.repeat(said[rows], sizes)

    def total(codes: Array) -> FloatArray:
        apart = np.where(itself, 0.0, form.between(codes[one], lists.codes[other]))
        return np.bincount(one, apart, len(judgments)).astype(np.float64)

    return total(lists.codes[judgments]), total(row_said)

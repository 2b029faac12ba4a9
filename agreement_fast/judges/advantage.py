"""Whether the model or a left-out person is nearer to the other people, item by item."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import Form
from agreement_fast.patterns import Rows

#: The number of pairs of judgments to process at once.
ROOM = 1 << 21

#: Relative difference below which two sums of distances are equal.
ROUNDING = 1e-12


class Duels(NamedTuple):
    """Comparisons of a model with each person, item by item.

    Attributes
    ----------
    person : int array of shape (n,)
        The coder's place.
    row : int64 array of shape (n,)
        The row of the item.
    weight : int64 array of shape (n,)
        Number of items that the row stands for.
    model_wins, person_wins : bool arrays of shape (n,)
        Whether the model is at least as near to the others as the person, and whether the person
        is at least as near as the model; both are True if they tie.
    """

    person: Array
    row: Array
    weight: Array
    model_wins: Array
    person_wins: Array


def duels(lists: Rows, said: Array, form: Form) -> Duels:
    """Compare a model with each person on the items that it and at least two people judged.

    Parameters
    ----------
    lists : Rows
        Lists of people's judgments, with coders.
    said : int array of shape (n_rows,)
        The model's codes; -1 if missing.
    form : Form
        How far categories are apart.

    Notes
    -----
    The scores are sums of distances to the same people. Comparing them is therefore the same as
    comparing means, −RMSE under the interval distance, or accuracies under the nominal distance.

    The cost is O(Σ n_i²), where n_i is the number of judgments of item i.
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
    """Return the places of the judgments of some lists."""
    sizes = start[rows + 1] - start[rows]
    ends = np.cumsum(sizes)
    return np.repeat(start[rows] - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)


def _apart(lists: Rows, rows: Array, said: Array, form: Form) -> tuple[FloatArray, FloatArray]:
    """Return each judgment's sum of distances to the others of its row, and the model's."""
    sizes = lists.start[rows + 1] - lists.start[rows]
    judgments = _judgments(lists.start, rows)
    n_others = np.repeat(sizes, sizes)  # counts the judgment itself, too
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

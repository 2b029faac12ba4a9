"""Precision, recall and F1 of confusion matrices: of each category, and their averages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.diagnostics.cells import Cells
from agreement_fast.inference.shares import wilson, wilson_of_error

MEASURES = ("precision", "recall", "f1")

#: Averages closer than this to 0 or 1 are treated as 0 or 1.
ROUNDING = 1e-12


class Score(NamedTuple):
    """A measure with its interval: float64 arrays of the same shape, NaN if undefined."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


class Entries(NamedTuple):
    """The categories that occur in each table, table by table: arrays of shape (E,).

    Attributes
    ----------
    table, category : int64
    correct, said, right : int64
        Items that have the category on both sides, on the first side, and on the second side.
    scores : dict of str to Score
        By measure.
    of_first, of_second : int64 arrays of shape (cells,)
        The entries of both categories of each cell.
    """

    table: Array
    category: Array
    correct: Array
    said: Array
    right: Array
    scores: dict[str, Score]
    of_first: Array
    of_second: Array


def score_categories(cells: Cells, K: int, confidence_level: float) -> Entries:
    """Score the first side of each table against the second, for each category.

    Notes
    -----
    Precision and recall have Wilson's interval. F1 = 2 J / (1 + J) increases with J, the share of
    items with the category on both sides among those with it on any side. So the interval of F1 is
    that of J, mapped.
    """
    table = table_of_cells(cells)
    keys = np.concatenate([table * K + cells.first, table * K + cells.second])
    found, place = np.unique(keys, return_inverse=True)
    of_first, of_second = place[: len(table)], place[len(table) :]

    def count(places: Array, items: Array) -> Array:
        out = np.zeros(len(found), np.int64)
        np.add.at(out, places, items)
        return out

    said, right = count(of_first, cells.counts), count(of_second, cells.counts)
    correct = count(of_first, np.where(of_first == of_second, cells.counts, 0))
    either = said + right - correct
    low, high = wilson(correct, either, confidence_level)
    scores = {
        "precision": _share(correct, said, confidence_level),
        "recall": _share(correct, right, confidence_level),
        "f1": Score(2.0 * correct / (said + right), 2 * low / (1 + low), 2 * high / (1 + high)),
    }
    return Entries(found // K, found % K, correct, said, right, scores, of_first, of_second)


def table_of_cells(cells: Cells) -> Array:
    """Return the table of each cell: int64 (cells,)."""
    return np.repeat(np.arange(len(cells.start) - 1), np.diff(cells.start))


def _share(correct: Array, n: Array, confidence_level: float) -> Score:
    value = np.divide(correct, n, out=np.full(len(n), np.nan), where=n > 0)
    return Score(value, *wilson(correct, n, confidence_level))


def macro_average(cells: Cells, entries: Entries, measure: str) -> Score:
    """Compute the mean of a measure over the categories of each table: arrays of shape (G,).

    Notes
    -----
    Categories without a value are left out. The interval is that of Zou & Donner (2008):
    (mean − low)² is the mean of d_a r_ab d_b over all pairs of categories, with d_a the distance
    from the value of a to the lower end of its interval. Two precisions are independent given the
    frequencies of the categories, and so are two recalls. Two F1 are not: an item with one category
    on one side and the other category on the other side lowers both. Their correlation r_ab is that
    of the delta method. Thus the uncertainty of a rare category counts even if all of its items are
    correct.
    """
    n_tables = len(cells.start) - 1
    value, low, high = entries.scores[measure]
    defined = ~np.isnan(value)
    n: FloatArray = np.bincount(entries.table, defined, n_tables).astype(np.float64)
    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(entries.table, np.where(defined, value, 0.0), n_tables) / n
        for end in (low, high):
            reach = np.where(defined, np.abs(end - value), 0.0)
            squares = np.bincount(entries.table, reach**2, n_tables).astype(np.float64)
            if measure == "f1":
                squares = squares + _shared_errors(cells, entries, reach)
            ends.append(np.sqrt(squares) / n)
    return Score(mean, mean - ends[0], mean + ends[1])


def _shared_errors(cells: Cells, entries: Entries, reach: FloatArray) -> FloatArray:
    """Sum d_a r_ab d_b over pairs a ≠ b of the F1 of each table: (G,)."""
    first, second = entries.of_first, entries.of_second
    apart = first != second
    value = entries.scores["f1"].value
    size = entries.said + entries.right
    # The influence of a correct item and of an error on the F1 of its categories.
    correct, error = (2 - 2 * value) / size, -value / size
    wrong = size - 2 * entries.correct
    spread = np.sqrt(entries.correct * correct**2 + wrong * error**2)
    each = np.divide(reach * error, spread, out=np.zeros(len(reach)), where=spread > 0)
    shared = 2 * cells.counts * np.where(apart, each[first] * each[second], 0.0)
    return np.bincount(table_of_cells(cells), shared, len(cells.start) - 1).astype(np.float64)


def weighted_average(
    cells: Cells, entries: Entries, measure: str, confidence_level: float
) -> Score:
    """Compute the mean of a measure over the items' right categories, for each table: (G,).

    Notes
    -----
    Categories without a value are left out. The standard error is that of the delta method: the
    influence of an item is the derivative of the mean with respect to the count of its cell. The
    interval is Wilson's for the sample size that has this error.
    """
    n_tables = len(cells.start) - 1
    table, second = entries.table, entries.of_second
    value = entries.scores[measure].value
    defined = ~np.isnan(value)
    value = np.where(defined, value, 0.0)
    parts = np.where(defined, entries.right, 0)
    totals = np.bincount(table, parts, n_tables)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = parts / totals[table]
        mean = np.bincount(table, weight * value, n_tables).astype(np.float64)
        of_weight = (value[second] - mean[table[second]]) / totals[table[second]]
        influence = _influence(entries, measure, value, weight)
        influence += np.where(defined[second], of_weight, 0.0)
        squares = np.bincount(table_of_cells(cells), cells.counts * influence**2, n_tables)
        n = cells.n_items
        errors = np.sqrt(squares * n / np.maximum(n - 1, 1))
    # Remove rounding errors from 0 and 1.
    mean = np.where(mean < ROUNDING, 0.0, np.where(mean > 1 - ROUNDING, 1.0, mean))
    errors = np.where((mean == 0) | (mean == 1), 0.0, errors)
    return Score(mean, *wilson_of_error(mean, errors, totals, confidence_level))


def _influence(entries: Entries, measure: str, value: FloatArray, weight: FloatArray) -> FloatArray:
    """Compute the derivative by the count of each cell, for fixed weights: (cells,)."""
    first, second = entries.of_first, entries.of_second
    hit = first == second
    own, other = (weight / np.maximum(n, 1) for n in (entries.said, entries.right))
    if measure == "precision":
        return np.asarray((hit - value[first]) * own[first])
    if measure == "recall":
        return np.asarray((hit - value[second]) * other[second])
    both = weight / (entries.said + entries.right)
    lost = value[first] * both[first] + value[second] * both[second]
    return np.asarray(2 * hit * both[first] - lost)

"""Who got how many votes: for each item the labels that it was given, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.patterns import Rows, group_equal

#: Cells of items × categories, for each judgment, up to which all are counted at once.
DENSE = 16


@dataclass(frozen=True, eq=False)
class Votes:
    """The labels that items were given: one entry for each item and label that met.

    Attributes
    ----------
    item, label : int64 arrays of shape (M,)
        Ascending; codes.
    votes : int64 array of shape (M,)
    n_items, n_categories : int
    weights : int64 array of shape (N,) or None
        How many items each one stands for.
    """

    item: Array
    label: Array
    votes: Array
    n_items: int
    n_categories: int
    weights: Array | None

    @cached_property
    def n_judgments(self) -> Array:
        """Of each item: int64 of shape (N,)."""
        return np.bincount(self.item, self.votes, self.n_items).astype(np.int64)

    @cached_property
    def most(self) -> Array:
        """The votes of the most frequent label of each item; 0 if there is none."""
        out = np.zeros(self.n_items, np.int64)
        if len(self.item):
            begins = np.flatnonzero(np.diff(self.item, prepend=-1))
            out[self.item[begins]] = np.maximum.reduceat(self.votes, begins)
        return out

    @cached_property
    def is_top(self) -> Array:
        """Whether the label of an entry is a most frequent one of its item: bool (M,)."""
        top: Array = self.votes == self.most[self.item]
        return top

    @cached_property
    def each(self) -> Array:
        """The weight of each item: int64 of shape (N,)."""
        return np.ones(self.n_items, np.int64) if self.weights is None else self.weights


def count_votes(rows: Rows, n_categories: int) -> Votes:
    """Count the judgments of each item and label. O(n), or O(n log n) with many categories."""
    where = np.flatnonzero(rows.codes >= 0)
    if rows.width:
        item = where // rows.width
    else:
        item = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))[where]
    keys = item * n_categories + rows.codes[where]
    repeats = None if rows.repeats is None else rows.repeats[where]
    cells = rows.n_rows * n_categories
    if cells <= DENSE * len(keys):
        counted = np.bincount(keys, repeats, cells)
        found = np.flatnonzero(counted)
        votes = counted[found].astype(np.int64)
    elif repeats is None:
        found, votes = np.unique(keys, return_counts=True)
    else:
        found, place = np.unique(keys, return_inverse=True)
        votes = np.bincount(place, repeats).astype(np.int64)
    K = max(n_categories, 1)
    return Votes(found // K, found % K, votes, rows.n_rows, n_categories, rows.weights)


@dataclass(frozen=True, eq=False)
class Splits:
    """Ways in which judgments of an item split, with no word on which label got how many.

    Attributes
    ----------
    votes : int64 array of shape (S, m)
        In descending order; every item of these has m labels.
    weights : int64 array of shape (S,)
        How many items split so.
    """

    votes: Array
    weights: Array


def splits_of(votes: Votes) -> list[Splits]:
    """Give the distinct splits of the judged items, by their number of labels. O(M log M)."""
    order = np.lexsort((-votes.votes, votes.item))
    sorted_votes = votes.votes[order]
    n_labels = np.bincount(votes.item, minlength=votes.n_items)
    begins = np.cumsum(n_labels) - n_labels
    out = []
    for m in np.unique(n_labels[n_labels > 0]).tolist():
        items = np.flatnonzero(n_labels == m)
        table = sorted_votes[begins[items][:, None] + np.arange(m)]
        group, first = group_equal(table)
        weights = np.zeros(len(first), np.int64)
        np.add.at(weights, group, votes.each[items])
        out.append(Splits(table[first], weights))
    return out

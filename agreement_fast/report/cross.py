"""Which categories met: two coders in a contingency table, more in coincidences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.sums.categories import sums_of

#: Categories that a table shows, the most frequent; the others are one.
SHOWN = 50


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Categories by categories, with their margins.

    Attributes
    ----------
    kind : {"contingency", "coincidence"}
        Counts of items by the labels of two coders; or, for any number of coders, how often two
        categories were given to the same item, normalized so that each item adds up to its number
        of judgments (Krippendorff 2011).
    coders : pair of objects, or None
        The coders of the rows and of the columns, for a contingency table.
    labels : tuple of objects
        The categories that are shown, in their order.
    n_others : int
        Number of categories that are combined in the last row and the last column.
    values : tuple of tuples of float
        One row for each of `labels`, and one more if there are other categories.
    """

    kind: str
    coders: tuple[Any, Any] | None
    labels: tuple[Any, ...]
    n_others: int
    values: tuple[tuple[float, ...], ...]

    @property
    def row_totals(self) -> tuple[float, ...]:
        """The sums of the rows."""
        return tuple(math.fsum(row) for row in self.values)

    @property
    def column_totals(self) -> tuple[float, ...]:
        """The sums of the columns."""
        return tuple(math.fsum(column) for column in zip(*self.values, strict=True))

    @property
    def total(self) -> float:
        """The sum of all: items that both judged, or judgments of items with two or more."""
        return math.fsum(self.row_totals)

    def in_order(self, labels: Sequence[Any]) -> CrossTable:
        """Return the table with its labels in this order, and written as here."""
        places = {label: i for i, label in enumerate(self.labels)}
        shown = [label for label in labels if label in places]
        order = [places[label] for label in shown] + list(range(len(shown), len(self.values)))
        values = tuple(tuple(self.values[i][j] for j in order) for i in order)
        return replace(self, labels=tuple(shown), values=values)

    def most_frequent(self, n: int) -> CrossTable:
        """Return the table of the most frequent categories; all others are combined."""
        if n >= len(self.labels):
            return self
        used = np.add(self.row_totals, self.column_totals)[: len(self.labels)]
        kept = np.sort(np.argsort(-used, kind="stable")[:n])
        group = np.full(len(self.values), n)
        group[kept] = range(n)
        merged = np.zeros((n + 1, n + 1))
        np.add.at(merged, (group[:, None], group[None, :]), np.array(self.values))
        return CrossTable(
            self.kind,
            self.coders,
            tuple(self.labels[i] for i in kept.tolist()),
            self.n_others + len(self.labels) - n,
            tuple(map(tuple, merged.tolist())),
        )

    def again(self, places: Sequence[int]) -> float:
        """Return how often another judgment of an item is the same if one has these categories.

        This is the specific agreement of these categories, summed over them; NaN if none of them
        was used.
        """
        rows, columns = self.row_totals, self.column_totals
        used = math.fsum(rows[i] + columns[i] for i in places)
        return 2 * math.fsum(self.values[i][i] for i in places) / used if used else math.nan


def cross_table(annotations: Annotations) -> CrossTable | None:
    """Return the table of annotations; None if they have many numbers or no labels.

    O(patterns · k²) for k categories, at most 51.
    """
    labels = annotations.labels
    if not len(labels) or (isinstance(labels, np.ndarray) and len(labels) > SHOWN):
        return None
    n_others, shown = 0, list(annotations.categories if len(labels) <= SHOWN else ())
    if not shown:
        if all(isinstance(label, int | float) for label in annotations.categories):
            return None
        # Let one category stand for all but the most frequent, which are given in their order
        categories = annotations.categories
        by_use = np.argsort(-sums_of(annotations).counts(1), kind="stable")
        rest = [categories[i] for i in by_use[SHOWN:].tolist()]
        merged = annotations.merge_categories(dict.fromkeys(rest, rest[0]))
        annotations, shown = (merged, [categories[i] for i in np.sort(by_use[:SHOWN]).tolist()])
        n_others = len(labels) - SHOWN
    coders = annotations.coders
    pair, kind = None, "coincidence"
    if coders is not None and len(coders) == 2 and annotations.kept_marginals is None:
        pair, kind = (coders[0], coders[1]), "contingency"
        values = annotations.contingency_table(*pair).astype(np.float64)
    else:
        values = sums_of(annotations).coincidences()
    if n_others:
        places = {label: i for i, label in enumerate(annotations.categories)}
        order = [places.pop(label) for label in shown] + list(places.values())
        values = values[np.ix_(order, order)]
    return CrossTable(kind, pair, tuple(shown), n_others, tuple(map(tuple, values.tolist())))

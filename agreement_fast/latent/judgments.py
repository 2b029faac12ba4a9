"""What models of the coders take: judgments, several of a coder on an item included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.patterns import Rows, group_rows, narrow, row_of, row_sizes, take_rows
from agreement_fast.reading import labels as labelling
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.tables import read_columns
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of

#: Lists among which equal ones are looked for, before all are compared.
SAMPLE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judgments(Tabular):
    """Judgments of which a coder may make several on one item, for the models of this package.

    Make one with `Judgments.from_long`. Coefficients of agreement take `Annotations` instead,
    where a coder judges an item once.

    Attributes
    ----------
    items, coders : sequences of labels
    categories : tuple of labels
    """

    items: Sequence[Any]
    coders: Sequence[Any]
    categories: Categories
    #: In the order of the items, and with equal ones together where that came for free.
    rows: Rows
    grouped: Rows

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each judgment: its item, coder and label."""
        where = np.flatnonzero(self.rows.codes >= 0)
        row = row_of(self.rows, where).tolist()
        coder = where % self.rows.width if self.rows.width else self.rows.coders
        assert coder is not None
        coder = coder if self.rows.width else coder[where]
        return {
            "item": [self.items[i] for i in row],
            "coder": [self.coders[c] for c in coder.tolist()],
            "label": [self.categories[k] for k in self.rows.codes[where].tolist()],
        }

    def __repr__(self) -> str:
        n = int(np.count_nonzero(self.rows.codes >= 0))
        return (
            f"Judgments({number_of(len(self.items), 'item')}, {len(self.coders)} coders, "
            f"{n} judgments, "
            f"{len(self.categories)} categories: {labelling.shorten(self.categories)})"
        )

    @staticmethod
    def from_long(
        items: Any, coders: Any, labels: Any, *, missing: Any = None, categories: Any = None
    ) -> Judgments:
        """Read one judgment a row: three columns of equal length, repeated judgments included.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Arrays, lists, or columns of a data frame.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", beside None, NaN, NaT and NA.
        categories : sequence of labels, optional
            All categories, in order, used or not. By default what occurs.

        Raises
        ------
        ValueError
            Columns of different lengths; a label outside the declared categories.

        Notes
        -----
        O(n log n).

        Examples
        --------
        >>> from agreement_fast import latent
        >>> latent.Judgments.from_long(["i", "i", "i"], ["a", "a", "b"], ["x", "y", "x"])
        Judgments(1 item, 2 coders, 3 judgments, 2 categories: 'x', 'y')
        """
        item_codes, coder_codes, codes, item_names, coder_names, found, _ = read_columns(
            items, coders, labels, missing, categories
        )
        given = np.flatnonzero(codes >= 0)
        # by item, coder and label: equal items are equal lists
        order = given[np.lexsort((codes[given], coder_codes[given], item_codes[given]))]
        sizes = np.bincount(item_codes[order], minlength=len(item_names))
        rows = Rows(
            codes[order].astype(narrow(len(found))),
            0,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            coder_codes[order].astype(np.int32),
        )
        return Judgments(item_names, coder_names, found, rows, rows)


def as_judgments(data: Any, purpose: str) -> Judgments:
    """Judgments as they are; anything else as `Annotations` or what `from_wide` reads."""
    if isinstance(data, Judgments):
        return data
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    return Judgments(
        annotations.items,
        coders,
        annotations.categories,
        annotations.rows,
        annotations.grouped(),
    )


def patterns(rows: Rows) -> tuple[Rows, bool]:
    """Rows with judgments, equal ones together where that makes them fewer.

    Returns
    -------
    rows : Rows
    distinct : bool
        Whether equal rows were put together.
    """
    sizes = row_sizes(rows)
    if not rows.width and len(sizes) > SAMPLE:
        # Lists of a few among thousands of coders hardly repeat, and comparing them costs more than
        # a step of EM: the first ones tell. To be compared they are filled up to the longest.
        filled = len(sizes) * int(sizes.max())
        few = take_rows(rows, np.arange(SAMPLE))
        if filled > 8 * len(rows.codes) or group_rows(few).n_rows > 0.9 * SAMPLE:
            return (rows if sizes.all() else take_rows(rows, np.flatnonzero(sizes))), False
    grouped = group_rows(rows)
    sizes = row_sizes(grouped)
    used = sizes > 0
    if grouped.weights is not None:
        used &= grouped.weights > 0
    return (grouped if used.all() else take_rows(grouped, np.flatnonzero(used))), True

"""The input of latent models: judgments, possibly several by a coder on one item."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.errors import InputError
from agreement_fast.options import check_count, check_number
from agreement_fast.patterns import Rows, group_rows, narrow, row_of, row_sizes, take_rows
from agreement_fast.reading import labels as labelling
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.tables import read_columns
from agreement_fast.recognition.labels import hint_at_labels, label_counts
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of


def check_options(
    smoothing: float, tolerance: float, max_iterations: int, n_restarts: int = 0
) -> None:
    """Raise an error that names the first invalid option."""
    check_amount("smoothing", smoothing)
    check_amount("tolerance", tolerance)
    check_count("max_iterations", max_iterations, 0)
    check_count("n_restarts", n_restarts, 0)


def check_amount(name: str, value: Any) -> None:
    """Raise an error unless this is a finite number of 0 or more."""
    if not 0 <= check_number(name, value) < math.inf:
        raise InputError.must_be(name, "a number, 0 or more", value)


#: The number of lists that are first checked for equal ones, before all are compared.
SAMPLE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judgments(Tabular):
    """Judgments for latent models; a coder may judge an item several times.

    Create it with `Judgments.from_long`. Agreement coefficients take `Annotations` instead, in
    which a coder judges an item once.

    Attributes
    ----------
    items, coders : sequences of labels
    categories : tuple of labels
    rows : Rows
        The judgments in the order of the items; for the package's own use.
    grouped : Rows
        The same, with equal rows grouped if that costs nothing; for the package's own use.
    """

    items: Sequence[Any]
    coders: Sequence[Any]
    categories: Categories
    rows: Rows
    grouped: Rows

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row per judgment: item, coder and label."""
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
        """Read a long table, with one judgment per row and repeated judgments.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Three columns of equal length: arrays, lists, or columns of a data frame.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", in addition to None, NaN, NaT and NA.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default the labels that occur.

        Returns
        -------
        Judgments
            All judgments, including repeated ones.

        Raises
        ------
        ValueError
            If the columns differ in length, or a label is not a declared category.

        Notes
        -----
        O(n log n).

        Examples
        --------
        >>> from agreement_fast import latent
        >>> latent.Judgments.from_long(["i", "i", "i"], ["a", "a", "b"], ["x", "y", "x"])
        Judgments(1 item, 2 coders, 3 judgments, 2 categories: 'x', 'y')
        """
        columns = read_columns(items, coders, labels, missing, categories)
        item_codes, coder_codes, codes, item_names, coder_names, found, declared, absent = columns
        if not declared:
            hint_at_labels(found, lambda: label_counts(codes, len(found)))
        absent.hint(found)
        given = np.flatnonzero(codes >= 0)
        # sorted by item, coder and label, so that equal items are equal lists
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
    """Return `Judgments` unchanged; read anything else as `Annotations` or a wide table."""
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
    """Drop empty rows and group equal ones if that makes them fewer.

    Returns
    -------
    rows : Rows
    distinct : bool
        Whether equal rows were grouped.
    """
    sizes = row_sizes(rows)
    if not rows.width and len(sizes) > SAMPLE:
        # Short lists from thousands of coders rarely repeat, and comparing all of them costs more
        # than a step of EM, so the first lists decide. Lists are padded to the longest to compare.
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

"""The accuracy of coders who agree by chance alone (Artstein & Poesio 2008, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.options import check_number
from agreement_fast.patterns import Rows, row_of
from agreement_fast.tables import Aligned
from agreement_fast.terminal import align, show_label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChanceAccuracy(Aligned):
    """The agreement and accuracy of two coders who draw labels at random.

    Attributes
    ----------
    categories : tuple of labels
        The categories.
    shares : float64 array of shape (K,)
        The share of items that belong to the category.
    agreement : float64 array of shape (K,)
        The share of items to which both coders give the category.
    right : float64 array of shape (K,)
        The share of items that belong to the category and to which both coders give it.
    """

    categories: Sequence[Any]
    shares: FloatArray
    agreement: FloatArray
    right: FloatArray

    _column_names = "category=categories share=shares agreement right"

    @property
    def expected_agreement(self) -> float:
        """The share of items on which both coders agree."""
        return float(self.agreement.sum())

    @property
    def least_accuracy(self) -> float:
        """The share of all items that have an agreed label that is right."""
        return float(self.right.sum())

    @property
    def accuracy_of_agreed(self) -> float:
        """The share of the agreed labels that are right."""
        total = self.expected_agreement
        return self.least_accuracy / total if total > 0 else float("nan")

    def __repr__(self) -> str:
        return (
            f"<ChanceAccuracy of {len(self.shares)} categories: agreement "
            f"{self.expected_agreement:.4f}, accuracy at least {self.least_accuracy:.4f}>"
        )

    def __str__(self) -> str:
        rows = [
            (show_label(label), *(f"{x:.4f}" for x in row))
            for label, *row in zip(
                self.categories, self.shares, self.agreement, self.right, strict=True
            )
        ]
        head = ("category", "share", "agreement", "right")
        return "\n".join([repr(self)[1:-1], *align(head, rows, "<>>>")])


def chance_accuracy(source: Any) -> ChanceAccuracy:
    """Compute the accuracy of two coders who draw their labels at random.

    Parameters
    ----------
    source : mapping label -> share, Annotations or what `Annotations.from_wide` reads
        The true share of each category, divided by their sum. For data, the shares of the labels.

    Returns
    -------
    ChanceAccuracy
        The expected agreement and accuracy, in total and for each category.

    Raises
    ------
    ValueError
        If a share is negative, all shares are 0, or there are no judgments.

    Notes
    -----
    Two coders who draw a category of share p at random agree on it for p² of the items. A share p
    of these items belong to it, so p³ of all items have this label, agreed and right (Artstein &
    Poesio 2008, 3.2: 85.7% if one category has 95%). If one category dominates the data, coders who
    do not look at the items have high agreement and high accuracy. This is why coefficients correct
    for chance. Whether such agreement is good enough depends on the use of the rare categories.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> found = diagnostics.chance_accuracy({"common": 95, "rare": 5})
    >>> found.agreement.round(4).tolist(), found.right.round(4).tolist()
    ([0.9025, 0.0025], [0.8574, 0.0001])
    """
    if isinstance(source, Mapping):
        categories = tuple(source)
        counts = np.array([check_number(f"shares[{k!r}]", x) for k, x in source.items()], float)
        if not (counts >= 0).all() or not np.isfinite(counts).all():
            raise InputError.must_be("shares", "numbers of 0 or more", dict(source))
    else:
        annotations = as_annotations(source)
        categories = tuple(annotations.categories)
        counts = _counted(annotations.rows, len(categories))
    if not counts.max(initial=0.0) > 0:
        raise InputError("all shares are 0: at least one category needs a share above 0")
    p = counts / counts.max()  # avoids an overflow of the sum
    p = p / p.sum()
    return ChanceAccuracy(categories, p, p**2, p**3)


def _counted(rows: Rows, n_categories: int) -> FloatArray:
    """Count the judgments of each category."""
    where = np.flatnonzero(rows.codes >= 0)
    weights = None if rows.weights is None else rows.weights[row_of(rows, where)]
    found = np.bincount(rows.codes[where], weights, n_categories)
    out: FloatArray = found.astype(np.float64)
    return out

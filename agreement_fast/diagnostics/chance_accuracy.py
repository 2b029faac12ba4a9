"""How right coders are who agree by chance alone (Artstein & Poesio 2008, 3.2)."""

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
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align, show_label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChanceAccuracy(Tabular):
    """What two coders agree on who draw labels by their shares, and how much of it is right.

    Attributes
    ----------
    categories : tuple of labels
    shares : float64 array of shape (K,)
    agreement : float64 array of shape (K,)
        How many items both give the category.
    right : float64 array of shape (K,)
        How many items both give the category that are of it.
    """

    categories: Sequence[Any]
    shares: FloatArray
    agreement: FloatArray
    right: FloatArray

    @property
    def expected_agreement(self) -> float:
        """The share of items on which both agree."""
        return float(self.agreement.sum())

    @property
    def least_accuracy(self) -> float:
        """The share of items with an agreed label that is right."""
        return float(self.right.sum())

    @property
    def accuracy_of_agreed(self) -> float:
        """The share of the agreed labels that are right."""
        total = self.expected_agreement
        return self.least_accuracy / total if total > 0 else float("nan")

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Give a row for each category."""
        return {
            "category": self.categories,
            "share": self.shares,
            "agreement": self.agreement,
            "right": self.right,
        }

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
    """How right two coders are who draw their labels blindly, as often as each category is true.

    Parameters
    ----------
    source : mapping label -> share, Annotations or what `Annotations.from_wide` reads
        How often each category is true, divided by their sum; of data, how often it is said.

    Returns
    -------
    ChanceAccuracy

    Raises
    ------
    ValueError
        Shares that are negative, or all 0; nobody judged anything.

    Notes
    -----
    Blind coders give a category of share p to p² of the items together, and p of these are of it:
    p³ of all items have this label, agreed and right (Artstein & Poesio 2008, 3.2: 85.7% where one
    category has 95%). Where one category is most of the data, high agreement and high accuracy come
    from coders who do not look. That is why coefficients correct for chance. Whether such an
    agreement is good enough depends on what the rare categories are needed for.

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
        raise InputError("no category has a share: there is nothing to draw")
    p = counts / counts.max()  # the sum of numbers near the largest float is infinite
    p = p / p.sum()
    return ChanceAccuracy(categories, p, p**2, p**3)


def _counted(rows: Rows, n_categories: int) -> FloatArray:
    """How often each category is said."""
    where = np.flatnonzero(rows.codes >= 0)
    weights = None if rows.weights is None else rows.weights[row_of(rows, where)]
    found = np.bincount(rows.codes[where], weights, n_categories)
    out: FloatArray = found.astype(np.float64)
    return out

"""Negative agreement: how far coders agree that an item is not of a category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agreement_fast.annotations import as_annotations
from agreement_fast.diagnostics.category_errors import opposite_intervals
from agreement_fast.options import check_share
from agreement_fast.tables import Listing, Row


@dataclass(frozen=True, slots=True)
class NegativeAgreement(Row):
    """How far coders agree that items are not of a category.

    Attributes
    ----------
    label : object
    n_judgments : int
        Judgments of other categories in items with two judgments or more, weights counted.
    negative_agreement : float
        The probability that another judgment of the item is of another category too, given that one
        is. NaN where no judgment is.
    standard_error, low, high : float
        Items being the sample: the error by the delta method, and a score interval.
    confidence_level : float
    """

    label: Any
    n_judgments: int
    negative_agreement: float
    standard_error: float
    low: float
    high: float
    confidence_level: float


def negative_agreement(data: Any, *, confidence_level: float = 0.95) -> Listing[NegativeAgreement]:
    """Agreement that items are not of a category, for each category.

    With the specific agreement of `category_agreement` these are the two numbers for each category
    that Cicchetti & Feinstein 1990 want beside κ: positive and negative agreement.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    confidence_level : float
        Between 0 and 1; each interval holds by itself, not all of them together.

    Returns
    -------
    Listing of NegativeAgreement
        A row for each category, in their order.

    Notes
    -----
    It is the specific agreement of all other categories taken as one, and has its error and
    interval. O(patterns · K²), as there.

    Examples
    --------
    >>> from agreement_fast.diagnostics import negative_agreement
    >>> table = [("yes", "yes")] * 4 + [("yes", "no")] * 2 + [("no", "no")] * 14
    >>> for row in negative_agreement(table):
    ...     print(row.label, round(row.negative_agreement, 3))
    no 0.8
    yes 0.933
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    observed = annotations.coincidence_matrix().values
    counts = observed.sum(0)
    agreement, interval = opposite_intervals(annotations, observed, confidence_level)
    return Listing(
        NegativeAgreement(
            label=label,
            n_judgments=round(float(counts.sum() - counts[k])),
            negative_agreement=float(agreement[k]),
            standard_error=float(interval.error[k]),
            low=float(interval.low[k]),
            high=float(interval.high[k]),
            confidence_level=confidence_level,
        )
        for k, label in enumerate(annotations.categories)
    )

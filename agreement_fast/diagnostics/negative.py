"""Negative agreement: agreement that an item does not have a category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agreement_fast.annotations import as_annotations
from agreement_fast.diagnostics.category_errors import opposite_intervals
from agreement_fast.options import check_share
from agreement_fast.tables import Listing, Row


@dataclass(frozen=True, slots=True)
class NegativeAgreement(Row):
    """The agreement that items do not have a category.

    Attributes
    ----------
    label : object
        The category.
    n_judgments : int
        Judgments of other categories in items with two judgments or more, including weights.
    negative_agreement : float
        The probability that a second judgment of an item does not have the category, given that a
        first one does not. NaN if all judgments have the category.
    standard_error, low, high : float
        The standard error (delta method, items as the sample), and a score interval.
    confidence_level : float
        The level of the interval.
    """

    label: Any
    n_judgments: int
    negative_agreement: float
    standard_error: float
    low: float
    high: float
    confidence_level: float


def negative_agreement(data: Any, *, confidence_level: float = 0.95) -> Listing[NegativeAgreement]:
    """Compute the agreement that items do not have a category, for each category.

    Cicchetti & Feinstein 1990 recommend positive and negative agreement beside κ. The specific
    agreement of `category_agreement` is the positive one.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    Returns
    -------
    Listing of NegativeAgreement
        A row for each category, in their order.

    Raises
    ------
    ValueError
        If `confidence_level` is not between 0 and 1.

    Notes
    -----
    This is the specific agreement of all other categories combined, with its standard error and
    interval. O(patterns · K²).

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

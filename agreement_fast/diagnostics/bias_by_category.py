"""Prevalence and bias of each category, for any number of categories and coders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.tables import Listing, Row


@dataclass(frozen=True, slots=True)
class CategoryBias(Row):
    """The prevalence and bias of a category against all others combined.

    Attributes
    ----------
    label : object
        The category.
    prevalence_index : float
        From −1 (nobody uses the category) to 1 (nobody uses another one); 0 if it makes up half of
        the judgments.
    bias_index : float
        From 0 (all coders use the category equally often) to 1.
    lowest_share, highest_share : float
        The share of the category for the coder who uses it least, and for the one who uses it most.
    """

    label: Any
    prevalence_index: float
    bias_index: float
    lowest_share: float
    highest_share: float


def bias_by_category(data: Any) -> Listing[CategoryBias]:
    """Compute Byrt's prevalence index and bias index of each category against all others.

    The indices are defined for two coders and two categories (Byrt, Bishop & Carlin 1993); Sim &
    Wright 2005 and Antoine, Villaneau & Lefeuvre 2014 discuss them for more. Here each category is
    compared with all others combined, and the indices are means over pairs of coders.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments of two known coders or more.

    Returns
    -------
    Listing of CategoryBias
        A row for each category.

    Raises
    ------
    ValueError
        If the coders are unknown, or fewer than two judged anything.

    Notes
    -----
    With P(k|c) = n_ck / n_c, the prevalence index is the mean over pairs of coders of
    P(k|m) + P(k|n) − 1, and the bias index is the mean of |P(k|m) − P(k|n)|. The weight of a pair
    is n_m n_n, as in κ. For two coders who judged the same items and two categories, they are
    (a − d) / N and |b − c| / N. They describe these coders and have no interval.
    O(judgments + K C log C).

    Examples
    --------
    Di Eugenio & Glass 2004, example 6:

    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import bias_by_category
    >>> data = af.Annotations.from_contingency([[40, 35], [0, 25]], categories=["accept", "ack"])
    >>> for row in bias_by_category(data):
    ...     print(row.label, round(row.prevalence_index, 2), round(row.bias_index, 2))
    accept 0.15 0.35
    ack -0.15 0.35
    """
    annotations = as_annotations(data)
    counts = np.asarray(annotations.coder_marginals().values, np.float64)
    sizes = counts.sum(1)
    counts, sizes = counts[sizes > 0], sizes[sizes > 0]
    if len(sizes) < 2:
        raise InputError(
            f"bias_by_category() compares coders, but {len(sizes)} judged anything",
            "pass the judgments of two coders or more",
        )
    shares = counts / sizes[:, None]
    pairs = (sizes.sum() ** 2 - (sizes**2).sum()) / 2
    prevalence = (counts * (sizes.sum() - sizes)[:, None]).sum(0) / pairs - 1
    return Listing(
        CategoryBias(
            label=label,
            prevalence_index=float(prevalence[k]),
            bias_index=_mean_difference(shares[:, k], sizes) / float(pairs),
            lowest_share=float(shares[:, k].min()),
            highest_share=float(shares[:, k].max()),
        )
        for k, label in enumerate(annotations.categories)
    )


def _mean_difference(shares: FloatArray, sizes: FloatArray) -> float:
    """Sum n_m n_n |P(k|m) − P(k|n)| over pairs, from the coders sorted by their shares."""
    order = np.argsort(shares, kind="stable")
    shares, sizes = shares[order], sizes[order]
    below = np.cumsum(sizes) - sizes
    sum_below = np.cumsum(sizes * shares) - sizes * shares
    return float(np.maximum(sizes * (shares * below - sum_below), 0.0).sum())

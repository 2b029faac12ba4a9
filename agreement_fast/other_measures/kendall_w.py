"""Kendall's coefficient of concordance W: do coders order the items alike?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.delta_method import standard_errors
from agreement_fast.options import check_share
from agreement_fast.other_measures.measure import (
    EXACT,
    FEW_ITEMS,
    NAN,
    NO_ITEMS,
    NO_VARIATION,
    SAME,
    Measure,
    first_of,
)
from agreement_fast.other_measures.rank_sums import centred_ranks, sign_sums
from agreement_fast.other_measures.ratings import Ratings


def kendall_w(data: Any, *, confidence_level: float = 0.95) -> Measure:
    """Compute Kendall's W, corrected for ties, over the items that every coder judged.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. The labels must be numbers or have a declared order.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Measure
        From 0, if all items have the same sum of ranks, to 1, if all coders order the items alike.

    Raises
    ------
    ValueError
        If the labels have no order, there are fewer than two coders, or `data` are counts without
        coders.

    Notes
    -----
    W = Σ_i (Σ_c r_ic)² / (C Σ_i Σ_c r_ic²), where r_ic is the mid-rank of item i for coder c minus
    the mean rank, and C the number of coders. This equals 12 S / (C² (n³ − n) − C Σ T) (Kendall
    1948). For untied ranks, W = 1/C + (1 − 1/C) times the mean of Spearman's ρ over the pairs of
    coders, so coders who order the items at random have a W near 1/C.

    The interval is by the delta method on the logit scale, with the items as the sample. We know of
    no published interval. The cost is O(C · U log U) for U distinct rows.

    References
    ----------
    Kendall, M. G. (1948). Rank Correlation Methods. London: Griffin.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 1, 2], [2, 3, 1], [3, 2, 3], [4, 4, 5], [5, 6, 4], [6, 5, 6]]
    >>> round(af.other_measures.kendall_w(table).value, 4)
    0.873
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(data, "Kendall's W", ranks=True)
    values, weights, n_left_out = ratings.complete()
    n, n_coders = int(weights.sum()), len(ratings.coders)
    undefined = NO_ITEMS if n < 2 else None
    value, influence = NAN, np.zeros(len(weights))
    if undefined is None and not np.ptp(values, axis=0).any():
        undefined = NO_VARIATION
    if undefined is None:
        value, influence = _value(values, weights)
    low, high, note = _logit_interval(value, influence, weights, confidence_level)
    return Measure(
        "W", None, None, value, low, high, confidence_level, n, n_left_out, n_coders, undefined,
        note,
    )  # fmt: skip


def _value(values: FloatArray, weights: Array) -> tuple[float, FloatArray]:
    """Compute W and its influence function at each row."""
    columns = values.T
    ranks = [centred_ranks(column, weights) for column in columns]
    sums = np.sum(ranks, axis=0)
    squares = np.sum([one * one for one in ranks], axis=0)
    whole = len(ranks) * float(weights @ squares)
    value = float(weights @ (sums * sums)) / whole
    of_sums, of_squares = sums * sums, squares
    for column, own in zip(columns, ranks, strict=True):
        # One more item also moves the ranks of all others.
        of_sums = of_sums + 2 * sign_sums(column, weights, sums)
        of_squares = of_squares + 2 * sign_sums(column, weights, own)
    return value, (of_sums - value * len(ranks) * of_squares) / whole


def _logit_interval(
    value: float, influence: FloatArray, weights: Array, confidence_level: float
) -> tuple[float, float, str | None]:
    from scipy.special import expit, logit, stdtrit

    if math.isnan(value):
        return NAN, NAN, None
    n = int(weights.sum())
    error = float(standard_errors(influence, weights)[0])
    inside = 1e-12 < value < 1 - 1e-12
    note = first_of((n < 3, FEW_ITEMS), (not inside, EXACT), (error <= 1e-12, SAME))
    if note:
        return NAN, NAN, note
    reach = float(stdtrit(n - 1, (1 + confidence_level) / 2)) * error / (value * (1 - value))
    middle = float(logit(value))
    return float(expit(middle - reach)), float(expit(middle + reach)), None

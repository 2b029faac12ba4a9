"""Intervals of the observed agreement."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.coefficients import observed_agreement
from agreement_fast.options import check_choice, check_share
from agreement_fast.results import ObservedAgreement
from agreement_fast.routes import choose
from agreement_fast.rows import counts_of

METHODS = ("items", "wilson")

#: Cells of rows × categories that are counted at a time.
CELLS = 1 << 20


def agreement_interval(
    data: Any, *, method: str = "items", confidence_level: float = 0.95
) -> ObservedAgreement:
    """A_o with an interval that holds for more than two coders, or for perfect agreement.

    `observed_agreement` takes an item as agreeing or not. With more than two coders it agrees in
    part, and its variance is smaller.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Coders may be unknown. Items with fewer than two judgments do not count.
    method : {"items", "wilson"}
        "items": A_o ± z · s / √N, s² being the mean squared deviation of the items' agreement, the
        same as `observed_agreement` for two coders. "wilson": the score interval of Wilson (1927),
        which lies in [0, 1] and is not empty when all agree; right for two coders, too wide for
        more.
    confidence_level : float

    Returns
    -------
    ObservedAgreement

    Notes
    -----
    O(patterns · K).

    References
    ----------
    Wilson 1927, *Journal of the American Statistical Association* 22, 209–212.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_counts([[3, 0], [3, 0], [2, 1], [0, 3], [1, 2]])
    >>> result = af.inference.agreement_interval(data)
    >>> round(result.value, 3), round(result.standard_error, 3)
    (0.733, 0.146)
    >>> result = af.inference.agreement_interval([[1, 1], [2, 2], [1, 1], [1, 1]], method="wilson")
    >>> round(result.low, 3), result.high
    (0.51, 1.0)
    """
    check_choice("method", method, METHODS)
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    plain = observed_agreement(annotations, confidence_level=confidence_level)
    if plain.undefined is not None:
        return plain
    from scipy.special import ndtri

    z, n, value = float(ndtri((1 + confidence_level) / 2)), plain.n_items, plain.value
    error = math.sqrt(_mean_square(annotations, value) / n)
    low, high = value - z * error, value + z * error
    if method == "wilson":
        low, high = _wilson_low(value, n, z), 1 - _wilson_low(1 - value, n, z)
    return ObservedAgreement(value, error, low, high, confidence_level, n, None)


def _wilson_low(share: float, n: int, z: float) -> float:
    """The lower root of (n + z²) x² − (2 n p + z²) x + n p² = 0, from the product of both."""
    middle = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share * share / (middle + reach)


def _mean_square(annotations: Annotations, value: float) -> float:
    """The mean over items of the squared deviation of an item's agreement from A_o."""
    rows, K = choose(annotations), len(annotations._labels)
    step = max(1, CELLS // max(K, 1))
    total = squares = 0.0
    for first in range(0, rows.n_rows, step):
        block = range(first, min(first + step, rows.n_rows))
        counts = counts_of(rows, block, K)
        sizes = counts.sum(1)
        pairable = sizes > 1
        weights = np.ones(len(block)) if rows.weights is None else rows.weights[block]
        sizes, weights = sizes[pairable], weights[pairable].astype(np.float64)
        agreeing = (counts[pairable] * (counts[pairable] - 1)).sum(1) / (sizes * (sizes - 1))
        total += float(weights.sum())
        squares += float(weights @ (agreeing - value) ** 2)
    return squares / total

"""Intervals of the observed agreement."""

from __future__ import annotations

from typing import Any

from agreement_fast.coefficients import observed_agreement
from agreement_fast.results import ObservedAgreement


def agreement_interval(
    data: Any,
    *,
    method: str = "score",
    confidence_level: float = 0.95,
    incomplete: str = "published",
) -> ObservedAgreement:
    """A_o with its interval: `agreement_fast.observed_agreement`, beside the other intervals.

    Parameters
    ----------
    data, method, confidence_level, incomplete :
        As in `observed_agreement`.

    Returns
    -------
    ObservedAgreement

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_counts([[3, 0], [3, 0], [2, 1], [0, 3], [1, 2]])
    >>> result = af.inference.agreement_interval(data)
    >>> round(result.value, 3), round(result.standard_error, 3)
    (0.733, 0.146)
    >>> result = af.inference.agreement_interval([[1, 1], [2, 2], [1, 1], [1, 1]])
    >>> round(result.low, 3), result.high
    (0.51, 1.0)
    """
    return observed_agreement(
        data, confidence_level=confidence_level, incomplete=incomplete, method=method
    )

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
    """Compute the observed agreement A_o with its interval.

    The same as `agreement_fast.observed_agreement`, which also takes the columns of a data frame.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    method : {"score", "wilson", "wald"}, default "score"
        The score interval of a mean of shares; Wilson's interval, which takes each item as agreeing
        or not and is too wide for more than two judgments an item; or A_o ± z standard errors,
        which may leave [0, 1].
    confidence_level : float, default 0.95
        Between 0 and 1.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those with two judgments or more, or only those
        that every coder judged ("complete").

    Returns
    -------
    ObservedAgreement
        A_o, its standard error and its interval.

    Notes
    -----
    The score interval lies in [0, 1] and has a width even if all items agree. It takes items for
    independent. O(judgments).

    References
    ----------
    Wilson 1927, Probable inference, the law of succession, and statistical inference, *Journal of
    the American Statistical Association* 22, 209–212.

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

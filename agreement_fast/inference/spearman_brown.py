"""How reliable several judgments are together, and how many are needed."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.errors import InputError
from agreement_fast.options import check_number, check_share


def spearman_brown(reliability: Any, n_judgments: float) -> float:
    """Compute the reliability of the mean, or the majority, of several judgments of an item.

    It is n r / (1 + (n − 1) r) for n judgments of reliability r each.

    Parameters
    ----------
    reliability : float, or a result of `agreement`
        The reliability of single judgments, from 0 to 1: a coefficient such as α, or an intraclass
        correlation.
    n_judgments : float
        Mean number of judgments of an item, 0 or more.

    Returns
    -------
    float
        The reliability of all judgments of an item together.

    Raises
    ------
    ValueError
        If the reliability is not a number from 0 to 1, or the number of judgments is negative.

    Notes
    -----
    The formula is exact for means of judgments whose errors are uncorrelated and equally large. For
    nominal labels and majorities it is a rule of thumb: errors that coders share, for example on
    hard items, remain however many coders there are. O(1).

    References
    ----------
    Spearman, C. (1910). Correlation calculated from faulty data. British Journal of Psychology
    3(3), 271-295. Brown, W. (1910). Some experimental results in the correlation of mental
    abilities. British Journal of Psychology 3(3), 296-322.

    Examples
    --------
    >>> from agreement_fast.inference import spearman_brown
    >>> round(spearman_brown(0.4, 3), 4)
    0.6667
    """
    r = _checked(reliability)
    n = check_number("n_judgments", n_judgments)
    if not 0 <= n < math.inf:
        raise InputError.must_be("n_judgments", "a number, 0 or more", n_judgments)
    return n * r / (1 + (n - 1) * r) if r * n else 0.0


def judgments_needed(reliability: Any, target: float = 0.8) -> int:
    """Compute how many judgments an item needs so that their mean reaches a reliability.

    Parameters
    ----------
    reliability : float, or a result of `agreement`
        The reliability of single judgments, above 0.
    target : float, default 0.8
        The reliability to reach, between 0 and 1.

    Returns
    -------
    int
        The number of judgments an item.

    Raises
    ------
    ValueError
        If a value is out of range, or the reliability is 0, which no number of judgments raises.

    Notes
    -----
    `spearman_brown` solved for n: w (1 − r) / (r (1 − w)), rounded up. O(1).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import judgments_needed
    >>> judgments_needed(0.4, target=0.9)
    14
    >>> alpha = af.alpha([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "x", "y"]])
    >>> judgments_needed(alpha)
    7
    """
    r = _checked(reliability)
    goal = check_share("target", target)
    if r == 0:
        raise InputError(
            "with a reliability of 0 no number of judgments is enough",
            "work on the guidelines first",
            argument="reliability",
        )
    # 9.00000000000001 judgments are 9.
    return max(1, math.ceil(goal * (1 - r) / (r * (1 - goal)) * (1 - 1e-12)))


def _checked(reliability: Any) -> float:
    r = check_number("reliability", reliability)
    if not 0 <= r <= 1:
        raise InputError.must_be("reliability", "from 0 to 1", r)
    return r

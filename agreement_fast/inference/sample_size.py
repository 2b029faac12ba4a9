"""How many items a study needs, given the standard error of a pilot."""

from __future__ import annotations

import math
from typing import Any, Protocol, runtime_checkable

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.score import Score
from agreement_fast.options import check_number, check_share
from agreement_fast.wilson import two_sided_quantile


@runtime_checkable
class Pilot(Protocol):
    """A pilot's standard error and number of items, such as a result of `standard_error`."""

    @property
    def standard_error(self) -> float: ...
    @property
    def n_items(self) -> int: ...


def items_needed(
    result: Pilot,
    *,
    standard_error: float | None = None,
    width: float | None = None,
    confidence_level: float = 0.95,
) -> int:
    """Compute the number of items that gives a standard error or an interval of a given width.

    The items are assumed to be like those of a pilot.

    Parameters
    ----------
    result : result of `standard_error`
        What `standard_error` returns for the pilot, with the coefficient, the coders and the
        distance of the planned study.
    standard_error : float, optional
        The largest acceptable standard error.
    width : float, optional
        The largest acceptable width of the interval, high − low, in place of `standard_error`.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.

    Returns
    -------
    int
        The number of items.

    Raises
    ------
    ValueError
        If neither or both of `standard_error` and `width` are given, one is not positive, or the
        pilot has no standard error.

    Notes
    -----
    The standard error falls with the square root of the number of items: n = n_pilot (SE_pilot /
    SE)². The width is that of the interval of `standard_error`: its effective number of items and
    its degrees of freedom grow with the items, and the share of its prior falls. Intervals by
    "delta" and "gwet" have the width 2 z SE. The variance of a small pilot is itself uncertain, so
    take the result as an order of magnitude. O(1).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import items_needed, standard_error
    >>> pilot = af.Annotations.from_contingency([[20, 5], [5, 20]])
    >>> items_needed(standard_error(pilot, "kappa"), width=0.1)
    985
    """
    if not isinstance(result, Pilot):
        raise InputTypeError.must_be(
            "result", "what standard_error(data) returns for the pilot", result
        )
    if (standard_error is None) == (width is None):
        raise InputError("pass one of standard_error and width", argument="width")
    scored: Score | None = getattr(result, "score", None)
    if standard_error is None:
        check_share("confidence_level", confidence_level)
        assert width is not None
        if scored is not None and not math.isnan(scored.freedom[0]):
            return _for_width(scored, result.n_items, _positive("width", width), confidence_level)
        target = _positive("width", width) / (2 * two_sided_quantile(confidence_level))
    else:
        target = _positive("standard_error", standard_error)
    error = result.standard_error
    if not error > 0:
        raise InputError(
            f"the pilot's standard error is {error:g}, which does not show how much items differ",
            "code more items first",
            argument="result",
        )
    # 100.00000000001 items are 100.
    return math.ceil(result.n_items * (error / target) ** 2 * (1 - 1e-12))


def _for_width(scored: Score, n: int, width: float, confidence_level: float) -> int:
    """Return the least number of items with an interval that is not wider."""

    def wide(items: int) -> bool:
        low, high = scored.of_more(items / n).ends_of_one(confidence_level)
        return high - low > width * (1 + 1e-12)

    most = 2
    while wide(most):
        most *= 2
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if wide(middle) else (least, middle)
    return most


def _positive(what: str, value: Any) -> float:
    number = check_number(what, value)
    if not number > 0 or math.isinf(number):
        raise InputError.must_be(what, "a positive number", value)
    return number

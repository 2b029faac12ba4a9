"""How many items a study needs, given a pilot."""

from __future__ import annotations

import math
from typing import Any, Protocol, runtime_checkable

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_number, check_share


@runtime_checkable
class Pilot(Protocol):
    """What a pilot tells: `standard_error`'s result does."""

    @property
    def standard_error(self) -> float: ...
    @property
    def n_items(self) -> int: ...


def items_needed(
    pilot: Pilot,
    *,
    standard_error: float | None = None,
    width: float | None = None,
    confidence_level: float = 0.95,
) -> int:
    """How many items give a standard error, or an interval of a width, if they are like a pilot's.

    Parameters
    ----------
    pilot : StandardError
        Of the pilot, from `standard_error`: the coefficient, the coders and the distance are those
        of the study to come.
    standard_error : float, optional
        The largest that is wanted.
    width : float, optional
        Instead: the whole width of the interval, high − low.
    confidence_level : float
        Of that interval.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        Neither or both of `standard_error` and `width`, not positive, or a pilot without a standard
        error.

    Notes
    -----
    The standard error falls with the square root of the number of items: n = n_pilot (SE_pilot /
    SE)², and a width is 2 z SE. A pilot of few items knows its own error badly; take the result as
    an order of magnitude. O(1).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import items_needed, standard_error
    >>> pilot = af.Annotations.from_contingency([[20, 5], [5, 20]])
    >>> items_needed(standard_error(pilot, "kappa"), width=0.1)
    1004
    """
    if not isinstance(pilot, Pilot):
        raise InputTypeError.must_be(
            "pilot", "what standard_error(data) returns for the pilot", pilot
        )
    if (standard_error is None) == (width is None):
        raise InputError("pass one of standard_error and width", argument="width")
    if standard_error is None:
        from scipy.special import ndtri

        check_share("confidence_level", confidence_level)
        assert width is not None
        wanted = _positive("width", width) / (2 * float(ndtri((1 + confidence_level) / 2)))
    else:
        wanted = _positive("standard_error", standard_error)
    error = pilot.standard_error
    if not error > 0:
        raise InputError(
            f"the pilot's standard error is {error:g}: it tells nothing about how much items "
            "differ",
            "code more items first",
            argument="pilot",
        )
    # 100.00000000001 items are 100.
    return math.ceil(pilot.n_items * (error / wanted) ** 2 * (1 - 1e-12))


def _positive(what: str, value: Any) -> float:
    number = check_number(what, value)
    if not number > 0 or math.isinf(number):
        raise InputError.must_be(what, "a positive number", value)
    return number

"""Checks of the options that models share."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.errors import InputError
from agreement_fast.options import check_count, check_number


def check_options(
    smoothing: float, tolerance: float, max_iterations: int, n_restarts: int = 0
) -> None:
    """Raise an error that names the first invalid option."""
    check_amount("smoothing", smoothing)
    check_amount("tolerance", tolerance)
    check_count("max_iterations", max_iterations, 0)
    check_count("n_restarts", n_restarts, 0)


def check_amount(name: str, value: Any) -> None:
    """Raise an error unless this is a finite number of 0 or more."""
    if not 0 <= check_number(name, value) < math.inf:
        raise InputError.must_be(name, "a number, 0 or more", value)

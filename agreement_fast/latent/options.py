"""Options that the models share, checked."""

from __future__ import annotations

import math

from agreement_fast.options import check_count


def check_options(
    smoothing: float, tolerance: float, max_iterations: int, n_restarts: int = 0
) -> None:
    """Refuse what makes no sense, by name."""
    for name, value in (("smoothing", smoothing), ("tolerance", tolerance)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name}={value!r}: it is a number, 0 or more")
    check_count("max_iterations", max_iterations, 0)
    check_count("n_restarts", n_restarts, 0)

"""Options that the models share: their checks, the source of randomness, the bar."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np


def check_options(
    smoothing: float, tolerance: float, max_iterations: int, n_restarts: int = 0
) -> None:
    """Refuse what makes no sense, by name."""
    for name, value in (("smoothing", smoothing), ("tolerance", tolerance)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name}={value!r}: it is a number, 0 or more")
    check_count("max_iterations", max_iterations, 0)
    check_count("n_restarts", n_restarts, 0)


def check_count(name: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number, or too small."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}={value!r}: it is a whole number")
    if value < least:
        raise ValueError(f"{name}={value!r}: it is {least} or more")


def check_share(name: str, value: float) -> None:
    """Refuse what is not strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name}={value!r}: it lies between 0 and 1")


def generator(rng: int | np.random.Generator | None) -> np.random.Generator:
    """A numpy Generator from a seed or as it is."""
    return np.random.default_rng(rng)


class Progress:
    """A bar, or nothing."""

    def __init__(self, show: bool, total: int, what: str) -> None:
        self._bar: Any = None
        if show:
            try:
                from tqdm import tqdm  # type: ignore[import-untyped]
            except ModuleNotFoundError as error:
                raise ModuleNotFoundError(
                    'a progress bar needs tqdm: pip install "agreement-fast[cli]"'
                ) from error
            self._bar = tqdm(total=total, desc=what, leave=False)

    def advance(self, steps: int) -> None:
        """Tell that so many steps are done."""
        if self._bar is not None:
            self._bar.update(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

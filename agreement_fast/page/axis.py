"""Positions of values on a horizontal axis, for plots in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to 1 over `width` pixels, with `margin` pixels on both sides."""

    low: float
    width: float
    margin: float = 6.0

    @classmethod
    def over(cls, values: Iterable[float | None], width: float, margin: float = 6.0) -> Axis:
        """Make an axis for these values: from 0, or from the next tenth below the lowest."""
        known = [one for one in values if one is not None and math.isfinite(one)]
        lowest = min([0.0, *known])
        return cls(max(math.floor(lowest * 10) / 10, -1.0), width, margin)

    def x(self, value: float) -> float:
        """Return the position of a value; a value outside the axis is at its end.

        Examples
        --------
        >>> Axis(0.0, 112.0).x(0.5), Axis(-1.0, 112.0).x(-7.0)
        (56.0, 6.0)
        """
        inside = min(max(value, self.low), 1.0)
        room = self.width - 2 * self.margin
        return round(self.margin + room * (inside - self.low) / (1.0 - self.low), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the positions and numbers of a few marks."""
        step = 0.5 if self.low < -0.25 else 0.2 if self.low == 0 else 0.25
        first = math.ceil(self.low / step - 1e-9)
        last = round(1 / step)
        return [
            (self.x(i * step), f"{i * step:g}".replace("-", "\N{MINUS SIGN}"))
            for i in range(first, last + 1)
        ]

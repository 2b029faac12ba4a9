"""Classes of cells: larger numbers are darker."""

from __future__ import annotations

import math

#: The numbers at which the next class begins.
VALUES = (0.0, 0.2, 0.4, 0.6, 0.8)
RATIOS = (0.25, 0.5, 1.0, 1.5, 3.0)

LEGEND_OF_VALUES = (
    ("h0", "below 0"),
    ("h1", "0 to .2"),
    ("h2", ".2 to .4"),
    ("h3", ".4 to .6"),
    ("h4", ".6 to .8"),
    ("h5", ".8 to 1"),
)
LEGEND_OF_RATIOS = (
    ("r0", "below ¼ of chance"),
    ("r1", "¼ to ½"),
    ("r2", "½ to 1"),
    ("r3", "▲ 1 to 1½"),
    ("r4", "▲ 1½ to 3"),
    ("r5", "▲ above 3"),
)


def of_value(number: float) -> str:
    """Return the class of a coefficient.

    Examples
    --------
    >>> of_value(-0.1), of_value(0.6), of_value(float("nan"))
    ('h0', 'h4', 'hx')
    """
    return "hx" if math.isnan(number) else f"h{sum(number >= end for end in VALUES)}"


def of_ratio(number: float) -> str:
    """Return the class of a ratio to chance.

    Examples
    --------
    >>> of_ratio(0.1), of_ratio(1.0), of_ratio(7.0)
    ('r0', 'r3', 'r5')
    """
    return "rx" if math.isnan(number) else f"r{sum(number >= end for end in RATIOS)}"

"""Bland & Altman's plot of the numbers of two coders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agreement_fast.plots._canvas import check_kind, new_axes, say_empty
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.other_measures import LimitsOfAgreement


#: The number of points from which they are drawn as an image, even in vector graphics.
MANY = 5000

#: The area of a marker of one item, and of the largest one.
SMALLEST, LARGEST = 14.0, 220.0


def bland_altman(result: LimitsOfAgreement, *, ax: Axes | None = None) -> Axes:
    """Draw the differences of two coders over their means, with the limits of agreement.

    Parameters
    ----------
    result : LimitsOfAgreement
        One of the results of `other_measures.limits_of_agreement`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The size of a marker shows the number of items at the same point. A line is the mean
        difference, dashed lines are the limits, and grey bands are their intervals. If the spread
        increases to the right, coders differ more for large values, and the limits mislead.

    Examples
    --------
    >>> from agreement_fast import other_measures, plots
    >>> table = [[1, 2], [2, 2], [3, 5], [4, 5], [6, 6], [5, 7]]
    >>> ax = plots.bland_altman(other_measures.limits_of_agreement(table)[0])
    >>> ax.get_ylabel()
    '0 less 1'
    """
    from agreement_fast.other_measures import LimitsOfAgreement

    check_kind(result, LimitsOfAgreement, "other_measures.limits_of_agreement of one pair")
    ax = new_axes(ax)
    first, second = (show_label(one, 24) for one in (result.first, result.second))
    ax.set_xlabel(f"mean of {first} and {second}")
    ax.set_ylabel(f"{first} less {second}")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    points = result.points
    if not len(points.weights):
        say_empty(ax, "no item was judged by both coders")
        return ax
    most = int(points.weights.max())
    area = SMALLEST + (LARGEST - SMALLEST) * (points.weights - 1) / max(most - 1, 1)
    ax.scatter(
        points.mean, points.difference, s=area, facecolor=(0, 0, 0, 0.12), edgecolor="black",
        linewidth=0.7, rasterized=len(points.weights) > MANY, zorder=3,
    )  # fmt: skip
    ax.axhline(0, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
    lines = (
        ("mean", "-", (result.bias, result.bias_low, result.bias_high)),
        ("lower limit", (0, (5, 3)),
         (result.lower_limit, result.lower_limit_low, result.lower_limit_high)),
        ("upper limit", (0, (5, 3)),
         (result.upper_limit, result.upper_limit_low, result.upper_limit_high)),
    )  # fmt: skip
    for name, dashes, (value, low, high) in lines:
        if np.isnan(value):
            continue
        ax.axhline(value, color="black", linewidth=1.4, linestyle=dashes, zorder=2)
        if not np.isnan([low, high]).any():
            ax.axhspan(low, high, color="0.9", linewidth=0, zorder=0)
        ax.annotate(
            f"{name} {value:.4g}", (1, value), xycoords=("axes fraction", "data"), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize="small", annotation_clip=False,
        )  # fmt: skip
    if most > 1:
        ax.set_title(f"markers: 1 to {most:,} items", fontsize="small", loc="right")
    return ax

"""Values of several coders or models with their intervals, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast.errors import InputError
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
    ax.spines[["top", "right"]].set_visible(False)
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


#: The most rows that are drawn.
MOST = 60


def forest(
    names: Sequence[Any],
    values: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    *,
    measure: str = "value",
    band: tuple[float, float, float] | None = None,
    band_name: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw values with their intervals, one below the other.

    Parameters
    ----------
    names : sequence
        The names of coders, models or categories, from top to bottom. At most 60 are drawn; if
        there are more, the plot says so.
    values, low, high : array-like, one entry per name
        The values and the ends of their intervals. A row whose value is NaN is marked as undefined.
    measure : str, default "value"
        The label of the axis.
    band : (value, low, high), optional
        A value to compare with, such as that of the people, and its interval: drawn as a dashed
        line and a band.
    band_name : str, default ""
        The name of the band, written above it.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A row for each name.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.forest(["gpt", "llama"], [0.7, 0.4], [0.6, 0.3], [0.8, 0.5])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['gpt', 'llama']
    """
    columns = [np.asarray(column, np.float64) for column in (values, low, high)]
    if any(column.shape != (len(names),) for column in columns):
        shapes = ", ".join(str(column.shape) for column in columns)
        raise InputError(
            f"values, low and high must have one entry for each of {len(names)} names, got shapes "
            f"{shapes}"
        )
    shown = min(len(names), MOST)
    ax = new_axes(ax, size=(7.2, 1.5 + 0.38 * max(shown, 1)))
    if band is not None and not np.isnan(band).any():
        middle, begin, end = band
        ax.axvspan(begin, end, color="0.88", zorder=0)
        ax.axvline(middle, color="black", linestyle="--", linewidth=1, zorder=1)
        ax.annotate(
            band_name, (middle, 1), xycoords=("data", "axes fraction"), ha="center", va="bottom",
            xytext=(0, 2), textcoords="offset points",
        )  # fmt: skip
    for y in range(shown):
        value, begin, end = (float(column[y]) for column in columns)
        if np.isnan(value):
            ax.text(0.5, y, "undefined", transform=ax.get_yaxis_transform(), ha="center",
                    va="center", style="italic")  # fmt: skip
            continue
        if not np.isnan([begin, end]).any():
            ax.plot([begin, end], [y, y], color="black", linewidth=1.6, solid_capstyle="butt",
                    marker="|", markersize=9)  # fmt: skip
        ax.plot([value], [y], color="black", marker="o", markersize=6, linestyle="none")
    ax.set_yticks(range(shown), [show_label(name, 24) for name in names[:shown]])
    ax.set_ylim(max(shown, 1) - 0.4, -0.6)
    more = f"\n{len(names) - shown} more are not drawn" if len(names) > shown else ""
    ax.set_xlabel(f"{measure}{more}")
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return ax

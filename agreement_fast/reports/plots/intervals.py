"""Coefficients with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.scales import Scale, find_scale
from agreement_fast.present.terminal import show_label
from agreement_fast.reports.plots._canvas import check_kind, new_axes, row_axis, say_empty, symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.inference.results import BootstrapResult
    from agreement_fast.measures.beside import LimitsOfAgreement


#: The number of points from which they are drawn as an image, even in vector graphics.
MANY = 5000

#: The area of a marker of one item, and of the largest one.
SMALLEST, LARGEST = 14.0, 220.0


def bland_altman(result: LimitsOfAgreement, *, ax: Axes | None = None) -> Axes:
    """Draw the differences of two coders over their means, with the limits of agreement.

    Parameters
    ----------
    result : LimitsOfAgreement
        One of the results of `measures.limits_of_agreement`.
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
    >>> from agreement_fast import measures, plots
    >>> table = [[1, 2], [2, 2], [3, 5], [4, 5], [6, 6], [5, 7]]
    >>> ax = plots.bland_altman(measures.limits_of_agreement(table)[0])
    >>> ax.get_ylabel()
    '0 less 1'
    """
    from agreement_fast.measures.beside import LimitsOfAgreement

    check_kind(result, LimitsOfAgreement, "measures.limits_of_agreement of one pair")
    ax = new_axes(ax)
    first, second = (show_label(entry, 24) for entry in (result.first, result.second))
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
        _whisker(ax, y, *(float(column[y]) for column in columns))
    ax.set_yticks(range(shown), [show_label(name, 24) for name in names[:shown]])
    ax.set_ylim(max(shown, 1) - 0.4, -0.6)
    more = f"\n{len(names) - shown} more are not drawn" if len(names) > shown else ""
    ax.set_xlabel(f"{measure}{more}")
    row_axis(ax)
    return ax


def _whisker(ax: Axes, y: int, value: float, low: float, high: float) -> list[float]:
    """Draw a value and its interval in a row, and return what was drawn."""
    if np.isnan(value):
        ax.text(0.5, y, "undefined", transform=ax.get_yaxis_transform(), ha="center", va="center",
                style="italic")  # fmt: skip
        return []
    ends = [] if np.isnan([low, high]).any() else [low, high]
    if ends:
        # Not errorbar(): a bias-corrected interval need not include the value.
        ax.plot(ends, [y, y], color="black", linewidth=1.6, solid_capstyle="butt", marker="|",
                markersize=9)  # fmt: skip
    ax.plot([value], [y], color="black", marker="o", markersize=6, linestyle="none")
    return [*ends, value]


class _Value(Protocol):
    @property
    def coefficient(self) -> str: ...
    @property
    def distance(self) -> str: ...
    @property
    def value(self) -> float: ...


def coefficients_on_scale(
    results: Iterable[_Value],
    *,
    name: Sequence[str] | None = None,
    scale: str | Scale | None = "landis_koch_1977",
    ax: Axes | None = None,
) -> Axes:
    """Draw coefficients with their intervals over the bands of a scale.

    Parameters
    ----------
    results : iterable of BootstrapResult, StandardError or Agreement
        The results, from top to bottom. Results with ``low`` and ``high`` have an interval.
    name : sequence of str, optional
        The names of the rows; by default the groups of `agreement_by_group`, else the symbols of
        the coefficients.
    scale : str or Scale, default "landis_koch_1977"
        A key of `agreement_fast.inference.SCALES`, or a scale of your own. None draws no scale.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A row for each result. An asterisk marks values of other distances than nominal, for which
        no scale is meant (Artstein & Poesio 2008, 4.4). Undefined values are marked by text.

    Raises
    ------
    ValueError
        If the scale does not exist, or the number of names is not that of the results.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import plots
    >>> table = af.agreement_table([[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3]], ["pi", "alpha"])
    >>> ax = plots.coefficients_on_scale(table)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['π', 'α']
    """
    if not isinstance(results, Iterable):
        raise InputTypeError(
            f"results must be a sequence, not {results!r}",
            "write [result]",
            argument="results",
        )
    rows = list(results)
    for row in rows:
        value = getattr(row, "value", None)
        if not (isinstance(value, float) and hasattr(row, "distance")):
            raise InputTypeError(
                f"results has {type(row).__name__}, which is not one coefficient",
                "pass results of agreement(), standard_error() or bootstrap(), or the table of "
                "af.agreement_by_group(), which has the values of groups",
                argument="results",
            )
    chosen = None if scale is None else find_scale(scale)
    ax = new_axes(ax, size=(7.2, 1.5 + 0.38 * max(len(rows), 1)))
    ends = [0.0, 1.0]
    starred, levels = False, set()
    for y, row in enumerate(rows):
        low, high = getattr(row, "low", np.nan), getattr(row, "high", np.nan)
        ends += _whisker(ax, y, row.value, low, high)
        if low == low and hasattr(row, "confidence_level"):
            levels.add(row.confidence_level)
    if name is not None and len(name) != len(rows):
        raise InputError(
            f"there are {len(name)} names for {len(rows)} results", "name each", argument="name"
        )
    named = _group_names(rows) if name is None else name
    names = []
    for place, row in enumerate(rows):
        star = chosen is not None and row.distance != "nominal"
        starred |= star
        shown = symbol(row.coefficient, row.distance) if named is None else named[place]
        names.append(shown + ("*" if star else ""))
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    # Leave room for the marker at an end, and for the name of the band below zero.
    left = min(min(ends) - 0.03, -0.12) if min(ends) < 0 else -0.02
    right = max(ends) + 0.02
    ax.set_xlim(left, right)
    which = f" with {levels.pop() * 100:.12g}% interval" if len(levels) == 1 else ""
    note = "" if chosen is None else f"\nscale: {chosen.name}"
    if starred:
        note += "; * no scale is meant for this distance"
    measures = {symbol(row.coefficient, row.distance) for row in rows}
    what = measures.pop() if named is not None and len(measures) == 1 else "value"
    ax.set_xlabel(f"{what}{which}{note}")
    row_axis(ax)
    if chosen is not None:
        _bands(ax, chosen, left, right)
    return ax


def _group_names(rows: Sequence[_Value]) -> list[str] | None:
    """Return the groups of the values, with the coefficient if there are several coefficients.

    None if the values have no groups.
    """
    groups: list[Any] = [getattr(row, "group", None) for row in rows]
    if not rows or None in groups:
        return None
    names = [", ".join(map(show_label, group)) for group in groups]
    measures = [symbol(row.coefficient, row.distance) for row in rows]
    if len(set(measures)) == 1:
        return names
    return [f"{name}: {measure}" for name, measure in zip(names, measures, strict=True)]


def bootstrap_distribution(result: BootstrapResult, *, ax: Axes | None = None) -> Axes:
    """Draw the replicates of a bootstrap, with the value and its interval.

    Parameters
    ----------
    result : BootstrapResult
        The result of `af.bootstrap`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A histogram of the defined replicates, and the number of undefined ones.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import plots
    >>> data = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3], [1, 1, 1]]
    >>> ax = plots.bootstrap_distribution(af.bootstrap(data, "alpha", rng=1))
    >>> ax.get_ylabel()
    'replicates'
    """
    from agreement_fast.inference.results import BootstrapResult

    check_kind(result, BootstrapResult, "af.bootstrap of one coefficient")
    ax = new_axes(ax)
    replicates = result.replicates
    defined = replicates[~np.isnan(replicates)]
    label = f"{symbol(result.coefficient, result.distance)} of the replicates"
    if len(defined) < len(replicates):
        left_out = len(replicates) - len(defined)
        label += f"\n{left_out:,} of {len(replicates):,} replicates are undefined"
    ax.set_xlabel(label)
    ax.set_ylabel("replicates")
    ax.spines[["top", "right"]].set_visible(False)
    if not len(defined):
        say_empty(ax, f"undefined: {result.undefined or 'no replicate is defined'}")
        return ax
    # Few items have few distinct replicates, for which rules of bin widths give too many bins.
    bins = min(len(np.histogram_bin_edges(defined, "fd")), 61) if np.ptp(defined) > 0 else 2
    ax.hist(defined, bins=max(bins - 1, 1), color="0.82", edgecolor="0.35", linewidth=0.6)
    ax.axvline(result.value, color="black", linewidth=1.8, label=f"value {result.value:.3f}")
    interval = (
        f"{result.confidence_level * 100:.12g}% interval {result.low:.3f} to {result.high:.3f}"
    )
    if not np.isnan([result.low, result.high]).any():
        ax.axvline(result.low, color="black", linestyle=(0, (5, 3)), label=interval)
        ax.axvline(result.high, color="black", linestyle=(0, (5, 3)))
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return ax


def _bands(ax: Axes, scale: Scale, left: float, right: float) -> None:
    """Shade the bands by turns and name them on top."""
    top = right
    for i, band in enumerate(scale.bands):
        # A sliver could not hold its name.
        low = band.above if band.above > left + 0.05 else left
        if low >= top:
            continue
        ax.axvspan(low, top, color="0.91" if i % 2 else "0.98", linewidth=0, zorder=0)
        if np.isfinite(band.above) and band.above > left:
            ax.axvline(band.above, color="0.6", linewidth=0.8, linestyle=":", zorder=0.5)
        ax.text((low + top) / 2, 1.01, band.word.replace(" ", "\n"), ha="center", va="bottom",
                transform=ax.get_xaxis_transform(), fontsize="small")  # fmt: skip
        top = low

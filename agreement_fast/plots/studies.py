"""Studies over subsets of the coders: the figures of Antoine et al. (2014).

References
----------
Antoine, J.-Y., Villaneau, J., & Lefeuvre, A. (2014). Weighted Krippendorff's alpha is a more
reliable metrics for multi-coders ordinal annotations. *EACL 2014*, figures 1 to 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.plots._canvas import (
    STYLES,
    check_kind,
    count_axis,
    marks,
    new_axes,
    percent_axis,
    say_empty,
    symbol,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.subsets import ReferenceStability, SubsetStudy


def relative_standard_deviation(study: SubsetStudy, *, ax: Axes | None = None) -> Axes:
    """Draw how much coefficients vary with the choice of the coders.

    Parameters
    ----------
    study : SubsetStudy
        The result of `agreement_fast.subsets.coder_subsets`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A line for each coefficient: the standard deviation over the subsets of each size, divided
        by their mean. Open markers are sizes for which only a sample of the subsets was computed. A
        size has no marker if the deviation is undefined.

    Notes
    -----
    This is the plot of Antoine et al. (2014), figures 1 to 3.

    Examples
    --------
    >>> from agreement_fast import plots, subsets
    >>> data = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3], [1, 1, 1]]
    >>> ax = plots.relative_standard_deviation(subsets.coder_subsets(data, ["pi", "alpha"]))
    >>> [line.get_label() for line in ax.get_lines() if line.get_linestyle() != "None"]
    ['π', 'α']
    """
    from agreement_fast.subsets import SubsetStudy

    check_kind(study, SubsetStudy, "subsets.coder_subsets")
    ax = new_axes(ax)
    for style, summaries in zip(_styles(ax, len(study)), study, strict=True):
        _line(
            ax,
            np.array([summary.size for summary in summaries]),
            np.array([summary.relative_standard_deviation for summary in summaries], float),
            style,
            symbol(summaries[0].coefficient, summaries[0].distance),
            np.array([summary.sampled for summary in summaries], bool),
        )
    _finish(ax, "relative standard deviation")
    if any(summary.sampled for summaries in study for summary in summaries):
        ax.set_xlabel(f"{ax.get_xlabel()}\nopen markers: a sample of the subsets")
    return ax


def reference_changes(
    stability: ReferenceStability, *, label: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how many items would have another majority label with fewer coders.

    Parameters
    ----------
    stability : ReferenceStability
        The result of `agreement_fast.subsets.reference_stability`.
    label : str, optional
        The name of the line, if several are drawn on the same `ax`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The mean share of items whose reference differs from that of all coders, by the number of
        coders. The band extends from the best to the worst of the subsets that were computed.

    Notes
    -----
    This is the plot of Antoine et al. (2014), figure 4.

    Examples
    --------
    >>> from agreement_fast import plots, subsets
    >>> data = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3], [1, 1, 1]]
    >>> ax = plots.reference_changes(subsets.reference_stability(data, ties="first"))
    >>> [line.get_label() for line in ax.get_lines()]
    ['ties: first']
    """
    from agreement_fast.subsets import ReferenceStability

    check_kind(stability, ReferenceStability, "subsets.reference_stability")
    ax = new_axes(ax)
    order = np.argsort(stability.sizes)
    x = stability.sizes[order]
    (style,) = _styles(ax, 1)
    ax.fill_between(
        x,
        stability.minimum[order],
        stability.maximum[order],
        color=style["color"],
        alpha=0.12,
        linewidth=0,
    )
    _line(ax, x, stability.changed[order], style, label or f"ties: {stability.ties}")
    _finish(ax, "items with another reference")
    return ax


def _styles(ax: Axes, n: int) -> list[dict[str, Any]]:
    """Return the styles of the next lines."""
    used = sum(not str(line.get_label()).startswith("_") for line in ax.get_lines())
    return [STYLES[i % len(STYLES)] for i in range(used, used + n)]


def _line(
    ax: Axes,
    x: NDArray[np.int64],
    y: NDArray[np.float64],
    style: dict[str, Any],
    label: str,
    sampled: NDArray[np.bool_] | None = None,
) -> None:
    shown = marks(x)
    ax.plot(x, y, label=label, linewidth=1.6, markersize=5, markevery=shown, **style)
    if sampled is not None:
        # Open markers for samples are drawn over those of the line.
        points = [i for i in shown if sampled[i]]
        ax.plot(x[points], y[points], label="_sampled", markersize=5,
                **(style | {"linestyle": "none", "markerfacecolor": "white"}))  # fmt: skip


def _finish(ax: Axes, what: str) -> None:
    ax.set_xlabel("number of coders")
    ax.set_ylabel(what)
    lines = ax.get_lines()
    count_axis(ax, np.concatenate([np.asarray(line.get_xdata(), np.int64) for line in lines]))
    percent_axis(ax)
    ax.grid(axis="y", color="0.85", linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    if all(np.isnan(np.asarray(line.get_ydata(), float)).all() for line in lines):
        say_empty(ax, "nothing is defined here")
    else:
        ax.legend(frameon=False)

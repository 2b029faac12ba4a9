"""Studies over subsets of the coders: the figures of Antoine et al. (2014).

References
----------
Antoine, J.-Y., Villaneau, J., & Lefeuvre, A. (2014). Weighted Krippendorff's alpha is a more
reliable metrics for multi-coders ordinal annotations. *EACL 2014*, figures 1 to 4.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.present.terminal import show_label, show_level
from agreement_fast.reports.plots._canvas import (
    NAMED,
    NUMBERED,
    STYLES,
    check_kind,
    count_axis,
    marks,
    new_axes,
    percent_axis,
    row_axis,
    say_empty,
    symbol,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics.category_path import CategoryPath
    from agreement_fast.subsets.all_subsets import SubsetStudy
    from agreement_fast.subsets.reference_errors import ReferenceErrors
    from agreement_fast.subsets.references import ReferenceStability


def category_path(path: CategoryPath, *, ax: Axes | None = None) -> Axes:
    """Draw the merges of categories as a dendrogram, with α after each step.

    Parameters
    ----------
    path : CategoryPath
        The result of `agreement_fast.diagnostics.category_path`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        Merges from left to right. Below each are the number of remaining categories, α and its
        interval. Beside each are the gain and the share of the resamples that make the same group.
        A merge without a gain is dashed.

    Examples
    --------
    >>> from agreement_fast import diagnostics, plots
    >>> table = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("d", "d")]
    >>> ax = plots.category_path(diagnostics.category_path(table, rng=1))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b', 'c', 'd']
    """
    from agreement_fast.diagnostics.category_path import CategoryPath

    check_kind(path, CategoryPath, "diagnostics.category_path")
    K, n = len(path.categories), len(path)
    ax = new_axes(
        ax, size=(min(max(2.2 + 0.85 * n, 5.0), 14.0), min(max(1.8 + 0.32 * K, 3.0), 12.0))
    )
    at = {(label,): (0.0, float(y)) for y, label in enumerate(path.categories)}
    numbered = n <= NUMBERED
    for x, step in enumerate(path, start=1):
        (x1, y1), (x2, y2) = at.pop(step.first), at.pop(step.second)
        dashes: Any = "-" if step.gain > 0 else (0, (3, 2))
        ax.plot([x1, x, x, x2], [y1, y1, y2, y2], linewidth=1.4, color="black", linestyle=dashes)
        at[step.merged] = (float(x), (y1 + y2) / 2)
        if numbered:
            share = "" if math.isnan(step.support) else f"\n{step.support:.0%}"
            ax.annotate(f"{step.gain:+.3f}{share}", (x, (y1 + y2) / 2), (4, 0),
                        textcoords="offset points", va="center", fontsize="x-small",
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})  # fmt: skip
    for last, y in at.values():
        ax.plot([last, n + 0.9], [y, y], color="black", linewidth=1.4)
    _name(ax, path, numbered)
    return ax


def _name(ax: Axes, path: CategoryPath, numbered: bool) -> None:
    K, n = len(path.categories), len(path)
    ends = [(K, path.value, path.low, path.high)]
    ends += [(step.n_categories, step.value, step.low, step.high) for step in path]
    shown = range(n + 1) if numbered else range(0, n + 1, -(-n // NUMBERED))
    ticks = [
        f"{k}\n{value:.3f}" + ("" if math.isnan(low) else f"\n{low:.2f} to\n{high:.2f}")
        for k, value, low, high in ends
    ]
    ax.set_xticks(list(shown), [ticks[i] for i in shown], fontsize="small")
    level = f"{show_level(path.confidence_level)} interval"
    ax.set_xlabel(f"categories left, α and its {level}" if path.n_resamples else
                  "categories left, and α")  # fmt: skip
    if K <= NAMED:
        ax.set_yticks(range(K), [show_label(label, 20) for label in path.categories])
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{K:,} categories")
    ax.set_xlim(-0.1, n + 0.9)
    ax.set_ylim(K - 0.5, -0.5)
    ax.set_title(f"merged by {path.by}; chosen from these data, so part of each gain is chance",
                 fontsize="small")  # fmt: skip
    row_axis(ax)


def reference_errors(
    errors: ReferenceErrors, *, target: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how often the majority of the coders is wrong, by their reliability.

    Parameters
    ----------
    errors : ReferenceErrors
        The result of `agreement_fast.subsets.reference_errors`.
    target : float, optional
        The largest tolerable error, between 0 and 1, drawn as a horizontal line.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The share of items whose majority label is wrong, by reliability, with a line for each
        number of coders. The bands contain the errors of 95% of the simulated sets of coders.

    Raises
    ------
    ValueError
        If `target` is not between 0 and 1.

    Examples
    --------
    >>> from agreement_fast import plots, subsets
    >>> table = subsets.reference_errors({"yes": 1, "no": 1}, n_coders=[1, 5], rng=1)
    >>> ax = plots.reference_errors(table, target=0.05)
    >>> [line.get_label() for line in ax.get_lines()]
    ['1 coder', '5 coders', 'target: 5%']
    """
    from agreement_fast.options import check_share
    from agreement_fast.subsets.reference_errors import ReferenceErrors

    check_kind(errors, ReferenceErrors, "subsets.reference_errors")
    if target is not None:
        check_share("target", target)
    ax = new_axes(ax)
    order = np.argsort(errors.reliability)
    x = errors.reliability[order]
    for place, j in enumerate(np.argsort(errors.n_coders).tolist()):
        n = int(errors.n_coders[j])
        style = STYLES[place % len(STYLES)]
        low, high = errors.low[order, j], errors.high[order, j]
        ax.fill_between(x, low, high, color=style["color"], alpha=0.12, linewidth=0)
        name = "1 coder" if n == 1 else f"{n} coders"
        ax.plot(x, errors.error[order, j], label=name, linewidth=1.6, markersize=5, **style)
    if target is not None:
        ax.axhline(target, color="0.4", linewidth=0.9, label=f"target: {target * 100:.3g}%")
    distance = "" if errors.distance == "nominal" else f" ({errors.distance})"
    ax.set_xlabel(f"reliability{distance}")
    ax.set_ylabel("items with a wrong majority label")
    percent_axis(ax)
    if np.isnan(errors.error).all():
        say_empty(ax, "no item has a true label")
    else:
        ax.legend(frameon=False)
    return ax


def coder_subsets(
    study: SubsetStudy | ReferenceStability, *, name: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw what changes with the choice of the coders: coefficients, or the majority labels.

    Parameters
    ----------
    study : SubsetStudy or ReferenceStability
        The result of `subsets.coder_subsets` or `subsets.reference_stability`.
    name : str, optional
        The name of the line of majority labels, if several are drawn on the same `ax`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        Of a study, a line for each coefficient: the standard deviation over the subsets of each
        size, divided by their mean. Open markers are sizes for which only a sample of the subsets
        was computed. A size has no marker if the deviation is undefined. Of majority labels, the
        mean share of items whose label differs from that of all coders, with a band from the best
        to the worst of the subsets that were computed.

    Notes
    -----
    These are the plots of Antoine et al. (2014), figures 1 to 4.

    Examples
    --------
    >>> from agreement_fast import plots, subsets
    >>> data = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3], [1, 1, 1]]
    >>> ax = plots.coder_subsets(subsets.coder_subsets(data, ["pi", "alpha"]))
    >>> [line.get_label() for line in ax.get_lines() if line.get_linestyle() != "None"]
    ['π', 'α']
    >>> ax = plots.coder_subsets(subsets.reference_stability(data, ties="first"))
    >>> [line.get_label() for line in ax.get_lines()]
    ['ties: first']
    """
    from agreement_fast.subsets.all_subsets import SubsetStudy
    from agreement_fast.subsets.references import ReferenceStability

    if isinstance(study, ReferenceStability):
        return _reference_changes(study, name, new_axes(ax))
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


def _reference_changes(stability: ReferenceStability, name: str | None, ax: Axes) -> Axes:
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
    _line(ax, x, stability.changed[order], style, name or f"ties: {stability.ties}")
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
    if all(np.isnan(np.asarray(line.get_ydata(), float)).all() for line in lines):
        say_empty(ax, "nothing is defined here")
    else:
        ax.legend(frameon=False)

"""The merging of categories as a dendrogram."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from agreement_fast.plots._canvas import check_kind, new_axes
from agreement_fast.plots._cells import NAMED, NUMBERED
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics import CategoryPath


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
    from agreement_fast.diagnostics import CategoryPath

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
    ax.set_xticks(list(shown), [_tick(*ends[i]) for i in shown], fontsize="small")
    level = f"{100 * path.confidence_level:.12g}% interval"
    ax.set_xlabel(f"categories left, α and its {level}" if path.n_resamples else
                  "categories left, and α")  # fmt: skip
    if K <= NAMED:
        ax.set_yticks(range(K), [show_label(label, 20) for label in path.categories])
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{K:,} categories")
    ax.set_xlim(-0.1, n + 0.9)
    ax.set_ylim(K - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_title(f"merged by {path.by}; chosen from these data, so part of each gain is chance",
                 fontsize="small")  # fmt: skip
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)


def _tick(n_categories: int, value: float, low: float, high: float) -> str:
    text = f"{n_categories}\n{value:.3f}"
    return text if math.isnan(low) else f"{text}\n{low:.2f} to\n{high:.2f}"

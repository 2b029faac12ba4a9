"""How each coder uses the categories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.plots._canvas import new_axes, say_empty
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Grey and hatch of the first, second ... category: neighbours differ in both.
FILLS = (
    ("0.15", ""), ("1.0", ""), ("0.6", ""), ("0.9", "////"), ("0.4", "...."), ("1.0", "xxxx"),
    ("0.75", "----"), ("0.95", "oo"), ("0.5", "\\\\\\\\"), ("1.0", "++++"),
)  # fmt: skip


def coder_marginals(data: Any, *, max_coders: int = 25, ax: Axes | None = None) -> Axes:
    """Draw the shares of the categories in each coder's judgments and in all judgments.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    max_coders : int, default 25
        The most coders that are drawn. If there are more, those with the most judgments are drawn,
        and the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A bar for all judgments, then a bar for each coder, with the number of judgments after the
        name. The coders are ordered by their difference from all judgments (half of the sum of the
        absolute differences of the shares), the largest first. If there are more than ten
        categories, the rarest are combined.

    Raises
    ------
    ValueError
        If the coders are unknown, as after `Annotations.from_counts`.

    Notes
    -----
    Takes one pass over the judgments.

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.coder_marginals([["a", "a"], ["a", "b"], ["b", "b"]])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['all (6)', '0 (3)', '1 (3)']
    """
    annotations = as_annotations(data)
    coders = annotations.known_coders("a plot of the coders' marginals")
    counts = annotations.coder_marginals().values
    totals = counts.sum(1)
    active = np.flatnonzero(totals)
    kept = active[np.argsort(-totals[active], kind="stable")[:max_coders]]
    pool = counts.sum(0)
    ax = new_axes(ax, size=(7.2, 1.4 + 0.3 * (len(kept) + 1)))
    if not len(kept):
        say_empty(ax, "there are no judgments")
        return ax
    shares = counts[kept] / totals[kept, None]
    far = np.abs(shares - pool / pool.sum()).sum(1) / 2
    order = np.argsort(-far, kind="stable")
    bars = np.vstack([pool / pool.sum(), shares[order]])
    names = [f"all ({pool.sum():,})"]
    names += [f"{show_label(coders[i], 20)} ({totals[i]:,})" for i in kept[order].tolist()]
    labels, bars = _few(list(annotations.categories), bars)
    left = np.zeros(len(bars))
    for (grey, hatch), label, share in zip(FILLS, labels, bars.T, strict=False):
        ax.barh(range(len(bars)), share, left=left, color=grey, hatch=hatch, edgecolor="black",
                linewidth=0.6, height=0.8, label=label, clip_on=False)  # fmt: skip
        left += share
    ax.axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    ax.set_yticks(range(len(bars)), names)
    ax.set_ylim(len(bars) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(lambda share, _: f"{share * 100:g}%")
    ax.set_xlabel("share of the judgments" + (
        f"\n{len(kept)} of {len(active):,} coders, who judged most" if len(kept) < len(active)
        else ""
    ))  # fmt: skip
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def _few(categories: list[Any], bars: Any) -> tuple[list[str], Any]:
    """Combine the rarest categories if there are more categories than fills."""
    names = [show_label(label, 20) for label in categories]
    if len(names) <= len(FILLS):
        return names, bars
    kept = np.sort(np.argsort(-bars[0], kind="stable")[: len(FILLS) - 1])
    rest = np.delete(bars, kept, axis=1).sum(1)
    return (
        [*(names[i] for i in kept.tolist()), f"{len(names) - len(kept):,} others"],
        np.column_stack([bars[:, kept], rest]),
    )

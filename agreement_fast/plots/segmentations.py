"""Boundaries of several coders in a text, as in figure 5 of Hearst 1997."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_count
from agreement_fast.plots._canvas import STYLES, new_axes
from agreement_fast.terminal import show_label
from agreement_fast.unitizing.coded_texts import all_types, coded_texts, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The most places with a boundary for which the number of coders is written below each.
NUMBERED = 40

#: The height, in rows, of the bar of a boundary that all coders set.
HIGHEST = 1.2


def segmentations(
    segmentations: Any,
    *,
    text: Hashable | None = None,
    max_elements: int = 500,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boundaries of each coder in a row, and the number of coders who set each.

    Parameters
    ----------
    segmentations : mapping from coder to segmentation, or to a mapping from text to segmentation
        The segmentations. A segmentation has an entry for each element of the text that is not 0 if
        a segment ends there, such as "0100".
    text : label, optional
        The text to draw, if there are several.
    max_elements : int, default 500
        The number of elements that are drawn. If the text is longer, the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A row for each coder. A boundary is drawn at the position where a segment ends, as returned
        by `unitizing.segments`. The bars below count the coders; those of a majority are black.
        Each type of boundary has its own marker.

    Raises
    ------
    ValueError
        If there are several texts and `text` is not given, the text does not exist, the
        segmentations differ in length, or they are not valid.

    Notes
    -----
    Hearst 1997, figure 5. O(places · coders).

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.segmentations({"Ann": "0100", "Ben": "0100", "Eve": "0010"})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Ann', 'Ben', 'Eve', 'coders']
    """
    check_count("max_elements", max_elements, 2)
    data = coded_texts(segmentations, least=1)
    if text is None and len(data.texts) > 1:
        raise InputError(
            f"expected one text, got {len(data.texts)}",
            ("pass ", Argument("text", data.texts[0]), " for one of them"),
            argument="text",
        )
    if text is not None and text not in data.texts:
        raise InputError(
            f"there is no text {show_label(text)}",
            f"pass the name of an existing one, such as {show_label(data.texts[0])}",
            argument="text",
        )
    column = 0 if text is None else data.texts.index(text)
    cut = {
        coder: row[column]
        for coder, row in zip(data.coders, data.places, strict=True)
        if row[column] is not None
    }
    types = all_types((one for one in cut.values() if one is not None), None)
    marks = np.array([stacked(one, types) for one in cut.values() if one is not None])
    n_elements = marks.shape[2] + 1
    shown = min(n_elements, max_elements)
    marks = marks[:, :, : shown - 1]
    ax = new_axes(ax, size=(min(12.0, max(5.0, 0.2 * shown + 2)), 0.32 * len(cut) + 1.8))
    from matplotlib.ticker import MaxNLocator

    for row in range(len(cut)):
        ax.plot([0, shown], [row, row], color="0.75", linewidth=0.8, zorder=1)
    rows, kinds, places = np.nonzero(marks)
    if len(types) == 1:
        ax.vlines(places + 1, rows - 0.36, rows + 0.36, color="black", linewidth=2, zorder=2)
    else:
        for kind, name in enumerate(types):
            style = STYLES[kind % len(STYLES)]
            own = kinds == kind
            # Boundaries of two types may be at the same place.
            beside = rows[own] + 0.5 * ((kind + 0.5) / len(types) - 0.5)
            ax.plot(
                places[own] + 1, beside, linestyle="none", marker=style["marker"],
                color=style["color"], markersize=6, label=show_label(name), zorder=2,
            )  # fmt: skip
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(types), frameon=False)
    bottom = len(cut) + HIGHEST - 0.2
    counts = marks.any(axis=1).sum(axis=0)
    at = np.flatnonzero(counts)
    shares = counts[at] / len(cut)
    ax.vlines(
        at + 1, bottom - HIGHEST * shares, bottom, linewidth=max(1.0, min(4.0, 700 / shown)),
        color=np.where(shares > 0.5, "black", "0.65").tolist(),
    )  # fmt: skip
    if len(at) <= NUMBERED:
        for place, count in zip(at.tolist(), counts[at].tolist(), strict=True):
            ax.text(place + 1, bottom + 0.1, str(count), ha="center", va="top", fontsize="small")
    ax.axhline(bottom, color="0.75", linewidth=0.8)
    ax.set_yticks(
        [*range(len(cut)), bottom - HIGHEST / 2],
        [*(show_label(coder, 20) for coder in cut), "coders"],
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlim(0, shown)
    ax.set_ylim(bottom + 0.75, -0.6)
    ax.set_xlabel("position: elements before the boundary")
    if shown < n_elements:
        ax.set_title(f"the first {shown:,} of {n_elements:,} elements", fontsize="medium")
    return ax

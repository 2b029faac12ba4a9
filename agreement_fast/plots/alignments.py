"""The alignment of units of different coders."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, UnknownKeyError
from agreement_fast.plots._canvas import COLOURS, check_kind, new_axes, say_empty
from agreement_fast.reading.labels import shorten
from agreement_fast.terminal import show_label
from agreement_fast.unitizing import Alignment
from agreement_fast.unitizing.aligned.dissimilarity import saw_what

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The most units for which the category is written in each.
NAMED = 60
#: Categories differ by colour, and after the fifth by hatches, too.
HATCHES = ("", "///", "...", "xxx", "\\\\\\")
#: The share of a lane that units fill; the rest is for lines.
FILLED = 0.6


def alignment(
    result: Alignment,
    *,
    document: Any = None,
    span: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw coders' units as lanes, with lines between units that are aligned.

    Parameters
    ----------
    result : Alignment
        The result of `unitizing.align`.
    document : label, optional
        The document to draw; by default, the first one.
    span : (number, number), optional
        Draw only the unitary alignments with a unit in this part of the document.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A lane for each coder; overlapping units of a coder are drawn above each other. A unit that
        is not aligned with another one has a dashed outline. The lighter a line, the greater the
        disorder. A line is dotted if it passes a coder without a unit.

    Raises
    ------
    KeyError
        If the document does not exist.
    ValueError
        If the span ends before it begins.

    Examples
    --------
    >>> from agreement_fast import plots, unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4], categories=["x", "y", "x"],
    ... )
    >>> ax = plots.alignment(unitizing.align(data))
    >>> [label.get_text() for label in ax.get_yticklabels()], len(ax.patches), len(ax.lines)
    (['A', 'B'], 3, 1)
    """
    check_kind(result, Alignment, "unitizing.align")
    data = result.data
    place = 0
    if document is not None:
        if document not in data.documents:
            raise UnknownKeyError(f"no document {document!r}; there are {shorten(data.documents)}")
        place = data.documents.index(document)
    if span is not None and not (np.shape(span) == (2,) and span[0] < span[1]):
        raise InputError.must_be("span", "(from, to), from below to", span)
    rows = _drawn(result, place, span)
    members = result.members[rows]
    units = np.unique(members[members >= 0])
    ax = new_axes(ax, size=(8.0, 0.9 + 0.7 * max(1, data.n_coders)))
    if not len(units):
        say_empty(ax, result.undefined or "nobody marked anything here")
        return ax
    low, height = _floors(result, units)
    _draw_units(ax, result, units, low, height, _lone(members))
    _draw_lines(ax, result, rows, low, height)
    names = [
        show_label(name, 16) + ("" if saw else "\n(did not see it)")
        for name, saw in zip(data.coders, saw_what(data)[place], strict=True)
    ]
    ax.set_yticks(range(data.n_coders), names)
    ax.set_ylim(data.n_coders - 0.5, -0.5)
    if span is not None:
        ax.set_xlim(span)
    else:
        ax.set_xlim(*(data.extents[place] * data.resolution))
    ax.set_xlabel(f"position in {show_label(data.documents[place], 24)}")
    _name_categories(ax, result, units)
    return ax


def _drawn(result: Alignment, place: int, span: tuple[float, float] | None) -> Array:
    """Return the unitary alignments of the document with a unit in the span."""
    data, members = result.data, result.members
    if not len(members):
        return np.zeros(0, np.int64)
    drawn = data.document[members.max(1)] == place
    if span is not None:
        low, high = (end / data.resolution for end in span)
        inside = (members >= 0) & (data.start[members] < high) & (data.end[members] > low)
        drawn &= inside.any(1)
    return np.flatnonzero(drawn)


def _lone(members: Array) -> set[int]:
    """Return the units that are not aligned with another one."""
    alone = (members >= 0).sum(1) == 1
    paired = members[~alone]
    return set(members[alone].max(1).tolist()) - set(paired[paired >= 0].tolist())


def _floors(result: Alignment, units: Array) -> tuple[dict[int, float], dict[int, float]]:
    """Return the bottom and height of each unit's box; overlapping units share a lane."""
    data = result.data
    low: dict[int, float] = {}
    height: dict[int, float] = {}
    for coder in range(data.n_coders):
        ours = units[data.coder[units] == coder]
        ours = ours[np.lexsort((-data.end[ours], data.start[ours]))]
        ends: list[int] = []
        floor: dict[int, int] = {}
        for unit in ours.tolist():
            free = next((i for i, end in enumerate(ends) if end <= data.start[unit]), len(ends))
            ends[free : free + 1] = [int(data.end[unit])]
            floor[unit] = free
        for unit, which in floor.items():
            height[unit] = FILLED / len(ends)
            low[unit] = coder - FILLED / 2 + which * height[unit]
    return low, height


def _style(code: int) -> dict[str, Any]:
    colour = COLOURS[1:][code % (len(COLOURS) - 1)]
    # Mix a third of a colour with white, as an opaque colour
    return {
        "facecolor": tuple(1 - (1 - int(colour[i : i + 2], 16) / 255) / 3 for i in (1, 3, 5)),
        "hatch": HATCHES[code // (len(COLOURS) - 1) % len(HATCHES)],
    }


def _draw_units(
    ax: Axes,
    result: Alignment,
    units: Array,
    low: dict[int, float],
    height: dict[int, float],
    lone: set[int],
) -> None:
    from matplotlib.patches import Rectangle

    data, step = result.data, result.data.resolution
    for unit in units.tolist():
        start, end = data.start[unit] * step, data.end[unit] * step
        ax.add_patch(
            Rectangle(
                (start, low[unit]),
                end - start,
                height[unit],
                linestyle="--" if unit in lone else "-",
                edgecolor="black",
                linewidth=1.0,
                **_style(int(data.category[unit])),
            )
        )
        if len(units) <= NAMED:
            ax.text(
                (start + end) / 2,
                low[unit] + height[unit] / 2,
                show_label(data.categories[data.category[unit]], 8),
                ha="center",
                va="center",
                fontsize="small",
                clip_on=True,
            )


def _draw_lines(
    ax: Axes, result: Alignment, rows: Array, low: dict[int, float], height: dict[int, float]
) -> None:
    data, step = result.data, result.data.resolution
    worst = float(result.disorders[rows].max(initial=0.0)) or 1.0
    for row in rows.tolist():
        held = [unit for unit in result.members[row].tolist() if unit >= 0]
        if len(held) < 2:
            continue
        shade = 1 - 0.65 * float(result.disorders[row]) / worst
        for upper, lower in itertools.pairwise(held):
            ax.plot(
                [(data.start[unit] + data.end[unit]) / 2 * step for unit in (upper, lower)],
                [low[upper] + height[upper], low[lower]],
                color="black",
                alpha=shade,
                linewidth=1.2,
                linestyle="-" if data.coder[lower] - data.coder[upper] == 1 else ":",
                zorder=0.5,
            )


def _name_categories(ax: Axes, result: Alignment, units: Array) -> None:
    from matplotlib.patches import Patch

    data = result.data
    codes = np.unique(data.category[units]).tolist()
    boxes = [
        Patch(edgecolor="black", label=show_label(data.categories[code], 16), **_style(code))
        for code in codes[:12]
    ]
    more = f" (12 of {len(codes)})" if len(codes) > 12 else ""
    if len(codes) > 1:
        ax.legend(
            handles=boxes,
            title=f"category{more}",
            loc="center left",
            bbox_to_anchor=(1.0, 0.5),
            frameon=False,
        )

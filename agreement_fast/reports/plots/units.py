"""The units of a document, with a lane for each coder."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, UnknownKeyError
from agreement_fast.options import ByName, Label, check_count
from agreement_fast.present.terminal import shorten, show_label
from agreement_fast.reports.plots._canvas import (
    STYLES,
    check_kind,
    new_axes,
    row_axis,
    say_empty,
)
from agreement_fast.units.alignment import Alignment
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.line import category_order, levels
from agreement_fast.units.segmentation import Segmentation, all_types, coded_texts, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The most places with a boundary for which the number of coders is written below each.
NUMBERED = 40

#: The height, in rows, of the bar of a boundary that all coders set.
HIGHEST = 1.2


def segmentations(
    segmentations: ByName[Segmentation],
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
        by `units.segments`. The bars below count the coders; those of a majority are black.
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
    types = all_types((entry for entry in cut.values() if entry is not None), None)
    marks = np.array([stacked(entry, types) for entry in cut.values() if entry is not None])
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


#: Colour and hatch of the most frequent categories: light enough for text, and distinguishable by
#: colour-blind readers and in black and white. All other categories are white.
FILLS = (
    ("#9ecae9", ""), ("#f6c28b", "////"), ("#a6dbc0", "...."), ("#e6b8d4", "\\\\\\\\"),
    ("#f0e9a8", "----"), ("#cfcfcf", "xxxx"), ("#f2b5a7", "||||"), ("#d9d2ee", "++++"),
)  # fmt: skip
OTHERS = ("#ffffff", "oo")

#: Inches of a level of a lane, of the space between lanes, of the area of units, of a character.
LEVEL, BETWEEN, WIDTH, CHARACTER = 0.28, 0.14, 7.0, 0.075

#: The height of a unit, in levels.
HEIGHT = 0.8


class _Unit(NamedTuple):
    """A unit: its first row, its category, and its pieces in order, in steps."""

    row: int
    category: int
    pieces: list[tuple[int, int]]

    @property
    def ends(self) -> tuple[int, int]:
        return self.pieces[0][0], max(end for _, end in self.pieces)


def units(
    data: Continuum | Alignment,
    *,
    document: Label | None = None,
    positions: tuple[float, float] | None = None,
    max_coders: int = 25,
    ax: Axes | None = None,
) -> Axes:
    """Draw the units of a document, with a lane for each coder.

    Parameters
    ----------
    data : Continuum or Alignment
        The units, or the result of `units.align`, which is drawn with lines between aligned units.
    document : label, optional
        The document to draw; required if there are several, but by default the first one of an
        alignment.
    positions : (from, to), optional
        The part of the document to draw; by default all of it. Of an alignment, only the unitary
        alignments with a unit in this part are drawn.
    max_coders : int, default 25
        The most coders that are drawn. If there are more, those who marked most of the document are
        drawn, and the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A unit is a box with the colour and hatch of its category, and the name of the category if
        there is room. Overlapping units of a coder are drawn above each other, and the pieces of a
        unit are joined by a thin line. The lane of a coder who did not see the document says so. If
        there are more than eight categories, the rarest look alike. Of an alignment, a unit that
        is not aligned with another one has a dashed outline. The lighter a line, the greater the
        disorder. A line is dotted if it passes a coder without a unit.

    Raises
    ------
    ValueError
        If there are several documents and `document` is not given, or the positions are not inside
        the document.
    KeyError
        If the document does not exist.

    Notes
    -----
    O(n log n) for n units of the document.

    Examples
    --------
    >>> from agreement_fast import plots, units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 1, 0, 6], [4, 3, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> ax = plots.units(data)
    >>> [label.get_text() for label in ax.get_yticklabels()], len(ax.patches)
    (['A', 'B'], 4)
    >>> ax = plots.units(units.align(data))
    >>> len(ax.lines) > 0
    True
    """
    aligned, marked = (data, data.data) if isinstance(data, Alignment) else (None, data)
    check_kind(marked, Continuum, "Continuum.from_rows")
    if aligned is not None and not len(aligned):
        ax = new_axes(ax)
        say_empty(ax, aligned.undefined or "nobody marked anything here")
        return ax
    place = _document(marked, document, default=aligned is not None)
    low, high = _window(marked, place, positions)
    rows = np.flatnonzero(marked.document == place)
    saw = marked.saw[place]
    # Those who marked most, then those who marked nothing or saw nothing
    counts = np.bincount(marked.coder[rows], minlength=marked.n_coders)
    coders = sorted(np.lexsort((~saw, -counts))[:max_coders].tolist())
    lanes = [_units(marked, rows[marked.coder[rows] == coder]) for coder in coders]
    stacks = [levels([element.ends for element in lane]) for lane in lanes]
    heights = [max(stack, default=0) + 1 for stack in stacks]
    order = category_order(marked)
    rank = {code: at for at, code in enumerate(order.tolist())}
    ax = new_axes(
        ax, size=(WIDTH + 2.2, 1.1 + LEVEL * sum(heights) + BETWEEN * max(len(heights), 1))
    )
    scale = WIDTH / max(high - low, 1e-12)
    joined = _joined(aligned, place)
    used: dict[int, Any] = {}
    boxes: dict[int, tuple[int, Any]] = {}
    middles = []
    floor = 0.0
    for number, (coder, lane, stack, height) in enumerate(
        zip(coders, lanes, stacks, heights, strict=True)
    ):
        # The axis points down: the first coder is at the top, and the lowest level at the bottom.
        bottom = floor + height
        ax.axhline(bottom, color="0.8", linewidth=0.8, zorder=0)
        for entry, level in zip(lane, stack, strict=True):
            box = _draw(ax, marked, entry, bottom - level, rank[entry.category], scale, (low, high))
            if box is not None:
                used.setdefault(min(rank[entry.category], len(FILLS)), box)
                boxes[entry.row] = number, box
                if aligned is not None and not any(entry.row in members for members, _ in joined):
                    box.set_linestyle("--")
        if not saw[coder]:
            ax.text((low + high) / 2, bottom - 0.5, "did not see this document", style="italic",
                    color="0.4", ha="center", va="center")  # fmt: skip
        middles.append(bottom - height / 2)
        floor = bottom + BETWEEN / LEVEL
    for members, shade in joined:
        drawn = [boxes[unit] for unit in members if unit in boxes]
        for (first, upper), (second, lower) in itertools.pairwise(drawn):
            ax.plot(
                [box.get_x() + box.get_width() / 2 for box in (upper, lower)],
                [upper.get_y() + HEIGHT, lower.get_y()],
                color="black", alpha=shade, linewidth=1.2, zorder=0.5, label="_aligned",
                linestyle="-" if second - first == 1 else ":",
            )  # fmt: skip
    ax.set_yticks(middles, [show_label(marked.coders[coder], 20) for coder in coders])
    ax.set_ylim(max(floor, 1.0), 0)
    ax.set_xlim(low, high)
    row_axis(ax)
    ax.set_xlabel("position")
    labels = [show_label(marked.documents[place], 60)] if len(marked.documents) > 1 else []
    if len(coders) < marked.n_coders:
        labels.append(f"{len(coders)} of {marked.n_coders:,} coders, who marked most")
    ax.set_title("\n".join(labels), fontsize="medium")
    if used:
        names = [show_label(marked.categories[code], 24) for code in order[: len(FILLS)].tolist()]
        names.append(f"{max(len(order) - len(FILLS), 0):,} others")
        ax.legend([used[at] for at in sorted(used)], [names[at] for at in sorted(used)],
                  frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))  # fmt: skip
    return ax


def _joined(aligned: Alignment | None, place: int) -> list[tuple[list[int], float]]:
    """Return the units of each unitary alignment of a document, and how dark its lines are."""
    if aligned is None:
        return []
    drawn = aligned.data.document[aligned.members.max(1)] == place
    worst = float(aligned.disorders[drawn].max(initial=0.0)) or 1.0
    rows = zip(aligned.members[drawn], aligned.disorders[drawn].tolist(), strict=True)
    return [
        (row[row >= 0].tolist(), 1 - 0.65 * disorder / worst)
        for row, disorder in rows
        if (row >= 0).sum() > 1
    ]


def _document(data: Continuum, document: Any, *, default: bool) -> int:
    if document is None and (default or len(data.documents) == 1):
        return 0
    if document is None:
        raise InputError(
            f"expected one document, got {len(data.documents):,}",
            ("pass ", Argument("document"), f", one of {shorten(data.documents)}"),
            argument="document",
        )
    if document not in data.documents:
        raise UnknownKeyError(f"no document {document!r}; there are {shorten(data.documents)}")
    return data.documents.index(document)


def _window(data: Continuum, place: int, positions: Any) -> tuple[float, float]:
    begin, end = (data.extents[place] * data.resolution).tolist()
    if positions is None:
        return begin, end
    if np.shape(positions) != (2,):
        raise InputError.must_be("positions", "(from, to), from below to", positions)
    low, high = positions
    if not begin <= low < high <= end:
        raise InputError(
            f"positions {low!r} to {high!r} are not inside the document, which extends from "
            f"{begin:g} to {end:g}",
            argument="positions",
        )
    return low, high


def _units(data: Continuum, rows: Array) -> list[_Unit]:
    """Return the units of the rows (their pieces), ordered by their starts."""
    result: dict[int, _Unit] = {}
    for row in rows[np.argsort(data.start[rows], kind="stable")].tolist():
        name = row if data.unit is None else int(data.unit[row])
        unit = result.setdefault(name, _Unit(row, int(data.category[row]), []))
        unit.pieces.append((int(data.start[row]), int(data.end[row])))
    return list(result.values())


def _draw(
    ax: Axes,
    data: Continuum,
    unit: _Unit,
    bottom: float,
    rank: int,
    scale: float,
    window: tuple[float, float],
) -> Any:
    """Draw the part of a unit inside the window, and return one of its boxes."""
    from matplotlib.patches import Rectangle

    colour, hatch = FILLS[rank] if rank < len(FILLS) else OTHERS
    step, (low, high) = data.resolution, window
    box, name = None, show_label(data.categories[unit.category], 24)
    for piece, (start, end) in enumerate(unit.pieces):
        left, right = max(start * step, low), min(end * step, high)
        if piece:
            ax.plot(
                [unit.pieces[piece - 1][1] * step, start * step], [bottom - HEIGHT / 2] * 2,
                color="black", linewidth=0.8, zorder=1,
            )  # fmt: skip
        if left >= right:
            continue
        box = ax.add_patch(
            Rectangle((left, bottom - HEIGHT), right - left, HEIGHT, facecolor=colour, hatch=hatch,
                      edgecolor="black", linewidth=0.7, zorder=2)
        )  # fmt: skip
        if (len(name) + 1) * CHARACTER < (right - left) * scale:
            ax.text((left + right) / 2, bottom - HEIGHT / 2, name, ha="center", va="center",
                    fontsize=8, zorder=3, clip_on=True,
                    bbox={"facecolor": colour, "edgecolor": "none", "pad": 0.6})  # fmt: skip
    return box

"""Tables in shades of grey: cells, their texts, and the names of rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast.arrays import FloatArray
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The most rows or columns for which cells have numbers, and rows and columns have names.
NUMBERED = 14
NAMED = 40


def cell_size(n_rows: int, n_columns: int, deep: float = 0.34) -> tuple[float, float]:
    """Return the inches that the names of rows and columns need."""
    wide = min(max(0.42 * min(n_columns, NAMED) + 2.4, 4.5), 12.0)
    return wide, min(max(deep * min(n_rows, NAMED) + 1.6, 3.2), 12.0)


def shade(ax: Axes, values: FloatArray, low: float, high: float, measure: str) -> None:
    """Fill the cells, hatch those without a value, and add the scale of greys."""
    from matplotlib.patches import Rectangle

    rows, columns = values.shape
    ax.add_patch(Rectangle((-0.5, -0.5), columns, rows, hatch="////", facecolor="white",
                           edgecolor="0.8", linewidth=0, zorder=-1))  # fmt: skip
    image = ax.imshow(values, cmap="Greys", vmin=low, vmax=high, aspect="auto",
                      interpolation="nearest")  # fmt: skip
    ax.figure.colorbar(image, ax=ax).set_label(measure)


def number(
    ax: Axes, values: FloatArray, low: float, high: float, shades: FloatArray | None = None
) -> None:
    """Write the values into the cells, unless there are too many."""
    if max(values.shape) > NUMBERED:
        return
    cells = [
        ["" if np.isnan(value) else f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
         for value in row]
        for row in values.tolist()
    ]  # fmt: skip
    write(ax, cells, values if shades is None else shades, low, high)


def write(
    ax: Axes, cells: Sequence[Sequence[str]], values: FloatArray, low: float, high: float
) -> None:
    """Write texts into cells, in white on dark cells."""
    dark = (values - low) > 0.55 * (high - low)
    for row, column in np.ndindex(*values.shape):
        if cells[row][column]:
            ax.text(column, row, cells[row][column], ha="center", va="center", fontsize="small",
                    color="white" if dark[row, column] else "black")  # fmt: skip


def frame(ax: Axes, chosen: npt.NDArray[np.bool_]) -> None:
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(chosen).tolist():
        ax.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False,
                               edgecolor="black", linewidth=1.6, label="_framed"))  # fmt: skip


def name_cells(
    ax: Axes, rows: Sequence[Any], columns: Sequence[Any], what: str, across: str
) -> None:
    """Name the rows and columns, or write how many there are."""
    if len(columns) <= NAMED:
        shown = [show_label(name, 16) for name in columns]
        turned = max(map(len, shown), default=0) > (8 if len(columns) <= 6 else 3)
        ax.set_xticks(range(len(columns)), shown, rotation=90 if turned else 0)
        ax.set_xlabel(across)
    else:
        ax.set_xticks([])
        ax.set_xlabel(f"{len(columns):,} {across}")
    if len(rows) <= NAMED:
        ax.set_yticks(range(len(rows)), [show_label(name, 20) for name in rows])
        ax.set_ylabel(what)
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{len(rows):,} {what}")
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_color("0.6")

"""What all plots share: new axes, styles that work in black and white, and names."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.errors import InputTypeError
from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.terminal import show_label

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


#: Colour (Okabe & Ito, distinguishable by colour-blind readers), dashes and marker of the first,
#: second, ... line. The colours repeat, each time with another marker.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.5)),
    (0, (6, 2, 1, 2)),
    (0, (3, 1, 1, 1, 1, 1)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">")
STYLES: tuple[dict[str, Any], ...] = tuple(
    {"color": COLOURS[i % 5], "linestyle": DASHES[i % 5], "marker": marker}
    for i, marker in enumerate(MARKERS)
)


def new_axes(ax: Axes | None, *, size: tuple[float, float] = (6.4, 4.2)) -> Axes:
    """Return the axes to draw on; by default, those of a new figure outside pyplot."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'plots need matplotlib: pip install "agreement-fast[plot]"', name=error.name
        ) from None
    return Figure(figsize=size, layout="constrained").add_subplot()


def check_kind(result: object, kind: type, maker: str) -> None:
    """Raise an error if a result is not of the expected type."""
    if not isinstance(result, kind):
        raise InputTypeError(f"expected the result of {maker}, got {type(result).__name__}")


def symbol(coefficient: str, distance: str) -> str:
    """Return the symbol of a coefficient, with its distance unless that is nominal.

    Examples
    --------
    >>> symbol("alpha", "interval"), symbol("pi", "nominal")
    ('α (interval)', 'π')
    """
    name = COEFFICIENTS[coefficient].symbol if coefficient in COEFFICIENTS else coefficient
    return name if distance == "nominal" else f"{name} ({distance})"


def percent_axis(ax: Axes) -> None:
    """Format the shares on the vertical axis as percentages, from zero, with lines behind."""
    ax.yaxis.set_major_formatter(lambda share, _: f"{share * 100:g}%")
    ax.set_ylim(bottom=0)
    ax.grid(axis="y", color="0.85", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def row_axis(ax: Axes) -> None:
    """Leave only the horizontal axis of a plot whose rows have names."""
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def say_empty(ax: Axes, sentence: str) -> None:
    """Write why the plot is empty."""
    ax.text(0.5, 0.5, textwrap.fill(sentence, 40), transform=ax.transAxes, ha="center", va="center")


def count_axis(ax: Axes, numbers: NDArray[np.int64]) -> None:
    """Format the horizontal axis for counts, logarithmic if they have a wide range."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    if is_wide(numbers):
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_xlim(numbers.min() / 1.1, numbers.max() * 1.1)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlim(numbers.min() - 0.5, numbers.max() + 0.5)
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def is_wide(numbers: NDArray[np.int64]) -> bool:
    """Return whether numbers have so wide a range that a logarithmic axis is better."""
    return bool(len(numbers)) and bool(numbers.max() > 40 * numbers.min() > 0)


def marks(numbers: NDArray[np.int64]) -> list[int]:
    """Choose about twenty of sorted numbers for markers, evenly spread on their axis."""
    if len(numbers) <= 24:
        return list(range(len(numbers)))
    ends = numbers[0], numbers[-1]
    even = np.geomspace(*ends, 20) if is_wide(numbers) else np.linspace(*ends, 20)
    return sorted({int(np.abs(numbers - entry).argmin()) for entry in even})

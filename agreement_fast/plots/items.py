"""Which coders disagree on which items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array
from agreement_fast.patterns import dense, take_rows
from agreement_fast.plots._canvas import new_axes, say_empty
from agreement_fast.plots._cells import NAMED, NUMBERED, cell_size, name_cells, shade, write
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The share of cells with a judgment below which the columns are not coders.
SPARSE = 0.25


def items_by_coders(
    data: Any,
    *,
    distance: Any = "nominal",
    max_items: int = 40,
    max_coders: int = 30,
    ax: Axes | None = None,
) -> Axes:
    """Draw which coders disagree on which items, the most disputed items first.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    distance : str or Distance, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval". See `agreement_fast.distances`.
    max_items : int, default 40
        The most items that are drawn. If there are more, they are evenly spaced from the most
        disputed to the least disputed one, and the plot says so. Items with fewer than two
        judgments are left out.
    max_coders : int, default 30
        The most coders that are drawn. If there are more, those who judged most of the drawn items.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A row for each item and a column for each coder. The darker a cell, the larger the mean
        distance of its judgment to the other judgments of the item. Cells without a judgment are
        hatched. Small plots have the labels in the cells. If the coders share so few items that
        most cells would be empty, the columns are the judgments of each item, the farthest first,
        and the plot says so.

    Raises
    ------
    ValueError
        If the coders are unknown, as after `Annotations.from_counts`.

    Notes
    -----
    O(N · k²), and memory for N × k counts.

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.items_by_coders([["a", "a"], ["a", "b"], ["b", "b"]])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['1', '0', '2']
    """
    annotations = as_annotations(data)
    coders = annotations.known_coders("a plot of items × coders")
    counts = annotations.to_counts().values
    sizes = counts.sum(1)
    weights = annotations.weights
    pairable = counts * (sizes > 1)[:, None]
    marginals = pairable.sum(0) if weights is None else weights @ pairable
    d = distances.resolve(distance).matrix(annotations.categories, marginals)
    # The rows with at least two judgments, ordered by their disagreement
    pairs = np.maximum(sizes * (sizes - 1.0), 1.0)
    disagreement = ((counts @ d) * counts).sum(1) / pairs
    order: Array = np.argsort(-disagreement, kind="stable")
    order = order[sizes[order] > 1]
    if not len(order):
        ax = new_axes(ax)
        say_empty(ax, "no item has two judgments")
        return ax
    picked = order[np.unique(np.linspace(0, len(order) - 1, max_items).round().astype(int))]
    codes = dense(take_rows(annotations.rows, picked), len(coders))
    # A judgment has distance 0 to itself, so the sum over the others is the sum over all.
    sums = (counts[picked] @ d) / (sizes[picked] - 1.0)[:, None]
    far = np.take_along_axis(sums, np.maximum(codes, 0).astype(np.intp), 1)
    far[codes < 0] = np.nan
    said = []
    if len(picked) < len(order):
        said.append(f"{len(picked)} of {len(order):,} items, from the most disputed to the least")
    columns = _busiest(codes >= 0, max_coders)
    if (codes[:, columns] >= 0).mean() >= SPARSE:
        codes, far = codes[:, columns], far[:, columns]
        names, across = [coders[j] for j in columns.tolist()], "coders"
        if len(columns) < len(coders):
            said.append(f"{len(columns)} of {len(coders):,} coders, who judged most of these items")
    else:
        # NaN (missing) is sorted to the end.
        farthest = np.argsort(-far, axis=1, kind="stable")[:, :max_coders]
        codes, far = (np.take_along_axis(table, farthest, 1) for table in (codes, far))
        used = (codes >= 0).any(0)
        codes, far = codes[:, used], far[:, used]
        names, across = list(range(1, far.shape[1] + 1)), "judgments of the item"
        said.append(f"{len(coders):,} coders share few items: judgments stand by their distance")
    ax = new_axes(ax, size=cell_size(far.shape[0], far.shape[1], 0.24))
    top = float(np.nanmax(far)) or 1.0
    shade(ax, far, 0.0, top, "distance to the other judgments")
    if far.shape[1] <= NUMBERED and len(picked) <= NAMED:
        labels = [*(show_label(label, 8) for label in annotations.categories), ""]
        write(ax, [[labels[code] for code in row] for row in codes.tolist()], far, 0.0, top)
    name_cells(ax, _item_names(annotations, picked), names, "items", across)
    ax.set_title("\n".join(said), fontsize="medium")
    return ax


def _busiest(judged: npt.NDArray[np.bool_], most: int) -> Array:
    """Return the coders with most judgments, in the order of the data."""
    counts = judged.sum(0)
    columns: Array = np.argsort(-counts, kind="stable")[:most]
    return np.sort(columns[counts[columns] > 0])


def _item_names(annotations: Annotations, picked: npt.NDArray[np.intp]) -> Sequence[str]:
    names = [show_label(annotations.items[row], 20) for row in picked.tolist()]
    if annotations.weights is None:
        return names
    weights = annotations.weights[picked].tolist()
    return [f"{name} ×{weight}" for name, weight in zip(names, weights, strict=True)]

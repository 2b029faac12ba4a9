"""Who dissents on which items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.patterns import dense, take_rows
from agreement_fast.plots._canvas import new_axes, say_empty
from agreement_fast.plots._cells import NAMED, NUMBERED, cell_size, name_cells, shade, write
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["items_by_coders"]

#: Share of the cells with a judgment below which columns of coders would show little.
SPARSE = 0.25


def items_by_coders(
    data: Any,
    *,
    distance: Any = "nominal",
    max_items: int = 40,
    max_coders: int = 30,
    ax: Axes | None = None,
) -> Axes:
    """Draw who dissents on which items, the most disputed first.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Items × coders.
    distance : str or Distance, default "nominal"
        See `agreement_fast.distances`.
    max_items : int, default 40
        Of more items, so many are drawn, evenly spaced from the most disputed one to the least; the
        picture says so. Items with fewer than two judgments are left out.
    max_coders : int, default 30
        Of more coders, those who judged most of the items that are drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure where absent.

    Returns
    -------
    Axes
        One row an item, one column a coder. A cell is the darker, the farther its judgment is on
        average from the other judgments of the item; hatched where there is none. Small pictures
        have the labels in the cells. Where the coders share so few items that most cells would be
        empty, the columns are the item's judgments, the farthest first, and the picture says so.

    Raises
    ------
    ValueError
        Coders are unknown, as after `Annotations.from_counts`.

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
    coders = annotations.known_coders("a picture of items × coders")
    counts = annotations.to_counts().values
    sizes = counts.sum(1)
    weights = annotations.weights
    pairable = counts * (sizes > 1)[:, None]
    marginals = pairable.sum(0) if weights is None else weights @ pairable
    d = distances.resolve(distance).matrix(annotations.categories, marginals)
    order = _most_disputed(counts, sizes, d)
    if not len(order):
        ax = new_axes(ax)
        say_empty(ax, "no item has two judgments")
        return ax
    picked = order[np.unique(np.linspace(0, len(order) - 1, max_items).round().astype(int))]
    codes = dense(take_rows(annotations.rows, picked), len(coders))
    # A judgment is at no distance from itself, so that the others' sum is everybody's.
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
        # NaN, and so what is missing, is sorted to the end.
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


def _most_disputed(counts: Any, sizes: Any, d: FloatArray) -> Array:
    """Rows with two judgments, by their disagreement."""
    pairs = np.maximum(sizes * (sizes - 1.0), 1.0)
    disagreement = ((counts @ d) * counts).sum(1) / pairs
    order: Array = np.argsort(-disagreement, kind="stable")
    order = order[sizes[order] > 1]
    return order


def _busiest(judged: npt.NDArray[np.bool_], most: int) -> Array:
    """The coders of most judgments, in their order."""
    counts = judged.sum(0)
    columns: Array = np.argsort(-counts, kind="stable")[:most]
    return np.sort(columns[counts[columns] > 0])


def _item_names(annotations: Annotations, picked: npt.NDArray[np.intp]) -> Sequence[str]:
    names = [show_label(annotations.items[row], 20) for row in picked.tolist()]
    if annotations.weights is None:
        return names
    weights = annotations.weights[picked].tolist()
    return [f"{name} ×{weight}" for name, weight in zip(names, weights, strict=True)]

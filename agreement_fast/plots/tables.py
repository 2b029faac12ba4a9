"""The agreement of pairs of coders, and the confusion of pairs of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.plots._canvas import (
    cell_size,
    frame,
    name_cells,
    new_axes,
    number,
    shade,
    symbol,
)
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics import PairwiseAgreement


def coder_pairs(
    pairs: PairwiseAgreement | npt.ArrayLike,
    coders: Sequence[Any] | None = None,
    *,
    measure: str = "agreement",
    max_coders: int = 60,
    ax: Axes | None = None,
) -> Axes:
    """Draw the agreement of each pair of coders; darker cells are higher.

    Parameters
    ----------
    pairs : PairwiseAgreement, or array-like of shape (C, C)
        The result of `agreement_fast.diagnostics.pairwise_agreement`, or an array of values. NaN
        (no shared items, or an undefined coefficient) is drawn as a hatched cell. The diagonal is
        not drawn.
    coders : sequence of length C, optional
        The names of the coders of an array; by default, numbers from 0.
    measure : str, default "agreement"
        The name of the values of an array, written beside the scale of greys.
    max_coders : int, default 60
        The most coders of a PairwiseAgreement that are drawn. If there are more, those who share
        most items with others are drawn, and the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        Coders × coders, with numbers in the cells for up to 14 coders, and names for up to 40.

    Raises
    ------
    ValueError
        If an array is not square, or the number of names is not that of its rows.

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.coder_pairs([[1, 0.6], [0.6, 1]], ["ann", "bob"], measure="κ")
    >>> [text.get_text() for text in ax.texts]
    ['0.60', '0.60']
    """
    from agreement_fast.diagnostics import PairwiseAgreement

    cut = ""
    if isinstance(pairs, PairwiseAgreement):
        places, shown = _busiest_pairs(pairs, max_coders)
        names: list[Any] = [pairs.coders[c] for c in places]
        measure = f"{symbol(pairs.coefficient, pairs.distance)} of the pair"
        if len(places) < len(pairs.coders):
            cut = f"{len(places)} of {len(pairs.coders):,} coders, who share most items"
    else:
        try:
            shown = np.array(pairs, float)
        except (TypeError, ValueError):
            raise InputTypeError(
                f"pairs must be the values of pairs of coders, not {type(pairs).__name__}",
                "pass diagnostics.pairwise_agreement(data), or an array of numbers",
                argument="pairs",
            ) from None
        if shown.ndim != 2 or shown.shape[0] != shown.shape[1]:
            raise InputError(
                f"values must have the shape (coders, coders), got {shown.shape}",
                argument="pairs",
            )
        names = list(range(len(shown)) if coders is None else coders)
        if len(names) != len(shown):
            raise InputError(
                f"there are {len(names)} names for {len(shown)} coders",
                argument="coders",
            )
    np.fill_diagonal(shown, np.nan)
    ax = new_axes(ax, size=cell_size(*shown.shape))
    defined = shown[~np.isnan(shown)]
    low = min(0.0, float(defined.min(initial=0.0)))
    shade(ax, np.where(np.eye(len(shown)) > 0, low, shown), low, 1.0, measure)
    number(ax, shown, low, 1.0)
    name_cells(ax, names, names, "coders", "coders")
    ax.set_title(cut, fontsize="medium")
    return ax


def _busiest_pairs(pairs: PairwiseAgreement, most: int) -> tuple[list[int], FloatArray]:
    """Return the coders who share most items, in order, and their values as a table."""
    n = len(pairs.coders)
    shared = np.bincount(pairs.first, pairs.n_items, n) + np.bincount(
        pairs.second, pairs.n_items, n
    )
    places = np.sort(np.argsort(-shared, kind="stable")[:most])
    row = np.full(n, -1)
    row[places] = np.arange(len(places))
    first, second = row[pairs.first], row[pairs.second]
    both = (first >= 0) & (second >= 0)
    table = np.full((len(places), len(places)), np.nan)
    table[first[both], second[both]] = table[second[both], first[both]] = pairs.value[both]
    return places.tolist(), table


def category_confusion(data: Any, *, max_categories: int = 30, ax: Axes | None = None) -> Axes:
    """Draw how often coders confuse two categories, relative to chance.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments.
    max_categories : int, default 30
        The most categories that are drawn. If there are more, the most frequent ones are drawn, and
        the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The observed coincidences divided by those expected from the categories' frequencies
        (Krippendorff 2011). 1 is chance; below 1, coders distinguish the two categories. Framed
        cells are above 1. The cells of the diagonal (agreement) have numbers but no grey.

    Notes
    -----
    Takes one pass over the judgments, O(judgments · k).

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.category_confusion([["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"]])
    >>> [text.get_text() for text in ax.texts][:3]
    ['2.33', '0.78', '0.00']
    """
    annotations = as_annotations(data)
    observed = annotations.coincidence_matrix().values
    # Compute o_jl / e_jl with e_jl = n_j (n_l − [j = l]) / (n − 1); NaN if e_jl is 0
    n = observed.sum(0)
    expected = (np.outer(n, n) - np.diag(n)) / max(n.sum() - 1, 1)
    ratio = np.full_like(observed, np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
    names = [show_label(label, 20) for label in annotations.categories]
    counts = observed.sum(0)
    kept = np.sort(np.argsort(-counts, kind="stable")[:max_categories])
    ratio, names = ratio[np.ix_(kept, kept)], [names[i] for i in kept]
    ax = new_axes(ax, size=cell_size(*ratio.shape))
    diagonal = np.eye(len(ratio), dtype=bool)
    off = np.where(diagonal, np.nan, ratio)
    top = max(1.0, float(np.nanmax(off))) if not np.isnan(off).all() else 1.0
    shades = np.where(diagonal, 0.0, ratio)
    shade(ax, shades, 0.0, top, "observed over expected (1 is chance)")
    number(ax, ratio, 0.0, top, shades)
    frame(ax, off > 1)
    name_cells(ax, names, names, "categories", "categories")
    if len(kept) < len(annotations.categories):
        ax.set_title(
            f"the {len(kept)} most frequent of {len(annotations.categories):,} categories",
            fontsize="medium",
        )
    return ax

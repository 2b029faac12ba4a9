"""Pictures of judgments: pairs of coders, confusions, drift, dissent on items, and marginals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from agreement_fast import distances
from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import Label
from agreement_fast.patterns import dense, take_rows
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.reports.plots._canvas import (
    NAMED,
    NUMBERED,
    STYLES,
    cell_size,
    check_kind,
    frame,
    name_cells,
    new_axes,
    number,
    row_axis,
    say_empty,
    shade,
    symbol,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics.drift import Drift
    from agreement_fast.diagnostics.pairs import PairwiseAgreement


def coder_pairs(
    pairs: PairwiseAgreement | npt.ArrayLike,
    coders: Sequence[Label] | None = None,
    *,
    measure: str | None = None,
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
    coders : sequence, optional
        The coders of a PairwiseAgreement that are drawn, in their order; or the C names of the
        coders of an array, by default numbers from 0.
    measure : str, optional
        The name of the values, written beside the scale of greys: by default the symbol of the
        coefficient, or "agreement" for an array.
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
    from agreement_fast.diagnostics.pairs import PairwiseAgreement

    cut = ""
    if isinstance(pairs, PairwiseAgreement):
        n = len(pairs.coders)
        shared = sum(np.bincount(ends, pairs.n_items, n) for ends in (pairs.first, pairs.second))
        places = np.sort(np.argsort(-shared, kind="stable")[:max_coders])
        most: list[Any] = [pairs.coders[c] for c in places.tolist()]
        names = most if coders is None else list(coders)
        shown = pairs.matrix(coders=names).values
        measure = measure or f"{symbol(pairs.coefficient, pairs.distance)} of the pair"
        if coders is None and len(names) < n:
            cut = f"{len(names)} of {n:,} coders, who share most items"
    else:
        try:
            shown = np.array(pairs, float)
        except (TypeError, ValueError):
            raise InputTypeError(
                f"pairs must be the values of pairs of coders, not {type(pairs).__name__}",
                "pass af.diagnostics.pairwise_agreement(data), or an array of numbers",
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
    shade(ax, np.where(np.eye(len(shown)) > 0, low, shown), low, 1.0, measure or "agreement")
    number(ax, shown, low, 1.0)
    name_cells(ax, names, names, "coders", "coders")
    ax.set_title(cut, fontsize="medium")
    return ax


def category_confusion(
    data: JudgmentsLike,
    *,
    max_categories: int = 30,
    ax: Axes | None = None,
    **reading: Unpack[ReadingOptions],
) -> Axes:
    """Draw how often coders confuse two categories, relative to chance.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments.
    max_categories : int, default 30
        The most categories that are drawn. If there are more, the most frequent ones are drawn, and
        the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    annotations = as_annotations(data, **reading)
    observed = annotations.coincidence_matrix().values
    expected = annotations.expected_coincidences().values
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


#: The number of coders that are drawn by default.
MOST = 5


def drift(result: Drift, *, coders: Iterable[Label] | None = None, ax: Axes | None = None) -> Axes:
    """Draw each coder's agreement window by window, with the line of the trend.

    Parameters
    ----------
    result : Drift
        The result of `diagnostics.drift`.
    coders : iterable of names, optional
        The coders to draw; by default the five who change most, as the plot then states.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        Markers are windows, at the middle of their judgments. Vertical lines are their intervals,
        and thin lines are the trends. An asterisk in the legend marks coders who drift.

    Raises
    ------
    ValueError
        If a name is not one of the coders.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement_fast import diagnostics, plots
    >>> frame = pd.DataFrame({
    ...     "item": list(range(40)) * 2, "coder": ["Ann"] * 40 + ["Bea"] * 40,
    ...     "label": list("xyyx" * 10) + list("xyyx" * 5 + "xxyy" * 5),
    ... })
    >>> ax = plots.drift(diagnostics.drift(frame, n_windows=4))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Ann *', 'Bea *']
    """
    from agreement_fast.diagnostics.drift import Drift

    check_kind(result, Drift, "diagnostics.drift")
    ax = new_axes(ax, size=(7.2, 4.2))
    ax.set_xlabel("judgments of the coder, in order")
    ax.set_ylabel(f"chance-corrected agreement with the {result.against}")
    ax.spines[["top", "right"]].set_visible(False)
    known = {coder.coder: coder for coder in result.coders}
    if coders is None:
        able = [coder for coder in result.coders if not math.isnan(coder.value)]
        able.sort(
            key=lambda element: -abs(element.change) if not math.isnan(element.change) else 0.0
        )
        names = [element.coder for element in able[:MOST]]
        if len(able) > MOST:
            ax.set_title(
                f"the {MOST} of {len(able):,} coders who change most", fontsize="small", loc="right"
            )
    else:
        names = list(coders)
        for name in names:
            if name not in known:
                raise InputError(f"{name!r} is not one of the coders", argument="coders")
    if not names:
        say_empty(ax, "no coder has a value")
        return ax
    for place, name in enumerate(names):
        entry, style = known[name], STYLES[place % len(STYLES)]
        parts = [part for part in result.windows if part.coder == name]
        # Shift the windows of several coders, which would otherwise overlap.
        step = (parts[-1].end - parts[0].start) / 200 * (place - (len(names) - 1) / 2)
        middle = [(part.start + part.end) / 2 + step for part in parts]
        starred = entry.adjusted_p_value < 1 - entry.confidence_level
        ax.plot(middle, [part.value for part in parts], color=style["color"], linestyle="none",
                marker=style["marker"], markersize=5, zorder=3)  # fmt: skip
        ax.vlines(
            middle, [part.low for part in parts], [part.high for part in parts],
            color=style["color"], linewidth=0.8,
        )  # fmt: skip
        ends = [parts[0].start, parts[-1].end]
        line = [math.nan, math.nan] if math.isnan(entry.first) else [entry.first, entry.last]
        ax.plot(ends, line, color=style["color"], linestyle=style["linestyle"], linewidth=1.4,
                marker=style["marker"], markevery=[], label=show_label(name, 24)
                + (" *" if starred else ""))  # fmt: skip
    any_starred = any(str(line.get_label()).endswith(" *") for line in ax.lines)
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5),
              title="* drifts" if any_starred else None)  # fmt: skip
    return ax


#: The share of cells with a judgment below which the columns are not coders.
SPARSE = 0.25


def items_by_coders(
    data: JudgmentsLike,
    *,
    distance: DistanceLike = "nominal",
    max_items: int = 40,
    max_coders: int = 30,
    ax: Axes | None = None,
    **reading: Unpack[ReadingOptions],
) -> Axes:
    """Draw which coders disagree on which items, the most disputed items first.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
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
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    annotations = as_annotations(data, **reading)
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
    values = []
    if len(picked) < len(order):
        values.append(f"{len(picked)} of {len(order):,} items, from the most disputed to the least")
    busiest = _busiest(codes >= 0, max_coders)
    if (codes[:, busiest] >= 0).mean() >= SPARSE:
        codes, far = codes[:, busiest], far[:, busiest]
        names, across = [coders[j] for j in busiest.tolist()], "coders"
        if len(busiest) < len(coders):
            values.append(
                f"{len(busiest)} of {len(coders):,} coders, who judged most of these items"
            )
    else:
        # NaN (missing) is sorted to the end.
        farthest = np.argsort(-far, axis=1, kind="stable")[:, :max_coders]
        codes, far = (np.take_along_axis(table, farthest, 1) for table in (codes, far))
        used = (codes >= 0).any(0)
        codes, far = codes[:, used], far[:, used]
        names, across = list(range(1, far.shape[1] + 1)), "judgments of the item"
        values.append(f"{len(coders):,} coders share few items: judgments stand by their distance")
    ax = new_axes(ax, size=cell_size(far.shape[0], far.shape[1], 0.24))
    top = float(np.nanmax(far)) or 1.0
    shade(ax, far, 0.0, top, "distance to the other judgments")
    if far.shape[1] <= NUMBERED and len(picked) <= NAMED:
        labels = [*(show_label(label, 8) for label in annotations.categories), ""]
        write(ax, [[labels[code] for code in row] for row in codes.tolist()], far, 0.0, top)
    name_cells(ax, _item_names(annotations, picked), names, "items", across)
    ax.set_title("\n".join(values), fontsize="medium")
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


#: Grey and hatch of the first, second ... category: neighbours differ in both.
FILLS = (
    ("0.15", ""), ("1.0", ""), ("0.6", ""), ("0.9", "////"), ("0.4", "...."), ("1.0", "xxxx"),
    ("0.75", "----"), ("0.95", "oo"), ("0.5", "\\\\\\\\"), ("1.0", "++++"),
)  # fmt: skip


def coder_marginals(
    data: JudgmentsLike,
    *,
    max_coders: int = 25,
    ax: Axes | None = None,
    **reading: Unpack[ReadingOptions],
) -> Axes:
    """Draw the shares of the categories in each coder's judgments and in all judgments.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    max_coders : int, default 25
        The most coders that are drawn. If there are more, those with the most judgments are drawn,
        and the plot says so.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    annotations = as_annotations(data, **reading)
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
    row_axis(ax)
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

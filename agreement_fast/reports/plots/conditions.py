"""Coefficients of several codings side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.distances import SETS, resolve
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference import standard_error
from agreement_fast.points import named
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.reports.plots._canvas import new_axes, row_axis, say_empty, symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Grey and hatch of the first, second ... category: neighbours differ in both.
FILLS = (
    ("0.15", ""), ("1.0", ""), ("0.6", ""), ("0.9", "////"), ("0.4", "...."), ("1.0", "xxxx"),
    ("0.75", "----"), ("0.95", "oo"), ("0.5", "\\\\\\\\"), ("1.0", "++++"),
)  # fmt: skip


def coder_marginals(
    data: Any, *, max_coders: int = 25, ax: Axes | None = None, **reading: Unpack[ReadingOptions]
) -> Axes:
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


#: The coefficients of data that are drawn by default.
USUAL = ("kappa", "alpha")

#: Grey and hatch of the first, second ... bar, light enough for a black interval.
LIGHT = FILLS[1:]

#: The share of the width of a condition that its bars take.
WIDTH = 0.8


class _Bar(NamedTuple):
    value: float
    low: float
    high: float
    confidence_level: float | None


def coefficients_over_conditions(
    conditions: Mapping[Any, Any],
    coefficients: Iterable[str | tuple[str, Any]] | None = None,
    *,
    confidence_level: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Draw coefficients of several codings as bars with intervals, a group for each coding.

    Parameters
    ----------
    conditions : mapping of name to data or results
        The codings, from left to right: Annotations, or anything that `Annotations.from_wide`
        reads; or results of `agreement_table` or `af.bootstrap`, or a list of results.
    coefficients : iterable of str or (str, distance), optional
        The bars of each group: names of coefficients, or pairs of a name and a distance. By
        default, κ and α for data, and all coefficients for results. A distance between sets also
        takes codings whose labels are no sets: each label is then a set of its own.
    confidence_level : float, default 0.95
        The level of the intervals for data. Results keep their own intervals.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A container of bars for each coefficient. A value that is NaN is marked "undefined", and a
        missing result "none".

    Raises
    ------
    ValueError
        If there are no conditions, or they have no results.

    Notes
    -----
    For data, the intervals are those of `inference.standard_error`. To test whether two conditions
    differ, use `af.compare`: overlapping intervals do not answer that.

    Examples
    --------
    Artstein & Poesio 2005, figure 2, draws κ and β for anaphora labelled in several ways:

    >>> from agreement_fast import plots
    >>> coarse = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "b"), ("a", "a"), ("a", "a")]
    >>> fine = [("a", "a"), ("b", "c"), ("a", "b"), ("b", "b"), ("d", "a"), ("d", "d")]
    >>> ax = plots.coefficients_over_conditions({"coarse": coarse, "fine": fine}, ["kappa", "alpha"])
    >>> [bars.get_label() for bars in ax.containers]
    ['κ', 'α']
    """  # noqa: E501 (the call in one line)
    if not isinstance(conditions, Mapping):
        raise InputTypeError.must_be("conditions", "a mapping from names to data", conditions)
    requested = (
        None if coefficients is None else [_measure(coefficient) for coefficient in coefficients]
    )
    result = {
        name: _bars(condition, requested, confidence_level)
        for name, condition in conditions.items()
    }
    measures = list(dict.fromkeys(measure for bars in result.values() for measure in bars))
    if not measures:
        raise InputError(
            "there is nothing to draw",
            "name conditions, as in {'first': data, 'second': others}",
            argument="conditions",
        )
    ax = new_axes(ax, size=(1.6 + 0.5 * len(result) * (len(measures) + 1), 4.2))
    ax.axhline(0, color="black", linewidth=0.8, zorder=3)
    width = WIDTH / len(measures)
    for place, measure in enumerate(measures):
        bars = [entry.get(measure) for entry in result.values()]
        middle = np.arange(len(bars)) + (place - (len(measures) - 1) / 2) * width
        _draw(ax, middle, bars, measure, width, LIGHT[place % len(LIGHT)])
    ax.set_xticks(range(len(result)), [show_label(name, 24) for name in result])
    ax.set_xlim(-0.5, len(result) - 0.5)
    drawn = [bar for bars in result.values() for bar in bars.values()]
    ends = [end for bar in drawn for end in bar[:3] if not np.isnan(end)]
    ax.set_ylim(min([0.0, *ends]) * 1.05, max([1.0, *ends]) * 1.02)
    levels = {bar.confidence_level for bar in drawn if not np.isnan([bar.low, bar.high]).any()}
    one_level = next(iter(levels)) if len(levels) == 1 else None
    ax.set_ylabel("value" if one_level is None else f"value with {one_level * 100:.12g}% interval")
    ax.tick_params(axis="x", length=0)
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(measures))
    return ax


def _measure(value: Any) -> tuple[str, Any]:
    """Parse a coefficient and its distance."""
    if isinstance(value, str):
        return value, "nominal"
    if isinstance(value, tuple) and len(value) == 2:
        return value
    raise InputTypeError.must_be("coefficients", "names, or pairs of a name and a distance", value)


def _bars(
    value: Any, requested: Sequence[tuple[str, Any]] | None, confidence_level: float
) -> dict[str, _Bar]:
    """Return the bars of a condition by the symbols of their coefficients."""
    if _are_results(value):
        bars = {symbol(result.coefficient, result.distance): _bar(result) for result in value}
        if requested is None:
            return bars
        chosen = [symbol(named(name).name, resolve(distance).name) for name, distance in requested]
        return {measure: bars[measure] for measure in chosen if measure in bars}
    annotations = as_annotations(value)
    outcome: dict[str, _Bar] = {}
    for name, distance in requested or [(name, "nominal") for name in USUAL]:
        result = standard_error(
            annotations,
            name,
            distance=_between_labels(annotations, distance),
            confidence_level=confidence_level,
        )
        outcome[symbol(named(name).name, resolve(distance).name)] = _bar(result)
    return outcome


def _between_labels(annotations: Annotations, distance: Any) -> Any:
    """Return the distance, or the nominal one if it needs sets and no label is a set.

    Sets of one label each are equal or disjoint, so that all distances between sets are constant.
    """
    no_sets = not any(isinstance(label, frozenset) for label in annotations.categories)
    return "nominal" if resolve(distance).name in SETS and no_sets else distance


def _are_results(value: Any) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not len(value):
        return False
    return all(hasattr(result, "coefficient") and hasattr(result, "value") for result in value)


def _bar(result: Any) -> _Bar:
    return _Bar(
        float(result.value),
        float(getattr(result, "low", np.nan)),
        float(getattr(result, "high", np.nan)),
        getattr(result, "confidence_level", None),
    )


def _draw(
    ax: Axes, middle: Any, bars: Sequence[_Bar | None], label: str, width: float, fill: Any
) -> None:
    """Draw one coefficient for all conditions, with intervals and marks for missing bars."""
    grey, hatch = fill
    values = [np.nan if bar is None else bar.value for bar in bars]
    heights = np.nan_to_num(values)
    ax.bar(middle, heights, width, color=grey, hatch=hatch, edgecolor="black", linewidth=0.8,
           label=label, zorder=1)  # fmt: skip
    for x, bar in zip(middle, bars, strict=True):
        if bar is None or np.isnan(bar.value):
            ax.text(x, 0.02, "none" if bar is None else "undefined", rotation=90, ha="center",
                    va="bottom", style="italic", fontsize="small")  # fmt: skip
        elif not np.isnan([bar.low, bar.high]).any():
            ax.plot([x, x], [bar.low, bar.high], color="black", linewidth=1.6, marker="_",
                    markersize=8, markeredgewidth=1.6, zorder=2)  # fmt: skip

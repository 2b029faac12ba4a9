"""Coefficients with their intervals."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.distances import SETS, resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.inference import standard_error
from agreement_fast.inference.scales import Scale, find_scale
from agreement_fast.options import ByName, Label
from agreement_fast.points import named
from agreement_fast.present.sections import Estimate
from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import show_label, show_level, some_of
from agreement_fast.reports.plots._canvas import (
    STYLES,
    check_kind,
    new_axes,
    row_axis,
    say_empty,
    symbol,
)
from agreement_fast.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import JudgmentsLike
    from agreement_fast.inference.results import BootstrapResult
    from agreement_fast.measures.beside import LimitsOfAgreement


#: The number of points from which they are drawn as an image, even in vector graphics.
MANY = 5000

#: The area of a marker of one item, and of the largest one.
SMALLEST, LARGEST = 14.0, 220.0


def bland_altman(result: LimitsOfAgreement | JudgmentsLike, *, ax: Axes | None = None) -> Axes:
    """Draw the differences of two coders over their means, with the limits of agreement.

    Parameters
    ----------
    result : LimitsOfAgreement, or judgments of two coders
        One of the results of `measures.limits_of_agreement`, or what that function takes.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        The size of a marker shows the number of items at the same point. A line is the mean
        difference, dashed lines are the limits, and grey bands are their intervals. If the spread
        increases to the right, coders differ more for large values, and the limits mislead.

    Examples
    --------
    >>> from agreement_fast import plots
    >>> ax = plots.bland_altman([[1, 2], [2, 2], [3, 5], [4, 5], [6, 6], [5, 7]])
    >>> ax.get_ylabel()
    '0 less 1'
    """
    from agreement_fast.measures.beside import LimitsOfAgreement, limits_of_agreement

    if not isinstance(result, LimitsOfAgreement):
        pairs = limits_of_agreement(result)
        if len(pairs) != 1:
            raise InputError(
                f"expected judgments of two coders, or the limits of agreement of one pair, not of "
                f"{len(pairs)}",
                "draw one, as af.measures.limits_of_agreement(data)[0]",
                argument="result",
            )
        result = pairs[0]
    ax = new_axes(ax)
    first, second = (show_label(entry, 24) for entry in (result.first, result.second))
    ax.set_xlabel(f"mean of {first} and {second}")
    ax.set_ylabel(f"{first} less {second}")
    ax.spines[["top", "right"]].set_visible(False)
    points = result.points
    if not len(points.weights):
        say_empty(ax, "no item was judged by both coders")
        return ax
    most = int(points.weights.max())
    area = SMALLEST + (LARGEST - SMALLEST) * (points.weights - 1) / max(most - 1, 1)
    ax.scatter(
        points.mean, points.difference, s=area, facecolor=(0, 0, 0, 0.12), edgecolor="black",
        linewidth=0.7, rasterized=len(points.weights) > MANY, zorder=3,
    )  # fmt: skip
    ax.axhline(0, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
    lines = (
        ("mean", "-", (result.bias, result.bias_low, result.bias_high)),
        ("lower limit", (0, (5, 3)),
         (result.lower_limit, result.lower_limit_low, result.lower_limit_high)),
        ("upper limit", (0, (5, 3)),
         (result.upper_limit, result.upper_limit_low, result.upper_limit_high)),
    )  # fmt: skip
    for name, dashes, (value, low, high) in lines:
        if np.isnan(value):
            continue
        ax.axhline(value, color="black", linewidth=1.4, linestyle=dashes, zorder=2)
        if not np.isnan([low, high]).any():
            ax.axhspan(low, high, color="0.9", linewidth=0, zorder=0)
        ax.annotate(
            f"{name} {value:.4g}".replace("-", "\N{MINUS SIGN}"), (1, value),
            xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points",
            va="center", fontsize="small", annotation_clip=False,
        )  # fmt: skip
    if most > 1:
        ax.set_title(f"markers: 1 to {most:,} items", fontsize="small", loc="right")
    return ax


#: The most rows that are drawn.
MOST = 60

#: The coefficients of a coding that are drawn by default.
USUAL = ("kappa", "alpha")


def forest(
    results: Result | Tabular | Iterable[Result] | ByName[object],
    *,
    name: Sequence[Label] | None = None,
    coefficient: str | Iterable[str | tuple[str, DistanceLike]] | None = None,
    value: str = "value",
    scale: str | Scale | None = None,
    measure: str | None = None,
    band: tuple[float, float, float] | None = None,
    band_name: str = "",
    confidence_level: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Draw values with their intervals, one below the other.

    Parameters
    ----------
    results : results, table or mapping
        One of these, from top to bottom:

        - a result or several, such as those of `agreement_table`, `af.bootstrap`,
          `inference.standard_error` and `af.agreement_by_group`;
        - a table with a row for each coder, model or category, such as that of
          `diagnostics.model_agreement`;
        - a mapping from names to codings: data, a result, several, or (value, low, high). A row
          has the values of all coefficients, each with its own marker.
    name : sequence, optional
        The names of the rows. By default the names of a mapping, the groups of
        `agreement_by_group`, the first column of a table, or else the symbols of the coefficients.
    coefficient : str or iterable of str or (str, distance), optional
        The coefficients of codings: names, or pairs of a name and a distance. By default κ and α
        for data, and all for results. A distance between sets also takes codings whose labels are
        no sets: each label is then a set of its own.
    value : str, default "value"
        The column of a table that is drawn. Its interval is in the columns with the same name and
        "_low" and "_high", or in "low" and "high".
    scale : str or Scale, optional
        A key of `agreement_fast.inference.SCALES`, or a scale of your own, whose bands are drawn.
        An asterisk marks values of other distances than nominal, for which no scale is meant
        (Artstein & Poesio 2008, 4.4).
    measure : str, optional
        The label of the axis; by default the coefficient if there is only one, or the column.
    band : (value, low, high), optional
        A value to compare with, such as that of the people, and its interval: drawn as a dashed
        line and a band.
    band_name : str, default ""
        The name of the band, written above it.
    confidence_level : float, default 0.95
        The level of the intervals of data, which are those of `inference.standard_error`. Results
        keep their own.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        At most 60 rows; if there are more, the plot says so. A value that is NaN is marked
        "undefined", and one that a coding lacks "none".

    Raises
    ------
    ValueError
        If the scale does not exist, the number of names is not that of the rows, or there is
        nothing to draw.

    Notes
    -----
    Overlapping intervals do not answer whether two codings differ: use `af.compare`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import plots
    >>> table = af.agreement_table([[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3]], ["pi", "alpha"])
    >>> ax = plots.forest(table, scale="landis_koch_1977")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['π', 'α']
    >>> ax = plots.forest({"gpt": (0.7, 0.6, 0.8), "llama": (0.4, 0.3, 0.5)}, measure="κ")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['gpt', 'llama']

    Artstein & Poesio 2005, figure 2, draws κ and β for anaphora labelled in several ways:

    >>> coarse = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "b"), ("a", "a"), ("a", "a")]
    >>> fine = [("a", "a"), ("b", "c"), ("a", "b"), ("b", "b"), ("d", "a"), ("d", "d")]
    >>> ax = plots.forest({"coarse": coarse, "fine": fine}, coefficient=["kappa", "alpha"])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['κ', 'α']
    """
    rows, grouped = _rows(results, value, coefficient, confidence_level)
    if name is not None and len(name) != len(rows):
        raise InputError(
            f"there are {len(name)} names for {len(rows)} rows", "name each", argument="name"
        )
    drawn = rows[:MOST]
    values = [entry for _, entries in drawn for entry in entries.values()]
    measures = list(dict.fromkeys(entry.name for entry in values))
    several = grouped and len(measures) > 1
    lanes = measures if several else [None]
    chosen = None if scale is None else find_scale(scale)
    starred = {entry.name for entry in values if chosen is not None and entry.meaning}
    ax = new_axes(ax, size=(7.2, 1.5 + max(len(drawn), 1) * (0.18 + 0.2 * len(lanes))))
    for lane, of in enumerate(lanes):
        look = {key: STYLES[lane % len(STYLES)][key] for key in ("color", "marker")}
        for place, (_, entries) in enumerate(drawn):
            y = place + (lane - (len(lanes) - 1) / 2) * 0.8 / len(lanes)
            entry = next(iter(entries.values()), None) if of is None else entries.get(of)
            _whisker(ax, y, entry, look)
        if of is not None:
            ax.plot([], [], label=of + "*" * (of in starred), **look)
    if several:
        ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    names = [label for label, _ in drawn] if name is None else name[:MOST]
    stars = ["*" * (not several and not starred.isdisjoint(entries)) for _, entries in drawn]
    names = [show_label(label, 24) + star for label, star in zip(names, stars, strict=True)]
    ax.set_yticks(range(len(drawn)), names)
    ax.set_ylim(max(len(drawn), 1) - 0.4, -0.6)
    if measures != [""]:
        # Leave room for the marker at an end, and for the name of the band below zero.
        ends = [0.0, 1.0, *(end for entry in values for end in entry[1:4] if end == end)]
        ax.set_xlim(min(min(ends) - 0.03, -0.12) if min(ends) < 0 else -0.02, max(ends) + 0.02)
    levels = {entry.confidence_level for entry in values if entry.low == entry.low}
    label = measure or (measures[0] if grouped and len(measures) == 1 else "") or value
    level = levels.pop() if len(levels) == 1 else np.nan
    notes = [label if level != level else f"{label} with {show_level(level)} interval"]
    if chosen is not None:
        star = "; * no scale is meant for this distance" if starred else ""
        notes.append(f"scale: {chosen.name}{star}")
        _bands(ax, chosen, *ax.get_xlim())
    if len(rows) > MOST:
        notes.append(f"{len(rows) - MOST} more are not drawn")
    ax.set_xlabel("\n".join(notes))
    row_axis(ax)
    if band is not None and not np.isnan(band).any():
        middle, begin, end = band
        ax.axvspan(begin, end, color="0.88", zorder=0)
        ax.axvline(middle, color="black", linestyle="--", linewidth=1, zorder=1)
        ax.annotate(
            band_name, (middle, 1), xycoords=("data", "axes fraction"), ha="center", va="bottom",
            xytext=(0, 2), textcoords="offset points",
        )  # fmt: skip
    return ax


def _rows(
    results: Any, column: str, coefficient: Any, confidence_level: float
) -> tuple[list[tuple[Any, dict[str, Estimate]]], bool]:
    """Return the name of each row and its values by measure, and whether names are of groups."""
    if isinstance(results, Mapping):
        chosen = None if coefficient is None else _measures(coefficient)
        rows = [
            (name, _coding(coding, chosen, confidence_level)) for name, coding in results.items()
        ]
        if not any(values for _, values in rows):
            raise InputError(
                "there is nothing to draw",
                "name codings, as in {'first': data, 'second': others}",
                argument="results",
            )
        return rows, True
    is_single = isinstance(results, Result) or not isinstance(results, Iterable | Tabular)
    if isinstance(results, Tabular) and not is_single and not isinstance(results, Sequence):
        return _of_table(results, column), True
    listed = [results] if is_single else list(results)
    for entry in listed:
        if not isinstance(entry, Result):
            raise InputTypeError(
                f"results has {type(entry).__name__}, which is not one coefficient",
                "pass results of agreement(), standard_error() or bootstrap(), the table of "
                "af.agreement_by_group(), which has the values of groups, or a mapping from names "
                "to data",
                argument="results",
            )
    groups = itertools.groupby(listed, lambda entry: getattr(entry, "group", ()))
    if listed and all(hasattr(entry, "group") for entry in listed):
        return [
            (
                ", ".join("no value" if part is None else show_label(part) for part in group),
                _by_measure(entries),
            )
            for group, entries in groups
        ], True
    values = [_value(entry) for entry in listed]
    return [(entry.name, {entry.name: entry}) for entry in values], False


def _of_table(table: Tabular, column: str) -> list[tuple[Any, dict[str, Estimate]]]:
    columns = table.columns()
    if column not in columns:
        raise InputError(
            f"the table has no column {column!r}",
            ("pass ", Argument("value"), f", one of {some_of(list(columns), 8)}"),
            argument="value",
        )
    nothing = [np.nan] * len(columns[column])
    ends = [columns.get(f"{column}_{end}", columns.get(end, nothing)) for end in ("low", "high")]
    names = next(iter(columns.values()))
    return [
        (name, {"": Estimate("", float(number), float(low), float(high), np.nan)})
        for name, number, low, high in zip(names, columns[column], *ends, strict=True)
    ]


def _measures(coefficient: Any) -> list[tuple[str, Any]]:
    """Parse names of coefficients, and pairs of a name and a distance."""
    entries = [coefficient] if isinstance(coefficient, str) else list(coefficient)
    pairs = [(entry, "nominal") if isinstance(entry, str) else entry for entry in entries]
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise InputTypeError.must_be(
            "coefficient", "names, or pairs of a name and a distance", coefficient
        )
    return pairs


def _coding(
    coding: Any, chosen: Sequence[tuple[str, Any]] | None, confidence_level: float
) -> dict[str, Estimate]:
    """Return the values of a coding by the symbols of their coefficients."""
    if isinstance(coding, tuple) and len(coding) == 3 and all(isinstance(x, float) for x in coding):
        return {"": Estimate("", *coding, np.nan)}
    if isinstance(coding, Result):
        coding = [coding]
    symbols = [symbol(named(name).name, resolve(distance).name) for name, distance in chosen or ()]
    if isinstance(coding, Sequence) and coding and all(isinstance(x, Result) for x in coding):
        values = _by_measure(coding)
        shown = values if chosen is None else symbols
        return {measure: values[measure] for measure in shown if measure in values}
    annotations = as_annotations(coding)
    # Sets of one label each are equal or disjoint: all distances between sets are constant.
    no_sets = not any(isinstance(label, frozenset) for label in annotations.categories)
    values = {}
    for name, distance in chosen or [(name, "nominal") for name in USUAL]:
        result = standard_error(
            annotations,
            name,
            distance="nominal" if no_sets and resolve(distance).name in SETS else distance,
            confidence_level=confidence_level,
        )
        measure = symbol(named(name).name, resolve(distance).name)
        values[measure] = _value(result)._replace(name=measure)
    return values


def _by_measure(results: Iterable[Any]) -> dict[str, Estimate]:
    return {entry.name: entry for entry in map(_value, results)}


def _value(result: Any) -> Estimate:
    """Give a value that is named by its symbol; it means its distance, unless that is nominal."""
    distance = getattr(result, "distance", "nominal")
    name = symbol(result.coefficient, distance) if hasattr(result, "coefficient") else ""
    low, high, level = (getattr(result, x, np.nan) for x in ("low", "high", "confidence_level"))
    meaning = "" if distance == "nominal" else distance
    return Estimate(name, float(result), float(low), float(high), level, meaning)


def _whisker(ax: Axes, y: float, entry: Estimate | None, look: dict[str, Any]) -> None:
    """Draw a value and its interval in a row."""
    if entry is None or np.isnan(entry.value):
        ax.text(0.5, y, "none" if entry is None else "undefined", ha="center", va="center",
                transform=ax.get_yaxis_transform(), style="italic")  # fmt: skip
        return
    if not np.isnan(entry[2:4]).any():
        # Not errorbar(): a bias-corrected interval need not include the value.
        ax.plot(entry[2:4], [y, y], color=look["color"], linewidth=1.6, solid_capstyle="butt",
                marker="|", markersize=9)  # fmt: skip
    ax.plot([entry.value], [y], markersize=6, linestyle="none", **look)


def bootstrap_distribution(result: BootstrapResult, *, ax: Axes | None = None) -> Axes:
    """Draw the replicates of a bootstrap, with the value and its interval.

    Parameters
    ----------
    result : BootstrapResult
        The result of `af.bootstrap`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Returns
    -------
    Axes
        A histogram of the defined replicates, and the number of undefined ones.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import plots
    >>> data = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, 3], [1, 1, 1]]
    >>> ax = plots.bootstrap_distribution(af.bootstrap(data, "alpha", rng=1))
    >>> ax.get_ylabel()
    'replicates'
    """
    from agreement_fast.inference.results import BootstrapResult

    check_kind(result, BootstrapResult, "af.bootstrap of one coefficient")
    ax = new_axes(ax)
    replicates = result.replicates
    defined = replicates[~np.isnan(replicates)]
    label = f"{symbol(result.coefficient, result.distance)} of the replicates"
    if len(defined) < len(replicates):
        left_out = len(replicates) - len(defined)
        label += f"\n{left_out:,} of {len(replicates):,} replicates are undefined"
    ax.set_xlabel(label)
    ax.set_ylabel("replicates")
    ax.spines[["top", "right"]].set_visible(False)
    if not len(defined):
        say_empty(ax, f"undefined: {result.undefined or 'no replicate is defined'}")
        return ax
    # Few items have few distinct replicates, for which rules of bin widths give too many bins.
    bins = min(len(np.histogram_bin_edges(defined, "fd")), 61) if np.ptp(defined) > 0 else 2
    ax.hist(defined, bins=max(bins - 1, 1), color="0.82", edgecolor="0.35", linewidth=0.6)
    ax.axvline(result.value, color="black", linewidth=1.8, label=f"value {result.value:.3f}")
    interval = (
        f"{show_level(result.confidence_level)} interval {result.low:.3f} to {result.high:.3f}"
    )
    if not np.isnan([result.low, result.high]).any():
        ax.axvline(result.low, color="black", linestyle=(0, (5, 3)), label=interval)
        ax.axvline(result.high, color="black", linestyle=(0, (5, 3)))
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return ax


def _bands(ax: Axes, scale: Scale, left: float, right: float) -> None:
    """Shade the bands by turns and name them on top."""
    top = right
    for i, band in enumerate(scale.bands):
        # A sliver could not hold its name.
        low = band.above if band.above > left + 0.05 else left
        if low >= top:
            continue
        ax.axvspan(low, top, color="0.91" if i % 2 else "0.98", linewidth=0, zorder=0)
        if np.isfinite(band.above) and band.above > left:
            ax.axvline(band.above, color="0.6", linewidth=0.8, linestyle=":", zorder=0.5)
        ax.text((low + top) / 2, 1.01, band.word.replace(" ", "\n"), ha="center", va="bottom",
                transform=ax.get_xaxis_transform(), fontsize="small")  # fmt: skip
        top = low

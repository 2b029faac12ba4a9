"""The sections of the coders on a page: pairs, each with the others, and their categories."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics import coder_report
from agreement_fast.diagnostics.coders import CoderReport
from agreement_fast.diagnostics.pairs import mean_value, pairwise_agreement
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.markup import label
from agreement_fast.present.sections import Bar, Rows, Section, Shade, details
from agreement_fast.present.terminal import counted, show_cell, show_label, show_level, show_value
from agreement_fast.reports.intervals import interval_of, shown_ends

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report

#: The most coders of the matrix, and of the tables below it.
MATRIX = 25
LISTED = 25

#: Coefficients that are equal for two coders as a pair and as all coders.
PAIRED = ("kappa", "beta")

#: The most categories whose shares are shown, and those of a table of two coders.
USED = 8
CROSSED = 12

#: The most numbers of the tables of all pairs together.
CELLS = 12_000

#: The most labels for tables of pairs, and the most coders × labels for this section.
LABELS = 1000
CELLS_OF_ALL = 1 << 24

#: The most pairs of judgments of the same item for which all coders are compared, instead of only
#: those of the matrix.
MEETINGS = 200_000_000


def coder_sections(
    annotations: Annotations, coefficient: str, distance: DistanceLike, report: Report
) -> tuple[list[Section], dict[str, Any]]:
    """Return the sections of the coders, and what the script of the page knows of pairs.

    Parameters
    ----------
    annotations : Annotations
        The judgments.
    coefficient, distance :
        The coefficient without each coder.
    report : Report
        The report of the same coefficient.
    """
    if annotations.coders is None or annotations.kept_marginals is not None:
        text = "It is not known who judged what, so single coders cannot be examined."
        return [Section("Coders", [text])], {}
    if len(annotations.coders) * len(annotations.labels) > CELLS_OF_ALL:
        text = (
            f"There are {len(annotations.labels):,} different labels, too many to compare coders."
        )
        return [Section("Coders", [f"{text} Round or merge them first."])], {}
    marginals = annotations.coder_marginals().values
    incomplete = report.incomplete
    each = coder_report(
        annotations,
        coefficient,
        distance=distance,
        incomplete="pairable" if incomplete == "complete" else incomplete,
        confidence_level=report.observed.confidence_level,
        intervals=False if report.clustered else None,
    )
    busiest = np.sort(np.argsort(-each.n_judgments, kind="stable")[:MATRIX])
    pairs, data = _pairs(annotations, distance, report, busiest)
    with_change = len(each) > 2 and incomplete != "complete"
    return [*pairs, _each(each, with_change), _usage(annotations, marginals, each)], data


#: The numbers at which the next shade of a value begins.
VALUES = (0.0, 0.2, 0.4, 0.6, 0.8)


def _shade(number: float) -> str:
    return "hx" if math.isnan(number) else f"h{sum(number >= end for end in VALUES)}"


def sentences(*texts: str | bool) -> str:
    """Join the sentences that hold."""
    return " ".join(text for text in texts if isinstance(text, str) and text)


# ---------------------------------------------------------------------------------------------
# Pairs


def _pairs(
    annotations: Annotations, distance: Any, report: Report, busiest: Array
) -> tuple[list[Section], dict[str, Any]]:
    known = annotations.known_coders("a page")
    if len(known) < 2:
        return [], {}
    names = [known[c] for c in busiest.tolist()]
    few = annotations
    if len(known) > len(names):
        few = annotations.select(coders=names)
    meetings = sum(n * size * size for size, n in sums_of(annotations).items_by_size.items())
    all_together = meetings <= MEETINGS
    name = report.table[report.quoted].distance
    coefficient = "kappa" if name == "nominal" else "beta"
    pairs = pairwise_agreement(
        annotations if all_together else few,
        coefficient,
        distance=distance,
        confidence_level=report.observed.confidence_level,
    )
    values, items, lows, highs = (
        pairs.matrix(of, names).values for of in ("value", "n_items", "low", "high")
    )
    items = np.nan_to_num(items).astype(np.int64)
    if report.clustered:
        lows, highs = np.full_like(values, math.nan), np.full_like(values, math.nan)
    same = interval_of(report, PAIRED, mean_value(pairs.value)) if len(known) == 2 else None
    if same is not None:
        lows[0, 1], highs[0, 1] = shown_ends(same)
    shown = [label(name, 40) for name in names]
    n = len(names)
    crossed = _crossed(few, items)
    ends = {
        (i, j): [show_cell(values[i, j])]
        + ([] if math.isnan(lows[i, j]) else [show_cell(lows[i, j]), show_cell(highs[i, j])])
        for i, j in combinations(range(n), 2)
    }

    def cell(i: int, j: int) -> Shade:
        if i == j:
            return Shade("", "self")
        if i > j:
            return Shade(f"{items[i, j]:,}", "few")
        number, (value, *both) = values[i, j], ends[i, j]
        if math.isnan(number):
            value = "undefined: both used only one category"
        interval = f" ({' to '.join(both)})" if both else ""
        title = f"{shown[i]} and {shown[j]}: {value}{interval}, {counted(int(items[i, j]), 'item')}"
        if not items[i, j]:
            title = f"{shown[i]} and {shown[j]} share no item"
        text = "-" if math.isnan(number) else show_value(number, digits=2).replace("0.", ".", 1)
        key = f"{i}-{j}"
        return Shade(text, _shade(number), title, key if key in crossed["tables"] else "")

    symbol, mean = COEFFICIENTS[coefficient].symbol, show_cell(mean_value(pairs.value))
    apart = any(not items[pair] for pair in ends)
    closed = sum(items[i, j] > 0 and f"{i}-{j}" not in crossed["tables"] for i, j in ends)
    text = sentences(
        f"Above the diagonal is {symbol} ({name}) of two coders, below it the number of items that"
        " both judged.",
        len(pairs) > 1 and f"The mean of {len(pairs):,} pairs is {mean}.",
        "Select a value to see the labels of both coders.",
        n < len(known) and f"The {n} of {len(known)} coders with the most judgments are shown.",
        not all_together and "Only these coders are compared.",
        apart and "A dash without a button means that the two share no item.",
        closed > 0 and f"{closed} pairs have a value but no table, to keep the page small.",
        report.clustered and CLUSTERED,
    )
    rows = [(shown_name, *(cell(i, j) for j in range(n))) for i, shown_name in enumerate(shown)]
    level = f"{show_level(pairs.confidence_level)} interval"
    data = {"coefficient": symbol, "interval": level, "coders": shown, **crossed}
    data["values"] = {f"{i}-{j}": ends[i, j] for i, j in ends if f"{i}-{j}" in crossed["tables"]}
    return [Section("Pairs of coders", [text, numbered(shown, rows)])], {"pairs-data": data}


#: Why a page of clusters lacks intervals.
CLUSTERED = (
    "The sample consists of clusters of items. Intervals that would treat single items as the"
    " sample are left out."
)


def numbered(names: list[str], rows: Iterable[tuple[Any, ...]]) -> Rows:
    """Return a matrix; its columns have numbers in place of many or long names."""
    if len(names) <= 8 and max(map(len, names)) <= 12:
        return Rows(("", *names), list(rows))
    head = ("", *(str(place + 1) for place in range(len(names))))
    return Rows(head, [(f"{i + 1} {row[0]}", *row[1:]) for i, row in enumerate(rows)])


def _crossed(annotations: Annotations, items: Array) -> dict[str, Any]:
    """Return the tables of pairs that share items, while there is room: place, number, ..."""
    names = annotations.known_coders("a page")
    totals = sums_of(annotations).counts(1)
    most = np.sort(np.argsort(-totals, kind="stable")[:CROSSED])
    n_labels = len(annotations.labels)
    other = n_labels > len(most)
    place = np.full(n_labels, len(most))
    place[most] = np.arange(len(most))
    n = len(most) + other
    tables: dict[str, list[int]] = {}
    room = CELLS
    order = sorted(combinations(range(len(names)), 2), key=lambda pair: -items[pair])
    for i, j in order:
        if not items[i, j] or room <= 0 or n_labels > LABELS:
            break
        full = annotations.contingency_table(names[i], names[j])
        table = np.zeros((n, n), np.int64)
        np.add.at(table, (place[:, None], place[None, :]), full)
        cells = np.flatnonzero(table)
        flat = np.column_stack([cells, table.ravel()[cells]]).ravel().tolist()
        tables[f"{i}-{j}"] = flat
        room -= len(flat)
    labels = [label(annotations.categories[k], 24) for k in most.tolist()]
    return {"labels": labels, "other": other, "tables": tables}


# ---------------------------------------------------------------------------------------------
# Coders by themselves


def _each(each: CoderReport, with_change: bool) -> Section:
    """Return the coders; first the one without whom the coefficient would be highest."""
    first = each.order if with_change else np.argsort(each.against_rest, kind="stable")
    columns: dict[str, Any] = {**each.columns(), "without": each.value + each.change}
    columns["bar"] = [Bar(min(max(value, 0.0), 1.0) if value == value else 0.0)
                      for value in each.against_rest.tolist()]  # fmt: skip
    layout = "coder | judgments = n_judgments | with the others = against_rest |  = bar"
    if with_change:
        layout += " | without | change:+"
        if not np.isnan(each.change_low).all():
            layout += " | change_low..high:+"
    how = "who lower it most" if with_change else "who agree least"
    text = sentences(
        "Agreement with the others is chance-corrected and uses the items that the coder and at"
        " least one other judged.",
        with_change
        and f'"Without" is {each.coefficient} ({each.distance}) if the coder is left out; with all'
        f" coders it is {show_cell(each.value)}. A coder who differs is not necessarily wrong.",
        len(each) > LISTED and f"The {LISTED} of {len(each):,} coders {how} are shown.",
    )
    places = first[:LISTED].tolist()
    table = Rows.laid(columns, layout, places, limit=40, level=each.confidence_level)
    return Section("Each coder with the others", [text, table])


def _usage(annotations: Annotations, marginals: Array, each: CoderReport) -> Section:
    """Return the shares of the categories for each coder; the most unusual coder first."""
    totals = marginals.sum(1)
    top = np.sort(np.argsort(-marginals.sum(0), kind="stable")[:USED])
    busiest = np.argsort(-totals, kind="stable")[:LISTED]
    order = busiest[np.argsort(-np.nan_to_num(each.divergence[busiest], nan=-1), kind="stable")]
    rest = marginals.shape[1] - len(top)

    def row(name: str, counts: Array) -> tuple[Any, ...]:
        total = int(counts.sum())
        shares = (counts[top] / total).tolist() if total else [math.nan] * len(top)
        shares += [max(1.0 - math.fsum(shares), 0.0)] if rest else []
        cells = (Shade("-" if x != x else f"{x:.0%}", _shade(x)) for x in shares)
        return (name, total, *cells)

    rows = [row("all coders", marginals.sum(0))]
    rows += [row(show_label(each.coders[c], 40), marginals[c]) for c in order.tolist()]
    heads = [show_label(annotations.categories[k]) for k in top.tolist()]
    head = ("coder", "judgments", *heads, *([f"{rest:,} others"] if rest else []))
    n, shown = len(each), len(order)
    text = sentences(
        "Shares of the categories in each coder's judgments. The coder who differs most from all"
        " others comes first.",
        n > shown and f"The {shown} of {n:,} coders with the most judgments are shown.",
    )
    return details("Categories used by each coder", text, Rows(head, rows))

"""The section of the coders: pairs, each coder with the others, and their categories."""

from __future__ import annotations

import math
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
from agreement_fast.options import Incomplete
from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.terminal import counted
from agreement_fast.reports.intervals import shown_ends
from agreement_fast.reports.words import (
    DASH,
    bar_width,
    between,
    count,
    label,
    level_of,
    of_value,
    percent,
    shown_interval,
    signed,
    value,
)

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


def coders(
    annotations: Annotations,
    coefficient: str,
    distance: DistanceLike,
    report: Report,
) -> dict[str, Any] | None:
    """Return the values of the template `coders.html`, or None if the coders are unknown.

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
        return None
    if len(annotations.coders) * len(annotations.labels) > CELLS_OF_ALL:
        return {"matrix": None, "too_many": count(len(annotations.labels))}
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
    return {
        "too_many": "",
        "clustered": report.clustered,
        "matrix": _matrix(annotations, distance, report, busiest),
        "each": _each(each, incomplete),
        "usage": _usage(annotations, marginals, each),
    }


# ---------------------------------------------------------------------------------------------
# Pairs


def _matrix(
    annotations: Annotations, distance: Any, report: Report, busiest: Array
) -> dict[str, Any] | None:
    known = annotations.known_coders("a page")
    if len(known) < 2:
        return None
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
    same = shown_interval(report, PAIRED, mean_value(pairs.value)) if len(known) == 2 else None
    if same is not None:
        lows[0, 1], highs[0, 1] = shown_ends(same)
    shown = [label(name, 40) for name in names]
    n = len(names)
    crossed = _crossed(few, items)
    tables = crossed["tables"]
    ends = {
        (i, j): [value(values[i, j])]
        + ([] if math.isnan(lows[i, j]) else [value(lows[i, j]), value(highs[i, j])])
        for i, j in combinations(range(n), 2)
    }

    def cell(i: int, j: int) -> dict[str, Any]:
        first, second = min(i, j), max(i, j)
        pair, met = f"{first}-{second}", int(items[i, j])
        title = ""
        if i != j:
            title = f"{shown[i]} and {shown[j]} share no item"
        if i != j and met:
            number, *both = ends[first, second]
            if math.isnan(values[i, j]):
                number = "undefined: both used only one category"
            interval = f" ({' to '.join(both)})" if both else ""
            title = f"{shown[i]} and {shown[j]}: {number}{interval}, {counted(met, 'item')}"
        return {
            "kind": "self" if i == j else "value" if j > i else "items",
            "text": value(values[i, j], 2).replace("0.", ".", 1) if j > i else count(met),
            "heat": of_value(values[i, j]) if j > i else "",
            "pair": pair,
            "open": pair in tables,
            "title": title,
        }

    coefficient = COEFFICIENTS[coefficient].symbol
    return {
        "coefficient": coefficient,
        "distance": name,
        "names": shown,
        "numbered": n > 8 or max(map(len, shown)) > 12,
        "rows": [
            {"name": shown[i], "number": i + 1, "cells": [cell(i, j) for j in range(n)]}
            for i in range(n)
        ],
        "n_coders": len(known),
        "mean": value(mean_value(pairs.value)),
        "n_pairs": count(len(pairs)),
        "all_together": all_together,
        "n_apart": sum(not items[pair] for pair in ends),
        "closed": sum(items[i, j] > 0 and f"{i}-{j}" not in tables for i, j in ends),
        "data": {
            "coefficient": coefficient,
            "interval": level_of(pairs),
            "coders": shown,
            **crossed,
            "values": {f"{i}-{j}": ends[i, j] for i, j in ends if f"{i}-{j}" in tables},
        },
    }


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


def _each(report: CoderReport, incomplete: Incomplete) -> dict[str, Any]:
    """Return the coders; first the one without whom the coefficient would be highest."""
    with_change = len(report) > 2 and incomplete != "complete"
    order = report.order if with_change else np.argsort(report.against_rest, kind="stable")
    low, high = report.change_low, report.change_high
    rows = [
        {
            "name": label(report.coders[c], 40),
            "judgments": count(int(report.n_judgments[c])),
            "rest": value(float(report.against_rest[c])),
            "rest_width": bar_width(float(report.against_rest[c])),
            "without": value(report.value + float(report.change[c])),
            "change": signed(float(report.change[c])),
            "between": between(float(low[c]), float(high[c]), signed),
            "lowers": float(report.change[c]) > 0,
        }
        for c in order[:LISTED].tolist()
    ]
    return {
        "coefficient": report.coefficient,
        "distance": report.distance,
        "value": value(report.value),
        "with_change": with_change,
        "interval": level_of(report) if any(row["between"] != DASH for row in rows) else "",
        "rows": rows,
        "n_coders": len(report),
    }


def _usage(annotations: Annotations, marginals: Array, each: CoderReport) -> dict[str, Any]:
    """Return the shares of the categories for each coder; the most unusual coder first."""
    totals = marginals.sum(1)
    top = np.sort(np.argsort(-marginals.sum(0), kind="stable")[:USED])
    busiest = np.argsort(-totals, kind="stable")[:LISTED]
    order = busiest[np.argsort(-np.nan_to_num(each.divergence[busiest], nan=-1), kind="stable")]
    rest = marginals.shape[1] > len(top)

    def row(name: str, counts: Array) -> dict[str, Any]:
        total = int(counts.sum())
        shares = (counts[top] / total).tolist() if total else [math.nan] * len(top)
        shares += [max(1.0 - math.fsum(shares), 0.0)] if rest else []
        shown = [(percent(share, 0), bar_width(share)) for share in shares]
        return {"name": name, "judgments": count(total), "shares": shown}

    rows = [row(label(each.coders[c], 40), marginals[c]) for c in order.tolist()]
    heads = [label(annotations.categories[k], 24) for k in top.tolist()]
    n_rest = marginals.shape[1] - len(top)
    return {
        "heads": [*heads, *([f"{count(n_rest)} others"] if rest else [])],
        "all": row("all coders", marginals.sum(0)),
        "rows": rows,
        "n_coders": len(each),
    }

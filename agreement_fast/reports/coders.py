"""The section of the coders: pairs, each coder with the others, and their categories."""

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
from agreement_fast.diagnostics.pairs import PairwiseAgreement, mean_value, pairwise_agreement
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.options import Incomplete
from agreement_fast.points import COEFFICIENTS
from agreement_fast.reports.intervals import shown_ends
from agreement_fast.reports.words import (
    DASH,
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
    values, items, lows, highs = _of_pairs(pairs, names)
    if report.clustered:
        lows, highs = np.full_like(values, math.nan), np.full_like(values, math.nan)
    same = shown_interval(report, PAIRED, mean_value(pairs.value)) if len(known) == 2 else None
    if same is not None:
        lows[0, 1], highs[0, 1] = shown_ends(same)
    shown = [label(name, 40) for name in names]
    n = len(names)
    crossed = _crossed(few, items)
    rows = []
    for i in range(n):
        cells = []
        for j in range(n):
            first, second = min(i, j), max(i, j)
            met = int(items[i, j])
            cells.append(
                {
                    "kind": "self" if i == j else "value" if j > i else "items",
                    "text": _short(values[i, j]) if j > i else count(met),
                    "heat": of_value(values[i, j]) if j > i else "",
                    "pair": f"{first}-{second}",
                    "open": f"{first}-{second}" in crossed["tables"],
                    "title": _title(shown, i, j, values, items, lows, highs),
                }
            )
        rows.append({"name": shown[i], "number": i + 1, "cells": cells})
    return {
        "coefficient": COEFFICIENTS[coefficient].symbol,
        "distance": name,
        "names": shown,
        "numbered": n > 8 or max(map(len, shown)) > 12,
        "rows": rows,
        "n_coders": len(known),
        "mean": value(mean_value(pairs.value)),
        "n_pairs": count(len(pairs)),
        "all_together": all_together,
        "n_apart": int(np.count_nonzero(items[np.triu_indices(n, 1)] == 0)),
        "closed": sum(
            1 for i, j in combinations(range(n), 2)
            if items[i, j] and f"{i}-{j}" not in crossed["tables"]
        ),
        "data": {
            "coefficient": COEFFICIENTS[coefficient].symbol,
            "interval": level_of(pairs),
            "coders": shown,
            "labels": crossed["labels"],
            "other": crossed["other"],
            "tables": crossed["tables"],
            "values": {
                pair: _ends(values, lows, highs, *map(int, pair.split("-")))
                for pair in crossed["tables"]
            },
        },
    }  # fmt: skip


def _of_pairs(pairs: PairwiseAgreement, names: list[Any]) -> tuple[Array, Array, Array, Array]:
    """Return values, items and ends of intervals as matrices of some coders."""
    place = np.full(len(pairs.coders), -1)
    at = {name: i for i, name in enumerate(pairs.coders)}
    place[[at[name] for name in names]] = np.arange(len(names))
    first, second = place[pairs.first], place[pairs.second]
    both = (first >= 0) & (second >= 0)
    first, second = first[both], second[both]
    shape = (len(names), len(names))

    def square(column: Any, empty: float) -> Array:
        out = np.full(shape, empty)
        out[first, second] = out[second, first] = column[both]
        return out

    return (
        square(pairs.value, math.nan),
        square(pairs.n_items, 0),
        square(pairs.low, math.nan),
        square(pairs.high, math.nan),
    )


def _short(number: float) -> str:
    text = value(number, 2)
    return text.replace("0.", ".", 1)


def _ends(values: Array, lows: Array, highs: Array, i: int, j: int) -> list[str]:
    known = not math.isnan(lows[i, j])
    return [value(values[i, j]), *([value(lows[i, j]), value(highs[i, j])] if known else [])]


def _title(
    names: list[str], i: int, j: int, values: Array, items: Array, lows: Array, highs: Array
) -> str:
    if i == j:
        return ""
    who = f"{names[i]} and {names[j]}"
    met = int(items[i, j])
    if not met:
        return f"{who} share no item"
    number, *ends = _ends(values, lows, highs, i, j)
    between = f" ({ends[0]} to {ends[1]})" if ends else ""
    if math.isnan(values[i, j]):
        number = "undefined: both used only one category"
    return f"{who}: {number}{between}, {count(met)} {'item' if met == 1 else 'items'}"


def _crossed(annotations: Annotations, items: Array) -> dict[str, Any]:
    """Return the tables of pairs that share items, while there is room: place, number, ..."""
    names = annotations.known_coders("a page")
    totals = sums_of(annotations).counts(1)
    most = np.sort(np.argsort(-totals, kind="stable")[:CROSSED])
    n_labels = len(annotations.labels)
    other = n_labels > len(most)
    place = np.full(n_labels, len(most))
    place[most] = np.arange(len(most))
    width = len(most) + other
    tables: dict[str, list[int]] = {}
    room = CELLS
    order = sorted(combinations(range(len(names)), 2), key=lambda pair: -items[pair])
    for i, j in order:
        if not items[i, j] or room <= 0 or n_labels > LABELS:
            break
        full = annotations.contingency_table(names[i], names[j])
        table = np.zeros((width, width), np.int64)
        np.add.at(table, (place[:, None], place[None, :]), full)
        cells = np.flatnonzero(table)
        flat = np.column_stack([cells, table.ravel()[cells]]).ravel().tolist()
        tables[f"{i}-{j}"] = flat
        room -= len(flat)
    labels = [label(annotations.categories[k], 24) for k in most.tolist()]
    return {"labels": labels, "other": bool(other), "tables": tables}


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
            "rest_width": _width(float(report.against_rest[c])),
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


def _width(number: float) -> float:
    return 0.0 if math.isnan(number) else round(100 * min(max(number, 0.0), 1.0), 1)


def _usage(annotations: Annotations, marginals: Array, each: CoderReport) -> dict[str, Any]:
    """Return the shares of the categories for each coder; the most unusual coder first."""
    totals = marginals.sum(1)
    top = np.sort(np.argsort(-marginals.sum(0), kind="stable")[:USED])
    busiest = np.argsort(-totals, kind="stable")[:LISTED]
    order = busiest[np.argsort(-np.nan_to_num(each.divergence[busiest], nan=-1), kind="stable")]
    rest = marginals.shape[1] > len(top)

    def row(name: str, counts: Array) -> dict[str, Any]:
        total = int(counts.sum())
        shares = counts[top] / total if total else np.full(len(top), np.nan)
        listed = [*shares.tolist(), *([1.0 - math.fsum(shares.tolist())] if rest else [])]
        return {"name": name, "judgments": count(total), "shares": list(_shares(listed))}

    rows = [row(label(each.coders[c], 40), marginals[c]) for c in order.tolist()]
    heads = [label(annotations.categories[k], 24) for k in top.tolist()]
    n_rest = marginals.shape[1] - len(top)
    return {
        "heads": [*heads, *([f"{count(n_rest)} others"] if rest else [])],
        "all": row("all coders", marginals.sum(0)),
        "rows": rows,
        "n_coders": len(each),
    }


def _shares(shares: Iterable[float]) -> Iterable[tuple[str, float]]:
    for share in shares:
        known = 0.0 if math.isnan(share) else max(share, 0.0)
        yield percent(share if math.isnan(share) else known, 0), round(100 * known, 1)

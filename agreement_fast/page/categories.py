"""The section of the categories: agreement on each, confusions, and the effect of merging."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics import category_agreement, category_confusions
from agreement_fast.page.words import (
    DASH,
    between,
    count,
    label,
    level_of,
    of_ratio,
    percent,
    shown_interval,
    signed,
    value,
)
from agreement_fast.report import Report
from agreement_fast.report.intervals import shown_ends

#: The most categories for which the agreement on each is computed.
MOST = 1000

#: The most categories of the table, of the matrix of confusions, and the most pairs.
LISTED = 30
CROSSED = 15
PAIRS = 10


def categories(annotations: Annotations, report: Report) -> dict[str, Any]:
    """Return the values of the template `categories.html`."""
    n = len(report.categories)
    if n > MOST:
        return {"too_many": count(n), "rows": [], "confusions": None}
    table = category_agreement(annotations, confidence_level=report.observed.confidence_level)
    counts = np.array([row.n_judgments for row in table])
    order = np.argsort(-counts, kind="stable")
    listed = np.sort(order[:LISTED])
    top = max([row.share for row in table if not math.isnan(row.share)], default=0.0)
    # With two categories, α of each against the other is the coefficient itself.
    two = np.count_nonzero(counts) == 2
    rows = []
    for k in listed.tolist():
        row = table[k]
        specific = (row.specific_low, row.specific_high)
        alpha = (row.alpha_low, row.alpha_high)
        if report.clustered:
            specific = alpha = (math.nan, math.nan)
        same = shown_interval(report, ("alpha",), row.alpha) if two else None
        if same is not None:
            alpha = shown_ends(same)
        rows.append(
            {
                "name": label(row.label, 48),
                "judgments": count(row.n_judgments),
                "share": percent(row.share),
                "share_width": round(100 * row.share / top, 1) if top and row.share > 0 else 0,
                "specific": value(row.specific_agreement),
                "between": between(*specific),
                "x": _place(row.specific_agreement),
                "x_low": _place(specific[0]),
                "x_high": _place(specific[1]),
                "alpha": value(row.alpha),
                "alpha_between": between(*alpha),
                "undefined": row.undefined,
            }
        )
    return {
        "too_many": "",
        "rows": rows,
        "n": n,
        "of_sets": any(isinstance(row.label, frozenset) for row in table),
        "clustered": report.clustered,
        "interval": _level(report, rows, "between"),
        "interval_of_alpha": _level(report, rows, "alpha_between"),
        "uneven": table.uneven,
        "confusions": _confusions(annotations, np.sort(order[:CROSSED]).tolist(), n),
    }


def _level(report: Report, rows: list[dict[str, Any]], key: str) -> str:
    return level_of(report.observed) if any(row[key] != DASH for row in rows) else ""


def _place(share: float) -> float | None:
    return None if math.isnan(share) else round(6 + 108 * share, 1)


def _confusions(annotations: Annotations, top: list[int], n: int) -> dict[str, Any] | None:
    """Return the confusions of the most frequent categories, and the worst pairs."""
    met = annotations.coincidence_matrix()
    counts = met.sum(0)
    total = float(counts.sum())
    if n < 2 or total < 2 or np.count_nonzero(counts) < 2:
        return None
    expected = (np.outer(counts, counts) - np.diag(counts)) / (total - 1)
    ratio = np.full(met.shape, math.nan)
    np.divide(met, expected, out=ratio, where=expected > 0)
    names = [label(annotations.categories[k], 24) for k in top]
    rows = [
        {
            "name": names[i],
            "number": i + 1,
            "cells": [
                {
                    "text": _ratio(ratio[j, k]),
                    "heat": "rs" if j == k else of_ratio(float(ratio[j, k])),
                    "above": j != k and ratio[j, k] >= 1,
                    "title": f"{names[i]} and {names[at]}: {count(met[j, k])} times,"
                    f" {value(float(expected[j, k]), 1)} by chance",
                }
                for at, k in enumerate(top)
            ],
        }
        for i, j in enumerate(top)
    ]
    pairs = [
        {
            "first": label(one.first, 32),
            "second": label(one.second, 32),
            "share": percent(one.share),
            "width": round(100 * one.share, 1) if one.share > 0 else 0,
            "ratio": _ratio(one.ratio),
            "merged": value(one.merged_alpha),
            "gain": signed(one.gain),
        }
        for one in category_confusions(annotations, limit=PAIRS)
        if one.observed > 0
    ]
    return {
        "names": names,
        "rows": rows,
        "pairs": pairs,
        "n": n,
        "n_pairs": int(np.count_nonzero(met[np.triu_indices(n, 1)])),
        "numbered": len(names) > 6 or max(map(len, names)) > 12,
    }


def _ratio(number: float) -> str:
    if math.isnan(number):
        return value(number)
    return (
        f"{number:.0f}" if number >= 99.5 else f"{number:.1f}" if number >= 10 else value(number, 2)
    )

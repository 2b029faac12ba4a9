"""The section of the coefficients: values, intervals, and reasons for undefined values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.terminal import by_reason
from agreement_fast.reports.intervals import also_called, fault, shown_ends
from agreement_fast.reports.words import Axis, clean, distance, value

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report

#: Kinds of remarks that refer to other commands, whose results are on the page.
POINTERS = ("diagnose",)

#: Width of the plot of an interval, in pixels.
WIDTH = 220


def coefficients(report: Report) -> dict[str, Any]:
    """Return the values of the template `coefficients.html`."""
    intervals = report.intervals or [None] * len(report.table)
    ends = [
        end
        for interval in intervals
        if interval is not None
        for end in (interval.low, interval.high)
    ]
    axis = Axis.over([*(entry.value for entry in report.table), *ends], WIDTH)
    rows = []
    for place, (result, interval) in enumerate(zip(report.table, intervals, strict=True)):
        low, high = shown_ends(interval)
        rows.append(
            {
                "name": result.coefficient,
                "symbol": COEFFICIENTS[result.coefficient].symbol,
                "also": also_called(result),
                "distance": result.distance,
                "quoted": place == report.quoted,
                "undefined": result.undefined,
                "value": value(result.value),
                "fault": None if interval is None else fault(interval),
                "note": None if interval is None else interval.note,
                "observed": distance(result.observed_disagreement),
                "expected": distance(result.expected_disagreement),
                **axis.whisker(result.value, low, high),
            }
        )
    first = report.intervals[0] if report.intervals else None
    return {
        "rows": rows,
        "width": WIDTH,
        "ticks": axis.ticks(),
        "level": "" if first is None else f"{first.confidence_level * 100:.12g}%",
        "several_distances": len({row["distance"] for row in rows}) > 1,
        "undefined": _reasons(rows, "undefined"),
        "notes": [
            (what, names, reason)
            for what in dict.fromkeys(row["fault"] for row in rows if row["note"])
            for names, reason in _reasons([row for row in rows if row["fault"] == what], "note")
        ],
        "remarks": [clean(remark.text) for remark in report.remarks if remark.kind not in POINTERS],
    }


def _reasons(rows: list[dict[str, Any]], key: str) -> list[tuple[str, str]]:
    """Return each reason once, with its coefficients."""
    result = by_reason((f"{row['symbol']} ({row['distance']})", row[key]) for row in rows)
    return [(", ".join(names), clean(reason)) for reason, names in result.items()]

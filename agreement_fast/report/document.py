"""The report as a document for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agreement_fast.json_values import json_fields, json_label, json_number
from agreement_fast.points import COEFFICIENTS
from agreement_fast.report.intervals import failing
from agreement_fast.report.paper import citation, sentence
from agreement_fast.report.scales import REPORTED, also_called, read_all, readings
from agreement_fast.results import Agreement

if TYPE_CHECKING:
    from agreement_fast.report.content import Report
    from agreement_fast.report.cross import CrossTable
    from agreement_fast.report.intervals import Interval


def report_dict(report: Report) -> dict[str, Any]:
    """See `Report.to_dict`."""
    intervals = report.intervals or [None] * len(report.table)
    return {
        "rows_stored": report.n_rows,
        "items": report.n_items,
        "items_with_one_judgment": report.n_items_single,
        "items_without_judgment": report.n_items_unjudged,
        "coders": report.n_coders,
        "judgments": report.n_judgments,
        "missing": report.n_missing,
        "duplicates_dropped": report.n_duplicates_dropped,
        "duplicates_united": report.n_duplicates_united,
        "duplicates_tied": report.n_duplicates_tied,
        "items_judged_once": report.n_items_judged_once,
        "incomplete": report.incomplete,
        "categories_declared": report.declared,
        "categories": [
            {"label": json_label(c.label), "judgments": c.count, "share": json_number(c.share)}
            for c in report.categories
        ],
        "observed_agreement": {
            **json_fields(report.observed, "value standard_error confidence_level low high"),
            "items": report.observed.n_items,
            "undefined": report.observed.undefined,
        },
        "coefficients": [
            _coefficient_dict(result, interval)
            for result, interval in zip(report.table, intervals, strict=True)
        ],
        "remarks": [{"kind": remark.kind, "text": remark.text} for remark in report.remarks],
        "cross_table": None if report.cross is None else _cross_dict(report.cross),
        "rare_categories": [
            {
                "label": json_label(row.label),
                "chance_agreements": json_number(row.expected),
                "items_needed": row.items_needed,
            }
            for row in report.rare
        ],
        "paper": {
            "coefficient": report.table[report.quoted].coefficient,
            "distance": report.table[report.quoted].distance,
            "interval": None
            if report.quoted_interval is None
            else _interval_dict(report.quoted_interval),
            "readings": {
                one.scale.key: {
                    "value": one.band.meaning,
                    "low": None if one.low is None else one.low.meaning,
                    "high": None if one.high is None else one.high.meaning,
                }
                for one in readings(report)
            },
            "sentence": sentence(report),
            "citation": citation(),
        },
    }


def _coefficient_dict(result: Agreement, interval: Interval | None) -> dict[str, Any]:
    row = COEFFICIENTS.get(result.coefficient)
    return {
        "coefficient": result.coefficient,
        "also_called": also_called(result) or None,
        "source": None if row is None else row.source,
        **json_fields(
            result,
            "distance chance item_weight value observed_disagreement expected_disagreement "
            "observed_agreement expected_agreement",
        ),
        "items": result.n_items,
        "items_dropped": result.n_items_dropped,
        "coders": result.n_coders,
        "judgments": result.n_judgments,
        "categories": result.n_categories,
        "undefined": result.undefined,
        "readings": {
            scale.key: None if band is None else band.meaning
            for scale, band in zip(REPORTED, read_all(result), strict=True)
        },
        "interval": None if interval is None else _interval_dict(interval),
    }


def _cross_dict(table: CrossTable) -> dict[str, Any]:
    return {
        "kind": table.kind,
        "rows": None if table.coders is None else json_label(table.coders[0]),
        "columns": None if table.coders is None else json_label(table.coders[1]),
        "labels": list(map(json_label, table.labels)),
        "others": table.n_others,
        "values": [list(map(json_number, row)) for row in table.values],
        "row_totals": list(map(json_number, table.row_totals)),
        "column_totals": list(map(json_number, table.column_totals)),
        "total": json_number(table.total),
    }


def _interval_dict(interval: Interval) -> dict[str, Any]:
    return {
        **json_fields(interval, "method confidence_level standard_error low high"),
        "resample": getattr(interval, "resample", None),
        "resamples": getattr(interval, "n_resamples", None),
        "resamples_undefined": getattr(interval, "n_undefined", None),
        "failing": [{"minimum": least, "probability": q} for least, q in failing(interval).items()]
        or None,
        "note": interval.note,
    }

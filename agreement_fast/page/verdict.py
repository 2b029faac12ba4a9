"""The first section: the quoted coefficient, its interval, and the paragraph for a paper."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.page.words import Axis, count, percent, value
from agreement_fast.points import COEFFICIENTS
from agreement_fast.report import Report, citation
from agreement_fast.report.intervals import shown_ends
from agreement_fast.report.scales import (
    REPORTED,
    WARNING,
    Reading,
    also_called,
    readings,
    why_not_read,
)

#: Width of the plot in its own units; it is scaled to the width of the page.
WIDTH = 640


def verdict(report: Report) -> dict[str, Any]:
    """Return the values of the template `verdict.html`."""
    result = report.table[report.quoted]
    interval = report.quoted_interval
    low, high = shown_ends(interval)
    read = readings(report)
    row = COEFFICIENTS[result.coefficient]
    return {
        "symbol": row.symbol,
        "name": also_called(result) or result.coefficient,
        "distance": result.distance,
        "value": value(result.value),
        "undefined": result.undefined,
        "level": "" if interval is None else f"{interval.confidence_level * 100:.12g}%",
        "low": value(low),
        "high": value(high),
        "no_interval": _no_interval(report, low),
        "facts": _facts(report),
        "picture": None if result.undefined else _picture(result.value, low, high, bool(read)),
        "readings": [
            {"scale": one.scale.name, "word": _words(one), "legend": one.scale.legend}
            for one in read
        ],
        "warning": None if result.undefined else why_not_read(report) or WARNING,
        "sentence": report.sentence(),
        "citation": citation(),
        "bibtex": citation("bibtex"),
    }


def _words(reading: Reading) -> str:
    """Return the name of the band of the value, or the names of those that its interval reaches."""
    if reading.low is None or reading.high is None or not reading.crosses:
        return reading.band.word
    return f"{reading.band.word} (interval: {reading.low.word} to {reading.high.word})"


def _no_interval(report: Report, low: float) -> str:
    """Return why there is no interval, or why it has no width or is too narrow."""
    interval = report.quoted_interval
    if interval is None:
        return "it has no interval"
    if interval.note is not None:
        return interval.note
    return "the data are too few for an interval" if math.isnan(low) else ""


def _facts(report: Report) -> list[tuple[str, str, str]]:
    """Return number, noun and remark for items, coders, judgments and categories."""
    possible = report.n_judgments + report.n_missing
    missing = f"{percent(report.n_missing / possible)} missing" if report.n_missing else ""
    if not report.n_missing and report.n_coders is not None:
        missing = "none missing"
    single = report.n_items_single + report.n_items_unjudged
    used = sum(1 for category in report.categories if category.count)
    unused = len(report.categories) - used
    coders = "" if report.n_coders is None else count(report.n_coders)
    return [
        (count(report.n_items), _noun(report.n_items, "item"),
         f"{count(single)} with fewer than two judgments" if single else ""),
        (coders or "?", "coders" if report.n_coders is None else _noun(report.n_coders, "coder"),
         "" if coders else "it is not known who judged what"),
        (count(report.n_judgments), _noun(report.n_judgments, "judgment"), missing),
        (count(len(report.categories)),
         "category" if len(report.categories) == 1 else "categories",
         f"{count(unused)} never used" if unused else ""),
    ]  # fmt: skip


def _noun(number: int, one: str) -> str:
    return one if number == 1 else f"{one}s"


def _picture(number: float, low: float, high: float, banded: bool) -> dict[str, Any]:
    """Place a value and its interval over the bands of Krippendorff 1980."""
    axis = Axis.over([number, low], WIDTH, margin=12)
    bands = []
    if banded:
        top = 1.0
        for level, band in enumerate(REPORTED[1].bands):
            bottom = max(band.above, axis.low)
            left, right = axis.x(bottom), axis.x(top)
            bands.append(
                {
                    "x": left,
                    "width": round(right - left, 1),
                    "middle": round((left + right) / 2, 1),
                    "word": band.word,
                    "level": level,
                }
            )
            top = bottom
    known = not (math.isnan(low) or math.isnan(high))
    return {
        "width": WIDTH,
        "x": axis.x(number),
        "low": axis.x(low) if known else None,
        "high": axis.x(high) if known else None,
        "bands": bands,
        "ticks": axis.ticks(),
    }

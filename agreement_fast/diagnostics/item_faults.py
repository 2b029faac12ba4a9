"""Findings about items: a few hold the disagreement, there are few, or few coders judged them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.diagnostics.findings import GOOD, Finding
from agreement_fast.diagnostics.items import ROUNDING, item_disagreement
from agreement_fast.inference.spearman_brown import judgments_needed, spearman_brown
from agreement_fast.points import Point
from agreement_fast.results import Agreement
from agreement_fast.terminal import show_label

#: Half of the width from which an interval is called wide.
WIDE = 0.1

#: Judgments per item above which more judgments are not recommended.
MANY = 20

#: Items that are named.
LISTED = 5


class Interval(Protocol):
    """The interval of the coefficient: a `StandardError` or a `BootstrapResult`."""

    @property
    def standard_error(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def confidence_level(self) -> float: ...
    @property
    def note(self) -> str | None: ...


def disputed_finding(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    """Find a tenth of the items, or fewer, that hold half of the disagreement."""
    if result.value >= GOOD:
        return
    items = item_disagreement(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    n_items, holding = len(items.items), items.holding(0.5)
    if holding < 1:
        return
    begin, end = items.tied(holding - 1)
    # The most disputed items are equally disputed, so no order among them is meaningful.
    alike = begin == 0 and end > holding
    if begin == 0 and end == len(items.order):
        # All disputed items are equally disputed, as always for two coders and the nominal
        # distance. That they hold the disagreement then only says how many there are.
        return
    n = end if alike else holding
    if n > 0.1 * n_items:
        return
    share = float(items.share[items.order[:n]].sum())
    top = items.most_disputed(LISTED)
    shown = ", ".join(show_label(one.item) for one in top)
    last = items.tied(len(top) - 1)[1]
    more = f" (and {last - LISTED:,} more tied with the last)" if last > LISTED else ""
    if alike:
        more = f" and {n - LISTED:,} more" if n > LISTED else ""
        sentence = (
            f"{_part(share)} of the disagreement lies in {n:,} of {n_items:,} items, which are "
            f"equally disputed: {shown}{more}."
        )
    else:
        sentence = (
            f"Half of the disagreement lies in {n:,} of {n_items:,} items. The most disputed are "
            f"{shown}{more}."
        )
    yield Finding(
        "disputed items",
        share * result.observed_disagreement / result.expected_disagreement,
        sentence,
        "Read these items first: what they have in common is often missing from the guidelines. "
        "Do not drop them: they are part of the task.",
        {
            "n_holding_half": holding,
            "n_equally_disputed": end - begin if end > holding else 0,
            "share": share,
            "items": [one.item for one in top],
            "shares": [one.share for one in top],
            "influences": [one.influence for one in top],
        },
    )


def _part(share: float) -> str:
    return "All" if share > 1 - ROUNDING else f"{share:.0%}"


def few_items_finding(
    result: Agreement, error: Interval, *, prevails: bool = False
) -> Iterator[Finding]:
    """Find an interval that is wide, includes a threshold, or rests on few judgments.

    Parameters
    ----------
    result : Agreement
        The coefficient.
    error : Interval
        Its interval.
    prevails : bool, default False
        Whether one category prevails, so that a value of 0 concerns only the others.
    """
    level = f"{100 * error.confidence_level:g}%"
    reach = (error.high - error.low) / 2
    if math.isnan(reach):
        yield Finding(
            "few items",
            math.nan,
            f"With {result.n_items:,} item{'s' * (result.n_items > 1)}, {result.coefficient} has "
            f"no interval, so its precision is unknown{f': {error.note}' if error.note else ''}.",
            "Have more items judged.",
            {"n_items": result.n_items},
        )
        return
    numbers = {
        "n_items": result.n_items,
        "standard_error": error.standard_error,
        "low": error.low,
        "high": error.high,
    }
    if error.note is not None and result.observed_disagreement > 0:
        yield Finding(
            "few items",
            min(reach, 1.0),
            f"With {result.n_items:,} items, the {level} interval of {result.coefficient} is "
            f"{error.low:.3f} to {error.high:.3f}, but it is unreliable. "
            f"{error.note[:1].upper()}{error.note[1:]}.",
            "Have more items judged, especially items of the rarer categories. Until then, the "
            "data support few conclusions.",
            numbers,
        )
        return
    if error.high < 0 or (error.low <= 0 and reach <= WIDE):
        yield Finding(
            "no agreement",
            math.nan,
            f"Coders agree {'less' if error.high < 0 else 'no more'} than expected by chance: "
            f"with {result.n_items:,} items, {result.coefficient} is {result.value:.3f} "
            f"({level} interval {error.low:.3f} to {error.high:.3f}).",
            "First check that the data were read correctly: which column is the item, which the "
            "coder, and which the label. Then let the coders discuss some items: they do not yet "
            f"share an understanding of the {'rarer ' * prevails}categories, and more judgments "
            "will not change that.",
            numbers,
        )
        return
    cuts = [t for t in THRESHOLDS if error.low < t <= error.high]
    if not (reach > WIDE or (reach > 0.02 and cuts)):
        return
    needed = math.ceil(result.n_items * (reach / 0.05) ** 2)
    verdict = ""
    if error.low <= 0:
        verdict = ", so it is unclear whether coders agree beyond chance"
    elif cuts:
        verdict = ", so it is unclear whether it reaches " + " or ".join(f"{t:g}" for t in cuts)
    more = f"; an interval of ±0.05 requires about {needed:,} items" if reach > 0.05 else ""
    yield Finding(
        "few items",
        min(reach, 1.0),
        f"With {result.n_items:,} items, {result.coefficient} is known only to ±{reach:.3f} "
        f"({level} interval {error.low:.3f} to {min(error.high, 1.0):.3f}){verdict}.",
        f"Have more items judged{more}.",
        numbers | {"thresholds": cuts, "n_items_for_0.05": needed},
    )


def few_judgments_finding(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    """Find items without a second judgment, or too few judgments for a reliable majority."""
    dropped, n_items = result.n_items_dropped, annotations.n_items
    each = result.n_judgments / result.n_items
    value = result.value
    together = spearman_brown(value, each) if value > 0 else math.nan
    needed = judgments_needed(value, GOOD) if value > 0 else None
    numbers = {
        "judgments_an_item": each,
        "n_items_dropped": dropped,
        "n_items": n_items,
        "reliability_together": together,
        "judgments_for_0.8": needed,
    }
    if dropped > 0.05 * n_items:
        why = (
            "are left out because not all coders judged them"
            if result.incomplete == "complete"
            else "have fewer than two judgments and show nothing about agreement"
        )
        yield Finding(
            "few judgments",
            math.nan,
            f"{dropped:,} of {n_items:,} items {why}.",
            "Have them judged by more coders, or report that the value is that of the other "
            f"{result.n_items:,} items.",
            numbers,
        )
    elif value > 0 and together < GOOD and needed is not None:
        yield Finding(
            "few judgments",
            math.nan,
            f"Items with at least two judgments have {each:.3g} on average. If you use the mean "
            f"or majority of an item, its reliability is about {together:.2f} (Spearman–Brown).",
            f"With this agreement, a reliability of {GOOD:g} requires {needed:,} judgments per "
            "item; "
            + ("better guidelines require fewer." if needed <= MANY else "improve the guidelines."),
            numbers,
        )

"""Faults of the items: few of them hold the disagreement, they are few, or judged by few."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.diagnostics.finding import GOOD, Finding
from agreement_fast.diagnostics.items import ROUNDING, item_disagreement
from agreement_fast.inference.spearman_brown import judgments_needed, spearman_brown
from agreement_fast.points import Point
from agreement_fast.results import Agreement
from agreement_fast.terminal import show_label

#: Half an interval that leaves open what the value is.
WIDE = 0.1

#: Judgments of an item that nobody pays for.
MANY = 20

#: Items that are named.
LISTED = 5


class Interval(Protocol):
    """How sure the coefficient is: a `StandardError`, or a `BootstrapResult`."""

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
    """A tenth of the items, or fewer, that hold half of the disagreement, more than others do."""
    if result.value >= GOOD:
        return
    items = item_disagreement(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    n_items, holding = len(items.items), items.holding(0.5)
    if holding < 1:
        return
    begin, end = items.tied(holding - 1)
    # The most disputed items are all alike: none of them stands before the others.
    alike = begin == 0 and end > holding
    if begin == 0 and end == len(items.order):
        # All that disagree are equally disputed, as two coders always are under the nominal
        # distance: that they hold the disagreement says nothing but how many they are.
        return
    n = end if alike else holding
    if n > 0.1 * n_items:
        return
    share = float(items.share[items.order[:n]].sum())
    top = items.most_disputed(LISTED)
    shown = ", ".join(show_label(one.item) for one in top)
    last = items.tied(len(top) - 1)[1]
    more = f" and {last - LISTED:,} more as disputed as the last" if last > LISTED else ""
    if alike:
        more = f" and {n - LISTED:,} more" if n > LISTED else ""
        sentence = (
            f"{_part(share)} of the disagreement lies in {n:,} of {n_items:,} items, which are "
            f"equally disputed: {shown}{more}."
        )
    else:
        sentence = (
            f"Half of the disagreement lies in {n:,} of {n_items:,} items, most of it in "
            f"{shown}{more}."
        )
    yield Finding(
        "disputed items",
        share * result.observed_disagreement / result.expected_disagreement,
        sentence,
        "Read these items first: what they have in common is what the guidelines do not say. "
        "Do not drop them, they are what the task is like.",
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
    """An interval that is wide, holds a threshold, or rests on few judgments.

    Parameters
    ----------
    prevails : bool
        Whether one category prevails, so that a value of 0 tells of the others only.
    """
    level = f"{100 * error.confidence_level:g}%"
    reach = (error.high - error.low) / 2
    if math.isnan(reach):
        yield Finding(
            "few items",
            math.nan,
            f"With {result.n_items:,} item{'s' * (result.n_items > 1)} it cannot be told how far "
            f"{result.coefficient} may be from its value{f': {error.note}' if error.note else ''}.",
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
            f"With {result.n_items:,} items the {level} interval of {result.coefficient} is "
            f"{error.low:.3f} to {error.high:.3f}, but do not trust it: {error.note}.",
            "Have more items judged, and look for those of the rarer categories: until then little "
            "can be said.",
            numbers,
        )
        return
    if error.high < 0 or (error.low <= 0 and reach <= WIDE):
        yield Finding(
            "no agreement",
            math.nan,
            f"Coders agree {'less' if error.high < 0 else 'no more'} than chance would have them: "
            f"with {result.n_items:,} items {result.coefficient} is {result.value:.3f} "
            f"({level} interval {error.low:.3f} to {error.high:.3f}).",
            "See first that the data were read as they are meant: which column is the item, the "
            "coder, the label. Then let coders go through some items together: they share no "
            f"understanding of the {'rarer ' * prevails}categories yet, and more judgments will "
            "not make one.",
            numbers,
        )
        return
    cuts = [t for t in THRESHOLDS if error.low < t <= error.high]
    if not (reach > WIDE or (reach > 0.02 and cuts)):
        return
    wanted = math.ceil(result.n_items * (reach / 0.05) ** 2)
    verdict = ""
    if error.low <= 0:
        verdict = ", so it cannot be told whether coders agree beyond chance"
    elif cuts:
        verdict = ", so it cannot be told whether it reaches " + " or ".join(f"{t:g}" for t in cuts)
    more = f"; an interval of ±0.05 takes about {wanted:,} items" if reach > 0.05 else ""
    yield Finding(
        "few items",
        min(reach, 1.0),
        f"With {result.n_items:,} items {result.coefficient} is known to ±{reach:.3f} only "
        f"({level} interval {error.low:.3f} to {min(error.high, 1.0):.3f}){verdict}.",
        f"Have more items judged{more}.",
        numbers | {"thresholds": cuts, "n_items_for_0.05": wanted},
    )


def few_judgments_finding(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    """Items that one coder judged, or too few judgments for a reliable majority."""
    dropped, n_items = result.n_items_dropped, annotations.n_items
    each = result.n_judgments / result.n_items
    value = result.value
    together = spearman_brown(value, each) if value > 0 else math.nan
    wanted = judgments_needed(value, GOOD) if value > 0 else None
    numbers = {
        "judgments_an_item": each,
        "n_items_dropped": dropped,
        "n_items": n_items,
        "reliability_together": together,
        "judgments_for_0.8": wanted,
    }
    if dropped > 0.05 * n_items:
        yield Finding(
            "few judgments",
            math.nan,
            f"{dropped:,} of {n_items:,} items have fewer than two judgments that count and tell "
            "nothing about agreement.",
            "Have them judged again, or select the items that were meant to be: the value is that "
            f"of the other {result.n_items:,}.",
            numbers,
        )
    elif value > 0 and together < GOOD and wanted is not None:
        yield Finding(
            "few judgments",
            math.nan,
            f"Items with two judgments or more have {each:.3g} on average. If you use their mean "
            f"or majority, its reliability is about {together:.2f} (Spearman–Brown).",
            f"With this agreement it takes {wanted:,} judgments an item to reach {GOOD:g}; "
            + ("better guidelines need fewer." if wanted <= MANY else "work on the guidelines."),
            numbers,
        )

"""What a reader of a coefficient should know."""

from __future__ import annotations

import math
from collections.abc import Iterator

from agreement_fast.coefficients import agreement
from agreement_fast.findings.content import Case, Finding
from agreement_fast.inference import standard_error
from agreement_fast.scales import SCALES
from agreement_fast.statistics import tally
from agreement_fast.text import show_label

__all__ = ["near_misses", "prevalence", "silent_items", "width"]

#: A category that holds so much of all judgments makes chance agreement high.
PREVALENT = 0.8


def prevalence(case: Case) -> Iterator[Finding]:
    """A category that is nearly all there is (Di Eugenio & Glass 2004)."""
    counts = tally(case.data).counts(1)
    total = int(counts.sum())
    k = int(counts.argmax())
    share = counts[k] / total
    if case.distance.name != "nominal" or share < PREVALENT or len(counts) < 2:
        return
    result = agreement(case.data, "pi", incomplete=case.incomplete)
    observed = 1 - result.observed_disagreement
    label = show_label(case.data.categories[k])
    yield Finding(
        "prevalence",
        math.nan,
        f"{share:.0%} of all judgments are {label}: by chance alone two judgments would agree"
        f" {1 - result.expected_disagreement:.0%} of the time, and these do {observed:.0%}.",
        "The coefficient looks at the rare categories, and few items speak of them. Report A_o and"
        f" 2 A_o - 1 = {2 * observed - 1:.3f} beside it (Di Eugenio & Glass 2004), and add items"
        " of the rare categories.",
        {"category": case.data.categories[k], "share": float(share), "pabak": 2 * observed - 1},
    )


def near_misses(case: Case) -> Iterator[Finding]:
    """Labels that have an order, measured as if they had none."""
    labels = case.data.categories
    numbers = all(isinstance(label, int | float) for label in labels)
    if case.distance.name != "nominal" or not numbers or len(labels) < 3:
        return
    ordinal = agreement(case.data, "alpha", distance="ordinal", incomplete=case.incomplete)
    nominal = agreement(case.data, "alpha", incomplete=case.incomplete)
    if not ordinal.value > nominal.value:
        return
    yield Finding(
        "near_misses",
        math.nan,
        f"The labels are numbers. With the ordinal distance, which forgives near misses, alpha is"
        f" {ordinal.value:.4f}; {nominal.value:.4f} without.",
        "If the numbers are a scale, measure them as one: ordinal or interval.",
        {"ordinal": ordinal.value, "nominal": nominal.value},
    )


def width(case: Case) -> Iterator[Finding]:
    """An interval that reaches over several readings."""
    if case.data.coders is None and case.result.chance == "individual":
        return
    found = standard_error(
        case.data,
        case.coefficient,
        distance=case.distance,
        incomplete=case.incomplete,
        transform="atanh",
    )
    scale = SCALES[0]
    low, high = scale.read(found.low), scale.read(found.high)
    if low is None or high is None or low is high:
        return
    yield Finding(
        "interval",
        math.nan,
        f"The 95% interval goes from {found.low:.4f} to {found.high:.4f}: from {low.word} to"
        f" {high.word}, as {scale.name} read it.",
        "Half the width takes four times the items.",
        {"low": found.low, "high": found.high, "standard_error": found.standard_error},
    )


def silent_items(case: Case) -> Iterator[Finding]:
    """Items that fewer than two coders judged."""
    sums = tally(case.data)
    silent = int(sums.n_items[sums.sizes < 2].sum())
    if not silent:
        return
    total = case.data.n_items
    yield Finding(
        "silent_items",
        math.nan,
        f"{silent:,} of {total:,} items have fewer than two judgments: they say nothing here.",
        "Where judgments are few, give the same items to two coders rather than more items to one.",
        {"items": silent},
    )

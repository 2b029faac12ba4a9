"""Findings about categories: different rates of use, one that prevails, two that are confused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from agreement_fast import chance
from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.bias import bias
from agreement_fast.diagnostics.categories import category_agreement, category_confusions
from agreement_fast.diagnostics.findings import CHANCE, GOOD, WORTH, Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.points import Point
from agreement_fast.results import Agreement
from agreement_fast.sums.of_annotations import sums_of
from agreement_fast.terminal import show_category

#: Pairs of categories that are tried one by one.
TRIED = 5


def bias_finding(annotations: Annotations, point: Point, incomplete: str) -> Iterator[Finding]:
    """Find coders who use the categories at different rates, so that κ and π differ."""
    p_value = _same_marginals(annotations.coder_marginals().values)
    if not p_value < CHANCE:
        return
    found = bias(annotations, distance=point.distance, incomplete=incomplete)
    if not (found.difference >= WORTH or (found.straddles and found.difference > 0)):
        return
    high, low = found.individual, found.pooled
    across = ""
    if found.straddles:
        cuts = " and ".join(f"{t:g}" for t in found.straddles)
        across = f", on different sides of {cuts}"
    numbers = {
        "bias": found.bias,
        high.coefficient: high.value,
        low.coefficient: low.value,
        "difference": found.difference,
        "straddles": list(found.straddles),
        "p_value": p_value,
    }
    for name in ("adjusted", "bias_index", "prevalence_index"):
        if getattr(found, name) is not None:
            numbers[name] = getattr(found, name)
    yield Finding(
        "bias",
        found.difference,
        f"Coders use the categories at different rates (bias B = {found.bias:.4f}): "
        f"{high.coefficient} is {high.value:.3f} and {low.coefficient} is {low.value:.3f}{across}.",
        "Compare how often each coder uses each category, and define the categories more sharply "
        f"in the guidelines. {high.coefficient} is higher because it gives each coder a "
        "distribution of their own: report which coefficient you use.",
        numbers,
    )


def _same_marginals(counts: Any) -> float:
    """Return the p-value of equal marginals: the χ² test of coders × categories."""
    counts = counts[counts.sum(1) > 0][:, counts.sum(0) > 0].astype(np.float64)
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if freedom < 1:
        return math.nan
    from scipy.special import chdtrc

    expected = np.outer(counts.sum(1), counts.sum(0) / counts.sum())
    return float(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum()))


def prevalence_finding(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    """Find a category that prevails, so that chance agreement is high."""
    if result.distance != "nominal" or chance.CHANCE[result.chance].counts_categories:
        return
    if result.value >= GOOD:
        return
    counts = sums_of(annotations).counts()
    k = int(np.count_nonzero(counts))
    if k < 2 or counts.max() < 2 / 3 * counts.sum():
        return
    even = 1.0 - result.observed_disagreement * k / (k - 1)
    if not even - result.value >= 5 * WORTH:
        return
    used = [row for row in category_agreement(annotations) if row.n_judgments]
    weighed = "judgment" if result.item_weight == "judgments" else "item"
    top = max(used, key=lambda row: row.share)
    worst = min(used, key=lambda row: row.specific_agreement)
    yield Finding(
        "prevalence",
        even - result.value,
        f"{show_category(top.label)} makes up {top.share:.0%} of the judgments, so chance alone "
        f"gives an agreement of {1 - result.expected_disagreement:.3f}, and {result.coefficient} "
        f"is {result.value:.3f}. With equally frequent categories, the same observed agreement of "
        f"{1 - result.observed_disagreement:.3f} (each {weighed} counts the same) would give "
        f"{even:.3f}. If one coder chooses {show_category(worst.label)}, another does in "
        f"{worst.specific_agreement:.0%} of cases.",
        "Report the agreement on each category. Rare categories are the hard test: collect more "
        "items of them before you rewrite the guidelines.",
        {
            "category": top.label,
            "share": top.share,
            "expected_agreement": 1 - result.expected_disagreement,
            "observed_agreement": 1 - result.observed_disagreement,
            "value_with_even_categories": even,
            "specific_agreement": {row.label: row.specific_agreement for row in used},
        },
    )


def confusion_finding(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    """Find the two categories whose confusion costs most."""
    if result.distance != "nominal":
        return
    K = len(annotations.labels)
    n_pairs = K * (K - 1) // 2
    if n_pairs < 3:
        return
    likely = category_confusions(annotations, limit=TRIED, order="gain")
    best = None
    for one in likely:
        if not one.gain >= WORTH:
            continue
        merged = annotations.merge_categories({one.second: one.first})
        added = gain(annotations, merged, point, incomplete, n_choices=n_pairs)
        better = best is None or added.gain > best[1].gain
        if added.worth_reporting and better:
            best = (one, added)
    if best is None:
        return
    one, added = best
    first, second = show_category(one.first), show_category(one.second)
    yield Finding(
        "confusion",
        added.gain,
        f"{one.share:.0%} of the disagreement is between {first} and {second}: they occur on the "
        f"same item {one.ratio:.2f} times as often as by chance (0 if coders never confuse them, 1 "
        f"if they do not distinguish them). If they were merged, {result.coefficient} would be "
        f"{added.value:.3f} instead of {result.value:.3f}.",
        f"Explain in the guidelines how {first} differs from {second}, with examples from the "
        "disputed items. Merging them afterwards does not replace a new study: coders with a "
        "single category might have decided differently (Artstein & Poesio 2008).",
        {
            "first": one.first,
            "second": one.second,
            "share": one.share,
            "ratio": one.ratio,
            "observed": one.observed,
            "expected": one.expected,
            "value_merged": added.value,
            "gain": added.gain,
            "standard_error": added.standard_error,
            "p_value": added.p_value,
        },
    )

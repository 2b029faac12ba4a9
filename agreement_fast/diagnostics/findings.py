"""What costs agreement, in order of what it costs, in sentences that say what to do."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.bias import THRESHOLDS, bias
from agreement_fast.diagnostics.categories import category_agreement, category_confusions
from agreement_fast.diagnostics.coders import CoderReport, coder_report
from agreement_fast.diagnostics.finding import Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.diagnostics.items import item_disagreement
from agreement_fast.diagnostics.near_misses import near_misses
from agreement_fast.diagnostics.outsiders import outsiders
from agreement_fast.inference.errors import standard_error
from agreement_fast.inference.linear import Point
from agreement_fast.results import Agreement
from agreement_fast.text import show_label, show_value

#: Gains that are worth a sentence.
WORTH = 0.01

#: A gain that chance gives as often as this, all choices together, is not told.
CHANCE = 0.01

#: Value from which a coefficient is good enough for most purposes (Krippendorff 1980).
GOOD = THRESHOLDS[-1]

#: Categories up to which the pairs of them are tried one by one.
TRIED = 5


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis:
    """What was found, that which costs most first.

    Attributes
    ----------
    agreement : Agreement
        The coefficient.
    findings : tuple of Finding
    """

    agreement: Agreement
    findings: tuple[Finding, ...]

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def of(self, kind: str) -> tuple[Finding, ...]:
        """The findings of a kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def __repr__(self) -> str:
        kinds = ", ".join(finding.kind for finding in self.findings) or "nothing"
        one = self.agreement
        return f"<{one.coefficient}({one.distance}) = {one.value:.6g}; found: {kinds}>"

    def to_text(self, width: int = 79) -> str:
        """The findings as numbered paragraphs."""
        one = self.agreement
        value = "undefined" if one.undefined else show_value(one.value)
        lines = [
            f"{one.coefficient} ({one.distance}) = {value}: {one.n_items:,} items, "
            f"{one.n_judgments:,} judgments"
        ]
        if not self.findings:
            lines += ["", "Nothing was found that costs agreement."]
        for number, finding in enumerate(self.findings, 1):
            cost = "" if math.isnan(finding.cost) else f" (about {finding.cost:.3f})"
            lines += ["", f"{number}. {finding.kind}{cost}"]
            for text in (finding.sentence, finding.advice):
                lines.append(
                    textwrap.fill(text, width, initial_indent="   ", subsequent_indent="   ")
                )
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not a number is None, labels are as they are."""
        one = self.agreement
        return {
            "coefficient": one.coefficient,
            "distance": one.distance,
            "value": _plain(one.value),
            "observed_disagreement": _plain(one.observed_disagreement),
            "expected_disagreement": _plain(one.expected_disagreement),
            "n_items": one.n_items,
            "n_judgments": one.n_judgments,
            "undefined": one.undefined,
            "findings": [
                {
                    "kind": finding.kind,
                    "cost": _plain(finding.cost),
                    "sentence": finding.sentence,
                    "advice": finding.advice,
                    "numbers": _plain(finding.numbers),
                }
                for finding in self.findings
            ],
        }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)


def diagnose(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = "nominal",
    incomplete: str = "published",
) -> Diagnosis:
    """What costs agreement, that which costs most first, with what to do about it.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Where coders are unknown, what needs them is left out.
    coefficient, distance, incomplete :
        As in `agreement`.

    Returns
    -------
    Diagnosis
        Empty where nothing was found.

    Notes
    -----
    What a coder or two merged categories would add is told only where it is 0.01 or more, and more
    than the items drawn explain: the standard error of the gain is that of the delta method, and
    the best of many has to be as unlikely as the best of as many (Bonferroni, 1%). Different
    marginals of the coders are told where they differ beyond chance (χ² of coders × categories, 1%;
    conservative, as judgments of the same items go together) and move κ from π by 0.01 or across
    0.67 or 0.8. A few passes over the judgments.

    Examples
    --------
    >>> from agreement_fast.diagnostics import diagnose
    >>> table = [("a", "a", "a"), ("b", "b", "c"), ("c", "c", "b"), ("d", "d", "d")] * 40
    >>> for finding in diagnose(table):
    ...     print(finding.kind, round(finding.cost, 3))
    one coder 0.444
    confusion 0.444
    few judgments nan
    """
    annotations = as_annotations(data)
    point = Point.of(coefficient, distance)
    result = agreement(annotations, coefficient, distance=point.distance, incomplete=incomplete)
    if result.undefined is not None:
        return Diagnosis(result, (_undefined(annotations, result),))
    found = [
        *_coder_findings(annotations, point, result, incomplete),
        *_bias(annotations, point, result, incomplete),
        *_prevalence(annotations, result),
        *_confusion(annotations, point, result, incomplete),
        *_disputed(annotations, point, result, incomplete),
        *near_misses(annotations, result, incomplete),
        *_few_items(annotations, point, result, incomplete),
        *_few_judgments(annotations, result),
    ]
    found.sort(key=lambda one: (math.isnan(one.cost), -one.cost if one.cost == one.cost else 0.0))
    return Diagnosis(result, tuple(found))


def _undefined(annotations: Annotations, result: Agreement) -> Finding:
    if not result.n_items:
        advice = "Have items judged by two coders or more; what one coder said cannot disagree."
    else:
        advice = (
            "Take items on which more than one category can be expected, or declare categories "
            "that nobody used where the coefficient counts them (S, AC)."
        )
    return Finding(
        "undefined",
        math.nan,
        f"{result.coefficient} has no value. {(result.undefined or '').capitalize()}.",
        advice,
        {
            "n_items": result.n_items,
            "n_items_dropped": result.n_items_dropped,
            "n_categories_used": int(np.count_nonzero(annotations.coincidence_matrix().sum(0))),
        },
    )


# ---------------------------------------------------------------------- coders


def _coder_findings(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    if annotations.coders is None or annotations._marginals is not None:
        return
    if len(annotations.coders) < 3 or incomplete == "complete":
        return
    report = coder_report(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    yield from _one_coder(annotations, point, report, incomplete)
    yield from outsiders(annotations, point, incomplete)
    yield from _single_category(annotations, point, report, incomplete)


def _without(annotations: Annotations, report: CoderReport, places: Any) -> Annotations:
    gone = set(np.asarray(places).tolist())
    kept = [name for c, name in enumerate(report.coders) if c not in gone]
    return annotations.select(coders=kept)


def _one_coder(
    annotations: Annotations, point: Point, report: CoderReport, incomplete: str
) -> Iterator[Finding]:
    worst = int(report.order[0])
    if not report.change[worst] >= WORTH:
        return
    known = int(np.count_nonzero(~np.isnan(report.change)))
    added = gain(
        annotations, _without(annotations, report, [worst]), point, incomplete, n_choices=known
    )
    if not added.p_value < CHANCE:
        return
    name = show_label(report.coders[worst])
    others = np.delete(report.against_rest, worst)
    others = others[~np.isnan(others)]
    median = float(np.median(others)) if len(others) else math.nan
    single = bool(report.single_category[worst])
    habit = (
        f" Coder {name} used {show_label(report.favourite[worst])} only."
        if single
        else f" Coder {name} says {show_label(report.favourite[worst])} in "
        f"{report.favourite_share[worst]:.0%} of {report.n_judgments[worst]} judgments."
    )
    yield Finding(
        "one coder",
        added.gain,
        f"Without coder {name} {report.coefficient} would be {added.value:.3f} instead of "
        f"{report.value:.3f}. Agreement of {name} with the others is "
        f"{report.against_rest[worst]:.3f}, the median of the other coders {median:.3f}.{habit}",
        f"Go through items with {name}: the guidelines may be read differently. Leave the coder "
        "out only for a reason that is not the disagreement itself, and say so.",
        {
            "coder": report.coders[worst],
            "value_without": added.value,
            "gain": added.gain,
            "standard_error": added.standard_error,
            "p_value": added.p_value,
            "against_rest": float(report.against_rest[worst]),
            "median_against_rest": median,
            "n_judgments": int(report.n_judgments[worst]),
            "favourite": report.favourite[worst],
            "favourite_share": float(report.favourite_share[worst]),
            "divergence": float(report.divergence[worst]),
        },
    )


def _single_category(
    annotations: Annotations, point: Point, report: CoderReport, incomplete: str
) -> Iterator[Finding]:
    # judgments of one category that the pool would not give, even once among so many coders
    odd = report.single_category & (report.chance_of_one * len(report) < CHANCE)
    places = np.flatnonzero(odd)
    if not len(places) or len(report) - len(places) < 2:
        return
    rest = _without(annotations, report, places)
    after = agreement(rest, point.name, distance=point.distance, incomplete=incomplete)
    names = [report.coders[c] for c in places.tolist()]
    shown = ", ".join(map(show_label, names[:5])) + (", ..." if len(names) > 5 else "")
    judgments = int(report.n_judgments[places].sum())
    added = after.value - report.value
    some = "1 coder uses" if len(names) == 1 else f"{len(names)} coders use"
    yield Finding(
        "single-category coders",
        max(0.0, added) if not math.isnan(added) else math.nan,
        f"{some} one category only, in {judgments} judgments: {shown}. Without them "
        f"{report.coefficient} would be {after.value:.3f} instead of {report.value:.3f}.",
        "Check whether they read the items: constant answers agree or disagree by chance alone.",
        {
            "coders": names,
            "categories": [report.favourite[c] for c in places.tolist()],
            "n_judgments": judgments,
            "value_without": after.value,
            "gain": added,
        },
    )


# ---------------------------------------------------------------------- bias and prevalence


def _bias(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    if annotations.coders is None or len(annotations.coders) < 2:
        return
    p_value = _same_marginals(annotations.coder_marginals())
    if not p_value < CHANCE:
        return
    found = bias(annotations, distance=point.distance, incomplete=incomplete)
    if not (found.difference >= WORTH or (found.straddles and found.difference > 0)):
        return
    high, low = found.individual, found.pooled
    across = ""
    if found.straddles:
        cuts = " and ".join(f"{t:g}" for t in found.straddles)
        across = f", on either side of {cuts}"
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
        f"{high.coefficient} is {high.value:.3f}, {low.coefficient} {low.value:.3f}{across}.",
        "Compare how often each coder uses each category, and settle in the guidelines where one "
        "begins. The coefficients with a distribution for each coder are higher because coders "
        "differ: report which one you use.",
        numbers,
    )


def _same_marginals(counts: Any) -> float:
    """How often coders of equal habits would differ as much: χ² of coders × categories."""
    counts = counts[counts.sum(1) > 0][:, counts.sum(0) > 0].astype(np.float64)
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if freedom < 1:
        return math.nan
    from scipy.special import chdtrc

    expected = np.outer(counts.sum(1), counts.sum(0) / counts.sum())
    return float(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum()))


def _prevalence(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    if result.distance != "nominal" or result.chance in ("uniform", "gwet"):
        return
    if result.value >= GOOD:
        return
    table = sorted(category_agreement(annotations), key=lambda row: -row.share)
    used = [row for row in table if row.n_judgments]
    k = len(used)
    if k < 2 or used[0].share < 2 / 3:
        return
    even = 1.0 - result.observed_disagreement * k / (k - 1)
    if not even - result.value >= 5 * WORTH:
        return
    top, rare = used[0], [row for row in used[1:] if not math.isnan(row.specific_agreement)]
    worst = min(rare, key=lambda row: row.specific_agreement)
    yield Finding(
        "prevalence",
        even - result.value,
        f"{show_label(top.label)} is {top.share:.0%} of the judgments, so chance alone gives "
        f"an agreement of {1 - result.expected_disagreement:.3f}; {result.coefficient} is "
        f"{result.value:.3f} where the same observed agreement of "
        f"{1 - result.observed_disagreement:.3f} over even categories would give {even:.3f}. "
        f"Given one judgment {show_label(worst.label)}, another agrees with "
        f"{worst.specific_agreement:.3f}.",
        "Report the agreement on each category. What is rare is what coders must show that they "
        "can tell: look for more items of the rare categories before you rewrite the guidelines.",
        {
            "category": top.label,
            "share": top.share,
            "expected_agreement": 1 - result.expected_disagreement,
            "observed_agreement": 1 - result.observed_disagreement,
            "value_with_even_categories": even,
            "specific_agreement": {row.label: row.specific_agreement for row in used},
        },
    )


# ---------------------------------------------------------------------- categories


def _confusion(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    if result.distance != "nominal":
        return
    pairs = category_confusions(annotations)
    if len(pairs) < 3:
        return
    likely = sorted(
        (one for one in pairs if one.gain >= WORTH), key=lambda one: one.gain, reverse=True
    )
    best = None
    for one in likely[:TRIED]:
        merged = annotations.merge_categories({one.second: one.first})
        added = gain(annotations, merged, point, incomplete, n_choices=len(pairs))
        better = best is None or added.gain > best[1].gain
        if added.gain >= WORTH and added.p_value < CHANCE and better:
            best = (one, added)
    if best is None:
        return
    one, added = best
    first, second = show_label(one.first), show_label(one.second)
    yield Finding(
        "confusion",
        added.gain,
        f"{first} and {second} are exchanged: {one.share:.0%} of the disagreement is between "
        f"them, {one.ratio:.2f} times what chance has. As one category {result.coefficient} would "
        f"be {added.value:.3f} instead of {result.value:.3f}.",
        f"Say in the guidelines what tells {first} from {second}, with examples from the disputed "
        "items. Merging them afterwards is not a new study: coders who had one category might have "
        "decided otherwise (Artstein & Poesio 2008).",
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


# ---------------------------------------------------------------------- items


def _disputed(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    if result.value >= GOOD:
        return
    items = item_disagreement(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    holding = items.holding(0.5)
    if holding < 1 or holding > 0.1 * len(items.items):
        return
    share = float(items.share[items.order[:holding]].sum())
    top = items.most_disputed(5)
    shown = ", ".join(show_label(one.item) for one in top)
    yield Finding(
        "disputed items",
        share * result.observed_disagreement / result.expected_disagreement,
        f"Half of the disagreement lies in {holding} of {len(items.items)} items, most of it in "
        f"{shown}.",
        "Read these items first: what they have in common is what the guidelines do not say. "
        "Do not drop them, they are what the task is like.",
        {
            "n_holding_half": holding,
            "share": share,
            "items": [one.item for one in top],
            "shares": [one.share for one in top],
            "influences": [one.influence for one in top],
        },
    )


def _few_items(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
) -> Iterator[Finding]:
    error = standard_error(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    reach = (error.high - error.low) / 2
    cuts = [t for t in THRESHOLDS if error.low < t <= error.high]
    if not (reach > 0.1 or (reach > 0.02 and cuts)):
        return
    wanted = math.ceil(result.n_items * (reach / 0.05) ** 2)
    verdict = ""
    if cuts:
        verdict = ", so it cannot be told whether it reaches " + " or ".join(f"{t:g}" for t in cuts)
    more = f"; an interval of ±0.05 takes about {wanted:,} items" if reach > 0.05 else ""
    yield Finding(
        "few items",
        reach,
        f"With {result.n_items:,} items {result.coefficient} is known to ±{reach:.3f} only "
        f"(95% interval {error.low:.3f} to {error.high:.3f}){verdict}.",
        f"Have more items judged{more}.",
        {
            "n_items": result.n_items,
            "standard_error": error.standard_error,
            "low": error.low,
            "high": error.high,
            "thresholds": cuts,
            "n_items_for_0.05": wanted,
        },
    )


def _few_judgments(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    dropped, n_items = result.n_items_dropped, annotations.n_items
    each = result.n_judgments / result.n_items
    value = result.value
    # Spearman (1910) and Brown (1910): how reliable the mean of n judgments is
    together = each * value / (1 + (each - 1) * value) if value > 0 else math.nan
    wanted = math.ceil(GOOD * (1 - value) / (value * (1 - GOOD))) if value > 0 else None
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
            f"An item has {each:.3g} judgments on average. If their mean or majority is what you "
            f"use, its reliability is about {together:.2f} (Spearman–Brown).",
            f"With this agreement it takes {wanted} judgments an item to reach {GOOD:g}; better "
            "guidelines need fewer.",
            numbers,
        )

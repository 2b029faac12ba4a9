"""The diagnosis: what lowers the agreement, ordered by cost, with advice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from agreement_fast import chance
from agreement_fast._kernels.normal import chi_square_beyond, normal_quantile
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.diagnostics.bias import THRESHOLDS, bias
from agreement_fast.diagnostics.categories import category_agreement, category_confusions
from agreement_fast.diagnostics.cells import bound
from agreement_fast.diagnostics.coders import CoderReport, coder_report
from agreement_fast.diagnostics.disputes import ROUNDING, disagreements, usual_point
from agreement_fast.diagnostics.findings import CHANCE, GOOD, WORTH, Diagnosis, Finding, gain
from agreement_fast.diagnostics.pairs import camps
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.inference.results import BootstrapResult
from agreement_fast.inference.sample_sizes import (
    Pilot,
    items_needed,
    judgments_needed,
    spearman_brown,
)
from agreement_fast.options import Incomplete, PerItem, check_share
from agreement_fast.patterns import group_rows
from agreement_fast.points import Point
from agreement_fast.present.terminal import and_more, counted, show_category, show_label, some_of
from agreement_fast.results import Agreement

#: Pairs of categories that are tried one by one.
TRIED = 5


def bias_finding(
    annotations: Annotations, point: Point, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find coders who use the categories at different rates, so that κ and π differ."""
    p_value = _same_marginals(annotations.coder_marginals().values)
    if not p_value < CHANCE:
        return
    result = bias(annotations, distance=point.distance, incomplete=incomplete)
    if not (result.difference >= WORTH or (result.straddles and result.difference > 0)):
        return
    high, low = result.individual, result.pooled
    across = ""
    if result.straddles:
        cuts = " and ".join(f"{t:g}" for t in result.straddles)
        across = f", on different sides of {cuts}"
    numbers = {
        "bias": result.bias,
        high.coefficient: high.value,
        low.coefficient: low.value,
        "difference": result.difference,
        "straddles": list(result.straddles),
        "p_value": p_value,
    }
    for name in ("adjusted", "bias_index", "prevalence_index"):
        if getattr(result, name) is not None:
            numbers[name] = getattr(result, name)
    yield Finding(
        "bias",
        result.difference,
        f"Coders use the categories at different rates (bias B = {result.bias:.4f}): "
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
    expected = np.outer(counts.sum(1), counts.sum(0) / counts.sum())
    return chi_square_beyond(freedom, float(((counts - expected) ** 2 / expected).sum()))


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
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find the two categories whose confusion costs most."""
    if result.distance != "nominal":
        return
    K = len(annotations.labels)
    n_pairs = K * (K - 1) // 2
    if n_pairs < 3:
        return
    best = None
    for entry in category_confusions(annotations, limit=TRIED, sort="gain"):
        if not entry.gain >= WORTH:
            continue
        merged = annotations.merge_categories({entry.second: entry.first})
        added = gain(annotations, merged, point, incomplete, n_choices=n_pairs)
        better = best is None or added.gain > best[1].gain
        if added.worth_reporting and better:
            best = (entry, added)
    if best is None:
        return
    entry, added = best
    first, second = show_category(entry.first), show_category(entry.second)
    yield Finding(
        "confusion",
        added.gain,
        f"{entry.share:.0%} of the disagreement is between {first} and {second}: they occur on the "
        f"same item {entry.ratio:.2f} times as often as by chance (0 if coders never confuse them, "
        f"1 if they do not distinguish them). If they were merged, {result.coefficient} would be "
        f"{added.value:.3f} instead of {result.value:.3f}.",
        f"Explain in the guidelines how {first} differs from {second}, with examples from the "
        "disputed items. Merging them afterwards does not replace a new study: coders with a "
        "single category might have decided differently (Artstein & Poesio 2008).",
        {
            "first": entry.first,
            "second": entry.second,
            "share": entry.share,
            "ratio": entry.ratio,
            "observed": entry.observed,
            "expected": entry.expected,
            **added.details("value_merged"),
        },
    )


#: Agreement with the others below which a coder is close to chance.
NONE = 0.1

#: Coders who are named.
LISTED = 6


def outsiders(
    annotations: Annotations, point: Point, report: CoderReport, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find two or more coders whose agreement with the others is close to chance."""
    coders, value = report.coders, report.against_rest
    largest = float(bound(annotations, point.distance).largest)
    apart = np.flatnonzero((value < NONE) & _clearly_below(report, largest))
    if len(apart) < 2 or len(coders) - len(apart) < 2:
        return
    order = apart[np.argsort(value[apart], kind="stable")].tolist()
    added = gain(annotations, _without(annotations, report, order), point, incomplete)
    if not added.worth_reporting:
        return
    shown = [f"{show_label(coders[c])} ({round(value[c], 2) + 0.0:.2f})" for c in order[:LISTED]]
    names = some_of([coders[c] for c in order], LISTED)
    yield Finding(
        "coders at chance",
        added.gain,
        f"The agreement of {len(order):,} of {len(coders):,} coders with the others is close to"
        f" chance, below {NONE} (the median is {np.nanmedian(value):.2f}):"
        f" {and_more(shown, len(order))}."
        f" Without them, {point.name} would be {added.value:.3f} instead of"
        f" {added.value - added.gain:.3f}.",
        f"Check whether {names} answered at random or understood the task differently.",
        {
            "coders": [coders[c] for c in order],
            "against_rest": [float(value[c]) for c in order],
            "n_items": [int(report.n_items[c]) for c in order],
            **added.details("value_without"),
        },
    )


def _clearly_below(report: CoderReport, largest: float) -> npt.NDArray[np.bool_]:
    """Return the coders whose agreement is below the median by more than chance explains.

    The threshold allows for the choice of the lowest of all coders (Bonferroni). A variable between
    0 and M with mean m has a variance of at most m (M − m) (Bhatia & Davis 2000). With M the
    largest distance, the error is not underestimated for any distance.
    """
    known = ~np.isnan(report.against_rest)
    below = np.zeros(len(known), bool)
    if not known.any():
        return below
    rest = report.with_others.columns()
    names = ("observed_disagreement", "expected_disagreement")
    observed, expected = (np.asarray(rest[name])[known] for name in names)
    error = np.sqrt(observed * (largest - observed) / report.n_items[known]) / expected
    reach = -normal_quantile(CHANCE / np.count_nonzero(known))
    # One item shows nothing, even if the bound says otherwise.
    few = report.n_items[known] < math.ceil(reach**2)
    value = report.against_rest[known]
    below[known] = (value + reach * error < median(value.tolist())) & ~few
    return below


def coder_findings(
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find two camps, or the worst coder and coders at chance; and single-category coders."""
    report = coder_report(
        annotations,
        result.coefficient,
        distance=point.distance,
        incomplete=incomplete,
        intervals=False,
    )
    divided = list(camps(annotations, point, result, incomplete))
    yield from divided
    if not divided:
        # If there are camps, neither a single coder nor the smaller camp is at fault.
        yield from _one_coder(annotations, point, report, incomplete)
        yield from outsiders(annotations, point, report, incomplete)
    yield from _single_category(annotations, point, report, incomplete)


def _without(annotations: Annotations, report: CoderReport, places: Any) -> Annotations:
    gone = set(np.asarray(places).tolist())
    kept = [name for c, name in enumerate(report.coders) if c not in gone]
    return annotations.select(coders=kept)


def _one_coder(
    annotations: Annotations, point: Point, report: CoderReport, incomplete: Incomplete
) -> Iterator[Finding]:
    worst = int(report.order[0])
    if not report.change[worst] >= WORTH:
        return
    known = int(np.count_nonzero(~np.isnan(report.change)))
    added = gain(
        annotations, _without(annotations, report, [worst]), point, incomplete, n_choices=known
    )
    if not added.worth_reporting:
        return
    name = show_label(report.coders[worst])
    others = np.delete(report.against_rest, worst)
    others = others[~np.isnan(others)]
    middle = median(others.tolist()) if len(others) else math.nan
    habit = (
        f" Coder {name} used only {show_category(report.favourite[worst])}."
        if report.single_category[worst]
        else f" Coder {name} used {show_category(report.favourite[worst])} in "
        f"{report.favourite_share[worst]:.0%} of {report.n_judgments[worst]} judgments."
    )
    yield Finding(
        "one coder",
        added.gain,
        f"Without coder {name}, {report.coefficient} would be {added.value:.3f} instead of "
        f"{report.value:.3f}. The agreement of {name} with the others is "
        f"{report.against_rest[worst]:.3f}; the median of the other coders is {middle:.3f}.{habit}",
        f"Discuss some items with {name}, who may read the guidelines differently. Leave the coder "
        "out only for a reason other than the disagreement itself, and report it.",
        {
            "coder": report.coders[worst],
            **added.details("value_without"),
            "against_rest": float(report.against_rest[worst]),
            "median_against_rest": middle,
            "n_judgments": int(report.n_judgments[worst]),
            "favourite": report.favourite[worst],
            "favourite_share": float(report.favourite_share[worst]),
            "divergence": float(report.divergence[worst]),
        },
    )


def _single_category(
    annotations: Annotations, point: Point, report: CoderReport, incomplete: Incomplete
) -> Iterator[Finding]:
    # Draws from all judgments would not give this, even once among all coders.
    odd = report.single_category & (report.chance_of_one * len(report) < CHANCE)
    places = np.flatnonzero(odd)
    if not len(places) or len(report) - len(places) < 2:
        return
    added = gain(annotations, _without(annotations, report, places), point, incomplete)
    if not added.worth_reporting:
        return
    names = [report.coders[c] for c in places.tolist()]
    shown = some_of(names, 5)
    judgments = int(report.n_judgments[places].sum())
    entry = len(names) == 1
    some = "1 coder uses" if entry else f"{len(names)} coders use"
    yield Finding(
        "single-category coders",
        added.gain,
        f"{some} only one category{'' if entry else ' each'}, in {judgments} judgments: {shown}. "
        f"Without {'this coder' if entry else 'them'}, {report.coefficient} would be "
        f"{added.value:.3f} instead of {report.value:.3f}.",
        "Check whether they read the items: constant answers agree with others only by chance.",
        {
            "coders": names,
            "categories": [report.favourite[c] for c in places.tolist()],
            "n_judgments": judgments,
            **added.details("value_without"),
        },
    )


def near_misses(
    annotations: Annotations, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find ordered labels that agree better with the ordinal distance than with the nominal one."""
    labels = annotations.labels
    numbers = all(isinstance(label, int | float) for label in annotations.categories[:1000])
    if result.distance != "nominal" or len(labels) < 3 or not (numbers or annotations.declared):
        return
    by_label, by_rank = (Point.of("alpha", name) for name in ("nominal", "ordinal"))
    added = gain(annotations, annotations, by_label, incomplete, other=by_rank)
    if not added.worth_reporting:
        return
    what = "numbers" if numbers else "declared in an order"
    ordinal, nominal = added.value, added.value - added.gain
    yield Finding(
        "near misses",
        math.nan,
        f"The labels are {what}. With the ordinal distance, for which near misses count less,"
        f" alpha is {ordinal:.3f} instead of {nominal:.3f}.",
        "If the labels form a scale, use the ordinal or the interval distance.",
        {"ordinal": ordinal, "nominal": nominal, "p_value": added.p_value},
    )


#: Half of the width from which an interval is called wide.
WIDE = 0.1

#: Judgments per item above which more judgments are not recommended.
MANY = 20

#: Items that are named.
NAMED_ITEMS = 5


#: The interval of the coefficient.
Interval: TypeAlias = StandardError | BootstrapResult


def disputed_finding(
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find a tenth of the items, or fewer, that hold half of the disagreement."""
    if result.value >= GOOD:
        return
    items = disagreements(
        annotations, point.name, distance=point.distance, incomplete=incomplete, sort="share"
    )
    n_items, holding = len(annotations.items), items.holding(0.5)
    if holding < 1:
        return
    begin, tied = int(items.ranks[holding - 1]) - 1, items.tied_after(holding)
    end = holding + tied
    if begin == 0 and end == len(items):
        # All disputed items are equally disputed, as always for two coders and the nominal
        # distance. That they hold the disagreement then only says how many there are.
        return
    # The most disputed items are equally disputed, so no order among them is meaningful.
    alike = begin == 0 and tied > 0
    n = end if alike else holding
    if n > 0.1 * n_items:
        return
    share = float(items.share[:n].sum())
    top = items[:NAMED_ITEMS]
    shown = ", ".join(show_label(entry.item) for entry in top)
    last = items.tied_after(len(top))
    more = f" (and {last:,} more tied with the last)" if last else ""
    if alike:
        more = f" and {n - NAMED_ITEMS:,} more" if n > NAMED_ITEMS else ""
        part = "All" if share > 1 - ROUNDING else f"{share:.0%}"
        sentence = (
            f"{part} of the disagreement lies in {n:,} of {n_items:,} items, which are "
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
            "n_equally_disputed": end - begin if tied else 0,
            "share": share,
            "items": [entry.item for entry in top],
            "shares": [entry.share for entry in top],
            "influences": [entry.influence for entry in top],
        },
    )


def few_items_finding(
    result: Agreement, error: Interval, *, prevails: bool = False
) -> Iterator[Finding]:
    """Find an interval that is wide, includes a threshold, or rests on few judgments.

    `result`: the coefficient. `prevails`: whether one category prevails, so that a value of 0
    concerns only the others.
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
    if isinstance(error, Pilot):
        of_error = items_needed(error, width=0.1, confidence_level=error.confidence_level)
        needed = math.ceil(of_error * result.n_items / error.n_items)  # of documents, if clustered
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
            f"{counted(result.n_items, 'item')}.",
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


#: The most categories whose pairs are compared.
CATEGORIES = 4096

#: The largest table of coders × categories that is computed.
CELLS = 1 << 24


def diagnose(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike | None = None,
    incomplete: Incomplete = "published",
    confidence_level: float = 0.95,
    cluster: PerItem | None = None,
    **reading: Unpack[ReadingOptions],
) -> Diagnosis:
    """Find what lowers the agreement, and give advice on each finding.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments. Checks that cannot be run, for example because the coders are unknown or
        there are too many categories, are listed in ``skipped``.
    coefficient : str, default "alpha"
        The name of the coefficient whose value is explained.
    distance : str, Distance, array, mapping or function, optional
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. By default
        "nominal", or "masi" if labels are sets and the coefficient takes a distance.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    confidence_level : float, default 0.95
        The level of the interval of the coefficient, on which "few items" and "no agreement" are
        based.
    cluster : mapping item -> document, or sequence of shape (n_rows,), optional
        The document of each stored item. If given, the interval treats the documents as the sample;
        the tests of coders and categories still treat the items as the sample.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Diagnosis
        The findings, ordered by cost; empty if nothing was found.

    Raises
    ------
    ValueError
        If the coefficient, the distance, `incomplete` or `confidence_level` is not valid.

    Notes
    -----
    A gain (from leaving out a coder, merging two categories or using the ordinal distance) is
    reported if it is at least 0.01 and larger than sampling of the items explains. Its standard
    error is that of the delta method; the test is one-sided and Bonferroni-corrected for the number
    of candidates (1% overall). Bias is reported if the coders' marginals differ beyond chance (χ²
    of coders × categories, 1%; conservative, because judgments of the same item are correlated) and
    κ differs from π by 0.01 or lies on the other side of 0.67 or 0.8. Camps are reported if each
    pair of coders within a camp agrees better than each pair across, and the difference is
    significant. A diagnosis takes a few passes over the judgments.

    Examples
    --------
    >>> from agreement_fast import diagnose
    >>> table = [("a", "a", "a"), ("b", "b", "c"), ("c", "c", "b"), ("d", "d", "d")] * 40
    >>> for finding in diagnose(table):
    ...     print(finding.kind, round(finding.cost, 3))
    one coder 0.444
    confusion 0.444
    few judgments nan
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    point = usual_point(annotations, coefficient, distance)

    def interval() -> StandardError:
        return standard_error(
            annotations if cluster is not None else _patterns(annotations),
            coefficient,
            distance=point.distance,
            incomplete=incomplete,
            confidence_level=confidence_level,
            cluster=cluster,
        )

    return diagnosis(annotations, point, interval, incomplete)


def diagnosis(
    annotations: Annotations,
    point: Point,
    interval: Callable[[], Interval | None],
    incomplete: Incomplete,
) -> Diagnosis:
    """Diagnose a coefficient.

    `interval` is called only if the coefficient has a value. A caller that shows the interval
    elsewhere can thus pass the same one.
    """
    result = result_of(annotations, point, incomplete)
    if result.undefined is not None:
        return Diagnosis(result, (_undefined(annotations, result),), ())
    value: list[Finding] = []
    skipped: list[str] = []
    patterns = _patterns(annotations)
    no_coders, no_bias = _cannot_see(annotations, incomplete)
    if no_coders is None:
        value += coder_findings(patterns, point, result, incomplete)
    else:
        skipped.append(f"single coders ({no_coders})")
    if no_bias is None:
        value += bias_finding(patterns, point, incomplete)
    else:
        skipped.append(f"bias ({no_bias})")
    n_categories = len(annotations.labels)
    if n_categories <= CATEGORIES:
        value += prevalence_finding(patterns, result)
        value += confusion_finding(patterns, point, result, incomplete)
    else:
        skipped.append(f"categories (there are {n_categories:,}: round or merge them)")
    value += [
        *disputed_finding(annotations, point, result, incomplete),
        *near_misses(patterns, result, incomplete),
    ]
    known = interval()
    if known is None:
        skipped.append(f"the precision of {point.name} (it has no interval)")
    else:
        value += few_items_finding(
            result, known, prevails=any(entry.kind == "prevalence" for entry in value)
        )
    value += few_judgments_finding(patterns, result)
    value.sort(key=lambda entry: math.inf if math.isnan(entry.cost) else -entry.cost)
    return Diagnosis(result, tuple(value), tuple(skipped))


def _patterns(annotations: Annotations) -> Annotations:
    """Return the distinct rows of a table with their weights, for checks that need no names."""
    if annotations.kept_marginals is not None or not annotations.rows.width:
        return annotations
    rows = group_rows(annotations.grouped())
    return annotations.with_rows(rows, missing=annotations.missing_judgments)


def _cannot_see(annotations: Annotations, incomplete: Incomplete) -> tuple[str | None, str | None]:
    """Return why single coders cannot be examined, and why bias cannot."""
    coders = annotations.coders
    if coders is None:
        return ("it is not known who judged what",) * 2
    if len(coders) * len(annotations.labels) > CELLS:
        return (f"{len(coders):,} coders of {len(annotations.labels):,} categories",) * 2
    if annotations.kept_marginals is not None:
        return "it is not known who judged what", None
    if len(coders) < 3:
        return "there are only two" if len(coders) == 2 else "there is only one", None
    if incomplete == "complete":
        return "without a coder, other items would be complete", None
    return None, None


def _undefined(annotations: Annotations, result: Agreement) -> Finding:
    if not result.n_items:
        advice = "Have items judged by at least two coders: a single judgment shows no agreement."
    else:
        advice = (
            "Choose items for which more than one category can be expected. If the coefficient "
            "counts unused categories (S, AC), declare them."
        )
    return Finding(
        "undefined",
        math.nan,
        f"{result.coefficient} has no value. {(result.undefined or '').capitalize()}.",
        advice,
        {
            "n_items": result.n_items,
            "n_items_dropped": result.n_items_dropped,
            "n_categories_used": int(np.count_nonzero(sums_of(annotations).counts())),
        },
    )

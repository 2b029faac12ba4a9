"""Findings about coders: one who differs, some close to chance, some with a single category."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.camps import camps
from agreement_fast.diagnostics.coders import CoderReport, coder_report
from agreement_fast.diagnostics.findings import CHANCE, WORTH, Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.points import Point
from agreement_fast.results import Agreement
from agreement_fast.subsets.against_rest import AgainstRest, one_against_rest
from agreement_fast.sums.of_annotations import sums_of
from agreement_fast.terminal import show_category, show_label

#: Agreement with the others below which a coder is close to chance.
NONE = 0.1

#: Coders who are named.
LISTED = 6


def outsiders(annotations: Annotations, point: Point, incomplete: str) -> Iterator[Finding]:
    """Find two or more coders whose agreement with the others is close to chance."""
    coders = annotations.known_coders("a diagnosis of coders")
    rest = one_against_rest(annotations, point.distance)
    counts = sums_of(annotations).counts()
    form = point.distance.bind(annotations.labels, annotations.declared, counts)
    largest = float(form.largest)
    apart = np.flatnonzero((rest.value < NONE) & _clearly_below(rest, largest))
    if len(apart) < 2 or len(coders) - len(apart) < 2:
        return
    order = apart[np.argsort(rest.value[apart], kind="stable")].tolist()
    left = set(order)
    kept = annotations.select(coders=[name for c, name in enumerate(coders) if c not in left])
    added = gain(annotations, kept, point, incomplete)
    if not added.worth_reporting:
        return
    shown = ", ".join(
        f"{show_label(coders[c])} ({round(rest.value[c], 2) + 0.0:.2f})" for c in order[:LISTED]
    )
    more = f" and {len(order) - LISTED:,} more" if len(order) > LISTED else ""
    yield Finding(
        "coders at chance",
        added.gain,
        f"The agreement of {len(order):,} of {len(coders):,} coders with the others is close to"
        f" chance, below {NONE} (the median is {np.nanmedian(rest.value):.2f}): {shown}{more}."
        f" Without them, {point.name} would be {added.value:.3f} instead of"
        f" {added.value - added.gain:.3f}.",
        "Check whether they answered at random or understood the task differently.",
        {
            "coders": [coders[c] for c in order],
            "against_rest": [float(rest.value[c]) for c in order],
            "n_items": [int(rest.n_items[c]) for c in order],
            "value_without": added.value,
            "gain": added.gain,
            "standard_error": added.standard_error,
            "p_value": added.p_value,
        },
    )


def _clearly_below(rest: AgainstRest, largest: float) -> npt.NDArray[np.bool_]:
    """Return the coders whose agreement is below the median by more than chance explains.

    The threshold allows for the choice of the lowest of all coders (Bonferroni). A variable between
    0 and M with mean m has a variance of at most m (M − m) (Bhatia & Davis 2000). With M the
    largest distance, the error is not underestimated for any distance.
    """
    from scipy.special import ndtri

    known = ~np.isnan(rest.value)
    below = np.zeros(len(known), bool)
    if not known.any():
        return below
    observed = rest.observed_disagreement[known]
    expected = rest.expected_disagreement[known]
    error = np.sqrt(observed * (largest - observed) / rest.n_items[known]) / expected
    reach = -float(ndtri(CHANCE / np.count_nonzero(known)))
    # One item shows nothing, even if the bound says otherwise.
    few = rest.n_items[known] < math.ceil(reach**2)
    value = rest.value[known]
    below[known] = (value + reach * error < np.median(value)) & ~few
    return below


def coder_findings(
    annotations: Annotations, point: Point, result: Agreement, incomplete: str
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
    if not added.worth_reporting:
        return
    name = show_label(report.coders[worst])
    others = np.delete(report.against_rest, worst)
    others = others[~np.isnan(others)]
    median = float(np.median(others)) if len(others) else math.nan
    single = bool(report.single_category[worst])
    habit = (
        f" Coder {name} used only {show_category(report.favourite[worst])}."
        if single
        else f" Coder {name} used {show_category(report.favourite[worst])} in "
        f"{report.favourite_share[worst]:.0%} of {report.n_judgments[worst]} judgments."
    )
    yield Finding(
        "one coder",
        added.gain,
        f"Without coder {name}, {report.coefficient} would be {added.value:.3f} instead of "
        f"{report.value:.3f}. The agreement of {name} with the others is "
        f"{report.against_rest[worst]:.3f}; the median of the other coders is {median:.3f}.{habit}",
        f"Discuss some items with {name}, who may read the guidelines differently. Leave the coder "
        "out only for a reason other than the disagreement itself, and report it.",
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
    # Draws from all judgments would not give this, even once among all coders.
    odd = report.single_category & (report.chance_of_one * len(report) < CHANCE)
    places = np.flatnonzero(odd)
    if not len(places) or len(report) - len(places) < 2:
        return
    added = gain(annotations, _without(annotations, report, places), point, incomplete)
    if not added.worth_reporting:
        return
    names = [report.coders[c] for c in places.tolist()]
    shown = ", ".join(map(show_label, names[:5])) + (", ..." if len(names) > 5 else "")
    judgments = int(report.n_judgments[places].sum())
    one = len(names) == 1
    some = "1 coder uses" if one else f"{len(names)} coders use"
    yield Finding(
        "single-category coders",
        added.gain,
        f"{some} only one category{'' if one else ' each'}, in {judgments} judgments: {shown}. "
        f"Without {'this coder' if one else 'them'}, {report.coefficient} would be "
        f"{added.value:.3f} instead of {report.value:.3f}.",
        "Check whether they read the items: constant answers agree with others only by chance.",
        {
            "coders": names,
            "categories": [report.favourite[c] for c in places.tolist()],
            "n_judgments": judgments,
            "value_without": added.value,
            "gain": added.gain,
            "standard_error": added.standard_error,
            "p_value": added.p_value,
        },
    )

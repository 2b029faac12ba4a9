"""What costs agreement, in order of what it costs, in sentences that say what to do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.category_faults import (
    bias_finding,
    confusion_finding,
    prevalence_finding,
)
from agreement_fast.diagnostics.coder_faults import coder_findings
from agreement_fast.diagnostics.finding import Finding
from agreement_fast.diagnostics.findings import Diagnosis
from agreement_fast.diagnostics.item_faults import (
    Interval,
    disputed_finding,
    few_items_finding,
    few_judgments_finding,
)
from agreement_fast.diagnostics.near_misses import near_misses
from agreement_fast.distances import are_sets, usual_names
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.options import check_share
from agreement_fast.patterns import group_rows
from agreement_fast.points import Point, named
from agreement_fast.results import Agreement
from agreement_fast.sums.of_annotations import sums_of

#: Categories up to which each pair of them is looked at.
CATEGORIES = 4096

#: Coders × categories up to which each coder's use of each category is looked at.
CELLS = 1 << 24


def diagnose(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = None,
    incomplete: str = "published",
    confidence_level: float = 0.95,
    cluster: Any = None,
) -> Diagnosis:
    """What costs agreement, that which costs most first, with what to do about it.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        What cannot be looked at, as coders are unknown or categories too many, is said in
        ``skipped``.
    coefficient, incomplete :
        As in `agreement`.
    distance : str, Distance, array, mapping or function, optional
        By default nominal; masi where labels are sets and the coefficient takes a distance.
    confidence_level : float
        Of the interval of the coefficient, which "few items" and "no agreement" rest on.
    cluster : mapping item -> document, or sequence of shape (n_rows,), optional
        The document of each stored item: then that interval takes documents for the sample. What
        single coders and categories cost is judged by items all the same.

    Returns
    -------
    Diagnosis
        Empty where nothing was found.

    Notes
    -----
    What leaving out coders, merging two categories or the ordinal distance would add is reported if
    it is 0.01 or more, and more than the items drawn explain: the standard error of the gain is
    that of the delta method, and the best of many has to be as unlikely as the best of as many
    (Bonferroni, 1%). Different marginals of the coders are reported if they differ beyond chance
    (χ² of coders × categories, 1%; conservative, as judgments of the same items go together) and
    move κ from π by 0.01 or across 0.67 or 0.8. Camps: see `agreement_fast.diagnostics.camps`. A
    few passes over the judgments.

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
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    if distance is None:
        of_sets = are_sets(annotations.labels) and not named(coefficient).nominal_only
        distance = usual_names(of_sets)[-1]
    point = Point.of(coefficient, distance)

    def interval() -> StandardError:
        return standard_error(
            annotations if cluster is not None else _patterns(annotations),
            coefficient,
            distance=point.distance,
            incomplete=incomplete,
            confidence_level=confidence_level,
            cluster=cluster,
            transform="atanh",
        )

    return diagnosis(annotations, point, interval, incomplete)


def diagnosis(
    annotations: Annotations,
    point: Point,
    interval: Callable[[], Interval | None],
    incomplete: str,
) -> Diagnosis:
    """Make the diagnosis of a coefficient; its interval is asked for where it has a value.

    So a page that shows the interval elsewhere shows the same one here.
    """
    coefficient = point.name
    result = agreement(annotations, coefficient, distance=point.distance, incomplete=incomplete)
    if result.undefined is not None:
        return Diagnosis(result, (_undefined(annotations, result),), ())
    found: list[Finding] = []
    skipped: list[str] = []
    patterns = _patterns(annotations)
    no_coders, no_bias = _cannot_see(annotations, incomplete)
    if no_coders is None:
        found += coder_findings(patterns, point, result, incomplete)
    else:
        skipped.append(f"single coders ({no_coders})")
    if no_bias is None:
        found += bias_finding(patterns, point, incomplete)
    else:
        skipped.append(f"bias ({no_bias})")
    n_categories = len(annotations.labels)
    if n_categories <= CATEGORIES:
        found += prevalence_finding(patterns, result)
        found += confusion_finding(patterns, point, result, incomplete)
    else:
        skipped.append(f"categories (there are {n_categories:,}: round or merge them)")
    found += [
        *disputed_finding(annotations, point, result, incomplete),
        *near_misses(patterns, result, incomplete),
    ]
    known = interval()
    if known is None:
        skipped.append(f"how far {coefficient} may be off (it has no interval)")
    else:
        found += few_items_finding(
            result, known, prevails=any(one.kind == "prevalence" for one in found)
        )
    found += few_judgments_finding(patterns, result)
    found.sort(key=lambda one: math.inf if math.isnan(one.cost) else -one.cost)
    return Diagnosis(result, tuple(found), tuple(skipped))


def _patterns(annotations: Annotations) -> Annotations:
    """A table's distinct rows with their weights: what looks at no item by name sees the same."""
    if annotations.kept_marginals is not None or not annotations.rows.width:
        return annotations
    rows = group_rows(annotations.grouped())
    return Annotations.assemble(
        categories=annotations.categories,
        declared=annotations.declared,
        items=range(rows.n_rows),
        coders=annotations.coders,
        rows=rows,
        weights=rows.weights,
        missing=annotations.missing_judgments,
    )


def _cannot_see(annotations: Annotations, incomplete: str) -> tuple[str | None, str | None]:
    """Why single coders cannot be looked at, and why bias cannot."""
    coders = annotations.coders
    if coders is None:
        return ("who judged what is not known",) * 2
    if len(coders) * len(annotations.labels) > CELLS:
        return (f"{len(coders):,} coders of {len(annotations.labels):,} categories",) * 2
    if annotations.kept_marginals is not None:
        return "who judged what is not known", None
    if len(coders) < 3:
        return "there are only two" if len(coders) == 2 else "there is only one", None
    if incomplete == "complete":
        return "items complete without a coder would come in", None
    return None, None


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
            "n_categories_used": int(np.count_nonzero(sums_of(annotations).counts())),
        },
    )

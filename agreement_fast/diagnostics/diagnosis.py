"""The diagnosis: what lowers the agreement, ordered by cost, with advice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
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
from agreement_fast.diagnostics.findings import Diagnosis, Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.diagnostics.item_faults import (
    Interval,
    disputed_finding,
    few_items_finding,
    few_judgments_finding,
)
from agreement_fast.distances import are_sets, usual_names
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.options import check_share
from agreement_fast.patterns import group_rows
from agreement_fast.points import Point, named
from agreement_fast.results import Agreement
from agreement_fast.sums.of_annotations import sums_of


def near_misses(annotations: Annotations, result: Agreement, incomplete: str) -> Iterator[Finding]:
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


#: The most categories whose pairs are compared.
CATEGORIES = 4096

#: The largest table of coders × categories that is computed.
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
    """Find what lowers the agreement, and give advice on each finding.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
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
    """Diagnose a coefficient.

    `interval` is called only if the coefficient has a value. A caller that shows the interval
    elsewhere can thus pass the same one.
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
        skipped.append(f"the precision of {coefficient} (it has no interval)")
    else:
        found += few_items_finding(
            result, known, prevails=any(one.kind == "prevalence" for one in found)
        )
    found += few_judgments_finding(patterns, result)
    found.sort(key=lambda one: math.inf if math.isnan(one.cost) else -one.cost)
    return Diagnosis(result, tuple(found), tuple(skipped))


def _patterns(annotations: Annotations) -> Annotations:
    """Return the distinct rows of a table with their weights, for checks that need no names."""
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

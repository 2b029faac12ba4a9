"""Two groups of coders who agree with their own group but not with the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast._kernels.normal import student_share
from agreement_fast.annotations import Annotations
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.cells import bound
from agreement_fast.diagnostics.findings import CHANCE, WORTH, Finding
from agreement_fast.diagnostics.pairs import PairwiseAgreement, pairwise_agreement
from agreement_fast.distances.forms import Form
from agreement_fast.distances.sums.rows import row_disagreement
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows, as_lists, row_sizes
from agreement_fast.points import Point
from agreement_fast.present.terminal import some_of
from agreement_fast.results import Agreement

#: The most coders whose pairs are compared; in a crowd, most pairs share no item.
CODERS = 64

#: Items that each pair of coders must share.
SHARED = 10

#: Coders of a camp who are named.
LISTED = 6


def camps(
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find two camps: each pair within a camp agrees better than each pair across."""
    coders = annotations.known_coders("a diagnosis of coders")
    if not 4 <= len(coders) <= CODERS:
        return
    pairs = pairwise_agreement(annotations, point.name, distance=point.distance)
    first = separated(pairs)
    if first is None:
        return
    form = bound(annotations, point.distance)
    contrasts = Contrasts.of(annotations, first, form)
    if not contrasts.p_value < CHANCE:
        return
    sides = [np.flatnonzero(first).tolist(), np.flatnonzero(~first).tolist()]
    names = [[coders[c] for c in side] for side in sides]
    values = [
        agreement(
            annotations.select(coders=side),
            point.name,
            distance=point.distance,
            incomplete=incomplete,
        ).value
        for side in names
    ]
    added = (
        sum(len(side) * value for side, value in zip(names, values, strict=True)) / len(coders)
        - result.value
    )
    if not added >= 5 * WORTH:
        return
    across = first[pairs.first] != first[pairs.second]
    best, worst = float(pairs.value[across].max()), float(pairs.value[~across].min())
    order = sorted(range(2), key=lambda i: -len(names[i]))
    shown = " and ".join(f"{some_of(names[i], LISTED)} ({values[i]:.3f})" for i in order)
    yield Finding(
        "camps",
        added,
        f"The coders form two camps: {shown}. The {point.name} of two coders is at least"
        f" {worst:.2f} within a camp and at most {best:.2f} across; that of all coders is"
        f" {result.value:.3f}.",
        "Ask each camp for its reasons: they may read the guidelines differently, or see different"
        " things in the items. No single coder is at fault, and a majority vote would hide one of"
        " the two readings.",
        {
            "camps": [names[i] for i in order],
            "values": [values[i] for i in order],
            "lowest_within": worst,
            "highest_across": best,
            "gain": added,
            "p_value": contrasts.p_value,
        },
    )


def separated(pairs: PairwiseAgreement) -> npt.NDArray[np.bool_] | None:
    """Return who is in the first of two camps as bool (C,), or None if there are no camps.

    Each pair within a camp agrees better than each pair across. If there are such camps, single
    linkage joins the members of each camp before it joins the two camps.
    """
    n = len(pairs.coders)
    if len(pairs) < n * (n - 1) // 2 or np.isnan(pairs.value).any():
        return None
    if pairs.n_items.min() < SHARED:
        return None
    camp = np.arange(n)
    left = n
    for p in np.argsort(-pairs.value, kind="stable").tolist():
        a, b = camp[pairs.first[p]], camp[pairs.second[p]]
        if a != b:
            if left == 2:
                break
            camp[camp == b] = a
            left -= 1
    first: npt.NDArray[np.bool_] = camp == camp[0]
    within = first[pairs.first] == first[pairs.second]
    if min(first.sum(), n - first.sum()) < 2:
        return None
    return first if pairs.value[within].min() > pairs.value[~within].max() else None


@dataclass(frozen=True, slots=True)
class Contrasts:
    """How much more two coders of different groups disagree than two of the same group."""

    #: The mean distance of judgments across the groups minus that within each group, and its
    #: standard error over items.
    values: tuple[float, float]
    errors: tuple[float, float]
    #: One-sided p-value of the smaller contrast (Student's t), Bonferroni-corrected for all
    #: divisions into two groups, at most 1.
    p_value: float

    @staticmethod
    def of(annotations: Annotations, first: npt.NDArray[np.bool_], form: Form) -> Contrasts:
        """Compute the contrasts of these coders and the others. O(judgments)."""
        rows, K = as_lists(annotations.grouped()), len(annotations.labels)
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
        parts = [_of_coders(rows, side) for side in (first, ~first)]
        # Ordered pairs of judgments of an item and their distances, for all and for each group.
        (all_pairs, apart), *within = [_pairs(part, form, K) for part in (rows, *parts)]
        n_across = all_pairs - within[0][0] - within[1][0]
        across = _ratio(apart - within[0][1] - within[1][1], n_across, weights)
        n = float(weights.sum())
        values, errors = [], []
        for pairs, distances in within:
            own = _ratio(distances, pairs, weights)
            moved = across[1] - own[1]
            values.append(across[0] - own[0])
            errors.append(math.sqrt(float(weights @ moved**2) * n / (n - 1)))
        t = min(
            value / error if error > 0 else math.copysign(math.inf, value)
            for value, error in zip(values, errors, strict=True)
        )
        choices = 2.0 ** (len(first) - 1) - 1 - len(first)
        p_value = min(1.0, choices * student_share(n - 1, -t))
        return Contrasts((values[0], values[1]), (errors[0], errors[1]), p_value)


def _of_coders(rows: Rows, kept: npt.NDArray[np.bool_]) -> Rows:
    """Select the judgments of some coders."""
    assert rows.coders is not None
    there = kept[rows.coders]
    start = np.concatenate([[0], np.cumsum(there)])[rows.start]
    return Rows(rows.codes[there], 0, start, rows.coders[there])


def _pairs(rows: Rows, form: Form, n_categories: int) -> tuple[FloatArray, FloatArray]:
    """Return the number of ordered pairs of judgments of each row, and the sum of distances."""
    sizes = row_sizes(rows).astype(np.float64)
    return sizes * (sizes - 1), row_disagreement(rows, form, n_categories)


def _ratio(
    distances: FloatArray, pairs: FloatArray, weights: FloatArray
) -> tuple[float, FloatArray]:
    """Return the mean distance, and each row's contribution to it, to first order."""
    total = float(weights @ pairs)
    mean = float(weights @ distances) / total
    return mean, (distances - mean * pairs) / total

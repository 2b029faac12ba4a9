"""Bias and prevalence: how they change chance agreement and the coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import agreement_table
from agreement_fast.distances import resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.options import Incomplete, check_number, check_several
from agreement_fast.present.tables import Listing, Row
from agreement_fast.results import Agreement


@dataclass(frozen=True, slots=True, repr=False)
class CategoryBias(Row):
    """The prevalence and bias of a category against all others combined.

    Attributes
    ----------
    label : object
        The category.
    prevalence_index : float
        From −1 (nobody uses the category) to 1 (nobody uses another one); 0 if it makes up half of
        the judgments.
    bias_index : float
        From 0 (all coders use the category equally often) to 1.
    lowest_share, highest_share : float
        The share of the category for the coder who uses it least, and for the one who uses it most.
    """

    label: Any
    prevalence_index: float
    bias_index: float
    lowest_share: float
    highest_share: float


def _categories(annotations: Annotations) -> Listing[CategoryBias]:
    """Compute Byrt's indices of each category against all others; NaN for fewer than two coders."""
    counts = np.asarray(annotations.coder_marginals().values, np.float64)
    sizes = counts.sum(1)
    counts, sizes = counts[sizes > 0], sizes[sizes > 0]
    shares = counts / sizes[:, None]
    pairs = (sizes.sum() ** 2 - (sizes**2).sum()) / 2 if len(sizes) > 1 else math.nan
    prevalence = (counts * (sizes.sum() - sizes)[:, None]).sum(0) / pairs - 1
    return Listing(
        CategoryBias(
            label=label,
            prevalence_index=float(prevalence[k]),
            bias_index=_mean_difference(shares[:, k], sizes) / float(pairs),
            lowest_share=float(shares[:, k].min(initial=1.0)) if len(sizes) else math.nan,
            highest_share=float(shares[:, k].max(initial=0.0)) if len(sizes) else math.nan,
        )
        for k, label in enumerate(annotations.categories)
    )


def _mean_difference(shares: FloatArray, sizes: FloatArray) -> float:
    """Sum n_m n_n |P(k|m) − P(k|n)| over pairs, from the coders sorted by their shares."""
    order = np.argsort(shares, kind="stable")
    shares, sizes = shares[order], sizes[order]
    below = np.cumsum(sizes) - sizes
    sum_below = np.cumsum(sizes * shares) - sizes * shares
    return float(np.maximum(sizes * (shares * below - sum_below), 0.0).sum())


#: Krippendorff's cut-offs, which κ and π can straddle (Di Eugenio & Glass 2004).
THRESHOLDS = (0.67, 0.8)


@dataclass(frozen=True, slots=True, repr=False)
class Bias(Row):
    """The bias of the coders, the prevalence of the categories, and their effect on κ and π.

    Attributes
    ----------
    individual, pooled : Agreement
        κ and π, or β and α' under another distance than nominal.
    bias : float
        B = D_e(individual) − D_e(pooled). For nominal data this is A_e of π minus A_e of κ: the
        variance of P(k|c) over coders, summed over categories and divided by the number of coders
        minus one (Artstein & Poesio 2005, section 3 and appendices A and B; appendix B has the
        opposite sign).
    difference : float
        κ − π. With nominal data it is B (1 − A_o) / ((1 − A_e of π) (1 − A_e of κ)).
    adjusted : float or None
        2 A_o − 1, the prevalence-adjusted and bias-adjusted κ (PABAK) of Byrt, Bishop & Carlin
        1993, for nominal data. They define it for two categories, for which it equals S; Di Eugenio
        & Glass 2004 report it beside κ and π for any number of categories.
    bias_index, prevalence_index : float or None
        (b − c) / N and (a − d) / N of a 2 × 2 table of two coders (Byrt, Bishop & Carlin 1993);
        None unless there are two coders and two categories.
    straddles : tuple of float
        The thresholds between π and κ; a verdict based on them depends on the coefficient.
    categories : Listing of CategoryBias
        Both indices of each category against all others, as means over pairs of coders.
    """

    _caption = (
        "Bias {bias}: {individual.coefficient} = {individual.value:.4f}, {pooled.coefficient} = "
        "{pooled.value:.4f}[, 2 A_o - 1 = {adjusted:.4f}]"
    )

    individual: Agreement
    pooled: Agreement
    bias: float
    difference: float
    adjusted: float | None
    bias_index: float | None
    prevalence_index: float | None
    straddles: tuple[float, ...]
    categories: Listing[CategoryBias]


def bias(
    data: JudgmentsLike,
    *,
    distance: DistanceLike = "nominal",
    threshold: float | Sequence[float] = THRESHOLDS,
    incomplete: Incomplete = "published",
    **reading: Unpack[ReadingOptions],
) -> Bias:
    """Compute bias and prevalence, with κ, π and 2 A_o − 1 (Di Eugenio & Glass 2004).

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. For other
        distances than "nominal", β and α' replace κ and π.
    threshold : float or sequence of float, default (0.67, 0.8)
        Values on which a verdict is based.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Bias
        Both coefficients, their difference, and the indices of bias and prevalence.

    Raises
    ------
    ValueError
        If the coders are unknown, or a threshold is not a number.

    Notes
    -----
    The indices are defined for two coders and two categories (Byrt, Bishop & Carlin 1993); Sim &
    Wright 2005 and Antoine, Villaneau & Lefeuvre 2014 discuss them for more. `categories` compares
    each category with all others combined. With P(k|c) = n_ck / n_c, the prevalence index is the
    mean over pairs of coders of P(k|m) + P(k|n) − 1, and the bias index is the mean of
    |P(k|m) − P(k|n)|. The weight of a pair is n_m n_n, as in κ. For two coders who judged the same
    items and two categories, they are (a − d) / N and |b − c| / N. They describe these coders and
    have no interval.

    Takes one pass over the distinct rows, and O(K C log C) for the categories.

    Examples
    --------
    Di Eugenio & Glass 2004, example 6, where κ is 0.364 (printed 0.418) and π 0.284 (printed 0.27):

    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import bias
    >>> result = bias(af.Annotations.from_contingency([[40, 35], [0, 25]]))
    >>> round(result.individual.value, 3), round(result.pooled.value, 3), round(result.adjusted, 3)
    (0.364, 0.284, 0.3)
    >>> result.bias_index, result.prevalence_index
    (0.35, 0.15)
    >>> [round(row.bias_index, 2) for row in result.categories]
    [0.35, 0.35]
    """
    cuts = [threshold] if isinstance(threshold, int | float) else threshold
    thresholds = tuple(
        check_number("threshold", cut)
        for cut in check_several("threshold", cuts, "a number or a sequence of numbers")
    )
    annotations = as_annotations(data, **reading)
    resolved = resolve(distance)
    nominal = resolved.name == "nominal"
    names = ["kappa", "pi"] if nominal else ["beta", "alpha_prime"]
    individual, pooled = agreement_table(annotations, names, [resolved], incomplete=incomplete)
    low, high = sorted((individual.value, pooled.value))
    bias_index, prevalence_index = _indices(annotations) if nominal else (None, None)
    return Bias(
        individual=individual,
        pooled=pooled,
        bias=individual.expected_disagreement - pooled.expected_disagreement,
        difference=individual.value - pooled.value,
        adjusted=1.0 - 2.0 * pooled.observed_disagreement if nominal else None,
        bias_index=bias_index,
        prevalence_index=prevalence_index,
        straddles=tuple(cut for cut in thresholds if low < cut <= high),
        categories=_categories(annotations),
    )


def _indices(annotations: Annotations) -> tuple[float | None, float | None]:
    coders = annotations.coders
    if coders is None or len(coders) != 2 or len(annotations.categories) != 2:
        return None, None
    (a, b), (c, d) = annotations.contingency_table(*coders).tolist()
    total = a + b + c + d
    if not total:
        return math.nan, math.nan
    return (b - c) / total, (a - d) / total

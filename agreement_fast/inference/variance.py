"""α as a ratio of variances, tested by F (Artstein & Poesio 2008, sections 2.6.1 and 4.1.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast import distances
from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array
from agreement_fast.chance import CHANCE
from agreement_fast.coefficients import agreement
from agreement_fast.distances.forms import Form
from agreement_fast.errors import InputError
from agreement_fast.inference.twocoders import NAN, check_size
from agreement_fast.options import check_number
from agreement_fast.results import Result
from agreement_fast.sums.categories import bind
from agreement_fast.tables import DETAILS
from agreement_fast.terminal import number_of

NO_DISAGREEMENT = "no item disagrees, so F is infinite, which says nothing about other items"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class VarianceTest(Result):
    """α, a float, and the F test of the variance between items against that within.

    Attributes
    ----------
    distance : str
        Name of the distance.
    value : float
        Krippendorff's α.
    null_value : float
        The intraclass correlation that it is tested against.
    statistic : float
        F, scaled to the null value; NaN if undefined, infinite for perfect agreement.
    df_between, df_within : float
        Degrees of freedom of F, times `dimensions`.
    p_value : float
        The probability of an F this large or larger.
    variance_between, variance_within, variance_total : float
        Mean squares, in units of the distance.
    dimensions : float
        The effective number of directions in which the labels vary: 1 for numbers.
    n_items, n_judgments : int
        Items with two judgments or more, and their judgments; weights counted.
    n_items_dropped : int
        Items with fewer judgments.
    undefined : str or None
        Why there is no value or no test.
    note : str or None
        Why F is infinite.
    """

    aside = DETAILS | {
        "dimensions",
        "n_judgments",
        "variance_between",
        "variance_total",
        "variance_within",
    }

    distance: str
    value: float
    null_value: float
    statistic: float
    df_between: float
    df_within: float
    p_value: float
    variance_between: float
    variance_within: float
    variance_total: float
    dimensions: float
    n_items: int
    n_judgments: int
    n_items_dropped: int
    undefined: str | None
    note: str | None = None

    def __repr__(self) -> str:
        text = (
            f"alpha({self.distance}) = {self.value:.6g}: F({self.df_between:.6g}, "
            f"{self.df_within:.6g}) = {self.statistic:.6g} against {self.null_value:g}, "
            f"p = {self.p_value:.4g}, {number_of(self.n_items, 'item')}"
        )
        return "<" + "; ".join([text, *filter(None, (self.note, self.undefined))]) + ">"


def alpha_test(data: Any, distance: Any = "nominal", *, null_value: float = 0.0) -> VarianceTest:
    """Test α against chance by analysis of variance, with a level for each item.

    If all items have the same number of judgments, α = 1 − (variance within items) / (total
    variance), so α = 0 means F = 1: as much variance between items as within (Artstein & Poesio
    2008, 4.1.2).

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders may be unknown. Items with fewer than two
        judgments are left out and counted.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    null_value : float, default 0
        From 0 to below 1. Above 0, the test is whether the intraclass correlation exceeds this
        value (Donner & Eliasziw 1987).

    Returns
    -------
    VarianceTest
        The value of α, F and its p-value.

    Raises
    ------
    ValueError
        If the distance does not fit the labels, the null value is not in [0, 1), or there are more
        than 4096 categories under a distance other than interval and ordinal.

    Notes
    -----
    With N items and n judgments, SS_total = (n − 1) D_e / 2, SS_within = Σ_i Σ_jl n_ij n_il d_jl /
    (2 n_i), and SS_between is their difference; F = (SS_between / (N − 1)) / (SS_within / (n − N)).
    For a null value ρ, F is divided by 1 + m ρ / (1 − ρ). If items have different numbers of
    judgments, F is the usual one and α is Krippendorff's, which weighs items differently; F = 1 is
    then only near α = 0.

    p is exact for the interval distance and normal numbers of equal variance. For other
    one-dimensional labels (two categories, ranks) it is the usual approximation. Labels of several
    dimensions (nominal with three categories or more) vary in ν = (Σλ)² / Σλ² effective directions,
    where λ are the eigenvalues of their covariance, and F has ν(N − 1) and ν(n − N) degrees of
    freedom (Box 1954). For distances that are not squared Euclidean this is a rule of thumb. A test
    against a null value above 0 is meant for numbers. O(judgments + K²).

    References
    ----------
    Donner & Eliasziw 1987, Sample size requirements for reliability studies, *Statistics in
    Medicine* 6, 441–448; Box 1954, *Annals of Mathematical Statistics* 25, 290–302.

    Examples
    --------
    >>> import agreement_fast as af
    >>> af.inference.alpha_test([[1, 1], [2, 3], [3, 3], [1, 2]], "interval")
    <alpha(interval) = 0.708333: F(3, 4) = 6.66667 against 0, p = 0.04909, 4 items>
    """
    if not 0 <= check_number("null_value", null_value) < 1:
        raise InputError.must_be("null_value", "from 0 to below 1", null_value)
    annotations = as_annotations(data)
    resolved = distances.resolve(distance)
    found = agreement(annotations, "alpha", distance=resolved)
    N, n = found.n_items, found.n_judgments
    value = statistic = p_value = between = within = total = dimensions = NAN
    undefined = found.undefined
    if undefined is None and N < 2:
        undefined = "no variance between items: there is only one"
    if N:
        sums, form, apart = bind(annotations, resolved, CHANCE["pooled_unbiased"], least=1)
        within = math.fsum(apart[i] / (2 * size) for i, size, _ in sums.pairable_sizes) / (n - N)
        total = found.expected_disagreement / 2
    if undefined is None:
        from scipy.special import fdtrc

        value = found.value
        between = max(0.0, total * (n - 1) - within * (n - N)) / (N - 1)
        dimensions = 1.0
        if not (resolved.differences or resolved.ranks):
            check_size(annotations, f"alpha_test() with the distance {resolved.name}")
            dimensions = _dimensions(form, sums.counts())
        # The number of judgments of an item, as it enters the expected variance between items.
        size = (n - sum(size**2 * items for _, size, items in sums.pairable_sizes) / n) / (N - 1)
        scale = 1 + size * null_value / (1 - null_value)
        statistic = between / within / scale if within else float("inf")
        p_value = float(fdtrc(dimensions * (N - 1), dimensions * (n - N), statistic))
    return VarianceTest(
        distance=resolved.name,
        value=value,
        null_value=float(null_value),
        statistic=statistic,
        df_between=dimensions * (N - 1),
        df_within=dimensions * (n - N),
        p_value=p_value,
        variance_between=between,
        variance_within=within,
        variance_total=total,
        dimensions=dimensions,
        n_items=N,
        n_judgments=n,
        n_items_dropped=found.n_items_dropped,
        undefined=undefined,
        note=NO_DISAGREEMENT if statistic == math.inf else None,
    )


def _dimensions(form: Form, counts: Array) -> float:
    """Return (Σλ)² / Σλ² of the labels' covariance, from their distances."""
    used = np.flatnonzero(counts)
    p = counts[used] / counts.sum()
    # d = ‖f‖² of a difference: centred, −d/2 is the matrix of inner products of the labels.
    between = form.between(used[:, None], used[None, :])
    mean = between @ p
    overall = float(p @ mean)
    inner = (mean[:, None] + mean[None, :] - overall - between) / 2
    return (overall / 2) ** 2 / float(p @ inner**2 @ p)

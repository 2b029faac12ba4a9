"""κ of two coders and two categories by goodness of fit (Donner & Eliasziw 1992)."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.annotations import as_annotations
from agreement_fast.errors import InputError
from agreement_fast.inference.tested import CoefficientTest, check_null_value
from agreement_fast.inference.twocoders import ALTERNATIVES, NAN, normal_p
from agreement_fast.options import check_choice, check_share
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.sums.of_annotations import sums_of


def kappa_goodness_of_fit(
    data: Any,
    null_value: float = 0.0,
    *,
    alternative: str = "greater",
    confidence_level: float = 0.95,
) -> CoefficientTest:
    """Test κ ≥ κ0 for two judgments an item and two categories, with an interval.

    In the model of one correlation, both judgments of an item are "yes" with probability p(p + qκ),
    both "no" with q(q + pκ), and they differ with 2pq(1 − κ). Pearson's χ² of these three at κ0,
    p being estimated, has 1 degree of freedom; the interval holds every κ0 that it does not reject.
    It keeps its level in small samples and near κ = 1, where κ ± 1.96 standard errors do not.

    Parameters
    ----------
    data : Annotations with two judgments an item, or anything that `Annotations.from_wide` reads
        The coders may be more than two or unknown: the model takes them as interchangeable, and its
        κ is Scott's π. Items with fewer judgments are left out and counted.
    null_value : float
        κ0, below 1.
    alternative : {"greater", "less", "two-sided"}
        "greater" tests κ ≤ κ0, so that a small p-value speaks for κ > κ0.
    confidence_level : float
        Of the two-sided interval.

    Returns
    -------
    CoefficientTest
        `statistic` is χ², `p_value` that of its signed root unless two-sided. No standard errors.

    Raises
    ------
    ValueError
        More than two categories, or more than two judgments of an item.

    Notes
    -----
    χ² = n p q (κ̂ − κ0)² (1 + κ0) / ((1 − κ0)(p + q κ0)(q + p κ0)), so the ends of the interval are
    two roots of a cubic. Donner & Eliasziw (1987), whom Artstein & Poesio (2008, 4.1.2) name for
    arbitrary levels of agreement, test an intraclass correlation of numbers: see `alpha_test`.
    O(items).

    References
    ----------
    Donner & Eliasziw 1992, A goodness-of-fit approach to inference procedures for the kappa
    statistic, *Statistics in Medicine* 11, 1511–1519.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[20, 2], [3, 25]])
    >>> af.inference.kappa_goodness_of_fit(data, 0.6)
    <pi(nominal) = 0.79798: χ² = 3.03346 against 0.6, p = 0.04078, 95% interval 0.5690 to 0.9122, \
50 items>
    """
    check_share("confidence_level", confidence_level)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_null_value(null_value)
    yes, different, no, n_dropped = _three_cells(data)
    n = yes + different + no
    p = (2 * yes + different) / (2 * n) if n else NAN
    q = (2 * no + different) / (2 * n) if n else NAN
    value = statistic = p_value = low = high = NAN
    undefined = None
    if not n:
        undefined = NO_PAIRS
    elif not p * q:
        undefined = NO_VARIATION
    else:
        value = 1 - different / (2 * n * p * q)
        low, high = _interval(value, p, q, n, yes and no, different, confidence_level)
        if p + q * null_value > 0 and q + p * null_value > 0:
            statistic = _chi_square(null_value, value, p, q, n)
            p_value = normal_p(math.copysign(math.sqrt(statistic), value - null_value), alternative)
        else:
            undefined = (
                f"no test: κ is at least {-min(p / q, q / p):.4f} for these marginals, and "
                f"null_value is {null_value:g}"
            )
    return CoefficientTest(
        test="Donner & Eliasziw 1992",
        coefficient="pi",
        distance="nominal",
        category=None,
        value=value,
        null_value=float(null_value),
        standard_error=NAN,
        null_standard_error=NAN,
        statistic=statistic,
        df=1,
        distribution="chi2",
        p_value=p_value,
        alternative=alternative,
        low=low,
        high=high,
        confidence_level=confidence_level,
        n_items=n,
        n_items_dropped=n_dropped,
        undefined=undefined,
    )


def _three_cells(data: Any) -> tuple[int, int, int, int]:
    """Items that agree on the first category, that differ, that agree on the second; the others."""
    annotations = as_annotations(data)
    K = len(annotations.labels)
    if K > 2:
        raise InputError(
            f"the goodness of fit takes two categories, these annotations have {K}",
            "name two by merge_categories(), one against all others",
        )
    sums = sums_of(annotations)
    most = max(sums.items_by_size, default=0)
    if most > 2:
        raise InputError(
            f"the goodness of fit takes two judgments an item, and there is one with {most}",
            "name two coders by data.select(coders=[first, second])",
        )
    cells = [[0, 0], [0, 0]]
    for j, row in enumerate(annotations.coincidence_matrix().tolist()):
        cells[j][: len(row)] = [round(count) for count in row]
    yes, different, no = cells[0][0] // 2, cells[0][1], cells[1][1] // 2
    return yes, different, no, annotations.n_items - (yes + different + no)


def _chi_square(kappa: float, value: float, p: float, q: float, n: int) -> float:
    fitted = (1 - kappa) * (p + q * kappa) * (q + p * kappa)
    return n * p * q * (value - kappa) ** 2 * (1 + kappa) / fitted


def _interval(
    value: float, p: float, q: float, n: int, agree: int, different: int, confidence_level: float
) -> tuple[float, float]:
    """The κ0 on either side of the value whose χ² is the quantile."""
    from scipy.optimize import brentq
    from scipy.special import chdtri

    quantile = float(chdtri(1, 1 - confidence_level))

    def excess(kappa: float) -> float:
        fitted = (1 - kappa) * (p + q * kappa) * (q + p * kappa)
        return n * p * q * (value - kappa) ** 2 * (1 + kappa) - quantile * fitted

    def between(a: float, b: float) -> float:
        # Just inside: at the ends themselves both terms may be 0.
        beside = 1e-9 * (b - a)
        return float(brentq(excess, a + beside, b - beside, xtol=1e-15))

    # χ² is 0 at the value and infinite at both ends of what κ can be, unless the value lies there.
    low = between(-min(p / q, q / p), value) if agree else value
    high = between(value, 1.0) if different else value
    return low, high

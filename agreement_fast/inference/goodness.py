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
from agreement_fast.sums.categories import sums_of


def kappa_goodness_of_fit(
    data: Any,
    null_value: float = 0.0,
    *,
    alternative: str = "greater",
    confidence_level: float = 0.95,
) -> CoefficientTest:
    """Test κ against κ0 for two judgments an item and two categories, with an interval.

    Test and interval keep their level in small samples and near κ = 1; κ ± 1.96 standard errors
    does not.

    Parameters
    ----------
    data : Annotations with two judgments an item, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. There may be more than two coders, or unknown
        ones: the model takes them as interchangeable, and its κ is Scott's π. Items with fewer
        judgments are left out and counted.
    null_value : float, default 0
        The κ0 to test against, below 1.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        The alternative hypothesis: with "greater" a small p-value supports κ > κ0.
    confidence_level : float, default 0.95
        Of the two-sided interval, between 0 and 1.

    Returns
    -------
    CoefficientTest
        The test, without standard errors. `statistic` is χ²; `p_value` is that of its signed root,
        or of χ² if the test is two-sided.

    Raises
    ------
    ValueError
        If there are more than two categories, or an item has more than two judgments.

    Notes
    -----
    In the common correlation model both judgments of an item are "yes" with probability p(p + qκ),
    both "no" with q(q + pκ), and they differ with 2pq(1 − κ). Pearson's χ² of these three counts at
    κ0, with p estimated, has 1 degree of freedom:
    χ² = n p q (κ̂ − κ0)² (1 + κ0) / ((1 − κ0)(p + q κ0)(q + p κ0)). The interval holds every κ0 that
    χ² does not reject, so its ends are roots of a cubic. O(items).

    Artstein & Poesio (2008, 4.1.2) name Donner & Eliasziw (1987) for tests of arbitrary levels of
    agreement. That paper tests an intraclass correlation of numbers: see `alpha_test`.

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
    """Count the items that agree on the first category, differ, agree on the second; the others."""
    annotations = as_annotations(data)
    K = len(annotations.labels)
    if K > 2:
        raise InputError(
            f"the goodness of fit needs two categories, these annotations have {K}",
            "use merge_categories() to leave two: one, and all others",
        )
    sums = sums_of(annotations)
    most = max(sums.items_by_size, default=0)
    if most > 2:
        raise InputError(
            f"the goodness of fit needs two judgments an item, and some item has {most}",
            "select two coders with data.select(coders=[first, second])",
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
    """Find the κ0 on either side of the value whose χ² is the quantile."""
    from scipy.optimize import brentq
    from scipy.special import chdtri

    quantile = float(chdtri(1, 1 - confidence_level))

    def excess(kappa: float) -> float:
        fitted = (1 - kappa) * (p + q * kappa) * (q + p * kappa)
        return n * p * q * (value - kappa) ** 2 * (1 + kappa) - quantile * fitted

    def between(a: float, b: float) -> float:
        # Just inside the ends, at which both terms may be 0.
        beside = 1e-9 * (b - a)
        return float(brentq(excess, a + beside, b - beside, xtol=1e-15))

    # χ² is 0 at the value and infinite at both ends of what κ can be, unless the value lies there.
    low = between(-min(p / q, q / p), value) if agree else value
    high = between(value, 1.0) if different else value
    return low, high

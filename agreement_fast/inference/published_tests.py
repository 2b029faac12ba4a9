"""The tests of κ, π and α that papers derived, each for its coefficient.

For two coders the standard errors of κ are Fleiss, Cohen & Everitt's (1969). For more, κ is 1 minus
the ratio of two means over the pairs of coders. If all coders answer independently, the deviations
of one pair from its marginals are uncorrelated with those of any other pair, even one that shares a
coder. The null variances of the pairs therefore add up: this is Davies & Fleiss' (1982) standard
error, for any distance. π has Fleiss, Nee & Landis' (1979) variance, and Donner & Eliasziw's (1992)
goodness of fit for two categories. α is a ratio of variances, tested by F (Artstein & Poesio 2008,
2.6.1 and 4.1.2).
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.chance import CHANCE
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance, check_symmetric
from agreement_fast.distances.sums.categories import bind, sums_of
from agreement_fast.errors import InputError
from agreement_fast.inference.hypotheses import NAN, CoefficientTest, Estimate, normal_p, z_test
from agreement_fast.inference.marginal import (
    CompleteItems,
    check_size,
    complete_items,
)
from agreement_fast.inference.results import why_narrow
from agreement_fast.points import Point
from agreement_fast.present.tables import Listing
from agreement_fast.results import NO_PAIRS, NO_VARIATION

ONE_ITEM = "one item shows no variance between items, so nothing can be tested"

INFINITE = "no item disagrees, so F is infinite, which says nothing about other items"


def kappa_against_chance(
    annotations: Annotations,
    name: str,
    distance: Distance,
    null_value: float,
    alternative: str,
    confidence_level: float,
) -> CoefficientTest:
    """Test κ or β of the complete items of two coders or more."""
    items = complete_items(annotations, "the test of κ")
    of_two = items.n_coders == 2
    if not of_two:
        check_symmetric(distance)
    estimate = Estimate(NAN, NAN, NAN, items.undefined)
    if items.n_items:
        estimate = multi_kappa(items, distance)
    result = z_test(
        "Fleiss, Cohen & Everitt 1969" if of_two else "Davies & Fleiss 1982",
        name,
        distance.name,
        estimate,
        (items.n_items, items.n_dropped),
        null_value=null_value,
        alternative=alternative,
        confidence_level=confidence_level,
    )
    point, ends = Point(name, CHANCE["individual"], "items", distance), (result.low, result.high)
    observed = 1.0 - estimate.value
    note = why_narrow(annotations, point, observed, ends, confidence_level, "complete")
    return replace(result, note=note)


def multi_kappa(items: CompleteItems, distance: Distance) -> Estimate:
    """Estimate κ of the complete items of two coders or more.

    The distance is symmetric unless there are two: its rows are then the first one's labels.
    """
    counts, annotations, n = items.counts(), items.annotations, items.n_items
    used = np.flatnonzero(counts.sum(0))
    shares, codes = counts[:, used] / n, np.searchsorted(used, items.codes)
    marginals = counts.sum(0).astype(np.float64) if distance.ranks else None
    form = distance.bind(annotations.labels, annotations.declared, marginals)
    between = form.between(used[:, None], used[None, :])
    pairs = list(combinations(range(len(shares)), 2))
    expected = null_variance = 0.0
    disagreement, either = np.zeros((2, len(codes)))
    for c, d in pairs:
        by_first, by_second = between @ shares[d], shares[c] @ between
        by_chance = float(shares[c] @ by_first)
        beyond = between - by_first[:, None] - by_second[None, :] + by_chance
        expected += by_chance / len(pairs)
        null_variance += float(shares[c] @ beyond**2 @ shares[d]) / len(pairs) ** 2
        disagreement += between[codes[:, c], codes[:, d]] / len(pairs)
        either += (by_first[codes[:, c]] + by_second[codes[:, d]]) / len(pairs)
    if not expected:
        return Estimate(NAN, NAN, NAN, NO_VARIATION)
    observed = float(items.weights @ disagreement) / n
    influence = (observed / expected) * (either - 2 * expected) - (disagreement - observed)
    scale = expected * math.sqrt(n)
    error = math.sqrt(float(items.weights @ influence**2) / n) / scale
    # Values that differ from 0 by rounding only are 0.
    unit, value = float(between.max()) / scale, 1 - observed / expected
    null_error = math.sqrt(null_variance) / scale
    error, null_error = (each if each > 1e-12 * unit else 0.0 for each in (error, null_error))
    return Estimate(value if abs(value) > 1e-12 else 0.0, error, null_error, None)


def pi_against_chance(annotations: Annotations, alternative: str) -> CoefficientTest:
    """Test π of all categories."""
    sums = _Sums(annotations, "the test of π")
    estimate = Estimate(NAN, NAN, NAN, sums.undefined)
    if sums.undefined is None:
        p, q = sums.p, sums.q
        among_others = float((p * q).sum())
        variance = (among_others**2 - float((p * q * (q - p)).sum())) / among_others**2
        value = 1 - float(sums.disagreeing.sum()) / float(sums.by_chance.sum())
        estimate = Estimate(value, NAN, math.sqrt(2 * variance / sums.n_pairs), sums.untested)
    return sums.test(estimate, alternative)


def categories_against_chance(
    annotations: Annotations, alternative: str
) -> Listing[CoefficientTest]:
    """Test π of each category against all others taken together."""
    sums = _Sums(annotations, "the test of categories")
    tests = []
    for k, category in enumerate(sums.categories):
        reason = sums.undefined
        if reason is None and not sums.by_chance[k]:
            reason = NO_VARIATION
        estimate = Estimate(NAN, NAN, NAN, reason)
        if reason is None:
            value = 1 - float(sums.disagreeing[k] / sums.by_chance[k])
            estimate = Estimate(value, NAN, math.sqrt(2 / sums.n_pairs), sums.untested)
        tests.append(sums.test(estimate, alternative, category))
    return Listing(tests)


class _Sums:
    """The sums that the tests of Fleiss, Nee & Landis use.

    Attributes
    ----------
    p, q : float64 arrays of shape (K,)
        A category's share of the judgments, and the share of all others.
    disagreeing, by_chance : float64 arrays of shape (K,)
        Judgments of a category that are paired with another category: observed, and N m p q.
    n_pairs : float
        N m (m − 1), the ordered pairs of judgments of an item.
    undefined, untested : str or None
        Why there is no value, or a value without a test.
    """

    def __init__(self, annotations: Annotations, purpose: str) -> None:
        check_size(annotations, purpose)
        self.categories = annotations.categories
        sums = sums_of(annotations)
        judged = {size: n for size, n in sums.items_by_size.items() if size}
        sizes = list(judged)
        if len(sizes) > 1 or (sizes and sizes[0] < 2):
            result = " or ".join(map(str, sizes[:5])) + (" ..." if len(sizes) > 5 else "")
            raise InputError(
                f"{purpose} needs the same number of judgments for every item, two or more; here "
                f"items have {result}",
                "use standard_error or bootstrap, which take incomplete data",
            )
        self.n_items = sum(judged.values())
        self.n_dropped = annotations.n_items - self.n_items
        size = sizes[0] if sizes else 0
        self.n_pairs = float(self.n_items) * size * (size - 1)
        coincidences = annotations.coincidence_matrix().values
        counts = np.rint(coincidences.sum(1))
        total = max(float(counts.sum()), 1.0)
        self.p = counts / total
        # Sums of the other categories, not 1 − p, so that a rare disagreement keeps its digits.
        self.q = (counts.sum() - counts) / total
        np.fill_diagonal(coincidences, 0.0)
        self.disagreeing = coincidences.sum(1)
        self.by_chance = counts * self.q
        self.undefined: str | None = None
        self.untested = ONE_ITEM if self.n_items == 1 else None
        if not self.n_items:
            self.undefined = NO_PAIRS
        elif not self.by_chance.any():
            self.undefined = NO_VARIATION

    def test(self, estimate: Estimate, alternative: str, category: Any = None) -> CoefficientTest:
        """Return the result for an estimate."""
        return z_test(
            "Fleiss, Nee & Landis 1979",
            "pi",
            "nominal",
            estimate,
            (self.n_items, self.n_dropped),
            alternative=alternative,
            category=category,
        )


def goodness_of_fit(
    annotations: Annotations, null_value: float, alternative: str, confidence_level: float
) -> CoefficientTest:
    """Test π of two judgments an item and two categories."""
    K = len(annotations.labels)
    if K > 2:
        raise InputError(
            f"the goodness of fit needs two categories, these annotations have {K}",
            "use merge_categories() to leave two: one, and all others",
        )
    most = max(sums_of(annotations).items_by_size, default=0)
    if most > 2:
        raise InputError(
            f"the goodness of fit needs two judgments an item, and some item has {most}",
            "select two coders with data.select(coders=[first, second])",
        )
    cells = np.zeros((2, 2))
    cells[:K, :K] = np.rint(annotations.coincidence_matrix())
    yes, different, no = int(cells[0, 0]) // 2, int(cells[0, 1]), int(cells[1, 1]) // 2
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
        # The κ0 on either side of the value whose χ² is the quantile
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

        # χ² is 0 at the value and infinite at both ends of what κ can be, unless it lies there.
        low = between(-min(p / q, q / p), value) if yes and no else value
        high = between(value, 1.0) if different else value
        if p + q * null_value > 0 and q + p * null_value > 0:
            fitted = (1 - null_value) * (p + q * null_value) * (q + p * null_value)
            statistic = n * p * q * (value - null_value) ** 2 * (1 + null_value) / fitted
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
        value=value,
        null_value=float(null_value),
        statistic=statistic,
        df=1,
        distribution="chi2",
        p_value=p_value,
        alternative=alternative,
        low=low,
        high=high,
        confidence_level=confidence_level,
        n_items=n,
        n_items_dropped=annotations.n_items - n,
        undefined=undefined,
    )


def variance_ratio(
    annotations: Annotations, distance: Distance, null_value: float, alternative: str
) -> CoefficientTest:
    """Test α by the variance between items against that within."""
    result = agreement(annotations, "alpha", distance=distance)
    N, n = result.n_items, result.n_judgments
    statistic = p_value = dimensions = NAN
    undefined = result.undefined
    if undefined is None and N < 2:
        undefined = "no variance between items: there is only one"
    if undefined is None:
        from scipy.special import fdtr, fdtrc

        sums, form, apart = bind(annotations, distance, CHANCE["pooled_unbiased"], least=1)
        within = math.fsum(apart[i] / (2 * size) for i, size, _ in sums.pairable_sizes) / (n - N)
        total = result.expected_disagreement / 2
        between = max(0.0, total * (n - 1) - within * (n - N)) / (N - 1)
        dimensions = 1.0
        if not (distance.differences or distance.ranks):
            check_size(annotations, f"the test of variances with the distance {distance.name}")
            # (Σλ)² / Σλ² of the labels' covariance, from their distances. d = ‖f‖² of a difference:
            # centred, −d/2 is the matrix of inner products of the labels.
            used = np.flatnonzero(sums.counts())
            p = sums.counts()[used] / sums.counts().sum()
            gaps = form.between(used[:, None], used[None, :])
            mean = gaps @ p
            overall = float(p @ mean)
            inner = (mean[:, None] + mean[None, :] - overall - gaps) / 2
            dimensions = (overall / 2) ** 2 / float(p @ inner**2 @ p)
        # The number of judgments of an item, as it enters the expected variance between items.
        size = (n - sum(size**2 * items for _, size, items in sums.pairable_sizes) / n) / (N - 1)
        scale = 1 + size * null_value / (1 - null_value)
        statistic = between / within / scale if within else math.inf
        df = dimensions * (N - 1), dimensions * (n - N)
        greater, less = float(fdtrc(*df, statistic)), float(fdtr(*df, statistic))
        either = min(1.0, 2 * min(greater, less))
        p_value = {"greater": greater, "less": less}.get(alternative, either)
    return CoefficientTest(
        test="analysis of variance",
        coefficient="alpha",
        distance=distance.name,
        value=result.value,
        null_value=float(null_value),
        statistic=statistic,
        df=dimensions * (N - 1),
        df_within=dimensions * (n - N),
        distribution="F",
        p_value=p_value,
        alternative=alternative,
        n_items=N,
        n_items_dropped=result.n_items_dropped,
        undefined=undefined,
        note=INFINITE if statistic == math.inf else None,
    )

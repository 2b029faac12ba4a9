"""Any coefficient against any value: by its interval, or by the tests that papers derived.

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
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.chance import CHANCE
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance, check_symmetric, resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import bind, sums_of
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.delta_method import METHODS, standard_error
from agreement_fast.inference.hypotheses import (
    ALTERNATIVES,
    NAN,
    NO_VARIANCE,
    CoefficientTest,
    check_null_value,
    normal_p,
)
from agreement_fast.inference.marginal import CompleteItems, check_size, complete_items
from agreement_fast.inference.results import why_narrow
from agreement_fast.options import Alternative, Incomplete, PerItem, check_choice, check_share
from agreement_fast.points import Point, check_distance, named
from agreement_fast.present.tables import Listing
from agreement_fast.results import NO_PAIRS, NO_VARIATION

ONE_ITEM = "one item shows no variance between items, so nothing can be tested"

INFINITE = "no item disagrees, so F is infinite, which says nothing about other items"


class Estimate(NamedTuple):
    """A coefficient, its standard error, that under independence, and why it is undefined."""

    value: float
    error: float
    null_error: float
    undefined: str | None


def z_test(
    test: str,
    coefficient: str,
    distance: str,
    estimate: Estimate,
    items: tuple[int, int],
    alternative: str,
    *,
    null_value: float = 0.0,
    confidence_level: float = NAN,
    category: Any = None,
) -> CoefficientTest:
    """Return the result for an estimate; `items` counts the items used and those left out."""
    value, error, null_error, undefined = estimate
    used = null_error if null_value == 0 else error
    statistic = p_value = NAN
    if undefined is None and used > 0:
        statistic = (value - null_value) / used
        p_value = normal_p(statistic, alternative)
    elif undefined is None:
        undefined = NO_VARIANCE
    reach = two_sided_quantile(confidence_level) * error
    return CoefficientTest(
        test=test,
        coefficient=coefficient,
        distance=distance,
        category=category,
        value=value,
        null_value=float(null_value),
        standard_error=error,
        null_standard_error=null_error,
        statistic=statistic,
        p_value=p_value,
        alternative=alternative,
        low=value - reach,
        high=value + reach,
        confidence_level=confidence_level,
        n_items=items[0],
        n_items_dropped=items[1],
        undefined=undefined,
    )


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
    test = "Fleiss, Cohen & Everitt 1969" if of_two else "Davies & Fleiss 1982"
    of = (test, name, distance.name, estimate, (items.n_items, items.n_dropped), alternative)
    result = z_test(*of, null_value=null_value, confidence_level=confidence_level)
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
        of = ("Fleiss, Nee & Landis 1979", "pi", "nominal", estimate)
        return z_test(*of, (self.n_items, self.n_dropped), alternative, category=category)


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


#: The tests that papers derived, and the coefficients that they test.
PUBLISHED = {
    "null": ("kappa", "beta", "pi"),
    "variance": ("alpha",),
    "goodness_of_fit": ("pi",),
}


def coefficient_test(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike = "nominal",
    null_value: float = 0.0,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    method: Literal["score", "delta", "gwet", "null", "variance", "goodness_of_fit"] = "score",
    cluster: PerItem | None = None,
    transform: Literal["none", "atanh"] | None = None,
    **reading: Unpack[ReadingOptions],
) -> CoefficientTest:
    """Test any coefficient, under any distance, against any value.

    Is α above .667? By default the test inverts the interval of `standard_error`: a two-sided p is
    below 1 − confidence_level exactly if the interval leaves the null value out. Papers derived
    other tests for κ, π and α, which are methods by name.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    coefficient : str, default "alpha"
        Name of a coefficient.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`. "null" also takes an
        asymmetric matrix for two coders, whose rows are the first coder's labels.
    null_value : float, default 0
        The value to test against: below 1, and above −1 on Fisher's scale. From 0 to below 1 with
        "variance", then an intraclass correlation; 0 for π with "null".
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether the coefficient is above the null value.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged. The tests of papers have
        items of their own, see the notes.
    method : {"score", "delta", "gwet", "null", "variance", "goodness_of_fit"}, default "score"
        The interval that is inverted: that of all reports, or the value ± t standard errors by the
        infinitesimal jackknife ("delta") or as irrCAC prints it ("gwet"). Or a test of papers: κ, β
        and π by their standard error under chance ("null"), α by analysis of variance ("variance"),
        π of two judgments an item and two categories by "goodness_of_fit".
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Documents
        are then the sample. A pandas Series is matched to the items by its index. Not for the tests
        of papers.
    transform : {"none", "atanh"}, optional
        The scale of "delta" and "gwet": by default "none", which divides the plain difference by
        the standard error, as irrCAC does; "atanh" tests on Fisher's scale.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CoefficientTest
        The test. Its p-value is NaN, and `undefined` says why, if the coefficient is undefined, if
        there is only one item or document, or if the standard error is 0. There is no interval with
        "variance", nor of π with "null", because the papers give none.

    Raises
    ------
    ValueError
        If a name or choice is unknown, the method does not test this coefficient, the distance does
        not fit the labels, there is no standard error in closed form, or the null value is out of
        range. For a test of papers, also if the data are not such as it needs.

    See Also
    --------
    category_test : Test π of each category against chance.
    BootstrapResult.test : Test a coefficient by its bootstrap distribution.

    Notes
    -----
    With x and x₀ where the value, with the prior, and the null value lie between the least value
    and 1, and the effective number of items n, t = (x − x₀) √(n / (x₀ (1 − x₀))). On Fisher's
    scale t = (atanh(v) − atanh(v₀)) (1 − v²) / SE for the value v, the null value v₀ and the
    standard error SE. O(judgments).

    "null", κ and β: the items that all coders judged, so the value is that of
    ``incomplete="complete"``. Against 0, z is κ divided by its standard error under independence;
    against another value, and for the interval, the standard error of κ itself is used: that of
    Fleiss, Cohen & Everitt (1969) for two coders, that of the delta method for more. Variances are
    sums of squares of each cell's influence, which equals the papers' difference of two sums
    without its loss of digits. The null variance of C coders is Σ h_cd² p_c p_d / (n D_e²) over the
    cells, averaged over the pairs of coders and divided by their number, where h_cd are the
    distances less the means of their row and column (Davies & Fleiss 1982); n/(n − 1) times this is
    the exact variance if each coder's labels are shuffled among the items (Hubert 1977). κ of
    perfect agreement has standard error 0, and its interval means nothing. The ordinal distance is
    taken as fixed. O(C² (patterns + K²)).

    "null", π: z is π divided by its standard error under chance, with the variance of Fleiss, Nee &
    Landis (1979); the one that Fleiss gave in 1971 is wrong. All judged items have the same number
    of judgments, two or more. O(patterns · K²).

    "variance": with N items and n judgments, SS_total = (n − 1) D_e / 2, SS_within = Σ_i Σ_jl
    n_ij n_il d_jl / (2 n_i), and SS_between is their difference; F = (SS_between / (N − 1)) /
    (SS_within / (n − N)), divided by 1 + m ρ / (1 − ρ) for a null value ρ (Donner & Eliasziw 1987).
    If all items have the same number of judgments, α = 1 − (variance within items) / (total
    variance), so α = 0 means F = 1; else F = 1 is only near α = 0. p is exact for the interval
    distance and normal numbers of equal variance, the usual approximation for other one-dimensional
    labels (two categories, ranks). Labels of several dimensions (nominal with three categories or
    more) vary in ν = (Σλ)² / Σλ² effective directions, where λ are the eigenvalues of their
    covariance, and F has ν(N − 1) and ν(n − N) degrees of freedom (Box 1954). For distances that
    are not squared Euclidean this is a rule of thumb. O(judgments + K²).

    "goodness_of_fit" keeps its level in small samples and near π = 1, also its interval. Items may
    have two judgments at most, from anybody, in two categories. In the common correlation model
    both judgments of an item are "yes" with probability p(p + qκ), both "no" with q(q + pκ), and
    they differ with 2pq(1 − κ). Pearson's χ² of these three counts at κ0, with p estimated, has 1
    degree of freedom: χ² = n p q (κ̂ − κ0)² (1 + κ0) / ((1 − κ0)(p + q κ0)(q + p κ0)). p is that of
    its signed root. The interval holds every κ0 that χ² does not reject; its ends are roots of a
    cubic. The authors' κ is Scott's π, since it takes the coders as interchangeable. O(items).

    References
    ----------
    Fleiss, Cohen & Everitt 1969, Large sample standard errors of kappa and weighted kappa,
    *Psychological Bulletin* 72, 323–327; Davies & Fleiss 1982, Measuring agreement for multinomial
    data, *Biometrics* 38, 1047–1051; Hubert 1977, Kappa revisited, *Psychological Bulletin* 84,
    289–297; Fleiss, Nee & Landis 1979, Large sample variance of kappa in the case of different sets
    of raters, *Psychological Bulletin* 86, 974–977; Donner & Eliasziw 1987, Sample size
    requirements for reliability studies, *Statistics in Medicine* 6, 441–448; Donner & Eliasziw
    1992, A goodness-of-fit approach to inference procedures for the kappa statistic, *Statistics in
    Medicine* 11, 1511–1519; Box 1954, *Annals of Mathematical Statistics* 25, 290–302.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> af.inference.coefficient_test(data, "alpha", null_value=0.667, alternative="greater")
    <alpha(nominal) = 0.800535: t(39.9562) = 1.9936 against 0.667, p = 0.02653, 95% interval \
0.6649 to 0.8821, 100 items>

    The example of Fleiss, Cohen & Everitt (1969), 200 patients and three diagnoses:

    >>> data = af.Annotations.from_contingency([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    >>> af.inference.coefficient_test(data, "kappa", method="null")
    <kappa(nominal) = 0.428571: z = 7.72028 against 0, p = 1.161e-14, 95% interval 0.3233 to \
0.5338, 200 items>

    Numbers, by analysis of variance:

    >>> af.inference.coefficient_test(
    ...     [[1, 1], [2, 3], [3, 3], [1, 2]], distance="interval", method="variance",
    ...     alternative="greater",
    ... )
    <alpha(interval) = 0.708333: F(3, 4) = 6.66667 against 0, p = 0.04909, 4 items>
    """
    check_choice("method", method, (*METHODS, *PUBLISHED))
    annotations = as_annotations(data, **reading)
    if method not in PUBLISHED:
        options: dict[str, Any] = {"cluster": cluster, "transform": transform, "method": method}
        options |= {"confidence_level": confidence_level, "incomplete": incomplete}
        result = standard_error(annotations, coefficient, distance=distance, **options)
        return result.test(null_value, alternative)
    check_share("confidence_level", confidence_level)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_null_value(null_value)
    others = {"cluster": cluster, "transform": transform}
    for argument, given in others.items():
        if given is not None:
            raise InputError(
                (Argument("method", method), " takes no ", Argument(argument)),
                f"use one of {', '.join(METHODS)}, or leave it out",
                argument=argument,
            )
    name, resolved = named(coefficient).name, resolve(distance)
    if name not in PUBLISHED[method]:
        raise InputError(
            (Argument("method", method), f" tests {' and '.join(PUBLISHED[method])}, not {name}"),
            "the method 'score' tests any coefficient",
        )
    check_distance(coefficient, resolved)
    if method == "variance":
        if null_value < 0:
            raise InputError.must_be("null_value", "from 0 to below 1", null_value)
        return variance_ratio(annotations, resolved, null_value, alternative)
    if method == "goodness_of_fit":
        return goodness_of_fit(annotations, null_value, alternative, confidence_level)
    if name != "pi":
        return kappa_against_chance(
            annotations, name, resolved, null_value, alternative, confidence_level
        )
    if null_value:
        raise InputError(
            f"the test of π under chance is against 0, not {null_value!r}",
            "the method 'score' tests against any value",
            argument="null_value",
        )
    return pi_against_chance(annotations, alternative)


def category_test(
    data: JudgmentsLike,
    *,
    alternative: Alternative = "two-sided",
    **reading: Unpack[ReadingOptions],
) -> Listing[CoefficientTest]:
    """Test π (Fleiss' κ) of each category against chance, all others taken together.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders may be unknown (counts). Every judged item
        must have the same number of judgments. Items without judgments are left out and counted.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether a category's κ is above 0.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Listing of CoefficientTest
        One test for each category, in the order of the categories; NaN with a reason for a category
        that no judgment has, or every judgment.

    Raises
    ------
    ValueError
        If items have different numbers of judgments, or a single one, or there are more than 4096
        categories.

    Notes
    -----
    κ_j = 1 − Σ_i n_ij (m − n_ij) / (N m (m − 1) p_j q_j) for N items of m judgments, with the null
    variance 2 / (N m (m − 1)), which is the same for all categories. O(patterns · K²).

    References
    ----------
    Fleiss, Nee & Landis 1979, Large sample variance of kappa in the case of different sets of
    raters, *Psychological Bulletin* 86, 974–977.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_counts([[4, 0, 0], [3, 1, 0], [0, 4, 0], [1, 3, 0], [0, 0, 4]])
    >>> for test in af.inference.category_test(data):
    ...     print(test.category, round(test.value, 3), round(test.statistic, 2))
    0 0.583 3.2
    1 0.583 3.2
    2 1.0 5.48
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    sums = _Sums(as_annotations(data, **reading), "the test of categories")
    tests = []
    for k, category in enumerate(sums.categories):
        estimate = Estimate(NAN, NAN, NAN, sums.undefined or NO_VARIATION)
        if sums.undefined is None and sums.by_chance[k]:
            value = 1 - float(sums.disagreeing[k] / sums.by_chance[k])
            estimate = Estimate(value, NAN, math.sqrt(2 / sums.n_pairs), sums.untested)
        tests.append(sums.test(estimate, alternative, category))
    return Listing(tests)

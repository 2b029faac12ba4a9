"""Any coefficient against any value: by its interval, or by the tests that papers derived."""

from __future__ import annotations

from typing import Any, Literal, Unpack, cast

from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.delta_method import METHODS, standard_error
from agreement_fast.inference.hypotheses import ALTERNATIVES, CoefficientTest, check_null_value
from agreement_fast.inference.published_tests import (
    categories_against_chance,
    goodness_of_fit,
    kappa_against_chance,
    pi_against_chance,
    variance_ratio,
)
from agreement_fast.options import Alternative, Incomplete, PerItem, check_choice, check_share
from agreement_fast.points import check_distance, named
from agreement_fast.present.tables import Listing

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
    data : Annotations, or anything that `Annotations.from_wide` reads
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
        result = standard_error(
            annotations,
            coefficient,
            distance=distance,
            confidence_level=confidence_level,
            incomplete=incomplete,
            method=cast(Any, method),
            cluster=cluster,
            transform=transform,
        )
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
    data : Annotations, or anything that `Annotations.from_wide` reads
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
    return categories_against_chance(as_annotations(data, **reading), alternative)

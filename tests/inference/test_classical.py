"""Classical tests: against rational arithmetic, the papers' examples, and statsmodels."""

import math
import random
import statistics
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
import reference_classical as plain
from hypothesis import given
from hypothesis import strategies as st
from reference import rounds_to
from strategies import tables

import agreement_fast as af
from agreement_fast import inference

#: Fleiss 1971, table 1: 30 patients, 6 psychiatrists each; depression, personality disorder,
#: schizophrenia, neurosis, other.
DIAGNOSES = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
    [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0], [0, 2, 0, 4, 0], [1, 0, 2, 0, 3],
    [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0], [1, 0, 0, 4, 1],
    [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip

#: Fleiss, Cohen & Everitt 1969: shares of 200 patients in three diagnoses, and their weights.
PATIENTS = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
AGREEMENT_WEIGHTS = [[1, 0, 0.4444], [0, 1, 0.6667], [0.4444, 0.6667, 1]]

#: Stuart 1955: grade of unaided distance vision, right and left eye, of 7477 women.
EYES = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def contingency(largest=4, size=(2, 4), heaviest=12):
    """Square tables of small counts, many of them 0."""
    cell = st.one_of(st.just(0), st.integers(0, heaviest))
    return st.integers(*size).flatmap(
        lambda k: st.lists(st.lists(cell, min_size=k, max_size=k), min_size=k, max_size=k)
    )


def same(result, exact, scale=None):
    """A float within 1e-12 of an exact number, relative to it or to a scale."""
    bound = Fraction(1, 10**12) * (abs(exact) if scale is None else Fraction(scale))
    assert math.isfinite(result), result
    assert abs(Fraction(result) - exact) <= bound, (result, float(exact))


def two_sided(z):
    """The p-value of z."""
    return math.erfc(abs(z) / math.sqrt(2))


# ---------------------------------------------------------------------- κ of two coders


@given(contingency(), st.sampled_from(["nominal", "linear", "interval", "asymmetric"]))
def test_kappa_and_both_variances_are_those_of_the_definition(table, distance):
    """FCE 1969 as printed, with agreement weights 1 − d/d_max, in fractions."""
    K = range(len(table))
    if distance == "asymmetric":
        d = [[abs(i - j) + (2 if i > j else 0) for j in K] for i in K]
    else:
        rule = {"nominal": lambda x: int(x != 0), "linear": abs, "interval": lambda x: x * x}
        d = [[rule[distance](i - j) for j in K] for i in K]
    most = max(map(max, d))
    weight = [[1 - Fraction(x, most) for x in row] for row in d]
    data = af.Annotations.from_contingency(table)
    result = inference.coefficient_test(
        data, "beta", distance=d if distance == "asymmetric" else distance, method="null"
    )
    n = sum(map(sum, table))
    assert (result.n_items, result.n_items_dropped) == (n, 0)
    if not n:
        assert result.undefined.startswith("no pairs")
        return
    exact = plain.kappa_variances(table, weight)
    if exact is None:
        assert math.isnan(result.value)
        assert result.undefined.startswith("no variation")
        return
    value, variance, null_variance = exact
    same(result.value, value, max(abs(value), 1 - value))
    # rounding of a squared influence is relative to the largest cell's
    same(result.standard_error**2, variance, max(variance, Fraction(1, n)))
    same(result.null_standard_error**2, null_variance, max(null_variance, Fraction(1, n)))
    if not null_variance:
        assert result.null_standard_error == 0
        assert math.isnan(result.statistic)
        assert result.undefined.startswith("no variance")
        return
    z = float(value) / math.sqrt(null_variance)
    assert result.undefined is None
    assert result.statistic == pytest.approx(z, rel=1e-10, abs=1e-10)
    assert result.p_value == pytest.approx(two_sided(z), rel=1e-9)
    reach = NormalDist().inv_cdf(0.975) * math.sqrt(variance)
    assert result.low == pytest.approx(float(value) - reach, abs=1e-10)
    assert result.high == pytest.approx(float(value) + reach, abs=1e-10)


def test_fleiss_cohen_everitt_1969():
    """Their example: κ = .429, variances .002885 and .003082; κ_w = .508, .003248 and .004270.

    The last is .004269 with the four decimals of the weights that the paper prints.
    """
    data = af.Annotations.from_contingency(PATIENTS)
    result = inference.coefficient_test(data, "kappa", method="null")
    assert rounds_to(result.value, "0.429")
    assert rounds_to(result.standard_error**2, "0.002885")
    assert rounds_to(result.null_standard_error**2, "0.003082")
    weighted = inference.coefficient_test(
        data, "beta", distance=1 - np.array(AGREEMENT_WEIGHTS), method="null"
    )
    assert result.coefficient == "kappa"
    assert weighted.coefficient == "beta"
    assert math.floor(weighted.value * 1000) == 507
    assert rounds_to(weighted.standard_error**2, "0.003248")
    assert weighted.null_standard_error**2 == pytest.approx(0.004270, abs=2e-6)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(4))
def test_kappa_equals_statsmodels(seed, weights):
    """Value, both standard errors, z, p-values and the interval of `cohens_kappa`."""
    peer = pytest.importorskip("statsmodels.stats.inter_rater")
    table = np.random.default_rng(seed).integers(0, 40, (4, 4)) + np.diag([30] * 4)
    data = af.Annotations.from_contingency(table)
    distance = {None: "nominal", "linear": "linear", "quadratic": "interval"}[weights]
    expected = peer.cohens_kappa(table, wt=weights)
    result = inference.coefficient_test(data, "beta", distance=distance, method="null")
    assert result.value == pytest.approx(expected.kappa, rel=1e-12)
    assert result.standard_error == pytest.approx(expected.std_kappa, rel=1e-12)
    assert result.null_standard_error == pytest.approx(expected.std_kappa0, rel=1e-12)
    assert result.statistic == pytest.approx(expected.z_value, rel=1e-12)
    assert result.p_value == pytest.approx(expected.pvalue_two_sided, rel=1e-9)
    assert result.low == pytest.approx(expected.kappa_low, rel=1e-12)
    assert result.high == pytest.approx(expected.kappa_upp, rel=1e-12)
    greater = inference.coefficient_test(
        data, "beta", distance=distance, alternative="greater", method="null"
    )
    assert greater.p_value == pytest.approx(expected.pvalue_one_sided, rel=1e-9)


def test_kappa_of_incomplete_data_is_that_of_the_pairs():
    """Items that one coder did not judge are counted, and κ is that of `incomplete="complete"`."""
    rows = [(1, 1), (1, 2), (2, 2), (None, 1), (2, None), (2, 2), (1, 1), (None, None)]
    result = inference.coefficient_test(rows, "kappa", method="null")
    assert (result.n_items, result.n_items_dropped) == (5, 3)
    assert result.value == pytest.approx(af.kappa(rows, incomplete="complete").value, rel=1e-14)
    pairs = [row for row in rows if None not in row]
    assert (
        result.standard_error
        == inference.coefficient_test(pairs, "kappa", method="null").standard_error
    )


def test_kappa_against_another_value_uses_its_own_standard_error():
    """z = (κ − κ0) / SE, and the one-sided p-values are two halves."""
    data = af.Annotations.from_contingency(PATIENTS)
    result = inference.coefficient_test(
        data, "kappa", null_value=0.3, alternative="greater", method="null"
    )
    z = (result.value - 0.3) / result.standard_error
    assert result.statistic == pytest.approx(z, rel=1e-15)
    assert result.p_value == pytest.approx(two_sided(z) / 2, rel=1e-12)
    less = inference.coefficient_test(
        data, "kappa", null_value=0.3, alternative="less", method="null"
    )
    assert less.p_value + result.p_value == pytest.approx(1)
    assert float(result) == result.value


def test_a_constant_coder_has_kappa_zero_and_no_test():
    """κ = 0 with standard error 0 by the formulas, so there is nothing to divide by."""
    result = inference.coefficient_test(
        af.Annotations.from_contingency([[7, 3], [0, 0]]), "kappa", method="null"
    )
    assert (result.value, result.standard_error, result.null_standard_error) == (0, 0, 0)
    assert math.isnan(result.statistic)
    assert result.undefined.startswith("no variance")
    assert "no variance" in repr(result)


def test_perfect_agreement_has_standard_error_zero_but_a_test_against_chance():
    """κ = 1, z of independence; against .6 there is none."""
    data = af.Annotations.from_contingency([[7, 0], [0, 5]])
    result = inference.coefficient_test(data, "kappa", method="null")
    assert (result.value, result.standard_error, result.low, result.high) == (1, 0, 1, 1)
    assert result.statistic == pytest.approx(math.sqrt(12))
    assert inference.coefficient_test(
        data, "kappa", null_value=0.6, method="null"
    ).undefined.startswith("no variance")


def test_ordinal_weights_are_those_of_the_pairs_marginals():
    """Ranks come from the table that is tested."""
    data = af.Annotations.from_contingency(EYES)
    counts = [sum(EYES[k]) + sum(row[k] for row in EYES) for k in range(4)]
    matrix = af.distances.ordinal.matrix([0, 1, 2, 3], counts)
    result, given_matrix = (
        inference.coefficient_test(data, "beta", distance=d, method="null")
        for d in ("ordinal", matrix)
    )
    assert result.standard_error == pytest.approx(given_matrix.standard_error, rel=1e-13)
    assert result.value == pytest.approx(af.beta(data, "ordinal").value, rel=1e-13)


# ---------------------------------------------------------------------- π of any number


def test_fleiss_nee_landis_1979_on_the_diagnoses():
    """κ = .430, z = 17.65; the categories' exact values, not Fleiss' of 1971 from rounded p."""
    data = af.Annotations.from_counts(DIAGNOSES)
    assert np.sum(DIAGNOSES, axis=0).tolist() == [26, 26, 30, 55, 43]
    result = inference.coefficient_test(data, "pi", method="null")
    assert rounds_to(result.value, "0.430")
    assert rounds_to(result.statistic, "17.65")
    assert result.value == pytest.approx(af.pi(data).value, rel=1e-14)
    each = inference.category_test(data)
    assert all(
        rounds_to(test.value, printed)
        for test, printed in zip(each, ("0.245", "0.245", "0.520", "0.471", "0.566"), strict=True)
    )
    # R irr, kappam.fleiss(diagnoses, detail = TRUE)
    assert [round(test.statistic, 2) for test in each] == [5.19, 5.19, 11.03, 9.99, 12.01]


@given(st.integers(2, 5), st.integers(2, 4), st.integers(1, 8), st.randoms(use_true_random=False))
def test_fleiss_and_each_category_are_those_of_the_definition(m, K, N, rng):
    """FNL 1979 in fractions, on complete tables, some of them constant."""
    pool = rng.sample(range(K), rng.randint(1, K))
    items = [[rng.choice(pool) for _ in range(m)] for _ in range(N)]
    counts = [[item.count(k) for k in range(K)] for item in items]
    overall, each = plain.fleiss(counts)
    data = af.Annotations.from_counts([*counts, [0] * K])
    result = inference.coefficient_test(data, "pi", method="null")
    assert (result.n_items, result.n_items_dropped) == (N, 1)
    for test, exact in zip([result, *inference.category_test(data)], [overall, *each], strict=True):
        if exact is None:
            assert math.isnan(test.value)
            assert test.undefined.startswith("no variation")
            continue
        same(test.value, exact[0], 1 + abs(exact[0]))
        same(test.null_standard_error**2, exact[1])
        if N == 1:
            assert math.isnan(test.statistic)
            assert math.isnan(test.p_value)
            assert test.undefined.startswith("one item")
        else:
            z = float(exact[0]) / math.sqrt(exact[1])
            assert test.statistic == pytest.approx(z, abs=1e-10)
        assert math.isnan(test.low)
        assert math.isnan(test.standard_error)


def test_kappa_of_rounding_is_zero():
    """1 - 1 / (1 - 2^-53) is no disagreement beyond chance."""
    for n in range(2, 12):
        result = inference.coefficient_test(
            [[f"a{i}", f"b{i}"] for i in range(n)], "kappa", method="null"
        )
        assert (result.value, result.low, result.high) == (0, 0, 0)
        assert "-0" not in repr(result)


def test_perfect_agreement_is_tested_with_a_note():
    result = inference.coefficient_test(
        [["x", "x"], ["y", "y"], ["x", "x"]], method="variance", alternative="greater"
    )
    assert result.statistic == math.inf
    assert (
        result.note == "no item disagrees, so F is infinite, which says nothing about other items"
    )
    assert result.note in repr(result)
    assert (
        inference.coefficient_test(
            [["x", "x"], ["y", "y"], ["x", "y"]], method="variance", alternative="greater"
        ).note
        is None
    )


def test_incomplete_data_are_refused_if_the_variance_does_not_hold():
    """The message says what was found and what to do."""
    data = af.Annotations.from_counts([[3, 0], [1, 1], [2, 1]])
    with pytest.raises(ValueError, match=r"items have 2 or 3: use standard_error or bootstrap"):
        inference.coefficient_test(data, "pi", method="null")
    with pytest.raises(ValueError, match="items have 1:"):
        inference.category_test(af.Annotations.from_counts([[1, 0], [0, 1]]))
    assert inference.coefficient_test(
        af.Annotations.from_counts([[0, 0]]), "pi", method="null"
    ).undefined.startswith("no pairs")


# ---------------------------------------------------------------------- goodness of fit


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 15), st.sampled_from([0, 0.4, 0.75]))
def test_goodness_of_fit_is_pearsons_chi_square(both, different, neither, kappa):
    """Donner & Eliasziw 1992: the three cells, and an interval at whose ends χ² is the quantile."""
    table = [[both, different], [0, neither]]
    result = inference.coefficient_test(
        af.Annotations.from_contingency(table),
        "pi",
        null_value=kappa,
        alternative="greater",
        method="goodness_of_fit",
    )
    assert result.n_items == both + different + neither
    if not result.n_items:
        assert result.undefined.startswith("no pairs")
        return
    if not different + min(both, neither):
        assert result.undefined.startswith("no variation")
        return
    exact = plain.goodness_of_fit(both, different, neither, kappa)
    same(result.statistic, exact, max(exact, Fraction(1, 10)))
    value = af.pi(af.Annotations.from_contingency(table)).value
    assert result.value == pytest.approx(value, abs=1e-12)
    z = math.copysign(math.sqrt(exact), result.value - kappa)
    assert result.p_value == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-7)
    assert result.low <= result.value <= result.high
    quantile = NormalDist().inv_cdf(0.975) ** 2
    for end, at_the_edge in ((result.low, not (both and neither)), (result.high, not different)):
        if at_the_edge:
            assert end == result.value
        else:
            fit = plain.goodness_of_fit(both, different, neither, end)
            assert float(fit) == pytest.approx(quantile, rel=1e-6)


def test_goodness_of_fit_takes_unknown_coders_and_drops_single_judgments():
    """Two judgments an item, from anybody."""
    counts = [[2, 0]] * 20 + [[1, 1]] * 5 + [[0, 2]] * 25
    result = inference.coefficient_test(
        af.Annotations.from_counts([*counts, [1, 0]]),
        "pi",
        null_value=0.6,
        alternative="greater",
        method="goodness_of_fit",
    )
    table = af.Annotations.from_contingency([[20, 2], [3, 25]])
    other = inference.coefficient_test(
        table, "pi", null_value=0.6, alternative="greater", method="goodness_of_fit"
    )
    assert (result.low, result.high, result.p_value) == (other.low, other.high, other.p_value)
    assert (result.n_items, result.n_items_dropped) == (50, 1)
    both = inference.coefficient_test(
        table, "pi", null_value=0.6, alternative="two-sided", method="goodness_of_fit"
    )
    assert both.p_value == pytest.approx(2 * other.p_value)


def test_goodness_of_fit_refuses_what_its_model_does_not_have():
    """Three categories, three judgments, a κ0 that the marginals exclude."""
    with pytest.raises(ValueError, match=r"have 3: use merge_categories\(\) to leave two"):
        inference.coefficient_test(
            [[1, 2], [3, 1], [1, 1]], "pi", alternative="greater", method="goodness_of_fit"
        )
    with pytest.raises(ValueError, match=r"some item has 3: select two coders with data\.select"):
        inference.coefficient_test(
            [[1, 2, 1], [1, 1, 1], [2, 2, 2]], "pi", alternative="greater", method="goodness_of_fit"
        )
    rare = af.Annotations.from_contingency([[1, 2], [1, 40]])
    result = inference.coefficient_test(
        rare, "pi", null_value=-0.5, alternative="greater", method="goodness_of_fit"
    )
    assert math.isnan(result.p_value)
    assert result.undefined.startswith("no test: κ is at least -0.06")


# ---------------------------------------------------------------------- marginals


@given(contingency(), st.booleans())
def test_homogeneity_is_the_quadratic_form_of_the_definition(table, bhapkar):
    """Value and rank by exact elimination, singular tables included."""
    data = af.Annotations.from_contingency(table)
    method = "bhapkar" if bhapkar else "stuart_maxwell"
    result = inference.marginal_test(data, method=method)
    n = sum(map(sum, table))
    if not n:
        assert result.undefined.startswith("no pairs")
        return
    exact, rank = plain.homogeneity(table, bhapkar=bhapkar)
    plain_rank = plain.homogeneity(table, bhapkar=False)[1]
    if not plain_rank:
        assert result.undefined.startswith("no disagreement")
    elif exact is None:
        assert result.undefined.startswith("no variance")
    else:
        assert result.undefined is None
        assert result.df == plain_rank == rank
        same(result.statistic, exact, exact + Fraction(1, 1000))
        assert 0 <= result.p_value <= 1


def test_the_vision_of_7477_women():
    """Stuart 1955 has 11.96 on 3 degrees of freedom; Bhapkar's is 11.98."""
    data = af.Annotations.from_contingency(EYES)
    assert (result := inference.marginal_test(data)).n_items == 7477
    assert rounds_to(result.statistic, "11.96")
    assert result.df == 3
    assert rounds_to(inference.marginal_test(data, method="bhapkar").statistic, "11.98")


@pytest.mark.parametrize("seed", range(5))
def test_homogeneity_equals_statsmodels(seed):
    """Where no category is without disagreement (it returns nan there)."""
    peer = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = np.random.default_rng(seed).integers(1, 30, (4, 4))
    data = af.Annotations.from_contingency(table)
    for method in ("stuart_maxwell", "bhapkar"):
        expected = peer.SquareTable(table, shift_zeros=False).homogeneity(method)
        result = inference.marginal_test(data, method=method)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-11)
        assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        assert result.df == expected.df


def test_two_categories_are_mcnemars_test():
    """(b − c)² / (b + c)."""
    result = inference.marginal_test(af.Annotations.from_contingency([[40, 5], [14, 60]]))
    assert result.statistic == pytest.approx(81 / 19, rel=1e-14)
    assert result.df == 1


def test_blocks_add_up_and_equal_margins_are_not_dropped():
    """Two blocks that are never confused; and a table that R irr 0.84.1 takes for 0."""
    first, second = [[9, 4], [1, 7]], [[3, 2], [6, 8]]
    joined = [[9, 4, 0, 0], [1, 7, 0, 0], [0, 0, 3, 2], [0, 0, 6, 8]]
    parts = [inference.marginal_test(af.Annotations.from_contingency(t)) for t in (first, second)]
    result = inference.marginal_test(af.Annotations.from_contingency(joined))
    assert result.statistic == pytest.approx(sum(part.statistic for part in parts), rel=1e-13)
    assert result.df == 2
    tied = af.Annotations.from_contingency([[20, 10, 5], [5, 30, 15], [10, 15, 40]])
    exact, rank = plain.homogeneity([[20, 10, 5], [5, 30, 15], [10, 15, 40]], bhapkar=False)
    result = inference.marginal_test(tied)
    assert (result.df, rank) == (2, 2)
    same(result.statistic, exact)


def test_no_disagreement_and_no_variance_are_undefined():
    """0/0 without disagreement; infinite where everything leans one way."""
    agreed = af.Annotations.from_contingency([[3, 0], [0, 5]])
    assert inference.marginal_test(agreed).undefined.startswith("no disagreement")
    leaning = af.Annotations.from_contingency([[0, 5], [0, 0]])
    assert inference.marginal_test(leaning).statistic == 5
    assert inference.marginal_test(leaning, method="bhapkar").undefined.startswith("no variance")
    assert "no variance" in repr(inference.marginal_test(leaning, method="bhapkar"))


# ---------------------------------------------------------------------- association


def test_association_is_not_agreement():
    """A&P 2005, table 2: 64.59 of 200 items, κ below 0; Meyer's slide has N = 100, so 32.30."""
    table = [[25, 13, 12], [12, 2, 16], [3, 15, 2]]
    half = inference.association(af.Annotations.from_contingency(table))
    doubled = af.Annotations.from_contingency(2 * np.array(table))
    whole = inference.association(doubled)
    assert rounds_to(half.statistic, "32.30")
    assert rounds_to(whole.statistic, "64.59")
    assert half.df == whole.df == 4
    assert whole.p_value < 1e-12
    assert af.kappa(doubled).value < 0
    swapped = inference.association(af.Annotations.from_contingency([[0, 30], [30, 0]]))
    assert swapped.statistic == 60
    assert af.kappa(af.Annotations.from_contingency([[0, 30], [30, 0]])).value == -1


@given(contingency())
def test_association_is_pearsons(table):
    """Empty rows and columns leave; one that is left alone leaves no test."""
    result = inference.association(af.Annotations.from_contingency(table))
    if not sum(map(sum, table)):
        assert result.undefined.startswith("no pairs")
        return
    exact, df = plain.association(table)
    if df:
        same(result.statistic, exact, exact + Fraction(1, 1000))
        assert result.df == df
    else:
        assert result.undefined.startswith("no variation")


# ---------------------------------------------------------------------- variance ratio

DISTANCES = {
    "nominal": lambda a, b: int(a != b),
    "interval": lambda a, b: (Fraction(a) - Fraction(b)) ** 2,
    "linear": lambda a, b: abs(Fraction(a) - Fraction(b)),
}


@given(tables("scale", weighted=False, declared=False), st.sampled_from(sorted(DISTANCES)))
def test_the_variance_ratio_is_that_of_the_definition(table, distance):
    """Sums of squares from distances of all pairs, F, and the effective dimensions."""
    items = [[label for label in row if label is not None] for row in table.rows]
    data = af.Annotations.from_wide(table.rows, coders=table.coders)
    result, alpha = (
        inference.coefficient_test(
            data, distance=distance, method="variance", alternative="greater"
        ),
        af.alpha(data, distance),
    )
    pooled = [label for item in items if len(item) > 1 for label in item]
    if result.undefined is not None:
        assert alpha.undefined == result.undefined or sum(len(i) > 1 for i in items) == 1
        assert math.isnan(result.statistic)
        return
    between, within, df_between, df_within = plain.variances(items, DISTANCES[distance])
    same(result.value, Fraction(alpha.value), 1)
    exact = plain.dimensions(pooled, DISTANCES[distance])
    assert result.df == pytest.approx(float(exact) * df_between, rel=1e-9)
    assert result.df_within == pytest.approx(float(exact) * df_within, rel=1e-9)
    if within:
        F = (between / df_between) / (within / df_within)
        assert result.statistic == pytest.approx(float(F), rel=1e-9, abs=1e-9)
    else:
        assert result.statistic == math.inf
        assert result.p_value == 0


def test_alpha_is_one_less_the_ratio_of_variances_if_sizes_are_equal():
    """A&P 2008: α = 1 − within / total, and F = 1 where α = 0."""
    rng = random.Random(5)
    rows = [[rng.randint(1, 5) for _ in range(3)] for _ in range(12)]
    result = inference.coefficient_test(
        rows, distance="interval", method="variance", alternative="greater"
    )
    labels = [label for row in rows for label in row]
    within = statistics.fmean(statistics.variance(row) for row in rows)
    assert result.value == pytest.approx(1 - within / statistics.variance(labels))
    assert result.value == pytest.approx(af.alpha(rows, "interval").value, rel=1e-14)
    zero = inference.coefficient_test(
        [[0, 2], [1, 3], [3, 1], [0, 2], [3, 0]],
        distance="interval",
        method="variance",
        alternative="greater",
    )
    assert (zero.statistic < 1) == (zero.value < 0)
    assert zero.df == 4
    assert zero.df_within == 5


def test_the_variance_ratio_equals_scipys_analysis_of_variance():
    """Items as groups, also with missing judgments, also of many floats that nobody counted."""
    from scipy.stats import f_oneway

    rng = np.random.default_rng(3)
    rows = rng.normal(size=(12, 4)) + rng.normal(size=(12, 1))
    rows[rng.random(rows.shape) < 0.2] = np.nan
    groups = [row[~np.isnan(row)] for row in rows]
    expected = f_oneway(*[group for group in groups if len(group) > 1])
    result = inference.coefficient_test(
        rows, distance="interval", method="variance", alternative="greater"
    )
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-11)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    many = rng.normal(size=(3000, 2)) + rng.normal(size=(3000, 1))
    expected = f_oneway(*many)
    assert inference.coefficient_test(
        many, distance="interval", method="variance", alternative="greater"
    ).statistic == pytest.approx(expected.statistic, rel=1e-10)


def test_a_null_value_scales_f():
    """Donner & Eliasziw 1987: F / (1 + m ρ / (1 − ρ))."""
    rows = [[1, 2], [4, 4], [5, 3], [2, 2], [1, 1]]
    result, plainly = (
        inference.coefficient_test(
            rows, distance="interval", null_value=r, method="variance", alternative="greater"
        )
        for r in (0.4, 0)
    )
    assert result.statistic == pytest.approx(plainly.statistic / (1 + 2 * 0.4 / 0.6), rel=1e-12)
    assert result.p_value > plainly.p_value
    with pytest.raises(ValueError, match=r"null_value must be .*, not 1\.0"):
        inference.coefficient_test(rows, null_value=1.0, method="variance", alternative="greater")


@pytest.mark.parametrize(("K", "coders"), [(2, 2), (4, 3)])
def test_the_variance_ratio_keeps_its_level_for_nominal_labels(K, coders):
    """Random labels are called significant about as often as they should: 5% of 600 ± 4 s.e."""
    rng = np.random.default_rng(K)
    shares = np.arange(1, K + 1) / np.arange(1, K + 1).sum()
    p = [
        inference.coefficient_test(
            rng.choice(K, size=(40, coders), p=shares), method="variance", alternative="greater"
        ).p_value
        for _ in range(600)
    ]
    assert 0.05 - 4 * 0.0089 < np.mean(np.array(p) < 0.05) < 0.05 + 4 * 0.0089
    assert 0.5 - 4 * 0.0204 < np.mean(np.array(p) < 0.5) < 0.5 + 4 * 0.0204


# ---------------------------------------------------------------------- A_o, sizes


@given(tables("words", weighted=True, declared=False), st.sampled_from(["score", "wilson", "wald"]))
def test_the_interval_of_observed_agreement_is_over_items(table, method):
    """The squared deviations of the items' agreement, weights counted."""
    expanded = table.expanded()
    items = [[label for label in row if label is not None] for row in expanded.rows]
    data = af.Annotations.from_wide(table.rows, weights=table.weights, coders=table.coders)
    result = af.observed_agreement(data, method=method)
    if not any(len(item) > 1 for item in items):
        assert result.undefined.startswith("no pairs")
        return
    assert result == af.observed_agreement(data, method=method)
    mean, square = plain.observed_agreement(items)
    n = sum(len(item) > 1 for item in items)
    same(result.value, mean, 1)
    same(result.standard_error**2, square / n, 1)
    assert (result.n_items, result.method) == (n, method)
    z = NormalDist().inv_cdf(0.975)
    ends = plain.share_interval(mean, square, n, z, method)
    assert (result.low, result.high) == pytest.approx(ends, rel=1e-7, abs=1e-7)


def test_two_coders_have_wilsons_interval():
    """Meyer's ten pairs: .1449; Wilson's interval of 7 of 10 as statsmodels has it."""
    data = af.Annotations.from_contingency([[2, 1], [2, 5]])
    peer = pytest.importorskip("statsmodels.stats.proportion")
    for method in ("score", "wilson"):
        result = af.observed_agreement(data, method=method)
        assert rounds_to(result.standard_error, "0.1449")
        ends = peer.proportion_confint(7, 10, method="wilson")
        assert (result.low, result.high) == pytest.approx(ends, rel=1e-12)
    wald = af.observed_agreement(data, method="wald")
    ends = peer.proportion_confint(7, 10, method="normal")
    assert (wald.low, wald.high) == pytest.approx(ends, rel=1e-12)
    with pytest.raises(ValueError, match="method must be 'score', 'wilson' or 'wald', not"):
        af.observed_agreement(data, method="items")


@pytest.mark.parametrize(
    ("agreeing", "differing", "low", "high"),
    [(9, 1, 0.596, 0.982), (2, 0, 0.342, 1.0), (0, 2, 0.0, 0.658)],
)
def test_few_items_have_an_interval_within_0_and_1(agreeing, differing, low, high):
    """A_o ± 1.96 standard errors would be .714 to 1.086, 1 to 1, and 0 to 0."""
    result = af.observed_agreement([["x", "x"]] * agreeing + [["x", "y"]] * differing)
    assert (round(result.low, 3), round(result.high, 3)) == (low, high)


def test_the_interval_is_of_the_items_that_count():
    """With "complete", only the items that all three judged count."""
    rows = [["x", "x", "x"], ["x", "y", "x"], ["x", "x", "y"], ["y", "y", "y"]]
    gaps = [["x", "y", None], [None, "x", "y"], ["y", None, None]]
    result = af.observed_agreement(rows + gaps, incomplete="complete")
    assert result == af.observed_agreement(rows)
    assert result != af.observed_agreement(rows + gaps)


def test_items_of_many_coders_vary_less():
    """Three items of one agreement are no certainty; a hundred of ten coders have far less than
    the variance of 0 and 1."""
    same_share = af.Annotations.from_counts([[2, 1], [1, 2], [2, 1]])
    result = af.observed_agreement(same_share)
    assert result.value == pytest.approx(1 / 3)
    assert result.standard_error == 0
    assert result.low < 0.2
    assert result.high > 0.5
    many = af.Annotations.from_counts([[9, 1]] * 50 + [[7, 3]] * 50)
    score, wilson = (af.observed_agreement(many, method=m) for m in ("score", "wilson"))
    assert score.high - score.low < 0.5 * (wilson.high - wilson.low)


@pytest.mark.breadth
@pytest.mark.parametrize(
    ("coders", "n_items", "accuracy"), [(2, 12, 0.9), (3, 15, 0.95), (10, 10, 0.9), (10, 60, 0.95)]
)
def test_the_interval_of_observed_agreement_holds_its_level(coders, n_items, accuracy):
    """True items of .9 and .1, coders right with one probability: 600 samples each."""
    rng = np.random.default_rng(coders * n_items)
    true = rng.random((600 * n_items, 1)) < 0.1
    labels = true ^ (rng.random((600 * n_items, coders)) > accuracy)
    yes = labels.sum(1)
    expected = accuracy**2 + (1 - accuracy) ** 2
    held = 0
    for rows in np.stack([coders - yes, yes], axis=1).reshape(600, n_items, 2):
        result = af.observed_agreement(af.Annotations.from_counts(rows))
        held += result.low <= expected <= result.high
    # four standard errors of 600 samples below 95%
    assert held / 600 > 0.95 - 4 * 0.0089


def test_krippendorffs_minimum_of_units():
    """Krippendorff's example of four categories: 81 for .667 and 139 for .800 at .05."""
    assert inference.minimum_units(0.667, n_categories=4) == 81
    assert inference.minimum_units(0.8, n_categories=4) == 139
    assert inference.minimum_units(0.8, 0.25, significance=0.05) == 139
    z = NormalDist().inv_cdf(0.995)
    exact = 2 * z * z * ((1.9 * 2.1) / (4 * 0.1 * 0.1 * 0.9) - 0.9)
    assert inference.minimum_units(0.9, 0.1, significance=0.005) == math.ceil(exact)
    assert inference.minimum_units(0.8, 0.1) > inference.minimum_units(0.8, 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"min_alpha": 1.0, "rarest": 0.5}, r"min_alpha must be .*, not 1\.0"),
        ({"min_alpha": 0.8}, "either rarest or n_categories"),
        ({"min_alpha": 0.8, "rarest": 0.2, "n_categories": 5}, "either rarest or n_categories"),
        ({"min_alpha": 0.8, "rarest": 0.7}, r"rarest must be .*, not 0\.7"),
        ({"min_alpha": 0.8, "n_categories": 1}, r"n_categories must be .*, not 1"),
        (
            {"min_alpha": 0.8, "rarest": 0.5, "significance": 0.5},
            r"between 0 and 0\.5, not 0\.5",
        ),
    ],
)
def test_sizes_that_make_no_sense_are_refused(arguments, message):
    """The message has the value."""
    with pytest.raises(ValueError, match=message):
        inference.minimum_units(**arguments)


def test_the_error_names_what_is_not_a_number():
    two = [[1, 1], [2, 2], [1, 2]]
    for call, message in (
        (
            lambda: inference.minimum_units(0.8, n_categories=2.5),
            r"n_categories must be .*2\.5",
        ),
        (lambda: inference.minimum_units("high", 0.2), r"min_alpha must be .*, not 'high'"),
        (
            lambda: inference.coefficient_test(two, "kappa", null_value="a", method="null"),
            r"null_value must be .*, not 'a'",
        ),
        (
            lambda: inference.coefficient_test(
                two, "pi", null_value=None, alternative="greater", method="goodness_of_fit"
            ),
            r"null_value must be .*, not None",
        ),
        (
            lambda: inference.coefficient_test(
                two, null_value="a", method="variance", alternative="greater"
            ),
            r"null_value must be .*, not 'a'",
        ),
        (
            lambda: af.observed_agreement(two, confidence_level="95"),
            "a number, not '95'",
        ),
        (lambda: inference.items_needed(two, width=0.1), "what standard_error"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


# ---------------------------------------------------------------------- what is refused


def test_a_single_table_needs_two_coders():
    with pytest.raises(ValueError, match=r"have 3: select two with data\.select"):
        inference.association([[1, 2, 1], [2, 2, 1], [1, 1, 1]])


@pytest.mark.parametrize(
    "test",
    [
        lambda data: inference.coefficient_test(data, "kappa", method="null"),
        inference.marginal_test,
        inference.association,
    ],
)
def test_coders_must_be_known(test):
    with pytest.raises(ValueError, match="which coder made which judgment"):
        test(af.Annotations.from_counts([[2, 0], [1, 1]]))


def test_options_are_checked():
    """Levels, alternatives and null values."""
    data = af.Annotations.from_contingency([[2, 1], [2, 5]])
    with pytest.raises(ValueError, match=r"confidence_level must be .*, not 95"):
        inference.coefficient_test(data, "kappa", confidence_level=95, method="null")
    with pytest.raises(ValueError, match=r"alternative must be .*, not 'larger'"):
        inference.coefficient_test(data, "pi", alternative="larger", method="null")
    with pytest.raises(ValueError, match=r"null_value must be .*, not 1"):
        inference.coefficient_test(
            data, "pi", null_value=1, alternative="greater", method="goodness_of_fit"
        )
    with pytest.raises(ValueError, match=r"null_value must be .*, not nan"):
        inference.coefficient_test(data, "kappa", null_value=math.nan, method="null")
    floats = np.arange(10_000.0).reshape(-1, 2)
    with pytest.raises(ValueError, match="10000 × 10000 categories"):
        inference.coefficient_test(floats, "beta", distance="interval", method="null")
    with pytest.raises(ValueError, match="the distance linear needs a table of 10000"):
        inference.coefficient_test(
            floats, distance="linear", method="variance", alternative="greater"
        )


def test_no_pairs_is_undefined_everywhere():
    """Every test gives the same reason."""
    data = af.Annotations.from_wide([[1, None], [None, 2]])
    tests = [
        lambda data: inference.coefficient_test(data, "kappa", method="null"),
        lambda data: inference.coefficient_test(data, "pi", method="goodness_of_fit"),
        inference.marginal_test,
        lambda data: inference.marginal_test(data, method="bhapkar"),
        inference.association,
        lambda data: inference.coefficient_test(data, method="variance"),
        af.observed_agreement,
    ]
    for test in tests:
        assert test(data).undefined.startswith("no pairs"), test

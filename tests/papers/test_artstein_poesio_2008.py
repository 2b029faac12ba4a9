"""The worked examples of Artstein & Poesio 2008, their survey of inter-coder agreement.

Tables 1, 4, 5 and 6 repeat the 2005 report (test_artstein_poesio_2005.py); what is new here is
alpha from the analysis of variance, prevalence, and segmentation.
"""

from fractions import Fraction

import pytest
from reference import rounds_to

import agreement_fast as af
from agreement_fast import distances, measures

TABLE_1 = [[20, 20], [10, 50]]
TABLE_4 = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
CHECKS_BETWEEN = [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]  # Stat, IReq, Chck


@pytest.mark.parametrize(
    ("coefficient", "expected_agreement", "printed"),
    [("s", ".5", ".4"), ("pi", ".545", ".341"), ("kappa", ".54", ".348")],
)
def test_table_2_chance_models_on_table_1(coefficient, expected_agreement, printed):
    """Table 2 (section 2.4): A_o = .7; A_e and value of S, pi and kappa."""
    result = af.agreement(af.Annotations.from_contingency(TABLE_1), coefficient)
    assert result.observed_agreement == pytest.approx(0.7, rel=1e-12)
    assert result.expected_agreement == pytest.approx(float(expected_agreement), rel=1e-12)
    assert rounds_to(result.value, printed)


@pytest.mark.parametrize(
    ("coefficient", "expected_agreement", "printed"),
    [("s", "1/3", ".82"), ("pi", "0.4014", ".7995"), ("kappa", "0.396", ".8013")],
)
def test_table_5_unweighted_coefficients(coefficient, expected_agreement, printed):
    """Table 5 (section 2.7.1): A_o = .88; pi and kappa straddle .80."""
    result = af.agreement(af.Annotations.from_contingency(TABLE_4), coefficient)
    assert result.observed_agreement == pytest.approx(0.88, rel=1e-12)
    assert result.expected_agreement == pytest.approx(
        float(Fraction(expected_agreement)), rel=1e-12
    )
    assert rounds_to(result.value, printed)


@pytest.mark.parametrize(
    ("coefficient", "expected_disagreement", "printed"),
    [("alpha", ".4879", ".8156"), ("weighted_kappa", ".49", ".8163")],
)
def test_table_6_weighted_coefficients(coefficient, expected_disagreement, printed):
    """Table 6 (section 2.7.2): D_o = .09; alpha and kappa_w."""
    distance = af.distances.matrix(CHECKS_BETWEEN)
    result = af.agreement(af.Annotations.from_contingency(TABLE_4), coefficient, distance=distance)
    assert result.observed_disagreement == pytest.approx(0.09, rel=1e-12)
    assert rounds_to(result.expected_disagreement, expected_disagreement)
    assert rounds_to(result.value, printed)


def test_cohen_normalises_weights_without_effect():
    """Section 2.6.2: dividing both disagreements by the largest weight leaves kappa_w."""
    data = af.Annotations.from_contingency(TABLE_4)
    doubled = [[2 * weight for weight in row] for row in CHECKS_BETWEEN]
    result = af.weighted_kappa(data, af.distances.matrix(doubled))
    assert result.observed_disagreement == pytest.approx(0.18, rel=1e-12)
    assert rounds_to(result.value, ".8163")


@pytest.mark.parametrize(
    "table", [TABLE_1, TABLE_4, [[90, 5], [5, 0]], [[5, 0, 1], [7, 2, 2], [0] * 3]]
)
def test_chance_agreement_is_ordered(table):
    """Sections 2.4.2 and 2.4.3: for any two coders A_e(pi) >= A_e(S) and A_e(pi) >= A_e(kappa)."""
    data = af.Annotations.from_contingency(table)
    s, pi, kappa = (af.agreement(data, name).expected_agreement for name in ("s", "pi", "kappa"))
    assert pi >= s - 1e-15
    assert pi >= kappa - 1e-15
    assert af.pi(data).value <= af.s(data).value + 1e-15
    assert af.pi(data).value <= af.kappa(data).value + 1e-15


# ---------------------------------------------------------------- section 2.6.1


RATINGS = [(1, 2, 2), (4, 4, 5), (3, 3, 3), (10, 8, 9.5), (0, 1, 0), (6, 2, 7)]


def sum_of_squares(numbers):
    """The sum of squared differences from the mean, exactly."""
    numbers = [Fraction(number) for number in numbers]
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers)


def test_interval_alpha_is_one_minus_a_ratio_of_variances():
    """Section 2.6.1: alpha = 1 - s²(within) / s²(total), D_o and D_e being twice these."""
    items, coders = len(RATINGS), 3
    within = sum(sum_of_squares(row) for row in RATINGS) / (items * (coders - 1))
    total = sum_of_squares(number for row in RATINGS for number in row) / (items * coders - 1)
    result = af.alpha(RATINGS, "interval")
    assert result.observed_disagreement == pytest.approx(float(2 * within), rel=1e-12)
    assert result.expected_disagreement == pytest.approx(float(2 * total), rel=1e-12)
    assert result.value == pytest.approx(float(1 - within / total), rel=1e-12)


def test_nominal_alpha_is_multi_pi_with_an_unbiased_expectation():
    """Section 2.6.1: D_o is 1 - A_o of multi-pi; D_e is 1 - A_e(pi) times ic / (ic - 1)."""
    n = 3 * len(RATINGS)
    alpha, pi = af.alpha(RATINGS), af.pi(RATINGS)
    assert alpha.observed_disagreement == pytest.approx(1 - pi.observed_agreement, rel=1e-12)
    expected = (1 - pi.expected_agreement) * n / (n - 1)
    assert alpha.expected_disagreement == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- section 3.2, prevalence


@pytest.mark.parametrize(("rare_both", "one_only", "n"), [(30, 20, 1000), (2, 1, 50), (5, 40, 400)])
def test_table_7_coefficients_of_a_rare_category(rare_both, one_only, n):
    """Table 7: with delta agreed rare and epsilon either way, pi = kappa follow in closed form.

    A_o = 1 - 2 epsilon and, with r = delta + epsilon, pi = kappa = delta / r - epsilon / (1 - r):
    when both are small, the share of one coder's rare items that the other calls rare.
    """
    common = n - rare_both - 2 * one_only
    table = [[common, one_only], [one_only, rare_both]]
    data = af.Annotations.from_contingency(table, categories=["Common", "Rare"])
    delta, epsilon = Fraction(rare_both, n), Fraction(one_only, n)
    exact = delta / (delta + epsilon) - epsilon / (1 - delta - epsilon)
    for result in (af.pi(data), af.kappa(data)):
        assert result.observed_agreement == pytest.approx(float(1 - 2 * epsilon), rel=1e-12)
        assert result.value == pytest.approx(float(exact), rel=1e-12)


def test_skewed_data_hide_low_reliability_behind_high_agreement():
    """Section 3.2: random coding with 95% in one category agrees on 90.5% and has pi near 0."""
    table = [[9025, 475], [475, 25]]
    result = af.pi(af.Annotations.from_contingency(table))
    assert result.observed_agreement == pytest.approx(0.905, rel=1e-12)
    assert result.value == pytest.approx(0, abs=1e-14)


# ---------------------------------------------------------------- section 4.3.1, segmentation


@pytest.mark.parametrize(
    ("table", "observed", "expected", "printed"),
    [
        # 50 utterances, three boundaries each (first, last, one at 25 or 26): two disagreements.
        # The text says 98% of the utterances agree; it is 48/50 = 96% (slip).
        ([[2, 1], [1, 46]], ".96", ".89", ".65"),
        # Finer units: three times the disagreements, 19 boundaries each, A_e = 0.53.
        ([[16, 3], [3, 28]], ".88", ".53", ".75"),
    ],
)
def test_table_8_segmentation(table, observed, expected, printed):
    """Table 8: three times the disagreements, and yet a higher K.

    Our text lacks the table; the counts follow from its description and from A_e = 0.53.
    """
    result = af.agreement(af.Annotations.from_contingency(table), "K")
    assert result.observed_agreement == pytest.approx(float(observed), rel=1e-12)
    assert rounds_to(result.expected_agreement, expected)
    assert rounds_to(result.value, printed)


def test_table_8_finer_units_have_the_higher_coefficient():
    """Section 4.3.1: K of broad segments is below K of fine units though A_o is above."""
    broad = af.pi(af.Annotations.from_contingency([[2, 1], [1, 46]]))
    fine = af.pi(af.Annotations.from_contingency([[16, 3], [3, 28]]))
    assert broad.observed_agreement > fine.observed_agreement
    assert broad.value < fine.value
    assert broad.value == pytest.approx(1 - 0.04 / 0.1128, rel=1e-12)
    assert fine.value == pytest.approx(1 - 0.12 / 0.4712, rel=1e-12)


# ---------------------------------------------------------------- section 4.2, dialogue acts

DIT = ["info-seek/ynq/check/positive-check", "info-seek/ynq/check/negative-check", "info-seek/whq"]
SEEK, YNQ, CHECK, POSITIVE = (
    "info-seek", "info-seek/ynq", "info-seek/ynq/check", "info-seek/ynq/check/positive-check"
)  # fmt: skip


@pytest.mark.parametrize("correction", [0.0, 0.5, 0.8, 0.99])
def test_differences_higher_in_the_hierarchy_may_matter_more(correction):
    """Section 4.2: information-seeking and ynq may be farther apart than check, positive-check."""

    def apart(deeper):
        distance = distances.level_dependent(DIT, correction=correction, deeper=deeper)
        above, below = (distance.matrix(pair)[0, 1] for pair in ((SEEK, YNQ), (CHECK, POSITIVE)))
        return above, below

    above, below = apart("nearer")
    assert above > below == 0.25
    # The other way, which the option is for, too.
    assert apart("farther") == (below, above)


def test_partial_agreement_in_the_hierarchy_gives_a_higher_kappa():
    """Section 4.2: values of kappa_w are above those of kappa for the same categories."""
    rows = [
        [CHECK, YNQ],
        [YNQ, SEEK],
        [POSITIVE, POSITIVE],
        ["inform", "inform"],
        ["inform", CHECK],
    ]
    for deeper in ("nearer", "farther"):
        distance = distances.level_dependent([*DIT, "inform"], correction=0.8, deeper=deeper)
        assert af.weighted_kappa(rows, distance) > af.kappa(rows) + 0.1


# ---------------------------------------------------------------- section 4.5, word senses

A_OF_TWO = {"A1": "A", "A2": "A", "B": None}


def test_two_coders_who_say_a_tag_of_two_agree_by_half():
    """Section 4.5: Melamed & Resnik's equation 4 gives .5 for A and A, Melamed's minimum 1."""
    rows = [["A", "A"]]
    data = af.Annotations.from_wide(rows, coders=["x", "y"])
    published = measures.leaf_agreement(data, A_OF_TWO, n_resamples=1)
    corrected = measures.leaf_agreement(data, A_OF_TWO, common="minimum", n_resamples=1)
    assert published.observed_agreement == 0.5
    assert corrected.observed_agreement == 1.0


def test_chance_still_chooses_among_the_leaves():
    """Section 4.5: with the minimum, expected agreement is that of leaf nodes; alpha's is not."""
    rows = [["A", "A"]] * 3 + [["B", "B"]]
    as_leaves = [["A1", "A2"], ["A1", "A2"], ["A1", "A2"], ["B", "B"]]
    corrected = measures.leaf_agreement(rows, A_OF_TWO, common="minimum", rng=1)
    assert corrected.observed_agreement == 1.0
    assert corrected.expected_agreement == pytest.approx(2 * 0.375**2 + 0.25**2, rel=1e-12)
    assert corrected.expected_agreement == pytest.approx(af.pi(as_leaves).expected_agreement)
    # As a distance in alpha, the same observed agreement, and chance says A as coders do.
    alpha = af.alpha(rows, distances.leaf_overlap(A_OF_TWO))
    assert (alpha.value, alpha.observed_disagreement) == (1.0, 0.0)
    assert 1 - alpha.expected_disagreement > corrected.expected_agreement

"""The worked examples of Meyer, A brief tutorial on inter-rater agreement (2009).

If the slides truncate instead of rounding, or slip, the right value is tested and the slip named.
"""

from fractions import Fraction

import pytest
from reference import rounds_to

import agreement_fast as af

# Relatedness of ten word pairs, raters 1 to 3 (h: high, l: low).
WORD_PAIRS = ["hhh", "hhl", "hlh", "lhh", "llh", "lll", "lll", "lhl", "llh", "llh"]
TWO_RATERS = [tuple(row[:2]) for row in WORD_PAIRS]
THREE_RATERS = [tuple(row) for row in WORD_PAIRS]


def test_contingency_matrix_of_the_word_pairs():
    """Slide "Percentage of agreement": r2 in rows, r1 in columns: 2, 2, 1, 5."""
    data = af.Annotations.from_wide(TWO_RATERS, coders=["r1", "r2"])
    assert data.contingency_table("r2", "r1").tolist() == [[2, 2], [1, 5]]
    assert data.contingency_table("r1", "r2").tolist() == [[2, 1], [2, 5]]


def test_percentage_of_agreement():
    """Slide "Percentage of agreement": A_o = 1/10 (2 + 5) = 0.7."""
    assert af.observed_agreement(TWO_RATERS).value == pytest.approx(0.7, rel=1e-12)


def test_standard_error_of_observed_agreement():
    """Slide "Standard error": sqrt(A_o (1 - A_o) / n) = 0.1449.

    Printed sqrt(A_o (1 - A_o)) / n = 0.04; the root must cover n (slip).
    """
    result = af.observed_agreement(TWO_RATERS)
    assert result.standard_error == pytest.approx(float(Fraction(21, 1000)) ** 0.5, rel=1e-12)
    assert rounds_to(result.standard_error, "0.1449")


@pytest.mark.parametrize(
    ("confidence_level", "low", "high"),
    [(0.95, "0.416", "0.984"), (0.90, "0.462", "0.938")],
)
def test_confidence_interval_of_observed_agreement(confidence_level, low, high):
    """Slide "Confidence interval": printed 0.610 to 0.789 and 0.624 to 0.775, from the slip."""
    result = af.observed_agreement(TWO_RATERS, confidence_level=confidence_level, method="wald")
    assert rounds_to(result.low, low)
    assert rounds_to(result.high, high)


@pytest.mark.parametrize("k", [2, 3])
def test_random_guesses_have_coefficients_of_zero(k):
    """Slide "Agreement by chance": 180 guesses agree on 1/2 or 1/3; S = pi = kappa = 0."""
    data = af.Annotations.from_contingency([[180 // k**2] * k] * k)
    assert data.n_items == 180
    for coefficient in ("s", "pi", "kappa"):
        result = af.agreement(data, coefficient)
        assert result.observed_agreement == pytest.approx(1 / k, rel=1e-12)
        assert result.value == pytest.approx(0, abs=1e-15)


def test_proper_nouns_agree_almost_perfectly_on_their_absence():
    """Slide "Equal weights": A_o = 1010/1050 = 0.9619 (the slide cuts to 0.961)."""
    data = af.Annotations.from_contingency([[10, 20], [20, 1000]], categories=["+", "-"])
    result = af.observed_agreement(data)
    assert result.value == pytest.approx(1010 / 1050, rel=1e-12)
    assert rounds_to(result.value, "0.9619")
    assert af.pi(data).value == pytest.approx(16 / 51, rel=1e-12)


@pytest.mark.parametrize(
    ("coefficient", "expected_agreement", "printed"),
    [("s", "0.5", "0.4"), ("pi", "0.545", "0.341"), ("kappa", "0.54", "0.348")],
)
def test_chance_corrected_measures(coefficient, expected_agreement, printed):
    """Slide "Chance-corrected measures": A_e and value of S, pi and kappa."""
    result = af.agreement(TWO_RATERS, coefficient)
    assert result.observed_agreement == pytest.approx(0.7, rel=1e-12)
    assert result.expected_agreement == pytest.approx(float(expected_agreement), rel=1e-12)
    assert rounds_to(result.value, printed)


def test_agreement_table_of_three_raters():
    """Slide "Agreement table": how many raters said high and low of each pair; 13 and 17."""
    data = af.Annotations.from_wide(THREE_RATERS, categories=["h", "l"])
    table = data.to_counts()
    high = [3, 2, 2, 2, 1, 0, 0, 1, 1, 1]
    assert table.tolist() == [[count, 3 - count] for count in high]
    assert table.sum(axis=0).tolist() == [13, 17]


@pytest.mark.parametrize("coders_known", [True, False])
def test_multi_pi(coders_known):
    """Slide "multi-pi": A_o = 32/60 = 0.533, A_e = 458/900 = 0.5089, multi-pi = 0.0498.

    The slide cuts the last two to 0.508 and 0.049.
    """
    data = af.Annotations.from_wide(THREE_RATERS)
    if not coders_known:
        data = af.Annotations.from_counts(data.to_counts())
    result = af.agreement(data, "multi_pi")
    assert rounds_to(result.observed_agreement, "0.533")
    assert result.observed_agreement == pytest.approx(32 / 60, rel=1e-12)
    assert rounds_to(result.expected_agreement, "0.5089")
    assert result.expected_agreement == pytest.approx(458 / 900, rel=1e-12)
    assert rounds_to(result.value, "0.0498")
    assert result.value == pytest.approx(11 / 221, rel=1e-12)


def test_multi_kappa():
    """Slide "Generalised measures": its formula on the same table, A_e = 37/75."""
    result = af.agreement(THREE_RATERS, "multi_kappa")
    shares = [Fraction(count, 10) for count in (3, 4, 6)]  # high, by rater
    agree = sum(a * b + (1 - a) * (1 - b) for n, a in enumerate(shares) for b in shares[n + 1 :])
    assert result.expected_agreement == pytest.approx(float(agree / 3), rel=1e-12)
    assert result.expected_agreement == pytest.approx(37 / 75, rel=1e-12)
    assert result.value == pytest.approx(3 / 38, rel=1e-12)


TABLE_6 = [[46, 0, 6], [0, 10, 6], [0, 0, 32]]  # +, dot, -


def test_krippendorff_alpha():
    """Slide "Krippendorff's alpha": D_o = 0.09, D_e = 0.4879, alpha = 0.81555 (cut: 0.8155).

    The slide divides 9 by 100 x 2 x (2 - 1), which is 0.045; the sum runs over ordered pairs, so
    the numerator is 18 (slip).
    """
    data = af.Annotations.from_contingency(TABLE_6, categories=["+", ".", "-"])
    weights = [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]
    result = af.alpha(data, af.distances.matrix(weights))
    assert result.observed_disagreement == pytest.approx(0.09, rel=1e-12)
    assert rounds_to(result.expected_disagreement, "0.4879")
    pairs = 1274 + 7448 + 1274 + 988 + 7448 + 988
    assert result.expected_disagreement == pytest.approx(pairs / 39800, rel=1e-12)
    assert rounds_to(result.value, "0.81555")


def test_ordered_categories_half_a_step_apart_are_the_linear_distance():
    """Slide "Krippendorff's alpha": its weights 0, .5, 1 are linear in the order + . -."""
    data = af.Annotations.from_contingency(TABLE_6, categories=["+", ".", "-"])
    result = af.alpha(data, "rank_linear")
    assert result.observed_disagreement == pytest.approx(0.18, rel=1e-12)
    assert rounds_to(result.value, "0.81555")


def test_square_distance_is_krippendorffs_interval_distance():
    """Slide "Distance function": what it calls ordinal, (c1 - c2)², is the interval distance."""
    rows = [(1, 2), (3, 3), (2, 5), (4, 4)]
    squared = af.alpha(rows, lambda a, b: (a - b) ** 2)
    for name in ("interval", "quadratic"):
        assert af.alpha(rows, name).value == pytest.approx(squared.value, rel=1e-12)
    assert af.alpha(rows, "ordinal").value != pytest.approx(squared.value, rel=1e-3)


def test_association_is_not_agreement():
    """Slide "Traditional statistics": A_o = 0.29, S = -0.065, pi = -0.101, kappa = -0.092.

    Printed 0.36, 0.04, 0.02 and 0.04, which do not belong to the table (slip).
    """
    data = af.Annotations.from_contingency([[25, 13, 12], [12, 2, 16], [3, 15, 2]])
    assert af.observed_agreement(data).value == pytest.approx(0.29, rel=1e-12)
    assert rounds_to(af.s(data).value, "-0.065")
    assert rounds_to(af.pi(data).value, "-0.101")
    assert rounds_to(af.kappa(data).value, "-0.092")


def test_correlated_marks_do_not_agree():
    """Slide "Traditional statistics": kappa of 1..5 against 2, 4, .., 10 is -2/23 (cut: -0.08)."""
    same = [(mark, mark) for mark in range(1, 6)]
    twice = [(mark, 2 * mark) for mark in range(1, 6)]
    assert af.kappa(same).value == 1
    assert af.kappa(twice).value == pytest.approx(-2 / 23, rel=1e-12)
    assert rounds_to(af.kappa(twice).value, "-0.087")

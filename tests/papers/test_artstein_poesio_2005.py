"""The worked examples of Artstein & Poesio 2005, Kappa³ = Alpha (or Beta), table by table.

Each is asserted as printed (within half a unit of the last digit) and, if it is short, exactly. If
the paper slips, the right value is tested and the slip is named.
"""

from fractions import Fraction
from itertools import combinations

import pytest
import reference
from reference import rounds_to

import agreement_fast as af

TABLE_1 = [[20, 20], [10, 50]]  # rows: coder B, columns: coder A
TABLE_6 = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
SPEECH_ACTS = ["Stat", "IReq", "Chck"]

# Section 2.8: checks lie between statements and info-requests.
CHECKS_BETWEEN = {
    "Stat": {"Stat": 0, "IReq": 1, "Chck": 0.5},
    "IReq": {"Stat": 1, "IReq": 0, "Chck": 0.5},
    "Chck": {"Stat": 0.5, "IReq": 0.5, "Chck": 0},
}

# Section 5.1 on the smallest table that tells the definitions apart.
INCOMPLETE = [("a", "a", "b"), ("a", None, "a"), ("b", "b", None), ("b", None, None)]


def table_1():
    """The annotations of Table 1."""
    return af.Annotations.from_contingency(TABLE_1, categories=["Stat", "IReq"])


def table_6():
    """The annotations of Table 6."""
    return af.Annotations.from_contingency(TABLE_6, categories=SPEECH_ACTS)


# ---------------------------------------------------------------- sections 2.2 and 2.3, Table 1


def test_table_1_observed_agreement():
    """Section 2.2: A_o = (20 + 50) / 100 = .7."""
    assert af.observed_agreement(table_1()).value == pytest.approx(0.7, rel=1e-12)


def test_table_1_marginals():
    """Table 1: coder B says Stat 40 times, coder A 30 times; .35 and .65 of all judgments."""
    marginals = table_1().coder_marginals()
    assert marginals.tolist() == [[40, 60], [30, 70]]
    assert (marginals.sum(axis=0) / 200).tolist() == [0.35, 0.65]


@pytest.mark.parametrize(
    ("coefficient", "expected_agreement", "printed", "exact"),
    [
        ("s", ".5", ".4", Fraction(2, 5)),
        ("pi", ".545", ".341", Fraction(31, 91)),
        ("kappa", ".54", ".348", Fraction(8, 23)),
    ],
)
def test_table_1_coefficients(coefficient, expected_agreement, printed, exact):
    """Section 2.3: A_e and value of S, pi and kappa."""
    result = af.agreement(table_1(), coefficient)
    assert result.observed_agreement == pytest.approx(0.7, rel=1e-12)
    assert result.expected_agreement == pytest.approx(float(expected_agreement), rel=1e-12)
    assert rounds_to(result.value, printed)
    assert result.value == pytest.approx(float(exact), rel=1e-12)


def test_random_binary_and_ternary_coding_agree_on_a_half_and_a_third():
    """Section 2.2: coders who draw uniformly agree on 1/2 of two classes, on 1/3 of three."""
    for k in (2, 3):
        result = af.s(af.Annotations.from_contingency([[1] * k] * k))
        assert result.observed_agreement == pytest.approx(1 / k, rel=1e-12)
        assert result.expected_agreement == pytest.approx(1 / k, rel=1e-12)
        assert result.value == pytest.approx(0, abs=1e-15)


def test_90_percent_agreement_can_be_worse_than_chance():
    """Section 2.2: with 95% acceptances chance agrees on .9025 + .0025 = .905, above A_o = .9."""
    result = af.pi(af.Annotations.from_contingency([[90, 5], [5, 0]]))
    assert result.observed_agreement == pytest.approx(0.9, rel=1e-12)
    assert result.expected_agreement == pytest.approx(0.905, rel=1e-12)
    assert result.value < 0


# ---------------------------------------------------------------- Tables 2 and 3


def test_table_2_associates_more_than_it_agrees():
    """Table 2: chi-square is significant, yet every coefficient is below 0.

    The proportions are given as counts of 100; the printed chi-square belongs to 200 (slip).
    """
    table = [[25, 13, 12], [12, 2, 16], [3, 15, 2]]
    data = af.Annotations.from_contingency(table, categories=SPEECH_ACTS)
    assert data.coder_marginals().tolist() == [[50, 30, 20], [40, 30, 30]]
    assert af.observed_agreement(data).value == pytest.approx(0.29, rel=1e-12)
    assert af.s(data).value == pytest.approx(-0.065, rel=1e-12)
    assert af.pi(data).value == pytest.approx(-13 / 129, rel=1e-12)
    assert af.kappa(data).value == pytest.approx(-6 / 65, rel=1e-12)


def test_table_3_correlation_is_not_agreement():
    """Table 3: r = 1 twice, but one experiment agrees everywhere and the other nowhere."""
    marks = range(1, 6)
    same = af.Annotations.from_wide([(mark, mark) for mark in marks])
    twice = af.Annotations.from_wide([(mark, 2 * mark) for mark in marks])
    for coefficient in ("s", "pi", "kappa", "alpha", "ac"):
        assert af.agreement(same, coefficient).value == 1
        result = af.agreement(twice, coefficient)
        assert result.observed_agreement == 0
        assert result.value < 0


# ---------------------------------------------------------------- Table 4


TABLE_4 = {
    "uniform": [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]],
    "equal": [[20, 10, 10, 0], [10, 10, 0, 0], [10, 0, 10, 0], [0, 0, 0, 20]],
    "unequal": [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]],
}


@pytest.mark.parametrize(
    ("marginals", "s", "pi", "kappa"),
    [
        ("uniform", ".467", ".467", ".467"),
        ("equal", ".467", ".444", ".444"),
        # The paper prints pi = .460, but it is 17/37 = .4595: cut, it would be .459 (slip).
        ("unequal", ".467", ".4595", ".474"),
    ],
)
def test_table_4_coder_marginals_move_pi_and_kappa(marginals, s, pi, kappa):
    """Table 4: three tables with A_o = .60, all marginals .25; equal; and unequal."""
    data = af.Annotations.from_contingency(TABLE_4[marginals])
    assert af.observed_agreement(data).value == pytest.approx(0.6, rel=1e-12)
    assert rounds_to(af.s(data).value, s)
    assert rounds_to(af.pi(data).value, pi)
    assert rounds_to(af.kappa(data).value, kappa)


def test_table_4_case_3_exactly():
    """Table 4, case 3: pi = 17/37 (printed .460) and kappa = 9/19."""
    data = af.Annotations.from_contingency(TABLE_4["unequal"])
    assert af.pi(data).value == pytest.approx(17 / 37, rel=1e-12)
    assert af.kappa(data).value == pytest.approx(9 / 19, rel=1e-12)


# ---------------------------------------------------------------- section 2.4, Table 5


def test_table_5_agreement_of_one_item():
    """Table 5: two Stat and one IReq agree on 2/6 = .33 of their pairs, three IReq on all."""
    first = af.observed_agreement(af.Annotations.from_counts([[2, 1]]))
    second = af.observed_agreement(af.Annotations.from_counts([[0, 3]]))
    assert first.value == pytest.approx(1 / 3, rel=1e-12)
    assert rounds_to(first.value, ".33")
    assert second.value == 1


def test_table_5_totals_give_the_expected_agreement_of_multi_pi():
    """Table 5: totals 90 (.3) and 210 (.7) of 300 judgments give A_e = .09 + .49, any the rows."""
    rows = [[2, 1], [0, 3], [1, 2]] + [[3, 0]] * 20 + [[0, 3]] * 50 + [[1, 2]] * 27
    totals = [sum(row[k] for row in rows) for k in (0, 1)]
    assert (len(rows), totals) == (100, [90, 210])
    result = af.pi(af.Annotations.from_counts(rows, categories=["Stat", "IReq"]))
    assert result.expected_agreement == pytest.approx(0.58, rel=1e-12)


def test_multi_kappa_expects_the_mean_over_coder_pairs():
    """Section 2.4: A_e of multi-kappa is the mean of Cohen's A_e over the pairs of coders."""
    rows = ["aab", "abb", "bbb", "aca", "cab", "ccc", "aab"]
    data = af.Annotations.from_wide([tuple(row) for row in rows], categories=["a", "b", "c"])
    pairs = [
        af.kappa(data.select(coders=list(pair))).expected_agreement
        for pair in combinations(data.coders, 2)
    ]
    assert af.kappa(data).expected_agreement == pytest.approx(sum(pairs) / 3, rel=1e-12)


def test_multi_observed_agreement_is_the_mean_over_coder_pairs():
    """Section 2.4: A_o of many coders is the mean of the two-coder A_o over all pairs."""
    rows = ["aab", "abb", "bbb", "aca", "cab", "ccc", "aab"]
    data = af.Annotations.from_wide([tuple(row) for row in rows])
    pairs = [
        af.observed_agreement(data.select(coders=list(pair))).value
        for pair in combinations(data.coders, 2)
    ]
    assert af.observed_agreement(data).value == pytest.approx(sum(pairs) / 3, rel=1e-12)


# ---------------------------------------------------------------- section 2.8, Table 6


def test_table_6_marginals():
    """Table 6: B says 52, 32, 16; A says 46, 44, 10; pooled .49, .38, .13."""
    marginals = table_6().coder_marginals()
    assert marginals.tolist() == [[52, 32, 16], [46, 44, 10]]
    assert (marginals.sum(axis=0) / 200).tolist() == [0.49, 0.38, 0.13]


@pytest.mark.parametrize(
    ("coefficient", "expected_agreement", "printed"),
    [
        ("s", Fraction(1, 3), ".82"),
        ("pi", Fraction("0.4014"), ".7995"),
        ("kappa", Fraction("0.396"), ".8013"),
    ],
)
def test_table_6_unweighted_coefficients(coefficient, expected_agreement, printed):
    """Section 2.8: A_o = .88; S, pi and kappa."""
    result = af.agreement(table_6(), coefficient)
    assert result.observed_agreement == pytest.approx(0.88, rel=1e-12)
    assert result.expected_agreement == pytest.approx(float(expected_agreement), rel=1e-12)
    assert rounds_to(result.value, printed)


@pytest.mark.parametrize(
    ("coefficient", "expected_disagreement", "printed"),
    [
        ("alpha_prime", ".4855", ".8146"),
        # Section 2.8 writes alpha's denominator ik(ik - 1); it is ic(ic - 1) = 39800 (slip).
        ("alpha", ".4879", ".8156"),
        ("beta", ".49", ".8163"),
    ],
)
@pytest.mark.parametrize("given_as", ["nested mapping", "array"])
def test_table_6_weighted_coefficients(coefficient, expected_disagreement, printed, given_as):
    """Section 2.8: D_o = .09; alpha', alpha and beta with checks half way."""
    if given_as == "array":
        rows = [[CHECKS_BETWEEN[a][b] for b in SPEECH_ACTS] for a in SPEECH_ACTS]
        distance = af.distances.matrix(rows, categories=SPEECH_ACTS)
    else:
        distance = af.distances.matrix(CHECKS_BETWEEN)
    result = af.agreement(table_6(), coefficient, distance=distance)
    assert result.observed_disagreement == pytest.approx(0.09, rel=1e-12)
    assert rounds_to(result.expected_disagreement, expected_disagreement)
    assert rounds_to(result.value, printed)


def test_table_6_exactly():
    """Section 2.8: the same to all digits; alpha has 39800 pairs of judgments."""
    distance = af.distances.matrix(CHECKS_BETWEEN)
    pairs = 2 * 98 * 76 * 1.0 + 2 * 98 * 26 * 0.5 + 2 * 76 * 26 * 0.5
    alpha = af.alpha(table_6(), distance)
    assert alpha.expected_disagreement == pytest.approx(pairs / 39800, rel=1e-12)
    alpha_prime = af.alpha_prime(table_6(), distance)
    assert alpha_prime.expected_disagreement == pytest.approx(0.4855, rel=1e-12)
    assert alpha_prime.value == pytest.approx(1 - 0.09 / 0.4855, rel=1e-12)
    assert af.beta(table_6(), distance).value == pytest.approx(1 - 0.09 / 0.49, rel=1e-12)


def test_table_6_kappa_w_of_two_coders_is_beta():
    """Section 2.7: beta generalises kappa_w, so for two coders they are equal."""
    distance = af.distances.matrix(CHECKS_BETWEEN)
    result = af.weighted_kappa(table_6(), distance)
    assert rounds_to(result.value, ".8163")
    assert result.value == pytest.approx(af.beta(table_6(), distance).value, rel=1e-12)


# ---------------------------------------------------------------- section 3 and the appendices


BIASED = {
    "two coders": [tuple(row) for row in ["aa", "ab", "ab", "bb", "cb", "ac", "cc"]],
    "four coders": [tuple(row) for row in ["aaab", "abbb", "bbcb", "acaa", "cabb", "cccb"]],
}


@pytest.mark.parametrize("name", BIASED)
def test_bias_is_the_variance_of_the_coders_shares(name):
    """Section 3, appendix A: B = A_e(pi) - A_e(kappa) = sum of variances of P(k|c) / (c - 1)."""
    data = af.Annotations.from_wide(BIASED[name])
    share = data.coder_marginals() / len(BIASED[name])
    bias = share.var(axis=0).sum() / (data.n_coders - 1)
    pi, kappa = af.pi(data), af.kappa(data)
    difference = pi.expected_agreement - kappa.expected_agreement
    assert bias > 0
    assert difference == pytest.approx(bias, rel=1e-10)


@pytest.mark.parametrize("name", BIASED)
def test_kappa_exceeds_pi_by_a_multiple_of_the_bias(name):
    """Section 3: kappa - pi = B (1 - A_o) / ((1 - A_e(pi)) (1 - A_e(kappa))).

    The paper's text has A_e(pi) in both factors of the denominator (slip, perhaps of our copy).
    """
    data = af.Annotations.from_wide(BIASED[name])
    pi, kappa = af.pi(data), af.kappa(data)
    bias = kappa.expected_disagreement - pi.expected_disagreement
    denominator = pi.expected_disagreement * kappa.expected_disagreement
    difference = bias * pi.observed_disagreement / denominator
    assert kappa.value - pi.value == pytest.approx(difference, rel=1e-10)


@pytest.mark.parametrize("distance", ["nominal", "linear", "interval"])
def test_beta_is_not_below_alpha_prime_for_distances_of_negative_type(distance):
    """Section 3: D_e(beta) >= D_e(alpha') for such distances (not for all, see below)."""
    data = af.Annotations.from_wide([(1, 2, 2), (3, 1, 2), (2, 2, 5), (4, 4, 3), (1, 3, 1)])
    individual, pooled = af.beta(data, distance), af.alpha_prime(data, distance)
    assert individual.expected_disagreement > pooled.expected_disagreement
    assert individual.value > pooled.value


def test_beta_can_be_below_alpha_prime_for_other_distances():
    """Section 3 claims beta >= alpha' for all data; a distance against it (correctness.md, 2)."""
    distance = af.distances.matrix(
        [[0, 10, 1], [10, 0, 1], [1, 1, 0]],
        categories=["a", "b", "c"],
    )
    data = af.Annotations.from_wide([("a", "c"), ("b", "c")])
    assert af.beta(data, distance).expected_disagreement == pytest.approx(1, rel=1e-12)
    assert af.alpha_prime(data, distance).expected_disagreement == pytest.approx(1.75, rel=1e-12)
    assert af.beta(data, distance).value < af.alpha_prime(data, distance).value


def test_alpha_approaches_alpha_prime_as_items_grow():
    """Section 2.5: D_e of alpha is ic / (ic - 1) times that of alpha', 1 in the limit."""
    distance = af.distances.matrix(CHECKS_BETWEEN)
    for times in (1, 10, 1000):
        table = [[times * count for count in row] for row in TABLE_6]
        data = af.Annotations.from_contingency(table, categories=SPEECH_ACTS)
        factor = 200 * times / (200 * times - 1)
        alpha, alpha_prime = af.alpha(data, distance), af.alpha_prime(data, distance)
        expected = factor * alpha_prime.expected_disagreement
        assert alpha.expected_disagreement == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- section 4


def passonneau(a, b):
    """Passonneau 2004 on sets: 0 equal, 1/3 subset, 2/3 overlap, 1 disjoint (section 4.1)."""
    if a == b:
        return 0
    if a < b or b < a:
        return 1 / 3
    return 2 / 3 if a & b else 1


def test_word_senses_that_share_a_group_agree_in_part():
    """Section 4.4, example (3): WN1 against WN3 is 2/3 once both carry LABEL; against LABEL 1/3."""
    extended = {
        "WN1": {"WN1", "LABEL"},
        "WN3": {"WN3", "LABEL"},
        "WN19": {"WN19", "SEE"},
        "WN22": {"WN22", "ADDRESS"},
        "LABEL": {"LABEL"},
    }
    senses = list(extended)
    table = [[passonneau(extended[a], extended[b]) for b in senses] for a in senses]
    distance = af.distances.matrix(table, categories=senses)

    def apart(first, second):
        data = af.Annotations.from_wide([(first, second), ("WN19", "WN22")], categories=senses)
        return 2 * af.alpha(data, distance).observed_disagreement - 1

    assert apart("WN1", "WN3") == pytest.approx(2 / 3, rel=1e-12)
    assert apart("WN1", "LABEL") == pytest.approx(1 / 3, rel=1e-12)
    assert apart("WN1", "WN1") == pytest.approx(0, abs=1e-12)
    assert apart("WN1", "WN19") == pytest.approx(1, rel=1e-12)


# ---------------------------------------------------------------- section 5.1, missing judgments


@pytest.mark.parametrize(
    ("coefficient", "observed_agreement", "value"),
    [
        ("pi", Fraction(7, 9), Fraction(19, 35)),
        ("kappa", Fraction(7, 9), Fraction(5, 9)),
        ("alpha", Fraction(5, 7), Fraction(1, 2)),
    ],
)
def test_missing_judgments(coefficient, observed_agreement, value):
    """Section 5.1 on (a,a,b), (a,-,a), (b,b,-), (b,-,-): A_o over three items, P(k) over four."""
    result = af.agreement(INCOMPLETE, coefficient)
    assert result.observed_agreement == pytest.approx(float(observed_agreement), rel=1e-12)
    assert result.value == pytest.approx(float(value), rel=1e-12)
    assert result.n_items == 3
    assert result.n_items_dropped == 1
    assert reference.agreement(reference.from_rows(INCOMPLETE), coefficient).value == value


def test_missing_judgments_weigh_items_by_their_judgments_in_alpha():
    """Section 5.1 says alpha's D_o is an unweighted mean, "as we have done above" (slip).

    Krippendorff weighs items by their judgments: 1/2, where the unweighted mean gives 11/18.
    """
    result = af.agreement(INCOMPLETE, chance="pooled_unbiased", item_weight="items")
    assert result.value == pytest.approx(11 / 18, rel=1e-12)
    assert af.alpha(INCOMPLETE).value == pytest.approx(1 / 2, rel=1e-12)


def test_missing_judgments_shares_of_pi():
    """Section 5.1: P(a) is the mean of 2/3, 1, 0 and 0, the singleton included; A_e from it."""
    a = Fraction(5, 12)
    result = af.pi(INCOMPLETE)
    expected = 1 - float(a**2 + (1 - a) ** 2)
    assert result.expected_disagreement == pytest.approx(expected, rel=1e-12)


def test_missing_judgments_weights_of_coder_pairs():
    """Section 5.1: a coder pair weighs n_m n_n: 4 x 2, 4 x 2 and 2 x 2 here, of 20."""
    # P(a|1) = 1/2, P(a|2) = 1/2, P(a|3) = 1/2: every pair expects disagreement on a half
    assert af.kappa(INCOMPLETE).expected_disagreement == pytest.approx(0.5, rel=1e-12)
    # with unequal shares the weights show: pairs (1,2) 3 x 2 and (1,3) 3 x 1, (2,3) 2 x 1
    rows = [("a", "a", "b"), ("a", "b", None), ("b", None, None)]
    expected = Fraction(6 * Fraction(1, 2) + 3 * Fraction(2, 3) + 2 * Fraction(1, 2), 11)
    assert af.kappa(rows).expected_disagreement == pytest.approx(float(expected), rel=1e-12)


def test_constant_numbers_of_coders_need_no_adjustment():
    """Section 5.1: pi and alpha' do not depend on who judged, if all items have n judgments."""
    complete = [("a", "b"), ("a", "a"), ("b", "b"), ("b", "a")]
    scattered = [
        ("a", "b", None, None),
        (None, "a", None, "a"),
        (None, None, "b", "b"),
        ("b", None, "a", None),
    ]
    for coefficient in ("pi", "alpha_prime", "alpha", "s"):
        result = af.agreement(scattered, coefficient).value
        assert result == pytest.approx(af.agreement(complete, coefficient).value, rel=1e-12)

"""The examples of Di Eugenio & Glass 2004, The kappa statistic: a second look.

Two coders label occurrences of "Okay" as Accept or Ack. Our text of the paper lacks its figures;
the tables are rebuilt from the counts in the running text. Rows are coder 1, columns coder 2.
"""

from fractions import Fraction

import pytest
from di_eugenio_glass_2004 import EXAMPLES, example
from reference import rounds_to

import agreement_fast as af


@pytest.mark.parametrize(
    ("number", "observed", "marginals"),
    [
        (1, "0.8333", [[95, 55], [70, 80]]),
        (2, "0.8333", [[85, 65], [80, 70]]),
        (3, "0.9", [[95, 5], [95, 5]]),
        (4, "0.9", [[50, 50], [50, 50]]),
        (5, "0.65", [[55, 45], [60, 40]]),
        (6, "0.65", [[75, 25], [40, 60]]),
    ],
)
def test_observed_agreement_and_marginals(number, observed, marginals):
    """Sections 1 and 2, figures 1, 3 and 4: P(A) and how often each coder used each label."""
    data = example(number)
    assert rounds_to(af.observed_agreement(data).value, observed)
    assert data.coder_marginals().tolist() == marginals


@pytest.mark.parametrize(
    ("number", "exact", "correct"),
    [
        (1, Fraction(154, 229), "0.6725"),
        (2, Fraction(148, 223), "0.6637"),
        # printed -0.048; -0.005 / 0.095 is -0.0526 (slip)
        (3, Fraction(-1, 19), "-0.0526"),
        (4, Fraction(4, 5), "0.80"),
        # printed 0.27; 0.14 / 0.49 is 0.286 (slip)
        (5, Fraction(2, 7), "0.286"),
        # printed 0.418; 0.20 / 0.55 is 0.364 (slip)
        (6, Fraction(4, 11), "0.364"),
    ],
)
def test_kappa_of_cohen(number, exact, correct):
    """Figures 2 to 4: kappa with a distribution for each coder."""
    result = af.agreement(example(number), "cohen_kappa")
    assert result.value == pytest.approx(float(exact), rel=1e-12)
    assert rounds_to(result.value, correct)


@pytest.mark.parametrize(
    ("number", "exact", "correct"),
    [
        (1, Fraction(197, 297), "0.663"),
        (2, Fraction(197, 297), "0.663"),
        (3, Fraction(-1, 19), "-0.0526"),
        (4, Fraction(4, 5), "0.80"),
        # printed 0.27 for both; 0.13875 / 0.48875 is 0.284 (slip)
        (5, Fraction(111, 391), "0.284"),
        (6, Fraction(111, 391), "0.284"),
    ],
)
def test_k_of_siegel_and_castellan(number, exact, correct):
    """Figures 2 to 4: K with one distribution for both coders."""
    result = af.agreement(example(number), "K")
    assert result.coefficient == "pi"
    assert result.value == pytest.approx(float(exact), rel=1e-12)
    assert rounds_to(result.value, correct)


def test_chance_agreement_of_example_1_computed_in_both_ways():
    """Figure 2: P(E) = .6333 x .4667 + .3667 x .5333 for Cohen, .55² + .45² for K."""
    kappa, k = af.kappa(example(1)), af.pi(example(1))
    cohen = Fraction(95 * 70 + 55 * 80, 150**2)
    assert kappa.expected_agreement == pytest.approx(float(cohen), rel=1e-12)
    assert k.expected_agreement == pytest.approx(float(Fraction(55**2 + 45**2, 100**2)), rel=1e-12)


def test_the_two_kappas_straddle_the_cutoff_in_example_1():
    """Section 1: the difference is just under 1%, but 0.67 lies between them."""
    kappa, k = af.kappa(example(1)).value, af.pi(example(1)).value
    assert k < 0.67 < kappa
    assert 0 < kappa - k < 0.01


def test_agreement_tables_lose_who_judged():
    """Figure 1: examples 1 and 2 have one agreement table, but different kappas."""
    first, second = example(1), example(2)
    counts = [sorted(map(tuple, expanded(data))) for data in (first, second)]
    assert counts[0] == counts[1]
    assert af.pi(first).value == pytest.approx(af.pi(second).value, rel=1e-12)
    assert af.kappa(first).value > af.kappa(second).value + 0.005


def expanded(data):
    """The agreement table with a row for each item."""
    table = data.to_counts().tolist()
    weights = [1] * len(table) if data.weights is None else data.weights.tolist()
    return [row for row, weight in zip(table, weights, strict=True) for _ in range(weight)]


def test_prevalence_ranges_from_below_chance_to_good_at_90_percent():
    """Figure 3: the same P(A) with 190 against 10, and with 100 against 100 labels."""
    skewed, even = example(3), example(4)
    assert af.pi(skewed).expected_agreement == pytest.approx(0.905, rel=1e-12)
    assert af.pi(even).expected_agreement == pytest.approx(0.5, rel=1e-12)
    for coefficient in ("pi", "kappa"):
        assert af.agreement(skewed, coefficient).value < 0
        assert af.agreement(even, coefficient).value == pytest.approx(0.8, rel=1e-12)


def test_proportions_decide_whatever_the_sample_size():
    """Section 2: the same distributions in 10,000 items have exactly the same kappas."""
    for number in (3, 4):
        table = [[100 * count for count in row] for row in EXAMPLES[number]]
        larger = af.Annotations.from_contingency(table)
        assert larger.n_items == 10_000
        for coefficient in ("pi", "kappa"):
            result = af.agreement(larger, coefficient).value
            small = af.agreement(example(number), coefficient).value
            assert result == pytest.approx(small, rel=1e-12)


def test_bias_raises_kappa_and_leaves_k():
    """Figure 4: coders who drift apart agree less by chance, for kappa only."""
    similar, biased = example(5), example(6)
    assert af.pi(similar).value == pytest.approx(af.pi(biased).value, rel=1e-12)
    assert af.kappa(biased).expected_agreement < af.kappa(similar).expected_agreement
    assert af.kappa(biased).value > af.kappa(similar).value


@pytest.mark.parametrize(
    ("number", "pabak"), [(1, "0.6667"), (3, "0.8"), (4, "0.8"), (5, "0.3"), (6, "0.3")]
)
def test_twice_the_agreement_less_one_is_s_of_two_categories(number, pabak):
    """Section 2, after Byrt et al.: 2 P(A) - 1, the third number to report, is S with k = 2."""
    agreed = af.observed_agreement(example(number)).value
    assert rounds_to(2 * agreed - 1, pabak)
    assert af.s(example(number)).value == pytest.approx(2 * agreed - 1, rel=1e-12)


def test_krippendorffs_alpha_differs_negligibly_from_k():
    """Footnote 1: sampling without replacement changes P(E) by a factor 2N / (2N - 1)."""
    alpha, k = af.alpha(example(1)), af.pi(example(1))
    factor = 300 / 299
    expected = k.expected_disagreement * factor
    assert alpha.expected_disagreement == pytest.approx(expected, rel=1e-12)
    assert alpha.value == pytest.approx(k.value, abs=0.002)

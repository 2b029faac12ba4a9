"""The worked examples of Krippendorff 2011, Computing Krippendorff's alpha-reliability."""

from fractions import Fraction
from itertools import permutations

import pytest
from reference import rounds_to

import agreement_fast as af

# A: two observers, binary data, ten articles.
MEG = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
OWEN = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]

# B: two observers, nominal data, twelve units.
BEN = "aabbdcccedda"
GERRY = "babbbccceddd"

# C: four observers, missing values, twelve units; the last has no judgment but one.
_ = None
OBSERVERS = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    "C": [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
}


def units():
    """Example C as units x observers."""
    return af.Annotations.from_wide(
        list(zip(*OBSERVERS.values(), strict=True)), coders=list(OBSERVERS)
    )


def test_binary_data_of_two_observers():
    """Section A: coincidences 10, 4, 4, 2; alpha = 1 - 19 x 4 / (14 x 6) = .095."""
    data = af.Annotations.from_wide(list(zip(MEG, OWEN, strict=True)))
    assert data.coincidence_matrix().tolist() == [[10, 4], [4, 2]]
    result = af.alpha(data)
    assert result.value == pytest.approx(float(1 - Fraction(19 * 4, 14 * 6)), rel=1e-12)
    assert rounds_to(result.value, ".095")


def test_nominal_data_of_two_observers():
    """Section B: 24 values a to e, three units disagree; alpha = .692."""
    data = af.Annotations.from_wide(list(zip(BEN, GERRY, strict=True)))
    coincidences = data.coincidence_matrix()
    assert coincidences.sum(axis=0).tolist() == [4, 6, 6, 6, 2]
    assert coincidences.trace() == 18
    result = af.alpha(data)
    assert result.observed_disagreement == pytest.approx(0.25, rel=1e-12)
    assert result.expected_disagreement == pytest.approx(1 - 104 / (24 * 23), rel=1e-12)
    assert rounds_to(result.value, ".692")


def test_expected_coincidences_are_the_mean_over_all_ways_to_pair_the_judgments():
    """Section B: n_j (n_l - [j = l]) / (n - 1); here by all orders of six judgments."""
    pairs = [("a", "b"), ("a", "a"), ("b", "c")]
    orders = list(permutations(label for pair in pairs for label in pair))
    data = af.Annotations.from_wide(pairs)
    expected = data.expected_coincidences()
    for one in "abc":
        for other in "abc":
            met = sum(
                [order[i : i + 2], order[i : i + 2][::-1]].count((one, other))
                for order in orders
                for i in (0, 2, 4)
            )
            assert expected.at(one, other) == pytest.approx(float(Fraction(met, len(orders))))


@pytest.mark.parametrize("name", ["nominal", "interval", "ratio"])
def test_alpha_is_that_of_observed_and_expected_coincidences(name):
    """Section C, four observers with missing values."""
    apart = getattr(af.distances, name).matrix([1, 2, 3, 4, 5])
    observed, expected = units().coincidence_matrix(), units().expected_coincidences()
    value = 1 - (observed.values * apart).sum() / (expected.values * apart).sum()
    assert value == pytest.approx(af.alpha(units(), name), rel=1e-12)
    assert expected.sum(axis=0).tolist() == pytest.approx([9, 13, 10, 5, 3])


def test_coincidences_of_four_observers_with_missing_values():
    """Section C: the coincidence matrix; its margins are 9, 13, 10, 5, 3 of 40 pairable values."""
    third = 1 / 3
    matrix = [
        [7, 4 * third, third, third, 0],
        [4 * third, 10, 4 * third, third, 0],
        [third, 4 * third, 8, third, 0],
        [third, third, third, 4, 0],
        [0, 0, 0, 0, 3],
    ]
    result = units().coincidence_matrix()
    for row, expected in zip(result.tolist(), matrix, strict=True):
        assert row == pytest.approx(expected, rel=1e-12)
    assert result.sum(axis=0).tolist() == pytest.approx([9, 13, 10, 5, 3], rel=1e-12)


def test_unpaired_values_are_counted_and_dropped():
    """Section C: unit 12 has one value only: 40 of 41 values pair, in 11 of 12 units."""
    result = af.alpha(units())
    assert (result.n_items, result.n_items_dropped) == (11, 1)
    assert result.n_judgments == 40
    assert result.n_coders == 4
    assert units().n_judgments == 41


@pytest.mark.parametrize(
    ("distance", "printed"),
    [("nominal", ".743"), ("ordinal", ".815"), ("interval", ".849"), ("ratio", ".797")],
)
def test_alpha_of_four_observers(distance, printed):
    """Sections C and D: alpha with the nominal, ordinal, interval and ratio metrics."""
    assert rounds_to(af.alpha(units(), distance).value, printed)


def test_halves_of_nominal_alpha_of_four_observers():
    """Section C: D_o = 8/40 and D_e = 608/780 from the coincidences and their margins."""
    result = af.alpha(units())
    assert result.observed_disagreement == pytest.approx(8 / 40, rel=1e-12)
    disagreeing = 40 * 39 - (9 * 8 + 13 * 12 + 10 * 9 + 5 * 4 + 3 * 2)
    assert result.expected_disagreement == pytest.approx(disagreeing / (40 * 39), rel=1e-12)


def test_ordinal_metric_counts_the_values_between():
    """Section D: between 1 and 2 lie (9 + 13) / 2 = 11 of the 40 pairable values, between 1 and 5
    9/2 + 13 + 10 + 5 + 3/2 = 34; the unpaired 3 of unit 12 does not count.
    """
    rows = [(1, 2)] * 2 + [(1, 1)] * 3 + [(2, 3)] + [(3, None)] * 5
    # pairable: 1 eight times, 2 three times, 3 once
    result = af.alpha(rows, "ordinal")
    apart = 2 * Fraction(11, 2) ** 2 + Fraction(4, 2) ** 2
    assert result.observed_disagreement == pytest.approx(float(apart / 6), rel=1e-12)
    alpha = af.alpha(units(), "ordinal")
    pairs = {
        (9, 13): 11,
        (9, 10): 9 / 2 + 13 + 5,
        (9, 5): 9 / 2 + 23 + 5 / 2,
        (9, 3): 34,
        (13, 10): 23 / 2,
        (13, 5): 13 / 2 + 10 + 5 / 2,
        (13, 3): 13 / 2 + 15 + 3 / 2,
        (10, 5): 15 / 2,
        (10, 3): 10 / 2 + 5 + 3 / 2,
        (5, 3): 4,
    }
    total = 2 * sum(n * m * between**2 for (n, m), between in pairs.items())
    assert alpha.expected_disagreement == pytest.approx(total / (40 * 39), rel=1e-12)


@pytest.mark.parametrize(
    ("coefficient", "printed"),
    [("pi", "0.76117"), ("ac", "0.77544"), ("s", "0.77273"), ("kappa", "0.76224")],
)
def test_the_same_data_under_the_other_coefficients(coefficient, printed):
    """Gwet reuses section C's data (irrCAC's cac.raw4raters): pi, AC1, S as irrCAC gives them.

    kappa is 0.76224 by Artstein & Poesio 2005, 5.1, where irrCAC's Conger has 0.76282 (it treats
    missing judgments in another way).
    """
    assert rounds_to(af.agreement(units(), coefficient).value, printed)

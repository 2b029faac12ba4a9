"""Gwet's weights: 1 − w of his handbook (2014, chapter 4), and what irrCAC prints."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnostics, distances, subsets

SCALE = [1, 2, 5, 6, 10]
RATED = [(2, 3, 3), (5, 5, 6), (4, 4, 4), (11, 9, 10), (1, 2, 1), (7, 3, 8)]


def _pairs_of_ranks(x: int, y: int) -> int:
    return math.comb(abs(SCALE.index(x) - SCALE.index(y)) + 1, 2)


def _bipolar(x: int, y: int) -> Fraction:
    return Fraction((x - y) ** 2, (x + y - 2) * (20 - x - y)) if x != y else Fraction(0)


#: Before they are divided by the largest.
FORMULAS = {
    "linear": lambda x, y: abs(x - y),
    "quadratic": lambda x, y: (x - y) ** 2,
    "ordinal": _pairs_of_ranks,
    "radical": lambda x, y: abs(x - y) ** 0.5,
    "ratio": lambda x, y: Fraction(x - y, x + y) ** 2,
    "circular": lambda x, y: math.sin(math.pi * (x - y) / 10) ** 2,
    "bipolar": _bipolar,
}

#: `irrCAC.raw.CAC(pandas.DataFrame(RATED, dtype=float), weights=..., digits=12)` of irrCAC 0.4.4
#: (scipy 1.17.1, pandas 3.1.1, numpy 2.4.6): gwet, fleiss, conger, bp, krippendorff, and pa.
PRINTED = {
    "linear": (0.705882352941, 0.661654135338, 0.668508287293, 0.694444444444, 0.68045112782,
               0.888888888889),
    "quadratic": (0.862244897959, 0.82667617689, 0.828389830508, 0.85, 0.836305278174, 0.97),
    "ordinal": (0.839130434783, 0.80035971223, 0.802666666667, 0.826068376068, 0.811450839329,
                0.962626262626),
    "radical": (0.537243535278, 0.495977808861, 0.51041542798, 0.528696272141, 0.523979041702,
                0.742620788729),
    "ratio": (0.787328899936, 0.770061354135, 0.773490430678, 0.773032008894, 0.78283572335,
              0.943612414453),
    "circular": (0.693879515691, 0.656659522007, 0.663269315938, 0.687352394496, 0.675733993006,
                 0.840444640673),
    "bipolar": (0.820049672374, 0.77830750785, 0.781335209594, 0.806115363071, 0.790623757414,
                0.956765981792),
}  # fmt: skip
NAMES = ("ac", "alpha_prime", "beta", "brennan_prediger", "alpha")


@pytest.mark.parametrize("weights", FORMULAS)
def test_the_matrix_is_the_formula_divided_by_its_largest_value(weights: str) -> None:
    plain = [[float(FORMULAS[weights](x, y)) for y in SCALE] for x in SCALE]
    result = distances.gwet(weights).matrix(SCALE)
    np.testing.assert_allclose(result, np.divide(plain, np.max(plain)), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("weights", PRINTED)
def test_coefficients_are_those_that_irrcac_prints(weights: str) -> None:
    results = [af.agreement(RATED, name, distance=f"gwet:{weights}") for name in NAMES]
    np.testing.assert_allclose(results, PRINTED[weights][:5], rtol=0, atol=6e-13)
    assert results[0].observed_agreement == pytest.approx(PRINTED[weights][5], abs=6e-13)


def test_texts_count_as_the_places_of_their_declared_order() -> None:
    order = ["low", "middle", "high"]
    data = af.Annotations.from_wide([("low", "high"), ("middle", "low")], categories=order)
    numbers = af.Annotations.from_wide([(1, 3), (2, 1)], categories=[1, 2, 3])
    for weights in FORMULAS:
        assert af.ac(data, f"gwet:{weights}") == af.ac(numbers, f"gwet:{weights}")
    with pytest.raises(ValueError, match="needs an order"):
        af.ac([("low", "high"), ("middle", "low")], "gwet:linear")


def test_ranks_follow_numbers_and_not_the_order_in_which_they_are_declared() -> None:
    assert distances.gwet("ordinal").matrix([3, 1, 2]).tolist() == [[0, 1, 1 / 3], [1, 0, 1 / 3],
                                                                   [1 / 3, 1 / 3, 0]]  # fmt: skip


@pytest.mark.parametrize("weights", ["ordinal", "circular", "bipolar"])
def test_the_scale_is_that_of_all_coders_where_some_are_left_out(weights: str) -> None:
    """Coder C alone uses 9; the distances of the others keep it as their end."""
    table = [(1, 2, 9), (2, 2, 3), (5, 5, 5), (1, 1, 2), (3, 5, 5)]
    whole = distances.gwet(weights).matrix([1, 2, 3, 5, 9])
    fixed = distances.matrix(whole, [1, 2, 3, 5, 9])
    result, expected = (
        diagnostics.coder_report(table, "alpha", distance=d).change[2]
        for d in (f"gwet:{weights}", fixed)
    )
    assert result == pytest.approx(expected)
    of_pairs, of_pairs_fixed = (
        next(iter(subsets.coder_subsets(table, ["alpha"], distance=[d], size=[2])))[0].mean
        for d in (f"gwet:{weights}", fixed)
    )
    assert of_pairs == pytest.approx(of_pairs_fixed)


def test_negative_numbers_have_no_ratio() -> None:
    with pytest.raises(ValueError, match=r"gwet:ratio needs values >= 0, got -1"):
        af.alpha([(-1, 2), (2, 2)], "gwet:ratio", layout="wide")


def test_two_categories_are_1_apart_and_one_category_has_no_distance() -> None:
    for weights in FORMULAS:
        np.testing.assert_allclose(distances.gwet(weights).matrix([1, 2]), [[0, 1], [1, 0]])
        assert distances.gwet(weights).matrix([4]).tolist() == [[0]]

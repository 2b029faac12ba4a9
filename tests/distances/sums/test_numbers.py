"""Sums over numbers that nobody counted."""

import math
from fractions import Fraction

import numpy as np
import pytest

from agreement_fast.distances.sums.categories import NumberSums


def squares(numbers):
    """Σ (x − y)² over all ordered pairs."""
    exact = [Fraction(x) for x in numbers]
    return 2 * (len(exact) * sum(x * x for x in exact) - sum(exact) ** 2)


@pytest.mark.parametrize("far", [0.0, 1e4])
def test_one_item_far_from_all_others_costs_no_digits(far):
    """Sums are taken about the mean: about either end they would nearly cancel."""
    values = 1000 + np.random.default_rng(0).random((20_000, 2))
    values[7] = far
    sums = NumberSums(values, None, 2)
    every = sums.counts()
    expected = float(squares(values.reshape(-1).tolist()))
    assert sums.form.bilinear(every, every) == pytest.approx(expected, rel=2e-14, abs=0)


@pytest.mark.parametrize("number", [0.1, -0.7, 1e300])
def test_equal_numbers_are_exactly_0_apart(number):
    """Though the mean of some hundreds of them may round to another number."""
    for n in (3, 6, 10, 300):
        sums = NumberSums(np.full((n, 3), number), None, 2)
        every = sums.counts()
        assert sums.form.bilinear(every, every) == 0
        assert sums.form.largest == 0


def test_what_nobody_judged_has_no_shares():
    """Zeros, not a division by 0."""
    sums = NumberSums(np.array([[math.nan, 2.0], [math.nan, math.nan]]), None, 2)
    assert sums.shares().tolist() == [0, 0, 0]
    assert sums.n_judgments == 0

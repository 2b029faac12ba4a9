"""The normal distribution at single numbers is that of scipy."""

import math

import pytest
from scipy.special import chdtrc, ndtr, ndtri, stdtr, stdtrit

from agreement_fast.normal import (
    chi_square_tail,
    normal_quantile,
    normal_share,
    student_quantile,
    student_tail,
)

SHARES = (1e-300, 1e-16, 1e-9, 0.0005, 0.025, 0.3, 0.5, 0.7, 0.95, 0.975, 0.9995, 1 - 1e-15)


@pytest.mark.parametrize("share", SHARES)
def test_quantiles(share):
    assert normal_quantile(share) == pytest.approx(ndtri(share), rel=1e-13, abs=1e-15)


def test_quantiles_at_the_ends():
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == math.inf


@pytest.mark.parametrize("z", [-30.0, -9.0, -1.96, -0.1, 0.0, 0.1, 1.96, 9.0])
def test_shares(z):
    assert normal_share(z) == pytest.approx(ndtr(z), rel=1e-12, abs=0)


def test_shares_at_the_ends():
    assert normal_share(-math.inf) == 0
    assert normal_share(math.inf) == 1
    assert math.isnan(normal_share(math.nan))


@pytest.mark.parametrize("share", [0.6, 0.95, 0.975, 0.995])
@pytest.mark.parametrize(
    "freedom", [1, 1.3, 2, 3.7, 10, 39.9, 63.9, 64.1, 500.5, 1e4, 1e6, 1e9, math.inf]
)
def test_quantiles_of_students_t(freedom, share):
    expected = stdtrit(min(freedom, 1e12), share)
    assert student_quantile(freedom, share) == pytest.approx(expected, rel=1e-12)


def test_no_degrees_of_freedom():
    assert math.isnan(student_quantile(math.nan, 0.9))


@pytest.mark.parametrize("freedom", [1, 2, 3, 7.5, 29, 63, 64, 200, 1e4, 1e7])
@pytest.mark.parametrize("t", [-3.0, -0.1, 0.0, 0.5, 1.0, 2.5, 8.0, 25.0])
def test_tails_of_student(freedom, t):
    assert student_tail(freedom, t) == pytest.approx(stdtr(freedom, -t), rel=1e-10, abs=1e-300)


def test_the_end_of_students_tail():
    assert student_tail(5, math.inf) == 0
    assert student_tail(5, -math.inf) == 1


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 11, 300, 5001])
@pytest.mark.parametrize("share", [1e-6, 0.3, 1.0, 1.5, 4.0])
def test_tails_of_chi_square(freedom, share):
    value = share * freedom
    expected = chdtrc(freedom, value)
    assert chi_square_tail(freedom, value) == pytest.approx(expected, rel=1e-10, abs=1e-300)
    assert chi_square_tail(freedom, 0.0) == 1

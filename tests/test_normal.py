"""The normal distribution at single numbers is that of scipy."""

import math

import pytest
from scipy.special import ndtr, ndtri, stdtrit

from agreement_fast.normal import normal_quantile, normal_share, student_quantile

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

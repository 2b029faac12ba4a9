"""The normal distribution at single numbers is that of scipy."""

import math

import numpy as np
import pytest
from scipy.special import chdtrc, ndtr, ndtri, stdtr

from agreement_fast._kernels.normal import (
    chi_square_beyond,
    normal_quantile,
    normal_share,
    student_quantile,
    student_quantiles,
    student_share,
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
    quantile = student_quantile(freedom, share)
    if freedom < math.inf:  # stdtrit of scipy 1.13 has nine digits
        assert stdtr(freedom, -quantile) == pytest.approx(1 - share, rel=1e-12)
    else:
        assert quantile == pytest.approx(ndtri(share), rel=1e-14)
    assert student_quantiles(np.array([3.0, freedom, freedom]), share)[1:].tolist() == (
        [student_quantile(freedom, share)] * 2
    )


def test_quantiles_near_one_half():
    """They are those of the density there; scipy loses digits of them."""
    t = student_quantile(1.0, 0.5001)
    assert t == pytest.approx(math.tan(math.pi * 1e-4), rel=1e-11)
    assert student_quantile(7.0, 0.5) == 0


def test_no_degrees_of_freedom():
    assert math.isnan(student_quantile(math.nan, 0.9))
    quantiles = student_quantiles(np.array([math.nan, 0.0, -1.0, 2.0]), 0.9)
    assert np.isnan(quantiles).tolist() == [True, True, True, False]
    assert math.isnan(student_share(math.nan, 1.0))
    assert math.isnan(student_share(5.0, math.nan))
    assert math.isnan(chi_square_beyond(5, math.nan))


@pytest.mark.parametrize("t", [0.0, 0.01, 0.99, 1.0, 1.01, 3.0, 12.0, 200.0, 1e5])
@pytest.mark.parametrize("freedom", [1, 1.5, 2, 3, 10, 63, 64, 100, 1e3, 1e5, 1e9])
def test_shares_of_students_t(freedom, t):
    """Both tails, the lower to twelve digits of its own."""
    below = float(stdtr(freedom, -t))
    assert student_share(freedom, -t) == pytest.approx(below, rel=1e-12, abs=1e-290)
    assert student_share(freedom, t) == pytest.approx(1 - below, rel=1e-13)


def test_students_t_without_end():
    assert student_share(math.inf, -1.96) == pytest.approx(ndtr(-1.96), rel=1e-9)
    assert student_share(3, -math.inf) == 0
    assert student_share(3, math.inf) == 1


@pytest.mark.parametrize("times", [0.0, 1e-6, 0.1, 0.5, 1.0, 1.5, 3.0, 20.0])
@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 101, 999, 5000])
def test_chi_square(freedom, times):
    beyond = float(chdtrc(freedom, freedom * times))
    assert chi_square_beyond(freedom, freedom * times) == pytest.approx(
        beyond, rel=2e-12, abs=1e-290
    )


@pytest.mark.parametrize("share", [0.5, 0.6, 0.975, 0.99999, 1 - 1e-12])
def test_a_quantile_alone_is_that_among_many(share):
    """Above eight degrees of freedom by a polynomial; below as they are."""
    rng = np.random.default_rng(0)
    freedom = np.concatenate([1 + 9 * rng.random(100), 10 ** rng.uniform(0, 18, 300), [math.inf]])
    single = [student_quantile(df, share) for df in freedom.tolist()]
    assert student_quantiles(freedom, share).tolist() == single
    assert stdtr(freedom, -np.array(single)) == pytest.approx(np.full(401, 1 - share), rel=1e-12)
    assert math.isnan(student_quantiles(np.append(freedom, math.nan), share)[-1])

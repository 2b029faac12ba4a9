"""Forms of distances: their sums over rows of marginals are those of the matrix."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from test_against_reference import close

from agreement_fast import distances
from agreement_fast.distances import forms
from agreement_fast.distances.sums.categories import Moments

RNG = np.random.default_rng(11)
K = 9
POSITIONS = np.array([3.5, -2.0, 0.0, 8.0, 7.5, 3.25, 12.0, 0.5, 6.0])
POSITIVE = np.abs(POSITIONS)


def _random_matrix() -> np.ndarray:
    upper = np.triu(RNG.random((K, K)), 1)
    return upper + upper.T


FORMS = {
    "nominal": forms.Nominal(K),
    "matrix": forms.Matrix(_random_matrix()),
    "squared": forms.Squared(RNG.random((K, 2))),
    "interval": forms.Squared(POSITIONS[:, None]),
    "absolute": forms.Absolute(POSITIONS),
    "absolute in order": forms.Absolute(np.sort(POSITIONS)),
    "blocks": forms.Blocks(K, lambda a, b: np.abs(POSITIONS[a] - POSITIONS[b])),
    "rational": forms.Rational(POSITIVE, POSITIVE, POSITIVE),
    "circle": forms.Circle(POSITIONS, 11.0),
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("shape", [(K,), (1, K), (4, K), (2, 3, K)])
@pytest.mark.parametrize("whole", [True, False])
def test_sums_over_rows_are_the_matrix_s(name: str, shape: tuple[int, ...], whole: bool) -> None:
    form = FORMS[name]
    places = np.arange(K)
    d = form.between(places[:, None], places[None, :])
    u, v = RNG.integers(0, 5, (2, *shape)) if whole else RNG.random((2, *shape))
    np.testing.assert_allclose(form.times(v), v @ d, rtol=1e-12, atol=1e-12)
    assert form.times(v).shape == shape
    expected = ((u @ d) * v).sum(-1)
    np.testing.assert_allclose(form.bilinear(u, v), expected, rtol=1e-12, atol=1e-12)
    assert form.bilinear(u, v).shape == shape[:-1]
    np.testing.assert_allclose(form.bilinear(u[..., :], v.reshape(-1, K)[0]),
                               (u @ d) @ v.reshape(-1, K)[0], rtol=1e-12, atol=1e-12)  # fmt: skip


@pytest.mark.parametrize("name", ["interval", "circle", "absolute", "squared"])
def test_a_row_of_one_category_sums_to_exactly_nothing_beside_others(name: str) -> None:
    rows = np.zeros((K + 1, K))
    rows[range(K), range(K)] = 0.1
    rows[K] = 1 / 3
    sums = FORMS[name].bilinear(rows, rows)
    assert (sums[:K] == 0).all()
    assert sums[K] > 0


def test_a_row_keeps_its_digits_beside_a_far_one() -> None:
    form = forms.Squared(np.array([0.0, 1.0, 1e9, 1e9 + 1])[:, None])
    rows = np.array([[2.0, 3.0, 0.0, 0.0], [0.0, 0.0, 2.0, 3.0], [5.0, 5.0, 1.0, 1.0]])
    assert form.bilinear(rows, rows)[:2].tolist() == [12.0, 12.0]


def test_moments_are_the_sums_of_numbers() -> None:
    form = Moments(POSITIONS.min(), POSITIONS.max())
    u, v = RNG.random((2, 3, K))
    powers = np.stack([np.ones(K), POSITIONS, POSITIONS**2], axis=1)
    d = distances.interval.matrix(POSITIONS.tolist())
    np.testing.assert_allclose(form.bilinear(u @ powers, v @ powers), ((u @ d) * v).sum(-1), 1e-11)
    times = form.times(v @ powers)
    np.testing.assert_allclose(times @ powers.T, v @ d, rtol=1e-11)


@pytest.mark.parametrize("n_categories", [255, 256, 257, 512, 513, 65_537, 200_003])
def test_running_sums_are_exact_where_numbers_are_whole(n_categories: int) -> None:
    """Runs of any length are joined at the right places, also over leading axes."""
    rng = np.random.default_rng(n_categories)
    numbers = rng.integers(0, 1000, (3, n_categories)).astype(np.float64)
    assert (forms.running_sums(numbers) == np.cumsum(numbers, -1)).all()


def test_sums_over_many_categories_keep_their_digits() -> None:
    """A running sum of 200,000 shares would lose three digits."""
    K = 200_003
    counts = np.random.default_rng(0).integers(1, 4, K)
    n = int(counts.sum())
    shares = counts / n
    below = np.cumsum(counts)[:-1].tolist()
    exact = Fraction(2 * sum(b * (n - b) for b in below), n * n)
    form = forms.Absolute(np.arange(K, dtype=np.float64))
    assert close(float(form.bilinear(shares, shares)), exact, exact / 50)
    exact = 1 - Fraction(sum(c * c for c in counts.tolist()), n * n)
    assert close(float(forms.Nominal(K).bilinear(shares, shares)), exact, exact / 50)

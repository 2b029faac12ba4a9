"""Sums over pairs of marginals, against rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from examples import USUAL, examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty

from agreement_fast._kernels import _values
from agreement_fast.distances.forms import Nominal, Squared


def others(row):
    """The sums without each."""
    exact = [Fraction(x) for x in row]
    return [sum(exact) - x for x in exact]


@st.composite
def masses(draw):
    """Some rows of equal length: integers, or floats with one that may be nearly the total."""
    width, rows = draw(st.integers(0, 6)), draw(st.integers(0, 4))
    if draw(st.booleans()):
        number = st.integers(0, 2**40)
        dtype = np.int64
    else:
        number = st.one_of(st.floats(0, 1), st.floats(1e12, 1e15), st.just(0.0))
        dtype = np.float64
    cells = draw(st.lists(number, min_size=width * rows, max_size=width * rows))
    return np.array(cells, dtype).reshape(rows, width)


@examples(3 * USUAL)
@given(v=masses())
def test_all_others_than_each(v):
    """Exact for integers below 2^53, and to the last digits for floats."""
    assume(v.size)
    out = np.full(v.shape, -1.0)
    _values.others(v.reshape(-1), v.shape[1], out.reshape(-1))
    for row, result in nonempty(zip(v.tolist(), out.tolist(), strict=True)):
        for one, exact in nonempty(zip(result, others(row), strict=True)):
            assert one == pytest.approx(float(exact), rel=1e-15, abs=0)


@examples(3 * USUAL)
@given(v=masses(), seed=st.integers(0, 99))
def test_pairs_of_others(v, seed):
    """Row by row, and of one row as a number; forms broadcast."""
    u = np.random.default_rng(seed).integers(0, 9, v.shape).astype(v.dtype)
    out = np.full(len(v), -1.0)
    _values.unequal(u, v, out)
    form = Nominal(v.shape[1])
    assert form.bilinear(u, v).tolist() == out.tolist()
    for one, other, result in zip(u, v, out.tolist(), strict=True):
        pairs = zip(one.tolist(), others(other.tolist()), strict=True)
        assert result == pytest.approx(float(sum(a * b for a, b in pairs)), rel=1e-15, abs=0)
        assert form.bilinear(one, other) == _values.unequal_pairs(one, other) == result
        assert form.bilinear(one, v)[0] == form.bilinear(one, v[0])


@examples(3 * USUAL)
@given(
    numbers=st.lists(st.integers(-(10**6), 10**6), max_size=7, unique=True),
    seed=st.integers(0, 99),
    offset=st.sampled_from([0, 2**40, -(2**40)]),
)
def test_pairs_of_squared_differences(numbers, seed, offset):
    """To the last digits for any offset of the numbers, and 0 if only one of them occurs."""
    rng = np.random.default_rng(seed)
    places = np.array(numbers, float) / 8 + offset
    u, v = rng.integers(0, 4, (2, len(places))).astype(float)
    exact = [Fraction(x) for x in places.tolist()]
    expected = sum(
        Fraction(a) * Fraction(b) * (x - y) ** 2
        for a, x in zip(u.tolist(), exact, strict=True)
        for b, y in zip(v.tolist(), exact, strict=True)
    )
    form = Squared(places[:, None])
    assert form.bilinear(u, v) == pytest.approx(float(expected), rel=1e-13, abs=0)
    for place in range(len(places)):
        one = np.zeros(len(places))
        one[place] = 3
        assert form.bilinear(one, one) == 0


def test_few_far_from_many_keep_their_digits():
    """A billion judgments of one number, and one of its neighbour."""
    form = Squared(np.array([[1e6 + 0.1], [1e6 + 0.2], [1e6 + 0.3]]))
    masses = np.array([1.0, 1e9, 0.0])
    gap = Fraction(1e6 + 0.2) - Fraction(1e6 + 0.1)
    assert form.bilinear(masses, masses) == pytest.approx(float(2 * 10**9 * gap**2), rel=1e-15)

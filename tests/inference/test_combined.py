"""Differences of coefficients: what the interval is made from, and what must hold for it."""

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast import compare
from agreement_fast.inference import standard_error

NAMES = ("alpha", "pi", "kappa", "ac", "s")


def made(table):
    return af.Annotations.from_wide(
        table.rows, coders=range(table.n_coders), categories=table.categories
    )


@pytest.mark.filterwarnings("ignore:.* depends on the number of categories")
@examples(60)
@given(tables(weighted=False), tables(weighted=False), st.sampled_from(NAMES))
def test_independent_data(one, other, name):
    """The distances to the ends of both intervals are added as squares (Zou & Donner 2008)."""
    one, other = made(one), made(other)
    a, b = (standard_error(data, name) for data in (one, other))
    assume(not math.isnan(a.low + b.low))
    result = compare(one, other, name)
    below, above = math.hypot(a - a.low, b.high - b), math.hypot(a.high - a, b - b.low)
    expected = (result.value - below, result.value + above)
    assert (result.low, result.high) == pytest.approx(expected, abs=1e-12)
    assert result.standard_error == pytest.approx(math.hypot(a.standard_error, b.standard_error))
    back = compare(other, one, name)
    assert (back.low, back.high) == pytest.approx((-result.high, -result.low), abs=1e-12)
    assert back.p_value == pytest.approx(result.p_value, abs=1e-9)


@examples(60)
@given(tables(weighted=False), st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_paired_data(table, name, random):
    """The interval holds the difference, and no correlation of the errors makes it wider."""
    one = made(table)
    rows = [list(row) for row in table.rows]
    for row in rows:
        random.shuffle(row)
    other = af.Annotations.from_wide(
        rows, coders=range(table.n_coders), categories=table.categories
    )
    a, b = (standard_error(data, name) for data in (one, other))
    assume(not math.isnan(a.low + b.low))
    result = compare(one, other, name, paired=True)
    assert result.low < result.value < result.high
    assert result.value - result.low <= (a - a.low) + (b.high - b) + 1e-12
    assert result.high - result.value <= (a.high - a) + (b - b.low) + 1e-12
    same = compare(one, one, name, paired=True)
    assert same.value == 0
    assert same.low < 0
    assert same.high == pytest.approx(-same.low)
    assert same.p_value == 1


def test_the_correlation_is_that_of_many_samples():
    """With many items, the prior counts little."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 4000)
    hard = rng.random(4000) < 0.4

    def coding(share):
        wrong = rng.random((4000, 2)) < np.where(hard, share, 0.02)[:, None]
        return np.where(wrong, rng.integers(0, 3, (4000, 2)), truth[:, None])

    one, other = coding(0.7), coding(0.9)
    for name in nonempty(NAMES):
        draws = compare(one, other, name, paired=True, method="bca", n_resamples=2000, rng=1)
        result = compare(one, other, name, paired=True)
        assert result.standard_error == pytest.approx(draws.standard_error, rel=0.05)
        assert (result.low, result.high) == pytest.approx((draws.low, draws.high), abs=0.004)
        apart = compare(one, other, name)
        assert result.high - result.low < apart.high - apart.low


def test_the_p_value_inverts_the_interval():
    one = [list(r) for r in seeded(1, 80, 2, "ab").rows]
    other = [["a", "a"]] * 38 + [["b", "b"]] * 36 + [["a", "b"]] * 6
    for paired in (False, True):
        result = compare(one, other, paired=paired)
        assert 0 < result.p_value < 0.05
        for level, inside in (
            (1 - result.p_value * 0.99, True),
            (1 - result.p_value * 1.01, False),
        ):
            ends = compare(one, other, paired=paired, confidence_level=level)
            assert (ends.low <= 0 <= ends.high) == inside


def test_documents_are_the_sample():
    one = [list(r) for r in seeded(1, 60, 2, "ab").rows]
    other = [list(r) for r in seeded(2, 60, 2, "ab").rows]
    alone = compare(one, other, paired=True)
    items = compare(one, other, paired=True, cluster=list(range(60)))
    assert (items.low, items.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    twice = compare(one * 2, other * 2, paired=True, cluster=list(range(60)) * 2)
    both = compare(one * 2, other * 2, paired=True)
    assert both.high - both.low < 0.8 * (twice.high - twice.low)
    assert twice.standard_error == pytest.approx(alone.standard_error, rel=0.02)

"""The largest κ of given marginals, and the accuracy of coders at chance."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import diagnostics


def kappa(table):
    n = sum(map(sum, table))
    rows = [Fraction(sum(row), n) for row in table]
    columns = [Fraction(sum(column), n) for column in zip(*table, strict=True)]
    expected = sum(p * q for p, q in zip(rows, columns, strict=True))
    if expected == 1:
        return None
    return (Fraction(sum(table[k][k] for k in range(len(table))), n) - expected) / (1 - expected)


def tables(K, n):
    """Every K × K table of n items."""
    for bars in itertools.combinations(range(n + K * K - 1), K * K - 1):
        ends = (-1, *bars, n + K * K - 1)
        flat = [b - a - 1 for a, b in itertools.pairwise(ends)]
        yield [flat[K * i : K * (i + 1)] for i in range(K)]


@pytest.mark.parametrize(("K", "n"), [(2, 5), (3, 3)])
def test_it_is_the_largest_of_all_tables_with_the_marginals(K, n):
    best = {}
    for table in tables(K, n):
        key = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
        value = kappa(table)
        if value is not None:
            best[key] = max(value, best.get(key, value))
    seen = set()
    for table in nonempty(tables(K, n)):
        key = tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))
        if key in seen:
            continue
        seen.add(key)
        result = diagnostics.largest_kappa(af.Annotations.from_contingency(table), n_resamples=0)
        if key not in best:
            assert np.isnan(result.maximum[0])
            assert np.isnan(result.value[0])
            continue
        assert result.maximum[0] == pytest.approx(float(best[key]), abs=1e-12)
        assert result.value[0] == pytest.approx(float(kappa(table)), abs=1e-12)


def test_each_pair_has_its_own():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 3, (60, 4))
    table[:, 1:3] = np.where(rng.random((60, 2)) < 0.7, table[:, :1], table[:, 1:3])
    table[:, 3] = np.minimum(table[:, 3], 1)
    table[rng.random(table.shape) < 0.2] = -1
    data = af.Annotations.from_wide(table, missing=-1, coders=list("abcd"))
    result = diagnostics.largest_kappa(data, rng=1)
    assert list(zip(result.first, result.second, strict=True)) == list(
        itertools.combinations("abcd", 2)
    )
    for i, pair in enumerate(itertools.combinations("abcd", 2)):
        two = data.select(coders=list(pair))
        assert result.value[i] == pytest.approx(af.kappa(two, incomplete="complete").value)
        both = (table[:, ["abcd".index(c) for c in pair]] >= 0).all(1)
        assert result.n_items[i] == both.sum()
        assert result.maximum_low[i] <= result.maximum[i] <= 1
        assert result.ratio_low[i] < result.ratio[i] == result.value[i] / result.maximum[i]
        assert result.ratio[i] < result.ratio_high[i]
    # A coder who never says 2 cannot agree on it.
    assert result.maximum[[2, 4, 5]].max() < result.maximum[[0, 1, 3]].min()
    assert "at most" in str(result)
    again = diagnostics.largest_kappa(data, rng=1)
    assert again.ratio_low.tolist() == result.ratio_low.tolist()
    with pytest.raises(ValueError, match="needs at least two coders, got 1"):
        diagnostics.largest_kappa(data.select(coders=["a"]))


def test_intervals_cover_the_maximum_of_the_population():
    """100 data sets of 150 items: nine in ten 90% intervals hold it."""
    joint = np.array([[0.45, 0.15], [0.05, 0.35]])
    p, q = joint.sum(1), joint.sum(0)
    expected = p @ q
    true = (np.minimum(p, q).sum() - expected) / (1 - expected)
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(100):
        counts = rng.multinomial(150, joint.reshape(-1)).reshape(2, 2)
        result = diagnostics.largest_kappa(
            af.Annotations.from_contingency(counts), confidence_level=0.9, n_resamples=100, rng=rng
        )
        held += result.maximum_low[0] <= true <= result.maximum_high[0]
    assert 80 <= held <= 98


def test_intervals_cover_the_maximum_of_coders_with_the_same_habits():
    """Their maximum is 1; percentiles alone hold it in none of these samples."""
    joint = np.array([[3, 1, 0.5], [1, 3, 0.5], [0.5, 0.5, 1]]) / 11
    rng = np.random.default_rng(3)
    held = of_ratio = 0
    for _ in range(60):
        counts = rng.multinomial(100, joint.reshape(-1)).reshape(3, 3)
        result = diagnostics.largest_kappa(
            af.Annotations.from_contingency(counts), n_resamples=200, rng=rng
        )
        held += result.maximum_high[0] == 1
        of_ratio += result.ratio_low[0] <= float(kappa((joint * 1100).astype(int).tolist()))
    assert held >= 50
    assert of_ratio >= 52


@pytest.mark.parametrize(
    ("table", "n_resamples"),
    [
        ([[4, 0], [0, 4]], 100),
        ([[0, 1], [1, 0]], 100),
        ([[1, 1], [0, 1]], 19),
        ([[0, 2], [0, 0]], 50),
    ],
)
def test_resamples_that_say_nothing_give_no_interval(table, n_resamples):
    """Equal resamples, too few resamples, or no value."""
    result = diagnostics.largest_kappa(
        af.Annotations.from_contingency(table), n_resamples=n_resamples, rng=1
    )
    ends = [result.ratio_low, result.ratio_high]
    if n_resamples < 20 or table[0][0]:
        ends += [result.maximum_low, result.maximum_high]
    assert np.isnan(ends).all()


def test_intervals_cover_the_value():
    table = af.Annotations.from_contingency([[1, 1], [0, 1]])
    result = diagnostics.largest_kappa(table, n_resamples=60, rng=1)
    assert result.maximum_low[0] <= result.maximum[0] <= result.maximum_high[0] <= 1
    assert result.ratio_high[0] >= result.ratio[0] or np.isnan(result.ratio_high[0])


def test_blind_coders_of_a_common_category_are_right():
    """Artstein & Poesio 2008, 3.2: 95% common, 90.25% agreed on it, at least 85.7% right."""
    result = diagnostics.chance_accuracy({"common": 95, "rare": 5})
    assert result.agreement[0] == pytest.approx(0.9025)
    assert result.right[0] == pytest.approx(0.857, abs=5e-4)
    assert result.expected_agreement == pytest.approx(0.905)
    assert result.least_accuracy == pytest.approx(0.95**3 + 0.05**3)
    assert result.accuracy_of_agreed == pytest.approx((0.95**3 + 0.05**3) / 0.905)


def test_blind_coders_drawn():
    shares = np.array([0.6, 0.3, 0.1])
    rng = np.random.default_rng(1)
    truth, one, two = rng.choice(3, (3, 200_000), p=shares)
    result = diagnostics.chance_accuracy(dict(zip("abc", shares, strict=True)))
    assert result.expected_agreement == pytest.approx((one == two).mean(), abs=0.005)
    assert result.least_accuracy == pytest.approx(((one == two) & (one == truth)).mean(), abs=0.005)
    data = af.Annotations.from_wide([["a", "b"], ["a", None], ["b", "b"]], weights=[2, 3, 1])
    assert diagnostics.chance_accuracy(data).shares == pytest.approx([5 / 9, 4 / 9])
    with pytest.raises(ValueError, match="all shares are 0"):
        diagnostics.chance_accuracy({"x": 0})
    with pytest.raises(ValueError, match="numbers of 0 or more"):
        diagnostics.chance_accuracy({"x": -1, "y": 2})

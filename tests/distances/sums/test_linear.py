"""Coefficients of resamples, without an item, and their derivatives, against rational arithmetic.

Each is computed from sums that are linear in the weights; here it is computed from the judgments.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_inference
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, symmetric, tables

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances.sums.linear import linear
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.resample import CoderDraw, Draw, jackknife
from agreement_fast.points import Point

COEFFICIENTS = ("brennan_prediger", "alpha_prime", "beta", "alpha", "ac")
DISTANCES = {
    "nominal": ("nominal", reference.nominal),
    "ordinal": ("ordinal", reference.ordinal),
    "interval": ("interval", reference.interval),
    "linear": ("linear", reference.linear),
    "ratio": ("ratio", reference.ratio),
    "circular": ("circular:24", reference.circular(24)),
}
TOLERANCE = 1e-12


def read(table):
    """The package's data of a table of the reference's kind."""
    return af.Annotations.from_wide(
        [list(row) for row in table.rows],
        weights=table.weights,
        categories=table.order or None,
        coders=range(table.n_coders),
    )


def same(result, exact, scale=1.0):
    """Say whether a float is an exact number or None, within 1e-12 of the number or of a scale."""
    if exact is None:
        return math.isnan(result)
    return abs(Fraction(float(result)) - exact) <= TOLERANCE * max(abs(exact), scale)


@pytest.mark.parametrize("incomplete", reference.INCOMPLETE)
@examples(25)
@given(table=tables("scale"), seed=st.integers(0, 99))
def test_values_under_other_weights_are_those_of_the_reference(incomplete, table, seed):
    data = read(table)
    weights = np.random.default_rng(seed).integers(0, 3, (len(table.rows), 3)).astype(float)
    points = [Point.of(c, d) for c, (d, _) in itertools.product(COEFFICIENTS, DISTANCES.values())]
    made = linear(data, points, incomplete, rows=data.rows)
    values = made.values(made.sums(weights))
    for (name, (_, exact)), result in zip(
        itertools.product(COEFFICIENTS, DISTANCES.values()), values, strict=True
    ):
        for r in range(3):
            expected = reference_inference.value(
                table, exact, name, incomplete, [int(w) for w in weights[:, r]]
            )
            scale = 1.0 if expected is None else 1 + abs(1 - expected)
            assert same(result.value[r], expected, scale), (name, exact, r)


@examples(25)
@given(
    table=tables("scale"), name=st.sampled_from(COEFFICIENTS), which=st.sampled_from([*DISTANCES])
)
def test_the_jackknife_is_exact(table, name, which):
    given_distance, exact = DISTANCES[which]
    data = read(table)
    made = linear(data, [Point.of(name, given_distance)], "published", rows=data.rows)
    draw = Draw(made.weights)
    values, weights = jackknife(made, draw)
    there = [
        i
        for i, row in enumerate(table.rows)
        if table.frequencies[i] and any(x is not None for x in row)
    ]
    assert weights.tolist() == [table.frequencies[i] for i in there]
    for result, i in zip(values[0], there, strict=True):
        without = list(table.frequencies)
        without[i] -= 1
        expected = reference_inference.value(table, exact, name, "published", without)
        assert same(result, expected, 1.0 if expected is None else 1 + abs(1 - expected))


@examples(40)
@given(
    table=tables("scale"),
    name=st.sampled_from(COEFFICIENTS),
    which=st.sampled_from([*DISTANCES]),
    incomplete=st.sampled_from(reference.INCOMPLETE),
)
def test_influences_are_derivatives(table, name, which, incomplete):
    given_distance, exact = DISTANCES[which]
    value = reference_inference.value(table, exact, name, incomplete, list(table.frequencies))
    assume(value is not None)
    data = read(table)
    point = Point.of(name, given_distance)
    made = linear(data, [point], incomplete, rows=data.rows)
    weights = made.weights
    result = influences(made, point, made.sums(weights[:, None].astype(float)))
    expected = reference_inference.slopes(table, exact, name, incomplete)
    scale = max(1, *(abs(x) for x in expected))
    for i, slope in nonempty(enumerate(expected)):
        if weights[i]:
            assert abs(Fraction(float(result[i])) - slope) <= 1e-11 * scale


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("which", DISTANCES)
def test_coders_who_stand_there_several_times(name, which):
    given_distance, exact = DISTANCES[which]
    table = seeded(5, 9, 4, [1, 2, 4, 7], missing=0.25, heaviest=2, declared=True)
    made = linear(read(table), [Point.of(name, given_distance)], "published", coders=True)
    coders = CoderDraw(made, 1)
    some = [[1, 1, 1, 1], [2, 0, 1, 1], [0, 3, 1, 0], [4, 0, 0, 0], [0, 1, 2, 1]]
    for copies, result in zip(some, coders.with_copies(np.array(some))[0], strict=True):
        assert same(result, reference_inference.with_copies(table, exact, name, copies)), copies
    plain = reference_inference.value(table, exact, name, "published", list(table.frequencies))
    assert same(coders.with_copies(np.ones((1, 4), int))[0, 0], plain)


@pytest.mark.few
@pytest.mark.parametrize("name", ["alpha", "pi", "kappa", "ac"])
@pytest.mark.parametrize("n_coders", [2, 15, 16, 17, 33])
def test_more_coders_than_are_looked_at_together(name, n_coders, monkeypatch):
    """Resamples and rows beyond those of one run; some rows stand for several items, or none."""
    monkeypatch.setattr("agreement_fast.distances.sums.linear.IN_CACHE", 37)
    table = seeded(n_coders, 30, n_coders, "abcd", missing=0.4, heaviest=3, declared=True)
    made = linear(read(table), [Point.of(name, "nominal")], "published", coders=True)
    values, weights = CoderDraw(made, 1).jackknife()
    assert weights.tolist() == [1] * n_coders
    for coder, result in enumerate(values[0]):
        copies = [int(other != coder) for other in range(n_coders)]
        assert same(
            result, reference_inference.with_copies(table, reference.nominal, name, copies)
        ), coder


def test_patterns_give_what_rows_give():
    table = seeded(3, 300, 4, ["a", "b", "c"], missing=0.2)
    data = read(table)
    points = [Point.of(name, "nominal") for name in COEFFICIENTS]
    for some in (points, points[:2]):
        made = linear(data, some, "published")
        assert made.items.n_rows < 300
        assert made.items.weights.sum() == 300
        values = made.values(made.sums(made.items.weights[:, None].astype(float)))
        for point, result in zip(some, values, strict=True):
            assert result.value[0] == pytest.approx(af.agreement(data, point.name).value, rel=1e-12)


@pytest.mark.parametrize("name", ["alpha_prime", "beta", "alpha"])
def test_numbers_that_nobody_counted(name):
    rng = np.random.default_rng(8)
    numbers = 1e6 + rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 3))
    numbers[rng.random(numbers.shape) < 0.2] = np.nan
    data = af.Annotations.from_wide(numbers)
    assert data.uncounted
    weights = rng.integers(0, 3, (2000, 2))
    point = Point.of(name, "interval")
    made = linear(data, [point], "published")
    result = made.values(made.sums(weights.astype(float)))[0]
    assert data.uncounted
    for r in range(2):
        other = af.Annotations.from_wide(numbers, weights=weights[:, r])
        expected = af.agreement(other, name, distance="interval").value
        assert result.value[r] == pytest.approx(expected, rel=1e-10)
    counted = linear(data, [point], "published", rows=data.rows)
    ones = np.ones((2000, 1))
    np.testing.assert_allclose(
        influences(made, point, made.sums(ones)),
        influences(counted, point, counted.sums(ones)),
        rtol=1e-6,
        atol=1e-12,
    )


def test_a_matrix_and_a_function():
    table = seeded(4, 30, 3, ["a", "b", "c", "d"], missing=0.1, declared=True)
    rows = symmetric(2, 4)
    place = {label: i for i, label in enumerate("abcd")}
    data = read(table)
    for distance in (distances.matrix(rows), lambda a, b: rows[place[a]][place[b]]):
        made = linear(data, [Point.of("beta", distance)], "published")
        value = made.values(made.sums(made.items.weights[:, None].astype(float)))[0].value[0]
        expected = reference_inference.value(
            table, reference.matrix(rows), "beta", "published", [1] * 30
        )
        assert same(value, expected)


def test_a_constant_resample_is_exactly_undefined():
    data = af.Annotations.from_wide([[3, 3], [3.5, 3.5], [1e9, 7]])
    weights = np.array([[1.0, 0, 2], [0, 2, 0], [0, 0, 0]])
    for distance in ("nominal", "ordinal", "interval", "linear", "ratio", "circular:24"):
        made = linear(data, [Point.of("alpha", distance)], "published", rows=data.rows)
        assert np.isnan(made.values(made.sums(weights))[0].value).all()

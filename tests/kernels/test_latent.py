"""The steps of EM against rational numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from agreement_fast._kernels import _latent
from agreement_fast._kernels._rows import Rows


def room(C, K, T):
    """What an E-step fills."""
    return _latent.Expected(np.empty(T), np.empty((C, K, T)))


def likelihood(codes, coders, shares, table):
    """The posterior of a row and its log-likelihood, in rational numbers."""
    joint = [Fraction(float(share)) for share in shares]
    for code, coder in zip(codes, coders, strict=True):
        if code >= 0:
            joint = [x * Fraction(float(f)) for x, f in zip(joint, table[coder, code], strict=True)]
    total = sum(joint)
    if not total:
        return [0.0] * len(joint), -math.inf
    log = math.log(total.numerator) - math.log(total.denominator)
    return [float(x / total) for x in joint], log


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("n", [1, 3, 40, 400, 3000])
@pytest.mark.parametrize("small", [0.3, 1e-3, 1e-40, 1e-160, 1e-300, 0.0])
def test_posteriors_of_rows_of_any_length(n, small, dtype):
    """Products far below what a double holds, and one class that cannot be."""
    rng = np.random.default_rng(n)
    shares = np.array([0.5, 0.3, 0.2])
    table = np.full((2, 2, 3), 0.5)
    table[0, 1] = [small, small / 3, small / 7]
    table[1, 1] = [0.2, 0.0, 0.21]
    codes = rng.integers(-1, 2, n).astype(dtype)
    codes[0] = 1
    coders = rng.integers(0, 2, n).astype(np.int32)
    rows, at = Rows(codes, 0, np.array([0, n]), coders), _latent.Parameters(shares, table)
    out, logs = np.empty((1, 3)), np.empty(1)
    _latent.posteriors(rows, at, out, logs)
    posterior, log = likelihood(codes, coders, shares, table)
    assert out[0].tolist() == pytest.approx(posterior, rel=1e-9, abs=1e-90)
    assert logs[0] == (log if math.isinf(log) else pytest.approx(log, rel=1e-13))


def test_posteriors_of_a_table_know_coders_by_their_place():
    """Missing judgments say nothing."""
    rng = np.random.default_rng(2)
    table = rng.dirichlet(np.ones(3), (4, 2)).transpose(0, 2, 1).copy()
    codes = rng.integers(-1, 3, (6, 4)).astype(np.int8)
    shares = np.array([0.75, 0.25])
    out, logs = np.empty((4, 2)), np.empty(4)
    rows, at = Rows(codes.reshape(-1), 4), _latent.Parameters(shares, table)
    _latent.posteriors(rows.part(1, 5), at, out, logs)
    for row in range(1, 5):
        posterior, log = likelihood(codes[row], range(4), shares, table)
        assert out[row - 1].tolist() == pytest.approx(posterior, rel=1e-14)
        assert logs[row - 1] == pytest.approx(log, rel=1e-14)


def test_a_likelihood_keeps_what_rounding_takes_from_it():
    """A row of weight 10^16 beside rows of weight 1, in any place."""
    table = np.array([[[math.exp(-1.0)], [1.0]]])
    at, rows = _latent.Parameters(np.ones(1), table), Rows(np.zeros(9, np.int8), 1)
    for place in (0, 4, 8):
        weights = np.ones(9)
        weights[place] = 1e16
        out = room(1, 2, 1)
        found = _latent.expect(_latent.Problem(rows, weights), at, out)
        log = math.log(table[0, 0, 0])
        assert found == math.fsum(weights * log)
        assert out.sums[0] == out.counts[0, 0, 0]


def test_an_impossible_row_makes_the_likelihood_so():
    """Minus infinity, not NaN."""
    at = _latent.Parameters(np.ones(1), np.array([[[0.0], [1.0]]]))
    problem = _latent.Problem(Rows(np.array([1, 0, 1], np.int8), 1), np.ones(3))
    assert _latent.expect(problem, at, room(1, 2, 1)) == -math.inf


def test_an_impossible_row_that_never_occurred_costs_nothing():
    """0 times minus infinity is left out."""
    at = _latent.Parameters(np.ones(1), np.array([[[0.0], [0.5]]]))
    rows, out = Rows(np.array([1, 0, 1], np.int8), 1), room(1, 2, 1)
    found = _latent.expect(_latent.Problem(rows, np.array([1.0, 0.0, 2.0])), at, out)
    assert found == pytest.approx(3 * math.log(0.5))
    assert out.sums[0] == 3


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_parts_of_a_problem_add_up_to_it(dtype):
    """Lists and a table of the same judgments, in one piece and in three."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, 28).astype(dtype)
    coders, start = np.tile(np.arange(4, dtype=np.int32), 7), np.arange(0, 29, 4)
    table = rng.dirichlet(np.ones(3), (4, 2)).transpose(0, 2, 1).copy()
    at, weights = _latent.Parameters(np.array([0.6, 0.4]), table), rng.random(7)
    whole = room(4, 3, 2)
    found = _latent.expect(_latent.Problem(Rows(codes, 4), weights), at, whole)
    problem, parts, each = _latent.Problem(Rows(codes, 0, start, coders), weights), [], []
    for first, last in [(0, 3), (3, 3), (3, 7)]:
        parts.append(room(4, 3, 2))
        each.append(_latent.expect(problem.part(first, last), at, parts[-1]))
    assert found == pytest.approx(sum(each))
    assert whole.sums == pytest.approx(sum(part.sums for part in parts))
    assert whole.counts == pytest.approx(sum(part.counts for part in parts))
    assert not parts[1].counts.any()


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
def test_steps_end_where_the_likelihood_rises_little_beside_itself(tolerance):
    """It is 100,000 times as large as that of one row, and so is a rise that ends them."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 30)
    codes = np.where(rng.random((30, 3)) < 0.7, truth[:, None], 1 - truth[:, None]).astype(np.int8)
    problem = _latent.Problem(Rows(codes.reshape(-1), 3), np.full(30, 1e5))
    expected, at = room(3, 2, 2), _latent.Parameters(np.empty(2), np.empty((3, 2, 2)))
    trace = np.full((501, 2), -np.inf)
    _latent.vote(problem, expected)
    steps, converged = _latent.iterate(problem, at, expected, 0.0, tolerance, trace)
    assert converged
    rises = np.diff(trace[1 : steps + 1, 1])
    little = rises <= tolerance * np.abs(trace[2 : steps + 1, 1])
    assert steps > 2
    assert little.tolist() == [False] * (steps - 2) + [True]


def test_the_first_step_takes_the_shares_of_labels():
    """A row counts as each class so far as its labels say so."""
    codes = np.array([0, 0, 1, -1, 1, -1], np.int8)
    out = room(3, 2, 2)
    _latent.vote(_latent.Problem(Rows(codes, 3), np.array([1.0, 4.0])), out)
    assert out.sums == pytest.approx([2 / 3, 1 / 3 + 4])
    assert out.counts[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 4]]))
    assert out.counts[2] == pytest.approx(np.array([[0, 0], [2 / 3, 1 / 3]]))


def test_the_second_step_smooths_and_tells_the_penalty():
    """Half a judgment for each cell, or none and 0 where a coder saw nothing of a class."""
    counts = np.array([[[3.0, 0.0], [1.0, 0.0]]])
    shares, table = np.empty(2), np.empty((1, 2, 2))
    expected, at = _latent.Expected(np.array([3.0, 1.0]), counts), _latent.Parameters(shares, table)
    assert _latent.maximise(expected, 0.0, at) == 0
    assert shares.tolist() == [0.75, 0.25]
    assert table.tolist() == [[[0.75, 0.0], [0.25, 0.0]]]
    penalty = _latent.maximise(expected, 0.5, at)
    assert table == pytest.approx(np.array([[[0.7, 0.5], [0.3, 0.5]]]))
    assert penalty == pytest.approx(0.5 * np.log(table).sum())


def test_arrays_that_do_not_fit_make_no_problem():
    """Lengths are checked once, where they are put together."""
    codes = np.zeros(6, np.int8)
    with pytest.raises(ValueError, match="2 weights of 3 rows"):
        _latent.Problem(Rows(codes, 2), np.ones(2))
    with pytest.raises(ValueError, match="unknown coders"):
        _latent.Problem(Rows(codes, 0, np.array([0, 6])), np.ones(1))
    for made in (_latent.Parameters, _latent.Expected):
        with pytest.raises(ValueError, match="a table of 3 classes beside 2 of them"):
            made(np.ones(2), np.ones((1, 2, 3)))

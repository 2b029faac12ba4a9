"""The steps of EM against rational numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference_latent as exact

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


@pytest.mark.few
@pytest.mark.parametrize("n", [1, 3, 40, 400, 3000])
@pytest.mark.parametrize("small", [0.3, 1e-3, 1e-40, 1e-160, 1e-300, 0.0])
def test_posteriors_of_rows_of_any_length(n, small):
    """Products far below what a double holds, and one class that cannot be."""
    rng = np.random.default_rng(n)
    shares = np.array([0.5, 0.3, 0.2])
    table = np.full((2, 2, 3), 0.5)
    table[0, 1] = [small, small / 3, small / 7]
    table[1, 1] = [0.2, 0.0, 0.21]
    codes = rng.integers(-1, 2, n)
    codes[0] = 1
    coders = rng.integers(0, 2, n).astype(np.int32)
    posterior, log = likelihood(codes, coders, shares, table)
    for dtype in (np.int8, np.int16, np.int32):
        given = codes[codes >= 0].astype(dtype)
        rows = Rows(given, 0, np.array([0, len(given)]), coders[codes >= 0])
        out, logs = np.empty((1, 3)), np.empty(1)
        problem = _latent.Problem(rows, np.ones(1), 2)
        _latent.posteriors(problem, _latent.Parameters(shares, table), out, logs)
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
    _latent.posteriors(_latent.Problem(rows.part(1, 5), np.ones(6), 3), at, out, logs)
    again, logs_again = np.empty((4, 2)), np.empty(4)
    _latent.posteriors(_latent.Problem(rows, np.ones(6), 3).part(1, 5), at, again, logs_again)
    assert np.array_equal(out, again)
    assert np.array_equal(logs, logs_again)
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
        result = _latent.expect(_latent.Problem(rows, weights, 2), at, out)
        log = math.log(table[0, 0, 0])
        assert result == math.fsum(weights * log)
        assert out.sums[0] == out.counts[0, 0, 0]


def test_an_impossible_row_makes_the_likelihood_so():
    """Minus infinity, not NaN."""
    at = _latent.Parameters(np.ones(1), np.array([[[0.0], [1.0]]]))
    problem = _latent.Problem(Rows(np.array([1, 0, 1], np.int8), 1), np.ones(3), 2)
    assert _latent.expect(problem, at, room(1, 2, 1)) == -math.inf


def test_an_impossible_row_that_never_occurred_costs_nothing():
    """0 times minus infinity is left out."""
    at = _latent.Parameters(np.ones(1), np.array([[[0.0], [0.5]]]))
    rows, out = Rows(np.array([1, 0, 1], np.int8), 1), room(1, 2, 1)
    result = _latent.expect(_latent.Problem(rows, np.array([1.0, 0.0, 2.0]), 2), at, out)
    assert result == pytest.approx(3 * math.log(0.5))
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
    result = _latent.expect(_latent.Problem(Rows(codes, 4), weights, 3), at, whole)
    problem = _latent.Problem(Rows(codes, 0, start, coders), weights, 3)
    parts, each = [], []
    for first, last in [(0, 3), (3, 3), (3, 7)]:
        parts.append(room(4, 3, 2))
        each.append(_latent.expect(problem.part(first, last), at, parts[-1]))
    assert result == pytest.approx(sum(each))
    assert whole.sums == pytest.approx(sum(part.sums for part in parts))
    assert whole.counts == pytest.approx(sum(part.counts for part in parts))
    assert not parts[1].counts.any()


def some_problem():
    """30 rows of three coders; each row stands for 100,000 items."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 30)
    codes = np.where(rng.random((30, 3)) < 0.7, truth[:, None], 1 - truth[:, None]).astype(np.int8)
    return _latent.Problem(Rows(codes.reshape(-1), 3), np.full(30, 1e5), 2)


def ascent_of(problem, tolerance, most, accelerated):
    """An ascent from the votes."""
    expected = room(3, 2, 2)
    points = tuple(_latent.Parameters(np.empty(2), np.empty((3, 2, 2))) for _ in range(3))
    _latent.vote(problem, expected)
    _latent.maximise(expected, 0.0, points[0])
    return _latent.Ascent(points, expected, 0.0, tolerance, most, accelerated), expected


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5, 1e-7])
def test_steps_end_where_the_likelihood_rises_little_beside_itself(tolerance):
    """It is 100,000 times as large as that of one row, and so is a rise that ends them."""
    problem, trace = some_problem(), np.full(501, -np.inf)
    ascent, _ = ascent_of(problem, tolerance, 500, False)
    steps = ascent.run(problem, trace) - 1
    assert ascent.converged
    assert ascent.done
    rises = np.diff(trace[: steps + 1])
    little = rises <= tolerance * np.abs(trace[1 : steps + 1])
    assert steps > 1
    assert little.tolist() == [False] * (steps - 1) + [True]
    assert ascent.run(problem, trace) == 0


@pytest.mark.parametrize("n_classes", range(1, 10))
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_the_first_half_of_a_step_for_each_number_of_classes(n_classes, dtype):
    """Sums, counts and likelihood in rational numbers, of a table with gaps and of its lists."""
    rng = np.random.default_rng(n_classes)
    C, K, n = 4, 3, 7
    codes = rng.integers(-1, K, (n, C)).astype(dtype)
    codes[0] = -1
    weights = rng.integers(0, 4, n).astype(float)
    shares = rng.dirichlet(np.ones(n_classes))
    table = np.ascontiguousarray(rng.dirichlet(np.ones(K), (C, n_classes)).swapaxes(1, 2))
    table[1, 0, 1:] = 0.0
    sums, counts, total = [0.0] * n_classes, np.zeros((C, K, n_classes)), 0.0
    for row, weight in zip(codes, weights, strict=True):
        posterior, log = likelihood(row, range(C), shares, table)
        total += weight * log
        sums = [x + weight * p for x, p in zip(sums, posterior, strict=True)]
        for coder in np.flatnonzero(row >= 0):
            counts[coder, row[coder]] += weight * np.array(posterior)
    start = np.concatenate([[0], np.cumsum((codes >= 0).sum(1))])
    coders = np.nonzero(codes >= 0)[1].astype(np.int32)
    at = _latent.Parameters(shares, table)
    for rows in (Rows(codes.reshape(-1), C), Rows(codes[codes >= 0], 0, start, coders)):
        problem, out = _latent.Problem(rows, weights, K), room(C, K, n_classes)
        assert problem.n_judgments == (codes >= 0).sum()
        assert _latent.expect(problem, at, out) == pytest.approx(total, rel=1e-13, abs=1e-13)
        np.testing.assert_allclose(out.sums, sums, rtol=1e-13, atol=1e-300)
        np.testing.assert_allclose(out.counts, counts, rtol=1e-13, atol=1e-300)


def ascent_from(*points):
    """An ascent that was at three points in succession, each of shares and a table."""
    C, K, T = points[0][1].shape
    expected = room(C, K, T)
    places = tuple(_latent.Parameters(np.empty(T), np.empty((C, K, T))) for _ in range(3))
    ascent = _latent.Ascent(places, expected, 0.0, 0.0, 9, True)
    for value, (shares, table) in zip([-1e6, -999_999.0, -999_998.0], points, strict=True):
        expected.sums[:], expected.counts[:] = shares, table
        ascent.take(value)
        if value < -999_998.0:  # the M-step makes any numbers distributions
            ascent.at.shares[:], ascent.at.table[:] = shares, table
    return ascent


def after_three(*points):
    """Where an ascent goes after three points."""
    return ascent_from(*points).at


def of_one(*distributions):
    """The points of one coder and one class."""
    return [(np.ones(1), np.array(p, float).reshape(1, -1, 1)) for p in distributions]


def table_after(*distributions):
    """The table of one coder and one class."""
    return after_three(*of_one(*distributions)).table[0, :, 0]


def test_a_leap_goes_where_three_points_lead_to():
    """On the sphere of roots, by the reference, at most 4 long; all distributions."""
    rng = np.random.default_rng(7)
    C, K, T = 3, 4, 2
    ends = rng.dirichlet(np.ones(K), (2, C, T))
    ways = np.array([[0.0, 0.0], [0.3, 0.3], [0.5, 0.58]])[:, None, :, None]
    tables = [(1 - way) * ends[0] + way * ends[1] for way in ways]
    shares = [np.array([0.2 + 0.3 * way, 0.8 - 0.3 * way]) for way in (0.0, 0.3, 0.5)]
    at = after_three(*zip(shares, [table.swapaxes(1, 2) for table in tables], strict=True))
    expected, length = exact.leap(*(x.tolist() for x in shares), 4.0)
    assert at.shares == pytest.approx(expected, rel=1e-12)
    lengths = [length]
    for c, t in np.ndindex(C, T):
        expected, length = exact.leap(*(x[c, t].tolist() for x in tables), 4.0)
        assert at.table[c, :, t] == pytest.approx(expected, rel=1e-11)
        lengths.append(length)
    assert min(lengths) < max(lengths) == 4


def test_a_leap_excludes_what_the_third_point_does_and_nothing_else():
    """0 stays 0, and an extrapolation to 0 ends at the third point."""
    table = table_after([0.5, 0.2, 0.3], [0.6, 0.3, 0.1], [0.65, 0.35, 0.0])
    assert table[0] > 0.65
    assert table[2] == 0
    assert table.sum() == pytest.approx(1)
    # roots of 1, 1/2 and 1/4 lead to 0
    table = table_after([16 / 17, 16 / 17], [4 / 17, 16 / 17], [1 / 17, 16 / 17])
    assert table == pytest.approx([1 / 17, 16 / 17])
    assert table_after([0.5, 0.5], [0.9, 0.1], [0.0, 0.0]).tolist() == [0, 0]


def test_no_leap_where_nothing_moves_or_the_way_grows():
    """The third point itself."""
    assert table_after(*[[0.1, 0.9]] * 3).tolist() == [0.1, 0.9]
    assert table_after([0.5, 0.5], [0.51, 0.49], [0.9, 0.1]).tolist() == [0.9, 0.1]


@pytest.mark.parametrize("points", [[[0.1, 0.9]] * 3, [[0.5, 0.5], [0.51, 0.49], [0.9, 0.1]]])
def test_what_goes_no_further_than_the_third_point_is_a_step(points):
    """An equal value ends the ascent there, which it does not after a leap."""
    ascent = ascent_from(*of_one(*points))
    ascent.take(-999_998.0)
    assert ascent.converged


def test_what_stands_still_stays_to_the_last_bit_beside_what_leaps():
    """As does what goes further with each step; 1/3 is no square of its root in floats."""
    still = [[1 / k, 1 - 1 / k] for k in range(2, 30)]
    grows = [[0.5, 0.5], [0.51, 0.49], [0.9, 0.1]]
    leaps = [[0.5, 0.5], [0.6, 0.4], [0.63, 0.37]]
    tables = [[*still, *moved] for moved in zip(grows, leaps, strict=True)]
    points = [(np.ones(1), np.array(table)[..., None]) for table in tables]
    table = after_three(*points).table[..., 0].tolist()
    assert table[:-1] == [*still, grows[-1]]
    assert table[-1][0] > 0.63


def visited(values, most=100, tolerance=0.0):
    """The points of an ascent that gets the given likelihoods, and its values."""
    problem = some_problem()
    ascent, expected = ascent_of(problem, tolerance, most, True)
    points, said = [], []
    for value in values:
        at = ascent.at
        points.append((at.shares.copy(), at.table.copy()))
        _latent.expect(problem, at, expected)
        said.append(ascent.take(value))
        if ascent.done:
            break
    return points, said, ascent


def step_from(at):
    """The M-step of an E-step."""
    expected = room(3, 2, 2)
    out = _latent.Parameters(np.empty(2), np.empty((3, 2, 2)))
    _latent.expect(some_problem(), _latent.Parameters(*at), expected)
    _latent.maximise(expected, 0.0, out)
    return out.table


RISING = [-1e6, -9e5, -899_999.0, -899_998.0]


@pytest.mark.parametrize("lower", [-899_999.0, math.nan, -math.inf])
def test_a_leap_that_lowers_the_likelihood_is_taken_back(lower):
    """EM goes on from the point from which it leapt, for two steps; the value stays."""
    points, said, _ = visited([*RISING, lower, -899_997.0, -899_996.0, -899_995.0, -899_994.0])
    assert said == [*RISING, -899_998.0, -899_997.0, -899_996.0, -899_995.0, -899_994.0]
    steps = [np.array_equal(points[i + 1][1], step_from(points[i])) for i in range(8)]
    # rises settle with the third, 3 and 4 leads to the first leap; 5 steps from 3
    assert steps == [True, True, True, False, False, True, False, True]
    assert np.array_equal(points[5][1], step_from(points[3]))


def test_a_leap_that_raises_it_is_where_em_goes_on():
    """One step from there makes three points again only with a second."""
    points, said, _ = visited([*RISING, -899_997.0, -899_996.0, -899_995.0, -899_994.0])
    assert said == [*RISING, -899_997.0, -899_996.0, -899_995.0, -899_994.0]
    steps = [np.array_equal(points[i + 1][1], step_from(points[i])) for i in range(7)]
    assert steps == [True, True, True, False, True, False, True]


def test_a_leap_is_neither_the_last_nor_taken_for_convergence():
    """Equal values end an ascent after a step of EM only."""
    points, _, ascent = visited([*RISING, -899_998.0, -899_998.0, -899_998.0])
    assert len(points) == 6
    assert ascent.converged
    points, _, ascent = visited([*RISING, -899_997.0], most=4)
    assert not np.array_equal(points[3][1], points[4][1])
    assert np.array_equal(points[4][1], step_from(points[3]))
    assert ascent.done
    assert not ascent.converged
    assert ascent.log_likelihood == -899_997.0


def test_the_first_step_takes_the_shares_of_labels():
    """A row counts as each class so far as its labels say so."""
    codes = np.array([0, 0, 1, -1, 1, -1], np.int8)
    out = room(3, 2, 2)
    _latent.vote(_latent.Problem(Rows(codes, 3), np.array([1.0, 4.0]), 2), out)
    assert out.sums == pytest.approx([2 / 3, 1 / 3 + 4])
    assert out.counts[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 4]]))
    assert out.counts[2] == pytest.approx(np.array([[0, 0], [2 / 3, 1 / 3]]))


def test_the_second_step_smooths():
    """Half a judgment for each cell; or none, and 0 if a coder judged no item of a class."""
    counts = np.array([[[3.0, 0.0], [1.0, 0.0]]])
    shares, table = np.empty(2), np.empty((1, 2, 2))
    expected, at = _latent.Expected(np.array([3.0, 1.0]), counts), _latent.Parameters(shares, table)
    _latent.maximise(expected, 0.0, at)
    assert shares.tolist() == [0.75, 0.25]
    assert table.tolist() == [[[0.75, 0.0], [0.25, 0.0]]]
    _latent.maximise(expected, 0.5, at)
    assert table == pytest.approx(np.array([[[0.7, 0.5], [0.3, 0.5]]]))
    points = (at, *(_latent.Parameters(np.empty(2), np.empty((1, 2, 2))) for _ in range(2)))
    ascent = _latent.Ascent(points, expected, 0.5, 0.0, 1, False)
    assert ascent.take(-7.0) == pytest.approx(-7.0 + 0.5 * np.log(table).sum())
    assert ascent.log_likelihood == -7.0


def test_arrays_that_do_not_fit_make_no_problem():
    """The constructors check the lengths once."""
    codes = np.zeros(6, np.int8)
    with pytest.raises(ValueError, match="2 weights of 3 rows"):
        _latent.Problem(Rows(codes, 2), np.ones(2), 1)
    with pytest.raises(ValueError, match="unknown coders"):
        _latent.Problem(Rows(codes, 0, np.array([0, 6])), np.ones(1), 1)
    for made in (_latent.Parameters, _latent.Expected):
        with pytest.raises(ValueError, match="a table of 3 classes beside 2 of them"):
            made(np.ones(2), np.ones((1, 2, 3)))
    problem = _latent.Problem(Rows(codes, 2), np.ones(3), 1)
    at = _latent.Parameters(np.ones(1), np.ones((2, 2, 1)))
    with pytest.raises(ValueError, match="tables of 2 and 1 categories for judgments of 1"):
        _latent.expect(problem, at, room(2, 1, 1))
    at = _latent.Parameters(np.ones(1), np.ones((2, 1, 1)))
    with pytest.raises(ValueError, match="different coders or classes"):
        _latent.expect(problem, at, room(2, 1, 2))
    with pytest.raises(ValueError, match="different coders or classes"):
        _latent.expect(problem, at, room(3, 1, 1))
    with pytest.raises(ValueError, match="rows 2 to 4 of 3"):
        problem.part(2, 4)

"""The bootstrap: what is drawn, what intervals are made of it, and what cannot be."""

import math
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import reference
import reference_inference
import scipy.stats
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast import bootstrap, compare
from agreement_fast.distances.sums.linear import linear
from agreement_fast.inference.intervals import acceleration, interval
from agreement_fast.inference.resample import Draw
from agreement_fast.inference.results import BootstrapTable
from agreement_fast.points import Point

N = None
TABLE = seeded(12, 40, 3, [1, 2, 3, 4], missing=0.15)
ROWS = [list(row) for row in TABLE.rows]


def test_items_are_drawn_as_items():
    """Means, variances and covariances of multinomial counts, by both ways of drawing."""
    rng = np.random.default_rng(0)
    for weights in (np.array([30, 1, 9, 0, 20]), np.array([1, 1, 2, 0, 1])):
        draw = Draw(weights)
        drawn = draw(rng, 20000)
        n, shares = weights.sum(), weights / weights.sum()
        assert (drawn.sum(0) == n).all()
        np.testing.assert_allclose(drawn.mean(1), weights, atol=5 * math.sqrt(n / 20000))
        expected = n * (np.diag(shares) - np.outer(shares, shares))
        np.testing.assert_allclose(np.cov(drawn), expected, atol=0.06 * n)


def test_both_ways_of_drawing_have_one_distribution():
    """Exact probabilities of every resample of three items."""
    weights = np.array([1, 2])
    by_item = Draw(weights)
    assert by_item._every._items is not None
    multinomial = Draw(weights)
    multinomial._every._items = None
    exact = {(0, 3): 8 / 27, (1, 2): 12 / 27, (2, 1): 6 / 27, (3, 0): 1 / 27}
    for draw in (by_item, multinomial):
        seen = Counter(map(tuple, draw(np.random.default_rng(4), 40000).T.astype(int).tolist()))
        for outcome, probability in exact.items():
            assert seen[outcome] / 40000 == pytest.approx(probability, abs=0.012)


def test_many_patterns_are_drawn_as_poisson_numbers():
    """Counts have the total, means, variances, correlations and shares of the multinomial."""
    weights = np.resize([1, 0, 2, 7, 30, 400], 600)
    draw = Draw(weights)
    drawn = draw(np.random.default_rng(3), 20000)
    n, shares = weights.sum(), weights / weights.sum()
    assert draw._every._poisson
    assert (drawn.sum(0) == n).all()
    assert (drawn == np.rint(drawn)).all()
    spread = np.sqrt(n * shares * (1 - shares))
    assert (np.abs(drawn.mean(1) - weights) <= 5 * spread / math.sqrt(20000)).all()
    assert drawn.var(1) == pytest.approx(spread**2, rel=0.06, abs=1e-12)
    several = drawn.reshape(100, 6, -1).sum(0)
    assert np.cov(several)[3, 5] == pytest.approx(-n * 7 * 400 / 440**2, rel=0.1)
    for place in nonempty(range(6)):
        seen = np.bincount(drawn[place].astype(int)) / 20000
        exact = scipy.stats.binom.pmf(np.arange(len(seen)), n, shares[place])
        assert seen == pytest.approx(exact, abs=5 * math.sqrt(0.25 / 20000))


def test_replicates_are_coefficients_of_the_drawn_tables():
    data = af.Annotations.from_wide(ROWS, categories=[1, 2, 3, 4])
    result = bootstrap(data, "kappa", n_resamples=5, rng=9, method="percentile")
    made = linear(data, [Point.of("kappa", "nominal")], "published")
    weights = Draw(made.weights)(np.random.default_rng(9).spawn(1)[0], 5)
    for r in range(5):
        rows = made.items.rows
        table = np.full((made.items.n_rows, 3), -1)
        table[np.repeat(np.arange(rows.n_rows), np.diff(rows.start)), rows.coders] = rows.codes
        drawn = af.Annotations.from_wide(
            table, missing=-1, categories=[0, 1, 2, 3], weights=weights[:, r].astype(int)
        )
        assert result.replicates[r] == pytest.approx(af.kappa(drawn).value, rel=1e-12)


@pytest.mark.breadth
def test_two_samples_share_their_draws_and_each_is_multinomial():
    """Of 5 units and of 3 of them: the moments of each alone, and mostly the same draws."""
    weights, inner = np.array([2, 1, 2]), np.array([True, True, False])
    for by_item in (True, False):
        draw = Draw(weights, None, inner)
        for urn in (draw._every, draw._inner, draw._outer):
            if not by_item:
                urn._items = None
        every, within = draw.both(np.random.default_rng(3), 20000)
        for drawn, units in ((every, weights), (within, weights * inner)):
            n, shares = units.sum(), units / units.sum()
            assert (drawn.sum(0) == n).all()
            np.testing.assert_allclose(drawn.mean(1), units, atol=5 * math.sqrt(n / 20000))
            expected = n * (np.diag(shares) - np.outer(shares, shares))
            np.testing.assert_allclose(np.cov(drawn), expected, atol=0.03 * n)
        # what both have drawn of the smaller sample is as much as it can be
        common = np.minimum(every[:2], within[:2]).sum(0)
        np.testing.assert_array_equal(common, np.minimum(every[:2].sum(0), 3))


SINGLES = [["x", "x"], ["x", "y"], ["y", "y"]] + [["x", N]] * 20 + [[N, "y"]] * 20


@pytest.mark.parametrize("others", [[], ["pi"]])
def test_items_with_one_judgment_are_not_drawn_for_alpha(others):
    """Three pairs among 40 single judgments, beside π or not: the 27 resamples of the three."""
    data = af.Annotations.from_wide(SINGLES, categories=["x", "y"])
    bca = {"n_resamples": 6000, "method": "bca"}
    result = bootstrap(data, ["alpha", *others], **bca, rng=1)[0]
    alone = bootstrap(data.select(items=[0, 1, 2]), "alpha", **bca, rng=2)
    # undefined are those of the first item only and of the last only
    assert result.n_undefined / 6000 == pytest.approx(2 / 27, abs=0.014)
    seen, expected = (Counter(r.replicates.round(9).tolist()) for r in (result, alone))
    for value, times in expected.items():
        if not math.isnan(value):
            assert seen[value] / 6000 == pytest.approx(times / 6000, abs=0.03)
    assert (result.low, result.high) == pytest.approx((alone.low, alone.high))
    if others:
        # π's sample are all 43; none of the three with a pair may be drawn
        pi = bootstrap(data, ["alpha", "pi"], **bca, rng=1)["pi"]
        assert pi.n_undefined / 6000 == pytest.approx((40 / 43) ** 43, abs=0.011)


#: Draws of items and coders have no units to leave out.
BOTH = {"resample": "both", "method": "percentile"}


def test_items_drawn_with_coders_are_those_of_the_coefficient():
    """Either coder twice leaves no pair; both leave alpha undefined for 2 of 27 draws of items."""
    data = af.Annotations.from_wide(SINGLES, categories=["x", "y"])
    result = bootstrap(data, ["alpha", "pi"], n_resamples=4000, rng=1, **BOTH)
    assert result["alpha"].n_undefined / 4000 == pytest.approx(1 / 2 + 1 / 27, abs=0.03)
    # π's sample are all 43 items; none of the three with a pair may be drawn
    missed = (40 / 43) ** 43
    assert result["pi"].n_undefined / 4000 == pytest.approx(1 / 2 + missed / 2, abs=0.03)


def test_alpha_and_pi_of_incomplete_data_share_their_draws():
    """Many pairs and many single judgments: the difference varies far less than either."""
    rows = [list(row) for row in seeded(21, 300, 3, [1, 2, 3], missing=0.5).rows]
    assert 30 < sum(sum(x is not None for x in row) == 1 for row in rows) < 270
    for method in ("percentile", "bca"):
        table = bootstrap(rows, ["alpha", "pi", "s"], n_resamples=400, rng=1, method=method)
        gap = table.difference("alpha", "pi")
        assert gap.standard_error < 0.5 * table["alpha"].standard_error
        assert gap.low < gap.value < gap.high
        # the sample of the difference is that of both
        back = table.difference("pi", "alpha")
        assert (back.low, back.high) == pytest.approx((-gap.high, -gap.low), rel=1e-9)
        assert [r.coefficient for r in table] == ["alpha", "pi", "s"]
        for name in ("alpha", "s", "pi"):
            alone = bootstrap(rows, name, n_resamples=400, rng=2, method=method)
            assert table[name].standard_error == pytest.approx(alone.standard_error, rel=0.15)
    both = bootstrap(rows, ["alpha", "pi"], n_resamples=100, rng=1, **BOTH)
    drawn = np.array([r.replicates for r in both])
    drawn = drawn[:, ~np.isnan(drawn).any(0)]
    assert len(drawn.T) > 50
    assert np.corrcoef(drawn)[0, 1] > 0.9
    lone = [["x", "y", "y"], ["x", N, N], [N, "y", N], [N, N, "x"]]
    mixed = bootstrap(lone, ["alpha", "pi"], n_resamples=50, rng=1)
    assert mixed["alpha"].n_undefined == 50
    assert mixed["pi"].n_undefined < 50
    rows = [*lone, ["x", "x", "y"], [N, N, "y"]]
    names = ["a", "a", "b", "b", "c", "d"]
    texts = bootstrap(rows, ["alpha", "pi"], n_resamples=80, rng=1, cluster=names)
    # documents a and c, not b and d, which have single judgments only
    values = {round(v, 9) for v in texts["alpha"].replicates.tolist() if not math.isnan(v)}
    assert len(values) <= 3


def test_the_jackknife_of_alpha_leaves_out_items_with_a_pair():
    data = af.Annotations.from_wide(SINGLES)
    from agreement_fast.inference.resample import draw_of, jackknives

    points = [Point.of("alpha", "nominal"), Point.of("pi", "nominal")]
    made = linear(data, points, "published", rows=data.rows)
    (values, weights), (_, every) = jackknives(made, draw_of([made]))
    assert weights.tolist() == [1] * 3 + [0] * 40
    assert every.tolist() == [1] * 43
    assert values[0] == pytest.approx(af.alpha(SINGLES[1:3]).value)


def test_rounding_does_not_break_ties():
    """Replicates 1e-16 above the value are equal to it: BCa's z₀ is 0."""

    value = 0.3
    replicates = np.concatenate(
        [np.linspace(0.1, 0.2, 25), np.full(50, value), np.linspace(0.4, 0.5, 25)]
    )
    faster = acceleration([(np.array([0.2, 0.3, 0.4]), np.array([1, 1, 1]))])
    exact = interval("bca", value, replicates, 0.9, faster)
    shaken = replicates.copy()
    shaken[25:75] = np.nextafter(value, 1)
    assert interval("bca", value, shaken, 0.9, faster) == pytest.approx(exact, abs=1e-12)
    assert interval("bca", value, replicates, 0.9, faster) == pytest.approx(
        interval("percentile", value, replicates, 0.9), abs=1e-12
    )


@pytest.mark.parametrize("resample", ["items", "coders", "both"])
def test_the_seed_decides_and_the_threads_do_not(resample):
    def run(rng, threads):
        return bootstrap(
            ROWS, ["alpha", ("beta", "ordinal")], n_resamples=600, resample=resample, rng=rng,
            threads=threads, distance="interval", method="percentile",
        )  # fmt: skip

    first, second, other = run(1, 1), run(1, 4), run(2, 2)
    for a, b, c in zip(first, second, other, strict=True):
        assert np.array_equal(a.replicates, b.replicates, equal_nan=True)
        assert not np.array_equal(a.replicates, c.replicates, equal_nan=True)
    generator = np.random.default_rng(1)
    again = run(generator, 2)
    assert np.array_equal(again[0].replicates, first[0].replicates, equal_nan=True)
    assert not np.array_equal(run(generator, 2)[0].replicates, first[0].replicates)


@pytest.mark.parametrize("resample", ["items", "both"])
def test_replicates_do_not_depend_on_how_many_lots_go_together(resample, monkeypatch):
    points = {"coefficient": ["alpha", "pi"], "resample": resample, "method": "percentile"}
    together = bootstrap(ROWS, **points, n_resamples=600, rng=1)
    monkeypatch.setattr("agreement_fast._kernels.parallel.SMALL", 1)
    alone = bootstrap(ROWS, **points, n_resamples=600, rng=1)
    np.testing.assert_array_equal(
        [result.replicates for result in together], [result.replicates for result in alone]
    )


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize(("name", "distance"), [("alpha", "ordinal"), ("kappa", "nominal")])
def test_intervals_are_scipy_s_of_the_same_replicates(method, name, distance):
    """scipy makes its interval from our replicates and its own jackknife over the rows."""
    ours = bootstrap(ROWS, name, distance=distance, n_resamples=800, method=method, rng=5)

    def statistic(index):
        rows = [ROWS[i] for i in index]
        data = af.Annotations.from_wide(rows, categories=[1, 2, 3, 4])
        return af.agreement(data, name, distance=distance).value

    # items with a single judgment are no part of α's sample
    least = 2 if name == "alpha" else 1
    theirs = scipy.stats.bootstrap(
        (np.array([i for i, row in enumerate(ROWS) if sum(x is not None for x in row) >= least]),),
        statistic,
        n_resamples=0,
        vectorized=False,
        method={"bca": "BCa"}.get(method, method),
        bootstrap_result=SimpleNamespace(bootstrap_distribution=ours.replicates),
    )
    assert ours.low == pytest.approx(theirs.confidence_interval.low, rel=1e-9)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, rel=1e-9)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=1e-12)


def test_a_table_shares_its_draws():
    table = bootstrap(ROWS, ["pi", "kappa", ("alpha", "interval")], n_resamples=300, rng=3)
    assert isinstance(table, BootstrapTable)
    assert [r.coefficient for r in table] == ["pi", "kappa", "alpha"]
    assert table["alpha"] is table[2] is table["alpha", "interval"]
    gap = table.difference("kappa", "pi")
    assert gap.value == pytest.approx(af.kappa(ROWS).value - af.pi(ROWS).value)
    np.testing.assert_array_equal(
        gap.replicates, table["kappa"].replicates - table["pi"].replicates
    )
    # On the same draws the two differ little, although each varies much.
    assert gap.standard_error < 0.2 * table["pi"].standard_error
    assert gap.low <= gap.value <= gap.high
    assert len(str(table).splitlines()) == 4
    with pytest.raises(KeyError, match="table, which has pi"):
        table["s"]
    bca = bootstrap(ROWS, ["pi", "kappa"], n_resamples=300, rng=3, method="bca")
    assert bca.difference("kappa", "pi").low < bca.difference("kappa", "pi").high


def test_frequencies_are_items():
    """Rows with weights, and the same rows repeated, have the same distribution."""
    weights = [2 + i % 3 for i in range(len(ROWS))]
    data = af.Annotations.from_wide(ROWS, weights=weights)
    repeated = reference.expand(ROWS, weights)
    one = bootstrap(data, "pi", n_resamples=3000, rng=1)
    other = bootstrap(repeated, "pi", n_resamples=3000, rng=1)
    np.testing.assert_array_equal(one.replicates, other.replicates)


def test_documents_are_drawn_whole():
    """Items said four times over: their documents vary as single items do."""
    single = bootstrap(ROWS, "alpha", n_resamples=2000, rng=6)
    rows = [row for row in ROWS for _ in range(4)]
    names = [f"text {i // 4}" for i in range(len(rows))]
    together = bootstrap(rows, "alpha", n_resamples=2000, rng=6, cluster=names)
    assert together.standard_error == pytest.approx(single.standard_error, rel=0.1)
    alone = bootstrap(rows, "alpha", n_resamples=2000, rng=6)
    assert alone.standard_error < 0.6 * together.standard_error
    # every replicate takes whole documents
    weights = Draw(np.ones(8, int), np.array([0, 0, 0, 1, 1, 2, 2, 2]))(
        np.random.default_rng(0), 50
    )
    assert (weights[0] == weights[1]).all()
    assert (weights[5] == weights[7]).all()
    assert (weights[[0, 3, 5]].sum(0) == 3).all()
    bca = bootstrap(rows, "alpha", n_resamples=500, rng=6, cluster=names, method="bca")
    assert bca.low < bca.value < bca.high


def test_the_jackknife_leaves_out_documents():
    rows = [[1, 2], [1, 1], [2, 2], [2, 2], [3, 1], [3, 3]]
    names = ["a", "a", "b", "b", "c", "c"]
    from agreement_fast.inference.resample import jackknife
    from agreement_fast.reading.groups import document_codes

    data = af.Annotations.from_wide(rows)
    made = linear(data, [Point.of("pi", "nominal")], "published", rows=data.rows)
    values, counts = jackknife(made, Draw(made.weights, document_codes(data, names)))
    assert counts.tolist() == [1, 1, 1]
    expected = [
        af.pi([r for r, n in zip(rows, names, strict=True) if n != left]).value for left in "abc"
    ]
    np.testing.assert_allclose(values[0], expected, rtol=1e-12)


def test_coders_are_drawn_with_replacement():
    """Two coders and three: every multiset of draws gives one of the reference's values."""
    table = seeded(2, 12, 3, [1, 2, 3])
    result = bootstrap(
        [list(r) for r in table.rows], "pi", n_resamples=400, resample="coders", rng=8
    )
    possible = {}
    for copies in ((3, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 1), (0, 1, 2), (2, 0, 1), (1, 0, 2),
                   (1, 1, 1), (0, 3, 0), (0, 0, 3)):  # fmt: skip
        value = reference_inference.with_copies(table, reference.nominal, "pi", copies)
        possible[copies] = math.nan if value is None else float(value)
    shares = Counter()
    for value in result.replicates:
        outcome = [
            c
            for c, v in possible.items()
            if (math.isnan(v) and math.isnan(value)) or v == pytest.approx(value, rel=1e-12)
        ]
        assert outcome, value
        shares[outcome[0]] += 1
    assert shares[1, 1, 1] / 400 == pytest.approx(6 / 27, abs=0.07)
    # one coder drawn three times has nobody to agree with
    assert result.n_undefined / 400 == pytest.approx(3 / 27, abs=0.05)
    assert result.n_undefined == np.isnan(result.replicates).sum()


def test_both_vary_more_than_either():
    rows = [list(row) for row in seeded(3, 60, 6, [1, 2, 3], missing=0.1).rows]
    errors = {
        which: bootstrap(
            rows, n_resamples=600, resample=which, rng=2, method="percentile"
        ).standard_error
        for which in ("items", "coders", "both")
    }
    assert errors["both"] > max(errors["items"], errors["coders"])
    bca = bootstrap(rows, "alpha", n_resamples=300, resample="coders", method="bca", rng=2)
    assert bca.low < bca.high


# Krippendorff 2011, example C: observers × units, as KALPHA's bootstrap takes them
EXAMPLE_C = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
        strict=True,
    )
)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
def test_krippendorff_s_draws_have_the_moments_of_kalpha_s(distance):
    data = af.Annotations.from_wide(EXAMPLE_C)
    coincidences = data.coincidence_matrix()
    metric = getattr(af.distances, distance)
    delta = metric.matrix(data.categories, marginals=coincidences.sum(1))
    pairs = sum(n * (n - 1) // 2 for n in data.to_counts().sum(1))
    cells, draws, expected, constant = reference_inference.kalpha(
        coincidences.tolist(), delta.tolist(), 4, pairs
    )
    assert draws == min(25 * np.count_nonzero(coincidences), 3 * 40 / 2) == 60
    assert constant < 1e-20
    result = bootstrap(
        data, "alpha", distance=distance, n_resamples=20000, rng=1, method="krippendorff"
    )
    value = af.alpha(EXAMPLE_C, distance).value
    assert result.value == pytest.approx(value)
    mean = sum(p * gap for p, gap in cells)
    variance = sum(p * gap**2 for p, gap in cells) - mean**2
    spread = math.sqrt(variance / draws) / expected
    assert 1 - mean / expected == pytest.approx(value)
    assert result.replicates.mean() == pytest.approx(value, abs=5 * spread / math.sqrt(20000))
    assert result.standard_error == pytest.approx(spread, rel=0.03)
    assert result.replicates.max() <= 1
    q = result.failing()
    assert list(q) == [0.67, 0.70, 0.80, 0.90]
    assert q[0.70] == np.mean(result.replicates < 0.70)
    assert result.failing([value])[value] == pytest.approx(0.5, abs=0.1)


def test_krippendorff_s_corrections_of_draws_that_only_agree():
    # two agreeing categories: draws without disagreement are 0 as often as all would be constant
    rows = [["a", "a"]] * 3 + [["b", "b"], ["a", "b"]]
    result = bootstrap(rows, "alpha", n_resamples=4000, rng=2, method="krippendorff")
    cells, draws, _, constant = reference_inference.kalpha([[6, 1], [1, 2]], [[0, 1], [1, 0]], 2, 5)
    assert draws == 5
    agreeing = sum(p for p, gap in cells if not gap) ** draws
    zeroed = round(4000 * constant)
    assert zeroed == round(4000 * (0.6**5 + 0.2**5))
    assert np.count_nonzero(result.replicates == 0) == zeroed
    assert np.mean(result.replicates == 1) == pytest.approx(agreeing - zeroed / 4000, abs=0.03)
    # one category to agree on: agreement proves nothing, and is 0
    rows = [["a", "a"]] * 8 + [["a", "b"]]
    result = bootstrap(rows, "alpha", n_resamples=500, rng=2, method="krippendorff")
    assert not (result.replicates == 1).any()
    assert result.resample == "pairs"
    assert (result.replicates == 0).any()
    assert result.replicates.min() >= -1


def test_krippendorff_s_complete_items():
    rows = [[1, 2, 1], [1, 1, N], [2, 2, 2], [2, 1, 2], [1, 1, 1]]
    whole = bootstrap(rows, "alpha", incomplete="complete", method="krippendorff", rng=1)
    kept = bootstrap([row for row in rows if N not in row], "alpha", method="krippendorff", rng=1)
    np.testing.assert_array_equal(whole.replicates, kept.replicates)


def test_undefined_resamples_are_counted():
    rows = [["x", "x"], ["x", "x"], ["y", "y"]]
    result = bootstrap(rows, "pi", n_resamples=2000, rng=1, method="bca")
    share = (2 / 3) ** 3 + (1 / 3) ** 3
    assert result.n_undefined / 2000 == pytest.approx(share, abs=0.04)
    assert np.isnan(result.replicates).sum() == result.n_undefined
    assert (result.low, result.high, result.undefined) == (1.0, 1.0, None)
    assert f"{result.n_undefined} of them undefined" in repr(result)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "krippendorff"])
def test_undefined_data(method):
    for rows, reason in (([["x", "x"]] * 3, "no variation:"), ([["x", N], [N, "y"]], "no pairs:")):
        result = bootstrap(rows, "alpha", n_resamples=50, rng=1, method=method)
        assert math.isnan(result.value)
        assert math.isnan(result.low)
        assert math.isnan(result.standard_error)
        assert result.n_undefined == 50
        assert result.undefined.startswith(reason)
        assert all(math.isnan(q) for q in result.failing().values())
        assert reason in repr(result)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "krippendorff"])
def test_no_item_at_all(method):
    empty = af.Annotations.from_wide(np.zeros((0, 3)), coders=["a", "b", "c"])
    points = [("alpha", "nominal"), ("alpha", "ordinal"), ("ac", "interval"), ("kappa", "nominal")]
    for name, distance in nonempty(points[: 2 if method == "krippendorff" else 4]):
        result = bootstrap(empty, name, distance=distance, n_resamples=5, rng=1, method=method)
        assert (result.n_undefined, result.undefined[:9]) == (5, "no pairs:")


def test_one_item_or_document_has_a_value_but_no_interval():
    rows, coders = [["x", "x", "y"], ["y", "y", "y"]], ["a", "b", "c"]
    table, one_item = (af.Annotations.from_wide(some, coders=coders) for some in (rows, rows[:1]))
    for result in (
        bootstrap(one_item, "pi", n_resamples=9, rng=1),
        bootstrap(one_item, "pi", n_resamples=9, rng=1, **BOTH),
        bootstrap(table, "pi", cluster=["d", "d"], n_resamples=9, rng=1),
        compare(
            table, table, "pi", paired=True, cluster=["d", "d"], n_resamples=9, rng=1, method="bca"
        ),
    ):
        assert not math.isnan(result.value)
        assert math.isnan(result.low)
        assert math.isnan(result.standard_error)
        assert (result.n_undefined, result.undefined) == (9, None)
    closed = compare(table, table, "pi", paired=True, cluster=["d", "d"])
    assert math.isnan(closed.low)
    assert closed.note == "one item or document has no spread, so there is no interval"
    # coders are drawn all the same
    assert bootstrap(one_item, "pi", n_resamples=99, rng=1, resample="coders").n_undefined < 99


def test_paired_codings_share_their_draws():
    old = seeded(1, 50, 3, "abc", missing=0.1)
    rows = [list(r) for r in old.rows]
    names = [f"i{i}" for i in range(50)]
    first = af.Annotations.from_wide(rows, items=names)
    backwards = af.Annotations.from_wide(rows[::-1], items=names[::-1])
    for other in (first, backwards, rows):
        one = af.Annotations.from_wide(rows) if other is rows else first
        same = compare(one, other, "kappa", paired=True, n_resamples=200, rng=1, method="bca")
        assert same.value == 0
        np.testing.assert_allclose(same.replicates, 0, atol=1e-12)
    changed = [row if i % 5 else ["a", "b", "c"] for i, row in enumerate(rows)]
    paired = compare(
        rows, changed, "alpha", paired=True, n_resamples=1500, rng=1, method="percentile"
    )
    assert paired.value == pytest.approx(af.alpha(rows).value - af.alpha(changed).value)
    apart = compare(
        rows, changed, "alpha", paired=False, n_resamples=1500, rng=1, method="percentile"
    )
    assert apart.value == pytest.approx(paired.value)
    assert paired.standard_error < 0.9 * apart.standard_error
    assert paired.p_value < 0.05
    bca = compare(rows, changed, "alpha", paired=True, n_resamples=1500, rng=1, method="bca")
    assert bca.low == pytest.approx(paired.low, abs=0.06)
    texts = compare(rows, changed, "alpha", paired=True, cluster=[i // 5 for i in range(50)])
    assert texts.value == pytest.approx(paired.value)


@pytest.mark.parametrize("kind", ["index", "column", "annotations"])
def test_items_of_the_same_name_are_paired(kind):
    frames = [
        pd.DataFrame({"ann": list("xyxyxy"), "bob": list(labels)})
        for labels in ("xyxyyx", "xxxyyx")
    ]
    names = [f"t{i}" for i in range(6)]
    if kind == "index":
        one, other = (frame.set_axis(names) for frame in frames)
    elif kind == "column":
        one, other = (frame.assign(item=names) for frame in frames)
    else:
        one, other = (af.Annotations.from_wide(frame, items=names) for frame in frames)
    turned = other.select(items=names[::-1]) if kind == "annotations" else other[::-1]
    for second in (other, turned):
        result = compare(one, second)
        assert result.paired is True
        assert result.interval == compare(one, second, paired=True).interval
        assert "(score, paired)" in repr(result)
    apart = compare(one, other, paired=False)
    assert apart.paired is False
    assert "(score, independent)" in repr(apart)
    assert apart.interval != result.interval
    drawn = {"n_resamples": 100, "rng": 1, "method": "percentile"}
    assert compare(one, other, **drawn).paired is True
    assert "100 resamples, paired)" in repr(compare(one, other, **drawn))
    fewer = other.select(items=names[1:]) if kind == "annotations" else other[1:]
    with pytest.raises(ValueError, match="5 items have the same name in both data sets, and 1 do"):
        compare(one, fewer)
    assert compare(one, fewer, paired=False).paired is False


def test_places_are_no_names():
    rows = [["x", "y"], ["x", "x"], ["y", "y"], ["y", "y"]]
    for table in (rows, np.array(rows), pd.DataFrame(rows), pd.DataFrame(rows, columns=["a", "b"])):
        assert compare(table, rows).paired is False
    named = pd.DataFrame(rows, index=list("abcd"))
    assert compare(named, rows).paired is False
    assert compare(named, named.set_axis(list("efgh"))).paired is False
    counts = af.Annotations.from_contingency([[3, 1], [1, 3]])
    assert compare(counts, counts).paired is False
    assert bootstrap(rows, ["pi", "s"], rng=1).difference("pi", "s").paired is None


def test_independent_differences():
    a = [list(r) for r in seeded(1, 80, 2, "ab").rows]
    b = [list(r) for r in seeded(2, 60, 3, "ab").rows]
    gap = compare(a, b, "pi", paired=False, n_resamples=2000, rng=1, method="percentile")
    alone = [bootstrap(x, "pi", n_resamples=2000, rng=4).standard_error for x in (a, b)]
    assert gap.standard_error == pytest.approx(math.hypot(*alone), rel=0.06)
    bca = compare(a, b, "pi", paired=False, n_resamples=2000, rng=1, method="bca")
    assert bca.low == pytest.approx(gap.low, abs=0.05)
    back = compare(b, a, "pi", paired=False, n_resamples=2000, rng=1, method="percentile")
    assert back.value == -gap.value
    assert "p = " in repr(gap)
    below = np.count_nonzero(gap.replicates <= 0)
    assert gap.p_value == pytest.approx(2 * (min(below, 2000 - below) + 1) / 2001)


def test_the_second_of_two_data_sets_enters_with_its_sign():
    """BCa's acceleration from leaving out each item of either, the second's values subtracted."""
    from statistics import NormalDist

    a = [["x", "x"]] * 9 + [["y", "y"]] * 3 + [["x", "y"]] * 2
    b = [["x", "x"]] * 6 + [["y", "y"]] * 6 + [["y", "x"]] * 5
    result = compare(a, b, "pi", n_resamples=4000, rng=1, method="bca")
    cubes = squares = 0.0
    for sign, rows in ((1, a), (-1, b)):
        values = sign * np.array(
            [af.pi([r for j, r in enumerate(rows) if j != i]).value for i in range(len(rows))]
        )
        n, gaps = len(rows), values.mean() - values
        cubes += ((n - 1) / n) ** 3 * (gaps**3).sum()
        squares += ((n - 1) / n) ** 2 * (gaps**2).sum()
    acceleration = cubes / (6 * squares**1.5)
    assert abs(acceleration) > 0.01
    normal = NormalDist()
    drawn = result.replicates[~np.isnan(result.replicates)]
    ties = np.isclose(drawn, result.value, rtol=0, atol=1e-12)
    z0 = normal.inv_cdf(np.mean((drawn < result.value) & ~ties) + ties.mean() / 2)
    ends = []
    for share in (0.025, 0.975):
        z = z0 + normal.inv_cdf(share)
        ends.append(np.quantile(drawn, normal.cdf(z0 + z / (1 - acceleration * z))))
    assert (result.low, result.high) == pytest.approx(ends, rel=1e-9)


def test_what_is_paired_must_fit():
    with pytest.raises(ValueError, match="item 2 is in the first only"):
        compare([[1, 2], [1, 1], [2, 2]], [[1, 1], [2, 2]], paired=True)
    with pytest.raises(ValueError, match="more in the second"):
        compare([[1, 1], [2, 2]], [[1, 2], [1, 1], [2, 2]], paired=True)
    heavy = af.Annotations.from_wide([[1, 1], [2, 2]], weights=[1, 2])
    with pytest.raises(ValueError, match="item 1 has two weights"):
        compare([[1, 1], [2, 2]], heavy, paired=True)
    with pytest.raises(ValueError, match="cluster is for paired data"):
        compare([[1, 2]] * 2, [[1, 2]] * 2, paired=False, cluster=[1, 2])


def test_what_cannot_be_drawn_says_so():
    counts = af.Annotations.from_counts([[2, 1], [0, 3], [3, 0]])
    assert bootstrap(counts, "alpha", n_resamples=20, rng=1).n_resamples == 20
    for call, words in (
        (lambda: bootstrap(counts, "kappa"), "who|which coder"),
        (lambda: bootstrap(counts, "alpha", resample="coders"), "which coder"),
        (lambda: bootstrap(ROWS, "alpha", resample="texts"), "'items', 'coders' or 'both'"),
        (lambda: bootstrap(ROWS, "alpha", method="bc"), "'percentile', 'basic', 'bca', 'bayesian'"),
        (lambda: bootstrap(ROWS, "alpha", n_resamples=0), r"n_resamples must be .*, not 0"),
        (lambda: bootstrap(ROWS, "alpha", threads=0), r"threads must be .*, not 0"),
        (lambda: bootstrap(ROWS, "alpha", confidence_level=95), "between 0 and 1, not 95"),
        (lambda: bootstrap(ROWS, []), "coefficient is empty"),
        (lambda: bootstrap(ROWS, [("pi", "nominal", 1)]), "names or pairs"),
        (lambda: bootstrap(ROWS, "kappa", distance="interval"), "use beta"),
        (lambda: bootstrap(ROWS, "alpha", cluster=[1, 2]), "document for each of 40 items, got 2"),
        (
            lambda: bootstrap(ROWS, "alpha", cluster=[1] * 40, **BOTH),
            "cluster draws whole documents",
        ),
        (lambda: bootstrap(ROWS, "alpha", resample="both"), "two: pass method='percentile'"),
        (lambda: compare(ROWS, ROWS, rng=1), "rng is for draws, and method='score' has none"),
        (lambda: bootstrap(ROWS, "pi", method="krippendorff"), "for alpha, not for pi"),
        (lambda: bootstrap(ROWS, method="krippendorff", resample="both"), "pairs of judgments"),
        (lambda: bootstrap(ROWS, "beta", distance=[[0, 1, 2, 3]] * 4), "not a distance"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match="a name or a sequence"):
        bootstrap(ROWS, 3)
    for option, value in (
        ("n_resamples", 10.5), ("n_resamples", True), ("threads", "2"), ("rng", "1"),
        ("confidence_level", None), ("rng", np.random.RandomState(1)),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=f"{option} must be"):
            bootstrap(ROWS, "alpha", **{option: value})
    with pytest.raises(ValueError, match=r"rng must be .*, not -1"):
        compare(ROWS, ROWS, rng=-1)


@pytest.mark.breadth
def test_numbers_by_the_thousand():
    """Distinct numbers, counted or not; the ordinal distance of 6000 ranks included."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 3))
    plain = bootstrap(numbers, "alpha", distance="interval", n_resamples=100, rng=1)
    point, data = [Point.of("alpha", "interval")], af.Annotations.from_wide(numbers)
    weights = rng.multinomial(2000, np.full(2000, 1 / 2000), 100).T.astype(float, order="C")
    uncounted = linear(data, point, "published")
    made = linear(data, point, "published", rows=data.rows)
    result, expected = (one.values(one.sums(weights))[0].value for one in (uncounted, made))
    np.testing.assert_allclose(result, expected, rtol=1e-9)
    counted = bootstrap(
        numbers, [("alpha", "interval"), ("alpha", "ordinal"), ("alpha", "linear")],
        n_resamples=100, rng=1,
    )  # fmt: skip
    assert plain.value == pytest.approx(counted[0].value, rel=1e-9)
    assert plain.standard_error == pytest.approx(counted[0].standard_error, rel=0.3)
    assert counted[1].low < af.alpha(numbers, "ordinal").value < counted[1].high
    assert counted[2].low < af.alpha(numbers, "linear").value < counted[2].high


@pytest.mark.breadth
def test_what_takes_too_long_says_so(monkeypatch):
    rng = np.random.default_rng(1)
    numbers = rng.random((20_000, 2)) + 1
    with pytest.raises(
        ValueError, match=r"ratio needs all pairs of 40000 categories .* round the labels"
    ):
        bootstrap(numbers, "alpha", distance="ratio", rng=1)
    numbers = rng.random((1000, 3))
    monkeypatch.setattr("agreement_fast.inference.resample.STEPS", 2e6)
    with pytest.raises(ValueError, match="leaves out each of 1000 units"):
        bootstrap(numbers, "alpha", distance="ordinal", n_resamples=1, method="bca", rng=1)
    with pytest.raises(ValueError, match="3000 x 3000 coincidences"):
        bootstrap(numbers, "alpha", method="krippendorff", rng=1)


def test_ctrl_c_is_heard():
    """An interrupt in the main thread ends a bootstrap that would take minutes, on two threads."""
    import _thread
    import gc
    import threading
    import time

    rows = np.random.default_rng(0).integers(0, 5, (20_000, 5)).astype(np.int8)
    data = af.Annotations.from_wide(rows)
    ended = threading.Event()

    def press():
        # Python drops an interrupt that arrives while it runs a finalizer: people press again.
        while not ended.wait(0.4):
            _thread.interrupt_main()

    # An interrupt in a callback of the garbage collector is lost, and Hypothesis has one.
    callbacks = gc.callbacks[:]
    gc.callbacks.clear()
    began = time.monotonic()
    presser = threading.Thread(target=press)
    presser.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bootstrap(data, "kappa", n_resamples=1_000_000, rng=1, threads=2)
    finally:
        ended.set()
        presser.join()
        gc.callbacks.extend(callbacks)
    # a tenth of a second alone; a loaded machine is given time
    assert time.monotonic() - began < 20


def test_the_bar_is_shown_on_request(capfd):
    bootstrap(ROWS, "alpha", n_resamples=300, rng=1, progress=True)
    assert "300/300" in capfd.readouterr().err
    bootstrap(ROWS, "alpha", n_resamples=300, rng=1)
    assert not capfd.readouterr().err


def test_results_cannot_be_changed():
    result = bootstrap(ROWS, "alpha", n_resamples=20, rng=1)
    with pytest.raises(ValueError, match="read-only"):
        result.replicates[0] = 1
    with pytest.raises(AttributeError):
        result.value = 1
    assert float(result) == result.value
    fine = bootstrap(ROWS, "alpha", n_resamples=9, rng=1, confidence_level=0.999)
    assert "too few for an interval" in repr(fine)
    finer = bootstrap(ROWS, "alpha", n_resamples=50, rng=1, confidence_level=0.999)
    assert ", 99.9% interval" in repr(finer)


def test_the_method_does_not_depend_on_the_data_or_the_cost(monkeypatch):
    """Nothing chooses a method but its name."""
    table = [[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2], [1, 2, 1], [2, 2, 2]] * 40
    for rows in (table[:6], table):
        for distance in ("nominal", "ordinal"):
            result = bootstrap(rows, distance=distance, rng=4, n_resamples=9)
            assert result.method == "bca"
            assert compare(rows, table, distance=distance).method == "score"
    assert bootstrap(table, rng=4, n_resamples=9, resample="coders").method == "bca"


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_what_has_no_value_has_no_interval(method):
    """For any replicates; and a value without defined replicates has no interval."""
    for value, replicates in [(math.nan, [0.1, 0.2, 0.4]), (0.5, [math.nan] * 3)]:
        low, high = interval(method, value, np.array(replicates), 0.95)
        assert math.isnan(low)
        assert math.isnan(high)

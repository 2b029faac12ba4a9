"""The Bayesian bootstrap: its prior, and weights from the posterior."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import bootstrap
from agreement_fast.distances.sums.columns import pattern_items
from agreement_fast.inference.bootstrapping import PosteriorDraw, with_prior

ROWS = [["x", "x", "x"], ["x", "y", "x"], ["y", "y", None], ["z", None, "z"], ["x", "x", "x"]]
COUNTS = [[3, 0, 0], [2, 1, 0], [0, 2, 5], [0, 0, 2], [3, 0, 0]]


def items_of(kind):
    if kind == "counts":
        return pattern_items(af.Annotations.from_counts(COUNTS, categories=list("xyz")), False)
    if kind == "crowd":  # lists: few of many coders judge an item
        rows = [(i, (i * 7 + k) % 90, "xyz"[(i + k) % 3]) for i in range(40) for k in range(2)]
        return pattern_items(af.Annotations.from_long(*zip(*rows, strict=True)), True)
    return pattern_items(af.Annotations.from_wide(ROWS), kind == "named")


def listed(rows):
    """Each row as (coder or None, code) with repeats spelled out."""
    result = []
    for first, last in itertools.pairwise(rows.start):
        codes = rows.codes[first:last]
        if rows.repeats is not None:
            codes = np.repeat(codes, rows.repeats[first:last])
        who = [None] * len(codes) if rows.coders is None else rows.coders[first:last].tolist()
        result.append(list(zip(who, codes.tolist(), strict=True)))
    return result


@pytest.mark.parametrize("kind", ["named", "nameless", "counts", "crowd"])
def test_rows_of_the_prior_are_judged_as_items_are(kind):
    """Rows have the coders of some item; half of them agree, the others are drawn at random."""
    items = items_of(kind)
    rows, mass = with_prior(items, np.random.default_rng(1))
    result = listed(rows)
    data, prior = result[: items.n_rows], result[items.n_rows :]
    assert data == listed(items.rows)
    assert mass[: items.n_rows].sum() == 0
    per_item = np.average([len(row) for row in data], weights=items.weights)
    assert mass.sum() == pytest.approx(min(2, 4 / per_item))
    assert len(prior) == 128
    weights = rows.weights.tolist()
    assert weights == [*items.weights.tolist(), *[0] * 128]
    judged = {tuple(who for who, _ in row) for row in data}
    assert {tuple(who for who, _ in row) for row in prior} <= judged
    assert len(judged) == 1 or len({tuple(who for who, _ in row) for row in prior}) > 1
    codes = [[code for _, code in row] for row in prior]
    assert all(len(set(row)) == 1 for row in codes[:64])
    assert {row[0] for row in codes[:64]} == {0, 1, 2}
    guessed = [code for row in codes[64:] for code in row]
    assert 0 < sum(len(set(row)) == 1 for row in codes[64:]) < 64
    assert all(0.2 < guessed.count(k) / len(guessed) < 0.47 for k in range(3))
    if kind in ("nameless", "counts"):
        assert all(row == sorted(row) for row in codes)


def test_counts_of_the_prior_are_of_distinct_categories():
    """Many judgments of few categories, and few of many."""
    for counts in ([[60, 40], [30, 70]], [[1, 1, *[0] * 30], [0] * 31 + [2]]):
        items = pattern_items(af.Annotations.from_counts(counts), False)
        rows, _ = with_prior(items, np.random.default_rng(0))
        sizes = {sum(row) for row in counts}
        for first, last in nonempty(itertools.pairwise(rows.start)):
            codes = rows.codes[first:last].tolist()
            assert codes == sorted(set(codes))
            assert int(rows.repeats[first:last].sum()) in sizes


def test_weights_are_drawn_from_a_dirichlet_distribution():
    """Shares have the mean a / A and the variance m (1 - m) / (A + 1) of shapes a."""
    weights, mass = np.array([30, 5, 1, 0, 0]), np.array([0, 0, 0, 1.5, 0.5])
    draw = PosteriorDraw(weights, np.array([True, False, True, True, False]), mass)
    assert (draw.n, draw.n_inner) == (36, 31)
    n = 40_000
    every, inner = draw.both(np.random.default_rng(3), n)
    np.testing.assert_allclose(every.sum(0), 36)
    np.testing.assert_allclose(inner.sum(0), 31)
    assert not inner[[1, 4]].any()
    np.testing.assert_allclose(inner[0] / inner[2], every[0] / every[2])
    shapes, share = weights + mass, every / 36
    mean = shapes / 38
    variance = mean * (1 - mean) / 39
    np.testing.assert_allclose(share.mean(1), mean, atol=5 * np.sqrt(variance.max() / n))
    np.testing.assert_allclose(share.var(1), variance, rtol=0.06)
    np.testing.assert_array_equal(draw(np.random.default_rng(3), n), every)


def of_weights(rows, weights, n_categories):
    """π, κ, AC and S of weighted rows (coder, code), from their definitions."""
    pairs = [list(itertools.permutations(row, 2)) for row in rows]
    weights = [Fraction(w) for w in weights]
    kept = [i for i, row in enumerate(rows) if len(row) > 1]
    agreed = sum(
        weights[i] * Fraction(sum(a[1] == b[1] for a, b in pairs[i]), len(pairs[i])) for i in kept
    ) / sum(weights[i] for i in kept)
    weighted = list(zip(weights, rows, strict=True))
    shares = [
        sum(w * Fraction(sum(k == c for _, c in row), len(row)) for w, row in weighted)
        / sum(weights)
        for k in range(n_categories)
    ]
    of_coder = {}
    for w, row in weighted:
        for who, code in row:
            of_coder.setdefault(who, [Fraction(0)] * n_categories)[code] += w
    norm = {who: [c / sum(counts) for c in counts] for who, counts in of_coder.items()}
    both = list(itertools.permutations(norm, 2))
    by_chance = {
        "pi": sum(p * p for p in shares),
        "kappa": sum(sum(map(lambda p, q: p * q, norm[a], norm[b])) for a, b in both) / len(both),
        "ac": sum(p * (1 - p) for p in shares) / (n_categories - 1),
        "s": Fraction(1, n_categories),
    }
    return {name: (agreed - chance) / (1 - chance) for name, chance in by_chance.items()}


def test_replicates_are_the_coefficients_of_the_weights():
    """Each draw by rational arithmetic from the definitions, the prior's rows included."""
    rows = [row for row in ROWS if None not in row] * 2 + [["y", "x", "z"], ["y", "y", "y"]]
    names = ["pi", "kappa", "ac", "s"]
    result = bootstrap(rows, names, method="bayesian", n_resamples=25, rng=7)
    items = pattern_items(af.Annotations.from_wide(rows), True)
    rng = np.random.default_rng(7)
    both, mass = with_prior(items, rng)
    draw = PosteriorDraw(both.weights, np.ones(both.n_rows, bool), mass)
    weights = draw(rng.spawn(1)[0], 25)
    spelled = listed(both)
    for r in range(25):
        expected = of_weights(spelled, weights[:, r], 3)
        for one in nonempty(result):
            assert one.replicates[r] == pytest.approx(float(expected[one.coefficient]), abs=1e-12)


def test_agreement_on_all_items_leaves_room_below_1():
    """No resample of the items disagrees, and the next item may."""
    rows = [["x", "x"]] * 18 + [["y", "y"]] * 2
    result = bootstrap(rows, "kappa", rng=1, method="bayesian")
    assert (result.value, result.note) == (1.0, None)
    assert 0.3 < result.low < 0.9
    assert result.high == 1  # though every draw has some of the prior
    assert result.replicates.max() < 1
    drawn = bootstrap(rows, "kappa", rng=1, method="bca")
    assert drawn.low == drawn.high == 1
    assert "no item disagrees" in drawn.note


def test_the_prior_weighs_two_items_if_items_have_few_judgments():
    rows = [["x", None], ["x", "y"], ["y", None]]
    items = pattern_items(af.Annotations.from_wide(rows, coders=["a", "b"]), True)
    assert with_prior(items, np.random.default_rng(1))[1].sum() == pytest.approx(2)


@pytest.mark.breadth
def test_coders_who_guess_do_not_look_as_if_they_agreed():
    """Ten coders and a rare category: of 100 studies few have an interval above 0."""
    above = 0
    for seed in range(100):
        rows = np.random.default_rng(seed).random((20, 10)) < 0.1
        data = af.Annotations.from_wide(rows.astype(int), categories=[0, 1])
        above += bootstrap(data, method="bayesian", rng=1, n_resamples=200).low > 0
    assert above <= 8


def test_the_prior_is_outweighed():
    """The interval becomes that of resamples."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 3000)
    rows = np.where(rng.random((3000, 2)) < 0.8, true[:, None], rng.integers(0, 3, (3000, 2)))
    a, b = (
        bootstrap(rows, "alpha", method=m, rng=1, n_resamples=2000) for m in ("bayesian", "bca")
    )
    assert a.value == b.value
    assert a.low == pytest.approx(b.low, abs=0.004)
    assert a.high == pytest.approx(b.high, abs=0.004)


def rows_of(n):
    return [["x", "x"], ["x", "y"], ["y", "y"], ["y", "y"], ["x", "x"]] * (n // 5)


def test_a_seed_gives_the_same_for_any_order_and_number_of_threads():
    rows = [*rows_of(100), ["y", None], [None, "x"]]
    data = af.Annotations.from_wide(rows, coders=["A", "B"])
    turned = af.Annotations.from_wide(rows[::-1], coders=["A", "B"])
    once = bootstrap(data, ["alpha", "kappa", "ac"], method="bayesian", rng=5, threads=1)
    for other in (
        bootstrap(turned, ["alpha", "kappa", "ac"], method="bayesian", rng=5, threads=4),
        bootstrap(data, ["alpha", "kappa", "ac"], method="bayesian", rng=5, threads=3),
    ):
        for a, b in nonempty(zip(once, other, strict=True)):
            np.testing.assert_array_equal(a.replicates, b.replicates)


def test_one_category_has_no_interval():
    result = bootstrap([["x", "x"]] * 5, "alpha", method="bayesian", rng=1)
    assert np.isnan([result.value, result.low, result.high]).all()
    assert result.undefined is not None


@pytest.mark.parametrize("options", [{"cluster": ["a", "b"] * 10}, {"resample": "coders"}])
def test_it_draws_items_only(options):
    with pytest.raises(ValueError, match="draws weights of single items"):
        bootstrap(rows_of(20), "alpha", method="bayesian", **options)


def test_other_intervals_have_no_prior():
    rows = rows_of(20)
    with pytest.raises(ValueError, match="method"):
        af.compare(rows, rows, "alpha", method="bayesian")

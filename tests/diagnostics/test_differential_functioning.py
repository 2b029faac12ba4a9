"""Differential functioning of coders beside the likelihood itself, and beside statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from loops import nonempty
from scipy.optimize import minimize
from scipy.special import expit

import agreement_fast as af
from agreement_fast.diagnostics import differential_functioning
from agreement_fast.diagnostics.ratings import APART, ordinal_regression
from agreement_fast.inference.hypotheses import holm


def drawn(seed):
    """Draw labels of K levels, with a quality, a group and their product, and weights."""
    rng = np.random.default_rng(seed)
    n, K = int(rng.integers(40, 90)), int(rng.integers(2, 6))
    x = np.stack([rng.normal(size=n), rng.integers(0, 2, n)], 1)
    if rng.random() < 0.5:
        x = np.column_stack([x, x[:, 0] * x[:, 1]])
    heard = x @ rng.normal(0, 0.8, x.shape[1]) + rng.logistic(size=n)
    y = np.searchsorted(np.quantile(heard, np.arange(1, K) / K), heard)
    return np.unique(y, return_inverse=True)[1], x, rng.integers(1, 4, n).astype(float)


def log_likelihoods(at, y, x):
    """Return that of each row, as the definition has it; the cuts are sums of exponentials."""
    n_cuts = int(y.max())
    cuts = np.concatenate([[-np.inf], at[:n_cuts], [np.inf]])
    eta = x @ at[n_cuts:]
    return np.log(np.maximum(expit(cuts[y + 1] - eta) - expit(cuts[y] - eta), 1e-300))


def derivative(f, at, step=1e-5):
    """Return the derivative of f by each coordinate, by differences."""
    unit = np.eye(len(at)) * step
    return np.stack([(f(at + one) - f(at - one)) / (2 * step) for one in unit], -1)


def by_hand(y, x, weight):
    """Maximise the likelihood without its derivatives being written down; a numeric sandwich."""
    n_cuts = int(y.max())

    def opened(free):
        return np.concatenate([[free[0]], free[0] + np.cumsum(np.exp(free[1:n_cuts])),
                               free[n_cuts:]])  # fmt: skip

    def lost(free):
        return -float(weight @ log_likelihoods(opened(free), y, x))

    start = np.concatenate([[-1.0], np.zeros(n_cuts - 1 + x.shape[1])])
    result = minimize(lost, start, method="BFGS", options={"gtol": 1e-7})
    at = opened(result.x)
    scores = derivative(lambda at: log_likelihoods(at, y, x), at)
    second = derivative(
        lambda at: weight @ derivative(lambda at: log_likelihoods(at, y, x), at, 1e-4), at, 1e-4
    )
    inverse = np.linalg.inv(-second)
    squares = (scores * weight[:, None]).T @ scores * weight.sum() / (weight.sum() - len(at))
    errors = np.sqrt(np.diagonal(inverse @ squares @ inverse))
    return at[n_cuts:], errors[n_cuts:], result.fun


@pytest.mark.parametrize("seed", [*range(8), pytest.param(None, marks=pytest.mark.breadth)])
def test_the_regression_maximises_the_likelihood(seed):
    n_undefined = 0
    for one in nonempty(range(500) if seed is None else [seed]):
        y, x, weight = drawn(one)
        result = ordinal_regression(y, x, weight)
        if isinstance(result, str):
            n_undefined += 1
            continue
        value, error = result
        theirs, their_error, _ = by_hand(y, x, weight)
        assert value == pytest.approx(theirs, abs=2e-4)
        assert error == pytest.approx(their_error, rel=2e-3)


def separated(y, x):
    """Whether lines of one direction part the rows of each label from those of the next.

    Rows may be on a line. If there is such a direction, there is one along two of the rows.
    """
    differences = (x[:, None] - x[None]).reshape(-1, 2)
    normals = differences @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals[lengths > 0] / lengths[lengths > 0, None]
    for b in np.concatenate([normals, -normals]):
        eta = (x @ b).round(12)
        gaps = [eta[y >= k].min() - eta[y < k].max() for k in range(1, int(y.max()) + 1)]
        if min(gaps) >= 0 and np.ptp(eta) > 0:
            return True
    return False


@pytest.mark.parametrize("seed", [*range(8), pytest.param(None, marks=pytest.mark.breadth)])
def test_it_knows_when_no_coefficients_are_finite(seed):
    n_apart = 0
    for one in nonempty(range(500) if seed is None else [seed]):
        rng = np.random.default_rng(one)
        n, K = int(rng.integers(8, 25)), int(rng.integers(2, 4))
        x = np.stack([rng.integers(0, 5, n), np.arange(n) % 2], 1).astype(float)
        heard = x @ rng.normal(0, 2, 2) + rng.logistic(size=n) * rng.choice([0.3, 1])
        y = np.searchsorted(np.quantile(heard, np.arange(1, K) / K), heard)
        y = np.unique(y, return_inverse=True)[1]
        if n <= y.max() + 2 or y.max() == 0:
            continue
        result = ordinal_regression(y, x, np.ones(n))
        assert (result == APART) == separated(y, x)
        n_apart += result == APART
    assert seed is not None or 50 < n_apart < 450


def test_it_is_that_of_statsmodels():
    discrete = pytest.importorskip("statsmodels.miscmodels.ordinal_model")
    for seed in nonempty(range(4)):
        y, x, weight = drawn(seed)
        rows = np.repeat(np.arange(len(y)), weight.astype(int))
        # each of the repeated rows is an item of its own
        value, error = ordinal_regression(y, x, weight)
        model = discrete.OrderedModel(y[rows], x[rows], distr="logit")
        fit = model.fit(method="bfgs", disp=0, cov_type="HC0", gtol=1e-8, maxiter=500)
        n, p = len(rows), len(fit.params)
        assert value == pytest.approx(fit.params[: x.shape[1]], abs=1e-4)
        assert error == pytest.approx(fit.bse[: x.shape[1]] * math.sqrt(n / (n - p)), rel=1e-3)


def ratings(seed=1, n=160, n_coders=5, unfair=None):
    """Return ratings from 1 to 5 and groups; `unfair` subtracts from those of coder 2 for b."""
    rng = np.random.default_rng(seed)
    group = np.array(["a", "b"])[rng.permutation(np.arange(n) % 2)]
    heard = rng.normal(3, 1, n)[:, None] + rng.normal(0, 0.6, (n, n_coders))
    if unfair is not None:
        heard[group == "b", 2] -= unfair
    return heard.round().clip(1, 5).astype(int), group


def test_each_coder_is_compared_with_the_mean_of_the_others():
    table, group = ratings(unfair=0.9)
    table = np.where(np.random.default_rng(0).random(table.shape) < 0.2, -1, table)
    data = af.Annotations.from_wide(table, missing=-1, coders=list("ABCDE"))
    result = differential_functioning(data, by=group)
    assert result.groups == ("a", "b")
    ours = []
    for c in nonempty(range(5)):
        rows, qualities = [], []
        for i in range(len(table)):
            others = [table[i, d] for d in range(5) if d != c and table[i, d] > 0]
            if table[i, c] > 0 and others:
                rows.append(i)
                qualities.append(np.mean(others))
        x = (np.array(qualities) - np.mean(qualities)) / np.std(qualities)
        g = (group[rows] == "b").astype(float)
        _, y = np.unique(table[rows, c], return_inverse=True)
        (_, value), (_, error), _ = by_hand(y, np.stack([x, g], 1), np.ones(len(y)))
        assert math.log(result.odds_ratio[c]) == pytest.approx(value, abs=2e-4)
        assert result.standard_error[c] == pytest.approx(error, rel=2e-3)
        ends = np.exp(value + np.array([-1, 1]) * 1.959964 * error)
        assert [result.low[c], result.high[c]] == pytest.approx(ends, rel=2e-3)
        slopes, errors, _ = by_hand(y, np.stack([x, g, x * g], 1), np.ones(len(y)))
        assert result.slope[c] == pytest.approx(slopes[2], abs=5e-4)
        assert result.slope_standard_error[c] == pytest.approx(errors[2], rel=5e-3)
        assert result.n_items[c] == len(rows)
        ours.append(2 * (1 - 0.5 * (1 + math.erf(abs(value / error) / math.sqrt(2)))))
    assert result.p_value == pytest.approx(ours, abs=1e-3)
    assert result.adjusted_p_value == pytest.approx(holm(result.p_value.tolist()))
    assert result.slope_adjusted_p_value == pytest.approx(holm(result.slope_p_value.tolist()))
    assert result.undefined == (None,) * 5


def test_words_say_who_prefers_which_group():
    table, group = ratings(unfair=1.0)
    result = differential_functioning(table, by=group)
    assert result.sentences()[2].startswith("2: lower labels for b than for a at equal quality")
    shown = str(result)
    assert shown.index("\n  2 ") < shown.index("\n  0 ")
    swapped = differential_functioning(table, by=group, by_order=["b", "a"])
    assert swapped.odds_ratio == pytest.approx(1 / result.odds_ratio, rel=1e-6)
    assert swapped.groups == ("b", "a")
    assert "2: higher labels for a than for b" in str(swapped)
    fair = differential_functioning(*ratings()[:1], by=ratings()[1])
    assert "0: no clear difference between b and a, odds ratio" in str(fair)


def test_every_door_leads_to_the_same():
    table, group = ratings(unfair=0.9)
    result = differential_functioning(table, by=group).odds_ratio
    n, m = table.shape
    frame = pd.DataFrame({
        "item": np.repeat(np.arange(n), m), "coder": np.tile(np.arange(m), n),
        "label": table.reshape(-1), "dialect": np.repeat(group, m),
    })  # fmt: skip
    by_name = differential_functioning(frame, by="dialect")
    assert by_name.odds_ratio == pytest.approx(result)
    assert by_name.by == "dialect"
    words = dict(zip(range(1, 6), ["no", "low", "mid", "high", "top"], strict=True))
    frame["label"] = frame["label"].map(words)
    ordered = differential_functioning(frame, by="dialect", categories=list(words.values()))
    assert ordered.odds_ratio == pytest.approx(result)
    along = af.Annotations.from_frame(frame, along="dialect", categories=list(words.values()))
    assert differential_functioning(along, by="dialect").odds_ratio == pytest.approx(result)
    weights = np.arange(n) % 3
    once = differential_functioning(table, by=group, weights=weights)
    every = differential_functioning(np.repeat(table, weights, 0), by=np.repeat(group, weights))
    assert once.odds_ratio == pytest.approx(every.odds_ratio, rel=1e-6)
    assert once.low == pytest.approx(every.low, rel=1e-6)
    assert once.n_items.tolist() == every.n_items.tolist()


def test_two_labels_are_the_logistic_regression():
    table, group = ratings()
    binary = np.where(table > 3, "yes", "no")
    result = differential_functioning(binary, by=group)
    numbers = differential_functioning((table > 3).astype(int), by=group)
    assert result.odds_ratio == pytest.approx(numbers.odds_ratio)
    assert (result.standard_error > 0).all()


def test_what_has_no_odds_ratio_says_why():
    rng = np.random.default_rng(0)
    group = np.arange(40) % 2
    table = rng.integers(1, 4, (40, 4)).astype(float)
    table[:, 0] = 2
    table[:, 1] = group
    table[group == 1, 2] = np.nan
    result = differential_functioning(table, by=group)
    assert "one label" in result.undefined[0]
    assert "separated" in result.undefined[1]
    assert "one group" in result.undefined[2]
    assert result.undefined[3] is None
    assert np.isnan(result.odds_ratio[:3]).all()
    assert "0: undefined; the coder gave one label" in str(result)
    same = differential_functioning(np.column_stack([rng.integers(1, 4, 30), np.full(30, 2)]),
                                    by=np.arange(30) % 2)  # fmt: skip
    assert "does not differ within the groups" in same.undefined[0]
    of_group = differential_functioning(np.column_stack([rng.integers(1, 4, 30), group[:30]]),
                                        by=group[:30])  # fmt: skip
    assert "does not differ within the groups" in of_group.undefined[0]
    assert np.isnan(of_group.odds_ratio[0])
    flat = np.column_stack([rng.integers(1, 4, 60), np.where(group[np.arange(60) % 40] == 1, 2,
                            rng.integers(1, 4, 60))])  # fmt: skip
    half = differential_functioning(flat, by=group[np.arange(60) % 40])
    assert half.undefined[0] is None
    assert np.isnan(half.slope[0])
    alone = differential_functioning([[1, np.nan], [np.nan, 2], [3, np.nan]], by=[0, 1, 0])
    assert all("fewer items" in reason for reason in alone.undefined)
    few = differential_functioning([[1, 2], [2, 1], [3, 3], [4, 1]], by=[0, 1, 0, 1])
    assert "fewer items" in few.undefined[0]


def test_what_it_refuses():
    table, group = ratings()
    with pytest.raises(ValueError, match="must have two groups to compare, got 3"):
        differential_functioning(table, by=np.arange(len(table)) % 3)
    with pytest.raises(ValueError, match=r"by must have two groups to compare, got 1: 0.0$"):
        differential_functioning(table, by=np.zeros(len(table)))
    with pytest.raises(ValueError, match=r"by_order must have two groups to compare, got 1: a$"):
        differential_functioning(table, by=group, by_order=["a"])
    frame = pd.DataFrame(table, columns=list("vwxyz")).assign(g=group, h=1)
    with pytest.raises(ValueError, match="by names 2 columns, and two groups are those of one"):
        differential_functioning(frame, by=["g", "h"], coder=list("vwxyz"))
    with pytest.raises(ValueError, match="names the group 'c'"):
        differential_functioning(table, by=group, by_order=["a", "c"])
    words = np.array(["low", "mid", "high"])[table % 3]
    with pytest.raises(ValueError, match="needs labels with an order"):
        differential_functioning(words, by=group)
    three = np.where(np.arange(len(table)) < 20, "z", group)
    some = differential_functioning(table, by=three, by_order=["a", "b"])
    assert some.n_items.tolist() == [len(table) - 20] * 5


@pytest.mark.breadth
def test_intervals_cover_and_tests_keep_their_level():
    """One coder's labels are drawn from the model, given the others' ratings."""
    inside = rejected = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        group = np.arange(150) % 2
        others, _ = ratings(seed, 150, 4)
        x = others.mean(1)
        heard = 1.5 * (x - x.mean()) / x.std() + 0.7 * group + rng.logistic(size=150)
        own = np.searchsorted([-1, 0, 1], heard)
        result = differential_functioning(np.column_stack([own, others]), by=group)
        inside += result.low[0] <= math.exp(0.7) <= result.high[0]
        rejected += result.slope_p_value[0] < 0.05
    assert inside / 300 > 0.92
    assert rejected / 300 < 0.085


@pytest.mark.breadth
def test_fair_coders_are_rarely_marked():
    marked, any_of = [], []
    for seed in nonempty(range(200)):
        table, group = ratings(seed, 120)
        result = differential_functioning(table, by=group)
        marked.extend(result.p_value < 0.05)
        any_of.append(np.nanmin(result.adjusted_p_value) < 0.05)
    assert 0.03 < np.mean(marked) < 0.07
    assert np.mean(any_of) < 0.085


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("repeated", [False, True])
def test_lazy_frames_give_the_same(engine, repeated):
    rng = np.random.default_rng(3)
    quality, group = rng.normal(size=120), rng.integers(0, 2, 120)
    rows = [
        (i, coder, int(np.clip(np.rint(3 + quality[i] + rng.normal()), 1, 5)), "ab"[group[i]])
        for i in range(120)
        for coder in ("ann", "bea", "cid")
    ]
    frame = pd.DataFrame(rows, columns=["item", "coder", "label", "dialect"])
    if repeated:  # rows in another order, with missing labels
        frame = frame.sample(frac=1, random_state=1)
        frame["label"] = frame["label"].astype("float").mask(rng.random(len(frame)) < 0.1)
    if engine == "polars":
        lazy = pytest.importorskip("polars").from_pandas(frame).lazy()
    else:
        lazy = pytest.importorskip("duckdb").sql("select * from frame")
    expected = differential_functioning(frame, by="dialect")
    result = differential_functioning(lazy, by="dialect")
    places = [result.coders.index(name) for name in expected.coders]
    for name in nonempty(["odds_ratio", "low", "high", "adjusted_p_value", "n_items"]):
        assert np.allclose(getattr(result, name)[places], getattr(expected, name)), name

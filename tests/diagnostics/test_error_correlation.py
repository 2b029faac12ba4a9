"""Errors of judges on the same items."""

import math
from itertools import combinations

import numpy as np
import pytest
import reference_judges as plain
import reference_scores
from diagnosed import annotations
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import t
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast.diagnostics import error_correlation


def same(result, exact):
    return math.isnan(result) if exact is None else result == pytest.approx(exact, abs=1e-9)


@examples(20)
@given(tables("words", weighted=False), st.data())
def test_errors_against_gold_and_the_majority(table, data):
    n = len(table.rows)
    labels = st.lists(st.sampled_from([*table.order, "other"]), min_size=n, max_size=n)
    if table.categories is not None:
        labels = st.lists(st.sampled_from(table.order), min_size=n, max_size=n)
    models = {name: data.draw(labels) for name in "abc"}
    truth = data.draw(st.none() | labels)
    right = truth or [reference_scores.majority(row) for row in table.rows]
    people = annotations(table)
    used = {label for row in table.rows for label in row} - {None}
    assume(all(table.categories or used & {*said} for said in (*models.values(), right) if said))
    kept = [i for i in range(n) if right[i] is not None]
    if not kept:
        with pytest.raises(ValueError, match="no item has a label of every model and a truth"):
            error_correlation(people, models, truth)
        return
    result = error_correlation(people, models, truth)
    wrong = [[said[i] != right[i] for i in kept] for said in models.values()]
    assert result.n_items == len(kept)
    assert result.n_without == n - len(kept)
    for rate, errors in zip(result.error_rate, wrong, strict=True):
        assert rate == pytest.approx(np.mean(errors))
    names = list(models)
    for p, (a, b) in enumerate(combinations(range(3), 2)):
        assert same(result.correlation[p], plain.phi(wrong[a], wrong[b]))
        both = [i for i, one, other in zip(kept, wrong[a], wrong[b], strict=True) if one and other]
        assert result.both_wrong[p] == len(both)
        expected = sum(wrong[a]) * sum(wrong[b]) / len(kept)
        assert result.both_wrong_expected[p] == pytest.approx(expected)
        alike = sum(models[names[a]][i] == models[names[b]][i] for i in both)
        assert same(result.same_wrong[p], alike / len(both) if both else None)
        ends = reference_scores.wilson(alike, len(both))
        assert (result.same_wrong_low[p], result.same_wrong_high[p]) == pytest.approx(
            ends, abs=1e-9, nan_ok=True
        )
    known = result.correlation[~np.isnan(result.correlation)]
    assert same(result.mean_correlation, known.mean() if len(known) else None)


def correlated(n, seed):
    """Four judges; the first two share a part of their errors."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    shared = rng.random(n) < 0.15
    wrong = rng.random((4, n)) < 0.15
    wrong[:2] |= shared
    other = (truth + rng.integers(1, 4, (4, n))) % 4
    other[1] = np.where(shared, other[0], other[1])
    return truth, dict(zip("abcd", np.where(wrong, other, truth), strict=True))


def test_intervals_match_resampling_of_items():
    truth, models = correlated(400, 2)
    result = error_correlation(truth[:, None], models, truth)
    wrong = np.stack([said != truth for said in models.values()]).astype(float)
    rng = np.random.default_rng(0)
    drawn, means = [], []
    for _ in range(500):
        r = np.corrcoef(wrong[:, rng.integers(0, 400, 400)])[np.triu_indices(4, 1)]
        drawn.append(r)
        means.append(r.mean())
    width = 2 * 1.96 * np.std(drawn, axis=0)
    assert result.high - result.low == pytest.approx(width, rel=0.15)
    width = 2 * 1.96 * np.std(means)
    assert result.mean_high - result.mean_low == pytest.approx(width, rel=0.15)
    assert result.low[0] > 0.1  # a and b
    assert result.same_wrong_low[0] > result.same_wrong_expected == pytest.approx(1 / 3)


def test_independent_judges_are_worth_their_number_and_copies_one():
    truth, models = correlated(2000, 3)
    free = error_correlation(truth[:, None], {k: models[k] for k in "acd"}, truth)
    assert free.effective == pytest.approx(3, abs=0.25)
    assert free.effective_low < 3 < free.effective_high
    copies = error_correlation(truth[:, None], dict.fromkeys("abc", models["a"]), truth)
    assert copies.effective == copies.effective_by_eigenvalues == 1
    assert copies.same_wrong.tolist() == [1, 1, 1]
    assert copies.correlation.tolist() == [1, 1, 1]
    result = error_correlation(truth[:, None], models, truth)
    r = result.mean_correlation
    assert result.effective == pytest.approx(4 / (1 + 3 * r))
    assert result.effective_low == pytest.approx(4 / (1 + 3 * result.mean_high))
    eigenvalues = np.linalg.eigvalsh(result.matrix().values)
    exact = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
    assert result.effective_by_eigenvalues == pytest.approx(exact)
    assert f"{result.effective:.3g} independent judges" in repr(result)


def test_the_design_effect_is_the_variance_of_the_mean_error():
    """The mean of the judges' standardized errors varies as 1 / effective."""
    truth, models = correlated(500, 4)
    result = error_correlation(truth[:, None], models, truth)
    wrong = np.stack([said != truth for said in models.values()]).astype(float)
    z = (wrong - wrong.mean(1, keepdims=True)) / wrong.std(1, keepdims=True)
    assert z.mean(0).var() == pytest.approx(1 / result.effective)


def test_deviations_from_the_mean_of_the_people():
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, 80)
    people = truth[:, None] + rng.integers(-1, 2, (80, 3))
    models = {name: truth + rng.integers(-1, 3, 80) for name in "ab"}
    result = error_correlation(people, models, errors="deviation")
    exact = np.corrcoef(*(models[name] - people.mean(1) for name in "ab"))[0, 1]
    assert result.correlation[0] == pytest.approx(exact)
    assert result.truth == "mean of the people"
    assert np.isnan(result.same_wrong[0])
    assert np.isnan(result.error_rate).all()
    against = error_correlation(people, models, truth, errors="deviation")
    assert against.correlation[0] == pytest.approx(
        np.corrcoef(*(models[name] - truth for name in "ab"))[0, 1]
    )
    with pytest.raises(ValueError, match="errors='deviation' needs labels that are numbers"):
        error_correlation([("x", "y")] * 3, {"a": ["x"] * 3, "b": ["y"] * 3}, errors="deviation")


def test_models_and_truth_may_be_coders():
    table = seeded(4, 80, 6, "abc", missing=0.1)
    names = ["Ann", "Bea", "Cid", "gpt", "llama", "gold"]
    data = af.Annotations.from_wide(table.rows, coders=names)
    columns = dict(zip(names, zip(*table.rows, strict=True), strict=True))
    models = {name: columns[name] for name in ("gpt", "llama")}
    by_name = error_correlation(data, ["gpt", "llama"], "gold")
    by_label = error_correlation(data.select(coders=names[:3]), models, columns["gold"])
    mixed = error_correlation(data.select(coders=[*names[:3], "gold"]), models, "gold")
    assert by_name.correlation[0] == by_label.correlation[0] == mixed.correlation[0]
    assert by_name.n_incomplete == by_label.n_incomplete > 0
    vote = error_correlation(data, ["gpt", "llama"], person=["Ann", "Bea", "Cid"])
    right = [reference_scores.majority(row[:3]) for row in table.rows]
    by_vote = error_correlation(data.select(coders=names[:3]), models, right)
    assert vote.correlation[0] == by_vote.correlation[0]
    assert vote.truth == "majority of the people"


def test_a_weight_equals_repeated_items():
    truth, models = correlated(60, 5)
    weights = np.arange(60) % 3
    data = af.Annotations.from_wide(truth[:, None], weights=weights, coders=["g"])
    a = error_correlation(data, models, truth)
    again = np.repeat(np.arange(60), weights)
    b = error_correlation(
        truth[again, None], {k: v[again] for k, v in models.items()}, truth[again]
    )
    for name in ("correlation", "low", "high", "both_wrong", "effective_low", "n_items"):
        assert getattr(a, name) == pytest.approx(getattr(b, name))


def test_judges_that_never_err_and_too_few():
    truth, models = correlated(60, 6)
    models["b"] = truth
    result = error_correlation(truth[:, None], models, truth)
    assert result.undefined[0].startswith("no variation")
    assert [one is None for one in result.undefined] == [False, True, True, False, False, True]
    exact = 3 / (1 + 2 * np.nanmean(result.correlation))
    assert result.effective == pytest.approx(exact)  # of the three that err
    assert result.varies.tolist() == [True, False, True, True]
    assert "Errors of 3 of 4 judges (those that vary)" in str(result)
    with pytest.raises(ValueError, match="needs at least two models, got 1"):
        error_correlation(truth[:, None], {"a": truth}, truth)
    nobody = error_correlation(truth[:, None], {"a": truth, "b": truth}, truth)
    assert math.isnan(nobody.effective)
    assert math.isnan(nobody.effective_by_eigenvalues)
    assert nobody.varies.tolist() == [False, False]


def test_the_standard_error_of_a_correlation_matches_the_jackknife():
    truth, models = correlated(150, 7)
    models["b"] = np.where(np.arange(150) % 9 > 0, models["a"], models["b"])
    result = error_correlation(truth[:, None], {k: models[k] for k in "ab"}, truth)
    wrong = np.stack([models[k] != truth for k in "ab"]).astype(float)
    r = result.correlation[0]
    assert r > 0.5
    left = [np.corrcoef(np.delete(wrong, i, 1))[0, 1] for i in range(150)]
    error = np.sqrt(149 * np.var(left))
    reach = (np.arctanh(result.high[0]) - np.arctanh(result.low[0])) / 2
    assert reach * (1 - r**2) == pytest.approx(t.ppf(0.975, 149) * error, rel=0.03)


def test_a_true_label_that_nobody_gave_adds_a_category():
    truth = ["a", "b", "c", "a", "b", "c"]
    models = {"m": ["b", "b", "c", "c", "b", "b"], "n": ["c", "b", "b", "c", "b", "c"]}
    result = error_correlation([[x] for x in "bcbcbc"], models, truth)
    assert result.error_rate.tolist() == [0.5, 0.5]
    assert result.both_wrong.tolist() == [2]

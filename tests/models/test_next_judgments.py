"""How judgments are spent: gains by listing all outcomes, and the best of all purchases."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.models.next_judgments import blocks, errors_alike, expected_right, plan

METHODS = ("majority", "dawid_skene", "mace", "glad")
TABLE = [["x", "x", "y"], ["y", "y", "y"], ["x", "y", None], ["x", "x", "x"], [None, "y", "x"]]


def listed(p, says, n):
    """R(n), by every sequence of n judgments."""
    total = 0.0
    for said in itertools.product(range(len(p)), repeat=n):
        total += max(p[t] * math.prod(says[t][label] for label in said) for t in range(len(p)))
    return total


def drawn(rng):
    """Draw probabilities of some items, and what a coder says; sometimes with zeros."""
    N, K = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    posterior = rng.dirichlet(np.full(K, 0.7), N)
    says = rng.dirichlet(np.full(K, 0.5), (int(rng.choice([1, N])), K))
    if rng.random() < 0.3:
        posterior[0] = np.eye(K)[0]
        says[0, 0] = np.eye(K)[K - 1]
    return posterior, says


@pytest.mark.parametrize("seed", [*range(10), pytest.param(None, marks=pytest.mark.breadth)])
def test_gains_are_those_of_all_outcomes(seed):
    for one in nonempty(range(500) if seed is None else [seed]):
        posterior, says = drawn(np.random.default_rng(one))
        right = expected_right(posterior, says, 3)
        own = np.broadcast_to(says, (len(posterior), *says.shape[1:]))
        for i, n in itertools.product(range(len(posterior)), range(4)):
            assert right[i, n] == pytest.approx(listed(posterior[i], own[i], n), abs=1e-12)
        # a judgment never makes a label less often right
        assert np.diff(right, axis=1).min() >= -1e-12
        alike = np.linspace(1 / len(says[0]), 1, len(posterior))
        whole = expected_right(posterior, errors_alike(alike, len(says[0])), 3)
        np.testing.assert_array_equal(expected_right(posterior, alike, 3), whole)


@pytest.mark.parametrize("seed", [*range(10), pytest.param(None, marks=pytest.mark.breadth)])
def test_no_purchase_of_the_same_price_is_better(seed):
    for one in nonempty(range(500) if seed is None else [seed]):
        rng = np.random.default_rng(1000 + one)
        posterior, says = drawn(rng)
        N = len(posterior)
        each = rng.integers(1, 3, N)
        budget = int(rng.integers(0, 10))
        bought = plan(range(N), posterior, says, each, None, budget, 4, None)
        right = expected_right(posterior, says, 4)
        spent = int(each @ bought.n_more)
        assert spent == bought.n_judgments <= budget
        best = max(
            float(each @ right[np.arange(N), list(more)])
            for more in itertools.product(range(right.shape[1]), repeat=N)
            if int(each @ more) <= spent
        )
        assert bought.n_right_after == pytest.approx(best, abs=1e-9)
        assert bought.n_right == pytest.approx(float(each @ posterior.max(1)))
        assert bought.gain == pytest.approx(right[np.arange(N), bought.n_more] - right[:, 0])
        # what is left is less than the next block costs, or nothing gains
        sizes, gains = blocks(right)
        rates = [
            (gains[i, b] / sizes[i, b], sizes[i, b] * each[i])
            for i in range(N) for b in range(4)
            if gains[i, b] > 0 and sizes[i, : b + 1].sum() > bought.n_more[i]
        ]  # fmt: skip
        assert not rates or max(rates)[1] > budget - spent


@pytest.mark.parametrize("method", METHODS)
def test_every_model_has_a_plan(method):
    result = aggregate(TABLE, method)
    bought = result.next_judgments(4)
    assert list(bought.columns()) == ["item", "n_more", "p_right", "gain", "gain_next"]
    assert bought.n_judgments <= 4
    assert bought.n_right_after == pytest.approx(bought.n_right + bought.gain.sum())
    if method != "dawid_skene":  # which is sure of everything here
        # the item that ties comes before those on which all agree
        assert bought.p_right[2] < bought.p_right[3]
        assert bought.gain_next[2] > bought.gain_next[[1, 3]].max()
    nothing = result.next_judgments(0)
    assert not nothing.n_more.any()
    assert nothing.n_right == bought.n_right


def test_what_a_further_judgment_is():
    """By each model's own numbers, for the item 2 with two judgments that differ."""
    result = aggregate(TABLE)
    p = result.model.accuracy
    says = np.array([[p, 1 - p], [1 - p, p]])
    one = result.next_judgments(8, max_judgments=3)
    assert one.n_more[[2, 4]].tolist() == [3, 3]
    assert one.gain[[2, 4]] == pytest.approx(listed([0.5, 0.5], says, 3) - 0.5)
    result = aggregate(TABLE, "dawid_skene", smoothing=0.5)
    n = result.coders.n_judgments
    says = np.einsum("c,ctk->tk", n, result.model.probabilities) / n.sum()
    bought = result.next_judgments(100, max_judgments=2)
    right = [listed(result.model.posterior[i], says, m) for i, m in enumerate(bought.n_more)]
    assert bought.gain == pytest.approx(right - result.model.posterior.max(1), abs=1e-9)
    result = aggregate(TABLE, "glad")
    model = result.model
    bought = result.next_judgments(100, max_judgments=2)
    for i, m in enumerate(bought.n_more):
        sure = 1 / (1 + np.exp(-model.ability / model.difficulty[i]))
        p = float(sure @ result.coders.n_judgments / result.coders.n_judgments.sum())
        expected = listed(model.posterior[i], [[p, 1 - p], [1 - p, p]], m)
        assert bought.gain[i] == pytest.approx(expected - model.posterior[i].max(), abs=1e-9)


def test_gold_items_and_items_without_a_model_get_none():
    result = aggregate(TABLE, gold={2: "x"})
    assert result.next_judgments(10).n_more[2] == 0
    assert result.next_judgments(10).p_right[2] == 1
    alone = aggregate([["x", None], [None, "y"]]).next_judgments(5)
    assert not alone.n_more.any()
    assert "no item has two judgments" in str(alone)
    with pytest.raises(ValueError, match="CROWDLAB does not say"):
        aggregate(TABLE, "crowdlab", probabilities=np.full((5, 2), 0.5)).next_judgments(3)
    with pytest.raises(ValueError, match="budget"):
        result.next_judgments(-1)


def test_weighted_items_are_repeated_items():
    weights = [1, 2, 3, 1, 2]
    once = af.Annotations.from_wide(TABLE, weights=weights)
    every = af.Annotations.from_wide([row for row, n in zip(TABLE, weights, strict=True)
                                      for _ in range(n)])  # fmt: skip
    # three items and two, which gain with three judgments each
    ours, theirs = (aggregate(data).next_judgments(25) for data in (once, every))
    assert ours.n_right == pytest.approx(theirs.n_right)
    assert np.repeat(ours.n_more, weights).sum() == ours.n_judgments <= 25
    assert ours.n_right_after <= theirs.n_right_after + 1e-9
    assert "6" in ours.to_sentence() or ours.n_judgments


def test_entropy_and_difficulty_are_columns_of_the_items():
    for method in METHODS:
        result = aggregate(TABLE, method)
        p = result.model.of_items(result._votes) if method == "majority" else result.model.posterior
        by_hand = [-sum(x * math.log2(x) for x in row if x > 0) for row in p.tolist()]
        assert result.entropy == pytest.approx(by_hand, abs=1e-12)
        assert p.sum(1) == pytest.approx(1)
        columns = result.columns()
        assert ("difficulty" in columns) is (method == "glad")
        assert list(columns["entropy"]) == list(result.entropy)
    result = aggregate(TABLE, "glad")
    assert result.difficulty is result.model.difficulty
    assert aggregate(TABLE, gold={2: "x"}).entropy[2] == 0
    # labels that nobody gave an item share what is left
    some = aggregate([["x", "x"], ["y", "z"], ["w", "w"], ["w", None], [None, None]])
    p = some.model.of_items(some._votes)
    assert some.entropy == pytest.approx(-(p * np.log2(p)).sum(1))
    assert some.entropy[4] == pytest.approx(2)


@pytest.mark.breadth
def test_a_plan_brings_more_right_labels_than_chance():
    """In simulated crowds, and as many as it says; drawn with one accuracy for all."""
    planned, expected, spread = [], [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 3, 400)

        def said(items, rng=rng, truth=truth):
            wrong = (truth[items] + rng.integers(1, 3, len(items))) % 3
            return np.where(rng.random(len(items)) < 0.65, truth[items], wrong)

        every = np.arange(400)
        table = np.stack([said(every) for _ in range(3)], 1)
        data = af.Annotations.from_wide(table, categories=[0, 1, 2])
        bought = aggregate(data).next_judgments(400)

        def share(n_more, table=table, truth=truth, said=said):
            more = np.full((400, int(n_more.max())), -1)
            for j in range(more.shape[1]):
                items = np.flatnonzero(n_more > j)
                more[items, j] = said(items)
            after = af.Annotations.from_wide(np.hstack([table, more]), missing=-1)
            return float(np.mean(aggregate(after, ties="first").labels == truth))

        planned.append(share(bought.n_more))
        expected.append(bought.n_right_after / 400)
        spread.append(share(np.ones(400, np.int64)))
    assert np.mean(planned) > np.mean(spread) + 0.02
    assert np.mean(planned) == pytest.approx(np.mean(expected), abs=0.01)

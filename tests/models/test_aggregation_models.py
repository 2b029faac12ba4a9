"""MACE, Dawid & Skene with gold, and the model of one accuracy, held against plain loops."""

from __future__ import annotations

import math

import numpy as np
import plain_aggregation as plain
import pytest
from examples import examples
from fits import dawid_skene, mace
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.models import Judgments
from agreement_fast.models.votes import OneAccuracy, count_votes, splits_of


def simulated(n_items, n_coders, n_categories, seed, share=0.7):
    """A table of codes, -1 where a coder did not judge; coders from spammers to experts."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_categories, size=n_items)
    skill = np.linspace(0.05, 0.95, n_coders)
    knows = rng.random((n_items, n_coders)) < skill
    spam = rng.integers(n_categories, size=(n_items, n_coders)) // 2
    table = np.where(knows, truth[:, None], spam)
    table[rng.random(table.shape) > share] = -1
    table[:, 0] = np.where((table < 0).all(1), truth, table[:, 0])
    return table, truth, skill


def lists(table):
    return [[(c, int(k)) for c, k in enumerate(row) if k >= 0] for row in table]


def annotations(table, n_categories):
    coders, categories = range(table.shape[1]), list(range(n_categories))
    return af.Annotations.from_wide(table, missing=-1, categories=categories, coders=coders)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("with_gold", [False, True])
def test_mace_is_the_plain_em(smoothing, with_gold):
    table, truth, _ = simulated(60, 6, 3, seed=4)
    rows = lists(table)
    gold = {i: int(truth[i]) for i in range(10)} if with_gold else {}
    steps = 40
    often, says = plain.mace_start(rows, 6, 3, smoothing=smoothing, gold=gold)
    often, says, trace, posterior = plain.mace_em(
        rows, 6, 3, often, says, smoothing=smoothing, gold=gold, steps=steps
    )
    result = aggregate(
        annotations(table, 3), "mace", gold=gold or None, smoothing=smoothing, n_restarts=0,
        max_iterations=steps, tolerance=0.0,
    )  # fmt: skip
    model = result.model
    assert model.trace == pytest.approx(np.array(trace), rel=1e-10)
    assert model.competence == pytest.approx(1 - np.array(often), abs=1e-9)
    assert model.spam == pytest.approx(np.array(says), abs=1e-7)
    free = [i for i in range(60) if i not in gold]
    assert model.posterior[free] == pytest.approx(posterior[free], abs=1e-9)
    # what was maximised never falls, but for rounding
    assert np.diff(model.trace).min() > -1e-9
    assert result.confidence[free] == pytest.approx(posterior[free].max(1), abs=1e-9)


def test_mace_finds_who_spams_and_what_they_say():
    table, truth, skill = simulated(1500, 8, 4, seed=1)
    result = aggregate(annotations(table, 4), "mace")
    assert result.model.converged
    assert result.model.competence == pytest.approx(skill, abs=0.06)
    assert result.model.spam[0] == pytest.approx([0.5, 0.5, 0, 0], abs=0.05)
    right = np.mean(result.labels == truth)
    assert right > np.mean(aggregate(annotations(table, 4), ties="first").labels == truth) + 0.02
    # posteriors mean what they say
    assert np.mean(result.confidence) == pytest.approx(right, abs=0.03)
    # expected judgments that are right: those that are known and lucky spam
    lucky = skill + (1 - skill) / 4
    assert result.coders.accuracy == pytest.approx(lucky, abs=0.05)
    assert result.coders.worst_first.tolist() == list(range(8))


def test_mace_starts_and_stops():
    table, *_ = simulated(80, 5, 3, seed=2)
    data = annotations(table, 3)
    one, again, other = mace(data, rng=3), mace(data, rng=3), mace(data, rng=4)
    assert one.reached.tolist() == again.reached.tolist() != other.reached.tolist()
    assert len(one.reached) == 5
    assert one.trace[-1] >= one.reached.max()
    assert mace(data, n_restarts=0).reached.tolist() == pytest.approx(one.reached[:1], rel=1e-5)
    short = aggregate(data, "mace", max_iterations=2)
    assert not short.model.converged
    assert short.notes[0] == "not converged after 2 iterations: raise max_iterations"


@pytest.mark.parametrize("smoothing", [0.0, 0.05])
def test_dawid_skene_with_gold_is_the_plain_em(smoothing):
    table, truth, _ = simulated(70, 5, 3, seed=8, share=0.6)
    gold = {i: int(truth[i]) for i in range(25)}
    shares, confusion, trace = plain.dawid_skene_em(
        lists(table), 5, 3, gold, 31, smoothing=smoothing
    )
    result = aggregate(
        annotations(table, 3), "dawid_skene", gold=gold, max_iterations=30, tolerance=0.0,
        smoothing=smoothing,
    )  # fmt: skip
    assert result.model.shares == pytest.approx(shares, abs=1e-9)
    assert result.model.confusion == pytest.approx(confusion, abs=1e-9)
    # the first point of ours is the start, from the same votes
    assert result.model.trace == pytest.approx(np.array(trace), rel=1e-10)
    assert np.diff(result.model.trace).min() > -1e-9
    without = dawid_skene(annotations(table, 3))
    assert result.model.n_parameters == without.n_parameters
    assert result.log_likelihood != pytest.approx(without.log_likelihood)


def test_dawid_skene_is_that_of_latent():
    table, *_ = simulated(70, 5, 3, seed=8)
    data = annotations(table, 3)
    result, model = aggregate(data, "dawid_skene"), dawid_skene(data)
    assert result.labels.tolist() == model.labels.tolist()
    assert result.confidence == pytest.approx(model.posterior.max(1))
    assert result.log_likelihood == model.log_likelihood
    right = np.array([model.posterior[i, k] for i, k in zip(*np.nonzero(table >= 0), strict=True)
                      for k in [table[i, k]]])  # fmt: skip
    coder = np.nonzero(table >= 0)[1]
    assert result.coders.accuracy == pytest.approx([right[coder == c].mean() for c in range(5)])


def test_a_coder_may_judge_an_item_several_times():
    said = Judgments.from_long(list("iijjj"), list("aabab"), list("xxxyy"))
    assert aggregate(said).labels.tolist() == ["x", "y"]
    result = aggregate(said, "mace", n_restarts=0)
    assert result.n_judgments.tolist() == [2, 3]
    rows = [[(0, 0), (0, 0)], [(1, 0), (0, 1), (1, 1)]]
    often, says = plain.mace_start(rows, 2, 2, smoothing=1.0)
    *_, trace, _ = plain.mace_em(
        rows, 2, 2, often, says, smoothing=1.0, steps=result.model.n_iterations
    )
    assert result.model.trace == pytest.approx(np.array(trace), rel=1e-10)


def test_weighted_items_are_repeated_items():
    table, *_ = simulated(20, 4, 3, seed=5)
    weights = np.arange(20) % 4
    kept = np.repeat(np.arange(20), weights)
    once = af.Annotations.from_wide(table, missing=-1, categories=[0, 1, 2], weights=weights)
    every = annotations(table[kept], 3)
    for method in ("majority", "dawid_skene", "mace"):
        ours, theirs = aggregate(once, method), aggregate(every, method)
        assert ours.labels[kept].tolist() == theirs.labels.tolist()
        assert ours.confidence[kept] == pytest.approx(theirs.confidence, nan_ok=True, abs=1e-6)
        assert ours.mean_confidence == pytest.approx(theirs.mean_confidence, abs=1e-7)
        assert ours.coders.accuracy == pytest.approx(theirs.coders.accuracy, abs=1e-6)
        counts = ("n_items", "n_decided", "n_ties", "n_unjudged")
        assert [getattr(ours, n) for n in counts] == [getattr(theirs, n) for n in counts]
    assert "weight" in aggregate(once).columns()


tables = st.integers(2, 4).flatmap(
    lambda K: st.tuples(
        st.just(K),
        st.lists(
            st.lists(st.integers(0, K - 1), min_size=1, max_size=5), min_size=1, max_size=6
        ).filter(lambda rows: any(len(row) > 1 for row in rows)),
    )
)


@pytest.mark.breadth
@examples(12, deadline=None)
@given(tables)
def test_one_accuracy_is_the_most_likely(drawn):
    K, rows = drawn
    width = max(map(len, rows))
    table = np.array([row + [-1] * (width - len(row)) for row in rows])
    model = aggregate(annotations(table, K)).model

    def log_likelihood(p):
        q = (1 - p) / (K - 1)
        return sum(
            math.log(sum(p ** row.count(k) * q ** (len(row) - row.count(k)) for k in range(K)) / K)
            for row in rows
        )

    assert model.log_likelihood == pytest.approx(log_likelihood(model.accuracy), abs=1e-6)
    grid = np.linspace(1 / K, 1 - 1e-9, 60)
    assert max(map(log_likelihood, grid)) <= model.log_likelihood + 1e-6
    result = aggregate(annotations(table, K))
    p, q = model.accuracy, (1 - model.accuracy) / (K - 1)
    for row, label, posterior in zip(rows, result.labels, result.posterior, strict=True):
        if label is None:
            assert math.isnan(posterior)
            continue
        joint = [p ** row.count(k) * q ** (len(row) - row.count(k)) for k in range(K)]
        assert posterior == pytest.approx(joint[label] / sum(joint), rel=1e-6)


@pytest.mark.parametrize(("p", "K", "n"), [
    (0.7, 2, 1), (0.7, 2, 4), (0.6, 3, 5), (0.3, 4, 6), (0.5, 3, 3), (1.0, 3, 4), (0.2, 5, 4),
])  # fmt: skip
def test_how_often_a_majority_is_right(p, K, n):
    model = OneAccuracy(p, K, -1.0, None)
    assert model.of_majority(n) == pytest.approx(plain.majority_is_right(p, K, n), rel=1e-12)


def test_many_judgments_make_it_sure():
    assert OneAccuracy(0.6, 40, -1.0, None).of_majority(60) == pytest.approx(1.0, abs=1e-9)
    assert math.isnan(OneAccuracy(math.nan, 1, math.nan, "one category").of_majority(3))


def test_splits_count_every_item_once():
    table, *_ = simulated(300, 6, 4, seed=3)
    votes = count_votes(annotations(table, 4).rows, 4)
    parts = splits_of(votes)
    assert sum(part.weights.sum() for part in parts) == 300
    result = sorted(
        (tuple(split), n)
        for part in parts
        for split, n in zip(part.votes.tolist(), part.weights.tolist(), strict=True)
    )
    plainly = {}
    for row in lists(table):
        counts = sorted(
            np.unique([k for _, k in row], return_counts=True)[1].tolist(), reverse=True
        )
        plainly[tuple(counts)] = plainly.get(tuple(counts), 0) + 1
    assert result == sorted(plainly.items())

"""Scores of items beside numbers by hand and scipy's distribution."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from scipy.stats import t

import agreement_fast as af
from agreement_fast.diagnostics import item_scores, leniency


@pytest.mark.parametrize("seed", range(15))
def test_means_medians_and_intervals_are_those_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 8, (12, 4)).astype(object)
    table[rng.random(table.shape) < 0.25] = None
    table[0] = [1, 2, 3, 4]
    data = af.Annotations.from_wide(table, coders=list("ABCD"))
    result = item_scores(data, confidence_level=0.9)
    rows = [[x for x in row if x is not None] for row in table.tolist()]
    squares = sum((x - statistics.fmean(row)) ** 2 for row in rows for x in row)
    freedom = sum(len(row) - 1 for row in rows if row)
    spread = (squares / freedom) ** 0.5
    assert result.standard_deviation == pytest.approx(spread)
    lenient = leniency(data).leniency
    for place, (row, whole) in enumerate(zip(rows, table.tolist(), strict=True)):
        assert result.n_judgments[place] == len(row)
        if not row:
            assert np.isnan(result.mean[place])
            continue
        assert result.mean[place] == pytest.approx(statistics.fmean(row))
        assert result.median[place] == statistics.median(row)
        reach = t.ppf(0.95, freedom) * spread / len(row) ** 0.5
        assert result.high[place] - result.mean[place] == pytest.approx(reach)
        assert result.mean[place] - result.low[place] == pytest.approx(reach)
        moved = [x - a for x, a in zip(whole, lenient, strict=True) if x is not None]
        assert result.adjusted[place] == pytest.approx(statistics.fmean(moved))


def test_a_strict_judge_does_not_lower_the_adjusted_score() -> None:
    """B rates one below A on the items of both; C is as A. The item of B alone is put right."""
    rows = [(3, 2, 3), (5, 4, 5), (4, 3, 4), (6, None, None), (None, 5, None)]
    result = item_scores(af.Annotations.from_wide(rows, coders=list("ABC")))
    assert result.adjusted[3] == pytest.approx(result.adjusted[4])
    assert result.mean[3] == result.mean[4] + 1


@pytest.mark.breadth
def test_intervals_hold_the_scores_of_simulated_items() -> None:
    rng, inside, n = np.random.default_rng(2), 0, 0
    for _ in range(200):
        true = rng.normal(50, 10, 15)
        ratings = np.round(true[:, None] + rng.normal(0, 5, (15, 3)))
        ratings[rng.random(ratings.shape) < 0.2] = np.nan
        table = [[None if x != x else int(x) for x in row] for row in ratings]
        result = item_scores(af.Annotations.from_wide(table, coders=list("ABC")))
        known = result.n_judgments > 0
        inside += int(((result.low <= true) & (true <= result.high))[known].sum())
        n += int(known.sum())
    assert 0.935 <= inside / n <= 0.965


def test_without_two_ratings_of_an_item_there_is_no_interval() -> None:
    result = item_scores(af.Annotations.from_wide([(1, None), (None, 2)], coders=["A", "B"]))
    assert result.mean.tolist() == [1, 2]
    assert np.isnan([*result.low, *result.adjusted]).all()
    with pytest.raises(ValueError, match=r"item_scores\(\) needs labels that are numbers"):
        item_scores([("a", "b"), ("b", "b")])


def test_weights_are_that_many_items() -> None:
    rows, weights = [(1, 2), (3, 3), (2, 4), (5, 4)], [3, 1, 2, 2]
    many = [row for row, n in zip(rows, weights, strict=True) for _ in range(n)]
    short = item_scores(af.Annotations.from_wide(rows, weights=weights))
    whole = item_scores(af.Annotations.from_wide(many))
    assert short.standard_deviation == pytest.approx(whole.standard_deviation)
    assert short.high[0] == pytest.approx(whole.high[0])
    assert "more items" in str(item_scores([(i % 7, (i + 1) % 5) for i in range(12)]))


@pytest.mark.parametrize("method", ["mean", "median"])
def test_who_asks_aggregate_for_scores_is_sent_here(method):
    with pytest.raises(ValueError, match=r"use af\.diagnostics\.item_scores\(data\)"):
        af.aggregate([(1, 2), (3, 3), (2, 4)], method)

"""Preference for a place among two answers, beside counts by hand and scipy's binomial test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from agreement_fast.diagnostics import position_bias
from agreement_fast.diagnostics.position_bias import sign_test


def verdicts(rng: np.random.Generator, n: int, content: float, first: float, tie: float) -> list:
    """Rows of item, first answer and winner, of both orders of n items.

    On a share `content` of the items the better answer wins in any order; on the others the first
    wins with (1 + first)/2.
    """
    rows = []
    for item in range(n):
        decided, better = rng.random() < content, rng.choice(["a", "b"])
        for shown, other in (("a", "b"), ("b", "a")):
            won = better if decided else shown if rng.random() < (1 + first) / 2 else other
            rows.append((item, shown, "tie" if rng.random() < tie else str(won)))
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_counts_are_those_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns: list[list] = [[], [], [], []]
    for judge in ("gpt", "llama"):
        for item, shown, won in verdicts(rng, 25, 0.4, 0.3, 0.2):
            if rng.random() < 0.95:
                for column, cell in zip(columns, (item, judge, shown, won), strict=True):
                    column.append(cell)
    order = rng.permutation(len(columns[0]))
    result = position_bias(*([column[i] for i in order] for column in columns))
    assert result.judges == ("gpt", "llama")
    for place, judge in enumerate(result.judges):
        scores: dict[int, list[float]] = {}
        for item, who, shown, won in zip(*columns, strict=True):
            if who == judge:
                score = 0 if won == "tie" else 1 if won == shown else -1
                scores.setdefault(item, []).append(score)
        both = [pair for pair in scores.values() if len(pair) == 2]
        assert result.n_items[place] == len(both)
        assert result.n_one_order[place] == len(scores) - len(both)
        assert result.bias[place] == pytest.approx(np.mean(both))
        assert result.same[place] == pytest.approx(np.mean([sum(pair) == 0 for pair in both]))
        assert result.first[place] == sum(pair == [1, 1] for pair in both)
        assert result.second[place] == sum(pair == [-1, -1] for pair in both)
        more, less = (sum(side * sum(pair) > 0 for pair in both) for side in (1, -1))
        expected = binomtest(more, more + less).pvalue if more + less else 1
        assert result.p_value[place] == pytest.approx(expected)
        assert -1 <= result.low[place] <= result.bias[place] <= result.high[place] <= 1


def test_the_sign_test_is_that_of_the_binomial_distribution() -> None:
    for more in range(30):
        for less in range(30):
            if more + less:
                assert sign_test(more, less) == pytest.approx(binomtest(more, more + less).pvalue)


@pytest.mark.breadth
@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize(
    ("content", "first", "tie"), [(0.5, 0.3, 0.1), (0.3, 0.0, 0.0), (0.2, 0.7, 0.05)]
)
def test_intervals_hold_the_bias_of_simulated_judges(
    n: int, content: float, first: float, tie: float
) -> None:
    rng, true = np.random.default_rng(5), (1 - content) * first * (1 - tie)
    inside = wrong = 0
    for _ in range(300):
        items, shown, won = zip(*verdicts(rng, n, content, first, tie), strict=True)
        result = position_bias(items, ["j"] * len(items), shown, won)
        inside += result.low[0] <= true <= result.high[0]
        wrong += result.p_value[0] < 0.05
    assert inside >= 0.92 * 300
    if not first:
        assert wrong <= 0.08 * 300


def test_other_words_for_ties_and_missing_winners() -> None:
    columns = [1, 1, 2, 2, 3, 3], ["j"] * 6, ["a", "b", "c", "d", "a", "b"]
    result = position_bias(*columns, ["both", "a", "c", "d", None, "a"], ties=["both", "neither"])
    assert (result.n_items.tolist(), result.n_one_order.tolist()) == ([2], [1])
    assert result.bias.tolist() == [0.25]
    assert "Same: how often both orders have the same winner" in " ".join(result.to_text().split())
    empty = position_bias([1], ["j"], ["a"], ["a"])
    assert np.isnan(empty.bias[0])
    assert repr(empty) == "<position bias of 1 judge: undefined>"


@pytest.mark.parametrize(
    ("first", "winner", "words"),
    [
        (["a", "a"], ["a", "b"], "judge 'j' judged item 1 twice with 'a' first: pass one run"),
        (["a", "b"], ["a", "equal"], "item 1 has more than two answers; 'equal' is one: if it"),
        (["a"], ["a", "b"], "columns must have the same length"),
    ],
)
def test_what_does_not_fit_is_named(first: list[str], winner: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        position_bias([1, 1], ["j", "j"], first, winner)


def test_columns_named_as_elsewhere_are_answered_with_the_call() -> None:
    frame = {"item": [1, 1], "judge": ["a", "a"], "first": ["x", "y"], "winner": ["x", "x"]}
    with pytest.raises(TypeError, match="write its columns: ") as error:
        position_bias(frame, item="item", coder="judge", label="winner")  # type: ignore[call-arg]
    call = str(error.value).partition("columns: ")[2]
    assert len(eval(call, {"position_bias": position_bias, "frame": frame})) == 1

"""Two camps of coders are found, and other coders are not reported as camps."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnose
from agreement_fast.diagnostics import pairwise_agreement
from agreement_fast.diagnostics.pairs import Contrasts, separated

NAMES = ["Ann", "Bea", "Cid", "Dan", "Eve", "Fay"]


def readings(
    seed: int,
    n_items: int = 300,
    sizes: tuple[int, int] = (3, 3),
    apart: float = 0.6,
    categories: int = 2,
) -> np.ndarray:
    """Simulate coders with two readings, which differ in a share of the items."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, categories, (n_items, 1))
    other = rng.integers(0, categories, (n_items, 1))
    second = np.where(rng.random((n_items, 1)) < apart, other, first)
    labels = np.hstack([np.repeat(first, sizes[0], 1), np.repeat(second, sizes[1], 1)])
    slips = rng.random(labels.shape) < 0.1
    return np.where(slips, rng.integers(0, categories, labels.shape), labels)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("sizes", [(3, 3), (4, 2)])
def test_two_camps_are_the_finding(distance: str, sizes: tuple[int, int]) -> None:
    table = readings(1, sizes=sizes, categories=2 if distance == "nominal" else 5)
    order = [0, 3, 1, 5, 2, 4]
    data = af.Annotations.from_wide(table[:, order], coders=[NAMES[c] for c in order])
    result = diagnose(data, distance=distance)
    (camps,) = result.of("camps")
    camp = [set(NAMES[: sizes[0]]), set(NAMES[sizes[0] :])]
    assert [set(side) for side in camps.numbers["camps"]] in (camp, camp[::-1])
    values = [af.alpha(data.select(coders=side), distance).value for side in camps.numbers["camps"]]
    assert camps.numbers["values"] == pytest.approx(values, rel=1e-12)
    together = af.alpha(data, distance).value
    mean = sum(len(s) * v for s, v in zip(camps.numbers["camps"], values, strict=True)) / 6
    assert camps.cost == pytest.approx(mean - together, rel=1e-9)
    assert min(values) > together
    # Neither a single coder nor the smaller camp is reported.
    assert not result.of("one coder")
    assert not result.of("coders at chance")
    pairs = pairwise_agreement(data, "alpha", distance=distance)
    of_first = [name in camps.numbers["camps"][0] for name in pairs.coders]
    side = np.array(of_first)
    across = side[pairs.first] != side[pairs.second]
    assert camps.numbers["lowest_within"] == pairs.value[~across].min()
    assert camps.numbers["highest_across"] == pairs.value[across].max()
    assert camps.sentence.startswith("The coders form two camps: ")
    assert f"that of all coders is {together:.3f}" in camps.sentence


def alike(rng: np.random.Generator) -> np.ndarray:
    true = rng.integers(0, 3, (80, 1))
    return np.where(rng.random((80, 5)) < 0.7, true, rng.integers(0, 3, (80, 5)))


def of_different_skill(rng: np.random.Generator) -> np.ndarray:
    true = rng.integers(0, 3, (200, 1))
    knows = rng.random((200, 6)) < [0.95, 0.9, 0.85, 0.5, 0.4, 0.3]
    return np.where(knows, true, rng.integers(0, 3, (200, 6)))


def two_who_copy(rng: np.random.Generator) -> np.ndarray:
    table = alike(rng)
    table[:, 1] = table[:, 0]
    return table


def one_who_guesses(rng: np.random.Generator) -> np.ndarray:
    table = alike(rng)
    table[:, 2] = rng.integers(0, 3, 80)
    return table


def of_different_habits(rng: np.random.Generator) -> np.ndarray:
    """Simulate coders who rate items equally, with evenly spaced thresholds."""
    seen = rng.normal(size=(200, 1)) + 0.6 * rng.normal(size=(200, 6))
    return (seen > np.linspace(-0.5, 0.5, 6)).astype(int)


@pytest.mark.few("two_who_copy")
@pytest.mark.parametrize(
    "kind", [alike, of_different_skill, two_who_copy, one_who_guesses, of_different_habits]
)
def test_other_coders_are_not_reported_as_camps(kind: Any) -> None:
    """40 samples of each kind."""
    for seed in range(40):
        assert not diagnose(kind(np.random.default_rng(seed))).of("camps"), seed


@pytest.mark.breadth
def test_camps_by_chance_are_not_reported() -> None:
    """Four coders of 12 items often divide into two pairs by chance."""
    divided = 0
    for seed in range(200):
        table = np.random.default_rng(seed).integers(0, 2, (12, 4))
        divided += separated(pairwise_agreement(table, "alpha")) is not None
        assert not diagnose(table).of("camps")
    assert divided > 5


def test_a_small_significant_difference_is_not_reported() -> None:
    """The difference is significant but below .05."""
    table = readings(3, 40_000, apart=0.04, categories=4)
    first = np.array([True] * 3 + [False] * 3)
    data = af.Annotations.from_wide(table)
    form = af.distances.nominal.bind(data.categories, True)
    assert Contrasts.of(data, first, form).p_value < 1e-6
    assert not diagnose(data).of("camps")


def test_coders_who_share_few_items_are_not_divided() -> None:
    table = readings(1, 30).astype(object)
    assert separated(pairwise_agreement(table)) is not None
    table[9:, 0] = None
    assert separated(pairwise_agreement(table)) is None
    triples = [(f"c{c}", i, i % 2) for i in range(60) for c in (i % 5, 5, 6)]
    assert separated(pairwise_agreement(af.Annotations.from_triples(triples))) is None
    assert not diagnose(readings(1, sizes=(2, 1))).of("camps")
    assert not diagnose(readings(1, sizes=(33, 32))).of("camps")


def test_separated_equals_a_search_of_all_divisions() -> None:
    """Compare with all divisions into two groups of two or more."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = readings(seed, 14, (3, 2), apart=rng.random())
        pairs = pairwise_agreement(table, "s")
        places = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        value = dict(zip(places, pairs.value.tolist(), strict=True))
        divisions = []
        for size in (2, 3):
            for side in itertools.combinations(range(5), size):
                within = [v for (a, b), v in value.items() if (a in side) == (b in side)]
                across = [v for (a, b), v in value.items() if (a in side) != (b in side)]
                if min(within) > max(across):
                    divisions.append(set(side))
        first = separated(pairs)
        if first is None:
            assert not divisions
        else:
            assert set(np.flatnonzero(first).tolist()) in [
                *divisions, *(set(range(5)) - side for side in divisions)
            ]  # fmt: skip


def test_contrasts_are_means_over_pairs_of_judgments() -> None:
    """Compare with a plain computation, and the error with the jackknife."""
    rng = np.random.default_rng(4)
    table = readings(4, 60, (3, 2), categories=3).astype(object)
    table[rng.random(table.shape) < 0.15] = None
    weights = rng.integers(1, 4, 60).tolist()
    first = np.array([True, True, True, False, False])

    def contrasts(weights: list[int]) -> np.ndarray:
        sums = np.zeros((3, 2))
        for row, weight in zip(table, weights, strict=True):
            for a, b in itertools.combinations(range(5), 2):
                if row[a] is not None and row[b] is not None:
                    kind = 2 if first[a] != first[b] else 0 if first[a] else 1
                    sums[kind] += weight * abs(row[a] - row[b]), weight
        means = sums[:, 0] / sums[:, 1]
        return np.asarray(means[2] - means[:2])

    data = af.Annotations.from_wide(table, weights=weights, categories=[0, 1, 2])
    form = af.distances.linear.bind(data.categories, True)
    result = Contrasts.of(data, first, form)
    assert result.values == pytest.approx(contrasts(weights), rel=1e-12)
    left = []
    for i, weight in enumerate(weights):
        fewer = list(weights)
        fewer[i] -= 1
        left += [contrasts(fewer)] * weight
    n = sum(weights)
    jackknife = np.sqrt((n - 1) / n * ((np.array(left) - np.mean(left, 0)) ** 2).sum(0))
    assert result.errors == pytest.approx(jackknife, rel=0.03)
    from scipy.stats import t

    complete = readings(4, 30, (3, 2), categories=3)
    each = np.array([[abs(a - b) for a in row for b in row] for row in complete])
    kinds = np.array([[int(first[a]) + int(first[b]) for a in range(5) for b in range(5)]] * 30)
    same = np.eye(5, dtype=bool).reshape(-1)
    means = [each[:, (kinds[0] == k) & ~same].mean(1) for k in (2, 0, 1)]
    exact = Contrasts.of(af.Annotations.from_wide(complete, categories=[0, 1, 2]), first, form)
    for k in (0, 1):
        moved = means[2] - means[k]
        assert exact.errors[k] == pytest.approx(moved.std(ddof=1) / math.sqrt(30), rel=1e-12)
    smaller = min(np.array(result.values) / result.errors)
    divisions = 2**4 - 1 - 5
    assert result.p_value == pytest.approx(min(1, divisions * t.sf(smaller, n - 1)), rel=1e-6)
    assert not math.isnan(result.p_value)

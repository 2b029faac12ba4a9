"""Coders at chance, and scales measured with the nominal distance."""

from __future__ import annotations

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnose


def study(seed: int, n: int = 200, coders: int = 8, k: int = 4) -> np.ndarray:
    """Simulate coders who mostly choose the true category."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    guess = rng.integers(0, k, (n, coders))
    return np.where(rng.random((n, coders)) < 0.85, true[:, None], guess)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_a_group_at_random_is_found_and_its_gain_is_that_without_them(distance: str) -> None:
    table = study(1)
    table[:, [2, 5]] = np.random.default_rng(3).integers(0, 4, (200, 2))
    data = af.Annotations.from_wide(table)
    (group,) = diagnose(data, distance=distance).of("coders at chance")
    assert sorted(group.numbers["coders"]) == [2, 5]
    others = data.select(coders=[0, 1, 3, 4, 6, 7])
    without = af.alpha(others, distance).value
    assert group.numbers["value_without"] == pytest.approx(without, rel=1e-10)
    assert group.cost == pytest.approx(without - af.alpha(data, distance).value, rel=1e-10)
    assert f"would be {without:.3f}" in group.sentence
    order = ", ".join(str(coder) for coder in group.numbers["coders"])
    assert group.advice.startswith(f"Check whether {order} answered at random")


@pytest.mark.breadth
def test_similar_coders_are_not_reported() -> None:
    for seed in range(20):
        assert not diagnose(study(seed, n=40)).of("coders at chance")
        noise = np.random.default_rng(seed).integers(0, 3, (40, 8))
        assert not diagnose(noise).of("coders at chance")


def test_a_coder_with_few_judgments_is_not_reported() -> None:
    triples = [(f"c{c}", i, i % 2) for i in range(100) for c in range(3)]
    triples += [(f"new{i}", i, 1 - i % 2) for i in range(10)]
    data = af.Annotations.from_triples(triples)
    assert not diagnose(data).of("coders at chance")


def test_near_misses() -> None:
    scale = [[1, 2], [2, 2], [3, 4], [4, 4], [5, 5], [1, 1], [4, 5], [3, 3]] * 4
    (near,) = diagnose(scale).of("near misses")
    assert near.numbers["ordinal"] == pytest.approx(af.alpha(scale, "ordinal").value, rel=1e-12)
    assert near.numbers["nominal"] == pytest.approx(af.alpha(scale).value, rel=1e-12)
    assert not diagnose(scale, distance="ordinal").of("near misses")
    words = [["abcde"[a - 1], "abcde"[b - 1]] for a, b in scale]
    assert not diagnose(words).of("near misses")
    declared = af.Annotations.from_wide(words, categories=list("abcde"))
    assert diagnose(declared).of("near misses")[0].numbers == near.numbers
    assert not diagnose([[1, 2], [2, 2], [1, 1]] * 5).of("near misses")

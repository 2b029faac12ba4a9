"""GLAD beside its posterior density written down, and what crowd-kit finds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fits import glad

import agreement_fast as af
from agreement_fast.models.crowds import Glad

# crowd-kit 1.4.2: GLAD(n_iter=5000, tol=1e-14, m_step_max_iter=500, m_step_tol=1e-9), rounded.
TABLE = ["11 1", "000 ", "10 0", " 1 0", "1110", "0101", "001 ", "0111", "10 0", "1000", "1000",
         "0000"]  # fmt: skip
ABILITY = [-0.20321, 0.977742, 0.657164, 0.936452]
DIFFICULTY = [0.375342, 0.367405, 0.245336, 0.752081, 0.782098, 0.555148, 0.699157, 0.219595,
              0.245336, 0.219595, 0.219595, 0.325799]  # fmt: skip
ONE = [0.989631, 0.019903, 0.000179, 0.513722, 0.65322, 0.93279, 0.458131, 0.999997, 0.000179,
       0.000003, 0.000003, 0.000696]  # fmt: skip


def read(table: list[str]) -> af.Annotations:
    rows = [[None if cell == " " else int(cell) for cell in row] for row in table]
    return af.Annotations.from_wide(rows, coders=list("ABCDEF")[: len(table[0])])


def test_abilities_and_difficulties_are_those_that_crowd_kit_finds() -> None:
    result = glad(read(TABLE))
    assert result.converged
    np.testing.assert_allclose(result.ability, ABILITY, atol=2e-6)
    np.testing.assert_allclose(result.difficulty, DIFFICULTY, atol=2e-6)
    np.testing.assert_allclose(result.posterior[:, 1], ONE, atol=2e-6)


def density(data: af.Annotations, ability: np.ndarray, log_beta: np.ndarray) -> tuple[float, list]:
    """The logarithm of the posterior density at some parameters, and P(label | judgments)."""
    K, total, posteriors = len(data.categories), 0.0, []
    for row, b in zip(data.to_wide().tolist(), log_beta, strict=True):
        likelihoods = []
        for label in data.categories:
            product = 1 / K
            for said, a in zip(row, ability, strict=True):
                if said is not None:
                    right = 1 / (1 + math.exp(-a * math.exp(b)))
                    product *= right if said == label else (1 - right) / (K - 1)
            likelihoods.append(product)
        total += math.log(sum(likelihoods))
        posteriors.append([one / sum(likelihoods) for one in likelihoods])
    for x in (*ability, *log_beta):
        total -= (x - 1) ** 2 / 2 + math.log(2 * math.pi) / 2
    return total, posteriors


@pytest.mark.parametrize("seed", range(15))
def test_the_result_is_a_mode_of_the_density_of_the_model(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_coders, k = int(rng.integers(3, 9)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    table = rng.integers(0, k, (n, n_coders)).astype(object)
    table[rng.random(table.shape) < 0.2] = None
    data = af.Annotations.from_wide(
        table, coders=list("ABCD")[:n_coders], categories=list(range(k))
    )
    result = glad(data, tolerance=1e-9)
    at = np.concatenate([result.ability, -np.log(result.difficulty)])
    at[np.isnan(at)] = 1.0
    value, posterior = density(data, at[:n_coders], at[n_coders:])
    assert result.objective == pytest.approx(value)
    np.testing.assert_allclose(result.posterior, posterior, atol=1e-10)
    for i in range(len(at)):
        for step in (-1e-3, 1e-3):
            near = at.copy()
            near[i] += step
            assert density(data, near[:n_coders], near[n_coders:])[0] < value


def test_able_coders_and_hard_items_are_told_from_others() -> None:
    """500 simulated items, half of them hard; the last coder guesses."""
    rng = np.random.default_rng(1)
    ability, easy = np.array([2.0, 1.5, 1.0, 0.0]), rng.random(500) < 0.5
    truth = rng.integers(0, 3, 500)
    right = 1 / (1 + np.exp(-ability * np.where(easy, 3, 0.5)[:, None]))
    wrong = (truth[:, None] + rng.integers(1, 3, (500, 4))) % 3
    judgments = np.where(rng.random((500, 4)) < right, truth[:, None], wrong)
    result = glad(af.Annotations.from_wide(judgments, coders=list("ABCD")))
    assert result.ability.argmin() == 3
    assert result.ability[2] < min(result.ability[:2])
    assert np.median(result.difficulty[~easy]) > 1.3 * np.median(result.difficulty[easy])
    labels = result.posterior.argmax(1)
    assert (labels == truth)[easy].mean() > 0.97
    table = result.by_item()
    assert table.columns()["difficulty"][0] == result.difficulty.max()
    assert str(result).splitlines()[1].split() == ["coder", "ability", "judgments"]


def test_weights_are_that_many_items() -> None:
    rows, weights = [(0, 0, 1), (1, 1, 1), (0, 1, 1)], [3, 1, 2]
    many = [row for row, n in zip(rows, weights, strict=True) for _ in range(n)]
    short = glad(af.Annotations.from_wide(rows, weights=weights), tolerance=1e-9)
    whole = glad(af.Annotations.from_wide(many), tolerance=1e-9)
    np.testing.assert_allclose(short.ability, whole.ability, atol=1e-6)
    assert short.objective == pytest.approx(whole.objective)
    assert short.n_judgments.tolist() == [6, 6, 6]


def test_what_nobody_judged_stays_at_the_prior() -> None:
    data = af.Annotations.from_wide(
        [("x", "x", None), (None, None, None), ("y", "x", None)], coders=list("ABC")
    )
    result = glad(data)
    assert result.posterior[1].tolist() == [0.5, 0.5]
    assert result.difficulty[1] == pytest.approx(math.exp(-1), rel=1e-5)
    assert np.isnan(result.ability[2])
    assert isinstance(result, Glad)


def test_one_label_is_refused() -> None:
    with pytest.raises(ValueError, match=r"GLAD needs two labels or more, got 1"):
        glad([("x", "x"), ("x", "x"), ("x", "x")])


@pytest.mark.parametrize("weight", [1, 10**3, 10**6])
def test_the_mode_of_many_judgments_is_found(weight):
    """Slopes of large sums are never as small as the tolerance, where no step leads higher."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, (200, 1))
    labels = np.where(rng.random((200, 4)) < 0.7, truth, rng.integers(0, 3, (200, 4)))
    data = af.Annotations.from_wide(labels, weights=[weight] * 200)
    assert glad(data).converged
    short = glad(data, max_iterations=3)
    assert not short.converged
    assert short.n_iterations == 3

"""The formula of Spearman and Brown, and its inverse."""

from __future__ import annotations

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast.inference import judgments_needed, spearman_brown


@pytest.mark.parametrize(("single", "n", "together"), [
    (0.5, 2, 2 / 3), (0.5, 1, 0.5), (0.25, 3, 0.5), (0.0, 9, 0.0), (1.0, 4, 1.0), (1.0, 0, 0.0),
    (0.8, 0.5, 2 / 3),
])  # fmt: skip
def test_known_values(single, n, together):
    assert spearman_brown(single, n) == pytest.approx(together, rel=1e-12)


@pytest.mark.parametrize("single", [0.03, 0.2, 0.5, 0.77, 1.0])
@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
def test_the_least_number_that_is_enough(single, target):
    n = judgments_needed(single, target)
    assert spearman_brown(single, n) >= target - 1e-12
    assert n == 1 or spearman_brown(single, n - 1) < target


def test_whole_numbers_stay_whole():
    # 0.9 (1 - 0.5) / (0.5 (1 - 0.9)) is 9 but for rounding
    assert judgments_needed(0.5, 0.9) == 9


def test_it_is_the_correlation_of_means():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(50_000, 1))
    single, k = 0.4, 4
    noise = rng.normal(size=(50_000, 2 * k)) * np.sqrt(1 / single - 1)
    first, second = (truth + noise[:, :k]).mean(1), (truth + noise[:, k:]).mean(1)
    result = np.corrcoef(first, second)[0, 1]
    assert spearman_brown(single, k) == pytest.approx(result, abs=0.01)


def test_what_it_takes():
    alpha = af.alpha([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"]])
    assert spearman_brown(alpha, 3) == spearman_brown(alpha.value, 3)
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="reliability must be from 0 to 1"):
            spearman_brown(bad, 2)
    with pytest.raises(ValueError, match="no number of judgments is enough"):
        judgments_needed(0.0)
    with pytest.raises(ValueError, match="target must be between 0 and 1"):
        judgments_needed(0.5, 1.0)
    with pytest.raises(ValueError, match="n_judgments must be a number"):
        spearman_brown(0.5, -1)

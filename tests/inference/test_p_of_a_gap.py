"""The p value of a difference, beside halvings of the level of its interval."""

import numpy as np
import pytest

from agreement_fast.inference.score import Gap, Score


def by_halving(gap):
    """1 less the highest level whose interval leaves 0 out."""
    side = 0 if gap.first.value[0] > gap.second.value[0] else 1
    least, most = 0.0, 1.0
    for _ in range(52):
        level = (least + most) / 2
        end = gap.ends(level)[side]
        if end > 0 if side == 0 else end < 0:
            least = level
        else:
            most = level
    return 1 - least


@pytest.mark.parametrize("seed", range(20))
def test_it_inverts_the_interval(seed):
    rng = np.random.default_rng(seed)

    def score():
        value = rng.random()
        parts = (value, value * rng.uniform(0.9, 1), -rng.random() / 3, rng.uniform(3, 500),
                 rng.uniform(1, 300))  # fmt: skip
        return Score(*(np.array([part]) for part in parts))

    gap = Gap(score(), score(), rng.uniform(-0.3, 0.9) * (seed % 2))
    assert gap.p_value() == pytest.approx(by_halving(gap), rel=1e-9, abs=1e-12)


def test_equal_coefficients_and_none():
    one = Score(*(np.array([part]) for part in (0.5, 0.5, -0.2, 40.0, 30.0)))
    none = Score(*(np.array([part]) for part in (np.nan, np.nan, -0.2, 40.0, 30.0)))
    assert Gap(one, one, 0.0).p_value() == 1
    assert np.isnan(Gap(one, none, 0.0).p_value())

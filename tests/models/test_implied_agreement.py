"""The agreement that rates imply, and intervals of how many coders are needed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import models, subsets
from agreement_fast.models.population import Population
from agreement_fast.subsets.simulate import NoisyCoders


def plain(prevalence, s, t, s2, t2):
    """A_o, κ and π from the four joint probabilities, in fractions."""
    classes = [(prevalence, s, s2), (1 - prevalence, 1 - t, 1 - t2)]
    joint = {
        (a, b): sum(
            share * (one if a else 1 - one) * (two if b else 1 - two) for share, one, two in classes
        )
        for a in (0, 1)
        for b in (0, 1)
    }
    observed = joint[0, 0] + joint[1, 1]
    p, q = joint[1, 0] + joint[1, 1], joint[0, 1] + joint[1, 1]
    kappa, pi = p * q + (1 - p) * (1 - q), ((p + q) / 2) ** 2 + (1 - (p + q) / 2) ** 2
    return [observed] + [float("nan") if e == 1 else (observed - e) / (1 - e) for e in (kappa, pi)]


RATES = [Fraction(x, 4) for x in range(5)]


def test_every_small_case_by_fractions():
    for prevalence in RATES:
        for s in RATES:
            for t in RATES:
                for s2, t2 in ((s, t), (Fraction(3, 4), Fraction(1, 2))):
                    result = models.implied_agreement(
                        float(prevalence), float(s), float(t),
                        other_sensitivity=float(s2), other_specificity=float(t2),
                    )  # fmt: skip
                    expected = [float(x) for x in plain(prevalence, s, t, s2, t2)]
                    got = [result.observed_agreement, result.kappa, result.pi]
                    np.testing.assert_allclose(got, expected, atol=1e-14)


def test_kappa_is_low_for_rare_categories_of_good_coders():
    """Artstein & Poesio 2005, footnote 11: high rates go with a middling kappa."""
    values = [models.implied_agreement(p, 0.9, 0.95).kappa for p in (0.01, 0.05, 0.2, 0.5)]
    assert values == pytest.approx([0.1299, 0.4088, 0.6737, 0.7243], abs=5e-5)
    p, s, t = 0.17, 0.9, 0.87
    said = p * s + (1 - p) * (1 - t)
    closed = p * (1 - p) * (s + t - 1) ** 2 / (said * (1 - said))
    assert models.implied_agreement(p, s, t).kappa == pytest.approx(closed, rel=1e-12)
    assert math.isnan(models.implied_agreement(0.3, 1, 0).kappa)
    with pytest.raises(ValueError, match="specificity must be from 0 to 1"):
        models.implied_agreement(0.3, 1, 1.2)


def test_drawn_data_have_the_implied_agreement():
    coders = NoisyCoders(
        ("yes", "no"), np.array([0.1, 0.9]), np.array([[0.85, 0.15], [0.04, 0.96]])
    )
    data = subsets.simulate(coders, n_items=60_000, n_coders=2, rng=1).annotations
    implied = models.implied_agreement(0.1, 0.85, 0.96)
    assert af.kappa(data).value == pytest.approx(implied.kappa, abs=0.015)
    assert coders.reliability() == pytest.approx(implied.pi, rel=1e-12)


def drawn(n, seed):
    population = Population(
        ("y", "n"), np.array([0.4, 0.6]),
        np.array([[[s, 1 - s], [1 - t, t]] for s, t in ((0.9, 0.9), (0.8, 0.95), (0.75, 0.85))]),
        "abc", ("y", "n"),
    )  # fmt: skip
    return population, subsets.simulate(population, n_items=n, rng=seed).annotations


def test_intervals_of_groups_hold_the_truth():
    """Of one coder the interval is near that of the mean sensitivity; the truth is inside."""
    population, data = drawn(1500, 2)
    model = dawid_skene(data)
    result = model.coders_needed(
        "y", sensitivity=0.97, specificity=0.97, n_resamples=400, rng=1, max_coders=25
    )
    rates = model.accuracy("y").sensitivity_interval
    assert result.sensitivity_low[0] == pytest.approx(rates.mean_low, abs=0.01)
    assert result.sensitivity_high[0] == pytest.approx(rates.mean_high, abs=0.01)
    mean = population.probabilities.mean(0)
    for n, place in ((1, 0), (3, 2), (9, 8)):
        group = [
            sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n // 2 + 1, n + 1))
            for p in (mean[0, 0], mean[1, 1])
        ]
        assert result.sensitivity_low[place] < group[0] < result.sensitivity_high[place]
        assert result.specificity_low[place] < group[1] < result.specificity_high[place]
    assert result.least <= result.n_coders <= result.most
    assert result.most > result.least
    few = model.coders_needed("y", sensitivity=0.97, n_resamples=50, rng=1, max_coders=5)
    assert few.n_coders is None
    assert few.most is None
    assert np.isnan(model.coders_needed("y").sensitivity_low).all()


def test_the_same_seed_gives_the_same_intervals():
    model = dawid_skene(drawn(200, 1)[1])
    one, two = (model.coders_needed("y", n_resamples=20, rng=3) for _ in "12")
    assert one.sensitivity_high.tolist() == two.sensitivity_high.tolist()
    wide, narrow = (
        model.coders_needed("y", n_resamples=200, confidence_level=level, rng=3)
        for level in (0.95, 0.5)
    )
    assert (narrow.sensitivity_low[:5] > wide.sensitivity_low[:5]).all()

"""Latent trait analysis against its likelihood written down, and data of known coders."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal

import agreement_fast as af
from agreement_fast import models
from agreement_fast.models.trait import Graded, links

SLOPES = np.array([1.6, 0.9, 1.3, -1.1, 2.2])
THRESHOLDS = np.array(
    [[-1.0, 0.0, 1.0], [-0.7, 0.3, 0.8], [-1.2, -0.1, 1.3], [1.1, 0.2, -0.9], [-0.5, 0.1, 0.9]]
)


@cache
def drawn(n=2000, link="probit", missing=0.0, seed=1):
    """Judgments by the definition of the model, and the trait behind them."""
    rng = np.random.default_rng(seed)
    trait = rng.standard_normal(n)
    shape = n, len(SLOPES)
    noise = rng.standard_normal(shape) if link == "probit" else rng.logistic(size=shape)
    seen = SLOPES * trait[:, None] + noise
    labels = (seen[:, :, None] > SLOPES[:, None] * THRESHOLDS).sum(2)
    labels[rng.random(shape) < missing] = -1
    return af.Annotations.from_wide(labels, missing=-1, categories=[0, 1, 2, 3]), trait


def below(x, link):
    return 0.5 * math.erfc(-x / math.sqrt(2)) if link == "probit" else 1 / (1 + math.exp(-x))


def plain_log_likelihood(rows, slopes, thresholds, link):
    """Σ ln ∫ Π P(x | θ) φ(θ) dθ, each integral by adaptive quadrature."""

    def row_at(trait, row):
        product = math.exp(-trait * trait / 2) / math.sqrt(2 * math.pi)
        for c, x in enumerate(row):
            if x is not None:
                above = [
                    1.0,
                    *(below(slopes[c] * (trait - b), link) for b in thresholds[c]),
                    0.0,
                ]
                product *= above[x] - above[x + 1]
        return product

    return sum(
        math.log(quad(row_at, -8, 8, args=(row,), epsabs=1e-11, epsrel=1e-10)[0]) for row in rows
    )


@pytest.mark.few("logit")
@pytest.mark.parametrize("link", ["probit", "logit"])
def test_the_likelihood_is_that_of_the_definition(link):
    """With missing judgments; and the estimate is a maximum of it."""
    data = drawn(n=60, link=link, missing=0.2)[0].select(coders=[0, 1, 2])
    model = models.latent_trait(data, link)
    assert model.notes == ()
    rows = [
        [None if x is None else int(x) for x in row]
        for row in data.to_wide().tolist()
        if any(x is not None for x in row)
    ]
    top = plain_log_likelihood(rows, model.slopes, model.thresholds, link)
    assert model.log_likelihood == pytest.approx(top, rel=1e-9)
    moved = model.slopes.copy()
    moved[1] += 0.05
    assert plain_log_likelihood(rows, moved, model.thresholds, link) < top
    shifted = model.thresholds.copy()
    shifted[2, 1] -= 0.05
    assert plain_log_likelihood(rows, model.slopes, shifted, link) < top


@pytest.mark.parametrize("link", ["probit", "logit"])
def test_derivatives_are_those_of_the_likelihood(link):
    data = drawn(n=200, link=link, missing=0.3)[0]
    model = models.latent_trait(data, link)
    graded, _ = model._graded()
    rng = np.random.default_rng(1)
    slopes = model.slopes + rng.normal(0, 0.2, 5)
    cuts = model._cuts + 0.02 * np.arange(15)
    _, by_slope, by_cut = graded.log_likelihood(slopes, cuts, 121)
    for i in (0, 3):
        step = 1e-5 * (np.arange(5) == i)
        up, down = (graded.log_likelihood(slopes + s, cuts, 121)[0] for s in (step, -step))
        assert by_slope[i] == pytest.approx((up - down) / 2e-5, rel=1e-5)
    for i in (0, 4, 14):
        step = 1e-5 * (np.arange(15) == i)
        up, down = (graded.log_likelihood(slopes, cuts + s, 121)[0] for s in (step, -step))
        assert by_cut[i] == pytest.approx((up - down) / 2e-5, rel=1e-5)


@pytest.mark.few("probit")
@pytest.mark.parametrize("link", ["probit", "logit"])
def test_coders_are_recovered(link):
    """Slopes and thresholds within their errors, a coder who turns the scale round included."""
    data, trait = drawn(link=link, missing=0.1)
    model = models.latent_trait(data, link)
    off = (model.slopes - SLOPES) / model.slope_standard_error
    assert np.abs(off).max() < 3.5
    assert 0.2 < np.sqrt(np.mean(off**2)) < 2
    away = (model.thresholds - THRESHOLDS) / model.threshold_standard_error
    assert np.abs(away).max() < 3.5
    assert 0.4 < np.sqrt(np.mean(away**2)) < 1.6
    assert (model.slope_low < model.slopes).all()
    assert (model.slopes < model.slope_high).all()
    assert np.corrcoef(model.scores, trait)[0, 1] ** 2 == pytest.approx(model.reliability, abs=0.02)
    inside = np.abs(trait - model.scores) < model.score_deviations
    assert inside.mean() == pytest.approx(0.68, abs=0.04)


@pytest.mark.breadth
def test_errors_are_those_of_repeated_data():
    """The deviation of estimates over new data, for one coder of three."""
    rng = np.random.default_rng(5)
    result, said = [], []
    for _ in range(20):
        trait = rng.standard_normal(400)
        x = (1.5 * trait[:, None] + rng.standard_normal((400, 3)) > [0.5, 0, 0]).astype(int)
        model = models.latent_trait(af.Annotations.from_wide(x), "probit", n_points=41)
        result.append([model.slopes[0], model.thresholds[0, 0]])
        said.append([model.slope_standard_error[0], model.threshold_standard_error[0, 0]])
    assert np.std(result, axis=0) / np.median(said, axis=0) == pytest.approx([1, 1], abs=0.45)


def test_a_million_items_are_their_distinct_rows():
    data, _ = drawn(n=300)
    heavy = af.Annotations.from_wide(data.to_wide(), categories=[0, 1, 2, 3], weights=[4000] * 300)
    one, many = models.latent_trait(data), models.latent_trait(heavy)
    assert many.n_items == 1_200_000
    np.testing.assert_allclose(many.slopes, one.slopes, rtol=1e-4)
    np.testing.assert_allclose(
        many.slope_standard_error * math.sqrt(4000), one.slope_standard_error, rtol=1e-3
    )
    assert many.log_likelihood == pytest.approx(4000 * one.log_likelihood, rel=1e-9)


@pytest.mark.parametrize("pair", [[0, 1], [0, 3]])
def test_two_coders_are_a_polychoric_correlation(pair):
    """Also of coders who turn the scale round; cells against the integral of the density."""
    two = drawn()[0].select(coders=pair)
    model, result = models.latent_trait(two, "probit"), models.polychoric(two)
    assert model.equal_slopes
    assert any("two coders" in note for note in model.notes)
    assert result.value == pytest.approx(model.correlation.prod(), abs=1e-6)
    assert result.log_likelihood == pytest.approx(model.log_likelihood, rel=1e-10)
    true = np.prod(SLOPES[pair] / np.sqrt(1 + SLOPES[pair] ** 2))
    assert result.low < true < result.high
    assert result.degrees_of_freedom == 8
    assert result.p_value > 0.001


def test_probabilities_of_two_scales_are_scipys():
    from agreement_fast.models.two_coders import below_both

    h, k = np.array([-1.5, 0.0, 0.8]), np.array([-0.3, 2.0])
    for correlation in (-0.95, -0.4, 0.0, 0.6, 0.98):
        exact = [
            [multivariate_normal.cdf([a, b], cov=[[1, correlation], [correlation, 1]]) for b in k]
            for a in h
        ]
        np.testing.assert_allclose(below_both(h, k, correlation), exact, atol=1e-7)


@pytest.mark.parametrize("on", [26, 35, 45])
def test_even_margins_have_a_closed_form(on):
    """Both coders say each of two categories half the time: ρ = sin(2π (p - 1/4))."""
    result = models.polychoric(af.Annotations.from_contingency([[on, 50 - on], [50 - on, on]]))
    assert result.value == pytest.approx(math.sin(2 * math.pi * (on / 100 - 0.25)), abs=1e-7)
    assert result.first == pytest.approx([0], abs=1e-6)
    assert result.likelihood_ratio == pytest.approx(0, abs=1e-8)
    # the delta method, margins known to be even cost nothing here
    error = 2 * math.pi * math.sqrt(1 - result.value**2) * math.sqrt(on / 50 * (1 - on / 50) / 400)
    assert result.standard_error == pytest.approx(error, rel=1e-4)
    reach = 1.959964 * result.standard_error / (1 - result.value**2)
    ends = math.tanh(math.atanh(result.value) - reach), math.tanh(math.atanh(result.value) + reach)
    assert (result.low, result.high) == pytest.approx(ends, rel=1e-6)


def test_a_polychoric_correlation_without_a_value():
    assert models.polychoric([[1, 1], [1, 2], [1, 1]]).undefined.startswith("no variation")
    assert models.polychoric([[1, None], [None, 2], [1, None]]).undefined.startswith("no pairs")
    perfect = models.polychoric([[1, 1], [2, 2], [3, 3]] * 5)
    assert perfect.value == 1
    assert "boundary" in perfect.note
    assert math.isnan(perfect.low)
    with pytest.raises(ValueError, match="compares two coders, got 3"):
        models.polychoric([[1, 2, 1], [2, 2, 2], [1, 1, 1], [1, 2, 2]])
    never = af.Annotations.from_contingency(
        [[0, 0, 0, 0], [0, 9, 0, 2], [0, 0, 0, 0], [0, 3, 0, 8]], categories=[1, 2, 3, 4]
    )
    result = models.polychoric(never)
    assert result.first[0] == -math.inf
    assert result.first[1] == result.first[2]
    assert result.degrees_of_freedom == 0
    assert math.isnan(result.p_value)


def test_equal_slopes():
    data, _ = drawn(n=500)
    equal, own = models.latent_trait(data, equal_slopes=True), models.latent_trait(data)
    assert np.ptp(np.abs(equal.slopes)) < 1e-12
    assert equal.slopes[3] == -equal.slopes[0] < 0
    assert own.n_parameters - equal.n_parameters == 4
    assert own.log_likelihood - equal.log_likelihood > 0
    assert (equal.slope_standard_error == equal.slope_standard_error[0]).all()


def test_categories_that_a_coder_never_used():
    """At an end of the scale the threshold is infinite, within it two are equal."""
    rows = [[1, 2, 1], [1, 2, 2], [2, 2, 2], [3, 4, 3], [4, 4, 4], [3, 2, 4], [4, 4, 3]] * 9
    model = models.latent_trait(
        af.Annotations.from_wide(rows, categories=[1, 2, 3, 4]), n_points=61
    )
    assert model.thresholds[1, 0] == -math.inf
    assert model.thresholds[1, 1] == model.thresholds[1, 2]
    assert np.isfinite(model.thresholds[[0, 2]]).all()
    constant = models.latent_trait([[*row, 4] for row in rows], n_points=61)
    assert math.isnan(constant.slopes[3])
    assert any("used at most one category" in note for note in constant.notes)
    np.testing.assert_allclose(constant.slopes[:3], model.slopes, rtol=1e-5)


def test_what_is_not_identified_is_noted():
    """Too few coders; pairs that share nothing with a third; perfect agreement; no judgments."""
    pairs = [[1, 1, None, None], [2, 2, None, None], [1, 2, None, None], [2, 1, None, None]]
    pairs = pairs * 9 + [row[2:] + row[:2] for row in pairs] * 9
    pairs += [[1, 1, None, None], [None, None, 2, 2]] * 20
    alone = models.latent_trait(pairs)
    assert any("not identified: the slopes of 4 coders" in note for note in alone.notes)
    assert np.isnan(alone.slope_standard_error).all()
    together = models.latent_trait(pairs, equal_slopes=True)
    assert np.isfinite(together.slope_standard_error).all()
    perfect = models.latent_trait([[1, 1, 1], [2, 2, 2]] * 10)
    assert any("largest slope" in note for note in perfect.notes)
    assert models.latent_trait([[1, 2], [1, 1], [1, 2]]).undefined.startswith("too few coders")
    nothing = models.latent_trait([[None, None]] * 3)
    assert nothing.undefined.startswith("no judgments")
    assert math.isnan(nothing.reliability)
    with pytest.raises(ValueError, match="no estimate to draw from"):
        nothing.population()
    with pytest.raises(ValueError, match="order"):
        models.latent_trait([["x", "y"], ["y", "y"], ["x", "x"]])
    with pytest.raises(ValueError, match="link must be"):
        models.latent_trait(pairs, "cloglog")


def test_coarse_points_and_few_iterations_are_said():
    data, _ = drawn(n=500)
    coarse = models.latent_trait(data, n_points=15)
    assert any("too few points" in note for note in coarse.notes)
    early = models.latent_trait(data, max_iterations=2)
    assert not early.converged
    assert "NOT CONVERGED" in repr(early)
    assert models.latent_trait(data).notes == ()


def test_probabilities_keep_their_digits_in_both_tails():
    """Far from the cuts the small probability is not the difference of two ones."""
    from scipy.stats import norm

    graded = Graded(None, None, np.array([0, 3]), links()["probit"])
    P, _ = graded.probabilities(np.array([1.0]), np.array([-1.0, 1.0]), np.array([-9.0, 9.0]))
    middle = norm.cdf(-8.0) - norm.cdf(-10.0)
    assert P[1].tolist() == pytest.approx([middle, middle], rel=1e-9, abs=0)
    assert P[2, 0] == pytest.approx(norm.cdf(-10.0), rel=1e-9, abs=0)
    assert P[:, 1].tolist() == pytest.approx(P[::-1, 0].tolist(), rel=1e-9, abs=0)


def test_thousands_of_judgments_of_an_item_do_not_underflow():
    """A row whose probability is below the least number has a logarithm."""
    from scipy.sparse import csr_matrix

    C = 3000
    first = 2 * np.arange(C + 1)
    said = csr_matrix((np.ones(C), (np.zeros(C, int), first[:-1] + np.arange(C) % 2)), (1, 2 * C))
    graded = Graded(said, np.ones(1), first, links()["logit"])
    slopes, cuts = np.full(C, 0.5), np.zeros(C)
    value, _, _ = graded.log_likelihood(slopes, cuts, 121)
    # half say each: the trait is 0 within 1 / √(C / 16), and there each says either at random
    assert value == pytest.approx(C * math.log(0.5) - 0.5 * math.log(1 + C / 16), abs=0.01)
    mean, deviation = graded.moments(slopes, cuts, 121)
    assert mean == pytest.approx([0], abs=1e-9)
    assert deviation == pytest.approx([1 / math.sqrt(1 + C / 16)], rel=0.01)


def test_the_trait_points_where_most_slopes_do():
    """Two sharp coders against three dull ones, in either direction."""
    slopes = np.array([-2.5, -2.5, 0.8, 0.8, 0.8])
    rng = np.random.default_rng(2)
    seen = rng.standard_normal((1500, 1)) * slopes + rng.standard_normal((1500, 5))
    labels = (seen[:, :, None] > [-0.7, 0.7]).sum(2)
    one, other = (
        models.latent_trait(af.Annotations.from_wide(x), "probit") for x in (labels, 2 - labels)
    )
    for model in (one, other):
        assert model.slopes == pytest.approx(-slopes, abs=0.45)
        assert model.slopes.sum() > 0
    np.testing.assert_allclose(one.slopes, other.slopes, rtol=1e-3)


def test_five_questions_of_an_examination():
    """Bock & Lieberman's (1970) LSAT section 6, as R's ltm prints it (Rizopoulos 2006).

    Equal slopes: log-likelihood, difficulties and slope of pages 10 and 11. Own slopes: those of
    ``ltm(LSAT ~ z1)``, which stops at a gradient of 0.024, so the third decimal may differ.
    """
    counts = [3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15]
    counts += [10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298]
    rows = [[int(x) for x in f"{i:05b}"] for i in range(32)]
    data = af.Annotations.from_wide(rows, weights=counts, categories=[0, 1])
    equal = models.latent_trait(data, equal_slopes=True)
    assert equal.log_likelihood == pytest.approx(-2466.938, abs=5e-4)
    assert equal.slopes == pytest.approx([0.7551] * 5, abs=5e-5)
    assert equal.thresholds[:, 0] == pytest.approx(
        [-3.6153, -1.3224, -0.3176, -1.7301, -2.7802], abs=6e-5
    )
    own = models.latent_trait(data)
    assert own.log_likelihood == pytest.approx(-2466.653, abs=5e-4)
    assert (own.aic, own.bic) == pytest.approx((4953.307, 5002.384), abs=1e-3)
    assert own.slopes == pytest.approx([0.8254, 0.7229, 0.8905, 0.6886, 0.6575], abs=1e-3)
    assert own.thresholds[:, 0] == pytest.approx(
        [-3.3597, -1.3696, -0.2799, -1.8659, -3.1236], abs=3e-3
    )
    assert own.slope_standard_error == pytest.approx(
        [0.2581, 0.1867, 0.2326, 0.1852, 0.2100], abs=3e-4
    )
    assert own.threshold_standard_error[:, 0] == pytest.approx(
        [0.8669, 0.3073, 0.0997, 0.4341, 0.8700], abs=2e-3
    )


def test_judgments_of_one_category_are_not_no_judgments():
    result = models.latent_trait([[1, 1], [1, 1], [1, 1]])
    assert "too few coders" in result.undefined
    result = models.latent_trait([[None, None], [None, None]])
    assert "no judgments" in result.undefined


def test_items_without_judgments_have_no_part_in_the_reliability():
    table = drawn(200)[0].to_wide().tolist()
    judged = models.latent_trait(table).reliability
    more = models.latent_trait(table + [[None] * len(table[0])] * 50)
    assert more.reliability == pytest.approx(judged, rel=1e-9)

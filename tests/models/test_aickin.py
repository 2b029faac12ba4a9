"""Aickin's alpha: closed forms, EM in full, the linear variant, degenerate tables."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
import reference_latent as exact
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import models

contingency = af.Annotations.from_contingency
GWET = [[55, 10, 2], [6, 4, 10], [2, 5, 6]]


def test_gwets_example():
    """Gwet 2014's 3 × 3 table: 0.40466 converged; 0.40455 is what a tolerance of 1e-4 gives."""
    result = models.aickin_alpha(contingency(GWET))
    assert round(result.value, 5) == 0.40466
    assert result.converged
    assert (result.n_items, result.n_items_dropped) == (100, 0)
    assert float(result) == result.value


@given(cells=st.lists(st.integers(1, 60), min_size=4, max_size=4))
def test_two_categories_have_a_closed_form(cells):
    """a = A_o (1 − sqrt(bc / (ad))), 0 where that is negative."""
    a, b, c, d = cells
    result = models.aickin_alpha(contingency([[a, b], [c, d]]))
    expected = (a + d) / sum(cells) * (1 - math.sqrt(b * c / (a * d)))
    assert result.value == pytest.approx(max(0.0, expected), abs=1e-9)
    assert result.degrees_of_freedom == 0
    assert result.likelihood_ratio == pytest.approx(0, abs=1e-8)


squares = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(1, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)


@given(counts=squares)
@examples(40, deadline=None)
def test_the_estimate_reproduces_margins_and_agreement(counts):
    """The likelihood equations of the log-linear model; the likelihood never falls."""
    result = models.aickin_alpha(contingency(counts))
    assert result.converged
    counts = np.array(counts)
    np.testing.assert_allclose(result.expected.sum(0), counts.sum(0), rtol=1e-8)
    np.testing.assert_allclose(result.expected.sum(1), counts.sum(1), rtol=1e-8)
    assert np.trace(result.expected) == pytest.approx(np.trace(counts), rel=1e-8)
    assert (np.diff(result.trace) >= -1e-12 * np.abs(result.trace[1:])).all()
    if result.value > 0:
        cells = exact.aickin_cells(result.value, result.first.tolist(), result.second.tolist())
        np.testing.assert_allclose(result.expected / counts.sum(), cells, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize(
    "counts",
    [GWET, [[20, 5], [10, 15]], [[30, 2, 1, 0], [3, 20, 2, 1], [1, 2, 9, 4], [2, 1, 3, 12]]],
)
def test_it_is_the_em_estimate(counts):
    """EM with the complete data of easy and hard items ends at the same place."""
    a, r, c = exact.aickin_by_em(counts)
    result = models.aickin_alpha(contingency(counts))
    assert result.value == pytest.approx(a, abs=1e-8)
    np.testing.assert_allclose(result.first, r, atol=1e-8)
    np.testing.assert_allclose(result.second, c, atol=1e-8)


SHARES = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


def whole(cells):
    """The smallest table of whole numbers in proportion to fractions."""
    scale = math.lcm(*(p.denominator for row in cells for p in row))
    return [[int(p * scale) for p in row] for row in cells]


@pytest.mark.parametrize("a", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_data_of_the_linear_model_have_one_value_of_a_kappa_and_pi(a):
    """Artstein & Poesio 2005, 6.1: under assumption 4', a = κ = π."""
    data = contingency(whole(exact.linear_cells(a, SHARES)))
    result = models.aickin_alpha(data, "linear")
    assert result.value == pytest.approx(float(a), abs=1e-9)
    assert af.kappa(data).value == pytest.approx(float(a), abs=1e-12)
    assert af.pi(data).value == pytest.approx(float(a), abs=1e-12)
    np.testing.assert_allclose(result.first, [float(p) for p in SHARES], atol=1e-9)
    assert result.likelihood_ratio == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("a", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_data_of_aickins_model_have_a_above_kappa(a):
    """Artstein & Poesio 2005, 6.1: κ ≤ a for equal distributions, equal only if uniform."""
    data = contingency(whole(exact.aickin_cells(a, SHARES, SHARES)))
    result = models.aickin_alpha(data)
    assert result.value == pytest.approx(float(a), abs=1e-9)
    assert af.kappa(data).value < float(a) - 1e-3
    uniform = (Fraction(1, 3),) * 3
    data = contingency(whole(exact.aickin_cells(a, uniform, uniform)))
    assert models.aickin_alpha(data).value == pytest.approx(af.kappa(data).value, abs=1e-9)


@given(counts=squares)
@examples(20, deadline=None)
def test_the_linear_likelihood_never_falls_and_has_its_maximum_there(counts):
    """EM climbs; no a nearby is more likely."""
    result = models.aickin_alpha(contingency(counts), "linear", max_iterations=5000)
    assert (np.diff(result.trace) >= -1e-12 * np.abs(result.trace[1:])).all()
    counts = np.array(counts)

    def likelihood(a, p):
        return float((counts * np.log(exact.linear_cells(a, p))).sum())

    p = result.first
    best = likelihood(result.value, p)
    assert best == pytest.approx(result.log_likelihood, rel=1e-9)
    for a in (result.value - 1e-3, result.value + 1e-3):
        if 0 <= a < 1:
            assert likelihood(a, p) <= best + 1e-7
    for k in range(len(p)):
        moved = p.copy()
        moved[k] += 1e-3
        assert likelihood(result.value, moved / moved.sum()) <= best + 1e-7


@pytest.mark.breadth
@pytest.mark.parametrize("model", ["constant", "linear"])
def test_standard_errors_are_those_of_simulations(model):
    """300 samples of 400 items: their spread is the standard error, their mean the parameter."""
    a, p = 0.5, np.array([0.5, 0.3, 0.2])
    cells = exact.linear_cells(a, p) if model == "linear" else exact.aickin_cells(a, p, p)
    rng = np.random.default_rng(1)
    samples = rng.multinomial(400, np.ravel(cells), 300).reshape(-1, 3, 3)
    result = [models.aickin_alpha(contingency(x), model, tolerance=1e-9) for x in samples]
    values = np.array([x.value for x in result])
    assert values.mean() == pytest.approx(a, abs=4 * values.std() / math.sqrt(300))
    exactly = contingency(np.rint(400_000 * np.array(cells)).astype(int))
    error = models.aickin_alpha(exactly, model).standard_error * math.sqrt(1000)
    assert values.std() == pytest.approx(error, rel=0.15)


def test_two_of_several_coders_and_missing_judgments():
    """Items that one of the two did not judge are counted and left out."""
    rows = [(1, 1, 2), (2, 2, 2), (1, 2, 2), (2, 2, 1), (2, None, 1), (1, 1, 1)]
    data = af.Annotations.from_wide(rows)
    with pytest.raises(ValueError, match=r"data\.select\(coders="):
        models.aickin_alpha(data)
    result = models.aickin_alpha(data.select(coders=[0, 1]), added=1)
    assert (result.n_items, result.n_items_dropped) == (5, 1)
    table = np.array([[2, 1], [0, 2]]) + 0.25
    a, b, c, d = table.ravel()
    assert result.value == pytest.approx((a + d) / 6 * (1 - math.sqrt(b * c / (a * d))), abs=1e-9)


@pytest.mark.parametrize("model", ["constant", "linear"])
def test_perfect_agreement_is_one(model):
    """Without a disagreement every item is easy; there is no standard error at the boundary."""
    result = models.aickin_alpha([[1, 1], [2, 2], [2, 2], [3, 3]], model)
    assert result.value == pytest.approx(1)
    assert math.isnan(result.standard_error)
    np.testing.assert_allclose(result.expected, np.diag([1, 2, 1]), atol=1e-6)


@pytest.mark.parametrize("model", ["constant", "linear"])
def test_systematic_disagreement_is_zero(model):
    """0 is the least value, by definition; κ is negative."""
    data = contingency([[1, 9], [8, 2]])
    result = models.aickin_alpha(data, model)
    assert result.value == pytest.approx(0, abs=1e-9)
    assert result.note.startswith("at the lower bound")
    assert math.isnan(result.standard_error)
    assert af.kappa(data).value < 0


@pytest.mark.parametrize("model", ["constant", "linear"])
def test_one_category_is_undefined(model):
    """Constant data do not separate easy and hard items."""
    result = models.aickin_alpha([[1, 1], [1, 1]], model)
    assert math.isnan(result.value)
    assert result.undefined.startswith("no variation")
    assert "no variation" in repr(result)


def test_no_common_item_is_undefined():
    """No pair of judgments, no estimate."""
    result = models.aickin_alpha([[1, None], [None, 2]])
    assert result.undefined.startswith("no pairs")
    assert math.isnan(result.value)
    assert result.n_items_dropped == 2


def test_empty_cells_may_lead_to_the_boundary():
    """A result that says that it is not converged, and a remedy that works."""
    data = contingency([[20, 0], [10, 15]])
    result = models.aickin_alpha(data, max_iterations=50)
    assert not result.converged
    assert "added=1" in result.note
    assert math.isnan(result.standard_error)
    assert result.n_iterations == 50
    tempered = models.aickin_alpha(data, added=1)
    assert tempered.converged
    assert tempered.value < 35 / 45


def test_a_coder_of_one_category_agrees_by_chance():
    """One coder says the same of everything: a = κ = 0."""
    data = contingency([[5, 6], [0, 0]])
    assert models.aickin_alpha(data).value == 0
    assert af.kappa(data).value == 0


def test_bad_input_is_refused_by_name():
    """Models have names; coders must be two and known."""
    with pytest.raises(ValueError, match=r"model must be .*, not 'quadratic'"):
        models.aickin_alpha([[1, 1], [2, 1]], "quadratic")
    with pytest.raises(ValueError, match="which coder"):
        models.aickin_alpha(af.Annotations.from_counts([[1, 1]]))
    with pytest.raises(ValueError, match=r"added must be .*, not -1"):
        models.aickin_alpha([[1, 1], [2, 1]], added=-1)


def test_the_repr_is_one_line():
    """Value, observed agreement, error, size."""
    text = repr(models.aickin_alpha(contingency(GWET)))
    assert text == (
        "<aickin_alpha(constant) = 0.404659, 95% interval 0.2562 to 0.5729: A_o = 0.65, "
        "standard error 0.08517, 100 items>"
    )


def test_the_interval_is_that_of_a_share_with_the_standard_error():
    """(p − m)² = z² m (1 − m) / n at both ends, where n gives a share this error."""
    result = models.aickin_alpha(contingency(GWET), confidence_level=0.9)
    size = result.value * (1 - result.value) / result.standard_error**2
    z = NormalDist().inv_cdf(0.95)
    for end in result.interval:
        assert (result.value - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / size)
    assert result.low < result.value < result.high

"""Accelerated EM finds the maxima of plain EM in fewer steps and never goes down."""

import csv
import math
from importlib import resources

import numpy as np
import pytest
import reference_latent as exact
from examples import examples
from fits import dawid_skene
from hypothesis import given
from strategies import tables

import agreement_fast as af
from agreement_fast import models
from agreement_fast._kernels import parallel
from agreement_fast.models import em
from agreement_fast.models.em import as_judgments, posteriors
from agreement_fast.models.latent_classes import prepare


def anaesthetists():
    """45 patients and 5 anaesthetists; the first judged three times."""
    path = resources.files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = ([row[name] for row in rows] for name in ("item", "coder", "label"))
    return models.Judgments.from_long(*columns)


def judged(seed, n=300, coders=6, labels=3, missing=0.0, right=0.6):
    """A table of judgments with given shares of right and missing ones."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, (n, 1))
    judgments = np.where(
        rng.random((n, coders)) < right, truth, rng.integers(0, labels, (n, coders))
    )
    judgments[rng.random(judgments.shape) < missing] = -1
    return af.Annotations.from_wide(judgments, missing=-1)


def crowd(seed, n=3000):
    """Lists: five of 300 coders judge each item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (n, 1))
    labels = np.where(rng.random((n, 5)) < 0.6, truth, rng.integers(0, 3, (n, 5)))
    coders = rng.integers(0, 60, (n, 5)) + 60 * np.arange(5)
    return models.Judgments.from_long(np.repeat(np.arange(n), 5), coders.ravel(), labels.ravel())


def once():
    """One coder with one judgment beside three with thirty."""
    rows = [[k % 2, k % 2, (k * k) % 3 % 2, None] for k in range(30)]
    rows[3][3] = 1
    return af.Annotations.from_wide(rows)


DATA = {
    "anaesthetists": anaesthetists,
    "complete": lambda: judged(1),
    "a third missing": lambda: judged(2, missing=0.35),
    "mostly missing": lambda: judged(3, n=600, coders=10, missing=0.7),
    "crowd": lambda: crowd(4),
    "one judgment": once,
    "unused": lambda: af.Annotations.from_wide([[1, 1], [2, 2]] * 4, categories=[1, 2, 3]),
    "one category": lambda: af.Annotations.from_wide([[7, 7], [7, None]]),
    "agreement": lambda: af.Annotations.from_wide([[k % 3] * 4 for k in range(20)]),
    "one item": lambda: af.Annotations.from_wide([[1, 2, 1]], coders=["x", "y", "z"]),
    "one coder": lambda: af.Annotations.from_wide([[1], [2], [1]]),
}


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("name", DATA)
def test_the_maximum_is_that_of_plain_em(name, smoothing):
    """Run until nothing rises: the same likelihood and the same estimates."""
    options = {"smoothing": smoothing, "tolerance": 1e-15, "max_iterations": 20_000}
    data = DATA[name]()
    plain = dawid_skene(data, **options)
    fast = dawid_skene(data, accelerate=True, **options)
    assert fast.converged
    assert fast.trace[-1] == pytest.approx(plain.trace[-1], rel=1e-11, abs=1e-11)
    np.testing.assert_allclose(fast.shares, plain.shares, atol=1e-5)
    np.testing.assert_allclose(fast.confusion, plain.confusion, atol=1e-4)
    np.testing.assert_allclose(fast.posterior, plain.posterior, atol=1e-4)
    assert fast.labels.tolist() == plain.labels.tolist()
    assert (np.diff(fast.trace) >= -1e-12 * (1 + np.abs(fast.trace[1:]))).all()


@pytest.mark.parametrize("name", DATA)
def test_it_stops_no_lower_than_plain_em_at_the_same_tolerance(name):
    """And not later, but for the steps that were taken back."""
    data = DATA[name]()
    plain, fast = (dawid_skene(data, accelerate=x) for x in (False, True))
    assert fast.converged
    assert fast.log_likelihood >= plain.log_likelihood - 1e-10 * abs(plain.log_likelihood)
    assert fast.n_iterations <= plain.n_iterations + 3


def test_slow_models_take_a_third_of_the_steps():
    """Summed over starts of four classes for three: plain EM creeps along ridges."""
    data = judged(5, n=400, coders=6, labels=2, right=0.7)
    problem, _ = prepare(as_judgments(data, "test"), 4)
    options = {"smoothing": 0.0, "tolerance": 1e-12, "max_iterations": 50_000}
    steps, reached = [], []
    for accelerate in (False, True):
        fits = []
        for seed in range(10):
            table = np.random.default_rng(seed).dirichlet(np.ones(2), (6, 4))
            start = em.Parameters.of(np.full(4, 0.25), table)
            fits.append(em.em(problem, start, em.Settings(**options), accelerate=accelerate))
        steps.append(sum(fit.n_iterations for fit in fits))
        reached.append(max(fit.reached for fit in fits))
    assert steps[1] < steps[0] / 3
    assert reached[1] >= reached[0] - 1e-9


@given(table=tables("words", most_coders=4))
@examples(30, deadline=None)
@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_every_value_on_the_way_is_the_references(smoothing, table):
    """Steps, leaps, those taken back, their limits: 14 values against plain Python."""
    code = {label: k for k, label in enumerate(table.order)}
    rows, weights = [], []
    for row, weight in zip(table.rows, table.frequencies, strict=True):
        pairs = [(c, code[label]) for c, label in enumerate(row) if label is not None]
        if pairs and weight:
            rows.append(pairs)
            weights.append(weight)
    if not rows:
        return
    data = af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )
    result = dawid_skene(
        data, smoothing=smoothing, tolerance=0, max_iterations=14, accelerate=True
    ).trace
    expected = exact.ascend(rows, weights, table.n_coders, len(code), 14, smoothing)
    scale = 1 + abs(expected[-1])
    # where nothing is left to gain rounding decides what is a leap: both are at the top
    assert result == pytest.approx(expected[: len(result)], rel=1e-7, abs=1e-7 * scale)
    assert result[-1] == pytest.approx(expected[-1], rel=1e-6, abs=1e-6 * scale)


@pytest.mark.parametrize("seed", [2, 3, 8, 15, 35])
def test_every_value_on_a_long_way_is_the_references(seed):
    """Data on which leaps are taken back: the value stays."""
    data = judged(seed, n=40, coders=4, labels=3, missing=0.2, right=0.5)
    rows = [[(c, int(k)) for c, k in enumerate(row) if k >= 0] for row in data.rows.table()]
    rows = [row for row in rows if row]
    model = dawid_skene(data, tolerance=0, max_iterations=30, accelerate=True)
    assert len(model.trace) == 31
    assert (np.diff(model.trace) == 0).any()
    assert model.trace == pytest.approx(exact.ascend(rows, [1] * len(rows), 4, 3, 30), rel=1e-8)


@pytest.mark.parametrize("most", range(30))
def test_the_result_fits_any_last_step(most):
    """The likelihood is that of the estimates, and the number of iterations is right."""
    data = judged(3, n=40, coders=4, labels=3, missing=0.2, right=0.5)
    model = dawid_skene(data, tolerance=0, max_iterations=most, accelerate=True)
    assert model.n_iterations == most
    assert model.trace[-1] == model.log_likelihood
    _, logs = posteriors(model.problem.rows, model.fitted)
    assert math.fsum(logs * model.problem.weights) == pytest.approx(model.log_likelihood, rel=1e-13)


@given(table=tables("words"))
@examples(60, deadline=None)
def test_the_likelihood_never_falls(table):
    """To the last step, with two classes of random starts as well."""
    data = af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )
    for model in (
        dawid_skene(data, tolerance=0, max_iterations=200, accelerate=True),
        models.latent_classes(data, 2, n_restarts=1, rng=1, max_iterations=200),
    ):
        assert (np.diff(model.trace) >= -1e-12 * (1 + np.abs(model.trace[1:]))).all()
        assert not (model.probabilities < 0).any()
        if model.undefined is None:
            assert model.shares.sum() == pytest.approx(1)


def test_results_do_not_depend_on_threads_nor_much_on_pieces(monkeypatch):
    """The same leaps, in Python over several pieces or in the kernel over one."""
    data = crowd(7)
    options = {"smoothing": 0.1, "max_iterations": 25, "tolerance": 0, "accelerate": True}
    whole = dawid_skene(data, **options)
    monkeypatch.setattr(em, "PIECE", 1 << 12)
    monkeypatch.setattr(parallel, "SMALL", 0)
    result = []
    for threads in (1, 2):
        monkeypatch.setattr(parallel, "available", lambda n=threads: n)
        result.append(dawid_skene(data, **options))
    one, two = result
    assert np.array_equal(one.trace, two.trace)
    assert np.array_equal(one.confusion, two.confusion)
    assert np.array_equal(one.posterior, two.posterior)
    np.testing.assert_allclose(whole.trace, one.trace, rtol=1e-9)
    np.testing.assert_allclose(whole.confusion, one.confusion, rtol=1e-5, atol=1e-8)

"""Standard errors of the models: the information against second differences, the bootstraps."""

import math

import numpy as np
import pytest
import reference_latent as exact
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import models
from agreement_fast.models import uncertainty


def some_judgments(seed=1, n=60, coders=3, labels=3, missing=0.0):
    """Judgments by coders who are right two times in three."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, (n, 1))
    judgments = np.where(
        rng.random((n, coders)) < 0.65, truth, rng.integers(0, labels, (n, coders))
    )
    judgments[rng.random(judgments.shape) < missing] = -1
    return judgments


def softmax(logits):
    """Probabilities from logits, the last being 0."""
    powers = [math.exp(x) for x in logits]
    return [x / sum(powers) for x in powers]


def negative_log_likelihood(said, n_classes, n_labels, smoothing):
    """−ln L of free logits: shares first, then class by class, coder by coder."""
    rows = [[(c, k) for c, k in enumerate(row) if k >= 0] for row in said.tolist()]
    n_coders = said.shape[1]

    def value(x):
        x = list(x)
        shares = softmax([*x[: n_classes - 1], 0.0])
        x = x[n_classes - 1 :]
        by_class = []
        for _ in range(n_classes):
            by_class.append([])
            for _ in range(n_coders):
                by_class[-1].append(softmax([*x[: n_labels - 1], 0.0]))
                x = x[n_labels - 1 :]
        tables = [[by_class[t][c] for t in range(n_classes)] for c in range(n_coders)]
        penalty = smoothing * sum(math.log(p) for c in tables for t in c for p in t)
        return -exact.log_likelihood(rows, [1] * len(rows), shares, tables) - penalty

    return value


@pytest.mark.parametrize(("missing", "smoothing"), [(0.0, 0.0), (0.3, 0.0), (0.2, 0.7)])
def test_the_information_is_the_second_derivative(missing, smoothing):
    """Louis 1982 against second differences of −ln L, at any parameters."""
    T, C, K = 2, 3, 3
    labels = some_judgments(missing=missing)
    data = af.Annotations.from_wide(labels, missing=-1)
    model = models.latent_classes(
        data, T, rng=1, n_restarts=0, max_iterations=3, smoothing=smoothing
    )
    layout = uncertainty.Layout.of(model.shares, model.probabilities)
    result = uncertainty.observed_information(model.problem, model.fitted, layout, smoothing)
    # the package takes each distribution's largest probability for reference; so does this
    logits, places = [], []
    for p in [model.shares, *(model.probabilities[c, t] for t in range(T) for c in range(C))]:
        order = [k for k in range(len(p)) if k != p.argmax()]
        logits += [math.log(p[k] / p.max()) for k in order]
        places.append([*order, int(p.argmax())])

    def value(x):
        # logits of the reference order, handed on in the order of the labels
        out, x = [], list(x)
        for order in places:
            own = dict(zip(order, [*x[: len(order) - 1], 0.0], strict=True))
            x = x[len(order) - 1 :]
            last = own[len(order) - 1]
            out += [own[k] - last for k in range(len(order) - 1)]
        return plain(out)

    plain = negative_log_likelihood(labels, T, K, smoothing)
    assert layout.n == len(logits) == 1 + T * C * (K - 1)
    rng = np.random.default_rng(0)
    pairs = {(i, i) for i in range(layout.n)}
    pairs |= {tuple(rng.integers(0, layout.n, 2).tolist()) for _ in range(40)}
    for i, j in sorted(pairs):
        expected = exact.second_derivative(value, logits, i, j, 1e-3)
        assert result[i, j] == pytest.approx(expected, abs=2e-4 * np.abs(result).max())


def test_one_class_has_the_errors_of_proportions():
    """T = 1: sqrt(p (1 − p) / n), known in closed form."""
    labels = some_judgments(n=200)
    model = models.latent_classes(labels, 1)
    result = model.standard_errors()
    p = model.probabilities
    np.testing.assert_allclose(result.probabilities, np.sqrt(p * (1 - p) / 200), rtol=1e-10)


@pytest.mark.breadth
@pytest.mark.parametrize("method", ["bootstrap", "parametric"])
def test_the_bootstraps_agree_with_the_information(method):
    """2,000 items, nothing on the boundary: three ways to the same uncertainty."""
    labels = some_judgments(seed=2, n=2000, coders=5, labels=2)
    model = dawid_skene(labels)
    one = model.standard_errors()
    two = model.standard_errors(method, n_resamples=150, rng=1)
    assert two.n_unconverged == 0
    np.testing.assert_allclose(two.shares, one.shares, rtol=0.25)
    np.testing.assert_allclose(two.probabilities, one.probabilities, rtol=0.3)
    again = model.standard_errors(method, n_resamples=150, rng=1)
    assert np.array_equal(two.probabilities, again.probabilities)


@pytest.mark.parametrize("method", uncertainty.METHODS)
def test_lists_with_repeats_have_errors_too(method):
    """Judgments of a coder may repeat; tables and lists give the same information."""
    labels = some_judgments(seed=3, n=150, coders=4)
    items = np.repeat(np.arange(150), 4)
    coders = np.tile(np.arange(4), 150)
    lists = models.Judgments.from_long(items, coders, labels.ravel())
    table = dawid_skene(labels).standard_errors(method, n_resamples=5, rng=2)
    listed = dawid_skene(lists).standard_errors(method, n_resamples=5, rng=2)
    if method == "information":
        np.testing.assert_allclose(listed.shares, table.shares, rtol=1e-6)
        np.testing.assert_allclose(listed.probabilities, table.probabilities, rtol=1e-5)
    twice = models.Judgments.from_long(
        np.tile(items, 2), np.tile(coders, 2), np.concatenate([labels.ravel(), labels.ravel()])
    )
    result = dawid_skene(twice).standard_errors(method, n_resamples=5, rng=2)
    assert result.probabilities.shape == (4, 3, 3)
    assert result.undefined is None or method == "information"


def test_the_boundary_has_no_errors():
    """Probabilities of 0 and 1 are left out of the information, and counted."""
    model = dawid_skene([[1, 1, 1]] * 20 + [[2, 2, 2]] * 10 + [[2, 2, 1]] * 5)
    result = model.standard_errors()
    assert result.n_boundary > 0
    assert np.isnan(result.probabilities[0]).all()
    assert result.probabilities[2, 1, 0] == pytest.approx(math.sqrt(2 / 9 / 15), rel=1e-6)
    assert result.shares[0] == pytest.approx(math.sqrt(20 * 15 / 35**3), rel=1e-6)


def test_what_is_not_identified_is_said():
    """More parameters than data: no errors, and why."""
    model = models.latent_classes(some_judgments(n=12, coders=2, labels=2), 3, rng=1)
    result = model.standard_errors()
    assert result.undefined.startswith("not identified")
    assert np.isnan(result.shares).all()
    assert "not identified" in repr(result)


def test_too_many_parameters_for_a_matrix(monkeypatch):
    """The remedy is named."""
    monkeypatch.setattr(uncertainty, "MOST_PARAMETERS", 5)
    result = dawid_skene(some_judgments()).standard_errors()
    assert result.undefined.startswith("too many parameters")
    assert "bootstrap" in result.undefined


def test_coders_without_judgments_have_no_errors():
    """NaN where nothing was estimated, and for no judgments at all."""
    labels = np.column_stack([some_judgments(n=80), np.full(80, -1)])
    data = af.Annotations.from_wide(labels, missing=-1)
    model = dawid_skene(data)
    for method in uncertainty.METHODS:
        result = model.standard_errors(method, n_resamples=4, rng=1)
        assert np.isnan(result.probabilities[3]).all()
        assert np.isfinite(result.shares).all()
    nothing = dawid_skene([[None, None], [None, None]]).standard_errors()
    assert nothing.undefined.startswith("no judgments")


def test_weights_too_heavy_to_draw_judgments_are_refused():
    """Distinct rows of any weight can be drawn, but not single judgments."""
    heavy = af.Annotations.from_wide([[1, 1], [2, 1], [2, 2]], weights=[10**12, 1, 10**12])
    model = dawid_skene(heavy)
    with pytest.raises(ValueError, match="method='bootstrap' draws distinct rows"):
        model.standard_errors("parametric")
    result = model.standard_errors("bootstrap", n_resamples=5, rng=1)
    assert result.shares == pytest.approx([0.5 / math.sqrt(2e12)] * 2, rel=0.9)


def test_bad_options_are_refused(capsys):
    """Methods have names; two resamples are the least that vary. The bar is drawn on request."""
    model = dawid_skene(some_judgments())
    with pytest.raises(ValueError, match=r"method must be .*, not 'jackknife'"):
        model.standard_errors("jackknife")
    with pytest.raises(ValueError, match=r"n_resamples must be .*, not 1"):
        model.standard_errors("bootstrap", n_resamples=1)
    with pytest.raises(TypeError, match=r"rng must be .*, not 'seed'"):
        model.standard_errors("bootstrap", rng="seed")
    model.standard_errors("bootstrap", n_resamples=2, rng=1, progress=True)
    assert "bootstrap" in capsys.readouterr().err

"""Dawid & Skene 1979: their own estimates, exact EM, degenerate data, threads."""

import csv
import math
from fractions import Fraction
from importlib import resources

import numpy as np
import pytest
import reference_latent as exact
from examples import examples
from fits import dawid_skene
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import tables

import agreement_fast as af
from agreement_fast import models
from agreement_fast._kernels import parallel
from agreement_fast.models import em


def anaesthetists():
    """45 patients and 5 anaesthetists; the first judged three times (their table 1)."""
    path = resources.files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return models.Judgments.from_long(
        [row["item"] for row in rows],
        [row["coder"] for row in rows],
        [int(row["label"]) for row in rows],
    )


# ---------------------------------------------------------------- the paper


def test_the_papers_estimates():
    """Dawid & Skene 1979, tables 2, 3 and 4, to the printed digits."""
    model = dawid_skene(anaesthetists())
    assert model.converged
    assert model.shares.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert model.confusion[0].round(2).tolist() == [
        [0.89, 0.11, 0.00, 0.00],
        [0.07, 0.88, 0.05, 0.00],
        [0.00, 0.34, 0.66, 0.00],
        [0.00, 0.00, 0.56, 0.44],
    ]
    assert model.items[:6] == ["p1", "p2", "p3", "p4", "p5", "p6"]
    assert model.posterior[:6].round(2).tolist() == [
        [1, 0, 0, 0],
        [0, 0, 0, 1],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
    ]
    assert model.labels[:6].tolist() == [1, 4, 2, 2, 2, 2]
    assert (model.n_items, model.n_judgments) == (45, 315)


def test_the_papers_estimates_are_not_the_best_optimum():
    """From the votes, EM stops at -192.89; random starts reach -191.57, by hand the same."""
    model = dawid_skene(anaesthetists())
    again = dawid_skene(anaesthetists(), n_restarts=8, rng=1)
    assert model.log_likelihood == pytest.approx(-192.8909, abs=1e-4)
    assert again.log_likelihood == pytest.approx(-191.5689, abs=1e-4)
    assert again.n_starts == 9
    assert 1 <= again.n_best_starts < 9
    by_hand = 0.0
    data = anaesthetists()
    table = data.to_dict()
    for item in data.items:
        shares = again.shares.copy()
        for i, coder, label in zip(table["item"], table["coder"], table["label"], strict=True):
            if i == item:
                shares = shares * again.confusion[data.coders.index(coder), :, label - 1]
        by_hand += math.log(shares.sum())
    assert again.log_likelihood == pytest.approx(by_hand, abs=1e-9)


def test_repeated_judgments_differ_from_three_coders():
    """The three rounds of one coder share a matrix; as three coders they have one each."""
    model = dawid_skene(anaesthetists())
    assert model.n_parameters == 3 + 5 * 4 * 3
    assert len(model.coders) == 5


# ---------------------------------------------------------------- exact arithmetic


def as_rows(table):
    """The rows of a table that have judgments as pairs, their weights, and the labels' order."""
    code = {label: k for k, label in enumerate(table.order)}
    rows, weights = [], []
    for row, weight in zip(table.rows, table.frequencies, strict=True):
        pairs = [(c, code[label]) for c, label in enumerate(row) if label is not None]
        if pairs and weight:
            rows.append(pairs)
            weights.append(weight)
    return rows, weights


def annotations(table):
    """A table of the strategies as the package takes it."""
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )


def close(result, expected, tolerance=1e-12):
    """Compare arrays with nested fractions; None is NaN throughout."""
    expected = np.array(
        [
            [[math.nan] * result.shape[-1] if row is None else [float(x) for x in row] for row in t]
            for t in expected
        ]
    )
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=1e-15)


@pytest.mark.few("0-2")
@pytest.mark.parametrize(("smoothing", "most"), [(0, 2), (Fraction(1, 2), 1)])
@given(table=tables("words", most_coders=4), data=st.data())
@examples(60)
def test_every_iteration_is_the_papers(smoothing, most, table, data):
    """Shares, tables, posteriors and likelihood after a few iterations, against fractions."""
    rows, weights = as_rows(table)
    n_iterations = data.draw(st.integers(0, most))
    model = dawid_skene(
        annotations(table), smoothing=float(smoothing), tolerance=0, max_iterations=n_iterations
    )
    if not rows:
        assert model.undefined.startswith("no judgments")
        return
    # (Where nothing is left to gain the package stops early, at the same place.)
    K, C = len(table.order), table.n_coders
    shares, result = exact.dawid_skene(rows, weights, C, K, n_iterations, smoothing)
    np.testing.assert_allclose(model.shares, [float(x) for x in shares], rtol=1e-10, atol=1e-13)
    close(model.probabilities, result, 1e-10)
    likelihood = exact.log_likelihood(rows, weights, shares, result)
    assert model.log_likelihood == pytest.approx(likelihood, rel=1e-11, abs=1e-11)
    posterior = model.posterior[
        [
            i
            for i, (row, w) in enumerate(zip(table.rows, table.frequencies, strict=True))
            if w and any(label is not None for label in row)
        ]
    ]
    expected = [[float(x) for x in p] for p in exact.expect(rows, shares, result)]
    np.testing.assert_allclose(posterior, expected, rtol=1e-9, atol=1e-12)


@given(table=tables("words"), smoothing=st.sampled_from([0.0, 0.01, 1.0]))
@examples(60)
def test_the_likelihood_never_falls(table, smoothing):
    """Dempster, Laird & Rubin 1977: EM climbs; the penalised one with smoothing."""
    trace = dawid_skene(annotations(table), smoothing=smoothing).trace
    assert (np.diff(trace) >= -1e-12 * (1 + np.abs(trace[1:]))).all()


@given(table=tables("words", declared=True), seed=st.integers(0, 2**16))
@examples(40)
def test_order_of_items_and_coders_does_not_matter(table, seed):
    """Permuted items and coders give permuted estimates."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(table.rows))
    columns = rng.permutation(table.n_coders)
    one = dawid_skene(annotations(table), max_iterations=20)
    weights = None if table.weights is None else [table.weights[i] for i in rows]
    two = dawid_skene(
        af.Annotations.from_wide(
            [[table.rows[i][c] for c in columns] for i in rows],
            categories=table.categories,
            coders=columns.tolist(),
            weights=weights,
        ),
        max_iterations=20,
    )
    np.testing.assert_allclose(two.shares, one.shares, atol=1e-9)
    np.testing.assert_allclose(two.confusion, one.confusion[columns], atol=1e-9)
    np.testing.assert_allclose(two.posterior, one.posterior[rows], atol=1e-9)


def test_lists_tables_and_weights_say_the_same():
    """A million-coder list, a table, and patterns with weights are one model."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, (200, 1))
    table = np.where(rng.random((200, 4)) < 0.7, truth, rng.integers(0, 3, (200, 4)))
    gone = rng.random(table.shape) < 0.2
    wide = af.Annotations.from_wide(np.where(gone, -1, table), missing=-1)
    items, coders = np.nonzero(~gone)
    lists = models.Judgments.from_long(items, coders, table[~gone])
    patterns = wide.patterns()
    grouped = af.Annotations.from_wide(
        patterns.codes, missing=-1, weights=patterns.weights, categories=wide.categories
    )
    fits = [dawid_skene(data) for data in (wide, lists, grouped)]
    for model in nonempty(fits[1:]):
        np.testing.assert_allclose(model.confusion, fits[0].confusion, rtol=1e-9, atol=1e-12)
        assert model.log_likelihood == pytest.approx(fits[0].log_likelihood, rel=1e-12)
        assert model.n_items == fits[0].n_items


# ---------------------------------------------------------------- simulations


def simulated(seed, n_items, n_coders, shares, confusion):
    """Items, their true classes, and what coders with given confusion matrices say."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n_items, p=shares)
    labels = np.empty((n_items, n_coders), np.int8)
    for c in range(n_coders):
        bounds = np.cumsum(confusion[c], axis=1)[truth]
        labels[:, c] = (rng.random((n_items, 1)) > bounds).sum(1)
    return truth, labels


def test_known_parameters_are_recovered():
    """Shares and confusion matrices of 20,000 simulated items, within four standard errors."""
    rng = np.random.default_rng(0)
    shares = np.array([0.5, 0.3, 0.2])
    confusion = np.stack(
        [0.75 * np.eye(3) + 0.25 * rng.dirichlet(np.full(3, 8), 3) for _ in range(5)]
    )
    truth, said = simulated(1, 20_000, 5, shares, confusion)
    model = dawid_skene(said)
    assert model.converged
    errors = model.standard_errors()
    assert (np.abs(model.shares - shares) < 4 * errors.shares).all()
    assert (np.abs(model.confusion - confusion) < 4 * errors.probabilities).all()
    assert (errors.probabilities < 0.03).all()
    majority = np.array([np.bincount(row, minlength=3).argmax() for row in said])
    assert (model.modal_classes == truth).mean() > (majority == truth).mean()


def test_a_coder_who_swaps_labels_is_as_good_as_one_who_does_not():
    """A confusion matrix says how to read a coder: consistent exchange costs nothing."""
    confusion = np.array([[[0.95, 0.05], [0.05, 0.95]]] * 3 + [[[0.05, 0.95], [0.95, 0.05]]])
    truth, said = simulated(2, 5000, 4, [0.5, 0.5], confusion)
    model = dawid_skene(said)
    assert model.confusion[3, 0, 1] > 0.93
    assert (model.modal_classes == truth).mean() > 0.98


# ---------------------------------------------------------------- underflow, threads, scale


def test_products_of_many_probabilities_do_not_underflow():
    """2,000 judgments an item, likely ones and unlikely ones: far below the least float."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, (30, 1))
    labels = np.where(rng.random((30, 2000)) < 0.2, truth, rng.integers(2, 12, (30, 2000)))
    data = af.Annotations.from_wide(labels, coders=range(2000))
    model = dawid_skene(data, smoothing=0.5, max_iterations=3, tolerance=0)
    assert math.isfinite(model.log_likelihood)
    assert model.log_likelihood < 30 * math.log(5e-324)
    np.testing.assert_allclose(model.posterior.sum(1), 1, rtol=1e-12)
    assert (np.diff(model.trace) >= 0).all()


def test_results_do_not_depend_on_threads(monkeypatch):
    """Pieces are cut by the amount of work, so sums are added in one order."""
    rng = np.random.default_rng(5)
    coders = rng.integers(0, 50, (4000, 6)) + 50 * np.arange(6)
    truth = rng.integers(0, 3, (4000, 1))
    labels = np.where(rng.random((4000, 6)) < 0.7, truth, rng.integers(0, 3, (4000, 6)))
    data = models.Judgments.from_long(np.repeat(np.arange(4000), 6), coders.ravel(), labels.ravel())
    monkeypatch.setattr(em, "PIECE", 1 << 13)
    monkeypatch.setattr(parallel, "SMALL", 0)
    result = []
    for threads in (1, 2):
        monkeypatch.setattr(parallel, "available", lambda n=threads: n)
        result.append(dawid_skene(data, smoothing=0.1, max_iterations=7, tolerance=0))
    one, two = result
    assert np.array_equal(one.confusion, two.confusion)
    assert np.array_equal(one.trace, two.trace)
    assert np.array_equal(one.posterior, two.posterior)
    monkeypatch.setattr(em, "PIECE", 1 << 40)
    whole = dawid_skene(data, smoothing=0.1, max_iterations=7, tolerance=0)
    np.testing.assert_allclose(whole.confusion, one.confusion, rtol=1e-10)
    np.testing.assert_allclose(whole.trace, one.trace, rtol=1e-12)


def test_thousands_of_coders_with_a_few_judgments_each():
    """A crowd: lists, coders with one judgment, more items than are compared for equality."""
    rng = np.random.default_rng(6)
    n = 20_000
    coders = (rng.zipf(1.4, (n, 3)) % 3000) * 3 + np.arange(3)
    truth = rng.integers(0, 2, (n, 1))
    labels = np.where(rng.random((n, 3)) < 0.8, truth, 1 - truth)
    data = af.Annotations.from_long(np.repeat(np.arange(n), 3), coders.ravel(), labels.ravel())
    model = dawid_skene(data, smoothing=0.5)
    assert (model.modal_classes == truth[:, 0]).mean() > 0.85
    assert any("judged once" in note for note in model.notes)
    assert not any(note.startswith("too many parameters") for note in model.notes)
    assert np.isfinite(model.confusion).all()


# ---------------------------------------------------------------- degenerate data


def test_constant_data_have_one_class():
    """One category: nothing to tell apart, and nothing fails."""
    model = dawid_skene([[7, 7], [7, None]])
    assert model.shares.tolist() == [1.0]
    assert model.log_likelihood == 0
    assert model.labels.tolist() == [7, 7]
    assert model.converged
    assert math.isnan(model.degrees_of_freedom)


def test_a_declared_category_that_nobody_used_is_an_empty_class():
    """Its share is 0, its distributions are unknown, and the result says so."""
    data = af.Annotations.from_wide([["a", "a"], ["b", "b"]], categories=["a", "b", "c"])
    model = dawid_skene(data)
    assert model.shares.tolist() == [0.5, 0.5, 0.0]
    assert np.isnan(model.confusion[:, 2]).all()
    assert model.posterior[:, 2].tolist() == [0, 0]
    assert any("nobody used the categories 'c'" in note for note in model.notes)
    assert any("1 of 3 classes are empty" in note for note in model.notes)
    smoothed = dawid_skene(data, smoothing=1.0)
    np.testing.assert_allclose(smoothed.confusion[:, 2], 1 / 3)


def test_items_and_coders_without_judgments():
    """They are counted, not used; such an item has the shares for its posterior."""
    model = dawid_skene([[1, 2, None], [1, 1, None], [None, None, None]])
    assert (model.n_items, model.n_items_dropped, model.n_judgments) == (2, 1, 4)
    assert np.isnan(model.confusion[2]).all()
    np.testing.assert_allclose(model.posterior[2], model.shares)
    assert any("1 coder judged nothing and has no" in note for note in model.notes)
    assert model.n_parameters == 1 + 2 * 2


def test_items_of_weight_0_that_the_model_excludes_have_no_label():
    """Nobody who weighs ever disagreed, so that no class explains who does."""
    data = af.Annotations.from_wide([[1, 1], [2, 1], [2, 2]], weights=[5, 0, 5])
    model = dawid_skene(data)
    assert model.labels.tolist() == [1, None, 2]
    assert model.modal_classes.tolist() == [0, -1, 1]
    assert np.isnan(model.posterior).all(1).tolist() == [False, True, False]
    smoothed = dawid_skene(data, smoothing=0.1)
    assert smoothed.posterior.sum(1) == pytest.approx([1, 1, 1])


def test_no_judgments_at_all_are_undefined():
    """A well-formed table without judgments gives NaN and the reason."""
    model = dawid_skene([[None, None], [None, None]])
    assert model.undefined.startswith("no judgments")
    assert math.isnan(model.log_likelihood)
    assert math.isnan(model.bic)
    assert model.posterior.shape == (2, 0)
    assert model.labels.tolist() == [None, None]
    assert "no judgments" in repr(model)
    assert "no judgments" in str(model)


def test_not_converged_is_said():
    """Too few iterations: a result, marked."""
    model = dawid_skene(anaesthetists(), max_iterations=2)
    assert not model.converged
    assert "NOT CONVERGED" in repr(model)
    assert any(note.startswith("not converged: iteration 2") for note in model.notes)
    assert len(model.trace) == 3
    start = dawid_skene(anaesthetists(), max_iterations=0)
    assert any(note.startswith("not converged: there was no iteration") for note in start.notes)


def test_fewer_judgments_than_parameters_are_said():
    """Two judgments of each coder do not tell matrices of six probabilities."""
    data = af.Annotations.from_wide([["a", "b", "c"], ["c", "b", "a"]], coders=["x", "y", "z"])
    notes = dawid_skene(data).notes
    assert any(note.startswith("too many parameters: 20 prob") for note in notes)
    assert any("from 6 judgments" in note for note in notes)


def test_fit_statistics_need_complete_data():
    """G² and χ² compare whole contingency tables; else they are NaN with a reason."""
    model = dawid_skene([[1, 2], [1, None]])
    assert math.isnan(model.likelihood_ratio)
    assert math.isnan(model.chi_square)
    assert math.isnan(model.p_value)
    assert model.fit_undefined.startswith("incomplete")
    assert dawid_skene(anaesthetists()).fit_undefined.startswith("incomplete")


def test_bad_input_is_refused_by_name():
    """Counts without coders, negative options, fractions for counts."""
    counts = af.Annotations.from_counts([[2, 0], [1, 1]])
    with pytest.raises(ValueError, match="needs to know which coder"):
        dawid_skene(counts)
    with pytest.raises(ValueError, match=r"smoothing must be .*, not -1"):
        dawid_skene([[1, 1]] * 3, smoothing=-1)
    with pytest.raises(ValueError, match=r"tolerance must be .*, not nan"):
        dawid_skene([[1, 1]] * 3, tolerance=math.nan)
    with pytest.raises(TypeError, match=r"max_iterations must be .*, not 2\.5"):
        dawid_skene([[1, 1]] * 3, max_iterations=2.5)
    with pytest.raises(ValueError, match="items has 1 entries, labels has 2"):
        models.Judgments.from_long(["i"], ["a", "b"], [1, 2])
    with pytest.raises(ValueError, match="label 'z' of judgment 0"):
        models.Judgments.from_long(["i"], ["a"], ["z"], categories=["x", "y"])


def test_tables_that_no_memory_holds_are_refused():
    """10,000 coders of 1,000 categories: the message says what to do."""
    said = np.arange(10_000) % 1000
    data = models.Judgments.from_long(np.arange(10_000), np.arange(10_000), said)
    with pytest.raises(ValueError, match="merge categories"):
        dawid_skene(data)


def test_restarts_are_repeatable():
    """The same seed, the same model."""
    rng = np.random.default_rng(8)
    data = rng.integers(0, 3, (60, 4))
    one, two = (dawid_skene(data, n_restarts=3, rng=5) for _ in range(2))
    assert np.array_equal(one.confusion, two.confusion)
    assert one.log_likelihood >= dawid_skene(data).log_likelihood


def test_a_start_that_stops_at_another_optimum_is_told():
    """Random labels have many optima: the start from the votes is not the best one."""
    data = np.random.default_rng(30).integers(0, 3, (40, 5))
    from_votes = dawid_skene(data)
    assert not [note for note in from_votes.notes if "optimum" in note]
    result = af.aggregate(data, "dawid_skene")
    assert result.log_likelihood > from_votes.log_likelihood + 1
    (note,) = [note for note in result.notes if "optimum" in note]
    assert f"{from_votes.log_likelihood:.2f} against {result.log_likelihood:.2f}" in note
    assert (result.model.n_starts, result.model.n_best_starts) == (5, 1)
    # where it went on to the tolerance, and the trace never falls
    assert np.diff(result.model.trace).min() >= 0
    assert np.diff(result.model.trace)[-1] <= 1e-10 * abs(result.log_likelihood)
    assert len(result.model.trace) == result.model.n_iterations + 1
    # where all starts reach one optimum, it is that from the votes
    data = [["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "y", "x"]] * 5
    alike = af.aggregate(data, "dawid_skene")
    assert not [note for note in alike.notes if "optimum" in note]
    assert alike.model.n_best_starts == 5
    assert alike.log_likelihood == dawid_skene(data).log_likelihood


def test_restarts_share_the_iterations():
    """What a start may take holds for both of its parts."""
    data = np.random.default_rng(30).integers(0, 3, (40, 5))
    assert dawid_skene(data, n_restarts=4, max_iterations=20).n_iterations <= 20


def test_the_bar_is_shown_on_request(capsys):
    """`progress=True` draws on stderr, and changes nothing."""
    quiet = dawid_skene(anaesthetists())
    assert capsys.readouterr().err == ""
    shown = dawid_skene(anaesthetists(), progress=True)
    assert "Dawid-Skene" in capsys.readouterr().err
    assert np.array_equal(quiet.confusion, shown.confusion)


def test_results_are_readable():
    """One line for repr; print shows shares, matrices and notes, the first coders of many."""
    model = dawid_skene(anaesthetists())
    assert repr(model).startswith("<DawidSkene: 4 classes, 5 coders, 45 items, log-likelihood")
    assert "\n" not in repr(model)
    assert "P(label | class)" in str(model)
    assert "\n  2      0.4220\n" in str(model)
    many = dawid_skene(af.Annotations.from_wide(np.eye(16, dtype=int)))
    assert "and 4 more coders" in str(many)
    with pytest.raises(AttributeError):
        model.shares = None

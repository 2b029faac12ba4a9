"""Latent class analysis: poLCA's published results, simulations, choice, sensitivity, coders."""

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import reference_latent as exact
from examples import examples
from fits import dawid_skene
from hypothesis import given
from strategies import tables

import agreement_fast as af
from agreement_fast import models

PATHOLOGISTS = "ABCDEFG"


@pytest.fixture(scope="module")
def carcinoma():
    """118 slides, 7 pathologists, carcinoma (2) or not (1): Landis & Koch 1977, table 1.

    Landis, J. R., & Koch, G. G. (1977). An application of hierarchical kappa-type statistics in the
    assessment of majority agreement among multiple observers. Biometrics 33(2), 363-374.
    """
    path = Path(__file__).parent / "landis_koch_1977_carcinoma.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    return af.Annotations.from_wide(
        [[int(row[coder]) for coder in PATHOLOGISTS] for row in rows],
        coders=list(PATHOLOGISTS),
        weights=[int(row["slides"]) for row in rows],
    )


@pytest.fixture(scope="module")
def choice(carcinoma):
    """1 to 4 classes."""
    return models.latent_classes(carcinoma, max_classes=4, rng=1).choice


# ---------------------------------------------------------------- Linzer & Lewis 2011


@pytest.mark.parametrize(
    ("n_classes", "log_likelihood", "n_parameters", "aic", "bic", "g2"),
    [
        (1, "-524.4648", 7, "1062.9296", "1082.3244", None),
        (2, "-317.2568", 15, "664.5137", "706.0739", "62.36543"),
        (3, "-293.7050", 23, "633.4100", "697.1357", "15.26171"),
        (4, "-289.2858", 31, "640.5717", "726.4629", "6.423"),
    ],
)
def test_the_fit_that_polca_publishes(
    choice, n_classes, log_likelihood, n_parameters, aic, bic, g2
):
    """Linzer & Lewis 2011 (JSS 42(10)) and the package's own examples, to the printed digits."""
    model = choice[n_classes - 1]
    assert model.converged
    assert f"{model.log_likelihood:.4f}" == log_likelihood
    assert model.n_parameters == n_parameters
    assert f"{model.aic:.4f}" == aic
    assert f"{model.bic:.4f}" == bic
    if g2 is not None:
        assert f"{model.likelihood_ratio:.{len(g2.partition('.')[2])}f}" == g2
    # poLCA prints min(N, cells − 1) − parameters: 103, 95 and 87
    assert model.degrees_of_freedom == 2**7 - 1 - n_parameters
    assert min(118, 2**7 - 1) - model.n_parameters == 118 - n_parameters


def test_the_chi_squares_that_polca_publishes(choice):
    """χ² for two and three classes; the last printed digits depend on where EM stops."""
    assert round(choice[1].chi_square, 3) == 92.648
    assert round(choice[2].chi_square, 3) == 20.503


def test_the_two_classes_that_polca_publishes(choice):
    """Shares and P(carcinoma | class), four digits."""
    model = choice[1]
    assert model.shares.round(4).tolist() == [0.5012, 0.4988]
    assert model.probabilities[:, 0, 1].round(4).tolist() == [
        1.0, 0.9831, 0.7609, 0.5411, 0.9786, 0.4227, 1.0,
    ]  # fmt: skip
    assert model.probabilities[:, 1, 1].round(4).tolist() == [
        0.1165, 0.3544, 0.0, 0.0, 0.2229, 0.0, 0.1165,
    ]  # fmt: skip
    assert model.class_categories == (2, 1)


def test_the_three_classes_that_polca_publishes(carcinoma, choice):
    """Shares, P(carcinoma | class) and modal classes, four digits."""
    model = choice[2]
    assert model.shares.round(4).tolist() == [0.4447, 0.3736, 0.1817]
    assert model.probabilities[:, :, 1].round(4).tolist() == [
        [1.0, 0.0573, 0.5128],
        [0.9809, 0.1379, 1.0],
        [0.8575, 0.0, 0.0],
        [0.5862, 0.0, 0.0576],
        [1.0, 0.0551, 0.7506],
        [0.4764, 0.0, 0.0],
        [1.0, 0.0, 0.6307],
    ]
    members = np.bincount(model.modal_classes, weights=carcinoma.weights) / 118
    assert members.round(4).tolist() == [0.4322, 0.3729, 0.1949]


def test_bic_and_aic_choose_three_classes(choice, carcinoma):
    """As Linzer & Lewis and Agresti (2002, 13.1) do; G² does not even reject two."""
    assert choice.best is choice[2]
    assert (
        models.latent_classes(
            carcinoma, max_classes=3, criterion="aic", n_restarts=2, rng=1
        ).choice.best.n_classes
        == 3
    )
    by_fit = models.latent_classes(
        carcinoma, max_classes=3, criterion="fit", n_restarts=2, rng=1
    ).choice
    assert by_fit.best.n_classes == 2
    assert by_fit[0].p_value < 1e-9
    assert len(choice) == 4
    assert [model.n_classes for model in choice] == [1, 2, 3, 4]
    assert [model.n_classes for model in choice[1:3]] == [2, 3]


# ---------------------------------------------------------------- the definition


@given(table=tables("words", most_coders=4))
@examples(40)
def test_the_likelihood_and_the_fit_are_those_of_the_estimate(table):
    """ln L, posteriors, G² and χ² from the estimated probabilities, by enumeration."""
    data = af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )
    model = models.latent_classes(data, 2, n_restarts=1, rng=1, max_iterations=30)
    code = {label: k for k, label in enumerate(table.order)}
    rows = [
        ([(c, code[label]) for c, label in enumerate(row) if label is not None], w)
        for row, w in zip(table.rows, table.frequencies, strict=True)
    ]
    used = [(row, w) for row, w in rows if row and w]
    if not used:
        assert model.undefined.startswith("no judgments")
        return
    shares = model.shares.tolist()
    estimates = np.nan_to_num(model.probabilities).tolist()
    likelihood = exact.log_likelihood(*zip(*used, strict=True), shares, estimates)
    assert model.log_likelihood == pytest.approx(likelihood, rel=1e-9, abs=1e-9)
    for i, (row, w) in enumerate(rows):
        p = exact.joint(row, shares, estimates)
        if w:
            np.testing.assert_allclose(model.posterior[i], np.array(p) / sum(p), atol=1e-9)
    C, K = table.n_coders, len(table.order)
    if any(len(row) < C for row, _ in used):
        assert math.isnan(model.likelihood_ratio)
        return
    n = sum(w for _, w in used)
    g2 = x2 = 0.0
    for said in itertools.product(range(K), repeat=C):
        row = list(enumerate(said))
        expected = n * sum(exact.joint(row, shares, estimates))
        observed = sum(w for other, w in used if other == row)
        g2 += 2 * observed * math.log(observed / expected) if observed else 0
        x2 += (observed - expected) ** 2 / expected if expected else 0
    assert model.likelihood_ratio == pytest.approx(max(0, g2), rel=1e-8, abs=1e-8)
    assert model.chi_square == pytest.approx(x2, rel=1e-6, abs=1e-8)
    assert (np.diff(model.trace) >= -1e-12 * (1 + np.abs(model.trace[1:]))).all()


def test_one_class_is_independence(carcinoma):
    """T = 1: every coder's own distribution, the log-linear model of independence."""
    model = models.latent_classes(carcinoma, 1)
    marginals = carcinoma.coder_marginals()
    np.testing.assert_allclose(model.probabilities[:, 0], marginals / 118, rtol=1e-12)
    assert model.shares.tolist() == [1.0]


def test_order_of_items_and_coders_does_not_matter(carcinoma):
    """The same maximum, and the classes in the same order."""
    one = models.latent_classes(carcinoma, 3, rng=2)
    turned = carcinoma.select(
        coders=list(PATHOLOGISTS)[::-1], items=list(range(len(carcinoma)))[::-1]
    )
    two = models.latent_classes(turned, 3, rng=3)
    assert two.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(two.shares, one.shares, atol=1e-4)
    np.testing.assert_allclose(two.probabilities, one.probabilities[::-1], atol=1e-3)
    np.testing.assert_allclose(two.posterior, one.posterior[::-1], atol=1e-3)


def test_the_same_seed_gives_the_same_model(carcinoma):
    """Restarts are drawn from the seed."""
    one, two = (models.latent_classes(carcinoma, 4, n_restarts=2, rng=7) for _ in range(2))
    assert np.array_equal(one.probabilities, two.probabilities)
    assert one.n_starts == 3
    three = models.latent_classes(carcinoma, 4, n_restarts=2, rng=np.random.default_rng(7))
    assert np.array_equal(one.shares, three.shares)


def drawn(seed, n, shares, table):
    """Items of latent classes and what coders say: table is coder, class, label."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n, p=shares)
    bounds = np.cumsum(table, axis=2)
    u = rng.random((n, len(table), 1))
    return truth, (u > bounds[:, truth].swapaxes(0, 1)).sum(2)


def test_known_classes_are_found():
    """Three classes of two labels: BIC finds the number, EM the probabilities."""
    yes = np.array(
        [[0.9, 0.85, 0.9, 0.8, 0.9], [0.1, 0.9, 0.1, 0.9, 0.1], [0.1, 0.1, 0.2, 0.1, 0.05]]
    )
    table = np.stack([1 - yes.T, yes.T], axis=2)
    truth, said = drawn(1, 4000, [0.5, 0.3, 0.2], table)
    choice = models.latent_classes(said, max_classes=4, n_restarts=4, rng=1, tolerance=1e-10).choice
    model = choice.best
    assert model.n_classes == 3
    errors = model.standard_errors()
    assert (np.abs(model.shares - [0.5, 0.3, 0.2]) < 3.5 * errors.shares).all()
    assert (np.abs(model.probabilities - table) < 3.5 * errors.probabilities).all()
    assert (errors.probabilities < 0.07).all()
    assert (model.modal_classes == truth).mean() > 0.85
    assert 0.001 < model.p_value < 0.999
    by_fit = models.latent_classes(
        said, max_classes=4, n_restarts=4, rng=1, tolerance=1e-10, criterion="fit"
    ).choice
    assert by_fit.best.n_classes == 3


# ---------------------------------------------------------------- degenerate data


def test_more_classes_than_the_data_hold():
    """Empty or superfluous classes: a result, and what to know about it."""
    model = models.latent_classes([[1, 1], [1, 1], [1, 1]], 3, rng=1)
    assert model.converged
    assert model.log_likelihood == pytest.approx(0)
    few = models.latent_classes([[1, 1], [1, 2], [2, 2], [2, 1]], 4, rng=1)
    assert few.degrees_of_freedom < 0
    assert math.isnan(few.p_value)
    assert any("not identified" in note for note in few.notes)
    assert any("use more coders, or fewer categories or classes" in note for note in few.notes)


def test_no_judgments_are_undefined():
    """Neither a model nor a choice."""
    data = [[None, None], [None, None]]
    model = models.latent_classes(data, 2)
    assert model.undefined.startswith("no judgments")
    assert np.isnan(model.shares).all()
    assert np.isnan(model.posterior).all()
    assert model.class_categories == ()
    choice = models.latent_classes(data, max_classes=2).choice
    assert choice.best is None
    assert choice.undefined.startswith("no judgments")
    assert "no judgments" in repr(choice)
    assert "no judgments" in str(choice)


def test_what_is_not_identified_is_not_chosen():
    """Two coders and three categories: 8 shares do not tell the 9 parameters of two classes."""
    data = af.Annotations.from_wide([[label, label] for label in "abc"] * 20)
    choice = models.latent_classes(data, max_classes=3, rng=1).choice
    assert min(choice, key=lambda model: model.bic).n_classes > 1
    assert choice.best is choice[0]
    assert [model.degrees_of_freedom for model in choice] == [4, -1, -6]


def test_complete_judgments_have_a_fit_in_any_form(carcinoma):
    """Rows of lists, each coder once, are a complete table; a repeat makes them none."""
    patterns = carcinoma.patterns()
    slides = np.repeat(patterns.codes, patterns.weights, axis=0)
    items, coders = (side.ravel() for side in np.indices(slides.shape))
    listed = models.Judgments.from_long(items, coders, slides.ravel())
    of_lists, of_table = (models.latent_classes(data, 2, rng=1) for data in (listed, carcinoma))
    assert of_lists.fit_undefined is None
    assert of_lists.likelihood_ratio == pytest.approx(of_table.likelihood_ratio, rel=1e-9)
    assert of_lists.chi_square == pytest.approx(of_table.chi_square, rel=1e-9)
    twice = models.Judgments.from_long([*items, 0], [*coders, 0], [*slides.ravel(), 1])
    assert "every coder must judge every item once" in models.latent_classes(twice).fit_undefined
    # the number of judgments is that of the cells, but one coder judged twice, another not at all
    coders = coders.copy()
    coders[1] = 0
    swapped = models.Judgments.from_long(items, coders, slides.ravel())
    assert models.latent_classes(swapped).fit_undefined is not None


def test_fit_cannot_choose_from_incomplete_data():
    """G² needs complete data; the choice says so."""
    choice = models.latent_classes(
        [[1, None], [2, 2], [1, 1]], max_classes=2, criterion="fit", rng=1
    ).choice
    assert choice.best is None
    assert choice.undefined.startswith("incomplete")
    assert "nan" not in str(choice)


def test_fit_may_reject_every_model():
    """Two coders of strong dependence, one class: nothing fits, nothing is chosen."""
    choice = models.latent_classes(
        [[1, 1]] * 50 + [[2, 2]] * 50, max_classes=1, criterion="fit"
    ).choice
    assert choice.best is None
    assert choice.undefined.startswith("no fit")


def test_too_many_cells_have_no_fit_statistic():
    """64 coders of two labels: 2⁶⁴ rows could occur."""
    rng = np.random.default_rng(1)
    model = models.latent_classes(rng.integers(0, 2, (80, 64)), 1)
    assert model.fit_undefined.startswith("too many cells")


def test_bad_options_are_refused_by_name(carcinoma):
    """Each message has the value and what it should be."""
    with pytest.raises(ValueError, match=r"n_classes must be .*, not 0"):
        models.latent_classes(carcinoma, 0)
    with pytest.raises(TypeError, match=r"n_classes must be .*, not True"):
        models.latent_classes(carcinoma, True)
    with pytest.raises(ValueError, match=r"n_restarts must be .*, not -1"):
        models.latent_classes(carcinoma, 2, n_restarts=-1)
    with pytest.raises(ValueError, match=r"criterion must be .*, not 'best'"):
        models.latent_classes(carcinoma, criterion="best")
    with pytest.raises(ValueError, match=r"significance must be .*, not 1"):
        models.latent_classes(carcinoma, criterion="fit", significance=1)
    with pytest.raises(TypeError, match=r"smoothing must be .*, not 'much'"):
        models.latent_classes(carcinoma, smoothing="much")
    for rng in ("seed", -1, 1.5):
        with pytest.raises((TypeError, ValueError), match=rf"rng must be .*, not {rng!r}"):
            models.latent_classes(carcinoma, rng=rng)
    with pytest.raises(ValueError, match="which coder"):
        models.latent_classes(af.Annotations.from_counts([[1, 1]]))


def test_results_are_readable(choice, capsys):
    """The table of a choice marks the chosen one; a bar is drawn on request only."""
    shown = str(choice)
    assert "  3 *           -293.7050          23   633.41" in shown
    assert repr(choice) == "<ClassChoice of 1 to 4 classes by bic: 3 classes>"
    assert "G² 15.2617" in str(choice[2])
    models.latent_classes([[1, 2], [2, 2]], 2, n_restarts=1, rng=1, progress=True)
    assert "latent classes" in capsys.readouterr().err


# ---------------------------------------------------------------- sensitivity and specificity


def test_sensitivity_and_specificity_of_the_pathologists(choice):
    """Two classes: they are the published probabilities themselves."""
    result = choice[1].accuracy(2)
    assert result.classes == (0,)
    assert result.sensitivity.round(4).tolist() == [
        1.0, 0.9831, 0.7609, 0.5411, 0.9786, 0.4227, 1.0,
    ]  # fmt: skip
    assert result.specificity.round(4).tolist() == [
        0.8835, 0.6456, 1.0, 1.0, 0.7771, 1.0, 0.8835,
    ]  # fmt: skip
    assert result.prevalence == pytest.approx(choice[1].shares[0])
    assert result.mean_sensitivity == pytest.approx(result.sensitivity.mean())
    assert "carcinoma" not in str(result)
    assert "sensitivity" in str(result)
    assert repr(result).startswith("<Accuracy for 2: sensitivity 0.8123 (0.7719 to 0.8470), ")


def test_several_classes_may_be_one_category(choice):
    """Three classes: the ambiguous slides belong where the user says."""
    model = choice[2]
    together = model.accuracy(2, classes=[0, 2])
    pi, theta = model.shares, model.probabilities[:, :, 1]
    expected = (pi[0] * theta[:, 0] + pi[2] * theta[:, 2]) / (pi[0] + pi[2])
    np.testing.assert_allclose(together.sensitivity, expected, rtol=1e-12)
    np.testing.assert_allclose(together.specificity, 1 - theta[:, 1], rtol=1e-12)
    assert model.accuracy(1).classes == (1, 2)
    with pytest.raises(ValueError, match="class 3"):
        model.accuracy(2, classes=[3])
    with pytest.raises(ValueError, match="9 is not a category"):
        model.accuracy(9)


def test_accuracy_of_dawid_skene_is_the_diagonal():
    """Sensitivity is the confusion matrix's diagonal."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, (300, 1))
    labels = np.where(rng.random((300, 4)) < 0.8, truth, rng.integers(0, 3, (300, 4)))
    model = dawid_skene(labels)
    for k in range(3):
        result = model.accuracy(k)
        np.testing.assert_allclose(result.sensitivity, model.confusion[:, k, k], rtol=1e-12)
        others = [t for t in range(3) if t != k]
        wrong = model.confusion[:, others, k] @ model.shares[others] / model.shares[others].sum()
        np.testing.assert_allclose(result.specificity, 1 - wrong, rtol=1e-10)


def test_accuracy_without_items_of_a_category_is_undefined():
    """NaN with a reason, for an empty class, for a single one, and without judgments."""
    data = af.Annotations.from_wide([["a", "a"], ["a", "a"]], categories=["a", "b"])
    model = dawid_skene(data)
    nothing = model.accuracy("b")
    assert nothing.undefined.startswith("no class")
    assert np.isnan(nothing.sensitivity).all()
    assert math.isnan(nothing.mean_sensitivity)
    assert model.accuracy("a").undefined.startswith("no other class")
    assert "no class" in repr(nothing)
    needed = model.coders_needed("b")
    assert needed.n_coders is None
    assert needed.undefined.startswith("no class")


# ---------------------------------------------------------------- coders needed


def symmetric_model(right=0.8, n=4000):
    """A model of two equal classes in which each coder is right with one probability."""
    table = np.array([[[right, 1 - right], [1 - right, right]]] * 5)
    _, said = drawn(3, n, [0.5, 0.5], table)
    return dawid_skene(said)


def test_majorities_against_enumeration():
    """P(most of n coders say it), over all 2ⁿ outcomes, ties counting half."""
    model = symmetric_model()
    result = model.coders_needed(1, sensitivity=None, max_coders=6)
    p = model.confusion[:, 1, 1].mean()
    for n in range(1, 7):
        total = 0.0
        for votes in itertools.product([0, 1], repeat=n):
            yes = sum(votes)
            value = 1 if 2 * yes > n else 0.5 if 2 * yes == n else 0
            total += value * math.prod(p if vote else 1 - p for vote in votes)
        assert result.sensitivity[n - 1] == pytest.approx(total, rel=1e-12)
    assert result.n_coders == 1


def test_any_and_all_are_powers():
    """One vote is enough, or all are needed."""
    model = symmetric_model()
    p, q = model.confusion[:, 1, 1].mean(), model.confusion[:, 0, 1].mean()
    n = np.arange(1, 11)
    one = model.coders_needed(1, rule="any", max_coders=10)
    np.testing.assert_allclose(one.sensitivity, 1 - (1 - p) ** n, rtol=1e-9)
    np.testing.assert_allclose(one.specificity, (1 - q) ** n, rtol=1e-9)
    assert one.n_coders == math.ceil(math.log(0.01) / math.log(1 - p))
    every = model.coders_needed(1, rule="all", max_coders=10)
    np.testing.assert_allclose(every.sensitivity, p**n, rtol=1e-9)
    assert every.n_coders is None
    assert every.undefined.startswith("not reached: 10 coders")


def test_the_posterior_rule_takes_a_tie_for_no():
    """Two classes as frequent, coders as good at both: one vote of two is no more probable."""
    from agreement_fast.models.accuracy import RULES

    p, shares = np.array([[0.75], [0.25]]), np.array([0.5, 0.5])
    said = RULES["posterior"](np.array([1, 2, 3, 4]), p, shares, np.array([True, False]))
    assert said[0] == pytest.approx([3 / 4, 9 / 16, 27 / 32, 189 / 256])
    assert said[1] == pytest.approx([1 / 4, 1 / 16, 5 / 32, 13 / 256])
    n = np.arange(2, 40, 2)  # half of each is a tie, except for rounding
    for right in (0.55, 0.6, 0.7, 0.8, 0.9, 0.99):
        said = RULES["posterior"](n, np.array([[right], [1 - right]]), shares, p[:, 0] > 0.5)
        more = [
            sum(
                math.comb(k, j) * right**j * (1 - right) ** (k - j)
                for j in range(k // 2 + 1, k + 1)
            )
            for k in n.tolist()
        ]
        assert said[0] == pytest.approx(more)


def test_the_posterior_rule_weighs_prevalence(choice):
    """Where the model decides by the number of votes, it errs least of all rules."""
    model = choice[1]
    by_rule = {
        rule: model.coders_needed(2, rule=rule, max_coders=30)
        for rule in ("majority", "any", "all", "posterior")
    }
    share = model.accuracy(2).prevalence
    right = {
        rule: share * result.sensitivity + (1 - share) * result.specificity
        for rule, result in by_rule.items()
    }
    for rule in ("majority", "any", "all"):
        assert (right["posterior"] >= right[rule] - 1e-12).all()
    assert by_rule["majority"].n_coders == 11
    assert "by majority: 11" in repr(by_rule["majority"])
    assert "coders  sensitivity  specificity" in str(by_rule["majority"])


def test_simulated_groups_find_what_was_promised():
    """Groups of the promised size, drawn from the same coders, reach the expected sensitivity."""
    model = symmetric_model(0.8)
    needed = model.coders_needed(1, sensitivity=0.95)
    rng = np.random.default_rng(4)
    p = model.confusion[:, 1, 1]
    votes = rng.random((40_000, needed.n_coders)) < p[rng.integers(0, 5, (40_000, needed.n_coders))]
    most = (2 * votes.sum(1) > needed.n_coders).mean()
    assert most == pytest.approx(needed.sensitivity[needed.n_coders - 1], abs=0.005)


def test_bad_wishes_are_refused(choice):
    """Sensitivity 1 takes infinitely many; rules have names."""
    with pytest.raises(ValueError, match=r"sensitivity must be .*, not 1\.0"):
        choice[1].coders_needed(2, sensitivity=1.0)
    with pytest.raises(ValueError, match=r"rule must be .*, not 'most'"):
        choice[1].coders_needed(2, rule="most")
    with pytest.raises(ValueError, match=r"max_coders must be .*, not 0"):
        choice[1].coders_needed(2, max_coders=0)
    with pytest.raises(TypeError, match=r"sensitivity must be .*, not 'high'"):
        choice[1].coders_needed(2, sensitivity="high")
    with pytest.raises(ValueError, match="class 7 is not one of 0 to 1"):
        choice[1].coders_needed(2, classes=[7])
    with pytest.raises(TypeError, match=r"classes must be .*, not 1"):
        choice[1].accuracy(2, classes=1)


def test_a_majority_does_not_find_what_one_coder_mostly_misses(choice):
    """Sensitivity of one coder below a half: the reason says that more do not help."""
    result = choice[1].coders_needed(1, sensitivity=0.99, classes=[0])
    assert result.n_coders is None
    assert result.sensitivity[-1] < result.sensitivity[0] < 0.5
    assert "a majority of more coders does not find it either" in result.undefined

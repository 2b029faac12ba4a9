"""What is drawn from: coders who differ, patterns of errors, and every fitted model."""

import itertools
import math

import numpy as np
import pytest
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import models, subsets
from agreement_fast.models.population import Population
from agreement_fast.subsets.simulate import is_drawable

EVEN = {"x": 1, "y": 1}


def plain_reliability(population, d):
    """1 - D_o / D_e from every pair of coders and every two labels."""
    table, K = population.probabilities, range(len(population.categories))
    C = len(table)
    pairs = [(a, b) for a in range(C) for b in range(C) if a != b] or [(0, 0)]
    observed = sum(
        share * table[a, t, j] * table[b, t, k] * d(j, k)
        for t, share in enumerate(population.shares)
        for a, b in pairs
        for j, k in itertools.product(K, K)
    ) / len(pairs)
    said = [sum(population.shares @ table[c, :, k] for c in range(C)) / C for k in K]
    return 1 - observed / sum(said[j] * said[k] * d(j, k) for j, k in itertools.product(K, K))


def own(seed=1, C=3, T=4, K=3):
    """An arbitrary population with one class more than categories."""
    rng = np.random.default_rng(seed)
    return Population(
        tuple(range(1, K + 1)),
        rng.dirichlet(np.ones(T)),
        rng.dirichlet(np.ones(K), (C, T)),
        [f"c{c}" for c in range(C)],
        (*range(1, K + 1), None),
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"truth": ("z",)}, r"truth must be of the categories \['a', 'b'\] or None, not 'z'"),
        ({"categories": ("a", "a")}, "'a'"),
        ({"coders": (1, 1), "probabilities": [[[0.5, 0.5]]] * 2}, "1"),
        ({"shares": ["x"]}, "shares must be numbers in rows of equal length"),
        ({"probabilities": [[[0.5, 0.5], [1.0]]]}, "probabilities must be numbers in rows"),
        ({"shares": [math.nan]}, "shares must be probabilities that add to 1"),
        ({"probabilities": [[[1.5, -0.5]]]}, "-0.5 as the smallest"),
    ],
)
def test_bad_populations_are_refused(changed, message):
    parts = {
        "categories": ("a", "b"), "shares": [1], "probabilities": [[[0.5, 0.5]]], "coders": (0,),
        "truth": ("a",),
    }  # fmt: skip
    assert Population(**parts).right().tolist() == [0.5]
    with pytest.raises((TypeError, ValueError), match=message):
        Population(**(parts | changed))


def test_noise_of_coders_who_are_not_there_is_refused():
    population = own()
    for coders, message in ((["x"], "there is no coder 'x'"), ("c1", "a sequence of names")):
        with pytest.raises((TypeError, ValueError), match=message):
            population.with_noise(0.5, coders)


MODEL = subsets.noisy_coders({"x": 0.3, "y": 0.7}, 0.5)


@pytest.mark.parametrize(
    ("name", "source", "options", "message"),
    [
        ("reference_errors", MODEL, {"n_coders": [1.5]}, r"whole numbers.*not 1\.5"),
        ("reference_errors", MODEL, {"n_coders": 3}, r"pass n_coders=\[3\]"),
        ("reference_errors", MODEL, {"n_coders": []}, "n_coders is empty"),
        ("reference_errors", EVEN, {"reliability": object()}, "a number or a sequence"),
        ("reference_errors", EVEN, {"reliability": []}, "reliability is empty"),
        ("reference_errors", MODEL, {"spread": 0.3}, "spread is for drawing"),
        ("reference_errors", [[1, 2]] * 3, {"spread": 0.3, "n_coders": [2]}, "spread is"),
        ("study_sizes", MODEL, {"width": 0.1, "spread": 0.3}, "spread is for drawing"),
        ("study_sizes", MODEL, {"width": 0.1, "errors": "linear"}, "has its own"),
        ("study_sizes", MODEL, {"width": 0.1, "n_coders": 3}, r"pass n_coders=\[3\]"),
        ("study_sizes", MODEL, {"width": 0.1, "n_coders": []}, "n_coders is empty"),
        ("study_sizes", [[1, 2]] * 3, {"width": 0.1}, "shares of categories or a model"),
        ("simulate", MODEL, {"n_items": 10**13, "n_coders": 2}, "do not fit into memory"),
        ("noisy_coders", {"x": 1e-300, "y": 1}, {"reliability": 0.5}, "'x' has 1e-300"),
        ("aickin_coders", [1, 2], {"easy": 0.5}, "first must be a mapping"),
        ("aickin_coders", EVEN, {"easy": 0.5, "second": [1, 2]}, "second must be a mapping"),
    ],
)
def test_what_cannot_be_drawn_is_refused(name, source, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        getattr(subsets, name)(source, **options)


@pytest.mark.breadth
def test_the_errors_of_most_sets_are_those_of_95_percent():
    """Sets of one coder of 61, who err from 0 to .9 of the time: the second and the 60th."""
    error = np.linspace(0, 0.9, 61)
    table = np.stack([[[1 - e, e], [e, 1 - e]] for e in error])
    population = Population(("x", "y"), [0.5, 0.5], table, range(61), ("x", "y"))
    result = subsets.reference_errors(
        population, n_coders=[1], n_items=8000, n_resamples=1500, rng=1
    )
    assert result.error[0, 0] == pytest.approx(0.45, abs=0.01)
    assert result.low[0, 0] == pytest.approx(0.015, abs=0.007)
    assert result.high[0, 0] == pytest.approx(0.885, abs=0.009)


def test_numbers_near_the_largest_are_shares():
    assert subsets.noisy_coders({"x": 1e308, "y": 1e308}, 0.5).shares.tolist() == [0.5, 0.5]
    result = af.diagnostics.chance_accuracy({"x": 1e308, "y": 1e308})
    assert result.shares.tolist() == [0.5, 0.5]


def test_a_spread_of_nearly_nothing_is_none():
    coders = subsets.noisy_coders(EVEN, 0.64, n_coders=3, spread=1e-200, rng=1)
    assert coders.right() == pytest.approx([0.9] * 3)


@pytest.mark.parametrize("C", [1, 2, 4])
def test_the_reliability_is_that_of_all_pairs(C):
    population = own(C=C)
    for distance, d in (
        ("nominal", lambda j, k: j != k),
        ("linear", lambda j, k: abs(j - k)),
        ("interval", lambda j, k: (j - k) ** 2),
    ):
        assert population.reliability(distance) == pytest.approx(
            plain_reliability(population, d), abs=1e-12
        )
    said = population.shares @ population.probabilities.mean(0)
    assert population.marginals() == pytest.approx(said)


def test_each_coder_says_what_their_matrix_says():
    """60,000 items: each coder's shares of labels in each class, and how often they are right."""
    population = own()
    made = subsets.simulate(population, n_items=60_000, rng=1)
    assert made.annotations.coders == ("c0", "c1", "c2")
    assert np.bincount(made.classes) / 60_000 == pytest.approx(population.shares, abs=0.008)
    assert set(made.truth[made.classes == 3]) == {None}
    wide = made.annotations.to_wide().astype(int)
    for c, t in itertools.product(range(3), range(4)):
        said = np.bincount(wide[made.classes == t, c], minlength=4)[1:]
        assert said / said.sum() == pytest.approx(population.probabilities[c, t], abs=0.03)
    known = made.classes < 3
    right = (wide[known] == made.truth[known, None].astype(int)).mean(0)
    assert population.right() == pytest.approx(right, abs=0.01)
    assert af.alpha(made.annotations).value == pytest.approx(made.reliability, abs=0.012)


def test_coders_are_chosen_from_a_model():
    """More coders than a model has, each like one of its own; the same by the same seed."""
    table = np.array([np.eye(2), [[0, 1], [1, 0]]])
    population = Population(("x", "y"), np.array([0.5, 0.5]), table, ("right", "wrong"), ("x", "y"))
    made = subsets.simulate(population, n_items=50, n_coders=40, rng=4)
    same = (made.annotations.to_wide() == made.truth[:, None]).mean(0)
    assert set(same.tolist()) == {0.0, 1.0}
    assert 8 < same.sum() < 32
    assert made.population.right().tolist() == same.tolist()
    assert made.reliability == pytest.approx(
        plain_reliability(made.population, lambda j, k: j != k)
    )
    again = subsets.simulate(population, n_items=50, n_coders=40, rng=4)
    assert again.annotations.to_wide().tolist() == made.annotations.to_wide().tolist()


@pytest.mark.few(every=2)
@pytest.mark.parametrize(("reliability", "spread"), [(0.3, 0.15), (0.9, 0.02)])
def test_roots_of_reliabilities_are_drawn(reliability, spread):
    """Two even categories: a coder right with a has the root 2a - 1; mean and deviation fit."""
    coders = subsets.noisy_coders(EVEN, reliability, n_coders=80, spread=spread, rng=1)
    roots = 2 * coders.right() - 1
    mean = math.sqrt(reliability)
    assert roots.mean() == pytest.approx(mean, abs=4 * mean * spread / 9)
    assert roots.std() / mean == pytest.approx(spread, rel=0.25)
    assert coders.reliability() == pytest.approx(roots.mean() ** 2, rel=0.01)


def test_coders_who_differ_much_differ_as_asked():
    """Near the largest spread, where a Beta distribution is far from a normal one."""
    coders = subsets.noisy_coders(EVEN, 0.3, n_coders=100, spread=0.6, rng=1)
    roots = 2 * coders.right() - 1
    assert roots.std() / math.sqrt(0.3) == pytest.approx(0.6, rel=0.09)


def test_coders_who_do_not_differ_are_alike():
    model = subsets.noisy_coders({"a": 3, "b": 5, "c": 2}, 0.5)
    coders = subsets.noisy_coders({"a": 3, "b": 5, "c": 2}, 0.5, n_coders=3, spread=0)
    for one in coders.probabilities:
        np.testing.assert_allclose(one, model.confusion, atol=1e-9)
    one = subsets.simulate({"a": 1, "b": 1}, reliability=0.5, n_items=9, n_coders=3, rng=1)
    two = subsets.simulate(
        {"a": 1, "b": 1}, reliability=0.5, n_items=9, n_coders=3, spread=0.1, rng=1
    )
    assert len(one.population.coders) == len(two.population.coders) == 3
    assert np.ptp(one.population.right()) == 0 < np.ptp(two.population.right())


def test_noise_and_patterns_of_one_agreement_are_distinguished():
    """Reidsma & Carletta 2008: at the same alpha, overuse of a label is what majorities repeat."""
    coders = subsets.noisy_coders({"x": 3, "y": 7}, 0.9, n_coders=7, spread=0)
    patterned = coders.with_overuse("x", 0.25)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        more = coders.with_noise(middle).reliability() > patterned.reliability()
        low, high = (middle, high) if more else (low, middle)
    noisy = coders.with_noise(low)
    assert noisy.reliability() == pytest.approx(patterned.reliability(), abs=1e-9)
    assert noisy.marginals() == pytest.approx(coders.marginals())
    assert patterned.marginals()[0] == pytest.approx(0.75 * 0.3 + 0.25)
    errors = [
        subsets.reference_errors(one, n_coders=[1, 7], n_resamples=2, rng=1).error[0]
        for one in (noisy, patterned)
    ]
    # alone they are wrong about as often; the majority keeps the pattern and loses the noise
    assert errors[0][0] == pytest.approx(errors[1][0], abs=0.05)
    assert errors[1][1] > 2 * errors[0][1]
    only = coders.with_overuse("x", 1.0, coders=[2])
    assert only.probabilities[2].tolist() == [[1, 0], [1, 0]]
    assert only.probabilities[[0, 1, 3]].tolist() == coders.probabilities[[0, 1, 3]].tolist()


@pytest.mark.parametrize("model", ["constant", "linear"])
def test_aickin_models_are_their_tables(model):
    """The joint probabilities of two labels, from the definitions; the estimate finds the share."""
    r = np.array([0.6, 0.3, 0.1])
    c = r if model == "linear" else np.array([0.2, 0.3, 0.5])
    easy = 0.55
    population = subsets.aickin_coders(
        dict(zip("abc", r, strict=True)), easy, model=model, second=dict(zip("abc", c, strict=True))
    )
    one, two = population.probabilities
    joint = sum(s * np.outer(one[t], two[t]) for t, s in enumerate(population.shares))
    agreed = r * c / (r @ c) if model == "constant" else r
    assert joint == pytest.approx((1 - easy) * np.outer(r, c) + easy * np.diag(agreed))
    data = subsets.simulate(population, n_items=20_000, rng=2).annotations
    result = models.aickin_alpha(data, model)
    assert result.value == pytest.approx(easy, abs=4 * result.standard_error)
    # and the fit gives back what it was fitted to
    again = result.population()
    assert again.coders == (0, 1)
    one, two = again.probabilities
    fitted = sum(s * np.outer(one[t], two[t]) for t, s in enumerate(again.shares))
    assert fitted * 20_000 == pytest.approx(result.expected, rel=1e-6)


def test_aickin_alpha_is_kappa_if_categories_are_even_and_above_it_if_not():
    """Artstein & Poesio 2005, 6.1: a is at least kappa; in the linear model all are the same."""

    def values(shares, model):
        made = subsets.simulate(
            subsets.aickin_coders(shares, 0.6, model=model), n_items=50_000, rng=3
        ).annotations
        return models.aickin_alpha(made, model).value, af.kappa(made).value, af.pi(made).value

    a, kappa, _ = values({"x": 1, "y": 1, "z": 1}, "constant")
    assert a == pytest.approx(0.6, abs=0.02)
    assert kappa == pytest.approx(a, abs=0.002)
    a, kappa, _ = values({"x": 90, "y": 8, "z": 2}, "constant")
    assert a == pytest.approx(0.6, abs=0.06)
    assert kappa < a - 0.15
    assert values({"x": 90, "y": 8, "z": 2}, "linear") == pytest.approx([0.6] * 3, abs=0.02)


def fits():
    """Each kind of fitted model, of the same data."""
    made = subsets.simulate(
        subsets.noisy_coders({"x": 3, "y": 4, "z": 3}, 0.6, n_coders=5, rng=1),
        n_items=600, rng=1,
    ).annotations  # fmt: skip
    return {
        "dawid_skene": dawid_skene(made),
        "latent_classes": models.latent_classes(made, 3, n_restarts=2, rng=1),
        "mace": af.aggregate(made, "mace").model,
        "latent_trait": models.latent_trait(made),
    }


FITS = fits()


@pytest.mark.parametrize("name", FITS)
def test_fitted_models_are_simulated(name):
    """Data drawn from a fit have its reliability, and a fit of them finds its probabilities."""
    model = FITS[name]
    made = subsets.simulate(model, n_items=4000, rng=1)
    assert made.model is model
    assert made.annotations.coders == tuple(model.coders)
    assert af.alpha(made.annotations).value == pytest.approx(made.reliability, abs=0.03)
    drawn = made.annotations.to_counts().sum(0)
    assert drawn / drawn.sum() == pytest.approx(made.population.marginals(), abs=0.015)
    if name == "dawid_skene":
        again = dawid_skene(made.annotations)
        assert np.abs(again.confusion - model.confusion).max() < 0.08
    if name == "latent_trait":
        again = models.latent_trait(made.annotations)
        assert again.slopes == pytest.approx(model.slopes, rel=0.25)
        np.testing.assert_allclose(again.thresholds, model.thresholds, atol=0.15)
    errors = subsets.reference_errors(model, n_coders=[1, 5], n_items=500, n_resamples=20, rng=1)
    assert errors.reliability == pytest.approx([model.population().reliability()])
    assert errors.error[0, 1] < errors.error[0, 0]


def test_what_coders_never_judged_is_filled_in_and_said():
    """Pairs of coder and class that never met, coders without judgments, classes without items."""
    data = af.Annotations.from_wide(
        [["x", "x", None, None], ["y", "y", "y", None]] * 2, categories=["x", "y", "z"]
    )
    population = dawid_skene(data).population()
    assert population.coders == (0, 1, 2)
    assert population.truth == ("x", "y")
    assert population.probabilities[2, 0].tolist() == [1.0, 0.0, 0.0]
    assert "1 coder without judgments left out" in population.note
    assert "1 pair of coder and class never met" in population.note
    with pytest.raises(ValueError, match="no estimate to draw from: no judgments"):
        subsets.simulate(dawid_skene([[None, None]] * 3), n_items=3)


def test_a_column_named_population_is_not_a_model():
    """Frames have their columns as attributes, and a column may be anything."""

    class Frame:
        def __init__(self):
            self.population = lambda: None

    assert not is_drawable(Frame())
    assert is_drawable(own())


def test_bad_populations_are_named():
    good = own()
    with pytest.raises(ValueError, match="probabilities must be probabilities that add to 1"):
        Population(good.categories, good.shares, good.probabilities * 1.1, good.coders, good.truth)
    with pytest.raises(ValueError, match="shares must be probabilities"):
        Population(good.categories, good.shares - 0.3, good.probabilities, good.coders, good.truth)
    with pytest.raises(ValueError, match=r"2 coders, 4 classes and 3 categories, got shapes"):
        Population(good.categories, good.shares, good.probabilities, ["a", "b"], good.truth)
    with pytest.raises(ValueError, match="'w' is not a category"):
        good.with_overuse("w", 0.1)
    with pytest.raises(ValueError, match="probability must be from 0 to 1, not 2"):
        good.with_noise(2)
    with pytest.raises(ValueError, match="spread must be below 0"):
        subsets.noisy_coders(EVEN, 0.64, n_coders=2, spread=0.6)
    with pytest.raises(ValueError, match="above 0 and below 1"):
        subsets.noisy_coders(EVEN, 1.0, n_coders=2)
    with pytest.raises(TypeError, match="n_items and n_coders are needed"):
        subsets.simulate(good)
    with pytest.raises(TypeError, match="spread is for drawing from shares"):
        subsets.simulate(good, n_items=3, spread=0.1)
    with pytest.raises(ValueError, match="the labels of first"):
        subsets.aickin_coders(EVEN, 0.5, second={"x": 1})
    with pytest.raises(ValueError, match="leave out second"):
        subsets.aickin_coders(EVEN, 0.5, second={"x": 1, "y": 3}, model="linear")
    with pytest.raises(ValueError, match="no category in common"):
        subsets.aickin_coders({"x": 1, "y": 0}, 0.5, second={"x": 0, "y": 1})
    with pytest.raises(ValueError, match="easy must be from 0 to 1"):
        subsets.aickin_coders(EVEN, 1.5)


def test_one_reliability_needs_no_list():
    options = {"n_coders": [1, 3], "n_items": 50, "rng": 1}
    one, listed = (subsets.reference_errors(EVEN, reliability=r, **options) for r in (0.5, [0.5]))
    assert one.to_dict() == listed.to_dict()

"""Simulated annotations: the model, what is drawn, what is modified, and the table of errors."""

import math
from itertools import product

import numpy as np
import pytest
import reference
import reference_stability as slow
from strategies import seeded

import agreement_fast as af
from agreement_fast import subsets
from agreement_fast.subsets.simulate import NoisyCoders

#: Antoine et al. 2014, table 4: the five classes of the emotion corpus, in percent.
EMOTION = {-2: 8, -1: 17, 0: 38, 1: 23, 2: 14}


def pairwise(model, d):
    """1 - D_o / D_e of two coders, from the joint probabilities of truth and two judgments."""
    K = range(len(model.categories))
    observed = sum(
        model.shares[t] * model.confusion[t, j] * model.confusion[t, k] * d[j][k]
        for t, j, k in product(K, K, K)
    )
    said = [sum(model.shares[t] * model.confusion[t, j] for t in K) for j in K]
    return 1 - observed / sum(said[j] * said[k] * d[j][k] for j, k in product(K, K))


@pytest.mark.few
@pytest.mark.parametrize("distance", ["nominal", "linear", "interval", "ordinal", "circular:7"])
@pytest.mark.parametrize("errors", [None, "nominal", "linear"])
@pytest.mark.parametrize("reliability", [0.0, 0.3, 0.57, 0.95, 1.0])
def test_a_model_has_the_shares_and_the_reliability_asked_for(distance, errors, reliability):
    """Both margins are the shares for every reliability, and the value is the requested one."""
    model = subsets.noisy_coders(EMOTION, reliability, distance=distance, errors=errors)
    shares = np.array(list(EMOTION.values())) / 100
    assert model.shares == pytest.approx(shares, rel=1e-14)
    assert model.marginals() == pytest.approx(shares, rel=1e-12)
    assert model.confusion.sum(1) == pytest.approx(np.ones(5), rel=1e-14)
    assert model.reliability(distance) == pytest.approx(reliability, abs=1e-12)
    frequency = dict(zip(EMOTION, shares.tolist(), strict=True))
    exact = {"linear": reference.linear, "interval": reference.interval}.get(distance)
    if exact is not None:
        d = exact(list(EMOTION), frequency)
        table = [[float(d(a, b)) for b in EMOTION] for a in EMOTION]
        assert pairwise(model, table) == pytest.approx(reliability, abs=1e-12)


def test_near_errors_are_likelier():
    """With errors="linear" each step away is less likely than the one before."""
    confusion = subsets.noisy_coders(EMOTION, 0.57, distance="interval", errors="linear").confusion
    assert (np.diff(confusion[0] / np.array(list(EMOTION.values()))) < 0).all()


def test_two_even_categories_have_a_closed_form():
    """A coder right with probability a: alpha = (2a - 1) squared."""
    for right in (0.6, 0.75, 0.9):
        model = subsets.noisy_coders({"x": 1, "y": 1}, (2 * right - 1) ** 2)
        assert model.confusion == pytest.approx(
            np.array([[right, 1 - right], [1 - right, right]]), abs=1e-12
        )


def test_a_model_of_ones_own():
    """Biased coders: the reliability is that of pairs, also with margins that differ."""
    model = NoisyCoders(("a", "b"), np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.4, 0.6]]))
    assert model.marginals() == pytest.approx([0.65, 0.35])
    assert model.reliability() == pytest.approx(pairwise(model, [[0, 1], [1, 0]]), rel=1e-12)
    drawn = subsets.simulate(model, n_items=20_000, n_coders=6, rng=5)
    assert af.alpha(drawn.annotations).value == pytest.approx(model.reliability(), abs=0.01)
    assert math.isnan(NoisyCoders(("a",), np.ones(1), np.ones((1, 1))).reliability())


def test_drawn_annotations_have_the_reliability():
    """20,000 items: shares, alpha and truth come out as asked for."""
    options = {"reliability": 0.57, "distance": "interval", "errors": "linear"}
    drawn = subsets.simulate(
        EMOTION, n_items=20_000, n_coders=8, missing_share=0.1, rng=1, **options
    )
    data = drawn.annotations
    assert (data.n_items, data.n_coders) == (20_000, 8)
    assert data.n_judgments == pytest.approx(144_000, rel=0.01)
    assert af.alpha(data, "interval").value == pytest.approx(0.57, abs=0.015)
    assert af.alpha(data).value == pytest.approx(drawn.model.reliability("nominal"), abs=0.01)
    said = data.to_counts().sum(0)
    assert said / said.sum() == pytest.approx(drawn.model.shares, abs=0.01)
    true = np.array([np.count_nonzero(drawn.truth == label) for label in EMOTION]) / 20_000
    assert true == pytest.approx(drawn.model.shares, abs=0.015)
    right = (data.to_wide() == drawn.truth[:, None]).sum() / data.n_judgments
    kept = float(drawn.model.shares @ np.diagonal(drawn.model.confusion))
    assert right == pytest.approx(kept, abs=0.01)


def test_the_same_seed_gives_the_same():
    """Seeds decide everything."""
    options = {"reliability": 0.5, "n_items": 50, "n_coders": 4}
    one, two, other = (subsets.simulate(EMOTION, rng=seed, **options) for seed in (3, 3, 4))
    assert one.annotations.to_wide().tolist() == two.annotations.to_wide().tolist()
    assert one.truth.tolist() == two.truth.tolist()
    assert one.annotations.to_wide().tolist() != other.annotations.to_wide().tolist()
    data = af.Annotations.from_wide(seeded(1, 40, 5, "abc").rows)
    same = [subsets.simulate(data, reliability=0.3, rng=9).annotations.to_wide() for _ in "12"]
    assert same[0].tolist() == same[1].tolist()


@pytest.mark.few
@pytest.mark.parametrize("distance", ["nominal", "interval", "ordinal"])
@pytest.mark.parametrize("reliability", [0.05, 0.3, 0.6, 0.9, 1.0])
def test_modified_data_have_the_reliability(distance, reliability):
    """Made worse or better, with missing judgments; missing ones stay missing."""
    table = seeded(8, 3000, 6, range(4), missing=0.2)
    data = af.Annotations.from_wide(table.rows)
    made = subsets.simulate(data, reliability=reliability, distance=distance, rng=2)
    result = af.alpha(made.annotations, distance).value
    assert result == pytest.approx(reliability, abs=0.025)
    assert made.annotations.coders == data.coders
    missing = [[label is None for label in row] for row in data.to_wide()]
    assert missing == [[label is None for label in row] for row in made.annotations.to_wide()]
    changed = (made.annotations.to_wide() != data.to_wide()).sum() / data.n_judgments
    assert changed <= made.modified + 1e-12


def test_data_that_stay_as_reliable_as_they_are_stay():
    """Asked for their own reliability, data are not modified; the truth is their reference."""
    data = af.Annotations.from_wide(
        [["x", "x", "y"], ["y", "y", "y"], ["x", None, None], [None] * 3]
    )
    made = subsets.simulate(data, reliability=af.alpha(data).value, rng=1)
    assert made.modified == 0
    assert made.annotations.to_wide().tolist() == data.to_wide().tolist()
    assert made.truth.tolist() == ["x", "y", "x", None]


def test_labels_that_meet_no_other_are_not_drawn():
    """Redrawn judgments are drawn from those that pairs have: z is of items judged once."""
    data = af.Annotations.from_wide([["x", "x"], ["y", "y"]] * 50 + [["z", None]] * 400)
    made = subsets.simulate(data, reliability=0.3, rng=1).annotations.to_wide()[:100]
    assert set(made.ravel()) == {"x", "y"}
    assert (made != data.to_wide()[:100]).any()


def test_weighted_items_are_modified_one_by_one():
    """A row of weight 500 becomes 500 rows, which differ afterwards."""
    data = af.Annotations.from_wide([["x", "x"], ["y", "y"], ["x", "y"]], weights=[500, 400, 100])
    made = subsets.simulate(data, reliability=0.4, rng=1)
    assert made.annotations.n_rows == 1000
    assert len(set(map(tuple, made.annotations.to_wide()[:500].tolist()))) == 4
    assert af.alpha(made.annotations).value == pytest.approx(0.4, abs=0.1)


@pytest.mark.parametrize("ties", ["change", "first", "fractional", "median"])
def test_errors_are_counted_subset_by_subset(ties):
    """The table against a count of every subset of the simulated coders."""
    rng = np.random.default_rng(5)
    table = subsets.reference_errors(
        EMOTION, reliability=[0.3, 0.8], n_coders=[1, 2, 4, 5], n_items=30, ties=ties, rng=5
    )
    for i, reliability in enumerate([0.3, 0.8]):
        made = subsets.simulate(EMOTION, reliability=reliability, n_items=30, n_coders=5, rng=rng)
        items = reference.from_rows(made.annotations.to_wide().tolist())
        for j, size in enumerate([1, 2, 4, 5]):
            exact = slow.error(items, made.truth.tolist(), range(5), size, ties, list(EMOTION))
            assert table.error[i, j] == pytest.approx(float(exact), rel=1e-12)
        assert table.measured[i] == af.alpha(made.annotations).value


def test_errors_of_two_categories_are_binomial():
    """Coders right with 0.9: of three the majority errs with 0.028."""
    table = subsets.reference_errors(
        {"x": 1, "y": 1}, reliability=[0.64], n_coders=[1, 3, 5], n_items=40_000, rng=1
    )
    right = 0.9
    exact = [
        sum(math.comb(n, k) * right**k * (1 - right) ** (n - k) for k in range(n // 2 + 1))
        for n in (1, 3, 5)
    ]
    assert (np.abs(table.error[0] - exact) < 4 * table.standard_error[0]).all()


def test_errors_of_modified_data():
    """More reliable data have fewer errors, and none if all judgments equal the reference."""
    data = af.Annotations.from_wide(seeded(3, 150, 7, range(3)).rows)
    table = subsets.reference_errors(data, reliability=[0.2, 0.6, 1.0], n_coders=[3, 7], rng=1)
    assert (np.diff(table.error, axis=0) < 0).all()
    assert table.measured[2] == 1
    assert str(table).splitlines()[1].split() == [
        "reliability", "measured", "coders", "error", "interval",
    ]  # fmt: skip
    assert len(str(table).splitlines()) == 2 + 3 * 2


def test_bad_input_is_named():
    """Errors say what is wrong."""
    data = af.Annotations.from_wide([["x", "y"], ["y", "y"], ["x", "x"]])
    with pytest.raises(TypeError, match="n_items and n_coders are needed"):
        subsets.simulate(EMOTION, reliability=0.5)
    with pytest.raises(TypeError, match="reliability is needed"):
        subsets.simulate(data)
    with pytest.raises(TypeError, match="are for drawing"):
        subsets.simulate(data, reliability=0.5, n_items=3)
    with pytest.raises(ValueError, match=r"reliability must be from 0 to 1, not 1\.2"):
        subsets.simulate(EMOTION, reliability=1.2, n_items=3, n_coders=2)
    with pytest.raises(ValueError, match=r"reliability must be at most 1, not 1\.2"):
        subsets.simulate(data, reliability=1.2)
    with pytest.raises(ValueError, match="less than chance"):
        subsets.simulate(data, reliability=-0.9)
    with pytest.raises(ValueError, match="no reliability to change: no variation"):
        subsets.simulate([["x", "x"], ["x", "x"]], reliability=0.5)
    with pytest.raises(ValueError, match="at most 2048 categories, these annotations have 3000"):
        subsets.simulate(np.arange(6000.0).reshape(3000, 2) // 2, reliability=0.5)
    heavy = af.Annotations.from_wide([[1, 2], [1, 1]], weights=[10**14, 1])
    with pytest.raises(ValueError, match="100,000,000,000,001 items of 2 coders do not fit"):
        subsets.simulate(heavy, reliability=0.5)
    with pytest.raises(TypeError, match=r"n_items must be .*, not 2"):
        subsets.simulate({"x": 1, "y": 1}, reliability=0.5, n_items=2.5, n_coders=3)
    with pytest.raises(TypeError, match="reliability must be a number, not 'high'"):
        subsets.simulate({"x": 1, "y": 1}, reliability="high", n_items=2, n_coders=3)
    with pytest.raises(TypeError, match=r"shares\['x'\] must be a number, not '1'"):
        subsets.simulate({"x": "1", "y": 1}, reliability=0.5, n_items=2, n_coders=3)
    with pytest.raises(ValueError, match=r"n_items must be .*, not 0"):
        subsets.simulate(EMOTION, reliability=0.5, n_items=0, n_coders=2)
    with pytest.raises(ValueError, match="missing_share must be a share from 0 to below 1, not 1"):
        subsets.simulate(EMOTION, reliability=0.5, n_items=3, n_coders=2, missing_share=1)
    with pytest.raises(ValueError, match="'b' has 0"):
        subsets.noisy_coders({"a": 1, "b": 0}, 0.5)
    with pytest.raises(ValueError, match="two categories"):
        subsets.noisy_coders({"a": 1}, 0.5)
    with pytest.raises(ValueError, match="reliability needs two categories at a distance above 0"):
        subsets.noisy_coders({"a": 1, "b": 1}, 0.5, distance=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="errors: all distances are 0"):
        subsets.noisy_coders({"a": 1, "b": 1}, 0.5, errors=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="spread needs n_coders"):
        subsets.noisy_coders({"a": 1, "b": 1}, 0.5, spread=0.1)
    with pytest.raises(ValueError, match="spread must be 0 or more, not -1"):
        subsets.noisy_coders({"a": 1, "b": 1}, 0.5, n_coders=2, spread=-1)
    with pytest.raises(ValueError, match="add to 1"):
        NoisyCoders(("a", "b"), np.array([0.5, 0.6]), np.eye(2))
    with pytest.raises(ValueError, match="a row of confusion must be probabilities"):
        NoisyCoders(("a", "b"), np.array([0.5, 0.5]), np.array([[1.2, -0.2], [0, 1]]))
    with pytest.raises(ValueError, match="shares must be probabilities"):
        NoisyCoders(("a", "b"), np.array([1.2, -0.2]), np.eye(2))
    with pytest.raises(ValueError, match="not shapes"):
        NoisyCoders(("a", "b"), np.array([0.5, 0.5]), np.eye(3))
    model = subsets.noisy_coders(EMOTION, 0.5)
    with pytest.raises(TypeError, match="has its own reliability"):
        subsets.simulate(model, reliability=0.5, n_items=3, n_coders=2)
    with pytest.raises(ValueError, match="the data have 2 coders, not 25"):
        subsets.reference_errors(data)
    with pytest.raises(ValueError, match=r"ties must be .*, not 'mode'"):
        subsets.reference_errors(EMOTION, ties="mode")


def test_results_are_readable():
    """One line each."""
    model = subsets.noisy_coders(EMOTION, 0.5)
    made = subsets.simulate(model, n_items=9, n_coders=3, rng=1)
    table = subsets.reference_errors(EMOTION, reliability=[0.5], n_items=20, rng=1)
    for result in (model, made, table):
        assert "\n" not in repr(result)

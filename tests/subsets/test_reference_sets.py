"""The spread of the error over sets of coders, how many coders it takes, and sizes of studies."""

import itertools
import math

import numpy as np
import pytest
import reference
import reference_stability as slow

import agreement_fast as af
from agreement_fast import inference, subsets
from agreement_fast.subsets.reference_errors import _Judged

SCALE = {1: 2, 2: 5, 3: 3}


@pytest.mark.parametrize("ties", ["change", "first", "fractional", "median"])
def test_errors_of_sets_are_those_of_each_set(ties):
    """With many drawn sets, their errors lie within those of all sets, and so does the mean."""
    made = subsets.simulate(
        SCALE, reliability=0.4, n_items=25, n_coders=5, missing_share=0.3, rng=7
    )
    judged = _Judged.of(made)
    wide = made.annotations.to_wide().tolist()
    for size in (1, 2, 4):
        result = judged.errors_of_sets(ties, size, 800, np.random.default_rng(1))
        exact = []
        for chosen in itertools.combinations(range(5), size):
            items = reference.from_rows([[row[c] for c in chosen] for row in wide])
            exact.append(
                float(slow.error(items, made.truth.tolist(), range(size), size, ties, list(SCALE)))
            )
        np.testing.assert_allclose(np.unique(result.round(9)), np.unique(np.round(exact, 9)))
        assert result.mean() == pytest.approx(np.mean(exact), abs=0.02)
        whole = judged.mean_errors(ties, np.array([size]))
        assert whole[0] == pytest.approx(np.mean(exact), rel=1e-12)


def test_low_and_high_hold_the_mean_and_meet_for_a_single_set():
    alike, varied = (
        subsets.reference_errors(
            {"x": 1, "y": 1}, reliability=[0.5], n_coders=[3, 9], n_items=800, spread=spread, rng=1
        )
        for spread in (0.0, 0.3)
    )
    assert alike.low[0, 0] < alike.error[0, 0] < alike.high[0, 0]
    assert alike.low[0, 1] == alike.high[0, 1] == pytest.approx(alike.error[0, 1])
    assert varied.low[0, 1] < varied.high[0, 1]
    assert varied.high[0, 0] - varied.low[0, 0] > 2 * (alike.high[0, 0] - alike.low[0, 0])


def test_coders_needed_is_the_first_from_which_on_it_is_enough():
    table = subsets.reference_errors(
        {"x": 1, "y": 1}, reliability=[0.3, 0.64], n_coders=[5, 1, 2, 3, 7], n_items=4000,
        ties="change", rng=1,
    )  # fmt: skip
    # with "change" two coders are worse than one
    assert table.error[1, 2] > table.error[1, 1]
    for target in (0.02, 0.05, 0.12, 0.3):
        result = table.coders_needed(target)
        for i, n in enumerate(result.to_dict()["n_coders"]):
            by_size = dict(zip(table.n_coders.tolist(), table.error[i].tolist(), strict=True))
            enough = [n for n in by_size if all(by_size[m] <= target for m in by_size if m >= n)]
            assert n == (min(enough) if enough else None)
    surely = table.coders_needed(0.12, of_most_sets=True).to_dict()
    assert all(high <= 0.12 for high in surely["high"] if not math.isnan(high))
    with pytest.raises(ValueError, match="error must be"):
        table.coders_needed(1.5)


def test_models_bring_their_own_coders():
    model = subsets.noisy_coders(SCALE, 0.5, n_coders=4, rng=1)
    with pytest.raises(ValueError, match="the model has 4 coders, not 25"):
        subsets.reference_errors(model)
    with pytest.raises(TypeError, match="a model has its own reliability"):
        subsets.reference_errors(model, reliability=[0.5], n_coders=[2])
    noisy = subsets.noisy_coders(SCALE, 0.5)
    result = subsets.reference_errors(noisy, n_coders=[1, 9], n_items=300, rng=1)
    assert result.reliability == pytest.approx([0.5])
    # hard items have no truth, so only easy ones count, and on these nobody errs
    aickin = subsets.aickin_coders({"x": 1, "y": 1}, 0.5)
    assert subsets.reference_errors(aickin, n_coders=[1, 2], rng=1).error.tolist() == [[0, 0]]


def test_a_study_of_the_size_has_the_width():
    sizes = subsets.study_sizes(
        SCALE, 0.12, reliability=0.6, coefficient="alpha", distance="interval", errors="linear",
        n_coders=[2, 6], n_simulated=8_000, rng=1,
    )  # fmt: skip
    assert sizes.n_items[0] > sizes.n_items[1]
    assert sizes.to_dict()["n_judgments"] == [2 * sizes.n_items[0], 6 * sizes.n_items[1]]
    for n_coders, n_items in zip((2, 6), sizes.n_items, strict=True):
        widths = []
        for seed in range(4):
            made = subsets.simulate(
                SCALE, reliability=0.6, distance="interval", errors="linear", n_items=n_items,
                n_coders=n_coders, rng=seed,
            ).annotations  # fmt: skip
            result = inference.standard_error(made, "alpha", distance="interval")
            widths.append(2 * 1.959964 * result.standard_error)
        assert np.mean(widths) == pytest.approx(0.12, rel=0.08)
    with pytest.raises(ValueError, match="n_coders must be"):
        subsets.study_sizes(SCALE, 0.1, reliability=0.6, n_coders=[1])
    with pytest.raises(ValueError, match="width must be a positive number"):
        subsets.study_sizes(SCALE, 0, reliability=0.6)
    perfect = subsets.study_sizes(
        {"x": 1, "y": 1}, 0.1, reliability=1.0, n_coders=[2], n_simulated=50, rng=1
    )
    assert perfect.n_items == (None,)
    assert str(perfect).splitlines()[-1].split() == ["2", "-", "-", "1.0000"]


def test_alpha_of_a_study_is_that_of_the_data():
    sizes = subsets.study_sizes(SCALE, 0.1, reliability=0.6, n_coders=[3], n_simulated=500, rng=3)
    made = subsets.simulate(SCALE, reliability=0.6, n_items=500, n_coders=3, rng=3).annotations
    assert sizes.value[0] == af.alpha(made).value

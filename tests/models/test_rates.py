"""Intervals of sensitivity and specificity, and the test that they are above a threshold."""

import math
import sys

import numpy as np
import pytest
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import models
from agreement_fast.models import uncertainty

Z = 1.959963984540054


def judged(seed=3, n=400, missing=0.0, right=(0.9, 0.8, 0.7, 0.85), shares=(0.5, 0.3, 0.2)):
    """Items of three categories, and coders who are right as often as said."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n, p=shares)[:, None]
    hit = rng.random((n, len(right))) < right
    caught = np.where(hit, truth, rng.choice(len(shares), (n, len(right)), p=shares))
    caught[rng.random(caught.shape) < missing] = -1
    return af.Annotations.from_wide(caught, missing=-1, coders=range(len(right)))


def wilson(p, n, z=Z):
    """Both ends of Wilson's interval."""
    root = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return tuple((p + z * z / (2 * n) + sign * root) / (1 + z * z / n) for sign in (-1, 1))


def test_errors_of_one_class_are_those_of_its_probabilities():
    model = dawid_skene(judged())
    errors = model.standard_errors().probabilities
    for k in range(3):
        result = model.accuracy(k).sensitivity_interval
        np.testing.assert_allclose(result.standard_error, errors[:, k, k])


@pytest.mark.parametrize("classes", [[0], [0, 2], [1, 2]])
def test_errors_are_the_delta_method_in_the_logits(classes):
    """Rates as functions of moved logits, through the covariance of these."""
    model = models.latent_classes(judged(missing=0.2), 3, rng=1)
    curved = uncertainty.curvature(model, model.problem)
    layout, covariance = curved.layout, curved.half.T @ curved.half
    result = model.accuracy(1, classes=classes)

    def rates(x):
        """Sensitivity of each coder, specificity of each, and both means."""
        shares = model.shares.copy()
        shares[layout.classes] *= np.exp(x[: len(layout.classes)])
        shares /= shares.sum()
        table = model.probabilities.copy()
        for t, ((coder, category), places) in enumerate(
            zip(layout.cells, layout.places, strict=True)
        ):
            table[coder, t, category] *= np.exp(x[places])
        table /= table.sum(2, keepdims=True)
        out = []
        for side in (classes, [t for t in range(3) if t not in classes]):
            each = (shares[side] * table[:, side, 1]).sum(1) / shares[side].sum()
            out += [*each, each.mean()]
        return np.array(out)

    step = 1e-6
    slopes = np.array(
        [(rates(step * unit) - rates(-step * unit)) / (2 * step) for unit in np.eye(layout.n)]
    )
    errors = np.sqrt(np.einsum("ia,ij,ja->a", slopes, covariance, slopes))
    sides = result.sensitivity_interval, result.specificity_interval
    shown = [x for side in sides for x in (*side.standard_error, side.mean_standard_error)]
    np.testing.assert_allclose(shown, errors, rtol=1e-6)
    # the interval is Wilson's for the items that this variance is worth
    values = [*result.sensitivity, result.mean_sensitivity]
    for value, low, high, size in zip(
        values,
        [*sides[0].low, sides[0].mean_low],
        [*sides[0].high, sides[0].mean_high],
        [*sides[0].size, sides[0].mean_size],
        strict=True,
    ):
        assert (low, high) == pytest.approx(wilson(value, size))
    plain = result.sensitivity * (1 - result.sensitivity) / sides[0].standard_error ** 2
    assert sides[0].size == pytest.approx(plain, rel=0.1)


def test_specificity_is_the_mirror_of_what_is_said_of_the_others():
    model = dawid_skene(judged())
    one, other = model.accuracy(1), model.accuracy(1, classes=[0, 2])
    assert one.specificity == pytest.approx(1 - other.sensitivity)
    low, high = one.specificity_interval, other.sensitivity_interval
    assert low.low == pytest.approx(1 - high.high)
    assert low.mean_high == pytest.approx(1 - high.mean_low)
    assert (low.low < one.specificity).all()


def test_rates_of_one_have_the_interval_of_known_classes():
    """Coders who never disagree: nothing hides the classes."""
    model = dawid_skene([["y", "y"]] * 12 + [["n", "n"]] * 8)
    result = model.accuracy("y", confidence_level=0.9)
    each = result.sensitivity_interval
    assert np.isnan(each.standard_error).all()
    assert math.isnan(each.mean_standard_error)
    z = 1.6448536269514722
    assert each.low == pytest.approx(12 / (12 + z * z))
    assert each.high == pytest.approx(1.0)
    assert result.specificity_interval.low == pytest.approx(8 / (8 + z * z))
    assert each.mean_low == pytest.approx(24 / (24 + z * z))


@pytest.mark.parametrize("rate", ["sensitivity", "specificity"])
def test_the_test_says_what_the_interval_says(rate):
    model = dawid_skene(judged())
    result = model.accuracy(0)
    threshold = {"sensitivity": 0.88, "specificity": 0.9}[rate]
    tested = result.above(threshold, rate)
    assert (tested.p_value < 0.5).any()
    assert tested.value.tolist() == getattr(result, rate).tolist()
    for c, p in enumerate(tested.p_value):
        if p < 0.5:
            own = model.accuracy(0, confidence_level=1 - 2 * p)
            assert getattr(own, f"{rate}_interval").low[c] == pytest.approx(threshold)
        else:
            assert tested.value[c] <= threshold
    if tested.mean_p_value < 0.5:
        own = model.accuracy(0, confidence_level=1 - 2 * tested.mean_p_value)
        assert getattr(own, f"{rate}_interval").mean_low == pytest.approx(threshold)
    assert (result.above(0.2, rate).p_value < tested.p_value).all()
    assert f"{rate} above {threshold}" in repr(tested)
    assert len(str(tested).splitlines()) == 2 + 4


def test_what_cannot_be_said_is_noted():
    few = judged(n=12, right=(0.6, 0.6), shares=(0.5, 0.5))
    unknown = models.latent_classes(few, 3, rng=1).accuracy(1)
    assert "not identified" in unknown.note
    assert np.isnan(unknown.sensitivity_interval.low).all()
    assert "not identified" in str(unknown)
    model = dawid_skene(judged())
    assert "not requested" in model.accuracy(1, intervals=False).note
    nothing = dawid_skene([[1, 1], [1, 1]]).accuracy(1)
    assert nothing.note is None
    assert nothing.undefined


def test_models_that_take_long_are_asked_for(monkeypatch):
    monkeypatch.setattr(sys.modules["agreement_fast.models.accuracy"], "UNASKED", 1)
    model = dawid_skene(judged())
    result = model.accuracy(1)
    assert "intervals=True" in result.note
    assert model.accuracy(1, intervals=True).note is None


def test_a_coder_who_judged_nothing_has_no_interval():
    data = af.Annotations.from_wide(
        [[1, 1, None], [2, 2, None], [1, 2, None], [2, 2, None], [1, 1, None]] * 8,
        coders=["a", "b", "c"], categories=[1, 2],
    )  # fmt: skip
    result = dawid_skene(data).accuracy(1)
    assert math.isnan(result.sensitivity[2])
    if result.note is None:
        assert math.isnan(result.sensitivity_interval.low[2])
        assert not math.isnan(result.sensitivity_interval.mean_low)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda a: a.above(1.0), "between 0 and 1"),
        (lambda a: a.above(0.5, "recall"), "'sensitivity'"),
    ],
)
def test_bad_thresholds_are_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call(dawid_skene(judged()).accuracy(1))


def test_tables_hold_the_intervals():
    result = dawid_skene(judged()).accuracy(1)
    columns = result.to_dict()
    assert columns["coder"] == [0, 1, 2, 3]
    assert columns["sensitivity_low"] == result.sensitivity_interval.low.tolist()
    assert columns["specificity_high"] == result.specificity_interval.high.tolist()
    tested = result.above(0.6, "specificity").to_dict()
    assert tested["specificity"] == result.specificity.tolist()
    assert len(tested["p_value"]) == 4


def test_no_rate_is_worth_more_than_the_items_that_were_judged():
    """Smoothing makes the information larger than that of the data."""
    data = judged(n=30)
    result = dawid_skene(data, smoothing=20.0).accuracy(1)
    sizes = result.sensitivity_interval.size + result.specificity_interval.size
    assert (sizes <= 30 + 1e-9).all()

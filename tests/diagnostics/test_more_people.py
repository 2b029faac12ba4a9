"""What more people add, beside the definitions and beside people who are there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from loops import nonempty
from scipy.stats import t

import agreement_fast as af
from agreement_fast.diagnostics import alternative_annotator_test, more_people

NAMES = list("abcdefg")


def ratings(rng, n, n_people, kind="interval"):
    """Draw ratings of people with the same error: scores, or three categories."""
    heard = rng.normal(size=n)[:, None] + rng.normal(size=(n, n_people))
    scores = np.rint(heard * 2).astype(int) + 20
    return scores if kind == "interval" else np.digitize(heard, [-0.5, 0.5])


def half(result):
    return (result.high - result.low) / 2


@pytest.mark.parametrize("seed", range(20))
def test_the_numbers_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    C, n_more = int(rng.integers(3, 6)), 3
    kind = ("interval", "nominal")[seed % 2]
    table = ratings(rng, 60, C, kind).astype(object)
    table[rng.random(table.shape) < 0.1 * (seed % 3)] = None
    data = af.Annotations.from_wide(table, coders=NAMES[:C])
    result = more_people(data, distance=kind, n_more=n_more, confidence_level=0.95)
    alpha = af.alpha(data, kind)
    rows = result.people.to_dict()
    # Spearman & Brown, from the judgments that an item has
    judgments = alpha.n_judgments / alpha.n_items
    for k in range(n_more + 1):
        n = judgments * (C + k) / C
        assert rows["n_people"][k] == C + k
        assert rows["judgments"][k] == pytest.approx(n)
        for name, r in (("", alpha.value), ("_low", alpha.low), ("_high", alpha.high)):
            r = max(r, 0)
            assert rows[f"reliability{name}"][k] == pytest.approx(n * r / (1 + (n - 1) * r))
    gains = np.diff(rows["reliability"])
    assert rows["gain"][0] is None or math.isnan(rows["gain"][0])
    assert np.allclose(rows["gain"][1:], gains)
    # a + b / C from all people and without each
    now = half(alpha) ** 2
    without = np.array([
        half(af.alpha(data.select(coders=[d for d in NAMES[:C] if d != c]), kind)) ** 2
        for c in NAMES[:C]
    ])  # fmt: skip
    b = (without.mean() - now) / (1 / (C - 1) - 1 / C)
    b = min(max(b, 0), now * C)
    a = now - b / C
    reach = t.ppf(0.975, C - 1) * math.sqrt((C - 1) / C * ((without - without.mean()) ** 2).sum())
    for k in range(n_more + 1):
        square = a + b / (C + k)
        assert rows["half_width"][k] ** 2 == pytest.approx(square)
        assert rows["half_width_low"][k] ** 2 == pytest.approx(max(square - reach, 0))
        assert rows["half_width_high"][k] ** 2 == pytest.approx(square + reach)


@pytest.mark.parametrize("kind", ["interval", "nominal"])
def test_what_is_predicted_comes_true(kind):
    """Leave two of six people out, predict the half widths with them, and look."""
    rng = np.random.default_rng(5)
    predicted, actual, held = [], [], []
    for _ in range(60):
        table = ratings(rng, 100, 6, kind)
        data = af.Annotations.from_wide(table, coders=NAMES[:6])
        some = data.select(coders=NAMES[:4])
        rows = more_people(some, distance=kind, n_more=2).people.to_dict()
        there = half(af.alpha(data, kind))
        predicted.append(rows["half_width"][2])
        actual.append(there)
        held.append(rows["half_width_low"][2] <= there <= rows["half_width_high"][2])
    assert abs(np.mean(predicted) / np.mean(actual) - 1) < 0.06
    assert np.mean(held) > 0.8


def test_the_reliability_of_a_mean_comes_true():
    rng = np.random.default_rng(6)
    truth = rng.normal(size=4000)
    table = np.rint((truth[:, None] + rng.normal(size=(4000, 5))) * 8).astype(int) + 200
    data = af.Annotations.from_wide(table[:, :3], coders=NAMES[:3])
    rows = more_people(data, distance="interval", n_more=2).people.to_dict()
    actual = np.corrcoef(table.mean(1), truth)[0, 1] ** 2
    assert abs(rows["reliability"][2] - actual) < 0.01


def test_the_tests_of_models_become_narrower():
    rng = np.random.default_rng(7)
    table = ratings(rng, 200, 6, "nominal")
    data = af.Annotations.from_wide(table, coders=[*NAMES[:4], "gpt", "llama"])
    result = more_people(data, ["gpt", "llama"], n_more=1)
    test = alternative_annotator_test(data, ["gpt", "llama"])
    rows = result.models.to_dict()
    assert rows["model"] == ["gpt", "gpt", "llama", "llama"]
    assert rows["n_people"] == [4, 5, 4, 5]
    assert np.allclose(rows["half_width"][::2], (test.high - test.low) / 2)
    for place in nonempty([0, 2]):
        assert rows["half_width"][place + 1] <= rows["half_width"][place]
    assert result.n_people == 4
    # Labels of models need not be coders of the data
    labels = {name: table[:, 4 + i].tolist() for i, name in enumerate(["gpt", "llama"])}
    other = more_people(data.select(coders=NAMES[:4]), labels, n_more=1)
    assert np.allclose(other.models.to_dict()["half_width"], rows["half_width"])
    assert "One more person raises the reliability" in " ".join(str(result).split())


def test_two_people_have_no_half_widths_and_one_nothing():
    result = more_people([("x", "x"), ("y", "x"), ("y", "y"), ("x", "x")], n_more=1)
    assert "three people" in result.undefined
    rows = result.people.to_dict()
    assert all(value is None or math.isnan(value) for value in rows["half_width"])
    assert rows["reliability"][1] > rows["reliability"][0]
    data = af.Annotations.from_wide([("x", "x"), ("y", "x")], coders=["a", "b"])
    with pytest.raises(ValueError, match="two people or more, got 1"):
        more_people(data, person="a")

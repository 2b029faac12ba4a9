"""The alternative annotator test."""

import math

import numpy as np
import pytest
import reference_judges as plain
import reference_scores
from diagnosed import annotations
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from scipy.stats import ttest_1samp
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast.diagnostics import alternative_annotator_test
from agreement_fast.diagnostics.alternative_annotators import EPSILON
from agreement_fast.inference.hypotheses import benjamini_yekutieli


def same(result, exact):
    return (
        math.isnan(result) if exact is None else result == pytest.approx(exact, rel=1e-9, abs=1e-9)
    )


@examples(20)
@given(
    tables("scale", heaviest=9),
    st.data(),
    st.sampled_from(["nominal", "interval", "linear"]),
    st.sampled_from([0.0, 0.1, 0.2]),
)
def test_the_test_of_the_paper(table, data, distance, epsilon):
    n = len(table.rows)
    labels = st.lists(st.sampled_from([*table.order, None]), min_size=n, max_size=n)
    models = {"gpt": data.draw(labels), "llama": data.draw(labels)}
    result = alternative_annotator_test(
        annotations(table), models, distance=distance, epsilon=epsilon, q=0.1, min_items=4
    )
    for m, said in enumerate(models.values()):
        people, rate, advantage = plain.alternative_annotator_test(
            table.rows, table.frequencies, said, plain.SCORES[distance], epsilon, 0.1, 4
        )
        assert same(result.winning_rate[m], rate)
        assert same(result.advantage[m], advantage)
        assert result.passes[m] == (rate is not None and rate >= 0.5)
        for c in table.coders:
            items, model, person, p = people.get(c, (0, None, None, None))
            assert result.items[m, c] == items
            if items:
                assert same(result.model_advantage[m, c], model)
                assert same(result.person_advantage[m, c], person)
                assert same(result.difference[m, c], model - person)
            assert same(result.p_value[m, c], p)


def simulated(n_items=200, seed=0):
    """Return three people, and models that range from better than them to worse."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, n_items)

    def judge(spread):
        return np.clip(np.rint(truth + rng.normal(0, spread, n_items)), 1, 5).astype(int)

    people = np.stack([judge(0.7) for _ in range(3)], 1)
    spreads = {"gpt": 0.4, "qwen": 0.5, "gemini": 0.7, "mistral": 0.95, "llama": 1.6}
    return people, {name: judge(spread) for name, spread in spreads.items()}


def test_better_models_have_higher_advantages():
    people, models = simulated(600)
    result = alternative_annotator_test(people, models, distance="interval", epsilon="crowd")
    assert result.winning_rate.tolist()[:3] == [1, 1, 1]
    assert result.winning_rate[4] == 0
    assert (np.diff(result.advantage) < 0).all()
    assert result.note is None
    gaps = result.differences().to_dict()
    assert gaps["first"][0] == "gpt"
    assert gaps["second"][0] == "qwen"
    assert gaps["low"][3] > 0  # gpt and llama


def test_the_interval_of_the_advantage_matches_resampling_of_items():
    people, models = simulated(300, 1)
    some = {name: models[name] for name in ("gemini", "llama")}
    result = alternative_annotator_test(people, some, distance="interval")
    rng = np.random.default_rng(3)
    drawn = []
    for _ in range(300):
        weights = np.bincount(rng.integers(0, 300, 300), minlength=300)
        data = af.Annotations.from_wide(people, weights=weights, coders=[0, 1, 2])
        drawn.append(alternative_annotator_test(data, some, distance="interval").advantage)
    first, second = np.array(drawn).T
    for m, replicates in enumerate((first, second)):
        width = result.high[m] - result.low[m]
        assert width == pytest.approx(2 * 1.96 * replicates.std(), rel=0.12)
        assert result.low[m] < result.advantage[m] < result.high[m]
    gap = result.differences().to_dict()
    width = gap["high"][0] - gap["low"][0]
    assert width == pytest.approx(2 * 1.96 * (first - second).std(), rel=0.12)


def test_a_weight_equals_repeated_items():
    table = seeded(2, 40, 4, range(1, 5), heaviest=3)
    said = [row[0] or 1 for row in table.rows]
    weights = table.frequencies
    long = [row for row, w in zip(table.rows, weights, strict=True) for _ in range(w)]
    repeated = [label for label, w in zip(said, weights, strict=True) for _ in range(w)]
    a = alternative_annotator_test(annotations(table), {"m": said}, min_items=10)
    b = alternative_annotator_test(long, {"m": repeated}, min_items=10)
    for name in ("winning_rate", "advantage", "low", "high", "p_value", "n_items", "items"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-9, nan_ok=True)


def test_the_interval_of_a_difference_is_that_of_the_t_test():
    people, models = simulated(80, 4)
    result = alternative_annotator_test(people, {"m": models["mistral"]}, distance="interval")
    score = plain.SCORES["interval"]
    pairs = plain.duels(people.tolist(), [1] * 80, models["mistral"].tolist(), score)
    for c in range(3):
        model, person = (np.array(side, float) for side in zip(*pairs[c], strict=True))
        exact = ttest_1samp(model - person, 0).confidence_interval(0.95)
        ends = result.difference_low[0, c], result.difference_high[0, c]
        assert ends == pytest.approx((exact.low, exact.high), rel=1e-9)


@pytest.mark.parametrize(("name", "epsilon"), [("expert", 0.2), ("skilled", 0.15), ("crowd", 0.1)])
def test_epsilon_of_the_paper(name, epsilon):
    assert EPSILON[name] == epsilon
    people, models = simulated(60)
    by_name, by_number = (
        alternative_annotator_test(people, models, epsilon=one) for one in (name, epsilon)
    )
    assert by_name.epsilon == epsilon
    assert by_name.p_value.tolist() == by_number.p_value.tolist()


def test_people_with_few_items_are_not_tested_and_the_note_says_so():
    people, models = simulated(100)
    table = people.astype(object)
    table[20:, 2] = None
    result = alternative_annotator_test(table, models)
    assert result.n_people.tolist() == [2] * 5
    assert np.isnan(result.p_value[:, 2]).all()
    assert "1 of 3 people were not tested, because they have fewer than 30 items" in result.note
    tests = result.tests().to_dict()
    assert tests["undefined"][2].startswith("fewer than min_items items")
    assert tests["undefined"][0] is None
    assert tests["rejected"][2] is None
    assert tests["rejected"][0] is bool(result.rejected[0, 0])
    two = alternative_annotator_test(people[:, :2], models, min_items=20)
    assert "there are 2 people, and at least 3 are recommended" in two.note
    assert "recommended for 30 items or more" in two.note
    few = {name: labels[:20] for name, labels in models.items()}
    none = alternative_annotator_test(table[:20], few)
    assert np.isnan(none.winning_rate).all()
    assert not none.passes.any()
    columns = none.to_dict()
    assert columns["undefined"][0].startswith("fewer than min_items items")
    assert columns["passes"] == [None] * 5
    assert result.to_dict()["passes"] == result.passes.tolist()
    assert "0 models of 0 that can be tested pass" in repr(none)
    assert "tested pass" not in str(none)
    shown = none.to_text().partition("\n\n")[2].splitlines()
    assert shown[1].split()[:6] == [*shown[1].split()[:1], "0", "of", "0", "-", "-"]


def test_a_model_without_a_rival_and_one_without_a_chance():
    """If all differences are equal, p is 0 or 1."""
    people = [("x", "x", "x")] * 40
    result = alternative_annotator_test(people, {"like": ["x"] * 40, "unlike": ["y"] * 40})
    assert result.p_value.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert result.winning_rate.tolist() == [1, 0]
    assert result.advantage.tolist() == [1, 0]
    assert result.low[0] == pytest.approx(reference_scores.wilson(40, 40)[0])
    assert result.high[1] == pytest.approx(reference_scores.wilson(0, 40)[1])


def test_invalid_arguments_raise():
    people, models = simulated(40)
    with pytest.raises(
        ValueError, match="epsilon must be a number, 'expert', 'skilled' or 'crowd'"
    ):
        alternative_annotator_test(people, models, epsilon="novice")
    with pytest.raises(ValueError, match="epsilon must be 0 or more and less than 1, not 1"):
        alternative_annotator_test(people, models, epsilon=1)
    with pytest.raises(ValueError, match="needs two people or more, but 1, 0, is left besides"):
        alternative_annotator_test(people[:, :1], models)
    with pytest.raises(ValueError, match="min_items must be a whole number, 2 or more"):
        alternative_annotator_test(people, models, min_items=1)


@given(st.lists(st.floats(0, 0.2), max_size=8), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_false_discovery_rate_equals_scipys(p_values, q):
    from scipy.stats import false_discovery_control

    result = benjamini_yekutieli(np.array(p_values), q)
    if p_values:
        adjusted = false_discovery_control(p_values, method="by")
        clear = np.abs(adjusted - q) > 1e-12
        assert (result == (adjusted <= q))[clear].all()
    with_gap = benjamini_yekutieli(np.array([*p_values, np.nan]), q)
    assert with_gap.tolist() == [*result.tolist(), False]


def test_ties_do_not_depend_on_rounding():
    """Sums of distances such as 0.1 + 0.2 and 0.2 + 0.1 tie, although the floats differ."""
    people = [(0.0, 0.1, 0.2)] * 3
    result = alternative_annotator_test(people, {"m": [0.3] * 3}, distance="linear", min_items=2)
    assert result.model_advantage[0, 0] == result.person_advantage[0, 0] == 1
    people = [(0.0, 0.1, 0.3)] * 3
    result = alternative_annotator_test(people, {"m": [0.4] * 3}, distance="linear", min_items=2)
    assert result.model_advantage[0, 0] == result.person_advantage[0, 0] == 1


def test_half_of_the_people_are_enough():
    """The model agrees with ann, but is far from her when bea is left out."""
    people = [("x", "x")] * 200 + [("x", "y")] * 200
    result = alternative_annotator_test(people, {"m": ["y"] * 400})
    assert result.winning_rate.tolist() == [0.5]
    assert result.passes.tolist() == [True]


def test_no_difference_is_no_proof_without_epsilon():
    result = alternative_annotator_test([("x", "x", "x")] * 40, {"m": ["x"] * 40}, epsilon=0)
    assert result.p_value.tolist() == [[1, 1, 1]]
    assert result.winning_rate[0] == 0


@pytest.mark.parametrize("seed", range(10))
def test_verdicts_are_those_of_tests_with_these_values(seed):
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 2, (60, 4)).astype(object)
    people[:, 1] = people[:, 0]
    people[rng.random(people.shape) < 0.3] = None
    models = {name: rng.integers(0, 2, 60).tolist() for name in ("m", "n")}
    models["near"] = [0 if row[0] is None else row[0] for row in people.tolist()]
    data = af.Annotations.from_wide(people, coders=list("ABCD"))
    table = alternative_annotator_test(data, models, min_items=20).verdicts([0, 0.1, 0.35])
    rows = zip(*(table.to_dict()[name] for name in table.columns()), strict=True)
    for name, epsilon, wins, n, rate, passes in nonempty(rows):
        result = alternative_annotator_test(data, models, epsilon=epsilon, min_items=20)
        place = result.models.index(name)
        assert wins == result.rejected[place].sum()
        assert n == result.n_people[place]
        assert rate == result.winning_rate[place]
        assert passes == result.passes[place]


def test_nobody_tested_has_no_verdict_at_any_value():
    data = af.Annotations.from_wide([("x", "x"), ("y", "x"), ("y", "y")], coders=["A", "B"])
    result = alternative_annotator_test(data, {"m": ["x", "y", "y"]}, min_items=30)
    assert result.verdicts([0.1]).to_dict()["passes"] == [None]
    with pytest.raises(ValueError, match="epsilon must be 0 or more and less than 1"):
        result.verdicts([1.0])

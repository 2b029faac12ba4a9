"""Models compared with people and with each other."""

import numpy as np
import pytest
from strategies import seeded

import agreement_fast as af
from agreement_fast.diagnostics import model_agreement

NAMES = ["Ann", "Bea", "Cid", "gpt", "llama"]


def judged(missing=0.15, labels="abc"):
    table = seeded(1, 120, 5, labels, missing=missing)
    return table, af.Annotations.from_wide(table.rows, coders=NAMES)


@pytest.mark.parametrize(("coefficient", "distance"), [("kappa", "nominal"), ("alpha", "ordinal")])
def test_each_model_is_evaluated_over_the_items_of_all(coefficient, distance):
    table, data = judged(labels=range(1, 5))
    result = model_agreement(
        data, ["gpt", "llama"], coefficient, distance=distance, n_resamples=100, rng=3
    )
    kept = [
        row for row in table.rows
        if row[3] is not None and row[4] is not None and sum(x is not None for x in row[:3]) > 1
    ]  # fmt: skip
    assert result.n_items.tolist() == [len(kept)] * 2
    assert result.n_items_dropped.tolist() == [len(table.rows) - len(kept)] * 2
    people = af.Annotations.from_wide([row[:3] for row in kept])
    for m in range(2):
        alone = model_agreement(
            people, [row[3 + m] for row in kept], coefficient, distance=distance,
            n_resamples=100, rng=3,
        )  # fmt: skip
        assert result.value[m] == pytest.approx(alone.value[0], rel=1e-12)
        assert result.people[m] == pytest.approx(alone.people[0], rel=1e-12)
        assert result.difference[m] == pytest.approx(alone.difference[0], rel=1e-12)
    pairs = [row for row in table.rows if sum(x is not None for x in row[:3]) > 1]
    silent = [sum(row[m] is None for row in pairs) for m in (3, 4)]
    assert result.n_silent.tolist() == silent


def test_differences_use_the_same_resamples():
    _, data = judged()
    result = model_agreement(data, ["gpt", "llama"], n_resamples=200, rng=0)
    gap = result.between("gpt", "llama")
    assert gap.value == pytest.approx(result.value[0] - result.value[1])
    assert gap.replicates.tolist() == (result.replicates[0] - result.replicates[1]).tolist()
    assert gap.low == pytest.approx(np.quantile(gap.replicates, 0.025))
    over_people = result.replicates - result.people_replicates
    assert result.difference_low == pytest.approx(np.quantile(over_people, 0.025, axis=1))
    assert result.difference_high == pytest.approx(np.quantile(over_people, 0.975, axis=1))
    assert result.low == pytest.approx(np.quantile(result.replicates, 0.025, axis=1))
    assert result.people_high == pytest.approx(np.quantile(result.people_replicates, 0.975, axis=1))
    rows = result.differences().to_dict()
    assert (rows["first"], rows["second"]) == (["gpt"], ["llama"])
    assert rows["high"] == [gap.high]
    again = model_agreement(data, ["gpt", "llama"], n_resamples=200, rng=0, threads=1)
    assert again.replicates.tolist() == result.replicates.tolist()


def test_a_mapping_is_the_same_as_coders_of_the_data():
    table, data = judged()
    people = data.select(coders=NAMES[:3])
    models = {name: [row[3 + m] for row in table.rows] for m, name in enumerate(NAMES[3:])}
    by_name = model_agreement(data, NAMES[3:], n_resamples=50, rng=1)
    by_label = model_agreement(people, models, n_resamples=50, rng=1)
    both = model_agreement(data, models, person=NAMES[:3], n_resamples=50, rng=1)
    assert by_name.value.tolist() == by_label.value.tolist() == both.value.tolist()
    assert by_name.replicates.tolist() == by_label.replicates.tolist()
    two = model_agreement(data, "gpt", person=["Bea", "Ann"], n_resamples=40, rng=1)
    alone = model_agreement(
        data.select(coders=["Ann", "Bea", "gpt"]), ["gpt"], n_resamples=40, rng=1
    )
    assert two.value == pytest.approx(alone.value[0])


def test_labels_that_only_models_use():
    """Each model adds categories, which changes the codes of all other labels."""
    people = [("b", "b"), ("d", "d"), ("b", "d"), ("d", "d")] * 5
    models = {"low": ["a", "d", "b", "d"] * 5, "high": ["b", "e", "b", "d"] * 5, "mid": ["b"] * 20}
    result = model_agreement(people, models, n_resamples=40, rng=0)
    for name, labels in models.items():
        alone = model_agreement(people, labels, n_resamples=40, rng=0)
        assert result.value[result.models.index(name)] == pytest.approx(alone.value[0])


def test_ranks():
    table, data = judged(missing=0)
    models = {"gpt": [row[3] for row in table.rows], "twin": [row[3] for row in table.rows],
              "bad": [row[4] if i % 2 else "a" for i, row in enumerate(table.rows)]}  # fmt: skip
    result = model_agreement(data.select(coders=NAMES[:3]), models, n_resamples=100, rng=2)
    ranks = result.ranks()
    assert ranks.sum(0) == pytest.approx([1, 1, 1])
    assert ranks.sum(1) == pytest.approx([1, 1, 1])
    assert ranks.at("gpt", 1) == ranks.at("twin", 1) == pytest.approx(ranks.at("gpt", 2))
    wins = (result.replicates[0] > result.replicates[2]).mean()
    assert ranks.at("gpt", 1) == pytest.approx(wins / 2)
    assert result.between("gpt", "twin").value == 0


def test_a_better_and_a_worse_model():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 400)
    noise = rng.random((400, 3)) < 0.3
    people = np.where(noise, rng.integers(0, 3, (400, 3)), truth[:, None])
    result = model_agreement(
        people, {"true": truth, "lot": rng.permutation(truth)}, n_resamples=300, rng=1
    )
    assert result.difference_low[0] > 0
    assert result.difference_high[1] < 0
    assert result.p_value.tolist() == [2 / 301, 2 / 301]
    assert result.between("true", "lot").low > 0.5
    shown = result.to_text().partition("\n\n")[2].splitlines()
    assert [line.split()[0] for line in shown[1:3]] == ["true", "lot"]


def test_invalid_models_raise():
    _, data = judged()
    with pytest.raises(ValueError, match="there is no coder 'qwen'"):
        model_agreement(data, ["qwen"])
    with pytest.raises(ValueError, match="'gpt' is named on both sides"):
        model_agreement(data, ["gpt"], person=["gpt", "Ann"])
    with pytest.raises(ValueError, match="model is empty"):
        model_agreement(data, [])
    with pytest.raises(TypeError, match="names of coders, one label per item, or a mapping"):
        model_agreement(data, [["x"] * 120])
    with pytest.raises(ValueError, match=r"model\['m'\] has 1 labels for 120 items"):
        model_agreement(data, {"m": ["x"]})
    with pytest.raises(ValueError, match="no item has a label of every model and of two people"):
        model_agreement([("x", "x"), ("y", "x")], {"m": ["x", None], "n": [None, "x"]})
    with pytest.raises(ValueError, match="there is no model 'Ann'"):
        model_agreement(data, ["gpt", "llama"], n_resamples=40, rng=0).between("gpt", "Ann")
    with pytest.raises(ValueError, match="which coder"):
        model_agreement(af.Annotations.from_counts([[1, 1]]), "gpt")


def test_a_model_that_always_gives_the_same_label():
    result = model_agreement([("x", "x"), ("x", "x")], {"m": ["x", "x"]}, n_resamples=40, rng=0)
    assert np.isnan(result.value[0])
    assert result.undefined[0].startswith("no variation")
    assert result.to_dict()["undefined"] == list(result.undefined)
    assert np.isnan(result.ranks().at("m", 1))


def test_each_model_over_its_own_items():
    table, data = judged()
    result = model_agreement(data, ["gpt", "llama"], shared_items=False, n_resamples=60, rng=3)
    for m in range(2):
        people = data.select(coders=NAMES[:3])
        alone = model_agreement(people, [row[3 + m] for row in table.rows], n_resamples=60, rng=3)
        assert result.n_items[m] == alone.n_items[0]
        assert result.value[m] == pytest.approx(alone.value[0])
        assert result.people[m] == pytest.approx(alone.people[0])
        ends = result.difference_low[m], result.difference_high[m]
        assert ends == pytest.approx((alone.difference_low[0], alone.difference_high[0]))
    assert result.n_items[0] != result.n_items[1]
    for ask in (result.differences, result.ranks, lambda: result.between("gpt", "llama")):
        with pytest.raises(
            ValueError, match="over different items cannot be compared with each other"
        ):
            ask()
    with pytest.raises(ValueError, match="no item has a label of model 'm' and of two people"):
        model_agreement([("x", "x")] * 2, {"m": [None] * 2, "n": ["x"] * 2}, shared_items=False)


def test_items_that_each_model_judged():
    people = np.array(
        [("x", "x", None), ("y", "x", "y"), ("x", None, None), ("y", "y", "x")], object
    )
    models = {"all": ["x", "y", "x", "y"], "some": ["x", None, "x", "y"]}
    result = model_agreement(people, models, n_resamples=40, rng=0)
    assert result.n_own.tolist() == [3, 2]
    assert result.n_items.tolist() == [2, 2]
    own = model_agreement(people, models, shared_items=False, n_resamples=40, rng=0)
    assert own.n_items.tolist() == result.n_own.tolist()


SIX = ["ann", "bob", "cid", "gpt-4o", "llama3", "claude"]
ROWS = [
    ("x", "x", "y", "x", "x", "x"),
    ("y", "y", "y", "y", "x", "x"),
    ("x", "y", "y", "y", "y", "x"),
]


def of_six():
    return af.Annotations.from_wide(ROWS * 20, coders=SIX)


def refusals(data, models, **keywords):
    """The error of each function that tells models from people."""
    for function in (
        model_agreement,
        af.diagnostics.alternative_annotator_test,
        af.diagnostics.error_correlation,
    ):
        with pytest.raises(af.errors.InputError) as caught:
            function(data, models, **keywords)
        yield caught.value


def test_models_that_were_not_named_are_no_people():
    """With "gpt-4o" alone, the other two models would be people and agree with it."""
    for error in refusals(of_six(), "gpt-4o"):
        assert (
            error.problem == "'llama3', 'claude' would be counted as people, and look like models"
        )
        first, second = error.remedy.removeprefix("name them, too: ").split(
            "; or name the people: "
        )
        models, people = (eval(text.partition("=")[2]) for text in (first, second))
        assert (models, people) == (["gpt-4o", "llama3", "claude"], ["ann", "bob", "cid"])
    result = model_agreement(of_six(), models, n_resamples=50, rng=1)
    assert (result.models, result.people_names) == (tuple(models), tuple(people))
    assert "People: ann, bob, cid." in str(result)
    one = model_agreement(of_six(), "gpt-4o", person=people, n_resamples=50, rng=1)
    assert one.people_names == tuple(people)
    assert one.value[0] == result.value[0]
    # who is named is taken
    three = ["ann", "bob", "claude"]
    assert model_agreement(of_six(), "gpt-4o", person=three, n_resamples=50).people_names == (
        "ann", "bob", "claude",
    )  # fmt: skip


def test_models_without_people_are_told_so():
    data = of_six().select(coders=["gpt-4o", "llama3", "ann"])
    with pytest.raises(
        af.errors.InputError, match="two people or more, but 1, 'ann', is left"
    ) as e:
        model_agreement(data, ["gpt-4o", "llama3"])
    assert e.value.argument == "person"
    assert "add the judgments of people" in e.value.remedy
    with pytest.raises(af.errors.InputError, match="but none is left besides the models 'gpt-4o'"):
        model_agreement(data.select(coders=["gpt-4o", "llama3"]), ["gpt-4o", "llama3"])


def test_the_cause_of_nothing_to_compare_is_named():
    def table(*rows):
        return af.Annotations.from_wide(rows, coders=["ann", "bob", "gpt", "llama"])

    with pytest.raises(af.errors.InputError, match="no item has labels of two people"):
        model_agreement(table(["x", None, "x", "x"], [None, "x", "x", "y"]), ["gpt", "llama"])
    apart = table(["x", "x", "x", None], ["x", "y", None, "x"], ["y", "y", "y", None])
    with pytest.raises(af.errors.InputError, match="of every model and of two") as caught:
        model_agreement(apart, ["gpt", "llama"])
    assert caught.value.remedy.startswith("pass shared_items=False")
    assert (
        model_agreement(apart, ["gpt", "llama"], shared_items=False, n_resamples=50).n_items[0] == 2
    )
    lone = table(["x", "x", "x", None], ["x", "y", "y", None], ["y", None, "y", "x"])
    with pytest.raises(af.errors.InputError, match=r"leave out.*model=\['gpt'\]"):
        model_agreement(lone, ["gpt", "llama"])
    assert model_agreement(lone, ["gpt"], person=["ann", "bob"], n_resamples=50).n_items[0] == 2
    nothing = table(["x", "x", None, None], ["x", "y", None, None], ["y", None, "y", "x"])
    with pytest.raises(af.errors.InputError, match="add labels of models for items that people"):
        model_agreement(nothing, ["gpt", "llama"])

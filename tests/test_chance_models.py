"""A new chance model, added as CONTRIBUTING says, has its own values in every function and study.

Two toy models are tied to known ones by identities that hold for the data, a resample, a subset, or
the data without a coder, as long as the categories are declared:

- "half" expects half of the largest distance. S expects (k − 1) / k with the nominal distance, so
  (1 − half) / 2 = (1 − S) (k − 1) / k.
- "mixed" expects the mean of what π and κ expect, so 2 / (1 − mixed) = 1 / (1 − π) + 1 / (1 − κ).
  It needs the shares and the coders, has no derivative, and takes no short way through subsets.
"""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import (
    chance,
    diagnostics,
    inference,
    points,
    subsets,
)

MODELS = (
    chance.Chance(
        "half",
        frozenset({"categories"}),
        lambda marginals, form: 0.5 * marginals.scale(form)[2],
        slope=lambda marginals, form, expected: {},
    ),
    chance.Chance(
        "mixed",
        frozenset({"shares", "coders"}),
        lambda marginals, form: (
            (
                chance.CHANCE["pooled"].expected(marginals, form)
                + chance.CHANCE["individual"].expected(marginals, form)
            )
            / 2
        ),
    ),
)
FOUR = ["s", "half", "pi", "kappa", "mixed"]


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for model in MODELS:
        row = points.Coefficient(
            model.name, (), model.name, "items", None, model.name, model.name, ("", ""), "nobody"
        )
        monkeypatch.setitem(chance._MODELS, model.name, model)
        monkeypatch.setitem(points._ROWS, model.name, row)
        monkeypatch.setitem(points._BY_NAME, model.name, row)


def labels(missing):
    rng = np.random.default_rng(7)
    table = rng.integers(0, 3, (40, 5))
    table[:, 1:] = np.where(rng.random((40, 4)) < 0.6, table[:, :1], table[:, 1:])
    table[:, 4] = np.minimum(table[:, 4], 1)  # a habit of one coder: π and κ differ
    table[rng.random(table.shape) < missing] = -1
    return table


@pytest.fixture(params=[0.0, 0.25], ids=["complete", "incomplete"])
def data(request):
    return af.Annotations.from_wide(labels(request.param), missing=-1, categories=[0, 1, 2])


def assert_tied(s, half, pi, kappa, mixed):
    """The identities of the module's docstring, of numbers or arrays; NaN where S is."""
    s, half, pi, kappa, mixed = (np.asarray(each, float) for each in (s, half, pi, kappa, mixed))
    assert np.isfinite(s).any()
    np.testing.assert_allclose((1 - half) / 2, (1 - s) * 2 / 3, rtol=1e-12, atol=1e-14)
    with np.errstate(divide="ignore"):
        harmonic = 2 / (1 / (1 - pi) + 1 / (1 - kappa))
    np.testing.assert_allclose(1 - mixed, harmonic, rtol=1e-12, atol=1e-14)
    assert not np.allclose(pi, kappa, equal_nan=True)


def test_the_coefficient(data):
    assert_tied(*(float(af.agreement(data, name)) for name in FOUR))
    assert_tied(*(float(result) for result in af.agreement_table(data, FOUR)))
    assert af.agreement(data, "half").expected_disagreement == 0.5


def test_the_item_weight_and_the_distance_are_other_axes(data):
    for distance, largest in (("interval", 4.0), ("linear", 2.0)):
        result = af.agreement(data, "half", distance=distance, item_weight="judgments")
        known = af.alpha(data, distance)
        assert result.expected_disagreement == largest / 2
        assert result.observed_disagreement == known.observed_disagreement


@pytest.mark.parametrize("resample", ["items", "coders", "both"])
def test_resamples(data, resample):
    method = "percentile" if resample == "both" else "bca"
    table = af.bootstrap(data, FOUR, n_resamples=60, resample=resample, rng=1, method=method)
    assert_tied(*(row.replicates for row in table))


def test_comparison(data):
    other = af.Annotations.from_wide(labels(0.1)[:, ::-1], missing=-1, categories=[0, 1, 2])
    for paired in (False, True):
        result = [
            af.compare(data, other, name, paired=paired, n_resamples=40, rng=2, method="bca")
            for name in FOUR
        ]
        by_name = dict(zip(FOUR, result, strict=True))
        assert by_name["half"].value == pytest.approx(by_name["s"].value * 4 / 3)
        np.testing.assert_allclose(
            by_name["half"].replicates, by_name["s"].replicates * 4 / 3, atol=1e-12
        )
        apart = [af.agreement(one, "mixed").value for one in (data, other)]
        assert by_name["mixed"].value == pytest.approx(apart[0] - apart[1])


def test_the_standard_error_in_closed_form(data):
    known, toy = inference.standard_error(data, "s"), inference.standard_error(data, "half")
    assert toy.standard_error == pytest.approx(known.standard_error * 4 / 3, rel=1e-12)
    with pytest.raises(ValueError, match=r"mixed .* use bootstrap"):
        inference.standard_error(data, "mixed")


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_subsets_of_coders(data, distance):
    study = subsets.coder_subsets(
        data,
        ["half", "mixed", "brennan_prediger", "alpha_prime", "beta"],
        distance=[distance],
        keep=True,
    )
    half, mixed, s, pi, kappa = study.values
    if distance == "nominal":
        assert_tied(s, half, pi, kappa, mixed)
    for row, mask in zip(study.values.T, study.masks.tolist(), strict=True):
        chosen = [coder for place, coder in enumerate(study.coders) if mask >> place & 1]
        part = data.select(coders=chosen)
        for value, name in zip(row[:2], ("half", "mixed"), strict=True):
            assert value == pytest.approx(af.agreement(part, name, distance=distance).value)


def without(data, name, distance="nominal"):
    """The columns of the table without each coder."""
    report = diagnostics.coder_report(data, name, distance=distance)
    return SimpleNamespace(**{k: np.array(v) for k, v in report.without.columns().items()})


def test_without_each_coder(data):
    assert_tied(*(without(data, name).value for name in FOUR))
    everybody = list(data.coders)
    for name in ("half", "mixed"):
        for distance in ("nominal", "interval", "ordinal"):
            row = without(data, name, distance)
            for coder, value in zip(row.coder.tolist(), row.value, strict=True):
                part = data.select(coders=[one for one in everybody if one != coder])
                assert value == pytest.approx(af.agreement(part, name, distance=distance).value)


def test_category_maps(data):
    study = inference.category_merging(
        data, {"same": {0: "a", 1: "b", 2: "c"}}, FOUR, n_resamples=30, rng=3, method="bca"
    )
    assert_tied(*(study["same", name].replicates for name in FOUR))


def test_groups_of_items(data):
    by = ["odd" if item % 3 else "third" for item in data.items]
    result = af.agreement_by_group(data, by, FOUR)
    for group in range(2):
        assert_tied(*(row.value for row in result[group * len(FOUR) : (group + 1) * len(FOUR)]))
    for i in range(0, len(result), len(FOUR)):
        s, half, _, _, mixed = result[i : i + len(FOUR)]
        assert half.standard_error == pytest.approx(s.standard_error * 4 / 3, rel=1e-12)
        assert np.isnan(mixed.standard_error)
        assert "bootstrap" in mixed.note


def test_against_a_reference(data):
    gold = labels(0.0)[:, 0]
    for name in ("half", "mixed"):
        result = diagnostics.gold_scores(data, gold, coefficient=name, majority=False).columns()
        for place in nonempty(range(data.n_coders)):
            both = np.stack([labels_of(data)[:, place], gold], 1)
            kept = (both >= 0).all(1)
            pair = af.Annotations.from_wide(both[kept], categories=[0, 1, 2])
            assert result[name][place] == pytest.approx(af.agreement(pair, name).value)


def labels_of(data):
    """The codes of a fixture, -1 for none."""
    return np.array([[-1 if x is None else x for x in row] for row in data.to_wide().tolist()])


def test_pairs_of_coders(data):
    assert_tied(*(diagnostics.pairwise_agreement(data, name).value for name in FOUR))
    result = diagnostics.pairwise_agreement(data, "mixed")
    first, second = result.first[3], result.second[3]
    part = data.select(coders=[data.coders[first], data.coders[second]])
    assert result.value[3] == pytest.approx(
        af.agreement(part, "mixed", incomplete="complete").value
    )


def test_the_mean_over_pairs(data):
    for name in ("half", "mixed"):
        pairs = diagnostics.pairwise_agreement(data, name)
        assert pairs.mean.value == pytest.approx(np.nanmean(pairs.value))


def test_what_each_coder_and_item_adds(data):
    every = {"include_agreed": True, "sort": "item"}
    for name in ("half", "mixed"):
        value = af.agreement(data, name).value
        coders = diagnostics.coder_report(data, name)
        left = np.array(coders.without.columns()["value"])
        assert coders.value == pytest.approx(value)
        np.testing.assert_allclose(coders.change, left - value, atol=1e-12)
        items = diagnostics.disagreements(data, name, **every)
        assert items.value == pytest.approx(value)
        alpha = diagnostics.disagreements(data, "alpha", **every)
        np.testing.assert_allclose(items.disagreement, alpha.disagreement)


def test_more_people_extrapolate_the_coefficient():
    people = [("x", "x", "x"), ("y", "y", "x"), ("x", "y", "x"), ("y", "y", "y")] * 15
    result = diagnostics.more_people(people, coefficient="half", n_more=1)
    value = af.agreement(people, "half").value
    now, more = result.people.to_dict()["reliability"]
    assert now == pytest.approx(3 * value / (1 + 2 * value))
    assert more == pytest.approx(4 * value / (1 + 3 * value))


@pytest.mark.parametrize("name", ["half", "mixed"])
def test_missing_judgments_are_bounded(name):
    rows = [["x", "x"], ["x", "y"], ["y", "?"], ["y", "y"], ["x", "x"]]
    result = diagnostics.missing_judgments(rows, ["?"], name)
    given = [[None if label == "?" else label for label in row] for row in rows]
    assert result.value == pytest.approx(af.agreement(given, name).value)
    filled = [af.agreement([*rows[:2], ["y", label], *rows[3:]], name).value for label in "xy"]
    assert result.least <= min(filled) + 1e-9
    assert result.largest >= max(filled) - 1e-9


def test_influence_and_diagnosis_need_a_derivative(data):
    every = {"include_agreed": True, "sort": "item"}
    known, toy = (
        diagnostics.disagreements(data, name, **every).influence for name in ("s", "half")
    )
    np.testing.assert_allclose(toy, known * 4 / 3, atol=1e-14)
    assert np.isnan(diagnostics.disagreements(data, "mixed", **every).influence).all()
    value = af.agreement(data, "half").value
    assert af.diagnose(data, "half").agreement.value == pytest.approx(value)
    with pytest.raises(ValueError, match="derivative of the chance model mixed"):
        af.diagnose(data, "mixed")
    with pytest.raises(ValueError, match="derivative of the chance model half"):
        inference.standard_error(data, "half", distance="ordinal")


def test_a_model_beside_people(data):
    model = labels(0.0)[:, 0]
    result = [
        diagnostics.model_agreement(data, model, name, n_resamples=40, rng=5) for name in FOUR
    ]
    assert_tied(*(float(row.people[0]) for row in result))
    assert all(np.isfinite(row.value[0]) for row in result)


def test_judges_beside_people(data):
    result = [
        diagnostics.model_agreement(data, [2], name, n_resamples=40, rng=5).people for name in FOUR
    ]
    assert_tied(*result)


def test_runs_of_a_judge(data):
    table = labels(0.0)
    items, runs = (grid.reshape(-1).tolist() for grid in np.indices(table.shape))
    rows = {"item": items, "coder": ["m"] * len(items), "label": table.reshape(-1), "run": runs}
    result = [
        diagnostics.intra_coder_agreement(rows, round="run", coefficient=name) for name in FOUR[:4]
    ]
    s, half, pi, _ = (one.columns()["value"][0] for one in result)
    assert 1 - half == pytest.approx((1 - s) * 4 / 3)
    assert pi == pytest.approx(af.pi(table).value)


def test_prunings(data):
    result = subsets.pruned_agreement(data, 2, FOUR, n_resamples=3, rng=1)
    assert_tied(*(one.value for one in result))
    assert_tied(*(one.values for one in result))


def test_each_coder_against_gold(data):
    gold = labels(0.0)[:, 0].tolist()
    result = diagnostics.gold_scores(data, gold, coefficient=FOUR).columns()
    assert_tied(*(result[name] for name in FOUR))


def test_the_value_that_is_tested(data):
    s, half = (inference.coefficient_test(data, name).value for name in ("s", "half"))
    assert 1 - half == pytest.approx((1 - s) * 4 / 3)
    with pytest.raises(ValueError, match="derivative of the chance model mixed"):
        inference.coefficient_test(data, "mixed")


def test_the_groups_of_a_trend(data):
    groups = (np.arange(data.n_items) % 4).tolist()
    result = [diagnostics.drift(data, groups, name).columns()["value"] for name in FOUR]
    assert_tied(*result)


def test_the_report(data):
    made = af.report(data, FOUR)
    assert_tied(*(float(result) for result in made.table))


def test_the_report_prints_in_every_form(data, tmp_path):
    """Also where a toy is the only coefficient, and the one that is quoted."""
    for names in (FOUR, ["half"], ["mixed"]):
        for interval in (None, "percentile"):
            made = af.report(data, names, method=interval, n_resamples=100, rng=1)
            for text in (str(made), made.to_markdown(), made.to_latex(tmp_path / "t.tex")):
                assert all(name in text for name in names)
            assert (tmp_path / "t.tex").read_text(encoding="utf-8") == made.to_latex()
            assert "half" in af.report(data, ["half"]).page().html
            assert [one["coefficient"] for one in made.to_dict()["table"]] == names


ASKED = {
    "agreement", "agreement_by_group", "agreement_table", "bootstrap",
    "category_merging", "code_agreement", "coder_report", "coder_subsets", "coefficient_test",
    "compare", "diagnose", "model_agreement",
    "disagreements", "gold_scores",
    "pairwise_agreement", "report", "standard_error", "study_sizes",
    "drift",
    "intra_coder_agreement", "missing_judgments", "more_people", "pruned_agreement",
}  # fmt: skip


def test_sizes_of_a_study():
    """The standard error of half is that of S, stretched; so are the items for a width.

    The latter hold but for terms of the order 1/n, in which the score intervals of both differ.
    """
    options = {"reliability": 0.6, "n_coders": [2, 4], "n_simulated": 400}
    shares = {"x": 2, "y": 1, "z": 1}
    s, half = (
        subsets.study_sizes(shares, 0.1, coefficient=name, rng=1, **options)
        for name in ("s", "half")
    )
    np.testing.assert_allclose(half.standard_error, s.standard_error * 4 / 3, rtol=1e-9)
    np.testing.assert_allclose(half.n_items, np.array(s.n_items) * 16 / 9, rtol=5e-3)
    with pytest.raises(ValueError, match="the derivative of the chance model mixed"):
        subsets.study_sizes(shares, 0.1, coefficient="mixed", rng=1, **options)


def test_every_function_that_takes_a_coefficient_was_asked():
    """A function that is added joins the tests above."""
    result = {
        name
        for room in (af, diagnostics, inference, subsets)
        for name in room.__all__
        for value in [getattr(room, name)]
        if inspect.isfunction(value)
        and {"coefficient", "coefficients", "chance"} & set(inspect.signature(value).parameters)
    }
    assert result == ASKED

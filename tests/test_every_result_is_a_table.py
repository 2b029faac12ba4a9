"""Every public result can be had as a table, and all tables speak of the same things alike."""

import csv
import inspect
import io
import json
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from fits import crowdlab, dawid_skene, glad
from returned import name_spaces, results

import agreement_fast as af
from agreement_fast import (
    diagnostics,
    distances,
    inference,
    measures,
    models,
    subsets,
    units,
)
from agreement_fast.measures.beside import measure_table
from agreement_fast.present.tables import Matrix, Table, Tabular, write_rows
from agreement_fast.results import Result

#: Classes in the public rooms that hold no result.
NO_RESULTS = {
    "AgreementError",
    "Coefficient",
    "Distance",
    "Hint",
    "LabelHint",
    "ReadHint",
    "ShapeHint",
    "UndefinedError",
}
#: Bases of results, which have nothing of their own to show.
BASES = {"MadeRows", "ByCategory", "Judgments", "Matrix", "Read", "Result", "Sectioned", "Table"}

ROWS = [
    ["x", "x", "y"], ["y", "y", "y"], ["x", "y", "x"], ["x", "x", "x"], ["y", "y", "x"],
    ["z", "z", "z"], ["x", "x", "x"], ["y", "y", None], ["z", "y", "z"], ["x", "z", "x"],
]  # fmt: skip
DATA = af.Annotations.from_wide(ROWS)
TWO = DATA.select(coders=[0, 1])
SHARES = {"x": 0.5, "y": 0.5}
DRAWN = {"reliability": [0.8], "n_coders": [1, 3], "n_items": 50, "rng": 1}
FEW = {"n_resamples": 40, "rng": 1}
UNITS = units.Continuum.from_rows(
    coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4], categories=["a", "b", "a"]
)
SKENE = dawid_skene(DATA)
SETS = af.Annotations.from_wide([[{"p"}, {"p", "q"}], [{"q"}, {"q"}], [set(), {"p"}]])
CUTS = {"t": "0100", "u": "0010"}, {"t": "0010", "u": "0010"}


NUMBERS = [[1, 2, 2], [2, 2, 3], [3, 5, 4], [4, 5, 5], [6, 6, 5], [5, 7, 6]]
TWICE = pd.DataFrame(
    {"item": [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5], "coder": ["A"] * 5 + ["B"] * 10,
     "label": list("xyxyx" "xyxyy" "yyxyx")}
)  # fmt: skip


def made_of_numbers():
    """Results on numbers, and on coders over time."""
    drift = diagnostics.drift(TWICE[:10], n_windows=2)
    return [
        drift,
        drift.coders[0],
        drift.windows[0],
        diagnostics.intra_coder_agreement(TWICE),
        measures.correlations(NUMBERS),
        measures.cronbach_alpha(NUMBERS),
        measures.limits_of_agreement(NUMBERS)[0],
        measure_table(NUMBERS),
        (components := measures.variance_components(NUMBERS)),
        components.plan([1, 3]),
        subsets.pruned_agreement(DATA, 2, "alpha", n_resamples=5, rng=1)[0],
    ]


def made_of_many():
    """Results on labels of items, codes, judges and documents."""
    names = dict(zip("abc", DATA.coders, strict=True))
    aggregated = af.aggregate(DATA, "mace", gold={0: "x", 1: "y"})
    codes = diagnostics.code_agreement(SETS)
    intervals = af.bootstrap(UNITS, **FEW)
    disputes = diagnostics.disagreements(DATA)
    rare = inference.chance_agreements(DATA)
    path = diagnostics.category_path(DATA, **FEW)
    boxes = [(0, 0, 4, 4), (0, 0, 4, 3), (8, 8, 9, 9), (8, 8, 9, 9)]
    marked = units.Objects.from_boxes(["p", "p", "q", "q"], list("abab"), boxes)
    related = units.Relations.from_rows([("d", "a", 1, 2, "x"), ("d", "b", 1, 2, "y")])
    links = units.Chains.from_links([("d", "a", "it", "E2"), ("d", "b", "it", "E2")])
    chains = units.scores(links)
    return [
        aggregated,
        aggregated.coders,
        aggregated.gold_check,
        aggregated.next_judgments(2),
        aggregated.model,
        af.aggregate(DATA).model,
        subsets.reference_stability(DATA, resample="items"),
        glad(DATA),
        crowdlab([["x", "y"], ["y", "y"], ["x", "x"]], [[0.5, 0.5]] * 3),
        codes,
        codes[0],
        codes[0]["kappa"],
        rare,
        rare[0],
        inference.benchmark(inference.standard_error(DATA)),
        diagnostics.majority_agreement(DATA),
        disputes,
        disputes[0],
        diagnostics.model_agreement(DATA, [names["c"]], **FEW),
        diagnostics.alternative_annotator_test(DATA, [names["c"]], min_items=2),
        diagnostics.error_correlation(DATA, [names["b"], names["c"]]),
        diagnostics.item_scores([(1, 2), (3, 3), (2, 4)]),
        diagnostics.leniency([(1, 2), (3, 3), (2, 4)]),
        diagnostics.differential_functioning([(1, 2), (3, 3), (2, 4)] * 4, [0, 1, 1] * 4),
        diagnostics.more_people(DATA),
        diagnostics.missing_judgments([("x", "gone"), ("y", "y"), ("x", "y")], ["gone"]),
        diagnostics.position_bias([1, 1, 2, 2], ["j"] * 4, list("abab"), list("aaab")),
        chains,
        chains[0],
        path,
        path[0],
        marked,
        units.place_alpha(marked, **FEW),
        related,
        af.report(UNITS),
        links,
        SKENE.accuracy("x").sensitivity_interval,
        SKENE.accuracy("x").above(0.5),
        measures.leaf_agreement(DATA, dict.fromkeys("xyz"), **FEW),
        measures.mv_alpha(SETS, **FEW),
        intervals,
        intervals[0],
        units.window_diff(*CUTS),
        units.boundary_similarity(*CUTS).edits,
        units.boundary_similarity(*CUTS),
        units.boundary_majority(dict(zip("ab", CUTS, strict=True))),
        units.segmentation_agreement(dict(zip("ab", CUTS, strict=True))),
        units.align(UNITS),
        af.agreement_table(UNITS, ["gamma", "gamma_cat", "gamma_k"], rng=1),
        units.gamma(UNITS, rng=1),
        units.text_gamma(UNITS, dict.fromkeys(UNITS.coders, 99 * "a")),
        units.scores(UNITS, **FEW),
        units.scores(UNITS, **FEW)[0],
    ]


def made():
    """Every kind of result by the name of its class, and what makes it."""
    groups = af.agreement_by_group(DATA, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], ["alpha", "pi"])
    merging = inference.category_merging(DATA, {"xy": {"z": "y"}}, ["alpha"])
    boots = af.bootstrap(DATA, ["alpha", "pi"], **FEW)
    noisy = subsets.noisy_coders(SHARES, 0.8)
    outcome = af.diagnose(DATA)
    results = [
        DATA,
        DATA.patterns(),
        af.alpha(DATA),
        af.observed_agreement(DATA),
        af.agreement_table(DATA),
        diagnostics.gold_scores(DATA),
        diagnostics.bias(DATA),
        diagnostics.category_agreement(DATA),
        diagnostics.category_agreement(DATA)[0],
        diagnostics.category_confusions(DATA)[0],
        diagnostics.bias(DATA).categories[0],
        diagnostics.chance_accuracy(SHARES),
        diagnostics.coder_report(DATA),
        outcome,
        outcome.findings[0],
        subsets.bias_by_size(DATA),
        diagnostics.disagreements(DATA),
        diagnostics.disagreements(DATA)[0],
        diagnostics.largest_kappa(DATA, n_resamples=0),
        diagnostics.pairwise_agreement(DATA).mean,
        diagnostics.pairwise_agreement(DATA),
        distances.tree(["a/b", "a/c"]),
        boots[0],
        boots,
        merging,
        merging["xy"],
        inference.marginal_test(TWO),
        inference.association(TWO),
        inference.association(TWO).cells[0],
        inference.coefficient_test(TWO, "kappa", method="null"),
        boots.difference("alpha", "pi"),
        groups,
        groups[0],
        diagnostics.drift(DATA, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
        inference.standard_error(DATA),
        inference.coefficient_test(DATA, method="variance", alternative="greater"),
        SKENE,
        SKENE.accuracy("x"),
        models.aickin_alpha(TWO),
        models.latent_classes(DATA, max_classes=2, rng=1).choice,
        models.implied_agreement(0.2, 0.9, 0.8),
        models.latent_trait([[1, 1, 2], [2, 2, 1], [1, 2, 1], [2, 2, 2], [1, 1, 1]]),
        models.polychoric([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1], [2, 1]]),
        SKENE.coders_needed("x", sensitivity=0.9),
        models.Judgments.from_long(["i", "i", "j"], ["a", "a", "b"], ["x", "y", "x"]),
        models.latent_classes(DATA, 2, rng=1),
        SKENE.standard_errors(),
        af.report(DATA),
        af.report(DATA).categories[0],
        noisy,
        noisy.population(),
        subsets.reference_errors(SHARES, **DRAWN),
        subsets.study_sizes(SHARES, 0.2, reliability=0.8, n_simulated=50, rng=1),
        subsets.simulate(noisy, n_items=20, n_coders=3, rng=1),
        subsets.reference_stability(DATA),
        subsets.coder_subsets(DATA, ["alpha"]),
        subsets.coder_subsets(DATA, ["alpha"])["alpha"][0],
        UNITS,
        units.u_alpha(UNITS),
        af.agreement(UNITS, "ku_alpha")["a"],
        af.agreement_table(UNITS),
        *made_of_many(),
        *made_of_numbers(),
    ]  # fmt: skip
    return {type(one).__name__: one for one in results}


MADE = made()


def public_classes():
    """Those that name spaces list, and those that their functions return."""
    for module in name_spaces().values():
        for name in module.__all__:
            if inspect.isclass(getattr(module, name)):
                yield name, getattr(module, name)
    for kind in results():
        yield kind.__name__, kind


def test_every_public_result_is_tabular():
    outcome = dict(public_classes())
    assert {name for name, one in outcome.items() if not issubclass(one, Tabular)} == NO_RESULTS
    assert outcome.keys() - NO_RESULTS - BASES <= MADE.keys()


@pytest.mark.parametrize("name", MADE)
def test_a_result_is_a_table_in_every_form(name):
    result = MADE[name]
    columns = result.columns()
    (n_rows,) = {len(column) for column in columns.values()}
    assert n_rows
    for column in columns:
        assert column == column.lower() or column in ("A", "B"), column
        assert " " not in column
    stream = pa.table(result)
    assert (stream.column_names, stream.num_rows) == (list(columns), n_rows)
    assert result.to_frame("pandas").shape == stream.shape
    file = io.StringIO()
    write_rows(result, file)
    assert next(csv.reader(io.StringIO(file.getvalue()))) == list(columns)
    shown = result._repr_html_()
    assert shown.count("<tr>") >= 2
    assert shown.count("<th ") <= 10
    if name not in ("Report", "Diagnosis"):  # whose dictionary is the document of the command
        assert result.to_dict().keys() == columns.keys()
    json.dumps(result.to_dict(), default=str)


#: Floats that come without an interval.
NO_INTERVAL = {"BoundaryEdits", "CategoryUnitizing", "Unitizing"}
FLOATS = [name for name, result in MADE.items() if isinstance(result, Result)]


@pytest.mark.parametrize("name", FLOATS)
def test_floats_have_the_same_attributes(name):
    result = MADE[name]
    assert result.value == float(result) or math.isnan(result)
    for text in (result.note, result.undefined, result.method):
        assert text is None or text
    if name in NO_INTERVAL:
        assert not hasattr(result, "low")
    elif name == "Benchmark":  # whose ends are those of bands
        assert not hasattr(result, "interval")
    else:
        if not math.isnan(result.low):
            assert result.interval == (result.low, result.high)
            assert 0 < result.confidence_level < 1
        with pytest.raises(AttributeError, match=r": it has low and high$"):
            result.ci  # noqa: B018


@pytest.mark.parametrize(("name", "ours"), [("df", "to_frame"), ("to_csv", "write_csv")])
def test_tables_answer_names_of_other_programs(name, ours):
    for result in (MADE["AgreementTable"], MADE["Agreement"], MADE["CoderReport"]):
        with pytest.raises(AttributeError, match=f": it has {ours}$"):
            getattr(result, name)


#: What a column is called, by what others call it.
ONE_NAME = {
    "items": "n_items",
    "judgments": "n_judgments",
    "lower": "low",
    "upper": "high",
    "se": "standard_error",
    "p": "p_value",
    "reason": "undefined",
    "coders": "n_coders",
}


def test_columns_have_one_name_in_all_tables():
    names = {column for result in MADE.values() for column in result.columns()}
    assert names.isdisjoint(ONE_NAME)
    assert {"coefficient", "distance", "value", "low", "high", "standard_error"} < names


def test_rows_are_those_of_the_result():
    gold = MADE["GoldScores"]
    assert gold.to_dict()["coder"] == [0, 1, 2]
    assert gold.to_dict()["agreement"] == gold.agreement.tolist()
    pairs = MADE["PairwiseAgreement"].to_dict()
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert pairs["value"] == [
        af.kappa(DATA.select(coders=[a, b]), incomplete="complete").value
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    merging = MADE["CategoryMerging"].to_dict()
    assert merging["map"] == ["unmerged", "xy"]
    assert merging["difference"] == [None, MADE["CategoryMerging"].difference("xy").value]
    skene = SKENE.to_dict()
    assert skene["label"] == SKENE.labels.tolist()
    assert skene["probability"] == SKENE.posterior.max(1).tolist()
    without = MADE["CoderReport"].without.to_dict()
    assert without["coder"] == [0, 1, 2]
    assert without["change"] == MADE["CoderReport"].change.tolist()
    errors = MADE["StandardErrors"]
    table = errors.to_dict()
    place = [
        row for row in zip(*table.values(), strict=True) if row[:4] == ("probability", 1, 2, 0)
    ]
    np.testing.assert_equal(place[0][4], errors.probabilities[1, 2, 0])
    assert MADE["Continuum"].to_dict()["end"] == [4, 4, 9]
    assert MADE["Tree"].to_dict()["parent"] == [None, "a", "a"]
    assert MADE["Dispute"].to_dict()["labels"][0].count(": ") >= 2


def test_annotations_are_a_long_table():
    items, coders, labels = DATA.to_long()
    assert DATA.to_dict() == {
        "item": items.tolist(), "coder": coders.tolist(), "label": labels.tolist()
    }  # fmt: skip
    assert af.Annotations.from_frame(DATA.to_frame("polars"), item="item", coder="coder",
                                     label="label").to_wide().tolist() == ROWS  # fmt: skip
    weighted = af.Annotations.from_contingency([[2, 1], [0, 3]], coders=["a", "b"])
    assert weighted.to_dict()["weight"] == [2, 2, 1, 1, 3, 3]
    counts = af.Annotations.from_counts([[2, 1], [0, 3]]).to_dict()
    assert counts == {"item": [0, 0, 1], "label": [0, 1, 1], "count": [2, 1, 3]}
    lists = af.Annotations.from_long(list("ijjk"), list("abca"), [frozenset("x"), "y", "z", 1])
    assert lists.to_dict()["coder"] == list("abca")
    assert lists.to_frame("polars")["label"].to_list() == ["{x}", "y", "z", "1"]


def test_a_notebook_shows_the_ends_of_many_judgments():
    n = 5000
    many = af.Annotations.from_long(
        [f"i{i:04}" for i in np.repeat(range(n), 3)], ["a", "b", "c"] * n, ["x", "y", "x"] * n
    )
    shown = many._repr_html_()
    assert "i0000" in shown
    assert "i4999" in shown
    assert "i0005" not in shown
    assert "(15,000 rows)" in shown
    assert shown.count("<tr>") == 22


def test_notebooks_leave_out_what_is_empty_and_join_the_ends_of_intervals():
    shown = inference.standard_error(DATA)._repr_html_()
    assert "95% interval" in shown
    assert "undefined" not in shown
    assert "confidence_level" not in shown
    alike = af.alpha([["x", "x"], ["x", "x"]])._repr_html_()
    assert "no variation" in alike
    assert ">value<" in alike
    two = Table({"low": [0.1, math.nan], "high": [0.2, math.nan], "confidence_level": [0.9, 0.9]})
    assert "0.1000 to 0.2000" in two._repr_html_()
    assert "90% interval" in two._repr_html_()


# ---------------------------------------------------------------------------- matrices


def test_matrices_have_names():
    data = af.Annotations.from_wide([["x", "y"], ["x", "x"], ["y", "y"]])
    data = af.Annotations.from_long(
        *(list(column) for column in data.to_long()[:1]),
        [{0: "Ann", 1: "Bea"}[c] for c in data.to_long()[1]],
        list(data.to_long()[2]),
    )
    table = data.contingency_table("Bea", "Ann")
    assert (table.row_title, table.column_title, table.at("y", "x")) == ("Bea", "Ann", 1)
    assert data.coder_marginals().at("Ann", "y") == 1
    assert data.coincidence_matrix().at("x", "x") == 2.0
    assert data.to_counts().at(0, "y") == 1
    assert diagnostics.pairwise_agreement(data).matrix("n_items").at("Ann", "Bea") == 3
    model = dawid_skene(data)
    confusion = model.confusion_of("Bea")
    assert confusion.tolist() == model.confusion[1].tolist()
    assert (confusion.row_title, list(confusion.column_names)) == ("class", ["x", "y"])
    with pytest.raises(af.AgreementError, match="there is no coder 'Cem'"):
        model.confusion_of("Cem")


@pytest.mark.parametrize(
    "matrix",
    [
        lambda data: data.contingency_table("Ann", "Bea"),
        lambda data: data.coincidence_matrix(),
        lambda data: data.to_counts(),
        lambda data: data.coder_marginals(),
        lambda data: data.distance_matrix("interval"),
    ],
    ids=["contingency", "coincidences", "counts", "marginals", "distances"],
)
def test_margins_are_the_sums_of_rows_and_columns(matrix):
    data = af.Annotations.from_wide([[1, 4], [1, 1], [2, 2], [4, 2]], coders=["Ann", "Bea"])
    plain = matrix(data)
    summed = plain.with_margins()
    cells = plain.tolist()
    for name, row in zip(plain.row_names, cells, strict=True):
        assert summed.at(name, "total") == sum(row)
    for name, column in zip(plain.column_names, zip(*cells, strict=True), strict=True):
        assert summed.at("total", name) == sum(column)
    assert summed.at("total", "total") == sum(map(sum, cells))
    assert str(summed).splitlines()[-1].startswith("total")
    assert summed.to_frame().iloc[-1, 0] == "total"


def test_labels_of_coders_and_items_have_no_margins():
    data = af.Annotations.from_wide([["x", "y"], ["x", None]], coders=["Ann", "Bea"])
    table = data.reliability_matrix()
    assert table.tolist() == [["x", "x"], ["y", None]]
    assert str(table).splitlines() == ["coder \\ item  0  1", "Ann           x  x",
                                       "Bea           y  -"]  # fmt: skip
    with pytest.raises(TypeError, match="a matrix of labels has no margins"):
        table.with_margins()


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio", "gwet:radical"])
def test_the_matrix_of_distances_is_that_of_the_coefficients(distance):
    """α by hand from the matrices of coincidences and distances."""
    data = af.Annotations.from_wide([[1, 4, 2], [1, 1, None], [2, 2, 4], [4, 2, 2]])
    apart = data.distance_matrix(distance)
    outcome = (data.coincidence_matrix() * apart).sum() / (
        data.expected_coincidences() * apart
    ).sum()
    assert 1 - outcome == pytest.approx(af.alpha(data, distance))
    assert list(apart.row_names) == [1, 2, 4]


def test_matrices_of_sets_print_sets():
    data = af.Annotations.from_wide([["a;b", "b"], ["", "a;b"]], set_separator=";")
    printed = str(data.coincidence_matrix())
    assert "{a, b}" in printed
    assert "frozenset" not in printed + data.coder_marginals()._repr_html_()


def test_a_matrix_of_counts_is_read_with_its_names():
    named = af.Annotations.from_wide(ROWS[:3]).to_counts()
    again = af.Annotations.from_counts(named)
    assert (again.categories, list(again.items)) == (("x", "y"), [0, 1, 2])
    table = DATA.contingency_table(0, 1)
    again = af.Annotations.from_contingency(table)
    assert (again.categories, again.coders) == (("x", "y", "z"), ("0", "1"))
    assert again.contingency_table("0", "1").tolist() == table.tolist()
    assert af.kappa(again) == pytest.approx(af.kappa(DATA.select(coders=[0, 1])))
    assert isinstance(named, Matrix)


def test_results_are_read_as_the_tables_that_they_are():
    judgments = af.Annotations.from_long(["i", "i", "j"], ["a", "b", "a"], ["x", "x", "y"])
    again = af.Annotations.from_frame(Table(judgments.columns()), item="item", coder="coder",
                                      label="label")  # fmt: skip
    assert again.to_dict() == judgments.to_dict()

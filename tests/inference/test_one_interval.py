"""One number has one interval, wherever it stands: functions, commands, page, JSON and plots."""

import csv
import json
import re
import shutil

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import diagnostics, inference, measures, plots, report
from agreement_fast.cli import main
from agreement_fast.inference import standard_error

#: Two coders; rare labels, many items, perfect agreement, chance.
TABLES = {
    "rare": [["x", "x"]] * 95 + [["x", "y"]] * 3 + [["y", "y"]] * 2,
    "many": ([["x", "x"], ["y", "y"], ["z", "z"]] * 3 + [["x", "y"], ["z", "y"]]) * 40,
    "perfect": [["x", "x"]] * 12 + [["y", "y"]] * 8,
    "chance": [["x", "x"], ["x", "y"], ["y", "x"], ["y", "y"]] * 6,
}
CODERS = ["ann", "bob"]


@pytest.fixture(params=TABLES)
def table(request, tmp_path, monkeypatch):
    """The rows, and a file with them in the folder."""
    monkeypatch.chdir(tmp_path)
    rows = TABLES[request.param]
    with open("labels.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "coder", "label", "all"])
        for i, row in enumerate(rows):
            for coder, label in zip(CODERS, row, strict=True):
                writer.writerow([f"i{i:04}", coder, label, "g"])
    return rows


def ends(result):
    return result.low, result.high


def command(capsys, *argv):
    """What a command prints as JSON."""
    capsys.readouterr()
    assert main([*argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def in_python(data, name):
    """The interval of each function that returns one of this number."""
    annotations = af.Annotations.from_wide(data, coders=CODERS)
    result = {
        "standard_error": standard_error(annotations, name),
        "coefficient_test": inference.coefficient_test(annotations, name, null_value=0.1),
        "report": report(annotations, [name]).quoted_interval,
        "intervals": report(annotations, [name], method="score").intervals[0],
        "patterns": standard_error(af.concat([annotations], keep_items=False), name),
        "turned": standard_error(af.Annotations.from_wide(data[::-1], coders=CODERS), name),
    }
    return {place: ends(one) for place, one in result.items()}


def of_tables(data, name):
    """Those that compute many tables at once."""
    annotations = af.Annotations.from_wide(data, coders=CODERS)
    pairs = diagnostics.pairwise_agreement(annotations, name)
    golds = [row[1] for row in data]
    coder = annotations.select(coders=["ann"])
    scores = diagnostics.gold_scores(coder, golds, coefficient=name, majority=False)
    gold = scores.to_dict()
    group = af.agreement_by_group(annotations, ["g"] * len(data), [name])[0]
    groups = af.agreement_by_group(annotations, ["g"] * len(data) + [], [name, "s"], ["nominal"])
    result = {
        "pairs": (pairs.low[0], pairs.high[0]),
        "mean of a pair": ends(pairs.mean),
        "gold": (gold[f"{name}_low"][0], gold[f"{name}_high"][0]),
        "group": ends(group),
        "groups": ends(groups[0]),
    }
    if name == "alpha" and len({label for row in data for label in row}) == 2:
        rows = diagnostics.category_agreement(annotations)
        result["category"] = rows[0].alpha_low, rows[0].alpha_high
    return result


def test_a_category_has_the_interval_of_two_categories():
    data = TABLES["many"]
    for row in nonempty(diagnostics.category_agreement(data)):
        other = standard_error([[label == row.label for label in labels] for labels in data])
        assert (row.alpha, row.alpha_low, row.alpha_high) == numbers(other)


def test_a_code_has_the_interval_of_two_categories():
    """Also where coders are missing: positive and negative agreement are specific agreements."""
    data = [["x", "x", None]] * 30 + [["x", "y", "y"], ["y", "y", "y"]] * 5 + [["y", None, "x"]] * 2
    given = {"x": frozenset(), "y": frozenset(["y"]), None: None}
    code = diagnostics.code_agreement([[given[label] for label in row] for row in data])[0]
    rows = diagnostics.category_agreement(data)
    for name, label in (("positive_agreement", "y"), ("negative_agreement", "x")):
        one, row = code[name], rows.of(label)
        expected = (row.specific_agreement, row.specific_low, row.specific_high)
        assert (one.value, one.low, one.high) == expected
        assert one.standard_error == row.specific_standard_error
    observed = af.observed_agreement(data)
    assert ends(code["observed_agreement"]) == pytest.approx(ends(observed), abs=1e-12)
    assert numbers(code["alpha"]) == numbers(standard_error(data))


@pytest.mark.few
@pytest.mark.parametrize("name", ["alpha", "pi", "kappa", "ac", "s"])
def test_functions_have_one_interval(table, name):
    """To the last bit."""
    result = in_python(table, name) | of_tables(table, name)
    assert set(result.values()) == {result["standard_error"]}


#: Of many tables at once: coefficients and distances without ranks, and those with them.
EXACT = [
    *((name, "nominal") for name in ("alpha", "pi", "kappa", "ac", "s")),
    *((name, "interval") for name in ("alpha", "alpha_prime", "brennan_prediger")),
]
RANKED = [("alpha", "ordinal"), ("beta", "ordinal"), ("ac", "ordinal")]


def of_one_table(data, name, distance):
    """A value and its interval, of each function that has one table."""
    annotations = af.Annotations.from_wide(data, coders=range(len(data[0])))
    options = {"distance": distance}
    quoted = report(annotations, [name], [distance])
    return {
        "agreement": af.agreement(annotations, name, **options),
        "table": af.agreement_table(annotations, [name, "alpha"], [distance])[0],
        "report": quoted.quoted_interval,
        "table of the report": quoted.table[0],
        "intervals": report(annotations, [name], [distance], method="score").intervals[0],
        "test": inference.coefficient_test(annotations, name, null_value=0.1, **options),
        "turned": standard_error(data[::-1], name, **options),
        "patterns": standard_error(af.concat([annotations], keep_items=False), name, **options),
    }


def random_table(rng, n_coders, gaps):
    """Scores of two to eight values, with missing judgments or without."""
    n, k = int(rng.choice([12, 40, 300])), int(rng.integers(2, 9))
    right = rng.integers(0, k, (n, 1))
    labels = np.where(rng.random((n, n_coders)) < 0.6, right, rng.integers(0, k, (n, n_coders)))
    there = rng.random(labels.shape) >= 0.2 * gaps
    there[:, 0] = True
    rows = zip(labels.tolist(), there.tolist(), strict=True)
    return [[v if here else None for v, here in zip(*row, strict=True)] for row in rows]


EACH_KIND = pytest.mark.parametrize(
    ("name", "distance", "n_coders", "gaps"),
    [
        (*measure, n_coders, gaps)
        for measure in (*EXACT, *RANKED) for n_coders in (2, 3, 5) for gaps in (False, True)
    ],
)  # fmt: skip


def numbers(result):
    return result.value, result.low, result.high


@EACH_KIND
def test_values_and_ends_of_scores_are_equal(name, distance, n_coders, gaps):
    """To the last bit."""
    rng, options = np.random.default_rng(7), {"distance": distance}
    for _ in nonempty(range(5)):
        data = random_table(rng, n_coders, gaps)
        expected = standard_error(data, name, **options)
        for place, other in nonempty(of_one_table(data, name, distance).items()):
            assert numbers(other) == numbers(expected), place
        one, two = np.repeat([1, 2], len(data)), data * 2
        for rows, groups in nonempty([(data, one[: len(data)]), (two, one)]):
            for group in af.agreement_by_group(rows, groups, [name], [distance]):
                assert numbers(group) == numbers(expected)
                assert group.standard_error == expected.standard_error
        again = diagnostics.drift(two, by=one, coefficient=name, distance=distance).columns()
        other = again["value"][0], again["low"][0], again["high"][0]
        assert other == numbers(expected)


@EACH_KIND
def test_a_pair_and_a_coder_against_gold_are_a_table_of_two(name, distance, n_coders, gaps):
    """Ranks are those of all coders, so they are the pair's if there is one."""
    rng, options = np.random.default_rng(8), {"distance": distance}
    for _ in nonempty(range(5)):
        data = random_table(rng, n_coders, gaps)
        every = sorted({label for row in data for label in row if label is not None})
        pairs = diagnostics.pairwise_agreement(data, name, **options)
        for i, places in nonempty(enumerate(zip(pairs.first, pairs.second, strict=True))):
            both = [[row[at] for at in places] for row in data]
            both = [row for row in both if None not in row]
            two = af.Annotations.from_wide(both, categories=every)
            expected = numbers(standard_error(two, name, **options))
            if distance != "ordinal" or n_coders == 2:
                pair = pairs.value[i], pairs.low[i], pairs.high[i]
                assert pair == expected
            coder = af.Annotations.from_wide([row[:1] for row in both], categories=every)
            gold = diagnostics.gold_scores(
                coder, [row[1] for row in both], coefficient=name, majority=False, **options
            ).to_dict()
            scores = tuple(gold[key][0] for key in (name, f"{name}_low", f"{name}_high"))
            assert scores == expected


@pytest.mark.few
@pytest.mark.parametrize("name", ["alpha", "kappa"])
def test_commands_have_that_interval(table, name, capsys, tmp_path):
    data = af.Annotations.from_wide(table, coders=CODERS)
    expected = ends(standard_error(data, name))
    options = ("report", "labels.csv", "--coefficient", name)
    one = command(capsys, *options)["reports"][0]["paper"]["interval"]
    assert (one["low"], one["high"]) == expected
    more = command(capsys, *options, "--method", "score")["reports"][0]["table"][0]["interval"]
    assert (more["low"], more["high"]) == expected
    assert main([*options, "--by", "all", "--csv", "groups.csv"]) == 0
    with open("groups.csv", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (float(row["low"]), float(row["high"])) == expected
    capsys.readouterr()
    main([*options, "--fail-under-lower", f"{name}=0.999"])
    said = "".join(capsys.readouterr())
    low, high = (f"{end:.4f}" for end in expected)
    assert re.search(rf"95% interval {re.escape(low)} to {re.escape(high)}", said)


@pytest.mark.parametrize("n_coders", [2, 3])
def test_concordance_has_the_interval_of_beta(n_coders):
    """Lin's concordance is β(interval) by definition: a value, and an interval, to the last bit."""
    rng = np.random.default_rng(3)
    for data in nonempty((rng.integers(1, 6, (40, n_coders)), rng.normal(size=(40, n_coders)))):
        for one in nonempty(measures.correlations(data, "lin")):
            pair = data[:, [one.first, one.second]]
            expected = standard_error(pair, "beta", distance="interval")
            places = {
                "lin": one,
                "overall": measures.overall_concordance(pair),
                "table": report(pair, measures=True).measures["overall CCC"],
                "beta": report(pair, measures=True).measures["beta(interval)"],
            }
            result = {place: (other.value, *ends(other)) for place, other in places.items()}
            assert set(result.values()) == {(expected.value, *ends(expected))}
            pairs = diagnostics.pairwise_agreement(pair, "beta", distance="interval")
            assert (pairs.low[0], pairs.high[0]) == pytest.approx(ends(expected), abs=1e-12)


def test_only_a_name_chooses_lins_interval():
    data = [[1, 2], [2, 2], [3, 5], [4, 4], [6, 5], [5, 6], [7, 5]]
    (score,), (published,) = (
        measures.correlations(data, "lin", method=method) for method in ("score", "lin")
    )
    assert score.value == published.value
    assert ends(score) != ends(published)
    with pytest.raises(ValueError, match="method must be 'score' or 'lin', not 'fisher'"):
        measures.correlations(data, "lin", method="fisher")


def test_the_page_has_that_interval(table):
    data = af.Annotations.from_wide(table, coders=CODERS)
    expected = standard_error(data)
    html = report(data, ["alpha"], method="score").page().html
    shown = [f"{end:.3f}".replace("0.", ".").replace("-.", "−.") for end in ends(expected)]
    assert all(end in html.replace("-", "−").replace("0.", ".") for end in shown)
    assert ends(report(data, ["alpha"], method="score").intervals[0]) == ends(expected)


def test_studies_have_that_interval(table):
    """Diagnosis, trend, plot and the table of a notebook."""
    data = af.Annotations.from_wide(table, coders=CODERS)
    expected = ends(standard_error(data))
    (few,) = af.diagnose(data).of("few items")
    assert (few.numbers["low"], few.numbers["high"]) == expected
    # Ordered parts with all the items each.
    parts = diagnostics.drift(table * 2, by=np.repeat([1, 2], len(table))).columns()
    assert (parts["low"][0], parts["high"][0]) == expected
    groups = af.agreement_by_group(data, ["g"] * len(table))
    drawn = plots.forest(groups).lines[0].get_xdata()
    assert tuple(drawn) == expected
    assert f"{expected[0]:.4f}" in groups._repr_html_()
    assert f"95% interval {expected[0]:.4f} to {expected[1]:.4f}" in repr(standard_error(data))


@pytest.mark.filterwarnings("ignore::agreement_fast.ReadHint")  # the sides are one file
def test_comparisons_have_that_interval(table, capsys):
    """Both sides of a comparison, and its difference from Python and the command."""
    data = af.Annotations.from_wide(table, coders=CODERS)
    expected = ends(standard_error(data))
    shutil.copy("labels.csv", "again.csv")
    options = "compare", "labels.csv", "again.csv", "--coefficient", "alpha", "--no-paired"
    row = command(capsys, *options)["differences"][0]
    for side in nonempty(("first", "second")):
        assert (row[f"{side}_low"], row[f"{side}_high"]) == expected
    assert (row["low"], row["high"]) == ends(af.compare(data, data))


def test_the_command_of_codes_has_that_interval(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = TABLES["rare"]
    with open("codes.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", *CODERS])
        writer.writerows([i, *("x;y" if label == "y" else "x" for label in row)]
                         for i, row in enumerate(rows))  # fmt: skip
    result = command(capsys, "codes", "codes.csv", "--layout", "wide", "--set-separator", ";")
    (code,) = (one for one in result["groups"][0]["codes"] if one["code"] == "y")
    for name in nonempty(("alpha", "kappa")):
        expected = ends(standard_error(af.Annotations.from_wide(rows, coders=CODERS), name))
        assert (code[f"{name}_low"], code[f"{name}_high"]) == expected


def test_codes_have_that_interval():
    rng = np.random.default_rng(5)
    rows = [[frozenset("ab"[k] for k in range(2) if rng.random() < p) for p in (0.2, 0.3)]
            for _ in range(60)]  # fmt: skip
    for code in nonempty("ab"):
        given = [[int(code in s) for s in row] for row in rows]
        for name in nonempty(["alpha", "kappa", "ac"]):
            expected = standard_error(af.Annotations.from_wide(given, coders=CODERS), name)
            one = diagnostics.code_agreement(
                af.Annotations.from_wide(rows, coders=CODERS), [name]
            ).of(code)[name]
            assert numbers(one) == numbers(expected)


def test_options_that_draw_do_not_choose_the_method(table, capsys):
    for option in nonempty([["--rng", "3"], ["--n-resamples", "100"], ["--resample", "coders"]]):
        assert main(["report", "labels.csv", *option]) != 0
        assert "needs a bootstrap: pass --method percentile" in "".join(capsys.readouterr())

"""The command ``agreement-fast judges``."""

import csv
import io

import numpy as np
import pytest
from command import Command

import agreement_fast as af
from agreement_fast import diagnostics
from agreement_fast.cli import main

PEOPLE = ("ann", "bea", "cid")
MODELS = ("gpt", "llama")
#: One model, with the others named as people.
GPT = ("--model", "gpt", "--person", "ann,bea,cid")
CALL = ("judges", "long.csv", "--model", "gpt,llama", "--n-resamples", "50")


def scores(n=120):
    """Three people and two models on a scale of 1 to 5, a better and a worse one."""
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 6, n)
    spread = dict(zip((*PEOPLE, *MODELS), (0.7, 0.7, 0.8, 0.4, 1.6), strict=True))
    return {
        name: np.clip(np.rint(truth + rng.normal(0, s, n)), 1, 5).astype(int)
        for name, s in spread.items()
    } | {"truth": truth}


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = scores()
    truth = said.pop("truth")
    lines = ["item,coder,label,truth"]
    lines += [f"{i},{c},{x},{truth[i]}" for c, own in said.items() for i, x in enumerate(own)]
    (tmp_path / "long.csv").write_text("\n".join(lines) + "\n")
    names = list(said)
    return af.Annotations.from_wide(np.stack(list(said.values()), 1), coders=names), truth


def table(capsys, *argv):
    assert main([*CALL, *argv, "--csv", "-"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def numbers(rows, name):
    return [float(row[name]) if row[name] else np.nan for row in rows]


def test_the_tables_are_those_of_python(data, capsys):
    people, truth = data
    exact = diagnostics.model_agreement(
        people, MODELS, "beta", distance="interval", n_resamples=50, rng=0
    )
    test = diagnostics.alternative_annotator_test(
        people, MODELS, distance="interval", epsilon="crowd"
    )
    rows = table(capsys, "--distance", "interval", "--epsilon", "crowd")
    assert numbers(rows, "value") == pytest.approx(exact.value)
    assert numbers(rows, "difference_low") == pytest.approx(exact.difference_low)
    assert numbers(rows, "advantage") == pytest.approx(test.advantage)
    assert numbers(rows, "advantage_high") == pytest.approx(test.high)
    assert [row["passes"] for row in rows] == [str(one) for one in test.passes.tolist()]
    rows = table(capsys, "--distance", "interval", "--epsilon", "0.1", "--table", "tests")
    assert numbers(rows, "p_value") == pytest.approx(test.p_value.reshape(-1))
    rows = table(capsys, "--distance", "interval", "--table", "pairs")
    assert numbers(rows, "low") == pytest.approx(exact.differences().to_dict()["low"])
    errors = diagnostics.error_correlation(people, MODELS, truth)
    rows = table(capsys, "--gold", "truth", "--table", "errors")
    assert numbers(rows, "correlation") == pytest.approx(errors.correlation)
    deviations = diagnostics.error_correlation(people, MODELS, truth, errors="deviation")
    document = Command(capsys).json(*CALL, "--gold", "truth", "--distance", "interval")
    result = document["judges"][0]["errors"]
    assert result["pairs"][0]["correlation"] == pytest.approx(deviations.correlation[0])
    assert result["truth"] == "gold"


def test_what_is_printed(data, capsys):
    text = " ".join(Command(capsys).text(*CALL, "--distance", "interval").split())
    assert "Models: gpt, llama. People: ann, bea, cid." in text
    assert "gpt agrees with the people more than they do with each other" in text
    assert "llama agrees with the people less than they do with each other" in text
    assert "Share of the resamples in which each is best: gpt 100%." in text
    assert "worse by less than epsilon = 0.2" in text
    assert "An error is a label minus the truth." in text
    assert "pass gold labels (--gold COLUMN" in text
    assert "compared as names" not in text
    nominal = " ".join(Command(capsys).text(*CALL, "--gold", "truth").split())
    assert "the labels are numbers, but are compared as names" in nominal
    assert "both wrong" in nominal
    assert "pass gold labels (--gold COLUMN" not in nominal


def test_the_document(data, capsys):
    people, _ = data
    (result,) = Command(capsys).json(*CALL)["judges"]
    assert result["people"] == list(PEOPLE)
    assert [row["model"] for row in result["models"]] == list(MODELS)
    errors = diagnostics.error_correlation(people, MODELS)
    assert result["errors"]["effective"] == pytest.approx(errors.effective)
    assert result["errors"]["truth"] == "majority of the people"
    assert len(result["tests"]) == 6
    assert [sum(one["shares"]) for one in result["ranks"]] == pytest.approx([1, 1])
    assert result["runs"] is None
    (result,) = Command(capsys).json(*CALL, "--no-shared-items")["judges"]
    assert result["pairs"] == result["ranks"] == []


def test_who_the_people_are(data, capsys):
    people, _ = data
    rows = table(capsys, "--person", "ann,cid", "--min-items", "20")
    two = diagnostics.model_agreement(people, MODELS, person=["ann", "cid"], n_resamples=40, rng=0)
    assert numbers(rows, "value") == pytest.approx(two.value)
    assert numbers(rows, "n_people") == [2, 2]
    rows = table(capsys, "--gold", "cid")
    assert numbers(rows, "value") == pytest.approx(
        diagnostics.model_agreement(
            people, MODELS, person=["ann", "bea"], n_resamples=40, rng=0
        ).value
    )
    text = Command(capsys).text(*CALL, "--person", "ann,bea")
    assert "there are 2 people, and at least 3 are recommended" in " ".join(text.split())


def test_own_items(data, tmp_path, capsys):
    lines = (tmp_path / "long.csv").read_text().splitlines()
    kept = [line for line in lines if not (",gpt," in line and int(line.split(",")[0]) >= 20)]
    (tmp_path / "long.csv").write_text("\n".join(kept) + "\n")
    shared = Command(capsys).text(*CALL)
    assert "Left out: 100 items. --no-shared-items, or shared_items=False, compares" in " ".join(
        shared.split()
    )
    rows = table(capsys, "--no-shared-items")
    assert numbers(rows, "n_items") == [20, 120]
    text = Command(capsys).text(*CALL, "--no-shared-items")
    assert "Models with each other" not in text
    assert "not tested, because they have fewer than 30 items" in " ".join(text.split())


def test_runs_of_a_model(data, tmp_path, capsys):
    people, _ = data
    rng = np.random.default_rng(0)
    first = people.to_wide()[:, 3]
    again = np.where(rng.random(120) < 0.2, 3, first.astype(int))
    more = "".join(f"{i},gpt,{x},\n" for i, x in enumerate(again))
    (tmp_path / "runs.csv").write_text((tmp_path / "long.csv").read_text() + more)
    call = [
        "judges",
        "runs.csv",
        "--model",
        "gpt,llama",
        "--duplicates",
        "first",
        "--n-resamples",
        "40",
    ]
    assert main([*call, "--table", "runs", "--csv", "-"]) == 0
    row, once = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["coder"] == "gpt"
    assert float(row["value"]) == pytest.approx(af.alpha(np.stack([first, again], 1)).value)
    assert float(row["same"]) == pytest.approx(np.mean(first == again))
    assert once["undefined"].startswith("no pairs")
    (result,) = Command(capsys).json(*call)["judges"]
    assert [one["n_rounds"] for one in result["runs"]] == [2, 1]
    text = Command(capsys).text(*call)
    assert "Repeated judgments" in text
    assert "Repeated judgments" not in Command(capsys).text(*CALL)


def test_pictures_and_one_model(data, tmp_path, capsys):
    call = [
        "judges",
        "long.csv",
        "--model",
        "gpt",
        "--person",
        "ann,bea,cid",
        "--n-resamples",
        "40",
    ]
    assert main([*call, "--figure", "f.svg"]) == 0
    text = capsys.readouterr().out
    assert "Models with each other" not in text
    assert "Errors on the same items" not in text
    drawn = (tmp_path / "f.svg").read_text()
    assert "advantage probability" in drawn
    assert "people" in drawn


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["--model", "gpt,foo"], "--model: no coder 'foo'; the coders are ann, bea, cid, gpt"),
        (["--model", "gpt", "--person", "eve"], "--person: no coder 'eve'"),
        (["--model", "gpt", "--person", "gpt,ann"], "coder 'gpt' is named on both sides"),
        ([*GPT, "--epsilon", "novice"], "--epsilon must be a number, 'expert'"),
        ([*GPT, "--epsilon", "1.5"], "--epsilon must be 0 or more and less than 1"),
        ([*GPT, "--min-items", "1"], "--min-items must be a whole number, 2 or more"),
        (
            ["--model", "gpt", "--n-resamples", "39"],
            "--n-resamples must be a whole number, 40 or more",
        ),
        (["--model", "gpt", "--person", "ann"], "two people or more, but 1, 'ann', is left"),
        (
            ["--model", "gpt", "--coefficient", "pi,alpha"],
            "judges takes one coefficient at a time",
        ),
        (["--model", "gpt", "--distance", "ordinal,ratio"], "judges takes one distance at a time"),
        (["--model", "gpt", "--incomplete", "complete"], "--incomplete: judges always compares"),
        (["--model", "gpt", "--tree", "t.csv"], "judges takes only distances of --distance NAME"),
        ([*GPT, "--table", "errors", "--csv", "-"], "compares two models or more"),
        ([*GPT, "--table", "runs", "--csv", "-"], "no model judged an item twice"),
        (
            ["--model", "gpt,llama", "--no-shared-items", "--table", "pairs", "--csv", "-"],
            "--table pairs and --no-shared-items exclude each other",
        ),
        (
            ["--model", "gpt", "--n-resamples", "19"],
            "--n-resamples must be a whole number, 20 or more",
        ),
        ([], "no models were named: pass --model A,B"),
    ],
)
def test_what_cannot_be(data, argv, line, capsys):
    assert line in Command(capsys).error("judges", "long.csv", "--n-resamples", "40", *argv)


def write(tmp_path, said, truth=None, name="long.csv"):
    """Write a long table of the labels of each coder; None is no judgment."""
    head = ["item,coder,label" + (",truth" if truth is not None else "")]
    right = [""] * len(next(iter(said.values()))) if truth is None else [f",{x}" for x in truth]
    lines = [
        f"{i},{c},{x}{right[i]}"
        for c, own in said.items()
        for i, x in enumerate(own)
        if x is not None
    ]
    (tmp_path / name).write_text("\n".join(head + lines) + "\n")


def words(capsys, *argv):
    return " ".join(Command(capsys).text(*argv).split())


def test_models_that_never_err_are_named_where_they_are_not_counted(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items()}
    truth = said.pop("truth")
    call = (
        "judges",
        "long.csv",
        "--person",
        "ann,bea,cid",
        "--gold",
        "truth",
        "--n-resamples",
        "40",
    )
    more = {"twin": said["gpt"], "perfect": truth, "fool": [6 - x if x != 3 else 1 for x in truth]}
    write(tmp_path, said | more, truth)
    shown = words(capsys, *call, "--model", "gpt,twin,perfect,fool", "--min-items", "30")
    assert "Errors of 2 of 4 judges (those that vary) against the" in shown
    assert "do not vary: perfect (never wrong), fool (always wrong)." in shown
    shown = words(capsys, *call, "--model", "gpt,perfect")
    assert "No two models have errors that vary, so there is no correlation." in shown
    (result,) = Command(capsys).json(*call, "--model", "gpt,perfect")["judges"]
    assert result["errors"]["not_counted"] == ["perfect"]
    shown = words(capsys, *call, "--model", "gpt,twin,perfect,fool", "--distance", "interval")
    assert "do not vary: perfect (the same error everywhere)." in shown
    shown = words(capsys, *call, "--model", "gpt,llama")
    assert "as good as" in shown
    assert "Not counted" not in shown


def test_no_difference_is_not_called_equality(data, tmp_path, capsys):
    said = {name: own.tolist()[:30] for name, own in scores().items() if name in PEOPLE}
    write(tmp_path, said)
    call = ("judges", "long.csv", "--model", "ann", "--n-resamples", "99")
    (row,) = Command(capsys).json(*call)["judges"][0]["models"]
    low, high = row["difference_low"], row["difference_high"]
    assert low < 0 < high
    shown = words(capsys, *call)
    assert (
        "ann: no difference is shown. Its agreement with the people may be from"
        f" {-low:.4f} below to {high:.4f} above that of the people with each other." in shown
    )
    assert "includes 0" not in shown


def test_models_that_are_not_tested_neither_pass_nor_fail(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    for name in ("bea", "cid"):  # two people judge 25 items, and one all of them
        said[name] = [x if i < 25 else None for i, x in enumerate(said[name])]
    write(tmp_path, said)
    shown = words(capsys, *CALL)
    assert "gpt 0 of 0 - - - - - 25" in shown
    assert "Undefined for gpt, llama: nobody was tested, because no person judged 30 items" in shown
    assert "Left out: 95 items." in shown
    assert "--no-shared-items" not in shown  # it would take the same items
    (result,) = Command(capsys).json(*CALL)["judges"]
    assert [row["passes"] for row in result["models"]] == [None, None]
    assert result["models"][0]["test_undefined"].startswith("fewer than min_items items")
    assert {row["rejected"] for row in result["tests"]} == {None}
    shown = words(capsys, *CALL, "--min-items", "20")
    assert "nobody was tested" not in shown


def test_the_items_of_each_model_stand_beside_its_test(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    assert "They differ between models" not in words(capsys, *CALL)
    said["gpt"][:40] = [None] * 40
    write(tmp_path, said)
    text = Command(capsys).text(*CALL)
    rows = text.partition("Alternative annotator test")[2].partition("Errors")[0].splitlines()
    items = {
        row.split()[0]: row.split()[-1] for row in rows if row.startswith(("  gpt", "  llama"))
    }
    assert items == {"gpt": "80", "llama": "120"}
    assert "They differ between models" in " ".join(text.split())


def test_truths_that_rest_on_one_person_are_counted(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items()}
    truth = said.pop("truth")
    for name in ("bea", "cid"):
        said[name] = [x if i < 50 else None for i, x in enumerate(said[name])]
    said["gpt"][-5:] = [None] * 5
    write(tmp_path, said, truth)
    document = Command(capsys).json(*CALL)["judges"][0]["errors"]
    assert document["n_one_person"] == 65
    assert ", 65 of them with the label of a single person" in words(capsys, *CALL)
    with_gold = words(capsys, *CALL, "--gold", "truth")
    assert "single person" not in with_gold
    means = words(capsys, *CALL, "--distance", "interval")
    assert ", 65 of them with the label of a single person" in means


def test_p_values_are_said_to_be_of_one_test_each(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    said["mix"] = said["ann"][::-1]
    write(tmp_path, said)
    call = ("judges", "long.csv", "--n-resamples", "40", "--person", "ann,bea,cid", "--model")
    shown = words(capsys, *call, "gpt,llama,mix")
    assert (
        "not corrected for the number of models (3): compare it with 0.016666 (0.05 / 3)" in shown
    )
    assert "p is not corrected for the number of pairs (3)" in shown
    assert "corrected" not in words(capsys, *call, "gpt")
    assert "pairs alone" not in words(capsys, *call, "gpt,llama")


def test_runs_that_are_level(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    write(tmp_path, said)
    again = "".join(f"{i},gpt,{x % 5 + 1}\n" for i, x in enumerate(said["gpt"]))
    with (tmp_path / "long.csv").open("a") as file:
        file.write(again)
    error = Command(capsys).error(*CALL)
    assert "model gpt judged 120 items more than once: pass --duplicates majority, first" in error
    assert "set" not in error
    error = Command(capsys).error(*CALL, "--duplicates", "majority")
    assert "no item has a label of every model and of two people, because 120 ties between" in error
    assert "pass --duplicates first or last" in error
    (row, _) = table(capsys, "--duplicates", "first", "--table", "runs")
    assert row["same"] == "0.0"


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["gpt=0.99"], "kappa (gpt) = "),
        (["kappa:gpt=0.99"], "kappa (gpt) = "),
        (["kappa=0.3"], "kappa (llama) = "),
        (["advantage:llama=0.9"], "advantage (llama) = "),
        (["difference=0"], "difference (llama) = -"),
        (["winning_rate=0.5"], "winning_rate (llama) = 0.0000 is below 0.5"),
        (["beta:gpt=0.99", "--distance", "interval"], "beta (gpt) = "),
        (["gpt=0.99", "--distance", "interval"], "beta (gpt) = "),
        (["kappa:gpt=0.99", "--distance", "interval"], "beta (gpt) = "),
        (
            ["winning_rate=0.5", "--min-items", "200"],
            "winning_rate (gpt) is undefined (fewer than min_items",
        ),
        (["gpt=0.1"], ""),
        (["difference:gpt=0,advantage:gpt=0.5"], ""),
    ],
)
def test_thresholds(data, argv, line, capsys):
    missed = main([*CALL, "--fail-under", *argv])
    printed = capsys.readouterr().err.removeprefix("agreement-fast: ")
    assert missed == bool(line)
    assert printed.startswith(line) if line else not printed


def test_thresholds_of_intervals_and_odd_names(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    said = {name.replace("gpt", "llama3:8b"): own for name, own in said.items()}
    write(tmp_path, said)
    call = ["judges", "long.csv", "--model", "llama3:8b,llama", "--n-resamples", "50"]
    (row, _) = Command(capsys).json(*call)["judges"][0]["models"]
    between = (row["low"] + row["value"]) / 2
    for name in ("llama3:8b", "kappa:llama3:8b"):
        assert main([*call, "--fail-under", f"{name}={between}"]) == 0
        assert not capsys.readouterr().err
        assert main([*call, "--fail-under-lower", f"{name}={between}"]) == 1
        assert "kappa (llama3:8b) = " in capsys.readouterr().err
    assert "unknown name 'foo'; the names are kappa, difference" in Command(capsys).error(
        *call, "--fail-under", "foo=0.5"
    )


def test_groups_are_named_where_there_are_some(data, tmp_path, capsys):
    said = {name: own.tolist() for name, own in scores().items() if name != "truth"}
    write(tmp_path, said)
    with (tmp_path / "long.csv").open("a") as file:
        file.write("0,gpt,1\n1,gpt,2\n2,gpt,3\n")
    call = (*CALL, "--duplicates", "first")
    shown = words(capsys, *call)
    assert (
        "the share of items on which all of them are equal (alike); the others are flips."
        in " ".join(shown.split())
    )
    lines = (tmp_path / "long.csv").read_text().splitlines()
    grouped = [f"{line},{'ab'[int(line.split(',')[0]) % 2]}" for line in lines[1:]]
    (tmp_path / "long.csv").write_text("\n".join([f"{lines[0]},set", *grouped]) + "\n")
    assert "Repeated judgments, over all groups" in words(capsys, *call, "--by", "set")


def test_models_that_were_not_named_are_no_people(data, capsys):
    """What the line proposes runs, both ways."""
    command = Command(capsys)
    call = ("judges", "long.csv", "--n-resamples", "50")
    error = command.error(*call, "--model", "gpt")
    assert error == (
        "'llama' would be counted as people, and look like models: name it, too: --model"
        " gpt,llama; or name the people: --person ann,bea,cid"
    )
    both = command.json(*call, "--model", "gpt,llama")["judges"][0]
    named = command.json(*call, "--model", "gpt", "--person", "ann,bea,cid")["judges"][0]
    assert both["people"] == named["people"] == ["ann", "bea", "cid"]
    assert both["models"][0]["value"] == pytest.approx(named["models"][0]["value"])
    with_gold = command.error(*call, "--model", "gpt", "--gold", "ann")
    assert "'llama' would be counted as people" in with_gold


def test_models_without_people_are_told_so(data, capsys):
    lines = [f"{i},{c},x" for i in range(40) for c in ("gpt", "llama") for _ in range(2)]
    with open("models.csv", "w") as file:
        file.write("\n".join(["item,coder,label", *lines]) + "\n")
    call = ("judges", "models.csv", "--model", "gpt,llama", "--duplicates", "majority")
    error = Command(capsys).error(*call)
    assert "needs two people or more, but none is left besides the models 'gpt', 'llama'" in error
    assert "tie" not in error
    assert "leave people out of --model" in error


def test_models_of_other_items_are_compared_over_their_own(data, capsys):
    rows = [f"{i},{c},{'xy'[i % 2]}" for i in range(40) for c in ("ann", "bea")]
    rows += [f"{i},{'gpt' if i < 20 else 'llama'},x" for i in range(40)]
    with open("apart.csv", "w") as file:
        file.write("\n".join(["item,coder,label", *rows]) + "\n")
    call = ("judges", "apart.csv", "--model", "gpt,llama", "--n-resamples", "50")
    command = Command(capsys)
    assert command.error(*call).endswith(
        "pass --no-shared-items, to compare each model over its own items"
    )
    result = command.json(*call, "--no-shared-items")["judges"][0]["models"]
    assert [model["n_items"] for model in result] == [20, 20]


def test_who_rates_high(data, capsys):
    rated = diagnostics.leniency(data[0])
    rows = table(capsys, "--distance", "interval", "--table", "leniency")
    assert [row["judge"] for row in rows] == list(rated.judges)
    assert numbers(rows, "leniency") == pytest.approx(rated.leniency)
    command = Command(capsys)
    result = command.json(*CALL, "--distance", "interval")["judges"][0]["leniency"]
    assert [row["high"] for row in result] == pytest.approx(rated.high)
    assert "Who rates high" in command.text(*CALL, "--distance", "interval")
    assert command.json(*CALL)["judges"][0]["leniency"] is None
    assert "labels that are numbers" in command.error(*CALL, "--table", "leniency", "--csv", "-")
    assert "Models: gpt, llama. People: ann, bea, cid." in command.answer(*CALL)


def test_what_one_more_person_adds(data, capsys):
    people, _ = data
    command, call = Command(capsys), (*CALL, "--n-more", "2", "--distance", "interval")
    exact = diagnostics.more_people(
        people, MODELS, coefficient="beta", distance="interval", n_more=2
    )
    result = command.json(*call)["judges"][0]["more_people"]
    assert result["n_people"] == 3
    for name in ("reliability", "half_width", "half_width_high"):
        expected = exact.people.to_dict()[name]
        assert [row[name] for row in result["people"]] == pytest.approx(expected)
    assert [row["model"] for row in result["models"]] == ["gpt"] * 3 + ["llama"] * 3
    rows = table(capsys, *call[len(CALL) :], "--table", "more_tests")
    assert numbers(rows, "half_width") == pytest.approx(exact.models.to_dict()["half_width"])
    assert len(table(capsys, *call[len(CALL) :], "--table", "more_people")) == 3
    assert "The value of one more person" in command.answer(*call)
    assert command.json(*CALL)["judges"][0]["more_people"] is None
    assert "--n-more N" in command.error(*CALL, "--table", "more_people", "--csv", "-")
    assert "--n-more must be a whole number" in command.error(*CALL, "--n-more", "0")


def test_who_prefers_a_place(data, capsys):
    rng = np.random.default_rng(5)
    rows = [
        (i, judge, first, first if rng.random() < leaning else rng.choice(["a", "b", "none"]))
        for judge, leaning in (("ann", 0.0), ("bea", 0.0), ("gpt", 0.6))
        for i in range(40)
        for first in "ab"
    ]
    rows += [(40, "gpt", "a", "a")]
    with open("pairs.csv", "w") as file:
        file.writelines(f"{','.join(map(str, row))}\n" for row in [COLUMNS, *rows])
    exact = diagnostics.position_bias(*zip(*rows, strict=True), ties=["none"])
    call = ("judges", "pairs.csv", "--model", "gpt", "--n-resamples", "50")
    call += ("--duplicates", "first", "--first", "shown")
    command = Command(capsys)
    result = command.json(*call, "--tie", "none")["judges"][0]["position"]
    assert [row["judge"] for row in result] == list(exact.judges)
    assert [row["bias"] for row in result] == exact.bias.tolist()
    assert [row["high"] for row in result] == exact.high.tolist()
    text = command.text(*call, "--tie", "none")
    places = text.partition("Who prefers a place")[2]
    assert f"gpt    {exact.bias[2]:+.4f}" in places
    assert "Left out: 1 item that a judge saw in one order only." in places
    assert "pass --tie" in command.error(*call)
    # Items of two groups that have one name are two items.
    lines = [(i % 20, *row, i // 20) for i, *row in rows[:-1]]
    with open("pairs.csv", "w") as file:
        file.writelines(f"{','.join(map(str, line))}\n" for line in [(*COLUMNS, "batch"), *lines])
    parts = command.json(*call, "--by", "batch", "--tie", "none")["judges"]
    assert len(parts) == 2
    for part in parts:
        assert [row["bias"] for row in part["position"]] == exact.bias.tolist()
    assert "pass --first COLUMN" in command.error(*CALL, "--table", "position", "--csv", "-")


COLUMNS = ("item", "coder", "shown", "label")

"""The command ``agreement-fast gold``."""

import csv
import io

import numpy as np
import pytest
from command import Command
from strategies import seeded

import agreement_fast as af
from agreement_fast.cli import main
from agreement_fast.diagnostics import gold_scores

NAMES = ("ann", "bea", "cid")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Files of the same judgments: long and wide, with gold as a column, a file and a coder."""
    monkeypatch.chdir(tmp_path)
    table = seeded(3, 60, 4, ["yes", "no", "maybe"], missing=0.1)
    with open("long.csv", "w", newline="") as long, open("coder.csv", "w", newline="") as coder:
        a, b = csv.writer(long), csv.writer(coder)
        a.writerow(["item", "coder", "label", "truth"])
        b.writerow(["item", "coder", "label"])
        for i, row in enumerate(table.rows):
            for name, label in zip((*NAMES, "expert"), row, strict=True):
                if label is not None:
                    b.writerow([i, name, label])
                    if name != "expert":
                        a.writerow([i, name, label, row[3] or ""])
    with open("wide.csv", "w", newline="") as file:
        w = csv.writer(file)
        w.writerow(["item", *NAMES, "truth"])
        w.writerows([i, *(label or "" for label in row)] for i, row in enumerate(table.rows))
    with open("gold.csv", "w", newline="") as file:
        w = csv.writer(file)
        w.writerow(["item", "truth"])
        w.writerows([i, row[3]] for i, row in enumerate(table.rows) if row[3])
    people = af.Annotations.from_wide([row[:3] for row in table.rows], coders=NAMES)
    return gold_scores(people, [row[3] for row in table.rows])


@pytest.mark.parametrize(
    "argv",
    [
        ["long.csv", "--gold", "truth"],
        ["wide.csv", "--layout", "wide", "--item", "item", "--gold", "truth"],
        ["coder.csv", "--gold", "expert"],
        ["coder.csv", "--gold", "gold.csv", "--only-coder", "ann,bea,cid"],
    ],
)
def test_gold_is_a_column_a_file_or_a_coder(data, argv, capsys):
    assert main(["gold", *argv, "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    exact = data.to_dict()
    assert [row["coder"] for row in rows] == [*NAMES, "majority"]
    for name in ("agreement", "agreement_high", "kappa", "alpha_low", "macro_f1", "n_items"):
        assert [float(row[name]) for row in rows] == pytest.approx(exact[name])


def test_what_is_printed(data, capsys):
    text = Command(capsys).text("gold", "long.csv", "--gold", "truth", "--details", "bea")
    place = NAMES.index("bea")
    assert f"{data.agreement[place]:.4f}" in text
    assert "kappa with gold" in text
    assert "alpha with gold" in text
    assert "Categories of bea" in text
    assert "the labels tie" in text
    line = next(line for line in text.splitlines() if line.startswith("  gold \\ bea"))
    assert line.split()[3:] == ["maybe", "no", "yes"]


def test_the_document_and_the_tables(data, capsys):
    document = Command(capsys).json(
        "gold", "long.csv", "--gold", "truth", "--confidence-level", "0.9"
    )
    (result,) = document["scores"]
    assert result["coders"][0]["confidence_level"] == 0.9
    assert result["n_level"] == data.n_level
    assert result["confusion"]["coder"] == "majority"
    assert result["confusion"]["categories"] == ["maybe", "no", "yes"]
    assert result["confusion"]["counts"] == data.confusion("majority").tolist()
    for name in ("averages", "categories", "coefficients"):
        columns = getattr(data, name).to_dict()
        assert list(result[name][0]) == list(columns)
        assert [row["coder"] for row in result[name]] == columns["coder"]
    assert main(["gold", "long.csv", "--gold", "truth", "--table", "categories", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(result["categories"])
    assert [float(row["f1"]) for row in rows] == [row["f1"] for row in result["categories"]]


def test_groups_and_pictures(data, tmp_path, capsys):
    text = (tmp_path / "long.csv").read_text().splitlines()
    lines = [
        text[0] + ",lang",
        *(f"{line},{'en' if i % 2 else 'de'}" for i, line in enumerate(text[1:])),
    ]
    (tmp_path / "by.csv").write_text("\n".join(lines))
    call = ["gold", "by.csv", "--gold", "truth", "--by", "lang", "--csv", "-"]
    assert main(call) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["lang"] for row in rows] == ["de"] * 4 + ["en"] * 4
    assert main(["gold", "long.csv", "--gold", "truth", "--figure", "f.svg"]) == 0
    assert "Written: f.svg" in capsys.readouterr().out
    assert "F1 of majority" in (tmp_path / "f.svg").read_text()


def test_one_coder_has_no_majority_and_weighted_kappa_a_distance(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(
        "item,coder,label,gold\n"
        + "".join(f"{i},m,{i % 4},{(i + i // 5) % 4}\n" for i in range(20))
    )
    call = ["gold", "d.csv", "--gold", "gold", "--distance", "interval"]
    text = Command(capsys).text(*call)
    assert "majority" not in text
    assert "beta with gold" in text
    assert "Categories of m" in text
    said, right = np.arange(20) % 4, (np.arange(20) + np.arange(20) // 5) % 4
    exact = af.beta(np.stack([said, right], 1), "interval")
    assert f"{exact.value:.4f}" in text


@pytest.mark.parametrize(
    ("names", "gold"),
    [
        (("id", "human", "judge"), "human"),
        (("id", "human", "model"), "human"),
        (("id", "gold", "gpt"), "gold"),
        (("truth", "pred"), "truth"),
    ],
)
def test_one_column_of_labels_beside_gold_is_that_of_a_coder(
    names, gold, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows = [(f"t{i}", "xyz"[i % 3], "xyz"[(i + i // 5) % 3]) for i in range(20)]
    lines = [",".join(row[-len(names) :]) for row in [names, *rows]]
    (tmp_path / "d.csv").write_text("\n".join(lines))
    assert main(["gold", "d.csv", "--gold", gold, "--csv", "-"]) == 0
    (coder,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    right = sum(a == b for _, a, b in rows) / len(rows)
    assert (coder["coder"], float(coder["agreement"])) == (names[-1], pytest.approx(right))


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        ([], "the right labels are missing: pass --gold COLUMN, FILE or CODER"),
        (
            ["--gold", "eve"],
            "--gold: no column, file or coder is called 'eve'; the columns are item",
        ),
        (["--gold", "trut"], "is called 'trut' (did you mean 'truth'?)"),
        (["--gold", "truth", "--details", "eve"], "--details: no coder 'eve'"),
        (["--gold", "truth", "--incomplete", "complete"], "--incomplete: gold always scores"),
        (["--gold", "truth", "--matrix", "m.csv"], "gold takes only distances of --distance NAME"),
        (
            ["--gold", "truth", "--confidence-level", "1.01"],
            "--confidence-level must be between 0 and 1",
        ),
        (["--gold", "truth", "--coefficient", "foo"], "coefficient 'foo' is not known"),
        (
            ["--gold", "truth", "--distance", "ordinal,interval"],
            "--distance: gold takes one distance at a time",
        ),
    ],
)
def test_what_cannot_be(data, argv, line, capsys):
    assert line in Command(capsys).error("gold", "long.csv", *argv)


@pytest.mark.few("kappa")
@pytest.mark.parametrize("name", ["agreement", "kappa", "alpha", "macro_f1"])
def test_thresholds(data, name, capsys):
    call = ["gold", "long.csv", "--gold", "truth"]
    exact, passed = data.to_dict(), []
    for c, coder in enumerate((*NAMES, "majority")):
        value, low = exact[name][c], exact[f"{name}_low"][c]
        passed += ["--fail-under", f"{name}:{coder}={value - 1e-6}"]
        assert main([*call, "--fail-under", f"{name}:{coder}={value + 1e-6}"]) == 1
        assert capsys.readouterr().err.startswith(f"agreement-fast: {name} ({coder}) = ")
        assert main([*call, "--fail-under-lower", f"{name}:{coder}={low + 1e-6}"]) == 1
        assert "begins below" in capsys.readouterr().err
    assert main([*call, *passed]) == 0
    assert not capsys.readouterr().err
    least = min(exact[name])
    assert main([*call, "--fail-under", f"{name}={least + 1e-6}"]) == 1
    assert capsys.readouterr().err.count(f"{name} (") == exact[name].count(least)


def test_thresholds_with_a_distance_and_of_nobody(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"{i},m,{i % 4},{(i + i // 5) % 4}" for i in range(20)]
    (tmp_path / "d.csv").write_text("\n".join(["item,coder,label,gold", *lines]) + "\n")
    call = ["gold", "d.csv", "--gold", "gold"]
    assert main([*call, "--distance", "interval", "--fail-under", "kappa:m=0.99"]) == 1
    assert "beta (m) = " in capsys.readouterr().err
    command = Command(capsys)
    assert "there is no kappa of eve; there are m" in command.error(
        *call, "--fail-under", "kappa:eve=0.5"
    )
    assert "unknown name 'f1'; the names are kappa, alpha, agreement, macro_f1" in command.error(
        *call, "--fail-under", "f1=0.5"
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1,a,x", "2,b,y", "3,c,x"], "Nothing is scored: no item has both a judgment and a right"),
        (["1,a,x"], "Nobody is scored: the coder whose labels are right is the only one."),
        (["1,a,x", "1,b,x", "1,c,y"], ""),
    ],
)
def test_nothing_to_score_is_said(rows, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text("\n".join(["item,coder,label", *rows]) + "\n")
    text = " ".join(Command(capsys).text("gold", "d.csv", "--gold", "a").split())
    assert said in text if said else "scored:" not in text

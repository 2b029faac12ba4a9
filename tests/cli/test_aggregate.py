"""The command ``aggregate``."""

from __future__ import annotations

import csv
from importlib import import_module
from pathlib import Path

import pytest
from command import Command

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.files import stream
from agreement_fast.subsets import reference_stability

ROWS = """\
item,coder,label,truth,lang
1,A,low,low,en
1,B,low,low,en
1,C,mid,low,en
2,A,high,mid,en
2,B,high,mid,en
3,A,mid,,de
3,C,high,,de
4,B,low,,de
5,A,,,de
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(ROWS)
    return "t.csv"


def written(name: str = "labels.csv") -> list[dict[str, str]]:
    with Path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_labels_and_what_they_rest_on(command: Command, table: str) -> None:
    text = one_line(command.text("aggregate", table, "--csv", "labels.csv"))
    rows = written()
    assert [(row["item"], row["label"], row["status"]) for row in rows] == [
        ("1", "low", "decided"), ("2", "high", "decided"), ("3", "", "tie"),
        ("4", "low", "decided"), ("5", "", "unjudged"),
    ]  # fmt: skip
    assert rows[2]["tied_labels"] == "high | mid"
    assert "5 items: 3 decided by their judgments, 1 tied, 1 without a judgment." in text
    assert "Mean confidence 0.8889: the share of the item's judgments" in text
    assert "Note: 1 item has labels that tie: it has no label." in text
    assert "low 2 0.4000 high 1 0.2000" in text
    first = command.text("aggregate", table, "--ties", "first")
    assert "they have the first" in one_line(first) or "it has the first" in one_line(first)
    printed = command.text("aggregate", table, "--csv", "-")
    assert printed == Path("labels.csv").read_text()


def test_gold_is_read_and_checked(command: Command, table: str) -> None:
    text = one_line(command.text("aggregate", table, "--gold", "truth", "--csv", "labels.csv"))
    assert [row["label"] for row in written()] == ["low", "mid", "", "low", ""]
    assert "note gold is column 'truth': 2 items have right labels" in text
    assert "1 of the 2 judged gold items would have their gold label: 0.5000" in text
    assert "Gold is the share of the gold items that a coder judged right." in text
    Path("g.csv").write_text("item,gold\n3,mid\n7,low\n")
    text = one_line(command.text("aggregate", table, "--gold", "g.csv", "--by", "lang"))
    assert "1 more item of column 'gold' of 'g.csv' is not in the data" in text
    document = command.json("aggregate", table, "--gold", "g.csv", "--by", "lang")
    german, english = document["aggregations"]
    assert (german["group"], german["n_gold"], english["n_gold"]) == ("de", 1, 0)
    assert german["gold_check"]["n_tied"] == 1
    assert english["gold_check"] is None
    assert "gold_accuracy" not in english["coders"][0]


def test_the_document_has_the_numbers_of_python(command: Command) -> None:
    data = af.read(str(Path(af.__file__).parent / "data" / "dawid_skene_1979_anaesthetists.csv"),
                   duplicates="first")  # fmt: skip
    for method in ("majority", "mace", "glad"):
        document = command.json("aggregate", "--example", "--method", method)
        (result,) = document["aggregations"]
        ours = aggregate(data, method)
        assert result["mean_confidence"] == ours.mean_confidence
        assert result["log_likelihood"] == ours.log_likelihood
        assert sum(one["n_items"] for one in result["labels"]) == ours.n_items - ours.n_ties
        assert [one["coder"] for one in result["coders"]] == ours.coders.to_dict()["coder"]
        assert result["coders"][0]["accuracy"] == ours.coders.to_dict()["accuracy"][0]
        same = reference_stability(data, resample="items").same.tolist()
        assert [one["same"] for one in result["stability"]] == same
        needed = {
            one["target"]: one["n_judgments"] for one in result["reliability"]["judgments_needed"]
        }
        alpha = af.alpha(data)
        assert result["reliability"]["value"] == alpha.value
        assert needed[0.9] == af.inference.judgments_needed(alpha, 0.9)
    text = one_line(command.text("aggregate", "--example", "--method", "mace"))
    assert "Competence excludes" in text
    assert "(converged)" in text


def test_groups_stand_below_each_other(command: Command, table: str) -> None:
    text = command.text("aggregate", table, "--by", "lang", "--csv", "labels.csv")
    assert text.count("What more judgments bring") == 2
    assert [(row["lang"], row["item"]) for row in written()] == [
        ("de", "3"), ("de", "4"), ("de", "5"), ("en", "1"), ("en", "2"),
    ]  # fmt: skip


def test_many_rows_keep_the_names_of_their_items(
    command: Command, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = command.text("aggregate", table, "--csv", "-")
    monkeypatch.setattr(stream, "LARGE", 3)
    monkeypatch.setattr(stream, "LARGE_FILE", 3)
    assert command.text("aggregate", table, "--csv", "-") == few


def test_options_of_the_model_arrive(
    command: Command, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = {}

    def spy(data: af.Annotations, method: str, **options: object) -> object:
        request.update(options)
        return aggregate(data, method)

    monkeypatch.setattr(import_module("agreement_fast.models.aggregation"), "aggregate", spy)
    command.text("aggregate", table, "--method", "mace", "--rng", "7", "--n-restarts", "2",
                 "--smoothing", "0.5", "--ties", "first")  # fmt: skip
    assert request == {"gold": None, "ties": "first", "smoothing": 0.5, "n_restarts": 2, "rng": 7}


@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (
            ["--smoothing", "0.1"],
            "--smoothing is not an option of --method majority: pass --method",
        ),
        (["--method", "mace", "--smoothing", "-1"], "--smoothing must be a number, 0 or more"),
        (["--method", "mace", "--n-restarts", "-1"], "--n-restarts must be a whole number"),
        (["--method", "glad", "--n-restarts", "1"], "--n-restarts is not an option of"),
        (["--method", "median"], "invalid choice: 'median'"),
        (["--coefficient", "pi,kappa"], "--coefficient: aggregate takes one"),
        (["--distance", "interval,ratio"], "--distance: aggregate takes one"),
        (["--rng", "5"], "--rng is not an option of --method majority: pass --method dawid_skene"),
        (["--method", "glad", "--rng", "5"], "--rng is not an option of --method glad"),
        (["--method", "mace", "--rng", "-1"], "--rng must be a whole number, 0 or more"),
        (["--gold", "trut"], "is called 'trut' (did you mean 'truth'?)"),
    ],
)
def test_what_it_refuses(command: Command, table: str, argv: list[str], error: str) -> None:
    assert error in command.error("aggregate", table, *argv)


def crowd(path: Path, n: int = 14) -> str:
    """Items that as many coders judge, who differ on every third; gold decides one tie of two."""
    lines = ["item,coder,label,truth"]
    for i in range(12):
        said = "xy"[i % 2]
        other = "yx"[i % 2]
        half = n // 2 if i < 2 else 2
        for c in range(n):
            lines.append(f"{i},c{c},{other if c < half else said},{'x' if i == 0 else ''}")
    path.write_text("\n".join(lines) + "\n")
    return path.name


def test_all_coders_are_a_table(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = crowd(tmp_path / "crowd.csv")
    text = command.text("aggregate", table, "--table", "coders", "--csv", "coders.csv")
    assert "and 4 more coders (--table coders --csv FILE)" in text
    rows = written("coders.csv")
    document = command.json("aggregate", table)
    assert [row["coder"] for row in rows] == [
        one["coder"] for one in document["aggregations"][0]["coders"]
    ]
    assert len(rows) == 14
    assert float(rows[0]["low"]) == document["aggregations"][0]["coders"][0]["low"]
    command.text("aggregate", table, "--csv", "items.csv")
    assert len(written("items.csv")) == 12


def test_ties_and_confidence_are_said_to_be_of_which_items(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = crowd(tmp_path / "crowd.csv")
    text = one_line(command.text("aggregate", table, "--gold", "truth"))
    assert "12 items: 10 decided by their judgments, 1 gold, 1 tied." in text
    assert "Mean confidence of the items without gold that their judgments decided 0.8571:" in text
    assert "Gold or a model decides some of the items whose own judgments tie" in text
    text = one_line(command.text("aggregate", table))
    assert "Left out: 2 items whose own judgments tie." in text
    assert "Mean confidence 0.8571:" in text
    assert "Plan with the first numbers: they require that other coders" in text
    assert "Plan with" not in one_line(command.text("aggregate", table, "--method", "mace"))


def test_one_item_is_one_item(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.csv").write_text("item,coder,label\n1,a,x\n1,b,x\n")
    assert "1 item: 1 decided by their judgments." in one_line(command.text("aggregate", "one.csv"))
    text = one_line(command.text("codes", "one.csv", "--duplicates", "set"))
    assert "1 code, 1 item with two judgments, 2 coders." in text
    assert "sets: alpha (masi) is undefined (no variation" in text
    text = one_line(command.text("codes", "one.csv", "--duplicates", "set", "--only-coder", "a"))
    assert "1 code, 0 items with two judgments, 1 coder." in text


def test_mace_says_in_its_own_words_that_it_is_too_large(
    command: Command, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = import_module("agreement_fast.models.crowds")
    monkeypatch.setattr(room, "MOST_CELLS", 26)
    error = command.error("aggregate", table, "--method", "mace")
    assert "3 coders and 3 categories are too many for MACE" in error
    assert error.rstrip().endswith("merge categories, select coders, or take --method majority")
    assert "classes" not in error
    monkeypatch.setattr(room, "MOST_CELLS", 27)
    command.text("aggregate", table, "--method", "mace")


def test_one_suspect_is_shown_and_the_others_counted(command: Command, tmp_path: Path) -> None:
    labels = dict.fromkeys("ABCDEF", "xyz") | {"s1": "yzx", "s2": "zxy"}
    rows = [f"{i},{coder},{of[i % 3]}\n" for i in range(40) for coder, of in labels.items()]
    (tmp_path / "crowd.csv").write_text("item,coder,label\n" + "".join(rows))
    answer = command.answer("aggregate", str(tmp_path / "crowd.csv"))
    assert answer.count("agrees with the majority of the others on 0%") == 1
    assert "and 1 more suspect." in answer
    full = command.text("aggregate", str(tmp_path / "crowd.csv"))
    assert full.count("agrees with the majority of the others on 0%") == 2
    assert "more suspect" not in full

"""The command that lists items on which coders differ."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import Command

from agreement_fast.cli import main

ROWS = """\
item,coder,label,what
1,ann,x,the first
1,bob,x,the first
2,ann,x,"the second, longer"
2,bob,y,"the second, longer"
2,eve,z,"the second, longer"
3,ann,y,
3,bob,x,
4,ann,1,the last
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.csv").write_text(ROWS)
    return tmp_path


def test_items_with_what_they_say(command: Command, here: Path) -> None:
    text = command.text("disagreements", "long.csv", "--show", "what")
    assert "2 of the 3 items that two or more judged (66.7%)." in text
    assert "  1.0000  2\n          the second, longer\n          x: ann\n          y: bob\n" in text
    assert text.endswith("  1.0000  3\n          y: ann\n          x: bob\n")
    text = command.text("disagreements", "long.csv", "--limit", "1")
    words = " ".join(text.split())
    assert "The first 1 follow; 1 of the others is as disputed as the last of them." in words
    assert "--csv" not in words
    assert " 3\n" not in text.split("Items on which")[1]


def test_tables_and_documents(command: Command, here: Path, capsys) -> None:
    assert (
        main(["disagreements", "long.csv", "--show", "what", "--include-agreed", "--csv", "-"]) == 0
    )
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["item"] for row in rows] == ["2", "3", "1"]
    assert rows[0] == {
        "rank": "1", "item": "2", "text": "the second, longer", "disagreement": "1.0",
        "share": "0.6", "influence": rows[0]["influence"], "ann": "x", "bob": "y", "eve": "z",
    }  # fmt: skip
    document = command.json("disagreements", "long.csv", "--between", "bob,ann")
    (group,) = document["groups"]
    assert (group["n_judged"], group["n_disputed"]) == (3, 2)
    assert group["items"][0]["judgments"] == [
        {"coder": "bob", "label": "y"}, {"coder": "ann", "label": "x"}
    ]  # fmt: skip


def test_two_labels(command: Command, here: Path) -> None:
    def items(*more: str) -> list[str]:
        document = command.json("disagreements", "long.csv", *more)
        return [one["item"] for group in document["groups"] for one in group["items"]]

    # Item 2 was given a third label, too.
    assert items("--between-labels", "y,x") == ["3"]
    assert items("--between-labels", "x,y", "--between", "ann,bob") == ["2", "3"]
    # Groups that do not have the label have no such items.
    assert items("--between-labels", "x,z", "--by", "item") == []
    assert items("--between-labels", "1,x") == []


SETS = "item,coder,label\n" + "".join(
    f"{item},{coder},{code}\n"
    for item, ann, bob in [(1, "t", "ct"), (2, "t", "c"), (3, "ct", "f"), (4, "f", "t")]
    for coder, codes in (("ann", ann), ("bob", bob))
    for code in codes
)


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    ("labels", "items"),
    [
        ("t,c", ["2"]),
        ("{t},{c}", ["2"]),
        ("{c, t}, {t}", ["1"]),
        ("t,{t,c}", ["1"]),
        ("{f},{t,c}", ["3"]),
    ],
)
def test_two_sets(command: Command, here: Path, labels: str, items: list[str]) -> None:
    (here / "sets.csv").write_text(SETS)
    call = ["disagreements", "sets.csv", "--duplicates", "set", "--between-labels", labels]
    (group,) = command.json(*call)["groups"]
    assert [one["item"] for one in group["items"]] == items
    text = " ".join(command.text(*call).split())
    assert (
        "1 is listed with exactly these two labels. Labels are whole sets: {a} means a and" in text
    )


def test_sets_that_nobody_gave(command: Command, here: Path) -> None:
    (here / "sets.csv").write_text(SETS)
    call = ["disagreements", "sets.csv", "--duplicates", "set", "--between-labels"]
    printed = command.error(*call, "{c,f},t")
    assert "no label '{c,f}'; there are {t}, {c, t}, {c}, {f} (labels are whole sets" in printed
    assert "names one label twice" in command.error(*call, "{t},t")
    assert "must be two different labels" in command.error(*call, "{t")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--limit", "0"], "--limit must be 1 or more, not 0"),
        (["--between", "ann"], "--between must name two coders or more, A,B, not 'ann'"),
        (["--between", "ann,cid"], "there is no coder 'cid'; the coders are 'ann', 'bob', 'eve'"),
        (["--between-labels", "x"], "--between-labels must be two different labels, X,Y, not 'x'"),
        (["--between-labels", "x,w"], "--between-labels: no label 'w'; there are 1, x, y, z"),
        (["--show", "waht"], "no column 'waht' (did you mean 'what'?)"),
        (["--distance", "linear,interval"], "disagreements takes one distance at a time"),
        (["--coefficient", "pi"], "unrecognized arguments"),
        (["--label", "lable"], "no column 'lable'"),
    ],
)
def test_faults(command: Command, here: Path, more: list[str], said: str) -> None:
    assert said in command.error("disagreements", "long.csv", *more)


def test_names_with_a_comma_stand_in_quotes(command: Command, here: Path) -> None:
    (here / "names.csv").write_text('item,coder,label\n1,"Smith, J",x\n1,"Lee, K",y\n1,Kim,y\n')
    call = ["disagreements", "names.csv"]
    for option in ("--between", "--only-coder"):
        printed = command.error(*call, option, "Smith, J,Lee, K")
        assert "no coder 'Smith'" in printed
        written = '"Lee, K","Smith, J"'
        assert "put a name that contains a comma in quotes" in printed
        assert printed.endswith(f"{option} '{written}'")
        (group,) = command.json(*call, option, written)["groups"]
        assert {one["coder"] for one in group["items"][0]["judgments"]} == {"Smith, J", "Lee, K"}
    assert "stands in quotes" not in command.error("disagreements", "long.csv", "--between", "a,b")


def test_one_coder_disputes_nothing(command: Command, here: Path) -> None:
    (here / "one.csv").write_text("item,coder,label\n1,a,x\n2,a,y\n")
    assert "0 of the 0 items that two or more judged." in command.text("disagreements", "one.csv")


def test_texts_of_exports_are_there_unasked(command: Command, here: Path) -> None:
    def judged(label: str, who: int) -> dict:
        value = {"choices": [label]}
        result = [{"value": value, "from_name": "q", "to_name": "t", "type": "choices"}]
        return {"completed_by": who, "result": result}

    task = {
        "id": 7,
        "data": {"text": "What a day!"},
        "annotations": [judged("x", 1), judged("y", 2)],
    }
    (here / "ls.json").write_text(json.dumps([task]))
    assert "What a day!" in command.text("disagreements", "ls.json")
    assert "--show is for tables" in command.error("disagreements", "ls.json", "--show", "text")


def test_what_is_proposed_for_texts_runs(command, here):
    """`--texts` proposes `--show` for a table; an export has its texts without it."""
    table = ("disagreements", "long.csv")
    error = command.error(*table, "--texts", "what")
    assert "write --show what if the file is a table; exports of tools show their texts" in error
    assert command.text(*table, "--show", "what") != command.text(*table)
    result = [{"type": "choices", "from_name": "c", "to_name": "t", "value": {"choices": ["x"]}}]
    other = [{**result[0], "value": {"choices": ["y"]}}]
    said = [{"completed_by": who, "result": one} for who, one in ((1, result), (2, other))]
    task = {"id": 7, "data": {"text": "What a day!"}, "annotations": said}
    (here / "own.json").write_text(json.dumps([task]))
    error = command.error("disagreements", "own.json", "--show", "text")
    assert error.endswith("which has its texts: leave it out")
    assert "What a day!" in command.text("disagreements", "own.json")

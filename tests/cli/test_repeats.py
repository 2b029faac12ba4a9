"""What the commands make of coders who judged an item more than once."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from command import Command

import agreement_fast as af
from agreement_fast.cli import options
from agreement_fast.cli.commands import diagnose, report, subsets
from agreement_fast.files import stream
from agreement_fast.reading.repeats import POLICIES

ROWS = """\
item,coder,label
1,ann,yes
1,ann,no
1,ann,yes
1,bob,yes
2,ann,no
2,ann,yes
2,bob,no
3,ann,no
3,bob,no
"""

ONE_ROW = (
    "--layout wide means one row per item; if items have several rows, such as test and retest,"
    " make the table one judgment per row and name its columns by --item, --coder and --label"
)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(ROWS)
    return "t.csv"


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_option_offers_every_policy() -> None:
    parser = argparse.ArgumentParser()
    options.declare(parser, "rows and labels", options.ROWS, missing=[])
    for policy in POLICIES:
        assert parser.parse_args(["--duplicates", policy]).duplicates == policy
    (offered,) = [a.choices for a in parser._actions if a.dest == "duplicates"]
    assert tuple(offered or ()) == tuple(POLICIES)


def test_majority_counts_ties(command: Command, table: str) -> None:
    document = command.json("report", table, "--duplicates", "majority")
    result = document["reports"][0]
    assert (result["n_items"], result["n_judgments"], result["n_missing"]) == (3, 5, 1)
    assert (result["n_duplicates_dropped"], result["n_duplicates_tied"]) == (3, 1)
    assert result["observed"]["value"] == 1
    assert document["options"]["duplicates"] == "majority"
    text = one_line(command.text("report", table, "--duplicates", "majority"))
    assert "missing: 1, duplicates dropped: 3, tied: 1" in text
    for name in ("report", "subsets", "diagnose"):
        said = one_line(command.text(name, table, "--duplicates", "majority"))
        assert "note 1 tie between the labels that a coder gave an item is missing" in said
        assert "tie between" not in command.text(name, table, "--duplicates", "first")


def test_sets_bring_their_distance(command: Command, table: str) -> None:
    document = command.json("report", table, "--duplicates", "set")
    result = document["reports"][0]
    labels = [category["category"] for category in result["categories"]]
    assert labels == [["no"], ["no", "yes"], ["yes"]]
    rows = {row["distance"]: row for row in result["table"] if row["coefficient"] == "alpha"}
    data = af.Annotations.from_wide(
        [[{"yes", "no"}, {"yes"}], [{"no", "yes"}, {"no"}], [{"no"}, {"no"}]]
    )
    assert rows["masi"]["value"] == pytest.approx(af.alpha(data, "masi").value, rel=1e-12)
    declared = command.json("report", table, "--duplicates", "set", "--categories", "no,yes,other")
    assert declared["reports"] == document["reports"]
    assert "label 'yes' of item '1', coder 'ann' is not among the declared categories" in (
        command.error("report", table, "--duplicates", "set", "--categories", "no")
    )


def test_what_is_said_of_labels_is_not_said_of_sets(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That numbers have an order, and that declaring them makes groups alike."""
    monkeypatch.chdir(tmp_path)
    rows = [(1, 1, "g"), (1, 2, "g"), (2, 3, "g"), (4, 2, "g"), (3, 1, "h")]
    lines = [f"{item},{c},{label},{by}" for item, label, by in rows for c in "pq"]
    (tmp_path / "n.csv").write_text("\n".join(["item,coder,label,by", *lines]))
    argv = ["report", "n.csv", "--by", "by", "--distance", "nominal", "--duplicates"]
    plain, sets = (one_line(command.text(*argv, policy)) for policy in ("first", "set"))
    for said in ("the labels are numbers, but are compared", "--categories makes them the same"):
        assert said in plain
        assert said not in sets


def test_repeats_are_those_of_one_coder(command: Command, table: str) -> None:
    document = command.json("report", table, "--repeats-of", "ann", "--method", "score")
    assert document["options"]["repeats_of"] == "ann"
    assert document["options"]["duplicates"] == "error"
    result = document["reports"][0]
    data = af.Annotations.from_wide(
        [["yes", "no", "yes"], ["no", "yes", None]], coders=["first", "second", "third"]
    )
    assert (result["n_items"], result["n_coders"], result["n_items_judged_once"]) == (2, 3, 1)
    for row in result["table"]:
        expected = af.agreement(data, row["coefficient"])
        assert row["value"] == pytest.approx(expected.value, rel=1e-12)
    for name in ("report", "subsets", "diagnose"):
        text = one_line(command.text(name, table, "--repeats-of", "ann"))
        said = (
            "first, second, ... judgment of 2 items that ann judged more than once; 1 judged once"
        )
        assert said in text.partition("Data")[0]
    assert "(with one judgment: 0, with none: 0, judged once and left out: 1)" in command.text(
        "report", table, "--repeats-of", "ann"
    )


def test_groups_without_repeats_are_empty(command: Command, tmp_path: Path, table: str) -> None:
    document = command.json("report", table, "--repeats-of", "ann", "--by", "item")
    assert [one["n_items"] for one in document["reports"]] == [1, 1, 0]
    assert [one["n_items_judged_once"] for one in document["reports"]] == [0, 0, 1]
    assert [one["n_coders"] for one in document["reports"]] == [3, 2, 2]
    assert "judgment of 2 items that ann" in one_line(
        command.text("report", table, "--repeats-of", "ann", "--by", "item")
    )


def test_the_example_has_an_intra_coder_agreement(command: Command) -> None:
    result = command.json("report", "--example", "--repeats-of", "obs1")["reports"][0]
    assert (result["n_items"], result["n_coders"], result["n_judgments"]) == (45, 3, 135)
    values = {row["coefficient"]: row["value"] for row in result["table"]}
    assert round(values["alpha"], 3) == 0.696
    plain = command.json("report", "--example")
    assert plain["options"]["repeats_of"] is None
    assert plain["options"]["duplicates"] == "first"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--repeats-of", "bob"], "coder 'bob' judged 3 items, each once: --repeats-of compares"
         " several judgments of an item by one coder"),
        (["--repeats-of", "anne"], "there is no coder 'anne' (did you mean 'ann'?); the coders are"
         " 'ann', 'bob'"),
        (["--repeats-of", "zoe"], "there is no coder 'zoe'; the coders are 'ann', 'bob'"),
        (["--repeats-of", "ann", "--duplicates", "first"],
         "--repeats-of and --duplicates exclude each other: repeated judgments are compared, or"
         " become one"),
        (["--repeats-of", "ann", "--layout", "wide"],
         f"--repeats-of goes without --layout wide: {ONE_ROW}"),
        *((["--duplicates", name, "--layout", "wide"],
           f"--duplicates {name} goes without --layout wide: {ONE_ROW}")
          for name in ("first", "last", "majority", "set")),
    ],
)  # fmt: skip
def test_what_is_refused(command: Command, table: str, options: list[str], message: str) -> None:
    for name in (report.NAME, subsets.NAME, diagnose.NAME):
        assert command.error(name, table, *options) == message


DROPPED = """\
item,coder,label
1,A,x
1,A,z
1,B,x
2,A,y
2,B,x
2,B,q
3,A,x
3,B,x
"""


@pytest.mark.few(every=3)
@pytest.mark.parametrize("policy", ["first", "last", "majority"])
def test_parts_of_many_rows_know_the_same_categories(
    command: Command, table: str, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(table).write_text(DROPPED)
    options = ("report", table, "--duplicates", policy, "--coefficient", "s,ac")
    whole = command.json(*options)["reports"][0]
    monkeypatch.setattr(stream, "LARGE", 1)
    monkeypatch.setattr(stream, "LARGE_FILE", 1)
    monkeypatch.setattr(stream, "PART", 2)
    assert command.json(*options)["reports"][0] == whole
    kept = {"first": ["x", "y"], "last": ["q", "x", "y", "z"], "majority": ["x", "y"]}
    assert [one["category"] for one in whole["categories"]] == kept[policy]


def test_labels_and_weights_of_others_are_not_compared(
    command: Command, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(table).write_text(
        "item,coder,label,w\n1,A,x,2\n1,A,y,2\n1,B,z,3\n2,A,q,1\n2,B,z,4\n3,A,x,1\n3,A,x,1\n"
    )
    options = ("report", table, "--repeats-of", "A", "--categories", "x,y,w", "--weights", "w")
    whole = command.json(*options)["reports"][0]
    assert (whole["n_items"], len(whole["categories"])) == (3, 3)
    monkeypatch.setattr(stream, "LARGE", 1)
    monkeypatch.setattr(stream, "LARGE_FILE", 1)
    assert command.json(*options)["reports"][0] == whole

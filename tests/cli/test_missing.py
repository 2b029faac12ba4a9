"""The command that counts why judgments are missing."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command import Command

import agreement_fast as af
from agreement_fast.cli import main
from agreement_fast.diagnostics import missing_judgments

ROWS = [
    ("1", "1", "2", "n/a"), ("2", "2", "2", "abstain"), ("3", "1", "1", "1"),
    ("4", "abstain", "2", ""), ("5", "1", "1", "3"),
]  # fmt: skip
CALL = ["missing", "m.csv", "--state", "n/a=not applicable", "--state", "abstain"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "text,a,b,c\n" + "".join(",".join(row) + "\n" for row in ROWS)
    (tmp_path / "m.csv").write_text(text)
    long = [(i, c, x) for i, *cells in ROWS for c, x in zip("abc", cells, strict=True) if x]
    lines = ["text,coder,label,half"] + [f"{i},{c},{x},{int(i) // 4}" for i, c, x in long]
    (tmp_path / "long.csv").write_text("\n".join(lines) + "\n")


def expected(**options):
    table = [
        [int(x) if x.isdigit() else None if x == "" else x for x in cells] for _, *cells in ROWS
    ]
    data = af.Annotations.from_wide(table, coders=list("abc"), items=[row[0] for row in ROWS])
    state = {"n/a": "not applicable", "abstain": "missing"}
    return missing_judgments(data, state, **options)


@pytest.mark.parametrize("file", ["m.csv", "long.csv"])
@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_the_numbers_are_those_of_python(command: Command, file, distance) -> None:
    call = ["missing", file, *CALL[2:], "--distance", distance]
    (outcome,) = command.json(*call)["results"]
    result = expected(distance=distance)
    for name in ("value", "low", "high", "least", "largest", "n_missing", "certainty"):
        value = getattr(result, name)
        assert outcome[name] == (pytest.approx(value) if isinstance(value, float) else value)
    assert [row["n"] for row in outcome["coders"]] == result.coders.to_dict()["n"]
    assert outcome["states"][0]["policy"] == "not applicable"


def test_the_answer_says_what_the_missing_could_do(command: Command) -> None:
    text = command.answer(*CALL)
    result = expected()
    words = " ".join(text.split())
    assert f"it lies between {result.least:.4f} and {result.largest:.4f}" in words
    assert "may mean a missing judgment" not in words  # what is named a state is no doubt


def test_empty_cells_are_missing_without_states(command: Command) -> None:
    (result,) = command.json("missing", "m.csv")["results"]
    assert result["states"] == [
        {"state": None, "policy": "missing", "n": 1, "share": pytest.approx(1 / 15),
         "low": pytest.approx(result["states"][0]["low"]),
         "high": pytest.approx(result["states"][0]["high"]), "n_items": 1, "n_coders": 1}
    ]  # fmt: skip
    both = command.json(*CALL, "--empty-cells", "item")["results"][0]
    assert {row["state"]: row["policy"] for row in both["states"]}[None] == "item"


@pytest.mark.parametrize("table", ["scenarios", "states", "coders", "items"])
def test_each_table_is_written(table, capsys) -> None:
    assert main([*CALL, "--csv", "-", "--table", table]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == list(getattr(expected(), table).to_dict())
    assert len(rows) == len(getattr(expected(), table))


def test_groups_may_lack_a_state(command: Command) -> None:
    first, second = command.json("missing", "long.csv", *CALL[2:], "--by", "half")["results"]
    assert [row["state"] for row in first["states"]] == ["n/a", "abstain"]
    assert [row["state"] for row in second["states"]] == ["abstain"]


def test_a_threshold_on_the_least_value(capsys) -> None:
    assert main([*CALL, "--fail-under", "least=-1"]) == 0
    assert main([*CALL, "--fail-under", "least=0.9"]) == 1
    assert "least (nominal) = " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--state", "gone"], "--state: 'gone' is no label of these data; the labels are"),
        (["--state", "n/a=gone"], "--state must be 'missing', 'not applicable', 'label' or 'item'"),
        (["--empty-cells", "label"], "an empty cell is no label"),
        (["--coefficient", "pi,alpha"], "takes one coefficient at a time"),
    ],
)
def test_what_is_wrong_is_one_line(more, message, capsys) -> None:
    assert main(["missing", "m.csv", *more]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1

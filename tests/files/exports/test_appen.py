"""Appen's full report: judgments of workers, test questions and tainted ones out."""

from __future__ import annotations

from pathlib import Path

import pytest
from damage import blots, csv_changes, cuts, refused
from exported import judgments, read

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

REPORT = """\
_unit_id,_created_at,_golden,_id,_missed,_started_at,_tainted,_channel,_trust,_worker_id,reasons,tone,orig__golden,tone_gold,text
1,1/1/2020,false,10,,1/1/2020,false,elite,0.9,w1,"late
rude",neg,,,The flight
1,1/1/2020,false,11,,1/1/2020,false,elite,0.8,w2,late,neg,,,The flight
1,1/1/2020,false,12,,1/1/2020,true,elite,0.2,w3,"x
y",pos,,,The flight
2,1/1/2020,false,13,,1/1/2020,FALSE,elite,0.9,w1,,pos,,,Thanks
2,1/1/2020,false,14,,1/1/2020,false,elite,0.9,w2,,,,,Thanks
3,1/1/2020,true,15,,1/1/2020,false,elite,0.9,w1,,pos,true,pos,Great
"""


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "f123.csv"
    path.write_text(content, encoding="utf-8")
    return path


def test_judgments_that_count(tmp_path: Path) -> None:
    export = read(write(tmp_path, REPORT))
    assert export.tool.name == "appen"
    assert export.questions == ("reasons", "tone")
    assert judgments(export.table("tone")) == {
        ("1", "w1"): "neg", ("1", "w2"): "neg", ("2", "w1"): "pos", ("2", "w2"): None,
    }  # fmt: skip
    assert judgments(export.table("reasons")) == {
        ("1", "w1"): frozenset({"late", "rude"}), ("1", "w2"): frozenset({"late"}),
        ("2", "w1"): None, ("2", "w2"): None,
    }  # fmt: skip
    assert export.contents.left_out == {"tainted judgments": 1, "judgments of test questions": 1}
    assert any(note.endswith("not as questions: 'text'") for note in export.notes())
    assert any(note.endswith("several choices: 'reasons'") for note in export.notes())


def test_no_choice_may_count(tmp_path: Path) -> None:
    export = read(write(tmp_path, REPORT), count_empty=True)
    assert judgments(export.table("reasons"))["2", "w1"] == frozenset()
    assert judgments(export.table("tone"))["2", "w2"] is None


def test_a_report_without_gold(tmp_path: Path) -> None:
    plain = "_unit_id,_worker_id,tone,text\n1,w1,neg,A\n1,w2,pos,A\n2,w1,pos,B\n2,w2,pos,B\n"
    export = read(write(tmp_path, plain))
    assert export.questions == ("tone",)
    # With gold answers a question is one even if all agree on it.
    gold = "_unit_id,_worker_id,tone,tone_gold\n1,w1,neg,\n1,w2,neg,\n"
    assert read(write(tmp_path, gold)).questions == ("tone",)


def test_the_coefficient_is_that_of_the_judgments(tmp_path: Path) -> None:
    votes = ["yynnynyy", "ynnnynny"]
    rows = "".join(f"{i},w{k},{v}\n" for k in (0, 1) for i, v in enumerate(votes[k]))
    result = read(write(tmp_path, "_unit_id,_worker_id,vote\n" + rows)).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["v"] * 8 + ["w"] * 8, list("".join(votes))
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (REPORT.replace("FALSE", "no"), "record 4: '_tainted' must be true or false, got 'no'"),
        (REPORT.replace(",w2,", ",,", 1), "record 2: '_worker_id' is empty"),
        (REPORT.replace("\n2,", "\n,", 1), "record 4: '_unit_id' is empty"),
        (REPORT.replace("_worker_id", "worker"), "no column '_worker_id'"),
        (REPORT + "4,x\n", "expected 15 cells, got 2"),
        ("_unit_id,_worker_id,tone\n1,a,x\n", "holds no judgments"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write(tmp_path, content), format="appen").table()
    assert "f123.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "f123.csv"
    good = 0
    for content in (*cuts(REPORT.encode()), *blots(REPORT.encode())):
        path.write_bytes(content)
        good += refused(path, format="appen") is None
    for text in csv_changes(REPORT):
        path.write_text(text, encoding="utf-8")
        good += refused(path, format="appen") is None
    assert good > 100


@pytest.mark.parametrize(
    "content",
    [
        "",
        "item,coder,label\n1,a,x\n",
        "_unit_id,_golden,_unit_state,_trusted_judgments,tone,tone:confidence\n1,false,done,3,x,1\n",
    ],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    assert find_tool(Bundle.of([str(write(tmp_path, content))]), None) is None

"""Batch results of Mechanical Turk: assignments, answers in columns and in JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from damage import blots, changed, csv_changes, cuts, refused
from exported import judgments, read, units

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

FIRST = ("HITId", "HITTypeId", "Title", "AssignmentId", "WorkerId", "AssignmentStatus")


def batch(columns: Sequence[str], *rows: tuple[str, str, str, Sequence[Any]]) -> str:
    """Write a batch: HIT, worker, status, and what stands in the columns."""
    stream = io.StringIO()
    lines = csv.writer(stream)
    lines.writerow([*FIRST, *columns, "Approve", "Reject"])
    for number, (hit, worker, status, cells) in enumerate(rows):
        lines.writerow([hit, "T", "Label it", f"A{number}", worker, status, *cells, "", ""])
    return stream.getvalue()


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "batch.csv"
    path.write_text(content, encoding="utf-8")
    return path


COLUMNS = ("Input.text", "Answer.tone", "Answer.topics", "Answer.kind.ad", "Answer.kind.news",
           "Answer.sure.on", "Answer.why.not")  # fmt: skip
PLAIN = batch(
    COLUMNS,
    ("h1", "w1", "Approved", ["one", "pos", "a|b", "true", "false", "true", "because"]),
    ("h1", "w2", "Submitted", ["one", "neg", "b", "true", "TRUE", "false", ""]),
    ("h2", "w1", "Approved", ["two", "", "", "", "", "", ""]),
    ("h2", "w3", "Rejected", ["two", "pos", "a", "true", "true", "true", "x"]),
    ("h3", "", "", ["two", "", "", "", "", "", ""]),
    ("h4", "w2", "Approved", ["two", " pos ", "|", "false", "false", "", ""]),
)


def test_answers_in_columns(tmp_path: Path) -> None:
    export = read(write(tmp_path, PLAIN))
    assert export.tool.name == "mturk"
    assert export.questions == ("tone", "topics", "kind", "sure", "why.not")
    keys = [("h1", "w1"), ("h1", "w2"), ("h2", "w1"), ("h4", "w2")]

    def result(question: str) -> list[Any]:
        return [judgments(export.table(question))[key] for key in keys]

    assert result("tone") == ["pos", "neg", None, "pos"]
    assert result("topics") == [frozenset("ab"), frozenset("b"), None, frozenset()]
    assert result("kind") == [frozenset({"ad"}), frozenset({"ad", "news"}), None, frozenset()]
    assert result("sure") == [True, False, None, None]
    assert result("why.not") == ["because", None, None, None]
    assert export.contents.left_out == {"rejected assignments": 1, "HITs without an assignment": 1}
    assert any("--item-from Input.text" in note for note in export.notes())
    assert any("'Answer.topics'" in note for note in export.notes())


def test_inputs_can_be_items(tmp_path: Path) -> None:
    export = read(write(tmp_path, PLAIN), item_from="Input.text")
    assert set(judgments(export.table("tone"))) == {
        ("one", "w1"), ("one", "w2"), ("two", "w1"), ("two", "w2"),
    }  # fmt: skip
    assert not any("--item-from" in note for note in export.notes())
    with pytest.raises(ReadError, match=r"must be a column of .*'Input.text'.*, got 'text'"):
        read(write(tmp_path, PLAIN), item_from="text")


ENTITY = {"startOffset": 0, "endOffset": 3, "label": "ORG"}
TASKS = [
    {"category": {"label": "x"}, "multi": {"labels": ["a", "b"]},
     "tone": {"pos": True, "neg": False}, "score": 3, "note": "",
     "box": {"boundingBoxes": []}, "ner": {"entities": [ENTITY]}, "ok": {"on": True}},
    {"category": {"label": "y"}, "multi": {"labels": []}, "tone": {"pos": False, "neg": True},
     "score": 4, "note": "fine", "box": {"boundingBoxes": []}, "ner": {"entities": []},
     "ok": {"on": False}},
]  # fmt: skip


def with_tasks(*tasks: Any) -> str:
    """Write one HIT with these answers, a worker each."""
    return batch(
        ("Input.text", "Answer.taskAnswers"),
        *(("h1", f"w{n}", "Approved", ["one", json.dumps(task)]) for n, task in enumerate(tasks)),
    )


def test_answers_in_json(tmp_path: Path) -> None:
    export = read(write(tmp_path, with_tasks([TASKS[0]], TASKS[1])))
    assert export.questions == ("category", "multi", "tone", "score", "note", "ok", "ner")

    def result(question: str) -> list[Any]:
        answers = export.contents.answers[question]
        return [None if code < 0 else answers.labels.values[code] for code in answers.label]

    assert result("category") == ["x", "y"]
    assert result("multi") == [frozenset("ab"), frozenset()]
    assert result("tone") == [frozenset({"pos"}), frozenset({"neg"})]
    assert result("score") == [3, 4]
    assert result("note") == [None, "fine"]
    assert result("ok") == [True, False]
    # One choice each: the core makes single labels of them.
    assert list(judgments(export.table("tone")).values()) == ["pos", "neg"]
    assert units(export, "ner") == [("h1", "w0", 0, 3, "ORG")]
    assert export.units("ner").everyone == ("w0", "w1")
    assert export.contents.left_out == {"answers of an unknown kind (boundingBoxes)": 2}


SEVERAL = batch(
    ("Input.id1", "Input.id2", "Answer.q1", "Answer.q2", "Answer.remark"),
    ("h1", "w1", "Approved", ["a", "b", "yes", "no", "hm"]),
    ("h1", "w2", "Approved", ["a", "b", "no", "", ""]),
    ("h2", "w1", "Approved", ["c", "", "yes", "yes", ""]),
)


def test_several_items_in_a_hit(tmp_path: Path) -> None:
    export = read(write(tmp_path, SEVERAL))
    assert export.questions == ("q", "remark")
    assert judgments(export.table("q")) == {
        ("a", "w1"): "yes", ("b", "w1"): "no", ("a", "w2"): "no", ("b", "w2"): None,
        ("c", "w1"): "yes",
    }  # fmt: skip
    assert judgments(export.table("remark"))["h1", "w1"] == "hm"
    assert export.contents.left_out == {"answers without an item": 1}


def test_several_items_that_are_not_certain_stay_questions(tmp_path: Path) -> None:
    columns = ("Input.id1", "Input.id2", "Input.text1", "Input.text2", "Answer.q1", "Answer.q2")
    content = batch(columns, ("h1", "w1", "Approved", ["a", "b", "A", "B", "yes", "no"]))
    export = read(write(tmp_path, content))
    assert export.questions == ("q1", "q2")
    assert any("--item-from 'Input.id' or 'Input.text'" in note for note in export.notes())
    named = read(write(tmp_path, content), item_from="Input.text")
    assert judgments(named.table("q")) == {("A", "w1"): "yes", ("B", "w1"): "no"}
    # Three answers about two inputs are no pairs.
    odd = batch(("Input.id1", "Input.id2", "Answer.q1", "Answer.q2", "Answer.q3"),
                ("h1", "w1", "Approved", ["a", "b", "1", "2", "3"]))  # fmt: skip
    export = read(write(tmp_path, odd))
    assert export.questions == ("q1", "q2", "q3")
    assert not any("items" in note for note in export.notes())


def test_the_coefficient_is_that_of_the_answers(tmp_path: Path) -> None:
    votes = ["yynnynyy", "ynnnynny"]
    rows = [(f"h{i}", f"w{k}", "Approved", [v]) for k in (0, 1) for i, v in enumerate(votes[k])]
    result = read(write(tmp_path, batch(("Answer.vote",), *rows))).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["v"] * 8 + ["w"] * 8, list("".join(votes))
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (with_tasks([1]), "record 1: Answer.taskAnswers must hold objects, got '1'"),
        (with_tasks({}).replace("{}", "{x"), "record 1: Answer.taskAnswers is not JSON"),
        (with_tasks({}).replace("{}", "[" * 100_000), "Answer.taskAnswers is not JSON"),
        (with_tasks({"n": {"entities": [{}]}}), "'n': there is no key 'startOffset'"),
        (with_tasks({"n": {"entities": 3}}), "an entity must be an object, got '3'"),
        (PLAIN.replace("h1", "", 1), "record 1: 'HITId' is empty"),
        (PLAIN.replace("WorkerId", "Worker"), "no column 'WorkerId'"),
        (PLAIN + "x,y\n", "expected 15 cells, got 2"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write(tmp_path, content), format="mturk")
    assert "batch.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    good = 0
    for whole in (PLAIN, with_tasks(*TASKS), SEVERAL):
        for content in (*cuts(whole.encode(), 40), *blots(whole.encode(), 40)):
            path.write_bytes(content)
            good += refused(path, format="mturk") is None
        for text in csv_changes(whole):
            path.write_text(text, encoding="utf-8")
            good += refused(path, format="mturk") is None
    for task in changed(TASKS[0], every=6):
        path.write_text(with_tasks(task))
        good += refused(path, format="mturk") is None
    assert good > 100


@pytest.mark.parametrize(
    "content",
    ["", "item,coder,label\n1,a,x\n", "HITId,WorkerId,label\n1,2,x\n", "WorkerId,Answer.x\n1,2\n"],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    assert find_tool(Bundle.of([str(write(tmp_path, content))]), None) is None

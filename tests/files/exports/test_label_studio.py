"""Exports of Label Studio: what is taken for what."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from exported import judgments, read, write_zip
from label_studio_exports import (
    ANN,
    EVERYTHING,
    annotation,
    choice,
    result,
    span,
    task,
    written,
)

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports import typed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.json"


def test_choices_of_two_coders(path: Path) -> None:
    export = read(
        written(
            path,
            task(1, annotation(1, choice("pro")), annotation(2, choice("con"))),
            task(2, annotation(1, choice("pro")), annotation(2, choice("pro"))),
        )
    )
    assert export.tool.title == "Label Studio"
    assert export.questions == ("stance",)
    table = export.table()
    assert judgments(table) == {
        ("1", "1"): "pro", ("1", "2"): "con", ("2", "1"): "pro", ("2", "2"): "pro"
    }  # fmt: skip
    assert table.source.notes == ("no answer has several choices: labels are single, not sets",)


def test_several_choices_are_sets_also_where_one_is_chosen(path: Path) -> None:
    export = read(
        written(
            path,
            task(1, annotation(1, choice("a", "b")), annotation(2, choice("b"))),
            # A result for each choice, as some programs write it.
            task(2, annotation(1, choice("b"), choice("a")), annotation(2, choice())),
        )
    )
    assert judgments(export.table()) == {
        ("1", "1"): frozenset("ab"),
        ("1", "2"): frozenset("b"),
        ("2", "1"): frozenset("ab"),
        ("2", "2"): frozenset(),
    }


def test_one_of_several_questions_must_be_chosen(path: Path) -> None:
    export = read(written(path, EVERYTHING))
    assert {name: one.kind for name, one in export.contents.questions.items()} == {
        "stance": "choices",
        "topic": "taxonomy",
        "stars": "rating",
        "count": "number",
        "better": "pairwise",
        "when": "datetime",
        "box": "labels of rectangles, as a set",
        "ner": "spans",
    }
    who = ("7", "ann@x.org")
    assert judgments(export.table("stance")) == {who: "pro"}
    assert judgments(export.table("topic")) == {who: frozenset({"art", "art / film"})}
    assert judgments(export.table("stars")) == {who: 4}
    assert judgments(export.table("count")) == {who: 2.5}
    assert judgments(export.table("better")) == {who: "left"}
    assert judgments(export.table("when")) == {who: "2024-01-02"}
    # Who drew none saw none.
    assert judgments(export.table("box")) == {who: frozenset({"car"}), ("7", "2"): frozenset()}
    assert export.units("ner").everyone == ("ann@x.org", "2")
    assert export.contents.left_out == {
        "text areas": 1,
        "brush strokes": 1,
        "keypoints": 1,
        "results of type 'magic'": 1,
        "relations": 1,
        **{
            f"annotations without an answer to '{name}'": 1
            for name in ("stance", "topic", "stars", "count", "better", "when")
        },
    }
    assert any("rectangles" in note for note in export.contents.notes)
    with pytest.raises(ReadError, match="has 8 questions, and one must be chosen"):
        export.table()


def test_a_question_with_two_kinds_is_two(path: Path) -> None:
    stars = result("rating", "stance", {"rating": 3})
    export = read(written(path, task(1, annotation(1, choice("pro")), annotation(2, stars))))
    assert export.questions == ("stance", "stance (rating)")


def test_an_empty_answer_counts_on_request(path: Path) -> None:
    written(
        path,
        task(1, annotation(1), annotation(2, choice("a"))),
        task(2, annotation(1, choice("a")), annotation(2)),
    )
    export = read(path)
    assert judgments(export.table()) == {("1", "2"): "a", ("2", "1"): "a"}
    assert export.contents.left_out == {"annotations without an answer to 'stance'": 2}
    export = read(path, count_empty=True)
    assert judgments(export.table()) == {
        ("1", "1"): frozenset(),
        ("1", "2"): frozenset("a"),
        ("2", "1"): frozenset("a"),
        ("2", "2"): frozenset(),
    }
    assert not export.contents.left_out


def test_an_unanswered_question_of_a_prediction_is_not_an_empty_answer(path: Path) -> None:
    """A model that answered another question may not have been asked this one."""
    one = task(
        1,
        annotation(1, choice("a"), choice("k", name="kind")),
        predictions=[{"model_version": "m", "result": [choice("k", name="kind")]}],
    )
    export = read(written(path, one), count_empty=True, with_predictions=True)
    assert judgments(export.table("stance")) == {("1", "1"): "a"}
    assert judgments(export.table("kind")) == {("1", "1"): "k", ("1", "prediction: m"): "k"}


def test_skipped_tasks_are_missing(path: Path) -> None:
    written(
        path,
        task(1, annotation(1, was_cancelled=True), annotation(2, choice("a"))),
        task(2, annotation(1, choice("a")), annotation(2, choice("b"), was_cancelled=True)),
        task(3, annotation(1, choice("a")), annotation(2, choice("a"))),
    )
    export = read(path)
    expected = {
        ("1", "1"): None, ("1", "2"): "a", ("2", "1"): "a", ("2", "2"): None,
        ("3", "1"): "a", ("3", "2"): "a",
    }  # fmt: skip
    assert judgments(export.table()) == expected
    assert export.contents.left_out == {"cancelled annotations": 2}
    skipped = {who: label or "skipped" for who, label in expected.items()}
    assert judgments(read(path, count_skips=True).table()) == skipped
    # A skipped document is not one without spans.
    written(path, task(1, annotation(1, was_cancelled=True), annotation(2, span(0, 4, "N"))))
    assert read(path).units(None).everyone == ("2",)


def test_older_exports(path: Path) -> None:
    path.write_text(
        json.dumps(
            [
                {
                    "id": 1,
                    "data": {"text": "x"},
                    "completions": [
                        {"completed_by": 1, "created_at": 1609789589, "result": [choice("a")]},
                        {"completed_by": 2, "skipped": True, "result": []},
                        {"created_username": "eve", "result": [choice("b")]},
                    ],
                }
            ]
        )
    )
    assert judgments(read(path).table()) == {("1", "1"): "a", ("1", "2"): None, ("1", "eve"): "b"}


def test_ground_truth_predictions_and_drafts(path: Path) -> None:
    one = task(
        1,
        annotation(1, choice("a")),
        annotation(1, choice("b"), ground_truth=True),
        predictions=[
            {"model_version": "m1", "result": [choice("c")]},
            {"model_version": None, "result": [choice("d")]},
            17,
        ],
        drafts=[{"result": [choice("e")]}],
    )
    export = read(written(path, one))
    assert judgments(export.table()) == {("1", "1"): "a"}
    assert export.contents.left_out == {
        "ground truth annotations": 1,
        "predictions": 3,
        "drafts": 1,
    }
    export = read(path, with_curation=True, with_predictions=True)
    assert judgments(export.table()) == {
        ("1", "1"): "a",
        ("1", "ground truth"): "b",
        ("1", "prediction: m1"): "c",
        ("1", "prediction"): "d",
    }
    assert export.contents.left_out == {
        "predictions that the export only counts": 1,
        "drafts": 1,
    }


def test_reviewed_annotations_are_said(path: Path) -> None:
    written(
        path,
        task(1, annotation(1, choice("a"), last_action="rejected")),
        task(2, annotation(1, choice("a"), last_action="fixed_and_accepted")),
    )
    export = read(path)
    assert len(judgments(export.table())) == 2
    assert export.contents.notes == [
        "1 annotations were rejected by a reviewer: they are kept",
        "1 annotations were changed by a reviewer: the coder's own answers are not in the export",
    ]


@pytest.mark.parametrize(
    ("first", "second", "labels"),
    [
        ("2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z", ["new", "old"]),
        ("2024-01-01T00:00:00Z", "2024-01-01T01:00:00.5+02:00", ["new", "old"]),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", ["old", "new"]),
        ("2024-01-01", "2024-01-02", ["old", "new"]),
        (1609789589, 1609789588, ["new", "old"]),
        (None, "2024-01-01", ["old", "new"]),
        ("soon", 5, ["old", "new"]),
    ],
)
def test_repeated_annotations_come_in_the_order_of_time(
    path: Path, first: Any, second: Any, labels: list[str]
) -> None:
    written(
        path,
        task(
            1,
            annotation(1, choice("old"), created_at=first),
            annotation(2, choice("b"), created_at="2020-01-01"),
            annotation(1, choice("new"), created_at=second),
        ),
        task(2, annotation(1, choice("c")), annotation(2, choice("d"))),
    )
    table = read(path).table()
    coders, outcome = table.coders.decode().tolist(), table.labels.decode().tolist()
    assert [label for coder, label in zip(coders, outcome, strict=True) if coder == "1"] == [
        *labels,
        "c",
    ]
    assert [label for coder, label in zip(coders, outcome, strict=True) if coder == "2"] == [
        "b",
        "d",
    ]


def test_times_without_a_zone_are_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        outcome = [
            typed.moment("2024-01-01"),
            typed.moment("2024-01-01T00:00Z"),
            typed.moment("2024-01-01T09:00+09"),
        ]
    time.tzset()
    assert outcome == [1704067200.0] * 3


# -- several files, and what is an item


def test_projects_of_one_coder_each(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    for name, first in (("ann", 10), ("ben", 20)):
        written(
            tmp_path / "p" / f"{name}.json",
            *(
                task(first + n, annotation(None, choice("a")), text=f"text {n}", inner_id=n)
                for n in (1, 2)
            ),
        )
    with pytest.raises(ReadError, match="it does not name the annotator: pass --coder-from file"):
        read(tmp_path / "p")
    expected = {(n, coder): "a" for coder in ("ann", "ben") for n in ("text 1", "text 2")}
    export = read(tmp_path / "p", coder_from="file", item_from="text")
    assert judgments(export.table()) == expected
    export = read(tmp_path / "p", coder_from="file", item_from="inner_id")
    assert len(judgments(export.table())) == 4


def test_a_note_says_that_an_option_combines_several_people(tmp_path: Path) -> None:
    for name, coders in (("a", (1, 2, 3)), ("b", (4,))):
        some = [annotation(coder, choice("pro")) for coder in coders]
        written(tmp_path / f"{name}.json", task(1, *some))
    export = read(tmp_path / "a.json", tmp_path / "b.json", coder_from="file")
    assert export.contents.notes == [
        "coder 'a' is 3 people in the export, whom --coder-from combines: leave it out to"
        " compare them"
    ]


def test_files_that_overlap(tmp_path: Path) -> None:
    a = annotation(1, choice("a"), id=5, created_at="2024-01-01")
    b = annotation(2, choice("b"), id=6, created_at="2024-01-01")
    first = written(tmp_path / "1.json", task(1, a))
    second = written(tmp_path / "2.json", task(1, a, b))
    export = read(first, second)
    assert judgments(export.table()) == {("1", "1"): "a", ("1", "2"): "b"}
    assert export.contents.left_out == {"annotations that are also in another file": 1}
    archive = write_zip(
        tmp_path / "e.zip", {path.name: path.read_text() for path in (first, second)}
    )
    assert judgments(read(archive).table()) == judgments(export.table())
    other = written(tmp_path / "3.json", task(1, b, text="another text"))
    with pytest.raises(ReadError, match=r"3\.json', task 1: another file has different data under"):
        read(first, other)


def test_one_person_has_one_name(tmp_path: Path) -> None:
    first = written(tmp_path / "1.json", task(1, annotation(1, choice("a"))))
    second = written(tmp_path / "2.json", task(2, annotation(ANN, choice("a"))))
    with pytest.raises(ReadError, match=r"coder 1 is called '1' and 'ann@x\.org'"):
        read(first, second)


def test_files_of_a_storage(tmp_path: Path) -> None:
    folder = tmp_path / "target"
    folder.mkdir()
    for number, label in enumerate("ab", 1):
        one = {**annotation(number, choice(label), id=number), "task": {"id": 1, "data": {"t": ""}}}
        (folder / str(number)).write_text(json.dumps(one))
    assert judgments(read(folder).table()) == {("1", "1"): "a", ("1", "2"): "b"}


# -- the coefficient


def test_the_coefficient_is_that_of_data_typed_in(path: Path) -> None:
    typed = {"ann": "aabbcaab", "ben": "aabccaba", "eve": "ab bc ab"}
    tasks = [
        task(
            n,
            *(
                annotation(who, choice(labels[n]), was_cancelled=labels[n] == " ")
                for who, labels in typed.items()
            ),
        )
        for n in range(8)
    ]
    table = read(written(path, *tasks)).table()
    columns = (one.decode() for one in (table.items, table.coders, table.labels))
    outcome = af.alpha(af.Annotations.from_long(*columns))
    wide = [
        [None if label == " " else label for label in row]
        for row in zip(*typed.values(), strict=True)
    ]
    assert outcome.value == pytest.approx(af.alpha(wide).value, abs=1e-12)
    assert 0.3 < outcome.value < 0.9

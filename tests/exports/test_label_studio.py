"""Exports of Label Studio: what is taken for what, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from exported import judgments, read, units, write_lines, write_zip
from exports_damaged import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.export import find_tool
from agreement_fast.exports.tools.label_studio import LabelStudio
from agreement_fast.exports.tools.record_fields import moment
from agreement_fast.files.errors import ReadError

ANN = {"id": 1, "email": "ann@x.org", "first_name": "", "last_name": ""}


def result(kind: str, name: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One result of an annotation."""
    return {"type": kind, "from_name": name, "to_name": "text", "value": value, **more}


def choice(*choices: str, name: str = "stance", **more: Any) -> dict[str, Any]:
    return result("choices", name, {"choices": list(choices)}, **more)


def span(start: int, end: int, label: str, text: str = "", **more: Any) -> dict[str, Any]:
    value: dict[str, Any] = {"start": start, "end": end, "labels": [label]}
    return result("labels", "ner", value | ({"text": text} if text else {}), **more)


def annotation(coder: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"completed_by": coder, "result": list(results), "was_cancelled": False, **more}


def task(number: int, *annotations: dict[str, Any], text: str = "some text", **more: Any) -> Any:
    return {"id": number, "data": {"text": text}, "annotations": list(annotations), **more}


def written(path: Path, *tasks: Any) -> Path:
    path.write_text(json.dumps(list(tasks)), encoding="utf-8")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.json"


# -- answers


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


EVERYTHING = task(
    7,
    annotation(
        ANN,
        choice("pro"),
        result("taxonomy", "topic", {"taxonomy": [["art"], ["art", "film"]]}),
        result("rating", "stars", {"rating": 4}),
        result("number", "count", {"number": 2.5}),
        result("pairwise", "better", {"selected": "left"}),
        result("datetime", "when", {"datetime": "2024-01-02"}),
        result("textarea", "why", {"text": ["because"]}),
        result("brushlabels", "brush", {"rle": [1], "format": "rle", "brushlabels": ["x"]}),
        result("keypointlabels", "point", {"x": 1, "y": 2, "keypointlabels": ["x"]}),
        result("magic", "wand", {"magic": 1}),
        {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"},
        result("rectanglelabels", "box", {"x": 1, "y": 2, "rectanglelabels": ["car"]}),
        result("rectanglelabels", "box", {"x": 5, "y": 2, "rectanglelabels": ["car"]}),
        span(0, 4, "N"),
    ),
    annotation({"id": 2, "email": ""}),
)


def test_questions_are_never_pooled(path: Path) -> None:
    export = read(written(path, EVERYTHING))
    assert {name: one.kind for name, one in export.found.questions.items()} == {
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
    assert export.found.paths == {"art": ("art",), "art / film": ("art", "film")}
    assert judgments(export.table("stars")) == {who: 4}
    assert judgments(export.table("count")) == {who: 2.5}
    assert judgments(export.table("better")) == {who: "left"}
    assert judgments(export.table("when")) == {who: "2024-01-02"}
    # Who drew none saw none.
    assert judgments(export.table("box")) == {who: frozenset({"car"}), ("7", "2"): frozenset()}
    assert export.units("ner").everyone == ("ann@x.org", "2")
    assert export.found.left_out == {
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
    assert any("rectangles" in note for note in export.found.notes)
    with pytest.raises(ReadError, match="asks 8 questions, which are never pooled"):
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
    assert export.found.left_out == {"annotations without an answer to 'stance'": 2}
    export = read(path, count_empty=True)
    assert judgments(export.table()) == {
        ("1", "1"): frozenset(),
        ("1", "2"): frozenset("a"),
        ("2", "1"): frozenset("a"),
        ("2", "2"): frozenset(),
    }
    assert not export.found.left_out


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
    assert export.found.left_out == {"cancelled annotations": 2}
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
    assert export.found.left_out == {"ground truth annotations": 1, "predictions": 3, "drafts": 1}
    export = read(path, with_curation=True, with_predictions=True)
    assert judgments(export.table()) == {
        ("1", "1"): "a",
        ("1", "ground truth"): "b",
        ("1", "prediction: m1"): "c",
        ("1", "prediction"): "d",
    }
    assert export.found.left_out == {
        "predictions of which the export has only the number": 1,
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
    assert export.found.notes == [
        "1 annotations were rejected by a reviewer: they are kept",
        "1 annotations were changed by a reviewer: what the coder had said is not in the export",
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
    coders, found = table.coders.decode().tolist(), table.labels.decode().tolist()
    assert [label for coder, label in zip(coders, found, strict=True) if coder == "1"] == [
        *labels,
        "c",
    ]
    assert [label for coder, label in zip(coders, found, strict=True) if coder == "2"] == ["b", "d"]


def test_times_without_a_zone_are_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        found = [moment("2024-01-01"), moment("2024-01-01T00:00Z"), moment("2024-01-01T09:00+09")]
    time.tzset()
    assert found == [1704067200.0] * 3


# -- spans


def test_spans(path: Path) -> None:
    text = "Ann met Ben in Bonn."
    html = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3}
    export = read(
        written(
            path,
            task(
                1,
                annotation(1, span(0, 3, "PER", "Ann"), span(15, 19, "LOC", "Bonn")),
                annotation(
                    2,
                    result(
                        "labels", "ner", {"start": 0, "end": 3, "text": "Ann", "labels": ["A", "B"]}
                    ),
                    result("labels", "ner", {"start": 4, "end": 7, "text": "met"}),
                ),
                text=text,
            ),
            task(2, annotation(1), annotation(2), text="Nobody."),
            task(
                3,
                annotation(
                    1,
                    result(
                        "hypertextlabels",
                        "ner",
                        {
                            **html,
                            "globalOffsets": {"start": 2, "end": 5},
                            "hypertextlabels": ["PER"],
                        },
                    ),
                    result("hypertextlabels", "ner", {**html, "hypertextlabels": ["PER"]}),
                ),
                annotation(2),
            ),
        )
    )
    assert units(export) == [
        ("1", "1", 0, 3, "PER"),
        ("1", "1", 15, 19, "LOC"),
        ("1", "2", 0, 3, "A"),
        ("1", "2", 0, 3, "B"),
        ("3", "1", 2, 5, "PER"),
    ]
    assert export.units(None).extents == {"1": (0, 20), "2": (0, 7), "3": (0, 9)}
    assert export.found.unit == "characters"
    assert export.found.left_out == {
        "spans without a label": 1,
        "spans in HTML or paragraphs that have no global offsets": 1,
    }


def test_offsets_that_count_utf_16_units(path: Path) -> None:
    text = "💩This is an annotation."
    export = read(
        written(
            path,
            task(
                1,
                annotation(1, span(13, 23, "A", "annotation")),
                annotation(2, span(12, 22, "A", "annotation")),
                annotation(3, span(0, 2, "A", "💩"), span(3, 5, "A", "no")),
                text=text,
            ),
        )
    )
    assert units(export) == [
        ("1", "1", 12, 22, "A"),
        ("1", "2", 12, 22, "A"),
        ("1", "3", 0, 1, "A"),
        ("1", "3", 3, 5, "A"),
    ]
    assert export.units(None).extents == {"1": (0, 23)}
    assert export.found.notes == [
        "1 spans are not where the text that they bring stands in the data: they are left where"
        " they are"
    ]


def test_which_field_is_the_text(path: Path) -> None:
    data = {"title": "Ann", "body": "Ann met Ben.", "n": 3}
    tasks = [
        {"id": n, "data": data, "annotations": [annotation(1, *spans)]}
        # The first span may be of either field.
        for n, spans in enumerate([[span(0, 3, "P", "Ann")], [span(8, 11, "P", "Ben")], []], 1)
    ]
    export = read(written(path, *tasks), spans="line")
    assert export.found.extents == {str(n): (0, 12) for n in (1, 2, 3)}
    assert export.found.texts == {str(n): "Ann met Ben." for n in (1, 2, 3)}
    assert judgments(export.table(spans="line")) == {
        ("1:0-12", "1"): frozenset("P"),
        ("2:0-12", "1"): frozenset("P"),
        ("3:0-12", "1"): frozenset(),
    }


def test_two_texts_of_a_task_are_two_documents(path: Path) -> None:
    def on(to_name: str, *where: Any) -> dict[str, Any]:
        return {**span(*where), "to_name": to_name}

    one = {
        "id": 1,
        "data": {"left": "Ann left.", "right": "Ben was right."},
        "annotations": [
            annotation(1, on("l", 0, 3, "P", "Ann"), on("r", 0, 3, "P", "Ben")),
            annotation(2, on("l", 4, 8, "P", "left")),
        ],
    }
    export = read(written(path, one))
    assert export.questions == ("ner", "ner on r")
    assert units(export, "ner") == [("1", "1", 0, 3, "P"), ("1", "2", 4, 8, "P")]
    assert units(export, "ner on r") == [("1 (r)", "1", 0, 3, "P")]
    assert export.units("ner on r").everyone == ("1", "2")
    assert export.found.extents == {"1": (0, 9), "1 (r)": (0, 14)}


def test_answers_about_regions_are_categories_of_their_spans(path: Path) -> None:
    place = {"start": 0, "end": 3, "text": "Ann"}
    export = read(
        written(
            path,
            task(
                1,
                annotation(
                    1,
                    span(0, 3, "PER", "Ann", id="r1"),
                    result("choices", "mood", {**place, "choices": ["happy", "loud"]}, id="r1"),
                    # Some write the region's id only.
                    choice("sad", name="feeling", id="r1"),
                    result("rating", "sure", {**place, "rating": 3}),
                ),
                annotation(2, choice("fine", name="mood"), id=4),
                text="Ann sang.",
            ),
            task(
                2,
                annotation(
                    1,
                    result("rectanglelabels", "box", {"x": 1, "rectanglelabels": ["c"]}, id="b"),
                    result("choices", "mood", {"x": 1, "y": 2, "choices": ["happy"]}, id="b"),
                ),
            ),
        )
    )
    assert export.questions == ("mood (whole item)", "box", "ner", "mood", "feeling", "sure")
    assert units(export, "mood") == [("1", "1", 0, 3, "happy"), ("1", "1", 0, 3, "loud")]
    assert units(export, "feeling") == [("1", "1", 0, 3, "sad")]
    assert units(export, "sure") == [("1", "1", 0, 3, 3)]
    assert judgments(export.table("mood (whole item)")) == {("1", "2"): "fine"}
    assert export.found.left_out["answers about regions of images"] == 1


def test_recordings_are_measured_in_seconds(path: Path) -> None:
    value = {"start": 0.5, "end": 2, "channel": 0, "labels": ["Ann"]}
    one = result("labels", "speaker", value, original_length=12.25)
    export = read(written(path, task(1, annotation(1, one), annotation(2))))
    assert units(export) == [("1", "1", 0.5, 2, "Ann")]
    assert export.units(None).extents == {"1": (0, 12.25)}
    assert export.found.unit == "seconds"


def test_a_question_about_tasks_first_and_about_regions_then(path: Path) -> None:
    about = {"start": 0, "end": 3, "choices": ["b"]}
    results = [choice("a"), result("choices", "stance", about)]
    export = read(written(path, *(task(n, annotation(1, one)) for n, one in enumerate(results))))
    assert export.questions == ("stance", "stance (regions)")
    assert judgments(export.table("stance")) == {("0", "1"): "a"}
    assert units(export, "stance (regions)") == [("1", "1", 0, 3, "b")]


def test_time_series_and_labels_of_images(path: Path) -> None:
    """Controls for labels and for tools may also be two."""
    series = {"start": 5, "end": 7, "instant": False, "timeserieslabels": ["run"]}
    box = {"x": 1, "y": 2, "width": 3, "height": 4, "labels": ["car"]}
    one = annotation(
        1,
        result("timeserieslabels", "act", series),
        result("rectangle", "tool", {k: v for k, v in box.items() if k != "labels"}, id="r"),
        result("labels", "thing", box, id="r"),
        result("ranker", "order", {"ranker": ["a", "b"]}),
        {"type": "strange"},
    )
    export = read(written(path, task(1, one)))
    assert export.questions == ("act",)
    assert units(export) == [("1", "1", 5, 7, "run")]
    assert export.found.unit == "positions in a time series"
    assert export.found.left_out == {
        "results of type 'rectangle'": 1,
        "labels of regions of images": 1,
        "results of type 'ranker'": 1,
        "results of type 'strange'": 1,
    }


def test_who_marks_a_document_twice_has_the_later_spans(path: Path) -> None:
    early, late = {"created_at": "2024-01-01"}, {"created_at": "2024-01-02"}
    written(
        path,
        task(1, annotation(1, span(0, 4, "A"), **late), annotation(1, span(5, 9, "B"), **early)),
        task(2, annotation(1, span(0, 4, "A"), **early), annotation(1, **late)),
        task(3, annotation(1, span(0, 4, "A")), annotation(1, span(5, 9, "B"))),
        task(
            4,
            *(
                annotation(1, span(0, day, str(day)), created_at=f"2024-01-0{day}")
                for day in (4, 1, 3, 2)
            ),
        ),
    )
    export = read(path)
    assert units(export) == [("1", "1", 0, 4, "A"), ("3", "1", 5, 9, "B"), ("4", "1", 0, 4, "4")]
    assert export.found.left_out == {"earlier annotations of a document by the same coder": 6}


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
    with pytest.raises(ReadError, match="nobody is named who made it: pass --coder-from file"):
        read(tmp_path / "p")
    expected = {(n, coder): "a" for coder in ("ann", "ben") for n in ("text 1", "text 2")}
    export = read(tmp_path / "p", coder_from="file", item_from="text")
    assert judgments(export.table()) == expected
    export = read(tmp_path / "p", coder_from="file", item_from="inner_id")
    assert len(judgments(export.table())) == 4


def test_files_that_overlap(tmp_path: Path) -> None:
    a = annotation(1, choice("a"), id=5, created_at="2024-01-01")
    b = annotation(2, choice("b"), id=6, created_at="2024-01-01")
    first = written(tmp_path / "1.json", task(1, a))
    second = written(tmp_path / "2.json", task(1, a, b))
    export = read(first, second)
    assert judgments(export.table()) == {("1", "1"): "a", ("1", "2"): "b"}
    assert export.found.left_out == {"annotations that are in two of the files": 1}
    archive = write_zip(
        tmp_path / "e.zip", {path.name: path.read_text() for path in (first, second)}
    )
    assert judgments(read(archive).table()) == judgments(export.table())
    other = written(tmp_path / "3.json", task(1, b, text="another text"))
    with pytest.raises(ReadError, match=r"3\.json', task 1: another file has other data under"):
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


# -- JSON-MIN, CSV, TSV


def row(number: int, coder: Any, created: str = "2024-01-01", **controls: Any) -> dict[str, Any]:
    """A record as JSON-MIN has it: data, the id, controls, who and when."""
    return {
        "text": f"text {number}",
        "meta": {"number": number},
        "id": number,
        **controls,
        "annotator": coder,
        "annotation_id": 10 * number + len(str(coder)),
        "created_at": created,
        "updated_at": created,
        "lead_time": 1.5,
    }


ROWS = [
    row(1, "b@x", stance="pro", topics={"choices": ["a", "b"]}, stars=[{"rating": 4}]),
    row(1, "an@x", stance="con", topics="a", stars=[{"rating": 5}]),
    row(2, "b@x", stance="pro", topics="b", tree=[{"taxonomy": [["r", "s"]]}]),
    row(2, "an@x", "2024-01-02", stance="pro", ner=[{"start": 0, "end": 4, "labels": ["N"]}]),
    row(2, "an@x", "2023-01-02", stance="old", why={"text": ["x", "y"]}),
]
FOUND = {
    "stance": [("1", "b@x", "pro"), ("1", "an@x", "con"), ("2", "b@x", "pro"),
               ("2", "an@x", "old"), ("2", "an@x", "pro")],
    "topics": [("1", "b@x", frozenset("ab")), ("1", "an@x", frozenset("a")),
               ("2", "b@x", frozenset("b"))],
    "stars": [("1", "b@x", 4), ("1", "an@x", 5)],
    "tree": [("2", "b@x", "r / s")],
}  # fmt: skip


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    """Write records as the tool does: columns sorted, texts bare, all else JSON."""
    names = sorted({name for row in rows for name in row})
    file = io.StringIO()
    writer = csv.DictWriter(file, names, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    for one in rows:
        writer.writerow(
            {
                name: json.dumps(value) if isinstance(value, list | dict) else value
                for name, value in one.items()
            }
        )
    return file.getvalue()


def triples(table: Any) -> list[tuple[Any, ...]]:
    columns = (column.decode() for column in (table.items, table.coders, table.labels))
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("how", ["min", "sorted", "csv", "tsv"])
def test_one_record_an_annotation(tmp_path: Path, how: str) -> None:
    path = tmp_path / "export"
    if how in ("csv", "tsv"):
        path.write_text(as_csv(ROWS, "," if how == "csv" else "\t"), encoding="utf-8")
    else:
        path.write_text(json.dumps(ROWS, sort_keys=how == "sorted"), encoding="utf-8")
    export = read(path)
    assert export.tool.name == "label-studio"
    assert set(export.questions) == {*FOUND, "ner"}
    for question, expected in FOUND.items():
        assert triples(export.table(question)) == expected
    # The later annotation of a person counts, wherever it stands.
    assert units(export, "ner") == [("2", "an@x", 0, 4, "N")]
    assert export.found.left_out["text areas"] == 1
    assert export.found.left_out["earlier annotations of a document by the same coder"] == 1
    said = [note for note in export.found.notes if "taken for data" in note]
    assert len(said) == (how != "min")
    if said:
        assert said[0].startswith("'text' is the same in all annotations of a task")


def test_columns_where_nothing_tells_controls_from_data(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    rows = [row(n, c, stance="pro", tags=["x", "y"]) for n in (1, 2) for c in ("ann", "be")]
    path.write_text(as_csv(rows))
    export = read(path)
    assert not export.found.notes
    assert set(export.questions) == {"stance", "text"}
    assert set(judgments(export.table("stance")).values()) == {"pro"}
    export = read(path, item_from="text")
    assert export.questions == ("stance",)
    assert {item for item, _ in judgments(export.table())} == {"text 1", "text 2"}


def test_bare_numbers_are_answers_where_controls_stand(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    rows = [row(1, "ann", stars=4, odd=True), row(1, "be", stars=2.5, odd=True)]
    path.write_text(json.dumps(rows))
    export = read(path)
    assert export.questions == ("stars",)
    assert judgments(export.table()) == {("1", "ann"): 4, ("1", "be"): 2.5}
    assert export.found.notes == ["'odd' is left out: it holds what no control writes"]


def test_rows_without_an_annotation_and_regions_that_are_lost(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    empty = {"text": "t", "id": 9, "annotator": None, "annotation_id": None, "created_at": None}
    mood = [row(1, "ann", stance="pro", mood=["happy", "sad"]), row(1, "be", stance="con"), empty]
    path.write_text(json.dumps(mood))
    export = read(path)
    assert judgments(export.table()) == {("1", "ann"): "pro", ("1", "be"): "con"}
    assert export.found.left_out == {"tasks without annotations": 1}
    assert export.found.notes == [
        "'mood' holds answers about regions, and this format does not say which regions: export as"
        " JSON"
    ]


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
    found = af.alpha(af.Annotations.from_long(*columns))
    wide = [
        [None if label == " " else label for label in row]
        for row in zip(*typed.values(), strict=True)
    ]
    assert found.value == pytest.approx(af.alpha(wide).value, abs=1e-12)
    assert 0.3 < found.value < 0.9


# -- what it is not, and what is wrong with it


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "item,coder,label\n1,a,x\n1,b,y\n"),
        ("t.csv", "id,annotator,sentiment\n1,a,x\n"),
        ("t.jsonl", '{"item": 1, "coder": "a", "label": "x"}\n'),
        ("t.jsonl", '{"text": "x", "_input_hash": 1, "_task_hash": 2, "answer": "accept"}\n'),
        ("t.jsonl", '{"id": 1, "text": "x", "label": ["a"]}\n'),
        ("t.json", '[{"id": 1, "data": {"text": "x"}}]'),
        ("t.json", '[{"annotations": [{"image_id": 1}], "images": []}]'),
        ("t.json", '{"images": [], "annotations": [], "categories": []}'),
        ("t.json", "[1, 2]"),
        ("t.json", ""),
        ("t.json", "[" * 100_000),
    ],
)
def test_what_is_none(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert not LabelStudio().recognise(Bundle.of([str(tmp_path / name)]))


def test_one_strange_file_makes_a_folder_none(tmp_path: Path) -> None:
    written(tmp_path / "a.json", task(1, annotation(1, choice("a"))))
    assert LabelStudio().recognise(Bundle.of([str(tmp_path)]))
    write_lines(tmp_path / "b.json", [{"item": 1}])
    assert find_tool(Bundle.of([str(tmp_path)]), None) is None


def broken(*path: Any, value: Any = ...) -> Any:
    """A task in which one value is replaced, or one key deleted."""
    one = json.loads(json.dumps(task(3, annotation(1, span(0, 4, "N")), annotation(2))))
    *inner, last = path
    place = one
    for key in inner:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return one


A = ("annotations", 0)
R = (*A, "result", 0)


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (broken("id"), "task 2: there is no key 'id'"),
        (broken("id", value=[1]), "task '[1]': 'id' must be a text or an integer, got a list"),
        (broken("data"), "task 3: there is no key 'data'"),
        (broken("annotations"), "task 3: there is no key 'annotations'"),
        (broken("annotations", value=None), "task 3: 'annotations' must be a list, got 'null'"),
        (broken("annotations", value=[7]), "task 3: annotation 1: an annotation must be an object"),
        (broken(*A, "completed_by"), "task 3: annotation 1: nobody is named who made it: pass"),
        (broken(*A, "completed_by", value=[]), "annotation 1: 'completed_by' must be a number or"),
        (broken(*A, "completed_by", value={}), "annotation 1: nobody is named who made it: pass"),
        (broken(*A, "was_cancelled", value="no"), "'was_cancelled' must be true or false, got"),
        (broken(*A, "result"), "annotation 1: there is no key 'result'"),
        (broken(*A, "result", value={}), "annotation 1: 'result' must be a list, got an object"),
        (broken(*R, value=3), "annotation 1: a result must be an object"),
        (broken(*R, "type"), "annotation 1: there is no key 'type'"),
        (broken(*R, "from_name", value=1), "annotation 1: 'from_name' must be a text, got '1'"),
        (broken(*R, "value", value=None), "annotation 1: 'value' must be an object, got 'null'"),
        (broken(*R, "value", "start"), "annotation 1: there is no key 'start'"),
        (broken(*R, "value", "end", value=True), "'end' must be a number, got 'true'"),
        (broken(*R, "value", "end", value=10**30), "'end' must be a number, got '1000000"),
        (broken(*R, "value", "end", value=float("nan")), "'end' must be a number, got 'NaN'"),
        (broken(*R, "value", "start", value=5), "must not end before it starts, got 5 to 4"),
        (broken(*R, "value", "labels", value="N"), "'labels' must be a list, got 'N'"),
        (broken(*R, "value", "labels", value=[1]), "'labels' must be a list of texts"),
        (broken("predictions", value=3), "task 3: 'predictions' must be a list, got '3'"),
        ([], "task 2: a task must be an object with the keys data and annotations"),
        (
            task(3, annotation(1, result("taxonomy", "t", {"taxonomy": ["a"]}))),
            "'taxonomy' must be a list of paths, each a list of texts",
        ),
        (
            task(3, annotation(1, result("taxonomy", "t", {"taxonomy": [["a / b"], ["a", "b"]]}))),
            "two paths of a taxonomy are both written 'a / b': rename one",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(path: Path, one: Any, message: str) -> None:
    written(path, task(1, annotation(1, choice("a"))), one)
    with pytest.raises(ReadError) as error:
        read(path)
    assert message in str(error.value).replace('"', "")
    assert "export.json', task" in str(error.value)
    assert "\n" not in str(error.value)


def test_other_errors(path: Path, tmp_path: Path) -> None:
    written(path, task(1, annotation(1, choice("a"))))
    with pytest.raises(ReadError, match="--item-from 'body' is none of the fields of the data"):
        read(path, item_from="body")
    with pytest.raises(ReadError, match="--document-from is not for exports of Label Studio"):
        read(path, document_from="file")
    written(path, task(1, annotation(1, was_cancelled=True)))
    with pytest.raises(ReadError, match="no judgments: left out were 1 cancelled annotations"):
        read(path).table()
    other = tmp_path / "e.csv"
    other.write_text("id,annotation_id,annotator,stance\n1,2,,pro\n")
    with pytest.raises(ReadError, match=r"e\.csv', record 1: nobody is named who made it"):
        read(other)
    other.write_bytes(b"id,annotation_id,annotator,stance\n1,2,\xe4,pro\n")
    with pytest.raises(ReadError, match="is not UTF-8"):
        read(other)
    path.write_bytes(json.dumps([task(1, annotation(1, choice("ä")))]).encode("utf-16"))
    assert judgments(read(path).table()) == {("1", "1"): "ä"}


# -- anything may be damaged


def try_to_read(path: Path) -> bool:
    """Read all of an export; whether it could be read."""
    with suppress(ReadError):
        export = read(path, format="label-studio", with_predictions=True, with_curation=True)
        for question in export.questions:
            if question in export.found.spans:
                export.units(question)
                export.table(question, spans="exact")
            else:
                export.table(question)
        return True
    return False


@pytest.mark.parametrize("content", [[EVERYTHING], ROWS[:2] + ROWS[3:4]], ids=["json", "min"])
def test_damaged_values(path: Path, content: Any) -> None:
    read_well, count = 0, 0
    for other in damaged(content):
        path.write_text(json.dumps(other))
        read_well += try_to_read(path)
        count += 1
    assert 0 < read_well < count


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_truncated_files(path: Path, data: st.DataObject) -> None:
    rows = data.draw(st.booleans())
    whole = as_csv(ROWS) if rows else json.dumps([EVERYTHING, task(8)])
    path.write_text(whole[: data.draw(st.integers(0, len(whole) - 1))])
    if not try_to_read(path):
        return
    assert rows

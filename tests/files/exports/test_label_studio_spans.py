"""Spans in exports of Label Studio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exported import judgments, read, units
from label_studio_exports import (
    annotation,
    choice,
    result,
    span,
    task,
    written,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.json"


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
            task(
                4,
                annotation(1, span(0, 3, "PER")),
                annotation(
                    2,
                    result("labels", "ner", {"start": 0, "end": 4, "labels": ["A", "B"]}),
                    result(
                        "hypertextlabels",
                        "ner",
                        {
                            **html,
                            "globalOffsets": {"start": 2, "end": 5},
                            "hypertextlabels": ["PER"],
                        },
                    ),
                ),
            ),
        )
    )
    assert units(export) == [
        ("1", "1", 0, 3, "PER"),
        ("1", "1", 15, 19, "LOC"),
        ("4", "1", 0, 3, "PER"),
        ("4", "2", 0, 4, "A"),
        ("4", "2", 0, 4, "B"),
        ("4", "2", 2, 5, "PER"),
    ]
    # A coder with a span that cannot be read is left out, with the other spans of the document.
    assert list(export.contents.spans["ner"].seen) == [
        ("1", "1"),
        ("2", "1"),
        ("2", "2"),
        ("3", "2"),
        ("4", "1"),
        ("4", "2"),
    ]
    assert export.units(None).extents == {"1": (0, 20), "2": (0, 7), "3": (0, 9), "4": (0, 9)}
    assert export.contents.unit == "characters"
    assert export.contents.left_out == {
        "spans without a label": 1,
        "spans in HTML or paragraphs that have no global offsets": 1,
        "documents of coders with spans that cannot be read": 2,
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
    assert export.contents.notes == [
        "1 spans have a text that is at another place in the data: their offsets are kept"
    ]


@pytest.mark.parametrize("name", ["text", "body"])
def test_two_fields_with_the_same_text_are_as_good_as_one(path: Path, name: str) -> None:
    text = "😀 Anna is here"
    data = {name: text, "original": text}
    one = {"id": 1, "data": data, "annotations": [annotation(1, span(3, 7, "P", "Anna"))]}
    export = read(written(path, one), keep_texts=True)
    assert units(export) == [("1", "1", 2, 6, "P")]
    assert export.contents.extents == {"1": (0, 14)}
    assert export.contents.texts == {"1": text}


def test_fields_that_are_the_same_only_in_some_tasks(path: Path) -> None:
    def one(number: int, *results: Any, **data: str) -> dict[str, Any]:
        return {"id": number, "data": data, "annotations": [annotation(1, *results)]}

    export = read(
        written(
            path,
            one(1, span(0, 3, "P", "Ann"), body="Ann met Ben", title="Ann met Ben"),
            one(2, span(1, 4, "P", "Ann"), body="😀Ann is in Bonn", title="Xnn and 😀Ann"),
            one(3, body="one", title="other"),
        )
    )
    assert units(export) == [("1", "1", 0, 3, "P"), ("2", "1", 1, 4, "P")]
    assert export.contents.extents == {"1": (0, 11), "2": (0, 15), "3": (0, 3)}


def test_spans_that_fit_two_fields_in_two_ways(path: Path) -> None:
    data = {"a": "😀 Anna", "b": "Oh,Anna"}
    both = span(3, 7, "P", "Anna")
    export = read(written(path, {"id": 1, "data": data, "annotations": [annotation(1, both)]}))
    assert units(export) == [("1", "1", 3, 7, "P")]
    assert export.contents.notes == [
        "1 spans fit several fields of the data, at different offsets: their offsets are kept"
    ]
    # A control that is called after a field shows it.
    data = {"a": "Oh,Anna", "text": "😀 Anna"}
    export = read(written(path, {"id": 1, "data": data, "annotations": [annotation(1, both)]}))
    assert units(export) == [("1", "1", 2, 6, "P")]
    assert export.contents.extents == {"1": (0, 6)}
    assert export.contents.notes == []


@pytest.mark.parametrize(
    ("quotes", "note"),
    [
        (
            ["Anna", "Anna", "Hell"],
            "2 spans have a text that is at another place in the data: their offsets are kept",
        ),
        (
            ["Anna", "Anna"],
            "the text of 2 spans is not in the data: it is not known whether their offsets count"
            " characters",
        ),
    ],
)
def test_spans_that_are_elsewhere_count_before_the_first_that_fits(
    path: Path, quotes: list[str], note: str
) -> None:
    spans = [annotation(number, span(0, 4, "P", text)) for number, text in enumerate(quotes, 1)]
    export = read(written(path, task(1, *spans, text="Hello Anna")))
    assert export.contents.notes == [note]


def test_predictions_of_another_question_mark_nothing(path: Path) -> None:
    def predicted(number: int, *results: Any) -> dict[str, Any]:
        prediction = {"model_version": "m", "result": list(results)}
        return task(
            number,
            annotation(1, span(0, 4, "P"), choice("pro")),
            annotation(2, choice("pro")),
            predictions=[prediction],
        )

    export = read(
        written(
            path,
            predicted(1, span(0, 4, "P")),
            predicted(2, choice("pro")),
            predicted(3),
        ),
        with_predictions=True,
    )
    seen = export.contents.spans["ner"].seen
    assert [pair for pair in seen if pair[1] == "prediction: m"] == [
        ("1", "prediction: m"),
        ("3", "prediction: m"),
    ]
    # A coder who finished has seen the document.
    assert ("1", "2") in seen
    assert export.contents.left_out_for("ner") == {"predictions without spans": 1}
    assert export.notes("ner") == ["left out: predictions without spans (1)"]
    without = "annotations without an answer to 'stance'"
    assert export.notes("stance") == [f"left out: {without} (2)"]


def test_which_field_is_the_text(path: Path) -> None:
    data = {"title": "Ann", "body": "Ann met Ben.", "n": 3}
    tasks = [
        {"id": n, "data": data, "annotations": [annotation(1, *spans)]}
        # The first span may be of either field.
        for n, spans in enumerate([[span(0, 3, "P", "Ann")], [span(8, 11, "P", "Ben")], []], 1)
    ]
    export = read(written(path, *tasks), spans="line")
    assert export.contents.extents == {str(n): (0, 12) for n in (1, 2, 3)}
    assert export.contents.texts == {str(n): "Ann met Ben." for n in (1, 2, 3)}
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
    assert export.contents.extents == {"1": (0, 9), "1 (r)": (0, 14)}


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
    assert export.contents.left_out["answers about regions of images"] == 1


def test_recordings_are_measured_in_seconds(path: Path) -> None:
    value = {"start": 0.5, "end": 2, "channel": 0, "labels": ["Ann"]}
    one = result("labels", "speaker", value, original_length=12.25)
    export = read(written(path, task(1, annotation(1, one), annotation(2))))
    assert units(export) == [("1", "1", 0.5, 2, "Ann")]
    assert export.units(None).extents == {"1": (0, 12.25)}
    assert export.contents.unit == "seconds"


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
    assert export.contents.unit == "positions in a time series"
    assert export.contents.left_out == {
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
    assert export.contents.left_out == {"earlier annotations of a document by the same coder": 6}

"""JSON-MIN, CSV and TSV of Label Studio."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exported import judgments, read, units
from label_studio_exports import (
    ROWS,
    as_csv,
    row,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.json"


FOUND = {
    "stance": [("1", "b@x", "pro"), ("1", "an@x", "con"), ("2", "b@x", "pro"),
               ("2", "an@x", "old"), ("2", "an@x", "pro")],
    "topics": [("1", "b@x", frozenset("ab")), ("1", "an@x", frozenset("a")),
               ("2", "b@x", frozenset("b"))],
    "stars": [("1", "b@x", 4), ("1", "an@x", 5)],
    "tree": [("2", "b@x", "r / s")],
}  # fmt: skip


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
    assert export.contents.left_out["text areas"] == 1
    assert export.contents.left_out["earlier annotations of a document by the same coder"] == 1
    said = [note for note in export.contents.notes if "read as data" in note]
    assert len(said) == (how != "min")
    if said:
        assert said[0].startswith("'text' is the same in all annotations of a task")


def test_columns_where_nothing_tells_controls_from_data(tmp_path: Path) -> None:
    path = tmp_path / "e.csv"
    rows = [row(n, c, stance="pro", tags=["x", "y"]) for n in (1, 2) for c in ("ann", "be")]
    path.write_text(as_csv(rows))
    export = read(path)
    assert not export.contents.notes
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
    assert export.contents.notes == ["'odd' is left out: its values were not written by a control"]


def test_rows_without_an_annotation_and_regions_that_are_lost(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    empty = {"text": "t", "id": 9, "annotator": None, "annotation_id": None, "created_at": None}
    mood = [row(1, "ann", stance="pro", mood=["happy", "sad"]), row(1, "be", stance="con"), empty]
    path.write_text(json.dumps(mood))
    export = read(path)
    assert judgments(export.table()) == {("1", "ann"): "pro", ("1", "be"): "con"}
    assert export.contents.left_out == {"tasks without annotations": 1}
    assert export.contents.notes == [
        "'mood' holds answers about regions, and this format does not say which regions: export as"
        " JSON"
    ]

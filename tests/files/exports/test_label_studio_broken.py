"""What is no export of Label Studio, and what is a broken one."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from damage import changed
from examples import examples
from exported import judgments, read, write_lines
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from label_studio_exports import (
    EVERYTHING,
    ROWS,
    annotation,
    as_csv,
    choice,
    result,
    span,
    task,
    written,
)

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool
from agreement_fast.files.exports.label_studio import LabelStudio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.json"


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
        (broken("id", value=[1]), "task '[1]': 'id' must be a text or a whole number, got '[1]'"),
        (broken("data"), "task 3: there is no key 'data'"),
        (broken("annotations"), "task 3: there is no key 'annotations'"),
        (broken("annotations", value=None), "task 3: 'annotations' must be a list, got 'null'"),
        (broken("annotations", value=[7]), "task 3: annotation 1: an annotation must be an object"),
        (broken(*A, "completed_by"), "task 3: annotation 1: it does not name the annotator: pass"),
        (broken(*A, "completed_by", value=[]), "annotation 1: 'completed_by' must be a number or"),
        (
            broken(*A, "completed_by", value={}),
            "annotation 1: it does not name the annotator: pass",
        ),
        (broken(*A, "was_cancelled", value="no"), "'was_cancelled' must be true or false, got"),
        (broken(*A, "result"), "annotation 1: there is no key 'result'"),
        (broken(*A, "result", value={}), "annotation 1: 'result' must be a list, got '{}'"),
        (broken(*R, value=3), "annotation 1: a result must be an object"),
        (broken(*R, "type"), "annotation 1: there is no key 'type'"),
        (broken(*R, "from_name", value=1), "annotation 1: 'from_name' must be a text, got '1'"),
        (broken(*R, "value", value=None), "annotation 1: 'value' must be an object, got 'null'"),
        (broken(*R, "value", "start"), "annotation 1: there is no key 'start'"),
        (broken(*R, "value", "end", value=True), "'end' must be a number, got 'true'"),
        (broken(*R, "value", "end", value=10**30), "'end' must be a number, got '1000000"),
        (broken(*R, "value", "end", value=float("nan")), "'end' must be a number, got 'NaN'"),
        (broken(*R, "value", "start", value=5), "must not end before it begins, got 5 to 4"),
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
def test_errors_are_one_line(path: Path, one: Any, message: str) -> None:
    written(path, task(1, annotation(1, choice("a"))), one)
    with pytest.raises(ReadError) as error:
        read(path)
    assert message in str(error.value).replace('"', "")
    assert "export.json', task" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [("1" * 5_000, "line 1: this is not JSON that can be read"), ("[" * 100_000, "nested too")],
)
def test_values_that_cannot_be_read(path: Path, value: str, message: str) -> None:
    path.write_text(json.dumps([task(1, annotation(1, choice("a")))])[:-1] + f", {value}")
    with pytest.raises(ReadError, match=message):
        read(path)


def test_other_errors(path: Path, tmp_path: Path) -> None:
    written(path, task(1, annotation(1, choice("a"))))
    with pytest.raises(ReadError, match="--item-from 'body' is not a field of the data"):
        read(path, item_from="body")
    with pytest.raises(ReadError, match="--document-from is not for exports of Label Studio"):
        read(path, document_from="file")
    written(path, task(1, annotation(1, was_cancelled=True)))
    with pytest.raises(ReadError, match="no judgments; left out: cancelled annotations \\(1\\)"):
        read(path).table()
    other = tmp_path / "e.csv"
    other.write_text("id,annotation_id,annotator,stance\n1,2,,pro\n")
    with pytest.raises(ReadError, match=r"e\.csv', record 1: it does not name the annotator"):
        read(other)
    other.write_bytes(b"id,annotation_id,annotator,stance\n1,2,\xe4,pro\n")
    with pytest.raises(ReadError, match="is not UTF-8"):
        read(other)
    path.write_bytes(json.dumps([task(1, annotation(1, choice("ä")))]).encode("utf-16"))
    assert judgments(read(path).table()) == {("1", "1"): "ä"}


def try_to_read(path: Path) -> bool:
    """Read all of an export; whether it could be read."""
    with suppress(ReadError):
        export = read(path, format="label-studio", with_predictions=True, with_curation=True)
        for question in export.questions:
            if question in export.contents.spans:
                export.units(question)
                export.table(question, spans="exact")
            else:
                export.table(question)
        return True
    return False


@pytest.mark.breadth
@pytest.mark.parametrize("content", [[EVERYTHING], ROWS[:2] + ROWS[3:4]], ids=["json", "min"])
def test_damaged_values(path: Path, content: Any) -> None:
    read_well, count = 0, 0
    for other in changed(content, every=6):
        path.write_text(json.dumps(other))
        read_well += try_to_read(path)
        count += 1
    assert 0 < read_well < count


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_truncated_files(path: Path, data: st.DataObject) -> None:
    rows = data.draw(st.booleans())
    whole = as_csv(ROWS) if rows else json.dumps([EVERYTHING, task(8)])
    path.write_text(whole[: data.draw(st.integers(0, len(whole) - 1))])
    if not try_to_read(path):
        return
    assert rows

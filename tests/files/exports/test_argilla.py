"""Argilla's records, as JSON and as data sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from damage import blots, changed, cuts, refused
from exported import judgments, read, units, write_lines, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

SPAN = {"start": 0, "end": 4, "label": "ORG"}


def record(number: int, **more: Any) -> dict[str, Any]:
    """Write a record of a data set with all the keys that they have."""
    empty = dict.fromkeys(
        f"{q}.{key}"
        for q in ("tone", "topics", "rank", "ner")
        for key in ("responses", "responses.users", "responses.status", "suggestion",
                    "suggestion.agent", "suggestion.score")
    )  # fmt: skip
    return {"id": f"r{number}", "status": "completed", "_server_id": None, "text": "Acme rose",
            **empty, **more}  # fmt: skip


def given(question: str, values: list[Any], users: str, status: str) -> dict[str, Any]:
    """Write the responses to a question; the letters are users and states."""
    states = {"s": "submitted", "d": "draft", "x": "discarded", "-": None}
    return {
        f"{question}.responses": values,
        f"{question}.responses.users": list(users),
        f"{question}.responses.status": [states[letter] for letter in status],
    }


RECORDS = [
    record(
        1,
        **given("tone", ["pos", "neg", "pos"], "abc", "s-d"),
        **given("topics", [["x", "y"], []], "ab", "ss"),
        **given("rank", [["p", "q"], ["q", "p"]], "ab", "ss"),
        **given("ner", [[SPAN], [], None], "abc", "sss"),
        **{"tone.suggestion": "pos", "tone.suggestion.agent": "gpt", "tone.suggestion.score": 0.9},
    ),
    record(
        2,
        **given("tone", ["pos", None], "ab", "sx"),
        **given("topics", [["y"]], "a", "s"),
        **given("rank", [["p", "q"]], "a", "s"),
        **given("ner", [[SPAN]], "a", "d"),
        **{"tone.suggestion": "neg"},
    ),
    record(3),
]
TONES = {
    ("r1", "a"): "pos", ("r1", "b"): "neg", ("r1", "c"): None,
    ("r2", "a"): "pos", ("r2", "b"): None,
}  # fmt: skip


def as_lines(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "d.jsonl", RECORDS)


def as_list(tmp_path: Path) -> Path:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(RECORDS, indent=2))
    return path


def as_parquet(tmp_path: Path) -> Path:
    path = tmp_path / "train-00000-of-00001.parquet"
    pq.write_table(pa.Table.from_pylist(RECORDS), path)
    return path


def as_archive(tmp_path: Path) -> Path:
    content = {"data/train.parquet": as_parquet(tmp_path).read_bytes(), "README.md": b"# A card"}
    return write_zip(tmp_path / "d.zip", content)


@pytest.mark.parametrize("write", [as_lines, as_list, as_parquet, as_archive])
def test_responses_of_users(tmp_path: Path, write: Any) -> None:
    export = read(write(tmp_path))
    assert export.tool.name == "argilla"
    assert export.questions == ("tone", "topics", "ner")
    assert judgments(export.table("tone")) == TONES
    assert judgments(export.table("topics")) == {
        ("r1", "a"): frozenset("xy"), ("r1", "b"): frozenset(), ("r2", "a"): frozenset("y"),
    }  # fmt: skip
    assert units(export, "ner") == [("r1", "a", 0, 4, "ORG")]
    assert list(export.contents.spans["ner"].seen) == [("r1", "a"), ("r1", "b")]
    left_out = dict(export.contents.left_out)
    left_out.pop("other files", None)
    assert left_out == {
        "drafts": 2, "discarded responses": 1, "rankings in answer to 'rank'": 3, "suggestions": 2,
    }  # fmt: skip
    assert any("responses without a status" in note for note in export.notes())


def test_suggestions_and_skips_on_request(tmp_path: Path) -> None:
    export = read(as_lines(tmp_path), with_predictions=True, count_skips=True)
    assert judgments(export.table("tone")) == {
        **TONES,
        ("r2", "b"): "skipped",
        ("r1", "prediction: gpt"): "pos",
        ("r2", "prediction: suggestion"): "neg",
    }


NESTED = [
    {
        "id": "r1", "fields": {"text": "Acme rose"}, "metadata": {}, "vectors": {},
        "suggestions": {"tone": {"value": "pos", "score": None, "agent": "gpt"}},
        "responses": {"tone": [{"value": "pos", "user_id": "a"}, {"value": "neg", "user_id": "b"}]},
        "status": "completed", "_server_id": "s1",
    },
    {
        "id": "r2", "fields": {"text": "Bolt fell"}, "metadata": {}, "vectors": {},
        "suggestions": {}, "responses": {}, "_server_id": "s2",
    },
]  # fmt: skip


def test_records_as_json(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    path.write_text(json.dumps(NESTED))
    export = read(path, with_predictions=True)
    assert judgments(export.table()) == {
        ("r1", "prediction: gpt"): "pos", ("r1", "a"): "pos", ("r1", "b"): "neg",
    }  # fmt: skip
    by_text = read(path, item_from="text")
    assert set(judgments(by_text.table())) == {("Acme rose", "a"), ("Acme rose", "b")}


OLD = [
    {
        "text": "one", "external_id": "e1", "metadata": "{}",
        "tone": {"user_id": ["a", "b", None], "value": ["pos", "neg", "neg"],
                 "status": ["submitted", "submitted", "submitted"]},
        "tone-suggestion": "neg", "tone-suggestion-metadata": {"type": None, "agent": "m"},
    },
    {
        "text": "two", "external_id": "e2", "metadata": "{}",
        "tone": [{"user_id": "a", "value": "pos", "status": "discarded"}],
        "tone-suggestion": None, "tone-suggestion-metadata": None,
    },
    {"text": "three", "external_id": "e3", "metadata": "{}", "tone": [], "tone-suggestion": None},
]  # fmt: skip


def test_records_of_version_1(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "old.jsonl", OLD)
    export = read(path, with_predictions=True)
    assert judgments(export.table()) == {
        ("e1", "a"): "pos", ("e1", "b"): "neg", ("e1", "prediction: m"): "neg", ("e2", "a"): None,
    }  # fmt: skip
    assert export.contents.left_out == {"responses without a user": 1, "discarded responses": 1}


def test_the_coefficient_is_that_of_the_responses(tmp_path: Path) -> None:
    votes = ["yynnynyy", "ynnnynny"]
    path = write_lines(
        tmp_path / "d.jsonl",
        [{"id": str(i), **given("q", [a, b], "vw", "ss")} for i, (a, b) in
         enumerate(zip(*votes, strict=True))],
    )  # fmt: skip
    result = read(path).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["v"] * 8 + ["w"] * 8, list("".join(votes))
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


def test_choices_that_all_make_are_no_ranking(tmp_path: Path) -> None:
    lists = [given("q", [["a", "b"], ["a", "b"]], "vw", "ss"), given("q", [["a", "b"]], "v", "s")]
    path = write_lines(tmp_path / "d.jsonl", [{"id": i, **one} for i, one in enumerate(lists)])
    assert judgments(read(path).table())[0, "w"] == frozenset("ab")


ONE = {"id": "x", **given("q", ["p"], "a", "s")}


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{**ONE, "q.responses.users": ["a", "b"]}], "record 1, 'q.responses': .* the same length"),
        ([ONE, {**ONE, "q.responses": None}], "record 2, 'q.responses': .* the same length"),
        ([{**ONE, "q.responses.status": ["gone"]}], "must be submitted, .* got 'gone'"),
        ([{**ONE, "q.responses.users": [3]}], "a user must be a text, got '3'"),
        ([{**ONE, "id": None}], "record 1: 'id' cannot name an item: --item-from"),
        ([{**ONE, "id": [1]}], "'id' cannot name an item"),
        ([{"id": "x", "q.responses": ["p"]}], "no 'q.responses.users'"),
        ([ONE, 3], "record 2: a record must be an object, got '3'"),
        ([{**ONE, "q.responses": [[SPAN, {"start": 1}]]}], "a span needs whole numbers start"),
        ([{"id": "x", "fields": {}, "responses": {"q": [3]}, "suggestions": {}}],
         "record 1, 'q': a response needs 'user_id' and 'value', got '3'"),
    ],
)  # fmt: skip
def test_errors_are_one_line(tmp_path: Path, records: list[Any], message: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write_lines(tmp_path / "d.jsonl", records), format="argilla")
    assert "d.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    good = 0
    for whole in (RECORDS[0], NESTED[0], OLD[0], OLD[1]):
        for other in changed(whole, every=6):
            write_lines(path, [other])
            good += refused(path, format="argilla", with_predictions=True) is None
    content = as_lines(tmp_path).read_bytes()
    for some in (*cuts(content, 40), *blots(content, 40)):
        path.write_bytes(some)
        good += refused(path, format="argilla") is None
    assert good > 100


@pytest.mark.breadth
def test_broken_parquet_raises_nothing_else(tmp_path: Path) -> None:
    content = as_parquet(tmp_path).read_bytes()
    path = tmp_path / "d.parquet"
    for some in (*cuts(content, 20), *blots(content, 20)):
        path.write_bytes(some)
        refused(path, format="argilla")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "item,coder,label\n1,a,x\n",
        '{"item": 1, "coder": "a", "label": "x"}\n',
        '{"id": 1, "fields": {}, "responses": []}\n',
        '{"user_id": "a", "value": 1, "status": "x"}\n',
    ],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    assert find_tool(Bundle.of([str(path)]), None) is None


def test_other_parquet_is_not_recognised(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"item": [1], "coder": ["a"], "label": ["x"]}), path)
    assert find_tool(Bundle.of([str(path)]), None) is None

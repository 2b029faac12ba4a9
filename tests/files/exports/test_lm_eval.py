"""Samples of lm-evaluation-harness: models as coders, metrics as questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from damage import blots, changed, cuts, refused
from exported import judgments, read, write_lines

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool


def sample(number: int, response: Any, **more: Any) -> dict[str, Any]:
    """Write a record with all the keys that it has."""
    return {
        "doc_id": number, "doc": {"question": "?"}, "target": "4",
        "arguments": {"gen_args_0": {"arg_0": "Q"}}, "resps": [["4."]],
        "filtered_resps": response, "doc_hash": f"h{number}", "prompt_hash": "p",
        "target_hash": "t", **more,
    }  # fmt: skip


def logged(folder: Path, model: str, task: str, *records: Any, at: str = "10-00-00.5") -> Path:
    """Write the samples of a task, as the harness places them."""
    place = folder / f"lab__{model}"
    place.mkdir(exist_ok=True, parents=True)
    return write_lines(place / f"samples_{task}_2024-05-01T{at}.jsonl", records)


def test_a_folder_of_models(tmp_path: Path) -> None:
    for model, first, second in (("a", 1.0, 0.0), ("b", 1.0, 1.0)):
        both = [
            sample(number, [text], filter=rule, metrics=["exact_match"], exact_match=value)
            for rule in ("strict-match", "none")
            for number, text, value in ((0, "4", first), (1, "[invalid]", second))
        ]
        logged(tmp_path, model, "gsm8k", *both)
        logged(tmp_path, model, "wiki_text", sample(0, [-3.5], ppl=[-3.5, 4], bits=0.25))
        (tmp_path / f"lab__{model}" / "results_2024.json").write_text("{}")
    export = read(tmp_path)
    assert export.tool.name == "lm-eval"
    assert export.questions == (
        "gsm8k: exact_match,strict-match", "gsm8k: response,strict-match",
        "gsm8k: exact_match", "gsm8k: response", "wiki_text: bits",
    )  # fmt: skip
    assert judgments(export.table("gsm8k: exact_match")) == {
        (0, "lab__a"): 1.0, (0, "lab__b"): 1.0, (1, "lab__a"): 0.0, (1, "lab__b"): 1.0,
    }  # fmt: skip
    assert judgments(export.table("gsm8k: response"))[1, "lab__b"] == "[invalid]"
    assert export.contents.left_out == {
        "files without samples": 2,
        "values of 'wiki_text: ppl' that are not labels": 2,
        "filtered responses that are not one text": 2,
    }
    by_hash = read(tmp_path, item_from="doc_hash")
    assert ("h0", "lab__a") in judgments(by_hash.table("gsm8k: response"))


def test_files_are_models(tmp_path: Path) -> None:
    choices = [["-1.5", "False"], ["-0.5", "True"]]
    paths = [
        write_lines(tmp_path / f"{name}.jsonl", [sample(0, choices, acc=value)])
        for name, value in (("a", "C"), ("b", float("nan")))
    ]
    export = read(*paths)
    assert export.questions == ("acc",)
    assert judgments(export.table()) == {(0, "a"): "C", (0, "b"): None}
    assert export.contents.left_out == {"filtered responses that are not one text": 2}


def test_filters_without_names_are_questions(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        [sample(0, ["x"], acc=1), sample(1, ["y"], acc=0), sample(0, ["z"], acc=0)],
    )
    export = read(path)
    assert export.questions == ("acc", "response", "acc,filter 2", "response,filter 2")
    assert judgments(export.table("acc,filter 2")) == {(0, "a"): 0}
    assert any("does not name its filters" in note for note in export.notes())


def test_the_coefficient_is_that_of_the_metrics(tmp_path: Path) -> None:
    votes = ["11001011", "10000100"]
    paths = [
        write_lines(tmp_path / f"m{k}.jsonl", [sample(i, [], acc=int(v)) for i, v in some])
        for k, some in enumerate(map(enumerate, votes))
    ]
    result = read(*paths).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["v"] * 8 + ["w"] * 8, [int(v) for v in "".join(votes)]
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


def test_two_runs_need_different_coders(tmp_path: Path) -> None:
    logged(tmp_path, "a", "gsm8k", sample(0, ["x"]))
    logged(tmp_path, "a", "gsm8k", sample(0, ["x"]), at="11-00-00.5")
    with pytest.raises(ReadError, match="are both of 'lab__a' on task 'gsm8k'"):
        read(tmp_path)
    assert len(judgments(read(tmp_path, coder_from="T(11|10)-").table())) == 2


def test_numbers_must_mean_the_same_documents(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", [sample(0, ["x"])])
    second = write_lines(tmp_path / "b.jsonl", [sample(0, ["x"], doc_hash="other")])
    with pytest.raises(ReadError, match=r"record 1: document 0 differs .* --item-from doc_hash"):
        read(first, second)
    assert set(judgments(read(first, second, item_from="doc_hash").table())) == {
        ("h0", "a"), ("other", "b"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("records", "said", "message"),
    [
        ([sample(0, ["x"]), {"doc": 1}], {}, "record 2: there is no key 'doc_id'"),
        ([sample(0, ["x"]), 3], {}, "record 2: a sample must be an object"),
        ([sample(0, ["x"], metrics=["acc"])], {}, "there is no 'acc', which 'metrics' names"),
        ([sample(0, ["x"], metrics="acc")], {}, "'metrics' must be a list of names"),
        ([sample(0, ["x"])], {"item_from": "text"}, "must be doc_id or doc_hash, got 'text'"),
        ([sample(0, ["x"])], {"coder_from": "folder"}, "is in no folder"),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path, records: list[Any], said: dict[str, Any], message: str
) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write_lines(tmp_path / "a.jsonl", records), **said)
    assert "\n" not in str(caught.value)


def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    record = sample(0, ["x"], filter="f", metrics=["acc", "f1"], acc=1.0, f1=0.5)
    path = tmp_path / "a.jsonl"
    good = 0
    for other in changed(record, every=6):
        write_lines(path, [record, {**other, "doc_id": 1}, other])
        good += refused(path, format="lm-eval") is None
    content = "".join(json.dumps(sample(n, ["ü"], acc=n)) + "\n" for n in range(3)).encode()
    for some in (*cuts(content), *blots(content)):
        path.write_bytes(some)
        good += refused(path, format="lm-eval") is None
    assert good > 50


@pytest.mark.parametrize(
    "content",
    ["", "item,coder,label\n1,a,x\n", '{"doc_id": 1, "coder": "a", "label": "x"}\n', "doc_id\n1\n"],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    assert find_tool(Bundle.of([str(path)]), None) is None

"""Inspect's logs: scorers, epochs and models as coders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from damage import blots, changed, cuts, refused
from exported import judgments, read, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

NAN = float("nan")


def sample(key: str | int, epoch: int = 1, **scores: Any) -> dict[str, Any]:
    """Write a sample with the values that scorers gave."""
    given = {name: {"value": value, "answer": "x"} for name, value in scores.items()}
    return {"id": key, "epoch": epoch, "input": "?", "target": "!", "scores": given}


def header(model: str = "openai/a", task: str = "qa") -> dict[str, Any]:
    """Write the head of a log."""
    return {
        "version": 2,
        "status": "success",
        "eval": {"run_id": "r", "task": task, "model": model},
    }


def members(samples: Sequence[Any], head: Any, name: str = "header.json") -> dict[str, str]:
    """Write what is in a log."""
    written = {
        f"samples/{one['id']}_epoch_{one['epoch']}.json": json.dumps(one, indent=2)
        for one in samples
    }
    rest = ("_journal/start.json", "summaries.json", "reductions.json")
    return {name: json.dumps(head), **written, **dict.fromkeys(rest, "[]")}


SAMPLES = [
    sample("q1", strict="C", lax="C", judge=NAN),
    sample("q2", strict="I", lax="C", judge="C"),
    {"id": "q3", "epoch": 1, "error": {"message": "time is up"}},
]
SCORES = {
    ("q1", "strict"): "C", ("q1", "lax"): "C", ("q1", "judge"): None,
    ("q2", "strict"): "I", ("q2", "lax"): "C", ("q2", "judge"): "C",
}  # fmt: skip


def log(path: Path, samples: Sequence[Any] = SAMPLES, **head: str) -> Path:
    return write_zip(path, members(samples, header(**head)))


def test_scorers_are_a_panel(tmp_path: Path) -> None:
    export = read(log(tmp_path / "a.eval"))
    assert export.tool.name == "inspect"
    assert export.questions == ("score",)
    assert judgments(export.table()) == SCORES
    assert export.contents.left_out == {"samples without scores": 1, "unscored values": 1}
    assert any("coders are the scorers" in note for note in export.notes())


def test_logs_that_are_not_complete_begin_with_start(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.eval", members(SAMPLES, header(), "start.json"))
    assert judgments(read(path).table()) == SCORES


def test_a_log_as_json(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**header(), "samples": SAMPLES}, indent=1))
    export = read(path)
    assert export.tool.name == "inspect"
    assert judgments(export.table()) == SCORES


EPOCHS = [sample("q1", n, s=v, t=0.5) for n, v in ((1, 1), (2, 0))] + [sample(7, 1, s=1, t=1)]


def test_epochs_are_a_panel(tmp_path: Path) -> None:
    path = log(tmp_path / "a.eval", EPOCHS)
    export = read(path, coder_from="epoch")
    assert export.questions == ("s", "t")
    assert judgments(export.table("s")) == {
        ("q1", "epoch 1"): 1, ("q1", "epoch 2"): 0, (7, "epoch 1"): 1,
    }  # fmt: skip
    by_scorer = judgments(read(path).table())
    assert by_scorer["q1 (epoch 2)", "s"] == 0
    assert by_scorer["7 (epoch 1)", "t"] == 1.0


def test_models_are_a_panel(tmp_path: Path) -> None:
    paths = [
        log(tmp_path / f"{name}.eval", [sample("q1", s=value)], model=f"lab/{name}")
        for name, value in (("a", "C"), ("b", "I"))
    ]
    expected = {("q1", "lab/a"): "C", ("q1", "lab/b"): "I"}
    assert judgments(read(*paths).table()) == expected
    # A folder and an archive of logs are the same.
    assert judgments(read(tmp_path).table()) == expected
    packed = write_zip(tmp_path / "all.zip", {path.name: path.read_bytes() for path in paths})
    for path in paths:
        path.unlink()
    assert judgments(read(packed).table()) == expected
    by_file = read(packed, coder_from="file")
    assert judgments(by_file.table()) == {("q1", "a"): "C", ("q1", "b"): "I"}
    by_scorer = read(packed, coder_from="scorer")
    assert {item for item, _ in judgments(by_scorer.table())} == {"q1 (a.eval)", "q1 (b.eval)"}


def test_tasks_have_items_of_their_own(tmp_path: Path) -> None:
    for task in ("qa", "math"):
        for name in ("a", "b"):
            log(tmp_path / f"{task}{name}.eval", [sample(1, s=1)], model=name, task=task)
    assert set(judgments(read(tmp_path).table())) == {
        ("1 (qa)", "a"), ("1 (qa)", "b"), ("1 (math)", "a"), ("1 (math)", "b"),
    }  # fmt: skip


def test_logs_of_one_model_need_different_coders(tmp_path: Path) -> None:
    for name in "ab":
        log(tmp_path / f"{name}.eval", [sample(1, s=1)])
    with pytest.raises(ReadError, match="are both of 'openai/a' on task 'qa'"):
        read(tmp_path)
    assert set(judgments(read(tmp_path, coder_from="file").table())) == {(1, "a"), (1, "b")}


def test_values_of_all_kinds(tmp_path: Path) -> None:
    samples = [
        sample("q1", j={"tone": "good", "facts": 3}, k={"tone": "bad", "facts": NAN}),
        sample("q2", j=["a", "b"], k=["a"]),
        sample("q3", j=True, k=[{"x": 1}]),
    ]
    export = read(log(tmp_path / "a.eval", samples))
    assert export.questions == ("tone", "facts", "score")
    assert judgments(export.table("tone")) == {("q1", "j"): "good", ("q1", "k"): "bad"}
    assert judgments(export.table("facts")) == {("q1", "j"): 3, ("q1", "k"): None}
    answers = export.contents.answers["score"]
    assert answers.labels.values == [frozenset("ab"), frozenset("a"), True]
    assert export.contents.left_out["scores of an unknown kind ('score')"] == 1


def test_the_coefficient_is_that_of_the_scores(tmp_path: Path) -> None:
    votes = ["CCIICICC", "CIIIICII"]
    samples = [sample(i, a=a, b=b) for i, (a, b) in enumerate(zip(*votes, strict=True))]
    result = read(log(tmp_path / "a.eval", samples)).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["v"] * 8 + ["w"] * 8, list("".join(votes))
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "said", "message"),
    [
        ([{**SAMPLES[0], "scores": [1]}], {}, "'scores' must be an object"),
        ([{**SAMPLES[0], "scores": {"a": 1}}], {}, "scorer 'a': a score must be an object"),
        ([{**SAMPLES[0], "scores": {"a": {}}}], {}, "a score must be an object with 'value'"),
        ([{**SAMPLES[0], "id": None}], {}, "'id' must be a text or a whole number, got 'null'"),
        (
            [{**SAMPLES[0], "epoch": "one"}],
            {"coder_from": "epoch"},
            "'epoch' must be a whole",
        ),
        ([SAMPLES[0]], {"coder_from": "[a-z"}, "is no regular expression"),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path, content: list[Any], said: dict[str, Any], message: str
) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(log(tmp_path / "a.eval", content), **said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("{", "not JSON"),
        ("", "got 0 values"),
        ("{} {}", "got 2 values"),
        ("3", "must be an object"),
    ],
)
def test_a_sample_that_is_broken_is_named(tmp_path: Path, broken: str, message: str) -> None:
    content = {**members(SAMPLES, header()), "samples/q9_epoch_1.json": broken}
    with pytest.raises(ReadError, match=message) as caught:
        read(write_zip(tmp_path / "a.eval", content))
    assert "'samples/q9_epoch_1.json' in" in str(caught.value)


def test_a_log_that_fills_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement_fast.files.exports.bundle.FREE_EXPANSION", 1 << 16)
    huge = {**members(SAMPLES, header()), "samples/q9_epoch_1.json": '"' + "x" * 5_000_000 + '"'}
    with pytest.raises(ReadError, match="expands to more than"):
        read(write_zip(tmp_path / "a.eval", huge))


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = log(tmp_path / "a.eval")
    content = path.read_bytes()
    for some in (*cuts(content), *blots(content)):
        path.write_bytes(some)
        refused(path, format="inspect")
    whole = tmp_path / "a.json"
    good = 0
    for other in changed({**header(), "samples": SAMPLES[:2]}, every=6):
        whole.write_text(json.dumps(other))
        for how in (None, "epoch", "model"):
            good += refused(whole, format="inspect", coder_from=how) is None
    assert good > 100


@pytest.mark.parametrize(
    "content",
    ["", "item,coder,label\n1,a,x\n", '{"eval": {"model": "a"}, "samples": []}', '{"id": 1}', "PK"],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.eval"
    path.write_text(content)
    assert find_tool(Bundle.of([str(path)]), None) is None


def test_other_archives_are_not_recognised(tmp_path: Path) -> None:
    for names in (["samples/a.json"], ["header.json", "b.json"], ["header.json", "samples/a.json"]):
        path = write_zip(tmp_path / "a.zip", dict.fromkeys(names, '{"id": 1}'))
        assert find_tool(Bundle.of([str(path)]), None) is None

"""Exports of Prodigy: what is taken for what, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from damage import changed
from examples import examples
from exported import judgments, read, units, write_lines
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool
from agreement_fast.files.exports.prodigy import Prodigy

OPTIONS = [{"id": "pos", "text": "good"}, {"id": "neg", "text": "bad"}]


def record(number: int, coder: str | None, view: str, answer: str = "accept", **more: Any) -> Any:
    """One judgment."""
    who = {"_annotator_id": coder, "_session_id": coder} if coder else {}
    return {
        "text": f"text {number}",
        "_input_hash": -number,
        "_task_hash": 100 + number,
        "_view_id": view,
        "answer": answer,
        "_timestamp": 1_700_000_000,
        **who,
        **more,
    }


def choice(
    number: int, coder: str | None, *accept: Any, answer: str = "accept", **more: Any
) -> Any:
    return record(number, coder, "choice", answer, options=OPTIONS, accept=list(accept), **more)


def manual(number: int, coder: str, *spans: tuple[Any, ...], answer: str = "accept") -> Any:
    marked = [{"start": a, "end": b, "label": label} for a, b, label in spans]
    return record(number, coder, "ner_manual", answer, spans=marked, text="Ann met Ben.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "export.jsonl"


def test_choices(path: Path) -> None:
    write_lines(
        path,
        [
            choice(1, "ds-ann", "pos"),
            choice(1, "ds-ben", "neg"),
            choice(2, "ds-ann", "pos", "neg"),
            choice(2, "ds-ben", answer="ignore"),
            choice(3, "ds-ann"),
            choice(3, "ds-ben", "pos", answer="reject"),
        ],
    )
    export = read(path)
    assert export.tool.title == "Prodigy"
    assert export.questions == ("choice",)
    expected = {
        ("-1", "ann"): frozenset({"pos"}),
        ("-1", "ben"): frozenset({"neg"}),
        ("-2", "ann"): frozenset({"pos", "neg"}),
        ("-2", "ben"): None,
        ("-3", "ann"): frozenset(),
        ("-3", "ben"): None,
    }
    assert judgments(export.table()) == expected
    assert export.contents.left_out == {"ignored answers": 1, "rejected answers": 1}
    assert export.contents.notes == [
        "'ds-', with which all names of coders begin, is left out of the names"
    ]
    skipped = {who: frozenset({"skipped"}) if x is None else x for who, x in expected.items()}
    assert judgments(read(path, count_skips=True).table()) == skipped


def test_the_sample_of_the_documented_shape(path: Path) -> None:
    """Labels are single if every answer is; options may be numbers."""
    write_lines(path, [choice(1, "a", 1), choice(1, "b", 2), choice(2, "a", 2), choice(2, "b", 2)])
    expected = {("-1", "a"): 1, ("-1", "b"): 2, ("-2", "a"): 2, ("-2", "b"): 2}
    assert judgments(read(path).table()) == expected


def test_skips_are_single_labels_where_all_labels_are(path: Path) -> None:
    write_lines(path, [choice(1, "a", "pos"), choice(1, "b", answer="ignore")])
    result = judgments(read(path, count_skips=True).table())
    assert result == {("-1", "a"): "pos", ("-1", "b"): "skipped"}


def test_binary_views(path: Path) -> None:
    write_lines(
        path,
        [
            record(1, "a", "classification", label="SPORT"),
            record(1, "b", "classification", "reject", label="SPORT"),
            record(1, "a", "classification", "ignore", label="ART"),
            record(2, "a", "text", "reject"),
            # Two suggestions in one text are two items.
            record(3, "a", "ner", spans=[{"start": 0, "end": 4, "label": "X"}], _task_hash=7),
            record(3, "a", "ner", "reject", spans=[{"start": 5, "end": 6}], _task_hash=8),
            record(4, "a", "compare", accept={"text": "x"}, reject={"text": "y"}),
        ],
    )
    export = read(path)
    assert export.questions == (
        "classification: SPORT", "classification: ART", "text", "ner", "compare"
    )  # fmt: skip
    assert judgments(export.table("classification: SPORT")) == {
        ("-1", "a"): "accept", ("-1", "b"): "reject"
    }  # fmt: skip
    assert judgments(export.table("classification: ART")) == {("-1", "a"): None}
    assert judgments(export.table("text")) == {("-2", "a"): "reject"}
    assert judgments(export.table("ner")) == {("7", "a"): "accept", ("8", "a"): "reject"}
    assert judgments(export.table("compare")) == {("-4", "a"): "accept"}
    assert export.contents.left_out == {"ignored answers": 1}
    counted = read(path, count_skips=True).table("classification: ART")
    assert judgments(counted) == {("-1", "a"): "skipped"}


def test_spans(path: Path) -> None:
    tokens = [
        {"text": word, "start": start, "end": start + 3, "id": i}
        for i, (word, start) in enumerate([("Ann", 0), ("met", 4), ("Ben", 8)])
    ]
    by_tokens = record(
        1,
        "ds-ben",
        "ner_manual",
        text="Ann met Ben.",
        tokens=tokens,
        spans=[{"token_start": 1, "token_end": 2, "start": None, "label": "VP"}],
    )
    unlabelled = {**manual(4, "ds-ben", (0, 3, "PER")), "_input_hash": -4}
    unlabelled["spans"].append({"start": 4, "end": 7, "label": None})
    write_lines(
        path,
        [
            manual(1, "ds-ann", (0, 3, "PER"), (8, 11, "PER")),
            by_tokens,
            manual(2, "ds-ann"),
            manual(2, "ds-ben", (0, 3, "PER"), answer="reject"),
            manual(3, "ds-ann", (0, 3, "PER"), answer="ignore"),
            {**manual(3, "ds-ben"), "spans": None, "relations": [{"head": 0, "child": 1}]},
            manual(4, "ds-ann", (0, 3, "PER")),
            unlabelled,
        ],
    )
    export = read(path)
    assert units(export) == [
        ("-1", "ann", 0, 3, "PER"), ("-1", "ann", 8, 11, "PER"), ("-1", "ben", 4, 11, "VP"),
        ("-4", "ann", 0, 3, "PER"),
    ]  # fmt: skip
    # An ignored or rejected document, or one with an unreadable span, is not a gap.
    assert list(export.contents.spans["ner_manual"].seen) == [
        ("-1", "ann"), ("-1", "ben"), ("-2", "ann"), ("-3", "ben"), ("-4", "ann")
    ]  # fmt: skip
    assert export.contents.extents == dict.fromkeys(["-1", "-2", "-3", "-4"], (0, 12))
    assert export.contents.left_out == {
        "spans without a label": 1, "relations": 1, "ignored answers": 1, "rejected answers": 1,
        "documents of coders with spans that cannot be read": 1,
    }  # fmt: skip
    assert not export.contents.texts
    assert read(path, spans="line").contents.texts == dict.fromkeys(
        ["-1", "-2", "-3", "-4"], "Ann met Ben."
    )


def test_recordings_and_what_is_left_out(path: Path) -> None:
    sound = [{"start": 0.25, "end": 1.5, "label": "ANN", "channel": 0}]
    write_lines(
        path,
        [
            record(1, "a", "audio_manual", audio_spans=sound),
            record(1, "a", "image_manual", spans=[{"points": [[0, 0]], "label": "CAR"}]),
            record(1, "a", "text_input", user_input="words"),
            record(1, "a", "llm_io"),
        ],
    )
    export = read(path)
    assert units(export) == [("-1", "a", 0.25, 1.5, "ANN")]
    assert export.contents.unit == "seconds"
    assert export.contents.left_out == {
        "drawings on images": 1, "text inputs": 1, "judgments in the view 'llm_io'": 1
    }  # fmt: skip


def test_blocks_ask_several_questions(path: Path) -> None:
    shared = {"options": OPTIONS, "tokens": [], "spans": [{"start": 0, "end": 2, "label": "X"}]}
    write_lines(
        path,
        [
            record(1, "a", "blocks", accept=["pos"], audio_spans=[], **shared),
            record(2, "a", "blocks", "ignore", accept=[], **shared),
            record(3, "a", "blocks"),
        ],
    )
    export = read(path)
    assert export.questions == ("blocks: choice", "blocks: spans", "blocks: audio")
    assert judgments(export.table("blocks: choice")) == {("-1", "a"): "pos", ("-2", "a"): None}
    assert units(export, "blocks: spans") == [("-1", "a", 0, 2, "X")]
    assert export.contents.left_out_for("blocks: choice") == {
        "ignored answers": 1, "judgments in the view 'blocks'": 1
    }  # fmt: skip


def test_what_is_counted_is_not_left_out(path: Path) -> None:
    shared = {"options": OPTIONS, "tokens": [], "spans": []}
    write_lines(
        path,
        [
            record(1, "a", "blocks", "ignore", **shared),
            record(1, "a", "text", "ignore"),
            choice(2, "a", answer="reject"),
        ],
    )
    result = read(path, count_skips=True).contents
    assert result.left_out_for("choice") == result.left_out_for("text") == {}
    assert result.left_out_for("blocks: choice") == {}
    assert result.left_out_for("blocks: spans") == {"ignored answers": 1}


def test_blocks_may_have_spans_without_tokens(path: Path) -> None:
    marked = {"spans": [{"start": 0, "end": 2, "label": "X"}]}
    write_lines(
        path,
        [
            record(1, "a", "blocks", options=OPTIONS, accept=["pos"], **marked),
            record(1, "b", "blocks", options=OPTIONS, accept=["pos"], spans=[]),
        ],
    )
    export = read(path)
    assert units(export, "blocks: spans") == [("-1", "a", 0, 2, "X")]
    assert list(export.contents.spans["blocks: spans"].seen) == [("-1", "a"), ("-1", "b")]
    assert any("blocks without tokens" in note for note in export.notes())


def test_keys_that_are_null_are_not_there(path: Path) -> None:
    null = dict.fromkeys(["audio_spans", "tokens", "spans", "accept", "versions", "relations"])
    write_lines(
        path,
        [
            {**choice(1, "a"), **null},
            {**choice(2, "a", "pos"), **null, "accept": ["pos"]},
            {**choice(3, "a", "pos"), **null, "accept": ["pos"], "_view_id": "blocks"},
            {**record(4, "a", ""), **null, "options": None, "label": "X", "_view_id": None},
        ],
    )
    export = read(path)
    assert export.questions == ("choice", "blocks: choice", "classification: X")
    assert judgments(export.table("choice")) == {
        ("-1", "a"): frozenset(), ("-2", "a"): frozenset({"pos"})
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "question"),
    [
        ({"options": OPTIONS, "accept": ["pos"]}, "choice"),
        ({"options": OPTIONS}, "choice"),
        ({"tokens": [], "spans": []}, "ner_manual"),
        ({"audio_spans": []}, "audio_manual"),
        ({"spans": [{"start": 0, "end": 1, "label": "X"}]}, "ner"),
        ({"label": "SPORT"}, "classification: SPORT"),
    ],
)
def test_older_records_do_not_name_their_view(path: Path, more: Any, question: str) -> None:
    one = record(1, "a", "", **more)
    del one["_view_id"], one["_annotator_id"]
    write_lines(path, [one])
    assert read(path).questions == (question,)


def test_who_judges_twice(path: Path) -> None:
    write_lines(
        path,
        [
            choice(1, "a", "pos", _timestamp=20),
            choice(1, "a", "neg", _timestamp=10),
            manual(2, "a", (0, 3, "OLD")),
            manual(2, "a", (0, 3, "NEW")),
        ],
    )
    export = read(path)
    assert export.table("choice").labels.decode().tolist() == ["neg", "pos"]
    assert units(export, "ner_manual") == [("-2", "a", 0, 3, "NEW")]
    assert export.contents.left_out == {"earlier annotations of a document by the same coder": 1}


def version(*sessions: str, **more: Any) -> dict[str, Any]:
    return {"text": "text 1", "sessions": list(sessions), "default": True, **more}


def test_a_review_is_unrolled(path: Path) -> None:
    write_lines(
        path,
        [
            record(1, "ds-eve", "review", view_id="choice", options=OPTIONS, accept=["neg"],
                   versions=[version("ds-ann", "ds-ben", accept=["pos"]),
                             version("ds-cid", accept=["neg"], answer="accept")]),
            record(2, "ds-eve", "review", view_id="classification", label="A", answer="reject",
                   versions=[version("ds-ann", answer="accept"),
                             version("ds-ben", answer="reject")]),
            record(3, "ds-eve", "review", view_id="ner_manual", text="Ann",
                   spans=[{"start": 0, "end": 1, "label": "R"}],
                   versions=[version("ds-ann", spans=[{"start": 0, "end": 3, "label": "P"}]),
                             version("ds-ben", _view_id="ner_manual")]),
            # Some of a review keep the view that was reviewed.
            record(4, "ds-eve", "choice", view_id="choice", options=OPTIONS, accept=["neg"],
                   versions=[version("ds-ann", accept=["pos"], _view_id="choice")]),
        ],
    )  # fmt: skip
    export = read(path)
    choices = {
        ("-1", "ann"): "pos",
        ("-1", "ben"): "pos",
        ("-1", "cid"): "neg",
        ("-4", "ann"): "pos",
    }
    assert judgments(export.table("choice")) == choices
    binary = {("-2", "ann"): "accept", ("-2", "ben"): "reject"}
    assert judgments(export.table("classification: A")) == binary
    assert units(export, "ner_manual") == [("-3", "ann", 0, 3, "P")]
    assert export.units("ner_manual").everyone == ("ann", "ben")
    assert export.contents.left_out == {"answers of a reviewer": 4}
    assert export.contents.notes[0].startswith("this is the output of review: its sessions are")
    export = read(path, with_curation=True)
    assert judgments(export.table("choice")) == {
        **choices, ("-1", "reviewer"): "neg", ("-4", "reviewer"): "neg"
    }  # fmt: skip
    assert judgments(export.table("classification: A")) == {
        **binary, ("-2", "reviewer"): "reject"
    }  # fmt: skip
    assert ("-3", "reviewer", 0, 1, "R") in units(export, "ner_manual")
    assert not export.contents.left_out


@pytest.mark.parametrize(
    ("sessions", "names", "notes"),
    [
        (["ds-ann", "ds-andy"], ["ann", "andy"], 1),
        (["my-ds-ann", "my-ds-ben"], ["ann", "ben"], 1),
        (["ann", "andy"], ["ann", "andy"], 0),
        (["ds-ann"], ["ds-ann"], 0),
        (["ds-", "ds-ann"], ["ds-", "ds-ann"], 0),
        (["reviewer", "ds-reviewer", "ds-ann"], ["reviewer", "ds-reviewer", "ds-ann"], 0),
        (["ds-ann", "other"], ["ds-ann", "other"], 0),
        (["2024-02-06_10-17-19", "ds-ann", "ds-ben"], ["2024-02-06_10-17-19", "ann", "ben"], 2),
        (["ds-2024-02-06_10-17-19", "ds-2024-02-06_10-17-20"],
         ["ds-2024-02-06_10-17-19", "ds-2024-02-06_10-17-20"], 1),
    ],
)  # fmt: skip
def test_names_of_coders(path: Path, sessions: list[str], names: list[str], notes: int) -> None:
    write_lines(path, [choice(1, name, "pos") for name in sessions])
    export = read(path)
    assert [coder for _, coder in judgments(export.table())] == names
    assert len(export.contents.notes) == notes
    if "2024" in sessions[0]:
        assert "coders are sessions without a name, such as" in export.contents.notes[0]
        assert export.contents.notes[0].endswith("pass --coder-from file")


def test_a_file_of_each_coder(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        write_lines(tmp_path / f"{name}.jsonl", [choice(1, None, "pos")])
    with pytest.raises(ReadError, match="neither '_annotator_id' nor '_session_id': pass --coder"):
        read(tmp_path)
    export = read(tmp_path, coder_from="file", item_from="text")
    assert judgments(export.table()) == {("text 1", "ann"): "pos", ("text 1", "ben"): "pos"}


def test_the_coefficient_is_that_of_data_typed_in(path: Path) -> None:
    ann, ben = "pppnnnpnpn", "ppnnnnpnpp"
    long = {"p": "pos", "n": "neg"}
    lines = [
        choice(i, f"ds-{who}", long[label])
        for who, labels in (("ann", ann), ("ben", ben))
        for i, label in enumerate(labels)
    ]
    table = read(write_lines(path, lines)).table()
    columns = (one.decode() for one in (table.items, table.coders, table.labels))
    result = af.alpha(af.Annotations.from_long(*columns)).value
    assert result == pytest.approx(af.alpha([list(p) for p in zip(ann, ben, strict=True)]).value)
    assert 0.3 < result < 0.9


def test_units_are_those_typed_in(path: Path) -> None:
    write_lines(
        path,
        [
            manual(1, "ann", (0, 3, "P"), (8, 11, "P")),
            manual(1, "ben", (0, 3, "P"), (4, 7, "V")),
        ],
    )
    result = read(path).units(None)
    columns = (result.coders, result.starts, result.ends, result.categories)
    rows = [("ann", 0, 3, "P"), ("ann", 8, 11, "P"), ("ben", 0, 3, "P"), ("ben", 4, 7, "V")]
    assert sorted(zip(*columns, strict=True)) == rows


# -- what it is not, and what is wrong with it


@pytest.mark.parametrize(
    "content",
    [
        '{"text": "x", "label": ["a"]}\n',
        '{"item": 1, "coder": "a", "label": "x", "answer": "yes"}\n',
        '{"id": 1, "data": {"text": "x"}, "annotations": []}\n',
        "item,coder,label\n1,a,x\n",
        "",
        "[",
        "[]",
    ],
)
def test_what_is_none(path: Path, content: str) -> None:
    path.write_text(content)
    assert not Prodigy().recognise(Bundle.of([str(path)]))


def test_it_is_found(path: Path) -> None:
    write_lines(path, [choice(1, "a", "pos")])
    tool = find_tool(Bundle.of([str(path)]), None)
    assert tool is not None
    assert tool.name == "prodigy"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("answer", ..., "there is no key 'answer'"),
        ("answer", "maybe", "'answer' must be accept, reject or ignore, got 'maybe'"),
        ("_input_hash", ..., "there is no key '_input_hash'"),
        ("_input_hash", 1.5, "'_input_hash' must be a text or a whole number, got '1.5'"),
        ("_annotator_id", 7, "'_annotator_id' must be a text"),
        ("_view_id", 7, "'_view_id' must be a text, got '7'"),
        ("accept", "pos", "'accept' must be a list, got 'pos'"),
        ("accept", [["pos"]], "'accept' must be a list of texts or integers"),
        ("_view_id", "review", "there is no key 'versions'"),
    ],
)
def test_errors_are_one_line(path: Path, key: str, value: Any, message: str) -> None:
    one = choice(2, "a", "pos")
    if value is ...:
        del one[key]
    else:
        one[key] = value
    write_lines(path, [choice(1, "a", "pos"), one])
    with pytest.raises(ReadError) as error:
        read(path)
    assert "export.jsonl', record 2: " in str(error.value)
    assert message in str(error.value).replace('"', "")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (1, "'spans' must be a list of objects"),
        ({"label": "X"}, "span 1: there is no key 'start'"),
        ({"label": 1, "start": 0, "end": 1}, "span 1: 'label' must be a text, got '1'"),
        ({"label": "X", "start": 4, "end": 1}, "must not end before it begins, got 4 to 1"),
        ({"label": "X", "token_start": 0, "token_end": 5}, "must be one of 1 tokens, got 5"),
        ({"label": "X", "token_start": -1, "token_end": 0}, "must be one of 1 tokens, got -1"),
        ({"label": "X", "token_start": 0}, "there is no key 'token_end'"),
    ],
)
def test_wrong_spans(path: Path, span: Any, message: str) -> None:
    token = {"start": 0, "end": 4}
    write_lines(path, [record(1, "a", "ner_manual", spans=[span], tokens=[token])])
    with pytest.raises(ReadError) as error:
        read(path)
    assert message in str(error.value).replace('"', "")


def test_other_errors(path: Path) -> None:
    write_lines(path, [choice(1, "a", "pos")])
    with pytest.raises(ReadError, match="--item-from 'id2' is not one of its keys"):
        read(path, item_from="id2")
    with pytest.raises(ReadError, match="--with-predictions is not for exports of Prodigy"):
        read(path, with_predictions=True)
    with path.open("a") as file:
        file.write('{"_input_hash": ')
    with pytest.raises(ReadError, match=r"line 2: this is not JSON .*truncated"):
        read(path)
    path.write_bytes(b'{"_input_hash": 1, "answer": "accept", "text": "\xe4"}\n')
    with pytest.raises(ReadError, match="is not UTF-8"):
        read(path, format="prodigy")
    write_lines(path, [record(1, "a", "text_input")])
    with pytest.raises(ReadError, match="no judgments; left out: text inputs \\(1\\)"):
        read(path).table()


EVERY_VIEW = [
    choice(1, "ds-ann", "pos"),
    record(2, "ds-ben", "classification", label="A"),
    {**manual(3, "ds-ann", (0, 3, "P")), "tokens": [{"start": 0, "end": 3}]},
    record(4, "ds-eve", "review", view_id="choice", options=OPTIONS, accept=["neg"],
           versions=[version("ds-ann", accept=["pos"])]),
    record(5, "ds-ann", "audio_manual", audio_spans=[{"start": 0.5, "end": 1, "label": "X"}]),
    record(6, "ds-ann", "ner_manual", tokens=[{"start": 0, "end": 4}],
           spans=[{"token_start": 0, "token_end": 0, "label": "X"}]),
]  # fmt: skip


def try_to_read(path: Path) -> bool:
    """Read all of an export; whether it could be read."""
    with suppress(ReadError):
        export = read(path, format="prodigy", with_curation=True)
        for question in export.questions:
            if question in export.contents.spans:
                export.units(question)
                export.table(question, spans="exact")
            else:
                export.table(question)
        return True
    return False


@pytest.mark.breadth
def test_damaged_values(path: Path) -> None:
    read_well, count = 0, 0
    for number, one in enumerate(EVERY_VIEW):
        for other in changed(one, every=6):
            write_lines(path, [*EVERY_VIEW[:number], other, *EVERY_VIEW[number + 1 :]])
            read_well += try_to_read(path)
            count += 1
    assert 0 < read_well < count


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_truncated_files(path: Path, data: st.DataObject) -> None:
    whole = "".join(json.dumps(one) + "\n" for one in EVERY_VIEW)
    cut = data.draw(st.integers(1, len(whole) - 1))
    path.write_text(whole[:cut])
    assert try_to_read(path) == (whole[cut - 1] == "\n" or whole[cut] == "\n")

"""Folders of Potato, written by hand in the shapes of its versions."""

import json

import pytest
from damage import changed, cuts, flipped, refused
from exported import judgments, read, units, write_lines, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.potato import Potato


def label(schema, name, value="true"):
    return [{"schema": schema, "name": name}, value]


def span(name, start, end, **more):
    return [
        {"schema": "ner", "name": name, "title": "x", "start": start, "end": end, **more},
        "true",
    ]


def state(user, labels, spans=None, **more):
    return {
        "user_id": user,
        "instance_id_ordering": ["r1", "r2", "r3", "r4"],
        "instance_id_to_label_to_value": labels,
        "instance_id_to_span_to_value": spans or {},
        "phase_to_page_to_label_to_value": {"consent": {"p": [label("agree", "yes")]}},
        **more,
    }


ANN = state(
    "ann@x.org",
    {
        "r1": [
            label("tone", "good", "1"),
            label("topics", "plot"),
            label("topics", "music"),
            label("topics", "cast", "false"),
            label("scale", "2", "2"),
            label("why", "text_box", "because"),
        ],
        "r2": [label("tone", "bad", "bad"), label("scale", "5", "5")],
        "r3": [],
    },
    instance_id_to_link_to_value={"r1": {"x": {}, "y": {}}},
)
# As the manual has it: an object of schemas.
BEN = state(
    "ben",
    {
        "r1": {"tone": {"labels": {"good": True, "bad": False}}, "topics": {"labels": {"plot": 1}}},
        "r2": {"tone": {"good": "true"}, "topics": {}, "scale": {"4": "4"}},
    },
)


def write_folder(path, *states):
    for one in states:
        folder = path / one["user_id"].partition("@")[0]
        folder.mkdir(parents=True)
        (folder / "user_state.json").write_text(json.dumps(one, indent=2))
    (path / "task.log").write_text("started\n")
    return path


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "annotation_output", ANN, BEN)


def test_each_schema_is_a_question(folder):
    export = read(folder)
    assert export.tool.name == "potato"
    assert export.questions == ("tone", "topics", "scale")
    assert judgments(export.table("tone")) == {
        ("r1", "ann@x.org"): "good",
        ("r2", "ann@x.org"): "bad",
        ("r1", "ben"): "good",
        ("r2", "ben"): "good",
    }
    assert judgments(export.table("topics")) == {
        ("r1", "ann@x.org"): frozenset({"plot", "music"}),
        ("r2", "ann@x.org"): None,
        ("r1", "ben"): frozenset({"plot"}),
        ("r2", "ben"): None,
    }
    # Names that are numbers are numbers.
    assert judgments(export.table("scale")) == {
        ("r1", "ann@x.org"): 2,
        ("r2", "ann@x.org"): 5,
        ("r1", "ben"): None,
        ("r2", "ben"): 4,
    }
    assert export.notes() == [
        "left out: links of spans (2), items without an answer (1), free texts (1)",
        "Potato stores nothing for an item without ticks, as for one that nobody looked at: both"
        " are missing; with --count-empty, no tick is a judgment",
    ]
    with pytest.raises(ReadError, match="has 3 questions, and one must be chosen"):
        export.table()


def test_no_tick_is_a_judgment_where_that_is_said(folder):
    export = read(folder, count_empty=True)
    assert judgments(export.table("topics")) == {
        ("r1", "ann@x.org"): frozenset({"plot", "music"}),
        ("r2", "ann@x.org"): frozenset(),
        ("r1", "ben"): frozenset({"plot"}),
        ("r2", "ben"): frozenset(),
    }
    # An item without any answer may never have been seen.
    assert export.contents.left_out["items without an answer"] == 1
    # A choice that was not made is none.
    assert judgments(export.table("scale"))["r1", "ben"] is None


def test_alpha_is_that_of_the_same_labels_by_hand(folder):
    table = read(folder).table("scale")
    data = af.Annotations.from_long(
        table.items.decode(), table.coders.decode(), table.labels.decode()
    )
    by_hand = af.Annotations.from_wide([[2, None], [5, 4]])
    assert float(af.alpha(data, distance="interval")) == float(
        af.alpha(by_hand, distance="interval")
    )


def test_zero_is_a_value_and_no_choice(tmp_path):
    states = [
        state(user, {
            "r1": {"topics": {"plot": 1, "cast": 0}, "level": {"slider": 0}, "scale": {"0": "0"}},
            "r2": {"topics": {"plot": 0, "cast": 1}, "level": {"slider": 4}, "scale": {"3": "3"}},
        })
        for user in ("ann", "ben")
    ]  # fmt: skip
    export = read(write_folder(tmp_path / "out", *states))
    for question, labels in (("topics", ["plot", "cast"]), ("level", [0, 4]), ("scale", [0, 3])):
        assert list(judgments(export.table(question)).values()) == labels * 2


def test_lines_of_potato_1(tmp_path):
    for coder, tone, where in (("ann", "good", 0), ("ben", "bad", 1)):
        (tmp_path / coder).mkdir()
        write_lines(
            tmp_path / coder / "annotated_instances.jsonl",
            [
                {"id": "consent.html", "label_annotations": {"agree": {"yes": "true"}}},
                {
                    "id": "r1",
                    "displayed_text": "A text",
                    "label_annotations": {"tone": {tone: "1"}, "rate": {"slider": "2.5"}},
                    "span_annotations": [{"start": where, "end": 4, "annotation": "X"}],
                    "behavioral_data": {"time": "1 s"},
                },
                {"id": 2, "label_annotations": {"tone": {"good": "1"}, "rate": {"slider": "0"}}},
            ],
        )
        (tmp_path / coder / "annotation_order.txt").write_text("r1\n2\n")
    export = read(tmp_path)
    assert export.questions == ("tone", "rate", "spans")
    assert judgments(export.table("tone")) == {
        ("r1", "ann"): "good", ("2", "ann"): "good", ("r1", "ben"): "bad", ("2", "ben"): "good",
    }  # fmt: skip
    assert judgments(export.table("rate"))["r1", "ann"] == 2.5
    assert judgments(export.table("rate"))["2", "ben"] == 0
    assert units(export) == [("r1", "ann", 0, 4, "X"), ("r1", "ben", 1, 4, "X")]
    assert export.notes() == ["left out: pages of surveys (2)"]
    by_path = read(tmp_path, coder_from="^(.)")
    assert set(by_path.table("tone").coders.decode()) == {"a", "b"}


def test_spans_of_fields_and_with_gaps(tmp_path):
    gap = {"additional_parts": [{"start": 8, "end": 9, "text": "x"}]}
    ann = state(
        "ann",
        {"r2": [label("tone", "good")], "r3": []},
        {"r1": [span("A", 0, 5, **gap), span("B", 1, 3, target_field="title")], "r3": []},
    )
    ben = state("ben", {}, {"r1": {"ner": [{"label": "A", "start": 0, "end": 5}]}, "r2": []})
    export = read(write_folder(tmp_path / "out", ann, ben))
    assert [
        (s.document, s.coder, s.parts, s.category) for s in export.contents.spans["ner"].marked
    ] == [
        ("r1", "ann", ((0, 5), (8, 9)), "A"),
        ("r1:title", "ann", ((1, 3),), "B"),
        ("r1", "ben", ((0, 5),), "A"),
    ]
    # Who answered another question of an item has seen that there is nothing to mark.
    assert set(export.contents.spans["ner"].seen) == {
        ("r1", "ann"), ("r1:title", "ann"), ("r2", "ann"), ("r2:title", "ann"),
        ("r1", "ben"), ("r1:title", "ben"),
    }  # fmt: skip
    assert export.contents.left_out == {"items without an answer": 2}


def test_ratings_of_several_things_are_a_question_each(tmp_path):
    states = [
        state(user, {"r1": [label("rate", "plot", a), label("rate", "music", b)],
                     "r2": [label("rate", "plot", "3"), label("rate", "music", "3")]})
        for user, a, b in (("ann", "1", "2"), ("ben", "2", "2"))
    ]  # fmt: skip
    export = read(write_folder(tmp_path / "out", *states))
    assert export.questions == ("rate: plot", "rate: music")
    assert judgments(export.table("rate: plot")) == {
        ("r1", "ann"): 1, ("r2", "ann"): 3, ("r1", "ben"): 2, ("r2", "ben"): 3,
    }  # fmt: skip


def test_a_name_with_several_numbers_is_a_value(tmp_path):
    states = [
        state(
            user, {"r1": [label("level", "degree", first)], "r2": [label("level", "degree", "4")]}
        )
        for user, first in (("ann", "3"), ("ben", "1.5"))
    ]
    export = read(write_folder(tmp_path / "out", *states))
    assert judgments(export.table("level: degree")) == {
        ("r1", "ann"): 3, ("r2", "ann"): 4, ("r1", "ben"): 1.5, ("r2", "ben"): 4,
    }  # fmt: skip


def test_spans_that_were_taken_back_are_none(tmp_path):
    back = [span("A", 0, 5)[0], False]
    states = [state(user, {}, {"r1": [back, span("B", 1, 2)]}) for user in ("ann", "ben")]
    export = read(write_folder(tmp_path / "out", *states))
    assert units(export) == [("r1", "ann", 1, 2, "B"), ("r1", "ben", 1, 2, "B")]


def test_menus_are_values_and_prose_is_left_out(tmp_path):
    states = [
        state(
            user,
            {
                f"r{n}": [
                    label("menu", "select-one", "fair" if n else menu),
                    label("note", "remark", f"{user} says {n}"),
                    label("long", "remark", "word " * 21),
                    label("image", "image", '{"boxes": []}'),
                ]
                for n in range(12)
            },
        )
        for user, menu in (("ann", "good"), ("ben", "bad"))
    ]
    export = read(write_folder(tmp_path / "out", *states))
    assert export.questions == ("menu",)
    assert judgments(export.table())["r0", "ann"] == "good"
    assert judgments(export.table())["r1", "ben"] == "fair"
    assert export.contents.left_out == {"free texts": 48, "answers of several values": 24}


def test_archives_and_files_of_other_names(folder, tmp_path):
    before = judgments(read(folder).table("tone"))
    members = {f"{user['user_id']}/user_state.json": json.dumps(user) for user in (ANN, BEN)}
    assert judgments(read(write_zip(tmp_path / "o.zip", members)).table("tone")) == before
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    one.write_text(json.dumps(ANN))
    two.write_text(json.dumps(BEN))
    assert judgments(read(one, two).table("tone")) == before
    lines = write_lines(tmp_path / "x.jsonl", [{"id": "1", "label_annotations": {}}])
    with pytest.raises(ReadError, match="is in no folder of a coder"):
        read(lines)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"user_id": 3}, "'user_id' must be a text, got '3'"),
        ({"instance_id_to_label_to_value": []}, "must be an object, got '[]'"),
        ({"instance_id_to_label_to_value": {"r1": 3}}, "labels must be a list or an object"),
        ({"instance_id_to_label_to_value": {"r1": [3]}}, "a label must be [{schema, name}, value]"),
        (
            {"instance_id_to_label_to_value": {"r1": [[{"schema": "x"}, 1]]}},
            "no key 'name'",
        ),
        ({"instance_id_to_label_to_value": {"r1": {"x": "y"}}}, "'x' must be an object, got"),
        ({"instance_id_to_span_to_value": {"r1": [span("A", 5, 0)]}}, "must not end before"),
        ({"instance_id_to_span_to_value": {"r1": [span("A", 0, "5")]}}, "'end' must be a whole"),
        ({"instance_id_to_span_to_value": {"r1": [span(None, 0, 5)]}}, "'name' must be a text"),
        ({"instance_id_to_event_to_value": {"r1": 4}}, "must be an object or a list, got '4'"),
    ],
)
def test_errors_name_the_file_and_key(folder, change, message):
    (folder / "ann" / "user_state.json").write_text(json.dumps({**ANN, **change}))
    with pytest.raises(ReadError) as error:
        read(folder, format="potato")
    assert message in str(error.value)
    assert "ann/user_state.json" in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "known"),
    [
        ("user_state.json", json.dumps(ANN), True),
        ("x.json", json.dumps(BEN), True),
        ("x.jsonl", '{"id": "1", "label_annotations": {}}\n', True),
        ("user_state.json", '{"user_id": "ann"}', False),
        ("x.json", '{"id": 1, "annotations": [], "data": {}}', False),
        ("x.jsonl", '{"item": 1, "coder": "ann", "label": "x"}\n', False),
        ("x.csv", "id,label_annotations\n1,x\n", False),
        ("user_state.json", "", False),
    ],
)
def test_recognition(tmp_path, name, content, known):
    (tmp_path / name).write_text(content)
    assert Potato().recognise(Bundle.of([str(tmp_path)])) == known


@pytest.mark.breadth
def test_damaged_states_raise_nothing_else(tmp_path):
    rich = state(
        "ann",
        {"r1": [label("tone", "good")], "r2": {"tone": {"labels": {"good": True}}}},
        {"r1": [span("A", 0, 5, additional_parts=[{"start": 7, "end": 8}], target_field="f")],
         "r2": {"ner": [{"label": "A", "start": 0, "end": 5}]}},
        instance_id_to_link_to_value={"r1": {"x": {}}},
    )  # fmt: skip
    folder = write_folder(tmp_path / "out", rich, BEN)
    path = folder / "ann" / "user_state.json"
    seen = set()
    for damaged in changed(rich, every=6):
        path.write_text(json.dumps(damaged))
        seen.add((refused(folder, format="potato") or "read")[-30:])
    assert len(seen) > 20
    content = json.dumps({**rich, "instance_id_ordering": []}).encode()
    for damaged in (*cuts(content), *flipped(content, [0, 34], every=2)):
        path.write_bytes(damaged)
        refused(folder, format="potato")
    line = {"id": "1", "label_annotations": {"x": {"y": "z"}},
            "span_annotations": [{"start": 0, "end": 1, "annotation": "X"}]}  # fmt: skip
    for damaged in changed(line, every=3):
        write_lines(path, [line, damaged])
        refused(folder, format="potato")

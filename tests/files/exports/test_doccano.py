"""Archives of doccano, written by hand."""

import json

import pytest
from damage import changed, cuts, flipped, refused
from exported import judgments, read, units, write_lines, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.doccano import Doccano
from agreement_fast.files.exports.export import find_tool

TEXTS = ["The river rose.", "A 🎈 over Łódź", "No\nmore", "Rain", "Sun"]


def lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def example(place, label, **more):
    return {"id": 11 + place, "text": TEXTS[place], "label": label, "Comments": [], **more}


ANN = [
    example(0, ["weather"], source="news"),
    example(1, ["travel", "weather"]),
    example(2, []),
    example(3, ["weather"], Comments=["sure?", "yes"]),
    example(4, ["travel"]),
]
BEN = [
    example(0, ["weather"]),
    example(1, ["travel"]),
    example(2, ["travel"]),
    example(3, []),
    example(4, []),
]


@pytest.fixture
def classes(tmp_path):
    # A user's name may be an address, and a member who confirmed nothing has an empty file.
    members = {"ann.b@x.org.jsonl": lines(ANN), "ben.jsonl": lines(BEN), "cy.jsonl": "\n"}
    return write_zip(tmp_path / "export.zip", members)


def test_classes(classes):
    export = read(classes)
    assert export.tool.name == "doccano"
    assert export.questions == ("label",)
    assert judgments(export.table()) == {
        (11, "ann.b@x.org"): frozenset({"weather"}),
        (12, "ann.b@x.org"): frozenset({"travel", "weather"}),
        (14, "ann.b@x.org"): frozenset({"weather"}),
        (15, "ann.b@x.org"): frozenset({"travel"}),
        (13, "ann.b@x.org"): None,
        (11, "ben"): frozenset({"weather"}),
        (12, "ben"): frozenset({"travel"}),
        (13, "ben"): frozenset({"travel"}),
        (14, "ben"): None,
        (15, "ben"): None,
    }
    assert export.notes() == [
        "left out: comments (2), examples without labels (3)",
        "1 of 3 files hold no example",
        "doccano exports an example without labels like one that nobody looked at: both are"
        " missing; with --count-empty, no label is a judgment",
    ]
    assert export.contents.extents == {}


def test_an_empty_list_is_a_judgment_where_that_is_said(classes):
    export = read(classes, count_empty=True)
    empty = {key for key, label in judgments(export.table()).items() if label == frozenset()}
    assert empty == {(13, "ann.b@x.org"), (14, "ben"), (15, "ben")}
    assert export.notes() == ["left out: comments (2)", "1 of 3 files hold no example"]


def test_alpha_is_that_of_the_same_labels_by_hand(classes):
    table = read(classes, count_empty=True).table()
    data = af.Annotations.from_long(
        table.items.decode(), table.coders.decode(), table.labels.decode()
    )
    travel, weather = frozenset({"travel"}), frozenset({"weather"})
    by_hand = af.Annotations.from_long(
        [1, 2, 3, 4, 5, 1, 2, 3, 4, 5],
        ["a"] * 5 + ["b"] * 5,
        [weather, travel | weather, frozenset(), weather, travel,
         weather, travel, travel, frozenset(), frozenset()],
    )  # fmt: skip
    assert float(af.alpha(data, distance="masi")) == float(af.alpha(by_hand, distance="masi"))


def test_single_labels_are_no_sets(tmp_path):
    for coder, label in (("ann", "a"), ("ben", "b")):
        write_lines(tmp_path / f"{coder}.jsonl", [example(0, [label]), example(1, ["a"])])
    table = read(tmp_path).table()
    assert judgments(table) == {
        (11, "ann"): "a", (12, "ann"): "a", (11, "ben"): "b", (12, "ben"): "a",
    }  # fmt: skip


def test_tables_of_three_columns_are_recognised_where_they_lie_together(tmp_path):
    tables = {
        "ann.csv": "id,text,label\r\n1,hello,pos\r\n2,bye,pos#neg\r\n",
        "ben.csv": "id,text,label\r\n1,hello,neg\r\n2,bye,\r\n",
    }
    (tmp_path / "folder").mkdir()
    for name, content in tables.items():
        (tmp_path / "folder" / name).write_bytes(content.encode())
    for path in (write_zip(tmp_path / "a.zip", tables), tmp_path / "folder"):
        export = read(path)
        assert export.tool.name == "doccano"
        assert judgments(export.table()) == {
            (1, "ann"): {"pos"}, (1, "ben"): {"neg"}, (2, "ann"): {"pos", "neg"}, (2, "ben"): None
        }  # fmt: skip
    files = [str(tmp_path / "folder" / name) for name in tables]
    assert find_tool(Bundle.of(files), None) is None
    (tmp_path / "folder" / "other.csv").write_text("id,text,label,coder\n1,hello,pos,ann\n")
    assert find_tool(Bundle.of([str(tmp_path / "folder")]), None) is None


def test_json_and_csv_are_the_same_as_json_lines(tmp_path):
    csv = (
        "id,text,label,source,Comments\n"
        '11,The river rose.,weather,news,\n12,A 🎈 over Łódź,travel#weather,,\n13,"No\nmore",,,\n'
        "14,Rain,weather,,sure?#yes\n15,Sun,travel,,\n"
    )
    expected = None
    for suffix, ann in (("jsonl", lines(ANN)), ("json", json.dumps(ANN)), ("csv", csv)):
        folder = tmp_path / suffix
        folder.mkdir()
        (folder / f"ann.{suffix}").write_text(ann, encoding="utf-8")
        write_lines(folder / "ben.jsonl", BEN)
        export = read(folder)
        expected = expected or judgments(export.table())
        assert judgments(export.table()) == expected
        assert export.contents.left_out["comments"] == 2


SPANS = {
    "ann": [
        example(0, [[4, 9, "thing"], [0, 9, "all"]]),
        example(1, [[2, 3, "thing"]]),
        example(2, []),
    ],
    "ben": [example(0, [[4, 9, "thing"]]), example(1, [[9, 13, "place"]]), example(2, [])],
}


def write_folder(path, members):
    path.mkdir(exist_ok=True)
    for coder, records in members.items():
        write_lines(path / f"{coder}.jsonl", records)
    return path


def test_spans(tmp_path):
    folder = write_folder(tmp_path / "export", SPANS)
    export = read(folder)
    expected = [
        (11, "ann", 0, 9, "all"),
        (11, "ann", 4, 9, "thing"),
        (11, "ben", 4, 9, "thing"),
        (12, "ann", 2, 3, "thing"),
        (12, "ben", 9, 13, "place"),
    ]
    assert units(export) == expected
    # The balloon is one character.
    assert export.contents.extents == {11: (0, 15), 12: (0, 13), 13: (0, 7)}
    assert list(export.contents.spans["label"].seen) == [
        (11, "ann"), (12, "ann"), (11, "ben"), (12, "ben"),
    ]  # fmt: skip
    counted = read(folder, count_empty=True)
    assert (13, "ann") in counted.contents.spans["label"].seen
    assert units(counted) == expected


def entities(place, spans, relations=0):
    return {
        "id": place,
        "text": TEXTS[place],
        "entities": [
            {"id": n, "label": label, "start_offset": start, "end_offset": end}
            for n, (start, end, label) in enumerate(spans)
        ],
        "relations": [{"id": n, "from_id": 0, "to_id": 1, "type": "x"} for n in range(relations)],
        "Comments": [{"id": 1, "comment": "hm"}],
    }


def test_entities_and_relations(tmp_path):
    members = {"ann": [entities(0, [(0, 3, "a"), (4, 9, "b")], 2)], "ben": [entities(0, [])]}
    folder = write_folder(tmp_path / "export", members)
    # One value may stand on several lines.
    (folder / "ann.jsonl").write_text(json.dumps(members["ann"][0], indent=4))
    export = read(folder)
    assert units(export) == [(0, "ann", 0, 3, "a"), (0, "ann", 4, 9, "b")]
    assert export.notes()[0] == "left out: relations (2), comments (2), examples without labels (1)"


def test_intents_are_two_questions(tmp_path):
    def said(place, cats, spans):
        return {"id": place, "text": TEXTS[place], "cats": cats, "entities": spans}

    folder = write_folder(
        tmp_path / "export",
        {
            "ann": [said(0, ["a"], [[0, 3, "x"]]), said(1, ["b"], []), said(2, [], [])],
            "ben": [said(0, ["b"], [[0, 3, "x"]]), said(1, [], [[0, 1, "x"]]), said(2, [], [])],
        },
    )
    export = read(folder)
    assert export.questions == ("cats", "entities")
    assert judgments(export.table("cats")) == {
        (0, "ann"): "a", (1, "ann"): "b", (2, "ann"): None,
        (0, "ben"): "b", (1, "ben"): None, (2, "ben"): None,
    }  # fmt: skip
    # Who chose an intent has seen that there is no slot.
    assert list(export.contents.spans["entities"].seen) == [
        (0, "ann"), (1, "ann"), (0, "ben"), (1, "ben"),
    ]  # fmt: skip
    with pytest.raises(ReadError, match="has 2 questions, and one must be chosen"):
        export.table()


@pytest.mark.parametrize("label", [["word " * 21], None])
def test_texts_that_were_written_are_left_out(tmp_path, label):
    folder = write_folder(
        tmp_path / "export",
        {
            coder: [
                {"id": n, "text": "x", "label": label or [f"{coder} wrote {n}"]} for n in range(15)
            ]
            for coder in ("ann", "ben")
        },
    )
    export = read(folder)
    assert export.questions == ()
    with pytest.raises(ReadError, match="holds no judgments; left out: written texts \\(30\\)"):
        export.table()


def test_boxes_are_left_out(tmp_path):
    record = {"id": 1, "filename": "a.png", "bbox": [{"x": 1, "label": "a"}], "Comments": []}
    folder = write_folder(tmp_path / "export", {"ann": [record], "ben": [record]})
    with pytest.raises(ReadError, match="holds no judgments; left out: boxes \\(2\\)"):
        read(folder).table()


def test_items_of_projects_of_their_own(tmp_path):
    folder = write_folder(
        tmp_path / "export",
        {"ann": [example(0, ["a"])], "ben": [{**example(0, ["b"]), "id": 99}]},
    )
    assert read(folder).notes()[0].startswith("no two coders share an example: if each coder")
    assert judgments(read(folder, item_from="text").table()) == {
        (TEXTS[0], "ann"): "a",
        (TEXTS[0], "ben"): "b",
    }
    write_lines(folder / "ben.jsonl", [{**example(1, ["b"]), "id": 11}])
    with pytest.raises(ReadError) as error:
        read(folder)
    assert "example '11' has a different text in" in str(error.value)
    assert str(error.value).endswith("pass --item-from text")


def test_files_without_coders_are_refused(tmp_path):
    everyone = write_lines(tmp_path / "all.jsonl", ANN)
    with pytest.raises(ReadError, match="that its members share, and does not say"):
        read(everyone)
    with pytest.raises(ReadError, match="that its members share"):
        read(everyone, write_lines(tmp_path / "ben.jsonl", BEN))
    with pytest.raises(ReadError, match="is the file of one member"):
        read(tmp_path / "ben.jsonl")
    for coder, records in (("ann", ANN), ("ben", BEN)):
        (tmp_path / coder).mkdir()
        write_lines(tmp_path / coder / "all.jsonl", records)
    export = read(tmp_path / "ann", tmp_path / "ben", coder_from="folder")
    assert judgments(export.table())[12, "ben"] == frozenset({"travel"})


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"text": "x", "label": ["a"]}, "there is no key 'id': name what an item is"),
        ({"id": 1, "label": ["a"]}, "has none of text, filename, data"),
        ({"id": 1, "text": "x"}, "has none of label, cats, entities"),
        ({"id": 1.5, "text": "x", "label": []}, "'id' must be a whole number or a text, got '1.5'"),
        ({"id": 1, "text": None, "label": []}, "'text' must be a text, got 'null'"),
        ({"id": 1, "text": "x", "label": "a"}, "'label' must be a list, got"),
        ({"id": 1, "text": "x", "label": ["a", 1]}, "a label in 'label' must be a text, got '1'"),
        ({"id": 1, "text": "x", "label": [[0, 1, "a"]]}, "'label' must hold categories as before"),
        ({"id": 1, "text": "x", "entities": [[0, 2, "a"]]}, "is no span of a text of 1 characters"),
        ({"id": 1, "text": "x", "entities": [[0, True, "a"]]}, "must be [start, end, label], got"),
        ({"id": 1, "text": "x", "entities": [{"label": "a"}]}, "there is no key 'start_offset'"),
        ({"id": 1, "text": "x", "label": [], "Comments": 3}, "'Comments' must be a list, got '3'"),
        ([1], "must be an object, got '[1]'"),
    ],
)
def test_errors_name_the_record(tmp_path, record, message):
    good = {"id": 0, "text": "y", "label": ["a"]}
    folder = write_folder(tmp_path / "export", {"ann": [good, record], "ben": [good]})
    with pytest.raises(ReadError) as error:
        read(folder, format="doccano")
    assert message in str(error.value)
    assert "ann.jsonl', record 2" in str(error.value)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ('{"text": "x", "label": ["a"]}\n', True),
        ('{"filename": "x.png", "label": []}\n', True),
        ('[{"data": "x", "entities": []}]', True),
        ("id,text,label,Comments\n1,x,a,\n", True),
        ('{"text": "x", "label": "a"}\n', False),
        ('{"text": "x", "label": ["a"], "annotator": "ann"}\n', False),
        ('{"text": "x", "label": ["a"], "_input_hash": 1}\n', False),
        ('{"data": {"text": "x"}, "annotations": []}\n', False),
        ('{"item": "x", "coder": "ann", "label": ["a"]}\n', False),
        ("id,text,label\n1,x,a\n", False),
        ("id,text,label,Comments,coder\n1,x,a,,ann\n", False),
        ("item,coder,label\n1,ann,x\n", False),
        ("", False),
        ("[1, 2]", False),
        ("\x00\x01", False),
    ],
)
def test_recognition(tmp_path, content, known):
    path = tmp_path / "x.jsonl"
    path.write_text(content)
    assert Doccano().recognise(Bundle.of([str(path)])) == known


def test_damaged_records_raise_nothing_else(tmp_path):
    folder = write_folder(tmp_path / "export", {"ann": [], "ben": [ANN[1]]})
    seen = set()
    for record in (ANN[3], SPANS["ann"][0], entities(0, [(0, 3, "a")], 1)):
        for damaged in changed(record, every=6):
            write_lines(folder / "ann.jsonl", [record, damaged])
            for item_from in (None, "text"):
                seen.add((refused(folder, format="doccano", item_from=item_from) or "read")[-30:])
    assert len(seen) > 20


@pytest.mark.breadth
def test_damaged_files_raise_nothing_else(tmp_path):
    content = lines([ANN[1], ANN[3]]).encode()
    folder = write_folder(tmp_path / "export", {"ben": [ANN[1]]})
    for damaged in (*cuts(content, 100), *flipped(content, every=6)):
        (folder / "ann.jsonl").write_bytes(damaged)
        refused(folder, format="doccano")
    (folder / "ann.jsonl").write_text("\n")
    assert refused(folder, format="doccano") is None
    (folder / "ann.jsonl").write_text('""\n')
    assert refused(folder, format="doccano") is None
    (folder / "ann.jsonl").write_text('{"id": 1, "text": "x", "label": ' + "[" * 100_000)
    assert "nested too deeply" in str(refused(folder, format="doccano"))
    archive = write_zip(tmp_path / "e.zip", {"ann.jsonl": content, "ben.jsonl": content})
    whole = archive.read_bytes()
    for damaged in (*cuts(whole), *flipped(whole, [0, 255], every=6)):
        archive.write_bytes(damaged)
        refused(archive, format="doccano")


@pytest.mark.breadth
def test_archives_that_fill_the_memory_are_refused(tmp_path):
    bomb = write_zip(tmp_path / "e.zip", {"ann.jsonl": b" " * (300 << 20), "ben.jsonl": "{}"})
    assert "expands to more than" in str(refused(bomb, format="doccano"))

"""UIMA CAS in JSON and XMI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cas_files import DKPRO, NOTE, STANCE, TOPIC, TYPE_SYSTEM, cas_json, cas_xmi, feature
from damage import changed, damaged_text, refused, truncated
from exported import judgments, read, units, write_zip

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

TEXT = "Hi 😀 you. So."
#: Two stances, one stacked with nothing said; reasons; a note; a topic; what is no question.
STRUCTURES = [
    {"%TYPE": DKPRO + "segmentation.type.Token", "begin": 0, "end": 2},
    {"%TYPE": STANCE, "begin": 3, "end": 9, "value": "for", "strength": 2, "@reasons": 4},
    {"%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["habit", "money"]},
    {"%TYPE": STANCE, "begin": 3, "end": 9, "strength": 0, "@targets": 6},
    {"%TYPE": "uima.cas.FSArray", "%ELEMENTS": [7]},
    {"%TYPE": NOTE, "begin": 11, "end": 14},
    {"%TYPE": TOPIC, "label": "sport"},
    {"%TYPE": TOPIC, "label": "news"},
    {"%TYPE": "webanno.custom.Arrow", "begin": 0, "end": 1, "@Governor": 3, "@Dependent": 5},
    {"%TYPE": "webanno.custom.CorefLink", "begin": 0, "end": 2},
    {"%TYPE": "webanno.custom.CorefChain", "@first": 11},
]


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_all_that_json_has(tmp_path):
    path = write(tmp_path / "ann.json", cas_json(TEXT, STRUCTURES))
    export = read(path, coder_from="file", keep_texts=True)
    marked = {
        name: sorted((*span.parts, span.category) for span in spans.marked)
        for name, spans in export.contents.spans.items()
    }
    assert marked == {
        "Stance.value": [((3, 8), ""), ((3, 8), "for")],
        "Stance.strength": [((3, 8), 0), ((3, 8), 2)],
        "Stance.reasons": [((3, 8), ""), ((3, 8), "habit"), ((3, 8), "money")],
        "Note": [((10, 13), "Note")],
    }
    assert judgments(export.table("Topic.label")) == {
        ("document", "ann"): frozenset({"sport", "news"})
    }
    assert export.contents.left_out == {
        "links between annotations": 1,
        "relations": 1,
        "links of chains": 1,
    }
    assert set(export.questions) == {*marked, "Topic.label"}
    assert export.contents.texts == {"document": TEXT}
    assert export.contents.extents == {"document": (0, 13)}


def test_layers_whose_names_end_alike_have_their_full_names(tmp_path):
    cas = cas_json(
        TEXT, [{"%TYPE": NOTE, "begin": 0, "end": 2}, {"%TYPE": "x.Note", "begin": 0, "end": 2}]
    )
    cas["%TYPES"] = {**cas["%TYPES"], "x.Note": {"%SUPER_TYPE": "uima.tcas.Annotation"}}
    export = read(write(tmp_path / "a.json", cas), coder_from="file")
    assert export.questions == ("webanno.custom.Note", "x.Note")


def test_features_without_values_are_not_questions(tmp_path):
    path = write(tmp_path / "a.json", cas_json(TEXT, [STRUCTURES[1] | {"@reasons": None}]))
    export = read(path, coder_from="file")
    assert export.questions == ("Stance.value", "Stance.strength")
    assert "'Stance.reasons' is not a question, because nobody filled it in" in export.notes()
    empty = {"%TYPE": "x.Empty", "begin": 0, "end": 2}
    cas = cas_json(TEXT, [empty])
    cas["%TYPES"] = {"x.Empty": {"%SUPER_TYPE": "uima.tcas.Annotation", "a": feature()}}
    assert read(write(path, cas), coder_from="file").questions == ("Empty.a",)


def test_who_marked_nothing_left_a_gap_and_who_said_nothing_is_missing(tmp_path):
    write(tmp_path / "ann.json", cas_json(TEXT, STRUCTURES))
    write(tmp_path / "bob.json", cas_json(TEXT, []))
    export = read(tmp_path, coder_from="file")
    assert units(export, "Note") == [("document", "ann", 10, 13, "Note")]
    assert export.units("Note").everyone == ("ann", "bob")
    assert judgments(export.table("Topic.label")) == {
        ("document", "ann"): frozenset({"sport", "news"}),
        ("document", "bob"): None,
    }


@pytest.mark.parametrize("packed", ["folder", "archive"])
def test_xmi_with_its_type_system(tmp_path, packed):
    files = {
        "d/ann.xmi": cas_xmi(TEXT, [(3, 5, "for"), (6, 9, None)]),
        "d/bob.xmi": cas_xmi(TEXT, [(3, 5, "against & <not>")]),
        "d/TypeSystem.xml": TYPE_SYSTEM,
    }
    path = tmp_path
    if packed == "archive":
        path = write_zip(tmp_path / "files.zip", files)
    else:
        for name, content in files.items():
            write(tmp_path / name, content)
    export = read(path, coder_from="file", document_from="folder")
    assert units(export) == [
        ("d", "ann", 3, 4, "for"),
        ("d", "ann", 5, 8, ""),
        ("d", "bob", 3, 4, "against & <not>"),
    ]


def test_the_type_system_is_the_nearest(tmp_path):
    write(tmp_path / "1" / "ann.xmi", cas_xmi(TEXT, []))
    write(tmp_path / "1" / "TypeSystem.xml", TYPE_SYSTEM.replace("custom.Stance", "custom.Other"))
    write(tmp_path / "2" / "ann.xmi", cas_xmi(TEXT, [(0, 2, "for")]))
    write(tmp_path / "2" / "TypeSystem.xml", TYPE_SYSTEM)
    export = read(tmp_path, coder_from="file", document_from="folder")
    assert units(export) == [("2", "ann", 0, 2, "for")]


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>'


def test_xml_that_is_dangerous_or_alone_is_refused(tmp_path):
    path = write(tmp_path / "a.xmi", cas_xmi(TEXT, [(0, 2, "for")]))
    with pytest.raises(ReadError, match="CAS in XMI needs its type system in the same folder"):
        read(path, coder_from="file")
    write(tmp_path / "TypeSystem.xml", TYPE_SYSTEM.replace("<typeS", BOMB + "<typeS", 1))
    with pytest.raises(ReadError, match=r"TypeSystem\.xml.* declares a document type"):
        read(tmp_path, coder_from="file")
    write(tmp_path / "TypeSystem.xml", TYPE_SYSTEM)
    write(path, cas_xmi(TEXT, [(0, 2, "for")]).replace("<xmi:XMI", BOMB + "<xmi:XMI", 1))
    with pytest.raises(ReadError, match=r"a\.xmi.* declares a document type"):
        read(tmp_path, coder_from="file")
    deep = "<n>" * 5_000 + "</n>" * 5_000
    write(path, cas_xmi(TEXT, []).replace("<cas:NULL", deep + "<cas:NULL"))
    with pytest.raises(ReadError, match="nested more than 1,000 deep"):
        read(tmp_path, coder_from="file")


@pytest.mark.parametrize(
    ("structure", "said"),
    [
        ({"%TYPE": NOTE, "begin": 0, "end": 90}, "offset"),
        ({"%TYPE": NOTE, "begin": 3, "end": 4}, "offset"),
        ({"%TYPE": NOTE, "begin": 5, "end": 2}, "at 4-2 is not within the text of 13 characters"),
        ({"%TYPE": NOTE, "begin": None, "end": 2}, "has no position"),
        ({"%TYPE": "none.Such", "begin": 0, "end": 2}, "cannot be read as a UIMA CAS"),
        ({"%TYPE": STANCE, "begin": 0, "end": 2, "value": [1]}, "must be a text or a number"),
        ({"%TYPE": STANCE, "begin": 0, "end": 2, "more": 1}, "cannot be read as a UIMA CAS"),
    ],
)
def test_what_no_cas_has_is_an_error(tmp_path, structure, said):
    path = write(tmp_path / "a.json", cas_json(TEXT, [structure]))
    error = refused(path, coder_from="file")
    assert said in str(error)
    assert "a.json" in str(error)


def test_without_cassis_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cassis", None)
    error = refused(write(tmp_path / "a.json", cas_json(TEXT, [])), coder_from="file")
    assert 'pip install "agreement-fast[uima]"' in str(error)


@pytest.mark.breadth
def test_damaged_json_is_a_result_or_an_error(tmp_path):
    path = tmp_path / "a.json"
    seen = set()
    for value in changed(cas_json(TEXT, STRUCTURES), every=14):
        write(path, value)
        seen.add(refused(path, coder_from="file", format="cas") is None)
    content = json.dumps(cas_json(TEXT, STRUCTURES)).encode()
    truncated(
        path,
        content,
        40,
        lambda cut: seen.add(refused(cut, coder_from="file", format="cas") is None),
    )
    assert seen == {True, False}


def test_damaged_xmi_is_a_result_or_an_error(tmp_path):
    path = tmp_path / "a.xmi"
    content = cas_xmi(TEXT, [(3, 5, "for"), (6, 9, None)])
    seen = set()
    for seed in range(50):
        write(tmp_path / "TypeSystem.xml", TYPE_SYSTEM)
        write(path, damaged_text(content, seed))
        seen.add(refused(tmp_path, coder_from="file", format="cas") is None)
        write(path, content)
        write(tmp_path / "TypeSystem.xml", damaged_text(TYPE_SYSTEM, seed))
        seen.add(refused(tmp_path, coder_from="file", format="cas") is None)
    assert seen == {True, False}


def test_deep_json_is_an_error(tmp_path):
    path = write(tmp_path / "a.json", '{"%TYPES": ' + "[" * 100_000)
    assert refused(path, coder_from="file") is not None


@pytest.mark.parametrize("text", ['{"id": 1}', "<a/>", "item,coder,label\n1,a,x\n", TYPE_SYSTEM])
def test_other_files_are_not_taken(tmp_path, text):
    assert find_tool(Bundle.of([str(write(tmp_path / "a.json", text))]), None) is None

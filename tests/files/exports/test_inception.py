"""Projects of INCEpTION and WebAnno."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cas_files import DKPRO, NOTE, STANCE, TOPIC, TYPE_SYSTEM, cas_json, cas_xmi
from damage import changed, refused, truncated
from exported import judgments, read, units, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

TEXT = "Hi 😀 you."


def layer(name: str, *features: str, kind: str = "span") -> dict[str, Any]:
    return {
        "name": name,
        "type": kind,
        "features": [{"name": one, "type": "uima.cas.String"} for one in features],
    }


def state(document: str, user: str, said: str) -> dict[str, str]:
    # What the annotator says beside it may differ, and is not what counts.
    return {"name": document, "user": user, "state": said, "annotatorState": "IN_PROGRESS"}


PROJECT = {
    "name": "Stances",
    "source_documents": [
        {"name": "d1.txt", "state": "CURATION_FINISHED"},
        {"name": "d2.txt", "state": "CURATION_IN_PROGRESS"},
    ],
    "annotation_documents": [
        state("d1.txt", "ann", "FINISHED"),
        state("d1.txt", "bob", "FINISHED"),
        state("d1.txt", "bob_2", "IN_PROGRESS"),
        state("d1.txt", "cem", "IGNORE"),
        state("d2.txt", "ann", "FINISHED"),
        state("d2.txt", "bob", "FINISHED"),
        state("d2.txt", "new", "NEW"),
    ],
    "layers": [
        layer(DKPRO + "segmentation.type.Token"),
        layer(STANCE, "value"),
        layer(NOTE),
        layer(TOPIC, "label", kind="document-metadata"),
        layer("webanno.custom.Arrow", kind="relation"),
    ],
}


def stance(begin: int, end: int, value: str | None) -> dict[str, Any]:
    said = {} if value is None else {"value": value}
    return {"%TYPE": STANCE, "begin": begin, "end": end, "strength": 1, **said}


def topic(label: str) -> dict[str, str]:
    return {"%TYPE": TOPIC, "label": label}


def dumped(*structures: dict[str, Any]) -> str:
    return json.dumps(cas_json(TEXT, structures))


def tsv(*values: str) -> str:
    rows = zip(("0-2\tHi", "3-5\t😀", "6-9\tyou", "9-10\t."), values, strict=True)
    lines = [f"1-{n}\t{row}\t{value}\t" for n, (row, value) in enumerate(rows, 1)]
    head = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={STANCE}|value", "", "", f"#Text={TEXT}"]
    return "\n".join([*head, *lines, ""])


def packed(path: Path, members: dict[str, str | bytes]) -> bytes:
    content = write_zip(path, members).read_bytes()
    path.unlink()
    return content


def project(folder: Path) -> dict[str, str | bytes]:
    """Every way in which annotations lie in a project."""
    xmi = {"bob.xmi": cas_xmi(TEXT, [(0, 2, "for"), (6, 9, "for")]), "TypeSystem.xml": TYPE_SYSTEM}
    return {
        "exportedproject.json": json.dumps(PROJECT),
        "source/d1.txt": TEXT,
        "annotation_ser/d1.txt/ann.ser": b"\xac\xed",
        "annotation/d1.txt/INITIAL_CAS.json": dumped(),
        "annotation/d1.txt/__predefined__.json": dumped(stance(0, 10, "for")),
        "annotation/d1.txt/ann.json": dumped(
            stance(0, 2, "for"), stance(3, 5, None), topic("sport"),
            {"%TYPE": NOTE, "begin": 6, "end": 9},
            {"%TYPE": "webanno.custom.Arrow", "begin": 0, "end": 1},
        ),
        "annotation/d1.txt/webanno3259911804369659129export.zip": packed(folder / "a.zip", xmi),
        "annotation/d1.txt/bob_2.json": dumped(stance(0, 10, "for")),
        "annotation/d1.txt/cem.json": dumped(stance(0, 10, "for")),
        "annotation/d1.txt/stranger.json": dumped(stance(0, 10, "for")),
        "annotation/d1.txt/ann.tsv": tsv("_", "_", "_", "against"),
        "annotation/d2.txt/INITIAL_CAS.tsv": tsv("_", "_", "_", "_"),
        "annotation/d2.txt/ann_16405719629333389288.tsv": tsv(
            "for", "_", "against[1]", "against[1]"
        ),
        "annotation/d2.txt/bob12345678.tsv": tsv("for", "_", "_", "_"),
        "annotation/d2.txt/new.tsv": tsv("for", "_", "_", "_"),
        "curation/d1.txt/CURATION_USER.json": dumped(stance(0, 2, "for"), topic("news")),
        "curation/d2.txt/CURATION_USER.tsv": tsv("for", "_", "_", "_"),
    }  # fmt: skip


def unpacked(folder: Path, members: dict[str, str | bytes]) -> Path:
    for name, content in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


STANCES = [
    ("d1.txt", "ann", 0, 2, "for"),
    ("d1.txt", "ann", 3, 4, ""),
    ("d1.txt", "bob", 0, 2, "for"),
    ("d1.txt", "bob", 5, 8, "for"),
    ("d2.txt", "ann", 0, 2, "for"),
    ("d2.txt", "ann", 5, 9, "against"),
    ("d2.txt", "bob", 0, 2, "for"),
]


@pytest.mark.parametrize("how", ["archive", "folder", "folder in an archive"])
def test_a_project_whole(tmp_path, how):
    members = project(tmp_path)
    if how == "folder":
        path = unpacked(tmp_path / "project", members)
    else:
        root = "Stances/" if how != "archive" else ""
        path = write_zip(tmp_path / "p.zip", {root + name: one for name, one in members.items()})
    export = read(path)
    assert export.tool.name == "inception"
    assert export.questions == ("Topic.label", "Stance.value", "Note")
    assert units(export, "Stance.value") == STANCES
    assert units(export, "Note") == [("d1.txt", "ann", 5, 8, "Note")]
    assert export.units("Note").everyone == ("ann", "bob")
    assert judgments(export.table("Topic.label")) == {
        ("d1.txt", "ann"): "sport",
        ("d1.txt", "bob"): None,
        ("d2.txt", "ann"): None,
        ("d2.txt", "bob"): None,
    }
    assert export.contents.left_out == {
        "relations": 1,
        "further files of a coder and a document": 1,
        "unfinished documents (--with-unfinished includes them)": 1,
        "documents that a coder did not start": 2,
        "files of users whom exportedproject.json does not name": 1,
        "documents as curated": 2,
    }
    assert export.contents.extents == {"d1.txt": (0, 9), "d2.txt": (0, 9)}


def test_curators_and_unfinished_documents_on_request(tmp_path):
    path = write_zip(tmp_path / "p.zip", project(tmp_path))
    export = read(path, with_curation=True)
    # The curation of d2.txt is not finished, so the curator is missing there.
    assert units(export, "Stance.value") == sorted([*STANCES, ("d1.txt", "curator", 0, 2, "for")])
    assert ("d2.txt", "curator") not in export.units("Stance.value").seen
    assert judgments(export.table("Topic.label"))["d1.txt", "curator"] == "news"
    export = read(path, with_curation=True, with_unfinished=True)
    coders = {(s.document, s.coder) for s in export.contents.spans["Stance.value"].marked}
    assert {("d1.txt", "bob_2"), ("d2.txt", "curator")} <= coders
    assert not coders & {("d1.txt", "cem"), ("d2.txt", "new"), ("d1.txt", "stranger")}


def test_a_coder_who_is_called_curator_is_not_the_curator(tmp_path):
    said = json.dumps(PROJECT).replace('"bob"', '"curator"')
    members = {
        "exportedproject.json": said,
        "annotation/d1.txt/curator.json": dumped(stance(0, 2, "for")),
        "curation/d1.txt/CURATION_USER.json": dumped(stance(0, 2, "for")),
    }
    export = read(write_zip(tmp_path / "p.zip", members), with_curation=True)
    assert [s.coder for s in export.contents.spans["Stance.value"].marked] == [
        "curator",
        "CURATION_USER",
    ]


def test_two_projects_at_once(tmp_path):
    for name, value in (("a", "for"), ("b", "against")):
        said = json.dumps(PROJECT).replace("d1.txt", name + ".txt")
        file = f"annotation/{name}.txt/ann.json"
        members = {"exportedproject.json": said, file: dumped(stance(0, 2, value))}
        unpacked(tmp_path / name, members)
    export = read(tmp_path)
    assert units(export) == [("a.txt", "ann", 0, 2, "for"), ("b.txt", "ann", 0, 2, "against")]
    assert export.contents.left_out == {}


def test_an_archive_of_several_documents_is_not_taken_for_one(tmp_path):
    both = packed(tmp_path / "b.zip", {"1.json": dumped(), "2.json": dumped()})
    members = {**project(tmp_path), "annotation/d1.txt/bob_1234567.zip": both}
    members = {name: one for name, one in members.items() if "export.zip" not in name}
    export = read(write_zip(tmp_path / "p.zip", members))
    assert export.contents.left_out["files of a format that is not read"] == 1
    assert ("d1.txt", "bob") not in export.contents.spans["Stance.value"].seen


def test_names_that_begin_with_another_name(tmp_path):
    states = [state("d1.txt", "u", "FINISHED"), state("d1.txt", "u_1234567", "FINISHED")]
    members = {
        "exportedproject.json": json.dumps({**PROJECT, "annotation_documents": states}),
        "annotation/d1.txt/u_1234567.json": dumped(stance(0, 2, "for")),
        "annotation/d1.txt/u_7654321.json": dumped(stance(0, 2, None)),
    }
    export = read(write_zip(tmp_path / "p.zip", members))
    marked = {s.coder: s.category for s in export.contents.spans["Stance.value"].marked}
    assert marked == {"u_1234567": "for", "u": ""}


def test_the_coefficient_is_that_of_the_units_typed_in(tmp_path):
    export = read(write_zip(tmp_path / "p.zip", project(tmp_path)))
    table = export.table("Stance.value", spans="exact")
    rows = [column.decode() for column in (table.items, table.coders, table.labels)]
    none = "not marked"
    by_hand = [["for", "for"], ["", none], [none, "for"], ["for", "for"], ["against", none]]
    assert af.alpha(af.Annotations.from_long(*rows)) == pytest.approx(af.alpha(by_hand), abs=1e-15)


def test_layers_of_documents_that_tsv_leaves_out_are_said(tmp_path):
    members = {
        name: one
        for name, one in project(tmp_path).items()
        if "d1" not in name and "cur" not in name
    }
    notes = read(write_zip(tmp_path / "p.zip", members)).notes()
    assert any("WebAnno TSV leaves them out" in note for note in notes)


def test_nothing_finished_says_so(tmp_path):
    said = json.dumps(PROJECT).replace('"FINISHED"', '"IN_PROGRESS"')
    path = write_zip(tmp_path / "p.zip", {**project(tmp_path), "exportedproject.json": said})
    with pytest.raises(ReadError, match="unfinished documents"):
        read(path).table()
    assert len(units(read(path, with_unfinished=True), "Stance.value")) > 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source_documents": None}, "'source_documents' must be a list, got 'null'"),
        ({"annotation_documents": {}}, "'annotation_documents' must be a list"),
        ({"annotation_documents": [3]}, "annotation_documents 1 must be an object, got '3'"),
        (
            {"annotation_documents": [{"name": "d"}]},
            "annotation_documents 1: 'state' must be a text",
        ),
        ({"layers": [{"name": "x"}]}, "layers 1: 'features' must be a list"),
    ],
)
def test_what_a_project_must_say(tmp_path, change, said):
    members = {**project(tmp_path), "exportedproject.json": json.dumps({**PROJECT, **change})}
    with pytest.raises(ReadError) as caught:
        read(write_zip(tmp_path / "p.zip", members), format="inception")
    assert said in str(caught.value)
    assert "exportedproject.json" in str(caught.value)


def test_two_texts_of_one_document_are_an_error(tmp_path):
    members = project(tmp_path)
    members["annotation/d2.txt/bob12345678.tsv"] = tsv("for", "_", "_", "_").replace(
        "Text=Hi", "Text=Ha"
    )
    with pytest.raises(ReadError, match=r"different texts of document 'd2\.txt'"):
        read(write_zip(tmp_path / "p.zip", members))


@pytest.mark.breadth
def test_damaged_projects_are_results_or_errors(tmp_path):
    folder = unpacked(tmp_path / "p", project(tmp_path))
    path = folder / "exportedproject.json"
    seen = set()
    for value in changed(PROJECT, every=9):
        path.write_text(json.dumps(value))
        seen.add(refused(folder, format="inception") is None)
    assert seen == {True, False}
    path.write_text(json.dumps(PROJECT))
    archive = write_zip(tmp_path / "p.zip", project(tmp_path)).read_bytes()
    cut = tmp_path / "cut.zip"
    truncated(cut, archive, 40, lambda one: refused(one, format="inception"))
    inner = folder / "annotation/d1.txt/webanno3259911804369659129export.zip"
    whole = inner.read_bytes()
    for size in range(4, len(whole), 151):
        inner.write_bytes(whole[:size])
        refused(folder)


def test_a_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("agreement_fast.files.exports.bundle.FREE_EXPANSION", 1 << 20)
    members = project(tmp_path)
    bomb = write_zip(tmp_path / "b.zip", {"bob.json": dumped() + " " * (1 << 24)}).read_bytes()
    members["annotation/d1.txt/webanno3259911804369659129export.zip"] = bomb
    error = refused(write_zip(tmp_path / "p.zip", members))
    assert "expands to more than" in str(error)


@pytest.mark.parametrize("content", ["{}", "[1]", "no json", '{"source": []}', ""])
def test_other_archives_are_not_taken(tmp_path, content):
    path = write_zip(tmp_path / "p.zip", {"exportedproject.json": content})
    assert find_tool(Bundle.of([str(path)]), None) is None

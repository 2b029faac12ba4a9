"""Rayyan's CSV: decisions that stand in the notes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from damage import blots, csv_changes, cuts, refused
from exported import judgments, read, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

HEADER = ["key", "title", "authors", "journal", "year", "url", "notes", "abstract"]


def table(*notes: str) -> str:
    """Write references with these notes."""
    stream = io.StringIO()
    rows = csv.writer(stream)
    rows.writerow(HEADER)
    for number, note in enumerate(notes, start=1):
        rows.writerow([f"rayyan-{number}", "A title", "X", "J", 2020, "", note, "Text, more\ntext"])
    return stream.getvalue()


NOTES = (
    'RAYYAN-INCLUSION: {"Kofi"=>"Included", "Ama"=>"Maybe"} | RAYYAN-LABELS: a, b',
    'RAYYAN-INCLUSION: {"Kofi" => "Excluded","Ama"=>"Excluded"} | RAYYAN-EXCLUSION-REASONS: x,y'
    ' | USER-NOTES: {"Ama"=>["see \\"RAYYAN-INCLUSION: {\\"Zoe\\"=>\\"Included\\"}"]}',
    'USER-NOTES: {"Ama"=>["RAYYAN-INCLUSION: {"]} | RAYYAN-INCLUSION: {"Kofi"=>"Included"}',
    "",
    "RAYYAN-INCLUSION: {}",
    'Imported note | RAYYAN-INCLUSION: {"Kofi"=>nil, "A\\"m\\u00e9\\u{e9}, } =>\\n"=>"Included"}',
)
GOOD = table(*NOTES)


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "articles.csv"
    path.write_text(content, encoding="utf-8")
    return path


def test_decisions_of_each_reviewer(tmp_path: Path) -> None:
    export = read(write(tmp_path, GOOD))
    assert export.tool.name == "rayyan"
    assert export.questions == ("inclusion",)
    assert judgments(export.table()) == {
        ("rayyan-1", "Kofi"): "Included",
        ("rayyan-1", "Ama"): "Maybe",
        ("rayyan-2", "Kofi"): "Excluded",
        ("rayyan-2", "Ama"): "Excluded",
        ("rayyan-3", "Kofi"): "Included",
        ("rayyan-6", "Kofi"): None,
        ("rayyan-6", 'A"méé, } =>\n'): "Included",
    }
    assert dict(export.contents.left_out) == {
        "lists of labels that name no reviewer": 1,
        "lists of exclusion reasons that name no reviewer": 1,
        "references without a decision": 2,
    }


@pytest.mark.parametrize("between", [" ", "; ", "\t", ". ", " - "])
def test_other_notes_may_stand_before_decisions(tmp_path: Path, between: str) -> None:
    notes = f'from PubMed{between}RAYYAN-INCLUSION: {{"Kofi"=>"Included"}}'
    quoted = 'USER-NOTES: {"Ama"=>["\\"RAYYAN-INCLUSION: x"]}'
    export = read(write(tmp_path, table(notes, quoted)))
    assert judgments(export.table()) == {("rayyan-1", "Kofi"): "Included"}
    assert export.contents.left_out["references without a decision"] == 1


def test_the_archive_that_rayyan_sends(tmp_path: Path) -> None:
    log = "article_id,user_email,created_at,key,value\n1,k@x.org,2024,included,1\n"
    path = write_zip(tmp_path / "r.zip", {"articles.csv": GOOD, "customizations_log.csv": log})
    export = read(path)
    assert len(judgments(export.table())) == 7
    assert export.contents.left_out["other files"] == 1


def test_blinded_reviews_hold_no_decision(tmp_path: Path) -> None:
    export = read(write(tmp_path, table("", "")))
    with pytest.raises(ReadError, match="holds no judgments; left out: references"):
        export.table()
    assert any("blinding" in note for note in export.notes())


def test_the_coefficient_is_that_of_the_decisions(tmp_path: Path) -> None:
    votes = ["IIEEIEMI", "IEEEIEMM"]
    words = {"I": "Included", "E": "Excluded", "M": "Maybe"}
    notes = [
        f'RAYYAN-INCLUSION: {{"k"=>"{words[a]}", "a"=>"{words[b]}"}}'
        for a, b in zip(*votes, strict=True)
    ]
    result = read(write(tmp_path, table(*notes))).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    byhand = af.Annotations.from_long(
        [*range(8), *range(8)], ["k"] * 8 + ["a"] * 8, [words[v] for v in votes[0] + votes[1]]
    )
    assert af.alpha(af.Annotations.from_long(*columns)).value == af.alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (table('RAYYAN-INCLUSION: {"Kofi"=>"Incl'), r'record 1, key .rayyan-1.: expected "name"=>'),
        (table("", 'RAYYAN-INCLUSION: {"Kofi"=>1}'), 'record 2, .*: expected "name"=>"decision"'),
        (table('RAYYAN-INCLUSION: {"Kofi": "Included"}'), 'expected "name"=>"decision"'),
        (table('RAYYAN-INCLUSION: {"a"=>"b",}'), "got '}'"),
        (table("x", "y RAYYAN-INCLUSION: Kofi"), r"record 2, .*: expected RAYYAN-INCLUSION: \{"),
        (table("").replace("rayyan-1", ""), "record 1: 'key' is empty"),
        (table("") + "a,b\n", "expected 8 cells, got 2"),
        ("key,title,authors,abstract\n1,2,3,4\n", "no columns 'key' and 'notes'"),
        ("key,notes,notes\n1,2,3\n", "two columns 'notes'"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write(tmp_path, content), format="rayyan").table()
    assert "articles.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_are_never_evaluated_and_take_linear_time(tmp_path: Path) -> None:
    long = 'RAYYAN-INCLUSION: {"' + "\\\\" * 200_000
    with pytest.raises(ReadError, match="expected"):
        read(write(tmp_path, table(long)), format="rayyan")


def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    good = 0
    for content in (*cuts(GOOD.encode()), *blots(GOOD.encode())):
        path.write_bytes(content)
        good += refused(path, format="rayyan") is None
    for text in csv_changes(GOOD):
        path.write_text(text, encoding="utf-8")
        good += refused(path, format="rayyan") is None
    assert good > 100


@pytest.mark.parametrize(
    "content",
    [
        "",
        "item,coder,label\n1,a,x\n",
        "key,title,notes\n1,x,fine\n",
        "key,coder,label\n1,a,RAYYAN-INCLUSION\n",
        '{"key": 1, "title": "x", "notes": "RAYYAN-INCLUSION"}\n',
    ],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    assert find_tool(Bundle.of([str(write(tmp_path, content))]), None) is None

"""No output of an anonymous report names coders, items, files or texts, and all numbers stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Command
from loops import nonempty

import agreement_fast as af
from agreement_fast import units

ROWS = [
    ("essay of Max", "Ann", "a", "Dear Sir"), ("essay of Max", "Bea", "b", "Dear Sir"),
    ("essay of Eva", "Ann", "b", "Hello"), ("essay of Eva", "Bea", "b", "Hello"),
    ("essay of Tim", "Ann", "a", "Hi"), ("essay of Tim", "Bea", "a", "Hi"),
    ("essay of Ida", "Ann", "a", "Yes"), ("essay of Ida", "Bea", "c", "Yes"),
]  # fmt: skip
NAMES = ("Ann", "Bea", "essay", "Max", "Dear", "Hello", "secret")
SPANS = (["Ann", "Bea", "Ann"], [0, 1, 4], [3, 3, 5], ["x", "x", "y"], ["essay"] * 3)


def data() -> af.Annotations:
    items, coders, labels, texts = zip(*ROWS, strict=True)
    read = af.Annotations.from_long(items, coders, labels)
    return read.with_texts(dict(zip(items, texts, strict=True)))


def test_annotations_and_units_keep_their_judgments() -> None:
    known, named = data().anonymous(), data()
    assert (known.coders, list(known.items), dict(known.texts)) == (("A", "B"), [1, 2, 3, 4], {})
    assert known.to_wide().tolist() == named.to_wide().tolist()
    assert known.read.coders == ("A", "B")
    marked = units.Continuum.from_rows(*SPANS, extents=5)
    assert marked.anonymous().columns()["coder"] == ["A", "B", "A"]
    assert marked.anonymous().columns()["document"] == [1, 1, 1]
    assert repr(af.agreement_table(marked.anonymous())) == repr(af.agreement_table(marked))
    counts = af.Annotations.from_counts([[2, 1], [0, 3]], items=["p", "q"])
    assert (counts.anonymous().coders, list(counts.anonymous().items)) == (None, [1, 2])


def test_a_report_has_the_same_numbers_without_names() -> None:
    cluster = {"essay of Max": "u", "essay of Eva": "u", "essay of Tim": "v", "essay of Ida": "w"}
    named = af.report(data(), method="delta", cluster=cluster)
    known = af.report(data(), method="delta", cluster=cluster, anonymous=True)
    assert known.columns() == named.columns()
    page = known.page().html
    for output in nonempty([known.to_text(), json.dumps(known.to_dict()), page]):
        assert not any(name in output for name in NAMES)
    assert "Ann" in named.page().html
    spans = units.Continuum.from_rows(*SPANS, extents=5)
    assert not any(name in af.report(spans, anonymous=True).page().html for name in NAMES)


@pytest.mark.parametrize("form", ["--full", "--json", "--csv", "--html"])
def test_the_command_names_neither_files_nor_people(
    command: Command, tmp_path: Path, form: str
) -> None:
    lines = ["item,coder,label,text", *map(",".join, ROWS)]
    file = tmp_path / "secret.csv"
    file.write_text("\n".join(lines))
    out = tmp_path / "out"

    def output(*call: str) -> str:
        if form == "--json":
            return json.dumps(command.json(*call))
        written = [form, str(out)] if form in ("--csv", "--html") else []
        return command.text(*call, *written) + (out.read_text() if written else "")

    options = ("--show", "text") if form == "--html" else ()
    printed = output("report", str(file), "--where", "coder <> 'Zoe'", "--anonymous", *options)
    assert not any(name in printed for name in (*NAMES, "Zoe"))
    spans = tmp_path / "secret.csv"
    spans.write_text("coder,start,end,document\nAnn,0,3,essay\nBea,1,3,essay\n")
    printed = output("units", str(spans), "--anonymous")
    assert not any(name in printed for name in NAMES)


def test_notes_name_letters(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("item,Ann,Bea,Cid\np,x,x,\nq,y,x,\nr,y,y,\n")
    assert "column 'Cid' holds no judgment" in command.text("report", str(file))
    text = command.text("report", str(file), "--anonymous")
    assert "column 'C' holds no judgment" in text
    assert "Cid" not in text
    assert "coders are A, B, C" in " ".join(text.split())


def test_measures_are_in_the_document() -> None:
    table = [[1, 2], [2, 2], [3, 5], [4, 5], [6, 6]]
    report = af.report(table, measures=True)
    rows = report.to_dict()["measures"]
    assert report.measures is not None
    assert [row["value"] for row in rows] == [
        None if measure.undefined else float(measure.value) for measure in report.measures.measures
    ]
    assert [row["tells"] for row in rows] == list(report.measures.tells)
    assert af.report(table).to_dict()["measures"] is None

"""Exports of annotation tools are recognised, and no column of theirs is guessed to be a label."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Command

from agreement_fast.files import read
from agreement_fast.files.exports import EXPORTS
from agreement_fast.files.guessed_labels import FEWEST_JUDGMENTS


def lines(*records: Any) -> str:
    """Write records as JSON lines."""
    return "\n".join(map(json.dumps, records))


def prodigy(rows: int) -> str:
    """Two coders who choose at random between two options, in Prodigy's shape."""
    g = random.Random(0)
    return lines(
        *(
            {
                "text": f"text {i}",
                "_input_hash": i,
                "_task_hash": i,
                "options": [{"id": "pos"}, {"id": "neg"}],
                "accept": [g.choice(["pos", "neg"])],
                "answer": "accept" if g.random() > 0.03 else "ignore",
                "_view_id": "choice",
                "_annotator_id": f"ds-{coder}",
                "_session_id": f"ds-{coder}",
            }
            for i in range(rows)
            for coder in ("ann", "ben")
        )
    )


def label_studio(rows: int) -> str:
    """Three coders of a choice, one annotation a row, as Label Studio's CSV has it."""
    cells = ["annotation_id,annotator,created_at,id,lead_time,sentiment,text,updated_at"]
    for i in range(rows):
        for k, coder in enumerate(("a@x.org", "b@x.org", "c@x.org")):
            label = ("pos", "neg")[(i + (i % 10 == k)) % 2]
            cells.append(f"{3 * i + k},{coder},2024-01-01T10:00:{i:02}Z,{i},1.5,{label},t{i},2024")
    return "\n".join(cells) + "\n"


TASK = {"id": 1, "data": {"text": "x"}, "annotations": [{"completed_by": 1, "result": []}]}
MTURK = "HITId,AssignmentId,WorkerId,Input.text,Answer.label\nh,a,w,t,yes\nh,b,v,t,no\n"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

#: For each format a file that has its shape.
SAMPLES: dict[str, list[tuple[str, str | bytes | dict[str, str]]]] = {
    "Prodigy (JSON lines)": [("p.jsonl", prodigy(3)), ("p", prodigy(2))],
    "Label Studio (JSON)": [
        ("s.json", json.dumps([TASK, TASK])),
        ("s.json", json.dumps([{"id": 1, "data": {"text": "x"}, "completions": []}])),
    ],
    "Label Studio (CSV or JSON-MIN)": [
        ("s.csv", label_studio(3)),
        ("s.csv.gz", gzip.compress(label_studio(3).encode())),
        ("s.tsv", label_studio(3).replace(",", "\t")),
        ("m.json", json.dumps([{"id": 1, "annotation_id": 7, "annotator": 1, "stance": "pro"}])),
    ],
    "doccano (JSON lines)": [
        ("d.jsonl", lines({"id": 1, "text": "x", "label": ["a"]})),
        ("d.jsonl", lines({"text": "x", "label": [[0, 2, "ORG"]]})),
        ("d.jsonl", lines({"text": "x", "entities": [[0, 2, "ORG"]], "cats": ["a"]})),
        ("d.jsonl", lines({"filename": "x", "label": ["a"], "Comments": []})),
    ],
    "doccano (zip)": [("d.zip", {"ann.jsonl": "{}", "ben.jsonl": "{}"})],
    "Argilla (records)": [
        (
            "a.jsonl",
            lines({"text": "x", "stance.responses": ["a"], "stance.responses.users": ["u"]}),
        )
    ],
    "Amazon Mechanical Turk (batch CSV)": [("b.csv", MTURK)],
    "Rayyan (CSV)": [
        ("r.csv", 'key,title,authors,year,notes,abstract\n1,t,a,2020,"RAYYAN-INCLUSION: {}",x\n')
    ],
    "brat (.ann)": [
        ("b.ann", "T1\tEntity 164 178\tfrontal cortex\n"),
        ("b.ann", "T1\tEntity 1 4;6 9\tsome text\nR1\tis Arg1:T1 Arg2:T2\n"),
        ("b.ann", "#1\tAnnotatorNotes T1\tunsure\n"),
        ("b.ann", "*\tEquiv T1 T2\n"),
        ("b.ann", "\ufeffT1\tEntity 164 178\tfrontal cortex\n"),
    ],
    "WebAnno (TSV)": [
        ("w.tsv", "#FORMAT=WebAnno TSV 3.3\n#T_SP=a|b\n\n\n#Text=x\n1-1\t0-1\tx\tNE\n")
    ],
    "INCEpTION (zip)": [
        ("i.zip", {"exportedproject.json": "{}", "annotation/a.txt/ann.json": "{}"}),
        ("i.zip", {"project/exportedproject.json": "{}"}),
    ],
    "UIMA CAS (XMI)": [("c.xmi", XML + '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"></xmi:XMI>')],
    "UIMA CAS (JSON)": [("c.json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}')],
    "Praat (TextGrid)": [
        ("t.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\n'),
        ("t.TextGrid", 'File type = "ooTextFile"\n"TextGrid"\n'.encode("utf-16")),
    ],
    "ELAN (.eaf)": [("e.eaf", XML + '<ANNOTATION_DOCUMENT AUTHOR="" VERSION="2.7"/>')],
    "REFI-QDA (.qdpx)": [("q.qdpx", {"project.qde": "<Project/>", "sources/a.txt": "x"})],
    "REFI-QDA (.qde)": [("q.qde", XML + '<Project xmlns="urn:QDA-XML:project:1.0"/>')],
}


def written(folder: Path, name: str, content: str | bytes | dict[str, str]) -> str:
    """Write a file, or an archive of files."""
    path = folder / name
    if isinstance(content, dict):
        with zipfile.ZipFile(path, "w") as archive:
            for member, text in content.items():
                archive.writestr(member, text)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def test_every_format_has_a_sample() -> None:
    assert [export.name for export in EXPORTS] == list(SAMPLES)


@pytest.mark.parametrize(
    ("format_", "name", "content"),
    [(format_, *sample) for format_, samples in SAMPLES.items() for sample in samples],
)
def test_an_export_is_refused_by_its_name(
    command: Command, folder: Path, format_: str, name: str, content: Any
) -> None:
    written(folder, name, content)
    (export,) = (one for one in EXPORTS if one.name == format_)
    for argv in (["report"], ["report", "--wide"], ["diagnose"], ["subsets"], ["units"]):
        error = command.error(*argv, name)
        assert error.startswith(f"'{name}' is an export of {format_}, and there is no reader for")
        assert "convert it to a table with the columns" in error
        assert ("for agreement-fast units" in error) == export.units
        assert error.endswith(export.hint)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.jsonl", lines(*({"text": i, "user": u, "label": 1} for i in "ab" for u in "xy"))),
        ("t.csv", "HITId,WorkerId,response\nh,w,1\nh,v,2\n"),
        ("t.csv", "key,title,coder,label\n1,T1,a,x\n1,T1,b,x\n".replace("key", "item")),
        ("t.tsv", "item\tcoder\tlabel\nT1\tann\tx\nT1\tben\ty\n"),
        ("t.csv", "item,coder,label\n<xmi,a,#FORMAT\n<xmi,b,#FORMAT\n"),
    ],
)
def test_other_tables_are_read(tmp_path: Path, name: str, content: str) -> None:
    written(tmp_path, name, content)
    assert read(str(tmp_path / name)).source.guessed == ("item", "coder", "label")


def test_other_archives_are_called_what_they_are(command: Command, folder: Path) -> None:
    written(folder, "x.xlsx", {"[Content_Types].xml": "", "xl/workbook.xml": ""})
    assert "'x.xlsx' is a damaged workbook" in command.error("report", "x.xlsx")
    (folder / "x.zip").write_bytes(b"PK\x03\x04" + bytes(60))
    assert "is a zip archive and no spreadsheet" in command.error("report", "x.zip")


def test_a_table_is_read_once_its_columns_are_named(command: Command, folder: Path) -> None:
    written(folder, "s.csv", label_studio(60))
    argv = ["report", "s.csv", "--item", "id", "--coder", "annotator", "--label", "sentiment"]
    found = command.json(*argv)["reports"][0]
    assert (found["items"], found["coders"], found["judgments"]) == (60, 3, 180)
    alpha = next(one for one in found["coefficients"] if one["coefficient"] == "alpha")
    assert 0 < alpha["value"] < 1
    for left_out in range(2, len(argv), 2):
        assert "is an export of Label Studio" in command.error(
            *argv[:left_out], *argv[left_out + 2 :]
        )
    written(folder, "b.csv", MTURK)
    named = ["--item", "HITId", "--coder", "WorkerId", "--label", "Answer.label"]
    assert command.json("report", "b.csv", *named)["reports"][0]["judgments"] == 2
    written(folder, "p.jsonl", prodigy(60))
    named = ["--item", "_input_hash", "--coder", "_annotator_id", "--label", "answer"]
    assert command.json("report", "p.jsonl", *named)["reports"][0]["items"] == 60
    written(folder, "u.csv", "HITId,WorkerId,Input.x,a,b\nh,w,1,0,3\nh,v,1,0,4\n")
    units = ["units", "u.csv", "--start", "a", "--end", "b"]
    assert "is an export of" in command.error(*units)
    assert "coder is WorkerId" in command.text(*units, "--coder", "WorkerId")


# -- columns that are called like labels


def long(rows: int, label: Callable[[int], Any], name: str = "rating") -> str:
    """Write a long table."""
    cells = [f"{i // 2},{'ab'[i % 2]},{label(i)}" for i in range(rows)]
    return "\n".join([f"item,coder,{name}", *cells]) + "\n"


@pytest.mark.parametrize(
    ("label", "why"),
    [
        (lambda i: 100 + i, "holds no value twice"),
        (lambda i: f"r{i}", "holds no value twice"),
        (lambda i: f"{i}.0", "holds no value twice"),
        (lambda i: f"2024-01-0{1 + i // 2}", "holds dates"),
        (lambda i: f"2024-01-0{1 + i // 2}T10:00:00Z", "holds dates"),
        (lambda i: f"2024-01-0{1 + i // 2} 10:00", "holds dates"),
        (lambda i: f"https://example.org/{i // 2}", "holds addresses of pages"),
    ],
    ids=["numbers", "texts", "whole", "date", "zone", "time", "address"],
)
def test_a_guessed_label_that_is_none(
    command: Command, folder: Path, label: Callable[[int], Any], why: str
) -> None:
    (folder / "t.csv").write_text(long(8, label))
    for name in ("report", "diagnose", "subsets"):
        assert command.error(name, "t.csv") == (
            f"cannot tell which column is the label: 'rating' is called so, and {why}: pass --label"
            " rating if it is, or the name of another column"
        )
    assert command.json("report", "t.csv", "--label", "rating")["reports"][0]["judgments"] == 8


@pytest.mark.parametrize(
    "label",
    [
        lambda i: i + 0.25,
        lambda i: i if i else 7,
        lambda i: f"on 2024-01-0{1 + i // 2}",
        lambda i: "ab"[i % 2],
        lambda i: ["2024-01-01", "never"][i % 2],
    ],
    ids=["measurements", "once", "sentences", "usual", "one date"],
)
def test_a_guessed_label_that_may_be_one(tmp_path: Path, label: Callable[[int], Any]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(long(8, label))
    assert read(str(path)).source.label == "rating"


def test_few_judgments_may_all_differ(command: Command, folder: Path) -> None:
    for n in (FEWEST_JUDGMENTS - 1, FEWEST_JUDGMENTS):
        (folder / "t.csv").write_text(long(n, lambda i: f"r{i}"))
        if n < FEWEST_JUDGMENTS:
            assert command.json("report", "t.csv")["source"]["columns"]["label"] == "rating"
        else:
            assert "holds no value twice" in command.error("report", "t.csv")
    # Missing judgments do not make a label repeat.
    (folder / "t.csv").write_text(long(12, lambda i: f"r{i}" if i % 2 else ""))
    assert "holds no value twice" in command.error("report", "t.csv")


def test_labels_that_all_differ_are_refused_part_by_part(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    (folder / "t.csv").write_text(long(8, lambda i: f"r{i}"))
    assert "holds no value twice" in command.error("report", "t.csv")
    assert command.json("report", "t.csv", "--label", "rating")["reports"][0]["judgments"] == 8


def test_the_id_of_an_annotation_is_no_label(command: Command, folder: Path) -> None:
    (folder / "t.csv").write_text(long(8, lambda i: i % 2, "annotation_id"))
    assert "cannot tell which column is the label" in command.error("report", "t.csv")

"""Coders and documents in paths, for tables and exports alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from agreement_fast.files import read
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.file import base_of, part_of, where_in


@pytest.mark.parametrize(
    ("path", "base"),
    [
        ("ann.b@x.org.jsonl", "ann.b@x.org"),
        ("x.y/ann", "ann"),
        ("ann.csv.gz", "ann"),
        ("ann.GZ", "ann"),
        (".ann", ".ann"),
    ],
)
def test_a_name_loses_its_last_extension(tmp_path, path, base):
    assert base_of(path) == base
    file = tmp_path / "plain" / path
    file.parent.mkdir(parents=True)
    file.write_text("x")
    assert Bundle.of([str(file)]).members[0].stem == base


@pytest.mark.parametrize(
    ("path", "how", "part"),
    [
        ("a/b/c.d.csv", "file", "c.d"),
        ("a/b/c.csv", "folder", "b"),
        ("b/c.csv", "folder", "b"),
        ("a/b/c.csv", "^([^/]+)/", "a"),
        ("a/b/c.csv", "(a)/(?P<coder>b)", "b"),
        ("a/b/c.csv", "(?P<other>b)", "b"),
    ],
)
def test_parts(path, how, part):
    assert part_of(path, how, "--coder-from") == part
    begin, end = where_in(path, how, "--coder-from")
    assert path[begin:end] == part


@pytest.mark.parametrize(
    ("path", "how", "message"),
    [
        ("c.csv", "folder", "'c.csv' is in no folder of a document: name the folder above"),
        ("/c.csv", "folder", "in no folder"),
        ("c.csv", "[", "is no regular expression"),
        ("c.csv", "c", "has 0 groups: put only the document's part"),
        ("c.csv", "(c)(?P<coder>.)", r"has 2 groups: .*\(\?P<document>\.\.\.\)"),
        ("c.csv", "(x)", "--document-from '\\(x\\)' finds no document in 'c.csv'"),
        ("c.csv", "(x?)c", "finds no document"),
        ("c.csv", "(x)?c", "finds no document"),
    ],
)
def test_parts_that_are_not_there(path, how, message):
    with pytest.raises(ReadError, match=message):
        part_of(path, how, "--document-from")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_at_the_start_of_a_table_says_its_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,coder,label\n1,a,ä\n1,b,x\n2,a,x\n2,b,ä\n", encoding=encoding)
    table = read(str(path))
    assert table.source.item == "item"
    assert set(table.labels.values) == {"x", "ä"}

"""Files, folders and archives as members; archives that are meant to do harm."""

from __future__ import annotations

import contextlib
import gzip
import io
import zipfile
from pathlib import Path

import pytest
from exported import write_zip
from loops import nonempty

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports import bundle as bundles
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.elements import read_xml


def contents(*paths: Path) -> dict[str, bytes]:
    return {one.name: one.read() for one in Bundle.of([str(path) for path in paths]).members}


def test_a_folder_and_an_archive_hold_the_same(tmp_path: Path) -> None:
    files = {"ann/a.txt": b"A", "ben/a.txt": b"B", "top.txt": b"T"}
    for name, content in files.items():
        (tmp_path / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "folder" / name).write_bytes(content)
    (tmp_path / "folder" / ".hidden").write_bytes(b"")
    (tmp_path / "folder" / ".git").mkdir()
    (tmp_path / "folder" / ".git" / "x").write_bytes(b"")
    left_out = {"__MACOSX/ann/a.txt": b"", ".hidden": b"", "ann/.DS_Store": b""}
    write_zip(tmp_path / "archive.zip", {**files, **left_out})
    assert contents(tmp_path / "folder") == files
    assert contents(tmp_path / "archive.zip") == files
    several = contents(tmp_path / "folder" / "ann", tmp_path / "folder" / "ben")
    assert several == {"ann/a.txt": b"A", "ben/a.txt": b"B"}


def test_several_files_are_named_by_what_tells_them_apart(tmp_path: Path) -> None:
    for name in ("ann/x.json", "ben/x.json"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(name.encode())
    result = contents(tmp_path / "ann" / "x.json", tmp_path / "ben" / "x.json")
    assert result == {"ann/x.json": b"ann/x.json", "ben/x.json": b"ben/x.json"}
    assert list(contents(tmp_path / "ann" / "x.json")) == ["x.json"]


def test_the_meter_counts_the_bytes_that_were_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    bundle = Bundle.of([str(tmp_path / "a"), str(write_zip(tmp_path / "b.zip", {"c": b"y" * 70}))])
    counted: list[int] = []
    bundle.meter.advance = counted.append
    for member in bundle.members:
        member.read()
    assert sum(counted) == bundle.size == 3_000_070
    assert len(counted) > 3


def test_a_packed_file(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b"[]"))
    assert contents(tmp_path / "a.json.gz") == {"a.json": b"[]"}
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b"[]" * 100)[:-9])
    with pytest.raises(ReadError, match="damaged gzip"):
        contents(tmp_path / "a.json.gz")


def test_an_archive_within_an_archive(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("x.txt", "X")
    write_zip(tmp_path / "a.zip", {"ann.zip": inner.getvalue()})
    (member,) = Bundle.of([str(tmp_path / "a.zip")]).members
    assert {one.name: one.read() for one in member.inside()} == {"ann.zip/x.txt": b"X"}


@pytest.mark.breadth
def test_an_archive_that_expands_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "FREE_EXPANSION", 1 << 20)
    path = write_zip(tmp_path / "bomb.zip", {"a.json": b"[" + b" " * (40 << 20)})
    (member,) = Bundle.of([str(path)]).members
    with pytest.raises(ReadError, match="expands to more than 100 times its size"):
        member.read()
    # Bytes of all members count together.
    path = write_zip(tmp_path / "many.zip", {f"{i}.json": b" " * (1 << 19) for i in range(60)})
    with pytest.raises(ReadError, match="expands"):
        contents(path)


def test_an_archive_that_understates_what_it_holds(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.txt": b"x" * 1000})
    content = path.read_bytes()
    path.write_bytes(content.replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    (member,) = Bundle.of([str(path)]).members
    with pytest.raises(ReadError, match="damaged"):
        member.read()


def test_a_damaged_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.txt": bytes(range(256)) * 40, "b.txt": b"B"})
    whole = path.read_bytes()
    for cut in nonempty(range(30, len(whole) - 1, 7)):
        path.write_bytes(whole[:cut])
        # Without its directory it is no archive, but one file.
        assert list(contents(path)) == ["a.zip"]
    for place in nonempty(range(40, len(whole) - 22, 3)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with contextlib.suppress(ReadError):
            assert contents(path).get("b.txt", b"B") == b"B"


def test_an_encrypted_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.txt": b"A"})
    content = bytearray(path.read_bytes())
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        content[content.index(mark) + (6 if mark == b"PK\x03\x04" else 8)] |= 1
    path.write_bytes(bytes(content))
    (member,) = Bundle.of([str(path)]).members
    with pytest.raises(ReadError, match="is encrypted: unpack it"):
        member.read()


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no such file"):
        Bundle.of([str(tmp_path / "nothing")])


# -- XML


def test_xml_is_read_with_its_namespaces(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text('<a xmlns="urn:x" xmlns:b="urn:y" b:k="1" l="2">t<b:c/>u</a>')
    root = read_xml(Bundle.of([str(tmp_path / "a.xml")]).members[0])
    assert (root.tag, root.attrib, root.text) == ("{urn:x}a", {"{urn:y}k": "1", "l": "2"}, "t")
    assert [(one.tag, one.tail) for one in root] == [("{urn:y}c", "u")]


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "lol" * 10}">' for i in range(9))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"<!DOCTYPE a [{LAUGHS}]><a>&l8;</a>", "declares a document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "declares a document type"),
        ('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "document type"),
        ("<a>&nothing;</a>", "not well-formed XML (undefined entity)"),
        ("<a><b></a>", "line 1: this is not well-formed XML (mismatched tag)"),
        ("<a>\n<b>", "line 2: this is not well-formed XML (no element found)"),
        ("\n<a>" * 5000, "line 1,002: its elements are nested more than 1,000 deep"),
        ("", "not well-formed XML (no element found)"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "XML"),
    ],
)
def test_xml_that_is_refused(tmp_path: Path, text: str, said: str) -> None:
    for encoding in ("utf-8", "utf-16"):
        if "klingon" in text and encoding == "utf-16":
            continue
        (tmp_path / "a.xml").write_bytes(text.encode(encoding))
        member = Bundle.of([str(tmp_path / "a.xml")]).members[0]
        with pytest.raises(ReadError) as error:
            read_xml(member)
        assert said in str(error.value)
        assert "\n" not in str(error.value)

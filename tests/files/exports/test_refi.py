"""REFI-QDA projects."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from damage import damaged_text, refused, truncated
from exported import judgments, read, units, write_zip

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

TEXT = "One 😀.\r\nTwo two.\r\n\r\nThree.\r\n"
GUIDS = {"for": "C-FOR", "money": "C-MONEY", "against": "C-AGAINST", "money2": "C-MONEY2"}
CODES = """<CodeBook><Codes>
  <Code guid="c-for" name="for" isCodable="false"><Description>d</Description>
    <Code guid="C-Money" name="money" isCodable="true"/></Code>
  <Code guid="C-AGAINST" name="against" isCodable="true">
    <Code guid="C-MONEY2" name="money" isCodable="true"/></Code>
</Codes></CodeBook>"""
USERS = (
    '<Users><User guid="U-A" name="Ann"/><User guid="u-b" name="Bob"/><User guid="U-C"/></Users>'
)


def coding(code: str, user: str | None = None) -> str:
    who = "" if user is None else f' creatingUser="{user}"'
    return f'<Coding guid="x"{who}><CodeRef targetGUID="{GUIDS.get(code, code)}"/></Coding>'


def text_selection(start: int, end: int, inner: str, user: str | None = None) -> str:
    who = "" if user is None else f' creatingUser="{user}"'
    place = f'startPosition="{start}" endPosition="{end}"'
    return f'<PlainTextSelection guid="s" {place}{who}>{inner}</PlainTextSelection>'


def text_source(name: str, inner: str, path: str = "internal://T1.txt", guid: str = "S1") -> str:
    # The creator of the source is not its coder.
    where = f'plainTextPath="{path}" creatingUser="U-C"'
    return f'<TextSource guid="{guid}" name={quoteattr(name)} {where}>{inner}</TextSource>'


def project(
    sources: str, *, codes: str = CODES, users: str = USERS, origin: str = "t", more: str = ""
) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<Project xmlns="urn:QDA-XML:project:1.0" name="p" origin="{origin}">'
        f"{users}{codes}<Sources>{sources}</Sources>{more}</Project>"
    )


ANN, BOB = "U-A", "U-B"
TWO = project(
    text_source(
        "Interview 1",
        text_selection(0, 6, coding("money", ANN) + coding("against", BOB))
        + text_selection(8, 16, coding("against"), BOB)
        + text_selection(8, 16, coding("money2", ANN), BOB)
        + text_selection(20, 20, ""),
    )
)
MARKED = [
    ("Interview 1", "Ann", 0, 6, "for / money"),
    ("Interview 1", "Ann", 8, 16, "against / money"),
    ("Interview 1", "Bob", 0, 6, "against"),
    ("Interview 1", "Bob", 8, 16, "against"),
]


def qdpx(path: Path, qde: str, **texts: str) -> Path:
    members: dict[str, str | bytes] = {"project.qde": qde}
    for name, text in (texts or {"t1": TEXT}).items():
        members[f"Sources/{name}.txt"] = b"\xef\xbb\xbf" + text.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_zip(path, members)


def test_a_project_of_two_coders(tmp_path):
    export = read(qdpx(tmp_path / "p.qdpx", TWO))
    assert export.tool.name == "refi"
    assert export.questions == ("text",)
    assert units(export) == MARKED
    assert export.contents.extents == {"Interview 1": (0, len(TEXT))}
    assert export.contents.left_out == {}
    assert any("does not say who read a document" in note for note in export.notes())


def test_who_is_not_among_the_users_is_nobody(tmp_path):
    stranger = text_selection(0, 6, coding("money", "U-Z")) + text_selection(
        8, 16, coding("money"), "U-Z"
    )
    export = read(qdpx(tmp_path / "p.qdpx", TWO.replace("<PlainText", stranger + "<PlainText", 1)))
    assert units(export) == MARKED
    assert export.contents.left_out == {"codings of a user whom the project does not list": 2}


@pytest.mark.parametrize("how", ["folder", "archive in a folder", "text within", "version 0.4"])
def test_the_same_lies_in_other_places(tmp_path, how):
    if how == "folder":
        (tmp_path / "p" / "sources").mkdir(parents=True)
        (tmp_path / "p" / "other.qde").write_text(TWO, encoding="utf-8")
        (tmp_path / "p" / "sources" / "T1.TXT").write_bytes(TEXT.encode())
        path = tmp_path / "p"
    elif how == "archive in a folder":
        path = qdpx(tmp_path / "p" / "deep" / "p.qdpx", TWO).parents[2]
    elif how == "text within":
        path = tmp_path / "p.qde"
        within = f"<PlainTextContent>{TEXT.replace(chr(13), '&#13;')}</PlainTextContent>"
        whole = TWO.replace(' plainTextPath="internal://T1.txt"', "")
        path.write_text(whole.replace('"U-C"><Plain', f'"U-C">{within}<Plain'), encoding="utf-8")
    else:
        path = qdpx(tmp_path / "p.qdpx", TWO.replace("project:1.0", "project:0.4"))
    export = read(path)
    assert units(export) == MARKED
    assert export.contents.extents == {"Interview 1": (0, len(TEXT))}


def test_units_of_analysis(tmp_path):
    path = qdpx(tmp_path / "p.qdpx", TWO)
    ann, bob = "for / money", "against"
    none = frozenset()
    line = judgments(read(path, spans="line").table(spans="line"))
    assert line == {
        ("0-8", "Ann"): {ann},
        ("0-8", "Bob"): {bob},
        ("8-20", "Ann"): {"against / money"},
        ("8-20", "Bob"): {bob},
        ("20-28", "Ann"): none,
        ("20-28", "Bob"): none,
    }
    paragraph = judgments(read(path, spans="paragraph").table(spans="paragraph"))
    assert paragraph == {
        ("0-20", "Ann"): {ann, "against / money"},
        ("0-20", "Bob"): {bob},
        ("20-28", "Ann"): none,
        ("20-28", "Bob"): none,
    }
    document = judgments(read(path).table(spans="document"))
    assert document == {("0-28", "Ann"): {ann, "against / money"}, ("0-28", "Bob"): {bob}}
    pieces = judgments(read(path).table(spans="14 characters"))
    assert pieces == {
        ("0-14", "Ann"): {ann, "against / money"},
        ("0-14", "Bob"): {bob},
        ("14-28", "Ann"): {"against / money"},
        ("14-28", "Bob"): {bob},
    }
    exact = judgments(read(path).table(spans="exact"))
    assert exact == {
        ("0-6", "Ann"): ann,
        ("0-6", "Bob"): bob,
        ("8-16", "Ann"): "against / money",
        ("8-16", "Bob"): bob,
    }


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2029"])
def test_line_ends_of_all_systems(tmp_path, end):
    text = end.join(["One.", "Two.", "", "Three."])
    inner = text_selection(0, 2, coding("money", ANN))
    path = qdpx(tmp_path / "p.qdpx", project(text_source("T", inner)), t1=text)
    line = judgments(read(path, spans="line").table(spans="line"))
    two, three = 4 + len(end), 8 + 3 * len(end)
    last = (f"{three}-{len(text)}", "Ann")
    assert list(line) == [
        (f"0-{two}", "Ann"),
        (f"{two}-{three}", "Ann"),
        last,
    ]
    paragraph = judgments(read(path, spans="paragraph").table(spans="paragraph"))
    assert list(paragraph) == [(f"0-{three}", "Ann"), last]


def test_characters_that_programs_may_count_twice_are_said(tmp_path):
    said = "1 texts hold characters such as 😀"
    path = qdpx(tmp_path / "p.qdpx", TWO)
    assert any(said in note for note in read(path).notes())
    # The mark at the beginning of the file is none of its text.
    assert read(path, encoding="utf-8").contents.extents == {"Interview 1": (0, len(TEXT))}
    assert read(path, encoding="utf-8", keep_texts=True).contents.texts == {"Interview 1": TEXT}
    plain = qdpx(tmp_path / "q.qdpx", TWO, t1=TEXT.replace("😀", "ä"))
    assert not any("such as" in note for note in read(plain).notes())


def test_atlas_counts_a_line_end_once(tmp_path):
    atlas = TWO.replace('origin="t"', 'origin="ATLAS.ti Windows"')
    export = read(qdpx(tmp_path / "p.qdpx", atlas), spans="line")
    assert export.contents.texts == {"Interview 1": TEXT.replace("\r\n", "\n")}
    assert export.contents.extents == {"Interview 1": (0, len(TEXT) - 4)}


def test_the_coefficient_is_that_of_the_labels_typed_in(tmp_path):
    inner = [
        text_selection(0, 3, coding("money", ANN) + coding("money", BOB)),
        text_selection(8, 11, coding("against", ANN) + coding("money", BOB)),
        text_selection(12, 15, coding("against", ANN) + coding("against", BOB)),
        text_selection(20, 25, coding("money", ANN)),
    ]
    export = read(qdpx(tmp_path / "p.qdpx", project(text_source("I", "".join(inner)))))
    table = export.table(spans="exact")
    rows = [column.decode() for column in (table.items, table.coders, table.labels)]
    by_hand = [["m", "m"], ["a", "m"], ["a", "a"], ["m", "none"]]
    assert af.alpha(af.Annotations.from_long(*rows)) == pytest.approx(af.alpha(by_hand), abs=1e-15)


def of_one_coder(code: str, prefix: str, *, user: str = "x", name: str = "Default") -> str:
    """The project of a coder who has guids of their own."""
    codes = CODES.replace('guid="', f'guid="{prefix}').replace("<Codes>", "<Codes>", 1)
    users = f'<Users><User guid="{prefix}{user}" name="{name}"/></Users>'
    inner = text_selection(0, 6, coding(prefix + GUIDS[code], prefix + user))
    return project(text_source("Interview 1", inner, guid=prefix), codes=codes, users=users)


def test_projects_of_a_coder_each(tmp_path):
    qdpx(tmp_path / "team" / "ann.qdpx", of_one_coder("money", "1"))
    qdpx(tmp_path / "team" / "bob.qdpx", of_one_coder("against", "2"))
    expected = [
        ("Interview 1", "ann", 0, 6, "for / money"),
        ("Interview 1", "bob", 0, 6, "against"),
    ]
    assert units(read(tmp_path / "team", coder_from="file")) == expected
    files = [tmp_path / "team" / "ann.qdpx", tmp_path / "team" / "bob.qdpx"]
    assert units(read(*files, coder_from="file")) == expected
    assert units(read(*files, coder_from=r"(\w+)\.qdpx/")) == expected
    with pytest.raises(ReadError, match="is in no folder"):
        read(*files, coder_from="folder")
    notes = read(*files).notes()
    assert any("all projects have the same user: --coder-from file" in note for note in notes)


def test_a_folder_for_each_coder(tmp_path):
    qdpx(tmp_path / "ann" / "p.qdpx", of_one_coder("money", "1"))
    qdpx(tmp_path / "bob" / "p.qdpx", of_one_coder("against", "2"))
    export = read(tmp_path, coder_from="folder")
    assert {one[1] for one in units(export)} == {"ann", "bob"}


def test_projects_with_users_of_their_own(tmp_path):
    paths = [
        qdpx(tmp_path / "1.qdpx", of_one_coder("money", "1", name="Ann")),
        qdpx(tmp_path / "2.qdpx", of_one_coder("money", "2", name="Bob")),
    ]
    assert {one[1] for one in units(read(*paths))} == {"Ann", "Bob"}
    assert not any("same user" in note for note in read(*paths).notes())


def test_one_project_alone_may_be_a_coder(tmp_path):
    path = qdpx(tmp_path / "ann.qdpx", TWO)
    assert {one[1] for one in units(read(path, coder_from="file"))} == {"ann"}


def test_different_texts_under_one_name_are_an_error(tmp_path):
    paths = [
        qdpx(tmp_path / "1.qdpx", of_one_coder("money", "1")),
        qdpx(tmp_path / "2.qdpx", of_one_coder("money", "2"), t1=TEXT.replace("\r\n", "\n")),
    ]
    with pytest.raises(ReadError, match=r"different texts of document 'Interview 1' \(28 and 24"):
        read(*paths)


def test_groups_of_sources_as_coders(tmp_path):
    """Copies of a document in two groups, as MAXQDA compares coders."""
    copies = [
        text_source("I", text_selection(0, 6, coding("money", ANN)), guid="S1"),
        text_source("I", text_selection(0, 6, coding("against", ANN)), guid="S2"),
        text_source("J", text_selection(0, 6, coding("against", ANN)), guid="S3"),
    ]
    sets = (
        '<Sets><Set guid="g" name="Coder A"><MemberSource targetGUID="s1"/></Set>'
        '<Set guid="h" name="Coder B"><MemberSource targetGUID="S2"/></Set></Sets>'
    )
    path = qdpx(tmp_path / "p.qdpx", project("".join(copies), more=sets))
    export = read(path, coder_from="group")
    assert units(export) == [
        ("I", "Coder A", 0, 6, "for / money"),
        ("I", "Coder B", 0, 6, "against"),
    ]
    assert export.contents.left_out == {"codings of sources in no group": 1}
    export = read(path)
    assert {span.document for span in export.contents.spans["text"].marked} == {"I #1", "I #2", "J"}
    assert any("--coder-from group" in note for note in export.notes())
    twice = sets.replace('targetGUID="S2"', 'targetGUID="S1"')
    with pytest.raises(ReadError, match="'I' is in 2 groups"):
        read(qdpx(tmp_path / "q.qdpx", project("".join(copies), more=twice)), coder_from="group")


EVERYTHING = project(
    text_source("T", coding("money", ANN) + text_selection(0, 3, coding("against", BOB)))
    + text_source("N", text_selection(0, 9, coding("against")), "absolute:///etc/passwd", "S9")
    + f"""<PDFSource guid="S2" name="Paper" path="internal://p.pdf">
      <PDFSelection guid="a" page="1">{coding("money", ANN)}{coding("money", BOB)}</PDFSelection>
      <Representation guid="r" plainTextPath="internal://T1.txt">
        {text_selection(4, 7, coding("money", ANN))}</Representation></PDFSource>
    <PictureSource guid="S3" name="Photo">{coding("money", BOB)}
      <PictureSelection guid="b">{coding("money", BOB)}</PictureSelection></PictureSource>
    <AudioSource guid="S4" name="Call">
      <AudioSelection guid="d" begin="1500" end="2500">{coding("money", ANN)}</AudioSelection>
      <Transcript guid="t" plainTextPath="internal://T1.txt">
        <SyncPoint guid="p1" timeStamp="0" position="0"/><SyncPoint guid="p2" position="6"/>
        <SyncPoint guid="p3" timeStamp="9"/>
        <TranscriptSelection guid="e" fromSyncPoint="p1" toSyncPoint="p2">{coding("money", ANN)}
        </TranscriptSelection>
        <TranscriptSelection guid="f" fromSyncPoint="p1" toSyncPoint="p3">{coding("money", ANN)}
        </TranscriptSelection></Transcript></AudioSource>
    <VideoSource guid="S5" name="Film">
      <VideoSelection guid="g" begin="0" end="10">{coding("none-such", ANN)}{coding("money", "U-C")}
      </VideoSelection></VideoSource>"""
)


def test_every_kind_of_source(tmp_path):
    export = read(qdpx(tmp_path / "p.qdpx", EVERYTHING))
    marked = {
        name: [(s.document, s.coder, *s.parts, s.category) for s in spans.marked]
        for name, spans in export.contents.spans.items()
    }
    assert marked == {
        "text": [
            ("T", "Bob", (0, 3), "against"),
            ("Paper", "Ann", (4, 7), "for / money"),
            ("Call", "Ann", (0, 6), "for / money"),
        ],
        "audio": [("Call", "Ann", (1500, 2500), "for / money")],
        "video": [("Film", "U-C", (0, 10), "for / money")],
    }
    seen = {name: list(spans.seen) for name, spans in export.contents.spans.items()}
    assert seen["text"] == [("T", "Ann"), ("T", "Bob"), ("Paper", "Ann"), ("Call", "Ann")]
    money = frozenset({"for / money"})
    assert judgments(export.table("documents")) == {
        ("T", "Ann"): money,
        ("T", "Bob"): frozenset(),
        ("Paper", "Ann"): frozenset(),
        ("Photo", "Bob"): money,
        ("Call", "Ann"): frozenset(),
        ("Film", "U-C"): frozenset(),
    }
    assert export.contents.left_out == {
        "codings without a user (--coder-from file makes each file a coder)": 1,
        "codings of areas of PDFs": 2,
        "codings of pictures": 1,
        "codings of transcripts without positions": 1,
        "codings with a code that is not in the codebook": 1,
    }
    assert "N" not in export.contents.extents
    notes = export.notes()
    assert "the texts of 1 sources are not in the export" in notes
    assert "positions in audio and video are milliseconds" in notes


def test_a_note_counts_codings_after_the_end(tmp_path):
    late = project(text_source("T", text_selection(20, 40, coding("money", ANN))))
    export = read(qdpx(tmp_path / "p.qdpx", late))
    assert export.contents.extents == {"T": (0, 40)}
    assert any("1 codings end after the end of their text" in note for note in export.notes())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('startPosition="0"', "", "PlainTextSelection 's' has no 'startPosition'"),
        ('startPosition="0"', 'startPosition="-1"', "must be a whole number, got '-1'"),
        ('startPosition="0"', 'startPosition="1e3"', "must be a whole number, got '1e3'"),
        ('endPosition="16"', 'endPosition="6"', "'s' ends at 6, before it begins at 8"),
        (' targetGUID="C-MONEY"', "", "CodeRef has no 'targetGUID'"),
        (' name="against"', "", "Code 'C-AGAINST' has no 'name'"),
        (' guid="U-A"', "", "User has no 'guid'"),
        ('name="against"', 'name="for / money"', "two codes are written 'for / money'"),
        ("<Project", "<!DOCTYPE p [<!ENTITY b 'b'>]><Project", "declares a document type"),
        ("</Sources>", "", "not well-formed XML"),
        ("urn:QDA-XML:project:1.0", "urn:other", "must hold a Project"),
    ],
)
def test_what_a_project_must_say(tmp_path, old, new, said):
    assert old in TWO
    error = refused(qdpx(tmp_path / "p.qdpx", TWO.replace(old, new)), format="refi")
    assert said in str(error)
    assert "project.qde" in str(error)


@pytest.mark.breadth
def test_damage_is_a_result_or_an_error(tmp_path):
    path = tmp_path / "p.qde"
    seen = set()
    for seed in range(400):
        path.write_text(damaged_text(EVERYTHING, seed), encoding="utf-8")
        seen.add(refused(path, format="refi") is None)
    assert seen == {True, False}
    truncated(path, EVERYTHING.encode(), 400, lambda cut: refused(cut, format="refi"))
    whole = qdpx(tmp_path / "p.qdpx", EVERYTHING).read_bytes()
    truncated(tmp_path / "p.qdpx", whole, 400, lambda cut: refused(cut, format="refi"))


@pytest.mark.parametrize("levels", [100, 990, 2_000])
def test_a_deep_tree_is_a_result_or_an_error(tmp_path, levels):
    opened = "".join(f'<Code guid="g{n}" name="n{n}">' for n in range(levels))
    deep = f"<CodeBook><Codes>{opened}{'</Code>' * levels}</Codes></CodeBook>"
    inner = text_selection(0, 2, coding("g99", ANN))
    path = qdpx(tmp_path / "p.qdpx", project(text_source("T", inner), codes=deep))
    error = refused(path)
    assert (error is None) == (levels == 100)
    assert error is None or "nested" in str(error)


def test_texts_in_another_encoding(tmp_path):
    path = write_zip(
        tmp_path / "p.qdpx", {"project.qde": TWO, "sources/T1.txt": "ä".encode("latin-1")}
    )
    assert "UTF-8" in str(refused(path))
    assert refused(path, encoding="latin-1") is None


def test_a_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("agreement_fast.files.exports.bundle.FREE_EXPANSION", 1 << 20)
    error = refused(qdpx(tmp_path / "p.qdpx", TWO, t1=" " * (1 << 24)))
    assert "expands to more than" in str(error)


@pytest.mark.parametrize(
    "text", ["<Project/>", '<a xmlns="urn:QDA-XML:project:1.0"/>', "item,coder\n"]
)
def test_other_files_are_not_taken(tmp_path, text):
    path = tmp_path / "p.qde"
    path.write_text(text)
    assert find_tool(Bundle.of([str(path)]), None) is None
    archive = write_zip(tmp_path / "p.qdpx", {"readme.txt": "x"})
    assert find_tool(Bundle.of([str(archive)]), None) is None


def test_a_project_of_more_elements_than_memory_holds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("agreement_fast.files.exports.elements.MOST_ELEMENTS", 100)
    many = TWO.replace("<Users>", "<Users>" + '<User guid="g"/>' * 100)
    with pytest.raises(ReadError, match="it has more than 100 elements"):
        read(qdpx(tmp_path / "p.qdpx", many))

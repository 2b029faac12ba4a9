"""Folders of brat, written by hand."""

import pytest
from damage import cuts, flipped, refused
from exported import judgments, read, units, write_zip

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.brat import Brat
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.reading import continuum_of
from agreement_fast.units import Continuum, u_alpha

# The 🎈 is one character, and two in UTF-16.
TEXT = "Ann's 🎈 rose over the old town\nand the river.\n"
ANN = (
    "T1\tThing 6 7\t🎈\n"
    "T2\tMotion 8 17\trose over\n"
    "T3\tPlace 22 30;39 44\told town river\n"
    "T4\tPlace 26 30\ttown\n"
    "E1\tMotion:T2 Who:T1\n"
    "A1\tNegated T2\n"
    "M2\tSure T2\n"
    "R1\tNear Arg1:T3 Arg2:T4\t\n"
    "N1\tReference T4 Wikipedia:123\ttown\n"
    "*\tEquiv T3 T4\n"
    "#1\tAnnotatorNotes T1\tin\tthe air\n"
)
BEN = "T1\tThing 0 7\tAnn's 🎈\nT2\tPlace 26 34\ttown\x20and\n"


@pytest.fixture
def folder(tmp_path):
    for coder, marks in (("ann", ANN), ("ben", BEN)):
        place = tmp_path / "corpus" / coder
        place.mkdir(parents=True)
        (place / "a.1.txt").write_bytes(TEXT.encode())
        (place / "a.1.ann").write_bytes(marks.encode())
        (place / "a.2.txt").write_bytes(b"Nothing here")
    (tmp_path / "corpus" / "ann" / "a.2.ann").write_bytes(b"")
    (tmp_path / "corpus" / "annotation.conf").write_text("[entities]\n")
    return tmp_path / "corpus"


def test_units_of_both_coders(folder):
    export = read(folder)
    assert export.tool.name == "brat"
    assert units(export) == [
        ("a.1", "ann", 6, 7, "Thing"),
        ("a.1", "ann", 8, 17, "Motion"),
        ("a.1", "ann", 22, 30, "Place"),
        ("a.1", "ann", 39, 44, "Place"),
        ("a.1", "ben", 0, 7, "Thing"),
        ("a.1", "ben", 26, 34, "Place"),
    ]
    assert export.contents.extents == {"a.1": (0, 46), "a.2": (0, 12)}
    assert export.notes() == [
        "left out: events (1), attributes (2), relations (1), normalizations (1), equivalences (1),"
        " notes (1)",
        "1 .ann files are empty: their documents count as read and without marks, although brat"
        " also requires such a file before anybody opens a document",
    ]


def test_spans_with_gaps_and_within_others_are_spans(folder):
    spans = read(folder).contents.spans["spans"]
    assert [(s.coder, s.parts, s.category) for s in spans.marked] == [
        ("ann", ((6, 7),), "Thing"),
        ("ann", ((8, 17),), "Motion"),
        ("ann", ((22, 30), (39, 44)), "Place"),
        ("ann", ((26, 30),), "Place"),
        ("ben", ((0, 7),), "Thing"),
        ("ben", ((26, 34),), "Place"),
    ]
    # A text without an .ann was not judged, one with an empty .ann was.
    assert list(spans.seen) == [("a.1", "ann"), ("a.2", "ann"), ("a.1", "ben")]


def test_alpha_is_that_of_the_same_units_by_hand(folder):
    result = read(folder).units(None, coders=["ann", "ben"])
    from_export = continuum_of(result)
    by_hand = Continuum.from_rows(
        ["ann", "ann", "ann", "ann", "ben", "ben"],
        [6, 8, 22, 39, 0, 26],
        [7, 17, 30, 44, 7, 34],
        ["Thing", "Motion", "Place", "Place", "Thing", "Place"],
        ["a.1"] * 6,
        extents={"a.1": (0, 46)},
    )
    assert float(u_alpha(from_export)) == float(u_alpha(by_hand))


def test_texts_are_kept_for_readings_that_need_them(folder):
    table = read(folder, spans="line").table(spans="line")
    assert judgments(table) == {
        ("a.1:0-31", "ann"): frozenset({"Thing", "Motion", "Place"}),
        ("a.1:0-31", "ben"): frozenset({"Thing", "Place"}),
        ("a.1:31-46", "ann"): frozenset({"Place"}),
        ("a.1:31-46", "ben"): frozenset({"Place"}),
        ("a.2:0-12", "ann"): frozenset(),
    }


def test_an_expression_may_begin_above_what_is_named(folder):
    # Not in the folder that pytest made, whose name is in the path, too.
    expected = units(read(folder))
    how = r"corpus/([^/]+)/"
    assert units(read(folder, coder_from=how)) == expected
    assert units(read(folder / "ann", folder / "ben", coder_from=how)) == expected
    assert units(read(*folder.glob("*/a.1.ann"), coder_from=how)) == expected
    with pytest.raises(ReadError, match=r"finds no coder in 'ann/a\.1\.ann'"):
        read(folder, coder_from=r"(corp)us/")


def test_texts_lie_beside_files_that_are_named(folder):
    export = read(folder / "ann" / "a.1.ann", folder / "ben" / "a.1.ann", spans="line")
    assert units(export) == units(read(folder))
    assert export.contents.extents == {"a.1": (0, 46)}
    assert export.contents.texts == {"a.1": TEXT}
    assert not any(".txt" in note for note in export.notes())


def test_a_text_beside_a_file_must_be_its_own(folder):
    (folder / "ben" / "a.1.txt").write_bytes(b"Another text, which is long enough for all spans")
    with pytest.raises(ReadError, match="differ"):
        read(folder / "ann" / "a.1.ann", folder / "ben" / "a.1.ann")


def test_empty_files_are_named_with_their_texts_beside(folder):
    (folder / "ben" / "a.2.ann").write_bytes(b"")
    export = read(*[folder / coder / "a.2.ann" for coder in ("ann", "ben")], format="brat")
    assert export.contents.extents == {"a.2": (0, 12)}


def test_names_of_files_that_differ_per_coder(tmp_path):
    for coder, name, marks in (("ann", "6_150", ANN), ("ben", "13_150", BEN)):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / f"{name}.ann").write_bytes(marks.encode())
    export = read(tmp_path, document_from=r"\d+_(\d+)\.ann$")
    assert {document for document, _ in export.contents.spans["spans"].seen} == {"150"}
    assert export.contents.extents == {}
    assert export.notes()[1:] == ["1 documents have no .txt: their lengths are not known"]
    with pytest.raises(ReadError, match="has 0 groups: put only the document"):
        read(tmp_path, document_from="_")
    with pytest.raises(ReadError, match="no document was finished by two of the 2 coders"):
        read(tmp_path).units(None)


def test_several_folders_and_an_archive_are_the_same(folder, tmp_path):
    by_folder = units(read(folder))
    assert units(read(folder / "ann", folder / "ben")) == by_folder
    members = {
        str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }
    assert units(read(write_zip(tmp_path / "corpus.zip", members))) == by_folder
    assert units(read(folder, coder_from="^([^/]+)/")) == by_folder


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tThing 6 7", "line 1: expected an identifier, a type with offsets and a text"),
        ("T1 Thing 6 7 x", "line 1: expected an identifier"),
        ("X1\tThing 6 7\t🎈", "line 1: expected an identifier"),
        ("T1\tThing\t🎈", "line 1: expected an identifier"),
        ("T1\tThing 6\t🎈", "expected offsets such as '3 8' or '3 8;11 15', got '6'"),
        ("T1\tThing 6 ７\t🎈", "expected offsets such as"),
        ("T1\tThing -6 7\t🎈", "expected offsets such as"),
        ("T1\tThing 7 6\t🎈", "a span ends before it begins: '7 6'"),
        ("T1\tThing 7 8\t🎈", "has '' there, not '🎈': it is another text"),
        ("T1\tThing 6 700\t🎈", "ends at 700, and the .txt has 46 characters"),
    ],
)
def test_errors_name_the_line(folder, line, message):
    (folder / "ann" / "a.1.ann").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(ReadError) as error:
        read(folder)
    assert message in str(error.value)
    assert "a.1.ann" in str(error.value)
    assert "\n" not in str(error.value)


def test_changed_line_ends_are_found(folder):
    text = TEXT.replace("over", "over\n").replace("\n", "\r\n")
    for coder in ("ann", "ben"):
        (folder / coder / "a.1.txt").write_bytes(text.encode())
    with pytest.raises(ReadError, match="line ends were changed"):
        read(folder)


def test_line_ends_of_the_ann_do_not_matter(folder):
    before = units(read(folder))
    (folder / "ann" / "a.1.ann").write_bytes(ANN.replace("\n", "\r\n").encode())
    assert units(read(folder)) == before


def test_lines_end_nowhere_but_at_line_ends(tmp_path):
    for coder in ("ann", "ben"):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "a.txt").write_bytes("one\u2028two\x85three".encode())
        (tmp_path / coder / "a.ann").write_bytes("T1\tX 0 9\tone\u2028two\x85t\n".encode())
    assert units(read(tmp_path)) == [("a", "ann", 0, 9, "X"), ("a", "ben", 0, 9, "X")]


def test_two_files_of_one_document_are_refused(folder):
    with pytest.raises(ReadError, match=r"both document 'a' of coder 'ann': pass --document-from"):
        read(folder, document_from=r"(a)\.\d\.ann")


def test_texts_that_differ_are_refused(folder):
    (folder / "ben" / "a.1.txt").write_bytes(TEXT.replace("old", "new").encode())
    with pytest.raises(ReadError, match=r"different texts of document 'a\.1\'"):
        read(folder)


def test_files_in_no_folder_are_refused(folder):
    with pytest.raises(ReadError, match="is in no folder of a coder: name the folder above"):
        read(folder / "ann")
    export = read(folder / "ann", coder_from="file", document_from=r"(a\..)")
    assert list(export.contents.spans["spans"].seen) == [("a.1", "a.1"), ("a.2", "a.2")]


def test_other_options_and_other_files_are_refused(folder, tmp_path):
    with pytest.raises(ReadError, match="--item-from is not for exports of brat"):
        read(folder, item_from="text")
    (tmp_path / "x.csv").write_text("item,coder,label\n1,a,x\n")
    with pytest.raises(ReadError, match=r"has no \.ann file"):
        read(tmp_path / "x.csv", format="brat")


def test_latin1_is_refused_unless_it_is_said(folder):
    for coder in ("ann", "ben"):
        (folder / coder / "a.1.txt").write_bytes("é town".encode("latin-1"))
        (folder / coder / "a.1.ann").write_bytes("T1\tX 0 1\té\n".encode("latin-1"))
    with pytest.raises(ReadError, match="is not UTF-8: convert it to UTF-8, or pass --encoding"):
        read(folder)
    assert units(read(folder, encoding="latin-1"))[0] == ("a.1", "ann", 0, 1, "X")


@pytest.mark.parametrize(
    ("name", "content", "known"),
    [
        ("a.ann", "T1\tThing 6 7\t🎈\n", True),
        ("a.ann", "#1\tAnnotatorNotes T1\tx\n", True),
        ("a.ann", "T1 is a thing\n", False),
        ("a.ann", "", False),
        ("a.tsv", "T1\tThing 6 7\t🎈\n", False),
        ("a.ann", '{"text": "T1"}\n', False),
    ],
)
def test_recognition(tmp_path, name, content, known):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert Brat().recognise(Bundle.of([str(tmp_path)])) == known


def test_empty_files_beside_texts_are_brats(tmp_path):
    (tmp_path / "a.ann").write_text("")
    (tmp_path / "a.txt").write_text("text")
    assert Brat().recognise(Bundle.of([str(tmp_path)]))


@pytest.mark.breadth
def test_damaged_files_raise_nothing_else(folder):
    path = folder / "ann" / "a.1.ann"
    seen = set()
    for content in (*cuts(ANN.encode(), 100), *flipped(ANN.encode(), every=6)):
        path.write_bytes(content)
        seen.add((refused(folder, format="brat") or "read")[-20:])
    assert len(seen) > 10
    path.write_bytes(ANN.encode())
    for content in flipped(TEXT.encode(), every=6):
        (folder / "ann" / "a.1.txt").write_bytes(content)
        refused(folder, format="brat")

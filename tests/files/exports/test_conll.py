"""Columns of CoNLL, written by hand."""

import pytest
from damage import cuts, flipped, refused
from exported import judgments, read, units
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.conll import Conll, units_of_tags
from agreement_fast.units import Continuum, u_alpha

WORDS = [["Ann", "Lee", "met", "Ben", "."], ["In", "New\u00a0York", "#", "Ann", "ran"]]
ANN = [["B-PER", "I-PER", "O", "B-PER", "O"], ["O", "B-LOC", "O", "B-PER", "O"]]
BEN = [["B-PER", "O", "O", "B-PER", "O"], ["O", "B-LOC", "I-LOC", "O", "O"]]
UNITS = [
    ("1", "ann", 0, 2, "PER"),
    ("1", "ann", 3, 4, "PER"),
    ("1", "ann", 6, 7, "LOC"),
    ("1", "ann", 8, 9, "PER"),
    ("1", "ben", 0, 1, "PER"),
    ("1", "ben", 3, 4, "PER"),
    ("1", "ben", 6, 8, "LOC"),
]
ITEMS = [
    "1.1 Ann", "1.2 Lee", "1.3 met", "1.4 Ben", "1.5 .",
    "2.1 In", "2.2 New\u00a0York", "2.3 #", "2.4 Ann", "2.5 ran",
]  # fmt: skip


def columns(*tags, between="\t", words=WORDS):
    """Write sentences with a column for each list of tags."""
    return "\n".join(
        "".join(
            between.join((word, *(one[number][place] for one in tags))) + "\n"
            for place, word in enumerate(sentence)
        )
        for number, sentence in enumerate(words)
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "out").mkdir()
    for coder, tags in (("ann", ANN), ("ben", BEN)):
        (tmp_path / "out" / f"{coder}.conll").write_text(columns(tags), encoding="utf-8")
    return tmp_path / "out"


def test_units_and_tags_are_two_questions(folder):
    export = read(folder)
    assert export.tool.name == "conll"
    assert export.questions == ("tags", "spans")
    assert export.contents.unit == "tokens"
    assert units(export) == UNITS
    assert export.contents.extents == {"1": (0, 10)}
    assert list(export.contents.spans["spans"].seen) == [("1", "ann"), ("1", "ben")]
    expected = {
        (item, coder): tag
        for coder, tags in (("ann", ANN), ("ben", BEN))
        for item, tag in zip(ITEMS, [*tags[0], *tags[1]], strict=True)
    }
    assert judgments(export.table("tags")) == expected
    assert export.notes() == []
    with pytest.raises(ReadError, match="has 2 questions, and one must be chosen"):
        export.table()


def test_alpha_is_that_of_the_same_units_and_tags_by_hand(folder):
    export = read(folder)
    result = export.units(None)
    from_export = Continuum.from_rows(
        result.coders, result.starts, result.ends, result.categories, result.documents,
        extents=result.extents, all_coders=result.everyone,
    )  # fmt: skip
    by_hand = Continuum.from_rows(
        list("aaaabbb"), [0, 3, 6, 8, 0, 3, 6], [2, 4, 7, 9, 1, 4, 8],
        ["P", "P", "L", "P", "P", "P", "L"], extents=10,
    )  # fmt: skip
    assert float(u_alpha(from_export)) == float(u_alpha(by_hand))
    table = export.table("tags")
    data = af.Annotations.from_long(
        table.items.decode(), table.coders.decode(), table.labels.decode()
    )
    rows = list(zip(ANN[0] + ANN[1], BEN[0] + BEN[1], strict=True))
    assert float(af.alpha(data)) == float(af.alpha(af.Annotations.from_wide(rows)))


@pytest.mark.parametrize("between", ["\t", " ", "  \t"])
@pytest.mark.parametrize("header", ["", "token{0}ann{0}ben\n", "# global.columns = FORM ann ben\n"])
def test_a_column_for_each_coder(tmp_path, between, header):
    path = tmp_path / "x.tsv"
    path.write_text(header.format(between) + columns(ANN, BEN, between=between), encoding="utf-8")
    with pytest.raises(ReadError, match="does not say whose tags it holds: name the files of all"):
        read(path)
    export = read(path, coder_from="column")
    named = {"column 2": "ann", "column 3": "ben"}
    assert [
        (document, named.get(coder, coder), *rest) for document, coder, *rest in units(export)
    ] == UNITS
    assert {coder for _, coder in judgments(export.table("tags"))} == (
        {"ann", "ben"} if header else named.keys()
    )


def test_tags_of_one_coder_are_no_agreement(tmp_path):
    (tmp_path / "x.tsv").write_text(columns(ANN), encoding="utf-8")
    with pytest.raises(ReadError, match="has one column of tags: that is one coder"):
        read(tmp_path, coder_from="column")


SCHEMES = {
    "BIO": ["B-A", "I-A", "B-A", "O", "B-B", "B-A"],
    "IOB1": ["I-A", "I-A", "B-A", "O", "I-B", "I-A"],
    "IOBES": ["B-A", "E-A", "S-A", "O", "S-B", "S-A"],
    "BMEWO": ["B-A", "E-A", "W-A", "O", "W-B", "W-A"],
    "BILOU": ["B-A", "L-A", "U-A", "O", "U-B", "U-A"],
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_mark_the_same_units(scheme):
    result = [unit[:3] for unit in units_of_tags(SCHEMES[scheme], [6])]
    assert result == [(0, 2, "A"), (2, 3, "A"), (4, 5, "B"), (5, 6, "A")]


@pytest.mark.parametrize("last", "ELSUW")
def test_nothing_goes_on_behind_the_last_token_of_a_unit(last):
    result = list(units_of_tags([f"{last}-A", "I-A"], [2]))
    assert [unit[:2] for unit in result] == [(0, 1), (1, 2)]


@pytest.mark.parametrize("first", "BSUW")
def test_nothing_goes_on_into_the_first_token_of_a_unit(first):
    result = list(units_of_tags(["I-A", f"{first}-A"], [2]))
    assert [unit[:2] for unit in result] == [(0, 1), (1, 2)]


def test_units_end_with_their_sentence():
    tags = ["B-A", "I-A", "I-A", "M-A", "O", "B", "I"]
    assert list(units_of_tags(tags, [2, 7])) == [
        (0, 2, "A", False),
        (2, 4, "A", True),
        (5, 7, "unit", False),
    ]


@given(st.lists(st.tuples(st.sampled_from("OBIESLUMW"), st.sampled_from(["", "-A", "-B"]))))
def test_units_lie_apart_and_cover_what_is_tagged(pairs):
    tags = ["O" if letter == "O" else letter + kind for letter, kind in pairs]
    result = list(units_of_tags(tags, [len(tags)] if tags else []))
    covered = [place for begin, end, *_ in result for place in range(begin, end)]
    assert covered == [place for place, tag in enumerate(tags) if tag != "O"]
    for begin, end, kind, _ in result:
        assert {tag.partition("-")[2] or "unit" for tag in tags[begin:end]} == {kind}


def test_iob1_is_noted(tmp_path):
    for coder in ("ann", "ben"):
        (tmp_path / f"{coder}.iob").write_text("a I-X\nb I-X\n\nc O\nd B-X\n")
    assert read(tmp_path).notes() == ["2 of 4 units begin without a B- tag, as they do in IOB1"]


def test_documents_in_a_file(tmp_path):
    start = "-DOCSTART- -X- -X- O\n\n"
    text = f"{start}a NN I-NP B-X\n\n{start}b NN I-NP O\nc VB O O\n"
    (tmp_path / "ann.txt").write_text(text)
    (tmp_path / "ben.txt").write_text(text.replace("B-X", "O"))
    export = read(tmp_path)
    assert export.questions == (
        "tags column 2", "tags column 3", "tags column 4", "spans column 3", "spans column 4",
    )  # fmt: skip
    assert units(export, "spans column 4") == [("1", "ann", 0, 1, "X")]
    assert export.contents.extents == {"1": (0, 1), "2": (0, 2)}
    assert judgments(export.table("tags column 2")) == {
        (item, coder): tag
        for coder in ("ann", "ben")
        for item, tag in (("1:1.1 a", "NN"), ("2:1.1 b", "NN"), ("2:1.2 c", "VB"))
    }


def test_universal_dependencies(tmp_path):
    text = (
        "# newdoc id = letter\n# sent_id = 1\n# text = del sol\n"
        "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
        "2\tel\tel\tDET\t_\t_\t0\troot\t_\t_\n"
        "2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "# newdoc id = note\n1\tsol\tsol\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    (tmp_path / "ann.conllu").write_text(text)
    (tmp_path / "ben.conllu").write_text(text.replace("DET", "PRON").replace("NOUN", "_"))
    export = read(tmp_path)
    assert export.questions == ("tags LEMMA", "tags UPOS", "tags HEAD", "tags DEPREL")
    assert judgments(export.table("tags UPOS")) == {
        ("letter:1.1 de", "ann"): "ADP",
        ("letter:1.2 el", "ann"): "DET",
        ("note:1.1 sol", "ann"): "NOUN",
        ("letter:1.1 de", "ben"): "ADP",
        ("letter:1.2 el", "ben"): "PRON",
        ("note:1.1 sol", "ben"): None,
    }
    assert export.notes() == ["left out: lines of words that are several tokens or no token (4)"]


def test_a_folder_for_each_coder(tmp_path):
    for coder, tags in (("ann", ANN), ("ben", BEN)):
        (tmp_path / coder).mkdir()
        for document in ("1", "b.2"):
            (tmp_path / coder / f"{document}.conll").write_text(columns(tags), encoding="utf-8")
    (tmp_path / "ben" / "b.2.conll").unlink()
    export = read(tmp_path)
    assert [one for one in units(export) if one[0] == "1"] == UNITS
    assert list(export.contents.spans["spans"].seen) == [("1", "ann"), ("b.2", "ann"), ("1", "ben")]
    assert export.notes() == [
        "files in several folders have the same names: each folder is one coder"
    ]
    by_path = read(tmp_path, coder_from="^([^/]+)/", document_from=r"(\d)\.conll")
    assert set(by_path.contents.extents) == {"1", "2"}
    with pytest.raises(ReadError, match=r"are both document 'conll' of coder 'ann'"):
        read(tmp_path, coder_from="folder", document_from="(conll)")


def test_tokens_without_tags_are_missing(folder):
    (folder / "ben.conll").write_text(columns([BEN[0], ["", "", "_", "", ""]]), encoding="utf-8")
    export = read(folder)
    assert list(export.contents.spans["spans"].seen) == [("1", "ann")]
    assert judgments(export.table("tags"))["2.1 In", "ben"] is None
    assert export.notes() == ["left out: documents with tokens that have no tag (1)"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("met\t", "meets\t", "line 3, has 'meets', and "),
        ("\n\n", "\n", "has '.' at the end of a sentence: all"),
        ("ran\tO\n", "", "ends document '1' after 9 tokens, and "),
        ("ran\tO\n", "ran\tO\nfar\tO\n", "line 12, has 'far'"),
        ("Lee\tO", "Lee\tO\tO", "line 2: expected 2 columns as in other lines, got 3"),
        ("Lee\tO", "Lee", "line 2: expected 2 columns as in other lines, got 1"),
        ("Lee\tO", "Lee\t0", "line 2: expected a tag such as B-PER, I-PER or O as in other lines"),
    ],
)
def test_errors_name_the_line(folder, old, new, message):
    text = columns(BEN)
    assert old in text
    (folder / "ben.conll").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ReadError) as error:
        read(folder, format="conll")
    assert message in str(error.value)
    assert "ben.conll" in str(error.value)
    assert "\n" not in str(error.value)


def test_files_of_other_columns_are_refused(folder):
    (folder / "ben.conll").write_text(columns(BEN, BEN), encoding="utf-8")
    with pytest.raises(ReadError, match=r"has 3 columns .*, but the files before have 2"):
        read(folder)


def test_columns_of_other_names_are_refused(folder):
    for coder, names in (("ann", "chunk\tname"), ("ben", "name\tchunk")):
        text = f"token\t{names}\n" + columns(ANN, BEN)
        (folder / f"{coder}.conll").write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=r"columns \('token', 'name', 'chunk'\), but the files"):
        read(folder)


def test_a_document_twice_in_a_file_is_refused(tmp_path):
    for coder in ("ann", "ben"):
        text = f"# newdoc id = a\n{BIO}\n"
        (tmp_path / f"{coder}.conll").write_text(text * 2)
    with pytest.raises(ReadError, match="holds document 'a' twice"):
        read(tmp_path)


def test_headers_may_name_the_coder(folder):
    for coder, tags in (("ann", ANN), ("ben", BEN)):
        text = f"token\t{coder}\n" + columns(tags)
        (folder / f"{coder}.conll").write_text(text, encoding="utf-8")
    assert units(read(folder)) == UNITS


def test_line_ends_do_not_matter(folder):
    (folder / "ann.conll").write_bytes(("\ufeff" + columns(ANN)).replace("\n", "\r\n").encode())
    assert units(read(folder)) == UNITS
    assert units(read(folder, encoding="utf-8")) == UNITS


def test_tokens_may_be_last(tmp_path):
    for coder, tag in (("ann", "B-X"), ("ben", "O")):
        text = f"{tag}\t0\t3\tAnn\nO\t4\t7\tran\n\nB-X\t8\t11\tBen\n"
        (tmp_path / f"{coder}.conll").write_text(text)
    export = read(tmp_path)
    assert units(export, "spans column 1") == [
        ("1", "ann", 0, 1, "X"),
        ("1", "ann", 2, 3, "X"),
        ("1", "ben", 2, 3, "X"),
    ]
    assert ("1.2 ran", "ben") in judgments(export.table("tags column 1"))


def test_files_longer_than_what_is_looked_at(tmp_path):
    for coder in ("ann", "ben"):
        (tmp_path / f"{coder}.conll").write_text("ŁódźŁódźŁódź B-X\n" * 9_000, encoding="utf-8")
    assert len(units(read(tmp_path))) == 18_000


BIO = "Ann B-PER\nLee I-PER\nran O\n"


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (BIO, True),
        (BIO.replace(" ", "\t"), True),
        ("token\tann\tben\n" + BIO.replace(" ", "\tO\t"), True),
        ("The DT\nsun NN\n\nThe DT\nmoon NN\n", True),
        ("# text = a\n1\ta\tNN\n2\tb\tNN\n\n# text = c\n1\tc\tNN\n2\td\tX\n", True),
        ("-DOCSTART- O\n\na X\nb Y\nc Z\n", True),
        # tables
        ("item\tcoder\tlabel\n1\tann\tB-PER\n2\tann\tO\n3\tann\tO\n", False),
        ("item\tann\tben\n1\tB-PER\tO\n2\tO\tO\n3\tO\tO\n", False),
        ("doc\tuser\ttag\n1\tann\tx\n\n2\tann\tx\n3\tben\tx\n", False),
        ("item,coder,label\n1,ann,x\n2,ann,x\n", False),
        ("item, coder, label\n1, ann, x\n\n2, ann, x\n3, ann, x\n", False),
        ("coder\tstart\tend\tcategory\na\t1\t2\tX\n\na\t3\t4\tX\na\t4\t5\tX\n", False),
        ("ann\tben\n1\t2\n3\t3\n1\t1\n", False),
        ("0.1 0.5\n0.2 0.5\n\n0.3 0.5\n0.4 0.5\n", False),
        ("a x\n\nb x\n\nc x\n\nd y\n", False),
        # other tools, and prose
        ("#FORMAT=WebAnno TSV 3.3\n\n#Text=a b\n1-1\t0-1\ta\tX\t\n1-2\t2-3\tb\tX\t\n", False),
        ("T1\tThing 6 7\tx\nT2\tThing 8 9\ty\nT3\tThing 10 11\tz\n", False),
        ('{"text": "x", "label": ["a"]}\n{"text": "x", "label": ["a"]}\n', False),
        ('{"a": 1}\n{"a": 1}\n\n{"a": 1}\n{"a": 1}\n', False),
        ("Ann met Ben\n\nthen they ran home\n", False),
        ("SPEAKER f 1 0.0 1.0 <NA> <NA> a <NA> <NA>\n" * 4, False),
        ("", False),
    ],
)
def test_recognition(tmp_path, content, known):
    path = tmp_path / "x.txt"
    path.write_text(content)
    assert Conll().recognise(Bundle.of([str(path)])) == known


ONE_SENTENCE = (
    "1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n"
    "2\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    "3\tBen\tBen\tPROPN\tNNP\t_\t2\tobj\t_\t_\n"
)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (ONE_SENTENCE, True),
        ("# sent_id = 1\n# text = Ann met Ben\n" + ONE_SENTENCE + "\n", True),
        ("# text = Ann met Ben\nAnn\tPER\nmet\t_\nBen\tPER\n", True),
        # Numbers of items and ratings of nine.
        ("".join("\t".join([str(n), *"345123451"]) + "\n" for n in range(1, 9)), False),
        ("".join("\t".join([str(n), *"abcabcabc"]) + "\n" for n in range(1, 9)), False),
    ],
)
def test_one_sentence_is_enough(tmp_path, content, known):
    path = tmp_path / "a.conllu"
    path.write_text(content)
    assert Conll().recognise(Bundle.of([str(path)])) is known


def test_a_wide_table_of_such_labels_is_one_where_that_is_said(tmp_path):
    path = tmp_path / "wide.tsv"
    rows = [("w1", "B-x", "B-x"), ("w2", "O", "B-x"), ("w3", "O", "O"), ("w4", "B-x", "B-x")]
    path.write_text("word\tann\tben\n" + "".join("\t".join(row) + "\n" for row in rows))
    with pytest.raises(ReadError, match=r"--coder-from column .*; --format table reads it"):
        read(path)
    by_hand = [(coder, item, label) for item, *labels in rows
               for coder, label in zip(("ann", "ben"), labels, strict=True)]  # fmt: skip
    expected = af.alpha(af.Annotations.from_triples(by_hand)).value
    with pytest.warns(af.ReadHint, match="items are named by column"):
        assert af.alpha(af.read(path, layout="wide")).value == expected
    assert af.alpha(af.read(path, layout="wide", item="word")).value == expected


def test_damaged_files_raise_nothing_else(tmp_path):
    good = "-DOCSTART- O\n\n# x\nAnn\tB-P\nran\tO\n\nBen\tB-P\n"
    numbered = "1-2\tab\t_\n1\ta\tX\n2\tb\tY\n\n1\tc\tX\n"
    seen = set()
    for text in (good, numbered):
        (tmp_path / "ann.conll").write_text(text)
        content = text.encode()
        for damaged in (*cuts(content, 100), *flipped(content, every=6)):
            (tmp_path / "ben.conll").write_bytes(damaged)
            for coder_from in (None, "column"):
                seen.add((refused(tmp_path, format="conll", coder_from=coder_from) or "read")[-30:])
    assert len(seen) > 20

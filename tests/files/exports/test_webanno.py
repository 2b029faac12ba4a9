"""WebAnno TSV 3: every mark of the format, typed in by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from cas_files import TSV
from damage import damaged_text, refused, truncated
from exported import judgments, read, units

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Stance|value\n\n\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_all_that_the_format_has(tmp_path):
    export = read(write(tmp_path / "ann.tsv", TSV), coder_from="file", keep_texts=True)
    marked = {
        name: [(*span.parts, span.category) for span in spans.marked]
        for name, spans in export.contents.spans.items()
    }
    assert marked == {
        "Stance.value": [
            ((0, 4), "for"),
            ((0, 2), "against"),
            ((5, 8), "_"),
            ((6, 8), "a|b[1]\\"),
            ((10, 13), ""),
        ],
        "Stance.strength": [
            ((0, 4), ""),
            ((0, 2), "2"),
            ((5, 8), "*"),
            ((6, 8), ""),
            ((10, 13), ""),
        ],
        "Note": [((3, 8), "Note")],
        "Host": [((3, 4), "Host"), ((8, 9), "Host")],
    }
    assert export.contents.left_out == {
        "links between annotations": 2,
        "links of chains": 2,
        "relations": 1,
    }
    assert export.contents.texts == {"document": "Hi 😀 you.\nA_b so"}
    assert export.contents.extents == {"document": (0, 16)}


@pytest.mark.parametrize(
    ("rows", "marked"),
    [
        # stacked without ids
        (["1-1\t0-1\ta\tX|Y\t"], [((0, 1), "X"), ((0, 1), "Y")]),
        # an id on a token and on what is within it
        (["1-1\t0-6\taaaaaa\tX[1]\t", "1-1.1\t3-4\ta\tX[1]\t"], [((0, 6), "X")]),
        # parts of two tokens
        (["1-1\t0-4\tThis\t_\t", "1-1.1\t1-4\this\tX[1]\t", "1-2\t5-7\tis\t_\t",
          "1-2.1\t5-6\ti\tX[1]\t"], [((1, 6), "X")]),
        # no length
        (["1-1\t0-4\tword\t_\t", "1-1.1\t4-4\t\tX\t", "1-2\t4-5\t.\t_\t"], [((4, 4), "X")]),
        # two UTF-16 units, also where the token is divided
        (["1-1\t0-3\ta😀\t_\t", "1-1.1\t1-3\t😀\tX\t", "1-2\t4-5\tb\tY\t"],
         [((1, 2), "X"), ((3, 4), "Y")]),
        # a file whose program counted code points
        (["1-1\t0-2\ta😀\tX\t", "1-2\t3-4\tb\tY\t"], [((0, 2), "X"), ((3, 4), "Y")]),
    ],
)  # fmt: skip
def test_places(tmp_path, rows, marked):
    path = write(tmp_path / "a.tsv", HEAD + "\n".join([*rows, ""]))
    result = read(path, coder_from="file").contents
    assert [(*one.parts, one.category) for one in result.spans["Stance.value"].marked] == marked


def test_without_a_text_the_last_token_is_the_end(tmp_path):
    path = write(tmp_path / "a.tsv", HEAD + "1-1\t0-4\tword\tX\t\n1-2\t4-5\t.\t_\t\n")
    assert read(path, coder_from="file").contents.extents == {"document": (0, 5)}


def test_lines_may_end_in_two_characters(tmp_path):
    export = read(write(tmp_path / "a.tsv", TSV.replace("\n", "\r\n")), coder_from="file")
    again = read(write(tmp_path / "b.tsv", "\ufeff" + TSV), coder_from="file")
    assert len(export.contents.spans["Stance.value"]) == 5
    assert export.contents.extents == again.contents.extents == {"document": (0, 16)}


def test_sentences_stand_where_their_tokens_say(tmp_path):
    text = (
        HEAD
        + "#Text=  one\\ttwo\n1-1\t4-7\tone\tA\t\n1-2\t8-11\ttwo\t_\t\n"
        + "\n#Text=end\n2-1\t14-17\tend\tB\t\n"
    )
    export = read(write(tmp_path / "a.tsv", text), coder_from="file", spans="line")
    assert export.contents.texts == {"document": "    one\ttwo\n  end"}
    assert judgments(export.table(spans="line")) == {
        ("0-14", "a"): "A",
        ("14-17", "a"): "B",
    }
    assert any("each sentence is a line" in note for note in export.notes())


def _other_text(file):
    return file.replace("#Text=a", "#Text=c").replace("\ta\t", "\tc\t")


def test_two_coders_and_two_documents(tmp_path):
    one = HEAD + "#Text=a b\n1-1\t0-1\ta\tX\t\n1-2\t2-3\tb\t_\t\n"
    other = HEAD + "#Text=a b\n1-1\t0-1\ta\tX\t\n1-2\t2-3\tb\tY\t\n"
    write(tmp_path / "d1" / "ann.tsv", one)
    write(tmp_path / "d1" / "bob.tsv", other)
    write(tmp_path / "d2" / "ann.tsv", _other_text(other))
    write(tmp_path / "d2" / "bob.tsv", _other_text(one).replace("X", "Y"))
    export = read(tmp_path, coder_from="file", document_from="folder")
    assert units(export) == [
        ("d1", "ann", 0, 1, "X"),
        ("d1", "bob", 0, 1, "X"),
        ("d1", "bob", 2, 3, "Y"),
        ("d2", "ann", 0, 1, "X"),
        ("d2", "ann", 2, 3, "Y"),
        ("d2", "bob", 0, 1, "Y"),
    ]
    table = export.table(spans="exact")
    assert judgments(table) == {
        ("d1:0-1", "ann"): "X",
        ("d1:0-1", "bob"): "X",
        ("d1:2-3", "ann"): "not marked",
        ("d1:2-3", "bob"): "Y",
        ("d2:0-1", "ann"): "X",
        ("d2:0-1", "bob"): "Y",
        ("d2:2-3", "ann"): "Y",
        ("d2:2-3", "bob"): "not marked",
    }
    by_hand = af.Annotations.from_long(
        ["1", "1", "2", "2", "3", "3", "4", "4"],
        ["ann", "bob"] * 4,
        ["X", "X", "none", "Y", "X", "Y", "Y", "none"],
    )
    rows = [column.decode() for column in (table.items, table.coders, table.labels)]
    assert af.alpha(af.Annotations.from_long(*rows)) == af.alpha(by_hand)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#FORMAT=WebAnno TSV 2.0\n", "line 1: expected '#FORMAT=WebAnno TSV 3...'"),
        (HEAD + "1-1\t0-1\ta\t_\t_\t_\t\n", "line 5: expected a token in 4 columns"),
        (HEAD + "1-1\t0-1\ta\n", "line 5: expected a token in 4 columns"),
        (HEAD + "1-1\t3-1\ta\t_\t\n", "line 5: '3-1' ends before it begins"),
        (HEAD + "x-1\t0-1\ta\t_\t\n", "line 5"),
        (HEAD + "1-1\t0-1\ta\tX\\\t\n", r"line 5: 'X\' ends in a backslash"),
        (HEAD + "1-1\t0-1\ta\tX\\|Y\\\t\n", "ends in a backslash"),
    ],
)
def test_what_is_none_of_it_is_an_error(tmp_path, text, said):
    with pytest.raises(ReadError) as caught:
        read(write(tmp_path / "a.tsv", text), coder_from="file", format="webanno")
    assert said in str(caught.value)
    assert "a.tsv" in str(caught.value)


def test_whose_it_is_must_be_said(tmp_path):
    path = write(tmp_path / "a.tsv", TSV)
    with pytest.raises(ReadError, match="pass --coder-from file"):
        read(path)
    write(tmp_path / "b.tsv", HEAD + "#Text=z\n1-1\t0-1\tz\t_\t\n")
    with pytest.raises(ReadError, match=r"document 'document' .* pass --document-from"):
        read(tmp_path, coder_from="file")
    with pytest.raises(ReadError, match="hold different texts of document"):
        read(tmp_path, coder_from="file", document_from="(.)tsv")


def test_bytes_of_another_encoding(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes((HEAD + "#Text=ä\n1-1\t0-1\tä\tX\t\n").encode("latin-1"))
    assert "UTF-8" in str(refused(path, coder_from="file"))
    assert refused(path, coder_from="file", encoding="latin-1") is None


@pytest.mark.breadth
def test_damage_is_a_result_or_an_error(tmp_path):
    path = tmp_path / "a.tsv"
    seen = set()
    truncated(
        path,
        TSV.encode(),
        100,
        lambda cut: seen.add(refused(cut, coder_from="file", format="webanno") is None),
    )
    for seed in range(150):
        write(path, damaged_text(TSV, seed))
        seen.add(refused(path, coder_from="file", format="webanno") is None)
    assert seen == {True, False}


def test_a_wrong_offset_fills_no_memory(tmp_path):
    text = HEAD + "#Text=a\n1-1\t900000000000-900000000001\ta\tX\t\n"
    export = read(write(tmp_path / "a.tsv", text), coder_from="file", keep_texts=True)
    assert len(export.contents.texts["document"]) < 1 << 21


@pytest.mark.parametrize("text", ["item\tcoder\tlabel\n1\ta\tx\n", "#Text=a\n", "", '{"a": 1}\n'])
def test_other_files_are_not_taken(tmp_path, text):
    assert find_tool(Bundle.of([str(write(tmp_path / "a.tsv", text))]), None) is None

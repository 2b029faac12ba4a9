"""Rows above the header are skipped, and a second header is detected."""

from __future__ import annotations

import gzip
from pathlib import Path

import openpyxl
import pytest
from command import LONG, Command

import agreement_fast as af
from agreement_fast.files import ReadError, WideTable, read
from agreement_fast.reading.recognition import headers
from agreement_fast.reading.recognition.headers import FEWEST_ROWS

TABLE = "item,coder,label\na,x,yes\na,y,no\n"
MERGED = ",Coders (wave 1),,\nNr,Maria,Tom,Comments\n"
CODES = "1,yes,no,\n2,yes,yes,unsure\n3,no,no,\n4,no,yes,\n"


def write(path: Path, text: str | bytes) -> str:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


@pytest.mark.few
@pytest.mark.parametrize(
    ("above", "skip"),
    [
        ("My study\n", 1),
        ("My study\nof 2024,,\n", 2),
        ("\nMy study\n\n", 2),
        ('"a title\nover two lines",,\n', 1),
        ('"a; title"\n"and, ""more"""\n', 2),
        ("\ufeffMy study\n", 1),
        ("a|b|c|d|e\n", 1),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_above_the_header_are_skipped(
    tmp_path: Path, above: str, skip: int, delimiter: str, end: str
) -> None:
    text = above.replace(",,", 2 * delimiter) + TABLE.replace(",", delimiter)
    table = read(write(tmp_path / "t.csv", text.replace("\n", end)), skip_rows=skip)
    assert table.labels.decode().tolist() == ["yes", "no"]
    assert (table.source.item, table.source.rows) == ("item", 2)


def test_rows_are_skipped_in_every_csv(tmp_path: Path) -> None:
    names = [
        write(tmp_path / "a.csv", "title\n" + TABLE),
        write(
            tmp_path / "b.csv.gz", gzip.compress(b"title\n" + TABLE.replace("a,", "b,").encode())
        ),
        write(tmp_path / "c.tsv", ("title\n" + TABLE.replace("a,", "c,")).replace(",", "\t")),
        write(tmp_path / "d.csv", ("title\n" + TABLE.replace("a,", "d,")).encode("utf-16")),
    ]
    for name in names:
        assert read(name, skip_rows=1).source.rows == 2
    assert read(names[:3], skip_rows=1).source.rows == 6
    # The same above a table without a header.
    rows = read(names[0], skip_rows=2, header=False, item="1", coder="2", label="3")
    assert rows.source.rows == 2


def test_rows_that_cannot_be_skipped(command: Command, folder: Path) -> None:
    (folder / "l.jsonl").write_text('{"item": 1, "coder": 1, "label": 1}\n')
    for name in ("report", "subsets", "diagnose", "units"):
        assert command.error(name, "l.jsonl", "--skip-rows", "1") == (
            "--skip-rows 1 is for CSV and spreadsheets: 'l.jsonl' is JSON, which has no rows above"
            " its table"
        )
        assert command.error(name, "long.csv", "--skip-rows", "9") == (
            "'long.csv': --skip-rows 9 leaves no row"
        )
        assert command.error(name, "long.csv", "--skip-rows", "-1") == (
            "--skip-rows must be 0 or more, not -1"
        )
    assert "no rows below it" in command.error(
        "report", "long.csv", "--skip-rows", "8", "--layout", "wide"
    )


def test_a_second_header_is_detected(command: Command, folder: Path) -> None:
    (folder / "m.csv").write_text(MERGED + CODES)
    for argv in (
        ["report", "--layout", "wide"],
        ["report"],
        ["diagnose", "--layout", "wide"],
        ["subsets", "--layout", "wide"],
    ):
        error = command.error(*argv, "m.csv")
        assert error.endswith("says 'Nr', 'Maria', 'Tom', 'Comments': pass --skip-rows 1")
    argv = [
        "report",
        "m.csv",
        "--layout",
        "wide",
        "--skip-rows",
        "1",
        "--item",
        "Nr",
        "--exclude",
        "Comments",
    ]
    assert "coders are Maria, Tom" in command.text(*argv)
    (folder / "m.csv").write_text("Study 7\n\n" + MERGED + CODES)
    assert "pass --skip-rows 3" in command.error(
        "report", "m.csv", "--layout", "wide", "--skip-rows", "1"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Nr,Unnamed: 1,Unnamed: 2,Unnamed: 3\nNr,Maria,Tom,Comments\n" + CODES,
        "Nr,Coders,,\n,Maria,Tom,Comments\n" + CODES,
        MERGED + FEWEST_ROWS * "a,b,c,d\n",
    ],
)
def test_what_is_a_second_header(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError, match=r"two header rows.*--skip-rows 1"):
        read(write(tmp_path / "t.csv", text), layout="wide")


@pytest.mark.parametrize(
    "text",
    [
        # The index of a data frame
        ",Maria,Tom\ni1,yes,no\ni2,no,no\ni3,yes,no\ni4,no,yes\n",
        "Unnamed: 0,Maria,Tom\ni1,yes,no\ni2,no,no\ni3,yes,no\ni4,no,yes\n",
        # ... whose first row holds labels that occur only once
        ",Maria,Tom\ni1,never,perhaps\ni2,no,no\ni3,yes,no\ni4,no,yes\n",
        # A column that is empty or has no name
        "Maria,Tom,\nyes,no,\nyes,yes,\nno,no,\nyes,no,\n",
        "Maria,Tom,\nyes,no,yes\nyes,yes,no\nno,no,no\nyes,no,no\n",
        "Maria,Tom,\n1,2,3\n2,2,2\n1,1,1\n3,3,3\n",
        # Too short to tell
        MERGED.replace("Nr", "no") + (FEWEST_ROWS - 1) * "a,b,c,d\n",
    ],
)
def test_what_is_no_second_header(tmp_path: Path, text: str) -> None:
    coders = ["Maria", "Tom"]
    if text.startswith(",Coders"):
        coders = ["Coders (wave 1)"]
    table = read(write(tmp_path / "t.csv", text), layout="wide", coder=coders)
    assert isinstance(table, WideTable)
    assert table.coders == tuple(coders)


# -- excluded columns


def test_excluded_columns_are_not_guessed(command: Command, folder: Path) -> None:
    (folder / "t.csv").write_text(
        "task,id,coder,score,rating\n1,9,a,x,1\n1,8,b,x,2\n2,7,a,y,1\n2,6,b,z,1\n"
    )
    source = command.json("report", "t.csv", "--exclude", "task,rating")["source"]
    assert (source["columns"]["item"], source["columns"]["label"]) == ("id", "score")
    twice = command.json("report", "t.csv", "--exclude", "task", "--exclude", "rating")["source"]
    assert twice == source
    (folder / "s.csv").write_text("coder,begin,start,end,type\na,1,2,3,x\nb,1,2,3,x\n")
    source = command.json("units", "s.csv", "--exclude", "start,type")["source"]
    assert (source["columns"]["start"], source["columns"]["category"]) == ("begin", None)


def test_excluded_columns_are_not_coders(command: Command, folder: Path) -> None:
    for suffix, text in (
        ("csv", "A,B,C,slides\n1,1,9,38\n1,2,8,12\n"),
        ("jsonl", '{"A": 1, "B": 1, "C": 9}\n{"A": 1, "B": 2, "C": 8}\n'),
    ):
        (folder / f"w.{suffix}").write_text(text)
        exclude = "C,slides" if suffix == "csv" else "C"
        source = command.json("report", f"w.{suffix}", "--layout", "wide", "--exclude", exclude)[
            "source"
        ]
        assert source["columns"]["coders"] == ["A", "B"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--exclude", "slide"], "no column 'slide' (did you mean 'slides'?)"),
        (["--exclude", "a"], "no column 'a' (did you mean 'A'?)"),
        (["--exclude", ""], "--exclude is empty"),
        (["--exclude", "A,,B"], "--exclude has an empty name"),
        (["--exclude", "A", "--coder", "A,B"], "column 'A' is both named and excluded"),
        (["--exclude", "A", "--item", "A"], "column 'A' is both named and excluded"),
        (["--exclude", "slides", "--weights", "slides"], "'slides' is both named and excluded"),
        (["--exclude", "A,B,C,slides"], "no coder columns"),
    ],
)
def test_columns_that_cannot_be_excluded(
    command: Command, folder: Path, argv: list[str], message: str
) -> None:
    assert message in command.error("report", "wide.csv", "--layout", "wide", *argv)


def test_a_long_file_excludes_what_it_does_not_name(command: Command, folder: Path) -> None:
    (folder / "long.csv").write_text(LONG)
    assert "cannot tell which column is the label" in command.error(
        "report", "long.csv", "--exclude", "label"
    )
    assert "both named and excluded" in command.error(
        "report", "long.csv", "--exclude", "lang", "--by", "lang"
    )


def test_three_header_rows(command: Command, folder: Path) -> None:
    names = "Nr,Maria,Tom\n"
    (folder / "h.csv").write_text(f",Wave,\n,Coders,\n{names}" + "".join(
        f"{i},{'yn'[i % 2]},y\n" for i in range(6)
    ))  # fmt: skip
    assert command.error("report", "h.csv", "--layout", "wide") == (
        "'h.csv' seems to have three header rows: the first leaves 2 columns without a name, the"
        " last says 'Nr', 'Maria', 'Tom': pass --skip-rows 2"
    )
    assert "Maria" in command.text("report", "h.csv", "--layout", "wide", "--skip-rows", "2")


def test_names_above_names(command: Command, folder: Path) -> None:
    """As pandas writes columns of two levels."""
    (folder / "h.csv").write_text("coder,label,label\nitem,ann,bob\n" + "".join(
        f"{i},{'yn'[i % 2]},y\n" for i in range(6)
    ))  # fmt: skip
    assert command.error("report", "h.csv", "--layout", "wide") == (
        "'h.csv' seems to have two header rows: the first leaves 1 column without a name, the"
        " second says 'item', 'ann', 'bob': pass --skip-rows 1"
    )


# What the calculators of ReCal and k-alpha.org take: a row an item, a column a coder, no names.
CALCULATED = "1,1,2\n2,2,2\n3,3,#\n1,2,1\n2,2,2\n3,1,3\n"


def test_a_first_row_of_repeated_numbers_is_data(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "t.csv", CALCULATED)
    with pytest.warns(
        af.ReadHint, match=r"first row \('1', '1', '2'\) is read as data, .*header=False"
    ):
        data = af.read(path, missing=["#"])
    assert (data.n_items, data.n_coders, len(data.categories)) == (6, 3, 3)
    assert data.read.call["header"] is False
    again = af.read(path, missing=["#"], **data.read.call)
    named = write(tmp_path / "named.csv", "A,B,C\n" + CALCULATED)
    assert af.alpha(again) == af.alpha(data) == af.alpha(af.read(named, missing=["#"]))
    text = command.text("report", path, "--missing", "#")
    assert "first row ('1', '1', '2') is read as data" in " ".join(text.split())


#: An export of Qualtrics: names, questions with line breaks, ids, and a row for each response.
QUALTRICS = """StartDate,ResponseId,Post,Rater,Tone
Start Date,Response ID,"Which post
do you rate?",Who are you?,"How ""polite"" is it?"
"{""ImportId"":""startDate"",""timeZone"":""America/Denver""}","{""ImportId"":""_recordId""}","{""Impo\
rtId"":""QID1_TEXT""}","{""ImportId"":""QID2_TEXT""}","{""ImportId"":""QID3""}"
2024-01-01,R_1,p1,ann,1
2024-01-01,R_2,p1,ben,2
2024-01-02,R_3,p2,ann,3
2024-01-02,R_4,p2,ben,3
"""


@pytest.mark.parametrize("large", [False, True])
def test_three_headers_of_qualtrics(tmp_path: Path, large: bool) -> None:
    path = write(tmp_path / "q.csv", QUALTRICS)
    if large:  # as DuckDB reads it
        path = write(tmp_path / "q.csv.gz", gzip.compress(QUALTRICS.encode()))
    with pytest.warns(af.ReadHint, match="two rows below the header, with Qualtrics' questions"):
        data = af.read(path, item="Post", coder="Rater", label="Tone")
    assert data.to_wide().tolist() == [[1, 2], [3, 3]]
    assert (list(data.items), data.coders) == (["p1", "p2"], ("ann", "ben"))


def test_rows_that_are_not_of_qualtrics_are_kept(tmp_path: Path) -> None:
    text = "item,coder,label\na,x,yes\na,y,no\nb,x,yes\n"
    assert read(write(tmp_path / "t.csv", text)).source.rows == 3


@pytest.mark.parametrize("mark", ["#", "NA"])
def test_marks_beside_numbers_are_missing(tmp_path: Path, command: Command, mark: str) -> None:
    """ReCal marks a missing judgment with #, and k-alpha.org and R with NA."""
    path = write(tmp_path / "t.csv", CALCULATED.replace("#", mark))
    with pytest.warns(af.ReadHint, match=f"'{mark}' beside numbers is read as missing"):
        data = af.read(path)
    assert data.categories == (1, 2, 3)
    rows = [[int(cell) if cell.isdigit() else None for cell in line.split(",")]
            for line in CALCULATED.split()]  # fmt: skip
    for distance in ("nominal", "interval"):
        assert af.alpha(data, distance) == af.alpha(rows, distance, layout="wide")
    text = command.json("report", path, "--text")["reports"][0]
    assert [one["category"] for one in text["categories"]] == sorted([mark, "1", "2", "3"])
    both = write(tmp_path / "b.csv", "a,b\n1,2\n2,NA\n#,3\n3,3\n")
    with pytest.warns(af.ReadHint, match="beside numbers are read as missing: if they are labels"):
        af.read(both)
    # Beside words it is a label, which a note asks about.
    words = write(tmp_path / "w.csv", f"a,b\nyes,no\nyes,{mark}\nno,no\nyes,yes\n")
    with pytest.warns(af.Hint, match="may mean"):
        assert mark in af.read(words).categories


def test_a_first_row_of_a_sheet_is_data_by_the_same_rule(tmp_path: Path) -> None:
    rows = [
        [int(cell) if cell.isdigit() else cell for cell in line.split(",")]
        for line in CALCULATED.split()
    ]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.warns(af.ReadHint, match="is read as data"):
        data = af.read(str(tmp_path / "t.xlsx"), missing=["#"])
    assert (data.n_items, data.n_coders, len(data.categories)) == (6, 3, 3)


@pytest.mark.parametrize(
    ("first", "is_data"),
    [
        ("1,1", True), ("1,NA,1", True), ("1.0,1,2", True), ("#,2,2", True),
        ("1,NA", True), ("1,#", True), ("#,1", False), ("1,2", False), ("1,", False),
        ("A,1,1", False), ("NA,NA", False),
        (",1,1", False), ("a,a", False),
    ],
)  # fmt: skip
def test_which_first_rows_are_data(first: str, is_data: bool) -> None:
    """Numbers that differ may be names of coders, and words are names."""
    assert headers.is_data(first.split(",")) == is_data

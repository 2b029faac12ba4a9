"""``agreement-fast units``: its table, its document, and what it refuses."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from command import Command

import agreement_fast as af
from agreement_fast import units
from agreement_fast.files import UNIT_ROLES, ColumnOptions, Workplace, read_columns

# The example of docs/units.md
SPANS = """\
coder,start,end,category
Ann,0,5,person
Ann,10,20,place
Ann,30,36,person
Ben,0,5,person
Ben,12,20,place
Ben,31,36,place
"""


@pytest.fixture
def spans(folder: Path) -> str:
    """Write a file of units."""
    (folder / "spans.csv").write_text(SPANS)
    return "spans.csv"


def coefficient(document: Any, name: str) -> Any:
    return next(one for one in document["table"] if one["coefficient"] == name)


def test_cuts_and_links_have_units_of_their_own(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "cuts.csv"
    file.write_text("document,coder,marks\na,X,001\na,Y,010\n")
    assert "--of segments reads cuts" in command.error("units", str(file))
    assert command.json("units", "--of=segments", str(file))["n_elements"] == 4
    error = command.error("units", str(file), "--marks", "marks")
    assert "it is an option of agreement-fast units --of segments (" in error


def test_two_of_three_coders_are_taken(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "three.csv"
    file.write_text("coder,start,end,category\nA,0,4,x\nB,1,4,x\nC,2,4,x\nA,6,9,y\nB,6,8,y\n")
    call = ["units", str(file), "--length", "12"]
    assert coefficient(command.json(*call), "cu_alpha")["value"] is not None
    taken = command.json(*call, "--only-coder", "B,A")["table"]
    kept = command.json(*call, "--where", "coder IN ('A', 'B')")["table"]
    assert taken == kept
    assert "no coder 'D'; the coders are A, B, C" in command.error(*call, "--only-coder", "A,D")
    rows = zip(*(line.split(",") for line in file.read_text().splitlines()[1:]), strict=True)
    coders, starts, ends, categories = map(list, rows)
    data = units.Continuum.from_rows(
        coders, list(map(int, starts)), list(map(int, ends)), categories, extents=12
    )
    two = af.agreement_table(data.select(coders=["A", "B"]))
    assert {one["coefficient"]: one["value"] for one in taken} == {
        one.coefficient: None if one.undefined else one.value for one in two
    }


def test_a_report_of_spans_names_the_command(command: Command, folder: Path, spans: str) -> None:
    (folder / "texts.csv").write_text("coder,start,end,label,text\nA,0,5,x,t\nB,0,5,x,t\n")
    for file, item in ((spans, "--item"), ("texts.csv", "--item text")):
        printed = command.error("report", file)
        assert "'start', 'end' seem to be where units start and end: use the command" in printed
        assert f"else pass {item}" in printed
    with pytest.raises(af.AgreementError, match='pass spans="continuum"; else pass'):
        af.read(spans)
    assert af.read(spans, spans="continuum").n_coders == 2


def test_the_numbers_are_those_of_unitizing(command: Command, spans: str) -> None:
    document = command.json("units", spans, "--length", "50")
    rows = [line.split(",") for line in SPANS.splitlines()[1:]]
    coders, starts, ends, categories = zip(*rows, strict=True)
    data = units.Continuum.from_rows(
        coders, list(map(int, starts)), list(map(int, ends)), categories, extents=50
    )
    for expected in af.agreement_table(data):
        result = coefficient(document, expected.coefficient)
        if expected.coefficient != "ku_alpha":
            assert result["value"] == pytest.approx(expected.value, rel=1e-12)
        for part, row in zip(expected.by_category, result["by_category"], strict=True):
            assert (row["category"], row["n_units"]) == (part.category, part.n_units)
            assert row["value"] == pytest.approx(part.value, rel=1e-12)
    assert coefficient(document, "u_alpha")["value"] == pytest.approx(0.7186, abs=5e-5)
    assert document["documents"] == [{"name": "document", "begin": 0, "end": 50}]
    assert document["inferred"] is False
    assert document["source"]["guessed"] == ["coder", "start", "end", "category"]


def test_categories_that_may_be_one(command: Command, spans: str) -> None:
    Path(spans).write_text(SPANS.replace("36,place", "36,Place"))
    text = command.text("units", spans, "--length", "50")
    assert "'Place' = 'place'" in text


def test_the_text(command: Command, spans: str) -> None:
    text = command.text("units", spans)
    assert "documents are assumed to end with their last unit" in text
    assert "6 units of 2 coders in 1 document, 36 long, in 2 categories: person, place." in text
    rows = [line.split() for line in text.splitlines()]
    assert ["u-alpha", "all", "6", "100%", "0.2222", "0.6788", "0.6726"] in rows
    assert "was taken to end" not in command.text("units", spans, "--length", "50")


def test_columns_by_name_documents_and_decimals(command: Command, folder: Path) -> None:
    (folder / "s.tsv").write_text(
        "wer\tvon\tbis\ttext\nA\t0.5\t1.25\tx\nB\t0.5\t1.5\tx\nA\t2\t3\ty\nB\t2\t3.5\ty\n"
    )
    argv = ["units", "s.tsv", "--coder", "wer", "--start", "von", "--end", "bis"]
    document = command.json(*argv, "--resolution", "0.25", "--length", "x=4,y=1:6,z=2")
    assert document["source"]["columns"] == {
        "coder": "wer", "start": "von", "end": "bis", "category": None, "document": "text",
    }  # fmt: skip
    assert document["documents"] == [
        {"name": "x", "begin": 0, "end": 4},
        {"name": "y", "begin": 1, "end": 6},
        {"name": "z", "begin": 0, "end": 2},
    ]
    assert document["categories"] == ["unit"]
    assert "44 steps of 0.25 long together, in" in command.text(
        *argv, "--resolution", "0.25", "--length", "x=4,y=1:6,z=2"
    )


def test_coders_who_marked_nothing(command: Command, spans: str) -> None:
    document = command.json("units", spans, "--all-coder", "Ann,Eve")
    assert document["coders"] == ["Ann", "Ben", "Eve"]


def test_undefined_values_say_why(command: Command, folder: Path) -> None:
    (folder / "one.csv").write_text("coder,start,end\nA,0,2\nA,4,6\n")
    text = command.text("units", "one.csv")
    assert "Undefined, and why\n" in text
    assert "no pairs: one coder alone" in " ".join(text.split())
    assert coefficient(command.json("units", "one.csv"), "alpha_u")["value"] is None


def test_every_format(command: Command, folder: Path, spans: str) -> None:
    import duckdb

    duckdb.sql("copy (from 'spans.csv') to 'spans.parquet'")
    duckdb.sql("copy (from 'spans.csv') to 'spans.jsonl' (format json)")
    result = [
        command.json("units", f"spans.{end}", "--length", "50")["table"]
        for end in ("csv", "parquet", "jsonl")
    ]
    assert result[0] == result[1] == result[2]


def test_categories_that_are_numbers(command: Command, folder: Path) -> None:
    (folder / "n.csv").write_text("coder,start,end,label\nA,0,2,1\nB,0,2,2\nB,3,4,1.0\n")
    assert command.json("units", "n.csv")["categories"] == [1, 2]
    assert command.json("units", "n.csv", "--text")["categories"] == ["1", "1.0", "2"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "no file was named: agreement-fast units FILE"),
        (["nope.csv"], "'nope.csv': no such file"),
        (["long.csv"], "cannot tell which column is the start and the end: pass --start --end"),
        (["spans.csv", "--coder", "who"], "no column 'who'"),
        (["spans.csv", "--end", "coder", "--coder", "coder"], "must be different columns"),
        (["spans.csv", "--start", "end", "--end", "start"], "row 1 below the header (coder 'Ann'"),
        (["spans.csv", "--length", "20"], "is not inside its document, which goes from 0 to 20"),
        (["spans.csv", "--length", "20"], "row 3 below the header"),
        (["spans.csv", "--length", "1,2"], "for several documents pass DOCUMENT=N"),
        (["spans.csv", "--length", "a=1,2"], "'2' is not DOCUMENT=N"),
        (["spans.csv", "--length", "x"], "'x' is neither a number nor BEGIN:END"),
        (["spans.csv", "--length", "1:2:3"], "is neither a number nor BEGIN:END"),
        (["spans.csv", "--length", "inf"], "is neither a number nor BEGIN:END"),
        (["spans.csv", "--length", "a=5"], "--length has nothing for document 'document'"),
        (["spans.csv", "--resolution", "3"], "row 2 below the header is not a whole multiple"),
        (["spans.csv", "--resolution", "0"], "resolution must be a positive number"),
        (["spans.csv", "--resolution", "x"], "invalid float value"),
        (["spans.csv", "--all-coder", "a,,b"], "--all-coder has an empty name"),
        (["spans.csv", "--where", "start > 99"], "no row satisfies --where"),
        (["spans.csv", "--where", "1; drop"], "--where"),
        (["words.csv"], "column 'end' has 'soon' in row 2 below the header"),
        (["gap.csv"], "column 'end' has an empty cell in row 1 below the header"),
        (["who.csv"], "1 row has no value in column 'coder'"),
        (["over.csv"], "rows 1 and 3 below the header are the same unit"),
        (["two.csv"], "'begin' or 'from' could be the start: pass --start"),
    ],
)
def test_errors_are_one_line(
    command: Command, folder: Path, spans: str, argv: list[str], message: str
) -> None:
    (folder / "words.csv").write_text("coder,start,end\nA,1,2\nA,3,soon\n")
    (folder / "gap.csv").write_text("coder,start,end\nA,1,\nA,3,4\n")
    (folder / "who.csv").write_text("coder,start,end\n,1,2\nA,3,4\n")
    (folder / "over.csv").write_text("coder,start,end\nA,1,5\nB,1,2\nA,1,5\n")
    (folder / "two.csv").write_text("coder,begin,from,end\nA,1,5,9\n")
    assert message in command.error("units", *argv)


@pytest.mark.few("7-7", "7.-7", "70e-1-7")
@pytest.mark.parametrize(
    ("cell", "position"),
    [("7", 7), ("+7", 7), ("7.0", 7), ("7.", 7), (".7e1", 7), ("70E-1", 7), ("70e-1", 7),
     ("0.007e+3", 7)],
)  # fmt: skip
def test_positions_may_be_written_so(
    command: Command, folder: Path, cell: str, position: int
) -> None:
    argv = ["units", "u.csv", "--length", "50"]
    (folder / "u.csv").write_text(SPANS.replace("0,5", f"0,{cell}"))
    result = command.json(*argv)["table"]
    (folder / "u.csv").write_text(SPANS.replace("0,5", f"0,{position}"))
    assert result == command.json(*argv)["table"]


@pytest.mark.parametrize("cell", ["55E-1", "55e-1", "5.5"])
def test_a_broken_position_is_not_rounded(folder: Path, cell: str) -> None:
    (folder / "u.csv").write_text(SPANS.replace("0,5", f"0,{cell}"))
    with ExitStack() as stack:
        marked = read_columns(Workplace(stack), ["u.csv"], ColumnOptions(), UNIT_ROLES, "units")
        assert marked.numbers["end"][0] == 5.5


@pytest.mark.parametrize(
    "cell",
    ["", "1_0", "0x10", "0b1", "inf", "nan", "007", " 5", "5 ", "٥", "5e", "5,0", "--5", "1e999",
     "five"],
)  # fmt: skip
def test_what_is_no_position(command: Command, folder: Path, cell: str) -> None:
    (folder / "u.csv").write_text(SPANS.replace("0,5", f'0,"{cell}"'), encoding="utf-8")
    message = command.error("units", "u.csv", "--length", "50")
    assert "positions must be numbers, such as 12 or 0.5; column 'end' has" in message
    assert "row 1 below the header" in message


def test_intervals_are_those_of_the_library(command, tmp_path):
    rows = zip(
        "AB" * 4, (0, 0, 2, 3, 1, 1, 5, 0), (4, 4, 8, 8, 6, 7, 9, 4), "11223344", strict=True
    )
    lines = [",".join(map(str, row)) for row in rows]
    path = tmp_path / "u.csv"
    path.write_text("coder,start,end,document\n" + "\n".join(lines) + "\n")
    argv = (
        "units",
        str(path),
        "--length",
        "10",
        "--method",
        "percentile",
        "--n-resamples",
        "200",
        "--rng",
        "3",
    )
    result = command.json(*argv)["intervals"]
    data = af.units.Continuum.from_rows(
        coders=list("AB" * 4), starts=[0, 0, 2, 3, 1, 1, 5, 0], ends=[4, 4, 8, 8, 6, 7, 9, 4],
        documents=list("11223344"), extents=10,
    )  # fmt: skip
    expected = af.bootstrap(data, n_resamples=200, method="percentile", rng=3)
    assert len(result) == len(expected)
    for row, one in zip(result, expected, strict=True):
        if one.undefined is None:
            assert (row["value"], row["low"], row["high"]) == (one.value, one.low, one.high)
    shown = command.text(*argv)
    assert f"{expected['u_alpha'].low:.4f}" in shown
    assert "With fewer than 10 documents," in shown
    assert [row["coefficient"] for row in command.table(*argv)] == [
        one.coefficient for one in expected
    ]
    plain = command.json("units", str(path), "--length", "10", "--gamma")
    assert plain["intervals"] is None
    beside = {(row["measure"], row["category"]): row for row in plain["beside"]}
    exact = af.units.scores(data, ["exact", "overlap"], rng=0)["exact"]
    assert beside["F1 exact", None]["low"] == exact.low < exact.value < exact.high
    assert beside["gamma", None]["value"] == af.units.gamma(data, rng=0).value
    assert f"{exact.high:.4f}" in command.answer(*argv)
    with_gamma = command.text("units", str(path), "--length", "10", "--gamma")
    assert "--gamma computes" in shown
    assert "--gamma computes" not in with_gamma
    answer = command.answer("units", str(path), "--length", "10", "--gamma")
    assert "\n  gamma       all" in answer
    assert {name for name, _ in beside} == {
        "F1 exact", "F1 overlap", "gamma", "gamma_cat", "gamma_k"
    }  # fmt: skip


def test_one_document_has_no_interval(command, tmp_path):
    (tmp_path / "u.csv").write_text("coder,start,end\na,0,3\nb,1,3\n")
    shown = command.text("units", str(tmp_path / "u.csv"), "--method", "percentile")
    assert "One document has no intervals" in shown
    assert "--confidence-level must be" in command.error(
        "units", "u.csv", "--method", "percentile", "--confidence-level", "0"
    )


def test_a_column_that_may_name_documents_is_named(command, tmp_path):
    lines = [
        f"{coder},{i // 2},{9 * i},{9 * i + 4 + (i == 3)},p" for i in range(6) for coder in "AB"
    ]
    (tmp_path / "s.csv").write_text("\n".join(["coder,interview,start,end,label", *lines]))
    argv = ["units", str(tmp_path / "s.csv"), "--length", "60"]
    note = "columns that vary and are not used: 'interview'; if one names documents, pass"
    assert note in " ".join(command.text(*argv).split())
    assert note not in " ".join(command.text(*argv, "--document", "interview").split())

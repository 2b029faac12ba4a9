"""Files with rows that are no items are refused, and the remedy works when it is pasted."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import Command

import agreement_fast as af
from agreement_fast.files import LongTable, ReadError, WideTable, read, stream

LABELS = [("y", "y"), ("n", "y"), ("n", "n"), ("y", "y"), ("y", "n"), ("n", "n"), ("y", "y")]
WIDE = [(f"s{i}", *pair) for i, pair in enumerate(LABELS)]
LONG = [(item, coder, label) for item, *pair in WIDE
        for coder, label in zip(("ann", "bob"), pair, strict=True)]  # fmt: skip
HEADER = ("item", "ann", "bob")
LONG_HEADER = ("item", "coder", "label")

IMPORTS = tuple(json.dumps({"ImportId": name}) for name in ("_recordId", "QID1", "QID2"))
QUESTIONS = ("Response ID", "Is the text of the left column toxic?", "Is the right one toxic?")

#: Rows that are no items, and their places among the rows of the table.
ODD = {
    "total": {7: ("Total", "4", "4")},
    "mean and sd": {7: ("Mean", "0.57", "0.57"), 8: ("SD", "0.5", "0.5")},
    "kappa": {7: ("Kappa", "0.42", "")},
    "percent": {7: ("75%", "y", "n")},
    "header": {3: HEADER},
    "rule": {0: ("---", "---", "---")},
    "types": {0: ("string", "nominal", "nominal")},
    "qualtrics": {0: QUESTIONS, 1: IMPORTS},
    "questions": {0: QUESTIONS},
}


def write_csv(path: Path, rows: list[tuple[str, ...]]) -> str:
    lines = [",".join(f'"{cell}"'.replace('{"', '{""').replace('": "', '"": ""')
                      .replace('"}', '""}') for cell in row) for row in rows]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def write_xlsx(path: Path, rows: list[tuple[str, ...]]) -> str:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return str(path)


def write_parquet(path: Path, rows: list[tuple[str, ...]]) -> str:
    header, *below = rows
    columns = dict(zip(header, map(list, zip(*below, strict=True)), strict=True))
    pq.write_table(pa.table(columns), path)
    return str(path)


WRITERS = {"csv": write_csv, "xlsx": write_xlsx, "parquet": write_parquet}


def insert(rows: list[tuple[str, ...]], odd: dict[int, tuple[str, ...]]) -> list[tuple[str, ...]]:
    rows = list(rows)
    for at, row in odd.items():
        rows.insert(at, row)
    return rows


@pytest.mark.few
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("odd", ODD)
def test_rows_of_wide_tables(tmp_path: Path, kind: str, odd: str) -> None:
    path = WRITERS[kind](tmp_path / f"t.{kind}", [HEADER, *insert(WIDE, ODD[odd])])
    if (odd, kind) == ("qualtrics", "csv"):  # as Qualtrics writes it
        left_out = read(path, layout="wide", item="item")
        assert "two rows below the header" in left_out.source.notes[0]
        assert left_out.labels.decode().tolist() == [list(pair) for pair in LABELS]
        return
    with pytest.raises(ReadError) as caught:
        read(path, layout="wide", item="item")
    for at, row in ODD[odd].items():
        assert f"row {at + 1} below the header of '{path}' ('{row[0]}'" in str(caught.value)
    where = re.search(r'pass --where (".*") to leave (?:it|them) out', str(caught.value))
    assert where is not None
    (condition,) = shlex.split(where[1])
    table = read(path, layout="wide", item="item", where=condition)
    assert isinstance(table, WideTable)
    assert table.labels.decode().tolist() == [list(pair) for pair in LABELS]


@pytest.mark.parametrize("kind", WRITERS)
def test_rows_of_long_tables(tmp_path: Path, kind: str) -> None:
    total = [("Total", "ann", "4"), ("Total", "bob", "4")]
    for odd in ({14: total[0], 15: total[1]}, {5: LONG_HEADER}, {0: ("str", "str", "object")}):
        path = WRITERS[kind](tmp_path / f"t.{kind}", [LONG_HEADER, *insert(LONG, odd)])
        with pytest.raises(ReadError, match="a row is no item: row") as caught:
            read(path)
        where = re.search(r'pass --where (".*") to', str(caught.value))
        assert where is not None
        table = read(path, where=shlex.split(where[1])[0])
        assert isinstance(table, LongTable)
        assert table.labels.decode().tolist() == [row[2] for row in LONG]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_of_large_tables(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    for name in ("LARGE", "LARGE_FILE", "LARGE_ZIPPED_FILE"):
        monkeypatch.setattr(stream, name, 0)
    monkeypatch.setattr(stream, "PART", 5)
    monkeypatch.setattr(stream, "RUN", 7)
    many = [(f"s{i}", coder, label) for i in range(30) for _, coder, label in LONG[2:4]]
    path = tmp_path / f"t.{kind}"
    WRITERS[kind](path, [LONG_HEADER, *many])
    command.text("report", str(path))
    for at, row in ((60, ("Total", "ann", "25")), (33, LONG_HEADER)):
        WRITERS[kind](path, [LONG_HEADER, *insert(many, {at: row})])
        error = command.error("report", str(path))
        assert f"a row is no item: row {at + 1} below the header of '{path}' ('{row[0]}'" in error
        assert f"""--where "item IS DISTINCT FROM '{row[0]}'" to leave it out""" in error
        command.text("report", str(path), "--where", f"item IS DISTINCT FROM '{row[0]}'")


def test_a_subtotal_between_the_items(tmp_path: Path) -> None:
    many = [(str(i), "y", "n") for i in range(100)]
    many.insert(50, ("Total", "n", "y"))
    path = write_csv(tmp_path / "t.csv", [HEADER, *many])
    with pytest.raises(ReadError, match=r"row 51 below .* unlike the other items"):
        read(path, layout="wide")
    # Among words, it may be an item.
    words = [(f"{a}{b}", "y", "n") for a in "bdfgklmn" for b in ("ose", "ain", "ile", "act")]
    words.insert(20, ("Total", "n", "y"))
    read(write_csv(tmp_path / "t.csv", [HEADER, *words]), layout="wide", item="item")


@pytest.mark.parametrize("place", [0, 25])
def test_a_total_in_a_column_beside(tmp_path: Path, place: int) -> None:
    rows = [(f"p{i}", f"note {i}", *LABELS[i % 7]) for i in range(25)]
    rows.insert(place, ("p99", "Total", "y", "n"))
    lines = [("page", "note", "ann", "bob"), *rows]
    path = tmp_path / "t.csv"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    with pytest.raises(ReadError, match=f"row {place + 1} below the header .*'Total'"):
        read(str(path), layout="wide", item="page", coder=["ann", "bob"])


def test_items_of_several_columns(tmp_path: Path) -> None:
    rows = [("d1", *row) for row in WIDE] + [("Total", "all", "5", "5")]
    path = write_csv(tmp_path / "t.csv", [("doc", *HEADER), *rows])
    total = [("Total", "75%", "4", "4")]
    read(path, layout="wide", item=["doc", "item"])
    path = write_csv(tmp_path / "t.csv", [("doc", *HEADER), *rows[:-1], *total])
    with pytest.raises(ReadError, match="no item"):
        read(path, layout="wide", item="item", exclude=["doc"])


def test_a_column_that_needs_quotes(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", [("Item No", "ann", "bob"), *WIDE, ("Total", "4", "4")])
    with pytest.raises(ReadError) as caught:
        read(path, layout="wide")
    assert r"""--where "\"Item No\" IS DISTINCT FROM 'Total'" to leave it out""" in str(
        caught.value
    )


def test_no_header_on_a_file_with_one(command: Command, folder: Path) -> None:
    write_csv(folder / "n.csv", [HEADER, *((row[0], "1", "2") for row in WIDE)])
    options = ("--no-header", "--layout", "wide", "--item", "1")
    assert command.error("report", "n.csv", *options) == (
        "'n.csv': the first row, 'item', 'ann', 'bob', has texts above columns of numbers, as a"
        " header has: leave out --no-header"
    )
    write_csv(folder / "w.csv", [HEADER, *WIDE])
    refusal = command.error("report", "w.csv", *options)
    assert "the first row ('ann', 'bob') looks like the names of the columns" in refusal
    assert "the first row, 'item', 'ann', 'bob', looks like a header" in " ".join(
        command.text("report", "w.csv", *options, "--coder", "2,3").split()
    )
    write_csv(folder / "w.csv", WIDE)
    assert "header" not in command.text("report", "w.csv", *options)


@pytest.mark.parametrize("opened", [open, gzip.open, None], ids=["plain", "packed", "sheet"])
@pytest.mark.parametrize(
    ("first", "doubtful"),
    [("1,2", True), ("2,1", True), ("1,3", False), ("a,b", False), ("2,b", False)],
)
def test_a_header_of_labels_is_in_doubt(
    tmp_path: Path, recwarn: pytest.WarningsRecorder, opened: Any, first: str, doubtful: bool
) -> None:
    """Coders may be numbered; numbers that are labels below may also be a row of them."""
    rows = f"{first}\n2,2\n1,1\n2,1\n1,2\n2,2\n"
    if opened is None:
        path = tmp_path / "t.xlsx"
        book = openpyxl.Workbook()
        for row in rows.split():
            book.active.append([int(cell) if cell.isdigit() else cell for cell in row.split(",")])
        book.save(path)
    else:
        path = tmp_path / ("t.csv" if opened is open else "t.csv.gz")
        with opened(path, "wt") as file:
            file.write(rows)
    af.read(path)
    hints = " ".join(str(hint.message) for hint in recwarn)
    assert ("its names are labels below, too" in hints) == doubtful
    assert ("pass header=False" in hints) == doubtful


def test_a_header_of_words_that_are_labels_is_in_doubt(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("yes,no\nno,no\nyes,yes\nno,yes\nno,no\nyes,yes\n")
    with pytest.warns(af.ReadHint, match="its names are labels below, too.*pass header=False"):
        af.read(tmp_path / "t.csv")


@pytest.mark.few("2")
@pytest.mark.parametrize("marks", [1, 2])
def test_a_mark_is_no_part_of_a_name(tmp_path: Path, marks: int) -> None:
    mark = b"\xef\xbb\xbf" * marks
    lines = ["Doc,Coder,Label", *map(",".join, LONG)]
    quoted = "\n".join(re.sub(r"[^,]+", r'"\g<0>"', line) for line in lines)
    plain = "\n".join(lines)
    records = [dict(zip(("Doc", "Coder", "Label"), row, strict=True)) for row in LONG]
    texts = {
        "plain.csv": plain, "quoted.csv": quoted, "t.tsv": quoted.replace(",", "\t"),
        "sep.csv": f"sep=,\n{quoted}", "title.csv": f"title\n{quoted}",
    }  # fmt: skip
    texts["a.json"] = json.dumps(records)
    texts["l.jsonl"] = "\n".join(map(json.dumps, records))
    for name, text in texts.items():
        path = tmp_path / name
        for encoding in (None, "utf-8", "cp1252"):
            path.write_bytes(mark[: None if encoding is None else 3] + text.encode())
            table = read(str(path), item="Doc", encoding=encoding, skip_rows=name == "title.csv")
            assert table.source.item == "Doc"
            assert table.source.rows == len(LONG)
    path = tmp_path / "none.csv"
    path.write_bytes(mark + "\n".join(lines[1:]).encode())
    first = read(str(path), header=False, item="1", coder="2", label="3")
    assert first.items is not None
    assert first.items.decode()[0] == "s0"


def test_a_mark_in_a_sheet(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "t.xlsx", [("\ufeffDoc", "Coder", "Label"), *LONG])
    assert read(path, item="Doc").source.rows == len(LONG)


def test_weights_with_points(tmp_path: Path) -> None:
    def notes(weights: list[str]) -> tuple[str, ...]:
        rows = [(*row, weight) for row, weight in zip(WIDE, weights, strict=True)]
        path = write_csv(tmp_path / "t.csv", [(*HEADER, "n"), *rows])
        return read(path, layout="wide", item="item", weights="n").source.notes

    note = (
        "column 'n': '1.000' beside weights without a point is read as 1: if the point marks"
        " thousands, write 1000"
    )
    assert note in notes(["1.000", "1000", "3", "4", "5", "6", "7"])
    assert note not in notes(["1.000", "2.000", "3.000", "4.000", "5.000", "6.000", "7.000"])
    assert note not in notes(["1", "2", "3", "4", "5.0", "6", "7"])


def test_the_remedy_for_a_repeated_header_leaves_out_no_item(
    command: Command, folder: Path
) -> None:
    """A first row of labels stands below, too, and its words are labels of other rows."""
    labels = [("pos", "neg"), ("pos", "pos"), ("neg", "neg"), ("pos", "neg"), ("neu", "neu")]
    labels += [("neg", "neu"), ("neg", "neg"), ("pos", "pos"), ("neu", "pos")]
    write_csv(folder / "h.csv", labels)
    refusal = command.error("report", "h.csv")
    assert refusal.endswith("pass --no-header if the first line is data, or delete it")
    report = command.json("report", "h.csv", "--no-header", "--coefficient", "alpha")["reports"][0]
    assert report["table"][0]["value"] == af.alpha(labels).value


@pytest.mark.parametrize("rows", [4, 40_000])
def test_a_header_without_the_column_of_names(tmp_path: Path, rows: int) -> None:
    """R's write.csv and write.table write the names of rows, but no name above them."""
    path = tmp_path / "r.csv"
    path.write_text("ann,ben\n" + "".join(f"{i},a,{'ab'[i % 2]}\n" for i in range(rows)))
    with pytest.raises(ReadError, match=r"line 2: 3 columns, .* if .* name of its row, .*'name,'"):
        read(str(path))
    path.write_text(f"name,{path.read_text()}")
    assert len(read(str(path)).items.values) == rows

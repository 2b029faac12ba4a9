"""Spreadsheets are read like the same table in CSV, and odd cells are reported."""

from __future__ import annotations

import datetime as dt
import functools
import io
import struct
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlwt
from command import Command
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import CoveredTableCell, Table, TableCell, TableRow
from odf.text import P

from agreement_fast.files import LongTable, ReadError, WideTable, read, workbooks
from agreement_fast.files.spreadsheets import place_name
from agreement_fast.files.workbooks import look_into_ole

HEADER = ("item", "coder", "label")
ROWS = [
    (1, "Ann", 1), (1, "Ben", 2), (2, "Ann", 1), (2, "Ben", 1), (3, "Ann", 3), (3, "Ben", None),
    (4, "Ann", 2), (4, "Ben", 2),
]  # fmt: skip
JUDGMENTS = [(str(item), coder, label) for item, coder, label in ROWS]

Sheets = dict[str, Sequence[Sequence[Any]]]


def write_xlsx(path: Path, sheets: Sheets) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def write_xls(path: Path, sheets: Sheets) -> None:
    book = xlwt.Workbook()
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for i, row in enumerate(rows):
            for k, value in enumerate(row):
                if value is not None:
                    sheet.write(i, k, value)
    book.save(str(path))


def ods_cell(value: Any) -> TableCell:
    if value is None:
        return TableCell()
    if isinstance(value, bool):
        cell = TableCell(valuetype="boolean", booleanvalue=str(value).lower())
    elif isinstance(value, int | float):
        cell = TableCell(valuetype="float", value=value)
    else:
        cell = TableCell(valuetype="string")
    cell.addElement(P(text=str(value)))
    return cell


def write_ods(path: Path, sheets: Sheets) -> None:
    book = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        table = Table(name=name)
        for row in rows:
            line = TableRow()
            for value in row:
                line.addElement(ods_cell(value))
            table.addElement(line)
        book.spreadsheet.addElement(table)
    book.save(str(path))


WRITERS: dict[str, Callable[[Path, Sheets], None]] = {
    "xlsx": write_xlsx,
    "xls": write_xls,
    "ods": write_ods,
}


def judgments(table: Any) -> list[tuple[Any, ...]]:
    assert isinstance(table, LongTable)
    columns = (table.items, table.coders, table.labels)
    return list(zip(*(column.decode().tolist() for column in columns), strict=True))


# -- the same as CSV


@pytest.mark.few("ods")
@pytest.mark.parametrize("kind", WRITERS)
def test_a_sheet_is_its_csv(command: Command, folder: Path, kind: str) -> None:
    """The coefficients are also equal; the extension does not matter."""
    WRITERS[kind](folder / "codes.dat", {"codes": [HEADER, *ROWS]})
    table = read(str(folder / "codes.dat"))
    assert judgments(table) == JUDGMENTS
    assert (table.source.rows, table.source.notes) == (8, ())
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in (HEADER, *ROWS)]
    (folder / "codes.csv").write_text("\n".join(lines))
    result, expected = (
        command.json("report", f"codes.{end}", "--distance", "ordinal")["reports"]
        for end in ("dat", "csv")
    )
    assert result == expected
    # By hand: of 3 items with two judgments, 2 agree.
    assert result[0]["n_judgments"] == 7
    assert "(Excel, long)" in command.text("report", "codes.dat") or kind == "ods"


@pytest.mark.few
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["--where", "label >= 2"], [(1, 2), (3, 3), (4, 2), (4, 2)]),
        (["--missing", "3"], [(1, 1), (1, 2), (2, 1), (2, 1), (4, 2), (4, 2)]),
        (["--skip-rows", "1", "--no-header", "--item", "1", "--coder", "2", "--label", "3"], None),
        (["--by", "coder"], None),
        (["--item", "coder", "--coder", "item", "--label", "label"], None),
        (["--text"], None),
    ],
)
def test_options_apply_to_sheets(
    command: Command, folder: Path, kind: str, argv: list[str], expected: list[Any] | None
) -> None:
    WRITERS[kind](folder / "codes", {"codes": [HEADER, *ROWS]})
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in (HEADER, *ROWS)]
    (folder / "codes.csv").write_text("\n".join(lines))
    result = command.json("report", "codes", *argv)
    assert result["reports"] == command.json("report", "codes.csv", *argv)["reports"]
    if expected is not None:
        assert sum(one["n_judgments"] for one in result["reports"]) == len(expected)


def test_a_wide_sheet(folder: Path) -> None:
    rows = [("Nr", "Maria", "Tom"), (1, "yes", "yes"), (2, "no", None), (3, "yes", "no")]
    write_xlsx(folder / "w.xlsx", {"w": rows})
    table = read("w.xlsx", layout="wide")
    assert isinstance(table, WideTable)
    assert (table.source.item, table.coders) == ("Nr", ("Maria", "Tom"))
    assert table.labels.decode().tolist() == [["yes", "yes"], ["no", None], ["yes", "no"]]


def test_units_of_a_sheet(command: Command, folder: Path) -> None:
    rows = [("who", "from", "to", "what"), ("a", 0, 3.0, "x"), ("b", 0, 3, "x"), ("b", 5, 7, "y")]
    write_xlsx(folder / "u.xlsx", {"u": rows, "empty": []})
    result = command.json(
        "units", "u.xlsx", "--coder", "who", "--category", "what", "--length", "9"
    )
    assert result["n_units"] == 3
    assert (result["coders"], result["categories"]) == (["a", "b"], ["x", "y"])


@given(
    st.lists(
        st.floats(-1e300, 1e300) | st.integers(-(2**53), 2**53),
        min_size=1,
        max_size=20,
    )
)
@examples(30)
def test_numbers_stay_what_they_are(numbers: list[float]) -> None:
    """The file's writer keeps 16 digits."""
    numbers = [float(f"{number:.16g}") for number in numbers]
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "numbers.xlsx"
        write_xlsx(path, {"s": [HEADER, *((i, "a", one) for i, one in enumerate(numbers))]})
        result = read(str(path), label="label").labels.decode().tolist()
    assert [float(one) for one in result] == numbers


# -- cells


def test_cells_that_are_not_numbers(folder: Path) -> None:
    values: list[Any] = [
        True, dt.date(2024, 3, 1), dt.datetime(2024, 3, 1, 9, 30), dt.time(9, 30),
        dt.timedelta(hours=30), 2.5, "x\ny", ' "q", ', "",
    ]  # fmt: skip
    book = openpyxl.Workbook()
    book.active.append(HEADER)
    for i, value in enumerate(values):
        book.active.append((i, "a", value))
    book.active["C6"].number_format = "[h]:mm:ss"
    book.save("v.xlsx")
    assert read("v.xlsx", label="label").labels.decode().tolist() == [
        "TRUE", "2024-03-01", "2024-03-01T09:30:00", "09:30:00", "PT30H00M00S", "2.5", "x\ny",
        ' "q", ', None,
    ]  # fmt: skip


@pytest.fixture
def odd_xlsx(folder: Path) -> str:
    """Errors in C3 and C6 of the label, one beside the table, and a text that looks like one."""
    book = openpyxl.Workbook()
    for row in (HEADER, *ROWS):
        book.active.append(row)
    for place, value in (("C3", "#DIV/0!"), ("C6", "#N/A"), ("E4", "#REF!"), ("D1", "comment")):
        book.active[place] = value
    book.save("e.xlsx")
    return "e.xlsx"


def test_errors_of_xlsx_are_missing_and_counted(odd_xlsx: str) -> None:
    table = read(odd_xlsx, label="label")
    assert table.labels.decode().tolist() == [1, None, 1, 1, None, None, 2, 2]
    assert table.source.notes == (
        "column 'label': 2 cells of it hold errors such as #N/A, read as missing (the first is C3)",
    )
    # A remark on a column is given only if the column is read.
    items = read(odd_xlsx, layout="wide", item="item", coder=["coder"], where="item is not null")
    assert items.source.notes == ()


def test_errors_of_xls_are_missing_and_counted(folder: Path) -> None:
    book = xlwt.Workbook()
    other, sheet = book.add_sheet("other"), book.add_sheet("codes")
    other.row(0).set_cell_error(0, 0x07)
    for i, row in enumerate((HEADER, *ROWS)):
        for k, value in enumerate(row):
            if (i, k) in ((2, 2), (5, 2)):
                sheet.row(i).set_cell_error(k, 0x2A)
            elif value is not None:
                sheet.write(i, k, value)
    book.save("e.xls")
    table = read("e.xls", sheet="codes")
    assert table.labels.decode().tolist() == [1, None, 1, 1, None, None, 2, 2]
    assert any("2 cells of it hold errors" in n and "first is C3" in n for n in table.source.notes)


def test_errors_in_the_records_of_xls() -> None:
    """Formulas hold their value: a text, a number, or an error, in similar records."""

    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    def formula(row: int, value: bytes) -> bytes:
        return record(0x06, struct.pack("<HHH", row, 1, 0) + value + bytes(8))

    sheet = record(0x0809, bytes(16)) + b"".join([
        formula(4, b"\2\0\x2a\0\0\0\xff\xff"),
        formula(5, b"\0\0\0\0\0\0\xff\xff"),
        formula(6, struct.pack("<d", 2.5)),
        formula(7, b"\2\0\x2a\0\0\0\0\0"),
        record(0x0205, struct.pack("<HHHBB", 8, 2, 0, 7, 1)),
        record(0x0205, struct.pack("<HHHBB", 9, 2, 0, 1, 0)),
        record(0x0A, b""),
        formula(1, b"\2\0\x2a\0\0\0\xff\xff"),
    ])  # fmt: skip
    start = 20 + 4 + 8 + 4
    book = record(0x0809, bytes(16)) + record(0x0085, struct.pack("<IHH", start, 0, 0))
    (odd,) = look_into_ole(book + record(0x0A, b"") + sheet)
    assert odd.errors == [(4, 1), (8, 2)]


def test_errors_of_ods_are_missing_and_counted(folder: Path) -> None:
    write_ods(folder / "o.ods", {"other": [], "codes": [HEADER, *ROWS]})
    cell = '<table:table-cell office:value-type="string"><text:p>#N/A</text:p></table:table-cell>'
    error = (
        '<table:table-cell table:formula="of:=NA()" office:value-type="string"'
        ' office:string-value="" calcext:value-type="error" xmlns:calcext='
        '"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">'
        "<text:p>#N/A</text:p></table:table-cell>"
    )
    rows = [HEADER, (1, "Ann", "#N/A"), *ROWS[1:]]
    write_ods(folder / "o.ods", {"other": [], "codes": rows})
    rewrite("o.ods", "content.xml", lambda text: text.replace(cell, error))
    table = read("o.ods")
    assert table.labels.decode().tolist()[:2] == [None, 2]
    assert table.source.notes == (
        "1 cell holds an error such as #N/A in the sheet of 'o.ods', read as missing",
    )


def rewrite(path: str, member: str, change: Callable[[str], str]) -> None:
    """Change a member of an archive."""
    with zipfile.ZipFile(path) as old:
        parts = [(info, old.read(info)) for info in old.infolist()]
    with zipfile.ZipFile(path, "w") as new:
        for info, data in parts:
            if info.filename == member:
                changed = change(data.decode())
                assert changed != data.decode()
                data = changed.encode()
            new.writestr(info, data, info.compress_type)


def test_formulas_without_values_are_refused(command: Command, folder: Path) -> None:
    """Programs other than Excel write such formulas; only columns that are read matter."""
    book = openpyxl.Workbook()
    for row in (HEADER, *ROWS):
        book.active.append(row)
    book.active["C4"] = "=C2"
    book.active["D1"] = "twice"
    book.active["D2"] = "=2*C2"
    book.save("f.xlsx")
    assert command.error("report", "f.xlsx") == (
        "'f.xlsx': C4 holds a formula whose value was never computed: open the file in a"
        " spreadsheet program and save it there"
    )
    book.active["C4"] = 1
    book.save("f.xlsx")
    assert judgments(read("f.xlsx")) == JUDGMENTS
    assert "D2 holds a formula" in command.error(
        "report", "f.xlsx", "--layout", "wide", "--item", "item", "--coder", "label,twice"
    )
    # Excel writes the values, too, even if they are empty texts.
    rewrite("f.xlsx", "xl/worksheets/sheet1.xml",
            lambda text: text.replace("<f>2*C2</f><v />", "<f>2*C2</f><v>2</v>")
            .replace("<f>2*C2</f><v></v>", "<f>2*C2</f><v>2</v>"))  # fmt: skip
    table = read("f.xlsx", layout="wide", item="item", coder=["label", "twice"])
    assert table.labels.decode().tolist()[0] == [1, 2]


def test_numbers_typed_as_text_are_reported(folder: Path) -> None:
    for kind in WRITERS:
        rows = [HEADER, *ROWS[:5], (3, "Ben", "3"), (4, "Ann", "2"), (4, "Ben", 2)]
        WRITERS[kind](folder / "t", {"s": [(), *rows]})
        table = read("t")
        assert table.labels.values.tolist() == [1, 2, 3]
        assert table.source.notes == (
            "column 'label': 2 cells of it are numbers typed as text beside true numbers, read as"
            " the same (the first is C8)",
        )
        WRITERS[kind](folder / "t", {"s": [HEADER, *((i, c, str(n)) for i, c, n in ROWS[:5])]})
        assert read("t").source.notes == ()


# -- where the table is


@pytest.mark.few("xlsx")
@pytest.mark.parametrize("kind", WRITERS)
def test_rows_and_columns_around_the_table(folder: Path, kind: str) -> None:
    """Empty ones are not data; rows above the header are skipped or an error."""
    table = [(None, None, *row) for row in (HEADER, *ROWS)]
    WRITERS[kind](folder / "a", {"s": [(), (), *table[:4], (), *table[4:], ()]})
    assert judgments(read("a")) == JUDGMENTS
    titled = [(None, None, "My study"), (), *table]
    WRITERS[kind](folder / "a", {"s": titled})
    with pytest.raises(ReadError, match=r"two header rows: .* pass --skip-rows 2$"):
        read("a")
    for skip in (1, 2):
        assert judgments(read("a", skip_rows=skip)) == JUDGMENTS
    with pytest.raises(ReadError, match="'a': --skip-rows 99 leaves no row"):
        read("a", skip_rows=99)
    WRITERS[kind](folder / "a", {"s": [(), (None, None, "My study"), *table]})
    assert judgments(read("a", skip_rows=2)) == JUDGMENTS
    WRITERS[kind](folder / "a", {"s": titled})
    named = read("a", skip_rows=3, header=False, item="3", coder="4", label="5")
    assert judgments(named) == JUDGMENTS


def test_columns_without_a_name_have_their_letter(command: Command, folder: Path) -> None:
    rows = [("item", "coder", None, None), *((i, c, None, n) for i, c, n in ROWS)]
    write_xlsx(folder / "n.xlsx", {"s": rows})
    assert command.error("report", "n.xlsx").endswith("'n.xlsx' has 'item', 'coder', 'column D'")
    assert judgments(read("n.xlsx", label="column D")) == JUDGMENTS


def test_two_header_rows_of_merged_cells(command: Command, folder: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("Nr", "Coders", None), (None, "Maria", "Tom"), (1, 1, 1), (2, 1, 2)):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("A1:A2")
    book.save("m.xlsx")
    error = command.error("report", "m.xlsx", "--layout", "wide")
    assert error == (
        "'m.xlsx': cells B1:C1 are merged, but the header must name each column: if a lower"
        " row does, pass --skip-rows 1"
    )
    source = command.json("report", "m.xlsx", "--layout", "wide", "--skip-rows", "1")["source"]
    assert (source["columns"]["item"], source["columns"]["coders"]) == ("Nr", ["Maria", "Tom"])


def test_merged_cells_below_the_header(folder: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (HEADER, ("a", "Ann", 1), (None, "Ben", 2), ("b", "Ann", 1), ("c", "Ann", 2)):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    book.save("m.xlsx")
    table = read("m.xlsx")
    assert table.items.decode().tolist() == ["a", "a", "b", "c"]
    assert table.source.notes == (
        "cells A2:A3 of 'm.xlsx' are merged: each of their rows gets their value",
    )
    sheet.merge_cells("B4:C4")
    book.save("m.xlsx")
    with pytest.raises(ReadError, match="B4:C4 are merged over several columns: split them"):
        read("m.xlsx")


# -- which sheet


@pytest.mark.few("xlsx")
@pytest.mark.parametrize("kind", WRITERS)
def test_the_sheet(command: Command, folder: Path, kind: str) -> None:
    other = [HEADER, (9, "Eve", 5), (9, "Dan", 5)]
    WRITERS[kind](folder / "b", {"notes": [], "codes": [HEADER, *ROWS], "1": other})
    assert command.error("report", "b") == (
        "'b' has several sheets with data, 'codes', '1': pass --sheet with the name of one"
    )
    assert command.error("report", "b", "--sheet", "code") == (
        "'b' has no sheet 'code'; its sheets are 'notes', 'codes', '1'"
    )
    assert "no sheet '4'" in command.error("report", "b", "--sheet", "4")
    assert command.error("report", "b", "--sheet", "notes") == "'b': sheet 'notes' is empty"
    for sheet in ("codes", "2"):
        table = read("b", sheet=sheet)
        assert judgments(table) == JUDGMENTS
        assert table.source.notes == ("sheet 'codes' of 'b' was read",)
    # A name takes precedence over a number.
    assert read("b", sheet="1").source.rows == 2
    assert command.error("report", "long.csv", "--sheet", "1") == (
        "--sheet is for spreadsheets: 'long.csv' is CSV"
    )


def test_a_hidden_sheet_is_not_read(folder: Path) -> None:
    write_xlsx(folder / "h.xlsx", {"codes": [HEADER, *ROWS], "lists": [("yes",), ("no",)]})
    book = openpyxl.load_workbook("h.xlsx")
    book["lists"].sheet_state = "hidden"
    book.save("h.xlsx")
    table = read("h.xlsx")
    assert judgments(table) == JUDGMENTS
    assert table.source.notes == ("sheet 'codes' of 'h.xlsx' was read; 'lists' is hidden",)


@pytest.mark.parametrize("kind", WRITERS)
def test_no_cells(folder: Path, kind: str) -> None:
    WRITERS[kind](folder / "n", {"a": [], "b": []})
    with pytest.raises(ReadError, match="'n' is empty: none of its sheets has a filled cell"):
        read("n")
    WRITERS[kind](folder / "n", {"a": [HEADER]})
    with pytest.raises(ReadError, match="'n': there is a header, but no rows below it"):
        read("n")


def test_several_workbooks(folder: Path) -> None:
    names = []
    for kind, write in WRITERS.items():
        write(folder / f"w.{kind}", {"s": [HEADER, *ROWS]})
        names.append(f"w.{kind}")
    table = read([*names, "long.csv"], item="item", coder="coder", label="label")
    assert table.source.rows == 3 * len(ROWS) + 8
    assert table.source.formats == ("excel", "excel", "ods", "csv")


def test_standard_input_may_be_a_workbook(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_xlsx(folder / "w.xlsx", {"s": [HEADER, *ROWS]})
    given = io.TextIOWrapper(io.BytesIO((folder / "w.xlsx").read_bytes()))
    monkeypatch.setattr(sys, "stdin", given)
    assert command.json("report", "-")["source"]["rows"] == len(ROWS)


# -- files that are not workbooks, or hostile ones


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.99])
def test_a_file_that_was_cut(folder: Path, kind: str, kept: float) -> None:
    WRITERS[kind](folder / f"c.{kind}", {"s": [HEADER, *ROWS]})
    data = (folder / f"c.{kind}").read_bytes()
    (folder / f"c.{kind}").write_bytes(data[: int(kept * len(data))])
    with pytest.raises(ReadError, match=r"damaged|no spreadsheet"):
        read(f"c.{kind}")


@functools.cache
def whole(kind: str) -> bytes:
    """Return an undamaged workbook; two that are written one after another may differ."""
    with tempfile.TemporaryDirectory() as where:
        WRITERS[kind](Path(where) / "w", {"s": [HEADER, *ROWS]})
        return (Path(where) / "w").read_bytes()


@pytest.mark.breadth
@given(st.data())
@examples(60)
def test_damaged_workbooks_are_refused_in_one_line(data: st.DataObject) -> None:
    """Or read, if the damage is elsewhere."""
    kind = data.draw(st.sampled_from(list(WRITERS)))
    content = bytearray(whole(kind))
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "d"
        for _ in range(data.draw(st.integers(1, 8))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(content)
        message = ""
        try:
            read(str(path))
        except ReadError as error:
            message = str(error)
        assert "\n" not in message


def ole(names: Sequence[str]) -> bytes:
    """Return an OLE2 file of empty streams."""
    directory = b""
    for kind, name in ((5, "Root Entry"), *((2, name) for name in names)):
        text = name.encode("utf-16-le")
        entry = text.ljust(64, b"\0") + struct.pack("<HB", len(text) + 2, kind)
        directory += entry.ljust(116, b"\0") + struct.pack("<III", 0xFFFFFFFE, 0, 0)
    header = bytes.fromhex("D0CF11E0A1B11AE1").ljust(24, b"\0")
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6).ljust(20, b"\0")
    header += struct.pack("<IIIIIIII", 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<109I", 0, *([0xFFFFFFFF] * 108))
    table = struct.pack("<128I", 0xFFFFFFFD, 0xFFFFFFFE, *([0xFFFFFFFF] * 126))
    return header + table + directory.ljust(512, b"\0")


def test_encrypted_workbooks_and_other_documents(command: Command, folder: Path) -> None:
    (folder / "e.xlsx").write_bytes(ole(["EncryptionInfo", "EncryptedPackage"]))
    assert command.error("report", "e.xlsx") == (
        "'e.xlsx' is encrypted: save it without a password"
    )
    (folder / "w.doc").write_bytes(ole(["WordDocument"]))
    assert "is an Office file without a workbook" in command.error("report", "w.doc")
    (folder / "w.xls").write_bytes(ole(["Workbook"]))
    assert command.error("report", "w.xls") == "'w.xls' has no sheet with cells"
    (folder / "t.xlsx").write_bytes(b"\0\1item,coder,label\n")
    assert "'t.xlsx' is not Excel, as its name says" in command.error("report", "t.xlsx")


def packed(path: str, sheet: bytes | list[bytes], *, kind: int = zipfile.ZIP_DEFLATED) -> None:
    """Write a workbook with these bytes as its sheet."""
    write_xlsx(Path(path), {"s": [HEADER, *ROWS]})
    with zipfile.ZipFile(path) as old:
        parts = {info.filename: old.read(info) for info in old.infolist()}
    with zipfile.ZipFile(path, "w", kind) as new:
        for name, data in parts.items():
            if name != "xl/worksheets/sheet1.xml":
                new.writestr(name, data)
        with new.open("xl/worksheets/sheet1.xml", "w", force_zip64=False) as file:
            for piece in [sheet] if isinstance(sheet, bytes) else sheet:
                file.write(piece)


MAIN = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = b"</sheetData></worksheet>"
CELL = b'<row r="1"><c r="A1" t="str"><v>'


@pytest.mark.breadth
def test_a_workbook_that_unpacks_to_too_much(command: Command, folder: Path) -> None:
    spaces = [b" " * (1 << 24)] * 20
    packed("bomb.xlsx", [MAIN, CELL, *spaces, b"</v></c></row>", END])
    assert (folder / "bomb.xlsx").stat().st_size < 1e6
    assert command.error("report", "bomb.xlsx") == (
        "'bomb.xlsx' would take 0.3 GB once it is unpacked: save its table as CSV"
    )
    # The same, but the archive claims to be small.
    data = bytearray((folder / "bomb.xlsx").read_bytes())
    with zipfile.ZipFile("bomb.xlsx") as archive:
        size = struct.pack("<I", archive.getinfo("xl/worksheets/sheet1.xml").file_size)
    at = data.rindex(size)
    data[at : at + 4] = struct.pack("<I", 1000)
    (folder / "lie.xlsx").write_bytes(data)
    assert command.error("report", "lie.xlsx") == (
        "'lie.xlsx' is a damaged workbook: 'xl/worksheets/sheet1.xml' cannot be unpacked"
    )


def test_a_cell_that_is_too_long(command: Command, folder: Path) -> None:
    packed("long.xlsx", MAIN + CELL + b" " * (6 << 20) + b"</v></c></row>" + END)
    assert "a cell has more than 4 MB" in command.error("report", "long.xlsx")


@pytest.mark.parametrize("quote", [b'"', b"'"])
def test_a_cell_at_the_end_of_a_sheet(command: Command, folder: Path, quote: bytes) -> None:
    """The library would ask for 500 GB."""
    cells = b'<row r="1"><c r="A1"><v>1</v></c><c r="xfd1048576"><v>1</v></c></row>'
    packed("far.xlsx", MAIN + cells.replace(b'"', quote) + END)
    assert command.error("report", "far.xlsx") == (
        "'far.xlsx' has a sheet of 1,048,576 rows and 16,384 columns: delete cells far from"
        " the table, or save the table as CSV"
    )


def test_rows_without_number_of_many_columns_are_read(folder: Path) -> None:
    """A wide sheet is not hostile."""
    rows = [["Nr", *(f"c{i}" for i in range(40))], *([k, *([k % 3] * 40)] for k in range(30))]
    write_xlsx(folder / "wide.xlsx", {"s": rows})
    assert read("wide.xlsx", layout="wide", item="Nr").labels.codes.shape == (30, 40)


def test_entities_are_not_expanded(command: Command, folder: Path) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "' + b"&a;" * 99 + b'">]>'
    packed("x.xlsx", bomb + MAIN + CELL + b"&b;</v></c></row>" + END)
    assert "'x.xlsx' is a damaged workbook" in command.error("report", "x.xlsx")
    write_xlsx(folder / "w.xlsx", {"s": [HEADER, *ROWS]})
    rewrite("w.xlsx", "xl/workbook.xml", lambda text: bomb.decode() + text)
    assert "does not say where its sheets are" in command.error("report", "w.xlsx")


def test_a_repeated_part(command: Command, folder: Path) -> None:
    write_xlsx(folder / "w.xlsx", {"s": [HEADER, *ROWS]})
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile("w.xlsx", "a") as archive,
    ):
        archive.writestr("xl/worksheets/sheet1.xml", MAIN + END)
    assert "it contains a part twice" in command.error("report", "w.xlsx")


@pytest.mark.breadth
def test_a_sheet_of_opendocument_that_is_too_large(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated rows are known only after loading; beyond 100,000,000 cells the library stops."""
    write_ods(folder / "r.ods", {"s": [HEADER, *ROWS]})
    rewrite("r.ods", "content.xml", lambda text: text.replace(
        "<table:table-row>", '<table:table-row table:number-rows-repeated="50">', 1
    ))  # fmt: skip
    monkeypatch.setattr(workbooks, "MOST_CELLS", 3 * (50 + len(ROWS)) - 1)
    with pytest.raises(ReadError, match="sheet of 58 rows and 3 columns: delete cells far"):
        read("r.ods")
    rewrite("r.ods", "content.xml", lambda text: text.replace('"50"', '"1000000000"'))
    with pytest.raises(ReadError, match=r"'r\.ods'"):
        read("r.ods")


def test_covered_cells_of_opendocument_are_empty(folder: Path) -> None:
    """The library does not know merged cells of this format: the error names rows without item."""
    book, table = OpenDocumentSpreadsheet(), Table(name="s")
    for row in (HEADER, ("a", "Ann", 1), (None, "Ben", 2)):
        line = TableRow()
        for value in row:
            line.addElement(CoveredTableCell() if value is None else ods_cell(value))
        table.addElement(line)
    book.spreadsheet.addElement(table)
    book.save("m.ods")
    with pytest.raises(ReadError, match="1 row has no value in column 'item'"):
        read("m.ods")


def test_the_library_may_be_missing(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_xlsx(folder / "w.xlsx", {"s": [HEADER, *ROWS]})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert command.error("report", "w.xlsx") == (
        "'w.xlsx' is a spreadsheet: reading it needs pip install \"agreement-fast[excel]\""
    )


def test_places_are_named_as_spreadsheets_name_them() -> None:
    from openpyxl.utils import get_column_letter

    for column in (0, 1, 25, 26, 51, 52, 701, 702, 16383):
        name = place_name(9, column)
        assert name == f"{get_column_letter(column + 1)}10"


def test_a_sheet_by_its_number_in_python(folder: Path) -> None:
    write_xlsx(folder / "s.xlsx", {"a": [("x",)], "b": [HEADER, *ROWS]})
    assert read("s.xlsx", sheet=2).source.rows == 8
    with pytest.raises(ReadError, match="has no sheet '3'"):
        read("s.xlsx", sheet=3)


# -- columns without a name, and empty ones

CODED = [("i", 1, 2, 1), ("j", 2, 2, 2), ("k", 3, 3, 1), ("l", 1, 1, 1)]


@pytest.mark.few
@pytest.mark.parametrize("kind", [*WRITERS, "csv"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("My study", None, None, None), (1, 2, 3, 4), *((1, *row[1:]) for row in CODED)],
            "columns 'column {1}', 'column {2}', 'column {3}' without a name in the header, row 1:"
            " write names there, pass --skip-rows 1 if the header is further below, or --exclude"
            " 'column {1},column {2},column {3}' if they are not coders",
        ),
        (
            [("item", "A", "B", None), *CODED],
            "column 'column {3}' without a name in the header, row 1: write names there, pass"
            " --skip-rows 1 if the header is further below, or --exclude 'column {3}' if they are"
            " not coders",
        ),
    ],
)
def test_columns_without_a_name_are_not_coders(
    command: Command, folder: Path, kind: str, rows: list[tuple[Any, ...]], message: str
) -> None:
    if kind == "csv":
        lines = (",".join("" if cell is None else str(cell) for cell in row) for row in rows)
        Path("t").write_text("\n".join(lines))
    else:
        WRITERS[kind](folder / "t", {"t": rows})
    names = ["0", "2", "3", "4"] if kind == "csv" else ["A", "B", "C", "D"]
    assert command.error("report", "t", "--layout", "wide") == f"'t': {message.format(*names)}"
    command.text("report", "t", "--layout", "wide", "--coder", f"{rows[0][0]},column {names[3]}")


def test_the_index_of_a_data_frame_has_no_name(folder: Path) -> None:
    write_xlsx(folder / "t.xlsx", {"t": [(None, "A", "B", "C"), *CODED]})
    table = read("t.xlsx", layout="wide")
    assert isinstance(table, WideTable)
    assert (table.source.item, table.coders) == ("column A", ("A", "B", "C"))


def test_a_column_without_name_and_cells_is_left_out(folder: Path) -> None:
    Path("t.csv").write_text("A,B,\nx,x,\ny,x,\n")
    table = read("t.csv", layout="wide")
    assert isinstance(table, WideTable)
    assert table.coders == ("A", "B")
    assert table.source.notes == ("'column 3' without a name or a value left out",)


@pytest.mark.parametrize("kind", WRITERS)
def test_cells_of_blanks_are_empty(folder: Path, kind: str) -> None:
    rows = [("item", "A", "B"), ("i", " ", "x"), ("j", "x", "x"), ("k", "\xa0 ", "y"), (" ",) * 3]
    WRITERS[kind](folder / "t", {"t": rows})
    table = read("t", layout="wide")
    assert isinstance(table, WideTable)
    assert table.labels.decode().tolist() == [[None, "x"], ["x", "x"], [None, "y"]]
    # The writer of .ods used here leaves out single blanks.
    if kind != "ods":
        assert table.source.notes[-1] == (
            "column 'A': 2 cells of it hold only blanks, read as missing (the first is B2)"
        )


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (["a", None, "b", None], "A3 is empty"),
        (["a", "a", "b", None], "A5 is empty"),
        ([None, "a", None, "b"], "A2 is empty"),
        (["a", "=NA()", "b", "b"], "A3 holds an error such as #N/A"),
    ],
)  # fmt: skip
def test_why_a_row_has_no_item(
    command: Command, folder: Path, items: list[str | None], why: str
) -> None:
    book = openpyxl.Workbook()
    for row in (HEADER, *((item, coder, 1) for item, coder in zip(items, "xyxy", strict=True))):
        book.active.append(row)
    if "=NA()" in items:
        book.active["A3"].value, book.active["A3"].data_type = "#N/A", "e"
    book.save("t.xlsx")
    empty = [i for i, item in enumerate(items) if item in (None, "=NA()")]
    merged = "if an empty cell means the value above it, fill the column down; else "
    assert command.error("report", "t.xlsx") == (
        f"{len(empty)} row{'s have' if len(empty) > 1 else ' has'} no value in column 'item' (the"
        f" first is row {empty[0] + 1} below the header; in 't.xlsx': {why}):"
        f" {merged if empty == [1, 3] else ''}--where 'item is not null' leaves such rows out"
    )

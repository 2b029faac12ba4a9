"""Hidden columns, rows and sheets of a spreadsheet are left out, and said."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlwt
from command import Command
from odf.opendocument import OpenDocumentSpreadsheet
from odf.style import Style
from odf.table import Table, TableCell, TableColumn, TableRow
from odf.text import P

from agreement_fast.files import ReadError, WideTable, read

HEADER = ("item", "ann", "old", "bob")
ROWS = [(f"s{i}", "yn"[i % 2], "y", "yn"[i % 3 > 0]) for i in range(8)]
#: The column and the rows that are hidden, from 0.
COLUMN, HIDDEN = 2, (3, 6)


def write_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (HEADER, *ROWS):
        book.active.append(row)
    book.active.column_dimensions["C"].hidden = True
    # Columns to the right are often hidden, too.
    book.active.column_dimensions["E"].hidden = True
    for row in HIDDEN:
        book.active.row_dimensions[row + 1].hidden = True
    book.save(path)


def write_xls(path: Path) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("codes")
    for i, row in enumerate((HEADER, *ROWS)):
        for j, cell in enumerate(row):
            sheet.write(i, j, cell)
    sheet.col(COLUMN).hidden = True
    for row in HIDDEN:
        sheet.row(row).hidden = True
    # Streams of less than 4 kB are stored elsewhere.
    for i in range(300):
        book.add_sheet(f"empty {i}")
    book.save(str(path))


def write_ods(path: Path) -> None:
    book = OpenDocumentSpreadsheet()
    for name in ("other", "codes"):
        table = Table(name=name)
        if name == "codes":
            table.addElement(TableColumn(numbercolumnsrepeated=2))
            table.addElement(TableColumn(visibility="collapse"))
            for i, row in enumerate((HEADER, *ROWS)):
                hidden = {"visibility": "filter"} if i in HIDDEN else {}
                line = TableRow(**hidden)
                for cell in row:
                    line.addElement(TableCell(valuetype="string"))
                    line.lastChild.addElement(P(text=cell))
                table.addElement(line)
        else:
            table.addElement(TableRow(visibility="collapse", numberrowsrepeated=5))
        book.spreadsheet.addElement(table)
    assert Style
    book.save(str(path))


def write_sizes(path: Path) -> None:
    """Hide by a width and a height of 0, as some programs do."""
    write_xlsx(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            content = re.sub(rb'(<row [^>]*)hidden="1"', rb'\1ht="0" customHeight="1"', content)
            content = re.sub(rb'(<col [^>]*)width="[^"]*"', rb'\1width="0"', content)
            archive.writestr(name, content.replace(b' hidden="1"', b""))


WRITERS = {"xlsx": write_xlsx, "sizes.xlsx": write_sizes, "xls": write_xls, "ods": write_ods}


def read_wide(path: Path, **options: Any) -> WideTable:
    table = read(str(path), layout="wide", **options)
    assert isinstance(table, WideTable)
    return table


@pytest.mark.parametrize("kind", WRITERS)
def test_hidden_rows_and_columns_are_left_out(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    WRITERS[kind](path)
    table = read_wide(path)
    assert table.coders == ("ann", "bob")
    assert table.items is not None
    left = [row for i, row in enumerate(ROWS, 1) if i not in HIDDEN]
    assert table.items.decode().tolist() == [row[0] for row in left]
    assert table.labels.decode().tolist() == [[row[1], row[3]] for row in left]
    _, rows, column = table.source.notes
    assert rows == (f"rows 4, 7 of '{path}' are hidden and left out: to read them, unhide them")
    assert column == (
        f"column C 'old' of '{path}' is hidden and left out: to read it, unhide it, or name it"
    )


@pytest.mark.parametrize("kind", WRITERS)
def test_a_hidden_column_that_is_named_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    WRITERS[kind](path)
    assert read_wide(path, coder=["ann", "old"], item="item").coders == ("ann", "old")
    assert read_wide(path, exclude=["old"]).coders == ("ann", "bob")


def test_a_hidden_header_leaves_the_next_row(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("internal", "a", "b"), ("item", "ann", "bob"), *((i, "y", "y") for i in "abcd")):
        book.active.append(row)
    book.active.row_dimensions[1].hidden = True
    book.save(tmp_path / "t.xlsx")
    assert read_wide(tmp_path / "t.xlsx", item="item").coders == ("ann", "bob")


def test_nothing_is_visible(tmp_path: Path) -> None:
    for which in ("row_dimensions", "column_dimensions"):
        book = openpyxl.Workbook()
        for row in (HEADER, *ROWS):
            book.active.append(row)
        for at in range(1, 12) if which == "row_dimensions" else "ABCDE":
            getattr(book.active, which)[at].hidden = True
        book.save(tmp_path / "t.xlsx")
        what = which.partition("_")[0]
        with pytest.raises(ReadError, match=f"all {what}s of the sheet are hidden: unhide them"):
            read(str(tmp_path / "t.xlsx"), layout="wide")


def test_the_command_says_what_is_hidden(command: Command, folder: Path) -> None:
    write_xlsx(folder / "t.xlsx")
    assert "column C 'old' of 't.xlsx' is hidden and left out" in " ".join(
        command.text("report", "t.xlsx", "--layout", "wide").split()
    )


def test_a_sheet_that_is_hidden_alone_is_said(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("codes")
    for row in (HEADER, *ROWS):
        sheet.append(row)
    sheet.sheet_state = "hidden"
    book.save(tmp_path / "t.xlsx")
    notes = read_wide(tmp_path / "t.xlsx").source.notes
    assert f"sheet 'codes' of '{tmp_path / 't.xlsx'}' was read; it is hidden" in notes

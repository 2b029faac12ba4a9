"""Every format of `FORMATS` gives the same table, recognised by content or by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from loops import nonempty

from agreement_fast.files import (
    LongTable,
    ReadError,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    read,
    stream,
)
from agreement_fast.files.formats import FORMATS, TITLES

COLUMNS = ("item", "coder", "label")
ROWS = [("a", "x", 1), ("a", "y", 2), ("b", "x", 1), ("b", "y", None), ("c", "x", 3), ("c", "y", 3)]


def write_csv(path: Path) -> None:
    cells = [COLUMNS, *ROWS]
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in cells]
    path.write_text("\n".join(lines))


def write_json(path: Path) -> None:
    path.write_text("\n".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in ROWS))


def write_parquet(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = dict(zip(COLUMNS, map(list, zip(*ROWS, strict=True)), strict=True))
    pq.write_table(pa.table(columns), path)


def write_excel(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (COLUMNS, *ROWS):
        book.active.append(row)
    with path.open("wb") as file:
        book.save(file)


def write_ods(path: Path) -> None:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    book, table = OpenDocumentSpreadsheet(), Table(name="codes")
    for row in (COLUMNS, *ROWS):
        line = TableRow()
        for value in row:
            if isinstance(value, int):
                cell = TableCell(valuetype="float", value=value)
            else:
                cell = TableCell(valuetype="string") if value else TableCell()
            if value is not None:
                cell.addElement(P(text=str(value)))
            line.addElement(cell)
        table.addElement(line)
    book.spreadsheet.addElement(table)
    with path.open("wb") as file:
        book.write(file)


def frame() -> pd.DataFrame:
    return pd.DataFrame([[*row[:2], np.nan if row[2] is None else row[2]] for row in ROWS],
                        columns=list(COLUMNS))  # fmt: skip


#: Add a row for each new format.
WRITERS: dict[str, Callable[[Path], None]] = {
    "csv": write_csv,
    "json": write_json,
    "parquet": write_parquet,
    "excel": write_excel,
    "ods": write_ods,
    "spss": lambda path: pyreadstat.write_sav(frame(), str(path)),
    "stata": lambda path: pyreadstat.write_dta(frame(), str(path)),
    "sas": lambda path: pyreadstat.write_xport(frame(), str(path), file_format_version=8),
}


def triples(table: Any) -> list[tuple[Any, ...]]:
    assert isinstance(table, LongTable)
    columns = (table.items, table.coders, table.labels)
    return list(zip(*(column.decode().tolist() for column in columns), strict=True))


def test_every_format_is_tested() -> None:
    assert WRITERS.keys() == FORMATS.keys()
    extensions = [end for form in FORMATS.values() for end in form.extensions]
    assert len(set(extensions)) == len(extensions)
    assert TITLES == "CSV, JSON, Parquet, Excel, OpenDocument, SPSS, Stata or SAS"


@pytest.mark.few
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("where", [None, "label >= 1 or label is null", "coder = 'x'"])
def test_the_same_rows_are_read_from_each_format(
    tmp_path: Path, name: str, where: str | None
) -> None:
    expected = [row for row in ROWS if where != "coder = 'x'" or row[1] == "x"]
    # What a file is called is looked at before its rows are.
    for end in nonempty((*FORMATS[name].extensions, "unknown")[: None if where is None else 1]):
        path = tmp_path / f"data.{end}"
        WRITERS[name](path)
        table = read(str(path), where=where)
        assert triples(table) == expected
        assert table.source.formats == (name,)
        assert table.source.rows_in_files == len(ROWS)


@pytest.mark.few
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("other", WRITERS)
def test_formats_are_read_together(tmp_path: Path, name: str, other: str) -> None:
    """If both write labels alike; else the error says what to do."""
    paths = [tmp_path / "first", tmp_path / "second"]
    for path, one in zip(paths, (name, other), strict=True):
        WRITERS[one](path)
    if (name == "json") != (other == "json"):
        with pytest.raises(ReadError, match="hold labels of different types: read them separately"):
            read([str(path) for path in paths])
    else:
        assert triples(read([str(path) for path in paths])) == ROWS * 2


@pytest.mark.parametrize("name", WRITERS)
def test_rows_of_each_format_are_read_in_parts(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LARGE", 1)
    monkeypatch.setattr(stream, "LARGE_FILE", 1)
    monkeypatch.setattr(stream, "RUN", 2)
    path = tmp_path / "data"
    WRITERS[name](path)
    with ExitStack() as stack:
        table = open_table(Workplace(stack), [str(path)], ReadOptions())
        assert isinstance(table, Stream)
        assert table.source.rows == len(ROWS)
        assert list(table.labels.values) == [1, 2, 3]

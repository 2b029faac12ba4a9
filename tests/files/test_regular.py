"""CSV as programs write it: no row is lost for any line ends and line breaks in cells."""

from __future__ import annotations

import csv
import io
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from packed import PACKINGS

from agreement_fast.files import LongTable, ReadError, read
from agreement_fast.files.regular import BUFFER, LINE

ENDS = ("\n", "\r\n", "\r")


def triples(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a file."""
    table = read(str(path), text=True, **options)
    assert isinstance(table, LongTable)
    columns = (table.items, table.coders, table.labels)
    return list(zip(*(column.decode().tolist() for column in columns), strict=True))


@pytest.mark.few(every=6)
@pytest.mark.parametrize(
    ("header", "row", "inside", "packing"),
    [
        (*ends, packing)
        for ends, packing in zip(product(ENDS, ENDS, ENDS), cycle(PACKINGS), strict=False)
    ],
)
def test_line_ends_of_all_kinds(
    tmp_path: Path, header: str, row: str, inside: str, packing: str
) -> None:
    text = f'item,coder,label{header}a,x,"p{inside}q"{row}a,y,z{row}b,x,"say ""p"""{header}'
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    expected = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert len(expected) == 3
    assert [list(row) for row in triples(path)] == expected
    assert triples(path, where="coder = 'y'") == [("a", "y", "z")]
    ending, pack = PACKINGS[packing]
    packed = tmp_path / f"t.csv{ending}"
    packed.write_bytes(pack(text.encode()))
    assert [list(row) for row in triples(packed)] == expected


@pytest.mark.parametrize("end", ENDS)
def test_a_header_with_a_line_break(tmp_path: Path, end: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f'item,coder,"the{end}label"{end}a,x,1{end}a,y,2{end}'.encode())
    assert triples(path, label=f"the{end}label") == [
        ("a", "x", "1"),
        ("a", "y", "2"),
    ]
    assert triples(path, label=f"the{end}label", where="coder = 'x'")[0][2] == "1"


def test_rows_of_other_line_ends_far_below(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"i{n},c,{n % 3}\n" for n in range(30_000))
    path.write_bytes(f"item,coder,label\n{rows}late,c,p\r\nlater,c,q\rlast,c,r".encode())
    result = triples(path)
    assert len(result) == 30_003
    assert result[-3:] == [("late", "c", "p"), ("later", "c", "q"), ("last", "c", "r")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,x,1\r\na,y\n", "line 3: 2 columns, but the first line has 3"),
        ('a,x,1\r\na,y,"open\n', "a quotation mark is not closed, or text follows a closing one"),
        ('a,x,1\r\na,y,"p"q\n', "line 3: a quotation mark is not closed, or text follows"),
        (
            f"a,x,1\r\na,y,{'z' * (LINE + 1)}\n",
            "line 3: a line of a CSV may have 2,000,000 bytes",
        ),
        ("a,x,1\r\na,y,\xe9\n", "is not UTF-8"),
    ],
)
def test_irregular_files_that_are_not_csv(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"item,coder,label\n{rows}".encode("latin-1"))
    with pytest.raises(ReadError) as caught:
        read(str(path))
    assert message in str(caught.value)


@pytest.mark.few
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("packing", ["none", *PACKINGS])
def test_a_last_line_that_is_too_long_is_not_lost(tmp_path: Path, end: str, packing: str) -> None:
    text = f"item,coder,label\na,x,1\na,y,1\nb,x,{'z' * (BUFFER + LINE)}{end}".encode()
    path = tmp_path / "t.csv"
    _, pack = PACKINGS.get(packing, ("", bytes))
    path.write_bytes(pack(text))
    with pytest.raises(ReadError, match="a line of a CSV may have 2,000,000 bytes"):
        read(str(path))


@pytest.mark.breadth
def test_a_long_last_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    filling = "a,x,1\n" * (BUFFER // 6 + 1)
    path.write_bytes(f"item,coder,label\n{filling}b,x,{'z' * (LINE - 9)}".encode())
    table = read(str(path))
    assert table.source.rows == BUFFER // 6 + 2
    assert len(table.labels.values[-1]) == LINE - 9


def test_a_long_name_of_a_column(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"item,coder,label,{'n' * 200_000}\na,x,1,2\n")
    assert triples(path) == [("a", "x", "1")]
    assert triples(path, label="n" * 200_000) == [("a", "x", "2")]

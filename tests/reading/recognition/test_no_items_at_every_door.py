"""Rows that are not items, and columns that are not coders, are refused at every door."""

import re

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import Annotations
from agreement_fast.errors import InputError

CODERS = ["ann", "bob"]
TOTAL = {
    "essay": ["t1", "t2", "t3", "t4", "t5", "t6", "Total"],
    "ann": [1, 2, 3, 1, 2, 2, 6],
    "bob": [1, 2, 2, 1, 2, 3, 5],
}
NAMELESS = {"item": ["a", "b", "c", "d", None], "ann": [1, 2, 3, 1, 7], "bob": [1, 2, 2, 1, 8]}


def relation(columns):
    """Return the relation of a connection that holds columns."""
    return duckdb.connect().from_arrow(pl.DataFrame(columns).to_arrow())


DOORS = pytest.mark.parametrize(
    "door", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, relation],
    ids=["mapping", "pandas", "polars", "lazy", "duckdb"],
)  # fmt: skip


def written(columns, folder, end):
    """Write columns to a file."""
    path = folder / f"table.{end}"
    frame = pl.DataFrame(columns)
    frame.write_csv(path) if end == "csv" else frame.write_parquet(path)
    return path


@DOORS
@pytest.mark.parametrize(
    "read",
    [
        lambda table: af.alpha(table, coder=CODERS),
        lambda table: af.alpha(table, coder=CODERS, layout="wide"),
        lambda table: Annotations.from_wide(table, coders=CODERS),
        lambda table: Annotations.from_wide(table, items="essay", coders=CODERS),
    ],
    ids=["coder", "layout", "from_wide", "items"],
)
def test_totals_that_a_column_beside_named_coders_names(door, read):
    with pytest.raises(InputError, match=r"row.* \('Total', 6, 5\)"):
        read(door(TOTAL))
    read(door({name: cells[:-1] for name, cells in TOTAL.items()}))


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_totals_in_files_with_named_coders(tmp_path, end):
    path = written(TOTAL, tmp_path, end)
    with pytest.raises(InputError, match=r"row 7 below the header .*'Total'") as refused:
        af.read(path, coder=CODERS, layout="wide")
    assert "essay IS DISTINCT FROM 'Total'" in str(refused.value)
    data = af.read(path, coder=CODERS, layout="wide", where="essay IS DISTINCT FROM 'Total'")
    assert data.n_items == 6


def test_totals_that_an_index_names():
    for name in (None, "essay"):
        frame = pd.DataFrame(TOTAL).set_index("essay").rename_axis(name)
        for options in ({}, {"coder": CODERS}):
            with pytest.raises(InputError, match=r"row 6 .'Total'"):
                af.alpha(frame, **options)
        with pytest.raises(InputError, match=r"row 6 .'Total'"):
            Annotations.from_wide(frame, coders=CODERS)


def test_totals_of_groups():
    table = {**TOTAL, "part": list("xxxxyyy")}
    with pytest.raises(InputError, match=r"row 6 .'Total'"):
        af.agreement_by_group(table, by="part", coder=tuple(CODERS))


@pytest.mark.parametrize("door", [pl.LazyFrame, relation])
@pytest.mark.parametrize("at", [100, 1200])
def test_totals_anywhere_in_a_long_lazy_frame(door, at):
    table = {
        "essay": [f"t{i}" for i in range(1500)],
        "ann": [1, 2, 3] * 500,
        "bob": [1, 2, 2] * 500,
    }
    for name, cell in zip(table, ("Total", 3000, 2500), strict=True):
        table[name].insert(at, cell)
    for options in ({}, {"coder": CODERS}, {"item": "essay", "coder": CODERS}):
        with pytest.raises(InputError, match="'Total', 3000, 2500"):
            af.alpha(door(table), **options)


@DOORS
@pytest.mark.parametrize("name", [None, "", " "])
def test_labels_of_an_item_without_a_name(door, name):
    table = door({**NAMELESS, "item": [*NAMELESS["item"][:-1], name]})
    for options in ({"item": "item"}, {"item": "item", "coder": CODERS, "layout": "wide"}):
        with pytest.raises(InputError, match="1 row has no value in column 'item'"):
            af.alpha(table, **options)
    with pytest.raises(InputError, match="1 row has no value in column 'item'"):
        Annotations.from_wide(table, items="item", coders=CODERS)


@DOORS
def test_empty_rows_need_no_name(door):
    empty = {name: [*cells[:-1], None] for name, cells in NAMELESS.items()}
    full = {name: cells[:-1] for name, cells in NAMELESS.items()}
    value = af.alpha(door(empty), item="item", coder=CODERS)
    assert value == af.alpha(full, item="item", coder=CODERS)


ROWS = pytest.mark.parametrize(
    "rows",
    [list, lambda rows: np.array(rows, object), pd.DataFrame],
    ids=["list", "array", "pandas"],
)
NUMBERED = [[0, 1, 2], [1, 1, 2], [2, 1, 0], [3, 3, 3], [4, 1, 1]]
HEADED = [["item", "ann", "bob"], ["t1", "x", "z"], ["t2", "y", "x"], ["t3", "y", "y"]]


@ROWS
def test_numbers_of_few_rows(rows):
    table = rows(NUMBERED)
    for few in (table, table[:4], rows([[row[0] + 1, *row[1:]] for row in NUMBERED])):
        with pytest.raises(InputError, match="0 looks like the item") as refused:
            af.alpha(few)
        assert "(table, items=0, coders=[1, 2])" in str(refused.value)
        data = Annotations.from_wide(few, items=0, coders=[1, 2])
        assert data.n_coders == 2
    # Ranks, numbers that do not begin at 0 or 1, and labels of two coders.
    for innocent in (
        [[1, 2, 1], [2, 1, 2], [3, 3, 3], [4, 4, 4]],
        [[2, 3, 3], [3, 3, 3], [4, 5, 4], [5, 2, 2]],
        [[1, 1], [2, 2], [3, 3], [4, 3]],
    ):
        af.alpha(rows(innocent))


@ROWS
def test_items_in_fewer_rows_than_columns(rows):
    for texts in (
        [["t0", 2, 1, 2, 1], ["t1", 1, 1, 1, 1], ["t2", 3, 3, 3, 3]],
        [["t0", "x", "y", "x", "y"], ["t1", "y", "y", "x", "x"], ["t2", "y", "y", "y", "y"]],
    ):
        with pytest.raises(InputError, match="0 looks like the item"):
            af.alpha(rows(texts))


@ROWS
def test_a_header_with_an_item_above_few_rows(rows):
    table = rows(HEADED)
    with pytest.raises(InputError, match=r"the first row \('item', 'ann', 'bob'\)") as refused:
        af.alpha(table)
    assert "(table[1:], items=0, coders=[1, 2])" in str(refused.value)
    data = Annotations.from_wide(table[1:], items=0, coders=[1, 2])
    columns = {"ann": list("xyy"), "bob": list("zxy")}
    assert af.alpha(data) == af.alpha(columns, coder=CODERS)


def test_an_item_that_is_a_number_of_no_column():
    with pytest.raises(InputError, match="items=7 is not a column"):
        Annotations.from_wide(pd.DataFrame(TOTAL), items=7, coders=CODERS)


@pytest.mark.parametrize("end", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("item", "question", "prefix"),
    [("Which text?", "How good?", ""), ("Unit of analysis", "Code", "d"), ("Q0", "Q1", "")],
)
def test_second_headers_that_are_alike_over_the_coders(tmp_path, item, question, prefix, end):
    ratings = [2, 1, 3, 2, 2, 1, 3, 1, 2]
    columns = {
        "item": [item, *(f"{prefix}{i}" for i in range(9))],
        "ann": [question, *ratings],
        "ben": [question, *ratings[::-1]],
    }
    path = written({name: list(map(str, cells)) for name, cells in columns.items()}, tmp_path, end)
    with pytest.raises(
        InputError, match=r"'(.*)', .* has texts above columns of numbers"
    ) as refused:
        af.read(path)
    condition = re.search(r'where="(.*?)" to leave', str(refused.value))[1]
    with pytest.warns(af.ReadHint, match="items are named by column 'item'"):
        assert af.read(path, where=condition).n_items == 9
    with pytest.raises(InputError, match="has texts above columns of numbers"):
        af.alpha(pd.DataFrame(columns))


def test_missing_codes_of_the_first_item_are_no_header():
    columns = {
        "item": ["x", *range(9)],
        "ann": ["skip", *range(1, 10)],
        "ben": ["skip", *range(1, 10)],
    }
    assert af.alpha(columns).n_items == 10


CODED = {
    "id": [*range(1, 13)],
    "ann": [1, 2, 3, 2, 1, 9, 3, 2, 1, 3, 2, 1],
    "ben": [1, 2, 2, 2, 1, 3, 3, 2, 1, 9, 2, 1],
}


@DOORS
def test_missing_codes_may_number_an_item(door):
    without = {name: [None if x == 9 else x for x in CODED[name]] for name in ("ann", "ben")}
    assert af.alpha(door(CODED), missing=9).value == af.alpha(without).value


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_missing_codes_may_number_an_item_of_a_file(command, tmp_path, end):
    path = written(CODED, tmp_path, end)
    source = command.json("report", str(path), "--missing", "9")["source"]
    assert (source["columns"]["item"], source["columns"]["coders"]) == ("id", ["ann", "ben"])

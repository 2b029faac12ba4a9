"""SPSS, Stata and SAS: value labels are categories, and declared missing values are missing."""

from __future__ import annotations

import datetime as dt
import functools
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from command import Command
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast.files import ReadError, read

SCALE = {1: "low", 2: "mid", 3: "high", 4: "top", 9: "refused"}
ITEMS = ["a", "a", "b", "b", "c", "c", "d", "d"]
CODERS = ["x", "y"] * 4
CODES = [1, 1, 3, 2, 9, 2, 2, 2]
#: By hand: 9 is missing, and nobody used 4.
LABELS = ["low", "low", "high", "mid", None, "mid", "mid", "mid"]
CATEGORIES = ("low", "mid", "high", "top")


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"item": ITEMS, "coder": CODERS, "label": map(float, CODES)} | columns)


def write_sav(path: str, data: pd.DataFrame, **options: Any) -> str:
    pyreadstat.write_sav(data, path, **options)
    return path


def usual(path: str = "t.sav", **options: Any) -> str:
    defaults: dict[str, Any] = {
        "variable_value_labels": {"label": SCALE},
        "missing_ranges": {"label": [9]},
    }
    return write_sav(path, frame(), **defaults | options)


@pytest.mark.parametrize("compress", [False, True])
def test_labels_are_declared_categories(command: Command, folder: Path, compress: bool) -> None:
    usual("t", compress=compress)
    table = read("t")
    assert table.labels.decode().tolist() == LABELS
    assert table.source.declared == CATEGORIES
    assert table.source.notes == (
        "column 'label': 1 cell holds a value that the file declares missing (9)",
    )
    cells = zip(ITEMS, CODERS, LABELS, strict=True)
    lines = ["item,coder,label", *(f"{i},{c},{label or ''}" for i, c, label in cells)]
    (folder / "t.csv").write_text("\n".join(lines))
    # The order is that of the codes, also for a distance that needs an order.
    for argv in ([], ["--distance", "ordinal"]):
        result = command.json("report", "t", *argv)
        same = command.json("report", "t.csv", "--categories", ",".join(CATEGORIES), *argv)
        assert result["reports"] == same["reports"]
        assert result["options"]["categories"] == list(CATEGORIES)
    shown = " ".join(command.text("report", "t").split())
    assert "categories are those that the file declares, in the order of its codes" in shown
    assert "4 (declared, 3 of them used)" in shown


def test_options_count_for_more_than_declarations(command: Command, folder: Path) -> None:
    usual()
    order = "top,high,mid,low"
    result = command.json("report", "t.sav", "--categories", order, "--distance", "ordinal")
    assert result["options"]["categories"] == order.split(",")
    assert "that the file declares, in" not in command.text(
        "report", "t.sav", "--categories", order, "--distance", "ordinal"
    )
    result = command.json("report", "t.sav", "--missing", "high")
    assert result["options"]["categories"] == ["low", "mid", "top"]
    assert result["reports"][0]["n_judgments"] == 6
    result = command.json("report", "t.sav", "--set-separator", "|")
    assert result["options"]["categories"] is None


def test_codes_are_read_where_asked_for(command: Command, folder: Path) -> None:
    usual()
    result = command.json("report", "t.sav", "--value-codes", "--distance", "interval")
    assert result["options"]["categories"] is None
    table = read("t.sav", value_codes=True)
    assert table.labels.decode().tolist() == [1, 1, 3, 2, None, 2, 2, 2]
    assert "column 'label': its codes were read, not its labels" in table.source.notes


def test_values_without_a_label_keep_their_number(folder: Path) -> None:
    write_sav("t.sav", frame(), variable_value_labels={"label": {1: "no", 9: "yes", 5: ""}})
    table = read("t.sav")
    assert table.labels.decode().tolist() == ["no", "no", "3", "2", "yes", "2", "2", "2"]
    assert table.source.declared == ("no", "2", "3", "yes")
    assert table.source.notes == ("column 'label': values 2, 3 without a label, read as written",)


def test_labels_that_are_numbers(command: Command, folder: Path) -> None:
    labels = {code: str(10 * code) for code in (1, 2, 3, 4)} | {9: "don't know"}
    usual(variable_value_labels={"label": labels})
    assert command.json("report", "t.sav")["options"]["categories"] == [10, 20, 30, 40]
    usual(variable_value_labels={"label": labels | {8: "other"}})
    result = command.json("report", "t.sav")["options"]["categories"]
    assert result == [10, 20, 30, 40, "other"]


def test_missing_ranges(folder: Path) -> None:
    usual(missing_ranges={"label": [{"lo": 2.5, "hi": 99}, 1]})
    table = read("t.sav")
    assert table.labels.decode().tolist() == [None, None, None, "mid", None, "mid", "mid", "mid"]
    assert table.source.declared == ("mid",)
    assert "4 cells hold values that the file declares missing (1, 3, 9)" in table.source.notes[0]
    texts = frame(label=["u", "u", "zz", "v", "", "u", "v", "v"])
    write_sav("s.sav", texts, missing_ranges={"label": ["zz"]},
              variable_value_labels={"label": {"u": "you", "v": "we"}})  # fmt: skip
    result = read("s.sav").labels.decode().tolist()
    assert result == ["you", "you", None, "we", None, "you", "we", "we"]


def test_a_file_may_call_a_column_ordinal(command: Command, folder: Path) -> None:
    usual(variable_measure={"label": "ordinal"})
    note = "column 'label': the file calls it ordinal: --distance ordinal compares so"
    assert note in read("t.sav").source.notes
    usual(variable_measure={"label": "nominal"})
    assert not any("ordinal" in one for one in read("t.sav").source.notes)


def test_two_codes_of_one_label_are_not_merged(command: Command, folder: Path) -> None:
    usual(variable_value_labels={"label": {1: "low", 2: "low", 3: "high"}})
    assert command.error("report", "t.sav") == (
        "'t.sav': values 1 and 2 of column 'label' are both called 'low': pass --value-codes to"
        " read numbers instead of labels"
    )
    assert command.json("report", "t.sav", "--value-codes")["reports"][0]["n_judgments"] == 7
    # A label may also equal a number without a label.
    usual(variable_value_labels={"label": {1: "2"}})
    assert "values 1 and 2 of column 'label' are both called '2'" in command.error(
        "report", "t.sav"
    )
    # Columns that are not read do not matter.
    double = {"label": SCALE, "age": {1: "old", 2: "old"}}
    write_sav("t.sav", frame(age=[1.0, 2.0] * 4), variable_value_labels=double)
    assert read("t.sav").source.notes == ()


def wide(path: str, labels: dict[str, dict[int, str]], **options: Any) -> str:
    data = pd.DataFrame({"nr": [1.0, 2, 3], "A": [1.0, 2, 2], "B": [1.0, 1, np.nan]})
    return write_sav(path, data, variable_value_labels=labels, **options)


def test_coders_of_a_wide_table_have_one_scale(command: Command, folder: Path) -> None:
    argv = ["report", "w.sav", "--layout", "wide", "--item", "nr"]
    wide("w.sav", {"A": {1: "no", 2: "yes"}, "B": {1: "no", 2: "yes", 3: "perhaps"}})
    result = command.json(*argv)
    assert result["options"]["categories"] == ["no", "yes", "perhaps"]
    wide("w.sav", {"A": {1: "no", 2: "yes"}, "B": {1: "yes", 2: "no"}})
    assert command.error(*argv) == (
        "value 1 is 'no' in column 'A' of 'w.sav', but 'yes' in column 'B' of 'w.sav': give all"
        " columns of labels the same value labels"
    )
    wide("w.sav", {"A": {1: "no", 2: "yes"}})
    assert command.error(*argv, "--coder", "A,B") == (
        "column 'B' of 'w.sav' has no value labels, but column 'A' of 'w.sav' has: give all columns"
        " of labels the same, or pass --value-codes to read numbers"
    )
    assert command.json(*argv, "--value-codes")["reports"][0]["n_judgments"] == 5
    wide("w.sav", {})
    assert command.json(*argv)["options"]["categories"] is None


def test_files_that_declare_and_others(folder: Path) -> None:
    usual()
    Path("t.csv").write_text("item,coder,label\ne,x,maybe\ne,y,low\n")
    assert read(["t.sav", "t.csv"]).source.declared is None
    usual("u.sav", variable_value_labels={"label": {**SCALE, 5: "best"}})
    assert read(["t.sav", "u.sav"]).source.declared == (*CATEGORIES, "best")
    usual("u.sav", variable_value_labels={"label": {1: "bad"}})
    with pytest.raises(ReadError, match=r"value 1 is 'low' in column 'label' of 't\.sav'"):
        read(["t.sav", "u.sav"])


def test_columns_of_items_and_coders_have_labels_too(folder: Path) -> None:
    data = frame(coder=[1.0, 2.0] * 4, day=[dt.date(2024, 3, 1)] * 8)
    write_sav("t.sav", data, variable_value_labels={"coder": {1: "Ann", 2: "Ben"}})
    table = read("t.sav", where="day = '2024-03-01' and coder <> 'Ben'")
    assert table.coders.values.tolist() == ["Ann"]
    assert (table.source.rows, table.source.declared) == (4, None)
    assert table.labels.decode().tolist() == [1, 3, 9, 2]


# -- other programs


def test_missing_values_of_stata(command: Command, folder: Path) -> None:
    data = frame(label=pd.Series([1, 1, 3, 2, "a", 2, "b", None], dtype=object))
    pyreadstat.write_dta(data, "t.dta", missing_user_values={"label": ["a", "b"]},
                         variable_value_labels={"label": {1: "low", 2: "mid", 3: "high", 4: "top",
                                                          "a": "refused"}})  # fmt: skip
    table = read("t.dta")
    assert table.labels.decode().tolist() == ["low", "low", "high", "mid", None, "mid", None, None]
    assert table.source.declared == CATEGORIES
    assert table.source.formats == ("stata",)
    assert table.source.notes == (
        "column 'label': 2 cells hold values that the file declares missing ('a', 'b')",
    )


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_versions_of_stata(folder: Path, version: int) -> None:
    pyreadstat.write_dta(frame(), "t", version=version,
                         variable_value_labels={"label": SCALE})  # fmt: skip
    assert read("t").source.declared == (*CATEGORIES, "refused")


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport(folder: Path, version: int) -> None:
    pyreadstat.write_xport(frame(), "t", file_format_version=version)
    table = read("t")
    assert table.labels.decode().tolist() == CODES
    assert (table.source.formats, table.source.declared) == (("sas",), None)


def test_spss_portable(folder: Path) -> None:
    pyreadstat.write_por(frame(), "t")
    table = read("t")
    assert table.labels.decode().tolist() == CODES
    assert (table.source.formats, table.source.item) == (("spss",), "ITEM")


def test_units_of_spss(command: Command, folder: Path) -> None:
    data = pd.DataFrame(
        {"coder": ["a", "b"], "start": [0.0, 1], "end": [2.0, 2.5], "type": [1.0] * 2}
    )
    write_sav("u.sav", data, variable_value_labels={"type": {1: "gesture"}})
    result = command.json("units", "u.sav", "--length", "9", "--resolution", "0.5")
    assert (result["n_units"], result["categories"]) == (2, ["gesture"])


# -- damage


@functools.cache
def whole(form: str) -> bytes:
    with tempfile.TemporaryDirectory() as where:
        path = f"{where}/t"
        if form == "sav":
            usual(path)
        elif form == "dta":
            pyreadstat.write_dta(frame(), path, variable_value_labels={"label": SCALE})
        else:
            pyreadstat.write_xport(frame(), path)
        return Path(path).read_bytes()


@pytest.mark.parametrize("form", ["sav", "dta"])
@pytest.mark.parametrize("kept", [0.5, 0.9, 0.99])
def test_a_file_that_was_cut(folder: Path, form: str, kept: float) -> None:
    Path("t").write_bytes(whole(form)[: int(kept * len(whole(form)))])
    with pytest.raises(ReadError, match=r"cannot be read|its end is missing"):
        read("t")


@pytest.mark.breadth
@given(st.data())
@examples(100, deadline=None)
def test_damaged_files_are_refused_in_one_line(data: st.DataObject) -> None:
    """Or read, if the damage is elsewhere. Some damage to .sav ends the process in ReadStat."""
    content = bytearray(whole(data.draw(st.sampled_from(["dta", "xpt"]))))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    message = ""
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "t"
        path.write_bytes(content)
        try:
            read(str(path), item="item", coder="coder", label="label")
        except ReadError as error:
            message = str(error)
    assert "\n" not in message


def test_the_library_may_be_missing(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual()
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    assert command.error("report", "t.sav") == (
        "'t.sav' is a file of SPSS: reading it needs pip install \"agreement-fast[stats]\""
    )


def test_files_without_value_labels_beside_files_with(command: Command, folder: Path) -> None:
    """Otherwise codes and labels would be different categories."""
    scale = {1: "no", 2: "yes", 3: "both", 9: "none"}
    write_sav("a.sav", frame(), variable_value_labels={"label": scale})
    write_sav("b.sav", frame(item=[f"b{item}" for item in ITEMS]))
    for paths in (["a.sav", "b.sav"], ["b.sav", "a.sav"]):
        assert command.error("report", *paths) == (
            "column 'label' of 'b.sav' has no value labels, but column 'label' of 'a.sav' has:"
            " give all columns of labels the same, or pass --value-codes to read numbers"
        )
        assert read(paths, value_codes=True).source.rows == 16
    Path("c.csv").write_text("item,coder,label\nc,x,yes\nc,y,no\n")
    table = read(["a.sav", "c.csv"])
    assert (table.source.rows, table.source.declared) == (10, None)
    assert read(["a.sav", "c.csv"], value_codes=True).source.rows == 10
    Path("c.csv").write_text("item,coder,label\nc,x,yes\nc,y,1\n")
    for paths in (["a.sav", "c.csv"], ["c.csv", "a.sav"]):
        assert command.error("report", *paths) == (
            "label '1' is the code of 'no' in column 'label' of 'a.sav': write the labels in all"
            " files, or pass --value-codes to read numbers"
        )
    assert read(["a.sav", "c.csv"], missing=["1"]).source.rows == 10


@pytest.mark.parametrize(("command_name", "file"), [("report", "long.csv"), ("units", "u.csv")])
def test_codes_are_of_files_with_labels(
    command: Command, folder: Path, command_name: str, file: str
) -> None:
    Path("u.csv").write_text("coder,start,end\nx,1,2\ny,1,2\n")
    assert command.error(command_name, file, "--value-codes") == (
        f"--value-codes is for SPSS and Stata: '{file}' is CSV"
    )

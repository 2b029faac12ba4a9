"""Names of units that may be meant otherwise are noted, in Python and by the command."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from command import Command

import agreement_fast as af
from agreement_fast import units

ROLES = {role: role for role in ("coder", "start", "end", "category", "document")}
FRAME = pd.DataFrame(
    {
        "coder": ["ann", "ann", "ben", "ben", "ann", "ben"],
        "start": [0, 10, 0, 12, 3, 3],
        "end": [5, 20, 5, 20, 9, 8],
        "category": ["x", "y", "x", "y", "x", "x"],
        "document": ["d1", "d1", "d1", "d1", "d2", "d2"],
    }
)
DOUBTS = [
    ("coder", {3: "Ben"}, r"coders differ only in case.*'Ben' = 'ben'; .* use one name for them"),
    ("coder", {3: "gold"}, "coder 'gold' counts as a coder"),
    ("coder", {3: "nan"}, "coder 'nan' has a name that often means that there is none"),
    ("document", {3: "D1"}, "names of documents differ only in case.*'D1' = 'd1'; .* use one name"),
    ("category", {3: "X"}, "labels differ only in case.*'X' = 'x'; .* use one name for them"),
    ("category", {3: "x|y"}, r"'x\|y' look like sets: if they are, write a unit for each element$"),
    ("category", {3: "None"}, "label 'None' may mean a missing judgment: if so, "),
]


def changed(column: str, values: dict[int, Any]) -> pd.DataFrame:
    frame = FRAME.astype(object)
    for row, value in values.items():
        frame.loc[row, column] = value
    return frame


@pytest.mark.parametrize(("column", "values", "text"), DOUBTS)
def test_names_are_doubted_at_every_door(
    column: str, values: dict[int, Any], text: str, tmp_path: Path, command: Command
) -> None:
    frame = changed(column, values).convert_dtypes()
    file = str(tmp_path / "units.csv")
    frame.to_csv(file, index=False)
    rows = [frame[name].tolist() for name in ROLES]
    reads = [
        lambda: units.Continuum.from_rows(*rows),
        lambda: units.Continuum.from_frame(frame, **ROLES),
        lambda: units.Continuum.from_frame(pl.DataFrame(frame), **ROLES),
        lambda: af.read(file, spans="continuum", **ROLES),
    ]
    for read in reads:
        with pytest.warns(af.LabelHint, match=text) as caught:
            read()
        assert len(caught) == 1
        assert "missing=" not in str(caught[0].message)
    (note,) = command.json("units", file, "--length", "30")["source"]["notes"]
    assert re.search(text, note)


def test_the_condition_of_the_note_leaves_such_units_out(tmp_path: Path, command: Command) -> None:
    file = str(tmp_path / "units.csv")
    changed("category", {0: "NA", 3: "n/a"}).to_csv(file, index=False)
    call = ["units", file, "--length", "30"]
    (note,) = command.json(*call)["source"]["notes"]
    assert "labels 'NA' and 'n/a' may mean a missing judgment: if so, pass --where" in note
    condition = note.partition('--where "')[2].partition('" to leave its units out')[0]
    document = command.json(*call, "--where", condition)
    assert (document["n_units"], document["categories"]) == (4, ["x", "y"])


def test_rows_that_may_not_count_are_refused_in_files(tmp_path: Path, command: Command) -> None:
    file = str(tmp_path / "units.csv")
    FRAME.assign(status=["ok"] * 5 + ["deleted"], layer="POS").to_csv(file, index=False)
    error = command.error("units", file, "--length", "30")
    assert "1 judgments have 'deleted' in column 'status', and may not count: pass --where" in error
    condition = error.partition('--where "')[2].partition('" to leave')[0]
    call = ["units", file, "--length", "30"]
    assert command.json(*call, "--where", condition)["n_units"] == 5
    assert command.json(*call, "--coder", "coder")["n_units"] == 6
    with pytest.raises(af.AgreementError, match="'deleted' in column 'status', and may not count"):
        af.read(file, spans="continuum")
    assert af.read(file, spans="continuum", coder="coder").n_units == 6


def test_document_1_and_the_text_are_told_apart() -> None:
    with pytest.warns(af.LabelHint, match="names of documents .*: 1 = '1'"):
        units.Continuum.from_frame(changed("document", {0: 1, 3: "1"}), **ROLES)


@pytest.mark.parametrize(
    ("column", "values"),
    [("document", {3: "d11"}), ("coder", {3: "eve"}), ("category", {3: "nothing"})],
)
def test_usual_names_are_not(column: str, values: dict[int, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        units.Continuum.from_frame(changed(column, values), **ROLES)

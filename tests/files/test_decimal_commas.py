"""Numbers with a decimal comma, as spreadsheets of much of Europe write them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from command import Command

import agreement_fast as af

ANN = [2.5, 3, 1.5, 4, 2, 3.5, 5, 1]
BEN = [2, 3.5, 1.5, 4, 2.5, 3.5, 4.5, 1]
EXPECTED = af.alpha([*zip(ANN, BEN, strict=True)], "interval")


def comma(number: float) -> str:
    return f"{number:g}".replace(".", ",")


@pytest.mark.parametrize("mark", [";", "\t"])
def test_cells_that_no_comma_divides_may_have_one(
    command: Command, tmp_path: Path, mark: str
) -> None:
    rows = [("Aufsatz", "Maria", "Tom")]
    rows += [(str(i), comma(a), comma(b)) for i, (a, b) in enumerate(zip(ANN, BEN, strict=True))]
    path = tmp_path / "t.csv"
    path.write_text("".join(mark.join(row) + "\n" for row in rows))
    with pytest.warns(af.ReadHint, match="1,5 are read as numbers with a decimal comma: text=True"):
        data = af.read(path, item="Aufsatz", coder=["Maria", "Tom"], layout="wide")
    assert data.coders == ("Maria", "Tom")
    assert af.alpha(data, "interval") == EXPECTED
    options = ["--distance", "interval", "--coefficient", "alpha"]
    (report,) = command.json("report", str(path), *options)["reports"]
    values = {entry["distance"]: entry["value"] for entry in report["table"]}
    assert values["interval"] == EXPECTED.value
    with pytest.warns(af.LabelHint, match="'1,5' may be numbers with a decimal comma"):
        texts = af.read(path, text=True, item="Aufsatz", coder=["Maria", "Tom"], layout="wide")
    assert texts.categories == ("1", "1,5", "2", "2,5", "3", "3,5", "4", "4,5", "5")
    sets = af.read(path, set_separator=",", item="Aufsatz", coder=["Maria", "Tom"], layout="wide")
    assert frozenset("15") in sets.categories


def test_thousands_and_other_texts_stay_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for cells in (["1,200", "2,500"], ["1,5", "a"], ["1", "2"], ["1,2,3", "1"]):
        path.write_text("item;ann;ben\n" + "".join(f"s{i};{c};{c}\n" for i, c in enumerate(cells)))
        result = af.read(path, item="item", coder=["ann", "ben"], layout="wide", header=True)
        assert {*result.categories} in ({*cells}, {1, 2})


def test_texts_in_frames_are_pointed_out() -> None:
    frame = pd.DataFrame({"Maria": map(comma, ANN), "Tom": BEN})
    with pytest.warns(af.LabelHint, match="decimal comma: if they are, write them with a point"):
        af.alpha(frame)
    assert af.alpha(frame.replace(",", ".", regex=True).astype(float), "interval") == EXPECTED


def test_quoted_cells_between_commas_may_hold_several_labels(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = (f'"{comma(a)}","{comma(b)}"\n' for a, b in zip(ANN, BEN, strict=True))
    path.write_text("Maria,Tom\n" + "".join(rows))
    with pytest.warns(af.LabelHint, match="may be numbers with a decimal comma: .* sets"):
        data = af.read(path, coder=["Maria", "Tom"], layout="wide")
    assert "2,5" in data.categories

"""A column of labels that each item has one of describes the items, if another one varies."""

import duckdb
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast.cli import main

ROWS = [(i, c, "xyz"[i % 3], "pq"[(i + (c == "bob" and i % 4 == 0)) % 2])
        for i in range(9) for c in ("ann", "bob")]  # fmt: skip
FRAME = pd.DataFrame(ROWS, columns=["item", "coder", "label", "answer"])
RELATION = duckdb.from_df(FRAME)


@pytest.mark.parametrize(
    "frame", [FRAME, pl.DataFrame(FRAME), pl.LazyFrame(FRAME), RELATION, FRAME.to_dict("records")]
)
def test_from_frame_asks_and_both_names_are_taken(frame):
    with pytest.raises(af.AgreementError, match="one value for each item") as error:
        af.Annotations.from_frame(frame)
    calls = str(error.value).split(": ", 1)[1].replace("write ", "").split(", or ")
    assert len(calls) == 2
    values = [float(af.alpha(eval(call, {"af": af, "frame": frame}))) for call in calls]
    expected = [float(af.alpha(*(
        FRAME[FRAME.coder == c][name].tolist() for c in ("ann", "bob"))))
        for name in ("answer", "label")]  # fmt: skip
    assert values == expected
    assert values[1] == 1 > values[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"label": "x"},  # nothing is described
        {"answer": "p"},  # nothing varies
        {"label": FRAME["answer"], "answer": FRAME["label"]},  # only labels vary
    ],
)
def test_other_columns_are_taken_by_name(changed):
    af.Annotations.from_frame(FRAME.assign(**changed))
    named = FRAME.rename(columns={"label": "colour"})
    assert af.Annotations.from_frame(named).categories == ("p", "q")


@pytest.mark.parametrize("named", [[], ["--item", "item"], ["--layout", "long"]])
def test_files_ask_whatever_else_is_named(tmp_path, capsys, named):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    assert main(["report", str(tmp_path / "t.csv"), *named]) == 2
    shown = capsys.readouterr().err
    assert "column 'label' has one value for each item" in shown
    assert "--label answer" in shown
    assert "--label label" in shown
    assert main(["report", str(tmp_path / "t.csv"), *named, "--label", "answer"]) == 0


def test_a_table_of_units_is_refused_until_something_is_named(tmp_path, capsys):
    frame = FRAME.rename(columns={"item": "document", "answer": "start"}).assign(
        label=FRAME["answer"], start=range(len(FRAME)), end=range(1, len(FRAME) + 1)
    )
    path = str(tmp_path / "t.csv")
    frame.to_csv(path, index=False)
    assert main(["report", path]) == 2
    assert "where units start" in capsys.readouterr().err
    for named in (["--item", "document"], ["--layout", "long"]):
        assert main(["report", path, *named]) == 0


def test_a_first_row_that_repeats_the_header_may_be_data(tmp_path):
    rows = "yes,yes\nno,no\nyes,no\nno,no\nyes,yes\n"
    (tmp_path / "t.csv").write_text(f"yes,no\nyes,no\n{rows}{rows}")
    with pytest.raises(af.AgreementError, match="header=False if the first line is data"):
        af.read(tmp_path / "t.csv", layout="wide")
    data = af.read(tmp_path / "t.csv", layout="wide", header=False)
    assert data.n_items == 12
    (tmp_path / "t.csv").write_text(f"yes,no\n{rows}")
    with pytest.raises(af.AgreementError, match="repeats the header") as error:
        af.read(tmp_path / "t.csv", layout="wide")
    # A condition would leave out every item that the first coder called yes.
    assert str(error.value).endswith("pass header=False if the first line is data, or delete it")

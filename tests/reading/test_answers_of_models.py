"""Answers of models that failed, or that say more than the label, are pointed out."""

import warnings

import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast.reading.recognition.labels import label_notes

NUMBERS = ["1", "2", "3"] * 8
DOORS = {
    "frame": lambda frame: af.alpha(frame),
    "polars": lambda frame: af.alpha(pl.from_pandas(frame)),
    "lists": lambda frame: af.alpha(frame.to_numpy().tolist()),
    "long": lambda frame: af.alpha(long(frame)),
    "lazy": lambda frame: af.alpha(pl.from_pandas(long(frame)).lazy()),
}


def long(frame):
    rows = frame.rename_axis("item").reset_index()
    return rows.melt("item", var_name="coder", value_name="label")


def coded(answer):
    return pd.DataFrame({"ann": NUMBERS, "ben": NUMBERS, "gpt": [answer, *NUMBERS[1:]]})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("answer", ["ERROR", "parse_error", "I’m sorry, but I can't help"])
def test_failed_answers(answer, door):
    """The remedy gives the value without the judgment."""
    with pytest.warns(af.LabelHint, match=r"\(1 judgment\) may be an answer that failed") as result:
        DOORS[door](coded(answer))
    assert f"pass missing=[{answer!r}]" in str(result[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert af.alpha(coded(answer), missing=[answer]) == af.alpha(coded(None))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("answer", ["2/5", "2 (neutral)", "Answer: 2"])
def test_answers_in_full(answer, door):
    with pytest.warns(af.LabelHint) as result:
        DOORS[door](coded(answer))
    message = f"label {answer!r} may be '2' written in full: if so, write them alike"
    assert [str(entry.message) for entry in result] == [message]


@pytest.mark.parametrize(
    "labels",
    [
        ["error", "correct", "no answer given"],
        ["api error", "format error", "time-out"],
        ["1", "2", "3", "other"],
        ["1 (low)", "2 (mid)", "3 (high)"],
        ["yes", "yes (in part)", "no"],
    ],
)
def test_labels_that_are_meant(labels):
    assert label_notes(labels) == []


def test_the_command_names_the_option(command, tmp_path):
    path = tmp_path / "labels.csv"
    coded("ERROR").to_csv(path, index_label="item")
    notes = command.json("report", str(path))["source"]["notes"]
    assert any("may be an answer that failed: if so, pass --missing ERROR" in x for x in notes)

"""Columns that are no coders: what shows it, and neighbours that are coders."""

from __future__ import annotations

import warnings
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af

RNG = np.random.default_rng(3)
TRUE = RNG.integers(1, 5, 20)
THREE = pd.DataFrame(
    {
        name: np.where(RNG.random(20) < 0.3, RNG.integers(1, 5, 20), TRUE)
        for name in ("ann", "ben", "cid")
    }
)


def long(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one judgment a row."""
    judged = frame.melt(ignore_index=False, var_name="coder", value_name="label")
    return judged.reset_index(names="item")


def test_close_measurements_are_not_their_mean() -> None:
    metres = RNG.normal(0.015, 0.001, (15, 1)) + RNG.normal(0, 0.0005, (15, 3))
    for scale in (1, 1e-9):
        frame = pd.DataFrame(metres * scale, columns=["ann", "ben", "cid"])
        assert af.alpha(frame, "interval").n_judgments == 45
        with pytest.raises(af.AgreementError, match=r"'x' looks like a total .*the mean of the"):
            af.alpha(frame.assign(x=frame.mean(axis=1)), "interval")


def test_who_decides_where_two_differ_is_no_coder() -> None:
    two = THREE[["ann", "ben"]]
    decided = two["ann"].where(two["ann"] != two["ben"])
    with pytest.raises(af.AgreementError, match=r"'x' looks like a decision .* is empty where"):
        af.alpha(two.assign(x=decided))


@pytest.mark.parametrize("even", [np.repeat([1, 2, 3, 4], 5), np.tile([0, 1, 2, 3, 4], 4)])
def test_numbers_in_runs_or_in_turn_are_pointed_out(even: Any) -> None:
    with pytest.warns(af.ShapeHint, match="'x' counts as a coder and has each number equally"):
        af.alpha(THREE.assign(x=even))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.alpha(THREE.assign(x=np.roll(np.sort(TRUE), 3)))


@pytest.mark.parametrize("scale", [0.11, 0.3])
def test_fractions_beside_whole_numbers_are_on_another_scale(scale: float) -> None:
    other = THREE.assign(ann=THREE["ann"] * scale)
    with pytest.raises(af.AgreementError, match="if 'ann' is a coder, write its labels as"):
        af.alpha(other)
    with pytest.warns(af.LabelHint, match="coder 'ann' has no label in common"):
        af.alpha(long(other))


def test_numbers_beyond_all_others_are_on_another_scale() -> None:
    with pytest.warns(af.LabelHint, match="coder 'ann' has no label in common"):
        af.alpha(long(THREE.assign(ann=THREE["ann"] * 10)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.alpha(long(THREE.assign(ann=THREE["ann"] + 1)))


def test_an_item_that_stands_twice_is_named() -> None:
    frame = THREE.assign(essay=[f"E{i}" for i in range(20)]).iloc[[*range(20), 0]]
    with pytest.raises(af.AgreementError, match="'E0' twice"):
        af.alpha(frame)
    with pytest.raises(af.AgreementError, match="'E0'"):
        af.Annotations.from_wide(frame, items="essay", coders=["ann", "ben", "cid"])


def test_stars_are_ratings() -> None:
    stars = THREE.map(lambda n: "*" * n).assign(essay=[f"E{i}" for i in range(20)])
    stars.iloc[0, :3] = "****"
    assert af.alpha(stars).n_items == 20


def test_rows_of_a_contingency_table_without_a_column() -> None:
    counts = pd.crosstab(long(THREE)["item"], long(THREE)["label"])
    with pytest.warns(af.ShapeHint, match="rows of the contingency table have no column"):
        af.kappa(counts, layout="contingency")


@pytest.mark.parametrize(
    ("name", "out", "counted"),
    [("excluded", "x", ""), ("passed_check", 0, 1), ("status", "RETURNED", "APPROVED")],
)
def test_marks_of_what_does_not_count(name: str, out: Any, counted: Any) -> None:
    frame = long(THREE)
    frame[name] = [out if i % 7 == 0 else counted for i in range(60)]
    with pytest.raises(af.AgreementError, match="may not count"):
        af.alpha(frame)


def test_dates_that_a_spreadsheet_made() -> None:
    made = datetime(2024, 1, 2)
    frame = THREE.head(6).assign(item=[made, "1-13", "1-14", "1-15", "2-13", "3-44"])
    with pytest.warns(af.LabelHint, match=r"item .* is a date beside other names"):
        af.alpha(frame)
    with pytest.warns(af.LabelHint, match=r"label .* is a date beside texts"):
        af.alpha({"ann": ["1-2", made, "4-5", "1-2"], "ben": ["1-2", made, "4-5", "4-5"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.alpha(frame.assign(item=[datetime(2024, 1, day) for day in range(1, 7)]))


def test_columns_may_be_named_by_numbers() -> None:
    frame = pd.DataFrame([[0, "a", 1], [0, "b", 1], [1, "a", 2], [1, "b", 1]])
    assert af.alpha(frame, item=0, coder=1, label=2).n_items == 2
    with pytest.raises(af.AgreementError, match="coder can be named for a data frame"):
        af.alpha(frame[[0, 2]].to_numpy(), coder=0)


@pytest.mark.parametrize(
    "name",
    ["Status", "stage", "Phase", "OK", "check", "Set", "Part", "run", "class"],
)
def test_columns_named_by_what_no_coder_is_called(name: str) -> None:
    with pytest.raises(af.AgreementError, match=f"'{name}' looks like .* .its name"):
        af.alpha(THREE.assign(**{name: RNG.integers(1, 5, 20)}))
    two = THREE[["ann"]].assign(**{name: THREE["ben"]})
    assert af.alpha(two).n_judgments == 40

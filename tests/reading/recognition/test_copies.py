"""A coder who is a copy of another is pointed out, and coders who agree are not."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af

RNG = np.random.default_rng(3)
TRUE = RNG.integers(0, 3, 30)
ANN, BEN, CYN = (np.where(RNG.random(30) < 0.6, TRUE, RNG.integers(0, 3, 30)) for _ in range(3))
WIDE = pd.DataFrame({"ann": ANN, "old": ANN, "ben": BEN, "cyn": CYN})
NOTE = "coders {} and {} have the same label for each of 30 items"


def to_long(wide):
    """Return one judgment per row."""
    wide = wide.assign(item=[f"t{i}" for i in range(len(wide))])
    return wide.melt("item", var_name="coder", value_name="label")


def notes(table, **options):
    """Return what is warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        af.alpha(table, **options)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (WIDE, ("ann", "old")),
        (WIDE.astype(str), ("ann", "old")),
        (WIDE + 0.5, ("ann", "old")),
        (WIDE.to_numpy(), (0, 1)),
        (WIDE.to_numpy().tolist(), (0, 1)),
        (WIDE.to_dict("list"), ("ann", "old")),
        (to_long(WIDE), ("ann", "old")),
        (pl.from_pandas(to_long(WIDE)).lazy(), ("ann", "old")),
        (pl.from_pandas(WIDE).lazy(), ("ann", "old")),
    ],
    ids=["ints", "texts", "floats", "array", "lists", "mapping", "long", "lazy", "lazy wide"],
)
def test_the_same_labels_are_pointed_out(table, names):
    (note,) = notes(table)
    assert note.startswith(NOTE.format(*map(repr, names)))


@pytest.mark.parametrize("make", [WIDE.copy, lambda: to_long(WIDE)], ids=["wide", "long"])
def test_the_same_labels_in_a_file(command, tmp_path, make):
    make().to_csv(tmp_path / "t.csv", index=False)
    result = command.json("report", str(tmp_path / "t.csv"))["source"]["notes"]
    assert [note for note in result if note.startswith(NOTE.format("'ann'", "'old'"))]


@pytest.mark.parametrize("make", [pd.DataFrame, to_long], ids=["wide", "long"])
def test_names_of_copies(make):
    named = pd.DataFrame({"ann": ANN, "ann (1)": BEN, "cyn - Kopie": CYN})
    (note,) = notes(make(named))
    assert note == "coder 'ann (1)' has the name of a copy of 'ann': if it is one, leave it out"


@pytest.mark.parametrize(
    "table",
    [
        WIDE[["ann", "old"]],
        WIDE.head(9),
        WIDE.assign(old=np.where(np.arange(30) < 1, 3 - ANN, ANN)),
        pd.DataFrame({"a": [1, 2] * 10, "b": [1, 2] * 10, "c": [1, 2] * 9 + [2, 1]}),
        pd.DataFrame(1, index=range(12), columns=["a", "b", "c"]),
    ],
    ids=["two", "few", "unlike", "agreeing", "constant"],
)
def test_coders_who_agree_are_not_pointed_out(table):
    assert not [note for note in notes(table) if "copy" in note]
    assert not [note for note in notes(to_long(table)) if "copy" in note]


def test_coders_of_one_label_are_no_copies():
    table = pd.DataFrame(
        {"ann": ["x"] * 30, "old": ["x"] * 30, "ben": [*"xyz"] * 10, "cyn": ["y"] * 30}
    )
    assert not [note for note in notes(table) if "have the same label" in note]

"""A blank text names no item and no coder, as None does not."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import Annotations


def lazily(frame):
    return Annotations.from_frame(pl.from_pandas(frame).lazy())


def by_duckdb(frame):
    return Annotations.from_frame(duckdb.sql("SELECT * FROM frame"))


def triples(frame):
    return Annotations.from_triples([*zip(frame.coder, frame["item"], frame.label, strict=True)])


def from_file(name, write):
    def read(frame, folder):
        write(frame, folder / name)
        return af.read(folder / name)

    return read


DOORS = {
    "lists": lambda frame: Annotations.from_long(*(frame[name].tolist() for name in frame)),
    "arrays": lambda frame: Annotations.from_long(*(frame[name].to_numpy(str) for name in frame)),
    "bytes": lambda frame: Annotations.from_long(
        *(np.char.encode(frame[name].to_numpy(str)) for name in frame)
    ),
    "triples": triples,
    "frame": Annotations.from_frame,
    "categorical": lambda frame: Annotations.from_frame(frame.astype("category")),
    "polars lazily": lazily,
    "duckdb": by_duckdb,
}
FILES = {
    "csv": from_file("t.csv", lambda frame, path: frame.to_csv(path, index=False)),
    "parquet": from_file(
        "t.parquet", lambda frame, path: pl.from_pandas(frame).write_parquet(path)
    ),
}


def with_blank(what, blank):
    frame = pd.DataFrame({"item": list("aabbcc"), "coder": list("ABABAB"), "label": list("xxxyyy")})
    frame.loc[2, what] = blank
    return frame


@pytest.mark.few
@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize("what", ["item", "coder"])
@pytest.mark.parametrize("door", DOORS)
def test_a_blank_name_is_none(door, what, blank):
    with pytest.raises(ValueError, match=f"has no {what}"):
        DOORS[door](with_blank(what, blank))


@pytest.mark.few
@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize("what", ["item", "coder"])
@pytest.mark.parametrize("door", FILES)
def test_a_blank_name_in_a_file_is_none(door, what, blank, tmp_path):
    with pytest.raises(ValueError, match=f"has no {what}|has no value in column '{what}'"):
        FILES[door](with_blank(what, blank), tmp_path)


@pytest.mark.few
@pytest.mark.parametrize("name", ["NA", "#N/A", "nan", "None"])
@pytest.mark.parametrize("door", [door for door in (*DOORS, *FILES) if door != "bytes"])
def test_an_item_that_looks_missing_is_pointed_out(door, name, tmp_path):
    frame = with_blank("item", name)
    frame.loc[5, "item"] = name
    with pytest.warns(af.LabelHint, match=f"item '{name}' has a name that often means"):
        DOORS[door](frame) if door in DOORS else FILES[door](frame, tmp_path)

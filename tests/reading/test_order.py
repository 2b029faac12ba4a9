"""A column that says which judgment came first: the same rule in memory and in engines."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import agreement_fast as af
from agreement_fast.reading.frames import in_order

NANOSECONDS = 1_700_000_000_000_000_000


def in_pandas(columns):
    return pd.DataFrame(columns, index=range(7, 7 + len(columns["label"])))


MEMORY = {"pandas": in_pandas, "polars": pl.DataFrame, "pyarrow": pa.table}
WAYS = {
    **MEMORY,
    "patterns": lambda columns: pl.LazyFrame(columns),
    "partitions": lambda columns: pl.LazyFrame(columns),
}


def judgments(labels, times, items=None, coders=None):
    n = len(labels)
    return {
        "item": items or [1] * n,
        "coder": coders or ["a"] * n,
        "label": labels,
        "time": times,
    }


def read(way, columns, **options):
    options = {"item": "item", "coder": "coder", "label": "label", "order": "time", **options}
    if way in ("patterns", "partitions"):
        options["way"] = way
    return af.Annotations.from_frame(WAYS[way](columns), **options)


@pytest.mark.few
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("labels", "times", "first", "last"),
    [
        ("xy", [1, 1], None, None),
        ("xyz", [1, 1, 2], None, "z"),
        ("xyz", [1, 2, 2], "x", None),
        ("zxyx", [3, 2, 2, 1], "x", "z"),
        ("xxyy", [1, 1, 2, 2], "x", "y"),
        ("yx", [NANOSECONDS + 1, NANOSECONDS], "x", "y"),
    ],
)
def test_labels_that_the_order_does_not_distinguish(way, labels, times, first, last):
    """They are refused if the policy depends on the order, and ignored otherwise."""
    columns = judgments(list(labels), times)
    for duplicates, said in (("first", first), ("last", last)):
        if said is None:
            with pytest.raises(ValueError, match=r"the same 'time', which does not say which came"):
                read(way, columns, duplicates=duplicates)
        else:
            result = read(way, columns, duplicates=duplicates)
            assert result.to_wide().tolist() == [[said]]


@pytest.mark.parametrize("library", MEMORY)
def test_the_error_names_the_first_item_and_its_coder(library):
    items, coders = ["q", "q", "p", "p", "p"], ["a", "b", "b", "b", "c"]
    columns = judgments(list("xyzxy"), [5, 5, 6, 6, 6], items, coders)
    with pytest.raises(ValueError, match="coder 'b' has several labels for item 'p' with"):
        read(library, columns, duplicates="last")
    columns["label"][3] = None
    assert read(library, columns, duplicates="last").n_judgments == 4
    columns["label"][3] = "-"
    assert read(library, columns, duplicates="last", missing="-").n_judgments == 4


@pytest.mark.parametrize("way", [*MEMORY, "partitions"])
def test_repeats_need_an_order_of_all_judgments_of_their_coder(way):
    columns = judgments(list("xyzxy"), [1, 2, 2, 4, 4], coders=["a", "a", "a", "b", "b"])
    with pytest.raises(ValueError, match="coder 'a' has several labels for item 1 with"):
        read(way, columns, repeats_of="a")
    columns["time"][2] = 0
    result = read(way, columns, repeats_of="a")
    assert result.to_wide().tolist() == [["z", "x", "y"]]


@pytest.mark.parametrize("way", [*MEMORY, "partitions"])
def test_judgments_without_a_time_come_last_and_together(way):
    columns = judgments(["x", "y"], [None, 3])
    assert read(way, columns, duplicates="last").to_wide().tolist() == [["x"]]
    columns = judgments(["x", "y", "z"], [None, None, 3])
    with pytest.raises(ValueError, match="coder 'a' has several labels for item 1 with"):
        read(way, columns, duplicates="last")
    assert read(way, columns, duplicates="first").to_wide().tolist() == [["z"]]


@pytest.mark.parametrize("library", MEMORY)
def test_sets_written_in_another_order_are_one_label(library):
    columns = judgments(["b|a", "a|b"], [1, 1])
    result = read(library, columns, duplicates="first", set_separator="|")
    assert result.categories == (frozenset("ab"),)


@pytest.mark.parametrize("library", MEMORY)
def test_an_order_of_equal_rows_leaves_them_where_they_are(library):
    n = 1000
    frame = MEMORY[library]({"item": list(range(n)), "label": ["x"] * n, "when": [1, 0] * (n // 2)})
    ordered, times = in_order(frame, "when")
    assert np.asarray(ordered["item"]).tolist() == [*range(1, n, 2), *range(0, n, 2)]
    assert times.tolist() == [0] * (n // 2) + [1] * (n // 2)


@pytest.mark.parametrize("library", MEMORY)
def test_days_and_empty_frames_have_an_order(library):
    days = [datetime.datetime(2024, 1, 2), None, datetime.datetime(2024, 1, 1)] * 2
    frame = MEMORY[library]({"label": list("abcdef"), "day": days})
    ordered, times = in_order(frame, "day")
    assert "".join(np.asarray(ordered["label"]).tolist()) == "cfadbe"
    assert times.tolist() == [0, 0, 1, 1, 2, 2]
    assert in_order(frame[:0] if library != "pyarrow" else frame.slice(0, 0), "day").times.size == 0

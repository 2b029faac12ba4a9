"""Lists in cells are sets: those whose order or repeats may count are refused at every door."""

import warnings
from itertools import chain

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import agreement_fast as af
from agreement_fast.errors import InputError

TAGS = {
    "ann": [["O", "B", "O"], ["B", "O", "O"], ["O", "O", "O"], ["O", "O", "B"], ["B", "O", "B"]],
    "ben": [["B", "O", "O"], ["O", "O", "B"], ["O", "O", "O"], ["B", "O", "O"], ["O", "B", "O"]],
}
RANKS = {"ann": [["m1", "m2", "m3"]] * 5, "ben": [["m1", "m2", "m3"]] + [["m3", "m2", "m1"]] * 4}
SHARES = {"ann": [[0.7, 0.3], [1.0, 0.0], [0.2, 0.8]], "ben": [[0.3, 0.7], [0.0, 1.0], [0.8, 0.2]]}

WIDE = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "columns": dict,
    "records": lambda table: pd.DataFrame(table).to_dict("records"),
    "rows": lambda table: pd.DataFrame(table).to_numpy().tolist(),
    "indexed": lambda table: pd.DataFrame(table, index=[f"s{i}" for i in range(len(table["ann"]))]),
}


def one_a_row(table):
    long = pd.DataFrame(table).rename_axis("item").reset_index()
    return long.melt("item", var_name="coder", value_name="label")


LONG = {
    "pandas": lambda long: long,
    "polars": pl.from_pandas,
    "lazy": lambda long: pl.from_pandas(long).lazy(),
    "triples": lambda long: af.Annotations.from_triples(
        [*zip(long.coder, long.item, long.label, strict=True)]
    ),
}
DOORS = {
    **{f"wide {name}": make for name, make in WIDE.items()},
    **{f"long {name}": lambda table, make=make: make(one_a_row(table))
       for name, make in LONG.items()},
}  # fmt: skip
SAYS = {
    "repeats": (TAGS, r"label \['O', 'B', 'O'\] of .*0.* repeats an element, and lists are read"),
    "order": (
        RANKS,
        r"label \['m3', 'm2', 'm1'\] of .*(1|s1).* differs from \['m1', 'm2', 'm3'\] in its order",
    ),
    "fractions": (SHARES, r"label \[0.7, 0.3\] of .*0.* has fractions"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", SAYS)
def test_sequences_are_refused(kind, door):
    """As sets, the tags of TAGS agree perfectly; token by token, they agree less than chance."""
    table, message = SAYS[kind]
    with pytest.raises(InputError, match=message):
        af.alpha(DOORS[door](table))


@pytest.mark.parametrize("door", DOORS)
def test_lists_of_codes_are_sets(door):
    """In any order, and of one length if there are few."""
    codes = {"ann": [["x", "y"], ["y", "x"], ["x"]] * 5, "ben": [["y", "x"], ["x", "y"], []] * 5}
    few = {"ann": [["x", "y"], ["y", "z"]], "ben": [["y", "x"], ["z", "x"]]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 < af.alpha(DOORS[door](codes), "masi") < 1
        assert 0 < af.alpha(DOORS[door](few), "masi") < 1


def test_the_remedies_work():
    frame, ranks = pd.DataFrame(TAGS), pd.DataFrame(RANKS)
    columns = ["ann", "ben"]
    assert af.alpha(frame.map(set)) == 1
    assert af.alpha(pl.DataFrame(TAGS).with_columns(pl.all().list.unique().list.sort())) == 1
    assert af.alpha(ranks.map(tuple)) < 0.1
    first, second = ([*chain.from_iterable(TAGS[name])] for name in columns)
    expected = af.alpha([*zip(first, second, strict=True)])
    assert expected < 0
    assert af.alpha(frame.explode(columns, ignore_index=True)) == expected


def test_lists_beside_labels_are_no_labels():
    """Tokens that nobody reads as labels may repeat."""
    long = one_a_row({"ann": ["a", "b", "b"], "ben": ["a", "b", "a"]})
    tokens = long.assign(tokens=[["the", "dog", "the"]] * 6)
    assert af.alpha(tokens) == af.alpha(long)


@pytest.mark.parametrize(
    "make",
    [list, pd.DataFrame, pl.DataFrame, lambda rows: pl.DataFrame(rows).lazy()],
    ids=["records", "pandas", "polars", "lazy"],
)
@pytest.mark.parametrize("labels", ["abc", "aba", (1, 0, 2)])
def test_lists_of_coders_beside_lists_of_labels_are_refused(make, labels):
    rows = [{"id": i, "annotator_ids": [1, 2, 3], "labels": [*labels][:: (-1) ** i]}
            for i in range(10)]  # fmt: skip
    with pytest.raises(InputError) as error:
        af.alpha(make(rows))
    assert "each row of column 'annotator_ids' seems to list coders" in str(error.value)
    assert error.value.remedy == (
        "spread them, as frame = frame.explode(['annotator_ids', 'labels']) does in pandas and "
        "polars, and write af.Annotations.from_frame(frame, item='id', coder='annotator_ids', "
        "label='labels')"
    )
    table = [row["labels"] for row in rows]
    expected = af.alpha(af.Annotations.from_wide(table, coders=[1, 2, 3]))
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows)):
        frame = frame.explode(["annotator_ids", "labels"])
        read = af.Annotations.from_frame(frame, item="id", coder="annotator_ids", label="labels")
        assert af.alpha(read) == expected

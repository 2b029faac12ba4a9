"""Lazy frames are understood, refused and doubted as the same rows in memory."""

import duckdb
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast.errors import InputError

WIDE = {"ann": list("ynyynynnyyny"), "bob": list("ynynnynyyyny"), "cid": list("ynnynynnyyyy")}
ITEMS = [f"s{i}" for i in range(12)]
JUDGED = [(i, c, k) for c, column in WIDE.items() for i, k in zip(ITEMS, column, strict=True)]


def relation(frame):
    """Return the relation of a connection that holds the rows."""
    return duckdb.connect().from_arrow(frame.to_arrow())


ENGINES = pytest.mark.parametrize("lazy", [pl.DataFrame.lazy, relation], ids=["polars", "duckdb"])


def long(rows):
    return pl.DataFrame(rows, schema=["item", "coder", "label"], orient="row")


@ENGINES
def test_counts(lazy):
    frame = pl.DataFrame({"item": list("abcde"), "no": [3, 0, 2, 1, 3], "yes": [0, 3, 1, 2, 0]})
    value = af.alpha(lazy(frame), layout="counts")
    assert value == af.alpha(frame, layout="counts")
    assert value == af.alpha(af.Annotations.from_counts([[3, 0], [0, 3], [2, 1], [1, 2], [3, 0]]))


@ENGINES
def test_contingency_tables(lazy):
    frame = pl.DataFrame({"first": ["x", "y"], "x": [45, 25], "y": [15, 15]})
    value = af.kappa(lazy(frame), layout="contingency")
    assert round(value, 4) == 0.1304
    with pytest.raises(InputError, match="the names of its columns, as in a contingency table"):
        af.kappa(lazy(frame))


def test_items_in_a_column_without_a_name():
    frame = pl.DataFrame({"": ITEMS, **WIDE})
    assert af.alpha(frame.lazy()) == af.alpha(frame)


@ENGINES
def test_rows_that_are_no_items(lazy):
    total = pl.DataFrame({"item": [*ITEMS, "Total"], **{c: [*k, "8"] for c, k in WIDE.items()}})
    rows = [*JUDGED[:9], ("item", "coder", "label"), *JUDGED[9:]]
    for frame, message in ((total, "'Total'"), (long(rows), "repeats the header")):
        with pytest.raises(InputError, match=message):
            af.alpha(lazy(frame))


@ENGINES
def test_labels_that_missing_names_and_nobody_gave(lazy):
    with pytest.warns(af.LabelHint, match="missing='k.A.': no label has this value"):
        af.Annotations.from_wide(lazy(pl.DataFrame(WIDE)), missing="k.A.")


@ENGINES
@pytest.mark.parametrize(("missing", "text"), [(99, "99"), (99, "99.0"), (0.5, "0.5"), (-1, "-1")])
def test_missing_matches_texts_that_write_a_number(lazy, missing, text):
    rows = [("i1", "a", text), ("i1", "b", "x"), ("i2", "a", "x"), ("i2", "b", "y")]
    data = af.Annotations.from_frame(lazy(long(rows)), missing=missing)
    assert (data.categories, data.n_judgments) == (("x", "y"), 3)


@ENGINES
def test_more_columns_than_rows(lazy):
    turned = pl.DataFrame(list(WIDE.values()), schema=[f"{i}" for i in range(12)], orient="row")
    with pytest.warns(af.ShapeHint, match="3 rows .* 12 columns"):
        value = af.alpha(lazy(turned))
    assert af.alpha(lazy(turned), coder=turned.columns, layout="wide") == value


@ENGINES
def test_items_that_differ_in_writing(lazy):
    frame = long([("S3" if (i, c) == ("s3", "cid") else i, c, k) for i, c, k in JUDGED])
    with pytest.warns(af.LabelHint, match="items 'S3' and 's3' differ only"):
        af.alpha(lazy(frame))
    # One coder judged both, so they are two.
    af.alpha(lazy(long([*JUDGED, ("S3", "cid", "y"), ("S3", "ann", "y"), ("S3", "bob", "y")])))


@ENGINES
def test_gold_labels_among_coders(lazy):
    frame = long([*JUDGED, *[(i, "gold", k) for i, k in zip(ITEMS, WIDE["ann"], strict=True)]])
    with pytest.raises(InputError, match="coder 'gold' of column 'coder'"):
        af.alpha(lazy(frame))
    with pytest.warns(af.ShapeHint, match="coder 'gold' counts as a coder"):
        value = af.Annotations.from_frame(lazy(frame), item="item", coder="coder", label="label")
    assert value.n_coders == 4


@ENGINES
def test_coders_who_share_no_item(lazy):
    frame = long([(f"t{i}" if c == "cid" else i, c, k) for i, c, k in JUDGED])
    with pytest.warns(af.LabelHint, match="coder 'cid' has 12 judgments, and nobody else judged"):
        af.alpha(lazy(frame))


@ENGINES
def test_weights_are_no_coder(lazy):
    frame = pl.DataFrame({**WIDE, "n": [1, 2, 3] * 4})
    data = af.Annotations.from_wide(lazy(frame), weights="n")
    assert data.coders == tuple(WIDE)
    expected = af.Annotations.from_wide(pl.DataFrame(WIDE), weights=frame["n"])
    assert af.alpha(data) == af.alpha(expected)


@ENGINES
def test_judgments_are_no_columns_of_coders(lazy):
    for frame in (long(JUDGED), lazy(long(JUDGED))):
        for items in (None, "item"):
            with pytest.raises(InputError, match=r"hold one judgment per row: .*from_frame\("):
                af.Annotations.from_wide(frame, items=items)

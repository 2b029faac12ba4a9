"""Lazy frames of items × coders, and what has an Arrow stream only, wherever frames are taken."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from examples import examples
from hypothesis import given
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast import units

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

COEFFICIENTS = ("kappa", "beta", "pi", "alpha", "ac")
TABLE = seeded(1, 40, 3, "xyz", heaviest=5)


def frame_of(table, **more):
    """A frame of a column a coder."""
    columns = {f"c{c}": [row[c] for row in table.rows] for c in table.coders}
    return pl.DataFrame({**columns, **more}, strict=False)


def relation(frame):
    """The same in DuckDB."""
    return duckdb.connect().from_arrow(frame.to_arrow())


LAZY = {"polars": pl.DataFrame.lazy, "duckdb": relation}


def assert_same(result, expected):
    assert result.coders == expected.coders
    assert set(result.categories) == set(expected.categories)
    assert result.n_items == expected.n_items
    assert result.missing_judgments == expected.missing_judgments
    order = [expected.categories.index(label) for label in result.categories]
    assert result.coder_marginals().tolist() == expected.coder_marginals()[:, order].tolist()
    for name in COEFFICIENTS:
        values = [repr(af.agreement(data, name).value) for data in (result, expected)]
        assert values[0] == values[1]


@examples(8)
@given(table=tables("words", declared=False))
def test_equal_rows_are_counted(table):
    frame = frame_of(table, n=table.frequencies)
    coders = [f"c{c}" for c in table.coders]
    frame = frame.with_columns(pl.col(coders).cast(pl.String))
    expected = af.Annotations.from_wide(frame.select(coders), coders=coders, weights=frame["n"])
    result = af.Annotations.from_wide(frame.lazy(), coders=coders, weights="n")
    assert_same(result, expected)
    assert result.n_rows == len(set(table.rows))


@pytest.mark.few
@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("kind", ["texts", "numbers", "fractions", "truths", "scale", "sets"])
def test_labels_of_all_types(engine, kind):
    """The rows are in the same order for every engine; NaN and null are missing."""
    rng = np.random.default_rng(3)
    drawn = rng.integers(0, 3, (60, 3))
    drawn[rng.random((60, 3)) < 0.5] = 1
    labels = {
        "texts": ["x", None, "NA"], "numbers": [3, 1, None], "fractions": [0.5, float("nan"), 2.0],
        "truths": [True, None, False], "scale": ["low", "high", None], "sets": ["a|b", "b|a", "c"],
    }[kind]  # fmt: skip
    frame = pl.DataFrame({f"c{i}": [labels[k] for k in drawn[:, i]] for i in range(3)})
    if kind == "scale":
        frame = frame.cast(pl.Enum(["low", "high", "unused"]))
    options = {"missing": "NA"} if kind == "texts" else {}
    if kind == "sets":
        options["set_separator"] = "|"
    expected = af.Annotations.from_wide(frame, coders=frame.columns, **options)
    if kind == "scale" and engine == "duckdb":
        options["categories"] = ["low", "high", "unused"]
    result = af.Annotations.from_wide(LAZY[engine](frame), coders=frame.columns, **options)
    assert_same(result, expected)
    assert kind == "sets" or result.categories == expected.categories  # sets have no order
    assert [*map(type, result.categories)] == [*map(type, expected.categories)]
    assert result.declared == expected.declared
    assert result.gathered.engine == engine
    assert result.gathered.n_rows < 30
    back = result.to_wide().tolist()
    again = af.Annotations.from_wide(LAZY[engine](frame[::-1]), coders=frame.columns, **options)
    assert back == again.to_wide().tolist()


@pytest.mark.parametrize("engine", LAZY)
def test_every_function_takes_what_it_takes_here(engine):
    """The item column is found, and left out."""
    frame = frame_of(TABLE, id=[f"i{i}" for i in range(40)])
    lazy = LAZY[engine](frame)
    assert af.agreement(lazy, "kappa") == af.agreement(frame, "kappa")
    assert af.Annotations.from_wide(lazy, items="id").coders == ("c0", "c1", "c2")
    long = frame.unpivot(["c0", "c1", "c2"], index="id", variable_name="coder", value_name="label")
    assert af.alpha(LAZY[engine](long)) == af.alpha(long)


@pytest.mark.parametrize(
    ("columns", "asked", "message"),
    [
        ({}, {"coders": ["c0", "zed"]}, "coders='zed' is not a column"),
        ({}, {"coders": "c0"}, "coders must be a sequence of names"),
        ({}, {"items": list(range(40))}, "items of a lazy frame is a column, not list"),
        ({}, {"weights": [1] * 40}, "weights of a lazy frame is a column, not list"),
        ({}, {"weights": "c0"}, "weights must be whole numbers, not String"),
        ({"n": [1.5] * 40}, {"weights": "n"}, "a row has weight 1.5"),
        ({"n": [-1] + [1] * 39}, {"weights": "n"}, "a row has weight -1"),
        ({"n": [None] + [1] * 39}, {"weights": "n"}, "a row has weight None"),
        ({"id": ["u"] * 2 + list("abcdefghijklmnopqrstuvwxyzäöüß12345678")}, {"items": "id"},
         "items names 'u' twice.*from_frame.*coders"),
        ({"remark": [f"a sentence {i}" for i in range(40)]}, {}, "'remark' looks like a comment"),
        ({"l": [["x"]] * 40}, {"coders": ["c0", "l"]}, "column 'l' holds List"),
    ],
)  # fmt: skip
def test_invalid_arguments_raise(columns, asked, message):
    with pytest.raises((ValueError, TypeError), match=message):
        af.Annotations.from_wide(frame_of(TABLE, **columns).lazy(), **asked)


def test_too_many_rows_differ(monkeypatch):
    monkeypatch.setattr("agreement_fast.reading.engines.read.MOST_ROWS", 3)
    with pytest.raises(ValueError, match="more than 3 rows of the lazy frame differ: collect it"):
        af.Annotations.from_wide(frame_of(TABLE).lazy())


def test_judgments_are_not_taken_for_coders():
    """The first rows may hold each item once; labels that are no names of coders decide."""
    long = pl.DataFrame(
        {
            "item": [*range(1500)] * 2,
            "coder": ["ann"] * 1500 + ["bob"] * 1500,
            "label": ["xy"[i % 2 if i < 2000 else 0] for i in range(3000)],
        }
    )
    assert af.alpha(long.lazy()) == af.alpha(long)
    with pytest.raises(ValueError, match=r"hold one judgment per row.*from_frame"):
        af.Annotations.from_wide(long[::3].lazy())
    named = long.select(item="item", user="coder", score=pl.Series(["ann", "bob"] * 1500))
    with pytest.raises(
        ValueError, match=r"from_frame\(frame, item='item'.*from_wide\(frame, coders"
    ):
        af.alpha(named.lazy())
    assert af.alpha(named.lazy(), item="item", coder="user", label="score") == af.alpha(named)


class Stream:
    """What has an Arrow stream and nothing else; it can be read once."""

    def __init__(self, **columns):
        self.reader = pa.table(columns).to_reader()

    def __arrow_c_stream__(self, requested_schema=None):
        reader, self.reader = self.reader, None
        return reader.__arrow_c_stream__(requested_schema)


def reader(**columns):
    """Arrow's own."""
    return pa.table(columns).to_reader()


@pytest.mark.parametrize("stream", [Stream, reader])
def test_streams_are_taken_where_frames_are(stream):
    pairs = {"ann": ["x", "y", "x"], "bob": ["x", "y", "y"]}
    expected = af.alpha([["x", "x"], ["y", "y"], ["x", "y"]])
    assert af.alpha(af.Annotations.from_wide(stream(**pairs))) == expected
    assert af.alpha(stream(**pairs)) == expected
    counts = {"x": [2, 0, 1], "y": [0, 2, 1]}
    said = stream(x=[2, 1], y=[1, 2])
    data = af.Annotations.from_counts(stream(**counts), coder_counts=said)
    assert data.categories == ("x", "y")
    assert af.alpha(data) == expected
    square = stream(x=[1, 0], y=[1, 1])
    assert af.Annotations.from_contingency(square).n_items == 3
    long = {"item": [1, 1, 2, 2], "coder": ["a", "b"] * 2, "label": ["x", "y", "x", "x"]}
    assert af.Annotations.from_frame(stream(**long)).n_items == 2
    marked = stream(who=["a", "b"], first=[0, 2], last=[4, 5])
    result = units.Continuum.from_frame(marked, coder="who", start="first", end="last", extents=6)
    assert result.n_units == 2
    links = {"d": [1, 1], "c": ["a", "b"], "m": ["m", "m"], "to": ["n", "n"]}
    assert units.judgments(units.Chains.from_links(stream(**links))).n_judgments == 2
    flags = stream(red=[1, 0], blue=[1, 1])
    assert af.Annotations.from_indicators(flags, n_coders=2).n_judgments == 2


EAGER = {
    "counts": af.Annotations.from_counts,
    "contingency": af.Annotations.from_contingency,
    "coder counts": lambda lazy: af.Annotations.from_counts([[2]], coder_counts=lazy),
    "units": lambda lazy: units.Continuum.from_frame(lazy, coder="x", start="x", end="x"),
    "chains": units.Chains.from_links,
    "indicators": af.Annotations.from_indicators,
}


@pytest.mark.parametrize("read", EAGER)
@pytest.mark.parametrize("engine", LAZY)
def test_where_lazy_frames_must_be_collected(read, engine):
    with pytest.raises(
        TypeError, match=rf"the table is a lazy frame \({engine}\): collect it first"
    ):
        EAGER[read](LAZY[engine](pl.DataFrame({"x": [1, 2]})))


def test_frames_of_no_rows_and_no_coders():
    empty = pl.DataFrame({"a": [], "b": []}, schema={"a": pl.String, "b": pl.String})
    assert af.Annotations.from_wide(empty.lazy(), coders=["a", "b"]).n_items == 0
    assert af.Annotations.from_wide(empty.lazy()).n_items == 0
    with pytest.raises(ValueError, match="have no coder among them"):
        af.Annotations.from_wide(empty.lazy(), coders=[])


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("layout", ["counts", "contingency"])
def test_counts_that_are_named_so_are_collected(engine, layout):
    frame = pl.DataFrame({"x": [3, 1, 0], "y": [0, 2, 1], "z": [0, 0, 2]})
    result = af.alpha(LAZY[engine](frame), layout=layout)
    expected = af.alpha(frame.to_numpy(), layout=layout)
    assert result.value == expected.value
    assert result.n_items == (3 if layout == "counts" else 9)


def test_categoricals_of_pandas_in_duckdb_declare_nothing():
    labels = pd.Categorical([*"xxyxyy"], categories=[*"xyz"])
    judged = pd.DataFrame({"item": [0, 0, 1, 1, 2, 2], "coder": [*"ababab"], "label": labels})
    wide = pd.DataFrame({"ann": labels[::2], "ben": labels[1::2]})
    for frame in (judged, wide):
        with duckdb.connect() as connection:
            scanned = connection.from_df(frame)
            assert af.s(scanned) == af.s(frame)
            scanned.create("stored")
            assert af.s(connection.table("stored")).n_categories == 3

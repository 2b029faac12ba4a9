"""What an engine would get wrong in silence is refused, and what it must not refuse is read."""

import math

import duckdb
import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import agreement_fast as af
from agreement_fast.errors import TooLargeError
from agreement_fast.reading.engines import read
from agreement_fast.reading.engines import table as query_table
from agreement_fast.reading.engines.partitions import Reading, raised, sent
from agreement_fast.reading.parts import Options

ENGINES = {
    "polars": pl.DataFrame.lazy,
    "duckdb": lambda frame: duckdb.connect().from_arrow(frame.to_arrow()),
}
engines = pytest.mark.parametrize("opened", ENGINES.values(), ids=ENGINES)

PAIRS = pl.DataFrame(
    {"item": [1, 1, 2, 2, 3, 3], "coder": ["a", "b"] * 3, "label": [1, 2, 3, 3, 5, 4]}
)
WIDE = pl.DataFrame({"id": [1, 2, 3, 4], "a": [1, 2, 3, 1], "b": [1, 3, 1, 1]})


def interval(data):
    return af.alpha(data, distance="interval")


# ---------------------------------------------------------------------- weights


@engines
def test_moments_of_more_items_than_64_bits_count(opened):
    """The sum of 19,000 such weights is 554,000,000,000,000,000 modulo 2⁶⁴."""
    n = 19_000
    frame = pl.DataFrame(
        {"item": np.repeat(np.arange(n), 2), "coder": ["a", "b"] * n, "label": [1, 2] * n}
    ).with_columns(w=pl.lit(10**15))
    with pytest.raises(TooLargeError, match="items cannot be counted in 64 bits"):
        af.Annotations.from_frame(opened(frame), weights="w", way="moments")


@engines
@pytest.mark.parametrize("n", [5_000, 20_000])
def test_equal_rows_of_more_items_than_64_bits_count(opened, n):
    frame = pl.DataFrame({"a": [1] * n, "b": [2] * n}).with_columns(w=pl.lit(10**15))
    with pytest.raises(TooLargeError, match="items cannot be counted in 64 bits"):
        af.Annotations.from_wide(opened(frame), coders=["a", "b"], weights="w")


def test_weights_of_32_bits_are_summed_in_64_by_moments():
    frame = PAIRS.with_columns(w=pl.lit(2**31 - 1, pl.Int32))
    result = af.Annotations.from_frame(frame.lazy(), weights="w", way="moments")
    here = af.Annotations.from_frame(frame, weights="w")
    values = [af.beta(data, distance="interval").value for data in (result, here)]
    assert math.isclose(*values, rel_tol=1e-12)


# ---------------------------------------------------------------------- the way of numbers


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"categories": [1, 2, 3, 4, 5]}, "categories"),
        ({"set_separator": ","}, "set_separator"),
        ({"repeats_of": "a", "order": "item"}, "repeats_of"),
        ({"duplicates": "set"}, "duplicates"),
    ],
)
def test_moments_refuse_what_they_do_not_know(asked, name):
    with pytest.raises(
        ValueError, match=rf"^{name} is not supported by way='moments': leave"
    ) as error:
        af.Annotations.from_frame(PAIRS.lazy(), way="moments", **asked)
    assert error.value.argument == name


@pytest.mark.parametrize(
    ("engine", "offset", "kind"),
    [
        ("polars", 2**63 - 1, pl.UInt64),
        ("duckdb", 2**64 - 6, pl.UInt64),
        ("polars", 2**63 - 6, pl.Int64),
        ("polars", -(2**63) - 1, pl.Int64),
    ],
)
def test_moments_of_whole_numbers_at_the_ends_of_their_type(engine, offset, kind):
    labels = pl.Series("label", [label + offset for label in PAIRS["label"]], kind)
    result = af.Annotations.from_frame(ENGINES[engine](PAIRS.with_columns(labels)), way="moments")
    assert interval(result) == interval(af.Annotations.from_frame(PAIRS.lazy(), way="moments"))


def test_moments_of_numbers_on_both_sides_of_what_63_bits_hold():
    frame = PAIRS.with_columns(
        label=pl.Series([0, 2**64 - 1, 1, 2, 2**63, 2**63 + 1], dtype=pl.UInt64)
    )
    result = interval(af.Annotations.from_frame(frame.lazy(), way="moments"))
    assert math.isclose(result.value, interval(frame).value, rel_tol=1e-12)


# ---------------------------------------------------------------------- rows that change


@pytest.mark.few(every=2)
@pytest.mark.parametrize(
    ("way", "n_queries", "change", "weights"),
    [
        ("patterns", 1, "delete from j where item > 5", None),
        ("patterns", 1, "update j set coder = 7 where item = 1 and coder = 1", None),
        ("patterns", 1, "delete from j where item > 5", "w"),
        ("patterns", 1, "update j set label = null where item = 1", "w"),
        ("counts", 1, "delete from j where item > 5", None),
        ("counts", 1, "delete from j where item > 5", "w"),
        ("counts", 3, "delete from j where item > 5", None),
        ("counts", 3, "update j set label = 0 where item = 1", None),
        ("counts", 3, "update j set label = 7 where item = 1", None),
        ("counts", 3, "update j set coder = 7 where item = 1 and coder = 1", None),
        ("counts", 3, "update j set w = 3", "w"),
        ("counts", 4, "update j set label = 1 - label", None),
        ("moments", 3, "delete from j where item > 5", None),
        ("moments", 1, "delete from j where item > 5", "w"),
        ("moments", 4, "update j set label = -label", None),
        ("moments", 4, "update j set w = 3", "w"),
        ("moments", 5, "update j set label = 1 - label", None),
    ],
)
def test_rows_that_change_while_they_are_read(way, n_queries, change, weights, monkeypatch):
    """The last item has one judgment; after some queries, the table is another."""
    connection = duckdb.connect()
    connection.sql(
        "create table j as select i // 3 as item, i % 3 as coder, i % 7 % 2 as label, 2 as w "
        "from range(31) t(i)"
    )
    options = {"label": "label", "way": way, "weights": weights}
    if n_queries == 1:
        n_items = 11 if weights is None else 22
        assert af.Annotations.from_frame(connection.table("j"), **options).n_items == n_items
    fetch, asked_for = query_table.Queries.fetch, []

    def and_change(self, *query):
        result = fetch(self, *query)
        asked_for.append(query)
        if len(asked_for) == n_queries:
            connection.execute(change)
        return result

    monkeypatch.setattr(query_table.Queries, "fetch", and_change)
    with pytest.raises(ValueError, match=r"the rows changed between two queries.*as a table first"):
        af.Annotations.from_frame(connection.table("j"), **options)


@pytest.mark.parametrize("way", ["patterns", "counts", "moments"])
def test_rows_that_differ_in_every_query_are_refused_with_weights(way):
    """Half of the labels are missing, others in each query; each row weighs 2."""
    rows = duckdb.sql(
        "select i // 3 as item, i % 3 as coder, case when random() < .5 then i % 7 end as label, "
        "2 as w from range(3000) t(i)"
    )
    with pytest.raises(ValueError, match="the rows changed between two queries"):
        af.Annotations.from_frame(rows, way=way, weights="w")


# ---------------------------------------------------------------------- how much comes back


def test_wide_rows_are_fewer():
    assert query_table.most_rows(3) == query_table.MOST_ROWS
    assert query_table.most_rows(66) * 66 <= query_table.MOST_CELLS < query_table.MOST_ROWS * 66
    assert query_table.most_rows(66, 5) == 5


def test_cells_bound_what_comes_back(monkeypatch):
    """Three patterns of two coders, and three columns beside; there are fewer counts."""
    frame = PAIRS.with_columns(label=pl.Series(["x", "y", "y", "x", "x", "x"]))
    monkeypatch.setattr(query_table, "MOST_CELLS", 15)
    assert af.Annotations.from_frame(frame.lazy()).gathered.way == "patterns"
    monkeypatch.setattr(query_table, "MOST_CELLS", 14)
    result = af.Annotations.from_frame(frame.lazy()).gathered
    assert (result.way, result.why) == (
        "counts",
        "there are more than 2 patterns, and few labels (2)",
    )
    with pytest.raises(ValueError, match="more than 2 distinct rows would come back"):
        af.Annotations.from_frame(frame.lazy(), way="patterns")
    monkeypatch.setattr(query_table, "MOST_CELLS", 9)
    with pytest.raises(ValueError, match="more than 1 distinct rows would come back"):
        af.Annotations.from_frame(frame.lazy(), way="counts")
    monkeypatch.setattr(query_table, "MOST_CELLS", 11)
    with pytest.raises(ValueError, match="more than 2 rows of the lazy frame differ"):
        af.Annotations.from_wide(WIDE.lazy(), items="id")


def test_missing_is_no_label(monkeypatch):
    monkeypatch.setattr(read, "MOST_LABELS", 5)
    frame = pl.concat(
        [PAIRS, PAIRS[:1].with_columns(item=4, label=pl.lit(None, pl.Int64))],
        how="vertical_relaxed",
    )
    result = af.Annotations.from_frame(frame.lazy(), way="counts")
    assert (len(result.categories), result.missing_judgments) == (5, 1)
    monkeypatch.setattr(read, "MOST_COLUMNS", 1)
    why = af.Annotations.from_frame(frame.lazy()).gathered.why
    assert why == "there are more than 1 coders, and few labels (5)"


# ---------------------------------------------------------------------- columns and their values


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"item": "item", "coder": "item"},
            "column 'item' is used as item and as coder: each needs",
        ),
        ({"coder": "coder", "label": "coder"}, "column 'coder' is used as coder and as label"),
        ({"weights": "label"}, "column 'label' is used as label and as weights"),
        ({"item": ["item", "item"]}, "item names 'item' twice"),
    ],
)
def test_a_column_has_one_role(asked, message):
    roles = {"item": "item", "coder": "coder", "label": "label", **asked}
    with pytest.raises(ValueError, match=message):
        af.Annotations.from_frame(PAIRS.lazy(), **roles)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"coders": ["a", "a"]}, "coders names 'a' twice"),
        (
            {"coders": ["a", "b"], "weights": "b"},
            "column 'b' is used as weights and as coders",
        ),
        ({"coders": ["a", "id"], "items": "id"}, "column 'id' is used as items and as coders"),
    ],
)
def test_a_column_of_a_wide_frame_has_one_role(asked, message):
    with pytest.raises(ValueError, match=message):
        af.Annotations.from_wide(WIDE.lazy(), **asked)


def test_what_is_labels_of_items_may_name_them():
    result = af.Annotations.from_frame(PAIRS.lazy(), along="item", order="item", way="patterns")
    assert list(result.along["item"]) == [1, 2, 3]


@engines
def test_items_with_judgments_need_a_name(opened):
    frame = WIDE.with_columns(id=pl.Series([None, None, 1, 2]))
    for table in (opened(frame), frame):
        with pytest.raises(ValueError, match="2 rows have no value in column 'id'"):
            af.Annotations.from_wide(table, items="id")
    with pytest.raises(ValueError, match="items names 1 twice"):
        af.Annotations.from_wide(opened(frame.with_columns(id=pl.Series([3, 2, 1, 1]))), items="id")


@pytest.mark.parametrize("missing", [10**400, -(10**400), [10**400, 5]])
def test_no_float_is_larger_than_floats(missing):
    frame = PAIRS.with_columns(pl.col("label").cast(pl.Float64))
    result = af.Annotations.from_frame(frame.lazy(), missing=missing)
    here = af.Annotations.from_frame(frame, missing=missing)
    assert result.missing_judgments == here.missing_judgments == isinstance(missing, list)


def sqlite(label):
    """A table whose column of whole numbers holds something else, which SQLite allows."""
    import ibis

    connection = ibis.sqlite.connect()
    connection.raw_sql("create table j (item INT, coder TEXT, label INT)")
    connection.raw_sql(f"insert into j values (1, 'a', 1), (1, 'b', {label})")
    return connection.table("j")


class Unreadable:
    """A query whose values are not of their type."""

    def __init__(self, error):
        self.error = error

    def head(self, n):
        return self

    def collect(self):
        raise self.error


def test_what_arrow_cannot_convert_is_said_in_one_line():
    query = Unreadable(pa.ArrowInvalid("Could not convert '\x1bno'\nin a column"))
    with pytest.raises(ValueError, match="of another type than its own") as error:
        query_table.Queries().fetch(query)
    assert r"(Could not convert '\x1bno'):" in str(error.value)
    with pytest.raises(KeyError):
        query_table.Queries().fetch(Unreadable(KeyError("its own fault")))
    with pytest.raises(ValueError, match="its own fault"):
        query_table.Queries().fetch(Unreadable(ValueError("its own fault")))


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
@pytest.mark.parametrize("way", ["patterns", "partitions"])
def test_values_of_another_type_than_their_column(way):
    with pytest.raises(ValueError, match=r"^a column holds values of another type.*two") as error:
        af.Annotations.from_frame(sqlite("'two'"), way=way)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, af.AgreementError)
    assert af.Annotations.from_frame(sqlite("2"), way=way).n_judgments == 2


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("labels", "asked", "kind"),
    [
        ([1, 2], {}, TooLargeError),
        (["x", "y"], {"weighted": False, "set_separator": 5}, TypeError),
        ([1, 2], {"weighted": False, "categories": [1]}, ValueError),
    ],
)
def test_errors_of_workers_keep_their_class(labels, asked, kind):
    n = 5_000
    rows = pa.table(
        {"af_item_0": range(n), "af_coder": ["a"] * n, "af_label": labels * (n // 2),
         "af_weight": [10**15] * n}
    )  # fmt: skip
    weighted = asked.pop("weighted", True)
    read = sent(
        [nw.from_native(rows)], Reading(("af_item_0",), Options(**asked), weighted=weighted)
    )
    assert isinstance(raised(read.problem), kind)

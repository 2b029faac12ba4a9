"""Rows of whole items, read some at a time, are the judgments that memory has, to the last bit."""

import sys
from collections import Counter
from functools import partial
from unittest import mock

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_pieces import content

import agreement_fast as af
from agreement_fast import agreement_by_group, bootstrap
from agreement_fast.reading.engines import partitions, read
from agreement_fast.reading.engines.partitions import (
    ENGINES,
    Reading,
    piece_of_items,
    raised,
    sent,
    whole_items,
)
from agreement_fast.reading.engines.table import Queries
from agreement_fast.reading.parts import Options
from agreement_fast.reading.pieces import add_up, piece_of
from agreement_fast.reading.stored_pieces import from_bytes

ROLES = {"item": "item", "coder": "coder", "label": "label"}

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.LabelHint")


def in_polars(frame):
    return frame.lazy()


def in_duckdb(frame):
    import duckdb

    return duckdb.from_arrow(frame.to_arrow())


LOCAL = {"polars": in_polars, "duckdb": in_duckdb}


def parts_of_rows(n_rows):
    return mock.patch.object(read, "PART_ROWS", n_rows)


def by_partitions(lazy, n_rows=2, **options):
    with parts_of_rows(n_rows):
        return af.Annotations.from_frame(lazy, **{**ROLES, **options}, way="partitions")


def whole(data):
    """All that annotations hold, without the names of items."""
    return content(add_up([piece_of(data.known_parts())]))


def beside(data):
    """How often each row of judgments stands beside what."""
    weights = [1] * data.n_rows if data.weights is None else data.weights.tolist()
    counted = Counter()
    columns = [data.along[name] for name in sorted(data.along)]
    for row, *said, weight in zip(data.to_wide().tolist(), *columns, weights, strict=True):
        counted[tuple(row), tuple(said)] += weight
    return counted


def judgments(labels, n_items=12, seed=0):
    """A table of three coders: some judge an item twice, `time` says in which order."""
    random = np.random.default_rng(seed)
    rows = [
        (f"i{item}", f"c{coder}", labels[random.integers(len(labels))], f"d{item % 3}", item % 4)
        for item in range(n_items)
        for coder in range(3)
        for _ in range(random.integers(3))
    ]
    random.shuffle(rows)
    frame = pl.DataFrame(rows, ["item", "coder", "label", "doc", "w"], orient="row", strict=False)
    return frame.with_columns(time=pl.Series(random.permutation(len(rows))))


TEXTS = judgments(["x", "y", "z", None])
ONCE = TEXTS.unique(["item", "coder"], keep="first", maintain_order=True)
NUMBERS = judgments([0.5, 1.0, -2.0, 1e300, float("nan"), None])
SETS = judgments(["a|b", "b | a", "", "c", None])
LISTS = judgments([["a", "b"], ["b", "a"], [], ["c"]])
MAJORITY = {"duplicates": "majority"}

#: By what is peculiar to it.
CASES = {
    "texts": (ONCE, {}),
    "weights": (ONCE, {"weights": "w"}),
    "missing": (ONCE, {"missing": ["x", 3]}),
    "declared": (ONCE, {"categories": ["z", "y", "x", "w"]}),
    "numbers": (NUMBERS, MAJORITY),
    "truths": (judgments([True, False, None]), MAJORITY),
    "whole numbers": (judgments([3, 1, 2**53 + 1, None]), MAJORITY),
    "sets of text": (SETS, {"duplicates": "set", "set_separator": "|"}),
    "declared sets": (SETS, {**MAJORITY, "set_separator": "|", "categories": ["c", "b|a", ""]}),
    "lists": (LISTS, MAJORITY),
    "united lists": (LISTS, {"duplicates": "set"}),
    "declared elements": (TEXTS, {"duplicates": "set", "categories": ["z", "y", "x"]}),
    "a type that declares": (
        ONCE.with_columns(pl.col("label").cast(pl.Enum(["z", "y", "x", "v"]))),
        {},
    ),
    "sets of a type that declares": (
        TEXTS.with_columns(pl.col("label").cast(pl.Enum(["z", "y", "x", "v"]))),
        {"duplicates": "set"},
    ),
    "first": (TEXTS, {"duplicates": "first", "order": "time"}),
    "last": (TEXTS, {"duplicates": "last", "order": "time"}),
    "majority": (TEXTS, {**MAJORITY, "weights": "w"}),
    "repeats": (TEXTS, {"repeats_of": "c1", "order": "time"}),
    "declared repeats": (
        TEXTS,
        {"repeats_of": "c1", "order": "time", "weights": "w", "categories": ["z", "x", "y"]},
    ),
    "coders that are truths": (TEXTS.with_columns(coder=pl.col("coder") == "c0"), MAJORITY),
    "several columns": (TEXTS, {**MAJORITY, "item": ["doc", "item"]}),
    "no rows": (ONCE.clear(), {"categories": ["y", "x"]}),
    "no labels": (ONCE.with_columns(label=pl.lit(None, pl.String)), {}),
}


@pytest.mark.few
@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("case", CASES)
def test_equal_memory(case, engine):
    frame, options = CASES[case]
    kept = af.Annotations.from_frame(frame, **{**ROLES, **options})
    if engine == "duckdb" and "type that declares" in case:  # Arrow has no such type
        frame = frame.with_columns(pl.col("label").cast(pl.String))
        options = {"categories": ["z", "y", "x", "v"], **options}
    result = by_partitions(LOCAL[engine](frame), **options)
    assert whole(result) == whole(kept)
    assert (result.gathered.engine, result.gathered.way) == (engine, "partitions")
    assert result.gathered.n_parts == 0 if case == "no rows" else result.gathered.n_parts > 5


LABELS = st.sampled_from([["x", "y", None], [0.5, 1.0, 2.0, None], [1.0, 2.0, -0.0], [0, 7, None]])


@st.composite
def tables_of_judgments(draw):
    said = st.sampled_from(draw(LABELS))
    pairs = st.tuples(st.integers(0, 6), st.sampled_from("abc"))
    rows = draw(st.dictionaries(pairs, said, min_size=1, max_size=15))
    listed = [(*pair, label, pair[0] % 2) for pair, label in rows.items()]
    names = {"item": pl.Int64, "coder": pl.String, "label": None, "doc": pl.Int64}
    frame = pl.DataFrame(listed, names, orient="row", infer_schema_length=None)
    if frame["label"].dtype == pl.Null:
        frame = frame.with_columns(pl.col("label").cast(pl.String))
    return frame


@given(tables_of_judgments(), st.integers(1, 7), st.sampled_from(sorted(LOCAL)))
def test_equal_memory_in_parts_of_any_size(frame, n_rows, engine):
    kept = af.Annotations.from_frame(frame, **ROLES, along="doc")
    result = by_partitions(LOCAL[engine](frame), n_rows, along="doc")
    assert beside(result) == beside(kept)
    assert whole(result) == whole(kept)
    assert [list(map(type, said)) for said in result.along.values()] == [[int] * result.n_rows]


def test_coefficients_and_draws_are_those_of_memory():
    options = {**ROLES, "weights": "w", "along": ["doc"]}
    kept = af.Annotations.from_frame(ONCE, **options)
    result = by_partitions(in_polars(ONCE), 3, **options)
    for name in ("pi", "kappa", "alpha", "ac1"):
        assert repr(af.agreement(result, name)) == repr(af.agreement(kept, name))
        one, other = (
            bootstrap(data, name, n_resamples=30, rng=1, cluster="doc") for data in (result, kept)
        )
        assert one.replicates.tolist() == other.replicates.tolist()


def test_what_stands_along_is_sorted_and_may_be_missing():
    doc = pl.when(pl.col("doc") == "d1").then(None).otherwise(pl.col("doc"))
    frame = ONCE.with_columns(doc=doc, day=pl.col("w") * 0.5)
    kept = af.Annotations.from_frame(frame, **ROLES, along=["doc", "day"])
    result = by_partitions(in_polars(frame), along=["doc", "day"])
    assert beside(result) == beside(kept)
    docs = result.along["doc"]
    assert None in docs
    assert docs == sorted(docs, key=lambda doc: (doc is None, doc))
    declared = by_partitions(in_polars(frame), along="doc", categories=["z", "y", "x", "w"])
    assert declared.categories == ("z", "y", "x", "w")
    assert declared.declared
    empty = by_partitions(in_polars(frame.clear()), along="doc", categories=["z", "y"])
    assert (empty.categories, empty.n_items, empty.along) == (("z", "y"), 0, {"doc": []})


def test_labels_that_may_be_one_are_said_once():
    frame = ONCE.with_columns(label=pl.col("label").replace("y", "X"))
    with pytest.warns(af.LabelHint) as caught:
        by_partitions(in_polars(frame))
    with pytest.warns(af.LabelHint) as known:
        af.Annotations.from_frame(frame, **ROLES)
    assert [str(hint.message) for hint in caught] == [str(hint.message) for hint in known]


def test_groups_keep_their_items_apart():
    sets = TEXTS.with_columns(item=pl.lit("the same in all groups"))
    options = {**ROLES, "by": ["doc", "w"], "duplicates": "set"}
    with parts_of_rows(2):
        result = agreement_by_group(in_polars(sets), **options)
    assert repr(result.columns()) == repr(agreement_by_group(sets, **options).columns())


def test_items_are_not_cut():
    items = pl.DataFrame({"key": list("aaaaabccddddddd"), "more": [1] * 15, "row": range(15)})
    for size in (1, 2, 4, 15):
        batches = [nw.from_native(items[i : i + size]) for i in range(0, 15, size)]
        for n_rows in range(1, 17):
            parts = list(whole_items(batches, ["key", "more"], n_rows))
            assert [row for part in parts for row in part["row"].to_list()] == list(range(15))
            result = [set(part["key"].to_list()) for part in parts]
            assert sum(map(len, result)) == 4
            assert len(result) >= min(15 // (n_rows + 7), 1)
    two = [nw.from_native(pl.DataFrame({"key": [1, 1, 1, 1], "more": [1, 1, 2, 2]}))]
    assert [len(part) for part in whole_items(two, ["key", "more"], 1)] == [2, 2]


# ---------------------------------------------------------------------- when it is taken


@pytest.mark.parametrize(
    ("frame", "asked", "limits", "why"),
    [
        (TEXTS, {"duplicates": "set"}, {}, "duplicates='set' is not computed by engines"),
        (TEXTS, {"repeats_of": "c1", "order": "time"}, {}, "repeats_of='c1' is not computed"),
        (LISTS, MAJORITY, {}, "engines do not group column 'label', which holds List(String)"),
        (NUMBERS, MAJORITY, {"LOOK": 11}, "the first 11 rows have "),
        (ONCE, {}, {"MOST_PAIRS": 3}, "there are more than 3 pairs of a coder and a label"),
        (
            ONCE,
            {},
            {"MOST_COLUMNS": 2, "MOST_LABELS": 2},
            "3 coders and 3 labels are too many for a column each",
        ),
        (ONCE, {}, {"MOST_ROWS": 2}, "more than 2 distinct rows would come back"),
        (TEXTS, MAJORITY, {"MOST_ROWS": 2}, "more than 2 distinct rows would come back"),
    ],
)
def test_partitions_is_the_default_if_other_ways_return_too_much(
    frame, asked, limits, why, monkeypatch
):
    for name, limit in limits.items():
        monkeypatch.setattr(read, name, limit)
    result = af.Annotations.from_frame(in_polars(frame), **{**ROLES, **asked})
    assert result.gathered.way == "partitions"
    assert result.gathered.why.startswith(why)
    assert whole(result) == whole(af.Annotations.from_frame(frame, **{**ROLES, **asked}))


def test_numbers_that_repeat_are_grouped():
    result = af.Annotations.from_frame(in_polars(NUMBERS), **{**ROLES, **MAJORITY})
    assert result.gathered.way == "patterns"


def test_gathered_describes_what_was_returned():
    result = by_partitions(in_polars(ONCE), 10).gathered
    assert result.why == "way='partitions' was passed"
    assert result.n_rows == len(ONCE) + 1  # one row says that no row is refused
    assert result.n_bytes > 5 * len(ONCE)
    assert result.n_queries == 3
    assert af.Annotations.from_frame(in_polars(ONCE), **ROLES).gathered.n_parts is None


# ---------------------------------------------------------------------- what is refused

TIED = TEXTS.with_columns(time=pl.lit(1))
UNKNOWN = ONCE.with_columns(coder=pl.when(pl.col("item") != ONCE["item"][0]).then(pl.col("coder")))
#: The first item, in the order of their names, that several coders judged.
FIRST = ONCE.filter(pl.col("item").is_duplicated())["item"].min()
CONFLICT = ONCE.with_columns(w=pl.int_range(pl.len()))


@pytest.mark.parametrize(
    ("frame", "asked", "message"),
    [
        (TEXTS, {}, "judgments repeat a coder's judgment of an item (coder 'c"),
        (TEXTS, {"duplicates": "first"}, "'first' needs order, the column that says which"),
        (TEXTS, {"repeats_of": "c1"}, "repeats_of needs order, the column that says which"),
        (TIED, {"duplicates": "last", "order": "time"}, "with the same 'time', which does not say"),
        (TIED, {"repeats_of": "c1", "order": "time"}, "coder 'c1' has several labels for item"),
        (
            TEXTS,
            {"repeats_of": "c7", "order": "time"},
            "there is no coder 'c7'; the coders are 'c0', 'c1', 'c2'",
        ),
        (ONCE, {"repeats_of": "c1", "order": "time"}, "coder 'c1' judged"),
        (TEXTS, {"repeats_of": "c1", "duplicates": "set"}, "exclude each other"),
        (TEXTS, {"repeats_of": "c1", "along": "doc"}, "exclude each other"),
        (UNKNOWN, {}, "no coder (column 'coder'): filter them out first"),
        (ONCE.with_columns(w=-1), {"weights": "w"}, "weight -1 of item"),
        (
            CONFLICT,
            {"weights": "w"},
            f"item {FIRST!r} has different weights in different judgments",
        ),
        (CONFLICT, {"along": "w"}, f"item {FIRST!r} has "),
        (ONCE, {"categories": ["x", "y"]}, "label 'z' of"),
    ],
)
def test_errors_name_the_place_and_the_remedy(frame, asked, message):
    with pytest.raises(af.AgreementError) as error:
        by_partitions(in_polars(frame), **asked)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_repeats_of_all_parts_are_counted():
    options = {**ROLES, "way": "patterns"}
    with pytest.raises(af.AgreementError) as error:
        af.Annotations.from_frame(in_polars(TEXTS), **options)
    with pytest.raises(af.AgreementError) as other:
        by_partitions(in_polars(TEXTS), 1)
    assert str(other.value) == str(error.value)


def test_an_order_that_says_enough_is_taken():
    """Equal labels, and labels that are not asked for, may come at the same time."""
    rows = {"item": [1] * 4, "coder": ["a"] * 4, "label": list("xyzz"), "time": [1, 1, 2, 2]}
    frame = pl.DataFrame(rows)
    result = by_partitions(in_polars(frame), duplicates="last", order="time")
    assert result.to_wide().tolist() == [["z"]]
    with pytest.raises(af.AgreementError, match="coder 'a' has several labels for item 1 with"):
        by_partitions(in_polars(frame), duplicates="first", order="time")


def test_judgments_without_a_time_raise():
    frame = TEXTS.with_columns(time=pl.when(pl.col("time") > 2).then(pl.col("time")))
    frame = frame.unique(["item", "coder", "time"]).sort("doc")
    for policy in ("first", "last"):
        options = {"duplicates": policy, "order": "time"}
        kept = af.Annotations.from_frame(frame, **ROLES, **options)
        assert whole(by_partitions(in_polars(frame), **options)) == whole(kept)
        with pytest.raises(af.AgreementError, match="no value in column 'time', which must say"):
            af.Annotations.from_frame(in_polars(frame), **ROLES, **options, way="patterns")


@pytest.mark.parametrize(
    ("asked", "limits", "message"),
    [
        (
            {"way": "patterns"},
            {"MOST_COLUMNS": 2},
            "way='patterns' is not possible: 3 coders are more than 2",
        ),
        (
            {"way": "counts"},
            {"MOST_LABELS": 2},
            "way='counts' is not possible: 3 labels are more than 2",
        ),
        (
            {"way": "patterns"},
            {"MOST_ROWS": 2},
            "way='patterns' is not possible: more than 2 distinct",
        ),
        ({"way": "counts", "duplicates": "set"}, {}, "duplicates='set' is not computed by engines"),
    ],
)
def test_an_impossible_way_suggests_partitions(asked, limits, message, monkeypatch):
    for name, limit in limits.items():
        monkeypatch.setattr(read, name, limit)
    with pytest.raises(af.AgreementError, match="pass way='partitions'") as error:
        af.Annotations.from_frame(in_polars(ONCE), **ROLES, **asked)
    assert str(error.value).startswith(message)


def test_labels_that_are_not_grouped_name_this_way():
    with pytest.raises(af.AgreementError, match=r"List\(String\), which engines do not group"):
        af.Annotations.from_frame(in_polars(LISTS), **ROLES, way="counts")


def test_patterns_that_are_too_large_raise(monkeypatch):
    monkeypatch.setattr(partitions, "HELD_BYTES", 20)
    kept = whole(af.Annotations.from_frame(ONCE, **ROLES))
    assert whole(by_partitions(in_polars(ONCE), 1)) == kept
    monkeypatch.setattr(partitions, "MOST_BYTES", 80)
    with pytest.raises(af.AgreementError, match="GB are allowed: filter the frame"):
        by_partitions(in_polars(ONCE), 1)


def test_an_engine_without_partitions_names_the_others():
    with (
        mock.patch.dict(partitions.ENGINES, clear=True),
        pytest.raises(af.AgreementError, match="polars cannot return the rows of whole items"),
    ):
        by_partitions(in_polars(ONCE))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
def test_what_stops_it_stops_the_engine(stop, monkeypatch):
    frames = [ONCE.rename({"coder": "af_coder", "label": "af_label", "item": "af_item_0"})]
    stream = mock.MagicMock()
    stream.__iter__.return_value = iter(frames)
    monkeypatch.setattr(ENGINES["polars"], "batches", lambda ordered, n_rows: stream)
    monkeypatch.setattr(partitions, "piece_of_items", mock.Mock(side_effect=stop))
    with pytest.raises(stop):
        by_partitions(in_polars(ONCE))
    stream.close.assert_called_once_with()


# ---------------------------------------------------------------------- workers

KEYS = ("item",)


def test_workers_send_pieces_or_what_is_wrong():
    rows = nw.from_native(ONCE.sort("item").rename({"coder": "af_coder", "label": "af_label"}))
    batches = [rows[i : i + 4] for i in range(0, len(rows), 4)]
    result = sent(batches, Reading(KEYS, part_rows=5))
    assert (result.problem, result.n_parts > 3) == (None, True)
    assert content(from_bytes(result.piece)) == content(
        add_up([piece_of_items(rows, Reading(KEYS))])
    )
    assert sent([], Reading(KEYS)) == (None, None, 0)
    refused = sent(batches, Reading(KEYS, Options(categories=["x", "y"])))
    assert refused.piece is None
    error = raised(refused.problem)
    assert isinstance(error, af.AgreementError)
    with pytest.raises(af.AgreementError) as own:
        piece_of_items(rows, Reading(KEYS, Options(categories=["x", "y"])))
    assert (str(error), error.argument) == (str(own.value), own.value.argument)


def of_spark(**result):
    """A frame of Spark whose workers find something."""
    native = mock.MagicMock()
    read = native.repartition().sortWithinPartitions().mapInArrow().persist()
    read.configure_mock(**result)
    rows = mock.Mock(to_native=lambda: native)
    return ENGINES["pyspark"].pieces(rows, Reading(KEYS), Queries()), read.unpersist


def test_workers_that_lack_the_package_are_named():
    lacking = RuntimeError("ModuleNotFoundError: No module named 'agreement_fast'")
    for error, message in (
        (lacking, "workers of Spark cannot import agreement_fast: install it"),
        (RuntimeError("no space left"), "no space left"),
    ):
        pieces, unpersist = of_spark(**{"selectExpr.side_effect": error})
        with pytest.raises((af.AgreementError, RuntimeError), match=message):
            list(pieces)
        unpersist.assert_called_once_with()


def test_workers_that_found_too_much_are_not_asked_for_it():
    sizes = mock.Mock(collect=lambda: [(3 << 30,)])
    options = mock.Mock()
    pieces, unpersist = of_spark(
        **{"selectExpr.return_value": sizes, "collect": options, "toLocalIterator": options}
    )
    with pytest.raises(af.AgreementError, match=r"take 3\.0 GB, and 2 GB are allowed"):
        list(pieces)
    options.assert_not_called()
    unpersist.assert_called_once_with()


def read_by(engine, frame, **options):
    result = by_partitions(frame, 3, **options)
    assert result.gathered.engine == engine
    return result


ASKED = ({"along": "doc", **MAJORITY}, {"repeats_of": "c1", "order": "time"})


def check_all(engine, take, every=ASKED):
    for options in every:
        kept = af.Annotations.from_frame(TEXTS, **ROLES, **options)
        result = read_by(engine, take(TEXTS), **options)
        assert whole(result) == whole(kept)
        assert beside(result) == beside(kept)
    with pytest.raises(af.AgreementError, match="'z' of judgment"):
        read_by(engine, take(ONCE), categories=["x", "y"])


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore:.*narwhals-dask.*", "ignore:.*narwhals_dask.*")
def test_dask():
    import dask
    import dask.dataframe as dd

    with dask.config.set(scheduler="synchronous"):
        for n in (1, 5):
            take = partial(dd.from_pandas, npartitions=n, sort=False)
            check_all("dask", lambda frame, take=take: take(frame.to_pandas()))


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
def test_sqlite():
    import ibis

    connection = ibis.sqlite.connect()
    check_all(
        "ibis",
        lambda frame: connection.create_table(
            "judgments", frame.to_arrow().cast(in_plain_text(frame)), overwrite=True
        ),
    )


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
def test_sqlite_rounds_large_numbers_and_is_not_asked_for_them(tmp_path):
    import sqlite3

    import ibis

    large = 2**53
    with sqlite3.connect(tmp_path / "judgments.db") as connection:
        connection.execute("CREATE TABLE judgments (item INT, coder TEXT, label INT)")
        said = [(1, "a", large), (1, "b", large + 1), (2, "a", 1), (2, "b", None)]
        connection.executemany("INSERT INTO judgments VALUES (?, ?, ?)", said)
    connection.close()
    table = ibis.sqlite.connect(tmp_path / "judgments.db").table("judgments")
    for way in ("patterns", "counts"):
        with pytest.raises(ValueError, match="are rounded by this engine"):
            af.Annotations.from_frame(table, way=way)
    exact = af.Annotations.from_frame(table, way="partitions")
    assert exact.categories == (1, large, large + 1)


def in_plain_text(frame):
    import pyarrow as pa

    kinds = {"w": pa.int64(), "time": pa.int64()}
    return pa.schema([(name, kinds.get(name, pa.string())) for name in frame.columns])


@pytest.mark.engines
@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
def test_spark(monkeypatch):
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    check_all("pyspark", lambda frame: spark.createDataFrame(frame.to_arrow()), ASKED[:1])


def test_queries_are_counted():
    queries = Queries()
    queries.came(3, 40)
    queries.came(1, 2)
    assert (queries.n_rows, queries.n_bytes, queries.n_parts) == (4, 42, None)

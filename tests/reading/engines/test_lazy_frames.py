"""DuckDB's relations and lazy frames of polars against memory; `make engines` asks the others."""

import duckdb
import polars as pl
import pyarrow as pa
import pytest
import reference as ref
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from judgment_tables import CASES, COLUMNS, ERRORS, drawn
from lazy_frames import in_duckdb, in_polars
from loops import nonempty
from same_judgments import COEFFICIENTS, DISTANCES, estimates, facts, kappas, patterns

import agreement_fast as af
from agreement_fast import agreement_by_group


def read(frame, options, **more):
    return af.Annotations.from_frame(frame, **{**COLUMNS, **options, **more})


def ways_of(name):
    return ("counts",) if "crowd" in name else ("patterns", "counts")


@pytest.mark.few(every=5)
@pytest.mark.parametrize("name", CASES)
def test_engines_read_what_memory_reads(name):
    case = CASES[name]
    memory = read(case.table, case.asked)
    for opened, way in zip((in_duckdb, in_polars), ways_of(name) * 2, strict=False):
        lazy = read(opened(case.table), case.asked, way=way)
        assert facts(lazy) == facts(memory)
        assert lazy.gathered.way == way
        assert kappas(lazy) == kappas(memory)
        if way == "patterns":
            assert patterns(lazy) == patterns(memory)


@pytest.mark.parametrize("name", ["texts", "weights", "first along", "crowd"])
def test_estimates_are_equal_to_the_last_bit(name):
    case = CASES[name]
    memory = read(case.table, case.asked)
    cluster = "doc" if "along" in case.asked else None
    expected = {name: estimates(memory, name, cluster=cluster) for name in COEFFICIENTS}
    # Counts have fewer rows than patterns, and a document is a sum over its rows.
    ways = ("patterns",) if cluster else ways_of(name)
    for opened, way in zip((in_duckdb, in_polars), ways * 2, strict=False):
        lazy = read(opened(case.table), case.asked, way=way)
        for coefficient in nonempty(COEFFICIENTS):
            parts = 1 if coefficient == "kappa" and way == "counts" else 3
            result = estimates(lazy, coefficient, cluster=cluster)
            assert result[:parts] == expected[coefficient][:parts]


@pytest.mark.parametrize("distance", DISTANCES)
def test_distances_of_whole_numbers_are_equal_to_the_last_bit(distance):
    case = CASES["whole numbers"]
    memory = read(case.table, {})
    for way in nonempty(ways_of("whole numbers")):
        lazy = read(in_polars(case.table), {}, way=way)
        for coefficient in ("alpha", "pi"):
            assert estimates(lazy, coefficient, distance) == estimates(
                memory, coefficient, distance
            )


@pytest.mark.few
@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("opened", [in_duckdb, in_polars])
def test_engines_refuse_what_memory_refuses(name, opened):
    case, message = ERRORS[name]
    for way in ("patterns", "counts"):
        with pytest.raises(af.AgreementError, match=message):
            read(opened(case.table), case.asked, way=way)


judgments = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 2), st.sampled_from(["x", "y", "z", None])),
    unique_by=lambda row: row[:2],
)


@pytest.mark.breadth
@given(judgments, st.randoms(use_true_random=False))
@examples(12)
def test_the_order_of_rows_changes_nothing(rows, random):
    columns = [*zip(*rows, strict=True)] or [(), (), ()]
    memory = read(frame_of(columns), {})
    random.shuffle(rows)
    lazy = frame_of([*zip(*rows, strict=True)] or [(), (), ()])
    for opened, way in ((in_duckdb, "counts"), (in_polars, "patterns")):
        result = read(opened(lazy), {}, way=way)
        assert facts(result) == facts(memory)
        assert estimates(result, "alpha") == estimates(memory, "alpha")


def frame_of(columns):
    items, coders, labels = columns
    typed = pa.array(items, pa.int64()), pa.array(coders, pa.int64()), pa.array(labels, pa.string())
    return pa.table(dict(zip(COLUMNS, typed, strict=True)))


@pytest.mark.parametrize("name", ["texts", "an item without labels", "twins"])
@pytest.mark.parametrize("way", ["patterns", "counts"])
def test_values_are_those_of_the_definitions(name, way):
    frame = CASES[name].table
    items = {}
    for item, coder, label in zip(*(column.to_pylist() for column in frame.columns), strict=True):
        items.setdefault(item, {}).update({} if label in (None, "") else {coder: label})  # blank
    lazy = read(in_duckdb(frame), {}, way=way)
    coders = sorted(set(frame["coder"].to_pylist()))
    for coefficient in nonempty(COEFFICIENTS):
        expected = ref.agreement(list(items.values()), coefficient, coders=coders).value
        result = af.agreement(lazy, coefficient).value
        if expected is None:
            assert result != result
        else:
            assert result == pytest.approx(float(expected), rel=1e-14, abs=1e-15)


def test_an_enum_declares_the_categories_and_their_order():
    frame = pl.from_arrow(drawn(["x", "y"])).with_columns(
        label=pl.col("label").cast(pl.Enum(["z", "y", "x"]))
    )
    for way in ("patterns", "counts"):
        assert facts(read(frame.lazy(), {}, way=way)) == facts(read(frame, {}))
        options = {"missing": "z"}
        assert facts(read(frame.lazy(), options, way=way)) == facts(read(frame, options))


def test_categoricals_are_texts():
    frame = pl.from_arrow(drawn(["x", "y"])).with_columns(
        pl.col("item", "coder", "label").cast(pl.Categorical)
    )
    for way in ("patterns", "counts"):
        assert facts(read(frame.lazy(), {}, way=way)) == facts(read(frame, {}))


@pytest.mark.filterwarnings("ignore:column .* differs within items")
def test_groups_are_those_of_memory():
    frame = drawn(["x", "y"])
    frame = frame.append_column("g", pa.array([i % 2 == 0 for i in range(frame.num_rows)]))
    memory = agreement_by_group(frame, by="g", **COLUMNS)
    for opened in (in_duckdb, in_polars):
        assert repr(agreement_by_group(opened(frame), by="g", **COLUMNS)) == repr(memory)


@pytest.mark.parametrize("way", ["patterns", "counts", "partitions"])
def test_nan_in_files_whose_statistics_leave_it_out(tmp_path, way):
    """DuckDB believes them, and finds no NaN by asking for it."""
    nan, path = float("nan"), str(tmp_path / "judgments.parquet")
    columns = {
        "item": [1, 1, 2, 2, 3, 3],
        "coder": [*"ababab"],
        "label": [nan, 1.0, 1.0, 2.0, 2, nan],
    }
    pl.DataFrame(columns).write_parquet(path)
    data = af.Annotations.from_frame(duckdb.read_parquet(path), way=way)
    assert (data.missing_judgments, data.n_judgments) == (2, 4)
    pl.DataFrame({**columns, "item": columns["label"]}).write_parquet(path)
    with pytest.raises(ValueError, match="2 rows have no item"):
        af.Annotations.from_frame(duckdb.read_parquet(path), way=way)

"""SQL that a warehouse runs, and snapshots of tables in a lake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af

duckdb = pytest.importorskip("duckdb")

CODERS = ["ann", "bob", "Cy 'd\" é"]


def judgments(n_items: int = 60, seed: int = 1) -> pl.DataFrame:
    """Judgments of three coders, some of them missing, blank or absent, in random order."""
    rng = np.random.default_rng(seed)
    rows = [
        (
            f"i{i}",
            coder,
            ["yes", "no", "maybe", None, " "][rng.choice(5, p=[0.5, 0.2, 0.1, 0.1, 0.1])],
        )
        for i in range(n_items)
        for coder in CODERS
        if rng.random() < 0.8
    ]
    frame = pl.DataFrame(rows, schema=["item", "coder", "label"], orient="row")
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def same(result: Any, frame: pl.DataFrame) -> None:
    expected = af.Annotations.from_frame(frame.lazy())
    assert sorted(result.coders) == sorted(expected.coders)
    assert result.n_items == expected.n_items
    for name in ("alpha", "kappa", "pi", "s", "ac"):
        assert af.agreement(result, name) == af.agreement(expected, name), name
    assert af.bootstrap(result, "alpha", rng=1) == af.bootstrap(expected, "alpha", rng=1)


def test_the_query_of_duckdb_groups_as_we_do(tmp_path: Any) -> None:
    frame = judgments()
    path = str(tmp_path / "warehouse.db")
    with duckdb.connect(path) as connection:
        connection.register("given", frame.to_arrow())
        connection.sql("CREATE TABLE judgments AS FROM given")
        query = af.Annotations.patterns_sql(connection.table("judgments"), CODERS)
    # Another program runs it, later.
    with duckdb.connect(path) as connection:
        result = connection.sql(query)
        frames = [result.pl(), connection.sql(query).df(), pa_table(connection.sql(query))]
    assert len(frames[0]) < 60
    for returned in frames:
        same(af.Annotations.from_patterns(returned), frame)


def pa_table(relation: Any) -> Any:
    return relation.pl().to_arrow()


def test_numbers_other_columns_and_missing_labels() -> None:
    frame = judgments().with_columns(score=pl.col("label").replace_strict(
        {"yes": 3, "no": 1, "maybe": 2}, default=None, return_dtype=pl.Int64
    )).rename({"item": "post", "coder": "who"})  # fmt: skip
    named = {"item": "post", "coder": "who", "label": "score"}
    duckdb.register("scores", frame.to_arrow())
    query = af.Annotations.patterns_sql(duckdb.table("scores"), CODERS, **named, missing=2)
    result = af.Annotations.from_patterns(duckdb.sql(query).pl())
    expected = af.Annotations.from_frame(frame.lazy(), **named, missing=2)
    assert result.categories == expected.categories == (1, 3)
    assert af.alpha(result, "interval") == af.alpha(expected, "interval")


def test_what_is_wrong_is_said() -> None:
    frame = judgments()
    duckdb.register("three", frame.to_arrow())
    table = duckdb.table("three")
    query = af.Annotations.patterns_sql(table, CODERS[:2])
    with pytest.raises(af.AgreementError, match="not all coders are columns"):
        af.Annotations.from_patterns(duckdb.sql(query).pl())
    twice = pl.concat([frame, frame.head(3)])
    duckdb.register("twice", twice.to_arrow())
    query = af.Annotations.patterns_sql(duckdb.table("twice"), CODERS)
    with pytest.raises(af.AgreementError, match="a coder judged it twice"):
        af.Annotations.from_patterns(duckdb.sql(query).pl())
    with pytest.raises(
        af.AgreementError, match="not that of snowflake: describe the table to Ibis"
    ):
        af.Annotations.patterns_sql(table, CODERS, "snowflake")
    with pytest.raises(af.AgreementError, match="a frame of polars"):
        af.Annotations.patterns_sql(frame.lazy(), CODERS)
    with pytest.raises(af.AgreementError, match="a DuckDB relation, or a table of Ibis"):
        af.Annotations.patterns_sql(frame, CODERS)
    with pytest.raises(af.AgreementError, match="different names"):
        af.Annotations.patterns_sql(table, ["ann", "n_items"])
    with pytest.raises(af.AgreementError, match=r"must be a pyarrow\.Table"):
        af.Annotations.from_patterns(pd.DataFrame({"a": [1]}))


@pytest.mark.engines
@pytest.mark.parametrize(
    "dialect",
    [None, "duckdb", "sqlite", "snowflake", "bigquery", "databricks", "postgres", "mysql"],
)
def test_ibis_writes_dialects_of_a_table_that_is_only_described(dialect: str | None) -> None:
    ibis = pytest.importorskip("ibis")
    described = ibis.table(
        {"item": "string", "coder": "string", "label": "string"}, name="judgments"
    )
    query = af.Annotations.patterns_sql(described, ["ann", "bob"], dialect)
    quote = "`" if dialect in ("bigquery", "databricks", "mysql") else '"'
    assert f"AS {quote}ann{quote}" in query
    assert query.count("GROUP BY") == 2
    if dialect == "sqlite":
        import sqlite3

        frame = judgments()
        query = af.Annotations.patterns_sql(described, CODERS, dialect)
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE judgments (item TEXT, coder TEXT, label TEXT)")
        connection.executemany("INSERT INTO judgments VALUES (?, ?, ?)", frame.rows())
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        returned = pl.DataFrame(cursor.fetchall(), schema=names, orient="row")
        connection.close()
        same(af.Annotations.from_patterns(returned), frame)


@pytest.mark.engines
def test_a_version_of_a_delta_table_is_pinned(tmp_path: Any) -> None:
    """polars reads a local Delta table by the package deltalake, without a network."""
    deltalake = pytest.importorskip("deltalake")
    first, second = judgments(), judgments(30, seed=2).with_columns(pl.col("item") + "b")
    path = str(tmp_path / "judgments")
    deltalake.write_deltalake(path, first.to_arrow())
    deltalake.write_deltalake(path, second.to_arrow(), mode="append")
    pinned = pl.scan_delta(path, version=0)
    data = af.Annotations.from_frame(pinned)
    assert data.gathered is not None
    assert data.gathered.engine == "polars"
    same(data, first)
    same(af.Annotations.from_frame(pl.scan_delta(path)), pl.concat([first, second]))
    # DuckDB takes the files of the version, without its extension for Delta.
    files = deltalake.DeltaTable(path, version=0).file_uris()
    same(af.Annotations.from_frame(duckdb.read_parquet(files)), first)


@pytest.mark.engines
def test_a_snapshot_of_an_iceberg_table_is_pinned(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """polars reads a local Iceberg table by the package pyiceberg, without a network."""
    monkeypatch.setenv("POLARS_ICEBERG_PLANNER", "pyiceberg")
    catalogs = pytest.importorskip("pyiceberg.catalog.sql")
    first, second = judgments(), judgments(30, seed=2).with_columns(pl.col("item") + "b")
    where = {"uri": f"sqlite:///{tmp_path}/catalog.db", "warehouse": f"file://{tmp_path}"}
    catalog = catalogs.SqlCatalog("local", **where)
    catalog.create_namespace("study")
    table = catalog.create_table("study.judgments", schema=first.to_arrow().schema)
    table.append(first.to_arrow())
    snapshot = table.current_snapshot().snapshot_id
    table.append(second.to_arrow())
    same(af.Annotations.from_frame(pl.scan_iceberg(table, snapshot_id=snapshot)), first)
    same(af.Annotations.from_frame(pl.scan_iceberg(table)), pl.concat([first, second]))
    files = [task.file.file_path for task in table.scan(snapshot_id=snapshot).plan_files()]
    same(af.Annotations.from_frame(duckdb.read_parquet(files)), first)

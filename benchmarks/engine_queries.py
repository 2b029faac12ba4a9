"""The two group-bys of `agreement_fast.reading.engines`, as users of each engine would write them.

The package also finds the coders and labels, checks the data, counts the coders' marginals, and
computes the coefficients.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine_tables import LABELS

#: Bits of each count; the counts of an item are the digits of one number.
BITS = 13


def duckdb(folder: Path, coders: list[str], *, counted: bool) -> list[int]:
    """SQL."""
    import duckdb

    if counted:
        digits = " ".join(f"WHEN '{x}' THEN {1 << BITS * i}" for i, x in enumerate(LABELS))
        columns = f"sum(CASE label {digits} END) AS c"
    else:
        said = (f"max(label) FILTER (coder = '{x}') AS c{i}" for i, x in enumerate(coders))
        columns = ", ".join(said)
    return [
        n
        for (n,) in duckdb.sql(
            f"SELECT n FROM (SELECT COLUMNS('^c[0-9]*$'), count(*) AS n FROM (SELECT item, "
            f"{columns} FROM read_parquet('{folder}/*.parquet') GROUP BY item) GROUP BY ALL)"
        ).fetchall()
    ]


def polars(folder: Path, coders: list[str], *, counted: bool) -> list[int]:
    """Expressions of a lazy frame."""
    import polars as pl

    frame = pl.scan_parquet(f"{folder}/*.parquet")
    if counted:
        digit = pl.lit(0, pl.Int64)
        for i, label in enumerate(LABELS):
            own = pl.lit(1 << BITS * i, pl.Int64)
            digit = pl.when(pl.col("label") == label).then(own).otherwise(digit)
        columns = [digit.sum().alias("c")]
    else:
        said = [pl.when(pl.col("coder") == name).then(pl.col("label")).max() for name in coders]
        columns = [column.alias(f"c{i}") for i, column in enumerate(said)]
    items = frame.group_by("item").agg(columns)
    names = [f"c{i}" for i in range(len(coders))] if not counted else ["c"]
    return items.group_by(names).agg(pl.len().alias("n")).collect()["n"].to_list()


def dask(folder: Path, coders: list[str], *, counted: bool) -> list[int]:
    """Columns of a Dask frame."""
    import dask.dataframe as dd

    frame = dd.read_parquet(str(folder / "*.parquet"))
    if counted:
        digit = frame["label"].map({x: 1 << BITS * i for i, x in enumerate(LABELS)}, meta=int)
        frame, names, how = frame.assign(c=digit.astype("int64")), ["c"], "sum"
    else:
        names, how = [f"c{i}" for i in range(len(coders))], "max"
        said = {
            name: frame["label"].where(frame["coder"] == coder)
            for name, coder in zip(names, coders, strict=True)
        }
        frame = frame.assign(**said)
    items = frame.groupby("item")[names].agg(how)
    return items.groupby(names, dropna=False).size().compute().tolist()


def pyspark(folder: Path, coders: list[str], *, counted: bool) -> list[int]:
    """Columns of a Spark table."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as sf

    spark = SparkSession.getActiveSession()
    assert spark is not None
    frame = spark.read.parquet(str(folder))
    if counted:
        digit: Any = sf.lit(0).cast("bigint")
        for i, label in enumerate(LABELS):
            digit = sf.when(sf.col("label") == label, 1 << BITS * i).otherwise(digit)
        columns, names = [sf.sum(digit).alias("c")], ["c"]
    else:
        names = [f"c{i}" for i in range(len(coders))]
        columns = [
            sf.max(sf.when(sf.col("coder") == coder, sf.col("label"))).alias(name)
            for name, coder in zip(names, coders, strict=True)
        ]
    result = frame.groupBy("item").agg(*columns).groupBy(*names).count().collect()
    return [row["count"] for row in result]

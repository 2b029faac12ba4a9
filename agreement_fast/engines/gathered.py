"""How the judgments of an engine became annotations."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Gathered"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """How an engine was asked, and what came back: ``data.gathered``.

    Attributes
    ----------
    engine : str
        "duckdb", "polars", "pyspark", "dask", "ibis", ...
    way : {"patterns", "counts", "partitions"}
        What the engine made of the judgments.
    why : str
        Why this way was taken.
    n_queries : int
        How often the engine was asked.
    n_rows, n_bytes : int
        What came back, of all queries together. For "partitions", what came of DuckDB, polars and
        databases is rows of judgments, of which a part at a time is in memory; what comes of Spark
        and Dask is patterns.
    n_parts : int or None
        For "partitions": how many parts the rows were read in, here or on the engine's workers.
    """

    engine: str
    way: str
    why: str
    n_queries: int
    n_rows: int
    n_bytes: int
    n_parts: int | None = None

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
        What came back, of all queries together.
    """

    engine: str
    way: str
    why: str
    n_queries: int
    n_rows: int
    n_bytes: int

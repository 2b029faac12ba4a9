"""How the judgments of an engine were read."""

from dataclasses import dataclass

WAYS = ("auto", "patterns", "counts", "moments", "partitions")


@dataclass(frozen=True, slots=True)
class Gathered:
    """How judgments were read from an engine: ``data.gathered``.

    Attributes
    ----------
    engine : str
        "duckdb", "polars", "pyspark", "dask", "ibis", ...
    way : {"patterns", "counts", "moments", "partitions"}
        What the engine computed.
    why : str
        Why this way was used.
    n_queries : int
        Number of queries.
    n_rows, n_bytes : int
        Rows and bytes that all queries returned. For "partitions", DuckDB, polars and databases
        return rows of judgments, one part at a time; Spark and Dask return patterns.
    n_parts : int or None
        For "partitions": the number of parts in which rows were read, here or on workers.
    """

    engine: str
    way: str
    why: str
    n_queries: int
    n_rows: int
    n_bytes: int
    n_parts: int | None = None

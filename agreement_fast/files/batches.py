"""The rows of a query in batches of some thousand, in the memory where DuckDB put them."""

from __future__ import annotations

import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from agreement_fast._kernels._arrow import Batch, Batches

if TYPE_CHECKING:
    import duckdb

__all__ = ["read_batches"]


def read_batches(connection: duckdb.DuckDBPyConnection, query: str) -> Generator[Batch]:
    """Run a query on columns of BIGINT and VARCHAR, and yield its rows in order.

    The next rows are read while the last ones are used. A caller who stops early must close the
    iterator.
    """
    batches = Batches(connection.sql(query).__arrow_c_stream__())
    # In a thread of its own: the main thread handles Ctrl-C while it waits.
    with ThreadPoolExecutor(1) as pool:
        ahead = pool.submit(batches.next)
        try:
            while True:
                batch, message = ahead.result()
                if message is not None:
                    raise _as_raised(message)
                if batch is None:
                    return
                ahead = pool.submit(batches.next)
                yield batch
                # DuckDB owns the batch's memory and reads on.
                del batch
        finally:
            if not ahead.done():
                connection.interrupt()


def _as_raised(message: str) -> Exception:
    """Return the exception that DuckDB raises elsewhere: a stream only has its message."""
    import duckdb

    kind = re.match(r"([A-Za-z ]+) Error: ", message)
    name = "" if kind is None else kind[1].replace(" ", "")
    if name.isupper():
        name = name.title()
    found = getattr(duckdb, f"{name}Exception", duckdb.Error)
    raised: Exception = found(message)
    return raised

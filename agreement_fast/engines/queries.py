"""Run queries, and count how much they return."""

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.gathered import Gathered
from agreement_fast.errors import InputError

#: All integers below this are exact as floats.
EXACT = 2.0**53

#: The largest number of rows and of cells that a query may return: half a gigabyte.
MOST_ROWS, MOST_CELLS = 1 << 22, 1 << 26


class Queries:
    """The queries of one call, which are counted.

    Attributes
    ----------
    n_queries, n_rows, n_bytes : int
        The number of queries, and the rows and bytes that they returned.
    n_parts : int or None
        The number of parts in which rows were read.
    """

    def __init__(self) -> None:
        self.n_queries = self.n_rows = self.n_bytes = 0
        self.n_parts: int | None = None

    def came(self, n_rows: int, n_bytes: int) -> None:
        """Count rows and bytes that were returned."""
        self.n_rows += n_rows
        self.n_bytes += n_bytes

    def fetch(self, query: Any, most: int = MOST_ROWS) -> Any:
        """Compute a lazy frame of at most `most` rows; None if it has more."""
        try:
            found = query.head(most + 1).collect()
        except ModuleNotFoundError as error:
            raise InputError(
                f"the engine returns its results as a frame of {error.name}, which is not"
                " installed",
                f"pip install {error.name}",
            ) from None
        except (ValueError, TypeError) as error:
            if not type(error).__module__.startswith("pyarrow"):
                raise
            raise not_of_type(error) from None
        self.n_queries += 1
        self.came(len(found), int(found.estimated_size()))
        _refuse_rounded(query.collect_schema(), found)
        return found if len(found) <= most else None

    def gathered(self, engine: str, way: str, why: str) -> Gathered:
        """Return a description of how the judgments were read."""
        return Gathered(engine, way, why, self.n_queries, self.n_rows, self.n_bytes, self.n_parts)


def most_rows(n_columns: int, most: int = MOST_ROWS) -> int:
    """Return how many rows of some columns a query may return, at most `most`."""
    return min(most, MOST_CELLS // max(n_columns, 1))


def _refuse_rounded(schema: Any, found: Any) -> None:
    """Raise an error for integers that were returned as floats and are too large for them."""
    for name, kind in schema.items():
        column = found[name]
        if kind.is_integer() and column.dtype.is_float():
            largest = max(abs(column.max() or 0), abs(column.min() or 0))
            if largest >= EXACT:
                raise rounded(largest)


def rounded(number: float) -> InputError:
    """Return the error for integers that the engine rounds."""
    return InputError(
        f"whole numbers such as {number:.0f} are rounded by this engine, which makes different"
        " numbers equal",
        "cast them to text",
    )


def changed() -> InputError:
    """Return the error for an engine whose rows change between queries."""
    return InputError(
        "the rows changed between two queries, or each query returns different rows",
        "store them as a table first",
    )


def not_of_type(error: Exception) -> InputError:
    """Return the error for values that do not have the type of their column, as in SQLite."""
    said = str(error.args[0] if error.args else error).partition("\n")[0]
    said = "".join(c if c.isprintable() else repr(c)[1:-1] for c in said)
    return InputError(
        f"a column holds values of another type than its own ({said})",
        "cast the column, or leave out these rows",
    )


def integers(column: Any) -> Array:
    """Return a column of integers, from decimals, floats or unsigned integers."""
    import narwhals as nw

    cast: Array = column.cast(nw.Int64).to_numpy()
    return np.ascontiguousarray(cast, np.int64)

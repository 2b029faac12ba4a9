"""Numbers of databases that differ from numpy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["IsNan", "nan_of", "rounds"]

#: Databases without NaN, which also have no function for it.
WITHOUT_NAN = ("sqlite", "mysql", "mssql", "oracle")

#: Databases whose integers Ibis returns as floats if some are missing.
ROUNDING = ("sqlite",)

#: A function from a column of floats to its NaN mask.
IsNan: TypeAlias = Callable[[Any], Any]


def nan_of(frame: Any) -> IsNan | None:
    """Return the NaN function of a lazy frame of narwhals; None if the engine has no NaN."""
    if _database(frame) in WITHOUT_NAN:
        return None
    if _database(frame) == "duckdb" or frame.implementation.is_duckdb():
        return _is_nan_as_text
    return _is_nan


def rounds(frame: Any) -> bool:
    """Whether integers of 2⁵³ and more are rounded."""
    return _database(frame) in ROUNDING


def _is_nan(column: Any) -> Any:
    return column.is_nan()


def _is_nan_as_text(column: Any) -> Any:
    """Compare as text: Parquet statistics without NaN make `is_nan` False."""
    import narwhals as nw

    return column.cast(nw.String) == "nan"


def _database(frame: Any) -> str | None:
    """Return the name of the database behind a lazy frame of Ibis."""
    native = frame.to_native()
    return native.get_backend().name if hasattr(native, "get_backend") else None

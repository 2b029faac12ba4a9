"""What numbers of databases are, where they differ from numpy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["IsNan", "nan_of", "rounds"]

#: Databases whose numbers are never NaN, and that have no function to ask.
WITHOUT_NAN = ("sqlite", "mysql", "mssql", "oracle")

#: Those whose whole numbers Ibis brings here as floats where some are missing.
ROUNDING = ("sqlite",)

#: Says of a column of floats where it is NaN.
IsNan: TypeAlias = Callable[[Any], Any]


def nan_of(frame: Any) -> IsNan | None:
    """How to ask a lazy frame of narwhals for NaN; None where there is none."""
    if _database(frame) in WITHOUT_NAN:
        return None
    if _database(frame) == "duckdb" or frame.implementation.is_duckdb():
        return _is_nan_as_text
    return _is_nan


def rounds(frame: Any) -> bool:
    """Whether whole numbers of 2⁵³ and more come here rounded."""
    return _database(frame) in ROUNDING


def _is_nan(column: Any) -> Any:
    return column.is_nan()


def _is_nan_as_text(column: Any) -> Any:
    """The same where statistics of Parquet, which leave NaN out, make `is_nan` false."""
    import narwhals as nw

    return column.cast(nw.String) == "nan"


def _database(frame: Any) -> str | None:
    """The name of the database behind a lazy frame, if it is one of Ibis."""
    native = frame.to_native()
    return native.get_backend().name if hasattr(native, "get_backend") else None

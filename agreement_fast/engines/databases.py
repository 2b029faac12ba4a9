"""What numbers of databases are, where they differ from numpy's."""

from __future__ import annotations

from typing import Any

__all__ = ["has_nan", "rounds"]

#: Databases whose numbers are never NaN, and that have no function to ask.
WITHOUT_NAN = ("sqlite", "mysql", "mssql", "oracle")

#: Those whose whole numbers Ibis brings here as floats where some are missing.
ROUNDING = ("sqlite",)


def has_nan(frame: Any) -> bool:
    """Whether floats of a lazy frame of narwhals may be NaN."""
    return _database(frame) not in WITHOUT_NAN


def rounds(frame: Any) -> bool:
    """Whether whole numbers of 2⁵³ and more come here rounded."""
    return _database(frame) in ROUNDING


def _database(frame: Any) -> str | None:
    """The name of the database behind a lazy frame, if it is one of Ibis."""
    native = frame.to_native()
    return native.get_backend().name if hasattr(native, "get_backend") else None

"""Which engines have numbers that are not numbers."""

from __future__ import annotations

from typing import Any

__all__ = ["has_nan"]

#: Databases whose numbers are never NaN, and that have no function to ask.
WITHOUT_NAN = ("sqlite", "mysql", "mssql", "oracle")


def has_nan(frame: Any) -> bool:
    """Whether floats of a lazy frame of narwhals may be NaN."""
    native = frame.to_native()
    if not hasattr(native, "get_backend"):
        return True
    return native.get_backend().name not in WITHOUT_NAN

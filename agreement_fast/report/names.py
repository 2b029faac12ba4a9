"""What people call the coefficients elsewhere."""

from __future__ import annotations

from agreement_fast.points import COEFFICIENTS
from agreement_fast.results import Agreement

__all__ = ["also_called"]


def also_called(result: Agreement) -> str:
    """Give the usual name of a coefficient under its distance."""
    return COEFFICIENTS[result.coefficient].also_called[result.distance != "nominal"]

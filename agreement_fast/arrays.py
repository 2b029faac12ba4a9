"""Types of arrays, and quotients that may be undefined."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]


def ratio(part: Array, whole: Array) -> FloatArray:
    """Divide; NaN if the divisor is not positive."""
    out = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


def mean_of_defined(values: FloatArray, axis: int = 0) -> FloatArray:
    """Return the means of the values that are not NaN; NaN if all are."""
    there = ~np.isnan(values)
    return ratio(np.where(there, values, 0.0).sum(axis), there.sum(axis))

"""Types of arrays, quotients that may be undefined, and sums of integers without overflow."""

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


def mean_of_defined(values: FloatArray) -> FloatArray:
    """Return the means over the first axis of the values that are not NaN; NaN if all are."""
    present = ~np.isnan(values)
    return ratio(np.where(present, values, 0.0).sum(0), present.sum(0))


def ranges(begin: Array, counts: Array) -> tuple[Array, Array]:
    """Write out ranges of whole numbers: which one each number is of, and the numbers."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + np.repeat(begin - np.cumsum(counts) + counts, counts)


def components(n_nodes: int, begin: Array, end: Array) -> Array:
    """Return the connected component of each node of a graph."""
    # Imported here: it takes a tenth of a second.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (begin.astype(np.int32), end.astype(np.int32))  # older csgraphs need 32 bits
    links = coo_array((np.ones(len(begin), np.int8), ends), shape=(n_nodes, n_nodes))
    return np.asarray(connected_components(links.tocsr(), directed=False)[1])


# ---------------------------------------------------------------------- exact sums of integers

#: Digits of base 2²¹: products of two have 42 bits, and 2²¹ of them still fit.
BITS = 21
ROWS = 1 << BITS


def total(values: Array) -> int:
    """Σ v for int64 values ≥ 0, as a Python int."""
    return dot(values, np.ones_like(values))


def dot(a: Array, b: Array) -> int:
    """Σ a·b for int64 values from 0 to 2⁶³ − 1, as a Python int.

    O(n): a dot product for each pair of digits that the largest values have.
    """
    if len(a) * int(a.max(initial=0)) * int(b.max(initial=0)) < 2**63:
        return int(np.dot(a, b))
    out = 0
    for first in range(0, len(a), ROWS):
        x, y = _digits(a[first : first + ROWS]), _digits(b[first : first + ROWS])
        for i, left in enumerate(x):
            for j, right in enumerate(y):
                out += int(np.dot(left, right)) << (BITS * (i + j))
    return out


def _digits(values: Array) -> list[Array]:
    count = max(1, -(-int(values.max(initial=0)).bit_length() // BITS))
    return [(values >> (BITS * i)) & (ROWS - 1) for i in range(count)]


def dot3(a: Array, b: Array, c: Array) -> int:
    """Σ a·b·c for int64 values ≥ 0, as a Python int."""
    if int(a.max(initial=0)) * int(b.max(initial=0)) < 2**63:
        return dot(a * b, c)
    return int((a.astype(object) * b.astype(object) * c.astype(object)).sum())

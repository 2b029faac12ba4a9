from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

def spread(
    values: Array, weights: Array | None, least: int, first: int, last: int
) -> tuple[float, float, float, float]: ...
def row_moments(
    values: Array,
    weights: Array | None,
    origin: float,
    least: int,
    first: int,
    last: int,
    out_items: Array,
    out: Array,
) -> None: ...
def coder_moments(
    values: Array,
    weights: Array | None,
    origin: float,
    least: int,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def rational_rows(
    p: Array, a: Array, b: Array, u: Array, v: Array, first: int, last: int, out: Array
) -> None: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def spread(
    values: _Array, weights: _Array | None, least: int
) -> tuple[float, float, float, float]: ...
def row_moments(
    values: _Array,
    weights: _Array | None,
    origin: float,
    least: int,
    out_items: _Array,
    out: _Array,
) -> None: ...
def coder_moments(
    values: _Array, weights: _Array | None, origin: float, least: int, out: _Array
) -> None: ...
def rational_rows(places: _Array, u: _Array, v: _Array, first: int, out: _Array) -> None: ...
def others(values: _Array, width: int, out: _Array) -> None: ...
def unequal(u: _Array, v: _Array, out: _Array) -> None: ...
def unequal_pairs(u: _Array, v: _Array) -> float: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def add_weights(
    start: _Array,
    bins: _Array,
    repeats: _Array | None,
    factors: _Array,
    weights: _Array,
    out: _Array,
) -> None: ...
def add_squares(
    start: _Array,
    codes: _Array,
    repeats: _Array | None,
    factors: _Array,
    weights: _Array,
    features: _Array,
    room: _Array,
    out: _Array,
) -> None: ...
def count_draws(picked: _Array, pattern: _Array, out: _Array) -> None: ...

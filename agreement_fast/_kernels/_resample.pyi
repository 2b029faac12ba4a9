from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

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
    rows: Rows,
    factors: _Array,
    weights: _Array,
    features: _Array,
    room: _Array,
    out: _Array,
) -> None: ...
def count_draws(picked: _Array, pattern: _Array, out: _Array) -> None: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def count_pairs(
    codes: _Array,
    width: int,
    n_categories: int,
    first: int,
    last: int,
    planes: _Array,
    out: _Array,
) -> None: ...

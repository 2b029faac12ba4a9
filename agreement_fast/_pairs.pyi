from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

def count_pairs(
    codes: Array,
    width: int,
    n_categories: int,
    first: int,
    last: int,
    planes: Array,
    out: Array,
) -> None: ...

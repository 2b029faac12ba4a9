from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def count_dominated(
    rank: _Array, upto: _Array, limit: _Array, tree: _Array, out: _Array
) -> None: ...

from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

_Array = npt.NDArray[Any]

def count_pairs(rows: Rows, planes: _Array, out: _Array) -> None: ...

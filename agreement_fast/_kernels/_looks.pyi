from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows
from agreement_fast._kernels._sums import BySize

_Array = npt.NDArray[Any]

COLUMNS: int
SUMS: int
PAIRS: int
ROWS: int
FEWEST: int

def at_numbers(head: _Array, n_rows: int) -> int: ...
def at_labels(head: _Array, labels: list[Any], n_rows: int) -> int: ...
def count_plain(table: Any, doubtful: int) -> tuple[int, int, BySize, Rows] | None: ...

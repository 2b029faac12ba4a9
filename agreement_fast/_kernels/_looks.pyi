from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows
from agreement_fast._kernels._sums import BySize

_Array = npt.NDArray[Any]

COLUMNS: int
SUMS: int
PAIRS: int
LAST: int
DERIVED: int
ROWS: int
FEWEST: int

def at_numbers(head: _Array, n_rows: int) -> int: ...
def at_labels(head: _Array, labels: list[Any], n_rows: int) -> int: ...
def computed(codes: _Array, numbers: _Array | None, n_labels: int) -> list[int]: ...
def are_words(labels: list[Any], no_words: frozenset[str]) -> bool: ...
def count_plain(
    table: Any, doubtful: int, no_words: frozenset[str], certain: bool = False
) -> tuple[tuple[Any, ...], BySize, Rows] | None: ...

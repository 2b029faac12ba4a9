from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

_Array = npt.NDArray[Any]

WIDEST: int
KINDS: dict[str, int]

def count(rows: Rows, seen: _Array, out_sizes: _Array, out: _Array) -> bool: ...
def sizes(rows: Rows, out: _Array) -> None: ...
def labels(rows: Rows, factors: _Array, out: _Array) -> None: ...
def coders(rows: Rows, counted: _Array | None, out: _Array) -> None: ...
def disagreement(
    rows: Rows, place: _Array, kind: int, values: _Array, room: _Array, out: _Array
) -> None: ...
def pairs(
    rows: Rows, room: _Array, out_labels: _Array, out_count: _Array, out_row: _Array
) -> tuple[int, int]: ...

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

def count_keys(
    table: Array,
    weights: Array | None,
    low: int,
    bits: int,
    start: int,
    stop: int,
    out: Array,
) -> None: ...
def group_rows(
    rows: Array,
    slots: Array,
    start: int,
    stop: int,
    n_groups: int,
    first: Array,
    out_group: Array,
) -> tuple[int, int]: ...
def pack_counts(
    codes: Array, start: Array, width: int, bits: int, first: int, last: int, out: Array
) -> None: ...
def count_words(
    words: Array, weights: Array | None, keys: Array, counts: Array, n_keys: int
) -> int: ...

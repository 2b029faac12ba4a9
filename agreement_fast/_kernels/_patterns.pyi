from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def count_keys(
    table: _Array,
    weights: _Array | None,
    low: int,
    bits: int,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def count_keys_of_rows(
    table: _Array,
    width: int,
    beside: int,
    low: int,
    bits: int,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def count_keys_of_columns(
    table: _Array,
    width: int,
    beside: int,
    low: int,
    bits: int,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def group_rows(
    rows: _Array,
    slots: _Array,
    start: int,
    stop: int,
    n_groups: int,
    first: _Array,
    out_group: _Array,
) -> tuple[int, int]: ...
def pack_counts(
    codes: _Array, start: _Array, width: int, bits: int, first: int, last: int, out: _Array
) -> None: ...
def count_words(
    words: _Array, weights: _Array | None, keys: _Array, counts: _Array, n_keys: int
) -> int: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def set_secrets(secrets: bytes) -> None: ...
def fill_table(
    items: _Array, coders: _Array, labels: _Array, keep_last: bool, out: _Array, out_repeats: _Array
) -> int: ...
def count_buckets(items: _Array, labels: _Array, item_bits: int, out_bounds: _Array) -> None: ...
def pack(
    items: _Array,
    coders: _Array,
    labels: _Array,
    bits: tuple[int, int, int],
    cursors: _Array,
    out: _Array,
) -> None: ...
def list_buckets(
    keys: _Array,
    packing: tuple[_Array, tuple[int, int, int], bool],
    start: _Array,
    out_coders: _Array,
    out: _Array,
    out_repeats: _Array,
) -> int: ...
def sort_into_bins(rows: _Array, ends: _Array, out: _Array) -> None: ...
def number_keys(
    rows: _Array, width: int, ends: _Array, slots: _Array, out: _Array, out_first: _Array
) -> int: ...

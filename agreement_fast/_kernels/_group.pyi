from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def fill_table(
    items: _Array, coders: _Array, labels: _Array, keep_last: bool, out: _Array, out_repeats: _Array
) -> int: ...
def order_by(keys: _Array, start: _Array, out: _Array) -> None: ...
def fill_lists(
    judgments: tuple[_Array, _Array, _Array],
    order: _Array | None,
    start: _Array,
    out_coders: _Array,
    out: _Array,
) -> None: ...
def tidy_lists(
    start: _Array, keep_last: bool, coders: _Array, codes: _Array, out_repeats: _Array
) -> int: ...
def sort_into_bins(rows: _Array, ends: _Array, out: _Array) -> None: ...
def number_keys(
    rows: _Array, width: int, ends: _Array, slots: _Array, out: _Array, out_first: _Array
) -> int: ...

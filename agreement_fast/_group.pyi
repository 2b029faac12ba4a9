from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

def fill_table(
    items: Array, coders: Array, labels: Array, keep_last: bool, out: Array, out_repeats: Array
) -> int: ...
def order_by(keys: Array, start: Array, out: Array) -> None: ...
def fill_lists(
    items: Array,
    coders: Array,
    labels: Array,
    order: Array,
    start: Array,
    out_coders: Array,
    out: Array,
) -> None: ...
def tidy_lists(
    start: Array, keep_last: bool, coders: Array, codes: Array, out_repeats: Array
) -> int: ...

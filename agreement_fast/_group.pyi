from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

def fill_table(
    items: Array, coders: Array, labels: Array, keep_last: bool, out: Array, out_repeats: Array
) -> int: ...
def order_by(keys: Array, order: Array, start: Array, out: Array) -> None: ...
def drop_repeats(
    start: Array,
    coders: Array,
    order: Array,
    keep_last: bool,
    out_start: Array,
    out_order: Array,
    out_repeats: Array,
) -> int: ...

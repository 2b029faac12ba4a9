from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

FORMS: dict[str, int]

def row_sizes(
    codes: _Array,
    start: _Array,
    width: int,
    repeats: _Array | None,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def label_marginals(
    codes: _Array,
    start: _Array,
    width: int,
    repeats: _Array | None,
    weights: _Array | None,
    size_of_row: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def label_sums(
    codes: _Array,
    start: _Array,
    width: int,
    repeats: _Array | None,
    weights: _Array | None,
    size_of_row: _Array,
    factors: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def coder_marginals(
    codes: _Array,
    start: _Array,
    width: int,
    coders: _Array | None,
    weights: _Array | None,
    sizes: _Array,
    least: int,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def table_marginals(codes: _Array, width: int, first: int, last: int, out: _Array) -> None: ...
def sum_disagreement(
    codes: _Array,
    start: _Array,
    width: int,
    repeats: _Array | None,
    weights: _Array | None,
    size_of_row: _Array,
    form: int,
    values: _Array,
    seen: _Array,
    labels: _Array,
    counts: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def list_pairs(
    codes: _Array,
    start: _Array,
    width: int,
    repeats: _Array | None,
    seen: _Array,
    labels: _Array,
    row: int,
    last: int,
    out_a: _Array,
    out_b: _Array,
    out_count: _Array,
    out_row: _Array,
) -> tuple[int, int]: ...

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

FORMS: dict[str, int]

def row_sizes(
    codes: Array,
    start: Array,
    width: int,
    repeats: Array | None,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def label_marginals(
    codes: Array,
    start: Array,
    width: int,
    repeats: Array | None,
    weights: Array | None,
    size_of_row: Array,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def label_sums(
    codes: Array,
    start: Array,
    width: int,
    repeats: Array | None,
    weights: Array | None,
    size_of_row: Array,
    factors: Array,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def coder_marginals(
    codes: Array,
    start: Array,
    width: int,
    coders: Array | None,
    weights: Array | None,
    sizes: Array,
    least: int,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def table_marginals(codes: Array, width: int, first: int, last: int, out: Array) -> None: ...
def sum_disagreement(
    codes: Array,
    start: Array,
    width: int,
    repeats: Array | None,
    weights: Array | None,
    size_of_row: Array,
    form: int,
    values: Array,
    seen: Array,
    labels: Array,
    counts: Array,
    first: int,
    last: int,
    out: Array,
) -> None: ...
def list_pairs(
    codes: Array,
    start: Array,
    width: int,
    repeats: Array | None,
    seen: Array,
    labels: Array,
    row: int,
    last: int,
    out_a: Array,
    out_b: Array,
    out_count: Array,
    out_row: Array,
) -> tuple[int, int]: ...

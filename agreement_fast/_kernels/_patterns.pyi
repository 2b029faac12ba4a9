from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

_Array = npt.NDArray[Any]

LABELS: int

def set_secrets(secrets: bytes) -> None: ...
def count_keys(table: _Array, weights: _Array | None, low: int, bits: int, out: _Array) -> None: ...
def count_keys_of_rows(table: _Array, low: int, bits: int, out: _Array) -> None: ...
def count_keys_of_columns(columns: _Array, low: int, bits: int, out: _Array) -> None: ...
def group_rows(rows: _Array, out_group: _Array) -> _Array: ...
def sort_patterns(
    given: Rows, by_coder: bool
) -> tuple[_Array, int, _Array, _Array | None, _Array | None, _Array]: ...
def pack_counts(rows: Rows, bits: int, out: _Array) -> None: ...
def count_words(
    words: _Array, weights: _Array | None, keys: _Array, counts: _Array, n_keys: int
) -> int: ...
def count_pairs(rows: Rows, first: int, planes: _Array, out: _Array) -> None: ...
def list_tables(
    tables: _Array, start: _Array, first: _Array, second: _Array, counts: _Array
) -> int: ...
def list_pairs(
    columns: _Array,
    order: _Array,
    weights: _Array | None,
    of_first: _Array,
    of_second: _Array,
    start: _Array,
    first: _Array,
    second: _Array,
    counts: _Array,
) -> int: ...
def add_of_pairs(
    columns: _Array,
    of_first: _Array,
    of_second: _Array,
    start: _Array,
    first: _Array,
    second: _Array,
    values: _Array,
    out: _Array,
) -> None: ...
def count_others(
    start: _Array, first: _Array, second: _Array, counts: _Array, K: int, out: _Array
) -> None: ...
def count_beside(
    rows: Rows, line: _Array, beside: _Array, apart: _Array, together: _Array
) -> None: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

TILE: int

def combinations(first: int, out: _Array) -> None: ...
def coder_sums(masks: _Array, features: _Array, out: _Array) -> None: ...
def sum_halves(
    columns: _Array,
    crossed: _Array,
    first: int,
    last: int,
    levels: _Array,
    runs: _Array,
    low_sets: _Array,
    high_sets: _Array,
    measures: _Array,
    p: _Array,
    q: _Array,
    out: _Array,
) -> None: ...
def describe(
    values: _Array,
    starts: _Array,
    groups: _Array,
    grid: _Array,
    moments: _Array,
    counts: _Array,
) -> None: ...
def refine(
    values: _Array,
    starts: _Array,
    groups: _Array,
    grid: _Array,
    wanted: _Array,
    means: _Array,
    edges: _Array,
    squares: _Array,
    counts: _Array,
    found: _Array,
    n_found: _Array,
) -> None: ...
def count_table(
    codes: _Array, first: int, n_coders: int, n_categories: int, table: _Array
) -> None: ...
def sum_counts(
    masks: _Array,
    tables: _Array,
    weights: _Array,
    one: int,
    two: int,
    counts: _Array,
    room: _Array,
    totals: _Array,
    labels: _Array,
    pairs: _Array,
) -> None: ...
def coder_counts(
    codes: _Array, judged: _Array, weights: _Array, masks: _Array, least: int, out: _Array
) -> None: ...

from typing import Any

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

_Array = npt.NDArray[Any]

LANES: int
KINDS: dict[str, int]

class Copies:
    @property
    def copies(self) -> _Array: ...
    def __init__(self, copies: _Array, longest: int, n_categories: int) -> None: ...
    def sizes(self, rows: Rows, sizes: _Array, selfs: _Array) -> None: ...
    def disagreement(self, rows: Rows, kind: int, values: _Array, out: _Array) -> None: ...
    def add(self, rows: Rows, amounts: _Array, out: _Array) -> None: ...

def add_weights(
    start: _Array,
    bins: _Array,
    repeats: _Array | None,
    factors: _Array,
    weights: _Array,
    out: _Array,
) -> None: ...
def add_groups(
    start: _Array,
    bins: _Array,
    repeats: _Array | None,
    factors: _Array,
    weights: _Array,
    groups: _Array,
    out: _Array,
) -> None: ...
def dot_groups(
    start: _Array,
    bins: _Array,
    repeats: _Array | None,
    factors: _Array,
    gradient: _Array,
    groups: _Array | None,
    out: _Array,
) -> None: ...
def dot_rows(values: _Array, gradient: _Array, groups: _Array, out: _Array) -> None: ...
def squared_gaps(
    start: _Array,
    codes: _Array,
    repeats: _Array | None,
    features: _Array,
    groups: _Array,
    out: _Array,
) -> None: ...
def sum_groups(groups: _Array, values: _Array, out: _Array) -> None: ...
def add_squares(
    rows: Rows,
    factors: _Array,
    weights: _Array,
    features: _Array,
    room: _Array,
    out: _Array,
) -> None: ...
def poisson(drawn: _Array, means: _Array) -> None: ...
def count_draws(picked: _Array, sizes: _Array, pattern: _Array, out: _Array) -> None: ...

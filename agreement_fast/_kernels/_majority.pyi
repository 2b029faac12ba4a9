from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

TIES: dict[str, int]
LANES: int

def same_exactly(
    counts: _Array,
    roles: _Array,
    binomial: _Array,
    product: _Array,
    room: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def moved_fractions(
    counts: _Array,
    reference: _Array,
    binomial: _Array,
    state: _Array,
    following: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def same_median(
    counts: _Array,
    reference: _Array,
    binomial: _Array,
    sides: _Array,
    rooms: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def gray_moves(first: int, last: int, moves: _Array, ends: _Array, sizes: _Array) -> None: ...
def moved(
    codes: _Array,
    moves: _Array,
    ends: _Array,
    n_subsets: int,
    afresh: bool,
    ties: int,
    wanted: _Array,
    mask: _Array,
    weights: _Array,
    present: _Array | None,
    unit: int,
    counts: _Array,
    out: _Array,
) -> None: ...
def spread(
    values: _Array,
    sizes: _Array,
    centre: _Array,
    n_subsets: int,
    n: _Array,
    smallest: _Array,
    largest: _Array,
    sums: _Array,
    squares: _Array,
) -> None: ...

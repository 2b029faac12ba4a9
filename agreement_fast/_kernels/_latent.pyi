from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def vote(
    codes: _Array,
    start: _Array,
    width: int,
    coders: _Array | None,
    weights: _Array,
    first: int,
    last: int,
    room: _Array,
    sums: _Array,
    counts: _Array,
) -> None: ...
def expect(
    codes: _Array,
    start: _Array,
    width: int,
    coders: _Array | None,
    weights: _Array,
    shares: _Array,
    table: _Array,
    first: int,
    last: int,
    room: _Array,
    sums: _Array,
    counts: _Array,
) -> float: ...
def maximise(
    sums: _Array, counts: _Array, smoothing: float, shares: _Array, table: _Array
) -> float: ...
def iterate(
    codes: _Array,
    start: _Array,
    width: int,
    coders: _Array | None,
    weights: _Array,
    shares: _Array,
    table: _Array,
    smoothing: float,
    tolerance: float,
    before: float,
    room: _Array,
    sums: _Array,
    counts: _Array,
    trace: _Array,
) -> tuple[int, bool]: ...
def posteriors(
    codes: _Array,
    start: _Array,
    width: int,
    coders: _Array | None,
    shares: _Array,
    table: _Array,
    first: int,
    last: int,
    out: _Array,
    log_likelihoods: _Array,
) -> None: ...

from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

KINDS: dict[str, int]

def fill_masks(start: _Array, elements: _Array, masks: _Array) -> None: ...
def weigh_masks(masks: _Array, table: _Array, out: _Array) -> None: ...
def distances_by_size(kind: int, out: _Array) -> None: ...
def mask_rows(
    kind: int,
    masks: _Array,
    table: _Array | None,
    sizes: _Array,
    weights: _Array,
    places: _Array,
    by_size: _Array | None,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def mask_sums(
    kind: int,
    masks: _Array,
    table: _Array | None,
    sizes: _Array,
    weights: _Array,
    places: _Array,
    by_size: _Array | None,
    u: _Array | None,
    v: _Array,
    upper: bool,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def mask_largest(
    kind: int,
    masks: _Array,
    table: _Array | None,
    sizes: _Array,
    weights: _Array,
    places: _Array,
    by_size: _Array | None,
    enough: float,
    first: int,
    last: int,
) -> float: ...
def mask_pairs(
    kind: int,
    masks: _Array,
    table: _Array | None,
    sizes: _Array,
    weights: _Array,
    a: _Array,
    b: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def totals(v: _Array, weights: _Array, out: _Array) -> None: ...
def list_sums(
    kind: int,
    start: _Array,
    elements: _Array,
    begin: _Array,
    members: _Array,
    element_weights: _Array | None,
    sizes: _Array,
    weights: _Array,
    u: _Array | None,
    v: _Array,
    total: _Array,
    first: int,
    last: int,
    met: _Array,
    common: _Array,
    shared: _Array,
    out: _Array,
) -> None: ...
def list_pairs(
    kind: int,
    start: _Array,
    elements: _Array,
    element_weights: _Array | None,
    sizes: _Array,
    weights: _Array,
    a: _Array,
    b: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...
def span_sums(
    kind: int,
    order: _Array,
    document: _Array,
    start: _Array,
    end: _Array,
    reach: _Array,
    lengths: _Array,
    u: _Array | None,
    v: _Array,
    total: _Array,
    first: int,
    last: int,
    met: _Array,
    common: _Array,
    out: _Array,
) -> None: ...
def span_pairs(
    kind: int,
    document: _Array,
    start: _Array,
    end: _Array,
    lengths: _Array,
    a: _Array,
    b: _Array,
    first: int,
    last: int,
    out: _Array,
) -> None: ...

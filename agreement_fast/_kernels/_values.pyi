from typing import Any, TypeVar

import numpy.typing as npt

from agreement_fast._kernels._rows import Rows

_Array = npt.NDArray[Any]
_T = TypeVar("_T")

def fill(result: _T, names: tuple[str, ...], values: tuple[Any, ...]) -> _T: ...
def student_beyond(freedom: float, t: float) -> float: ...
def student_quantile(freedom: float, beyond: float, normal: float) -> float: ...
def student_quantiles(freedom: _Array, beyond: float, normal: float, out: _Array) -> None: ...
def wilson(share: _Array, n: _Array, z: _Array, out: _Array) -> None: ...
def score_ends(
    value: _Array,
    centre: _Array,
    least: _Array,
    size: _Array,
    freedom: _Array,
    beyond: float,
    normal: float,
    out: _Array,
) -> None: ...
def prior_sizes(
    sizes: _Array,
    weights: _Array,
    kept: _Array,
    groups: _Array,
    value: _Array | None,
    judgments: float,
    out: _Array,
) -> None: ...
def prior_influence(
    size: _Array,
    q: _Array,
    by_label: _Array,
    others: _Array,
    squares: _Array | None,
    of_pairs: _Array,
    constant: _Array,
    own: _Array | None,
    out: _Array,
) -> None: ...
def spread_of_groups(
    of_rows: _Array, sampled: _Array, groups: _Array | None, prior: _Array | None, out: _Array
) -> None: ...
def effective(
    spread: _Array, prior: _Array, centre: _Array, least: _Array, gap: float, out: _Array
) -> None: ...
def spread(
    values: _Array, weights: _Array | None, least: int
) -> tuple[float, float, float, float]: ...
def row_moments(
    values: _Array,
    weights: _Array | None,
    origin: float,
    least: int,
    out_items: _Array,
    out: _Array,
) -> None: ...
def moments_of_rows(values: _Array, origin: float, out: _Array) -> None: ...
def coder_moments(
    values: _Array, weights: _Array | None, origin: float, least: int, out: _Array
) -> None: ...

MODELS: dict[str, int]

def intervals_of_tables(
    rows: Rows,
    start: _Array,
    model: int,
    by_judgments: bool,
    n_coders: int,
    n_categories: int,
    distances: _Array | None,
    of_numbers: bool,
    ranked: bool,
    total: float,
    largest: float,
    least: _Array,
    judgments: float,
    gap: float,
    out: _Array,
) -> None: ...
def rational_nodes(places: _Array, v: _Array) -> _Array: ...
def rational_rows(
    places: _Array, v: _Array, nodes: _Array, first: int, last: int, out: _Array
) -> None: ...
def others(values: _Array, width: int, out: _Array) -> None: ...
def unequal(u: _Array, v: _Array, out: _Array) -> None: ...
def unequal_pairs(u: _Array, v: _Array) -> float: ...
def squared_pairs(f: _Array, u: _Array, v: _Array) -> float: ...
def count_dominated(
    rank: _Array, upto: _Array, limit: _Array, tree: _Array, out: _Array
) -> None: ...

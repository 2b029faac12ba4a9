"""The way of numbers: three sums per item, and the sums and products of these by size of the item.

The interval distance needs nothing else, so only a few rows are returned, for any number of
distinct numbers. Integers are summed exactly if the sums fit into 63 bits. The last digits of sums
of floats depend on the order of the rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import check_spread
from agreement_fast.engines.coders import judged_once, places
from agreement_fast.engines.items import (
    CONFLICTS,
    N_ITEMS,
    by_item,
    check_given,
    n_alike,
    refuse_conflicts,
)
from agreement_fast.engines.queries import Queries, changed, integers
from agreement_fast.engines.repeats import check_repeats
from agreement_fast.engines.table import CODER, GIVEN, LABEL, WEIGHT, LazyTable
from agreement_fast.errors import Argument, InputTypeError
from agreement_fast.kept_moments import KeptMoments
from agreement_fast.patterns import check_total
from agreement_fast.reading.parts import Parts

__all__ = ["read_moments"]

#: Every engine adds up integers exactly if the sums are below this.
LARGEST = 2.0**62
#: The largest relative difference between sums of the same floats.
SAME = 1e-6

#: A number minus the origin, its square, and their sums over an item.
X, SQUARE, LEAST, MOST = "af_x", "af_square", "af_least", "af_most"
S, Q, D = "af_s", "af_q", "af_d"
COLUMNS = (S, Q, D)
#: Sums of their products.
PRODUCTS = [(i, j) for i in range(3) for j in range(i + 1)]


def read_moments(table: LazyTable, coders: list[Any], queries: Queries) -> Parts:
    """Return the sums over all items, as parts of annotations without judgments."""
    import narwhals as nw

    check_repeats(table, queries)
    scale = _shift(table, len(coders), queries)
    columns: dict[str, Any] = {
        GIVEN: (nw.col(GIVEN), "sum"), S: (nw.col(X), "sum"), Q: (nw.col(SQUARE), "sum"),
        MOST: (nw.col(X), "max"), LEAST: (-nw.col(X), "max"),
    }  # fmt: skip
    items = by_item(table, columns)
    apart = 2 * (nw.col(GIVEN).cast(_kind(table)) * nw.col(Q) - nw.col(S) * nw.col(S))
    # An item with equal numbers has no disagreement, also if its sums are rounded.
    alike = nw.col(MOST) == -nw.col(LEAST)
    items = items.with_columns(nw.when(~alike).then(apart).alias(D))
    counted = nw.col(WEIGHT) > 0
    units = dict(zip(COLUMNS, (scale, scale**2, scale**2), strict=True))
    floats = [nw.col(name).cast(nw.Float64) / unit for name, unit in units.items()]
    weight = nw.col(WEIGHT)
    made = {
        **{f"{name}_sum": nw.col(name) * weight.cast(_kind(table)) for name in COLUMNS},
        **{f"af_{i}_{j}": floats[i] * floats[j] * weight.cast(nw.Float64) for i, j in PRODUCTS},
    }
    ends = [nw.when(counted).then(nw.col(name)).alias(f"{name}_end") for name in (LEAST, MOST)]
    found = queries.fetch(
        items.with_columns(*ends, **made)
        .group_by(GIVEN)
        .agg(
            *n_alike(table),
            nw.col(CONFLICTS, *made).sum(),
            nw.col(f"{LEAST}_end", f"{MOST}_end").max(),
        )
    ).sort(GIVEN)
    if integers(found[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    each = integers(found[N_ITEMS])
    check_total(float(each.sum(dtype=np.float64)), "items")
    sizes = integers(found[GIVEN])
    products = np.zeros((len(sizes), 3, 3))
    for i, j in PRODUCTS:
        products[:, i, j] = products[:, j, i] = _floats(found[f"af_{i}_{j}"], 0.0)
    every = _by_coder(table.frame.filter(nw.col(GIVEN) == 1), coders, queries)
    alone = np.zeros_like(every)
    if (sizes == 1).any():
        alone = _by_coder(judged_once(table, [X, SQUARE]), coders, queries)
    check_given(table, found)
    sums = np.column_stack([_floats(found[f"{name}_sum"], 0.0) for name in COLUMNS])
    of_items = np.column_stack([sizes * each.astype(np.float64), sums[:, 0], sums[:, 1]])
    _check_sums(of_items.sum(0), every)
    _check_sums(of_items[sizes == 1].sum(0), alone)
    kept = KeptMoments(
        sizes=sizes.tolist(),
        items=each.tolist(),
        sums=sums,
        products=products,
        low=-_floats(found[f"{LEAST}_end"], math.nan),
        high=_floats(found[f"{MOST}_end"], math.nan),
        scale=scale,
        coders={1: every, 2: every - alone},
    )
    return Parts(items=range(int(each.sum())), coders=coders, moments=kept)


def _kind(table: LazyTable) -> Any:
    import narwhals as nw

    return nw.Int64 if table.frame.collect_schema()[X] == nw.Int64 else nw.Float64


def _shift(table: LazyTable, n_coders: int, queries: Queries) -> float:
    """Add the columns X and SQUARE, minus an origin near the mean; return their scale."""
    import narwhals as nw

    dtype = table.frame.collect_schema()[LABEL]
    if not dtype.is_numeric():
        raise InputTypeError(
            (Argument("way", "moments"), f" sums numbers, and the labels are {dtype}"),
            ("pass ", Argument("way", "patterns"), " or ", Argument("way", "counts")),
            argument="way",
        )
    weight = nw.col(WEIGHT) if table.weighted else nw.lit(1, nw.Int64)
    label = nw.col(LABEL)
    judged = table.frame.filter(nw.col(GIVEN) == 1).select(
        label.alias(LEAST),
        label.alias(MOST),
        label.cast(nw.Float64).alias(X),
        weight.cast(nw.Float64).alias(WEIGHT),
    )
    row = queries.fetch(
        judged.select(
            nw.col(LEAST).min(), nw.col(MOST).max(), nw.col(X).mean(), nw.col(WEIGHT).sum()
        )
    ).row(0)
    low, high, mean, n = (0.0 if value is None else float(value) for value in row)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputTypeError(
            f"distance interval needs finite numbers: column {table.names['label'][0]!r} has "
            f"{low if math.isinf(low) else high}",
            argument="distance",
        )
    check_spread("distance interval", low, high)
    spread = high - low
    x = label.cast(nw.Float64) - min(max(mean, low), high)
    if dtype.is_integer():
        least, most = (int(value or 0) for value in row[:2])
        spread = float(most - least)
        origin = min(max(round(mean) - least, 0), most - least)
        reach = max(origin, most - least - origin) + 1.0
        if 2 * n_coders * n * reach**2 < LARGEST:
            # Near the end of its type a number may not fit into 63 bits, but a difference does.
            kind = nw.UInt64 if dtype == nw.UInt64 else nw.Int64
            x = (label.cast(kind) - nw.lit(least, kind)).cast(nw.Int64) - nw.lit(origin, nw.Int64)
    table.frame = table.frame.with_columns(x.alias(X)).with_columns(
        (nw.col(X) * nw.col(X)).alias(SQUARE)
    )
    return 2.0 ** math.frexp(spread)[1] if spread else 1.0


def _by_coder(judged: Any, coders: list[Any], queries: Queries) -> FloatArray:
    """Return the count, sum and sum of squares of each coder's numbers: float64 (C, 3)."""
    import narwhals as nw

    weight = nw.lit(1, nw.Int64)
    if WEIGHT in judged.collect_schema():
        weight = nw.col(WEIGHT).cast(nw.Int64)  # Polars sums 32-bit integers in 32 bits
    kind = judged.collect_schema()[X]
    weighted = judged.with_columns(weight.alias(WEIGHT)).with_columns(
        *((nw.col(name) * nw.col(WEIGHT).cast(kind)).alias(name) for name in (X, SQUARE))
    )
    found = queries.fetch(weighted.group_by(CODER).agg(nw.col(WEIGHT, X, SQUARE).sum()))
    out = np.zeros((len(coders), 3))
    rows = places(found[CODER], coders, "coder")
    out[rows] = np.column_stack([_floats(found[name], 0.0) for name in (WEIGHT, X, SQUARE)])
    return out


def _check_sums(of_items: FloatArray, of_coders: FloatArray) -> None:
    """Raise an error if the sums over items and over coders are of different judgments.

    Parameters
    ----------
    of_items : float64 array of shape (3,)
        The count, sum and sum of squares over items.
    of_coders : float64 array of shape (C, 3)
        The same for each coder.
    """
    n, s, q = of_items.tolist()
    others = of_coders.sum(0).tolist()
    # The sums are of the same numbers in another order: |s| is at most the root of n times q.
    room = (SAME * n, SAME * math.sqrt(n * q), SAME * q)
    if any(abs(a - b) > most for a, b, most in zip((n, s, q), others, room, strict=True)):
        raise changed()


def _floats(column: Any, absent: float) -> Array:
    """Return a column of numbers as floats, from any type that engines return."""
    import narwhals as nw

    cast: Array = column.cast(nw.Float64).fill_null(absent).to_numpy()
    return np.ascontiguousarray(cast, np.float64)

"""Ways that return few rows: distinct judgments, distinct counts, or sums of numbers.

The first has one column per coder; the second counts the coders who gave an item each label, one
row for all equal counts; the fourth adds up numbers.
"""

import math
from collections.abc import Sequence
from typing import Any, Protocol

import narwhals as nw
import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import CountTable, as_table, check_total, count_rows
from agreement_fast.reading import frames
from agreement_fast.reading.engines.items import (
    CONFLICTS,
    N_ITEMS,
    Beside,
    Fetched,
    alike,
    by_item,
    check_given,
    check_repeats,
    distinct,
    encode_labels,
    in_own_order,
    judged_once,
    n_alike,
    places,
    refuse_conflicts,
    refuse_repeats,
    truths,
)
from agreement_fast.reading.engines.table import (
    CODER,
    GIVEN,
    LABEL,
    WEIGHT,
    LazyTable,
    Queries,
    changed,
    flag,
    integers,
)
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.kept_moments import KeptMoments, check_spread
from agreement_fast.reading.parts import Options, Parts, codes_of
from agreement_fast.reading.wide import read_wide

#: The number of bits of an integer that all engines support.
BITS = 63
#: The column with the counts of an item as digits of one number.
PACKED = "af_packed"


class _Seen:
    """The distinct labels as the engine has them, and their categories."""

    def __init__(self, table: LazyTable, seen: Any, options: Options) -> None:
        given = seen.filter(~nw.col(LABEL).is_null())
        _, self.values = encode_sorted_ids(frames.column(given[LABEL]), "label")
        self.declared = options.categories is not None
        raw, self.categories = encode_labels(table.place, self.values, options)
        self.codes = raw.codes(len(self.categories)).astype(np.int64)
        if not self.declared:
            self.categories, self.codes = in_own_order(self.categories, self.codes)

    def counts(self, rows: Any, n_coders: int) -> Array:
        """Return how often each row has each category: int64 (rows, K)."""
        out = np.zeros((len(rows), len(self.categories)), np.int64)
        for column, code in zip(self._columns(rows, n_coders), self.codes.tolist(), strict=True):
            out[:, code] += column
        return out

    def marginals(self, query: Any, coders: Sequence[Any], queries: Queries) -> Array:
        """Return the sums of WEIGHT by CODER and LABEL: int64 (C, K)."""
        rows = queries.fetch(query)
        assert rows is not None
        out = np.zeros((len(coders), len(self.categories)), np.int64)
        row = places(rows[CODER], coders, "coder")
        column = self.codes[places(rows[LABEL], self.values, "label")]
        np.add.at(out, (row, column), integers(rows[WEIGHT]))
        return out

    def _bits(self, n_coders: int) -> int:
        """Return the bits of each digit of PACKED; 0 if they do not fit into one number."""
        bits = n_coders.bit_length()
        return bits if bits * len(self.values) <= BITS else 0

    def _columns(self, rows: Any, n_coders: int) -> list[Array]:
        bits = self._bits(n_coders)
        if not bits:
            return [integers(rows[name]) for name in self.names(n_coders)]
        packed = integers(rows[PACKED])
        return [(packed >> (bits * i)) & ((1 << bits) - 1) for i in range(len(self.values))]

    def names(self, n_coders: int) -> list[str]:
        """The names of the columns of counts."""
        if self._bits(n_coders):
            return [PACKED]
        return [f"af_count_{i}" for i in range(len(self.values))]

    def rows(self, n_coders: int) -> list[Any]:
        """Return what each row adds to these columns."""
        bits = self._bits(n_coders)
        if not bits:
            return [flag(nw.col(LABEL) == value) for value in self.values]
        digit: Any = nw.lit(0, nw.Int64)
        for i, value in enumerate(self.values):
            own = nw.lit(1 << (bits * i), nw.Int64)
            digit = nw.when(nw.col(LABEL) == value).then(own).otherwise(digit)
        return [digit]


def _fetched(
    table: LazyTable, items: Any, names: Sequence[str], queries: Queries, most: int
) -> Any | None:
    """Return one row for all equal items; None if there are more than `most`."""
    rows = queries.fetch(alike(table, items, names), most)
    if rows is not None and integers(rows[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    return rows


def read_counts(
    table: LazyTable,
    coders: Sequence[Any],
    seen: Any,
    options: Options,
    queries: Queries,
    most: int,
) -> Fetched | None:
    """Return the distinct counts and the coders' marginals; None if there are more than `most`.

    `seen`: the result of `table.look`.
    """
    check_repeats(table, queries)
    known = _Seen(table, seen, options)
    names = known.names(len(coders))
    columns: dict[str, Any] = {
        name: (row, "sum") for name, row in zip(names, known.rows(len(coders)), strict=True)
    }
    items = by_item(table, {**columns, GIVEN: (nw.col(GIVEN), "sum")})
    result = _fetched(table, items, [*names, GIVEN], queries, most)
    if result is None:
        return None
    counts = known.counts(result, len(coders))
    if (counts.sum(1) != integers(result[GIVEN])).any():
        raise InputError(
            f"the engine cannot match the labels of column {table.names['label'][0]!r} with those"
            " that it returned before, and so cannot count them",
            "cast them to text",
            argument="label",
        )
    check_given(table, result)
    kept = distinct(table, result, counts)
    every = known.marginals(_by_label(_judged(table)), coders, queries)
    alone = np.zeros_like(every)
    single = integers(result[GIVEN]) == 1
    if single.any():
        alone = known.marginals(_by_label(judged_once(table, [LABEL])), coders, queries)
    n_items = integers(result[N_ITEMS])
    for marginals, rows in ((every, slice(None)), (alone, single)):
        if (marginals.sum(0) != n_items[rows] @ counts[rows]).any():
            raise changed()
    counts, categories = counts[kept.rows], known.categories
    if not known.declared:
        used = np.flatnonzero(counts.any(0))
        counts, every, alone = counts[:, used], every[:, used], alone[:, used]
        categories = tuple(categories[i] for i in used.tolist())
    counted = count_rows(CountTable(counts, kept.weights))
    beside = bool(kept.beside)
    made = Parts(
        categories=truths(categories) if table.truth else categories,
        declared=known.declared,
        items=range(len(counts)),
        coders=list(coders),
        rows=counted,
        patterns=None if beside else counted,
        marginals={1: every, 2: every - alone},
        weights=kept.weights,
    )
    return Fetched(made, kept.beside)


def _judged(table: LazyTable) -> Any:
    """Return the judgments, and the weights of their items."""
    judged = table.frame.filter(nw.col(GIVEN) == 1)
    # Polars sums 32-bit integers in 32 bits.
    weight = nw.col(WEIGHT).cast(nw.Int64) if table.weighted else nw.lit(1, nw.Int64)
    return judged.with_columns(weight.alias(WEIGHT))


def _by_label(judged: Any) -> Any:
    """Return how often each coder used each label."""
    return judged.group_by(CODER, LABEL).agg(nw.col(WEIGHT).sum())


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
    rows = queries.fetch(
        items.with_columns(*ends, **made)
        .group_by(GIVEN)
        .agg(
            *n_alike(table),
            nw.col(CONFLICTS, *made).sum(),
            nw.col(f"{LEAST}_end", f"{MOST}_end").max(),
        )
    ).sort(GIVEN)
    if integers(rows[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    each = integers(rows[N_ITEMS])
    check_total(float(each.sum(dtype=np.float64)), "items")
    sizes = integers(rows[GIVEN])
    products = np.zeros((len(sizes), 3, 3))
    for i, j in PRODUCTS:
        products[:, i, j] = products[:, j, i] = _floats(rows[f"af_{i}_{j}"], 0.0)
    every = _by_coder(table.frame.filter(nw.col(GIVEN) == 1), coders, queries)
    alone = np.zeros_like(every)
    if (sizes == 1).any():
        alone = _by_coder(judged_once(table, [X, SQUARE]), coders, queries)
    check_given(table, rows)
    sums = np.column_stack([_floats(rows[f"{name}_sum"], 0.0) for name in COLUMNS])
    of_items = np.column_stack([sizes * each.astype(np.float64), sums[:, 0], sums[:, 1]])
    _check_sums(of_items.sum(0), every)
    _check_sums(of_items[sizes == 1].sum(0), alone)
    kept = KeptMoments(
        sizes=sizes.tolist(),
        items=each.tolist(),
        sums=sums,
        products=products,
        low=-_floats(rows[f"{LEAST}_end"], math.nan),
        high=_floats(rows[f"{MOST}_end"], math.nan),
        scale=scale,
        coders={1: every, 2: every - alone},
    )
    return Parts(items=range(int(each.sum())), coders=coders, moments=kept)


def _kind(table: LazyTable) -> Any:
    return nw.Int64 if table.frame.collect_schema()[X] == nw.Int64 else nw.Float64


def _shift(table: LazyTable, n_coders: int, queries: Queries) -> float:
    """Add the columns X and SQUARE, minus an origin near the mean; return their scale."""
    dtype = table.frame.collect_schema()[LABEL]
    if not dtype.is_numeric():
        raise InputTypeError(
            (Argument("way", "moments"), f" sums numbers, and the labels are {dtype}"),
            ("pass ", Argument("way", "patterns"), " or ", Argument("way", "counts")),
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
    weight = nw.lit(1, nw.Int64)
    if WEIGHT in judged.collect_schema():
        weight = nw.col(WEIGHT).cast(nw.Int64)  # Polars sums 32-bit integers in 32 bits
    kind = judged.collect_schema()[X]
    weighted = judged.with_columns(weight.alias(WEIGHT)).with_columns(
        *((nw.col(name) * nw.col(WEIGHT).cast(kind)).alias(name) for name in (X, SQUARE))
    )
    sums = queries.fetch(weighted.group_by(CODER).agg(nw.col(WEIGHT, X, SQUARE).sum()))
    out = np.zeros((len(coders), 3))
    rows = places(sums[CODER], coders, "coder")
    out[rows] = np.column_stack([_floats(sums[name], 0.0) for name in (WEIGHT, X, SQUARE)])
    return out


def _check_sums(of_items: FloatArray, of_coders: FloatArray) -> None:
    """Raise an error if the sums over items and over coders are of different judgments.

    `of_items` (float64 (3,)): the count, sum and sum of squares over items. `of_coders` (float64
    (C, 3)): the same for each coder.
    """
    n, s, q = of_items.tolist()
    others = of_coders.sum(0).tolist()
    # The sums are of the same numbers in another order: |s| is at most the root of n times q.
    room = (SAME * n, SAME * math.sqrt(n * q), SAME * q)
    if any(abs(a - b) > most for a, b, most in zip((n, s, q), others, room, strict=True)):
        raise changed()


def _floats(column: Any, absent: float) -> Array:
    """Return a column of numbers as floats, from any type that engines return."""
    cast: Array = column.cast(nw.Float64).fill_null(absent).to_numpy()
    return np.ascontiguousarray(cast, np.float64)


#: The largest number of text labels to replace by numbers; each takes a comparison per row.
MOST_TEXTS = 64


class Judged(Beside, Protocol):
    """A table whose labels are returned, and how these are read."""

    truth: bool


def read_patterns(
    table: LazyTable,
    coders: Sequence[Any],
    seen: Any,
    options: Options,
    queries: Queries,
    most: int,
) -> Fetched | None:
    """Return the distinct rows of judgments; None if there are more than `most`.

    `seen`: the result of `table.look`.
    """
    labels = seen[LABEL].drop_nulls().unique().sort().to_list()
    if options.categories is not None:
        encode_labels(table.place, labels, options)
    texts = None
    rows = table.frame
    if rows.collect_schema()[LABEL] == nw.String and 0 < len(labels) <= MOST_TEXTS:
        texts, rows = labels, rows.with_columns(_places(labels).alias(LABEL))
    names = [f"af_judged_{i}" for i in range(len(coders))]
    values: dict[str, Any] = {
        name: (nw.when(nw.col(CODER) == coder).then(nw.col(LABEL)), "max")
        for name, coder in zip(names, coders, strict=True)
    }
    items = by_item(table, {**values, GIVEN: (nw.col(GIVEN), "sum")}, rows)
    result = _fetched(table, items, [*names, GIVEN], queries, most)
    if result is None:
        return None
    # If a coder judged an item several times, one label is returned, but all are counted.
    filled = np.zeros(len(result), np.int64)
    for name in names:
        filled += (~result[name].is_null()).to_numpy()
    if (filled != integers(result[GIVEN])).any():
        raise refuse_repeats(table, queries)
    check_given(table, result)
    columns = {
        coder: frames.column(result[name])
        if texts is None
        else Dictionary(integers(result[name].fill_null(-1)).astype(np.int32), texts, False)
        for coder, name in zip(coders, names, strict=True)
    }
    return distinct_rows(table, result, columns, options)


#: The columns of what the SQL of patterns returns, beside those of the coders.
ITEMS, JUDGMENTS = "n_items", "n_judgments"


def sql_of_patterns(table: LazyTable, coders: Sequence[Any], dialect: str | None) -> str:
    """Return the SQL of the two group-bys, as the engine of a table writes it."""
    names = {f"af_judged_{i}": str(coder) for i, coder in enumerate(coders)}
    if len({*names.values(), ITEMS, JUDGMENTS}) < len(names) + 2:
        raise InputError(
            f"coders must have different names, and none of them {ITEMS} or {JUDGMENTS}",
            argument="coders",
        )
    labels: dict[str, Any] = {
        name: (nw.when(nw.col(CODER) == coder).then(nw.col(LABEL)), "max")
        for name, coder in zip(names, coders, strict=True)
    }
    items = by_item(table, {**labels, GIVEN: (nw.col(GIVEN), "sum")})
    columns = [nw.col(own).alias(name) for own, name in names.items()]
    columns += [nw.col(GIVEN).alias(JUDGMENTS), nw.col(N_ITEMS).alias(ITEMS)]
    rows = alike(table, items, [*names, GIVEN]).select(*columns)
    query, engine = rows.to_native(), rows.implementation
    if engine.is_ibis():
        import ibis

        return str(ibis.to_sql(query, dialect=dialect))
    if engine.is_duckdb() and dialect in (None, "duckdb"):
        return str(query.sql_query())
    other = engine.name.lower()
    raise InputError(
        f"DuckDB and Ibis write SQL, and this is a frame of {other}"
        if not engine.is_duckdb()
        else f"DuckDB writes its own SQL, and not that of {dialect}",
        "describe the table to Ibis, which writes many dialects: "
        "ibis.table({'item': 'string', ...}, name='judgments')",
        argument="dialect" if engine.is_duckdb() else "frame",
    )


def result_of_sql(table: Any) -> Parts | None:
    """Read what the SQL of patterns returned; None if a frame has other columns.

    Raises ValueError if a row has other judgments than labels.
    """
    if not frames.is_frame(table):
        return None
    rows = nw.from_native(table, eager_only=True)
    if not {ITEMS, JUDGMENTS} <= {*rows.columns}:
        return None
    coders = [name for name in rows.columns if name not in (ITEMS, JUDGMENTS)]
    filled = np.zeros(len(rows), np.int64)
    for name in coders:
        filled += (~rows[name].is_null()).to_numpy().astype(bool)
    given = integers(rows[JUDGMENTS])
    if (odd := np.flatnonzero(filled != given)).size:
        row = int(odd[0])
        raise InputError(
            f"{int(given[row])} judgments of an item have {int(filled[row])} labels in row {row}:"
            " a coder judged it twice, or not all coders are columns",
            "pass all coders to patterns_sql, and keep one judgment of a coder and item",
        )
    columns = {name: frames.column(rows[name]) for name in coders}
    weights = integers(rows[ITEMS])
    return read_wide(
        rows, Options(), columns=columns, coders=coders, items=range(len(rows)), weights=weights
    )


def _places(texts: Sequence[str]) -> Any:
    """Return the place of a label among some, because engines group numbers faster than texts."""
    own = [nw.when(nw.col(LABEL) == text) for text in texts]
    place: Any = own[0].then(nw.lit(0, nw.Int64))  # otherwise null, for which Dask has no literal
    for i, when in enumerate(own[1:], 1):
        place = when.then(nw.lit(i, nw.Int64)).otherwise(place)
    return place


def distinct_rows(table: Judged, rows: Any, columns: dict[Any, Any], options: Options) -> Fetched:
    """Return the distinct rows of a frame with one column per coder.

    `rows`: a frame with N_ITEMS, and the columns of groups and along. `columns` (dict of coder to
    column): the labels of each coder, from `frames.column`.
    """
    coders = list(columns)
    of_labels = Options(categories=options.categories, set_separator=options.set_separator)
    items = range(len(rows))
    parts = read_wide(rows, of_labels, columns=columns, coders=coders, items=items, hints=False)
    numbers, categories = parts.get("numbers"), parts.get("categories") or ()
    if numbers is None:
        codes = codes_of(parts).reshape(len(rows), len(coders))
        if options.categories is None:
            categories, codes = in_own_order(categories, codes)
    kept = distinct(table, rows, codes if numbers is None else numbers)
    made = Parts(
        declared=parts.get("declared", False),
        items=range(len(kept.rows)),
        coders=coders,
        weights=kept.weights,
    )
    if numbers is not None:
        made["numbers"] = numbers[kept.rows]
    else:
        made["categories"] = truths(categories) if table.truth else categories
        made["rows"] = as_table(codes[kept.rows], kept.weights)
        if not kept.beside:
            made["patterns"] = made["rows"]
    return Fetched(made, kept.beside)

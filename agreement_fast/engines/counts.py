"""The second way: the number of coders who gave an item each label, one row for all equal counts.

The coder of each label is then unknown. Coefficients with one distribution per coder need how often
each coder used each label, on all items and on those with at least two judgments. This takes
another group-by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.coders import judged_once, places
from agreement_fast.engines.found import Asked, Found, distinct, in_own_order, truths
from agreement_fast.engines.items import (
    CONFLICTS,
    N_ITEMS,
    alike,
    by_item,
    check_given,
    refuse_conflicts,
)
from agreement_fast.engines.queries import Queries, changed, integers
from agreement_fast.engines.repeats import check_repeats
from agreement_fast.engines.table import CODER, GIVEN, LABEL, WEIGHT, LazyTable
from agreement_fast.errors import InputError
from agreement_fast.patterns import count_rows
from agreement_fast.reading import frames, labels
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.parts import Parts

__all__ = ["read_counts"]

#: The number of bits of an integer that all engines support.
BITS = 63
#: The column with the counts of an item as digits of one number.
PACKED = "af_packed"


class _Seen:
    """The distinct labels as the engine has them, and their categories."""

    def __init__(self, table: LazyTable, seen: Any, asked: Asked) -> None:
        import narwhals as nw

        given = seen.filter(~nw.col(LABEL).is_null())
        _, self.values = encode_sorted_ids(frames.column(given[LABEL]), "label")
        declared = table.declared if asked.categories is None else asked.categories
        self.declared = declared is not None
        raw, self.categories = labels.encode(
            np.array([*self.values, None], object)[:-1],
            None,
            labels.declared_categories(declared),
            lambda place: f"column {table.names['label'][0]!r}",
            None,
            asked.set_separator,
        )
        self.codes = raw.codes(len(self.categories)).astype(np.int64)
        if not self.declared:
            self.categories, self.codes = in_own_order(self.categories, self.codes)

    def counts(self, found: Any, n_coders: int) -> Array:
        """Return how often each row has each category: int64 (rows, K)."""
        out = np.zeros((len(found), len(self.categories)), np.int64)
        for column, code in zip(self._columns(found, n_coders), self.codes.tolist(), strict=True):
            out[:, code] += column
        return out

    def marginals(self, query: Any, coders: Sequence[Any], queries: Queries) -> Array:
        """Return the sums of WEIGHT by CODER and LABEL: int64 (C, K)."""
        found = queries.fetch(query)
        assert found is not None
        out = np.zeros((len(coders), len(self.categories)), np.int64)
        row = places(found[CODER], coders, "coder")
        column = self.codes[places(found[LABEL], self.values, "label")]
        np.add.at(out, (row, column), integers(found[WEIGHT]))
        return out

    def _bits(self, n_coders: int) -> int:
        """Return the bits of each digit of PACKED; 0 if they do not fit into one number."""
        bits = n_coders.bit_length()
        return bits if bits * len(self.values) <= BITS else 0

    def _columns(self, found: Any, n_coders: int) -> list[Array]:
        bits = self._bits(n_coders)
        if not bits:
            return [integers(found[name]) for name in self.names(n_coders)]
        packed = integers(found[PACKED])
        return [(packed >> (bits * i)) & ((1 << bits) - 1) for i in range(len(self.values))]

    def names(self, n_coders: int) -> list[str]:
        """The names of the columns of counts."""
        if self._bits(n_coders):
            return [PACKED]
        return [f"af_count_{i}" for i in range(len(self.values))]

    def rows(self, n_coders: int) -> list[Any]:
        """Return what each row adds to these columns."""
        import narwhals as nw

        zero = nw.lit(0, nw.Int64)
        bits = self._bits(n_coders)
        if not bits:
            one = nw.lit(1, nw.Int64)
            return [nw.when(nw.col(LABEL) == v).then(one).otherwise(zero) for v in self.values]
        digit = zero
        for i, value in enumerate(self.values):
            own = nw.lit(1 << (bits * i), nw.Int64)
            digit = nw.when(nw.col(LABEL) == value).then(own).otherwise(digit)
        return [digit]


def read_counts(
    table: LazyTable,
    coders: Sequence[Any],
    seen: Any,
    asked: Asked,
    queries: Queries,
    most: int,
) -> Found | None:
    """Return the distinct counts and the coders' marginals; None if there are more than `most`.

    Parameters
    ----------
    seen : frame
        The result of `table.look`.
    """
    import narwhals as nw

    check_repeats(table, queries)
    known = _Seen(table, seen, asked)
    names = known.names(len(coders))
    columns: dict[str, Any] = {
        name: (row, "sum") for name, row in zip(names, known.rows(len(coders)), strict=True)
    }
    items = by_item(table, {**columns, GIVEN: (nw.col(GIVEN), "sum")})
    found = queries.fetch(alike(table, items, [*names, GIVEN]), most)
    if found is None:
        return None
    if integers(found[CONFLICTS]).any():
        raise refuse_conflicts(table, queries)
    counts = known.counts(found, len(coders))
    if (counts.sum(1) != integers(found[GIVEN])).any():
        raise InputError(
            f"the engine cannot match the labels of column {table.names['label'][0]!r} with those"
            " that it returned before, and so cannot count them",
            "cast them to text",
            argument="label",
        )
    check_given(table, found)
    kept = distinct(table, found, counts)
    every = known.marginals(_by_label(_judged(table)), coders, queries)
    alone = np.zeros_like(every)
    single = integers(found[GIVEN]) == 1
    if single.any():
        alone = known.marginals(_by_label(judged_once(table, [LABEL])), coders, queries)
    n_items = integers(found[N_ITEMS])
    for marginals, rows in ((every, slice(None)), (alone, single)):
        if (marginals.sum(0) != n_items[rows] @ counts[rows]).any():
            raise changed()
    counts, categories = counts[kept.rows], known.categories
    if not known.declared:
        used = np.flatnonzero(counts.any(0))
        counts, every, alone = counts[:, used], every[:, used], alone[:, used]
        categories = tuple(categories[i] for i in used.tolist())
    counted = count_rows(counts, kept.weights)
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
    return Found(made, kept.beside)


def _judged(table: LazyTable) -> Any:
    """Return the judgments, and the weights of their items."""
    import narwhals as nw

    judged = table.frame.filter(nw.col(GIVEN) == 1)
    # Polars sums 32-bit integers in 32 bits.
    weight = nw.col(WEIGHT).cast(nw.Int64) if table.weighted else nw.lit(1, nw.Int64)
    return judged.with_columns(weight.alias(WEIGHT))


def _by_label(judged: Any) -> Any:
    """Return how often each coder used each label."""
    import narwhals as nw

    return judged.group_by(CODER, LABEL).agg(nw.col(WEIGHT).sum())

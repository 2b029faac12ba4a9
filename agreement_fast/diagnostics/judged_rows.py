"""A table with one judgment per row, for analyses that need the order of the judgments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.diagnostics.gold import as_column
from agreement_fast.errors import InputTypeError
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.patterns import Rows, narrow
from agreement_fast.points import Point
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids


class OfRounds(NamedTuple):
    """The agreement of one coder's rounds, and the numbers of items.

    Attributes
    ----------
    agreement : StandardError
        The agreement, with its standard error and interval.
    n_rounds : int
        The highest number of judgments of an item.
    n_items, n_alike, n_once : int
        The number of items that were judged at least twice, of those among them with a single
        label, and of items that were judged once.
    """

    agreement: StandardError
    n_rounds: int
    n_items: int
    n_alike: int
    n_once: int


def turns(items: Array) -> Array:
    """Number the judgments of each item from 0, in the order of the rows."""
    order = np.argsort(items, kind="stable")
    sizes = np.bincount(items)
    begin = np.cumsum(sizes) - sizes
    out = np.empty(len(items), np.int64)
    out[order] = np.arange(len(items)) - begin[items[order]]
    return out


def of_rounds(
    said: Annotations, items: Array, rounds: Array, codes: Array, point: Point, level: float
) -> OfRounds:
    """Compute the agreement of one coder's rounds; judgments are sorted by item and round."""
    sizes = np.unique_counts(items).counts
    kept = np.repeat(sizes > 1, sizes)
    rounds, codes = rounds[kept], codes[kept]
    start = np.concatenate([[0], np.cumsum(sizes[sizes > 1])]).astype(np.int64)
    rows = Rows(codes.astype(narrow(len(said.labels))), 0, start, rounds.astype(np.int32))
    runs = Annotations.assemble(
        categories=said.categories,
        declared=said.declared,
        items=range(rows.n_rows),
        coders=range(int(rounds.max(initial=1)) + 1),
        rows=rows,
    )
    first = np.repeat(codes[start[:-1]], np.diff(start))
    others = np.bincount(np.repeat(np.arange(rows.n_rows), np.diff(start)), codes != first)
    return OfRounds(
        standard_error(
            runs, point.name, distance=point.distance, confidence_level=level, transform="atanh"
        ),
        int(sizes.max(initial=0)),
        rows.n_rows,
        int((others == 0).sum()),
        int((sizes == 1).sum()),
    )


class JudgedRows(NamedTuple):
    """The judgments of a table, row by row; rows without a label are left out.

    Attributes
    ----------
    item, coder : int arrays of shape (n,)
        Codes of the item and the coder.
    item_names : sequence
        The names of the items, in the order of their first rows.
    coder_names : list
        The sorted names of the coders.
    labels : Annotations
        The labels of all rows, as judgments of one coder with a row for each item.
    codes : int array of shape (n,)
        The category of each judgment, as an index of those of `labels`.
    row : int array of shape (n,)
        The row of each judgment in the table.
    """

    item: Array
    item_names: Any
    coder: Array
    coder_names: list[Any]
    labels: Annotations
    codes: Array
    row: Array

    def by_item(self, chosen: Array) -> tuple[Annotations, Array]:
        """Return some judgments as annotations, and their indices in the order of these.

        No coder may have judged an item twice. O(n log n).
        """
        order = chosen[np.lexsort((self.coder[chosen], self.item[chosen]))]
        sizes = np.bincount(self.item[order], minlength=len(self.item_names))
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        labels = self.labels
        codes = self.codes[order].astype(narrow(len(labels.labels)))
        data = Annotations.assemble(
            categories=labels.categories,
            declared=labels.declared,
            items=self.item_names,
            coders=self.coder_names,
            rows=Rows(codes, 0, start, self.coder[order].astype(np.int32)),
        )
        return data, order


def judged_rows(
    data: Any,
    item: str | None,
    coder: str | None,
    label: str | None,
    missing: Any = None,
    categories: Any = None,
) -> JudgedRows:
    """Read the judgments of a data frame. O(n)."""
    frames.refuse_grouped(data)
    if not frames.is_frame(data):
        raise InputTypeError.must_be(
            "data", "a data frame with one judgment per row", type(data).__name__
        )
    data = frames.at_hand(data)
    roles = frames.judgment_roles(data, item=item, coder=coder, label=label)
    items, coders, said = frames.pick(data, **roles)
    what, item_names = encode_ids(items, "item")
    who, coder_names = encode_sorted_ids(coders, "coder")
    labels = Annotations.from_long(
        np.arange(len(what)),
        np.zeros(len(what), np.int64),
        said,
        missing=missing,
        categories=categories,
    )
    codes = as_column(labels.rows)
    row = np.flatnonzero(codes >= 0)
    return JudgedRows(what[row], item_names, who[row], coder_names, labels, codes[row], row)

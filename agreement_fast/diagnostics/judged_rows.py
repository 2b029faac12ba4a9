"""A table of one judgment a row, of which more is asked than annotations keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.diagnostics.gold import as_column
from agreement_fast.errors import InputTypeError
from agreement_fast.patterns import Rows, narrow
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids


class JudgedRows(NamedTuple):
    """The judgments of a table, row by row; rows without a label are left out.

    Attributes
    ----------
    item, coder : int arrays of shape (n,)
    item_names : sequence
        In the order of their first row.
    coder_names : list
        Sorted.
    labels : Annotations
        The labels as one coder's judgments of one item a row, also of those that are left out.
    codes : int array of shape (n,)
        The category of each judgment among those of `labels`.
    row : int array of shape (n,)
        Where each judgment stands in the table.
    """

    item: Array
    item_names: Any
    coder: Array
    coder_names: list[Any]
    labels: Annotations
    codes: Array
    row: Array

    def by_item(self, chosen: Array) -> tuple[Annotations, Array]:
        """Some judgments as annotations, and these in the order of the lists that they are.

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
    if not frames.is_frame(data):
        raise InputTypeError.must_be(
            "data", "a data frame of one judgment a row", type(data).__name__
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

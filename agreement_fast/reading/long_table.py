"""Annotations as a table with one judgment per row, in full or only its two ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.patterns import Rows, cut_rows, row_of
from agreement_fast.present.tables import SHOWN, html_of

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


def judgment_columns(annotations: Annotations) -> Mapping[str, Array]:
    """Return the columns item, coder, label and, if there are weights, weight.

    Counts have no coders: there is a row for each item and label, with a column count.
    """
    return _columns(annotations, annotations.rows, 0)


def judgments_in_notebook(annotations: Annotations) -> str:
    """Return the first and the last judgments as HTML, in time independent of the others."""
    rows = annotations.rows
    parts = [(rows, 0)]
    if rows.n_rows > 2 * SHOWN:
        last = rows.n_rows - SHOWN
        parts = [(cut_rows(rows, 0, SHOWN), 0), (cut_rows(rows, last, rows.n_rows), last)]
    result = [_columns(annotations, part, first) for part, first in parts]
    n_judgments = int(np.count_nonzero(rows.codes >= 0))
    columns = {
        name: [*result[0][name], *(result[1][name] if result[1:] else ())] for name in result[0]
    }
    if len(columns["item"]) > 2 * SHOWN:
        columns = {name: [*all_[:SHOWN], *all_[-SHOWN:]] for name, all_ in columns.items()}
    return html_of(repr(annotations), columns, n_judgments)


def _columns(annotations: Annotations, rows: Rows, first: int) -> dict[str, Array]:
    """Return the judgments of some rows, which begin at row `first`."""
    where = np.flatnonzero(rows.codes >= 0)
    row = row_of(rows, where)
    items = annotations.items[first : first + rows.n_rows]
    result = {"item": np.fromiter(items, object)[row]}
    names = annotations.coders
    if names is not None and (rows.width or rows.coders is not None):
        coder = where % rows.width if rows.width else rows.coders
        assert coder is not None
        result["coder"] = np.fromiter(names, object)[coder if rows.width else coder[where]]
    result["label"] = np.fromiter(annotations.categories, object)[rows.codes[where]]
    if rows.repeats is not None:
        result["count"] = rows.repeats[where]
    if rows.weights is not None:
        result["weight"] = rows.weights[row]
    return result

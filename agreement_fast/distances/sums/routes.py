"""The choice of the rows that are summed, from the shape of the data.

============  ====================================================  ==============================
route         rows that are summed                                  used if
============  ====================================================  ==============================
``keys``      distinct rows, from a histogram of row keys           reading a table found that its
                                                                    keys fit 17 bits, and that
                                                                    rows are many
``counts``    distinct rows of counts n_ik, without coders          pairs of labels are summed, rows
                                                                    are many and their counts fit
                                                                    64 bits
``rows``      the rows themselves                                   none of the others applies
``patterns``  distinct rows, by hashing                             it is passed
============  ====================================================  ==============================

Counts that were read as counts are summed as they are. For distances other than nominal, the
items' pairs of labels are listed, or the counts of all labels are multiplied with the matrix of
distances, whichever is less work: see `are_dense`.

Reading uses the route ``keys`` if it can, before this choice: see `patterns.key_histogram`. All
routes give the same sums. Each distance then chooses between features, positions, a matrix and
blocks of a matrix: see `forms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agreement_fast._kernels._sums import WIDEST
from agreement_fast.errors import InputError
from agreement_fast.patterns import CountTable, Rows, group_rows, tally
from agreement_fast.reading.kept_moments import group_counts

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.distances.forms import Form


#: The number of rows below which grouping costs more than it saves.
FEW = 4096

#: Pairs of labels that are multiplied in the time in which one is listed.
AT_ONCE = 20

#: The most labels whose distances are computed as a matrix.
MATRIX_LABELS = 1 << 10


def are_dense(form: Form, n_rows: int, squares: int, n_labels: int) -> bool:
    """Say whether all pairs of labels are less work than those of each row.

    Parameters
    ----------
    squares : int
        The sum over the rows of the square of the number of distinct labels.
    """
    if form.kind in ("nominal", "squared") or (form.kind != "matrix" and n_labels > MATRIX_LABELS):
        return False
    return squares * AT_ONCE > n_rows * n_labels**2


def summed(annotations: Annotations) -> Rows | CountTable:
    """Return what is counted: patterns that reading found, counts as they were read, or rows."""
    if annotations.known_patterns is not None:
        return annotations.known_patterns
    K = len(annotations.labels)
    if annotations.count_table is not None and K:
        return annotations.count_table
    rows = annotations.rows
    columns = 0 < rows.width <= WIDEST and rows.codes.itemsize < 4
    if columns or rows.repeats is not None or not 0 < rows.n_rows * K <= len(rows.codes):
        return rows
    return tally(rows, K) if rows.longest() < np.iinfo(np.int16).max else rows


def choose(annotations: Annotations, route: str | None = None) -> Rows:
    """Choose the rows to sum; `route` forces a route, or raises ValueError if it is impossible."""
    if route is None:
        if annotations.known_patterns is not None:
            return annotations.known_patterns
        return condensed(annotations.rows, len(annotations.labels))
    if route == "keys" and annotations.known_patterns is not None:
        return annotations.known_patterns
    if route == "counts":
        grouped = group_counts(annotations.rows, len(annotations.labels))
        if grouped is not None:
            return grouped
    if route == "rows":
        return annotations.rows
    if route == "patterns":
        return group_rows(annotations.rows)
    raise InputError(f"these annotations cannot use the route {route!r}", argument="route")


def condensed(rows: Rows, n_categories: int) -> Rows:
    """Group rows of equal counts if there are many rows and they repeat."""
    grouped = group_counts(rows, n_categories) if rows.n_rows >= FEW else None
    return rows if grouped is None else grouped

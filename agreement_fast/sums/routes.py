"""Which rows the sums are taken over, from the shape of the data.

============  ====================================================  ==============================
route         what is summed                                        taken when
============  ====================================================  ==============================
``keys``      distinct rows, from a histogram of row keys           reading a table found that its
                                                                    keys fit 17 bits, and that
                                                                    rows are many
``counts``    distinct rows of counts n_ik, who said what left out  pairs of labels are summed, rows
                                                                    are many and their counts fit
                                                                    64 bits
``rows``      the rows as they are                                  else
``patterns``  distinct rows, by hashing them                        only when asked for
============  ====================================================  ==============================

Reading takes the route ``keys`` where it can, before anything is chosen here: see
`patterns.key_histogram`. All give the same sums. A distance then decides for itself between
features, positions, a matrix and blocks of one: see `forms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agreement_fast.errors import InputError
from agreement_fast.packed_counts import group_counts
from agreement_fast.patterns import Rows, group_rows

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


#: Rows below which grouping them costs more than it saves.
FEW = 4096


def choose(annotations: Annotations, route: str | None = None) -> Rows:
    """The rows to sum over; `route` forces one, a ValueError saying that it cannot be taken."""
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
    raise InputError(f"these annotations cannot take the route {route!r}", argument="route")


def condensed(rows: Rows, n_categories: int) -> Rows:
    """Rows of equal counts as one, where rows are many and repeat."""
    grouped = group_counts(rows, n_categories) if rows.n_rows >= FEW else None
    return rows if grouped is None else grouped

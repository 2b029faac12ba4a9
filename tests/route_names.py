"""The routes by which rows are summed; all must give the same result."""

from agreement_fast.distances.sums.categories import CategorySums
from agreement_fast.patterns import group_rows, tally
from agreement_fast.reading.kept_moments import group_counts

#: The most counts that are written out.
MOST = 1 << 22

ROUTES = ("keys", "counts", "rows", "patterns", "tallies")


def rows_by(data, route):
    """The rows of a route other than tallies, or ValueError if it cannot be taken."""
    rows = data.rows
    if route == "keys":
        rows = data.known_patterns
    elif route == "counts":
        rows = group_counts(rows, len(data.labels))
    elif route == "patterns":
        rows = group_rows(rows)
    if rows is None:
        raise ValueError(f"these annotations cannot use the route {route!r}")
    return rows


def sums_by(data, route):
    """The sums of annotations by a route, or ValueError if it cannot be taken.

    By way of tallies, the counts of all labels are multiplied with every matrix of distances.
    """
    if route != "tallies":
        return CategorySums(data, rows_by(data, route))
    if not data.labels:
        raise ValueError("no labels are counted")
    table, K = data.count_table, len(data.labels)
    if table is None and data.grouped().repeats is not None:
        raise ValueError("counts are not tallied")
    if table is None and data.grouped().n_rows * K > MOST:
        raise ValueError("tallies would fill the memory")
    sums = CategorySums(data, tally(data.grouped(), K) if table is None else table)
    if sums._by_size is not None:
        sums._by_size.squares = 1 << 40
    return sums

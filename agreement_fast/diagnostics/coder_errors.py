"""How sure it is what leaving out a coder changes: the delta method over the same items.

With and without the coder the coefficient is of the same items, so the variance of the difference
is that of the differences of the items' influences, which is far less than that of either.
"""

from __future__ import annotations

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.diagnostics.gains import coded, error_of_change
from agreement_fast.distances import ranked_among
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.inference.intervals import ROUNDING
from agreement_fast.patterns import group_rows, row_sizes
from agreement_fast.points import Point

#: Judgments that are looked at, of all coders together, which nobody asked for: a moment.
UNASKED = 2e6

NOT_ASKED = "no intervals of the changes: they were not asked for"
TOO_LONG = "no intervals of the changes: {} coders take long; ask with intervals=True"
NO_SLOPE = "no intervals of the changes: no standard error in closed form is known"


def change_intervals(
    annotations: Annotations,
    point: Point,
    incomplete: str,
    change: FloatArray,
    confidence_level: float,
    asked: bool | None,
) -> tuple[FloatArray, FloatArray, FloatArray, str | None]:
    """Standard error and both ends of what leaving out each coder changes, or why there are none.

    O(coders · judgments of the distinct rows).

    Parameters
    ----------
    change : float64 array of shape (C,)
    asked : bool or None
        None computes them where that takes a moment.
    """
    names = annotations.known_coders("the interval of a change")
    errors = np.full(len(names), np.nan)
    if asked is False:
        return errors, errors, errors, NOT_ASKED
    if not point.has_slope:
        return errors, errors, errors, NO_SLOPE
    data = _distinct(annotations)
    if asked is None and len(names) * float(row_sizes(data.rows).sum()) > UNASKED:
        return errors, errors, errors, TOO_LONG.format(f"{len(names):,}")
    distance = ranked_among(point.distance, annotations.labels)
    point = Point(point.name, point.chance, point.item_weight, distance)
    whole = coded(data, point, incomplete)
    items = np.zeros(len(names))
    for c in np.flatnonzero(~np.isnan(change)).tolist():
        rest = data.select(coders=[*names[:c], *names[c + 1 :]])
        errors[c], items[c] = error_of_change(whole, coded(rest, point, incomplete))
    errors[errors <= ROUNDING] = np.nan
    low, high = interval_ends(change, errors, items, confidence_level, "none")
    return errors, low, high, None


def _distinct(annotations: Annotations) -> Annotations:
    """The distinct rows as items."""
    rows = group_rows(annotations.grouped())
    return Annotations.assemble(
        categories=tuple(annotations.categories),
        declared=annotations.declared,
        items=range(rows.n_rows),
        coders=annotations.coders,
        rows=rows,
        weights=rows.weights,
    )

"""Intervals of the change without each coder, by the delta method over the same items.

The coefficients with and without the coder use the same items. So the variance of their difference
is that of the differences of the items' influences, which is far smaller than that of either.
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

#: The most judgments, over all coders, for which intervals are computed by default.
UNASKED = 2e6

NOT_ASKED = "no intervals of the changes, because intervals=False"
TOO_LONG = "no intervals of the changes: {} coders take long; pass intervals=True to compute them"
NO_SLOPE = "no intervals of the changes: no standard error in closed form is known"


def change_intervals(
    annotations: Annotations,
    point: Point,
    incomplete: str,
    change: FloatArray,
    confidence_level: float,
    asked: bool | None,
) -> tuple[FloatArray, FloatArray, FloatArray, str | None]:
    """Compute the standard error and interval of the change without each coder, or why not.

    O(coders · judgments of the distinct rows).

    Parameters
    ----------
    annotations : Annotations
        The judgments.
    point : Point
        The coefficient and its distance.
    incomplete : str
        Which items count.
    change : float64 array of shape (C,)
        The changes.
    confidence_level : float
        The level of the intervals.
    asked : bool or None
        Whether to compute them; None computes them if that is fast.
    """
    names = annotations.known_coders("the interval of a change")
    errors = np.full(len(names), np.nan)
    if asked is False:
        return errors, errors, errors, NOT_ASKED
    if not point.has_slope:
        return errors, errors, errors, NO_SLOPE
    # The distinct rows as items
    rows = group_rows(annotations.grouped())
    data = Annotations.assemble(
        categories=tuple(annotations.categories),
        declared=annotations.declared,
        items=range(rows.n_rows),
        coders=annotations.coders,
        rows=rows,
        weights=rows.weights,
    )
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

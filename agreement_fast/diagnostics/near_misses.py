"""Labels that have an order, measured as if they had none."""

from __future__ import annotations

import math
from collections.abc import Iterator

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.finding import Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.points import Point
from agreement_fast.results import Agreement


def near_misses(annotations: Annotations, result: Agreement, incomplete: str) -> Iterator[Finding]:
    """Find ordered labels that agree better with the ordinal distance than with the nominal one."""
    labels = annotations.labels
    numbers = all(isinstance(label, int | float) for label in annotations.categories[:1000])
    if result.distance != "nominal" or len(labels) < 3 or not (numbers or annotations.declared):
        return
    by_label, by_rank = (Point.of("alpha", name) for name in ("nominal", "ordinal"))
    added = gain(annotations, annotations, by_label, incomplete, other=by_rank)
    if not added.worth_reporting:
        return
    what = "numbers" if numbers else "declared in an order"
    ordinal, nominal = added.value, added.value - added.gain
    yield Finding(
        "near misses",
        math.nan,
        f"The labels are {what}. With the ordinal distance, for which near misses count less,"
        f" alpha is {ordinal:.3f} instead of {nominal:.3f}.",
        "If the labels form a scale, use the ordinal or the interval distance.",
        {"ordinal": ordinal, "nominal": nominal, "p_value": added.p_value},
    )

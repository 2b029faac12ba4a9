"""How a value and its interval would be read by published scales, if these apply."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agreement_fast.chance import CHANCE
from agreement_fast.report.intervals import shown_ends
from agreement_fast.report.scales import REPORTED, WEIGHTED_WARNING
from agreement_fast.scales import Band, Scale

if TYPE_CHECKING:
    from agreement_fast.report.content import Report


#: Why no scale applies to S and AC.
COUNTING_WARNING = (
    "S and AC assume that chance agreement is rare even if one category prevails, so that the same"
    " coders get a higher value: scales that were made for kappa and alpha do not apply."
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One scale's word for a value, and for both ends of its interval.

    Attributes
    ----------
    scale : Scale
    band : Band
        Of the value.
    low, high : Band or None
        The bands of the ends of the interval; None if there is none.
    """

    scale: Scale
    band: Band
    low: Band | None
    high: Band | None

    @property
    def crosses(self) -> bool:
        """Whether the interval reaches into another band than the value's."""
        return self.low is not None and self.low is not self.high


def readings(report: Report) -> tuple[Reading, ...]:
    """Read the quoted coefficient; empty if no scale applies or if it has no value."""
    result, interval = report.table[report.quoted], report.quoted_interval
    if why_not_read(report) is not None:
        return ()
    found = []
    for scale in REPORTED:
        band = scale.read(result.value)
        if band is None:
            continue
        ends: list[Band | None] = [None, None]
        low, high = shown_ends(interval)
        if not math.isnan(low):
            ends = [scale.read(low), scale.read(high)]
        found.append(Reading(scale, band, *ends))
    return tuple(found)


def why_not_read(report: Report) -> str | None:
    """Say why no scale is for the coefficient that is quoted; None where they are."""
    result = report.table[report.quoted]
    if result.distance != "nominal":
        return WEIGHTED_WARNING
    if CHANCE[result.chance].counts_categories:
        return COUNTING_WARNING
    return None

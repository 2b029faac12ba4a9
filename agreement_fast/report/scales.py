"""The scales that a report prints: three published conventions, and what to say beside them.

References
----------
Artstein, R., & Poesio, M. (2008). Inter-coder agreement for computational linguistics, 4.1.3 and
4.4. *Computational Linguistics*, 34(4), 555-596.
"""

from __future__ import annotations

from typing import Protocol

from agreement_fast.scales import Band, find_scale


class Measured(Protocol):
    """A value of a coefficient under a distance."""

    @property
    def distance(self) -> str: ...
    @property
    def value(self) -> float: ...


#: More would be noise; `agreement_fast.report.read_value` has them all.
REPORTED = tuple(
    map(find_scale, ("landis_koch_1977", "krippendorff_1980_carletta_1996", "neuendorf_2002"))
)


def read_all(result: Measured) -> tuple[Band | None, ...]:
    """Give the band of each of these; None where a value is undefined or no scale is for it.

    Parameters
    ----------
    result : Agreement, or a result of `agreement_fast.inference`
        Under another distance than nominal no scale is meant for it (Artstein & Poesio 2008, 4.4).
    """
    meant = result.distance == "nominal"
    return tuple(scale.read(result.value) if meant else None for scale in REPORTED)


#: What to say beside any reading; docs/report.md says more.
WARNING = (
    "These thresholds are conventions: they disagree with one another, and which value is enough"
    " depends on what the labels are for (Artstein & Poesio 2008, 4.1.3)."
)

#: What to add where a distance other than nominal was used.
WEIGHTED_WARNING = (
    "With another distance than nominal the value moves with the choice of the distance: these"
    " scales should not be used there (Artstein & Poesio 2008, 4.4)."
)

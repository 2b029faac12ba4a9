"""Alignment of units

The alignment of γ: lines join units of different coders that are aligned with each other.
"""

from agreement_fast import plots, units

data = units.Continuum.from_rows(
    coders=["Ann", "Ann", "Ann", "Bea", "Bea", "Bea", "Cid", "Cid"],
    starts=[2, 20, 34, 2, 19, 35, 3, 20],
    ends=[14, 30, 46, 13, 30, 46, 14, 33],
    categories=["claim", "claim", "reason", "claim", "claim", "reason", "claim", "reason"],
    extents=50,
)
ax = plots.units(units.align(data))

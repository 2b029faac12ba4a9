"""Units of a document

A lane for each coder. Nested units are above each other.
"""

from agreement_fast import plots, units

data = units.Continuum.from_rows(
    coders=["Ann", "Ann", "Ann", "Ann", "Bea", "Bea", "Bea", "Cid", "Cid"],
    starts=[2, 4, 20, 34, 2, 19, 35, 3, 20],
    ends=[14, 9, 30, 46, 13, 30, 46, 14, 33],
    categories=[
        "claim",
        "person",
        "claim",
        "reason",
        "claim",
        "claim",
        "reason",
        "claim",
        "reason",
    ],
    extents=50,
)
ax = plots.units(data)

"""A page of units

The same for units of a text, with the documents as lanes and the places of disagreement.
"""

import agreement_fast as af
from agreement_fast import units

data = units.Continuum.from_rows(
    coders=["Ann", "Ann", "Ann", "Bea", "Bea", "Bea", "Cid", "Cid"],
    starts=[2, 20, 34, 2, 19, 35, 3, 20],
    ends=[14, 30, 46, 13, 30, 46, 14, 33],
    categories=["claim", "claim", "reason", "claim", "claim", "reason", "claim", "reason"],
    extents=50,
)
page = af.report(data).page(title="Claims and reasons")
page.save("units.html")

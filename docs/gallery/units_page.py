"""A page of units

The same for units of a text, with the documents as lanes and the places of disagreement.
"""

from agreement_fast import units
from agreement_fast.page import units_page

data = units.Continuum.from_rows(
    coders=["Ann", "Ann", "Ann", "Bea", "Bea", "Bea", "Cid", "Cid"],
    starts=[2, 20, 34, 2, 19, 35, 3, 20],
    ends=[14, 30, 46, 13, 30, 46, 14, 33],
    categories=["claim", "claim", "reason", "claim", "claim", "reason", "claim", "reason"],
    extents=50,
)
page = units_page(data, title="Claims and reasons")
page.save("units.html")

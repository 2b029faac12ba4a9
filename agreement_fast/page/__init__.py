"""One page of HTML to forward: a file without any other, which opens offline.

=================  ===========================================================================
function           what the page shows
=================  ===========================================================================
`page`             a study: verdict, what costs agreement, coefficients, coders, categories,
                   items, and how it was computed
`units_page`       units of a continuum: coefficients, coders, categories, documents as lanes
=================  ===========================================================================

`Page` is what they give: ``page(data).save("report.html")``. `page_of` and
`units_page_of` take what was computed already.
"""

from agreement_fast.page.result import Page
from agreement_fast.page.study import page, page_of
from agreement_fast.page.units import units_page, units_page_of

__all__ = ["Page", "page", "page_of", "units_page", "units_page_of"]

"""A report as a single HTML file that works offline.

=================  ===========================================================================
function           what the page shows
=================  ===========================================================================
`page`             a study: verdict, what costs agreement, coefficients, coders, categories,
                   items, and how it was computed
`units_page`       units of a continuum: coefficients, coders, categories, documents as lanes
=================  ===========================================================================

Both return a `Page`: ``page(data).save("report.html")`` writes the file. `page_of` and
`units_page_of` make the page of a report that was computed before. `sections` has the page of
any command.
"""

from agreement_fast.reports.rendering import Page
from agreement_fast.reports.study import page, page_of
from agreement_fast.reports.units import units_page, units_page_of

__all__ = ["Page", "page", "page_of", "units_page", "units_page_of"]

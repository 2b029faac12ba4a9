"""One page of HTML to forward: a file without any other, which opens offline.

=================  ===========================================================================
function           what the page shows
=================  ===========================================================================
`page`             a study: verdict, what costs agreement, coefficients, coders, categories,
                   items, and how it was computed
=================  ===========================================================================

`Page` is what they give: ``page(data).save("report.html")``.
"""

from agreement_fast.page.result import Page
from agreement_fast.page.study import page, page_of

__all__ = ["Page", "page", "page_of"]

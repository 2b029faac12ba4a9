"""A report on annotations that a newcomer can read: what is there, how far coders agree, why.

It computes nothing of its own beyond counting: the numbers are those of `agreement_table`,
`observed_agreement` and `agreement_fast.inference`. `read_value` gives the words that published
conventions (`SCALES`) have for a value.
"""

from agreement_fast.reports.content import CategoryCount, Report, report
from agreement_fast.reports.paper import citation
from agreement_fast.scales import SCALES, read_value

__all__ = ["SCALES", "CategoryCount", "Report", "citation", "read_value", "report"]

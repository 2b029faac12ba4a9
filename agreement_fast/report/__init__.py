"""A report on annotations that a newcomer can read: what is there, how far coders agree, why.

It computes nothing of its own beyond counting: the numbers are those of `agreement_table`,
`observed_agreement` and `agreement_fast.inference`.
"""

from agreement_fast.reports.content import CategoryCount, Report, report
from agreement_fast.reports.paper import citation

__all__ = ["CategoryCount", "Report", "citation", "report"]

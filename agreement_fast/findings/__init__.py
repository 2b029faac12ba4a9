"""What costs agreement, in order of what it costs, in sentences that say what to do.

Each finding is a change that could be made (a coder less, two categories as one, a few items
settled) and what the coefficient would be with it, computed and not estimated. Beside them stands
what a reader of the coefficient should know: a category that is nearly all there is, near misses
that a distance would forgive, an interval that is wide.
"""

from agreement_fast.findings.content import Finding, Findings, findings

__all__ = ["Finding", "Findings", "findings"]

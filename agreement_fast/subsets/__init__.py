"""Studies over coders: what a coefficient would have been with fewer of them, or with others."""

from agreement_fast.subsets.judgments import (
    AgainstRest,
    LeaveOneOut,
    LeftOut,
    leave_one_coder_out,
    one_against_rest,
)
from agreement_fast.subsets.pruning import PrunedAgreement, prune, pruned_agreement
from agreement_fast.subsets.references import ReferenceStability, reference_stability
from agreement_fast.subsets.study import SizeSummary, SubsetStudy, coder_subsets

__all__ = [
    "AgainstRest",
    "LeaveOneOut",
    "LeftOut",
    "PrunedAgreement",
    "ReferenceStability",
    "SizeSummary",
    "SubsetStudy",
    "coder_subsets",
    "leave_one_coder_out",
    "one_against_rest",
    "prune",
    "pruned_agreement",
    "reference_stability",
]

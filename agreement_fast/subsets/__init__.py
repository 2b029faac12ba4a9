"""Studies over coders: what a coefficient would have been with fewer of them, or with others."""

from agreement_fast.subsets.references import ReferenceStability, reference_stability
from agreement_fast.subsets.results import SizeSummary, SubsetStudy
from agreement_fast.subsets.study import coder_subsets

__all__ = [
    "ReferenceStability",
    "SizeSummary",
    "SubsetStudy",
    "coder_subsets",
    "reference_stability",
]

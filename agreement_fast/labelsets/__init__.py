"""Names on their way to others."""

from agreement_fast.labelsets.codes import CodeAgreement, CodeTable, CodeValue, code_agreement
from agreement_fast.reading.set_labels import from_indicators, from_masks

__all__ = [
    "CodeAgreement",
    "CodeTable",
    "CodeValue",
    "code_agreement",
    "from_indicators",
    "from_masks",
]

"""What disagrees and why: items, coders, pairs of coders, categories, bias and prevalence."""

from agreement_fast.diagnostics.bias import Bias, bias, bias_by_coders
from agreement_fast.diagnostics.categories import (
    CategoryAgreement,
    CategoryTable,
    Confusion,
    category_agreement,
    category_confusions,
)

__all__ = [
    "Bias",
    "CategoryAgreement",
    "CategoryTable",
    "Confusion",
    "bias",
    "bias_by_coders",
    "category_agreement",
    "category_confusions",
]

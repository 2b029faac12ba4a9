"""What disagrees and why: items, coders, pairs of coders, categories, bias and prevalence."""

from agreement_fast.diagnostics.categories import (
    CategoryAgreement,
    CategoryTable,
    Confusion,
    category_agreement,
    category_confusions,
)

__all__ = [
    "CategoryAgreement",
    "CategoryTable",
    "Confusion",
    "category_agreement",
    "category_confusions",
]

"""Measures that are not agreement but are often reported as such, with intervals."""

from agreement_fast.measures.beside import (
    LimitsOfAgreement,
    MeasureTable,
    limits_of_agreement,
    table,
)
from agreement_fast.measures.correlations import (
    CronbachOfSize,
    correlations,
    cronbach_alpha,
    cronbach_subsets,
    intraclass_correlations,
    kendall_w,
    overall_concordance,
)
from agreement_fast.measures.measure import Measure, Measures

__all__ = [
    "CronbachOfSize",
    "LimitsOfAgreement",
    "Measure",
    "MeasureTable",
    "Measures",
    "correlations",
    "cronbach_alpha",
    "cronbach_subsets",
    "intraclass_correlations",
    "kendall_w",
    "limits_of_agreement",
    "overall_concordance",
    "table",
]

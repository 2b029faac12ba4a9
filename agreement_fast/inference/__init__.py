"""How sure a coefficient is: standard errors, bootstrap intervals, comparisons, tests."""

from typing import TYPE_CHECKING

from agreement_fast import lookups

if TYPE_CHECKING:
    from agreement_fast.inference.category_maps import category_merging
    from agreement_fast.inference.coefficient_test import category_test, coefficient_test
    from agreement_fast.inference.delta_method import standard_error
    from agreement_fast.inference.marginal import association, marginal_test
    from agreement_fast.inference.sample_sizes import (
        chance_agreements,
        items_needed,
        judgments_needed,
        minimum_units,
        spearman_brown,
    )
    from agreement_fast.inference.scales import SCALES, benchmark

__all__ = [
    "SCALES",
    "association",
    "benchmark",
    "category_merging",
    "category_test",
    "chance_agreements",
    "coefficient_test",
    "items_needed",
    "judgments_needed",
    "marginal_test",
    "minimum_units",
    "spearman_brown",
    "standard_error",
]

#: Public names by their modules, which are loaded on first use.
_HOMES = {
    "category_maps": "category_merging",
    "coefficient_test": "category_test coefficient_test",
    "delta_method": "standard_error",
    "marginal": "association marginal_test",
    "sample_sizes": "chance_agreements items_needed judgments_needed minimum_units spearman_brown",
    "scales": "SCALES benchmark",
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__, _HOMES)

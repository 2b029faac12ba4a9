"""How sure a coefficient is: standard errors, bootstrap intervals, comparisons, tests."""

from typing import TYPE_CHECKING

from agreement_fast import lookups

if TYPE_CHECKING:
    from agreement_fast.inference.category_maps import category_merging as category_merging
    from agreement_fast.inference.coefficient_test import category_test as category_test
    from agreement_fast.inference.coefficient_test import coefficient_test as coefficient_test
    from agreement_fast.inference.delta_method import standard_error as standard_error
    from agreement_fast.inference.marginal import association as association
    from agreement_fast.inference.marginal import marginal_test as marginal_test
    from agreement_fast.inference.sample_sizes import chance_agreements as chance_agreements
    from agreement_fast.inference.sample_sizes import items_needed as items_needed
    from agreement_fast.inference.sample_sizes import judgments_needed as judgments_needed
    from agreement_fast.inference.sample_sizes import minimum_units as minimum_units
    from agreement_fast.inference.sample_sizes import spearman_brown as spearman_brown
    from agreement_fast.inference.scales import SCALES as SCALES
    from agreement_fast.inference.scales import benchmark as benchmark


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

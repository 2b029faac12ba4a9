"""How sure a coefficient is: standard errors, bootstrap intervals, comparisons, tests."""

from agreement_fast.inference.association_cells import AssociationCell, association_cells
from agreement_fast.inference.benchmark import Benchmark, benchmark
from agreement_fast.inference.bootstrap import bootstrap
from agreement_fast.inference.category_maps import CategoryMerging, category_merging
from agreement_fast.inference.chance_agreements import (
    ChanceAgreement,
    ChanceAgreements,
    chance_agreements,
)
from agreement_fast.inference.classical import kappa_test
from agreement_fast.inference.coefficient_test import coefficient_test
from agreement_fast.inference.compare import compare
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.inference.drift import Trend, trend
from agreement_fast.inference.fleiss import pi_category_tests, pi_test
from agreement_fast.inference.goodness import kappa_goodness_of_fit
from agreement_fast.inference.groups import GroupAgreement, GroupTable, agreement_by_group
from agreement_fast.inference.marginal import (
    ChiSquareTest,
    association,
    bhapkar,
    cochran_q,
    stuart_maxwell,
)
from agreement_fast.inference.observed import agreement_interval
from agreement_fast.inference.planning import minimum_units
from agreement_fast.inference.results import BootstrapResult, BootstrapTable, Difference
from agreement_fast.inference.sample_size import items_needed
from agreement_fast.inference.spearman_brown import judgments_needed, spearman_brown
from agreement_fast.inference.tested import CoefficientTest
from agreement_fast.inference.variance import VarianceTest, alpha_test

__all__ = [
    "AssociationCell",
    "Benchmark",
    "BootstrapResult",
    "BootstrapTable",
    "CategoryMerging",
    "ChanceAgreement",
    "ChanceAgreements",
    "ChiSquareTest",
    "CoefficientTest",
    "Difference",
    "GroupAgreement",
    "GroupTable",
    "StandardError",
    "Trend",
    "VarianceTest",
    "agreement_by_group",
    "agreement_interval",
    "alpha_test",
    "association",
    "association_cells",
    "benchmark",
    "bhapkar",
    "bootstrap",
    "category_merging",
    "chance_agreements",
    "cochran_q",
    "coefficient_test",
    "compare",
    "items_needed",
    "judgments_needed",
    "kappa_goodness_of_fit",
    "kappa_test",
    "minimum_units",
    "pi_category_tests",
    "pi_test",
    "spearman_brown",
    "standard_error",
    "stuart_maxwell",
    "trend",
]

"""Fewer coders, and simulated ones: what a coefficient would have been with others.

=======================  =========================================================================
function                 question
=======================  =========================================================================
`coder_subsets`          which values do all subsets of the coders have?
`reference_stability`    would fewer coders have the same majority?
`bias_by_size`           how do bias, and κ − π, fall with the number of coders?
`prune`                  which data remain with n judgments an item?
`pruned_agreement`       which value do such data have?
`simulate`               judgments that are drawn, of a reliability or from a model
`noisy_coders`           coders who err, alike or differently, for `simulate`
`aickin_coders`          coders who guess on hard items
`reference_errors`       how often does a majority err, for a reliability and a number of coders?
`study_sizes`            how many items and coders does an interval of a width take?
=======================  =========================================================================
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups
from agreement_fast.subsets.all_subsets import coder_subsets
from agreement_fast.subsets.bias import bias_by_size
from agreement_fast.subsets.pruning import prune, pruned_agreement
from agreement_fast.subsets.reference_errors import reference_errors, study_sizes
from agreement_fast.subsets.references import reference_stability
from agreement_fast.subsets.simulate import aickin_coders, noisy_coders, simulate

__all__ = [
    "aickin_coders",
    "bias_by_size",
    "coder_subsets",
    "noisy_coders",
    "prune",
    "pruned_agreement",
    "reference_errors",
    "reference_stability",
    "simulate",
    "study_sizes",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__)

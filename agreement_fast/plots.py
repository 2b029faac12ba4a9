"""Plots of studies and diagnoses with matplotlib (``pip install "agreement-fast[plot]"``).

Each function draws a result and returns the matplotlib Axes. Without ``ax=``, it creates a new
figure that is not registered with pyplot: nothing is shown and no global state changes.
``ax.figure.savefig("figure.png")`` saves the figure; in a notebook, ``ax.figure`` shows it. All
plots can be read in black and white: lines differ by dashes and markers, areas by hatches, and
undefined values are marked by text.

========================================  =========================================================
`coder_subsets`                           how values and majorities vary with the choice of coders
`reference_errors`                        how often the majority is wrong, by reliability
`forest`                                  values with intervals: coefficients, coders, codings
`bootstrap_distribution`                  the replicates of a bootstrap
`coder_pairs`                             the agreement of each pair of coders
`category_confusion`                      which categories coders confuse
`category_path`                           merges of categories, and their gains
`items_by_coders`                         who dissents on which items
`coder_marginals`                         how each coder uses the categories
`segmentations`                           the places at which coders divide a text
`drift`                                   how each coder's agreement changes over time
`bland_altman`                            the differences of two coders' numbers, with limits
`units`                                   what each coder marked, and which units are aligned
========================================  =========================================================
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups
from agreement_fast.reports.plots.intervals import (
    bland_altman,
    bootstrap_distribution,
    forest,
)
from agreement_fast.reports.plots.judgments import (
    category_confusion,
    coder_marginals,
    coder_pairs,
    drift,
    items_by_coders,
)
from agreement_fast.reports.plots.studies import (
    category_path,
    coder_subsets,
    reference_errors,
)
from agreement_fast.reports.plots.units import segmentations, units

__all__ = [
    "bland_altman",
    "bootstrap_distribution",
    "category_confusion",
    "category_path",
    "coder_marginals",
    "coder_pairs",
    "coder_subsets",
    "drift",
    "forest",
    "items_by_coders",
    "reference_errors",
    "segmentations",
    "units",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__)

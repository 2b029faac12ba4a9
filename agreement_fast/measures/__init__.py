"""Measures other than agreement that are often reported as such, and coefficients off the cube.

==========================  ========================================================================
function                    what it computes
==========================  ========================================================================
`correlations`              Pearson, Spearman, Kendall's τ-b and Lin's concordance, pair by pair
`overall_concordance`       Lin's concordance of all coders
`kendall_w`                 whether all coders order the items alike
`cronbach_alpha`            the consistency of the coders' sum
`limits_of_agreement`       Bland & Altman's, in units of the labels
`variance_components`       what items, coders and repeats add to the spread, and what a study needs
`mv_alpha`                  Krippendorff's α in which chance draws elements of sets, not sets
`leaf_agreement`            Melamed & Resnik's coefficient for labels in a tree
==========================  ========================================================================

Intraclass correlations are `af.icc`. ``af.report(data, measures=True)`` shows them and the first
five next to κ and α, and what each of them says.
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups

if TYPE_CHECKING:
    from agreement_fast.measures.beside import limits_of_agreement as limits_of_agreement
    from agreement_fast.measures.components import variance_components as variance_components
    from agreement_fast.measures.correlations import correlations as correlations
    from agreement_fast.measures.correlations import cronbach_alpha as cronbach_alpha
    from agreement_fast.measures.correlations import kendall_w as kendall_w
    from agreement_fast.measures.correlations import overall_concordance as overall_concordance
    from agreement_fast.measures.parts_of_labels import leaf_agreement as leaf_agreement
    from agreement_fast.measures.parts_of_labels import mv_alpha as mv_alpha


#: Public names by their modules, which are loaded on first use.
_HOMES = {
    "beside": "limits_of_agreement",
    "components": "variance_components",
    "correlations": "correlations cronbach_alpha kendall_w overall_concordance",
    "parts_of_labels": "leaf_agreement mv_alpha",
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__, _HOMES)

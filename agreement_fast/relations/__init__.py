"""Agreement on relations between units: rhetorical relations, links, trees.

==============  ==================================================================================
function        question
==============  ==================================================================================
`scores`        does one coder find the other's relations? precision, recall and F1: labelled,
                unlabelled, undirected
`attachment`    do units of trees have the same head? (unlabelled and labelled attachment)
`pairs`         judgments of pairs of units, with the label "no relation", for coefficients
`heads`         judgments of units, with their heads as labels, for coefficients
==============  ==================================================================================

`Relations` holds what coders drew. Relations of different coders are compared if their units have
the same names; the caller aligns units that differ.
"""

from agreement_fast.units.pair_scores import PairScore, PairScores
from agreement_fast.units.relations import Relations, attachment, heads, pairs, scores

__all__ = [
    "PairScore",
    "PairScores",
    "Relations",
    "attachment",
    "heads",
    "pairs",
    "scores",
]

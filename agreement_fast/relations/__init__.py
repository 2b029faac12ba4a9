"""Agreement on relations between units: rhetorical relations, links, trees.

==============  ==================================================================================
function        what it asks
==============  ==================================================================================
`scores`        does one coder find the other's relations? precision, recall and F1: labelled,
                unlabelled, undirected
`attachment`    do units of trees have the same head? (unlabelled and labelled attachment)
`pairs`         each pair of units as an item, with "no relation" as a label: coefficients
`heads`         each unit as an item, with its head as the label: coefficients
==============  ==================================================================================

`Relations` holds what coders drew. Relations of different coders are compared where their units
have the same names; an alignment of units is the caller's.
"""

from agreement_fast.pair_scores import PairScore, PairScores
from agreement_fast.relations.judgments import heads, pairs
from agreement_fast.relations.related import Relations
from agreement_fast.relations.scores import attachment, scores

__all__ = [
    "PairScore",
    "PairScores",
    "Relations",
    "attachment",
    "heads",
    "pairs",
    "scores",
]

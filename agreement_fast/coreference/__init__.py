"""Coreference scores: how far two coders put the same mentions into the same chains.

=============  ===================================================================================
measure        what it counts
=============  ===================================================================================
muc            links that have to be added to make one coder's chains the other's (Vilain et al.
               1995)
b_cubed        for each mention, the part of its chain that the other coder has, too (Bagga &
               Baldwin 1998)
ceaf_m         mentions of chains that are matched one to one (Luo 2005, φ₃)
ceaf_e         chains that are matched one to one, by how alike they are (Luo 2005, φ₄)
blanc          pairs of mentions in one chain, and pairs in two (Recasens & Hovy 2011; Luo et al.
               2014)
conll          the mean of muc, b_cubed and ceaf_e, as in CoNLL's shared tasks
=============  ===================================================================================

They are not corrected for chance. Coefficients of the same chains, with a distance between sets,
are had from `labelsets.chains`.
"""

from agreement_fast.coreference.scores import scores
from agreement_fast.pair_scores import PairScore, PairScores

__all__ = ["PairScore", "PairScores", "scores"]

"""Coreference scores: how far two coders put the same mentions into the same chains.

=============  ===================================================================================
measure        what counts
=============  ===================================================================================
muc            links to add so that one coder's chains become the other's (Vilain et al. 1995)
b_cubed        for each mention, the part of its chain that the other coder also has (Bagga &
               Baldwin 1998)
ceaf_m         mentions of chains matched one to one (Luo 2005, φ₃)
ceaf_e         chains matched one to one, by their similarity (Luo 2005, φ₄)
blanc          pairs of mentions in one chain, and pairs in two (Recasens & Hovy 2011; Luo et al.
               2014)
conll          the mean of muc, b_cubed and ceaf_e, as in CoNLL's shared tasks
=============  ===================================================================================

They are not corrected for chance. For coefficients of the same chains, with a distance between
sets, see `labelsets.chains`.
"""

from agreement_fast.units.coreference import scores
from agreement_fast.units.pair_scores import PairScore, PairScores

__all__ = ["PairScore", "PairScores", "scores"]

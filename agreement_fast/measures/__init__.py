"""Measures other than agreement: correlations, intraclass correlations, Cronbach's α."""

from agreement_fast.measures.leaves import leaf_agreement
from agreement_fast.measures.multivalued import mv_alpha

__all__ = ["leaf_agreement", "mv_alpha"]

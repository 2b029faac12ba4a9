"""Measures other than agreement: correlations, intraclass correlations, Cronbach's α."""

from agreement_fast.measures.leaves import leaf_agreement

__all__ = ["leaf_agreement"]

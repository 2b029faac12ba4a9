"""Measures other than agreement: correlations, intraclass correlations, Cronbach's α."""

__all__: list[str] = []

"""How sure a coefficient is: standard errors, bootstrap intervals, comparisons, tests."""

__all__: list[str] = []

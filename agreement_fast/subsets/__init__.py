"""Studies over coders: what a coefficient would have been with fewer of them, or with others."""

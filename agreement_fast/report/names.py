"""What people call the coefficients elsewhere."""

from __future__ import annotations

from agreement_fast.results import Agreement

__all__ = ["also_called"]

#: Under the nominal and under another distance.
ALSO_CALLED = {
    "s": ("Bennett's S", "S with a distance"),
    "brennan_prediger": ("Bennett's S", "S with a distance"),
    "pi": ("Scott's pi, Fleiss' kappa", "pi with a distance"),
    "alpha_prime": ("Scott's pi, Fleiss' kappa", "pi with a distance"),
    "kappa": ("Cohen's, Conger's kappa", "weighted kappa"),
    "beta": ("Cohen's, Conger's kappa", "weighted kappa"),
    "alpha": ("Krippendorff's alpha", "Krippendorff's alpha"),
    "ac": ("Gwet's AC1", "Gwet's AC2"),
}


def also_called(result: Agreement) -> str:
    """Give the usual name of a coefficient under its distance; empty where it has none."""
    return ALSO_CALLED.get(result.coefficient, ("", ""))[result.distance != "nominal"]

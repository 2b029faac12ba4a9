"""What people call the coefficients elsewhere."""

from __future__ import annotations

from agreement_fast.points import COEFFICIENTS
from agreement_fast.results import Agreement

#: Names with their literature: of two coders and of more, nominal and with another distance.
_CITED = {
    ("uniform", True): (
        ("Bennett, Alpert & Goldstein's S", "Bennett, Alpert & Goldstein 1954"),
        ("S, Randolph's free-marginal kappa", "Randolph 2005"),
    ),
    ("uniform", False): (("weighted S", "Brennan & Prediger 1981"),) * 2,
    ("pooled", True): (("Scott's pi", "Scott 1955"), ("Fleiss' kappa", "Fleiss 1971")),
    ("pooled", False): (("alpha'", "Artstein & Poesio 2005"),) * 2,
    ("individual", True): (
        ("Cohen's kappa", "Cohen 1960"),
        ("kappa for several coders", "Davies & Fleiss 1982"),
    ),
    ("individual", False): (
        ("Cohen's weighted kappa", "Cohen 1968"),
        ("weighted kappa for several coders (beta)", "Artstein & Poesio 2005"),
    ),
    ("pooled_unbiased", True): (("Krippendorff's alpha", "Krippendorff 2011"),) * 2,
    ("pooled_unbiased", False): (("Krippendorff's alpha", "Krippendorff 2011"),) * 2,
    ("gwet", True): (("Gwet's AC1", "Gwet 2008"),) * 2,
    ("gwet", False): (("Gwet's AC2", "Gwet 2014"),) * 2,
}


def also_called(result: Agreement) -> str:
    """Give the usual name of a coefficient under its distance."""
    return COEFFICIENTS[result.coefficient].also_called[result.distance != "nominal"]


def cited(result: Agreement) -> tuple[str, str]:
    """Give the name of a coefficient as papers have it, and author and year.

    It depends on the number of coders: two have Scott's pi, more Fleiss' kappa.
    """
    two, more = _CITED[result.chance, result.distance == "nominal"]
    return two if result.n_coders == 2 else more

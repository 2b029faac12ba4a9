"""The named coefficients: a row of a table each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A named point of the cube.

    Attributes
    ----------
    name : str
    aliases : tuple of str
    chance : {"uniform", "pooled", "pooled_unbiased", "individual", "gwet"}
    item_weight : {"items", "judgments"}
    weighted : str or None
        For a coefficient of nominal data only, the name to use with a distance.
    title : str
    source : str
    """

    name: str
    aliases: tuple[str, ...]
    chance: str
    item_weight: str
    weighted: str | None
    title: str
    source: str

    @property
    def nominal_only(self) -> bool:
        """Whether it takes the nominal distance only."""
        return self.weighted is not None


_ROWS = {
    row.name: row
    for row in (
        Coefficient(
            "s", ("bennett_s", "randolph_kappa"), "uniform", "items", "brennan_prediger",
            "S", "Bennett, Alpert & Goldstein 1954",
        ),
        Coefficient(
            "brennan_prediger", ("weighted_s",), "uniform", "items", None,
            "weighted S", "Brennan & Prediger 1981",
        ),
        Coefficient(
            "pi", ("scott_pi", "fleiss_kappa", "multi_pi", "k", "π"), "pooled", "items",
            "alpha_prime", "π", "Scott 1955, Fleiss 1971",
        ),
        Coefficient(
            "alpha_prime", ("alpha'", "α'"), "pooled", "items", None,
            "α'", "Artstein & Poesio 2005, 2.5",
        ),
        Coefficient(
            "kappa",
            ("cohen_kappa", "multi_kappa", "davies_fleiss_kappa", "conger_kappa",
             "hubert_kappa", "κ"),
            "individual", "items", "beta", "κ", "Cohen 1960, Davies & Fleiss 1982",
        ),
        Coefficient(
            "beta", ("weighted_kappa", "β"), "individual", "items", None,
            "β", "Artstein & Poesio 2005, 2.7; Cohen 1968",
        ),
        Coefficient(
            "alpha", ("krippendorff_alpha", "α"), "pooled_unbiased", "judgments", None,
            "α", "Krippendorff 1980, 2011",
        ),
        Coefficient(
            "ac", ("gwet_ac2", "gwet_ac1", "ac1", "ac2"), "gwet", "items", None,
            "AC", "Gwet 2008, 2014",
        ),
    )
}  # fmt: skip

#: The named coefficients.
COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(_ROWS)

#: Also as "cohens_kappa", which is "Cohen's kappa".
_BY_NAME = {
    form: row
    for row in COEFFICIENTS.values()
    for name in (row.name, *row.aliases)
    for form in (name, name.replace("_", "s_", 1))
}
#: Aliases that promise the nominal distance, and what to write for another one.
NOMINAL_ALIASES = {"gwet_ac1": "gwet_ac2", "ac1": "ac2"}

#: Coefficients of `agreement_table` for the nominal distance, and for any other.
USUAL = ("s", "pi", "kappa", "alpha", "ac")
USUAL_WEIGHTED = ("brennan_prediger", "alpha_prime", "beta", "alpha", "ac")


def named(name: str) -> Coefficient:
    """The coefficient of a name or alias; case, hyphens and spaces do not matter."""
    row = _BY_NAME.get(normal(name))
    if row is None:
        raise ValueError(
            f"coefficient {name!r} is not known; the names are {', '.join(COEFFICIENTS)}, and "
            "their aliases in agreement_fast.COEFFICIENTS"
        )
    return row


def is_known(name: str) -> bool:
    """Whether a coefficient has this name or alias."""
    return normal(name) in _BY_NAME


def normal(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a coefficient is given by its name, not {name!r}")
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return plain.replace("'s_", "_").replace("’s_", "_").replace("s'_", "s_")

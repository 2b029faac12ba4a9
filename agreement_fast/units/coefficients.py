"""Coefficients of units: what `agreement`, `agreement_table` and `bootstrap` compute of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.resample import Options
from agreement_fast.options import Seed, check_choice, check_names
from agreement_fast.reading.entrance import of_kind
from agreement_fast.units.coincidences import (
    COEFFICIENTS,
    Unitizing,
    UnitizingIntervals,
    UnitizingTable,
    alpha_table,
    cu_alpha,
    intervals,
)
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.gamma import Gamma, GammaTable, gamma, gamma_table

#: Coefficients that come from one alignment, and have intervals of their own.
ALIGNED = ("gamma", "gamma_cat", "gamma_k")

SEVERAL = "a name or a sequence of names"


@of_kind(Continuum)
def agreement(
    data: Continuum, coefficient: str = "u_alpha", **options: Any
) -> Unitizing | Gamma | GammaTable:
    """Compute a coefficient of units; "gamma_k" is a table of categories.

    "cu_alpha" takes a `distance`; "gamma", "gamma_cat" and "gamma_k" take the options of
    `units.gamma`.
    """
    check_choice("coefficient", coefficient, (*COEFFICIENTS, *ALIGNED))
    if coefficient in ALIGNED:
        table = gamma_table(data, **_known(options, gamma))
        return GammaTable(table[2:]) if coefficient == "gamma_k" else table[coefficient]
    function = COEFFICIENTS[coefficient]
    if coefficient == "cu_alpha":
        return cu_alpha(data, **_known(options, cu_alpha))
    return function(data, **_known(options, function))


@of_kind(Continuum)
def agreement_table(
    data: Continuum, coefficient: str | Sequence[str] | None = None, **options: Any
) -> UnitizingTable | GammaTable:
    """Compute several coefficients of units, by default α_U, uα, |uα, cuα and (k)uα.

    γ, γ_cat and γ_k come from the same alignments and take the options of `units.gamma`.
    """
    names = list(COEFFICIENTS) if coefficient is None else coefficient
    chosen = check_names("coefficient", names, (*COEFFICIENTS, *ALIGNED), SEVERAL)
    if not set(chosen) & set(ALIGNED):
        return alpha_table(data, chosen, **_known(options, alpha_table))
    if not set(chosen) <= set(ALIGNED):
        raise InputError(
            "coefficients of alignments have other parts than α: one table does not hold both",
            f"ask for {', '.join(ALIGNED)} apart",
            argument="coefficient",
        )
    table = gamma_table(data, **_known(options, gamma))
    return GammaTable(row for name in chosen for row in table if row.coefficient == name)


@of_kind(Continuum)
def bootstrap(
    data: Continuum,
    coefficient: str | Sequence[str] | None = None,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
) -> UnitizingIntervals:
    """Compute coefficients of units with intervals, by drawing documents with replacement.

    By default α_U, uα, |uα, cuα and (k)uα; γ, γ_cat and γ_k have intervals without `bootstrap`. A
    document that is drawn twice counts as two. The interval shows how far the value would move with
    other documents of the same kind, so a single document has none. With few documents, intervals
    are too narrow: with ten, 95% intervals hold the true value in 90% of the cases.
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    names = check_names("coefficient", coefficient, tuple(COEFFICIENTS), SEVERAL)
    return intervals(data, names, options)


def _known(options: dict[str, Any], function: Any) -> dict[str, Any]:
    """Return options that a function has, and refuse others."""
    known = tuple(function.__annotations__)
    for option in options:
        if option not in known or option in ("data", "names", "return"):
            raise InputTypeError(
                f"{option} is no option of this coefficient of units",
                "leave it out",
                argument=option,
            )
    return options

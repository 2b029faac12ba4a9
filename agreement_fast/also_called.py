"""The coefficients under the names that people know them by.

Each function here is one of `coefficients`, takes what that takes and returns what that returns.
"""

from __future__ import annotations

import functools
from typing import Any, ParamSpec, TypeVar, Unpack

from agreement_fast.coefficients import ac, agreement, alpha, brennan_prediger, kappa, pi, s
from agreement_fast.entrance import Entered, entrance
from agreement_fast.reading.shapes import ColumnNames
from agreement_fast.results import Agreement

__all__ = [
    "ac1",
    "ac2",
    "bennett_s",
    "cohen_kappa",
    "conger_kappa",
    "davies_fleiss_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "hubert_kappa",
    "krippendorff_alpha",
    "multi_kappa",
    "multi_pi",
    "randolph_kappa",
    "scott_pi",
    "weighted_s",
]

P = ParamSpec("P")
R = TypeVar("R")


def _under(name: str, function: Entered[P, R], text: str) -> Entered[P, R]:
    """The same function under another name, with a docstring of its own."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    called.__name__ = called.__qualname__ = name
    called.__module__ = __name__
    called.__doc__ = f"{text}\n\n    The same as `{function.__name__}`, which says more.\n    "
    return called


bennett_s = _under(
    "bennett_s", s, "Bennett, Alpert & Goldstein's S (1954): chance takes all categories alike."
)
randolph_kappa = _under(
    "randolph_kappa", s, "Randolph's free-marginal kappa (2005), for any number of coders."
)
weighted_s = _under(
    "weighted_s",
    brennan_prediger,
    "S with a distance of categories (Brennan & Prediger 1981).",
)
scott_pi = _under("scott_pi", pi, "Scott's pi (1955), of two coders or more.")
fleiss_kappa = _under("fleiss_kappa", pi, "Fleiss' kappa (1971), of two coders or more.")
multi_pi = _under("multi_pi", pi, "Multi-pi (Artstein & Poesio 2008), which is Fleiss' kappa.")
cohen_kappa = _under("cohen_kappa", kappa, "Cohen's kappa (1960), of two coders or more.")
conger_kappa = _under("conger_kappa", kappa, "Conger's kappa (1980), of two coders or more.")
davies_fleiss_kappa = _under(
    "davies_fleiss_kappa", kappa, "Davies & Fleiss' kappa (1982), of two coders or more."
)
hubert_kappa = _under("hubert_kappa", kappa, "Hubert's kappa (1977), of two coders or more.")
multi_kappa = _under(
    "multi_kappa", kappa, "Multi-kappa (Artstein & Poesio 2008), of two coders or more."
)
krippendorff_alpha = _under(
    "krippendorff_alpha", alpha, "Krippendorff's alpha (1980, 2011), under any distance."
)
gwet_ac2 = _under("gwet_ac2", ac, "AC1 with a distance between categories (Gwet 2014).")
ac2 = _under("ac2", ac, "AC1 with a distance between categories (Gwet 2014).")


@entrance
def gwet_ac1(
    data: Any,
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
    **columns: Unpack[ColumnNames],
) -> Agreement:
    """AC1, of categories without a distance (Gwet 2008).

    The same as `ac`, which says more.
    """
    return agreement(data, "gwet_ac1", incomplete=incomplete, undefined=undefined, **columns)


ac1 = _under("ac1", gwet_ac1, "AC1, of categories without a distance (Gwet 2008).")

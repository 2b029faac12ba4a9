"""The coefficients under the names that people know them by.

Each function here is a function of `coefficients` under another name.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, ParamSpec, TypeVar, Unpack

from agreement_fast.coefficients import ac, agreement, alpha, brennan_prediger, kappa, pi, s
from agreement_fast.entrance import Entered, entrance
from agreement_fast.recognition.recognise import ColumnNames
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


def _under(name: str, function: Entered[P, R], summary: str) -> Entered[P, R]:
    """Return the same function under another name, with that name in its docstring."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    called.__name__ = called.__qualname__ = name
    called.__module__ = __name__
    ours = function.__name__
    body = inspect.cleandoc(function.__doc__ or "").partition("\n")[2]
    for before in ("af.", "``"):
        body = body.replace(f"{before}{ours}(", f"{before}{name}(")
    called.__doc__ = f"{summary}\n\nThis is `{ours}` under another name.\n{body}\n"
    return called


bennett_s = _under(
    "bennett_s", s, "Bennett, Alpert & Goldstein's S (1954): all categories are equally likely."
)
randolph_kappa = _under(
    "randolph_kappa", s, "Randolph's free-marginal kappa (2005) for any number of coders."
)
weighted_s = _under(
    "weighted_s",
    brennan_prediger,
    "Brennan & Prediger's weighted S (1981).",
)
scott_pi = _under("scott_pi", pi, "Scott's pi (1955) for two coders or more.")
fleiss_kappa = _under("fleiss_kappa", pi, "Fleiss' kappa (1971) for two coders or more.")
multi_pi = _under("multi_pi", pi, "Multi-pi (Artstein & Poesio 2008), which equals Fleiss' kappa.")
cohen_kappa = _under("cohen_kappa", kappa, "Cohen's kappa (1960) for two coders or more.")
conger_kappa = _under("conger_kappa", kappa, "Conger's kappa (1980) for two coders or more.")
davies_fleiss_kappa = _under(
    "davies_fleiss_kappa", kappa, "The kappa of Davies & Fleiss (1982) for two coders or more."
)
hubert_kappa = _under("hubert_kappa", kappa, "Hubert's kappa (1977) for two coders or more.")
multi_kappa = _under(
    "multi_kappa", kappa, "Multi-kappa (Artstein & Poesio 2008) for two coders or more."
)
krippendorff_alpha = _under(
    "krippendorff_alpha", alpha, "Krippendorff's alpha (1980, 2011) under any distance."
)
gwet_ac2 = _under("gwet_ac2", ac, "Gwet's AC2: AC1 with a distance between categories (Gwet 2014).")
ac2 = _under("ac2", ac, "Gwet's AC2: AC1 with a distance between categories (Gwet 2014).")


@entrance
def gwet_ac1(
    data: Any,
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
    **columns: Unpack[ColumnNames],
) -> Agreement:
    """Gwet's AC1: AC of categories without a distance (Gwet 2008).

    Parameters
    ----------
    data : Annotations, table of items × coders, or data frame
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``gwet_ac1(first, second)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **columns : str
        `item`, `coder` and `label`: names of columns, for a table with one judgment per row. `item`
        alone names the column of item names in a table of items × coders.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If an option is unknown.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e = Σ P(k) (1 − P(k)) / (k − 1), where P(k) is the mean of n_ik / n_i over the items (Gwet
    2008). It is `ac` under the nominal distance. O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = [["no", "no"]] * 17 + [["yes", "no"], ["no", "yes"], ["yes", "yes"]]
    >>> round(af.gwet_ac1(data).value, 4)
    0.878
    """
    return agreement(data, "gwet_ac1", incomplete=incomplete, undefined=undefined, **columns)


ac1 = _under("ac1", gwet_ac1, "Gwet's AC1: AC of categories without a distance (Gwet 2008).")

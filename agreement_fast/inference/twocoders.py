"""The contingency table of exactly two coders, and what the tests share."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError

NAN = math.nan

#: Categories up to which a K × K table of floats is made (128 MB).
MOST = 4096

ALTERNATIVES = ("two-sided", "greater", "less")


def table_of_two(data: Any, purpose: str) -> tuple[Annotations, Array, int]:
    """The annotations, the table (K, K) of the items that both coders judged, and the others."""
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    if len(coders) != 2:
        raise InputError(
            f"{purpose} compares two coders, these annotations have {len(coders)}",
            "name two, as in data.select(coders=[first, second])",
        )
    check_size(annotations, purpose)
    table = annotations.contingency_table(*coders)
    return annotations, table, annotations.n_items - int(table.sum())


def check_size(annotations: Annotations, purpose: str) -> None:
    """Refuse what would make a table of many gigabytes."""
    K = len(annotations.labels)
    if K > MOST:
        raise InputError(
            f"{purpose} needs a table of {K} × {K} categories, and {MOST} are the most",
            "use standard_error or bootstrap, or merge categories",
        )


def t_p(t: float, df: int, alternative: str) -> float:
    """The p-value of Student's t."""
    from scipy.special import stdtr

    if alternative == "two-sided":
        return float(2 * stdtr(df, -abs(t)))
    return float(stdtr(df, -t if alternative == "greater" else t))


def normal_p(z: float, alternative: str) -> float:
    """The p-value of a standard normal statistic."""
    from scipy.special import ndtr

    if alternative == "two-sided":
        return float(2 * ndtr(-abs(z)))
    return float(ndtr(-z if alternative == "greater" else z))

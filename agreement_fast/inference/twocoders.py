"""The contingency table of exactly two coders, and what the tests share."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError
from agreement_fast.normal import student_share

NAN = math.nan

#: The most categories for which a K × K table of floats is made (128 MB).
MOST = 4096

ALTERNATIVES = ("two-sided", "greater", "less")


def table_of_two(data: Any, purpose: str) -> tuple[Annotations, Array, int]:
    """Return annotations, the table (K, K) of items of both coders, and the number of others."""
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    if len(coders) != 2:
        raise InputError(
            f"{purpose} compares two coders, these annotations have {len(coders)}",
            "select two with data.select(coders=[first, second])",
        )
    check_size(annotations, purpose)
    table = annotations.contingency_table(*coders).values
    return annotations, table, annotations.n_items - int(table.sum())


def check_size(annotations: Annotations, purpose: str) -> None:
    """Refuse categories whose table would take gigabytes."""
    K = len(annotations.labels)
    if K > MOST:
        raise InputError(
            f"{purpose} needs a table of {K} × {K} categories, at most {MOST} are possible",
            "use standard_error or bootstrap, or merge categories",
        )


def t_p(t: float, df: float, alternative: str) -> float:
    """Return the p-value of Student's t."""
    if alternative == "two-sided":
        return 2 * student_share(df, -abs(t))
    return student_share(df, -t if alternative == "greater" else t)


def normal_p(z: float, alternative: str) -> float:
    """Return the p-value of a standard normal statistic."""
    from scipy.special import ndtr

    if alternative == "two-sided":
        return float(2 * ndtr(-abs(z)))
    return float(ndtr(-z if alternative == "greater" else z))

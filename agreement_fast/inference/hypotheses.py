"""A coefficient tested against a value: the result, p-values of z and t, and of several tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_share
from agreement_fast.errors import InputError
from agreement_fast.options import check_number
from agreement_fast.present.tables import DETAILS
from agreement_fast.results import Estimated

NAN = math.nan

ALTERNATIVES = ("two-sided", "greater", "less")

NO_VARIANCE = "no variance: the standard error is 0, so nothing can be tested against it"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CoefficientTest(Estimated):
    """A coefficient, a float, tested against a value.

    Attributes
    ----------
    test : str
        Authors and year, or the method.
    coefficient, distance : str
        Their names.
    category : label or None
        The category, if the coefficient is that of a single category.
    value : float
        The coefficient; NaN if undefined.
    null_value : float
        The value that it is tested against.
    standard_error : float
        Standard error of the value; NaN if the source gives none.
    null_standard_error : float
        Standard error if the coders' labels are independent; NaN if the source gives none.
    statistic : float
        z, t, χ² or F; NaN for a bootstrap.
    df : float or None
        Degrees of freedom of t and χ², and those between items of F.
    df_within : float or None
        Degrees of freedom of F within items.
    p_value : float
        The probability of a difference this large or larger, if the null value is the true value.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis.
    low, high : float
        The interval of the value, not cut at −1 and 1; NaN if the source gives none.
    confidence_level : float
        Of the interval.
    n_items : int or None
        Items that count, or documents if these are the sample; weights counted. None for a
        bootstrap.
    n_items_dropped : int or None
        Items that are left out because judgments are missing. None for a bootstrap.
    undefined : str or None
        Why a value or a test is NaN.
    note : str or None
        Why the interval has no width or is too narrow, or F is infinite.
    distribution : {"normal", "t", "chi2", "F", "bootstrap"}
        What the statistic is compared with.
    """

    _caption = (
        "{coefficient}({distance})[ of {category:r}] = {value}: {_statistic}against "
        "{null_value:g}, p = {p_value:.4g}[, {interval}], [{test}{n_items!}][{n_items:item}]"
    )

    @property
    def _statistic(self) -> str:
        df = ", ".join(f"{df:.6g}" for df in (self.df, self.df_within) if df is not None)
        names = {"normal": "z", "t": f"t({df})", "chi2": "χ²", "F": f"F({df})"}
        name = names.get(self.distribution)
        return "" if name is None else f"{name} = {self.statistic:.6g} "

    aside = DETAILS | {"alternative", "df_within", "null_standard_error", "null_value"}

    test: str
    coefficient: str
    distance: str
    statistic: float = NAN
    p_value: float = NAN
    alternative: str = "two-sided"
    n_items: int | None = None
    n_items_dropped: int | None = None
    category: Any = None
    null_value: float = 0.0
    null_standard_error: float = NAN
    df: float | None = None
    df_within: float | None = None
    distribution: str = "normal"


def tested(result: Any, null_value: float, **parts: Any) -> CoefficientTest:
    """Return a test of a result, which has its value, its interval and its note."""
    names = "coefficient distance value standard_error low high confidence_level note"
    same = {name: getattr(result, name) for name in names.split()}
    return CoefficientTest(**same, null_value=float(null_value), **parts)


def check_null_value(null_value: float, least: float = -math.inf) -> None:
    """Refuse a null value that no coefficient can exceed, or that is not on the test's scale."""
    if not least < check_number("null_value", null_value) < 1:
        allowed = "below 1" if least == -math.inf else f"above {least:g} and below 1"
        raise InputError.must_be("null_value", allowed, null_value)


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


def benjamini_yekutieli(p_values: FloatArray, q: float) -> Array:
    """Mark the null hypotheses that are rejected at a false discovery rate of q.

    The tests may depend on each other in any way. The i smallest of m p-values are rejected for the
    largest i with p_(i) ≤ i q / (m H_m), H_m = Σ 1/j (Benjamini & Yekutieli 2001). NaN is no test.

    Examples
    --------
    >>> benjamini_yekutieli(np.array([0.001, 0.2, 0.01, np.nan]), 0.05).tolist()
    [True, False, True, False]
    """
    tests = np.flatnonzero(~np.isnan(p_values))
    m = len(tests)
    out = np.zeros(len(p_values), bool)
    if m:
        ascending = tests[np.argsort(p_values[tests], kind="stable")]
        rank = np.arange(1, m + 1)
        limits = rank * q / (m * (1.0 / rank).sum())
        passed = np.flatnonzero(p_values[ascending] <= limits)
        out[ascending[: passed[-1] + 1 if len(passed) else 0]] = True
    return out


def holm(p_values: Sequence[float]) -> list[float]:
    """Compute Holm's adjusted p-values; NaN stands for no test.

    Examples
    --------
    >>> holm([0.01, 0.04, float("nan"), 0.03])
    [0.03, 0.06, nan, 0.06]
    """
    p = np.array(p_values, np.float64)
    tests = np.flatnonzero(~np.isnan(p))
    ascending = tests[np.argsort(p[tests], kind="stable")]
    out = np.full(len(p), np.nan)
    steps = p[ascending] * np.arange(len(tests), 0, -1)
    out[ascending] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(tests) else steps
    return out.tolist()

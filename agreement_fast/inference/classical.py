"""Cohen's κ of two coders, tested by Fleiss, Cohen & Everitt's (1969) standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import distances
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import CHANCE
from agreement_fast.distances import Distance
from agreement_fast.errors import InputError
from agreement_fast.inference.no_width import no_width
from agreement_fast.inference.twocoders import (
    ALTERNATIVES,
    NAN,
    normal_p,
    table_of_two,
)
from agreement_fast.options import check_choice, check_number, check_share
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Result
from agreement_fast.tables import DETAILS

NO_VARIANCE = "no variance: the standard error is 0, so nothing can be tested against it"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CoefficientTest(Result):
    """A coefficient, a float, tested against a value.

    Attributes
    ----------
    test : str
        Authors and year.
    coefficient, distance : str
    category : label or None
        The category that a category's own coefficient is of.
    value : float
        The coefficient; NaN where undefined.
    null_value : float
        What it is tested against.
    standard_error : float
        That of the value; NaN where the source has none.
    null_standard_error : float
        The standard error if the coders' labels were independent; NaN where the source has none.
    statistic : float
        z, or χ² where `df` is given.
    df : int or None
        Degrees of freedom of χ²; None for z.
    p_value : float
    alternative : {"two-sided", "greater", "less"}
    low, high : float
        The interval of the value; not cut at −1 and 1. NaN where the source has none.
    confidence_level : float
    n_items : int
        Items that count; weights counted.
    n_items_dropped : int
        Items that are left out because judgments are missing.
    undefined : str or None
        Why a value or a test is NaN.
    note : str or None
        Why the interval has no width, if it has none.
    """

    aside = DETAILS | {"alternative", "null_standard_error", "null_value"}

    test: str
    coefficient: str
    distance: str
    category: Any
    value: float
    null_value: float
    standard_error: float
    null_standard_error: float
    statistic: float
    df: int | None
    p_value: float
    alternative: str
    low: float
    high: float
    confidence_level: float
    n_items: int
    n_items_dropped: int
    undefined: str | None
    note: str | None = None

    def __repr__(self) -> str:
        name = "z" if self.df is None else "χ²"
        what = "" if self.category is None else f" of {self.category!r}"
        text = (
            f"{self.coefficient}({self.distance}){what} = {self.value:.6g}: {name} = "
            f"{self.statistic:.6g} against {self.null_value:g}, p = {self.p_value:.4g}"
        )
        if not math.isnan(self.low):
            text += f", {100 * self.confidence_level:g}% interval {self.low:.4f} to {self.high:.4f}"
        text += f", {self.n_items} items"
        return "<" + "; ".join([text, *filter(None, (self.note, self.undefined))]) + ">"


class Estimate(NamedTuple):
    """A coefficient, its standard error, that under independence, and why there is no value."""

    value: float
    error: float
    null_error: float
    undefined: str | None


# ---------------------------------------------------------------------- κ of two coders


def kappa_test(
    data: Any,
    distance: Any = "nominal",
    *,
    null_value: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> CoefficientTest:
    """Cohen's κ or weighted κ of two coders, with its standard errors, test and interval.

    Against 0, z is κ over its standard error under independence; against another value, and for the
    interval, the standard error of κ itself counts (Fleiss, Cohen & Everitt 1969).

    Parameters
    ----------
    data : Annotations of exactly two coders, or anything that `Annotations.from_wide` reads
        Items that one coder did not judge are left out and counted, also in κ's marginals: the
        value is that of `kappa` with ``incomplete="complete"``.
    distance : str, Distance, array, mapping or function
        Weights as disagreements; see `agreement_fast.distances`. A matrix may be asymmetric, rows
        being the first coder's. The ordinal distance is taken as given, though it depends on the
        marginals.
    null_value : float
        The κ to test against, below 1.
    alternative : {"two-sided", "greater", "less"}
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    CoefficientTest

    Raises
    ------
    ValueError
        More or fewer coders than two, or coders unknown; more than 4096 categories.

    Notes
    -----
    The variances are written as sums of squares of each cell's influence on κ, which equals the
    paper's difference of two sums and loses no digits to it. κ of perfect agreement has standard
    error 0, and no interval deserves trust then; see `kappa_goodness_of_fit`. O(items + K²).

    References
    ----------
    Fleiss, Cohen & Everitt 1969, Large sample standard errors of kappa and weighted kappa,
    *Psychological Bulletin* 72, 323–327.

    Examples
    --------
    Their example of 200 patients and three diagnoses:

    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    >>> af.inference.kappa_test(data)
    <kappa(nominal) = 0.428571: z = 7.72028 against 0, p = 1.161e-14, 95% interval 0.3233 to \
0.5338, 200 items>
    >>> weights = [[0, 1, 0.5556], [1, 0, 0.3333], [0.5556, 0.3333, 0]]
    >>> round(af.inference.kappa_test(data, weights).standard_error ** 2, 6)
    0.003248
    """
    check_share("confidence_level", confidence_level)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_null_value(null_value)
    resolved = distances.resolve(distance)
    annotations, table, n_dropped = table_of_two(data, "kappa_test()")
    n = int(table.sum())
    estimate = Estimate(NAN, NAN, NAN, NO_PAIRS)
    if n:
        used = np.ix_(*[np.flatnonzero(table.sum(0) + table.sum(1))] * 2)
        estimate = _cohen(table[used] / n, _distances(annotations, resolved, table)[used], n)
    name = "kappa" if resolved.name == "nominal" else "weighted_kappa"
    found = z_test(
        "Fleiss, Cohen & Everitt 1969",
        name,
        resolved.name,
        estimate,
        (n, n_dropped),
        null_value=null_value,
        alternative=alternative,
        confidence_level=confidence_level,
    )
    note = no_width(
        annotations,
        name,
        CHANCE["individual"],
        1.0 - estimate.value,
        (found.low, found.high),
        confidence_level=confidence_level,
        incomplete="complete",
    )
    return replace(found, note=note)


def check_null_value(null_value: float) -> None:
    if not check_number("null_value", null_value) < 1:
        raise InputError.must_be("null_value", "below 1", null_value)


def _distances(annotations: Annotations, distance: Distance, table: Array) -> FloatArray:
    """The distances of all pairs of categories; those of ranks by the table's marginals."""
    counts = (table.sum(0) + table.sum(1)).astype(np.float64) if distance.ranks else None
    form = distance.bind(annotations.labels, annotations.declared, counts)
    places = np.arange(len(table))
    return form.between(places[:, None], places[None, :])


def _cohen(shares: FloatArray, between: FloatArray, n: int) -> Estimate:
    """κ from the shares (K, K) of n items and the distances (K, K)."""
    rows, columns = shares.sum(1), shares.sum(0)
    by_row, by_column = between @ columns, rows @ between
    observed, expected = float((shares * between).sum()), float(rows @ by_row)
    if not expected:
        return Estimate(NAN, NAN, NAN, NO_VARIATION)
    either = by_row[:, None] + by_column[None, :]
    influence = (observed / expected) * (either - 2 * expected) - (between - observed)
    null_influence = between - either + expected
    scale = expected * math.sqrt(n)
    error = math.sqrt(float((shares * influence**2).sum())) / scale
    null_error = math.sqrt(float((np.outer(rows, columns) * null_influence**2).sum())) / scale
    # What is 0 but for rounding: a coder of one category, or distances that add up.
    nothing = 1e-12 * float(between.max()) / scale
    return Estimate(
        1 - observed / expected,
        error if error > nothing else 0.0,
        null_error if null_error > nothing else 0.0,
        None,
    )


def z_test(
    test: str,
    coefficient: str,
    distance: str,
    estimate: Estimate,
    items: tuple[int, int],
    *,
    null_value: float = 0.0,
    alternative: str,
    confidence_level: float = NAN,
    category: Any = None,
) -> CoefficientTest:
    """The result for an estimate; `items` are those that count, and those left out."""
    from scipy.special import ndtri

    value, error, null_error, undefined = estimate
    used = null_error if null_value == 0 else error
    statistic = p_value = NAN
    if undefined is None and used > 0:
        statistic = (value - null_value) / used
        p_value = normal_p(statistic, alternative)
    elif undefined is None:
        undefined = NO_VARIANCE
    reach = float(ndtri((1 + confidence_level) / 2)) * error
    return CoefficientTest(
        test=test,
        coefficient=coefficient,
        distance=distance,
        category=category,
        value=value,
        null_value=float(null_value),
        standard_error=error,
        null_standard_error=null_error,
        statistic=statistic,
        df=None,
        p_value=p_value,
        alternative=alternative,
        low=value - reach,
        high=value + reach,
        confidence_level=confidence_level,
        n_items=items[0],
        n_items_dropped=items[1],
        undefined=undefined,
    )

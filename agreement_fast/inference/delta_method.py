"""Intervals and standard errors in closed form, one pass over the patterns.

The variance is the sum of squares of the items' influences (`derivatives`), which is the delta
method without assumptions about how judgments are made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast._kernels.normal import student_quantiles
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.closed_form import closed_form
from agreement_fast.inference.hypotheses import (
    ALTERNATIVES,
    NO_VARIANCE,
    CoefficientTest,
    check_null_value,
    t_p,
    tested,
)
from agreement_fast.inference.results import ONE_ITEM, settled_by_coders, why_narrow
from agreement_fast.inference.score import Score
from agreement_fast.options import Alternative, Incomplete, PerItem, check_choice, check_share
from agreement_fast.points import Point
from agreement_fast.present.tables import of_fields
from agreement_fast.present.terminal import number_of
from agreement_fast.reading.groups import rows_of_documents
from agreement_fast.results import Estimated

NAN = math.nan

#: The intervals in closed form; the first is that of all reports.
METHODS = ("score", "delta", "gwet")

ONE_CLUSTER = "there is one cluster of items only, which has no spread"

ONE_UNIT = "no variance: there is one item or document only, so nothing can be tested against it"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StandardError(Estimated):
    """A coefficient, a float, with its standard error.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    value : float
        The coefficient; NaN if undefined.
    standard_error : float
        Its standard error.
    low, high : float
        Ends of the interval, which holds the value.
    confidence_level : float
        Of the interval.
    n_items : int
        Items (documents, with `cluster`) that count; weights counted.
    method : str
        "score", "delta" or "gwet".
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width or is too narrow.
    transform : str or None
        The scale of an interval by "delta" or "gwet": "none" or "atanh".
    n_items_dropped : int
        Items (documents) that do not count because judgments are missing.
    score : Score or None
        What an interval by "score" is made from.
    n_clusters : int or None
        The same number as `n_items` if documents are the sample, by `cluster`.
    """

    _caption = (
        "{coefficient}({distance}) = {value} ± {standard_error:.4g}[, {interval}] ({method}, "
        "{_sample})"
    )

    @property
    def _sample(self) -> str:
        if self.n_clusters is not None:
            return f"{self.n_clusters} clusters of items"
        return number_of(self.n_items, "item")

    coefficient: str
    distance: str
    n_items: int
    method: str
    transform: str | None = None
    n_items_dropped: int = 0
    score: Score | None = field(default=None, repr=False)
    n_clusters: int | None = None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give one row, without what the interval is made from."""
        fields = of_fields([self]).items()
        return {name: of for name, of in fields if name not in ("score", "n_clusters")}

    def test(
        self, null_value: float = 0.0, alternative: Alternative = "two-sided"
    ) -> CoefficientTest:
        """Test the coefficient against a value by inverting the interval.

        A two-sided p is below 1 − confidence_level exactly if the interval leaves the value out.

        Parameters
        ----------
        null_value : float, default 0
            The value to test against: below 1, and above −1 on Fisher's scale.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            The alternative hypothesis.

        Returns
        -------
        CoefficientTest
            The test; its p-value is NaN if there is no interval, or one without width.

        Raises
        ------
        ValueError
            If the null value is not on the scale.

        Examples
        --------
        >>> from agreement_fast.inference import standard_error
        >>> rows = [["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"], ["y", "x"], ["y", "y"]] * 20
        >>> standard_error(rows, "kappa").test(0.2, "greater")
        <kappa(nominal) = 0.333333: t(119) = 1.50611 against 0.2, p = 0.06734, 95% interval 0.1562 \
to 0.4921, 120 items>
        """
        check_null_value(null_value, least=-1.0 if self.transform == "atanh" else -math.inf)
        check_choice("alternative", alternative, ALTERNATIVES)
        undefined, statistic, p_value = self.undefined, NAN, NAN
        df: float = self.n_items - 1
        if undefined is None and self.score is not None and not math.isnan(self.low):
            statistic = float(self.score.statistic(null_value)[0])
            df = float(self.score.freedom[0])
        elif undefined is None and self.score is None and self.standard_error > 0:
            gap = self.value - null_value
            if self.transform == "atanh" and abs(self.value) < 1:
                gap = (math.atanh(self.value) - math.atanh(null_value)) * (1 - self.value**2)
            statistic = gap / self.standard_error
        elif undefined is None:
            undefined = ONE_UNIT if math.isnan(self.standard_error) else NO_VARIANCE
        if undefined is None:
            p_value = t_p(statistic, df, alternative)
        return tested(
            self,
            null_value,
            test=f"{self.method}, t" + " on Fisher's scale" * (self.transform == "atanh"),
            statistic=statistic,
            df=df,
            p_value=p_value,
            alternative=alternative,
            n_items=self.n_items,
            n_items_dropped=self.n_items_dropped,
            undefined=undefined,
            distribution="t",
        )


def standard_error(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike = "nominal",
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    method: Literal["score", "delta", "gwet"] = "score",
    cluster: PerItem | None = None,
    transform: Literal["none", "atanh"] | None = None,
    **reading: Unpack[ReadingOptions],
) -> StandardError:
    """Compute a coefficient's interval and standard error in closed form, items being the sample.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    coefficient : str, default "alpha"
        Name of a coefficient.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged.
    method : {"score", "delta", "gwet"}, default "score"
        The interval. "score" is that of all reports: Wilson's, after a prior of one item or less
        (docs/inference.md). "delta" and "gwet" are the value ± t standard errors, t of n_items − 1
        degrees of freedom, not cut at 1. "delta" has the standard error of the infinitesimal
        jackknife, as "score" has. "gwet" is what irrCAC prints. It differs in two points only: it
        takes the number of items with two judgments as fixed if others have a single one, and for
        α it leaves out the correction for small samples.
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Documents
        are then the sample. A pandas Series is matched to the items by its index.
    transform : {"none", "atanh"}, optional
        The scale on which the interval of "delta" or "gwet" is symmetric; by default "none". With
        "atanh", Fisher's scale, the interval stays between −1 and 1; a value that is not between
        them keeps the plain scale.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    StandardError
        The value, its standard error and its interval.

    Raises
    ------
    ValueError
        If a name or choice is unknown, the distance does not fit the labels, coders are needed but
        unknown, the derivative of the chance model is not known, or "gwet" is combined with the
        ordinal distance.

    Notes
    -----
    The variance is n/(n − 1) Σ u_i² over n items, where u_i is the centred derivative of the
    coefficient in the item's weight. This is irrCAC's variance (Gwet 2014, chapter 5), and
    n/(n − 1) times that of the infinitesimal jackknife (Efron 1982). For the ordinal distance the
    derivative takes into account that the ranks depend on the marginals. O(judgments), for every
    coefficient and distance.

    References
    ----------
    Gwet 2014, *Handbook of Inter-Rater Reliability*, 4th edition, chapter 5; Efron 1982, *The
    Jackknife, the Bootstrap and Other Resampling Plans*, chapter 6.

    Examples
    --------
    Gwet's four raters and twelve units (2014), AC1 with irrCAC's error:

    >>> from agreement_fast.inference import standard_error
    >>> table = [
    ...     [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    ...     [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1],
    ...     [None, None, 3, None],
    ... ]
    >>> result = standard_error(table, "ac", method="gwet")
    >>> round(result.value, 5), round(result.standard_error, 5)
    (0.77544, 0.14295)
    """
    check_choice("method", method, METHODS)
    if transform is not None:
        check_choice("transform", transform, ("none", "atanh"))
        if method == "score":
            raise InputError(
                (Argument("transform", transform), " is a scale of the delta method"),
                ("pass ", Argument("method", "delta")),
            )
    elif method != "score":
        transform = "none"
    check_share("confidence_level", confidence_level)
    point = Point.of(coefficient, distance)
    annotations = as_annotations(data, **reading)
    rows = codes = None
    if cluster is not None:
        rows, codes = rows_of_documents(annotations, cluster)
    result = closed_form(annotations, point, incomplete, rows, codes, method)
    value, error, n, undefined = result.value, result.standard_error, result.n, result.undefined
    scored = result.score
    if scored is not None:
        low, high = scored.ends_of_one(confidence_level)
    elif error == 0:
        low = high = value
    else:
        ends = interval_ends([value], [error], [n], confidence_level, transform)
        low, high = (float(end[0]) for end in ends)
    alone = ONE_ITEM if cluster is None else ONE_CLUSTER
    note = alone if undefined is None and n == 1 else None
    if note is None and scored is not None:
        note = settled_by_coders(annotations, point, value)
    if note is None:
        documents = None if rows is None or codes is None else (rows, codes)
        of = (annotations, point, result.observed, (low, high), confidence_level, incomplete)
        note = why_narrow(*of, value=value, documents=documents)
    return StandardError(
        coefficient=point.name,
        distance=point.distance.name,
        value=value,
        standard_error=error,
        low=low,
        high=high,
        confidence_level=confidence_level,
        n_items=n,
        method=method,
        undefined=undefined,
        note=note,
        transform=transform,
        n_items_dropped=result.n_dropped,
        score=scored,
        n_clusters=None if cluster is None else n,
    )


def interval_ends(
    values: Any, errors: Any, n: Any, confidence_level: float, transform: str | None
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of each interval, as in `standard_error`; NaN unless n > 1."""
    values = np.asarray(values, np.float64)
    quantiles = student_quantiles(np.asarray(n, np.float64) - 1, (1 + confidence_level) / 2)
    reach = quantiles * errors
    low, high = values - reach, values + reach
    if transform == "atanh":
        inside = np.abs(values) < 1
        value = np.where(inside, values, 0.0)
        middle, reach = np.arctanh(value), reach / (1 - value**2)
        low = np.where(inside, np.tanh(middle - reach), low)
        high = np.where(inside, np.tanh(middle + reach), high)
    return low, high

"""Ratings that are numbers: who rates higher than the others, and one score for each item."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_quantile, student_share
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.diagnostics.error_correlation import numbers_of
from agreement_fast.inference.hypotheses import holm
from agreement_fast.inference.resample import document_codes
from agreement_fast.options import PerItem, check_share
from agreement_fast.patterns import dense
from agreement_fast.present.tables import Aligned, in_columns
from agreement_fast.present.terminal import number_of, show_span, some_of
from agreement_fast.reading.recognition.recognise import ReadingOptions

NO_OTHERS = "no item was rated by another judge"
ONE_ITEM = "one item has no spread, so there is no interval"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Leniency(Aligned):
    """How much higher each of M judges rates than all judges do on average, on the same items.

    Attributes
    ----------
    judges : tuple
        Names of the judges.
    leniency, low, high : float64 array of shape (M,)
        The difference from the mean of all judges, and its interval: above 0 rates higher. They add
        up to 0. NaN if undefined.
    standard_error : float64 array of shape (M,)
    p_value, adjusted_p_value : float64 array of shape (M,)
        Two-sided, that the judge rates as all do on average; and adjusted for the number of judges
        (Holm 1979).
    mean : float64 array of shape (M,)
        The plain mean of the judge's ratings, which also depends on their items.
    n_items : int64 array of shape (M,)
        Items that the judge and another one rated.
    confidence_level : float
        Confidence level of the intervals.
    undefined : tuple of M str or None
        Why a value is undefined.
    """

    judges: tuple[Any, ...]
    leniency: FloatArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray
    p_value: FloatArray
    adjusted_p_value: FloatArray
    mean: FloatArray
    n_items: Array
    confidence_level: float
    undefined: tuple[str | None, ...]

    _column_names = (
        "judge=judges leniency low high standard_error p_value adjusted_p_value mean n_items "
        "confidence_level undefined"
    )

    def __repr__(self) -> str:
        return f"<leniency of {len(self)} judges: {show_span(self.leniency, '+.6g')}>"

    def __str__(self) -> str:
        """Return a table of the judges, the most lenient first."""
        order = np.argsort(-self.leniency, kind="stable").tolist()
        layout = (
            "judge | leniency:?+.4f | interval = low..high | p = p_value:?.4f | "
            "adjusted p = adjusted_p_value:?.4f | mean:?.4f | items = n_items"
        )
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def leniency(
    data: JudgmentsLike,
    *,
    cluster: PerItem | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Leniency:
    """Estimate how much higher or lower each judge rates than the others, item by item.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Ratings that are numbers, by judges: people, models, or both.
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Documents
        are then the sample.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Leniency
        One row per judge.

    Raises
    ------
    ValueError
        If the judges are unknown or ratings are not numbers.

    Notes
    -----
    The rating of item i by judge j is t_i + a_j and an error, Σ a_j = 0; least squares give the
    leniencies a_j, whoever rated which items. So a judge of good items is not taken for a lenient
    one. With all ratings, a_j is the judge's mean less the mean of all. Standard errors are those
    of a sample of items (or documents) in which errors may depend on each other: a judge may be
    lenient to some items only. Intervals have Student's t with n − 1 degrees of freedom for n
    items. If some judges share no items with the others, not even by way of a third judge, they
    cannot be compared, and nothing is defined. O(items · judges²).

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> ratings = [(1, 2, 2), (3, 4, 3), (2, 4, 3), (4, 5, 5), (1, 3, 2), (3, 3, 3)]
    >>> result = diagnostics.leniency(ratings)
    >>> result.leniency.round(3).tolist(), result.low.round(3).tolist()
    ([-0.611, 0.556, 0.056], [-1.02, 0.132, -0.208])
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    names = annotations.known_coders("leniency()")
    ratings, weight = _ratings(annotations, "leniency()")
    seen = ~np.isnan(ratings)
    with np.errstate(invalid="ignore"):
        mean = np.nansum(ratings * weight[:, None], 0) / (seen * weight[:, None]).sum(0)
    made = (seen.sum(1) > 1) & (weight > 0)
    ratings, weight, seen = ratings[made], weight[made], seen[made]
    codes = None
    if cluster is not None:
        codes = np.unique(document_codes(annotations, cluster)[made], return_inverse=True)[1]
    n_items = (seen * weight[:, None]).sum(0).astype(np.int64)
    n = float(weight.sum() if codes is None else codes.max(initial=-1) + 1)
    value, error, apart = _fit(ratings, seen, weight, codes, n)
    reason = None
    if apart:
        reason = f"{some_of([names[place] for place in apart], 4)} share no items with the others"
    reach = student_quantile(n - 1, (1 + confidence_level) / 2) if n > 1 else math.nan
    p_values = [
        2 * student_share(n - 1, -abs(a) / e) if e > 0 else math.nan
        for a, e in zip(value.tolist(), error.tolist(), strict=True)
    ]
    undefined = [
        NO_OTHERS if not judged else reason if reason else ONE_ITEM if n < 2 else None
        for judged in n_items.tolist()
    ]
    return Leniency(
        judges=tuple(names),
        leniency=value,
        low=value - reach * error,
        high=value + reach * error,
        standard_error=error,
        p_value=np.array(p_values),
        adjusted_p_value=np.array(holm(p_values)),
        mean=mean,
        n_items=n_items,
        confidence_level=confidence_level,
        undefined=tuple(undefined),
    )


def _ratings(annotations: Annotations, purpose: str) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of each item by each judge, NaN if missing, and the items' weights."""
    numbers = numbers_of(annotations, purpose, "data")
    table = dense(annotations.rows, len(annotations.known_coders(purpose)))
    weights = annotations.rows.weights
    weight = np.ones(len(table)) if weights is None else weights.astype(np.float64)
    return np.append(numbers, np.nan)[table], weight


def _fit(
    ratings: FloatArray, seen: Array, weight: FloatArray, codes: Array | None, n: float
) -> tuple[FloatArray, FloatArray, list[int]]:
    """Return the leniencies, their standard errors, and judges apart from others: then all NaN.

    With the items' levels eliminated, the equations are L a = b, L the Laplacian of the judges who
    rated the same items.
    """
    from scipy.sparse.csgraph import connected_components

    value, error = np.full((2, seen.shape[1]), np.nan)
    active = np.flatnonzero(seen.any(0))
    if not len(active):
        return value, error, []
    m = seen[:, active].astype(np.float64)
    share = m * (weight / m.sum(1))[:, None]
    laplacian = np.diag((m * weight[:, None]).sum(0)) - m.T @ share
    # Chains of shared items join judges
    _, chain = connected_components(laplacian < 0)
    if chain.any():
        return value, error, active[chain != chain[0]].tolist()
    own = np.where(m > 0, ratings[:, active], 0.0)
    away = (own - (own.sum(1) / m.sum(1))[:, None]) * m
    inverse = np.linalg.pinv(laplacian)
    effect = inverse @ (away * weight[:, None]).sum(0)
    rest = away - (effect - (m @ effect / m.sum(1))[:, None]) * m
    if codes is None:
        products = (rest * weight[:, None]).T @ rest
    else:
        sums = np.zeros((int(n), len(active)))
        np.add.at(sums, codes, rest * weight[:, None])
        products = sums.T @ sums
    value[active] = effect
    if n > 1:
        squares = np.diagonal(inverse @ products @ inverse) * n / (n - 1)
        error[active] = np.sqrt(np.maximum(squares, 0.0))
    return value, error, []


#: Items that are printed.
SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ItemScores(Aligned):
    """The scores of N items.

    Attributes
    ----------
    items : sequence
        Names of the items.
    mean, median : float64 array of shape (N,)
        Of the item's ratings; NaN without any.
    low, high : float64 array of shape (N,)
        The interval of the mean; NaN if no item has two ratings.
    adjusted : float64 array of shape (N,)
        The mean of the ratings less their judges' leniencies: the score that all judges would give
        on average. NaN if the leniencies are undefined.
    n_judgments : int64 array of shape (N,)
    standard_deviation : float
        Of the ratings of an item, over all items.
    confidence_level : float
        Confidence level of the intervals.
    """

    items: Sequence[Any]
    mean: FloatArray
    median: FloatArray
    low: FloatArray
    high: FloatArray
    adjusted: FloatArray
    n_judgments: Array
    standard_deviation: float
    confidence_level: float

    _column_names = "item=items mean low high median adjusted n_judgments confidence_level"

    def __repr__(self) -> str:
        spread = f"{self.standard_deviation:.4g}"
        return (
            f"<scores of {number_of(len(self), 'item')}, standard deviation of ratings of an item:"
            f" {spread}>"
        )

    def __str__(self) -> str:
        """Return a table of the first items."""
        layout = "item | mean | interval = low..high | median | adjusted | judgments = n_judgments"
        shown = range(min(SHOWN, len(self)))
        lines = in_columns(self.columns(), layout, shown)
        if len(self) > SHOWN:
            lines.append(f"  ... and {len(self) - SHOWN:,} more items")
        return "\n".join([repr(self)[1:-1], *lines])


def item_scores(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> ItemScores:
    """Combine the ratings of each item into a mean with an interval, a median and an adjusted mean.

    A majority is for labels: of ratings that differ by a step, many tie. See
    `af.aggregate` for labels.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Ratings that are numbers, by judges.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ItemScores
        One row per stored item.

    Raises
    ------
    ValueError
        If the judges are unknown or ratings are not numbers.

    See Also
    --------
    leniency : The judges' leniencies, which `adjusted` removes.

    Notes
    -----
    With the pooled standard deviation s of ratings of an item, over all items with two or more, the
    interval of a mean of n ratings is the mean ± t s / √n; the degrees of freedom are the ratings
    beyond the first of each item. So an item with one rating has an interval, too. It is right if
    the ratings of all items vary alike. O(judgments), and what `leniency` takes.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> ratings = [(1, 2, 2), (3, 4, 3), (2, 4, 3), (4, 5, 5), (1, 3, None), (3, None, None)]
    >>> result = diagnostics.item_scores(ratings)
    >>> result.mean.round(2).tolist(), result.adjusted.round(2).tolist()
    ([1.67, 3.33, 3.0, 4.67, 2.0, 3.0], [1.67, 3.33, 3.0, 4.67, 2.04, 3.74])
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    ratings, weight = _ratings(annotations, "item_scores()")
    seen = ~np.isnan(ratings)
    n = seen.sum(1)
    some = n > 0
    mean, median, adjusted = np.full((3, len(n)), np.nan)
    mean[some] = np.nansum(ratings[some], 1) / n[some]
    median[some] = np.nanmedian(ratings[some], 1)
    lenient = leniency(annotations).leniency
    moved = ratings[some] - np.where(np.isnan(lenient), 0.0, lenient)
    if not np.isnan(lenient).all():
        known = ~(np.isnan(lenient) & seen[some]).any(1)
        adjusted[some] = np.where(known, np.nansum(moved, 1) / n[some], np.nan)
    squares = float(weight @ np.nansum((ratings - mean[:, None]) ** 2, 1))
    freedom = float(weight @ np.maximum(n - 1, 0))
    spread = math.sqrt(squares / freedom) if freedom > 0 else math.nan
    reach = np.full(len(n), np.nan)
    if freedom > 0:
        reach[some] = student_quantile(freedom, (1 + confidence_level) / 2) * spread
        reach[some] /= np.sqrt(n[some])
    return ItemScores(
        items=annotations.items,
        mean=mean,
        median=median,
        low=mean - reach,
        high=mean + reach,
        adjusted=adjusted,
        n_judgments=n.astype(np.int64),
        standard_deviation=spread,
        confidence_level=confidence_level,
    )

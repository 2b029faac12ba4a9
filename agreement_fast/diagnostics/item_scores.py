"""One score for each item, from the ratings of several judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_quantile
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.diagnostics.error_correlation import numbers_of
from agreement_fast.diagnostics.leniency import leniency
from agreement_fast.options import check_share
from agreement_fast.patterns import dense
from agreement_fast.present.tables import Aligned, in_columns
from agreement_fast.present.terminal import number_of
from agreement_fast.reading.recognition.recognise import ReadingOptions

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
    names = annotations.known_coders("item_scores()")
    numbers = numbers_of(annotations, "item_scores()", "data")
    table = dense(annotations.rows, len(names))
    ratings = np.append(numbers, np.nan)[table]
    n = (table >= 0).sum(1)
    weights = annotations.rows.weights
    weight = np.ones(len(n)) if weights is None else weights.astype(np.float64)
    some = n > 0
    mean, median, adjusted = np.full((3, len(n)), np.nan)
    mean[some] = np.nansum(ratings[some], 1) / n[some]
    median[some] = np.nanmedian(ratings[some], 1)
    lenient = leniency(annotations).leniency
    moved = ratings[some] - np.where(np.isnan(lenient), 0.0, lenient)
    if not np.isnan(lenient).all():
        known = ~(np.isnan(lenient) & (table[some] >= 0)).any(1)
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

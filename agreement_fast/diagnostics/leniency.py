"""Who rates higher than the others on the same items?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_quantile, student_share
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.diagnostics.error_correlation import numbers_of
from agreement_fast.inference.hypotheses import holm
from agreement_fast.inference.resample import document_codes
from agreement_fast.options import PerItem, check_share
from agreement_fast.patterns import dense
from agreement_fast.present.tables import Aligned, in_columns
from agreement_fast.present.terminal import show_span, some_of
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
    numbers = numbers_of(annotations, "leniency()", "data")
    table = dense(annotations.rows, len(names))
    ratings = np.append(numbers, np.nan)[table]
    weights = annotations.rows.weights
    weight = np.ones(len(table)) if weights is None else weights.astype(np.float64)
    with np.errstate(invalid="ignore"):
        mean = np.nansum(ratings * weight[:, None], 0) / ((table >= 0) * weight[:, None]).sum(0)
    made = ((table >= 0).sum(1) > 1) & (weight > 0)
    ratings, weight, seen = ratings[made], weight[made], table[made] >= 0
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


def _fit(
    ratings: FloatArray, seen: Array, weight: FloatArray, codes: Array | None, n: float
) -> tuple[FloatArray, FloatArray, list[int]]:
    """Return the leniencies, their standard errors, and judges apart from others: then all NaN.

    With the items' levels eliminated, the equations are L a = b, L the Laplacian of the judges who
    rated the same items.
    """
    value, error = np.full((2, seen.shape[1]), np.nan)
    active = np.flatnonzero(seen.any(0))
    if not len(active):
        return value, error, []
    m = seen[:, active].astype(np.float64)
    share = m * (weight / m.sum(1))[:, None]
    laplacian = np.diag((m * weight[:, None]).sum(0)) - m.T @ share
    apart = _apart(laplacian)
    if apart:
        return value, error, active[apart].tolist()
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


def _apart(laplacian: FloatArray) -> list[int]:
    """Return the places of judges whom no chain of shared items joins to the first."""
    joined, new = np.zeros(len(laplacian), bool), np.zeros(len(laplacian), bool)
    new[0] = True
    while new.any():
        joined |= new
        new = (laplacian[new] < 0).any(0) & ~joined
    return np.flatnonzero(~joined).tolist()

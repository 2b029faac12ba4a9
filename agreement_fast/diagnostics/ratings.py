"""Ratings that are numbers: who rates higher than the others, everywhere or in one of two groups of
items, and one score for each item.

Differential functioning is, for each coder, an ordinal logistic regression (cumulative logits; with
two labels the logistic one) of the label of an item,

    ln P(label ≥ k) / P(label < k) = a_k + b q + c g,

on the quality q of the item, which is the mean rating of the other coders, and on its group g, 0 or
1. exp(c) is the ratio of the odds of higher labels in the second group to those in the first, at
equal quality: uniform differential functioning. With the product of q and g, its coefficient says
how much the ratio depends on the quality: non-uniform differential functioning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import student_quantile, student_share, two_sided_quantile
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.diagnostics.error_correlation import numbers_of
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.groups import grouped
from agreement_fast.inference.hypotheses import holm, normal_p
from agreement_fast.inference.results import ONE_ITEM
from agreement_fast.options import Label, Names, PerItem, check_share
from agreement_fast.patterns import dense
from agreement_fast.present.result import Sectioned
from agreement_fast.present.tables import Aligned
from agreement_fast.present.terminal import show_label, some_of
from agreement_fast.reading.groups import document_codes

NO_OTHERS = "no item was rated by another judge"
ONE_LABEL = "the coder gave one label to all items that others judged, too"
ONE_GROUP = "the coder judged items of one group only"
ALIKE = "the others' mean rating does not differ within the groups"
APART = "separated: quality and group decide the labels, so that no odds are finite"
ALMOST_APART = "almost separated: quality and group nearly decide the labels"
FEW = "fewer items than the regression has coefficients"

#: Steps of Newton's method, and the length of the last: it squares the distance to the maximum. If
#: coefficients are infinite, each step adds about 1 to them.
STEPS = 100
SETTLED = 1e-5
#: Coefficients from which a linear programme looks whether they are infinite; its rounding.
FAR = 10.0
ROUNDING = 1e-7
#: Condition of the second derivatives from which rounding decides the standard errors.
SINGULAR = 1e12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Leniency(Aligned, Sectioned):
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

    _caption = "leniency of {judges:judge}: {leniency:span}"
    _title = "Who rates high"
    _meaning = (
        "How much higher than the mean of all a judge rates the same items, in units of the labels;"
        " p is not corrected for the number of judges."
    )
    _table = "judge | leniency:+ | low..high:+ | p = p_value:.4f | mean | items = n_items"
    _ordered_by = "-leniency"
    _what = "judge"
    _remarks = ""

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
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
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


def _ratings(
    annotations: Annotations, purpose: str, numbers: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of each item by each judge, NaN if missing, and the items' weights.

    `numbers`: those that the categories stand for; by default they must be numbers.
    """
    if numbers is None:
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

    _caption = (
        "scores of {items:item}, standard deviation of ratings of an item: {standard_deviation:.4g}"
    )
    _table = "item | mean | low..high | median | adjusted | n_judgments"
    _what = "item"

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


def item_scores(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> ItemScores:
    """Combine the ratings of each item into a mean with an interval, a median and an adjusted mean.

    A majority is for labels: of ratings that differ by a step, many tie. See
    `af.aggregate` for labels.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DifferentialFunctioning(Aligned):
    """How differently each of C coders labels two groups of items at equal quality.

    Attributes
    ----------
    coders : sequence of labels
    by : str
        The name of the groups.
    groups : tuple of two labels
        The second is compared with the first.
    odds_ratio, low, high : float64 array of shape (C,)
        The odds that the coder's label is higher (than any that you choose) in the second group, at
        equal quality, divided by those in the first, with the interval: 1 is no difference. NaN if
        undefined.
    standard_error : float64 array of shape (C,)
        Of the logarithm of the odds ratio.
    p_value, adjusted_p_value : float64 array of shape (C,)
        Two-sided, of no difference; and adjusted for the number of coders (Holm 1979).
    slope : float64 array of shape (C,)
        By which the logarithm of the odds ratio changes with one standard deviation of quality. NaN
        if undefined, also if only the regression with the product has no finite coefficients.
    slope_standard_error, slope_p_value, slope_adjusted_p_value : float64 array of shape (C,)
        The same for the slope: the test of non-uniform differential functioning.
    n_items : int64 array of shape (C,)
        Items of the coder that others judged, too, weights counted.
    confidence_level : float
        Of the intervals, and 1 less the level of the words.
    undefined : tuple of C str or None
        Why a coder has no odds ratio.
    """

    _caption = "odds ratios of {coders:coder}, {_second:l} against {_first:l}: {odds_ratio:span}"
    _table = (
        "coder | odds_ratio | low..high | adjusted_p_value | slope:+ | its adjusted p = "
        "slope_adjusted_p_value | n_items"
    )
    _ordered_by = "p_value"
    _what = "coder"
    _remarks = ""
    _below = "sentences"

    def _first(self) -> Any:
        return self.groups[0]

    def _second(self) -> Any:
        return self.groups[1]

    coders: Sequence[Any]
    by: str
    groups: tuple[Any, Any]
    odds_ratio: FloatArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray
    p_value: FloatArray
    adjusted_p_value: FloatArray
    slope: FloatArray
    slope_standard_error: FloatArray
    slope_p_value: FloatArray
    slope_adjusted_p_value: FloatArray
    n_items: Array
    confidence_level: float
    undefined: tuple[str | None, ...]

    _column_names = (
        "coder=coders odds_ratio low high standard_error p_value adjusted_p_value slope "
        "slope_standard_error slope_p_value slope_adjusted_p_value n_items confidence_level "
        "undefined"
    )

    def sentences(self) -> list[str]:
        """Say for each coder whether the groups are labelled differently at equal quality."""
        level = 1 - self.confidence_level
        first, second = (show_label(group, 24) for group in self.groups)
        lines = []
        for c, coder in enumerate(self.coders):
            sentence = f"{show_label(coder, 24)}: "
            if (reason := self.undefined[c]) is not None:
                lines.append(f"{sentence}undefined; {reason}")
                continue
            odds, low, high = (float(of[c]) for of in (self.odds_ratio, self.low, self.high))
            if self.adjusted_p_value[c] <= level:
                side = "higher" if odds > 1 else "lower"
                sentence += f"{side} labels for {second} than for {first} at equal quality"
            else:
                sentence += f"no clear difference between {second} and {first}"
            sentence += f", odds ratio {odds:.2f} ({low:.2f} to {high:.2f})"
            if self.slope_adjusted_p_value[c] <= level:
                grows = "grows" if self.slope[c] > 0 else "falls"
                sentence += f"; it {grows} with the quality of the items"
            lines.append(sentence)
        return lines


def differential_functioning(
    data: JudgmentsLike,
    by: Names,
    *,
    by_order: Sequence[Label] | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> DifferentialFunctioning:
    """Test whether coders or models label two groups of items differently at equal quality.

    Parameters
    ----------
    data : data frame, list of dicts, table of items × coders, or Annotations
        Judgments by coders: people, models, or both. Labels are numbers, two, or declared
        `categories` in order, which count as 0, 1, 2 and so on.
    by : str, sequence or mapping
        The column of the two groups, such as the dialect of a text. For `Annotations` and tables
        without names of columns: the group of each item, as a sequence, a mapping or a Series; or
        the name of a column that was read `along`.
    by_order : sequence of two groups, optional
        The group to compare with, and the other one. By default in the order of their names.
    confidence_level : float, default 0.95
        Between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    DifferentialFunctioning
        A row for each coder; printed with a sentence for each.

    Raises
    ------
    ValueError
        If coders are unknown, there are not two groups, or labels have no order.

    Notes
    -----
    The quality of an item is the mean rating of the other coders, without the coder's own. It is
    centred and divided by its standard deviation over the coder's items, so that the odds ratio is
    that of the regression without a product, and the slope one of a standard deviation. Standard
    errors are robust, clustered by item: H⁻¹ Σ s sᵀ H⁻¹ n / (n − p), with the derivatives s of the
    log-likelihood of each item and its second derivatives −H at the maximum. Everybody is
    compared with the others: if all favour a group alike, nobody stands out, and if one of few
    coders does, the others seem to favour the other group a little. The mean of few coders
    measures quality with error. If the groups differ in quality, a part of this difference is then
    taken for differential functioning, the less the more coders there are (docs/judges.md has its
    size). O(items · (labels + 3)²) for each step and coder.

    References
    ----------
    Swaminathan, H., & Rogers, H. J. (1990). Detecting differential item functioning using logistic
    regression procedures. Journal of Educational Measurement 27(4), 361-370. Zumbo, B. D. (1999).
    A handbook on the theory and methods of differential item functioning. Holm, S. (1979). A simple
    sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    The third coder gives items of the second group lower ratings than the others do:

    >>> import numpy as np
    >>> from agreement_fast import diagnostics
    >>> rng = np.random.default_rng(1)
    >>> group = np.repeat(["a", "b"], 100)
    >>> quality = rng.normal(3, 1, 200)
    >>> ratings = quality[:, None] + rng.normal(0, 0.5, (200, 4))
    >>> ratings[100:, 2] -= 0.8
    >>> ratings = ratings.round().astype(int).clip(1, 5)
    >>> result = diagnostics.differential_functioning(ratings, by=group)
    >>> print(result.sentences()[2])
    2: lower labels for b than for a at equal quality, odds ratio 0.12 (0.06 to 0.23)
    """
    check_share("confidence_level", confidence_level)
    annotations, groups = grouped(data, by, **reading)
    names = annotations.known_coders("differential_functioning()")
    chosen = _two(groups.names, by_order)
    place = np.full(len(groups.names), np.nan)
    place[chosen] = 0.0, 1.0
    group = place[groups.codes]
    ratings, weight = _ratings(annotations, "differential_functioning()", _numbers(annotations))
    seen = ~np.isnan(ratings)
    total, n = np.nansum(ratings, 1), seen.sum(1)
    fits = []
    for c in range(len(names)):
        used = seen[:, c] & (n > 1) & (weight > 0) & ~np.isnan(group)
        own = ratings[used, c]
        quality = (total[used] - own) / (n[used] - 1)
        fits.append(_of_coder(own, quality, group[used], weight[used]))
    value, error, slope, slope_error = np.array([fit[:4] for fit in fits]).T
    p_values, slope_p_values = (
        [normal_p(z, "two-sided") for z in ratio_of.tolist()]
        for ratio_of in (ratio(value, error), ratio(slope, slope_error))
    )
    reach = two_sided_quantile(confidence_level) * error
    first, second = (groups.names[i][0] for i in chosen)
    return DifferentialFunctioning(
        coders=names,
        by=str(groups.by[0]),
        groups=(first, second),
        odds_ratio=np.exp(value),
        low=np.exp(value - reach),
        high=np.exp(value + reach),
        standard_error=error,
        p_value=np.array(p_values),
        adjusted_p_value=np.array(holm(p_values)),
        slope=slope,
        slope_standard_error=slope_error,
        slope_p_value=np.array(slope_p_values),
        slope_adjusted_p_value=np.array(holm(slope_p_values)),
        n_items=np.array([fit[4] for fit in fits], np.int64),
        confidence_level=confidence_level,
        undefined=tuple(fit[5] for fit in fits),
    )


def _two(names: list[tuple[Any, ...]], by_order: Sequence[Any] | None) -> list[int]:
    """Return the places of the first and the second group."""
    if names and len(names[0]) > 1:
        raise InputError(
            (Argument("by"), f" names {len(names[0])} columns, and two groups are those of one"),
            "join the columns in the data",
        )
    groups = [name for (name,) in names]
    compared = groups if by_order is None else list(by_order)
    if len(compared) != 2:
        argument = "by" if by_order is None else "by_order"
        raise InputError(
            (Argument(argument), f" must have two groups to compare, got {len(compared)}: "
             f"{some_of(compared, SHOWN)}"),
            ("pass the two as ", Argument("by_order")) if len(groups) > 2 else None
        )  # fmt: skip
    for group in compared:
        if group not in groups:
            raise InputError(
                (Argument("by_order"), f" names the group {group!r}; the groups are "
                 f"{some_of(groups, SHOWN)}")
            )  # fmt: skip
    return [groups.index(group) for group in compared]


def _numbers(annotations: Annotations) -> FloatArray:
    """Return the categories as numbers: their own, or their places in the order."""
    labels = annotations.categories
    if all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in labels):
        return np.array(labels, np.float64)
    if len(labels) > 2 and not annotations.declared:
        raise InputError(
            f"differential_functioning() needs labels with an order, got {labels[0]!r}",
            ("pass all labels from the lowest to the highest as ", Argument("categories")),
            argument="categories",
        )
    return np.arange(len(labels), dtype=np.float64)


def _of_coder(
    labels: FloatArray, quality: FloatArray, group: FloatArray, weight: FloatArray
) -> tuple[float, float, float, float, int, str | None]:
    """Return ln odds ratio and slope, each with its standard error, the items, and a reason."""
    levels, y = np.unique(labels, return_inverse=True)
    n = float(weight.sum())
    reason = None
    if not len(levels):
        reason = FEW
    elif len(levels) == 1:
        reason = ONE_LABEL
    elif group.min() == group.max():
        reason = ONE_GROUP
    elif quality.min() == quality.max():
        reason = ALIKE
    nothing = (math.nan, math.nan, math.nan, math.nan, int(n))
    if reason is not None:
        return *nothing, reason
    centred = quality - weight @ quality / n
    standard = centred / math.sqrt(weight @ centred**2 / n)
    uniform = ordinal_regression(y, np.stack([standard, group], 1), weight)
    if isinstance(uniform, str):
        return *nothing, uniform
    both = ordinal_regression(y, np.stack([standard, group, standard * group], 1), weight)
    slope = (math.nan, math.nan) if isinstance(both, str) else (both[0][2], both[1][2])
    value, error = uniform[0][1], uniform[1][1]
    return float(value), float(error), float(slope[0]), float(slope[1]), int(n), None


def ordinal_regression(
    y: Array, x: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray] | str:
    """Return the coefficients of x and their robust standard errors, or why there are none.

    P(y ≥ k) = σ(x b − t_k) for k = 1, ..., K − 1, where t rises. By Newton's method, whose steps
    are halved until the log-likelihood, which is concave, rises.

    Parameters
    ----------
    y : int64 array of shape (n,)
        From 0 to K − 1; each occurs.
    x : float64 array of shape (n, p)
    weight : float64 array of shape (n,)
        How many items a row is.
    """
    from scipy.special import expit

    n_cuts, n = int(y.max()), float(weight.sum())
    # y = k if u = t_(k+1) - x b is above and l = t_k - x b below a logistic variable
    upper = np.hstack([y[:, None] == np.arange(n_cuts), -x]).astype(np.float64)
    lower = np.hstack([y[:, None] == np.arange(1, n_cuts + 1), -x]).astype(np.float64)
    if n <= upper.shape[1]:
        return FEW
    if np.linalg.matrix_rank(x - x.mean(0)) < x.shape[1]:
        return ALIKE
    top, bottom = y == n_cuts, y == 0
    below = np.cumsum(np.bincount(y, weight))[:-1] / n
    at = np.concatenate([np.log(below / (1 - below)), np.zeros(x.shape[1])])

    def evaluate(at: FloatArray) -> tuple[FloatArray, float, FloatArray, FloatArray]:
        """Return the place, its log-likelihood, derivatives by row, and minus the second ones."""
        u = np.where(top, np.inf, upper @ at)
        low = np.where(bottom, -np.inf, lower @ at)
        # On the side where the logistic function is small, differences keep their digits
        flip = u + low > 0
        u, low = np.where(flip, -low, u), np.where(flip, -u, low)
        above, under = expit(u), expit(low)
        p = above - under
        if not (p > 0).all():  # cuts that do not rise, or too far away
            return at, -math.inf, upper, np.zeros((len(at), len(at)))
        a, b = above * (1 - above) / p, under * (1 - under) / p
        of_u = a * (1 - 2 * above) - a**2
        of_l = -b * (1 - 2 * under) - b**2
        a, b = np.where(flip, b, a), np.where(flip, a, b)
        of_u, of_l = np.where(flip, of_l, of_u), np.where(flip, of_u, of_l)
        scores = a[:, None] * upper - b[:, None] * lower
        second = (upper * (weight * of_u)[:, None]).T @ upper
        second += (lower * (weight * of_l)[:, None]).T @ lower
        crossed = (upper * (weight * a * b)[:, None]).T @ lower
        return at, float(weight @ np.log(p)), scores, -(second + crossed + crossed.T)

    at, value, scores, information = evaluate(at)
    settled = False
    for _ in range(STEPS):
        try:
            step = np.linalg.solve(information, weight @ scores)
        except np.linalg.LinAlgError:
            break
        settled = bool(np.abs(step).max() <= SETTLED * (1 + np.abs(at).max()))
        tried = (evaluate(at + step / 2**halving) for halving in range(20))
        better = next((new for new in tried if settled or new[1] > value), None)
        if better is None:
            break
        at, value, scores, information = better
        if settled:
            break
    if not settled or np.abs(at).max() > FAR:
        from scipy.optimize import linprog

        # a direction in which no label becomes less probable, and some label more
        directions = np.vstack([upper[~top], -lower[~bottom]])
        result = linprog(-directions.sum(0), -directions, np.zeros(len(directions)), bounds=(-1, 1))
        if (result.fun or 0.0) < -ROUNDING:
            return APART
    eigenvalues = np.linalg.eigvalsh(information)
    if not settled or eigenvalues[0] * SINGULAR < eigenvalues[-1]:
        return ALMOST_APART
    influence = np.sqrt(weight)[:, None] * scores @ np.linalg.inv(information)
    errors = np.sqrt((influence**2).sum(0) * n / (n - len(at)))
    return at[n_cuts:], errors[n_cuts:]

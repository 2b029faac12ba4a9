"""Agreement on each category: specific agreement, α of each category, confusions and merges.

Values are computed from Krippendorff's coincidences o_jl, a K × K matrix of the pairs of labels of
the same item, which takes one pass over the distinct rows. For the interval of one category, an
item is the number of its judgments of the category beside the number of all of them. So a pass over
the distinct labels of each item tallies these pairs of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import LARGEST_VARIANCE, two_sided_quantile, wilson_ends
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.forms import Nominal
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.distances.sums.rows import choose
from agreement_fast.errors import UnknownKeyError
from agreement_fast.inference.closed_form import of_tables
from agreement_fast.inference.results import ONE_ITEM, are_few, judgments
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.patterns import Rows, as_lists, row_sizes, tallied
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Listing, ResultTable, Row, ends_of
from agreement_fast.results import NO_PAIRS, NO_VARIATION


class Tallies(NamedTuple):
    """Items with two judgments or more, by category and their numbers of judgments."""

    #: The category, ascending: int array of shape (T,).
    label: Array
    #: The number of items: float64 array of shape (T,).
    weight: FloatArray
    #: How many of an item's judgments are of the category, and how many there are: int64 arrays of
    #: shape (T,).
    own: Array
    size: Array

    @staticmethod
    def of(label: Array, weight: Array, own: Array, size: Array) -> Tallies:
        """Add up the items with the same category and numbers, and leave out those of weight 0."""
        places = int(size.max(initial=0)) + 1
        key, place = np.unique((label * places + own) * places + size, return_inverse=True)
        weight = np.bincount(place, weight, len(key)).astype(np.float64)
        key, weight = key[weight > 0], weight[weight > 0]
        return Tallies(key // places**2, weight, key // places % places, key % places)

    def opposite(self) -> Tallies:
        """Return those of all other categories combined."""
        return self._replace(own=self.size - self.own)


def tallies_of(annotations: Annotations) -> Tallies:
    """Tally the items of each category."""
    rows, K = as_lists(choose(annotations)), len(annotations.labels)
    sizes = row_sizes(rows)
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    weights = np.where(sizes > 1, weights, 0.0)
    items = np.bincount(sizes, weights).astype(np.float64)
    used = np.flatnonzero(items)
    # Items without the category are all but those with it.
    without: FloatArray = np.tile(items[used], (K, 1))
    row, label, own = tallied(rows, K)
    kept = weights[row] > 0
    result = Tallies.of(label[kept], weights[row[kept]], own[kept], sizes[row[kept]])
    at = result.label * len(used) + np.searchsorted(used, result.size)
    without = without - np.bincount(at, result.weight, without.size).reshape(without.shape)
    every = np.repeat(np.arange(K), len(used))
    none = Tallies(every, without.reshape(-1), np.zeros_like(every), np.tile(used, K))
    return Tallies.of(*(np.concatenate(column) for column in zip(result, none, strict=True)))


class Intervals(NamedTuple):
    """Standard errors and both ends of intervals, one for each category; NaN without a value."""

    error: FloatArray
    low: FloatArray
    high: FloatArray


def category_alphas(
    tallies: Tallies, K: int, confidence_level: float
) -> tuple[FloatArray, Intervals]:
    """Compute α of each category against all others combined, and its interval.

    They are those of `inference.standard_error` for the two categories.
    """
    point = Point.of("alpha", "nominal")
    counts = np.stack([tallies.size - tallies.own, tallies.own], axis=1)
    n = len(counts)
    codes, start = np.tile(np.arange(2, dtype=np.int32), n), 2 * np.arange(n + 1)
    rows = Rows(codes, 0, start, None, counts.reshape(-1), tallies.weight.astype(np.int64))
    of_label = np.searchsorted(tallies.label, np.arange(K + 1))
    result = of_tables(rows, of_label, point, Nominal(2), (1, 2), 2)
    return result.score.value, Intervals(result.error, *result.score.ends(confidence_level))


def share_intervals(
    tallies: Tallies, K: int, confidence_level: float
) -> tuple[FloatArray, Intervals]:
    """Compute the specific agreement of each category, and its interval.

    Notes
    -----
    The specific agreement p has a score interval: all m with (p − m)² ≤ z² φ v m (1 − m). Here v is
    the largest variance that p can have for the given numbers of judgments per item (exact for
    two). φ is the observed share of it, computed with one additional item of the largest variance.
    """
    n = float(tallies.weight[tallies.label == tallies.label[:1]].sum())
    positive = tallies.own > 0
    label, weight, own, size = (column[positive] for column in tallies)

    def total(terms: FloatArray) -> FloatArray:
        return np.bincount(label, weight * terms, K).astype(np.float64)

    same, counts = own * (own - 1) / (size - 1), total(own)
    with np.errstate(divide="ignore", invalid="ignore"):  # categories that are not used
        p = total(same) / counts
        squares = total((same - p[label] * own) ** 2)
        most = total(_largest_variance(p[label], size))
        more = LARGEST_VARIANCE * total(size) / total(np.ones(len(size)))
        varies = (squares + more) / (most * p * (1 - p) + more)
        ends = wilson_ends(p, counts**2 / (most * varies), two_sided_quantile(confidence_level))
        correct = n / (n - 1) if n > 1 else np.nan
        error = np.sqrt(correct * squares) / counts
    columns = (np.where(np.isnan(p), np.nan, column) for column in (error, *ends))
    return p, Intervals(*columns)


def _largest_variance(p: FloatArray, size: FloatArray) -> FloatArray:
    """Compute the largest variance of own · (agreement − p) of an item, divided by p (1 − p).

    The contribution of an item is at most r (1 − p), if all of its r judgments are of the category.
    It is at least −g, with g the maximum of y (p − (y − 1) / (r − 1)) over the number y of its
    judgments of the category. The mean is 0.
    """
    y = np.clip(np.rint((1 + p * (size - 1)) / 2), 1, size)
    least = y * (p - (y - 1) / (size - 1))
    return np.asarray(size * np.where(p > 0, least / np.where(p > 0, p, 1.0), 1.0))


@dataclass(frozen=True, slots=True)
class CategoryAgreement(Row):
    """The agreement on one category.

    Attributes
    ----------
    label : object
        The category. If labels are sets, a whole set: {a} stands for judgments of a alone.
    n_judgments : int
        Judgments of the category in items with two judgments or more, including weights.
    share : float
        Their share of all such judgments.
    specific_agreement : float
        The probability that a second judgment of an item has the category, given that a first one
        has it. For two coders 2a / (2a + b + c): the positive agreement of Cicchetti & Feinstein
        1990, who recommend it and the negative agreement beside κ. Each judgment counts the same,
        so an item with more judgments counts more. NaN for a category that is not used.
    specific_standard_error, specific_low, specific_high : float
        The standard error of the specific agreement (delta method, items as the sample), and a
        score interval. The interval lies in [0, 1] and is not empty even if all coders agree.
    negative_agreement : float
        The probability that a second judgment of an item does not have the category, given that a
        first one does not: the specific agreement of all other categories combined. NaN if all
        judgments have the category.
    negative_standard_error, negative_low, negative_high : float
        Its standard error and its score interval.
    alpha : float
        Krippendorff's α of the category against all others combined.
    alpha_standard_error, alpha_low, alpha_high : float
        The standard error of `alpha` (delta method), and the interval of
        `inference.standard_error` for the category and all others combined.
    confidence_level : float
        The level of the intervals.
    undefined : str or None
        Why `alpha` is undefined.
    note : str or None
        Why there is no standard error, or that α rests on few judgments.
    """

    aside = DETAILS | {f"{name}_standard_error" for name in ("specific", "negative", "alpha")}

    label: Any = field(metadata={"column": "category"})
    n_judgments: int
    share: float
    specific_agreement: float
    specific_standard_error: float
    specific_low: float
    specific_high: float
    negative_agreement: float
    negative_standard_error: float
    negative_low: float
    negative_high: float
    alpha: float
    alpha_standard_error: float
    alpha_low: float
    alpha_high: float
    confidence_level: float
    undefined: str | None
    note: str | None


class CategoryTable(ResultTable[CategoryAgreement]):
    """The agreement on each category; ``table.of(label)`` returns the row of one.

    Attributes
    ----------
    uneven : bool
        Whether items have different numbers of judgments, so that some count more than others.
    """

    _caption = (
        "agreement on each of {_rows:category}[{uneven?}; items with more judgments count more]"
    )
    _table = (
        "category = {label:c} | n_judgments | share:% | specific_agreement | "
        "specific_low..specific_high | alpha | alpha_low..alpha_high"
    )
    _what = "category"
    _remarks = ""
    _most = None

    aside = CategoryAgreement.aside

    def __init__(self, rows: Sequence[CategoryAgreement], uneven: bool) -> None:
        super().__init__(rows)
        self.uneven = uneven

    def of(self, label: Any) -> CategoryAgreement:
        """Return the row of a category."""
        for row in self._rows:
            if row.label == label:
                return row
        raise UnknownKeyError(f"{label!r} is not a category", argument="label")


def category_agreement(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> CategoryTable:
    """Compute the specific and negative agreement and Krippendorff's α of each category.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CategoryTable
        A row for each category, in their order.

    Raises
    ------
    ValueError
        If `confidence_level` is not between 0 and 1.

    Notes
    -----
    With the coincidences o_jl, n_k = Σ_l o_kl and n = Σ_k n_k, the specific agreement is
    o_kk / n_k = (Σ_i n_ik (n_ik − 1) / (n_i − 1)) / Σ_i n_ik. Each judgment counts the same, as in
    α. In Uebersax's Σ n_ik (n_ik − 1) / Σ n_ik (n_i − 1), each pair of judgments counts the same;
    for complete data the two are equal. α of k against all others is
    1 − (n − 1) (n_k − o_kk) / (n_k (n − n_k)) (Krippendorff 2004, 12.4). Its standard error and its
    interval are those of `inference.standard_error` for the two categories.

    For two judgments per item, the interval of the specific agreement is Wilson's (1927) interval
    of the share of items that both coders gave the category among those that either did. For more,
    its width follows from the variance of the items. O(patterns · K²).

    Examples
    --------
    >>> from agreement_fast.diagnostics import category_agreement
    >>> table = [("yes", "yes")] * 4 + [("yes", "no")] * 2 + [("no", "no")] * 14
    >>> for row in category_agreement(table):
    ...     print(row.label, round(row.specific_agreement, 3), round(row.alpha, 3))
    no 0.933 0.74
    yes 0.8 0.74
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    sums = sums_of(annotations)
    counts = sums.counts().astype(np.float64)
    total = float(counts.sum())
    n_items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    tallies = tallies_of(annotations)
    alphas, of_alpha = category_alphas(tallies, len(counts), confidence_level)
    no_value = NO_VARIATION if total else NO_PAIRS
    reasons = [no_value if np.isnan(alpha) else None for alpha in alphas]
    specific, of_specific = share_intervals(tallies, len(counts), confidence_level)
    negative, of_negative = share_intervals(tallies.opposite(), len(counts), confidence_level)
    numbers = {"specific_agreement": specific, "negative_agreement": negative, "alpha": alphas}
    for name, of in {"specific": of_specific, "negative": of_negative, "alpha": of_alpha}.items():
        numbers |= {f"{name}_standard_error": of.error, **ends_of(name, of[1:])}
    rows = [
        CategoryAgreement(
            label=label,
            n_judgments=round(float(counts[k])),
            share=float(counts[k]) / total if total else math.nan,
            **{name: float(column[k]) for name, column in numbers.items()},
            confidence_level=confidence_level,
            undefined=reasons[k],
            note=ONE_ITEM
            if counts[k] and math.isnan(of_specific.error[k])
            else _rests_on(float(counts[k]), total, n_items, alphas[k]),
        )
        for k, label in enumerate(annotations.categories)
    ]
    return CategoryTable(rows, uneven=len(sums.pairable_sizes) > 1)


def _rests_on(own: float, total: float, n_items: int, alpha: float) -> str | None:
    """Return a note if α of a category rests on few judgments, its own or those of others."""
    others = total - own
    for number, of in ((own, "of the category"), (others, "of other categories")):
        if are_few(number, total, n_items, alpha):
            return f"alpha rests on {judgments(round(number))} {of}"
    return None


@dataclass(frozen=True, slots=True, repr=False)
class Confusion(Row):
    """Two categories and how often coders confuse them.

    Attributes
    ----------
    first, second : object
        The categories.
    observed : float
        Coincidences of the two, o_jl + o_lj: pairs of judgments of the same item, weighted so that
        those of an item add up to its number of judgments.
    expected : float
        The coincidences expected by chance, 2 n_j n_l / (n − 1).
    ratio : float
        Observed over expected coincidences. 1 is chance; above 1, coders confuse the two more often
        than by chance.
    share : float
        Their share of all disagreement D_o under the nominal distance.
    merged_alpha : float
        α (nominal) if the two were merged; NaN if no variation would remain.
    gain : float
        The rise in α if the two were merged. **Merging afterwards does not replace a new study**:
        coders with fewer categories might have decided differently (Artstein & Poesio 2008, 4.1).
    """

    first: Any = field(metadata={"column": "first"})
    second: Any = field(metadata={"column": "second"})
    observed: float
    expected: float
    ratio: float
    share: float
    merged_alpha: float
    gain: float


def category_confusions(
    data: JudgmentsLike,
    *,
    limit: int | None = None,
    sort: Literal["observed", "gain"] = "observed",
    **reading: Unpack[ReadingOptions],
) -> Listing[Confusion]:
    """List pairs of categories by how often coders confuse them, or by the gain of merging them.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments.
    limit : int, optional
        The number of pairs to return; by default all K (K − 1) / 2.
    sort : {"observed", "gain"}, default "observed"
        Whether the pairs with the most coincidences come first, or those whose merging would raise
        α most.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Listing of Confusion
        A sequence and a table, with a row for each pair.

    Raises
    ------
    ValueError
        If `sort` or `limit` is not valid.

    Notes
    -----
    Merging j and l removes their coincidences from D_o and their product from D_e, so α after each
    merge follows from the coincidences. O(patterns · K² + K²).

    Examples
    --------
    >>> from agreement_fast.diagnostics import category_confusions
    >>> table = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("a", "b")]
    >>> worst = category_confusions(table)[0]
    >>> worst.first, worst.second, round(worst.share, 2), round(worst.gain, 3)
    ('b', 'c', 0.75, 0.383)
    """
    check_choice("sort", sort, ("observed", "gain"))
    limit = None if limit is None else check_count("limit", limit, 0)
    annotations = as_annotations(data, **reading)
    coincidences = annotations.coincidence_matrix().values
    K = len(coincidences)
    counts = coincidences.sum(0)
    total = float(counts.sum())
    first, second = np.triu_indices(K, 1)
    met = coincidences[first, second] + coincidences[second, first]
    product = 2.0 * counts[first] * counts[second]
    apart, chance = math.fsum(met), math.fsum(product)
    alpha = 1.0 - (total - 1) * apart / chance if chance else math.nan
    # A difference of sums of integers, so it is exactly 0 if only the two categories occur.
    chance_left = chance - product
    merged = np.full(len(met), np.nan)
    possible = (chance_left > 0) & (K > 2)
    merged[possible] = 1.0 - (total - 1) * (apart - met[possible]) / chance_left[possible]
    gains = merged - alpha
    by_chance = product / (total - 1) if total > 1 else np.full(len(met), np.nan)
    rank = met if sort == "observed" else np.nan_to_num(gains, nan=-np.inf)
    labels = annotations.categories
    return Listing(
        Confusion(
            first=labels[first[i]],
            second=labels[second[i]],
            observed=float(met[i]),
            expected=float(by_chance[i]),
            ratio=float(met[i] / by_chance[i]) if by_chance[i] > 0 else math.nan,
            share=float(met[i]) / apart if apart else math.nan,
            merged_alpha=float(merged[i]),
            gain=float(gains[i]),
        )
        for i in np.argsort(-rank, kind="stable")[:limit].tolist()
    )

"""The largest κ that the marginals of two coders allow (Cohen 1960)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.errors import InputError
from agreement_fast.inference.intervals import LEAST_DEFINED, ROUNDING
from agreement_fast.options import Seed, check_number, check_resamples, check_share, generator
from agreement_fast.patterns import pair_table
from agreement_fast.present.tables import Aligned


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChanceAccuracy(Aligned):
    """The agreement and accuracy of two coders who draw labels at random.

    Attributes
    ----------
    categories : tuple of labels
        The categories.
    shares : float64 array of shape (K,)
        The share of items that belong to the category.
    agreement : float64 array of shape (K,)
        The share of items to which both coders give the category.
    right : float64 array of shape (K,)
        The share of items that belong to the category and to which both coders give it.
    """

    _caption = (
        "ChanceAccuracy of {categories:category}: agreement {expected_agreement:.4f}, accuracy "
        "at least {least_accuracy:.4f}"
    )
    _table = "category | share | agreement | right"
    _what = "category"

    categories: Sequence[Any]
    shares: FloatArray
    agreement: FloatArray
    right: FloatArray

    _column_names = "category=categories share=shares agreement right"

    @property
    def expected_agreement(self) -> float:
        """The share of items on which both coders agree."""
        return float(self.agreement.sum())

    @property
    def least_accuracy(self) -> float:
        """The share of all items that have an agreed label that is right."""
        return float(self.right.sum())

    @property
    def accuracy_of_agreed(self) -> float:
        """The share of the agreed labels that are right."""
        total = self.expected_agreement
        return self.least_accuracy / total if total > 0 else float("nan")


def chance_accuracy(data: JudgmentsLike, **reading: Unpack[ReadingOptions]) -> ChanceAccuracy:
    """Compute the accuracy of two coders who draw their labels at random.

    Parameters
    ----------
    data : mapping label -> share, Annotations or what `Annotations.from_wide` reads
        The true share of each category, divided by their sum. For data, the shares of the labels.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ChanceAccuracy
        The expected agreement and accuracy, in total and for each category.

    Raises
    ------
    ValueError
        If a share is negative, all shares are 0, or there are no judgments.

    Notes
    -----
    Two coders who draw a category of share p at random agree on it for p² of the items. A share p
    of these items belong to it, so p³ of all items have this label, agreed and right (Artstein &
    Poesio 2008, 3.2: 85.7% if one category has 95%). If one category dominates the data, coders who
    do not look at the items have high agreement and high accuracy. This is why coefficients correct
    for chance. Whether such agreement is good enough depends on the use of the rare categories.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> result = diagnostics.chance_accuracy({"common": 95, "rare": 5})
    >>> result.agreement.round(4).tolist(), result.right.round(4).tolist()
    ([0.9025, 0.0025], [0.8574, 0.0001])
    """
    if isinstance(data, Mapping) and not reading:
        categories = tuple(data)
        counts = np.array([check_number(f"shares[{k!r}]", x) for k, x in data.items()], float)
        if not (counts >= 0).all() or not np.isfinite(counts).all():
            raise InputError.must_be("shares", "numbers of 0 or more", dict(data))
    else:
        annotations = as_annotations(data, **reading)
        categories = tuple(annotations.categories)
        counts = sums_of(annotations).counts(1).astype(np.float64)
    if not counts.max(initial=0.0) > 0:
        raise InputError("all shares are 0: at least one category needs a share above 0")
    p = counts / counts.max()  # avoids an overflow of the sum
    p = p / p.sum()
    return ChanceAccuracy(categories, p, p**2, p**3)


#: The most pairs that are computed.
MOST_PAIRS = 100_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LargestKappa(Aligned):
    """κ of each pair of coders, and the largest κ that their marginals allow: arrays (P,).

    Attributes
    ----------
    first, second : tuples of labels
        The coders of each pair.
    value : float64 array
        Cohen's κ of the items that both judged; NaN if undefined.
    maximum : float64 array
        The largest κ of a table with the same marginals.
    maximum_low, maximum_high : float64 arrays
        Its interval, with the items as the sample; NaN if there is none.
    ratio : float64 array
        value / maximum; NaN if the maximum is 0.
    ratio_low, ratio_high : float64 arrays
        The interval of the ratio; NaN if there is none.
    n_items : int64 array
        The number of items that both judged.
    confidence_level : float
        The level of the intervals.
    n_resamples : int
        The number of resamples.
    """

    _caption = "LargestKappa of {value:pair} of coders: κ {value:span}, at most {maximum:span}"
    _table = "first | second | κ = value | at most = maximum | maximum_low..maximum_high | ratio"
    _what = "pair"

    first: tuple[Any, ...]
    second: tuple[Any, ...]
    value: FloatArray
    maximum: FloatArray
    maximum_low: FloatArray
    maximum_high: FloatArray
    ratio: FloatArray
    ratio_low: FloatArray
    ratio_high: FloatArray
    n_items: Any
    confidence_level: float
    n_resamples: int

    _column_names = (
        "first second value maximum maximum_low maximum_high ratio ratio_low ratio_high n_items"
    )


def largest_kappa(
    data: JudgmentsLike,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
    **reading: Unpack[ReadingOptions],
) -> LargestKappa:
    """Compute the largest κ that the marginals of two coders allow, for each pair of coders.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    n_resamples : int, default 2000
        The number of resamples of the items of each pair, for the intervals; 0 for no intervals. If
        fewer than 20 resamples have a value, there is no interval.
    rng : int or numpy Generator, optional
        The seed or generator of the resamples.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    LargestKappa
        An entry for each pair, in the order of ``itertools.combinations(coders, 2)``; NaN if a pair
        shares no item or both used only one and the same category.

    Raises
    ------
    ValueError
        If the coders are unknown, there are fewer than two, or there are too many pairs.

    Notes
    -----
    Two coders who use the categories at different rates cannot agree on everything. With the shares
    p_k and q_k, they can agree on at most Σ min(p_k, q_k) of the items, and
    κ_max = (Σ min(p_k, q_k) − A_e) / (1 − A_e) (Cohen 1960). It shows how much of the disagreement
    the different rates explain. Do not judge κ by κ_max if the rates themselves are errors.
    O(judgments · C + P · K² · resamples) for P pairs.

    Even coders with equal rates differ in a sample, and differ more in resamples of it. So the
    upper end of the interval of the maximum is its percentile or the mirror image of the lower end,
    the higher of the two, and at most 1. The lower end of the interval of the ratio is found
    likewise. If all resamples are equal, as for coders who agree on everything, there is no
    interval.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20(1), 37-46.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import diagnostics
    >>> data = af.Annotations.from_contingency([[40, 20], [5, 35]])
    >>> diagnostics.largest_kappa(data, rng=1)
    <LargestKappa of 1 pair of coders: κ 0.509804, at most 0.705882>
    """
    check_share("confidence_level", confidence_level)
    if n_resamples:
        check_resamples(n_resamples)
    random = generator(rng)
    annotations = as_annotations(data, **reading)
    coders = annotations.known_coders("largest_kappa()")
    n_pairs = len(coders) * (len(coders) - 1) // 2
    if not n_pairs:
        raise InputError(f"largest_kappa() needs at least two coders, got {len(coders)}")
    if n_pairs > MOST_PAIRS:
        raise InputError(
            f"expected at most {MOST_PAIRS:,} pairs of coders, got {n_pairs:,}",
            "select some coders with data.select(coders=[...])",
        )
    rows, K = annotations.grouped(), len(annotations.categories)
    pairs = list(combinations(range(len(coders)), 2))
    result = np.full((3, n_pairs), np.nan)
    ends = np.full((2, 2, n_pairs), np.nan)
    sizes = np.zeros(n_pairs, np.int64)
    tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    for i, (a, b) in enumerate(pairs):
        counts = pair_table(rows, a, b, K)
        sizes[i] = counts.sum()
        if not sizes[i]:
            continue
        seen = counts.any(0) | counts.any(1)
        shares = counts[np.ix_(seen, seen)] / sizes[i]
        result[:, i] = _of(shares[None])[:, 0]
        if n_resamples and not np.isnan(result[1, i]):
            drawn = random.multinomial(sizes[i], shares.reshape(-1), n_resamples) / sizes[i]
            maxima, ratios = _of(drawn.reshape(n_resamples, *shares.shape))[1:]
            low, high = _ends(result[1, i], maxima, tails)
            ends[0, :, i] = low, min(max(high, 2 * result[1, i] - low), 1.0)
            low, high = _ends(result[2, i], ratios, tails)
            ends[1, :, i] = min(low, 2 * result[2, i] - high), high
    first, second = (tuple(coders[pair[side]] for pair in pairs) for side in (0, 1))
    (value, maximum, ratio), (of_maximum, of_ratio) = result, ends
    numbers: Any = (value, maximum, *of_maximum, ratio, *of_ratio, sizes)
    return LargestKappa(*(first, second, *numbers, confidence_level, n_resamples))


def _ends(value: float, drawn: FloatArray, tails: list[float]) -> tuple[float, float]:
    """Return percentiles, extended to the value; NaN if resamples are too few or all equal."""
    known = drawn[~np.isnan(drawn)]
    if math.isnan(value) or len(known) < LEAST_DEFINED or np.ptp(known) < ROUNDING:
        return math.nan, math.nan
    low, high = np.quantile(known, tails).tolist()
    return min(low, value), max(high, value)


def _of(tables: FloatArray) -> FloatArray:
    """Compute κ, its maximum and their ratio for tables of shares (R, K, K): float64 (3, R)."""
    p, q = tables.sum(2), tables.sum(1)
    observed = np.trace(tables, axis1=1, axis2=2)
    beyond = (p * (1 - q)).sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = 1 - (1 - observed) / beyond
        # 1 − Σ min(p, q), without the rounding of a difference from 1
        maximum = 1 - np.abs(p - q).sum(1) / 2 / beyond
        ratio = value / maximum
    constant = beyond < 1e-15
    for entry in (value, maximum, ratio):
        entry[constant | ~np.isfinite(entry)] = np.nan
    return np.array([value, maximum, ratio])

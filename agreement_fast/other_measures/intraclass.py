"""Intraclass correlations and Cronbach's α, which is one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.options import check_count, check_share, check_sizes, generator
from agreement_fast.other_measures.measure import (
    EXACT,
    FEW_ITEMS,
    NAN,
    NO_ITEMS,
    NO_VARIATION,
    Complete,
    Measure,
    Measures,
    Ratings,
)
from agreement_fast.subsets.each_subset import MOST_CODERS, Block, blocks_of, mask_bits, sampled
from agreement_fast.tables import Listing, Row
from agreement_fast.terminal import number_of, show_value

#: Subsets that are processed together.
AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CronbachOfSize(Row):
    """Cronbach's α over the subsets of one size.

    Attributes
    ----------
    n_coders, n_subsets, n_undefined : int
        The size of the subsets, the number of subsets, and how many of them have no value because
        their judgments do not vary.
    exact : bool
        Whether all subsets of this size were used.
    mean, standard_deviation, relative_standard_deviation : float
        Mean and standard deviation (divided by the number of subsets) over the subsets, and the
        standard deviation divided by the absolute mean.
    minimum, maximum : float
    """

    n_coders: int
    n_subsets: int
    n_undefined: int
    exact: bool
    mean: float
    standard_deviation: float
    relative_standard_deviation: float
    minimum: float
    maximum: float

    def __repr__(self) -> str:
        return (
            f"<Cronbach's alpha of {number_of(self.n_subsets, 'subset')} of {self.n_coders} "
            f"coders: mean {show_value(self.mean)}, RSD "
            f"{100 * self.relative_standard_deviation:.2f}%>"
        )


def cronbach_subsets(
    data: Any,
    sizes: Iterable[int] | None = None,
    *,
    max_subsets: int = 100_000,
    rng: int | np.random.Generator | None = None,
) -> Listing[CronbachOfSize]:
    """Compute Cronbach's α over subsets of the coders of each size.

    `subsets.coder_subsets` does the same for agreement. Antoine et al. (2014, footnote 2) report a
    relative standard deviation of Cronbach's α above 22% in this design.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Items that a coder did not judge
        are left out.
    sizes : iterable of int, optional
        The sizes of the subsets; by default every size from 2 to all coders.
    max_subsets : int, default 100_000
        The largest number of subsets of each size. If there are more, a sample of this number is
        drawn.
    rng : int or numpy Generator, optional
        Seed or generator of the sample. The same seed gives the same result.

    Returns
    -------
    Listing of CronbachOfSize
        One for each size, in the order of `sizes`.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two or more than 63 coders, every
        item lacks a judgment, or a size is impossible.

    Notes
    -----
    All subsets use the same covariances of the coders. The cost is O(U · C² + subsets · C²) for U
    distinct rows and C coders.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 1, 3, 2], [2, 2, 1, 2], [3, 4, 2, 3], [4, 3, 4, 5], [5, 5, 4, 4]]
    >>> for one in af.other_measures.cronbach_subsets(table):
    ...     print(one.n_coders, one.n_subsets, round(one.relative_standard_deviation, 3))
    2 6 0.178
    3 4 0.055
    4 1 0.0
    """
    check_count("max_subsets", max_subsets)
    ratings = Ratings(data, "Cronbach's alpha")
    n_coders = len(ratings.coders)
    if n_coders > MOST_CODERS:
        raise InputError(
            f"expected at most {MOST_CODERS} coders, got {n_coders:,}",
            "pass data.select(coders=[...])",
        )
    checked = check_sizes(sizes, 2, n_coders)
    values, weights, _ = ratings.complete()
    if int(weights.sum()) < 2:
        raise InputError(
            "Cronbach's alpha needs two or more items that every coder judged, got "
            f"{int(weights.sum())}",
            "pass data.select(coders=[...]) with coders who share items",
            argument="data",
        )
    moved = values - weights @ values / weights.sum()
    covariance = (moved * weights[:, None]).T @ moved / weights.sum()
    random = generator(rng)
    return Listing(_of_size(covariance, size, max_subsets, random) for size in checked)


def _of_size(
    covariance: FloatArray, size: int, most: int, rng: np.random.Generator
) -> CronbachOfSize:
    n_coders = len(covariance)
    every = comb(n_coders, size)
    drawn = None if every <= most else sampled(size, n_coders, most, rng)
    blocks = blocks_of(size, n_coders, drawn, AT_ONCE)
    alphas = np.concatenate([_alphas(covariance, block) for block in blocks])
    known = alphas[~np.isnan(alphas)]
    mean, spread, least, most_ = np.nan, np.nan, np.nan, np.nan
    if len(known):
        mean, spread = float(known.mean()), float(known.std())
        least, most_ = float(known.min()), float(known.max())
    return CronbachOfSize(
        size, len(alphas), len(alphas) - len(known), drawn is None, mean, spread,
        spread / abs(mean) if mean else np.nan, least, most_,
    )  # fmt: skip


def _alphas(covariance: FloatArray, block: Block) -> FloatArray:
    """Compute α of each subset of a block; NaN if its coders' sums do not vary."""
    inside = mask_bits(block.masks(), len(covariance))
    total = np.einsum("bi,bi->b", inside @ covariance, inside)
    own = inside @ np.diag(covariance)
    varies = total > 1e-12 * own
    ratio = np.divide(own, total, out=np.full(len(own), np.nan), where=varies)
    return np.asarray(block.size / (block.size - 1) * (1 - ratio))


def overall_concordance(data: Any, *, confidence_level: float = 0.95) -> Measure:
    """Compute the overall concordance correlation of all coders (Barnhart, Haber & Song 2002).

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Items that a coder did not judge
        are left out.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Measure
        The overall concordance with its interval.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or `data` are counts
        without coders.

    Notes
    -----
    CCC = 2 Σ_{c<d} s_cd / ((C − 1) Σ_c s_c² + Σ_{c<d} (m_c − m_d)²), with moments divided by the
    number of items. It is the mean of the pairs' Lin coefficients, weighted by their denominators.
    It equals `agreement_fast.beta` with the distance "interval", the quadratically weighted κ for
    any number of coders. So this measure is agreement, under another name. The interval is that of
    `inference.standard_error` on Fisher's scale. The cost is O(judgments).

    References
    ----------
    Barnhart, H. X., Haber, M., & Song, J. (2002). Overall concordance correlation coefficient for
    evaluating agreement among multiple observers. Biometrics 58, 1020-1027.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2, 1], [2, 3, 3], [3, 4, 3], [4, 5, 4], [2, 3, 2]]
    >>> one = af.other_measures.overall_concordance(table)
    >>> round(one, 6) == round(af.beta(table, "interval"), 6)
    True
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    ratings = Ratings(annotations, "the overall concordance correlation")
    found = standard_error(
        annotations,
        "beta",
        distance="interval",
        incomplete="complete",
        confidence_level=confidence_level,
    )
    value, low, high, note = found.value, found.low, found.high, found.note
    if value >= 1 - 1e-12 and not math.isnan(value):
        low, high, note = NAN, NAN, EXACT
    elif found.undefined is None and math.isnan(low):
        note = note or FEW_ITEMS
    return ratings.measured(
        "overall CCC", (value, low, high), confidence_level, found.n_items, found.undefined, note
    )


#: The names of Shrout & Fleiss (1979), and those of McGraw & Wong (1996).
NAMES: Mapping[str, str] = {
    "ICC(1,1)": "ICC(1)",
    "ICC(2,1)": "ICC(A,1)",
    "ICC(3,1)": "ICC(C,1)",
    "ICC(1,k)": "ICC(k)",
    "ICC(2,k)": "ICC(A,k)",
    "ICC(3,k)": "ICC(C,k)",
}


ALIKE_ITEMS = "no variation between items: all items have the same mean"
NEGATIVE = "the variance of the means over coders is estimated as 0 or less"


class MeanSquares(NamedTuple):
    """Mean squares of n items and k coders: between items, between coders, error, within items."""

    items: float
    coders: float
    error: float
    within: float
    n: int
    k: int

    @classmethod
    def of(cls, found: Complete) -> MeanSquares:
        """Compute the mean squares of two or more items and two or more coders. O(U · C)."""
        values, weights = found.values, found.weights
        n, k = int(weights.sum()), values.shape[1]
        values = values - float(weights @ values.mean(1)) / n
        of_item = values.mean(1)
        of_coder = weights @ values / n
        between = k * float(weights @ of_item**2)
        coders = n * float(of_coder @ of_coder)
        within = float(weights @ ((values - of_item[:, None]) ** 2).sum(1))
        left = values - of_item[:, None] - of_coder
        error = float(weights @ (left * left).sum(1))
        # Differences within the rounding error count as 0.
        tiny = 1e-24 * max(between, within, 1e-300)
        between, coders, error, within = (
            0.0 if one <= tiny else one for one in (between, coders, error, within)
        )
        return cls(
            between / (n - 1),
            coders / (k - 1),
            error / ((n - 1) * (k - 1)),
            within / (n * (k - 1)),
            n,
            k,
        )


class Ends(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float


def intraclass_correlations(data: Any, *, confidence_level: float = 0.95) -> Measures:
    """Compute the six intraclass correlations of Shrout & Fleiss (1979).

    Only items that every coder judged are used.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Measures
        "ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)" and "ICC(3,k)". Each note has the
        name of McGraw & Wong (1996): ICC(1), ICC(A,1), ICC(C,1), ICC(k), ICC(A,k) and ICC(C,k).

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or no item was judged by
        every coder.

    Notes
    -----
    ICC(1,·) assumes that each item has other coders. ICC(2,·) treats the coders as a sample and
    counts their bias as disagreement. ICC(3,·) treats them as all coders there are and ignores
    their bias. "1" is about a single coder, "k" about the mean of all coders.

    ICC(2,k) is undefined if its denominator, the estimated variance of the means, is not positive;
    other programs return a value above 1 in this case. Intervals use the F distribution and assume
    normal judgments (Shrout & Fleiss 1979); that of ICC(2,·) is Satterthwaite's approximation.

    Items that lack a judgment are left out and counted. With missing judgments there is no single
    decomposition into mean squares, and an estimate by likelihood would be a different number. The
    cost is O(U · C) for U distinct rows and C coders.

    References
    ----------
    Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater
    reliability. Psychological Bulletin 86, 420-428.

    McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation
    coefficients. Psychological Methods 1, 30-46.

    Examples
    --------
    Table 2 of Shrout & Fleiss, whose table 4 has .17, .29, .71, .44, .62 and .91:

    >>> import agreement_fast as af
    >>> table = [
    ...     [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]
    ... ]
    >>> for one in af.other_measures.intraclass_correlations(table):
    ...     print(f"{one.measure} {one:.2f} {one.low:.2f} {one.high:.2f}")
    ICC(1,1) 0.17 -0.13 0.72
    ICC(2,1) 0.29 0.02 0.76
    ICC(3,1) 0.71 0.34 0.95
    ICC(1,k) 0.44 -0.88 0.91
    ICC(2,k) 0.62 0.07 0.93
    ICC(3,k) 0.91 0.68 0.99
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(data, "an intraclass correlation")
    found = _complete(ratings, "an intraclass correlation")
    squares, undefined = _squares(found)
    ends = dict.fromkeys(NAMES, Ends(NAN, NAN, NAN))
    if squares is not None:
        ends = six(squares, confidence_level)
    return Measures(
        _measure(name, ends[name], ratings, found, confidence_level, undefined, other)
        for name, other in NAMES.items()
    )


def cronbach_alpha(data: Any, *, confidence_level: float = 0.95) -> Measure:
    """Compute Cronbach's α (1951), the consistency of the coders.

    Only items that every coder judged are used.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    Measure
        Cronbach's α with its interval.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or no item was judged by
        every coder.

    Notes
    -----
    α = C / (C − 1) · (1 − Σ_c s_c² / s²), where s_c² is the variance of coder c's judgments and s²
    the variance of the items' sums over coders. It equals ICC(3,k), and it grows with the number of
    coders even if they agree little. A constant that a coder adds to all judgments does not change
    it (Krippendorff's objection; Antoine et al. 2014, footnote 2). The interval is that of Feldt
    (1965), for normal judgments. The cost is O(U · C) for U distinct rows and C coders.

    References
    ----------
    Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16,
    297-334.

    Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2], [2, 3], [3, 4], [4, 5], [2, 3]]
    >>> found = af.other_measures.cronbach_alpha(table)
    >>> found.value, round(af.alpha(table).value, 2)
    (1.0, -0.18)
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(data, "Cronbach's alpha")
    found = _complete(ratings, "Cronbach's alpha")
    squares, undefined = _squares(found)
    if squares is not None and squares.items == 0:
        squares, undefined = None, ALIKE_ITEMS
    ends = Ends(NAN, NAN, NAN)
    if squares is not None:
        ends = six(squares, confidence_level)["ICC(3,k)"]
    return _measure("Cronbach's alpha", ends, ratings, found, confidence_level, undefined)


def _complete(ratings: Ratings, purpose: str) -> Complete:
    found = ratings.complete()
    if not found.n_items:
        raise InputError(
            f"{purpose} needs items that every coder judged, but no item was judged by all "
            f"{len(ratings.coders):,} coders",
            (
                "select coders who share items, or use alpha with ",
                Argument("distance", "interval"),
                ", which takes missing judgments",
            ),
            argument="data",
        )
    return found


def _squares(found: Complete) -> tuple[MeanSquares | None, str | None]:
    if found.n_items < 2:
        return None, NO_ITEMS
    squares = MeanSquares.of(found)
    if squares.items == 0 and squares.within == 0:
        return None, NO_VARIATION
    return squares, None


def _measure(
    name: str,
    ends: Ends,
    ratings: Ratings,
    found: Complete,
    level: float,
    undefined: str | None,
    other: str | None = None,
) -> Measure:
    note = None if other is None else f"{other} in McGraw & Wong"
    if undefined is None and not math.isnan(ends.value) and math.isnan(ends.low):
        note = EXACT if note is None else f"{note}; {EXACT}"
    if undefined is None and math.isnan(ends.value):
        undefined = NEGATIVE if name.startswith("ICC(2") else ALIKE_ITEMS
    return ratings.measured(name, ends, level, found.n_items, undefined, note)


def six(squares: MeanSquares, confidence_level: float) -> dict[str, Ends]:
    """Compute the six coefficients and their intervals (Shrout & Fleiss 1979, with appendix)."""
    items, coders, error, within, n, k = squares
    tail = (1 + confidence_level) / 2
    found = {}
    for kind, rest, df in (("1", within, n * (k - 1)), ("3", error, (n - 1) * (k - 1))):
        low, high = _ratios(items, rest, n - 1, df, tail)
        found[f"ICC({kind},1)"] = Ends(
            _over(items - rest, items + (k - 1) * rest), _single(low, k), _single(high, k)
        )
        found[f"ICC({kind},k)"] = Ends(_over(items - rest, items), 1 - 1 / low, 1 - 1 / high)
    rounding = 1e-12 * (items + coders + error)
    single = _over(items - error, items + (k - 1) * error + k * (coders - error) / n, rounding)
    low, high = _ends_of_sample(squares, single, tail)
    found["ICC(2,1)"] = Ends(single, low, high)
    whole = items + (coders - error) / n
    found["ICC(2,k)"] = Ends(NAN, NAN, NAN)
    if whole > rounding:
        found["ICC(2,k)"] = Ends((items - error) / whole, _of_mean(low, k), _of_mean(high, k))
    return found


def _over(part: float, whole: float, rounding: float = 0.0) -> float:
    return part / whole if abs(whole) > rounding else NAN


def _of_mean(single: float, k: int) -> float:
    """Convert an end of an interval to the mean of k judgments (Spearman-Brown)."""
    whole = 1 + (k - 1) * single
    return -math.inf if whole <= 0 else k * single / whole


def _single(ratio: float, k: int) -> float:
    return (ratio - 1) / (ratio + k - 1)


def _ratios(
    items: float, rest: float, df_items: int, df_rest: int, tail: float
) -> tuple[float, float]:
    """Compute the interval of the ratio of two expected mean squares."""
    from scipy.special import fdtri

    if not items or not rest:
        return NAN, NAN
    ratio = items / rest
    return (
        ratio / float(fdtri(df_items, df_rest, tail)),
        ratio * float(fdtri(df_rest, df_items, tail)),
    )


def _ends_of_sample(squares: MeanSquares, value: float, tail: float) -> tuple[float, float]:
    """Compute the interval of ICC(2,1) by Satterthwaite's approximation."""
    from scipy.special import fdtri

    items, coders, error, _, n, k = squares
    if not items or not error or math.isnan(value):
        return NAN, NAN
    of_coders = k * value * coders
    of_error = (n * (1 - value) + k * value * (n - 1)) * error
    df = (of_coders + of_error) ** 2 / (of_coders**2 / (k - 1) + of_error**2 / ((n - 1) * (k - 1)))
    up, down = float(fdtri(n - 1, df, tail)), float(fdtri(df, n - 1, tail))
    rest = k * coders + (k * n - k - n) * error
    return (
        n * (items - up * error) / (up * rest + n * items),
        n * (down * items - error) / (rest + n * down * items),
    )

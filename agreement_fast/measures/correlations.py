"""Correlations of pairs of coders, concordance, and intraclass correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.sums.columns import Numbers
from agreement_fast.distances.sums.linear import Linear
from agreement_fast.errors import Argument
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.inference.score import score
from agreement_fast.measures.measure import (
    EXACT,
    FEW_ITEMS,
    NAN,
    NO_ITEMS,
    NO_SPREAD,
    NO_VARIATION,
    SAME,
    Complete,
    Measure,
    Measures,
    Points,
    Ratings,
    names_of_pairs,
    no_interval,
    of_influence,
    wrong_data,
)
from agreement_fast.options import check_choice, check_share
from agreement_fast.points import Point


def sign_sums(x: FloatArray, weights: Array, values: FloatArray) -> FloatArray:
    """Compute Σ_j w_j v_j sign(x_j − x_k) for each point k. O(P log P).

    Examples
    --------
    >>> sign_sums(np.array([1.0, 2.0, 2.0]), np.array([1, 1, 3]), np.ones(3)).tolist()
    [4.0, -1.0, -1.0]
    """
    result, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights * values, len(result))
    upto = np.cumsum(sums)
    total = upto[-1] if len(upto) else 0.0
    return np.asarray((total - upto - (upto - sums))[place])


def centred_ranks(x: FloatArray, weights: Array) -> FloatArray:
    """Count the points below each point minus those above: twice its mid-rank, centred at 0."""
    return -sign_sums(x, weights, np.ones(len(x)))


def concordance(x: FloatArray, y: FloatArray, weights: Array) -> FloatArray:
    """Compute Σ_j w_j sign(x_k − x_j) sign(y_k − y_j) for each point k. O(P log P).

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> concordance(x, y, np.ones(3, np.int64)).tolist()
    [2.0, 0.0, 0.0]
    """
    w = weights.astype(np.float64)
    x_below, x_alike = _below_and_alike(np.zeros(len(x)), x, w)
    y_below, y_alike = _below_and_alike(np.zeros(len(y)), y, w)
    # Lower in one and equal in the other; equal in both.
    lower_alike, both_alike = _below_and_alike(y, x, w)
    alike_lower, _ = _below_and_alike(x, y, w)
    both_lower = lower_in_both(x, y, weights)
    lower_higher = x_below - both_lower - lower_alike
    higher_lower = y_below - both_lower - alike_lower
    not_higher = both_lower + lower_alike + alike_lower + both_alike
    both_higher = w.sum() - (x_below + x_alike) - (y_below + y_alike) + not_higher
    return np.asarray(both_lower + both_higher - lower_higher - higher_lower)


def _below_and_alike(
    group: FloatArray, x: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sum the weights of the lower and of the equal points in each point's group."""
    n = len(x)
    order = np.lexsort((x, group))
    upto = np.concatenate([[0.0], np.cumsum(weights[order])])
    new_group = np.ones(n, bool)
    new_group[1:] = group[order[1:]] != group[order[:-1]]
    new = new_group.copy()
    new[1:] |= x[order[1:]] != x[order[:-1]]
    run = np.cumsum(new) - 1
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], n)
    group_begin = np.flatnonzero(new_group)[np.cumsum(new_group) - 1]
    below, alike = np.empty(n), np.empty(n)
    below[order] = upto[begin[run]] - upto[group_begin]
    alike[order] = upto[end[run]] - upto[begin[run]]
    return below, alike


def lower_in_both(x: FloatArray, y: FloatArray, weights: Array) -> FloatArray:
    """Sum the weights of the points that are lower than each point in x and in y.

    The points are sorted by y and split by one bit of their place in x at a time, as in a wavelet
    tree. A point of the lower half that stands before a point of the upper half is lower in both.
    Ties are sorted in descending order, so that no tied point counts as lower.
    """
    n = len(x)
    column = np.empty(n, np.int64)
    column[np.lexsort((-y, x))] = np.arange(n)
    order = np.lexsort((-column, y))
    place, weight = column[order], weights[order].astype(np.float64)
    result = np.zeros(n)
    for bit in reversed(range(max(n - 1, 0).bit_length())):
        upper = (place >> bit) & 1 == 1
        # All blocks of places but the last are full, so a block starts at its first place.
        start = place >> (bit + 1) << (bit + 1)
        lower_weight = np.concatenate([[0.0], np.cumsum(np.where(upper, 0.0, weight))])
        places = np.arange(n)
        result += np.where(upper, lower_weight[places] - lower_weight[start], 0.0)
        lower_count = np.concatenate([[0], np.cumsum(~upper)])
        before = lower_count[places] - lower_count[start]
        within = np.where(upper, places - start - before, before)
        moved = np.empty(n, np.int64)
        moved[(place >> bit << bit) + within] = places
        place, weight, result = place[moved], weight[moved], result[moved]
    return np.asarray(result[column])


#: Measures that use only the order of the labels.
OF_RANKS = ("spearman", "kendall")

MEASURES = ("pearson", "spearman", "kendall", "lin")


class Estimate(NamedTuple):
    """A value, its influence function at each point, or the reason why there is no value."""

    value: float
    influence: FloatArray
    undefined: str | None


class Moments(NamedTuple):
    """Means, variances and the covariance of two coders, divided by the number of items."""

    dx: FloatArray
    dy: FloatArray
    shift: float
    sx: float
    sy: float
    sxy: float
    n: int

    @classmethod
    def of(cls, points: Points) -> Moments:
        """Compute the moments about the means. O(P)."""
        x, y, n = points.x, points.y, points.n_items
        share = points.weights / n
        mx, my = float(share @ x), float(share @ y)
        dx, dy = x - mx, y - my
        sums = (float(share @ (dx * dx)), float(share @ (dy * dy)), float(share @ (dx * dy)))
        return cls(dx, dy, mx - my, *sums, n)


def pearson(points: Points) -> Estimate:
    """Compute r = s_xy / (s_x s_y)."""
    m = Moments.of(points)
    zx, zy = m.dx / math.sqrt(m.sx), m.dy / math.sqrt(m.sy)
    r = min(1.0, max(-1.0, m.sxy / math.sqrt(m.sx * m.sy)))
    return Estimate(r, (zx * zy - r / 2 * (zx * zx + zy * zy)) / m.n, None)


def spearman(points: Points) -> Estimate:
    """Compute Pearson's r of the mid-ranks."""
    x, y, w = points.x, points.y, points.weights
    rx, ry = centred_ranks(x, w), centred_ranks(y, w)
    vx, vy, both = float(w @ (rx * rx)), float(w @ (ry * ry)), float(w @ (rx * ry))
    rho = min(1.0, max(-1.0, both / math.sqrt(vx * vy)))
    # One more item also moves the ranks of all others.
    of_both = rx * ry + sign_sums(x, w, ry) + sign_sums(y, w, rx)
    of_vx = rx * rx + 2 * sign_sums(x, w, rx)
    of_vy = ry * ry + 2 * sign_sums(y, w, ry)
    influence = of_both / math.sqrt(vx * vy) - rho / 2 * (of_vx / vx + of_vy / vy)
    return Estimate(rho, influence, None)


def kendall(points: Points) -> Estimate:
    """Compute τ-b: concordant minus discordant pairs, over the geometric mean of untied pairs."""
    x, y, w = points.x, points.y, points.weights
    d = concordance(x, y, w)
    apart_x, apart_y = _untied(x, w), _untied(y, w)
    nx, ny = float(w @ apart_x), float(w @ apart_y)
    tau = min(1.0, max(-1.0, float(w @ d) / math.sqrt(nx * ny)))
    influence = 2 * d / math.sqrt(nx * ny) - tau * (apart_x / nx + apart_y / ny)
    return Estimate(tau, influence, None)


def _untied(x: FloatArray, weights: Array) -> FloatArray:
    """Count the items whose value differs from that of each point."""
    result, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights, len(result))
    return np.asarray((sums.sum() - sums)[place])


ESTIMATES: Mapping[str, Callable[[Points], Estimate]] = {
    of.__name__: of for of in (pearson, spearman, kendall)
}


def estimate_of(measure: str, points: Points) -> Estimate:
    """Compute a correlation, or say why there is none."""
    reason = NO_ITEMS if points.n_items < 2 else None
    if reason is None and (np.ptp(points.x) == 0 or np.ptp(points.y) == 0):
        reason = NO_SPREAD
    if reason is not None:
        return Estimate(NAN, np.zeros(len(points.x)), reason)
    return ESTIMATES[measure](points)


def _of_lin(points: Points, value: float, level: float) -> tuple[float, float, str | None]:
    """Compute Lin's interval on Fisher's scale, from the moments of normal judgments."""
    n = points.n_items
    nothing = no_interval(value, (n < 3, FEW_ITEMS), (abs(value) >= 1 - 1e-12, EXACT))
    if nothing:
        return nothing
    m = Moments.of(points)
    whole = m.sx + m.sy + m.shift**2
    # The gradient, each part divided by `whole`, is 2 in s_xy, −ρ in s_x² and s_y², and
    # ∓2ρ(m_x − m_y) in the means.
    variance = (
        4 * (m.sx * m.sy + m.sxy**2)
        + value**2 * (2 * m.sx**2 + 2 * m.sy**2 + 4 * m.sxy**2)
        - 8 * value * m.sxy * (m.sx + m.sy)
        + 4 * (m.shift * value) ** 2 * (m.sx + m.sy - 2 * m.sxy)
    ) / whole**2
    if variance <= 1e-24:
        return NAN, NAN, SAME
    return *_around(value, math.sqrt(variance / (n - 2)) / (1 - value**2), level), None


def interval_of(
    measure: str, points: Points, contents: Estimate, confidence_level: float
) -> tuple[float, float, str | None]:
    """Compute the interval of a pair's value, or the reason why there is none."""
    value, n = contents.value, points.n_items
    if measure == "pearson":  # Fisher's
        nothing = no_interval(value, (n < 4, FEW_ITEMS), (abs(value) >= 1 - 1e-12, EXACT))
        return nothing or (*_around(value, 1 / math.sqrt(n - 3), confidence_level), None)
    low, high, note = of_influence(value, contents.influence, points.weights, confidence_level)
    variance = LEAST_VARIANCE[measure](value, n)
    if note is None and variance:
        ends = _around(value, math.sqrt(variance), confidence_level)
        low, high = min(low, ends[0]), max(high, ends[1])
    return low, high, note


def _around(value: float, error: float, confidence_level: float) -> tuple[float, float]:
    """Compute an interval from a standard error on Fisher's scale."""
    from scipy.special import ndtri

    reach = float(ndtri((1 + confidence_level) / 2)) * error
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


#: The variance of atanh ρ (Bonett & Wright 2000) and atanh τ (Fieller, Hartley & Pearson 1957) of
#: nearly normal judgments. Of few items, the influences may all be equal by chance.
LEAST_VARIANCE: dict[str, Callable[[float, int], float]] = {
    "spearman": lambda rho, n: (1 + rho**2 / 2) / (n - 3) if n > 3 else 0.0,
    "kendall": lambda tau, n: 0.437 / (n - 4) if n > 4 else 0.0,
}


def correlations(
    data: JudgmentsLike,
    measure: str | Sequence[str] = ("pearson", "spearman", "kendall"),
    *,
    confidence_level: float = 0.95,
    method: Literal["score", "lin"] = "score",
    **reading: Unpack[ReadingOptions],
) -> Measures:
    """Compute correlations of each pair of coders, over the items that both judged.

    A correlation measures how well one coder's judgments predict the other's. A coder who always
    says twice as much has r = 1 and no agreement.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. Pearson and Lin need numbers; the others also take labels with a
        declared order.
    measure : str or sequence of {"pearson", "spearman", "kendall", "lin"}
        The measures to compute; by default all but "lin". Kendall's is τ-b. Lin's concordance
        (1989) also falls if means or spreads differ: it is β under the interval distance.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    method : {"score", "lin"}, default "score"
        The interval of concordance: that of β, or Lin's (1989, corrected 2000).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Measures
        One for each pair and measure, with pairs in the order of
        ``itertools.combinations(coders, 2)``.

    Raises
    ------
    ValueError
        If the labels are not numbers or have no order, there are fewer than two coders, or `data`
        are counts without coders.

    Notes
    -----
    The interval of r is Fisher's. Those of ρ and τ-b are by the delta method on Fisher's scale,
    ties included, as Brown & Benedetti (1977) have it for contingency tables; they are never
    narrower than those of nearly normal judgments without ties (Bonett & Wright 2000; Fieller,
    Hartley & Pearson 1957), for the delta method gives some samples of few items next to no width.
    Concordance is β(interval) of the items that both coders judged, with the interval of
    `inference.standard_error`. Fisher's interval, and Lin's of concordance, assume nearly normal
    judgments. A value of ±1 has no interval, except for concordance. The cost is O(C² · U log U)
    for C coders and U distinct rows.

    References
    ----------
    Bonett, D. G., & Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall
    and Spearman correlations. Psychometrika 65, 23-28.

    Fieller, E. C., Hartley, H. O., & Pearson, E. S. (1957). Tests for rank correlation coefficients
    I. Biometrika 44, 470-481.

    Brown, M. B., & Benedetti, J. K. (1977). Sampling behavior of tests for correlation in two-way
    contingency tables. Journal of the American Statistical Association 72, 309-315.

    Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility.
    Biometrics 45, 255-268. Corrected in volume 56, 324-325.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2], [2, 4], [3, 6], [4, 8], [5, 10]]
    >>> for one in af.measures.correlations(table, ["pearson", "lin"]):
    ...     print(one.measure, round(one.value, 3))
    pearson 1.0
    lin 0.421
    """
    check_share("confidence_level", confidence_level)
    check_choice("method", method, ("score", "lin"))
    names = names_of_pairs(measure, MEASURES)
    annotations = as_annotations(data, **reading)
    result: dict[tuple[int, int], list[Measure]] = {}
    for ranks in (False, True):
        some = [name for name in names if (name in OF_RANKS) == ranks]
        if not some:
            continue
        ratings = Ratings(annotations, f"{some[0]} correlation", ranks=ranks)
        for first, second, points in ratings.pairs():
            result.setdefault((first, second), []).extend(
                _concordance(ratings, confidence_level, (first, second), points, method)
                if name == "lin"
                else _measured(ratings, name, (first, second), points, confidence_level)
                for name in some
            )
    place = {name: i for i, name in enumerate(names)}
    return Measures(
        cell
        for row in result.values()
        for cell in sorted(row, key=lambda entry: place[entry.measure])
    )


def _measured(
    ratings: Ratings, name: str, pair: tuple[int, int], points: Points, level: float
) -> Measure:
    result = estimate_of(name, points)
    low, high, note = interval_of(name, points, result, level)
    ends = (result.value, low, high)
    return ratings.measured(name, ends, level, points.n_items, result.undefined, note, pair)


def mean_of_pairs(ratings: Ratings, measure: str, confidence_level: float) -> Measure:
    """Compute the mean of a correlation over the pairs of coders that have one, with its interval.

    For two coders, it is the correlation of the pair.
    """
    total, n_pairs = 0.0, 0
    influence = np.zeros(ratings.n_rows)
    used = np.zeros(ratings.n_rows, bool)
    first, second, points = next(ratings.pairs())
    if len(ratings.coders) == 2:
        return _measured(ratings, measure, (first, second), points, confidence_level)
    undefined = estimate_of(measure, points).undefined
    for _, _, points in ratings.pairs(2):
        result = estimate_of(measure, points)
        if result.undefined is not None:
            continue
        total, n_pairs = total + result.value, n_pairs + 1
        influence[points.rows] += result.influence[points.place]
        used[points.rows] = True
    value = total / n_pairs if n_pairs else NAN
    weights = np.where(used, ratings.weights, 0)
    low, high, note = of_influence(value, influence / max(n_pairs, 1), weights, confidence_level)
    n_all = len(ratings.coders) * (len(ratings.coders) - 1) // 2
    if 0 < n_pairs < n_all:
        note = f"the mean of {n_pairs:,} of {n_all:,} pairs: the others have no value"
    undefined = None if n_pairs else undefined
    return ratings.measured(
        measure, (value, low, high), confidence_level, int(weights.sum()), undefined, note
    )


def kendall_w(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> Measure:
    """Compute Kendall's W, corrected for ties, over the items that every coder judged.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. The labels must be numbers or have a declared order.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Measure
        From 0, if all items have the same sum of ranks, to 1, if all coders order the items alike.

    Raises
    ------
    ValueError
        If the labels have no order, there are fewer than two coders, or `data` are counts without
        coders.

    Notes
    -----
    W = Σ_i (Σ_c r_ic)² / (C Σ_i Σ_c r_ic²), where r_ic is the mid-rank of item i for coder c minus
    the mean rank, and C the number of coders. This equals 12 S / (C² (n³ − n) − C Σ T) (Kendall
    1948). For untied ranks, W = 1/C + (1 − 1/C) times the mean of Spearman's ρ over the pairs of
    coders, so coders who order the items at random have a W near 1/C.

    The interval is by the delta method on the logit scale, with the items as the sample. We know of
    no published interval. The cost is O(C · U log U) for U distinct rows.

    References
    ----------
    Kendall, M. G. (1948). Rank Correlation Methods. London: Griffin.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[2, 3, 1], [1, 1, 2], [3, 2, 3], [4, 4, 5], [6, 5, 6], [5, 6, 4]]
    >>> round(af.measures.kendall_w(table).value, 4)
    0.873
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(as_annotations(data, **reading), "Kendall's W", ranks=True)
    values, weights = ratings.complete()
    n = int(weights.sum())
    undefined = NO_ITEMS if n < 2 else None
    value, influence = NAN, np.zeros(len(weights))
    if undefined is None and not np.ptp(values, axis=0).any():
        undefined = NO_VARIATION
    if undefined is None:
        value, influence = concordance_of_ranks(values, weights)
    # The logit of W is twice Fisher's transform of 2 W - 1.
    low, high, note = of_influence(2 * value - 1, 2 * influence, weights, confidence_level)
    ends = (value, (low + 1) / 2, (high + 1) / 2)
    return ratings.measured("W", ends, confidence_level, n, undefined, note)


def concordance_of_ranks(values: FloatArray, weights: Array) -> tuple[float, FloatArray]:
    """Compute W and its influence function at each row."""
    columns = values.T
    ranks = [centred_ranks(column, weights) for column in columns]
    sums = np.sum(ranks, axis=0)
    squares = np.sum([rank * rank for rank in ranks], axis=0)
    whole = len(ranks) * float(weights @ squares)
    value = float(weights @ (sums * sums)) / whole
    of_sums, of_squares = sums * sums, squares
    for column, own in zip(columns, ranks, strict=True):
        # One more item also moves the ranks of all others.
        of_sums = of_sums + 2 * sign_sums(column, weights, sums)
        of_squares = of_squares + 2 * sign_sums(column, weights, own)
    return value, (of_sums - value * len(ranks) * of_squares) / whole


def overall_concordance(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> Measure:
    """Compute the overall concordance correlation of all coders (Barnhart, Haber & Song 2002).

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Items that a coder did not judge
        are left out.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    `inference.standard_error`. The cost is O(judgments).

    References
    ----------
    Barnhart, H. X., Haber, M., & Song, J. (2002). Overall concordance correlation coefficient for
    evaluating agreement among multiple observers. Biometrics 58, 1020-1027.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2, 1], [2, 3, 3], [3, 4, 3], [4, 5, 4], [2, 3, 2]]
    >>> one = af.measures.overall_concordance(table)
    >>> round(one, 6) == round(af.beta(table, "interval"), 6)
    True
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(as_annotations(data, **reading), "the overall concordance correlation")
    return _concordance(ratings, confidence_level)


def _concordance(
    ratings: Ratings,
    level: float,
    pair: tuple[int, int] | None = None,
    points: Points | None = None,
    method: str = "score",
) -> Measure:
    """Measure β under the interval distance over complete items, of all coders or of a pair."""
    data = ratings.annotations
    if pair is not None and len(ratings.coders) > 2:
        data = data.select(coders=[ratings.coders[place] for place in pair])
    result = standard_error(
        data, "beta", distance="interval", incomplete="complete", confidence_level=level
    )
    value, low, high, note = result.value, result.low, result.high, result.note
    n_items, undefined = result.n_items, result.undefined
    if points is not None and (undefined is not None or n_items < 2):
        value, low, high, note = NAN, NAN, NAN, None
        undefined = NO_ITEMS if points.n_items < 2 else NO_VARIATION
    elif points is not None and method == "lin":
        low, high, note = _of_lin(points, value, level)
    name = "overall CCC" if pair is None else "lin"
    return ratings.measured(name, (value, low, high), level, n_items, undefined, note, pair)


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
    def of(cls, complete: Complete) -> MeanSquares:
        """Compute the mean squares of two or more items and two or more coders. O(U · C)."""
        values, weights = complete.values, complete.weights
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
            0.0 if entry <= tiny else entry for entry in (between, coders, error, within)
        )
        return cls(
            between / (n - 1),
            coders / (k - 1),
            error / ((n - 1) * (k - 1)),
            within / (n * (k - 1)),
            n,
            k,
        )


#: The intervals; the first is the default.
METHODS = ("score", "f")


class Ends(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float


def icc(
    data: JudgmentsLike,
    *,
    confidence_level: float = 0.95,
    method: Literal["score", "f"] = "score",
    **reading: Unpack[ReadingOptions],
) -> Measures:
    """Compute the six intraclass correlations of Shrout & Fleiss (1979).

    Only items that every coder judged are used.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    method : {"score", "f"}, default "score"
        The intervals. "score" is that of `inference.standard_error`, over items, and holds for
        ratings on a scale of few points. "f" is by the F distribution, for normal judgments.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    other programs return a value above 1 in this case.

    ICC(1,1) is a function of α under the interval distance, ICC(2,1) is close to β under it, the
    concordance correlation, and ICC(3,1) is β of judgments less their coders' means. Their
    intervals by "score" are the intervals of these, mapped to the same value; that of the mean of k
    coders follows by the formula of Spearman and Brown. The sample is the items, judged by these
    coders. "f" is by Shrout & Fleiss (1979), for ICC(2,·) Satterthwaite's approximation, which also
    treats the coders as a sample. With five-point ratings its coverage is poor.

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
    >>> for one in af.icc(table):
    ...     print(f"{one.measure} {one:.2f} {one.low:.2f} {one.high:.2f}")
    ICC(1,1) 0.17 -0.13 0.58
    ICC(2,1) 0.29 0.09 0.57
    ICC(3,1) 0.71 0.24 0.91
    ICC(1,k) 0.44 -0.81 0.84
    ICC(2,k) 0.62 0.28 0.84
    ICC(3,k) 0.91 0.56 0.98
    """
    check_share("confidence_level", confidence_level)
    check_choice("method", method, METHODS)
    ratings = Ratings(as_annotations(data, **reading), "an intraclass correlation")
    result = _complete(ratings, "an intraclass correlation")
    squares, undefined = _squares(result)
    ends = dict.fromkeys(NAMES, Ends(NAN, NAN, NAN))
    if squares is not None:
        ends = intervals_of(result, squares, confidence_level, method)
    of_these = "; the interval is over items, for these coders" * (method == "score")
    return Measures(
        _measure(
            name,
            ends[name],
            ratings,
            result,
            confidence_level,
            undefined,
            f"{other} in McGraw & Wong" + of_these * (name[4] == "2"),
        )
        for name, other in NAMES.items()
    )


def cronbach_alpha(
    data: JudgmentsLike,
    *,
    confidence_level: float = 0.95,
    method: Literal["score", "f"] = "score",
    **reading: Unpack[ReadingOptions],
) -> Measure:
    """Compute Cronbach's α (1951), the consistency of the coders.

    Only items that every coder judged are used.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    method : {"score", "f"}, default "score"
        The interval: that of ICC(3,k) by "score", or Feldt's (1965) by the F distribution.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    it (Krippendorff's objection; Antoine et al. 2014, footnote 2). The cost is O(U · C) for U
    distinct rows and C coders.

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
    >>> result = af.measures.cronbach_alpha(table)
    >>> result.value, round(af.alpha(table).value, 2)
    (1.0, -0.18)
    """
    check_share("confidence_level", confidence_level)
    check_choice("method", method, METHODS)
    ratings = Ratings(as_annotations(data, **reading), "Cronbach's alpha")
    result = _complete(ratings, "Cronbach's alpha")
    squares, undefined = _squares(result)
    if squares is not None and squares.items == 0:
        squares, undefined = None, ALIKE_ITEMS
    ends = Ends(NAN, NAN, NAN)
    if squares is not None:
        ends = intervals_of(result, squares, confidence_level, method)["ICC(3,k)"]
    return _measure("Cronbach's alpha", ends, ratings, result, confidence_level, undefined)


def _complete(ratings: Ratings, purpose: str) -> Complete:
    result = ratings.complete()
    if not result.n_items:
        raise wrong_data(
            f"{purpose} needs items that every coder judged, but no item was judged by all "
            f"{len(ratings.coders):,} coders",
            (
                "select coders who share items, or use alpha with ",
                Argument("distance", "interval"),
                ", which takes missing judgments",
            ),
        )
    return result


def _squares(complete: Complete) -> tuple[MeanSquares | None, str | None]:
    if complete.n_items < 2:
        return None, NO_ITEMS
    squares = MeanSquares.of(complete)
    if squares.items == 0 and squares.within == 0:
        return None, NO_VARIATION
    return squares, None


def _measure(
    name: str,
    ends: Ends,
    ratings: Ratings,
    complete: Complete,
    level: float,
    undefined: str | None,
    note: str | None = None,
) -> Measure:
    if undefined is None and not math.isnan(ends.value) and math.isnan(ends.low):
        note = EXACT if note is None else f"{note}; {EXACT}"
    if undefined is None and math.isnan(ends.value):
        undefined = NEGATIVE if name.startswith("ICC(2") else ALIKE_ITEMS
    return ratings.measured(name, ends, level, complete.n_items, undefined, note)


def intervals_of(
    complete: Complete, squares: MeanSquares, confidence_level: float, method: str
) -> dict[str, Ends]:
    """Compute the six coefficients with their intervals by a method."""
    ends = six(squares, confidence_level)
    if method == "f":
        return ends
    n, k = squares.n, squares.k
    centred = complete.values - complete.weights @ complete.values / n
    single = {
        "1": [_one_way(end, n, k) for end in _scored(complete, "alpha", confidence_level)[1:]],
        "3": _scored(complete._replace(values=centred), "beta", confidence_level)[1:],
    }
    # At both ends, 1 less the value is that of β times a factor.
    ccc, *of_ccc = _scored(complete, "beta", confidence_level)
    value = ends["ICC(2,1)"].value
    rate = 1.0 if ccc >= 1 else (1 - value) / (1 - ccc)
    single["2"] = [1 - (1 - end) * rate for end in of_ccc]
    scored = {}
    for kind, both in single.items():
        for size, own in (("1", both), ("k", [_of_mean(end, k) for end in both])):
            name = f"ICC({kind},{size})"
            known = ends[name].value
            scored[name] = Ends(known, *own) if not math.isnan(known) else ends[name]
    return {name: scored[name] for name in ends}


def _one_way(alpha: float, n: int, k: int) -> float:
    """Convert α under the interval distance to ICC(1,1), both functions of F."""
    if alpha >= 1:
        return 1.0
    ratio = ((n * k - 1) / (1 - alpha) - n * (k - 1)) / (n - 1)
    return _single(max(ratio, 0.0), k)


def _scored(complete: Complete, name: str, confidence_level: float) -> tuple[float, float, float]:
    """Compute a coefficient under the interval distance, and its interval."""
    point = Point.of(name, "interval")
    items = Numbers(complete.values, complete.weights)
    made = Linear(items, [point], 2, {point.distance: items.form})
    sums = made.whole
    value = made.values(sums)[0].value
    return float(value[0]), *score(made, point, sums, value).ends_of_one(confidence_level)


def six(squares: MeanSquares, confidence_level: float) -> dict[str, Ends]:
    """Compute the six coefficients and their intervals (Shrout & Fleiss 1979, with appendix)."""
    items, coders, error, within, n, k = squares
    tail = (1 + confidence_level) / 2
    result = {}
    for kind, rest, df in (("1", within, n * (k - 1)), ("3", error, (n - 1) * (k - 1))):
        low, high = _ratios(items, rest, n - 1, df, tail)
        result[f"ICC({kind},1)"] = Ends(
            _over(items - rest, items + (k - 1) * rest), _single(low, k), _single(high, k)
        )
        result[f"ICC({kind},k)"] = Ends(_over(items - rest, items), 1 - 1 / low, 1 - 1 / high)
    rounding = 1e-12 * (items + coders + error)
    single = _over(items - error, items + (k - 1) * error + k * (coders - error) / n, rounding)
    low, high = _ends_of_sample(squares, single, tail)
    result["ICC(2,1)"] = Ends(single, low, high)
    whole = items + (coders - error) / n
    result["ICC(2,k)"] = Ends(NAN, NAN, NAN)
    if whole > rounding:
        result["ICC(2,k)"] = Ends((items - error) / whole, _of_mean(low, k), _of_mean(high, k))
    return result


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

"""Correlations of each pair of coders: Pearson, Spearman, Kendall's τ-b, Lin's concordance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.delta_method import standard_errors
from agreement_fast.options import check_share
from agreement_fast.other_measures.measure import (
    EXACT,
    FEW_ITEMS,
    NAN,
    NO_ITEMS,
    NO_SPREAD,
    NO_VARIATION,
    SAME,
    Measure,
    Measures,
    Points,
    Ratings,
    names_of_pairs,
    no_interval,
    of_influence,
)


def sign_sums(x: FloatArray, weights: Array, values: FloatArray) -> FloatArray:
    """Compute Σ_j w_j v_j sign(x_j − x_k) for each point k. O(P log P).

    Examples
    --------
    >>> sign_sums(np.array([1.0, 2.0, 2.0]), np.array([1, 1, 3]), np.ones(3)).tolist()
    [4.0, -1.0, -1.0]
    """
    found, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights * values, len(found))
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
    found = np.zeros(n)
    for bit in reversed(range(max(n - 1, 0).bit_length())):
        upper = (place >> bit) & 1 == 1
        # All blocks of places but the last are full, so a block starts at its first place.
        start = place >> (bit + 1) << (bit + 1)
        lower_weight = np.concatenate([[0.0], np.cumsum(np.where(upper, 0.0, weight))])
        here = np.arange(n)
        found += np.where(upper, lower_weight[here] - lower_weight[start], 0.0)
        lower_count = np.concatenate([[0], np.cumsum(~upper)])
        before = lower_count[here] - lower_count[start]
        within = np.where(upper, here - start - before, before)
        moved = np.empty(n, np.int64)
        moved[(place >> bit << bit) + within] = here
        place, weight, found = place[moved], weight[moved], found[moved]
    return np.asarray(found[column])


#: Measures that use only the order of the labels.
OF_RANKS = ("spearman", "kendall")

MEASURES = ("pearson", "spearman", "kendall", "lin")


class Found(NamedTuple):
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


def _undefined(points: Points) -> str | None:
    """Return the reason why there is no correlation, or None."""
    if points.n_items < 2:
        return NO_ITEMS
    constant = np.ptp(points.x) == 0 or np.ptp(points.y) == 0
    return NO_SPREAD if constant else None


def _nothing(points: Points, reason: str) -> Found:
    return Found(NAN, np.zeros(len(points.x)), reason)


def pearson(points: Points) -> Found:
    """Compute r = s_xy / (s_x s_y)."""
    undefined = _undefined(points)
    if undefined:
        return _nothing(points, undefined)
    m = Moments.of(points)
    zx, zy = m.dx / math.sqrt(m.sx), m.dy / math.sqrt(m.sy)
    r = min(1.0, max(-1.0, m.sxy / math.sqrt(m.sx * m.sy)))
    return Found(r, (zx * zy - r / 2 * (zx * zx + zy * zy)) / m.n, None)


def spearman(points: Points) -> Found:
    """Compute Pearson's r of the mid-ranks."""
    undefined = _undefined(points)
    if undefined:
        return _nothing(points, undefined)
    x, y, w = points.x, points.y, points.weights
    rx, ry = centred_ranks(x, w), centred_ranks(y, w)
    vx, vy, both = float(w @ (rx * rx)), float(w @ (ry * ry)), float(w @ (rx * ry))
    rho = min(1.0, max(-1.0, both / math.sqrt(vx * vy)))
    # One more item also moves the ranks of all others.
    of_both = rx * ry + sign_sums(x, w, ry) + sign_sums(y, w, rx)
    of_vx = rx * rx + 2 * sign_sums(x, w, rx)
    of_vy = ry * ry + 2 * sign_sums(y, w, ry)
    influence = of_both / math.sqrt(vx * vy) - rho / 2 * (of_vx / vx + of_vy / vy)
    return Found(rho, influence, None)


def kendall(points: Points) -> Found:
    """Compute τ-b: concordant minus discordant pairs, over the geometric mean of untied pairs."""
    undefined = _undefined(points)
    if undefined:
        return _nothing(points, undefined)
    x, y, w = points.x, points.y, points.weights
    d = concordance(x, y, w)
    apart_x, apart_y = _untied(x, w), _untied(y, w)
    nx, ny = float(w @ apart_x), float(w @ apart_y)
    tau = min(1.0, max(-1.0, float(w @ d) / math.sqrt(nx * ny)))
    influence = 2 * d / math.sqrt(nx * ny) - tau * (apart_x / nx + apart_y / ny)
    return Found(tau, influence, None)


def _untied(x: FloatArray, weights: Array) -> FloatArray:
    """Count the items whose value differs from that of each point."""
    found, place = np.unique(x, return_inverse=True)
    sums = np.bincount(place, weights, len(found))
    return np.asarray((sums.sum() - sums)[place])


def lin(points: Points) -> Found:
    """Compute 2 s_xy / (s_x² + s_y² + (m_x − m_y)²); moments are divided by the number of items."""
    if points.n_items < 2:
        return _nothing(points, NO_ITEMS)
    m = Moments.of(points)
    whole = m.sx + m.sy + m.shift**2
    if not whole:
        return _nothing(points, NO_VARIATION)
    value = 2 * m.sxy / whole
    of_whole = m.dx**2 - m.sx + m.dy**2 - m.sy + 2 * m.shift * (m.dx - m.dy)
    return Found(value, (2 * (m.dx * m.dy - m.sxy) - value * of_whole) / (whole * m.n), None)


OF_POINTS: Mapping[str, Callable[[Points], Found]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "lin": lin,
}


def _fisher(r: float, n: int, confidence_level: float) -> tuple[float, float, str | None]:
    """Compute Fisher's interval of r."""
    from scipy.special import ndtri

    nothing = no_interval(r, (n < 4, FEW_ITEMS), (abs(r) >= 1 - 1e-12, EXACT))
    if nothing:
        return nothing
    reach = float(ndtri((1 + confidence_level) / 2)) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach), None


def _of_lin(points: Points, value: float, level: float) -> tuple[float, float, str | None]:
    """Compute Lin's interval on Fisher's scale, from the moments of normal judgments."""
    from scipy.special import ndtri

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
    error = math.sqrt(variance / (n - 2)) / (1 - value**2)
    reach = float(ndtri((1 + level) / 2)) * error
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach), None


def interval_of(
    measure: str, points: Points, found: Found, confidence_level: float
) -> tuple[float, float, str | None]:
    """Compute the interval of a pair's value, or the reason why there is none."""
    if measure == "pearson":
        return _fisher(found.value, points.n_items, confidence_level)
    if measure == "lin":
        return _of_lin(points, found.value, confidence_level)
    return of_influence(found.value, found.influence, points.weights, confidence_level)


def correlations(
    data: Any,
    measures: str | Sequence[str] = ("pearson", "spearman", "kendall"),
    *,
    confidence_level: float = 0.95,
) -> Measures:
    """Compute correlations of each pair of coders, over the items that both judged.

    A correlation measures how well one coder's judgments predict the other's. A coder who always
    says twice as much has r = 1 and no agreement.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. Pearson and Lin need numbers; the others also take labels with a
        declared order.
    measures : str or sequence of {"pearson", "spearman", "kendall", "lin"}
        The measures to compute; by default all but "lin". Kendall's is τ-b. Lin's concordance
        (1989) also falls if means or spreads differ.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

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
    ties included; for contingency tables this is the method of Brown & Benedetti (1977). The
    interval of concordance is Lin's (1989, corrected 2000). Fisher's and Lin's assume nearly normal
    judgments.
    A value of ±1 has no interval. The cost is O(C² · U log U) for C coders and U distinct rows.

    References
    ----------
    Brown, M. B., & Benedetti, J. K. (1977). Sampling behavior of tests for correlation in two-way
    contingency tables. Journal of the American Statistical Association 72, 309-315.

    Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility.
    Biometrics 45, 255-268. Corrected in volume 56, 324-325.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2], [2, 4], [3, 6], [4, 8], [5, 10]]
    >>> for one in af.other_measures.correlations(table, ["pearson", "lin"]):
    ...     print(one.measure, round(one.value, 3))
    pearson 1.0
    lin 0.421
    """
    check_share("confidence_level", confidence_level)
    names = names_of_pairs(measures, MEASURES)
    found: dict[tuple[int, int], list[Measure]] = {}
    for ranks in (False, True):
        some = [name for name in names if (name in OF_RANKS) == ranks]
        if not some:
            continue
        ratings = Ratings(data, f"{some[0]} correlation", ranks=ranks)
        for first, second, points in ratings.pairs():
            found.setdefault((first, second), []).extend(
                _measured(ratings, name, (first, second), points, confidence_level) for name in some
            )
    place = {name: i for i, name in enumerate(names)}
    return Measures(
        one for row in found.values() for one in sorted(row, key=lambda one: place[one.measure])
    )


def _measured(
    ratings: Ratings, name: str, pair: tuple[int, int], points: Points, level: float
) -> Measure:
    found = OF_POINTS[name](points)
    low, high, note = interval_of(name, points, found, level)
    ends = (found.value, low, high)
    return ratings.measured(name, ends, level, points.n_items, found.undefined, note, pair)


def mean_of_pairs(ratings: Ratings, measure: str, confidence_level: float) -> Measure:
    """Compute the mean of a correlation over the pairs of coders that have one, with its interval.

    For two coders, it is the correlation of the pair.
    """
    total, n_pairs = 0.0, 0
    influence = np.zeros(ratings.n_rows)
    used = np.zeros(ratings.n_rows, bool)
    undefined = None
    for first, second, points in ratings.pairs():
        if len(ratings.coders) == 2:
            return _measured(ratings, measure, (first, second), points, confidence_level)
        found = OF_POINTS[measure](points)
        if found.undefined is not None:
            undefined = undefined or found.undefined
            continue
        total, n_pairs = total + found.value, n_pairs + 1
        influence[points.rows] += found.influence[points.place]
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


def kendall_w(data: Any, *, confidence_level: float = 0.95) -> Measure:
    """Compute Kendall's W, corrected for ties, over the items that every coder judged.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. The labels must be numbers or have a declared order.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.

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
    >>> round(af.other_measures.kendall_w(table).value, 4)
    0.873
    """
    check_share("confidence_level", confidence_level)
    ratings = Ratings(data, "Kendall's W", ranks=True)
    values, weights, _ = ratings.complete()
    n = int(weights.sum())
    undefined = NO_ITEMS if n < 2 else None
    value, influence = NAN, np.zeros(len(weights))
    if undefined is None and not np.ptp(values, axis=0).any():
        undefined = NO_VARIATION
    if undefined is None:
        # W and its influence function at each row
        columns = values.T
        ranks = [centred_ranks(column, weights) for column in columns]
        sums = np.sum(ranks, axis=0)
        squares = np.sum([one * one for one in ranks], axis=0)
        whole = len(ranks) * float(weights @ squares)
        value = float(weights @ (sums * sums)) / whole
        of_sums, of_squares = sums * sums, squares
        for column, own in zip(columns, ranks, strict=True):
            # One more item also moves the ranks of all others.
            of_sums = of_sums + 2 * sign_sums(column, weights, sums)
            of_squares = of_squares + 2 * sign_sums(column, weights, own)
        influence = (of_sums - value * len(ranks) * of_squares) / whole
    low, high, note = _logit_interval(value, influence, weights, confidence_level)
    return ratings.measured("W", (value, low, high), confidence_level, n, undefined, note)


def _logit_interval(
    value: float, influence: FloatArray, weights: Array, confidence_level: float
) -> tuple[float, float, str | None]:
    from scipy.special import expit, logit, stdtrit

    n = int(weights.sum())
    error = float(standard_errors(influence, weights)[0]) if n else NAN
    inside = 1e-12 < value < 1 - 1e-12
    nothing = no_interval(value, (n < 3, FEW_ITEMS), (not inside, EXACT), (error <= 1e-12, SAME))
    if nothing:
        return nothing
    reach = float(stdtrit(n - 1, (1 + confidence_level) / 2)) * error / (value * (1 - value))
    middle = float(logit(value))
    return float(expit(middle - reach)), float(expit(middle + reach)), None

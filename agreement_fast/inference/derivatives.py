"""The derivatives of coefficients in the weights of the items.

Every coefficient is a function θ of sums that are linear in the items' weights (`linear`). Its
derivative in an item's weight, θ's gradient times the item's column entries, is the item's
influence (Jaeckel 1972; Efron 1982, chapter 6).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.chance import Slope
from agreement_fast.distances.forms import Form, Squared
from agreement_fast.errors import InputError
from agreement_fast.inference.resample import counted_weights
from agreement_fast.points import Point
from agreement_fast.sums.columns import Groups
from agreement_fast.sums.linear import Linear, Ranked, Sums


class Slopes(NamedTuple):
    """D_o and D_e of the data or of each group, with their derivatives in each pattern's weight.

    Attributes
    ----------
    observed, expected : float64 arrays of shape () or (n,)
    d_observed, d_expected : float64 arrays of shape (U,)
    """

    observed: FloatArray
    expected: FloatArray
    d_observed: FloatArray
    d_expected: FloatArray


def influences(made: Linear, point: Point, sums: Sums, groups: Groups | None = None) -> FloatArray:
    """Return the derivative of a coefficient in each pattern's weight, float64 of shape (U,).

    Parameters
    ----------
    sums : Sums
        Sums over the data, or over groups of the patterns.
    groups : Groups, optional
        The group of each pattern: its derivative is that of its group's coefficient.
    """
    observed, expected, d_observed, d_expected = slopes(made, point, sums, groups)
    influence: FloatArray = (
        _of_rows(observed / expected, groups) * d_expected - d_observed
    ) / _of_rows(expected, groups)
    return influence


class Gradient(NamedTuple):
    """D_o and D_e of the data or of each group, with their derivatives in the sums.

    Attributes
    ----------
    observed, expected : float64 arrays of shape () or (n,)
    pairs : float64 array of shape () or (n,)
        The denominator of D_o.
    each : float64 array of shape (U,)
        Each pattern's term in the numerator of D_o.
    slope : mapping
        The derivative of D_e in the marginals.
    by_count : pair of float64 arrays of shape (..., K), or None
        The derivatives of D_o and D_e in the counts through the ranks, for distances of ranks.
    """

    observed: FloatArray
    expected: FloatArray
    pairs: FloatArray
    each: FloatArray
    slope: Slope
    by_count: tuple[FloatArray, FloatArray] | None


def slopes(made: Linear, point: Point, sums: Sums, groups: Groups | None = None) -> Slopes:
    """Return D_o, D_e and their derivatives; the parameters are those of `influences`."""
    return slopes_along(made, point, sums, gradient(made, point, sums, groups), groups)


def slopes_along(
    made: Linear, point: Point, sums: Sums, along: Gradient, groups: Groups | None = None
) -> Slopes:
    """Return D_o, D_e and their derivatives in the weights from those in the sums."""
    d_expected = _by_weight(made, sums, along.slope, groups)
    d_observed = (
        along.each - _of_rows(along.observed, groups) * made.column(point.item_weight)
    ) / _of_rows(along.pairs, groups)
    if along.by_count is not None:
        pairable = made.marginals["pairable"]
        by_observed, by_expected = along.by_count
        d_observed = d_observed + pairable.dot(by_observed, groups)
        d_expected = d_expected + pairable.dot(by_expected, groups)
    return Slopes(along.observed, along.expected, d_observed, d_expected)


def gradient(
    made: Linear,
    point: Point,
    sums: Sums,
    groups: Groups | None = None,
    random: tuple[FloatArray, FloatArray] | None = None,
) -> Gradient:
    """Return D_o, D_e and their derivatives in the sums.

    Parameters
    ----------
    made, point, sums, groups
        Those of `influences`.
    random : (float64 array of shape (n,), float64 array of shape (n, K)), optional
        The weight and the shares of random pairs of labels that `sums` holds besides the patterns.
    """
    model = point.chance
    if not point.has_slope:
        raise InputError(
            f"the derivative of the chance model {model.name} under the {point.distance.name} "
            "distance is not known, so there is no standard error in closed form",
            "use bootstrap()",
            argument="distance",
        )
    assert model.slope is not None
    of_sample = 0 if groups is None else slice(None)
    marginals = made.marginals_of(sums, of_sample)
    form: Form
    if point.distance.ranks:
        ranks = Ranked.of(marginals.counts()).features
        form = Squared(ranks[:, None]) if groups is None else Ranked(ranks)
        disagreement = sums.ranked[point.item_weight][of_sample]
        each = made.ranked_rows(point.item_weight, ranks, groups)
    else:
        form = made.forms[point.distance]
        disagreement = made.plain(sums, (point.distance, point.item_weight))[of_sample]
        each = made.column((point.distance, point.item_weight))
    pairs = made.plain(sums, point.item_weight)[of_sample]
    observed = disagreement / pairs
    expected = np.broadcast_to(model.expected(marginals, form), pairs.shape)
    slope = model.slope(marginals, form, expected)
    by_count = None
    if point.distance.ranks:
        assert model.rank_slope is not None
        ranks = ranks - ranks.mean(-1, keepdims=True)
        by_rank = _observed_by_rank(made, point.item_weight, ranks, groups)
        if random is not None:
            weight, shares = random
            mean = (shares * ranks).sum(-1, keepdims=True)
            by_rank = by_rank + 4 * weight[..., None] * shares * (ranks - mean)
        by_count = (
            _by_count(by_rank / pairs[..., None]),
            _by_count(model.rank_slope(marginals, ranks)),
        )
    return Gradient(observed, expected, pairs, each, slope, by_count)


def _of_rows(values: Any, groups: Groups | None) -> Any:
    """Return the value for each pattern: that of the sample, or that of its group."""
    return values if groups is None else values[groups.codes]


def _by_weight(made: Linear, sums: Sums, slope: Slope, groups: Groups | None) -> FloatArray:
    """Turn the derivative in the marginals into that in each pattern's weight, float64 (U,)."""
    of_sample = 0 if groups is None else slice(None)
    marginals = made.marginals_of(sums, of_sample)
    total: FloatArray = np.zeros(made.items.n_rows)
    if "shares" in slope:
        # P is a sum over the items divided by their number.
        items, by_share = made.plain(sums, "counted")[of_sample], slope["shares"]
        at_mean = (by_share * marginals.shares()).sum(-1)
        column = made.marginals["shares"].dot(by_share, groups)
        column = column - _of_rows(at_mean, groups) * made.column("counted")
        total = total + column / _of_rows(items, groups)
    if "pairable" in slope:
        total = total + made.marginals["pairable"].dot(slope["pairable"], groups)
    if "pairs" in slope:
        counts = marginals.counts()
        by_count = 2 * made.items.mass(counts)[..., None] * made.items.mass_slope(counts)
        column = made.marginals["pairable"].dot(by_count, groups) - made.column("selfs")
        total = total + _of_rows(slope["pairs"], groups) * column
    if "coders" in slope:
        total = total + made.marginals["coders"].dot(slope["coders"], groups)
    return total


def _observed_by_rank(
    made: Linear, item_weight: str, ranks: FloatArray, groups: Groups | None
) -> FloatArray:
    """Return the derivative of the sum of disagreements in the rank of each category."""
    pairable = made.marginals["pairable"]
    factors = counted_weights(made) * made.ranked_factors(item_weight)
    weights = factors * made.items.sizes, factors * pairable.dot(ranks, groups)
    if groups is None:
        sizes, sums = pairable.totals(np.stack(weights, axis=1))
    else:
        sizes, sums = (pairable.totals_of(groups, some) for some in weights)
    slopes: FloatArray = 4 * (ranks * sizes - sums)
    return slopes


def _by_count(by_rank: FloatArray) -> FloatArray:
    """Turn derivatives in mid-ranks into those in counts: f_j = Σ_{m<j} n_m + n_j / 2."""
    from_there: FloatArray = np.cumsum(by_rank[..., ::-1], axis=-1)[..., ::-1]
    return from_there - by_rank / 2

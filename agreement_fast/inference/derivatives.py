"""The derivatives of coefficients in the weights of the items.

Every coefficient is a function θ of sums that are linear in the items' weights (`linear`). Its
derivative in an item's weight, θ's gradient times the item's column entries, is the item's
influence (Jaeckel 1972; Efron 1982, chapter 6).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.chance import Slope
from agreement_fast.distances.forms import Form
from agreement_fast.distances.sums.columns import Groups
from agreement_fast.distances.sums.linear import Linear, Ranked, Sums, Values
from agreement_fast.errors import InputError
from agreement_fast.inference.resample import counted_weights
from agreement_fast.points import Point


class Gradient(NamedTuple):
    """D_o and D_e of each group, with their derivatives in the sums.

    Attributes
    ----------
    observed, expected : float64 arrays of shape (n,)
    pairs : float64 array of shape (n,)
        The denominator of D_o.
    ranked : float64 array of shape (U,), or None
        Each pattern's term in the numerator of D_o, for distances of ranks.
    slope : mapping
        The derivative of D_e in the marginals.
    by_count : pair of float64 arrays of shape (n, K), or None
        The derivatives of D_o and D_e in the counts through the ranks, for distances of ranks.
    """

    observed: FloatArray
    expected: FloatArray
    pairs: FloatArray
    ranked: FloatArray | None
    slope: Slope
    by_count: tuple[FloatArray, FloatArray] | None


def influences(
    made: Linear,
    point: Point,
    sums: Sums,
    groups: Groups | None = None,
    values: Values | None = None,
) -> FloatArray:
    """Return the derivative of a coefficient in each pattern's weight, float64 of shape (U,).

    Parameters
    ----------
    sums : Sums
        Sums over the data, or over groups of the patterns.
    groups : Groups, optional
        The group of each pattern: its derivative is that of its group's coefficient.
    values : Values, optional
        The coefficients, if they are known.
    """
    groups = made.one_group() if groups is None else groups
    along = gradient(made, point, sums, groups, values=values)
    return influences_along(made, point, sums, along, groups, along.observed / along.expected)


def influences_along(
    made: Linear, point: Point, sums: Sums, along: Gradient, groups: Groups, ratio: FloatArray
) -> FloatArray:
    """Return `ratio` times the derivative of D_e less that of D_o, over D_e: (U,).

    It is the derivative of 1 − D_o / D_e if this is the ratio of each group.
    """
    observed, expected, pairs = along.observed, along.expected, along.pairs
    ratio = ratio / expected
    scale = ratio[:, None]
    of_pairs = 1 / (pairs * expected)
    slope, marginals = along.slope, made.marginals_of(sums)
    plain: dict[Any, FloatArray] = {point.item_weight: observed * of_pairs}
    by_label: dict[str, FloatArray] = {}
    if "shares" in slope:
        # P is a sum over the items divided by their number.
        by_label["shares"] = scale * slope["shares"] / made.plain(sums, "counted")[:, None]
        plain["counted"] = -(by_label["shares"] * marginals.shares()).sum(-1)
    if "pairable" in slope:
        by_label["pairable"] = scale * slope["pairable"]
    if "pairs" in slope:
        counts, of_mass = marginals.counts(), ratio * slope["pairs"]
        by_mass = 2 * of_mass * made.items.mass(counts)
        by_label["pairable"] += by_mass[:, None] * made.items.mass_slope(counts)
        plain["selfs"] = -of_mass
    if "coders" in slope:
        by_label["coders"] = scale[..., None] * slope["coders"]
    if along.by_count is not None:
        by_observed, by_expected = along.by_count
        by_count = scale * by_expected - by_observed / expected[:, None]
        by_label["pairable"] = by_label.get("pairable", 0.0) + by_count
    if along.ranked is None:
        plain[point.distance, point.item_weight] = -of_pairs
    total = made.plain_rows(plain, groups)
    for name, by in by_label.items():
        total += made.marginals[name].dot(by, groups)
    if along.ranked is not None:
        total -= along.ranked * of_pairs[groups.codes]
    return total


def gradient(
    made: Linear,
    point: Point,
    sums: Sums,
    groups: Groups,
    random: tuple[FloatArray, FloatArray] | None = None,
    values: Values | None = None,
) -> Gradient:
    """Return D_o, D_e and their derivatives in the sums.

    Parameters
    ----------
    made, point, sums, groups, values
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
    marginals = made.marginals_of(sums)
    form: Form
    each = by_count = None
    if point.distance.ranks:
        ranks = Ranked.of(marginals.counts()).features
        form = Ranked(ranks)
        disagreement = sums.ranked[point.item_weight]
        each = made.ranked_rows(point.item_weight, ranks, groups)
    else:
        form = made.forms[point.distance]
        disagreement = made.plain(sums, (point.distance, point.item_weight))
    pairs = made.plain(sums, point.item_weight)
    if values is None:
        observed = disagreement / pairs
        expected = np.broadcast_to(model.expected(marginals, form), pairs.shape)
    else:
        observed, expected = values.observed, values.expected
    slope = model.slope(marginals, form, expected)
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


def _observed_by_rank(
    made: Linear, item_weight: str, ranks: FloatArray, groups: Groups
) -> FloatArray:
    """Return the derivative of the sum of disagreements in the rank of each category."""
    pairable = made.marginals["pairable"]
    factors = counted_weights(made) * made.ranked_factors(item_weight)
    weights = factors * made.items.sizes, factors * pairable.dot(ranks, groups)
    sizes, sums = (pairable.totals_of(groups, some) for some in weights)
    slopes: FloatArray = 4 * (ranks * sizes - sums)
    return slopes


def _by_count(by_rank: FloatArray) -> FloatArray:
    """Turn derivatives in mid-ranks into those in counts: f_j = Σ_{m<j} n_m + n_j / 2."""
    from_there: FloatArray = np.cumsum(by_rank[..., ::-1], axis=-1)[..., ::-1]
    return from_there - by_rank / 2

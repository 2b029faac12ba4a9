"""The derivatives of coefficients in the weights of the items.

Every coefficient is a function θ of sums that are linear in the items' weights (`linear`). Its
derivative in an item's weight, θ's gradient times the item's column entries, is the item's
influence (Jaeckel 1972; Efron 1982, chapter 6).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.distances.forms import Form
from agreement_fast.distances.sums.columns import Groups
from agreement_fast.distances.sums.linear import Linear, Ranked, Resampled, Sums, Values
from agreement_fast.errors import InputError
from agreement_fast.points import Point


class Slopes(NamedTuple):
    """D_o and D_e of each group, and the derivative of a coefficient in the sums.

    Attributes
    ----------
    observed, expected : float64 arrays of shape (n,)
    plain : float64 array of shape (4, n)
        The derivatives in the denominator and the numerator of D_o, in the number of items of the
        shares, and in the number of pairs of a judgment with itself.
    marginals : dict
        Those in each number of the marginals, by name: (n, L), or (n, C, L) for "coders".
    ranked : float64 array of shape (U,), or None
        Each pattern's term in the numerator of D_o, for distances of ranks.
    """

    observed: FloatArray
    expected: FloatArray
    plain: FloatArray
    marginals: dict[str, FloatArray]
    ranked: FloatArray | None

    def of_rows(self, made: Linear, point: Point, groups: Groups) -> FloatArray:
        """Return the derivative in each pattern's weight: (U,)."""
        keys = (point.item_weight, (point.distance, point.item_weight), "counted", "selfs")
        total = made.plain_rows(dict(zip(keys, self.plain, strict=True)), groups)
        for name, slope in self.marginals.items():
            total += made.marginals[name].dot(slope, groups)
        if self.ranked is not None:
            total += self.ranked * self.plain[1][groups.codes]
        return total


@np.errstate(divide="ignore", invalid="ignore")  # groups without a value
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
    return slopes_of(made, point, sums, groups, values=values).of_rows(made, point, groups)


def slopes_of(
    made: Linear,
    point: Point,
    sums: Sums,
    groups: Groups,
    *,
    values: Values | None = None,
    ratio: FloatArray | None = None,
    random: tuple[FloatArray, FloatArray] | None = None,
) -> Slopes:
    """Return D_o, D_e and the derivative of a coefficient in the sums.

    Parameters
    ----------
    made, point, sums, groups, values
        Those of `influences`.
    ratio : float64 array of shape (n,), optional
        D_o / D_e of all groups together. The derivative is then that of D_e, times this ratio, less
        that of D_o, over D_e.
    random : (float64 array of shape (n,), float64 array of shape (n, K)), optional
        The weight and the shares of random pairs of labels that `sums` holds besides the patterns.
    """
    model, item_weight = point.chance, point.item_weight
    if not point.has_slope:
        raise InputError(
            f"the derivative of the chance model {model.name} under the {point.distance.name} "
            "distance is not known, so there is no standard error in closed form",
            "use bootstrap()",
            argument="distance",
        )
    assert model.slope is not None
    marginals, pairs = Resampled(made, sums), made.plain(sums, item_weight)
    form: Form
    ranked = None
    if point.distance.ranks:
        ranks = Ranked.of(marginals.counts()).features
        form, disagreement = Ranked(ranks), sums.ranked[item_weight]
        ranked = made.ranked_rows(item_weight, ranks, groups)
    else:
        form = made.forms[point.distance]
        disagreement = made.plain(sums, (point.distance, item_weight))
    if values is None:
        observed, expected = disagreement / pairs, model.expected(marginals, form)
        if np.shape(expected) != pairs.shape:
            expected = np.full(pairs.shape, expected)
    else:
        observed, expected = values.observed, values.expected
    slope = model.slope(marginals, form, expected)
    rate = (observed / expected if ratio is None else ratio) / expected
    plain, of_marginals = np.zeros((4, len(pairs))), {}
    plain[1] = -1 / (pairs * expected)
    plain[0] = -observed * plain[1]
    if "shares" in slope:
        # P is a sum over the items divided by their number.
        counted = made.plain(sums, "counted")
        by_item = slope["shares"] * (rate / counted)[:, None]
        plain[2] = -(by_item * sums.marginals["shares"]).sum(-1) / counted
        of_marginals["shares"] = by_item
    if "pairable" in slope:
        of_marginals["pairable"] = slope["pairable"] * rate[:, None]
    if "pairs" in slope:
        counts = marginals.counts()
        plain[3] = -rate * slope["pairs"]
        by_mass = -2 * plain[3] * made.items.mass(counts)
        of_marginals["pairable"] += by_mass[:, None] * made.items.mass_slope(counts)
    if "coders" in slope:
        of_marginals["coders"] = slope["coders"] * rate[:, None, None]
    if ranked is not None:
        assert model.rank_slope is not None
        ranks = ranks - ranks.mean(-1, keepdims=True)
        factors = made.weights * made.ranked_factors(item_weight)
        pairable = made.marginals["pairable"]
        sizes = pairable.totals_of(groups, factors * made.items.sizes)
        by_rank = 4 * ranks * sizes
        by_rank -= 4 * pairable.totals_of(groups, factors * pairable.dot(ranks, groups))
        if random is not None:
            weight, shares = random
            mean = (shares * ranks).sum(-1, keepdims=True)
            by_rank += 4 * weight[..., None] * shares * (ranks - mean)
        by_rank = model.rank_slope(marginals, ranks) * rate[:, None] + by_rank * plain[1][:, None]
        # From mid-ranks to counts: f_j = Σ_{m<j} n_m + n_j / 2.
        from_there = np.cumsum(by_rank[..., ::-1], axis=-1)[..., ::-1]
        of_marginals["pairable"] = of_marginals.get("pairable", 0.0) + from_there - by_rank / 2
    return Slopes(observed, expected, plain, of_marginals, ranked)

"""Standard errors in closed form: the infinitesimal jackknife, one pass over the patterns.

Every coefficient is a function θ of sums that are linear in the items' weights (`linear`). Its
derivative in an item's weight, θ's gradient times the item's column entries, is the item's
influence; the variance is their sum of squares (Jaeckel 1972; Efron 1982, chapter 6), which is the
delta method without assumptions about how judgments are made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast.annotations import as_annotations
from agreement_fast.forms import FloatArray, Form, OverCategories
from agreement_fast.inference.linear import Linear, Point, Ranked, Sums, linear, reason
from agreement_fast.inference.resample import counted_weights, document_codes, whole_sums
from agreement_fast.options import check_choice, check_share

Array = npt.NDArray[Any]

NAN = math.nan


@dataclass(frozen=True, slots=True)
class StandardError:
    """A coefficient with its standard error. ``float(result)`` is the coefficient.

    Attributes
    ----------
    coefficient, distance : str
    value : float
        NaN where undefined.
    standard_error : float
    low, high : float
        value ± t · standard error, t of n_items − 1 degrees of freedom; not cut at 1. With
        ``transform="atanh"`` tanh(atanh(value) ± t · standard error / (1 − value²)).
    confidence_level : float
    n_items : int
        Items (documents, with `cluster`) that the error is a sum over; weights counted.
    method : str
        "delta" or "gwet".
    undefined : str or None
    """

    coefficient: str
    distance: str
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    n_items: int
    method: str
    undefined: str | None

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        text = (
            f"{self.coefficient}({self.distance}) = {self.value:.6g} ± {self.standard_error:.4g}, "
            f"{100 * self.confidence_level:g}% interval {self.low:.4f} to {self.high:.4f} "
            f"({self.method}, {self.n_items} items)"
        )
        return f"<{text}>" if self.undefined is None else f"<{text}; {self.undefined}>"


def standard_error(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = "nominal",
    confidence_level: float = 0.95,
    incomplete: str = "published",
    method: str = "delta",
    cluster: Any = None,
    transform: str = "none",
) -> StandardError:
    """A coefficient's standard error by the delta method, items being the sample.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads (items × coders)
    coefficient, distance, incomplete :
        As in `agreement`.
    confidence_level : float
        Between 0 and 1.
    method : {"delta", "gwet"}
        "delta": the infinitesimal jackknife, which agrees with the jackknife and the bootstrap.
        "gwet": what irrCAC prints. It differs in two points only: where some items have a single
        judgment it takes the number of those with two as fixed, and for α it leaves out the
        correction for small samples.
    cluster : sequence of labels of shape (n_rows,), optional
        The document of each stored item: then documents are the sample.
    transform : {"none", "atanh"}
        The scale on which the interval is symmetric. "atanh" is Fisher's: it stays within −1 and 1
        and holds its level in smaller samples; a value that is not between them keeps "none".

    Returns
    -------
    StandardError

    Notes
    -----
    The variance is n/(n − 1) Σ u_i² over n items, u_i being the derivative of the coefficient in
    the item's weight, centred: irrCAC's (Gwet 2014, chapter 5), and n/(n − 1) times what the
    infinitesimal jackknife of Efron (1982) gives. For the ordinal distance the derivative counts
    in that the ranks depend on the marginals. O(judgments), for every coefficient and distance.

    Examples
    --------
    Gwet's four raters and twelve units (2014), AC1 with irrCAC's error:

    >>> from agreement_fast.inference import standard_error
    >>> table = [
    ...     [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    ...     [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1],
    ...     [None, None, 3, None],
    ... ]
    >>> result = standard_error(table, "ac", method="gwet")
    >>> round(result.value, 5), round(result.standard_error, 5)
    (0.77544, 0.14295)
    """
    check_choice("method", method, ("delta", "gwet"))
    check_choice("transform", transform, ("none", "atanh"))
    check_share("confidence_level", confidence_level)
    point = Point.of(coefficient, distance)
    annotations = as_annotations(data)
    made = linear(
        annotations,
        [point],
        incomplete,
        rows=None if cluster is None else annotations._rows,
    )
    weights = counted_weights(made)
    sums = whole_sums(made)
    whole = made.values(sums)[0]
    value, undefined = float(whole.value[0]), reason(whole)
    # Items with a single judgment change nothing in α and S, so they are no part of their sample.
    part = made.kept if point.chance in ("uniform", "pooled_unbiased") else made.counted
    if method == "gwet" and point.chance != "pooled_unbiased":
        part = made.counted
    sampled = np.where(part, weights, 0)
    n = int(sampled.sum())
    error = NAN
    if undefined is None:
        influence = _gwet(made, point, sums) if method == "gwet" else influences(made, point, sums)
        if cluster is not None:
            codes = document_codes(cluster, annotations.n_rows)[part]
            influence = np.bincount(codes, (influence * sampled)[part]).astype(np.float64)
            there = np.bincount(codes, sampled[part]) > 0
            influence, sampled = influence[there], np.ones(int(there.sum()), np.int64)
            n = len(influence)
            influence = influence - influence.mean()
        else:
            influence = influence - (sampled @ influence) / n
        if n > 1:
            error = math.sqrt(float(sampled @ influence**2) * n / (n - 1))
    reach = NAN
    if n > 1:
        from scipy.special import stdtrit

        reach = float(stdtrit(n - 1, (1 + confidence_level) / 2)) * error
    low, high = value - reach, value + reach
    if transform == "atanh" and abs(value) < 1:
        middle, reach = math.atanh(value), reach / (1 - value**2)
        low, high = math.tanh(middle - reach), math.tanh(middle + reach)
    return StandardError(
        coefficient=point.name,
        distance=point.distance.name,
        value=value,
        standard_error=error,
        low=low,
        high=high,
        confidence_level=confidence_level,
        n_items=n,
        method=method,
        undefined=undefined,
    )


def influences(made: Linear, point: Point, sums: Sums) -> FloatArray:
    """The derivative of a coefficient in each pattern's weight, float64 of shape (U,).

    Parameters
    ----------
    sums : Sums
        Of one resample: the data.
    """
    if point.distance.ranks:
        form: Form = Ranked.of(sums.marginals["pairable"])
        disagreement = float(sums.ranked[point.item_weight][0])
        each = made.ranked_rows(point.item_weight, _features(form))
    else:
        form = made.forms[point.distance]
        disagreement = float(made.plain(sums, (point.distance, point.item_weight))[0])
        each = made.column((point.distance, point.item_weight))
    pairs = float(made.plain(sums, point.item_weight)[0])
    observed = disagreement / pairs
    expected, d_expected = _expected(made, point.chance, form, sums)
    d_observed = (each - observed * made.column(point.item_weight)) / pairs
    if point.distance.ranks:
        pairable = made.marginals["pairable"]
        by_rank = _observed_by_rank(made, point.item_weight, _features(form)) / pairs
        d_observed = d_observed + pairable.dot(_by_count(by_rank))
        by_rank = _expected_by_rank(made, point.chance, _features(form), sums)
        d_expected = d_expected + pairable.dot(_by_count(by_rank))
    influence: FloatArray = (observed / expected * d_expected - d_observed) / expected
    return influence


def _features(form: Form) -> FloatArray:
    assert isinstance(form, Ranked)
    ranks: FloatArray = form.features[0]
    return ranks


def _expected(made: Linear, chance: str, form: Form, sums: Sums) -> tuple[float, FloatArray]:
    """D_e and its derivative in each pattern's weight, the distance staying as it is."""
    expected = float(np.ravel(made.expected(chance, form, sums))[0])
    if chance == "uniform":
        return expected, np.zeros(made.items.n_rows)
    if chance == "individual":
        each = sums.marginals["coders"]
        pooled = each.sum(1, keepdims=True)
        others = form.mass(pooled) - form.mass(each)
        weight = float((form.mass(each) * others).sum())
        slope = form.times(pooled - each) - expected * others[..., None] * _ones(form, each)
        return expected, made.marginals["coders"].dot(2 * slope / weight)
    if chance == "pooled_unbiased":
        counts = sums.marginals["pairable"]
        mass = float(form.mass(counts)[0])
        pairs = mass**2 - float(made.plain(sums, "selfs")[0])
        slope = 2 * (form.times(counts) - expected * mass * _ones(form, counts))
        return expected, (
            made.marginals["pairable"].dot(slope) + expected * made.column("selfs")
        ) / pairs
    items = float(made.plain(sums, "counted")[0])
    shares = sums.marginals["shares"] / items
    if chance == "pooled":
        slope = 2 * form.times(shares)
    else:
        k = made.items.n_categories
        largest, total = (float(np.ravel(x)[0]) for x in (form.largest(), form.total()))
        slope = 2 * largest * k * k * (shares - 1 / k) + total * (1 - 2 * shares)
        slope /= k * (k - 1)
    at_mean = float((slope * shares).sum())
    column = made.marginals["shares"].dot(slope) - at_mean * made.column("counted")
    return expected, column / items


def _ones(form: Form, like: FloatArray) -> FloatArray:
    """The derivative of a marginal's mass."""
    ones = np.ones(like.shape[-1])
    if not isinstance(form, OverCategories):
        ones[1:] = 0.0
    return ones


def _observed_by_rank(made: Linear, item_weight: str, ranks: FloatArray) -> FloatArray:
    """The derivative of the sum of disagreements in the rank of each category."""
    ranks = ranks - ranks.mean()
    pairable = made.marginals["pairable"]
    factors = counted_weights(made) * made.ranked_factors(item_weight)
    of_items = pairable.dot(ranks)
    weights = np.stack([factors * made.items.sizes, factors * of_items], axis=1)
    sizes, sums = pairable.totals(weights)
    slopes: FloatArray = 4 * (ranks * sizes - sums)
    return slopes


def _expected_by_rank(made: Linear, chance: str, ranks: FloatArray, sums: Sums) -> FloatArray:
    """The derivative of D_e in the rank of each category."""
    ranks = ranks - ranks.mean()

    def slopes(masses: FloatArray) -> FloatArray:
        """Of Σ_jl u_j u_l (f_j − f_l)² in each f_j."""
        total = masses.sum(-1, keepdims=True)
        first = (masses * ranks).sum(-1, keepdims=True)
        out: FloatArray = 4 * masses * (ranks * total - first)
        return out

    k = made.items.n_categories
    if chance == "uniform":
        by_rank = slopes(np.ones(k)) / (k * k)
    elif chance == "individual":
        each = sums.marginals["coders"][0]
        pooled, masses = each.sum(0), each.sum(1)
        weight = float((masses * (masses.sum() - masses)).sum())
        by_rank = (slopes(pooled) - slopes(each).sum(0)) / weight
    elif chance == "pooled_unbiased":
        counts = sums.marginals["pairable"][0]
        by_rank = slopes(counts) / (counts.sum() ** 2 - float(made.plain(sums, "selfs")[0]))
    else:
        shares = sums.marginals["shares"][0] / float(made.plain(sums, "counted")[0])
        if chance == "pooled":
            return slopes(shares)
        by_rank = slopes(np.ones(k)) * (shares * (1 - shares)).sum()
        ends = 2 * (ranks[-1] - ranks[0]) * k * k * ((shares - 1 / k) ** 2).sum()
        by_rank[-1] += ends
        by_rank[0] -= ends
        by_rank /= k * (k - 1)
    return by_rank


def _by_count(by_rank: FloatArray) -> FloatArray:
    """From the derivatives in mid-ranks to those in counts: f_j = Σ_{m<j} n_m + n_j / 2."""
    from_there: FloatArray = np.cumsum(by_rank[::-1])[::-1]
    return from_there - by_rank / 2


def _gwet(made: Linear, point: Point, sums: Sums) -> FloatArray:
    """Gwet's influences, as irrCAC computes them (Gwet 2014, chapter 5)."""
    if point.distance.ranks:
        raise ValueError(
            "method='gwet' takes the distances as given, and ordinal depends on the data: take "
            "method='delta'"
        )
    form = made.forms[point.distance]
    disagreement = made.column((point.distance, point.item_weight))
    pairs = float(made.plain(sums, point.item_weight)[0])
    observed = float(made.plain(sums, (point.distance, point.item_weight))[0]) / pairs
    if point.chance != "pooled_unbiased":
        weights = counted_weights(made)
        value = 1 - observed / float(np.ravel(made.expected(point.chance, form, sums))[0])
        two, one = (np.where(some, 1 / (weights @ some), 0.0) for some in (made.kept, made.counted))
        return influences(made, point, sums) + value * (two - one)
    counts = sums.marginals["pairable"]
    mass = float(form.mass(counts)[0])
    expected = float(form.bilinear(counts, counts)[0]) / mass**2
    sizes = np.where(made.kept, made.items.sizes, 0.0)
    by_judgment = made.marginals["pairable"].dot(form.times(counts) / mass)
    influence: FloatArray = (
        (1 - 1 / mass) * observed * sizes
        - disagreement
        + 2 * observed / expected * (by_judgment - expected * sizes)
    ) / (mass * expected)
    return influence

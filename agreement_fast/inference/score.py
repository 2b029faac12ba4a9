"""The interval of a coefficient: Wilson's, of its place between the least value and 1.

A few items of a prior are added to the data: one half of them unanimous, the other half judged at
random. Agresti & Coull (1998) add judgments to a share; this adds items to a table. Without them a
category that is rare in the data has no variance, and with perfect agreement nothing has. The
variance is that of the delta method, with the moments of the prior in closed form.

The coefficient then lies between the least value that the marginals allow and 1, so its place
between both is a share, whose variance gives an effective number of items. Wilson's interval (1927)
of such a share is never empty and never leaves the range. The quantile is Student's, with degrees
of freedom that take the variance of the items as estimated and that of the prior as known
(Satterthwaite 1946).

The distance from a difference to its lower end is, squared, the sum of the squared distances of
both values to theirs, less twice their product times their correlation (Zou & Donner 2008). The
correlation is that of the items' influences; the prior of each coefficient is its own. A mean is a
share of the mean range, as each coefficient is of its own. Its influences are the means of theirs,
and the priors are the same items.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels import _values
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import normal_quantile
from agreement_fast.chance import ITEM_WEIGHTS
from agreement_fast.distances.forms import Absolute, Form, Squared
from agreement_fast.distances.sums.columns import Groups, Items
from agreement_fast.distances.sums.linear import Linear, Ranked, Sums
from agreement_fast.inference.derivatives import Slopes, slopes_of
from agreement_fast.points import Point

#: The weight of the prior in judgments, if nobody agrees or an item has two judgments.
JUDGMENTS = 2.0

#: How far below the coefficient its least value lies at least.
LEAST_GAP = 1e-6

#: Categories whose squared distances are listed; more take a bound.
LISTED = 1024


class Score(NamedTuple):
    """Coefficients of groups with what their intervals are made from: float64 arrays of shape (n,).

    Attributes
    ----------
    value : float64 array
        The coefficients; NaN if undefined.
    centre : float64 array
        The coefficients of the data with the prior.
    least : float64 array
        The least values that they can have.
    size : float64 array
        The effective number of items.
    freedom : float64 array
        Degrees of freedom; NaN if there is one item only.
    """

    value: FloatArray
    centre: FloatArray
    least: FloatArray
    size: FloatArray
    freedom: FloatArray

    def ends(self, confidence_level: float) -> tuple[FloatArray, FloatArray]:
        """Return both ends of the intervals, which hold the values."""
        share = (1 + confidence_level) / 2
        low, high = out = np.empty((2, len(self.value)))
        _values.score_ends(*self, 1 - share, normal_quantile(share), out)
        return low, high

    def ends_of_one(self, confidence_level: float) -> tuple[float, float]:
        """Return both ends of the interval of a single group."""
        low, high = self.ends(confidence_level)
        return float(low[0]), float(high[0])

    def of_more(self, times: float) -> Score:
        """Return that of some times the items, if they are like these."""
        return self._replace(
            centre=self.value + (self.centre - self.value) / max(times, 1.0),
            size=self.size * times,
            freedom=np.maximum(self.freedom * times, 1.0),
        )

    def statistic(self, null_value: float) -> FloatArray:
        """Return the distance of the coefficients from a value in its own standard errors.

        The interval of a level holds the value exactly if it is within the level's quantile. It is
        0 between the coefficient and its centre, which every interval holds.
        """
        null = self._place(np.full_like(self.centre, null_value))
        gap = self._place(self.centre) - null
        beyond = (np.sign(self.value - null_value) * gap > 0) | np.isnan(self.value)
        with np.errstate(divide="ignore", invalid="ignore"):
            result = gap * np.sqrt(self.size / np.maximum(null * (1 - null), 0.0))
        return np.where(beyond, result, 0.0)

    def _place(self, value: FloatArray) -> FloatArray:
        """Return where values lie between the least value and 1."""
        return np.asarray((value - self.least) / (1 - self.least))


def score(
    made: Linear,
    point: Point,
    sums: Sums,
    value: FloatArray,
    groups: Groups | None = None,
    documents: Array | None = None,
) -> Score:
    """Return what the intervals of a coefficient of some groups are made from.

    Parameters
    ----------
    made : Linear
        The coefficient over the patterns.
    point : Point
        The coefficient, which has a slope.
    sums : Sums
        The sums over the groups, or over the data.
    value : float64 array of shape (n,)
        The coefficients.
    groups : Groups, optional
        The group of each pattern; by default the data are one group.
    documents : int array of shape (U,), optional
        The document of each pattern, which are then the sample. There is one group.

    Notes
    -----
    O(judgments + n · categories), for distances without a matrix. κ and β also take the coders.
    """
    if np.isnan(value).all():
        return Score(*np.full((5, len(value)), np.nan))
    result = influence_of(made, point, sums, value, groups)
    return (result if documents is None else result.by(documents)).score()


@np.errstate(divide="ignore", invalid="ignore")
def influence_of(
    made: Linear,
    point: Point,
    sums: Sums,
    value: FloatArray,
    groups: Groups | None = None,
    ratio: FloatArray | None = None,
) -> Influence:
    """Return the influences of the rows on a coefficient.

    The parameters are those of `score`. Those on a ratio of sums of D_o and D_e have this `ratio`.
    """
    groups = made.one_group() if groups is None else groups
    numbers = made.as_numbers(point, groups)
    if numbers is not made:
        made, sums = numbers, numbers.sums_of(groups)
    items, chance = made.items, point.chance
    size, mean_size, weight = sizes = np.empty((3, groups.n))
    # High values need no agreement on items if categories are counted.
    agreed = None if chance.counts_categories else value
    kept = made.kept.view(np.uint8)
    _values.prior_sizes(items.sizes, items.weights, kept, groups.codes, agreed, JUDGMENTS, sizes)
    # One half of the prior is spread as the judgments, the other evenly.
    if "shares" in chance.needs:
        marginal = sums.marginals["shares"]
    elif "coders" in chance.needs:
        marginal = sums.marginals["coders"].sum(1)
    elif "pairable" in sums.marginals:
        marginal = sums.marginals["pairable"]
    else:  # the model pools no judgments
        column = items.marginal(made.kept.astype(np.float64))
        marginal = column.totals_of(groups, items.weights.astype(np.float64))
    spread = _spread(made, point, marginal, groups)
    coders = None
    if chance.knows_coders:  # how many judgments of an item each gives
        masses = items.mass(sums.marginals["coders"])
        coders = size[:, None] * masses / masses.sum(-1, keepdims=True)
    prior = _Prior(weight, size, *spread, coders)
    shifted, over = prior.added(made, point, sums, groups)
    in_observed = size ** ITEM_WEIGHTS[point.item_weight]
    random = weight * in_observed / 2, prior.shares
    slopes = slopes_of(made, point, shifted, groups, ratio=ratio, random=random)
    of_rows, sampled = slopes.of_rows(made, point, groups), items.weights
    part = made.kept if point.of_pairs else made.counted
    if not part.all():
        sampled, of_rows = np.where(part, sampled, 0), np.where(part, of_rows, 0.0)
    judged = weight if "shares" in chance.needs else weight * size
    pooled = marginal + judged[:, None] * prior.shares
    pooled /= items.mass(pooled)[:, None]
    return Influence(
        value,
        1 - slopes.observed / slopes.expected,
        _least(point, over, pooled, slopes.expected, mean_size),
        of_rows,
        sampled,
        groups,
        prior.influence(slopes, over, in_observed),
        slopes.expected,
    )


class Influence(NamedTuple):
    """Coefficients of groups with the influence of each row, with the prior.

    Attributes
    ----------
    value, centre, least : float64 arrays of shape (n,)
        Those of `Score`.
    of_rows : float64 array of shape (U,)
        The derivative of the centre in the weight of each row; 0 for rows that are not sampled.
    sampled : int64 array of shape (U,)
        The number of units that each row stands for.
    groups : Groups
        The group of each row.
    prior : float64 array of shape (3, n)
        The number of items of the prior, their mean influence and its mean square.
    expected : float64 array of shape (n,)
        D_e with the prior.
    """

    value: FloatArray
    centre: FloatArray
    least: FloatArray
    of_rows: FloatArray
    sampled: Array
    groups: Groups
    prior: FloatArray
    expected: FloatArray

    def by(self, documents: Array) -> Influence:
        """Return those of documents, the sums of their rows; there is one group."""
        n = int(documents.max(initial=-1)) + 1
        return self._replace(
            of_rows=np.bincount(documents, self.of_rows * self.sampled, n).astype(np.float64),
            sampled=(np.bincount(documents, self.sampled, n) > 0).astype(np.int64),
            groups=Groups(np.zeros(n, np.int64), 1),
        )

    def gaps(self) -> tuple[FloatArray, FloatArray]:
        """Return the influences less their mean, and the sum of squares of the prior's.

        That of a row is 0 if it is not sampled.
        """
        _, mean, _, _ = spread_of(self.of_rows, self.sampled, self.groups, self.prior)
        weight, of_prior, square = self.prior
        of_rows = np.where(self.sampled > 0, self.of_rows - mean[self.groups.codes], 0.0)
        return of_rows, weight * (square - 2 * mean * of_prior + mean**2)

    def score(self) -> Score:
        """Return what the intervals are made from."""
        spread = spread_of(self.of_rows, self.sampled, self.groups, self.prior)
        low, size, freedom = out = np.empty((3, len(self.value)))
        _values.effective(spread, self.prior, self.centre, self.least, LEAST_GAP, out)
        return Score(self.value, self.centre, low, size, freedom)


def spread_of(
    of_rows: FloatArray, sampled: Array, groups: Groups, prior: FloatArray | None = None
) -> FloatArray:
    """Return n, the mean, and the sums of squares and fourth powers about it: (4, n).

    Parameters
    ----------
    of_rows : float64 array of shape (U,)
        The influence of each row.
    sampled : array of shape (U,)
        The number of units that each row stands for.
    groups : Groups
        The group of each row.
    prior : float64 array of shape (2 or 3, n), optional
        Items that count for the mean: their number and their mean influence.
    """
    out = np.empty((6, groups.n))
    weights = np.ascontiguousarray(sampled, np.float64)
    codes = groups.codes if groups.n > 1 else None
    _values.spread_of_groups(of_rows, weights, codes, prior, out)
    return out[:4]


class _Prior(NamedTuple):
    """Items that are added to each group.

    Attributes
    ----------
    weight, size : float64 arrays of shape (n,)
        Their number, and how many judgments each has.
    shares, atoms, labels : arrays
        How their judgments are spread; see `_spread`.
    coders : float64 array of shape (n, C), or None
        How many judgments of an item each coder gives, if the model knows coders.
    """

    weight: FloatArray
    size: FloatArray
    shares: FloatArray
    atoms: FloatArray
    labels: FloatArray | None
    coders: FloatArray | None

    def added(self, made: Linear, point: Point, sums: Sums, groups: Groups) -> tuple[Sums, Form]:
        """Add the items of the prior to the sums, and return the distances over marginals."""
        weight, size, shares, _, _, coders = self
        kind, judged = point.item_weight, weight * size
        marginals = {"shares": weight[:, None] * shares, "pairable": judged[:, None] * shares}
        if coders is not None:
            marginals["coders"] = (weight[:, None] * coders)[..., None] * shares[:, None, :]
        in_observed = weight * size ** ITEM_WEIGHTS[kind]
        plain: dict[Any, FloatArray] = {kind: in_observed, "counted": weight, "selfs": judged}
        if not point.distance.ranks:
            over = made.forms[point.distance]
            plain[point.distance, kind] = in_observed * over.bilinear(shares, shares) / 2
            return made.with_rows(sums, plain, marginals, {}), over
        ranks = Ranked.of(sums.marginals["pairable"] + marginals["pairable"])
        rows = made.ranked_rows(kind, ranks.features, groups)
        apart = groups.sums(np.where(made.counted, made.items.weights, 0) * rows)
        apart += in_observed * ranks.bilinear(shares, shares) / 2
        return made.with_rows(sums, plain, marginals, {kind: apart}), ranks

    def influence(self, slopes: Slopes, over: Form, in_observed: FloatArray) -> FloatArray:
        """Return the number of items, their mean influence and its mean square: (3, n).

        The influence is a constant, plus a term for each judgment, plus one for the mean distance
        of the pairs. `in_observed` is the weight of an item in D_o.
        """
        weight, size, _, q, labels, coders = self
        pairs, disagreement, counted, selfs = slopes.plain
        by_label, own = np.zeros(q.shape), None
        for name, slope in slopes.marginals.items():
            of_labels = slope if labels is None else np.einsum("n...l,nal->n...a", slope, labels)
            if coders is not None and name == "coders":
                of_size = (coders / size[:, None])[..., None]
                mean = (of_size * of_labels).sum(1)
                squares = of_size * _about(of_labels, q[:, None, :]) ** 2 * q[:, None, :]
                own = size * (squares.sum((1, 2)) - (_about(mean, q) ** 2 * q).sum(-1))
                of_labels = mean
            by_label += of_labels / size[:, None] if name == "shares" else of_labels
        form = over if labels is None else Ranked(labels[..., 1])
        others, apart_squared = form.times(q), None
        if form.kind != "nominal":
            apart = (others * q).sum(-1)
            apart_squared = _mean_square(form, q, np.where(apart > 0, apart, 1.0))
        out = np.empty((3, len(size)))
        out[0] = weight
        _values.prior_influence(
            size, q, by_label, others, apart_squared, -in_observed * disagreement,
            in_observed * pairs + counted + size * selfs, own, out[1:],
        )  # fmt: skip
        return out


def _least(
    point: Point, over: Form, pooled: FloatArray, expected: FloatArray, size: FloatArray
) -> FloatArray:
    """Return the least value that the marginals allow.

    D_o is at most m/(m − 1) times the mean distance of two judgments that are drawn from the pooled
    marginal. Under the nominal distance, it is also at most twice the share of judgments outside of
    the most frequent category.
    """
    if point.chance.counts_categories:  # D_e follows the marginals little
        return np.full_like(size, -1.0)
    least: FloatArray = -1 / (size - 1)
    if not point.chance.name.startswith("pooled"):
        most = over.bilinear(pooled, pooled) * size / (size - 1)
        least = np.maximum(-1.0, 1 - most / expected)
    if over.kind == "nominal":
        most = np.minimum(2 * over.times(pooled).min(-1), 1.0)
        least = np.maximum(least, 1 - most / expected)
    return least


def _spread(
    made: Linear, point: Point, marginal: FloatArray, groups: Groups
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Return how the judgments of the prior are spread.

    They are the shares, as marginals hold them (n, L); the probabilities of some labels with the
    same moments (n, A); and the marginal of each of these labels (n, A, L), or None if they are the
    categories.
    """
    pooled = marginal / made.items.mass(marginal)[:, None]
    if isinstance(made.items, Items):
        used = pooled > 0
        used |= used.sum(-1, keepdims=True) == 1  # only what counts categories has a value then
        shares = (pooled + used / used.sum(-1, keepdims=True)) / 2
        return shares, shares, None
    some = made.kept if point.of_pairs else made.counted
    low, high = made.items.ends(some & (made.items.weights > 0), groups)
    mean, middle = pooled[:, 1], (low + high) / 2
    error = np.sqrt(np.maximum(pooled[:, 2] - mean**2, 0.0))
    reach = (high - low) / np.sqrt(12)  # the standard deviation of numbers spread evenly
    at = np.stack([mean - error, mean + error, middle - reach, middle + reach], axis=1)
    labels = np.stack([np.ones(at.shape), at, at**2], axis=-1)
    return labels.mean(1), np.full(at.shape, 1 / at.shape[1]), labels


def _about(values: FloatArray, q: FloatArray) -> FloatArray:
    """Subtract the mean under some probabilities."""
    return np.asarray(values - (values * q).sum(-1, keepdims=True))


def _mean_square(form: Form, q: FloatArray, unit: FloatArray) -> FloatArray:
    """Return Σ_jl q_j q_l d_jl², in squared units, which are the mean distances."""
    if isinstance(form, Ranked):
        squares = _about(form.features, q) ** 2 / unit[:, None]
        return np.asarray(2 * (q * squares**2).sum(-1) + 6 * (q * squares).sum(-1) ** 2)
    if isinstance(form, Squared):
        at = form.values[None]
        at = (at - (q[..., None] * at).sum(1, keepdims=True)) / np.sqrt(unit)[:, None, None]
        squares = (at**2).sum(-1)
        covariance = np.einsum("nk,nki,nkj->nij", q, at, at)
        return np.asarray(
            2 * (q * squares**2).sum(-1)
            + 2 * (q * squares).sum(-1) ** 2
            + 4 * (covariance**2).sum((1, 2))
        )
    if isinstance(form, Absolute):
        return np.asarray(Squared(form.values).bilinear(q, q)) / unit**2
    used = np.flatnonzero((q > 0).any(0))
    if len(used) > LISTED:
        return form.largest / unit
    squares = (form.between(used[:, None], used[None, :]) / unit.max()) ** 2
    sums = ((q[:, used] @ squares) * q[:, used]).sum(-1)
    return np.asarray(sums * (unit.max() / unit) ** 2)


#: The quantile of the normal at which an interval that is inverted is not widened further.
FARTHEST = 7.6
#: The last step towards it.
NEAR = 1e-12


class Gap(NamedTuple):
    """The difference of two coefficients.

    Attributes
    ----------
    first, second : Score
        Both coefficients, each of one group.
    correlation : float
        That of their errors; 0 for independent data.
    """

    first: Score
    second: Score
    correlation: float

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Return both ends of the interval; NaN if a coefficient has none."""
        both = self.first, self.second
        a, b = (float(score.value[0]) for score in both)
        (a_low, a_high), (b_low, b_high) = (score.ends_of_one(confidence_level) for score in both)
        below = self._reach(a - a_low, b_high - b)
        return a - b - below, a - b + self._reach(a_high - a, b - b_low)

    def _reach(self, first: float, other: float) -> float:
        return math.sqrt(max(first**2 + other**2 - 2 * self.correlation * first * other, 0.0))

    def p_value(self) -> float:
        """Return 1 less the highest level whose interval leaves 0 out."""
        if math.isnan(self.ends(0.5)[0]):
            return math.nan
        side = 0 if self.first.value[0] > self.second.value[0] else 1

        def beyond(z: float) -> float:
            """Return how far 0 is outside, at the level of a quantile of the normal."""
            end = self.ends(math.erf(z / math.sqrt(2)))[side]
            return end if side == 0 else -end

        # In z, the end is nearly a line: secants of the bracket; an end that stays counts for less.
        least, most = 0.0, FARTHEST
        far, near = beyond(least), beyond(most)
        if far <= 0 or near > 0:
            return 1.0 if far <= 0 else math.erfc(most / math.sqrt(2))
        z, last = most, least
        while abs(z - last) > NEAR and near < 0:
            z, last = least + (most - least) * far / (far - near), z
            if (at := beyond(z)) > 0:
                near *= 1 - at / far if at < far else 0.5
                least, far = z, at
            else:
                far *= 1 - at / near if at > near else 0.5
                most, near = z, at
        return math.erfc(z / math.sqrt(2))


def correlation(first: Influence, second: Influence) -> float:
    """Return the correlation of the errors of two coefficients of the same items."""
    weights = np.maximum(first.sampled, second.sampled)
    (a, of_a), (b, of_b) = first.gaps(), second.gaps()
    every = (weights @ a**2 + of_a[0]) * (weights @ b**2 + of_b[0])
    return float(weights @ (a * b) / math.sqrt(every))


class Mean:
    """The mean of coefficients, or another sum of them with shares that add up to 1.

    Attributes
    ----------
    centre, least : float
        The mean value and the mean least value, with the prior.
    weight : float
        The number of items of the prior.
    error : float
        The root of the sum of squares of the prior's influences.
    """

    def __init__(self) -> None:
        self.centre = self.least = self.weight = self.error = 0.0

    def add(self, influence: Influence, shares: FloatArray) -> FloatArray:
        """Add coefficients, one a group, and return the part of each row in the influences."""
        gaps, of_prior = influence.gaps()
        used = shares > 0
        self.centre += float(shares[used] @ influence.centre[used])
        self.least += float(shares[used] @ influence.least[used])
        self.weight = max(self.weight, float(influence.prior[0][used].max(initial=0.0)))
        self.error += float(shares[used] @ np.sqrt(np.maximum(of_prior[used], 0.0)))
        return np.where(used[influence.groups.codes], shares[influence.groups.codes] * gaps, 0.0)

    def score(self, value: float, of_rows: FloatArray, sampled: Array) -> Score:
        """Return what the interval is made from, given the influences of the items."""
        mean = -float(sampled @ of_rows) / self.weight  # all influences add up to 0
        return Influence(
            value=np.array([value]),
            centre=np.array([self.centre]),
            least=np.array([self.least]),
            of_rows=of_rows,
            sampled=sampled,
            groups=Groups(np.zeros(len(sampled), np.int64), 1),
            prior=np.array([[self.weight], [mean], [self.error**2 / self.weight]]),
            expected=np.ones(1),
        ).score()

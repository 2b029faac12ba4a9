"""Latent trait analysis: ordered categories of several coders, and the scale behind these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import ordinal
from agreement_fast.models.em import check_amount, patterns, weights_of
from agreement_fast.models.latent_classes import NO_JUDGMENTS
from agreement_fast.models.population import Population, estimated
from agreement_fast.models.uncertainty import NAN, Likelihood
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.patterns import Rows, judgments_of, row_sizes
from agreement_fast.present.tables import aligned
from agreement_fast.present.terminal import counted
from agreement_fast.reading.labels import Categories

#: The largest point of the trait, in its standard deviations.
FARTHEST = 6.0

#: The smallest probability, used instead of one that underflows.
TINY = 1e-300

#: The most numbers, rows × points, in memory at a time.
CELLS = 1 << 22


class Link(NamedTuple):
    """A distribution function, its density and its quantiles."""

    below: Callable[[Any], Any]
    density: Callable[[Any], Any]
    quantile: Callable[[Any], Any]
    #: The variance of the error that is added to the trait.
    variance: float


def links() -> dict[str, Link]:
    """Return the links by name."""
    from scipy.special import expit, logit, ndtr, ndtri

    return {
        "logit": Link(expit, lambda x: expit(x) * expit(-x), logit, np.pi**2 / 3),
        "probit": Link(ndtr, lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), ndtri, 1.0),
    }


def points(n: int) -> tuple[FloatArray, FloatArray]:
    """Return equally spaced points of a standard normal trait, and weights that add to 1."""
    at = np.linspace(-FARTHEST, FARTHEST, n)
    weights = np.exp(-at * at / 2)
    return at, weights / weights.sum()


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Distinct rows of judgments, and their likelihoods."""

    #: Which cells, pairs of a coder and a category, each row has: sparse matrix of shape (U,
    #: cells).
    indicators: Any
    #: Float64 array of shape (U,).
    weights: FloatArray
    #: Where the cells of each coder start; a coder has a cell for each category that they use:
    #: int64 array of shape (C + 1,).
    first: Array
    link: Link

    @staticmethod
    def of(rows: Rows, cells: Array, first: Array, link: Link) -> Graded:
        """Prepare rows; `cells` is the cell of each coder and category, -1 for none."""
        from scipy.sparse import csr_matrix

        row, *judged = judgments_of(rows)
        cell = cells[*judged]
        known, shape = cell >= 0, (rows.n_rows, int(first[-1]))
        labels = csr_matrix((np.ones(int(known.sum())), (row[known], cell[known])), shape)
        return Graded(labels, weights_of(rows), first, link)

    @property
    def n_coders(self) -> int:
        return len(self.first) - 1

    def thresholds_of(self, c: int) -> slice:
        """Return the places of a coder's thresholds among all thresholds."""
        return slice(int(self.first[c]) - c, int(self.first[c + 1]) - c - 1)

    def probabilities(
        self, slopes: FloatArray, cuts: FloatArray, at: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Compute P(cell | trait), float64 of shape (cells, Q), and the densities at all cuts."""
        out = np.empty((int(self.first[-1]), len(at)))
        density = np.empty((len(cuts), len(at)))
        for c in range(self.n_coders):
            own = self.thresholds_of(c)
            x = slopes[c] * at - cuts[own, None]
            above, below = self.link.below(x), self.link.below(-x)
            density[own] = self.link.density(x)
            entry = np.empty((len(x) + 1, len(at)))
            entry[0], entry[-1] = below[0], above[-1]
            # the smaller of the two tails keeps more digits
            entry[1:-1] = np.where(x[:-1] > 0, below[1:] - below[:-1], above[:-1] - above[1:])
            out[int(self.first[c]) : int(self.first[c + 1])] = entry
        return np.maximum(out, TINY), density

    def moments(
        self, slopes: FloatArray, cuts: FloatArray, n_points: int
    ) -> tuple[FloatArray, FloatArray]:
        """Compute the mean and standard deviation of the trait given each row, of shape (U,)."""
        at, weights = points(n_points)
        logs, prior = np.log(self.probabilities(slopes, cuts, at)[0]), np.log(weights)
        mean, spread = np.empty((2, len(self.weights)))
        for block, some in self.blocks(n_points):
            posterior, _ = some._posteriors(logs, prior)
            mean[block] = posterior @ at
            spread[block] = np.sqrt((posterior * np.square(at - mean[block, None])).sum(1))
        return mean, spread

    def blocks(self, n_points: int) -> Iterator[tuple[slice, Graded]]:
        """Yield the rows in blocks, with the places of each."""
        step = max(1, CELLS // n_points)
        for first in range(0, len(self.weights), step):
            rows = slice(first, first + step)
            yield rows, Graded(self.indicators[rows], self.weights[rows], self.first, self.link)

    def _posteriors(self, logs: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
        joint = np.asarray(self.indicators @ logs) + prior
        top = joint.max(1, keepdims=True)
        joint = np.exp(joint - top)
        total = joint.sum(1, keepdims=True)
        return joint / total, (top + np.log(total))[:, 0]

    def log_likelihood(
        self, slopes: FloatArray, cuts: FloatArray, n_points: int
    ) -> tuple[float, FloatArray, FloatArray]:
        """Compute the log-likelihood, and its derivatives in the slopes and in the cuts.

        By Fisher's identity, the derivative is the expected derivative for the complete data.
        """
        at, weights = points(n_points)
        P, density = self.probabilities(slopes, cuts, at)
        logs, prior = np.log(P), np.log(weights)
        value, counts = 0.0, np.zeros_like(P)
        for _, some in self.blocks(n_points):
            posterior, result = some._posteriors(logs, prior)
            value += float(some.weights @ result)
            counts += np.asarray(some.indicators.T @ (some.weights[:, None] * posterior))
        by_cell = counts / P
        by_slope, by_cut = np.empty(len(slopes)), np.empty(len(cuts))
        for c in range(self.n_coders):
            own = self.thresholds_of(c)
            entry = by_cell[int(self.first[c]) : int(self.first[c + 1])]
            # a cut separates the categories below it from those above
            moved = density[own] * (entry[1:] - entry[:-1])
            by_cut[own] = -moved.sum(1)
            by_slope[c] = (moved @ at).sum()
        return value, by_slope, by_cut


#: The largest slope; a coder who reaches it follows the trait without errors.
STEEPEST = 30.0

#: The slope of every coder at the start.
START = 1.5

#: The derivative of an item's log-likelihood that rounding leaves at an optimum.
FLAT = 1e-6

#: The most parameters for which the optimizer holds the curvature as a matrix.
MOST_DENSE = 500

#: The most parameters for which standard errors are computed.
MOST_PARAMETERS = 1000

#: The step of the differences of the gradient.
STEP = 1e-4

#: The smallest eigenvalue of a scaled information matrix that counts as positive definite.
RANK = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class GradedFit:
    """Slopes and cuts of the coders who used two or more categories; most slopes are positive.

    `signs` are the signs of the slopes if their sizes are equal; None if each coder has a slope.
    """

    slopes: FloatArray
    cuts: FloatArray
    signs: FloatArray | None
    value: float
    n_iterations: int
    converged: bool


def lowest(
    loss: Callable[[Any], Any],
    start: FloatArray,
    tolerance: float,
    max_iterations: int,
) -> Any:
    """Minimise a smooth function that also returns its derivatives."""
    from scipy.optimize import minimize

    if len(start) <= MOST_DENSE:
        options: Any = {"gtol": tolerance, "maxiter": max_iterations}
        return minimize(loss, start, jac=True, method="BFGS", options=options)
    options = {"gtol": tolerance, "ftol": 1e-15, "maxiter": max_iterations, "maxfun": 10**9}
    return minimize(loss, start, jac=True, method="L-BFGS-B", options=options)


def climb(
    graded: Graded,
    labels: FloatArray,
    equal: bool,
    n_points: int,
    tolerance: float,
    max_iterations: int,
) -> GradedFit:
    """Maximise the likelihood, starting from the shares of the categories."""
    signs = _signs(graded)
    way = _Way(graded, signs if equal else None)
    size = float(graded.weights.sum())

    def loss(x: FloatArray) -> tuple[float, FloatArray]:
        slopes, cuts = way.parameters(x)
        value, by_slope, by_cut = graded.log_likelihood(slopes, cuts, n_points)
        return -value / size, -way.gradient(x, by_slope, by_cut) / size

    start = np.concatenate(
        [np.array([START]) if equal else START * signs, *(_cuts(graded, entry) for entry in labels)]
    )
    result = lowest(loss, way.coordinates(start), tolerance, max_iterations)
    slopes, cuts = way.parameters(result.x)
    if slopes.sum() < 0:
        # reverse the trait
        slopes, signs = -slopes, -signs
    return GradedFit(
        slopes, cuts, signs if equal else None, -float(result.fun) * size, int(result.nit),
        bool(np.abs(result.jac).max() <= max(FLAT, tolerance)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """Unconstrained coordinates of the parameters.

    They are bounded slopes on an unbounded scale, the first cuts, and the logarithms of the gaps
    between cuts.
    """

    graded: Graded
    signs: FloatArray | None

    @property
    def n_slopes(self) -> int:
        return self.graded.n_coders if self.signs is None else 1

    def coordinates(self, at: FloatArray) -> FloatArray:
        x = at.copy()
        x[: self.n_slopes] = STEEPEST * np.arctanh(at[: self.n_slopes] / STEEPEST)
        for c in range(self.graded.n_coders):
            own = self._of(c)
            x[own][1:] = np.log(np.diff(at[own]))
        return x

    def parameters(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = x.copy()
        at[: self.n_slopes] = STEEPEST * np.tanh(x[: self.n_slopes] / STEEPEST)
        for c in range(self.graded.n_coders):
            own = self._of(c)
            at[own][1:] = np.exp(x[own][1:])
            at[own] = np.cumsum(at[own])
        slopes = at[: self.n_slopes] if self.signs is None else self.signs * at[0]
        return slopes, at[self.n_slopes :]

    def gradient(self, x: FloatArray, by_slope: FloatArray, by_cut: FloatArray) -> FloatArray:
        first = by_slope if self.signs is None else np.array([self.signs @ by_slope])
        out = np.concatenate([first, by_cut])
        out[: self.n_slopes] /= np.cosh(np.clip(x[: self.n_slopes] / STEEPEST, -300, 300)) ** 2
        for c in range(self.graded.n_coders):
            own = self._of(c)
            # a gap moves all cuts above it
            out[own] = np.cumsum(out[own][::-1])[::-1]
            out[own][1:] *= np.exp(x[own][1:])
        return out

    def _of(self, c: int) -> slice:
        own = self.graded.thresholds_of(c)
        return slice(own.start + self.n_slopes, own.stop + self.n_slopes)


def _cuts(graded: Graded, labels: FloatArray) -> FloatArray:
    """Return the cuts at which coders with the first slope reproduce their category shares."""
    shares = labels[labels > 0] / labels.sum()
    spread = np.sqrt(1 + START**2 / graded.link.variance)
    return np.asarray(spread * graded.link.quantile(np.cumsum(shares)[:-1]))


def _signs(graded: Graded) -> FloatArray:
    """Guess whether each coder goes up (1) or down (-1) with the mean of the others."""
    n, rows = graded.n_coders, graded.indicators
    height = np.concatenate(
        [np.arange(k) - (k - 1) / 2 for k in np.diff(graded.first).tolist()]
    )  # fmt: skip
    coder = np.repeat(np.arange(n), np.diff(graded.first))
    mean = np.asarray(rows.T @ graded.weights)
    for c in range(n):
        own = coder == c
        height[own] -= height[own] @ mean[own] / mean[own].sum()
    from scipy.sparse import csr_matrix

    to_coder = csr_matrix((height, (np.arange(len(coder)), coder)), (len(coder), n))
    scores = rows @ to_coder
    together = (scores.multiply(graded.weights[:, None]).T @ scores).toarray()
    together[np.arange(n), np.arange(n)] = 0.0
    signs = np.ones(n)
    for _ in range(20):
        turned = np.where(together @ signs < 0, -1.0, 1.0)
        if (turned == signs).all():
            break
        # flip one coder at a time, the one that contradicts the others most
        gain = (together @ signs) * signs
        signs[gain.argmin()] *= -1
        if gain.min() >= 0:
            break
    return signs


def n_unidentified_slopes(graded: Graded) -> int:
    """Count the coders whose slopes are not identified, even with endlessly many judgments.

    Two coders with items in common identify the product of their correlations with the trait. The
    products identify each correlation if coders with items in common form a cycle of odd length.
    """
    from scipy.sparse import bmat, csr_matrix
    from scipy.sparse.csgraph import connected_components

    n = graded.n_coders
    coder = np.repeat(np.arange(n), np.diff(graded.first))
    judged = graded.indicators @ csr_matrix(
        (np.ones(len(coder)), (np.arange(len(coder)), coder)), (len(coder), n)
    )
    shared = (judged.T @ judged).tolil()
    shared.setdiag(0)
    shared = shared.tocsr()
    shared.eliminate_zeros()
    # two copies of a coder are connected if a walk of odd length leads from the coder to itself
    _, part = connected_components(bmat([[None, shared], [shared, None]]), directed=False)
    return int((part[:n] != part[n:]).sum())


def standard_errors(
    fit: GradedFit, graded: Graded, n_points: int
) -> tuple[FloatArray, FloatArray, str | None]:
    """Compute standard errors of slopes and thresholds, or the reason why they are unknown.

    The observed information comes from central differences of the gradient.
    """
    equal = fit.signs is not None
    n_slopes = 1 if equal else len(fit.slopes)
    n = n_slopes + len(fit.cuts)
    nothing = np.full(len(fit.slopes), np.nan), np.full(len(fit.cuts), np.nan)
    if not equal and (alone := n_unidentified_slopes(graded)):
        return *nothing, (
            f"not identified: the slopes of {counted(alone, 'coder')} with too few items in common "
            "with others; pass equal_slopes=True"
        )
    if n > MOST_PARAMETERS:
        return *nothing, f"no standard errors: the matrix of {n} parameters is too large"
    to_slopes = np.eye(n_slopes) if fit.signs is None else fit.signs[:, None]

    def gradient(moved: FloatArray) -> FloatArray:
        _, by_slope, by_cut = graded.log_likelihood(
            fit.slopes + to_slopes @ moved[:n_slopes], fit.cuts + moved[n_slopes:], n_points
        )
        return np.concatenate([to_slopes.T @ by_slope, by_cut])

    information = information_of(gradient, n, STEP)
    scale = np.sqrt(np.abs(np.diagonal(information)))
    try:
        # scaled by each parameter's error, so that the rank does not depend on their units
        scaled = information / np.outer(scale, scale) if (scale > 0).all() else information * 0
        if np.linalg.eigvalsh(scaled).min() < RANK:
            raise np.linalg.LinAlgError
        covariance = np.linalg.inv(scaled) / np.outer(scale, scale)
    except np.linalg.LinAlgError:
        return *nothing, (
            "not identified: the information matrix is not positive definite here; too few coders "
            "share items, or a slope is at its limit"
        )
    jacobian = np.zeros((len(fit.slopes) + len(fit.cuts), n))
    jacobian[: len(fit.slopes), :n_slopes] = to_slopes
    for c in range(graded.n_coders):
        own = graded.thresholds_of(c)
        places = np.arange(own.start, own.stop)
        slope = fit.slopes[c]
        rows = len(fit.slopes) + places
        jacobian[rows, n_slopes + places] = 1 / slope
        jacobian[rows, :n_slopes] = -(fit.cuts[own, None] / slope**2) * to_slopes[c]
    errors = np.sqrt(np.maximum(((jacobian @ covariance) * jacobian).sum(1), 0.0))
    return errors[: len(fit.slopes)], errors[len(fit.slopes) :], None


def information_of(gradient: Callable[[FloatArray], FloatArray], n: int, step: float) -> FloatArray:
    """Return minus the derivatives of a gradient at its origin, by central differences: (n, n)."""
    information = np.array([gradient(-at) - gradient(at) for at in step * np.eye(n)]) / (2 * step)
    return (information + information.T) / 2


#: The largest change of an item's log-likelihood with twice the points.
COARSE = 1e-6

TOO_FEW = "too few coders: two coders must use two or more categories"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LatentTrait(Likelihood):
    """A fitted latent trait: each coder's slope and thresholds.

    The trait is standard normal over the items. Coder c says more than category k with probability
    F(slope_c · (trait − threshold_ck)).

    Attributes
    ----------
    coders, categories : sequences of labels
    link : {"logit", "probit"}
        F: the logistic or the normal distribution function.
    slopes : float64 array of shape (C,)
        How well each coder separates items. With "probit", 1 / slope is the standard deviation of
        the coder's errors, in standard deviations of the trait. Negative for a coder who reverses
        the scale; NaN for a coder who used only one category.
    thresholds : float64 array of shape (C, K − 1)
        The points of the trait between each category and the next. Around a category that a coder
        never used, they are infinite at the ends of the scale and equal within it.
    slope_standard_error, slope_low, slope_high : float64 arrays of shape (C,)
        Standard errors and intervals of the slopes.
    threshold_standard_error : float64 array of shape (C, K − 1)
        From the observed information; NaN if the slope is at its limit.
    confidence_level : float
    correlation : float64 array of shape (C,)
        The correlation of each coder's perception with the trait: slope / √(slope² + variance of
        the errors). The variance is 1 for "probit" and π²/3 for "logit".
    equal_slopes : bool
    log_likelihood : float
    n_parameters : int
    n_items, n_items_dropped : int
        The number of items with a judgment by a coder who has a slope, and of the other items.
    n_points : int
        The number of points of the trait in the sum.
    n_iterations : int
    converged : bool
    items : sequence of labels
        The names of the items, in the order of `scores`.
    notes : tuple of str
        Warnings.
    undefined : str or None
        Why there is no estimate.
    """

    _caption = (
        "LatentTrait: {link}, {coders:coder}, {n_items:item}[, log-likelihood {log_likelihood}, "
        "AIC {aic}, BIC {bic}][, reliability of the scores {reliability:.4f}][, NOT "
        "CONVERGED{converged!}]"
    )
    _what = "coder"
    _remarks = "undefined"

    def _layout(self) -> str:
        steps = (f"to step {k + 1} = threshold_{k + 1}" for k in range(self.thresholds.shape[1]))
        return " | ".join(["coder | slope | low..high", *steps]) if self.undefined is None else ""

    coders: Sequence[Any]
    categories: Categories
    link: str
    slopes: FloatArray
    thresholds: FloatArray
    slope_standard_error: FloatArray
    slope_low: FloatArray
    slope_high: FloatArray
    threshold_standard_error: FloatArray
    confidence_level: float
    correlation: FloatArray
    equal_slopes: bool
    log_likelihood: float
    n_parameters: int
    n_items: int
    n_items_dropped: int
    n_points: int
    n_iterations: int
    converged: bool
    notes: tuple[str, ...]
    undefined: str | None
    items: Sequence[Any]
    _rows: Rows
    #: The cell of each coder and category, the first cell of each coder, and slope × threshold.
    _cells: Array
    _first: Array
    _cuts: FloatArray
    _memo: dict[str, Any] = field(default_factory=dict)

    @property
    def scores(self) -> FloatArray:
        """The mean of the trait given the judgments of each item, float64 of shape (N,)."""
        return self._moments()[0]

    @property
    def score_deviations(self) -> FloatArray:
        """The standard deviation of the trait given the judgments of each item."""
        return self._moments()[1]

    @property
    def reliability(self) -> float:
        """The share of the trait's variance that the scores explain."""
        weights = weights_of(self._rows)
        used = row_sizes(self._rows) > 0
        if self.undefined is not None or not (weights * used).sum() > 0:
            return NAN
        left = float((weights * used) @ np.square(self.score_deviations))
        return 1.0 - left / float((weights * used).sum())

    def _moments(self) -> tuple[FloatArray, FloatArray]:
        if "moments" not in self._memo:
            n = self._rows.n_rows
            result = np.full(n, NAN), np.full(n, NAN)
            if self.undefined is None:
                graded, slopes = self._graded()
                result = graded.moments(slopes, self._cuts, self.n_points)
            self._memo["moments"] = result
        out: tuple[FloatArray, FloatArray] = self._memo["moments"]
        return out

    def _graded(self) -> tuple[Graded, FloatArray]:
        used = ~np.isnan(self.slopes)
        graded = Graded.of(self._rows, self._cells, self._first, links()[self.link])
        return graded, self.slopes[used]

    def population(self) -> Population:
        """Return items at each point of the trait, and the coders, for `subsets.simulate`.

        The true label of an item is the category that coders say most often of such items.
        """
        if self.undefined is not None:
            return estimated(
                self.categories, np.ones(0), np.zeros((0, 0, 0)), (), (), self.undefined
            )
        at, shares = points(self.n_points)
        used = ~np.isnan(self.slopes)
        graded, slopes = self._graded()
        P, _ = graded.probabilities(slopes, self._cuts, at)
        table = np.full((len(self.coders), len(at), len(self.categories)), NAN)
        table[used] = 0.0
        coder, category = np.nonzero(self._cells >= 0)
        table[coder, :, category] = P[self._cells[coder, category]]
        truth = [self.categories[k] for k in table[used].mean(0).argmax(1).tolist()]
        return estimated(self.categories, shares, table, self.coders, truth, None)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with one row per coder."""
        result = aligned(
            self,
            "coder=coders slope=slopes standard_error=slope_standard_error low=slope_low "
            "high=slope_high confidence_level correlation",
        )
        for k in range(self.thresholds.shape[1]):
            result[f"threshold_{k + 1}"] = self.thresholds[:, k]
            result[f"threshold_{k + 1}_standard_error"] = self.threshold_standard_error[:, k]
        return result


def latent_trait(
    data: JudgmentsLike,
    link: Literal["logit", "probit"] = "logit",
    *,
    equal_slopes: bool = False,
    n_points: int = 121,
    confidence_level: float = 0.95,
    tolerance: float = 1e-7,
    max_iterations: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LatentTrait:
    """Fit a normal trait behind ordered categories, with each coder's thresholds and slope.

    Parameters
    ----------
    data : Annotations, or a table as `Annotations.from_wide` takes it
        The categories must be numbers or have a declared order. Missing judgments are assumed to be
        missing at random.
    link : {"logit", "probit"}
        The distribution of the coders' errors: logistic (the default; Samejima's graded responses)
        or normal.
    equal_slopes : bool, default False
        Whether all coders have the same slope, up to its sign. Two coders always do, because their
        judgments determine one correlation, not two slopes.
    n_points : int, default 121
        The number of points of the trait, from −6 to 6, in the sum of the likelihood; at least 15.
    confidence_level : float, default 0.95
        Confidence level of the slopes' intervals, between 0 and 1.
    tolerance : float, default 1e-7
        Stop if no derivative of the mean log-likelihood of an item is larger than this.
    max_iterations : int, default 1000
        The largest number of iterations.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    LatentTrait
        The fitted model.

    Raises
    ------
    ValueError
        If the categories have no order, coders are unknown, or an option is invalid.

    Notes
    -----
    The fit is by marginal maximum likelihood with BFGS; derivatives use Fisher's identity. The
    trait is integrated out by a sum over equally spaced points. For smooth functions that vanish at
    both ends, this sum converges faster than any power of the number of points. Unlike
    Gauss-Hermite points, it is also accurate for the narrow likelihoods of items with many
    judgments. The direction of the trait is the one in which most slopes are positive. The cost is
    O(iterations × judgments of the distinct rows × points).

    References
    ----------
    Samejima, F. (1969). Estimation of latent ability using a response pattern of graded scores.
    Psychometrika Monograph 17. Uebersax, J. S. (1993). Statistical modeling of expert ratings on
    medical treatment appropriateness. Journal of the American Statistical Association 88, 421-427.

    Examples
    --------
    >>> from agreement_fast import models, subsets
    >>> coders = subsets.noisy_coders(
    ...     {1: 3, 2: 4, 3: 3}, 0.7, distance="interval", errors="linear"
    ... )
    >>> data = subsets.simulate(coders, n_items=300, n_coders=3, rng=1).annotations
    >>> model = models.latent_trait(data)
    >>> model.thresholds.round(1).tolist()
    [[-0.6, 0.6], [-0.7, 0.6], [-0.5, 0.5]]
    """
    known = links()
    check_choice("link", link, tuple(known))
    check_count("n_points", n_points, 15)
    check_count("max_iterations", max_iterations, 1)
    check_share("confidence_level", confidence_level)
    check_amount("tolerance", tolerance)
    annotations = as_annotations(data, **reading)
    coders = annotations.known_coders("latent_trait()")
    labels = annotations.categories
    ordinal.bind(labels, annotations.declared, np.ones(len(labels)))  # checks the order
    rows, _ = patterns(annotations.grouped())
    C, K = len(coders), len(labels)
    values = annotations.coder_marginals().values.astype(np.float64)
    used = (values > 0).sum(1) > 1
    notes: list[str] = []
    if not used.all():
        notes.append(f"{counted(int((~used).sum()), 'coder')} used at most one category: no slope")
    cells, first = _cells(values > 0, used)
    weights = weights_of(rows)
    graded = Graded.of(rows, cells, first, known[link])
    judged = np.diff(graded.indicators.indptr) > 0
    n_items = int(weights[judged].sum())
    whole = annotations.rows
    undefined = None
    if not values.any():
        undefined = NO_JUDGMENTS
    elif used.sum() < 2:
        undefined = TOO_FEW
    common: dict[str, Any] = {
        "coders": tuple(coders),
        "categories": labels,
        "link": link,
        "confidence_level": confidence_level,
        "n_items": n_items,
        "n_items_dropped": int(weights_of(whole).sum()) - n_items,
        "n_points": n_points,
        "items": annotations.items,
        "_rows": whole,
        "_cells": cells,
        "_first": first,
        "undefined": undefined,
    }
    slopes, errors = np.full((2, C), NAN)
    thresholds, threshold_errors = np.full((2, C, max(K - 1, 0)), NAN)
    fit, n_parameters = GradedFit(np.zeros(0), np.zeros(0), None, NAN, 0, False), 0
    if undefined is None:
        graded = Graded(graded.indicators[judged], weights[judged], first, known[link])
        if used.sum() == 2 and not equal_slopes:
            equal_slopes = True
            why = "one correlation does not determine two slopes, so they are equal"
            notes.append(f"two coders: {why}")
        fit = climb(graded, values[used], equal_slopes, n_points, tolerance, max_iterations)
        notes += _notes(fit, graded, n_points, max_iterations)
        slope, n_parameters = fit.slopes, len(fit.cuts) + (1 if equal_slopes else len(fit.slopes))
        slope_error, threshold_error, problem = standard_errors(fit, graded, n_points)
        if problem is not None:
            notes.append(problem)
        slopes[used] = slope
        # at its limit, a slope is not at a maximum of the likelihood, so curvature gives no error
        errors[used] = np.where(np.abs(slope) > 0.99 * STEEPEST, NAN, slope_error)
        for place, c in enumerate(np.flatnonzero(used).tolist()):
            own, at = graded.thresholds_of(place), float(slope[place])
            thresholds[c], of = spread_over(values[c] > 0, fit.cuts[own] / at, at)
            inside = of >= 0
            threshold_errors[c, inside] = threshold_error[own][of[inside]]
    z = two_sided_quantile(confidence_level)
    return LatentTrait(
        **common,
        slopes=slopes,
        thresholds=thresholds,
        slope_standard_error=errors,
        slope_low=slopes - z * errors,
        slope_high=slopes + z * errors,
        threshold_standard_error=threshold_errors,
        correlation=slopes / np.sqrt(slopes**2 + known[link].variance),
        equal_slopes=equal_slopes,
        log_likelihood=fit.value,
        n_parameters=n_parameters,
        n_iterations=fit.n_iterations,
        converged=fit.converged,
        notes=tuple(notes),
        _cuts=fit.cuts,
    )


def _cells(labels: Array, used: Array) -> tuple[Array, Array]:
    """Number the categories of each coder with a slope, else -1; return each coder's first."""
    own = labels & used[:, None]
    cells = np.where(own, np.cumsum(own).reshape(own.shape) - 1, -1)
    return cells, np.concatenate([[0], np.cumsum(own.sum(1)[used])]).astype(np.int64)


def spread_over(labels: Array, thresholds: FloatArray, slope: float) -> tuple[FloatArray, Array]:
    """Expand thresholds between the categories that a coder used to all; return their places too.

    Thresholds below the first such category are at one end of the trait, above the last at the
    other.
    """
    passed = np.cumsum(labels)[:-1]  # the number of used categories that are not above
    inside = (passed > 0) & (passed < labels.sum())
    end = np.copysign(np.inf, slope)
    out = np.where(passed == 0, -end, end)
    out[inside] = thresholds[passed[inside] - 1]
    return out, np.where(inside, passed - 1, -1)


def _notes(fit: GradedFit, graded: Graded, n_points: int, max_iterations: int) -> list[str]:
    out = []
    if not fit.converged:
        out.append(
            f"not converged in {fit.n_iterations} iterations; raise max_iterations (now "
            f"{max_iterations}) or tolerance"
        )
    steep = int((np.abs(fit.slopes) > 0.99 * STEEPEST).sum())
    if steep:
        out.append(
            f"{counted(steep, 'coder')} at the largest slope, {STEEPEST:g}: their judgments follow "
            "the trait without errors, as happens if coders agree on everything"
        )
    finer, _, _ = graded.log_likelihood(fit.slopes, fit.cuts, 2 * n_points - 1)
    moved = abs(finer - fit.value) / graded.weights.sum()
    if moved > COARSE:
        out.append(
            f"too few points: doubling them changes the log-likelihood of an item by {moved:.2g}; "
            f"raise n_points (now {n_points})"
        )
    return out

"""Maximum-likelihood slopes and cuts of graded responses, and their standard errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.patterns import Rows, row_of
from agreement_fast.terminal import counted

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
    """Distinct rows of judgments, and their likelihoods.

    Attributes
    ----------
    said : sparse matrix of shape (U, cells)
        Which cells, pairs of a coder and a category, each row has.
    weights : float64 array of shape (U,)
    first : int64 array of shape (C + 1,)
        Where the cells of each coder start; a coder has a cell for each category that they use.
    link : Link
    """

    said: Any
    weights: FloatArray
    first: Array
    link: Link

    @staticmethod
    def of(rows: Rows, cells: Array, first: Array, link: Link) -> Graded:
        """Prepare rows; `cells` is the cell of each coder and category, -1 for none."""
        from scipy.sparse import csr_matrix

        where = np.flatnonzero(rows.codes >= 0)
        coder = where % rows.width if rows.width else rows.coders
        assert coder is not None
        coder = coder if rows.width else coder[where]
        cell = cells[coder, rows.codes[where]]
        row, known = row_of(rows, where), cell >= 0
        shape = rows.n_rows, int(first[-1])
        said = csr_matrix((np.ones(int(known.sum())), (row[known], cell[known])), shape)
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(float)
        return Graded(said, weights, first, link)

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
            mine = self.thresholds_of(c)
            x = slopes[c] * at - cuts[mine, None]
            above, below = self.link.below(x), self.link.below(-x)
            density[mine] = self.link.density(x)
            one = np.empty((len(x) + 1, len(at)))
            one[0], one[-1] = below[0], above[-1]
            # the smaller of the two tails keeps more digits
            one[1:-1] = np.where(x[:-1] > 0, below[1:] - below[:-1], above[:-1] - above[1:])
            out[int(self.first[c]) : int(self.first[c + 1])] = one
        return np.maximum(out, TINY), density

    def moments(
        self, slopes: FloatArray, cuts: FloatArray, n_points: int
    ) -> tuple[FloatArray, FloatArray]:
        """Compute the mean and standard deviation of the trait given each row, of shape (U,)."""
        at, weights = points(n_points)
        logs, prior = np.log(self.probabilities(slopes, cuts, at)[0]), np.log(weights)
        mean, spread = np.empty((2, len(self.weights)))
        for block in self.blocks(n_points):
            posterior, _ = self.block(block)._posteriors(logs, prior)
            mean[block] = posterior @ at
            spread[block] = np.sqrt((posterior * np.square(at - mean[block, None])).sum(1))
        return mean, spread

    def blocks(self, n_points: int) -> Iterator[slice]:
        """Yield the rows in blocks."""
        step = max(1, CELLS // n_points)
        for first in range(0, len(self.weights), step):
            yield slice(first, first + step)

    def block(self, rows: slice) -> Graded:
        """Select some of the rows."""
        return Graded(self.said[rows], self.weights[rows], self.first, self.link)

    def _posteriors(self, logs: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
        joint = np.asarray(self.said @ logs) + prior
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
        for block in self.blocks(n_points):
            some = self.block(block)
            posterior, found = some._posteriors(logs, prior)
            value += float(some.weights @ found)
            counts += np.asarray(some.said.T @ (some.weights[:, None] * posterior))
        by_cell = counts / P
        by_slope, by_cut = np.empty(len(slopes)), np.empty(len(cuts))
        for c in range(self.n_coders):
            mine = self.thresholds_of(c)
            one = by_cell[int(self.first[c]) : int(self.first[c + 1])]
            # a cut separates the categories below it from those above
            moved = density[mine] * (one[1:] - one[:-1])
            by_cut[mine] = -moved.sum(1)
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
    said: FloatArray,
    equal: bool,
    n_points: int,
    tolerance: float,
    max_iterations: int,
) -> GradedFit:
    """Maximise the likelihood, starting from the shares of the categories in `said`."""
    signs = _signs(graded)
    way = _Way(graded, signs if equal else None)
    size = float(graded.weights.sum())

    def loss(x: FloatArray) -> tuple[float, FloatArray]:
        slopes, cuts = way.parameters(x)
        value, by_slope, by_cut = graded.log_likelihood(slopes, cuts, n_points)
        return -value / size, -way.gradient(x, by_slope, by_cut) / size

    start = np.concatenate(
        [np.array([START]) if equal else START * signs, *(_cuts(graded, one) for one in said)]
    )
    found = lowest(loss, way.coordinates(start), tolerance, max_iterations)
    slopes, cuts = way.parameters(found.x)
    if slopes.sum() < 0:
        # reverse the trait
        slopes, signs = -slopes, -signs
    return GradedFit(
        slopes, cuts, signs if equal else None, -float(found.fun) * size, int(found.nit),
        bool(np.abs(found.jac).max() <= max(FLAT, tolerance)),
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
            mine = self._of(c)
            x[mine][1:] = np.log(np.diff(at[mine]))
        return x

    def parameters(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        at = x.copy()
        at[: self.n_slopes] = STEEPEST * np.tanh(x[: self.n_slopes] / STEEPEST)
        for c in range(self.graded.n_coders):
            mine = self._of(c)
            at[mine][1:] = np.exp(x[mine][1:])
            at[mine] = np.cumsum(at[mine])
        slopes = at[: self.n_slopes] if self.signs is None else self.signs * at[0]
        return slopes, at[self.n_slopes :]

    def gradient(self, x: FloatArray, by_slope: FloatArray, by_cut: FloatArray) -> FloatArray:
        first = by_slope if self.signs is None else np.array([self.signs @ by_slope])
        out = np.concatenate([first, by_cut])
        out[: self.n_slopes] /= np.cosh(np.clip(x[: self.n_slopes] / STEEPEST, -300, 300)) ** 2
        for c in range(self.graded.n_coders):
            mine = self._of(c)
            # a gap moves all cuts above it
            out[mine] = np.cumsum(out[mine][::-1])[::-1]
            out[mine][1:] *= np.exp(x[mine][1:])
        return out

    def _of(self, c: int) -> slice:
        mine = self.graded.thresholds_of(c)
        return slice(mine.start + self.n_slopes, mine.stop + self.n_slopes)


def _cuts(graded: Graded, said: FloatArray) -> FloatArray:
    """Return the cuts at which coders with the first slope reproduce their category shares."""
    shares = said[said > 0] / said.sum()
    spread = np.sqrt(1 + START**2 / graded.link.variance)
    out: FloatArray = spread * graded.link.quantile(np.cumsum(shares)[:-1])
    return out


def _signs(graded: Graded) -> FloatArray:
    """Guess whether each coder goes up (1) or down (-1) with the mean of the others."""
    n, rows = graded.n_coders, graded.said
    height = np.concatenate(
        [np.arange(k) - (k - 1) / 2 for k in np.diff(graded.first).tolist()]
    )  # fmt: skip
    coder = np.repeat(np.arange(n), np.diff(graded.first))
    mean = np.asarray(rows.T @ graded.weights)
    for c in range(n):
        mine = coder == c
        height[mine] -= height[mine] @ mean[mine] / mean[mine].sum()
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
    judged = graded.said @ csr_matrix(
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
    information = np.empty((n, n))

    def gradient(moved: FloatArray) -> FloatArray:
        _, by_slope, by_cut = graded.log_likelihood(
            fit.slopes + to_slopes @ moved[:n_slopes], fit.cuts + moved[n_slopes:], n_points
        )
        return np.concatenate([to_slopes.T @ by_slope, by_cut])

    for i in range(n):
        step = np.zeros(n)
        step[i] = STEP
        information[i] = (gradient(-step) - gradient(step)) / (2 * STEP)
    information = (information + information.T) / 2
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
        mine = graded.thresholds_of(c)
        places = np.arange(mine.start, mine.stop)
        slope = fit.slopes[c]
        rows = len(fit.slopes) + places
        jacobian[rows, n_slopes + places] = 1 / slope
        jacobian[rows, :n_slopes] = -(fit.cuts[mine, None] / slope**2) * to_slopes[c]
    errors = np.sqrt(np.maximum(((jacobian @ covariance) * jacobian).sum(1), 0.0))
    return errors[: len(fit.slopes)], errors[len(fit.slopes) :], None

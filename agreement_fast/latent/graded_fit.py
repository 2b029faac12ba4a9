"""Maximum-likelihood slopes and cuts of graded responses, and their standard errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.latent.graded import Graded
from agreement_fast.terminal import counted

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

"""Standard errors of a model: from the information matrix, or by the bootstrap.

The observed information −∂² ln L is computed as in Louis (1982):

I = Σ_u w_u [Σ_t p_ut (B_ut − s_ut s_utᵀ) + s_u s_uᵀ], s_u = Σ_t p_ut s_ut,

where p_ut is the posterior of pattern u, s_ut the score of its complete data in class t, and B_ut
their information. Parameters are logits, so B is that of multinomials. Standard errors of
probabilities follow by the delta method.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.models.em import (
    Parameters,
    Problem,
    Settings,
    em,
    patterns,
    posteriors,
    weights_of,
)
from agreement_fast.options import Seed, bar, check_choice, check_resamples, generator
from agreement_fast.patterns import Rows, as_table, cut_rows, judgments_of
from agreement_fast.present.tables import Tabular

if TYPE_CHECKING:
    from agreement_fast.models.latent_classes import LatentModel

NAN = math.nan

#: The number of coders that `print` shows.
SHOWN = 8

#: The most free parameters whose information matrix is inverted (64 MB).
MOST_PARAMETERS = 2000
#: Probabilities nearer to 0 than this are on the boundary and have no standard error.
BOUNDARY = 1e-6
#: The most judgments that the parametric bootstrap draws (2 GB for 4 categories).
MOST_DRAWN = 1 << 26
#: The number of scores in a block.
BLOCK = 1 << 22

METHODS = ("information", "bootstrap", "parametric")


class Likelihood(Tabular):
    """The criteria of a fitted model."""

    __slots__ = ()
    log_likelihood: float
    n_parameters: int
    n_items: int

    @property
    def aic(self) -> float:
        """Akaike's criterion, −2 ln L + 2 n_parameters."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, −2 ln L + n_parameters · ln n_items."""
        return self.n_parameters * math.log(self.n_items or NAN) - 2 * self.log_likelihood


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StandardErrors(Tabular):
    """Standard errors of a model's shares and probabilities.

    Attributes
    ----------
    method : {"information", "bootstrap", "parametric"}
    shares : float64 array of shape (T,)
    probabilities : float64 array of shape (C, T, K)
        NaN for probabilities that are not estimated. With ``"information"``, also NaN for
        probabilities of 0 and 1, for which the theory does not hold (see `n_boundary`).
    n_boundary : int
        The number of probabilities within 10⁻⁶ of 0 or 1.
    n_resamples : int
        The number of resamples; 0 with ``"information"``.
    n_unconverged : int
        The number of resamples in which EM did not converge; they are included.
    undefined : str or None
        Why there are no standard errors.
    """

    _caption = "StandardErrors by {method}[, {n_resamples:resample}][: shares {_listed_shares}]"
    _remarks = "undefined"

    @property
    def _listed_shares(self) -> str:
        known = self.undefined is None
        return ", ".join(f"{share:.4f}" for share in self.shares[:6]) if known else ""

    method: str
    shares: FloatArray
    probabilities: FloatArray
    n_boundary: int
    n_resamples: int
    n_unconverged: int
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Return the columns of a table with one row per share and per probability."""
        n_classes = len(self.shares)
        shape = self.probabilities.shape
        coder, latent_class, category = (np.ravel(x).tolist() for x in np.indices(shape))
        none: list[int | None] = [None] * n_classes
        return {
            "parameter": ["share"] * n_classes + ["probability"] * self.probabilities.size,
            "coder": none + coder,
            "class": [*range(n_classes), *latent_class],
            "category": none + category,
            "standard_error": np.concatenate([self.shares, self.probabilities.reshape(-1)]),
        }


def standard_errors(
    self: LatentModel,
    method: Literal["information", "bootstrap", "parametric"] = "information",
    *,
    n_resamples: int = 200,
    rng: Seed = None,
    progress: bool = False,
) -> StandardErrors:
    """Compute standard errors of class shares and coders' probabilities.

    Parameters
    ----------
    method : {"information", "bootstrap", "parametric"}
        "information" (the default) inverts the observed information matrix. "bootstrap"
        resamples the items. "parametric" draws judgments from the model, for the same coders of
        each item.
    n_resamples : int, default 200
        The number of resamples of a bootstrap. Each fit starts from the model's estimate, so
        that classes keep their meaning.
    rng : int or numpy Generator, optional
        Seed or generator of a bootstrap. The same seed gives the same result.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    StandardErrors
        The standard errors, with the shapes of the model's shares and probabilities.

    Raises
    ------
    ValueError
        If an option is invalid, or ``"parametric"`` would draw more than 2²⁶ judgments.

    Notes
    -----
    The information matrix costs O(U · P² + P³) for U distinct rows and P free parameters, at
    most 2000. A bootstrap costs O(resamples × iterations × judgments of the distinct rows × T).
    EM keeps estimates of exactly 0, so their bootstrap standard error is 0.

    References
    ----------
    Louis, T. A. (1982). Finding the observed information matrix when using the EM algorithm.
    Journal of the Royal Statistical Society B 44(2), 226-233. Efron, B., & Tibshirani, R. J.
    (1993). An Introduction to the Bootstrap.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = [[1, 1, 1]] * 40 + [[2, 2, 2]] * 30 + [[1, 1, 2]] * 10 + [[2, 1, 2]] * 10
    >>> model = af.aggregate(data, "dawid_skene").model
    >>> model.standard_errors().shares.round(3).tolist()
    [0.052, 0.052]
    """
    check_choice("method", method, METHODS)
    check_resamples(n_resamples, 2)
    source = generator(rng)
    if self.problem is None:
        shapes = np.full(self.shares.shape, NAN), np.full(self.probabilities.shape, NAN)
        return StandardErrors(method, *shapes, 0, 0, 0, self.undefined)
    if method == "information":
        return _by_information(self, self.problem)
    if method == "parametric" and self.n_judgments > MOST_DRAWN:
        raise InputError(
            (
                Argument("method", method),
                f" can draw at most {MOST_DRAWN:,} judgments (weights counted), "
                f"got {self.n_judgments:,}",
            ),
            (Argument("method", "bootstrap"), " draws distinct rows, of any weight"),
        )
    with bar(progress, n_resamples, method) as advance:
        means = [np.zeros(self.shares.shape), np.zeros(self.probabilities.shape)]
        squares = [np.zeros_like(mean) for mean in means]
        n_unconverged = 0
        settings = Settings(self.smoothing, self.tolerance, self.max_iterations)
        for i, seed in enumerate(source.spawn(n_resamples)):
            if method == "bootstrap":
                weights = self.problem.weights
                weights = seed.multinomial(int(weights.sum()), weights / weights.sum())
                sizes = len(self.coders), len(self.categories)
                drawn = Problem(self.problem.rows, weights.astype(np.float64), *sizes)
            else:
                drawn = _drawn_judgments(self, self.problem, seed)
            fit = em(drawn, self.fitted, settings, accelerate=False)
            n_unconverged += not fit.converged
            table = fit.state.by_class
            if self.smoothing == 0:
                table[fit.judged <= 0] = NAN
            # Welford (1962): running means, so that no resample is kept
            for j, result in enumerate((fit.state.shares, table)):
                gap = result - means[j]
                means[j] += gap / (i + 1)
                squares[j] += gap * (result - means[j])
            advance(1)
        shares, table = (np.sqrt(square / (n_resamples - 1)) for square in squares)
        n_boundary = at_boundary(self.shares, self.probabilities)
        return StandardErrors(method, shares, table, n_boundary, n_resamples, n_unconverged, None)


def at_boundary(*probabilities: FloatArray) -> int:
    """Count the probabilities near 0 or 1."""
    known = np.concatenate([part.ravel() for part in probabilities])
    return int(np.count_nonzero(np.minimum(known, 1 - known) <= BOUNDARY))


def logit_ends(value: Any, error: Any) -> tuple[FloatArray, FloatArray]:
    """Return 95% intervals of probabilities, from their standard errors on the logit scale."""
    from scipy.special import expit, logit, ndtri

    with np.errstate(all="ignore"):
        half = ndtri(0.975) * np.divide(error, np.multiply(value, np.subtract(1.0, value)))
        low, high = expit(logit(value) - half), expit(logit(value) + half)
    known = np.isfinite(half)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


# ---------------------------------------------------------------------- information


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The free probabilities, and the places of their logits in the information matrix.

    The largest probability of each distribution is the reference of its logits. Probabilities on
    the boundary are fixed.
    """

    classes: Array
    #: For each class, the (coder, category) of its free logits, and their places.
    cells: list[tuple[Array, Array]]
    places: list[Array]
    n: int

    @staticmethod
    def of(shares: FloatArray, table: FloatArray) -> Layout:
        free = shares > BOUNDARY
        free[shares.argmax()] = False
        classes = np.flatnonzero(free)
        n = len(classes)
        cells, places = [], []
        for t in range(len(shares)):
            inside = table[:, t] > BOUNDARY
            inside[np.arange(len(table)), table[:, t].argmax(1)] = False
            coder, category = np.nonzero(inside)
            if shares[t] <= BOUNDARY:
                coder, category = coder[:0], category[:0]
            cells.append((coder, category))
            places.append(np.arange(n, n + len(coder)))
            n += len(coder)
        return Layout(classes, cells, places, n)


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The covariance of the free logits, halfᵀ half, and each coder's expected items by class."""

    layout: Layout
    half: FloatArray
    judged: FloatArray


def curvature(model: LatentModel, problem: Problem) -> Curvature | str:
    """Compute the covariance of a model's estimates, or the reason why there is none."""
    at = model.fitted
    layout = Layout.of(model.shares, np.nan_to_num(model.probabilities, nan=0.0))
    if layout.n > MOST_PARAMETERS:
        return (
            f"too many parameters: {layout.n} make too large an information matrix; use "
            "method='bootstrap'"
        )
    information = observed_information(problem, at, layout, model.smoothing)
    try:
        factor = np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        return (
            "not identified: the information matrix is not positive definite at this estimate; "
            "fit fewer classes, or with smaller tolerance"
        )
    return Curvature(layout, np.linalg.inv(factor), expected_judgments(problem, at))


def expected_judgments(problem: Problem, at: Parameters) -> FloatArray:
    """Compute the expected number of items of each class that each coder judged, (C, T)."""
    rooms = problem.rooms(len(at.shares))
    problem.expect(at, rooms)
    return np.asarray(rooms[0].counts.sum(1))


def _by_information(model: LatentModel, problem: Problem) -> StandardErrors:
    shares, table = model.shares, np.nan_to_num(model.probabilities, nan=0.0)
    errors = np.full(shares.shape, NAN), np.full(table.shape, NAN)
    n_boundary = at_boundary(model.shares, model.probabilities)

    def result(reason: str | None) -> StandardErrors:
        return StandardErrors("information", *errors, n_boundary, 0, 0, reason)

    value = curvature(model, problem)
    if isinstance(value, str):
        return result(value)
    layout, half = value.layout, value.half
    used = np.arange(len(layout.classes))
    _delta(shares, layout.classes, half[:, used], errors[0])
    for t, ((coder, category), places) in enumerate(zip(layout.cells, layout.places, strict=True)):
        for c in np.unique(coder):
            own = coder == c
            _delta(table[c, t], category[own], half[:, places[own]], errors[1][c, t])
    return result(None)


def _delta(p: FloatArray, free: Array, half: FloatArray, out: FloatArray) -> None:
    """Compute standard errors of a distribution from the covariance of its free logits."""
    if not len(free):
        return
    slopes = np.diag(p)[:, free] - np.outer(p, p[free])
    result = np.sqrt(np.square(half @ slopes.T).sum(0))
    inside = p > BOUNDARY
    out[inside] = result[inside]


def observed_information(
    problem: Problem, at: Parameters, layout: Layout, smoothing: float
) -> FloatArray:
    """Compute −∂² ln L (penalised with smoothing) in the free logits: float64 of shape (P, P)."""
    shares, table = at.shares, at.by_class
    T, C, K = len(shares), problem.n_coders, problem.n_categories
    posterior, _ = posteriors(problem.rows, at)
    total = problem.weights.sum()
    out = np.zeros((layout.n, layout.n))
    # complete data: multinomials
    q = shares[layout.classes]
    head = np.arange(len(q))
    out[np.ix_(head, head)] = total * (np.diag(q) - np.outer(q, q))
    judged = expected_judgments(problem, at)
    for t in range(T):
        (coder, category), places = layout.cells[t], layout.places[t]
        p = table[coder, t, category]
        size = judged[coder, t] + smoothing * K
        same = coder[:, None] == coder[None]
        out[np.ix_(places, places)] = size * (np.diag(p) - same * np.outer(p, p))
    # the information lost because classes are not observed
    step = max(1, BLOCK // max(C * K + layout.n, 1))
    for first in range(0, problem.rows.n_rows, step):
        block = range(first, min(first + step, problem.rows.n_rows))
        counts = np.zeros((len(block), C, K))
        np.add.at(counts, judgments_of(cut_rows(problem.rows, block.start, block.stop)), 1.0)
        sizes = counts.sum(2)
        w, post = problem.weights[block], posterior[block]
        mean = np.zeros((len(block), layout.n))
        for t in range(T):
            (coder, category), places = layout.cells[t], layout.places[t]
            score = np.empty((len(block), len(q) + len(places)))
            score[:, : len(q)] = (layout.classes == t) - q
            p = table[coder, t, category]
            score[:, len(q) :] = counts[:, coder, category] - sizes[:, coder] * p
            where = np.concatenate([head, places])
            out[np.ix_(where, where)] -= score.T @ ((w * post[:, t])[:, None] * score)
            mean[:, where] += post[:, t, None] * score
        out += mean.T @ (w[:, None] * mean)
    return out


# ---------------------------------------------------------------------- bootstrap


def _drawn_judgments(model: LatentModel, problem: Problem, rng: np.random.Generator) -> Problem:
    """Draw items from the model, with the same coders as the given items."""
    C, K = problem.n_coders, problem.n_categories
    row = np.repeat(np.arange(problem.rows.n_rows), problem.weights.astype(np.int64))
    truth = rng.choice(model.n_classes, len(row), p=model.shares / model.shares.sum())
    # uniform if a coder never met the class
    bounds = np.cumsum(np.nan_to_num(model.probabilities, nan=1 / K), axis=2)
    bounds[..., -1] = 2.0
    rows = problem.rows
    if rows.width:
        codes = rows.table()[row]
        for c in range(C):
            labels = (rng.random(len(row))[:, None] >= bounds[c, truth]).sum(1)
            codes[:, c] = np.where(codes[:, c] >= 0, labels, -1)
        drawn = as_table(codes, None)
    else:
        sizes = np.diff(rows.start)[row]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        places = np.repeat(rows.start[row] - start[:-1], sizes) + np.arange(start[-1])
        assert rows.coders is not None
        coders = rows.coders[places]
        u = rng.random(len(places))[:, None]
        labels = (u >= bounds[coders, np.repeat(truth, sizes)]).sum(1)
        drawn = Rows(labels.astype(rows.codes.dtype), 0, start, coders)
    rows = patterns(drawn)[0]
    return Problem(rows, weights_of(rows), C, K)

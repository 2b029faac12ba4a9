"""Aickin's alpha: the share of items that two coders agree on for cause (Aickin 1990).

Items are easy or hard. The coders judge hard items independently, the first by the distribution r
and the second by c. Both give an easy item the same category. The models differ in how likely each
category is for an easy item:

- constant predictive probability (Aickin): proportional to r_i c_i. P_ij = (1 − a) r_i c_j +
  a [i = j] r_i c_i / s with s = Σ r_i c_i. So P_ij = (1 − a) r_i c_j t^[i = j] with
  t = 1 + a / ((1 − a) s). This is a log-linear model. Its maximum likelihood reproduces both
  margins and the observed agreement, and a = A_o (1 − 1 / t).
- linear (assumption 4' of Artstein & Poesio 2005, 6.1): proportional to p = r = c. P_ij = (1 − a)
  p_i p_j + a [i = j] p_i, and then a = κ = π.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.latent.em import check_amount
from agreement_fast.latent.models import NAN
from agreement_fast.latent.population import Population, easy_and_hard
from agreement_fast.options import check_choice, check_count
from agreement_fast.patterns import pair_table
from agreement_fast.reading.labels import Categories
from agreement_fast.results import Result
from agreement_fast.tables import DETAILS
from agreement_fast.terminal import number_of

#: Shares below this count as 0: EM approaches the boundary but never reaches it.
NOTHING = 1e-9
#: Two distributions, and t or a.
State = tuple[FloatArray, FloatArray, float]

NO_PAIRS = "no pairs: no item was judged by both coders"
NO_VARIATION = (
    "no variation: both coders used only one category, so easy and hard items look the same"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AickinAlpha(Result):
    """The estimated share of easy items, and the fitted model.

    Attributes
    ----------
    model : {"constant", "linear"}
    value : float
        a, the estimated share of easy items, from 0 to 1; NaN if undefined.
    standard_error : float
        The standard error of the value, from the information matrix. NaN on the boundary (a is 0
        or 1, or the expected count of a cell is 0) and without convergence.
    observed_agreement : float
        A_o, the share of items on which the coders agree.
    first, second : float64 arrays of shape (K,)
        The coders' distributions for hard items; in the linear model, both are the same array.
    expected : float64 array of shape (K, K)
        The fitted contingency table; rows are the first coder's labels.
    categories, coders : tuples of labels
    log_likelihood : float
    trace : float64 array
        The log-likelihood at the start and after each iteration; it never falls.
    n_iterations : int
    converged : bool
    n_items, n_items_dropped : int
        The number of items that both coders judged, and of the other items.
    likelihood_ratio, chi_square, degrees_of_freedom : float
        G² and χ² of the contingency table; with 0 degrees of freedom, the fit cannot be tested.
    note : str or None
        A warning: no convergence, or an estimate on the boundary.
    undefined : str or None
    """

    aside = DETAILS | {"converged", "n_iterations", "log_likelihood"}

    model: str
    value: float
    standard_error: float
    observed_agreement: float
    first: FloatArray
    second: FloatArray
    expected: FloatArray
    categories: Categories
    coders: tuple[Any, ...]
    log_likelihood: float
    trace: FloatArray
    n_iterations: int
    converged: bool
    n_items: int
    n_items_dropped: int
    likelihood_ratio: float
    chi_square: float
    degrees_of_freedom: int
    note: str | None
    undefined: str | None

    def population(self) -> Population:
        """Return the easy and hard items as a population that `simulation.simulate` can draw."""
        if self.undefined is not None:
            raise InputError(f"the model has no estimate to draw from: {self.undefined}")
        return easy_and_hard(
            self.categories, self.value, self.first, self.second, self.model, self.coders
        )

    def __repr__(self) -> str:
        text = (
            f"aickin_alpha({self.model}) = {self.value:.6g}: A_o = {self.observed_agreement:.6g}, "
            f"standard error {self.standard_error:.4g}, {number_of(self.n_items, 'item')}"
        )
        reason = self.undefined or self.note
        return f"<{text}>" if reason is None else f"<{text}; {reason}>"


def aickin_alpha(
    data: Any,
    model: str = "constant",
    *,
    added: float = 0.0,
    tolerance: float = 1e-14,
    max_iterations: int = 20_000,
) -> AickinAlpha:
    """Estimate the share of items on which two coders agree for cause, by maximum likelihood.

    Parameters
    ----------
    data : Annotations of two coders, or a table as `Annotations.from_wide` takes it
        Only items that both coders judged are used. `Annotations.from_contingency` reads a
        contingency table.
    model : {"constant", "linear"}
        Aickin's constant predictive probability (the default), or the linear distribution model of
        Artstein & Poesio.
    added : float, default 0.0
        The number of observations that are added, spread evenly over the cells. They keep empty
        cells from driving the estimate to the boundary. Aickin adds 1.
    tolerance : float, default 1e-14
        Stop if an iteration changes no cell's probability by more than this.
    max_iterations : int, default 20_000
        The largest number of iterations.

    Returns
    -------
    AickinAlpha
        The estimate with its standard error and the fitted model.

    Raises
    ------
    ValueError
        If there are not exactly two coders, or an option is invalid.

    Notes
    -----
    The estimate is by EM. In the constant model, easy items are the same share of every diagonal
    cell, so a step rescales rows, columns and diagonal. In the linear model, both steps have a
    closed form. The smallest value is 0, because the models have no systematic disagreement. The
    cost is O(iterations × K²).

    References
    ----------
    Aickin, M. (1990). Maximum likelihood estimation of agreement in the constant predictive
    probability model, and its relation to Cohen's kappa. Biometrics 46(2), 293-302. Artstein, R., &
    Poesio, M. (2005). Kappa³ = Alpha (or Beta), section 6.1.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import latent
    >>> data = af.Annotations.from_contingency([[20, 5], [10, 15]])
    >>> round(latent.aickin_alpha(data).value, 4)
    0.4142
    """
    check_choice("model", model, tuple(FITS))
    check_amount("added", added)
    check_amount("tolerance", tolerance)
    check_count("max_iterations", max_iterations, 0)
    annotations = as_annotations(data)
    coders = annotations.known_coders("aickin_alpha()")
    if len(coders) != 2:
        raise InputError(
            f"aickin_alpha() compares two coders, got {len(coders)}",
            "data.select(coders=[first, second]) selects two of them",
        )
    K = len(annotations.categories)
    counts = pair_table(annotations.grouped(), 0, 1, K)
    n_items = int(counts.sum())
    used = counts + added / max(K * K, 1)
    undefined = None
    if not n_items:
        undefined = NO_PAIRS
    elif np.count_nonzero(used.sum(0) + used.sum(1)) < 2:
        undefined = NO_VARIATION
    fit = None if undefined else FITS[model](used, tolerance, max_iterations)
    size = used.sum()
    common: dict[str, Any] = {
        "model": model,
        "observed_agreement": float(np.trace(used) / size) if size else NAN,
        "categories": annotations.categories,
        "coders": tuple(coders),
        "n_items": n_items,
        "n_items_dropped": annotations.n_items - n_items,
        "degrees_of_freedom": K * K - 1 - (2 * K - 1 if model == "constant" else K),
        "undefined": undefined,
    }
    if fit is None:
        nothing = np.full(K, NAN)
        return AickinAlpha(
            **common, value=NAN, standard_error=NAN, first=nothing, second=nothing,
            expected=np.full((K, K), NAN), log_likelihood=NAN, trace=np.zeros(0), n_iterations=0,
            converged=False, likelihood_ratio=NAN, chi_square=NAN, note=None,
        )  # fmt: skip
    expected = size * fit.cells
    seen = used > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        terms = np.where(expected > 0, (used - expected) ** 2 / expected, 0.0)
    ratio = 2 * float((used[seen] * np.log(used[seen] / expected[seen])).sum())
    return AickinAlpha(
        **common,
        value=fit.value,
        standard_error=fit.standard_error(size),
        first=fit.first,
        second=fit.second,
        expected=expected,
        log_likelihood=float(fit.trace[-1]),
        trace=fit.trace,
        n_iterations=len(fit.trace) - 1,
        converged=fit.converged,
        likelihood_ratio=max(0.0, ratio),
        chi_square=float(terms.sum()),
        note=_note(fit, tolerance, max_iterations),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """An estimate of one of the models.

    `slopes` are the derivatives of the cells, of shape (K², parameters); `slope` are those of a.
    """

    value: float
    first: FloatArray
    second: FloatArray
    cells: FloatArray
    trace: FloatArray
    converged: bool
    slopes: FloatArray
    slope: FloatArray

    def standard_error(self, n: float) -> float:
        """Compute the standard error from the expected information n Σ (∂P)(∂P)ᵀ / P."""
        P = self.cells.reshape(-1)
        if not self.converged or not NOTHING < self.value < 1 or not (P > NOTHING).all():
            return NAN
        information = n * (self.slopes / P[:, None]).T @ self.slopes
        # the log-linear parameters are redundant, so the matrix is singular
        return float(np.sqrt(self.slope @ np.linalg.pinv(information) @ self.slope))


def _note(fit: _Fit, tolerance: float, max_iterations: int) -> str | None:
    if not fit.converged:
        return (
            f"not converged in {max_iterations} iterations to {tolerance:g}: empty cells may drive "
            "the estimate to the boundary; added=1 keeps it inside"
        )
    if fit.value <= NOTHING:
        return "at the lower bound: the coders agree no more than independent coders would"
    return None


def _climb(
    counts: FloatArray,
    state: State,
    cells_of: Callable[[State], FloatArray],
    step: Callable[[State], State],
    tolerance: float,
    max_iterations: int,
) -> tuple[State, FloatArray, FloatArray, bool]:
    """Repeat a step until no cell changes; return the state, its cells and the log-likelihoods."""
    seen = counts > 0

    def log_likelihood(cells: FloatArray) -> float:
        return float((counts[seen] * np.log(cells[seen])).sum())

    cells = cells_of(state)
    trace, converged = [log_likelihood(cells)], False
    while len(trace) <= max_iterations and not converged:
        state = step(state)
        before, cells = cells, cells_of(state)
        trace.append(log_likelihood(cells))
        converged = bool(np.abs(cells - before).max() <= tolerance)
    return state, cells, np.array(trace), converged


def _constant(counts: FloatArray, tolerance: float, max_iterations: int) -> _Fit:
    """Fit Aickin's model, P_ij = x_i y_j t^[i = j], by rescaling rows, columns and diagonal."""
    n, K = counts.sum(), len(counts)
    rows, columns = counts.sum(1) / n, counts.sum(0) / n
    agreement = float(np.trace(counts) / n)
    diagonal = np.eye(K, dtype=bool)

    def cells_of(state: State) -> FloatArray:
        x, y, t = state
        cells = np.outer(x, y)
        cells[diagonal] *= t
        return cells

    def step(state: State) -> State:
        x, y, t = state
        cells = cells_of(state)
        x = x * _ratio(rows, cells.sum(1))
        cells = cells_of((x, y, t))
        y = y * _ratio(columns, cells.sum(0))
        on, all_in = float(x @ y), float(x.sum() * y.sum())
        off = all_in - on
        # x and t such that the diagonal sums to A_o and the other cells to 1 − A_o
        return x * ((1 - agreement) / off), y, agreement * off / ((1 - agreement) * on)

    if agreement < 1 and (rows * columns).any():
        state, cells, trace, converged = _climb(
            counts, (rows, columns, 1.0), cells_of, step, tolerance, max_iterations
        )
    else:  # the limit of t, at infinity or for an empty diagonal
        state = (rows, columns, np.inf if agreement else 1.0)
        cells = np.diag(rows) if agreement else np.outer(rows, columns)
        found = float((counts[counts > 0] * np.log(cells[counts > 0])).sum())
        trace, converged = np.array([found]), True
    x, y, t = state
    # derivatives of log-linear cells in the logarithms of x, y and t
    marks = np.zeros((K * K, 2 * K + 1))
    marks[np.arange(K * K), np.repeat(np.arange(K), K)] = 1
    marks[np.arange(K * K), K + np.tile(np.arange(K), K)] = 1
    marks[:, -1] = diagonal.reshape(-1)
    P = cells.reshape(-1)
    slopes = P[:, None] * (marks - P @ marks)
    value = agreement * (1 - 1 / t) if t > 0 else 0.0
    slope = np.zeros(2 * K + 1)
    if value > 0:
        slope = (1 - 1 / t) * slopes[diagonal.reshape(-1)].sum(0)
        slope[-1] += agreement / t
    return _Fit(max(0.0, value), x / x.sum(), y / y.sum(), cells, trace, converged, slopes, slope)


def _ratio(target: FloatArray, found: FloatArray) -> FloatArray:
    """Return target / found, and 0 if the target is 0."""
    out: FloatArray = np.divide(target, found, out=np.zeros_like(found), where=target > 0)
    return out


def _linear(counts: FloatArray, tolerance: float, max_iterations: int) -> _Fit:
    """Fit P_ij = (1 − a) p_i p_j + a [i = j] p_i (assumption 4') by EM with closed-form steps."""
    n, K = counts.sum(), len(counts)
    agreed = np.diag(counts)
    used = counts.sum(0) + counts.sum(1)

    def cells_of(state: State) -> FloatArray:
        p, _, a = state
        return (1 - a) * np.outer(p, p) + np.diag(a * p)

    def step(state: State) -> State:
        p, _, a = state
        hard = (1 - a) * p
        easy = agreed * _ratio(np.full(K, a), hard + a) if a > 0 else np.zeros(K)
        # an easy item is one draw from p, a hard item two
        p = (used - easy) / (2 * n - easy.sum())
        return p, p, float(easy.sum() / n)

    p = used / (2 * n)
    state, cells, trace, converged = _climb(
        counts, (p, p, 0.5), cells_of, step, tolerance, max_iterations
    )
    p, _, a = state
    # derivatives in a and in p without its last category, which is 1 minus the others
    slopes = np.empty((K * K, K))
    slopes[:, 0] = (np.diag(p) - np.outer(p, p)).reshape(-1)
    last = np.zeros((K, K))
    last[:, -1] += (1 - a) * p
    last[-1] += (1 - a) * p
    last[-1, -1] += a
    for k in range(K - 1):
        own = np.zeros((K, K))
        own[:, k] += (1 - a) * p
        own[k] += (1 - a) * p
        own[k, k] += a
        slopes[:, k + 1] = (own - last).reshape(-1)
    slope = np.zeros(K)
    slope[0] = 1
    return _Fit(a, p, p, cells, trace, converged, slopes, slope)


#: How to fit each model.
FITS: dict[str, Callable[[FloatArray, float, int], _Fit]] = {
    "constant": _constant,
    "linear": _linear,
}

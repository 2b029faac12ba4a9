"""Aickin's alpha: the share of items that two coders agree on for cause (Aickin 1990).

Items are easy or hard. Hard ones are judged independently, by distributions r of the first coder
and c of the second; both coders give an easy one the same category. Which one:

- constant predictive probability (Aickin's): in proportion to r_i c_i. P_ij = (1 − a) r_i c_j +
  a [i = j] r_i c_i / s with s = Σ r_i c_i. So P_ij = (1 − a) r_i c_j t^[i = j] with
  t = 1 + a / ((1 − a) s), a log-linear model whose maximum likelihood reproduces both margins and
  the observed agreement, and a = A_o (1 − 1 / t).
- linear (assumption 4' of Artstein & Poesio 2005, 6.1): in proportion to p = r = c. P_ij = (1 − a)
  p_i p_j + a [i = j] p_i, under which a = κ = π.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.contingency import pair_table
from agreement_fast.errors import InputError
from agreement_fast.latent.models import NAN
from agreement_fast.latent.options import check_amount
from agreement_fast.latent.population import Population, easy_and_hard
from agreement_fast.options import check_choice, check_count
from agreement_fast.reading.labels import Categories
from agreement_fast.results import Result
from agreement_fast.tables import DETAILS
from agreement_fast.terminal import number_of

#: Shares below this are 0 to EM, which approaches the boundary and never reaches it.
NOTHING = 1e-9
#: Two distributions, and t or a.
State = tuple[FloatArray, FloatArray, float]

NO_PAIRS = "no pairs: no item was judged by both coders"
NO_VARIATION = (
    "no variation: both coders used one category only, so easy items cannot be told from hard ones"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AickinAlpha(Result):
    """The share of easy items, a float, and what it was estimated from.

    Attributes
    ----------
    model : {"constant", "linear"}
    value : float
        a, the estimated share of easy items, 0 to 1; NaN where undefined.
    standard_error : float
        From the information matrix; NaN on the boundary (a is 0 or 1, a cell is expected to stay
        empty) and without convergence.
    observed_agreement : float
        A_o.
    first, second : float64 arrays of shape (K,)
        The coders' distributions for hard items, the same array twice in the linear model.
    expected : float64 array of shape (K, K)
        The fitted contingency table, rows the first coder's.
    categories, coders : tuples of labels
    log_likelihood : float
    trace : float64 array
        The log-likelihood at the start and after each iteration; it never falls.
    n_iterations : int
    converged : bool
    n_items, n_items_dropped : int
        Items that both coders judged, and the others.
    likelihood_ratio, chi_square, degrees_of_freedom : float
        Fit to the contingency table; without degrees of freedom there is nothing to test.
    note : str or None
        What to know: no convergence, or an estimate on the boundary.
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
        """Its easy and hard items, from which `simulation.simulate` draws."""
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
        Items that both judged count. `Annotations.from_contingency` reads a contingency table.
    model : {"constant", "linear"}
        Aickin's constant predictive probability, or the linear distribution model of Artstein &
        Poesio.
    added : float
        So many observations are spread evenly over the cells, which keeps empty ones from driving
        the estimate to the boundary. Aickin adds 1.
    tolerance : float
        Stop where an iteration changes no cell's probability by more.
    max_iterations : int

    Returns
    -------
    AickinAlpha

    Raises
    ------
    ValueError
        More or fewer than two coders.

    Notes
    -----
    EM: for the constant model easy items are the same share of every diagonal cell, so that a step
    is a rescaling of rows, columns and diagonal; for the linear model both steps are closed. 0 is
    the least value, as the model knows no systematic disagreement. O(iterations × K²).

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
            f"aickin_alpha() compares two coders, and there are {len(coders)}",
            "data.select(coders=[first, second]) takes two of them",
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
    """An estimate of either model.

    `slopes` are the derivatives of the cells, of shape (K², parameters), `slope` those of a.
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
        """From the expected information n Σ (∂P)(∂P)ᵀ / P."""
        P = self.cells.reshape(-1)
        if not self.converged or not NOTHING < self.value < 1 or not (P > NOTHING).all():
            return NAN
        information = n * (self.slopes / P[:, None]).T @ self.slopes
        # the log-linear form has directions that change nothing
        return float(np.sqrt(self.slope @ np.linalg.pinv(information) @ self.slope))


def _note(fit: _Fit, tolerance: float, max_iterations: int) -> str | None:
    if not fit.converged:
        return (
            f"not converged in {max_iterations} iterations to {tolerance:g}: empty cells may drive "
            "the estimate to the boundary; added=1 keeps it inside"
        )
    if fit.value <= NOTHING:
        return "at the lower bound: coders agree no more than independent ones would"
    return None


def _climb(
    counts: FloatArray,
    state: State,
    cells_of: Callable[[State], FloatArray],
    step: Callable[[State], State],
    tolerance: float,
    max_iterations: int,
) -> tuple[State, FloatArray, FloatArray, bool]:
    """Repeat a step until no cell changes; the last state, its cells, the log-likelihoods."""
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
    """Aickin's model: P_ij = x_i y_j t^[i = j], by rescaling rows, columns and diagonal."""
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
        # x and t so that the diagonal holds A_o, and the rest the rest
        return x * ((1 - agreement) / off), y, agreement * off / ((1 - agreement) * on)

    if agreement < 1 and (rows * columns).any():
        state, cells, trace, converged = _climb(
            counts, (rows, columns, 1.0), cells_of, step, tolerance, max_iterations
        )
    else:  # the limit of t, at infinity or where the diagonal holds nothing
        state = (rows, columns, np.inf if agreement else 1.0)
        cells = np.diag(rows) if agreement else np.outer(rows, columns)
        found = float((counts[counts > 0] * np.log(cells[counts > 0])).sum())
        trace, converged = np.array([found]), True
    x, y, t = state
    # derivatives of log-linear cells by the logarithms of x, y and t
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


def _ratio(wanted: FloatArray, found: FloatArray) -> FloatArray:
    """wanted / found; 0 where nothing is wanted."""
    out: FloatArray = np.divide(wanted, found, out=np.zeros_like(found), where=wanted > 0)
    return out


def _linear(counts: FloatArray, tolerance: float, max_iterations: int) -> _Fit:
    """Assumption 4': P_ij = (1 − a) p_i p_j + a [i = j] p_i, by EM in closed steps."""
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
        # an easy item shows one draw from p, a hard one two
        p = (used - easy) / (2 * n - easy.sum())
        return p, p, float(easy.sum() / n)

    p = used / (2 * n)
    state, cells, trace, converged = _climb(
        counts, (p, p, 0.5), cells_of, step, tolerance, max_iterations
    )
    p, _, a = state
    # derivatives by a and by p without its last category, whose share is the rest
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

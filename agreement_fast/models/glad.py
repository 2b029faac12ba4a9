"""GLAD: how able each coder is, and how difficult each item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.models.em import Judgments, check_amount, weights_of
from agreement_fast.options import check_count
from agreement_fast.patterns import coder_of, row_of
from agreement_fast.present.tables import Aligned, Table, in_columns
from agreement_fast.reading.labels import Categories

#: Coders that are printed.
SHOWN = 10

#: The mean of the priors of abilities and of logarithms of easiness, whose standard deviation is 1.
CENTRE = 1.0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Glad(Aligned):
    """Abilities of the coders and difficulties of the items, estimated by GLAD.

    Attributes
    ----------
    coders, categories, items : sequences of labels
    ability : float64 array of shape (C,)
        α: 0 guesses, above 0 is right more often, below 0 is wrong more often than by guessing.
    n_judgments : int64 array of shape (C,)
        Judgments of each coder, counted with the items' weights.
    difficulty : float64 array of shape (N,)
        1/β, from 0 to infinity: the larger it is, the less ability matters, and on the most
        difficult items everybody guesses.
    posterior : float64 array of shape (N, K)
        P(label | judgments). All labels are equally probable for an item without judgments.
    log_likelihood : float
        Of the judgments, natural logarithm.
    objective : float
        The log-likelihood plus the logarithms of the priors' densities.
    n_iterations : int
    converged : bool
    undefined : None
        GLAD has an estimate, or raises an error.

    Notes
    -----
    Coder c gives the right label of item i with the probability σ(α_c β_i), β_i > 0, and each wrong
    one with the same. All labels are equally probable before. As in the paper, α_c and ln β_i have
    normal priors of mean 1 and standard deviation 1, without which items on which all agree would
    be infinitely easy. The mode of the posterior density is found by L-BFGS, with derivatives by
    Fisher's identity; from equal abilities, so that a majority decides which of the two mirror
    images of abilities is meant. An item with few judgments says little about its difficulty: its
    estimate stays near the prior.

    References
    ----------
    Whitehill, J., Ruvolo, P., Wu, T., Bergsma, J., & Movellan, J. (2009). Whose vote should count
    more: optimal integration of labels from labelers of unknown expertise. Advances in Neural
    Information Processing Systems 22, 2035-2043.

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [("x", "x", "y"), ("y", "y", "y"), ("x", "x", "x"), ("y", "x", "x")] * 5
    >>> model = aggregate(table, "glad").model
    >>> model.ability.round(2).tolist(), model.by_item().columns()["label"][:2]
    ([0.57, 1.24, 0.57], ['x', 'x'])
    """

    coders: Sequence[Any]
    categories: Categories
    items: Sequence[Any]
    ability: FloatArray
    n_judgments: Array
    difficulty: FloatArray
    posterior: FloatArray
    log_likelihood: float
    objective: float
    n_iterations: int
    converged: bool
    undefined: None = None

    _column_names = "coder=coders ability n_judgments"

    def by_item(self) -> Table:
        """Return the most probable label of each item, with its probability and difficulty.

        Returns
        -------
        Table
            The columns are item, label, confidence and difficulty, the most difficult item first.
        """
        order = np.argsort(-self.difficulty, kind="stable")
        best = self.posterior.argmax(1)[order]
        return Table(
            {
                "item": [self.items[i] for i in order.tolist()],
                "label": [self.categories[k] for k in best.tolist()],
                "confidence": self.posterior.max(1)[order],
                "difficulty": self.difficulty[order],
            }
        )

    def __repr__(self) -> str:
        state = "" if self.converged else ", NOT CONVERGED"
        return (
            f"<Glad: {len(self.coders)} coders, {len(self.items)} items, log-likelihood "
            f"{self.log_likelihood:.6g}, {self.n_iterations} iterations{state}>"
        )

    def __str__(self) -> str:
        """Show the least able coders; `by_item` has the items."""
        order = np.argsort(self.ability, kind="stable")[:SHOWN].tolist()
        layout = "coder | ability | judgments = n_judgments"
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def fit_glad(judgments: Judgments, *, tolerance: float, max_iterations: int) -> Glad:
    """Find the mode of the posterior density; O(iterations × (judgments + items × labels))."""
    from scipy.optimize import minimize

    check_amount("tolerance", tolerance)
    check_count("max_iterations", max_iterations, 1)
    problem = _Problem(judgments)
    if problem.n_categories < 2:
        raise InputError(
            f"GLAD needs two labels or more, got {problem.n_categories}",
            "name all categories",
            argument="categories",
        )
    start = np.full(problem.n_coders + problem.n_items, CENTRE)
    best: Any = minimize(  # type: ignore[call-overload]
        lambda at: problem.lost(at)[:2],
        start,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iterations, "gtol": tolerance, "ftol": 0.0, "maxfun": 10**9},
    )
    lost, slopes, posterior, log_likelihood = problem.lost(best.x)
    alpha, log_beta = problem.split(best.x)
    n_judgments = np.bincount(problem.coder, problem.weight[problem.item], problem.n_coders)
    return Glad(
        coders=judgments.coders,
        categories=judgments.categories,
        items=judgments.items,
        ability=np.where(n_judgments > 0, alpha, np.nan),
        n_judgments=n_judgments.astype(np.int64),
        difficulty=np.exp(-log_beta),
        posterior=posterior,
        log_likelihood=log_likelihood,
        objective=-lost,
        n_iterations=int(best.nit),
        converged=bool(np.abs(slopes).max(initial=0.0) <= 100 * tolerance),
    )


class _Problem:
    """The judgments as arrays, and the objective."""

    def __init__(self, judgments: Judgments) -> None:
        rows = judgments.rows
        where = np.flatnonzero(rows.codes >= 0)
        self.item, self.coder = row_of(rows, where), coder_of(rows, where)
        self.label = rows.codes[where].astype(np.int64)
        self.weight = weights_of(rows)
        self.n_items, self.n_coders = rows.n_rows, len(judgments.coders)
        self.n_categories = len(judgments.categories)

    def split(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the abilities, and the logarithms of the items' easiness β."""
        return at[: self.n_coders], at[self.n_coders :]

    def lost(self, at: FloatArray) -> tuple[float, FloatArray, FloatArray, float]:
        """Return minus the objective, its derivatives, the posterior and the log-likelihood."""
        alpha, log_beta = self.split(at)
        beta = np.exp(log_beta)[self.item]
        x = alpha[self.coder] * beta
        # ln σ(x) and ln (1 − σ(x)) / (K − 1)
        right = -np.logaddexp(0, -x)
        wrong = -np.logaddexp(0, x) - np.log(self.n_categories - 1)
        cell = self.item * self.n_categories + self.label
        shape = (self.n_items, self.n_categories)
        scores = np.bincount(cell, right - wrong, self.n_items * self.n_categories).reshape(shape)
        most = scores.max(1, keepdims=True)
        shares = np.exp(scores - most)
        total = shares.sum(1, keepdims=True)
        posterior = shares / total
        every = np.bincount(self.item, wrong, self.n_items)
        of_items = every + most[:, 0] + np.log(total[:, 0]) - np.log(self.n_categories)
        log_likelihood = float(self.weight @ of_items)
        gap = self.weight[self.item] * (posterior.reshape(-1)[cell] - np.exp(right)) * beta
        of_alpha = np.bincount(self.coder, gap, self.n_coders) - (alpha - CENTRE)
        of_beta = np.bincount(self.item, gap * alpha[self.coder], self.n_items) - self.weight * (
            log_beta - CENTRE
        )
        prior = ((alpha - CENTRE) ** 2).sum() + self.weight @ (log_beta - CENTRE) ** 2
        prior += (self.n_coders + self.weight.sum()) * np.log(2 * np.pi)
        objective = log_likelihood - float(prior) / 2
        return -objective, -np.concatenate([of_alpha, of_beta]), posterior, log_likelihood

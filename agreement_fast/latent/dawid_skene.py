"""The model of Dawid & Skene (1979): true labels, and a confusion matrix for each coder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent.em import Fit, Parameters, em, maximise
from agreement_fast.latent.judgments import as_judgments, check_options
from agreement_fast.latent.models import LatentModel, fields, n_best, prepare
from agreement_fast.options import bar, generator


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DawidSkene(LatentModel):
    """Class shares, confusion matrices and true labels by Dawid & Skene (1979).

    The latent classes are the categories, so T = K. See `LatentModel` for the attributes.
    """

    @property
    def confusion(self) -> FloatArray:
        """P(coder c says l | the item is a k): float64 of shape (C, K, K), rows are true labels.

        `confusion_of` returns the matrix of one coder, with names.
        """
        return self.probabilities

    @property
    def labels(self) -> Array:
        """The most probable label of each item (MAP), in item order: object array of shape (N,).

        If several are equally probable, the first in the order of the categories; None if the
        posterior is NaN.
        """
        out = np.empty(len(self.items), object)
        if self.undefined is None:
            names = np.empty(len(self.categories) + 1, object)  # the last entry is None
            names[:-1] = list(self.categories)
            out[:] = names[self.modal_classes]
        return out

    def classes_of(self, category: int) -> list[int]:
        """Return the class of a category, given by its place."""
        return [category]

    def _truth(self) -> Sequence[Any]:
        return tuple(self.categories)

    def _class_title(self) -> str:
        return "label"

    def _class_values(self) -> list[Any]:
        return list(self.categories)

    def _class_names(self) -> list[str]:
        return [f"true {label!r}" for label in self.categories]


def dawid_skene(
    data: Any,
    *,
    smoothing: float = 0.0,
    tolerance: float = 1e-10,
    max_iterations: int = 1000,
    accelerate: bool = False,
    n_restarts: int = 0,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
) -> DawidSkene:
    """Estimate true labels and each coder's errors from judgments alone.

    Parameters
    ----------
    data : Annotations, Judgments, or a table as `Annotations.from_wide` takes it
        Pass `Judgments` if coders judged an item several times. Missing judgments are assumed to
        be missing at random.
    smoothing : float, default 0.0
        Number added to every count of a confusion matrix. The estimate is then the posterior mode
        under a Dirichlet(1 + smoothing) prior. 0 is maximum likelihood, as published. If coders
        have few judgments, 0.01 to 0.1 keeps a single judgment from excluding a label for good.
        The total added to a coder, smoothing · K², should be small relative to the number of their
        judgments.
    tolerance : float, default 1e-10
        Stop if a step of EM raises the log-likelihood by at most this share of it.
    max_iterations : int, default 1000
        The largest number of E-steps after the start.
    accelerate : bool, default False
        Whether to extrapolate between the steps of EM, which takes a third to a half of the
        iterations. Near a saddle of the likelihood, this may stop at a point that plain EM would
        leave; compare `log_likelihood`.
    n_restarts : int, default 0
        The number of further starts, each halfway between the votes and random matrices. The best
        fit is returned.
    rng : int or numpy Generator, optional
        Seed or generator of the restarts. The same seed gives the same model.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DawidSkene
        The fitted model.

    Raises
    ------
    ValueError
        If coders are unknown, a table of coders × categories² does not fit in memory, or an
        option is invalid.

    Notes
    -----
    At the first start, the posterior of an item is its shares of labels, as in Dawid & Skene's
    equation 3.1. This also ties classes to categories. The cost is O(iterations × judgments of the
    distinct rows × K), after one pass over the items.

    Acceleration is SQUAREM (Varadhan & Roland 2008), with a step length for each distribution and
    with square roots of probabilities as coordinates, so that every point is valid. It starts when
    a step raises the log-likelihood by less than a ten-thousandth of it, so that plain EM chooses
    the maximum to climb. A point that lowers the log-likelihood is rejected.

    References
    ----------
    Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using
    the EM algorithm. Applied Statistics 28(1), 20-28. https://doi.org/10.2307/2346806 Varadhan, R.,
    & Roland, C. (2008). Simple and globally convergent methods for accelerating the convergence of
    any EM algorithm. Scandinavian Journal of Statistics 35(2), 335-353.

    Examples
    --------
    >>> from agreement_fast import latent
    >>> model = latent.dawid_skene([[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 2, 2]])
    >>> model.labels.tolist()
    [1, 1, 2, 2, 2]
    >>> model.shares.round(2).tolist()
    [0.4, 0.6]
    """
    check_options(smoothing, tolerance, max_iterations, n_restarts)
    source = generator(rng)
    judgments = as_judgments(data, "dawid_skene()")
    K = len(judgments.categories)
    problem, distinct = prepare(judgments, K)
    best: Fit | None = None
    reached: list[float] = []
    if problem is not None:
        start = maximise(problem.vote(), smoothing)
        seeds = source.spawn(n_restarts)
        with bar(progress, (n_restarts + 1) * max_iterations, "Dawid-Skene") as advance:
            for seed in [None, *seeds]:
                at = Parameters(start.shares.copy(), start.table.copy())
                fit = em(
                    problem,
                    at if seed is None else shaken(at, seed),
                    smoothing=smoothing,
                    tolerance=tolerance,
                    max_iterations=max_iterations,
                    accelerate=accelerate,
                    advance=advance,
                )
                advance(max_iterations - fit.n_iterations)
                reached.append(fit.penalised)
                if best is None or fit.penalised > best.penalised:
                    best = fit
    return DawidSkene(
        **fields(
            judgments,
            problem,
            distinct,
            best,
            n_classes=K,
            smoothing=smoothing,
            tolerance=tolerance,
            max_iterations=max_iterations,
            n_starts=n_restarts + 1,
            n_best_starts=n_best(reached),
        )
    )


def shaken(at: Parameters, rng: np.random.Generator) -> Parameters:
    """Return parameters halfway between the given and random ones."""
    table = at.by_class
    C, T, K = table.shape
    random = rng.dirichlet(np.ones(K), (C, T))
    shares = 0.5 * at.shares + 0.5 * rng.dirichlet(np.ones(T))
    return Parameters.of(shares, 0.5 * table + 0.5 * random)

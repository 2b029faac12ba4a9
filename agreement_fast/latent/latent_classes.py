"""Latent class analysis: unnamed classes (Goodman 1974; Uebersax & Grove 1990)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent.em import (
    Fit,
    Judgments,
    Parameters,
    Problem,
    Settings,
    as_judgments,
    best_of,
    em,
    maximise,
)
from agreement_fast.latent.models import LatentModel, fields, prepare
from agreement_fast.options import bar, check_choice, check_count, check_share, generator
from agreement_fast.tables import ResultTable, of_each
from agreement_fast.terminal import align


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
    settings = Settings.of(smoothing, tolerance, max_iterations, n_restarts)
    source = generator(rng)
    judgments = as_judgments(data, "dawid_skene()")
    K = len(judgments.categories)
    problem, distinct = prepare(judgments, K)
    best, n_best = None, 0
    if problem is not None:
        start = maximise(problem.vote(), smoothing)
        seeds = source.spawn(n_restarts)
        with bar(progress, (n_restarts + 1) * max_iterations, "Dawid-Skene") as advance:

            def fits(problem: Problem) -> Iterator[Fit]:
                for seed in [None, *seeds]:
                    at = Parameters(start.shares.copy(), start.table.copy())
                    at = at if seed is None else shaken(at, seed)
                    fit = em(problem, at, settings, accelerate=accelerate, advance=advance)
                    advance(max_iterations - fit.n_iterations)
                    yield fit

            best, n_best = best_of(fits(problem))
    return DawidSkene(
        **fields(judgments, problem, distinct, best, K, settings, n_restarts + 1, n_best)
    )


def shaken(at: Parameters, rng: np.random.Generator) -> Parameters:
    """Return parameters halfway between the given and random ones."""
    table = at.by_class
    C, T, K = table.shape
    random = rng.dirichlet(np.ones(K), (C, T))
    shares = 0.5 * at.shares + 0.5 * rng.dirichlet(np.ones(T))
    return Parameters.of(shares, 0.5 * table + 0.5 * random)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LatentClasses(LatentModel):
    """T latent classes, largest first. See `LatentModel` for the attributes."""

    def classes_of(self, category: int) -> list[int]:
        """Return the classes to which coders most often give a category, given by its place."""
        label = self.categories[category]
        return [t for t, found in enumerate(self.class_categories) if found == label]


def latent_classes(
    data: Any,
    n_classes: int = 2,
    *,
    smoothing: float = 0.0,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
    n_starts: int = 20,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
) -> LatentClasses:
    """Fit latent classes to judgments.

    Parameters
    ----------
    data : Annotations, Judgments, or a table as `Annotations.from_wide` takes it
        Missing judgments are assumed to be missing at random.
    n_classes : int, default 2
        The number of classes T; it may differ from the number of categories.
    smoothing : float, default 0.0
        Number added to every count of a coder's probabilities. The estimate is then the posterior
        mode under a Dirichlet(1 + smoothing) prior. 0 is maximum likelihood.
    tolerance : float, default 1e-12
        Stop if a step of EM raises the log-likelihood by at most this share of it.
    max_iterations : int, default 10_000
        The largest number of E-steps of each start.
    n_starts : int, default 20
        The number of random starts. The likelihood has local maxima; the best fit is returned, and
        ``n_best_starts`` says how many starts reached it.
    rng : int or numpy Generator, optional
        Seed or generator of the starts. The same seed gives the same model.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    LatentClasses
        The fitted model.

    Raises
    ------
    ValueError
        If coders are unknown or an option is invalid.

    Notes
    -----
    Each start has equal shares and uniformly drawn probabilities. Classes are sorted by decreasing
    share, because their numbers have no meaning. EM is accelerated by SQUAREM (Varadhan & Roland
    2008). The cost is O(starts × iterations × judgments of the distinct rows × T).

    References
    ----------
    Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61(2), 215-231. Uebersax, J. S., & Grove, W. M. (1990). Latent
    class analysis of diagnostic agreement. Statistics in Medicine 9, 559-572. Artstein & Poesio
    2005, section 6.2.

    Examples
    --------
    >>> from agreement_fast import latent
    >>> data = [[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 1, 2], [1, 1, 1], [2, 2, 2]]
    >>> model = latent.latent_classes(data, 2, rng=1)
    >>> model.class_categories
    (2, 1)
    """
    check_count("n_classes", n_classes, 1)
    check_count("n_starts", n_starts, 1)
    settings = Settings.of(smoothing, tolerance, max_iterations)
    source = generator(rng)
    judgments = as_judgments(data, "latent_classes()")
    problem, distinct = prepare(judgments, n_classes)
    with bar(progress, n_starts, f"{n_classes} classes") as advance:
        return _fit(judgments, problem, distinct, n_classes, settings, n_starts, source, advance)


def _fit(
    judgments: Judgments,
    problem: Problem | None,
    distinct: bool,
    n_classes: int,
    settings: Settings,
    n_starts: int,
    rng: np.random.Generator,
    advance: Callable[[int], Any],
) -> LatentClasses:
    best, n_best = None, 0
    n_starts = 1 if n_classes == 1 else n_starts
    if problem is not None:

        def fits(problem: Problem) -> Iterator[Fit]:
            for seed in rng.spawn(n_starts):
                shape = (problem.n_coders, n_classes)
                table = seed.dirichlet(np.ones(problem.n_categories), shape)
                start = Parameters.of(np.full(n_classes, 1 / n_classes), table)
                yield em(problem, start, settings, accelerate=True)
                advance(1)

        best, n_best = best_of(fits(problem))
    best = None if best is None else _largest_first(best)
    return LatentClasses(
        **fields(judgments, problem, distinct, best, n_classes, settings, n_starts, n_best)
    )


def _largest_first(fit: Fit) -> Fit:
    """Sort the classes by decreasing share, and equal shares by the first coder's labels."""
    at = fit.parameters
    order = np.lexsort((-at.table[0, 0], -at.shares.round(12)))
    table = np.ascontiguousarray(at.table[:, :, order])
    return Fit(
        Parameters(at.shares[order], table),
        fit.judged[:, order],
        fit.log_likelihood,
        fit.trace,
        fit.converged,
    )


class ClassChoice(ResultTable[LatentClasses]):
    """Models with 1, 2, ... classes, and the chosen one.

    Attributes
    ----------
    models : tuple of LatentClasses
    criterion : {"bic", "aic", "fit"}
    best : LatentClasses or None
    undefined : str or None
        Why none was chosen.
    """

    def __init__(
        self,
        models: Iterable[LatentClasses],
        criterion: str,
        best: LatentClasses | None,
        undefined: str | None,
    ) -> None:
        super().__init__(models)
        self.models, self.criterion = self._rows, criterion
        self.best, self.undefined = best, undefined

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row per model."""
        names = (
            "n_classes n_parameters log_likelihood aic bic likelihood_ratio degrees_of_freedom "
            "p_value converged"
        )
        return {**of_each(self, names), "chosen": [model is self.best for model in self]}

    def __repr__(self) -> str:
        chosen = self.undefined if self.best is None else f"{self.best.n_classes} classes"
        return f"<ClassChoice of 1 to {len(self)} by {self.criterion}: {chosen}>"

    def __str__(self) -> str:
        head = ("classes", "log-likelihood", "parameters", "AIC", "BIC", "G²", "df", "p")
        lines = [
            (
                f"{m.n_classes}{' *' if m is self.best else ''}",
                f"{m.log_likelihood:.4f}",
                str(m.n_parameters),
                f"{m.aic:.2f}",
                f"{m.bic:.2f}",
                f"{m.likelihood_ratio:.4f}",
                "-" if m.degrees_of_freedom < 0 else f"{m.degrees_of_freedom:.0f}",
                "-" if math.isnan(m.p_value) else f"{m.p_value:.4f}",
            )
            for m in self.models
        ]
        shown = align(head, lines, "<" * len(head), indent="")
        return "\n".join([*shown, f"* chosen by {self.criterion}" if self.best else repr(self)])


CRITERIA = ("bic", "aic", "fit")


def choose_classes(
    data: Any,
    max_classes: int = 5,
    *,
    criterion: str = "bic",
    significance: float = 0.05,
    smoothing: float = 0.0,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
    n_starts: int = 20,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
) -> ClassChoice:
    """Fit models with 1 to `max_classes` latent classes, and choose one.

    Parameters
    ----------
    data : Annotations, Judgments, or a table as `Annotations.from_wide` takes it
        Missing judgments are assumed to be missing at random.
    max_classes : int, default 5
        The largest number of classes.
    criterion : {"bic", "aic", "fit"}
        Choose the lowest BIC (the default), the lowest AIC, or the fewest classes that the
        likelihood ratio G² does not reject. "fit" needs complete data and expected counts that are
        not tiny. Models that complete data do not identify (negative degrees of freedom) are never
        chosen.
    significance : float, default 0.05
        The significance level of ``"fit"``.
    smoothing : float, default 0.0
        Number added to every count of a coder's probabilities; 0 is maximum likelihood.
    tolerance : float, default 1e-12
        Stop if a step of EM raises the log-likelihood by at most this share of it.
    max_iterations : int, default 10_000
        The largest number of E-steps of each start.
    n_starts : int, default 20
        The number of random starts of each model.
    rng : int or numpy Generator, optional
        Seed or generator of the starts. The same seed gives the same models.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    ClassChoice
        All models, and the chosen one in ``best``.

    Raises
    ------
    ValueError
        If coders are unknown or an option is invalid.

    Examples
    --------
    >>> from agreement_fast import latent
    >>> choice = latent.choose_classes([[1, 1, 1]] * 20 + [[2, 2, 2]] * 20, 3, rng=1)
    >>> choice.best.n_classes
    2
    """
    check_choice("criterion", criterion, CRITERIA)
    check_share("significance", significance)
    check_count("max_classes", max_classes, 1)
    check_count("n_starts", n_starts, 1)
    settings = Settings.of(smoothing, tolerance, max_iterations)
    source = generator(rng)
    judgments = as_judgments(data, "choose_classes()")
    problem, distinct = prepare(judgments, max_classes)
    with bar(progress, (max_classes - 1) * n_starts + 1, "latent classes") as advance:
        models = tuple(
            _fit(judgments, problem, distinct, T, settings, n_starts, source, advance)
            for T in range(1, max_classes + 1)
        )
    best, reason = _choose(models, criterion, significance)
    return ClassChoice(models, criterion, best, reason)


def _choose(
    models: Sequence[LatentClasses], criterion: str, significance: float
) -> tuple[LatentClasses | None, str | None]:
    if models[0].undefined is not None:
        return None, models[0].undefined
    if criterion != "fit":
        # many models with more parameters than cells fit equally well
        models = [m for m in models if not m.degrees_of_freedom < 0]
        return min(models, key=lambda m: float(getattr(m, criterion))), None
    if models[0].fit_undefined is not None:
        return None, models[0].fit_undefined
    for model in models:
        p = model.p_value
        if not math.isnan(p) and p >= significance:
            return model, None
    return None, f"no fit: every model is rejected at {significance:g}, or cannot be tested"

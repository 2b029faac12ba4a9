"""Models of the coders with latent classes: Dawid & Skene, latent class analysis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions
from agreement_fast.models import accuracy as rates
from agreement_fast.models import uncertainty
from agreement_fast.models.em import (
    Fit,
    Judgments,
    Model,
    Parameters,
    Problem,
    Settings,
    as_judgments,
    best_of,
    check_size,
    climb,
    em,
    from_starts,
    maximise,
    never_errs,
    patterns,
    posteriors,
    weights_of,
    with_gold_coder,
)
from agreement_fast.models.population import Population, estimated
from agreement_fast.models.uncertainty import (
    NAN,
    Likelihood,
    StandardErrors,
    at_boundary,
    logit_ends,
)
from agreement_fast.options import (
    Seed,
    bar,
    check_choice,
    check_count,
    check_share,
    generator,
)
from agreement_fast.patterns import row_sizes
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import Block, Full, Rows, Section, Verbatim
from agreement_fast.present.tables import (
    Matrix,
    ResultTable,
    html_of,
    of_each,
    unlike,
)
from agreement_fast.present.terminal import counted, show_label, spell_label
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.tables import name_place

#: Coders whose probabilities are shown, and classes for which an answer has one.
SHOWN = 12
FEW = 3

NO_JUDGMENTS = "no judgments: there are no data to estimate from"
INCOMPLETE = (
    "incomplete: G² and χ² compare the counts of all possible rows, so every coder must judge "
    "every item once"
)
TOO_MANY = "too many cells: the number of possible rows exceeds 64 bits, and nearly all are empty"


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class LatentModel(Presented, Likelihood):
    """A fitted model of latent classes, given which coders judge independently.

    Attributes
    ----------
    shares : float64 array of shape (T,)
        The share of each class among the items.
    probabilities : float64 array of shape (C, T, K)
        P(coder c says k | class t). A row is NaN if `smoothing` is 0 and the coder judged no item
        that may belong to the class.
    coders, categories : sequences of labels
    log_likelihood : float
        The natural logarithm of the likelihood of the judgments.
    trace : float64 array of shape (n_iterations + 1,)
        The objective of EM at the start and after each iteration; it never falls. The objective is
        the log-likelihood, penalised if there is `smoothing`. A rejected iteration, whose result
        was lower, repeats the previous value.
    n_iterations : int
        The number of E-steps of the best start after the first, including rejected ones.
    converged : bool
        Whether the last iteration raised the log-likelihood by less than the tolerance.
    n_starts : int
        The number of starts.
    n_best_starts : int
        The number of starts that reached the maximum (within 1e-6 of it; for Dawid & Skene within
        a millionth of its share, before the best start went on to the tolerance).
    smoothing, tolerance : float
        The values that were passed.
    max_iterations : int
        The value that was passed.
    problem : Problem or None
        The data the model was fitted to, for the package's own use; None if there are none.
    n_items : int
        The number of items with a judgment, weights counted. The model was fitted to these.
    n_items_dropped : int
        The number of items without any judgment.
    n_judgments : int
    n_parameters : int
        The number of free probabilities: T − 1 shares, and T (K − 1) for each coder who judged.
    likelihood_ratio, chi_square : float
        G² = 2 Σ O ln (O / E) and χ² = Σ (O − E)² / E over all K^C possible rows; NaN unless every
        coder judged every item once (see `fit_undefined`).
    degrees_of_freedom : float
        K^C − 1 − n_parameters; NaN if G² is.
    fit_undefined : str or None
        Why there is no G².
    notes : tuple of str
        Warnings: no convergence, empty classes, categories and coders without judgments.
    undefined : str or None
        Why there is no estimate.
    """

    _caption = (
        "{type}: {n_classes:class}, {coders:coder}, {n_items:item}[, log-likelihood "
        "{log_likelihood}, {n_iterations:iteration}][, NOT CONVERGED{converged!}]"
    )
    _remarks = "undefined"

    title: ClassVar[str] = "Latent classes"

    shares: FloatArray
    probabilities: FloatArray
    coders: Sequence[Any]
    categories: Categories
    log_likelihood: float = NAN
    trace: FloatArray = field(default_factory=lambda: np.zeros(0))
    n_iterations: int = 0
    converged: bool = False
    n_starts: int
    n_best_starts: int
    smoothing: float
    n_items: int = 0
    n_items_dropped: int
    n_judgments: int = 0
    n_parameters: int = 0
    likelihood_ratio: float = NAN
    chi_square: float = NAN
    degrees_of_freedom: float = NAN
    fit_undefined: str | None = NO_JUDGMENTS
    notes: tuple[str, ...] = ()
    undefined: str | None = NO_JUDGMENTS
    _judgments: Judgments
    problem: Problem | None
    tolerance: float
    max_iterations: int
    _memo: dict[str, Any] = field(default_factory=dict)

    @property
    def n_classes(self) -> int:
        """T."""
        return len(self.shares)

    @property
    def p_value(self) -> float:
        """P(χ² ≥ likelihood_ratio) under the model; NaN without degrees of freedom.

        Do not rely on it if the expected count of most rows is below 1 (Agresti 2002, 13.1).
        """
        if not self.degrees_of_freedom > 0:
            return NAN
        from scipy.stats import chi2

        return float(chi2.sf(self.likelihood_ratio, self.degrees_of_freedom))

    @property
    def items(self) -> Sequence[Any]:
        """The names of the items, in the order of `posterior`."""
        return self._judgments.items

    @property
    def posterior(self) -> FloatArray:
        """P(class t | judgments of item i): float64 of shape (N, T), in item order.

        The posterior of an item without judgments is `shares`. It is NaN for an item of weight 0
        whose judgments are impossible under the model that was fitted to the others. It is
        computed on first access, in O(N · C · T).
        """
        if "posterior" not in self._memo:
            rows = self._judgments.rows
            if self.undefined is not None:
                out = np.full((rows.n_rows, self.n_classes), NAN)
            else:
                out, _ = posteriors(rows, self.fitted)
                out[~out.any(1)] = NAN  # items of weight 0 that are impossible under the model
            out.flags.writeable = False
            self._memo["posterior"] = out
        return np.asarray(self._memo["posterior"])

    @property
    def modal_classes(self) -> Array:
        """The most probable class of each item, int64 of shape (N,).

        If several are equally probable, the first; -1 if the posterior is NaN.
        """
        posterior = self.posterior
        unknown = np.isnan(posterior).any(1)
        return np.asarray(np.where(unknown, -1, np.nan_to_num(posterior).argmax(1)))

    @property
    def fitted(self) -> Parameters:
        """The shares and probabilities as parameters of EM, with 0 for NaN."""
        return Parameters.of(self.shares, np.nan_to_num(self.probabilities, nan=0.0))

    @property
    def class_categories(self) -> tuple[Any, ...]:
        """The category that coders, on average, give most often to each class."""
        if self.undefined is not None:
            return ()
        places = [int(np.nanargmax(self.label_shares(t))) for t in range(self.n_classes)]
        return tuple(self.categories[k] for k in places)

    def label_shares(self, t: int) -> FloatArray:
        """Return the mean distribution of the coders' labels in class t: float64 of shape (K,)."""
        known = ~np.isnan(self.probabilities[:, t, 0])
        if not known.any():
            return np.full(len(self.categories), NAN)
        return np.asarray(self.probabilities[known, t].mean(0))

    def confusion_of(self, coder: Any) -> Matrix:
        """Return P(label | class) of one coder, with a row for each class.

        Parameters
        ----------
        coder : label
            The name of the coder.

        Returns
        -------
        Matrix
            The probabilities, with the names of classes and labels.

        Raises
        ------
        ValueError
            If there is no such coder.
        """
        place = name_place(self.coders, coder, "coder")
        names = self.class_names()
        return Matrix(self.probabilities[place], names, self.categories, "class", "label")

    accuracy = rates.accuracy
    coders_needed = rates.coders_needed
    standard_errors = uncertainty.standard_errors

    def population(self) -> Population:
        """Return the classes and coders as a population that `subsets.simulate` can draw.

        With `DawidSkene`, the true label of an item is its class. With `LatentClasses`, it is the
        category that coders give most often to the class.
        """
        return estimated(
            self.categories, self.shares, self.probabilities, self.coders, self._truth(),
            self.undefined,
        )  # fmt: skip

    def _truth(self) -> Sequence[Any]:
        """Return the true label of an item of each class."""
        return self.class_categories

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a table's columns: each item, its most probable class, and its probability."""
        posterior = self.posterior
        best = self.modal_classes
        names = [*self.class_names(), None]
        return {
            "item": self.items,
            self._class_title(): [names[place] for place in best.tolist()],
            "probability": posterior[np.arange(len(best)), best],
        }

    def _repr_html_(self) -> str:
        """Show the classes in a notebook."""
        labels = [self.label_shares(t) for t in range(self.n_classes)]
        names = unlike("class", map(spell_label, self.categories))
        return html_of(
            repr(self).strip("<>"),
            {
                "class": self.class_names(),
                "share": self.shares.tolist(),
                **{f"says {name}": [row[k] for row in labels] for k, name in enumerate(names)},
            },
            self.n_classes,
        )

    def _class_title(self) -> str:
        return "class"

    def class_names(self) -> list[Any]:
        """Return the names of the classes in tables."""
        return list(range(1, self.n_classes + 1))

    def classes_of(self, category: int) -> list[int]:
        """Return the classes whose items are of a category, given by its place."""
        raise NotImplementedError

    def sections(self, errors: StandardErrors | None = None) -> list[Section]:
        """Return how the model fits, its classes, and what each coder says of them.

        With standard errors, the shares of the classes have intervals.
        """
        if self.undefined is not None:
            return [Section(self.title, [f"No estimate: {self.undefined}."])]
        how = "converged" if self.converged else "NOT CONVERGED"
        message = (
            f"{counted(self.n_items, 'item')}, {counted(len(self.coders), 'coder')},"
            f" {counted(self.n_judgments, 'judgment')}, {counted(self.n_classes, 'class')}."
            f" Log-likelihood {self.log_likelihood:.4f} after"
            f" {counted(self.n_iterations, 'iteration')} ({how};"
            f" {self.n_best_starts} of {counted(self.n_starts, 'start')} gave this fit). AIC"
            f" {self.aic:.2f}, BIC {self.bic:.2f}, {counted(self.n_parameters, 'parameter')}."
        )
        blocks: list[Block] = [message]
        if self.fit_undefined is None:
            freedom = counted(max(0, round(self.degrees_of_freedom)), "degree") + " of freedom"
            if self.degrees_of_freedom < 0:
                freedom += ": the model has more parameters than the data can tell apart"
            fit = f"Fit: G² {self.likelihood_ratio:.4f}, χ² {self.chi_square:.4f}, {freedom}."
            blocks.append(Full(fit))
        blocks += [f"Note: {note}." for note in self.notes]
        names = [show_label(name) for name in self.class_names()]
        columns: list[Any] = [names, self.shares.tolist()]
        columns += [] if errors is None else logit_ends(self.shares, errors.shares)
        head = ("class", "share", "95% from", "to")[: len(columns)]
        classes = Rows(head, [*zip(*columns, strict=True)], what="class", brief=FEW)
        coders, choice = self._coders(names, errors), getattr(self, "choice", None)
        few = choice is None and len(names) <= FEW
        return [
            Section(self.title, blocks),
            Section("How many classes", [] if choice is None else [Verbatim(str(choice))]),
            Section("Classes", [classes]),
            coders if few else coders.hidden(),
        ]

    def _coders(self, names: Sequence[str], errors: StandardErrors | None) -> Section:
        """Show how often each coder gives each label; the least informative coder first."""
        values = np.nan_to_num(self.probabilities)
        # How far a coder's labels depend on the class: their mean distance from the coder's habits.
        habits = np.einsum("t,ctk->ck", self.shares, values)
        telling = np.einsum("t,ctk->c", self.shares, np.abs(values - habits[:, None, :])) / 2
        rows = []
        for c in np.argsort(telling, kind="stable").tolist():
            for t, name in enumerate(names):
                cells = self.probabilities[c, t]
                rows.append((show_label(self.coders[c]) if t == 0 else "", name, *cells))
        labels = [show_label(label, 16) for label in self.categories]
        meaning = "P(label | class). The coder whose labels depend least on the class comes first."
        meaning += " --csv has all coders, with intervals." * (errors is not None)
        head, sides = ("coder", "class", *labels), "<<" + ">" * len(labels)
        table = Rows(head, rows, sides, "coder", most=SHOWN, brief=1, each=len(names))
        blocks: list[Block] = [Full(meaning), table]
        if errors is not None and errors.undefined is not None:
            blocks.append(f"No intervals: {errors.undefined}.")
        # The shares of the classes are in the table above.
        elif errors is not None and (n := at_boundary(self.probabilities)):
            what, it = (
                ("probability lies", "it has") if n == 1 else ("probabilities lie", "they have")
            )
            why = "for which standard errors do not hold"
            blocks.append(f"{n:,} {what} at 0 or 1, {why}: {it} no interval.")
        return Section("How often each coder gives each label", blocks)


def prepare(judgments: Judgments, n_classes: int) -> tuple[Problem | None, bool]:
    """Return the patterns of judgments for a model of `n_classes`, or None if there are none."""
    rows, distinct = patterns(judgments.grouped)
    if not rows.n_rows or not judgments.categories:
        return None, distinct
    C, K = len(judgments.coders), len(judgments.categories)
    check_size(C, K, n_classes)
    return Problem(rows, weights_of(rows), C, K), distinct


def fields(
    judgments: Judgments,
    problem: Problem | None,
    distinct: bool,
    fit: Fit[Parameters] | None,
    n_classes: int,
    settings: Settings,
    n_starts: int,
    n_best_starts: int,
) -> dict[str, Any]:
    """Return the attributes that all models share, as arguments of their class."""
    n_items = int(weights_of(judgments.rows).sum())
    C, K = len(judgments.coders), len(judgments.categories)
    common = {
        "coders": tuple(judgments.coders),
        "categories": judgments.categories,
        "n_starts": n_starts,
        "n_best_starts": n_best_starts,
        "_judgments": judgments,
        "problem": problem,
        "smoothing": settings.smoothing,
        "tolerance": settings.tolerance,
        "max_iterations": settings.max_iterations,
    }
    if problem is None or fit is None:
        return common | {
            "shares": np.full(n_classes, NAN),
            "probabilities": np.full((C, n_classes, K), NAN),
            "n_items_dropped": n_items,
        }
    used = int(problem.weights.sum())
    active = int(np.count_nonzero(fit.judged.sum(1) > 0))
    n_parameters = n_classes - 1 + active * n_classes * (K - 1)
    likelihood_ratio, chi_square, reason = goodness_of_fit(problem, distinct, fit.state)
    freedom = NAN if reason else float(K**C - 1 - n_parameters)
    n_judgments = int(row_sizes(problem.rows) @ problem.weights)
    labels = notes(problem, fit, judgments, settings)
    if n_parameters > n_judgments:
        labels.append(
            f"too many parameters: {n_parameters} probabilities from {n_judgments} judgments; "
            "estimates for single coders are very uncertain, and AIC and BIC are meaningless"
        )
    if freedom < 0:
        labels.append(
            f"not identified: {K**C - 1} shares of rows do not determine {n_parameters} "
            "probabilities; use more coders, or fewer categories or classes"
        )
    table = fit.state.by_class
    if settings.smoothing == 0:
        table[fit.judged <= 0] = NAN
    return common | {
        "shares": fit.state.shares,
        "probabilities": table,
        **fit.parts(),
        "n_items": used,
        "n_items_dropped": n_items - used,
        "n_judgments": n_judgments,
        "n_parameters": n_parameters,
        "likelihood_ratio": likelihood_ratio,
        "chi_square": chi_square,
        "degrees_of_freedom": freedom,
        "fit_undefined": reason,
        "notes": tuple(labels),
        "undefined": None,
    }


def goodness_of_fit(
    problem: Problem, distinct: bool, at: Parameters
) -> tuple[float, float, str | None]:
    """Compute G² and χ² over the full table, or the reason why there is none. O(U · C · T)."""
    if not (distinct and _complete(problem)):
        return NAN, NAN, INCOMPLETE
    if problem.n_coders * math.log2(problem.n_categories) > 62:
        return NAN, NAN, TOO_MANY
    _, result = posteriors(problem.rows, at)
    observed, n = problem.weights, problem.weights.sum()
    log_expected = math.log(n) + result
    likelihood_ratio = 2 * math.fsum(observed * (np.log(observed) - log_expected))
    expected = np.exp(log_expected)
    # rows that did not occur contribute their expected counts
    unseen = max(0.0, n - math.fsum(expected))
    chi_square = math.fsum((observed - expected) ** 2 / expected) + unseen
    return max(0.0, likelihood_ratio), chi_square, None


def _complete(problem: Problem) -> bool:
    """Return whether every coder judged every item once."""
    rows, C = problem.rows, problem.n_coders
    if problem.n_judgments != rows.n_rows * C or (rows.width and rows.width != C):
        return False
    # lists are in the order of the coders
    return bool(rows.width) or bool(
        (row_sizes(rows) == C).all()
        and (np.asarray(rows.coders).reshape(-1, C) == np.arange(C)).all()
    )


def notes(
    problem: Problem, fit: Fit[Parameters], judgments: Judgments, settings: Settings
) -> list[str]:
    """Collect warnings about the estimates."""
    out = []
    if not fit.converged:
        state = "there was no iteration"
        if len(fit.trace) > 1:
            state = (
                f"iteration {fit.n_iterations} still raised the log-likelihood by "
                f"{fit.trace[-1] - fit.trace[-2]:.3g}, more than {settings.tolerance:g} of it"
            )
        out.append(
            f"not converged: {state}; raise max_iterations (now {settings.max_iterations}) or "
            "tolerance"
        )
    labels = np.zeros(problem.n_categories, bool)
    labels[problem.rows.codes[problem.rows.codes >= 0]] = True
    unused = [repr(judgments.categories[k]) for k in np.flatnonzero(~labels)]
    if unused:
        out.append(f"nobody used the categories {', '.join(unused[:8])}")
    empty = np.flatnonzero(fit.state.shares * problem.weights.sum() < 0.5)
    if len(empty):
        out.append(
            f"{len(empty)} of {len(fit.state.shares)} classes are empty: less than half an "
            "item belongs to each"
        )
    judged = fit.judged.sum(1)
    silent, once = int((judged <= 0).sum()), int(((judged > 0) & (judged < 1.5)).sum())
    if silent:
        have = "has" if silent == 1 else "have"
        out.append(f"{counted(silent, 'coder')} judged nothing and {have} no probabilities")
    if once:
        out.append(
            f"{counted(once, 'coder')} judged once: their probabilities are 0 or 1 and unreliable; "
            "use smoothing"
        )
    unseen = int((fit.judged[judged > 0] <= 0).sum())
    if unseen:
        out.append(
            f"{counted(unseen, 'pair')} of coder and class never met: their probabilities are"
            " unknown (NaN, or uniform if smoothed)"
        )
    return out


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class DawidSkene(LatentModel):
    """Class shares, confusion matrices and true labels by Dawid & Skene (1979).

    The latent classes are the categories, so T = K. See `LatentModel` for the attributes.

    Notes
    -----
    At the first start, the posterior of an item is its shares of labels, as in Dawid & Skene's
    equation 3.1. This also ties classes to categories. Further starts are halfway between the
    votes and random matrices. Missing judgments are assumed to be missing at random.

    With `smoothing`, the estimate is the posterior mode under a Dirichlet(1 + smoothing) prior. 0
    is maximum likelihood, as published. If coders have few judgments, 0.01 to 0.1 keeps a single
    judgment from excluding a label for good. The total added to a coder, smoothing · K², should be
    small relative to the number of their judgments.

    Acceleration is SQUAREM (Varadhan & Roland 2008), with a step length for each distribution and
    with square roots of probabilities as coordinates, so that every point is valid. It starts when
    a step raises the log-likelihood by less than a ten-thousandth of it, so that plain EM chooses
    the maximum to climb. A point that lowers the log-likelihood is rejected. Near a saddle of the
    likelihood, it may stop at a point that plain EM would leave; compare `log_likelihood`.

    References
    ----------
    Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using
    the EM algorithm. Applied Statistics 28(1), 20-28. https://doi.org/10.2307/2346806 Varadhan, R.,
    & Roland, C. (2008). Simple and globally convergent methods for accelerating the convergence of
    any EM algorithm. Scandinavian Journal of Statistics 35(2), 335-353.

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 2, 2]]
    >>> model = aggregate(table, "dawid_skene").model
    >>> model.labels.tolist()
    [1, 1, 2, 2, 2]
    >>> model.shares.round(2).tolist()
    [0.4, 0.6]
    """

    title: ClassVar[str] = "Dawid & Skene (1979)"

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
        if self.undefined is not None:
            return np.full(len(self.items), None)
        names: Array = np.fromiter((*self.categories, None), object)
        return names[self.modal_classes]

    def classes_of(self, category: int) -> list[int]:
        """Return the class of a category, given by its place."""
        return [category]

    def _truth(self) -> Sequence[Any]:
        return tuple(self.categories)

    def _class_title(self) -> str:
        return "label"

    def class_names(self) -> list[Any]:
        """Return the categories."""
        return list(self.categories)


def fit_dawid_skene(
    judgments: Judgments,
    reference: Array | None,
    *,
    smoothing: float,
    tolerance: float,
    max_iterations: int,
    n_restarts: int,
    rng: np.random.Generator,
    accelerate: bool,
    progress: bool,
) -> DawidSkene:
    """Fit the model to judgments, and to right labels if there are any.

    Parameters
    ----------
    judgments : Judgments
    reference : int64 array of shape (N,) or None
        The codes of right labels; -1 if none is known. With them, the log-likelihood is that of
        the judgments and the right labels, but the posteriors follow from the judgments alone.
    smoothing, tolerance, max_iterations, n_restarts, rng, accelerate, progress :
        As in `aggregate`.
    """
    settings = Settings.of(smoothing, tolerance, max_iterations, n_restarts)
    seeds = rng.spawn(n_restarts)
    K = len(judgments.categories)
    problem, distinct = prepare(judgments, K)
    fitted_to = problem
    if reference is not None:
        fitted_to, _ = prepare(with_gold_coder(judgments, reference), K)
    fit = None
    if problem is not None and fitted_to is not None:
        vote = maximise(fitted_to.vote(), smoothing)
        with bar(progress, (n_restarts + 1) * max_iterations, "Dawid-Skene") as advance:

            def run(start: Parameters, settings: Settings) -> Fit[Parameters]:
                start = Parameters(start.shares.copy(), start.table.copy())
                if reference is not None:
                    return _em_with_gold(fitted_to, start, settings)
                return em(fitted_to, start, settings, accelerate=accelerate, advance=advance)

            restarts = [partial(shaken, vote, seed) for seed in seeds]
            fit = from_starts(run, vote, restarts, settings)
    best, n_best = (None, 0) if fit is None else (fit.best, fit.n_best)
    if best is not None and reference is not None:  # without the coder who never errs
        at, expected = best.state, best.expected
        at = Parameters(at.shares, at.table[:-1].copy())
        best = replace(best, state=at, expected=Expected(expected.sums, expected.counts[:-1]))
    shared = fields(judgments, problem, distinct, best, K, settings, n_restarts + 1, n_best)
    if fit is not None and (note := fit.note()):
        shared["notes"] += (note,)
    return DawidSkene(**shared)


def _em_with_gold(problem: Problem, start: Parameters, settings: Settings) -> Fit[Parameters]:
    """Run EM with a last coder who never errs."""
    smoothing = settings.smoothing

    def m_step(_: Parameters, expected: Expected) -> Parameters:
        at = maximise(expected, smoothing)
        never_errs(at.table)
        return at

    def penalty(at: Parameters) -> float:
        return smoothing * float(np.log(at.table[:-1]).sum()) if smoothing else 0.0

    never_errs(start.table)
    model = Model(lambda at: at, m_step, penalty)
    return climb(problem, model, start, problem.n_categories, settings)


def shaken(at: Parameters, rng: np.random.Generator) -> Parameters:
    """Return parameters halfway between the given and random ones."""
    table = at.by_class
    C, T, K = table.shape
    random = rng.dirichlet(np.ones(K), (C, T))
    shares = 0.5 * at.shares + 0.5 * rng.dirichlet(np.ones(T))
    return Parameters.of(shares, 0.5 * table + 0.5 * random)


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class LatentClasses(LatentModel):
    """T latent classes, largest first. See `LatentModel` for the other attributes.

    Attributes
    ----------
    choice : ClassChoice or None
        The models among which this one was chosen; None if the number of classes was given.
    """

    choice: ClassChoice | None = None

    @property
    def _df(self) -> float | None:
        return self.degrees_of_freedom if self.degrees_of_freedom >= 0 else None

    def classes_of(self, category: int) -> list[int]:
        """Return the classes to which coders most often give a category, given by its place."""
        label = self.categories[category]
        return [t for t, own in enumerate(self.class_categories) if own == label]


def latent_classes(
    data: Judgments | JudgmentsLike,
    n_classes: int | None = None,
    *,
    max_classes: int = 5,
    criterion: Literal["bic", "aic", "fit"] = "bic",
    significance: float = 0.05,
    smoothing: float = 0.0,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
    n_restarts: int = 19,
    rng: Seed = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> LatentClasses:
    """Fit latent classes to judgments, and choose how many.

    Parameters
    ----------
    data : Annotations, Judgments, or a table as `Annotations.from_wide` takes it
        Missing judgments are assumed to be missing at random.
    n_classes : int, optional
        The number of classes T; it may differ from the number of categories. By default models of 1
        to `max_classes` classes are fitted, and `criterion` chooses one.
    max_classes : int, default 5
        The largest number of classes to choose from.
    criterion : {"bic", "aic", "fit"}, default "bic"
        Choose the lowest BIC, the lowest AIC, or the fewest classes that the likelihood ratio G²
        does not reject. "fit" needs complete data and expected counts that are not tiny. Models
        that complete data do not identify (negative degrees of freedom) are never chosen.
    significance : float, default 0.05
        The significance level of ``"fit"``.
    smoothing : float, default 0.0
        Number added to every count of a coder's probabilities. The estimate is then the posterior
        mode under a Dirichlet(1 + smoothing) prior. 0 is maximum likelihood.
    tolerance : float, default 1e-12
        Stop if a step of EM raises the log-likelihood by at most this share of it.
    max_iterations : int, default 10_000
        The largest number of E-steps of each start.
    n_restarts : int, default 19
        The number of random starts after the first, which is random, too. The likelihood has local
        maxima; the best fit is returned, and ``n_best_starts`` says how many starts reached it.
    rng : int or numpy Generator, optional
        Seed or generator of the starts. The same seed gives the same model.
    progress : bool, default False
        Whether to show a progress bar.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    LatentClasses
        The fitted model. If the number of classes was chosen, `choice` is a table of all models.

    Raises
    ------
    ValueError
        If coders are unknown or an option is invalid.

    Notes
    -----
    Each start has equal shares and uniformly drawn probabilities. Classes are sorted by decreasing
    share, because their numbers have no meaning. EM is accelerated by SQUAREM (Varadhan & Roland
    2008). The cost is O(starts × iterations × judgments of the distinct rows × T). If no number of
    classes can be chosen, the model has one class, and a note says why.

    References
    ----------
    Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and
    unidentifiable models. Biometrika 61(2), 215-231. Uebersax, J. S., & Grove, W. M. (1990). Latent
    class analysis of diagnostic agreement. Statistics in Medicine 9, 559-572. Artstein & Poesio
    2005, section 6.2.

    Examples
    --------
    >>> from agreement_fast import models
    >>> data = [[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 1, 2], [1, 1, 1], [2, 2, 2]]
    >>> models.latent_classes(data, 2, rng=1).class_categories
    (2, 1)
    >>> models.latent_classes([[1, 1, 1]] * 20 + [[2, 2, 2]] * 20, rng=1).n_classes
    2
    """
    if n_classes is not None:
        check_count("n_classes", n_classes, 1)
    check_choice("criterion", criterion, CRITERIA)
    check_share("significance", significance)
    check_count("max_classes", max_classes, 1)
    settings = Settings.of(smoothing, tolerance, max_iterations, n_restarts)
    n_starts = n_restarts + 1
    source = generator(rng)
    judgments = as_judgments(data, "latent_classes()", **reading)
    sizes = range(1, max_classes + 1) if n_classes is None else (n_classes,)
    problem, distinct = prepare(judgments, sizes[-1])
    with bar(progress, sum(n_starts if T > 1 else 1 for T in sizes), "latent classes") as advance:

        def fits(problem: Problem, T: int, n: int) -> Iterator[Fit[Parameters]]:
            for seed in source.spawn(n):
                table = seed.dirichlet(np.ones(problem.n_categories), (problem.n_coders, T))
                start = Parameters.of(np.full(T, 1 / T), table)
                yield em(problem, start, settings, accelerate=True)
                advance(1)

        fitted = []
        for T in sizes:
            fit, n_best, n = None, 0, n_starts if T > 1 else 1
            if problem is not None:
                fit, n_best = best_of(fits(problem, T, n))
            fit = None if fit is None else _largest_first(fit)
            parts = fields(judgments, problem, distinct, fit, T, settings, n, n_best)
            fitted.append(LatentClasses(**parts))
    if n_classes is not None:
        return fitted[0]
    best, reason = _choose(fitted, criterion, significance)
    choice = ClassChoice(fitted, criterion, best, reason)
    if best is not None:
        return replace(best, choice=choice)
    notes = fitted[0].notes
    if fitted[0].undefined is None:
        notes = (*notes, f"no number of classes was chosen: {reason}")
    return replace(fitted[0], choice=choice, notes=notes)


def _largest_first(fit: Fit[Parameters]) -> Fit[Parameters]:
    """Sort the classes by decreasing share, and equal shares by the first coder's labels."""
    at, expected = fit.state, fit.expected
    order = np.lexsort((-at.table[0, 0], -at.shares.round(12)))
    table, counts = (np.ascontiguousarray(of[:, :, order]) for of in (at.table, expected.counts))
    at = Parameters(at.shares[order], table)
    return replace(fit, state=at, expected=Expected(expected.sums[order], counts))


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

    _caption = "ClassChoice of 1 to {models:class} by {criterion}[: {best.n_classes:class}]"
    _table = (
        "classes = {n_classes}[ *{chosen?}] | log-likelihood = log_likelihood | parameters = "
        "n_parameters | AIC = aic:.2f | BIC = bic:.2f | G² = likelihood_ratio | df = "
        "_df:.0f | p_value"
    )
    _remarks = "undefined"
    _most = None

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


CRITERIA = ("bic", "aic", "fit")


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

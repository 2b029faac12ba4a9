"""Fitted models: shares of the classes, coders' probabilities, fit and posteriors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent.em import (
    Fit,
    Judgments,
    Parameters,
    Problem,
    Settings,
    check_size,
    patterns,
    posteriors,
)
from agreement_fast.latent.population import Population, estimated
from agreement_fast.options import check_kind
from agreement_fast.patterns import row_sizes
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.tables import name_place
from agreement_fast.tables import Matrix, Tabular, html_of, unlike
from agreement_fast.terminal import counted, number_of, spell_label

NAN = math.nan

NO_JUDGMENTS = "no judgments: there are no data to estimate from"
INCOMPLETE = (
    "incomplete: G² and χ² compare the counts of all possible rows, so every coder must judge "
    "every item once"
)
TOO_MANY = "too many cells: the number of possible rows exceeds 64 bits, and nearly all are empty"

#: The number of coders that `print` shows.
SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LatentModel(Tabular):
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
        The number of starts that reached the maximum (within 1e-6 of it).
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

    shares: FloatArray
    probabilities: FloatArray
    coders: Sequence[Any]
    categories: Categories
    log_likelihood: float
    trace: FloatArray
    n_iterations: int
    converged: bool
    n_starts: int
    n_best_starts: int
    smoothing: float
    n_items: int
    n_items_dropped: int
    n_judgments: int
    n_parameters: int
    likelihood_ratio: float
    chi_square: float
    degrees_of_freedom: float
    fit_undefined: str | None
    notes: tuple[str, ...]
    undefined: str | None
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
    def aic(self) -> float:
        """Akaike's criterion, −2 ln L + 2 n_parameters."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, −2 ln L + n_parameters · ln n_items."""
        return self.n_parameters * math.log(self.n_items or NAN) - 2 * self.log_likelihood

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
        found: FloatArray = self._memo["posterior"]
        return found

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

    def _head(self) -> str:
        if self.undefined is not None:
            return self.undefined
        state = "" if self.converged else ", NOT CONVERGED"
        return (
            f"{self.n_classes} classes, {len(self.coders)} coders, "
            f"{number_of(self.n_items, 'item')}, "
            f"log-likelihood {self.log_likelihood:.6g}, {self.n_iterations} iterations{state}"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._head()}>"

    @property
    def class_categories(self) -> tuple[Any, ...]:
        """The category that coders, on average, give most often to each class."""
        if self.undefined is not None:
            return ()
        places = [int(np.nanargmax(self.said(t))) for t in range(self.n_classes)]
        return tuple(self.categories[k] for k in places)

    def said(self, t: int) -> FloatArray:
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
        names = self._class_values()
        return Matrix(self.probabilities[place], names, self.categories, "class", "label")

    def population(self) -> Population:
        """Return the classes and coders as a population that `simulation.simulate` can draw.

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
        names = [*self._class_values(), None]
        return {
            "item": self.items,
            self._class_title(): [names[place] for place in best.tolist()],
            "probability": posterior[np.arange(len(best)), best],
        }

    def _repr_html_(self) -> str:
        """Show the classes in a notebook."""
        said = [self.said(t) for t in range(self.n_classes)]
        names = unlike("class", map(spell_label, self.categories))
        return html_of(
            self._head(),
            {
                "class": self._class_values(),
                "share": self.shares.tolist(),
                **{f"says {name}": [row[k] for row in said] for k, name in enumerate(names)},
            },
            self.n_classes,
        )

    def _class_title(self) -> str:
        return "class"

    def _class_values(self) -> list[Any]:
        """Return the names of the classes in tables."""
        return list(range(1, self.n_classes + 1))

    def classes_of(self, category: int) -> list[int]:
        """Return the classes whose items are of a category, given by its place."""
        raise NotImplementedError

    def _class_names(self) -> list[str]:
        return [f"class {t + 1}" for t in range(self.n_classes)]

    def __str__(self) -> str:
        lines = [f"{type(self).__name__}: {self._head()}"]
        if self.undefined is None:
            lines.append(
                f"AIC {self.aic:.6g}, BIC {self.bic:.6g}, {self.n_parameters} parameters"
                + (
                    f", G² {self.likelihood_ratio:.6g}, χ² {self.chi_square:.6g}, "
                    f"{self.degrees_of_freedom:.0f} degrees of freedom"
                    if self.fit_undefined is None
                    else ""
                )
            )
            lines += self._tables()
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def _tables(self) -> list[str]:
        names = self._class_names()
        wide = max(len(name) for name in names)
        said = [str(label) for label in self.categories]
        cell = max(6, *(len(label) for label in said))
        lines = ["shares of the classes"]
        lines += [f"  {n:{wide}}  {s:.4f}" for n, s in zip(names, self.shares, strict=True)]
        for coder, table in list(zip(self.coders, self.probabilities, strict=True))[:SHOWN]:
            lines.append(f"coder {coder!r}: P(label | class)")
            lines.append(" " * (2 + wide) + "".join(f"  {label:>{cell}}" for label in said))
            lines += [
                f"  {name:{wide}}" + "".join(f"  {p:{cell}.4f}" for p in row)
                for name, row in zip(names, table, strict=True)
            ]
        if len(self.coders) > SHOWN:
            lines.append(f"... and {len(self.coders) - SHOWN} more coders")
        return lines


def check_model(model: Any) -> None:
    """Raise an error if a value is no fitted model."""
    expected = "a model from dawid_skene() or latent_classes()"
    check_kind(model, LatentModel, expected, argument="model")


def prepare(judgments: Judgments, n_classes: int) -> tuple[Problem | None, bool]:
    """Return the patterns of judgments for a model of `n_classes`, or None if there are none."""
    rows, distinct = patterns(judgments.grouped)
    if not rows.n_rows or not judgments.categories:
        return None, distinct
    check_size(len(judgments.coders), len(judgments.categories), n_classes)
    return Problem.of(rows, len(judgments.coders), len(judgments.categories)), distinct


def fields(
    judgments: Judgments,
    problem: Problem | None,
    distinct: bool,
    fit: Fit | None,
    n_classes: int,
    settings: Settings,
    n_starts: int,
    n_best_starts: int,
) -> dict[str, Any]:
    """Return the attributes that all models share, as arguments of their class."""
    weights = judgments.rows.weights
    n_items = judgments.rows.n_rows if weights is None else int(weights.sum())
    C, K = len(judgments.coders), len(judgments.categories)
    common = {
        "coders": tuple(judgments.coders),
        "categories": judgments.categories,
        "n_starts": n_starts,
        "n_best_starts": n_best_starts,
        "_judgments": judgments,
        "problem": problem,
        **settings._asdict(),
    }
    if problem is None or fit is None:
        return common | {
            "shares": np.full(n_classes, NAN),
            "probabilities": np.full((C, n_classes, K), NAN),
            "log_likelihood": NAN,
            "trace": np.zeros(0),
            "n_iterations": 0,
            "converged": False,
            "n_items": 0,
            "n_items_dropped": n_items,
            "n_judgments": 0,
            "n_parameters": 0,
            "likelihood_ratio": NAN,
            "chi_square": NAN,
            "degrees_of_freedom": NAN,
            "fit_undefined": NO_JUDGMENTS,
            "notes": (),
            "undefined": NO_JUDGMENTS,
        }
    used = int(problem.weights.sum())
    active = int(np.count_nonzero(fit.judged.sum(1) > 0))
    n_parameters = n_classes - 1 + active * n_classes * (K - 1)
    likelihood_ratio, chi_square, reason = goodness_of_fit(problem, distinct, fit.parameters)
    freedom = NAN if reason else float(K**C - 1 - n_parameters)
    n_judgments = int(row_sizes(problem.rows) @ problem.weights)
    said = notes(problem, fit, judgments, settings)
    if n_parameters > n_judgments:
        said.append(
            f"too many parameters: {n_parameters} probabilities from {n_judgments} judgments; "
            "estimates for single coders are very uncertain, and AIC and BIC are meaningless"
        )
    if freedom < 0:
        said.append(
            f"not identified: {K**C - 1} shares of rows do not determine {n_parameters} "
            "probabilities; use more coders, or fewer categories or classes"
        )
    table = fit.parameters.by_class
    if settings.smoothing == 0:
        table[fit.judged <= 0] = NAN
    return common | {
        "shares": fit.parameters.shares,
        "probabilities": table,
        "log_likelihood": fit.log_likelihood,
        "trace": fit.trace,
        "n_iterations": fit.n_iterations,
        "converged": fit.converged,
        "n_items": used,
        "n_items_dropped": n_items - used,
        "n_judgments": n_judgments,
        "n_parameters": n_parameters,
        "likelihood_ratio": likelihood_ratio,
        "chi_square": chi_square,
        "degrees_of_freedom": freedom,
        "fit_undefined": reason,
        "notes": tuple(said),
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
    _, found = problem.posteriors(at)
    observed, n = problem.weights, problem.weights.sum()
    log_expected = math.log(n) + found
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
    if rows.width:
        return True
    # the lists are in the order of the coders
    assert rows.coders is not None
    return bool((row_sizes(rows) == C).all()) and bool(
        (rows.coders.reshape(-1, C) == np.arange(C)).all()
    )


def notes(problem: Problem, fit: Fit, judgments: Judgments, settings: Settings) -> list[str]:
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
    said = np.zeros(problem.n_categories, bool)
    said[problem.rows.codes[problem.rows.codes >= 0]] = True
    unused = [repr(judgments.categories[k]) for k in np.flatnonzero(~said)]
    if unused:
        out.append(f"nobody used the categories {', '.join(unused[:8])}")
    empty = np.flatnonzero(fit.parameters.shares * problem.weights.sum() < 0.5)
    if len(empty):
        out.append(
            f"{len(empty)} of {len(fit.parameters.shares)} classes are empty: less than half an "
            "item belongs to each"
        )
    judged = fit.judged.sum(1)
    silent, once = int((judged <= 0).sum()), int(((judged > 0) & (judged < 1.5)).sum())
    if silent:
        have = "has" if silent == 1 else "have"
        out.append(f"{counted(silent, 'coder')} judged nothing and {have} no probabilities")
    if once:
        out.append(
            f"{once} coders judged once: their probabilities are 0 or 1 and unreliable; "
            "use smoothing"
        )
    unseen = int((fit.judged[judged > 0] <= 0).sum())
    if unseen:
        out.append(
            f"{unseen} pairs of coder and class never met: their probabilities are unknown "
            "(NaN, or uniform if smoothed)"
        )
    return out

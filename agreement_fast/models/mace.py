"""MACE (Hovy, Berg-Kirkpatrick, Vaswani & Hovy 2013): coders either know the label or spam.

A priori, every label is equally likely. In each judgment, coder c spams with probability s_c and
then says k with probability ξ_ck, regardless of the item. Otherwise c says its true label t. So

    P(c says k | t) = s_c ξ_ck + (1 − s_c) [k = t],

which is a confusion matrix of K numbers instead of K² − K. The E-step is therefore the one of
Dawid & Skene. From its expected counts, the M-step computes how many of the judgments k of items
with label k were known: the share (1 − s_c) / (s_c ξ_ck + 1 − s_c) of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.models.em import (
    MOST_CELLS,
    Climb,
    Judgments,
    Model,
    Parameters,
    Settings,
    climb,
    never_errs,
    posteriors,
    with_gold_coder,
)
from agreement_fast.models.latent_classes import NO_JUDGMENTS, prepare
from agreement_fast.models.population import Population, estimated
from agreement_fast.present.tables import Aligned, in_columns
from agreement_fast.reading.labels import Categories

#: Number of coders that are printed.
SHOWN = 8

#: Starts run until a step raises the objective by at most this share; the best one continues.
ROUGHLY = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mace(Aligned):
    """Competence and spam of each coder, and the labels of the items, estimated by MACE.

    Attributes
    ----------
    coders, categories : sequences of labels
    competence : float64 array of shape (C,)
        1 − s_c: the probability that a coder knows the label. NaN for coders who judged nothing.
    spam : float64 array of shape (C, K)
        ξ_ck: the probability of each label if the coder spams.
    n_judgments : int64 array of shape (C,)
        Judgments of each coder, counted with the items' weights.
    items : sequence of labels
    posterior : float64 array of shape (N, K)
        P(label | judgments). All labels are equally probable for an item without judgments.
    log_likelihood : float
        Of the judgments, natural logarithm.
    trace : float64 array
        The objective at the best start and after each step, which never falls: the log-likelihood
        plus `smoothing` times the sum of the logarithms of s_c, 1 − s_c and ξ_ck.
    n_iterations : int
    converged : bool
    reached : float64 array of shape (n_restarts + 1,)
        The objective that each start reached, within a millionth; the best start continued to the
        tolerance.
    smoothing : float
    undefined : str or None
        Why there is no estimate.

    Notes
    -----
    `smoothing` is added to the expected counts of each coder's spam, other judgments, and spam of
    each category: the estimate is the mode under Beta(1 + smoothing) and Dirichlet(1 + smoothing)
    priors. 0 is maximum likelihood, which trusts coders with few judgments too much: with 1, the
    posteriors of simulated crowds are better calibrated. The published program also offers
    variational Bayes, which is not implemented here.

    References
    ----------
    Hovy, D., Berg-Kirkpatrick, T., Vaswani, A., & Hovy, E. (2013). Learning whom to trust with
    MACE. Proceedings of the conference of NAACL, 1120-1130. https://aclanthology.org/N13-1132/

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "a"]]
    >>> aggregate(table, "mace").model.competence.round(2).tolist()
    [0.69, 0.69, 0.28]
    """

    coders: Sequence[Any]
    categories: Categories
    competence: FloatArray
    spam: FloatArray
    n_judgments: Array
    items: Sequence[Any]
    posterior: FloatArray
    log_likelihood: float
    trace: FloatArray
    n_iterations: int
    converged: bool
    reached: FloatArray
    smoothing: float
    undefined: str | None

    _column_names = "coder=coders competence n_judgments"

    def population(self) -> Population:
        """Return the labels and coders, from which `subsets.simulate` draws."""
        K = len(self.categories)
        known = self.competence[:, None, None]
        table = known * np.eye(K) + (1 - known) * self.spam[:, None, :]
        return estimated(
            self.categories, np.full(K, 1 / max(K, 1)), table, self.coders, self.categories,
            self.undefined,
        )  # fmt: skip

    def __repr__(self) -> str:
        if self.undefined is not None:
            return f"<Mace: {self.undefined}>"
        state = "" if self.converged else ", NOT CONVERGED"
        return (
            f"<Mace: {len(self.coders)} coders, {len(self.items)} items, log-likelihood "
            f"{self.log_likelihood:.6g}, {self.n_iterations} iterations{state}>"
        )

    def __str__(self) -> str:
        """Show the least competent coders, and the most frequent label of their spam."""
        order = np.argsort(self.competence, kind="stable")[:SHOWN].tolist()
        columns = {
            **self.columns(),
            "spams": [self.categories[k] for k in self.spam.argmax(1).tolist()],
            "share": self.spam.max(1, initial=0.0),
        }
        layout = "coder | competence | judgments = n_judgments | spams | share"
        lines = in_columns(columns, layout, order, sides="<>><>")
        return "\n".join([repr(self)[1:-1], *lines])


def fit_mace(
    judgments: Judgments,
    reference: Array | None,
    *,
    smoothing: float,
    tolerance: float,
    max_iterations: int,
    n_restarts: int,
    rng: np.random.Generator,
) -> Mace:
    """Fit the model; `reference` has the codes of right labels, -1 if none is known."""
    settings = Settings.of(smoothing, tolerance, max_iterations, n_restarts)
    seeds = rng.spawn(n_restarts)
    C, K = len(judgments.coders), len(judgments.categories)
    fitted_to = judgments if reference is None else with_gold_coder(judgments, reference)
    n_coders = len(fitted_to.coders)
    if n_coders * K * K > MOST_CELLS:
        raise InputError(
            f"{n_coders:,} coders and {K:,} categories are too many for MACE, which counts each"
            f" coder's labels by category: {n_coders * K * K:,} numbers, and {MOST_CELLS:,} fit",
            ("merge categories, select coders, or take ", Argument("method", "majority")),
        )
    problem, _ = prepare(fitted_to, K)
    common: dict[str, Any] = {
        "coders": tuple(judgments.coders),
        "categories": judgments.categories,
        "items": judgments.items,
        "smoothing": smoothing,
    }
    N = judgments.rows.n_rows
    if problem is None:
        return Mace(
            **common,
            competence=np.full(C, math.nan),
            spam=np.full((C, K), math.nan),
            n_judgments=np.zeros(C, np.int64),
            posterior=np.full((N, K), math.nan),
            log_likelihood=math.nan,
            trace=np.zeros(0),
            n_iterations=0,
            converged=False,
            reached=np.zeros(0),
            undefined=NO_JUDGMENTS,
        )
    voted = problem.vote()
    judged = voted.counts[:C].sum((1, 2))
    coders = _Coders(C, K, judged, reference is not None, smoothing)
    model = Model(coders.parameters, coders.maximise, coders.penalty)

    def run(start: _Spam, enough: float) -> Climb[_Spam]:
        return climb(problem, model, start, K, settings._replace(tolerance=enough))

    starts = [coders.maximise(coders.halfway(), voted), *map(coders.random, seeds)]
    rough = max(tolerance, ROUGHLY) if n_restarts else tolerance
    climbs = [run(start, rough) for start in starts]
    best = max(climbs, key=lambda entry: entry.reached)
    trace = best.trace
    if tolerance < rough and best.converged:
        best = run(best.state, tolerance)
        trace = np.concatenate([trace, best.trace[1:]])
    table = coders.parameters(best.state).table[:C]
    competence = np.where(judged > 0, 1 - best.state.often, math.nan)
    return Mace(
        **common,
        competence=competence,
        spam=np.where(judged[:, None] > 0, best.state.says, math.nan),
        n_judgments=np.rint(judged).astype(np.int64),
        posterior=posteriors(judgments.rows, Parameters(np.full(K, 1 / K), table))[0],
        log_likelihood=best.log_likelihood,
        trace=trace,
        n_iterations=len(trace) - 1,
        converged=best.converged,
        reached=np.array([climb.reached for climb in climbs]),
        undefined=None,
    )


@dataclass(frozen=True, eq=False)
class _Spam:
    """How often coders spam, and with which labels: arrays of shape (C,) and (C, K)."""

    often: FloatArray
    says: FloatArray


@dataclass(frozen=True, eq=False)
class _Coders:
    """The model's part of EM; `knows_gold` says that one more coder never errs."""

    n_coders: int
    n_categories: int
    judged: FloatArray
    knows_gold: bool
    smoothing: float

    def halfway(self) -> _Spam:
        K = self.n_categories
        return _Spam(np.full(self.n_coders, 0.5), np.full((self.n_coders, K), 1 / K))

    def random(self, rng: np.random.Generator) -> _Spam:
        K = self.n_categories
        return _Spam(rng.random(self.n_coders), rng.dirichlet(np.ones(K), self.n_coders))

    def parameters(self, at: _Spam) -> Parameters:
        K = self.n_categories
        table = np.zeros((self.n_coders + self.knows_gold, K, K))
        spam = at.often[:, None] * at.says
        table[: self.n_coders] = spam[:, :, None]
        k = np.arange(K)
        table[: self.n_coders, k, k] += 1 - at.often[:, None]
        if self.knows_gold:
            never_errs(table)
        return Parameters(np.full(K, 1 / K), table)

    def maximise(self, at: _Spam, expected: Expected) -> _Spam:
        counts = expected.counts[: self.n_coders]
        k = np.arange(self.n_categories)
        right = counts[:, k, k]
        known = 1 - at.often[:, None]
        either = at.often[:, None] * at.says + known
        # Nobody who always spams a category that is never said can say it: 0 of 0 are known.
        share = np.divide(known, either, out=np.zeros_like(either), where=either > 0)
        spam = np.maximum(counts.sum(2) - right * share, 0.0)
        total = spam.sum(1)
        often = _ratio(total + self.smoothing, self.judged + 2 * self.smoothing, 0.5)
        says = _ratio(
            spam + self.smoothing,
            (total + self.n_categories * self.smoothing)[:, None],
            1 / self.n_categories,
        )
        return _Spam(np.minimum(often, 1.0), says)

    def penalty(self, at: _Spam) -> float:
        if not self.smoothing:
            return 0.0
        judged = self.judged > 0
        logs = np.log(at.often[judged]) + np.log1p(-at.often[judged])
        return self.smoothing * float(logs.sum() + np.log(at.says[judged]).sum())


def _ratio(some: FloatArray, whole: FloatArray, otherwise: float) -> FloatArray:
    return np.asarray(np.divide(some, whole, out=np.full(some.shape, otherwise), where=whole > 0))

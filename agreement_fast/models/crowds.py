"""Models of crowds, which weigh coders by what they know: MACE, GLAD and CROWDLAB; and suspects.

MACE (Hovy, Berg-Kirkpatrick, Vaswani & Hovy 2013): coders either know the label or spam. A priori,
every label is equally likely. In each judgment, coder c spams with probability s_c and then says k
with probability ξ_ck, regardless of the item. Otherwise c says its true label t. So

    P(c says k | t) = s_c ξ_ck + (1 − s_c) [k = t],

which is a confusion matrix of K numbers instead of K² − K. The E-step is therefore the one of
Dawid & Skene. From its expected counts, the M-step computes how many of the judgments k of items
with label k were known: the share (1 − s_c) / (s_c ξ_ck + 1 − s_c) of them.

Suspects agree with the others so little that they may not have looked at the items. A coder is
honest if they agree with the majority of the others, beyond chance, at least half as much as the
other coders do on the same items. For a coder who agrees in a of n such judgments,

    p = P(Binomial(n, e + (1 − e) g/2) ≤ a),

where e is the agreement by chance, from how often the coder gives each label and how often each is
the majority, and g the share of what chance leaves that the other coders agree on the same items,
or all coders on all items if that is less. With Holm's adjustment for the number of coders, at most
1 − `confidence_level` of honest crowds have a suspect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.hypotheses import holm
from agreement_fast.models.em import (
    MOST_CELLS,
    Judgments,
    Model,
    Parameters,
    Settings,
    check_amount,
    climb,
    from_starts,
    never_errs,
    posteriors,
    weights_of,
    with_gold_coder,
)
from agreement_fast.models.latent_classes import NO_JUDGMENTS, prepare
from agreement_fast.models.population import Population, estimated
from agreement_fast.options import check_count
from agreement_fast.patterns import dense, judgments_of
from agreement_fast.present.tables import Aligned, Table
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.labels import Categories


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class CrowdModel(Aligned):
    """A fitted model of a crowd."""

    _caption = (
        "{type}: {coders:coder}, {items:item}, log-likelihood {log_likelihood}, "
        "{n_iterations:iteration}[, NOT CONVERGED{converged!}]"
    )
    _what = "coder"
    _remarks = "undefined"

    coders: Sequence[Any]
    categories: Categories
    items: Sequence[Any]
    posterior: FloatArray
    n_judgments: Array
    log_likelihood: float = math.nan
    n_iterations: int = 0
    converged: bool = False
    undefined: str | None = None


# ---------------------------------------------------------------------- MACE


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Mace(CrowdModel):
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

    _table = "coder | competence | n_judgments | spams = _spams | share = _share"
    _ordered_by = "competence"

    @property
    def _spams(self) -> list[Any]:
        return [self.categories[k] for k in self.spam.argmax(1).tolist()]

    @property
    def _share(self) -> Array:
        return np.asarray(self.spam.max(1, initial=0.0))

    competence: FloatArray
    spam: FloatArray
    trace: FloatArray = field(default_factory=lambda: np.zeros(0))
    reached: FloatArray = field(default_factory=lambda: np.zeros(0))
    smoothing: float

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
    if problem is None:
        return Mace(
            **common,
            competence=np.full(C, math.nan),
            spam=np.full((C, K), math.nan),
            n_judgments=np.zeros(C, np.int64),
            posterior=np.full((judgments.rows.n_rows, K), math.nan),
            undefined=NO_JUDGMENTS,
        )
    voted = problem.vote()
    judged = voted.counts[:C].sum((1, 2))
    coders = _Coders(C, K, judged, reference is not None, smoothing)
    model = Model(coders.parameters, coders.maximise, coders.penalty)

    def drawn(rng: np.random.Generator) -> _Spam:
        return _Spam(rng.random(C), rng.dirichlet(np.ones(K), C))

    starts = from_starts(
        lambda start, settings: climb(problem, model, start, K, settings),
        coders.maximise(_Spam(np.full(C, 0.5), np.full((C, K), 1 / K)), voted),
        [partial(drawn, seed) for seed in seeds],
        settings,
    )
    best = starts.best
    table = coders.parameters(best.state).table[:C]
    return Mace(
        **common,
        competence=np.where(judged > 0, 1 - best.state.often, math.nan),
        spam=np.where(judged[:, None] > 0, best.state.says, math.nan),
        n_judgments=np.rint(judged).astype(np.int64),
        posterior=posteriors(judgments.rows, Parameters(np.full(K, 1 / K), table))[0],
        **best.parts(),
        reached=starts.reached,
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
        often = ratio(total + self.smoothing, self.judged + 2 * self.smoothing)
        whole = (total + self.n_categories * self.smoothing)[:, None]
        says = np.nan_to_num(ratio(spam + self.smoothing, whole), nan=1 / self.n_categories)
        return _Spam(np.minimum(np.nan_to_num(often, nan=0.5), 1.0), says)

    def penalty(self, at: _Spam) -> float:
        if not self.smoothing:
            return 0.0
        judged = self.judged > 0
        logs = np.log(at.often[judged]) + np.log1p(-at.often[judged])
        return self.smoothing * float(logs.sum() + np.log(at.says[judged]).sum())


# ---------------------------------------------------------------------- GLAD

#: The mean of the priors of abilities and of logarithms of easiness, whose standard deviation is 1.
CENTRE = 1.0


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Glad(CrowdModel):
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

    _table = "coder | ability | n_judgments"
    _ordered_by = "ability"

    ability: FloatArray
    difficulty: FloatArray
    objective: float

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
    best: Any = minimize(  # type: ignore[call-overload]
        lambda at: problem.lost(at)[:2],
        np.full(problem.n_coders + problem.n_items, CENTRE),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iterations, "gtol": tolerance, "ftol": 0.0, "maxfun": 10**9},
    )
    lost, slopes, posterior, log_likelihood = problem.lost(best.x)
    alpha, log_beta = problem.split(best.x)
    n_judgments = np.bincount(problem.coder, problem.weight[problem.item], problem.n_coders)
    # Of many judgments, no step leads higher before slopes are as small as the tolerance: curves
    # are as steep as there are judgments, and the objective has 53 bits.
    least = max(100 * tolerance, math.sqrt(np.finfo(float).eps * abs(lost) * n_judgments.sum()))
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
        converged=bool(best.success or np.abs(slopes).max(initial=0.0) <= least),
    )


class _Problem:
    """The judgments as arrays, and the objective."""

    def __init__(self, judgments: Judgments) -> None:
        rows = judgments.rows
        self.item, self.coder, label = judgments_of(rows)
        self.label = label.astype(np.int64)
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


# ---------------------------------------------------------------------- CROWDLAB

#: The least error of the most common label, and the least weight.
LEAST = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Crowdlab(CrowdModel):
    """Labels of N items from judgments and a classifier, and how much each coder counts.

    Attributes
    ----------
    items, coders, categories : sequences of labels
    labels : tuple
        The most probable label of each item, with the weights that majorities give.
    confidence : float64 array of shape (N,)
        Its probability, with the weights that these labels give.
    posterior : float64 array of shape (N, K)
    n_judgments : int64 array of shape (N,)
    agreement : float64 array of shape (C,)
        How often a coder agrees with another one; the mean of the others for coders who share no
        item with anybody.
    weight : float64 array of shape (C,)
        How much a judgment of each coder counts.
    classifier_weight : float
        How much the classifier counts for an item.
    log_likelihood : float
        NaN: the weights maximise none.
    undefined : None
        CROWDLAB has labels, or raises an error.

    Notes
    -----
    A judgment gives its label the probability P, the mean share of an item's judgments that give
    its majority label, and the others the same share of the rest. The posterior is the mean of
    these and the classifier's probabilities, weighted: a coder by 1 − e/e₀, where e is how often
    they disagree with others and e₀ how often the most common label is wrong, and the classifier in
    the same way by its errors, times the root of the mean number of judgments. Right is first the
    majority, in which the classifier decides ties, and then, once, the label that follows.

    References
    ----------
    Goh, H. W., Tkachenko, U., & Mueller, J. (2022). CROWDLAB: supervised learning to infer
    consensus labels and quality scores for data with multiple annotators. arXiv:2210.06812.

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [("x", "x", "y"), ("y", "y", "y"), ("x", "y", None), ("y", "y", "x")]
    >>> classifier = [(0.9, 0.1), (0.2, 0.8), (0.3, 0.7), (0.1, 0.9)]
    >>> model = aggregate(table, "crowdlab", probabilities=classifier).model
    >>> model.labels, model.confidence.round(3).tolist()
    (('x', 'y', 'y', 'y'), [0.9, 0.8, 0.7, 0.9])
    """

    _caption = (
        "Crowdlab: {items:item}, {coders:coder}, weight of the classifier {classifier_weight:.4g}"
    )
    _table = "item | label | confidence | n_judgments"
    _ordered_by = "confidence"
    _what = "item"

    labels: tuple[Any, ...]
    confidence: FloatArray
    agreement: FloatArray
    weight: FloatArray
    classifier_weight: float

    _column_names = "item=items label=labels confidence n_judgments"


def fit_crowdlab(data: JudgmentsLike, probabilities: Any) -> Crowdlab:
    """Weigh the coders and the classifier, twice. O(judgments · K)."""
    annotations = as_annotations(data)
    coders = annotations.known_coders("CROWDLAB")
    categories = annotations.categories
    model = _probabilities(probabilities, categories, annotations.n_rows)
    codes = dense(annotations.rows, len(coders)).astype(np.int64)
    seen = codes >= 0
    n = seen.sum(1)
    weights = annotations.rows.weights
    each = np.ones(len(n)) if weights is None else weights.astype(np.float64)
    several = (n > 1) & (each > 0)
    if not several.any():
        raise InputError("CROWDLAB needs an item with two judgments", argument="data")
    K = len(categories)
    votes = np.zeros((len(n), K))
    np.add.at(votes, (np.nonzero(seen)[0], codes[seen]), 1.0)
    tops = votes == votes.max(1, keepdims=True)
    majority = np.where(tops, model, -1.0).argmax(1)
    agreement = _agreement(codes, votes, n, each)
    mean = float(np.average(n[n > 0], weights=each[n > 0]))
    rows, labels = np.nonzero(seen)[0], codes[seen]

    def weighed(consensus: Array) -> tuple[FloatArray, FloatArray, float]:
        """Return the posterior with the weights that these labels give, and the weights."""
        over = consensus[several]
        same = (seen & (codes == consensus[:, None])).sum(1)
        share = float(np.average(same[several] / n[several], weights=each[several]))
        common = np.bincount(over, each[several], K).argmax()
        worst = max(float(np.average(over != common, weights=each[several])), LEAST)
        weight = np.maximum(1 - (1 - agreement) / worst, LEAST)
        error = float(np.average(model[several].argmax(1) != over, weights=each[several]))
        of_model = max(1 - error / worst, LEAST) * math.sqrt(mean)
        own = np.where(seen, weight, 0.0)
        rest = (1 - share) / max(K - 1, 1)
        posterior = model * of_model + rest * own.sum(1, keepdims=True)
        np.add.at(posterior, (rows, labels), (share - rest) * own[seen])
        return posterior / (of_model + own.sum(1, keepdims=True)), weight, of_model

    best = weighed(majority)[0].argmax(1)
    posterior, weight, of_model = weighed(best)
    return Crowdlab(
        items=annotations.items,
        coders=coders,
        categories=categories,
        labels=tuple(categories[k] for k in best.tolist()),
        confidence=posterior[np.arange(len(best)), best],
        posterior=posterior,
        n_judgments=n.astype(np.int64),
        agreement=agreement,
        weight=weight,
        classifier_weight=of_model,
    )


def _agreement(codes: Array, votes: FloatArray, n: Array, each: FloatArray) -> FloatArray:
    """Return how often each coder agrees with another judgment of the item."""
    seen = codes >= 0
    others = np.where(seen, np.take_along_axis(votes, np.maximum(codes, 0), 1) - 1, 0.0)
    pairs = ((n - 1)[:, None] * seen * each[:, None]).sum(0)
    result = ratio((others * each[:, None]).sum(0), pairs)
    result[np.isnan(result)] = np.nanmean(result)
    return result


def _probabilities(given: Any, categories: Categories, n_rows: int) -> FloatArray:
    """Return the classifier's probabilities in the order of the categories."""
    names = list(getattr(given, "columns", ()))
    try:
        result = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError("probabilities must be numbers", argument="probabilities") from None
    if result.shape != (n_rows, len(categories)):
        raise InputError(
            f"probabilities must have a row for each of {n_rows} items and a column for each of"
            f" {len(categories)} categories, got shape {result.shape}",
            argument="probabilities",
        )
    if names and set(names) == set(categories):
        result = result[:, [names.index(label) for label in categories]]
    if not ((result >= 0).all() and np.allclose(result.sum(1), 1, atol=1e-6)):
        raise InputError(
            "probabilities must be 0 or more and add up to 1 in each row", argument="probabilities"
        )
    return result


#: The share of the others' agreement beyond chance that is enough.
ENOUGH = 0.5
#: The share of judgments with one label from which a reason names it.
ALWAYS = 0.95


@dataclass(frozen=True, eq=False)
class Compared:
    """Judgments whose item has a majority of the others: arrays of shape (n,).

    Attributes
    ----------
    item, coder, label, majority : int64
        Codes.
    weight : float64
        The items that one stands for.
    """

    item: Array
    coder: Array
    label: Array
    majority: Array
    weight: FloatArray


def suspects(
    compared: Compared, n_coders: int, categories: Sequence[Any], confidence_level: float
) -> tuple[list[str | None], FloatArray]:
    """Return why each coder is suspect, None for others, and Holm's adjusted p-values."""
    from scipy.special import bdtr

    item, coder, weight = compared.item, compared.coder, compared.weight
    agrees = weight * (compared.label == compared.majority)
    n = np.bincount(coder, weight, n_coders).astype(np.int64)
    n_agreeing = np.bincount(coder, agrees, n_coders)
    chance, most, common = _chance(compared, n, len(categories))
    # What each judgment agrees beyond chance, what it could, and both of the others of its item
    beyond, left = agrees - weight * chance[coder], weight * (1 - chance[coder])
    n_items = int(item.max(initial=-1)) + 1

    def of_others(own: FloatArray) -> FloatArray:
        others = np.bincount(item, own, n_items)[item] - own
        return np.asarray(np.bincount(coder, others, n_coders), np.float64)

    usual = np.fmin(ratio(of_others(beyond), of_others(left)), ratio(beyond.sum(), left.sum()))
    needed = chance + (1 - chance) * ENOUGH * np.clip(np.nan_to_num(usual), 0.0, 1.0)
    p = np.where(n > 0, bdtr(n_agreeing, n, np.minimum(needed, 1.0)), np.nan)
    adjusted = np.array(holm(p.tolist()))
    level = 1 - confidence_level
    reasons: list[str | None] = [None] * n_coders
    for c in np.flatnonzero(adjusted <= level).tolist():
        says = f"agrees with the majority of the others on {n_agreeing[c] / n[c]:.0%} of"
        says += f" {n[c]:,} judgments, {chance[c]:.0%} by chance"
        if most[c] >= ALWAYS * n[c]:
            label = show_label(categories[int(common[c])])
            says += f"; gives {label} in {most[c] / n[c]:.0%} of them"
        elif bdtr(n_agreeing[c], n[c], chance[c]) <= level:
            says += "; less than by chance: labels may be swapped"
        reasons[c] = says
    return reasons, adjusted


def _chance(
    compared: Compared, n: Array, n_categories: int
) -> tuple[FloatArray, FloatArray, Array]:
    """Return each coder's agreement by chance, and the count and code of the usual label."""
    coder, weight = compared.coder, compared.weight
    given, of_others = (coder * n_categories + of for of in (compared.label, compared.majority))
    place = np.concatenate([given, of_others])
    keys = np.arange(len(n) * n_categories)
    if len(keys) > len(place):
        keys, place = np.unique(place, return_inverse=True)
    own = np.bincount(place[: len(coder)], weight, len(keys))
    majority = np.bincount(place[len(coder) :], weight, len(keys))
    who = keys // max(n_categories, 1)
    order = np.lexsort((own, who))
    last = np.flatnonzero(np.diff(who[order], append=-1) != 0)
    most, common = np.zeros(len(n)), np.zeros(len(n), np.int64)
    most[who[order][last]] = own[order][last]
    common[who[order][last]] = keys[order][last] % max(n_categories, 1)
    return ratio(np.bincount(who, own * majority, len(n)), n.astype(np.float64) ** 2), most, common

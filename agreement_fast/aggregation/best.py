"""The best labels of the items, by votes or by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast.aggregation.climb import Model, climb, never_errs, with_gold_coder
from agreement_fast.aggregation.mace import Mace, fit_mace
from agreement_fast.aggregation.one_accuracy import OneAccuracy, fit_one_accuracy
from agreement_fast.aggregation.votes import Votes
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import DawidSkene, Judgments, dawid_skene
from agreement_fast.latent.dawid_skene import shaken
from agreement_fast.latent.em import Fit, Parameters, maximise
from agreement_fast.latent.judgments import check_options
from agreement_fast.latent.models import fields, n_best, prepare
from agreement_fast.options import generator


def dawid_skene_with_gold(
    judgments: Judgments,
    reference: Array,
    *,
    smoothing: float,
    tolerance: float,
    max_iterations: int,
    n_restarts: int,
    rng: int | np.random.Generator | None,
) -> DawidSkene:
    """Fit the model to judgments and right labels together.

    Parameters
    ----------
    judgments : Judgments
    reference : int64 array of shape (N,)
        The codes of right labels; -1 if none is known.
    smoothing, tolerance, max_iterations, n_restarts, rng :
        As in `latent.dawid_skene`.

    Returns
    -------
    DawidSkene
        The log-likelihood is that of the judgments and the right labels. Its posteriors follow
        from the judgments alone.
    """
    check_options(smoothing, tolerance, max_iterations, n_restarts)
    seeds = generator(rng).spawn(n_restarts)
    K = len(judgments.categories)
    problem, distinct = prepare(judgments, K)
    together, _ = prepare(with_gold_coder(judgments, reference), K)
    fit, reached = None, [0.0]
    if problem is not None and together is not None:

        def m_step(_: Parameters, expected: Expected) -> Parameters:
            at = maximise(expected, smoothing)
            never_errs(at.table)
            return at

        def penalty(at: Parameters) -> float:
            return smoothing * float(np.log(at.table[:-1]).sum()) if smoothing else 0.0

        model = Model(lambda at: at, m_step, penalty)
        first = maximise(together.vote(), smoothing)
        starts = [first, *(shaken(first, seed) for seed in seeds)]
        for start in starts:
            never_errs(start.table)
        found = [
            climb(together, model, start, K, tolerance=tolerance, max_iterations=max_iterations)
            for start in starts
        ]
        reached = [one.reached for one in found]
        best = max(found, key=lambda one: one.reached)
        fit = Fit(
            Parameters(best.state.shares, best.state.table[:-1].copy()),
            best.expected.counts[:-1].sum(1),
            best.log_likelihood,
            best.trace,
            best.converged,
        )
    return DawidSkene(
        **fields(
            judgments,
            problem,
            distinct,
            fit,
            n_classes=K,
            smoothing=smoothing,
            tolerance=tolerance,
            max_iterations=max_iterations,
            n_starts=n_restarts + 1,
            n_best_starts=n_best(reached),
        )
    )


#: Posteriors this near to the largest one, as a share of it, are no less probable.
EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Best:
    """The best labels of the items.

    `item` and `label` list them; an item whose best labels tie occurs several times.
    """

    model: OneAccuracy | DawidSkene | Mace
    item: Array
    label: Array
    #: The confidence of the best labels of each item, NaN if there is none.
    confidence: FloatArray
    posterior: FloatArray | None
    #: P(label) of each entry of the votes; None for a majority.
    of_votes: FloatArray | None

    def first(self, n_items: int) -> Array:
        """Return the first best label of each item; -1 if there is none."""
        out = np.full(n_items, -1, np.int64)
        out[self.item[::-1]] = self.label[::-1]
        return out


def by_votes(votes: Votes) -> Best:
    model = fit_one_accuracy(votes)
    top = votes.is_top
    item, label = votes.item[top], votes.label[top]
    share = np.divide(
        votes.most, votes.n_judgments, out=np.full(votes.n_items, np.nan),
        where=votes.n_judgments > 0,
    )  # fmt: skip
    posterior = np.full(votes.n_items, np.nan)
    posterior[item] = model.posterior(votes)[top]
    return Best(model, item, label, share, posterior, None)


def by_model(
    method: str, judgments: Judgments, reference: Array | None, votes: Votes,
    options: dict[str, Any],
) -> Best:  # fmt: skip
    model: DawidSkene | Mace
    if method == "mace":
        model = fit_mace(judgments, reference, **options)
    elif reference is None:
        model = dawid_skene(judgments, **options)
    else:
        model = dawid_skene_with_gold(judgments, reference, **options)
    posterior = np.where(votes.n_judgments[:, None] > 0, model.posterior, np.nan)
    most = posterior.max(1, initial=0.0)
    item, label = np.nonzero(posterior >= (most * (1 - EQUAL))[:, None])
    of_votes = posterior[votes.item, votes.label]
    return Best(model, item, label, most, None, of_votes)

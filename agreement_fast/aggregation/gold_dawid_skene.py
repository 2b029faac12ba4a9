"""Dawid & Skene with items whose class is known."""

from __future__ import annotations

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast.aggregation.climb import Model, climb
from agreement_fast.aggregation.gold_coder import never_errs, with_gold_coder
from agreement_fast.arrays import Array
from agreement_fast.latent import DawidSkene, Judgments
from agreement_fast.latent.dawid_skene import shaken
from agreement_fast.latent.em import Fit, Parameters, maximise
from agreement_fast.latent.models import fields, n_best, prepare
from agreement_fast.latent.options import check_options
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

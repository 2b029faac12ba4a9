"""The best labels of the items, by votes or by a model, and how well coders meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast.aggregation.mace import (
    Mace,
    Model,
    climb,
    fit_mace,
    never_errs,
    with_gold_coder,
)
from agreement_fast.aggregation.votes import OneAccuracy, Votes, fit_one_accuracy
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import DawidSkene, Judgments, dawid_skene
from agreement_fast.latent.em import Fit, Parameters, check_options, maximise
from agreement_fast.latent.latent_classes import shaken
from agreement_fast.latent.models import fields, n_best, prepare
from agreement_fast.options import generator
from agreement_fast.tables import Row, Tabular
from agreement_fast.terminal import align, show_label, show_value


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


#: Coders that are printed.
SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CoderQuality(Tabular):
    """The coders, and which share of their judgments is right: arrays of shape (C,).

    Attributes
    ----------
    coders : sequence of labels
    measured_by : str
        What judgments are compared with: the majority of the other coders, or a model's posterior.
    n_judgments : int64
    n_compared : float64
        Judgments that count in `accuracy`.
    accuracy : float64
        NaN if nothing is compared.
    low, high : float64
        Wilson's interval; what a model expects counts as if it were known.
    competence : float64 or None
        Of MACE.
    n_gold : int64 or None
        Judgments of gold items.
    gold_accuracy, gold_low, gold_high : float64 or None
        The share of these that gives the gold label.
    confidence_level : float
    """

    coders: Sequence[Any]
    measured_by: str
    n_judgments: Array
    n_compared: Array
    accuracy: FloatArray
    low: FloatArray
    high: FloatArray
    competence: FloatArray | None
    n_gold: Array | None
    gold_accuracy: FloatArray | None
    gold_low: FloatArray | None
    gold_high: FloatArray | None
    confidence_level: float

    def __len__(self) -> int:
        return len(self.coders)

    @property
    def worst_first(self) -> Array:
        """The places of the coders, from the one whose `high` is least; unknown ones last.

        By the upper end of the interval, so that one wrong judgment makes nobody the worst.
        """
        return np.argsort(self.high, kind="stable")

    def columns(self) -> dict[str, Any]:
        """Give a row for each coder, the worst first."""
        order = self.worst_first
        more = {
            name: getattr(self, name)[order]
            for name in ("competence", "n_gold", "gold_accuracy", "gold_low", "gold_high")
            if getattr(self, name) is not None
        }
        return {
            "coder": [self.coders[c] for c in order.tolist()],
            "n_judgments": self.n_judgments[order],
            "n_compared": self.n_compared[order],
            "accuracy": self.accuracy[order],
            "low": self.low[order],
            "high": self.high[order],
            **more,
        }

    def __repr__(self) -> str:
        known = self.accuracy[~np.isnan(self.accuracy)]
        shown = f"{known.min():.4g} to {known.max():.4g}" if len(known) else "unknown"
        return f"<{len(self)} coders, accuracy by {self.measured_by}: {shown}>"

    def __str__(self) -> str:
        """The worst coders."""
        found = self.columns()
        names: list[str] = [
            name for name in ("accuracy", "low", "high", "competence") if name in found
        ]
        names += ["gold_accuracy"] if "gold_accuracy" in found else []
        rows = [
            (
                show_label(found["coder"][i]),
                *(show_value(float(found[name][i])) for name in names),
                str(found["n_judgments"][i]),
            )
            for i in range(min(SHOWN, len(self)))
        ]
        head = ("coder", *(name.replace("_", " ") for name in names), "judgments")
        lines = align(head, rows, "<" + ">" * (len(head) - 1))
        if len(self) > SHOWN:
            lines.append(f"  ... and {len(self) - SHOWN:,} more coders")
        return "\n".join([repr(self)[1:-1], *lines])


def wilson(
    successes: Array, n: Array, confidence_level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give shares and Wilson's intervals (1927); NaN where n is 0.

    Parameters
    ----------
    successes, n : float64 arrays of the same shape
    confidence_level : float

    Returns
    -------
    share, low, high : float64 arrays
    """
    z2 = NormalDist().inv_cdf((1 + confidence_level) / 2) ** 2
    n = np.where(n > 0, n, np.nan)
    share = successes / n
    middle = (successes + z2 / 2) / (n + z2)
    reach = np.sqrt(z2 * np.maximum(share * (1 - share) * n + z2 / 4, 0)) / (n + z2)
    return share, np.maximum(middle - reach, 0), np.minimum(middle + reach, 1)


@dataclass(frozen=True, slots=True)
class GoldCheck(Row):
    """How often the labels are right that the items would have if no gold were known.

    Attributes
    ----------
    n_items : int
        Items that have a gold label and a judgment, weights counted.
    n_right, n_tied : int
        Those whose label is the gold label, and those where labels tie.
    accuracy, low, high : float
        n_right / n_items, and Wilson's interval; NaN without such items.
    confidence_level : float
    """

    n_items: int
    n_right: int
    n_tied: int
    accuracy: float
    low: float
    high: float
    confidence_level: float


def check_gold(votes: Votes, before: Best, reference: Array, confidence_level: float) -> GoldCheck:
    """Compare the labels that items have without gold, `before`, with their gold labels."""
    first = before.first(votes.n_items)
    tied = np.bincount(before.item, minlength=votes.n_items) > 1
    looked = (reference >= 0) & (first >= 0)
    right = looked & ~tied & (first == reference)
    n = float(votes.each[looked].sum())
    n_right = float(votes.each[right].sum())
    share, low, high = wilson(np.array(n_right), np.array(n), confidence_level)
    return GoldCheck(
        n_items=int(n),
        n_right=int(n_right),
        n_tied=int(votes.each[looked & tied].sum()),
        accuracy=float(share),
        low=float(low),
        high=float(high),
        confidence_level=confidence_level,
    )

"""The best labels of the items, by votes or by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.aggregation.gold_dawid_skene import dawid_skene_with_gold
from agreement_fast.aggregation.mace import Mace, fit_mace
from agreement_fast.aggregation.one_accuracy import OneAccuracy, fit_one_accuracy
from agreement_fast.aggregation.votes import Votes
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import DawidSkene, Judgments, dawid_skene

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

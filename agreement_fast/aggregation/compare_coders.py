"""Coders held against what their items probably are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast.aggregation.best import Best
from agreement_fast.aggregation.coders import CoderQuality, wilson
from agreement_fast.aggregation.mace import Mace
from agreement_fast.aggregation.votes import Votes
from agreement_fast.arrays import Array
from agreement_fast.diagnostics.gold import others_majority
from agreement_fast.patterns import Rows, as_lists


def compare_coders(
    coders: Sequence[Any],
    rows: Rows,
    votes: Votes,
    best: Best,
    reference: Array | None,
    confidence_level: float,
) -> CoderQuality:
    """Compare each coder with the majority of the others, or with the model's posteriors."""
    C, K = len(coders), votes.n_categories
    lists = as_lists(rows)
    assert lists.coders is not None
    coder, label = lists.coders, lists.codes
    item = np.repeat(np.arange(lists.n_rows), np.diff(lists.start))
    weight = votes.each[item].astype(np.float64)
    n_judgments = np.bincount(coder, weight, C)
    if best.of_votes is None:
        requested = others_majority(lists, K)
        right, counted = (requested == label).astype(np.float64), requested >= 0
        measured_by = "the majority of the others"
    else:
        place = np.searchsorted(votes.item * K + votes.label, item * K + label)
        right = best.of_votes[place]
        measured_by = "MACE" if isinstance(best.model, Mace) else "Dawid & Skene"
        if reference is not None:
            known = reference[item]
            right = np.where(known >= 0, known == label, right)
        counted = ~np.isnan(right)
    n_compared = np.bincount(coder[counted], weight[counted], C)
    n_right = np.bincount(coder[counted], (weight * right)[counted], C)
    accuracy, low, high = wilson(n_right, n_compared, confidence_level)
    gold: dict[str, Any] = dict.fromkeys(("n_gold", "gold_accuracy", "gold_low", "gold_high"))
    if reference is not None:
        known = reference[item]
        told = known >= 0
        n_gold = np.bincount(coder[told], weight[told], C)
        same = told & (known == label)
        shares = wilson(np.bincount(coder[same], weight[same], C), n_gold, confidence_level)
        gold = dict(zip(gold, (n_gold.astype(np.int64), *shares), strict=True))
    return CoderQuality(
        coders=coders,
        measured_by=measured_by,
        n_judgments=n_judgments.astype(np.int64),
        n_compared=n_compared,
        accuracy=accuracy,
        low=low,
        high=high,
        competence=best.model.competence if isinstance(best.model, Mace) else None,
        **gold,
        confidence_level=confidence_level,
    )

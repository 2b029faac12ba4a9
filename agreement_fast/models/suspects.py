"""Coders who agree with the others so little that they may not have looked at the items.

A coder is honest if they agree with the majority of the others, beyond chance, at least half as
much as the other coders do on the same items. For a coder who agrees in a of n such judgments,

    p = P(Binomial(n, e + (1 − e) g/2) ≤ a),

where e is the agreement by chance, from how often the coder gives each label and how often each is
the majority, and g the share of what chance leaves that the other coders agree on the same items,
or all coders on all items if that is less. With Holm's adjustment for the number of coders, at most
1 − `confidence_level` of honest crowds have a suspect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.inference.hypotheses import holm
from agreement_fast.present.terminal import show_label

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
    keys, place = np.unique(np.concatenate([given, of_others]), return_inverse=True)
    said = np.bincount(place[: len(coder)], weight, len(keys))
    majority = np.bincount(place[len(coder) :], weight, len(keys))
    who = keys // max(n_categories, 1)
    chance = ratio(np.bincount(who, said * majority, len(n)), n.astype(np.float64) ** 2)
    order = np.lexsort((said, who))
    last = np.flatnonzero(np.diff(who[order], append=-1) != 0)
    most, common = np.zeros(len(n)), np.zeros(len(n), np.int64)
    most[who[order][last]] = said[order][last]
    common[who[order][last]] = keys[order][last] % max(n_categories, 1)
    return chance, most, common

"""Slow and plain: the models as loops over judgments, and majorities by listing them."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np


def modes(labels):
    """The most frequent labels."""
    counts = Counter(labels)
    most = max(counts.values(), default=0)
    return {label for label, n in counts.items() if n == most}


def mace_em(rows, n_coders, n_categories, often, says, *, smoothing, gold=(), steps):
    """EM of MACE; rows are lists of (coder, category), `gold` maps a row to its category.

    Returns the parameters, the penalised log-likelihood before each step, and the posteriors.
    """
    gold = dict(gold)
    often, says = list(often), [list(one) for one in says]
    judged = Counter(c for row in rows for c, _ in row)
    trace, posterior = [], []
    for step in range(steps + 1):
        total, posterior = 0.0, []
        spam = [[0.0] * n_categories for _ in range(n_coders)]
        known = [0.0] * n_coders
        for i, row in enumerate(rows):
            joint = []
            for t in range(n_categories):
                p = 1 / n_categories
                for c, k in row:
                    p *= often[c] * says[c][k] + (1 - often[c]) * (k == t)
                joint.append(0.0 if i in gold and gold[i] != t else p)
            total += math.log(sum(joint))
            posterior.append([p / sum(joint) for p in joint])
            for c, k in row:
                either = often[c] * says[c][k] + 1 - often[c]
                knew = posterior[i][k] * (1 - often[c]) / either
                known[c] += knew
                spam[c][k] += 1 - knew
        for c in judged:
            if smoothing:
                total += smoothing * (math.log(often[c]) + math.log(1 - often[c]))
                total += smoothing * sum(map(math.log, says[c]))
        trace.append(total)
        if step == steps:
            break
        for c in judged:
            often[c] = (sum(spam[c]) + smoothing) / (judged[c] + 2 * smoothing)
            whole = sum(spam[c]) + n_categories * smoothing
            says[c] = [(x + smoothing) / whole for x in spam[c]]
    return often, says, trace, np.array(posterior)


def mace_start(rows, n_coders, n_categories, *, smoothing, gold=()):
    """One M-step from each item's shares of labels, a gold label being one more judgment."""
    gold = dict(gold)
    spam = [[0.0] * n_categories for _ in range(n_coders)]
    judged = Counter(c for row in rows for c, _ in row)
    for i, row in enumerate(rows):
        said = [k for _, k in row] + ([gold[i]] if i in gold else [])
        for c, k in row:
            knew = said.count(k) / len(said) * 0.5 / (0.5 / n_categories + 0.5)
            spam[c][k] += 1 - knew
    often = [(sum(one) + smoothing) / (judged[c] + 2 * smoothing) if judged[c] else 0.5
             for c, one in enumerate(spam)]  # fmt: skip
    says = [[(x + smoothing) / (sum(one) + n_categories * smoothing) for x in one] for one in spam]
    return often, says


def dawid_skene_em(rows, n_coders, n_categories, gold, steps, smoothing=0.0):
    """EM of Dawid & Skene with known classes; from the votes, in which a gold label is one more."""
    gold = dict(gold)
    posterior = []
    for i, row in enumerate(rows):
        said = [k for _, k in row] + ([gold[i]] if i in gold else [])
        posterior.append([said.count(k) / len(said) for k in range(n_categories)])
    trace = []
    for _ in range(steps):
        shares = np.mean(posterior, 0)
        table = np.full((n_coders, n_categories, n_categories), smoothing)  # coder, class, label
        for row, p in zip(rows, posterior, strict=True):
            for c, k in row:
                table[c, :, k] += p
        whole = table.sum(2, keepdims=True)
        table = np.divide(table, whole, out=np.zeros_like(table), where=whole > 0)
        total, posterior = 0.0, []
        for i, row in enumerate(rows):
            joint = shares.copy()
            for c, k in row:
                joint = joint * table[c, :, k]
            if i in gold:
                joint = joint * (np.arange(n_categories) == gold[i])
            total += math.log(joint.sum())
            posterior.append(joint / joint.sum())
        trace.append(total + (smoothing * np.log(table).sum() if smoothing else 0.0))
    return shares, table, trace


def stability(items, size):
    """(same, tied, other) by listing the sets of `size` judgments; items that tie are left out."""
    result = []
    for labels in items:
        whole = modes(labels)
        if len(whole) != 1 or len(labels) < size:
            continue
        sets = [modes(some) for some in itertools.combinations(labels, size)]
        same = sum(one == whole for one in sets)
        tied = sum(len(one) > 1 for one in sets)
        result.append((same / len(sets), tied / len(sets), 1 - (same + tied) / len(sets)))
    return np.mean(result, 0), len(result)


def majority_is_right(p, n_categories, n):
    """P(the majority of n judgments is label 0), ties shared, by listing what they may be."""
    total = 0.0
    for said in itertools.product(range(n_categories), repeat=n):
        chance = math.prod(p if k == 0 else (1 - p) / (n_categories - 1) for k in said)
        best = modes(said)
        total += chance * (0 in best) / len(best)
    return total

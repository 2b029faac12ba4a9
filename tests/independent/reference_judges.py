"""The alternative annotator test, errors of judges and their correlation, judgment by judgment."""

import math

import numpy as np
from scipy.stats import false_discovery_control, ttest_1samp

SCORES = {
    "nominal": lambda label, others: np.mean([label == other for other in others]),
    "interval": lambda label, others: -math.sqrt(np.mean([(label - o) ** 2 for o in others])),
    "linear": lambda label, others: -np.mean([abs(label - other) for other in others]),
}


def duels(rows, weights, said, score):
    """For each person the pairs (model wins, person wins), a pair for each item."""
    out = {}
    for row, w, label in zip(rows, weights, said, strict=True):
        judged = {c: own for c, own in enumerate(row) if own is not None}
        if label is None or not w or len(judged) < 2:
            continue
        for c, own in judged.items():
            others = [other for d, other in judged.items() if d != c]
            model, person = score(label, others), score(own, others)
            level = math.isclose(model, person, rel_tol=1e-9)
            pair = (model > person or level, person > model or level)
            out.setdefault(c, []).extend([pair] * w)
    return out


def alternative_annotator_test(rows, weights, said, score, epsilon, q, min_items):
    """By person: ρ_f, ρ_h and p; then the winning rate and ρ."""
    people = {}
    for c, pairs in duels(rows, weights, said, score).items():
        model, person = (np.array(side, float) for side in zip(*pairs, strict=True))
        p = None
        if len(pairs) >= min_items:
            gap = person - model
            if np.ptp(gap) == 0:
                p = 0.0 if gap[0] < epsilon else 1.0
            else:
                p = ttest_1samp(gap, epsilon, alternative="less").pvalue
        people[c] = (len(pairs), model.mean(), person.mean(), p)
    tested = [one for one in people.values() if one[3] is not None]
    if not tested:
        return people, None, None
    adjusted = false_discovery_control([one[3] for one in tested], method="by")
    return people, np.mean(adjusted <= q), np.mean([one[1] for one in tested])


def phi(first, second):
    """Pearson's r of two lists, None if one does not vary."""
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return np.corrcoef(first, second)[0, 1]

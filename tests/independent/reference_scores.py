"""Precision, recall, F1 and the majority, judgment by judgment."""

import math
from collections import Counter

from scipy.optimize import brentq
from scipy.stats import norm


def wilson(correct, n, level=0.95):
    """Both ends: the means m whose distance from correct / n is z standard errors."""
    if not n:
        return math.nan, math.nan
    z, share = norm.ppf((1 + level) / 2), correct / n

    def gap(m):
        return (share - m) ** 2 - z * z * m * (1 - m) / n

    # 0 and 1 are themselves roots if all are wrong or correct.
    low = 0.0 if correct == 0 else brentq(gap, 0, share - 1e-12, xtol=1e-14)
    high = 1.0 if correct == n else brentq(gap, share + 1e-12, 1, xtol=1e-14)
    return low, high


def majority(labels):
    """The label that most gave, or None."""
    counts = Counter(label for label in labels if label is not None).most_common()
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def scores(pairs):
    """Precision, recall, F1 and how often it is right, of each category of (said, right, weight).

    None if it is a share of nothing.
    """
    out = {}
    for k in {one for said, right, w in pairs if w for one in (said, right)}:
        hit = sum(w for said, right, w in pairs if said == right == k)
        n_said = sum(w for said, _, w in pairs if said == k)
        n_right = sum(w for _, right, w in pairs if right == k)
        out[k] = {
            "precision": hit / n_said if n_said else None,
            "recall": hit / n_right if n_right else None,
            "f1": 2 * hit / (n_said + n_right),
            "right": n_right,
        }
    return out


def average(pairs, measure, kind):
    """The mean of a measure over categories that have it, weighted by what is right or not."""
    result = [one for one in scores(pairs).values() if one[measure] is not None]
    weights = [one["right"] if kind == "weighted" else 1 for one in result]
    if not sum(weights):
        return None
    values = [one[measure] * w for one, w in zip(result, weights, strict=True)]
    return math.fsum(values) / sum(weights)

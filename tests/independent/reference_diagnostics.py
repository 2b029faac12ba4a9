"""Diagnosis straight from the definitions: Fractions over judgments, nothing of the package.

Items are dicts from coder to label, as in `reference`; a distance is one of `reference`'s.
"""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import reference


def item_disagreement(item, d):
    """The mean distance of two judgments of an item; None under two."""
    n = len(item)
    if n < 2:
        return None
    return Fraction(sum(d(a, b) for a, b in permutations(item.values(), 2))) / (n * (n - 1))


def item_shares(items, weights, item_weight, d):
    """Each item's share of D_o, its weight counted."""
    costs = []
    for item, weight in zip(items, weights, strict=True):
        apart = item_disagreement(item, d)
        factor = len(item) if item_weight == "judgments" else 1
        costs.append(Fraction(0) if apart is None else weight * factor * apart)
    total = sum(costs)
    return [cost / total for cost in costs] if total else None


def pairs(items, weights, coders, coefficient, d, categories):
    """Cells of each pair of coders that met, by the items that both judged, with their number."""
    result = {}
    for first, second in combinations(coders, 2):
        both = [
            ({0: item[first], 1: item[second]}, weight)
            for item, weight in zip(items, weights, strict=True)
            if weight and first in item and second in item
        ]
        if both:
            result[first, second] = two(both, coefficient, d, categories)
    return result


def two(both, coefficient, d, categories):
    """D_o, D_e, value and number of items of two who judged the same items."""
    chance, item_weight = reference.COEFFICIENTS[coefficient]
    observed = reference.observed_disagreement(both, item_weight, d)
    expected = reference.expected_disagreement(both, chance, d, categories)
    value = 1 - observed / expected if expected else None
    return observed, expected, value, sum(weight for _, weight in both)


def coincidences(items, weights):
    """How often two labels meet in an item, each item's pairs adding to its judgments."""
    met = Counter()
    for item, weight in zip(items, weights, strict=True):
        for a, b in permutations(item.values(), 2):
            met[a, b] += Fraction(weight, len(item) - 1)
    return met


def specific_agreement(items, weights, label):
    """How often another judgment of the item is of the label, given that one is."""
    met = coincidences(items, weights)
    total = sum(count for (a, _), count in met.items() if a == label)
    return met[label, label] / total if total else None


def renamed(items, mapping):
    """The items with some labels renamed."""
    return [{c: mapping.get(label, label) for c, label in item.items()} for item in items]


def entropy(counts):
    """Bits of a distribution given by counts."""
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n)


def divergence(counts, pool):
    """Jensen-Shannon divergence in bits, as the entropy of the mean less the mean entropy."""
    p = [Fraction(n, sum(counts)) for n in counts]
    q = [Fraction(n, sum(pool)) for n in pool]
    mean = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    bits = [-sum(float(x) * math.log2(x) for x in side if x) for side in (mean, p, q)]
    return bits[0] - (bits[1] + bits[2]) / 2


def majority(labels):
    """The most frequent label; None if there is none, or more than one."""
    top = Counter(labels).most_common(2)
    if not top or (len(top) == 2 and top[0][1] == top[1][1]):
        return None
    return top[0][0]


def against_majority(items, weights, coders, coefficient, d, categories):
    """Each coder against the majority of the others: cells and the weight of tied items."""
    result = {}
    for coder in coders:
        both, tied = [], 0
        for item, weight in zip(items, weights, strict=True):
            others = [label for other, label in item.items() if other != coder]
            if not weight or coder not in item or not others:
                continue
            expected = majority(others)
            if expected is None:
                tied += weight
            else:
                both.append(({0: item[coder], 1: expected}, weight))
        result[coder] = (two(both, coefficient, d, categories) if both else None, tied)
    return result


def model_with_people(items, weights, labels, coefficient, d, categories):
    """D_o, D_e and value of a model with people, over the items with both (two people or more)."""
    kept = [
        (item, label, weight)
        for item, label, weight in zip(items, labels, weights, strict=True)
        if weight and label is not None and len(item) > 1
    ]
    n = sum(weight for _, _, weight in kept)
    own, theirs, apart = Counter(), Counter(), Fraction(0)
    for item, label, weight in kept:
        own[label] += weight
        for other in item.values():
            theirs[other] += Fraction(weight, len(item))
            apart += Fraction(weight, len(item)) * d(label, other)
    observed = apart / n
    both = own + theirs
    chance = reference.COEFFICIENTS[coefficient][0]
    if chance == "individual":
        expected = sum(own[a] * theirs[b] * d(a, b) for a in own for b in theirs) / Fraction(n) ** 2
    elif chance == "pooled":
        expected = (
            sum(both[a] * both[b] * d(a, b) for a in both for b in both) / Fraction(2 * n) ** 2
        )
    elif chance == "pooled_unbiased":
        pairs = Fraction(2 * n * (2 * n - 1))
        expected = sum(both[a] * both[b] * d(a, b) for a in both for b in both) / pairs
    else:
        assert chance == "uniform"
        expected = Fraction(sum(d(a, b) for a in categories for b in categories))
        expected /= len(categories) ** 2
    return observed, expected, 1 - observed / expected if expected else None


def bias(items, weights, coders, d):
    """D_e of a distribution for each coder less D_e of one for all."""
    kept = [(item, weight) for item, weight in zip(items, weights, strict=True) if weight]
    kept = [({c: item[c] for c in coders if c in item}, weight) for item, weight in kept]
    individual = reference.expected_disagreement(kept, "individual", d, None)
    return individual - reference.expected_disagreement(kept, "pooled", d, None)

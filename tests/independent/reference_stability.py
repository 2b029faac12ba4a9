"""Studies over coders straight from their definitions: slow, exact, independent of the package.

Items are dicts from coder to label, as in reference.py.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import reference


def tops(item, chosen):
    """The most frequent labels among the chosen coders' judgments of an item."""
    count = Counter(label for coder, label in item.items() if coder in chosen)
    most = max(count.values(), default=0)
    return {label for label, n in count.items() if n == most}


def lower_median(item, chosen, order):
    """The label in the middle of the chosen coders' sorted judgments, the lower of two."""
    said = sorted(order.index(label) for coder, label in item.items() if coder in chosen)
    return order[said[(len(said) - 1) // 2]]


def one(item, chosen, ties, order):
    """The reference where a tie gives one label."""
    best = tops(item, chosen)
    if len(best) > 1 and ties == "median":
        return lower_median(item, chosen, order)
    return min(best, key=order.index)


def moved(item, chosen, everybody, ties, order, truth=None):
    """The part of an item's reference that is another one with the chosen coders only.

    The reference to compare with is the truth if given, else that of all coders.
    """
    some = tops(item, chosen)
    all_of_them = tops(item, everybody) if truth is None else {truth}
    if not some:
        return Fraction(1)
    if ties == "change":
        return Fraction(some != all_of_them)
    if ties == "fractional":
        return sum(
            max(
                Fraction(label in all_of_them, len(all_of_them))
                - Fraction(label in some, len(some)),
                Fraction(0),
            )
            for label in order
        )
    meant = one(item, everybody, ties, order) if truth is None else truth
    return Fraction(one(item, chosen, ties, order) != meant)


def error(items, truths, coders, size, ties, order):
    """The mean over subsets and items of the part of the reference that is not the truth."""
    parts = [
        moved(item, set(subset), set(coders), ties, order, truth)
        for subset in combinations(coders, size)
        for item, truth in zip(items, truths, strict=True)
        if truth is not None
    ]
    return sum(parts, Fraction(0)) / len(parts)


def shares(items, coders, size, ties, order, weights):
    """For each subset of a size: the share of items that moved, and that nobody in it judged."""
    kept = [(item, weight) for item, weight in zip(items, weights, strict=True) if item and weight]
    total = sum(weight for _, weight in kept)
    for subset in combinations(coders, size):
        chosen = set(subset)
        changed = sum(w * moved(item, chosen, set(coders), ties, order) for item, w in kept)
        unjudged = sum(w for item, w in kept if not chosen & set(item))
        yield Fraction(changed) / total, Fraction(unjudged, total)


def without(items, coder):
    """The same items as if a coder had not been there."""
    return [{c: label for c, label in item.items() if c != coder} for item in items]


def against_rest(items, coder, distance, weights, categories):
    """D_o and D_e of one coder against the others, on the items that both judged."""
    kept = [
        (item, weight)
        for item, weight in zip(items, weights, strict=True)
        if weight and coder in item and len(item) > 1
    ]
    total = sum(weight for _, weight in kept)
    if not total:
        return None, None, 0
    pairable = [(item, w) for item, w in zip(items, weights, strict=True) if w]
    d = distance(categories, reference.pairable_counts(pairable))
    observed, own, rest = Fraction(0), Counter(), Counter()
    for item, weight in kept:
        others = [label for c, label in item.items() if c != coder]
        own[item[coder]] += Fraction(weight, total)
        for label in others:
            rest[label] += Fraction(weight, total * len(others))
            observed += Fraction(weight, total * len(others)) * d(item[coder], label)
    expected = sum(p * q * d(a, b) for a, p in own.items() for b, q in rest.items())
    return observed, expected, total

"""Krippendorff's alpha for multi-valued data from its definition: every pair of sets is listed."""

from collections import Counter
from fractions import Fraction
from itertools import combinations


def subsets(elements, size):
    return [frozenset(some) for some in combinations(elements, size)]


def between_elements(metric, counts):
    """The distance of two elements, at most 1; `counts` in the order of the elements."""
    elements = list(counts)
    if metric == "ratio":
        return lambda c, k: Fraction(0) if c == k else Fraction(c - k, c + k) ** 2
    if metric == "nominal":
        return lambda c, k: Fraction(c != k)

    def gap(c, k):
        if metric == "interval":
            return Fraction(c - k) ** 2
        first, last = sorted((elements.index(c), elements.index(k)))
        between = sum(counts[g] for g in elements[first : last + 1])
        return (between - Fraction(counts[c] + counts[k], 2)) ** 2 if first < last else Fraction(0)

    most = max((gap(c, k) for c in elements for k in elements), default=0) or 1
    return lambda c, k: gap(c, k) / most


def between_sets(one, other, gap):
    if not one or not other:
        return Fraction(bool(one) != bool(other))
    there = Fraction(sum(gap(c, k) for c in one for k in other - one)) / len(one)
    back = Fraction(sum(gap(c, k) for k in other for c in one - other)) / len(other)
    return (there + back) / (len(one) + len(other))


def chance(counts, sizes, gap):
    """The mean distance of two sets whose sizes are drawn first, and then their elements."""
    total = Fraction(0)
    for a in sizes:
        for b in sizes:
            weights = sums = Fraction(0)
            for one in subsets(counts, a):
                for other in subsets(counts, b):
                    weight = Fraction(1)
                    for c in one | other:
                        weight *= counts[c] * (counts[c] - 1 if c in one & other else 1)
                    weights += weight
                    sums += weight * between_sets(one, other, gap)
            if weights:
                total += sizes[a] * sizes[b] * sums / weights
    return total


def parts(rows, metric="nominal"):
    """D_o and D_e of rows of sets, None where a coder is missing."""
    units = [[frozenset(one) for one in row if one is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    n = sum(map(len, units))
    result = Counter(c for unit in units for one in unit for c in one)
    counts = {c: result[c] for c in sorted(result)}
    sizes = Counter(len(one) for unit in units for one in unit)
    gap = between_elements(metric, counts)
    observed = sum(
        between_sets(unit[i], unit[j], gap) / (len(unit) - 1)
        for unit in units
        for i in range(len(unit))
        for j in range(len(unit))
        if i != j
    )
    shares = {size: Fraction(times, n) for size, times in sizes.items()}
    return Fraction(observed) / n, chance(counts, shares, gap)


def alpha(rows, metric="nominal"):
    observed, expected = parts(rows, metric)
    return float(1 - observed / expected) if expected else float("nan")

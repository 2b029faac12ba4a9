"""Studies over subsets of coders straight from their definition: slow, exact, independent."""

from fractions import Fraction
from itertools import combinations

import reference


def subsets(n_coders, size):
    """The subsets of 0, 1, ... of one size, in ascending order of their bit masks."""
    every = combinations(range(n_coders), size)
    return sorted(every, key=lambda subset: sum(1 << coder for coder in subset))


def only(items, coders):
    """The judgments of some coders; items that they did not judge stay, empty."""
    return [{c: label for c, label in item.items() if c in coders} for item in items]


def value(items, coders, coefficient, distance, *, weights, categories, incomplete):
    """A coefficient as if only some coders existed: a Fraction, or None where undefined."""
    kept = only(items, set(coders))
    order = reference.labels_of(kept) if categories is None else list(categories)
    if not order:
        return None
    cube = reference.Cube(kept, distance, weights=weights, coders=list(coders), categories=order)
    return cube.named(coefficient, incomplete).value


def quantile(values, share):
    """Linear between the two neighbours of place (n - 1) share of the sorted values."""
    values = sorted(values)
    place = (len(values) - 1) * Fraction(share)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def squared_deviation(values):
    """The mean squared distance from the mean: the square of the standard deviation."""
    mean = Fraction(sum(values), len(values))
    return sum((x - mean) ** 2 for x in values) / len(values)

"""The best alignment by its definition, in fractions, over all alignments; imports nothing of ours.

A unit is (coder, start, end, category). `distances[a, b]` is the distance of two categories.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product


def unlike(a, b, distances, alpha, beta, empty):
    apart = abs(a[1] - b[1]) + abs(a[2] - b[2])
    place = Fraction(apart, (a[2] - a[1]) + (b[2] - b[1])) ** 2 * empty
    return alpha * place + beta * distances[a[3], b[3]] * empty


def disorder(units, n_coders, *weights):
    """The disorder of a unitary alignment: the mean over pairs of coders; Δ∅ if one has no unit."""
    empty = weights[-1]
    pairs = n_coders * (n_coders - 1) // 2
    result = sum((unlike(a, b, *weights) for a, b in combinations(units, 2)), Fraction(0))
    return (result + (pairs - len(units) * (len(units) - 1) // 2) * empty) / pairs


def least_disorder(units, n_coders, *weights, soft=False):
    """The least sum of disorders that holds each unit once, or at least once, by units per coder.

    Some unitary alignment holds the first unit that is left: each of them is tried.
    """
    lanes = [[unit for unit in units if unit[0] == coder] for coder in range(n_coders)]

    @cache
    def rest(left):
        if not left:
            return Fraction(0)
        first = min(left)
        choices = []
        for lane in lanes:
            if first in lane:
                choices.append([first])
            else:
                choices.append([None, *(unit for unit in lane if soft or unit in left)])
        return min(
            cost(tuple(unit for unit in row if unit is not None)) + rest(left - set(row))
            for row in product(*choices)
        )

    @cache
    def cost(row):
        return disorder(row, n_coders, *weights)

    return rest(frozenset(units)) * n_coders / len(units)


def category_disorder(rows, distances, category=None):
    """Of aligned units: the mean distance of pairs' categories, by nearness (Mathet 2017)."""
    above = below = Fraction(0)
    for row in rows:
        for a, b in combinations(row, 2):
            if category is None or category in (a[3], b[3]):
                place = unlike(a, b, distances, 1, 0, 1)
                weight = max(Fraction(0), 1 - place) / (len(row) - 1)
                above += weight * distances[a[3], b[3]]
                below += weight
    return above / below if below else None

"""Distances between texts straight from their definitions."""

from fractions import Fraction
from functools import cache


def dice(one, other):
    if not one and not other:
        return Fraction(0)
    return 1 - Fraction(2 * len(one & other), len(one) + len(other))


def bigrams(text):
    return {text} if len(text) == 1 else {text[i : i + 2] for i in range(len(text) - 1)}


@cache
def edit(one, other):
    """The fewest edits, by what becomes of both first characters."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        edit(one[1:], other) + 1,
        edit(one, other[1:]) + 1,
        edit(one[1:], other[1:]) + (one[0] != other[0]),
    )


DISTANCES = {
    "bigram_dice": lambda a, b: dice(bigrams(a), bigrams(b)),
    "word_dice": lambda a, b: dice(set(a.split()), set(b.split())),
    "edit": edit,
    "edit_scaled": lambda a, b: Fraction(edit(a, b), max(len(a), len(b), 1)),
}

"""Distances in a tree straight from their definitions: slow, exact, independent of the package.

A tree is a dict from child to parent, None for a root. Everything walks up and down that dict.
"""

from fractions import Fraction


def up(parents, node):
    """List a node and what is above it, up to its root."""
    way = [node]
    while parents[way[-1]] is not None:
        way.append(parents[way[-1]])
    return way


def leaves(parents, node):
    """Find the leaves below a node; a leaf is its own."""
    inner = set(parents.values())
    return {leaf for leaf in parents if leaf not in inner and node in up(parents, leaf)}


def leaf_overlap(parents):
    """One less the sum over all leaves of the smaller probability (Artstein & Poesio 2008, 4.5)."""

    def distance(a, b):
        below = {node: leaves(parents, node) for node in (a, b)}
        p = {node: Fraction(1, len(below[node])) for node in (a, b)}
        return 1 - sum(
            min(p[a] if leaf in below[a] else 0, p[b] if leaf in below[b] else 0)
            for leaf in parents
        )

    return distance


def path(parents, lengths=None):
    """Sum the lengths of the edges above one node and not above the other."""
    lengths = lengths or {}

    def distance(a, b):
        return sum(Fraction(lengths.get(node, 1)) for node in {*up(parents, a)} ^ {*up(parents, b)})

    return distance


def longest_path(parents, lengths=None):
    """Find the longest way between any two nodes."""
    return max(path(parents, lengths)(a, b) for a in parents for b in parents)


def wu_palmer(parents):
    """1 - 2 N3 / (N1 + N2 + 2 N3) of Wu & Palmer 1994, counting nodes from the root on."""

    def distance(a, b):
        first, second = up(parents, a), up(parents, b)
        shared = len(set(first) & set(second))
        return 1 - Fraction(2 * shared, len(first) + len(second))

    return distance


def level_dependent(parents, step, correction=1):
    """Agreement step ** levels apart * correction ** depth, between ancestor and offspring only."""

    def distance(a, b):
        lower, upper = (a, b) if b in up(parents, a) else (b, a)
        way = up(parents, lower)
        if a == b or upper not in way:
            return Fraction(int(a != b))
        depth = len(up(parents, upper)) - 1
        return 1 - Fraction(step) ** way.index(upper) * Fraction(correction) ** depth

    return distance

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


def depth(parents, node):
    return len(up(parents, node)) - 1


def level_dependent(parents, step, correction=1, nearer=False):
    """Agreement step ** levels apart * correction ** depth, between ancestor and offspring only.

    The depth is that of the upper node, or how far it is above the deepest inner node.
    """
    inner = set(parents.values()) - {None}
    deepest = max((depth(parents, node) for node in inner), default=0)

    def distance(a, b):
        lower, upper = (a, b) if b in up(parents, a) else (b, a)
        way = up(parents, lower)
        if a == b or upper not in way:
            return Fraction(int(a != b))
        levels = deepest - depth(parents, upper) if nearer else depth(parents, upper)
        return 1 - Fraction(step) ** way.index(upper) * Fraction(correction) ** levels

    return distance


def on_leaves(parents, node):
    """A tag spread evenly over its leaves."""
    below = leaves(parents, node)
    return {leaf: Fraction(1, len(below)) for leaf in below}


def leaf_agreement(parents, rows, common):
    """A_o and A_e: what two judgments of an item share, and Σ P(leaf)² of all together."""
    rows = [[node for node in row if node is not None] for row in rows]
    rows = [row for row in rows if len(row) > 1]
    combine = min if common == "minimum" else lambda p, q: p * q
    observed, shares = Fraction(0), {}
    for row in rows:
        spread = [on_leaves(parents, node) for node in row]
        pairs = [(p, q) for i, p in enumerate(spread) for j, q in enumerate(spread) if i != j]
        alike = sum(combine(p[leaf], q[leaf]) for p, q in pairs for leaf in p.keys() & q.keys())
        observed += Fraction(alike) / len(pairs) / len(rows)
        for p in spread:
            for leaf, share in p.items():
                shares[leaf] = shares.get(leaf, 0) + share / len(row) / len(rows)
    return observed, sum(share**2 for share in shares.values())

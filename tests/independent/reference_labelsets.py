"""Distances between sets, and chains, from the definitions; imports nothing of the package."""

from fractions import Fraction
from itertools import combinations


def passonneau(a, b):
    """Passonneau 2004, as Artstein & Poesio 2005, 4.1 state it; the empty set is disjoint."""
    if a == b:
        return Fraction(0)
    if not a & b:
        return Fraction(1)
    return Fraction(1, 3) if a <= b or b <= a else Fraction(2, 3)


def weight(elements, weights=None):
    """Σ of the weights of some elements; their number without weights."""
    return sum((Fraction(1 if weights is None else weights[e]) for e in elements), Fraction(0))


def similarity(a, b, weights=None):
    """|A ∩ B| / |A ∪ B|; 1 for two empty sets."""
    return weight(a & b, weights) / weight(a | b, weights) if a | b else Fraction(1)


def jaccard(a, b, weights=None):
    """1 − J."""
    return 1 - similarity(a, b, weights)


def dice(a, b, weights=None):
    """1 − 2 |A ∩ B| / (|A| + |B|)."""
    if not a and not b:
        return Fraction(0)
    return 1 - 2 * weight(a & b, weights) / (weight(a, weights) + weight(b, weights))


def masi(a, b, weights=None):
    """1 − J·M, M being 1, 2/3, 1/3 or 0 (Passonneau 2006)."""
    return 1 - similarity(a, b, weights) * (1 - passonneau(a, b))


def masi_product(a, b, weights=None):
    """d_J · d_P (Artstein & Poesio 2008, 4.4.1)."""
    return jaccard(a, b, weights) * passonneau(a, b)


def hamming(a, b, weights=None):
    """|A △ B|."""
    return weight(a ^ b, weights)


def overlap(a, b, weights=None):
    """1 − |A ∩ B| / min(|A|, |B|)."""
    if not a or not b:
        return Fraction(0) if a == b else Fraction(1)
    smaller = min(weight(a, weights), weight(b, weights))
    # weights do not tell how sets lie: one within the other is 0, whichever is the lighter
    return Fraction(0) if a <= b or b <= a else 1 - weight(a & b, weights) / smaller


DISTANCES = {
    "passonneau": lambda a, b, weights=None: passonneau(a, b),
    "jaccard": jaccard,
    "dice": dice,
    "masi": masi,
    "masi_product": masi_product,
    "hamming": hamming,
    "overlap": overlap,
}


def subsets(elements):
    """All subsets, the empty one included."""
    return [frozenset(c) for n in range(len(elements) + 1) for c in combinations(elements, n)]


def chains(links, left_out):
    """{(document, mention): {coder: set or None}} from (document, coder, mention, antecedent).

    Chains are grown by joining sets until nothing changes.
    """
    grown = {}
    for document, coder, mention, antecedent in links:
        pair = {(document, mention)} | (set() if antecedent is None else {(document, antecedent)})
        sets = grown.setdefault(coder, [])
        apart = [s for s in sets if not s & pair]
        joined = set().union(pair, *(s for s in sets if s & pair))
        grown[coder] = [*apart, joined]
    seen = {(coder, document) for document, coder, _, _ in links}
    items = list(dict.fromkeys((document, mention) for document, _, mention, _ in links))
    table = {}
    for item in items:
        table[item] = {}
        for coder, sets in grown.items():
            of = [frozenset(s) for s in sets if item in s]
            if of:
                table[item][coder] = of[0]
            elif left_out == "empty" and (coder, item[0]) in seen:
                table[item][coder] = frozenset()
            else:
                table[item][coder] = None
    return table


def covered(span):
    """The words of (start, end) or (document, start, end), each with its document."""
    *document, start, end = span
    return frozenset((*document, word) for word in range(start, end))


def table(name, sets, weights=None):
    """All distances of some sets, rounded to floats."""
    distance = DISTANCES[name]
    return [[float(distance(a, b, weights)) for b in sets] for a in sets]

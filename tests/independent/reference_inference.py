"""Resampling straight from the definitions: slow, exact, importing nothing of agreement_fast.

What `reference` does for one table is done here for its resamples: a resample of items is a table
with other weights, one of coders a table in which a coder stands several times.
"""

import math
from collections import Counter
from fractions import Fraction

import reference


def value(table, distance, coefficient, incomplete, weights):
    """A coefficient of a table whose rows weigh something else, or None."""
    chance, item_weight = reference.COEFFICIENTS[coefficient]
    cube = reference.Cube(
        table.items, distance, weights=weights, coders=table.coders, categories=table.order
    )
    return cube.cell(chance, item_weight, incomplete).value


def slopes(table, distance, coefficient, incomplete, step=Fraction(1, 10**9)):
    """The derivative of a coefficient in each row's weight, by differences of exact numbers.

    The error is of the order of the squared step, 1e-18. A row of weight 0 has 0.
    """
    out = []
    for i, weight in enumerate(table.frequencies):
        if not weight:
            out.append(Fraction(0))
            continue
        sides = []
        for sign in (1, -1):
            weights = [Fraction(w) for w in table.frequencies]
            weights[i] += sign * step
            sides.append(value(table, distance, coefficient, incomplete, weights))
        out.append((sides[0] - sides[1]) / (2 * step))
    return out


def with_copies(table, distance, coefficient, copies):
    """A coefficient where coder c stands there copies[c] times, no judgment meeting its copies.

    Pairs of judgments of an item, in D_o, are of two coders. α's chance draws two judgments that
    are not copies of each other; κ's draws two coders who are not copies.
    """
    chance, item_weight = reference.COEFFICIENTS[coefficient]
    kept = []
    for item, weight in zip(table.items, table.frequencies, strict=True):
        said = [(c, label) for c, label in item.items() for _ in range(copies[c])]
        if said and weight:
            kept.append((said, weight))
    paired = [
        (said, weight, [(a, b) for c, a in said for other, b in said if c != other])
        for said, weight in kept
    ]
    paired = [entry for entry in paired if entry[2]]
    if not paired:
        return None
    counts = Counter()
    for said, weight, _ in paired:
        for _, label in said:
            counts[label] += weight
    d = distance(table.order, counts)
    total = mass = Fraction(0)
    for said, weight, pairs in paired:
        share = weight * (len(said) if item_weight == "judgments" else 1)
        total += share * Fraction(sum(d(a, b) for a, b in pairs)) / len(pairs)
        mass += share
    observed = total / mass
    if chance == "pooled_unbiased":
        apart = sum(counts[a] * counts[b] * d(a, b) for a in counts for b in counts)
        n = sum(counts.values())
        same = sum(w * sum(copies[c] for c, _ in said) for said, w, _ in paired)
        expected = Fraction(apart) / (n * n - same)
    elif chance == "individual":
        used = {}
        for said, weight in kept:
            for c, label in said:
                used.setdefault(c, Counter())[label] += weight
        apart = pairs = Fraction(0)
        for c, first in used.items():
            for other, second in used.items():
                if c != other:
                    apart += sum(first[a] * second[b] * d(a, b) for a in first for b in second)
                    pairs += sum(first.values()) * sum(second.values())
        expected = apart / pairs if pairs else Fraction(0)
    else:
        # What is left looks at an item's shares only: a judgment and its copies are all of them.
        items = [({i: label for i, (_, label) in enumerate(said)}, w) for said, w in kept]
        expected = reference.expected_disagreement(items, chance, d, table.order)
    return 1 - observed / expected if expected else None


def kalpha(coincidences, delta, n_coders, n_pairs):
    """How Hayes' macro KALPHA 3.0 prepares its draws.

    Returns (cells, draws, D_e, p): cells are (probability, δ²) of unordered pairs of categories, p
    is the probability that all pairs fall into one category.
    """
    categories = range(len(coincidences))
    n = sum(map(sum, coincidences))
    totals = [sum(row) for row in coincidences]
    expected = sum(totals[a] * totals[b] * delta[a][b] for a in categories for b in categories) / (
        n * (n - 1)
    )
    cells = [
        (coincidences[a][b] * (1 if a == b else 2) / n, delta[a][b])
        for a in categories
        for b in categories
        if a <= b and coincidences[a][b]
    ]
    filled = sum(1 for row in coincidences for cell in row if cell)
    draws = math.floor(min(25 * filled, (n_coders - 1) * n / 2))
    constant = sum((coincidences[a][a] / n) ** n_pairs for a in categories)
    return cells, draws, expected, constant

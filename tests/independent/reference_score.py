"""The interval of a coefficient, from its definition: every item of the prior is written out.

Influences are derivatives by dual numbers, in rational arithmetic where the labels allow it. It
imports nothing from the package. The mean size of an item, weighted by its size, must be whole, for
that is the number of judgments of an item of the prior.
"""

import itertools
import math
from fractions import Fraction

import scipy.special


class Dual:
    """A number with its derivative."""

    def __init__(self, value, slope=0):
        self.value, self.slope = value, slope

    @staticmethod
    def of(other):
        return other if isinstance(other, Dual) else Dual(other)

    def __add__(self, other):
        other = Dual.of(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other):
        return self + Dual.of(other) * -1

    def __rsub__(self, other):
        return Dual.of(other) - self

    def __mul__(self, other):
        other = Dual.of(other)
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)

    def __truediv__(self, other):
        other = Dual.of(other)
        ratio = self.value / other.value
        return Dual(ratio, (self.slope - ratio * other.slope) / other.value)

    __radd__, __rmul__ = __add__, __mul__


def nominal(a, b):
    return Fraction(a != b)


def squared(a, b):
    return (a - b) ** 2


def matrix(rows):
    return lambda a, b: Fraction(rows[a][b])


def judged(row):
    return [label for label in row if label is not None]


def pairable(rows, weights):
    return [(row, w) for row, w in zip(rows, weights, strict=True) if len(judged(row)) > 1]


def counts(rows, weights, categories):
    """n_k of the items with two judgments or more."""
    total = dict.fromkeys(categories, 0)
    for row, w in pairable(rows, weights):
        for label in judged(row):
            total[label] = total[label] + w
    return total


def shares(rows, weights, categories):
    """The mean over items of the shares of their judgments."""
    total, items = dict.fromkeys(categories, 0), 0
    for row, w in zip(rows, weights, strict=True):
        labels = judged(row)
        if labels:
            items = items + w
        for label in labels:
            total[label] = total[label] + w * Fraction(1, len(labels))
    return {k: of / items for k, of in total.items()}


def ranks(rows, weights, categories):
    """Krippendorff's ordinal distance, from these judgments."""
    below, at = 0, {}
    for k, n in counts(rows, weights, categories).items():
        at[k] = below + n * Fraction(1, 2)
        below = below + n
    return lambda a, b: (at[a] - at[b]) * (at[a] - at[b])


def over_pairs(p, q, d):
    return sum((p[a] * q[b] * d(a, b) for a in p for b in q), 0)


def parts(name, rows, weights, categories, distance, declared):
    """D_o and D_e, of weights that may be dual."""
    d = ranks(rows, weights, categories) if distance == "ordinal" else distance
    above = below = 0
    for row, w in pairable(rows, weights):
        labels = judged(row)
        m = len(labels)
        apart = sum((d(a, b) for a, b in itertools.permutations(labels, 2)), 0)
        w = w * (m if name == "alpha" else 1)
        above, below = above + w * apart * Fraction(1, m * (m - 1)), below + w
    observed = above / below
    if name == "alpha":
        n = counts(rows, weights, categories)
        size = sum(n.values(), 0)
        return observed, over_pairs(n, n, d) / (size * size - size)
    if name == "kappa":
        each = [
            counts([[row[c], row[c]] for row in rows], weights, categories)
            for c in range(len(rows[0]))
        ]
        ordered = list(itertools.permutations(each, 2))
        sizes = sum((sum(a.values(), 0) * sum(b.values(), 0) for a, b in ordered), 0)
        return observed, sum((over_pairs(a, b, d) for a, b in ordered), 0) / sizes
    p = shares(rows, weights, categories)
    if name == "pi":
        return observed, over_pairs(p, p, d)
    K = len(declared)
    every = sum((d(a, b) for a in declared for b in declared), Fraction(0))
    if name == "s":
        return observed, every / K**2
    largest = max(d(a, b) for a in declared for b in declared)
    agree = K**2 - every / largest
    variety = sum((p[k] * (1 - p[k]) for k in p), 0)
    return observed, (1 - variety * agree / (K * (K - 1))) * largest


def marginal(name, rows, weights, categories):
    """The pooled shares that the chance model uses."""
    if name in ("pi", "ac"):
        return shares(rows, weights, categories)
    n = counts(rows, weights, categories)
    total = sum(n.values())
    return {k: of / total for k, of in n.items()}


def prior(size, weight, q):
    """Rows and weights: one half unanimous, one half of judgments at random."""
    rows, weights = [], []
    for k in q:
        rows.append((k,) * size)
        weights.append(weight * q[k] / 2)
    for labels in itertools.product(q, repeat=size):
        rows.append(labels)
        weights.append(weight * math.prod(q[k] for k in labels) / 2)
    return rows, weights


def interval(
    name, rows, weights, distance, *, level=0.95, declared=None, numbers=False, documents=None
):
    """The value, both ends, and what they are made from."""
    labels = sorted({label for row in rows for label in judged(row)})
    declared = labels if declared is None else declared
    weights = [Fraction(w) for w in weights]
    observed, expected = parts(name, rows, weights, labels, distance, declared)
    value = 1 - observed / expected
    sizes = [(len(judged(row)), w) for row, w in pairable(rows, weights)]
    judgments = sum(m * w for m, w in sizes)
    mean = judgments / sum(w for _, w in sizes)
    size = sum(m * m * w for m, w in sizes) / judgments
    assert size == int(size), "choose other data"
    agreed = 0 if name in ("ac", "s") else min(max(value, 0), 1)
    weight = 2 * (1 + (size - 1) * agreed) / (1 + agreed) / size
    pooled = marginal(name, rows, weights, labels)
    used = [k for k in pooled if pooled[k] > 0]
    q = {k: pooled[k] / 2 + Fraction(1, 2 * len(used)) for k in used}
    every = labels
    if numbers:
        centre = float(sum(pooled[k] * k for k in pooled))
        spread = math.sqrt(sum(pooled[k] * (k - centre) ** 2 for k in pooled))
        middle, reach = (used[0] + used[-1]) / 2, (used[-1] - used[0]) / math.sqrt(12)
        q = dict.fromkeys((centre - spread, centre + spread, middle - reach, middle + reach), 0.25)
        every, weight = [*labels, *q], float(weight)
    added, masses = prior(int(size), weight, q)
    all_rows, all_weights = [*rows, *added], [*weights, *masses]
    there = [len(judged(row)) > (name in ("alpha", "s")) for row in all_rows]

    def of(place):
        dual = [Dual(w, int(i == place)) for i, w in enumerate(all_weights)]
        above, below = parts(name, all_rows, dual, every, distance, declared)
        return 1 - above / below

    shifted = of(None).value
    influence = [of(i).slope if there[i] else 0 for i in range(len(all_rows))]
    data = [(u, w) for u, w, some in zip(influence, weights, there, strict=False) if some]
    if documents is not None:
        sums = {}
        for u, w, document, some in zip(influence, weights, documents, there, strict=False):
            if some:
                sums[document] = sums.get(document, 0) + u * w
        data = [(u, 1) for u in sums.values()]
    known = list(zip(influence[len(rows) :], masses, strict=True))
    n = sum(w for _, w in data)
    total = n + weight
    middle = sum(u * w for u, w in data + known) / total
    second = sum(w * (u - middle) ** 2 for u, w in data)
    fourth = sum(w * (u - middle) ** 4 for u, w in data)
    together = second + sum(w * (u - middle) ** 2 for u, w in known)
    variance = float(together * total / (total - 1))
    rest = float(fourth - second**2 / n)
    freedom = float(n - 1) if rest <= 0 else min(float(n - 1), 2 * float(together) ** 2 / rest)
    freedom = max(freedom, 1.0)

    shifted_expected = parts(name, all_rows, all_weights, every, distance, declared)[1]
    p = marginal(name, all_rows, all_weights, every)
    d = ranks(all_rows, all_weights, every) if distance == "ordinal" else distance
    least = -1 / (mean - 1)
    if name not in ("alpha", "pi"):
        least = max(-1, 1 - over_pairs(p, p, d) * mean / (mean - 1) / shifted_expected)
    if name in ("ac", "s"):
        least = -1
    elif distance is nominal:
        most = min(1, 2 * (1 - max(p.values())))
        least = max(least, 1 - most / shifted_expected)
    least, shifted = float(least), float(shifted)
    least = min(least, shifted - 1e-6)
    x = (shifted - least) / (1 - least)
    effective = max(x * (1 - x), 1e-14) * (1 - least) ** 2 / variance
    t = float(scipy.special.stdtrit(freedom, (1 + level) / 2))
    centre = (x + t * t / (2 * effective)) / (1 + t * t / effective)
    reach = t / (1 + t * t / effective)
    reach *= math.sqrt(x * (1 - x) / effective + t * t / (4 * effective**2))
    low, high = (least + (1 - least) * (centre + side * reach) for side in (-1, 1))
    return {
        "value": float(value),
        "low": min(low, float(value)),
        "high": max(high, float(value)),
        "centre": shifted,
        "least": least,
        "size": effective,
        "freedom": freedom,
    }

"""Agreement straight from the definitions: slow, exact, and independent of the package.

Everything here is rational arithmetic over judgments, written to be compared with the papers line
by line (Artstein & Poesio 2005, sections 2 and 5.1; Krippendorff 2011; Gwet 2008). It imports
nothing of agreement_fast and no numpy, groups nothing, and takes no short cut but two: equal
judgments are counted before the sums of expected disagreement, and what is computed from the same
labels is remembered.

The data are a list of items. An item is a dict from coder to label; a coder who did not judge it is
absent. ``weights`` says how often each item occurs (non-negative integers, 1 each by default),
``coders`` names all coders (default: those seen), ``categories`` gives the set of categories and
their order (default: the labels that occur, sorted).

A distance is a function of (categories, frequency), which returns a function d(a, b) of two labels
that gives an int or a Fraction. ``frequency`` counts the pairable judgments of each category; only
the ordinal distance looks at it.
"""

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, combinations, permutations
from typing import NamedTuple

CHANCES = ("uniform", "pooled", "pooled_unbiased", "individual", "gwet")
ITEM_WEIGHTS = ("items", "judgments")
INCOMPLETE = ("published", "pairable", "complete")

# The named coefficients, so that tests need not ask the package what a name means.
COEFFICIENTS = {
    "s": ("uniform", "items"),
    "brennan_prediger": ("uniform", "items"),
    "pi": ("pooled", "items"),
    "alpha_prime": ("pooled", "items"),
    "kappa": ("individual", "items"),
    "beta": ("individual", "items"),
    "alpha": ("pooled_unbiased", "judgments"),
    "ac": ("gwet", "items"),
}


class Cell(NamedTuple):
    """One coefficient: its two halves, its value, or why it has none."""

    observed: Fraction | None
    expected: Fraction | None
    value: Fraction | None
    undefined: str | None  # "no pairs", "no variation" or None
    n_items: int  # the items with two judgments or more, counted with their weights


def rounds_to(value, printed):
    """Say whether a number is what a paper prints: within half a unit of the last printed digit."""
    decimals = len(printed.partition(".")[2])
    return abs(Fraction(value) - Fraction(printed)) <= Fraction(1, 2 * 10**decimals)


# ---------------------------------------------------------------- tables


def expand(items, weights):
    """Repeat each item as often as its weight says."""
    return [item for item, weight in zip(items, weights, strict=True) for _ in range(weight)]


def from_contingency(table, categories):
    """List the items of a k x k table of counts (rows: coder 1) and their weights."""
    items, weights = [], []
    for first, row in zip(categories, table, strict=True):
        for second, count in zip(categories, row, strict=True):
            items.append({1: first, 2: second})
            weights.append(count)
    return items, weights


def from_rows(rows, missing=None):
    """Turn rows of labels (items x coders) into items whose coders are 0, 1, 2, ..."""
    return [
        {coder: label for coder, label in enumerate(row) if label is not missing} for row in rows
    ]


def labels_of(items):
    """The labels that occur: sorted if possible, else in order of first appearance."""
    labels = list(dict.fromkeys(label for item in items for label in item.values()))
    try:
        return sorted(labels)
    except TypeError:
        return labels


def coders_of(items):
    """The coders who judged anything, in order of first appearance."""
    return list(dict.fromkeys(coder for item in items for coder in item))


# ---------------------------------------------------------------- distances


def nominal(categories, frequency):
    """Distance 0 between equal labels and 1 between different ones."""
    return lambda a, b: int(a != b)


def ordinal(categories, frequency):
    """Krippendorff 2011: (sum of n_g from a to b, less half of n_a and half of n_b) squared."""
    place = {label: position for position, label in enumerate(categories)}
    before = [0, *accumulate(frequency[label] for label in categories)]

    def d(a, b):
        low, high = sorted((place[a], place[b]))
        between = before[high + 1] - before[low]
        return (between - Fraction(frequency[a] + frequency[b], 2)) ** 2

    return d


def interval(categories, frequency):
    """The squared difference."""
    return lambda a, b: (Fraction(a) - Fraction(b)) ** 2


def linear(categories, frequency):
    """The absolute difference: Antoine's Euclidean distance, Cohen's linear weights."""
    return lambda a, b: abs(Fraction(a) - Fraction(b))


def rank_linear(categories, frequency):
    """The number of steps from one category to the other."""
    place = {label: position for position, label in enumerate(categories)}
    return lambda a, b: abs(place[a] - place[b])


def rank_quadratic(categories, frequency):
    """The square of that number."""
    place = {label: position for position, label in enumerate(categories)}
    return lambda a, b: (place[a] - place[b]) ** 2


def ratio(categories, frequency):
    """((a - b) / (a + b)) squared, for labels that are not negative; 0 for two zeros."""

    def d(a, b):
        a, b = Fraction(a), Fraction(b)
        return Fraction(0) if a == b else ((a - b) / (a + b)) ** 2

    return d


def bipolar(low, high):
    """(a - b) squared over (a + b - 2 low)(2 high - a - b); 0 for equal labels."""
    low, high = Fraction(low), Fraction(high)

    def distance(categories, frequency):
        def d(a, b):
            a, b = Fraction(a), Fraction(b)
            if a == b:
                return Fraction(0)
            return (a - b) ** 2 / ((a + b - 2 * low) * (2 * high - a - b))

        return d

    return distance


def circular(period):
    """Squared sine of pi (a - b) / period, to 45 digits (exact if it is rational)."""
    period = Fraction(period)

    def distance(categories, frequency):
        return lambda a, b: squared_sine((Fraction(a) - Fraction(b)) / period)

    return distance


def matrix(rows):
    """Distances given as a table in the order of the categories."""

    def distance(categories, frequency):
        place = {label: position for position, label in enumerate(categories)}
        return lambda a, b: Fraction(rows[place[a]][place[b]])

    return distance


def of(function):
    """Any function of two labels as a distance."""
    return lambda categories, frequency: lambda a, b: Fraction(function(a, b))


PI = Decimal("3.14159265358979323846264338327950288419716939937510")
RATIONAL_SQUARED_SINES = {
    Fraction(0): Fraction(0),
    Fraction(1, 6): Fraction(1, 4),
    Fraction(1, 4): Fraction(1, 2),
    Fraction(1, 3): Fraction(3, 4),
    Fraction(1, 2): Fraction(1),
}


def squared_sine(half_turns):
    """The square of sin(pi * half_turns), by its series in 50 decimal digits."""
    half_turns %= 1
    half_turns = min(half_turns, 1 - half_turns)
    if half_turns in RATIONAL_SQUARED_SINES:
        return RATIONAL_SQUARED_SINES[half_turns]
    with localcontext() as context:
        context.prec = 50
        x = PI * half_turns.numerator / half_turns.denominator
        sine, term, n = Decimal(0), x, 1
        while abs(term) > abs(x) * Decimal("1e-48"):
            sine += term
            term *= -x * x / ((n + 1) * (n + 2))
            n += 2
        return Fraction(sine * sine)


# ---------------------------------------------------------------- sums


def exact_sum(parts):
    """The sum of rational numbers: numerators are added up by denominator, which is fast."""
    numerators = {}
    for part in parts:
        below = part.denominator
        numerators[below] = numerators.get(below, 0) + part.numerator
    return sum((Fraction(above, below) for below, above in numerators.items()), Fraction(0))


def apart_of_tallies(first, second, d):
    """The distances between all that one tally counts and all that another one does."""
    numerators = {}
    for a, times_a in first.items():
        for b, times_b in second.items():
            part = d(a, b)
            below = part.denominator
            numerators[below] = numerators.get(below, 0) + times_a * times_b * part.numerator
    return sum((Fraction(above, below) for below, above in numerators.items()), Fraction(0))


# ---------------------------------------------------------------- the two halves


def kept_items(items, weights, coders, incomplete):
    """The items that take part, with their weights (none that occurs zero times)."""
    needed = {"published": 0, "pairable": 2, "complete": len(coders)}[incomplete]
    return [
        (item, weight)
        for item, weight in zip(items, weights, strict=True)
        if weight > 0 and len(item) >= needed
    ]


def observed_disagreement(kept, item_weight, d):
    """D_o: the mean over items of the mean distance of the item's ordered pairs of judgments."""
    known, parts, mass = {}, [], 0
    for item, weight in kept:
        n = len(item)
        if n < 2:
            continue
        labels = tuple(item.values())
        if labels not in known:
            apart = exact_sum(d(a, b) for a, b in permutations(labels, 2))
            known[labels] = apart / (n * (n - 1))
        if item_weight == "judgments":
            weight *= n
        parts.append(weight * known[labels])
        mass += weight
    return exact_sum(parts) / mass if mass else None


def expected_disagreement(kept, chance, d, categories):
    """D_e: the distance that two judgments have on average if they are drawn as `chance` says."""
    if chance == "uniform":
        return exact_sum(d(a, b) for a in categories for b in categories) / len(categories) ** 2
    if chance == "pooled":
        share = shares(kept)
        common = math.lcm(*(part.denominator for part in share.values()))
        whole = {label: int(part * common) for label, part in share.items()}
        return apart_of_tallies(whole, whole, d) / common**2
    if chance == "pooled_unbiased":
        count = pairable_counts(kept)
        n = sum(count.values())
        return apart_of_tallies(count, count, d) / (n * (n - 1))
    if chance == "individual":
        return expected_of_coder_pairs(kept, d)
    if chance == "gwet":
        return expected_of_gwet(kept, d, categories)
    raise ValueError(chance)


def shares(kept):
    """P(k): the mean over the items with a judgment of the share of k among its judgments."""
    count, mass = Counter(), 0
    for item, weight in kept:
        for label in item.values():
            count[label, len(item)] += weight
        mass += weight if item else 0
    total = Counter()
    for (label, size), n in count.items():
        total[label] += Fraction(n, size)
    return {label: part / mass for label, part in total.items()}


def pairable_counts(kept):
    """n_k: how many judgments of the items with two or more judgments are k."""
    count = Counter()
    for item, weight in kept:
        if len(item) >= 2:
            for label in item.values():
                count[label] += weight
    return count


def coder_counts(kept):
    """n_ck: how often each coder used each category."""
    count = {}
    for item, weight in kept:
        for coder, label in item.items():
            count.setdefault(coder, Counter())[label] += weight
    return count


def expected_of_coder_pairs(kept, d):
    """Mean over coder pairs of P(j|m) P(l|n) d(j, l); a pair weighs n_m n_n (A&P 2005, 5.1)."""
    count = coder_counts(kept)
    n = {coder: sum(used.values()) for coder, used in count.items()}
    pairs, mass = [], 0
    for first, second in combinations(count, 2):
        # n_m n_n P(j|m) P(l|n) is how often m said j times how often n said l
        pairs.append(apart_of_tallies(count[first], count[second], d))
        mass += n[first] * n[second]
    return exact_sum(pairs) / mass


def expected_of_gwet(kept, d, categories):
    """Gwet's chance: d_max (1 - A_e), A_e = sum of weights / (k (k - 1)) times sum P (1 - P)."""
    k = len(categories)
    largest = max(d(a, b) for a in categories for b in categories)
    if largest == 0:
        return Fraction(0)
    apart = exact_sum(d(a, b) for a in categories for b in categories)
    similarity = k * k - apart / largest  # the sum of 1 - d / d_max
    spread = sum(share * (1 - share) for share in shares(kept).values())
    return largest * (1 - similarity / (k * (k - 1)) * spread)


# ---------------------------------------------------------------- the cube


class Cube:
    """One table and one distance; each half is computed once for all the cells that share it."""

    def __init__(self, items, distance=nominal, *, weights=None, coders=None, categories=None):
        self.items = items
        self.distance = distance
        self.weights = [1] * len(items) if weights is None else weights
        self.coders = coders_of(items) if coders is None else coders
        self.categories = labels_of(items) if categories is None else categories
        self._observed, self._expected, self._kept = {}, {}, {}

    def _keep(self, incomplete):
        if incomplete not in self._kept:
            kept = kept_items(self.items, self.weights, self.coders, incomplete)
            d = self.distance(self.categories, pairable_counts(kept))
            self._kept[incomplete] = (kept, remembered(d))
        return self._kept[incomplete]

    def cell(self, chance, item_weight, incomplete="published"):
        """One cell: D_o, D_e and 1 - D_o / D_e, or why there is no value."""
        kept, d = self._keep(incomplete)
        n_items = sum(weight for item, weight in kept if len(item) >= 2)
        if n_items == 0:
            return Cell(None, None, None, "no pairs", 0)
        key = (item_weight, incomplete)
        if key not in self._observed:
            self._observed[key] = observed_disagreement(kept, item_weight, d)
        observed = self._observed[key]
        key = (chance, incomplete)
        if key not in self._expected:
            self._expected[key] = expected_disagreement(kept, chance, d, self.categories)
        expected = self._expected[key]
        if expected == 0:
            return Cell(observed, expected, None, "no variation", n_items)
        return Cell(observed, expected, 1 - observed / expected, None, n_items)

    def named(self, coefficient, incomplete="published"):
        """The cell of a named coefficient."""
        return self.cell(*COEFFICIENTS[coefficient], incomplete)


def remembered(d):
    """The same distance, each pair of labels computed once."""
    known = {}

    def look_up(a, b):
        if (a, b) not in known:
            known[a, b] = d(a, b)
        return known[a, b]

    return look_up


def agreement(items, coefficient, distance=nominal, *, incomplete="published", **options):
    """The value of one named coefficient and its halves, as a Cell."""
    return Cube(items, distance, **options).named(coefficient, incomplete)


# ---------------------------------------------------------------- two coders, any weights


def weighted_kappa(items, first, second, d, *, weights=None, incomplete="published"):
    """Cohen 1968: disagreement weights d(a, b), a by the first coder; they may be asymmetric."""
    weights = [1] * len(items) if weights is None else weights
    kept = kept_items(items, weights, [first, second], incomplete)
    both = [(item, weight) for item, weight in kept if len(item) == 2]
    n_items = sum(weight for _, weight in both)
    if n_items == 0:
        return Cell(None, None, None, "no pairs", 0)
    observed = sum(w * Fraction(d(item[first], item[second])) for item, w in both) / n_items
    count = coder_counts(kept)
    n_first, n_second = sum(count[first].values()), sum(count[second].values())
    expected = sum(
        Fraction(times_j, n_first) * Fraction(times_l, n_second) * d(j, l)
        for j, times_j in count[first].items()
        for l, times_l in count[second].items()  # noqa: E741 (the papers' letter)
    )
    if expected == 0:
        return Cell(observed, expected, None, "no variation", n_items)
    return Cell(observed, expected, 1 - observed / expected, None, n_items)

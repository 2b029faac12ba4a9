"""More rows of docs/papers.md computed by definition, as in `reference_papers`: parts A to D."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb, erfc, log, sqrt
from statistics import NormalDist

import numpy as np
import reference as ref
import reference_classical as classical
import reference_diagnostics as diagnosis
import reference_labelsets as sets
import reference_latent as latent
import reference_stability as stability
import reference_trees as trees
from reference_papers import SAME, coders, of, read
from scipy.stats import f as f_distribution

HALF = Fraction(1, 2)
Z = NormalDist().inv_cdf(0.975)


def upper_tail(z):
    """Compute P(Z > z) of the normal distribution."""
    return erfc(z / sqrt(2)) / 2


# ---------------------------------------------------------------- labels that are sets


def chain_items(links):
    """List the items of links: the chain of each mention by coder."""
    table = sets.chains(links, "missing")
    return [{c: s for c, s in item.items() if s is not None} for item in table.values()]


def two_engines():
    """Compute A_o of chains, and of antecedents, if both coders link e2 to e1, and only A "it"."""
    links = [
        *(("text", coder, "e2", "e1") for coder in "AB"),
        *(("text", coder, m, None) for coder in "AB" for m in ("e1", "far")),
        ("text", "A", "it", "e1"),
        ("text", "B", "it", "e2"),
    ]
    return [
        1 - ref.agreement(chain_items(links), "pi").observed,
        1 - of([("e1", "e2"), ("e1", "e1")], "pi", part="observed")[0],
    ]


def over_conditions(choices):
    """Compute κ of antecedents and of chains, then β with Dice.

    Labels that are no sets are equal or apart, so β of antecedents is their κ.
    """
    antecedents: dict = {}
    for _, coder, mention, antecedent in choices:
        antecedents.setdefault(mention, {})[coder] = str(antecedent)
    both = list(antecedents.values()), chain_items(choices)
    kappas = [ref.agreement(items, "kappa").value for items in both]
    return [*kappas, kappas[0], ref.agreement(both[1], "beta", ref.of(sets.dice)).value]


def segment_sets(text):
    """Write each element of a segmentation as the set of the places of its segment."""
    starts = [0, *(i + 1 for i, mark in enumerate(text) if mark == "1"), len(text) + 1]
    pieces = [frozenset(range(a, b)) for a, b in pairwise(starts)]
    return [piece for piece in pieces for _ in piece]


def with_people(items, labels, name, distance):
    """Compute a coefficient of a system with people, and of the people."""
    people = [dict(enumerate(item)) for item in items]
    d = distance(None, None)
    result = diagnosis.model_with_people(people, [1] * len(items), labels, name, d, None)
    return [result[2], ref.agreement(people, name, distance).value]


def muc(key, response):
    """Compute Vilain's recall: of the links that the key needs, those that the response has."""

    def parts(chain):
        result = [chain & other for other in response if chain & other]
        return len(result) + len(chain - set().union(*response))

    return Fraction(sum(len(c) - parts(c) for c in key), sum(len(c) - 1 for c in key))


def muc_scores(first, second):
    """Compute MUC's recall, precision and F of two lists of chains."""
    recall, precision = muc(first, second), muc(second, first)
    return [recall, precision, 2 * recall * precision / (recall + precision)]


# ---------------------------------------------------------------- missing judgments


def pruned(data, size):
    """Compute α of all judgments of two labels, and mean and deviation of α over all prunings.

    The prunings are counted by how many items are mixed and how often the second label stands.
    """
    items = [list(item.values()) for item in read(data)]
    white = sorted({label for item in items for label in item})[1]
    kept = [item for item in items if len(item) >= size]
    chances = np.zeros((len(kept) + 1, size * len(kept) + 1))
    chances[0, 0] = 1.0
    for item in kept:
        n, own = len(item), item.count(white)
        after = np.zeros_like(chances)
        for k in range(max(0, size - n + own), min(size, own) + 1):
            p = comb(own, k) * comb(n - own, size - k) / comb(n, size)
            mixed = int(0 < k < size)
            rows, columns = chances.shape
            after[mixed:, k:] += p * chances[: rows - mixed, : columns - k]
        chances = after
    assert size == 3, "a mixed item of three has two pairs of three apart"
    mixed, own = np.indices(chances.shape)
    n = size * len(kept)
    expected = np.where((own == 0) | (own == n), np.nan, 2 * own * (n - own) / (n * (n - 1)))
    alpha = 1 - 2 / 3 * mixed / len(kept) / expected
    there = chances > 0
    mean = (chances[there] * alpha[there]).sum()
    deviation = sqrt((chances[there] * (alpha[there] - mean) ** 2).sum())
    return [*of(data, "alpha"), mean, deviation]


# ---------------------------------------------------------------- tests


def multi_kappa_test(data):
    """Compute κ, z and p, from all ways to shuffle the labels of each coder among the items.

    Two pairs of coders are uncorrelated if all are shuffled, so the variance of their mean is the
    sum over pairs by the square of their number; the published one is (n − 1)/n of it.
    """
    cell = of(data, "kappa")[0]
    expected = of(data, "kappa", part="expected")[0]
    columns = coders(data)
    n, pairs = len(columns[0]), list(combinations(columns, 2))
    variance = Fraction(0)
    for first, second in pairs:
        apart = Counter(
            sum(a != b for a, b in zip(first, other, strict=True)) for other in permutations(second)
        )
        total = sum(apart.values())
        mean = Fraction(sum(x * times for x, times in apart.items()), total)
        variance += sum(times * (x - mean) ** 2 for x, times in apart.items()) / total / n**2
    variance *= Fraction(n - 1, n) / (len(pairs) * expected) ** 2
    z = cell / sqrt(variance)
    return [cell, z, 2 * upper_tail(abs(z))]


def kappa_p(table):
    """Compute the two-sided p of κ by its standard error under independence."""
    value, _, variance = classical.kappa_variances(table, SAME)
    return 2 * upper_tail(abs(value) / sqrt(variance))


def levels_reached(rated):
    """Compute χ² and p of π above .2, and F and p of α above .6."""
    square = classical.goodness_of_fit(20, 30, 50, Fraction(1, 5))
    between, within, df, df_within = classical.variances(rated, lambda a, b: (a - b) ** 2)
    statistic = (between / df) / (within / df_within) / (1 + len(rated[0]) * Fraction(6, 4))
    p = f_distribution.sf(float(statistic), df, df_within)
    return [square, upper_tail(sqrt(square)), statistic, p]


def specific_interval(table):
    """Compute the standard error of the positive agreement, and its score interval.

    Of n items each adds y (the judgments that are +) less those without a + beside it. The largest
    variance of an item with a + is that of two values, 2 (1 − p) and −p, about 0; an item more of
    the largest variance of all, p = 1/2, smooths the share of it that is seen.
    """
    (both, only_first), (only_second, neither) = table
    single, n = only_first + only_second, both + only_first + only_second + neither
    plus = 2 * both + single
    p = Fraction(2 * both, plus)
    squares = both * (2 - 2 * p) ** 2 + single * p**2
    error = sqrt(Fraction(n, n - 1) * squares) / plus
    largest = (both + single) * 2 * (1 - p) * p
    smooth = 2 * HALF * HALF
    share = (squares + smooth) / (largest + smooth)
    size = plus**2 / (largest / (p * (1 - p)) * share)
    middle, below = p + Z**2 / (2 * size), 1 + Z**2 / size
    reach = Z * sqrt(p * (1 - p) / size + Z**2 / (4 * size**2))
    return [error, (middle - reach) / below, (middle + reach) / below]


# ---------------------------------------------------------------- Aickin, latent classes


def linear_model(table):
    """Compute a of the linear model, which a table of equal marginals fits exactly."""
    n = sum(map(sum, table))
    shares = [[Fraction(x) / n for x in row] for row in table]
    p = [sum(row) for row in shares]
    a = 1 - shares[0][1] / (p[0] * p[1])
    assert latent.linear_cells(a, p) == shares
    return a


def easy_items():
    """Compute the share of easy items of endlessly many, drawn with .6 by either model."""
    p = [Fraction(3, 4), Fraction(1, 4)]
    constant = latent.aickin_cells(0.6, [0.75, 0.25], [0.75, 0.25])
    result = latent.aickin_by_em([[1000 * x for x in row] for row in constant])[0]
    return [result, linear_model(latent.linear_cells(Fraction(6, 10), p))]


def urn_counts(rows):
    """Count how often three coders gave white (1) or black (0)."""
    return Counter(tuple(int(x == "white") for x in row) for row in rows)


def two_classes(counts):
    """Compute prevalence, sensitivities and specificities of three coders who err independently.

    Eight cells give seven numbers. With d = sensitivity + specificity − 1 and the prevalence w, the
    covariance of two coders is w (1 − w) d d', the third moment of three is this by (1 − 2 w) d".
    """
    n = sum(counts.values())
    mean = [sum(x[c] * times for x, times in counts.items()) / n for c in range(3)]

    def moment(*some):
        total = 0.0
        for x, times in counts.items():
            product = times / n
            for c in some:
                product *= x[c] - mean[c]
            total += product
        return total

    both = {pair: moment(*pair) for pair in combinations(range(3), 2)}
    third = moment(0, 1, 2)
    q = 1 / (4 + third**2 / (both[0, 1] * both[0, 2] * both[1, 2]))
    prevalence = (1 - sqrt(1 - 4 * q) * (1 if third > 0 else -1)) / 2
    d = [
        sqrt(both[0, 1] * both[0, 2] / both[1, 2] / q),
        sqrt(both[0, 1] * both[1, 2] / both[0, 2] / q),
        sqrt(both[0, 2] * both[1, 2] / both[0, 1] / q),
    ]
    sensitivity = [m + (1 - prevalence) * x for m, x in zip(mean, d, strict=True)]
    specificity = [1 - m + prevalence * x for m, x in zip(mean, d, strict=True)]
    return [prevalence, *sensitivity, *specificity]


def above_threshold(rows, threshold):
    """Compute p of each sensitivity by its score test.

    The variance is that of the slopes in the eight cells. The number of items of known class that
    have it, an item more of the largest variance in both, replaces the number of items.
    """
    counts = urn_counts(rows)
    at = two_classes(counts)
    judged = at[0] * len(rows)
    slopes = {}
    for cell in counts:
        sides = [two_classes({**counts, cell: counts[cell] + step}) for step in (1e-3, -1e-3)]
        slopes[cell] = [(a - b) / 2e-3 for a, b in zip(*sides, strict=True)]
    result = []
    for c in (1, 2, 3):
        variance = sum(times * slopes[cell][c] ** 2 for cell, times in counts.items())
        known = judged * at[c] * (1 - at[c]) + 0.25
        size = judged * known / (judged**2 * variance + 0.25)
        z = (at[c] - threshold) / sqrt(threshold * (1 - threshold) / size)
        result.append(upper_tail(z))
    return result


def coders_for(rows, target):
    """Compute the fewest coders, drawn at random, whose majority has the sensitivity."""
    p = statistics.mean(two_classes(urn_counts(rows))[1:4])
    for n in range(1, 100):
        chances = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        if sum(x * ((2 * k > n) + (2 * k == n) / 2) for k, x in enumerate(chances)) >= target:
            return n
    raise AssertionError(target)


def number_of_classes(rows):
    """Compute the number of classes of the lowest BIC.

    Two classes fit the eight cells exactly, and three cannot fit better with four parameters more.
    """
    counts = urn_counts(rows)
    n = sum(counts.values())
    shares = [sum(x[c] * times for x, times in counts.items()) / n for c in range(3)]
    one = sum(
        times * log(share if x[c] else 1 - share)
        for x, times in counts.items()
        for c, share in enumerate(shares)
    )
    full = sum(times * log(times / n) for times in counts.values())
    bic = {k: (4 * k - 1) * log(n) - 2 * (one if k == 1 else full) for k in (1, 2, 3)}
    return min(bic, key=bic.get)


def implied_kappa(prevalence, sensitivity, specificity):
    """Compute κ of the table of two coders who err independently."""
    table = [[Fraction(0)] * 2 for _ in range(2)]
    for share, p in ((prevalence, sensitivity), (1 - prevalence, 1 - specificity)):
        for i, x in enumerate((p, 1 - p)):
            for j, y in enumerate((p, 1 - p)):
                table[i][j] += share * x * y
    return classical.kappa_variances(table, SAME)[0]


def majority_errors():
    """Compute reliability and majority error of seven coders, of noise and of overused labels."""
    shares, knows = [0.3, 0.7], sqrt(0.9)
    careful = [[knows * (t == x) + (1 - knows) * shares[x] for x in (0, 1)] for t in (0, 1)]
    patterned = [[0.7 * p[0] + 0.3, 0.7 * p[1]] for p in careful]

    def reliability(rows):
        used = [sum(s * p[x] for s, p in zip(shares, rows, strict=True)) for x in (0, 1)]
        same = sum(s * q * q for s, p in zip(shares, rows, strict=True) for q in p)
        chance = sum(u * u for u in used)
        return (same - chance) / (1 - chance)

    kept = sqrt(reliability(patterned) / 0.9)
    noisy = [[kept * q + (1 - kept) * s for q, s in zip(p, shares, strict=True)] for p in careful]
    result = []
    for rows in (noisy, patterned):
        result.append(reliability(rows))
        wrong = 0.0
        for t in (0, 1):
            right = rows[t][t]
            few = sum(comb(7, k) * right**k * (1 - right) ** (7 - k) for k in range(4))
            wrong += shares[t] * few
        result.append(wrong)
    return result


# ---------------------------------------------------------------- the order of judgments, numbers


def of_the_tired(frame):
    """Compute C's agreement at both ends of the line, and Holm's p of three coders.

    The line is the least-squares one of the distances from the others on their place, and p that
    of t of its slope.
    """
    items: dict = {}
    for item, coder, label in zip(frame["item"], frame["coder"], frame["label"], strict=True):
        items.setdefault(item, {})[coder] = label
    tails, ends = {}, {}
    for coder in "ABC":
        some = frame[frame["coder"] == coder].sort_values("second")
        y = [
            statistics.mean(Fraction(label != x) for c, x in items[item].items() if c != coder)
            for item, label in zip(some["item"], some["label"], strict=True)
        ]
        n, place, middle = len(y), range(len(y)), Fraction(len(y) - 1, 2)
        spread = sum((x - middle) ** 2 for x in place)
        slope = sum((x - middle) * z for x, z in zip(place, y, strict=True)) / spread
        level = statistics.mean(y)
        left = sum((z - level - slope * (x - middle)) ** 2 for x, z in zip(place, y, strict=True))
        tails[coder] = 2 * classical.t_tail(float(slope) / sqrt(left / (n - 2) / spread), n - 2)
        _, expected, _ = stability.against_rest(
            list(items.values()), coder, ref.nominal, [1] * len(items), ["black", "white"]
        )
        ends[coder] = [1 - (level + side * slope * middle) / expected for side in (-1, 1)]
    adjusted, before = {}, 0.0
    for i, coder in enumerate(sorted(tails, key=tails.get)):
        before = adjusted[coder] = max(before, min(1.0, (len(tails) - i) * tails[coder]))
    return [*ends["C"], adjusted["C"]]


def icc_from_kappa(marks):
    """Compute how far the second ICC, by mean squares, is from κ with quadratic weights."""
    n, k = len(marks), len(marks[0])
    rows = [Fraction(sum(row), k) for row in marks]
    columns = [Fraction(sum(column), n) for column in zip(*marks, strict=True)]
    grand = sum(rows) / n
    of_rows = k * sum((x - grand) ** 2 for x in rows) / (n - 1)
    of_columns = n * sum((x - grand) ** 2 for x in columns) / (k - 1)
    total = sum((x - grand) ** 2 for row in marks for x in row)
    error = (total - (n - 1) * of_rows - (k - 1) * of_columns) / ((n - 1) * (k - 1))
    icc = (of_rows - error) / (of_rows + (k - 1) * error + Fraction(k, n) * (of_columns - error))
    return abs(icc - of(marks, "beta", distance=ref.interval)[0])


def least_units(alpha, rarest):
    """Compute N = 2 z² ((1 + α)(3 − α) / (4 (1 − α) p (1 − p)) − α), z of 5% on one side."""
    spread = (1 + alpha) * (3 - alpha) / (4 * (1 - alpha) * rarest * (1 - rarest)) - alpha
    return -int(-2 * NormalDist().inv_cdf(0.95) ** 2 * spread // 1)


TREE = {"check": "ynq", "positive-check": "check", "ynq": "inf-seek", "inf-seek": None}

ROWS = {
    41: lambda s: two_engines(),
    44: lambda s: over_conditions(s["choices"]),
    48: lambda s: of(
        list(zip(*map(segment_sets, ("0010010", "0100010", "0010100")), strict=True)),
        "alpha",
        distance=ref.of(sets.dice),
    ),
    51: lambda s: [
        *(
            both := with_people(
                [tuple(item.values()) for item in read(s["people"])],
                s["system"],
                "kappa",
                ref.nominal,
            )
        ),
        both[0] - both[1],
    ],
    52: lambda s: with_people(
        [tuple(map(frozenset, item)) for item in s["people_sets"]],
        s["system_sets"],
        "alpha",
        ref.of(sets.dice),
    ),
    53: lambda s: [
        with_people([row[:2] for row in rows], [row[2] for row in rows], "kappa", ref.nominal)[0]
        - with_people([row[:2] for row in rows], [row[3] for row in rows], "kappa", ref.nominal)[0]
        for rows in [[tuple(item.values()) for item in read(s["with_systems"])]]
    ],
    54: lambda s: muc_scores([set("abcd")], [set("ab"), set("cd")]),
    58: lambda s: pruned(s["thinned"], 3),
    63: lambda s: multi_kappa_test(s["four"]),
    65: lambda s: levels_reached(s["rated"]),
    68: lambda s: [
        linear_model([[30, 10], [10, 50]]),
        *2 * [classical.kappa_variances([[30, 10], [10, 50]], SAME)[0]],
    ],
    69: lambda s: easy_items(),
    70: lambda s: two_classes(urn_counts(s["URNS"]))[:4],
    71: lambda s: two_classes(urn_counts(s["URNS"]))[1:],
    72: lambda s: above_threshold(s["URNS"], 0.9),
    73: lambda s: coders_for(s["URNS"], 0.99),
    74: lambda s: number_of_classes(s["URNS"]),
    76: lambda s: implied_kappa(Fraction(1, 20), Fraction(9, 10), Fraction(19, 20)),
    81: lambda s: specific_interval([[10, 20], [20, 1000]]),
    99: lambda s: of_the_tired(s["tired"]),
    100: lambda s: [icc_from_kappa(some) for some in (s["marks"][:20], s["marks"])],
    109: lambda s: [kappa_p(table) for table in ([[90, 5], [5, 0]], [[45, 5], [5, 45]])],
    124: lambda s: [least_units(0.667, 0.25), least_units(0.8, 0.25)],
    132: lambda s: majority_errors(),
    134: lambda s: [
        *of(s["dit"], "kappa"),
        *of(s["dit"], "beta", distance=ref.of(trees.level_dependent(TREE, Fraction(3, 4)))),
    ],
    135: lambda s: [
        trees.level_dependent(TREE, Fraction(3, 4), Fraction(4, 5), nearer)(*pair)
        for nearer in (True, False)
        for pair in (("inf-seek", "ynq"), ("check", "positive-check"))
    ],
    136: lambda s: [Fraction(48, 50), Fraction(19**2 + 31**2, 50**2)],
}

__all__ = ["ROWS"]

"""The numbers of rows of docs/papers.md for which the paper prints none, computed by definition.

Each function takes the names of the blocks above its row, and uses their judgments only: labels are
read off as lists, and the arithmetic is that of this folder.
"""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt

import reference as ref
import reference_classical as classical
import reference_labelsets as sets
import reference_latent as latent
import reference_multivalued as multivalued
import reference_texts as texts
import reference_unitizing as unitizing
from reference_scores import wilson


def read(data):
    """List the items of judgments, as often as they occurred: the labels by coder."""
    if hasattr(data, "to_wide"):
        rows = data.to_wide().tolist()
        often = data.rows.weights
        weights = [1] * len(rows) if often is None else [int(n) for n in often.tolist()]
    else:
        rows, weights = [list(row) for row in data], [1] * len(data)
    items = [
        {coder: label for coder, label in enumerate(row) if label is not None and label == label}
        for row in rows
    ]
    return ref.expand(items, weights)


def of(data, *names, distance=ref.nominal, part="value", **options):
    """Compute coefficients of judgments."""
    items = read(data)
    return [getattr(ref.agreement(items, name, distance, **options), part) for name in names]


def coders(data):
    """List the labels of each coder."""
    return list(zip(*(item.values() for item in read(data)), strict=True))


def words(*items):
    """List items that are written one word each, a letter a coder."""
    return [tuple(item) for item in " ".join(items).split()]


#: Distances of rows by what the blocks call them.
BETWEEN = {"stat ireq": 1, "chck stat": Fraction(1, 2), "chck ireq": Fraction(1, 2)}
HALVES = {"+ .": Fraction(1, 2), "- .": Fraction(1, 2), "+ -": 1}


def by_pairs(table):
    """Make a distance of a mapping from two labels, in either order."""
    both = {frozenset(pair.split()): d for pair, d in table.items()}
    return ref.of(lambda a, b: 0 if a == b else both[frozenset((a, b))])


def bias(shares):
    """Compute B: the variance of the coders' shares over c − 1, of all categories."""
    return sum(statistics.pvariance(column) for column in zip(*shares, strict=True)) / (
        len(shares) - 1
    )


def shares_of(data):
    """Compute the share of each category in each coder's labels."""
    columns = coders(data)
    labels = sorted({label for column in columns for label in column})
    return [[Fraction(column.count(x), len(column)) for x in labels] for column in columns]


def bias_by_size(data):
    """Compute the mean B of all sets of 2, 3, ... coders."""
    shares = shares_of(data)
    return [
        statistics.mean(bias(some) for some in combinations(shares, size))
        for size in range(2, len(shares) + 1)
    ]


def coincidences(data):
    """Compute the coincidences of two coders, all labels in the order of the categories."""
    pairs = Counter()
    for a, b in (item.values() for item in read(data)):
        pairs[a, b] += 1
        pairs[b, a] += 1
    return [pairs[a, b] for a in data.categories for b in data.categories]


def specific(data):
    """Compute the agreement on each category and on its absence, of two coders."""
    pairs = [tuple(item.values()) for item in read(data)]
    result = []
    for x in data.categories:
        both = sum((a == x) and (b == x) for a, b in pairs)
        neither = sum((a != x) and (b != x) for a, b in pairs)
        one = len(pairs) - both - neither
        result += [Fraction(2 * both, 2 * both + one), Fraction(2 * neither, 2 * neither + one)]
    return result


def majority_share(data):
    """Compute how often a coder has the label that most gave, of items without a tie."""
    right = n = 0
    for item in read(data):
        (_, most), *others = Counter(item.values()).most_common()
        if not others or others[0][1] < most:
            right, n = right + most, n + len(item)
    return Fraction(right, n)


def majorities(data):
    """Compute the label that most gave to each item; None where labels tie."""
    result = []
    for item in read(data):
        (label, most), *others = Counter(item.values()).most_common()
        result.append(None if others and others[0][1] == most else label)
    return result


def disagreement_shares(data):
    """Compute the share of each item in the observed disagreement."""
    each = [sum(a != b for a, b in combinations(item.values(), 2)) for item in read(data)]
    return [Fraction(n, sum(each)) for n in each]


def one_way(rows):
    """Compute F of items and its degrees of freedom."""
    means = [statistics.mean(map(Fraction, row)) for row in rows]
    grand = statistics.mean(means)
    n, c = len(rows), len(rows[0])
    between = c * sum((mean - grand) ** 2 for mean in means) / (n - 1)
    within = sum((x - m) ** 2 for row, m in zip(rows, means, strict=True) for x in row)
    return [between / (within / (n * (c - 1))), n - 1, n * (c - 1)]


def cronbach(columns):
    """Compute Cronbach's α from the variances of the coders and of their sum."""
    k = len(columns)
    total = statistics.variance(map(sum, zip(*columns, strict=True)))
    return k / (k - 1) * (1 - sum(map(statistics.variance, columns)) / total)


def cronbach_deviations(data, sizes):
    """Compute the relative standard deviation of Cronbach's α over all sets of coders."""
    columns = [list(map(float, column)) for column in coders(data)]
    result = []
    for size in sizes:
        values = [cronbach(some) for some in combinations(columns, size)]
        result.append(statistics.pstdev(values) / statistics.mean(values))
    return result


def windows(reference, other, size):
    """Compute P_k and WindowDiff: windows over `size` boundaries that differ."""
    starts = range(len(reference) - size + 1)
    inside = [[sum(map(int, text[at : at + size])) for at in starts] for text in (reference, other)]
    pairs = list(zip(*inside, strict=True))
    return [
        Fraction(sum((a > 0) != (b > 0) for a, b in pairs), len(pairs)),
        Fraction(sum(a != b for a, b in pairs), len(pairs)),
    ]


def bias_indices(data):
    """Compute the mean difference of two coders' shares of each category, over pairs."""
    pairs = list(combinations(shares_of(data), 2))
    return [
        statistics.mean(abs(a[x] - b[x]) for a, b in pairs) for x in range(len(data.categories))
    ]


def largest_kappa(table):
    """Compute κ, and κ with as much agreement as the marginals allow."""
    n = sum(map(sum, table))
    rows, columns = list(map(sum, table)), list(map(sum, zip(*table, strict=True)))
    chance = sum(Fraction(r * c, n * n) for r, c in zip(rows, columns, strict=True))
    same = Fraction(sum(table[i][i] for i in range(len(table))), n)
    most = Fraction(sum(map(min, rows, columns)), n)
    return [(same - chance) / (1 - chance), (most - chance) / (1 - chance)]


def three_numbers(data):
    """Compute κ, π and 2 A_o − 1."""
    return [*of(data, "kappa", "pi"), 1 - 2 * of(data, "pi", part="observed")[0]]


def four_numbers(data, times):
    """Compute χ² of a table counted several times, A_o, S, π and κ."""
    pairs = Counter(tuple(item.values()) for item in read(data))
    table = [[pairs[a, b] for b in data.categories] for a in data.categories]
    same = 1 - of(data, "s", part="observed")[0]
    return [times * classical.association(table)[0], same, *of(data, "s", "pi", "kappa")]


def merged(data, mapping):
    """Compute π, π of merged labels, and the difference."""
    items = [{c: mapping.get(x, x) for c, x in item.items()} for item in read(data)]
    before, after = of(data, "pi")[0], ref.agreement(items, "pi").value
    return [before, after, after - before]


def deviation(data, size):
    """Compute the relative standard deviation of nominal α over all sets of coders."""
    items = read(data)
    values = [
        float(ref.agreement([{c: item[c] for c in some} for item in items], "alpha").value)
        for some in combinations(sorted(items[0]), size)
    ]
    return statistics.pstdev(values) / statistics.mean(values)


def of_chance(data):
    """Compute z of π against chance."""
    labels = list(data.categories)
    counts = [[list(item.values()).count(x) for x in labels] for item in read(data)]
    (value, variance), _ = classical.fleiss(counts)
    return sqrt(value**2 / variance)


def unitized(rows, extents):
    """Compute α of units."""
    observed, expected = unitizing.alpha_u(rows, extents, ["i", "j"])
    return 1 - observed / expected


def by_class(frame):
    """Compute A_o and K of each class of words, sorted by class."""
    result = []
    for name in sorted(set(frame["class"])):
        some = frame[frame["class"] == name]
        items = {}
        for item, coder, sense in zip(some["item"], some["coder"], some["sense"], strict=True):
            items.setdefault(item, {})[coder] = sense
        cell = ref.agreement(list(items.values()), "pi")
        result += [1 - cell.observed, cell.value]
    return result


def span_sets(spans):
    """Write spans as the sets of their places."""
    return [tuple(frozenset(range(*span)) for span in item) for item in spans]


def frozen(data):
    """Write the labels of judgments as sets that can be counted."""
    return [tuple(frozenset(label) for label in item.values()) for item in read(data)]


def by_sets(data, name, *distances):
    """Compute a coefficient with distances of sets."""
    return [of(data, name, distance=ref.of(d))[0] for d in distances]


def by_value(data, key, name, **options):
    """Compute a coefficient of the rows of each group, sorted by group."""
    groups: dict = {}
    for row in data:
        groups.setdefault(row[key], {}).setdefault(row["item"], {})[row["coder"]] = row["label"]
    return [
        ref.agreement(list(items.values()), name, **options).value
        for _, items in sorted(groups.items())
    ]


def precision_recall(data):
    """Compute the precision and recall of each label of the first coder against the second."""
    first, second = coders(data)
    both = {x: sum(a == b == x for a, b in zip(first, second, strict=True)) for x in set(second)}
    labels = sorted(both)
    return [Fraction(both[x], first.count(x)) for x in labels] + [
        Fraction(both[x], second.count(x)) for x in labels
    ]


DEIXIS = [((0, 5), (0, 7)), ((9, 12), (9, 12)), ((20, 24), (22, 30))]
SUMMARIES = [({1, 2}, {1, 2, 3}), ({4}, {4, 5}), ({1, 6}, {6})]
TAGS = [("NN", "NNP"), ("VB", "VB"), ("NN", "NN"), ("NNP", "VB")]

#: Table 6 of Artstein & Poesio, and weights of labels that are the same.
TABLE_6 = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
SAME = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
#: Krippendorff's units: coder, start, end, category, document.
UNITS = [
    *(("i", start, end, "c", "") for start, end in ((225, 295), (370, 400))),
    *(("j", start, end, "c", "") for start, end in ((220, 300), (355, 375), (400, 420))),
    *((coder, start, end, "k", "") for coder in "ij" for start, end in ((180, 240), (300, 350))),
]

ROWS = {
    15: lambda s: of(s["case_3"], "s", "pi", "kappa"),
    7: lambda s: [
        1,
        *of(s["same_marks"], "kappa"),
        *of(s["same_marks"], "alpha", distance=ref.interval),
        1,
        *of(s["twice_marks"], "kappa"),
        *of(s["twice_marks"], "alpha", distance=ref.interval),
    ],
    8: lambda s: [
        Fraction(sum(map(str.__eq__, coders(s["four"])[0], other)), 7)
        for other in coders(s["four"])[1:]
    ],
    9: lambda s: majority_share(s["four"]),
    12: lambda s: [
        *of(words("aa ab ba bb aa aa"), "s"),
        *of(words("aa ab ba bb aa aa"), "s", categories=list("abcdef")),
    ],
    18: lambda s: 2 * of(s["four"], "kappa", part="observed"),
    19: lambda s: 2 * of(s["four"], "kappa", part="expected"),
    22: lambda s: of(
        s["table_6"], "beta", distance=by_pairs({"stat ireq": 3, "stat chck": 1, "ireq chck": 2})
    ),
    26: lambda s: [
        of(s[name], "alpha", distance=by_pairs(BETWEEN), part="expected")[0]
        / of(s[name], "alpha_prime", distance=by_pairs(BETWEEN), part="expected")[0]
        for name in ("table_6", "table_2")
    ],
    28: lambda s: [
        *of(s["table_6"], "s", "pi", "kappa"),
        *of(
            s["table_6"],
            *("brennan_prediger", "alpha_prime", "beta", "alpha"),
            distance=by_pairs(BETWEEN),
        ),
    ],
    29: lambda s: 2 * of(s["rated"], "beta", distance=ref.interval, part="expected"),
    32: lambda s: 3 * of(s["table_6"], "alpha", distance=by_pairs(BETWEEN)),
    33: lambda s: classical.homogeneity([[46, 6, 0], [0, 32, 0], [0, 6, 10]], False),
    34: lambda s: classical.shuffled_within([list(item.values()) for item in read(s["four"])]),
    35: lambda s: 2 * [bias(shares_of(s["four"]))],
    38: lambda s: bias_by_size(s["four"]),
    39: lambda s: (
        of(s["table_6"], "beta", distance=by_pairs(BETWEEN), part="expected")[0]
        - of(s["table_6"], "alpha_prime", distance=by_pairs(BETWEEN), part="expected")[0]
    ),
    40: lambda s: (
        by_sets(frozen(s["chains"]), "alpha", sets.dice)
        + by_sets(frozen(s["chains"]), "alpha_prime", sets.dice)
        + by_sets(frozen(s["chains"]), "beta", sets.dice)
    ),
    43: lambda s: [
        d(a, b) for d in (sets.jaccard, sets.dice) for a, b in (({1}, {1, 2}), ({1, 2}, {2, 3}))
    ],
    45: lambda s: by_sets(frozen(s["chains"]), "alpha", sets.jaccard, sets.passonneau, sets.dice),
    46: lambda s: by_sets(span_sets(DEIXIS), "alpha", sets.jaccard, sets.passonneau, sets.dice),
    47: lambda s: by_sets([tuple(map(frozenset, item)) for item in SUMMARIES], "alpha", sets.dice),
    50: lambda s: [
        *of(words("aa ab cc cd da"), "alpha"),
        *of(words("aa aa cc cc ca"), "alpha"),
    ],
    55: lambda s: [
        *of(
            s["terms"],
            "alpha",
            distance=ref.of(lambda a, b: texts.dice(texts.bigrams(a), texts.bigrams(b))),
        ),
        *of(s["terms"], "alpha"),
    ],
    56: lambda s: [
        *of(words("ab aa bb ba"), "pi"),
        *of([("a", "b"), ("a", "a"), ("b", "b"), ("b", "a")], "pi"),
    ],
    57: lambda s: 2 * of([row for row in s["observers"] if None not in row], "kappa"),
    59: lambda s: of(s["gaps"], "pi", "kappa"),
    60: lambda s: of(
        [(1, 1, 2), (1, None, 1), (3, 3, None), (3, None, None)], "beta", distance=ref.interval
    ),
    62: lambda s: (
        [
            sqrt(value**2 / variance)
            for value, _, variance in [classical.kappa_variances(TABLE_6, SAME)]
        ]
        + [of_chance(s["table_6"])]
    ),
    66: lambda s: latent.aickin_by_em(s["GWET"])[0],
    67: lambda s: [
        x
        for table in ([[80, 4], [6, 10]], [[40, 10], [10, 40]])
        for x in (latent.aickin_by_em(table)[0], largest_kappa(table)[0])
    ],
    78: lambda s: [sqrt(0.021), 0.7 - 1.959964 * sqrt(0.021), 0.7 + 1.959964 * sqrt(0.021)],
    80: lambda s: [Fraction(1010, 1050), *specific(s["nouns"])[::2]],
    83: lambda s: [list(item.values()).count("h") for item in read(s["three"])],
    84: lambda s: [
        1 - of(s["three"], "pi", part="observed")[0],
        1 - of(s["three"], "pi", part="expected")[0],
        *of(s["three"], "pi"),
    ],
    85: lambda s: of(s["three"], "kappa"),
    86: lambda s: of(
        TAGS,
        "alpha",
        distance=by_pairs(
            {"NN NNP": Fraction(1, 10), "NN VB": Fraction(9, 10), "NNP VB": Fraction(9, 10)}
        ),
    ),
    87: lambda s: 2 * of(s["rated"], "alpha", distance=ref.interval),
    88: lambda s: [
        *of(s["signs"], "alpha", distance=by_pairs(HALVES), part="observed"),
        *of(s["signs"], "alpha", distance=by_pairs(HALVES), part="expected"),
        *of(s["signs"], "alpha", distance=by_pairs(HALVES)),
    ],
    89: lambda s: coincidences(s["signs"]),
    90: lambda s: four_numbers(s["cohen"], 1),
    91: lambda s: four_numbers(s["cohen"], 2),
    92: lambda s: [1, *of(s["twice_marks"], "kappa")],
    97: lambda s: [Fraction(1010, 1050), *wilson(1010, 1050)],
    98: lambda s: precision_recall(s["two"]),
    101: lambda s: of(s["rated"][:5], "beta", distance=ref.rank_linear),
    102: lambda s: [*of(s["example"][1], "kappa", "pi"), 0.67],
    103: lambda s: of(s["example"][2], "kappa", "pi"),
    104: lambda s: [1 - d for d in of(s["example"][1], "kappa", "pi", part="expected")],
    105: lambda s: [1 - d for d in of(s["example"][1], "alpha", "pi", part="expected")],
    107: lambda s: three_numbers(s["example"][3]),
    110: lambda s: largest_kappa([[9000, 500], [500, 0]])[0],
    111: lambda s: three_numbers(s["example"][5]),
    112: lambda s: three_numbers(s["example"][6]),
    114: lambda s: specific(s["table_6"]),
    119: lambda s: 2 * of(s["rated"], "alpha", distance=ref.interval),
    122: lambda s: [
        x
        for table in ([[997_000, 1_000], [1_000, 1_000]], [[996_000, 1_000], [1_000, 2_000]])
        for x in (Fraction(2 * table[1][1], 2 * table[1][1] + 2_000), largest_kappa(table)[0])
    ],
    125: lambda s: [
        x for n in (30, 1020) for x in (Fraction(n * n, 1050), Fraction(n * n, 1050) >= 5)
    ],
    126: lambda s: of_chance(s["table_6"]),
    127: lambda s: one_way(s["rated"]),
    128: lambda s: [
        value + side * 1.959964 * sqrt(variance)
        for value, variance, _ in [classical.kappa_variances([[20, 20], [10, 50]], SAME)]
        for side in (-1, 1)
    ],
    133: lambda s: by_value(s["dimensions"], "dimension", "pi"),
    138: lambda s: [
        windows("000100000010", "000101000010", 3)[0],
        windows("000100000010", "000101000010", 3)[1],
    ],
    150: lambda s: [
        1 - d for d in of(frozen(s["tagged"]), "beta", distance=ref.of(sets.dice), part="observed")
    ],
    151: lambda s: by_value(s["words"], "word", "beta", distance=ref.of(sets.dice)),
    147: lambda s: [
        sets.masi(frozenset(a), frozenset(b)) for a, b in (({1}, {1, 2}), ({1, 2}, {2, 3}))
    ],
    156: lambda s: by_sets(frozen(s["tagged"]), "alpha", sets.masi),
    157: lambda s: disagreement_shares(s["four"]),
    162: lambda s: [
        *of(s["feelings"], "kappa", "pi", "alpha"),
        *of(s["feelings"], "alpha", distance=ref.interval),
    ],
    163: lambda s: of(s["feelings"], "beta", distance=ref.interval),
    165: lambda s: merged(s["feelings"], {-2: -1, 2: 1}),
    167: lambda s: [
        Fraction(sum(row.count(x) for row in coders(s["feelings"])), 600) for x in range(-2, 3)
    ],
    168: lambda s: [2 * share - 1 for share in ROWS[167](s)],
    169: lambda s: bias_indices(s["feelings"]),
    170: lambda s: [1 - 2 * d for d in 2 * of(s["feelings"], "pi", part="observed")],
    171: lambda s: 2 * [deviation(s["feelings"], 9)],
    172: lambda s: [210, deviation(s["feelings"], 4)],
    176: lambda s: majorities(s["small"]),
    177: lambda s: cronbach_deviations(s["feelings"], (2, 3, 9)),
    184: lambda s: [
        *of(s["two"], "s", "pi", "kappa", "alpha"),
        *of(s["signs"], "beta", distance=by_pairs(HALVES)),
    ],
    185: lambda s: unitized(UNITS, {"": (150, 450)}),
    187: lambda s: [
        *of(s["example"][3], "ac"),
        *of(s["table_6"], "ac", distance=by_pairs(BETWEEN)),
    ],
    190: lambda s: [
        1 - of(frozen(s["tagged"]), "beta", distance=ref.of(d), part="observed")[0]
        for d in (sets.dice, sets.overlap)
    ],
    191: lambda s: [*of(s["table_6"], "alpha", distance=by_pairs(BETWEEN)), 4],
    192: lambda s: by_sets(frozen(s["tagged"]), "alpha", sets.masi, sets.masi_product),
    196: lambda s: windows("0010010", "0100010", 2),
    201: lambda s: of(s["table_6"], "kappa")[0] - of(s["table_1"], "kappa")[0],
    208: lambda s: multivalued.alpha(s["several_values"]),
    218: lambda s: [3 * 0.4 / (1 + 2 * 0.4), 0.9 * 0.6 / (0.4 * 0.1) + 0.5],
    219: lambda s: largest_kappa([[40, 20], [5, 35]]),
    221: lambda s: [Fraction(n * n, 230 * 25 * 25) for n in (460, 978, 2185, 1322, 805)],
    223: lambda s: by_class(s["classes"]),
}

#: Rows whose call computes the same number a second way, from the definition.
TWICE = (75,)

#: Rows whose result is a count or an answer of yes or no: there is no number to compute.
COUNTED = (20, 21, 93, 129, 131, 159, 173, 174, 178, 180, 188, 189, 215)

__all__ = ["COUNTED", "ROWS", "TWICE"]

"""More rows of docs/papers.md, computed by definition: segmentations, units, studies, tests.

As in `reference_papers`, each function takes the names of the blocks above its row, and uses their
judgments and units only.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, log, sqrt

import numpy as np
import reference as ref
import reference_gamma as gamma
import reference_labelsets as sets
import reference_latent as latent
import reference_papers as papers
import reference_score as scores
import reference_stability as stability
import reference_unitizing as unitizing
import reference_units_by_places as by_places
import scipy.special
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp, minimize

# ---------------------------------------------------------------- segmentations


def cuts(segmentations):
    """List the boundaries of each coder: 0 and 1 for each place between two elements."""
    return [list(map(int, one)) for one in segmentations.values()]


def of_boundaries(segmentations, before=(), after=()):
    """Compute π of the places, with further ones where all coders have a boundary."""
    rows = [[*before, *one, *after] for one in cuts(segmentations)]
    return ref.agreement(ref.from_rows(list(zip(*rows, strict=True))), "pi").value


def differing(a, b, measure):
    """Say whether two windows with a and b boundaries differ."""
    return (a > 0) != (b > 0) if measure == "p_k" else a != b


def own_window(marks):
    """Halve the mean length of the segments, as a whole number, at least 1."""
    return max(1, round(Fraction(len(marks) + 1, 2 * (sum(marks) + 1))))


def windows_by_chance(marks, other, measure):
    """Compute the mean error, and the mean over all placements of the same number of boundaries."""
    size, n = own_window(marks), len(marks)
    starts = range(n - size + 1)
    observed = Fraction(
        sum(
            differing(sum(marks[at : at + size]), sum(other[at : at + size]), measure)
            for at in starts
        ),
        len(starts),
    )

    def inside(boundaries, number):
        """Give the share of the placements that have a number of boundaries in one window."""
        return Fraction(
            comb(size, number) * comb(n - size, boundaries - number), comb(n, boundaries)
        )

    numbers = range(size + 1)
    here, there = (
        [inside(sum(one), k) if k <= sum(one) else 0 for k in numbers] for one in (marks, other)
    )
    expected = sum(
        here[a] * there[b] for a, b in product(numbers, repeat=2) if differing(a, b, measure)
    )
    return observed, expected


def windows_corrected(segmentations, measure):
    """Compute 1 − mean error / mean error by chance, each coder in turn as the reference."""
    both = [windows_by_chance(*pair, measure) for pair in permutations(cuts(segmentations), 2)]
    return 1 - sum(o for o, _ in both) / sum(e for _, e in both)


def with_majority(segmentations, own_vote=True, at=(0, 1)):
    """Compute the share of opinions that are the majority's, at places where it is one of `at`."""
    right = opinions = 0
    for place in zip(*cuts(segmentations), strict=True):
        for coder, mark in enumerate(place):
            votes = Counter(m for c, m in enumerate(place) if own_vote or c != coder)
            if votes[0] != votes[1] and (top := int(votes[1] > votes[0])) in at:
                right, opinions = right + (mark == top), opinions + 1
    return Fraction(right, opinions)


def nearest(one, other):
    """Compute B of two segmentations with moves of one place: of all sets of moves the best.

    Fewest edits, then least weight; a move weighs 1/2, and all else 1.
    """
    alone = [[i for i, (a, b) in enumerate(zip(*pair, strict=True)) if a and not b]
             for pair in ((one, other), (other, one))]  # fmt: skip
    moves = [(i, j) for i in alone[0] for j in alone[1] if abs(i - j) == 1]
    most = 0
    for number in range(len(moves) + 1):
        for some in combinations(moves, number):
            if len({i for i, _ in some}) == len({j for _, j in some}) == number:
                most = number
    both = sum(a and b for a, b in zip(one, other, strict=True))
    additions = sum(map(len, alone)) - 2 * most
    return Fraction(most, 2) + additions, additions + most + both


def boundary_similarity(one, other):
    """Compute B."""
    weight, everything = nearest(one, other)
    return 1 - weight / everything


def boundaries_corrected(segmentations):
    """Compute B over pairs of coders, and corrected for boundaries at each coder's own rate.

    The expected value of a pair is the ratio of the expected numerator and denominator.
    """
    pairs = list(combinations(cuts(segmentations), 2))
    observed = statistics.mean(boundary_similarity(*pair) for pair in pairs)
    expected = statistics.mean(similar_by_chance(*pair) for pair in pairs)
    return observed, (observed - expected) / (1 - expected)


def similar_by_chance(one, other):
    """Compute E[numerator] / E[denominator] of B, by the states of one place after the other.

    Within a run of places that the two mark alternately, the number of moved boundaries is the
    number of disjoint pairs of neighbours.
    """
    n = len(one)
    p, q = Fraction(sum(one), n), Fraction(sum(other), n)
    kinds = {"both": p * q, "first": p * (1 - q), "other": (1 - p) * q, "none": (1 - p) * (1 - q)}
    moved, free = Fraction(0), {"first": Fraction(0), "other": Fraction(0)}
    for _ in range(n):
        # A place that one marks is paired with the place before if the other one marks that, free.
        pairs = {"first": kinds["first"] * free["other"], "other": kinds["other"] * free["first"]}
        moved += sum(pairs.values())
        free = {kind: kinds[kind] - pairs[kind] for kind in free}
    both, alone = n * kinds["both"], n * (kinds["first"] + kinds["other"])
    return 1 - (alone - 2 * moved + moved / 2) / (both + alone - moved)


# ---------------------------------------------------------------- units


def units_of(data):
    """List units: coder, start, end, category, document."""
    frame = data.to_frame()
    names = ["coder", "start", "end", "category", "document"]
    return list(zip(*(frame[name] for name in names), strict=True))


def f1(hits, first, other):
    """Compute F1."""
    return Fraction(2 * hits, first + other)


def of_coders(units):
    """List the units of each coder."""
    return [[u for u in units if u[0] == coder] for coder in sorted({u[0] for u in units})]


def most_matches(first, other, fits):
    """Count the pairs of the largest matching, by trying all."""
    if not first:
        return 0
    rest = first[1:]
    return max(
        most_matches(rest, other, fits),
        *(
            1 + most_matches(rest, other[:at] + other[at + 1 :], fits)
            for at, unit in enumerate(other)
            if fits(first[0], unit)
        ),
        0,
    )


def same_span(a, b):
    """Say whether two units are one: place and category."""
    return a[1:] == b[1:]


def overlapping(a, b):
    """Say whether two units of a category overlap."""
    return a[3:] == b[3:] and a[1] < b[2] and b[1] < a[2]


def span_scores(units, fits, category=None):
    """Compute F1 of two coders' units."""
    first, other = ([u for u in own if category in (None, u[3])] for own in of_coders(units))
    return f1(most_matches(first, other, fits), len(first), len(other))


def of_brackets(units):
    """Compute precision, recall and F1 of the second coder's brackets."""
    first, other = of_coders(units)
    hits = most_matches(first, other, same_span)
    return Fraction(hits, len(other)), Fraction(hits, len(first)), f1(hits, len(first), len(other))


def places(units, length):
    """Write the row of each coder: for each place the unit and its category, or None."""
    rows = {}
    for name, (coder, start, end, category, _) in enumerate(units):
        row = rows.setdefault(coder, [None] * int(length))
        for at in range(int(start), int(end)):
            row[at] = (name, category)
    return {"": rows}


def share(pair):
    """Compute 1 − D_o / D_e."""
    return 1 - pair[0] / pair[1]


def place_kappa(units, length):
    """Compute κ of the categories of places."""
    rows = [
        ["" if cell is None else cell[1] for cell in row]
        for row in places(units, length)[""].values()
    ]
    return ref.agreement(ref.from_rows(list(zip(*rows, strict=True))), "kappa").value


def over_two(start, length=14):
    """Compute D_o of α_U of a unit of one coder and two of another."""
    units = [("A", 10, 20, "", ""), ("A", 20, 30, "", ""), ("B", start, start + length, "", "")]
    return unitizing.alpha_u(units, {"": (0, 40)}, ["A", "B"])[0]


def in_pieces(data):
    """Count units and pieces, and compute uα: pieces of a unit have its name."""
    frame = data.to_frame()
    rows = {}
    for coder, name, start, end, category in zip(
        *(frame[x] for x in ("coder", "unit", "start", "end", "category")), strict=True
    ):
        row = rows.setdefault(coder, [None] * 20)
        for at in range(int(start), int(end)):
            row[at] = (name, category)
    n_units = len(set(zip(frame["coder"], frame["unit"], strict=True)))
    return [n_units, len(frame), share(by_places.u_alpha({"": rows}))]


# ---------------------------------------------------------------- relations and objects


def arrows(data, coder):
    """Map each arrow of a coder to its label."""
    frame = data.to_frame()
    frame = frame[frame["coder"] == coder]
    ends = zip(frame["document"], frame["source"], frame["target"], strict=True)
    return dict(zip(ends, frame["label"], strict=True))


def relation_f1(data):
    """Compute F1 of arrows with their labels."""
    first, other = (set(arrows(data, coder).items()) for coder in ("Ann", "Bob"))
    return f1(len(first & other), len(first), len(other))


def relation_alpha(data):
    """Compute α of the labels of all ordered pairs of a document's units that relations name."""
    both = [arrows(data, coder) for coder in ("Ann", "Bob")]
    named = {}
    for document, source, target in (arrow for one in both for arrow in one):
        named.setdefault(document, set()).update((source, target))
    items = [
        {c: one.get((document, *pair), "") for c, one in enumerate(both)}
        for document, units in named.items()
        for pair in permutations(sorted(units), 2)
    ]
    return ref.agreement(items, "alpha").value


def attachments(data):
    """Compute the share of units with the same head, and with the same head and label."""
    own = []
    for coder in ("Ann", "Bob"):
        heads = {}
        for (document, source, target), label in arrows(data, coder).items():
            # A unit without a head is a root.
            heads.setdefault((document, source), None)
            heads[document, target] = (source, label)
        own.append(heads)
    units = [(own[0].get(unit), own[1].get(unit)) for unit in {**own[0], **own[1]}]
    same = [
        sum((a and a[0]) == (b and b[0]) for a, b in units),
        sum(a == b for a, b in units),
    ]
    return [Fraction(n, len(units)) for n in same]


def boxes_of(data):
    """List objects: image, coder, label, ends."""
    frame = data.to_frame()
    ends = [tuple(map(Fraction, shape.split())) for shape in frame["shape"]]
    return list(zip(frame["image"], frame["coder"], frame["label"], ends, strict=True))


def apart(a, b):
    """Compute 1 − intersection / union of two boxes."""
    sides = [max(Fraction(0), min(a[i + 2], b[i + 2]) - max(a[i], b[i])) for i in (0, 1)]
    both = sides[0] * sides[1]
    area = sum((x[2] - x[0]) * (x[3] - x[1]) for x in (a, b))
    return 1 - both / (area - both)


def box_scores(data):
    """Compute F1 of boxes with labels, α of labels with "not marked", and α of shapes.

    No box is near two others, so that each has one possible match only.
    """
    first, other = ([x for x in boxes_of(data) if x[1] == coder] for coder in ("Ann", "Bob"))
    matched = [
        (a, b) for a in first for b in other if a[0] == b[0] and apart(a[3], b[3]) <= Fraction(1, 2)
    ]
    assert len({a for a, _ in matched}) == len({b for _, b in matched}) == len(matched)
    same = sum(a[2] == b[2] for a, b in matched)
    items = [{0: a[2], 1: b[2]} for a, b in matched]
    items += [{0: a[2], 1: ""} for a in first if a not in [x for x, _ in matched]]
    items += [{0: "", 1: b[2]} for b in other if b not in [x for _, x in matched]]
    return [
        f1(same, len(first), len(other)),
        ref.agreement(items, "alpha").value,
        ref.agreement([{0: a[3], 1: b[3]} for a, b in matched], "alpha", ref.of(apart)).value,
    ]


# ---------------------------------------------------------------- ratings


def mean_squares(rows):
    """Compute the mean squares between items, within items, between coders, and of the rest."""
    n, k = len(rows), len(rows[0])
    rows = [list(map(Fraction, row)) for row in rows]
    grand = sum(map(sum, rows)) / (n * k)
    means = [sum(row) / k for row in rows]
    columns = [sum(column) / n for column in zip(*rows, strict=True)]
    between = k * sum((m - grand) ** 2 for m in means)
    coders = n * sum((m - grand) ** 2 for m in columns)
    within = sum((x - m) ** 2 for row, m in zip(rows, means, strict=True) for x in row)
    return (
        between / (n - 1),
        within / (n * (k - 1)),
        coders / (k - 1),
        (within - coders) / ((n - 1) * (k - 1)),
    )


def intraclass(rows):
    """Compute the six correlations of Shrout & Fleiss 1979."""
    n, k = len(rows), len(rows[0])
    b, w, j, e = mean_squares(rows)
    return [
        (b - w) / (b + (k - 1) * w),
        (b - e) / (b + (k - 1) * e + k * (j - e) / n),
        (b - e) / (b + (k - 1) * e),
        (b - w) / b,
        (b - e) / (b + (j - e) / n),
        (b - e) / b,
    ]


def ranks(column):
    """Rank values, ties by their mean rank."""
    return [
        sum(y < x for y in column) + Fraction(sum(y == x for y in column) + 1, 2) for x in column
    ]


def kendall_w(rows):
    """Compute W with the correction of ties: variance of the sums of ranks over the largest one."""
    n, k = len(rows), len(rows[0])
    ranked = [ranks(column) for column in zip(*rows, strict=True)]
    sums = [sum(row) for row in zip(*ranked, strict=True)]
    spread = sum((s - Fraction(k * (n + 1), 2)) ** 2 for s in sums)
    ties = sum(t**3 - t for column in ranked for t in Counter(column).values())
    return 12 * spread / (k**2 * (n**3 - n) - k * ties)


def concordance(rows):
    """Compute Barnhart's: Σ 2 s_ij / Σ (s_i² + s_j² + (m_i − m_j)²) over pairs of coders."""
    columns = [list(map(Fraction, column)) for column in zip(*rows, strict=True)]
    above = below = Fraction(0)
    for a, b in combinations(columns, 2):
        m, o, n = statistics.mean(a), statistics.mean(b), len(a)
        above += 2 * sum((x - m) * (y - o) for x, y in zip(a, b, strict=True)) / n
        below += statistics.pvariance(a) + statistics.pvariance(b) + (m - o) ** 2
    return above / below


def limits(first, other):
    """Compute the mean difference ∓ 1.96 standard deviations."""
    gaps = [a - b for a, b in zip(first, other, strict=True)]
    reach = 1.959964 * statistics.stdev(gaps)
    return [statistics.mean(gaps) - reach, statistics.mean(gaps) + reach]


# ---------------------------------------------------------------- studies over coders


def merging_gain(data):
    """Compute the largest gain in α of merging two categories, and the α that it leads to."""
    items = papers.read(data)
    before = ref.agreement(items, "alpha").value
    after = max(
        ref.agreement(
            [{c: {a: b}.get(x, x) for c, x in item.items()} for item in items], "alpha"
        ).value
        for a, b in combinations(data.categories, 2)
    )
    return [after - before, after]


def changed(data, sizes, mapping=None):
    """Compute how often some coders have another set of most frequent labels than all."""
    items = [{c: (mapping or {}).get(x, x) for c, x in item.items()} for item in papers.read(data)]
    coders = sorted(items[0])
    return [
        statistics.mean(
            moved
            for moved, _ in stability.shares(items, coders, size, "change", None, [1] * len(items))
        )
        for size in sizes
    ]


def repeated(frame):
    """Compute the mean over coders of α of two rounds, and α between coders in the first one."""
    labels = {
        (coder, round_, item): label
        for coder, round_, item, label in zip(
            frame["coder"], frame["round"], frame["item"], frame["label"], strict=True
        )
    }
    coders, items = sorted(set(frame["coder"])), sorted(set(frame["item"]))
    own = [
        ref.agreement([{r: labels[c, r, i] for r in (1, 2)} for i in items], "alpha").value
        for c in coders
    ]
    between = ref.agreement([{c: labels[c, 1, i] for c in coders} for i in items], "alpha").value
    return [statistics.mean(own), between]


def majority_errs(reliability, n_coders):
    """Compute the error of a majority of coders who err alike, in two equally frequent categories.

    Two of them correlate by (2a − 1)², if each is right with probability a.
    """
    wrong = (1 - sqrt(reliability)) / 2
    return sum(
        comb(n_coders, k) * wrong**k * (1 - wrong) ** (n_coders - k)
        for k in range(n_coders // 2 + 1, n_coders + 1)
    )


# ---------------------------------------------------------------- γ


def laned(data):
    """List the units of each coder as (coder, start, end, category), coders numbered."""
    names = sorted({unit[0] for unit in units_of(data)})
    return [
        [(c, int(u[1]), int(u[2]), u[3]) for u in units_of(data) if u[0] == name]
        for c, name in enumerate(names)
    ]


@cache
def cost(row, n_coders):
    """Compute the disorder of a unitary alignment, under the nominal distance."""
    pairs = comb(n_coders, 2)
    apart = sum(unlike(a, b) for a, b in combinations(row, 2))
    return (apart + pairs - comb(len(row), 2)) / pairs


@cache
def unlike(a, b):
    """Compute the dissimilarity of two units of two coders."""
    return float(gamma.unlike(a, b, {(a[3], b[3]): int(a[3] != b[3])}, 1, 1, 1))


def aligned(lanes):
    """Align so that the sum of disorders is least, each unit being in one unitary alignment.

    It is the best choice among all unitary alignments that cost less than their units alone.
    """
    m = len(lanes)
    rows = [tuple(u for u in row if u) for row in product(*([None, *lane] for lane in lanes))]
    rows = [row for row in rows if row and (len(row) == 1 or cost(row, m) < len(row))]
    units = {unit: i for i, unit in enumerate(u for lane in lanes for u in lane)}
    holds = np.zeros((len(units), len(rows)))
    for j, row in enumerate(rows):
        for unit in row:
            holds[units[unit], j] = 1
    found = milp(
        [cost(row, m) for row in rows],
        integrality=np.ones(len(rows)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(holds, 1, 1),
    )
    best = [row for row, x in zip(rows, found.x, strict=True) if x > 0.5]
    return best, found.fun * m / len(units)


def shifted(lanes, shifts, extent):
    """Move the units of each lane by its shift; those beyond the end come in at the beginning."""
    begin, end = extent
    return [
        [
            (c, start + shift - around, stop + shift - around, category)
            for _, start, stop, category in lane
            for around in [end - begin if start + shift >= end else 0]
        ]
        for c, (lane, shift) in enumerate(zip(lanes, shifts, strict=True))
    ]


def apart_enough(shifts, length, least):
    """Say whether shifts around a document are as far from each other as its mean unit is long."""
    gaps = [abs(a - b) for a, b in combinations(shifts, 2)]
    return all(min(gap, length - gap) >= least for gap in gaps)


def gamma_exactly(data, extent):
    """Compute γ of two coders by all shifts, of all choices of coders, that are equally likely.

    If no two shifts are far enough from each other, all shifts count.
    """
    lanes, length = laned(data), extent[1] - extent[0]
    every = [unit for lane in lanes for unit in lane]
    least = Fraction(sum(u[2] - u[1] for u in every), len(every))
    pairs = list(product(range(length), repeat=2))
    far = [pair for pair in pairs if apart_enough(pair, length, least)] or pairs
    disorders = [
        of_two(shifted(chosen, pair, extent)) for chosen in product(lanes, lanes) for pair in far
    ]
    return 1 - of_two(lanes) / statistics.fmean(disorders)


def of_two(lanes):
    """Compute the disorder of the best alignment of two coders: an assignment."""
    first, other = lanes
    costs = np.full((len(first) + len(other),) * 2, 2.0)
    costs[len(first) :, len(other) :] = 0
    for i, a in enumerate(first):
        for j, b in enumerate(other):
            costs[i, j] = min(unlike(a, b), 2)
    costs[: len(first), len(other) :] = 1
    costs[len(first) :, : len(other)] = 1
    chosen = linear_sum_assignment(costs)
    return costs[chosen].sum() * 2 / (len(first) + len(other))


def by_category(rows, category=None):
    """Compute the disorder of categories of aligned units, the nearer the heavier."""
    labels = {unit[3] for row in rows for unit in row}
    distances = {(a, b): int(a != b) for a, b in product(labels, repeat=2)}
    return gamma.category_disorder(rows, distances, category)


@cache
def gammas_drawn(units, n_samples):
    """Estimate γ and γ_cat of three coders from shifts drawn here, and compute δ and 1 − γ_6.

    Coders are drawn with replacement, and a shift again until it is far from those before it.
    """
    dice = random.Random(1)
    lanes = [[u for u in units if u[0] == c] for c in range(3)]
    begin, end = 0, max(u[2] for u in units)
    least = Fraction(sum(u[2] - u[1] for u in units), len(units))
    best, disorder = aligned(lanes)
    disorders, categories = [], []
    for _ in range(n_samples):
        shifts: list[int] = []
        while len(shifts) < 3:
            shift = dice.randrange(end - begin)
            if apart_enough([*shifts, shift], end - begin, least):
                shifts.append(shift)
        chosen = [dice.choice(lanes) for _ in range(3)]
        rows, found = aligned(shifted(chosen, shifts, (begin, end)))
        disorders.append(found)
        categories.append(by_category(rows))
    known = [float(x) for x in categories if x is not None]
    return (
        1 - disorder / statistics.fmean(disorders),
        1 - float(by_category(best)) / statistics.fmean(known),
        by_category(best, "6"),
        disorder,
    )


def of_three(scope):
    """Return γ, γ_cat, 1 − the share of γ_6, and δ of the three coders."""
    units = tuple(unit for lane in laned(scope["of_three"]) for unit in lane)
    together, categories, of_6, disorder = gammas_drawn(units, 250)
    assert of_6 == 0
    return together, categories, 1 - of_6, disorder


def text_gamma(labels, others):
    """Compute tγ of units at the same places of the same text, which are aligned in their order."""
    pool = [*labels, *others]
    observed = Fraction(sum(map(str.__ne__, labels, others)), 2 * len(labels))
    shares = [Fraction(pool.count(x), len(pool)) for x in set(pool)]
    return 1 - observed / (Fraction(1 - sum(p * p for p in shares)) / 2)


# ---------------------------------------------------------------- tests and intervals


def score(data, name):
    """Compute a coefficient's score interval and what it is made from."""
    often = Counter(tuple(item.values()) for item in papers.read(data))
    return scores.interval(name, list(often), list(often.values()), scores.nominal)


def p_above(found, null):
    """Compute the probability of a value as high if the true one is `null`."""
    x, x0 = ((value - found["least"]) / (1 - found["least"]) for value in (found["centre"], null))
    t = (x - x0) * sqrt(found["size"] / (x0 * (1 - x0)))
    return scipy.special.stdtr(found["freedom"], -t)


def lowest(parts, value, share=Fraction(1, 40)):
    """Compute the 2.5% quantile of a value over all ways to draw parts with replacement."""
    values = sorted(value(drawn) for drawn in product(parts, repeat=len(parts)))
    return values[int(len(values) * share)]


def u_alpha_of(documents):
    """Compute uα of documents, each of which may occur several times."""
    return share(by_places.u_alpha(dict(enumerate(documents))))


def documents_of(data, length):
    """List documents, each with the row of each coder."""
    units = units_of(data)
    return [
        places([u for u in units if u[4] == document], length)[""]
        for document in sorted({u[4] for u in units})
    ]


def windows_of(texts):
    """Compute P_k of texts, each given as two rows of boundaries."""
    apart = everything = 0
    for marks, other in texts:
        size = own_window(marks)
        starts = range(len(marks) - size + 1)
        apart += sum(
            differing(sum(marks[i : i + size]), sum(other[i : i + size]), "p_k") for i in starts
        )
        everything += len(starts)
    return Fraction(apart, everything)


def intervals_and_ends(scope):
    """Count categories, pairs, coders; compute the lower ends over documents."""
    small, (marks, others) = papers.read(scope["small"]), scope["cut_texts"]
    coders = len(small[0])
    texts = [(list(map(int, marks[t])), list(map(int, others[t]))) for t in marks]
    return [
        len(ref.labels_of(small)),
        comb(coders, 2),
        coders,
        coders,
        len(scope["URNS"][0]),
        lowest(documents_of(scope["documents"], 10), u_alpha_of),
        lowest(texts, windows_of),
    ]


# ---------------------------------------------------------------- models


def number_of_classes(rows):
    """Compare the BIC of one class with that of two, fitted by EM; each coder has a table."""
    labels = sorted({label for row in rows for label in row})
    often = Counter(rows)
    items = [[(c, labels.index(x)) for c, x in enumerate(row)] for row in often]
    weights, coders, k = list(often.values()), len(rows[0]), len(labels)
    fits = [latent.maximise(items, weights, [[1.0]] * len(items), coders, k)]
    found = latent.votes(items, k)
    for _ in range(500):
        two = latent.maximise(items, weights, [list(map(float, p)) for p in found], coders, k)
        found = latent.expect(items, *two)
    fits.append(two)
    bic = [
        (n * coders * (k - 1) + n - 1) * log(len(rows))
        - 2 * latent.log_likelihood(items, weights, *fit)
        for n, fit in enumerate(fits, 1)
    ]
    return 1 + bic.index(min(bic))


def likelihood(counts, cells):
    """Compute Σ n log P."""
    return sum(
        n * log(p)
        for row, of_row in zip(counts, cells, strict=True)
        for n, p in zip(row, of_row, strict=True)
    )


def closed(free):
    """Complete shares of which the last is left out."""
    return [*free, 1 - sum(free)]


def aickin(counts):
    """Compute Aickin's α, its standard error by the curvature of the likelihood, and the linear α.

    The linear model's α is where its likelihood is greatest.
    """
    a, r, c = latent.aickin_by_em(counts)
    k = len(r)

    def constant(x):
        return likelihood(counts, latent.aickin_cells(x[0], closed(x[1:k]), closed(x[k:])))

    at = [a, *r[:-1], *c[:-1]]
    size = range(len(at))
    curvature = [[-latent.second_derivative(constant, at, i, j, 1e-4) for j in size] for i in size]

    def linear(x):
        shares = closed(x[1:])
        if min(x) <= 0 or min(shares) <= 0 or x[0] >= 1:
            return 1e9
        return -likelihood(counts, latent.linear_cells(x[0], shares))

    found = minimize(
        linear, [0.3, *r[:-1]], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
    )
    return [a, sqrt(np.linalg.inv(curvature)[0, 0]), found.x[0]]


def three_who_differ(reliability, spread):
    """Compute the mean error of three coders' majority, and the range of 95% of the sets of three.

    Coders know a label with a probability that is drawn from the Beta distribution of this mean,
    √reliability, and relative standard deviation; otherwise they guess one of two.
    """
    mean = sqrt(reliability)
    knows = np.full((1, 3), mean)
    if spread:
        size = mean * (1 - mean) / (spread * mean) ** 2 - 1
        draw = np.random.default_rng(1)
        knows = draw.beta(mean * size, (1 - mean) * size, (200_000, 3))
    a, b, c = (1 - knows.T) / 2
    errors = a * b + a * c + b * c - 2 * a * b * c
    return [errors.mean(), *np.quantile(errors, [0.025, 0.975])]


HALVES_OF_TEXT = {"both": ([1], [1]), "start": ([1], []), "none": ([], [])}

ROWS = {
    137: lambda s: [of_boundaries(s["halves_of_50"], *ends) for ends in HALVES_OF_TEXT.values()],
    139: lambda s: [windows_corrected(s["stargazers"], m) for m in ("window_diff", "p_k")],
    141: lambda s: [
        with_majority(s["stargazers"]),
        with_majority(s["stargazers"], at=(1,)),
        with_majority(s["stargazers"], own_vote=False),
    ],
    143: lambda s: [over_two(13), over_two(10)],
    144: lambda s: [
        gamma_exactly(s["nested"], (0, 50)),
        *(span_scores(units_of(s["nested"]), fits) for fits in (same_span, overlapping)),
    ],
    145: lambda s: [
        share(by_places.binary_u_alpha(places(units_of(s["marked"]), 50))),
        share(by_places.intersections(places(units_of(s["marked"]), 50), "krippendorff_2016")),
        *(
            share(by_places.intersections(places(units_of(s["of_three"]), 60), account))
            for account in ("krippendorff_2016", "krippendorff_2019")
        ),
        of_three(s)[1],
    ],
    148: lambda s: [
        *(papers.of(s["referents"][of], "pi")[0] for of in ("antecedents", "chains")),
        papers.of(s["referents"]["antecedents"], "alpha")[0],
        papers.by_sets(papers.frozen(s["referents"]["chains"]), "alpha", sets.passonneau)[0],
    ],
    149: lambda s: [
        ref.agreement(
            [
                {c: span[0] - (s["nearby"][name] if near else 0) for c, span in enumerate(row)}
                for name, row in zip(s["spots"].items, s["spots"].to_wide(), strict=True)
            ],
            "alpha",
            ref.interval,
        ).value
        for near in (False, True)
    ],
    152: lambda s: merging_gain(s["four"]),
    158: lambda s: [
        (found := score(s["table_6"], "alpha"))["low"],
        sum(map(sum, papers.TABLE_6)),
        p_above(found, 0),
        p_above(found, 0.667),
        # Of independent, training, material and coders, two are given.
        4 - 2,
    ],
    160: lambda s: attachments(s["heads"]),
    161: lambda s: repeated(s["rounds"]),
    175: lambda s: changed(s["small"], (1, 2)),
    179: lambda s: [
        papers.of(s["orders"][0], "alpha")[0] - papers.of(s["orders"][1], "alpha")[0],
        1,
    ],
    181: lambda s: [majority_errs(r, c) for r in (0.25, 0.64) for c in (1, 3)],
    183: lambda s: [three_who_differ(0.4, spread) for spread in (0, 0.15)],
    186: lambda s: [of_three(s)[0], text_gamma("ABC", "AAC")],
    193: lambda s: number_of_classes(s["URNS"]),
    194: lambda s: aickin(s["GWET"]),
    197: lambda s: [
        papers.ROWS[165](s)[2],
        papers.ROWS[172](s)[1],
        *changed(s["feelings"], [9]),
        *changed(s["feelings"], [9], s["valence"]["valence"]),
    ],
    198: intervals_and_ends,
    199: lambda s: [p_above(score(s["table_6"], name), 0.667) for name in ("alpha", "ac", "s")],
    202: of_three,
    203: lambda s: in_pieces(s["pieces"]),
    204: lambda s: [
        *(
            span_scores(units_of(s["marked"]), fits, category)
            for fits in (same_span, overlapping)
            for category in (None, "person", "place")
        ),
        place_kappa(units_of(s["marked"]), 50),
    ],
    205: lambda s: [relation_f1(s["rhetoric"]), relation_alpha(s["rhetoric"])],
    206: lambda s: [
        boundary_similarity([0, 1, 0, 0], [0, 0, 1, 0]),
        *boundaries_corrected(s["stargazers"]),
    ],
    207: lambda s: [*(three := box_scores(s["boxes"])), three[0], three[0]],
    209: lambda s: [
        *intraclass(s["targets"]),
        kendall_w(s["targets"]),
        concordance(s["targets"]),
        *limits([row[0] for row in s["targets"]], [row[-1] for row in s["targets"]]),
    ],
    225: lambda s: [
        *of_brackets(units_of(s["parses"])),
        gamma_exactly(s["parses"], (0, 5)),
    ],
}


__all__ = ["ROWS"]

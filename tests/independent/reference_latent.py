"""Latent classes straight from the definitions, in rational arithmetic; nothing of the package.

A row is a list of (coder, label) pairs, label a number from 0; a coder may stand in it repeatedly.
Shares are a list over classes, tables are nested lists: coder, class, label.
"""

import math
from fractions import Fraction


def votes(rows, n_classes):
    """Dawid & Skene 1979, (3.1): each row's shares of labels."""
    out = []
    for row in rows:
        labels = [label for _, label in row]
        out.append([Fraction(labels.count(t), len(labels)) for t in range(n_classes)])
    return out


def maximise(rows, weights, posteriors, n_coders, n_labels, smoothing=Fraction(0)):
    """Dawid & Skene 1979, (2.3) and (2.4): shares, and what coders say in each class.

    A distribution that nothing was seen of is None.
    """
    n_classes = len(posteriors[0])
    total = sum(weights)
    shares = [
        sum(w * p[t] for w, p in zip(weights, posteriors, strict=True)) / total
        for t in range(n_classes)
    ]
    tables = []
    for coder in range(n_coders):
        table = []
        for t in range(n_classes):
            counts = [
                smoothing
                + sum(
                    w * p[t]
                    for w, p, row in zip(weights, posteriors, rows, strict=True)
                    for c, label in row
                    if (c, label) == (coder, k)
                )
                for k in range(n_labels)
            ]
            size = sum(counts)
            table.append([n / size for n in counts] if size else None)
        tables.append(table)
    return shares, tables


def joint(row, shares, tables):
    """P(class t and the row) for each t; 0 if a coder judged no item of the class."""
    out = []
    for t, share in enumerate(shares):
        p = share
        for coder, label in row:
            p *= 0 if tables[coder][t] is None else tables[coder][t][label]
        out.append(p)
    return out


def expect(rows, shares, tables):
    """Dawid & Skene 1979, (2.5): each row's posterior."""
    out = []
    for row in rows:
        p = joint(row, shares, tables)
        out.append([x / sum(p) for x in p])
    return out


def log_likelihood(rows, weights, shares, tables):
    """Of all rows, natural logarithm."""
    return math.fsum(
        w * log(sum(joint(row, shares, tables))) for w, row in zip(weights, rows, strict=True)
    )


def log(x):
    """Logarithm of a fraction that may be too small for a float."""
    x = Fraction(x)
    return math.log(x.numerator) - math.log(x.denominator)


def dawid_skene(rows, weights, n_coders, n_labels, n_iterations, smoothing=Fraction(0)):
    """EM from the votes: shares and tables after a number of iterations."""
    posteriors = votes(rows, n_labels)
    for _ in range(n_iterations):
        result = maximise(rows, weights, posteriors, n_coders, n_labels, smoothing)
        posteriors = expect(rows, *result)
    return maximise(rows, weights, posteriors, n_coders, n_labels, smoothing)


def leap(before, at, after, limit):
    """The extrapolation of three distributions on the sphere of their roots, and its length.

    Varadhan & Roland 2008, scheme S3, in floats. What the third excludes stays excluded.
    """
    roots = [[math.sqrt(x) for x in p] for p in (before, at, after)]
    r = [y - x for x, y, _ in zip(*roots, strict=True)]
    v = [(z - y) - (y - x) for x, y, z in zip(*roots, strict=True)]
    if not any(v):
        return list(after), 1.0
    length = min(math.hypot(*r) / math.hypot(*v), limit)
    if length <= 1:
        return list(after), 1.0
    moved = [
        (x + 2 * length * a + length**2 * b) ** 2 if last else 0.0
        for x, a, b, last in zip(roots[0], r, v, after, strict=True)
    ]
    return [x / math.fsum(moved) for x in moved], length


def ascend(rows, weights, n_coders, n_labels, n_iterations, smoothing=0.0):
    """Accelerated EM from the votes, in floats: the best log-likelihood at the start and after each
    iteration, with the penalty.

    A leap goes on from three points in succession, once EM has risen by a ten-thousandth only. It
    is at most 4 long at first, 4 times as long after one of full length that was good; one that was
    not is undone, and two steps of EM follow. The last iteration is no leap.
    """

    def value(point):
        shares, *tables = point
        tables = [tables[c * n_labels : (c + 1) * n_labels] for c in range(n_coders)]
        result = log_likelihood(rows, weights, shares, tables)
        return result + sum(smoothing * math.log(x) for p in point[1:] for x in p if smoothing)

    def step(point):
        shares, *tables = point
        tables = [tables[c * n_labels : (c + 1) * n_labels] for c in range(n_coders)]
        return flat(
            *maximise(rows, weights, expect(rows, shares, tables), n_coders, n_labels, smoothing)
        )

    def flat(shares, tables):
        unknown = [0.0] * n_labels
        result = [
            unknown if p is None else [float(x) for x in p] for table in tables for p in table
        ]
        return [[float(x) for x in shares], *result]

    posteriors = votes(rows, n_labels)
    at = flat(*maximise(rows, weights, posteriors, n_coders, n_labels, Fraction(smoothing)))
    best, trace, limit = value(at), [value(at)], 4.0
    before, settled = None, False
    at, before = step(at), at
    straight = (
        False  # whether `before`, `at` and what follows are steps of EM that may be leapt from
    )
    while len(trace) <= n_iterations:
        result = value(at)
        rise, best = result - best, result
        trace.append(best)
        after = step(at)
        if settled and straight and len(trace) < n_iterations:
            leaps = [leap(*three, limit) for three in zip(before, at, after, strict=True)]
            longest = max(length for _, length in leaps)
            if longest > 1:
                tried = [p for p, _ in leaps]
                result = value(tried)
                if result >= best:
                    best = result
                    limit *= 4 if longest >= limit else 1
                    before, at = tried, step(tried)
                else:
                    limit = max(4.0, longest / 4)
                    before, at, straight = at, after, False
                trace.append(best)
                continue
        settled = settled or rise <= 1e-4 * abs(best)
        before, at, straight = at, after, True
    return trace


def second_derivative(f, x, i, j, step):
    """∂²f / ∂x_i ∂x_j by central differences."""

    def at(di, dj):
        moved = list(x)
        moved[i] += di
        moved[j] += dj
        return f(moved)

    result = at(step, step) - at(step, -step) - at(-step, step) + at(-step, -step)
    return result / (4 * step * step)


# ---------------------------------------------------------------- Aickin's alpha


def aickin_by_em(counts, n_iterations=5000):
    """Aickin 1990 by EM with the complete data of hard and easy items, in floats.

    E: a diagonal cell's items are easy with probability a / (a + (1 − a) s), s = Σ r_i c_i. M: a is
    the share of easy items; r and c maximise Σ n_i. log r_i + Σ n_.j log c_j − easy · log s, whose
    equations are solved in turn.
    """
    k = len(counts)
    n = sum(map(sum, counts))
    rows = [sum(row) for row in counts]
    columns = [sum(row[j] for row in counts) for j in range(k)]
    agreed = sum(counts[i][i] for i in range(k))
    r, c, a = [x / n for x in rows], [x / n for x in columns], 0.5
    for _ in range(n_iterations):
        s = sum(x * y for x, y in zip(r, c, strict=True))
        easy = agreed * a / (a + (1 - a) * s)
        a = easy / n
        for _ in range(3):
            s = sum(x * y for x, y in zip(r, c, strict=True))
            r = [x / (n - easy + easy * y / s) for x, y in zip(rows, c, strict=True)]
            r = [x / sum(r) for x in r]
            s = sum(x * y for x, y in zip(r, c, strict=True))
            c = [y / (n - easy + easy * x / s) for y, x in zip(columns, r, strict=True)]
            c = [y / sum(c) for y in c]
    return a, r, c


def aickin_cells(a, r, c):
    """P_ij of Aickin's model."""
    s = sum(x * y for x, y in zip(r, c, strict=True))
    k = len(r)
    return [
        [(1 - a) * r[i] * c[j] + (a * r[i] * c[i] / s if i == j else 0) for j in range(k)]
        for i in range(k)
    ]


def linear_cells(a, p):
    """P_ij under assumption 4' of Artstein & Poesio 2005."""
    k = len(p)
    return [
        [(1 - a) * p[i] * p[j] + (a * p[i] if i == j else 0) for j in range(k)] for i in range(k)
    ]

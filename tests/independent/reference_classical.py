"""The classical tests straight from their definitions: rational arithmetic over tables and items.

Nothing here is shared with the package, and no formula is rearranged. A table is a list of rows of
counts (rows: the first coder); items are lists of labels, one for each judgment.
"""

import math
from fractions import Fraction
from itertools import combinations, permutations, product


def shares(table):
    """Cell shares and both marginals."""
    n = sum(map(sum, table))
    p = [[Fraction(count, n) for count in row] for row in table]
    return n, p, [sum(row) for row in p], [sum(column) for column in zip(*p, strict=True)]


def kappa_variances(table, weight):
    """Fleiss, Cohen & Everitt 1969, with agreement weights: κ_w, its variance, that under H0."""
    n, p, rows, columns = shares(table)
    K = range(len(table))
    observed = sum(weight[i][j] * p[i][j] for i in K for j in K)
    expected = sum(weight[i][j] * rows[i] * columns[j] for i in K for j in K)
    by_row = [sum(columns[j] * weight[i][j] for j in K) for i in K]
    by_column = [sum(rows[i] * weight[i][j] for i in K) for j in K]
    if expected == 1:
        return None
    squares = sum(
        p[i][j] * (weight[i][j] * (1 - expected) - (by_row[i] + by_column[j]) * (1 - observed)) ** 2
        for i in K
        for j in K
    )
    variance = (squares - (observed * expected - 2 * expected + observed) ** 2) / (
        n * (1 - expected) ** 4
    )
    null_squares = sum(
        rows[i] * columns[j] * (weight[i][j] - (by_row[i] + by_column[j])) ** 2
        for i in K
        for j in K
    )
    null_variance = (null_squares - expected**2) / (n * (1 - expected) ** 2)
    return (observed - expected) / (1 - expected), variance, null_variance


def fleiss(counts):
    """Fleiss, Nee & Landis 1979: overall κ and null variance, and those of each category."""
    N, m = len(counts), sum(counts[0])
    assert all(sum(row) == m for row in counts)
    K = range(len(counts[0]))
    p = [Fraction(sum(row[j] for row in counts), N * m) for j in K]
    pq = [x * (1 - x) for x in p]
    each = []
    for j in K:
        if pq[j] == 0:
            each.append(None)
            continue
        disagreeing = sum(row[j] * (m - row[j]) for row in counts)
        each.append((1 - disagreeing / (N * m * (m - 1) * pq[j]), Fraction(2, N * m * (m - 1))))
    total = sum(pq)
    if total == 0:
        return None, each
    value = sum(pq[j] * each[j][0] for j in K if each[j]) / total
    third = sum(pq[j] * (1 - p[j] - p[j]) for j in K)
    return (value, Fraction(2, N * m * (m - 1)) * (total**2 - third) / total**2), each


def solve(matrix, right):
    """Gauss-Jordan with free unknowns at 0: a solution, and the rank; None if there is none."""
    size = len(matrix)
    rows = [
        [Fraction(x) for x in row] + [Fraction(b)] for row, b in zip(matrix, right, strict=True)
    ]
    pivots, done = [], 0
    for column in range(size):
        result = next((r for r in range(done, size) if rows[r][column]), None)
        if result is None:
            continue
        rows[done], rows[result] = rows[result], rows[done]
        rows[done] = [x / rows[done][column] for x in rows[done]]
        for r in range(size):
            if r != done and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[done], strict=True)]
        pivots.append(column)
        done += 1
    if any(row[-1] for row in rows[done:]):
        return None, done
    solution = [Fraction(0)] * size
    for r, column in enumerate(pivots):
        solution[column] = rows[r][-1]
    return solution, done


def homogeneity(table, bhapkar):
    """The quadratic form of the marginal differences with a generalised inverse, and its rank."""
    n, K = sum(map(sum, table)), range(len(table))
    rows = [sum(table[k]) for k in K]
    columns = [sum(table[j][k] for j in K) for k in K]
    d = [rows[k] - columns[k] for k in K]
    covariance = [
        [
            Fraction(
                rows[j] + columns[j] - 2 * table[j][j] if j == k else -table[j][k] - table[k][j]
            )
            - (Fraction(d[j] * d[k], n) if bhapkar else 0)
            for k in K
        ]
        for j in K
    ]
    solution, rank = solve(covariance, d)
    if solution is None:
        return None, rank
    return sum(x * y for x, y in zip(d, solution, strict=True)), rank


def association(table):
    """Pearson's χ² over the rows and columns that are not empty, and its degrees of freedom."""
    n, _, rows, columns = shares(table)
    total = Fraction(0)
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            expected = n * rows[i] * columns[j]
            if expected:
                total += (count - expected) ** 2 / expected
    used = [sum(1 for x in marginal if x) - 1 for marginal in (rows, columns)]
    return total, used[0] * used[1]


def goodness_of_fit(both, different, neither, kappa):
    """Pearson's χ² of the three cells of the model of one correlation, p estimated."""
    n = both + different + neither
    p = Fraction(2 * both + different, 2 * n)
    q = 1 - p
    kappa = Fraction(kappa)
    fitted = [p * p + p * q * kappa, 2 * p * q * (1 - kappa), q * q + p * q * kappa]
    observed = [both, different, neither]
    return sum((o - n * f) ** 2 / (n * f) for o, f in zip(observed, fitted, strict=True))


def variances(items, d):
    """SS between and within items, degrees of freedom, by distances between all judgments."""
    items = [item for item in items if len(item) > 1]
    pooled = [label for item in items for label in item]
    n, N = len(pooled), len(items)
    total = Fraction(sum(Fraction(d(a, b)) for a in pooled for b in pooled)) / (2 * n)
    within = sum(
        Fraction(sum(Fraction(d(a, b)) for a in item for b in item)) / (2 * len(item))
        for item in items
    )
    return total - within, within, N - 1, n - N


def dimensions(labels, d):
    """(Σλ)² / Σλ² of the matrix of inner products of the centred labels, judgment by judgment."""
    n = len(labels)
    distance = [[Fraction(d(a, b)) for b in labels] for a in labels]
    mean = [sum(row) / n for row in distance]
    overall = sum(mean) / n
    inner = [
        [(mean[i] + mean[j] - overall - distance[i][j]) / 2 for j in range(n)] for i in range(n)
    ]
    trace = sum(inner[i][i] for i in range(n))
    return trace**2 / sum(x * x for row in inner for x in row)


def observed_agreement(items):
    """A_o and the mean square of the items' agreement about it."""
    each = [
        Fraction(
            sum(1 for i, a in enumerate(item) for j, b in enumerate(item) if i != j and a == b),
            len(item) * (len(item) - 1),
        )
        for item in items
        if len(item) > 1
    ]
    mean = sum(each) / len(each)
    return mean, sum((x - mean) ** 2 for x in each) / len(each)


def share_interval(share, square, n, z, method):
    """All m with (p − m)² ≤ z² φ m (1 − m) / n, by its roots; for "wald" p ± z √(square / n)."""
    if method == "wald":
        reach = z * math.sqrt(square / n)
        return float(share) - reach, float(share) + reach
    quarter = Fraction(1, 4)
    factor = 1
    if method == "score":
        factor = (n * square + quarter) / (n * share * (1 - share) + quarter)
    weight = Fraction(z) ** 2 * factor / n
    half = share + weight / 2
    root = math.sqrt(half**2 - (1 + weight) * share**2)
    return float(half - root) / float(1 + weight), float(half + root) / float(1 + weight)


def multi_kappa(items, d, weights=None):
    """κ of items that all coders judged: one less mean distance over mean expected distance.

    Both are means over the pairs of coders, the expected distance of a pair over all pairs of its
    labels. None if nothing is expected.
    """
    weights = weights or [1] * len(items)
    n, coders = sum(weights), range(len(items[0]))
    used = [{} for _ in coders]
    for item, weight in zip(items, weights, strict=True):
        for label, of_coder in zip(item, used, strict=True):
            of_coder[label] = of_coder.get(label, 0) + weight
    observed = expected = 0
    for a, b in combinations(coders, 2):
        for item, weight in zip(items, weights, strict=True):
            observed += weight * d(item[a], item[b])
        for j, k in product(used[a], used[b]):
            expected += used[a][j] * used[b][k] * d(j, k)
    return 1 - observed * n / Fraction(expected) if expected else None


def multi_kappa_slopes(items, d, step=Fraction(1, 10**9)):
    """The derivative of κ in the weight of each item, by differences of exact numbers."""
    slopes = []
    for i in range(len(items)):
        sides = []
        for sign in (1, -1):
            weights = [Fraction(1)] * len(items)
            weights[i] += sign * step
            sides.append(multi_kappa(items, d, weights))
        slopes.append((sides[0] - sides[1]) / (2 * step))
    return slopes


def shuffled_kappas(items, d):
    """κ for all ways to shuffle the labels of each coder but the first among the items."""
    columns = list(zip(*items, strict=True))
    for others in product(*(permutations(column) for column in columns[1:])):
        yield multi_kappa(list(zip(columns[0], *others, strict=True)), d)


def quadratic(covariance, d):
    """d' S⁻ d and the rank of S; None where d is outside of its range."""
    solution, rank = solve(covariance, d)
    if solution is None:
        return None, rank
    return sum(x * y for x, y in zip(d, solution, strict=True)), rank


def shuffled_within(items):
    """The coders' counts against those of labels shuffled within their items: χ² and its rank.

    All orders of an item's labels are gone through, and mean and covariance are those of all.
    """
    categories, C = sorted({label for item in items for label in item}), len(items[0])
    cells = [(c, k) for c in range(C) for k in categories]
    difference = [Fraction(0)] * len(cells)
    covariance = [[Fraction(0)] * len(cells) for _ in cells]
    for item in items:
        orders = [[int(order[c] == k) for c, k in cells] for order in permutations(item)]
        mean = [Fraction(sum(column), len(orders)) for column in zip(*orders, strict=True)]
        for x, (c, k) in enumerate(cells):
            difference[x] += int(item[c] == k) - mean[x]
            for y in range(len(cells)):
                both = Fraction(sum(order[x] * order[y] for order in orders), len(orders))
                covariance[x][y] += both - mean[x] * mean[y]
    return quadratic(covariance, difference)


def wald_of_marginals(items):
    """n² ȳ' S⁻ ȳ for the differences y of each coder from the last, S = Σ (y − ȳ)(y − ȳ)'.

    With it the rank of Σ y y', which tells whether the coders differ at all.
    """
    categories = sorted({label for item in items for label in item})
    rows = [
        [int(label == k) - int(item[-1] == k) for label in item[:-1] for k in categories]
        for item in items
    ]
    n, size = len(items), range(len(rows[0]))
    mean = [Fraction(sum(row[x] for row in rows), n) for x in size]
    covariance = [
        [sum((row[x] - mean[x]) * (row[y] - mean[y]) for row in rows) for y in size] for x in size
    ]
    about_zero = [[Fraction(sum(row[x] * row[y] for row in rows)) for y in size] for x in size]
    return quadratic(covariance, [n * m for m in mean])[0], quadratic(about_zero, mean)[1]


def t_tail(t, df, steps=2_000):
    """P(T > |t|) of Student's t, by Simpson's rule over the density from 0."""
    t, half = abs(t), df / 2
    top = math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.sqrt(df * math.pi)
    x = [t * i / steps for i in range(steps + 1)]
    density = [top * (1 + v * v / df) ** -(half + 0.5) for v in x]
    inner = density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2])
    return 0.5 - inner * t / steps / 3

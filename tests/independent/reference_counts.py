"""The nominal coefficients of a large table, exactly: integers by numpy, then fractions.

`reference.py` walks over judgments and takes a second for ten thousand of them. This counts the
same things with numpy and divides at the very end. It imports nothing of agreement_fast, and a
test compares it with `reference.py` on small tables.
"""

import math
from fractions import Fraction

import numpy as np


def dot(a, b):
    """Σ a b of two integer arrays, exactly."""
    if not len(a):
        return 0
    if int(np.abs(a).max()) * int(np.abs(b).max()) * len(a) < 2**62:
        return int(np.dot(a, b))
    return sum(int(x) * int(y) for x, y in zip(a.tolist(), b.tolist(), strict=True))


class Counts:
    """What is counted of a table of codes: items × coders, -1 being missing.

    `sizes` are the numbers of judgments that items have; `n_items`, `marginals` (sizes ×
    categories), `unequal` (ordered pairs of different labels) and `squares` (Σ (x − y)² over
    ordered pairs, x being the code) stand in the same order. All are weighted.
    """

    def __init__(self, codes, weights, n_categories):
        codes = np.asarray(codes, np.int64)
        n_rows, self.n_coders = codes.shape
        weights = np.ones(n_rows, np.int64) if weights is None else np.asarray(weights, np.int64)
        given = codes >= 0
        size_of = given.sum(1)
        self.K = n_categories
        self.sizes = np.unique(size_of[weights > 0]).tolist()
        row, coder = np.nonzero(given)
        said = codes[row, coder]
        self.coders = np.zeros((self.n_coders, n_categories), np.int64)
        np.add.at(self.coders, (coder, said), weights[row])
        cells, times = np.unique(row * n_categories + said, return_counts=True)
        same = np.zeros(n_rows, np.int64)
        np.add.at(same, cells // n_categories, times**2)
        unequal = size_of**2 - same
        values = np.where(given, codes, 0)
        squares = 2 * (size_of * (values**2).sum(1) - values.sum(1) ** 2)
        self.n_items, self.unequal, self.squares = [], [], []
        self.marginals = np.zeros((len(self.sizes), n_categories), np.int64)
        for place, size in enumerate(self.sizes):
            here = size_of == size
            self.n_items.append(int(weights[here].sum()))
            self.unequal.append(dot(unequal[here], weights[here]))
            self.squares.append(dot(squares[here], weights[here]))
            inside = here[row]
            np.add.at(self.marginals[place], said[inside], weights[row[inside]])
        self.least_one = [s for s, size in enumerate(self.sizes) if size >= 1]
        self.least_two = [s for s, size in enumerate(self.sizes) if size >= 2]

    def observed(self, item_weight, sums):
        """D_o from the sums over ordered pairs of each size; None if nothing is paired."""
        weight = {"items": lambda n: 1, "judgments": lambda n: n}[item_weight]
        total = sum(weight(self.sizes[s]) * self.n_items[s] for s in self.least_two)
        if not total:
            return None
        parts = (
            Fraction(weight(self.sizes[s]) * sums[s], self.sizes[s] * (self.sizes[s] - 1))
            for s in self.least_two
        )
        return sum(parts, Fraction(0)) / total

    def shares(self):
        """The mean over items of n_ik / n_i, as whole numerators and one denominator."""
        common = math.lcm(*(self.sizes[s] for s in self.least_one))
        numerators = np.zeros(self.K, np.int64)
        for s in self.least_one:
            numerators += self.marginals[s] * (common // self.sizes[s])
        return numerators, common * sum(self.n_items[s] for s in self.least_one)

    def expected(self, chance):
        """D_e of the nominal distance."""
        if chance == "uniform":
            return 1 - Fraction(1, self.K)
        if chance == "pooled":
            numerators, denominator = self.shares()
            return 1 - Fraction(dot(numerators, numerators), denominator**2)
        if chance == "pooled_unbiased":
            counts = self.marginals[self.least_two].sum(0)
            n = int(counts.sum())
            return Fraction(n * n - dot(counts, counts), n * (n - 1))
        if chance == "individual":
            pooled, each = self.coders.sum(0), self.coders.sum(1)
            n = int(each.sum())
            pairs = n * n - dot(each, each)
            flat = self.coders.reshape(-1)
            same = dot(pooled, pooled) - dot(flat, flat)
            return Fraction(pairs - same, pairs) if pairs else Fraction(0)
        assert chance == "gwet"
        if self.K < 2:
            return Fraction(0)
        numerators, denominator = self.shares()
        share = Fraction(dot(numerators, denominator - numerators), denominator * denominator)
        return 1 - share / (self.K - 1)

    def expected_squares(self):
        """D_e of Krippendorff's α with (x − y)², x being the code."""
        counts = self.marginals[self.least_two].sum(0)
        values = np.arange(self.K)
        n = int(counts.sum())
        return Fraction(2 * (n * dot(counts, values**2) - dot(counts, values) ** 2), n * (n - 1))

"""How often does the interval of every number hold the true value, beside the delta method's?

Data sets of many settings are drawn from populations whose coefficients are known. All data sets of
a setting are groups of one table, so an interval costs some microseconds. Run as

    python -P benchmarks/one_interval.py             # 500 data sets of each setting, some minutes
    SETS=2000 python -P benchmarks/one_interval.py   # the study of its closing note

It prints, for each coefficient and method: the settings, those in which fewer than 92% or more than
98% of the intervals hold the value, the lowest share, misses on each side, and the mean width.
Settings with ten effective judgments or fewer of the rare category are a line of their own: there
`note` says what an interval rests on.
"""

import itertools
import os
import warnings
from dataclasses import dataclass

import numpy as np

from agreement_fast.inference import agreement_by_group

SETS = int(os.environ.get("SETS", 500))
METHODS = ("score", "delta")
#: Rows of a table of data sets that are drawn at a time.
ROWS = 400_000


@dataclass(frozen=True)
class Binary:
    """Two categories: coders who know or guess ("class"), or items that differ ("beta")."""

    model: str
    prevalence: float
    reliability: float

    def draw(self, n_items, n_coders, rng):
        shape, p, r = (n_items, n_coders), self.prevalence, self.reliability
        if self.model == "class":
            true = rng.random((n_items, 1)) < p
            return np.where(rng.random(shape) < np.sqrt(r), true, rng.random(shape) < p)
        if r == 0:
            return rng.random(shape) < p
        scale = (1 - r) / r
        return rng.random(shape) < rng.beta(p * scale, (1 - p) * scale, (n_items, 1))

    def value(self, name):
        apart = (1 - self.reliability) * 2 * self.prevalence * (1 - self.prevalence)
        if name == "s":
            return 1 - 2 * apart
        if name == "ac":
            return 1 - apart / (1 - 2 * self.prevalence * (1 - self.prevalence))
        return self.reliability

    def effective(self, n_items, n_coders):
        """Judgments of the rare category, divided by the effect of their clustering in items."""
        return n_items * n_coders * self.prevalence / (1 + (n_coders - 1) * self.reliability)


@dataclass(frozen=True)
class Scale:
    """Points of a scale: a normal item, and normal errors whose size differs by item."""

    shares: tuple[float, ...]
    reliability: float

    def draw(self, n_items, n_coders, rng):
        ends = np.quantile(
            np.random.default_rng(0).normal(size=200_001), np.cumsum(self.shares)[:-1]
        )
        wide = np.where(rng.random((n_items, 1)) < 0.4, 1.6, 0.6)
        error = np.sqrt(1 - self.reliability) * wide * rng.normal(size=(n_items, n_coders))
        item = np.sqrt(self.reliability) * rng.normal(size=(n_items, 1))
        return np.searchsorted(ends, item + error)

    def value(self, name, distance="interval"):
        rows = self.draw(400_000, 2, np.random.default_rng(1))
        one, other = rows.T.astype(float)
        if distance == "nominal":
            p = np.bincount(rows.reshape(-1)) / rows.size
            return 1 - (one != other).mean() / (1 - (p**2).sum())
        return 1 - ((one - other) ** 2).mean() / (2 * rows.var())

    def effective(self, n_items, n_coders):
        return np.inf


def intervals(population, n_items, n_coders, names, distance, level, seed, missing=0.0):
    """Values and ends of each data set: {(name, method): (value, low, high)}."""
    rng = np.random.default_rng(seed)
    found, step = {}, max(1, ROWS // n_items)
    for first in range(0, SETS, step):
        n_sets = min(step, SETS - first)
        rows = population.draw(n_sets * n_items, n_coders, rng).astype(float)
        rows[rng.random(rows.shape) < missing] = np.nan
        by = np.repeat(np.arange(n_sets), n_items)
        for method in METHODS:
            table = agreement_by_group(
                rows, by, names, [distance], confidence_level=level, method=method
            ).columns()
            for i, name in enumerate(names):
                part = np.array([table[c][i :: len(names)] for c in ("value", "low", "high")])
                before = found.setdefault((name, method), [])
                before.append(part)
    return {key: np.concatenate(parts, axis=1) for key, parts in found.items()}


def settings():
    """Area, population, items, coders, coefficients, distance, level, missing."""
    names = ("alpha", "pi", "kappa", "ac")
    for model, p, r, n, m in itertools.product(
        ("class", "beta"),
        (0.5, 0.1, 0.03, 0.01),
        (0.0, 0.3, 0.6, 0.9),
        (20, 60, 200, 1000),
        (2, 3, 8),
    ):
        yield "two categories", Binary(model, p, r), n, m, names, "nominal", 0.95, 0.0
    for level, p, r, n in itertools.product((0.9, 0.99), (0.5, 0.1), (0.0, 0.5, 0.9), (30, 300)):
        yield f"level {level:.0%}", Binary("beta", p, r), n, 3, names, "nominal", level, 0.0
    for p, r, n, m in itertools.product((0.5, 0.1), (0.2, 0.7), (30, 100, 500), (3, 6)):
        yield "40% missing", Binary("beta", p, r), n, m, ("alpha",), "nominal", 0.95, 0.4
    five = ((0.07, 0.24, 0.38, 0.24, 0.07), (0.6, 0.25, 0.1, 0.04, 0.01))
    for shares, r, n, m in itertools.product(five, (0.1, 0.4, 0.7, 0.9), (20, 60, 200), (2, 3, 5)):
        yield "five points", Scale(shares, r), n, m, ("alpha",), "nominal", 0.95, 0.0
        yield "five points, interval", Scale(shares, r), n, m, ("alpha",), "interval", 0.95, 0.0
    for r, n, m in itertools.product((0.2, 0.5, 0.8), (20, 60, 200), (2, 4)):
        yield "0 to 100", Scale((1 / 101,) * 101, r), n, m, ("alpha",), "interval", 0.95, 0.0


def main():
    warnings.simplefilter("ignore")
    found, truths = {}, {}
    for seed, (area, population, n, m, names, distance, level, missing) in enumerate(settings()):
        few = population.effective(n, m * (1 - missing)) <= 10
        made = intervals(population, n, m, names, distance, level, seed, missing)
        for (name, method), (_, low, high) in made.items():
            key = population, name, distance
            if key not in truths:
                more = {"distance": distance} if isinstance(population, Scale) else {}
                truths[key] = population.value(name, **more)
            true = truths[key]
            there = ~np.isnan(low)
            if there.sum() < SETS / 4:
                continue
            above, below = (low[there] > true + 1e-9).mean(), (high[there] < true - 1e-9).mean()
            cell = (1 - above - below, above, below, (high - low)[there].mean(), level)
            found.setdefault((area, name, few, method), []).append(cell)
    print(f"{SETS} data sets a setting; low: below the level - 3 points, high: above + 3")
    print(f"{'area':24}{'':8}{'':10}{'method':8}{'cells':>6}{'low':>5}{'high':>5}"
          f"{'lowest':>8}{'above':>7}{'below':>7}{'width':>7}")  # fmt: skip
    for (area, name, few, method), cells in found.items():
        share, above, below, width, level = np.array(cells).T
        print(f"{area:24}{name:8}{'e <= 10' if few else '':10}{method:8}{len(cells):6}"
              f"{(share < level - 0.03).sum():5}{(share > level + 0.03).sum():5}{share.min():8.3f}"
              f"{above.mean():7.3f}{below.mean():7.3f}{width.mean():7.3f}")  # fmt: skip


if __name__ == "__main__":
    main()

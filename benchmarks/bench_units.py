"""Units of continua and segmentations, up to a million of them.

DKPro, which has α_U, is written in Java and not run here. The rivals are what a user would write:
the definition with every pair of segments in plain Python (the reference of the tests), and every
pair of units of two coders at once in numpy.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np
import reference_unitizing
from contest import OURS, Row, contest

from agreement_fast import units

MILLION = 1_000_000
CODERS, CATEGORIES = 5, 5


@lru_cache(maxsize=4)
def marked(n):
    """Coders, starts, ends and categories of n units, and the length: 5 coders near one truth."""
    rng = np.random.default_rng(7)
    per = max(2, n // CODERS)
    cuts = np.cumsum(rng.integers(2, 40, 2 * per)).reshape(per, 2)
    kinds = rng.integers(0, CATEGORIES, per)
    columns = []
    for coder in range(CODERS):
        shifted = cuts + rng.integers(0, 2, cuts.shape)
        said = np.where(rng.random(per) < 0.8, kinds, rng.integers(0, CATEGORIES, per))
        columns.append((np.full(per, coder), shifted[:, 0], shifted[:, 1], said))
    coder, start, end, kind = (np.concatenate(column) for column in zip(*columns, strict=True))
    return coder, start, end, kind, int(end.max()) + 10


def columns(n):
    return marked(n)


def read(coder, start, end, kind, length):
    return units.Continuum.from_rows(coder, start, end, kind, extents=length)


def ours(coefficient):
    """With reading: a continuum caches its results."""
    return lambda *rows: coefficient(read(*rows)).value


def as_tuples(n):
    coder, start, end, kind, length = (getattr(x, "tolist", lambda x=x: x)() for x in marked(n))
    rows = [(*row, "d") for row in zip(coder, start, end, kind, strict=True)]
    return rows, {"d": (0, length)}, sorted(set(coder))


def by_definition(name):
    def call(rows, extents, coders):
        if name == "alpha_u":
            observed, expected = reference_unitizing.alpha_u(rows, extents, coders)
        else:
            observed, expected = reference_unitizing.family(rows, extents, coders)[name]
        return float(1 - observed / expected)

    return call


def all_pairs(coder, start, end, kind, length):
    """α_U in numpy: every pair of units of two coders, every unit against every gap."""
    m, observed, expected = CODERS, 0.0, 0.0
    for category in range(CATEGORIES):
        rows = [
            np.column_stack([start, end])[(coder == c) & (kind == category)].astype(float)
            for c in range(m)
        ]
        squares = 0.0
        for g, h in combinations(rows, 2):
            meet = (g[:, None, 0] < h[None, :, 1]) & (h[None, :, 0] < g[:, None, 1])
            squares += (((g[:, None] - h[None]) ** 2).sum(2) * meet).sum()
            squares += (np.diff(g, axis=1)[:, 0][~meet.any(1)] ** 2).sum()
            squares += (np.diff(h, axis=1)[:, 0][~meet.any(0)] ** 2).sum()
        observed += 2 * squares / (m * (m - 1) * length**2)
        lengths = np.concatenate([np.diff(row, axis=1)[:, 0] for row in rows])
        gaps = np.concatenate(
            [np.append(row[:, 0], length) - np.insert(row[:, 1], 0, 0) for row in rows]
        )
        fits = np.maximum(gaps[None] - lengths[:, None] + 1, 0)
        ways = (len(lengths) - 1) / 3 * (2 * lengths**3 - 3 * lengths**2 + lengths)
        ways += lengths**2 * np.where(gaps[None] >= lengths[:, None], fits, 0).sum(1)
        places = m * length * (m * length - 1) - (lengths * (lengths - 1)).sum()
        expected += 2 / length * ways.sum() / places
    return 1 - observed / expected


test_alpha_u = contest(
    "α_U: 5 coders, 5 categories",
    MILLION,
    [
        Row(OURS, "columns", columns, ours(units.alpha_u)),
        Row("all pairs", "numpy", columns, all_pairs, items=5_000, needs="numpy"),
        Row("definition", "Python", as_tuples, by_definition("alpha_u"), items=300, needs="numpy"),
    ],
    also=[100_000],
)

test_u_alpha = contest(
    "uα: 5 coders, 5 categories",
    MILLION,
    [
        Row(OURS, "columns", columns, ours(units.u_alpha)),
        Row("definition", "Python", as_tuples, by_definition("u_alpha"), items=300, needs="numpy"),
    ],
    also=[100_000],
)

test_reading = contest(
    "reading units: 5 coders, 5 categories",
    MILLION,
    [Row(OURS, "columns", columns, lambda *rows: read(*rows).n_units)],
    also=[100_000],
)


@lru_cache(maxsize=2)
def two_texts(n):
    """Two segmentations as text, with about one boundary in ten places."""
    rng = np.random.default_rng(3)
    marks = rng.random((2, n)) < 0.1
    marks[1] = np.where(rng.random(n) < 0.9, marks[0], marks[1])
    return tuple("".join(np.where(row, "1", "0").tolist()) for row in marks)


def nltk_window_diff(reference, hypothesis):
    from nltk.metrics.segmentation import windowdiff

    return windowdiff(reference, hypothesis, 5)


test_window_diff = contest(
    "WindowDiff: a boundary in ten places",
    MILLION,
    [
        Row(OURS, "text", two_texts, lambda r, h: units.window_diff(r, h, window=5)),
        Row("nltk", "text", two_texts, nltk_window_diff),
    ],
)

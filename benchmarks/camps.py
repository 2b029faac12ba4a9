"""How often `diagnose` reports two camps of coders: false alarms, and real camps.

    python -P benchmarks/camps.py               # 1,000 data sets of each kind, about a minute
    QUICK=1 python -P benchmarks/camps.py       # 20 of each, seconds

It prints the figures of docs/diagnostics.md.
"""

import os

import numpy as np

import agreement_fast as af
from agreement_fast.diagnostics.pairs import camps
from agreement_fast.points import Point

SETS = 20 if os.environ.get("QUICK") else 1000
ITEMS, CODERS = (30, 100, 500), (4, 5, 6, 8, 12)


def coders_who_know(n_items, n_coders, accuracy, shares, spread=0.0, missing=0.0, guesser=False):
    """Coders who know the true category with a probability of their own, else guess."""

    def draw(rng):
        K = len(shares)
        true = rng.choice(K, (n_items, 1), p=shares)
        own = np.clip(accuracy + spread * rng.standard_normal(n_coders), 0.05, 1)
        guess = rng.choice(K, (n_items, n_coders), p=shares)
        codes = np.where(rng.random((n_items, n_coders)) < own, true, guess)
        if guesser:
            codes[:, 0] = rng.choice(K, n_items)
        codes[rng.random((n_items, n_coders)) < missing] = -1
        return codes

    return draw


def two_readings(n_items, n_coders, apart, first):
    """Two truths, drawn independently in a share of the items; coders err in 15%."""

    def draw(rng):
        a = rng.integers(0, 2, (n_items, 1))
        b = np.where(rng.random((n_items, 1)) < apart, rng.integers(0, 2, (n_items, 1)), a)
        truth = np.hstack([np.repeat(a, first, 1), np.repeat(b, n_coders - first, 1)])
        slips = rng.random((n_items, n_coders)) < 0.15
        return np.where(slips, rng.integers(0, 2, (n_items, n_coders)), truth)

    return draw


def reported(draw, sets=SETS):
    """Return the number of data sets for which camps are reported."""
    point, outcome = Point.of("alpha", "nominal"), 0
    for seed in range(sets):
        codes = draw(np.random.default_rng(seed))
        data = af.Annotations.from_wide(codes, missing=-1, coders=range(codes.shape[1]))
        result = af.alpha(data)
        if result.undefined is None:
            outcome += any(True for _ in camps(data, point, result, "published"))
    return outcome


#: Coders without camps.
NONE = {
    "the same skill": {"accuracy": 0.8, "shares": [0.5, 0.5]},
    "skills of .6 ± .15": {"accuracy": 0.6, "shares": [0.25] * 4, "spread": 0.15},
    "a rare category": {"accuracy": 0.85, "shares": [0.9, 0.1], "spread": 0.1},
    "one who guesses": {
        "accuracy": 0.8, "shares": [0.25] * 4, "spread": 0.1, "guesser": True,
    },
    "20% missing": {"accuracy": 0.8, "shares": [0.25] * 4, "spread": 0.05, "missing": 0.2},
}  # fmt: skip


def main():
    """Print both."""
    total = 0
    for name, options in NONE.items():
        alarms = sum(reported(coders_who_know(n, c, **options)) for n in ITEMS for c in CODERS)
        sets = SETS * len(ITEMS) * len(CODERS)
        total += sets
        print(f"{name}: {alarms} false alarms in {sets:,} data sets", flush=True)
    print(f"{total:,} data sets")
    for n_items in (100, 300):
        for n_coders, first in ((4, 2), (6, 3), (6, 2), (10, 5)):
            shares = [
                reported(two_readings(n_items, n_coders, apart, first), SETS // 5) / (SETS // 5)
                for apart in (0.3, 0.5, 0.8)
            ]
            shown = ", ".join(f"{share:.0%}" for share in shares)
            print(f"{n_items} items, camps of {first} and {n_coders - first}: {shown}", flush=True)


if __name__ == "__main__":
    main()

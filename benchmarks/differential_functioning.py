"""Level and coverage of diagnostics.differential_functioning (the tables of docs/judges.md).

    python benchmarks/differential_functioning.py [data sets of each kind] [seed]

Coverage: the label of one coder is drawn from the model itself, given the mean rating of the
others: the share of intervals that hold the odds ratio, and of uniform and non-uniform tests at 5%
that reject a true hypothesis. Level: all coders rate the quality of an item with an error of
their own, on five levels, and treat both groups alike; the quality of the groups differs by no or
half a standard deviation. The share of coders whose p-value is below 0.05, and of data sets in
which an adjusted one is. 300 data sets of each kind take about two minutes.
"""

import sys

import numpy as np

from agreement_fast.diagnostics import differential_functioning

CUTS = np.array([-1.5, -0.5, 0.5, 1.5])


def rated(quality, n_coders, error, rng):
    """Return ratings from 0 to 4 by coders who add an error to the quality."""
    heard = quality[:, None] + rng.normal(0, error, (len(quality), n_coders))
    return np.searchsorted(CUTS, heard.reshape(-1)).reshape(heard.shape)


def coverage(n_items, n_labels, effect, n, seed):
    """Return the coverage, and the shares of uniform and non-uniform tests that reject."""
    inside, rejected = [], []
    for i in range(n):
        rng = np.random.default_rng([seed, i])
        group = rng.permutation(np.arange(n_items) % 2)
        others = rated(rng.normal(0, 1, n_items), 4, 0.7, rng)
        x = others.mean(1)
        x = (x - x.mean()) / x.std()
        cuts = np.array([0.0]) if n_labels == 2 else CUTS[: n_labels - 1] * 1.2
        heard = 1.5 * x + effect * group + rng.logistic(0, 1, n_items)
        own = np.searchsorted(cuts, heard) / (n_labels - 1) * 4
        result = differential_functioning(np.column_stack([own, others]).astype(float), by=group)
        inside.append(result.low[0] <= np.exp(effect) <= result.high[0])
        rejected.append((result.p_value[0] < 0.05, result.slope_p_value[0] < 0.05))
    return np.mean(inside), *np.mean(rejected, 0)


def level(n_items, n_coders, apart, n, seed):
    """Return the shares of coders, and of data sets, with a wrong difference."""
    single, any_of = [], []
    for i in range(n):
        rng = np.random.default_rng([seed, i])
        group = rng.permutation(np.arange(n_items) % 2)
        ratings = rated(rng.normal(0, 1, n_items) + apart * group, n_coders, 0.7, rng)
        result = differential_functioning(ratings, by=group)
        single.append(np.mean(result.p_value < 0.05))
        any_of.append(np.any(result.adjusted_p_value < 0.05))
    return np.mean(single), np.mean(any_of)


def main():
    n, seed = map(int, [*sys.argv[1:], *("300", "0")[len(sys.argv) - 1 :]])
    print("items  labels  ln odds ratio  coverage  uniform rejects  non-uniform rejects")
    for n_items in (60, 200):
        for n_labels, effect in ((2, 0.0), (2, 1.0), (5, 1.0)):
            shares = coverage(n_items, n_labels, effect, n, seed)
            row = f"{n_items:5}{n_labels:8}{effect:15.1f}"
            print(row + "{:10.3f}{:17.3f}{:21.3f}".format(*shares), flush=True)
    print("items  coders  quality apart  coders below 0.05  data sets with any")
    for n_coders in (4, 10):
        for apart in (0.0, 0.5):
            shares = level(200, n_coders, apart, n, seed)
            row = f"{200:5}{n_coders:8}{apart:15.1f}"
            print(row + "{:19.3f}{:20.3f}".format(*shares), flush=True)


if __name__ == "__main__":
    main()

"""How often do intervals of components of variance hold: the table of docs/other_measures.md.

Ratings are drawn from components that are known; each interval of each component, and of G and Φ of
one coder, either holds the true value or not. Beside the intervals of `variance_components` stand
those that other programs have, on tables without gaps. `--icc` does the same for the intervals of
ICC(1,1) of five-point ratings. Run as

    python -P benchmarks/components.py              # some ten minutes
    python -P benchmarks/components.py --sets 40
    python -P benchmarks/components.py --icc

The numbers depend on the seed and the number of data sets alone.
"""

import argparse

import numpy as np
from scipy.stats import chi2, t

from agreement_fast import icc
from agreement_fast.annotations import Annotations
from agreement_fast.measures.components import Judged, _draws
from agreement_fast.measures.measure import Ratings

SEED = 2031
RESAMPLES = 200
#: Items, coders, and which ratings are missing.
DESIGNS = (
    (20, 3, ""), (50, 3, ""), (50, 10, ""), (200, 5, ""), (50, 5, "30% missing"),
    (100, 20, "3 coders an item"),
)  # fmt: skip
#: Components of items, coders and the rest.
COMPONENTS = ((1.0, 0.2, 1.0), (0.1, 0.02, 1.0))
KINDS = ("normal", "skewed, noise differs", "five points")
VALUES = ("item", "coder", "residual", "G", "Φ")


def drawn(kind, components, shape, rng):
    """Draw ratings of items by coders."""
    n, k = shape
    of_item, of_coder, rest = np.sqrt(components)
    coders = of_coder * rng.normal(size=k)
    if kind == "normal":
        items, noise = rng.normal(size=(n, 1)), rng.normal(size=shape)
    elif kind == "five points":  # steps as even as they come, with the same components
        items = rng.choice([-2, -1, 0, 1, 2], size=(n, 1)) / np.sqrt(2)
        noise = rng.choice([-1, 0, 0, 1], size=shape) * np.sqrt(2)
    else:  # the noise of half of the items has a variance 32 times that of the other half
        items = rng.exponential(size=(n, 1)) - 1
        noise = rng.normal(size=shape) * rng.choice([0.3, 1.7], size=(n, 1)) / np.sqrt(1.49)
    return of_item * items + coders + rest * noise


def with_gaps(table, gaps, rng):
    """Leave ratings out."""
    if gaps == "30% missing":
        return np.where(rng.random(table.shape) < 0.3, np.nan, table)
    if gaps:
        place = rng.random(table.shape).argsort(1).argsort(1)
        return np.where(place < 3, table, np.nan)
    return table


def true(components):
    item, coder, rest = components
    return np.array([*components, item / (item + rest), item / (item + coder + rest)])


def all_values(components):
    """Add G and Φ of one coder."""
    item, coder, rest = np.maximum(components, 0).T
    with np.errstate(invalid="ignore"):
        return np.column_stack([components, item / (item + rest), item / (item + coder + rest)])


def ends(draws):
    return np.nanquantile(draws, [0.025, 0.975], axis=0)


def anova(tables):
    """Components of complete tables of shape (..., n, k)."""
    n, k = tables.shape[-2:]
    of_item, of_coder = tables.mean(-1), tables.mean(-2)
    mean = of_item.mean(-1)
    items = k * ((of_item - mean[..., None]) ** 2).sum(-1) / (n - 1)
    coders = n * ((of_coder - mean[..., None]) ** 2).sum(-1) / (k - 1)
    rest = tables - of_item[..., None] - of_coder[..., None, :] + mean[..., None, None]
    rest = (rest**2).sum((-1, -2)) / ((n - 1) * (k - 1))
    return np.stack([(items - rest) / k, (coders - rest) / n, rest], -1)


def others(table, rng):
    """Intervals of other constructions: Satterthwaite, jackknife and bootstrap over items."""
    n, k = table.shape
    value = anova(table)
    item, coder, rest = value
    squares = np.array([k * item + rest, n * coder + rest, rest])
    df = np.array([n - 1, k - 1, (n - 1) * (k - 1)])
    parts = np.array([[1 / k, 0, -1 / k], [0, 1 / n, -1 / n], [0, 0, 1]]) * squares
    freedom = parts.sum(1) ** 2 / (parts**2 / df).sum(1)
    satterthwaite = value * freedom / chi2.ppf([[0.975], [0.025]], freedom)
    left = all_values(anova(np.stack([np.delete(table, i, 0) for i in range(n)])))
    whole = all_values(value[None])[0]
    error = np.sqrt((n - 1) ** 2 / n * left.var(0))
    jackknife = whole + np.outer([-1, 1], t.ppf(0.975, n - 1) * error)
    again = all_values(anova(table[rng.integers(0, n, (RESAMPLES, n))]))
    empty = np.full((2, 2), np.nan)
    return {
        "Satterthwaite": np.column_stack([satterthwaite, empty]),
        "jackknife of items": jackknife,
        "bootstrap of items": ends(again),
    }


def of_one(table, gaps, rng):
    """All intervals of a data set: by name, arrays of shape (2, 5)."""
    table = with_gaps(table, gaps, rng)
    kept = table[~np.isnan(table).all(1)]
    data = Annotations.from_wide(kept, coders=list(range(table.shape[1])))
    judged = Judged(Ratings(data, "a component"), None)
    parts, moved = judged.parts()
    matrix = np.array([part.expected for part in parts])
    value = np.linalg.solve(matrix, np.array([part.value for part in parts]))
    counted = matrix[:, -1].copy()
    result = {
        "here": ends(all_values(_draws(parts, judged.freedom(parts, moved, value)))),
        "counted df": ends(all_values(_draws(parts, counted))),
    }
    return result | ({} if gaps else others(table, rng))


def coverage(n_sets):
    print("| ratings | items × coders | components | interval |", " | ".join(VALUES), "|")
    print("|---|---|---|---|" + "---|" * len(VALUES))
    for kind in KINDS:
        for place, (n, k, gaps) in enumerate(DESIGNS):
            for which, components in enumerate(COMPONENTS):
                held, truth = {}, true(components)
                for one in range(n_sets):
                    rng = np.random.default_rng([SEED, one, place, which, KINDS.index(kind)])
                    table = drawn(kind, components, (n, k), rng)
                    for name, (low, high) in of_one(table, gaps, rng).items():
                        held[name] = held.get(name, 0) + ((low <= truth) & (truth <= high))
                design = f"{n} × {k}{', ' * bool(gaps)}{gaps}"
                shares = ", ".join(f"{share:g}" for share in components)
                for name, count in held.items():
                    cells = [f"{share:.1%}" for share in count / n_sets]
                    if name == "Satterthwaite":
                        cells[3:] = ["", ""]
                    print("|", " | ".join([kind, design, shares, name, *cells]), "|", flush=True)


def five_points(n, k, reliability, rng):
    """Draw ratings from 1 to 5 whose noise differs between items."""
    spread = rng.choice([0.2, 1.2], size=(n, 1))
    noise = np.sqrt((1 - reliability) / reliability) * spread * rng.normal(size=(n, k))
    return np.clip(np.round(3 + rng.normal(size=(n, 1)) + noise), 1, 5)


def of_icc(n_sets):
    print("| items × coders | reliability | score | f |\n|---|---|---|---|")
    for k in (2, 5):
        for n in (20, 50, 200):
            for reliability in (0.3, 0.6, 0.8):
                rng = np.random.default_rng([SEED, n, k, round(10 * reliability)])
                many = five_points(10**6, k, reliability, rng)
                rest = many.var(1, ddof=1).mean()
                truth = 1 - rest / (many.mean(1).var(ddof=1) + (k - 1) / k * rest)
                held = dict.fromkeys(("score", "f"), 0)
                for _ in range(n_sets):
                    table = five_points(n, k, reliability, rng)
                    for method in held:
                        result = icc(table, layout="wide", method=method)[0]
                        held[method] += result.low <= truth <= result.high
                cells = " | ".join(f"{count / n_sets:.1%}" for count in held.values())
                print(f"| {n} × {k} | {reliability} | {cells} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", type=int, default=400)
    parser.add_argument("--icc", action="store_true")
    arguments = parser.parse_args()
    (of_icc if arguments.icc else coverage)(arguments.sets)

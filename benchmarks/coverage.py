"""How often do 95% intervals hold the true value: docs/coverage.csv and the table of its page.

Data sets are drawn from populations whose coefficients are known exactly; each interval of each
coefficient either holds the true value or not. Run as

    python -P benchmarks/coverage.py                  # 36 settings of 2,000 data sets
    QUICK=1 python -P benchmarks/coverage.py          # 3 settings of 40, seconds
    python -P benchmarks/coverage.py --table          # only print the table of what is there

One process, 1,000 resamples a data set. Each setting is written when it is done
(build/coverage/*.json), so that a run that was stopped goes on where it was. A data set's numbers
depend on the seed, its setting and its place only.
"""

import argparse
import csv
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtri, stdtrit

import agreement_fast as af
from agreement_fast.inference import bootstrap, standard_error

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "coverage"
TABLE = ROOT / "docs" / "coverage.csv"
QUICK = bool(os.environ.get("QUICK"))
SEED = 20260
COEFFICIENTS = ("alpha", "pi", "kappa", "ac")
LEVEL = 0.95
#: Of all coefficients, from one set of resamples; and of one standard error.
RESAMPLED = ("percentile", "basic", "bca")
DELTA = ("normal", "t", "log", "log t", "atanh t")
METHODS = (*RESAMPLED, *DELTA, "krippendorff")


# ---------------------------------------------------------------------- populations


@dataclass(frozen=True)
class Population:
    """Items of true categories, coders who are right with some probability, else guess.

    Attributes
    ----------
    shares : K shares of the true categories; guesses are drawn from them as well
    accuracy : the probability of each coder to know the true category
    missing : the probability of each judgment to be missing
    """

    shares: tuple[float, ...]
    accuracy: tuple[float, ...]
    missing: float = 0.0

    @property
    def confusion(self):
        """P(label | true category, coder): (C, K, K)."""
        shares = np.array(self.shares)
        know = np.array(self.accuracy)[:, None, None]
        return know * np.eye(len(shares)) + (1 - know) * shares

    def draw(self, n_items, rng):
        """Codes of (n_items, C), -1 being missing."""
        K, C = len(self.shares), len(self.accuracy)
        true = rng.choice(K, size=(n_items, 1), p=self.shares)
        guess = rng.choice(K, size=(n_items, C), p=self.shares)
        codes = np.where(rng.random((n_items, C)) < np.array(self.accuracy), true, guess)
        codes[rng.random((n_items, C)) < self.missing] = -1
        return codes.astype(np.int8)

    def values(self):
        """The coefficients in the limit of many items, nominal distance.

        Judgments are missing at random, so all pairs of coders count the same in D_o, and all
        coders in the marginals, whatever the weights of the items.
        """
        shares, confusion = np.array(self.shares), self.confusion
        C, K = len(confusion), len(shares)
        joint = np.einsum("t,atk,btk->ab", shares, confusion, confusion)
        each = np.einsum("t,atk->ak", shares, confusion)
        pairs = ~np.eye(C, dtype=bool)
        observed = 1 - joint[pairs].mean()
        pooled = each.mean(0)
        by_chance = {
            "pooled": 1 - (pooled**2).sum(),
            "individual": 1 - (each @ each.T)[pairs].mean(),
            "gwet": 1 - (pooled * (1 - pooled)).sum() / (K - 1),
        }
        chance = {"alpha": "pooled", "pi": "pooled", "kappa": "individual", "ac": "gwet"}
        return {name: 1 - observed / by_chance[chance[name]] for name in COEFFICIENTS}


SHARES = {"even": (0.25,) * 4, "skewed": (0.9, 0.1)}
ACCURACY = {2: (0.9, 0.8), 3: (0.9, 0.85, 0.75), 10: tuple(np.linspace(0.95, 0.6, 10))}
ITEMS = (20, 50, 200, 1000)


def settings():
    """Every setting by name: number of items and population."""
    made = {}
    for n_items in ITEMS:
        for shares, missing in (("even", 0.0), ("skewed", 0.0), ("even", 0.3)):
            for coders in (2, 3, 10):
                name = f"{n_items} items, {coders} coders, {shares}"
                name += f", {missing:.0%} missing" if missing else ""
                made[name] = (n_items, Population(SHARES[shares], ACCURACY[coders], missing))
    return made


# ---------------------------------------------------------------------- intervals


def delta_intervals(value, error, n_items):
    """The intervals that a standard error gives, on several scales: {method: (low, high)}.

    "log" takes the error of log(1 − value), the logarithm of D_o / D_e, "atanh" that of Fisher's
    transformation; both leave perfect agreement where it is.
    """
    z = float(ndtri((1 + LEVEL) / 2))
    t = float(stdtrit(max(n_items - 1, 1), (1 + LEVEL) / 2))
    made = {"normal": (value - z * error, value + z * error)}
    made["t"] = (value - t * error, value + t * error)
    for name, reach in (("log", z * error), ("log t", t * error)):
        part = 1 - value
        if part > 0:
            factor = float(np.exp(reach / part))
            made[name] = (1 - part * factor, 1 - part / factor)
        else:
            made[name] = (value, value)
    if abs(value) < 1:
        middle, reach = np.arctanh(value), t * error / (1 - value**2)
        made["atanh t"] = (float(np.tanh(middle - reach)), float(np.tanh(middle + reach)))
    else:
        made["atanh t"] = (value, value)
    return made


def resampled_intervals(result):
    """Percentile and basic intervals of a BCa result's own replicates: {method: (low, high)}."""
    kept = result.replicates[~np.isnan(result.replicates)]
    low, high = (
        np.quantile(kept, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(kept) else (np.nan,) * 2
    )
    return {
        "percentile": (low, high),
        "basic": (2 * result.value - high, 2 * result.value - low),
        "bca": (result.low, result.high),
    }


def intervals(data, n_resamples, rng):
    """All intervals of one data set: {(coefficient, method): (low, high)}, NaN where undefined."""
    n_pairable = int((data.agreement_table().sum(1) > 1).sum())
    table = bootstrap(data, COEFFICIENTS, n_resamples=n_resamples, method="bca", rng=rng)
    made = {}
    for name in COEFFICIENTS:
        for method, interval in resampled_intervals(table[name]).items():
            made[name, method] = interval
        error = standard_error(data, name)
        for method, interval in delta_intervals(
            error.value, error.standard_error, n_pairable
        ).items():
            made[name, method] = interval
    result = bootstrap(data, "alpha", n_resamples=n_resamples, method="krippendorff", rng=rng)
    made["alpha", "krippendorff"] = (result.low, result.high)
    return made


# ---------------------------------------------------------------------- simulation


def simulate(name, n_items, population, n_sets, n_resamples):
    """Counts of one setting: for each coefficient and method how often the true value was held."""
    truth = population.values()
    keys = [(c, m) for c in COEFFICIENTS for m in METHODS if (c, m) != (c, "krippendorff")]
    keys.append(("alpha", "krippendorff"))
    counts = {key: {"held": 0, "below": 0, "above": 0, "none": 0, "width": 0.0} for key in keys}
    K = len(population.shares)
    for i in range(n_sets):
        rng = np.random.default_rng([SEED, *name.encode(), i])
        codes = population.draw(n_items, rng)
        data = af.Annotations.from_wide(
            codes, missing=-1, categories=range(K), coders=range(codes.shape[1])
        )
        for key, (low, high) in intervals(data, n_resamples, rng).items():
            count, true = counts[key], truth[key[0]]
            if np.isnan(low) or np.isnan(high):
                count["none"] += 1
                continue
            count["width"] += float(high - low)
            # An end may differ from the true value by rounding only: a coder's share of 0.5.
            if true < low - 1e-12:
                count["above"] += 1
            elif true > high + 1e-12:
                count["below"] += 1
            else:
                count["held"] += 1
    return [
        {
            "setting": name,
            "n_items": n_items,
            "n_coders": len(population.accuracy),
            "coefficient": coefficient,
            "true_value": truth[coefficient],
            "method": method,
            "n_sets": n_sets,
            "n_resamples": n_resamples,
            "n_undefined": count["none"],
            "n_held": count["held"],
            "n_too_low": count["below"],
            "n_too_high": count["above"],
            "mean_width": count["width"] / max(n_sets - count["none"], 1),
        }
        for (coefficient, method), count in counts.items()
    ]


def run(wanted, n_sets, n_resamples, folder):
    """Simulate what is not there yet; the rows of all settings."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, (n_items, population) in wanted.items():
        file = folder / f"{name.replace(', ', '_').replace(' ', '-')}.json"
        known = json.loads(file.read_text("utf-8")) if file.exists() else []
        if not known or (known[0]["n_sets"], known[0]["n_resamples"]) != (n_sets, n_resamples):
            start = time.process_time()
            known = simulate(name, n_items, population, n_sets, n_resamples)
            part = file.with_suffix(".part")
            part.write_text(json.dumps(known), "utf-8")
            part.replace(file)
            print(f"{name}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
        rows += known
    return rows


# ---------------------------------------------------------------------- tables


def share(row):
    """Coverage of the data sets that have an interval."""
    n = int(row["n_sets"]) - int(row["n_undefined"])
    return int(row["n_held"]) / n if n else float("nan")


def coverage_table(rows, coefficient="alpha"):
    """Markdown: coverage in percent, one line a setting, one column a method."""
    rows = [row for row in rows if row["coefficient"] == coefficient]
    methods = [m for m in METHODS if any(row["method"] == m for row in rows)]
    lines = [
        "| setting | true value | " + " | ".join(methods) + " |",
        "|---|---|" + "---|" * len(methods),
    ]
    names = list(dict.fromkeys(row["setting"] for row in rows))
    for name in names:
        found = {row["method"]: row for row in rows if row["setting"] == name}
        true = float(next(iter(found.values()))["true_value"])
        cells = [f"{100 * share(found[m]):.1f}" for m in methods]
        lines.append(f"| {name} | {true:.3f} | " + " | ".join(cells) + " |")
    for title, test in (
        ("**settings within 93–97**", lambda x: 0.93 <= x <= 0.97),
        ("**lowest**", None),
    ):
        columns = [
            [share(row) for row in rows if row["method"] == m and not np.isnan(share(row))]
            for m in methods
        ]
        cells = [
            f"**{sum(map(test, column))} of {len(column)}**" if test else f"{100 * min(column):.1f}"
            for column in columns
        ]
        lines.append(f"| {title} | | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def summary_table(rows):
    """Markdown: settings within 93 to 97% and the lowest coverage, one line a coefficient."""
    methods = [m for m in METHODS if m != "krippendorff"]
    lines = [
        "| coefficient | " + " | ".join(methods) + " |",
        "|---|" + "---|" * len(methods),
    ]
    for name in COEFFICIENTS:
        cells = []
        for method in methods:
            found = [share(r) for r in rows if (r["coefficient"], r["method"]) == (name, method)]
            within = sum(0.93 <= x <= 0.97 for x in found)
            cells.append(f"{within} of {len(found)}; {100 * min(found):.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write(rows, file):
    """The counts as CSV."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            kept = {
                "true_value": f"{row['true_value']:.6f}",
                "mean_width": f"{row['mean_width']:.5f}",
            }
            writer.writerow(row | kept)


def read(file):
    """The rows of a CSV that `write` made."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def main():
    """Simulate, write the CSV, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=40 if QUICK else 2000)
    parser.add_argument("--resamples", type=int, default=200 if QUICK else 1000)
    parser.add_argument(
        "--table", action="store_true", help="print the tables of docs/coverage.csv"
    )
    options = parser.parse_args()
    if options.table:
        rows = read(TABLE)
    else:
        wanted = settings()
        if QUICK:
            wanted = dict(list(wanted.items())[:3])
        folder = BUILD / "quick" if QUICK else BUILD
        rows = run(wanted, options.sets, options.resamples, folder)
        if not QUICK:
            write(rows, TABLE)
    print(coverage_table(rows), summary_table(rows), sep="\n\n")


if __name__ == "__main__":
    main()

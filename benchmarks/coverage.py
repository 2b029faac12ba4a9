"""How often do 95% intervals hold the true value: docs/coverage.csv and the table of its page.

Data sets are drawn from populations whose coefficients are known exactly; each interval of each
coefficient either holds the true value or not. Run as

    python -P benchmarks/coverage.py                  # 48 settings of 2,000 data sets
    QUICK=1 python -P benchmarks/coverage.py          # 3 settings of 40, seconds
    python -P benchmarks/coverage.py --table          # only print the table of what is there

It is one process with 1,000 resamples a data set, and takes about half an hour of one core. It runs
500 data sets of each setting at a time and writes the results (build/coverage/*.json). So a stopped
run resumes, and a larger run adds to a smaller one. The numbers of a data set depend only on the
seed, its setting and its place.
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
#: The number of data sets that are simulated and written at a time.
PART = 500
#: Of all coefficients, from one set of resamples; and of one standard error.
RESAMPLED = ("percentile", "basic", "bca")
DELTA = ("normal", "t", "log t", "atanh t")
BAYESIAN = "bayesian"
METHODS = (BAYESIAN, *RESAMPLED, *DELTA, "krippendorff")
#: Of the observed agreement.
OBSERVED = "observed_agreement"
OF_SHARE = ("wald", "wilson", "score")
#: The intervals of each number.
MEASURED = dict.fromkeys(COEFFICIENTS, (BAYESIAN, *RESAMPLED, *DELTA)) | {
    "alpha": METHODS,
    OBSERVED: OF_SHARE,
}


# ---------------------------------------------------------------------- populations


@dataclass(frozen=True)
class Population:
    """Items with true categories, and coders who know them with some probability and else guess.

    A guess is drawn from the true shares three times in four; else it is the coder's favourite: the
    first category for the first coder, and so on in turn. So the coders' marginals differ.

    Attributes
    ----------
    shares : K shares of the true categories
    accuracy : the probability of each coder to know the true category
    missing : the probability of each judgment to be missing
    """

    shares: tuple[float, ...]
    accuracy: tuple[float, ...]
    missing: float = 0.0

    @property
    def confusion(self):
        """P(label | true category, coder): (C, K, K)."""
        K, C = len(self.shares), len(self.accuracy)
        know = np.array(self.accuracy)[:, None, None]
        favourite = np.eye(K)[np.arange(C) % K]
        guess = 0.75 * np.array(self.shares) + 0.25 * favourite
        return know * np.eye(K) + (1 - know) * guess[:, None, :]

    def draw(self, n_items, rng):
        """Codes of (n_items, C), -1 being missing."""
        K, C = len(self.shares), len(self.accuracy)
        true = rng.choice(K, size=(n_items, 1), p=self.shares)
        guess = rng.choice(K, size=(n_items, C), p=self.shares)
        guess = np.where(rng.random((n_items, C)) < 0.25, np.arange(C) % K, guess)
        codes = np.where(rng.random((n_items, C)) < np.array(self.accuracy), true, guess)
        codes[rng.random((n_items, C)) < self.missing] = -1
        return codes.astype(np.int8)

    def values(self):
        """The coefficients in the limit of many items, nominal distance.

        Judgments are missing at random. So for all weights of items, all pairs of coders count the
        same in D_o, and all coders count the same in the marginals.
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
        values = {name: 1 - observed / by_chance[chance[name]] for name in COEFFICIENTS}
        return values | {OBSERVED: 1 - observed}


SHARES = {"even": (0.25,) * 4, "skewed": (0.9, 0.1)}
ACCURACY = {2: (0.9, 0.8), 3: (0.9, 0.85, 0.75), 10: tuple(np.linspace(0.95, 0.6, 10))}
ITEMS = (20, 50, 200, 1000)


def settings():
    """Every setting by name: number of items and population."""
    made = {}
    for n_items in ITEMS:
        for shares, missing in (("even", 0.0), ("skewed", 0.0), ("even", 0.3), ("skewed", 0.3)):
            for coders in (2, 3, 10):
                name = f"{n_items} items, {coders} coders, {shares}"
                name += f", {missing:.0%} missing" if missing else ""
                made[name] = (n_items, Population(SHARES[shares], ACCURACY[coders], missing))
    return made


# ---------------------------------------------------------------------- intervals


def delta_intervals(value, error, n_items):
    """The intervals that a standard error gives, on several scales: {method: (low, high)}.

    "t" is the interval of `standard_error`. "log" uses the error of log(1 − value), which is the
    logarithm of D_o / D_e; "atanh" uses that of Fisher's transformation. With perfect agreement,
    both ends are 1.
    """
    z = float(ndtri((1 + LEVEL) / 2))
    t = float(stdtrit(max(n_items - 1, 1), (1 + LEVEL) / 2))
    made = {"normal": (value - z * error, value + z * error)}
    made["t"] = (value - t * error, value + t * error)
    made["log t"] = made["atanh t"] = (value, value)
    part = 1 - value
    if part > 0:
        factor = float(np.exp(t * error / part))
        made["log t"] = (1 - part * factor, 1 - part / factor)
    if abs(value) < 1:
        middle, reach = np.arctanh(value), t * error / (1 - value**2)
        made["atanh t"] = (float(np.tanh(middle - reach)), float(np.tanh(middle + reach)))
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


def bayesian_intervals(data, n_resamples, rng):
    """Intervals of the Bayesian bootstrap: {(coefficient, method): (low, high)}."""
    table = bootstrap(data, COEFFICIENTS, n_resamples=n_resamples, method=BAYESIAN, rng=rng)
    return {(one.coefficient, BAYESIAN): (one.low, one.high) for one in table}


def intervals(data, n_resamples, rng):
    """All other intervals of one data set; undefined ones are NaN."""
    table = bootstrap(data, COEFFICIENTS, n_resamples=n_resamples, method="bca", rng=rng)
    made = {}
    for name in COEFFICIENTS:
        for method, interval in resampled_intervals(table[name]).items():
            made[name, method] = interval
        error = standard_error(data, name)
        scales = delta_intervals(error.value, error.standard_error, error.n_items)
        for method, interval in scales.items():
            made[name, method] = interval
    result = bootstrap(data, "alpha", n_resamples=n_resamples, method="krippendorff", rng=rng)
    made["alpha", "krippendorff"] = (result.low, result.high)
    for method in OF_SHARE:
        share = af.observed_agreement(data, confidence_level=LEVEL, method=method)
        made[OBSERVED, method] = (share.low, share.high)
    return made


# ---------------------------------------------------------------------- simulation


def simulate(name, n_items, population, places, n_resamples):
    """Counts of some data sets of one setting: how often each interval held the true value."""
    truth = {key: float(value) for key, value in population.values().items()}
    rows = {
        (coefficient, method): {
            "setting": name,
            "n_items": n_items,
            "n_coders": len(population.accuracy),
            "coefficient": coefficient,
            "true_value": truth[coefficient],
            "method": method,
            "n_resamples": n_resamples,
            "n_sets": len(places),
            "n_undefined": 0,
            "n_held": 0,
            "n_too_low": 0,
            "n_too_high": 0,
            "width": 0.0,
        }
        for coefficient, methods in MEASURED.items()
        for method in methods
    }
    K = len(population.shares)
    for place in places:
        rng = np.random.default_rng([SEED, *name.encode(), place])
        codes = population.draw(n_items, rng)
        data = af.Annotations.from_wide(
            codes, missing=-1, categories=range(K), coders=range(codes.shape[1])
        )
        # A separate generator, so that it does not change the other intervals.
        own = np.random.default_rng([SEED, *name.encode(), place, 1])
        found = intervals(data, n_resamples, rng) | bayesian_intervals(data, n_resamples, own)
        for key, (low, high) in found.items():
            row, true = rows[key], truth[key[0]]
            if np.isnan(low) or np.isnan(high):
                row["n_undefined"] += 1
                continue
            row["width"] += float(high - low)
            # An end may differ from the true value by rounding only.
            if true < low - 1e-12:
                row["n_too_high"] += 1
            elif true > high + 1e-12:
                row["n_too_low"] += 1
            else:
                row["n_held"] += 1
    return list(rows.values())


SUMMED = ("n_sets", "n_undefined", "n_held", "n_too_low", "n_too_high", "width")


def run(asked, n_sets, n_resamples, folder):
    """Simulate the missing parts, and return the rows of all settings with their parts added up."""
    folder.mkdir(parents=True, exist_ok=True)
    total = {}
    for first in range(0, n_sets, PART):
        places = range(first, min(first + PART, n_sets))
        for name, (n_items, population) in asked.items():
            stem = f"{name}, {places.start} to {places.stop}, {n_resamples} resamples"
            file = folder / f"{stem.replace(', ', '_').replace(' ', '-')}.json"
            if not file.exists():
                start = time.process_time()
                rows = simulate(name, n_items, population, places, n_resamples)
                part = file.with_suffix(".part")
                part.write_text(json.dumps(rows), "utf-8")
                part.replace(file)
                print(f"{stem}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
            for row in json.loads(file.read_text("utf-8")):
                key = (row["setting"], row["coefficient"], row["method"])
                if key in total:
                    for column in SUMMED:
                        total[key][column] += row[column]
                else:
                    total[key] = row
    return list(total.values())


# ---------------------------------------------------------------------- tables


def share(row):
    """Coverage of the data sets that have an interval."""
    n = int(row["n_sets"]) - int(row["n_undefined"])
    return int(row["n_held"]) / n if n else float("nan")


def coverage_table(rows, coefficient="alpha"):
    """Markdown: coverage in percent, one line a setting, one column a method."""
    rows = [row for row in rows if row["coefficient"] == coefficient]
    methods = [m for m in MEASURED[coefficient] if any(row["method"] == m for row in rows)]
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


def share_table(rows):
    """Markdown: from the lowest to the highest coverage of the observed agreement's intervals."""
    rows = [row for row in rows if row["coefficient"] == OBSERVED]
    lines = [
        "| items | coders | " + " | ".join(OF_SHARE) + " |",
        "|---|---|" + "---|" * len(OF_SHARE),
    ]
    for n_items, n_coders in sorted({(int(r["n_items"]), int(r["n_coders"])) for r in rows}):
        cells = []
        for method in OF_SHARE:
            found = [
                100 * share(row)
                for row in rows
                if (int(row["n_items"]), int(row["n_coders"])) == (n_items, n_coders)
                and row["method"] == method
            ]
            cells.append(f"{min(found):.1f} to {max(found):.1f}")
        lines.append(f"| {n_items} | {n_coders} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write(rows, file):
    """The counts as CSV, with the mean width of the intervals."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*list(rows[0])[:-1], "mean_width"])
        for row in rows:
            *cells, width = (row | {"true_value": f"{row['true_value']:.6f}"}).values()
            defined = max(row["n_sets"] - row["n_undefined"], 1)
            writer.writerow([*cells, f"{width / defined:.5f}"])


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
        asked = settings()
        if QUICK:
            asked = dict(list(asked.items())[:3])
        folder = BUILD / "quick" if QUICK else BUILD
        rows = run(asked, options.sets, options.resamples, folder)
        if not QUICK:
            write(rows, TABLE)
    print(coverage_table(rows), summary_table(rows), share_table(rows), sep="\n\n")


if __name__ == "__main__":
    main()

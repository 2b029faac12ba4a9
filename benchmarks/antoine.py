"""The studies of Antoine, Villaneau & Lefeuvre 2014, on simulated and on crowd annotations.

    python benchmarks/antoine.py                    # simulated: 230 and 183 sentences, 25 coders
    python benchmarks/antoine.py --emotion-only
    python benchmarks/antoine.py --table-5          # coders who differ, half a minute
    python benchmarks/antoine.py labels.csv ...     # files of item, coder, label

The paper does not publish its annotations. The simulated tables have its numbers of items and
coders and the category shares of table 4, and are drawn until π and α are close to table 2. The
script prints the results beside those of the paper. For other files it samples subsets.
"""

from __future__ import annotations

import argparse
import csv
from itertools import combinations, islice
from pathlib import Path
from time import perf_counter

import numpy as np

import agreement_fast as af
from agreement_fast import inference, subsets
from agreement_fast.diagnostics import coder_report

VALENCE = {-2: -1, 2: 1}

#: Table 4, in percent; the numbers of sentences are those of section 4.
SHARES = {
    "emotion": {-2: 8, -1: 17, 0: 38, 1: 23, 2: 14},
    "opinion": {-2: 15, -1: 21, 0: 14, 1: 26, 2: 25},
}
SENTENCES = {"emotion": 230, "opinion": 183}

#: Table 2 (random order) and table 5: multi-κ, multi-π, binary α, Euclidean α.
TABLE_2 = {
    "emotion": {"3": (0.41, 0.41, 0.41, 0.57), "5": (0.29, 0.29, 0.29, 0.57)},
    "opinion": {"3": (0.58, 0.58, 0.58, 0.75), "5": (0.45, 0.45, 0.45, 0.80)},
}
TABLE_5 = {
    "emotion": {"3": (7.4, 7.7, 7.6, 6.2), "5": (9.0, 9.1, 9.1, 6.1)},
    "opinion": {"3": (3.4, 3.3, 3.3, 2.6), "5": (4.0, 4.0, 4.1, 1.7)},
}
MEASURES = (("kappa", "nominal"), ("pi", "nominal"), ("alpha", "nominal"))


def largest_alpha(shares, pi, distance):
    """The largest α that a table of these shares and this π can have under |a − b| or its square.

    1 − π is D_o over D_e of the nominal distance, and no two different labels are nearer than 1.
    """
    labels = np.array(list(shares), float)
    p = np.array(list(shares.values()), float)
    p /= p.sum()
    apart = np.abs(labels[:, None] - labels) ** (1 if distance == "linear" else 2)
    return 1 - (1 - pi) * (1 - p @ p) / (p @ apart @ p)


def what_the_euclidean_distance_is():
    print("Which distance does the paper's α use? The largest possible α for its shares and π:\n")
    print("corpus   classes  π     |a − b|  (a − b)²  printed α")
    for corpus, five in SHARES.items():
        three = {-1: five[-2] + five[-1], 0: five[0], 1: five[1] + five[2]}
        for classes, shares in (("3", three), ("5", five)):
            pi, alpha = TABLE_2[corpus][classes][1], TABLE_2[corpus][classes][3]
            linear, square = (largest_alpha(shares, pi, d) for d in ("linear", "interval"))
            print(f"{corpus:8} {classes:7}  {pi:.2f}  {linear:.3f}    {square:.3f}     {alpha:.2f}")
    print()


def like(corpus, n_coders=25):
    """Simulated annotations near the π and α of table 2, squared differences; and the seed."""
    _, pi, _, alpha = TABLE_2[corpus]["5"]
    model = subsets.noisy_coders(SHARES[corpus], alpha, distance="interval", errors="linear")
    best = None
    for seed in range(200):
        made = subsets.simulate(model, n_items=SENTENCES[corpus], n_coders=n_coders, rng=seed)
        off = abs(af.pi(made.annotations).value - pi) + abs(
            af.alpha(made.annotations, "interval").value - alpha
        )
        if best is None or off < best[0]:
            best = off, seed, made
    _, seed, made = best
    print(
        f"model: π {model.reliability():.3f}, α {model.reliability('interval'):.3f} "
        f"(|a − b|: {model.reliability('linear'):.3f}); of 200 seeds {seed} comes nearest"
    )
    return made


#: Spreads of the coders that are tried: the deviation of √reliability as a share of its mean.
SPREADS = {
    "emotion": (0.0, 0.05, 0.08, 0.1, 0.11, 0.12, 0.15),
    "opinion": (0.0, 0.01, 0.02, 0.025, 0.03, 0.05),
}


def unlike(corpus, spread, seed, n_coders=25):
    """Simulated annotations of coders who differ, with the α of table 2."""
    return subsets.simulate(
        SHARES[corpus], reliability=TABLE_2[corpus]["5"][3], distance="interval", errors="linear",
        n_items=SENTENCES[corpus], n_coders=n_coders, spread=spread, rng=seed,
    ).annotations  # fmt: skip


def coders_who_differ(corpus, n_tables=20, n_sets=2000):
    """Table 5, and the 8% in the text, for coders who differ."""
    print(
        f"\nSets of 10 coders where coders differ, {corpus}: means of {n_tables} simulated tables, "
        f"{n_sets:,} sets each\n"
        "relative standard deviations, 5 classes, and changes of the reference, 3 classes, "
        "ties=fractional\n"
    )
    print("spread  π      α      κ       π       α b     α        changed")
    for spread in SPREADS[corpus]:
        tables = []
        for seed in range(n_tables):
            data = unlike(corpus, spread, seed)
            result = subsets.coder_subsets(
                data, ["kappa", "pi", "alpha"], distance=["nominal", "interval"], size=[10],
                max_subsets=n_sets, rng=1,
            )  # fmt: skip
            rows = [result[measure][0] for measure in (*MEASURES, ("alpha", "interval"))]
            changed = subsets.reference_stability(
                data.merge_categories(VALENCE), size=[10], ties="fractional", max_subsets=0
            ).changed[0]
            tables.append(
                [af.pi(data).value, af.alpha(data, "interval").value]
                + [100 * row.relative_standard_deviation for row in rows]
                + [100 * float(changed)]
            )
        pi, alpha, *values = np.mean(tables, axis=0)
        print(f"{spread:6.3f}  {pi:.3f}  {alpha:.3f}  {percent(values)}")
    _, pi, _, alpha = TABLE_2[corpus]["5"]
    printed = "  around 8%" if corpus == "emotion" else ""
    print(f"paper   {pi:.2f}   {alpha:.2f}   {percent(TABLE_5[corpus]['5'])}{printed}\n")


def percent(values):
    return "  ".join(f"{value:5.1f}%" for value in values)


def study(corpus):
    """Tables 2 and 5, figures 1, 2 and 4, of a simulated corpus, beside the paper's."""
    print(f"## {corpus}: {SENTENCES[corpus]} items, 25 coders\n")
    made = like(corpus)
    five = made.annotations
    merging = inference.category_merging(
        five,
        {"3 classes": VALENCE},
        ["kappa", "pi", "alpha"],
        ["nominal", "interval"],
        method="bca",
        rng=1,
    )
    print("\nTable 2 with intervals of 2,000 resamples of items (paper: three decimals cut)\n")
    print(merging)
    for classes in ("3", "5"):
        print(f"paper, {classes} classes: {TABLE_2[corpus][classes]} (κ, π, α binary, α)")
    print("\nTable 5 and figures 1 and 2: relative standard deviation over all sets of coders\n")
    every = {}
    for classes, data in (("5", five), ("3", five.merge_categories(VALENCE))):
        began = perf_counter()
        every[classes] = subsets.coder_subsets(
            data, ["kappa", "pi", "alpha"], distance=["nominal", "interval"]
        )
        seconds = perf_counter() - began
        n = every[classes].n_subsets
        print(f"{classes} classes: {n:,} subsets, four measures, {seconds:.1f} s")
    print("\ncoders  classes  κ       π       α b     α")
    for size in (2, 3, 5, 10, 15, 20):
        for classes in ("3", "5"):
            result = [
                100 * row[size - 2].relative_standard_deviation
                for row in (
                    *(every[classes][measure] for measure in MEASURES),
                    every[classes]["alpha", "interval"],
                )
            ]
            paper = f"   paper {percent(TABLE_5[corpus][classes])}" if size == 10 else ""
            print(f"{size:6}  {classes:7}  {percent(result)}{paper}")
    print(
        "\nFigure 4: items whose majority reference changes, mean over all sets (minimum, maximum)"
    )
    began = perf_counter()
    stability = {
        (classes, ties): subsets.reference_stability(data, ties=ties)
        for classes, data in (("5", five), ("3", five.merge_categories(VALENCE)))
        for ties in ("change", "fractional", "first")
    }
    print(f"six studies of all {2**25 - 1:,} subsets: {perf_counter() - began:.0f} s\n")
    print("coders  classes  tie is a change        fractional             first category")
    for size in (1, 2, 3, 5, 10, 15, 20, 24):
        for classes in ("3", "5"):
            cells = []
            for ties in ("change", "fractional", "first"):
                one = stability[classes, ties]
                cells.append(
                    f"{100 * one.changed[size - 1]:4.1f}% ({100 * one.minimum[size - 1]:4.1f}, "
                    f"{100 * one.maximum[size - 1]:4.1f})"
                )
            print(f"{size:6}  {classes:7}  " + "   ".join(f"{cell:20}" for cell in cells))
    if corpus == "emotion":
        ten = [100 * stability["3", ties].changed[9] for ties in ("change", "fractional", "first")]
        print(f"\npaper: around 8% of 3 classes with 10 coders; here {percent(ten)}")
    print("\nFrom reliability to the error of the majority, against the simulated truth\n")
    print(
        subsets.reference_errors(
            SHARES[corpus], distance="interval", errors="linear", n_items=2000, rng=1
        )
    )
    print()


# ---------------------------------------------------------------------- files of many coders


def read(path):
    """Annotations of a CSV of item, coder, label; the first of repeated judgments stays."""
    with Path(path).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    labels = [row["label"] for row in rows]
    if all(label.lstrip("-").isdigit() for label in labels):
        labels = [int(label) for label in labels]
    return af.Annotations.from_long(
        [row["item"] for row in rows],
        [row["coder"] for row in rows],
        labels,
        duplicates="first",
    )


def busiest(data, n):
    """The n coders with the most judgments, and the items that they judged."""
    counts = data.coder_marginals().sum(1)
    chosen = np.argsort(-counts, kind="stable")[:n]
    return data.select(coders=[data.coders[c] for c in sorted(chosen.tolist())])


def crowd(path):
    """Sampled subsets of the coders of a file."""
    data = read(path)
    print(f"## {Path(path).name}: {data!r}\n")
    distance = "interval" if isinstance(data.categories[0], int) else "nominal"
    print(af.agreement_table(data, ["pi", "kappa", "alpha"], list({"nominal": 0, distance: 0})))
    some = busiest(data, 25)
    sizes = [2, 3, 5, 10, 15, 20]
    began = perf_counter()
    result = subsets.coder_subsets(
        some, ["kappa", "pi", "alpha"], distance=list({"nominal": 0, distance: 0}),
        size=sizes, max_subsets=2000, rng=1,
    )  # fmt: skip
    print(
        f"\nthe 25 coders with most judgments: {some!r}\n"
        f"{result.n_subsets:,} subsets in {perf_counter() - began:.1f} s; mean, relative standard "
        "deviation\n"
    )
    measures = [*MEASURES, *([("alpha", distance)] if distance != "nominal" else [])]
    print("coders  " + "  ".join(f"{f'{name}({d})':>17}" for name, d in measures) + "  undefined")
    for i, size in enumerate(sizes):
        rows = [result[measure][i] for measure in measures]
        cells = [f"{row.mean:7.3f} {100 * row.relative_standard_deviation:7.1f}%" for row in rows]
        print(
            f"{size:6}  " + "  ".join(f"{cell:>17}" for cell in cells) + f"  {rows[0].n_undefined}"
        )
    everybody = data.n_coders
    sizes = [n for n in (2, 5, 10, 25, 50, 100, 200, 300, 500, 800) if n < everybody]
    began = perf_counter()
    stability = subsets.reference_stability(
        data, size=sizes, ties="fractional", max_subsets=200, rng=1
    )
    print(
        f"\nThe reference of all {everybody} coders against that of some: means over all subsets, "
        f"minimum and\nmaximum of 200 each, ties fractional ({perf_counter() - began:.1f} s)\n"
    )
    print("coders  not judged  changed of those judged  changed or not judged (minimum, maximum)")
    for i, size in enumerate(sizes):
        print(
            f"{size:6}  {100 * stability.unjudged[i]:9.1f}%  "
            f"{100 * stability.changed_of_judged[i]:22.1f}%  {100 * stability.changed[i]:6.1f}% "
            f"({100 * stability.minimum[i]:.1f}, {100 * stability.maximum[i]:.1f})"
        )
    began = perf_counter()
    report = coder_report(data, intervals=False)
    seconds = perf_counter() - began
    low, high = np.nanargmin(report.change), np.nanargmax(report.change)
    quartiles = np.nanquantile(report.against_rest, [0, 0.25, 0.5, 0.75, 1])
    print(
        f"\nWithout one coder α changes by {report.change[low]:+.4f} ({report.coders[low]}) to "
        f"{report.change[high]:+.4f} ({report.coders[high]});\none against the rest, quartiles: "
        f"{', '.join(f'{value:.2f}' for value in quartiles)}; both for all coders in "
        f"{seconds:.2f} s\n"
    )


def against_a_loop():
    """Our subset study against a loop over `krippendorff.alpha`, extrapolated."""
    try:
        import krippendorff
    except ModuleNotFoundError:
        return
    made = subsets.simulate(SHARES["emotion"], reliability=0.3, n_items=230, n_coders=25, rng=1)
    table = made.annotations.to_wide().astype(float).T.copy()
    rng = np.random.default_rng(1)
    began = perf_counter()
    for _ in range(200):
        size = int(rng.integers(2, 26))
        chosen = rng.choice(25, size, replace=False)
        krippendorff.alpha(table[chosen], level_of_measurement="nominal")
    each = (perf_counter() - began) / 200
    n = 2**25 - 26
    began = perf_counter()
    subsets.coder_subsets(made.annotations, ["alpha"])
    ours = perf_counter() - began
    print(
        f"α of all {n:,} subsets: ours {ours:.2f} s; a loop over krippendorff.alpha "
        f"{1000 * each:.2f} ms each on 200 random subsets, extrapolated {each * n / 3600:.1f} hours"
    )
    said = made.annotations.to_wide().astype(int) + 2
    one_hot = np.eye(5, dtype=np.int64)[said]
    whole = one_hot.sum(1).argmax(1)
    began = perf_counter()
    for chosen in islice(combinations(range(25), 10), 200):
        (one_hot[:, chosen].sum(1).argmax(1) != whole).mean()
    each = (perf_counter() - began) / 200
    began = perf_counter()
    subsets.reference_stability(made.annotations)
    ours = perf_counter() - began
    print(
        f"majority references of all {2**25 - 1:,}: ours {ours:.2f} s; a loop over numpy "
        f"{1000 * each:.2f} ms each on 200, extrapolated {each * 2**25 / 3600:.1f} hours\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="CSV files of item, coder, label")
    parser.add_argument("--emotion-only", action="store_true")
    parser.add_argument("--table-5", action="store_true", help="only coders who differ")
    options = parser.parse_args()
    if options.files:
        for path in options.files:
            crowd(path)
        return
    what_the_euclidean_distance_is()
    for corpus in ("emotion",) if options.emotion_only else SHARES:
        coders_who_differ(corpus)
        if not options.table_5:
            study(corpus)
    if options.table_5:
        return
    against_a_loop()


if __name__ == "__main__":
    main()

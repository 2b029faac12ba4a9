"""α and β of a table of set labels with every set distance, compared with nominal and with NLTK.

python benchmarks/set_distances.py FILE.csv

FILE has the columns item, coder and label; "|" separates the elements of a label. NLTK gets more
and more items until one of its coefficients takes longer than a minute.
"""

from __future__ import annotations

import csv
import sys
from time import perf_counter

from nltk.metrics import binary_distance, jaccard_distance, masi_distance
from nltk.metrics.agreement import AnnotationTask

import agreement_fast as af

PEERS = {"nominal": binary_distance, "jaccard": jaccard_distance, "masi": masi_distance}
MINUTE = 60


def timed(call, repeats=1):
    """The result, and the shortest time."""
    best = float("inf")
    for _ in range(repeats):
        began = perf_counter()
        result = call()
        best = min(best, perf_counter() - began)
    return result, best


def main(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [(row["item"], row["coder"], row["label"]) for row in csv.DictReader(file)]
    items, coders, labels = map(list, zip(*rows, strict=True))

    def read():
        return af.Annotations.from_long(
            items, coders, labels, set_separator="|", duplicates="first"
        )

    data, seconds = timed(read, 5)
    print(f"{data.n_items} items, {data.n_coders} coders, {data.n_judgments} judgments, ", end="")
    print(f"{len(data.categories)} distinct sets, {data.duplicates_dropped} repeated judgments")
    print(f"read in {1000 * seconds:.1f} ms\n")
    print(f"{'distance':<14} {'α':>8} {'β':>8} {'D_o':>8} {'D_e (α)':>8} {'ms for both':>12}")
    for name in ("nominal", *af.distances.SETS):

        def both(name=name):
            fresh = read()
            began = perf_counter()
            return af.alpha(fresh, name), af.beta(fresh, name), perf_counter() - began

        runs = [both() for _ in range(5)]
        alpha, beta, _ = runs[0]
        fastest = min(run[2] for run in runs)
        print(
            f"{name:<14} {alpha.value:8.4f} {beta.value:8.4f} {alpha.observed_disagreement:8.4f} "
            f"{alpha.expected_disagreement:8.4f} {1000 * fastest:12.2f}"
        )
    print()
    compare(data)


def compare(data):
    """NLTK's α on the first items; their number doubles until it takes a minute."""
    item, coder, label = (column.tolist() for column in data.to_long())
    order = sorted(range(len(item)), key=lambda i: item[i])
    for name, distance in PEERS.items():
        n = min(1000, len(order))
        while True:
            some = [(coder[i], item[i], label[i]) for i in order[:n]]
            task = AnnotationTask(some, distance)
            theirs, seconds = timed(task.alpha)
            ours, own = timed(
                lambda some=some, name=name: (
                    af.alpha(af.Annotations.from_triples(some), name).value
                ),
                5,
            )
            assert abs(ours - theirs) < 1e-9, (name, ours, theirs)
            if seconds > MINUTE / 3 or n == len(order):
                break
            n = min(2 * n, len(order))
        print(
            f"{name:<8} {n} judgments: NLTK {seconds:.3f} s, from the same triples "
            f"{1000 * own:.1f} ms, {seconds / own:.0f} times; α = {ours:.6f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

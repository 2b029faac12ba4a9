"""α of tables from 10 to 40,000 items × 5 coders, against krippendorff, on new data each time.

    python benchmarks/sizes.py

Every call gets a table of its own, so that caches do not help. The two libraries take turns;
results are asserted equal. The script prints two tables as Markdown: the best of some rounds, in
microseconds a call, and in nanoseconds an item from 10,000 items.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import agreement_fast as af

CODERS, SHARED = 5, 0.7
SMALL = (10, 50, 200, 800, 1_000, 5_000)
MIDDLE = (10_000, 20_000, 40_000)

#: Distinct numbers of a table beyond which krippendorff takes a tenth of a second.
FEW = 300

Table = np.ndarray[Any, Any]


def codes(rng: np.random.Generator, items: int, labels: int = 9) -> Table:
    """Whole numbers from 1; coders give the true one seven times in ten."""
    true = rng.integers(1, labels + 1, (items, 1))
    own = rng.integers(1, labels + 1, (items, CODERS))
    return np.where(rng.random(own.shape) < SHARED, true, own)


def gaps(rng: np.random.Generator, table: Table) -> Table:
    table = table.astype(np.float64)
    table[rng.random(table.shape) < 0.1] = np.nan
    return table


KINDS: dict[str, Callable[[np.random.Generator, int], Table]] = {
    "half points, float64": lambda rng, n: gaps(rng, 1 + codes(rng, n) / 2),
    "whole numbers, float64": lambda rng, n: gaps(rng, codes(rng, n)),
    "two decimals, float64": lambda rng, n: gaps(rng, rng.normal(size=(n, CODERS)).round(2)),
    "distinct numbers, float64": lambda rng, n: gaps(rng, rng.normal(size=(n, CODERS))),
}


def one_byte(rng: np.random.Generator, items: int) -> Table:
    return codes(rng, items, 5).astype(np.int8)


#: Layouts of tables that are not small.
LAYOUTS: dict[str, Callable[[np.random.Generator, int], Table]] = {
    "int8": one_byte,
    "int64": lambda rng, n: codes(rng, n, 5),
    "float64": lambda rng, n: codes(rng, n, 5).astype(np.float64),
    "int8, Fortran order": lambda rng, n: np.asfortranarray(one_byte(rng, n)),
    "int8, every second row": lambda rng, n: one_byte(rng, 2 * n)[::2],
    "int8, every second column": lambda rng, n: np.repeat(one_byte(rng, n), 2, 1)[:, ::2],
    "int8, rows reversed": lambda rng, n: one_byte(rng, n)[::-1],
    "int64, every second row": lambda rng, n: codes(rng, 2 * n, 5)[::2],
}


def best(calls: list[Callable[[Table], float]], make: Callable[[int], Table]) -> list[float]:
    """The best seconds of each call. The calls take turns on fresh tables."""
    result, begun, first = [np.inf] * len(calls), time.perf_counter(), make(0)
    batch = 20 if first.size <= 5_000 else 3
    rounds = 0
    while rounds < 2 or (time.perf_counter() - begun < 0.6 and rounds < 50):
        tables = [make(batch * rounds + i) for i in range(batch)]
        results = []
        for i, call in enumerate(calls):
            began = time.perf_counter()
            results.append([call(table) for table in tables])
            result[i] = min(result[i], (time.perf_counter() - began) / batch)
        np.testing.assert_allclose(results, results[:1] * len(results), rtol=1e-9, atol=1e-12)
        rounds += 1
    return result


def main() -> None:
    """Print both tables."""
    import krippendorff

    warnings.simplefilter("ignore")
    print(
        "| input | distance | items | ours | krippendorff | ratio |\n|---|---|---:|---:|---:|---:|"
    )
    for kind, make in KINDS.items():
        for distance in ("nominal", "interval"):
            for items in SMALL:

                def ours(table: Table, distance: str = distance) -> float:
                    return float(af.alpha(table, distance))

                def rival(table: Table, distance: str = distance) -> float:
                    return float(krippendorff.alpha(table.T, level_of_measurement=distance))

                distinct = "distinct" in kind or "decimals" in kind
                beside = not distinct or items * CODERS <= FEW
                result = best(
                    [ours, rival] if beside else [ours],
                    lambda seed, make=make, items=items: make(np.random.default_rng(seed), items),
                )
                rest = (
                    f"{1e6 * result[1]:,.0f} µs | {result[1] / result[0]:.2g}" if beside else " | "
                )
                print(f"| {kind} | {distance} | {items:,} | {1e6 * result[0]:,.0f} µs | {rest} |")
    print("\n| input | " + " | ".join(f"{items:,} items" for items in (*MIDDLE, 1_000_000)) + " |")
    print("|---|" + "---:|" * (len(MIDDLE) + 1))
    for kind, make in LAYOUTS.items():
        cells = []
        for items in (*MIDDLE, 1_000_000):
            (result,) = best(
                [lambda table: float(af.alpha(table))],
                lambda seed, make=make, items=items: make(np.random.default_rng(seed % 7), items),
            )
            cells.append(f"{1e9 * result / items:.1f} ns")
        print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

"""One processor against two: α, κ and a bootstrap, from ten thousand to thirty million judgments.

    python benchmarks/threads.py

Each row is measured in two processes, one with one processor and one with two. The time is the best
of several calls; the ratio is the time on one processor divided by that on two.
"""

import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

JUDGMENTS = (10_000, 100_000, 300_000, 1_000_000, 10_000_000, 30_000_000)
CASES = (
    "α nominal, int8", "α nominal, int64", "α nominal, float64", "α interval, distinct floats",
    "κ of two coders, int8", "1,000 resamples of α, int8",
)  # fmt: skip


def case(name: str, judgments: int) -> Any:
    """The call of a case, with its data already made."""
    import workloads

    import agreement_fast as af
    from agreement_fast import bootstrap

    if name.startswith("κ"):
        pairs = workloads.table(judgments // 2, 2, 10, 0.0)
        return lambda: af.kappa(pairs).value
    items = judgments // 5
    if "interval" in name:
        numbers = workloads.scores(items)
        return lambda: af.alpha(numbers, "interval").value
    codes = workloads.table(items, 5, 5, 0.0)
    if "resamples" in name:
        return lambda: bootstrap(codes, ["alpha"], n_resamples=1000, rng=1)[0].low
    table = codes.astype(name.rpartition(" ")[2])
    return lambda: af.alpha(table).value


def measure(name: str, judgments: int, processors: int) -> float:
    """The best seconds of a case in this process."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:processors])
    call = case(name, judgments)
    call()
    result, begun = float("inf"), time.perf_counter()
    rounds = 0
    while rounds < 3 or (time.perf_counter() - begun < 0.5 and rounds < 500):
        began = time.perf_counter()
        call()
        result = min(result, time.perf_counter() - began)
        rounds += 1
    return result


def main() -> None:
    """Print a Markdown table of ratios."""
    print("| judgments | " + " | ".join(CASES) + " |")
    print("|---:|" + "---:|" * len(CASES))
    for judgments in JUDGMENTS:
        cells = []
        for name in CASES:
            seconds = []
            for processors in (1, 2):
                command = [sys.executable, "-P", __file__, name, str(judgments), str(processors)]
                seconds.append(json.loads(subprocess.check_output(command, text=True)))
            cells.append(f"{seconds[0] / seconds[1]:.2f} ({1e3 * np.float64(seconds[1]):.3g} ms)")
        print(f"| {judgments:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
